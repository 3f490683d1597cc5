"""What the wall shows of an evening. It is computed once, when events come in, and kept beside them."""

from dataclasses import dataclass, replace
from typing import Any

from tracker.open_questions import unanswered
from tracker.session import Session
from webui.people.fair_play import sight_of


@dataclass(frozen=True)
class Head:
    """An evening at a glance.

    `hand` and `trick` count from 1, and are 0 before the first. `lead` led the trick. `playing`: a hand is under way.
    `chips` are those before this hand (fair play, ETI-1), or after the last if none is played. `flags` counts the flags
    that wait for an arbiter, by hand. So many `questions` wait for an answer at the table.
    """

    seats: list[str]
    hand: int
    trick: int
    lead: str
    dealer: str
    playing: bool
    closed: bool
    chips: dict[str, int]
    flags: dict[str, int]
    questions: int

    @property
    def ahead(self) -> tuple[list[str], int] | None:
        """All who have the most chips, and how many; None before anybody has won any."""
        most = max(self.chips.values(), default=0)
        return ([name for name, chips in self.chips.items() if chips == most], most) if most > 0 else None

    def renamed(self, old: str, new: str) -> "Head":
        """The same with the name `new` in place of `old`."""
        called = {old: new}
        return replace(
            self,
            seats=[called.get(one, one) for one in self.seats],
            lead=called.get(self.lead, self.lead),
            dealer=called.get(self.dealer, self.dealer),
            chips={called.get(one, one): chips for one, chips in self.chips.items()},
        )

    @property
    def open_flags(self) -> int:
        """How many flags wait for an arbiter."""
        return sum(self.flags.values())


def head_of(session: Session[Any, Any]) -> Head:
    """The evening `session` at a glance."""
    hand = session.hand
    shown = sight_of(session, fair_play=True)
    trick = hand.tricks[-1] if hand is not None and hand.tricks else None
    waiting = unanswered(session)
    return Head(
        seats=list(session.seats),
        hand=hand.number if hand is not None else 0,
        trick=trick.number if trick is not None else 0,
        lead=trick.leader if trick is not None and shown.hidden else "",
        dealer=hand.dealer if hand is not None else "",
        playing=shown.hidden,
        closed=session.closed,
        chips=shown.balances,
        flags={str(number): len(places) for number, places in waiting.flags.items()},
        questions=waiting.questions,
    )


def balances_out(session: Session[Any, Any]) -> bool:
    """Whether players and pots sum to 0. True for a game with a score sheet, whose points need not."""
    if not session.keeps_chips:
        return True
    return sum(session.balances.values()) + sum(session.pots.values()) == 0
