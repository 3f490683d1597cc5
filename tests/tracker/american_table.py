"""Rounds of American Tarock written as they are played: `round_of("Anna S7  Bo SR  Carl S8  Dora S10")`."""

from __future__ import annotations

from typing import Any

from american_reference import PACK, winner
from tracker_again import folded
from tracker_file import session_file

from tracker.american.audit import audit
from tracker.american.hand import AmericanHand
from tracker.american.session import AmericanSession

NAMES = ["Anna", "Bo", "Carl", "Dora"]
TALON = ["T4", "S9", "C7", "DV", "H2", "T12"]


def plays(text: str) -> list[dict[str, Any]]:
    """The plays of "Anna S7  Bo SR"; "vitamin T7" and "back 1" stand between them."""
    words = text.split()
    kinds = {"vitamin": lambda card: {"vitamin": card}, "back": lambda count: {"take_back": int(count)}}
    return [
        kinds[who](what) if who in kinds else {"play": who, "card": what}
        for who, what in zip(words[::2], words[1::2], strict=True)
    ]


def game(name: str, declarer: str | None = "Anna", **said: Any) -> list[dict[str, Any]]:
    """What stands before the play: the game, and with `call`, `talon` and `take` the exchange."""
    events: list[dict[str, Any]] = [{"contract": name} | ({"declarer": declarer} if declarer else {})]
    if "call" in said:
        events.append({"call": said["call"]})
    if "take" in said:
        events += [{"talon": said.get("talon", TALON)}, {"take": said["take"]}]
    return events


def session_of(*hands: list[dict[str, Any]], dealer: str = "Dora", **options: Any) -> dict[str, Any]:
    """A session file of rounds, the first dealt by `dealer`."""
    entries = [{"events": events} | ({} if at else {"dealer": dealer}) for at, events in enumerate(hands)]
    return session_file("american-tarock", NAMES, *entries, **options)


def evening_of(*hands: list[dict[str, Any]], dealer: str = "Dora", **options: Any) -> AmericanSession:
    """The evening of those rounds, folded. Raises SessionFileError."""
    return folded(session_of(*hands, dealer=dealer, **options))


def round_of(text: str, before: list[dict[str, Any]] | None = None, **options: Any) -> AmericanHand:
    """One round dealt by Dora, so that Anna leads; a Klop unless `before` says otherwise."""
    return evening_of([*(before or game("klop", None)), *plays(text)], **options).hands[0]


def scores(hand: AmericanHand) -> list[tuple[str, str, int]]:
    """(reason, player, points) of each line."""
    return [(score.reason, score.player, score.points) for score in hand.scores]


def as_audited(session: AmericanSession) -> list[dict[str, Any]]:
    """The rounds of its audit."""
    rounds: list[dict[str, Any]] = audit(session)["hands"]
    return rounds


def played_out(hands: dict[str, list[str]]) -> list[dict[str, Any]]:
    """All 48 plays, of which Anna leads the first: each plays the cards of `hands` in order, legal or not."""
    left = {player: list(cards) for player, cards in hands.items()}
    leader = "Anna"
    events: list[dict[str, Any]] = []
    for _ in range(12):
        at = NAMES.index(leader)
        trick = [(player, left[player].pop(0)) for player in NAMES[at:] + NAMES[:at]]
        events += [{"play": player, "card": card} for player, card in trick]
        leader = winner(trick, None)
    return events


def dealt(first: dict[str, list[str]], aside: list[str]) -> dict[str, list[str]]:
    """Twelve cards for each: those of `first`, then whatever is left but for `aside`."""
    used = {card for cards in first.values() for card in cards} | set(aside)
    left = [card for card in PACK if card not in used]
    hands = {}
    for player in NAMES:
        cards = list(first.get(player, []))
        while len(cards) < 12:
            cards.append(left.pop(0))
        hands[player] = cards
    return hands
