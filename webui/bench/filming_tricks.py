"""The plays of a trick as they are filmed, the same in every game that takes them in."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tracker.hand import Hand
from tracker.tricks import Trick

if TYPE_CHECKING:
    from vision.lab.rendering.footage import FilmedPlay, FilmedStep


def trick_filmed(hand: Hand, trick: Trick, sides: Mapping[str, str]) -> "list[FilmedPlay]":
    """The plays of `trick`, which its winner takes, but for a card that a player keeps.

    `sides` has each player's side of the picture.
    """
    from vision.lab.rendering.footage import FilmedPlay, places_at_sides

    places, kept = places_at_sides(sides), hand.kept_cards(trick.number)
    return [
        FilmedPlay(
            places[play.player][0],
            play.card,
            taken_by=sides[trick.winner] if trick.winner and play is trick.plays[-1] else None,
            kept=play.card in kept,
            beside=places[play.player][1],
        )
        for play in trick.plays
    ]


def plain_script(
    hand: Hand, sides: Mapping[str, str], tricks: int | None = None
) -> "list[FilmedPlay | FilmedStep]":
    """The plays of the first `tricks` (None: all) of a hand in which nothing else is laid open; `sides` as above."""
    return [play for trick in hand.tricks[:tricks] for play in trick_filmed(hand, trick, sides)]
