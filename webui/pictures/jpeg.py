"""The camera's pictures as JPEG. OpenCV is loaded only with the first picture."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.arrays import UInt8Array
    from vision.watching.eyes import WatchUpdate

_WIDTH_PX, _QUALITY = 960, 80


def jpeg_of(picture: "UInt8Array", widest: int) -> tuple[bytes, tuple[int, int]]:
    """`picture`, (H, W, 3) BGR, as JPEG of at most `widest` px, and its (width, height). Raises cv2.error."""
    import cv2

    height, width = picture.shape[:2]
    size = (width, height)
    if width > widest:
        size = (widest, round(height * widest / width))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes(), size


def as_jpeg(seen: "WatchUpdate | UInt8Array") -> bytes:
    """A picture, or an update's frame with its cards drawn in, as JPEG for the page. Raises cv2.error."""
    import numpy as np

    from vision.watching.drawing import annotate

    return jpeg_of(seen if isinstance(seen, np.ndarray) else annotate(seen), _WIDTH_PX)[0]
