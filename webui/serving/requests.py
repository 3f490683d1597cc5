"""What the servers of table and club check in every request, and add to every answer."""

import hmac
import secrets
from typing import Final
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g, jsonify, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter

from tracker.catalogue import msgid
from webui.errors import EntryError
from webui.people.signatures import Signatures, cookie_name, new_browser
from webui.serving.addresses import is_same_origin
from webui.texts import LANGUAGE_COOKIE, language_names, text

Answer = Response | tuple[Response, int]
"""The answer to an entry."""
MAX_ENTRY_BYTES = 64 * 1024
_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
)


_HTTP_ERRORS: Final = {
    404: msgid("There is no such page."),
    405: msgid("This address cannot be used in that way."),
    413: msgid("The entry is too large; nothing was entered."),
}


class Numbered(IntegerConverter):
    """A number in an address: 1 to 9 ASCII digits. An address with anything else is not found."""

    regex = "[0-9]{1,9}"


class ForeignHostError(Exception):
    """A request to a name or an address of somebody else."""


class ForeignEntryError(Exception):
    """A POST that another site sent."""


class StaleTokenError(Exception):
    """A POST without the token of the page it claims to come from."""


def begin(app: Flask) -> None:
    """Give `app` what the servers of table and club have alike: numbers in addresses, and the choice of language."""
    app.config["BUILD"] = secrets.token_hex(4)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.url_map.converters["int"] = Numbered
    app.url_map.strict_slashes = False  # people type addresses from memory
    app.add_template_global(asked_page)

    @app.get("/language/<code>")
    def choose_language(code: str) -> Response:
        return keep_for_a_year(LANGUAGE_COOKIE, code if code in language_names() else None)


def told_alike(error: Exception, fault: str) -> tuple[str, int]:
    """The sentence that tells a person of an `error` that both servers have, and the HTTP status; else a `fault`."""
    match error:
        case EntryError():
            return text(error.sentence, **error.values), error.status
        case ForeignEntryError():
            return text("The entry came from another site and was refused; nothing was entered."), 403
        case StaleTokenError():
            said = text("This page has been open for too long. Reload it and try again; nothing was entered.")
            return said, 403
    status = error.code if isinstance(error, HTTPException) else None
    return text(_HTTP_ERRORS.get(status or 500, fault)), status or 500


def is_own_path(target: str) -> bool:
    """Whether `target` is a path on this server, and no other site or scheme.

    Browsers drop tabs and line ends from an address, and read a backslash as a slash.
    """
    return (
        target.startswith("/") and not target.startswith("//") and "\\" not in target and target.isprintable()
    )


def by_script() -> bool:
    """Whether the page's script asked, which reads JSON."""
    return request.accept_mimetypes.best == "application/json"


def see_other(path: str) -> Response:
    """A redirection to the page at `path`, which is loaded by GET."""
    answer = redirect(path, 303)
    assert isinstance(answer, Response)
    return answer


def sent_to(path: str, message: str = "") -> Answer:
    """The answer that leads to the page at `path`, where the page's script says `message`; others are redirected."""
    if not by_script():
        return see_other(path)
    return jsonify(go=path, message=message) if message else jsonify(go=path)


def application() -> Flask:
    """The application that answers this request, and not its proxy: news are drawn after the request has ended."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    assert isinstance(app, Flask)
    return app


def streamed(news: object) -> Response:
    """The answer to a page that listens to `news` (`webui.serving.front.Teller`), which needs no thread.

    From a server without `webui.serving.front` the stream is empty, and the page asks now and then.
    """
    request.environ.get("asgi.scope", {"state": {}})["state"]["news"] = news
    return Response(iter(()), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})


def asked_page() -> str:
    """The page that was asked for, with its query, but without a language: that would outweigh the one chosen next."""
    query = urlencode([(key, value) for key, value in request.args.items(multi=True) if key != "lang"])
    return f"{request.path}?{query}" if query else request.path


def keep_for_a_year(cookie: str, value: str | None) -> Response:
    """A redirection back to the page that asked, with `value` in the `cookie`; None leaves the cookie as it is."""
    target = request.args.get("to", "/")
    answer = redirect(target if is_own_path(target) else "/")
    assert isinstance(answer, Response)
    if value is not None:
        answer.set_cookie(cookie, value, max_age=400 * 86400, samesite="Lax")
    return answer


def _refuse_foreign() -> None:
    """Raise ForeignEntryError if another site sent this request."""
    origin = request.headers.get("Origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise ForeignEntryError
    if origin is not None and not is_same_origin(origin, request.scheme, request.headers.get("Host", "")):
        raise ForeignEntryError


def recognise_browser(signatures: Signatures, cookie_header: str) -> None:
    """Note which browser sent this request, which need not have joined, and the token of its forms."""
    browser = signatures.browser(cookie_header)
    g.browser, g.new_cookie = browser or new_browser(), browser is None
    g.token = signatures.form_token(g.browser)


def check_entry() -> None:
    """Raise ForeignEntryError or StaleTokenError unless a page that this server made for the browser sent the entry."""
    _refuse_foreign()
    sent = request.form.get("token", "")
    if g.new_cookie or not hmac.compare_digest(g.token.encode(), sent.encode()):
        raise StaleTokenError


def set_cookie(response: Response, value: str) -> None:
    """Give the browser `value` as its cookie."""
    # Lax: whoever follows a link from elsewhere keeps his role. Entries need the form's token.
    response.set_cookie(
        cookie_name(request.host),
        value,
        max_age=7 * 86400,
        httponly=True,
        samesite="Lax",
        secure=request.scheme == "https",
    )


def add_headers(response: Response) -> None:
    """Set the security headers of an answer."""
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
