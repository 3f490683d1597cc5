"""What the tracker's tests are worth: mutants drawn by a fixed seed, each tried against `tests/tracker`.

`python tests/mutants.py` draws 150 places of `tracker/`, changes one at a time in a copy of the checkout, and runs the
tests that reach the changed line, the fastest first, until one fails. Which tests reach which line is measured once,
by coverage. A mutant lives where all of them pass; its change is printed. Status 1 says that some live.

The changes are those of cosmic-ray (MIT), in an environment of its own (CONTRIBUTING.md): another operator, number,
comparison, boolean or keyword, a `not`, a loop that does not run, a decorator that goes. Left out is what no test could
tell: annotations, the type variables beside them, `if TYPE_CHECKING`, and the sentences in `assert`s.
"""

import argparse
import ast
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from queue import Queue
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
_PYTEST = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
_START_S, _FACTOR = 10.0, 3.0  # a mutant that takes this much longer than its tests did runs for ever
_PARTS_S = (1.0, 10.0)  # tests that take less come first: one that runs for ever is found by a short part
Place = tuple[Path, tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Mutant:
    """One change: the file, cosmic-ray's operator, which of its occurrences in that file, and from which line."""

    path: Path
    operator: str
    occurrence: int
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.operator} {self.occurrence}"


def _untold(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where nothing can be told by a test."""
    for node in ast.walk(tree):
        left_out: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef):
            left_out = [
                node.returns,
                *(arg.annotation for arg in ast.walk(node.args) if isinstance(arg, ast.arg)),
            ]
        elif isinstance(node, ast.AnnAssign):
            left_out = [node.annotation]
        elif isinstance(node, ast.Assert):
            left_out = [node.msg]
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            left_out = [node.test]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("TypeVar", "cast")
        ):
            left_out = [node]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _is_type(node.value):
            left_out = [node.value]
        for one in left_out:
            if one is not None:
                assert one.end_lineno is not None and one.end_col_offset is not None
                yield (one.lineno, one.col_offset), (one.end_lineno, one.end_col_offset)


def _is_type(node: ast.BinOp) -> bool:
    """Whether `node` is a union of types, as `Fined | FoolNamed` is."""
    return isinstance(node.op, ast.BitOr) and all(
        (isinstance(side, ast.Name) and side.id[0].isupper() and not side.id.isupper())
        or (isinstance(side, ast.BinOp) and _is_type(side))
        for side in (node.left, node.right)
    )


def drawn(count: int, seed: int) -> list[Mutant]:
    """`count` mutants of `tracker/`. Each place is as likely as any other, however many operators fit it."""
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.plugins import get_operator, operator_names

    places: dict[Place, list[tuple[str, int]]] = defaultdict(list)
    for path in sorted((ROOT / "tracker").rglob("*.py")):
        untold = list(_untold(ast.parse(path.read_text(encoding="utf-8"))))
        tree = get_ast_from_path(path)
        for name in sorted(operator_names()):
            if get_operator(name).arguments():
                continue
            operator = get_operator(name)()
            spans = (span for node in ast_nodes(tree) for span in operator.mutation_positions(node))
            for occurrence, (start, end) in enumerate(spans):
                if not any(first <= start and end <= last for first, last in untold):
                    places[path.relative_to(ROOT), start, end].append((name, occurrence))
    chance = random.Random(seed)
    chosen = chance.sample(sorted(places), count)
    return [Mutant(place[0], *chance.choice(places[place]), place[1][0]) for place in chosen]


def pytest_runtest_logstart(nodeid: str, location: object) -> None:
    """As a plugin of pytest under coverage: what runs from here on is reached by the test `nodeid`."""
    from coverage import Coverage

    measuring = Coverage.current()
    assert measuring is not None
    measuring.switch_context(nodeid.partition("[")[0])


class Reach:
    """Which tests reach a line of `tracker/`, and how long they take, from one run of all of them in `copy`.

    What runs while modules are loaded is reached by every test.
    """

    def __init__(self, copy: Path) -> None:
        from coverage import CoverageData

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*_PYTEST, "-p", "mutants", "--junitxml=took.xml", "tests/tracker"]
        measured = [sys.executable, "-m", "coverage", "run", "--source=tracker", *command]
        plugins = os.environ | {"PYTHONPATH": str(copy / "tests")}
        subprocess.run(measured, cwd=copy, env=plugins, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self._took: dict[str, float] = defaultdict(float)
        for case in ElementTree.parse(copy / "took.xml").iter("testcase"):
            module, name = case.attrib["classname"].replace(".", "/"), case.attrib["name"].partition("[")[0]
            self._took[f"{module}.py::{name}"] += float(case.attrib["time"])
        self._cpu_share = cpu_s / sum(self._took.values())  # of the seconds on the clock
        self._lines: dict[Path, dict[int, list[str]]] = {}
        data = CoverageData(str(copy / ".coverage"))
        data.read()
        for name in data.measured_files():
            self._lines[Path(name).relative_to(copy)] = data.contexts_by_lineno(name)

    def tests(self, mutant: Mutant) -> list[tuple[list[str], float]]:
        """The tests to run for `mutant` as pytest names them, the fastest first, in parts; how long a core may take."""
        lines = self._lines.get(mutant.path, {})
        reached = {name for line in _statement(mutant) for name in lines.get(line, [])}
        chosen = self._took if "" in reached else reached & self._took.keys()
        ordered = sorted(chosen, key=lambda name: (self._took[name], name))
        total_s = list(accumulate(self._took[name] for name in ordered))
        ends = [*(bisect(total_s, part_s) for part_s in _PARTS_S), len(ordered)]
        parts = [ordered[start:end] for start, end in pairwise((0, *ends)) if start < end]
        return [
            (part, _START_S + _FACTOR * self._cpu_share * sum(self._took[name] for name in part))
            for part in parts
        ]


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def _statement(mutant: Mutant) -> range:
    """The lines of the statement that is changed; of one with a body only those before it."""
    best = range(mutant.line, mutant.line + 1)
    for node in ast.walk(_tree(mutant.path)):
        if not isinstance(node, ast.stmt):
            continue
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(one.lineno for one in decorators)])
        body = getattr(node, "body", None)
        last = max(body[0].lineno - 1, node.lineno) if body else node.end_lineno or node.lineno
        if first <= mutant.line <= last:
            best = range(first, last + 1)  # walked from outside in: the last that fits is the innermost
    return best


def _copied(folder: Path) -> Path:
    """A copy of the checkout's files, as they lie there now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0")[:-1]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    for catalogue in ROOT.glob("[tw]*/**/*.mo"):
        shutil.copyfile(catalogue, folder / catalogue.relative_to(ROOT))
    return folder


def _pass(copy: Path, tests: list[str], cpu_s: float) -> bool:
    """Whether all of `tests` pass in `copy`, within so much time of a core."""
    (copy / "chosen").write_text("\n".join(tests), encoding="utf-8")
    fresh = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # no compiled file of another mutant
    command = [sys.executable, *_PYTEST, "-x", "@chosen"]
    limited = ["prlimit", f"--cpu={round(cpu_s)}", *command]
    return not subprocess.run(limited, cwd=copy, env=fresh, capture_output=True).returncode


def main() -> int:
    """Draw the mutants and try each; returns the status."""
    from cosmic_ray.mutating import use_mutation
    from cosmic_ray.plugins import get_operator

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    parser.add_argument(
        "--results", type=Path, help="a JSON file: those that it says were killed are not tried again"
    )
    args = parser.parse_args()

    results: dict[str, str] = {}
    if args.results and args.results.exists():
        results = json.loads(args.results.read_text(encoding="utf-8"))

    def tried(number: int, mutant: Mutant) -> bool:
        copy = free.get()
        try:
            with use_mutation(copy / mutant.path, get_operator(mutant.operator)(), mutant.occurrence):
                change = subprocess.run(
                    ["git", "diff", "--no-index", "-U2", str(ROOT / mutant.path), str(copy / mutant.path)],
                    capture_output=True,
                    text=True,
                ).stdout
                change = change[change.find("@@") :]
                if results.get(f"{mutant.path} {change}") == "killed":
                    return False
                parts = reach.tests(mutant)
                lives = all(_pass(copy, *part) for part in parts)
        finally:
            free.put(copy)
        results[f"{mutant.path} {change}"] = "lives" if lives else "killed"
        if args.results:
            args.results.write_text(json.dumps(results, indent=1), encoding="utf-8")
        print(
            f"{number:3} {'LIVES' if lives else 'killed'}  {mutant} ({sum(len(tests) for tests, _ in parts)} tests)",
            flush=True,
        )
        if lives:
            print(change, flush=True)
        return lives

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        first = _copied(Path(folder, "0"))
        reach = Reach(first)
        free: Queue[Path] = Queue()
        free.put(first)
        for one in range(1, args.jobs):
            free.put(shutil.copytree(first, Path(folder, str(one))))
        mutants = drawn(args.count, args.seed)
        living = sum(pool.map(lambda one: tried(*one), enumerate(mutants, 1)))
    print(f"{len(mutants)} mutants: {len(mutants) - living} killed, {living} live")
    return living > 0


if __name__ == "__main__":
    sys.exit(main())
