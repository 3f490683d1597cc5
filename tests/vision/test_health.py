"""A table that is filmed: what the health line says when the camera is pushed, covered, or the lamp changes."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.arrays import UInt8Array
from vision.decks import Deck, read_picture, sprite_of
from vision.rendering.footage import FilmedPlay, FilmStyle, film
from vision.rendering.layouts import place_card
from vision.rendering.scene import camera_matrix, project
from vision.resources import datasets_dir
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
    """Four plays and a trick taken: hands pass, cards come and go, the camera and the lamp do nothing."""
    pictures: list[UInt8Array] = []
    film(PLAYS, four_cards(), pictures.append, style=STYLE, seed=3, cloth=cloth())
    return pictures


def four_cards() -> Deck:
    """The cards of the script; reading the other 74 takes its time."""
    faces = {p.card: sprite_of(read_picture(datasets_dir() / "drawn" / f"{p.card}.png")) for p in PLAYS}
    return Deck("drawn", faces, ())


def cloth() -> UInt8Array:
    """A table top with something on it to see: wood, or a cloth with a grain."""
    grain = np.random.default_rng(4).normal(0, 22, (90, 160, 3)).astype(np.float32)
    plain = np.full((STYLE.size[1], STYLE.size[0], 3), (70, 105, 85), np.float32)
    return np.clip(plain + cv2.resize(grain, STYLE.size, interpolation=cv2.INTER_CUBIC), 0, 255).astype(
        np.uint8
    )


def advice(pictures: Iterator[UInt8Array] | list[UInt8Array]) -> list[set[str]]:
    """What is said at each picture, ten a second."""
    meter = HealthMeter()
    return [set(meter.update(one, k / 10, 0.05, 0).advice) for k, one in enumerate(pictures)]


def then(hand: list[UInt8Array], change: object) -> list[set[str]]:
    """The hand, and three and a half seconds of its end with `change` done to each picture."""
    assert callable(change)
    after = [change(hand[-1 - k % 8]) for k in range(35)]
    return advice([*hand, *after])[len(hand) :]


def test_nothing_is_said_of_a_hand_being_played(hand: list[UInt8Array]) -> None:
    assert set().union(*advice(hand)) == set()


def test_cards_that_come_and_go_on_a_plain_cloth_are_no_covered_lens() -> None:
    pictures: list[UInt8Array] = []
    plain = np.full((STYLE.size[1], STYLE.size[0], 3), (70, 105, 85), np.uint8)
    film(PLAYS[:3] * 2, four_cards(), pictures.append, style=STYLE, seed=3, cloth=plain)
    # The program is started when cards lie there already; then the trick is taken.
    assert set().union(*advice(pictures[25:])) == set()


def test_a_table_without_anything_to_see_is_no_fault(hand: list[UInt8Array]) -> None:
    plain = np.full_like(hand[0], 90)
    plain[:, :320] = 120
    assert set().union(*advice([*hand[:8], *[plain] * 40])) <= {"light"}


@pytest.mark.parametrize(
    ("dx", "dy", "degrees"),
    [(40.0, 10.0, 0.0), (0.0, -25.0, 0.0), (0.0, 0.0, 6.0)],
    ids=["right", "up", "turned"],
)
def test_a_camera_that_is_pushed_is_said(
    hand: list[UInt8Array], dx: float, dy: float, degrees: float
) -> None:
    push = cv2.getRotationMatrix2D((320, 180), degrees, 1)
    push[:, 2] += dx, dy

    def pushed(picture: UInt8Array) -> UInt8Array:
        return cv2.warpAffine(picture, push, STYLE.size, borderMode=cv2.BORDER_REFLECT).astype(np.uint8)

    said = then(hand, pushed)
    assert "moved" in said[30] and "light" not in said[30]


@pytest.mark.parametrize("factors", [(0.6, 0.6, 0.6), (0.55, 0.85, 1.0)], ids=["dimmer", "another colour"])
def test_a_lamp_that_changes_is_said(hand: list[UInt8Array], factors: tuple[float, float, float]) -> None:
    said = then(hand, lambda picture: (picture * np.array(factors)).astype(np.uint8))
    assert said[30] == {"light"}


def test_a_lamp_put_elsewhere_is_said(hand: list[UInt8Array]) -> None:
    slope = np.linspace(0.55, 1.45, STYLE.size[0])[None, :, None]
    said = then(hand, lambda picture: np.clip(picture * slope, 0, 255).astype(np.uint8))
    assert said[30] == {"light"}


def test_a_lens_that_is_covered_is_said(hand: list[UInt8Array]) -> None:
    said = then(hand, lambda picture: cv2.resize(cv2.resize(picture, (8, 5)), STYLE.size).astype(np.uint8))
    assert "blocked" in said[30]


def test_a_dark_room_is_dark_not_blocked(hand: list[UInt8Array]) -> None:
    said = then(hand, lambda picture: (picture * 0.08).astype(np.uint8))
    assert "dark" in said[30] and "blocked" not in said[30]


@pytest.mark.parametrize(
    ("grey", "blind"), [(20, True), (59, True), (None, False)], ids=["dark", "not dark", "free"]
)
def test_a_covered_lens_is_blind_however_dark_it_makes_the_picture(
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


def looked_at(height_px: float, tilt_deg: float, turn_deg: float = 0.0, blur_px: float = 0.0) -> View:
    """What eight cards thrown on a table tell of the camera; their corners are found to a px or two."""
    rng = np.random.default_rng(5)
    size = (1280, 720)
    camera = camera_matrix(size, height_px, tilt_deg, 0.0, turn_deg)
    scale = CardScale()
    told = None
    card = read_picture(datasets_dir() / "drawn" / "S7.png")[:, :, :3]
    corners_px = np.array([[0, 0], [card.shape[1], 0], card.shape[1::-1], [0, card.shape[0]]], np.float32)
    for k in range(8):
        place = place_card((float(rng.normal(0, 80)), float(rng.normal(0, 60))), float(rng.uniform(0, 6.3)))
        seen = (project(camera, place) + rng.normal(0, 1.0, (4, 2))).astype(np.float32)
        warp = cv2.getPerspectiveTransform(corners_px, seen)
        picture = cv2.warpPerspective(card, warp, size, flags=cv2.INTER_AREA)
        if blur_px:
            picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
        told = scale.look(picture.astype(np.uint8), k * 2 * CHECK_S, [seen])
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("height_px", "tilt_deg", "turn_deg", "advice"),
    [
        pytest.param(150, 8, 0, (), id="as it should be"),
        pytest.param(150, 30, 70, (), id="leaning no more than the models know"),
        pytest.param(150, 47, 0, ("leaning",), id="leaning too much"),
        pytest.param(160, 47, 130, ("leaning",), id="leaning too much, and turned"),
        pytest.param(55, 10, 0, ("far",), id="too far away"),
    ],
)
def test_scale_and_lean_of_the_camera_are_told_by_the_cards(
    height_px: float, tilt_deg: float, turn_deg: float, advice: tuple[str, ...]
) -> None:
    view = looked_at(height_px, tilt_deg, turn_deg)
    assert view.advice == advice
    # The height as it looks from straight above; towards the camera it is foreshortened.
    assert abs(view.card_px - height_px * np.sqrt(np.cos(np.radians(tilt_deg)))) < 0.08 * height_px
    assert abs(view.tilt_deg - tilt_deg) < 6


def test_a_picture_out_of_focus_is_said() -> None:
    assert looked_at(150, 8, blur_px=4.0).advice == ("blurred",)


def test_too_few_cards_tell_nothing() -> None:
    scale = CardScale()
    card = place_card((0, 0), 0.0)
    assert scale.look(np.zeros((720, 1280, 3), np.uint8), 0.0, [card] * 9) is None
