"""Random textures of tables, backs, papers and screens: (H, W, 3) uint8 BGR."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Float32Array, Rng, UInt8Array, one_of
from vision.lab.tracing.tracer import Material

Bgr = tuple[float, float, float]
"""A colour, 0..255."""


def hsv(hue: float, saturation: float, value: float) -> Bgr:
    """The colour of a hue (0..360), a saturation and a value (0..1)."""
    pixel = np.array([[[hue % 360, saturation, value]]], np.float32)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255
    return (float(b), float(g), float(r))


def any_color(rng: Rng) -> Bgr:
    """A random colour of a printed or dyed thing."""
    return hsv(rng.uniform(0, 360), rng.uniform(0.15, 0.95), rng.uniform(0.2, 0.95))


def clouds(rng: Rng, height: int, width: int, cells: tuple[float, float], octaves: int = 4) -> Float32Array:
    """Fractal noise (height, width) of about -1..1; its coarsest octave has `cells` (rows, columns)."""
    out = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        rows, columns = (max(2, round(c * 2**octave)) + 1 for c in cells)
        coarse = rng.uniform(-1, 1, (rows, columns)).astype(np.float32)
        out += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * 0.55**octave
    return out / np.float32(1.6)


def _mix(low: Bgr, high: Bgr, share: Float32Array) -> UInt8Array:
    t = np.clip(share, 0, 1)[:, :, None]
    picture = np.array(low, np.float32) * (1 - t) + np.array(high, np.float32) * t
    return picture.clip(0, 255).astype(np.uint8)


@dataclass(frozen=True)
class Top:
    """A table's surface: the word for it, its texture (H, W, 3), and the values for `tracer.Material`."""

    kind: str
    picture: UInt8Array
    surface: Material


_SIZE = 1400
"""Side of a table's texture, px."""


def baize(rng: Rng) -> Top:
    """Felt or a plain cloth in one colour."""
    hue = rng.choice([130, 145, 100, 215, 0, 350, 30, 270])
    value = rng.uniform(0.15, 0.6)
    color = hsv(hue + rng.uniform(-15, 15), rng.uniform(0.25, 0.9), value)
    fluff = 0.5 + 0.1 * clouds(rng, _SIZE, _SIZE, (4, 4), 8) + 0.05 * rng.standard_normal((_SIZE, _SIZE))
    dark = tuple(0.72 * c for c in color)
    light = tuple(min(255.0, 1.25 * c + 8) for c in color)
    surface: Material = {"Roughness": 0.95, "Specular": 0.1, "Sheen": 0.3, "grain_mm": 2.0, "grain": 0.15}
    return Top("baize", _mix(dark, light, fluff.astype(np.float32)), surface)  # type: ignore[arg-type]


def wood(rng: Rng) -> Top:
    """Planks with a grain along them, from pale ash to walnut, oiled or varnished."""
    hue, pale = rng.uniform(14, 36), rng.random()
    light = hsv(hue, rng.uniform(0.25, 0.55), 0.45 + 0.45 * pale)
    dark = hsv(hue - 5, rng.uniform(0.4, 0.7), (0.45 + 0.45 * pale) * rng.uniform(0.4, 0.75))
    planks = int(rng.integers(3, 9))
    picture = np.zeros((_SIZE, _SIZE, 3), np.uint8)
    edges = np.linspace(0, _SIZE, planks + 1).astype(int)
    for top, bottom in pairwise(edges):
        high = bottom - top
        rows = np.linspace(0, rng.uniform(2, 7), high, dtype=np.float32)[:, None]
        rings = np.sin(
            2 * np.pi * (rows + 0.9 * clouds(rng, high, _SIZE, (2, 1.5), 3)) * rng.uniform(0.6, 1.6)
        )
        fibre = clouds(rng, high, _SIZE, (high / 5, 5), 3)
        share = 0.5 + 0.28 * rings + 0.22 * fibre + rng.uniform(-0.15, 0.15)
        picture[top:bottom] = _mix(light, dark, share.astype(np.float32))
        if rng.random() < 0.8:
            cv2.line(picture, (0, int(top)), (_SIZE, int(top)), tuple(0.5 * c for c in dark), 2)
    varnish = rng.random() < 0.5
    surface: Material = {
        "Roughness": float(rng.uniform(0.35, 0.6)), "Specular": 0.4,
        "Clearcoat": float(rng.uniform(0.3, 0.9)) if varnish else 0.0,
        "Clearcoat Roughness": float(rng.uniform(0.08, 0.3)),
    }  # fmt: skip
    return Top("wood", np.ascontiguousarray(np.rot90(picture, int(rng.integers(2)))), surface)


def lacquer(rng: Rng) -> Top:
    """A smooth plastic or painted top that reflects the lamps."""
    dark = rng.random() < 0.5
    value = rng.uniform(0.05, 0.25) if dark else rng.uniform(0.6, 0.95)
    color = hsv(rng.uniform(0, 360), rng.uniform(0, 0.4), value)
    share = 0.5 + 0.15 * clouds(rng, _SIZE, _SIZE, (3, 3), 6)
    picture = _mix(tuple(0.9 * c for c in color), tuple(min(255.0, 1.1 * c) for c in color), share)  # type: ignore[arg-type]
    surface: Material = {
        "Roughness": float(rng.uniform(0.15, 0.4)), "Specular": 0.5,
        "Clearcoat": float(rng.uniform(0.3, 1.0)), "Clearcoat Roughness": float(rng.uniform(0.03, 0.15)),
    }  # fmt: skip
    return Top("lacquer", picture, surface)


def stone(rng: Rng) -> Top:
    """Marble with veins, or speckled granite."""
    base = hsv(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.uniform(0.3, 0.9))
    other = hsv(rng.uniform(0, 360), rng.uniform(0, 0.25), rng.uniform(0.1, 0.7))
    if rng.random() < 0.5:
        flow = clouds(rng, _SIZE, _SIZE, (3, 3), 6)
        share = np.exp(-((np.sin(flow * rng.uniform(4, 9)) / 0.18) ** 2)) * 0.7 + 0.15 * clouds(
            rng, _SIZE, _SIZE, (8, 8)
        )
    else:
        share = (clouds(rng, _SIZE, _SIZE, (170, 170), 2) > rng.uniform(-0.2, 0.3)) * 0.8
        share = cv2.GaussianBlur(share.astype(np.float32), (0, 0), 0.8)
    surface: Material = {"Roughness": float(rng.uniform(0.15, 0.5)), "Specular": 0.5}
    return Top("stone", _mix(base, other, np.asarray(share, np.float32)), surface)


def cloth(rng: Rng) -> Top:
    """A patterned table cloth: checks, stripes, diamonds, or rows of flowers or dots."""
    colors = [any_color(rng) for _ in range(4)]
    ground = (
        hsv(rng.uniform(0, 360), rng.uniform(0, 0.4), rng.uniform(0.6, 1))
        if rng.random() < 0.6
        else any_color(rng)
    )
    picture = np.full((_SIZE, _SIZE, 3), ground, np.float32)
    kind, step = rng.choice(["checks", "stripes", "flowers", "dots", "diamonds"]), int(rng.integers(40, 190))
    ys, xs = np.mgrid[0:_SIZE, 0:_SIZE]
    if kind in ("checks", "stripes"):
        for color in colors[: int(rng.integers(1, 4))]:
            offset, wide = rng.uniform(0, step), rng.uniform(0.1, 0.5)
            for axis in (xs, ys) if kind == "checks" else (xs,):
                picture[((axis + offset) % step) < wide * step] *= np.float32(0.45)
                picture[((axis + offset) % step) < wide * step] += np.array(color, np.float32) * np.float32(
                    0.55
                )
    elif kind == "diamonds":
        picture[((xs + ys) // step + (xs - ys) // step) % 2 == 0] = colors[0]
    else:
        petals, turn = int(rng.integers(4, 8)), rng.uniform(0, np.pi)
        for row, y in enumerate(range(0, _SIZE + step, step)):
            for x in range(-step // 2 * (row % 2), _SIZE + step, step):
                radius = step * 0.13
                for k in range(petals if kind == "flowers" else 0):
                    a = turn + 2 * np.pi * k / petals
                    at = (round(x + 1.6 * radius * np.cos(a)), round(y + 1.6 * radius * np.sin(a)))
                    cv2.circle(picture, at, round(radius), colors[0], -1, cv2.LINE_AA)
                cv2.circle(picture, (x, y), round(radius), colors[1], -1, cv2.LINE_AA)
                if kind == "flowers":
                    leaf = (round(x + step * 0.4), round(y + step * 0.35))
                    cv2.ellipse(
                        picture, leaf, (round(step * 0.14), round(step * 0.06)), 40, 0, 360, colors[2], -1
                    )
    weave = 1 + 0.07 * np.sin(xs * 1.5)[:, :] * np.sin(ys * 1.5) + 0.04 * clouds(rng, _SIZE, _SIZE, (5, 5), 6)
    surface: Material = {"Roughness": 0.9, "Specular": 0.15, "grain_mm": 3.0, "grain": 0.2}
    return Top("cloth", (picture * weave[:, :, None]).clip(0, 255).astype(np.uint8), surface)


TOPS: tuple[Callable[[Rng], Top], ...] = (baize, wood, lacquer, stone, cloth)


def floor(rng: Rng) -> Top:
    """The floor beyond the table's edge."""
    return (wood if rng.random() < 0.6 else baize)(rng)


_BACK = (244, 448)
"""Width and height of a back, px."""


def back(rng: Rng) -> UInt8Array:
    """A random card back, 244 x 448 px: one of `BACKS`, with or without a white border."""
    draw = one_of(rng, BACKS)
    width, height = _BACK
    picture = draw(rng, np.full((height, width, 3), any_color(rng), np.uint8))
    if rng.random() < 0.4:  # the same both ways up
        picture[height // 2 :] = picture[: height // 2][::-1, ::-1]
    if rng.random() < 0.6:
        rim = int(rng.integers(6, 26))
        whole = np.full((height, width, 3), (235, 242, 245), np.uint8)
        whole[rim:-rim, rim:-rim] = cv2.resize(
            picture, (width - 2 * rim, height - 2 * rim), interpolation=cv2.INTER_AREA
        )
        if rng.random() < 0.5:
            cv2.rectangle(whole, (rim, rim), (width - rim, height - rim), any_color(rng), 2)
        picture = whole
    return picture


def _lattice(rng: Rng, picture: UInt8Array) -> UInt8Array:
    step, color = int(rng.integers(10, 50)), any_color(rng)
    for k in range(-500, 700, step):
        cv2.line(picture, (k, 0), (k + 448, 448), color, int(rng.integers(1, 4)), cv2.LINE_AA)
        cv2.line(picture, (k + 448, 0), (k, 448), color, 2, cv2.LINE_AA)
    return picture


_WORDS = ("TAROK", "Casino", "BRIDGE", "Spil", "Royal", "No 78", "Pilsner", "KLUB", "H", "As", "1912", "XXI")


def _words(rng: Rng, picture: UInt8Array) -> UInt8Array:
    color = any_color(rng)
    for y in range(30, 470, int(rng.integers(30, 90))):
        text = str(rng.choice(_WORDS))
        font = int(rng.choice([cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX]))
        cv2.putText(
            picture, text, (int(rng.integers(-20, 90)), y), font, rng.uniform(0.6, 2), color, 2, cv2.LINE_AA
        )
    return picture


def _numerals(rng: Rng, picture: UInt8Array) -> UInt8Array:
    picture[:] = (235, 240, 242) if rng.random() < 0.5 else picture[0, 0]
    text, color = str(rng.integers(1, 22)), any_color(rng)
    for x, y in ((20, 60), (180, 60), (20, 430), (180, 430)):
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_COMPLEX, 1.5, color, 3, cv2.LINE_AA)
    cv2.circle(picture, (122, 224), int(rng.integers(30, 90)), any_color(rng), -1, cv2.LINE_AA)
    return picture


def _little_cards(rng: Rng, picture: UInt8Array) -> UInt8Array:
    """Small cards with pips, scattered over the back."""
    for _ in range(int(rng.integers(8, 30))):
        x, y, size, angle = rng.uniform(0, 244), rng.uniform(0, 448), rng.uniform(20, 45), rng.uniform(0, 360)
        outline = cv2.boxPoints(((x, y), (size, 1.5 * size), angle)).astype(np.int32)
        cv2.fillPoly(picture, [outline], (240, 245, 245), cv2.LINE_AA)
        cv2.polylines(picture, [outline], True, (60, 60, 60), 1, cv2.LINE_AA)
        ink = (40, 40, 200) if rng.random() < 0.5 else (30, 30, 30)
        for k in (-0.4, 0.0, 0.4):
            a = np.radians(angle)
            pip = (round(x - k * size * np.sin(a)), round(y + k * size * np.cos(a)))
            cv2.circle(picture, pip, round(size / 9), ink, -1)
    return picture


def _signs(rng: Rng, picture: UInt8Array) -> UInt8Array:
    """Rows of suit signs."""
    step = int(rng.integers(36, 80))
    for row, y in enumerate(range(step // 2, 448, step)):
        for column, x in enumerate(range(step // 2, 244, step)):
            s, ink = step * 0.3, ((30, 30, 190), (30, 30, 30))[(row + column) % 2]
            outline = [[x, y - s], [x + 0.7 * s, y], [x, y + s], [x - 0.7 * s, y]]
            if (row + column) % 2 == 0:  # a heart
                for dx in (-0.4, 0.4):
                    lobe = (round(x + dx * s), round(y - 0.3 * s))
                    cv2.circle(picture, lobe, round(0.5 * s), ink, -1, cv2.LINE_AA)
                outline = [[x - 0.85 * s, y], [x + 0.85 * s, y], [x, y + s]]
            cv2.fillPoly(picture, [np.array(outline).astype(np.int32)], ink)
    return picture


def _photograph(rng: Rng, picture: UInt8Array) -> UInt8Array:
    """A soft landscape: sky, hills and spots."""
    height, width = picture.shape[:2]
    sky = _mix(
        any_color(rng),
        hsv(210, 0.3, 0.95),
        np.linspace(0, 1, height, dtype=np.float32)[:, None] * np.ones((1, width), np.float32),
    )
    for k in range(4):
        line = height * (0.35 + 0.15 * k) + 60 * clouds(rng, 1, width, (1, 3))[0]
        below = np.arange(height)[:, None] > line[None]
        sky[below] = hsv(rng.uniform(60, 160), 0.5, 0.7 - 0.13 * k)
    noise = 18 * clouds(rng, height, width, (20, 12), 4)[:, :, None]
    return (sky + noise).clip(0, 255).astype(np.uint8)


def _medallion(rng: Rng, picture: UInt8Array) -> UInt8Array:
    color, other = any_color(rng), any_color(rng)
    for radius in range(200, 10, -int(rng.integers(9, 28))):
        spokes = int(rng.integers(5, 30))
        for k in range(spokes):
            a = 2 * np.pi * k / spokes
            at = (round(122 + radius * np.cos(a)), round(224 + radius * np.sin(a)))
            cv2.circle(picture, at, max(2, radius // 12), (color, other)[k % 2], -1, cv2.LINE_AA)
        cv2.circle(picture, (122, 224), radius, other, 1, cv2.LINE_AA)
    return picture


def _plaid(rng: Rng, picture: UInt8Array) -> UInt8Array:
    for _ in range(int(rng.integers(3, 9))):
        at, wide, color = int(rng.integers(0, 440)), int(rng.integers(3, 40)), np.array(any_color(rng))
        picture[at : at + wide] = (0.5 * picture[at : at + wide] + 0.5 * color).astype(np.uint8)
        at = at * 244 // 448
        picture[:, at : at + wide] = (0.5 * picture[:, at : at + wide] + 0.5 * color).astype(np.uint8)
    return picture


def _plain(rng: Rng, picture: UInt8Array) -> UInt8Array:
    return (picture + 10 * rng.standard_normal(picture.shape)).clip(0, 255).astype(np.uint8)


BACKS = (_lattice, _words, _numerals, _little_cards, _signs, _photograph, _medallion, _plaid, _plain)

_HANDWRITING = (cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_SIMPLEX)
_INKS = ((120, 60, 20), (40, 40, 40), (30, 30, 150), (90, 90, 90))


def score_sheet(rng: Rng) -> UInt8Array:
    """Ruled paper, 500 x 700 px, with names above columns of handwritten numbers."""
    paper = (225 + 25 * rng.random()) * np.array([rng.uniform(0.8, 1), rng.uniform(0.93, 1), 1.0])
    picture = np.full((700, 500, 3), paper.clip(0, 255), np.uint8)
    rule = tuple(float(v) for v in paper * rng.uniform(0.55, 0.85))
    columns, step, head = int(rng.integers(2, 6)), int(rng.integers(18, 40)), int(rng.integers(40, 110))
    if rng.random() < 0.9:
        for y in range(head, 700, step):
            cv2.line(picture, (0, y), (500, y), rule, 1)
    if rng.random() < 0.3:
        for x in range(0, 500, step):
            cv2.line(picture, (x, 0), (x, 700), rule, 1)
    ink = one_of(rng, _INKS)
    wide = 500 // columns
    font = int(rng.choice(_HANDWRITING))
    size = step / 34
    names = rng.choice(["Anna", "Bo", "Carl", "Dora", "E.", "Ove", "Ib", "Tove", "K", "Mor"], columns)
    for k, name in enumerate(names.tolist()):
        cv2.line(picture, (k * wide, 0), (k * wide, 700), ink, int(rng.integers(1, 4)))
        cv2.putText(picture, name, (k * wide + 8, head - 10), font, size * 1.1, ink, 2, cv2.LINE_AA)
    for y in range(head + step, int(rng.uniform(0.3, 1) * 700), step):
        for k in range(columns):
            if rng.random() < 0.85:
                text = str(int(rng.integers(-60, 200) if rng.random() < 0.7 else rng.integers(0, 22)))
                at = (k * wide + int(rng.integers(5, max(6, wide - 60))), y - 4)
                cv2.putText(picture, text, at, font, size * rng.uniform(0.8, 1.2), ink, 2, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.rectangle(picture, (12, 12), (488, 688), ink, 2)
    return picture


def screen(rng: Rng) -> UInt8Array:
    """A phone's screen, 240 x 480 px, with a list of tiles."""
    picture = np.full((480, 240, 3), any_color(rng) if rng.random() < 0.5 else (245, 245, 245), np.uint8)
    for y in range(20, 470, int(rng.integers(40, 90))):
        if rng.random() < 0.8:
            cv2.rectangle(picture, (10, y), (230, y + 30), any_color(rng), -1)
            text = str(rng.choice(["Hej", "12:45", "Regler", "Besked", "7"]))
            cv2.putText(picture, text, (20, y + 22), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2)
    return picture


def cover(rng: Rng) -> UInt8Array:
    """A book's or magazine's cover, 300 x 420 px."""
    picture = (
        _photograph(rng, np.full((420, 300, 3), 255, np.uint8))
        if rng.random() < 0.5
        else np.full((420, 300, 3), any_color(rng), np.uint8)
    )
    title, ink = str(rng.choice(["ROMAN", "Tarok", "AVIS", "Mad & Vin"])), any_color(rng)
    cv2.putText(picture, title, (20, 80), cv2.FONT_HERSHEY_TRIPLEX, 1.6, ink, 3)
    for y in range(250, 400, 22):
        cv2.line(picture, (25, y), (int(rng.integers(100, 275)), y), (30, 30, 30), 2)
    return picture
