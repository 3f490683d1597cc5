"""Cards followed from frame to frame, read by the shipped identifier."""

from collections.abc import Sequence

import numpy as np

from vision.decks import read_picture, sprite_of
from vision.models import CLASSES, Found, Identifier
from vision.resources import datasets_dir
from vision.scene import paste
from vision.sightings import MOST_LOOKS, SURE, SightingTracker

CORNERS = np.array([[280, 160], [362, 160], [362, 310], [280, 310]], np.float32)


def test_a_card_that_was_boxed_badly_is_read_anew_once_its_box_is_right() -> None:
    """All looks were spent on half of the card and the cloth beside it; then the finder sees it as it lies."""
    frame = np.full((480, 640, 3), (60, 110, 40), np.uint8)
    paste(frame, sprite_of(read_picture(datasets_dir() / "drawn" / "T19.png")), CORNERS)
    tracker = SightingTracker(Identifier(), refine=lambda _, corners: corners)

    def read_after(shifts: Sequence[float], start_s: float) -> tuple[str, float]:
        """What the card is read as once boxes so many px above it were found, one in each frame of 0.1 s."""
        for k, shift in enumerate(shifts):
            box = Found((CORNERS - np.float32((0, shift))).astype(np.float32), True, 0.9)
            tracker.update(frame, [box], start_s + k / 10)
        (sighting,) = tracker.sightings
        chances = sighting.probabilities()
        return CLASSES[int(chances.argmax())], float(chances.max())

    assert read_after([58] * (MOST_LOOKS + 2), 0.0)[0] != "T19"
    name, chance = read_after([45, 30, 15, 0, 0, 0, 0], 2.0)
    assert name == "T19" and chance > SURE
