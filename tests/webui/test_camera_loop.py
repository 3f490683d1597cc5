"""The thread between the eyes and the table: pace, table talk, restarts, and a camera that fails."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from webui_deals import OPENED, SIDES, hand
from webui_page import Page
from webui_table import restarted
from webui_until import until

from tracker.danish.events import Declared, Fined
from tracker.events import CardPlayed, HandStarted, PlayerJoined, Unwatched
from vision.errors import CameraLost, VisionError
from vision.watching.eyes import Health, WatchUpdate
from webui.camera.loop import CameraLoop, Talk
from webui.commands.demo import load_demo
from webui.errors import UserError
from webui.people.seats import parse_seats

FRAME = np.zeros((36, 64, 3), np.uint8)
HEALTH = Health(11.7, 0.083, 20.0, 90.0, 1, ("dark",))
COVERED = Health(11.7, 0.083, 1.0, 90.0, 0, ("blocked",), blind=True)
BLACK = Health(11.7, 0.083, 1.0, 4.0, 0, ("dark",), blind=True)
DIM = Health(11.7, 0.083, 1.0, 30.0, 0, ("dark",))
HAND = hand(3)
CARDS = [event.card for event in HAND[1:]]


def updates(events):
    """One update for each play, at the time of the play."""
    for event in events:
        if isinstance(event, CardPlayed):
            yield seen(event.time_s, event)


def seen(time_s, *events, health=HEALTH):
    return WatchUpdate(time_s, FRAME, (), events, health, None)


def stored(table):
    """The cards played, and "gap" for each time unwatched, in the order in which they are stored."""
    events = [record.event for record in table.recorded]
    return [
        "gap" if isinstance(event, Unwatched) else event.card
        for event in events
        if isinstance(event, Unwatched | CardPlayed)
    ]


def watched(table, events, **options):
    loop = CameraLoop(table, lambda: updates(events), reopen=False, **options)
    loop.start()
    assert loop.ended.wait(20)
    return loop


def test_a_recording_is_booked_to_its_end(table):
    table.enter(HAND[0])
    watched(table, HAND)
    assert table.session.hand.complete
    assert table.camera.status.state == "ended"


def test_what_people_said_is_entered_at_its_time_between_the_plays(table):
    pass_at_once = Talk(0.0, HandStarted("Anna"))
    declared = Talk(1.0, Declared("Anna"))
    fined = Talk(8.0, Fined("Bo", "minor"))
    after_the_end = Talk(500.0, Fined("Carl", "minor"))
    watched(table, HAND, talk=[pass_at_once, declared, fined, after_the_end])
    events = [record.event for record in table.recorded]
    assert events[1:3] == [pass_at_once.event, declared.event]
    assert [type(event).__name__ for event in events[3:8]] == ["CardPlayed"] * 3 + ["Fined", "CardPlayed"]
    assert events[-1] == after_the_end.event


def test_a_restart_in_the_middle_books_nothing_twice(table):
    talk = [Talk(0.0, HandStarted("Anna")), Talk(1.0, Declared("Anna"))]
    watched(table, HAND[:20], talk=talk)
    again = restarted(table)
    watched(again, HAND, talk=talk)
    assert len(again.session.hands) == 1
    assert again.session.hand.complete and not again.session.alerts
    assert stored(again) == CARDS


def test_a_recording_waits_while_one_who_joined_has_no_place_and_goes_on_where_it_was(table):
    table.enter(HAND[0])
    opened, joined = [], []

    def source():
        opened.append(table.seatings)
        for update in updates(HAND):
            yield update
            if not joined and table.session.hand.complete:
                joined.append("Dora")
                table.enter(PlayerJoined("Dora", "Carl"))
        yield seen(200.0)

    loop = CameraLoop(table, source, reopen=False, look=lambda: iter([FRAME] * 1000))
    loop.start()
    until(lambda: table.camera.status.state == "unplaced")
    assert table.unplaced == ("Dora",) and not loop.ended.is_set()
    table.seat({**SIDES, "Dora": "N"})
    assert loop.ended.wait(20) and table.camera.status.state == "ended"
    assert len(opened) == 2 and stored(table) == CARDS and not table.session.alerts


def test_a_recording_is_paced_by_its_own_clock(table):
    table.enter(HAND[0])
    began = time.monotonic()
    watched(table, HAND[:4], speed=20.0)  # the plays are at 3, 5 and 7 s
    assert time.monotonic() - began >= 0.3


@pytest.mark.usefixtures("quickly")
def test_a_camera_that_fails_is_told_of_and_opened_again(table):
    table.enter(HAND[0])
    told = []
    attempts = iter([VisionError("camera 0: cannot be opened"), CameraLost("camera 0: no picture"), None])

    def source():
        failure = next(attempts)
        if failure is not None:
            raise failure
        told.append(table.camera.status.problem)
        yield from updates(HAND[:4])
        told.append(table.camera.status)
        while True:
            time.sleep(0.01)
            yield seen(9.0)

    loop = CameraLoop(table, source, reopen=True)
    loop.start()
    until(lambda: len(told) == 2)
    loop.stop()
    # What is wrong stays on the page, also while it is opened again, until there is a picture.
    assert told[0] == "problem_lost" and told[1].state == "seeing"
    assert (told[1].frames_per_s, told[1].latency_ms, told[1].advice) == (12, 80, ("dark",))
    assert len(table.session.hand.plays) == 3


def test_a_name_that_is_corrected_does_not_open_the_camera_anew(table):
    """The eyes read on by the names that they know; who changes his place makes them begin anew."""
    opened, go_on = [], threading.Event()

    def source():
        opened.append(table.begin_watching())
        if len(opened) > 1:
            return
        yield from updates(HAND[:3])
        go_on.wait(20)
        yield from updates(HAND[3:6])
        while True:
            time.sleep(0.01)
            yield seen(99.0)

    loop = CameraLoop(table, source, reopen=True)
    loop.start()
    until(lambda: len(table.session.hand.plays if table.session.hand else ()) == 2)
    table.rename("Bo", "Bodil")
    go_on.set()
    until(lambda: len(table.session.hand.plays) == 5)
    assert opened == [SIDES] and table.session.seats == ("Anna", "Bodil", "Carl")
    assert [play.card for play in table.session.hand.plays] == CARDS[:5] and not table.session.alerts
    table.seat({"Anna": "E", "Bodil": "S", "Carl": "W"})
    until(lambda: len(opened) == 2)
    loop.stop()
    assert opened[1] == {"Anna": "E", "Bodil": "S", "Carl": "W"}


@pytest.mark.usefixtures("quickly")
def test_why_the_camera_is_not_reading_is_said(empty):
    loop = CameraLoop(empty, lambda: iter([seen(0.0)]), reopen=True)
    loop.start()
    page = Page(empty)
    until(lambda: "The camera waits for an evening" in page.text("/"))
    empty.open_evening(OPENED, {})
    until(lambda: "The camera waits until everybody has a place" in page.text("/"))
    empty.camera.lent = True
    until(lambda: "A deck is being taught; the table is not read" in page.text("/"))
    loop.stop()


@pytest.mark.usefixtures("quickly")
def test_a_camera_that_gives_no_picture_to_be_seated_by_is_told_of_until_it_does(empty):
    told = []

    def look():
        told.append(empty.camera.status.problem)
        if len(told) < 3:
            raise VisionError("camera 0: cannot be opened")
        yield FRAME

    loop = CameraLoop(empty, lambda: iter(()), reopen=True, look=look)
    loop.start()
    until(lambda: len(told) == 3 and empty.camera.status.state == "waiting")
    loop.stop()
    assert told == ["", "problem_source", "problem_source"]


def by_camera(table, *openings):
    """Watch with a camera that is lost after the updates of each of its openings."""
    done = threading.Event()
    left = iter(openings)

    def source():
        opening = next(left, None)
        if opening is None:
            done.set()
        yield from opening or ()
        raise CameraLost("camera 0: no picture")

    loop = CameraLoop(table, source, reopen=True)
    loop.start()
    assert done.wait(20)
    loop.stop()


@pytest.fixture
def quickly(monkeypatch):
    monkeypatch.setattr("webui.camera.loop._REOPEN_AFTER_S", 0.01)


@pytest.mark.usefixtures("quickly")
def test_a_camera_that_comes_back_in_the_middle_of_a_hand_leaves_a_gap_before_the_next_card(table):
    by_camera(table, updates(HAND[:11]), updates(HAND[12:20]))
    assert stored(table) == [*CARDS[:10], "gap", *CARDS[11:19]]
    assert [gap.trick for gap in table.session.hand.gaps] == [4]


@pytest.mark.usefixtures("quickly")
def test_a_program_started_again_in_the_middle_of_a_hand_leaves_a_gap(table):
    by_camera(table, updates(HAND[:11]))
    again = restarted(table)
    by_camera(again, [seen(0.0)])
    assert stored(again) == [*CARDS[:10], "gap"]


@pytest.mark.usefixtures("quickly")
def test_a_camera_lost_again_before_a_card_is_asked_about_once(table):
    by_camera(table, updates(HAND[:11]), [seen(0.0)], [seen(0.0)], updates(HAND[11:12]), [seen(0.0)])
    assert stored(table) == [*CARDS[:10], "gap", CARDS[10], "gap"]


@pytest.mark.usefixtures("quickly")
def test_between_hands_and_before_the_first_card_a_camera_misses_nothing(table):
    table.enter(HAND[0])
    by_camera(table, [seen(0.0)], updates(HAND), [seen(0.0)])
    assert table.session.hand.complete and stored(table) == CARDS


COVERED_AT_30 = seen(30.0, health=COVERED)
LENSES = {
    "a moment": ([COVERED_AT_30, seen(32.5, health=COVERED), seen(32.9)], []),
    "covered still": ([COVERED_AT_30, seen(33.0, health=COVERED)], []),
    "covered": ([COVERED_AT_30, seen(33.0, health=COVERED), seen(33.1), seen(33.2)], ["gap"]),
    "free before it is said to be": (
        [COVERED_AT_30, seen(34.0, HAND[11], health=COVERED), seen(39.0)],
        ["gap", CARDS[10]],
    ),
    "covered twice": (
        [COVERED_AT_30, seen(34.0, HAND[11]), seen(40.0, health=COVERED), seen(44.0)],
        ["gap", CARDS[10], "gap"],
    ),
    "covered again while it is still said to be": (
        [
            *(COVERED_AT_30, seen(34.0, HAND[11], health=COVERED)),
            *(seen(43.0, health=COVERED), seen(60.0, health=COVERED), seen(61.0)),
        ],
        ["gap", CARDS[10], "gap"],
    ),
    "black: the lamp went out, or a lens was covered in a dim room": (
        [seen(30.0, health=BLACK), seen(34.0, health=BLACK), seen(34.1, health=DIM)],
        ["gap"],
    ),
    "dim": ([seen(30.0, health=DIM), seen(34.0, health=DIM), seen(34.1)], []),
}


@pytest.mark.usefixtures("quickly")
@pytest.mark.parametrize(("then", "expected"), LENSES.values(), ids=LENSES)
def test_a_lens_that_was_covered_leaves_one_gap(table, then, expected):
    by_camera(table, [*updates(HAND[:11]), *then])
    assert stored(table) == [*CARDS[:10], *expected]


def test_a_disk_that_cannot_be_written_stays_on_the_page(table):
    table._store.close()
    watched(table, HAND[:5])
    assert (table.camera.status.state, table.camera.status.problem) == ("trouble", "problem_disk")


def failing(*openings):
    """A source that fails by a fault of the program's own after the updates of each of its openings."""
    left = iter(openings)

    def source():
        yield from next(left, ())
        raise ValueError("a fault\nof the program's own")

    return source


@pytest.mark.usefixtures("quickly")
def test_after_a_fault_of_the_programs_own_a_camera_is_opened_again(table, capsys):
    loop = CameraLoop(table, failing(updates(HAND[:11]), updates(HAND[11:14])), reopen=True)
    loop.start()
    until(lambda: table.session.hand and len(table.session.hand.plays) == 13)
    loop.stop()
    assert stored(table) == [*CARDS[:10], "gap", *CARDS[10:13]]
    first, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith("tarok: ")
    assert "test_camera_loop.py" in first and "ValueError: a fault of" in first


def test_a_fault_of_the_programs_own_is_told_in_one_sentence(table, capsys):
    loop = CameraLoop(table, failing(updates(HAND[:3])), reopen=False)
    loop.start()
    assert loop.ended.wait(20)
    assert (table.camera.status.state, table.camera.status.problem) == ("trouble", "problem_stopped")
    assert table.camera.status.detail == "ValueError: a fault of the program's own"
    assert len(table.session.hand.plays) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("Anna@S,Bo@E", "a table has 3 to 6 seats, not 2"),
        ("Anna@S,Bo@E,Carl@Q", "'Carl@Q' is not NAME@SIDE"),
        ("Anna@S,Bo@E,Carl", "'Carl' is not NAME@SIDE"),
        ("Anna@S,Bo@E,Anna@W", "Anna is already seated"),
        ("Anna@S,Bo@E,anna@W", "anna is already seated"),
        ("Anna@S,Bo@E,Carl@S", "side S is taken"),
        ("Anna@S,Bo@E,king@W", "is none of king, pagat"),
        ("Anna@S,Bo@E,@W", "a name has 1 to 24"),
        ("Anna@S,Bo@E,Carl/Carla@W", "no /, and"),
        ("Anna@S,Bo@E,..@W", "a name has 1 to 24"),
    ],
)
def test_a_bad_seat_is_named(words, wrong):
    with pytest.raises(UserError, match=wrong):
        parse_seats(words)


def test_seats_are_taken_counter_clockwise_from_the_bottom():
    assert list(parse_seats("Carl@w, Anna@S ,Bo@E")) == ["Anna", "Bo", "Carl"]


DEMO = 'video = "hand.mp4"\nseats = "Anna@S,Bo@E,Carl@W"\nrules = "dtf-2011"\n'
TALK = f"{DEMO}[[talk]]\ntime_s = "


def test_the_demos_table_talk_is_read_in_order_of_time(tmp_path: Path):
    path = tmp_path / "demo.toml"
    entries = (
        '[[talk]]\ntime_s = 9\nevent = "Fined"\nplayer = "Bo"\ncategory = "minor"\n'
        '[[talk]]\ntime_s = 1.5\nevent = "HandStarted"\ndealer = "Anna"\n'
    )
    path.write_text(DEMO + entries)
    demo = load_demo(path)
    assert demo.sides == SIDES
    assert demo.talk == (Talk(1.5, HandStarted("Anna")), Talk(9.0, Fined("Bo", "minor")))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("rules = 1", "seats is missing"),
        ("rules = ", "demo.toml"),
        (TALK + '1\nevent = "CardPlayed"\nplayer = "Bo"\ncard = "S7"\n', "never from this file"),
        (TALK + '1\nevent = "Sneezed"\n', "unknown event"),
        (TALK + '"noon"\nevent = "HandStarted"\n', "not a number"),
    ],
)
def test_a_demo_that_cannot_be_used_is_named(tmp_path: Path, text, wrong):
    path = tmp_path / "demo.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=wrong):
        load_demo(path)
