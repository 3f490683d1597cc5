"""Seasons of a club: its evenings in one game between two days, of which each person's best count.

All settled evenings of a person on one day count as one, tables of a tournament with chips entered by hand included.
What counts are its chips, or points for the place among all who played on that day.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from webui.club.results import day_bounds, still_there
from webui.club.schema import EVENINGS, PEOPLE, ROUNDS, SEASONS, SEAT_ROWS, TOURNAMENTS
from webui.club.tournament import tournament
from webui.errors import EntryError
from webui.texts import by_name


@dataclass(frozen=True)
class ClubSeason:
    """A season: its first and last day, and what counts.

    The `best` evenings of each person count (None: all). Those with fewer evenings than `least` stand apart. `points`
    are those for the places of an evening, the first place first; with () chips count.
    """

    id: int
    name: str
    game: str
    since: date
    until: date
    best: int | None
    least: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class InSeason:
    """A person's place in a season. `rank` is from 1, equal for equal scores, None for somebody who stands apart.

    `counted` are the evenings that count, the best first, of the `evenings` that he played.
    """

    rank: int | None
    person: int
    name: str
    evenings: int
    counted: tuple[Fraction, ...]

    @property
    def score(self) -> Fraction:
        """The sum of the evenings that count."""
        return sum(self.counted, Fraction(0))


def club_seasons(connection: Connection, club: int) -> list[ClubSeason]:
    """The club's seasons, the newest first."""
    asked = select(SEASONS).where(SEASONS.c.club == club)
    newest_first = asked.order_by(SEASONS.c.until.desc(), SEASONS.c.id.desc())
    return [_season(row) for row in connection.execute(newest_first)]


def make_season(connection: Connection, club: int, season: ClubSeason) -> int:
    """Keep a new season, and return its number; `season.id` is ignored."""
    values = {
        "club": club,
        "name": season.name,
        "game": season.game,
        "since": season.since.isoformat(),
        "until": season.until.isoformat(),
        "best": season.best,
        "least": season.least,
        "points": " ".join(map(str, season.points)),
    }
    return int(connection.execute(insert(SEASONS).returning(SEASONS.c.id), values).scalar_one())


def season_called(connection: Connection, club: int, number: int) -> ClubSeason:
    """The club's season with this number. Raises EntryError."""
    asked = select(SEASONS).where(SEASONS.c.club == club, SEASONS.c.id == number)
    row = connection.execute(asked).one_or_none()
    if row is None:
        raise EntryError("There is no such season.", 404)
    return _season(row)


def _season(row: Any) -> ClubSeason:
    points = tuple(map(int, row.points.split()))
    since, until = date.fromisoformat(row.since), date.fromisoformat(row.until)
    return ClubSeason(row.id, row.name, row.game, since, until, row.best, row.least, points)


def remove_season(connection: Connection, club: int, number: int) -> None:
    """Delete a season; its evenings stay."""
    connection.execute(delete(SEASONS).where(SEASONS.c.club == club, SEASONS.c.id == number))


def evenings_of_season(connection: Connection, club: int, season: ClubSeason) -> dict[date, dict[int, int]]:
    """Everybody's chips on each day of the season, by person."""
    start, end = day_bounds(season.since, season.until)
    found: dict[date, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    entered: set[int] = set()
    asked = (
        select(TOURNAMENTS.c.id, ROUNDS.c.number, ROUNDS.c.published_at)
        .join(ROUNDS, ROUNDS.c.tournament == TOURNAMENTS.c.id)
        .where(
            still_there(TOURNAMENTS, club),
            TOURNAMENTS.c.game == season.game,
            ROUNDS.c.published,
            ROUNDS.c.published_at >= start,
            ROUNDS.c.published_at < end,
        )
    )
    rounds: dict[int, dict[int, float]] = defaultdict(dict)
    for number, at, published_at in connection.execute(asked):
        rounds[number][at] = published_at
    for number, days in rounds.items():
        for one in tournament(connection, club, number).published:
            for table in one.tables:
                if one.number not in days or table.chips is None or not table.seats[0].entered:
                    continue
                if table.evening is not None and not table.strangers:
                    entered.add(table.evening)  # the chips entered by hand replace those of the evening
                day = datetime.fromtimestamp(days[one.number]).date()
                for seated in table.seats:
                    found[day][seated.entrant.person] += seated.chips or 0
    rows = (
        select(EVENINGS.c.id, EVENINGS.c.opened_at, SEAT_ROWS.c.person, SEAT_ROWS.c.chips)
        .join(SEAT_ROWS, SEAT_ROWS.c.evening == EVENINGS.c.id)
        .where(
            still_there(EVENINGS, club),
            EVENINGS.c.game == season.game,
            EVENINGS.c.closed,
            EVENINGS.c.opened_at >= start,
            EVENINGS.c.opened_at < end,
        )
    )
    for evening, opened_at, person, chips in connection.execute(rows):
        if evening not in entered:
            found[datetime.fromtimestamp(opened_at).date()][person] += chips
    return {day: dict(chips) for day, chips in sorted(found.items())}


def place_points(chips: Mapping[int, int], points: Sequence[int]) -> dict[int, Fraction]:
    """Everybody's points for an evening, by his `chips`: `points` are those for the first places, others give 0.

    Players with equal chips share the points of their places.
    """
    found = {}
    for person, own in chips.items():
        better = sum(1 for other in chips.values() if other > own)
        alike = sum(1 for other in chips.values() if other == own)
        found[person] = Fraction(sum(points[better : better + alike]), alike)
    return found


def season_standings(
    evenings: Mapping[date, Mapping[int, int]], season: ClubSeason, names: Mapping[int, str]
) -> list[InSeason]:
    """The places after these `evenings`, the best first, and then those who stand apart, with too few evenings.

    Between equal scores the better best evening decides, then the second best, and so on.
    """
    values: dict[int, list[Fraction]] = defaultdict(list)
    for chips in evenings.values():
        own = place_points(chips, season.points) if season.points else chips
        for person, value in own.items():
            values[person].append(Fraction(value))
    counted = {person: tuple(sorted(own, reverse=True)[: season.best]) for person, own in values.items()}
    worth = {person: (sum(own, Fraction(0)), own) for person, own in counted.items()}
    ranked = [person for person, own in values.items() if len(own) >= season.least]
    found = [
        InSeason(
            1 + sum(worth[other] > worth[person] for other in ranked) if person in ranked else None,
            person,
            names[person],
            len(values[person]),
            counted[person],
        )
        for person in values
    ]
    return sorted(found, key=lambda one: (one.rank is None, one.rank or 0, -one.score, by_name(one.name)))


def standings_of_season(connection: Connection, club: int, season: ClubSeason) -> list[InSeason]:
    """The places in a season of the club now."""
    asked = select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.club == club)
    names = {person: name for person, name in connection.execute(asked)}
    return season_standings(evenings_of_season(connection, club, season), season, names)
