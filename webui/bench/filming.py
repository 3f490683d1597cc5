"""How a hand of each game is dealt by chance, and filmed."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from tracker.american.contracts import CONTRACTS as AMERICAN_CONTRACTS
from tracker.events import CardPlayed, Event, HandStarted
from tracker.french.contracts import CONTRACTS as FRENCH_CONTRACTS
from tracker.game import Game
from tracker.hand import Hand
from tracker.session import Session
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french
from webui.bench.filming_1659 import script_of_1659
from webui.bench.filming_american import american_script
from webui.bench.filming_french import french_script
from webui.bench.filming_tricks import plain_script
from webui.bench.rules import DEALT_TO, random_hand

if TYPE_CHECKING:
    from vision.lab.rendering.footage import FilmedPlay, FilmedStep


@dataclass(frozen=True)
class Filmed:
    """How hands of a game are filmed.

    `deal` yields the events of the session's next hand, legal and dealt by chance, from its start on; the session
    takes them in one by one. Its last arguments are the dealer and one of the `contracts`, "" in a game without
    contracts. `script` is the script of a hand's first tricks (None: all), given each player's side of the picture.
    """

    deal: Callable[[random.Random, Session[Any, Any], str, str], Iterable[Event]]
    script: Callable[[Any, Mapping[str, str], int | None], "list[FilmedPlay | FilmedStep]"]
    contracts: tuple[str, ...] = ()


def _danish_hand(chance: random.Random, session: Session[Any, Any], dealer: str, _: str) -> Iterable[Event]:
    yield HandStarted(dealer)
    names = dict(zip(DEALT_TO, session.hands[-1].active, strict=True))
    for event in random_hand(chance):
        if isinstance(event, CardPlayed):
            yield replace(event, player=names[event.player])


FILMED: Final = {
    "danish": Filmed(_danish_hand, plain_script),
    "tarot1659": Filmed(
        lambda chance, session, dealer, _: hand_of_1659(
            chance, session.order_of_play(dealer), session.rules.cards
        ),
        script_of_1659,
    ),
    "american": Filmed(
        lambda chance, session, dealer, contract: hand_of_american(chance, session.opened, contract, dealer),
        american_script,
        tuple(AMERICAN_CONTRACTS),
    ),
    "french": Filmed(
        lambda chance, session, dealer, contract: hand_of_french(chance, session.opened, contract, dealer),
        french_script,
        tuple(FRENCH_CONTRACTS),
    ),
}
"""How hands are filmed, by the name of the game."""


def evening_script(
    game: Game,
    hands: Sequence[Hand],
    sides: Mapping[str, str],
    tricks: int | None,
    between_s: float,
    throw_in: bool,
) -> "tuple[list[FilmedPlay | FilmedStep], list[dict[str, object]]]":
    """The script of the first `tricks` (None: all) of each of the `hands`, with what is counted and dealt between them.

    `sides` has each player's side of the picture. From a deal to the next hand it takes `between_s`. With `throw_in`
    the cards that are left after these tricks are thrown in, face up. Returns with it what the truth file says of each
    hand after the first (docs/formats.md).
    """
    from vision.lab.rendering.between_hands import FilmedDeal
    from vision.lab.rendering.footage import FilmedPlay

    script, begins = list(FILMED[game.name].script(hands[0], sides, tricks)), list[dict[str, object]]()
    around = tuple(dict.fromkeys(sides.values()))
    for before, hand in pairwise(hands):
        played = len(before.tricks) if tricks is None else tricks
        won: dict[str, list[str]] = {side: [] for side in around}
        for trick in before.tricks[:played]:
            if trick.winner is not None:
                won[sides[trick.winner]] += [play.card for play in trick.plays]
        left: dict[str, list[str]] = {}
        for trick in before.tricks[played:] if throw_in else ():
            for play in trick.plays:
                left.setdefault(sides[play.player], []).append(play.card)
        script.append(FilmedDeal(sides.get(hand.dealer, "S"), around, won, left, between_s))
        first = sum(isinstance(step, FilmedPlay) for step in script)
        begins.append({"first": first, "dealer": hand.dealer, "said": said_in_hand(game, hand)})
        script += FILMED[game.name].script(hand, sides, tricks)
    return script, begins


def said_in_hand(game: Game, hand: Hand) -> list[dict[str, object]]:
    """What people said in `hand`, as events of a session file."""
    return [event.to_json() for event, _ in hand.entries if isinstance(event, game.spoken)]
