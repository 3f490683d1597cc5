"""JPEG pictures as a video (Motion JPEG in AVI): they are copied byte for byte, and nothing is encoded anew."""

import io
import struct
from collections.abc import Sequence
from typing import BinaryIO

_HAS_INDEX = _KEY_FRAME = 0x10


def avi(pictures: Sequence[bytes], size: tuple[int, int], fps: int) -> bytes:
    """A video of the JPEG `pictures`, each `size` (width, height) px, `fps` a second."""
    file = io.BytesIO()
    video = AviWriter(file, size, fps)
    for picture in pictures:
        video.add(picture)
    video.finish()
    return file.getvalue()


class AviWriter:
    """Writes a video into the empty `file`: pictures of `size` (width, height) px, `fps` a second.

    The file is a video only after `finish`. All methods raise OSError. Format: Microsoft, "AVI RIFF File Reference".
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int], fps: int) -> None:
        self.count = 0
        self.bytes = 0
        """How many bytes of pictures were written."""
        self._file, self._size, self._fps = file, size, fps
        self._largest = 0
        self._index: list[bytes] = []
        file.write(self._head())

    def add(self, picture: bytes) -> None:
        """Write one more JPEG picture."""
        chunk = _chunk(b"00dc", picture)
        self._file.write(chunk)
        # The format counts a picture's place from the name of the list of pictures.
        self._index.append(struct.pack("<4sIII", b"00dc", _KEY_FRAME, 4 + self.bytes, len(picture)))
        self.bytes += len(chunk)
        self.count += 1
        self._largest = max(self._largest, len(picture))

    def finish(self) -> None:
        """Write the index, and the numbers of the head that are known only now."""
        self._file.write(_chunk(b"idx1", b"".join(self._index)))
        self._file.seek(0)
        self._file.write(self._head())

    def _head(self) -> bytes:
        """The bytes before the first picture."""
        width, height = self._size
        main = struct.pack(
            "<14I", 1_000_000 // self._fps, self._largest * self._fps, 0, _HAS_INDEX, self.count, 0, 1,
            self._largest, width, height, 0, 0, 0, 0,
        )  # fmt: skip
        stream = struct.pack(
            "<4s4sIHH8I4H", b"vids", b"MJPG", 0, 0, 0, 0, 1, self._fps, 0, self.count, self._largest, 0xFFFFFFFF,
            0, 0, 0, width, height,
        )  # fmt: skip
        bitmap = struct.pack("<IIIHH4s5I", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0)
        stream_list = _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", bitmap))
        head = _list(b"hdrl", _chunk(b"avih", main) + stream_list)
        index = 8 + 16 * self.count
        whole = 4 + len(head) + 12 + self.bytes + index
        pictures = b"LIST" + struct.pack("<I", 4 + self.bytes) + b"movi"
        return b"RIFF" + struct.pack("<I", whole) + b"AVI " + head + pictures


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return _chunk(b"LIST", name + data)
