"""Pictures on invented cards: figures of courts and fool, scenes of trumps, and art of scanned decks in other colours.

Pictures are (H, W, 3) uint8 BGR, lengths px.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Rng, UInt8Array
from vision.decks import Deck
from vision.lab.rendering.props import Color, draw_background, random_color


def paper_tint(rng: Rng) -> Color:
    """The colour (BGR, 0..255) of a card's paper, white to cream."""
    level = float(rng.uniform(225, 255))
    cream = float(rng.uniform(0, 40)) if rng.random() < 0.5 else float(rng.uniform(0, 8))
    return level - cream, level - cream * 0.35, level - cream * float(rng.uniform(0, 0.2))


def recolored(rng: Rng, art: UInt8Array) -> UInt8Array:
    """`art` in other colours."""
    kind = rng.random()
    if kind < 0.45:
        hsv = cv2.cvtColor(art, cv2.COLOR_BGR2HSV)
        turn, strength = int(rng.integers(180)), rng.uniform(0.4, 1.3)
        hsv[:, :, 0] = cv2.LUT(hsv[:, :, 0], ((np.arange(256) + turn) % 180).astype(np.uint8))
        hsv[:, :, 1] = cv2.LUT(hsv[:, :, 1], (np.arange(256) * strength).clip(0, 255).astype(np.uint8))
        art = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.uint8)
    elif kind < 0.65:
        art = np.ascontiguousarray(art[:, :, rng.permutation(3)])
    elif kind < 0.8:
        dark, light = np.array(random_color(rng, 0, 110)), np.array(random_color(rng, 170, 255))
        ramp = np.linspace(dark, light, 256).astype(np.uint8)
        art = ramp[cv2.cvtColor(art, cv2.COLOR_BGR2GRAY)]
    gamma = float(np.exp(rng.normal(0, 0.3)))
    curve = (255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    if rng.random() < 0.12:
        curve = curve // 64 * 85
    return cv2.LUT(art, curve).astype(np.uint8)


def donated(deck: Deck, card: str, size: tuple[int, int], window: tuple[float, ...]) -> UInt8Array:
    """The part `window` (left, top, right, bottom as shares) of a `card` of `deck`, scaled to (width, height) px."""
    art = deck.faces[card][0]
    h, w = art.shape[:2]
    left, top, right, bottom = window
    part = art[int(top * h) : int(bottom * h), int(left * w) : int(right * w), :3]
    return cv2.resize(part, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def figure(rng: Rng, size: tuple[int, int], rank: str) -> UInt8Array:
    """A half-length figure of (width, height) px, mostly with the headgear of its `rank` (V, C, D, R or F)."""
    w, h = size
    ground = (w, h)
    art = (
        draw_background(rng, ground) if rng.random() < 0.4 else np.full((h, w, 3), paper_tint(rng), np.uint8)
    )
    colors = [random_color(rng, 40, 255) for _ in range(4)]
    ink: Color = (20, 20, 30)
    line = int(rng.integers(0, 3))

    def poly(points: Sequence[tuple[float, float]], color: Color) -> None:
        shape = np.array([(x * w, y * h) for x, y in points]).astype(np.int32)
        cv2.fillPoly(art, [shape], color, cv2.LINE_AA)
        if line:
            cv2.polylines(art, [shape], True, ink, line, cv2.LINE_AA)

    def oval(x: float, y: float, rx: float, ry: float, color: Color) -> None:
        at, axes = (int(x * w), int(y * h)), (max(1, int(rx * w)), max(1, int(ry * h)))
        cv2.ellipse(art, at, axes, 0, 0, 360, color, -1, cv2.LINE_AA)
        if line:
            cv2.ellipse(art, at, axes, 0, 0, 360, ink, line, cv2.LINE_AA)

    x, y = float(rng.uniform(0.4, 0.6)), float(rng.uniform(0.34, 0.46))
    face = float(rng.uniform(0.11, 0.17))
    # On a broad card the shoulders still need room below the face.
    tall = min(0.3, face * w / h * float(rng.uniform(1.1, 1.5)))
    broad = float(rng.uniform(0.28, 0.48))
    head = rank if rng.random() < 0.8 else str(rng.choice(list("VCDRF")))
    if head == "C":  # a horse looks over the shoulder
        side = 1 if rng.random() < 0.5 else -1
        hx = x + side * 0.3
        poly([(hx, 0.55), (hx + side * 0.16, 0.62), (hx + side * 0.1, 0.95), (hx - side * 0.12, 1.0),
              (hx - side * 0.14, 0.6), (hx - side * 0.04, 0.46)], colors[3])  # fmt: skip
    hair = random_color(rng, 20, 200)
    oval(x, y + (0.08 if head == "D" else 0.02), face * 1.35, tall * (1.7 if head == "D" else 1.15), hair)
    poly([(x - 0.1, y + tall * 0.8), (x + 0.1, y + tall * 0.8), (x + broad, y + tall + 0.22),
          (x + broad, 1.05), (x - broad, 1.05), (x - broad, y + tall + 0.22)], colors[0])  # fmt: skip
    poly([(x - 0.1, y + tall), (x + 0.1, y + tall), (x + 0.14, 1.05), (x - 0.14, 1.05)], colors[1])
    for _ in range(int(rng.integers(0, 10))):
        oval(x + float(rng.uniform(-broad, broad)), float(rng.uniform(y + tall + 0.2, 1)), 0.03, 0.03,
             colors[int(rng.integers(4))])  # fmt: skip
    skin = rng.uniform(0.55, 1)
    oval(x, y, face, tall, (175 * skin, 205 * skin, 245 * skin))
    for dx in (-0.4, 0.4):
        cv2.circle(art, (int((x + dx * face) * w), int((y - tall * 0.15) * h)), 2, ink, -1, cv2.LINE_AA)
    if head == "R":
        poly([(x - face, y + tall * 0.4), (x + face, y + tall * 0.4), (x, y + tall * 1.7)], hair)
    top = y - tall * 0.7
    if head in "DR":
        points = [(x - face, top)]
        spikes = int(rng.integers(3, 6))
        for k in range(spikes):
            a = -1 + 2 * k / spikes
            points.append((x + face * 1.2 * (a + 1 / spikes * 0.2), top - 0.16))
            points.append((x + face * (a + 1 / spikes), top - 0.07))
        poly([*points, (x + face * 1.2, top - 0.16), (x + face, top)], (60, 190, 235))
    elif head == "F":
        for lean, droop in ((-1.0, 0.05), (1.0, 0.05), (0.15, -0.2)):
            end = (x + lean * face * 2.4, top + droop)
            poly([(x - face, top), (x + face, top), end], colors[2 if lean > 0 else 0])
            oval(*end, 0.035, 0.03, (60, 190, 235))
        oval(x - 0.1, 0.86, 0.2, 0.13, colors[3])
        poly([(x, 0.85), (x + 0.4, 0.55), (x + 0.43, 0.6)], colors[1])
    else:
        poly([(x - face * 1.4, top + 0.03), (x - face * 0.8, top - 0.13), (x + face * 0.9, top - 0.15),
              (x + face * 1.4, top + 0.03)], colors[2])  # fmt: skip
        if rng.random() < 0.6:
            poly([(x + face, top), (x + face * 2.4, top - 0.18), (x + face * 1.5, top + 0.02)], colors[3])
    return art


def trump_scene(rng: Rng, size: tuple[int, int]) -> UInt8Array:
    """A picture for a trump, (width, height) px: a pattern with shapes, sometimes with a figure before it."""
    w, h = size
    art = draw_background(rng, size)
    for _ in range(int(rng.integers(0, 9))):
        at = (int(rng.integers(w)), int(rng.integers(h)))
        color = random_color(rng, 0, 255)
        kind = rng.integers(3)
        if kind == 0:
            cv2.ellipse(art, at, (int(rng.integers(3, 30)), int(rng.integers(3, 40))), float(rng.uniform(0, 180)),
                        0, 360, color, -1, cv2.LINE_AA)  # fmt: skip
        elif kind == 1:
            points = (np.array(at) + rng.normal(0, 22, (int(rng.integers(3, 7)), 2))).astype(np.int32)
            cv2.fillPoly(art, [points], color, cv2.LINE_AA)
        else:
            end = (int(rng.integers(w)), int(rng.integers(h)))
            cv2.line(art, at, end, color, int(rng.integers(1, 6)), cv2.LINE_AA)
    if rng.random() < 0.4:
        broad = w // 2
        person = figure(rng, (broad, h), str(rng.choice(list("VCDRF"))))
        x = int(rng.integers(w - broad))
        art[:, x : x + broad] = person
    return art


def doubled(rng: Rng, half: UInt8Array, line: Color | None) -> UInt8Array:
    """A double-ended picture made of its upper half, with a dividing `line` of that colour if any."""
    art = np.ascontiguousarray(np.vstack([half, half[::-1, ::-1]]))
    if line is not None:
        lean = int(rng.integers(-20, 20)) if rng.random() < 0.3 else 0
        y = half.shape[0]
        cv2.line(art, (0, y - lean), (art.shape[1], y + lean), line, int(rng.integers(1, 4)), cv2.LINE_AA)
    return art
