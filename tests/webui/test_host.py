"""What the host chooses: corrected cards set aside, the evening's pictures saved, who sits where in the picture."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from webui_camera import HEALTH, sees, sees_card
from webui_deals import OPENED, SIDES, hand
from webui_page import Page
from webui_table import open_table, restarted
from webui_until import until

from tracker.cards import CARDS
from tracker.danish.audit import audit
from tracker.danish.session import DanishSession
from tracker.events import (
    CardPlayed,
    HandAbandoned,
    PlayCorrected,
    PlayerJoined,
    SessionClosed,
    SessionOpened,
    TrickTaken,
)
from tracker.session_file import loads
from vision.errors import VisionError
from vision.picture import CROP_PX
from vision.taught.crops import load_crops
from vision.watching.eyes import WatchUpdate
from webui.camera.loop import CameraLoop
from webui.paths import corrections_dir
from webui.table.live import LiveTable
from webui.view.felt import angles

pytestmark = pytest.mark.usefixtures("data_folder")


def last(table: LiveTable) -> tuple[int, str]:
    play = table.session.hand.plays[-1]
    return play.seq, play.card


def crops() -> list[str]:
    """The cards of which a picture was set aside."""
    return sorted(path.parent.name for path in corrections_dir().glob("*/*.png"))


def unplayed(table: LiveTable) -> list[str]:
    played = {play.card for play in table.session.hand.plays}
    return [card for card in CARDS if card not in played and card[0] not in "TF"]


# ---- corrected cards ----


def test_nothing_is_set_aside_before_the_host_agrees(seen: LiveTable) -> None:
    page = Page(seen)
    assert "Nej" in page.text("/host", "da") and not seen.pictures.keeps_corrections
    page.post(f"/plays/{last(seen)[0]}/correct", card=unplayed(seen)[0])
    assert crops() == []


def test_the_switch_on_the_page_sets_corrected_cards_aside_and_is_remembered(seen: LiveTable) -> None:
    page = Page(seen)
    status, told = page.post("/host/choices/keep_corrections", on="yes")
    assert status == 200 and told == "Rettede kort lægges til side fra nu af."
    card = unplayed(seen)[0]
    page.post(f"/plays/{last(seen)[0]}/correct", card=card)
    assert crops() == [card]
    (crop,) = load_crops(corrections_dir())[card]  # as training reads them
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert f"1 picture is set aside in {corrections_dir()}" in (page.text("/host").replace("&#34;", '"'))
    assert restarted(seen).choices.keep_corrections
    page.post("/host/choices/keep_corrections", on="no")
    assert not restarted(seen).choices.keep_corrections
    page.post(f"/plays/{last(seen)[0]}/correct", card=unplayed(seen)[1])
    assert crops() == [card]
    assert page.post("/host/choices/keep_corrections", on="perhaps")[0] == 400


def test_a_picture_is_labelled_with_the_last_word_on_its_play(seen: LiveTable) -> None:
    page = Page(seen)
    page.post("/host/choices/keep_corrections", on="yes")
    seq, _ = last(seen)
    first, second = unplayed(seen)[:2]
    page.post(f"/plays/{seq}/correct", card=first)
    page.post(f"/plays/{seq}/correct", card=second)
    assert crops() == [second]
    page.post("/undo", seq=seen.recorded[-1].seq)
    assert crops() == [first]
    page.post("/undo", seq=seen.recorded[-2].seq)
    page.post("/undo", seq=next(r.seq for r in seen.recorded if isinstance(r.event, PlayCorrected)))
    assert crops() == []
    page.post(f"/plays/{seq}/correct", card=first)
    page.post(f"/plays/{seq}/remove")
    assert crops() == []


def test_a_card_that_only_the_camera_put_right_is_no_persons_word(seen: LiveTable) -> None:
    Page(seen).post("/host/choices/keep_corrections", on="yes")
    seq, _ = last(seen)
    by_camera = PlayCorrected(seq, card=unplayed(seen)[0])
    seen.saw(WatchUpdate(20.0, np.full((240, 320, 3), 40, np.uint8), (), (by_camera,), HEALTH, None))
    seen.enter(PlayCorrected(seq, player="Anna"))
    assert crops() == []


def test_another_player_is_no_correction_of_the_card(seen: LiveTable) -> None:
    Page(seen).post("/host/choices/keep_corrections", on="yes")
    seen.enter(PlayCorrected(last(seen)[0], player="Anna"))
    assert crops() == []


# ---- evidence ----


def evidence(table: LiveTable, seq: int) -> np.ndarray:
    """The picture that is kept of a play."""
    return cv2.imdecode(np.frombuffer(table.pictures.evidence.picture(seq), np.uint8), cv2.IMREAD_COLOR)


def test_each_play_keeps_its_picture_through_a_kill_and_a_restart(seen: LiveTable) -> None:
    assert seen.pictures.evidence.known == {3, 4, 5, 6}
    again = restarted(seen)  # nothing was closed: as after a kill
    assert again.pictures.evidence.known == {3, 4, 5, 6}
    assert evidence(again, 3).shape == (336, 183, 3)
    at = time.strftime("%H:%M:%S", time.localtime(again.recorded[2].at))
    assert f"Seen at {at}." in Page(again).text("/plays/3")


def test_a_card_that_was_booked_as_it_left_has_its_picture_too(seen: LiveTable) -> None:
    play = hand(3)[5]
    assert isinstance(play, CardPlayed)
    crop = np.full((160, 160, 3), 70, np.uint8)
    bare = np.zeros((240, 320, 3), np.uint8)
    seen.saw(WatchUpdate(9.0, bare, (), (play,), HEALTH, None, {4: crop}, {play: 4}))
    picture = evidence(seen, 7)
    assert picture.shape == (336, 183, 3) and abs(float(picture.mean()) - 70) < 2


def test_a_new_evening_never_shows_the_pictures_of_another(seen: LiveTable) -> None:
    seen.enter(SessionClosed())
    seen.open_evening(OPENED, SIDES)
    assert not seen.pictures.evidence.known and seen.pictures.evidence.picture(3) is None
    first = hand(4)[1]
    assert isinstance(first, CardPlayed)
    sees_card(seen, first)
    again = restarted(seen)
    assert again.pictures.evidence.known == {3}


@pytest.mark.parametrize("by_settling", [False, True], ids=["the button", "the tick when settling"])
def test_the_host_saves_the_evening(seen: LiveTable, by_settling: bool) -> None:
    page = Page(seen)
    status, told = page.post("/settle", save="1") if by_settling else page.post("/host/save")
    assert status == 200
    seen.end()
    (folder,) = (seen.path.parent / "saved").iterdir()
    assert told.startswith(f"Gemt med 4 billeder i {folder}.")
    names = sorted(path.name for path in folder.glob("*.jpg"))
    assert len(names) == 4 and names[0].startswith("hand 1 trick 01 1 Bo ")
    assert json.loads((folder / "session.json").read_text(encoding="utf-8"))["hands"]


def test_saved_twice_the_pictures_have_their_last_names(seen: LiveTable) -> None:
    page = Page(seen)
    page.post("/host/save")
    card = unplayed(seen)[0]
    page.post(f"/plays/{last(seen)[0]}/correct", card=card)
    page.post("/host/save")
    (folder,) = (seen.path.parent / "saved").iterdir()
    names = [path.stem for path in folder.glob("*.jpg")]
    assert len(names) == 4 and sum(name.endswith(f" {card}") for name in names) == 1


def test_an_evening_that_a_player_joined_is_saved_with_its_session_file(seen: LiveTable) -> None:
    page = Page(seen)
    seen.enter(HandAbandoned(), PlayerJoined("Eva", after="Carl"))
    status, told = page.post("/host/save")
    (folder,) = (seen.path.parent / "saved").iterdir()
    assert (status, told) == (200, f"Gemt med 4 billeder i {folder}.")
    written = loads((folder / "session.json").read_bytes(), DanishSession).session()
    assert audit(written) == audit(seen.session)


# ---- seats ----


def test_the_seats_are_shown_and_changed_in_the_middle_of_an_evening(seen: LiveTable) -> None:
    page = Page(seen)
    assert page.client.get("/seats").status_code == 200
    fields = {"side_0": "W", "side_1": "S", "side_2": "E"}
    assert page.post("/seats", **fields) == (200, "Pladserne er rettet.")
    assert seen.sides == {"Anna": "W", "Bo": "S", "Carl": "E"}
    assert restarted(seen).sides == seen.sides
    assert page.post("/seats", **(fields | {"side_0": "S"}))[0] == 400
    assert page.post("/seats", side_0="S")[0] == 400


def test_a_camera_that_was_turned_moves_all_round_the_picture(seen: LiveTable) -> None:
    page = Page(seen)
    page.post("/seats", turn="1")
    assert seen.sides == {"Anna": "E", "Bo": "N", "Carl": "S"}
    page.post("/seats", turn="3")
    assert seen.sides == SIDES
    assert page.post("/seats", turn="4")[0] == 400


def test_a_fifth_shares_a_side_as_the_next_in_turn(empty: LiveTable) -> None:
    table, page = empty, Page(empty)
    names = {"seat_S": "Anna", "seat_E": "Bo", "seat_N": "Carl", "seat_W": "Dora", "seat_X": "Eva"}
    options = {"rules": "dtf-2011", "dealer": "X"}
    assert page.post("/evening", **names, **options)[0] == 400  # where does Eva sit?
    assert page.post("/evening", **names, **options, side_X="E")[0] == 200
    assert table.unplaced == ()
    assert table.session.seats == ("Eva", "Carl", "Dora", "Anna", "Bo")  # the first dealer first
    assert table.sides == {"Anna": "S", "Bo": "E", "Eva": "E", "Carl": "N", "Dora": "W"}
    # On the felt both sit at that side, in order of play.
    assert angles(table.session, table.sides) == {"Anna": 0, "Bo": 65, "Eva": 115, "Carl": 180, "Dora": 270}
    page.post("/settle")
    page.client.get("/setup")
    again = page.filled_in("/setup/ready", "/evening")
    assert (again["seat_X"], again["side_X"]) == ("Eva", "E")


def test_of_two_at_one_side_the_winner_is_the_one_who_took_the_trick(tmp_path: Path) -> None:
    sides = {"Anna": "S", "Bo": "S", "Carl": "E", "Dora": "N", "Eva": "W"}
    table = open_table(tmp_path, SessionOpened("dtf-2011", (), tuple(sides)), sides=sides)
    for player, card in (("Bo", "S1"), ("Eva", "S2"), ("Anna", "SR")):
        sees_card(table, CardPlayed(player, card, time_s=1.0))
    assert table.session.hand.tricks[0].winner == "Anna"
    taken = TrickTaken("Bo", time_s=2.0)
    sees(table, taken)
    assert table.recorded[-1].event == replace(taken, player="Anna") and not table.session.alerts


def test_a_player_who_joins_is_asked_for_a_place_and_nothing_is_read_before(table: LiveTable) -> None:
    from webui.table.camera_status import CameraStatus

    page = Page(table)
    table.camera.set_status(CameraStatus("seeing"))
    table.enter(PlayerJoined("Eva", after="Carl"))
    assert table.unplaced == ("Eva",)
    assert "Where in the picture is the seat of Eva?" in page.text("/")
    page.post("/seats", side_0="S", side_1="E", side_2="W", side_3="N")
    assert table.unplaced == () and "Where in the picture" not in page.text("/")


def test_a_deck_that_cannot_be_read_is_told_and_offered_to_be_taught(table: LiveTable) -> None:
    from vision.watching.health import View
    from webui.table.camera_status import seeing

    page, view = Page(table), View(card_px=150.0, tilt_deg=8.0, focus=0.25)
    table.camera.set_status(seeing(HEALTH, view))
    assert "hard to read" not in page.text("/")
    table.camera.set_status(seeing(HEALTH, replace(view, unread=True)))
    told = page.html("/")
    assert "This deck is hard to read" in told and 'href="/decks" data-dialog id="teach-deck"' in told
    # Out of focus, no deck can be read.
    assert seeing(HEALTH, replace(view, unread=True, focus=0.05)).advice == ("blurred",)


def test_the_picture_is_shown_before_anybody_sits_and_read_afterwards(empty: LiveTable) -> None:
    opened = []

    def look() -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
        while True:
            yield np.full((36, 64, 3), 80, np.uint8)

    def read() -> Iterator[WatchUpdate]:
        opened.append(True)
        raise VisionError("camera 0: cannot be opened")

    loop = CameraLoop(empty, read, reopen=True, look=look)
    loop.start()
    page = Page(empty)
    until(lambda: page.client.get("/camera.jpg").status_code == 200)
    assert page.client.get("/camera.jpg").mimetype == "image/jpeg"
    assert empty.camera.status.state == "waiting" and not opened
    empty.open_evening(OPENED, SIDES)
    until(lambda: opened)
    loop.stop()
