"""Pictures: the camera's newest one with the recognised cards, the cards of the deck, the pictures of plays."""

from flask import Blueprint, Response, current_app, g, request, send_file

from tracker.cards import CARDS
from tracker.events import CardPlayed
from webui.pages.common import EntryError, live, render, sight
from webui.people.roles import Role
from webui.pictures.clips import MOMENTS
from webui.texts import language, text
from webui.view.hand_rows import play_row, trick_number

blueprint = Blueprint("camera", __name__)


@blueprint.get("/camera.jpg")
def camera() -> Response:
    """The newest picture as JPEG; an empty answer (204) before the first."""
    picture = live().camera.picture()
    if picture is None:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/cards/<card>.png")
def card(card: str) -> Response:
    """The picture of a card of the deck; half as wide with `?small`."""
    folder = current_app.config["DECK"] / ("small" if "small" in request.args else "")
    path = folder / f"{card}.png"
    if card not in CARDS or not path.is_file():
        raise EntryError("“{value}” is not a card.", 404, value=card)
    return send_file(path, max_age=86400)


def _must_be_shown(seq: int) -> None:
    shown = live().sight
    if shown is not None and not shown.shows_play(seq, opened=g.role >= Role.ARBITER):
        raise EntryError("Earlier tricks are hidden while the hand is played.", 403)


@blueprint.get("/evidence/<int:seq>")
def large(seq: int) -> str:
    """Large pictures of the play `seq`: its card, and the table before, at and after the play."""
    lang, table = language(), live()
    with table.locked():
        shown = sight()
        _must_be_shown(seq)
        found = [(hand, play) for hand in shown.session.hands for play in hand.plays if play.seq == seq]
        if not found or seq not in table.pictures.evidence.known:
            raise EntryError("There is no picture of that card.", 404)
        hand, play = found[0]
        open_to = shown.shows_table_at(seq, opened=g.role >= Role.ARBITER)
        kept = [name for name in MOMENTS if table.pictures.clips.moment(seq, name) is not None]
        trick = text("Trick {trick}", trick=trick_number(hand, seq))
        captions = {"before": text("just before"), "frame": text("the play"), "after": text("just after")}
        return render(
            "dialogs/large.html",
            p=play_row(table, shown, hand, play, lang),
            where=f"{text('Hand {number}', number=hand.number)} · {trick}",
            moments=[(name, captions[name]) for name in kept] if open_to else [],
            later=bool(kept) and not open_to,
        )


@blueprint.get("/evidence/<int:seq>/<name>.jpg")
def moment(seq: int, name: str) -> Response:
    """The table just before, at or just after the play `seq`, if the host allows such pictures."""
    table = live()
    with table.locked():
        shown = table.sight
        if shown is not None and not shown.shows_table_at(seq, opened=g.role >= Role.ARBITER):
            raise EntryError("Earlier tricks are hidden while the hand is played.", 403)
        picture = table.pictures.clips.moment(seq, name) if name in MOMENTS else None
    if picture is None:
        raise EntryError("There is no picture of that card.", 404)
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=60"})


@blueprint.get("/evidence/<int:seq>.jpg")
def evidence(seq: int) -> Response:
    """The picture of the play `seq` as the camera saw it; 410 if it was deleted."""
    table = live()
    with table.locked():
        _must_be_shown(seq)
    picture = table.pictures.evidence.picture(seq)
    if picture is None:
        with table.locked():
            event = table.recorded[seq - 1].event if 0 < seq <= len(table.recorded) else None
        if isinstance(event, CardPlayed) and event.time_s is not None:
            raise EntryError("The picture of that card is deleted.", 410)
        raise EntryError("There is no picture of that card.", 404)
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=60"})
