"""Who dealt, as the first trick shows it."""

from tracker.danish.session import DanishSession, seating
from tracker.events import CardPlayed, DealerCorrected, HandStarted, PlaysTakenBack
from tracker.undo import standing


def dealer_that_fits(session: DanishSession) -> str | None:
    """The dealer with whom the first trick of the hand under way fell in order, if it is not the one booked.

    By TABLE-2 the deal says who plays, and by TABLE-5 who leads. None where the one booked fits or nobody does, and
    once somebody has said who dealt this hand.
    """
    hand = session.hand
    if hand is None or not session.under_way:
        return None
    kept = standing(session.record)
    start = next(record.seq for record in reversed(kept) if isinstance(record.event, HandStarted))
    if any(isinstance(record.event, DealerCorrected) and record.event.seq == start for record in kept):
        return None
    players: list[str] = []
    for seq, event in session.standing:
        if seq > start and isinstance(event, CardPlayed):
            players.append(event.player)
        elif seq > start and isinstance(event, PlaysTakenBack):
            del players[len(players) - min(event.count, len(players)) :]
    first = tuple(players[:3])
    if first == hand.active:
        return None
    fitting = [
        name for name in session.seats if seating(session.ring(name), session.rules.sits_out)[0] == first
    ]
    return fitting[0] if len(fitting) == 1 else None
