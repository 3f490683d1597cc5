"""Invented cards: every card can be drawn, no two alike, the same for the same seed."""

from dataclasses import replace

import numpy as np
import pytest
from drawn import deck_with

from tracker.cards import CARDS
from vision.decks import Deck, Sprite, sprite_of
from vision.lab.rendering.crops import InventedFaces, cut_table, render_crop
from vision.lab.rendering.pasting import paste
from vision.lab.rendering.scene import open_studio
from vision.picture import CROP_PX, NOT_A_CARD

pytest.importorskip("PIL")
pytest.importorskip("matplotlib")

from vision.lab.rendering.fonts import Fonts, load_fonts
from vision.lab.rendering.invented import HEIGHT, WIDTH, _text, invent_card

pytestmark = pytest.mark.training


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return load_fonts(system=False)


@pytest.fixture(scope="module")
def donor() -> Deck:
    return deck_with("HV", "SC", "DD", "CR", "T5", "T12", "F", "S7", "T7")


def test_the_fonts_that_matplotlib_brings_will_do(fonts: Fonts) -> None:
    assert len(fonts.texts) > 5
    assert fonts.signs
    assert not any("cmsy" in path or "STIXSiz" in path for path in fonts.texts)


@pytest.mark.parametrize("with_donor", [False, True])
def test_every_card_can_be_drawn(fonts: Fonts, donor: Deck, with_donor: bool) -> None:
    for number, card in enumerate(CARDS):
        picture = invent_card(np.random.default_rng(number), card, fonts, [donor] if with_donor else [])
        assert picture.shape == (HEIGHT, WIDTH, 4)
        assert picture.dtype == np.uint8
        assert picture[0, 0, 3] == 0, "a corner is rounded off"
        assert picture[HEIGHT // 2, WIDTH // 2, 3] == 255
        assert picture[:, :, :3].std() > 5, "something is printed on it"


def test_a_broad_figure_in_a_low_picture_has_its_shoulders_in_it(fonts: Fonts) -> None:
    assert invent_card(np.random.default_rng(29), "HD", fonts).shape == (HEIGHT, WIDTH, 4)


def test_some_packs_have_a_three_with_a_flat_top_and_no_other_digit_changes(fonts: Fonts) -> None:
    one = replace(fonts, texts=(next(path for path in fonts.texts if path.endswith("DejaVuSans.ttf")),))
    threes, fives = set(), set()
    for seed in range(60):
        draw = _text(np.random.default_rng(seed), one)
        threes.add(draw("3").tobytes())
        fives.add(draw("5").tobytes())
    assert len(threes) > len(fives)
    assert draw("Ʒ").tobytes() in threes


@pytest.mark.parametrize("card", ["S7", "HC", "T9", "F"])
def test_a_seed_gives_one_printing_and_another_seed_another(fonts: Fonts, donor: Deck, card: str) -> None:
    first, same, other = (
        invent_card(np.random.default_rng(seed), card, fonts, [donor]) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_a_sprite_of_one_height_is_pasted_at_any_size() -> None:
    red = np.full((336, 183, 3), (0, 0, 255), np.uint8)
    sprite = sprite_of(red, heights_px=(336,))
    assert len(sprite) == 1
    for scale in (0.2, 1.0, 2.0):
        canvas = np.zeros((700, 400, 3), np.uint8)
        w, h = 183 * scale, 336 * scale
        corners = np.array([[5, 5], [5 + w, 5], [5 + w, 5 + h], [5, 5 + h]], np.float32)
        assert paste(canvas, sprite, corners) is not None
        middle = canvas[int(5 + h / 2), int(5 + w / 2)]
        assert middle.tolist() == [0, 0, 255]


def test_crops_are_of_invented_cards_only_if_asked(fonts: Fonts, donor: Deck) -> None:
    asked: list[str] = []

    def invent(rng: np.random.Generator, card: str) -> Sprite:
        asked.append(card)
        return sprite_of(invent_card(rng, card, fonts, [donor]), heights_px=(336, 168))

    plain = open_studio(np.random.default_rng(1), [donor], cloths=3, backs=2)
    never = replace(plain, invent=invent)
    always = replace(never, invented_share=1.0)
    for seed in range(6):
        usual = render_crop(np.random.default_rng(seed), plain, "T7")
        assert np.array_equal(usual, render_crop(np.random.default_rng(seed), never, "T7"))
        assert not asked
    for seed in range(6):
        assert render_crop(np.random.default_rng(seed), always, "T7").shape == (CROP_PX, CROP_PX, 3)
    assert asked.count("T7") >= 6


def test_of_an_invented_pack_only_the_cards_that_are_laid_are_drawn(fonts: Fonts, donor: Deck) -> None:
    asked: list[str] = []

    def invent(rng: np.random.Generator, card: str) -> Sprite:
        asked.append(card)
        return sprite_of(invent_card(rng, card, fonts, [donor]), heights_px=(336, 168))

    faces = InventedFaces(np.random.default_rng(1), CARDS, invent)
    assert list(faces) == list(CARDS) and len(faces) == len(CARDS) and not asked
    assert faces["T7"] is faces["T7"] and asked == ["T7"]
    with pytest.raises(KeyError):
        faces["joker"]
    plain = open_studio(np.random.default_rng(1), [donor], cloths=3, backs=2)
    shares = dict.fromkeys(CARDS, 1.0)
    asked.clear()
    names = {name for name, _ in cut_table(np.random.default_rng(1), plain, shares)} - {NOT_A_CARD}
    assert names and names <= set(donor.faces) and not asked
    always = replace(plain, invent=invent, invented_share=1.0)
    names = {name for name, _ in cut_table(np.random.default_rng(1), always, shares)} - {NOT_A_CARD}
    assert names and names <= set(asked) and len(asked) == len(set(asked)) < len(CARDS)
