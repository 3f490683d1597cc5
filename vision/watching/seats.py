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
FAR_OFF = 2.5
"""Distance from the players' places, in standard deviations, from which a card lies where no cards are played."""


class SeatModel:
    """Where each seat's cards come to lie; the middle of the trick is estimated from them."""

    def __init__(self, sides: Mapping[str, str], laid: Mapping[str, tuple[float, float]] | None = None):
        """`sides` gives each player the side of the picture: S, E, N or W.

        `laid` has where the set-up saw each player lay a card, (x, y) as shares of the picture. Players need not sit
        at the middle of their sides then. It counts only where every player has laid one.
        """
        self.sides = dict(sides)
        self._plays: dict[str, list[Float32Array]] = {player: [] for player in sides}
        self._middles: list[Float32Array] = []
        self._laid = (
            {player: laid[player] for player in sides} if laid and laid.keys() >= sides.keys() else {}
        )

    def log_likelihoods(
        self, sighting: Sighting, frame_size: tuple[int, int], arrival: Mapping[str, float]
    ) -> dict[str, float]:
        """Natural log-likelihood of each player, by the card's position and direction and the hand's side.

        `frame_size` is (width, height) in px, `arrival` the share (0..1) of the motion at each side.
        """
        axis = sighting.corners_px[3] - sighting.corners_px[0]
        axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
        result = {}
        for player, side in self.sides.items():
            direction = self._direction(player, frame_size)
            distance, spread = self._position(player, sighting, frame_size)
            position = -0.5 * min(distance, 4.0) ** 2 - 2 * np.log(spread / sighting.height_px)
            turned = 2.0 * (abs(float(np.dot(axis, direction))) - 0.5)
            hand = 1.6 * np.log(max(arrival.get(side, 0.0), 1e-3))
            slid = 2.0 * float(np.dot(_slide(sighting), direction))
            result[player] = float(position + turned + hand + slid)
        return result

    def forget_laid(self) -> None:
        """The camera was moved: where the set-up saw cards laid no longer holds."""
        self._laid = {}

    def is_far(self, sighting: Sighting, frame_size: tuple[int, int]) -> bool:
        """Whether a card lies where no player has laid cards."""
        return all(self._position(player, sighting, frame_size)[0] > FAR_OFF for player in self.sides)

    def _position(self, player: str, sighting: Sighting, frame_size: tuple[int, int]) -> tuple[float, float]:
        """The distance of a card from where `player` lays his, in standard deviations, and one of them in px."""
        height = sighting.height_px
        middle, doubt = self._middle(frame_size)
        expected = self._expected(player, middle, height, frame_size)
        known = self._plays[player][-12:]
        weight = len(known)
        if known:
            expected = (expected + np.sum(known, axis=0)) / (1.0 + weight)
        spread = float(np.hypot(0.3 + 0.3 / (1 + weight), doubt / (1 + weight))) * height
        return float(np.linalg.norm(sighting.center_px - expected)) / spread, spread

    def learn(self, player: str, sighting: Sighting) -> None:
        """Learn that `player` laid a card where `sighting` lies."""
        self._plays[player].append(sighting.center_px)
        if not self._laid:
            direction = np.array(DIRECTIONS[self.sides[player]], np.float32)
            middle = sighting.center_px - direction * np.float32(REACH * sighting.height_px)
            self._middles = [*self._middles[-23:], middle]

    def _direction(self, player: str, frame_size: tuple[int, int]) -> Float32Array:
        """The unit vector (2,) from the middle of the trick to where `player` sits."""
        if not self._laid:
            return np.array(DIRECTIONS[self.sides[player]], np.float32)
        way = np.array(self._laid[player], np.float32) * frame_size - self._middle(frame_size)[0]
        return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6), np.float32)

    def _expected(
        self, player: str, middle: Float32Array, height: float, frame_size: tuple[int, int]
    ) -> Float32Array:
        """Where the first card of `player` is expected, (2,) px; `height` is that of a card."""
        if self._laid:
            return np.asarray(np.array(self._laid[player], np.float32) * frame_size, np.float32)
        return np.asarray(middle + self._direction(player, frame_size) * REACH * height, np.float32)

    def middle(self, frame_size: tuple[int, int]) -> Float32Array:
        """The middle of the trick (2,) in px."""
        return self._middle(frame_size)[0]

    def _middle(self, frame_size: tuple[int, int]) -> tuple[Float32Array, float]:
        """The middle of the trick (2,) in px, and its uncertainty in heights of a card."""
        if self._laid:
            spots = np.array(list(self._laid.values()), np.float32) * frame_size
            return np.asarray((spots.min(0) + spots.max(0)) / 2, np.float32), MIDDLE_SPREAD / 4
        # A median is not moved by one card far from its place or booked for the wrong seat.
        middles: list[Float32Array] = [np.array(frame_size, np.float32) * np.float32(0.5), *self._middles]
        return np.median(middles, axis=0).astype(np.float32), MIDDLE_SPREAD / len(middles)


def _slide(sighting: Sighting) -> Float32Array:
    """The direction from which the card was seen to come: (2,), of length 0 (no motion) to 1 (half a card or more)."""
    if sighting.came_from_px is None:
        return np.zeros(2, np.float32)
    way = (sighting.came_from_px - sighting.center_px) / (0.5 * max(sighting.height_px, 1.0))
    return np.asarray(way / max(1.0, float(np.linalg.norm(way))), np.float32)
