"""The truth of a filmed hand, as the record has it in the end, or why there is none."""

from typing import Any, Final

from tracker.catalogue import msgid
from tracker.events import CardPlayed, Unwatched, cards_of
from tracker.games import game_of
from tracker.hand import Hand
from tracker.open_questions import open_alerts
from tracker.renaming import with_names
from tracker.session import Session
from webui.pictures.clip_truth import Window, numbered
from webui.pictures.moments import Moments

UNTOLD: Final = {
    "none": msgid("There is no film."),
    "under way": msgid("The hand is not over yet."),
    "question": msgid("There is still a question about a card of this hand. Answer it first."),
    "result": msgid("This hand was entered by its result, so nobody knows which cards the film shows."),
    "abandoned": msgid("The hand was abandoned, so nobody knows which cards lay there after that."),
    "unseen": msgid("A trick of this hand was entered without its cards, so nobody knows what the film shows."),
    "away": msgid("The camera did not see the table all the time, so a card may be missing from the film."),
    "undone": msgid("The hand was undone, so the film shows a hand that does not count."),
    "disk": msgid("The disk is too full for a film. The evening goes on."),
    "long": msgid("The hand took too long for one film."),
    "refused": msgid("Not everybody wants it."),
    "closed": msgid("The evening is over, and its pictures are deleted."),
}  # fmt: skip
"""Why there is no film, or no truth of it."""


class UntoldError(Exception):
    """There is no truth of this hand; `why` is a key of `UNTOLD`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def film_truth(
    hand: Hand,
    session: Session[Any, Any],
    sides: dict[str, str],
    moments: Moments,
    window: Window,
    frames: int,
) -> dict[str, Any]:
    """The truth file of a film of `hand`, which has so many `frames` and shows `window`. Players are numbered.

    `moments` says when the cards came to rest. `sides` has each player's side of the picture. Raises UntoldError.
    """
    _check(hand, session)
    plays, known = [play.seq for play in hand.plays], numbered(hand)

    def frame_of(seq: int) -> int:
        at_s = moments.of(seq, plays)
        if at_s is None or at_s > window.last_s or any(name not in sides for name in hand.seats):
            raise UntoldError("away")
        return min(window.frame(at_s), frames - 1)

    opened, game = session.opened, game_of(session)
    data: dict[str, Any] = {
        "seats": [f"{known[name]}@{sides[name]}" for name in hand.seats if name in sides],
        "dealer": known[hand.dealer],
        "rules": opened.rules,
        "fps": window.fps,
        "frames": frames,
        "plays": [
            {"play": known[play.player], "card": play.card, "frame": frame_of(play.seq)}
            for play in hand.plays
        ],
    }
    said = [with_names(event, known).to_json() for event, _ in hand.entries if isinstance(event, game.spoken)]
    shown = [
        {"cards": list(cards), "frame": window.frame(moments.at[seq])}
        for event, seq in hand.entries
        if seq in moments.at and not isinstance(event, CardPlayed) and (cards := cards_of(event))
    ]
    more = {"options": dict(opened.options), "said": said, "shown": shown}
    return data | {key: value for key, value in more.items() if value}


def _check(hand: Hand, session: Session[Any, Any]) -> None:
    """Raise UntoldError if nobody knows which cards lay on the table in `hand`."""
    if hand.by_result or hand.result is not None:
        raise UntoldError("result")
    if hand.abandoned:
        raise UntoldError("abandoned")
    if not hand.complete:
        raise UntoldError("under way")
    if hand.unseen_tricks:
        raise UntoldError("unseen")
    if any(isinstance(event, Unwatched) for event, _ in hand.entries):
        raise UntoldError("away")
    asked = [alert for alert in open_alerts(session) if alert in hand.alerts]
    if asked or any(play.alternatives for play in hand.plays):
        raise UntoldError("question")
