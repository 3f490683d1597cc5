"""What the command says to people: where there is nothing to show, where nobody answers, and how far it is."""

import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tracker.events import SessionOpened
from tracker.store import EventStore
from webui.cli import COMMANDS, main
from webui.club.members import club_called
from webui.club.schema import open_database
from webui.paths import data_dir

SEATS = "Anna@S,Bo@E,Carl@W"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The status of `tarok` with these words, and what it prints to each of its outputs."""
    try:
        status = main(words)
    except SystemExit as end:
        status = int(end.code or 0)
    captured = capsys.readouterr()
    return status, captured.out.strip(), captured.err.strip()


def test_help_begins_with_a_sentence_for_people(capsys):
    status, out, _ = said(capsys, "--help")
    about = " ".join(out.partition("\n\n")[2].split())
    assert status == 0 and about.startswith("Watch a Tarok table through a camera: ")
    assert all(f"\n    {command}" in out for command in COMMANDS)


def test_without_a_camera_the_list_says_so_and_what_to_do(capsys, monkeypatch):
    monkeypatch.setattr("vision.camera.capture.list_cameras", list)
    status, out, err = said(capsys, "cameras")
    assert (status, err) == (0, "")
    assert out.startswith("No camera was found. Plug one in") and out.endswith("tarok serve none")


def test_without_clips_the_report_says_so_and_nothing_can_be_chosen(capsys, tmp_path):
    folder = ("--clips", str(tmp_path))
    status, out, err = said(capsys, "report", *folder)
    assert (status, err) == (0, "") and out.startswith("No clips are kept. The host's page switches them on")
    for words in (("1",), ("--all", "--out", str(tmp_path / "a.zip")), ("--out", str(tmp_path / "a.zip"))):
        status, _, err = said(capsys, "report", *words, *folder)
        assert status == 2 and err.endswith("no clips are kept")


def test_another_place_than_a_broken_data_folder_is_offered_only_where_it_can_be_chosen(
    capsys, tmp_path, monkeypatch
):
    broken = tmp_path / "file"
    broken.touch()
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(broken))
    monkeypatch.setattr(Path, "home", lambda: broken)
    for words in (("serve", "none"), ("backup", str(tmp_path / "a.zip")), ("report",), ("decks", "list")):
        status, out, err = said(capsys, *words)
        assert (status, out) == (2, "") and str(broken) in err
        assert ("--db" in err) == ("--db" in said(capsys, *words[:1], "--help")[1]), words


def test_a_user_without_a_home_folder_is_told_so(capsys, monkeypatch):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")  # as Python says it

    monkeypatch.setattr(Path, "home", home)
    status, _, err = said(capsys, "decks", "list")
    assert (status, err) == (2, "tarok: this user has no home folder for the evenings")


@pytest.fixture
def dead_address() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return f"http://127.0.0.1:{one.getsockname()[1]}"


def test_a_club_that_does_not_answer_is_told_of_in_one_sentence(capsys, tmp_path, dead_address):
    table = ("serve", "none", "--db", str(tmp_path / "evening.sqlite3"), "--club-code", "x", "--club")
    status, _, err = said(capsys, *table, dead_address)
    assert (status, err) == (
        2,
        f"tarok: no club answers at {dead_address}; see that the address is right and that the network is there",
    )
    status, _, err = said(capsys, *table, "club.example.org")
    assert (status, err) == (
        2,
        "tarok: --club club.example.org is not an address; write it as in https://club.example.org",
    )


@pytest.mark.slow
def test_a_film_that_is_watched_tells_now_and_then_how_far_it_is(
    capsys, filmed: str, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr("webui.commands.watch._TELL_EVERY_S", 1.0)
    status, _, err = said(capsys, "watch", filmed, "--seats", SEATS, "--out", str(tmp_path / "hand.json"))
    lines = err.splitlines()
    assert status == 0 and len(lines) >= 2
    assert all(line.startswith("tarok watch: 0:0") and "% watched" not in line for line in lines)
    assert "1 plays" in lines[-1] and "%)" in lines[-1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_every_command_and_its_options(capsys, shell):
    status, out, _ = said(capsys, "completion", shell)
    assert status == 0
    assert [command for command in COMMANDS if command not in out] == []
    assert "dealer" in out and "no-browser" in out


def test_a_training_tells_before_it_begins_that_its_folder_cannot_be_made(capsys, tmp_path):
    there = tmp_path / "run"
    there.write_text("a letter", encoding="utf-8")
    status, _, err = said(capsys, "train", "belief", "--decks", str(tmp_path), "--out", str(there))
    assert (status, err) == (2, f"tarok: --out {there}: is not a folder")


@pytest.mark.parametrize(
    "words",
    [
        "train identifier --seed -1",
        "train identifier --threads 0",
        "train belief --scenes -3",
        "train finder --hours nan",
        "train corners --workers -1",
    ],
)
def test_a_number_with_which_nothing_can_be_trained_is_refused(capsys, tmp_path, words):
    _, _, option, number = words.split()
    there = tmp_path / "run"
    status, _, err = said(capsys, *words.split(), "--decks", str(tmp_path), "--out", str(there))
    assert status == 2 and err.startswith(f"tarok: {option} {number}: must be ") and not there.exists()


@pytest.mark.parametrize(
    "words", ["open", "learn --no-browser", "film --seats Anna@S,Bo@E,Carl@W --out no.mp4"]
)
def test_a_file_without_an_end_is_not_read_to_the_end(capsys, words):
    status, _, err = said(capsys, *words.split(), "/dev/zero")
    assert (status, err) == (2, "tarok: /dev/zero: File too large")


@pytest.mark.parametrize("words", ["rules", "rules french-tarot", "club seating --players 7 --rounds 1"])
def test_a_full_disk_under_what_is_printed_is_told_of_in_one_sentence(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "webui.cli", *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "tarok: standard output: No space left on device\n")


def test_without_a_terminal_nothing_is_read_and_nothing_printed():
    for closed, words in (("<&-", "audit -"), (">&-", "rules")):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m webui.cli {words} {closed}"], capture_output=True, text=True
        )
        assert "Traceback" not in done.stderr


def test_a_folder_that_is_missing_is_told_of_by_the_name_that_was_given(capsys, tmp_path):
    out = tmp_path / "missing" / "plan.json"
    for option in ("--out", "--pdf"):
        status, _, err = said(capsys, "club", "seating", "--players", "7", "--rounds", "1", option, str(out))
        assert (status, err) == (2, f"tarok: {option} {out}: No such file or directory")


def test_only_as_many_rounds_are_kept_as_were_played(capsys):
    status, _, err = said(capsys, "club", "seating", "--players", "7", "--rounds", "1", "--keep", "2")
    assert (status, err) == (2, "tarok: --keep 2: must be 0 to 0")


def test_a_cameras_number_is_no_address(capsys):
    status, _, err = said(capsys, "cameras", "2")
    assert status == 2 and err.endswith("tarok serve 2 uses the camera of that number")


@pytest.mark.parametrize("command", ["report", "learn", "watch --seats Anna@S,Bo@E,Carl@W", "serve"])
def test_a_number_of_any_length_is_refused_in_one_sentence(capsys, monkeypatch, tmp_path, command):
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with closing(EventStore(data_dir() / "evening.sqlite3")) as store:
        store.open_session(SessionOpened("dtf-2011", (), ("Anna", "Bo", "Carl")))
    status, _, err = said(capsys, *command.split(), "9" * 5000)
    assert status == 2 and err.startswith("tarok: ") and "\n" not in err


def test_a_link_is_for_a_club_that_is_there(capsys, tmp_path):
    database = f"sqlite:///{tmp_path / 'club.sqlite3'}"
    link = ("club", "link", "--db", database)
    for words in ((), ("--club", "Lauget")):
        status, _, err = said(capsys, *link, *words)
        assert (status, err) == (2, "tarok: no club is kept here yet; tarok club serve begins one")
    club_called(open_database(database), "Lauget")
    status, _, err = said(capsys, *link, "--club", "Klub")
    assert (status, err) == (2, "tarok: no club here is called 'Klub'; there is Lauget")
    assert said(capsys, *link)[0] == 0


@pytest.mark.parametrize(
    "address",
    ["https://[", "https://", "http://x.org", "https://x.org/tarok", "https://x.org?a", "https://a@x.org"],
)
def test_a_proxys_address_is_that_of_a_whole_site(capsys, tmp_path, address):
    database = f"sqlite:///{tmp_path / 'club.sqlite3'}"
    status, _, err = said(capsys, "club", "serve", "--db", database, "--public", address)
    assert (status, err) == (
        2,
        f"tarok: --public {address}: is not an address such as https://tarok.example.org",
    )


@pytest.mark.parametrize(
    "words",
    [
        "watch none.mp4 --seats Anna@S,Bo@E,Carl@W --said",
        "bench vision",
        "film --seats Anna@S,Bo@E,Carl@W --hand 1 --out",
        "audit",
    ],
)
def test_a_file_of_many_brackets_is_refused_in_one_sentence(capsys, tmp_path, words):
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000, encoding="utf-8")
    given = deep.with_suffix(".mp4") if words.endswith("--out") else deep
    status, _, err = said(capsys, *words.split(), str(given))
    assert status == 2 and err.startswith("tarok: ") and "\n" not in err
    assert deep.read_text(encoding="utf-8").startswith("[[")


def test_a_line_end_in_a_name_makes_no_second_line(capsys, tmp_path):
    for name in ("two\nlines", "re\u202eversed"):
        status, _, err = said(capsys, "audit", str(tmp_path / name))
        assert status == 2 and err.startswith("tarok: ") and err.isprintable()
