"""The program's own deck, drawn in code."""
