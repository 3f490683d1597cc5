"""Films of scripted plays, rendered with their ground truth: `tarok film`, the bundled demo, the films of the tests.

Sides are those of the picture. Lengths on the table are mm, times s.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Protocol

import numpy as np

from vision.arrays import Float64Array, UInt8Array
from vision.decks import CARD_MM, Deck
from vision.errors import VisionError
from vision.lab.rendering.film_table import FilmCard, FilmMoment, FilmStyle, FilmTable
from vision.lab.rendering.layouts import place_card
from vision.picture import DIRECTIONS

ROW_FROM_MM, ROW_STEP_MM = 90.0, 18.0
"""A row of cards that stay before a player, mm: from the table's middle to the first one's, and from card to card."""
SHARED_MM, ARM_MM = 42.0, 150.0
"""How far from the middle of a side two who share it lay their cards, and how far from it their arms come in, mm."""
SIDE_ANGLE = {"S": 0.0, "E": -np.pi / 2, "N": np.pi, "W": np.pi / 2}
"""By side, the angle (rad, clockwise) at which its player lays a card."""
HEAP_TURN = 0.5
"""Standard deviation (rad) of the angle at which a card is thrown on a heap."""
UNDER_ARM = 0.95
"""Share of the light while an arm passes: it darkens the picture, or the camera's exposure follows it."""


@dataclass(frozen=True)
class FilmedPlay:
    """One play of the script: `card` from `side`.

    - `taken_by`: this play completes the trick, and this side takes it.
    - `back_after_s`: the card goes back into the hand this long after it came to rest.
    - `lands_at`: the card lands in front of this side instead of its player's.
    - `with_next`: this card and the next are played together and come to rest within 0.3 s.
    - `kept`: its player keeps the card (the fool) and puts it on his own pile when the trick is taken.
    - `in_row`: the card stays before its player, at this place of a row, from 0 next to the middle.
    - `beside`: where two share the side, -1 for the one who plays first of them and 1 for the other.
    """

    side: str
    card: str
    taken_by: str | None = None
    back_after_s: float | None = None
    lands_at: str | None = None
    with_next: bool = False
    kept: bool = False
    in_row: int | None = None
    beside: int = 0


class FilmedStep(Protocol):
    """What is filmed besides plays: cards that are laid out and are no plays (`shown_cards.py`)."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that it shows."""
        ...

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """Sets of these cards that the game is told of by themselves: the group of a talon that is taken."""
        ...

    @property
    def taken_by(self) -> str | None:
        """The side that takes a trick with them, if one does."""
        ...

    def moments(self, table: "FilmTable", rested: dict[int, int], number: int) -> Iterator["FilmMoment"]:
        """What moves in each frame. Sets `rested[number]` to the frame in which all cards lie."""
        ...


Script = Sequence[FilmedPlay | FilmedStep]
"""A hand as it is filmed: its plays, and what is laid out between them."""


def _ease(t: float) -> float:
    return t * t * (3 - 2 * t)


def film(
    plays: Script,
    deck: Deck,
    write: Callable[[UInt8Array], None],
    *,
    style: FilmStyle | None = None,
    seed: int = 0,
    cloth: UInt8Array | None = None,
) -> list[int]:
    """Film `plays` with `deck` and pass each frame (H, W, 3) uint8 BGR to `write`.

    `cloth` is a picture (H, W, 3) of the table top; by default one is drawn from `seed`. Returns for each step of the
    script the number of the first frame in which its card, or all of its cards, lie still. Raises `VisionError` when
    the deck lacks a card of the script.
    """
    style = style or FilmStyle()
    shown = {
        card for step in plays for card in ((step.card,) if isinstance(step, FilmedPlay) else step.cards)
    }
    missing = shown - deck.faces.keys()
    if missing:
        raise VisionError(f"deck {deck.name} has no picture of {', '.join(sorted(missing))}")
    table = FilmTable(deck, style, seed, cloth, write)
    rested: dict[int, int] = {}
    for moment in filmed_moments(table, plays, rested):
        table.shoot(moment)
    return [rested[number] for number in range(len(plays))]


def filmed_moments(table: FilmTable, plays: Script, rested: dict[int, int]) -> Iterator[FilmMoment]:
    """What moves in each frame while `plays` are filmed.

    Sets `rested`, by the number of the play, to the frame in which its card comes to rest.
    """
    rng, pause_s = table.rng, table.style.pause_s
    yield from nothing_moves(table, 1.2)
    together: list[Iterator[FilmMoment]] = []
    reach_s = 0.0
    for number, play in enumerate(plays):
        if not isinstance(play, FilmedPlay):
            yield from play.moments(table, rested, number)
            yield from nothing_moves(table, pause_s * rng.uniform(0.5, 1.5))
            continue
        reach_s = reach_s if together else rng.uniform(0.45, 0.8)
        lag = list(nothing_moves(table, rng.uniform(0.1, 0.25))) if together else []
        together.append(chain(lag, _lay(table, play, reach_s, rested, number)))
        if play.with_next:
            continue
        for moments in zip_longest(*together, fillvalue=FilmMoment()):
            yield FilmMoment(
                tuple(card for moment in moments for card in moment.cards),
                {side: tip for moment in moments for side, tip in moment.hands.items()},
            )
        together = []
        yield from nothing_moves(table, pause_s * rng.uniform(0.5, 1.5))
        if table.style.passing_arms:
            yield from _pass(table, "SENW"["SENW".index(play.side) - 1])
        if play.taken_by is not None:
            yield from sweep_trick(table, play.taken_by)
            for card in [card for card in table.lying if card.kept]:
                yield from nothing_moves(table, 0.3)
                yield from fetch(table, card.side, [card], 0.4)
            yield from nothing_moves(table, pause_s * rng.uniform(0.5, 1.2))
    yield from nothing_moves(table, 1.5)


def sideways(side: str) -> Float64Array:
    """The unit vector (2,) to the right of the player of `side`: the way in which play goes round the table."""
    x, y = DIRECTIONS[side]
    return np.array([y, -x], np.float64)


def nothing_moves(table: FilmTable, seconds: float) -> Iterator[FilmMoment]:
    """The table as it is, for some `seconds`."""
    for _ in range(table.frames_of(seconds)):
        yield FilmMoment()


def _resting_place(table: FilmTable, play: FilmedPlay) -> tuple[Float64Array, float]:
    """Where the card of `play` comes to rest: its centre (2,) in mm, and its angle in rad."""
    rng = table.rng
    direction = np.array(DIRECTIONS[play.side])
    sloppy = 0.5 + table.style.difficulty
    talon_mm = table.talon_mm(play.side)
    beyond_mm = talon_mm + CARD_MM[1] / 2 + 5.0 if talon_mm else 0.0
    if play.in_row is not None:
        # The rows of all four are a cross; each card leaves the inner end of the one before it in view.
        row_from_mm = max(ROW_FROM_MM, beyond_mm)
        at = direction * (row_from_mm + ROW_STEP_MM * play.in_row) + rng.normal(0, 2 * sloppy, 2)
        return at, SIDE_ANGLE[play.side] + rng.normal(0, 0.03 * sloppy)
    careless = rng.random() < 0.4 * table.style.difficulty or table.style.heap
    # A careless player's card often occludes the index of another.
    distance = max(rng.uniform(15, 50) if careless else rng.uniform(56, 72), beyond_mm)
    if table.style.heap:
        distance /= 2
    target = np.array(DIRECTIONS[play.lands_at or play.side]) * distance + rng.normal(0, 8 * sloppy, 2)
    target += sideways(play.side) * play.beside * SHARED_MM
    if any((card.side, card.beside) == (play.side, play.beside) for card in table.lying):
        # A second card from the same hand lands beside the first.
        target += np.array([-direction[1], direction[0]]) * rng.choice([-1, 1]) * rng.uniform(35, 60)
    angle = SIDE_ANGLE[play.side] + rng.normal(0, 0.14 * sloppy * (2 if careless else 1))
    return target, angle + rng.normal(0, HEAP_TURN) if table.style.heap else angle


def _lay(
    table: FilmTable, play: FilmedPlay, reach_s: float, rested: dict[int, int], number: int
) -> Iterator[FilmMoment]:
    """A hand brings the card of `play` within `reach_s`, lays it down, may linger, and leaves or takes it back."""
    rng = table.rng
    direction = np.array(DIRECTIONS[play.side])
    target, angle = _resting_place(table, play)
    start = table.beyond_mm(play.side) + rng.normal(0, 25, 2)
    start += sideways(play.side) * play.beside * ARM_MM
    lay_open = [card for card in table.lying if card.card == play.card]
    if lay_open:  # it comes from a hand that lies open
        start = lay_open[0].corners_mm.mean(0).astype(np.float64)
        yield from move_hand(play.side, table.beyond_mm(play.side), start, table.frames_of(0.4))
        table.pick_up(lay_open)
    down = table.style.face_down and np.random.default_rng((table.seed, 11, number)).random() < 1 / 7
    laid = FilmCard(play.card, place_card(target, angle), play.side, play.kept, beside=play.beside, down=down)
    grip = direction * CARD_MM[1] * rng.uniform(0.3, 0.42)

    def carry(steps: int, back: bool) -> Iterator[FilmMoment]:
        for k in range(1, steps + 1):
            share = 1 - k / steps if back else k / steps
            at = start + (target - start) * _ease(share)
            turned = angle * share + (1 - share) * SIDE_ANGLE[play.side]
            yield FilmMoment((replace(laid, corners_mm=place_card(at, turned)),), {play.side: at + grip})

    yield from carry(table.frames_of(reach_s), back=False)
    table.lay_down(laid)
    rested[number] = table.count
    tip, stay_s = _lingering(table, play, target, grip)
    for _ in range(round(stay_s * table.style.fps)):
        yield FilmMoment((), {play.side: tip + rng.normal(0, 0.7, 2)})
    if play.back_after_s is None or play.back_after_s >= 1:
        yield from move_hand(play.side, tip, start, table.frames_of(rng.uniform(0.35, 0.6)))
    if play.back_after_s is not None:
        steps = table.frames_of(0.4)
        frames_lying = table.count - rested[number]
        if play.back_after_s >= 1:
            yield from nothing_moves(table, play.back_after_s - (frames_lying + steps) / table.style.fps)
            yield from move_hand(play.side, start, target + grip, steps)
        table.pick_up([laid])
        yield from carry(table.frames_of(0.5), back=True)
        yield from nothing_moves(table, 0.4)


def _lingering(
    table: FilmTable, play: FilmedPlay, target: Float64Array, grip: Float64Array
) -> tuple[Float64Array, float]:
    """Where (mm) the fingertips stay after laying a card at `target`, held at `grip` from it, and how long (s)."""
    rng = table.rng
    if play.back_after_s is not None and play.back_after_s < 1:
        return target + grip, play.back_after_s
    if rng.random() < 0.5 * table.style.difficulty:
        over_index = target + grip * rng.uniform(0.4, 0.9) + rng.normal(0, 8, 2)
        return over_index, rng.uniform(0.3, 1.6)
    return target + grip, 0.0


def move_hand(side: str, start: Float64Array, end: Float64Array, steps: int) -> Iterator[FilmMoment]:
    """The empty hand of `side` goes from `start` to `end` (mm)."""
    for k in range(1, steps + 1):
        yield FilmMoment((), {side: start + (end - start) * _ease(k / steps)})


def _pass(table: FilmTable, side: str) -> Iterator[FilmMoment]:
    """An arm from `side` passes over the cards and goes back, as if for a cup at the other side."""
    start, end = table.beyond_mm(side), -np.array(DIRECTIONS[side]) * 120
    steps = table.frames_of(0.5)
    for moment in chain(move_hand(side, start, end, steps), move_hand(side, end, start, steps)):
        yield replace(moment, light=UNDER_ARM)


def sweep_trick(table: FilmTable, side: str) -> Iterator[FilmMoment]:
    """The taker's hand reaches in, pulls in the trick and puts it on the taker's pile."""
    swept = [
        card
        for card in table.lying
        if not card.stays and (not card.kept or (card.side == side and not card.beside))
    ]
    yield from _draw_in(table, side, swept, np.array(DIRECTIONS[side]) * 30.0, 0.5)


def fetch(
    table: FilmTable, side: str, cards: Sequence[FilmCard], reach_s: float, *, onto_pile: bool = True
) -> Iterator[FilmMoment]:
    """The hand of `side` reaches for `cards` and pulls them out of the picture, as `_draw_in` says."""
    middle = np.mean([card.corners_mm.mean(0) for card in cards], axis=0).astype(np.float64)
    reached = middle + np.array(DIRECTIONS[side]) * 40
    yield from _draw_in(table, side, cards, reached, reach_s, onto_pile=onto_pile)


def _draw_in(
    table: FilmTable,
    side: str,
    cards: Sequence[FilmCard],
    reached: Float64Array,
    reach_s: float,
    *,
    onto_pile: bool = True,
) -> Iterator[FilmMoment]:
    """The hand of `side` reaches for `reached` (mm), pulls `cards` out of the picture, and puts them on its pile.

    Without `onto_pile` they go into the player's hand.
    """
    rng = table.rng
    beyond = table.beyond_mm(side)
    pull = beyond - reached
    yield from move_hand(side, beyond, reached, table.frames_of(reach_s))
    table.pick_up(cards)
    steps = table.frames_of(rng.uniform(0.6, 0.9))
    for k in range(1, steps + 1):
        t = _ease(k / steps)
        moving = []
        for card in cards:
            middle = card.corners_mm.mean(0)
            gathering = 0.6 * min(1.0, 2 * t) if len(cards) > 1 else 0.0
            gathered = (card.corners_mm - middle) + middle * (1 - gathering) + pull * t
            moving.append(replace(card, corners_mm=gathered.astype(np.float32)))
        yield FilmMoment(tuple(moving), {side: reached + pull * t})
    if not onto_pile:
        return
    half_width = min(table.edge_mm("SENW"["ESWN".index(side)]), 400.0)
    inset = 8 + 20 * table.style.difficulty * rng.random()
    corner = np.array(DIRECTIONS[side]) * (table.edge_mm(side) - inset) - sideways(side) * half_width * 0.55
    nudge = rng.normal(0, 3, 2)
    angle = SIDE_ANGLE[side] + rng.normal(0, 0.12)
    table.put_on_pile(side, place_card(corner + nudge, angle))


def truth(
    seats: Mapping[str, str],
    dealer: str,
    rules: str,
    fps: int,
    frames: int,
    plays: Script,
    rested: Sequence[int],
    said: Sequence[Mapping[str, object]] = (),
    options: Mapping[str, bool | int | str] | None = None,
    hands: Sequence[Mapping[str, object]] = (),
) -> dict[str, object]:
    """The content of the truth file of a film of `frames` frames (docs/formats.md).

    `seats` has each player's side, in order of play; `rested` is what `film` returned. `said` is what people said
    before the play, as events of a session file. `options` are those of the rules. `hands` has what begins after the
    first hand, as in the file. Cards that were taken back are in `taken_back`, not in `plays`. `taken` lists the
    players who took the tricks, in order, unless two share a side.
    """
    names = {place: name for name, place in places_at_sides(seats).items()}
    takers = {side: name for name, side in seats.items()} if len(set(seats.values())) == len(seats) else {}
    steps = list(zip(plays, rested, strict=True))
    played = [(play, frame) for play, frame in steps if isinstance(play, FilmedPlay)]
    entries = [
        {"play": names[play.side, play.beside], "card": play.card, "frame": frame} for play, frame in played
    ]
    valid = [play.back_after_s is None for play, _ in played]
    data: dict[str, object] = {
        "seats": [f"{name}@{side}" for name, side in seats.items()],
        "dealer": dealer, "rules": rules, "fps": fps, "frames": frames,
        "plays": [entry for entry, stands in zip(entries, valid, strict=True) if stands],
        "taken": [takers[step.taken_by] for step, _ in steps if step.taken_by in takers],
        "taken_back": [entry for entry, stands in zip(entries, valid, strict=True) if not stands],
    }  # fmt: skip
    shown = [
        {"cards": list(cards), "frame": frame}
        for step, frame in steps
        if not isinstance(step, FilmedPlay)
        for cards in (step.cards, *step.parts)
        if cards
    ]
    more = {"options": dict(options or {}), "said": list(said), "shown": shown, "hands": list(hands)}
    return data | {key: value for key, value in more.items() if value}


def places_at_sides(seats: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Each player's side, and his place there as in `FilmedPlay.beside`; `seats` has the sides, in order of play."""
    order = {side: [name for name, its in seats.items() if its == side] for side in seats.values()}
    return {
        name: (side, 0 if len(order[side]) == 1 else 2 * order[side].index(name) - 1)
        for name, side in seats.items()
    }
