"""Rendered tables to look at."""

import numpy as np

from vision.lab.rendering.scene import Scene, Studio, render_scene

MOST_IN_PLAY = 8
"""Cards on a table in play: a trick, piles and a few more. A spread pack of small cards is for training."""


def tables_in_play(studio: Studio, seed: int, count: int) -> list[Scene]:
    """The first `count` scenes of 1280x720 px that show a table in play."""
    scenes: list[Scene] = []
    for k in range(20 * count):
        scene = render_scene(np.random.default_rng((seed, k)), studio, (1280, 720))
        if 2 <= len(scene.cards) <= MOST_IN_PLAY:
            scenes.append(scene)
        if len(scenes) == count:
            break
    assert len(scenes) == count
    return scenes
