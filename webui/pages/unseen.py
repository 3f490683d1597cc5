"""Missed cards and tricks: people name the cards, or say who won the tricks, and the hand goes on."""

from flask import g

from tracker.events import EntryCorrected, Event, EventRetracted, PlayInserted, TrickMissed, TrickUnseen
from webui.pages import forms
from webui.pages.common import Answer, EntryError, TableBlueprint, live, opened_next, render, sight
from webui.pages.dialogs import all_panels, named_suits
from webui.pages.entering import PUT_RIGHT, enter_or_ask, sent_again
from webui.people.roles import Role
from webui.view.unseen import Unseen, unseen_at

blueprint = TableBlueprint("unseen", __name__)
blueprint.before_request(sent_again)


@blueprint.get("/unseen")
@blueprint.get("/unseen/<int:seq>")
def dialog(seq: int | None = None) -> str:
    """The dialog that asks for the next unseen card, or who won the trick; it shows the tricks told so far."""
    session = forms.session()
    unseen = _found(seq)
    of_many = unseen.gap or seq is None
    shown = sight().played(unseen.hand)
    tricks = session.plays_in_hand(session.rules, len(session.seats)) // len(unseen.hand.active)
    return render(
        "dialogs/unseen.html",
        u=unseen,
        players=[(name, name) for name in unseen.players],
        told=[trick for trick in unseen.hand.tricks if trick.closed_by is not None and of_many],
        of_many=of_many,
        held=tricks - unseen.number + 1,
        panels=all_panels(set(session.pack.cards) - shown),
        named=named_suits() if unseen.leads else [],
    )


@blueprint.post("/unseen/<int:seq>/card")
def card(seq: int) -> Answer:
    """Enter a card that was not seen. After the last one of a trick its cards tell who won it."""
    unseen = _found(seq)
    who, (what, named) = forms.player(among=unseen.players), forms.played_card(unseen.suit)
    events: list[Event] = [PlayInserted(unseen.before_seq, who, what, named if unseen.leads else None)]
    complete = len(unseen.players) == 1
    if complete and unseen.winner is not None:
        events.append(EventRetracted(seq))
    answer = _entered(unseen, *events)
    return answer if complete and not unseen.gap else _go_on(unseen, answer)


@blueprint.post("/unseen/won")
@blueprint.post("/unseen/<int:seq>/won")
def won(seq: int | None = None) -> Answer:
    """Enter who won a trick whose other cards stay unknown, or that another player won it than was told."""
    unseen = _found(seq)
    winner = forms.player(among=unseen.hand.active)
    forms.unchanged(str(unseen.number))
    told: Event = TrickMissed(unseen.before_seq, winner)
    if unseen.winner is not None and seq is not None:
        told = EntryCorrected(seq, TrickUnseen(winner))
    return _go_on(unseen, _entered(unseen, told))


def _found(seq: int | None) -> Unseen:
    unseen = unseen_at(live(), forms.session(), seq)
    if unseen is None:
        raise EntryError("The question has already been answered.", 409)
    return unseen


def _entered(unseen: Unseen, *events: Event) -> Answer:
    """Enter `events`, or ask the arbiter to do so if they are of an earlier hand: any player may tell what is asked."""
    session = forms.session()
    return enter_or_ask(
        *events,
        at_hand=unseen.hand is session.hand and session.under_way,
        done="" if unseen.gap else PUT_RIGHT,
    )


def _go_on(unseen: Unseen, answer: Answer) -> Answer:
    """The same dialog, if it still asks for something and the arbiter need not be asked first; or else `answer`."""
    session = forms.session()
    # The entry made a new hand of the same number, if it was entered.
    at_hand = unseen.hand.number == len(session.hands) and session.under_way
    asked = g.role < Role.ARBITER and not at_hand
    if asked or unseen_at(live(), session, unseen.seq) is None:
        return answer
    return opened_next(unseen.href)
