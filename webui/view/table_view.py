"""The table's page: all that its regions show."""

from dataclasses import dataclass, field, replace
from typing import Any

from tracker.events import EventRetracted
from tracker.hand import Hand
from tracker.open_questions import dealers_asked, flags_by_hand
from tracker.session import Session
from tracker.undo import is_by_hand, standing
from webui.app_parts import app_parts
from webui.games.page import ActRow, Asked, CentreNote, ScoreTable
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.people.phones import Phone
from webui.people.roles import Role, may_open
from webui.table.live import LiveTable
from webui.table.scorekeeper import as_first_trick_shows
from webui.texts import text
from webui.view.camera_row import CameraRow, camera_row
from webui.view.entry_rows import AskRow, ask_rows, entry_text, opening_texts, refused_texts, still_corrected
from webui.view.evening_result import EveningResult, build_evening_result
from webui.view.felt import Felt, build_felt
from webui.view.finding_rows import FindingRow, FlagLink, finding_rows, flag_links
from webui.view.hand_rows import HandRows, hand_rows
from webui.view.invite import Invite, build_invite, moved_text
from webui.view.notices import (
    AlertRow,
    FineRow,
    Question,
    UntakenRow,
    alert_rows,
    fine_rows,
    questions,
    untaken_rows,
)
from webui.view.payment_rows import PaidRow, paid_rows
from webui.view.practice import Counted, build_practice
from webui.view.recording_row import NOTHING_RECORDED, RecordingRow, recording_row
from webui.view.result_rows import HandResult, build_result, ending_texts
from webui.view.round_notice import RoundNotice, round_notice


@dataclass(frozen=True)
class TableView:
    """What the table's regions show, in one language.

    - `news`: the news for a screen reader.
    - `unplaced`: the players without a place in the picture.
    - `dealers`: the hands of which it is asked who dealt. Until people have answered, nothing else is asked about
      their play.
    - `asked`: what the game asks. `fines`: those for flags that no longer stand, and what else was done for such.
    - `earlier_flags`: the open flags of hands whose findings the table no longer shows.
    - `hands`: the numbers of all hands.
    - `asks`: the requests that wait for the arbiter.
    - `openings`: which hidden tricks were opened, and by whom.
    - `claims`: the phones of which the host must still say whose they are.
    - `moved`: says that the laptop's address has changed.
    - `round`: the round of the club's tournament.
    """

    headline: str
    camera: CameraRow
    felt: Felt
    acts: list[ActRow]
    subline: str = ""
    news: str = ""
    unplaced: str = ""
    questions: list[Question] = field(default_factory=list)
    dealers: list[Hand] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    fines: list[FineRow] = field(default_factory=list)
    alerts: list[AlertRow] = field(default_factory=list)
    untaken: list[UntakenRow] = field(default_factory=list)
    open_findings: list[FindingRow] = field(default_factory=list)
    settled_findings: list[FindingRow] = field(default_factory=list)
    earlier_flags: list[FlagLink] = field(default_factory=list)
    payments: list[PaidRow] = field(default_factory=list)
    score_sheet: ScoreTable | None = None
    hands: list[int] = field(default_factory=list)
    history: HandRows | None = None
    result: HandResult | None = None
    evening: EveningResult | None = None
    asks: list[AskRow] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    claims: list[Phone] = field(default_factory=list)
    moved: str = ""
    invite: Invite | None = None
    practises: bool = False
    counted: Counted | None = None
    round: RoundNotice | None = None
    recording: RecordingRow = NOTHING_RECORDED

    @property
    def waiting(self) -> int:
        """How many questions and flags wait for somebody."""
        asked = len(self.asks) + len(self.claims) + len(self.asked) + len(self.questions) + len(self.alerts)
        return (
            asked
            + len(self.dealers)
            + len(self.fines)
            + len(self.untaken)
            + len(self.open_findings)
            + bool(self.unplaced)
            + bool(self.camera.problem)
            + self.recording.asks_me
        )


def build_view(table: LiveTable, lang: str, role: Role, seat: str = "") -> TableView:
    """What the page of `table` shows in `lang` to a `role` at `seat`; the caller holds `table.locked()`."""
    camera = camera_row(table.camera.status)
    sight = table.sight
    # To a program that listens to this computer alone, as the demo does, no phone is meant to come.
    invites = role in (Role.WALL, Role.HOST) and not app_parts().network.only_here
    invite = build_invite() if invites else None
    if sight is None:
        none = _no_evening(camera, role)
        return replace(none, invite=invite, moved=moved_text(), round=round_notice())
    session, hand = sight.session, sight.session.hand
    open_findings, settled_findings = _findings(table, sight, lang)
    shown = replace(sight, session=as_first_trick_shows(session))
    watched = table.camera.is_there and not session.closed
    vouches = role is Role.HOST and not session.closed
    page, phones = page_of(session), app_parts().phones
    newest = [payment for payment in session.payments if payment.hand == len(session.hands)]
    return TableView(
        headline=_headline(session),
        subline=_subline(shown.session, lang),
        news=_news(table, shown, lang),
        camera=camera,
        unplaced=", ".join(table.unplaced) if watched else "",
        felt=build_felt(table, sight, lang, seat),
        acts=[act for act in _acts(session) if may_open(role, act.href)],
        questions=questions(table, session, lang),
        asked=page.unscored(session, lang) if session.closed else page.asked(session, lang, watched),
        dealers=dealers_asked(session),
        fines=fine_rows(session, lang),
        alerts=alert_rows(session, lang),
        untaken=untaken_rows(table, lang),
        open_findings=open_findings,
        settled_findings=settled_findings,
        earlier_flags=flag_links(flags_by_hand(session, session.hands[:-2])),
        payments=paid_rows(newest, page.game.words, lang),
        score_sheet=page.score_table(sight, lang),
        result=build_result(session, lang),
        evening=build_evening_result(table, sight, lang),
        hands=[one.number for one in session.hands],
        history=hand_rows(table, shown, shown.session.hand, lang) if shown.session.hand else None,
        asks=ask_rows(table, lang),
        openings=opening_texts(table.desk.openings, hand.number) if hand is not None and sight.hidden else [],
        refused=refused_texts(table.evening.often_refused) if role is Role.HOST else [],
        claims=[one for one in phones.all() if one.seat and not one.vouched] if vouches else [],
        moved=moved_text(),
        invite=invite,
        practises=sight.practises and not session.closed,
        counted=build_practice(sight, seat, lang),
        round=round_notice(),
        recording=recording_row(table, phones, role, seat),
    )


def _no_evening(camera: CameraRow, role: Role) -> TableView:
    hint = text("The host opens one on the computer.")
    if role is Role.HOST:
        hint = text("“New evening” asks for the game, the camera and who sits where.")
    closed = text("No evening is open")
    return TableView(
        headline=closed,
        camera=camera,
        felt=Felt(note=CentreNote(closed, hint)),
        acts=[ActRow(text("New evening"), "/setup", "main")] if role is Role.HOST else [],
    )


def _headline(session: Session[Any, Any]) -> str:
    if session.closed:
        return text("The evening is over")
    if session.hand is None:
        return text("Waiting for the next hand")
    return text("Hand {number}", number=session.hand.number)


def _subline(session: Session[Any, Any], lang: str) -> str:
    hand = session.hand
    if session.closed or hand is None:
        return ""
    if hand.abandoned and not hand.void and not page_of(session).lacks(hand, lang):
        return text("The hand was abandoned")
    if hand.complete or hand.abandoned:
        return text("The hand is over")
    if hand.by_result:
        return text("by its result")
    of = session.plays_in_hand(session.rules, len(session.seats)) // len(hand.active)
    return text("trick {number} of {all}", number=len(hand.tricks), all=of) if hand.tricks else ""


def _news(table: LiveTable, sight: Sight, lang: str) -> str:
    """The last event in words, or what was undone and what stays, and who is to play."""
    session = sight.session
    said = [entry_text(sight, record, lang) for record in standing(table.recorded)[-1:]]
    newest = table.recorded[-1].event
    undone = table.recorded[newest.seq - 1] if isinstance(newest, EventRetracted) else None
    if undone is not None and is_by_hand(undone.event):
        said = [
            text("Undone: {what}", what=entry_text(sight, undone, lang)),
            *still_corrected(sight, table.recorded, [undone], lang),
        ]
    if session.hand is not None and session.hand.to_play and not session.closed:
        who, what = page_of(session).speaker(session.hand) or (session.hand.to_play, text("to play"))
        said += [] if session.hand.by_result else [f"{who} {what}"]
    elif session.hand is not None and not session.closed:
        said += ending_texts(session, lang)
    return ". ".join(one.rstrip(".") for one in said)


def _acts(session: Session[Any, Any]) -> list[ActRow]:
    hand = session.hand
    undo = ActRow(text("Undo"), "/undo", "plain")
    if session.closed:
        return [ActRow(text("New evening"), "/setup"), undo]
    page = page_of(session)
    result = ActRow(text("Enter the result"), page.result_href, "main")
    fine = [ActRow(text(page.fine), page.fine_href)] if page.fine_href and hand is not None else []
    other = ActRow(text("Other"), "/more", "plain")
    if hand is None or hand.complete or hand.abandoned:
        finish = ActRow(text(page.finish), "/settle", "main" if session.over else "")
        if session.over:
            return [finish, *fine, other, undo]
        by_result = [result] if session.by_result else []
        start = ActRow(text("Start hand"), "/start", "" if hand is not None or by_result else "main")
        return [*by_result, start, finish, *fine, other, undo]
    if hand.by_result:
        return [result, *fine, other, undo]
    return [*page.acts(hand), *fine, other, undo]


def _findings(table: LiveTable, sight: Sight, lang: str) -> tuple[list[FindingRow], list[FindingRow]]:
    """The open findings, and the settled ones of this hand."""
    session = sight.session
    if session.hand is None:
        return [], []
    rows = finding_rows(table, sight, session.hand, lang)
    before = _findings_before(table, sight, session.hands[-2], lang) if len(session.hands) > 1 else []
    waiting = [*before, *(row for row in rows if not row.fined)]
    # Certain findings come first, then those that wait for an answer, each with the newest on top.
    return sorted(waiting[::-1], key=lambda row: bool(row.unsure)), [row for row in rows if row.fined]


def _findings_before(table: LiveTable, sight: Sight, hand: Hand, lang: str) -> list[FindingRow]:
    """The flags of the hand before this one that were neither fined nor let pass."""
    where = text("Hand {number}", number=hand.number)
    return [
        replace(row, title=f"{row.title} · {where}")
        for row in finding_rows(table, sight, hand, lang)
        if row.is_flag and not row.fined
    ]
