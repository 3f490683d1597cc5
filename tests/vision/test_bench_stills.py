"""Stills with truth: what counts as found, right, a back called a face, and how far a corner is off."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.arrays import Float32Array
from vision.decks import BACK
from vision.errors import VisionError
from vision.lab.bench.stills import (
    TrueCard,
    TrueStill,
    judge_still,
    load_stills,
    mistakes,
    picture_of,
    rows,
    table_as_json,
    table_as_text,
    worst_corner,
)
from vision.watching.still import DetectedCard


def place(x: float, y: float = 100.0, grow: float = 0.0) -> Float32Array:
    """The corners of a card 60 x 100 px with its upper left corner there."""
    g = grow
    return np.array(
        [[x - g, y - g], [x + 60 + g, y - g], [x + 60 + g, y + 100 + g], [x - g, y + 100 + g]], np.float32
    )


def seen(
    x: float, name: str = "S7", chance: float = 0.99, side: str = "face", grow: float = 0.0
) -> DetectedCard:
    return DetectedCard(
        place(x, grow=grow), side, 0.8, ((name, chance), ("T1", 0.01)) if side == "face" else ()
    )


def still(*cards: TrueCard, group: str = "usual") -> TrueStill:
    return TrueStill(Path("a.png"), group, "drawn", cards)


def counted(true: TrueStill, *reported: DetectedCard) -> dict[str, tuple[int, int]]:
    return {words: (share.count, share.of) for words, share in rows([judge_still(true, reported)]).items()}


def test_a_face_is_found_where_a_face_is_reported_and_not_where_a_back_or_nothing_sure_is() -> None:
    true = still(*(TrueCard("S7", place(x)) for x in (0, 100, 200, 300)))
    table = counted(true, seen(0), seen(100, side="back"), seen(200, side="unknown"), seen(440))
    assert table["faces found"] == (1, 4) and table["of those reported right"] == (1, 2)


def test_a_card_is_found_once_and_the_better_box_is_its() -> None:
    table = counted(still(TrueCard("S7", place(0))), seen(15, "S8"), seen(2, "S7"))
    assert table["faces found"] == (1, 1) and table["of those reported right"] == (1, 2)
    assert table["names, wholly in view"] == (1, 1)


def test_what_hardly_shows_counts_neither_way() -> None:
    true = still(TrueCard("S7", place(0), 0.34), TrueCard("S8", place(200), 0.35))
    table = counted(true, seen(0), seen(200, "S8"))
    assert table["faces found"] == (1, 1) and table["of those reported right"] == (1, 1)


def test_a_face_reported_at_a_back_is_a_back_called_a_face_and_nothing_else() -> None:
    true = still(TrueCard(BACK, place(0)), TrueCard(BACK, place(200), 0.1), TrueCard("S7", place(300)))
    table = counted(true, seen(0), seen(300))
    assert table["backs called faces"] == (1, 1) and table["of those reported right"] == (1, 1)


def test_a_back_is_found_where_a_back_is_told_and_paper_told_as_one_is_counted() -> None:
    """Two backs of a pile lie in one place, one is told as a face, and one told as a back is nearly out of view."""
    true = still(
        TrueCard(BACK, place(0)), TrueCard(BACK, place(4)), TrueCard(BACK, place(200)), TrueCard(BACK, place(300), 0.1)
    )  # fmt: skip
    told = (seen(2, side="back"), seen(200), seen(300, side="back"), seen(440, side="back"))
    table = counted(true, *told)
    assert table["backs found"] == (2, 3) and table["backs called faces"] == (1, 3)
    assert table["no card there, of those called backs"] == (1, 3)


def test_a_card_partly_in_view_is_told_apart() -> None:
    true = still(TrueCard("S7", place(0)), TrueCard("S8", place(200), 0.5))
    table = counted(true, seen(0, grow=2), seen(200, "S9", 0.7, grow=5))
    assert table["corners within 4 %, wholly in view"] == (1, 1)
    assert table["corners within 4 %, partly"] == (0, 1)
    assert table["names, wholly in view"] == (1, 1) and table["names, partly"] == (0, 1)
    assert table["sure and wrong"] == (0, 2)


@pytest.mark.parametrize(("chance", "wrong"), [(0.94, 0), (0.95, 1)])
def test_sure_begins_at_95_per_cent(chance: float, wrong: int) -> None:
    true = still(TrueCard("S7", place(0)))
    assert counted(true, seen(0, "S8", chance))["sure and wrong"] == (wrong, 1)
    assert counted(true, seen(200, "S8", chance))["no card there, and named for sure"] == (wrong, 1)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("turn", range(4))
def test_corners_may_begin_anywhere_and_go_either_way_round(way: int, turn: int) -> None:
    moved = place(0)
    moved[2] += (3, 4)
    assert worst_corner(np.roll(moved[::way], turn, axis=0), place(0)) == pytest.approx(5 / 100)


def folder_of(tmp_path: Path, truth: object, name: str = "1.json") -> Path:
    cv2.imwrite(str(tmp_path / "1.jpg"), np.zeros((300, 400, 3), np.uint8))
    (tmp_path / name).write_text(json.dumps(truth), encoding="utf-8")
    return tmp_path


def test_stills_are_read_and_told_as_text_json_and_pictures(tmp_path: Path) -> None:
    cards = [{"card": "S7", "corners": place(20).tolist(), "visible": 1.0}]
    folder = folder_of(tmp_path, {"group": "hard", "deck": "mine", "cards": cards})
    (one,) = load_stills(folder)
    assert (one.group, one.deck, one.cards[0].card) == ("hard", "mine", "S7")
    judged = judge_still(one, [seen(200, "S8")])
    assert [mistake.kind for mistake in mistakes(judged)] == ["not found", "no card there"]
    assert "hard: 1 stills, decks mine" in table_as_text([judged])
    assert "93.0%  not met" in table_as_text([judged])
    assert table_as_json([judged])["mistakes"] == {
        str(one.path): ["not found: S7, 100% in view", "no card there: S8 99%, score 0.80"]
    }
    pictures = [picture_of(judged, mistake) for mistake in mistakes(judged)]
    green, red = (
        (p.astype(int) @ (-1, sign, -sign)).max() for p, sign in zip(pictures, (1, -1), strict=True)
    )
    assert green > 40 and red > 40


def test_webcam_frames_have_ranks_and_upright_boxes(tmp_path: Path) -> None:
    boxes = [("9", 0), ("V", 30), ("1", 200), ("back", 300)]
    truth = {"1.jpg": [{"card": c, "box": [x, 100, x + 60, 200]} for c, x in boxes]}
    (frame,) = load_stills(folder_of(tmp_path, truth, "truth.json"))
    table = counted(frame, seen(0, "H9"), seen(30, "SD"), seen(200, "T1"), seen(300, "C4"))
    assert table["overlapped faces found"] == (2, 2) and table["rank right"] == (1, 3)
    assert table["sure and wrong"] == (2, 3) and table["backs called faces"] == (1, 1)
    assert "corners within 4 %, partly" not in table


NOTED = "<object><name>{}</name><bndbox><xmin>{}</xmin><ymin>50</ymin><xmax>{}</xmax><ymax>200</ymax></bndbox></object>"


def photo_with_boxes(folder: Path, *cards: tuple[str, int]) -> Path:
    """A folder with one photo, whose `cards` have a class and a left edge, px."""
    cv2.imwrite(str(folder / "a.jpg"), np.zeros((300, 400, 3), np.uint8))
    notes = "".join(NOTED.format(name, x, x + 60) for name, x in cards)
    (folder / "a.xml").write_text(f"<annotation>{notes}</annotation>", encoding="utf-8")
    return folder


def test_photos_with_boxes_are_counted_as_frames_are_by_their_classes(tmp_path: Path) -> None:
    (photo,) = load_stills(photo_with_boxes(tmp_path, ("ace", 0), ("jack", 30), ("ten", 200)))
    assert [card.card for card in photo.cards] == ["1", "V", "10"]
    assert [card.overlapped for card in photo.cards] == [True, True, False]
    assert not photo.corners and photo.group == "photos of poker cards"


def test_a_photo_with_a_class_that_is_no_card_is_named(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match=r"a\.xml: 'dog' is no class of poker card"):
        load_stills(photo_with_boxes(tmp_path, ("ace", 0), ("dog", 100)))


@pytest.mark.parametrize(
    ("truth", "name", "said"),
    [
        (
            {"cards": [{"card": "S7", "corners": [[0, 0]], "visible": 1}]},
            "1.json",
            "1.json: not the truth file",
        ),
        (["cards"], "1.json", "1.json: not the truth file"),
        ({"cards": []}, "2.json", "no still with a truth file"),
        ({"1.jpg": [{"card": "9", "box": [0, 1]}]}, "truth.json", "truth.json: not the truth file"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, truth: object, name: str, said: str) -> None:
    with pytest.raises(VisionError, match=said):
        load_stills(folder_of(tmp_path, truth, name))
