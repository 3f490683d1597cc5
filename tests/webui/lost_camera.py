"""How long it takes until the table says that a camera in the network was lost: the last picture to the words.

A closed connection is an app that ended. A silent one is a phone out of the network: nothing says that it is gone.
"""

import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
from network_camera import NetworkCamera
from rtsp_camera import RtspCamera
from webui_deals import OPENED, SIDES
from webui_until import until

from tracker.store import EventStore
from vision.camera.capture import frames
from webui.camera.loop import CameraLoop
from webui.commands.serve import watch_table
from webui.table.live import LiveTable

_PLAIN_TABLE = np.random.default_rng(1).integers(60, 80, (720, 960, 3), dtype=np.uint8)
_WATCHED_S = 3.0


def told_after_s(kind: type[NetworkCamera] | type[RtspCamera], silent: bool, watched: bool) -> float:
    """Seconds until a camera of that kind is called lost; `watched` by the eyes, or only shown."""
    last_s: list[float] = []

    def shoot(_: int) -> Any:
        if not last_s:
            return _PLAIN_TABLE
        if silent:
            time.sleep(60)
        return None

    with (
        tempfile.TemporaryDirectory() as folder,
        closing(EventStore(Path(folder) / "evening.sqlite3")) as store,
        kind(shoot) as phone,
    ):
        table = LiveTable(store)
        if watched:
            table.open_evening(OPENED, SIDES)
        loop = CameraLoop(
            table,
            lambda: watch_table(phone.url, table),
            reopen=True,
            in_network=True,
            look=lambda: (frame.picture for frame in frames(phone.url)),
        )
        loop.start()
        until(lambda: table.camera.status.state == ("seeing" if watched else "waiting"))
        time.sleep(_WATCHED_S)
        last_s.append(time.monotonic())
        until(lambda: table.camera.status.problem == "network_lost")
        took_s = time.monotonic() - last_s[0]
        loop.stop()
    return took_s


if __name__ == "__main__":
    for watched in (False, True):
        for kind, name in ((NetworkCamera, "MJPEG"), (RtspCamera, "RTSP")):
            for silent in (False, True):
                took_s = told_after_s(kind, silent, watched)
                words = "watched" if watched else "shown", name, "silent" if silent else "closed"
                print(*words, f"{took_s:.1f} s", flush=True)
