"""The events that only Danish Tarok has."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from tracker.adjusting import ChipsMoved
from tracker.cards import FOOL
from tracker.danish.combination import Combination
from tracker.danish.declarations import CombinationError, check_combinations
from tracker.danish.rule_sets import FINE_CATEGORIES, POTS
from tracker.events import COMMON, CardPlayed, DealtAgain, Entries, Event, Kinds
from tracker.reader import Reader, a_number, a_player, a_suit, a_text, a_word_of, some_cards

if TYPE_CHECKING:
    from tracker.danish.session import DanishSession

EVENTS: Final = Kinds(COMMON)
"""The kinds of event of Danish Tarok."""


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Declared(Event):
    """A player declared; without combinations he said pass."""

    player: str
    combinations: tuple[Combination, ...] = ()

    form: ClassVar = {"declare": a_player, "combinations": lambda item, _: read_combinations(item)}
    of_hand = True
    before_lead = True
    beside_result = True

    def check(self, session: "DanishSession") -> None:
        session.hands[-1].check_declaration(self)

    def apply(self, session: "DanishSession", seq: int) -> None:
        session.hands[-1].declare(self)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class ToutAnnounced(Event):
    """The dealer announced that he plays for Tout (DISC-3)."""

    player: str

    form: ClassVar = {"announce_tout": a_player}
    of_hand = True
    before_lead = True
    beside_result = True

    def check(self, session: "DanishSession") -> None:
        session.hands[-1].check_tout(self)

    def apply(self, session: "DanishSession", seq: int) -> None:
        session.hands[-1].announce_tout(self)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class FoolNamed(Event):
    """A player named, or renamed, the suit of the fool that was led (FOOL-2, FOOL-3)."""

    player: str
    suit: str

    form: ClassVar = {"name_fool": a_player, "suit": a_suit}
    of_hand = True
    names_fool = True

    def rewritten(self, session: "DanishSession", seq: int) -> Entries | None:
        """FOOL-3: if a card was already played to the fool, the name still counts from the lead."""
        trick = session.hands[-1].check_naming(self)
        if len(trick.plays) == 1:
            return None
        lead = trick.plays[0].seq
        entries: Entries = []
        led = 0
        for event, number in session.hands[-1].entries:
            if isinstance(event, CardPlayed) and event.card == FOOL:
                led = number
            if isinstance(event, FoolNamed) and led == lead:
                continue  # an earlier name of this fool
            entries.append((event, number))
            if number == lead:
                entries.append((self, seq))
        return entries

    def apply(self, session: "DanishSession", seq: int) -> None:
        session.hands[-1].name_fool(self)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class FoolCalled(Event):
    """A player called for the fool in trick 23 (FOOL-5)."""

    player: str

    form: ClassVar = {"call_fool": a_player}
    of_hand = True

    def apply(self, session: "DanishSession", seq: int) -> None:
        session.hands[-1].call_fool(self, seq)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Fined(Event):
    """The table fined a player, as a person confirmed (FINE-1). The fine is paid now (FINE-4).

    `declarations` are the combinations that he must pay back; under DTF rules he pays all of his back anyway.
    `hand` is the number, from 1, of the hand that he is fined for; None means the current one. `finding` is the
    `Finding.name` of what he is fined for, if it was found.
    """

    player: str
    category: str
    reason: str = ""
    declarations: tuple[Combination, ...] = ()
    hand: int | None = None
    finding: str = ""

    form: ClassVar = {"fine": a_player, "category": a_word_of(tuple(FINE_CATEGORIES))}
    may_have: ClassVar = {
        "reason": a_text,
        "declarations": lambda item, _: read_combinations(item),
        "hand": a_number,
    }
    of_hand = True
    moves_chips = True

    @property
    def lets_pass(self) -> bool:  # type: ignore[override]
        """A superficial irregularity costs nothing."""
        return self.category == "superficial"

    def apply(self, session: "DanishSession", seq: int) -> None:
        """FINE-4: paid now, in the current hand or after the last change of seats."""
        fined = session.hand_to_fine(self.hand, self.player)
        fined.fine(self, seq, session.now.pay, later=fined is not session.now)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Adjusted(ChipsMoved):
    """The players moved `amount` chips among themselves, from and to a player or pot, and said why (FINE-5)."""

    pots = POTS


@EVENTS.add
@dataclass(frozen=True, slots=True)
class SkatShown(Event):
    """The three cards of the skat were shown."""

    cards: tuple[str, ...]

    form: ClassVar = {"skat": some_cards}
    of_hand = True

    def apply(self, session: "DanishSession", seq: int) -> None:
        session.hands[-1].show_skat(self)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Redealt(DealtAgain):
    """The same dealer deals again: `misdeal` (5 to each pot) or `no_trumps` (free, TABLE-4)."""

    reason: str

    form: ClassVar = {"redeal": a_word_of(("misdeal", "no_trumps"))}

    def apply(self, session: "DanishSession", seq: int) -> None:
        session.hands[-1].redeal(self)


def read_combinations(item: Reader) -> tuple[Combination, ...]:
    """The combinations in a list of a session file. Raises SessionFileError."""
    found = []
    for entry in item.items():
        entry.object({"kind", "count", "pagat", "suit", "grade", "missing"})
        fields: dict[str, Any] = {"kind": entry["kind"].text()}
        for key in ("suit", "grade", "missing"):
            if key in entry:
                fields[key] = entry[key].text()
        if "count" in entry:
            fields["count"] = entry["count"].number()
        if "pagat" in entry:
            fields["pagat"] = entry["pagat"].boolean()
        combination = Combination(**fields)
        try:
            check_combinations((combination,))
        except CombinationError as error:
            entry.fail_as(error)
        found.append(combination)
    return tuple(found)
