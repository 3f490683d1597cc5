"""Fitting how the evidence for who laid a card is weighed (`vision.watching.seats`) to recordings with their truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tracker.events import CardPlayed
from vision.arrays import Float64Array
from vision.lab.bench.truth import TimedPlay
from vision.watching.explanations import Explanation
from vision.watching.eyes import WatchUpdate
from vision.watching.seats import FITTED, SeatMeasures

BIN_EDGES: Mapping[str, tuple[float, ...]] = {
    "turned": (0.2, 0.4, 0.6, 0.8, 0.9),
    "hand": (0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9),
    "slid": (-0.8, -0.4, -0.1, 0.1, 0.4, 0.8),
}
"""Inner edges of each measure's bins."""
LEAST = 2.0
"""Added to each bin's count: what the films do not show is still possible."""
SMOOTHING = (0.15, 0.7, 0.15)
"""What of a bin's count goes to its neighbours, and stays."""
UNTIDY: Mapping[str, float] = {"turned": 0.3, "hand": 0.1, "slid": 0.1}
"""Share of cards about which a measure is taken to say nothing: people lay cards less tidily than films show."""


@dataclass
class SeatSamples:
    """What was seen of the player who `laid` each card, and of the `others`."""

    laid: list[SeatMeasures] = field(default_factory=list)
    others: list[SeatMeasures] = field(default_factory=list)

    def note(self, update: WatchUpdate, plays: Sequence[TimedPlay]) -> None:
        """Collect the plays that `update` booked, by the true player of each card in `plays`."""
        players = {play.card: play.player for play in plays}
        new = {j.sighting: j.players for j in update.judged if j.explanation is Explanation.NEW_CARD}
        for event, number in update.played.items():
            if isinstance(event, CardPlayed) and event.card in players and number in new:
                for player, seen in new[number].items():
                    (self.laid if player == players[event.card] else self.others).append(seen)


def fit_seats(samples: Sequence[SeatSamples]) -> Mapping[str, object]:
    """The table fitted to `samples`, as `vision.watching.seats.seat_weights` reads it."""
    laid = [seen for sample in samples for seen in sample.laid]
    others = [seen for sample in samples for seen in sample.others]
    table: dict[str, object] = {"samples": [len(laid), len(others)]}
    for name in FITTED:
        logs = np.log(_shares(laid, name)) - np.log(_shares(others, name))
        table[name] = {"edges": list(BIN_EDGES[name]), "logs": logs.round(3).tolist()}
    return table


def _shares(seen: Sequence[SeatMeasures], name: str) -> Float64Array:
    """The share (bins,) of each bin of the measure `name`, smoothed."""
    bins = len(BIN_EDGES[name]) + 1
    at = np.searchsorted(BIN_EDGES[name], [getattr(one, name) for one in seen])
    # Smoothed: at another table samples fall into neighbouring bins.
    counts = np.convolve(np.pad(np.bincount(at, minlength=bins), 1, "edge"), SMOOTHING, "valid") + LEAST
    return np.asarray((1 - UNTIDY[name]) * counts / counts.sum() + UNTIDY[name] / bins, np.float64)
