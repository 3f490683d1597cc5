"""The set-up of the table on the page: each step, with a camera and without, and who may do it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from webui_camera import FRAME, seen
from webui_deals import OPENED, SIDES
from webui_page import Page
from webui_program import ran
from webui_table import NAMES, restarted
from webui_until import until

from tracker.events import CardPlayed, HandStarted, SessionClosed, SessionOpened
from tracker.store import EventStore
from vision.errors import VisionError
from vision.watching.likeness import BACK_PX
from vision.watching.set_up import RestingCard, TableLook
from webui.app import create_app
from webui.camera.cameras import Cameras
from webui.camera.loop import CameraLoop
from webui.paths import data_dir
from webui.people.roles import Role
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable
from webui.table.set_up import SetUp, kept_learnt

ROOT = Path(__file__).resolve().parents[2]
STARTERS = ROOT / "start"


class SettingUp:
    """The set-up of `table` on its host's page; what the camera sees is told by `sees`."""

    def __init__(self, table: LiveTable, source: str | None, *, asks: bool = True) -> None:
        self.table = table
        self.state = SetUp(table)
        self.cameras = Cameras(table, source=source, asks=asks)
        app = create_app(table, source=source, cameras=self.cameras, setting_up=self.state)
        self.page = Page(table, app=app)

    def go(self, path: str, **fields: object) -> str:
        """Send a step's form; the address that follows, or the sentence."""
        data = {"token": self.page.token, **fields}
        answer = self.page.client.post(f"{path}?lang=en", data=data, headers={"Accept": "application/json"})
        told = answer.get_json()
        return str(told.get("go") or told["message"])

    def sees(self, *cards: RestingCard) -> None:
        """One picture with these cards at rest."""
        self.state.take(TableLook(seen(), cards))

    def begin(self) -> None:
        """Send the form of the last step as it stands."""
        fields = self.page.filled_in("/setup/ready", '/evening" data-go="/')
        assert self.page.post("/evening", **{**fields, "dealer": fields.get("dealer", "S")})[0] == 200


def face(card: str, x: float, y: float, *, sure: bool = True) -> RestingCard:
    return RestingCard(1, (x, y), card, sure, 15.0 if FRAME.shape[1] == 128 else 150.0, 0.3, patch(1))


def back(seed: int, x: float, y: float, height_px: float = 15.0) -> RestingCard:
    return RestingCard(2, (x, y), "", False, height_px, 0.3, patch(seed))


def patch(seed: int) -> np.ndarray:
    """A patterned back, (BACK_PX, BACK_PX, 3)."""
    blocks = np.random.default_rng(seed).integers(0, 255, (6, 6, 3), dtype=np.uint8)
    return np.kron(blocks, np.ones((BACK_PX // 6, BACK_PX // 6, 1), np.uint8))


def test_a_new_table_without_a_camera_is_ready_after_three_steps_and_nothing_speaks_of_a_camera(
    empty: LiveTable,
) -> None:
    table = SettingUp(empty, None)
    assert table.page.client.get("/setup").headers["Location"] == "/setup/game"
    assert table.go("/setup/game", game="danish", rules="pagat-2024", count="1") == "/setup/camera"
    assert table.go("/setup/camera", source="none") == "/setup/players"
    assert table.go("/setup/players", name=["Anna", "Bo", "Carl", "", ""]) == "/setup/ready"
    for path in ("/setup/game", "/setup/players", "/setup/ready"):
        words = re.sub("The camera", "", table.page.text(path), count=1)  # the step's own name
        assert "camera" not in words.lower(), (path, words)
    assert table.page.client.get("/setup/cards").status_code == 404
    table.begin()
    assert empty.session.seats == ("Anna", "Bo", "Carl")
    assert empty.session.opened.rules == "pagat-2024"
    assert "camera" not in table.page.text("/").lower()


def test_the_cards_shown_are_told_and_their_scale_and_backs_are_kept(empty: LiveTable) -> None:
    table = SettingUp(empty, "0")
    assert "No card is seen face up yet." in table.page.text("/setup/cards/seen")
    table.sees(face("HD", 0.4, 0.5, sure=False))
    words = table.page.text("/setup/cards/seen")
    assert "I cannot read this index for certain; perhaps it is queen of hearts." in words
    table.sees(face("HD", 0.4, 0.5), back(1, 0.6, 0.5), back(2, 0.8, 0.5), back(7, 0.1, 0.1, height_px=60.0))
    words = table.page.text("/setup/cards/seen")
    assert "I can read this index: queen of hearts." in words and "2 backs are learnt." in words
    assert "The camera is too far away: cards are 15 px high" in words
    learnt = kept_learnt(empty.path).load()
    assert len(learnt.backs) == 2 and learnt.height_px(FRAME.shape[1]) == 15.0
    assert table.go("/setup/cards/again") == "/setup/cards"
    assert kept_learnt(empty.path).load().backs == ()
    assert "Jeg kan læse" not in table.page.text("/setup/cards/seen", "da")


def test_each_player_lays_a_card_in_turn_and_the_seats_follow(empty: LiveTable) -> None:
    table = SettingUp(empty, "0")
    there = face("T5", 0.5, 0.5)
    table.sees(there)  # a card that lay there before is nobody's
    assert table.go("/setup/players", name=["Carl", "Anna", "Bo"]) == "/setup/players"
    cards = [there]
    laid = {"Carl": face("T9", 0.2, 0.5), "Anna": face("S7", 0.5, 0.8), "Bo": face("D5", 0.8, 0.5)}
    for name, card in laid.items():
        assert f"{name}: lay a card in front of you" in table.page.text("/setup/players/seen")
        table.sees(*cards)
        assert table.state.turn == name
        cards.append(card)
        table.sees(*cards)
    assert "Play runs: Anna, Bo, Carl." in table.page.text("/setup/players/seen")
    assert table.page.client.get("/setup").headers["Location"] == "/setup/game"
    table.begin()
    assert empty.sides == {"Anna": "S", "Bo": "E", "Carl": "W"}
    assert kept_learnt(empty.path).load().laid["Anna"] == (0.5, 0.8)


def test_a_seat_can_be_shown_again_or_chosen_by_hand(empty: LiveTable) -> None:
    table = SettingUp(empty, "0")
    table.go("/setup/players", name=["Anna", "Bo", "Carl"])
    table.sees()
    table.sees(face("S7", 0.2, 0.5))  # Anna errs
    assert table.state.turn == "Bo"
    table.go("/setup/players/lay", name="Anna")
    table.sees(face("S7", 0.2, 0.5))
    table.sees(face("S7", 0.2, 0.5), face("S8", 0.5, 0.8))
    assert table.state.turn == "Bo" and table.state.placed()["Anna"] == "S"
    table.go("/setup/players/side", name="Bo", side="E")
    table.go("/setup/players/side", name="Carl", side="W")
    assert table.state.placed() == {"Anna": "S", "Bo": "E", "Carl": "W"} and not table.state.turn
    assert table.go("/setup/players/side", name="Nobody", side="W") == "“Nobody” cannot be chosen here."


def test_five_of_whom_two_share_a_side_sit_as_their_cards_lie(empty: LiveTable) -> None:
    table = SettingUp(empty, "0")
    table.go("/setup/players", name=list(NAMES[:5]))
    table.sees()
    cards: list[RestingCard] = []
    for x, y in ((0.5, 0.85), (0.75, 0.6), (0.65, 0.2), (0.35, 0.2), (0.25, 0.6)):
        cards.append(face("S7", x, y))
        table.sees(*cards)
    table.begin()
    assert empty.session.seats == NAMES[:5]


def test_the_next_evening_needs_one_tap(table: LiveTable) -> None:
    setting_up = SettingUp(table, "0")
    assert setting_up.page.client.get("/setup").headers["Location"] in ("/setup/ready", "/setup/camera")
    table.choose()
    assert setting_up.state.placed() == SIDES
    assert "An evening is already open" in setting_up.page.text("/setup/ready")


def test_the_rules_of_the_last_evening_are_proposed_for_the_next(empty: LiveTable) -> None:
    empty.open_evening(SessionOpened("pagat-1996", (("count", False),), NAMES[:3]), SIDES)
    empty.enter(SessionClosed())
    host = SettingUp(restarted(empty), None)
    fields = host.page.filled_in("/setup/game", "/setup/game")
    assert fields["rules"] == "pagat-1996" and "count" not in fields
    assert "J. B. Christiansen 1996" in host.page.text("/setup/ready")
    # Whoever starts the program with other rules means them.
    table = host.page.table
    told = Page(table, app=create_app(table, rules=("pagat-2024", ())))
    assert told.filled_in("/setup/game", "/setup/game")["rules"] == "pagat-2024"


def test_names_that_cannot_be_are_refused_in_one_sentence(empty: LiveTable) -> None:
    table = SettingUp(empty, None)
    assert "The game is for 3 to 5 players." in table.page.text("/setup/players")
    assert table.go("/setup/players", name=["Anna", "Bo"]) == "Enter the names of 3 to 5 players."
    for names in (["Anna", "Bo", "anna"], ["Anna", "Bo", "Carl", "Dora", "Emil", "anna"]):
        refused = table.go("/setup/players", name=names)
        assert refused == "“anna” is entered twice. Give each player a name of his own."
    refused = table.go("/setup/players", name=["Anna", "Bo", "king"])
    assert refused.startswith("A name has 1 to 24 characters")
    for word in ("rm -rf", "tried", "http://192.168.1.20/video", "9" * 600):
        assert "is not a camera's number." in table.go("/setup/camera", source=word)
    assert empty.choices.camera == ""
    assert table.page.client.get("/setup/nowhere").status_code == 404
    assert table.page.client.get("/setup/camera/3.jpg").status_code == 404


def test_a_game_for_four_says_so_and_names_its_only_rules_once(empty: LiveTable) -> None:
    table = SettingUp(empty, None)
    assert "Rules: American Tarock" not in table.page.text("/setup/game?game=american")
    table.go("/setup/game", game="american", rules="american-tarock", mond_penalty="21")
    assert "The game is for 4 players." in table.page.text("/setup/players")
    refused = table.go("/setup/players", name=["Anna", "Bo", "Carl"])
    assert refused == "Enter the names of all 4 players."


def test_only_the_host_sets_up(empty: LiveTable) -> None:
    app = create_app(empty)
    for role in (Role.UNINVITED, Role.WALL, Role.PLAYER):
        page = Page(empty, role, app=app)
        for path in ("/setup", "/setup/game", "/setup/cards/seen", "/setup/camera/0.jpg"):
            assert page.client.get(path).status_code == 403, (role, path)
        for path in ("/setup/game", "/setup/camera", "/setup/players", "/setup/players/lay"):
            assert page.client.post(path, data={"token": page.token}).status_code == 403, (role, path)


def test_before_the_first_evening_the_host_is_led_to_the_set_up(empty: LiveTable) -> None:
    host, player = Page(empty), Page(empty, Role.PLAYER)
    for path in ("/play", "/more", "/ledger", "/settle"):
        shown = host.html(path, status=409)
        assert "Open an evening first." in shown and '<a class="button main" href="/setup">' in shown, path
    assert '<a class="button main" href="/setup">' in host.html("/recording")
    assert 'href="/ledger"' not in host.html("/"), "nothing leads there yet"
    shown = player.html("/play", status=409)
    assert 'href="/setup"' not in shown and 'href="/">To the table' in shown


def test_while_a_hand_is_played_the_camera_stays_with_the_game(empty: LiveTable) -> None:
    state = SetUp(empty)
    state.ask()
    assert state.is_asked
    empty.open_evening(SessionOpened("dtf-2011", (), tuple(SIDES)), SIDES)
    empty.enter(HandStarted("Anna"), CardPlayed("Bo", "S7"))
    assert not state.is_asked


def tarok(*words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": "true"}
    environment |= dict.fromkeys(("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"), str(home))
    return ran(*words, environment=environment)


@pytest.mark.skipif(sys.platform == "win32", reason="the folder of the data is another")
def test_tarok_alone_opens_the_page_of_the_program_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with closing(EventStore(data_dir() / "evening.sqlite3", alone=True)):
        done = tarok(home=tmp_path)
    said = "The program is already running; its page is opened."
    assert (done.returncode, done.stdout.strip()) == (0, said)
    assert "there is one" not in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="written for sh")
def test_the_file_to_double_click_starts_what_is_installed_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "a folder with spaces"
    (folder / "start").mkdir(parents=True)
    (folder / ".venv" / "bin").mkdir(parents=True)
    started = folder / ".venv" / "bin" / "tarok"
    started.write_text('#!/bin/sh\necho started in "$(basename "$PWD")" with "$@"\n')
    started.chmod(0o755)
    for name in ("tarok.sh", "Tarok Table.command"):
        (folder / "start" / name).write_bytes((STARTERS / name).read_bytes())
        (folder / "start" / name).chmod(0o755)
        line = [folder / "start" / name, "--version"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=20)
        assert done.stdout == "started in a folder with spaces with --version\n", name
    desktop = (STARTERS / "Tarok Table.desktop").read_text(encoding="utf-8")
    command = next(line[5:] for line in desktop.splitlines() if line.startswith("Exec="))
    place = folder / "start" / "Tarok Table.desktop"
    line = command.replace("%k", f"'{place}'")
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=20)
    assert done.stdout.startswith("started in a folder with spaces")
    assert b"\r\n" in (STARTERS / "Tarok Table.bat").read_bytes()  # cmd.exe needs them


@pytest.mark.skipif(sys.platform == "win32", reason="written for sh")
def test_installing_that_fails_deletes_only_what_it_made(tmp_path: Path) -> None:
    for place in ("start", "bin"):
        (tmp_path / place).mkdir()
    shutil.copy(STARTERS / "tarok.sh", tmp_path / "start")
    python = tmp_path / "bin" / "python3"
    python.write_text("#!/bin/sh\nmkdir -p .venv\nexit 1\n")
    python.chmod(0o755)
    env = {"PATH": f"{python.parent}:/usr/bin:/bin"}
    line = ["sh", str(tmp_path / "start" / "tarok.sh")]
    for own in (False, True):
        if own:
            (tmp_path / ".venv").mkdir()
        done = subprocess.run(line, env=env, input="\n", capture_output=True, text=True, timeout=20)
        assert done.returncode == 1 and "That did not work" in done.stdout
        assert (tmp_path / ".venv").exists() == own


def test_a_table_that_was_started_without_a_camera_asks_for_none(empty: LiveTable) -> None:
    table = SettingUp(empty, None, asks=False)
    assert table.go("/setup/game", game="danish", rules="pagat-2024") == "/setup/players"
    assert "/setup/camera" not in table.page.html("/setup/players")
    assert table.page.client.get("/setup/camera").status_code == 404
    assert table.go("/setup/players", name=["Anna", "Bo", "Carl"]) == "/setup/ready"
    assert table.page.client.get("/setup").headers["Location"] == "/setup/ready"


def test_who_played_before_is_offered_and_is_the_same_person_in_other_letters(table: LiveTable) -> None:
    table.enter(SessionClosed())
    new = SettingUp(table, None, asks=False)
    assert all(f'<option value="{name}">' in new.page.html("/setup/players") for name in OPENED.seats)
    assert new.go("/setup/players", name=["bo", "ERIK", " anna"]) == "/setup/ready"
    new.begin()
    assert table.session.seats == ("Bo", "ERIK", "Anna")
    assert new.page.post("/join", player="CARL", after="Anna", side="N")[0] == 200
    assert table.session.seats[-1] == "Carl"


def onward(page: Page, path: str) -> str:
    """The classes of the button that leads on from a step."""
    found = re.search(r'<(?:a|button) class="([^"]*\bonward)"', page.html(path))
    return found[1]


def test_a_dead_address_is_told_of_as_an_address_and_next_is_not_gold(empty: LiveTable) -> None:
    table = SettingUp(empty, "http://192.0.2.1/video")
    loop = CameraLoop(empty, lambda: iter(()), reopen=True, in_network=True, look=no_picture)
    loop.start()
    until(lambda: empty.camera.status.state == "trouble")
    words = table.page.text("/setup/camera")
    assert "The camera in the network does not answer." in words and "cable" not in words
    assert "main" not in onward(table.page, "/setup/camera")
    loop.stop()
    empty.camera.set_status(CameraStatus("setting_up"))
    assert "main" in onward(table.page, "/setup/camera")


def no_picture() -> Iterator[np.ndarray]:
    raise VisionError("http://192.0.2.1/video: cannot be opened")


@pytest.mark.parametrize("names", [[], ["Anna", "Bo", "Carl"]], ids=["nobody named", "nobody seated"])
def test_a_skipped_step_leads_back_to_what_is_missing(empty: LiveTable, names: list[str]) -> None:
    table = SettingUp(empty, "0")
    table.go("/setup/game", game="danish", rules="pagat-2024")
    if names:
        table.go("/setup/players", name=names)
    ready = table.page.client.get("/setup/ready").get_data(as_text=True)
    assert onward(table.page, "/setup/ready") == "button main onward"
    assert re.search(r'href="/setup/players">(Skriv spillerne|Giv alle en plads)<', ready)
