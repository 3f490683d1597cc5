"""A real network camera for tests: motion JPEG over HTTP, as phones and IP cameras send it."""

import base64
import http.server
import threading
import time
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]


class NetworkCamera:
    """Serves `shoot(k)`, a picture or the raw bytes of one part, `fps` times a second.

    `shoot` may be replaced while it runs. None from it closes the connection, as pulling the cable does. With
    `password`, as in "anna:secret", it answers nobody without.
    """

    def __init__(
        self, shoot: Callable[[int], Picture | bytes | None], *, password: str = "", fps: int = 20
    ) -> None:
        self.shoot = shoot
        self.sent = 0
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                if not may_enter(self.headers.get("Authorization"), password):
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace;boundary=frame")
                self.end_headers()
                try:
                    while (part := camera.shoot(camera.sent)) is not None:
                        data = part if isinstance(part, bytes) else cv2.imencode(".jpg", part)[1].tobytes()
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                        self.wfile.write(head.encode() + data + b"\r\n")
                        camera.sent += 1
                        time.sleep(1 / fps)
                except OSError:
                    pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/video.mjpg"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "NetworkCamera":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def may_enter(said: str | None, password: str) -> bool:
    """Whether an Authorization header says `password`, where one is asked for."""
    return not password or said == "Basic " + base64.b64encode(password.encode()).decode()


def striped(k: int) -> Picture:
    """Picture `k` of a grainy table; the width of its bright stripe encodes `k`."""
    picture = np.random.default_rng(k).integers(0, 40, (120, 160, 3), dtype=np.uint8)
    picture[:, : 1 + k % 150] += 180
    return picture


def number_of(picture: Picture) -> int:
    """The number that `striped` encoded in `picture` (modulo 150)."""
    return int((picture.mean((0, 2)) > 110).sum()) - 1
