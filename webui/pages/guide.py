"""Help: five steps for the first evening, and the host's guide, which is a document with drawings."""

import re
from functools import cache

from flask import Blueprint, Response, send_file

from tracker.catalogue import plain_language
from vision.resources import docs_dir
from webui.pages.common import EntryError, render
from webui.texts import language

blueprint = Blueprint("guide", __name__)


@blueprint.get("/guide")
def steps() -> str:
    """The first evening in five steps."""
    return render("dialogs/guide.html")


@blueprint.get("/host-guide")
def host_guide() -> str:
    """The host's guide in the reader's language, else in English."""
    return render("dialogs/host_guide.html", guide=guide_html(plain_language(language())))


@blueprint.get("/phone-camera")
def phone_camera() -> str:
    """How a phone becomes the camera, in the reader's language, else in English."""
    guide = guide_html(plain_language(language()), "phone-camera")
    return render("dialogs/phone_camera.html", guide=guide)


@blueprint.get("/guide/<picture>")
def drawing(picture: str) -> Response:
    """A drawing of the guide."""
    paths = {path.name: path for path in (docs_dir() / "guide").glob("*.svg")}
    if picture not in paths:
        raise EntryError("There is no such page.", 404)
    return send_file(paths[picture], mimetype="image/svg+xml", max_age=86400)


@cache
def guide_html(code: str, name: str = "host-guide") -> str:
    """A guide as HTML in the language with that code, else in English; without its title and preface."""
    from markdown_it import MarkdownIt

    path = docs_dir() / f"{name}.{code}.md"
    if not path.is_file():
        path = docs_dir() / f"{name}.md"
    text = path.read_text(encoding="utf-8").partition("\n## ")[2]
    html: str = MarkdownIt("js-default").render("## " + text)
    # A guide that names another one: on the page each has its own address, without a language.
    return re.sub(r'href="([\w-]+)(\.\w\w)?\.md"', r'href="/\1"', html)
