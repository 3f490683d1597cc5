"""What only this server can write: the cookies that tell browsers apart, and the tokens of their forms."""

import hashlib
import hmac
import re
import secrets
from typing import Final
from urllib.parse import urlsplit

from itsdangerous import BadSignature, Signer, URLSafeTimedSerializer

PHONE_COOKIE: Final = "tarok_phone"
"""How the cookie's name begins. The port follows, because browsers share cookies among the ports of a host."""
_COOKIE: Final = re.compile(rf"\b{PHONE_COOKIE}\w*=([\w.-]+)", re.ASCII)
INVITATION_S: Final = 15 * 60


class Signatures:
    """Signs with `key`, and knows what that key signed."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._signer = Signer(key, salt="phone", digest_method=hashlib.sha256)
        self._invitations = URLSafeTimedSerializer(
            key, salt="invitation", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def browser(self, cookie_header: str) -> str | None:
        """The id of the browser that sends this Cookie header, joined or not; None without a cookie signed here."""
        for found in _COOKIE.finditer(cookie_header):
            try:
                return self._signer.unsign(found[1]).decode()
            except BadSignature:
                continue  # a cookie of another table
        return None

    def cookie(self, identity: str) -> str:
        """The value of the cookie of the browser with this id."""
        return self._signer.sign(identity).decode()

    def form_token(self, identity: str) -> str:
        """The token in the forms of this browser. Other sites cannot know it, and each browser has its own."""
        return hmac.new(self._key, f"form {identity}".encode(), hashlib.sha256).hexdigest()

    def new_invitation(self, to: str = "join") -> str:
        """A signed word that invites its reader `to` something, valid for `INVITATION_S`."""
        return str(self._invitations.dumps(to))

    def invited_to(self, word: str) -> str | None:
        """What the invitation `word` invites to; None if it was not signed here, or is too old."""
        try:
            return str(self._invitations.loads(word, max_age=INVITATION_S))
        except BadSignature:
            return None


def cookie_name(host: str) -> str:
    """The name of the cookie at `host` (a Host header). Two servers on one machine need two names."""
    port = urlsplit(f"//{host}").port
    return f"{PHONE_COOKIE}_{port}" if port else PHONE_COOKIE


def new_browser() -> str:
    """An id for a browser that has none."""
    return secrets.token_urlsafe(18)
