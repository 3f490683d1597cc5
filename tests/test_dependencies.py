"""The lock file fits the ranges, and the audit says when it could not be made."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import dependencies
import pytest


@pytest.mark.parametrize("path", dependencies.LOCKS, ids=lambda path: path.name)
def test_each_dependency_is_locked_within_its_range_by_its_hashes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    pins = dependencies.locked(text)
    for requirement in dependencies.requirements(*dependencies.LOCKS[path]):
        found = re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+),<([\d.]+)", requirement)
        for pin in pins[found[1]]:
            version = [int(part) for part in re.findall(r"\d+", pin)]
            lowest, above = ([int(part) for part in bound.split(".")] for bound in found.groups()[1:])
            assert lowest <= version < above, found[1]
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 25 and all("--hash=sha256:" in entry for entry in entries)
    assert "http" not in text  # where it is installed from is the reader's own choice


def test_whoever_installs_by_a_click_or_by_the_readme_installs_by_the_lock() -> None:
    places = ["README.md", "start/tarok.sh", "start/Tarok Table.bat", "SECURITY.md"]
    for place in places:
        text = (dependencies.ROOT / place).read_text(encoding="utf-8")
        assert "-r requirements.lock" in text, place
        assert "--no-deps --no-build-isolation ." in text and not re.search(
            r"install (?:-q |--quiet )?\.(?=\s)", text
        ), place
    assert "-r requirements-club.lock" in (dependencies.ROOT / "docs" / "club.md").read_text(encoding="utf-8")


def test_the_lowest_of_a_range() -> None:
    assert dependencies.lowest("numpy>=1.26,<3") == "numpy==1.26.*"
    assert dependencies.lowest("pytest>=8,<10") == "pytest==8.0.*"


@pytest.fixture
def source() -> Iterator[HTTPServer]:
    """A source of vulnerabilities on this machine, that answers with `answer` for the first package."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            results: list[object] = [{} for _ in asked["queries"]]
            results[0] = self.server.answer  # type: ignore[attr-defined]
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"results": results}).encode())

        def log_message(self, *words: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        ({}, 0, "no known vulnerability"),
        ({"vulns": [{"id": "PYSEC-1"}]}, 1, ": PYSEC-1"),
        ("?", 2, "not audited: "),
    ],
)
def test_the_audit_says_what_is_known(
    source: HTTPServer, answer: object, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source.answer = answer  # type: ignore[attr-defined]
    assert dependencies.audit(f"http://127.0.0.1:{source.server_port}/") == status
    shown = capsys.readouterr()
    assert said in (shown.out + shown.err)


def test_a_source_that_cannot_be_reached_is_said_and_is_no_success(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert dependencies.audit("http://127.0.0.1:1/") == 2
    assert "not audited: http://127.0.0.1:1/ cannot be asked" in capsys.readouterr().err


def test_actions_are_named_by_their_commit() -> None:
    """A tag can be moved to other code."""
    for path in (dependencies.ROOT / ".github" / "workflows").glob("*.yml"):
        used = re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))
        assert used and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one) for one in used), path.name
