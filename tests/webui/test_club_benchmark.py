"""The club's benchmark, on few tables and few evenings."""

import re

import pytest

from webui.cli import main
from webui.club.members import club_called
from webui.club.schema import open_database
from webui.errors import UserError

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("words", [("club", "load"), ("club", "pages"), ("tournament",)])
def test_a_database_in_which_a_club_is_kept_stays_as_it_is(
    words: tuple[str, ...], database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = open_database(database_url)
    club_called(engine, "Lauget")
    assert main(["bench", *words, "--db", database_url]) == 2
    assert capsys.readouterr().err == "tarok: --db: a club is kept there; give an empty database\n"
    with pytest.raises(UserError):  # no other club was made there
        club_called(engine, "Klub 0", new=False)


def test_tables_of_two_clubs_are_served(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--tables", "21", "--seconds", "1", "--burst-seconds", "0", "--db", database_url]
    assert main(["bench", "club", "load", *words]) == 0
    assert "0 requests failed" in capsys.readouterr().out


def test_what_a_few_tables_send_is_acknowledged_and_stored(
    postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--tables", "3", "--seconds", "2", "--burst-seconds", "2", "--db", postgres_url]
    assert main(["bench", "club", "load", *words]) == 0
    said = capsys.readouterr().out
    assert said.count("0 requests failed") == 2 and re.search(r"the wall +\d+ times, p50", said)
    counts = re.search(r"the database has (\d+) events; (\d+) were acknowledged", said)
    assert counts is not None and int(counts[1]) == int(counts[2]) > 0


def test_each_pages_query_is_timed_beside_its_plan(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "club", "pages", "--events", "5000", "--clubs", "2", "--db", database_url]) == 0
    said = capsys.readouterr().out
    for page in (
        "wall",
        "flags",
        "people",
        "person",
        "ledger, a year",
        "ledger, all years",
        "evenings",
        "its evenings",
    ):
        assert re.search(rf"^{page} +20 times, p50 \d+ ms", said, re.M)
    assert re.search("Scan|SCAN|SEARCH", said)


def test_a_tournaments_standings_are_those_of_a_second_reckoning(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--players", "10", "--rounds", "3", "--hands", "1", "--db", database_url]
    assert main(["bench", "tournament", *words]) == 0
    said = capsys.readouterr().out
    # Who leaves a table of four is not replaced, so the draw says whether a reserve stands there, too.
    assert re.search(r"^1[01] stand in the standings; 0 differ from the second reckoning\.$", said, re.M)
    for what in ("comes late and sits down", "sits in for", "leaves for good", "by hand", "was killed"):
        assert what in said
    assert "sum to 0" in said and said.count("\n") == 10


def test_what_differs_from_the_tables_files_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    from fractions import Fraction

    from webui.bench.tournament import told_differences

    club = {"Anna": (1, 30, Fraction(3), Fraction(5)), "Bo": (2, -30, Fraction(0), Fraction(-5))}
    assert told_differences(club, club) == 0
    assert told_differences(club | {"Bo": (2, -29, Fraction(0), Fraction(-5))}, club) == 1
    assert told_differences({"Anna": club["Anna"]}, club) == 1
    assert capsys.readouterr().out.count("Bo: the club has") == 2
