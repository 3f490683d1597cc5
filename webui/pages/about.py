"""The program's source and licence, for everybody who uses the page."""

from flask import Blueprint, Response

from webui.downloads import source_zip
from webui.pages.common import render
from webui.source import licence

blueprint = Blueprint("about", __name__)


@blueprint.get("/source")
def about() -> str:
    """The program's version, its licence, and where its source is."""
    return render("dialogs/source.html")


@blueprint.get("/source.zip")
def source() -> Response:
    """The source of the version that runs, in one file."""
    return source_zip()


@blueprint.get("/licence.txt")
def licence_text() -> Response:
    """The licence's own text."""
    return Response(licence(), mimetype="text/plain")
