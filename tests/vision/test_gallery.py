"""A taught deck: what it stores and refuses, and that it changes no reading but of its own cards."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from readings import row_of

from vision.arrays import Float32Array, UInt8Array
from vision.decks import read_picture
from vision.errors import VisionError
from vision.reading.identifier import CLASSES
from vision.resources import datasets_dir
from vision.taught.crops import as_read, load_crops, save_crop, vary
from vision.taught.folders import forget_deck, open_deck, taught_decks
from vision.taught.gallery import LATELY, TaughtIdentifier
from vision.taught.pixels import differences, layers_both_ways

CARDS = ("S7", "HC", "D1", "CD", "T1", "T12", "T21", "F")


def picture(card: str) -> UInt8Array:
    return as_read(read_picture(datasets_dir() / "drawn" / f"{card}.png"))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> TaughtIdentifier:
    identifier = TaughtIdentifier(tmp_path_factory.mktemp("decks") / "ours")
    for card in CARDS:
        identifier.gallery.add(card, picture(card))
    return identifier


def uniform(count: int) -> Float32Array:
    """The probabilities of an identifier that cannot tell."""
    return np.full((count, len(CLASSES)), 1 / len(CLASSES), np.float32)


def sure_of(card: str, chance: float = 0.98) -> Float32Array:
    """The probabilities (1, 79) of an identifier that is sure of `card`."""
    return row_of({card: chance})[None]


def named(rows: Float32Array) -> list[str]:
    return [CLASSES[int(row.argmax())] for row in rows]


def test_taught_cards_are_named_where_the_identifier_cannot_tell(taught: TaughtIdentifier) -> None:
    rng = np.random.default_rng(1)
    crops = [vary(rng, picture(card), ()) for card in CARDS]
    taught.gallery.begin()
    told = taught.gallery.join(crops, uniform(len(crops)))
    assert named(told) == list(CARDS)
    assert np.allclose(told.sum(1), 1, atol=1e-4)
    # cards that were not taught keep their probability
    assert np.allclose(told[:, CLASSES.index("S8")], 1 / len(CLASSES))


def test_a_card_that_the_identifier_surely_misreads_is_named_by_what_was_taught(
    taught: TaughtIdentifier,
) -> None:
    taught.gallery.begin()
    for card, wrong in (("S7", "HC"), ("T12", "T21")):
        assert named(taught.gallery.join([picture(card)], sure_of(wrong))) == [card]
        upside_down = np.ascontiguousarray(picture(card)[::-1, ::-1])
        assert named(taught.gallery.join([upside_down], sure_of(wrong))) == [card]


def with_a_sign_more(crop: UInt8Array) -> UInt8Array:
    """A dark square in both halves, as a pack with one sign for each number has it."""
    drawn = crop.copy()
    for turned in (drawn, drawn[::-1, ::-1]):
        turned[50:90, 80:130] = 40
    return drawn


def seen_again(crop: UInt8Array) -> UInt8Array:
    """`crop` upside down in other light, a little to the side and out of focus."""
    corners = np.array([[0, 0], [224, 0], [224, 224], [0, 224]], np.float32)
    beside = corners + np.array([[4, -2], [3, -3], [2, -3], [4, -2]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, beside)
    moved = cv2.warpPerspective(crop[::-1, ::-1], warp, (224, 224), borderMode=cv2.BORDER_REPLICATE)
    lit = (
        cv2.GaussianBlur(moved, (0, 0), 1.5)
        * np.array([0.5, 0.6, 0.75])
        * np.linspace(0.8, 1.1, 224)[:, None, None]
    )
    return np.asarray(lit.clip(0, 255), np.uint8)


@pytest.mark.parametrize("covered", [False, True])
def test_of_two_cards_that_differ_in_one_sign_the_one_that_is_seen_differs_less(covered: bool) -> None:
    two = picture("T12")
    three = with_a_sign_more(two)
    taught = [layers_both_ways(two), layers_both_ways(three)]
    for card, crop in enumerate((two, three)):
        seen = seen_again(crop)
        if covered:
            seen[80:150, 90:] = picture("HC")[80:150, 90:]
        told = differences(seen, taught)
        assert told[card] + 0.01 < told[1 - card]


def test_once_the_deck_is_on_the_table_a_card_taken_for_its_neighbour_is_named_by_its_sign(
    tmp_path: Path,
) -> None:
    identifier = TaughtIdentifier(tmp_path / "ours")
    two = picture("T12")
    three = with_a_sign_more(two)
    identifier.gallery.add("T2", two)
    identifier.gallery.add("T3", three)
    seen = [seen_again(two), seen_again(three)]
    misread = np.concatenate([sure_of("T3", 0.3), sure_of("T2", 0.3)])
    assert named(identifier.gallery.join(seen, misread)) == ["T3", "T2"]  # another deck may be on the table
    identifier.gallery.on_table = True
    told = identifier.gallery.join(seen, misread)
    assert named(told) == ["T2", "T3"]
    assert np.allclose(told.sum(1), 1, atol=1e-4)


def test_what_looks_like_no_taught_card_keeps_its_reading(taught: TaughtIdentifier) -> None:
    rng = np.random.default_rng(2)
    noise = [rng.integers(0, 256, (224, 224, 3)).astype(np.uint8) for _ in range(4)]
    before = rng.dirichlet(np.ones(len(CLASSES)), 4).astype(np.float32)
    taught.gallery.begin()
    assert np.allclose(taught.gallery.join(noise, before), before, atol=1e-6)


def test_another_deck_on_the_table_is_noticed_and_read_as_if_none_had_been_taught(
    taught: TaughtIdentifier,
) -> None:
    other = [cv2.bitwise_not(picture(card)[:, ::-1]).astype(np.uint8) for card in ("S2", "D5", "H9", "CC")]
    taught.gallery.begin()
    assert named(taught.gallery.join([picture("S7")], uniform(1))) == ["S7"]
    for _ in range(LATELY // len(other)):
        taught.gallery.join(other, uniform(len(other)))
    assert np.allclose(taught.gallery.join([picture("S7")], uniform(1)), uniform(1))
    taught.gallery.begin()
    assert named(taught.gallery.join([picture("S7")], uniform(1))) == ["S7"]


def test_a_taught_deck_survives_a_restart(taught: TaughtIdentifier) -> None:
    again = TaughtIdentifier(taught.gallery.folder)
    assert again.gallery.looks == taught.gallery.looks
    assert taught_decks(taught.gallery.folder.parent) == {"ours": len(CARDS)}
    assert len(again.gallery.missing) == 78 - len(CARDS)


def test_forgetting_a_card_keeps_the_others(tmp_path: Path) -> None:
    identifier = TaughtIdentifier(tmp_path / "ours")
    for card in ("S7", "HC", "T21"):
        identifier.gallery.add(card, picture("S7" if card == "HC" else card))
    identifier.gallery.forget("HC")
    assert identifier.gallery.looks == {"S7": 1, "T21": 1} and "HC" in identifier.gallery.missing
    assert TaughtIdentifier(tmp_path / "ours").gallery.looks == {"S7": 1, "T21": 1}
    with pytest.raises(VisionError, match="HC was not taught"):
        identifier.gallery.forget("HC")


def test_an_untaught_deck_is_refused_with_how_to_teach_it(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match='tarok decks enrol "gone"'):
        open_deck(tmp_path / "gone")
    with pytest.raises(VisionError, match='tarok decks enrol "gone"'):
        forget_deck(tmp_path / "gone")


def test_forgetting_a_deck_leaves_nothing(tmp_path: Path) -> None:
    save_crop(tmp_path / "ours" / "crops", "S7", picture("S7"))
    forget_deck(tmp_path / "ours")
    assert list(tmp_path.iterdir()) == []


def test_crops_are_numbered_and_read_back(tmp_path: Path) -> None:
    for _ in range(2):
        save_crop(tmp_path, "S7", picture("S7"))
    crops = load_crops(tmp_path)
    assert {card: len(found) for card, found in crops.items()} == {"S7": 2}
    assert np.array_equal(crops["S7"][0], picture("S7"))
    with pytest.raises(VisionError, match="has no crop"):
        load_crops(tmp_path / "S7")
    (tmp_path / "HC").mkdir()
    (tmp_path / "HC" / "1.png").write_bytes(b"torn")
    with pytest.raises(VisionError, match=r"HC/1\.png|HC\\1\.png"):
        load_crops(tmp_path)
