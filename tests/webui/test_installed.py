"""The program as it is double-clicked: started twice, ended on the page, a session file opened, no terminal."""

import io
import re
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest
from webui_serving import Visitor, command, environment, serving

from vision.resources import datasets_dir
from webui import desktop
from webui.cli import main
from webui.people.phones import Phones


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the browser writes the addresses to which it is sent."""
    pages, browser = tmp_path / "opened.txt", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{pages}"\n', encoding="utf-8")
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("BROWSER", str(browser))
    pages.touch()
    return pages


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
def test_a_second_start_opens_the_page_for_the_host_and_the_page_ends_the_program(
    tmp_path: Path, opened: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as another:
        port = another.getsockname()[1]
        home = environment(tmp_path)
        with serving(tmp_path, "--again", "--port", port) as server:
            assert f":{port}/" not in server.address, "another program has that port"
            Visitor(server.address)
            again = subprocess.run(command("serve", "--again"), env=home, capture_output=True, text=True)
            assert (again.returncode, again.stderr) == (0, "")
            link = opened.read_text(encoding="utf-8").strip()
            assert urllib.parse.urlsplit(link).netloc == urllib.parse.urlsplit(server.address).netloc
            Visitor.jars.pop(server.address)
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with browser.open(link) as page:
                assert page.status == 200
            with pytest.raises(urllib.error.HTTPError), urllib.request.urlopen(link):
                raise AssertionError("the link made a second browser the host")
            asked = browser.open(f"{server.address}host/end").read().decode()
            token = asked.partition('name="token" value="')[2].partition('"')[0]
            fields = urllib.parse.urlencode({"token": token}).encode()
            with browser.open(f"{server.address}host/end", fields) as page:
                assert page.url == f"{server.address}host/ended"
                assert "Programmet er afsluttet" in page.read().decode()
            assert server.program.wait(timeout=20) == 0
            assert not list(tmp_path.rglob("*.address"))


def test_a_stranger_cannot_sign_himself_a_hosts_link(tmp_path: Path) -> None:
    ours, others = Phones(tmp_path / "a.sqlite3"), Phones(tmp_path / "b.sqlite3")
    assert not ours.take_host_link(others.new_invitation("host"))
    assert not ours.take_host_link(ours.new_invitation("join"))
    word = ours.new_invitation("host")
    assert ours.take_host_link(word) and not ours.take_host_link(word)


def test_a_session_file_is_shown_as_the_page_that_a_host_shares(
    tmp_path: Path, refused: Callable[..., str]
) -> None:
    shown = tmp_path / "evening.html"
    assert main(["open", str(datasets_dir() / "demo" / "french-tarot.json"), "--out", str(shown)]) == 0
    page = shown.read_text(encoding="utf-8")
    assert 'data-steps="' in page or "steps" in page
    assert "Anna" in page and "http://" not in page.replace("http://www.w3.org", "")
    truth = datasets_dir() / "demo" / "hand.json"
    assert "hand.json: this is no file of an evening of Tarok Table" in refused("open", truth, "--out", shown)
    assert "no.tarok: No such file" in refused("open", tmp_path / "no.tarok")


def test_where_no_browser_opens_the_page_of_a_session_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert main(["open", str(datasets_dir() / "demo" / "french-tarot.json")]) == 0
    named = re.search(r"The evening is in (\S+\.html);", capsys.readouterr().out)
    assert named is not None and "Anna" in Path(named[1]).read_text(encoding="utf-8")
    Path(named[1]).unlink()


@pytest.mark.parametrize("stream", [None, io.StringIO()], ids=["no output", "output that nobody sees"])
def test_without_a_terminal_the_browser_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    damaged = tmp_path / "aften.tarok"
    damaged.write_text("{", encoding="utf-8")
    assert desktop.main([str(damaged)]) == 2
    place = Path(urllib.parse.unquote(urllib.parse.urlsplit(opened[0]).path))
    page = place.read_text(encoding="utf-8")
    place.unlink()
    assert "aften.tarok: not JSON" in page and "Traceback" not in page


def test_a_double_click_says_in_the_browser_that_the_data_folder_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(sys, "stderr", None)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "a file"))
    (tmp_path / "a file").touch()
    assert desktop.main([]) == 2
    place = Path(urllib.parse.unquote(urllib.parse.urlsplit(opened[0]).path))
    page = place.read_text(encoding="utf-8")
    place.unlink()
    assert "a file/tarok-table: Not a directory" in page


def test_who_types_a_command_is_answered_where_he_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("a browser was opened"))
    assert desktop.main(["audit", "/no/such/evening.tarok"]) == 2
    assert "evening.tarok: No such file" in capsys.readouterr().err
