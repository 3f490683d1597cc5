"""What the identifier is shown of a card: the whole of it, and both ends enlarged, where its index stands.

Numerals and index letters are a few px high in a crop of the whole card; a small network learns to read
them much sooner when they are as large as digits in a book.
"""

import cv2
import numpy as np

from vision.arrays import UInt8Array

VIEW_PX = (192, 128)
"""Width and height of what the identifier reads: the card, 64 x 128, and its two ends, 128 x 64 each."""

END_SHARE = 0.27
"""Share of the card's height that an end shows: 30 of 112 mm, so that a mm is as long both ways."""


def views(crop: UInt8Array) -> UInt8Array:
    """The identifier's picture (128, 192, 3) of a card's square `crop` (N, N, 3), uint8 BGR both.

    Left the whole card, right its upper end and below that its lower end the other way up.
    """
    rows = round(crop.shape[0] * END_SHARE)
    ends = [
        cv2.resize(end, (128, 64), interpolation=cv2.INTER_AREA)
        for end in (crop[:rows], np.ascontiguousarray(crop[::-1, ::-1][:rows]))
    ]
    whole = cv2.resize(crop, (64, 128), interpolation=cv2.INTER_AREA)
    return np.hstack([whole, np.vstack(ends)]).astype(np.uint8, copy=False)
