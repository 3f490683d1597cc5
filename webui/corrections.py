"""Pictures of cards whose reading a person put right: set aside, if the host agrees, for training."""

from pathlib import Path

from vision.errors import VisionError


def keep_correction(folder: Path, card: str, jpeg: bytes | None) -> None:
    """Set the evidence `jpeg` of a play aside in `folder` as a crop of `card`; nothing without a picture.

    A full disk loses the picture and nothing else: the correction itself is on record.
    """
    if jpeg is None:
        return
    import cv2  # loaded only where there are pictures
    import numpy as np

    from vision.crops import KEPT_PX, save_crop

    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return
    try:
        save_crop(folder, card, cv2.resize(picture, (KEPT_PX, KEPT_PX)).astype(np.uint8))
    except VisionError:
        return
