"""Files as the program writes them: whole or as they were, and for nobody but their owner."""

import contextlib
import os
import secrets
import stat
import sys
from pathlib import Path

PRIVATE = 0o600
PUBLIC = 0o666
"""Modes of new files, before the umask; Windows keeps a user's folder to the user by itself."""


def replace_file(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Write `data` to `path` so that a reader, a full disk or a power cut finds the old file or the new one.

    `data` are written beside it, flushed and renamed. A symbolic link stays one. What is no plain file, such as
    a pipe, is written to as it is. Raises OSError, and then nothing is left behind.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    draft = path.with_name(f".{secrets.token_hex(6)}.part")
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    if sys.platform != "win32":  # a folder cannot be opened there
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some network drives cannot; the file itself is on the disk
                os.fsync(folder)
        finally:
            os.close(folder)


def private_folder(folder: Path) -> Path:
    """`folder`, made for its owner alone where it is not there yet, and so are those above it. Raises OSError."""
    if not folder.is_dir():
        private_folder(folder.parent)
        folder.mkdir(0o700, exist_ok=True)
    return folder


def make_private(folder: Path) -> None:
    """Take `folder` and all in it from everybody but their owner; what belongs to another stays as it is."""
    if sys.platform == "win32" or not stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return
    for path in (*folder.rglob("*"), folder):  # the folder last: it says that the rest is done
        if not path.is_symlink():
            with contextlib.suppress(OSError):
                path.chmod(0o700 if path.is_dir() else PRIVATE)
