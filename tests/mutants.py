"""What the tracker's tests are worth: mutants drawn by a fixed seed, each tried against `tests/tracker`.

`python tests/mutants.py` draws 150 places of `tracker/`, changes one at a time in a copy of the checkout, and runs
the tests there. A mutant lives where all of them pass; its change is printed. Status 1 says that some live.

The changes are those of cosmic-ray (MIT), in an environment of its own (CONTRIBUTING.md): another operator, number,
comparison, boolean or keyword, a `not`, a loop that does not run, a decorator that goes. Left out is what no test could
tell: annotations, the type variables beside them, `if TYPE_CHECKING`, and the sentences in `assert`s.
"""

import argparse
import ast
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]
_TESTS = "-m pytest -q -x -n 0 -p no:cacheprovider tests/tracker"
_TIMEOUT_S = 400.0
Place = tuple[Path, tuple[int, int], tuple[int, int]]


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


def drawn(count: int, seed: int) -> list[tuple[Path, str, int]]:
    """`count` mutants of `tracker/`: the file, cosmic-ray's operator, and which of its occurrences in that file.

    Each place is as likely as any other, however many operators fit it.
    """
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
    return [(place[0], *chance.choice(places[place])) for place in chosen]


def _copies(number: int, folder: Path) -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for one in range(number):
        copy = folder / str(one)
        for name in listed.stdout.split("\0")[:-1]:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
        for catalogue in ROOT.glob("[tw]*/**/*.mo"):
            shutil.copyfile(catalogue, copy / catalogue.relative_to(ROOT))
        yield copy


def main() -> int:
    """Draw the mutants and try each; returns the status."""
    from cosmic_ray.mutating import use_mutation
    from cosmic_ray.plugins import get_operator

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    parser.add_argument(
        "--python", default=sys.executable, help="the interpreter that has the tests' packages"
    )
    args = parser.parse_args()

    def tried(number: int, path: Path, name: str, occurrence: int) -> bool:
        copy = free.get()
        try:
            with use_mutation(copy / path, get_operator(name)(), occurrence):
                change = subprocess.run(
                    ["git", "diff", "--no-index", "-U2", str(ROOT / path), str(copy / path)],
                    capture_output=True,
                    text=True,
                ).stdout
                words = shlex.split(f"{args.python} {_TESTS}")
                fresh = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # no compiled file of another mutant
                try:
                    done = subprocess.run(words, cwd=copy, env=fresh, capture_output=True, timeout=_TIMEOUT_S)
                    lives = not done.returncode
                except subprocess.TimeoutExpired:
                    lives = False
        finally:
            free.put(copy)
        print(f"{number:3} {'LIVES' if lives else 'killed'}  {path} {name} {occurrence}", flush=True)
        if lives:
            print(change[change.find("@@") :], flush=True)
        return lives

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        free: Queue[Path] = Queue()
        for copy in _copies(args.jobs, Path(folder)):
            free.put(copy)
        mutants = drawn(args.count, args.seed)
        living = sum(pool.map(lambda one: tried(one[0], *one[1]), enumerate(mutants, 1)))
    print(f"{len(mutants)} mutants: {len(mutants) - living} killed, {living} live")
    return living > 0


if __name__ == "__main__":
    sys.exit(main())
