"""Names given jointly: each card is there once, so the name of one card tells something of the others."""

from collections.abc import Sequence

import numpy as np

from vision.arrays import Float64Array

MOST_JOINT = 10
"""Most cards that are named together."""


def joint_names(rows: Sequence[Float64Array]) -> list[Float64Array]:
    """The probabilities (78,) of each card's names, given the odds (78,) of each by itself in `rows`.

    They are exact for the first `MOST_JOINT`: each way to name the cards without naming two alike weighs as much as
    the product of its odds. Where the odds leave no such way, each card is by itself.
    """
    apart = [row / max(float(row.sum()), 1e-300) for row in rows]
    odds = np.array(apart[:MOST_JOINT])
    if len(odds) < 2:
        return apart
    # `before[k][named]` sums over the ways to give names from the first k to the cards in the set `named`, a bit
    # each; `after[k]` over those from the other names.
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
"""How likely a name that another card surely has is, by its odds: two cards read alike more often than they are."""
_ROUNDS = 30


def names_apart(rows: Float64Array, faces: Float64Array) -> Float64Array:
    """The probabilities (N, 78) of each card's names, given the odds (N, 78) of each by itself in `rows`.

    Each name is there once, but softly (`TWICE`): a surer reading keeps its name, and leaves a less sure one its next
    names. `faces` (N,) are the probabilities that these are faces at all: what is none takes no name. Found by belief
    propagation between cards and names, which is exact where no circle of cards doubts between the same names.
    """
    odds = rows / np.maximum(rows.sum(1, keepdims=True), 1e-300) * faces[:, None]
    free = np.ones(odds.shape)  # how far each name is left to each card by the others
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
    """The probabilities (N,) of each card's names, given the odds (N,) of each by itself in `rows`, in order.

    The names rise or fall from each card to the next: every such way weighs as much as the product of its odds. Where
    the odds leave none, each card is by itself.
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
