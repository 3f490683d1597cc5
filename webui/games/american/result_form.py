"""The dialog of a round of American Tarock that is entered by its result: its fields, and the result in them."""

from collections.abc import Sequence
from typing import Any, Final

from flask import request

from tracker.american.contracts import ANNOUNCED, CONTRACTS, KLOP
from tracker.american.result import BOTH_SIDES, BY_SIDE, ResultEntered, result_so_far
from tracker.american.words import WORDS
from tracker.catalogue import msgid
from webui.pages import fields, forms
from webui.pages.results import AskedHand
from webui.texts import text

_MOST: Final = 70
_WON: Final = {"": msgid("as the points say"), "won": msgid("won"), "lost": msgid("lost")}
_SIDES: Final = {"declarer": msgid("declarer"), "opponents": msgid("opponents")}


def _or(nobody: str, players: Sequence[str]) -> list[tuple[str, str]]:
    return [("", nobody), *((name, name) for name in players)]


def result_fields(asked: AskedHand, lang: str) -> dict[str, Any]:
    """The values of the dialog: what was entered of the round that is `asked` for, or what was said and seen of it."""
    players = asked.active
    hand = asked.hand
    known = ResultEntered(game="")
    if hand is not None and (hand.result or hand.contract):
        known = hand.result or result_so_far(hand)
    last = next(reversed(forms.session().hands), None)
    skeench = (
        hand.skeench_round
        if hand is not None
        else bool(last and last.skeench_round and last.rounds_left is None)
    )
    points = dict(known.points)
    tried = known.pagat or known.pagat_lost
    return {
        "known": known,
        "games": [(name, WORDS.game_name(name, lang)) for name in CONTRACTS],
        "declarers": _or(text("nobody (Klop)"), players),
        "partners": _or(text("alone"), players),
        "side_points": points.get(known.declarer or "", ""),
        "won_choices": [(value, text(_WON[value])) for value in _WON],
        "won": {True: "won", False: "lost", None: ""}[known.won],
        "klop_points": [points.get(name, "") if known.game == KLOP.name else "" for name in players],
        "bonuses": [(bonus, WORDS.bonus_name(bonus, lang), getattr(known, bonus) or "") for bonus in BY_SIDE],
        "sides": [("", text("nobody")), *((side, text(_SIDES[side])) for side in _SIDES)],
        "pagat_choices": _pagat_choices(players),
        "pagat": "" if tried is None else f"{'won' if known.pagat else 'lost'} {players.index(tried)}",
        "monds": _or(text("nobody"), players),
        "announcing": [
            (
                name,
                [
                    (f"{bonus} {place}", WORDS.bonus_name(bonus, lang), (name, bonus) in known.announced)
                    for bonus in ANNOUNCED
                ],
            )
            for place, name in enumerate(players)
        ],
        "skeench_round": skeench,
    }


def _pagat_choices(players: Sequence[str]) -> list[tuple[str, str]]:
    """The choices of what became of the Pagat in the last trick."""
    won = [(f"won {place}", text("{player} won with it", player=name)) for place, name in enumerate(players)]
    lost = [(f"lost {place}", text("{player} lost it", player=name)) for place, name in enumerate(players)]
    return [("", text("was not in it")), *won, *lost]


def result_in_form(asked: AskedHand) -> ResultEntered:
    """The result in the form. Raises EntryError for what the dialog does not offer."""
    form, players = request.form, asked.active

    game = fields.choice("game", tuple(CONTRACTS))
    klop = game == KLOP.name
    declarer = None if klop else forms.player("declarer", among=players)
    points: tuple[tuple[str, int], ...] = ()
    if klop:
        points = forms.points_of(players, _MOST)
    elif declarer is not None and form.get("points"):
        points = ((declarer, fields.number("points", 0, _MOST)),)
    pagat, _, place = (
        fields.chosen("pagat", [value for value, _ in _pagat_choices(players)]) or ""
    ).partition(" ")
    named: dict[str, Any] = {} if klop else {bonus: fields.chosen(bonus, BOTH_SIDES) for bonus in BY_SIDE}
    if pagat and not klop:
        named["pagat" if pagat == "won" else "pagat_lost"] = players[int(place)]
    announced = [f"{bonus} {at}" for at, _ in enumerate(players) for bonus in ANNOUNCED]
    said = [one.split(" ") for one in fields.several("announced", announced)]
    return ResultEntered(
        hand=asked.number,
        game=game,
        declarer=declarer,
        partner=None if klop else fields.chosen("partner", players),
        points=points,
        won=None if klop else {"won": True, "lost": False}.get(fields.chosen("won", tuple(_WON)) or ""),
        over_half=fields.chosen("over_half", players) if klop else None,
        announced=() if klop else tuple((players[int(at)], bonus) for bonus, at in said),
        king_lost="king_lost" in form and not klop,
        mond=None if klop else fields.chosen("mond", players),
        skeench=fields.chosen("skeench", players),
        **named,
    )
