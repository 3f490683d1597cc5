"""An evening of any game: the fold of its events into hands, balances and pots.

`Session.apply` takes in one more event, in time proportional to that event. A correction folds the whole record
again. `Session.replay` folds only the newest hand where the hands before it are known and still stand. Events never
change.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from tracker.by_result import ByResult
from tracker.errors import EarlierCardsError, EventError, TarokError
from tracker.events import (
    COMMON,
    CardPlayed,
    Entries,
    Event,
    FindingPassed,
    HandStarted,
    Kinds,
    PlayerJoined,
    PlayerRenamed,
    Recorded,
    SessionOpened,
    TrickUnseen,
)
from tracker.findings import Alert
from tracker.hand import Deal, Hand
from tracker.ledger import Ledger, Payment
from tracker.pack import Pack
from tracker.record import corrected
from tracker.renaming import named_now
from tracker.rule_sets import RuleError, Rules, with_options
from tracker.seat_change import SeatChange

_WRONG_TAKER: Final = "trick_taken_by_wrong_player"

H = TypeVar("H", bound=Hand)
R = TypeVar("R", bound=Rules)


def check_names(seats: Sequence[str], pots: Sequence[str]) -> None:
    """Raise TarokError unless `seats` are different names, none of them a pot's."""
    for player in seats:
        if not player.strip():
            raise TarokError("a player needs a name")
        if player in pots:
            raise TarokError("a player cannot be called {player!r}: that is a pot", player=player)
    if len(set(seats)) != len(seats):
        twice = next(player for player in seats if seats.count(player) > 1)
        raise TarokError("{player} is seated twice", player=twice)


@dataclass(frozen=True)
class _Settled:
    """An evening before one of its hands was dealt: its first `hands`, which no later event changes.

    `events` are those that stood until then, and the deal; `state` is what came of them, without the deal.
    """

    events: list[tuple[int, Event]]
    hands: int
    state: dict[str, Any]

    def stands_in(self, events: list[tuple[int, Event]]) -> bool:
        """Whether an evening of these `events` began so, and nothing in it is about one of these hands."""
        later = events[len(self.events) :]
        about = (getattr(event, "hand", None) for _, event in later)
        return events[: len(self.events)] == self.events and all(
            hand is None or hand > self.hands for hand in about
        )


def _copied(state: Mapping[str, Any]) -> dict[str, Any]:
    """What events change in a session; the hands themselves are not copied."""
    return {
        name: deepcopy(value) if isinstance(value, Ledger) else [*value] if isinstance(value, list) else value
        for name, value in state.items()
        if name not in ("_record", "_settled")
    }


def _newest_deal(events: list[tuple[int, Event]]) -> int:
    """The place of the newest deal before which no later one of `events` changes anything; 0 if there is none."""
    deals = oldest = sum(isinstance(event, HandStarted) for _, event in events)
    for place in reversed(range(len(events))):
        event = events[place][1]
        oldest = min(oldest, getattr(event, "hand", None) or oldest)
        if isinstance(event, HandStarted):
            if deals <= oldest:
                return place
            deals -= 1
    return 0


class Session(Generic[H, R]):
    """The evening so far: `seats`, `rules`, `balances`, `pots`, `hands`, `hand` (the current), `closed`.

    `by_result`: the hands to come are entered by their results.
    `seat_changes` are the joinings and leavings between the hands. A game is a subclass: it names its pack, rule sets,
    `players` and `hand_kind`. Where it has them it also names its events and pots, and says what dealing, joining,
    leaving and closing cost.

    `opened` names the rules. A club's own set is given as `rules`; then `opened.rules` is only its name. In a live
    session (the default) an event that cannot happen becomes an alert and does not count. In a `strict` one, as
    for session files, it raises EventError. Raises TarokError for impossible seats.
    """

    kinds: ClassVar[Kinds] = COMMON
    pack: ClassVar[Pack]
    pot_names: ClassVar[tuple[str, ...]] = ()
    rule_sets: ClassVar[Mapping[str, Any]]
    players: ClassVar[tuple[int, int]]
    """The fewest and the most who sit down."""
    hand_kind: ClassVar[type[Any]] = Hand
    """The class of its hands, unless it deals them itself (`deal`)."""
    names_game: ClassVar[bool] = False
    """Whether people name a game before the play of each hand, so that no card that is seen begins one."""
    keeps_chips: ClassVar[bool] = True
    """Whether chips are kept, which sum to 0; else points on a score sheet."""

    def __init__(self, opened: SessionOpened, *, rules: R | None = None, strict: bool = False) -> None:
        self.opened = opened
        self.rules = rules if rules is not None else with_options(self.rule_set(opened.rules), opened.options)
        self.strict = strict
        self.check_seats(opened.seats, self.rules)
        self._record: list[Recorded | tuple[int, Event]] = [(1, opened)]
        self._start()

    @classmethod
    def replay(cls, events: Iterable[Recorded], since: Self | None = None) -> Self:
        """The live session of a stored record, corrections carried out.

        What was settled in `since`, an earlier replay, is not folded again if it still stands. The two sessions then
        share those hands, so neither may be changed any more.

        An event that cannot happen becomes an alert. Raises TarokError if the record does not begin with a valid
        SessionOpened.
        """
        record = named_now(events)
        if not record or not isinstance(record[0].event, SessionOpened):
            raise TarokError("the record does not begin with the opening of an evening")
        session = cls(record[0].event)
        session._record = [*record]
        session._refold(since._settled if since is not None and since.opened == session.opened else None)
        return session

    def _start(self) -> None:
        self.seats: tuple[str, ...] = self.opened.seats
        self.ledger = self.new_ledger()
        self.hands: list[H] = []
        self.closed = False
        self.alerts: list[Alert] = []
        self.seat_changes: list[SeatChange] = []
        self.by_result = False  # whether hands are entered by their results from now on
        self._reseated = False  # whether somebody joined or left since the last hand: it can no longer change
        self._heir: str | None = None  # who deals next if the last dealer has left
        self._before_hand: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._settled: _Settled | None = None

    @classmethod
    def rule_set(cls, name: str) -> R:
        """The game's rule set of that name. Raises RuleError."""
        rules: R | None = cls.rule_sets.get(name)
        if rules is None:
            raise RuleError(
                "unknown rule set {name!r}; there are {known}", name=name, known=", ".join(cls.rule_sets)
            )
        return rules

    # -- what a game says ----------------------------------------------------------------------------------

    def new_ledger(self) -> Ledger:
        """What is booked on, empty: chips and pots, unless the game keeps a score sheet."""
        return Ledger(self.seats, self.pot_names)

    @classmethod
    def check_seats(cls, seats: Sequence[str], rules: R) -> None:
        """Raise TarokError for seats with which no session can be played: too few or many, or names that are wrong."""
        fewest, most = cls.players[0], cls.most_players(rules)
        if not fewest <= len(seats) <= most:
            said = {"rules": rules.name, "most": most, "count": len(seats)}
            if fewest == most:
                raise TarokError("{rules} is for {most} players, not {count}", **said)
            raise TarokError("{rules} is for {fewest} to {most} players, not {count}", fewest=fewest, **said)
        check_names(seats, cls.pot_names)

    @classmethod
    def most_players(cls, rules: R) -> int:
        """How many can sit down by `rules`."""
        return cls.players[1]

    @classmethod
    def plays_in_hand(cls, rules: R, players: int) -> int:
        """How many cards are played in a whole hand when so many `players` sit at the table: here even shares."""
        return len(cls.pack.cards) // players * players

    @classmethod
    def cards_in_trick(cls, rules: R, players: int) -> int:
        """How many cards are played to a trick when so many `players` sit at the table: here one by each."""
        return players

    def deal(self, dealer: str, number: int) -> H:
        """Deal the hand `number` and book what dealing costs: here nothing. Raises EventError if none can be dealt."""
        hand: H = self.hand_kind(self.dealt(dealer, number), self.pack, self.ledger)
        return hand

    def dealt(self, dealer: str, number: int) -> Deal:
        """Who plays the hand `number` where `dealer` deals it; the next seat deals the next one."""
        ring, active = self.ring(dealer), self.order_of_play(dealer)
        sits_out = tuple(name for name in ring if name not in active)
        orders = {name: self.order_of_play(name) for name in self.seats}
        return Deal(number, dealer, active, sits_out, ring[1], self.seats, orders)

    def check_leaving(self, player: str) -> None:
        """Raise EventError if too few would stay."""
        if len(self.seats) == self.players[0]:
            raise EventError(
                "{player} cannot leave: {count} or more must stay", player=player, count=self.players[0]
            )

    def pay_joining(self, change: SeatChange, others: int) -> None:
        """Book what the player of `change` pays for joining so many `others`: here nothing."""

    def pay_leaving(self, change: SeatChange, seated: int) -> None:
        """Book what the player of `change` gets, who was one of so many `seated`: here nothing."""

    def pay_closing(self, part: H | SeatChange, seats: Sequence[str]) -> None:
        """Book in `part`, the last of the evening, what is paid at its end: here nothing. `seats[0]` deals next."""

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def hand(self) -> H | None:
        """The current hand, which may be over; None before the first."""
        return self.hands[-1] if self.hands else None

    @property
    def now(self) -> H | SeatChange:
        """The part of the evening that a payment made now belongs to."""
        return self.seat_changes[-1] if self._reseated else self.hands[-1]

    @property
    def under_way(self) -> bool:
        """Whether a hand was dealt and is not over."""
        return bool(self.hands) and not (self.hands[-1].complete or self.hands[-1].abandoned)

    @property
    def over(self) -> bool:
        """Whether the rules of the game allow no further hand."""
        return False

    @property
    def balances(self) -> dict[str, int]:
        """Each player's chips against the start of the evening."""
        return self.ledger.balances

    @property
    def pots(self) -> dict[str, int]:
        """The content of each pot, in chips."""
        return self.ledger.pots

    @property
    def payments(self) -> list[Payment]:
        """Every payment of the evening in order."""
        return [payment for part in self.parts for payment in part.payments]

    @property
    def parts(self) -> list[H | SeatChange]:
        """The hands and the changes of seats, in order."""
        parts: list[H | SeatChange] = [*self.hands, *self.seat_changes]
        return sorted(parts, key=lambda part: (part.number, isinstance(part, SeatChange)))

    @property
    def record(self) -> tuple[Recorded, ...]:
        """Every event applied so far, corrections too."""
        return tuple(Recorded(*item) for item in self._record)

    @property
    def standing(self) -> list[tuple[int, Event]]:
        """The events, each with its number, as they are after all corrections."""
        return corrected(self._record)[0]

    @property
    def next_dealer(self) -> str:
        """Who deals the next hand (TABLE-3).

        PAY-10 ruling: "the deal goes on round the new seats: the next dealer is the next seat after the last
        dealer that is taken".
        """
        if self._heir is not None:
            return self._heir
        return self._next_to(self.hands[-1].dealer) if self.hands else self.seats[0]

    def ring(self, player: str) -> tuple[str, ...]:
        """The seats counter-clockwise from `player` on."""
        place = self.seats.index(player)
        return self.seats[place:] + self.seats[:place]

    def order_of_play(self, dealer: str) -> tuple[str, ...]:
        """Who plays a hand that `dealer` deals, the leader first: here all seated, the dealer last."""
        return (*self.ring(dealer)[1:], dealer)

    def _next_to(self, player: str) -> str:
        return self.ring(player)[1]

    # -- folding -------------------------------------------------------------------------------------------

    def apply(self, event: Event, seq: int | None = None) -> None:
        """Take in one more event; `seq` is its number in the store (default: one more than the last).

        Raises EventError in a strict session for an event that cannot happen then, and TarokError for a new name that
        somebody at the table has.
        """
        record = self._record
        number = record[-1][0] + 1 if seq is None else seq
        record.append((number, event))
        if isinstance(event, PlayerRenamed):
            self._rename()
        if event.corrects:
            self._refold()
        else:
            self._take(event, number)

    def _rename(self) -> None:
        """Give the record the names as they are now."""
        self._record = [*named_now(self.record)]
        opened = self._record[0][1]
        assert isinstance(opened, SessionOpened)
        self.check_seats(opened.seats, self.rules)
        self.opened = opened

    def _refold(self, settled: _Settled | None = None) -> None:
        """Fold the corrected record from its start, or from what is `settled` if that still stands."""
        self._start()
        events, complaints = corrected(self._record)
        begin = 0
        if settled is not None and settled.stands_in(events):
            vars(self).update(_copied(settled.state))
            begin = len(settled.events) - 1
        place = max(begin, _newest_deal(events))
        for seq, event in events[begin:place]:
            self._take(event, seq)
        before = _Settled(events[: place + 1], len(self.hands), _copied(vars(self)))
        for seq, event in events[place : place + 1]:
            self._take(event, seq)
        # Else no hand could be dealt, and what follows happens in the one before.
        self._settled = before if len(self.hands) > before.hands else None
        for seq, event in events[place + 1 :]:
            self._take(event, seq)
        for seq, complaint in complaints:
            self._alert(complaint, seq, None)

    def _take(self, event: Event, seq: int) -> None:
        try:
            if type(event) is CardPlayed:
                # Nearly every event of an evening is one of these.
                hand = (
                    self._open_hand() if self.closed or self._reseated or not self.hands else self.hands[-1]
                )
                if event.new_trick and (taken := hand.taken_early) is not None:
                    self._take(TrickUnseen(event.player), taken)
                if event.named is not None and hand.trick is not None and not self.strict:
                    event = replace(event, named=None)  # a card that was missed turned out to be the lead
                hand.came[seq] = event.player
                hand.play(event, seq)
                hand.entered.append((event, seq))
            elif self.closed:
                raise EventError("the evening is finished")
            elif not event.of_hand or (event.moves_chips and self._reseated and self.hands):
                event.apply(self, seq)
            else:
                hand = self._open_hand()
                if hand.result is not None and not event.moves_chips:
                    raise EventError("the hand was entered by its result")
                entries = event.rewritten(self, seq)
                if entries is None:
                    event.apply(self, seq)
                    hand.entered.append((event, seq))
                else:
                    self._replay_hand(entries, seq)
        except EventError as error:
            if self.strict:
                raise
            self._alert(error, seq, event)

    def _replay_hand(self, entries: Entries, newest: int) -> None:
        """Replay the current hand from `entries`, because something before its end has changed.

        An event that `gives_way` becomes idle if it no longer fits. Any other, and the one numbered `newest`, raises
        EventError instead; the hand is then as it was.
        """
        old, alerts = self.hands[-1], self.alerts
        chips = self.ledger.chips()
        try:
            self.ledger.restore(*self._before_hand)
            hand = self.hands[-1] = self.deal(old.dealer, old.number)
            hand.remember(old)
            for event, seq in entries:
                try:
                    event.apply(self, seq)
                except EventError:
                    if not event.gives_way or seq == newest:
                        raise
                    hand.idle.add(seq)
                hand.entered.append((event, seq))
            hand.resume(old)
        except Exception:
            self.hands[-1], self.alerts = old, alerts
            self.ledger.restore(*chips)
            raise

    def _open_hand(self) -> H:
        if self.closed:
            raise EventError("the evening is finished")
        if not self.hands:
            raise EventError("no hand was dealt")
        if self._reseated:
            raise EventError(
                "{who} joined or left after the last hand: deal the next one first",
                who=self.seat_changes[-1].player,
            )
        return self.hands[-1]

    # -- alerts --------------------------------------------------------------------------------------------

    def _alert(self, error: EventError, seq: int, event: Event | None) -> None:
        kind = error.kind
        if kind == "impossible_event" and event is not None:
            kind = "wrong_result" if isinstance(event, ByResult) else "misfit" if event.gives_way else kind
        alert = Alert(
            kind,
            seq,
            player=getattr(event, "player", None),
            card=getattr(event, "card", None),
            reason=error.reason,
            earlier=isinstance(error, EarlierCardsError),
            of_hand=event is None or event.of_hand,
            in_turn=event is not None and event.said_in_turn,
        )
        self._note(replace(alert, trick=len(self.hands[-1].tricks)) if alert.out_of_step else alert)

    def _note(self, alert: Alert) -> None:
        hand = self.hands[-1] if self.hands else None
        missing = hand is not None and (alert.out_of_step or hand.is_of_one_who_sits_out(alert))
        if hand is not None and (missing or alert.kind == _WRONG_TAKER):
            alert = replace(alert, follows=hand.out_of_step)
            if hand.out_of_step is None and missing:
                hand.out_of_step = alert.seq
        if hand is not None and alert.kind in ("hand_is_void", "misfit"):
            first = next((one.seq for one in hand.alerts if one.kind == alert.kind), None)
            alert = replace(alert, follows=first)
        self.alerts.append(alert)
        if hand is not None:
            hand.alerts.append(alert)

    def drop_alerts(self, about: Collection[int]) -> None:
        """The events numbered `about` no longer count, so nobody is asked about them."""

        def kept(alerts: list[Alert]) -> list[Alert]:
            return [
                replace(alert, follows=None) if alert.follows in about else alert
                for alert in alerts
                if alert.seq not in about
            ]

        self.alerts = kept(self.alerts)
        for hand in self.hands[-1:]:
            hand.alerts = kept(hand.alerts)

    # -- events of the evening -----------------------------------------------------------------------------

    def start_hand(self, dealer: str | None, seq: int, *, sure: bool = False) -> None:
        """A hand is dealt by `dealer`; None means the next in turn. The rest as in `HandStarted`. Raises EventError."""
        if dealer is None:
            dealer = self.next_dealer
        if dealer not in self.seats:
            raise EventError("{player} is not seated and cannot deal", player=dealer)
        before = self.ledger.chips()
        # Refused where the game is over: then nothing has changed.
        hand = self.deal(dealer, len(self.hands) + 1)
        hand.by_result = self.by_result
        hand.started, hand.dealer_is_sure = seq, sure or self.strict
        self._reseated = False
        self._heir = None
        self._before_hand = before
        self.hands.append(hand)

    def choose_result(self, *, on: bool, evening: bool) -> None:
        """Hands are entered by their results (`on`) or card by card: this one, and with `evening` all later ones.

        Raises EventError if it is about this one alone, and none is under way.
        """
        if evening:
            self.by_result = on
        elif not self.under_way:
            raise EventError("no hand is under way")
        if self.under_way:
            self.hands[-1].by_result = on

    def let_pass(self, event: FindingPassed, seq: int) -> None:
        """The table lets a breach pass; nothing is booked."""
        self.hand_to_fine(event.hand, event.player).fines[seq] = event

    def hand_to_fine(self, number: int | None, player: str) -> H:
        """The hand of that number (None: the current one), for which `player` is fined.

        Raises EventError if there is none, or he did not sit at the table then.
        """
        if number is None:
            number = len(self.hands)
        if not 1 <= number <= len(self.hands):
            raise EventError("there is no hand {number} to fine {player} in", number=number, player=player)
        hand = self.hands[number - 1]
        if player not in hand.seats:
            raise EventError(
                "{player} did not sit at the table in hand {number}", player=player, number=number
            )
        return hand

    def trick_taken(self, player: str, seq: int) -> None:
        """The camera saw the cards of a trick swept towards `player` (ORDER). Raises EventError if he does not play.

        After the last trick the hand is over, though a card of it was not seen.
        """
        if self._reseated and self.hands:
            return  # the cards of the last hand are gathered up
        hand = self._open_hand()
        if player not in hand.active:
            raise EventError("{player} does not play this hand", player=player)
        if hand.abandoned:
            return  # its cards are gathered up
        number = len(hand.tricks)
        if hand.trick is not None:
            self._note(Alert("trick_taken_early", seq, player=player, trick=number))
            if number == hand.cards_each:
                self._take(TrickUnseen(player), seq)
        elif hand.tricks and hand.tricks[-1].winner != player:
            winner = hand.tricks[-1].winner
            self._note(Alert(_WRONG_TAKER, seq, player=player, expected=winner, trick=number))
        else:
            hand.out_of_step = None

    def join(self, event: PlayerJoined) -> None:
        """A player sits down between two hands. Raises EventError."""
        self._must_be_between_hands(event.player)
        if event.after not in self.seats:
            raise EventError("{player} is not seated", player=event.after)
        place = self.seats.index(event.after) + 1
        seats = (*self.seats[:place], event.player, *self.seats[place:])
        try:
            self.check_seats(seats, self.rules)
        except TarokError as error:
            raise EventError(error.reason.sentence, **dict(error.reason.values)) from None
        change = self._reseat("join", event.player, seats)
        self.ledger.welcome(event.player)
        self.pay_joining(change, len(seats) - 1)

    def leave(self, player: str) -> None:
        """A player leaves between two hands. Raises EventError."""
        self._must_be_between_hands(player)
        if player not in self.seats:
            raise EventError("{player} is not seated", player=player)
        self.check_leaving(player)
        heir = self._next_to(player) if self._has_the_deal(player) else self._heir
        change = self._reseat("leave", player, tuple(seat for seat in self.seats if seat != player))
        self._heir = heir
        self.pay_leaving(change, len(self.seats) + 1)

    def _has_the_deal(self, player: str) -> bool:
        """Whether `player` dealt the last hand, or is to deal in place of the last dealer, who left."""
        if self._heir is not None:
            return player == self._heir
        return bool(self.hands) and player == self.hands[-1].dealer

    def _must_be_between_hands(self, player: str) -> None:
        # "Nobody joins or leaves during a hand."
        if self.under_way:
            raise EventError("{player} cannot join or leave during a hand", player=player)

    def _reseat(self, kind: str, player: str, seats: tuple[str, ...]) -> SeatChange:
        change = SeatChange(kind, player, len(self.hands), seats, self.ledger)
        self.seat_changes.append(change)
        self.seats = seats
        self._reseated = True
        return change

    def close(self) -> None:
        """The evening ends."""
        self.closed = True
        if self.hands:
            self.pay_closing(self.parts[-1], self.ring(self.next_dealer))
