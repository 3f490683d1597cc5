"""The set-up of the table, a page for each step; each can be skipped and repeated."""

from dataclasses import asdict, replace
from typing import Final

from flask import Blueprint, Response, abort, current_app, request

from tracker.catalogue import msgid
from tracker.games import game_of, game_of_rules, rule_set
from vision.camera.address import CameraUnreached, is_camera, is_in_network, shown_address, whole_address
from webui.app_parts import app_parts
from webui.camera.cameras import Cameras
from webui.games.page import GamePage
from webui.games.pages import PAGES
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, live, proposed_rules, render, rule_sets, sent_to
from webui.people.seats import SIDES, SIDES_BY_NUMBER
from webui.table.camera_status import CameraStatus
from webui.table.host_choices import is_one_line
from webui.table.set_up import SetUp
from webui.texts import ADVICE, PROBLEMS, by_name, language, text
from webui.view.camera_row import camera_row, tried_row
from webui.view.option_rows import option_row

blueprint = Blueprint("set_up", __name__, url_prefix="/setup")

_STEPS: Final = {
    "game": msgid("The game"),
    "camera": msgid("The camera"),
    "cards": msgid("The cards"),
    "players": msgid("The players"),
    "ready": msgid("Ready"),
}
"""The steps in order, with their titles."""

_NO_ADDRESS: Final = PROBLEMS["network_form"]


def _set_up() -> SetUp:
    return app_parts().set_up


def _cameras() -> Cameras:
    return app_parts().cameras


def _steps() -> list[str]:
    """The steps of this table: without a camera no step asks to see cards."""
    cameras = _cameras()
    there = {"camera": cameras.asks, "cards": cameras.source is not None}
    return [name for name in _STEPS if there.get(name, True)]


def _is_done(step: str) -> bool:
    """Whether a step is done. Otherwise it was skipped, or is still to come."""
    set_up, watched = _set_up(), _cameras().source is not None
    if step == "game":
        return bool(set_up.rules)
    if step == "camera":
        return watched or live().choices.camera == "none"
    if step == "cards":
        return set_up.face is not None or set_up.learnt.card_px > 0
    seated = not watched or len(set_up.placed()) == len(set_up.names)
    return step == "players" and bool(set_up.names) and seated


@blueprint.get("")
def start() -> Answer:
    """A redirection to the first step that is not done, or to the last step of a table that was set up before."""
    set_up, table = _set_up(), live()
    if table.session is not None:
        set_up.play_on(table.session.seats, table.sides)
    elif table.sides and not set_up.names:
        set_up.play_on(tuple(table.sides), table.sides)
    if not set_up.rules and table.session is None:
        return sent_to("/setup/game")
    if "camera" in _steps() and table.choices.camera == "" and _cameras().source is None:
        return sent_to("/setup/camera")
    return sent_to("/setup/ready" if _is_done("players") else "/setup/players")


@blueprint.get("/<step>")
def step(step: str) -> str:
    """The page of a step of the set-up."""
    steps = _steps()
    if step not in steps:
        abort(404)
    if step == "camera" and not _cameras().looking and not _cameras().offered:
        _cameras().search()
    return render(
        f"set_up/{step}.html",
        step=step,
        steps=[(name, text(_STEPS[name]), _is_done(name)) for name in steps],
        **_values(step),
    )


@blueprint.get("/<step>/seen")
def seen(step: str) -> str:
    """The part of a step that follows the camera."""
    if step not in ("camera", "cards", "players") or step not in _steps():
        abort(404)
    if _cameras().source is not None:
        _set_up().ask()
    return render(f"set_up/{step}_seen.html", **_values(step))


def _values(step: str) -> dict[str, object]:
    """The values of a step's template."""
    set_up, table, steps = _set_up(), live(), _steps()
    place = steps.index(step)
    values: dict[str, object] = {
        "before": steps[place - 1] if place else "",
        "after": steps[place + 1] if place + 1 < len(steps) else "",
        "set_up": set_up,
        "camera": camera_row(table.camera.status),
        "watched": _cameras().source is not None,
        "evening": table.evening.is_open,
    }
    if step == "game":
        values |= _game() | {"games": [(name, text(one.title)) for name, one in PAGES.items()]}
    elif step == "camera":
        source, tried = _cameras().source or "", _cameras().trying.tried
        tried = None if tried is not None and tried.address == source else tried
        values |= {"offered": _cameras().offered, "looking": _cameras().looking}
        values["tried"] = None if tried is None else tried_row(tried)
        values["address"] = shown_address(source) if is_in_network(source) else ""
        chosen = table.choices.camera != "" or _cameras().source is not None
        values["chosen"] = chosen and table.camera.status.state not in ("trouble", "starting")
    elif step == "cards":
        values |= _cards()
    elif step == "players":
        values |= _players()
    elif step == "ready":
        values |= _cards() | _players() | _seating() | _game()
    return values


def _chosen() -> GamePage:
    """The game that was chosen, or that of the last evening, or the usual one."""
    played = live().session
    usual = game_of_rules(current_app.config["RULES"][0]) if played is None else game_of(played)
    return PAGES.get(request.args.get("game", _set_up().game), PAGES[usual.name])


def _game() -> dict[str, object]:
    """The game with its rule sets in words, and the fields of the form."""
    chosen, set_up = _chosen(), _set_up()
    sets = rule_sets(chosen.game)
    proposed = proposed_rules(chosen.game)
    rules = set_up.rules if set_up.rules in sets else proposed.name
    rows = [option_row(option, proposed) for option in chosen.options]
    if set_up.rules in sets:  # the host has chosen
        rows = [
            replace(row, value=row.key in set_up.options if row.kind == "tick" else set_up.options[row.key])
            for row in rows
        ]
    words = chosen.game.words
    return {
        "game": chosen.game.name,
        "game_title": text(chosen.title),
        "has_result": bool(chosen.result_href),
        "rule_sets": [(name, words.rule_set_title(name, language())) for name in sets],
        "rules": rules,
        "rules_title": words.rule_set_title(rules, language()),
        "options": rows,
    }


def _cards() -> dict[str, object]:
    """What is known of the cards: the card that was read, their size and sharpness, and the backs."""
    from vision.watching.health import View

    set_up = _set_up()
    face, learnt = set_up.face, set_up.learnt
    view = View(face.height_px, 0.0, face.focus) if face is not None else None
    figures = asdict(CameraStatus(card_px=round(view.card_px) if view else 0))
    return {
        "face": _chosen().game.words.card_label(face.card, language()) if face is not None else "",
        "sure": face is not None and face.sure,
        "card_px": round(face.height_px) if face is not None else round(learnt.card_px),
        "faults": [text(ADVICE[key], **figures) for key in (view.advice if view is not None else ())],
        "backs": len(learnt.backs),
    }


def _players() -> dict[str, object]:
    """Who plays, and where each sits."""
    set_up = _set_up()
    sides = set_up.placed()
    laid = set_up.learnt.laid
    return {
        "names": set_up.names or tuple(live().sides),
        "people": sorted(live().kept.people(), key=by_name),
        "most": _chosen().game.session.players[1],
        "how_many": forms.how_many_play(_chosen().game.session.players),
        "players": [(name, sides.get(name, ""), name in laid) for name in set_up.names],
        "placed": bool(set_up.names) and len(sides) == len(set_up.names),
        "order": list(sides),
    }


def _seating() -> dict[str, object]:
    """The players as fields of the form that opens an evening: a side each, X and Y for the fifth and the sixth."""
    set_up = _set_up()
    sides = set_up.placed()
    if len(sides) < len(set_up.names) or not sides:
        sides = dict(zip(set_up.names, SIDES_BY_NUMBER.get(len(set_up.names), ""), strict=False))
    seats: dict[str, str] = {}
    beside: dict[str, str] = {}
    for name, side in sides.items():
        field = side if side not in seats else "Y" if beside else "X"
        if field != side:
            beside[field] = side
        seats[field] = name
    # A player who shares a side plays after the one who sits there.
    order = [
        one for side in SIDES for one in (side, *(f for f in beside if beside[f] == side)) if one in seats
    ]
    return {"seats": seats, "beside": beside, "dealers": [(field, seats[field]) for field in order]}


@blueprint.post("/game")
def game() -> Answer:
    """Choose game and rules."""
    set_up = _set_up()
    chosen = PAGES[fields.choice("game", tuple(PAGES))]
    sets = rule_sets(chosen.game)
    rules = fields.choice("rules", tuple(sets))
    for option in chosen.options:
        forms.option(rule_set(sets[rules][0]), option.key)  # refuses now, and not when the evening is opened
    set_up.game, set_up.rules = chosen.game.name, rules
    set_up.options = {o.key: request.form[o.key] for o in chosen.options if o.key in request.form}
    steps = _steps()
    return sent_to(f"/setup/{steps[steps.index('game') + 1]}")


@blueprint.post("/camera")
def camera() -> Answer:
    """Choose a camera by its number, or the one in the network that was tried, or none."""
    source, tried = fields.field("source"), _cameras().trying.tried
    if source == "tried" and tried is not None and tried.trial is not None:
        source = tried.address
    elif source not in ("none", _cameras().source) and (not source.isascii() or not _is_own(source)):
        raise EntryError("“{value}” is not a camera's number.", value=shown_address(source))
    live().choose(camera=source)
    _cameras().trying.tried = None
    teaching = app_parts().teaching
    teaching.stop()
    teaching.source = None if source == "none" else source
    if teaching.source != _cameras().source:
        _set_up().forget()
        _cameras().choose(teaching.source)
    return sent_to("/setup/players" if source == "none" else "/setup/camera")


def _is_own(source: str) -> bool:
    return is_camera(source) and not is_in_network(source) and is_one_line(source)


@blueprint.post("/camera/try")
def try_address() -> Answer:
    """Try the camera in the network whose address was typed, with name and password if its app asks for them."""
    login = [request.form.get(key, "") for key in ("login", "password")]
    try:
        address = whole_address(fields.field("address"), *login)
    except CameraUnreached:
        raise EntryError(_NO_ADDRESS) from None
    if not is_one_line(address):
        raise EntryError(_NO_ADDRESS)
    if address != _cameras().source and not _cameras().trying.begin(address):
        raise EntryError("Another camera is being tried; wait a moment.", 409)
    return sent_to("/setup/camera")


@blueprint.get("/camera/tried.jpg")
def tried_picture() -> Response:
    """The picture of the camera in the network that was tried."""
    tried = _cameras().trying.tried
    if tried is None or not tried.picture:
        raise EntryError("No picture yet.", 404)
    return Response(tried.picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/camera/look")
def search_cameras() -> Answer:
    """Look for cameras again, because one was plugged in."""
    _cameras().search()
    return sent_to("/setup/camera")


@blueprint.get("/camera/<int:number>.jpg")
def offered(number: int) -> Response:
    """The picture that an offered camera sent when it was found."""
    picture = next((one.picture for one in _cameras().offered if one.source == str(number)), None)
    if picture is None:
        raise EntryError("No picture yet.", 404)
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/cards/again")
def show_again() -> Answer:
    """Forget the cards that were shown, so that they are shown again."""
    _set_up().forget_cards()
    return sent_to("/setup/cards")


@blueprint.post("/players")
def players() -> Answer:
    """Choose who plays; with a camera each player is then asked to lay a card."""
    names = [name for name in map(forms.person_name, request.form.getlist("name")) if name]
    forms.check_players(names, _chosen().game.session.players)
    set_up = _set_up()
    set_up.name_players(names)
    if _cameras().source is None:
        return sent_to("/setup/ready")
    missing = [name for name in names if name not in set_up.placed()]
    if missing:
        set_up.lay(missing[0])
    return sent_to("/setup/players")


@blueprint.post("/players/lay")
def lay() -> Answer:
    """Ask a player to lay a card, for the first time or again."""
    _set_up().lay(_player())
    return sent_to("/setup/players")


@blueprint.post("/players/side")
def side() -> Answer:
    """Choose a player's side by hand."""
    _set_up().seat(_player(), fields.choice("side", tuple(SIDES)))
    return sent_to("/setup/players")


def _player() -> str:
    return fields.choice("name", _set_up().names)
