"""What the host chose, remembered beside the evening's database."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tracker.files import replace_file


@dataclass(frozen=True)
class HostChoices:
    """`keep_corrections`: pictures of corrected cards are set aside; `deck`: the taught deck on the table.

    `fair_play`: while a hand is played nobody is told what the players may not look up (ETI-1). `open_table`:
    whoever opens the page may enter what a player may. `chip_hundredths`: what a chip is worth, in hundredths
    of `currency`; 0 where the club plays for none. `fool` is what the club calls it in Danish: skus or sciesen.
    `camera` is the camera chosen last: its number or address, "none" where every card is entered by hand, "" before
    one was chosen.
    `keep_clips`: the pictures of the hand under way wait on the disk, and each correction keeps a clip.
    `training`: the page helps with counting while a hand is played.
    """

    keep_corrections: bool = False
    deck: str = ""
    fair_play: bool = True
    open_table: bool = False
    chip_hundredths: int = 0
    currency: str = "kr."
    fool: str = "skus"
    training: bool = False
    camera: str = ""
    keep_clips: bool = False


def save_choices(path: Path, choices: HostChoices) -> None:
    """Write the choices to `path`; raises OSError."""
    replace_file(path, json.dumps(asdict(choices), ensure_ascii=False).encode())


def load_choices(path: Path) -> HostChoices:
    """The choices saved at `path`; the defaults if none can be read."""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        return HostChoices(
            saved["keep_corrections"] is True,
            str(saved["deck"]),
            # Files of earlier versions have none of these.
            saved.get("fair_play") is not False,
            saved.get("open_table") is True,
            int(saved.get("chip_hundredths", 0)),
            str(saved.get("currency", "kr.")),
            str(saved.get("fool", "skus")),
            saved.get("training") is True,
            str(saved.get("camera", "")),
            saved.get("keep_clips") is True,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return HostChoices()
