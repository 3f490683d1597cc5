"""What fines, and points by agreement, have in common in all games: the start of their dialogs, and their forms."""

from typing import Any
from urllib.parse import urlencode

from flask import request

from tracker.adjusting import PointsAdjusted
from tracker.open_questions import accused, open_flags
from tracker.rule_sets import MOST_CHIPS
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, TableBlueprint, page, render
from webui.pages.dialogs import hand_named
from webui.pages.entering import enter
from webui.texts import language
from webui.view.finding_rows import finding_key


def fine_asked() -> tuple[Any, Any]:
    """The hand and the finding that a fine's dialog is about; None before the first hand, or for another reason.

    For another reason it is the hand that the field `hand` names, or else the newest.
    """
    wanted = request.args.get("finding")
    hands = forms.session().hands
    if not wanted:
        return (hand_named() if hands else None), None
    for hand in hands:
        for place in open_flags(hand):
            if finding_key(hand.number, place) == wanted:
                return hand, hand.findings[place]
    raise EntryError("That flag no longer stands, or it has already been settled.", 404)


def fine_fields(hand: Any, finding: Any) -> dict[str, Any]:
    """The values of `games/fine.html` for a fine in `hand`, for `finding` or for another reason."""
    proof, who = "", request.args.get("player")
    if finding is not None:
        suspects = accused(finding)
        proof = page().game.words.finding_text(finding, language())
        who = suspects[0] if len(suspects) == 1 else None
    return {
        "hand": hand.number if hand is not None else None,
        "players": [(name, name) for name in (forms.session() if hand is None else hand).seats],
        "player": who,
        "proof": proof,
        "reason": proof[:200],
        "finding": finding.name if finding is not None else "",
        "most": MOST_CHIPS,
        "seen": forms.fines_seen(hand),
        "others": [] if finding is not None else _other_hands(hand, who),
    }


def _other_hands(hand: Any, who: str | None) -> list[tuple[int, str]]:
    """The other hands of the evening that a fine may be given in, newest first: the number, and its dialog."""
    player = {"player": who} if who else {}
    return [
        (one.number, f"{request.path}?{urlencode({'hand': one.number, **player})}")
        for one in reversed(forms.session().hands)
        if one is not hand
    ]


def serve_adjusting(game: TableBlueprint, adjusted: type[PointsAdjusted]) -> None:
    """Give the blueprint of a `game` with a score sheet the dialog of points, and the route that enters them."""

    @game.get("/adjust")
    def adjust_dialog() -> str:
        """The dialog for points that are added to one player's total, or taken from it."""
        return render(
            "dialogs/adjust_points.html",
            action=f"{game.url_prefix}/adjust",
            players=[(name, name) for name in forms.session().balances],
            seen=forms.adjustments_seen(),
            most=MOST_CHIPS,
        )

    @game.post("/adjust")
    def adjust() -> Answer:
        """Enter points for one player, and why."""
        forms.unchanged(forms.adjustments_seen())
        forms.hand_on_table()
        who = forms.player(among=tuple(forms.session().balances))
        points = fields.number("points", 1, MOST_CHIPS)
        sign = -1 if fields.choice("sign", ("plus", "minus")) == "minus" else 1
        return enter(adjusted(who, sign * points, forms.why()))
