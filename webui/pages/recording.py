"""Recording a hand: the table is asked, everybody answers, anybody stops it, and the host takes the file."""

from typing import Final

from flask import Response, g, request

from webui.downloads import zip_file
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, NoEveningError, TableBlueprint, live, phones, render, told
from webui.people.roles import Role
from webui.pictures.clips import SoFar
from webui.pictures.film_truth import UNTOLD, UntoldError
from webui.pictures.recording import HandRecording, RecordingStage
from webui.serving.security import seat_of
from webui.texts import text
from webui.view.recording_row import recording_row

blueprint = TableBlueprint("recording", __name__)
_BY_RESULT: Final = UNTOLD["result"]


def _recording() -> HandRecording:
    return live().pictures.recording


def _evening() -> SoFar:
    """The evening, which must be open. The caller holds the table's lock."""
    return SoFar(live().recorded, forms.session(), live().sides)


@blueprint.get("/recording")
def dialog() -> str:
    """The dialog of the recording: its stage, and what this phone can do about it."""
    row = recording_row(live(), phones(), g.role, seat_of(g.phone))
    return render("dialogs/recording.html", r=row, has_evening=live().evening.is_open)


@blueprint.post("/recording")
def ask() -> Answer:
    """Ask everybody at the table whether the next hand may be recorded."""
    session = _evening().session
    if session.closed:
        raise NoEveningError
    if not live().camera.is_there:
        raise EntryError("Without a camera there is nothing to record.", 409)
    if session.by_result:
        raise EntryError(_BY_RESULT, 409)
    # Another host may have asked meanwhile: those who answered are not asked again, and a film under way goes on.
    if _recording().stage is RecordingStage.FILMING:
        return told(text("This hand is being recorded."))
    if _recording().stage is not RecordingStage.ASKED:
        if _recording().waits:
            _sure_to_delete()
        _recording().ask()
        live().changes.tell()
    return told(text("The players are asked on their phones."))


@blueprint.post("/recording/answer")
def answer() -> Answer:
    """Note the answer of this phone's player. A no counts from every phone, and at any time."""
    if not fields.is_yes("agrees"):
        return _stopped("refused", text("Nothing is recorded."))
    seat = seat_of(g.phone)
    if recording_row(live(), phones(), g.role, seat).asks_me:
        _recording().agree(seat, _evening(), g.phone.id)
        live().changes.tell()
    elif seat not in _recording().agreed:
        raise EntryError("Nobody asks this phone.", 409)
    return told(text("Thank you."))


@blueprint.post("/recording/aloud")
def aloud() -> Answer:
    """Note that the players whom the host names, who have no phone here, said yes."""
    row = recording_row(live(), phones(), g.role, "")
    named = request.form.getlist("yes")
    if not set(named) & {*row.aloud, *_recording().agreed}:
        raise EntryError("Say which player said yes.")
    for name in named:
        if name in row.aloud:
            _recording().agree(name, _evening())
    live().changes.tell()
    return told(text("Thank you."))


@blueprint.post("/recording/stop")
def stop() -> Answer:
    """Stop recording and delete the film. Everybody may do that."""
    if _recording().stage in (RecordingStage.FILMING, RecordingStage.OVER):
        _sure_to_delete()
    return _stopped(
        "" if g.role is Role.HOST else "refused", text("Nothing is recorded, and no film is kept.")
    )


def _stopped(why: str, said: str) -> Answer:
    """Stop what is recorded, if anything is."""
    if _recording().stage is not RecordingStage.OFF:
        _recording().stop(why)
        live().changes.tell()
    return told(said)


@blueprint.get("/recording.zip")
def film() -> Response:
    """The film and its truth in one file, once the hand is over; `webui.serving.front` sends it piece by piece."""
    try:
        pieces = _recording().pieces(_evening())
    except UntoldError as untold:
        raise EntryError(UNTOLD[untold.why], 409) from untold
    name = f"{_recording().name}.zip"
    live().changes.tell()
    scope = request.environ.get("asgi.scope")
    if scope is not None:
        scope["state"]["pieces"] = pieces
        pieces = iter(())
    return zip_file(pieces, name)


def _sure_to_delete() -> None:
    fields.ask_first(text("The film is deleted for good."), text("Delete the film"))
