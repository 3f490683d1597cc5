"""What may be said, shown or turned up next in a round: for whoever enters it.

Only what the table can know counts, and no hand. So an offered call or discard may still turn out to be forbidden
(AT-CALLX, AT-DISC).
"""

from typing import Final, Literal

from tracker.american.contracts import ANNOUNCED, BIDS, CONTRACTS, FIRST_IN_COMPULSORY, KLOP
from tracker.american.events import CALLS, GroupTaken, HandLaidOpen, LaidFaceUp, TalonTurned, VitaminTurned
from tracker.american.hand import HELD, AmericanHand
from tracker.american.pack import FIVES, PACK, TAROCKS
from tracker.american.talon import VITAMINS
from tracker.bidding import PASS
from tracker.contract_hand import Missing
from tracker.shown_cards import ShownCards

Step = Literal["bid", "call", "talon", "take", "vitamin", "play", "over"]
_OF_MISSING: Final[dict[Missing, Step]] = {"contract": "bid", "call": "call", "talon": "talon"}


def next_step(hand: AmericanHand) -> Step:
    """What is entered next: bids or the game, the call, the Talon, the group, a vitamin, a card; or it is over."""
    if missing_vitamins(hand):
        return "vitamin"
    missing = hand.what_is_missing()
    if missing is not None and (not hand.abandoned or hand.all_played):
        return "take" if missing == "talon" and hand.talon.cards is not None else _OF_MISSING[missing]
    return "over" if hand.complete or hand.abandoned else "play"


def missing_vitamins(hand: AmericanHand) -> list[int]:
    """AT-KLOP-2: the numbers of those tricks of a Klop that are complete and still lack their vitamin."""
    if hand.contract is not KLOP or (hand.abandoned and not hand.all_played):
        return []
    return [
        trick.number
        for trick in hand.tricks[:VITAMINS]
        if trick.winner is not None and not trick.unseen and trick.number not in hand.talon.vitamins
    ]


def vitamin_is_due(hand: AmericanHand) -> bool:
    """AT-KLOP-2: whether the vitamin of the trick just won comes next."""
    return hand.trick is None and len(hand.tricks) in missing_vitamins(hand)


def allowed_bids(hand: AmericanHand) -> list[str]:
    """AT-BID-2: what the player whose bid it is may say, a pass first; nothing once the bidding is over.

    In a compulsory Klop he may bid from Solo No-Peek on (AT-COMP-2).
    """
    player = hand.bidding.bidder
    if player is None:
        return []
    lowest = hand.bidding.lowest_allowed(player)
    if hand.compulsory:
        lowest = max(lowest, FIRST_IN_COMPULSORY)
    return [game for game in BIDS if game == PASS or CONTRACTS[game].place >= lowest]


def allowed_games(hand: AmericanHand) -> list[str]:
    """AT-BID-3: the games that may be named: the last bid and those above it.

    Until the bids are all there it is every one, for the game is entered in their place (AT-BID-5).
    In a compulsory Klop none from Three to Barach (AT-COMP-2).
    """
    over = hand.bidding.is_over
    return [
        game
        for game, contract in CONTRACTS.items()
        if not (hand.compulsory and 0 < contract.place < FIRST_IN_COMPULSORY)
        and (not over or any(hand.bidding.agrees_with(game, player) for player in (None, *hand.active)))
    ]


def higher_games(hand: AmericanHand) -> list[str]:
    """AT-BID-3: the games above his last bid. The declarer may name one before Talon and first card."""
    if hand.contract is None or not hand.bidding.bids or hand.talon.cards is not None or hand.plays:
        return []
    least = hand.contract.place
    return [game for game in allowed_games(hand) if CONTRACTS[game].place > least]


def allowed_calls(hand: AmericanHand) -> tuple[str, ...]:
    """AT-CALL-1 to AT-CALL-5: a suit, "fourth" or a card of the Trula; none in a game without a call."""
    return CALLS if hand.contract is not None and hand.contract.calls else ()


def talon_groups(hand: AmericanHand) -> list[tuple[str, ...]]:
    """AT-TALON-1: the cards of each group, in the order dealt; none before the Talon is turned up."""
    if hand.talon.cards is None or hand.contract is None or not hand.contract.normal:
        return []
    size = hand.contract.exchange
    return [hand.talon.cards[at : at + size] for at in range(0, 6, size)]


def may_be_laid_open(hand: AmericanHand) -> list[str]:
    """AT-TALON-5 to AT-TALON-7: the tarocks that the declarer may lay face up; none before he took a group."""
    if hand.talon.taken is None:
        return []
    return PACK.names(TAROCKS & ~FIVES & ~hand.talon.taken & ~hand.talon.rest)


def may_announce(hand: AmericanHand, player: str) -> list[str]:
    """AT-ANN-1, AT-ANN-6: the bonuses that `player` may still announce; none without an exchange or after a raise."""
    if hand.talon.taken is None or hand.bidding.raised_from is not None or player not in hand.active:
        return []
    return [bonus for bonus in ANNOUNCED if (player, bonus) not in hand.bidding.announced]


def may_raise(hand: AmericanHand) -> bool:
    """AT-ANN-5: whether the declarer may raise to Colour Valat."""
    contract = hand.contract
    return hand.talon.taken is not None and contract is not None and contract.normal and not contract.calls


def may_be_turned_up(hand: AmericanHand) -> list[str]:
    """The cards that nobody has seen yet. Talon and vitamins are among them."""
    return PACK.names(PACK.all_cards & ~hand.gone)


def shown_cards_next(hand: AmericanHand) -> ShownCards | None:
    """What is turned up or laid open next and is no play: the Talon, a group, discards, a vitamin, an open hand."""
    step, contract, trick = next_step(hand), hand.contract, len(hand.tricks)
    if step in ("talon", "take") and hand.plays:
        return None  # the Talon is past; people enter it
    if step == "talon":
        return ShownCards("talon", 6, TalonTurned)
    if step == "take":
        groups = tuple(talon_groups(hand))
        return ShownCards(
            "group",
            len(groups[0]),
            lambda cards: GroupTaken(groups.index(cards)),
            hand.declarer,
            groups=groups,
        )
    if vitamin_is_due(hand):
        return ShownCards("vitamin", 1, lambda cards: VitaminTurned(cards[0], trick))
    if hand.talon.taken is not None and not hand.plays and contract is not None and contract.normal:
        return ShownCards("discard", contract.exchange, LaidFaceUp, hand.declarer)
    if (
        contract is not None
        and contract.name == "open_barach"
        and step == "play"
        and not hand.opened
        and (trick > 1 or (trick == 1 and hand.trick is None))
    ):
        since = (play for one in hand.tricks[1:] for play in one.plays)
        played = frozenset(play.card for play in since if play.player == hand.declarer)
        return ShownCards("hand", HELD - 1, HandLaidOpen, hand.declarer, among=played)
    return None
