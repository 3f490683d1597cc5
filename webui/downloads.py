"""Answers that are files to keep: tables for spreadsheets, JSON, the program's source."""

import csv
import io
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from babel.numbers import get_decimal_symbol
from flask import Blueprint, Response

from webui.source import licence, write_source
from webui.texts import language
from webui.version import version

_BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheets take UTF-8 for an older code
_FORMULA = ("=", "+", "-", "@", "\t")
"""How a text begins that a spreadsheet takes for a formula."""
_zipping = threading.Lock()


def as_csv(rows: Sequence[Sequence[str | int]], separator: str) -> str:
    """`rows` as a table for spreadsheets. A text that they would take for a formula begins with an apostrophe."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator)
    for row in rows:
        writer.writerow(
            [f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in row]
        )
    return _BYTE_ORDER_MARK + file.getvalue()


def csv_file(rows: Sequence[Sequence[str | int]], name: str) -> Response:
    """`rows` as a file called `name`, with the separator that spreadsheets expect in the reader's language."""
    # Where the comma is the decimal mark, spreadsheets expect semicolons.
    separator = ";" if get_decimal_symbol(language()) == "," else ","
    return _download(as_csv(rows, separator), "text/csv", name)


def json_file(data: Any, name: str, indent: int | None = None) -> Response:
    """`data` as a JSON file called `name`."""
    return _download(json.dumps(data, ensure_ascii=False, indent=indent) + "\n", "application/json", name)


def pdf_file(pdf: bytes, name: str) -> Response:
    """A PDF as a file called `name`."""
    return _download(pdf, "application/pdf", name)


def zip_file(data: bytes | Iterator[bytes], name: str) -> Response:
    """`data`, perhaps piece by piece, as a ZIP file called `name`."""
    return _download(data, "application/zip", name)


def html_file(page: str, name: str) -> Response:
    """A whole `page` as a file called `name`."""
    return _download(page, "text/html", name)


def _download(data: str | bytes | Iterator[bytes], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, mimetype=kind, headers=headers)


def source_pages(page: Callable[[], str]) -> Blueprint:
    """The program's source and licence, for everybody who uses the server; `page` tells where they are."""
    blueprint = Blueprint("source", __name__)
    blueprint.add_url_rule("/source", "about", page)

    @blueprint.get("/source.zip")
    def archive() -> Response:
        """The source of the version that runs, in one file."""
        with _zipping:
            zipped = _zipped()
        headers = {"Content-Disposition": f'attachment; filename="tarok-table-{version()}.zip"'}
        return Response(zipped, mimetype="application/zip", headers=headers)

    @blueprint.get("/licence.txt")
    def licence_text() -> Response:
        """The licence's own text."""
        return Response(licence(), mimetype="text/plain")

    return blueprint


@cache
def _zipped() -> bytes:
    """The ZIP file, made only once because that takes seconds."""
    file = io.BytesIO()
    write_source(file)
    return file.getvalue()
