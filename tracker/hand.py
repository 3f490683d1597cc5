"""What every game's hand has: players, payments, entries, and plays taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, Unpack

from tracker.by_result import ByResult
from tracker.errors import EventError
from tracker.events import CardPlayed, Entries
from tracker.findings import Alert, Finding
from tracker.ledger import About, Ledger, Payment
from tracker.pack import Pack
from tracker.tricks import Trick, TrickPlay

F = TypeVar("F", bound=Finding)


class Gap(NamedTuple):
    """A time that nobody watched, stored as event `seq` (Unwatched). Plays may be missing from trick `trick` on."""

    seq: int
    trick: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Who plays the hand `number` of an evening, from 1.

    `active` are the players in order of play, `sits_out` those who are seated and do not play, `seats` all of them.
    `orders` has for each of them who would play, in order, if he had dealt.
    """

    number: int
    dealer: str
    active: tuple[str, ...]
    sits_out: tuple[str, ...]
    next_dealer: str
    seats: tuple[str, ...]
    orders: Mapping[str, tuple[str, ...]]


class Hand(TrickPlay):
    """The fold of one hand. Read its attributes; only events change it.

    A method that carries out an event raises EventError if the event cannot have happened.

    - `active`: the players in order of play. `seats`: all who sat at the table.
    - `started`: the number of the event that began it. `dealer_is_sure`: people have said who dealt.
      `dealer_is_supposed`: this is the hand as it would be if another one had dealt, of whom people are asked.
    - `came`: who played, by the numbers of the plays, in order; plays that cannot have happened are among them.
    - `entered`: its events in order. Those numbered in `idle` gave way to another one (`Event.gives_way`). They count
      again once they fit.
    - `alerts`: what cannot have happened as it was booked. `out_of_step`: the number of the one since which a card
      seems to be missing. It is None again once a complete trick is taken.
    - `gaps`: the unwatched times that nobody has settled yet.
    - `fines`: the events that fined somebody for this hand, then or later, by their numbers.
    - `by_result`: nobody names its cards. `result`: what was entered instead; None before.
    """

    dealer_is_supposed = False
    void: str | None = None
    """Why the deal is void, in a game that has void deals; None where it counts. A void deal is `abandoned`, too."""

    def __init__(self, deal: Deal, pack: Pack, ledger: Ledger) -> None:
        self.started = 0
        self.dealer_is_sure = False
        self.came: dict[int, str] = {}
        self._orders = deal.orders
        self.number = deal.number
        self.dealer = deal.dealer
        self.sits_out = deal.sits_out
        self.next_dealer = deal.next_dealer
        self.seats = deal.seats
        self.ledger = ledger
        self.payments: list[Payment] = []
        self.fines: dict[int, Any] = {}
        self.alerts: list[Alert] = []
        self.out_of_step: int | None = None
        self.entered: Entries = []
        self.idle: set[int] = set()
        self.by_result = False
        super().__init__(pack, deal.active)

    def start_play(self) -> None:
        """Begin a new deal: reset all that a redeal wipes out."""
        super().start_play()
        self.gaps: list[Gap] = []
        self.result: ByResult | None = None
        self.entered, self.idle = self.entries, set()

    @property
    def entries(self) -> Entries:
        """The events that count, in order."""
        return [one for one in self.entered if one[1] not in self.idle] if self.idle else self.entered

    def written(self) -> Entries:
        """The events from which a session file brings the hand back, in order."""
        return self.entries

    @property
    def may_be_dealt_again(self) -> bool:
        """Whether the same dealer may deal again: no card has been played."""
        return not (self.tricks or self.complete or self.abandoned)

    @property
    def taken_early(self) -> int | None:
        """The number of the event that says that the trick on the table was taken, incomplete as it is; or None."""
        early = {alert.trick: alert.seq for alert in self.alerts if alert.kind == "trick_taken_early"}
        return early.get(self.trick.number) if self.trick is not None else None

    @property
    def findings(self) -> Sequence[Finding]:
        """Every finding so far, in order of discovery; the game says which."""
        raise NotImplementedError

    def trick_of(self, rule: str) -> int | None:
        """The trick that a payment by `rule`, made now, belongs to."""
        return None

    def kept_cards(self, trick: int) -> frozenset[str]:
        """The cards that in trick number `trick` go to the pile of the player who plays them, not to the taker's."""
        return frozenset()

    @property
    def thrown_cards(self) -> frozenset[str]:
        """The cards that are thrown open onto the newest trick, go with it, and are no plays."""
        return frozenset()

    @property
    def open_hands(self) -> dict[str, list[str]]:
        """The cards that players laid open and still hold."""
        return {}

    @property
    def eldest_leads(self) -> bool:
        """Whether the first of `active` leads to the first trick, so that the first lead shows who dealt."""
        return True

    def is_of_one_who_sits_out(self, alert: Alert) -> bool:
        """Whether `alert` is about something that a player did who sits out, so that perhaps another player dealt."""
        return alert.kind == "impossible_event" and alert.player in self.sits_out

    @property
    def dealer_shown(self) -> str | None:
        """`dealer_by_first_trick` while people are asked about him; None once they have said who dealt."""
        return None if self.dealer_is_sure else self.dealer_by_first_trick

    @property
    def turn_in_doubt(self) -> bool:
        """Whether people are asked who dealt, and so who sits out, so that nobody knows who is to play."""
        return bool(self.sits_out) and self.dealer_shown is not None

    @property
    def dealer_in_doubt(self) -> bool:
        """Whether people are asked who dealt, so that nobody is flagged meanwhile."""
        return self.dealer_is_supposed or self.dealer_shown is not None

    @property
    def dealer_by_first_trick(self) -> str | None:
        """Another dealer than the one booked, if the first trick was in order by his deal.

        The deal says who plays and who leads (TABLE-2 and TABLE-5, T59-TABLE-4). None where the booked dealer fits, or
        where all fail to fit.
        """
        if self.by_result or self.void or not self.eldest_leads:
            return None
        first = tuple(self.came.values())[: len(self.active)]
        if first == self.active or 1 in self.unseen_tricks:
            return None
        fitting = [name for name, order in self._orders.items() if order == first]
        return fitting[0] if len(fitting) == 1 else None

    @property
    def awaits_word(self) -> bool:
        """Whether people must say something, such as the contract, before a card on the table can be understood."""
        return False

    def not_ready(self) -> EventError | None:
        """The error that says what is unknown and must be known before a card is played; None where nothing is."""
        return None

    @property
    def unsaid(self) -> Trick | None:
        """The first trick whose suit led was said aloud and is not entered, so that its winner is not sure."""
        return None

    @property
    def cards_stay(self) -> bool:
        """Whether the cards of every trick stay on the table, before the players who played them."""
        return False

    def pay(
        self, rule: str, reason: str, source: str, target: str, amount: int, **about: Unpack[About]
    ) -> None:
        """Book a payment in this hand; an amount of 0 is no payment."""
        if amount:
            payment = Payment(rule, reason, source, target, amount, self.number, self.trick_of(rule), **about)
            self.ledger.book(payment, self.payments)

    def note_gap(self, seq: int) -> None:
        """Plays may be missing from the trick on the table on, or else from the next one. Raises EventError."""
        if self.takes_no_cards:
            raise EventError("no hand is under way")
        self.gaps.append(Gap(seq, len(self.tricks) if self.trick else len(self.tricks) + 1))

    def close_gaps(self) -> None:
        """The hand is complete: all its cards were seen, so none is missing unless one of them is in question."""
        if not any(play.alternatives for play in self.plays) and not any(alert.card for alert in self.alerts):
            self.gaps.clear()

    def abandon(self) -> None:
        """Play is given up; payments made stand (FINE-2). What was decided before that counts, though.

        Raises EventError if the hand is over.
        """
        if self.complete and not self.may_be_played_on:
            raise EventError("the hand is over")
        self.abandoned = not self.complete

    def enter_result(self, result: ByResult) -> None:
        """The hand is over, and settled by its `result`. Raises EventError, with nothing paid, if it cannot be."""
        self.settle(result)
        self.result = result
        self.by_result = self.complete = True

    def settle(self, result: Any) -> None:
        """Pay what the hand came to by `result`, the game's own kind. Raises EventError before anything is paid."""
        raise NotImplementedError

    def remember(self, before: "Hand") -> None:
        """Before the entries of `before` are replayed: take over what the replay does not bring back."""
        self.alerts, self.out_of_step = before.alerts, before.out_of_step
        self.by_result = before.by_result
        self.started, self.dealer_is_sure, self.came = before.started, before.dealer_is_sure, before.came

    def resume(self, before: "Hand") -> None:
        """After the entries of `before`, some of them changed, were replayed."""

    def last_plays(self, count: int) -> tuple[int, ...]:
        """The numbers of the last `count` plays."""
        return tuple(play.seq for play in self.plays[-count:])

    def taken_back(self, count: int) -> Entries:
        """The entries without the last `count` plays. Raises EventError if there are fewer."""
        if count < 1:
            raise EventError("{count} plays cannot be taken back", count=count)
        if count > len(self.plays):
            raise EventError(
                "{count} plays cannot be taken back: there are only {standing}",
                count=count,
                standing=len(self.plays),
            )
        closed = [trick.closed_by for trick in self.tricks if trick.closed_by is not None]
        if closed and count > sum(play.number > self._plays_before(closed[-1]) for play in self.plays):
            raise EventError("plays before a trick that was not seen cannot be taken back")
        withdrawn = {play.seq for play in self.plays[-count:]}
        return [
            (event, seq)
            for event, seq in self.entered
            if not (isinstance(event, CardPlayed) and seq in withdrawn)
        ]

    def _plays_before(self, seq: int) -> int:
        """How many plays of the hand come before the event numbered `seq`."""
        place = next(place for place, (_, number) in enumerate(self.entries) if number == seq)
        return sum(isinstance(event, CardPlayed) for event, _ in self.entries[:place])

    def seen_for_sure(self, findings: list[F]) -> list[F]:
        """Those of `findings` that no unknown card can refute. Nobody is flagged by what was not seen.

        What was known before the first trick with unknown cards stands. A later finding stands if a denied card was
        played after all, and both tricks were seen whole. A denial of other cards than the suit led may rest on earlier
        plays. It must lie before the first trick with unknown cards.
        """
        if not self.unseen_tricks:
            return findings
        first, unseen = min(self.unseen_tricks), {*self.unseen_tricks}
        return [
            one
            for one in findings
            if one.known_at is None
            or one.known_at[0] < first
            or (
                one.status == "shown"
                and bool(one.evidence_tricks)
                and not unseen & {one.trick, *one.evidence_tricks}
                and (one.kind == "revoke" or (one.trick or 0) < first)
            )
        ]

    def must_not_be_abandoned(self) -> None:
        """Raise EventError if play was given up."""
        if self.abandoned:
            raise EventError("the hand was abandoned")

    def must_be_before_play(self) -> None:
        """Raise EventError unless the hand may still be dealt again: no card was played, and it was not given up."""
        self.must_not_be_abandoned()
        if self.tricks:
            raise EventError("a hand cannot be dealt again once a card is played")

    def must_be_active(self, player: str) -> None:
        """Raise EventError unless `player` plays this hand, and it is not over."""
        if player not in self._local:
            raise self.not_playing(player)
        self.must_not_be_abandoned()
        if self.complete:
            raise EventError("the hand is over")

    def unplayable(self, player: str, card: str) -> EventError:
        """The error for a card that cannot have been played. In a hand that is known by its result no card can."""
        if self.result is not None:
            return EventError(
                "{card} cannot be played: the hand was entered by its result", "hand_is_over", card=card
            )
        return super().unplayable(player, card)

    def not_playing(self, player: str) -> EventError:
        """The error for a `player` who does not play in this hand."""
        if player in self.seats:
            return EventError("{player} sits this hand out", player=player)
        return super().not_playing(player)
