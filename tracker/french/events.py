"""The events that only French Tarot has."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tracker.adjusting import PointsAdjusted, an_amount
from tracker.events import COMMON, CardPlayed, DealtAgain, Entries, Event, Kinds
from tracker.french.contracts import BIDS, CONTRACTS
from tracker.french.pack import CALLABLE, EXCUSE_BIT, PACK, TRUMPS
from tracker.reader import Reader, a_number, a_player, a_text, a_word_of, some_cards
from tracker.said_before import SaidBefore

if TYPE_CHECKING:
    from tracker.french.hand import FrenchHand
    from tracker.french.session import FrenchSession

EVENTS: Final = Kinds(COMMON)
"""The kinds of event of French Tarot."""
COUNTING_SIDES: Final = ("taker", "defence")
# The `stage` of what is said before the play: bids, contract, call, dog, then what is laid and announced.


@EVENTS.add
@dataclass(frozen=True, slots=True)
class BidMade(SaidBefore):
    """A player bid `contract`, or passed (FT-BID-1)."""

    player: str
    contract: str

    form: ClassVar = {"bid": a_player, "contract": a_word_of(BIDS)}
    stage = 1
    said_once = False
    said_in_turn = True

    def rewritten(self, session: "FrenchSession", seq: int) -> Entries | None:
        """Once the contract is known nobody bids any more: a bid would make all that came after it give way."""
        return None if session.hands[-1].bidding.bidder is None else SaidBefore.rewritten(self, session, seq)

    def happen(self, hand: "FrenchHand") -> None:
        hand.bid(self.player, self.contract)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class ContractNamed(SaidBefore):
    """The contract that is played, and who plays it where no bids were recorded (FT-BID-3)."""

    contract: str
    taker: str | None = None

    form: ClassVar = {"contract": a_word_of(tuple(CONTRACTS))}
    may_have: ClassVar = {"taker": a_player}
    stage = 2

    def rewritten(self, session: "FrenchSession", seq: int) -> Entries | None:
        """Live, it replaces bids that contradict it, and bids that are not all there (FT-BID-3)."""
        entries, bidding = SaidBefore.rewritten(self, session, seq), session.hands[-1].bidding
        if entries is None or (bidding.is_over and bidding.agrees_with(self.contract, self.taker)):
            return entries
        session.drop_alerts({alert.seq for alert in session.hands[-1].alerts if alert.in_turn})
        return [(event, number) for event, number in entries if not isinstance(event, BidMade)]

    def happen(self, hand: "FrenchHand") -> None:
        hand.name_contract(self.contract, self.taker)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class CardCalled(SaidBefore):
    """With five players the taker called a card, mostly a king; who has it is his partner (FT-5-1, FT-5-2)."""

    card: str

    form: ClassVar = {"call": a_word_of(CALLABLE)}
    stage = 3
    may_name = CALLABLE

    def happen(self, hand: "FrenchHand") -> None:
        hand.call_card(self.card)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class DogTurned(SaidBefore):
    """The cards of the dog, turned up for all to see, which the taker then took (FT-DOG-1)."""

    cards: tuple[str, ...]

    form: ClassVar = {"dog": some_cards}
    stage = 4

    def happen(self, hand: "FrenchHand") -> None:
        hand.turn_dog(self.cards)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class LaidFaceUp(SaidBefore):
    """The cards that the taker laid face up (FT-DOG-4); none says that there were none."""

    cards: tuple[str, ...]

    form: ClassVar = {"discard": some_cards}
    stage = 5

    def happen(self, hand: "FrenchHand") -> None:
        hand.lay_face_up(self.cards)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class LaidFaceDown(SaidBefore):
    """The cards that the taker laid face down, as he entered them for himself; live only.

    Nothing is judged by it before the end: then they are the cards never played, or a card was entered wrongly.
    """

    player: str
    cards: tuple[str, ...]

    stage = 6
    secret = True

    def happen(self, hand: "FrenchHand") -> None:
        hand.lay_face_down(self.player, self.cards)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class SlamAnnounced(SaidBefore):
    """The taker announced a slam (FT-SLAM-1)."""

    player: str

    form: ClassVar = {"slam": a_player}
    stage = 5

    def happen(self, hand: "FrenchHand") -> None:
        hand.announce_slam(self.player)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class HandfulShown(Event):
    """A player showed these trumps, the Excuse among them or not (FT-HANDFUL-1).

    Live, `in_time` says that it was before he played his first card, whenever it is entered; else it was now.
    """

    player: str
    cards: tuple[str, ...]
    in_time: bool = False

    form: ClassVar = {"handful": a_player, "cards": some_cards}
    may_name = PACK.names(TRUMPS | EXCUSE_BIT)
    of_hand = True
    of_play = True
    gives_way = True

    def rewritten(self, session: "FrenchSession", seq: int) -> Entries | None:
        """Live, it takes the place of what he was said to have shown before, and may come before his first card."""
        if session.strict:
            return None
        entries = session.hands[-1].entered
        others = [
            (event, number)
            for event, number in entries
            if not (isinstance(event, HandfulShown) and event.player == self.player)
        ]
        first = next(
            (
                place
                for place, (event, _) in enumerate(others)
                if self.in_time and isinstance(event, CardPlayed) and event.player == self.player
            ),
            len(others),
        )
        if first == len(others) == len(entries):
            return None
        return [*others[:first], (self, seq), *others[first:]]

    def apply(self, session: "FrenchSession", seq: int) -> None:
        session.hands[-1].show_handful(self.player, self.cards)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Redealt(DealtAgain):
    """After a `misdeal` of the dealer, or of the player `by`, the same dealer deals again (FT-DEAL-4).

    Or `player` had the `petit_sec`: the deal is void (FT-DEAL-5).
    """

    reason: str
    by: str | None = None
    player: str | None = None

    keys = ("by", "player")

    @classmethod
    def from_json(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        reason = item["redeal"].one_of(("misdeal", "petit_sec"))
        if reason == "misdeal":
            item.object({"redeal", "by"})
            return cls(reason, item["by"].player(seats) if "by" in item else None)
        item.object({"redeal", "player"})
        return cls(reason, player=item["player"].player(seats))

    def to_json(self) -> dict[str, Any]:
        said = {"redeal": self.reason, "by": self.by, "player": self.player}
        return {key: value for key, value in said.items() if value is not None}

    def rewritten(self, session: "FrenchSession", seq: int) -> Entries | None:
        """Live, a handful shown before contract and call were known gives way: nobody can say them any more."""
        hand = session.hands[-1]
        if session.strict or hand.what_is_missing() is None or not hand.handfuls:
            return None
        begins = self.begins(hand.entries)
        said = [one for one in hand.entries[begins:] if not isinstance(one[0], HandfulShown)]
        return [*hand.entries[:begins], *said, (self, seq)]

    def apply(self, session: "FrenchSession", seq: int) -> None:
        hand = session.hands[-1]
        if self.reason == "misdeal":
            hand.deal_again(self.by or hand.dealer)
        else:
            hand.call_petit_sec(self.player or "")


@EVENTS.add
@dataclass(frozen=True, slots=True)
class DealAnnulled(Event):
    """The table annulled the deal, for a reason in words (FT-REN-4). `findings` as in `HandAbandoned`."""

    reason: str
    findings: tuple[str, ...] = ()

    form: ClassVar = {"annul": a_text}
    of_hand = True

    def apply(self, session: "FrenchSession", seq: int) -> None:
        session.hands[-1].annul(self.reason)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class CardsAwarded(Event):
    """The table let cards count for the side `to` instead of the other one, for a reason in words (FT-REN-4)."""

    cards: tuple[str, ...]
    to: str
    reason: str

    form: ClassVar = {"award": some_cards, "to": a_word_of(COUNTING_SIDES), "reason": a_text}
    of_hand = True

    def apply(self, session: "FrenchSession", seq: int) -> None:
        session.hands[-1].award(self.cards, self.to, self.reason)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class PenaltyBooked(Event):
    """The table took points off the total of one player (FT-REN-8): as many as the tables agreed, unless given.

    `hand` is the number of the deal, from 1, that it is for, where it is an earlier one. `finding` is the name of the
    finding (`Finding.name`) that he is penalised for, if for one.
    """

    player: str
    points: int | None = None
    reason: str = ""
    hand: int | None = None
    finding: str = ""

    form: ClassVar = {"renonce": a_player}
    may_have: ClassVar = {"points": an_amount, "reason": a_text, "hand": a_number}
    of_hand = True
    moves_chips = True

    def apply(self, session: "FrenchSession", seq: int) -> None:
        session.penalise(self, seq)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Adjusted(PointsAdjusted):
    """Points were added to one player's total, or taken from it, for a reason in words (FT-REN-9)."""


SPOKEN: Final = (BidMade, ContractNamed, CardCalled, SlamAnnounced)
"""What people say before the play."""
