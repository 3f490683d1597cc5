"""JPEG pictures as a video (Motion JPEG in AVI), byte for byte as they are: nothing is encoded anew."""

import struct
from collections.abc import Sequence

_HAS_INDEX = _KEY_FRAME = 0x10


def avi(pictures: Sequence[bytes], size: tuple[int, int], fps: int) -> bytes:
    """A video of the JPEG `pictures`, each `size` (width, height) px, `fps` a second.

    The format: Microsoft, "AVI RIFF File Reference".
    """
    width, height = size
    count, largest = len(pictures), max(map(len, pictures), default=0)
    main = struct.pack(
        "<14I",
        1_000_000 // fps,
        largest * fps,
        0,
        _HAS_INDEX,
        count,
        0,
        1,
        largest,
        width,
        height,
        0,
        0,
        0,
        0,
    )
    stream = struct.pack(
        "<4s4sIHH8I4H",
        b"vids",
        b"MJPG",
        0,
        0,
        0,
        0,
        1,
        fps,
        0,
        count,
        largest,
        0xFFFFFFFF,
        0,
        0,
        0,
        width,
        height,
    )
    bitmap = struct.pack("<IIIHH4s5I", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0)
    header = _list(
        b"hdrl", _chunk(b"avih", main) + _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", bitmap))
    )
    body, index = [], []
    offset = 4  # counted from the list's own name
    for picture in pictures:
        chunk = _chunk(b"00dc", picture)
        body.append(chunk)
        index.append(struct.pack("<4sIII", b"00dc", _KEY_FRAME, offset, len(picture)))
        offset += len(chunk)
    whole = b"AVI " + header + _list(b"movi", b"".join(body)) + _chunk(b"idx1", b"".join(index))
    return _chunk(b"RIFF", whole)


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return _chunk(b"LIST", name + data)
