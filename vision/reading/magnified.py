"""A careful look at one picture: magnified for small cards, from afar for large ones, checked by close looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap
from vision.reading.belief import belief_table, box_evidence
from vision.reading.corners import CloseLook, LooksClosely
from vision.reading.finder import (
    ALIKE,
    CROSSED_SCORE,
    SAME_CARD,
    Found,
    Proposes,
    are_crossed,
    are_in_one_place,
    each_once,
    is_part,
)
from vision.reading.plane import MOST_OFF, Plane, hold_to, plane_of

PIECE = 0.6
"""Share of the picture's sides in each of four pieces. They overlap, so that each card is whole in one of them."""
PIECES = tuple((x, y) for x in (0.0, 1 - PIECE) for y in (0.0, 1 - PIECE))
"""Where the pieces' upper left corners are, as shares (x, y) of the picture's sides."""
AFAR = 0.5
"""Size of the frame in the finder's input, as a share, when the finder looks for cards that nearly fill the frame.

The finder sees no card that is as high as its input. At 0.33 to 0.6 of the size it finds all of them.
"""
LARGE = 0.45
"""Least height of a card that is looked for from afar, as a share of the frame's shorter side."""
SHOWN = 0.35
"""Least score of a card that is shown to be taught."""
RIM_PX = 3
"""Distance from the cut edge of a piece below which a box is of half a card."""
DOUBT = 0.2
"""The close look's probability of no card from which on the odds of a face fall, in inverse proportion to it.

A box across two cards is doubted more than a card is. The close look never raises a score: it sees cards in the
columns of a score sheet, too.
"""


@dataclass(frozen=True)
class Candidate:
    """A box that may go round a card, looked at closely.

    `corners_px` (4, 2) are the card's corners by the close look, fitted to the table's plane if that is known.
    `evidence` tells whether they are right, as in `vision.reading.belief.box_evidence`.
    """

    box: Found
    corners_px: Float32Array
    evidence: Mapping[str, float]


class MagnifyingFinder:
    """A finder that looks at the whole picture, at four pieces of it, and from afar. It takes six times as long.

    A box across two cards of a row often scores more than either card. So the close look checks each box, and of the
    boxes of one card the one that fits a card of this table best stays.
    """

    def __init__(self, finder: Proposes, close: LooksClosely):
        """`finder` looks at the whole picture and at each piece, `close` at each box."""
        self._finder = finder
        self._close = close

    def find(self, frame: UInt8Array, least_score: float = 0.35) -> list[Found]:
        """Cards in `frame` (H, W, 3) uint8 BGR, in frame px, best first, each card once.

        A frame that is no larger than the finder's input is not looked at in pieces. Scores are the finder's, lowered
        where the close look doubts that there is a card.
        """
        return best_boxes(self.propose(frame, least_score))

    def propose(self, frame: UInt8Array, least_score: float) -> list[Candidate]:
        """All boxes in `frame` that may be cards, several for each card, with close looks; arguments as in `find`."""
        views = range(self.views_of(frame))
        boxes = [box for view in views for box in self.propose_in(frame, view, least_score)]
        boxes += propose_large(self._finder, frame, least_score)
        return self.candidates(frame, boxes, least_score)

    def views_of(self, frame: UInt8Array) -> int:
        """How many views a frame has: the whole, and the pieces of one that is larger than the finder's input."""
        return 1 + len(PIECES) if max(frame.shape[:2]) > max(self._finder.size) else 1

    def propose_in(self, frame: UInt8Array, view: int, least_score: float) -> list[Found]:
        """All boxes in one view of `frame` that may be cards, several for each card; view 0 is the whole frame."""
        if view == 0:
            return self._finder.propose(frame, least_score)
        return self._propose_in_piece(frame, *PIECES[view - 1], least_score)

    def candidates(self, frame: UInt8Array, boxes: Sequence[Found], least_score: float) -> list[Candidate]:
        """The `boxes` of all views of `frame`, with close looks; of boxes that tell the same place one."""
        best_first = sorted(boxes, key=lambda box: -box.score)
        boxes = each_once(best_first, lambda box, better: overlap(box.corners_px, better.corners_px) > ALIKE)
        looks = self._close.close_looks(frame, [box.corners_px for box in boxes])
        seen = [(box.score, box.corners_px, look) for box, look in zip(boxes, looks, strict=True)]
        plane = plane_of(seen, (frame.shape[1], frame.shape[0]))
        candidates = (_candidate(box, look, plane) for box, look in zip(boxes, looks, strict=True))
        return [one for one in candidates if one.box.score >= least_score]

    def _propose_in_piece(self, frame: UInt8Array, x: float, y: float, least_score: float) -> list[Found]:
        """Boxes in the piece whose upper left corner is at the shares `x` and `y` of the frame's sides."""
        high, wide = frame.shape[:2]
        x0, y0, x1, y1 = (round(v) for v in (x * wide, y * high, (x + PIECE) * wide, (y + PIECE) * high))
        corner = np.array([x0, y0], np.float32)
        boxes = [
            replace(box, corners_px=box.corners_px + corner)
            for box in self._finder.propose(frame[y0:y1, x0:x1], least_score)
        ]
        low = np.array([x0 + RIM_PX if x0 else -np.inf, y0 + RIM_PX if y0 else -np.inf])
        most = np.array([x1 - RIM_PX if x1 < wide else np.inf, y1 - RIM_PX if y1 < high else np.inf])
        return [box for box in boxes if ((low <= box.corners_px) & (box.corners_px <= most)).all()]


def propose_large(finder: Proposes, frame: UInt8Array, least_score: float) -> list[Found]:
    """The boxes in `frame` (H, W, 3) uint8 BGR that may be cards held so close to the camera that they nearly fill it.

    The finder has learnt cards on tables, so it is given the frame from afar, as a part of its input.
    """
    high, wide = frame.shape[:2]
    along, across = finder.size
    scale = AFAR * min(along / max(high, wide), across / min(high, wide))
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    down, right = (round(side * (1 / AFAR - 1) / 2) for side in small.shape[:2])
    afar = cv2.copyMakeBorder(small, down, down, right, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    corner: Float32Array = np.array([right, down], np.float32)
    ratio: Float32Array = np.array([wide / small.shape[1], high / small.shape[0]], np.float32)
    boxes = finder.propose(afar.astype(np.uint8, copy=False), least_score)
    found = [
        replace(box, corners_px=np.asarray((box.corners_px - corner) * ratio, np.float32)) for box in boxes
    ]
    return [box for box in found if box.height_px >= LARGE * min(high, wide)]


def find_shown(finder: Proposes, frame: UInt8Array) -> list[Found]:
    """The cards in `frame` that lie on a table or are held close to the camera, best first, each once."""
    boxes = finder.find(frame, SHOWN) + propose_large(finder, frame, SHOWN)
    return each_once(sorted(boxes, key=lambda box: -box.score), are_of_one_card)


def best_boxes(candidates: Sequence[Candidate]) -> list[Found]:
    """The likeliest candidate for each card, with the best score of those in the same place; best first."""
    table, kept = belief_table().box, list[tuple[Candidate, float]]()
    for one in sorted(candidates, key=lambda one: -table.odds(one.evidence)):
        at = next((k for k, (other, _) in enumerate(kept) if _is_same_card(one, other)), None)
        if at is None:
            kept.append((one, one.box.score))
            continue
        other, score = kept[at]
        if one.box.face == other.box.face and _are_alike(one, other):
            kept[at] = other, max(score, one.box.score)
    boxes = (replace(one.box, score=score) for one, score in kept)
    return sorted(boxes, key=lambda box: -box.score)


def _candidate(box: Found, look: CloseLook, plane: Plane | None) -> Candidate:
    """A box with its corners and evidence by the close `look` and, if it is known, the table's `plane`."""
    none = float(look.sides[2])
    held_px, off = (look.corners_px, None) if plane is None else hold_to(plane, look.corners_px, look.spread)
    fits = look.is_of(box.corners_px) and (off is None or off < MOST_OFF)
    evidence = box_evidence(box.score, box.corners_px, look, off)
    told = replace(box, score=doubted_score(box.score, none)) if box.face else box
    return Candidate(told, held_px if fits else box.corners_px, evidence)


def doubted_score(score: float, none: float) -> float:
    """The score (0..1) of a face, by the finder's `score` and the close look's probability of no card, `none`."""
    share = DOUBT / max(DOUBT, none)
    return score * share / (1 - score + score * share)


def are_of_one_card(box: Found, better: Found) -> bool:
    """Whether a box is of the card of a `better` one: they are in one place, or one is a part of the other."""
    return are_in_one_place(box, better) or _holds_or_is_part(box.corners_px, better.corners_px)


def _is_same_card(one: Candidate, better: Candidate) -> bool:
    """Whether a candidate is of the same card as a `better` one."""
    return _are_alike(one, better) or _holds_or_is_part(one.box.corners_px, better.box.corners_px)


def _holds_or_is_part(one_px: Float32Array, other_px: Float32Array) -> bool:
    """Whether one of two boxes is a part of the other: cards of one size cannot lie within one another."""
    return is_part(one_px, other_px) or is_part(other_px, one_px)


def _are_alike(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates are in nearly one place by both finder and close look.

    Either of them may tell two cards apart that nearly cover one another; only both that they lie across one another.
    """
    crossed = are_crossed(one.box.corners_px, other.box.corners_px) and one.box.score >= CROSSED_SCORE
    if crossed and are_crossed(one.corners_px, other.corners_px):
        return False
    boxes = overlap(one.box.corners_px, other.box.corners_px)
    return boxes > SAME_CARD and overlap(one.corners_px, other.corners_px) > SAME_CARD
