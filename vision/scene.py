"""Rendered card tables with the truth beside them: what the finder and the identifier are trained on.

Two products: `render_scene` draws a whole table and tells where each card's full rectangle is, covered
or not; `render_crop` draws one card as the identifier sees it, rectified from a degraded picture by
corners that are a little off. Corners are always top-left, top-right, bottom-right, bottom-left of the
card's own picture, in px of the rendered picture; table coordinates are mm with the origin where the
camera looks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.decks import BACK, CARD_MM, Deck, Sprite
from vision.degrade import camera, light
from vision.props import draw_back, draw_background, draw_clutter, draw_hand

NOT_A_CARD = "none"
"""The identifier's 79th class: a back, a hand, cloth, or a box that sits badly on its card."""

CROP_PX = 224
"""Side of the square that a card is cut out as; it is stretched to fill it."""

OTHER_FORMATS_MM = ((63.0, 88.0), (57.0, 88.0), (59.0, 92.0))
"""Poker, bridge and skat cards: a finder that has seen them goes by a card's edges more than by its shape."""

_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)

_SQUARE = np.array([[0, 0], [CROP_PX, 0], [CROP_PX, CROP_PX], [0, CROP_PX]], np.float32)


@dataclass(frozen=True)
class LaidCard:
    """A card in a rendered picture: its name (or BACK), full rectangle in px, share of it in view (0..1)."""

    card: str
    corners_px: Float32Array
    visible: float


@dataclass(frozen=True)
class Scene:
    """A rendered table: `picture` (H, W, 3) uint8 BGR and the cards in it, lowest first."""

    picture: UInt8Array
    cards: tuple[LaidCard, ...]


def camera_matrix(
    size: tuple[int, int], card_height_px: float, tilt_deg: float, azimuth_deg: float, turn_deg: float
) -> Float64Array:
    """The (3, 3) homography from table mm to px of a (width, height) picture.

    A card at the origin is about `card_height_px` high; the camera leans `tilt_deg` from the vertical
    towards `azimuth_deg` and is turned about its own axis by `turn_deg`.
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


def place_card(
    at_mm: tuple[float, float], angle_rad: float, size_mm: tuple[float, float] = CARD_MM
) -> Float32Array:
    """The four corners in mm of a card whose centre is `at_mm`, turned clockwise (y is down) by `angle_rad`."""
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    turned = _CORNERS * np.array(size_mm, np.float32) @ np.array([[c, s], [-s, c]], np.float32)
    return (turned + np.array(at_mm, np.float32)).astype(np.float32)


@dataclass(frozen=True)
class Wear:
    """How a printed card differs from its picture: colour `gain` and `offset`, share `cut` off (x, y), worn `edge`."""

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    offset: float = 0.0
    cut: tuple[float, float] = (0.0, 0.0)
    edge: float = 0.0


MINT = Wear()


def paste(
    canvas: UInt8Array, sprite: Sprite, corners_px: Float32Array, shadow: float = 0.0, wear: Wear = MINT
) -> tuple[slice, slice, npt.NDArray[np.bool_]] | None:
    """Draw `sprite` into `canvas` so that its corners fall on `corners_px`; `shadow` (0..1) darkens around it.

    Returns the touched rows, columns and the mask of pixels now showing the card, or None when it is
    out of the picture.
    """
    height, width = canvas.shape[:2]
    margin = 4
    low = np.floor(corners_px.min(0)).astype(int) - margin
    high = np.ceil(corners_px.max(0)).astype(int) + margin
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(width, int(high[0])), min(height, int(high[1]))
    if x0 >= x1 or y0 >= y1:
        return None
    wanted = max(np.linalg.norm(corners_px[3] - corners_px[0]), np.linalg.norm(corners_px[2] - corners_px[1]))
    level = max((i for i, art in enumerate(sprite) if art.shape[0] >= wanted * 0.75), default=0)
    art = sprite[level]
    h, w = art.shape[:2]
    dx, dy = w * wear.cut[0], h * wear.cut[1]
    source = np.array([[dx, dy], [w - dx, dy], [w - dx, h - dy], [dx, h - dy]], np.float32) - 0.5
    local = corners_px - np.array([x0 + 0.5, y0 + 0.5], np.float32)
    matrix = cv2.getPerspectiveTransform(source, local)
    shown = cv2.warpPerspective(art, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR).astype(np.float32)
    if wear.cut != (0.0, 0.0):
        sheet = np.zeros(shown.shape[:2], np.uint8)
        cv2.fillConvexPoly(sheet, np.round(local * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        shown *= (sheet.astype(np.float32) / 255)[:, :, None]
    rows, columns = slice(y0, y1), slice(x0, x1)
    region = canvas[rows, columns].astype(np.float32)
    alpha = shown[:, :, 3] / 255
    ink = shown[:, :, :3] * np.array(wear.gain, np.float32)
    if wear.offset:
        ink += alpha[:, :, None] * wear.offset
    if wear.edge:
        rim = 1 - cv2.GaussianBlur(cv2.erode(alpha, np.ones((3, 3))), (0, 0), float(wanted) * 0.012)
        ink *= (1 - wear.edge * rim)[:, :, None]
    if shadow > 0:
        around = cv2.GaussianBlur(alpha, (0, 0), max(1.0, float(wanted) * 0.02))
        region *= (1 - shadow * around)[:, :, None]
    region *= (1 - alpha)[:, :, None]
    region += ink
    canvas[rows, columns] = np.clip(region, 0, 255).astype(np.uint8)
    return rows, columns, alpha > 0.5


def random_wear(rng: np.random.Generator) -> Wear:
    """Another printing of a card: yellowed, faded, worn at the edges, cut a little differently."""
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
    """What scenes are made of: decks, pictures of backs that belong to no deck, and table tops.

    `crops` are crops of real cards by card, for the identifier to be trained on besides the rendered ones.
    `invent` draws a card as no deck has it (`vision.invented`), for `invented_share` (0..1) of the crops.
    """

    decks: tuple[Deck, ...]
    backs: tuple[Sprite, ...]
    cloths: tuple[UInt8Array, ...]
    crops: Mapping[str, Sequence[UInt8Array]] = field(default_factory=dict)
    invent: Callable[[np.random.Generator, str], Sprite] | None = None
    invented_share: float = 0.0

    def back(self, rng: np.random.Generator, deck: Deck) -> Sprite:
        """A back for this scene: often the deck's own."""
        own = deck.backs if deck.backs and rng.random() < 0.5 else self.backs
        return own[int(rng.integers(len(own)))]

    def cloth(self, rng: np.random.Generator, size: tuple[int, int]) -> UInt8Array:
        """A (width, height) px piece of a table top, recoloured."""
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
    backs: int = 60,
    width: int = 720,
    textures: Sequence[UInt8Array] = (),
) -> Studio:
    """Draw a stock of `cloths` table tops (`width` px broad) and `backs` to render scenes of `decks` with.

    `textures` are more table tops, taken from photographs.
    """
    return Studio(
        tuple(decks),
        tuple(draw_back(rng) for _ in range(backs)),
        (*(draw_background(rng, (width, width * 9 // 16)) for _ in range(cloths)), *textures),
    )


def _trick(
    rng: np.random.Generator, deck: Deck, size_mm: tuple[float, float]
) -> list[tuple[str, Float32Array]]:
    """One to four cards played towards the middle, each from its own side, overlapping as they fall."""
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
        laid.append((str(k), place_card((at[0], at[1]), angle, size_mm)))
    return laid


def _pile(
    rng: np.random.Generator, reach_mm: Float64Array, size_mm: tuple[float, float]
) -> list[tuple[str, Float32Array]]:
    """A face-down pile of won tricks, usually near an edge of the picture."""
    side = rng.integers(4)
    direction = side * np.pi / 2
    edge = reach_mm * np.array([np.cos(direction), np.sin(direction)])
    at = edge * rng.uniform(0.6, 1.08) + rng.normal(0, 0.3, 2) * reach_mm[::-1] * np.abs(
        np.array([np.sin(direction), np.cos(direction)])
    )
    angle = rng.uniform(0, np.pi)
    laid = []
    for _ in range(int(rng.integers(1, 5))):
        nudge = rng.normal(0, 4, 2)
        turned = angle + rng.normal(0, 0.15)
        laid.append((BACK, place_card((at[0] + nudge[0], at[1] + nudge[1]), turned, size_mm)))
    return laid


def _scattered(
    rng: np.random.Generator, deck: Deck, reach_mm: Float64Array, size_mm: tuple[float, float]
) -> list[tuple[str, Float32Array]]:
    names = rng.permutation(list(deck.faces))[: int(rng.integers(1, 9))]
    laid = []
    for name in names:
        at = rng.uniform(-1.05, 1.05, 2) * reach_mm
        card = BACK if rng.random() < 0.2 else str(name)
        laid.append((card, place_card((at[0], at[1]), rng.uniform(0, 2 * np.pi), size_mm)))
    return laid


def render_scene(rng: np.random.Generator, studio: Studio, size: tuple[int, int] = (640, 360)) -> Scene:
    """Render one random table of (width, height) px: background, cards, piles, hands, clutter, light, camera.

    Cards less than a fifth in view, or with less than half their rectangle inside the picture, are
    drawn but not listed.
    """
    width, height = size
    deck = studio.decks[int(rng.integers(len(studio.decks)))]
    # Two packs are often in use at a table, with backs of different colours.
    backs = [studio.back(rng, deck) for _ in range(2 if rng.random() < 0.2 else 1)]
    canvas = studio.cloth(rng, size)
    # Mostly a whole table; now and then a camera that hangs low, or a phone held over the cards.
    card_height = width * (rng.uniform(0.07, 0.2) if rng.random() < 0.8 else rng.uniform(0.2, 0.45))
    tilt = rng.uniform(0, 35) if rng.random() < 0.6 else rng.uniform(0, 8)
    matrix = camera_matrix(size, card_height, tilt, rng.uniform(0, 360), rng.normal(0, 6))
    reach_mm = np.array([width, height]) / 2 * CARD_MM[1] / card_height
    size_mm = CARD_MM
    if rng.random() < 0.12:
        size_mm = OTHER_FORMATS_MM[int(rng.integers(len(OTHER_FORMATS_MM)))]

    laid: list[tuple[str, Float32Array]] = []
    for _ in range(int(rng.choice(4, p=(0.25, 0.35, 0.25, 0.15)))):
        laid += _pile(rng, reach_mm, size_mm)
    kind = rng.random()
    if kind < 0.7:
        laid += _trick(rng, deck, size_mm)
    elif kind < 0.93:
        laid += _scattered(rng, deck, reach_mm, size_mm)

    for _ in range(int(rng.choice(4, p=(0.5, 0.25, 0.15, 0.1)))):
        draw_clutter(rng, canvas, card_height)
    owner = np.full((height, width), -1, np.int16)
    shadow = rng.uniform(0, 0.5)
    corners = []
    for index, (card, corners_mm) in enumerate(laid):
        corners_px = project(matrix, corners_mm)
        corners.append(corners_px)
        sprite = backs[int(rng.integers(len(backs)))] if card == BACK else deck.faces[card]
        touched = paste(canvas, sprite, corners_px, shadow, random_wear(rng))
        if touched is not None:
            rows, columns, mask = touched
            owner[rows, columns][mask] = index

    if rng.random() < 0.45:
        before = canvas.copy()
        for _ in range(int(rng.integers(1, 3))):
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
        owner[(before != canvas).any(2)] = -1

    counts = np.bincount(owner[owner >= 0].ravel(), minlength=len(laid))
    listed = []
    for index, (card, _) in enumerate(laid):
        area = float(cv2.contourArea(corners[index]))
        inside = _area_inside(corners[index], width, height)
        visible = float(counts[index]) / max(area, 1.0)
        if visible >= 0.2 and inside >= 0.5 * area:
            listed.append(LaidCard(card, corners[index], min(1.0, visible)))
    picture = camera(rng, light(rng, canvas), blur_px=max(0.4, card_height / 60))
    return Scene(picture, tuple(listed))


def _area_inside(corners_px: Float32Array, width: int, height: int) -> float:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, _ = cv2.intersectConvexConvex(corners_px, frame)
    return float(area)


def rectify(picture: UInt8Array, corners_px: npt.ArrayLike, side_px: int = CROP_PX) -> UInt8Array:
    """Cut the card at `corners_px` (4, 2) out of `picture` as a (side, side, 3) square, stretched to fill it."""
    square = _SQUARE * (side_px / CROP_PX)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners_px, np.float32), square)
    return cv2.warpPerspective(
        picture, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.uint8)


def render_crop(rng: np.random.Generator, studio: Studio, card: str, hardness: float = 1.0) -> UInt8Array:
    """Render `card` (a name, or NOT_A_CARD) as the identifier sees it: (CROP_PX, CROP_PX, 3) uint8 BGR.

    Cards are 95 to 230 px high in the frame, any way up, often partly covered, with corners off by a
    few per cent. `hardness` 0 gives clean, uncovered crops; 1 the full range.
    """
    holders = [deck for deck in studio.decks if card in deck.faces] or studio.decks
    deck = holders[int(rng.integers(len(holders)))]
    card_height = float(np.exp(rng.uniform(np.log(90), np.log(235))))
    side = int(card_height * 1.5)
    size = (side, side)
    canvas = studio.cloth(rng, size)
    tilt = rng.uniform(0, 35) if rng.random() < 0.5 else rng.uniform(0, 8)
    matrix = camera_matrix((side, side), card_height, tilt, rng.uniform(0, 360), rng.uniform(0, 360))
    names = list(deck.faces)
    shadow = rng.uniform(0, 0.5)
    back = studio.back(rng, deck)

    invent = studio.invent if studio.invented_share and rng.random() < studio.invented_share else None

    def lay(name: str, at: Float64Array, angle: float) -> Float32Array:
        corners_px = project(matrix, place_card((float(at[0]), float(at[1])), angle))
        if name == BACK:
            sprite = back
        elif invent is not None and (name == card or rng.random() < 0.5):
            sprite = invent(rng, name)
        else:
            sprite = deck.faces[name]
        paste(canvas, sprite, corners_px, shadow, random_wear(rng))
        return corners_px

    def other() -> str:
        return names[int(rng.integers(len(names)))]

    hard = rng.random() < hardness
    if hard and rng.random() < 0.5:
        lay(other(), rng.normal(0, 60, 2), rng.uniform(0, 2 * np.pi))
    bad = card == NOT_A_CARD
    kind = rng.random()
    shown = (BACK if kind < 0.4 else other()) if bad else card
    corners = lay(shown, rng.normal(0, 3, 2), 0.0)
    if bad and kind >= 0.75:
        canvas[:] = studio.cloth(rng, size)
        if rng.random() < 0.7:
            draw_clutter(rng, canvas, card_height)
    if hard and not bad and rng.random() < 0.5:
        # Cover one end or side, never much more than half: an index at one end must stay in view.
        away = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.3)
        reach = rng.uniform(50, 114) if abs(np.sin(away)) > 0.7 else rng.uniform(28, 80)
        at = np.array([np.cos(away), np.sin(away)]) * reach
        lay(
            BACK if rng.random() < 0.1 else other(),
            at,
            away + rng.choice([0, np.pi / 2]) + rng.normal(0, 0.3),
        )
    if hard and rng.random() < (0.5 if bad else 0.15):
        toward = rng.uniform(0, 2 * np.pi)
        off = rng.uniform(0.2, 0.55) if not bad else rng.uniform(0.0, 0.2)
        tip = (side / 2 + np.cos(toward) * off * card_height, side / 2 + np.sin(toward) * off * card_height)
        draw_hand(rng, canvas, tip, float(toward), card_height * float(rng.uniform(0.4, 0.7)))
    picture = canvas
    if hard:
        picture = camera(rng, light(rng, canvas), blur_px=min(2.4, 0.6 + card_height / 90))
    elif rng.random() < 0.8:
        picture = camera(rng, light(rng, canvas, glossy=0.0), blur_px=0.7)
    edge = np.linalg.norm(corners[3] - corners[0])
    jitter = rng.normal(0, 0.018, (4, 2)) + rng.normal(0, 0.015, (1, 2))
    if bad and 0.4 <= kind < 0.75:
        # A box badly off its card, as when the finder sees one card where two overlap.
        shift = rng.uniform(0.45, 0.8) * (1 if rng.random() < 0.5 else -1)
        jitter[:, int(rng.integers(2))] += shift
    quad = corners + (jitter * edge).astype(np.float32)
    turns = 2 * int(rng.integers(2)) if not bad else int(rng.integers(4))
    return rectify(picture, np.roll(quad, turns, axis=0))
