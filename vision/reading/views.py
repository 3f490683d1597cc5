"""The identifier's input: the whole card, and both its ends enlarged.

The index stands at the ends. In a crop of the whole card it is a few px high, and a small network learns to read it
much sooner when it is enlarged. At an end's full width half of the crop's columns are lost. So the corners of an unsure
card are shown larger still.
"""

import cv2
import numpy as np

from vision.arrays import UInt8Array

VIEW_PX = (192, 128)
"""Width and height of the identifier's input: the card, 64 x 128, and its two ends, 128 x 64 each."""

END_SHARE = 0.27
"""Share of the card's height in the view of an end: 30 of 112 mm, which keeps the proportions."""


def views(crop: UInt8Array, share: float = 1.0, *, at_right: bool = False) -> UInt8Array:
    """The identifier's picture (128, 192, 3) of a card's square `crop` (N, N, 3), uint8 BGR both.

    The whole card is on the left. On the right are its upper end and, below it, its lower end turned round. Of each end
    only the upper left corner is shown, or the right one if `at_right`: `share` of its width and height.
    """
    rows, columns = round(crop.shape[0] * END_SHARE * share), round(crop.shape[1] * share)
    shown = slice(crop.shape[1] - columns, None) if at_right else slice(columns)
    ends = [
        cv2.resize(np.ascontiguousarray(end[:rows, shown]), (128, 64), interpolation=cv2.INTER_AREA)
        for end in (crop, crop[::-1, ::-1])
    ]
    whole = cv2.resize(crop, (64, 128), interpolation=cv2.INTER_AREA)
    return np.hstack([whole, np.vstack(ends)]).astype(np.uint8, copy=False)
