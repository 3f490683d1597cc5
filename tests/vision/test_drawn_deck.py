"""The drawn deck: complete, well-formed, and no two cards alike."""

import itertools
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tracker.cards import CARDS
from vision.lab.rendering.drawn_deck import DRAWN_BACKS, drawing, main, rasterise
from vision.resources import datasets_dir

DRAWN = datasets_dir() / "drawn"
SIZE_PX = (896, 488)
INDEX_PX = (slice(16, 184), slice(10, 156))  # the upper left corner: rank and sign, or a trump's numeral
SVGS = {f"{name}.png": drawing(name) for name in (*CARDS, *DRAWN_BACKS)}
Pictures = dict[str, npt.NDArray[np.uint8]]


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    """The committed pictures, with their fourth channel, by the name of their file."""
    return {name: np.asarray(cv2.imread(str(DRAWN / name), cv2.IMREAD_UNCHANGED), np.uint8) for name in SVGS}


def least_difference(pictures: Pictures) -> tuple[float, str, str]:
    """The two most similar pictures and the mean difference of their pixels, 0 to 255."""
    wide = {name: picture.astype(np.int16) for name, picture in pictures.items()}
    pairs = itertools.combinations(wide, 2)
    return min((float(np.abs(wide[one] - wide[other]).mean()), one, other) for one, other in pairs)


def test_every_card_and_two_backs_are_there() -> None:
    assert {path.name for path in DRAWN.glob("*.png")} == set(SVGS)
    assert {f"{path.stem}.png" for path in (DRAWN / "svg").iterdir()} == set(SVGS)
    assert {f"{card}.png" for card in CARDS} == {name for name in SVGS if not name.startswith("back_")}
    assert len(SVGS) == 80


def test_every_card_is_there_half_as_wide_for_the_page(pictures: Pictures) -> None:
    small = {path.stem: cv2.imread(str(path)) for path in (DRAWN / "small").iterdir()}
    assert small.keys() == set(CARDS)
    for card, picture in small.items():
        assert picture is not None and picture.shape == (448, 244, 3), card
        whole = cv2.resize(pictures[f"{card}.png"][:, :, :3], (244, 448), interpolation=cv2.INTER_AREA)
        # Beside the clear corners, whose colour means nothing.
        inside = np.s_[40:-40, 20:-20]
        assert np.abs(whole[inside].astype(int) - picture[inside].astype(int)).mean() < 8, card


def test_the_picture_has_the_card_s_size_and_clear_corners(pictures: Pictures) -> None:
    for name, picture in pictures.items():
        assert picture.shape == (*SIZE_PX, 4), name
        alpha = picture[:, :, 3]
        assert [alpha[y, x] for y in (0, -1) for x in (0, -1)] == [0, 0, 0, 0], name
        assert (alpha[30:-30] == 255).all() and (alpha[:, 30:-30] == 255).all(), name


def test_the_svg_is_well_formed_and_draws_everything_itself() -> None:
    for name, svg in SVGS.items():
        root = ElementTree.fromstring(svg)
        assert root.attrib["viewBox"] == "0 0 610 1120", name
        kinds = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
        # No text, fonts or linked pictures.
        assert kinds <= {"svg", "g", "path", "rect", "circle", "clipPath"}, name
        assert not [1 for one in root.iter() for value in one.attrib.values() if "nan" in value], name


def test_no_two_cards_are_alike(pictures: Pictures) -> None:
    small = {
        card: np.asarray(
            cv2.resize(pictures[f"{card}.png"][:, :, :3], (61, 112), interpolation=cv2.INTER_AREA), np.uint8
        )
        for card in CARDS
    }
    difference, one, other = least_difference(small)
    assert difference > 1.5, f"{one} and {other} differ by {difference:.2f} levels only"


def test_the_corner_alone_tells_every_card(pictures: Pictures) -> None:
    corners = {card: pictures[f"{card}.png"][*INDEX_PX, :3] for card in CARDS}
    difference, one, other = least_difference(corners)
    assert difference > 3, f"the corners of {one} and {other} differ by {difference:.2f} levels only"


def test_the_index_reads_the_same_from_the_other_end(pictures: Pictures) -> None:
    for card in CARDS:
        picture = pictures[f"{card}.png"]
        turned = picture[::-1, ::-1]
        difference = np.abs(picture[*INDEX_PX].astype(int) - turned[*INDEX_PX].astype(int)).mean()
        assert difference < 2, card


@pytest.mark.parametrize("name", ["", "S11", "T0", "T22", "X1", "back"])
def test_a_card_of_another_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no card is called"):
        drawing(name)


@pytest.mark.training
@pytest.mark.parametrize("name", ["S7.png", "HC.png", "T16.png", "F.png", "back_BACK.png"])
def test_the_committed_picture_is_made_of_the_drawing(name: str, pictures: Pictures) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    drawn = cv2.imdecode(np.frombuffer(rasterise(SVGS[name]), np.uint8), cv2.IMREAD_UNCHANGED)
    # Another version of the rasteriser may blend edges a little otherwise.
    assert np.abs(drawn.astype(int) - pictures[name].astype(int)).mean() < 1


@pytest.mark.training
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with pytest.raises(SystemExit) as stopped:
        main([str(in_the_way)])
    assert stopped.value.code == 2
    assert str(in_the_way) in capsys.readouterr().err


def test_the_description_names_size_and_licence() -> None:
    description = tomllib.loads((DRAWN / "deck.toml").read_text(encoding="utf-8"))
    assert (description["height_mm"] * 8, description["width_mm"] * 8) == SIZE_PX
    assert description["licence"] == "AGPL-3.0-or-later"
