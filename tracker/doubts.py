"""Which findings rest on something uncertain. Nobody is accused because the camera may have erred."""

from typing import Literal

from tracker.findings import Finding
from tracker.hand import Hand
from tracker.undo import is_by_hand

Doubt = Literal["dealer", "gap", "alert", "unsaid", "turn", "reading"]
"""It is asked who dealt; plays may be missing; something cannot be so; what was said is not entered; a card of the
trick may not have been seen; or a card was read with doubt."""


def doubt_of(hand: Hand, finding: Finding) -> Doubt | None:
    """Why `finding`, one of `hand`, is not certain yet; None if it is. Only live sessions have doubts.

    One card too many or too few shifts every trick after it, so an open question puts all that came later in
    doubt. A missing card is noticed only after it has misled, so an alert about a card puts the whole hand in
    doubt. The suit that was said with a led card tells who won its trick, and so who leads to the next.
    """
    if hand.dealer_in_doubt:
        return "dealer"  # who dealt says who plays, leads and speaks first
    if finding.known_at is None:
        return None  # certain before any play: it rests on what was said or shown, not on a reading
    last_trick, last_play = finding.known_at
    if any(last_trick >= gap.trick for gap in hand.gaps):
        return "gap"
    if hand.unsaid is not None and last_play > hand.unsaid.plays[1].number:
        return "unsaid"
    known_seq = hand.plays[last_play - 1].seq
    if any(alert.card is not None or alert.seq <= known_seq for alert in hand.alerts):
        return "alert"
    if finding.kind in ("lead_out_of_turn", "play_out_of_turn") and _may_lack_a_card(
        hand, last_trick, known_seq
    ):
        return "turn"
    return "reading" if any(play.alternatives for play in hand.plays[:last_play]) else None


def _may_lack_a_card(hand: Hand, number: int, seq: int) -> bool:
    """Whether the play numbered `seq` to trick `number`, which the camera saw, may only seem to be out of turn.

    The camera may have missed the card of the player whose turn it was. It is proved once all have played to the trick.
    Where the cards stay the next lead may pass for the card that is missing, so the next trick must be complete, too.
    """
    last = min(number + 1, hand.cards_each) if hand.cards_stay else number
    played = sum(len(trick.plays) for trick in hand.tricks[number - 1 : last])
    if played == (last - number + 1) * len(hand.active):
        return False
    return any(one == seq and not is_by_hand(event) for event, one in hand.entered)


def proved(hand: Hand) -> list[Finding]:
    """The findings of `hand` that are certain, without those for which perhaps only an entry is missing."""
    return [one for one in hand.findings if one.wants != "answer" and not doubt_of(hand, one)]
