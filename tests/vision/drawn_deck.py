"""The drawn deck, read once for all tests: its 80 pictures take more than a second."""

from functools import cache

from vision.decks import Deck, load_deck
from vision.resources import datasets_dir


@cache
def drawn_deck() -> Deck:
    """The deck that is shipped with the program; nobody changes its pictures."""
    return load_deck(datasets_dir() / "drawn")
