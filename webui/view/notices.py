"""The questions to the table: about doubtful plays, about unwatched times, and about what cannot have happened."""

from dataclasses import dataclass, field
from typing import Any

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, HandAbandoned
from tracker.findings import Alert
from tracker.games import game_of
from tracker.hand import Gap, Hand
from tracker.open_questions import (
    following,
    next_hand_seen,
    open_alerts,
    open_gaps,
    open_questions,
    undone_to_go_on,
    unfounded_ends,
    unfounded_fines,
)
from tracker.session import Session
from tracker.tricks import Play
from webui.games.pages import page_of
from webui.table.live import LiveTable
from webui.texts import begun, ntext, text, where_text
from webui.view.event_text import event_text
from webui.view.hand_rows import trick_number
from webui.view.put_right import put_right_href
from webui.view.unseen import unseen_at


@dataclass(frozen=True)
class Question:
    """A question about a doubtful play or, if `gap`, an unwatched time; `seq` is the number of its event.

    `answers` are the cards that a doubtful play may be: (card, name, whether it is booked so). `shot`: there is a
    picture of the play. `enter_href` is the dialog in which a missed card is entered, "" if none can be. `settles` is
    the button which says that nothing is missing. `goes_on`: the next hand may have been taken for begun by mistake.
    """

    seq: int
    title: str
    text: str
    answers: list[tuple[str, str, bool]] = field(default_factory=list)
    shot: bool = False
    gap: bool = False
    enter_href: str = ""
    settles: str = ""
    goes_on: bool = False


@dataclass(frozen=True)
class FineRow:
    """What was done for a flag that no longer stands, as event `seq`: a fine, or the end of a hand.

    `action` is where the answer goes. `back` is the button that takes it back, `keep` the one that lets it stand.
    """

    seq: int
    title: str
    text: str
    action: str
    back: str
    keep: str


@dataclass(frozen=True)
class AlertRow:
    """An event that cannot have happened as booked, with its card if it has one.

    `name` is the card's name, "" for one outside the pack. `href` is the dialog that puts the event right, `enter_href`
    the one in which a missing card is entered, `open_href` the trick; each is "" if there is none. `is_play`: the event
    is a play. `label` is on the button which says that all is right as it is. `hand` is the number of the hand, and
    `dealer` who dealt it by its first trick, if the one who did it was thought to sit out; else "".
    """

    seq: int
    title: str
    text: str
    card: str | None
    name: str
    href: str
    is_play: bool
    label: str
    enter_href: str = ""
    open_href: str = ""
    hand: int = 0
    dealer: str = ""


@dataclass(frozen=True)
class UntakenRow:
    """An event of the camera that the program failed to take in."""

    number: int
    text: str


def questions(table: LiveTable, session: Session[Any, Any], lang: str) -> list[Question]:
    """The open questions: first the unwatched times, then the doubtful plays, each with the newest first."""
    gaps = [_gap_question(table, session, hand, gap) for hand, gap in reversed(open_gaps(session))]
    plays = [_play_question(table, session, *asked, lang) for asked in reversed(open_questions(session))]
    return gaps + plays


def _play_question(
    table: LiveTable, session: Session[Any, Any], hand: Hand, play: Play, lang: str
) -> Question:
    words = game_of(session).words
    name = words.card_label(play.card, lang)
    where = where_text(trick_number(hand, play.seq), hand.number, len(session.hands))
    seen = {one.card for one in hand.plays if not one.alternatives}  # read for sure, or entered
    left = [card for card in play.alternatives if card not in seen]
    others = [(card, words.card_label(card, lang), False) for card in left[:2]]
    return Question(
        seq=play.seq,
        title=text("Which card did {player} play?", player=play.player),
        text=" ".join(
            [
                text("{where}. The camera read {card} but is in doubt.", where=where.capitalize(), card=name),
                *([text("Play goes on meanwhile.")] if session.under_way else []),
            ]
        ),
        answers=[(play.card, name, True), *others],
        shot=play.seq in table.pictures.evidence.known,
    )


def _gap_question(table: LiveTable, session: Session[Any, Any], hand: Hand, gap: Gap) -> Question:
    enter_href = f"/unseen/{gap.seq}" if unseen_at(table, session, gap.seq) and not session.closed else ""
    if next_hand_seen(hand, gap) is not None:
        title = text("Did hand {hand} end early?", hand=hand.number)
        said = ntext(
            "The camera saw {count} trick of that hand. Then the next hand began.",
            "The camera saw {count} tricks of that hand. Then the next hand began.",
            gap.trick - 1,
        )
        goes_on, settles = bool(undone_to_go_on(session, hand, gap)), text("It ended there")
        return Question(
            gap.seq, title, said, gap=True, enter_href=enter_href, settles=settles, goes_on=goes_on
        )
    return Question(
        seq=gap.seq,
        title=text("Did the camera miss anything?"),
        text=text(
            "The camera saw nothing for a while in {where}. Were cards played meanwhile? Until "
            "this is answered nobody is flagged for what followed.",
            where=text("hand {hand}, trick {trick}", hand=hand.number, trick=gap.trick),
        ),
        gap=True,
        enter_href=enter_href,
        settles=text("Nothing is missing"),
    )


def fine_rows(session: Session[Any, Any], lang: str) -> list[FineRow]:
    """The fines for flags that no longer stand, and the hands that ended for such, each with the oldest first."""

    def row(hand: Hand, event: Event, seq: int, title: str, action: str, back: str, keep: str) -> FineRow:
        if hand is not session.hand:
            title = f"{title} · {text('Hand {number}', number=hand.number)}"
        given = event_text(event, lang, page_of(session)).rstrip(".")
        gone = text("That flag no longer stands, because something was corrected.")
        return FineRow(seq, title, f"{given}. {gone}", action, back, keep)

    rows = []
    for hand, seq in unfounded_fines(session):
        fine = hand.fines[seq]
        title = text("Does {player} still have to pay that fine?", player=fine.player)
        rows.append(
            row(hand, fine, seq, title, f"/fines/{seq}", text("Take the fine back"), text("It stands"))
        )
    for hand, event, seq in unfounded_ends(session):
        title, back = text("Does the hand stay annulled?"), text("The hand counts")
        if isinstance(event, HandAbandoned):
            title, back = text("Does the hand stay abandoned?"), text("Play on")
        rows.append(row(hand, event, seq, title, f"/ends/{seq}", back, text("Leave it so")))
    return rows


def alert_rows(session: Session[Any, Any], lang: str) -> list[AlertRow]:
    """The open alerts, oldest first."""
    standing = dict(session.standing) if session.alerts else {}
    return [_alert_row(session, alert, standing.get(alert.seq), lang) for alert in open_alerts(session)]


def _alert_row(session: Session[Any, Any], alert: Alert, event: Event | None, lang: str) -> AlertRow:
    words, hand = game_of(session).words, next((hand for hand in session.hands if alert in hand.alerts), None)
    said, is_void = words.alert_text(alert, lang), alert.kind == "hand_is_void"
    named = alert.card is not None and ("card", alert.card) in (alert.reason.values if alert.reason else ())
    if alert.kind in ("impossible_event", "misfit") and not named and event is not None:
        entry = event_text(event, lang, page_of(session)).rstrip(".")
        said = f"{begun(entry)}. {said}"  # what was entered, because the reason does not say it
    if not is_void and (count := len(following(session, alert.seq))):
        more = ntext("This leads to {count} more question.", "This leads to {count} more questions.", count)
        said = f"{said} {more}"
    title = text("What happened?") if alert.trick is None else text("Trick {trick}", trick=alert.trick)
    if hand is not None and hand is not session.hand:
        title = f"{title} · {text('Hand {number}', number=hand.number)}"
    label = text("It is settled")
    if alert.kind == "trick_taken_early":
        label = text("Nothing is missing")
    elif alert.trick is not None:
        label = text("The trick is right")
    if is_void:
        said = text(
            "The hand does not count, so nothing that came after it counts. Is that right? If not, correct "
            "what was said."
        )
        label = text("It does not count")
    is_play = not is_void and (isinstance(event, CardPlayed) or (event is None and alert.card is not None))
    own = "" if is_void else put_right_href(page_of(session), event, alert.seq) if event is not None else ""
    return AlertRow(
        seq=alert.seq,
        title=title,
        text=said,
        card=alert.card,
        name=words.card_label(alert.card, lang) if alert.card in CARDS else "",
        href=f"/plays/{alert.seq}" if is_play else own,
        is_play=is_play,
        label=label,
        enter_href=f"/unseen/{alert.seq}" if alert.out_of_step and not session.closed else "",
        open_href=f"/hands/{hand.number}/tricks/{alert.trick}" if hand is not None and alert.trick else "",
        hand=hand.number if hand is not None else 0,
        dealer=(hand.dealer_by_first_trick or "") if hand and hand.is_of_one_who_sits_out(alert) else "",
    )


def untaken_rows(table: LiveTable, lang: str) -> list[UntakenRow]:
    """The camera's events that the program failed to take in, each with its card if it was a play."""
    failed = text(
        "Something went wrong in the program, and what the camera saw is not counted. See "
        "what is missing and enter it."
    )
    if table.session is None:
        return []
    words = game_of(table.session).words
    rows = []
    for one in table.camera.untaken:
        play = one.event if isinstance(one.event, CardPlayed) and one.event.card in CARDS else None
        what = f" {play.player}{text(': ')}{words.card_label(play.card, lang)}." if play is not None else ""
        rows.append(UntakenRow(one.number, failed + what))
    return rows
