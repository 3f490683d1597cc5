"""A second renderer to measure the eyes on: card tables path-traced by Blender (Cycles), with ground truth.

A development tool: nothing that watches a table imports it, nothing is trained on its pictures, and it shares no
drawing code with `vision.lab.rendering`. `python -m vision.lab.tracing --help` says how to make stills and films.
It needs the `blender` program (Debian's, 3.4 or later) and the `tracing` extra.

All geometry is computed here, in mm: x to the right, y away, z up from the table top. Blender gets a plain
description (`blender_scene.py`). It returns light, colour and which card each pixel shows. `webcam.py` turns that
into what a webcam would send.
"""
