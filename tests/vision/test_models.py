"""The shipped models: what the identifier reads once and what again, and the finder on a phone held upright."""

import cv2
import numpy as np
import pytest

from vision.arrays import Float32Array, UInt8Array
from vision.camera.capture import frames
from vision.decks import read_picture
from vision.reading.finder import Finder
from vision.reading.identifier import CLASSES, UNSURE, Identifier, both_ways
from vision.reading.views import END_SHARE, views
from vision.resources import datasets_dir
from vision.taught.crops import as_read


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


def crop(card: str, blur_px: float = 0.0) -> UInt8Array:
    picture = as_read(read_picture(datasets_dir() / "drawn" / f"{card}.png"))
    return cv2.GaussianBlur(picture, (0, 0), blur_px).astype(np.uint8) if blur_px else picture


def once(identifier: Identifier, picture: UInt8Array) -> Float32Array:
    """The mean of the logarithms of both ways up, and nothing else."""
    logs = np.log(np.maximum(identifier.classify(both_ways([picture])), 1e-6)).mean(0)
    return np.asarray(np.exp(logs) / np.exp(logs).sum(), np.float32)


def test_a_sure_crop_is_read_both_ways_up_and_no_more(identifier: Identifier) -> None:
    rows = identifier.classify_both_ways([crop("S7"), crop("T21")])
    assert [CLASSES[int(row.argmax())] for row in rows] == ["S7", "T21"]
    assert rows.min(1).max() < 0.01 and rows.max(1).min() >= UNSURE
    np.testing.assert_allclose(rows[0], once(identifier, crop("S7")), atol=1e-4)


def test_an_unsure_crop_is_read_again_and_its_neighbours_are_not(identifier: Identifier) -> None:
    unsure = next(
        picture
        for blur_px in np.arange(4.0, 12.0)
        if once(identifier, picture := crop("T18", float(blur_px))).max() < UNSURE
    )
    rows = identifier.classify_both_ways([crop("S7"), unsure, crop("H3")])
    np.testing.assert_allclose(rows[0], once(identifier, crop("S7")), atol=1e-4)
    np.testing.assert_allclose(rows[2], once(identifier, crop("H3")), atol=1e-4)
    assert abs(rows[1] - once(identifier, unsure)).max() > 0.001
    assert rows.sum(1) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("at_right", [False, True], ids=["left", "right"])
def test_a_corner_of_both_ends_is_shown_larger(at_right: bool) -> None:
    """A dot in the middle of the enlarged corner of each end is in the middle of the view of that end."""
    share, side = 0.5, 400
    crop = np.zeros((side, side, 3), np.uint8)
    x, y = side * (1 - share / 2 if at_right else share / 2), side * END_SHARE * share / 2
    for middle in ((x, y), (side - x, side - y)):
        cv2.circle(crop, (round(middle[0]), round(middle[1])), 8, (255, 255, 255), -1)
    picture = views(crop, share, at_right=at_right)
    np.testing.assert_array_equal(picture[:, :64], views(crop)[:, :64])
    for end in (picture[:64, 64:], picture[64:, 64:]):
        rows, columns = np.nonzero(end[:, :, 0] > 128)
        assert rows.mean() == pytest.approx(31.5, abs=2) and columns.mean() == pytest.approx(63.5, abs=2)


def test_no_crops_give_no_rows(identifier: Identifier) -> None:
    rows = identifier.classify_both_ways([])
    assert rows.shape == (0, len(CLASSES))


def test_a_camera_held_upright_finds_the_same_cards_where_they_lie(identifier: Identifier) -> None:
    finder = Finder()
    table = next(f.picture for f in frames(str(datasets_dir() / "demo/hand.mp4"), 1) if f.time_s >= 14)
    upright = cv2.rotate(table, cv2.ROTATE_90_CLOCKWISE).astype(np.uint8)
    lying, turned = finder.find(table), finder.find(upright)
    assert len(turned) == len(lying) >= 2
    for one, other in zip(lying, turned, strict=True):
        assert (one.face, one.score) == (other.face, other.score)
        x, y = one.corners_px.T
        np.testing.assert_allclose(other.corners_px, np.stack([table.shape[0] - y, x], axis=1), atol=0.01)
    faces = [card.corners_px for card in turned if card.face]
    before = identifier.name(table, [card.corners_px for card in lying if card.face])
    after = identifier.name(upright, faces)
    assert faces and (before.argmax(1) == after.argmax(1)).all()
