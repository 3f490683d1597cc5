"""The host's page: his choices, phones, what is kept, and who sits where in the camera's picture."""

import threading
import time
from typing import Final

from flask import Blueprint, Response, abort, g, request

from tracker.catalogue import msgid
from tracker.games import game_of
from tracker.store import StoreError
from webui.app_parts import app_parts
from webui.downloads import zip_file
from webui.errors import told_as
from webui.pages import fields, forms
from webui.pages.club import reporter
from webui.pages.common import Answer, EntryError, live, phones, render, sender, sent_to, told
from webui.pages.joining import check_host_stays
from webui.paths import corrections_dir, decks_dir
from webui.people.roles import Role
from webui.people.seats import SIDES
from webui.pictures.clips import CLIPS_MB, clip_names, delete_clips
from webui.pictures.corrected_cards import count_crops
from webui.pictures.footage import HAND_MB
from webui.reporting.club_line import sentence_in
from webui.table.arbiter_desk import Opening
from webui.table.host_choices import FOOL_WORDS
from webui.table.kept_evenings import delete_crops, delete_saved, saved_evenings
from webui.table.saved_evening import save_evening
from webui.texts import by_name, day_text, language, ntext, text
from webui.view.entry_rows import who_text
from webui.view.invite import build_invite

blueprint = Blueprint("host", __name__)
_LAST_PAGE_S: Final = 2.0
"""Seconds for which the page that says that the program has ended is still given out, with its style sheets."""

_SWITCHES: Final = {
    "fair_play": (
        msgid("Pots and earlier tricks are shown at any time."),
        msgid("While a hand is played, pots and earlier tricks are hidden."),
    ),
    "open_table": (
        msgid("Only a phone that has joined may enter anything."),
        msgid("Everybody who opens the page may enter what a player may."),
    ),
    "keep_corrections": (
        msgid("Corrected cards are no longer set aside. Those already there stay."),
        msgid("Corrected cards are set aside from now on."),
    ),
    "keep_clips": (
        msgid("Clips are no longer kept, and the hand's pictures are deleted. Clips already there stay."),
        msgid("Each correction keeps a clip from now on."),
    ),
    "training": (
        msgid("Practice is off; nothing is counted."),
        msgid("Practice is on: every screen says so."),
    ),
}
"""The host's choices that are off or on, by their fields in `HostChoices`: what is said of off, and of on."""


@blueprint.get("/host")
def host() -> str:
    """The host's page."""
    folder, session = corrections_dir(), live().session
    return render(
        "dialogs/host.html",
        kept=count_crops(folder),
        folder=folder,
        pictures=len(live().pictures.evidence.known),
        clips=len(clip_names(live().pictures.clips.folder)),
        clips_folder=live().pictures.clips.folder,
        limits=(HAND_MB, CLIPS_MB),
        saved=saved_evenings(live().kept.saved),
        evenings=live().kept.all(),
        names=sorted(live().kept.people(), key=by_name),
        evening=session is not None,
        open_number=live().evening.number if live().evening.is_open else None,
        choices=live().choices,
        may_practise=session is None or game_of(session).study is not None,
        phones=[(one, who_text(one.by), one == g.phone) for one in phones().all()],
        invite=build_invite(),
        club=reporter().club,
        progress=reporter().progress,
        refusal=sentence_in(reporter().progress.sentences, language()),
    )


@blueprint.post("/host/choices/<choice>")
def switch(choice: str) -> Answer:
    """Switch one of the host's choices on or off."""
    if choice not in _SWITCHES:
        abort(404)
    on = fields.is_yes("on")
    live().choose(**{choice: on})
    return told(text(_SWITCHES[choice][on]))


@blueprint.post("/host/fool")
def fool() -> Answer:
    """Choose what the club calls the fool in Danish."""
    live().choose(fool=fields.choice("word", FOOL_WORDS))
    return told(text("Done."))


@blueprint.post("/host/phones")
def phone() -> Answer:
    """Take its seat from a phone, make it the host's or a player's, or let it join anew."""
    number = fields.number("phone", 1, 10**9)
    one = next((one for one in phones().all() if one.number == number), None)
    if one is None:
        raise EntryError("That phone has not joined.", 404)
    what = fields.choice("do", ("free", "host", "player", "remove"))
    if what in ("player", "remove"):
        check_host_stays(one)
    match what:
        case "free":
            phones().change(one.id, seat="")
        case "host":
            phones().change(one.id, role=Role.HOST)
        case "player":
            phones().change(one.id, role=Role.PLAYER)
        case "remove":
            fields.ask_first(
                text(
                    "{phone} is no longer let in, until it joins by the code again.",
                    phone=one.seat or text("Phone {number}", number=one.number),
                ),
                text("Remove the phone"),
            )
            phones().remove(one.id)
    live().changes.tell()
    return told(text("Done."))


@blueprint.post("/host/phones/<int:number>/seat")
def vouch(number: int) -> Answer:
    """Confirm whose phone it is, because its player sat out when the phone took his seat."""
    one = next((one for one in phones().all() if one.number == number and one.seat and not one.vouched), None)
    if one is None:
        raise EntryError("The question has already been answered.", 409)
    if fields.is_yes("his"):
        phones().change(one.id, vouched=True)
    else:
        phones().change(one.id, seat="")
    live().changes.tell()
    return told(text("Done."))


@blueprint.post("/host/save")
def save() -> Answer:
    """Save the evening with the pictures of its plays."""
    forms.session()
    return told(saved())


def saved() -> str:
    """Save the evening with the pictures of its plays; returns the sentence that says where. Raises StoreError."""
    folder, count = save_evening(live())
    return ntext(
        "Saved with {count} picture in {folder}.",
        "Saved with {count} pictures in {folder}.",
        count,
        folder=folder,
    )


@blueprint.post("/host/corrections/delete")
def delete_corrections() -> Answer:
    """Delete the pictures of corrected cards that were set aside."""
    count = count_crops(corrections_dir())
    fields.ask_first(
        ntext(
            "{count} picture of a corrected card is deleted for good.",
            "{count} pictures of corrected cards are deleted for good.",
            count,
        ),
        text("Delete the pictures"),
    )
    delete_crops(corrections_dir())
    return told(text("The pictures of corrected cards are deleted."))


@blueprint.post("/host/clips/delete")
def remove_clips() -> Answer:
    """Delete the clips of corrections."""
    count = len(clip_names(live().pictures.clips.folder))
    fields.ask_first(
        ntext("{count} clip is deleted for good.", "{count} clips are deleted for good.", count),
        text("Delete the clips"),
    )
    with told_as(StoreError, live().pictures.clips.folder):
        delete_clips(live().pictures.clips.folder)
    return told(text("The clips are deleted."))


@blueprint.post("/host/saved/delete")
def delete_saved_evening() -> Answer:
    """Delete a saved evening with its pictures."""
    name = fields.field("name")
    kept = next((one for one in saved_evenings(live().kept.saved) if one.name == name), None)
    if kept is None:
        raise EntryError("There is no such saved evening.", 404)
    fields.ask_first(
        ntext(
            "The saved evening {name} is deleted for good, with {count} picture.",
            "The saved evening {name} is deleted for good, with {count} pictures.",
            kept.pictures,
            name=name,
        ),
        text("Delete it"),
    )
    delete_saved(live().kept.saved, kept)
    return told(text("The saved evening is deleted."))


@blueprint.get("/host/backup.zip")
def backup() -> Response:
    """A backup of evenings, decks and settings, which `tarok restore` takes."""
    with live().locked():
        shown = live().sight
        if shown is not None and shown.hidden:
            live().desk.note_opening(Opening(len(shown.session.hands), 0, sender()))
    return zip_file(live().kept.backup(decks_dir()), time.strftime("tarok-%Y-%m-%d.zip"))


@blueprint.post("/host/evenings/delete")
def delete_evening() -> Answer:
    """Delete an evening from the record."""
    number = fields.number("evening", 1, 10**9)
    found = next((one for one in live().kept.all() if one.id == number), None)
    if found is None:
        raise EntryError("There is no such evening.", 404)
    fields.ask_first(
        text(
            "The evening of {day} with {players} is deleted for good, with all its hands and chips.",
            day=day_text(found.day),
            players=", ".join(found.players),
        ),
        text("Delete it"),
    )
    live().delete_evening(number)
    return told(text("The evening is deleted."))


@blueprint.post("/host/erase")
def erase() -> Answer:
    """Erase a player's name from the record; the chips stay."""
    name = fields.field("name")
    if name not in live().kept.people():
        raise EntryError("There is no player of that name.", 404)
    fields.ask_first(
        text(
            "The name {name} is removed from all evenings on this computer. Nobody can bring it back; the chips stay.",
            name=name,
        ),
        text("Erase the name"),
    )
    new = live().erase_name(name)
    phones().free(name)
    app_parts().reporter.rounds.forget_names()
    return told(text("The name is erased. {name} stands in its place, and the chips stay.", name=new))


@blueprint.get("/seats")
def seats() -> str:
    """The page that says who sits at which edge of the camera's picture."""
    table = live()
    with table.locked():
        session = forms.session()
        return render(
            "dialogs/seats.html",
            players=[(name, table.sides.get(name, "")) for name in session.seats],
            edges=edges(),
        )


def edges() -> dict[str, str]:
    """The names at each edge of the picture, for the players who have a place."""
    return {
        side: " · ".join(name for name, at in live().sides.items() if at == side)
        for side in SIDES
    }  # fmt: skip


@blueprint.post("/seats")
def seat() -> Answer:
    """Seat the players, or `turn` all of them by so many quarters counter-clockwise."""
    table = live()
    names = forms.session().seats
    if request.form.get("turn"):
        quarters = fields.number("turn", 1, 3)
        placed = [name for name in names if name in table.sides]
        sides = {name: SIDES[(SIDES.index(table.sides[name]) + quarters) % 4] for name in placed}
    else:
        sides = {name: fields.choice(f"side_{place}", tuple(SIDES)) for place, name in enumerate(names)}
    forms.check_places(sides, names)
    table.seat(sides)
    return told(text("The seats are changed."))


@blueprint.get("/host/end")
def ask_end() -> str:
    """The dialog that ends the program, which may have been started without a terminal."""
    return render("dialogs/end.html", saved=live().session is not None, film=live().pictures.recording.waits)


@blueprint.post("/host/end")
def end() -> Answer:
    """End the program, as Ctrl+C does in a terminal. What was entered is kept."""
    ending = threading.Timer(_LAST_PAGE_S, app_parts().told_to_end.set)
    ending.daemon = True
    ending.start()
    return sent_to("/host/ended")


@blueprint.get("/host/ended")
def ended() -> str:
    """The page that the host's browser shows after the program has ended."""
    return render("dialogs/ended.html")
