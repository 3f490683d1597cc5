"""The folders of the taught decks: which there are, and how one is forgotten. No picture is opened here."""

from pathlib import Path

from tracker.cards import CARDS
from vision.errors import VisionError


def open_deck(folder: Path) -> Path:
    """`folder` itself if it has a taught deck; otherwise raises `VisionError`, which says how to teach one."""
    if not _is_taught(folder):
        raise VisionError(
            f'{folder.name}: no such deck was taught; teach it with: tarok decks enrol "{folder.name}"'
        )
    return folder


def taught_decks(decks_dir: Path) -> dict[str, int]:
    """The number of cards taught of each deck in `decks_dir`, by name."""
    found = {}
    for folder in sorted(decks_dir.glob("*/crops")):
        cards = sum(bool(crops_of(folder.parent, card)) for card in CARDS)
        if cards:
            found[folder.parent.name] = cards
    return found


def forget_card(folder: Path, card: str) -> None:
    """Delete all looks of `card` from the deck in `folder`.

    Raises `VisionError` when there are none or they cannot be deleted.
    """
    looks = crops_of(folder, card)
    if not looks:
        raise VisionError(f"{folder.name}: {card} was not taught")
    try:
        for path in looks:
            path.unlink()
    except OSError as error:
        raise VisionError(f"{folder}: {card} cannot be forgotten ({error.strerror})") from error


def forget_deck(folder: Path) -> None:
    """Delete the taught deck in `folder`: the files that the program made, and folders that become empty.

    Raises `VisionError` when there is none or it cannot be deleted.
    """
    open_deck(folder)
    crops = folder / "crops"
    try:
        for card in CARDS:
            for path in (*crops_of(folder, card), *(crops / card).glob(".*.part")):
                path.unlink()
            _leave(crops / card)
        _leave(crops)
        _leave(folder)
    except OSError as error:
        raise VisionError(f"{folder}: cannot be deleted ({error.strerror})") from error


def crops_of(folder: Path, card: str) -> list[Path]:
    """The crops of `card` in `folder` that `save_crop` numbered; other pictures are not the program's."""
    return [path for path in (folder / "crops" / card).glob("*.png") if path.stem.isdecimal()]


def _is_taught(folder: Path) -> bool:
    return any(crops_of(folder, card) for card in CARDS)


def _leave(folder: Path) -> None:
    """Delete `folder` if it is empty, but no symbolic link: a person made that."""
    if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
        folder.rmdir()
