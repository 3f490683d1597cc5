"""What must be settled before a finding may be held against anybody: nobody is accused by a reader's error."""

from typing import Final, Literal

from tracker.findings import Finding
from tracker.hand import Hand

Doubt = Literal["gap", "uncounted", "reading"]
"""Plays may be missing, a card was read but could not be counted, or a card was read with doubt."""

_OF_ITS_TRICK: Final = ("lead_out_of_turn", "play_out_of_turn", "fool_not_named", "fool_second_to_last")
"""What its own trick, and who was to lead it, shows; other findings argue from every card before them too."""


def doubt_of(hand: Hand, finding: Finding) -> Doubt | None:
    """Why `finding`, one of `hand`, is not certain yet; None where it is. Only live sessions know doubt."""
    if finding.known_at is None:
        return None  # before any play: what was shown or said, not what was read
    last_trick, last_play = finding.known_at
    if any(last_trick >= gap.trick for gap in hand.gaps):
        return "gap"
    known_seq = hand.plays[last_play - 1].seq
    for alert in hand.alerts:
        # A card seen twice was misread once, and that may have been the first time.
        twice = alert.card in (finding.card, *finding.evidence)
        if alert.card is not None and (alert.seq <= known_seq or twice):
            return "uncounted"
    doubtful = [
        (trick.number, play.number) for trick in hand.tricks for play in trick.plays if play.alternatives
    ]
    if finding.kind in _OF_ITS_TRICK:
        # Who should have led is known from the trick before.
        tricks = {finding.trick, (finding.trick or 0) - 1}
    elif finding.status == "shown":
        tricks = {finding.trick, *finding.evidence_tricks}
    else:
        return "reading" if any(number <= last_play for _, number in doubtful) else None
    return "reading" if any(trick in tricks for trick, _ in doubtful) else None
