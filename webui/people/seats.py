"""Who sits where: names with the sides of the camera's picture, counter-clockwise from the bottom."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

from tracker.games import GAMES
from webui.errors import UserError
from webui.kept_file import KeptFile, file_beside

SIDES = "SENW"  # counter-clockwise as seen in the picture (TABLE-1)
SIDES_BY_NUMBER: Final = {3: "SEW", 4: "SENW", 5: "SENWW", 6: "SENNWW"}
"""The sides of the players, by their number, in order of play, where no camera tells the sides."""
MAX_NAME = 24
_MOST_PLACED = 20
_POTS: Final = tuple(dict.fromkeys(pot for game in GAMES.values() for pot in game.session.pot_names))


def parse_seats(words: str) -> dict[str, str]:
    """Who sits where in `words`, such as `Anna@S,Bo@E,Carl@W`: name -> side, counter-clockwise.

    At a table of five or six two players share a side, and are named in order of play. Raises UserError that says what
    is wrong.
    """
    seats: dict[str, str] = {}
    for word in words.split(","):
        name, found, side = word.strip().rpartition("@")
        name, side = plain_name(name), side.strip().upper()
        if not found or side not in SIDES or len(side) != 1:
            raise UserError(f"seat {word.strip()!r} is not NAME@SIDE with a side of S, E, N, W")
        if not is_name(name):
            raise UserError(
                f"seat {word.strip()!r}: a name has 1 to {MAX_NAME} characters, no /, and is none of {', '.join(_POTS)}"
            )
        if sits_among(name, seats):
            raise UserError(f"seat {word.strip()!r}: {name} is already seated")
        if list(seats.values()).count(side) >= (2 if words.count(",") > 3 else 1):
            raise UserError(f"seat {word.strip()!r}: side {side} is taken")
        seats[name] = side
    if not 3 <= len(seats) <= 6:
        raise UserError(f"a table has 3 to 6 seats, not {len(seats)}")
    return dict(sorted(seats.items(), key=lambda seat: SIDES.index(seat[1])))


def sits_among(name: str, names: Iterable[str]) -> bool:
    """Whether `name` is one of `names`; Anna and anna are one person."""
    return name.casefold() in map(str.casefold, names)


def seated(names: Sequence[str], sides: Mapping[str, str]) -> dict[str, str]:
    """A side for each of `names`, in order of play, where no camera tells the sides.

    Players who have a side in `sides` keep it if the others then find room in order; otherwise all are seated anew.
    """
    missing = [name for name in names if name not in sides]
    if not missing:
        return {name: side for name, side in sides.items() if name in names}
    for chosen in product(reversed(SIDES), repeat=len(missing)):
        found = {**sides, **dict(zip(missing, chosen, strict=True))}
        for first in range(len(names)):
            seats = {name: found[name] for name in (*names[first:], *names[:first])}
            places = [SIDES.index(side) for side in seats.values()]
            if places_enough(seats) and places == sorted(places):
                return seats
    return dict(zip(names, SIDES_BY_NUMBER[len(names)], strict=True))


def places_enough(sides: Mapping[str, str]) -> bool:
    """Whether no side of the picture has more than one player, or more than two at a table of five or six."""
    return all(n <= (2 if len(sides) > 4 else 1) for n in Counter(sides.values()).values())


def plain_name(typed: str) -> str:
    """A name as it was `typed`, without needless spaces: what two people have who differ only in these is one name."""
    return " ".join(typed.split())


def is_name(name: str) -> bool:
    """Whether a player may have this name: no pot has it, and it can stand in a page's address."""
    if "/" in name or name in (*_POTS, ".", ".."):
        return False
    return 0 < len(name) <= MAX_NAME and name.isprintable()


@dataclass(frozen=True)
class Sides:
    """Each player's side of the picture, as it is kept. Raises ValueError for an impossible name or side."""

    sides: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.sides) > _MOST_PLACED:
            raise ValueError("more players than a table has")
        for name, side in self.sides.items():
            if not is_name(name) or side not in tuple(SIDES):
                raise ValueError("no side of a player")


def kept_sides(database: Path) -> KeptFile[Sides]:
    """The file of the sides, beside the evening's `database`. If it cannot be read, the page asks for the sides."""
    return KeptFile(file_beside(database, ".seats.json"), Sides, Sides())
