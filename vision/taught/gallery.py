"""A taught deck: pictures of its cards, and how a card on the table is named by them.

The folder of a taught deck has the captured crops, `crops/<CARD>/<n>.png`.

The print network says how alike two crops are as pictures of one printed card (`vision.taught.prints`). A deck is
taught because the identifier may be wrong about it. So the taught crops decide, and the identifier only helps: both
are joined as log-probabilities, with the weights below. Where several cards are then likely, the crop is compared with
each of them pixel by pixel (`vision.taught.pixels`), since they may differ in one sign only. What looks like no taught
card keeps the identifier's reading. So does every card once those on the table look like another deck.
"""

from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array, UInt8Array
from vision.decks import read_picture
from vision.picture import rectify
from vision.reading.identifier import NONE, Identifier
from vision.taught.crops import KEPT_PX, as_read, save_crop
from vision.taught.folders import crops_of, forget_card
from vision.taught.pixels import Layers, differences, layers_both_ways
from vision.taught.prints import EMBEDDING, Prints

SHARPNESS = 20.0
"""Natural log-odds of a card for each unit of likeness to it."""
IDENTIFIED = 0.4
"""Weight of the identifier's log-probabilities beside the likeness. With 0.7 more names are surely wrong."""
COMPARED, LIKELY = 4, 0.01
"""The most cards that a crop is compared with pixel by pixel, and how likely each must be: each takes a millisecond."""
BEFORE, DIFFERENT = 0.5, 5.0
"""Weight of the log-probabilities from before this comparison, and log-odds for each unit of `differences`.

Weights of 0.3 to 0.8 and 3 to 8 name as many cards right.
"""
STRANGE, KNOWN = 0.62, 0.75
"""Likeness to the most similar taught crop up to which a crop is none of this deck, and from which it surely is.

Nine of ten hard crops of six decks had 0.75 or more. Cloth, backs and noise have 0.5 to 0.6.
"""
DECK_LIKE = 0.84
"""The least median likeness of the cards seen lately with which the taught deck is on the table.

Six decks had 0.94 to themselves, and 0.87 to 0.9 with covered and blurred cards. They had 0.55 to 0.84 to one another,
but for two that share their pips (0.86).
"""
DECK_CARDS = 8
"""Cards that must be seen before another deck can be told."""
LATELY = 40
"""How many of the last cards tell which deck is in use."""


class Gallery:
    """The taught crops of one deck; `looks` counts them by card.

    `on_table`: whether this deck lies on the table; None lets the gallery decide.
    """

    def __init__(self, folder: Path, prints: Prints) -> None:
        """Open the deck in `folder`, which the first card creates. Raises `VisionError` for a crop it cannot read."""
        self.folder = folder
        self._prints = prints
        self.on_table: bool | None = None
        self._likeness: deque[float] = deque(maxlen=LATELY)
        self._load()

    def _load(self) -> None:
        self.looks: Counter[str] = Counter()
        self._cards = np.zeros(0, np.intp)
        self._embeddings = np.zeros((0, 2, EMBEDDING), np.float32)
        self._layers: list[tuple[Layers, Layers]] = []
        kept = [(card, path) for card in CARDS for path in sorted(crops_of(self.folder, card))]
        self._take([card for card, _ in kept], [as_read(read_picture(path)) for _, path in kept])

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards not taught yet, in the order of the deck."""
        return tuple(card for card in CARDS if not self.looks[card])

    def add(self, card: str, crop: UInt8Array) -> None:
        """Teach `card` by `crop`, a square of its full rectangle, and save it.

        Raises `VisionError` when it cannot be saved.
        """
        kept = cv2.resize(crop, (KEPT_PX, KEPT_PX)).astype(np.uint8)
        save_crop(self.folder / "crops", card, kept)
        self._take([card], [as_read(kept)])

    def forget(self, card: str) -> None:
        """Forget every crop of `card`; raises `VisionError` if that fails."""
        forget_card(self.folder, card)
        self._load()

    def _take(self, cards: Sequence[str], crops: Sequence[UInt8Array]) -> None:
        self._embeddings = np.concatenate([self._embeddings, self._prints.embed_both_ways(crops)])
        self._layers += [layers_both_ways(crop) for crop in crops]
        self._cards = np.append(self._cards, np.array([CARDS.index(card) for card in cards], np.intp))
        self.looks.update(cards)

    def _alike(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """How alike (L, N) each of L taught crops is to each of N crops, the better way up."""
        return np.asarray((self._embeddings @ self._prints.embed(crops).T).max(1))

    def _by_card(self, alike: Float32Array) -> Float32Array:
        """How alike (N, 78) each crop is to the most similar taught crop of each card; -1 for cards not taught."""
        best = np.full((len(CARDS), alike.shape[1]), -1.0, np.float32)
        np.maximum.at(best, self._cards, alike)
        return best.T

    def join(self, crops: Sequence[UInt8Array], probabilities: Float32Array) -> Float32Array:
        """The identifier's `probabilities` (N, 79) for N `crops`, joined with what the taught crops tell.

        A crop unlike every taught crop keeps its probabilities, and so do cards that were not taught.
        """
        if len(self.looks) < 2 or not len(probabilities):
            return probabilities
        alike = self._alike(crops)
        likeness = self._by_card(alike)
        self._likeness.extend(likeness[probabilities[:, NONE] < 0.5].max(1).tolist())
        if not self._is_on_table():
            return probabilities
        taught = np.unique(self._cards)
        known = np.append(taught, NONE)
        told = np.concatenate([likeness[:, taught], np.full((len(crops), 1), STRANGE, np.float32)], axis=1)
        weight = np.clip((likeness.max(1) - STRANGE) / (KNOWN - STRANGE), 0, 1)[:, None]
        identified = np.log(np.maximum(probabilities[:, known], 1e-6))
        joined = (1 - weight + weight * IDENTIFIED) * identified + weight * SHARPNESS * told
        joined = np.exp(joined - joined.max(1, keepdims=True))
        result = probabilities.copy()
        result[:, known] = (
            joined / joined.sum(1, keepdims=True) * probabilities[:, known].sum(1, keepdims=True)
        )
        # A card of another deck, which may be on the table, only looks like one of this deck.
        sure = self.on_table or len(self._likeness) >= DECK_CARDS
        for place in np.flatnonzero(weight[:, 0]) if sure else ():
            self._compare(
                crops[int(place)], alike[:, int(place)], float(weight[place, 0]), result[int(place)]
            )
        return np.asarray(result, np.float32)

    def _compare(self, crop: UInt8Array, alike: Float32Array, weight: float, row: Float32Array) -> None:
        """Divide anew, in `row` (79,), the probability that the likely cards have together, by how `crop` differs.

        Of each card the most similar taught crop is compared; `alike` (L,) is the likeness of all. `weight` (0..1) is
        how surely this is a card of the deck.
        """
        taught = np.unique(self._cards)
        likely = [int(card) for card in taught[np.argsort(-row[taught])][:COMPARED] if row[card] >= LIKELY]
        if len(likely) < 2:
            return
        looks = [int(np.where(self._cards == card, alike, -np.inf).argmax()) for card in likely]
        told = differences(crop, [self._layers[look] for look in looks])
        joined = (1 - weight + weight * BEFORE) * np.log(row[likely]) - weight * DIFFERENT * told
        joined = np.exp(joined - joined.max())
        row[likely] = joined / joined.sum() * row[likely].sum()

    def _is_on_table(self) -> bool:
        if self.on_table is not None:
            return self.on_table
        return len(self._likeness) < DECK_CARDS or float(np.median(self._likeness)) >= DECK_LIKE

    def begin(self) -> None:
        """Forget what was seen lately: another table or deck follows."""
        self._likeness.clear()


class TaughtIdentifier(Identifier):
    """An identifier that knows a taught deck."""

    def __init__(
        self, folder: Path, path: Path | None = None, threads: int = 1, prints: Path | None = None
    ) -> None:
        """Load the identifier `path`, the network `prints` (None: the shipped ones) and the taught deck in `folder`.

        Raises `VisionError` when one of them cannot be used.
        """
        super().__init__(path, threads)
        self.prints = Prints(prints, threads)
        self.gallery = Gallery(folder, self.prints)

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px`, each (4, 2), in `frame`; both ways up are read."""
        return self.name_crops([rectify(frame, corners) for corners in corners_px])

    def name_crops(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Probabilities (N, 79) of N crops, as `classify` takes them."""
        return self.gallery.join(crops, self.classify_both_ways(crops))
