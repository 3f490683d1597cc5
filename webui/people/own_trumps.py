"""How many trumps each player said that he holds. Only his own phone shows the number, and it is never stored."""

import threading
from dataclasses import dataclass

from tracker.hand import Hand
from tracker.study import Study


@dataclass(frozen=True)
class Said:
    """A player held `number` trumps in the hand numbered `hand`, when he had `played` so many already."""

    hand: int
    number: int
    played: int


class OwnTrumps:
    """Who said how many trumps he holds, by the ids of the phones; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: dict[str, Said] = {}

    def say(self, phone: str, hand: Hand, seat: str, study: Study, number: int) -> None:
        """Note that the player at `seat`, whose phone this is, holds `number` trumps now. Other hands are forgotten."""
        said = Said(hand.number, number, _played(hand, seat, study))
        with self._lock:
            kept = {key: one for key, one in self._said.items() if one.hand == hand.number}
            self._said = kept | {phone: said}

    def held(self, phone: str, hand: Hand, seat: str, study: Study) -> int | None:
        """How many trumps the player at `seat` holds now, by what he said and has played since.

        None if he said nothing in this hand, or if that can no longer be true: he played more trumps than he said, or
        a card was put right.
        """
        said = self._said.get(phone)
        if said is None or said.hand != hand.number:
            return None
        held = said.number - (_played(hand, seat, study) - said.played)
        most = most_held(seat, study)
        return held if 0 <= held <= min(said.number, most) else None


def most_held(seat: str, study: Study) -> int:
    """The most trumps that the player at `seat` can hold."""
    return min(len(study.trumps_out), study.left.get(seat, 0))


def _played(hand: Hand, seat: str, study: Study) -> int:
    return sum(play.player == seat and play.card in study.trumps for play in hand.plays)
