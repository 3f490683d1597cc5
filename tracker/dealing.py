"""Who dealt, as the first trick shows it."""

from typing import Any

from tracker.events import CardPlayed, DealerCorrected, HandStarted, PlaysTakenBack
from tracker.session import Session
from tracker.undo import standing


def dealer_that_fits(session: Session[Any, Any]) -> str | None:
    """Another dealer than the one booked, if the first trick of the newest hand was in order by his deal.

    The deal says who plays and who leads (TABLE-2 and TABLE-5, T59-TABLE-4). None where the booked dealer fits, or
    where all fail to fit. A dealer whom a person has named stands: then the answer is None, too.
    """
    hand = session.hand
    if hand is None or hand.abandoned or session.closed or not hand.eldest_leads:
        return None
    if hand.seats != session.seats:
        return None  # who joined or left since has settled the deal
    # Most hands are told by this alone, without the record: the page asks for each view of the table.
    if not hand.alerts and tuple(play.player for play in hand.plays[: len(hand.active)]) == hand.active:
        return None
    kept = standing(session.record)
    start = next(record.seq for record in reversed(kept) if isinstance(record.event, HandStarted))
    if any(isinstance(record.event, DealerCorrected) and record.event.seq == start for record in kept):
        return None
    players: dict[int, str] = {}
    for seq, event in session.standing:
        if seq > start and isinstance(event, CardPlayed):
            players[seq] = event.player
        elif seq > start and isinstance(event, PlaysTakenBack):
            for play in event.plays or tuple(players)[-event.count :]:
                players.pop(play, None)
    first = tuple(players.values())[: len(hand.active)]
    if first == hand.active:
        return None
    fitting = [name for name in session.seats if session.order_of_play(name) == first]
    return fitting[0] if len(fitting) == 1 else None
