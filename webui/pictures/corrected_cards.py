"""Pictures of cards that a person corrected, set aside for training if the host agrees.

`tarok train identifier --crops` takes the folder: `<CARD>/<evening>-<play>.png`. The label is the last correction of
the play. A new correction moves the picture, and undoing the correction deletes it.
"""

from pathlib import Path

from tracker.events import PlayCorrected, PlayRemoved, Recorded
from tracker.undo import standing
from vision.errors import VisionError


def corrected_card(recorded: list[Recorded], play: int) -> str | None:
    """The card to which people corrected the play with this number; None if they did not, or removed the play."""
    for record in reversed(standing(recorded)):
        event = record.event
        if isinstance(event, PlayRemoved) and event.seq == play:
            return None
        if isinstance(event, PlayCorrected) and event.seq == play and event.card and event.time_s is None:
            return event.card
    return None


def set_aside(folder: Path, name: str, card: str | None, jpeg: bytes | None) -> None:
    """Keep the picture `jpeg` in `folder` as the crop `name` of `card`, and of no other card.

    Without a card or a picture nothing is kept. A full disk costs only the picture: the correction is on record.
    """
    try:
        for old in folder.glob(f"*/{name}.png"):
            old.unlink()
        if card is None or jpeg is None:
            return
        import cv2  # so that it is loaded only where there are pictures
        import numpy as np

        from vision.taught.crops import KEPT_PX, save_crop

        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if picture is not None:
            save_crop(folder, card, cv2.resize(picture, (KEPT_PX, KEPT_PX)).astype(np.uint8), name)
    except (VisionError, OSError):
        return


def count_crops(folder: Path) -> int:
    """How many pictures `folder` has so far."""
    return sum(1 for _ in folder.glob("*/*.png"))
