"""Drawn tables and films to train and measure on; never loaded at a table."""
