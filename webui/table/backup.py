"""A backup: evenings, decks, rules and settings in one ZIP file, to be restored here or elsewhere.

It has no keys and no pictures of an evening. `backup.json` in it says what it has:
`{"format": "tarok-backup", "version": 1, "files": {name: SHA-256}}`.
"""

import hashlib
import io
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import thread_time
from typing import Final

from tracker.cards import CARDS
from tracker.errors import TarokError
from tracker.files import private_folder, replace_file
from tracker.store import EventStore
from webui.errors import UserError
from webui.kept_file import file_beside, json_of, value_in_json
from webui.people.seats import Sides, is_name
from webui.table.host_choices import HostChoices
from webui.table.replaying import fold, is_replayed_within

_ABOUT = "backup.json"
_FORMAT, _VERSION = "tarok-backup", 1
_EVENINGS = "evenings.sqlite3"
_SETTINGS: Final[dict[str, type]] = {"host.json": HostChoices, "seats.json": Sides}
"""The files of settings by their names in a backup, and what they hold. Beside the database they end so."""
_CROP = re.compile(rf"decks/([^\W_][\w .-]{{0,39}})/crops/({'|'.join(CARDS)})/\d{{1,6}}\.png")
_RULES = re.compile(r"rules/[^\W_][\w .-]{0,39}\.toml")
_MOST_BYTES = 512 << 20
_MOST_FILES = 50_000
_MOST_PX = 4096
_MOST_SECONDS = 5.0
_MOST_SECONDS_ALL = 300.0
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class _About:
    """The content of `backup.json`."""

    format: str
    version: int
    files: dict[str, str]


def make_backup(store: EventStore, decks: Path) -> bytes:
    """A backup of the evenings in `store`, the settings beside it, and the decks in `decks`, as a ZIP file.

    Raises StoreError or OSError.
    """
    with tempfile.TemporaryDirectory(prefix="tarok-backup-") as folder:
        copy = Path(folder) / _EVENINGS
        store.copy_to(copy)
        files = {_EVENINGS: copy.read_bytes()}
    for name in _SETTINGS:
        path = file_beside(store.path, f".{name}")
        if path.is_file():
            files[name] = path.read_bytes()
    with suppress(ValueError):  # a file that this program did not write stays as it is
        if "host.json" in files:
            files["host.json"] = _without_address(files["host.json"])
    for path in sorted((store.path.parent / "rules").glob("*.toml")):
        if _RULES.fullmatch(f"rules/{path.name}"):
            files[f"rules/{path.name}"] = path.read_bytes()
    for path in sorted(decks.glob("*/crops/*/*.png")):
        name = f"decks/{path.relative_to(decks).as_posix()}"
        if _CROP.fullmatch(name):
            files[name] = path.read_bytes()
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_ABOUT, json_of(_About(_FORMAT, _VERSION, sums), indent=1))
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def read_backup(path: Path) -> dict[str, bytes]:
    """The files of the backup at `path`, checked by their sums. Raises UserError that says what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            if _ABOUT not in names:
                raise UserError(f"{path}: is no backup of this program")
            whole = sum(entry.file_size for entry in entries)
            if len(set(names)) != len(names) or len(names) > _MOST_FILES or whole > _MOST_BYTES:
                raise UserError(f"{path}: is no backup that this program wrote")
            files = {name: archive.read(name) for name in names}
        about = value_in_json(files.pop(_ABOUT), _About)
        if about.format != _FORMAT:
            raise UserError(f"{path}: is no backup of this program")
        if about.version != _VERSION:
            raise UserError(f"{path}: written by another version of the program ({about.version})")
        sums = about.files
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    except (
        zipfile.BadZipFile,
        ValueError,
        EOFError,
        RuntimeError,
        zlib.error,
    ):
        raise UserError(f"{path}: is damaged, or no backup of this program") from None
    if (
        sums != {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        or _EVENINGS not in sums
    ):
        raise UserError(f"{path}: is damaged; a file in it is not as it was written")
    for name, data in files.items():
        is_crop = _CROP.fullmatch(name) is not None and _is_small_png(data)
        if not (is_crop or _RULES.fullmatch(name) or name == _EVENINGS or name in _SETTINGS):
            raise UserError(f"{path}: holds {name!r}, which no backup has")
    for name, kind in _SETTINGS.items():
        try:
            if name in files:
                value_in_json(files[name], kind)
        except ValueError:
            raise UserError(f"{path}: its {name} is not as this program writes it") from None
    return files


def _is_small_png(data: bytes) -> bool:
    """Whether `data` begins as a PNG of a sensible size: a small file may claim millions of pixels."""
    sides = struct.unpack(">II", data[16:24].ljust(8, b"\0"))
    return data.startswith(_PNG) and all(0 < side <= _MOST_PX for side in sides)


def _without_address(data: bytes) -> bytes:
    """The host's choices without the camera's address, which may hold a password and belongs to this laptop."""
    choices = value_in_json(data, HostChoices)
    return json_of(replace(choices, camera="" if "/" in choices.camera else choices.camera))


def restore_backup(files: Mapping[str, bytes], store: EventStore, decks: Path) -> int:
    """Restore the `files` of a backup into `store`, which has no evening yet, and `decks`; returns how many evenings.

    Everything is checked before anything is written. The evenings are stored last, in one transaction, so a
    restore that breaks off can be done again. Raises UserError, StoreError or OSError.
    """
    if store.sessions():
        raise UserError(f"{store.path}: already has evenings; restore into another file with --db")
    crops = {
        decks / name.removeprefix("decks/"): data for name, data in files.items() if _CROP.fullmatch(name)
    }
    for folder in {path.parents[2] for path in crops}:
        there = {path: path.read_bytes() for path in folder.glob("crops/*/*.png")}
        if not there.items() <= crops.items():
            raise UserError(f"{folder.name}: another deck of that name is taught here; forget it first")
    with tempfile.TemporaryDirectory(prefix="tarok-restore-", ignore_cleanup_errors=True) as beside:
        copy = Path(beside) / _EVENINGS
        copy.write_bytes(files[_EVENINGS])
        # Opening the store refuses what another version wrote.
        with closing(EventStore(copy)) as evenings:
            _check(evenings)
            settings = {
                file_beside(store.path, f".{name}"): (
                    _without_address(files[name]) if name == "host.json" else files[name]
                )
                for name in _SETTINGS
                if name in files
            }
            # Rule sets of the club that are here already stay: evenings bring their own rules along.
            rules = {
                store.path.parent / name: data
                for name, data in files.items()
                if _RULES.fullmatch(name) and not (store.path.parent / name).exists()
            }
            with _written({**crops, **settings, **rules}):
                return store.take_over(evenings)


@contextmanager
def _written(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Write `files`; if that or the block fails, put back what was there before."""
    before: dict[Path, bytes | None] = {}
    try:
        for path, data in files.items():
            private_folder(path.parent)
            before[path] = path.read_bytes() if path.exists() else None
            replace_file(path, data)
        yield
    except (OSError, TarokError):
        for path, old in before.items():
            if old is None:
                path.unlink(missing_ok=True)
            else:
                replace_file(path, old)
        raise


def _check(evenings: EventStore) -> None:
    """Raise UserError if an evening cannot be read in reasonable time, StoreError if the file is damaged."""
    evenings.check()
    until_s = thread_time() + _MOST_SECONDS_ALL
    for info in evenings.sessions():
        try:
            recorded = evenings.events(session=info.id)
            if not is_replayed_within(recorded, min(_MOST_SECONDS, until_s - thread_time())):
                raise UserError(f"evening {info.id} of the backup takes too long to replay")
            names = fold(recorded)[0].balances
        except TarokError as error:
            raise UserError(f"evening {info.id} of the backup cannot be read: {error}") from None
        if not all(map(is_name, names)):
            raise UserError(f"evening {info.id} of the backup has a name that no player can have")
