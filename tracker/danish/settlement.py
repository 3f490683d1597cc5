"""Who pays whom how much: PAY-1, PAY-4 to PAY-10 and FINE-5. Each function calls `pay` for every payment.

Amounts are chips. "The others" are the active players but one, in order of play from forehand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tracker.adjusting import check_adjustment
from tracker.danish.events import Adjusted
from tracker.danish.pack import INDEX, KINGS, PAGAT
from tracker.danish.rule_sets import POTS, RuleSet
from tracker.ledger import Ledger, Pay

_POT_OF: Final = {pot: pot for pot in POTS} | {PAGAT: "pagat"} | dict.fromkeys(KINGS, "king")
"""The pot of each ultimo card (CARD-2), and of one that is known by its kind alone: "king" or "pagat"."""


@dataclass(frozen=True, slots=True)
class LastTrick:
    """What PAY-5 must know of trick 25 and of the hand.

    `plays` are (player, card) in order of play. Where only the result is known, an ultimo card may be called "king" or
    "pagat", and other cards may be left out; after a nolo so may the `winner`. `tout` won every trick; `nolo` alone
    won none. `original` are the pots before any payment of PAY-5. `failed_tout` is the dealer, if he laid the fool,
    announced a Tout and did not make it. The players in `barred` may not win an ultimo (FINE-3).
    `unknown`: the cards beyond those in `plays` are unknown, and any of them may be bagud. `maybe_failed`: nobody knows
    whether the dealer laid the fool for a Tout that he did not make.
    """

    plays: Sequence[tuple[str, str]]
    winner: str | None
    tout: str | None
    nolo: str | None
    original: Mapping[str, int]
    failed_tout: str | None
    barred: frozenset[str]
    unknown: bool = False
    maybe_failed: bool = False


def pay_trick(
    pay: Pay, rules: RuleSet, active: Sequence[str], plays: Sequence[tuple[str, str]], winner: str
) -> None:
    """PAY-4: an ultimo card (CARD-2) lost, or the pagat brought home, in a trick from 1 to 24."""
    for player, card in plays:
        if player != winner:
            pay_lost(pay, rules, active, player, card)
        elif card == PAGAT:
            pay_pagat_won(pay, rules, active, player)


def pay_lost(pay: Pay, rules: RuleSet, active: Sequence[str], player: str, card: str) -> None:
    """PAY-4: `player` lost `card` before trick 25; only an ultimo card costs him anything."""
    pot = _POT_OF.get(card)
    if pot is not None:
        reason = "pagat_lost" if pot == "pagat" else "king_lost"
        for target in (*others(active, player), pot):
            pay("PAY-4", reason, player, target, rules.card_lost, card=_name_of(card))


def pay_pagat_won(pay: Pay, rules: RuleSet, active: Sequence[str], player: str) -> None:
    """PAY-4: `player` brought the pagat home before trick 25."""
    if rules.pagat_win_bonus:
        for other in others(active, player):
            pay("PAY-4", "pagat_won", other, player, rules.card_lost, card=PAGAT)


def tout_and_nolo(tricks_won: Mapping[str, int]) -> tuple[str | None, str | None]:
    """PAY-5: who won every trick, and else who alone won none; None where nobody did."""
    tout = next((player for player, count in tricks_won.items() if count == 25), None)
    trickless = [player for player, count in tricks_won.items() if count == 0]
    return tout, trickless[0] if len(trickless) == 1 and tout is None else None


def pay_last_trick(pay: Pay, rules: RuleSet, active: Sequence[str], last: LastTrick) -> None:
    """Pay PAY-5, items 1 to 5 in their order."""
    tout, nolo = last.tout, last.nolo
    bagud = [(player, card) for player, card in last.plays if player != last.winner and card in _POT_OF]

    if tout is not None:
        for other in others(active, tout):
            pay("PAY-5", "tout", other, tout, rules.tout)
        for pot, content in last.original.items():
            pay("PAY-5", "tout_pot", pot, tout, content)
    if nolo is not None:
        for other in others(active, nolo):
            pay("PAY-5", "nolo", other, nolo, rules.nolo)
    if tout is None and nolo is None:
        _pay_winner(pay, rules, active, last, with_bagud=bool(bagud))
    for player, card in bagud:
        pot, amount = _ultimo(rules, card)
        reason = "pagat_bagud" if pot == "pagat" else "king_bagud"
        for other in others(active, player):
            pay("PAY-5", reason, player, other, amount, card=_name_of(card))
        pay("PAY-5", "bagud_pot", player, pot, last.original[pot], card=_name_of(card))
    if last.failed_tout is not None:
        # "P96 is silent: ruling, as P24." A table that pays another amount for Tout pays it for a failed one, too.
        for other in others(active, last.failed_tout):
            pay("PAY-5", "failed_tout", last.failed_tout, other, rules.tout)
        for pot, content in last.original.items():
            pay("PAY-5", "failed_tout_pot", last.failed_tout, pot, content)


def _pay_winner(
    pay: Pay, rules: RuleSet, active: Sequence[str], last: LastTrick, *, with_bagud: bool
) -> None:
    """PAY-5 item 3: an ultimo, or the last trick; nothing where it is not known which."""
    assert last.winner is not None
    winning_card = next((card for player, card in last.plays if player == last.winner), "")
    if last.unknown and not winning_card:
        return
    if winning_card in _POT_OF:
        # FINE-3 ruling: "no ultimo, no pot and no last-trick payment"; item 5: "nobody wins an ultimo".
        if last.winner not in last.barred and last.failed_tout is None and not last.maybe_failed:
            pot, amount = _ultimo(rules, winning_card)
            reason = "pagat_ultimo" if pot == "pagat" else "king_ultimo"
            for other in others(active, last.winner):
                pay("PAY-5", reason, other, last.winner, amount, card=_name_of(winning_card))
            pay("PAY-5", "ultimo_pot", pot, last.winner, last.original[pot])
    elif not (with_bagud or last.unknown) or rules.last_trick_with_bagud:
        # Item 5 ruling: "the ordinary last-trick 20 is still due where item 3 gives it".
        for other in others(active, last.winner):
            pay("PAY-5", "last_trick", other, last.winner, rules.last_trick, card=_name_of(winning_card))


def _ultimo(rules: RuleSet, card: str) -> tuple[str, int]:
    """The pot of an ultimo card, and what it wins from each of the others, or loses to each, in trick 25."""
    pot = _POT_OF[card]
    return pot, rules.pagat_ultimo if pot == "pagat" else rules.king_ultimo


def _name_of(card: str) -> str | None:
    """The `card` by name; None for a king that is known by its kind alone."""
    return PAGAT if card == "pagat" else card if card in INDEX else None


def others(players: Sequence[str], player: str) -> list[str]:
    """`players` but for `player`, in their order."""
    return [other for other in players if other != player]


def found_pots(pay: Pay, rules: RuleSet, seats: Sequence[str], pots: Mapping[str, int]) -> None:
    """PAY-1 and PAY-6: each empty pot is founded by every seated player, also one who sits out."""
    for pot in [pot for pot, content in pots.items() if content == 0]:
        for player in seats:
            pay("PAY-1", "foundation", player, pot, rules.foundation)


def pay_count(pay: Pay, points: Mapping[str, int], next_dealer: str, dealer: str) -> None:
    """PAY-7: the next dealer settles each other active player's points against 26."""
    # Ruling: "if the next dealer did not play, the hand's own dealer is the banker".
    banker = next_dealer if next_dealer in points else dealer
    for player, number in points.items():
        if player == banker:
            continue
        amount = (number - 26 + 2) // 5 * 5  # rounded to the nearest 5
        if amount > 0:
            pay("PAY-7", "count", banker, player, amount)
        else:
            pay("PAY-7", "count", player, banker, -amount)


def share_pots(pay: Pay, seats_from_next_dealer: Sequence[str], pots: Mapping[str, int]) -> None:
    """PAY-8: both pots are shared evenly by all seated.

    Ruling: "each share is rounded down to 5s; the 5s left over go one each, counter-clockwise from the next
    dealer".
    """
    for pot, content in list(pots.items()):
        share, left_over = divmod(content // 5, len(seats_from_next_dealer))
        for place, player in enumerate(seats_from_next_dealer):
            pay("PAY-8", "close", pot, player, 5 * (share + (place < left_over)))


def pay_adjustment(pay: Pay, rules: RuleSet, event: Adjusted, seats: Sequence[str], ledger: Ledger) -> None:
    """FINE-5: the players moved chips by agreement; a pot that is emptied by it is founded again.

    Raises EventError for an impossible adjustment.
    """
    # "in multiples of 5"; "never more out of a pot than it holds"
    check_adjustment(event, ledger, step=5)
    pay("FINE-5", "adjustment", event.source, event.target, event.amount, note=event.reason)
    found_pots(pay, rules, seats, ledger.pots)


def pay_joining(pay: Pay, player: str, others: int, pots: Mapping[str, int]) -> None:
    """PAY-9: `player` joins so many `others`. He adds a third of its content to each pot; a fourth, joining four.

    Ruling: "rounded to the nearest 5", "half a 5 rounded up".
    """
    for pot, content in list(pots.items()):
        pay("PAY-9", "join", player, pot, (2 * content + 5 * others) // (10 * others) * 5)


def pay_leaving(pay: Pay, player: str, seated: int, pots: Mapping[str, int]) -> None:
    """PAY-10 ruling: one of so many `seated` leaves and "takes his even share of each pot, rounded down to 5s"."""
    for pot, content in list(pots.items()):
        pay("PAY-10", "leave", pot, player, content // (5 * seated) * 5)
