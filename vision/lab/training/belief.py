"""Fitting how the evidence for a card is weighed (`vision.reading.belief`) to rendered tables with their truth."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array
from vision.decks import BACK
from vision.errors import VisionError
from vision.lab.bench.stills import NO_CARD_THERE, SAME_PLACE
from vision.lab.rendering.scene import Scene, Studio, render_scene
from vision.picture import overlap
from vision.reading.belief import (
    BACK_EVIDENCE,
    BOX_EVIDENCE,
    FACE_EVIDENCE,
    SECOND_EVIDENCE,
    Weighed,
    second_evidence,
)
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder, is_part
from vision.reading.identifier import Identifier
from vision.reading.magnified import Candidate, MagnifyingFinder, best_boxes
from vision.watching.attention import FAINTEST
from vision.watching.sightings import Sighting
from vision.watching.still import lying_still

SIZE_PX = (1280, 720)
"""Width and height of the rendered tables."""
SMALLEST_PX = 50.0
"""Height below which cards cannot be read; tables with such cards are left out."""
HARDLY_IN_VIEW = 0.9
"""Probability of a name from which a box that lies on no listed card is left out: tables list no card that is hardly
in view, and such a card may be read all the same.
"""
AT_A_CARD = 0.7
"""IoU with a card from which a box is at it, and not at its neighbour, too."""
SHRUNK = 0.1
"""Ridge of the logistic regression: how much a weight is pulled to 0, in samples."""


@dataclass
class BeliefSamples:
    """The evidence of boxes, each with whether it was right.

    `faces` has all boxes, `backs` those that are no face, `boxes` the candidates, with whether each is at a card by the
    finder's box and by the close look, and `seconds` each two that touch.
    """

    faces: list[tuple[Mapping[str, float], bool]] = field(default_factory=list)
    backs: list[tuple[Mapping[str, float], bool]] = field(default_factory=list)
    boxes: list[tuple[Mapping[str, float], bool]] = field(default_factory=list)
    seconds: list[tuple[Mapping[str, float], bool]] = field(default_factory=list)

    def note_candidates(self, scene: Scene, candidates: Iterable[Candidate]) -> None:
        """Collect what was proposed of a rendered table."""
        cards = [card.corners_px.astype(np.float32) for card in scene.cards]
        for one in candidates:
            at = (min(overlap(one.box.corners_px, px), overlap(one.corners_px, px)) for px in cards)
            self.boxes.append((one.evidence, max(at, default=0.0) >= AT_A_CARD))

    def note(self, scene: Scene, sightings: Sequence[Sighting]) -> None:
        """Collect what was seen of a rendered table: the side of each sighting.

        Of each card one box counts, the one found best.
        """
        cards = [card.corners_px.astype(np.float32) for card in scene.cards]
        named = [card.card for card in scene.cards]
        firsts = set[int]()
        for sighting in sorted(sightings, key=lambda one: -one.best_score):
            shares = [overlap(sighting.corners_px, px) for px in cards]
            greatest = max(shares, default=0.0)
            if greatest < SAME_PLACE:
                # What lies half on a card tells nothing, nor does what may be one that is hardly in view.
                hidden = greatest == 0 and float(sighting.probabilities()[:-1].max()) >= HARDLY_IN_VIEW
                if _is_within(sighting.found_px) and not hidden and greatest < NO_CARD_THERE:
                    self._note_side(sighting, None)
                continue
            card = int(np.argmax(shares))
            # A pack has each card once: what a face with a twin looks like tells nothing.
            is_back = named[card] == BACK
            if card not in firsts and (is_back or named.count(named[card]) == 1):
                firsts.add(card)
                self._note_side(sighting, not is_back)

    def note_seconds(self, scene: Scene, candidates: Sequence[Candidate], rows: Float32Array) -> None:
        """Collect which of the candidates that touch are of one card; `rows` (N, 79) are what each is read as."""
        cards = [card.corners_px.astype(np.float32) for card in scene.cards]
        at: list[tuple[Candidate, Float32Array, int]] = []
        for one, row in zip(candidates, rows, strict=True):
            shares = [_of_card(one.corners_px, px) for px in cards]
            if max(shares, default=0.0) >= SAME_PLACE:
                at.append((one, row, int(np.argmax(shares))))
        for (one, row, card), (other, as_other, other_card) in combinations(at, 2):
            if overlap(one.corners_px, other.corners_px) > 0:
                told = second_evidence(one.corners_px, other.corners_px, (row, as_other))
                self.seconds.append((told, card == other_card))

    def _note_side(self, sighting: Sighting, face: bool | None) -> None:
        """Collect the evidence for the side of a face, a back, or no card (None)."""
        self.faces.append((sighting.face_evidence(), face is True))
        if not face:
            self.backs.append((sighting.back_evidence(), face is False))


def _of_card(corners_px: Float32Array, card_px: Float32Array) -> float:
    """How much (0..1) a box is of a card: at its place, or a part of it."""
    return max(overlap(corners_px, card_px), float(is_part(corners_px, card_px)) * SAME_PLACE)


def _is_within(corners_px: Float32Array) -> bool:
    """Whether a box (4, 2) lies in the picture as a whole."""
    return bool((corners_px >= 0).all() and (corners_px <= SIZE_PX).all())


def belief_samples(
    studio: Studio, tables: int, seed: int, threads: int = 1, say: Callable[[str], None] = print
) -> BeliefSamples:
    """What the shipped weights see of so many tables rendered from `studio`: as the watch does, and magnified.

    Its decks should be such as the finder never saw. Raises `VisionError` when a model cannot be used.
    """
    cv2.setNumThreads(threads)
    close, identifier = CornerFinder(threads=threads), Identifier(threads=threads)
    finder = Finder(threads=threads)
    magnifying, samples = MagnifyingFinder(finder, close), BeliefSamples()
    for number in range(tables):
        scene = render_scene(np.random.default_rng((seed, number)), studio, SIZE_PX)
        heights = [float(np.linalg.norm(card.corners_px[3] - card.corners_px[0])) for card in scene.cards]
        if heights and np.median(heights) < SMALLEST_PX:
            continue
        candidates = magnifying.propose(scene.picture, FAINTEST)
        samples.note_candidates(scene, candidates)
        if candidates:
            rows = identifier.name(scene.picture, [one.corners_px for one in candidates])
            samples.note_seconds(scene, candidates, rows)
        for found in (finder.find(scene.picture, FAINTEST), best_boxes(candidates)):
            tracker = lying_still(scene.picture, found, identifier, close)
            samples.note(scene, tracker.sightings)
        if number % 10 == 9:
            say(f"{number + 1} of {tables} tables")
    return samples


def fit_belief(samples: BeliefSamples) -> Mapping[str, object]:
    """The table fitted to `samples`, as `vision.reading.belief.belief_table` reads it.

    Raises `VisionError` when too little was seen.
    """
    if not samples.faces or not samples.backs:
        raise VisionError("too few tables: no card was seen face up, or none face down")
    told = {
        "face": (samples.faces, FACE_EVIDENCE),
        "back": (samples.backs, BACK_EVIDENCE),
        "box": (samples.boxes, BOX_EVIDENCE),
        "second": (samples.seconds, SECOND_EVIDENCE),
    }
    parts = {name: asdict(_fit(boxes, evidence)) for name, (boxes, evidence) in told.items()}
    return parts | {"samples": {name: len(boxes) for name, (boxes, _) in told.items()}}


def _fit(samples: Sequence[tuple[Mapping[str, float], bool]], names: Sequence[str]) -> Weighed:
    """Logistic regression on evidence less its mean; what is not known counts as the mean."""
    told = np.array([[evidence.get(name, np.nan) for name in names] for evidence, _ in samples], np.float64)
    right = np.array([is_right for _, is_right in samples], np.float64)
    means = np.nanmean(told, 0)
    rows = np.nan_to_num(told - means)
    weights = logistic_weights(np.column_stack([rows, np.ones(len(rows))]), right)
    return Weighed(
        round(float(weights[-1]), 3),
        dict(zip(names, weights[:-1].round(3).tolist(), strict=True)),
        dict(zip(names, means.round(3).tolist(), strict=True)),
    )


def logistic_weights(rows: Float64Array, right: Float64Array) -> Float64Array:
    """The weights (K,) of the columns of `rows` (N, K) that add up to the natural log-odds of `right` (N,), 0 or 1.

    Found by Newton's method.
    """
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chances = 1 / (1 + np.exp(-rows @ weights))
        curve = rows.T @ (rows * (chances * (1 - chances))[:, None]) + SHRUNK * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, rows.T @ (right - chances) - SHRUNK * weights)
    return weights
