"""The dialogs that only the Tarot of 1659 has, and the entries that they send."""

from typing import Any

from flask import request

from tracker.events import FindingPassed
from tracker.rule_sets import MOST_CHIPS
from tracker.tarot1659.events import Fined, FoolExchanged, Redealt
from tracker.tarot1659.game import TAROT_1659
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK
from tracker.tarot1659.result import ResultEntered, most_points
from tracker.tarot1659.words import WORDS
from webui.games.tarot1659.page import owes_for_fool
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, TableBlueprint, render, sight
from webui.pages.dialogs import hand_named
from webui.pages.entering import PUT_RIGHT, belongs_to, enter, only_in
from webui.pages.fines import fine_asked, fine_fields
from webui.pages.results import AskedHand, serve_result
from webui.texts import language
from webui.view.picker import panels

blueprint = TableBlueprint("tarot1659", __name__, url_prefix="/tarot1659")
only_in(blueprint, TAROT_1659)


def _owing() -> tuple[Hand1659, str, str]:
    """The hand that is asked for, who owes a card for its fool, and to whom. Raises EntryError if nobody does."""
    hand: Hand1659 = hand_named()
    owing = owes_for_fool(hand)
    if owing is None:
        raise EntryError("Nobody owes a card for the fool.", 409)
    return hand, *owing


@blueprint.get("/fool")
def fool_dialog() -> str:
    """The dialog that asks which card was given for the fool."""
    hand, player, winner = _owing()
    won = PACK.names(hand.won(player))
    # While earlier tricks are hidden, the cards that he won must not be seen here.
    all_shown = set(won) <= sight().played(hand)
    to_choose = panels(PACK, WORDS, language(), among=won if all_shown else PACK.cards)
    return render(
        "games/tarot1659/fool.html",
        hand=hand.number,
        over=hand.complete,
        player=player,
        winner=winner,
        panels=to_choose,
    )


@blueprint.post("/fool")
def exchange_fool() -> Answer:
    """Enter the card that was given for the fool, tapped or typed."""
    hand, player, _ = _owing()
    card, _ = forms.played_card()
    return enter(belongs_to(hand, FoolExchanged(player, card)))


@blueprint.post("/fool/none")
def no_exchange() -> Answer:
    """Enter that no card was given for the fool, although the hand is over."""
    hand, player, _ = _owing()
    names = [one.name for one in hand.findings if one.wants == "answer"]
    if not names:
        raise EntryError("Nobody owes a card for the fool.", 409)
    return enter(FindingPassed(player, names[0], hand.number), done=PUT_RIGHT)


@blueprint.get("/fine")
def fine_dialog() -> str:
    """The dialog of a fine that the table may book, for a finding or for another reason."""
    return render("games/tarot1659/fine.html", **fine_fields(*fine_asked()))


@blueprint.post("/fines")
def fine() -> Answer:
    """Enter a fine that the table decided on."""
    hand = forms.fined_hand()
    who = forms.player(among=hand.seats if hand is not None else None)
    amount, finding = fields.number("amount", 1, MOST_CHIPS), forms.fined_flag(hand, who)
    number = hand.number if hand is not None and request.form.get("hand") else None
    return enter(Fined(who, amount, fields.words("reason"), number, finding))


def _result_fields(asked: AskedHand, _: str) -> dict[str, Any]:
    """The values of the dialog: what was entered of the hand that is `asked` for."""
    entered: ResultEntered | None = asked.hand.result if asked.hand is not None else None
    known = entered or ResultEntered()
    points = dict(known.points)
    return {
        "winners": known.winners,
        "points": [points.get(name, "") for name in asked.active],
    }


def _result_in_form(asked: AskedHand) -> ResultEntered:
    """The result in the form. Raises EntryError."""
    points = forms.points_of(asked.active, most_points(forms.session().rules))
    winners = tuple(fields.several("winner", asked.active))
    return ResultEntered(hand=asked.number, points=points, winners=winners)


serve_result(blueprint, "games/tarot1659/result.html", _result_fields, _result_in_form)


@blueprint.post("/redeal")
def redeal() -> Answer:
    """Enter a misdeal: the same dealer deals again."""
    forms.unchanged(forms.redeals_seen(forms.session().hand))
    return enter(Redealt())
