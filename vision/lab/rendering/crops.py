"""Rendered crops to train the identifier on: one card, rectified from a degraded picture by slightly wrong corners.

`render_crop` lays one card for each crop. `cut_table` cuts the cards out of a whole rendered table: they are as small,
as dim and as covered as the finder's.

Table coordinates are mm; the card lies at the origin. Corners are as in `vision.lab.rendering.pasting`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, Rng, UInt8Array, one_of
from vision.decks import BACK, CARD_MM, Deck, Sprite
from vision.lab.rendering.degrade import light, through_camera
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.papers import flat_thing
from vision.lab.rendering.pasting import camera_matrix, opaque, paste, project, random_wear
from vision.lab.rendering.props import draw_clutter, draw_hand, draw_page
from vision.lab.rendering.scene import LaidCard, Scene, Studio, render_scene
from vision.picture import NOT_A_CARD, overlap, rectify

INDEX_MM = 28.0
"""How far the indices reach in from a card's short side."""
SHEETS = 0.75
"""Share of score sheets among the things in crops of no card: their numerals are taken for trumps."""

HEIGHTS_PX = (45.0, 150.0)
"""Height of the cards on whole tables, px: from the least at which an index can be read to that of close looks."""
LEAST_SHOWN = 0.33
"""Share in view from which a card of a table is to be named. With less in view, mostly no index shows."""
NO_CARD = 0.3
"""A box whose IoU with every card is below this is on no card."""


@dataclass(frozen=True)
class BareTable:
    """A part of a table to make a crop on: `canvas` (H, W, 3) uint8 BGR; `matrix` projects mm to px.

    A card at the origin is `card_height` px high. `shadow` (0..1) is how dark the shadows of cards are.
    """

    canvas: UInt8Array
    matrix: Float64Array
    card_height: float
    shadow: float


def bare_table(rng: Rng, studio: Studio) -> BareTable:
    """A table for a card 90 to 235 px high, seen from any side, tilted by up to 35 degrees."""
    card_height = float(np.exp(rng.uniform(np.log(90), np.log(235))))
    size = (int(card_height * 1.5), int(card_height * 1.5))
    canvas = studio.cloth(rng, size)
    tilt = rng.uniform(0, 35) if rng.random() < 0.5 else rng.uniform(0, 8)
    matrix = camera_matrix(size, card_height, tilt, rng.uniform(0, 360), rng.uniform(0, 360))
    return BareTable(canvas, matrix, card_height, rng.uniform(0, 0.5))


def cover_mm(rng: Rng, least: float, most: float) -> Float32Array:
    """Random corners (4, 2) in mm of a card that partly covers another at the origin.

    It covers a share between `least` and `most` (at most 0.7), and leaves one end of `INDEX_MM` uncovered.
    """
    half_width, half_height = CARD_MM[0] / 2, CARD_MM[1] / 2
    card = place_card((0.0, 0.0), 0.0)
    end = np.array([[-half_width, -half_height], [half_width, -half_height]], np.float32)
    end = np.concatenate([end, end[::-1] + np.array([0, INDEX_MM], np.float32)]).astype(np.float32)
    while True:
        at = (float(rng.uniform(-75, 75)), float(rng.uniform(-20, 110)))
        cover = place_card(at, float(rng.uniform(0, 2 * np.pi)))
        share = cv2.intersectConvexConvex(card, cover)[0] / (CARD_MM[0] * CARD_MM[1])
        if least <= share <= most and cv2.intersectConvexConvex(end, cover)[0] == 0:
            return cover if rng.random() < 0.5 else -cover


def _stack_mm(rng: Rng) -> list[Float32Array]:
    """A more or less neat stack of cards at the origin: the corners (4, 2) in mm of each, the lowest first."""
    mess_mm, turn = rng.uniform(1, 9), rng.uniform(0.02, 0.25)
    return [
        place_card(at, float(rng.normal(0, turn)))
        for at in rng.normal(0, mess_mm, (int(rng.integers(3, 13)), 2))
    ]


def cut_out(rng: Rng, picture: UInt8Array, corners_px: Float32Array, turns: int) -> UInt8Array:
    """The crop of the card at `corners_px`, moved by a few per cent and turned by `turns` quarters."""
    edge = np.linalg.norm(corners_px[3] - corners_px[0])
    jitter = rng.normal(0, 0.018, (4, 2)) + rng.normal(0, 0.015, (1, 2))
    return rectify(picture, np.roll(corners_px + (jitter * edge).astype(np.float32), turns, axis=0))


def render_crop(
    rng: Rng, studio: Studio, card: str, hardness: float = 1.0, *, upright: bool = False
) -> UInt8Array:
    """Render `card` (a name, or NOT_A_CARD) as the identifier sees it: (CROP_PX, CROP_PX, 3) uint8 BGR.

    The card is 90 to 235 px high in the frame, either way up unless `upright`. Its corners are off by a few per cent. A
    share `hardness` (0..1) of the crops may be covered, blurred, in glare and so on; the others are clean.
    """
    holders = [deck for deck in studio.decks if card in deck.faces] or studio.decks
    deck = one_of(rng, holders)
    table = bare_table(rng, studio)
    back = studio.back(rng, deck)
    invent = studio.invent if studio.invented_share and rng.random() < studio.invented_share else None
    laying = _Laying(rng, table, card, deck, back, invent)
    hard = rng.random() < hardness
    if hard and rng.random() < 0.5:
        laying.lay(laying.other(), place_card(laying.near(60), rng.uniform(0, 2 * np.pi)))
    bad = card == NOT_A_CARD
    corners = _lay_nothing(laying, studio) if bad else _lay_shown(laying, hard)
    if hard and rng.random() < (0.5 if bad else 0.15):
        toward = rng.uniform(0, 2 * np.pi)
        off = rng.uniform(0.0, 0.2) if bad else rng.uniform(0.2, 0.55)
        off_px = off * table.card_height * np.array([np.cos(toward), np.sin(toward)])
        tip = np.array(table.canvas.shape[1::-1]) / 2 + off_px
        size = table.card_height * float(rng.uniform(0.4, 0.7))
        draw_hand(rng, table.canvas, (tip[0], tip[1]), float(toward), size)
    picture = table.canvas
    if hard:
        picture = through_camera(rng, light(rng, picture), blur_px=min(2.4, 0.6 + table.card_height / 90))
    elif rng.random() < 0.8:
        picture = through_camera(rng, light(rng, picture, glossy=0.0), blur_px=0.7)
    if hard and not bad and rng.random() < 0.2:
        # Where cards overlap, a box sometimes ends at the edge of the wrong one.
        off_px = rng.normal(0, 0.05, 2) * np.linalg.norm(corners[3] - corners[0])
        corners = corners + off_px.astype(np.float32)
    turns = 0 if upright else int(rng.integers(4)) if bad else 2 * int(rng.integers(2))
    return cut_out(rng, picture, corners, turns)


@dataclass(frozen=True)
class _Laying:
    """The cards laid for a crop of `card`: of one deck with one back, some of them drawn by `invent`."""

    rng: Rng
    table: BareTable
    card: str
    deck: Deck
    back: Sprite
    invent: Callable[[Rng, str], Sprite] | None

    def lay(self, name: str, corners_mm: Float32Array) -> Float32Array:
        """Lay a card at `corners_mm` (4, 2) and return its corners in px."""
        corners_px = project(self.table.matrix, corners_mm)
        if name == BACK:
            sprite = self.back
        elif self.invent is not None and (name == self.card or self.rng.random() < 0.5):
            sprite = self.invent(self.rng, name)
        else:
            sprite = self.deck.faces[name]
        paste(self.table.canvas, sprite, corners_px, self.table.shadow, random_wear(self.rng))
        return corners_px

    def other(self) -> str:
        """The name of a random card."""
        names = list(self.deck.faces)
        return names[int(self.rng.integers(len(names)))]

    def near(self, spread_mm: float) -> tuple[float, float]:
        """A random point in mm, normally distributed about the origin."""
        x, y = self.rng.normal(0, spread_mm, 2)
        return float(x), float(y)


def _lay_shown(laying: _Laying, hard: bool) -> Float32Array:
    """Lay the card of the crop, often with another over it if `hard`; returns its corners (4, 2) px."""
    rng = laying.rng
    at = laying.near(3)
    corners = laying.lay(laying.card, place_card(at, 0.0))
    over = BACK if rng.random() < 0.1 else laying.other()
    kind = rng.random()
    if hard and kind < 0.35:
        # Covered from an edge to more than half, with the index at one end in view.
        least = rng.uniform(0.05, 0.58)
        laying.lay(over, cover_mm(rng, least, least + 0.1) + np.array(at, np.float32))
    elif hard and kind < 0.65:
        # Covered at one end or side, never much more than half.
        away = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.3)
        reach = rng.uniform(50, 114) if abs(np.sin(away)) > 0.7 else rng.uniform(28, 80)
        turn = away + rng.choice([0, np.pi / 2]) + rng.normal(0, 0.3)
        laying.lay(over, place_card((np.cos(away) * reach, np.sin(away) * reach), turn))
    return corners


def _lay_nothing(laying: _Laying, studio: Studio) -> Float32Array:
    """Lay something that is not one readable card; returns the corners (4, 2) px of the box taken for a card.

    It is a card face down, the edges of a stack of tricks, a part of a score sheet, screen, book or tray, clutter, bare
    cloth, or a card that the box misses badly, as when the finder sees one card where two overlap.
    """
    rng, table = laying.rng, laying.table
    kind = rng.random()
    if kind < 0.15:
        return laying.lay(BACK, place_card((0.0, 0.0), 0.0))
    if kind < 0.26:
        for corners_mm in _stack_mm(rng):
            laying.lay(BACK, corners_mm)
        box = place_card((0.0, 0.0), float(rng.choice([0, 0, np.pi / 2]) + rng.normal(0, 0.3)))
        resized = box * rng.uniform(0.5, 1.15, 2) + rng.normal(0, 18, 2)
        return project(table.matrix, resized.astype(np.float32))
    if kind < 0.72:
        return _lay_part_of_thing(laying)
    corners = laying.lay(laying.other(), place_card((0.0, 0.0), 0.0))
    if kind < 0.87:
        shift = rng.uniform(0.45, 0.8) * (1 if rng.random() < 0.5 else -1)
        off = np.zeros(2, np.float32)
        off[int(rng.integers(2))] = shift * np.linalg.norm(corners[3] - corners[0])
        return corners + off
    table.canvas[:] = studio.cloth(rng, table.canvas.shape[1::-1])
    if rng.random() < 0.3:
        draw_page(rng, table.canvas, table.card_height)
    if rng.random() < 0.7:
        draw_clutter(rng, table.canvas, table.card_height)
    return corners


def _lay_part_of_thing(laying: _Laying) -> Float32Array:
    """Lay a paper, screen, book or tray; returns the corners (4, 2) px of a box on it, mostly along its edges."""
    rng, table = laying.rng, laying.table
    art, thing_mm = flat_thing(rng, SHEETS)
    turn = float(rng.uniform(0, 2 * np.pi))
    c, s = np.cos(turn), np.sin(turn)
    at = np.array([[c, -s], [s, c]]) @ (rng.uniform(-0.45, 0.45, 2) * thing_mm)
    corners_px = project(table.matrix, place_card(at, turn, thing_mm))
    paste(table.canvas, opaque(art), corners_px, table.shadow)
    askew = rng.normal(0, 0.04) if rng.random() < 0.8 else rng.uniform(0, np.pi)
    sides = np.array(CARD_MM) * rng.uniform(0.7, 1.3, 2)
    box = place_card((0.0, 0.0), turn + float(rng.integers(4)) * np.pi / 2 + float(askew), sides)
    return project(table.matrix, box)


class InventedFaces(Mapping[str, Sprite]):
    """The faces `names` of an invented pack. `invent` draws a face when it is first laid: most never are."""

    def __init__(self, rng: Rng, names: Sequence[str], invent: Callable[[Rng, str], Sprite]):
        """No card is drawn yet."""
        self._rng, self._names, self._invent = rng, tuple(names), invent
        self._drawn: dict[str, Sprite] = {}

    def __getitem__(self, name: str) -> Sprite:
        """The face of `name`, the same each time; raises `KeyError` if the pack has none."""
        if name not in self._names:
            raise KeyError(name)
        if name not in self._drawn:
            self._drawn[name] = self._invent(self._rng, name)
        return self._drawn[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def cut_table(rng: Rng, studio: Studio, shares: Mapping[str, float]) -> list[tuple[str, UInt8Array]]:
    """Crops of a newly rendered table: the name (a card's, or NOT_A_CARD) and the crop (CROP_PX, CROP_PX, 3) of each.

    `shares` are the cards that may be on the table, each with its probability. Cards are `HEIGHTS_PX` high. Of a face
    at least `LEAST_SHOWN` is in view. Crops of no card show a back, a part of a thing, or what a box beside or across
    cards holds.
    """
    card_height = float(np.exp(rng.uniform(np.log(HEIGHTS_PX[0]), np.log(HEIGHTS_PX[1]))))
    reach = rng.uniform(3.0, 5.5)
    size = (int(min(760, card_height * reach)), int(min(600, card_height * reach * rng.uniform(0.7, 1.0))))
    scene = render_scene(rng, replace(studio, decks=(_some_pack(rng, studio, shares),)), size, card_height)
    crops = []
    for card in scene.cards:
        name = NOT_A_CARD if card.card == BACK else card.card
        if card.visible >= LEAST_SHOWN:
            crops.append((name, _cut_found(rng, scene, as_found(rng, card))))
    for _ in range(2 if scene.things else 1):
        nothing = empty_box(rng, scene, size, card_height)
        if nothing is not None:
            crops.append((NOT_A_CARD, _cut_found(rng, scene, np.roll(nothing, int(rng.integers(4)), axis=0))))
    return crops


def _some_pack(rng: Rng, studio: Studio, shares: Mapping[str, float]) -> Deck:
    deck = one_of(rng, studio.decks)
    invent = studio.invent if studio.invented_share and rng.random() < studio.invented_share else None
    known = [name for name in shares if invent is not None or name in deck.faces]
    names = [name for name in known if rng.random() < shares[name]] or known
    if invent is not None:
        return replace(deck, faces=InventedFaces(rng, names, invent))
    return replace(deck, faces={name: deck.faces[name] for name in names})


def as_found(rng: Rng, card: LaidCard) -> Float32Array:
    """The corners (4, 2) px of `card` as the corner network leaves them: near, but for a hidden side or end."""
    corners = card.corners_px
    edge = float(np.linalg.norm(corners[3] - corners[0]))
    sigma = float(np.exp(rng.uniform(np.log(0.003), np.log(0.025))))
    off = rng.normal(0, sigma, (4, 2)) + rng.normal(0, sigma * 0.7, (1, 2))
    found = corners + (off * edge).astype(np.float32)
    if rng.random() < (0.08 if card.visible >= 0.95 else 0.25):
        # A hidden side is guessed, or taken where the neighbour's is.
        side = int(rng.integers(4))
        a, b = side, (side + 1) % 4
        inward = (found[(a + 3) % 4] + found[(b + 1) % 4] - found[a] - found[b]) / 2
        inward /= max(1.0, float(np.linalg.norm(inward)))
        found[[a, b]] += (inward * edge * rng.uniform(-0.08, 0.12)).astype(np.float32)
    return found.astype(np.float32)


def _cut_found(rng: Rng, scene: Scene, corners_px: Float32Array) -> UInt8Array:
    return rectify(scene.picture, np.roll(corners_px, 2 * int(rng.integers(2)), axis=0))


def empty_box(rng: Rng, scene: Scene, size: tuple[int, int], card_height: float) -> Float32Array | None:
    """A likely false positive of the finder, (4, 2) px: on a thing, on cloth or across cards; None if none fits."""
    for _ in range(8):
        at = rng.uniform(0.05, 0.95, 2) * size
        turn = float(rng.uniform(0, 360))
        if scene.things and rng.random() < 0.6:
            # A column of a score sheet is as wide as a card, and parallel to the sheet's edges.
            corners = one_of(rng, scene.things)
            share = rng.dirichlet((1, 1, 1, 1))
            at = share @ corners
            along = corners[1] - corners[0]
            heading = float(np.degrees(np.arctan2(along[1], along[0])))
            turn = heading + 90 * float(rng.integers(2)) + rng.normal(0, 3)
            if not (0 < at[0] < size[0] and 0 < at[1] < size[1]):
                continue
        elif scene.cards and rng.random() < 0.4:
            at = one_of(rng, scene.cards).corners_px.mean(0)
            at = at + rng.normal(0, 0.5, 2) * card_height
        high = card_height * rng.uniform(0.6, 1.4)
        wide = high * CARD_MM[0] / CARD_MM[1] * rng.uniform(0.75, 1.35)
        box = cv2.boxPoints(((float(at[0]), float(at[1])), (wide, high), turn))
        # boxPoints starts at the lower left corner of an upright box, so with a long side.
        rough = np.roll(box, -1, axis=0).astype(np.float32)
        if all(overlap(card.corners_px, rough) < NO_CARD for card in scene.cards):
            return rough
    return None
