"""A hand that is entered by its result: the host chooses that, and each game's dialog asks for the result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import abort, g, request

from tracker.by_result import ByResult
from tracker.events import HandStarted, ResultChosen
from webui.pages import forms
from webui.pages.common import Answer, EntryError, TableBlueprint, live, page, render
from webui.pages.entering import enter, enter_or_ask, sent_again
from webui.people.roles import Role
from webui.texts import language

blueprint = TableBlueprint("results", __name__)
blueprint.before_request(sent_again)


@dataclass(frozen=True)
class AskedHand:
    """The hand whose result is asked for: its number, who deals, and who plays it, in order of the seats.

    `hand` is None for a hand that is dealt with its result, as all are in an evening of results.
    """

    number: int
    dealer: str
    active: tuple[str, ...]
    hand: Any

    @property
    def fine_href(self) -> str:
        """The dialog of a fine in this hand before its result is entered; "" if it is too late for a fine."""
        open_ = self.hand is not None and not self.hand.complete and not self.hand.abandoned
        return page().fine_href if open_ else ""

    @property
    def seen(self) -> str:
        """How the hand stood when the dialog was opened: its evening, its number, and the events that count in it."""
        entries = self.hand.entries if self.hand is not None else []
        return f"{live().evening.number} {self.number} {entries[-1][1] if entries else 0}"


def asked_hand() -> AskedHand:
    """The hand that the field `hand` names, or else the one whose result is awaited.

    Raises EntryError for an unknown hand, and for a sender who may not enter its result: only the host chooses that a
    hand is entered by its result.
    """
    session = forms.session()
    hands = session.hands
    if wanted := request.values.get("hand"):
        numbers = {str(one.number): one for one in hands}
        if wanted not in numbers:
            abort(404)
        hand = numbers[wanted]
    elif session.by_result and not session.under_way and not session.over:
        dealer = session.next_dealer
        playing = session.order_of_play(dealer)
        active = tuple(name for name in session.seats if name in playing)
        return AskedHand(len(hands) + 1, dealer, active, None)
    elif not hands:
        raise EntryError("Start a hand first.", 409)
    else:
        hand = hands[-1]
    if not hand.by_result and g.role < Role.HOST:
        raise EntryError("The host chooses whether a hand is entered by its result.", 409)
    return AskedHand(
        hand.number, hand.dealer, tuple(name for name in hand.seats if name in hand.active), hand
    )


def enter_for(asked: AskedHand, result: ByResult) -> Answer:
    """Enter the `result` of the hand that was `asked` for; a hand that is not dealt yet is dealt with it.

    A player who changes a result asks the arbiter to enter it.
    """
    forms.unchanged(asked.seen)
    if asked.hand is None:
        return enter(HandStarted(asked.dealer), result)
    return enter_or_ask(result, at_hand=asked.hand.result is None, done="")


def serve_result(
    game: TableBlueprint,
    template: str,
    fields: Callable[[AskedHand, str], dict[str, Any]],
    in_form: Callable[[AskedHand], ByResult],
) -> None:
    """Give the blueprint of a `game` the dialog of a hand by its result, and the route that enters it.

    `fields` makes the game's own values of the `template` from the hand and a language. `in_form` reads the result from
    the form that was sent.
    """

    @game.get("/result")
    def result_dialog() -> str:
        """The dialog that asks for the result of a hand whose cards nobody enters."""
        asked = asked_hand()
        players = [(name, name) for name in asked.active]
        seen_cards = asked.hand is not None and bool(asked.hand.plays)
        return render(
            template, asked=asked, players=players, seen_cards=seen_cards, **fields(asked, language())
        )

    @game.post("/result")
    def enter_result() -> Answer:
        """Enter the result of a hand."""
        asked = asked_hand()
        return enter_for(asked, in_form(asked))


@blueprint.post("/by-result")
def choose() -> Answer:
    """Choose to enter this hand (with `evening` every hand from now on) by its result, or without `on` by its cards."""
    forms.unchanged(forms.hands_seen())
    return enter(ResultChosen("on" in request.form, "evening" in request.form))
