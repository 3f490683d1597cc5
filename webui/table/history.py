"""The evenings that are kept: found again, written to files, and read from files."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final, TypeVar

from tracker.events import Event, Recorded, SessionOpened
from tracker.figures import PersonFigures, figures_of
from tracker.games import game_of, game_of_rules, read_session
from tracker.reader import Reader, SessionFileError, parsed
from tracker.renaming import with_names
from tracker.results import Result, Total, result_of, totals
from tracker.session_file import export
from tracker.store import DamagedError
from webui.games.page import GamePage
from webui.games.pages import PAGES
from webui.people.fair_play import Sight, sight_of
from webui.people.seats import is_name, plain_name
from webui.table.kept_evenings import Evening
from webui.table.live import LiveTable
from webui.table.replaying import fold

Reckoned = TypeVar("Reckoned")
ALL_FORMAT: Final = "tarok-evenings/1"
MOST_IN_A_FILE: Final = 1000
"""The most evenings in one file."""
FIRST_YEAR: Final = 1971
LAST_YEAR: Final = 2199
NOON: Final = time(12)
"""The time at which an evening is said to have begun, if only its day is known."""


@dataclass(frozen=True)
class Past:
    """An evening, kept or still at the table, and its result so far."""

    evening: Evening
    result: Result

    @property
    def day(self) -> date:
        """The day on which it began."""
        return self.evening.day


@dataclass(frozen=True)
class Season:
    """The settled evenings of one game, newest first, and their total. Games are never added up."""

    page: GamePage
    settled: list[Past]
    total: list[Total]

    @property
    def keeps_chips(self) -> bool:
        """Whether its results are chips, which players owe, and not points on a score sheet."""
        return self.page.game.session.keeps_chips


def seasons_of(found: Sequence[Past]) -> list[Season]:
    """The settled evenings of each game that has some with a hand, in the order in which the games are offered."""
    seasons = []
    for page in PAGES.values():
        settled = [past for past in found if past.result.counts and is_of(past, page)]
        if settled:
            seasons.append(Season(page, settled, totals(past.result for past in settled)))
    return seasons


def is_of(past: Past, page: GamePage) -> bool:
    """Whether the game of `page` was played on that evening."""
    return past.result.rules in page.game.session.rule_sets


def past_evenings(table: LiveTable, since: date, until: date) -> tuple[list[Past], list[Evening]]:
    """The evenings of `table` that began from `since` to `until`, newest first, and those that are damaged.

    Raises StoreError.
    """
    found, damaged = [], []
    table.kept.forget_changed()
    for evening in table.kept.all():
        if not since <= evening.day <= until:
            continue
        try:
            result = remembered(
                table, table.kept.results, evening.id, lambda shown: result_of(shown.session, shown.parts)
            )
        except DamagedError:
            damaged.append(evening)
            continue
        found.append(Past(evening, result))
    return found, damaged


def figures_past(table: LiveTable, past: Past) -> dict[str, PersonFigures]:
    """The figures of each player of a settled evening, and of each pot. Raises StoreError."""
    return remembered(
        table,
        table.kept.figures,
        past.evening.id,
        lambda shown: figures_of(shown.session, game_of(shown.session).counted),
    )


def remembered(
    table: LiveTable, known: dict[int, Reckoned], number: int, reckon: Callable[[Sight], Reckoned]
) -> Reckoned:
    """What `reckon` makes of the evening `number`, which is `known` once it was asked for. Raises StoreError.

    What was reckoned while something changed is not remembered: it may be of the evening as it was.
    """
    with table.locked():
        version, is_past = table.changes.version, number != table.evening.number
        found = known.get(number) if is_past else None
    if found is None:
        shown = past_sight(table, number)
        assert shown is not None
        found = reckon(shown)
        with table.locked():
            if is_past and table.changes.version == version:
                known[number] = found
    return found


def past_sight(table: LiveTable, number: int) -> Sight | None:
    """What may be shown of the evening `number`; None if there is none. Raises StoreError, DamagedError."""
    with table.locked():
        if table.evening.number == number:
            return table.sight
        record = table.kept.store.events(session=number)
    # Nobody plays it any more, so nothing is hidden.
    return sight_of(fold(record)[0], fair_play=False) if record else None


def all_file(table: LiveTable, evenings: Sequence[Past]) -> dict[str, Any]:
    """The file of several `evenings`: for each when it began, and its session file. Raises StoreError."""
    shown = [(past.evening.began, past_sight(table, past.evening.id)) for past in evenings]
    rows = [{"began": began, "evening": sight.file()} for began, sight in shown if sight is not None]
    return {"format": ALL_FORMAT, "evenings": rows}


def is_day_of_play(day: date) -> bool:
    """Whether every clock and calendar knows `day`, so that an evening may have been played on it."""
    return FIRST_YEAR <= day.year <= LAST_YEAR


def import_file(table: LiveTable, data: bytes, day: date) -> int:
    """Keep the evenings of the file in `data` (UTF-8) that are not kept yet; returns how many.

    The file is a session file, whose evening was on `day`, or one that `all_file` made. All of it is read before
    anything is kept. Raises SessionFileError and StoreError.
    """
    found = list(_evenings_in(data, day))
    kept: set[str] = set()
    for one in table.kept.all():
        with suppress(DamagedError):
            record = table.kept.store.events(session=one.id)
            # One that was settled here is the same evening as its file, which does not close it.
            kept |= {_fingerprint(record), _fingerprint(record, closes=False)}
    new: dict[str, tuple[tuple[Event, ...], datetime]] = {}
    for events, at in found:
        if (mark := _fingerprint(events)) not in kept:
            new.setdefault(mark, (events, at))
    for events, at in new.values():
        table.kept.store.import_session(events, at.timestamp())
    return len(new)


def _evenings_in(data: bytes, day: date) -> Iterator[tuple[tuple[Event, ...], datetime]]:
    """The events of each evening in a file, and when it began."""
    whole = Reader("", parsed(data))
    if not (isinstance(whole.value, dict) and whole.value.get("format") == ALL_FORMAT):
        yield _evening_in(data), datetime.combine(day, NOON)
        return
    whole.object({"format", "evenings"})
    if not whole["evenings"].items():
        whole.fail("it holds no evening")
    if len(whole["evenings"].items()) > MOST_IN_A_FILE:
        whole["evenings"].fail("more than {most} evenings", most=MOST_IN_A_FILE)
    for item in whole["evenings"].items():
        item.object({"began", "evening"})
        try:
            began = datetime.fromisoformat(item["began"].text())
        except ValueError:
            item["began"].fail("must be a day, or a day and a time, as in 2026-09-01 19:30")
        if not is_day_of_play(began):
            item["began"].fail("must be a day from {first} to {last}", first=FIRST_YEAR, last=LAST_YEAR)
        evening = item["evening"]
        try:
            yield _evening_in(json.dumps(evening.value)), began
        except SessionFileError as error:
            raise error.within(evening.place) from None


def _evening_in(data: str | bytes) -> tuple[Event, ...]:
    """The events of a session file, with the names as they are written here. Raises SessionFileError."""
    _, file = read_session(data)
    names = {name: plain_name(name) for name in file.session().balances}
    for name in names.values():
        if not is_name(name):
            raise SessionFileError("seats", "{name!r} is not a name that a player can have here", name=name)
        if list(names.values()).count(name) > 1:
            raise SessionFileError("seats", "{player} is seated twice", player=name)
    return tuple(with_names(event, names) for event in file.events)


def _fingerprint(record: Sequence[Event | Recorded], *, closes: bool = True) -> str:
    """A text that is the same for two evenings with the same events, after all corrections.

    Without `closes` the end of the evening does not count.
    """
    events = [item.event if isinstance(item, Recorded) else item for item in record]
    opened = events[0]
    assert isinstance(opened, SessionOpened)
    data = export(record, game_of_rules(opened.rules).session)
    if not closes:
        data.pop("close", None)
    return json.dumps(data, sort_keys=True)
