"""A taught deck: what it stores and refuses, and that it changes no reading but of its own cards."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from vision.arrays import UInt8Array
from vision.decks import read_picture
from vision.errors import VisionError
from vision.reading.identifier import CLASSES
from vision.resources import datasets_dir, models_dir
from vision.taught.crops import as_read, load_crops, save_crop, vary
from vision.taught.gallery import TaughtIdentifier, forget_deck, is_new_to, open_deck, taught_decks

CARDS = ("S7", "HC", "D1", "CD", "T1", "T12", "T21", "F")


def picture(card: str) -> UInt8Array:
    return as_read(read_picture(datasets_dir() / "drawn" / f"{card}.png"))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> TaughtIdentifier:
    identifier = TaughtIdentifier(tmp_path_factory.mktemp("decks") / "ours")
    for card in CARDS:
        identifier.gallery.add(card, picture(card))
    return identifier


def uniform(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The probabilities of an identifier that cannot tell."""
    return np.full((count, len(CLASSES)), 1 / len(CLASSES), np.float32)


def test_taught_cards_are_named_where_the_identifier_cannot_tell(taught: TaughtIdentifier) -> None:
    rng = np.random.default_rng(1)
    crops = [vary(rng, picture(card), ()) for card in CARDS]
    both = [way for crop in crops for way in (crop, np.ascontiguousarray(crop[::-1, ::-1]))]
    embeddings = taught.classify(both)[1].reshape(len(crops), 2, -1)
    taught.gallery.on_table = True
    told = taught.gallery.join(crops, uniform(len(crops)), embeddings)
    assert [CLASSES[int(row.argmax())] for row in told] == list(CARDS)
    assert np.allclose(told.sum(1), 1, atol=1e-4)
    # cards that were not taught keep their probability
    assert np.allclose(told[:, CLASSES.index("S8")], 1 / len(CLASSES))


def test_a_crop_far_from_every_look_keeps_its_reading(taught: TaughtIdentifier) -> None:
    rng = np.random.default_rng(2)
    taught.gallery.on_table = True
    far = rng.normal(0, 1, (4, 2, taught.classify([picture("S7")])[1].shape[1])).astype(np.float32)
    before = rng.dirichlet(np.ones(len(CLASSES)), 4).astype(np.float32)
    crops = [picture(card) for card in CARDS[:4]]
    assert np.allclose(taught.gallery.join(crops, before, far), before, atol=1e-6)


def test_a_sure_reading_is_never_changed(taught: TaughtIdentifier) -> None:
    taught.gallery.on_table = True
    both = [picture("S7"), np.ascontiguousarray(picture("S7")[::-1, ::-1])]
    embeddings = taught.classify(both)[1][None]
    before = np.full((1, len(CLASSES)), 0.02 / (len(CLASSES) - 1), np.float32)
    before[0, CLASSES.index("S8")] = 0.98
    assert np.allclose(taught.gallery.join([picture("S7")], before, embeddings), before, atol=1e-6)


def embedded(taught: TaughtIdentifier, card: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The embeddings (1, 2, E) of `card` exactly as it was taught."""
    return taught.classify([picture(card), np.ascontiguousarray(picture(card)[::-1, ::-1])])[1][None]


def sure_of(card: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The probabilities (1, 79) of an identifier that is sure of `card`."""
    told = np.full((1, len(CLASSES)), 0.05 / (len(CLASSES) - 1), np.float32)
    told[0, CLASSES.index(card)] = 0.95
    return told


@pytest.mark.parametrize(
    ("names", "used"),
    [
        pytest.param(CARDS, True, id="cards look as taught: this deck"),
        pytest.param((*CARDS[1:], CARDS[0]), False, id="cards look different: another deck"),
        pytest.param(("D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9"), False, id="cards not taught: unknown"),
    ],
)
def test_the_deck_on_the_table_is_recognised_by_the_looks_of_its_cards(
    taught: TaughtIdentifier, names: tuple[str, ...], used: bool
) -> None:
    def seven() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return taught.gallery.join([picture("S7")], uniform(1), embedded(taught, "S7"))

    taught.gallery.on_table = None
    taught.gallery.begin()
    assert np.allclose(seven(), uniform(1))  # nothing is known of the deck yet
    for card, name in zip(CARDS, names, strict=True):
        taught.gallery.join([picture(card)], sure_of(name), embedded(taught, card))
    later = seven()
    assert (CLASSES[int(later[0].argmax())] == "S7" and not np.allclose(later, uniform(1))) == used


def test_a_taught_deck_survives_a_restart(taught: TaughtIdentifier) -> None:
    again = TaughtIdentifier(taught.gallery.folder)
    assert again.gallery.looks == taught.gallery.looks
    assert taught_decks(taught.gallery.folder.parent) == {"ours": len(CARDS)}
    assert len(again.gallery.missing) == 78 - len(CARDS)


def test_another_model_embeds_the_stored_crops_anew_and_refuses_without_them(
    taught: TaughtIdentifier, tmp_path: Path
) -> None:
    deck = tmp_path / "decks" / "ours"
    save_crop(deck / "crops", "S7", picture("S7"))
    (deck / "embeddings-0123456789ab").mkdir()
    assert is_new_to(deck)
    again = TaughtIdentifier(deck)
    assert again.gallery.looks["S7"] == 1 and not is_new_to(deck)
    assert len(list(deck.glob("embeddings-*"))) == len(list(deck.glob("embeddings-*/S7-1.npz"))) == 1
    (deck / "crops" / "S7" / "1.png").unlink()
    with pytest.raises(VisionError, match="enrol the deck again"):
        TaughtIdentifier(deck)


def test_forgetting_a_card_keeps_the_others(tmp_path: Path) -> None:
    identifier = TaughtIdentifier(tmp_path / "ours")
    for card in ("S7", "HC", "T21"):
        identifier.gallery.add(card, picture("S7" if card == "HC" else card))
    identifier.gallery.forget("HC")
    assert identifier.gallery.looks == {"S7": 1, "T21": 1} and "HC" in identifier.gallery.missing
    assert TaughtIdentifier(tmp_path / "ours").gallery.looks == {"S7": 1, "T21": 1}
    with pytest.raises(VisionError, match="HC was not taught"):
        identifier.gallery.forget("HC")


def test_a_truncated_file_of_embeddings_is_made_anew(tmp_path: Path) -> None:
    first = TaughtIdentifier(tmp_path / "ours", models_dir() / "identifier.onnx")
    first.gallery.add("T21", picture("T21"))
    kept = next(tmp_path.glob("ours/embeddings-*/T21-1.npz"))
    kept.write_bytes(kept.read_bytes()[:100])
    assert TaughtIdentifier(tmp_path / "ours").gallery.looks["T21"] == 1


def test_a_deck_is_taught_and_read_where_embeddings_cannot_be_stored(tmp_path: Path) -> None:
    TaughtIdentifier(tmp_path / "ours").gallery.add("T21", picture("T21"))
    (kept,) = tmp_path.glob("ours/embeddings-*")
    shutil.rmtree(kept)
    kept.write_bytes(b"a file where the folder would be")
    again = TaughtIdentifier(tmp_path / "ours")
    again.gallery.add("S7", picture("S7"))
    assert again.gallery.looks == {"T21": 1, "S7": 1}
    kept.unlink()
    assert TaughtIdentifier(tmp_path / "ours").gallery.looks == {"T21": 1, "S7": 1}


def test_an_untaught_deck_is_refused_with_how_to_teach_it(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match="tarok decks enrol gone"):
        open_deck(tmp_path / "gone")
    with pytest.raises(VisionError, match="tarok decks enrol gone"):
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
