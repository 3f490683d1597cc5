"""Reading files of a bounded size; writing a file whole or not at all, for its owner alone."""

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from pathlib import Path

_DRAFT_BYTES = 6
_DRAFT = re.compile(rf"\.[0-9a-f]{{{2 * _DRAFT_BYTES}}}\.part")
PRIVATE = 0o600
PUBLIC = 0o666
"""Modes of new files, before the umask. On Windows a user's folder is private by itself."""


def replace_file(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Replace the file at `path` by `data`; after a full disk or a power cut it is the old file or the new one.

    `data` is written to a file beside it, which is flushed and renamed. A symbolic link stays a link. A pipe or
    the like is written to directly. Raises OSError, and then leaves nothing behind.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    draft = path.with_name(f".{secrets.token_hex(_DRAFT_BYTES)}.part")
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        error.filename = str(path)
        raise
    if sys.platform != "win32":  # a folder cannot be opened there
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some network drives cannot; the file itself is on the disk
                os.fsync(folder)
        finally:
            os.close(folder)


def delete_drafts(folder: Path) -> None:
    """Delete the drafts that lie in `folder` because the program was killed in `replace_file`."""
    for path in folder.glob(".*.part"):
        if _DRAFT.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            with contextlib.suppress(OSError):
                path.unlink()


def read_at_most(path: Path, most: int) -> bytes:
    """The file at `path`. Raises OSError, also if it has more than `most` bytes."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def make_empty(path: Path) -> None:
    """Make a file at `path`, if there is none, for its owner alone: SQLite gives the files beside it the same mode."""
    with contextlib.suppress(OSError):  # it is there already, or who opens it will say what is wrong
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))


def private_folder(folder: Path) -> Path:
    """`folder`; if it is missing, it and the missing ones above it are made for their owner alone. Raises OSError."""
    if folder.is_file():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if not folder.is_dir():
        private_folder(folder.parent)
        folder.mkdir(0o700, exist_ok=True)
    return folder


def make_private(folder: Path) -> None:
    """Let nobody but their owner reach `folder` and all in it. What belongs to another user stays as it is."""
    if sys.platform == "win32" or not stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return
    for path in (*folder.rglob("*"), folder):  # the folder last: its mode says that the rest is done
        if not path.is_symlink():
            with contextlib.suppress(OSError):
                path.chmod(0o700 if path.is_dir() else PRIVATE)
