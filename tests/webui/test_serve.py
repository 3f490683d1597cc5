"""`tarok serve` as people run it: a process of its own, the real server, killed and started again."""

import json
import socket
import sqlite3
from contextlib import closing

import pytest
from webui_program import ran
from webui_serving import SEATS, Visitor, ran_in, serving

from tracker.events import SessionOpened
from tracker.store import EventStore
from webui.cli import main


def test_what_was_entered_survives_a_kill(tmp_path):
    with serving(tmp_path, *SEATS) as server:
        visitor = Visitor(server.address)
        visitor.post("plays", player="Bo", card="S7")
        server.kill()
    with serving(tmp_path, *SEATS) as server:
        visitor.address = server.address  # the same open page, with the token it had
        visitor.post("plays", player="Carl", card="SR")
        exported = json.loads(visitor.get("session.json"))
    assert exported["hands"] == [
        {"dealer": "Anna", "events": [{"play": "Bo", "card": "S7"}, {"play": "Carl", "card": "SR"}]}
    ]


def test_a_clubs_rules_go_with_the_evening(tmp_path):
    """Begun by the club's file, and gone on with after the file is lost; the export carries every key."""
    club = tmp_path / "ours.toml"
    club.write_text(
        'base = "dtf-2011"\nname = "Lauget"\nfoundation = 30\ndeal = 10\nnolo = 35\nmax_players = 4\n'
    )
    seats = ("--seats", "Anna@S,Bo@E,Carl@W")
    with serving(tmp_path, *seats, "--rules", club) as server:
        Visitor(server.address).post("hands", dealer="Anna")
        server.kill()
    club.unlink()
    with serving(tmp_path, *seats) as server:
        visitor = Visitor(server.address)
        exported = json.loads(visitor.get("session.json"))
        audited = json.loads(visitor.get("audit.json"))
    wanted = {"name": "Lauget", "foundation": 30, "deal": 10, "nolo": 35, "max_players": 4}
    assert (exported["rules"], exported["options"]) == ("dtf-2011", wanted)
    assert audited["pots"] == {"king": 100, "pagat": 100}
    (tmp_path / "session.json").write_text(json.dumps(exported), encoding="utf-8")
    done = ran("audit", tmp_path / "session.json")
    assert json.loads(done.stdout) == audited


def test_the_page_proposes_the_clubs_rules_for_a_new_evening(tmp_path):
    club = tmp_path / "ours.toml"
    club.write_text(
        'base = "pagat-2024"\nname = "Lauget"\nmajor_fine = 25\ncount = false\n', encoding="utf-8"
    )
    with serving(tmp_path, "--rules", club) as server:
        visitor = Visitor(server.address)
        dialog = visitor.get("setup/game")
        assert 'value="Lauget" checked' in dialog and 'name="count" value="1">' in dialog
        visitor.post("evening", seat_S="Anna", seat_E="Bo", seat_W="Carl", rules="Lauget", dealer="S")
        exported = json.loads(visitor.get("session.json"))
    assert exported["rules"] == "pagat-2024"
    assert exported["options"] == {"name": "Lauget", "major_fine": 25, "count": False}


def test_of_two_programs_on_one_evening_the_second_is_refused_in_one_line(tmp_path):
    with serving(tmp_path) as server:
        path = tmp_path / "tarok-table" / "evening.sqlite3"
        second = ("serve", "none", "--host", "127.0.0.1", "--port", 0)
        done = ran_in(tmp_path, *second)
        assert (done.returncode, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"tarok: {path}: a running program keeps its evening there")
        assert EventStore(path).sessions() == []  # it may be read, and the first goes on
        Visitor(server.address).get("")


def test_without_its_camera_it_serves_and_says_what_is_wrong(tmp_path):
    with serving(tmp_path, "--seats", "Anna@S,Bo@E,Carl@W", source="97") as server:
        visitor = Visitor(server.address)
        assert "camera 97: cannot be opened" in visitor.waits_for("Camera trouble")
        visitor.post("hands", dealer="Anna")
        visitor.post("plays", player="Bo", card="S7")


def test_news_reaches_a_listener_at_once(tmp_path):
    with serving(tmp_path, *SEATS) as server:
        visitor = Visitor(server.address)
        with visitor.opener.open(server.address + "stream?lang=en", timeout=10) as stream:
            first = [stream.readline() for _ in range(3)]
            assert first[0] == b"event: state\n"
            visitor.post("plays", player="Bo", card="S7")
            told: dict[str, str] = {}
            while "felt" not in told:  # other news may come first, such as of the network
                _, data, _ = (stream.readline() for _ in range(3))
                told = json.loads(data.removeprefix(b"data: "))["regions"]
        assert "7 of spades" in told["felt"]


@pytest.mark.parametrize("source", ["nowhere.mp4", ""])
def test_a_recording_that_is_not_there_is_not_waited_for(source, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["serve", source, "--host", "127.0.0.1", "--port", "0"]) == 2
    shown = capsys.readouterr()
    assert shown.err == f"tarok: source {source!r}: no such video file, and no camera's number or address\n"
    assert shown.out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seats", "Anna@S,Bo@E"), "a table has 3 to 6 seats, not 2"),
        (("--rules", "bridge"), "unknown rule set 'bridge'"),
        (("--rules", "nowhere.toml"), "nowhere.toml: No such file"),
        (("--rules", "{tmp}/notes.txt"), "notes.txt"),
        (("--seats", "Anna@S,Bo@E,Carl@W", "--dealer", "Dora"), "--dealer Dora"),
        (("--db", "nowhere/evening.sqlite3"), "there is no folder"),
        (("--db", "{tmp}"), "is not a file"),
        (("--db", "{tmp}/notes.txt"), "not a database"),
        (("--port", "70000"), "not a port"),
        (("--port", "{taken}"), "the port is in use"),
        (("--host", "198.51.100.1"), "this computer does not have that address"),
        (("--host", "no-such-table.invalid"), "no address is found for that name"),
        (("--host", "table..local"), "no address is found for that name"),
    ],
)
def test_what_cannot_be_served_is_one_line_and_status_2(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "notes.txt").write_text("not a database at all, but long enough to be one " * 40)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        places = {"tmp": tmp_path, "taken": other.getsockname()[1]}
        try:
            status = main(
                ["serve", "none", "--host", "127.0.0.1", *(word.format(**places) for word in words)]
            )
        except SystemExit as stopped:  # argparse's own way out
            status = stopped.code
    shown = capsys.readouterr()
    assert status == 2
    assert said in shown.err.strip().splitlines()[-1]
    assert shown.out == ""


def test_an_evening_that_cannot_be_read_is_named_in_one_line(tmp_path, capsys):
    path = tmp_path / "evening.sqlite3"
    with closing(EventStore(path)) as store:
        store.open_session(SessionOpened("dtf-2011", (), ("Anna", "Bo", "Carl")))
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE events SET data = replace(data, 'event', 'evenu')")
        database.commit()
    assert main(["serve", "none", "--host", "127.0.0.1", "--port", "0", "--db", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"tarok: {path}: its evening cannot be read (") and said.count("\n") == 1
