"""The program's source and licence, for everybody who uses the page."""

import io
import threading
from functools import cache

from flask import Blueprint, Response

from webui.pages.common import render
from webui.source import licence, write_source
from webui.version import version

blueprint = Blueprint("about", __name__)
_zipping = threading.Lock()


@blueprint.get("/source")
def about() -> str:
    """What runs here, under which licence, and where its source is."""
    return render("dialogs/source.html")


@blueprint.get("/source.zip")
def source() -> Response:
    """The source of the version that runs, in one file."""
    return source_zip()


def source_zip() -> Response:
    """An answer with the source of the version that runs, to be kept."""
    name = f"tarok-table-{version()}.zip"
    with _zipping:
        archive = _zipped()
    return Response(
        archive,
        mimetype="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@cache
def _zipped() -> bytes:
    """Made once, since it takes seconds."""
    file = io.BytesIO()
    write_source(file)
    return file.getvalue()


@blueprint.get("/licence.txt")
def licence_text() -> Response:
    """The licence's own text."""
    return Response(licence(), mimetype="text/plain")
