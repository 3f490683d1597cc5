"""Cards followed from frame to frame, read by the shipped identifier."""

from collections.abc import Sequence
from itertools import count

import numpy as np
import pytest
from drawn import laid
from readings import row_of, unsure

from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap
from vision.reading.corners import CloseLook
from vision.reading.finder import Found
from vision.reading.identifier import CLASSES, Identifier
from vision.watching.sightings import SURE, Sighting
from vision.watching.tracking import SightingTracker
from vision.watching.votes import MOST_LOOKS

CORNERS = np.array([[280, 160], [362, 160], [362, 310], [280, 310]], np.float32)


def aside(right: float, down: float) -> Float32Array:
    """Corners (4, 2) px so far from `CORNERS`."""
    return CORNERS + np.float32((right, down))


def table(*cards: tuple[str, Float32Array]) -> UInt8Array:
    """A picture of a table with these cards, the lowest first."""
    return laid(*cards, size=(640, 480))


def test_a_card_that_was_boxed_badly_is_read_anew_once_its_box_is_right() -> None:
    """All looks were spent on half of the card and the cloth beside it; then the finder sees it as it lies."""
    frame, tracker = table(("T19", CORNERS)), SightingTracker(Identifier())

    def read_after(shifts: Sequence[float], start_s: float) -> tuple[str, float]:
        """What the card is read as once boxes so many px above it were found, one in each frame of 0.1 s."""
        for k, shift in enumerate(shifts):
            tracker.update(frame, [Found(aside(0, -shift), True, 0.9)], start_s + k / 10)
        (sighting,) = tracker.sightings
        return sighting.read_as, float(sighting.probabilities().max())

    assert read_after([58] * (MOST_LOOKS + 2), 0.0)[0] != "T19"
    name, chance = read_after([45, 30, 15, 0, 0, 0, 0], 2.0)
    assert name == "T19" and chance > SURE


def test_a_card_that_is_swept_away_and_hardly_read_on_its_way_keeps_what_was_read_before() -> None:
    tracker, names = SightingTracker(Identifier()), []
    for k, shift in enumerate([0] * 6 + [30, 30]):
        there = aside(0, shift)
        tracker.update(table(("T19", there)), [Found(there, True, 0.9)], k / 10)
    assert [sighting.looks for sighting in tracker.sightings] == [1]
    for k in range(8, 16):
        names += [s.read_as for s in tracker.update(table(), [], k / 10) if s.looks > 1]
    assert names == ["T19"]


@pytest.mark.parametrize(("lies_s", "set_off_s"), [(0.3, -np.inf), (0.9, 0.9)])
def test_what_sets_off_after_it_lay_still_comes_anew(lies_s: float, set_off_s: float) -> None:
    """It may be another card that takes over the track of a box below it. A hand that lays a card may rest on it."""
    tracker = SightingTracker(Identifier())
    for k, box in enumerate([CORNERS] * round(10 * lies_s) + [aside(0, 30)] * 2):
        tracker.update(table(), [Found(box, True, 0.9)], k / 10)
    (sighting,) = tracker.sightings
    assert sighting.first_s == 0.0 and sighting.set_off_s == pytest.approx(set_off_s)


def test_a_card_that_comes_beside_a_larger_thing_is_not_that_thing() -> None:
    """A box as large as two cards was found on the cloth before. The card's arrival is its own."""
    large = np.float32(2) * (CORNERS - CORNERS.mean(0)) + CORNERS.mean(0) + np.float32((90, 30))
    tracker = SightingTracker(Identifier())
    tracker.update(table(), [Found(large, False, 0.3)], 0.0)
    tracker.sightings[0].size = 2.0
    tracker.update(table(("T19", CORNERS)), [Found(CORNERS, True, 0.9)], 0.4)
    assert [sighting.first_s for sighting in tracker.sightings] == [0.0, 0.4]


@pytest.mark.parametrize(
    ("looks", "aside_px", "boxed_px"),
    [
        pytest.param(14, (0, 0), (0, 0), id="exactly on it"),
        pytest.param(8, (0, 0), (0, 0), id="exactly on it, soon"),
        pytest.param(14, (0, 30), (0, 30), id="askew"),
        pytest.param(14, (-20, -20), (-15, -15), id="aside, and boxed half with it"),
    ],
)
@pytest.mark.parametrize("unsure_every", [0, 3], ids=["every look is sure", "not every look is sure"])
def test_a_card_laid_on_one_that_was_read_is_a_card_of_its_own(
    looks: int, aside_px: tuple[int, int], boxed_px: tuple[int, int], unsure_every: int
) -> None:
    one, both = table(("S7", CORNERS)), table(("S7", CORNERS), ("SR", aside(*aside_px)))
    shown = [(one, (0, 0))] * looks + [(both, boxed_px)] * 14
    (sighting,) = followed(shown, Wavering(unsure_every))
    assert sighting.read_as == "SR" and sighting.is_sure()
    assert sighting.number == 2 and sighting.upon == 1


@pytest.mark.parametrize("unsure", [False, True], ids=["and surely read", "and hardly read"])
def test_a_card_laid_askew_is_a_card_of_its_own_though_the_one_below_is_found_anew(unsure: bool) -> None:
    """The track of the seven goes over to the rider on it. Of the seven a rim is found anew, and reads as the seven."""
    one, both = table(("S7", CORNERS)), table(("S7", CORNERS), ("SR", aside(0, 30)))
    identifier = HardlyThere()
    tracker = SightingTracker(identifier)
    below, above = Found(CORNERS, True, 0.9), Found(aside(0, 30), True, 0.9)
    for k in range(14):
        tracker.update(one, [below], k / 10)
    identifier.unsure = unsure
    for k in range(14, 34):
        rim = [Found(CORNERS, True, 0.35)] if k > 15 else []
        tracker.update(both, [above, *rim], k / 10)
    read = {s.read_as: s for s in tracker.sightings}
    assert read.keys() == {"S7", "SR"} and read["SR"].is_sure() and read["SR"].upon == 1
    assert read["S7"].is_sure() != unsure


@pytest.mark.parametrize(
    ("king_score", "king_is_sure", "off", "told"),
    [
        pytest.param(0.9, True, None, True, id="a ten is no reading of what surely is a king"),
        pytest.param(0.9, False, None, False, id="what lies there may be a ten"),
        pytest.param(0.9, False, 0.5, True, id="a whole card lies on all that landed before it"),
        pytest.param(0.4, False, None, True, id="what is found poorly lies on nothing that is found well"),
    ],
)
def test_a_card_laid_on_two_others_is_a_card_of_its_own_unless_one_of_them_may_cover_it(
    king_score: float, king_is_sure: bool, off: float | None, told: bool
) -> None:
    """The king lies over an end of the seven; then a ten comes onto both, and takes over the track of the seven.

    What is left of a card below another may read as a third one. It fits no whole card of the table.
    """
    tracker, time_s = SightingTracker(Identifier() if king_is_sure else UnsureOf("SR")), count()
    king_px, ten_px = aside(40, 70), aside(0, 30)
    cards = [("S7", CORNERS), ("SR", king_px), ("T10", ten_px)]
    for number, found in enumerate(([CORNERS], [CORNERS, king_px], [ten_px, king_px]), start=1):
        frame = table(*cards[:number])
        for _ in range(14):
            finds = [Found(px, True, king_score if px is king_px else 0.9) for px in found]
            tracker.update(frame, finds, next(time_s) / 10)
            tracker.sightings[0].off = off
    upon = [sighting.upon for sighting in tracker.sightings if sighting.read_as == "T10"]
    assert upon == [1 if told else 0]


def test_a_card_laid_askew_on_one_that_lies_on_another_is_a_card_of_its_own() -> None:
    """The card that is covered lay on another one itself; that one is no reason to read nothing there."""
    tracker = SightingTracker(Identifier())
    low_px, top_px, time_s = aside(-40, 90), aside(-20, -15), count()
    cards = [("H6", low_px), ("H9", CORNERS), ("T10", top_px)]
    # The finder sees one card where two lie nearly on each other.
    for number, found in enumerate(([low_px], [low_px, CORNERS], [low_px, top_px]), start=1):
        frame = table(*cards[:number])
        for _ in range(14):
            tracker.update(frame, [Found(px, True, 0.9) for px in found], next(time_s) / 10)
    read = {s.read_as: s for s in tracker.sightings}
    assert read.keys() == {"H6", "T10"} and read["T10"].upon == 2


def test_a_card_that_slides_over_what_was_hardly_found_does_not_make_it_well_found() -> None:
    """A faint box across two cards was read for a while; then the trick is swept, and a card slides over the place."""
    frame, swept = table(("T19", aside(40, 0))), table(("SR", CORNERS))
    tracker = SightingTracker(Identifier())
    for k in range(6):
        tracker.update(frame, [Found(CORNERS, True, 0.2)], k / 10)
    tracker.update(swept, [Found(CORNERS, True, 0.9)], 0.6)
    assert tracker.sightings[0].best_score == 0.2


@pytest.mark.parametrize(
    ("score", "moved_px"),
    [
        pytest.param(0.6, 150, id="a card too fast to be followed was there"),
        pytest.param(0.25, 0, id="a faint box across cards that lie there was no card"),
    ],
)
def test_a_card_came_from_where_one_was_found_a_moment_before(score: float, moved_px: float) -> None:
    tracker = SightingTracker(Identifier())
    tracker.update(table(), [Found(CORNERS, True, score)], 0.0)
    tracker.update(table(), [Found(aside(150, 0), True, 0.8)], 0.1)
    (card,) = (sighting for sighting in tracker.sightings if sighting.found)
    assert card.came_from_px is not None
    assert float(np.linalg.norm(card.center_px - card.came_from_px)) == pytest.approx(moved_px, abs=1)


def test_how_well_a_thing_was_found_on_its_way_tells_nothing_of_where_it_lies() -> None:
    """A card is followed as it comes. Then a faint box across others has the track, and the card another one."""
    tracker = SightingTracker(Identifier())
    for k, (shift, score) in enumerate([(-80, 0.9), (-40, 0.9), (0, 0.2), (0, 0.3), (0, 0.25)]):
        tracker.update(table(), [Found(aside(shift, 0), True, score)], k / 30)
    (sighting,) = tracker.sightings
    assert sighting.best_score == 0.3


def test_a_card_laid_beside_what_was_hardly_found_is_one_that_came_then() -> None:
    """Its player is told by the hand that laid it, not by the one before which the faint box came."""
    before = [("T19", aside(60, 0))]
    frame, after = table(*before), table(*before, ("SR", aside(0, 25)))
    tracker = SightingTracker(Identifier())
    for k in range(6):
        tracker.update(frame, [Found(CORNERS, True, 0.2)], k / 10)
    for k in range(6, 16):
        tracker.update(after, [Found(aside(0, 25), True, 0.9)], k / 10)
    (card,) = tracker.sightings
    assert (card.number, card.first_s) == (2, 0.6)
    assert card.read_as == "SR" and card.is_sure()


def test_a_card_that_is_nudged_is_the_same_card() -> None:
    before, after = table(("S7", CORNERS)), table(("S7", aside(0, 30)))
    (sighting,) = followed([(before, (0, 0))] * 14 + [(after, (0, 30))] * 14)
    assert sighting.read_as == "S7" and sighting.number == 1


def test_a_card_on_which_fingers_rest_is_the_same_card() -> None:
    bare = table(("S7", CORNERS))
    held = bare.copy()
    held[150:230, 300:370] = (120, 150, 200)
    (sighting,) = followed([(bare, (0, 0))] * 14 + [(held, (0, 0))] * 14 + [(bare, (0, 0))] * 14)
    assert sighting.read_as == "S7" and sighting.number == 1


def test_a_card_that_was_read_surely_is_read_no_more_while_most_of_it_lies_under_another() -> None:
    """All that a look at it would show is the other card."""
    tracker = SightingTracker(Identifier())
    before, after = table(("T4", CORNERS)), table(("T4", CORNERS), ("T13", aside(0, 40)))
    lower, upper = Found(CORNERS, True, 0.9), Found(aside(0, 40), True, 0.9)
    for k in range(5):
        tracker.update(before, [lower], k / 10)
    (four,) = tracker.sightings
    looks = four.looks
    assert four.is_sure() and looks < MOST_LOOKS
    for k in range(5, 18):
        tracker.update(after, [lower, upper], k / 10)
    sightings = {s.read_as: s for s in tracker.sightings}
    assert sorted(sightings) == ["T13", "T4"]
    assert sightings["T4"].looks == looks and sightings["T13"].looks > 3


def test_what_is_found_of_a_card_partly_under_another_is_no_card_laid_on_it() -> None:
    """A card comes to lie over one end of T18; what is left is found as a smaller card, and reads as T10."""
    tracker, over = SightingTracker(Identifier()), aside(0, 93)
    before, after = table(("T18", CORNERS)), table(("T18", CORNERS), ("S1", over))
    rest = CORNERS.copy()
    rest[2:, 1] = over[0, 1]
    for k in range(14):
        tracker.update(before, [Found(CORNERS, True, 0.9)], k / 10)
    for k in range(14, 34):
        tracker.update(after, [Found(rest, True, 0.9), Found(over, True, 0.9)], k / 10)
    assert [sighting.number for sighting in tracker.sightings] == [1, 2]


class Wavering(Identifier):
    """Reads rightly, but every so many looks it is not sure."""

    def __init__(self, unsure_every: int) -> None:
        super().__init__()
        self._every, self._count = unsure_every, 0

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        rows = super().name(frame, corners_px)
        self._count += 1
        if self._every and self._count % self._every == 0:
            return unsure(rows)
        return rows


class UnsureOf(Identifier):
    """Reads rightly, but is never sure of one card."""

    def __init__(self, card: str) -> None:
        super().__init__()
        self._card = CLASSES.index(card)

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        rows = super().name(frame, corners_px)
        return np.where((rows.argmax(1) == self._card)[:, None], unsure(rows), rows)


class HardlyThere(Identifier):
    """Reads rightly, but once it is `unsure` never surely what lies at `CORNERS`."""

    unsure = False

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        rows = super().name(frame, corners_px)
        there = np.array([overlap(px, CORNERS) > 0.9 for px in corners_px])[:, None]
        return np.where(there & self.unsure, unsure(rows), rows)


def followed(
    shown: Sequence[tuple[UInt8Array, tuple[int, int]]], identifier: Identifier | None = None
) -> list[Sighting]:
    """The sightings after frames 0.1 s apart, each with how many px aside of `CORNERS` a card was found in it."""
    tracker = SightingTracker(identifier or Identifier())
    for k, (frame, aside_px) in enumerate(shown):
        tracker.update(frame, [Found(aside(*aside_px), True, 0.9)], k / 10)
    return tracker.sightings


def believed(
    face_score: float,
    sides: tuple[float, float, float] | None,
    read: tuple[str, float] | None,
    best_score: float = 0.4,
) -> Sighting:
    """A sighting with the finder's scores and their sum, a close look, and two looks that `read` it so."""
    sighting = Sighting(1, CORNERS, face_score, 0.0, 0.0, 0.0, best_score=best_score)
    if sides is not None:
        sighting.close = CloseLook(CORNERS, np.full(4, 0.01, np.float32), np.array(sides, np.float32))
    if read is not None:
        name, chance = read
        sighting.log_votes, sighting.looks = 2 * np.log(row_of({name: chance})), 2
    return sighting


FACE, BACK = (0.96, 0.03, 0.01), (0.03, 0.96, 0.01)


@pytest.mark.parametrize(
    ("face_score", "sides", "read", "face"),
    [
        pytest.param(4.0, FACE, ("T16", 0.99), True, id="a face by all accounts"),
        pytest.param(-4.0, BACK, None, False, id="a back by all accounts is not read"),
        pytest.param(0.9, None, None, True, id="the finder alone, in its first frame"),
        pytest.param(-0.9, None, None, False, id="the finder alone calls it a back"),
        pytest.param(-2.0, (0.5, 0.49, 0.01), ("T16", 0.999), True, id="a sure name outweighs the finder's back"),
        pytest.param(-4.0, FACE, ("T16", 0.999), True, id="a sure name and a close look outweigh a surer one"),
        pytest.param(2.0, (0.4, 0.59, 0.01), ("none", 0.97), False, id="reading nothing outweighs the finder's face"),
        pytest.param(4.0, BACK, ("T16", 0.2), False, id="a back with words, guessed at, that the finder calls a face"),
        pytest.param(1.0, FACE, ("T16", 0.3), True, id="a face that cannot be read is a face"),
    ],
)  # fmt: skip
def test_what_tells_a_face_from_a_back(
    face_score: float, sides: tuple[float, float, float] | None, read: tuple[str, float] | None, face: bool
) -> None:
    assert believed(face_score, sides, read).face is face


PAPER = (0.2, 0.1, 0.7)


@pytest.mark.parametrize(
    ("score", "sides", "read", "no_card"),
    [
        pytest.param(0.4, None, ("none", 0.9), True, id="finder and identifier alone"),
        pytest.param(0.4, None, ("T16", 0.4), False, id="the same, unsure of a name"),
        pytest.param(0.4, FACE, ("none", 0.9), True, id="a card's edges, but nothing that is read on it"),
        pytest.param(
            0.3, PAPER, ("T16", 0.4), True, id="an unsure name on what goes on round the box like paper"
        ),
        pytest.param(0.4, PAPER, ("T16", 0.99), False, id="a sure name outweighs it"),
        pytest.param(0.9, FACE, ("none", 0.3), False, id="a card too blurred to be read, found for sure"),
        pytest.param(0.2, FACE, ("none", 0.3), True, id="nothing that is read, and hardly found"),
    ],
)
def test_what_tells_a_card_from_paper(
    score: float, sides: tuple[float, float, float] | None, read: tuple[str, float], no_card: bool
) -> None:
    assert believed(1.0, sides, read, score).is_no_card() is no_card


@pytest.mark.parametrize(
    ("face_score", "score", "sides", "back"),
    [
        pytest.param(-4.0, 0.8, BACK, True, id="by both accounts"),
        pytest.param(-4.0, 0.2, (0.02, 0.3, 0.68), False, id="chips that are hardly found"),
        pytest.param(-4.0, 0.8, (0.01, 0.02, 0.97), False, id="a tray, and the close look knows it"),
        pytest.param(-4.0, 0.3, BACK, True, id="a back half under another, found for what it is"),
        pytest.param(0.5, 0.8, BACK, True, id="an open back that the finder takes for a face"),
    ],
)
def test_what_tells_a_back_from_no_card(
    face_score: float, score: float, sides: tuple[float, float, float] | None, back: bool
) -> None:
    assert believed(face_score, sides, None, score).is_back() is back


@pytest.mark.parametrize(
    ("face_score", "name", "twin", "face", "back"),
    [
        pytest.param(4.0, 0.55, 1.0, False, True, id="another one looks and reads just like it"),
        pytest.param(1.0, 0.55, 0.9, False, True, id="another one does, and the finder is less sure"),
        pytest.param(4.0, 0.55, 0.9, False, False, id="another one does, but finder and close look are sure"),
        pytest.param(4.0, 0.999, 0.77, True, False, id="another one does nearly, but its name is sure"),
        pytest.param(4.0, 0.55, 0.3, True, False, id="another one hardly does"),
    ],
)
def test_a_twin_is_weighed_against_what_speaks_for_a_face(
    face_score: float, name: float, twin: float, face: bool, back: bool
) -> None:
    sighting = believed(face_score, FACE, ("T11", name), 0.9)
    sighting.twin = sighting.like = twin
    assert (sighting.face, sighting.is_back()) == (face, back)
