"""What the host of a tournament does: who takes part, rounds drawn, published and put right, results by hand."""

import random
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from webui.club.deleted import hide
from webui.club.people import person_called
from webui.club.schema import (
    ENTRANTS,
    EVENINGS,
    PLACES,
    ROUND_SEATS,
    ROUNDS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
    now_s,
)
from webui.club.seating import MOST_ENTRANTS, Round, SeatingError, seat
from webui.club.tournament import DrawnRound, game_called, sizes_of, tournament
from webui.errors import EntryError

_EFFORT: Final = 100_000


def lock(connection: Connection, club: int, number: int) -> None:
    """Nobody else changes the tournament until the transaction ends. Raises EntryError."""
    asked = select(TOURNAMENTS.c.id).where(
        TOURNAMENTS.c.club == club, TOURNAMENTS.c.id == number, TOURNAMENTS.c.deleted_at.is_(None)
    )
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
            insert(ROUNDS), {"tournament": number, "number": at, "published": False, "after": 0, "key": ""}
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
        .values(
            published=True,
            after=connection.execute(newest).scalar_one(),
            key=secrets.token_urlsafe(12),
            published_at=now_s(),
        )
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
        .values(published=False, after=0, key="", published_at=None, ends_at=None, left_s=None)
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
    """The tournament is no more, and can be brought back; its evenings stay. Raises EntryError."""
    if not hide(connection, TOURNAMENTS, club, number):
        raise EntryError("There is no such tournament.", 404)
