"""The program's icon for each system, from the one drawing: `python installers/icons.py FOLDER`."""

import io
import sys
from pathlib import Path

import resvg_py
from PIL import Image

DRAWING = Path(__file__).parents[1] / "webui" / "static" / "icon.svg"
SIZES = (16, 24, 32, 48, 64, 128, 256)
"""In px, those that Windows asks for."""


def drawn(size: int) -> Image.Image:
    """The drawing as a picture of `size` px each way."""
    data = resvg_py.svg_to_bytes(svg_string=DRAWING.read_text(encoding="utf-8"), width=size, height=size)
    return Image.open(io.BytesIO(bytes(data))).convert("RGBA")


def write_icons(folder: Path) -> None:
    """Write tarok.png, tarok.ico (Windows) and tarok.icns (macOS) into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    large = drawn(1024)
    drawn(256).save(folder / "tarok.png")
    pictures = [drawn(size) for size in SIZES]
    pictures[-1].save(folder / "tarok.ico", sizes=[one.size for one in pictures], append_images=pictures)
    large.save(folder / "tarok.icns")


if __name__ == "__main__":
    write_icons(Path(sys.argv[1]))
