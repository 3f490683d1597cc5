"""The laptop stays awake while an evening is open.

A library asks the system: on Linux over D-Bus (GNOME, KDE, Xfce), on Windows by SetThreadExecutionState, on macOS by
caffeinate. Only Linux was tried. Most laptops still fall asleep when the lid is closed.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wakepy import Mode


class Awake:
    """Keeps the system awake on demand; for one thread only."""

    def __init__(self) -> None:
        self._mode: Mode | None = None
        self.held: bool | None = None
        """Whether the system agreed; None while nobody wants it awake."""

    def want(self, wanted: bool) -> bool:
        """Keep the system awake from now on, or let it sleep; returns whether `held` changed."""
        before = self.held
        if wanted and self._mode is None:
            from wakepy import keep  # takes a tenth of the program's start, so only once an evening is open

            self._mode = keep.running(on_fail="pass")
            self._mode.__enter__()
            self.held = bool(self._mode.active)
        elif not wanted and self._mode is not None:
            self._mode.__exit__(None, None, None)
            self._mode, self.held = None, None
        return self.held is not before
