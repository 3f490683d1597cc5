"""Rendered tables and films to train and measure on; never loaded at a real table."""
