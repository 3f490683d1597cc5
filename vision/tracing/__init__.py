"""A second world to measure the eyes on: card tables path-traced by Blender (Cycles), with their truth.

A development tool: nothing that watches a table imports it, nothing is trained on its pictures, and it shares
no drawing with `vision.rendering`. `python -m vision.tracing --help` says how stills and films are made; it needs
the `blender` program (Debian's, 3.4 or later) and the `tracing` extra.

All geometry is worked out here, in mm: x to the right, y away, z up from the table top. Blender is given a plain
description (`blender_scene.py`) and gives back light, colour and which card each pixel shows; `webcam.py` makes
of that what a webcam would send.
"""
