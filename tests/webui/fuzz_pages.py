"""Random requests to every address of a server: the page of a real table with a hand in progress, or a club's."""

import inspect
import os
import random
import re
import string
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient
from webui_deals import OPENED, SIDES, hand
from werkzeug.routing import Rule

from tracker.cards import CARDS
from tracker.store import EventStore
from webui.app import create_app
from webui.app_parts import app_parts
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.table.live import LiveTable

_WEBUI = Path(__file__).parents[2] / "webui"
_USUAL = (
    "Anna", "Bo", "Carl", "Dora", "S7", "SR", "T21", "F", "S", "H", "T", "N", "E", "W", "X", "1", "2", "3", "5", "10",
    "yes", "no", "minor", "major", "superficial", "dtf-2011", "pagat-2024", "full", "abundant", "half-R", "misdeal",
    "king", "pagat", "en", "da", "/", "0 False", "1 True",
)  # fmt: skip
_ODD = (
    "", " ", "0", "-1", "999999999", "9" * 300, "9" * 5000, "1e9", "٣", "½", "x" * 3000, "ø" * 300, "None", "[]",
    "\0", "\n", "\r\nSet-Cookie: a=b", "\u2028", "a\tb", "\ud800", "\udcff", "🂡", "'", '"', "%", "%00", "%zz",
    "../../etc/passwd", "..\\x", "//evil.example", "{{7*7}}", "{0}", "<script>",
)  # fmt: skip


def fields(source: str) -> list[str]:
    """The names of the fields that the pages in `source` read."""
    calls = re.findall(r'(?:field|number|choice|words|player|suit)\(f?"([\w{}]+)"', source)
    read = re.findall(r'(?:form|args)(?:\.get|\.getlist)?[\[(]f?"([\w{}]+)"', source)
    inside = re.findall(r'"(\w+)" in (?:request\.)?form', source)
    return sorted({re.sub(r"{\w+}", "S", name) for name in (*calls, *read, *inside)} - {"token"})


class Site(Protocol):
    """A server that is asked: its application, its host's and a stranger's browser, and the tokens of their forms."""

    good_for: int
    """How many requests one is asked, before another takes its place."""
    app: Flask
    host: FlaskClient
    stranger: FlaskClient
    tokens: list[str]

    def stands(self) -> object:
        """How everything stands that a request may change."""

    def close(self) -> None:
        """It is asked no more."""


class _Table:
    """A table with a hand in progress, and its host's and a stranger's browser."""

    good_for = 150

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = EventStore(folder / "evening.sqlite3")
        self.live = LiveTable(self.store)
        self.live.open_evening(OPENED, SIDES)
        for event in hand(3, revoke_in_trick=4)[:31]:
            self.live.enter(event)
        self.app: Flask = create_app(self.live)
        self.host, self.stranger = self.app.test_client(), self.app.test_client()
        phones = app_parts(self.app).phones
        joined = phones.join(Role.HOST)
        self.host.set_cookie(PHONE_COOKIE, phones.cookie(joined.id))
        self.tokens = [found[1] for client in (self.host, self.stranger) if (found := _token(client))]

    def close(self) -> None:
        self.store.close()

    def stands(self) -> object:
        live = self.live
        phones = [(one.id, one.role, one.seat) for one in app_parts(self.app).phones.all()]
        kept = sorted(str(path) for path in (self.folder / "saved").rglob("*"))
        stored = len(live.recorded), len(self.store.sessions())
        camera = live.camera.untaken, live.camera.deck, live.camera.lent
        return stored, live.choices, dict(live.sides), phones, kept, live.pictures.keeps_corrections, camera


def _token(client: FlaskClient) -> re.Match[str] | None:
    return re.search(r'name="token" value="([^"]*)"', client.get("/").get_data(as_text=True))


def fuzz_pages(
    count: int,
    seed: int,
    only: str = "",
    *,
    tell: Callable[[str], object] = lambda _: None,
    make: Callable[[Path], Site] = _Table,
) -> list[str]:
    """Send `count` random requests to each address with `only` in it; what is wrong, a line for each."""
    faults: list[str] = []
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="tarok-fuzz-") as name, _data_in(name):
        table = make(_new(Path(name)))
        rules = sorted((one for one in table.app.url_map.iter_rules() if only in one.rule), key=str)
        for sent, rule in enumerate(rule for rule in rules for _ in range(count)):
            if sent % table.good_for == table.good_for - 1:
                table.close()
                table = make(_new(Path(name)))
            wrong = _asked(rng, table, rule)
            if wrong:
                faults.append(f"request {sent} of seed {seed}: {wrong}")
                tell(faults[-1])
        table.close()
    tell(f"{len(rules)} addresses, {count * len(rules)} requests, {len(faults)} faults")
    return faults


@contextmanager
def _data_in(folder: str) -> Iterator[None]:
    """The data folder is in `folder`."""
    before = os.environ.get("XDG_DATA_HOME")
    os.environ["XDG_DATA_HOME"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["XDG_DATA_HOME"]
        else:
            os.environ["XDG_DATA_HOME"] = before


def _new(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))


_SOURCES = sorted((*_WEBUI.glob("pages/*.py"), *_WEBUI.glob("club/pages/*.py")))
_ALL_FIELDS = fields("".join(path.read_text(encoding="utf-8") for path in _SOURCES))


def _asked(rng: random.Random, table: Site, rule: Rule) -> str:
    """Send one request; what is wrong with its answer."""
    client = table.host if rng.random() < 0.8 else table.stranger
    values = (*_USUAL, *CARDS, *(_ODD if rng.random() < 0.5 else ()))
    path = re.sub(
        r"<(int:)?[^>]*>",
        lambda place: (
            str(rng.randrange(40)) if place[1] and rng.random() < 0.8 else _quoted(rng.choice(values))
        ),
        rule.rule,
    )
    method = (
        rng.choice(sorted(rule.methods or ())) if rng.random() < 0.95 else rng.choice(("POST", "PUT", "X"))
    )
    own = fields(inspect.getsource(table.app.view_functions[rule.endpoint]))
    names = [
        *(one for one in own if rng.random() < 0.9),
        *rng.choices(_ALL_FIELDS, k=rng.choice((0, 0, 3, 30))),
    ]
    form = [
        (one, rng.choice(values))
        for one in (*names, *rng.choices(names or _ALL_FIELDS, k=rng.choice((0, 2))))
    ]
    if rng.random() < 0.9:
        form.append(("token", rng.choice(table.tokens) if table.tokens else ""))
    else:
        form.append(("token", rng.choice(_ODD)))
    headers = {"Accept": rng.choice(("application/json", "text/html", "*/*", "x/\udcff;q=a"))}
    for name, choices in {
        "Origin": ("http://localhost", "http://evil.example", "null", "http://["),
        "Sec-Fetch-Site": ("same-origin", "cross-site", "none"),
        "Accept-Language": ("en", "da;q=x", "zz-" + "y" * 50, "*"),
        "X-Fragment": ("1",),
        "Range": ("bytes=0-1", "bytes=9-1", "x"),
        "If-Modified-Since": ("x", "Sun, 22 Nov 2026 02:17:34 GMT"),
        "Content-Type": ("application/json", *(f"multipart/form-data{end}" for end in ("", '; boundary="'))),
    }.items():
        if rng.random() < 0.06:
            headers[name] = rng.choice(choices)
    before = table.stands()
    said: dict[str, Any] = {"query_string": _query(rng, form), "headers": headers}
    if method != "GET":
        said["data"] = _body(rng, form)
        said.setdefault("content_type", headers.pop("Content-Type", "application/x-www-form-urlencoded"))
    try:
        answer = client.open(path, method=method, **said)
    except UnicodeError:
        return ""  # the client itself cannot send it
    status, shown = answer.status_code, answer.mimetype in ("text/html", "application/json", "text/plain")
    text = answer.get_data(as_text=True) if shown else ""
    answer.close()
    asked = f"{method} {path[:200]} as {'host' if client is table.host else 'stranger'} {form!r}"
    if status >= 500:
        return f"{status}: {asked}"
    if "Traceback (most" in text:
        return f"a traceback: {asked}"
    if before != table.stands() and (method != "POST" or status >= 400 or client is not table.host):
        return f"changed, and answered {status}: {asked}"
    wordless = not (answer.get_json(silent=True) or {}).get("message") and answer.mimetype != "text/plain"
    if status >= 400 and wordless and method != "HEAD" and headers["Accept"] == "application/json":
        return f"{status} without a word: {asked}"
    return ""


def _quoted(value: str) -> str:
    return quote(value, errors="surrogatepass")


def _query(rng: random.Random, form: list[tuple[str, str]]) -> str:
    if rng.random() < 0.5:
        return ""
    if rng.random() < 0.1:
        return "".join(rng.choices(string.printable[:95], k=30)).replace("#", "")
    return _encoded(form[:4])


def _body(rng: random.Random, form: list[tuple[str, str]]) -> bytes:
    body = _encoded(form).encode()
    return rng.randbytes(200) if rng.random() < 0.03 else body


def _encoded(form: list[tuple[str, str]]) -> str:
    return "&".join(f"{quote(name)}={_quoted(value)}" for name, value in form)
