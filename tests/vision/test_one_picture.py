"""What `tarok look` tells of a picture, given what the models see there."""

from collections.abc import Mapping, Sequence

import numpy as np
from drawn import laid
from readings import row_of

from vision.arrays import Float32Array, UInt8Array
from vision.picture import NOT_A_CARD
from vision.reading.finder import Found
from vision.watching.still import BACK_SIDE, FACE_SIDE, DetectedCard, detected_cards

CARD_PX = np.array([[0, 0], [66, 0], [66, 120], [0, 120]], np.float32)
PATTERNS = np.random.default_rng(5).integers(40, 216, (3, 12, 7, 3)).astype(np.uint8)


class Table:
    """A picture with cards in it, and what finder and identifier make of each."""

    def __init__(self) -> None:
        self.picture = laid()
        self.found: list[Found] = []
        self.read: list[Mapping[str, float]] = []

    def put(self, pattern: int, score: float, **read: float) -> None:
        """The next card from the left: it shows a pattern, is found with a score (a back's below 0), and read so."""
        x, y = 40 + 140 * len(self.found), 200
        picture = PATTERNS[pattern].repeat(10, axis=0).repeat(10, axis=1)[:120, :66]
        self.picture[y : y + 120, x : x + 66] = picture
        corners_px = (CARD_PX + np.float32((x, y))).astype(np.float32)
        self.found.append(Found(corners_px, score > 0, abs(score)))
        self.read.append(read)

    def find(self, frame: UInt8Array, least_score: float = 0.35) -> list[Found]:
        return [card for card in self.found if card.score >= least_score]

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        rows = []
        for px in corners_px:
            read = self.read[min(round((float(px[:, 0].mean()) - 73) / 140), len(self.read) - 1)]
            rows.append(row_of(read))
        return np.array(rows)

    def told(self) -> list[tuple[str, str]]:
        """The side and likeliest name of each card, from the left; no name for a back."""
        cards = sorted(
            detected_cards(self.picture, self, self), key=lambda card: float(card.corners_px[0, 0])
        )
        return [(card.side, _name(card)) for card in cards]


def _name(card: DetectedCard) -> str:
    return card.names[0][0] if card.names else ""


def test_what_is_hardly_found_is_a_card_if_it_is_read_as_one_and_each_name_is_there_once() -> None:
    table = Table()
    table.put(0, 0.22, S7=0.999)
    table.put(1, 0.22, S8=0.6)
    table.put(2, 0.9, S9=0.999)
    table.put(0, 0.22, S9=0.8, C9=0.15)
    assert table.told() == [(FACE_SIDE, "S7"), (FACE_SIDE, "S8"), (FACE_SIDE, "S9"), (FACE_SIDE, "C9")]


def test_two_that_look_alike_and_read_as_one_card_are_backs() -> None:
    """Two piles with numerals on their backs, read for sure or not. What only reads alike is doubtful, and no back."""
    for chance in (0.6, 0.999):
        piles = Table()
        piles.put(0, 0.8, T11=chance)
        piles.put(1, 0.9, S7=0.999)
        piles.put(0, 0.5, T11=chance)
        assert piles.told() == [(BACK_SIDE, ""), (FACE_SIDE, "S7"), (BACK_SIDE, "")]
    cards = Table()
    cards.put(0, 0.8, H9=0.6, D9=0.3)
    cards.put(1, 0.8, H9=0.5, D9=0.4)
    assert [side for side, _ in cards.told()] == [FACE_SIDE, FACE_SIDE]


def test_one_that_is_less_sure_of_the_same_name_is_another_card() -> None:
    """Nines of two suits look much alike: one is surely read, the other hardly."""
    table = Table()
    table.put(0, 0.9, S9=0.999)
    table.put(0, 0.9, S9=0.5, C9=0.45)
    assert table.told() == [(FACE_SIDE, "S9"), (FACE_SIDE, "C9")]


def test_what_is_found_as_a_back_is_told_as_one_if_it_is_found_well() -> None:
    table = Table()
    table.put(0, -0.9)
    table.put(1, -0.16)
    assert [side for side, _ in table.told()] == [BACK_SIDE]


def test_what_surely_is_no_card_is_not_told() -> None:
    table = Table()
    table.put(0, -0.16, **{NOT_A_CARD: 0.99})
    assert table.told() == []
