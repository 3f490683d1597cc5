"""Short hands written as they are played, for tests that show one rule."""

from __future__ import annotations

from typing import Any

from tracker_again import folded
from tracker_games import read_game

from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession


def played(
    text: str, rules: str = "pagat-2024", seats: str = "Anna Bo Carl", dealer: str = "Carl"
) -> DanishSession:
    """The session of one hand, in the notation of `tracker_games`: `Anna S7  Bo S2  Carl S3`."""
    game = read_game(f"rules {rules}\nseats {seats}\nhand {dealer}\n{text}")
    return folded(game)


def hand_of(text: str, **how: Any) -> DanishHand:
    return played(text, **how).hand


def found(hand: DanishHand) -> list[tuple[str, str | None, int | None]]:
    """Each finding as (kind, player, trick)."""
    return [(finding.kind, finding.player, finding.trick) for finding in hand.findings]


def paid(session: DanishSession) -> dict[tuple[str, str, str], int]:
    """What was paid in all, by reason, from and to; the foundation and the deal left out."""
    total: dict[tuple[str, str, str], int] = {}
    for payment in session.payments:
        if payment.reason not in ("foundation", "deal"):
            key = payment.reason, payment.source, payment.target
            total[key] = total.get(key, 0) + payment.amount
    return total


def filler(count: int) -> str:
    """`count` tricks of low clubs and diamonds, hearts and spades, to get to the end of a hand.

    Anna wins each trick: she leads trumps, and the others throw away; they pass for void.
    """
    low = [f"{suit}{pip}" for suit in "CDHS" for pip in range(1, 11)]
    return "".join(
        f"Anna T{2 + number}  Bo {low[2 * number]}  Carl {low[2 * number + 1]}\n" for number in range(count)
    )
