"""The picture of each play: the card as the camera saw it when it was booked.

If the host allows footage (`footage.py`), pictures of the table at the plays of a flag are kept as well. The pictures
lie beside the evening's database, on this computer alone. They are deleted when the evening is settled and when the
program ends. After a kill or a power cut, the next start keeps the pictures of a recent evening that goes on, and
deletes all others. The host may save them before.
"""

import contextlib
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracker.files import private_folder, replace_file

if TYPE_CHECKING:
    import numpy as np

    from vision.watching.eyes import WatchUpdate

_OURS = re.compile(r"[0-9]+|hand|film")
"""The folders that are made here: one for each evening, by its number, one for footage, and one for a film."""
_WIDTH, _HEIGHT = 183, 336  # px: three to the millimetre of a 61 x 112 mm card


class Evidence:
    """JPEG pictures of plays, by the play's number, in a folder for each evening; `known` are those that have one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root
        self.known: set[int] = set()
        self._ended = False

    def begin(self, evening: int) -> None:
        """Use the folder of the evening with this number, and delete the pictures of all others."""
        self.folder = self.root / str(evening)
        self._delete_but(self.folder)
        self.known = {int(path.stem) for path in self.folder.glob("*.jpg") if path.stem.isdecimal()}

    def keep(self, seq: int, sighting: int, update: "WatchUpdate") -> None:
        """Save the picture of `sighting` in `update` for the play `seq`, if the sighting is in view there."""
        import cv2

        if self._ended:
            return
        corners = next((seen.corners_px for seen in update.cards if seen.sighting == sighting), None)
        try:
            if corners is not None:
                picture = upright_card(update.frame, corners)
            elif sighting in update.gone_crops:
                crop = update.gone_crops[sighting]
                picture = cv2.resize(crop, (_WIDTH, _HEIGHT), interpolation=cv2.INTER_CUBIC)
            else:
                return
            _, jpeg = cv2.imencode(".jpg", picture)
            private_folder(self.folder)
            replace_file(self.folder / f"{seq}.jpg", jpeg.tobytes())
        except (OSError, cv2.error):
            return  # the disk is full, or the corners cannot be cut out: the play has no picture
        self.known.add(seq)

    def picture(self, seq: int) -> bytes | None:
        """The JPEG of the play `seq`, or None."""
        if seq not in self.known:  # `seq` may be too long for a file name
            return None
        try:
            return (self.folder / f"{seq}.jpg").read_bytes()
        except OSError:
            return None

    def keep_moment(self, seq: int, name: str, jpeg: bytes) -> None:
        """Save `jpeg`, a picture of the table at the play `seq`, under `name`."""
        if self._ended:
            return
        try:
            private_folder(self.folder)
            replace_file(self.folder / f"{seq}-{name}.jpg", jpeg)
        except OSError:
            return  # as above

    def moment(self, seq: int, name: str) -> bytes | None:
        """The JPEG saved under `name` for the play `seq`, or None."""
        try:
            return (self.folder / f"{seq}-{name}.jpg").read_bytes()
        except OSError:
            return None

    def end(self) -> None:
        """Delete every picture, and keep no more."""
        self._ended = True
        self.clear()

    def clear(self) -> None:
        """Delete every picture."""
        self.known = set()
        self._delete_but(None)

    def _delete_but(self, kept: Path | None) -> None:
        """Delete every folder of pictures but `kept`. Files that were not made here stay."""
        with contextlib.suppress(OSError):
            for folder in self.root.iterdir():
                if folder != kept and _OURS.fullmatch(folder.name) and not folder.is_symlink():
                    shutil.rmtree(folder, ignore_errors=True)
            self.root.rmdir()


def upright_card(frame: "np.ndarray[Any, Any]", corners_px: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """The upright card, (336, 183, 3) uint8 BGR, cut from `frame`, (H, W, 3) uint8 BGR.

    `corners_px` (4, 2) go round the card, in px of the frame.
    """
    import cv2
    import numpy as np

    corners = np.asarray(corners_px, dtype=np.float32)
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
        corners = np.roll(corners, 1, axis=0)  # the first side is a short one
    target = np.array([(0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT)], dtype=np.float32)
    along, down = corners[1] - corners[0], corners[2] - corners[1]
    if along[0] * down[1] - along[1] * down[0] < 0:
        corners = corners[[1, 0, 3, 2]]  # they went round the other way
    warp = cv2.getPerspectiveTransform(corners, target)
    return cv2.warpPerspective(frame, warp, (_WIDTH, _HEIGHT), flags=cv2.INTER_AREA)
