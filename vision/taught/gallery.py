"""A taught deck: embeddings of its cards, and a classifier on them that helps the identifier.

The folder of a taught deck has the captured crops, `crops/<CARD>/<n>.png`, and their embeddings by one
model, `embeddings-<model>/`. An embedding is the input of the identifier's last layer. Each crop and each of its
augmentations (light, focus, corners, occlusion) has one, both ways up. For another model the embeddings are
made anew from the crops.

The taught layer is a ridge regression from embeddings to cards. It is solved in closed form, in a fraction
of a second. It counts only where three things hold: the identifier is unsure, the crop is near a taught one,
and the cards read lately correlate with the taught crops at low resolution. So any other deck is read as if none
had been taught. (Embeddings cannot tell decks apart: a good identifier ignores who printed the card.)
"""

import contextlib
import hashlib
import io
import re
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.files import private_folder, replace_file
from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.decks import read_picture
from vision.errors import VisionError
from vision.picture import NOT_A_CARD, rectify
from vision.reading.identifier import CLASSES, Identifier, both_ways
from vision.resources import models_dir
from vision.taught.crops import KEPT_PX, as_read, save_crop, vary

VARIATIONS = 12
"""Pictures embedded for one look: the crop itself and its augmentations."""
RIDGE = 0.01
"""Share of the embeddings' mean variance added to each variance, against overfitting to few looks."""
SHARPNESS = 8.0
"""Natural log of the odds for a full score of the taught layer."""
NEAR, FAR = 0.75, 0.6
"""Cosine similarity to the nearest taught look: from NEAR the taught layer counts in full, below FAR not at all."""
DOUBTED, CERTAIN = 0.7, 0.97
"""The identifier's own probability: up to DOUBTED the taught layer counts in full, from CERTAIN not at all."""
DECK_LIKE = 0.47
"""The taught deck counts as in use if the cards read lately correlate this well, in the mean, with their taught looks.

They are compared as thumbnails of `SMALL_PX`. Taught decks have 0.46 to 0.69. Others have up to 0.42, or 0.56
with the same art (two printings of the Grimaud pack).
"""
SMALL_PX = 20
"""Side of those thumbnails in px; at this size, corners a few per cent off do not matter."""
DECK_CARDS = 8
"""Different cards to be read before the taught deck can count as in use."""

_NONE = CLASSES.index(NOT_A_CARD)


class Gallery:
    """The taught looks of one deck; `looks` counts them by card.

    `on_table`: whether this deck is being read; None lets the gallery decide.
    """

    def __init__(self, folder: Path, identifier: "Identifier", model: Path | None = None) -> None:
        """Open the deck in `folder` for `identifier`; the folder is made with the first card.

        `model` is the identifier's file (default: the shipped one). Missing embeddings are made from the crops.
        Raises `VisionError` when a crop cannot be read, or when there are no crops but embeddings of another model.
        """
        self.folder = folder
        self._identifier = identifier
        self._kept = _embeddings_dir(folder, model)
        self.on_table: bool | None = None
        self._load()

    def _load(self) -> None:
        self.looks: Counter[str] = Counter()
        self._crops: list[UInt8Array] = []
        self._labels: list[int] = []
        self._plain: list[Float32Array] = []
        self._small: list[Float32Array] = []
        self._gram: Float64Array | None = None
        self._total = self._card_totals = np.zeros(0)
        self._count = 0
        self._read_right = 0
        self._fitted = False
        self._evidence: dict[int, float] = {}
        paths = [path for card in CARDS for path in sorted(_crops(self.folder, card))]
        if not paths and any(any(kept.glob("*.npz")) for kept in _embeddings(self.folder)):
            raise VisionError(
                f"{self.folder}: was taught to another model and its crops are missing; enrol the deck again"
            )
        for path in paths:
            self._take(path)
        for other in _embeddings(self.folder):
            if other != self._kept:  # of a model no longer used
                with contextlib.suppress(OSError):
                    _delete_embeddings(other)

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards not taught yet, in the order of the deck."""
        return tuple(card for card in CARDS if not self.looks[card])

    def add(self, card: str, crop: UInt8Array) -> None:
        """Teach `card` by `crop`, a square of its full rectangle, and save it.

        Raises `VisionError` when it cannot be saved.
        """
        self._take(
            save_crop(self.folder / "crops", card, cv2.resize(crop, (KEPT_PX, KEPT_PX)).astype(np.uint8))
        )

    def forget(self, card: str) -> None:
        """Forget every look of `card`; raises `VisionError` if that fails."""
        forget_card(self.folder, card)
        self._load()

    def _take(self, path: Path) -> None:
        card = path.parent.name
        kept = self._kept / f"{card}-{path.stem}.npz"
        crop = as_read(read_picture(path))
        try:
            with np.load(kept) as found:
                embeddings, right = found["embeddings"].astype(np.float32), bool(found["right"])
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            embeddings, right = self._embed(card, crop)
            with contextlib.suppress(OSError):  # on a full disk they are made again next time
                private_folder(self._kept)
                packed = io.BytesIO()
                np.savez(packed, embeddings=embeddings.astype(np.float16), right=right)
                replace_file(kept, packed.getvalue())
        self._crops.append(crop)
        self._labels.append(CARDS.index(card))
        self._plain.append(embeddings[0])
        self._small.append(_small(crop))
        self.looks[card] += 1
        self._read_right += right
        rows = embeddings.reshape(-1, embeddings.shape[-1]).astype(np.float64)
        if self._gram is None:
            self._gram = np.zeros((rows.shape[1], rows.shape[1]))
            self._total = np.zeros(rows.shape[1])
            self._card_totals = np.zeros((len(CARDS), rows.shape[1]))
        self._gram += rows.T @ rows
        self._total = self._total + rows.sum(0)
        self._card_totals[CARDS.index(card)] += rows.sum(0)
        self._count += len(rows)
        self._fitted = False

    def _embed(self, card: str, crop: UInt8Array) -> tuple[Float32Array, bool]:
        """Embeddings (VARIATIONS, 2, E) of `crop`, and whether the identifier alone names it correctly."""
        rng = np.random.default_rng(len(self._crops))
        views = [crop, *(vary(rng, crop, self._crops[-40:]) for _ in range(VARIATIONS - 1))]
        probabilities, embeddings = self._identifier.classify(both_ways(views))
        named = int(np.log(np.maximum(probabilities[:2], 1e-6)).mean(0).argmax())
        return embeddings.reshape(VARIATIONS, 2, -1), named == CARDS.index(card)

    def _fit(self) -> None:
        """Solve for the taught layer from the sums that `_take` keeps."""
        assert self._gram is not None
        self._mean = self._total / self._count
        covariance = self._gram / self._count - np.outer(self._mean, self._mean)
        covariance[np.diag_indices_from(covariance)] += RIDGE * np.trace(covariance) / len(covariance)
        self._taught = np.array(sorted(set(self._labels)))
        shares = np.bincount(self._labels, minlength=len(CARDS))[self._taught] / len(self._labels)
        targets = self._card_totals[self._taught] / self._count - shares[:, None] * self._mean
        self._layer = np.linalg.solve(covariance.astype(np.float32), targets.T.astype(np.float32))
        self._shares = shares.astype(np.float32)
        plain = np.asarray(self._plain, np.float32) - self._mean.astype(np.float32)
        self._directions = plain / np.linalg.norm(plain, axis=-1, keepdims=True)
        # Trust the identifier on this deck as often as a person confirmed its names.
        self._trust = 0.5 * (self._read_right / len(self._labels)) ** 2
        self._fitted = True

    def nearness(self, embeddings: Float32Array) -> Float32Array:
        """Cosine similarity (N,) of crops to their nearest look; `embeddings` (N, 2, E) are both ways up."""
        if not self._fitted:
            self._fit()
        centred = embeddings - self._mean.astype(np.float32)
        centred /= np.maximum(np.linalg.norm(centred, axis=-1, keepdims=True), 1e-6)
        same = np.einsum("nwe,mwe->nm", centred, self._directions)
        turned = np.einsum("nwe,mwe->nm", centred[:, ::-1], self._directions)
        return np.asarray(np.maximum(same, turned).max(1) / 2, np.float32)

    def join(
        self, crops: Sequence[UInt8Array], probabilities: Float32Array, embeddings: Float32Array
    ) -> Float32Array:
        """The identifier's `probabilities` (N, 79) for N `crops`, combined with the taught layer's.

        `embeddings` (N, 2, E) are of the crops both ways up. A crop far from every look keeps its
        probabilities, and so do cards that were not taught.
        """
        if len(self.looks) < 2 or not len(probabilities):
            return probabilities
        near = self.nearness(embeddings)
        scores = (embeddings - self._mean.astype(np.float32)).mean(1) @ self._layer + self._shares
        confidence = probabilities.max(1)
        named = probabilities.argmax(1)
        for i, crop in enumerate(crops):
            card = named[i] if confidence[i] > DOUBTED else self._taught[scores[i].argmax()]
            self._compare(int(card), crop)
        weight = np.clip((near - FAR) / (NEAR - FAR), 0, 1) * np.clip(
            (CERTAIN - confidence) / (CERTAIN - DOUBTED), 0, 1
        )
        weight = (weight * self._is_on_table())[:, None]
        known = np.append(self._taught, _NONE)
        identified = np.log(np.maximum(probabilities[:, known], 1e-6))
        taught = np.concatenate([SHARPNESS * scores, np.zeros((len(scores), 1), np.float32)], axis=1)
        joined = (1 - weight + weight * self._trust) * identified + weight * taught
        joined = np.exp(joined - joined.max(1, keepdims=True))
        result = probabilities.copy()
        result[:, known] = (
            joined / joined.sum(1, keepdims=True) * probabilities[:, known].sum(1, keepdims=True)
        )
        return np.asarray(result, np.float32)

    def _compare(self, card: int, crop: UInt8Array) -> None:
        """Record how well `crop` correlates with the taught looks of `card`."""
        looks = [look for label, look in zip(self._labels, self._small, strict=True) if label == card]
        if not looks:
            return
        small = _small(crop)
        self._evidence.pop(card, None)
        self._evidence[card] = max(
            float((look * way).sum()) for look in looks for way in (small, small[::-1, ::-1])
        )
        while len(self._evidence) > 40:
            del self._evidence[next(iter(self._evidence))]

    def _is_on_table(self) -> bool:
        if self.on_table is not None:
            return self.on_table
        likeness = list(self._evidence.values())
        return len(likeness) >= DECK_CARDS and float(np.mean(likeness)) >= DECK_LIKE

    def begin(self) -> None:
        """Forget what was read lately, as another table or deck follows."""
        self._evidence.clear()


class TaughtIdentifier(Identifier):
    """An identifier that knows a taught deck."""

    def __init__(self, folder: Path, path: Path | None = None, threads: int = 1) -> None:
        """Load the identifier `path` and the taught deck in `folder`; raises `VisionError`."""
        super().__init__(path, threads)
        self.gallery = Gallery(folder, self, path)

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the cards at `corners_px`, N of (4, 2), in `frame`, each read both ways up."""
        return self.name_crops([rectify(frame, corners) for corners in corners_px])

    def name_crops(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Probabilities (N, 79) of N crops, each as `read` takes it."""
        probabilities, embeddings = self.classify_both_ways(crops)
        return self.gallery.join(crops, probabilities, embeddings)


def _small(crop: UInt8Array) -> Float32Array:
    """A thumbnail of `crop` without its rim, with mean 0 and norm 1: the dot product of two is their correlation."""
    small = cv2.resize(crop, (SMALL_PX, SMALL_PX), interpolation=cv2.INTER_AREA)[2:-2, 2:-2].astype(
        np.float32
    )
    small = small - small.mean((0, 1))
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)


def open_deck(folder: Path) -> Path:
    """`folder` itself if it has a taught deck; else raises `VisionError`, which says how to teach one."""
    if not _is_taught(folder):
        raise VisionError(
            f"{folder.name}: no such deck was taught; teach it with: tarok decks enrol {folder.name}"
        )
    return folder


def taught_decks(decks_dir: Path) -> dict[str, int]:
    """The number of cards taught of each deck in `decks_dir`, by name."""
    found = {}
    for folder in sorted(decks_dir.glob("*/crops")):
        cards = sum(bool(_crops(folder.parent, card)) for card in CARDS)
        if cards:
            found[folder.parent.name] = cards
    return found


def _embeddings_dir(folder: Path, model: Path | None) -> Path:
    """The folder of the embeddings by `model` (default: the shipped identifier) of the deck in `folder`."""
    digest = hashlib.sha256((model or models_dir() / "identifier.onnx").read_bytes()).hexdigest()[:12]
    return folder / f"embeddings-{digest}"


def is_new_to(folder: Path, model: Path | None = None) -> bool:
    """Whether the taught deck in `folder` has no embeddings by `model` yet, so that they must be made."""
    return _is_taught(folder) and not _embeddings_dir(folder, model).is_dir()


def forget_card(folder: Path, card: str) -> None:
    """Delete all looks of `card` from the deck in `folder`.

    Raises `VisionError` when there are none or they cannot be deleted.
    """
    looks = _crops(folder, card)
    if not looks:
        raise VisionError(f"{folder.name}: {card} was not taught")
    try:
        for path in (*looks, *(path for kept in _embeddings(folder) for path in kept.glob(f"{card}-*.npz"))):
            path.unlink()
    except OSError as error:
        raise VisionError(f"{folder}: {card} cannot be forgotten ({error.strerror})") from error


def forget_deck(folder: Path) -> None:
    """Delete the taught deck in `folder`: the files that the program made, and folders that become empty.

    Raises `VisionError` when there is none or it cannot be deleted.
    """
    open_deck(folder)
    crops = folder / "crops"
    try:
        for kept in _embeddings(folder):
            _delete_embeddings(kept)
        for card in CARDS:
            for path in (*_crops(folder, card), *(crops / card).glob(".*.part")):
                path.unlink()
            _leave(crops / card)
        _leave(crops)
        _leave(folder)
    except OSError as error:
        raise VisionError(f"{folder}: cannot be deleted ({error.strerror})") from error


def _crops(folder: Path, card: str) -> list[Path]:
    """The crops of `card` in `folder` that `save_crop` numbered; other pictures are not the program's."""
    return [path for path in (folder / "crops" / card).glob("*.png") if path.stem.isdecimal()]


def _is_taught(folder: Path) -> bool:
    return any(_crops(folder, card) for card in CARDS)


def _embeddings(folder: Path) -> list[Path]:
    """The folders of embeddings in `folder`, one for each model."""
    return [
        path for path in folder.glob("embeddings-*") if re.fullmatch("embeddings-[0-9a-f]{12}", path.name)
    ]


def _delete_embeddings(kept: Path) -> None:
    for path in (*kept.glob("*-*.npz"), *kept.glob(".*.part"), *kept.glob(".*-*.npz")):
        path.unlink()
    _leave(kept)


def _leave(folder: Path) -> None:
    """Delete `folder` if it is empty; a symbolic link was made by a person and stays."""
    if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
        folder.rmdir()
