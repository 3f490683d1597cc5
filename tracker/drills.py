"""Questions about a played hand, for learning to count. They ask what could be known at the end of its tricks."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tracker.hand import Hand
from tracker.session import Session
from tracker.study import Study, hand_after

QUESTION_KINDS: Final = ("trumps", "void", "holds")
MOST_QUESTIONS: Final = 10
"""The most questions about one hand."""


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A question after `after` plays of a hand.

    `"trumps"`: how many trumps are out. `"void"`: who is known to be void in `suit`; any number of `choices`.
    `"holds"`: who most likely holds `card`; one of `choices`. `right` has the answer as it is given, for `"holds"`
    each that is right, where the chances are exact.
    """

    kind: str
    after: int
    right: frozenset[str]
    study: Study
    choices: tuple[str, ...] = ()
    suit: str | None = None
    card: str | None = None

    def is_right(self, given: frozenset[str]) -> bool:
        """Whether the answer `given` is right."""
        return given == self.right or (self.kind == "holds" and len(given) == 1 and given <= self.right)


def question_count(hand: Hand) -> int:
    """How many questions are asked about `hand`; none about a short one."""
    return min(MOST_QUESTIONS, len(_ends(hand)))


def points(hand: Hand, seed: int) -> list[int]:
    """After how many plays the questions about `hand` are asked, at the ends of tricks."""
    return sorted(random.Random(seed).sample(_ends(hand), question_count(hand)))


def _ends(hand: Hand) -> list[int]:
    """After how many plays something can be asked about `hand`."""
    ends, plays = [], 0
    for trick in hand.tricks:
        plays += len(trick.plays)
        if trick.winner is not None:
            ends.append(plays)
    # The first tricks tell too little, and the last ones all.
    return ends[1:-2]


def question(
    session: Session[Any, Any], hand: Hand, study: Callable[[Any], Study], seed: int, number: int
) -> DrillQuestion:
    """DrillQuestion `number`, from 0, about `hand` of `session`; the same for the same `seed`."""
    chance = random.Random(f"{seed} {number}")
    after = points(hand, seed)[number]
    known = study(hand_after(session, hand, after))
    kind = QUESTION_KINDS[(number + seed) % len(QUESTION_KINDS)]
    if kind == "holds" and known.exact:
        uneven = [
            card
            for card, row in known.chances.items()
            if 1 <= sum(share == max(row.values()) for share in row.values()) < len(row)
        ]
        if uneven:
            card = chance.choice(uneven)
            row = known.chances[card]
            best = frozenset(holder for holder, share in row.items() if share == max(row.values()))
            return DrillQuestion(kind, after, best, known, tuple(row), card=card)
    suits = sorted({card[0] for card in known.chances if card[0] in hand.pack.suit_mask})
    if kind == "void" and suits:
        # Mostly a suit in which somebody is void; now and then one in which nobody is.
        told = sorted({void.suit for void in known.voids if void.above is None})
        suit = chance.choice(told if told and chance.random() < 0.75 else suits)
        void = frozenset(void.player for void in known.voids if void.suit == suit and void.above is None)
        return DrillQuestion(kind, after, void, known, hand.active, suit=suit)
    return DrillQuestion("trumps", after, frozenset({str(len(known.trumps_out))}), known)
