"""Degradations of a clean picture: the lighting, and what a camera and its codec do to it.

Pictures are (H, W, 3) uint8 BGR in and out.
"""

from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Float32Array, Rng, UInt8Array
from vision.lab.rendering.props import smooth_noise

DIM_SHARE = 0.15
"""Share of the pictures taken in poor light."""


def light(rng: Rng, picture: UInt8Array, glossy: float = 0.35) -> UInt8Array:
    """Uneven light with a warm or cool tint; with probability `glossy` also glare from a lamp."""
    height, width = picture.shape[:2]
    # Light varies slowly over a table, so it is computed on a coarse grid and upscaled.
    columns, rows = max(8, width // 8), max(8, height // 8)
    gain = 1 + smooth_noise(rng, (columns, rows), rng.uniform(1.5, 3)) * rng.uniform(0, 0.14)
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    slope = rng.normal(0, 0.2, 2)
    gain = np.clip(gain + slope[0] * (xs / columns - 0.5) + slope[1] * (ys / rows - 0.5), 0.2, 1.8)
    warmth = rng.normal(0, 0.08)
    tint = np.array([1 - warmth, 1 + rng.normal(0, 0.02), 1 + warmth], np.float32) * rng.uniform(0.6, 1.25)
    if rng.random() < DIM_SHARE:
        tint *= rng.uniform(0.3, 0.8)
    colors = gain[:, :, None] * tint
    if rng.random() < 0.15:
        mixed = np.clip(smooth_noise(rng, (columns, rows), 2) * 0.2, -0.3, 0.3)[:, :, None]
        colors = colors * (1 + mixed * np.array([-1, 0, 1], np.float32))
    full = cv2.resize(colors.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() >= glossy:
        return cv2.multiply(picture, full, dtype=cv2.CV_8U).astype(np.uint8, copy=False)
    glare = np.zeros((rows, columns), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cx, cy = rng.uniform(0, columns), rng.uniform(0, rows)
        rx, ry = rng.uniform(0.03, 0.2, 2) * max(columns, rows)
        glare += np.exp(-(((xs - cx) / rx) ** 2) - ((ys - cy) / ry) ** 2) * rng.uniform(20, 190)
    spots = cv2.merge([cv2.resize(glare, (width, height), interpolation=cv2.INTER_LINEAR)] * 3)
    lit = cv2.multiply(picture, full, dtype=cv2.CV_32F)
    return cv2.add(lit, spots, dtype=cv2.CV_8U).astype(np.uint8, copy=False)


def lamplight(rng: Rng, picture: UInt8Array) -> UInt8Array:
    """The light of a room: by chance a lamp's pool, a window's slope, dark corners, a tint, shine on varnish."""
    height, width = picture.shape[:2]
    columns, rows = max(8, width // 8), max(8, height // 8)
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    xs, ys = xs / columns * 2 - 1, (ys / rows * 2 - 1) * np.float32(height / width)
    gain = np.ones((rows, columns), np.float32)
    kind = rng.random()
    if kind < 0.3:
        x, y = rng.uniform(-0.8, 0.8), rng.uniform(-0.5, 0.5)
        least, reach = rng.uniform(0.15, 0.8), rng.uniform(0.4, 1.5)
        gain *= least + (1.15 - least) * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / reach**2)
    elif kind < 0.55:
        way = rng.uniform(0, 2 * np.pi)
        across = xs * np.cos(way) + ys * np.sin(way)
        gain *= 1 + across * rng.uniform(0.1, 0.6)
        if rng.random() < 0.3:  # the edge of a patch of sun, or of a body's shadow
            edge = np.clip((across - rng.uniform(-0.8, 0.8)) / rng.uniform(0.02, 0.3), -30, 30)
            gain *= 1 - rng.uniform(0.1, 0.6) / (1 + np.exp(edge))
    if rng.random() < 0.3:
        gain *= 1 - rng.uniform(0.1, 0.45) * (xs**2 + ys**2)
    gain /= gain.mean() ** 0.6  # a camera exposes for what it sees
    warm = rng.uniform(-0.6, 1) if rng.random() < 0.35 else 0.0
    tint = np.array([1 - 0.4 * warm, 1 - 0.08 * abs(warm), 1 + 0.15 * warm], np.float32)
    colors = np.clip(gain, 0.08, 1.8)[:, :, None] * tint
    full = cv2.resize(colors.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    lit = cv2.multiply(picture, full, dtype=cv2.CV_8U).astype(np.uint8, copy=False)
    return shine(rng, lit) if rng.random() < 0.2 else lit


def shine(rng: Rng, picture: UInt8Array) -> UInt8Array:
    """Lamps and windows mirrored in varnish or lacquer: one to four bright spots or streaks, blurred or sharp."""
    height, width = picture.shape[:2]
    columns, rows = max(8, width // 4), max(8, height // 4)
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    glare = np.zeros((rows, columns), np.float32)
    streaks, sharp, way = rng.random() < 0.4, float(rng.choice((1, 2, 4))), rng.uniform(0, np.pi)
    for _ in range(int(rng.integers(1, 5))):
        dx, dy = xs - rng.uniform(0, columns), ys - rng.uniform(0, rows)
        long = columns * (rng.uniform(0.1, 0.5) if streaks else rng.uniform(0.02, 0.12))
        short = columns * rng.uniform(0.01, 0.06) if streaks else long * rng.uniform(0.6, 1)
        along, across = dx * np.cos(way) + dy * np.sin(way), dy * np.cos(way) - dx * np.sin(way)
        far = np.minimum((along / long) ** 2 + (across / short) ** 2, 20)
        glare += np.exp(-(far**sharp)) * rng.uniform(30, 255)
    # A mirrored lamp has its own colour, nearly white.
    coarse = glare[:, :, None] * rng.uniform((0.8, 0.9, 0.95), (1.0, 1.0, 1.0)).astype(np.float32)
    full = cv2.resize(np.minimum(coarse, 255).astype(np.uint8), (width, height))
    return cv2.add(picture, full).astype(np.uint8, copy=False)


def _blur(rng: Rng, picture: UInt8Array, strength: float) -> UInt8Array:
    """No blur, defocus or motion blur, by chance; `strength` is about the largest sigma in px."""
    kind = rng.random()
    if kind < 0.35:
        return picture
    if kind < 0.8:
        return cv2.GaussianBlur(picture, (0, 0), max(0.2, rng.uniform(0.2, strength))).astype(np.uint8)
    length = max(2, int(rng.uniform(1, strength * 3.5)))
    kernel = np.zeros((length * 2 + 1,) * 2, np.float32)
    angle = rng.uniform(0, np.pi)
    half = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = (np.trunc(length + way * half).astype(int).tolist() for way in (-1, 1))
    cv2.line(kernel, start, end, 1.0, 1)
    return cv2.filter2D(picture, -1, kernel / kernel.sum()).astype(np.uint8)


@lru_cache(1)
def _noise_stock() -> Float32Array:
    return np.random.default_rng(0).standard_normal((640, 640, 3), dtype=np.float32)


def _noise(rng: Rng, shape: tuple[int, ...]) -> Float32Array:
    """Standard normal noise (H, W, 3), grey or coloured. To save time it is cut from a stored field, if it fits."""
    grey = rng.random() < 0.5
    height, width = shape
    stock = _noise_stock()
    if height > len(stock) or width > len(stock):
        noise = rng.standard_normal((height, width, 1 if grey else 3), dtype=np.float32)
    else:
        y, x = rng.integers(len(stock) - height + 1), rng.integers(len(stock) - width + 1)
        noise = stock[y : y + height, x : x + width]
    if not grey:
        return noise
    return cv2.merge([np.ascontiguousarray(noise[:, :, 0])] * 3).astype(np.float32, copy=False)


def through_camera(rng: Rng, picture: UInt8Array, blur_px: float) -> UInt8Array:
    """Defocus or motion blur (about `blur_px`), resampling, noise, exposure bands, tone curve, sharpening, JPEG."""
    out = _blur(rng, picture, blur_px)
    if rng.random() < 0.25:
        small = rng.uniform(0.6, 0.95)
        height, width = out.shape[:2]
        shrunk = cv2.resize(out, (int(width * small), int(height * small)), interpolation=cv2.INTER_AREA)
        out = cv2.resize(shrunk, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    if rng.random() < 0.7:
        sigma = rng.uniform(0, 11) if rng.random() < 0.85 else rng.uniform(11, 22)
        out = cv2.add(out, _noise(rng, out.shape[:2]) * np.float32(sigma), dtype=cv2.CV_8U).astype(np.uint8)
    if rng.random() < 0.08:
        rows = np.arange(out.shape[0], dtype=np.float32)
        bands = 1 + rng.uniform(0.02, 0.12) * np.sin(rows / rng.uniform(8, 60))
        out = (out * bands[:, None, None]).clip(0, 255).astype(np.uint8)
    tones = np.arange(256, dtype=np.float64)
    if rng.random() < 0.5:
        mean = out.mean()
        tones = ((tones - mean) * rng.uniform(0.7, 1.25) + mean + rng.normal(0, 8)).clip(0, 255)
    if rng.random() < 0.4:
        tones = (tones / 255) ** rng.uniform(0.7, 1.5) * 255
    out = cv2.LUT(out, tones.astype(np.uint8)).astype(np.uint8, copy=False)
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = cv2.addWeighted(out, 1.8, soft, -0.8, 0).astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.uniform(28, 96))
        _, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        unpacked = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        assert unpacked is not None
        out = unpacked.astype(np.uint8, copy=False)
    return out
