"""Legal plays, trick winners and card points agree with OpenSpiel's `tarok`, where that is installed.

OpenSpiel plays the Slovenian game: a tarock may be led at once (`free_lead`), and its bids, discards and scores are
others. Two things more are others there and are told apart below: with Skeench and Mond on the table its Pagat is
played even by one who can follow the suit led, and a Klop pile of 35⅓ points is not more than 35.
"""

import importlib
import importlib.util
import random
from typing import Any, Final

import pytest

from tracker.american.events import ContractNamed, GroupTaken, PartnerCalled, TalonTurned, VitaminTurned
from tracker.american.pack import PACK, PAGAT_MASK
from tracker.american.session import AmericanSession
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not installed: pip install open_spiel"
)

# Its cards by number: tarocks, hearts, diamonds, spades, clubs, each from low to high.
CARDS: Final = (
    *(f"T{number}" for number in range(1, 22)),
    "F",
    *(suit + rank for suit in "HD" for rank in ("4", "3", "2", "1", "V", "C", "D", "R")),
    *(suit + rank for suit in "SC" for rank in ("7", "8", "9", "10", "V", "C", "D", "R")),
)
CONTRACTS: Final = {
    "KLOP": "klop",
    "THREE": "three",
    "TWO": "two",
    "ONE": "one",
    "SOLO_THREE": "solo_three",
    "SOLO_TWO": "solo_two",
    "SOLO_ONE": "solo_one",
    "BEGGAR": "barach",
    "SOLO_WITHOUT": "solo_no_peek",
    "OPEN_BEGGAR": "open_barach",
    "COLOUR_VALAT_WITHOUT": "colour_valat",
    "VALAT_WITHOUT": "solo_barcelona",
}
NAMES: Final = ("Anna", "Bo", "Carl", "Dora")  # Anna is its player 0, who leads


def cards_of(numbers: list[int]) -> int:
    return PACK.mask(CARDS[number] for number in numbers)


def bid_until(state: Any, wanted: str, chance: random.Random) -> int:
    """Bid so that `wanted` is played, by whomever it takes; returns the declarer."""
    spiel: Any = importlib.import_module("pyspiel")
    declarer = 0 if wanted in ("KLOP", "THREE") else chance.randrange(4)
    number = list(CONTRACTS).index(wanted) + 1
    while state.current_game_phase() == spiel.TarokGamePhase.BIDDING:
        bids = state.current_player() == declarer and number in state.legal_actions()
        state.apply_action(number if bids else 0)
    return declarer


@pytest.mark.parametrize("wanted", CONTRACTS)
@pytest.mark.rule("AT-PLAY-3")
@pytest.mark.rule("AT-PLAY-4")
@pytest.mark.rule("AT-NEG-1")
@pytest.mark.rule("AT-NEG-2")
def test_plays_tricks_and_piles_agree(wanted: str) -> None:
    spiel: Any = importlib.import_module("pyspiel")
    chance = random.Random(wanted)
    game = spiel.load_game("tarok(players=4,rng_seed=7)")
    plays = piles = 0
    for _ in range(25):
        state = game.new_initial_state()
        state.apply_action(0)
        declarer = bid_until(state, wanted, chance)
        contract = CONTRACTS[wanted]
        assert state.selected_contract() == getattr(spiel.TarokContract, wanted)
        talon = [CARDS[number] for number in state.talon()]
        opened = SessionOpened("american-tarock", (("free_lead", True),), NAMES)
        session = AmericanSession(opened, strict=True)
        session.apply(HandStarted("Dora"))
        said: list[Event] = [ContractNamed(contract, None if contract == "klop" else NAMES[declarer])]
        if state.current_game_phase() == spiel.TarokGamePhase.KING_CALLING:
            king = chance.choice(state.legal_actions())
            state.apply_action(king)
            said.append(PartnerCalled(CARDS[king][0]))
        if state.current_game_phase() == spiel.TarokGamePhase.TALON_EXCHANGE:
            group = chance.choice(state.legal_actions())
            state.apply_action(group)
            said += [TalonTurned(tuple(talon)), GroupTaken(group)]
            while state.current_game_phase() == spiel.TarokGamePhase.TALON_EXCHANGE:
                state.apply_action(chance.choice(state.legal_actions()))
        for event in said:
            session.apply(event)
        hand = session.hands[0]
        while not state.is_terminal():
            player = NAMES[state.current_player()]
            held = cards_of(state.player_cards(state.current_player()))
            assert hand.to_play == player
            legal = cards_of(state.legal_actions())
            ours = hand.legal_plays(player, held)
            if legal == PAGAT_MASK != ours:
                # Ours follows the suit led first (AT-NEG-1: with a card that AT-PLAY-3 allows).
                assert {"F", "T21"} <= {CARDS[number] for number in state.trick_cards()}
                assert hand.trick is not None and hand.trick.suit != "T"
            else:
                assert ours == legal
            card = chance.choice(state.legal_actions())
            state.apply_action(card)
            session.apply(CardPlayed(player, CARDS[card]))
            plays += 1
            if contract == "klop" and hand.trick is None and len(hand.tricks) <= 6:
                session.apply(VitaminTurned(talon[len(hand.tricks) - 1]))
        assert hand.complete
        if contract == "klop":
            points = [hand.outcome.points[name] for name in NAMES]
            if max(points) > 35 or 0 in points:
                scores = [-70 if one > 35 else 70 if one == 0 else 0 for one in points]
            else:
                scores = [-one for one in points]
            assert list(state.returns()) == scores
            piles += 4
    assert plays > 25 * 3
    assert piles == (100 if wanted == "KLOP" else 0)
