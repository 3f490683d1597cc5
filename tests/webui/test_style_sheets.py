"""No style without a user: whatever a style sheet speaks of is written in a template, a script or a row of the page."""

import re
from pathlib import Path

import pytest

WEBUI = Path(__file__).parents[2] / "webui"
SHEETS = sorted((WEBUI / "static").glob("*.css"))
ATTRIBUTE = re.compile(r'(?:class|id|data-enter)="((?:\{\{.*?\}\}|\{%.*?%\}|[^"])*)"')
QUOTED = re.compile(r"[\"'`]([\w -]+)[\"'`]")


def written() -> str:
    """All attributes of the templates, and all short texts of scripts, templates and rows, in a line."""
    templates = [path.read_text(encoding="utf-8") for path in (WEBUI / "templates").rglob("*.html")]
    scripts = [path.read_text(encoding="utf-8") for path in (WEBUI / "static").glob("*.js")]
    rows = [path.read_text(encoding="utf-8") for path in WEBUI.rglob("*.py")]
    found = [value for text in templates for value in ATTRIBUTE.findall(text)]
    found += [value for text in (*templates, *scripts, *rows) for value in QUOTED.findall(text)]
    return f" {' '.join(found)} "


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_each_class_and_id_of_a_style_sheet_is_written_somewhere(sheet: Path) -> None:
    said = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = {
        name for rule in re.findall(r"([^{}]+)\{", said) for name in re.findall(r"[.#]([A-Za-z][\w-]*)", rule)
    }
    text = written()
    # What is put together, as `class="lane-{{ side }}"`, is known by its beginning.
    begun = tuple(re.findall(r"(?<![\w-])([A-Za-z][\w]*-)(?=\{\{|\$\{| |\")", text))
    assert names and not [
        name
        for name in sorted(names)
        if not re.search(rf"(?<![\w-]){name}(?![\w-])", text) and not name.startswith(begun)
    ]


def test_each_colour_of_the_page_is_used() -> None:
    said = "".join(
        path.read_text(encoding="utf-8") for path in (*SHEETS, *(WEBUI / "templates").rglob("*.html"))
    )
    assert not set(re.findall(r"(--[a-z][\w-]*):", said)) - set(re.findall(r"var\((--[\w-]+)", said))


def test_each_kind_of_field_has_a_style() -> None:
    templates = "".join(path.read_text(encoding="utf-8") for path in (WEBUI / "templates").rglob("*.html"))
    sheets = "".join(path.read_text(encoding="utf-8") for path in SHEETS)
    kinds = set(re.findall(r'<input [^>]*?\btype="(\w+)"', templates)) - {"hidden"}
    assert kinds and not kinds - set(re.findall(r"input\[type=(\w+)\]", sheets))
