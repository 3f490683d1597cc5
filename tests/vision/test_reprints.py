"""Packs printed anew: the art grows or shrinks, the card does not."""

import numpy as np
import pytest
from drawn import deck_with

from vision.arrays import UInt8Array
from vision.decks import Deck
from vision.lab.rendering.reprints import BROADER, SCALES, broadened, narrowing, reprinted


@pytest.fixture(scope="module")
def deck() -> Deck:
    return deck_with("D6", "T14", "HR", "back_BACK")


def breadth_of_art(art: UInt8Array) -> int:
    """Columns (px) from the first red of a six of diamonds to the last one."""
    blue, red = art[..., 0].astype(int), art[..., 2].astype(int)
    columns = np.flatnonzero(((red - blue) > 110).any(0))
    return int(columns[-1] - columns[0])


def test_cards_keep_their_size_and_are_solid_but_for_round_corners(deck: Deck) -> None:
    for seed in range(6):
        anew = reprinted(np.random.default_rng(seed), deck)
        assert anew.faces.keys() == deck.faces.keys()
        for card, face in anew.faces.items():
            assert [art.shape for art in face] == [art.shape for art in deck.faces[card]]
            high, wide = face[0].shape[:2]
            assert (face[0][high // 10 : -high // 10, :, 3] == 255).all()
            assert (face[0][0, :, 3] < 255).any() and face[0][0, wide // 2, 3] == 255


def test_the_art_is_scaled_and_all_faces_alike(deck: Deck) -> None:
    was = breadth_of_art(deck.faces["D6"][0])
    shares = [
        breadth_of_art(reprinted(np.random.default_rng(s), deck).faces["D6"][0]) / was for s in range(12)
    ]
    assert min(shares) < 0.95 and max(shares) > 1.0
    assert all(SCALES[0] * 0.9 < share < SCALES[1] * 1.1 for share in shares)


def test_what_smaller_art_leaves_bare_has_the_paper_s_colour(deck: Deck) -> None:
    for seed in range(12):
        face = reprinted(np.random.default_rng(seed), deck).faces["D6"][0]
        if breadth_of_art(face) < 0.9 * breadth_of_art(deck.faces["D6"][0]):
            rim = face[100:-100, 2:8, :3].astype(int)
            paper = deck.faces["D6"][0][:, 30:-30, :3].reshape(-1, 3).max(0).astype(int)
            assert np.abs(rim - paper).max() < 40
            return
    raise AssertionError("no seed made the art smaller")


def test_on_a_broader_card_the_index_is_narrower_and_as_near_to_the_corner_and_the_middle_takes_the_rest() -> (
    None
):
    art = np.full((40, 200, 3), 255, np.uint8)
    art[:, 8:28] = art[:, 172:192] = (0, 0, 200)  # two indices, 8 px from either edge
    art[:, 90:110] = (200, 0, 0)  # a pip in the middle
    drawn = broadened(art, 0.75)
    assert drawn.shape == art.shape and drawn.dtype == np.uint8
    red = np.flatnonzero(drawn[20, :, 0] < 128)
    assert [red[0], red[-1]] == [6, 193]
    assert np.count_nonzero((drawn[20, :, 0] < 128) & (drawn[20, :, 2] > 128)) == 2 * 15
    assert np.count_nonzero((drawn[20, :, 0] > 128) & (drawn[20, :, 2] < 128)) in (24, 25)


def test_half_of_the_packs_are_of_broader_cards_and_none_of_narrower_ones() -> None:
    rng = np.random.default_rng(5)
    shares = [narrowing(rng) for _ in range(400)]
    assert 150 < sum(share < 1 for share in shares) < 250
    assert min(shares) >= BROADER[0] and max(shares) == 1
