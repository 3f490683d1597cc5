"""Who laid a card, by where each seat's cards come to lie; learnt during the evening.

Four pieces of evidence are added up: the card's place, its direction, the hand that laid it, and the way it slid. The
weights of the last three are fitted to films (`tarok train tables`) and kept beside the models. The place has no fitted
weight: how far off a card may lie depends on how well the table's middle is known just then.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Float32Array, Float64Array
from vision.picture import DIRECTIONS
from vision.resources import models_dir, read_table
from vision.watching.sightings import Sighting

REACH = 0.6
"""Distance of a seat's cards from the middle of the trick, towards the seat, in heights of a card."""
MIDDLE_SPREAD = 1.0
"""Uncertainty of the middle of the trick before any card is booked, in heights of a card.

Until then the middle of the picture stands for it.
"""
FAR_OFF = 2.5
"""Distance from the players' places, in standard deviations, from which a card lies where no cards are played."""


@dataclass(frozen=True)
class SeatMeasures:
    """The evidence for one player in how a card came; no measure depends on the size of the picture.

    - `place`: the natural log-density of his cards at its place, by a normal distribution.
    - `turned`: the cosine (0..1) of the angle between the card's long axis and the way to him.
    - `hand`: the share (0..1) of the motion that was at his side.
    - `slid`: how far the card was seen to come from his side (1), from the opposite side (-1), or from neither (0).
    """

    place: float
    turned: float
    hand: float
    slid: float


FITTED = ("turned", "hand", "slid")
"""The measures whose weight is fitted."""


@dataclass(frozen=True)
class SeatTable:
    """The fitted measures: `edges` are the inner edges of their bins, `logs` has a number for each bin.

    That number is the natural logarithm of how much likelier the bin is for the player who laid the card.
    """

    edges: Mapping[str, Float64Array]
    logs: Mapping[str, Float64Array]

    def log_odds(self, measures: SeatMeasures) -> dict[str, float]:
        """The natural log-odds by measure."""
        fitted = {
            name: float(self.logs[name][np.searchsorted(self.edges[name], getattr(measures, name))])
            for name in FITTED
        }
        return {"place": measures.place} | fitted


@cache
def seat_weights(path: Path | None = None) -> SeatTable:
    """The table in the JSON file `path` (None: the shipped one); raises `VisionError` when it cannot be used."""
    return read_table(path or models_dir() / "seats.json", "seats", _seat_table)


def _seat_table(data: Any) -> SeatTable:
    edges = {name: np.asarray(data[name]["edges"], np.float64) for name in FITTED}
    logs = {name: np.asarray(data[name]["logs"], np.float64) for name in FITTED}
    if any(logs[name].shape != (len(edges[name]) + 1,) for name in FITTED):
        raise ValueError("another shape than the table says")
    return SeatTable(edges, logs)


def seat_odds(seen: Mapping[str, SeatMeasures]) -> dict[str, float]:
    """The natural log-odds of each player, from what was `seen` of a card alone."""
    table = seat_weights()
    return {player: sum(table.log_odds(measures).values()) for player, measures in seen.items()}


class SeatModel:
    """Where each seat's cards come to lie; the middle of the trick is estimated from them."""

    def __init__(self, sides: Mapping[str, str], laid: Mapping[str, tuple[float, float]] | None = None):
        """`sides` has each player's side of the picture: S, E, N or W.

        `laid` has where the set-up saw each player lay a card, (x, y) as shares of the picture, so that players need
        not sit at the middle of their sides. It counts only if every player has laid one.
        """
        self.sides = dict(sides)
        # By sighting: where each player laid his cards, and the middle of the trick that each card implies.
        self._plays: dict[str, dict[int, Float32Array]] = {player: {} for player in sides}
        self._middles: dict[int, Float32Array] = {}
        self._laid = (
            {player: laid[player] for player in sides} if laid and laid.keys() >= sides.keys() else {}
        )

    def measures(
        self, sighting: Sighting, frame_size: tuple[int, int], arrival: Mapping[str, float]
    ) -> dict[str, SeatMeasures]:
        """The evidence for each player in how a card came.

        `frame_size` is (width, height) in px, `arrival` the share (0..1) of the motion at each side.
        """
        axis = sighting.corners_px[3] - sighting.corners_px[0]
        axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
        result = {}
        for player, side in self.sides.items():
            direction = self._direction(player, frame_size)
            result[player] = SeatMeasures(
                place=_log_normal(*self._position(player, sighting, frame_size)),
                turned=abs(float(np.dot(axis, direction))),
                hand=arrival.get(side, 0.0),
                slid=float(np.dot(_slide(sighting), direction)),
            )
        return result

    def forget_laid(self) -> None:
        """Forget where the set-up saw cards laid: the camera was moved."""
        self._laid = {}

    def is_far(self, sighting: Sighting, frame_size: tuple[int, int]) -> bool:
        """Whether a card lies where no player has laid cards."""
        return all(self._position(player, sighting, frame_size)[0] > FAR_OFF for player in self.sides)

    def _position(self, player: str, sighting: Sighting, frame_size: tuple[int, int]) -> tuple[float, float]:
        """How far a card lies from those of `player`, in standard deviations, and one of these in heights of a card."""
        height = sighting.height_px
        middle, doubt = self._middle(frame_size)
        expected = self._expected(player, middle, height, frame_size)
        known = list(self._plays[player].values())[-12:]
        weight = len(known)
        if known:
            expected = (expected + np.sum(known, axis=0)) / (1.0 + weight)
        spread = float(np.hypot(0.3 + 0.3 / (1 + weight), doubt / (1 + weight)))
        return float(np.linalg.norm(sighting.center_px - expected)) / (spread * height), spread

    def learn(self, player: str, sighting: Sighting) -> None:
        """Learn that `player` laid a card where `sighting` lies."""
        self._plays[player][sighting.number] = sighting.center_px
        direction = np.array(DIRECTIONS[self.sides[player]], np.float32)
        self._middles[sighting.number] = sighting.center_px - direction * np.float32(
            REACH * sighting.height_px
        )

    def forget(self, number: int) -> None:
        """Forget what was learnt from the sighting `number`: it was wrong."""
        self._middles.pop(number, None)
        for plays in self._plays.values():
            plays.pop(number, None)

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
        # One card far from its place, or booked for the wrong seat, does not move a median.
        middles: list[Float32Array] = [
            np.array(frame_size, np.float32) * np.float32(0.5),
            *list(self._middles.values())[-24:],
        ]
        return np.median(middles, axis=0).astype(np.float32), MIDDLE_SPREAD / len(middles)


def _log_normal(distance: float, spread: float) -> float:
    """The log-density of a normal distribution in the plane at `distance`, in standard deviations of `spread`.

    From four on it falls no further, because a card may be thrown anywhere.
    """
    return float(-0.5 * min(distance, 4.0) ** 2 - 2 * np.log(spread))


def _slide(sighting: Sighting) -> Float32Array:
    """The direction (2,) from which the card was seen to come: of length 0 for no way, 1 for half a card or more."""
    way = sighting.way_px / (0.5 * max(sighting.height_px, 1.0))
    return np.asarray(way / max(1.0, float(np.linalg.norm(way))), np.float32)
