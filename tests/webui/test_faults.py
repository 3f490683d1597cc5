"""A fault of the program's own, put in by the test: it costs one event, people are told, and the rest goes on."""

from copy import deepcopy

import pytest
from webui_camera import sees
from webui_page import Page
from webui_table import restarted
from webui_until import until

from tracker.danish.hand import DanishHand, EventError
from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, HandStarted, PlayCorrected, PlaysTakenBack
from tracker.store import EventStore
from webui.app_parts import app_parts
from webui.camera.teaching import Teaching
from webui.table.live import RefusedError


@pytest.fixture
def faulty(monkeypatch):
    """A game that fails at the king of hearts."""
    play = DanishHand.play

    def failing(hand, event, seq):
        if event.card == "HR":
            raise ZeroDivisionError("a fault of the game's own")
        play(hand, event, seq)

    monkeypatch.setattr(DanishHand, "play", failing)


def stored(table):
    return [getattr(record.event, "card", None) for record in EventStore(table.path).events()[1:]]


@pytest.mark.usefixtures("faulty")
def test_what_the_game_fails_at_is_not_stored_and_the_next_card_is(table, page, capfd):
    table.enter(HandStarted("Anna"))
    sees(table, "Bo:H6")
    for _ in range(4):  # as many pictures
        sees(table)
    sees(table, "Carl:HR", "Carl:H7")
    sees(table, "Anna:H8")
    assert stored(table) == [None, "H6", "H7", "H8"]
    assert [play.card for play in table.session.hand.plays] == ["H6", "H7", "H8"]
    (line,) = capfd.readouterr().err.splitlines()
    assert "ZeroDivisionError: a fault of the game's own" in line
    said = "what the camera saw is not counted. See what is missing and enter it. Carl: king of hearts."
    assert said in page.text("/")
    assert page.post("/untaken/1") == (200, "Rettet; alt efter det er regnet om.")
    assert page.post("/untaken/1")[0] == 409
    assert "king of hearts" not in page.text("/")


@pytest.mark.usefixtures("faulty")
def test_a_hand_is_not_begun_by_a_card_that_the_game_fails_at(table):
    sees(table, "Bo:HR")
    assert stored(table) == [] and table.session.hand is None


@pytest.mark.usefixtures("faulty")
def test_what_a_person_enters_and_the_game_fails_at_is_refused_in_words(table, page):
    table.enter(HandStarted("Anna"))
    status, said = page.post("/plays", player="Bo", card="HR")
    assert status == 422 and "tælles ikke med" in said
    with pytest.raises(RefusedError):
        table.enter(CardPlayed("Bo", "H6"), CardPlayed("Carl", "HR"))
    assert stored(table) == [None]


def test_what_cannot_be_written_is_left_out_and_the_next_card_is_stored(table, page):
    table.enter(HandStarted("Anna"))
    sees(table, CardPlayed("Bo", "H6", alternatives=("\udc80",)), "Bo:H7")  # no text that a file can hold
    assert stored(table) == [None, "H7"]
    assert "Bo: 6 of hearts" in page.text("/")


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize(
    ("path", "fields", "plays"),
    [("/plays/4/remove", {}, ["H6", "H8"]), ("/plays/4/correct", {"card": "H7"}, ["H6", "H7", "H8"])],
)
def test_a_record_with_an_event_that_the_game_fails_at_opens_and_is_put_right(table, path, fields, plays):
    bad = CardPlayed("Carl", "HR")
    EventStore(table.path).append_all([HandStarted("Anna"), CardPlayed("Bo", "H6"), bad, bad])
    again = restarted(table)
    assert [play.card for play in again.session.hand.plays] == ["H6"]
    assert [(alert.kind, alert.seq) for alert in again.session.alerts] == [("fault", 4), ("fault", 5)]
    again.enter(CardPlayed("Anna", "H8"))  # play goes on meanwhile
    page = Page(again)
    assert "Something went wrong in the program here" in page.text("/")
    assert page.post("/plays/5/remove")[0] == 200
    assert page.post(path, **fields)[0] == 200
    assert again.session.alerts == []
    assert [play.card for play in restarted(table).session.hand.plays] == plays


@pytest.mark.parametrize("fault", [EventError("it cannot be"), ZeroDivisionError()])
def test_a_hand_that_cannot_be_rewound_stays_as_it_was(monkeypatch, playing, fault):
    session = DanishSession(playing.session.opened)
    for record in playing.recorded[1:]:
        session.apply(record.event, record.seq)
    hand = session.hand
    before = deepcopy((session.balances, session.pots, hand.entries, hand.plays, hand.withdrawn))
    play = DanishHand.play

    def failing(hand, event, seq):
        if len(hand.plays) == 10:
            raise fault
        play(hand, event, seq)

    with monkeypatch.context() as patched:
        patched.setattr(DanishHand, "play", failing)
        try:
            session.apply(PlaysTakenBack(3))
        except ZeroDivisionError:
            assert isinstance(fault, ZeroDivisionError)
    assert session.hand is hand
    assert before == (session.balances, session.pots, hand.entries, hand.plays, hand.withdrawn)


@pytest.mark.slow
@pytest.mark.usefixtures("data_folder")
def test_a_fault_while_a_deck_is_taught_is_said_and_gives_the_camera_back(monkeypatch, page, filmed, capfd):
    def failing(*_, **__):
        raise ZeroDivisionError("a fault of its own")

    monkeypatch.setattr("vision.taught.enrolment.guess", failing)
    teaching = app_parts(page.client.application).teaching
    assert isinstance(teaching, Teaching)
    teaching.source = filmed
    assert page.client.post("/decks/teach", data={"token": page.token, "name": "Grandma"}).status_code == 303
    assert page.table.camera.lent
    until(lambda: not page.table.camera.lent)
    words = page.text("/decks/teach")
    assert "Teaching cannot go on. The camera reads the table again, and what was taught is kept." in words
    assert "ZeroDivisionError: a fault of its own" in words
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert page.post("/decks/teach/1", card="S7")[0] == 409
    assert page.post("/decks/teach/undo")[0] == 409
    assert page.client.post("/decks/teach/stop", data={"token": page.token}).status_code == 303


@pytest.mark.usefixtures("faulty")
def test_a_correction_may_itself_be_what_the_game_fails_at(table):
    table.enter(HandStarted("Anna"), CardPlayed("Bo", "H6"), CardPlayed("Carl", "H7"))
    EventStore(table.path).append(PlayCorrected(4, card="HR"))
    again = restarted(table)
    assert [play.card for play in again.session.hand.plays] == ["H6", "H7"]
    (alert,) = again.session.alerts
    assert Page(again).post(f"/alerts/{alert.seq}")[0] == 200
    assert again.session.alerts == []
