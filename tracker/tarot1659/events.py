"""The events that only the Tarot of 1659 has."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from tracker.adjusting import ChipsMoved
from tracker.events import COMMON, DealtAgain, Event, Kinds
from tracker.reader import a_card, a_number, a_player, a_text, a_word_of
from tracker.tarot1659.rule_sets import POT

if TYPE_CHECKING:
    from tracker.tarot1659.session import Session1659

EVENTS: Final = Kinds(COMMON)
"""The kinds of event of the Tarot of 1659."""


@EVENTS.add
@dataclass(frozen=True, slots=True)
class FoolExchanged(Event):
    """The fool's player gave a card that he has won to the winner of its trick (T59-FOOL-3, T59-FOOL-4)."""

    player: str
    card: str

    form: ClassVar = {"exchange_fool": a_player, "card": a_card}
    of_hand = True

    def apply(self, session: "Session1659", seq: int) -> None:
        session.hands[-1].exchange_fool(self)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Fined(Event):
    """The table fined a player `amount` chips to the pot (T59-FINE-1); it is paid where it stands (T59-FINE-3).

    `hand` is the number of the hand, from 1, that he is fined for, the current or an earlier one; None is the
    current one. `finding` is the name of the finding (`Finding.name`) that he is fined for, if for one.
    """

    player: str
    amount: int
    reason: str = ""
    hand: int | None = None
    finding: str = ""

    form: ClassVar = {"fine": a_player, "amount": a_number}
    may_have: ClassVar = {"reason": a_text, "hand": a_number}
    of_hand = True
    moves_chips = True

    def apply(self, session: "Session1659", seq: int) -> None:
        session.fine(self, seq)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Adjusted(ChipsMoved):
    """The players moved `amount` chips, from and to a player or the pot, and said why (T59-FINE-2)."""

    pots = (POT,)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Redealt(DealtAgain):
    """A misdeal: the same dealer deals again, for nothing (T59-TABLE-3)."""

    reason: str = "misdeal"

    form: ClassVar = {"redeal": a_word_of(("misdeal",))}

    def apply(self, session: "Session1659", seq: int) -> None:
        session.hands[-1].redeal()
