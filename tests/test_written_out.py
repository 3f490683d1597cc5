"""What a game books or finds stands in its source as it is called, so that grep finds the line that does it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TRACKER = Path(__file__).parents[1] / "tracker"
GAMES = sorted(path.parent for path in TRACKER.glob("*/words.py"))
TABLES = {"_PAYMENTS", "_BY_RESULT", "_SCORES", "_FINDINGS", "_OFFENCES", "_ALERTS"}
"""The tables of a game's words that are keyed by a reason of a payment, or by a kind of finding or alert."""


def strings(node: ast.AST) -> Iterator[str]:
    """The strings that stand in `node`; the parts of an f-string are none."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from strings(child)


def keys(words: ast.Module) -> set[str]:
    """The keys of the tables. One that the module chooses by itself is another sentence for a kind, and no kind."""
    tables, others = list[ast.expr](), set[str]()
    for node in words.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id in TABLES:
            tables.append(node.value)  # type: ignore[attr-defined]
        else:
            others |= set(strings(node))
    dicts = [one for table in tables for one in ast.walk(table) if isinstance(one, ast.Dict)]
    return {key.value for one in dicts for key in one.keys if isinstance(key, ast.Constant)} - others


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_reason_and_every_kind_stands_in_the_source_of_its_game(game: Path) -> None:
    spoken = {path for path in game.rglob("*.py") if path.name.endswith(("words.py", "_text.py"))}
    sources = [*TRACKER.glob("*.py"), *game.rglob("*.py")]
    found = {
        string
        for path in sources
        if path not in spoken and path.name not in ("words.py", "score_sheet_text.py")
        for string in strings(ast.parse(path.read_text(encoding="utf-8")))
    }
    wanted = keys(ast.parse((game / "words.py").read_text(encoding="utf-8")))
    assert len(wanted) > 2 and sorted(wanted - found) == []


def test_a_name_put_together_from_parts_is_not_found() -> None:
    written = 'pay("PAY-5", "king_bagud")\npay("PAY-5", f"{pot}_bagud")\npay("PAY-5", pot + "_ultimo")'
    assert set(strings(ast.parse(written))) == {"PAY-5", "king_bagud", "_ultimo"}
