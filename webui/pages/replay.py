"""Hands that are over, replayed on the felt: a page for each, and one file of a hand or an evening to share."""

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from flask import Blueprint, Response, current_app, g, render_template, request

from tracker.cards import CARDS
from tracker.catalogue import plain_language
from tracker.hand import Hand
from tracker.owing import transfers
from tracker.results import Result, result_of
from tracker.session import Session
from webui.downloads import html_file
from webui.games.pages import page_of
from webui.pages.common import EntryError, hand_called, live, own_name, past_evening, render, replayed_hands
from webui.people.appearance import Appearance
from webui.people.fair_play import Sight
from webui.people.roles import Role
from webui.serving.requests import see_other
from webui.table.kept_evenings import Evening
from webui.texts import language, text
from webui.version import version
from webui.view.history import money_words
from webui.view.replay import hand_steps, without_names

blueprint = Blueprint("replay", __name__)
_STATIC: Final = Path(__file__).parents[1] / "static"
_CARD_PX: Final = (183, 336)
"""Width and height in px of a card's picture in a file: sharp on the felt of a laptop."""
_WEBP_QUALITY: Final = 80
_LOADED: Final = re.compile(r"@font-face \{[^}]*\}|url\(\"felt\.svg\"\),")
"""The parts of the style sheets that a file leaves out, because they load other files."""


@blueprint.get("/replay")
def latest() -> Response:
    """A redirection to the page of the evening's last hand that is over. Loaded again, that shows the same hand."""
    number = live().evening.number
    if number is None:
        raise EntryError("No hand is over yet.", 404)
    return see_other(f"/history/{number}/hands/{_found(number)[2][-1].number}/replay")


@blueprint.get("/history/<int:number>/hands/<int:hand>/replay")
def watch(number: int, hand: int) -> str:
    """The page of a hand on the felt, step by step."""
    evening, shown, hands = _found(number)
    one = hand_called(hand, hands)
    place = hands.index(one)
    return render(
        "replay/hand.html",
        evening=evening,
        hand=one,
        before=hands[place - 1].number if place else None,
        after=hands[place + 1].number if place + 1 < len(hands) else None,
        steps=_packed(
            shown.session,
            [one],
            pots=not shown.hidden,
            sides=_sides(number),
            seat=own_name(shown.session.seats),
        ),
    )


@blueprint.get("/history/<int:number>/hands/<int:hand>/replay.html")
def hand_file(number: int, hand: int) -> Response:
    """A hand as one file that needs no network."""
    evening, shown, hands = _found(number)
    return _file(evening, shown, [hand_called(hand, hands)], f"tarok-{evening.began:.10}-{hand}")


@blueprint.get("/history/<int:number>/replay.html")
def evening_file(number: int) -> Response:
    """All hands of an evening as one file that needs no network, with its result."""
    evening, shown, hands = _found(number)
    return _file(evening, shown, hands, f"tarok-{evening.began:.10}", whole=True)


def _found(number: int) -> tuple[Evening, Sight, list[Hand]]:
    """An evening, and its hands that are shown whole and can be replayed. Raises EntryError if there are none."""
    evening, shown = past_evening(number)
    hands = replayed_hands(number, shown)
    if not hands:
        raise EntryError("No hand is over yet.", 404)
    return evening, shown, hands


def _file(
    evening: Evening, shown: Sight, hands: Sequence[Hand], name: str, *, whole: bool = False
) -> Response:
    """The file of `hands`. It has the players' names only if the host asks for them; the file's name says so."""
    named = "names" in request.args
    if named and g.role < Role.HOST:
        raise EntryError("Only the host may share the names.", 403)
    told = shown.session if named else without_names(shown.session)
    page = page_of(shown.session)
    numbers = {hand.number for hand in hands}
    chosen = [hand for hand in told.hands if hand.number in numbers]
    return html_file(
        render_template(
            "replay/file.html",
            lang=plain_language(language()),
            day=date.fromtimestamp(evening.at),
            game=text(page.title),
            hands=chosen,
            whole=whole,
            steps=_packed(told, chosen, pots=not shown.hidden, sides=_sides(evening.id) if named else {}),
            pictures=json.dumps(_pictures(current_app.config["DECK"])),
            style=_style(),
            release=version(),
            script=(_STATIC / "replay.js").read_text(encoding="utf-8"),
            **(_outcome(told) if whole else {}),
        ),
        f"{name}-names.html" if named else f"{name}.html",
    )


def _outcome(session: Session[Any, Any]) -> dict[str, Any]:
    result: Result = result_of(session, session.parts)
    owed = transfers(result.chips) if result.settled and result.keeps_chips else None
    return {
        "unseen": [
            text("Hand {number}", number=one.number) for one in session.hands if one.result is not None
        ],
        "rows": sorted(result.chips.items(), key=lambda row: -row[1]),
        "owed": owed,
        "money": money_words(live().choices),
    }


def _sides(number: int) -> Mapping[str, str]:
    """Each player's side of the picture in the evening `number`, if it is the one at the table."""
    return live().sides if number == live().evening.number else {}


def _packed(
    session: Session[Any, Any],
    hands: Sequence[Hand],
    *,
    pots: bool,
    sides: Mapping[str, str],
    seat: str = "",
) -> str:
    """The steps and flags of `hands` for the page's script: compressed JSON in Base64."""
    lang = language()
    found = []
    for hand in hands:
        steps = hand_steps(session, hand, lang, pots=pots, sides=sides, seat=seat)
        shown = [
            (
                render_template("regions/felt.html", v=SimpleNamespace(felt=step.felt)),
                render_template("replay/step.html", step=step),
            )
            for step in steps
        ]
        flags = [
            (place, f"{flag.text} {flag.settled}".rstrip())
            for place, step in enumerate(steps)
            for flag in step.flags
        ]
        found.append({"steps": shown, "flags": flags})
    return base64.b64encode(gzip.compress(json.dumps(found).encode())).decode()


@cache
def _pictures(deck: Path) -> dict[str, str]:
    """The cards of `deck` as data addresses, which hold the picture itself, by their addresses on the page."""
    import cv2

    from vision.watching.still import read_photo

    found = {}
    for card in CARDS:
        small = cv2.resize(read_photo(deck / f"{card}.png"), _CARD_PX, interpolation=cv2.INTER_AREA)
        _, data = cv2.imencode(".webp", small, [cv2.IMWRITE_WEBP_QUALITY, _WEBP_QUALITY])
        found[f"/cards/{card}.png"] = "data:image/webp;base64," + base64.b64encode(data.tobytes()).decode()
    return found


@cache
def _style() -> str:
    """All style sheets in one, without the parts that load other files."""
    sheets = [
        f"@media {media} {{ {(_STATIC / sheet).read_text(encoding='utf-8')} }}"
        for sheet, media in Appearance().style_sheets
    ]
    return _LOADED.sub("", "\n".join(sheets))
