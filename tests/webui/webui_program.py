"""`tarok` as a process of its own, begun in a moment: forked from one that has loaded it, which takes over a second."""

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Windows cannot fork; what is begun there loads the program anew.
_FORKING = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
_FORKING.set_forkserver_preload(["webui.cli", "webui.app", "webui.commands.serve", "webui.serving.front"])


class Program:
    """`tarok` with these `words`, in this process's environment and `environment`; `said` is what it prints."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        said, saying = _FORKING.Pipe(duplex=False)
        self._process = _FORKING.Process(target=_run, args=(list(words), dict(environment), saying))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", str(ROOT))  # from where the one that is forked loads the program
            self._process.start()
        saying.close()
        self.said = os.fdopen(os.dup(said.fileno()), encoding="utf-8")
        said.close()

    def kill(self) -> None:
        """A real SIGKILL; returns once it is gone."""
        self._process.kill()
        self._process.join()
        self.said.close()


def _run(words: list[str], environment: dict[str, str], saying: Connection) -> None:
    os.environ.update(environment)
    os.dup2(saying.fileno(), 1)
    sys.stdout = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    from webui.cli import main

    sys.exit(main(words))
