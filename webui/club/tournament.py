"""Tournaments at the club: who takes part, who sits where in each round, and what came of it.

A round is drawn, then published. The tournament's tables are card tables that report to the club. Of a table the
evening counts that it began for the round, or that the host named, or else its first evening after the round was
published. The players who were drawn must sit there. A correction at the table follows by itself. Chips that were
entered here replace those of the evening.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, and_, func, select

from tracker.games import GAMES
from webui.club.plan import seats_allowed
from webui.club.results import Query, still_there
from webui.club.schema import (
    ABSENCES,
    ADJUSTMENTS,
    ENTRANTS,
    EVENINGS,
    PEOPLE,
    PLACES,
    ROUND_EVENINGS,
    ROUND_SEATS,
    ROUNDS,
    SEAT_ROWS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
    now_s,
)
from webui.club.standings import AdjustedBy, Ranked, TableResult, standings
from webui.club.tournament_rules import Compared, TournamentRules
from webui.errors import EntryError
from webui.kept_file import value_in_json
from webui.texts import by_name

_TODAY_S: Final = 12 * 3600
"""Age in s of a tournament's newest round up to which the tournament is played today."""


@dataclass(frozen=True)
class Entrant:
    """Somebody who takes part: his number as a `person`, and whether he is still there. A `substitute` is not drawn."""

    id: int
    person: int
    name: str
    active: bool
    substitute: bool


class RoundTable(NamedTuple):
    """A table of a tournament's round, by the numbers of all three."""

    tournament: int
    round: int
    table: int

    @property
    def columns(self) -> dict[str, int]:
        """The columns by which the database knows it."""
        return {"tournament": self.tournament, "round": self.round, "number": self.table}


@dataclass(frozen=True)
class EnteredChips:
    """What was entered by hand: everybody's `chips` by entrant, after so many `hands`, None if nobody said how many."""

    chips: dict[int, int]
    hands: int | None


@dataclass(frozen=True)
class Adjustment:
    """Chips and table points that an `entrant` was given in a round (below 0: that were taken), and the `reason`."""

    id: int
    round: int
    entrant: int
    chips: int
    points: int
    reason: str


@dataclass(frozen=True)
class Seated:
    """An entrant at a table, with his chips at the end, None before that. `entered`: they were entered by hand.

    He was active in so many `hands`; of a result entered by hand that is his share of the table's hands, 0 if nobody
    said their number. He `stands_for` the entrant with that number; None in his own place.
    """

    entrant: Entrant
    chips: int | None
    entered: bool
    hands: Fraction
    stands_for: int | None


@dataclass(frozen=True)
class DrawnTable:
    """A table of a round: its `number`, the club's card table (`place`), and the `evening` that is played there.

    `strangers`: other players sit there than were drawn, so the evening does not count. `differs`: the evening was
    settled with other chips than were entered by hand.
    """

    number: int
    place: str
    seats: tuple[Seated, ...]
    evening: int | None
    strangers: bool
    differs: bool

    @property
    def chips(self) -> dict[int, int] | None:
        """Everybody's chips, by the entrant's number; None before all are known."""
        found = {one.entrant.id: one.chips for one in self.seats if one.chips is not None}
        return found if len(found) == len(self.seats) else None

    @property
    def under_way(self) -> bool:
        """Whether the players who were drawn sit there, and the evening is not over."""
        return self.evening is not None and not self.strangers and self.chips is None


@dataclass(frozen=True)
class DrawnRound:
    """A round with its tables, those drawn to rest, and those who are `away`. Others came later."""

    number: int
    published: bool
    tables: tuple[DrawnTable, ...]
    resting: tuple[Entrant, ...]
    away: tuple[Entrant, ...]

    @property
    def over(self) -> bool:
        """Whether all chips are known."""
        return self.published and all(table.chips is not None for table in self.tables)

    def table_of(self, entrant: int) -> DrawnTable | None:
        """The table at which the entrant sits, if any."""
        return next(
            (one for one in self.tables if any(seated.entrant.id == entrant for seated in one.seats)), None
        )

    @property
    def begun(self) -> bool:
        """Whether anything of the round was played or entered."""
        return any(
            (table.evening is not None and not table.strangers) or table.chips for table in self.tables
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament as it stands. `absent` has the entrants who miss a round, by the round's number."""

    id: int
    name: str
    game: str
    size: int
    planned: int
    rules: TournamentRules
    entrants: dict[int, Entrant]
    places: dict[int, int]
    rounds: tuple[DrawnRound, ...]
    absent: dict[int, list[int]]
    adjustments: tuple[Adjustment, ...]

    @property
    def published(self) -> list[DrawnRound]:
        """The rounds that everybody sees."""
        return [one for one in self.rounds if one.published]

    def entrant(self, number: int) -> Entrant:
        """The entrant with this number. Raises EntryError."""
        if number not in self.entrants:
            raise EntryError("There is no such player.", 404)
        return self.entrants[number]

    @property
    def played(self) -> DrawnRound | None:
        """The round that is played, or was played last: the newest published one, even while a table is late."""
        return self.published[-1] if self.published else None

    @property
    def late(self) -> list[DrawnRound]:
        """The rounds before the one that is played of which not all chips are known."""
        return [one for one in self.published[:-1] if not one.over]

    @property
    def over(self) -> bool:
        """Whether all rounds that were planned are over."""
        return len(self.published) >= self.planned and all(one.over for one in self.published)

    def standings(self, by: Compared | None = None) -> list[Ranked]:
        """The places after all tables whose chips are known, ranked `by` (None: as the rules say).

        A `player` is an entrant's number. Equal players stand in the order of their names.
        """
        rules = self.rules
        tables: list[Mapping[int, TableResult]] = []
        credited: list[int] = []
        adjusted: list[AdjustedBy] = []
        for one in self.published:
            scored: set[int] = set()
            for table in one.tables:
                if table.chips is not None:
                    tables.append(self._results(table))
                    scored |= tables[-1].keys()
                    adjusted += self._adjusted(one.number, table, tables[-1])
            if not one.over:
                continue
            resting = {entrant.id for entrant in one.resting}
            missed = {entrant.id for entrant in self.entrants.values() if entrant.active} - scored - resting
            credited += resting if rules.rest == "average" else ()
            credited += (
                (player for player in missed if not self.entrants[player].substitute)
                if rules.away == "average"
                else ()
            )
        gone = [entrant.id for entrant in self.entrants.values() if not entrant.active]
        apart = gone if rules.left == "apart" else ()
        by = by or rules.compare
        return standings(
            tables, by=by, credited=credited, apart=apart, adjusted=adjusted, listed=self.entrants
        )

    def _adjusted(self, at: int, table: DrawnTable, results: Mapping[int, TableResult]) -> list[AdjustedBy]:
        """The adjustments for the players of a `table` of the round `at`; `results` are theirs at that table."""
        for_whom = {one.entrant.id: self._for_whom(one) for one in table.seats}
        return [
            AdjustedBy(player, one.chips, results[player].hands, one.points)
            for one in self.adjustments
            if one.round == at and (player := for_whom.get(one.entrant)) is not None
        ]

    def _results(self, table: DrawnTable) -> Mapping[int, TableResult]:
        """Everybody's result at a table, by the entrant for whom it counts."""
        found: dict[int, TableResult] = {}
        for one in table.seats:
            assert one.chips is not None
            player = self._for_whom(one)
            before = found.get(player, TableResult(0, Fraction(0)))
            # Who only sat out may have a share of the pots. It counts as of one hand.
            hands = one.hands if one.entered else max(one.hands, Fraction(1))
            found[player] = TableResult(before.chips + one.chips, before.hands + hands)
        return found

    def _for_whom(self, seated: Seated) -> int:
        """The entrant for whom the result of `seated` counts."""
        if self.rules.substitute == "absent" and seated.stands_for is not None:
            return seated.stands_for
        return seated.entrant.id


def sizes_of(game: str) -> list[int]:
    """The numbers of players with whom a tournament's table can play this game, by any of its rules."""
    allowed = {size for rules in GAMES[game].session.rule_sets for size in seats_allowed(rules)}
    return [size for size in sorted(allowed) if 3 <= size <= 5]


def active_share(game: str, seats: int) -> Fraction:
    """The share of a table's hands in which each of `seats` players is active, since all sit out equally often."""
    session = GAMES[game].session
    rules = next(iter(session.rule_sets.values()))
    fewest, most = session.players[0], session.most_players(rules)
    return Fraction(min(session.cards_in_trick(rules, min(max(seats, fewest), most)), seats), seats)


# ---- reading ----


def tournaments_query(club: int) -> Query:
    """The club's tournaments, newest first."""
    return (
        select(TOURNAMENTS.c.id, TOURNAMENTS.c.name, TOURNAMENTS.c.game, TOURNAMENTS.c.made_at)
        .where(still_there(TOURNAMENTS, club))
        .order_by(TOURNAMENTS.c.id.desc())
    )


def tournament_of_today_query(club: int) -> Query:
    """The club's tournament with the newest published round, if that is not long ago."""
    return (
        select(TOURNAMENTS.c.id, TOURNAMENTS.c.name)
        .join(ROUNDS, ROUNDS.c.tournament == TOURNAMENTS.c.id)
        .where(still_there(TOURNAMENTS, club), ROUNDS.c.published, ROUNDS.c.published_at > now_s() - _TODAY_S)
        .order_by(ROUNDS.c.published_at.desc())
        .limit(1)
    )


def entrants_query(number: int) -> Query:
    """Who takes part in a tournament, or did."""
    return (
        select(ENTRANTS.c.id, ENTRANTS.c.person, PEOPLE.c.name, ENTRANTS.c.active, ENTRANTS.c.substitute)
        .join(PEOPLE, PEOPLE.c.id == ENTRANTS.c.person)
        .where(ENTRANTS.c.tournament == number)
    )


def round_seats_query(number: int) -> Query:
    """Who was drawn where in a tournament."""
    return (
        select(ROUND_SEATS)
        .where(ROUND_SEATS.c.tournament == number)
        .order_by(ROUND_SEATS.c.round, ROUND_SEATS.c.number, ROUND_SEATS.c.place)
    )


_SAT: Final = (
    EVENINGS.c.id,
    EVENINGS.c.place,
    EVENINGS.c.closed,
    SEAT_ROWS.c.person,
    SEAT_ROWS.c.chips,
    SEAT_ROWS.c.hands,
)
"""Columns: who sat in an evening, and his result."""
SAID_TO_BE: Final = and_(ROUND_EVENINGS.c.place == EVENINGS.c.place, ROUND_EVENINGS.c.key == EVENINGS.c.key)
"""The condition for an evening that somebody said to be a table of a round."""


def begun_query(number: int) -> Query:
    """The evenings that are said to be tables of the tournament, and who sat there."""
    return (
        select(*_SAT, ROUND_EVENINGS.c.round, ROUND_EVENINGS.c.number)
        .join(ROUND_EVENINGS, SAID_TO_BE)
        .join(SEAT_ROWS, SEAT_ROWS.c.evening == EVENINGS.c.id)
        .where(ROUND_EVENINGS.c.tournament == number, EVENINGS.c.deleted_at.is_(None))
        .order_by(EVENINGS.c.id)
    )


def played_query(number: int, game: str) -> Query:
    """The other evenings at the tournament's tables since its first round was published, and who sat there."""
    first = select(func.min(ROUNDS.c.after)).where(ROUNDS.c.tournament == number, ROUNDS.c.published)
    return (
        select(*_SAT)
        .join(TOURNAMENT_TABLES, TOURNAMENT_TABLES.c.place == EVENINGS.c.place)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == TOURNAMENT_TABLES.c.tournament)
        .join(SEAT_ROWS, SEAT_ROWS.c.evening == EVENINGS.c.id)
        .outerjoin(ROUND_EVENINGS, SAID_TO_BE)
        .where(
            ROUND_EVENINGS.c.key.is_(None),
            TOURNAMENTS.c.id == number,
            EVENINGS.c.club == TOURNAMENTS.c.club,
            EVENINGS.c.deleted_at.is_(None),
            EVENINGS.c.id > first.scalar_subquery(),
            EVENINGS.c.game == game,
        )
        .order_by(EVENINGS.c.id)
    )


@dataclass(frozen=True)
class _Played:
    """An evening at one of the tournament's tables, with everybody's result, by person.

    `of` are the round and the table that it is said to be; None if nobody said so.
    """

    id: int
    place: int
    closed: bool
    results: dict[int, TableResult]
    of: tuple[int, int] | None


def tournament(connection: Connection, club: int, number: int) -> Tournament:
    """The club's tournament with this number. Raises EntryError."""
    asked = select(TOURNAMENTS).filter_by(club=club, id=number, deleted_at=None)
    row = connection.execute(asked).one_or_none()
    if row is None:
        raise EntryError("There is no such tournament.", 404)
    listed = sorted(connection.execute(entrants_query(number)), key=lambda row: by_name(row.name))
    entrants = {row.id: Entrant(*row) for row in listed}
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
    absent = absences(connection, number)
    for one in drawn:
        own = [place for place in seats if place.round == one.number]
        tables = []
        for at in sorted({place.number for place in own} - {0}):
            here = [place for place in own if place.number == at]
            share = active_share(row.game, len(here))
            tables.append(_table(at, here, entrants, places, one, unused, after.get(one.number + 1), share))
        resting = tuple(entrants[place.entrant] for place in own if place.number == 0)
        away = tuple(entrants[entrant] for entrant in absent.get(one.number, ()))
        rounds.append(DrawnRound(one.number, one.published, tuple(tables), resting, away))
    return Tournament(
        number,
        row.name,
        row.game,
        row.size,
        row.rounds,
        value_in_json(row.choices, TournamentRules),
        entrants,
        {table: place for table, (place, _) in places.items()},
        tuple(rounds),
        absent,
        _adjustments(connection, number),
    )


def _adjustments(connection: Connection, number: int) -> tuple[Adjustment, ...]:
    """The adjustments of a tournament, round by round."""
    columns = [ADJUSTMENTS.c[field.name] for field in fields(Adjustment)]
    asked = select(*columns).where(ADJUSTMENTS.c.tournament == number)
    rows = connection.execute(asked.order_by(ADJUSTMENTS.c.round, ADJUSTMENTS.c.id))
    return tuple(Adjustment(*row) for row in rows)


def absences(connection: Connection, number: int) -> dict[int, list[int]]:
    """The entrants who miss a round, by the round's number."""
    found: dict[int, list[int]] = {}
    asked = select(ABSENCES.c.round, ABSENCES.c.entrant).where(ABSENCES.c.tournament == number)
    for at, entrant in connection.execute(asked.order_by(ABSENCES.c.round, ABSENCES.c.entrant)):
        found.setdefault(at, []).append(entrant)
    return found


def _played(connection: Connection, number: int, game: str) -> list[_Played]:
    found: dict[int, _Played] = {}
    rows: list[Any] = [(*row, None, None) for row in connection.execute(played_query(number, game))]
    rows += connection.execute(begun_query(number))
    for evening, place, closed, person, chips, hands, at, table in rows:
        of = None if at is None else (at, table)
        one = found.setdefault(evening, _Played(evening, place, closed, {}, of))
        one.results[person] = TableResult(chips, Fraction(hands))
    # An evening that was opened by mistake, and settled before a hand was played, does not count.
    return [
        one
        for one in found.values()
        if not one.closed or any(result.hands for result in one.results.values())
    ]


def _table(
    number: int,
    seats: Sequence[Any],
    entrants: dict[int, Entrant],
    places: dict[int, tuple[int, str]],
    drawn: Any,
    unused: list[_Played],
    until: int | None,
    share: Fraction,
) -> DrawnTable:
    """A table of the round `drawn`. Its own evening is taken out of `unused`.

    The next round's evenings have numbers above `until`; None if that round is not published. `share` is the share of
    the table's hands in which each player is active.
    """
    place, name = places.get(number, (None, ""))
    people = {entrants[one.entrant].person for one in seats}
    said = [one for one in unused if one.of == (drawn.number, number)] if drawn.published else []
    here = [
        one
        for one in unused
        if drawn.published and one.of is None and one.place == place and one.id > drawn.after
    ]
    here = said[-1:] or here
    own = next((one for one in here if one.results.keys() == people), None)
    if own is not None:
        unused.remove(own)
    others = [one for one in here if said or until is None or one.id <= until]
    other = others[0] if own is None and others else None
    found = []
    for one in seats:
        entrant = entrants[one.entrant]
        if one.chips is not None:
            hands = share * (one.hands or 0)
            found.append(Seated(entrant, one.chips, True, hands, one.stands_for))
            continue
        result = own.results[entrant.person] if own is not None else TableResult(0, Fraction(0))
        chips = result.chips if own is not None and own.closed else None
        found.append(Seated(entrant, chips, False, result.hands, one.stands_for))
    entered = {entrants[one.entrant].person: one.chips for one in seats if one.chips is not None}
    settled = own.results if own is not None and own.closed else {}
    differs = any(result.chips != entered.get(person, result.chips) for person, result in settled.items())
    evening = own or other
    return DrawnTable(
        number, name, tuple(found), evening.id if evening is not None else None, other is not None, differs
    )
