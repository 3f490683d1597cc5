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
from tracker.words import card_name, combination_text, pot_name, suit_name
from webui.live import Camera, LiveTable
from webui.seats import SIDES
from webui.texts import text

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


def label(card: str, lang: str) -> str:
    """A card's name without an article: "hjerter dame", "queen of hearts"."""
    return card_name(card, lang).removeprefix("the ")


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
    camera = camera_row(table.camera, lang)
    session = table.session
    if session is None:
        hint = text(lang, "open_intro")
        return View(
            text(lang, "no_evening"),
            camera=camera,
            note={"text": text(lang, "no_evening"), "more": hint, "y": 50},
            acts=[_act(lang, "act_open", "/open", "main")],
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


def camera_row(camera: Camera, lang: str) -> dict[str, Any]:
    """How the source is doing, in words, with what people should put right."""
    problem = text(lang, camera.problem) if camera.problem else ""
    if camera.detail:
        problem += f" ({camera.detail})"
    reopens = camera.problem in ("problem_lost", "problem_source") and camera.reopens
    figures = asdict(camera)
    lines = [{"text": text(lang, f"advice_{key}", **figures), "bad": True} for key in camera.advice]
    if camera.state == "seeing":
        said = text(lang, "health", **figures)
        if camera.card_px:
            said += " · " + text(lang, "health_view", **figures)
        lines.append({"text": said, "bad": False})
    return {"state": camera.state, "problem": problem, "lines": lines, "reopens": reopens}


class _Page:
    def __init__(self, table: LiveTable, session: DanishSession, lang: str) -> None:
        self.table, self.session, self.lang = table, session, lang
        self.hand: DanishHand | None = session.hand
        self.angles = angles(session, table.sides)

    def t(self, key: str, **values: object) -> str:
        return text(self.lang, key, **values)

    def headline(self) -> str:
        if self.session.closed:
            return self.t("evening_closed")
        if self.hand is None:
            return self.t("no_hand")
        return self.t("hand", number=self.hand.number)

    def subline(self) -> str:
        hand = self.hand
        if self.session.closed or hand is None:
            return ""
        if hand.abandoned:
            return self.t("hand_abandoned")
        if hand.complete:
            return self.t("hand_complete")
        return self.t("trick_of", number=max(1, len(hand.tricks))) if hand.plays else ""

    def news(self) -> str:
        """One sentence for a screen reader: the last thing that happened, and who is to play."""
        last = standing(self.table.recorded)[-1:]
        said = [entry_text(record.event, self.lang) for record in last]
        if self.hand is not None and self.hand.to_play and not self.session.closed:
            said.append(f"{self.hand.to_play} {self.t('to_play')}")
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
            return self.t("sits_out")
        won = hand.tricks_won.get(name, 0)
        count = self.t("tricks_one" if won == 1 else "tricks", count=won)
        if not turn:
            return count
        return f"{self.t('to_lead' if hand.trick is None else 'to_play')} · {count}"

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
        return {"king": self.session.pots["king"], "pagat": self.session.pots["pagat"], "x": x, "y": y}

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
            return {"text": self.t("evening_closed"), "more": more, "y": 50}
        if hand is None or hand.complete or hand.abandoned:
            dealer = self.session.next_dealer
            more = self.t("start_note_more", player=dealer) if dealer else ""
            if hand is not None and hand.tricks:
                return None
            return {"text": self.t("start_note"), "more": more, "y": 50}
        if hand.plays:
            return None
        return {"text": self.t("declare_note"), "more": declared_text(hand, self.lang), "y": 50}

    def previous(self) -> dict[str, Any] | None:
        """The trick before this one, small, on the winner's left hand."""
        if self.hand is None or self.session.closed:
            return None
        done = [trick for trick in self.hand.tricks[:-1] if trick.winner]
        if not done:
            return None
        trick = done[-1]
        cards = [{"card": play.card, "name": label(play.card, self.lang)} for play in trick.plays]
        return {"plays": cards, "winner": trick.winner, "x": 14, "y": 84}

    def banners(self) -> list[str]:
        """What everybody must know of the hand just now: the fool's name, a tout announced."""
        hand = self.hand
        if hand is None or hand.complete or hand.abandoned or self.session.closed:
            return []
        said = []
        if hand.tout_announced:
            said.append(self.t("tout_announced", player=hand.tout_announced))
        if hand.trick is not None and hand.trick.plays[0].card == FOOL:
            suit = hand.trick.suit
            named = self.t("fool_named", suit=suit_name(suit, self.lang)) if suit else self.t("fool_unnamed")
            said.append(named)
        return said

    def acts(self) -> list[dict[str, str]]:
        hand = self.hand
        if self.session.closed:
            acts = [_act(self.lang, "act_open", "/open", "main")]
        elif hand is None or hand.complete or hand.abandoned:
            acts = [
                _act(self.lang, "act_start", "/start", "main"),
                _act(self.lang, "act_close", "/settle"),
                _act(self.lang, "act_fine", "/fine"),
                _act(self.lang, "act_more", "/more", "plain"),
            ]
        else:
            before = not hand.plays
            acts = [
                _act(self.lang, "act_play", "/play", "" if before else "main"),
                _act(self.lang, "act_declare", "/declare", "main" if before else ""),
                _act(self.lang, "act_fool", "/fool"),
                _act(self.lang, "act_fine", "/fine"),
                _act(self.lang, "act_more", "/more", "plain"),
            ]
        return [*acts, _act(self.lang, "act_undo", "/undo", "plain")]

    def questions(self) -> list[dict[str, Any]]:
        rows = [self._gap_question(hand, gap) for hand, gap in reversed(open_gaps(self.session))]
        for hand, play in reversed(open_questions(self.session)):
            name = label(play.card, self.lang)
            trick = trick_number(hand, play.seq)
            where = self.t("hand_trick", hand=hand.number, trick=trick)
            if hand is self.hand:
                where = f"{self.t('trick')} {trick}"
            answers = [(play.card, name, True)]
            answers += [(card, label(card, self.lang), False) for card in play.alternatives[:2]]
            rows.append(
                {
                    "seq": play.seq,
                    "title": self.t("question_doubt", player=play.player),
                    "text": self.t("question_doubt_more", where=where.capitalize(), card=name),
                    "answers": answers,
                    "shot": play.seq in self.table.evidence.known,
                }
            )
        return rows

    def _gap_question(self, hand: DanishHand, gap: Gap) -> dict[str, Any]:
        where = self.t("hand_trick", hand=hand.number, trick=gap.trick)
        return {
            "seq": gap.seq,
            "title": self.t("question_gap"),
            "text": self.t("question_gap_more", where=where),
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
                "name": label(alert.card, self.lang) if alert.card in CARDS else "",
                "title": self.t("alert_title"),
                "text": alert.text(self.lang),
            }
            for alert in open_alerts(self.session)
        ]

    def untaken(self) -> list[dict[str, Any]]:
        """What the program failed to take in, with the card if it was one."""
        rows = []
        for one in self.table.untaken:
            play = one.event if isinstance(one.event, CardPlayed) and one.event.card in CARDS else None
            what = f" {play.player}: {label(play.card, self.lang)}." if play is not None else ""
            rows.append({"number": one.number, "text": self.t("untaken") + what})
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
        where = self.t("hand", number=hand.number)
        return [
            row | {"title": f"{row['title']} · {where}"}
            for row, finding in zip(rows, hand.findings, strict=True)
            if finding.fine and not row["fined"]
        ]

    def earlier_flags(self) -> list[dict[str, Any]]:
        """Where the open flags stand of the hands whose findings the table no longer shows."""
        return flag_links(_flags_of(self.session, self.session.hands[:-2]), self.lang)

    def latest_payments(self) -> list[tuple[int, Payment]]:
        return list(enumerate(all_payments(self.session)))[: -_LATEST_PAYMENTS - 1 : -1]


def _act(lang: str, key: str, href: str, style: str = "") -> dict[str, str]:
    return {"label": text(lang, key), "href": href, "style": style}


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
        name=label(play.card, lang),
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
            row["proposal"] = text(lang, "fine_let_pass" if let_pass else "fine_booked")
        rows.append(row)
    return rows


def flag_links(flags: dict[int, list[str]], lang: str) -> list[dict[str, Any]]:
    """A link to the first open flag of each hand that has one."""
    return [
        {
            "hand": number,
            "href": f"/hands/{number}#finding-{keys[0]}",
            "label": text(lang, "hand_flags", hand=number, count=len(keys))
            if len(keys) > 1
            else text(lang, "hand_only", hand=number),
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
            {"seq": p.seq, "card": p.card, "name": label(p.card, lang), "shot": p.seq in known}
            for p in plays
            if p is not None
        ]

    if finding.card and (offence := shown([finding.card])):
        caption = text(lang, "proof_offence", trick=finding.trick)
        pictures.append({"caption": caption, "plays": offence})
    if finding.evidence and (proof := shown(finding.evidence)):
        pictures.append({"caption": text(lang, "proof_shown"), "plays": proof})
    category = text(lang, f"category_{finding.category}")
    proposal = (
        text(lang, "fine_proposal", category=category, amount=finding.fine)
        if finding.fine
        else text(lang, "fine_proposal_free", category=category)
    )
    asked = bool(finding.fine) and not unsure
    return {
        "key": key,
        "hand": hand.number,
        "title": f"{text(lang, 'unsure_title' if unsure else 'flag_title')}: {who}",
        "unsure": text(lang, f"unsure_{unsure}") if unsure else "",
        "text": finding.text(lang),
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
        "reason": payment.text(lang),
        "source": holder(payment.source, lang),
        "target": holder(payment.target, lang),
        "amount": payment.amount,
        "where": _where(payment, lang),
    }


def part_title(part: DanishHand | SeatChange, lang: str) -> str:
    """A hand's title, or who joined or left."""
    if isinstance(part, DanishHand):
        return text(lang, "hand", number=part.number)
    return text(lang, f"did_{part.kind}", player=part.player)


def holder(name: str, lang: str) -> str:
    """A player's name, or a pot's."""
    return text(lang, f"{name}_cup") if name in ("king", "pagat") else name


def _where(payment: Payment, lang: str) -> str:
    if payment.trick:
        return text(lang, "hand_trick", hand=payment.hand, trick=payment.trick)
    return text(lang, "hand_only", hand=payment.hand) if payment.hand else text(lang, "evening")


def declared_text(hand: DanishHand, lang: str) -> str:
    """Who declared what so far, in one line."""
    made = [(name, what) for name, what in hand.declared.items() if what is not None]
    if not made:
        return text(lang, "no_declarations")
    return "; ".join(f"{name}: {_combinations_text(what, lang)}" for name, what in made)


def _combinations_text(made: Sequence[Combination], lang: str) -> str:
    return ", ".join(combination_text(one, lang) for one in made) or text(lang, "declare_pass").lower()


def entry_text(event: Event, lang: str) -> str:
    """An event in a few words, for the undo and for the screen reader."""

    def t(key: str, **values: object) -> str:
        return text(lang, key, **values)

    match event:
        case CardPlayed(player=player, card=card):
            return t("did_play", player=player, card=label(card, lang))
        case TrickTaken(player=player):
            return t("last_trick", player=player)
        case Unwatched():
            return t("did_unwatched")
        case Declared(player=player, combinations=made):
            return t("did_declare", player=player, what=_combinations_text(made, lang))
        case FoolNamed(player=player, suit=suit):
            return t("did_name", player=player, suit=suit_name(suit, lang))
        case FoolCalled(player=player):
            return t("did_call", player=player)
        case ToutAnnounced(player=player):
            return t("did_tout", player=player)
        case PlaysTakenBack(count=count):
            return t("did_take_back", count=count)
        case Fined(player=player, category=category, reason=reason):
            key = "did_let_pass" if category == "superficial" else "did_fine"
            return t(key, player=player, reason=reason or t(f"category_{category}"))
        case SkatShown(cards=cards):
            return t("did_skat", cards=", ".join(label(card, lang) for card in cards))
        case Redealt(reason=reason):
            return t(f"did_redeal_{reason}")
        case Adjusted(source=source, target=target, amount=amount, reason=reason):
            names = {"source": pot_name(source, lang), "target": pot_name(target, lang)}
            return t("did_adjust", amount=amount, reason=reason, **names)
        case PlayerJoined(player=player):
            return t("did_join", player=player)
        case PlayerLeft(player=player):
            return t("did_leave", player=player)
        case HandStarted(dealer=dealer):
            return t("did_start", player=dealer) if dealer else t("did_start_next")
        case PlayInserted(card=card):
            return t("did_insert", card=label(card, lang))
        case PlayCorrected(card=card, player=player, named=named):
            # One sheet puts one of them right.
            if card is not None:
                return t("did_correct", what=label(card, lang))
            return t("did_correct", what=player or suit_name(named or "T", lang))
        case PlayRemoved():
            return t("did_remove")
        case DealerCorrected(dealer=dealer):
            return t("did_dealer", player=dealer)
        case HandAbandoned():
            return t("did_abandon")
        case SessionClosed():
            return t("did_close")
        case EventRetracted():
            return t("did_retract")
        case SessionOpened():
            return t("did_open")
    raise AssertionError(f"an event without words: {event}")
