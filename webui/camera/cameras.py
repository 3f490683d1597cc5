"""The camera of the table, which the host may change while the program runs, and the computer's other cameras."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from vision.errors import VisionError
from webui.camera.loop import CameraLoop
from webui.camera.tried import Trying
from webui.errors import tell_fault
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable


@dataclass(frozen=True)
class OfferedCamera:
    """A camera of this computer: its `source` as `choose` takes it, its name, and a JPEG picture that it sent."""

    source: str
    name: str
    picture: bytes


class Cameras:
    """Watches `table` by one camera at a time; safe to use from several threads.

    `source` is a camera's number or address, or a recording; None where every card is entered by hand. `make_loop`
    makes the loop that watches a source; without it no source can be watched. `asks`: the set-up asks for a camera.
    `trying` tries a camera in the network before it is chosen.
    """

    def __init__(
        self,
        table: LiveTable,
        make_loop: Callable[[str], CameraLoop] | None = None,
        source: str | None = None,
        *,
        asks: bool = True,
    ) -> None:
        self.source = source
        self.asks = asks
        self.trying = Trying()
        self._table = table
        self._make_loop = make_loop
        self._loop: CameraLoop | None = None
        self._changing = threading.Lock()
        self._offered: list[OfferedCamera] = []
        self._looking: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch, if there is a source."""
        if self.source is not None and self._make_loop is not None:
            self._loop = self._make_loop(self.source)
            self._loop.start()

    def stop(self) -> bool:
        """Stop watching; returns whether all threads have ended within about 10 s."""
        ended = self._loop is None or self._loop.stop()
        ended = self.trying.stop() and ended
        if self._looking is not None:
            self._looking.join(timeout=10)
            ended = ended and not self._looking.is_alive()
        return ended

    def choose(self, source: str | None) -> None:
        """Watch by `source` from now on."""
        with self._changing:
            if source == self.source:
                return
            if self._loop is not None:
                self._loop.stop()
                self._loop = None
            self.source = source
            self._table.camera.set_status(CameraStatus())
            self._table.camera.show(None)
            self.start()

    @property
    def looking(self) -> bool:
        """Whether the computer's cameras are being looked for."""
        return self._looking is not None and self._looking.is_alive()

    @property
    def offered(self) -> list[OfferedCamera]:
        """The cameras found so far, without the one in use: it cannot be opened twice."""
        return [one for one in self._offered if one.source != self.source]

    def search(self) -> None:
        """Look for the computer's cameras, which takes seconds, on a thread of its own."""
        with self._changing:
            if not self.looking:
                self._looking = threading.Thread(target=self._search, name="looking for cameras", daemon=True)
                self._looking.start()

    def _search(self) -> None:
        from vision.camera.capture import find_cameras
        from webui.pictures.jpeg import as_jpeg

        before = {one.source: one for one in self._offered}
        found: list[OfferedCamera] = []
        try:
            for camera in find_cameras(without=self.source):
                source = str(camera.number)
                if camera.picture is not None:
                    found.append(OfferedCamera(source, camera.name, as_jpeg(camera.picture)))
                elif source in before:  # this program used it until just now
                    found.append(before[source])
                self._offered = [*found]
        except VisionError as error:
            tell_fault("looking for cameras", error)
        self._offered = found
