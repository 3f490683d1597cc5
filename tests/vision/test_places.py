"""Whether a card still lies in its place: a measure without units, and pictures put in one light."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn import film_into
from hypothesis import given
from hypothesis import strategies as st
from plain_table import ARM, TRICK, Table, seen_bare

from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, truth
from vision.watching.motion import Light, Motion
from vision.watching.places import BARE, COVERED, STATES, THERE, Place, compare_places, place_table
from vision.watching.seats import SeatMeasures, seat_weights
from webui.cli import main


def patch(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0, 255, (16, 16)).astype(np.float32)


def table_picture(light: float = 1.0, flicker: float = 0.0) -> np.ndarray:
    """A cloth with some cards on it, (90, 160) uint8, in so much light, which is uneven from row to row."""
    rng = np.random.default_rng(5)
    gray = rng.normal(70, 4, (90, 160))
    for left in (20, 70, 120):
        gray[30:50, left : left + 12] = 200
    rows = light * (1 + flicker * np.sin(np.arange(90) / 20))
    return np.clip(gray * rows[:, None], 0, 255).astype(np.uint8)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=3, max_size=3, unique=True), st.floats(0.2, 5))
def test_the_measure_is_the_same_in_any_light(seeds: list[int], light: float) -> None:
    now, card, bare = (patch(seed) for seed in seeds)
    as_is = compare_places(Motion(), now, card, bare)
    brighter = compare_places(Motion(), light * now, light * card, light * bare)
    assert as_is == pytest.approx(brighter, rel=1e-3)


def test_the_measure_tells_the_card_the_bare_table_and_what_lies_over_it() -> None:
    card, bare, arm = (patch(seed) for seed in range(3))
    assert compare_places(Motion(), card, card, bare) == (0.0, 0.0)
    assert compare_places(Motion(), bare, card, bare) == (1.0, 0.0)
    nearer, apart = compare_places(Motion(), arm, card, bare)
    assert 0.3 < nearer < 0.7 and apart > 0.6


def test_a_trick_is_seen_to_be_taken_in_a_dim_and_noisy_picture() -> None:
    table = Table(light=0.25, noise=6.0)
    table.wait(1)
    table.lay(*TRICK)
    assert [type(event).__name__ for event in table.events] == ["CardPlayed"] * 3
    assert [type(event).__name__ for event in table.sweep() + table.wait(1)] == ["TrickTaken"]


@pytest.mark.parametrize("light", [0.1, 0.5, 0.9, 1.2])
@pytest.mark.parametrize("flicker", [0.0, 0.08])
def test_pictures_are_put_in_one_light(light: float, flicker: float) -> None:
    even = Light()
    first = even.even(table_picture())
    # In a tenth of the light a grey is ten of the first ones.
    assert np.abs(even.even(table_picture(light, flicker)) - first).mean() < 1 + 0.5 / light


def test_an_arm_is_no_change_of_light() -> None:
    even = Light()
    first = even.even(table_picture())
    arm = table_picture()
    arm[:, 90:150] = 150
    assert np.abs(even.even(arm)[:, :90] - first[:, :90]).mean() < 1


def test_a_dark_picture_is_left_as_it_is_and_the_light_is_known_again_after_it() -> None:
    even = Light()
    first = even.even(table_picture())
    assert even.even(np.zeros((90, 160), np.uint8)).max() == 0
    assert np.abs(even.even(table_picture(0.8)) - first).mean() < 2


@pytest.mark.parametrize("fps", [5, 10, 30])
def test_a_place_is_known_to_be_bare_after_as_long_at_any_frame_rate(fps: int) -> None:
    table = Table(fps=fps)
    table.wait(1)
    table.lay(TRICK[0])
    ((_, place),) = table.reader.places()
    table.lying.clear()
    began_s = table.time_s
    while not place.left:
        table.wait(1 / fps)
    assert table.time_s - began_s <= 0.6


def test_a_place_under_an_arm_is_covered_and_shows_its_card_afterwards() -> None:
    table = Table(thing=120)
    table.wait(1)
    table.lay(TRICK[0])
    ((_, place),) = table.reader.places()
    lying = list(table.lying)
    table.under(ARM, 3)
    assert place.chances[COVERED] > 0.9 and not place.left
    table.unseen = lying
    table.wait(1)
    assert place.chances[THERE] > 0.9 and place.shows_card(table.reader.motion)


def test_a_place_whose_bare_table_nobody_saw_is_bare_once_it_rests() -> None:
    motion = Motion()
    frame = cv2.cvtColor(cv2.resize(table_picture(), (640, 360)), cv2.COLOR_GRAY2BGR)
    corners = np.array([[80, 120], [128, 120], [128, 200], [80, 200]], np.float32)
    light = Light()
    motion.update(light.small_picture(frame), 0.0)
    place = Place(corners, before=None)
    place.found(motion, corners, True, 0.0)
    cv2.fillConvexPoly(frame, corners.astype(np.int32), (70, 70, 70))
    for k in range(1, 40):
        motion.update(light.small_picture(frame), k / 10)
        place.missed(motion, k / 10)
        assert not (place.left and k < 20)
    assert place.left and place.chances[BARE] > 0.98


def test_two_frames_of_one_time_are_two_frames() -> None:
    """Some sources repeat a time stamp: a card that is gone in the second frame is not seen in it."""
    table = seen_bare(*TRICK)
    table.lying.clear()
    table._look(table.time_s)
    assert not any(sighting.found for sighting, _ in table.reader.places())
    assert [type(event).__name__ for event in table.wait(0.6)] == ["TrickTaken"]


def test_the_shipped_table_says_what_is_seen() -> None:
    table = place_table()
    for state, seen in ((THERE, (0.02, 0.01)), (COVERED, (0.5, 0.9)), (BARE, (0.98, 0.01))):
        assert int(table.log_likelihoods(*seen).argmax()) == state, STATES[state]


@pytest.mark.parametrize(
    ("kind", "asked_for"), [("tables", "--films"), ("finder", "--decks"), ("belief", "--decks")]
)
def test_training_says_what_it_lacks_and_makes_no_folder(
    kind: str, asked_for: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    assert asked_for in refused("train", kind, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_the_tables_are_fitted_to_recordings(tmp_path: Path) -> None:
    """Two tricks are enough to tell a card, the bare table and a hand."""
    seats = {"Anna": "S", "Bo": "E", "Carl": "W"}
    plays = [FilmedPlay("E", "S7"), FilmedPlay("W", "SV"), FilmedPlay("S", "SR", taken_by="S")]
    plays += [FilmedPlay("S", "H4"), FilmedPlay("E", "H7"), FilmedPlay("W", "HR", taken_by="W")]
    style = FilmStyle(size=(640, 480), card_height_px=120, difficulty=0.0, pause_s=1.5, tilt_deg=4, fps=5)
    cloth = np.full((480, 640, 3), (60, 110, 40), np.uint8)
    rested = film_into(tmp_path / "film.mp4", plays, style, "back_BACK", seed=1, cloth=cloth)
    beside = truth(seats, "Anna", "dtf-2011", style.fps, rested[-1], plays, rested)
    (tmp_path / "film.json").write_text(json.dumps(beside))
    assert main(["train", "tables", "--films", str(tmp_path / "film.json"), "--out", str(tmp_path)]) == 0
    table = place_table(tmp_path / "places.json")
    for state, seen in ((THERE, (0.02, 0.01)), (COVERED, (0.5, 0.7)), (BARE, (0.98, 0.01))):
        assert int(table.log_likelihoods(*seen).argmax()) == state, STATES[state]
    laid = seat_weights(tmp_path / "seats.json")
    his, anothers = (laid.log_odds(SeatMeasures(0.0, 1.0, hand, 0.0))["hand"] for hand in (0.95, 0.05))
    assert his > anothers
