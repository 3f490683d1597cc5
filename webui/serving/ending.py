"""One way to end: the first signal ends the program in order, and later ones change nothing."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# Ctrl+C; the system or another program ends this one; the terminal is gone; the window is closed (Windows).
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class EndedError(KeyboardInterrupt):
    """The program was told to end by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _Told:
    """The `number` of the first signal, 0 before any. While `waiting`, a signal interrupts nothing."""

    number = 0
    waiting = False


_told = _Told()


def _end(number: int, frame: FrameType | None) -> None:
    # Only the first signal raises: a second exception would interrupt what the first one began.
    if not _told.number:
        _told.number = number
        if not _told.waiting:
            raise EndedError(number)


def _signals() -> list[signal.Signals]:
    """The signals that this system has, without those that are ignored, as SIGHUP is under nohup."""
    found = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def told_to_end() -> Iterator[None]:
    """In this block the first of those signals raises EndedError, in the main thread. Other threads see nothing.

    After the first signal the program takes no notice of any more, to its end. A library may turn the interruption into
    an error of its own, as an import does that fails half way: then EndedError is raised all the same.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _told.number = 0
    before = {number: signal.signal(number, _end) for number in _signals()}
    try:
        yield
    except Exception as error:
        if _told.number:
            raise EndedError(_told.number) from error
        raise
    finally:
        for number, handler in before.items():
            # As Python ends, it gives up its own handlers: a signal would then kill it, unless it is ignored.
            after = signal.SIG_IGN if _told.number else handler
            signal.signal(number, after if after is not None else signal.SIG_DFL)


@contextmanager
def waiting_for_the_end() -> Iterator[Callable[[], int]]:
    """In this block signals interrupt nothing. If one came, EndedError is raised at the block's end.

    Yields a function that returns the number of the signal that came, 0 for none.
    """
    _told.waiting = True
    try:
        yield lambda: _told.number
    finally:
        _told.waiting = False
    if _told.number:
        raise EndedError(_told.number)
