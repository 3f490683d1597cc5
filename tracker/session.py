"""An evening: the fold of its events into hands, balances and pots.

`Session.apply` takes one more event in work proportional to that event. A correction, which changes what
happened before, folds the record again from its start; nothing ever mutates an event.
"""

from collections.abc import Iterable
from dataclasses import replace

from tracker.cards import FOOL
from tracker.errors import TarokError
from tracker.events import (
    CORRECTIONS,
    CardPlayed,
    DealerCorrected,
    Declared,
    Event,
    EventRetracted,
    Fined,
    FoolCalled,
    FoolNamed,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    Redealt,
    SessionClosed,
    SessionOpened,
    SkatShown,
    ToutAnnounced,
    TrickTaken,
    Unwatched,
)
from tracker.findings import Alert
from tracker.hand import EventError, Hand
from tracker.ledger import POTS, Ledger, Payment
from tracker.rulesets import RuleSet, rule_set


class Session:
    """The evening so far: `seats`, `rules`, `balances`, `pots`, `hands`, `hand` (the current), `closed`.

    `opened` names the rules; a club's own set is given as `rules`, then `opened.rules` is only its name.
    Live (the default) an event that cannot happen becomes an alert and is not counted; with `strict` it
    raises EventError, as session files have it. Raises TarokError for seats that cannot be.
    """

    def __init__(self, opened: SessionOpened, *, rules: RuleSet | None = None, strict: bool = False) -> None:
        self.opened = opened
        self.rules = rules if rules is not None else rule_set(opened.rules, opened.options)
        self.strict = strict
        check_seats(opened.seats, self.rules)
        self._record: list[Recorded] = [Recorded(1, opened)]
        self._start()

    def _start(self) -> None:
        self.seats: tuple[str, ...] = self.opened.seats
        self.ledger = Ledger(self.seats)
        self.hands: list[Hand] = []
        self.closed = False
        self.alerts: list[Alert] = []
        self._joined = False  # since the last hand, which can then no longer change
        self._before_hand: tuple[dict[str, int], dict[str, int]] = ({}, {})

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def hand(self) -> Hand | None:
        """The current hand, which may be over; None before the first."""
        return self.hands[-1] if self.hands else None

    @property
    def under_way(self) -> bool:
        """Whether a hand was dealt and is not over."""
        return bool(self.hands) and not (self.hands[-1].complete or self.hands[-1].abandoned)

    @property
    def balances(self) -> dict[str, int]:
        """Each player's chips against the start of the evening."""
        return self.ledger.balances

    @property
    def pots(self) -> dict[str, int]:
        """The content of the king pot and the pagat pot, in chips."""
        return self.ledger.pots

    @property
    def payments(self) -> list[Payment]:
        """Every payment of the evening in order."""
        return [payment for hand in self.hands for payment in hand.payments]

    @property
    def record(self) -> tuple[Recorded, ...]:
        """Every event applied so far, corrections too."""
        return tuple(self._record)

    @property
    def next_dealer(self) -> str:
        """Who deals the next hand (TABLE-3)."""
        if not self.hands:
            return self.seats[0]
        return self.seats[(self.seats.index(self.hands[-1].dealer) + 1) % len(self.seats)]

    # -- folding -------------------------------------------------------------------------------------------

    def apply(self, event: Event, seq: int | None = None) -> None:
        """Take in one more event; `seq` is its number in the store (default: one more than the last).

        Raises EventError in a strict session for an event that cannot happen then.
        """
        record = self._record
        number = record[-1].seq + 1 if seq is None else seq
        record.append(Recorded(number, event))
        if type(event) is CardPlayed or not (isinstance(event, CORRECTIONS) or _names_its_hand(event)):
            self._take(event, number)
        else:
            self._refold()

    def _refold(self) -> None:
        """Fold the corrected record from its start."""
        self._start()
        events, complaints = corrected(self._record)
        for seq, event in events:
            self._take(event, seq)
        for seq, complaint in complaints:
            self._alert(complaint, seq, None)

    def _take(self, event: Event, seq: int) -> None:
        try:
            if type(event) is CardPlayed:
                # Nearly every event of an evening is one of these.
                hand = self._open_hand() if self.closed or self._joined or not self.hands else self.hands[-1]
                if event.named is not None and hand.trick is not None and not self.strict:
                    event = replace(event, named=None)  # a card that was missed turned out to be the lead
                hand.play(event, seq)
                hand.entries.append((event, seq))
            else:
                self._take_other(event, seq)
        except EventError as error:
            if self.strict:
                raise
            self._alert(error, seq, event)

    def _alert(self, error: EventError, seq: int, event: Event | None) -> None:
        alert = Alert(
            error.kind,
            seq,
            player=getattr(event, "player", None),
            card=getattr(event, "card", None),
            reason=error.reason,
        )
        self._note(alert)

    def _note(self, alert: Alert) -> None:
        self.alerts.append(alert)
        if self.hands:
            self.hands[-1].alerts.append(alert)

    def _take_other(self, event: Event, seq: int) -> None:
        if self.closed:
            raise EventError("the session is closed")
        match event:
            case HandStarted():
                self._start_hand(event)
            case PlayerJoined():
                self._seat(event)
            case SessionClosed():
                self._close()
            case SessionOpened():
                raise EventError("the session was already opened")
            case TrickTaken():
                self._trick_taken(event, seq)
            case PlaysTakenBack():
                self._take_back(event)
            case _:
                self._tell(self._open_hand(), event, seq)

    def _tell(self, hand: Hand, event: Event, seq: int) -> None:
        match event:
            case Declared() | ToutAnnounced() if hand.plays and not self.strict:
                self._before_the_lead(hand, event, seq)
                return
            case Declared():
                hand.declare(event, seq)
            case FoolNamed():
                if not hand.name_fool(event):
                    self._name_from_the_lead(hand, event, seq)
                    return
            case FoolCalled():
                hand.call_fool(event, seq)
            case ToutAnnounced():
                hand.announce_tout(event)
            case Fined():
                if hand.complete:
                    self._fine_before_the_end(hand, event, seq)
                    return
                hand.fine(event)
            case SkatShown():
                hand.show_skat(event)
            case Redealt():
                hand.redeal(event)
            case HandAbandoned():
                hand.abandon(event)
            case Unwatched():
                hand.note_gap(seq)
        hand.entries.append((event, seq))

    def _open_hand(self) -> Hand:
        if self.closed:
            raise EventError("the session is closed")
        if not self.hands or self._joined:
            raise EventError("no hand was dealt")
        return self.hands[-1]

    def _start_hand(self, event: HandStarted) -> None:
        dealer = self.next_dealer if event.dealer is None else event.dealer
        if dealer not in self.seats:
            raise EventError("{player} is not seated and cannot deal", player=dealer)
        self._joined = False
        self._before_hand = (dict(self.balances), dict(self.pots))
        self.hands.append(self._dealt(dealer, len(self.hands) + 1))

    def _dealt(self, dealer: str, number: int) -> Hand:
        place = self.seats.index(dealer)
        count = len(self.seats)
        ring = [self.seats[(place + step) % count] for step in range(count)]  # from the dealer
        active, sits_out = seating(ring, self.rules.sits_out)
        hand = Hand(number, dealer, active, sits_out, ring[1], self.seats, self.rules, self.ledger)
        hand.pay_start(founded=number > 1)
        return hand

    def _replay_hand(self, entries: list[tuple[Event, int]]) -> None:
        """The current hand anew from what stands of it (something before its end changed), or as it was."""
        old = self.hands[-1]
        chips = dict(self.balances), dict(self.pots)
        try:
            self._rewind(old, entries)
        except Exception:
            self.hands[-1] = old
            self.ledger.balances.update(chips[0])
            self.ledger.pots.update(chips[1])
            raise

    def _rewind(self, old: Hand, entries: list[tuple[Event, int]]) -> None:
        self.ledger.balances.update(self._before_hand[0])
        self.ledger.pots.update(self._before_hand[1])
        hand = self.hands[-1] = self._dealt(old.dealer, old.number)
        hand.alerts = old.alerts
        for event, seq in entries:
            if type(event) is CardPlayed:
                hand.play(event, seq)
            elif isinstance(event, FoolCalled):
                wrong = seq in old.wrong_calls
                hand.call_again(event, wrong)
                if wrong:
                    hand.wrong_calls.add(seq)
            else:
                self._tell(hand, event, seq)
                continue
            hand.entries.append((event, seq))
        hand.corrected = old.corrected
        hand.withdrawn = old.withdrawn

    def _take_back(self, event: PlaysTakenBack) -> None:
        hand = self._open_hand()
        if event.count < 1:
            raise EventError("{count} plays cannot be taken back", count=event.count)
        if event.count > len(hand.plays):
            raise EventError(
                "{count} plays cannot be taken back: only {standing} stand",
                count=event.count,
                standing=len(hand.plays),
            )
        withdrawn = {play.seq for play in hand.plays[-event.count :]}
        entries = []
        lead_gone = False
        for entry, seq in hand.entries:
            if type(entry) is CardPlayed and seq in withdrawn:
                lead_gone = True
            elif isinstance(entry, FoolNamed) and lead_gone and self._led_by(hand, seq) in withdrawn:
                continue
            else:
                entries.append((entry, seq))
        first = len(hand.plays) - event.count
        denied = [denial for denial in hand.knowledge.denials if denial.play > first]
        self._replay_hand(entries)
        self.hands[-1].withdrawn += denied

    def _led_by(self, hand: Hand, naming_seq: int) -> int:
        """The number of the led fool that a naming belongs to: the last play of one before it."""
        led = 0
        for entry, seq in hand.entries:
            if seq == naming_seq:
                break
            if type(entry) is CardPlayed and entry.card == "F":
                led = seq
        return led

    def _name_from_the_lead(self, hand: Hand, event: FoolNamed, seq: int) -> None:
        """FOOL-3: a card lies on the fool already; the naming counts from the lead on."""
        assert hand.trick is not None
        lead = hand.trick.plays[0].seq
        entries: list[tuple[Event, int]] = []
        for entry, number in hand.entries:
            if isinstance(entry, FoolNamed) and self._led_by(hand, number) == lead:
                continue
            entries.append((entry, number))
            if number == lead:
                entries.append((event, seq))
        self._replay_hand(entries)

    def _before_the_lead(self, hand: Hand, event: Declared | ToutAnnounced, seq: int) -> None:
        """Live, what was said before the opening lead may be entered after the camera saw the lead."""
        if isinstance(event, Declared):
            hand.check_declaration(event)
        else:
            hand.check_tout(event)
        lead = next(place for place, (entry, _) in enumerate(hand.entries) if type(entry) is CardPlayed)
        self._replay_hand([*hand.entries[:lead], (event, seq), *hand.entries[lead:]])

    def _fine_before_the_end(self, hand: Hand, event: Fined, seq: int) -> None:
        """A fine confirmed after the last card lies in the pots before PAY-5 writes them down.

        A decision of ours: the rules file gives payments an order, and fines none. This way a breach that
        came to light with the last card costs the same as one found before it, and FINE-3 can still bar.
        """
        hand.check_fine(event)
        last = hand.plays[-1].seq
        entries: list[tuple[Event, int]] = []
        for entry, number in hand.entries:
            if number == last:
                entries.append((event, seq))
            entries.append((entry, number))
        self._replay_hand(entries)

    def _trick_taken(self, event: TrickTaken, seq: int) -> None:
        hand = self._open_hand()
        if event.player not in hand.active:
            raise EventError("{player} does not play this hand", player=event.player)
        if hand.abandoned:
            return  # its cards are gathered up
        if hand.trick is not None:
            self._note(Alert("trick_taken_early", seq, player=event.player))
        elif hand.tricks and hand.tricks[-1].winner != event.player:
            winner = hand.tricks[-1].winner
            self._note(Alert("trick_taken_by_wrong_player", seq, player=event.player, expected=winner))

    def _seat(self, event: PlayerJoined) -> None:
        """PAY-9: a fourth player joins a party of three, between two hands."""
        hand = self.hand
        if len(self.seats) != 3 or self.rules.max_players < 4:
            raise EventError(
                "{player} cannot join: a fourth player joins a party of three", player=event.player
            )
        if self.under_way:
            raise EventError("{player} cannot join during a hand", player=event.player)
        if event.player in (*self.seats, *POTS) or not event.player.strip():
            raise EventError("{player!r} cannot be the name of the fourth player", player=event.player)
        if not 0 <= event.seat_index <= 3:
            raise EventError("there is no seat {place}", place=event.seat_index)
        self.seats = (*self.seats[: event.seat_index], event.player, *self.seats[event.seat_index :])
        self.ledger.balances[event.player] = 0
        self._joined = True
        if hand is not None:
            hand.pay_joining(event.player)

    def _close(self) -> None:
        self.closed = True
        if self.hands:
            self.hands[-1].pay_close(self.seats, self.next_dealer)


def replay(events: Iterable[Recorded], *, rules: RuleSet | None = None) -> Session:
    """The session that a stored record tells of: corrections resolved first, then everything applied.

    Never raises for an event that cannot happen (it becomes an alert); raises TarokError when the record
    does not begin with a SessionOpened that can be.
    """
    record = list(events)
    if not record or not isinstance(record[0].event, SessionOpened):
        raise TarokError("the record does not begin with the opening of a session")
    session = Session(record[0].event, rules=rules)
    session._record = record
    session._refold()
    return session


def seating(ring: list[str], sits_out: str) -> tuple[tuple[str, str, str], tuple[str, ...]]:
    """TABLE-2: who plays, in order of play, and who sits out; `ring` is the seats from the dealer on."""
    dealer = ring[0]
    if len(ring) == 3:
        return (ring[1], ring[2], dealer), ()
    if len(ring) == 4:
        out = ring[2] if sits_out == "opposite" else ring[1]
        first, second = [player for player in ring[1:] if player != out]
        return (first, second, dealer), (out,)
    return (ring[1], ring[4], dealer), (ring[2], ring[3])


def check_seats(seats: tuple[str, ...], rules: RuleSet) -> None:
    """Raise TarokError for seats at which no session can be played (TABLE-2)."""
    if not 3 <= len(seats) <= rules.max_players:
        raise TarokError(
            "{rules} is for 3 to {most} players, not {count}",
            rules=rules.name,
            most=rules.max_players,
            count=len(seats),
        )
    for player in seats:
        if not player.strip():
            raise TarokError("a player needs a name")
        if player in POTS:
            raise TarokError("a player cannot be called {player!r}: that is a pot", player=player)
    if len(set(seats)) != len(seats):
        twice = next(player for player in seats if seats.count(player) > 1)
        raise TarokError("{player} is seated twice", player=twice)


def _forget_names(later: list[int], standing: dict[int, Event]) -> None:
    """Drop from `standing` what the fool of a hand was named before its name was put right."""
    for seq in later:
        if isinstance(standing.get(seq), HandStarted):
            return
        if isinstance(standing.get(seq), FoolNamed):
            del standing[seq]


def _names_its_hand(event: Event) -> bool:
    """Whether `event` is a fine that may be for an earlier hand."""
    return isinstance(event, Fined) and event.hand is not None


def _end_of_hand(number: int, events: list[Event | None]) -> int | None:
    """The place in `events` at which the hand `number` is behind; None for one that was never dealt.

    An evening that is closed takes no more, so what comes then stays last.
    """
    dealt = 0
    for place, event in enumerate(events):
        if isinstance(event, SessionClosed):
            return len(events)
        if dealt == number and isinstance(event, HandStarted | PlayerJoined):
            return place
        dealt += isinstance(event, HandStarted)
    return len(events) if dealt >= number else None


def corrected(record: list[Recorded]) -> tuple[list[tuple[int, Event]], list[tuple[int, EventError]]]:
    """The events as they are after all corrections, and (number, complaint) for corrections of nothing."""
    known = {item.seq: item.event for item in record}
    complaints: list[tuple[int, EventError]] = []

    def complain(at: int, sentence: str, /, **values: object) -> None:
        complaints.append((at, EventError(sentence, **values)))

    retracted: set[int] = set()
    for item in reversed(record):
        if isinstance(item.event, EventRetracted) and item.seq not in retracted:
            target = item.event.seq
            if target not in known or target >= item.seq or isinstance(known[target], SessionOpened):
                complain(item.seq, "there is no event {number} to undo", number=target)
            else:
                retracted.add(target)
    order: list[int] = []
    standing: dict[int, Event] = {}
    for item in record[1:]:
        if item.seq in retracted:
            # Its place is kept: a missed play may be inserted before it.
            order.append(item.seq)
            continue
        match item.event:
            case PlayCorrected(seq, card, player, named):
                play = standing.get(seq)
                if not isinstance(play, CardPlayed):
                    complain(item.seq, "there is no play {number} to correct", number=seq)
                    continue
                now = card if card is not None else play.card
                standing[seq] = CardPlayed(
                    player if player is not None else play.player,
                    now,
                    (named if named is not None else play.named) if now == FOOL else None,
                    # Who played it does not say which card it was.
                    alternatives=play.alternatives if card is None else (),
                    time_s=play.time_s,
                )
                if named is not None:
                    _forget_names(order[order.index(seq) :], standing)
            case PlayRemoved(seq):
                if not isinstance(standing.get(seq), CardPlayed):
                    complain(item.seq, "there is no play {number} to remove", number=seq)
                    continue
                del standing[seq]
            case PlayInserted(before_seq, player, card, named):
                if before_seq is None:
                    order.append(item.seq)
                elif before_seq in order:
                    order.insert(order.index(before_seq), item.seq)
                else:
                    complain(
                        item.seq, "there is no event {number} to insert a play before", number=before_seq
                    )
                    continue
                standing[item.seq] = CardPlayed(player, card, named)
            case DealerCorrected(seq, dealer):
                if not isinstance(standing.get(seq), HandStarted):
                    complain(item.seq, "event {number} is no hand whose dealer could be another", number=seq)
                    continue
                standing[seq] = HandStarted(dealer)
            case EventRetracted():
                continue
            case Fined(player=player, hand=int(number)):
                # For an earlier hand it counts from that hand's end on, and everything after it follows.
                place = _end_of_hand(number, [standing.get(seq) for seq in order])
                if place is None:
                    complain(
                        item.seq,
                        "there is no hand {number} to fine {player} in",
                        number=number,
                        player=player,
                    )
                    continue
                order.insert(place, item.seq)
                standing[item.seq] = item.event
            case _:
                order.append(item.seq)
                standing[item.seq] = item.event
    return [(seq, standing[seq]) for seq in order if seq in standing], complaints
