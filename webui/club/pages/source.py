"""The program's source and licence, for everybody who uses the club's server."""

from flask import Blueprint, Response

from webui.club.common import show
from webui.downloads import source_zip
from webui.source import licence

blueprint = Blueprint("source", __name__)


@blueprint.get("/source")
def about() -> str:
    """The program's version, its licence, and where its source is."""
    return show("club/source.html")


@blueprint.get("/source.zip")
def archive() -> Response:
    """The source of the version that runs, in one file."""
    return source_zip()


@blueprint.get("/licence.txt")
def licence_text() -> Response:
    """The licence's own text."""
    return Response(licence(), mimetype="text/plain")
