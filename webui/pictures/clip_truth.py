"""What a clip says beside its pictures: the truth file of a recording, and what was believed and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tracker.events import CardPlayed, Event, HandStarted, PlayCorrected, PlayRemoved, Recorded, SessionOpened
from tracker.hand import Hand
from tracker.renaming import with_names
from tracker.session import Session
from tracker.session_file import export

if TYPE_CHECKING:
    from vision.watching.explanations import Judged


@dataclass(frozen=True)
class Window:
    """The seconds that a clip shows, on the footage's clock, and its frames a second."""

    first_s: float
    last_s: float
    fps: int

    def shows(self, at_s: float) -> bool:
        """Whether the clip shows that moment."""
        return self.first_s <= at_s <= self.last_s

    def frame(self, at_s: float) -> int:
        """The number of the frame at that moment."""
        return max(0, round((at_s - self.first_s) * self.fps))


def truth_of(
    play: int,
    window: Window,
    at: Mapping[int, float],
    hand: Hand,
    session: Session[Any, Any],
    recorded: Sequence[Recorded],
    sides: dict[str, str],
    judged: Sequence[tuple[float, "Judged"]],
) -> dict[str, Any] | None:
    """The truth file of the clip of `play`, without the number of its frames; None if nothing was wrong.

    `at` says when (s, on the footage's clock) the card of each play of `hand` came to rest, by the play's number and as
    far as that is known. The players are called "Player 1" and so on, in the order of their seats.
    """
    known = numbered(hand)
    true = {one.seq: (one.player, one.card) for one in hand.plays}
    believed = _believed(recorded)
    if true.get(play) == believed.get(play):
        return None
    if play not in believed and true.get(play) in believed.values():
        return None  # people were just quicker than the camera
    shown = [one for one in hand.plays if one.seq in at and window.shows(at[one.seq])]
    first = shown[0].seq if shown else None

    def told(seq: int, plays: dict[int, tuple[str, str]]) -> dict[str, Any] | None:
        if seq not in plays or seq not in at:
            return None
        player, card = plays[seq]
        return {"play": known.get(player, player), "card": card, "frame": window.frame(at[seq])}

    return {
        "seats": [f"{known[name]}@{sides[name]}" for name in hand.seats if name in sides],
        "dealer": known[hand.dealer],
        "rules": session.opened.rules,
        "plays": [told(one.seq, true) for one in shown],
        "before": _before(hand, session, first, window, at, known),
        "corrected": {"believed": told(play, believed), "true": told(play, true)},
        "believed": [
            told(seq, believed) for seq in sorted(believed, key=lambda seq: at.get(seq, 0.0))
            if seq in at and window.shows(at[seq])
        ],
        "why": [
            _why(one, at_s - window.first_s, known) for at_s, one in judged if window.shows(at_s)
        ],
    }  # fmt: skip


def numbered(hand: Hand) -> dict[str, str]:
    """What each player of `hand` is called where nobody may be named."""
    return {name: f"Player {place}" for place, name in enumerate(hand.seats, start=1)}


def _believed(recorded: Sequence[Recorded]) -> dict[int, tuple[str, str]]:
    """Player and card of each play as the camera believed, after its own corrections but nobody else's."""
    plays: dict[int, tuple[str, str]] = {}
    for seq, event, *_ in recorded:
        match event:
            case CardPlayed(player=player, card=card, time_s=float() | int()):
                plays[seq] = player, card
            case PlayCorrected(seq=old, time_s=float() | int()) if old in plays:
                plays[old] = event.player or plays[old][0], event.card or plays[old][1]
            case PlayRemoved(seq=old, time_s=float() | int()):
                plays.pop(old, None)
    return plays


def _before(
    hand: Hand,
    session: Session[Any, Any],
    first: int | None,
    window: Window,
    at: Mapping[int, float],
    known: dict[str, str],
) -> dict[str, Any]:
    """A session file of the hand up to the clip's `first` play, or up to where the clip begins if it shows none."""
    events: list[Event] = []
    for event, seq in hand.entries:
        if seq == first or (first is None and at.get(seq, -1.0) > window.last_s):
            break
        if not event.moves_chips:
            events.append(event)
    opened = session.opened
    whole = [SessionOpened(opened.rules, opened.options, hand.seats), HandStarted(hand.dealer), *events]
    return export([with_names(event, known) for event in whole], type(session))


def _why(judged: "Judged", at_s: float, known: dict[str, str]) -> dict[str, Any]:
    told = judged.as_json()
    odds, readings = told["players"], told["readings"]
    assert isinstance(odds, dict) and isinstance(readings, list)
    for play in (play for reading in readings for play in reading["plays"]):
        play["player"] = known.get(play["player"], "?")  # his name was put right since
    return told | {
        "time_s": round(at_s, 2),
        "players": {known.get(name, "?"): one for name, one in odds.items()},
    }
