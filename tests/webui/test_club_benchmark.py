"""The club's benchmark, on few tables and few evenings."""

import re

import pytest

pytest.importorskip("sqlalchemy", reason="the club extra is not installed")
pytest.importorskip("alembic", reason="the club extra is not installed")

from webui.cli import main


def test_what_a_few_tables_send_is_acknowledged_and_stored(
    postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--tables", "3", "--seconds", "5", "--burst-seconds", "5", "--db", postgres_url]
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
