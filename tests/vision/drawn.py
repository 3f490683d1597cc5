"""The drawn deck, read once for all tests; some of its cards, since reading 78 is slow; tables and films of them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.decks import Deck, Sprite, load_deck, read_picture, sprite_of
from vision.lab.rendering.drawn_deck import DRAWN_BACKS
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, film
from vision.lab.rendering.pasting import paste
from vision.lab.rendering.video_file import VideoFile
from vision.resources import datasets_dir


@cache
def drawn_deck() -> Deck:
    """All its cards and backs."""
    return load_deck(datasets_dir() / "drawn")


@cache
def drawn_card(name: str) -> Sprite:
    """A card of it, or its back, "back_BACK"."""
    return sprite_of(read_picture(datasets_dir() / "drawn" / f"{name}.png"))


def laid(
    *cards: tuple[str | Sprite, Float32Array], size: tuple[int, int] = (1280, 720), shadow: float = 0.0
) -> UInt8Array:
    """A green table (H, W, 3) in a picture of (width, height) px, with cards, each at its corners (4, 2) px.

    A card is one of the deck, or a picture of its own. A later one lies on those before.
    """
    table = np.full((size[1], size[0], 3), (60, 110, 40), np.uint8)
    for card, corners_px in cards:
        paste(table, drawn_card(card) if isinstance(card, str) else card, corners_px, shadow)
    return table


def deck_with(*names: str) -> Deck:
    """The cards and the backs of these names."""
    cards = {name: drawn_card(name) for name in names}
    backs = tuple(card for name, card in cards.items() if name in DRAWN_BACKS)
    return Deck("drawn", {name: card for name, card in cards.items() if name not in DRAWN_BACKS}, backs)


def deck_of(plays: Sequence[FilmedPlay], *backs: str) -> Deck:
    """The cards of these plays, and some backs."""
    return deck_with(*(play.card for play in plays), *backs)


def film_into(
    path: Path, plays: Sequence[FilmedPlay], style: FilmStyle, *backs: str, **how: Any
) -> list[int]:
    """Film `plays` into the file `path`; the pictures in which their cards come to rest."""
    with VideoFile(path, style.size, style.fps) as video:
        return film(plays, deck_of(plays, *backs), video.write, style=style, **how)
