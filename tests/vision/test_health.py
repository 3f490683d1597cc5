"""A table that is filmed: what the health line says when the camera is pushed, covered, or the lamp changes."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.arrays import UInt8Array
from vision.decks import Deck, read_picture, sprite_of
from vision.footage import FilmedPlay, FilmStyle, film
from vision.health import HealthMeter
from vision.resources import datasets_dir

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
