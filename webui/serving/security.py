"""Which requests are answered: those to one of this laptop's own names, from a phone that may make them.

Only the table's own page can enter: an entry needs the page's origin, and a token that this table made for the phone.
Both token and cookie are signed by the table's key, so a page left open over a restart can still enter.
"""

from flask import Flask, Response, g, request

from webui.app_parts import AppParts, app_parts
from webui.people.phones import Phone
from webui.people.roles import NEEDED_ROLE, Role, may
from webui.serving.requests import (
    MAX_ENTRY_BYTES,
    ForeignHostError,
    add_headers,
    check_entry,
    recognise_browser,
    set_cookie,
)

MAX_FILE_BYTES = 4 * 1024 * 1024
"""The most bytes of a file that is sent. A session file has about 4 kB a hand, the file of all evenings about 2."""
FILES_AT = "/history/import"
"""The one address that takes a file."""


class UninvitedError(Exception):
    """A request from somebody who has not joined the table."""


class NotAllowedError(Exception):
    """A request that needs another `role`; None if nobody may make it."""

    def __init__(self, role: Role | None) -> None:
        super().__init__()
        self.role = role


def most_bytes(path: str) -> int:
    """How many bytes a request to the address `path` may have."""
    return MAX_FILE_BYTES if path == FILES_AT else MAX_ENTRY_BYTES


def become(phone: Phone) -> None:
    """Make the sender of this request `phone` from now on: the answer brings its cookie."""
    g.browser, g.phone, g.new_cookie = phone.id, phone, True


def role_of(phone: Phone | None) -> Role:
    """The role of `phone` just now; None is a stranger."""
    parts = app_parts()
    table = parts.live
    role = parts.phones.role(phone.id if phone else None, table.session)
    return max(role, Role.PLAYER) if table.choices.open_table else role


def seat_of(phone: Phone | None) -> str:
    """The player whose `phone` this is just now, "" for nobody."""
    return app_parts().phones.seat(phone.id if phone else None)


def protect(app: Flask, parts: AppParts) -> None:
    """Check every request to `app`, which has `parts`; add the security headers to every answer.

    Each request gets `g.phone`, `g.role` and `g.token`, or raises ForeignHostError, UninvitedError or NotAllowedError,
    a POST also ForeignEntryError or StaleTokenError.
    """
    hosts, phones = parts.hosts, parts.phones
    app.config["MAX_CONTENT_LENGTH"] = MAX_ENTRY_BYTES

    @app.before_request
    def check() -> None:
        host = request.headers.get("Host", "")
        if not hosts.has(host):
            raise ForeignHostError
        recognise(host)
        if request.url_rule is not None and not may(g.role, request.endpoint):
            needed = NEEDED_ROLE.get(request.endpoint or "")
            raise UninvitedError if g.role is Role.UNINVITED and needed else NotAllowedError(needed)
        if request.method != "POST":
            return
        request.max_content_length = most_bytes(request.path)
        check_entry()

    def recognise(host: str) -> None:
        """Set who sends this request, and what he may do."""
        network, cookie = parts.network, request.headers.get("Cookie", "")
        recognise_browser(phones, cookie)
        g.phone = phones.joined(cookie)
        g.role = role_of(g.phone)
        if g.phone is not None:
            phones.note(g.phone, host)
        if not network.reached:
            from_where = request.remote_addr or "localhost"
            network.reached = not hosts.has(f"[{from_where}]" if ":" in from_where else from_where)

    @app.after_request
    def stamp(response: Response) -> Response:
        if g.get("new_cookie") and (response.mimetype == "text/html" or g.phone is not None):
            set_cookie(response, phones.cookie(g.browser))
        add_headers(response)
        return response
