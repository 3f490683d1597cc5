"""What is kept on this laptop, and how it is deleted: saved evenings, recorded evenings, a player's name."""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path

from tracker.erasing import nobody, renamed
from tracker.errors import TarokError
from tracker.files import replace_file
from tracker.games import read_session
from tracker.session_file import export
from tracker.store import EventStore, StoreError

_SAVED = re.compile(r"\d{4}-\d\d-\d\d \d\d\.\d\d")
_PICTURE = re.compile(r"(hand \d+ trick \d\d \d) (.+) (\S+)|not counted \d+")


@dataclass(frozen=True)
class Kept:
    """A saved evening: the name of its folder, and how many pictures are in it."""

    name: str
    pictures: int


@dataclass(frozen=True)
class Evening:
    """A recorded evening: its number in the database, when it `began` (local time; `at` is that in Unix time, s), who
    played. `imported`: it came from a file, which knows the day alone.
    """

    id: int
    began: str
    players: tuple[str, ...]
    at: float
    imported: bool


def saved_evenings(root: Path) -> list[Kept]:
    """The evenings that the host saved in `root`, oldest first."""
    found = sorted(path for path in root.glob("*") if path.is_dir() and _SAVED.fullmatch(path.name))
    return [Kept(path.name, len(_pictures(path))) for path in found]


def delete_saved(root: Path, name: str) -> None:
    """Delete what was saved in `root` under `name`, and nothing that a person put there.

    Raises KeyError when there is none, StoreError when it cannot be deleted.
    """
    if name not in {kept.name for kept in saved_evenings(root)}:
        raise KeyError(name)
    folder = root / name
    try:
        for path in (*_pictures(folder), folder / "session.json"):
            path.unlink(missing_ok=True)
        for empty in (folder, root):
            if not empty.is_symlink() and not any(empty.iterdir()):
                empty.rmdir()
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}") from error


def _pictures(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.jpg") if _PICTURE.fullmatch(path.stem)]


def delete_crops(folder: Path) -> None:
    """Delete the pictures of corrected cards set aside in `folder`; raises StoreError."""
    try:
        for path in folder.glob("*/*.png"):
            if re.fullmatch(r"\d+-\d+", path.stem):
                path.unlink()
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}") from error


def evenings(store: EventStore) -> list[Evening]:
    """The evenings in `store`, newest first."""
    found = []
    for info in sorted(store.sessions(), key=lambda one: (-one.opened_at, -one.id)):
        began = time.strftime(
            "%Y-%m-%d" if info.imported else "%Y-%m-%d %H:%M", time.localtime(info.opened_at)
        )
        found.append(Evening(info.id, began, store.players(info.id), info.opened_at, info.imported))
    return found


def erase_name(store: EventStore, saved: Path, old: str) -> str:
    """Erase the player `old` from every evening in `store` and every one saved in `saved`; returns the new name.

    Raises StoreError if something cannot be written. What was written until then stays; it can be done again.
    """
    new = nobody({name for evening in evenings(store) for name in evening.players})
    for kept in saved_evenings(saved):
        _erase_saved(saved / kept.name, old, new)
    store.rewrite(lambda event: renamed(event, old, new), lambda by: new if by == old else by)
    return new


def _erase_saved(folder: Path, old: str, new: str) -> None:
    path = folder / "session.json"
    try:
        game, file = read_session(path.read_bytes())
        written = [renamed(event, old, new) for event in file.events]
        data = json.dumps(export(written, game.session), ensure_ascii=False, indent=1) + "\n"
        replace_file(path, data.encode())
        for picture in _pictures(folder):
            parts = _PICTURE.fullmatch(picture.stem)
            if parts is not None and parts[2] == re.sub(r"[^\w -]", "_", old):
                plain = re.sub(r"[^\w -]", "_", new)
                picture.rename(picture.with_stem(f"{parts[1]} {plain} {parts[3]}"))
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}") from error
    except TarokError as error:
        raise StoreError(f"{path}: {error}") from error
