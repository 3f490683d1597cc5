"""`tarok look` as a person types it: what lies in photos, whatever their size and turn, and what goes wrong."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawn import drawn_deck
from webui_program import ran
from webui_scenes import tables_in_play

from vision.arrays import UInt8Array
from vision.camera.capture import frames
from vision.decks import BACK
from vision.lab.rendering.scene import open_studio
from vision.picture import overlap
from vision.resources import datasets_dir

pytestmark = pytest.mark.slow


def tarok(*words: str) -> subprocess.CompletedProcess[str]:
    return ran(*words)


def looked(*words: str) -> list[dict[str, Any]]:
    done = tarok("look", "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def named(cards: list[dict[str, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    """The corners of the faces by their likeliest name."""
    return {c["names"][0][0]: np.array(c["corners"], np.float32) for c in cards if c["side"] == "face"}


def with_turn(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG with an EXIF block that says how it is to be turned (EXIF 2.3, tag 0x112)."""
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + bytes([orientation])
    block = b"Exif\x00\x00" + tiff + b"\x00\x00\x00\x00\x00\x00"
    return jpeg[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block + jpeg[2:]


@pytest.fixture(scope="module")
def table() -> UInt8Array:
    """The demo's table with cards of an open trick on it."""
    return next(f.picture for f in frames(str(datasets_dir() / "demo/hand.mp4"), 1) if f.time_s >= 12)


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory, table: UInt8Array) -> Path:
    path = tmp_path_factory.mktemp("look") / "table.png"
    cv2.imwrite(str(path), table)
    return path


@pytest.fixture(scope="module")
def lying(photo: Path) -> dict[str, np.ndarray[Any, Any]]:
    """What `tarok look` sees on that table."""
    (line,) = looked(str(photo))
    faces = named(line["cards"])
    assert len(faces) >= 2
    return faces


def test_the_cards_of_drawn_scenes_are_told_with_their_sides_names_and_corners(tmp_path: Path) -> None:
    studio = open_studio(np.random.default_rng(5), [drawn_deck()], cloths=4, backs=4)
    scenes = tables_in_play(studio, 6, 4)
    paths = [str(tmp_path / f"{k}.png") for k in range(4)]
    for path, scene in zip(paths, scenes, strict=True):
        cv2.imwrite(path, scene.picture)
    lines = looked(*paths)
    assert [line["file"] for line in lines] == paths
    found = right = true = backs = laid_down = 0
    for scene, line in zip(scenes, lines, strict=True):
        faces = named(line["cards"])
        lying = [np.array(c["corners"], np.float32) for c in line["cards"] if c["side"] == "back"]
        true_backs = [card.corners_px for card in scene.cards if card.card == BACK and card.visible > 0.9]
        backs += sum(any(overlap(one, other) > 0.5 for other in lying) for one in true_backs)
        laid_down += len(true_backs)
        for card in scene.cards:
            if card.card != BACK:
                true += 1
                near = [name for name, corners in faces.items() if overlap(corners, card.corners_px) > 0.5]
                found += bool(near)
                right += card.card in near
        for seen in line["cards"]:
            assert seen["side"] in ("face", "back", "unknown") and 0.15 <= seen["score"] <= 1
            assert (seen["names"] == []) if seen["side"] == "back" else len(seen["names"]) in (0, 3)
    assert true >= 8 and found >= 0.7 * true and right >= 0.9 * found and backs >= 0.5 * laid_down > 1


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_corners_are_in_the_picture_as_its_exif_turn_shows_it(
    tmp_path: Path, table: UInt8Array, lying: dict[str, np.ndarray[Any, Any]], orientation: int
) -> None:
    stored = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_COUNTERCLOCKWISE, 8: cv2.ROTATE_90_CLOCKWISE}[orientation]
    jpeg = cv2.imencode(".jpg", cv2.rotate(table, stored), [cv2.IMWRITE_JPEG_QUALITY, 98])[1].tobytes()
    (tmp_path / "phone.jpg").write_bytes(with_turn(jpeg, orientation))
    (line,) = looked(str(tmp_path / "phone.jpg"))
    faces = named(line["cards"])
    assert faces.keys() == lying.keys()
    assert all(overlap(faces[name], lying[name]) > 0.9 for name in lying)


def test_an_upright_and_a_large_picture_show_the_same_cards(
    tmp_path: Path, table: UInt8Array, lying: dict[str, np.ndarray[Any, Any]]
) -> None:
    cv2.imwrite(str(tmp_path / "upright.png"), cv2.rotate(table, cv2.ROTATE_90_CLOCKWISE))
    cv2.imwrite(str(tmp_path / "large.jpg"), cv2.resize(table, None, fx=3, fy=3))
    upright, large = looked(str(tmp_path / "upright.png"), str(tmp_path / "large.jpg"))
    turned, grown = named(upright["cards"]), named(large["cards"])
    assert turned.keys() == grown.keys() == lying.keys()
    for name, corners in lying.items():
        expected = np.stack([table.shape[0] - corners[:, 1], corners[:, 0]], axis=1)
        assert overlap(turned[name], expected.astype(np.float32)) > 0.9
        assert overlap(grown[name] / 3, corners) > 0.85


def test_a_picture_too_small_for_cards_has_none(tmp_path: Path) -> None:
    paths = []
    for size in [(1, 1), (3000, 2), (2, 700), (64, 64)]:
        paths.append(str(tmp_path / f"{size[0]}.png"))
        cv2.imwrite(paths[-1], np.full((*size, 3), 90, np.uint8))
    assert looked(*paths) == [{"file": path, "cards": []} for path in paths]


def test_broken_pictures_are_told_and_the_others_still_come(tmp_path: Path, photo: Path) -> None:
    whole = cv2.imencode(".jpg", np.zeros((90, 90, 3), np.uint8))[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(whole[:300])
    (tmp_path / "empty.png").write_bytes(b"")
    broken = [*(str(tmp_path / name) for name in ("cut.jpg", "empty.png", "none.jpg")), str(tmp_path)]
    done = tarok("look", broken[0], str(photo), *broken[1:], str(photo), "--format", "json")
    assert done.returncode == 2
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [str(photo), str(photo)]
    told = done.stderr.strip().splitlines()
    assert [line.split(": ")[1] for line in told] == broken and "Traceback" not in done.stderr


def test_the_text_says_how_many_and_what(photo: Path, lying: dict[str, np.ndarray[Any, Any]]) -> None:
    done = tarok("look", str(photo))
    first, *cards = done.stdout.splitlines()
    assert first.startswith(f"{photo}: {len(cards)} card")
    assert all(any(line.split()[0] == "face" and name in line for line in cards) for name in lying)


def test_pictures_with_their_cards_drawn_in_are_saved_and_none_is_overwritten(
    tmp_path: Path, photo: Path, table: UInt8Array
) -> None:
    other = tmp_path / "table.jpg"
    cv2.imwrite(str(other), table)
    before = other.read_bytes()
    looked(str(photo), str(other), "--annotate", str(tmp_path))
    assert other.read_bytes() == before
    drawn = [cv2.imread(str(tmp_path / name)) for name in ("table-seen.jpg", "table-2-seen.jpg")]
    assert all(picture is not None and picture.shape == table.shape for picture in drawn)
    assert (np.abs(drawn[0].astype(int) - table).max(2) > 80).sum() > 500


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threads", "0"), "--threads 0: must be 1 to 64"),
        (("--finder", "nowhere.onnx"), "nowhere.onnx: the trained model is missing"),
        (("--identifier", "README.md"), "README.md: not a model"),
        (("--annotate", "README.md"), "--annotate README.md: is not a folder"),
    ],
)
def test_one_line_and_status_2(
    photo: Path, words: tuple[str, ...], said: str, refused: Callable[..., str]
) -> None:
    assert said in refused("look", photo, *words)
