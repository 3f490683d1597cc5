"""The dialog of a deal of French Tarot that is entered by its result: its fields, and the result in them."""

import re
from typing import Any, Final

from flask import request

from tracker.bidding import PASS
from tracker.catalogue import msgid
from tracker.french.contracts import BIDS
from tracker.french.events import COUNTING_SIDES
from tracker.french.pack import ALL_HALVES, BOUTS
from tracker.french.result import HANDFULS, ResultEntered, result_so_far
from tracker.french.telling import halves_text
from tracker.french.words import WORDS
from webui.games.french.page import bid_text
from webui.pages import fields, forms
from webui.pages.common import EntryError
from webui.pages.results import AskedHand
from webui.texts import text

_SIZES: Final = {"single": msgid("handful"), "double": msgid("double"), "triple": msgid("triple")}
_POINTS: Final = re.compile(r"(\d{0,2}) ?(½|[.,][05])?", re.ASCII)


def result_fields(asked: AskedHand, lang: str) -> dict[str, Any]:
    """The values of the dialog: what was entered of the deal that is `asked` for, or what was said and seen of it."""
    players = asked.active
    hand = asked.hand
    known = ResultEntered(contract="")
    if hand is not None and (hand.result or hand.contract):
        known = hand.result or result_so_far(hand)
    sizes = dict(known.handfuls)
    return {
        "known": known,
        "contracts": [
            *((name, bid_text(name, lang)) for name in BIDS if name != PASS),
            (PASS, text("All passed")),
        ],
        "partners": [("", text("alone")), *((name, name) for name in players)] if len(players) == 5 else [],
        "points": halves_text(known.halves) if known.halves is not None else "",
        "bouts": [(str(count), str(count)) for count in range(len(BOUTS) + 1)],
        "known_bouts": "" if known.bouts is None else str(known.bouts),
        "sides": [("", text("nobody")), *((side, WORDS.side_name(side, lang)) for side in COUNTING_SIDES)],
        "handfuls": [
            (f"handful_{place}", name, sizes.get(name, ""), [("", text("none")), *_sizes()])
            for place, name in enumerate(players)
        ],
    }


def _sizes() -> list[tuple[str, str]]:
    return [(size, text(_SIZES[size])) for size in HANDFULS]


def result_in_form(asked: AskedHand) -> ResultEntered:
    """The result in the form. Raises EntryError for what the dialog does not offer."""
    form, players = request.form, asked.active

    contract = fields.choice("contract", BIDS)
    if contract == PASS:
        return ResultEntered(hand=asked.number, contract=PASS)
    handfuls = [
        (name, fields.chosen(f"handful_{place}", tuple(HANDFULS))) for place, name in enumerate(players)
    ]
    return ResultEntered(
        hand=asked.number,
        contract=contract,
        taker=forms.player("taker", among=players),
        partner=fields.chosen("partner", players),
        halves=_halves(form["points"]) if form.get("points") else None,
        bouts=fields.number("bouts", 0, len(BOUTS)) if form.get("bouts") else None,
        petit_au_bout=fields.chosen("petit_au_bout", COUNTING_SIDES),
        handfuls=tuple((name, size) for name, size in handfuls if size is not None),
        slam_announced="slam_announced" in form,
        slam=fields.chosen("slam", COUNTING_SIDES),
    )


def _halves(value: str) -> int:
    """Points as people write them ("45", "45,5", "45.5", "45½"), counted in halves. Raises EntryError."""
    found = _POINTS.fullmatch(value.strip()) if value.strip() else None
    halves = 2 * int(found[1] or 0) + ((found[2] or "") in ("½", ",5", ".5")) if found else -1
    if not 0 <= halves <= ALL_HALVES:
        raise EntryError("“{value}” is not a number that can be used here.", value=value)
    return halves
