"""Ending in order: every signal by which the system tells the program to end is treated like Ctrl+C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Besides Ctrl+C: ended by the system or another program; the terminal is gone; the window is closed (Windows).
_TOLD = ("SIGTERM", "SIGHUP", "SIGBREAK")


class EndedError(KeyboardInterrupt):
    """The program was told to end by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def _signals() -> list[signal.Signals]:
    """The signals of `_TOLD` that this system has and that are not ignored, as nohup has SIGHUP ignored."""
    found = [getattr(signal, name) for name in _TOLD if hasattr(signal, name)]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def told_to_end() -> Iterator[None]:
    """In this block each of those signals raises EndedError in the main thread. In other threads it does nothing."""
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
    """Ignore further signals to end, so that ending is not interrupted."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, *_signals()):
            signal.signal(number, signal.SIG_IGN)
