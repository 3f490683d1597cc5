"""The program's own deck, drawn by code."""
