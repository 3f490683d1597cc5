"""Pictures: the camera's newest with what was recognised, the cards of the deck, the plays' evidence."""

from flask import Blueprint, Response, current_app, g, send_file

from tracker.cards import CARDS
from tracker.events import CardPlayed
from webui.pages.common import EntryError, live
from webui.roles import Role

blueprint = Blueprint("camera", __name__)


@blueprint.get("/camera.jpg")
def camera() -> Response:
    """The newest picture as JPEG; an empty answer (204) before there is one."""
    picture = live().picture()
    if picture is None:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/cards/<card>.png")
def card(card: str) -> Response:
    """The picture of a card of the deck."""
    path = current_app.config["DECK"] / f"{card}.png"
    if card not in CARDS or not path.is_file():
        raise EntryError("“{value}” is not a card.", 404, value=card)
    return send_file(path, max_age=86400)


@blueprint.get("/evidence/<int:seq>.jpg")
def evidence(seq: int) -> Response:
    """The picture of the play `seq` as the camera saw it; 410 where there was one."""
    table = live()
    with table.reading():
        shown = table.sight
        if shown is not None and not shown.shows_play(seq, opened=g.role >= Role.ARBITER):
            raise EntryError("Earlier tricks are hidden while the hand is played.", 403)
    picture = table.evidence.picture(seq)
    if picture is None:
        with table.reading():
            event = table.recorded[seq - 1].event if 0 < seq <= len(table.recorded) else None
        if isinstance(event, CardPlayed) and event.time_s is not None:
            raise EntryError("The picture of that card is deleted.", 410)
        raise EntryError("There is no picture of that card.", 404)
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=60"})
