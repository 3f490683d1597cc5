"""Rendered card tables with ground truth, to train the finder and the corner network on.

`render_scene` draws a whole table and gives each card's full rectangle, occluded or not. Corners and table coordinates
are as in `vision.lab.rendering.pasting`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, Float64Array, Rng, UInt8Array, one_of
from vision.decks import BACK, CARD_MM, Deck, Sprite
from vision.lab.rendering.backs import invent_back
from vision.lab.rendering.degrade import lamplight, light, shine, through_camera
from vision.lab.rendering.layouts import Laid, place_card, table
from vision.lab.rendering.papers import flat_thing
from vision.lab.rendering.pasting import camera_matrix, opaque, paste, project, random_cast, random_wear
from vision.lab.rendering.props import draw_clutter, draw_hand
from vision.lab.rendering.tables import (
    draw_floor,
    draw_standing,
    draw_top,
    lay_parquet,
    print_outlines,
    table_end,
)

OTHER_SHAPES = (1.35, 1.9)
"""Aspect ratios (height to width) of poker cards and of the longest tarot cards.

The ratio of a scene's cards is often drawn from between them: the finder learns to go by edges more than by shape.
"""
CLOTH_PX = (720, 405)
"""Width and height of a studio's table tops."""


@dataclass(frozen=True)
class LaidCard:
    """A card in a rendered picture: its name (or BACK), its full rectangle (4, 2) px, its visible share (0..1)."""

    card: str
    corners_px: Float32Array
    visible: float


@dataclass(frozen=True)
class Scene:
    """A rendered table: `picture` (H, W, 3) uint8 BGR and the cards in it, lowest first.

    `things` are the corners (4, 2) px of the papers, phones, books and trays below the cards.
    """

    picture: UInt8Array
    cards: tuple[LaidCard, ...]
    things: tuple[Float32Array, ...] = ()


@dataclass(frozen=True)
class Studio:
    """What scenes are made of: decks, backs that belong to no deck, and table tops (`cloths`).

    The others are for the identifier alone:

    - `crops`: crops of real cards, by card.
    - `invent`: draws a card of no existing deck (`invented.py`), for a share `invented_share` (0..1) of the crops.
    - `cut`: gives the name and crop of something on a whole table; of no card if the flag says so, else of a card.
    """

    decks: tuple[Deck, ...]
    backs: tuple[Sprite, ...]
    cloths: tuple[UInt8Array, ...]
    crops: Mapping[str, Sequence[UInt8Array]] = field(default_factory=dict)
    invent: Callable[[Rng, str], Sprite] | None = None
    invented_share: float = 0.0
    cut: Callable[[Rng, bool], tuple[str, UInt8Array]] | None = None

    def back(self, rng: Rng, deck: Deck) -> Sprite:
        """A back for a scene, in half of the cases the deck's own."""
        own = deck.backs if deck.backs and rng.random() < 0.5 else self.backs
        return one_of(rng, own)

    def cloth(self, rng: Rng, size: tuple[int, int]) -> UInt8Array:
        """A part of a table top of (width, height) px, sometimes flipped or with its colour channels swapped."""
        cloth = one_of(rng, self.cloths)
        width, height = size
        if width > cloth.shape[1] or height > cloth.shape[0]:
            larger = (max(width, cloth.shape[1]), max(height, cloth.shape[0]))
            cloth = cv2.resize(cloth, larger).astype(np.uint8)
        x = int(rng.integers(cloth.shape[1] - width + 1))
        y = int(rng.integers(cloth.shape[0] - height + 1))
        piece = cloth[y : y + height, x : x + width]
        if rng.random() < 0.5:
            piece = piece[::-1]
        if rng.random() < 0.3:
            piece = piece[:, :, rng.permutation(3)]
        return np.ascontiguousarray(piece)


def open_studio(
    rng: Rng, decks: Sequence[Deck], cloths: int = 200, backs: int = 160, textures: Sequence[UInt8Array] = ()
) -> Studio:
    """A studio with `decks`, with so many newly drawn `cloths` and `backs`.

    `textures` are more table tops (H, W, 3), taken from photographs.
    """
    tops = (*(draw_top(rng, CLOTH_PX) for _ in range(cloths)), *textures)
    faces = [face for deck in decks for face in deck.faces.values()]
    return Studio(tuple(decks), tuple(invent_back(rng, tops, faces) for _ in range(backs)), tops)


def render_scene(rng: Rng, studio: Studio, size: tuple[int, int], card_height: float | None = None) -> Scene:
    """Render one random table of (width, height) px: background, things, cards, hands, light, camera.

    A card in the middle is `card_height` px high; by default its height is random. Cards of which less than a fifth is
    visible, or less than half inside the picture, are drawn but not listed.
    """
    width, height = size
    deck = one_of(rng, studio.decks)
    # Two packs are often in use at a table, with backs of different colours.
    backs = [studio.back(rng, deck) for _ in range(2 if rng.random() < 0.35 else 1)]
    canvas = studio.cloth(rng, size)
    # Mostly a view of the whole table, sometimes of a low camera or a phone held over the cards.
    # Cards 60 px high in a picture 1280 px wide are the smallest that can be read.
    low, high = (0.045, 0.2) if rng.random() < 0.85 else (0.2, 0.45)
    if card_height is None:
        card_height = width * float(np.exp(rng.uniform(np.log(low), np.log(high))))
    tilt = rng.uniform(0, 42) if rng.random() < 0.7 else rng.uniform(0, 8)
    matrix = camera_matrix(size, card_height, tilt, rng.uniform(0, 360), rng.normal(0, 6))
    reach_mm = np.array([width, height]) / 2 * CARD_MM[1] / card_height
    size_mm = CARD_MM
    if rng.random() < 0.4:
        size_mm = (CARD_MM[1] / rng.uniform(*OTHER_SHAPES), CARD_MM[1])
    laid = table(rng, deck, reach_mm, size_mm)
    rare = rng.spawn(1)[0]  # a generator of its own: its draws leave those of `rng` as they are
    _lay_out(rare, canvas, matrix, reach_mm, size_mm)
    soft = rare.uniform(1.5, 3.0) if rare.random() < 0.1 else 1.0
    if rng.random() < 0.3:
        end_mm = table_end(rng, reach_mm)
        draw_floor(rng, canvas, studio.cloth(rng, size), project(matrix, end_mm))
        laid = [
            (card, at) for card, at in laid if cv2.pointPolygonTest(end_mm, at.mean(0).tolist(), False) >= 0
        ]

    things = [
        _lay_thing(rng, canvas, matrix, reach_mm, laid)
        for _ in range(int(rng.choice(4, p=(0.3, 0.35, 0.2, 0.15))))
    ]
    cards_px = [project(matrix, at) for _, at in laid]
    for _ in range(int(rng.choice(5, p=(0.35, 0.25, 0.2, 0.1, 0.1)))):
        if rng.random() < 0.35:
            draw_clutter(rng, canvas, card_height)
        else:
            draw_standing(rng, canvas, card_height, cards_px)
    if rng.random() < 0.12:  # a lacquered table mirrors lamps, and the cards on it do not
        canvas[:] = shine(rng, canvas)
    corners, owner = _lay_cards(rng, canvas, matrix, laid, deck, backs)
    if rng.random() < 0.45:
        before = canvas.copy()
        for _ in range(int(rng.integers(1, 3))):
            _reach_in(rng, canvas, corners, card_height)
        owner[(before != canvas).any(2)] = -1
    if rng.random() < 0.5:
        canvas = lamplight(rng, canvas)
    picture = through_camera(
        rng, light(rng, canvas), blur_px=soft * float(np.clip(card_height / 60, 0.4, 1.6))
    )
    return Scene(picture, _in_view(laid, corners, owner), tuple(things))


def _lay_out(
    rng: Rng, canvas: UInt8Array, matrix: Float64Array, reach_mm: Float64Array, size_mm: tuple[float, float]
) -> None:
    """Seldom make the table of parquet, or print outlines of cards on it, alone or in rows."""
    if rng.random() < 0.06:
        top, foot = project(matrix, [[0.0, 0.0], [0.0, size_mm[1]]])
        lay_parquet(rng, canvas, float(np.linalg.norm(foot - top)))
    if rng.random() < 0.08:
        turn, apart = float(rng.choice(4) * np.pi / 2 + rng.normal(0, 0.1)), rng.uniform(1.05, 1.6)
        middle, count = rng.uniform(-0.6, 0.6, 2) * reach_mm, int(rng.integers(1, 8))
        step = np.array([np.cos(turn), np.sin(turn)]) * size_mm[0] * apart
        mat_mm = np.array(size_mm) * rng.uniform(0.9, 1.15)
        places = [middle + step * (k - (count - 1) / 2) for k in range(count)]
        places_px = [project(matrix, place_card(at, turn, mat_mm)) for at in places]
        print_outlines(rng, canvas, places_px, int(rng.integers(1, 5)))


def _lay_cards(
    rng: Rng, canvas: UInt8Array, matrix: Float64Array, laid: Laid, deck: Deck, backs: Sequence[Sprite]
) -> tuple[list[Float32Array], npt.NDArray[np.int16]]:  # fmt: skip
    """Draw the cards of `laid` into `canvas`.

    Returns their corners (4, 2) px, and for each pixel (H, W) the index of the card that it shows, -1 for none.
    """
    owner = np.full(canvas.shape[:2], -1, np.int16)
    # Under a large lamp cards throw hardly any shadow. Nothing then shows where a white card ends on another.
    shadow = rng.uniform(0, 0.06) if rng.random() < 0.3 else rng.uniform(0, 0.5)
    # A pack wears as one: if every card had a tint of its own, that alone would tell neighbours apart.
    worn, alike = random_wear(rng), rng.random() < 0.7
    cast, lifted = random_cast(rng), rng.random() < 0.4
    back = backs[0]
    middle = np.array(canvas.shape[1::-1], np.float32) / 2
    corners = []
    for index, (card, corners_mm) in enumerate(laid):
        corners_px = project(matrix, corners_mm)
        wear = worn if alike else random_wear(rng)
        if lifted:
            # A bent card's corners stand a few mm above the table: they are seen farther from the middle.
            corners_px += (corners_px - middle) * rng.uniform(0, 0.008, (4, 1)).astype(np.float32)
            bow = (float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.06)), float(rng.normal(0, 0.08)))
            wear = replace(wear, bow=bow)
        corners.append(corners_px)
        if index == 0 or laid[index - 1][0] != BACK or rng.random() < 0.1:  # a pile is of one pack
            back = one_of(rng, backs)
        sprite = back if card == BACK else deck.faces[card]
        touched = paste(canvas, sprite, corners_px, shadow, wear, cast)
        if touched is not None:
            rows, columns, mask = touched
            owner[rows, columns][mask] = index
    return corners, owner


def _reach_in(rng: Rng, canvas: UInt8Array, corners: Sequence[Float32Array], card_height: float) -> None:
    """Draw a hand that comes from any side, mostly for one of the cards at `corners`, else for any place."""
    height, width = canvas.shape[:2]
    target = one_of(rng, corners).mean(0) if corners else np.array([0.0, 0.0])
    if rng.random() < 0.4:
        target = rng.uniform(0, 1, 2) * [width, height]
    side = rng.integers(4)
    reach = side * np.pi / 2 + rng.normal(0, 0.35)
    off = rng.uniform(-0.3, 1.6) * card_height * 0.5
    tip = (
        float(target[0] + np.cos(reach) * off + rng.normal(0, card_height * 0.1)),
        float(target[1] + np.sin(reach) * off + rng.normal(0, card_height * 0.1)),
    )
    draw_hand(rng, canvas, tip, float(reach), float(card_height * rng.uniform(0.5, 0.8)))


def _in_view(
    laid: Laid, corners: Sequence[Float32Array], owner: npt.NDArray[np.int16]
) -> tuple[LaidCard, ...]:
    """The cards of `laid` that are visible enough to be found; `corners` and `owner` as of `_lay_cards`."""
    height, width = owner.shape
    counts = np.bincount(owner[owner >= 0].ravel(), minlength=len(laid))
    listed = []
    for (card, _), corners_px, count in zip(laid, corners, counts, strict=True):
        area = float(cv2.contourArea(corners_px))
        inside = _area_inside(corners_px, width, height)
        visible = float(count) / max(area, 1.0)
        if visible >= 0.2 and inside >= 0.5 * area:
            listed.append(LaidCard(card, corners_px, min(1.0, visible)))
    return tuple(listed)


def _lay_thing(
    rng: Rng, canvas: UInt8Array, matrix: Float64Array, reach_mm: Float64Array, laid: Laid
) -> Float32Array:
    """Lay a paper, a phone, a book or a tray on the table; returns its corners (4, 2) px.

    It lies anywhere, or under or beside one of the cards of `laid`, often along it. `matrix` projects mm to px;
    `reach_mm` is half the view (x, y).
    """
    art, thing_mm = flat_thing(rng)
    at, turn = rng.uniform(-1.1, 1.1, 2) * reach_mm, rng.uniform(0, 2 * np.pi)
    if laid and rng.random() < 0.4:
        card = one_of(rng, laid)[1]
        at = card.mean(0) + rng.uniform(-0.7, 0.7, 2) * (CARD_MM[1] + max(thing_mm))
        if rng.random() < 0.5:
            along = card[1] - card[0]
            turn = np.arctan2(along[1], along[0]) + rng.integers(4) * np.pi / 2 + rng.normal(0, 0.04)
    corners_px = project(matrix, place_card(at, float(turn), thing_mm))
    paste(canvas, opaque(art), corners_px, rng.uniform(0, 0.4))
    return corners_px


def _area_inside(corners_px: Float32Array, width: int, height: int) -> float:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, _ = cv2.intersectConvexConvex(corners_px, frame)
    return float(area)
