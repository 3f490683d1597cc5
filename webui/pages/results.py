"""A hand that is entered by its result: the host chooses it, and each game's own dialog says what it came to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, g, request

from tracker.by_result import ByResult
from tracker.events import HandStarted, ResultChosen
from tracker.hand import Hand
from tracker.session import Session
from webui.pages import forms
from webui.pages.common import Answer, EntryError, live, page, render
from webui.pages.entering import enter, sent_again
from webui.people.roles import Role
from webui.texts import language

blueprint = Blueprint("results", __name__)
blueprint.before_request(sent_again)


@dataclass(frozen=True)
class AskedHand:
    """The hand whose result is asked for: its number, who deals, and who plays it, in order of the seats.

    `hand` is None for one that is dealt with its result: in an evening of results nobody starts hands first.
    """

    number: int
    dealer: str
    active: tuple[str, ...]
    hand: Hand | None

    @property
    def dealt(self) -> bool:
        """Whether the hand was dealt before."""
        return self.hand is not None

    @property
    def fine_href(self) -> str:
        """The dialog of a fine in this hand while its result is not entered; "" where a fine is no longer in time."""
        open_ = self.hand is not None and not self.hand.complete and not self.hand.abandoned
        return page().fine_href if open_ else ""

    @property
    def seen(self) -> str:
        """How it stood when the dialog was opened: which evening and hand, and the events that count in it."""
        entries = self.hand.entries if self.hand is not None else []
        return f"{live().evening.number} {self.number} {entries[-1][1] if entries else 0}"


def asked_hand(session: Session[Any, Any]) -> AskedHand:
    """The hand that the field `hand` names, or else the one whose result is awaited.

    Raises EntryError for an unknown hand and for a sender who may not enter its result: the host chooses that a hand
    is entered by its result, and the arbiter changes a result.
    """
    hands = session.hands
    if wanted := request.values.get("hand"):
        numbers = {str(one.number): one for one in hands}
        if wanted not in numbers:
            raise EntryError("There is no such page.", 404)
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
    if hand.result is not None and g.role < Role.ARBITER:
        raise EntryError("A result that was entered is changed by the arbiter.", 409)
    return AskedHand(
        hand.number, hand.dealer, tuple(name for name in hand.seats if name in hand.active), hand
    )


def enter_for(asked: AskedHand, result: ByResult) -> Answer:
    """Enter the `result` of the hand that was `asked` for; with it the hand is dealt, if nobody did before."""
    forms.unchanged(asked.seen)
    if asked.hand is None:
        return enter(HandStarted(asked.dealer), result)
    return enter(result)


def serve_result(
    game: Blueprint,
    template: str,
    fields: Callable[[Any, AskedHand, str], dict[str, Any]],
    in_form: Callable[[AskedHand], ByResult],
) -> None:
    """Give the blueprint of a `game` its dialog of a hand by its result, and the route that enters it.

    `fields` are what the `template` shows, of the game's session and the hand in a language; `in_form` is the result
    that was sent.
    """

    @game.get("/result")
    def result_dialog() -> str:
        """What a hand came to whose cards nobody enters."""
        with live().locked():
            session = forms.session()
            return render(template, **fields(session, asked_hand(session), language()))

    @game.post("/result")
    def enter_result() -> Answer:
        """What a hand came to."""
        with live().locked():
            asked = asked_hand(forms.session())
            return enter_for(asked, in_form(asked))


@blueprint.post("/by-result")
def choose() -> Answer:
    """Enter this hand, or with `evening` every hand from now on, by its result; without `on` card by card again."""
    with live().locked():
        session = forms.session()
        forms.unchanged(forms.hands_seen(session))
        return enter(ResultChosen("on" in request.form, "evening" in request.form))
