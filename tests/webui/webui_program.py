"""`tarok` as a process of its own. It is forked from one that has loaded the program: loading takes over a second."""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Windows cannot fork; what is begun there loads the program anew.
_FORKING = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
_FORKING.set_forkserver_preload(["webui_program", "webui_preloaded"])


class Program:
    """`tarok` with these `words`, in this process's environment and `environment`; `said` is what it prints."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        said, saying = _FORKING.Pipe(duplex=False)
        self._process = _begun(list(words), {**os.environ, **environment}, saying)
        saying.close()
        self.said = os.fdopen(os.dup(said.fileno()), encoding="utf-8")
        said.close()

    def kill(self) -> None:
        """A real SIGKILL; returns once it is gone."""
        self._process.kill()
        self._process.join()
        self.said.close()

    def wait(self, timeout: float) -> int | None:
        """Its status once it has ended, or None where it has not by then; negative if a signal ended it."""
        self._process.join(timeout)
        return self._process.exitcode


def ran(
    *words: object, environment: Mapping[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """`tarok` with these `words` and nothing but this `environment`, run to its end."""
    with tempfile.TemporaryDirectory() as folder:
        said, grumbled = Path(folder, "said"), Path(folder, "grumbled")
        said.touch(), grumbled.touch()
        process = _begun(list(map(str, words)), environment or os.environ, said, grumbled)
        process.join(timeout)
        late = process.exitcode is None
        process.kill()
        process.join()
        outputs = (said.read_text(encoding="utf-8"), grumbled.read_text(encoding="utf-8"))
    if late:
        raise subprocess.TimeoutExpired(list(map(str, words)), timeout, *outputs)
    return subprocess.CompletedProcess(words, process.exitcode or 0, *outputs)


def _begun(
    words: list[str], environment: Mapping[str, str], said: Connection | Path, grumbled: Path | None = None
) -> BaseProcess:
    process = _FORKING.Process(target=_run, args=(words, dict(environment), said, grumbled))
    before = os.environ.get("PYTHONPATH")
    # From where the one that is forked loads the program; it is begun with the first of all.
    os.environ["PYTHONPATH"] = f"{HERE.parents[1]}{os.pathsep}{HERE}"
    try:
        process.start()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before
    return process


def _run(
    words: list[str], environment: dict[str, str], said: Connection | Path, grumbled: Path | None
) -> None:
    """In the process that was forked: `tarok`, which writes to `said` and `grumbled`."""
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # the one that was forked may have looked it up in another environment
    os.dup2(os.open(said, os.O_WRONLY) if isinstance(said, Path) else said.fileno(), 1)
    sys.stdout = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    if grumbled is not None:
        os.dup2(os.open(grumbled, os.O_WRONLY), 2)
        sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    from webui.cli import main

    sys.exit(main(words))
