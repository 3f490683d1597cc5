"""Which requests the club's server answers: those to its own name, from members who may make them, and not too often.

A browser is known by its signed cookie, a card table by its key. A browser's entries need the page's origin and a
token. A table's entries have its key instead, which no browser sends by itself.
"""

from typing import Final

from flask import Flask, Response, g, request

from webui.club.answered import AnsweredEntries
from webui.club.limits import RateLimit
from webui.club.members import CardTable, Member, Members
from webui.club.parts import ClubParts
from webui.club.roles import NEEDED_CLUB_ROLE, TABLES_ONLY, ClubRole, club_may
from webui.errors import EntryError
from webui.pages.fields import is_storable
from webui.reporting.club_line import MOST_BATCH_BYTES
from webui.serving.front import Headers, cookies_of
from webui.serving.requests import (
    MAX_ENTRY_BYTES,
    ForeignHostError,
    add_headers,
    check_entry,
    recognise_browser,
    set_cookie,
)

_BATCHES_AT: Final = ("/api/events", "/api/places")
_BEARER: Final = "Bearer "


class StrangerError(Exception):
    """A request from somebody who has not joined the club."""


class TooLittleError(Exception):
    """A request that needs another `role`; None if nobody may make it."""

    def __init__(self, role: ClubRole | None) -> None:
        super().__init__()
        self.role = role


class UnknownTableError(Exception):
    """A request with a key that no table of the club has."""


class TooOftenError(Exception):
    """Too many requests of one client, who may try again in `wait_s` seconds."""

    def __init__(self, wait_s: float) -> None:
        super().__init__()
        self.wait_s = wait_s


def bytes_allowed(path: str, known: bool) -> int:
    """How many bytes a request to the address `path` may have."""
    return MOST_BATCH_BYTES if known and path in _BATCHES_AT else MAX_ENTRY_BYTES


def known_to(members: Members, headers: Headers) -> str | None:
    """The id of the table or member that sent these headers; None for a stranger."""
    for name, value in headers:
        if name == b"authorization":
            table = _table_of(members, value.decode("latin-1"))
            return f"table {table.id}" if table is not None else None
    joined = members.joined(cookies_of(headers))
    return joined.id if joined is not None else None


def _table_of(members: Members, authorization: str) -> CardTable | None:
    if not authorization.startswith(_BEARER):
        return None
    return members.table(authorization.removeprefix(_BEARER))


def become_member(member: Member) -> None:
    """Make the sender of this request `member` from now on: the answer brings its cookie."""
    g.browser, g.member, g.role, g.new_cookie = member.id, member, member.role, True


class _Rates:
    """How often each client may ask.

    A table sends a batch each second, and batches in quick succession while it catches up. A browser asks for pages and
    for news, and again if the line is bad. A stranger has few tries at codes.
    """

    def __init__(self) -> None:
        self._tables, self._browsers = RateLimit(20, 100), RateLimit(10, 100)
        self._strangers, self._codes = RateLimit(5, 60), RateLimit(0.2, 10)

    def wait_s(self) -> float:
        """The seconds until this request may be sent again; 0 if it may be answered now."""
        address = request.remote_addr or ""
        if g.table is not None:
            wait_s = self._tables.wait_s(str(g.table.id))
        elif g.member is not None:
            wait_s = self._browsers.wait_s(g.member.id)
        else:
            wait_s = self._strangers.wait_s(address)
        if request.method == "POST" and request.endpoint in ("api.join", "joining.follow"):
            wait_s = wait_s or self._codes.wait_s(address)
        return wait_s


def _recognise(members: Members) -> None:
    """Note who sent this request: a table, a member or a stranger."""
    cookie = request.headers.get("Cookie", "")
    recognise_browser(members, cookie)
    g.table = _table_of(members, request.headers.get("Authorization", ""))
    g.member = members.joined(cookie) if g.table is None else None
    g.role = g.member.role if g.member is not None else ClubRole.STRANGER
    if g.member is not None:
        members.note(g.member)


def _check_table() -> None:
    """Refuse requests that only tables may make to everybody else. A table that joins is not known yet."""
    request.max_content_length = bytes_allowed(request.path, g.table is not None)
    if request.endpoint != "api.join" and g.table is None:
        raise UnknownTableError


def _check_browser() -> None:
    """Refuse a page that this role may not see, and an entry that no page of this server made."""
    if request.url_rule is not None and not club_may(g.role, request.endpoint):
        needed = NEEDED_CLUB_ROLE.get(request.endpoint or "")
        raise StrangerError if g.role is ClubRole.STRANGER and needed else TooLittleError(needed)
    if request.method == "POST":
        check_entry()
        if not all(map(is_storable, request.form.values())):
            raise EntryError("A field has a character that cannot be kept; nothing was entered.")


def protect_club(app: Flask, parts: ClubParts) -> None:
    """Check every request to `app`, which has `parts`; add the security headers to every answer.

    Each request gets `g.member`, `g.table`, `g.role` and `g.token`, or raises ForeignHostError, TooOftenError,
    StrangerError, TooLittleError or UnknownTableError, a browser's POST also ForeignEntryError, StaleTokenError or
    EntryError.
    """
    hosts, members, rates, answered = parts.hosts, parts.members, _Rates(), AnsweredEntries()
    app.config["MAX_CONTENT_LENGTH"] = MAX_ENTRY_BYTES

    @app.before_request
    def check() -> Response | None:
        if not hosts.has(request.headers.get("Host", "")):
            raise ForeignHostError
        _recognise(members)
        if request.endpoint == "static":  # the few own files are free for all: a page needs its style
            return None
        wait_s = rates.wait_s()
        if wait_s:
            raise TooOftenError(wait_s)
        if request.endpoint in TABLES_ONLY:
            _check_table()
            return None
        _check_browser()
        return answered.before() if request.method == "POST" else None

    @app.after_request
    def stamp(response: Response) -> Response:
        if g.get("new_cookie") and (response.mimetype == "text/html" or g.get("member") is not None):
            set_cookie(response, members.cookie(g.browser))
        add_headers(response)
        answered.after(response)
        return response
