"""Mistakes come home: the hand's pictures wait, a correction keeps a clip, and clips are measured and packed."""

import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn import film_into
from webui_camera import HEALTH
from webui_deals import OPENED, hand
from webui_page import Page
from webui_table import restarted

from tracker.events import CardPlayed, HandAbandoned, HandStarted, PlayCorrected, SessionClosed
from tracker.games import read_session
from tracker.store import EventStore
from vision.camera.capture import frames
from vision.lab.bench.truth import load_recording
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay
from vision.watching.explanations import Explanation, Judged, Likely
from vision.watching.eyes import SeenCard, WatchUpdate
from vision.watching.seats import FITTED, SeatMeasures
from webui.camera.loop import CameraLoop
from webui.cli import main
from webui.commands.serve import watch_table
from webui.people.roles import Role
from webui.pictures.clips import Clips, SoFar, clip_bytes, clip_names
from webui.pictures.footage import Footage
from webui.table.camera_status import CameraStatus
from webui.table.leftover_pictures import delete_left
from webui.table.live import LiveTable

HAND = hand(3, revoke_in_trick=4)
PLAYS = [event for event in HAND if isinstance(event, CardPlayed)]
CORNERS = np.array([[20, 6], [26, 6], [26, 17], [20, 17]], np.float32)


def watched(
    table: LiveTable, until_s: float, plays: list[CardPlayed] | None = None, since_s: float = 0.0
) -> None:
    """The camera's pictures to `until_s`, five a second, each with its own brightness, and `plays` at their times."""
    waiting = list(plays or [])
    numbered = {play: place for place, play in enumerate(waiting, start=1 + round(since_s * 100))}
    for step in range(round(since_s * 5), round(until_s * 5) + 1):
        at_s = step / 5
        due = [play for play in waiting if play.time_s is not None and play.time_s <= at_s]
        waiting = waiting[len(due) :]
        cards = tuple(SeenCard(CORNERS, play.card, True, "settled", sighting=numbered[play]) for play in due)
        judged = tuple(
            Judged(
                at_s, numbered[play], Explanation.NEW_CARD, ((play.card, 0.9),), LIKELY, {play.player: NEAR}
            )
            for play in due
        )
        numbers = {play: numbered[play] for play in due}
        frame = np.full((72, 128, 3), step % 250, np.uint8)
        table.saw(WatchUpdate(at_s, frame, cards, tuple(due), HEALTH, None, played=numbers, judged=judged))


LIKELY = Likely(np.full(78, 1 / 78), 0.9, True)
NEAR = SeatMeasures(place=-0.4, turned=0.9, hand=0.8, slid=1.0)


@pytest.fixture
def filmed(table: LiveTable) -> LiveTable:
    """Five plays of a hand that the camera saw, two seconds apart from 3 s on; clips are allowed."""
    table.choose(keep_clips=True)
    table.enter(HAND[0])
    watched(table, 13.0, PLAYS[:5])
    return table


def number(table: LiveTable, place: int) -> int:
    """The number under which the play at `place` of the hand, from 0, is stored."""
    return table.session.hand.plays[place].seq


def waiting(table: LiveTable) -> list[Path]:
    return sorted(table.path.parent.glob("*.evidence/hand/*"))


def clip(table: LiveTable, place: int = 0) -> dict[str, object]:
    name = clip_names(table.pictures.clips.folder)[place]
    return dict(json.loads((table.pictures.clips.folder / f"{name}.json").read_text(encoding="utf-8")))


UNPLAYED = next(play.card for play in PLAYS[40:] if play.card[0] in "SHDC")


# ---- what is kept ----


def test_without_the_hosts_leave_no_picture_waits_and_no_clip_is_kept(table: LiveTable) -> None:
    table.enter(HAND[0])
    watched(table, 13.0, PLAYS[:5])
    table.enter(PlayCorrected(number(table, 1), UNPLAYED))
    assert waiting(table) == [] and not table.pictures.clips.folder.exists()


def test_a_correction_keeps_ten_seconds_with_what_was_believed_and_why_and_what_was_true(
    filmed: LiveTable,
) -> None:
    page = Page(filmed)
    play = PLAYS[2]
    page.post(f"/plays/{number(filmed, 2)}/correct", card=UNPLAYED)
    told = clip(filmed)
    seats = {name: f"Player {place}" for place, name in enumerate(OPENED.seats, start=1)}
    assert told["corrected"] == {
        "believed": {"play": seats[play.player], "card": play.card, "frame": 25},
        "true": {"play": seats[play.player], "card": UNPLAYED, "frame": 25},
    }
    why = told["why"]
    assert isinstance(why, list) and why[2]["read"] == {play.card: 0.9}
    assert {who: set(odds) for who, odds in why[2]["players"].items()} == {
        seats[play.player]: {"place", *FITTED}
    }
    (name,) = clip_names(filmed.pictures.clips.folder)
    recording = load_recording(filmed.pictures.clips.folder / f"{name}.json")
    assert [(one.card, one.at_s) for one in recording.plays] == [
        (PLAYS[0].card, 1.0), (PLAYS[1].card, 3.0), (UNPLAYED, 5.0), (PLAYS[3].card, 7.0), (PLAYS[4].card, 9.0),
    ]  # fmt: skip
    pictures = list(frames(str(filmed.pictures.clips.folder / f"{name}.avi")))
    assert len(pictures) == told["frames"] and 49 <= len(pictures) <= 51
    assert abs(pictures[25].time_s - 5.0) < 0.01
    shown = [int(one.picture.mean()) for one in pictures[:50]]
    # From 2 s on, one a picture.
    assert max(abs(value - (10 + place)) for place, value in enumerate(shown)) <= 2
    whole = (filmed.pictures.clips.folder / f"{name}.json").read_text(encoding="utf-8")
    assert not [player for player in OPENED.seats if player in whole]


def test_a_clip_waits_for_the_seconds_after_the_play(filmed: LiveTable) -> None:
    filmed.enter(PlayCorrected(number(filmed, 4), UNPLAYED))
    assert clip_names(filmed.pictures.clips.folder) == []
    watched(filmed, 16.2, since_s=13.2)
    assert len(clip_names(filmed.pictures.clips.folder)) == 1
    before = clip(filmed)["before"]
    cards = [
        event.card for event in read_session(json.dumps(before))[1].events if isinstance(event, CardPlayed)
    ]
    assert cards == [play.card for play in PLAYS[:2]]


def test_a_card_that_comes_too_late_to_be_read_is_not_in_the_clip(filmed: LiveTable) -> None:
    watched(filmed, 17.0, [replace(PLAYS[5], time_s=15.6)], since_s=13.2)
    filmed.enter(PlayCorrected(number(filmed, 4), UNPLAYED))
    told = clip(filmed)  # from 6 s on
    assert [play["frame"] for play in told["plays"]] == [5, 15, 25] and told["frames"] == 46


def test_a_second_correction_changes_the_truth_and_undoing_deletes_the_clip(filmed: LiveTable) -> None:
    page = Page(filmed)
    page.post(f"/plays/{number(filmed, 1)}/correct", card=UNPLAYED)
    other = next(play.card for play in PLAYS[45:] if play.card not in (UNPLAYED, "F"))
    page.post(f"/plays/{number(filmed, 1)}/correct", card=other)
    assert [play["card"] for play in clip(filmed)["plays"]][1] == other
    page.post(f"/plays/{number(filmed, 2)}/correct", card=UNPLAYED)  # it stands in the clip beside it too
    assert [play["card"] for play in clip(filmed, 0)["plays"]][2] == UNPLAYED
    page.post(f"/plays/{number(filmed, 2)}/correct", card=PLAYS[2].card)
    assert len(clip_names(filmed.pictures.clips.folder)) == 1


def test_a_card_that_was_missed_and_one_that_never_was_are_corrections_too(filmed: LiveTable) -> None:
    page = Page(filmed)
    page.post(f"/plays/{number(filmed, 2)}/remove")
    gone = clip(filmed)
    corrected = gone["corrected"]
    assert isinstance(corrected, dict) and corrected["true"] is None and corrected["believed"] is not None
    assert PLAYS[2].card not in [play["card"] for play in gone["plays"]]
    page.post("/plays", player=PLAYS[2].player, card=UNPLAYED, before_seq=number(filmed, 2))
    missed = clip(filmed, 1)["corrected"]
    assert isinstance(missed, dict) and missed["believed"] is None and missed["true"]["card"] == UNPLAYED


def _entered(table: LiveTable, place: int, card: str) -> int:
    """The card that people enter as just played, with the camera at work; the number of the play."""
    table.camera.set_status(CameraStatus("seeing"))
    Page(table).post("/plays", player=PLAYS[place].player, card=card)
    return number(table, place)


def test_a_card_entered_because_the_camera_missed_it_keeps_a_clip_and_undoing_deletes_it(
    filmed: LiveTable,
) -> None:
    missed = _entered(filmed, 5, UNPLAYED)  # at 13 s; the card before came to rest at 11 s
    assert clip_names(filmed.pictures.clips.folder) == []  # the camera may still read it
    watched(filmed, 18.2, since_s=13.2)
    told = clip(filmed)
    corrected = told["corrected"]
    assert isinstance(corrected, dict) and corrected["believed"] is None
    assert corrected["true"] == told["plays"][-1] and corrected["true"]["card"] == UNPLAYED
    assert corrected["true"]["frame"] == 25
    assert clip_names(filmed.pictures.clips.folder)[0].endswith(f" {missed}")
    Page(filmed).post("/undo", seq=missed)
    assert clip_names(filmed.pictures.clips.folder) == []


def test_a_card_entered_before_the_camera_read_it_or_where_it_sees_nothing_keeps_none(
    filmed: LiveTable,
) -> None:
    _entered(filmed, 5, PLAYS[5].card)
    watched(filmed, 19.0, [replace(PLAYS[5], time_s=15.0)], since_s=13.2)
    filmed.camera.set_status(CameraStatus("trouble"))
    filmed.enter(replace(PLAYS[6], time_s=None))
    watched(filmed, 30.0, since_s=19.2)
    assert clip_names(filmed.pictures.clips.folder) == []


# ---- when it goes ----


def test_the_hands_pictures_go_with_the_next_hand_the_settling_the_end_and_the_switch(
    filmed: LiveTable,
) -> None:
    assert 60 <= len(waiting(filmed)) <= 70
    filmed.enter(HandStarted("Bo"))
    assert 20 <= len(waiting(filmed)) <= 27  # the newest five seconds
    page = Page(filmed)
    assert page.post("/host/choices/keep_clips", on="no")[0] == 200
    assert waiting(filmed) == []
    page.post("/host/choices/keep_clips", on="yes")
    watched(filmed, 15.0, since_s=13.2)
    assert waiting(filmed)
    filmed.enter(SessionClosed())
    assert waiting(filmed) == []
    watched(filmed, 17.0, since_s=15.2)
    assert waiting(filmed) == []


def test_at_the_end_of_the_program_what_is_due_is_kept_and_the_pictures_go(filmed: LiveTable) -> None:
    filmed.enter(PlayCorrected(number(filmed, 4), UNPLAYED))
    filmed.end()
    assert waiting(filmed) == [] and len(clip_names(filmed.pictures.clips.folder)) == 1
    watched(filmed, 15.0, since_s=13.2)
    assert waiting(filmed) == []


def test_after_a_kill_the_next_start_deletes_the_hands_pictures(filmed: LiveTable, tmp_path: Path) -> None:
    assert waiting(filmed)
    delete_left(tmp_path / "another.sqlite3")  # the killed evening lies beside it
    assert waiting(filmed) == []
    watched(filmed, 15.0, since_s=13.2)
    assert waiting(filmed)
    again = restarted(filmed)
    assert waiting(again) == [] and again.choices.keep_clips


def test_between_two_hands_only_the_newest_seconds_wait(table: LiveTable) -> None:
    table.choose(keep_clips=True)
    watched(table, 60.0)
    assert len(waiting(table)) <= 2 * 5 * 5 + 3


def test_the_limits_are_kept_and_a_full_disk_loses_nothing_of_the_evening(
    filmed: LiveTable, tmp_path: Path
) -> None:
    size = waiting(filmed)[0].stat().st_size
    filmed.pictures.clips = Clips(
        filmed.pictures.clips.folder,
        Footage(tmp_path / "few", hand_mb=10.5 * size / 1e6),
        filmed.pictures.evidence,
    )
    watched(filmed, 20.0, since_s=13.2)
    assert len(list((tmp_path / "few").iterdir())) <= 11
    full = Footage(tmp_path / "full", least_free_mb=1e12)
    filmed.pictures.clips = Clips(filmed.pictures.clips.folder, full, filmed.pictures.evidence)
    watched(filmed, 30.0, since_s=20.2)
    assert list((tmp_path / "full").iterdir()) == []
    (tmp_path / "file").write_bytes(b"")
    filmed.pictures.clips = Clips(
        tmp_path / "file" / "clips", Footage(tmp_path / "file" / "hand"), filmed.pictures.evidence
    )
    filmed.enter(PlayCorrected(number(filmed, 0), UNPLAYED))
    watched(filmed, 32.0, since_s=30.2)
    assert EventStore(filmed.path).events()[-1].event == PlayCorrected(number(filmed, 0), UNPLAYED)


def test_of_the_clips_the_newest_are_kept(filmed: LiveTable) -> None:
    filmed.enter(PlayCorrected(number(filmed, 0), UNPLAYED))
    (first,) = clip_names(filmed.pictures.clips.folder)
    room = 2.5 * clip_bytes(filmed.pictures.clips.folder, first) / 1e6
    filmed.pictures.clips = Clips(
        filmed.pictures.clips.folder, filmed.pictures.clips.footage, filmed.pictures.evidence, clips_mb=room
    )
    filmed.pictures.clips.follow(SoFar(filmed.recorded, filmed.session, filmed.sides))
    for place, card in ((1, PLAYS[50].card), (2, PLAYS[51].card)):
        filmed.enter(PlayCorrected(number(filmed, place), card))
    names = clip_names(filmed.pictures.clips.folder)
    assert len(names) == 2 and first not in names


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a user's folder to the user by itself")
def test_pictures_and_clips_are_for_their_owner_alone(filmed: LiveTable) -> None:
    filmed.enter(PlayCorrected(number(filmed, 0), UNPLAYED))
    folders = waiting(filmed)[0].parent, filmed.pictures.clips.folder
    made = [*folders, *(path for folder in folders for path in folder.iterdir())]
    assert not [path for path in made if path.stat().st_mode & 0o077]


def test_the_host_deletes_the_clips_and_nothing_else(filmed: LiveTable) -> None:
    page = Page(filmed)
    page.post(f"/plays/{number(filmed, 0)}/correct", card=UNPLAYED)
    own = filmed.pictures.clips.folder / "holiday.avi"
    own.write_bytes(b"")
    assert "1 clip is kept" in page.text("/host")
    assert page.post("/host/clips/delete") == (200, "Klippene er slettet.")
    assert list(filmed.pictures.clips.folder.iterdir()) == [own]
    assert Page(filmed, Role.PLAYER).post("/host/choices/keep_clips", on="no")[0] == 403


# ---- a flag's pictures ----


@pytest.fixture
def flagged(table: LiveTable) -> LiveTable:
    """A revoke in trick 4 that the camera saw and that shows; clips are allowed, fair play holds."""
    table.choose(keep_clips=True, fair_play=True)
    table.enter(HAND[0])
    watched(table, 45.0, PLAYS[:18])
    assert table.session.hand.findings
    return table


def _flag(table: LiveTable) -> int:
    (finding, *_), plays = table.session.hand.findings, table.session.hand.plays
    return next(play.seq for play in plays if (play.player, play.card) == (finding.player, finding.card))


def test_the_table_around_a_flag_is_hidden_until_the_hand_is_over(flagged: LiveTable) -> None:
    page, seq = Page(flagged, Role.PLAYER), _flag(flagged)
    assert page.client.get(f"/evidence/{seq}").status_code == 200
    assert "shown when the hand is over" in page.text(f"/evidence/{seq}")
    addresses = [f"/evidence/{seq}/{name}.jpg" for name in ("before", "frame", "after")]
    assert [page.client.get(address).status_code for address in addresses] == [403] * 3
    hidden = next(play.seq for play in flagged.session.hand.plays[:6])
    assert page.client.get(f"/evidence/{hidden}").status_code == 403
    flagged.enter(HandAbandoned(), HandStarted("Bo"))
    # They are kept; the hand's other pictures are gone.
    told = page.html(f"/evidence/{seq}")
    assert all(address in told for address in addresses)
    files = [np.frombuffer(page.client.get(address).data, np.uint8) for address in addresses]
    before, during, after = (cv2.imdecode(file, cv2.IMREAD_GRAYSCALE).mean() for file in files)
    assert before < during < after
    assert page.client.get(f"/evidence/{seq}/later.jpg").status_code == 404
    assert page.client.get("/evidence/999").status_code == 404


def test_who_may_open_a_trick_sees_the_table_at_it_once_it_is_opened(flagged: LiveTable) -> None:
    page, seq = Page(flagged), _flag(flagged)
    assert page.client.get(f"/evidence/{seq}/frame.jpg").status_code == 403
    page.client.post("/hands/1/tricks/4/open", data={"token": page.token})
    assert page.client.get(f"/evidence/{seq}/frame.jpg").status_code == 200
    assert Page(flagged, Role.PLAYER).client.get(f"/evidence/{seq}/frame.jpg").status_code == 403


# ---- from the table to the one file ----

LAID = [FilmedPlay("E", "S7"), FilmedPlay("W", "SR"), FilmedPlay("S", "S2")]
LAID_STYLE = FilmStyle(card_height_px=150, difficulty=0.0, pause_s=0.6, tilt_deg=0.0, fps=6)


@pytest.fixture
def recording(tmp_path: Path) -> str:
    """Bo, Carl and Anna lay a card each."""
    film_into(tmp_path / "laid.mp4", LAID, LAID_STYLE)
    return str(tmp_path / "laid.mp4")


@pytest.mark.slow
def test_a_correction_at_a_real_table_comes_home(
    table: LiveTable, recording: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real eyes read a card, a person puts it right, the benchmark finds that in the clip, the report packs it."""
    table.choose(keep_clips=True)
    table.enter(HandStarted("Anna"))
    loop = CameraLoop(table, lambda: watch_table(recording, table, 1), reopen=False)
    loop.start()
    assert loop.ended.wait(300)
    assert [play.card for play in table.session.hand.plays] == ["S7", "SR", "S2"]
    Page(table).post(f"/plays/{number(table, 1)}/correct", card="H4")
    table.enter(SessionClosed())
    folder = str(table.pictures.clips.folder)
    (name,) = clip_names(table.pictures.clips.folder)
    assert main(["bench", "vision", folder, "--format", "json", "--threads", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    (mistake,) = report["recordings"][0]["mistakes"]
    assert "wrong" in mistake["kinds"]
    assert (mistake["true"]["card"], mistake["booked"]["card"]) == ("H4", "SR")
    out = tmp_path / "mistakes.zip"
    assert main(["report", "--clips", folder]) == 0
    assert "believed SR by Player 3, true H4 by Player 3" in capsys.readouterr().out
    assert main(["report", "1", "--clips", folder, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "a new card: SR" in said and "1 clip" in said and "Nothing was sent" in said
    with zipfile.ZipFile(out) as archive:
        names = archive.namelist()
        assert {f"{name}.avi", f"{name}.json", "page/index.html"} <= set(names)
        assert sum(one.endswith(".jpg") for one in names) == 3
        assert "no card was followed" not in archive.read("page/index.html").decode()
        archive.extractall(tmp_path / "unpacked")
    assert load_recording(tmp_path / "unpacked" / f"{name}.json").before is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["7"], "the clips have the numbers 1 to 1"),
        (["one"], "is no clip's number"),
        (["--out", "x.zip"], "choose clips by their numbers"),
        (["1", "--out", "x.tar"], "must end in .zip"),
        (["1", "--out", "no/such/folder/x.zip"], "No such file"),
    ],
)
def test_what_cannot_be_packed_is_said_in_one_line(
    filmed: LiveTable, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    filmed.enter(PlayCorrected(number(filmed, 0), UNPLAYED))
    assert main(["report", *words, "--clips", str(filmed.pictures.clips.folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_folder_without_clips_and_a_damaged_clip_are_said_in_one_line(
    filmed: LiveTable, refused: Callable[..., str]
) -> None:
    folder = filmed.pictures.clips.folder
    refused("report", "--clips", folder)
    filmed.enter(PlayCorrected(number(filmed, 0), UNPLAYED))
    path = folder / f"{clip_names(folder)[0]}.json"
    path.write_text('{"corrected": 3}')
    refused("report", "--clips", folder)
