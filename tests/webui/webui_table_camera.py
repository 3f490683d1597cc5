"""A camera over a table for the page's tests: a network camera whose picture the test changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np
from drawn import drawn_card
from network_camera import NetworkCamera, Picture

from vision.decks import Sprite
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, paste, project
from vision.lab.rendering.props import draw_back

SIZE = (1280, 720)
Laid = tuple[str, float, float, float]


def card(name: str) -> Sprite:
    """A card of the drawn deck, or one of two packs' backs, BACK2 and BACK9."""
    if name.startswith("BACK"):
        return draw_back(np.random.default_rng(int(name[4:])))
    return drawn_card(name)


def table_with(*laid: Laid, turned_deg: float = 0.0) -> Picture:
    """A green cloth with cards, each as its name, where it lies (x right and y down, mm) and its angle (rad).

    The camera is turned by `turned_deg` about its own axis.
    """
    canvas = np.full((SIZE[1], SIZE[0], 3), (70, 95, 40), np.uint8)
    matrix = camera_matrix(SIZE, 150.0, 4.0, 20.0, turned_deg)
    for name, x, y, angle in laid:
        paste(canvas, card(name), project(matrix, place_card((x, y), angle)), 0.35)
    return canvas


SHOWN = (("HD", -120.0, 30.0, 0.1), ("BACK9", 20.0, 40.0, 0.3), ("BACK2", 180.0, -40.0, -0.4))
"""A card face up and one of each pack face down."""
LAID = {
    "Anna": ("S7", 10.0, 150.0, 0.1), "Bo": ("D5", 230.0, 10.0, -1.5),
    "Carl": ("T12", -30.0, -150.0, 3.1), "Dora": ("CR", -220.0, 20.0, 1.6),
}  # fmt: skip
"""The card that each player lays in front of himself."""


@dataclass
class TableCamera:
    """A network camera at `url` that sends `picture`, with a sensor's noise."""

    picture: Picture
    url: str = ""
    _shot: tuple[Picture, list[bytes]] | None = None

    def shoot(self, number: int) -> bytes:
        """A JPEG; the noise is another one for five pictures, and then begins again."""
        picture = self.picture
        if self._shot is None or self._shot[0] is not picture:
            self._shot = picture, [_noisy(picture, seed) for seed in range(5)]
        return self._shot[1][number % 5]


def _noisy(picture: Picture, seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(-3, 4, picture.shape, dtype=np.int16)
    shot = (picture.astype(np.int16) + noise).clip(0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", shot)[1].tobytes()


@contextmanager
def table_camera(picture: Picture) -> Iterator[TableCamera]:
    """A camera that sends `picture`, which may be replaced."""
    camera = TableCamera(picture)
    with NetworkCamera(camera.shoot, fps=6) as source:
        camera.url = source.url
        yield camera
