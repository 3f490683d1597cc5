"""A club's own deck: shown once, known from then on."""
