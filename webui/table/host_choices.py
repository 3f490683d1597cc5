"""What the host chose, remembered beside the evening's database."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from tracker.files import replace_file
from webui.table.kept_json import kept_json

FOOL_WORDS: Final = ("skus", "sciesen")
LONGEST_CURRENCY: Final = 8
_LONGEST: Final = 500


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


def choices_in(saved: Any) -> HostChoices:
    """The choices in what `save_choices` wrote; one that is missing has its default. Raises ValueError for others."""
    if not isinstance(saved, dict):
        raise ValueError("no choices")
    values = {field.name: saved.get(field.name, field.default) for field in fields(HostChoices)}
    for field in fields(HostChoices):
        value = values[field.name]
        if type(value) is not type(field.default):
            raise ValueError(f"{field.name} is no {type(field.default).__name__}")
        if isinstance(value, str) and not (len(value) <= _LONGEST and value.isprintable()):
            raise ValueError(f"{field.name} is no text in one line")
    choices = HostChoices(**values)
    if not 0 <= choices.chip_hundredths < 10**6 or len(choices.currency) > LONGEST_CURRENCY:
        raise ValueError("no value of a chip")
    if choices.fool not in FOOL_WORDS:
        raise ValueError("no word for the fool")
    return choices


def load_choices(path: Path) -> HostChoices:
    """The choices saved at `path`; the defaults if none can be read."""
    try:
        return choices_in(kept_json(path))
    except (OSError, ValueError):
        return HostChoices()
