"""The dialog of a hand of Danish Tarok that is entered by its result: its fields, and the result in them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from flask import request

from tracker.cards import SUITS
from tracker.catalogue import msgid
from tracker.danish.result import POINTS_IN_HAND, ResultEntered, result_so_far
from tracker.danish.rule_sets import POTS
from webui.errors import EntryError
from webui.games.danish.declaration_form import court_fields, declared_fields, declared_in_form
from webui.games.danish.page import combinations_text
from webui.pages import fields, forms
from webui.pages.results import AskedHand
from webui.texts import text

Choices = list[tuple[str, str]]
"""Choices of a form: (value, words). In a value a player stands as his place in the dialog."""
_CARDS: Final = {"king": msgid("a king"), "pagat": msgid("the pagat")}


def _pagat_choices(players: Sequence[str]) -> Choices:
    """The choices of what became of the pagat in tricks 1 to 24."""
    lost = [(f"lost {place}", text("{player} lost it", player=name)) for place, name in enumerate(players)]
    home = [
        (f"won {place}", text("{player} brought it home", player=name)) for place, name in enumerate(players)
    ]
    return [("", text("nothing happened to it")), *lost, *home]


def _whole_choices(players: Sequence[str]) -> Choices:
    """The choices of who won every trick, or none."""
    nolo = [(f"nolo {place}", text("{player}: nolo", player=name)) for place, name in enumerate(players)]
    tout = [(f"tout {place}", text("{player}: tout", player=name)) for place, name in enumerate(players)]
    return [("", text("neither")), *nolo, *tout]


def _bagud_choices(players: Sequence[str]) -> Choices:
    """The choices of who lost which card in the last trick."""
    cards = [(kind, text(_CARDS[kind])) for kind in _CARDS]
    return [
        (f"{kind} {place}", text(": ").join((name, said)))
        for place, name in enumerate(players)
        for kind, said in cards
    ]


def _value(players: Sequence[str], *said: tuple[str, str | None]) -> str:
    """The value of the first of `said`, (what, player), that has a player; "" for none."""
    return next((f"{what} {players.index(name)}" for what, name in said if name is not None), "")


def result_fields(asked: AskedHand, lang: str) -> dict[str, Any]:
    """The values of the dialog: what was entered of the hand that is `asked` for, or else what was seen of it."""
    players, rules = asked.active, forms.session().rules
    hand = asked.hand
    known: ResultEntered = (hand.result or result_so_far(hand)) if hand is not None else ResultEntered()
    lost, declared = Counter(known.lost), dict(known.declarations)
    loser = next((name for name, card in known.lost if card == "pagat"), None)
    return {
        "winner": known.winner,
        "cards": [("", text("another card")), *((kind, text(_CARDS[kind])) for kind in _CARDS)],
        "card": dict(known.last).get(known.winner or "", ""),
        "bagud": _bagud_choices(players),
        "went_bagud": [_value(players, (card, name)) for name, card in known.last if name != known.winner],
        "kings": [lost[name, "king"] for name in players],
        "pagat": _pagat_choices(players),
        "pagat_now": _value(players, ("lost", loser), ("won", known.pagat_won)),
        "whole": _whole_choices(players),
        "whole_now": _value(players, ("nolo", known.nolo), ("tout", known.tout)),
        "may_lay_fool": rules.fool_in_skat_for_tout,
        "fool_in_skat": known.fool_in_skat,
        "counted": rules.count,
        "points": [dict(known.points).get(name, "") for name in players],
        "declared": [
            (combinations_text(declared.get(name, ()), lang), declared_fields(declared.get(name, ())))
            for name in players
        ],
        "courts": court_fields(lang),
    }


def result_in_form(asked: AskedHand) -> ResultEntered:
    """The result in the form. Raises EntryError for what the dialog does not offer."""
    form, players = request.form, asked.active

    def player(value: str, what: str) -> str | None:
        said, _, place = value.partition(" ")
        return players[int(place)] if said == what else None

    def one_of(field: str, choices: Choices) -> str:
        return fields.chosen(field, [value for value, _ in choices]) or ""

    pagat, whole = one_of("pagat", _pagat_choices(players)), one_of("whole", _whole_choices(players))
    lost = [
        (name, "king")
        for place, name in enumerate(players)
        for _ in range(fields.number(f"kings_{place}", 0, len(SUITS), name))
    ]
    lost += [(name, "pagat") for name in [player(pagat, "lost")] if name is not None]
    tout, nolo = player(whole, "tout"), player(whole, "nolo")
    winner = forms.player("winner", among=players) if form.get("winner") else None
    last = [(winner, card) for card in [one_of("card", list(_CARDS.items()))] if winner and card]
    for value in fields.several("bagud", [value for value, _ in _bagud_choices(players)]):
        last += [(name, kind) for kind in POTS for name in [player(value, kind)] if name is not None]
    points = forms.points_of(players, POINTS_IN_HAND)
    if winner is None and tout is None and nolo is None:
        raise EntryError("Choose who won the last trick.")
    return ResultEntered(
        hand=asked.number,
        declarations=tuple((name, declared_in_form(f"{place}_")) for place, name in enumerate(players)),
        lost=tuple(lost),
        pagat_won=player(pagat, "won"),
        winner=winner,
        last=tuple(last),
        tout=tout,
        nolo=nolo,
        fool_in_skat="fool_in_skat" in form,
        points=points,
    )
