"""Help: five steps for the first evening, and the guides, which are documents with drawings."""

import re
from functools import cache

from flask import Blueprint, Response, abort, send_file

from tracker.catalogue import plain_language
from vision.resources import docs_dir
from webui.pages.common import render
from webui.texts import language

blueprint = Blueprint("guide", __name__)


@blueprint.get("/guide")
def steps() -> str:
    """The page with five steps for the first evening."""
    return render("dialogs/guide.html")


@blueprint.get("/host-guide")
def host_guide() -> str:
    """The host's guide in the reader's language, or else in English."""
    return render("dialogs/host_guide.html", guide=guide_html(plain_language(language())))


@blueprint.get("/phone-camera")
def phone_camera() -> str:
    """The guide to a phone as the camera, in the reader's language, or else in English."""
    guide = guide_html(plain_language(language()), "phone-camera")
    return render("dialogs/phone_camera.html", guide=guide)


@blueprint.get("/guide/<picture>")
def drawing(picture: str) -> Response:
    """A drawing of the guide."""
    paths = {path.name: path for path in (docs_dir() / "guide").glob("*.svg")}
    if picture not in paths:
        abort(404)
    return send_file(paths[picture], mimetype="image/svg+xml", max_age=86400)


@cache
def guide_html(code: str, name: str = "host-guide") -> str:
    """The guide `name` as HTML, without title and preface, in the language with this code, or else in English."""
    from markdown_it import MarkdownIt

    path = docs_dir() / f"{name}.{code}.md"
    if not path.is_file():
        path = docs_dir() / f"{name}.md"
    text = path.read_text(encoding="utf-8").partition("\n## ")[2]
    html: str = MarkdownIt("js-default").render("## " + text)
    # Guides name one another by file. On the page each has an address of its own, without a language.
    return re.sub(r'href="([\w-]+)(\.\w\w)?\.md"', r'href="/\1"', html)
