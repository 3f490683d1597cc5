"""Pictures of cards whose reading a person put right: set aside, if the host agrees, for training.

The folder is one that `tarok train identifier --crops` takes: `<CARD>/<evening>-<play>.png`. A picture is
labelled with the last word on its play: put right again it moves, and a correction undone takes it out.
"""

from collections.abc import Iterable
from pathlib import Path

from tracker.events import Event, EventRetracted, PlayCorrected, PlayRemoved, Recorded
from vision.errors import VisionError


def touched(events: Iterable[Event], recorded: list[Recorded]) -> set[int]:
    """The numbers of the plays whose card these entries put right, or no longer put right."""
    plays = set()
    for event in events:
        while isinstance(event, EventRetracted):
            event = recorded[event.seq - 1].event
        if isinstance(event, PlayCorrected | PlayRemoved):
            plays.add(event.seq)
    return plays


def corrected_card(recorded: list[Recorded], play: int) -> str | None:
    """The card that people say the play with this number was; None where they said nothing, or that it was none."""
    undone: set[int] = set()
    for record in reversed(recorded):
        event = record.event
        if record.seq in undone:
            continue
        if isinstance(event, EventRetracted):
            undone.add(event.seq)
        elif isinstance(event, PlayRemoved) and event.seq == play:
            return None
        elif isinstance(event, PlayCorrected) and event.seq == play and event.card and event.time_s is None:
            return event.card
    return None


def set_aside(folder: Path, name: str, card: str | None, jpeg: bytes | None) -> None:
    """Keep the evidence `jpeg` in `folder` as a crop `name` of `card`, and as nothing else.

    Without a card, or a picture, nothing is kept. A full disk loses the picture and nothing else: the
    correction itself is on record.
    """
    try:
        for old in folder.glob(f"*/{name}.png"):
            old.unlink()
        if card is None or jpeg is None:
            return
        import cv2  # loaded only where there are pictures
        import numpy as np

        from vision.taught.crops import KEPT_PX, save_crop

        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if picture is not None:
            save_crop(folder, card, cv2.resize(picture, (KEPT_PX, KEPT_PX)).astype(np.uint8), name)
    except (VisionError, OSError):
        return


def count_crops(folder: Path) -> int:
    """How many pictures were set aside in `folder` so far."""
    return sum(1 for _ in folder.glob("*/*.png"))
