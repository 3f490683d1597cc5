"""`tarok bench rules`: how fast the rules engine replays and judges a hand, and how fast it infers."""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

from tracker.cards import CARDS
from tracker.danish.declarations import owed
from tracker.danish.events import Declared
from tracker.danish.inference import infer
from tracker.danish.pack import PACK
from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from tracker.games import game_of_rules
from webui.bench.dealing_1659 import evening_of_1659
from webui.bench.dealing_american import evening_of_american
from webui.bench.dealing_french import evening_of_french
from webui.errors import require_positive

DEALT_TO: Final = ("Anna", "Bo", "Carl")
TURNS: Final = 15
OTHER_GAMES: Final = {
    "Tarot of 1659": evening_of_1659,
    "American Tarock": evening_of_american,
    "French Tarot": evening_of_french,
}
"""The other games than the Danish one, and the function that deals an evening of each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench rules`."""
    parser.add_argument("--hands", type=int, default=300, help="hands to replay (default: 300)")
    parser.add_argument("--positions", type=int, default=150, help="positions to infer (default: 150)")


def run(args: argparse.Namespace) -> int:
    """Measure and print; always 0. Raises UserError for a number below 1."""
    require_positive(args, "hands", "positions")
    for name, value in measure_engines(args.hands, args.positions).items():
        print(f"{name:<50} {value:,.2f}")
    return 0


def measure_engines(hands: int, positions: int) -> dict[str, float]:
    """Every figure of the benchmark, on one core. CPU time counts where other work could disturb the clock."""
    chance = random.Random(1)
    dealt = [random_hand(chance) for _ in range(hands)]
    live: list[float] = []
    per_s: list[float] = []  # hands a second of CPU, turn by turn
    for turn in range(min(TURNS, hands)):
        batch = dealt[turn::TURNS]
        busy = time.process_time()
        live += [_timed(_replay, plays) for plays in batch]
        per_s.append(len(batch) / (time.process_time() - busy))
    spots = [(dealt[chance.randrange(hands)], chance.randrange(75)) for _ in range(positions)]
    inferred = [_timed_inference(plays, number) for plays, number in spots]
    return {
        "hands replayed and judged per second of CPU": statistics.median(per_s),
        "hands replayed and judged per second": hands / sum(live),
        "median milliseconds a hand": 1000 * statistics.median(live),
        "median microseconds a play": 1e6 * statistics.median(live) / 75,
        "median milliseconds of CPU an inference": 1000 * statistics.median(inferred),
        "slowest, milliseconds of CPU an inference": 1000 * max(inferred),
    } | {
        key: value
        for name, deal in OTHER_GAMES.items()
        for key, value in {
            f"{name}: hands per second of CPU": statistics.median(_others_per_s(deal, chance, hands)),
            **_studied(name, [_timed_study(deal, chance) for _ in range(positions)]),
        }.items()
    }


def random_hand(chance: random.Random) -> list[Event]:
    """A legal hand from a random deal, dealt by Carl: three true declarations and 75 plays.

    Every legal card is equally likely to be played.
    """
    cards = list(CARDS)
    chance.shuffle(cards)
    # The skat is three plain pip cards, as a dealer lays them.
    skat = [card for card in cards if card[0] in "SHDC" and card[1] not in "RDCV"][:3]
    rest = [card for card in cards if card not in skat]
    held = [rest[25 * place : 25 * place + 25] for place in range(3)]
    plays: list[Event] = [
        Declared(DEALT_TO[player], tuple(owed(PACK.mask(held[player])).values())) for player in (2, 0, 1)
    ]
    leader = 0
    for trick in range(1, 26):
        table: list[tuple[int, str]] = []
        suit: str | None = None
        named: str | None = None
        for step in range(3):
            player = (leader + step) % 3
            card = chance.choice(_legal_cards(held[player], suit, trick))
            held[player].remove(card)
            if suit is None:
                if card == "F":
                    # A suit that the next player can follow, so that the name is clear (FOOL-3).
                    named = next((other[0] for other in held[(player + 1) % 3] if other != "F"), "T")
                suit = named or card[0]
            plays.append(CardPlayed(DEALT_TO[player], card, named if card == "F" and step == 0 else None))
            table.append((player, card))
        leader = max(table, key=lambda entry: _strength(entry[1], suit or "T"))[0]
    return plays


def _legal_cards(hand: list[str], suit: str | None, trick: int) -> list[str]:
    """The cards of `hand` that may be played to `suit`, or led if `suit` is None. The fool goes in trick 23."""
    legal = [card for card in hand if suit is None or card[0] == suit]
    legal = legal or [card for card in hand if card[0] == "T"] or list(hand)
    if suit is not None and "F" in hand and "F" not in legal:
        legal.append("F")
    if trick == 24 and len(hand) > 1:
        return [card for card in legal if card != "F"] or [card for card in hand if card != "F"]
    if trick == 23 and "F" in hand:
        return ["F"]  # it may not be played to trick 24
    return legal


def _strength(card: str, suit: str) -> int:
    return CARDS.index(card) if card[0] in ("T", suit) and card != "F" else -1


def _replay(plays: list[Event]) -> None:
    """Replay one hand, and look at the findings after every play."""
    session = _opened()
    for play in plays:
        session.apply(play)
        hand = session.hand
        assert hand is not None
        assert not hand.findings
    assert hand is not None and hand.complete


def _others_per_s(
    deal: Callable[[random.Random], tuple[SessionOpened, list[Event]]], chance: random.Random, hands: int
) -> list[float]:
    """How many hands of another game are replayed and judged in a second of CPU, turn by turn."""
    dealt = [deal(chance) for _ in range(hands)]
    return [
        len(dealt[turn::TURNS]) / _timed(_replay_others, dealt[turn::TURNS], time.process_time)
        for turn in range(min(TURNS, hands))
    ]


def _replay_others(dealt: list[tuple[SessionOpened, list[Event]]]) -> None:
    """Replay each hand, and look at the findings after every play."""
    for opened, events in dealt:
        session = game_of_rules(opened.rules).session(opened)
        for event in events:
            session.apply(event)
            assert session.hand is not None
            assert not any(finding.kind == "revoke" for finding in session.hand.findings)
        assert session.hand is not None and session.hand.complete


def _timed_study(
    deal: Callable[[random.Random], tuple[SessionOpened, list[Event]]], chance: random.Random
) -> tuple[float, bool]:
    """Seconds of CPU to say what can be known at one point of a hand, and whether the chances are exact."""
    opened, events = deal(chance)
    game = game_of_rules(opened.rules)
    session = game.session(opened)
    # The session begins with the start of the hand.
    for event in events[: chance.randrange(1, len(events))]:
        session.apply(event)
    assert game.study is not None
    begun = time.process_time()
    exact = game.study(session.hand).exact
    return time.process_time() - begun, exact


def _studied(name: str, points: list[tuple[float, bool]]) -> dict[str, float]:
    """The figures of `_timed_study` at several points."""
    spent = [1000 * seconds for seconds, _ in points]
    return {
        f"{name}: median milliseconds of CPU a point": statistics.median(spent),
        f"{name}: slowest, milliseconds of CPU a point": max(spent),
        f"{name}: points with sampled chances": sum(not exact for _, exact in points),
    }


def _opened() -> DanishSession:
    session = DanishSession(SessionOpened("pagat-2024", seats=DEALT_TO))
    session.apply(HandStarted("Carl"))
    return session


def _timed(
    work: Callable[[Any], object], argument: object, clock: Callable[[], float] = time.perf_counter
) -> float:
    start = clock()
    work(argument)
    return clock() - start


def _timed_inference(plays: list[Event], number: int) -> float:
    session = _opened()
    for play in plays[: 3 + number]:
        session.apply(play)
    hand = session.hand
    assert hand is not None
    return _timed(infer, hand, time.process_time)
