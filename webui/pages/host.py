"""The host's page: what is kept of the evening, and who sits where in the camera's picture."""

from dataclasses import replace

from flask import Blueprint, request

from webui.corrections import count_crops
from webui.pages import forms
from webui.pages.common import Answer, EntryError, live, render, told
from webui.paths import corrections_dir
from webui.saving import save_evening
from webui.seats import SIDES
from webui.texts import ntext, text

blueprint = Blueprint("host", __name__)


@blueprint.get("/host")
def host() -> str:
    """What the host may choose."""
    folder = corrections_dir()
    return render(
        "dialogs/host.html",
        keeps=live().corrections is not None,
        kept=count_crops(folder),
        folder=folder,
        pictures=len(live().evidence.known),
        evening=live().session is not None,
    )


@blueprint.post("/host/corrections")
def corrections() -> Answer:
    """Whether pictures of corrected cards are set aside from now on."""
    keep = forms.choice("keep", ("yes", "no")) == "yes"
    live().choose(replace(live().choices, keep_corrections=keep))
    live().corrections = corrections_dir() if keep else None
    return told(
        text("Corrected cards are set aside from now on.")
        if keep
        else text("Corrected cards are no longer set aside. Those already there stay.")
    )


@blueprint.post("/host/save")
def save() -> Answer:
    """Save the evening with the pictures of its plays."""
    forms.session()
    folder, count = save_evening(live())
    said = ntext(
        "Saved with {count} picture in {folder}.",
        "Saved with {count} pictures in {folder}.",
        count,
        folder=folder,
    )
    return told(said)


@blueprint.get("/seats")
def seats() -> str:
    """Who sits at which edge of the camera's picture."""
    table = live()
    with table.reading():
        session = forms.session()
        return render(
            "dialogs/seats.html",
            players=[(name, table.sides.get(name, "")) for name in session.seats],
            edges=edges(),
            has_camera=table.camera.state != "none",
        )


def edges() -> dict[str, str]:
    """The names at each edge of the picture, for those that have a place."""
    return {
        side: " · ".join(name for name, at in live().sides.items() if at == side)
        for side in SIDES
    }  # fmt: skip


@blueprint.post("/seats")
def seat() -> Answer:
    """Seat the players, or `turn` all of them by that many quarters counter-clockwise."""
    table = live()
    names = forms.session().seats
    if request.form.get("turn"):
        quarters = forms.number("turn", 1, 3)
        if set(names) - table.sides.keys():
            raise EntryError(
                "Each edge of the picture has one player; only at a table of five do two share one."
            )
        sides = {name: SIDES[(SIDES.index(table.sides[name]) + quarters) % 4] for name in names}
    else:
        sides = {name: forms.choice(f"side_{place}", tuple(SIDES)) for place, name in enumerate(names)}
    if not forms.places_enough(sides):
        raise EntryError("Each edge of the picture has one player; only at a table of five do two share one.")
    table.seat(sides)
    return told(text("The seats are changed."))
