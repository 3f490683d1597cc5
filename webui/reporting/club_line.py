"""The line from a table to its club: what goes over it, and which club a table has joined.

A table sends the events of its evenings and the players' balances after them, never a picture. The club's server says
how far it has come. So a batch that is sent twice is stored once, and a lost one is sent again.

An evening has a key that its table drew by chance, and belongs to that table. A **digest** stands for all its events up
to one of them: two records with the same digest are the same record.
"""

import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit

from tracker.store import Stored
from webui.kept_file import KeptFile, file_beside

MOST_BATCH_BYTES: Final = 512 * 1024
"""The most bytes of a batch on its way to the club."""
MOST_EVENTS: Final = 500
"""The most events of a batch."""
MOST_IN_EVENING: Final = 1_000_000
"""The most events of an evening."""
MOST_EVENINGS: Final = 1000
"""The most evenings that are asked about at once."""
MOST_KEY: Final = 60
"""The most characters of an evening's key."""
_FULL_BYTES: Final = 128 * 1024
_ANSWER_BYTES: Final = 1024 * 1024
_PATIENCE_S: Final = 15.0
_LONGEST: Final = 500
START: Final = "0" * 64
"""The digest of a record without events."""


def digest_of(events: Iterable[Stored], before: str = START) -> str:
    """The digest of a record with the digest `before` and `events` after it."""
    for event in events:
        text = f"{before}\n{event.seq}\n{event.at!r}\n{event.by}\n{event.data}"
        before = hashlib.sha256(text.encode()).hexdigest()
    return before


def first_of(events: list[Stored]) -> list[Stored]:
    """The first of `events`, as many as one batch may have, and at least one."""
    size = 0
    for place, event in enumerate(events):
        size += len(event.data) + len(event.by) + 40
        if size > _FULL_BYTES and place:
            return events[:place]
    return events


@dataclass(frozen=True)
class Joined:
    """A table's place in a club: the server's address, the table's secret `key`, and the names of club and table.

    `since` is the number of the first evening that the club is told of. Without a `club` the table has not joined yet,
    or has left. It keeps its key, so that it is the same table when it joins again.
    """

    address: str
    key: str
    club: str
    table: str
    since: int


NOT_JOINED: Final = Joined("", "", "", "", 0)


def kept_joined(database: Path) -> KeptFile[Joined]:
    """The file in which a table, with evenings in `database`, keeps which club it joined."""
    return KeptFile(file_beside(database, ".club.json"), Joined, NOT_JOINED)


class LineError(Exception):
    """The club was not reached, or did not answer as a club does. The table tries again later."""


@dataclass(frozen=True)
class Reply:
    """The club's answer: an HTTP `status`, and a JSON object, `told`. `wait_s`: it asks the table to wait so long."""

    status: int
    told: dict[str, Any]
    wait_s: float = 0.0

    @property
    def sentences(self) -> dict[str, str]:
        """The sentence for people in the answer, in each of the club's languages by code; {} if there is none."""
        said = self.told.get("messages")
        if not isinstance(said, dict):
            said = {"": self.told.get("message")}
        return {code: words[:_LONGEST] for code, words in said.items() if isinstance(words, str) and words}


def sentence_in(sentences: Mapping[str, str], language: str) -> str:
    """The club's sentence in `language`, or else in English, or else in any language; "" if there is none."""
    for code in (language.partition("@")[0], "en"):
        if code in sentences:
            return sentences[code]
    return next(iter(sentences.values()), "")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: the table's key goes only to the address that the host named."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


@cache
def _opener() -> urllib.request.OpenerDirector:
    """What opens the club's addresses. It is made for the first of them: it loads all certificates of the system."""
    return urllib.request.build_opener(_NoRedirects)


def is_address(address: str) -> bool:
    """Whether `address` can be a club's, such as `https://club.example.org`, with nothing after the port."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    whole = f"{parts.scheme}://{parts.netloc}"
    return (
        parts.scheme in ("http", "https") and bool(parts.hostname) and address == whole and "@" not in address
    )


def ask_the_club(address: str, path: str, data: dict[str, Any], key: str = "") -> Reply:
    """Send `data` to `path` at the club's `address`, as the table with this `key`. Raises LineError."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    request = urllib.request.Request(f"{address}{path}", body, headers, method="POST")
    try:
        with _opener().open(request, timeout=_PATIENCE_S) as reply:
            return _reply_of(reply.status, reply.headers, reply)
    except urllib.error.HTTPError as error:
        with error:
            return _reply_of(error.code, error.headers, error)
    except (OSError, HTTPException) as error:
        raise LineError(str(getattr(error, "reason", error))) from error


def _reply_of(status: int, headers: Any, reply: Any) -> Reply:
    try:
        told = json.loads(reply.read(_ANSWER_BYTES))
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise LineError(f"HTTP {status}, and no answer of a club") from error
    if not isinstance(told, dict):
        raise LineError(f"HTTP {status}, and no answer of a club")
    wait = str(headers.get("Retry-After", ""))
    return Reply(status, told, float(wait) if wait.isdecimal() and len(wait) < 5 else 0.0)
