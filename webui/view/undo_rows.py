"""What an undo would do, told beforehand: what goes, what stays, and which flags change."""

from dataclasses import dataclass
from typing import Any

from tracker.doubts import doubt_of
from tracker.events import Recorded
from tracker.findings import Finding
from tracker.games import game_of
from tracker.hand import Hand
from tracker.open_questions import fined_findings
from tracker.session import Session
from tracker.undo import goes_back, is_by_hand, standing, undone_with, without
from webui.people.fair_play import Sight, sight_of
from webui.table.live import LiveTable
from webui.table.replaying import fold
from webui.texts import text
from webui.view.entry_rows import placed_texts, still_corrected, who_text


@dataclass(frozen=True)
class UndoView:
    """An undo of the entry `to`. All of `gone` goes with it, newest first; `goes` has the words, and who entered it.

    `stays` is what people entered since and what stays. `alone`: only what refers to the entry goes with it. `in_force`
    says which other corrections of the same card stand. `flags` say what becomes of the flags.
    """

    to: int
    gone: list[Recorded]
    goes: list[tuple[str, str]]
    stays: list[tuple[str, str]]
    alone: bool
    in_force: list[str]
    flags: list[str]


def undone(table: LiveTable, to: int) -> list[Recorded]:
    """The records that go when the entry `to` is undone, newest first."""
    return undone_with(table.recorded, to, lambda recorded: fold(recorded)[0])


def build_undo(table: LiveTable, sight: Sight, to: int, lang: str) -> UndoView | None:
    """What undoing the entry `to` would do; None if it cannot be undone."""
    gone = undone(table, to)
    if not gone:
        return None
    numbers = {one.seq for one in gone}
    alone = not goes_back(table.recorded[to - 1].event)
    later = [one for one in standing(table.recorded) if one.seq > to and is_by_hand(one.event)]
    stays = [one for one in reversed(later) if one.seq not in numbers]
    after = fold(without(table.recorded, numbers))[0]
    return UndoView(
        to,
        gone,
        _told(table, sight, gone, lang),
        [] if alone else _told(table, sight, stays, lang),
        alone,
        still_corrected(sight, table.recorded, gone, lang),
        _flags(sight, sight_of(after, table.choices.fair_play), lang),
    )


def _told(table: LiveTable, sight: Sight, records: list[Recorded], lang: str) -> list[tuple[str, str]]:
    said = placed_texts(sight, table.recorded, records, lang)
    return [
        (what, who_text(one.by) if one.by or is_by_hand(one.event) else text("the camera"))
        for what, one in zip(said, records, strict=True)
    ]


def _flags(before: Sight, after: Sight, lang: str) -> list[str]:
    """What becomes of each finding that is told before the undo or after it."""
    then, now = _findings(before), _findings(after)
    words = game_of(before.session).words
    said = []
    for key in {**then, **now}:
        finding = (now.get(key) or then[key])[1]
        change = _change(then.get(key), now.get(key))
        if change:
            said.append(text(": ").join((change, words.finding_text(finding, lang))))
    return said


_Told = tuple[Hand, Finding]


def _findings(sight: Sight) -> dict[tuple[int, str | None, str], _Told]:
    session: Session[Any, Any] = sight.session
    return {
        (hand.number, finding.player, finding.name): (hand, finding)
        for hand in session.hands
        for _, finding in sight.findings(hand)
    }


def _change(then: _Told | None, now: _Told | None) -> str:
    """What becomes of a finding that is so `then`, before the undo, and so `now`, after it; "" for nothing."""
    if now is None:
        return text("This flag falls away")
    if then is None:
        return text("This flag comes up")
    if _is_settled(*then) and not _is_settled(*now):
        return text("This flag is open again")
    if doubt_of(*then) and not doubt_of(*now):
        return text("This flag becomes certain")
    return text("This flag waits for an answer") if doubt_of(*now) and not doubt_of(*then) else ""


def _is_settled(hand: Hand, finding: Finding) -> bool:
    return any(hand.findings[place] == finding for place in fined_findings(hand))
