"""What the pages show, made from the session: rows of words, cards and places. No HTML, no decisions."""
