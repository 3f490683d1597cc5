"""The training settings of each model, from `models/training.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from vision.errors import VisionError
from vision.resources import models_dir


@dataclass(frozen=True)
class Settings:
    """One table of `models/training.toml`: sizes in px, and `epochs` of `scenes_per_epoch` pictures each.

    A finder is trained on windows, `width` x `height`, of pictures of `whole_width` x `whole_height`. The first
    `freeze` layers keep their weights; freezing four makes training a third faster. With `kept`, as many of the
    rendered pictures are kept and shown again (`vision.lab.training.shown_again`).
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
    invented_share: float = 0.0
    table_share: float = 0.0
    hardness: float = 1.0
    court_weight: float = 1.0
    trump_weight: float = 1.0

    @property
    def input_px(self) -> tuple[int, int]:
        """Width and height of the exported model's input."""
        return self.whole_width or self.width, self.whole_height or self.height


def load_settings(kind: str, path: Path | None = None) -> Settings:
    """The settings of `kind` ("finder", "identifier" or "corners"); raises `VisionError` that says what is wrong."""
    path = path or models_dir() / "training.toml"
    try:
        return Settings(**tomllib.loads(path.read_text())[kind])
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise VisionError(f"{path}: [{kind}] cannot be read: {error}") from error
