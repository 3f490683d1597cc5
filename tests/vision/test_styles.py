"""The styles of printing that the reading of an index is measured on."""

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tracker.cards import CARDS
from vision.decks import load_deck
from vision.lab.bench.stills import load_stills
from vision.lab.bench.styles import STYLES, Style, draw_card, main, write_styles
from vision.picture import CROP_PX
from vision.reading.identifier import CLASSES, Identifier
from vision.watching.sightings import SURE

pytestmark = pytest.mark.training
pytest.importorskip("PIL")
pytest.importorskip("matplotlib")


def test_a_style_is_written_as_a_deck_and_as_stills_that_show_each_card_twice(tmp_path: Path) -> None:
    write_styles(tmp_path, [style for style in STYLES if style.name == "roman"])
    assert set(load_deck(tmp_path / "decks" / "roman").faces) == set(CARDS)
    stills = load_stills(tmp_path / "stills" / "roman")
    shown = Counter(card.card for still in stills for card in still.cards)
    assert shown == dict.fromkeys(CARDS, 2)
    assert {still.group for still in stills} == {"roman"}


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_each_card_of_a_style_looks_the_same_each_time_and_unlike_its_neighbour(style: Style) -> None:
    one, again, other = (draw_card(style, name) for name in ("H4", "H4", "H5"))
    assert np.array_equal(one, again) and not np.array_equal(one, other)


def test_without_a_folder_to_write_to_the_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["large-marks", "other-pips"])
def test_an_index_is_read_whatever_the_pips_say(name: str) -> None:
    """Corner signs as large as pips are not counted; pips of another rank mislead seldom, and never surely."""
    style = next(style for style in STYLES if style.name == name)
    pips = [card for card in CARDS if card[0] != "T" and card[1:].isdigit()]
    side = (CROP_PX, CROP_PX)
    crops = [
        cv2.resize(draw_card(style, card)[:, :, :3], side, interpolation=cv2.INTER_AREA).astype(np.uint8)
        for card in pips
    ]
    rows = Identifier().classify_both_ways(crops)
    read = [(CLASSES[int(row.argmax())], float(row.max())) for row in rows]
    wrong = [(card, *told) for card, told in zip(pips, read, strict=True) if told[0] != card]
    assert len(wrong) <= 3 and not any(chance >= SURE for *_, chance in wrong), wrong


def test_a_numeral_of_4_mm_is_read_in_its_enlarged_corner() -> None:
    """Trumps 140 px high: read without their corners enlarged, 6 of the 22 were named right."""
    style = next(style for style in STYLES if style.name == "tiny")
    trumps, side = [card for card in CARDS if card[0] == "T"], (CROP_PX, CROP_PX)
    seen = [
        cv2.resize(draw_card(style, card)[:, :, :3], (77, 140), interpolation=cv2.INTER_AREA)
        for card in trumps
    ]
    crops = [cv2.resize(picture, side, interpolation=cv2.INTER_LINEAR).astype(np.uint8) for picture in seen]
    read = [CLASSES[int(row.argmax())] for row in Identifier().classify_both_ways(crops)]
    assert sum(one == card for one, card in zip(read, trumps, strict=True)) >= 13, read
