"""Writing a video file."""

import shutil
import subprocess
from pathlib import Path

import cv2

from vision.arrays import UInt8Array
from vision.errors import VisionError

CODECS = {
    "h264": ("libx264", ("-preset", "fast", "-crf"), 27, "yuv420p", (".mp4", ".mkv")),
    "mjpeg": ("mjpeg", ("-q:v",), 6, "yuvj420p", (".avi", ".mkv")),
}
"""By codec: ffmpeg's encoder, its options, the default quality, the pixel format, and the file extensions."""


class VideoFile:
    """A video file to write frames to: a context manager that raises `VisionError` when the file is not complete.

    The ffmpeg program writes it where it is installed, else OpenCV (MPEG-4 instead of H.264, in larger files).
    """

    def __init__(
        self, path: Path, size: tuple[int, int], fps: int, quality: int | None = None, codec: str = "h264"
    ):
        """Open `path` for frames of `size` (width, height) px, `fps` a second.

        `codec` is "h264", or "mjpeg" as webcams send it. `quality` is H.264's rate factor (18..35) or MJPEG's
        quantiser (2..31); lower is better. Raises `VisionError` when the file cannot be written.
        """
        self._path = path
        self._pipe: subprocess.Popen[bytes] | None = None
        encoder, options, default_quality, pixels, endings = CODECS[codec]
        if path.suffix.lower() not in endings:
            raise VisionError(f"{path}: {codec} video is written as {' or '.join(endings)}")
        ffmpeg = shutil.which("ffmpeg")
        if ffmpeg:
            command = [
                ffmpeg, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr24",
                "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-", "-c:v", encoder,
                *options, str(default_quality if quality is None else quality), "-pix_fmt", pixels,
                *(("-movflags", "+faststart") if path.suffix.lower() == ".mp4" else ()), str(path),
            ]  # fmt: skip
            self._pipe = subprocess.Popen(command, stdin=subprocess.PIPE)
            return
        fourcc = cv2.VideoWriter.fourcc(*("mp4v" if codec == "h264" else "MJPG"))
        self._writer = cv2.VideoWriter(str(path), fourcc, fps, size)
        if not self._writer.isOpened():
            raise VisionError(f"{path}: cannot be written as a video")

    def write(self, picture: UInt8Array) -> None:
        """Add one frame (H, W, 3) uint8 BGR; raises `VisionError` when it cannot be written."""
        if self._pipe is None:
            self._writer.write(picture)
            return
        assert self._pipe.stdin is not None
        try:
            self._pipe.stdin.write(picture.tobytes())
        except BrokenPipeError as error:
            raise VisionError(f"{self._path}: cannot be written as a video") from error

    def __enter__(self) -> "VideoFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pipe is None:
            self._writer.release()
            return
        self._pipe.communicate()
        if self._pipe.returncode and kind is None:
            raise VisionError(f"{self._path}: cannot be written as a video")
