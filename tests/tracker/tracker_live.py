"""Live evenings, entered event by event."""

from collections.abc import Sequence
from typing import Any

from tracker.contract_hand import ContractHand
from tracker.events import CardPlayed, Event, HandStarted, Recorded, SessionOpened
from tracker.games import game_of_rules

SEATS = ("Anna", "Bo", "Carl", "Dora", "Erik")


def live(
    *events: Event, rules: str = "pagat-2024", seats: Sequence[str] | None = None, dealer: str | None = None
) -> Any:
    """A live evening of one hand, which the last of `seats` deals unless another does, after `events`.

    Three play Danish Tarok and four the other games, unless `seats` says otherwise. The first of `events` is event 3.
    """
    game = game_of_rules(rules)
    seats = tuple(seats or SEATS[: 3 if game.name == "danish" else 4])
    return entered(SessionOpened(rules, (), seats), HandStarted(dealer or seats[-1]), *events)


def entered(opened: SessionOpened, *events: Event) -> Any:
    """A live evening of any game, after `events`."""
    session = game_of_rules(opened.rules).session(opened)
    for event in events:
        session.apply(event)
    return session


def numbered(*events: Event) -> list[Recorded]:
    """The record of these events, numbered from 1."""
    return [Recorded(seq, event) for seq, event in enumerate(events, start=1)]


def plays(text: str) -> list[CardPlayed]:
    """ "Anna S7  Bo S2", or "Anna:S7 Bo:S2": one play after the other."""
    words = text.replace(":", " ").split()
    return [CardPlayed(player, card) for player, card in zip(words[::2], words[1::2], strict=True)]


def found(hand: ContractHand) -> list[tuple[str, str | None, str | None, str | None, int | None]]:
    """(kind, player, card, status, play at which it is known) of each finding, in a game with a contract."""
    return [
        (one.kind, one.player, one.card, one.status, one.known_at[1] if one.known_at else None)
        for one in hand.findings
    ]
