"""Requests go to this laptop by one of its own names. Entries come from its page alone: they need the page's
origin and a token that only it knows.

The token is a random cookie that every form repeats (double submit). The server keeps no copy, so a page left
open over a restart can still enter. Another site's request never carries the cookie.
"""

import hmac
import secrets

from flask import Flask, Response, g, request

from webui.addresses import OwnHosts, is_same_origin

TOKEN_COOKIE = "tarok_token"
MAX_ENTRY_BYTES = 64 * 1024
_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
)


class ForeignHostError(Exception):
    """A request to a name or an address that is not this laptop's."""


class ForeignEntryError(Exception):
    """A POST that another site sent."""


class StaleTokenError(Exception):
    """A POST without the token of the page it claims to come from."""


def is_own_path(target: str) -> bool:
    """Whether `target` is a path on this server, not another site or scheme.

    Browsers drop tabs and line ends from an address, and read a backslash as a slash.
    """
    return (
        target.startswith("/") and not target.startswith("//") and "\\" not in target and target.isprintable()
    )


def protect(app: Flask) -> None:
    """Check every request to `app` (ForeignHostError), every POST more (ForeignEntryError, StaleTokenError).

    Sets the security headers.
    """
    hosts = app.extensions["hosts"] = OwnHosts()
    app.config["MAX_CONTENT_LENGTH"] = MAX_ENTRY_BYTES

    @app.before_request
    def check() -> None:
        host = request.headers.get("Host", "")
        if not hosts.has(host):
            raise ForeignHostError
        held = request.cookies.get(TOKEN_COOKIE, "")
        g.token = held or secrets.token_urlsafe(24)
        if request.method != "POST":
            return
        origin = request.headers.get("Origin")
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise ForeignEntryError
        if origin is not None and not is_same_origin(origin, request.scheme, host):
            raise ForeignEntryError
        if not held or not hmac.compare_digest(held.encode(), request.form.get("token", "").encode()):
            raise StaleTokenError

    @app.after_request
    def stamp(response: Response) -> Response:
        if TOKEN_COOKIE not in request.cookies and response.mimetype == "text/html":
            response.set_cookie(TOKEN_COOKIE, g.token, max_age=7 * 86400, httponly=True, samesite="Strict")
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        return response
