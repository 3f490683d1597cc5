"""Standings of a tournament: what ranks, what decides between equals, rests, and who stands apart."""

import itertools
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from webui.club.standings import Ranked, TableResult, standings
from webui.club.tournament import active_share


def table(hands: int = 6, **chips: int) -> dict[int, TableResult]:
    """A table of players a, b, … (numbers 1, 2, …), all active in so many hands."""
    return {"abcdefgh".index(name) + 1: TableResult(own, Fraction(hands)) for name, own in chips.items()}


def order(found: list[Ranked]) -> str:
    return " ".join(f"{one.rank or '-'}{'?abcdefgh'[one.player]}" for one in found)


def test_what_ranks_is_chosen() -> None:
    tables = [table(10, a=100, b=-10, c=-90), table(2, a=-30, b=20, c=10)]
    assert order(standings(tables, by="chips")) == "1a 2b 3c"
    assert order(standings(tables, by="points")) == "1b 2a 3c"
    assert order(standings(tables, by="hands")) == "1b 2c 3a"  # +9, -4, -5 a hand


def test_tables_of_three_four_and_five_are_compared_by_chips_an_active_hand() -> None:
    """15 hands at each table, three active: at a table of five each plays 9 of them, of four 11¼, of three all."""
    shares = [active_share("danish", seats) for seats in (3, 4, 5)]
    assert shares == [1, Fraction(3, 4), Fraction(3, 5)]
    tables = [
        {n: TableResult(60 if n == first else -60 // (len(range(first, last)) - 1), 15 * share)
         for n in range(first, last)}
        for (first, last), share in zip(((1, 4), (4, 8), (8, 13)), shares, strict=True)
    ]  # fmt: skip
    found = standings(tables)
    assert [(one.player, one.score) for one in found[:3]] == [
        (8, Fraction(60, 9)), (4, Fraction(60 * 4, 45)), (1, Fraction(4)),
    ]  # fmt: skip


def test_equal_scores_are_decided_by_table_points_and_then_shared() -> None:
    # a and d have 10 chips each; a came second at his table, d was the best at his.
    tables = [table(a=10, b=20, c=-30), table(d=10, e=0, f=-10)]
    assert order(standings(tables, by="chips")).startswith("1b 2d 3a")
    assert order(standings([table(a=5, b=5, c=-10)])) == "1a 1b 3c"


def test_a_rest_counts_as_the_average_of_the_other_rounds() -> None:
    tables = [table(a=30, b=-10, c=-20), table(a=10, b=0, c=-10), table(b=40, c=-40)]
    found = {one.player: one for one in standings(tables, by="chips", credited=[1])}
    assert (found[1].score, found[1].chips, found[1].rounds, found[1].credited) == (60, 40, 2, 1)
    assert found[2].score == 30 and order(standings(tables, by="chips", credited=[1])) == "1a 2b 3c"


def test_who_has_left_stands_apart_and_takes_nobodys_place() -> None:
    assert order(standings([table(a=30, b=-10, c=-20)], apart=[1])) == "1b 2c -a"


@given(
    st.lists(st.lists(st.integers(-200, 200), min_size=2, max_size=4), max_size=8),
    st.integers(1, 40),
    st.lists(st.integers(1, 5)),
    st.sets(st.integers(1, 5)),
)
def test_chips_sum_to_nothing_and_places_follow_the_scores(
    rounds: list[list[int]], hands: int, credited: list[int], apart: set[int]
) -> None:
    tables = [
        {player: TableResult(chips, Fraction(hands)) for player, chips in enumerate([*own, -sum(own)], 1)}
        for own in rounds
    ]
    found = standings(tables, credited=credited, apart=apart)
    assert sum(one.chips for one in found) == 0
    ranked = [one for one in found if one.rank is not None]
    assert {one.player for one in found} - {one.player for one in ranked} == apart & {
        one.player for one in found
    }
    for one in found:
        played = [own[one.player] for own in tables if one.player in own]
        score = sum(Fraction(result.chips, hands) for result in played)
        assert one.score == score + score / len(played) * credited.count(one.player)
    assert [one.rank for one in ranked] == sorted(one.rank or 0 for one in ranked)
    assert all(one.score >= other.score for one, other in itertools.pairwise(ranked))
    for one in ranked:
        assert one.rank == 1 + sum((other.rank or 0) < (one.rank or 0) for other in ranked)
