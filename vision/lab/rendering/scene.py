"""Rendered card tables with ground truth, to train the finder and the corner network on.

`render_scene` draws a whole table and gives each card's full rectangle, occluded or not.

Corners are the top left, top right, bottom right and bottom left of the card's own picture, in px of the rendered
picture. Table coordinates are mm; the origin is where the camera looks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import BoolArray, Float32Array, Float64Array, UInt8Array
from vision.decks import BACK, CARD_MM, Deck, Sprite
from vision.lab.rendering.backs import invent_back
from vision.lab.rendering.degrade import lamplight, light, shine, through_camera
from vision.lab.rendering.layouts import Laid, place_card, table
from vision.lab.rendering.papers import flat_thing
from vision.lab.rendering.props import Color, draw_clutter, draw_hand
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

Scenes vary the ratio between them, so that the finder goes by a card's edges more than by its shape.
"""

LARGEST = 4
"""Breadths of the picture that a card may fill: a larger one lies beside the camera, or behind it."""


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


def camera_matrix(
    size: tuple[int, int], card_height_px: float, tilt_deg: float, azimuth_deg: float, turn_deg: float
) -> Float64Array:
    """The (3, 3) homography from table mm to px of a (width, height) picture.

    A card at the origin is about `card_height_px` high. The camera is tilted `tilt_deg` from the vertical
    towards `azimuth_deg` and rolled about its own axis by `turn_deg`.
    """
    width, height = size
    focal = 1.1 * width
    distance = focal * CARD_MM[1] / card_height_px
    tilt, azimuth, turn = np.radians([tilt_deg, azimuth_deg, turn_deg])

    def about_z(angle: float) -> Float64Array:
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    rotation = about_z(turn) @ about_z(-azimuth) @ lean @ about_z(azimuth)
    extrinsic = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    intrinsic = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    return np.asarray(intrinsic @ extrinsic, np.float64)


def project(matrix: Float64Array, points_mm: npt.ArrayLike) -> Float32Array:
    """Project (N, 2) table points in mm to (N, 2) float32 px."""
    points = np.asarray(points_mm, np.float64).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(points, matrix).reshape(-1, 2).astype(np.float32)


@dataclass(frozen=True)
class Wear:
    """How a printed card differs from its picture.

    Colours (BGR) are multiplied by `gain` and shifted by `offset` (0..255). `cut` is the share trimmed off each
    side (x, y), `edge` (0..1) how much the rim is darkened by wear. `bow` is how the light falls on a bent card: its
    direction in rad, and how much brighter one end and the middle are (shares).
    """

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    offset: float = 0.0
    cut: tuple[float, float] = (0.0, 0.0)
    edge: float = 0.0
    bow: tuple[float, float, float] = (0.0, 0.0, 0.0)


MINT = Wear()


@dataclass(frozen=True)
class Cast:
    """How cards throw shadows: how soft they are, and where they fall (x, y), all in heights of a card.

    `rim` is the colour of a card's thickness, seen on the sides towards the light; None where it is not seen.
    """

    soft: float = 0.02
    off: tuple[float, float] = (0.0, 0.0)
    rim: Color | None = None


AROUND = Cast()


def random_cast(rng: np.random.Generator) -> Cast:
    """A close shadow all round, or one that falls to one side, thin and dark to wide and soft."""
    kind, way = rng.random(), rng.uniform(0, 2 * np.pi)
    if kind < 0.35:
        return AROUND
    soft, off = (rng.uniform(0.004, 0.015), rng.uniform(0.005, 0.025))
    if kind > 0.7:
        soft, off = rng.uniform(0.02, 0.06), rng.uniform(0.02, 0.08)
    level = rng.uniform(170, 250) if rng.random() < 0.5 else rng.uniform(30, 120)
    rim = (level * 0.92, level * 0.97, level) if rng.random() < 0.4 else None
    return Cast(soft, (float(np.cos(way) * off), float(np.sin(way) * off)), rim)


def paste(
    canvas: UInt8Array,
    sprite: Sprite,
    corners_px: Float32Array,
    shadow: float = 0.0,
    wear: Wear = MINT,
    cast: Cast = AROUND,
) -> tuple[slice, slice, BoolArray] | None:
    """Draw `sprite` into `canvas` with its corners on `corners_px` (4, 2); `shadow` (0..1) darkens where `cast` says.

    Returns the rows and columns touched and, of their size, the mask of pixels that now show the card. Returns
    None when the card is outside the picture, or too large to be in it.
    """
    height, width = canvas.shape[:2]
    height_px = float(
        max(np.linalg.norm(corners_px[3] - corners_px[0]), np.linalg.norm(corners_px[2] - corners_px[1]))
    )
    margin = 4
    if shadow > 0 and cast is not AROUND:
        margin += int((max(np.abs(cast.off)) + 2 * cast.soft) * min(height_px, max(height, width)))
    low = np.floor(corners_px.min(0)).astype(int) - margin
    high = np.ceil(corners_px.max(0)).astype(int) + margin
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(width, int(high[0])), min(height, int(high[1]))
    if x0 >= x1 or y0 >= y1 or (high - low).max() > LARGEST * max(height, width):
        return None
    local = corners_px - np.array([x0 + 0.5, y0 + 0.5], np.float32)
    shown = _warped(sprite, local, (x1 - x0, y1 - y0), height_px, wear)
    rows, columns = slice(y0, y1), slice(x0, x1)
    alpha = shown[:, :, 3]
    transparency = 1 - alpha.astype(np.float32) / 255
    if shadow > 0:
        fallen = alpha
        if cast.off != (0.0, 0.0):
            move = np.array([[1, 0, cast.off[0] * height_px], [0, 1, cast.off[1] * height_px]])
            fallen = cv2.warpAffine(alpha, move, alpha.shape[::-1]).astype(np.uint8, copy=False)
        around = cv2.GaussianBlur(
            fallen, (0, 0), max(0.7 if cast.off != (0.0, 0.0) else 1.0, height_px * cast.soft)
        )
        transparency *= 1 - around.astype(np.float32) * (shadow / 255)
    below = cv2.multiply(canvas[rows, columns], cv2.merge([transparency] * 3), dtype=cv2.CV_8U)
    canvas[rows, columns] = cv2.add(below, _printed(shown, height_px, wear))
    if cast.rim is not None:
        _draw_rim(canvas, corners_px, cast.off, cast.rim)
    return rows, columns, alpha > 127


def _draw_rim(canvas: UInt8Array, corners_px: Float32Array, off: tuple[float, float], rim: Color) -> None:
    """Draw a thin line along the sides of a card towards the light, whose shadows fall to `off` (x, y)."""
    middle = corners_px.mean(0)
    for a, b in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        if np.dot((a + b) / 2 - middle, off) < 0:
            ends = np.round((np.stack([a * 0.95 + b * 0.05, a * 0.05 + b * 0.95]) - 0.5) * 16).astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), rim, 1, cv2.LINE_AA, 4)


def _warped(
    sprite: Sprite, corners_px: Float32Array, size: tuple[int, int], height_px: float, wear: Wear
) -> UInt8Array:
    """`sprite`, trimmed by `wear.cut`, warped to `corners_px` in a premultiplied BGRA picture of (width, height) px."""
    level = max((i for i, art in enumerate(sprite) if art.shape[0] >= height_px * 0.75), default=0)
    art = sprite[level]
    h, w = art.shape[:2]
    dx, dy = w * wear.cut[0], h * wear.cut[1]
    source = np.array([[dx, dy], [w - dx, dy], [w - dx, h - dy], [dx, h - dy]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, corners_px)
    shown = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_LINEAR)
    if wear.cut != (0.0, 0.0):
        sheet = np.zeros(shown.shape[:2], np.uint8)
        cv2.fillConvexPoly(sheet, np.round(corners_px * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        shown = cv2.multiply(shown, cv2.merge([sheet] * 4), scale=1 / 255)
    return shown.astype(np.uint8, copy=False)


def _printed(shown: UInt8Array, height_px: float, wear: Wear) -> UInt8Array:
    """The colours of `shown`, premultiplied BGRA, as a card with this `wear` has them: premultiplied BGR."""
    # The offset is added in proportion to alpha, since colours are premultiplied.
    ink = cv2.transform(shown, np.hstack([np.diag(wear.gain), np.full((3, 1), wear.offset / 255)]))
    if wear.edge:
        alpha = cv2.extractChannel(shown, 3)
        rim = cv2.GaussianBlur(cv2.erode(alpha, np.ones((3, 3))), (0, 0), height_px * 0.012)
        worn = 1 - wear.edge * (1 - rim.astype(np.float32) / 255)
        ink = cv2.multiply(ink, cv2.merge([worn] * 3), dtype=cv2.CV_8U)
    if wear.bow != (0.0, 0.0, 0.0):
        way, slope, hump = wear.bow
        high, wide = shown.shape[:2]
        y, x = np.arange(high) / high * 2 - 1, np.arange(wide) / wide * 2 - 1
        along = np.add.outer(y * np.sin(way), x * np.cos(way))
        bent = (1 + slope * along - hump * (along**2 - 0.3)).astype(np.float32)
        ink = cv2.multiply(ink, cv2.merge([bent] * 3), dtype=cv2.CV_8U)
    return ink.astype(np.uint8, copy=False)


def random_wear(rng: np.random.Generator) -> Wear:
    """The wear of some print of a card: yellowed, faded, worn at the edges, cut a little differently; or none."""
    if rng.random() < 0.3:
        return MINT
    fade = rng.uniform(0.75, 1.0)
    cut = rng.uniform(0, 0.045) if rng.random() < 0.35 else 0.0
    return Wear(
        gain=(fade * rng.uniform(0.78, 1), fade * rng.uniform(0.88, 1), fade * rng.uniform(0.92, 1)),
        offset=255 * (1 - fade) * rng.uniform(0.2, 0.9),
        cut=(cut * rng.uniform(0.8, 1.8), cut),
        edge=0.4 if rng.random() < 0.25 else 0.0,
    )


@dataclass(frozen=True)
class Studio:
    """What scenes are made of: decks, backs that belong to no deck, and table tops (`cloths`).

    `crops` are crops of real cards by card; the identifier trains on them besides the rendered ones.
    `invent` draws a card of no existing deck (see `invented.py`), for `invented_share` (0..1) of the crops.
    `cut` gives a crop cut out of a whole table, with its name: of no card if it is told so.
    """

    decks: tuple[Deck, ...]
    backs: tuple[Sprite, ...]
    cloths: tuple[UInt8Array, ...]
    crops: Mapping[str, Sequence[UInt8Array]] = field(default_factory=dict)
    invent: Callable[[np.random.Generator, str], Sprite] | None = None
    invented_share: float = 0.0
    cut: Callable[[np.random.Generator, bool], tuple[str, UInt8Array]] | None = None

    def back(self, rng: np.random.Generator, deck: Deck) -> Sprite:
        """A back for a scene, in half of the cases the deck's own."""
        own = deck.backs if deck.backs and rng.random() < 0.5 else self.backs
        return own[int(rng.integers(len(own)))]

    def cloth(self, rng: np.random.Generator, size: tuple[int, int]) -> UInt8Array:
        """A part of a table top of (width, height) px, sometimes flipped or with its colour channels swapped."""
        cloth = self.cloths[int(rng.integers(len(self.cloths)))]
        width, height = size
        if width > cloth.shape[1] or height > cloth.shape[0]:
            cloth = cv2.resize(cloth, (max(width, cloth.shape[1]), max(height, cloth.shape[0]))).astype(
                np.uint8
            )
        x = int(rng.integers(cloth.shape[1] - width + 1))
        y = int(rng.integers(cloth.shape[0] - height + 1))
        piece = cloth[y : y + height, x : x + width]
        if rng.random() < 0.5:
            piece = piece[::-1]
        if rng.random() < 0.3:
            piece = piece[:, :, rng.permutation(3)]
        return np.ascontiguousarray(piece)


def open_studio(
    rng: np.random.Generator,
    decks: Sequence[Deck],
    cloths: int = 200,
    backs: int = 160,
    width: int = 720,
    textures: Sequence[UInt8Array] = (),
) -> Studio:
    """A studio with `decks`, `cloths` newly drawn table tops (`width` px wide) and `backs` newly drawn backs.

    `textures` are more table tops, taken from photographs.
    """
    tops = (*(draw_top(rng, (width, width * 9 // 16)) for _ in range(cloths)), *textures)
    faces = [face for deck in decks for face in deck.faces.values()]
    return Studio(tuple(decks), tuple(invent_back(rng, tops, faces) for _ in range(backs)), tops)


def render_scene(
    rng: np.random.Generator,
    studio: Studio,
    size: tuple[int, int] = (640, 360),
    card_height: float | None = None,
) -> Scene:
    """Render one random table of (width, height) px: background, things, cards, hands, light, camera.

    A card in the middle is `card_height` px high; by default its height is random.

    Cards of which less than a fifth is visible, or less than half inside the picture, are drawn but not listed.
    """
    width, height = size
    deck = studio.decks[int(rng.integers(len(studio.decks)))]
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
    rare = rng.spawn(1)[0]  # draws that leave all others as they are
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
    rng: np.random.Generator,
    canvas: UInt8Array,
    matrix: Float64Array,
    reach_mm: Float64Array,
    size_mm: tuple[float, float],
) -> None:
    """By chance make the table of parquet, or print outlines of cards on it, alone or in rows."""
    if rng.random() < 0.06:
        lay_parquet(
            rng,
            canvas,
            float(np.linalg.norm(np.diff(project(matrix, [[0.0, 0.0], [0.0, size_mm[1]]]), axis=0))),
        )
    if rng.random() < 0.08:
        turn, apart = float(rng.choice(4) * np.pi / 2 + rng.normal(0, 0.1)), rng.uniform(1.05, 1.6)
        middle, count = rng.uniform(-0.6, 0.6, 2) * reach_mm, int(rng.integers(1, 8))
        step = np.array([np.cos(turn), np.sin(turn)]) * size_mm[0] * apart
        mat_mm = np.array(size_mm) * rng.uniform(0.9, 1.15)
        places = [middle + step * (k - (count - 1) / 2) for k in range(count)]
        print_outlines(
            rng,
            canvas,
            [project(matrix, place_card((at[0], at[1]), turn, (mat_mm[0], mat_mm[1]))) for at in places],
            int(rng.integers(1, 5)),
        )


def _lay_cards(
    rng: np.random.Generator, canvas: UInt8Array, matrix: Float64Array, laid: Laid, deck: Deck, backs: Sequence[Sprite]
) -> tuple[list[Float32Array], npt.NDArray[np.int16]]:  # fmt: skip
    """Draw the cards of `laid` into `canvas`.

    Returns their corners (4, 2) px, and for each pixel (H, W) the index of the card that it shows, -1 for none.
    """
    owner = np.full(canvas.shape[:2], -1, np.int16)
    # Under a large lamp cards throw hardly any shadow, so that nothing shows where one white card ends on another.
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
            back = backs[int(rng.integers(len(backs)))]
        sprite = back if card == BACK else deck.faces[card]
        touched = paste(canvas, sprite, corners_px, shadow, wear, cast)
        if touched is not None:
            rows, columns, mask = touched
            owner[rows, columns][mask] = index
    return corners, owner


def _reach_in(
    rng: np.random.Generator, canvas: UInt8Array, corners: Sequence[Float32Array], card_height: float
) -> None:
    """Draw a hand that comes from any side, more often for one of the cards at `corners` than for any other place."""
    height, width = canvas.shape[:2]
    target = corners[int(rng.integers(len(corners)))].mean(0) if corners else np.array([0.0, 0.0])
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
    rng: np.random.Generator, canvas: UInt8Array, matrix: Float64Array, reach_mm: Float64Array, laid: Laid
) -> Float32Array:
    """Lay a paper, a phone, a book or a tray on the table; returns its corners (4, 2) px.

    It lies anywhere, or under or beside one of the cards of `laid`, often along it. `matrix` projects mm to px;
    `reach_mm` is half the view (x, y).
    """
    art, thing_mm = flat_thing(rng)
    at, turn = rng.uniform(-1.1, 1.1, 2) * reach_mm, rng.uniform(0, 2 * np.pi)
    if laid and rng.random() < 0.4:
        card = laid[int(rng.integers(len(laid)))][1]
        at = card.mean(0) + rng.uniform(-0.7, 0.7, 2) * (CARD_MM[1] + max(thing_mm))
        if rng.random() < 0.5:
            along = card[1] - card[0]
            turn = np.arctan2(along[1], along[0]) + rng.integers(4) * np.pi / 2 + rng.normal(0, 0.04)
    corners_px = project(matrix, place_card((at[0], at[1]), float(turn), thing_mm))
    paste(canvas, opaque(art), corners_px, rng.uniform(0, 0.4))
    return corners_px


def opaque(art: UInt8Array) -> Sprite:
    """`art` (H, W, 3) as a sprite without transparency, with a half as large for where it is shrunk."""
    whole = cv2.merge([art, np.full(art.shape[:2], 255, np.uint8)]).astype(np.uint8, copy=False)
    half = cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return whole, half


def _area_inside(corners_px: Float32Array, width: int, height: int) -> float:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, _ = cv2.intersectConvexConvex(corners_px, frame)
    return float(area)
