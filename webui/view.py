"""From the session to what the page shows: names, places on the felt, sentences. No HTML, no decisions."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tracker.cards import CARDS, FOOL
from tracker.danish.combination import Combination
from tracker.danish.events import (
    Adjusted,
    Declared,
    Fined,
    FoolCalled,
    FoolNamed,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.danish.findings import DanishFinding
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.danish.words import (
    alert_text,
    card_label,
    combination_text,
    finding_text,
    payment_text,
    pot_name,
    suit_name,
)
from tracker.doubts import doubt_of
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    SessionClosed,
    SessionOpened,
    TrickTaken,
    Unwatched,
)
from tracker.findings import Alert
from tracker.hand import Gap
from tracker.ledger import Payment
from tracker.seat_change import SeatChange
from tracker.tricks import Play as TablePlay
from webui.live import Camera, LiveTable
from webui.seats import SIDES
from webui.texts import (
    ADVICE,
    CAMERA_STATES,
    CATEGORIES,
    POT_LABELS,
    PROBLEMS,
    REDEALS,
    UNSETTLED,
    ntext,
    text,
)

_LATEST_PAYMENTS = 7


@dataclass(frozen=True)
class Play:
    """A card on the page. `x`, `y` are its place on the felt and `dx`, `dy` whence it came, in percent."""

    seq: int
    card: str
    name: str
    player: str
    doubt: bool = False
    flag: bool = False
    by_hand: bool = False
    best: bool = False
    led: bool = False
    named: str = ""
    shot: bool = False
    x: float = 0
    y: float = 0
    dx: float = 0
    dy: float = 0
    tilt: float = 0


@dataclass
class View:
    """All that the table's regions show, in one language; see the templates for each."""

    headline: str
    subline: str = ""
    news: str = ""
    camera: dict[str, Any] = field(default_factory=dict)
    unplaced: str = ""
    seats: list[dict[str, Any]] = field(default_factory=list)
    cups: dict[str, Any] | None = None
    trick: list[Play] = field(default_factory=list)
    note: dict[str, Any] | None = None
    previous: dict[str, Any] | None = None
    banners: list[str] = field(default_factory=list)
    acts: list[dict[str, str]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    alerts: list[dict[str, Any]] = field(default_factory=list)
    untaken: list[dict[str, Any]] = field(default_factory=list)
    open_findings: list[dict[str, Any]] = field(default_factory=list)
    settled_findings: list[dict[str, Any]] = field(default_factory=list)
    earlier_flags: list[dict[str, Any]] = field(default_factory=list)
    payments: list[dict[str, Any]] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)
    history: dict[str, Any] | None = None


# ---- what the record says ----


def standing(recorded: Iterable[Recorded]) -> list[Recorded]:
    """The events that were not undone."""
    undone: set[int] = set()
    kept = []
    # Newest first: an undoing may itself be undone, by a later one.
    for record in reversed(list(recorded)):
        if record.seq in undone:
            continue
        if isinstance(record.event, EventRetracted):
            undone.add(record.event.seq)
        else:
            kept.append(record)
    return kept[::-1]


def is_by_hand(event: Event) -> bool:
    """Whether a person entered it: all that a camera does not see."""
    match event:
        case CardPlayed() | TrickTaken() | PlaysTakenBack() | PlayCorrected():
            return event.time_s is None
        case HandStarted(dealer=None):
            return False  # a person names the dealer
        case SessionOpened() | Unwatched():
            return False
    return True


def last_entry(recorded: Sequence[Recorded]) -> Recorded | None:
    """The newest entry of a person that still stands: what an undo undoes.

    To set aside something that the camera saw, or did not see, is an entry too; to undo an entry is none.
    That a hand began is none once it is played, nor is what made way for it.
    """
    undone: set[int] = set()
    played = taken_back = 0
    begun = False
    for record in reversed(recorded):
        event = record.event
        if record.seq in undone:
            continue
        if isinstance(event, PlaysTakenBack):
            taken_back += event.count
        elif isinstance(event, CardPlayed):
            played += 1
        elif isinstance(event, HandStarted) and (played > taken_back or not is_by_hand(event)):
            begun = True
            continue
        elif isinstance(event, HandAbandoned | PlayerJoined | PlayerLeft) and begun:
            continue
        if isinstance(event, EventRetracted):
            undone.add(event.seq)
            event = recorded[event.seq - 1].event  # numbered from 1 without gaps
            if not isinstance(event, EventRetracted) and not is_by_hand(event):
                return record
        elif is_by_hand(event):
            return record
    return None


def open_questions(session: DanishSession) -> list[tuple[DanishHand, TablePlay]]:
    """The doubtful plays that nobody has put right or confirmed, with their hands, oldest first."""
    return [(hand, play) for hand in session.hands for play in hand.plays if play.alternatives]


def open_gaps(session: DanishSession) -> list[tuple[DanishHand, Gap]]:
    """The times that nobody watched and that nobody has settled, with their hands, oldest first."""
    return [(hand, gap) for hand in session.hands for gap in hand.gaps]


def open_alerts(session: DanishSession) -> list[Alert]:
    """What cannot be as it was booked and that nobody has settled, oldest first.

    That a trick was taken by the wrong player is none while a card of it is doubtful, or cards may be missing:
    that is asked about first, and the answer may settle it.
    """
    return [alert for alert in session.alerts if not _rests_on_a_question(session, alert)]


def _rests_on_a_question(session: DanishSession, alert: Alert) -> bool:
    if alert.kind != "trick_taken_by_wrong_player":
        return False
    if any(alert in hand.alerts and gap.seq < alert.seq for hand, gap in open_gaps(session)):
        return True
    tricks = [trick for hand in session.hands for trick in hand.tricks]
    taken = [trick for trick in tricks if trick.winner and trick.plays[-1].seq < alert.seq]
    return bool(taken) and any(play.alternatives for play in taken[-1].plays)


@dataclass(frozen=True)
class Unanswered:
    """What of an evening still wants a person's answer: how many questions, and the flags.

    `flags` are the keys of the findings, by the number of their hand.
    """

    questions: int
    flags: dict[int, list[str]]


def unanswered(session: DanishSession) -> Unanswered:
    """What still wants an answer: doubtful plays, times unwatched, what cannot be, and open flags."""
    asked = len(open_questions(session)) + len(open_gaps(session)) + len(open_alerts(session))
    return Unanswered(asked, _flags_of(session, session.hands))


def _flags_of(session: DanishSession, hands: Sequence[DanishHand]) -> dict[int, list[str]]:
    """The keys of the open flags of `hands`, by the number of their hand; a settled evening takes no fine."""
    if session.closed:
        return {}
    flags = {hand.number: [finding_key(hand, place) for place in open_flags(hand)] for hand in hands}
    return {number: keys for number, keys in flags.items() if keys}


def open_flags(hand: DanishHand) -> list[int]:
    """The places in `hand.findings` of what is certain, would cost something, and was neither fined nor let pass."""
    settled = fined_findings(hand)
    return [
        place
        for place, finding in enumerate(hand.findings)
        if finding.fine and place not in settled and not doubt_of(hand, finding)
    ]


def fined_findings(hand: DanishHand) -> dict[int, Fined]:
    """The places in `hand.findings` of those that were fined or let pass, each with a fine of its own.

    A fine that names no finding, or one that no longer stands, is for one of its category known by then; one
    for a contradiction is for the revoke that it turns out to be.
    """
    fined: dict[int, Fined] = {}
    unnamed = []

    def settles(fine: Fined, place: int, finding: DanishFinding) -> bool:
        return place not in fined and fine.player in accused(finding)

    findings = list(enumerate(hand.findings))
    for seq, fine in hand.fines.items():
        named = [at for at, one in findings if settles(fine, at, one) and one.name == fine.finding]
        if named:
            fined[named[0]] = fine
        else:
            unnamed.append((fine, seq))
    for fine, seq in unnamed:
        known = [
            at
            for at, one in findings
            if settles(fine, at, one)
            and one.category == fine.category
            and (
                one.known_at is None
                or hand.plays[one.known_at[1] - 1].seq < seq
                or (one.kind == "revoke" and fine.finding.startswith("contradiction"))
            )
        ]
        if known:
            fined[known[0]] = fine
    return fined


def accused(finding: DanishFinding) -> tuple[str, ...]:
    """Whom the table may fine for `finding`: its player, or who is suspected of it."""
    return (finding.player,) if finding.player else finding.suspects


# ---- places on the felt ----


def angles(session: DanishSession, sides: dict[str, str]) -> dict[str, float]:
    """Each player's direction from the middle: 0 is the bottom of the picture, counter-clockwise, degrees."""
    names = session.seats
    if all(name in sides for name in names):
        beside = Counter(sides[name] for name in names)
        placed: dict[str, float] = {}
        for name in sorted(names, key=list(sides).index):
            # Two who share a side sit to the left and the right of its middle, in order of play.
            first = not any(sides[other] == sides[name] for other in placed)
            aside = 0.0 if beside[sides[name]] == 1 else -25.0 if first else 25.0
            placed[name] = 90.0 * SIDES.index(sides[name]) + aside
        return placed
    if len(names) == 3:
        return dict(zip(names, (0.0, 90.0, 270.0), strict=True))
    return {name: 360 / len(names) * place for place, name in enumerate(names)}


def spot(angle: float, reach_x: float, reach_y: float) -> tuple[float, float]:
    """The place on the felt, in percent, at `angle` degrees and these distances from the middle."""
    turn = math.radians(angle)
    return round(50 + reach_x * math.sin(turn), 2), round(50 + reach_y * math.cos(turn), 2)


# ---- the whole page ----


def build_view(table: LiveTable, lang: str) -> View:
    """What the page of `table` shows in `lang`; the caller holds `table.reading()`."""
    camera = camera_row(table.camera)
    session = table.session
    if session is None:
        hint = text(
            "Enter each player at the edge of the picture where he sits; an edge may be empty. "
            "One who sits out has his place too. Play runs counter-clockwise. In doubt? Hold a "
            "hand over the table and see from which edge it comes."
        )
        return View(
            text("No evening is open"),
            camera=camera,
            note={"text": text("No evening is open"), "more": hint, "y": 50},
            acts=[_act(text("New evening"), "/open", "main")],
        )
    page = _Page(table, session, lang)
    view = View(page.headline(), page.subline(), page.news(), camera)
    if table.camera.state != "none" and not session.closed:
        view.unplaced = ", ".join(table.unplaced)
    view.seats = page.seats()
    view.cups = page.cups()
    view.trick = page.trick()
    view.note = page.note()
    view.previous = page.previous()
    view.banners = page.banners()
    view.acts = page.acts()
    view.questions = page.questions()
    view.alerts = page.alerts()
    view.untaken = page.untaken()
    view.open_findings, view.settled_findings = page.findings()
    view.earlier_flags = page.earlier_flags()
    view.payments = [
        payment_row(payment, lang) | {"number": number} for number, payment in page.latest_payments()
    ]
    view.hands = [hand.number for hand in session.hands]
    view.history = hand_rows(table, session, session.hand, lang) if session.hand else None
    return view


def camera_row(camera: Camera) -> dict[str, Any]:
    """How the source is doing, in words, with what people should put right."""
    problem = text(PROBLEMS[camera.problem]) if camera.problem else ""
    if camera.detail:
        problem += f" ({camera.detail})"
    reopens = camera.problem in ("problem_lost", "problem_source") and camera.reopens
    figures = asdict(camera)
    lines = [{"text": text(ADVICE[key], **figures), "bad": True} for key in camera.advice]
    if camera.state == "seeing":
        said = text(
            "{frames_per_s} frames/s · {latency_ms} ms a frame · sharpness {sharpness} · light "
            "{light} % · {cards} cards in view",
            **figures,
        )
        if camera.card_px:
            said += " · " + text("cards {card_px} px high · camera leans {tilt_deg}°", **figures)
        lines.append({"text": said, "bad": False})
    said = text(CAMERA_STATES[camera.state])
    return {"state": camera.state, "said": said, "problem": problem, "lines": lines, "reopens": reopens}


class _Page:
    def __init__(self, table: LiveTable, session: DanishSession, lang: str) -> None:
        self.table, self.session, self.lang = table, session, lang
        self.hand: DanishHand | None = session.hand
        self.angles = angles(session, table.sides)

    def headline(self) -> str:
        if self.session.closed:
            return text("The evening is settled")
        if self.hand is None:
            return text("Waiting for the next hand")
        return text("Hand {number}", number=self.hand.number)

    def subline(self) -> str:
        hand = self.hand
        if self.session.closed or hand is None:
            return ""
        if hand.abandoned:
            return text("The hand was abandoned")
        if hand.complete:
            return text("The hand is over")
        return text("trick {number} of 25", number=max(1, len(hand.tricks))) if hand.plays else ""

    def news(self) -> str:
        """One sentence for a screen reader: the last thing that happened, and who is to play."""
        last = standing(self.table.recorded)[-1:]
        said = [entry_text(record.event, self.lang) for record in last]
        if self.hand is not None and self.hand.to_play and not self.session.closed:
            said.append(self.hand.to_play + " " + text("to play"))
        return ". ".join(said)

    def seats(self) -> list[dict[str, Any]]:
        hand = self.hand
        rows = []
        for name in self.session.seats:
            x, y = spot(self.angles[name], 47, 46.5)
            turn = hand is not None and hand.to_play == name and not self.session.closed
            out = hand is not None and name in hand.sits_out
            rows.append(
                {
                    "name": name,
                    "x": x,
                    "y": y,
                    "balance": self.session.balances[name],
                    "dealer": hand is not None and hand.dealer == name,
                    "turn": turn,
                    "out": out,
                    "note": self._seat_note(name, turn, out),
                }
            )
        return rows

    def _seat_note(self, name: str, turn: bool, out: bool) -> str:
        hand = self.hand
        if hand is None:
            return "\u00a0"
        if out:
            return text("sits out")
        won = hand.tricks_won.get(name, 0)
        count = ntext("{count} trick", "{count} tricks", won)
        if not turn:
            return count
        todo = text("to lead") if hand.trick is None else text("to play")
        return f"{todo} · {count}"

    def cups(self) -> dict[str, Any]:
        """The pots stand at the empty side of the table, or else before the one who sits out."""
        taken = [round(angle / 90) * 90 % 360 for angle in self.angles.values()]
        empty = next((angle for angle in (180.0, 90.0, 270.0, 0.0) if angle not in taken), None)
        if empty is not None:
            x, y = spot(empty, 47, 45)
        else:
            # In the upper corner on the side of the one who sits out.
            out = self.hand.sits_out if self.hand else ()
            x, y = (3.0 if out and self.angles.get(out[0], 0.0) >= 180 else 97.0), 14.0
        return {**self.session.pots, "x": x, "y": y}

    def trick(self) -> list[Play]:
        if self.hand is None or not self.hand.tricks or self.session.closed:
            return []
        if not self.angles.keys() >= set(self.hand.active):
            return []  # one of those whose cards lie there has left
        trick = self.hand.tricks[-1]
        placed = []
        for play in trick.plays:
            angle = self.angles[play.player]
            x, y = spot(angle, 15, 14.5)
            far_x, far_y = spot(angle, 40, 40)
            # A steady little turn for each card, as cards lie that were thrown.
            tilt = (play.seq * 37 % 13) - 6
            placed.append(
                play_row(
                    self.table,
                    self.hand,
                    play,
                    self.lang,
                    best=play.player == trick.winner,
                    x=x,
                    y=y,
                    dx=far_x - x,
                    dy=far_y - y,
                    tilt=tilt,
                )
            )
        return placed

    def note(self) -> dict[str, Any] | None:
        hand = self.hand
        if self.session.closed:
            result = sorted(self.session.balances.items(), key=lambda entry: -entry[1])
            more = " · ".join(f"{name} {chips:+d}".replace("-", "−") for name, chips in result)
            return {"text": text("The evening is settled"), "more": more, "y": 50}
        if hand is None or hand.complete or hand.abandoned:
            dealer = self.session.next_dealer
            more = (
                text(
                    "{player} deals. The hand starts by itself when the camera sees the first card.",
                    player=dealer,
                )
                if dealer
                else ""
            )
            if hand is not None and hand.tricks:
                return None
            return {"text": text("The cards are dealt"), "more": more, "y": 50}
        if hand.plays:
            return None
        return {"text": text("Declarations, dealer first"), "more": declared_text(hand, self.lang), "y": 50}

    def previous(self) -> dict[str, Any] | None:
        """The trick before this one, small, on the winner's left hand."""
        if self.hand is None or self.session.closed:
            return None
        done = [trick for trick in self.hand.tricks[:-1] if trick.winner]
        if not done:
            return None
        trick = done[-1]
        cards = [{"card": play.card, "name": card_label(play.card, self.lang)} for play in trick.plays]
        return {"plays": cards, "winner": trick.winner, "x": 14, "y": 84}

    def banners(self) -> list[str]:
        """What everybody must know of the hand just now: the fool's name, a tout announced."""
        hand = self.hand
        if hand is None or hand.complete or hand.abandoned or self.session.closed:
            return []
        said = []
        if hand.tout_announced:
            said.append(text("{player} announced a tout", player=hand.tout_announced))
        if hand.trick is not None and hand.trick.plays[0].card == FOOL:
            suit = hand.trick.suit
            named = (
                text("The fool is {suit}", suit=suit_name(suit, self.lang))
                if suit
                else text("The fool has no name yet")
            )
            said.append(named)
        return said

    def acts(self) -> list[dict[str, str]]:
        hand = self.hand
        if self.session.closed:
            acts = [_act(text("New evening"), "/open", "main")]
        elif hand is None or hand.complete or hand.abandoned:
            acts = [
                _act(text("Start hand"), "/start", "main"),
                _act(text("Settle the evening"), "/settle"),
                _act(text("Fine"), "/fine"),
                _act(text("Other"), "/more", "plain"),
            ]
        else:
            before = not hand.plays
            acts = [
                _act(text("Card played"), "/play", "" if before else "main"),
                _act(text("Declaration"), "/declare", "main" if before else ""),
                _act(text("The fool"), "/fool"),
                _act(text("Fine"), "/fine"),
                _act(text("Other"), "/more", "plain"),
            ]
        return [*acts, _act(text("Undo"), "/undo", "plain")]

    def questions(self) -> list[dict[str, Any]]:
        rows = [self._gap_question(hand, gap) for hand, gap in reversed(open_gaps(self.session))]
        for hand, play in reversed(open_questions(self.session)):
            name = card_label(play.card, self.lang)
            trick = trick_number(hand, play.seq)
            where = text("hand {hand}, trick {trick}", hand=hand.number, trick=trick)
            if hand is self.hand:
                where = text("Trick {trick}", trick=trick)
            answers = [(play.card, name, True)]
            answers += [(card, card_label(card, self.lang), False) for card in play.alternatives[:2]]
            rows.append(
                {
                    "seq": play.seq,
                    "title": text("Which card did {player} play?", player=play.player),
                    "text": text(
                        "{where}. The camera read {card} but is in doubt. Play goes on meanwhile.",
                        where=where.capitalize(),
                        card=name,
                    ),
                    "answers": answers,
                    "shot": play.seq in self.table.evidence.known,
                }
            )
        return rows

    def _gap_question(self, hand: DanishHand, gap: Gap) -> dict[str, Any]:
        where = text("hand {hand}, trick {trick}", hand=hand.number, trick=gap.trick)
        return {
            "seq": gap.seq,
            "title": text("Did the camera miss anything?"),
            "text": text(
                "The camera saw nothing for a while in {where}. Were cards played meanwhile? Until "
                "this is answered nobody is flagged for what followed.",
                where=where,
            ),
            "gap": True,
            "enter_href": self._missed_href(hand, gap),
        }

    def _missed_href(self, hand: DanishHand, gap: Gap) -> str:
        """Where a card missed in `gap` is entered: before the first card seen after it, or as played now."""
        uncounted = [alert.seq for alert in hand.alerts if alert.card is not None]
        for seq in sorted([*(play.seq for play in hand.plays), *uncounted]):
            # Not before what people have entered of the gap: that was played earlier.
            if seq > gap.seq and not is_by_hand(self.table.recorded[seq - 1].event):
                return f"/plays/{seq}/insert"
        return "/play" if hand is self.hand and hand.to_play and not self.session.closed else ""

    def alerts(self) -> list[dict[str, Any]]:
        return [
            {
                "seq": alert.seq,
                "card": alert.card,
                "name": card_label(alert.card, self.lang) if alert.card in CARDS else "",
                "title": text("What happened?"),
                "text": alert_text(alert, self.lang),
            }
            for alert in open_alerts(self.session)
        ]

    def untaken(self) -> list[dict[str, Any]]:
        """What the program failed to take in, with the card if it was one."""
        rows = []
        for one in self.table.untaken:
            play = one.event if isinstance(one.event, CardPlayed) and one.event.card in CARDS else None
            what = f" {play.player}: {card_label(play.card, self.lang)}." if play is not None else ""
            rows.append(
                {
                    "number": one.number,
                    "text": text(
                        "Something went wrong in the program, and what the camera saw is not counted. See "
                        "what is missing and enter it."
                    )
                    + what,
                }
            )
        return rows

    def findings(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        if self.hand is None:
            return [], []
        rows = finding_rows(self.table, self.session, self.hand, self.lang)
        waiting = [*self._findings_before(), *(row for row in rows if not row["fined"])]
        settled = [row for row in rows if row["fined"]]
        # What is certain first, then what still waits for an answer; the newest of each on top.
        return sorted(waiting[::-1], key=lambda row: bool(row["unsure"])), settled

    def _findings_before(self) -> list[dict[str, Any]]:
        """The findings of the hand before that cost something and were neither fined nor let pass."""
        if len(self.session.hands) < 2:
            return []
        hand = self.session.hands[-2]
        rows = finding_rows(self.table, self.session, hand, self.lang)
        where = text("Hand {number}", number=hand.number)
        return [
            row | {"title": f"{row['title']} · {where}"}
            for row, finding in zip(rows, hand.findings, strict=True)
            if finding.fine and not row["fined"]
        ]

    def earlier_flags(self) -> list[dict[str, Any]]:
        """Where the open flags stand of the hands whose findings the table no longer shows."""
        return flag_links(_flags_of(self.session, self.session.hands[:-2]))

    def latest_payments(self) -> list[tuple[int, Payment]]:
        return list(enumerate(all_payments(self.session)))[: -_LATEST_PAYMENTS - 1 : -1]


def _act(label: str, href: str, style: str = "") -> dict[str, str]:
    return {"label": label, "href": href, "style": style}


# ---- rows that several pages show ----


def trick_number(hand: DanishHand, seq: int) -> int:
    """The number, from 1, of the trick with the play `seq`; 0 if it is in none."""
    for number, trick in enumerate(hand.tricks, start=1):
        if any(play.seq == seq for play in trick.plays):
            return number
    return 0


def play_row(table: LiveTable, hand: DanishHand, play: TablePlay, lang: str, **placed: Any) -> Play:
    """One play as the page shows it."""
    offences = {(f.player, f.card) for f in hand.findings if f.card and not doubt_of(hand, f)}
    record = table.recorded[play.seq - 1]  # numbered from 1 without gaps
    return Play(
        seq=play.seq,
        card=play.card,
        name=card_label(play.card, lang),
        player=play.player,
        doubt=bool(play.alternatives),
        flag=(play.player, play.card) in offences,
        by_hand=is_by_hand(record.event),
        shot=play.seq in table.evidence.known,
        **placed,
    )


def hand_rows(table: LiveTable, session: DanishSession, hand: DanishHand, lang: str) -> dict[str, Any]:
    """A hand trick by trick, newest trick first."""
    players = [name for name in hand.seats if name in hand.active]
    tricks = []
    for number, trick in reversed(list(enumerate(hand.tricks, start=1))):
        rows = [
            play_row(
                table,
                hand,
                play,
                lang,
                best=play.player == trick.winner,
                led=place == 0,
                named=suit_name(trick.suit, lang) if play.card == FOOL and trick.suit and place == 0 else "",
            )
            for place, play in enumerate(trick.plays)
        ]
        cells = [
            {"plays": [row for row in rows if row.player == name], "best": name == trick.winner}
            for name in players
        ]
        tricks.append({"number": number, "cells": cells, "winner": trick.winner})
    declared = [
        (name, _combinations_text(made, lang)) for name, made in hand.declared.items() if made is not None
    ]
    points = list(hand.points.items()) if hand.points else []
    return {"players": players, "tricks": tricks, "declared": declared, "points": points}


def finding_key(hand: DanishHand, place: int) -> str:
    """What the page calls the finding at `place` in `hand.findings`."""
    return f"{hand.number}-{place}"


def finding_rows(
    table: LiveTable, session: DanishSession, hand: DanishHand, lang: str
) -> list[dict[str, Any]]:
    """The findings of `hand`, in order; what was fined already, or no longer can be, offers no fine."""
    fined = fined_findings(hand)
    rows = []
    for place, finding in enumerate(hand.findings):
        row = finding_row(table, hand, finding, place, lang) | {"fined": place in fined}
        if session.closed or place in fined:
            row["fine_href"] = row["flag"] = ""
        if place in fined:
            let_pass = not session.rules.fine(fined[place].category)
            row["proposal"] = text("Settled without a fine.") if let_pass else text("The fine is booked.")
        rows.append(row)
    return rows


def flag_links(flags: dict[int, list[str]]) -> list[dict[str, Any]]:
    """A link to the first open flag of each hand that has one."""
    return [
        {
            "hand": number,
            "href": f"/hands/{number}#finding-{keys[0]}",
            "label": text("hand {hand} ({count})", hand=number, count=len(keys))
            if len(keys) > 1
            else text("hand {hand}", hand=number),
        }
        for number, keys in flags.items()
    ]


def finding_row(
    table: LiveTable, hand: DanishHand, finding: DanishFinding, place: int, lang: str
) -> dict[str, Any]:
    """A finding with its proof in words and in pictures, and the fine it proposes."""
    key = finding_key(hand, place)
    unsure = doubt_of(hand, finding)
    who = finding.player or " / ".join(finding.suspects)
    pictures = []
    known = table.evidence.known
    by_card = {(play.player, play.card): play for play in hand.plays}

    def shown(cards: Iterable[str]) -> list[dict[str, Any]]:
        plays = [by_card.get((finding.player or "", card)) for card in cards]
        return [
            {"seq": p.seq, "card": p.card, "name": card_label(p.card, lang), "shot": p.seq in known}
            for p in plays
            if p is not None
        ]

    if finding.card and (offence := shown([finding.card])):
        caption = text("the offence, trick {trick}", trick=finding.trick)
        pictures.append({"caption": caption, "plays": offence})
    if finding.evidence and (proof := shown(finding.evidence)):
        pictures.append({"caption": text("the proof"), "plays": proof})
    category = text(CATEGORIES[finding.category])
    proposal = (
        text(
            "Proposal: {category}, {amount} to each pot. The table decides.",
            category=category,
            amount=finding.fine,
        )
        if finding.fine
        else text("Proposal: {category}, no fine.", category=category)
    )
    asked = bool(finding.fine) and not unsure
    title = text("Unsettled") if unsure else text("Flag")
    return {
        "key": key,
        "hand": hand.number,
        "title": f"{title}: {who}",
        "unsure": text(UNSETTLED[unsure]) if unsure else "",
        "text": finding_text(finding, lang),
        "pictures": pictures,
        "proposal": "" if unsure else proposal,
        "fine_href": f"/fine?finding={key}" if asked else "",
        "flag": flag_name(finding) if asked and finding.player else "",
    }


def flag_name(finding: DanishFinding) -> str:
    """What an entry calls `finding` among those of its hand; it stays the same when others come or go."""
    return f"{finding.player} {finding.name}"


def all_payments(session: DanishSession) -> list[Payment]:
    """Every payment of the evening, in order."""
    return list(session.payments)


def payment_row(payment: Payment, lang: str) -> dict[str, Any]:
    """One payment in words."""
    return {
        "reason": payment_text(payment, lang),
        "source": holder(payment.source),
        "target": holder(payment.target),
        "amount": payment.amount,
        "where": _where(payment),
    }


def part_title(part: DanishHand | SeatChange) -> str:
    """A hand's title, or who joined or left."""
    if isinstance(part, DanishHand):
        return text("Hand {number}", number=part.number)
    if part.kind == "join":
        return text("{player} joins", player=part.player)
    return text("{player} leaves", player=part.player)


def holder(name: str) -> str:
    """A player's name, or a pot's."""
    return text(POT_LABELS[name]) if name in POT_LABELS else name


def _where(payment: Payment) -> str:
    if payment.trick:
        return text("hand {hand}, trick {trick}", hand=payment.hand, trick=payment.trick)
    return text("hand {hand}", hand=payment.hand) if payment.hand else text("the evening")


def declared_text(hand: DanishHand, lang: str) -> str:
    """Who declared what so far, in one line."""
    made = [(name, what) for name, what in hand.declared.items() if what is not None]
    if not made:
        return text("No declarations entered")
    return "; ".join(f"{name}: {_combinations_text(what, lang)}" for name, what in made)


def _combinations_text(made: Sequence[Combination], lang: str) -> str:
    return ", ".join(combination_text(one, lang) for one in made) or text("Pass").lower()


def entry_text(event: Event, lang: str) -> str:
    """An event in a few words, for the undo and for the screen reader."""

    match event:
        case CardPlayed(player=player, card=card):
            return text("{player} played {card}", player=player, card=card_label(card, lang))
        case TrickTaken(player=player):
            return text("Last trick to {player}", player=player)
        case Unwatched():
            return text("The camera saw nothing for a while")
        case Declared(player=player, combinations=made):
            return text("{player} declares {what}", player=player, what=_combinations_text(made, lang))
        case FoolNamed(player=player, suit=suit):
            return text("{player} names the fool {suit}", player=player, suit=suit_name(suit, lang))
        case FoolCalled(player=player):
            return text("{player} calls for the fool", player=player)
        case ToutAnnounced(player=player):
            return text("{player} announces a tout", player=player)
        case PlaysTakenBack(count=count):
            return ntext("{count} card taken back", "{count} cards taken back", count)
        case Fined(player=player, category=category, reason=reason):
            why = reason or text(CATEGORIES[category])
            if category == "superficial":
                return text("No fine for {player}: {reason}", player=player, reason=why)
            return text("{player} is fined: {reason}", player=player, reason=why)
        case SkatShown(cards=cards):
            return text("The skat: {cards}", cards=", ".join(card_label(card, lang) for card in cards))
        case Redealt(reason=reason):
            return text(REDEALS[reason])
        case Adjusted(source=source, target=target, amount=amount, reason=reason):
            names = {"source": pot_name(source, lang), "target": pot_name(target, lang)}
            return text(
                "Adjustment: {amount} from {source} to {target} ({reason})",
                amount=amount,
                reason=reason,
                **names,
            )
        case PlayerJoined(player=player):
            return text("{player} joins", player=player)
        case PlayerLeft(player=player):
            return text("{player} leaves", player=player)
        case HandStarted(dealer=dealer):
            return text("{player} deals", player=dealer) if dealer else text("The next hand is dealt")
        case PlayInserted(card=card):
            return text("A play inserted: {card}", card=card_label(card, lang))
        case PlayCorrected(card=card, player=player, named=named):
            # One sheet puts one of them right.
            if card is not None:
                return text("A play put right: {what}", what=card_label(card, lang))
            return text("A play put right: {what}", what=player or suit_name(named or "T", lang))
        case PlayRemoved():
            return text("A play removed")
        case DealerCorrected(dealer=dealer):
            return text("{player} dealt the hand", player=dealer)
        case HandAbandoned():
            return text("Hand abandoned")
        case SessionClosed():
            return text("Evening settled")
        case EventRetracted():
            return text("A question settled")
        case SessionOpened():
            return text("Evening opened")
    raise AssertionError(f"an event without words: {event}")
