"""The camera's picture for the page, as JPEG, with the recognised cards drawn in."""

from typing import TYPE_CHECKING

import cv2

from vision.arrays import UInt8Array

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate

_WIDTH, _QUALITY = 960, 80


def as_jpeg(seen: "WatchUpdate | UInt8Array") -> bytes:
    """A picture, or an update's frame with its cards drawn in, at most 960 px wide, as JPEG."""
    import numpy as np

    from vision.watching.drawing import annotate

    picture = seen if isinstance(seen, np.ndarray) else annotate(seen)
    height, width = picture.shape[:2]
    if width > _WIDTH:
        size = (_WIDTH, round(height * _WIDTH / width))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype("uint8", copy=False)
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    assert done
    return data.tobytes()
