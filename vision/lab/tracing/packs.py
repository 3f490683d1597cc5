"""Decks for traced tables: folders of scans, shrunk to the resolution that a camera can see."""

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Rng, UInt8Array, one_of
from vision.decks import BACK, deck_pictures, read_picture
from vision.lab.tracing import surfaces
from vision.lab.tracing.geometry import Shape


@dataclass(frozen=True)
class TracedPack:
    """A deck: the files of its `faces` by card and of its `backs`, and its cards' aspect `ratio` (height to width)."""

    name: str
    faces: dict[str, Path]
    backs: tuple[Path, ...]
    ratio: float


def load_pack(folder: Path) -> TracedPack:
    """The deck in `folder` (`<CARD>.png|jpg`, `back*`); raises `VisionError` if it is missing or has no card."""
    faces, backs = deck_pictures(folder)
    some = [read_picture(path).shape for path in list(faces.values())[::10]]
    ratio = float(np.median([height / width for height, width, _ in some]))
    return TracedPack(folder.name, faces, backs, ratio)


def shape_of(rng: Rng, pack: TracedPack) -> Shape:
    """A random printed size of the cards, within the range of real decks."""
    width = rng.uniform(58, 64)
    return Shape(width, width * pack.ratio * rng.uniform(0.98, 1.02), rng.uniform(3, 5.5))


@dataclass
class Album:
    """Pictures saved in `folder` for Blender; those of cards are `height_px` high."""

    folder: Path
    height_px: int
    _cards: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def save(self, picture: UInt8Array) -> str:
        """Save `picture`, (H, W, 3) uint8 BGR, and return its path."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._count += 1
        path = str(self.folder / f"picture{self._count}.png")
        cv2.imwrite(path, picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        return path

    def card(self, pack: TracedPack, card: str) -> str:
        """The path of a card's picture."""
        if card not in self._cards:
            self._cards[card] = self.save(self._shrunk(read_picture(pack.faces[card])))
        return self._cards[card]

    def back(self, rng: Rng, pack: TracedPack) -> str:
        """The path of the deck's back: one of its own or an invented one, chosen once."""
        if BACK not in self._cards:
            own = pack.backs and rng.random() < 0.4
            picture = read_picture(one_of(rng, pack.backs)) if own else surfaces.back(rng)
            self._cards[BACK] = self.save(self._shrunk(picture))
        return self._cards[BACK]

    def _shrunk(self, picture: UInt8Array) -> UInt8Array:
        """`picture` at the cards' height, with paper for transparency: the mesh rounds the corners."""
        bgr = picture[:, :, :3].astype(np.float32)
        if picture.shape[2] == 4:
            alpha = picture[:, :, 3:].astype(np.float32) / np.float32(255)
            bgr = bgr * alpha + np.float32(238) * (1 - alpha)
        size = (max(8, round(bgr.shape[1] * self.height_px / bgr.shape[0])), self.height_px)
        how = cv2.INTER_AREA if bgr.shape[0] > self.height_px else cv2.INTER_CUBIC
        return cv2.resize(bgr, size, interpolation=how).clip(0, 255).astype(np.uint8)
