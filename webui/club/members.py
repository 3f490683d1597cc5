"""Who has joined the club's server: browsers, each with a role, and card tables, each with its key.

Both are kept in memory, so that recognising one takes neither lock nor disk. Only one program at a time serves a
database, and no other changes them.
"""

import hashlib
import secrets
import threading
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, Engine, delete, insert, select, update

from webui.club.roles import ClubRole
from webui.club.schema import CLUBS, CODES, KEPT_S, LINKS, MEMBERS, PLACES, SETTINGS, now_s
from webui.errors import EntryError, UserError
from webui.people.signatures import Signatures, new_browser
from webui.texts import by_name

CODE_S: Final = 7 * 86400
LINK_S: Final = 7 * 86400
_NOTED_S: Final = 3600
_NEW_CLUB: Final = "Tarok"
"""What a club is called that is given no name."""
_MOST_SHOWN: Final = 4
_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_LETTERS: Final = 8


@dataclass(frozen=True)
class Member:
    """A browser that joined the club with the number `club`. It is the browser of `person`, None for nobody."""

    id: str
    club: int
    role: ClubRole
    person: int | None
    label: str
    joined_at: float
    seen_at: float


@dataclass(frozen=True)
class CardTable:
    """A card table that reports to the club with the number `club`."""

    id: int
    club: int
    name: str


class LastAdminError(EntryError):
    """A change that would leave the club without an admin."""

    def __init__(self) -> None:
        super().__init__("This is the club's only admin. Make another one first.", 409)


def hashed(word: str) -> str:
    """The hash that is kept of a secret word: enough to recognise the word."""
    return hashlib.sha256(word.encode()).hexdigest()


def plain_code(word: str) -> str:
    """A code as it is kept, in whatever way it was typed."""
    return "".join(letter for letter in word.upper() if letter.isalnum())


class Members(Signatures):
    """The members and tables in the database `engine`.

    It is safe to use from several threads, because what is kept in memory is replaced and never changed.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(_read_key(engine))
        self._engine = engine
        self._lock = threading.RLock()
        with engine.begin() as connection:
            members = connection.execute(select(MEMBERS)).all()
            self._tables = _tables(connection)
        self._members = {row.id: _member(row) for row in members}

    # ---- browsers ----

    def joined(self, cookie_header: str) -> Member | None:
        """The browser that sends this Cookie header; None for a stranger."""
        browser = self.browser(cookie_header)
        return self._members.get(browser) if browser is not None else None

    def member(self, identity: str) -> Member | None:
        """The browser with this id, if it has joined."""
        return self._members.get(identity)

    def of_club(self, club: int) -> list[Member]:
        """The club's browsers, those with the highest role first."""
        own = [member for member in self._members.values() if member.club == club]
        return sorted(own, key=lambda member: (-member.role, member.joined_at))

    def join(self, club: int, role: ClubRole, label: str = "", person: int | None = None) -> Member:
        """Add a new member, with an id of its own; returns it."""
        member = Member(new_browser(), club, role, person, label, now_s(), now_s())
        with self._lock:
            with self._engine.begin() as connection:
                connection.execute(insert(MEMBERS).values({**vars(member), "role": int(role)}))
            self._members = {**self._members, member.id: member}
        return member

    def change(self, member: Member, **changes: Any) -> None:
        """Change fields of a member: its role, or whose browser it is. Raises LastAdminError and EntryError."""
        with self._lock:
            now = self._members.get(member.id)
            if now is None:
                raise EntryError("That browser has not joined.", 404)
            new = replace(now, **changes)
            if new.role is not ClubRole.ADMIN:
                self.check_admin_stays(now)
            with self._engine.begin() as connection:
                values = {"role": int(new.role), "person": new.person}
                connection.execute(update(MEMBERS).where(MEMBERS.c.id == member.id).values(values))
            self._members = {**self._members, member.id: new}

    def remove(self, member: Member) -> None:
        """Remove a browser, which is a stranger's from now on. Raises LastAdminError."""
        with self._lock:
            self.check_admin_stays(member)
            with self._engine.begin() as connection:
                connection.execute(delete(MEMBERS).where(MEMBERS.c.id == member.id))
            self._members = {key: one for key, one in self._members.items() if key != member.id}

    def note(self, member: Member) -> None:
        """Note that the browser came just now; saved once an hour."""
        if now_s() - member.seen_at < _NOTED_S:
            return
        with self._lock:
            now = self._members.get(member.id)
            if now is None:
                return
            with self._engine.begin() as connection:
                connection.execute(update(MEMBERS).where(MEMBERS.c.id == member.id).values(seen_at=now_s()))
            self._members = {**self._members, member.id: replace(now, seen_at=now_s())}

    def people_changed(self) -> None:
        """Read again whose browsers these are, because somebody was merged or erased."""
        with self._lock, self._engine.begin() as connection:
            self._members = {row.id: _member(row) for row in connection.execute(select(MEMBERS))}

    def check_admin_stays(self, member: Member) -> None:
        """Raise LastAdminError if the club would have no admin without `member`."""
        admins = [one.id for one in self.of_club(member.club) if one.role is ClubRole.ADMIN]
        if admins == [member.id]:
            raise LastAdminError

    # ---- links ----

    def new_link(self, club: int, role: ClubRole, label: str = "") -> str:
        """A word that makes one browser a member. It works once, within `LINK_S`."""
        word = secrets.token_urlsafe(24)
        with self._engine.begin() as connection:
            connection.execute(delete(LINKS).where(LINKS.c.until < now_s()))
            row = {"word_hash": hashed(word), "club": club, "role": int(role), "label": label}
            connection.execute(insert(LINKS).values(**row, until=now_s() + LINK_S))
        return word

    def link(self, word: str) -> tuple[int, ClubRole, str] | None:
        """The club, the role and the label of the link `word`; None if it was used or is too old."""
        asked = select(LINKS.c.club, LINKS.c.role, LINKS.c.label)
        with self._engine.begin() as connection:
            row = connection.execute(
                asked.where(LINKS.c.word_hash == hashed(word), LINKS.c.until > now_s())
            ).one_or_none()
        return (row.club, ClubRole(row.role), row.label) if row is not None else None

    def follow(self, word: str, before: Member | None) -> Member | None:
        """Use the link `word`; returns the new member, None if the link was used or is too old.

        The browser was the member `before`, None for a stranger. If a club would lose its only admin by this,
        LastAdminError is raised and the link stays valid.
        """
        with self._lock:
            found = self.link(word)
            if found is None:
                return None
            club, role, label = found
            if before is not None and (club, role) != (before.club, ClubRole.ADMIN):
                self.check_admin_stays(before)
            with self._engine.begin() as connection:
                connection.execute(delete(LINKS).where(LINKS.c.word_hash == hashed(word)))
            same = before is not None and before.club == club
            joined = self.join(club, role, label, before.person if before is not None and same else None)
            if before is not None:
                self.remove(before)
        return joined

    # ---- card tables ----

    def table(self, key: str) -> CardTable | None:
        """The table with this secret key; None if there is none, or it was removed."""
        return self._tables.get(hashed(key))

    def tables_of(self, club: int) -> list[CardTable]:
        """The club's tables, by name."""
        own = (one for one in self._tables.values() if one.club == club)
        return sorted(own, key=lambda one: by_name(one.name))

    def new_code(self, club: int, name: str) -> str:
        """A code by which one table joins as `name`. It works once, within `CODE_S`."""
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
        with self._engine.begin() as connection:
            connection.execute(delete(CODES).where(CODES.c.until < now_s()))
            row = {"code_hash": hashed(code), "club": club, "name": name, "until": now_s() + CODE_S}
            connection.execute(insert(CODES).values(row))
        return f"{code[:4]}-{code[4:]}"

    def take_in(self, code: str, key: str) -> CardTable | None:
        """Let a table join by `code` with its own secret `key`; returns it, None if the code is not valid.

        A table that asks again with the same key, because the answer was lost or it had left, is the same table.
        """
        with self._lock:
            with self._engine.begin() as connection:
                table = _taken_in(connection, hashed(plain_code(code)), hashed(key))
            if table is not None:
                self._tables = {**self._tables, hashed(key): table}
        return table

    def remove_table(self, table: CardTable) -> None:
        """Remove a table from its club. What it sent stays."""
        own = update(PLACES).filter_by(id=table.id, removed_at=None)
        with self._lock:
            with self._engine.begin() as connection:
                connection.execute(own.values(removed_at=now_s()))
            self._tables = {key: one for key, one in self._tables.items() if one.id != table.id}

    def bring_back_table(self, club: int, number: int) -> bool:
        """Bring back a removed table; False if there is none that can be brought back."""
        own = (PLACES.c.club == club, PLACES.c.id == number, PLACES.c.removed_at > now_s() - KEPT_S)
        with self._lock:
            with self._engine.begin() as connection:
                found = connection.execute(update(PLACES).where(*own).values(removed_at=None)).rowcount == 1
                tables = _tables(connection)
            self._tables = tables
        return found


def _tables(connection: Connection) -> dict[str, CardTable]:
    """The tables that were not removed, by the hashes of their keys."""
    rows = connection.execute(select(PLACES).where(PLACES.c.removed_at.is_(None)))
    return {row.key_hash: CardTable(row.id, row.club, row.name) for row in rows}


def _taken_in(connection: Connection, code_hash: str, key_hash: str) -> CardTable | None:
    code = connection.execute(
        select(CODES).where(CODES.c.code_hash == code_hash, CODES.c.until > now_s()).with_for_update()
    ).one_or_none()
    if code is None:
        return None
    known = connection.execute(select(PLACES).where(PLACES.c.key_hash == key_hash)).one_or_none()
    if code.place is not None:
        same = known is not None and known.id == code.place and known.removed_at is None
        return CardTable(known.id, known.club, known.name) if known is not None and same else None
    if known is not None and known.club != code.club:
        return None
    if known is None:
        made = insert(PLACES).values(club=code.club, name=code.name, key_hash=key_hash, joined_at=now_s())
        place = connection.execute(made.returning(PLACES.c.id)).scalar_one()
    else:  # the table had left, and gets its evenings back
        place = known.id
        again = update(PLACES).where(PLACES.c.id == place).values(name=code.name, removed_at=None)
        connection.execute(again)
    connection.execute(update(CODES).where(CODES.c.code_hash == code_hash).values(place=place))
    return CardTable(place, code.club, code.name)


def club_called(engine: Engine, name: str = "", *, new: bool = True) -> int:
    """The number of the club called `name`, which is made if it is missing. "" is the only club, or else a new one.

    Raises UserError if there are several and no name says which is meant, and if the club is missing and not to be
    `new`.
    """
    with engine.begin() as connection:
        names = connection.execute(select(CLUBS.c.name).order_by(CLUBS.c.name)).scalars().all()
        shown = ", ".join(names[:_MOST_SHOWN])
        if not name:
            if len(names) > 1:
                raise UserError(f"several clubs are kept here; say which with --club, such as {shown}")
            name = names[0] if names else _NEW_CLUB
        if not new and name not in names:
            raise UserError(
                f"no club here is called {name!r}; there is {shown}"
                if names
                else "no club is kept here yet; tarok club serve begins one"
            )
        number = connection.execute(select(CLUBS.c.id).where(CLUBS.c.name == name)).scalar_one_or_none()
        if number is None:
            number = connection.execute(insert(CLUBS).values(name=name).returning(CLUBS.c.id)).scalar_one()
    return int(number)


def _member(row: object) -> Member:
    fields = dict(row._mapping)  # type: ignore[attr-defined]
    return Member(**{**fields, "role": ClubRole(fields["role"])})


def _read_key(engine: Engine) -> bytes:
    """The server's key for signing, which is made once."""
    with engine.begin() as connection:
        asked = select(SETTINGS.c.value).where(SETTINGS.c.name == "key")
        value = connection.execute(asked).scalar_one_or_none()
        if value is None:
            value = secrets.token_hex(32)
            connection.execute(insert(SETTINGS).values(name="key", value=value))
    return bytes.fromhex(value)
