"""The round that the club offers a table, and which evening is that round: kept over cuts and restarts."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from tracker.games import GAMES
from webui.kept_file import KeptFile, file_beside
from webui.people.seats import is_name

_LONGEST: Final = 200
_MOST: Final = 10_000
_LONGEST_S: Final = 7 * 86400


@dataclass(frozen=True)
class OfferedRound:
    """A round of a tournament as the club offers it to this table.

    `seats` are in order of play, and the first deals first. The round is over after so many `hands` at a table, or at
    the Unix time `ends_at` (s, by this computer's clock). While its clock is stopped, `left_s` seconds are left. Each
    of these is None where the club set none.
    """

    key: str
    tournament: str
    round: int
    table: int
    game: str
    seats: tuple[str, ...]
    hands: int | None = None
    ends_at: float | None = None
    left_s: float | None = None


@dataclass(frozen=True)
class BegunRound:
    """The evening with the key `evening` is the round with the key `offer`. `told`: the club knows.

    `tournament` and `round` say which it is, even after that round was drawn anew and has another key.
    """

    evening: str
    offer: str
    told: bool = False
    tournament: str = ""
    round: int = 0


@dataclass(frozen=True)
class TableRound:
    """A table's round as the table knows it, first offered at the Unix time `since` (s).

    `twice` are the players who also play elsewhere, each with the name of that table.
    """

    offer: OfferedRound | None = None
    since: float = 0.0
    begun: tuple[BegunRound, ...] = ()
    twice: tuple[tuple[str, str], ...] = ()

    @property
    def untold(self) -> list[BegunRound]:
        """The begun rounds that the club has still to be told of."""
        return [one for one in self.begun if not one.told]

    @property
    def evening(self) -> str:
        """The key of the evening that is the offered round; "" if the round was not begun."""
        own = [one.evening for one in self.begun if self.offer is not None and one.offer == self.offer.key]
        return own[-1] if own else ""

    def is_another(self, evening: str) -> bool:
        """Whether the evening with the key `evening` is another round than the one that is offered."""
        own = next((one for one in self.begun if one.evening == evening and one.round), None)
        offer = self.offer
        return bool(own and offer and (own.tournament, own.round) != (offer.tournament, offer.round))


NO_ROUND: Final = TableRound()


def kept_round(database: Path) -> KeptFile[TableRound]:
    """The file in which a table, with evenings in `database`, keeps its round."""
    return KeptFile(file_beside(database, ".round.json"), TableRound, NO_ROUND)


def offer_in(told: Any) -> OfferedRound | None:
    """The round that the club offers in its answer `told`; None for none, and for one that no table can play."""
    if not isinstance(told, dict):
        return None
    seats, key, name, game = told.get("seats"), told.get("key"), told.get("tournament"), told.get("game")
    number, table, hands = (_count(told.get(field)) for field in ("round", "table", "hands"))
    if not (isinstance(seats, list) and 3 <= len(seats) <= 6 and len(set(map(str, seats))) == len(seats)):
        return None
    if not all(isinstance(one, str) and is_name(one) for one in seats):
        return None
    if not all(isinstance(one, str) and 0 < len(one) <= _LONGEST for one in (key, name)) or game not in GAMES:
        return None
    if number is None or table is None:
        return None
    left_s, running = told.get("left_s"), told.get("running") is True
    left = float(left_s) if isinstance(left_s, int | float) and abs(left_s) < _LONGEST_S else None
    return OfferedRound(
        key=str(key),
        tournament=str(name),
        game=str(game),
        seats=tuple(seats),
        round=number,
        table=table,
        hands=hands,
        # The club tells seconds from now, so that the two computers' clocks may differ.
        ends_at=round(time.time() + left) if left is not None and running else None,
        left_s=left if not running else None,
    )


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 < value <= _MOST else None


def twice_in(told: Any) -> tuple[tuple[str, str], ...]:
    """The players at two tables at once, in the club's answer `told`, each with the name of the other table."""
    rows = told[:6] if isinstance(told, list) else []
    pairs = [row for row in rows if isinstance(row, list) and len(row) == 2]
    return tuple(
        (one, other)
        for one, other in pairs
        if isinstance(one, str) and isinstance(other, str) and len(one) + len(other) < _LONGEST
    )


def news_of_round(before: TableRound, told: Mapping[str, Any], sent: list[BegunRound]) -> TableRound:
    """The table's round after the club's answer `told` to the begun rounds that were `sent`."""
    offer = offer_in(told.get("offer"))
    old = before.offer
    if offer is not None and old is not None and offer.ends_at is not None and old.ends_at is not None:
        # The end is the same, but for the time that the answer took.
        same = abs(offer.ends_at - old.ends_at) <= 2
        offer = OfferedRound(**{**vars(offer), "ends_at": old.ends_at if same else offer.ends_at})
    known = {one.evening for one in sent}
    begun = [replace(one, told=one.told or one.evening in known) for one in before.begun]
    keys = {offer.key} if offer is not None else set()
    # The last one stays: its evening may still be played when the next round comes.
    kept = tuple(one for one in begun if not one.told or one.offer in keys or one is begun[-1])
    same_round = offer is not None and old is not None and offer.key == old.key
    return TableRound(offer, before.since if same_round else time.time(), kept, twice_in(told.get("twice")))


RoundPhase = Literal["none", "offered", "playing", "last hand", "over"]


def phase_of(one: TableRound, evening: str, hands: int, under_way: bool, now: float) -> RoundPhase:
    """The phase of the round at the Unix time `now`; `hands` were begun in the open `evening` ("" for none).

    When the time is up, the hand `under_way` is the last. When the number of hands is reached, the round is over.
    """
    offer = one.offer
    if offer is None:
        return "none"
    if not one.evening:
        return "offered"
    if one.evening != evening:
        return "none"
    enough = offer.hands is not None and hands >= offer.hands
    time_is_up = offer.ends_at is not None and now >= offer.ends_at
    if not (enough or time_is_up):
        return "playing"
    return "last hand" if under_way else "over"
