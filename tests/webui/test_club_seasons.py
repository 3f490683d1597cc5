"""Seasons: the best evenings of each, points for places, and chips that were entered by hand."""

import time
from datetime import date, timedelta
from fractions import Fraction

import pytest
from club_table import Club
from club_visit import Visit, entered, published
from hypothesis import given
from hypothesis import strategies as st

from webui.club.roles import ClubRole
from webui.club.seasons import ClubSeason, place_points, season_standings

FIRST = date(2026, 9, 1)


def counted(
    *evenings: dict[int, int], best: int | None = None, least: int = 1, points: tuple[int, ...] = ()
) -> list[tuple[int | None, int, Fraction]]:
    """Place, person and score after these evenings."""
    season = ClubSeason(1, "Efterår", "danish", FIRST, FIRST, best, least, points)
    days = {FIRST + timedelta(days=day): chips for day, chips in enumerate(evenings)}
    names = {person: f"Spiller {person}" for chips in evenings for person in chips}
    return [(one.rank, one.person, one.score) for one in season_standings(days, season, names)]


def test_the_best_evenings_of_each_count() -> None:
    evenings = ({1: 50, 2: -50}, {1: -80, 2: 80}, {1: 10, 2: -10})
    assert counted(*evenings) == [(1, 2, 20), (2, 1, -20)]
    assert counted(*evenings, best=2) == [(1, 2, 70), (2, 1, 60)]
    assert counted(*evenings, best=1) == [(1, 2, 80), (2, 1, 50)]


def test_who_played_too_few_evenings_stands_apart() -> None:
    evenings = ({1: 50, 2: -50}, {2: 80, 3: -80}, {2: -10, 3: 10})
    assert counted(*evenings, least=2) == [(1, 2, 20), (2, 3, -70), (None, 1, 50)]


def test_points_for_places_are_shared_by_those_alike() -> None:
    assert place_points({1: 50, 2: 10, 3: 10, 4: -70}, (10, 6, 3)) == {
        1: 10, 2: Fraction(9, 2), 3: Fraction(9, 2), 4: 0,
    }  # fmt: skip


def test_equal_scores_are_decided_by_the_better_best_evening() -> None:
    assert counted({1: 30, 2: 20}, {1: 0, 2: 10}) == [(1, 1, 30), (2, 2, 30)]
    assert [rank for rank, _, _ in counted({1: 30, 2: 30})] == [1, 1]


@given(
    st.lists(st.dictionaries(st.integers(1, 5), st.integers(-99, 99), min_size=1), max_size=6),
    st.none() | st.integers(1, 4),
    st.integers(1, 3),
)
def test_a_place_follows_from_the_best_evenings_alone(
    evenings: list[dict[int, int]], best: int | None, least: int
) -> None:
    found = counted(*evenings, best=best, least=least)
    for rank, person, score in found:
        own = sorted((chips[person] for chips in evenings if person in chips), reverse=True)
        assert score == sum(own[:best]) and (rank is None) == (len(own) < least)
    ranked = [(rank, score) for rank, _, score in found if rank is not None]
    assert ranked == sorted(ranked, key=lambda one: (one[0], -one[1]))


def test_chips_entered_by_hand_count_for_persons_and_the_page_says_how(club: Club) -> None:
    host, player = published(club, rounds=1), Visit(club, ClubRole.PLAYER)
    chips = entered(host, club, 1, 1)
    best = host.drawn(1)[0][0]
    day = time.strftime("%Y-%m-%d")
    asked = {"name": "Efterår", "game": "danish", "since": day, "until": day, "points": "10 8 6", "best": 3}
    assert player.post("/seasons", **asked)[0] == 403
    assert host.post("/seasons", **asked)[0] == 200
    page = player.get("/seasons/1")
    assert f"1 {best} 1 1 10.00" in page and "best 3 evenings count." in page
    assert "points for the places: 10, 8, 6" in page and "Efterår" in player.get("/seasons")
    assert host.post("/seasons", **{**asked, "points": ""})[0] == 200
    table = player.client.get("/seasons/2.csv?lang=en").get_data(as_text=True)
    assert f"1,{best},1,1,{chips[best]}" in table and len(table.splitlines()) == 4
    assert player.client.get("/seasons/2.pdf").get_data().startswith(b"%PDF")
    assert host.post("/seasons/1/delete")[0] == 200 and player.client.get("/seasons/1").status_code == 404


@pytest.mark.parametrize(
    "changes", [{"until": "2026-01-01"}, {"best": "no"}, {"points": "10 x"}, {"name": ""}, {"game": "whist"}]
)
def test_what_is_no_season_is_refused(changes: dict[str, str], small: Club) -> None:
    asked = {"name": "Efterår", "game": "danish", "since": "2026-09-01", "until": "2026-12-31"}
    assert Visit(small, ClubRole.ADMIN).post("/seasons", **asked | changes)[0] == 400
