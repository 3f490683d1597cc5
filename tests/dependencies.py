"""The program's dependencies: locked for a club's install, looked up for known faults, tried at their lowest.

`python tests/dependencies.py lock` writes requirements.lock, and one lock with each extra that a club may install: the
newest versions in the ranges of pyproject.toml, for every system, with the hash of each file. `… audit` asks OSV
(https://osv.dev) about the versions locked there: status 0 says that none has a known vulnerability, 1 that some has, 2
that it could not be asked. `… lowest [PYTEST ARGUMENTS]` runs the tests with the lowest versions of the ranges, in an
environment of its own that is deleted afterwards.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.error
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = {
    ROOT / "requirements.lock": (),
    ROOT / "requirements-club.lock": ("club",),
    ROOT / "requirements-print.lock": ("print",),
    ROOT / "requirements-installer.lock": ("installer", "print"),
}
"""The lock files, each with its extras."""
SOURCE = "https://api.osv.dev/v1/querybatch"
_HEAD = """\
# pip install -r {name}, then pip install --no-deps --no-build-isolation .
# Every file that pip may take is named by its hash. Written by: python tests/dependencies.py lock
"""


def lowest(requirement: str) -> str:
    """`numpy>=1.26,<3` as the constraint `numpy==1.26.*`: the lowest minor version of the range, mended."""
    found = re.match(r"([\w.-]+)(?:\[[\w,]+\])?>=(\d+)(?:\.(\d+))?", requirement)
    assert found is not None, requirement
    return f"{found[1]}=={found[2]}.{found[3] or 0}.*"


def requirements(*extras: str) -> list[str]:
    """The requirements of pyproject.toml with these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(one for extra in extras for one in optional[extra])]


def locked(text: str) -> dict[str, list[str]]:
    """The versions in a lock file's `text`, by name; a package may have another one on another Python."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE):
        found.setdefault(name, []).append(version)
    return found


def lock() -> int:
    """Write the lock files: one for the table, and one with each extra that a club may install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="tarok-lock-") as folder:
        venv.create(folder, with_pip=True)
        python = next(path for path in Path(folder).glob("*/python*") if path.stem == "python")
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "uv>=0.8,<1"])
        for path, extras in LOCKS.items():
            if done.returncode:
                break
            wanted = Path(folder) / "wanted.in"
            # What builds the program is locked with it, so that nothing is installed unseen.
            wanted.write_text("\n".join([*project["build-system"]["requires"], *requirements(*extras)]))
            words = [
                "pip",
                "compile",
                "--quiet",
                "--universal",
                "--generate-hashes",
                "--no-header",
                "--no-annotate",
            ]
            words += ["--python-version", "3.11", "--upgrade", "--output-file", str(path), str(wanted)]
            done = subprocess.run([python, "-m", "uv", *words])
            path.write_text(_HEAD.format(name=path.name) + path.read_text())
    return done.returncode


def audit(source: str = SOURCE) -> int:
    """Ask `source` about the locked versions and say what is known."""
    text = "".join(path.read_text(encoding="utf-8") for path in LOCKS)
    pins = sorted({(name, version) for name, versions in locked(text).items() for version in versions})
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in pins]
    asked = urllib.request.Request(
        source, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            results = json.loads(answer.read())["results"]
        known = [
            f"{name} {version}: {fault['id']}"
            for (name, version), result in zip(pins, results, strict=True)
            for fault in result.get("vulns", ())
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = getattr(error, "reason", error)
        print(f"not audited: {source} cannot be asked ({reason})", file=sys.stderr)
        return 2
    print("\n".join(known) or f"{len(pins)} packages, no known vulnerability")
    return 1 if known else 0


def run_lowest(arguments: list[str]) -> int:
    """Run pytest with `arguments` at the low end of every range; returns its status."""
    with tempfile.TemporaryDirectory(prefix="tarok-lowest-") as folder:
        venv.create(folder, with_pip=True)
        python = next(path for path in Path(folder).glob("*/python*") if path.stem == "python")
        constraints = Path(folder) / "lowest.txt"
        constraints.write_text("\n".join(map(lowest, requirements("test"))))
        words = ["install", "--quiet", "-c", str(constraints), "-e", f"{ROOT}[test]"]
        done = subprocess.run([python, "-m", "pip", *words])
        if done.returncode == 0:
            done = subprocess.run([python, "-m", "pytest", *arguments], cwd=ROOT)
        return done.returncode


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["lock"]:
            sys.exit(lock())
        case ["audit"]:
            sys.exit(audit())
        case ["lowest", *arguments]:
            sys.exit(run_lowest(arguments))
        case _:
            sys.exit(__doc__)
