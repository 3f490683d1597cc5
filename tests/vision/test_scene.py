"""The scene renderer tells the truth about what it draws, and draws the same for the same seed."""

import cv2
import numpy as np
import pytest
from drawn import deck_with

from tracker.cards import CARDS
from vision.decks import BACK, CARD_MM, Deck, load_deck
from vision.errors import VisionError
from vision.lab.rendering.crops import HEIGHTS_PX, as_found, cut_table, render_crop
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import Cast, camera_matrix, paste, project
from vision.lab.rendering.scene import LaidCard, Studio, open_studio, render_scene
from vision.picture import CROP_PX, NOT_A_CARD, overlap, rectify
from vision.reading.identifier import CLASSES, Identifier
from vision.reading.letterbox import letterbox


@pytest.fixture(scope="module")
def deck() -> Deck:
    return deck_with("S7", "HR", "T21", "F", "C10", "back_BACK", "back_BACK2")


@pytest.fixture(scope="module")
def studio(deck: Deck) -> Studio:
    return open_studio(np.random.default_rng(5), [deck], cloths=6, backs=4)


def test_same_seed_same_scene(studio: Studio) -> None:
    a = render_scene(np.random.default_rng(3), studio, (320, 180))
    b = render_scene(np.random.default_rng(3), studio, (320, 180))
    assert np.array_equal(a.picture, b.picture)
    assert [card.card for card in a.cards] == [card.card for card in b.cards]


def test_listed_cards_are_in_view_and_shaped_like_cards(studio: Studio) -> None:
    listed = 0
    for seed in range(40):
        scene = render_scene(np.random.default_rng(seed), studio, (480, 270))
        assert scene.picture.shape == (270, 480, 3)
        for card in scene.cards:
            listed += 1
            assert card.card == BACK or card.card in CARDS
            assert 0.2 <= card.visible <= 1
            sides = np.linalg.norm(card.corners_px - np.roll(card.corners_px, -1, axis=0), axis=1)
            ratio = (sides[1] + sides[3]) / (sides[0] + sides[2])
            assert 0.9 < ratio < 3.7, "seen up to 35 degrees aslant, a card is still taller than broad"
    assert listed > 60


def test_a_pasted_card_is_read_back_by_its_corners(deck: Deck) -> None:
    """What `paste` draws at four corners, `rectify` cuts out of them again."""
    canvas = np.full((400, 400, 3), 40, np.uint8)
    matrix = camera_matrix((400, 400), 220, 25, 40, 10)
    corners = project(matrix, place_card((5, -8), 0.7))
    paste(canvas, deck.faces["T21"], corners)
    seen = rectify(canvas, corners).astype(float)
    flat = cv2.resize(
        deck.faces["T21"][1][:, :, :3], (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA
    ).astype(float)
    inner = slice(8, -8)
    assert np.abs(seen[inner, inner] - flat[inner, inner]).mean() < 18
    other = cv2.resize(deck.faces["HR"][1][:, :, :3], (CROP_PX, CROP_PX)).astype(float)
    assert np.abs(seen[inner, inner] - other[inner, inner]).mean() > 30


def test_a_card_beside_the_camera_is_not_drawn(deck: Deck) -> None:
    """Seen aslant, a card far off lies behind the camera: drawing it took minutes."""
    canvas = np.full((180, 320, 3), 90, np.uint8)
    corners = np.array([[-9000, -4000], [40, 20], [300, 90], [-7000, 8000]], np.float32)
    assert paste(canvas, deck.faces["S7"], corners, shadow=0.3) is None
    assert (canvas == 90).all()


def test_a_shadow_falls_to_its_side_and_hides_no_part_of_the_card(deck: Deck) -> None:
    corners = project(camera_matrix((300, 300), 120, 0, 0, 0), place_card((0, 0), 0))
    canvas = np.full((300, 300, 3), 150, np.uint8)
    cast = Cast(0.03, (0.08, 0.0), rim=(10.0, 10.0, 10.0))
    shown = paste(canvas, deck.faces["S7"], corners, 0.5, cast=cast)
    plain = paste(np.full((300, 300, 3), 150, np.uint8), deck.faces["S7"], corners)
    assert abs(int(shown[2].sum()) - int(plain[2].sum())) < 5
    left, right = int(corners[:, 0].min()), int(corners[:, 0].max())
    assert canvas[150, right + 4].mean() < 120 and canvas[150, left - 6].mean() > 145


def test_a_camera_from_above_keeps_the_shape_of_a_card() -> None:
    corners = project(camera_matrix((640, 360), 112, 0, 0, 0), place_card((0, 0), 0))
    assert np.allclose(corners.mean(0), (320, 180), atol=0.01)
    assert np.allclose(corners[2] - corners[0], CARD_MM, atol=0.01)


@pytest.mark.parametrize("card", ["S7", "T21", "F", NOT_A_CARD])
def test_crops_are_square_and_differ(studio: Studio, card: str) -> None:
    crops = [render_crop(np.random.default_rng(seed), studio, card) for seed in range(3)]
    assert all(crop.shape == (CROP_PX, CROP_PX, 3) and crop.dtype == np.uint8 for crop in crops)
    assert not np.array_equal(crops[0], crops[1])


@pytest.mark.slow
def test_crops_of_a_table_show_the_cards_they_are_named_after(deck: Deck, studio: Studio) -> None:
    """Those in which the shipped identifier sees a card at all are mostly the one; what is no card is hardly one."""
    identifier = Identifier()
    shares = {"S7": 1.0, "HR": 1.0, "T21": 1.0, "F": 1.0, "C10": 0.0}
    cut = [one for seed in range(15) for one in cut_table(np.random.default_rng(seed), studio, shares)]
    cards = [(name, crop) for name, crop in cut if name != NOT_A_CARD]
    nothing = [crop for name, crop in cut if name == NOT_A_CARD]
    assert {name for name, _ in cards} == {"S7", "HR", "T21", "F"} and len(nothing) > 15
    assert all(crop.shape == (CROP_PX, CROP_PX, 3) for _, crop in cut)
    read = identifier.classify_both_ways([crop for _, crop in cards])
    sure = [
        (CLASSES[int(row.argmax())], name)
        for row, (name, _) in zip(read, cards, strict=True)
        if row.max() > 0.9
    ]
    assert len(sure) > 30 and np.mean([seen == name for seen, name in sure]) > 0.85
    assert np.mean(identifier.classify_both_ways(nothing)[:, : len(CARDS)].max(1) > 0.9) < 0.1


def test_corners_are_found_near_the_cards() -> None:
    corners = project(camera_matrix((300, 300), HEIGHTS_PX[0], 20, 30, 10), place_card((0, 0), 0.4))
    whole = LaidCard("S7", corners, 1.0)
    found = [as_found(np.random.default_rng(seed), whole) for seed in range(200)]
    off = np.array([np.linalg.norm(one - corners, axis=1).max() for one in found]) / HEIGHTS_PX[0]
    assert 0.005 < np.median(off) < 0.03 and 0.04 < off.max() < 0.25


def test_letterbox_says_how_to_get_back() -> None:
    frame = np.zeros((720, 1280, 3), np.uint8)
    frame[300:320, 900:920] = 255
    small, scale, offset = letterbox(frame, (320, 192))
    assert small.shape == (192, 320, 3)
    ys, xs = np.nonzero(small[:, :, 0] > 200)
    middle = (np.array([xs.mean(), ys.mean()]) + 0.5 - offset) / scale
    assert np.allclose(middle, (910, 310), atol=2)


def test_overlap_of_boxes() -> None:
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    assert overlap(square, square) == pytest.approx(1)
    assert overlap(square, square + np.float32([5, 0])) == pytest.approx(1 / 3, abs=1e-3)
    assert overlap(square, square + np.float32([20, 0])) == 0


def test_a_folder_without_cards_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(VisionError, match="no such deck folder"):
        load_deck(tmp_path / "nowhere")
    (tmp_path / "readme.txt").write_text("no pictures")
    with pytest.raises(VisionError, match="no picture named after a card"):
        load_deck(tmp_path)
    (tmp_path / "S7.png").write_bytes(b"not a picture")
    with pytest.raises(VisionError, match=r"S7\.png"):
        load_deck(tmp_path)
