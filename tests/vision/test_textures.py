"""Table tops come from the parts of photos that no box covers, and never from the photos held back."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.lab.rendering.textures import HELD_BACK, load_textures, photos

BOX = "<object><bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox></object>"
Boxes = list[tuple[float, float, float, float]]


def photo(folder: Path, number: int, size: tuple[int, int] = (400, 300), boxes: Boxes | None = None) -> None:
    """A photo, grey as its number says; red inside the boxes, which stand in a file beside it."""
    picture = np.full((size[1], size[0], 3), 10 * number, np.uint8)
    for x0, y0, x1, y1 in boxes or []:
        picture[int(y0) : int(np.ceil(y1)), int(x0) : int(np.ceil(x1))] = (0, 0, 255)
    cv2.imwrite(str(folder / f"{number:02}.png"), picture)
    if boxes is not None:
        text = "".join(BOX.format(*box) for box in boxes)
        (folder / f"{number:02}.xml").write_text(f"<annotation>{text}</annotation>")


def test_every_photo_is_either_held_back_or_used(tmp_path: Path) -> None:
    for number in range(12):
        photo(tmp_path, number)
    (tmp_path / "notes.txt").write_text("no photo")
    held = [path.stem for path, _ in photos(tmp_path, held_back=True)]
    used = [path.stem for path, _ in photos(tmp_path, held_back=False)]
    assert held == ["00", "05", "10"] and HELD_BACK == 5
    assert sorted(held + used) == [f"{number:02}" for number in range(12)]
    greys = {int(top[0, 0, 0]) for top in load_textures(tmp_path)}
    assert greys == {10 * int(name) for name in used}


@pytest.mark.parametrize(
    "boxes",
    [
        pytest.param([(0, 0, 200, 300)], id="right half"),
        pytest.param([(200, 0, 400, 300)], id="left half"),
        pytest.param([(0, 0, 400, 150)], id="lower half"),
        pytest.param([(0, 150, 400, 300)], id="upper half"),
        pytest.param([(150.5, 120.2, 250.7, 180.9)], id="round a box in fractions"),
        pytest.param([(10, 10, 60, 80), (100, 60, 180, 140)], id="beside two boxes"),
    ],
)
def test_nothing_inside_a_box_is_used(tmp_path: Path, boxes: Boxes) -> None:
    photo(tmp_path, 0)
    photo(tmp_path, 1, boxes=boxes)
    (top,) = load_textures(tmp_path, (320, 180))
    assert top.shape == (180, 320, 3) and top.dtype == np.uint8
    assert (top == 10).all()


def test_a_narrow_strip_is_mirrored_until_it_fills_the_table(tmp_path: Path) -> None:
    photo(tmp_path, 0)
    photo(tmp_path, 1, (400, 300), [(70, 0, 400, 300)])
    picture = cv2.imread(str(tmp_path / "01.png"))
    picture[:, :70] = np.linspace(0, 255, 70, dtype=np.uint8)[None, :, None]
    cv2.imwrite(str(tmp_path / "01.png"), picture)
    (top,) = load_textures(tmp_path, (320, 180))
    assert top.shape == (180, 320, 3)
    row = top[0, :, 0].astype(int)
    # Up to the strip's end, back, and up again: no column is left over, and no edge can be seen.
    assert (np.abs(np.diff(row)) < 16).all() and row[69] > 240 and row[138] < 16 and row[207] > 240


def test_a_photo_without_room_or_that_cannot_be_read_gives_no_table_top(tmp_path: Path) -> None:
    photo(tmp_path, 0)
    photo(tmp_path, 1, boxes=[(30, 30, 370, 270)])
    (tmp_path / "02.png").write_bytes(b"no picture")
    assert load_textures(tmp_path) == []


@pytest.mark.parametrize(
    "text", ["no XML", "", "<a><bndbox><xmin>left</xmin></bndbox></a>", "<a><bndbox/></a>"]
)
def test_boxes_that_cannot_be_read_are_refused_naming_the_file(tmp_path: Path, text: str) -> None:
    photo(tmp_path, 0)
    photo(tmp_path, 1)
    (tmp_path / "01.xml").write_text(text)
    with pytest.raises(VisionError, match=r"01\.xml: cannot be read as a photo"):
        load_textures(tmp_path)
