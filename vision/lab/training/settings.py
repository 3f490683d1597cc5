"""The settings of a training, from `models/training.toml`, a run of it, and its record."""

import json
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tracker.files import PUBLIC, replace_file
from vision.errors import VisionError
from vision.resources import models_dir

PACKED = ("finder", "corners")
"""Networks that get invented cards as whole packs, beside the scanned ones."""


@dataclass(frozen=True)
class Settings:
    """One table of `models/training.toml`.

    - `width`, `height`: size in px of a training picture. A finder's is a window of a picture of `whole_width` x
      `whole_height`, which the exported network takes; 0 for no windows.
    - `kept`: so many rendered pictures are shown again (`vision.lab.training.shown_again`).
    - `lr0`, `lrf`: the first learning rate, and the last as a share of it.
    - `freeze`: so many first layers keep their weights. Four make training a third faster.
    - shares (0..1), `hardness` and weights: as the comments of the file say.
    """

    model: str
    width: int
    height: int
    epochs: int
    scenes_per_epoch: int
    batch: int
    lr0: float
    lrf: float
    warmup_epochs: float
    weight_decay: float
    freeze: int = 0
    kept: int = 0
    whole_width: int = 0
    whole_height: int = 0
    none_share: float = 0.0
    enlarged_share: float = 0.0
    invented_share: float = 0.0
    table_share: float = 0.0
    hardness: float = 1.0
    court_weight: float = 1.0
    trump_weight: float = 1.0

    @property
    def input_px(self) -> tuple[int, int]:
        """Width and height in px of the exported network's input."""
        return self.whole_width or self.width, self.whole_height or self.height


def load_settings(kind: str, path: Path | None = None) -> Settings:
    """The settings of `kind`, a table of the file at `path` (None: the shipped one).

    Raises `VisionError` that says what is wrong with them.
    """
    path = path or models_dir() / "training.toml"
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
        Settings(**told)  # refuses unknown names, which msgspec passes over
        settings = msgspec.convert(told, Settings)
        for name in ("invented_share", "enlarged_share"):
            if not 0 <= getattr(settings, name) <= 1:
                raise ValueError(f"{name} must be 0 to 1")
        if kind in PACKED and settings.invented_share == 1:
            raise ValueError("invented_share must be below 1: invented packs stand beside those of scans")
    except OSError as error:
        raise VisionError(f"{path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
        raise VisionError(f"{path}: [{kind}] cannot be read: {error}") from error
    return settings


@dataclass(frozen=True)
class Run:
    """One training of a network. A run that was killed goes on from its last weights when it is called again.

    - `decks`: the folders of the decks to learn. `folder`: where the run writes its checkpoints and its record.
    - `workers`: processes that render beside this one, which itself runs on so many `threads`. The network is trained
      on a CUDA device if there is one, else on the processor.
    - `hours`: the run takes that time, whatever the epochs of `settings`.
    - `start`: the weights to begin with. `textures`: a folder of photos to take table tops from
      (`vision.lab.rendering.textures`).
    - `say`: takes the lines of progress.
    """

    decks: Sequence[Path]
    folder: Path
    settings: Settings
    seed: int = 0
    threads: int = 1
    workers: int = 0
    hours: float | None = None
    start: Path | None = None
    textures: Path | None = None
    say: Callable[[str], None] = print

    def write_record(self, kind: str, hours: float, **facts: object) -> None:
        """Write run.json into the folder: what this run of `kind` was given, the `hours` it took, and other `facts`."""
        record = {
            "kind": kind, "settings": self.settings.__dict__, "decks": [path.name for path in self.decks],
            "seed": self.seed, "threads": self.threads, "workers": self.workers, "hours": round(hours, 3),
            "start": self.start.name if self.start else None, **facts,
        }  # fmt: skip
        replace_file(self.folder / "run.json", json.dumps(record, indent=1).encode(), PUBLIC)
