"""Shown cards: cards that are laid face up and are no plays, as a game awaits them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tracker.events import Event


@dataclass(frozen=True)
class ShownCards:
    """Cards that are laid open next, and the event that they are.

    - `kind`: a `talon` turned up in the middle; a `group` taken from it; a `discard` laid before its player;
      a `vitamin`, one card turned up onto a complete trick; a `hand` laid open before its player; a `gift`, one card
      won before that its `player` hands across the table.
    - `count`: how many cards they are; of a discard the most.
    - `event`: what has happened when these cards were seen, in order.
    - `player`: whose they are, if anybody's.
    - `groups`: of a group, the cards of each group of the talon.
    - `receiver`: of a gift, the player before whom it must lie, where won cards may be laid open for other reasons.
    - `among`: of a gift or a discard, the cards that it can be; empty for any. Of a hand, the cards that were played
      from it since it was laid open.
    - `beside_backs`: of a discard, whether the rest of it lies face down beside it. Without backs a single card is a
      play.
    """

    kind: Literal["talon", "group", "discard", "vitamin", "hand", "gift"]
    count: int
    event: Callable[[tuple[str, ...]], Event]
    player: str | None = None
    receiver: str | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    among: frozenset[str] = frozenset()
    beside_backs: bool = False


@dataclass(frozen=True)
class MayReveal:
    """Cards of his hand that `player` may lay open before him, all at once, and takes up again: a handful of trumps.

    - `counts`: how many cards they may be. Where it is empty, the cards that he shows are not told; they are no plays.
    - `among`: the cards that they can be, in the order in which they are mostly laid.
    - `event`: what has happened when these cards were seen.
    - `now`: it is his turn to show them. Before that, what lies there waits.
    - `played`: he has played a card. Only what lay there before it is told.
    """

    player: str
    counts: frozenset[int]
    among: tuple[str, ...]
    event: Callable[[tuple[str, ...]], Event]
    now: bool
    played: bool = False
