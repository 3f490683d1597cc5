"""Names given jointly: a pack has each card once, so the name of one card tells something of the others."""

from collections.abc import Sequence

import numpy as np

from vision.arrays import Float64Array

MOST_JOINT = 10
"""Most cards that are named together."""


def joint_names(rows: Sequence[Float64Array]) -> list[Float64Array]:
    """The probabilities (78,) of each card's names. `rows` has the odds (78,) of each card by itself.

    The first `MOST_JOINT` cards are named together, exactly: each way to name them without naming two alike weighs
    as much as the product of its odds. Where no such way is left, each card keeps its own odds.
    """
    apart = [row / max(float(row.sum()), 1e-300) for row in rows]
    odds = np.array(apart[:MOST_JOINT])
    if len(odds) < 2:
        return apart
    # `before[k][cards]` sums over the ways to give the first k names to a set of cards, one bit a card. `after[k]`
    # sums over the ways to give them the other names.
    before, after = _ways(odds), _ways(odds[:, ::-1])[::-1]
    everyone = np.arange(len(before[0]))
    if before[-1][-1] <= 0:
        return apart
    together = []
    for card in range(len(odds)):
        without = everyone[everyone & (1 << card) == 0]
        others = everyone[-1] ^ (1 << card) ^ without
        ways = (before[:-1][:, without] * after[1:][:, others]).sum(1) * odds[card]
        together.append(ways / ways.sum())
    return together + apart[MOST_JOINT:]


TWICE = 0.02
"""Factor on the odds of a name that another card surely has. It is above 0, since cards are misread."""
_ROUNDS = 30


def names_apart(rows: Float64Array, faces: Float64Array) -> Float64Array:
    """The probabilities (N, 78) of each card's names. `rows` has the odds (N, 78) of each card by itself.

    Two cards hardly have one name (`TWICE`): the surer reading keeps it, and the other takes its next name. `faces`
    (N,) are the probabilities that the cards are faces at all. A card that is no face takes no name from another.

    Belief propagation between cards and names. It is exact unless a circle of cards doubts between the same names.
    """
    odds = rows / np.maximum(rows.sum(1, keepdims=True), 1e-300) * faces[:, None]
    free = np.ones(odds.shape)  # how far the others leave each name to each card
    for _ in range(_ROUNDS):
        told = odds * free
        others = told.sum(1, keepdims=True) + (1 - faces)[:, None] - told
        claims = odds / np.maximum(others, 1e-9)
        claimed = claims.sum(0) - claims
        free = 0.5 * free + 0.5 * (1 + TWICE * claimed) / (1 + claimed)
    told = rows * free
    return np.asarray(told / np.maximum(told.sum(1, keepdims=True), 1e-300))


def _ways(odds: Float64Array) -> Float64Array:
    """(names + 1, 2^cards): the summed weight of the ways to give the first k names to each set of cards."""
    cards, names = odds.shape
    sets, bits = np.arange(1 << cards), 1 << np.arange(cards)[:, None]
    has, without = (sets & bits) != 0, sets & ~bits
    ways = np.zeros((names + 1, len(sets)))
    ways[0, 0] = 1.0
    for name in range(names):
        ways[name + 1] = ways[name] + odds[:, name] @ (ways[name][without] * has)
    return ways


def ordered_names(rows: Sequence[Float64Array]) -> list[Float64Array]:
    """The probabilities (N,) of the names of cards in a row. `rows` has the odds (N,) of each card by itself.

    The names rise from card to card, or fall. Each such way to name them weighs as much as the product of its odds.
    Where no such way is left, each card keeps its own odds.
    """
    odds = np.array([row / max(float(row.sum()), 1e-300) for row in rows])
    weights = _rising(odds) + _rising(odds[:, ::-1])[:, ::-1]
    totals = weights.sum(1, keepdims=True)
    return list(weights / totals if (totals > 0).all() else odds)


def _rising(odds: Float64Array) -> Float64Array:
    """(cards, names): the summed weight of the ways in which names rise from card to card, by the name of each card."""
    before, after = np.zeros(odds.shape), np.zeros(odds.shape)
    before[0], after[-1] = 1.0, 1.0
    for card in range(1, len(odds)):
        before[card, 1:] = np.cumsum(before[card - 1] * odds[card - 1])[:-1]
    for card in range(len(odds) - 2, -1, -1):
        after[card, :-1] = np.cumsum((after[card + 1] * odds[card + 1])[::-1])[::-1][1:]
    return before * odds * after
