"""How a hand of each game is dealt by chance, and filmed."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from tracker.american.contracts import CONTRACTS as AMERICAN_CONTRACTS
from tracker.events import CardPlayed, Event, HandStarted
from tracker.french.contracts import CONTRACTS as FRENCH_CONTRACTS
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
