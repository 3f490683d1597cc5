"""What the pages show, made from the session: rows of words, cards and places. No HTML and no rules of the game."""
