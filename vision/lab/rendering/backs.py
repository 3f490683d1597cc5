"""Random card backs of every kind that packs have, to train the finder on.

A finder trained on patterned backs alone takes a back with words, numerals, pictures or small cards for a face.
While being drawn, a back is uint8 BGR, `BACK_WIDTH` x `BACK_HEIGHT` px.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.arrays import Rng, UInt8Array, one_of
from vision.decks import Sprite, sprite_of
from vision.lab.rendering.props import Color, draw_background, pattern, put_text, random_color

BACK_HEIGHT, BACK_WIDTH = 224, 122

_WORDS = ("TAROK", "TAROT", "Grimaud", "CARTES", "Spil", "Club", "1904", "Paris", "Fournier", "PIATNIK", "CASINO",
          "Hotel", "Bryggeri", "Joker", "Vin", "AIR", "No. 1", "Rejsen", "78", "54", "XXI", "Kort")  # fmt: skip


def _ground(rng: Rng) -> UInt8Array:
    """A back of one random colour, in three of ten cases a bright one."""
    low = 40 if rng.random() < 0.7 else 190
    return np.full((BACK_HEIGHT, BACK_WIDTH, 3), random_color(rng, low, 255), np.uint8)


def _words(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """One large word or number, or rows of a word at any angle."""
    art = _ground(rng)
    ink = random_color(rng)
    if rng.random() < 0.4:
        text = one_of(rng, _WORDS) if rng.random() < 0.6 else str(rng.integers(1, 100))
        at = (BACK_WIDTH / 2, BACK_HEIGHT * rng.uniform(0.2, 0.5))
        put_text(rng, art, text, at, BACK_WIDTH * rng.uniform(0.15, 0.5), ink)
        return art
    tall = rng.uniform(8, 32)
    word = one_of(rng, _WORDS)
    size = int(np.hypot(BACK_WIDTH, BACK_HEIGHT)) + 2
    wide = np.full((size, size, 3), art[0, 0], np.uint8)
    for row, y in enumerate(np.arange(0, size, tall * rng.uniform(1.2, 2))):
        for x in np.arange(-tall * 2 * (row % 2), size + tall, tall * len(word) * rng.uniform(0.7, 1.1)):
            put_text(rng, wide, word, (float(x), float(y)), tall, ink)
    angle = float(rng.choice([0, 0, 90, rng.uniform(0, 180)]))
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), angle, 1)
    turned = cv2.warpAffine(wide, turn, (size, size), borderMode=cv2.BORDER_REFLECT)
    y0, x0 = (size - BACK_HEIGHT) // 2, (size - BACK_WIDTH) // 2
    return turned[y0 : y0 + BACK_HEIGHT, x0 : x0 + BACK_WIDTH].astype(np.uint8)


def painted_sign(suit: str, size: int) -> UInt8Array:
    """The uint8 mask (size, size) of a plain suit sign: S, H, D or C."""
    mask = np.zeros((64, 64), np.uint8)
    if suit == "D":
        cv2.fillPoly(mask, [np.array([[32, 2], [58, 32], [32, 62], [6, 32]])], 255)
    elif suit == "C":
        for x, y in ((32, 16), (16, 38), (48, 38)):
            cv2.circle(mask, (x, y), 14, 255, -1)
        cv2.fillPoly(mask, [np.array([[32, 26], [42, 62], [22, 62]])], 255)
    else:
        cv2.circle(mask, (18, 22), 15, 255, -1)
        cv2.circle(mask, (46, 22), 15, 255, -1)
        cv2.fillPoly(mask, [np.array([[5, 29], [59, 29], [32, 62]])], 255)
        if suit == "S":
            mask = mask[::-1].copy()
            cv2.fillPoly(mask, [np.array([[32, 30], [42, 63], [22, 63]])], 255)
    return cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _signs(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """Rows of suit signs of one suit or all four, small or large."""
    art = _ground(rng)
    inks = [random_color(rng) for _ in range(int(rng.integers(1, 3)))]
    size = int(rng.uniform(8, 36)) if rng.random() < 0.7 else int(rng.uniform(36, 100))
    step = size * rng.uniform(1.1, 2.2)
    suits = "SHDC" if rng.random() < 0.7 else str(rng.choice(list("SHDC")))
    count = 0
    for row, y in enumerate(np.arange(rng.uniform(0, step), BACK_HEIGHT + step, step)):
        for x in np.arange(step / 2 * (row % 2), BACK_WIDTH + step, step):
            mask = painted_sign(suits[(count + row) % len(suits)], size)
            _ink(art, mask, int(x - size / 2), int(y - size / 2), inks[count % len(inks)])
            count += 1
    return art


def _ink(art: UInt8Array, mask: UInt8Array, x: int, y: int, color: Color) -> None:
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + mask.shape[1], art.shape[1]), min(y + mask.shape[0], art.shape[0])
    if x0 < x1 and y0 < y1:
        art[y0:y1, x0:x1][mask[y0 - y : y1 - y, x0 - x : x1 - x] > 127] = color


def _frame(art: UInt8Array, rim: int, ink: Color, thick: int) -> None:
    """Draw a frame `rim` px within the edges of a back."""
    cv2.rectangle(art, (rim, rim), (BACK_WIDTH - 1 - rim, BACK_HEIGHT - 1 - rim), ink, thick)


def _little_cards(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """Small cards, fanned or scattered."""
    art = _ground(rng) if rng.random() < 0.7 else pattern(rng, (BACK_WIDTH, BACK_HEIGHT))
    tall = float(rng.uniform(22, 90))
    count = int(rng.integers(2, 6)) if tall > 45 else int(rng.integers(4, 20))
    fan = rng.random() < 0.4
    for k in range(count):
        angle = (k / (count - 1) - 0.5) * 70 if fan else float(rng.choice([0, 90, rng.uniform(0, 360)]))
        at = rng.uniform(0, 1, 2) * (BACK_WIDTH, BACK_HEIGHT)
        if fan:
            lean = np.radians(angle)
            at = np.array([BACK_WIDTH / 2, BACK_HEIGHT * 0.5]) + tall * 0.6 * np.array(
                [np.sin(lean), -np.cos(lean)]
            )
        box = cv2.boxPoints(((float(at[0]), float(at[1])), (tall * 0.6, tall), angle))
        face = one_of(rng, faces)[-1] if faces else None
        if face is None or rng.random() < 0.3:
            cv2.fillPoly(art, [np.round(box).astype(np.int32)], (240, 245, 250), cv2.LINE_AA)
            cv2.polylines(art, [np.round(box).astype(np.int32)], True, (60, 60, 60), 1, cv2.LINE_AA)
            mark = np.round(box.mean(0)).astype(int)
            _ink(art, painted_sign(str(rng.choice(list("SHDC"))), max(4, int(tall * 0.4))),
                 mark[0] - int(tall * 0.2), mark[1] - int(tall * 0.2), random_color(rng, 0, 200))  # fmt: skip
            continue
        h, w = face.shape[:2]
        # boxPoints starts at the lower left corner and goes clockwise.
        matrix = cv2.getPerspectiveTransform(np.array([[0, h], [0, 0], [w, 0], [w, h]], np.float32), box)
        small = cv2.warpPerspective(face, matrix, (BACK_WIDTH, BACK_HEIGHT), flags=cv2.INTER_AREA)
        art = (small[:, :, :3] + art * (1 - small[:, :, 3:] / np.float32(255))).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        art[BACK_HEIGHT // 2 :] = art[: BACK_HEIGHT // 2][::-1, ::-1]
    return art


def _picture(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """A part of a photograph, of a table top or of a card's art; single or double-ended, sometimes with a word."""
    if faces and rng.random() < 0.25:
        face = one_of(rng, faces)[0][:, :, :3]
        h, w = face.shape[:2]
        part = cv2.resize(face[h // 6 : h // 2, w // 8 : -w // 8], (BACK_WIDTH, BACK_HEIGHT))
        part = part[:, :, rng.permutation(3)]
    elif pictures:
        source = one_of(rng, pictures)
        share = rng.uniform(0.3, 1.0)
        high = max(8, int(source.shape[0] * share))
        wide = max(8, min(source.shape[1], int(high * BACK_WIDTH / BACK_HEIGHT)))
        y, x = int(rng.integers(source.shape[0] - high + 1)), int(rng.integers(source.shape[1] - wide + 1))
        window = source[y : y + high, x : x + wide]
        part = cv2.resize(window, (BACK_WIDTH, BACK_HEIGHT), interpolation=cv2.INTER_AREA)
    else:
        part = draw_background(rng, (BACK_WIDTH, BACK_HEIGHT))
    art: UInt8Array = np.ascontiguousarray(part).astype(np.uint8, copy=False)
    if rng.random() < 0.4:
        art[BACK_HEIGHT // 2 :] = art[: BACK_HEIGHT // 2][::-1, ::-1].copy()
    if rng.random() < 0.3:
        word = one_of(rng, _WORDS)
        at = (BACK_WIDTH / 2, BACK_HEIGHT * rng.uniform(0.1, 0.9))
        put_text(rng, art, word, at, rng.uniform(10, 30), random_color(rng))
    return art


def _medallion(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """Rosettes in the middle and, mirrored, around it, over a pattern or one colour."""
    art = _ground(rng) if rng.random() < 0.6 else pattern(rng, (BACK_WIDTH, BACK_HEIGHT))
    inks = [random_color(rng) for _ in range(3)]
    for at in (
        (BACK_WIDTH / 2, BACK_HEIGHT / 2),
        (BACK_WIDTH / 2, BACK_HEIGHT * 0.25),
        (BACK_WIDTH * 0.2, BACK_HEIGHT * 0.1),
    ):
        if rng.random() < 0.3:
            continue
        petals, reach = int(rng.integers(3, 14)), float(rng.uniform(10, 55))
        ways = np.linspace(0, 2 * np.pi, 120)
        wave = reach * (1 + rng.uniform(0, 0.5) * np.cos(petals * ways))
        rim = np.column_stack([at[0] + wave * np.cos(ways), at[1] + wave * np.sin(ways)])
        for places in (
            rim,
            (BACK_WIDTH, BACK_HEIGHT) - rim,
            np.abs(np.array([BACK_WIDTH, 0]) - rim),
            np.abs(np.array([0, BACK_HEIGHT]) - rim),
        ):
            for ink, scale in zip(inks, (1.0, 0.75, 0.4), strict=True):
                middle = places.mean(0)
                ring = np.round(middle + (places - middle) * scale).astype(np.int32)
                if rng.random() < 0.5:
                    cv2.fillPoly(art, [ring], ink, cv2.LINE_AA)
                else:
                    cv2.polylines(art, [ring], True, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    return art


def _carpet(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    return pattern(rng, (BACK_WIDTH, BACK_HEIGHT))


def _sober(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """One colour, often white, with next to nothing on it: a mark in the middle, numerals, a frame, fine specks."""
    art = _ground(rng)
    if rng.random() < 0.4:
        art[:] = rng.uniform(225, 255)
    ink = random_color(rng)
    if rng.random() < 0.3:
        art[rng.random(art.shape[:2]) < rng.uniform(0.02, 0.3)] = ink
    middle = (BACK_WIDTH // 2, BACK_HEIGHT // 2)
    kind = rng.random()
    if kind < 0.35:
        axes = (int(rng.uniform(8, 45)), int(rng.uniform(8, 70)))
        cv2.ellipse(art, middle, axes, 0, 0, 360, ink, int(rng.choice((-1, 1, 3))), cv2.LINE_AA)
    elif kind < 0.6 and art.mean() < 160:  # on white it would be an ace
        size = int(rng.uniform(20, 90))
        sign = painted_sign(str(rng.choice(list("SHDC"))), size)
        _ink(art, sign, middle[0] - size // 2, middle[1] - size // 2, ink)
    for _ in range(int(rng.choice((0, 0, 4, 6, 9)))):
        at, text = rng.uniform(0.12, 0.88, 2) * (BACK_WIDTH, BACK_HEIGHT), str(rng.integers(0, 80))
        put_text(rng, art, text, (float(at[0]), float(at[1])), float(rng.uniform(6, 22)), ink)
    for rim in rng.integers(3, 22, int(rng.integers(0, 3))).tolist():
        _frame(art, rim, ink, int(rng.integers(1, 3)))
    return art


def _lattice(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """Fine ornament mirrored over both middles, as casino packs have: curls, discs and lines in one colour."""
    side = (BACK_WIDTH // 2, BACK_HEIGHT // 2)
    quarter = np.full((side[1], side[0], 3), _ground(rng)[0, 0], np.uint8)
    ink: Color = random_color(rng, 0, 160) if rng.random() < 0.4 else (240, 245, 250)
    for _ in range(int(rng.integers(8, 45))):
        at, reach = rng.uniform(0, 1, 2) * side, rng.uniform(2, 26)
        where, axes = at.astype(int).tolist(), (int(reach), max(1, int(reach * rng.uniform(0.2, 1))))
        start, thick = float(rng.uniform(0, 360)), -1 if rng.random() < 0.15 else int(rng.integers(1, 3))
        arc = float(rng.choice((180, 270, 360)))
        cv2.ellipse(quarter, where, axes, start, 0, arc, ink, thick, cv2.LINE_AA)
    half = np.hstack([quarter, quarter[:, ::-1]])
    return np.vstack([half, half[::-1]])


def _mesh(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> UInt8Array:
    """One fine motif repeated all over, as most packs have: lozenges, rings, crosses or dots, in one colour or two."""
    art, ink = _ground(rng), random_color(rng, 0, 255)
    if rng.random() < 0.5:
        ink = (240, 245, 250)
    wide, high = int(rng.integers(4, 15)), int(rng.integers(4, 15))
    if rng.random() < 0.6:
        high = wide
    tile = np.zeros((high * 8, wide * 8), np.uint8)
    middle = (wide * 4, high * 4)
    axes = (int(wide * rng.uniform(1.2, 3.6)), int(high * rng.uniform(1.2, 3.6)))
    thick = -1 if rng.random() < 0.5 else int(rng.integers(4, 12))
    kind = rng.integers(3)
    if kind == 0:
        cv2.ellipse(tile, middle, axes, 0, 0, 360, 255, thick, cv2.LINE_AA)
    elif kind == 1:
        x, y = middle
        lozenge = np.array([[x - axes[0], y], [x, y - axes[1]], [x + axes[0], y], [x, y + axes[1]]], np.int32)
        cv2.polylines(tile, [lozenge], True, 255, max(thick, 4), cv2.LINE_AA)
        if thick < 0:
            cv2.fillPoly(tile, [lozenge], 255, cv2.LINE_AA)
    else:
        cv2.line(tile, (0, 0), (wide * 8, high * 8), 255, max(thick, 6), cv2.LINE_AA)
        cv2.line(tile, (wide * 8, 0), (0, high * 8), 255, max(thick, 6), cv2.LINE_AA)
    small = cv2.resize(tile, (wide, high), interpolation=cv2.INTER_AREA)
    rows = [np.roll(small, row * (wide // 2), axis=1) for row in range(2 if rng.random() < 0.5 else 1)]
    column = np.vstack(rows)
    mesh = np.tile(column, (-(-BACK_HEIGHT // len(column)), -(-BACK_WIDTH // wide)))
    printed = mesh[:BACK_HEIGHT, :BACK_WIDTH, None] / np.float32(255)
    return np.asarray(art + (np.array(ink, np.float32) - art) * printed, np.float32).astype(np.uint8)


_KINDS: tuple[
    tuple[float, Callable[[Rng, Sequence[UInt8Array], Sequence[Sprite]], UInt8Array]], ...
] = (
    (0.14, _carpet), (0.09, _words), (0.12, _signs), (0.13, _little_cards), (0.16, _picture), (0.08, _medallion),
    (0.09, _sober), (0.08, _lattice), (0.11, _mesh),
)  # fmt: skip


def wordy_back(rng: Rng) -> Sprite:
    """A back of words or numbers."""
    return sprite_of(np.ascontiguousarray(_words(rng, (), ())), 3.0)


def back_of_signs(rng: Rng) -> Sprite:
    """A back of rows of suit signs."""
    return sprite_of(np.ascontiguousarray(_signs(rng, (), ())), 3.0)


def back_of_cards(rng: Rng, faces: Sequence[Sprite]) -> Sprite:
    """A bright back on which some of the `faces` are printed small, as on a deck that shows what it is."""
    return sprite_of(np.ascontiguousarray(_little_cards(rng, (), faces)), 3.0)


def invent_back(rng: Rng, pictures: Sequence[UInt8Array], faces: Sequence[Sprite]) -> Sprite:
    """A random back of any kind as a sprite, printed to the edge or inside a border.

    Picture backs are cut from `pictures`, each (H, W, 3) uint8 BGR. `faces` are the cards drawn small on backs.
    """
    kind = rng.choice(len(_KINDS), p=[share for share, _ in _KINDS])
    art = np.ascontiguousarray(_KINDS[kind][1](rng, pictures, faces))
    if rng.random() < 0.6:
        rim = int(rng.integers(3, 14))
        color: Color = random_color(rng)
        if rng.random() < 0.75:
            paper = rng.uniform(200, 255)
            color = (paper * 0.95, paper * 0.98, paper)
        framed = np.full_like(art, color)
        inner = (BACK_WIDTH - 2 * rim, BACK_HEIGHT - 2 * rim)
        framed[rim:-rim, rim:-rim] = cv2.resize(art, inner, interpolation=cv2.INTER_AREA)
        art = framed
        if rng.random() < 0.35:
            _frame(art, rim, random_color(rng), 1)
    return sprite_of(art, float(rng.uniform(1, 6)))
