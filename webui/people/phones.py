"""The phones that joined the table, and the laptop's own browsers: a cookie that this table signed tells them apart.

The key lies beside the evening's database, so that a page left open over a restart can still enter. No backup has it.
"""

import contextlib
import hmac
import secrets
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tracker.files import PRIVATE, replace_file
from tracker.session import Session
from tracker.store import StoreError
from webui.errors import told_as
from webui.kept_file import KeptFile, file_beside
from webui.people.roles import Role, role_in_hand
from webui.people.signatures import Signatures, new_browser

MOST_PHONES: Final = 300
_NEW_INVITATION_S: Final = 5 * 60
_KEPT_S: Final = 24 * 3600
"""Seconds unseen after which a phone is forgotten when the program starts."""
_NOTED_S: Final = 3600
_KEY_BYTES: Final = 32
_INVITATIONS_KEPT: Final = 20
_JOINS_AS: Final = (Role.WALL, Role.PLAYER, Role.HOST)


class FullError(Exception):
    """As many phones have joined as can."""


class UsedUpError(Exception):
    """As many phones have joined by this invitation as may."""


@dataclass(frozen=True)
class Phone:
    """A phone that joined as `role`: WALL, PLAYER or HOST. Players know it by its `number`, from 1.

    `seat` is the player whose phone it is, "" for none. `seen_at` is when it was last seen (Unix time, s; to the hour),
    `host` the laptop's address by which it came ("192.168.1.7:8000"). A phone that took a seat which was sitting out
    is no arbiter until the host has `vouched` for it.
    """

    id: str
    number: int
    role: Role
    seat: str = ""
    seen_at: float = 0.0
    host: str = ""
    vouched: bool = True

    @property
    def by(self) -> str:
        """Who entered an entry of this phone, as the record says. It has a slash, which no player's name has."""
        return self.seat or ("/host" if self.role is Role.HOST else f"/{self.number}")


class Phones(Signatures):
    """The phones of the table whose evening is in `database`; safe to use from several threads.

    Reading takes no lock. A change that cannot be saved raises StoreError and changes nothing.
    """

    def __init__(self, database: Path) -> None:
        super().__init__(_read_key(file_beside(database, ".key")))
        self._file: KeptFile[list[Phone]] = KeptFile(file_beside(database, ".phones.json"), list[Phone], [])
        self._lock = threading.Lock()
        self._phones = _known(self._file.load())
        self._host_link: str | None = None
        self._used: set[str] = set()
        self._invitation = ("", 0.0)
        self._left: dict[str, int] = {}

    # ---- whose request it is ----

    def joined(self, cookie_header: str) -> Phone | None:
        """The phone that sends this Cookie header; None for a stranger. Never raises; takes neither lock nor disk."""
        browser = self.browser(cookie_header)
        return self._phones.get(browser) if browser is not None else None

    def role(self, identity: str | None, session: Session[Any, Any] | None) -> Role:
        """What the phone with this id may do just now."""
        phone = self._phones.get(identity or "")
        if phone is None:
            return Role.UNINVITED
        return role_in_hand(phone.role, phone.seat if phone.vouched else "", session)

    def seat(self, identity: str | None) -> str:
        """The player whose phone this is just now, "" for nobody."""
        phone = self._phones.get(identity or "")
        return phone.seat if phone is not None else ""

    # ---- joining ----

    def all(self) -> list[Phone]:
        """The phones that joined, in the order in which they joined."""
        return sorted(self._phones.values(), key=lambda phone: phone.number)

    def invitation(self) -> str:
        """A signed invitation, valid for at most `INVITATION_S`; the same one for some minutes."""
        with self._lock:
            made, at = self._invitation
            if not made or abs(time.time() - at) > _NEW_INVITATION_S:
                made = self.new_invitation()
                self._invitation = (made, time.time())
            return made

    def is_invitation(self, word: str) -> bool:
        """Whether this table made the invitation `word`, and it is still valid."""
        return self.invited_to(word) == "join"

    def new_host_link(self) -> str:
        """A secret word that makes one browser the host, once. Earlier words are no longer valid."""
        self._host_link = secrets.token_urlsafe(24)
        return self._host_link

    def take_host_link(self, word: str) -> bool:
        """Use the host's word `word`; returns whether it was valid.

        An invitation to be the host is as good, once: only somebody who can read this computer's key can sign one.
        """
        with self._lock:
            if self.invited_to(word) == "host" and word not in self._used:
                self._used.add(word)
                return True
            right = self._host_link is not None and hmac.compare_digest(
                self._host_link.encode(), word.encode()
            )
            if right:
                self._host_link = None
            return right

    def use_invitation(self, word: str, most: int) -> None:
        """Count one more phone that joins by the invitation `word`; `most` may join by it. Raises UsedUpError."""
        with self._lock:
            left = self._left.get(word, most)
            if left < 1:
                raise UsedUpError
            # Older invitations have expired, or are few.
            self._left = dict(list(self._left.items())[-_INVITATIONS_KEPT:]) | {word: left - 1}

    def join(self, role: Role, seat: str = "", host: str = "", *, vouched: bool = True) -> Phone:
        """Add a new phone, with an id of its own; returns it. Raises FullError."""
        assert role in _JOINS_AS
        with self._lock:
            phones = self._phones
            if len(phones) >= MOST_PHONES:
                raise FullError
            taken = {phone.number for phone in phones.values()}
            number = next(one for one in range(1, MOST_PHONES + 1) if one not in taken)
            phone = Phone(new_browser(), number, role, seat, time.time(), host, vouched)
            self._save(phones | {phone.id: phone})
            return phone

    def change(self, identity: str, **changes: Any) -> None:
        """Change fields of a phone, if there is one with this id: give it another role or seat, or vouch for it."""
        with self._lock:
            phone = self._phones.get(identity)
            if phone is not None:
                self._save(self._phones | {identity: replace(phone, **changes)})

    def remove(self, identity: str) -> None:
        """Remove a phone from those that joined, if it is one of them."""
        with self._lock:
            if identity in self._phones:
                self._save({key: phone for key, phone in self._phones.items() if key != identity})

    def note(self, phone: Phone, host: str) -> None:
        """Remember that the phone came by the laptop's address `host`; saved if that is new, and once an hour."""
        if host == phone.host and abs(time.time() - phone.seen_at) < _NOTED_S:
            return
        with self._lock:
            if phone.id in self._phones:
                now = replace(self._phones[phone.id], host=host, seen_at=time.time())
                self._phones = self._phones | {phone.id: now}
                with contextlib.suppress(StoreError):  # a full disk must refuse nobody
                    self._file.save([*self._phones.values()])

    def holder(self, seat: str) -> Phone | None:
        """The phone of the player `seat`, if there is one."""
        return next((phone for phone in self._phones.values() if phone.seat == seat), None)

    def is_vouched(self, seat: str) -> bool:
        """Whether the player `seat` has a phone that is surely his."""
        holder = self.holder(seat)
        return holder is not None and holder.vouched

    def free(self, seat: str) -> None:
        """Take the seat away from the phone that has it."""
        holder = self.holder(seat)
        if holder is not None:
            self.change(holder.id, seat="")

    def _save(self, phones: dict[str, Phone]) -> None:
        self._file.save([*phones.values()])
        self._phones = phones


def _read_key(path: Path) -> bytes:
    """The table's key. If there is none, or it cannot be read, a new one is made, and everybody joins again."""
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
        if len(key) == _KEY_BYTES:
            return key
    except (OSError, ValueError):
        pass
    key = secrets.token_bytes(_KEY_BYTES)
    with told_as(StoreError, path):
        replace_file(path, key.hex().encode(), PRIVATE)
    return key


def _known(phones: Iterable[Phone]) -> dict[str, Phone]:
    """The saved `phones` that were seen lately, by their ids."""
    now = time.time()
    return {phone.id: phone for phone in phones if phone.role in _JOINS_AS and now - phone.seen_at < _KEPT_S}
