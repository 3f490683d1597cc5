"""Why no video comes from a camera in the network: the camera is asked once more, and its answer tells."""

import base64
import http.client
import re
import socket
import urllib.error
import urllib.request
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

_ASK_S: Final = 3.0


def why_unopened(source: str) -> str:
    """Why nothing comes from `source`, a `numeric_address`: a key of `vision.camera.address.FAULTS`. Takes seconds."""
    parts = urlsplit(source)
    try:
        return _asked_by_http(parts) if parts.scheme == "http" else _asked_by_rtsp(parts)
    except urllib.error.HTTPError as error:
        return _refusal(error.code)
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = getattr(error, "reason", error)
        if isinstance(cause, ConnectionRefusedError):
            return "network_closed"
        return "network_silent" if isinstance(cause, OSError) else "network_not_video"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: a camera could send the program to any address."""

    def redirect_request(self, *_: object) -> None:
        return None


def _asked_by_http(parts: SplitResult) -> str:
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    logins = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        logins.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        _NoRedirect,
        urllib.request.HTTPBasicAuthHandler(logins),
        urllib.request.HTTPDigestAuthHandler(logins),
    )
    with opener.open(bare, timeout=_ASK_S) as answer:
        kind = answer.headers.get_content_type()
    if kind.startswith("image/"):
        return "network_still"
    return "network_stalled" if kind == "multipart/x-mixed-replace" else "network_not_video"


def _asked_by_rtsp(parts: SplitResult) -> str:
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    lines = [f"DESCRIBE {bare} RTSP/1.0", "CSeq: 1", "Accept: application/sdp"]
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        lines.append(f"Authorization: Basic {base64.b64encode(login).decode()}")
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=_ASK_S) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        while len(answer) < 1 << 16 and not (b"\r\n\r\n" in answer and b"m=video" in answer):
            try:
                part = line.recv(4096)
            except TimeoutError:
                break
            if not part:
                break
            answer += part
    if not answer:
        return "network_silent"
    status = re.match(rb"RTSP/\d\.\d (\d{3})\b", answer)
    if status is None:
        return "network_not_video"
    if status[1] != b"200":
        return _refusal(int(status[1]))
    return "network_stalled" if b"m=video" in answer else "network_not_video"


def _refusal(status: int) -> str:
    """The key of `FAULTS` for a status of HTTP or RTSP that is no success."""
    if status in (401, 403):
        return "network_password"
    return "network_path" if status < 500 else "network_stalled"
