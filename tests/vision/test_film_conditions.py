"""Films under conditions: each one shows in the film, and leaves the script as it is."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from drawn import drawn_deck

from vision.arrays import UInt8Array
from vision.lab.bench.conditions import FILM_CONDITIONS, cloth_of, filmed_as
from vision.lab.rendering.between_hands import FilmedDeal
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, film
from vision.lab.rendering.payments import FilmedPayment, with_payments

SIZE = (320, 180)
STYLE = FilmStyle(size=SIZE, card_height_px=37.5, difficulty=0.0, pause_s=0.3)
PLAYS = [
    FilmedPlay("S", "H4"),
    FilmedPlay("E", "H7"),
    FilmedPlay("W", "HR", taken_by="W"),
    FilmedPlay("W", "C1"),
]


@cache
def filmed(condition: str) -> tuple[list[UInt8Array], list[int]]:
    """The pictures, and for each play the picture in which its card came to rest."""
    pictures: list[UInt8Array] = []
    style, cloth = filmed_as(condition, STYLE), cloth_of(condition, 1, SIZE)
    rested = film(PLAYS, drawn_deck(), pictures.append, style=style, seed=1, cloth=cloth)
    return pictures, rested


@pytest.mark.parametrize(
    "condition",
    [name for name in FILM_CONDITIONS if name not in ("dealt", "chips") and not name.endswith("fps")],
)
def test_a_condition_shows_in_the_film(condition: str) -> None:
    pictures, rested = filmed(condition)
    plain, _ = filmed("plain")
    same = len(pictures) == len(plain) and np.array_equal(pictures, plain)
    assert same == (condition == "plain") and len(rested) == len(PLAYS)


@pytest.mark.parametrize(("condition", "fps"), [("5 fps", 5), ("30 fps", 30)])
def test_a_frame_rate_changes_how_many_pictures_there_are(condition: str, fps: int) -> None:
    assert filmed_as(condition, STYLE).fps == fps


def test_a_condition_that_there_is_not_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    asked = ("film", "--hand", "1", "--seats", "Anna@S,Bo@E,Carl@W", "--out", tmp_path / "a.mp4")
    assert "--condition fog: must be one of plain," in refused(*asked, "--condition", "fog")


def test_before_a_hand_the_cards_of_the_last_one_are_counted_and_dealt() -> None:
    """Half a minute of cards comes first. Then the table is bare, and the hand is filmed as ever."""
    pictures: list[UInt8Array] = []
    deal = FilmedDeal("W", ("S", "E", "W"))
    rested = film([deal, *PLAYS], drawn_deck(), pictures.append, style=STYLE, seed=1)
    assert rested[0] > 30 * STYLE.fps and rested == sorted(rested)
    bare, after = (pictures[at].astype(int) for at in (0, rested[0]))
    assert np.abs(bare - after).max() < 12


def test_players_pay_between_plays_and_chips_stay_on_the_table() -> None:
    pictures: list[UInt8Array] = []
    script = with_payments(PLAYS, 1)
    rested = film(script, drawn_deck(), pictures.append, style=STYLE, seed=1)
    paid = [at for at, step in enumerate(script) if isinstance(step, FilmedPayment)]
    assert [step for step in script if isinstance(step, FilmedPlay)] == PLAYS and paid
    assert rested == sorted(rested)
    before, after = (pictures[rested[paid[0]] + at].astype(int) for at in (-STYLE.fps * 3, 2))
    assert np.abs(before - after).max() > 40
