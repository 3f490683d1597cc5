"""One name, one thing: a public name is defined in one module of the house, or in the same one of each game."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("tracker", "vision", "webui")
# What a command, a benchmark, a page or a script has under the same name as every other.
CONVENTIONS = {"add_arguments", "run", "blueprint", "main"}
CONVENTIONS |= {"revision", "down_revision", "upgrade"}  # of a migration


def public_names(source: str) -> Iterator[str]:
    """The classes, functions and constants that a module defines for others; not what answers an address."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not any(ast.unparse(one).startswith("blueprint.") for one in node.decorator_list):
                yield node.name
        elif isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


def is_public(name: str) -> bool:
    # A single letter is a type variable of its own module.
    return len(name) > 1 and not name.startswith("_") and name not in CONVENTIONS


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("class Play: pass", ["Play"]),
        ("def rectify(): pass", ["rectify"]),
        ("WIDTH, HEIGHT = 1, 2", ["WIDTH", "HEIGHT"]),
        ("COOKIE: Final = 'a'", ["COOKIE"]),
        ("_HERE = 1", []),
        ("def run(args): pass", []),
        ("@blueprint.get('/fine')\ndef fine(): pass", []),
        ("from tracker.hand import Play", []),
        ("def outer():\n    inner = 1", ["outer"]),
    ],
)
def test_what_counts_as_a_public_name(source: str, names: list[str]) -> None:
    assert [name for name in public_names(source) if is_public(name)] == names


def place(path: Path) -> str:
    """Where a name is defined. The games are laid out alike: the same file of each has the same names."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "tracker" and len(parts) > 2:
        return "/".join((parts[0], "*", *parts[2:]))
    if parts[:2] == ("webui", "games") and len(parts) > 3:
        return "/".join((*parts[:2], "*", *parts[3:]))
    return "/".join(parts)


def test_each_public_name_is_defined_once() -> None:
    modules = defaultdict(set)
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for name in filter(is_public, public_names(path.read_text(encoding="utf-8"))):
            modules[name].add(place(path))
    assert len(modules) > 300
    assert {name: sorted(where) for name, where in modules.items() if len(where) > 1} == {}
