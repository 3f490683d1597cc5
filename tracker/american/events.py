"""The events that only American Tarock has."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from tracker.adjusting import PointsAdjusted, an_amount
from tracker.american.contracts import ANNOUNCED, BIDS, CONTRACTS
from tracker.american.pack import CALLABLE_KINGS, TRULA
from tracker.events import COMMON, DealtAgain, Entries, Event, Kinds
from tracker.reader import a_card, a_number, a_player, a_text, a_word_of, some_cards
from tracker.said_before import SaidBefore

if TYPE_CHECKING:
    from tracker.american.hand import AmericanHand
    from tracker.american.session import AmericanSession

EVENTS: Final = Kinds(COMMON)
"""The kinds of event of American Tarock."""
CALLS: Final = (*CALLABLE_KINGS, "fourth", *TRULA)
"""What can be called: the king of a suit, "the fourth king", or a card of the Trula."""
REDEALT_FOR: Final = ("misdeal", "no_tarocks")
# The `stage` of what is said before the play: bids, game, call, Talon, group, then what is laid and announced.


@EVENTS.add
@dataclass(frozen=True, slots=True)
class BidMade(SaidBefore):
    """A player bid `game`, or passed (AT-BID-1)."""

    player: str
    game: str

    form: ClassVar = {"bid": a_player, "game": a_word_of(BIDS)}
    beside_result = True
    stage = 1
    said_once = False
    said_in_turn = True

    def rewritten(self, session: "AmericanSession", seq: int) -> Entries | None:
        """A bid after the game is known is refused: all that was entered after the bid would give way."""
        return None if session.hands[-1].bidding.bidder is None else SaidBefore.rewritten(self, session, seq)

    def happen(self, hand: "AmericanHand") -> None:
        hand.bid(self.player, self.game)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class ContractNamed(SaidBefore):
    """The game that is played (AT-BID-3), and by whom where no bids were recorded (AT-BID-5)."""

    game: str
    declarer: str | None = None

    form: ClassVar = {"contract": a_word_of(tuple(CONTRACTS))}
    may_have: ClassVar = {"declarer": a_player}
    beside_result = True
    stage = 2

    def rewritten(self, session: "AmericanSession", seq: int) -> Entries | None:
        """Live, it replaces bids that contradict it, and bids that are not all there (AT-BID-5)."""
        entries, bidding = SaidBefore.rewritten(self, session, seq), session.hands[-1].bidding
        if entries is None or (bidding.is_over and bidding.agrees_with(self.game, self.declarer)):
            return entries
        session.drop_alerts({alert.seq for alert in session.hands[-1].alerts if alert.in_turn})
        return [(event, number) for event, number in entries if not isinstance(event, BidMade)]

    def happen(self, hand: "AmericanHand") -> None:
        hand.name_contract(self.game, self.declarer)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class PartnerCalled(SaidBefore):
    """The declarer called: the king of a suit (its letter), "fourth", or a card of the Trula (AT-CALL)."""

    call: str

    form: ClassVar = {"call": a_word_of(CALLS)}
    stage = 3

    def happen(self, hand: "AmericanHand") -> None:
        hand.make_call(self.call)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class TalonTurned(SaidBefore):
    """The six cards of the Talon, face up in the order dealt (AT-TALON-1)."""

    cards: tuple[str, ...]

    form: ClassVar = {"talon": some_cards}
    stage = 4

    def happen(self, hand: "AmericanHand") -> None:
        hand.turn_talon(self.cards)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class GroupTaken(SaidBefore):
    """The declarer took a group of the Talon, numbered from 0."""

    group: int

    form: ClassVar = {"take": a_number}
    stage = 5

    def happen(self, hand: "AmericanHand") -> None:
        hand.take_group(self.group)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class LaidFaceUp(SaidBefore):
    """The cards that the declarer laid face up (AT-TALON-7); none says that there were none."""

    cards: tuple[str, ...]

    form: ClassVar = {"discard": some_cards}
    stage = 6

    def happen(self, hand: "AmericanHand") -> None:
        hand.lay_face_up(self.cards)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class BonusAnnounced(SaidBefore):
    """A player announced a bonus for his side (AT-ANN-1, AT-ANN-6)."""

    player: str
    bonus: str

    form: ClassVar = {"announce": a_player, "bonus": a_word_of(ANNOUNCED)}
    stage = 6
    said_once = False

    def happen(self, hand: "AmericanHand") -> None:
        hand.announce(self.player, self.bonus)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class GameRaised(SaidBefore):
    """The declarer of a solo game raised it to Colour Valat (AT-ANN-5)."""

    game: str = "colour_valat"

    form: ClassVar = {"raise": a_word_of(("colour_valat",))}
    stage = 7

    def happen(self, hand: "AmericanHand") -> None:
        hand.raise_game()


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Redealt(DealtAgain):
    """The same dealer deals again: after a `misdeal` (AT-DEAL-6), or a hand with `no_tarocks` (AT-DEAL-5).

    `late`: it was remembered once a card was played, and that card was dealt after it. Live only.
    """

    reason: str
    late: bool = False

    form: ClassVar = {"redeal": a_word_of(REDEALT_FOR)}

    @property
    def was_late(self) -> bool:
        """As it says."""
        return self.late

    def rewritten(self, session: "AmericanSession", seq: int) -> Entries | None:
        """A late one comes before all that was said and played in the deal that is played."""
        if not self.late:
            return None
        entries: Entries = session.hands[-1].entered
        begins = self.begins(entries)
        return [*entries[:begins], (self, seq), *entries[begins:]]

    def apply(self, session: "AmericanSession", seq: int) -> None:
        hand = session.hands[-1]
        hand.redeal(self.reason, session.asterisks[hand.dealer] + 1)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class SkeenchCalled(SaidBefore):
    """The dealer called Skeench-a-tola: whoever ends up with the Skeench will be the last dealer (AT-END-1)."""

    player: str

    form: ClassVar = {"skeench_a_tola": a_player}
    beside_result = True

    def happen(self, hand: "AmericanHand") -> None:
        hand.call_skeench(self.player)


class AfterTrick(Event):
    """An event of the current hand that is shown after a trick and before the next lead."""

    __slots__ = ()
    of_hand = True
    gives_way = True

    def trick_before(self) -> int | None:
        """The number of the trick that the event comes after. None means the last complete one."""
        raise NotImplementedError

    def rewritten(self, session: "AmericanSession", seq: int) -> Entries | None:
        """In a live session, the event follows its trick and replaces what was entered there before."""
        if session.strict:
            return None
        hand = session.hands[-1]
        if self.trick_before() is None and hand.trick is not None:
            return None  # it belongs to the trick on the table, and what belongs to an earlier one stays
        number = self.trick_before() or sum(trick.winner is not None for trick in hand.tricks)
        last = next((trick.last for trick in hand.tricks if trick.number == number and trick.winner), None)
        if last is None:
            return None
        end = 1 + next(at for at, (_, other) in enumerate(hand.entered) if other == last)
        lead = next((at for at in range(end, len(hand.entered)) if hand.entered[at][0].of_play), None)
        before_lead = [one for one in hand.entered[end:lead] if type(one[0]) is not type(self)]
        after = [] if lead is None else hand.entered[lead:]
        return [*hand.entered[:end], (self, seq), *before_lead, *after]


@EVENTS.add
@dataclass(frozen=True, slots=True)
class VitaminTurned(AfterTrick):
    """The top card of the Talon was turned up and goes with the trick just won (AT-KLOP-2).

    `trick` is that trick's number, None the last one; live, a vitamin may be entered later.
    """

    card: str
    trick: int | None = None

    form: ClassVar = {"vitamin": a_card}

    def apply(self, session: "AmericanSession", seq: int) -> None:
        session.hands[-1].turn_vitamin(self.card, self.trick)

    def trick_before(self) -> int | None:
        """The number of the trick that the vitamin goes with."""
        return self.trick

    @property
    def lies_with(self) -> int | None:
        """AT-KLOP-2: it goes with the trick just won."""
        return self.trick


@EVENTS.add
@dataclass(frozen=True, slots=True)
class HandLaidOpen(AfterTrick):
    """The declarer of an Open Barach laid his hand open after the first trick (AT-HIGH-4)."""

    cards: tuple[str, ...]

    form: ClassVar = {"open": some_cards}

    def apply(self, session: "AmericanSession", seq: int) -> None:
        session.hands[-1].lay_open(self.cards)

    def trick_before(self) -> int | None:
        """The first."""
        return 1


@EVENTS.add
@dataclass(frozen=True, slots=True)
class RenonceBooked(Event):
    """The table fined a player for breaking a rule (AT-REN-1); the amount is the proposal of AT-REN-2 unless given.

    `hand` is the number of the hand, from 1, in which he broke it, where it is an earlier one (AT-REN-4).
    `finding` is the name of the finding (`Finding.name`) that he is fined for, if for one.
    """

    player: str
    amount: int | None = None
    reason: str = ""
    hand: int | None = None
    finding: str = ""

    form: ClassVar = {"renonce": a_player}
    may_have: ClassVar = {"amount": an_amount, "reason": a_text, "hand": a_number}
    of_hand = True
    moves_chips = True

    def apply(self, session: "AmericanSession", seq: int) -> None:
        session.book_renonce(self, seq)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Adjusted(PointsAdjusted):
    """Points were added to one player's score, or taken from it, for a reason in words (AT-REN-5)."""


SPOKEN: Final = (BidMade, ContractNamed, PartnerCalled, BonusAnnounced, GameRaised, SkeenchCalled)
"""What people say before the play."""
