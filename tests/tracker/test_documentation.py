"""docs/rules.md tells the truth about the code and the tests."""

import re

import tracker_rules_table as rules_table


def test_every_rule_has_code_and_a_test_that_shows_it() -> None:
    code, tests = rules_table.code(), rules_table.tests()
    for rule in rules_table.RULES:
        if rule not in rules_table.NOT_THE_ENGINES:
            assert code[rule], f"{rule} is named nowhere in the tracker"
            assert tests.get(rule), f"no test is marked with {rule}"
    assert tests.keys() <= set(rules_table.RULES)


def test_the_table_is_up_to_date() -> None:
    assert rules_table.written() == rules_table.table()


def test_the_decisions_name_code_that_exists() -> None:
    text = rules_table.DOCUMENT.read_text(encoding="utf-8").split("## What we decided")[1].split("## ")[0]
    sources = "\n".join(
        path.read_text(encoding="utf-8") for path in (rules_table.ROOT / "tracker").rglob("*.py")
    )
    for name in re.findall(r"\| `([\w.]+)`(?:, `([\w.]+)`)? \|", text):
        for full in filter(None, name):
            assert re.search(rf"\b{re.escape(full.split('.')[-1])}\b", sources), full
