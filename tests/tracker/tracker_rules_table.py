"""The tables of the games' rules: rule id, the code that carries it out, the tests that show it.

python tests/tracker/tracker_rules_table.py        prints the tables
python tests/tracker/tracker_rules_table.py PAY-5  lists the tests that show one rule
python tests/tracker/tracker_rules_table.py --write  puts each table into its document
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def numbered(families: dict[str, int], prefix: str = "") -> list[str]:
    """The ids of the rules of families that number theirs from 1 up."""
    return [
        f"{prefix}{family}-{number}" for family, last in families.items() for number in range(1, last + 1)
    ]


DANISH = {
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
TAROT_1659 = {
    "CARD": 3,
    "TABLE": 4,
    "ANTE": 1,
    "PLAY": 3,
    "FOOL": 6,
    "WIN": 2,
    "FINE": 3,
    "SEAT": 1,
    "END": 1,
    "REV": 3,
}
BOOKS = {
    ROOT / "docs" / "rules.md": [*numbered(DANISH), "FOOLX", "ORDER", "DECLX", "DISCX"],
    ROOT / "docs" / "tarot-1659.md": [*numbered(TAROT_1659, "T59-"), "T59-ORDER"],
}
"""The document of each game's table, and the ids of its rules."""
RULES = [rule for rules in BOOKS.values() for rule in rules]
# Kept by the players, not by the engine; and what the program does for it.
NOT_THE_ENGINES = {
    "DISC-6": "kept by the players; `tarok rules` says what they are told",
    "ETI-1": "kept by the players; the page hides the pots during a hand",
    "T59-REV-3": "left out: a contradiction names no play",
}


def mentions(rule: str, text: str) -> bool:
    """Whether `text` names the rule, also as part of a range such as DISC-1..3 or "DISC-1 to DISC-4"."""
    if re.search(rf"(?<![\w-]){re.escape(rule)}\b(?! BY)", text):
        return True
    family, _, number = rule.rpartition("-")
    if not number.isdecimal():
        return False
    ranges = re.findall(rf"(?<![\w-]){family}-(\d+)(?:\.\.| to {family}-)(\d+)\b", text)
    return any(int(first) <= int(number) <= int(last) for first, last in ranges)


def modules() -> list[tuple[str, Path]]:
    """The modules of the tracker by name, without `tracker.`, and their files."""
    room = ROOT / "tracker"
    return [
        (".".join(path.relative_to(room).with_suffix("").parts), path) for path in sorted(room.rglob("*.py"))
    ]


def functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a module, by name."""
    found = [(node.name, node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            found += [(f"{node.name}.{n.name}", n) for n in node.body if isinstance(n, ast.FunctionDef)]
    return found


def code() -> dict[str, list[str]]:
    """The functions of the tracker that name each rule, or else the modules that do."""
    found: dict[str, list[str]] = {rule: [] for rule in RULES}
    for module, path in modules():
        text = path.read_text(encoding="utf-8")
        source = text.splitlines()
        segments, rest = [], source.copy()
        for name, node in functions(ast.parse(text)):
            end = node.end_lineno or node.lineno
            segments.append((name, "\n".join(source[node.lineno - 1 : end])))
            rest[node.lineno - 1 : end] = [""] * (end + 1 - node.lineno)
        for rule in RULES:
            names = [f"`{module}.{name}`" for name, segment in segments if mentions(rule, segment)]
            if not names and mentions(rule, "\n".join(rest)):
                names = [f"`{module}`"]
            found[rule] += names
    return found


@cache
def lines(rule: str) -> dict[str, set[int]]:
    """The lines of the tracker beside which the rule stands, by module: those of them that can run.

    A comment stands beside the next statement, a docstring beside the first one of its function.
    """
    found: dict[str, set[int]] = {}
    for module, path in modules():
        text = path.read_text(encoding="utf-8")
        source = text.splitlines()
        if not mentions(rule, text):
            continue
        for _, node in functions(ast.parse(text)):
            first, *others = node.body
            doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            body = others if doc and others else node.body
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                if mentions(rule, source[number - 1]):
                    found.setdefault(f"tracker.{module}", set()).update(_statement(body, number))
    return found


def _statement(body: list[ast.stmt], number: int) -> range:
    """The lines of the innermost statement that stands at line `number`, or else of the next one."""
    every = [node for top in body for node in ast.walk(top) if isinstance(node, ast.stmt)]
    spans = []
    for node in every:
        inner = [n.lineno for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
        end = max(node.lineno, min(inner) - 1) if inner else node.end_lineno or node.lineno
        spans.append(range(node.lineno, end + 1))
    around = [span for span in spans if number in span]
    after = [span for span in spans if span.start >= number]
    return around[-1] if around else min(after, key=lambda span: span.start, default=range(0))


class Waiting:
    """Waits for a line of each of `rules` to run; `rules` are those still waited for. A tracer of `sys.settrace`."""

    def __init__(self, rules: set[str]) -> None:
        self.rules = rules
        self._worth: dict[CodeType, bool] = {}

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        if code not in self._worth:
            here = {line for _, _, line in code.co_lines() if line is not None}
            self._worth[code] = any(here & lines(rule).get(module, set()) for rule in self.rules)
        return self._line if self._worth[code] else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        module = frame.f_globals["__name__"]
        self.rules = {rule for rule in self.rules if frame.f_lineno not in lines(rule).get(module, set())}
        if not self.rules:
            sys.settrace(None)
        return self._line


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


def table(document: Path) -> str:
    """The table as it has to stand in `document`."""
    where, shown = code(), tests()
    rows = ["| Rule | Code in `tracker/` | Shown by |", "|---|---|---|"]
    for rule in BOOKS[document]:
        names = [f"`{name.split('::')[1]}`" for name in shown.get(rule, [])]
        kept_by = NOT_THE_ENGINES.get(rule) or ", ".join(where[rule])
        rows.append(f"| {rule} | {kept_by} | {', '.join(names)} |")
    return "\n".join(rows) + "\n"


def written(document: Path) -> str:
    """The table as it stands in `document`."""
    text = document.read_text(encoding="utf-8")
    return text.split(BEGIN + "\n")[1].split(END)[0]


def main() -> None:
    if sys.argv[1:] == ["--write"]:
        for document in BOOKS:
            text = document.read_text(encoding="utf-8")
            before, after = text.split(BEGIN)[0], text.split(END)[1]
            document.write_text(f"{before}{BEGIN}\n{table(document)}{END}{after}", encoding="utf-8")
    elif sys.argv[1:]:
        print("\n".join(tests().get(sys.argv[1], [])))
    else:
        print("\n".join(map(table, BOOKS)), end="")


if __name__ == "__main__":
    main()
