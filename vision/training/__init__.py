"""Training of the two networks; the only room that needs torch."""
