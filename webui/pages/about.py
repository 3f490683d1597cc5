"""The program's source and licence, for everybody who uses the page."""

import tempfile

from flask import Blueprint, Response, send_file

from webui.pages.common import render
from webui.source import licence, write_source
from webui.version import version

blueprint = Blueprint("about", __name__)


@blueprint.get("/source")
def about() -> str:
    """What runs here, under which licence, and where its source is."""
    return render("dialogs/source.html")


@blueprint.get("/source.zip")
def source() -> Response:
    """The source of the version that runs, in one file."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed once it is sent
    write_source(file)
    file.seek(0)
    name = f"tarok-table-{version()}.zip"
    return send_file(file, mimetype="application/zip", as_attachment=True, download_name=name)


@blueprint.get("/licence.txt")
def licence_text() -> Response:
    """The licence's own text."""
    return Response(licence(), mimetype="text/plain")
