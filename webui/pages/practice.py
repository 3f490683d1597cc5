"""The table's practice: switched on by the host, each player's own trumps, and the chances of every unseen card."""

from flask import g

from tracker.hand import Hand
from tracker.study import Study
from webui.app_parts import app_parts
from webui.games.pages import page_of
from webui.pages import fields
from webui.pages.common import Answer, EntryError, TableBlueprint, live, render, sight, told
from webui.people.own_trumps import most_held
from webui.serving.security import seat_of
from webui.texts import language, text
from webui.view.practice import build_practice, chance_groups, holders_of, sampled_from

blueprint = TableBlueprint("practice", __name__)


def _studied() -> tuple[Hand, Study]:
    """The hand that is played, and what can be counted in it. Raises EntryError if the table does not practise."""
    if not live().choices.training:
        raise EntryError("Practice is off. The host can switch it on.", 409)
    shown = sight()
    study, hand = shown.study, shown.session.hand
    if study is None or hand is None:
        raise EntryError("No hand is played now.", 409)
    return hand, study


@blueprint.get("/training")
def dialog() -> str:
    """The dialog with the chances of where each unseen card lies."""
    hand, study = _studied()
    page = page_of(sight().session)
    return render(
        "learning/practice.html",
        c=build_practice(sight(), seat_of(g.phone), language()),
        groups=chance_groups(study, hand.pack, page.game.words, language()),
        holders=holders_of(study, page),
        sampled=sampled_from(study),
    )


@blueprint.get("/training/trumps")
def ask_trumps() -> str:
    """The dialog that asks a player how many trumps he holds."""
    hand, study = _studied()
    most = most_held(_own_seat(hand), study)
    lessons = page_of(sight().session).lessons
    return render(
        "learning/trumps.html", numbers=range(most + 1), asked=text(lessons.held), own=text(lessons.own)
    )


@blueprint.post("/training/trumps")
def trumps() -> Answer:
    """Note how many trumps the player holds just now."""
    hand, study = _studied()
    seat = _own_seat(hand)
    number = fields.number("number", 0, most_held(seat, study))
    assert g.phone is not None
    app_parts().own_trumps.say(g.phone.id, hand, seat, study, number)
    live().changes.tell()
    return told(text("Only this phone shows it."))


def _own_seat(hand: Hand) -> str:
    """The player of this phone, who must play in `hand`. Raises EntryError."""
    seat = seat_of(g.phone)
    if seat not in hand.active:
        raise EntryError("Only a player of this hand enters his trumps, on his own phone.", 409)
    return seat
