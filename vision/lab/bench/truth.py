"""Truth files of recordings, and the matching of booked plays with true ones."""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vision.errors import VisionError

EARLIEST_S, LATEST_S, LATEST_UNLIKE_S, LATEST_OUT_OF_ORDER_S = -1.0, 10.0, 1.5, 3.0
"""Limits (s) for pairing a booked play with a true one: how long after the true card came to rest it was first seen.

`EARLIEST_S` is the lower limit. The upper limit is `LATEST_S` if player or card agree, `LATEST_UNLIKE_S` if neither
does, and `LATEST_OUT_OF_ORDER_S` for plays out of order.
"""


@dataclass(frozen=True)
class TimedPlay:
    """Who played what, and when (s): when the card came to rest (truth), or was first seen or known (booked).

    `hand` is the number of the hand, from 1.
    """

    player: str
    card: str
    at_s: float
    hand: int = 1


@dataclass(frozen=True)
class Recording:
    """A recording and its ground truth; `sides` by player, `options` of its rules by name.

    `dealer` dealt the first hand. `said` is what people said before the play of each hand, as events of a session file.
    `shown` are the cards laid open that are no plays, with the time (s) at which all of them lay. `before` is a session
    file of what was played in the hand before a clip begins; the cards of its last trick may lie there still.
    `dealing`: it begins while cards are dealt.
    """

    video: Path
    sides: dict[str, str]
    dealer: str
    rules: str
    plays: tuple[TimedPlay, ...]
    said: tuple[tuple[dict[str, object], ...], ...] = ((),)
    shown: tuple[tuple[float, tuple[str, ...]], ...] = ()
    options: tuple[tuple[str, bool | int | str], ...] = ()
    before: dict[str, object] | None = None
    dealing: bool = False


def load_recording(truth: Path) -> Recording:
    """Read a truth file; raises `VisionError` when it cannot be used, or has no video of the same name beside it."""
    try:
        data = json.loads(truth.read_text(encoding="utf-8"))
        seats = dict(str(seat).split("@") for seat in data["seats"])
        later = [dict(hand) for hand in data.get("hands", ())]
        first = [int(hand["first"]) for hand in later]
        plays = tuple(
            TimedPlay(p["play"], p["card"], p["frame"] / data["fps"], 1 + bisect_right(first, at))
            for at, p in enumerate(data["plays"])
        )
        video = next(truth.with_suffix(e) for e in (".mp4", ".avi", ".mkv") if truth.with_suffix(e).is_file())
        shown = tuple((s["frame"] / data["fps"], tuple(s["cards"])) for s in data.get("shown", ()))
        said = tuple(tuple(dict(event) for event in hand.get("said", ())) for hand in (data, *later))
        options = tuple(dict(data.get("options", {})).items())
        before = dict(data["before"]) if "before" in data else None
        hand = data["dealer"], data["rules"], plays, said, shown, options, before, bool(data.get("dealing"))
        return Recording(video, seats, *hand)
    except StopIteration as error:
        raise VisionError(f"{truth}: no video of the same name beside it") from error
    except (OSError, ValueError, KeyError, TypeError, ZeroDivisionError, RecursionError) as error:
        raise VisionError(f"{truth}: not the truth file of a recording") from error


class Pair(NamedTuple):
    """The indices of a true play and of the play booked for it: None in `booked` if missed, in `true` if invented.

    `in_order` is False if the play was booked before an earlier one or after a later one.
    """

    true: int | None
    booked: int | None
    in_order: bool = True


def compare(truth: Sequence[TimedPlay], booked: Sequence[TimedPlay]) -> list[Pair]:
    """Match booked plays with true ones so that there are as few mistakes as possible (edit distance).

    `at_s` is when the true card came to rest, and when the booked card was first seen. A pair in order whose player
    and card agree is right. Any other pair is a wrong play, and its two plays are close in time. If neither player nor
    card agree, they are closer still, and in order. Unpaired plays are missed or invented.
    """
    rows, columns = len(truth) + 1, len(booked) + 1
    cost = np.zeros((rows, columns))
    cost[:, 0], cost[0, :] = np.arange(rows), np.arange(columns)
    for a in range(1, rows):
        for b in range(1, columns):
            both = cost[a - 1, b - 1] + _pair_cost(truth[a - 1], booked[b - 1])
            cost[a, b] = min(both, cost[a - 1, b] + 1, cost[a, b - 1] + 1)
    pairs: list[Pair] = []
    a, b = len(truth), len(booked)
    while a or b:
        if a and b and cost[a, b] == cost[a - 1, b - 1] + _pair_cost(truth[a - 1], booked[b - 1]):
            a, b = a - 1, b - 1
            pairs.append(Pair(a, b))
        elif b and cost[a, b] == cost[a, b - 1] + 1:
            b -= 1
            pairs.append(Pair(None, b))
        else:
            a -= 1
            pairs.append(Pair(a, None))
    return _out_of_order(truth, booked, pairs[::-1])


def _out_of_order(truth: Sequence[TimedPlay], booked: Sequence[TimedPlay], pairs: list[Pair]) -> list[Pair]:
    """`pairs`, in which a missed play and an invented one become one: they share player or card, and are near."""
    invented = [pair.booked for pair in pairs if pair.true is None and pair.booked is not None]
    found: dict[int, int] = {}
    for pair in pairs:
        if pair.booked is None and pair.true is not None:
            true = truth[pair.true]
            late = {b: booked[b].at_s - true.at_s for b in invented if _alike(true, booked[b])}
            near = {b: abs(s) for b, s in late.items() if EARLIEST_S <= s <= LATEST_OUT_OF_ORDER_S}
            if near:
                found[pair.true] = min(near, key=lambda b: near[b])
                invented.remove(found[pair.true])
    return [
        Pair(pair.true, found[pair.true], False) if pair.true in found and pair.true is not None else pair
        for pair in pairs
        if pair.true is not None or pair.booked in invented
    ]


def _alike(true: TimedPlay, booked: TimedPlay) -> bool:
    return true.player == booked.player or true.card == booked.card


def _pair_cost(true: TimedPlay, booked: TimedPlay) -> float:
    if (true.player, true.card) == (booked.player, booked.card):
        return 0.0
    late, alike = booked.at_s - true.at_s, _alike(true, booked)
    if not EARLIEST_S <= late <= (LATEST_S if alike else LATEST_UNLIKE_S):
        return 3.0  # dearer than one missed and one invented play, which cost 1 each
    # One wrong play is cheaper than these two. Plays that share player or card are preferred, then nearer ones.
    return 1.2 - 0.1 * alike + abs(late) / 100
