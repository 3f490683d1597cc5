"""A hand is recorded once everybody has agreed: one file of film and truth, deleted when anybody stops."""

import io
import json
import os
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.request import Request, urlopen

import numpy as np
import pytest
from drawn import deck_of
from test_clips import HAND as EVENTS_OF_HAND
from test_clips import LAID, LAID_STYLE, PLAYS
from test_clips import watched as camera_sees
from webui_camera import HEALTH
from webui_deals import OPENED, SIDES
from webui_page import Page
from webui_table import restarted

from tracker.cards import CARDS
from tracker.events import (
    CardPlayed,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    ResultChosen,
    SessionClosed,
    Unwatched,
)
from vision.arrays import UInt8Array
from vision.camera.capture import frames
from vision.lab.bench.truth import load_recording
from vision.lab.rendering.footage import film
from vision.watching.eyes import WatchUpdate
from webui.cli import main
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.pictures.clips import SoFar
from webui.pictures.film_truth import UNTOLD
from webui.pictures.hand_film import HandFilm
from webui.pictures.recording import HandRecording, RecordingStage
from webui.serving.server import serve
from webui.table.camera_status import CameraStatus
from webui.table.leftover_pictures import delete_left
from webui.table.live import LiveTable

END_S = 3.0 + 2.0 * 75


@pytest.fixture
def watched(table: LiveTable) -> LiveTable:
    """A table whose camera sees; no hand yet."""
    table.camera.set_status(CameraStatus("seeing"))
    return table


@pytest.fixture
def host(watched: LiveTable) -> Page:
    return Page(watched)


@pytest.fixture
def bo(watched: LiveTable, host: Page) -> Page:
    """Bo's own phone."""
    return Page(watched, Role.PLAYER, "Bo", app=host.app)


def a_hand_begins(table: LiveTable) -> None:
    """It is dealt, and the camera sees its first two cards."""
    camera_sees(table, 2.8)
    table.enter(EVENTS_OF_HAND[0])
    camera_sees(table, 7.0, PLAYS[:2], 3.0)


def all_agree(table: LiveTable) -> Page:
    """The host asks, and says that all three said yes; the host's page."""
    page = Page(table)
    assert page.post("/recording") == (200, "Spillerne bliver spurgt på deres telefoner.")
    assert page.post("/recording/aloud", yes=list(OPENED.seats))[0] == 200
    return page


def recording(table: LiveTable) -> HandRecording:
    return table.pictures.recording


def films(table: LiveTable) -> list[Path]:
    return sorted(table.path.parent.rglob("*.avi"))


def whole_hand(table: LiveTable) -> Page:
    """A hand of 75 plays is recorded; the host's page."""
    page = all_agree(table)
    camera_sees(table, 2.8)
    table.enter(EVENTS_OF_HAND[0])
    camera_sees(table, END_S + 5.0, PLAYS, 3.0)
    return page


def unzipped(page: Page, folder: Path) -> Path:
    """The truth file of what the host downloads, with its video beside it."""
    answer = page.client.get("/recording.zip")
    assert answer.status_code == 200 and "tarok-" in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.get_data())) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    (truth,) = folder.glob("*.json")
    return truth


# ---- who is asked ----


def test_at_first_nothing_is_recorded_and_only_the_host_may_ask(watched: LiveTable) -> None:
    camera_sees(watched, 2.8)
    watched.enter(EVENTS_OF_HAND[0])
    camera_sees(watched, 9.0, PLAYS[:3], 3.0)
    assert recording(watched).stage is RecordingStage.OFF and films(watched) == []
    assert Page(watched, Role.PLAYER, "Bo").post("/recording")[0] == 403
    assert Page(watched, Role.PLAYER, "Bo").client.get("/recording.zip").status_code == 403


def test_each_phone_answers_for_its_player_and_the_host_for_those_without_one(
    watched: LiveTable, host: Page, bo: Page
) -> None:
    stranger = Page(watched, Role.PLAYER, "", app=host.app)
    host.post("/recording")
    assert "May the next hand be recorded?" in bo.text("/")
    assert "May the next hand be recorded?" not in stranger.text("/") + host.text("/")
    assert stranger.post("/recording/answer", agrees="yes")[0] == 409
    assert "on the phone: Bo" in host.text("/recording")
    assert host.post("/recording/aloud", yes="Bo")[0] == 400  # he has a phone of his own
    assert bo.post("/recording/answer", agrees="yes")[0] == 200
    assert host.post("/recording/aloud", yes="Anna")[0] == 200
    assert recording(watched).waits_for(OPENED.seats) == ["Carl"]
    a_hand_begins(watched)
    assert films(watched) == []  # Carl was not asked
    assert host.post("/recording/aloud", yes="Carl")[0] == 200
    assert "Everybody said yes" in bo.text("/recording")


def test_one_no_is_enough_and_nobody_is_told_whose(watched: LiveTable, host: Page, bo: Page) -> None:
    host.post("/recording")
    assert bo.post("/recording/answer", agrees="no")[0] == 200
    assert recording(watched).stage is RecordingStage.OFF
    assert "Bo" not in host.text("/recording")
    assert bo.post("/recording/answer", agrees="yes")[0] == 409
    # The host, who asked, learns it until the next hand begins; the others are not told again.
    refused = "There is no film. Not everybody wants it."
    assert refused in host.text("/") and refused in host.text("/recording")
    assert refused not in bo.text("/") + bo.text("/recording")
    watched.enter(EVENTS_OF_HAND[0])
    assert refused not in host.text("/")
    # So it is when somebody else stops it; who stops it himself knows.
    for stops, told in ((bo, True), (host, False)):
        host.post("/recording")
        assert stops.post("/recording/stop")[0] == 200
        assert (refused in host.text("/")) == told


@pytest.mark.parametrize(
    "goes", ["sits elsewhere", "leaves", "the host takes the seat", "the host removes it"]
)
def test_the_yes_of_a_phone_goes_with_it_before_the_hand_is_filmed(
    watched: LiveTable, goes: str, host: Page, bo: Page
) -> None:
    """It may have been the wrong player's, so whoever sits there is asked again. What was said aloud stays."""
    phone = bo.phones.holder("Bo")
    host.post("/recording")
    host.post("/recording/aloud", yes=["Anna", "Carl"])
    bo.post("/recording/answer", agrees="yes")
    assert "Everybody said yes" in host.text("/recording")
    match goes:
        case "sits elsewhere":
            assert bo.post("/me", seat="Carl")[0] == 200
        case "leaves":
            bo.client.post("/me/leave", data={"token": bo.token, "sure": "yes"})
        case "the host takes the seat":
            assert host.post("/host/phones", phone=phone.number, do="free")[0] == 200
        case "the host removes it":
            assert host.post("/host/phones", phone=phone.number, do="remove")[0] == 200
    assert recording(watched).waits_for(OPENED.seats) == ["Bo"] and "Bo said yes" in host.text("/recording")
    a_hand_begins(watched)
    assert films(watched) == []


def test_a_phone_that_is_closed_or_renamed_keeps_its_yes(watched: LiveTable, host: Page, bo: Page) -> None:
    host.post("/recording")
    bo.post("/recording/answer", agrees="yes")
    host.sent("/rename?player=Bo", "/rename", called="Bodil")
    host.post("/recording/aloud", yes=["Anna", "Carl"])
    watched.enter(HandStarted("Anna"))
    assert recording(watched).stage is RecordingStage.FILMING


def test_a_no_ends_the_recording_at_any_time_and_from_every_phone(
    watched: LiveTable, host: Page, bo: Page
) -> None:
    """Its question may have stood there since before the host took the seat, or since before the hand."""
    host.post("/recording")
    host.post("/host/phones", phone=bo.phones.holder("Bo").number, do="free")
    host.post("/recording/aloud", yes=list(OPENED.seats))
    a_hand_begins(watched)
    assert len(films(watched)) == 1
    assert bo.post("/recording/answer", agrees="no")[0] == 200
    assert films(watched) == [] and recording(watched).stage is RecordingStage.OFF
    assert "Not everybody wants it." in host.text("/recording")


def test_what_somebody_else_was_quicker_to_say_changes_nothing(
    watched: LiveTable, host: Page, bo: Page
) -> None:
    other = Page(watched, app=host.app)  # a second host
    assert bo.post("/recording/stop")[0] == bo.post("/recording/answer", agrees="no")[0] == 200
    host.post("/recording")
    bo.post("/recording/answer", agrees="yes")
    assert bo.post("/recording/answer", agrees="yes")[0] == 200
    assert other.post("/recording")[0] == 200
    for page in (host, other):
        assert page.post("/recording/aloud", yes=["Anna", "Carl"])[0] == 200
    assert "Everybody said yes" in bo.text("/recording")
    a_hand_begins(watched)
    assert other.post("/recording")[0] == 200 and len(films(watched)) == 1


def test_a_phone_that_is_not_surely_the_players_does_not_answer(
    watched: LiveTable, host: Page, bo: Page
) -> None:
    phone = bo.phones.holder("Bo")
    bo.phones.change(phone.id, vouched=False)
    host.post("/recording")
    assert bo.post("/recording/answer", agrees="yes")[0] == 409
    assert host.post("/recording/aloud", yes="Bo")[0] == 200


def test_who_sits_down_later_is_asked_too(watched: LiveTable) -> None:
    page = all_agree(watched)
    watched.enter(PlayerJoined("Dora", "Carl"))
    watched.seat({**SIDES, "Dora": "N"})
    camera_sees(watched, 2.8)
    watched.enter(HandStarted("Anna"))
    camera_sees(watched, 5.0, since_s=3.0)
    assert films(watched) == [] and "Dora said yes" in page.text("/recording")


def test_who_leaves_without_an_answer_is_waited_for_no_longer(watched: LiveTable) -> None:
    watched.enter(PlayerJoined("Dora", "Carl"))
    page = all_agree(watched)
    assert films(watched) == [] and "Dora said yes" in page.text("/recording")
    watched.enter(PlayerLeft("Dora"))
    said = "Everybody said yes. The next hand is recorded from its first card."
    assert said in page.text("/recording")
    camera_sees(watched, 2.8)
    watched.enter(HandStarted("Anna"))
    camera_sees(watched, 5.0, since_s=3.0)
    assert recording(watched).stage is RecordingStage.FILMING and len(films(watched)) == 1


def test_it_begins_with_a_hand_and_not_in_the_middle_of_one(watched: LiveTable) -> None:
    watched.enter(EVENTS_OF_HAND[0])
    camera_sees(watched, 7.0, PLAYS[:2], 3.0)
    all_agree(watched)
    camera_sees(watched, 11.0, PLAYS[2:4], 7.2)
    assert films(watched) == []
    watched.enter(HandAbandoned(), HandStarted("Bo"))
    assert len(films(watched)) == 1 and recording(watched).hand == 2


@pytest.mark.parametrize("role", [Role.PLAYER, Role.HOST])
def test_anybody_stops_it_and_the_film_is_deleted(watched: LiveTable, role: Role) -> None:
    whole_hand(watched)
    assert len(films(watched)) == 1
    page = Page(watched, role, "Carl")
    assert page.post("/recording/stop", sure="")[0] == 428  # it says first that the film goes
    assert len(films(watched)) == 1
    assert page.post("/recording/stop")[0] == 200
    assert films(watched) == [] and recording(watched).stage is RecordingStage.OFF
    assert Page(watched).client.get("/recording.zip").status_code == 409


def test_every_screen_says_so_while_a_hand_is_recorded(watched: LiveTable) -> None:
    all_agree(watched)
    camera_sees(watched, 2.8)
    watched.enter(EVENTS_OF_HAND[0])
    for role in (Role.WALL, Role.PLAYER, Role.HOST):
        assert "This hand is being recorded" in Page(watched, role).text("/")
    assert Page(watched, Role.PLAYER).client.get("/recording.zip").status_code == 403
    refused = Page(watched).client.get("/recording.zip?lang=en", headers={"Accept": "application/json"})
    assert "The hand is not over yet" in refused.get_data(as_text=True)


# ---- the one file ----


def test_the_file_has_the_film_and_what_was_true_in_the_end_and_names_nobody(
    watched: LiveTable, tmp_path: Path
) -> None:
    page = whole_hand(watched)
    play = watched.session.hand.plays[10]
    other = watched.session.hand.plays[11]
    watched.enter(PlayCorrected(play.seq, other.card), PlayCorrected(other.seq, play.card))
    truth = unzipped(page, tmp_path / "out")
    told = load_recording(truth)
    assert [one.card for one in told.plays][10:12] == [other.card, play.card] and len(told.plays) == 75
    assert [round(one.at_s, 1) for one in told.plays[:3]] == [3.0, 5.0, 7.0]
    pictures = list(frames(str(told.video)))
    assert len(pictures) == json.loads(truth.read_text(encoding="utf-8"))["frames"]
    assert abs(pictures[15].time_s - 3.0) < 0.01
    assert abs(int(pictures[40].picture.mean()) - 40) <= 2
    assert abs(int(pictures[300].picture.mean()) - 50) <= 2
    assert END_S < pictures[-1].time_s < END_S + 2
    whole = truth.read_text(encoding="utf-8")
    assert not [name for name in OPENED.seats if name in whole + truth.name]
    assert told.sides == {"Player 1": "S", "Player 2": "E", "Player 3": "W"}


def test_a_card_that_people_entered_stands_in_the_truth_between_its_neighbours(
    watched: LiveTable, tmp_path: Path
) -> None:
    page = all_agree(watched)
    watched.enter(EVENTS_OF_HAND[0])
    camera_sees(watched, 42.0, PLAYS[:20], 3.0)
    watched.enter(replace(PLAYS[20], time_s=None))
    camera_sees(watched, END_S + 5.0, PLAYS[21:], 42.2)
    told = load_recording(unzipped(page, tmp_path / "out"))
    assert told.plays[19].at_s < told.plays[20].at_s < told.plays[21].at_s


def test_a_question_that_is_open_is_answered_before_the_file_is_made(
    watched: LiveTable, tmp_path: Path
) -> None:
    page = all_agree(watched)
    watched.enter(EVENTS_OF_HAND[0])
    last = PLAYS[-1]
    camera_sees(watched, END_S - 2.2, PLAYS[:-1], 3.0)
    doubtful = replace(last, alternatives=("F",), time_s=END_S)
    picture = np.full((72, 128, 3), 9, np.uint8)
    watched.saw(WatchUpdate(END_S, picture, (), (doubtful,), HEALTH, None))
    assert "still a question about" in page.text("/recording")
    assert page.client.get("/recording.zip").status_code == 409
    seq = watched.recorded[-1].seq
    assert page.post(f"/questions/{seq}", card=last.card)[0] == 200
    assert len(load_recording(unzipped(page, tmp_path / "out")).plays) == 75


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ([ResultChosen()], "result"),
        ([HandAbandoned()], "abandoned"),
        ([Unwatched()], "away"),
        ([EventRetracted(2)], "undone"),
        ([SessionClosed()], "closed"),
    ],
)
def test_where_no_truth_can_be_made_the_film_goes_and_a_sentence_says_why(
    watched: LiveTable, what: list[object], why: str
) -> None:
    page = all_agree(watched)
    watched.enter(EVENTS_OF_HAND[0])
    camera_sees(watched, 11.0, PLAYS[:4] if why != "undone" else [], 3.0)
    watched.enter(*what)  # type: ignore[arg-type]
    assert films(watched) == [] and recording(watched).why == why
    assert UNTOLD[why] in page.text("/recording")


def test_a_camera_that_was_away_leaves_no_film(watched: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    all_agree(watched)
    watched.enter(EVENTS_OF_HAND[0])
    camera_sees(watched, 11.0, PLAYS[:4], 3.0)
    monkeypatch.setattr("webui.pictures.hand_film._AWAY_S", 0.0)  # as if each picture came late
    camera_sees(watched, 13.0, PLAYS[4:5], 12.0)
    assert films(watched) == [] and recording(watched).why == "away"


@pytest.mark.slow
def test_the_benchmark_measures_the_one_file(
    watched: LiveTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three cards are laid before a real film's camera, and the real eyes read them in the host's file."""
    pictures: list[UInt8Array] = []
    rested = film(LAID, deck_of(LAID), pictures.append, style=LAID_STYLE)
    page = all_agree(watched)
    watched.enter(HandStarted("Anna"))
    hand = watched.session.hand
    laid = {frame: play.card for frame, play in zip(rested, LAID, strict=True)}
    rest = [card for card in CARDS if card not in laid.values()][:72]
    pictures += [pictures[-1]] * (len(rest) + 3 * LAID_STYLE.fps)
    for number, picture in enumerate(pictures):
        done = len(hand.plays) >= len(LAID) and number > len(pictures) - len(rest) - 2 * LAID_STYLE.fps
        card = laid.get(number) or (rest.pop() if done and rest else None)
        at_s = number / LAID_STYLE.fps
        events = (CardPlayed(hand.to_play, card, time_s=at_s),) if card is not None else ()
        watched.saw(WatchUpdate(at_s, picture, (), events, HEALTH, None))
        hand = watched.session.hand
    (tmp_path / "hand.zip").write_bytes(page.client.get("/recording.zip").get_data())
    assert main(["bench", "vision", str(tmp_path / "hand.zip"), "--format", "json", "--threads", "1"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["recordings"]
    missed = [mistake["true"]["card"] for mistake in report["mistakes"] if "missed" in mistake["kinds"]]
    assert len(missed) == 72 and not {*laid.values()} & {*missed}


def test_the_server_sends_the_file_in_pieces_and_not_to_its_end_where_it_is_deleted_meanwhile(
    watched: LiveTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, until, address = whole_hand(watched), threading.Event(), tmp_path / "address"
    monkeypatch.setattr("webui.pictures.recording._PIECE", 4096)
    serving = threading.Thread(
        target=serve, args=(page.app, "127.0.0.1", 0), kwargs={"until": until, "address_file": address}
    )
    serving.start()
    try:
        while not (address.is_file() and address.read_text()):
            time.sleep(0.05)
        cookie = page.client.get_cookie(PHONE_COOKIE)
        where = f"{address.read_text().rstrip('/')}/recording.zip"
        asked = Request(where, headers={"Cookie": f"{PHONE_COOKIE}={cookie.value}"})
        with urlopen(asked) as answer:
            sent = answer.read()
        evening = SoFar(watched.recorded, watched.session, watched.sides)  # type: ignore[arg-type]
        pieces = recording(watched).pieces(evening)
        assert next(pieces)
        recording(watched).stop()
        with pytest.raises(FileNotFoundError):
            list(pieces)
    finally:
        until.set()
        serving.join()
    with zipfile.ZipFile(io.BytesIO(sent)) as archive:
        assert archive.testzip() is None and len(archive.namelist()) == 2


def test_the_benchmark_says_what_is_wrong_with_a_file(tmp_path: Path, refused: Callable[..., str]) -> None:
    no_zip, empty = tmp_path / "no.zip", tmp_path / "empty.zip"
    no_zip.write_bytes(b"no archive")
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("../hand.json", "{}")
    said = {
        no_zip: "cannot be read as a ZIP file",
        empty: "no recording with a truth file",
        tmp_path / "none.zip": "no such file",
    }
    for path, what in said.items():
        assert what in refused("bench", "vision", path)


# ---- when it goes ----


def test_settling_deletes_the_film_and_the_dialogs_say_so_before(watched: LiveTable) -> None:
    page = whole_hand(watched)
    for path in ("/settle", "/host/end"):
        assert "recorded is deleted, too" in page.text(path)
    page.client.get("/recording.zip")
    for path in ("/settle", "/host/end"):
        assert "recorded is deleted, too" not in page.text(path)
    watched.enter(SessionClosed())
    assert films(watched) == [] and recording(watched).why == ""


def test_the_end_of_the_program_deletes_it_and_after_a_kill_the_next_start_does(
    watched: LiveTable, tmp_path: Path
) -> None:
    whole_hand(watched)
    delete_left(tmp_path / "another.sqlite3")  # the killed evening lies beside it
    assert films(watched) == []
    whole = recording(watched)
    whole.stop()
    all_agree(watched)
    watched.enter(HandStarted("Bo"))
    camera_sees(watched, 202.0, since_s=200.0)
    assert len(films(watched)) == 1
    again = restarted(watched)
    assert films(watched) == [] and recording(again).stage is RecordingStage.OFF
    recording(watched).stop()
    all_agree(watched)
    watched.enter(HandAbandoned(), HandStarted("Carl"))
    camera_sees(watched, 204.0, since_s=203.0)
    assert len(films(watched)) == 1
    watched.end()
    assert films(watched) == []


def test_a_full_disk_and_a_long_hand_cost_the_film_alone(watched: LiveTable, tmp_path: Path) -> None:
    page = all_agree(watched)
    for limits, why in (({"least_free_mb": 1e12}, "disk"), ({"film_mb": 0.01}, "long")):
        recording(watched)._film = HandFilm(tmp_path / why / "hand.avi", **limits)  # type: ignore[arg-type]
        watched.enter(HandStarted("Anna"))
        camera_sees(watched, 15.0, PLAYS[:3], 3.0)
        assert recording(watched).why == why and films(watched) == []
        assert len(watched.session.hand.plays) == 3 and UNTOLD[why] in page.text("/recording")
        watched.enter(HandAbandoned())
        all_agree(watched)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a user's folder to the user by itself")
def test_the_film_is_for_its_owner_alone(watched: LiveTable) -> None:
    whole_hand(watched)
    (film,) = films(watched)
    assert not film.stat().st_mode & 0o077 and not film.parent.stat().st_mode & 0o077


def test_without_a_camera_or_cards_nothing_is_recorded(table: LiveTable) -> None:
    assert Page(table).post("/recording")[0] == 409
    table.camera.set_status(CameraStatus("seeing"))
    Page(table).post("/by-result", evening="1", on="1")
    assert Page(table).post("/recording")[0] == 409
