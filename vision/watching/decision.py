"""What the boxes of one picture are, decided together: faces, backs, no cards, or second boxes on other cards.

Each box by itself has the probabilities of a face, a back and no card. Each two boxes that touch have the odds that
they are of one card. A group of touching boxes is decided from all of this: every way to say what its boxes are counts
with its probability. Names are given to the whole picture, because a pack has each card once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float64Array
from vision.picture import overlap
from vision.reading.belief import belief_table
from vision.watching.names import names_apart
from vision.watching.sightings import ALONE_WORTH, UNREAD, Sighting, same_card_evidence

IS_FACE, IS_BACK, IS_NONE, IS_SECOND = range(4)
"""What a box may be: the columns of the probabilities."""
LIKELIEST_KEPT: Final = 128
"""The most ways to say what the boxes of a group are that are kept after each box. Few groups have ten boxes."""


@dataclass(frozen=True)
class Decided:
    """What a sighting is.

    `sides` (4,) are the probabilities of `IS_FACE`, `IS_BACK`, `IS_NONE` and `IS_SECOND`. `names` (78,) are those of
    its names, given that it is a face.
    """

    sighting: Sighting
    sides: Float64Array
    names: Float64Array

    @property
    def is_second(self) -> bool:
        """Whether it is likely a second box on another card."""
        return float(self.sides[IS_SECOND]) > 0.5

    @property
    def face(self) -> float:
        """The probability of a face, given that it is no second box. `back` and `none` are alike."""
        return self._by_itself(IS_FACE)

    @property
    def back(self) -> float:
        """The probability of a back."""
        return self._by_itself(IS_BACK)

    @property
    def none(self) -> float:
        """The probability of no card."""
        return self._by_itself(IS_NONE)

    def _by_itself(self, side: int) -> float:
        return float(self.sides[side] / max(float(self.sides[:IS_SECOND].sum()), 1e-9))


def decide(sightings: Sequence[Sighting]) -> list[Decided]:
    """What each of the `sightings` of one picture is, in their order. The most clearly found come first."""
    sides = sides_together(_apart([s.sides() for s in sightings]), same_card_odds(sightings))
    rows = np.array([s.probabilities(ALONE_WORTH)[:-1] for s in sightings], np.float64).reshape(
        -1, len(CARDS)
    )
    names = names_apart(rows, sides[:, IS_FACE])
    return [Decided(s, *told) for s, *told in zip(sightings, sides, names, strict=True)]


def is_one_card(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings are likelier boxes of one card than of two, by their places, shapes and readings."""
    evidence = same_card_evidence(one, other)
    return evidence is not None and belief_table().second.odds(evidence) > 0


def is_second_box(sighting: Sighting, others: Iterable[Sighting]) -> bool:
    """Whether a sighting is likely a second box on one of the `others` that is found more clearly.

    Whether the others are cards is told without their names: a hand may lie on them.
    """
    clearer = [one for one in others if one.best_score > sighting.best_score]
    touching = [one for one in clearer if overlap(sighting.corners_px, one.corners_px) > 0]
    group = [*sorted(touching, key=lambda one: -one.best_score), sighting]
    apart = _apart([*(one.sides(UNREAD) for one in group[:-1]), sighting.sides()])
    return float(sides_together(apart, same_card_odds(group))[-1, IS_SECOND]) > 0.5


def _apart(rows: Sequence[Float64Array]) -> Float64Array:
    return np.array(rows, np.float64).reshape(-1, IS_SECOND)


def same_card_odds(sightings: Sequence[Sighting]) -> dict[tuple[int, int], float]:
    """The natural log-odds that two boxes are of one card: for each two that touch, by their indices in `sightings`."""
    table, odds = belief_table().second, {}
    for later, one in enumerate(sightings):
        for earlier, other in enumerate(sightings[:later]):
            evidence = same_card_evidence(one, other)
            if evidence is not None:
                odds[earlier, later] = table.odds(evidence)
    return odds


def sides_together(apart: Float64Array, same: Mapping[tuple[int, int], float]) -> Float64Array:
    """The probabilities (N, 4) of what each box is. `apart` (N, 3) has those of face, back and no card by itself.

    The boxes are sorted, the most clearly found first: a second box is one on a clearer card. `same` has the natural
    log-odds that two boxes are of one card, for each two (earlier, later) that touch.
    """
    sides = np.zeros((len(apart), 4))
    for group in _groups(len(apart), same):
        ways: list[_Way] = [(0.0, ())]
        group.sort()
        for box in group:
            grown = [way for before in ways for way in _ways_on(before, group, box, apart, same)]
            ways = sorted(grown, key=lambda way: -way[0])[:LIKELIEST_KEPT]
        for score, labels in ways:
            sides[group, labels] += np.exp(score - ways[0][0])
    return np.asarray(sides / np.maximum(sides.sum(1, keepdims=True), 1e-300))


_Way = tuple[float, tuple[int, ...]]
"""The log-likelihood of a way to say what the first boxes of a group are, and what it says."""


def _ways_on(
    before: _Way, group: Sequence[int], box: int, apart: Float64Array, same: Mapping[tuple[int, int], float]
) -> list[_Way]:
    """The ways that begin like `before` and also say what `box` is, the next one of its group."""
    score, labels = before
    cards = [other for other, label in zip(group, labels, strict=False) if label in (IS_FACE, IS_BACK)]
    odds = [same[pair] for other in cards if (pair := (min(other, box), max(other, box))) in same]
    logs = np.log(np.maximum(apart[box], 1e-9))
    another = -float(np.logaddexp(0, odds).sum())
    ways = [
        (score + float(logs[IS_FACE]) + another, (*labels, IS_FACE)),
        (score + float(logs[IS_BACK]) + another, (*labels, IS_BACK)),
        (score + float(logs[IS_NONE]), (*labels, IS_NONE)),
    ]
    if odds:
        # Of the cards that it touches it is taken for the likeliest one, whichever side that shows.
        shows = float(np.logaddexp(logs[IS_FACE], logs[IS_BACK]))
        ways.append((score + shows - float(np.logaddexp(0, -max(odds))), (*labels, IS_SECOND)))
    return ways


def _groups(boxes: int, same: Mapping[tuple[int, int], float]) -> list[list[int]]:
    """The boxes in groups: those of a group touch one another, directly or through others."""
    group_of = {box: [box] for box in range(boxes)}
    for one, other in same:
        if group_of[one] is not group_of[other]:
            group_of[one] += group_of[other]
            for box in group_of[other]:
                group_of[box] = group_of[one]
    return list({id(group): group for group in group_of.values()}.values())
