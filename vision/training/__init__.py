"""Training of the networks; the only room that needs torch."""
