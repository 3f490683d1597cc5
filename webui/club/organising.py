"""What the host of a tournament does: he enters players, draws, publishes and corrects rounds, and enters results."""

import random
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from tracker.games import GAMES
from webui.club.deleted import hide
from webui.club.members import CardTable
from webui.club.people import person_called
from webui.club.schema import (
    ABSENCES,
    ENTRANTS,
    EVENINGS,
    PLACES,
    RESULTS,
    ROUND_EVENINGS,
    ROUND_SEATS,
    ROUNDS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
    now_s,
)
from webui.club.seating import MOST_ENTRANTS, Round, SeatingError, seat
from webui.club.tournament import (
    SAID_TO_BE,
    DrawnRound,
    DrawnTable,
    EnteredChips,
    Entrant,
    RoundTable,
    Tournament,
    absences,
    sizes_of,
    tournament,
    tournament_of_today_query,
)
from webui.club.tournament_rules import TournamentRules
from webui.errors import EntryError
from webui.kept_file import json_of
from webui.texts import signed

_EFFORT: Final = 100_000


def lock(connection: Connection, club: int, number: int) -> None:
    """Lock the tournament, so that nobody else changes it until the transaction ends. Raises EntryError."""
    asked = select(TOURNAMENTS.c.id).filter_by(club=club, id=number, deleted_at=None)
    if connection.execute(asked.with_for_update()).first() is None:
        raise EntryError("There is no such tournament.", 404)


def make(
    connection: Connection,
    club: int,
    name: str,
    game: str,
    size: int,
    rounds: int,
    names: Sequence[str],
    rules: TournamentRules,
) -> int:
    """Make a tournament of these players; returns its number. Raises EntryError."""
    if size not in sizes_of(game):
        raise EntryError("No table of this game has that many players.")
    values = {
        "club": club,
        "name": name,
        "game": game,
        "size": size,
        "rounds": rounds,
        "choices": json_of(rules).decode(),
        "made_at": now_s(),
    }
    number = connection.execute(insert(TOURNAMENTS).returning(TOURNAMENTS.c.id), values).scalar_one()
    enter_players(connection, club, number, names)
    return int(number)


def choose_rules(connection: Connection, number: int, rules: TournamentRules) -> None:
    """Count and draw the tournament by these `rules` from now on."""
    values = {"choices": json_of(rules).decode()}
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == number).values(values))


# ---- who takes part ----


def enter_players(connection: Connection, club: int, number: int, names: Sequence[str]) -> None:
    """Let these players take part, too, or again. Rounds that are not published are dropped. Raises EntryError."""
    people = [person_called(connection, club, name) for name in names]
    twice = next((name for name, one in zip(names, people, strict=True) if people.count(one) > 1), None)
    if twice is not None:
        raise EntryError("“{name}” is there twice.", name=twice)
    _take_in(connection, club, number, people)
    drop_drafts(connection, number)


def _take_in(
    connection: Connection, club: int, number: int, people: Sequence[int], *, substitute: bool = False
) -> None:
    """Make these people entrants. An entrant who is drawn already stays so."""
    known = {one.person: one for one in tournament(connection, club, number).entrants.values()}
    if len(known.keys() | set(people)) > MOST_ENTRANTS:
        raise EntryError("A tournament has {count} players at most.", count=MOST_ENTRANTS)
    new = [
        {"tournament": number, "person": one, "active": True, "substitute": substitute}
        for one in people
        if one not in known
    ]
    if new:
        connection.execute(insert(ENTRANTS), new)
    own = (ENTRANTS.c.tournament == number, ENTRANTS.c.person.in_(people))
    back = update(ENTRANTS).where(*own, ENTRANTS.c.active.is_(False))
    connection.execute(back.values(active=True, substitute=substitute))
    if not substitute:
        connection.execute(update(ENTRANTS).where(*own).values(substitute=False))


def seat_late(connection: Connection, club: int, number: int, table: int, name: str) -> None:
    """Let a player who came late take part, and sit at that table of the round that is played. Raises EntryError."""
    enter_players(connection, club, number, [name])
    found = tournament(connection, club, number)
    entrant = _entrant_called(connection, club, found, name)
    at, drawn = _playing(found, table)
    _free(connection, at, number, entrant)
    if drawn.chips is not None:
        raise EntryError("This table already has its result.", 409)
    if len(drawn.seats) + 1 not in sizes_of(found.game):
        raise EntryError("This table has no place for another player.", 409)
    row = {"tournament": number, "round": at.number, "entrant": entrant.id, "number": table}
    connection.execute(insert(ROUND_SEATS), row | {"place": len(drawn.seats) + 1})


def _playing(found: Tournament, table: int) -> tuple[DrawnRound, DrawnTable]:
    """The round that is played, and its table with the number `table`. Raises EntryError."""
    at = found.played
    drawn = next((one for one in at.tables if one.number == table), None) if at is not None else None
    if at is None or drawn is None:
        raise EntryError("There is no such table in a round that is published.", 404)
    return at, drawn


def _entrant_called(connection: Connection, club: int, found: Tournament, name: str) -> Entrant:
    person = person_called(connection, club, name)
    return next(one for one in found.entrants.values() if one.person == person)


def _free(connection: Connection, at: DrawnRound, number: int, entrant: Entrant) -> None:
    """Let `entrant` neither rest nor be away in that round. Raises EntryError if he sits at one of its tables."""
    table = at.table_of(entrant.id)
    if table is not None:
        raise EntryError(
            "{name} sits at table {table} in this round.", 409, name=entrant.name, table=table.number
        )
    for rows in (ROUND_SEATS, ABSENCES):
        own = delete(rows).filter_by(tournament=number, round=at.number, entrant=entrant.id)
        connection.execute(own)


def leave(
    connection: Connection,
    club: int,
    number: int,
    entrant: int,
    substitute: str = "",
    *,
    at_once: bool = True,
) -> None:
    """Let `entrant` leave; what he played stands. Raises EntryError.

    `at_once`: he also leaves the round that is played, in which `substitute` sits for him, or nobody ("").
    """
    found = tournament(connection, club, number)
    at = found.played
    found.entrant(entrant)
    connection.execute(update(ENTRANTS).where(ENTRANTS.c.id == entrant).values(active=False))
    drop_drafts(connection, number)
    if at_once and at is not None and not at.over:
        _stand_up(connection, club, found, at, entrant, substitute)


def rest(connection: Connection, club: int, number: int, at: int, entrant: int, substitute: str) -> None:
    """Let `entrant` miss the round `at`, in which `substitute` sits for him, or nobody (""). Raises EntryError."""
    found = tournament(connection, club, number)
    if not found.entrant(entrant).active:
        raise EntryError("There is no such player.", 404)
    if not 1 <= at <= found.planned:
        raise EntryError("There is no such round.", 404)
    round_ = {"tournament": number, "round": at}
    own = select(ROUND_SEATS.c.number, ROUND_SEATS.c.place).filter_by(**round_, entrant=entrant)
    sat = connection.execute(own).first()
    drawn = next((one for one in found.published if one.number == at), None)
    if drawn is None:
        drop_drafts(connection, number)
    elif drawn.over:
        raise EntryError("This round is over.", 409)
    else:
        _stand_up(connection, club, found, drawn, entrant, substitute)
    if entrant not in absences(connection, number).get(at, ()):
        seat_ = sat._asdict() if drawn is not None and sat is not None else {}
        connection.execute(insert(ABSENCES), {**round_, "entrant": entrant, **seat_})


def rest_no_more(connection: Connection, club: int, number: int, at: int, entrant: int) -> None:
    """Let `entrant` play in the round `at` after all. If that is published, he sits where he sat. Raises EntryError."""
    found = tournament(connection, club, number)
    own = {"tournament": number, "round": at, "entrant": entrant}
    sat = connection.execute(select(ABSENCES).filter_by(**own)).first()
    if sat is None:
        raise EntryError("That has already been taken back.", 404)
    connection.execute(delete(ABSENCES).filter_by(**own))
    drawn = next((one for one in found.published if one.number == at), None)
    if drawn is None:
        drop_drafts(connection, number)
    else:
        _sit_again(connection, found, drawn, entrant, sat.number, sat.place)


def _sit_again(
    connection: Connection, found: Tournament, at: DrawnRound, entrant: int, number: int | None, place: int
) -> None:
    """Give `entrant` his seat of the published round `at` again, from a substitute if one has it. Raises EntryError."""
    table = next((one for one in at.tables if one.number == number), None)
    if number is None or (number and (table is None or table.under_way or table.chips is not None)):
        raise EntryError("This round is published. Seat the player at a table.", 409)
    round_ = {"tournament": found.id, "round": at.number}
    own = {**round_, "entrant": entrant, "number": number, "place": place}
    if table is None:  # he was drawn to rest
        connection.execute(insert(ROUND_SEATS), own)
        return
    instead = [one.entrant.id for one in table.seats if one.stands_for == entrant]
    if instead:
        taken = update(ROUND_SEATS).filter_by(**round_, entrant=instead[0])
        connection.execute(taken.values(entrant=entrant, stands_for=None))
        return
    seats = [one.entrant.id for one in table.seats]
    if len(seats) + 1 not in sizes_of(found.game):
        raise EntryError("This table has no place for another player.", 409)
    connection.execute(insert(ROUND_SEATS), own)
    seats.insert(place - 1, entrant)
    for now, player in enumerate(seats, start=1):
        connection.execute(update(ROUND_SEATS).filter_by(**round_, entrant=player).values(place=now))


def _stand_up(
    connection: Connection, club: int, found: Tournament, at: DrawnRound, entrant: int, substitute: str
) -> None:
    """Take `entrant` out of the published round `at`; `substitute` sits in his place, or nobody ("")."""
    table = at.table_of(entrant)
    round_ = {"tournament": found.id, "round": at.number}
    here = {**round_, "entrant": entrant}
    if table is None:
        connection.execute(delete(ROUND_SEATS).filter_by(**here))
        return
    own = next(one for one in table.seats if one.entrant.id == entrant)
    if own.chips is not None and not own.entered:
        return  # the evening says that he played there
    if substitute:
        _take_in(connection, club, found.id, [person_called(connection, club, substitute)], substitute=True)
        found = tournament(connection, club, found.id)
        instead = _entrant_called(connection, club, found, substitute)
        _free(connection, at, found.id, instead)
        # Whoever replaces a substitute stands for the entrant who was drawn.
        for_whom = own.stands_for if own.stands_for is not None else entrant
        taken = {"stands_for": for_whom if for_whom != instead.id else None}
        if table.under_way:  # both play a part of the round
            place = {"entrant": instead.id, "number": table.number, "place": len(table.seats) + 1}
            connection.execute(insert(ROUND_SEATS), round_ | place | taken)
        else:
            connection.execute(update(ROUND_SEATS).filter_by(**here).values(entrant=instead.id, **taken))
    elif not table.under_way and not own.entered:
        if len(table.seats) - 1 not in sizes_of(found.game):
            raise EntryError(
                "Too few would sit at table {table}: name a substitute.", 409, table=table.number
            )
        connection.execute(delete(ROUND_SEATS).filter_by(**here))
        left = [one.entrant.id for one in table.seats if one.entrant.id != entrant]
        for number, player in enumerate(left, start=1):
            asked = update(ROUND_SEATS).filter_by(**round_, entrant=player)
            connection.execute(asked.values(place=number))


# ---- rounds ----


def drop_drafts(connection: Connection, number: int) -> None:
    """Drop the rounds that are not published."""
    drafts = select(ROUNDS.c.number).where(ROUNDS.c.tournament == number, ROUNDS.c.published.is_(False))
    connection.execute(
        delete(ROUND_SEATS).where(ROUND_SEATS.c.tournament == number, ROUND_SEATS.c.round.in_(drafts))
    )
    connection.execute(delete(ROUNDS).where(ROUNDS.c.tournament == number, ROUNDS.c.published.is_(False)))


def draw(connection: Connection, club: int, number: int) -> None:
    """Draw all rounds after those that are published; where the standings count, only the next. Raises EntryError."""
    drop_drafts(connection, number)
    found = tournament(connection, club, number)
    before = [_round(one) for one in found.published]
    if found.planned <= len(before):
        raise EntryError("All rounds are published.", 409)
    last = len(before) + 1 if found.rules.draw == "standing" else found.planned
    if found.rules.draw == "standing" and found.published and not found.published[-1].over:
        raise EntryError("The round that is played is not over: its results decide who meets next.", 409)
    absent = absences(connection, number)
    while len(before) < last:
        at = len(before) + 1
        players = _present(found, absent, at)
        # Rounds with the same players are drawn together, so that they fit each other.
        until = next((one for one in range(at, last) if _present(found, absent, one + 1) != players), last)
        try:
            drawn = seat(
                players,
                until - at + 1,
                preferred=found.size,
                allowed=sizes_of(found.game),
                played=before,
                seed=random.SystemRandom().getrandbits(32),
                effort=_EFFORT,
                near=_nearness(found, players) if found.rules.draw == "standing" else None,
            )
        except SeatingError:
            raise EntryError("There are too few players for a table.", 409) from None
        for one in drawn:
            before.append(one)
            connection.execute(
                insert(ROUNDS),
                {"tournament": number, "number": len(before), "published": False, "after": 0, "key": ""},
            )
            connection.execute(insert(ROUND_SEATS), list(_seat_rows(number, len(before), one)))


def _present(found: Tournament, absent: dict[int, list[int]], at: int) -> list[int]:
    """The entrants who are drawn in the round `at`."""
    return [
        one.id
        for one in found.entrants.values()
        if one.active and not one.substitute and one.id not in absent.get(at, ())
    ]


def _nearness(found: Tournament, players: Sequence[int]) -> dict[int, int] | None:
    """Each player's place in the standings, from 0; the middle one if he has not played. None before anybody has."""
    order = [one.player for one in found.standings() if one.player in players]
    place = {player: at for at, player in enumerate(order)}
    return {player: place.get(player, len(order) // 2) for player in players} if order else None


def _round(one: DrawnRound) -> Round:
    return Round(
        tuple(tuple(seated.entrant.id for seated in table.seats) for table in one.tables),
        tuple(entrant.id for entrant in one.resting),
    )


def _seat_rows(number: int, at: int, one: Round) -> Iterable[dict[str, int]]:
    for table, players in enumerate((one.resting, *one.tables)):
        for place, entrant in enumerate(players, start=1):
            yield {"tournament": number, "round": at, "entrant": entrant, "number": table, "place": place}


def publish(connection: Connection, club: int, number: int, at: int) -> None:
    """Publish the round `at`, which must be the next one, so that everybody sees it. Raises EntryError."""
    found = tournament(connection, club, number)
    if at <= len(found.published):
        raise EntryError("Round {number} is already published.", 409, number=at)
    nxt = next((one for one in found.rounds if not one.published), None)
    if nxt is None or nxt.number != at:
        raise EntryError("Draw the rounds first.", 409)
    newest = select(func.coalesce(func.max(EVENINGS.c.id), 0)).where(EVENINGS.c.club == club)
    after = connection.execute(newest).scalar_one()
    values = {"published": True, "after": after, "key": secrets.token_urlsafe(12), "published_at": now_s()}
    connection.execute(update(ROUNDS).filter_by(tournament=number, number=at).values(values))


def withdraw(connection: Connection, club: int, number: int, at: int) -> None:
    """Withdraw the round `at`, which must be the newest published one. Raises EntryError once it has begun."""
    found = tournament(connection, club, number).published
    if not found or found[-1].number != at:
        raise EntryError("That is not the newest round. Look at the page again.", 409)
    of_round = (ROUND_EVENINGS.c.tournament == number, ROUND_EVENINGS.c.round == at)
    # A table may say that it began the round before it sends the evening.
    said = select(ROUND_EVENINGS.c.key).outerjoin(EVENINGS, SAID_TO_BE)
    if found[-1].begun or connection.execute(said.where(*of_round, EVENINGS.c.deleted_at.is_(None))).first():
        raise EntryError("This round has begun.", 409)
    connection.execute(delete(ROUND_EVENINGS).where(*of_round))
    own = update(ROUNDS).filter_by(tournament=number, number=at)
    connection.execute(
        own.values(published=False, after=0, key="", published_at=None, ends_at=None, left_s=None)
    )
    connection.execute(delete(RESULTS).filter_by(tournament=number, round=at))


def set_places(connection: Connection, club: int, number: int, places: dict[int, int]) -> None:
    """Set which of the club's card tables each table of the tournament is, by number. Raises EntryError."""
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


def find_places(connection: Connection, club: int, number: int, own: Sequence[CardTable]) -> None:
    """Find a card table among the club's `own`, by the number in its name, for tables of the newest round without."""
    found = tournament(connection, club, number)
    places = dict(found.places)
    for table in found.played.tables if found.played is not None else ():
        called = [one.id for one in own if _digits(one.name) == str(table.number)]
        if table.number not in places and len(called) == 1 and called[0] not in places.values():
            places[table.number] = called[0]
    set_places(connection, club, number, places)


def _digits(name: str) -> str:
    return "".join(letter for letter in name if letter.isdecimal()).lstrip("0")


def find_place_today(connection: Connection, club: int, own: Sequence[CardTable]) -> None:
    """As `find_places`, for the tournament that is played today: a table may join after its round was published."""
    today = connection.execute(tournament_of_today_query(club)).first()
    if today is not None:
        lock(connection, club, today.id)
        find_places(connection, club, today.id, own)


def check_entered(found: Tournament, at: RoundTable, entered: EnteredChips | None) -> DrawnTable:
    """The table of the round that `at` names. Raises EntryError unless its result can be what was `entered`."""
    tables = {(one.number, own.number): own for one in found.published for own in one.tables}
    drawn = tables.get((at.round, at.table))
    if drawn is None:
        raise EntryError("There is no such table in a round that is published.", 404)
    if entered is not None:
        chips = entered.chips
        if chips.keys() != {one.entrant.id for one in drawn.seats}:
            raise EntryError("Enter everybody's chips.")
        if found.rules.compare == "hands" and not entered.hands:
            raise EntryError("Enter how many hands were played: the chips are divided by them.")
        if GAMES[found.game].session.keeps_chips and sum(chips.values()) != 0:
            raise EntryError(
                "The chips of a table sum to 0; these sum to {sum}. Look for a wrong number or a missing minus sign.",
                sum=signed(sum(chips.values())),
            )
    return drawn


def enter_result(
    connection: Connection, at: RoundTable, drawn: DrawnTable, entered: EnteredChips | None
) -> None:
    """Enter what was checked as the result of the table `drawn`; with None the chips of the table's evening count."""
    for one in drawn.seats:
        chips = {
            "chips": entered.chips[one.entrant.id] if entered is not None else None,
            "hands": entered.hands if entered is not None else None,
        }
        own = update(ROUND_SEATS).filter_by(tournament=at.tournament, round=at.round, entrant=one.entrant.id)
        connection.execute(own.values(chips))


def remove(connection: Connection, club: int, number: int) -> None:
    """Delete a tournament, which can be brought back; its evenings stay. Raises EntryError."""
    if not hide(connection, TOURNAMENTS, club, number):
        raise EntryError("There is no such tournament.", 404)
