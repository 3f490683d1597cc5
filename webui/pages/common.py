"""What every page needs: the live table, the language, and its templates."""

import secrets
from collections.abc import Callable, Collection, Iterable
from functools import cache, partial, wraps
from typing import Any, Final

from flask import Blueprint, abort, current_app, g, jsonify, render_template, request

from tracker.catalogue import msgid, plain_language
from tracker.game import Game
from tracker.games import USUAL_RULES, game_of, game_of_rules, rule_set
from tracker.hand import Hand
from tracker.rule_sets import Options, Rules
from webui.app_parts import app_parts
from webui.errors import EntryError as EntryError
from webui.errors import NoEveningError as NoEveningError
from webui.games.page import GamePage
from webui.games.pages import page_of
from webui.people.appearance import APPEARANCE_COOKIE, LETTER_SIZES, SIGNALS, THEMES, appearance_in
from webui.people.fair_play import Sight
from webui.people.phones import Phones
from webui.people.roles import Role, may, may_open
from webui.serving.requests import Answer as Answer
from webui.serving.requests import by_script, see_other
from webui.serving.requests import sent_to as sent_to
from webui.serving.security import seat_of
from webui.table.history import past_sight
from webui.table.kept_evenings import Evening
from webui.table.live import LiveTable
from webui.table.own_rule_sets import own_rule_sets
from webui.texts import language, language_names, tell_of, text
from webui.version import version
from webui.view.menu import MenuRow, build_menu

_GUEST: Final = "/guest"
"""Who made an entry, as the record says it, if he has not joined a table that is open to everybody."""


class TableBlueprint(Blueprint):
    """A blueprint whose routes hold the table's lock, so that the evening does not change while one of them answers."""

    def add_url_rule(
        self, rule: str, endpoint: str | None = None, view_func: Any = None, *args: Any, **options: Any
    ) -> None:
        """Answer requests to `rule` with `view_func`, as in Flask, and hold the lock meanwhile."""
        super().add_url_rule(rule, endpoint, _locked(view_func), *args, **options)


@cache  # one function for all addresses of a route
def _locked(answer: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(answer)
    def locked(**values: Any) -> Any:
        with live().locked():
            return answer(**values)

    return locked


def live() -> LiveTable:
    """The table that this application serves."""
    return app_parts().live


def phones() -> Phones:
    """The phones that joined this table."""
    return app_parts().phones


def sender() -> str:
    """Who sends this request, as the record stores it."""
    return g.phone.by if g.phone is not None else _GUEST


def own_name(among: Collection[str]) -> str:
    """The player among `among` who has this phone; "" for the phones of host and arbiter, who enter for everybody."""
    seat = seat_of(g.phone)
    return seat if g.role == Role.PLAYER and seat in among else ""


def sight() -> Sight:
    """What may be shown of the evening. Raises EntryError before the first evening."""
    shown = live().sight
    if shown is None:
        raise NoEveningError
    return shown


def past_evening(number: int) -> tuple[Evening, Sight]:
    """The evening with this number, and what may be shown of it. Raises EntryError for an unknown number."""
    evening = next((one for one in live().kept.all() if one.id == number), None)
    shown = past_sight(live(), number) if evening is not None else None
    if evening is None or shown is None:
        raise EntryError("There is no such evening.", 404)
    tell_of(game_of(shown.session))
    return evening, shown


def hand_called(number: int, hands: Iterable[Hand]) -> Hand:
    """The one of `hands` with this number; without it there is no such page."""
    one = next((hand for hand in hands if hand.number == number), None)
    if one is None:
        abort(404)
    return one


def replayed_hands(number: int, shown: Sight) -> list[Hand]:
    """The hands of the evening `number` that can be replayed: those shown with cards, but not one under way."""
    under_way = shown.session.hand if number == live().evening.number and shown.session.under_way else None
    return [part for part in shown.parts if isinstance(part, Hand) and part is not under_way and part.plays]


def rule_sets(game: Game) -> dict[str, tuple[str, Options]]:
    """The rule sets that an evening of `game` may be opened with, by name: the built-in ones and the club's own."""
    base, options = current_app.config["RULES"]
    own = options and game_of_rules(base) is game
    club = {rule_set(base, options).name: (base, options)} if own else {}
    saved = {
        name: (base, options)
        for name, (base, options) in own_rule_sets(live().rules_folder).items()
        if game_of_rules(base) is game
    }
    return {name: (name, ()) for name in game.session.rule_sets} | saved | club


def proposed_rules(game: Game) -> Rules:
    """The rules filled in for a new evening of `game`.

    They are those that the program was started with if it was told any, or those of the last evening.
    """
    played, sets = live().session, rule_sets(game)
    base, options = current_app.config["RULES"]
    told = game_of_rules(base) is game and (base != USUAL_RULES or options)
    if game_of_rules(base) is not game:
        base, options = next(iter(sets.values()))
    rules: Rules = rule_set(base, options)
    if not told and played is not None and game_of(played) is game and played.rules.name in sets:
        rules = played.rules
    return rules


_LETTERS, _LIGHT, _TURN = msgid("Letters"), msgid("Light"), msgid("Whose turn it is")


def page() -> GamePage:
    """The page of the game that is played."""
    return page_of(sight().session)


def render(template: str, **values: object) -> str:
    """The page that `template` makes of `values`, or only its dialog if the script asked for a fragment."""
    g.renames = len(live().evening.renamed)
    return render_template(
        template,
        layout="base.html",
        lang=plain_language(language()),
        languages=language_names(),
        token=g.token,
        once=secrets.token_hex(12),
        release=version(),
        build=current_app.config["BUILD"],
        demo=current_app.config["DEMO"],
        learning=current_app.config["LEARNING"],
        has_camera=live().camera.is_there,
        menu_rows=_menu(),
        is_open=live().evening.is_open,
        practises=live().choices.training and live().evening.is_open,
        **{"fragment": "X-Fragment" in request.headers} | values,
        appearance=appearance_in(request.cookies.get(APPEARANCE_COOKIE, "")),
        appearances=[
            (text(label), [(choice, text(sentence)) for choice, sentence in choices.items()])
            for label, choices in ((_LETTERS, LETTER_SIZES), (_LIGHT, THEMES), (_TURN, SIGNALS))
        ],
        role=g.get("role", Role.UNINVITED),
        may=partial(may, g.get("role", Role.UNINVITED)),
        may_open=partial(may_open, g.get("role", Role.UNINVITED)),
    )


def _menu() -> list[MenuRow]:
    with live().locked():
        role = g.get("role", Role.UNINVITED)
        return build_menu(live(), role, learning=current_app.config["LEARNING"])


def told(message: str, **more: str) -> Answer:
    """The answer that says what was done: JSON for the page's script, with what it has to know, or a redirect."""
    return jsonify(message=message, **more) if by_script() else see_other("/")


def opened_next(path: str, message: str = "") -> Answer:
    """The answer that leads to the dialog at `path`: the page's script opens it in place, others are redirected."""
    return jsonify(dialog=path, message=message) if by_script() else see_other(path)
