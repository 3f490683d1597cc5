"""Decks: which one is on the table, and teaching a new one by showing its cards to the camera."""

from pathlib import Path

from flask import Blueprint, Response, abort, request

from tracker.cards import CARDS
from tracker.games import GAMES
from vision.errors import VisionError
from vision.taught.folders import forget_deck, open_deck, taught_decks
from webui.app_parts import app_parts
from webui.camera.teaching import Teaching
from webui.errors import UserError
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, live, render, sent_to
from webui.paths import deck_dir, decks_dir
from webui.texts import PROBLEMS, language, text
from webui.view.picker import deck_rows

blueprint = Blueprint("decks", __name__)
_GAME = GAMES["danish"]  # its pack has all 78 cards of a deck
_WORDS, _PACK = _GAME.words, _GAME.session.pack


def _teaching() -> Teaching:
    return app_parts().teaching


def _folder() -> Path:
    """The folder of the deck named in the form."""
    try:
        return deck_dir(" ".join(fields.field("name").split()))
    except UserError as error:
        raise EntryError("A deck's name has at most 40 letters, digits, spaces and dashes.") from error


@blueprint.get("/decks")
def decks() -> str:
    """The page of the decks taught so far."""
    used = live().camera.deck
    return render(
        "dialogs/decks.html",
        decks=taught_decks(decks_dir()),
        used=used.name if used else "",
        all=len(CARDS),
        can_teach=_teaching().source is not None,
        teaching=_teaching().folder,
    )


@blueprint.post("/decks/use")
def use() -> Answer:
    """Choose the deck on the table; without a name it was not taught."""
    if not request.form.get("name"):
        _lay(None)
        return sent_to("/decks")
    try:
        _lay(open_deck(_folder()))
    except VisionError as error:
        raise EntryError("There is no such deck.", 404) from error
    return sent_to("/decks")


def _lay(folder: Path | None) -> None:
    """Set the taught deck on the table, and remember it over a restart."""
    live().camera.deck = folder
    live().choose(deck=folder.name if folder else "")


@blueprint.post("/decks/forget")
def forget() -> Answer:
    """Delete a taught deck."""
    folder = _folder()
    if not folder.is_dir():
        raise EntryError("There is no such deck.", 404)
    fields.ask_first(
        text("The deck {name} is deleted for good; it would have to be taught again.", name=folder.name),
        text("Forget the deck"),
    )
    if _teaching().folder == folder:
        _teaching().stop()
    try:
        forget_deck(folder)
    except VisionError as error:
        raise EntryError("There is no such deck.", 404) from error
    if live().camera.deck == folder:
        _lay(None)
    return sent_to("/decks")


@blueprint.post("/decks/teach")
def start() -> Answer:
    """Begin to teach a deck, or go on teaching it."""
    if _teaching().source is None:
        raise EntryError("There is no camera to show the cards to.", 409)
    _teaching().start(_folder())
    return sent_to("/decks/teach")


@blueprint.get("/decks/teach")
def teach() -> Answer | str:
    """The page of teaching: the card shown now, and how much of the deck is taught.

    A redirection to the decks where none is being taught: somebody stopped, or the program was started again.
    """
    teaching, lang = _teaching(), language()
    if teaching.folder is None:
        return sent_to("/decks")
    waiting = teaching.shown()
    missing = teaching.missing
    done = frozenset(CARDS) - frozenset(missing)
    return render(
        "dialogs/teach.html",
        name=teaching.folder.name,
        number=waiting[0] if waiting else None,
        doubtful=bool(waiting and waiting[1].doubtful),
        guesses=[(card, _WORDS.card_label(card, lang)) for card in waiting[1].guesses] if waiting else [],
        known=len(done),
        all=len(CARDS),
        missing=[(card, _WORDS.card_label(card, lang)) for card in missing],
        played=done,
        problem=text(PROBLEMS[teaching.problem]) if teaching.problem else "",
        detail=teaching.detail,
        loading=teaching.reading,
        failed=teaching.failed,
        last=_WORDS.card_label(teaching.last, lang) if teaching.last else "",
        deck=deck_rows(_WORDS, _PACK, lang),
    )


@blueprint.get("/decks/shown/<int:number>.png")
def shown(number: int) -> Response:
    """The picture of the card that waits for its name."""
    import cv2

    waiting = _teaching().shown()
    if waiting is None or waiting[0] != number:
        abort(404)
    picture = cv2.resize(waiting[1].crop, (183, 336), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".png", picture)
    return Response(data.tobytes(), mimetype="image/png", headers={"Cache-Control": "no-store"})


@blueprint.post("/decks/teach/<int:number>")
def name(number: int) -> Answer:
    """Name the shown card; without a name it is left out."""
    card = forms.card(request.form["card"]) if request.form.get("card") else None
    if not _teaching().name(number, card):
        raise EntryError("The card was not saved. Show it again.", 409)
    return sent_to("/decks/teach")


@blueprint.post("/decks/teach/stop")
def stop() -> Answer:
    """Stop teaching, keep what was taught, and choose that deck."""
    folder = _teaching().folder
    _teaching().stop()
    if folder is not None and folder.name in taught_decks(decks_dir()):
        _lay(folder)
    return sent_to("/decks")


@blueprint.post("/decks/teach/undo")
def undo() -> Answer:
    """Forget the card that was named last, because it was another."""
    if not _teaching().forget_last():
        raise EntryError("There is nothing to forget.", 409)
    return sent_to("/decks/teach")
