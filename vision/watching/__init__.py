"""Watching a table: frames in, cards and plays out."""
