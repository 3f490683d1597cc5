"""The documents of the rules tell the truth about the code and the tests."""

import re
import sys

import pytest
import tracker_rules_table as rules_table
from tracker_table import hand_of


def test_every_rule_has_code_and_a_test_that_shows_it() -> None:
    tests = rules_table.tests()
    for rule in rules_table.RULES:
        if rule not in rules_table.NOT_THE_ENGINES:
            assert rules_table.lines(rule), f"{rule} is named nowhere in the tracker that runs"
            assert tests.get(rule), f"no test is marked with {rule}"
    assert tests.keys() <= set(rules_table.RULES)
    # That each runs its rule's code is seen where they run: conftest.py beside this file.
    assert all(name.startswith("tests/tracker/") for names in tests.values() for name in names)


def test_a_mark_on_a_test_that_does_not_come_to_its_rule_is_noticed() -> None:
    waiting, before = rules_table.Waiting({"PLAY-2", "FOOL-2", "PAY-8"}), sys.gettrace()
    sys.settrace(waiting)
    try:
        hand_of("Anna S7  Bo S2  Carl S3")
    finally:
        sys.settrace(before)
    assert waiting.rules == {"PAY-8"}


@pytest.mark.parametrize("game", rules_table.TABLES)
def test_the_table_is_up_to_date(game: str) -> None:
    assert rules_table.written(game) == rules_table.table(game)


@pytest.mark.parametrize("game", rules_table.TABLES)
def test_the_decisions_name_code_that_exists(game: str) -> None:
    document = rules_table.TABLES[game].document
    text = document.read_text(encoding="utf-8").split("## What we decided")[1].split("## ")[0]
    sources = "\n".join(
        path.read_text(encoding="utf-8") for path in (rules_table.ROOT / "tracker").rglob("*.py")
    )
    for name in re.findall(r"\| `([\w.]+)`(?:, `([\w.]+)`)? \|", text):
        for full in filter(None, name):
            assert re.search(rf"\b{re.escape(full.split('.')[-1])}\b", sources), full
