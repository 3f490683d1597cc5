"""What is kept on this laptop, and how it is deleted: saved evenings, recorded evenings, a player's name."""

import json
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from tracker.erasing import nobody
from tracker.errors import TarokError
from tracker.events import Event, Recorded
from tracker.figures import PersonFigures
from tracker.files import replace_file
from tracker.games import read_session
from tracker.renaming import entry_with_names, with_names
from tracker.results import Result
from tracker.session import Session
from tracker.session_file import export
from tracker.store import DamagedError, EventStore, SessionInfo, StoreError
from webui.errors import told_as
from webui.table.backup import make_backup
from webui.table.changes import Changes

_SAVED = re.compile(r"\d{4}-\d\d-\d\d \d\d\.\d\d")
_PICTURE = re.compile(r"(hand \d+ trick \d\d \d) (.+) (\S+)|not counted \d+")


@dataclass(frozen=True)
class Kept:
    """A saved evening: the name of its folder, and how many pictures are in it."""

    name: str
    pictures: int


@dataclass(frozen=True)
class Evening:
    """A recorded evening: its number in the database, when it began, and who played: nobody if that is damaged.

    `began` is the local time in words, `at` the Unix time in s. `imported`: it came from a file, which may know only
    the day.
    """

    id: int
    began: str
    players: tuple[str, ...]
    at: float
    imported: bool

    @property
    def day(self) -> date:
        """The day on which it began."""
        return datetime.fromtimestamp(self.at).date()


def saved_evenings(root: Path) -> list[Kept]:
    """The evenings that the host saved in `root`, oldest first."""
    found = sorted(path for path in root.glob("*") if path.is_dir() and _SAVED.fullmatch(path.name))
    return [Kept(path.name, len(_pictures(path))) for path in found]


def delete_saved(root: Path, kept: Kept) -> None:
    """Delete an evening saved in `root`, but nothing that a person put there. Raises StoreError."""
    folder = root / kept.name
    with told_as(StoreError, folder):
        for path in (*_pictures(folder), folder / "session.json"):
            path.unlink(missing_ok=True)
        for empty in (folder, root):
            if not empty.is_symlink() and not any(empty.iterdir()):
                empty.rmdir()


def _pictures(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.jpg") if _PICTURE.fullmatch(path.stem)]


def delete_crops(folder: Path) -> None:
    """Delete the pictures of corrected cards set aside in `folder`; raises StoreError."""
    with told_as(StoreError, folder):
        for path in folder.glob("*/*.png"):
            if re.fullmatch(r"\d+-\d+", path.stem):
                path.unlink()


class KeptEvenings:
    """The evenings in `store`; safe to use from several threads. Each method raises StoreError.

    `results` and `figures` remember those of past evenings that were asked for, by the evening's number.
    """

    def __init__(self, store: EventStore, changes: Changes) -> None:
        self.store = store
        self._changes = changes
        self.results: dict[int, Result] = {}
        self.figures: dict[int, dict[str, PersonFigures]] = {}
        self._mark = store.mark()

    @property
    def saved(self) -> Path:
        """The folder of the evenings that the host saved."""
        return self.store.path.parent / "saved"

    def saved_at(self, at: float) -> Path:
        """The folder where the evening that began at the Unix time `at` is saved, if the host saves it."""
        return self.saved / time.strftime("%Y-%m-%d %H.%M", time.localtime(at))

    def forget_changed(self) -> None:
        """Forget the results and figures if the file was changed, or damaged, behind the program's back."""
        with self._changes:
            mark = self.store.mark()
            if mark != self._mark:
                self.results.clear()
                self.figures.clear()
                self._mark = mark

    def all(self) -> list[Evening]:
        """Every evening, newest first."""
        found = []
        with self._changes:
            for info in sorted(self.store.sessions(), key=lambda one: (-one.opened_at, -one.id)):
                began = time.strftime(
                    "%Y-%m-%d" if info.imported else "%Y-%m-%d %H:%M", time.localtime(info.opened_at)
                )
                players: tuple[str, ...] = ()
                with suppress(DamagedError):
                    players = self.store.players(info.id)
                found.append(Evening(info.id, began, players, info.opened_at, info.imported))
        return found

    def people(self) -> set[str]:
        """Everybody who sat down in any evening."""
        return {name for evening in self.all() for name in evening.players}

    def played_here(self) -> list[SessionInfo]:
        """The evenings that were played at this table, oldest first."""
        return [info for info in self.store.sessions() if not info.imported]

    def backup(self, decks: Path) -> bytes:
        """A backup of everything, with the decks in the folder `decks`, as a ZIP file."""
        with told_as(StoreError, decks):
            return make_backup(self.store, decks)

    def erase(self, old: str) -> str:
        """Erase the player `old` from every evening, also from those saved; returns the new name.

        What was erased until something cannot be written stays erased, and it can be done again.
        """
        new = nobody(self.people())
        for kept in saved_evenings(self.saved):
            _rename_saved(self.saved / kept.name, old, new)
        self.store.rewrite(lambda record: [entry_with_names(one, {old: new}) for one in record])
        return new

    def rename_saved(self, at: float, old: str, new: str) -> None:
        """Call the player `old` `new` in the copy of the evening that began at `at`, if the host saved one."""
        folder = self.saved_at(at)
        if (folder / "session.json").exists():
            _rename_saved(folder, old, new)


def session_text(record: Iterable[Event | Recorded], game: type[Session[Any, Any]]) -> bytes:
    """The content of a saved session file, for people to read."""
    return (json.dumps(export(record, game), ensure_ascii=False, indent=1) + "\n").encode()


def in_file_name(name: str) -> str:
    """`name` without the characters that file names may not have."""
    return re.sub(r"[^\w -]", "_", name)


def _rename_saved(folder: Path, old: str, new: str) -> None:
    path = folder / "session.json"
    try:
        game, file = read_session(path.read_bytes())
        written = [with_names(event, {old: new}) for event in file.events]
        replace_file(path, session_text(written, game.session))
        for picture in _pictures(folder):
            parts = _PICTURE.fullmatch(picture.stem)
            if parts is not None and parts[2] == in_file_name(old):
                picture.rename(picture.with_stem(f"{parts[1]} {in_file_name(new)} {parts[3]}"))
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}") from error
    except TarokError as error:
        raise StoreError(f"{path}: {error}") from error
