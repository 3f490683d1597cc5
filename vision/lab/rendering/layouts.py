"""Layouts of cards on a table: tricks, piles, heaps, rows, fans, grids and scattered cards.

Coordinates are mm on the table; the origin is where the camera looks, y is down. A layout is a list of
(card, corners (4, 2)), the lowest card first.
"""

import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, Float64Array, Rng
from vision.decks import BACK, CARD_MM, Deck

Laid = list[tuple[str, Float32Array]]

MOST_CARDS = 80
"""The most cards of a layout: about a whole pack laid open."""

_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)


def place_card(at_mm: npt.ArrayLike, angle_rad: float, size_mm: npt.ArrayLike = CARD_MM) -> Float32Array:
    """The corners (4, 2) in mm of a card centred at `at_mm` and turned clockwise (y is down) by `angle_rad`."""
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    turned = _CORNERS * np.array(size_mm, np.float32) @ np.array([[c, s], [-s, c]], np.float32)
    return (turned + np.array(at_mm, np.float32)).astype(np.float32)


def laid_trick(rng: Rng, deck: Deck, size_mm: tuple[float, float]) -> Laid:
    """One to four cards played towards the middle, each from its own side; they may overlap."""
    middle = rng.normal(0, 45, 2)
    spread = rng.uniform(20, 95)
    laid = []
    names = rng.permutation(list(deck.faces))[: int(rng.integers(1, 5))]
    for k, side in zip(names, rng.permutation(4), strict=False):
        direction = side * np.pi / 2
        at = middle + spread * np.array([np.cos(direction), np.sin(direction)]) + rng.normal(0, 10, 2)
        angle = direction + np.pi / 2 + rng.normal(0, 0.25) + (np.pi if rng.random() < 0.5 else 0)
        if rng.random() < 0.12:
            angle += np.pi / 2
        laid.append((str(k), place_card(at, angle, size_mm)))
    return laid


def laid_pile(rng: Rng, reach_mm: Float64Array, size_mm: tuple[float, float]) -> Laid:
    """A face-down pile of won tricks, usually near an edge of the picture; `reach_mm` is half the view (x, y)."""
    side = rng.integers(4)
    direction = side * np.pi / 2
    edge = reach_mm * np.array([np.cos(direction), np.sin(direction)])
    at = edge * rng.uniform(0.6, 1.08) + rng.normal(0, 0.3, 2) * reach_mm[::-1] * np.abs(
        np.array([np.sin(direction), np.cos(direction)])
    )
    angle = rng.uniform(0, np.pi)
    squared = rng.random() < 0.35
    mess_mm, askew = (rng.uniform(0, 0.8), 0.006) if squared else (rng.uniform(2, 9), 0.15)
    lean = rng.normal(0, 0.5, 2)  # a pile's upper cards are seen farther out, or it has slid
    laid = []
    for k in range(int(rng.integers(1, 5) if rng.random() < 0.8 else rng.integers(5, 10))):
        nudge = rng.normal(0, mess_mm, 2) + k * lean
        turned = angle + rng.normal(0, askew)
        laid.append((BACK, place_card(at + nudge, turned, size_mm)))
    return laid


def laid_across(rng: Rng, deck: Deck, pile: Laid, size_mm: tuple[float, float]) -> Laid:
    """`pile` with faces partly over and under it, along it or askew: tricks shown, or laid down badly."""
    (_, lowest), (_, top) = pile[0], pile[-1]
    names = rng.permutation(list(deck.faces))
    under: Laid = []
    over: Laid = []
    for name in names[: int(rng.integers(1, 4))]:
        card = top if rng.random() < 0.5 else lowest
        along = card[1] - card[0]
        turn = float(np.arctan2(along[1], along[0]) + rng.choice(4) * np.pi / 2 + rng.normal(0, 0.1))
        if rng.random() < 0.25:
            turn = float(rng.uniform(0, 2 * np.pi))
        way, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.9)
        if rng.random() < 0.5:
            way = turn + rng.choice(4) * np.pi / 2
        at = card.mean(0) + off * np.array(size_mm).mean() * np.array([np.cos(way), np.sin(way)])
        (under if rng.random() < 0.4 else over).append((str(name), place_card(at, turn, size_mm)))
    return [*under, *pile, *over]


def scattered(rng: Rng, deck: Deck, reach_mm: Float64Array, size_mm: tuple[float, float]) -> Laid:
    """One to eight cards at random places and angles, some face down."""
    names = rng.permutation(list(deck.faces))[: int(rng.integers(1, 9))]
    laid = []
    for name in names:
        at = rng.uniform(-1.05, 1.05, 2) * reach_mm
        card = BACK if rng.random() < 0.2 else str(name)
        laid.append((card, place_card(at, rng.uniform(0, 2 * np.pi), size_mm)))
    return laid


def laid_row(rng: Rng, deck: Deck, reach_mm: Float64Array, size_mm: tuple[float, float]) -> Laid:
    """A row of two to six cards, sometimes of a whole hand: side by side, fanned, or end to end."""
    count = int(rng.integers(2, 7)) if rng.random() < 0.8 else int(rng.integers(7, 20))
    lengthways = rng.random() < 0.4
    step = _row_step_mm(rng, size_mm[1] if lengthways else size_mm[0])
    neat = rng.random() < 0.65
    askew, off_mm = (0.01, 0.8) if neat else (rng.uniform(0.01, 0.08), rng.uniform(1, 6))
    open_rad = 0.0 if lengthways or rng.random() < 0.6 else rng.uniform(0.03, 0.22)
    start = rng.uniform(-0.85, 0.85, 2) * reach_mm
    heading = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.15)
    if rng.random() < 0.2:
        heading = rng.uniform(0, 2 * np.pi)
    names = rng.permutation(list(deck.faces))[:count]
    backs = 1.0 if rng.random() < 0.2 else float(rng.choice([0, 0, 0.15]))
    laid: Laid = []
    for k, name in enumerate(names):
        along = (k - (count - 1) / 2) * step
        turn = heading + (k - (count - 1) / 2) * open_rad
        if open_rad:  # about a pivot below the cards, where a hand would hold them
            pivot = size_mm[1] * 0.9
            local = np.array([pivot * np.sin(turn - heading), -pivot * np.cos(turn - heading)])
        else:
            local = np.array([0.0, along]) if lengthways else np.array([along, 0.0])
        c, s = np.cos(heading), np.sin(heading)
        at = start + np.array([[c, -s], [s, c]]) @ local + rng.normal(0, off_mm, 2)
        way = turn + rng.normal(0, askew) + (np.pi if rng.random() < 0.5 else 0)
        card = BACK if rng.random() < backs else str(name)
        laid.append((card, place_card(at, way, size_mm)))
    return laid


def _row_step_mm(rng: Rng, side_mm: float) -> float:
    """From one card of a row to the next: apart, touching or overlapping. Its sign says which end is lowest."""
    kind = rng.random()
    if kind < 0.15:
        step = side_mm + rng.uniform(1, 12)
    elif kind < 0.35:
        step = side_mm + rng.uniform(-1.0, 0.8)
    elif kind < 0.65:  # a third to two thirds in view: where two cards are soonest taken for one
        step = side_mm * rng.uniform(0.33, 0.66)
    else:
        step = side_mm * rng.uniform(0.2, 0.95)
    return -step if rng.random() < 0.5 else step


def laid_heap(rng: Rng, deck: Deck, reach_mm: Float64Array, size_mm: tuple[float, float]) -> Laid:
    """Two to five cards thrown on one another, mostly parallel: each shows an end, a side or a corner.

    A third of the heaps are of backs alone, like dealt cards: only outlines tell these apart.
    """
    at = rng.uniform(-0.9, 0.9, 2) * reach_mm
    hidden = float(rng.choice([0.08, 0.08, 1.0]))
    askew = float(rng.choice([0.06, 0.2, 0.4], p=(0.65, 0.2, 0.15)))
    heading = rng.uniform(0, 2 * np.pi)
    names = rng.permutation(list(deck.faces))[: int(rng.integers(2, 6))]
    laid: Laid = []
    for name in names:
        turn = heading + rng.normal(0, askew)
        if rng.random() < 0.12:
            turn += np.pi / 2
        card = BACK if rng.random() < hidden else str(name)
        laid.append((card, place_card(at, turn + rng.choice([0, np.pi]), size_mm)))
        step = rng.choice([-1, 1], 2) * rng.uniform(0.2, 0.75, 2) * size_mm
        kind = rng.random()
        if kind < 0.8:  # straight along or across, a little askew
            step[int(kind < 0.4)] = rng.normal(0, 0.03) * size_mm[0]
        c, s = np.cos(turn), np.sin(turn)
        at = at + np.array([[c, -s], [s, c]]) @ step
    return laid


def grid(rng: Rng, deck: Deck, reach_mm: Float64Array, size_mm: tuple[float, float]) -> Laid:
    """Up to `MOST_CARDS` cards in rows and columns, as a pack is spread to be checked; they may overlap."""
    columns = int(rng.integers(3, 13))
    rows = int(rng.integers(2, max(3, MOST_CARDS // columns + 1)))
    across = size_mm[0] * rng.uniform(0.35, 1.25)
    down = size_mm[1] * rng.uniform(0.3, 1.15)
    heading = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.1)
    c, s = np.cos(heading), np.sin(heading)
    off_mm, askew = rng.uniform(0.5, 6), rng.uniform(0.005, 0.08)
    names = np.resize(rng.permutation(list(deck.faces)), columns * rows)
    hidden = float(rng.choice([0.0, 0.0, 0.15, 0.5]))
    middle = rng.normal(0, 0.15, 2) * reach_mm
    laid: Laid = []
    for k in range(min(MOST_CARDS, columns * rows)):
        local = np.array([(k % columns - (columns - 1) / 2) * across, (k // columns - (rows - 1) / 2) * down])
        at = middle + np.array([[c, -s], [s, c]]) @ local + rng.normal(0, off_mm, 2)
        way = heading + rng.normal(0, askew) + (np.pi if rng.random() < 0.5 else 0)
        card = BACK if rng.random() < hidden else str(names[k])
        laid.append((card, place_card(at, way, size_mm)))
    return laid


def table(rng: Rng, deck: Deck, reach_mm: Float64Array, size_mm: tuple[float, float]) -> Laid:
    """All cards of one table: piles of won tricks, heaps of faces, and a trick, rows, a grid or scattered cards."""
    laid: Laid = []
    for _ in range(int(rng.choice(5, p=(0.22, 0.32, 0.24, 0.14, 0.08)))):
        pile = laid_pile(rng, reach_mm, size_mm)
        laid += laid_across(rng, deck, pile, size_mm) if rng.random() < 0.25 else pile
    if rng.random() < 0.45:
        for _ in range(int(rng.integers(1, 5))):
            laid += laid_heap(rng, deck, reach_mm, size_mm)
    kind = rng.random()
    if kind < 0.27:
        laid += laid_trick(rng, deck, size_mm)
    elif kind < 0.37:
        laid += scattered(rng, deck, reach_mm, size_mm)
    elif kind < 0.9:
        for _ in range(int(rng.choice((1, 2, 3, 4), p=(0.2, 0.35, 0.3, 0.15)))):
            laid += laid_row(rng, deck, reach_mm, size_mm)
        if rng.random() < 0.3:
            laid += laid_trick(rng, deck, size_mm)
    elif kind < 0.96:
        laid += grid(rng, deck, reach_mm, size_mm)
    return laid[:MOST_CARDS]
