"""The table of docs/rules.md: rule id, the code that carries it out, the tests that show it.

python tests/tracker/tracker_rules_table.py        prints the table
python tests/tracker/tracker_rules_table.py PAY-5  lists the tests that show one rule
python tests/tracker/tracker_rules_table.py --write  puts the table into docs/rules.md
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "rules.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
FAMILIES = {
    "CARD": 3,
    "TABLE": 5,
    "DISC": 6,
    "DECL": 5,
    "PLAY": 2,
    "FOOL": 6,
    "ETI": 1,
    "PAY": 10,
    "FINE": 5,
    "REV": 3,
}
RULES = [f"{family}-{number}" for family, last in FAMILIES.items() for number in range(1, last + 1)]
RULES += ["FOOLX", "ORDER", "DECLX", "DISCX"]
# Kept by people and by the page (which hides the pots during a hand), not by the engine.
NOT_THE_ENGINES = {"ETI-1"}


def mentions(rule: str, text: str) -> bool:
    """Whether `text` names the rule, also as part of a range such as DISC-1..3 or "DISC-1 to DISC-4"."""
    if re.search(rf"\b{re.escape(rule)}\b(?! BY)", text):
        return True
    family, _, number = rule.partition("-")
    ranges = re.findall(rf"\b{family}-(\d+)(?:\.\.| to {family}-)(\d+)\b", text) if number else []
    return any(int(first) <= int(number) <= int(last) for first, last in ranges)


def lines_of(source: list[str], node: ast.FunctionDef) -> str:
    return "\n".join(source[node.lineno - 1 : node.end_lineno])


def code() -> dict[str, list[str]]:
    """The functions and classes of the tracker that name each rule in their docstring or comments."""
    found: dict[str, list[str]] = {rule: [] for rule in RULES}
    for path in sorted((ROOT / "tracker").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "tracker").with_suffix("").parts)
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        source = text.splitlines()
        owners: list[tuple[str, str]] = []
        covered: list[tuple[int, int]] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        owners.append((f"{node.name}.{inner.name}", lines_of(source, inner)))
                        covered.append((inner.lineno, inner.end_lineno or inner.lineno))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                owners.append((node.name, lines_of(source, node)))
                covered.append((node.lineno, node.end_lineno or node.lineno))
        rest = [
            line
            for number, line in enumerate(source, start=1)
            if not any(first <= number <= last for first, last in covered)
        ]
        for rule in RULES:
            names = [f"`{module}.{owner}`" for owner, segment in owners if mentions(rule, segment)]
            if not names and mentions(rule, "\n".join(rest)):
                names = [f"`{module}`"]
            found[rule] += names
    return found


def tests() -> dict[str, list[str]]:
    """The tests that carry each rule's mark, as pytest names them."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in (
                        "rule",
                        "pytest.mark.rule",
                    ):
                        rule = ast.literal_eval(decorator.args[0])
                        found.setdefault(rule, []).append(f"{path.relative_to(ROOT).as_posix()}::{node.name}")
    return found


def table() -> str:
    where, shown = code(), tests()
    lines = ["| Rule | Code in `tracker/` | Shown by |", "|---|---|---|"]
    for rule in RULES:
        if rule in NOT_THE_ENGINES:
            lines.append(f"| {rule} | kept by the players; the page hides the pots during a hand | |")
            continue
        names = [f"`{name.split('::')[1]}`" for name in shown.get(rule, [])]
        lines.append(f"| {rule} | {', '.join(where[rule])} | {', '.join(names)} |")
    return "\n".join(lines) + "\n"


def written() -> str:
    """The table as it stands in docs/rules.md."""
    text = DOCUMENT.read_text(encoding="utf-8")
    return text.split(BEGIN + "\n")[1].split(END)[0]


def main() -> None:
    if sys.argv[1:] == ["--write"]:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        DOCUMENT.write_text(f"{before}{BEGIN}\n{table()}{END}{after}", encoding="utf-8")
    elif sys.argv[1:]:
        print("\n".join(tests().get(sys.argv[1], [])))
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
