"""What the pages show, made from the session: rows of words, cards and places, without HTML and without rules."""
