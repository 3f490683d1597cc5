"""Putting right, in place, what was entered besides the cards: vitamins, the Talon, discards, calls, bids, the skat."""

from dataclasses import replace
from typing import Any

from flask import g, request

from tracker.errors import TarokError
from tracker.events import EntryCorrected, Event, cards_of
from tracker.hand import Hand
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, TableBlueprint, page, render, sight
from webui.pages.dialogs import all_panels, trick_dialog
from webui.pages.entering import enter_or_ask, sent_again
from webui.people.roles import Role
from webui.texts import language
from webui.view.event_text import event_text
from webui.view.put_right import entry_to_put_right

blueprint = TableBlueprint("put_right", __name__)
blueprint.before_request(sent_again)


def entry_shown(seq: int) -> tuple[Hand, Event]:
    """The entry `seq` as it stands, and its hand. Raises EntryError for an unknown or hidden entry."""
    try:
        hand, event = entry_to_put_right(sight(), seq)
    except TarokError:
        raise EntryError("That entry no longer exists.", 404) from None
    if not _is_shown(hand, event) and g.role < Role.ARBITER:
        raise EntryError("Earlier tricks are hidden while the hand is played.", 403)
    return hand, event


def _is_shown(hand: Hand, event: Event) -> bool:
    opened = g.role >= Role.ARBITER
    return hand is not sight().session.hand or sight().shows_trick(event.lies_with, opened=opened)


@blueprint.get("/entries/<int:seq>")
def entry(seq: int) -> str:
    """The dialog that puts an entry right: another card, another choice, or it did not happen."""
    lang = language()
    hand, event = entry_shown(seq)
    if event.lies_with is not None and not _is_shown(hand, event):
        return trick_dialog(hand, event.lies_with)
    words, cards = page().game.words, cards_of(event)
    place = request.args.get("place", type=int)
    place = 0 if len(cards) == 1 else place if place in range(len(cards)) else None
    return render(
        "dialogs/entry.html",
        seq=seq,
        hand=hand.number,
        event=event,
        what=event_text(event, lang, page()),
        cards=[(card, words.card_label(card, lang)) for card in cards],
        place=place,
        fields=page().fields(hand, event, lang),
        panels=all_panels(event.may_name),
        now=cards[place] if place is not None else "",
    )


@blueprint.post("/entries/<int:seq>/correct")
def correct(seq: int) -> Answer:
    """Correct an entry: another card, or another choice."""
    hand, event = entry_shown(seq)
    forms.unchanged(event_text(event, language(), page()))
    really = _chosen(hand, event) if request.form.get("choice") else _with_card(event)
    at_hand = hand is sight().session.hand and _is_shown(hand, event)
    return enter_or_ask(EntryCorrected(seq, really), at_hand=at_hand)


def _chosen(hand: Hand, event: Event) -> Event:
    choices = {
        f"{at}-{place}": really
        for at, field in enumerate(page().fields(hand, event, language()))
        for place, (_, really) in enumerate(field.choices)
    }
    return choices[fields.choice("choice", tuple(choices))]


def _with_card(event: Any) -> Event:
    cards = list(cards_of(event))
    if not cards:
        raise EntryError("Something is not filled in. Look again; nothing was entered.")
    cards[fields.number("place", 0, len(cards) - 1)] = forms.played_card()[0]
    changed: Event = (
        replace(event, cards=tuple(cards)) if hasattr(event, "cards") else replace(event, card=cards[0])
    )
    return changed
