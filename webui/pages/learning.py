"""Learning without a table: the review of a hand play by play, and questions about it."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from flask import Blueprint, Response, request

from tracker.drills import points, question, question_count
from tracker.games import game_of
from tracker.hand import Hand
from tracker.session import Session
from tracker.store import DamagedError
from tracker.study import Study, hand_after
from webui.games.pages import page_of
from webui.pages.common import EntryError, hand_called, live, past_evening, render, replayed_hands
from webui.people.fair_play import Sight
from webui.serving.requests import see_other
from webui.table.history import past_sight
from webui.table.kept_evenings import Evening
from webui.texts import language, text
from webui.view.drill import asked_row, judged_row, shown_tricks
from webui.view.review import build_review, can_be_reviewed

blueprint = Blueprint("learning", __name__)
_MOST_EVENINGS: Final = 12
_MOST_S: Final = 24 * 3600.0
_LARGEST_SEED: Final = 10**9


@blueprint.get("/learn")
def index() -> str:
    """The page of the hands to learn from, the newest first. The history leads to those of earlier evenings."""
    rows = []
    for evening in live().kept.all()[:_MOST_EVENINGS]:
        with suppress(DamagedError):
            shown = past_sight(live(), evening.id)
            assert shown is not None
            page = page_of(shown.session)
            over = replayed_hands(evening.id, shown)
            hands = [(hand, hand in over, question_count(hand)) for hand in reversed(_hands(shown))]
            if hands:
                rows.append((evening, text(page.title), hands))
    return render("learning/index.html", evenings=rows, names_games=len({game for _, game, _ in rows}) > 1)


@blueprint.get("/review")
def latest() -> Response:
    """A redirection to the review of the last hand that is over."""
    number = live().evening.number
    shown = past_sight(live(), number) if number is not None else None
    hands = _hands(shown) if shown is not None else []
    if not hands:
        raise EntryError("No hand is over yet.", 404)
    return see_other(f"/history/{number}/hands/{hands[-1].number}/review")


def _hands(shown: Sight) -> list[Hand]:
    """The hands that are shown whole and can be reviewed."""
    hands = [part for part in shown.parts if isinstance(part, Hand)]
    return [hand for hand in hands if can_be_reviewed(shown.session, hand)]


def _found(number: int, hand: int) -> tuple[Evening, Session[Any, Any], Hand, Callable[[Any], Study]]:
    """A hand that is shown whole, with its evening and session, and the function that says what can be known in it."""
    evening, shown = past_evening(number)
    study = game_of(shown.session).study
    one = hand_called(hand, _hands(shown))
    assert study is not None  # as in each hand that can be reviewed
    return evening, shown.session, one, study


@blueprint.get("/history/<int:number>/hands/<int:hand>/review")
def review(number: int, hand: int) -> str:
    """The page of a hand's review: what could be known after each play."""
    with live().locked():
        evening, session, one, study = _found(number, hand)
        after = _whole("after", 0, len(one.plays), len(one.plays))
        shown = build_review(session, one, study, after, language())
    return render(
        "learning/review.html",
        r=shown,
        evening=evening,
        hand=one,
        count=question_count(one),
        truth="truth" in request.args,
    )


@blueprint.get("/history/<int:number>/hands/<int:hand>/drill")
def drill(number: int, hand: int) -> str:
    """The page of questions about a hand, one after the other. The address says how far it is, so nothing is kept."""
    with live().locked():
        evening, session, one, study = _found(number, hand)
        seed = _whole("seed", 0, _LARGEST_SEED, random.randrange(_LARGEST_SEED))
        stops = points(one, seed)
        at = _whole("at", 0, len(stops), 0)
        right, spent = _whole("right", 0, at, 0), _seconds("spent")
        values: dict[str, Any] = {
            "evening": evening, "hand": one, "seed": seed, "at": at, "count": len(stops), "now": time.time(),
        }  # fmt: skip
        if at == len(stops):
            return render("learning/score.html", right=right, pace=spent / at if at else 0.0, **values)
        page, lang = page_of(session), language()
        words = page.game.words
        asked = question(session, one, study, seed, at)
        since = stops[at - 1] if at else 0
        # Without what came to light later.
        said = [] if at else [fact for fact in page.facts(hand_after(session, one, 0), lang) if fact.said]
        judged = None
        if "answer" in request.args or "answered" in request.args:
            given = frozenset(value.strip()[:40] for value in request.args.getlist("answer"))
            judged = judged_row(asked, given, one, page, lang)
            right += judged.right
            spent += min(_MOST_S, max(0.0, time.time() - _seconds("asked", values["now"])))
        return render(
            "learning/drill.html",
            q=asked_row(asked, page, lang),
            judged=judged,
            tricks=shown_tricks(one, since, asked.after, words, lang),
            said=said,
            right=right,
            spent=round(spent, 1),
            **values,
        )


def _whole(name: str, least: int, most: int, otherwise: int) -> int:
    """The whole number `name` of the address, cut to its bounds; `otherwise` if there is none."""
    word = request.args.get(name, "")
    if not (word.isascii() and word.isdecimal() and len(word) < 12):
        return otherwise
    return max(least, min(most, int(word)))


def _seconds(name: str, otherwise: float = 0.0) -> float:
    """The time `name` of the address, in seconds; `otherwise` if there is none."""
    word = request.args.get(name, "")
    try:
        value = float(word)
    except ValueError:
        return otherwise
    return value if 0 <= value < 1e11 else otherwise
