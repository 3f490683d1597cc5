"""What the host chose, kept beside the evening's database."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from webui.kept_file import KeptFile, file_beside

FOOL_WORDS: Final = ("skus", "sciesen")
LONGEST_CURRENCY: Final = 8
_LONGEST: Final = 500


@dataclass(frozen=True)
class HostChoices:
    """What the host chose. Raises ValueError for what no page offers.

    - `keep_corrections`: pictures of corrected cards are set aside.
    - `deck`: the taught deck on the table, "" for none.
    - `fair_play`: while a hand is played, what the players may not look up is hidden from everybody (ETI-1).
    - `open_table`: whoever opens the page may enter what a player may.
    - `chip_hundredths`, `point_hundredths`: the worth of a chip, and of a point of a score sheet, in hundredths of
      `currency`; 0 where the club plays for no money.
    - `fool`: the club's Danish word for the fool, skus or sciesen.
    - `training`: the page helps with counting while a hand is played (practice).
    - `camera`: the camera chosen last, by number or address; "none" where every card is entered by hand, "" before one
      was chosen.
    - `keep_clips`: the pictures of the hand under way wait on the disk, and each correction keeps a clip.
    """

    keep_corrections: bool = False
    deck: str = ""
    fair_play: bool = True
    open_table: bool = False
    chip_hundredths: int = 0
    point_hundredths: int = 0
    currency: str = "kr."
    fool: str = "skus"
    training: bool = False
    camera: str = ""
    keep_clips: bool = False

    def __post_init__(self) -> None:
        if not all(map(is_one_line, (self.deck, self.currency, self.camera))):
            raise ValueError("no text in one line")
        worth = (self.chip_hundredths, self.point_hundredths)
        if not all(0 <= one < 10**6 for one in worth) or len(self.currency) > LONGEST_CURRENCY:
            raise ValueError("no value of a chip or a point")
        if self.fool not in FOOL_WORDS:
            raise ValueError("no word for the fool")


def is_one_line(words: str) -> bool:
    """Whether a choice in words is one line, so that it can be kept."""
    return len(words) <= _LONGEST and words.isprintable()


def kept_choices(database: Path) -> KeptFile[HostChoices]:
    """The file of the choices, beside the evening's `database`."""
    return KeptFile(file_beside(database, ".host.json"), HostChoices, HostChoices())
