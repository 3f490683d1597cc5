"""The program's own small files: what is in them comes back, and a broken one is told of in one sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tracker.danish.events import EVENTS
from tracker.events import CardPlayed
from tracker.store import StoreError
from vision.watching.learnt import NOTHING_LEARNT, LearntTable
from vision.watching.likeness import BACK_PX
from webui.kept_file import KeptFile
from webui.people.seats import Sides, kept_sides
from webui.reporting.club_line import NOT_JOINED, Joined, kept_joined
from webui.table.arbiter_desk import ArbiterDesk, Opening
from webui.table.changes import Changes
from webui.table.host_choices import HostChoices, kept_choices
from webui.table.set_up import kept_learnt

BACK = np.random.default_rng(9).integers(0, 255, (BACK_PX, BACK_PX, 3), dtype=np.uint8)
KEPT: dict[str, tuple[Callable[[Path], KeptFile[Any]], Any]] = {
    "what the host chose": (kept_choices, HostChoices(deck="Æblet", chip_hundredths=25, camera="0")),
    "who sits where": (kept_sides, Sides({"Åse": "S", "Bo": "E"})),
    "the club": (kept_joined, Joined("https://club.example.org", "key", "Klub", "Bord 1", 3)),
}
DAMAGED = {
    "nothing": b"",
    "cut off": b'{"deck": "Cl',
    "no text": b"\xff\xfe",
    "a list": b"[1]",
    "too deep": b"[" * 100_000,
    "half a letter": b'{"deck": "\\ud800", "sides": {"\\ud800": "S"}}',
    "other kinds": b'{"deck": 1, "sides": {"Anna": 1}, "address": 1, "laid": 3, "asks": 1}',
    "wrong values": b'{"fool": "joker", "sides": {"Anna": "X"}, "since": 1e999, "laid": {"A": [1]}, "asks": [{}]}',
}


def desk_beside(database: Path) -> ArbiterDesk:
    return ArbiterDesk(database, EVENTS, Changes())


@pytest.mark.parametrize("what", KEPT)
def test_what_is_kept_comes_back(what: str, tmp_path: Path) -> None:
    kept, value = KEPT[what]
    file = kept(tmp_path / "evening.sqlite3")
    file.save(value)
    assert kept(tmp_path / "evening.sqlite3").load() == value


def test_what_the_set_up_learnt_comes_back_with_its_backs(tmp_path: Path) -> None:
    kept_learnt(tmp_path / "evening.sqlite3").save(LearntTable({"Anna": (0.5, 0.75)}, 149.5, 1280, (BACK,)))
    found = kept_learnt(tmp_path / "evening.sqlite3").load()
    assert found.laid == {"Anna": (0.5, 0.75)} and found.height_px(640) == pytest.approx(74.75)
    assert np.array_equal(found.backs[0], BACK)


def test_what_waits_for_the_arbiter_comes_back_with_its_events(tmp_path: Path) -> None:
    desk = desk_beside(tmp_path / "evening.sqlite3")
    desk.ask("Bo", (CardPlayed("Bo", "S7"),), 14)
    desk.note_opening(Opening(1, 3, "Carl"))
    again = desk_beside(tmp_path / "evening.sqlite3")
    assert again.asks == desk.asks != () and again.openings == desk.openings == (Opening(1, 3, "Carl"),)


@pytest.mark.parametrize("damage", DAMAGED)
@pytest.mark.parametrize(
    ("load", "nothing"),
    [
        (lambda path: kept_choices(path).load(), HostChoices()),
        (lambda path: kept_sides(path).load(), Sides()),
        (lambda path: kept_joined(path).load(), NOT_JOINED),
        (lambda path: kept_learnt(path).load(), NOTHING_LEARNT),
        (lambda path: desk_beside(path).asks, ()),
    ],
    ids=["host", "seats", "club", "table", "desk"],
)
def test_a_broken_file_is_told_of_in_one_sentence_and_stays(
    load: Callable[[Path], Any],
    nothing: Any,
    damage: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    path = tmp_path / f"evening.sqlite3.{request.node.callspec.id.split('-')[0]}.json"
    path.write_bytes(DAMAGED[damage])
    assert load(tmp_path / "evening.sqlite3") == nothing
    told = capsys.readouterr().err
    assert told.startswith(f"tarok: {path}: cannot be read, and is left out: ") and told.count("\n") == 1
    assert path.read_bytes() == DAMAGED[damage]


def test_a_file_that_is_not_there_is_no_news(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kept_choices(tmp_path / "evening.sqlite3").load() == HostChoices()
    assert capsys.readouterr().err == ""


def test_an_event_of_no_game_leaves_the_desk_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "evening.sqlite3.desk.json").write_text(
        '{"asks": [{"number": 1, "by": "Bo", "events": [{"event": "Flown"}], "after": 2}], "openings": []}'
    )
    assert desk_beside(tmp_path / "evening.sqlite3").asks == ()
    assert "unknown event 'Flown'" in capsys.readouterr().err


def test_what_cannot_be_written_is_said_with_the_file(tmp_path: Path) -> None:
    file = kept_choices(tmp_path / "no folder" / "evening.sqlite3")
    with pytest.raises(StoreError, match=r"evening\.sqlite3\.host\.json: No such file"):
        file.save(HostChoices())
