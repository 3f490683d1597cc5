"""Teaching the program a club's own deck."""
