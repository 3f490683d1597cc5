"""The program is told to end, by whatever way the system has, and ends in order each time as on Ctrl+C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Ctrl+C apart: ended by the system or another program, its terminal gone, its window closed (Windows).
_TOLD = ("SIGTERM", "SIGHUP", "SIGBREAK")


class EndedError(KeyboardInterrupt):
    """The program was told to end by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def _signals() -> list[signal.Signals]:
    """The signals of `_TOLD` that this system has and that are heeded here: under nohup SIGHUP is not."""
    found = [getattr(signal, name) for name in _TOLD if hasattr(signal, name)]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def told_to_end() -> Iterator[None]:
    """Within, each of those signals raises EndedError in the main thread; elsewhere nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise EndedError(number)

    before = {number: signal.signal(number, end) for number in _signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def end_undisturbed() -> None:
    """The program is ending: it is not told so again."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, *_signals()):
            signal.signal(number, signal.SIG_IGN)
