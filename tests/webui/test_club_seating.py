"""Seating and standings of a tournament: everybody sits once a round, few meet twice, dealing is even."""

import itertools
import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webui.cli import main
from webui.club.plan import seats_allowed
from webui.club.seating import Round, SeatingError, least_repeats, measured, seat, table_sizes
from webui.club.standings import table_points


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (3, (3,)),
        (4, (4,)),
        (5, (5,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (9, (5, 4)),
        (11, (4, 4, 3)),
        (13, (5, 4, 4)),
        (24, (4,) * 6),
    ],
)
def test_the_sizes_are_as_near_to_four_as_can_be(players: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players) == sizes


def test_where_a_game_is_for_four_some_rest() -> None:
    assert table_sizes(7, allowed=(4,)) == (4,)
    plan = seat(range(7), 7, allowed=(4,), effort=20_000)
    rests = [sum(player in one.resting for one in plan) for player in range(7)]
    assert set(rests) == {3}


@pytest.mark.parametrize("players", [0, 1, 2])
def test_too_few_are_told(players: int) -> None:
    with pytest.raises(SeatingError, match="too few"):
        seat(range(players), 3)


@given(st.integers(3, 23), st.integers(0, 6), st.integers(3, 5), st.integers(0, 9))
def test_everybody_sits_once_in_each_round(players: int, rounds: int, preferred: int, seed: int) -> None:
    people = [100 + 7 * number for number in range(players)]
    plan = seat(people, rounds, preferred=preferred, seed=seed, effort=300)
    assert len(plan) == rounds
    for one in plan:
        assert sorted([*itertools.chain(*one.tables), *one.resting]) == people
        assert tuple(sorted(map(len, one.tables))) == tuple(sorted(table_sizes(players, preferred)))
    assert measured(plan).repeats >= least_repeats(plan)


# What is known to be possible without any meeting twice: the social golfer problem.
@pytest.mark.parametrize(
    ("players", "rounds", "size"),
    [
        (9, 4, 3),
        (16, 5, 4),
        (20, 5, 4),
        (24, 5, 4),
        (25, 6, 5),
        (28, 7, 4),
        (32, 9, 4),
        (49, 7, 4),
        (64, 9, 4),
    ],
)
def test_nobody_meets_twice_where_that_is_known_to_be_possible(players: int, rounds: int, size: int) -> None:
    found = measured(seat(range(players), rounds, preferred=size))
    assert (found.repeats, found.twice) == (0, 0)
    assert found.deals[1] - found.deals[0] <= 1


def test_the_bound_counts_the_meetings_that_cannot_be_with_somebody_new() -> None:
    # Four at one table for three rounds: each of the 6 pairs meets three times.
    plan = [Round(((0, 1, 2, 3),))] * 3
    assert (measured(plan).repeats, least_repeats(plan)) == (18, 18)


def test_the_same_seed_gives_the_same_plan() -> None:
    assert seat(range(11), 4, seed=5, effort=2000) == seat(range(11), 4, seed=5, effort=2000)


def test_late_comers_and_leavers_are_seated_by_what_was_played() -> None:
    """Two leave and three come after two rounds; who has met does not meet again where that can be helped."""
    before = seat(range(16), 2, effort=20_000)
    people = [*range(2, 16), 20, 21]
    after = seat(people, 2, played=before, effort=60_000)
    assert {player for one in after for table in one.tables for player in table} == set(people)
    assert measured([*before, *after]).repeats == 0


def test_a_draw_says_its_measure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["club", "seating", "--players", "12", "--rounds", "3", "--effort", "50000"]) == 0
    said = capsys.readouterr().out
    assert said.count("Round") == 3 and "\nRepeats: " in said and "meet more than once: " in said


def test_a_draw_that_cannot_be_is_told_in_one_line(refused: Callable[..., str]) -> None:
    refused("club", "seating", "--players", "2", "--rounds", "3")


def test_a_plan_is_kept_gone_on_with_and_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After two rounds Anna leaves, and Åse and Bent come."""
    from pypdf import PdfReader

    names, plan, lists = tmp_path / "names.txt", tmp_path / "plan.json", tmp_path / "lists.pdf"
    people = ["Anna", *(f"Spiller {number}" for number in range(2, 13))]
    names.write_text("\n".join(people), encoding="utf-8")
    draw = ["club", "seating", "--names", str(names), "--effort", "3000", "--out", str(plan)]
    assert main([*draw, "--rounds", "4"]) == 0
    begun = json.loads(plan.read_text(encoding="utf-8"))["rounds"]
    names.write_text("\n".join([*people[1:], "Åse", "Bent"]), encoding="utf-8")
    assert main([*draw, "--rounds", "2", "--played", str(plan), "--keep", "2", "--pdf", str(lists)]) == 0
    rounds = json.loads(plan.read_text(encoding="utf-8"))["rounds"]
    assert rounds[:2] == begun[:2] and len(rounds) == 4
    for one in rounds[2:]:
        assert sorted(itertools.chain(*one["tables"], one["resting"])) == sorted([*people[1:], "Åse", "Bent"])
    pages = [page.extract_text() for page in PdfReader(lists).pages]
    assert len(pages) == 3 and "Runde 3" in pages[0] and "Åse" in pages[2] and "Anna" not in "".join(pages)
    table = tmp_path / "plan.csv"
    assert main([*draw[:-1], str(table), "--rounds", "1"]) == 0
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1 + 13


@given(st.integers(6, 24), st.integers(0, 99))
def test_a_draw_by_standing_seats_everybody_and_repeats_no_more_than_it_must(players: int, seed: int) -> None:
    first = seat(range(players), 1, seed=seed, effort=300)
    place = dict(zip(random.Random(seed).sample(range(players), players), range(players), strict=True))
    drawn = seat(range(players), 1, played=first, seed=seed, effort=4000, near=place)
    assert sorted([*itertools.chain(*drawn[0].tables), *drawn[0].resting]) == list(range(players))
    blind = seat(range(players), 1, played=first, seed=seed, effort=4000)
    assert measured([*first, *drawn]).repeats <= measured([*first, *blind]).repeats + 1


def test_similar_standing_meets_where_nobody_met_before() -> None:
    drawn = seat(range(16), 1, near={player: 15 - player for player in range(16)}, effort=20_000)
    met = sorted(sorted(table) for table in drawn[0].tables)
    assert met == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": "tarok-seating/1"}', "\xff"])
def test_what_is_no_plan_is_told_in_one_line(
    content: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_bytes(content.encode("latin-1"))
    refused("club", "seating", "--players", "8", "--rounds", "1", "--played", plan)


def test_how_many_sit_at_a_table_is_the_games_own() -> None:
    assert seats_allowed("dtf-2011") == [3, 4, 5]
    assert 4 in seats_allowed("american-tarock")


# ---- standings ----


def test_table_points_are_shared_by_those_alike_and_alike_at_tables_of_all_sizes() -> None:
    assert table_points({1: 50, 2: 10, 3: -20, 4: -40}) == {1: 3, 2: 2, 3: 1, 4: 0}
    assert table_points({1: 30, 2: 30, 3: -60}) == {1: Fraction(9, 4), 2: Fraction(9, 4), 3: 0}
    assert max(table_points({n: n for n in range(5)}).values()) == 3
