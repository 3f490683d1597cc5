"""A camera in the network that is tried before it is chosen, on a thread of its own."""

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.camera.address import network_fault
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.camera.trial import CameraTrial


@dataclass(frozen=True)
class TriedCamera:
    """A camera in the network that is tried. Its `address` may hold a password, so nobody is shown all of it.

    After the trial it has either a `trial`, with a JPEG `picture`, or a `problem`, a key of `webui.texts.PROBLEMS`.
    """

    address: str
    trial: "CameraTrial | None" = None
    picture: bytes = b""
    problem: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether the trial still runs."""
        return self.trial is None and not self.problem


class Trying:
    """The camera in the network that was `tried` last; None before. Safe to use from several threads."""

    def __init__(self) -> None:
        self.tried: TriedCamera | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, address: str) -> bool:
        """Try the camera at `address`, which takes seconds; False while another one is tried."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return False
            self.tried = TriedCamera(address)
            self._thread = threading.Thread(
                target=self._run, args=(address,), name="trying a camera", daemon=True
            )
            self._thread.start()
            return True

    def stop(self) -> bool:
        """Wait up to 10 s for the trial to end; returns whether it has ended."""
        if self._thread is not None:
            self._thread.join(timeout=10)
        return self._thread is None or not self._thread.is_alive()

    def _run(self, address: str) -> None:
        from vision.camera.trial import try_camera
        from webui.pictures.jpeg import as_jpeg

        try:
            trial = try_camera(address)
            self.tried = TriedCamera(address, trial, as_jpeg(trial.picture))
        except VisionError as error:
            self.tried = TriedCamera(address, problem=network_fault(error))
