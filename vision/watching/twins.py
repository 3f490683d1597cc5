"""Twins: cards at rest that look alike. A pack has each card once, but all its backs are alike."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from vision.arrays import UInt8Array
from vision.picture import overlap
from vision.reading.belief import belief_table
from vision.watching.learnt import SAME_BACK, BacksInView, like_learnt_back
from vision.watching.likeness import is_plain, likeness_apart, likeness_in_view, softened
from vision.watching.sightings import Sighting, covered_share, same_card_evidence


class Twins:
    """How alike the cards at rest look, and how much each looks like a back of the packs in play."""

    def __init__(self, backs: Sequence[UInt8Array] = ()):
        """`backs` are those that the set-up learnt (see `vision.watching.learnt.LearntTable`).

        Others are learnt from the cards that lie face down.
        """
        self._backs = BacksInView(backs)
        # How alike two cards at rest look, by sighting numbers.
        self._alike: dict[tuple[int, int], float] = {}

    def compare(self, rested: Sequence[Sighting], sightings: Sequence[Sighting]) -> None:
        """Compare the cards that have just come to rest with the backs, and with all `sightings` that lie there."""
        for sighting in rested:
            assert sighting.shown is not None
            sighting.like_back = like_learnt_back(sighting.shown, self._backs.backs)
        new = {s.number for s in rested}
        lying = [s for s in sightings if s.anchor_px is not None and _has_pattern(s)]
        known = {s.number for s in lying} - new
        self._alike = {pair: like for pair, like in self._alike.items() if known >= set(pair)}
        if new.isdisjoint(s.number for s in lying):
            return
        soft = [softened(s.shown) for s in lying if s.shown is not None]
        apart = likeness_apart(soft)
        for (i, one), (k, other) in combinations(enumerate(lying), 2):
            pair = one.number, other.number
            if pair in self._alike:
                continue
            if overlap(one.corners_px, other.corners_px):
                self._alike[pair] = likeness_in_view(soft[i], one.corners_px, soft[k], other.corners_px)
            else:
                self._alike[pair] = float(apart[i, k])

    def learn_backs(self, sightings: Sequence[Sighting]) -> None:
        """Learn the backs of the cards that surely lie face down."""
        down = [
            s for s in sightings
            if s.is_surely_back and s.anchor_px is not None and s.like_back < SAME_BACK
        ]  # fmt: skip
        apart = [
            s for at, s in enumerate(down) if not any(covered_share(s, other) > 0 for other in down[:at])
        ]
        if self._backs.learn([s.shown for s in apart if s.shown is not None]):
            for sighting in sightings:
                if sighting.shown is not None:
                    sighting.like_back = like_learnt_back(sighting.shown, self._backs.backs)

    def tell(self, sightings: Sequence[Sighting]) -> None:
        """Set for each card in view how much it looks like a back, and how much it looks and reads like another."""
        in_view = {s.number: s for s in sightings if s.found}
        looks = {s.number: s.one_look() for s in in_view.values() if s.looks}
        for sighting in sightings:
            sighting.like = sighting.like_back
            sighting.twin = 0.0 if not sighting.like_back or sighting.is_sure() else sighting.like_back
        for pair, like in self._alike.items():
            if like <= 0 or not in_view.keys() >= set(pair):
                continue
            one, other = (in_view[number] for number in pair)
            touching = same_card_evidence(one, other)
            if touching is not None:  # two boxes of one card are no twins
                like *= 1 - belief_table().second.chance(touching)
            if looks.keys() >= set(pair):
                # The more their names have in common, the more alike they read.
                like *= float(np.minimum(*(looks[number] for number in pair)).sum())
                if _may_be_card(one) and _may_be_card(other):
                    one.twin, other.twin = max(one.twin, like), max(other.twin, like)
            one.like, other.like = max(one.like, like), max(other.like, like)


def _has_pattern(sighting: Sighting) -> bool:
    """Whether it shows a pattern by which it can be compared."""
    return sighting.shown is not None and not is_plain(sighting.shown)


def _may_be_card(sighting: Sighting) -> bool:
    """Whether the close look takes it for a card: two boards of a floor look alike, too."""
    return sighting.close is None or float(sighting.close.sides[2]) < 0.5
