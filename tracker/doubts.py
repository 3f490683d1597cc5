"""What must be settled before a finding may be held against anybody: nobody is accused by a reader's error."""

from typing import Literal

from tracker.findings import Finding
from tracker.hand import Hand

Doubt = Literal["gap", "alert", "reading"]
"""Plays may be missing, something seen cannot have happened as it was read, or a card was read with doubt."""


def doubt_of(hand: Hand, finding: Finding) -> Doubt | None:
    """Why `finding`, one of `hand`, is not certain yet; None where it is. Only live sessions know doubt.

    A card that was never played, or one that is missing, shifts every trick after it: so what is asked about
    touches all that came later. That a card is missing is noticed a card or two after it misled.
    """
    if finding.known_at is None:
        return None  # before any play: what was shown or said, not what was read
    last_trick, last_play = finding.known_at
    if any(last_trick >= gap.trick for gap in hand.gaps):
        return "gap"
    known_seq = hand.plays[last_play - 1].seq
    if any(alert.card is not None or alert.seq <= known_seq for alert in hand.alerts):
        return "alert"
    return "reading" if any(play.alternatives for play in hand.plays[:last_play]) else None
