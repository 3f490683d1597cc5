"""The table of each game's rules: rule id, the code that carries it out, the tests that show it.

python tests/tracker/tracker_rules_table.py        prints the tables
python tests/tracker/tracker_rules_table.py PAY-5  lists the tests that show one rule
python tests/tracker/tracker_rules_table.py --write  puts the tables into their documents
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


@dataclass(frozen=True)
class Table:
    """A game's rules: the document that states them, and the one that has the table of them."""

    stated: Path
    document: Path

    @property
    def rules(self) -> list[str]:
        """The ids of the rules, in the order in which they are stated: each begins a line or a row, in bold."""
        return _STATED.findall(self.stated.read_text(encoding="utf-8"))


_STATED = re.compile(r"^(?:- |\| )?\*\*([A-Z\d]+(?:-[A-Z\d]+)*)\*\*", re.MULTILINE)
_DOCS = ROOT / "docs"
TABLES = {
    "danish": Table(_DOCS / "danish-tarok.md", _DOCS / "rules.md"),
    "tarot1659": Table(_DOCS / "tarot-1659.md", _DOCS / "tarot-1659.md"),
    "american": Table(_DOCS / "american-tarock.md", _DOCS / "american-tarock.md"),
    "french": Table(_DOCS / "french-tarot.md", _DOCS / "french-tarot.md"),
}
RULES = [rule for one in TABLES.values() for rule in one.rules]
# Kept by the players, or by a table of values; and what the program does for it.
NOT_THE_ENGINES = {
    "DISC-6": "kept by the players; `tarok rules` says what they are told",
    "ETI-1": "kept by the players; the page hides the pots during a hand",
    "T59-REV-3": "left out: a contradiction names no play",
    "AT-CARD-1": "`american.pack`: the pack is a table",
    "AT-CARD-2": "`american.pack`: the pack is a table",
    "AT-DEAL-3": "kept by the players, who deal",
    "AT-DEAL-4": "kept by the players, who deal",
    "FT-CARD-1": "`french.pack`: the pack is a table",
    "FT-CARD-2": "`french.pack`: the pack is a table",
    "FT-CARD-3": "`french.pack`: the pack is a table",
    "FT-DEAL-1": "kept by the players, who draw; who deals first is entered",
    "FT-DEAL-2": "kept by the players, who deal",
    "FT-DOG-5": "kept by the players; what is entered after a card was played is refused in a file (`said_before`)",
    "FT-PLAY-7": "kept by the players; the page shows the last trick",
    "FT-REN-1": "kept by the players; a play is taken back",
    "FT-REN-5": "by people: an award, a penalty, or the deal annulled",
    "FT-TOURNAMENT": "tables are not compared; the mark of each deal is kept",
}


_NAME = re.compile(r"(?<![\w-])[A-Z][A-Z\d]*(?:-[A-Z\d]+)*\b(?! BY)")
_RANGE = re.compile(r"(?<![\w-])([A-Z][A-Z\d]*(?:-[A-Z\d]+)*)-(\d+)(?:\.\.| to \1-)(\d+)\b")


def mentioned(text: str) -> set[str]:
    """The rules that `text` names, also as part of a range such as DISC-1..3 or "DISC-1 to DISC-4"."""
    names = set(_NAME.findall(text))
    for family, first, last in _RANGE.findall(text):
        names |= {f"{family}-{number}" for number in range(int(first), int(last) + 1)}
    return names.intersection(RULES)


class Module(NamedTuple):
    """A module of the tracker: its name without `tracker.`, its text, and its functions by name."""

    name: str
    source: list[str]
    functions: list[tuple[str, ast.FunctionDef]]


@cache
def modules() -> list[Module]:
    """The modules of the tracker."""
    room = ROOT / "tracker"
    found = []
    for path in sorted(room.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        name = ".".join(path.relative_to(room).with_suffix("").parts)
        found.append(Module(name, text.splitlines(), functions(ast.parse(text))))
    return found


def functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a module, by name."""
    found = [(node.name, node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            found += [(f"{node.name}.{n.name}", n) for n in node.body if isinstance(n, ast.FunctionDef)]
    return found


@cache
def code() -> dict[str, list[str]]:
    """The functions of the tracker that name each rule, or else the modules that do."""
    found: dict[str, list[str]] = {rule: [] for rule in RULES}
    for module, source, defined in modules():
        segments, rest = [], source.copy()
        for name, node in defined:
            end = node.end_lineno or node.lineno
            segments.append((name, "\n".join(source[node.lineno - 1 : end])))
            rest[node.lineno - 1 : end] = [""] * (end + 1 - node.lineno)
        for name, segment in segments:
            for rule in mentioned(segment):
                found[rule].append(f"`{module}.{name}`")
        inside = {rule for _, segment in segments for rule in mentioned(segment)}
        for rule in mentioned("\n".join(rest)) - inside:
            found[rule].append(f"`{module}`")
    return found


def lines(rule: str) -> dict[str, set[int]]:
    """The lines of the tracker beside which the rule stands, by module: those of them that can run.

    A comment stands beside the next statement, a docstring beside the first one of its function.
    """
    return _lines()[rule]


@cache
def _lines() -> dict[str, dict[str, set[int]]]:
    found: dict[str, dict[str, set[int]]] = {rule: {} for rule in RULES}
    for module, source, defined in modules():
        for _, node in defined:
            first, *others = node.body
            doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            body = others if doc and others else node.body
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                for rule in mentioned(source[number - 1]):
                    found[rule].setdefault(f"tracker.{module}", set()).update(_statement(body, number))
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


@cache
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


def table(game: str) -> str:
    where, shown = code(), tests()
    rows = ["| Rule | Code in `tracker/` | Shown by |", "|---|---|---|"]
    for rule in TABLES[game].rules:
        names = [f"`{name.split('::')[1]}`" for name in shown.get(rule, [])]
        kept_by = NOT_THE_ENGINES.get(rule) or ", ".join(where[rule])
        rows.append(f"| {rule} | {kept_by} | {', '.join(names)} |")
    return "\n".join(rows) + "\n"


def written(game: str) -> str:
    """The table as it stands in the game's document."""
    text = TABLES[game].document.read_text(encoding="utf-8")
    return text.split(BEGIN + "\n")[1].split(END)[0]


def main() -> None:
    if sys.argv[1:] == ["--write"]:
        for game, one in TABLES.items():
            text = one.document.read_text(encoding="utf-8")
            before, after = text.split(BEGIN)[0], text.split(END)[1]
            one.document.write_text(f"{before}{BEGIN}\n{table(game)}{END}{after}", encoding="utf-8")
    elif sys.argv[1:]:
        print("\n".join(tests().get(sys.argv[1], [])))
    else:
        print("\n".join(map(table, TABLES)), end="")


if __name__ == "__main__":
    main()
