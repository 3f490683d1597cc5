"""Who laid a card, by where each seat's cards come to lie; learnt during the evening."""

from collections.abc import Mapping

import numpy as np

from vision.arrays import Float32Array
from vision.picture import DIRECTIONS
from vision.watching.sightings import Sighting

REACH = 0.6
"""Distance of a seat's cards from the middle of the trick, towards the seat, in heights of a card."""
MIDDLE_SPREAD = 1.0
"""Uncertainty of the middle of the trick before any card is booked, in heights of a card.

It is then taken to be the middle of the picture.
"""


class SeatModel:
    """Where each seat's cards come to lie; the middle of the trick is estimated from them."""

    def __init__(self, sides: Mapping[str, str]):
        """`sides` gives each player the side of the picture: S, E, N or W."""
        self.sides = dict(sides)
        self._plays: dict[str, list[Float32Array]] = {player: [] for player in sides}
        self._middles: list[Float32Array] = []

    def log_likelihoods(
        self, sighting: Sighting, frame_size: tuple[int, int], arrival: Mapping[str, float]
    ) -> dict[str, float]:
        """Natural log-likelihood of each player, by the card's position and direction and the hand's side.

        `frame_size` is (width, height) in px, `arrival` the share (0..1) of the motion at each side.
        """
        height = sighting.height_px
        middle, doubt = self._middle(frame_size)
        axis = sighting.corners_px[3] - sighting.corners_px[0]
        axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
        result = {}
        for player, side in self.sides.items():
            direction = np.array(DIRECTIONS[side], np.float32)
            known = self._plays[player][-12:]
            expected = middle + direction * REACH * height
            weight = len(known)
            if known:
                expected = (expected * 1.0 + np.sum(known, axis=0)) / (1.0 + weight)
            spread = float(np.hypot(0.3 + 0.3 / (1 + weight), doubt / (1 + weight))) * height
            distance = float(np.linalg.norm(sighting.center_px - expected)) / spread
            position = -0.5 * min(distance, 4.0) ** 2 - 2 * np.log(spread / height)
            turned = 2.0 * (abs(float(np.dot(axis, direction))) - 0.5)
            hand = 1.6 * np.log(max(arrival.get(side, 0.0), 1e-3))
            slid = 2.0 * float(np.dot(_slide(sighting), direction))
            result[player] = float(position + turned + hand + slid)
        return result

    def learn(self, player: str, sighting: Sighting) -> None:
        """Learn that `player` laid a card where `sighting` lies."""
        direction = np.array(DIRECTIONS[self.sides[player]], np.float32)
        self._plays[player].append(sighting.center_px)
        self._middles = [
            *self._middles[-23:],
            sighting.center_px - direction * np.float32(REACH * sighting.height_px),
        ]

    def _middle(self, frame_size: tuple[int, int]) -> tuple[Float32Array, float]:
        """The middle of the trick (2,) in px, and its uncertainty in heights of a card."""
        # A median is not moved by one card far from its place or booked for the wrong seat.
        middles: list[Float32Array] = [np.array(frame_size, np.float32) * np.float32(0.5), *self._middles]
        return np.median(middles, axis=0).astype(np.float32), MIDDLE_SPREAD / len(middles)


def _slide(sighting: Sighting) -> Float32Array:
    """The direction from which the card was seen to come: (2,), of length 0 (no motion) to 1 (half a card or more)."""
    if sighting.came_from_px is None:
        return np.zeros(2, np.float32)
    way = (sighting.came_from_px - sighting.center_px) / (0.5 * max(sighting.height_px, 1.0))
    return np.asarray(way / max(1.0, float(np.linalg.norm(way))), np.float32)
