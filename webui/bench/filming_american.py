"""A round of American Tarock as it is filmed: the plays, and the shown cards between them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.tricks import Trick

if TYPE_CHECKING:
    from vision.lab.rendering.footage import FilmedPlay, FilmedStep


def american_script(
    hand: AmericanHand, sides: Mapping[str, str], tricks: int | None = None
) -> "list[FilmedPlay | FilmedStep]":
    """The script of the first `tricks` (None: all) of `hand`. `sides` has each player's side of the picture."""
    from vision.lab.rendering.shown_cards import FilmedBunch, FilmedOpenHand

    # The Talon is put aside, unless it is turned up or played round (AT-DEAL-3, AT-HIGH-2).
    used = hand.contract is not None and (
        hand.cards_stay or hand.contract.name == "klop" or hand.talon.taken is not None
    )
    script: list[FilmedPlay | FilmedStep] = [FilmedBunch(sides[hand.dealer], aside=not used)]
    script += _exchange(hand, sides)
    opened = next((event.cards for event, _ in hand.entries if event.key == "open"), ())  # type: ignore[attr-defined]
    for trick in hand.tricks[:tricks]:
        script += _trick(hand, trick, sides)
        if trick.number == 1 and opened and hand.declarer is not None:
            script.append(FilmedOpenHand(sides[hand.declarer], tuple(opened)))
    return script


def _trick(hand: AmericanHand, trick: Trick, sides: Mapping[str, str]) -> "list[FilmedPlay | FilmedStep]":
    """The plays of `trick`, with its vitamin (AT-KLOP-2) or the rest of the Talon on the called king (AT-TALON-4)."""
    from vision.lab.rendering.footage import FilmedPlay
    from vision.lab.rendering.shown_cards import FilmedRest, FilmedVitamin

    winner = sides[trick.winner] if trick.winner and not hand.cards_stay else None
    vitamin = hand.talon.vitamins.get(trick.number)
    script: list[FilmedPlay | FilmedStep] = []
    for play in trick.plays:
        king = play.card == hand.call.card and bool((hand.talon.taken or 0) >> PACK.index[play.card] & 1)
        taken_by = winner if play is trick.plays[-1] and vitamin is None else None
        row = trick.number - 1 if hand.cards_stay else None
        script.append(
            FilmedPlay(sides[play.player], play.card, taken_by=None if king else taken_by, in_row=row)
        )
        if king:
            script.append(FilmedRest(sides[play.player], tuple(PACK.names(hand.talon.rest)), taken_by))
    if vitamin is not None:
        script.append(FilmedVitamin(sides[hand.dealer], vitamin, winner))
    return script


def _exchange(hand: AmericanHand, sides: Mapping[str, str]) -> "list[FilmedPlay | FilmedStep]":
    """The Talon turned up, the group taken from it, and the tarocks laid face up (AT-TALON)."""
    from vision.lab.rendering.shown_cards import FilmedDiscard, FilmedTalon

    if hand.talon.cards is None or hand.talon.taken is None or hand.declarer is None:
        return []
    contract = hand.bidding.raised_from or hand.contract
    assert contract is not None
    size = contract.exchange
    group = next(
        at for at in range(6 // size) if hand.talon.taken >> PACK.index[hand.talon.cards[at * size]] & 1
    )
    declarer = sides[hand.declarer]
    script: list[FilmedPlay | FilmedStep] = [
        FilmedTalon(sides[hand.dealer], hand.talon.cards, size, declarer, group)
    ]
    if hand.talon.laid:
        script.append(FilmedDiscard(declarer, tuple(PACK.names(hand.talon.laid))))
    return script
