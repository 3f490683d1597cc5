"""A real RTSP camera for tests: JPEG pictures over RTP (RFC 2435), interleaved in RTSP's own TCP connection."""

import socketserver
import struct
import threading
import time
from collections.abc import Callable, Iterator

import cv2
from network_camera import Picture, may_enter

_MOST_BYTES = 1400


class RtspCamera:
    """Serves `shoot(k)`, a picture with sides of whole 8 px, 20 times a second to each client.

    `shoot` may be replaced while it runs. None from it closes the connection, as pulling the cable does. With
    `password`, as in "anna:secret", it answers nobody without.
    """

    def __init__(self, shoot: Callable[[int], Picture | None], *, password: str = "") -> None:
        self.shoot = shoot
        self.sent = 0
        camera = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                playing = False
                writing = threading.Lock()
                while request := self.rfile.readline().decode().split():
                    lines = iter(lambda: self.rfile.readline().decode().strip(), "")
                    headers = dict(line.split(": ", 1) for line in lines)
                    status, told, body = camera._answer(request, headers, password)
                    answer = [f"RTSP/1.0 {status}", f"CSeq: {headers['CSeq']}", "Session: 1", *told]
                    answer.append(f"Content-Length: {len(body)}")
                    with writing:
                        self.wfile.write(("\r\n".join(answer) + "\r\n\r\n" + body).encode())
                    if request[0] == "PLAY" and not playing:
                        playing = True
                        threading.Thread(target=self.play, args=(writing,), daemon=True).start()

            def play(self, writing: threading.Lock) -> None:
                try:
                    number = 0
                    while (picture := camera.shoot(camera.sent)) is not None:
                        for packet in _packets(picture, number, round(time.monotonic() * 90000)):
                            with writing:
                                self.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
                            number += 1
                        camera.sent += 1
                        time.sleep(0.05)
                    self.connection.shutdown(2)
                except OSError:
                    pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, *_: object) -> None:
                pass  # the client has gone

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"rtsp://127.0.0.1:{self._server.server_address[1]}/live"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def _answer(
        self, request: list[str], headers: dict[str, str], password: str
    ) -> tuple[str, list[str], str]:
        """The status, further headers and the body of the answer to a request."""
        if not may_enter(headers.get("Authorization"), password):
            return "401 Unauthorized", ['WWW-Authenticate: Basic realm="camera"'], ""
        if not request[1].startswith(self.url):
            return "404 Not Found", [], ""
        if request[0] == "DESCRIBE":
            told = [f"Content-Base: {self.url}/", "Content-Type: application/sdp"]
            lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=camera", "c=IN IP4 127.0.0.1", "t=0 0"]
            lines += ["m=video 0 RTP/AVP 26", "a=control:track1", ""]
            return "200 OK", told, "\r\n".join(lines)
        if request[0] == "SETUP":
            return "200 OK", ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1"], ""
        return "200 OK", ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"], ""

    def __enter__(self) -> "RtspCamera":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _packets(picture: Picture, number: int, stamp: int) -> Iterator[bytes]:
    """The RTP packets of `picture`, numbered from `number`; `stamp` is its time in 1/90000 s."""
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    tables, place = b"", 2
    while jpeg[place + 1] != 0xDA:  # the segments before the scan; DQT has the tables of both channels
        (length,) = struct.unpack(">H", jpeg[place + 2 : place + 4])
        if jpeg[place + 1] == 0xDB:
            tables += jpeg[place + 5 : place + 2 + length]
        place += 2 + length
    scan = jpeg[place + 2 + struct.unpack(">H", jpeg[place + 2 : place + 4])[0] : -2]
    height, width = picture.shape[:2]
    for at in range(0, len(scan), _MOST_BYTES):
        part = scan[at : at + _MOST_BYTES]
        marker = 0x80 if at + _MOST_BYTES >= len(scan) else 0
        head = struct.pack(">BBHII", 0x80, marker | 26, number & 0xFFFF, stamp & 0xFFFFFFFF, 1)
        # Type 1 is 4:2:0; quality 255 says that the first packet carries the quantization tables.
        head += struct.pack(">B3sBBBB", 0, at.to_bytes(3, "big"), 1, 255, width // 8, height // 8)
        head += struct.pack(">BBH", 0, 0, len(tables)) + tables if at == 0 else b""
        yield head + part
        number += 1
