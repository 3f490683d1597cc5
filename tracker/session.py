"""An evening: the fold of its events into hands, balances and pots.

`Session.apply` takes one more event in work proportional to that event. A correction, which changes what
happened before, folds the record again from its start; nothing ever mutates an event.
"""

from collections.abc import Iterable
from dataclasses import replace

from tracker import settlement
from tracker.cards import FOOL
from tracker.errors import EventError, TarokError
from tracker.events import (
    CORRECTIONS,
    Adjusted,
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
    PlayerLeft,
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
from tracker.hand import Hand
from tracker.ledger import POTS, Ledger, Payment
from tracker.rulesets import RuleSet, rule_set
from tracker.seat_change import SeatChange


class Session:
    """The evening so far: `seats`, `rules`, `balances`, `pots`, `hands`, `hand` (the current), `closed`.

    `seat_changes` are the joinings and leavings between the hands.

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
        self.seat_changes: list[SeatChange] = []
        self._reseated = False  # since the last hand, which can then no longer change
        self._heir: str | None = None  # who deals next where the last dealer has left
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
        return [payment for part in self.parts for payment in part.payments]

    @property
    def parts(self) -> list[Hand | SeatChange]:
        """The evening in order: its hands, and who joined or left between them."""
        parts: list[Hand | SeatChange] = [*self.hands, *self.seat_changes]
        return sorted(parts, key=lambda part: (part.number, isinstance(part, SeatChange)))

    @property
    def record(self) -> tuple[Recorded, ...]:
        """Every event applied so far, corrections too."""
        return tuple(self._record)

    @property
    def next_dealer(self) -> str:
        """Who deals the next hand (TABLE-3).

        PAY-10 ruling: "the deal goes on round the new seats: the next dealer is the next seat after the last
        dealer that is taken".
        """
        if self._heir is not None:
            return self._heir
        return self._next_to(self.hands[-1].dealer) if self.hands else self.seats[0]

    def _next_to(self, player: str) -> str:
        return self.seats[(self.seats.index(player) + 1) % len(self.seats)]

    # -- folding -------------------------------------------------------------------------------------------

    def apply(self, event: Event, seq: int | None = None) -> None:
        """Take in one more event; `seq` is its number in the store (default: one more than the last).

        Raises EventError in a strict session for an event that cannot happen then.
        """
        record = self._record
        number = record[-1].seq + 1 if seq is None else seq
        record.append(Recorded(number, event))
        if type(event) is CardPlayed or not isinstance(event, CORRECTIONS):
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
                hand = (
                    self._open_hand() if self.closed or self._reseated or not self.hands else self.hands[-1]
                )
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
                self._join(event)
            case PlayerLeft(player):
                self._leave(player)
            case Fined() | Adjusted() if self._reseated and self.hands:
                self._move_chips(self.seat_changes[-1], event, seq)
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
            case Fined() | Adjusted():
                self._move_chips(hand, event, seq)
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
        if not self.hands:
            raise EventError("no hand was dealt")
        if self._reseated:
            raise EventError(
                "{who} joined or left after the last hand: deal the next one first",
                who=self.seat_changes[-1].player,
            )
        return self.hands[-1]

    def _move_chips(self, now: Hand | SeatChange, event: Fined | Adjusted, seq: int) -> None:
        """FINE-4 and FINE-5: paid where it stands, in the current hand or after somebody joined or left."""
        if isinstance(event, Adjusted):
            settlement.pay_adjustment(now.pay, self.rules, event, self.seats, self.ledger)
            return
        fined = self._fined_hand(event)
        fined.fine(event, seq, now.pay, later=fined is not now)

    def _fined_hand(self, event: Fined) -> Hand:
        if event.hand is None:
            return self.hands[-1]
        if not 1 <= event.hand <= len(self.hands):
            raise EventError(
                "there is no hand {number} to fine {player} in", number=event.hand, player=event.player
            )
        return self.hands[event.hand - 1]

    def _start_hand(self, event: HandStarted) -> None:
        dealer = self.next_dealer if event.dealer is None else event.dealer
        if dealer not in self.seats:
            raise EventError("{player} is not seated and cannot deal", player=dealer)
        self._reseated = False
        self._heir = None
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

    def _trick_taken(self, event: TrickTaken, seq: int) -> None:
        if self._reseated and self.hands:
            return  # the cards of the hand before are gathered up
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

    def _join(self, event: PlayerJoined) -> None:
        """PAY-9: a player sits down between two hands."""
        self._must_be_between_hands(event.player)
        if event.after is not None:
            if event.after not in self.seats:
                raise EventError("{player} is not seated", player=event.after)
            place = self.seats.index(event.after) + 1
        else:
            # Before the first seat is after the last one: seats lie in a ring.
            place = event.seat_index or len(self.seats)
            if not 0 < place <= len(self.seats):
                raise EventError("there is no seat {place}", place=place)
        seats = (*self.seats[:place], event.player, *self.seats[place:])
        try:
            check_seats(seats, self.rules)
        except TarokError as error:
            raise EventError(error.reason.sentence, **dict(error.reason.values)) from None
        self._reseat("join", event.player, seats)

    def _leave(self, player: str) -> None:
        """PAY-10 ruling: a player leaves "between two hands, with three or more staying"."""
        self._must_be_between_hands(player)
        if player not in self.seats:
            raise EventError("{player} is not seated", player=player)
        if len(self.seats) == 3:
            raise EventError("{player} cannot leave: three or more must stay", player=player)
        heir = self._next_to(player) if self._has_the_deal(player) else self._heir
        self._reseat("leave", player, tuple(seat for seat in self.seats if seat != player))
        self._heir = heir

    def _has_the_deal(self, player: str) -> bool:
        """Whether the next dealer is counted from `player`'s seat, or is `player` in the stead of one who left."""
        if self._heir is not None:
            return player == self._heir
        return bool(self.hands) and player == self.hands[-1].dealer

    def _must_be_between_hands(self, player: str) -> None:
        # "Nobody joins or leaves during a hand."
        if self.under_way:
            raise EventError("{player} cannot join or leave during a hand", player=player)

    def _reseat(self, kind: str, player: str, seats: tuple[str, ...]) -> None:
        self.seat_changes.append(SeatChange(kind, player, len(self.hands), seats, self.ledger))
        self.seats = seats
        self._reseated = True

    def _close(self) -> None:
        self.closed = True
        if self.hands:
            first = self.seats.index(self.next_dealer)
            settlement.share_pots(self.parts[-1].pay, self.seats[first:] + self.seats[:first], self.pots)


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
            case _:
                order.append(item.seq)
                standing[item.seq] = item.event
    return [(seq, standing[seq]) for seq in order if seq in standing], complaints
