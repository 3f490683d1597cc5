"""The drawn deck, read once for all tests."""

from functools import cache

from vision.decks import Deck, load_deck
from vision.resources import datasets_dir


@cache
def drawn_deck() -> Deck:
    """All its cards and backs."""
    return load_deck(datasets_dir() / "drawn")
