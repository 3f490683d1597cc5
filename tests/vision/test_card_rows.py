"""Rows of cards that stay before their players: the newest card nearly covers the last. Drawn cards, real networks."""

import cv2
import numpy as np
import pytest
from drawn import drawn_card, laid

from tracker.cards import CARDS
from vision.arrays import Float32Array
from vision.lab.rendering.pasting import paste
from vision.reading.corners import CornerFinder
from vision.reading.finder import Found
from vision.reading.identifier import Identifier
from vision.watching.sightings import SETTLED_LOOKS, Sighting
from vision.watching.tracking import SightingTracker

CARD = np.array([[-27, -50], [27, -50], [27, 50], [-27, 50]], np.float32)
CROSS = ((640, 270), (720, 367), (630, 460), (550, 350))
"""Where the first card of each row lies, px."""


class RowTable:
    """A table watched frame by frame, ten a second. A card that was read is booked, as a game would."""

    def __init__(self, *cards: str, at: tuple[tuple[int, int], ...] = CROSS, corners: bool = True) -> None:
        """The `cards` begin their rows `at` these places, px; without `corners` there is no close look."""
        self.frame = laid()
        self.tracker = SightingTracker(Identifier(), CornerFinder() if corners else None)
        self.boxes: dict[int, Float32Array] = {}
        self._at, self._frames, self._booked = at, 0, dict[int, Float32Array]()
        for row, card in enumerate(cards):
            self.lay(row, card, frames=4)

    def lay(
        self, row: int, card: str, up_px: float = 0, longer_px: float = 0, frames: int = 12
    ) -> Float32Array:
        """Lay a `card` so far above the first of its row and watch it; returns its corners (4, 2) px.

        It is found instead of the one that it covers, in a box that takes in so much of the cards below.
        """
        corners_px = (CARD + np.float32(self._at[row]) - np.float32((0, up_px))).astype(np.float32)
        paste(self.frame, drawn_card(card), corners_px)
        self.boxes[row] = corners_px + np.float32(((0, 0), (0, 0), (0, longer_px), (0, longer_px)))
        self.watch(frames)
        return corners_px

    def watch(self, frames: int, *passing_px: Float32Array) -> None:
        """Watch the table for so many frames, in which boxes `passing_px` are found, too."""
        for _ in range(frames):
            found = [Found(px.astype(np.float32), True, 0.9) for px in (*self.boxes.values(), *passing_px)]
            self.tracker.update(self.frame, found, self._frames / 10, self._booked)
            self._frames += 1
            read = (s for s in self.tracker.sightings if s.looks >= SETTLED_LOOKS and s.face)
            self._booked = {s.number: s.corners_px for s in read} | self._booked

    def newest(self) -> tuple[str, Sighting]:
        """The newest card: what it surely reads as, and its sighting."""
        newest = max(self.tracker.sightings, key=lambda sighting: sighting.number)
        assert newest.is_sure()
        return newest.read_as, newest


def test_a_card_slid_over_the_last_of_its_row_little_by_little_is_a_card_of_its_own() -> None:
    """The finder gives one box for both, which creeps along; a part of the card below is found beside it."""
    table = RowTable("S7", at=((640, 270),), corners=False)
    part_px = table.boxes[0] + np.float32((0, 19))
    table.lay(0, "SR", up_px=16, frames=0)
    over_px = table.boxes[0]
    for left_px in (13, 9, 5, 0):
        table.boxes[0] = over_px + np.float32((0, left_px))
        table.watch(1, part_px)
    table.watch(14, part_px)
    name, newest = table.newest()
    assert name == "SR" and newest.number > 1


@pytest.mark.parametrize(("under", "over"), [("D2", "F"), ("T5", "F")])
def test_a_card_in_a_row_is_read_by_itself_and_not_with_the_one_underneath(under: str, over: str) -> None:
    """From the row alone the corners would be those of both cards, and the name that of the one underneath."""
    table = RowTable(under, "T7", "DR", "C4")
    table.lay(0, over, up_px=20, longer_px=1, frames=4)
    name, newest = table.newest()
    assert name == over
    assert newest.height_px == pytest.approx(100, rel=0.04)


@pytest.mark.parametrize("things", [False, True])
def test_a_box_round_a_card_and_those_under_it_is_cut_where_it_lies_on_them(things: bool) -> None:
    """Finder and close look take in the inner ends of the row; the table's plane tells how long a card is.

    With `things` the Talon, which touches the rows, and two cases lie there: none tells it.
    """
    table = RowTable()
    for place, (wide, high, at) in enumerate(
        [(2.2, 0.96, (635, 365)), (1.2, 1.45, (1000, 560)), (1.2, 1.45, (250, 560))]
    ):
        if things:
            table.boxes[-place - 1] = CARD * np.float32((wide, high)) + np.float32(at)
            cv2.fillConvexPoly(table.frame, table.boxes[-place - 1].astype(np.int32), (90, 60, 160))
            table.watch(1)
    for row, card in enumerate(("T13", "SC", "S10", "SV")):
        table.watch(1, CARD + np.float32(CROSS[row]) + np.float32((0, 60)))  # on its way
        table.lay(row, card, frames=3)
    table.lay(0, "T6", up_px=14, longer_px=14, frames=6)
    over_px = table.lay(0, "DV", up_px=30, longer_px=28, frames=6)
    name, newest = table.newest()
    assert name == "DV"
    assert newest.corners_px == pytest.approx(over_px, abs=4)


@pytest.mark.parametrize(
    ("first", "second", "third", "step", "longer"),
    [("D5", "CD", "T4", 16, 32), ("D8", "T15", "D3", 14, 26), ("S9", "SR", "H10", 19, 31)],
)
def test_a_close_look_that_takes_a_side_of_a_card_below_does_not_place_the_new_card_there(
    first: str, second: str, third: str, step: int, longer: int
) -> None:
    """The box of the third card of a row begins where the first lies, and the close look finds an end of that one."""
    table = RowTable(first, "T1", "DR", "D9")
    table.lay(0, second, up_px=step)
    over_px = table.lay(0, third, up_px=2 * step, longer_px=longer)
    name, newest = table.newest()
    assert name == third
    assert newest.corners_px == pytest.approx(over_px, abs=5)


@pytest.mark.slow
def test_boxes_that_take_in_the_row_underneath_do_not_tell_the_tables_plane() -> None:
    """In row after row the newest card's box begins on those under it: nothing was moved."""
    first = ("T13", "SC", "S10", "SV")
    table = RowTable(*first, at=((300, 520), (560, 520), (820, 520), (1080, 520)))
    deck = [card for card in CARDS if card not in first]
    for k in range(16):
        over_px = table.lay(k % 4, deck[4 * k], up_px=36 * (k // 4 + 1), longer_px=30, frames=5)
        name, newest = table.newest()
        assert name == deck[4 * k]
        assert newest.corners_px == pytest.approx(over_px, abs=5), name
