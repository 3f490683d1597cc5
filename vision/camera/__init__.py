"""Timed frames of a recording or a camera; a camera is read in a separate process."""
