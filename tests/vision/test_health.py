"""What the health line says when the camera is pushed or covered, or the light changes."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from drawn import deck_of, laid

from vision.arrays import UInt8Array
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, film
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier
from vision.watching.eyes import Eyes
from vision.watching.health import CHECK_S, CardScale, HealthMeter, View

STYLE = FilmStyle(size=(640, 360), card_height_px=80, difficulty=0.3)
PLAYS = [
    FilmedPlay("S", "S7"),
    FilmedPlay("E", "SC"),
    FilmedPlay("W", "S2", taken_by="E"),
    FilmedPlay("E", "T21"),
]


@pytest.fixture(scope="module")
def hand() -> list[UInt8Array]:
    """Four plays and a trick taken: hands pass, cards come and go, camera and light stay the same."""
    pictures: list[UInt8Array] = []
    film(PLAYS, deck_of(PLAYS), pictures.append, style=STYLE, seed=3, cloth=cloth())
    return pictures


def cloth() -> UInt8Array:
    """A table top with a texture, as of wood or a coarse cloth."""
    grain = np.random.default_rng(4).normal(0, 22, (90, 160, 3)).astype(np.float32)
    plain = np.full((STYLE.size[1], STYLE.size[0], 3), (70, 105, 85), np.float32)
    return np.clip(plain + cv2.resize(grain, STYLE.size, interpolation=cv2.INTER_CUBIC), 0, 255).astype(
        np.uint8
    )


def advice(pictures: Iterator[UInt8Array] | list[UInt8Array]) -> list[set[str]]:
    """The advice at each picture, ten a second."""
    meter = HealthMeter()
    return [set(meter.update(one, k / 10, 0.05, 0).advice) for k, one in enumerate(pictures)]


def advice_after(hand: list[UInt8Array], change: object) -> list[set[str]]:
    """The advice during 3.5 s after the hand, with `change` applied to pictures of its end."""
    assert callable(change)
    after = [change(hand[-1 - k % 8]) for k in range(35)]
    return advice([*hand, *after])[len(hand) :]


def test_an_ordinary_hand_gives_no_advice(hand: list[UInt8Array]) -> None:
    assert set().union(*advice(hand)) == set()


def test_cards_coming_and_going_on_a_plain_cloth_do_not_count_as_a_covered_lens() -> None:
    pictures: list[UInt8Array] = []
    plain = np.full((STYLE.size[1], STYLE.size[0], 3), (70, 105, 85), np.uint8)
    film(PLAYS[:3] * 2, deck_of(PLAYS), pictures.append, style=STYLE, seed=3, cloth=plain)
    # The program starts when cards are on the table already; then the trick is taken.
    assert set().union(*advice(pictures[25:])) == set()


def test_a_plain_table_gives_no_advice_about_the_camera(hand: list[UInt8Array]) -> None:
    plain = np.full_like(hand[0], 90)
    plain[:, :320] = 120
    assert set().union(*advice([*hand[:8], *[plain] * 40])) <= {"light"}


@pytest.mark.parametrize(
    ("dx", "dy", "degrees"),
    [(40.0, 10.0, 0.0), (0.0, -25.0, 0.0), (0.0, 0.0, 6.0)],
    ids=["right", "up", "turned"],
)
def test_a_pushed_camera_is_reported(hand: list[UInt8Array], dx: float, dy: float, degrees: float) -> None:
    push = cv2.getRotationMatrix2D((320, 180), degrees, 1)
    push[:, 2] += dx, dy

    def pushed(picture: UInt8Array) -> UInt8Array:
        return cv2.warpAffine(picture, push, STYLE.size, borderMode=cv2.BORDER_REFLECT).astype(np.uint8)

    given = advice_after(hand, pushed)
    assert "moved" in given[30] and "light" not in given[30]


@pytest.mark.parametrize("factors", [(0.6, 0.6, 0.6), (0.55, 0.85, 1.0)], ids=["dimmer", "another colour"])
def test_changed_light_is_reported(hand: list[UInt8Array], factors: tuple[float, float, float]) -> None:
    given = advice_after(hand, lambda picture: (picture * np.array(factors)).astype(np.uint8))
    assert given[30] == {"light"}


def test_a_lamp_moved_elsewhere_is_reported(hand: list[UInt8Array]) -> None:
    slope = np.linspace(0.55, 1.45, STYLE.size[0])[None, :, None]
    given = advice_after(hand, lambda picture: np.clip(picture * slope, 0, 255).astype(np.uint8))
    assert given[30] == {"light"}


def test_a_covered_lens_is_reported(hand: list[UInt8Array]) -> None:
    def covered(picture: UInt8Array) -> UInt8Array:
        return cv2.resize(cv2.resize(picture, (8, 5)), STYLE.size).astype(np.uint8)

    assert "blocked" in advice_after(hand, covered)[30]


def test_a_dark_room_is_dark_not_blocked(hand: list[UInt8Array]) -> None:
    given = advice_after(hand, lambda picture: (picture * 0.08).astype(np.uint8))
    assert "dark" in given[30] and "blocked" not in given[30]


@pytest.mark.parametrize(
    ("grey", "blind"), [(20, True), (59, True), (None, False)], ids=["dark", "not dark", "free"]
)
def test_a_covered_lens_is_blind_at_any_brightness(
    hand: list[UInt8Array], grey: int | None, blind: bool
) -> None:
    meter = HealthMeter()
    for number, picture in enumerate(hand):
        health = meter.update(picture, number * 0.2, 0.05, 0)
    assert not health.blind
    for number, picture in enumerate(hand[-20:], start=len(hand)):
        covered = picture if grey is None else np.full_like(picture, grey)
        health = meter.update(covered, number * 0.2, 0.05, 0)
    assert health.blind is blind


def estimated_view(height_px: float, tilt_deg: float, turn_deg: float = 0.0, blur_px: float = 0.0) -> View:
    """The view estimated from eight cards on a table, whose corners are off by a px or two."""
    rng = np.random.default_rng(5)
    size = (1280, 720)
    camera = camera_matrix(size, height_px, tilt_deg, 0.0, turn_deg)
    scale = CardScale()
    view = None
    for k in range(8):
        place = place_card((float(rng.normal(0, 80)), float(rng.normal(0, 60))), float(rng.uniform(0, 6.3)))
        seen = (project(camera, place) + rng.normal(0, 1.0, (4, 2))).astype(np.float32)
        picture = laid(("S7", seen))
        if blur_px:
            picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
        view = scale.measure(picture, k * 2 * CHECK_S, [seen])
    return view


@pytest.mark.parametrize(
    ("height_px", "tilt_deg", "turn_deg", "advice"),
    [
        pytest.param(150, 8, 0, (), id="a good view"),
        pytest.param(150, 30, 70, (), id="tilted as in training"),
        pytest.param(150, 47, 0, ("leaning",), id="tilted too much"),
        pytest.param(160, 47, 130, ("leaning",), id="tilted too much, and turned"),
        pytest.param(55, 10, 0, ("far",), id="too far away"),
    ],
)
def test_scale_and_tilt_are_estimated_from_the_cards(
    height_px: float, tilt_deg: float, turn_deg: float, advice: tuple[str, ...]
) -> None:
    view = estimated_view(height_px, tilt_deg, turn_deg)
    assert view.advice == advice
    # The height is that seen from straight above; a tilted camera foreshortens it.
    assert abs(view.card_px - height_px * np.sqrt(np.cos(np.radians(tilt_deg)))) < 0.08 * height_px
    assert abs(view.tilt_deg - tilt_deg) < 6


def test_a_picture_out_of_focus_is_reported() -> None:
    assert estimated_view(150, 8, blur_px=4.0).advice == ("blurred",)


def test_too_few_cards_give_no_view() -> None:
    scale = CardScale()
    card = place_card((0, 0), 0.0)
    assert scale.measure(np.zeros((720, 1280, 3), np.uint8), 0.0, [card] * 9) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("height_px", "blur_px", "advice"),
    [(150, 0.0, ()), (60, 0.0, ("far",)), (150, 5.0, ("unread", "blurred"))],
    ids=["read", "far", "blurred"],
)
def test_four_cards_shown_before_the_first_hand_tell_whether_an_index_can_be_read(
    height_px: float, blur_px: float, advice: tuple[str, ...]
) -> None:
    camera = camera_matrix((1280, 720), height_px, 4.0, 20.0, 0.0)
    places = [project(camera, place_card((100 * k - 160, 20), 0.1 + k)) for k in range(4)]
    table = laid(*zip(("HD", "S7", "C4", "D9"), places, strict=True), shadow=0.35)
    if blur_px:
        table = cv2.GaussianBlur(table, (0, 0), blur_px).astype(np.uint8)
    eyes = Eyes({}, Finder(), Identifier(), CornerFinder())
    views = [eyes.update(table, k / 8, None).view for k in range(16)]
    assert views[0] is None and views[-1] is not None
    assert views[-1].advice == advice
