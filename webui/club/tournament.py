"""Tournaments at the club: who takes part, who sits where in each round, and what came of it.

A round is drawn, then published. The tournament's tables are card tables that report to the club: what counts of a
round is the first evening that such a table opened after the round was published, if those who were drawn sit there.
So a correction at the table follows by itself. Chips that were entered here count instead.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from tracker.game import Game
from tracker.games import GAMES
from webui.club.people import person_called
from webui.club.plan import seats_allowed
from webui.club.results import Query
from webui.club.schema import (
    ENTRANTS,
    EVENINGS,
    PEOPLE,
    PLACES,
    ROUND_SEATS,
    ROUNDS,
    SEAT_ROWS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
    now_s,
)
from webui.club.seating import Round, SeatingError, seat
from webui.club.standings import Ranked, standings
from webui.pages.common import EntryError

MOST_ENTRANTS: Final = 200
MOST_ROUNDS: Final = 30
_EFFORT: Final = 100_000


@dataclass(frozen=True)
class Entrant:
    """Who takes part: the number of `person`, and whether he is still there."""

    id: int
    person: int
    name: str
    active: bool


@dataclass(frozen=True)
class Seated:
    """An entrant at a table, with the chips that he had at the end; None before that. `entered`: by hand."""

    entrant: Entrant
    chips: int | None
    entered: bool


@dataclass(frozen=True)
class DrawnTable:
    """A table of a round: its `number`, the club's `place` that it is and the `evening` that is played there, if any.

    `strangers`: others sit at that evening than were drawn, so it does not count.
    """

    number: int
    place: str
    seats: tuple[Seated, ...]
    evening: int | None
    strangers: bool

    @property
    def chips(self) -> dict[int, int] | None:
        """Everybody's chips, by the entrant's number; None before all are known."""
        found = {one.entrant.id: one.chips for one in self.seats if one.chips is not None}
        return found if len(found) == len(self.seats) else None


@dataclass(frozen=True)
class DrawnRound:
    """A round with its tables and those who rest."""

    number: int
    published: bool
    tables: tuple[DrawnTable, ...]
    resting: tuple[Entrant, ...]

    @property
    def begun(self) -> bool:
        """Whether anything of it was played or entered."""
        return any(
            (table.evening is not None and not table.strangers) or table.chips for table in self.tables
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament as it stands."""

    id: int
    name: str
    game: str
    size: int
    planned: int
    entrants: dict[int, Entrant]
    places: dict[int, int]
    rounds: tuple[DrawnRound, ...]

    @property
    def published(self) -> list[DrawnRound]:
        """The rounds that everybody sees."""
        return [one for one in self.rounds if one.published]

    def standings(self, *, by_points: bool = False) -> list[Ranked]:
        """The places after all tables whose chips are known; a `player` is an entrant's number."""
        known = [table.chips for one in self.published for table in one.tables]
        return standings([chips for chips in known if chips is not None], by_points=by_points)


def game_called(name: str) -> Game:
    """The game of that name."""
    return next(game for game in GAMES if game.name == name)


def sizes_of(game: str) -> list[int]:
    """How many may sit at a table of a tournament in that game."""
    rules = next(iter(game_called(game).session.rule_sets))
    return [size for size in seats_allowed(rules) if 3 <= size <= 5]


# ---- reading ----


def tournaments_query(club: int) -> Query:
    """The club's tournaments, newest first."""
    return (
        select(TOURNAMENTS.c.id, TOURNAMENTS.c.name, TOURNAMENTS.c.game, TOURNAMENTS.c.made_at)
        .where(TOURNAMENTS.c.club == club)
        .order_by(TOURNAMENTS.c.id.desc())
    )


def entrants_query(number: int) -> Query:
    """Who takes part in a tournament, or did."""
    return (
        select(ENTRANTS.c.id, ENTRANTS.c.person, PEOPLE.c.name, ENTRANTS.c.active)
        .join(PEOPLE, PEOPLE.c.id == ENTRANTS.c.person)
        .where(ENTRANTS.c.tournament == number)
        .order_by(PEOPLE.c.name)
    )


def round_seats_query(number: int) -> Query:
    """Who was drawn where."""
    return (
        select(ROUND_SEATS)
        .where(ROUND_SEATS.c.tournament == number)
        .order_by(ROUND_SEATS.c.round, ROUND_SEATS.c.number, ROUND_SEATS.c.place)
    )


def played_query(number: int, game: str) -> Query:
    """The evenings at the tournament's tables since its first round was published, and who sat there."""
    first = select(func.min(ROUNDS.c.after)).where(ROUNDS.c.tournament == number, ROUNDS.c.published)
    return (
        select(EVENINGS.c.id, EVENINGS.c.place, EVENINGS.c.closed, SEAT_ROWS.c.person, SEAT_ROWS.c.chips)
        .join(TOURNAMENT_TABLES, TOURNAMENT_TABLES.c.place == EVENINGS.c.place)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == TOURNAMENT_TABLES.c.tournament)
        .join(SEAT_ROWS, SEAT_ROWS.c.evening == EVENINGS.c.id)
        .where(
            TOURNAMENTS.c.id == number,
            EVENINGS.c.club == TOURNAMENTS.c.club,
            EVENINGS.c.opened_at > TOURNAMENTS.c.made_at - _EARLY_S,
            EVENINGS.c.id > first.scalar_subquery(),
            EVENINGS.c.game == game,
        )
        .order_by(EVENINGS.c.id)
    )


_EARLY_S: Final = 30 * 86400
"""The clock of a table's laptop may be wrong by so much; the evenings' numbers say what came after what."""


@dataclass(frozen=True)
class _Played:
    """An evening at one of the tournament's tables: everybody's chips, by person."""

    id: int
    place: int
    closed: bool
    chips: dict[int, int]


def tournament(connection: Connection, club: int, number: int) -> Tournament:
    """The club's tournament with that number. Raises EntryError."""
    row = connection.execute(
        select(TOURNAMENTS).where(TOURNAMENTS.c.club == club, TOURNAMENTS.c.id == number)
    ).one_or_none()
    if row is None:
        raise EntryError("There is no such tournament.", 404)
    entrants = {one[0]: Entrant(*one) for one in connection.execute(entrants_query(number))}
    mapped = select(TOURNAMENT_TABLES.c.number, PLACES.c.id, PLACES.c.name).join(
        PLACES, PLACES.c.id == TOURNAMENT_TABLES.c.place
    )
    places = {
        table: (place, name)
        for table, place, name in connection.execute(mapped.where(TOURNAMENT_TABLES.c.tournament == number))
    }
    drawn = connection.execute(
        select(ROUNDS).where(ROUNDS.c.tournament == number).order_by(ROUNDS.c.number)
    ).all()
    seats = connection.execute(round_seats_query(number)).all()
    unused = _played(connection, number, row.game)
    rounds = []
    after = {one.number: one.after for one in drawn if one.published}
    for one in drawn:
        own = [place for place in seats if place.round == one.number]
        tables = [
            _table(
                at,
                [place for place in own if place.number == at],
                entrants,
                places,
                one,
                unused,
                after.get(one.number + 1),
            )
            for at in sorted({place.number for place in own} - {0})
        ]
        resting = tuple(entrants[place.entrant] for place in own if place.number == 0)
        rounds.append(DrawnRound(one.number, one.published, tuple(tables), resting))
    return Tournament(
        number,
        row.name,
        row.game,
        row.size,
        row.rounds,
        entrants,
        {table: place for table, (place, _) in places.items()},
        tuple(rounds),
    )


def _played(connection: Connection, number: int, game: str) -> list[_Played]:
    found: dict[int, _Played] = {}
    for evening, place, closed, person, chips in connection.execute(played_query(number, game)):
        found.setdefault(evening, _Played(evening, place, closed, {})).chips[person] = chips
    return list(found.values())


def _table(
    number: int,
    seats: Sequence[Any],
    entrants: dict[int, Entrant],
    places: dict[int, tuple[int, str]],
    drawn: Any,
    unused: list[_Played],
    until: int | None,
) -> DrawnTable:
    """A table of the round `drawn`; the evening that is its own is taken out of `unused`.

    The next round's evenings are numbered above `until`; None where it is not published.
    """
    place, name = places.get(number, (None, ""))
    people = {entrants[one.entrant].person for one in seats}
    here = [one for one in unused if drawn.published and one.place == place and one.id > drawn.after]
    own = next((one for one in here if one.chips.keys() == people), None)
    if own is not None:
        unused.remove(own)
    others = [one for one in here if until is None or one.id <= until]
    other = others[0] if own is None and others else None
    found = []
    for one in seats:
        entrant = entrants[one.entrant]
        played = own.chips[entrant.person] if own is not None and own.closed else None
        found.append(Seated(entrant, played if one.chips is None else one.chips, one.chips is not None))
    evening = own or other
    return DrawnTable(
        number, name, tuple(found), evening.id if evening is not None else None, other is not None
    )


# ---- changing ----


def lock(connection: Connection, club: int, number: int) -> None:
    """Nobody else changes the tournament until the transaction ends. Raises EntryError."""
    asked = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.club == club, TOURNAMENTS.c.id == number)
    if connection.execute(asked.with_for_update()).first() is None:
        raise EntryError("There is no such tournament.", 404)


def make(
    connection: Connection, club: int, name: str, game: str, size: int, rounds: int, names: Sequence[str]
) -> int:
    """A new tournament of these players; returns its number. Raises EntryError."""
    if size not in sizes_of(game):
        raise EntryError("In this game no table has so many players.")
    values = {"club": club, "name": name, "game": game, "size": size, "rounds": rounds, "made_at": now_s()}
    number = connection.execute(insert(TOURNAMENTS).returning(TOURNAMENTS.c.id), values).scalar_one()
    enter_players(connection, club, number, names)
    return int(number)


def enter_players(connection: Connection, club: int, number: int, names: Sequence[str]) -> None:
    """These players take part, too, or again; what is drawn and not published is dropped. Raises EntryError."""
    known = {one.person: one for one in tournament(connection, club, number).entrants.values()}
    people = [person_called(connection, club, name) for name in names]
    twice = next((name for name, one in zip(names, people, strict=True) if people.count(one) > 1), None)
    if twice is not None:
        raise EntryError("“{name}” stands there twice.", name=twice)
    if len(known.keys() | set(people)) > MOST_ENTRANTS:
        raise EntryError("A tournament has {count} players at most.", count=MOST_ENTRANTS)
    new = [{"tournament": number, "person": one, "active": True} for one in people if one not in known]
    if new:
        connection.execute(insert(ENTRANTS), new)
    connection.execute(
        update(ENTRANTS)
        .where(ENTRANTS.c.tournament == number, ENTRANTS.c.person.in_(people))
        .values(active=True)
    )
    drop_drafts(connection, number)


def leave(connection: Connection, club: int, number: int, entrant: int) -> None:
    """He plays no more from the next round on; what he played stands. Raises EntryError."""
    if entrant not in tournament(connection, club, number).entrants:
        raise EntryError("There is no such player.", 404)
    connection.execute(update(ENTRANTS).where(ENTRANTS.c.id == entrant).values(active=False))
    drop_drafts(connection, number)


def drop_drafts(connection: Connection, number: int) -> None:
    """The rounds that nobody was shown yet are drawn no more."""
    drafts = select(ROUNDS.c.number).where(ROUNDS.c.tournament == number, ROUNDS.c.published.is_(False))
    connection.execute(
        delete(ROUND_SEATS).where(ROUND_SEATS.c.tournament == number, ROUND_SEATS.c.round.in_(drafts))
    )
    connection.execute(delete(ROUNDS).where(ROUNDS.c.tournament == number, ROUNDS.c.published.is_(False)))


def draw(connection: Connection, club: int, number: int) -> None:
    """Draw all rounds after those that are published. Raises EntryError."""
    drop_drafts(connection, number)
    found = tournament(connection, club, number)
    before = [_round(one) for one in found.published]
    more = found.planned - len(before)
    if more < 1:
        raise EntryError("All rounds are published.", 409)
    try:
        drawn = seat(
            [one.id for one in found.entrants.values() if one.active],
            more,
            preferred=found.size,
            allowed=sizes_of(found.game),
            played=before,
            seed=random.SystemRandom().getrandbits(32),
            effort=_EFFORT,
        )
    except SeatingError:
        raise EntryError("So few players fill no table.", 409) from None
    for at, one in enumerate(drawn, start=len(before) + 1):
        connection.execute(
            insert(ROUNDS), {"tournament": number, "number": at, "published": False, "after": 0}
        )
        connection.execute(insert(ROUND_SEATS), list(_seat_rows(number, at, one)))


def _round(one: DrawnRound) -> Round:
    return Round(
        tuple(tuple(seated.entrant.id for seated in table.seats) for table in one.tables),
        tuple(entrant.id for entrant in one.resting),
    )


def _seat_rows(number: int, at: int, one: Round) -> Iterable[dict[str, int]]:
    for table, players in enumerate((one.resting, *one.tables)):
        for place, entrant in enumerate(players, start=1):
            yield {"tournament": number, "round": at, "entrant": entrant, "number": table, "place": place}


def publish(connection: Connection, club: int, number: int) -> int:
    """Everybody sees the next round from now on; returns its number. Raises EntryError."""
    found = tournament(connection, club, number)
    nxt = next((one for one in found.rounds if not one.published), None)
    if nxt is None:
        raise EntryError("Draw the rounds first.", 409)
    newest = select(func.coalesce(func.max(EVENINGS.c.id), 0)).where(EVENINGS.c.club == club)
    connection.execute(
        update(ROUNDS)
        .where(ROUNDS.c.tournament == number, ROUNDS.c.number == nxt.number)
        .values(published=True, after=connection.execute(newest).scalar_one())
    )
    return nxt.number


def withdraw(connection: Connection, club: int, number: int) -> int:
    """The newest round is published no more; returns its number. Raises EntryError once it has begun."""
    found = tournament(connection, club, number).published
    if not found or found[-1].begun:
        raise EntryError("This round has begun.", 409)
    connection.execute(
        update(ROUNDS)
        .where(ROUNDS.c.tournament == number, ROUNDS.c.number == found[-1].number)
        .values(published=False, after=0)
    )
    return found[-1].number


def set_places(connection: Connection, club: int, number: int, places: dict[int, int]) -> None:
    """The tournament's tables, by number, are these card tables of the club. Raises EntryError."""
    tournament(connection, club, number)
    if len(set(places.values())) != len(places):
        raise EntryError("One card table cannot be two tables of the tournament.")
    own = set(connection.execute(select(PLACES.c.id).where(PLACES.c.club == club)).scalars())
    if not set(places.values()) <= own:
        raise EntryError("There is no such table.", 404)
    connection.execute(delete(TOURNAMENT_TABLES).where(TOURNAMENT_TABLES.c.tournament == number))
    rows = [{"tournament": number, "number": at, "place": place} for at, place in places.items()]
    if rows:
        connection.execute(insert(TOURNAMENT_TABLES), rows)


def enter_result(
    connection: Connection, club: int, number: int, at: int, table: int, chips: dict[int, int] | None
) -> None:
    """At that table of the round `at`, everybody had these `chips`, by entrant; None: those of its evening count.

    Raises EntryError.
    """
    found = tournament(connection, club, number)
    drawn = next(
        (own for one in found.published if one.number == at for own in one.tables if own.number == table),
        None,
    )
    if drawn is None:
        raise EntryError("There is no such table in a round that is published.", 404)
    if chips is not None:
        if chips.keys() != {one.entrant.id for one in drawn.seats}:
            raise EntryError("Enter everybody's chips.")
        if game_called(found.game).session.keeps_chips and sum(chips.values()) != 0:
            raise EntryError("The chips of a table sum to 0; these sum to {sum}.", sum=sum(chips.values()))
    for one in drawn.seats:
        connection.execute(
            update(ROUND_SEATS)
            .where(
                and_(
                    ROUND_SEATS.c.tournament == number,
                    ROUND_SEATS.c.round == at,
                    ROUND_SEATS.c.entrant == one.entrant.id,
                )
            )
            .values(chips=None if chips is None else chips[one.entrant.id])
        )


def remove(connection: Connection, club: int, number: int) -> None:
    """The tournament is no more; its evenings stay. Raises EntryError."""
    tournament(connection, club, number)
    connection.execute(delete(TOURNAMENTS).where(TOURNAMENTS.c.id == number))
