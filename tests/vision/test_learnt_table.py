"""What the set-up learns of a table: sides from cards laid, the backs of the packs, and that the reader uses both."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn import laid
from readings import Guesses

from tracker.cards import CARDS
from vision.decks import read_picture
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.lab.rendering.props import draw_back
from vision.lab.rendering.video_file import VideoFile
from vision.reading.finder import Found
from vision.resources import datasets_dir
from vision.watching.learnt import (
    BACK_PX,
    NOTHING_LEARNT,
    back_as_png,
    back_of_png,
    is_learnt_back,
    like_learnt_back,
    sides_of,
)
from vision.watching.seats import SeatModel, seat_odds
from vision.watching.set_up import table_looks
from vision.watching.sightings import Sighting
from vision.watching.tracking import SightingTracker

AROUND = {"Anna": (0.5, 0.8), "Bo": (0.8, 0.5), "Carl": (0.5, 0.2), "Dora": (0.2, 0.5)}


def test_sides_follow_from_where_the_cards_lie() -> None:
    assert sides_of(AROUND) == {"Anna": "S", "Bo": "E", "Carl": "N", "Dora": "W"}


def test_a_camera_that_hangs_upside_down_turns_the_sides_and_keeps_the_order_of_play() -> None:
    turned = {name: (1 - x, 1 - y) for name, (x, y) in AROUND.items()}
    assert list(sides_of(turned)) == ["Carl", "Dora", "Anna", "Bo"]
    assert sides_of(turned)["Anna"] == "N"


@pytest.mark.parametrize("turn_deg", range(0, 360, 15))
def test_seats_need_not_lie_on_the_axes_of_the_picture(turn_deg: int) -> None:
    """Three, four and five at a table that the camera sees turned: nobody changes his neighbours."""
    for count in (3, 4, 5):
        angles = np.radians(turn_deg) - 2 * np.pi * np.arange(count) / count  # y is down: counter-clockwise
        names = ["Anna", "Bo", "Carl", "Dora", "Erik"][:count]
        ring = {
            name: (0.5 + 0.14 * float(np.cos(a)), 0.5 + 0.25 * float(np.sin(a)))
            for name, a in zip(names, angles, strict=True)
        }
        sides = sides_of(ring)
        order = list(sides)
        at = order.index("Anna")
        assert order[at:] + order[:at] == names, (count, sides)
        assert max(list(sides.values()).count(side) for side in "SENW") <= (2 if count == 5 else 1)


def test_a_camera_turned_by_an_eighth_tells_the_seats_apart_from_the_first_card_once_they_are_shown() -> None:
    """Each sits at a corner of the picture, between two of its sides."""
    laid = {"Anna": (0.62, 0.7), "Bo": (0.62, 0.3), "Carl": (0.38, 0.3), "Dora": (0.38, 0.7)}
    sides = sides_of(laid)

    def least_margin(model: SeatModel) -> float:
        """By how much the right player is likelier than any other, for the card that is least clear."""
        margins = []
        for name, (x, y) in laid.items():
            card = Sighting(1, place_card((x * 1280, y * 720), 0.8, (82, 150)), 1.0, 0.0, 0.0, 0.0)
            scores = seat_odds(model.measures(card, (1280, 720), dict.fromkeys("SENW", 0.25)))
            right = scores.pop(name)
            margins.append(right - max(scores.values()))
        return min(margins)

    assert least_margin(SeatModel(sides)) < 1.0
    assert least_margin(SeatModel(sides, laid)) > 1.0  # though two of the cards lie across


def test_seats_that_only_some_have_shown_do_not_count() -> None:
    card = Sighting(1, place_card((640, 500), 0.0, (82, 150)), 1.0, 0.0, 0.0, 0.0)
    sides, still = {"Anna": "S", "Bo": "N", "Carl": "W"}, {side: 0.25 for side in "SENW"}
    some = SeatModel(sides, {"Anna": (0.1, 0.1)}).measures(card, (1280, 720), still)
    assert some == SeatModel(sides).measures(card, (1280, 720), still)


def lit(picture: np.ndarray, gain: float) -> np.ndarray:
    return (picture * gain).clip(0, 255).astype(np.uint8)


def back_of(seed: int) -> np.ndarray:
    """A back as a camera sees it, (BACK_PX, BACK_PX, 3)."""
    sprite = draw_back(np.random.default_rng(seed))[0]
    return cv2.resize(sprite[..., :3], (BACK_PX, BACK_PX), interpolation=cv2.INTER_AREA).astype(np.uint8)


def test_a_learnt_back_is_known_again_in_another_light_and_upside_down_and_a_face_is_not_it() -> None:
    learnt = NOTHING_LEARNT.with_back(back_of(9)).with_back(back_of(2)).with_back(back_of(9))
    assert len(learnt.backs) == 2
    assert is_learnt_back(lit(back_of(9), 0.5), learnt.backs)
    assert is_learnt_back(np.ascontiguousarray(back_of(2)[::-1, ::-1]), learnt.backs)
    for path in (datasets_dir() / "drawn").glob("*.png"):
        assert path.stem not in CARDS or not is_learnt_back(read_picture(path)[..., :3], learnt.backs), path


def test_the_share_of_backs_that_are_known_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Each invented back in another light and a little aside, among the two it may be; `-s` shows the shares."""
    rng = np.random.default_rng(1)
    known = faces = 0
    drawn = [
        cv2.resize(read_picture(path)[..., :3], (BACK_PX, BACK_PX), interpolation=cv2.INTER_AREA)
        for path in sorted((datasets_dir() / "drawn").glob("*[159V].png"))
    ]
    for seed in range(100):
        back = back_of(seed)
        turn = cv2.getRotationMatrix2D(
            (BACK_PX / 2, BACK_PX / 2), rng.uniform(-1, 1), rng.uniform(0.99, 1.01)
        )
        turn[:, 2] += rng.uniform(-0.5, 0.5, 2)
        seen = cv2.warpAffine(back, turn, (BACK_PX, BACK_PX), borderMode=cv2.BORDER_REPLICATE)
        light = rng.uniform(0.5, 1.1) * (
            1 + rng.uniform(-0.3, 0.3) * np.linspace(-1, 1, BACK_PX)[None, :, None]
        )
        known += is_learnt_back((seen * light).clip(0, 255).astype(np.uint8), (back,))
        faces += sum(is_learnt_back(face, (back,)) for face in drawn)
    with capsys.disabled():
        print(f"\n{known} % of the backs, {faces / len(drawn):.2f} % of {len(drawn)} faces")
    assert known >= 50 and faces / len(drawn) < 1.0


def test_a_plain_back_is_noticed_once_and_marks_no_card_as_a_back() -> None:
    plain = np.full((BACK_PX, BACK_PX, 3), (90, 20, 20), np.uint8)
    learnt = NOTHING_LEARNT.with_back(plain).with_back(lit(plain, 0.9))
    assert len(learnt.backs) == 1 and len(learnt.with_back(lit(plain, 2.5)).backs) == 2
    assert not is_learnt_back(plain, learnt.backs)


def test_the_reader_takes_a_card_that_looks_like_a_learnt_back_for_one() -> None:
    """The finder errs: it takes a pile's back for a face, and nobody can read it."""
    corners = place_card((400, 300), 0.2, (82, 150))
    frame = laid((draw_back(np.random.default_rng(9)), corners))
    for backs, face in (((), True), ((back_of(9),), False)):
        tracker = SightingTracker(Guesses(S1=0.4), backs=backs)
        for step in range(8):
            tracker.update(frame, [Found(corners, True, 0.7)], step / 10)
        assert [sighting.face for sighting in tracker.sightings] == [face]


def test_backs_that_lie_at_two_places_are_learnt_without_a_set_up() -> None:
    """Two piles surely lie face down; a third is taken for a face, and nobody can read it. One teaches nothing."""
    places = [place_card((300 * k + 200, 300), 0.2 + k, (82, 150)) for k in range(3)]
    frame = laid(*((draw_back(np.random.default_rng(9)), corners) for corners in places))
    for piles, face in ((1, True), (2, False)):
        tracker = SightingTracker(Guesses(S1=0.4))
        found = [Found(corners, False, 0.9) for corners in places[:piles]]
        for step in range(8):
            tracker.update(frame, [*found, Found(places[2], True, 0.7)], step / 10)
        assert [sighting.face for sighting in tracker.sightings][-1] == face


def test_a_face_that_is_the_opposite_of_a_learnt_back_is_not_like_it() -> None:
    """Light where the back is dark, and dark where it is light: the correlation is below 0."""
    opposite = 255 - back_of(9)
    assert like_learnt_back(opposite, (back_of(9),)) == 0
    assert like_learnt_back(back_of(9), (opposite, back_of(9))) == pytest.approx(1)


def test_a_back_is_kept_as_a_picture_and_nothing_else_is_taken_for_one() -> None:
    assert np.array_equal(back_of_png(back_as_png(back_of(9))), back_of(9))
    for damaged in (b"", b"x", back_as_png(back_of(9))[:-40], back_as_png(back_of(9)[:-1])):
        with pytest.raises(ValueError, match="not the picture of a back"):
            back_of_png(damaged)


def test_cards_at_rest_are_told_with_name_and_size_and_backs_as_backs(tmp_path: Path) -> None:
    matrix = camera_matrix((1280, 720), 150.0, 4.0, 20.0, 0.0)
    face_px, back_px = (project(matrix, place_card(*at)) for at in (((-120, 30), 0.1), ((60, 40), 0.3)))
    canvas = laid(("HD", face_px), (draw_back(np.random.default_rng(9)), back_px), shadow=0.35)
    path = tmp_path / "still.mp4"
    with VideoFile(path, (1280, 720), 10) as file:
        for _ in range(12):
            file.write(canvas)
    looks = list(table_looks(str(path)))
    assert looks[0].resting == ()
    face, back = sorted(looks[-1].resting, key=lambda card: not card.is_face)
    assert (face.card, face.sure) == ("HD", True) and abs(face.height_px - 150) < 6
    assert not back.is_face and abs(back.height_px - 150) < 8
    assert NOTHING_LEARNT.with_back(back.shown).backs
    assert [card.card for card in looks[-1].update.cards if card.face] == ["HD"]
