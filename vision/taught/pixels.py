"""Comparing a crop with taught crops pixel by pixel, after each was laid exactly over it.

All pictures of one printed card differ only in light, focus and in what covers the card. So the light is evened out.
The taught crop is registered: Lucas-Kanade with a robust weight, coarse to fine (Baker and Matthews 2004). The
differences are summed as log(1 + square), Cauchy's distribution, so that a covering card counts little.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.reading.identifier import both_ways

SIZES_PX = ((16, 28), (32, 56), (64, 112))
"""The (width, height) in px at which a card is registered, coarse to fine. In pictures it is 90 to 235 px high."""
_STEPS = ((4.0, 3.0, 2.0), (2.0, 2.0), (1.5,))
"""The steps at each size: the difference, in local standard deviations, from which a pixel counts for less."""
_HELD = (1.0, 2.0, 4.0)
"""How firmly the corners are held where they were found, at each size: on bare paper they would slip."""
_FARTHEST = 0.05
"""The farthest that a corner moves in one step, as a share of the card."""
_SQUARED = 0.5
"""Squared difference of evened pixels from which they count by the logarithm."""
_EDGE_PX = 2
_GREY = np.array([0.2, 0.5, 0.3], np.float32)
_PAIRS = np.triu_indices(8)


@dataclass(frozen=True)
class Layers:
    """A crop for comparison, with the light evened out.

    `levels` are its luminance at each of `SIZES_PX`, `picture` (112, 64, 3) is its luminance and colour.
    """

    levels: tuple[Float32Array, ...]
    picture: Float32Array


def layers(crop: UInt8Array) -> Layers:
    """The layers of a square crop of a card, uint8 BGR."""
    fine = SIZES_PX[-1]
    bgr = cv2.resize(crop, fine, interpolation=cv2.INTER_AREA).astype(np.float32)
    grey = (bgr @ _GREY).astype(np.float32)
    light = cv2.GaussianBlur(cv2.resize(bgr, SIZES_PX[0], interpolation=cv2.INTER_AREA), (0, 0), 5.0)
    even = bgr / (cv2.resize(light, fine, interpolation=cv2.INTER_LINEAR) + 8)
    shade = even @ _GREY
    colors = 2.5 * (even[:, :, ::2] - shade[:, :, None]) / (shade[:, :, None] + 0.4)
    mean = cv2.GaussianBlur(grey, (0, 0), 7.7)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), 7.7) - mean * mean, 0) + 64)
    picture = np.dstack([(grey - mean) / spread, colors]).astype(np.float32)
    small = [cv2.resize(grey, size, interpolation=cv2.INTER_AREA) for size in SIZES_PX[:-1]]
    levels = (
        _evened(cv2.GaussianBlur(small[0], (0, 0), 0.8), 9),
        _evened(small[1], 9),
        _evened(cv2.GaussianBlur(grey, (0, 0), 0.7), 17),
    )
    return Layers(levels, picture)


def layers_both_ways(crop: UInt8Array) -> tuple[Layers, Layers]:
    """The layers of a crop as it lies, and upside down."""
    upright, turned = both_ways([crop])
    return layers(upright), layers(turned)


def differences(crop: UInt8Array, taught: Sequence[tuple[Layers, Layers]]) -> Float32Array:
    """How far (N,) a square BGR crop differs from each of N taught crops, the better way up: from 0, mostly 0.3 to 3.

    Only compare these numbers with one another: blur and noise add to all of them.
    """
    seen = layers(crop)
    ways = [way for both in taught for way in both]
    moved = np.zeros((len(ways), 4, 2), np.float32)
    for level in (0, 1):
        moved = _register(seen, ways, moved, level)
    misfit = np.minimum(_apart(seen, ways, moved, 1) ** 2, 2).mean(1)
    better = np.arange(0, len(ways), 2) + misfit.reshape(-1, 2).argmin(1)
    best = [ways[int(way)] for way in better]
    moved = _register(seen, best, moved[better], 2)
    size, inside = SIZES_PX[-1], np.zeros(SIZES_PX[-1][::-1], np.uint8)
    inside[_EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX] = 1
    told = []
    for way, matrix in zip(best, _matrices(moved, size), strict=True):
        laid = _warp(way.picture, matrix, size)
        both = inside & cv2.warpPerspective(
            inside, matrix, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        )
        far = np.log1p((seen.picture - laid) ** 2 / _SQUARED).sum(2)
        told.append(float((far * both).sum() / max(int(both.sum()), 1)))
    return np.array(told, np.float32)


def _evened(grey: Float32Array | cv2.typing.MatLike, side: int) -> Float32Array:
    """Each pixel less the mean of its neighbourhood, in standard deviations of that neighbourhood."""
    mean = cv2.blur(grey, (side, side))
    spread = np.sqrt(np.maximum(cv2.blur(grey * grey, (side, side)) - mean * mean, 0))
    return np.asarray((grey - mean) / (spread + 6), np.float32)


def _shares(size: tuple[int, int]) -> Float32Array:
    """How far (4, N) each pixel moves with each corner."""
    x, y = np.meshgrid((np.arange(size[0]) + 0.5) / size[0], (np.arange(size[1]) + 0.5) / size[1])
    return np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y]).reshape(4, -1).astype(np.float32)


_MOVED_WITH = tuple(_shares(size) for size in SIZES_PX)


def _matrices(moved: Float32Array, size: tuple[int, int]) -> list[cv2.typing.MatLike]:
    """The homographies that move the corners of a picture of `size` by `moved` (N, 4, 2), shares of its sides."""
    wide, high = size
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - np.float32(0.5)
    ends = (corners + moved * np.array(size, np.float32)).astype(np.float32)
    return [cv2.getPerspectiveTransform(corners, end) for end in ends]


def _warp(picture: Float32Array, matrix: cv2.typing.MatLike, size: tuple[int, int]) -> cv2.typing.MatLike:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _apart(seen: Layers, taught: Sequence[Layers], moved: Float32Array, level: int) -> Float32Array:
    """How far (N, P) the P pixels of `seen` differ from those of N taught crops with corners moved by (N, 4, 2)."""
    size = SIZES_PX[level]
    laid = [
        _warp(one.levels[level], m, size).ravel()
        for one, m in zip(taught, _matrices(moved, size), strict=True)
    ]
    return np.asarray(seen.levels[level].ravel() - np.stack(laid), np.float32)


def _register(seen: Layers, taught: Sequence[Layers], moved: Float32Array, level: int) -> Float32Array:
    """How far (N, 4, 2) the corners of N taught crops must move to lie over `seen`, starting from `moved`."""
    size, picture = SIZES_PX[level], seen.levels[level]
    right = cv2.Sobel(picture, cv2.CV_32F, 1, 0, scale=size[0] / 8).ravel()
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1, scale=size[1] / 8).ravel()
    slopes = np.concatenate([_MOVED_WITH[level] * right, _MOVED_WITH[level] * down])
    products = np.ascontiguousarray((slopes[_PAIRS[0]] * slopes[_PAIRS[1]]).T)
    hold, normal = np.float32(_HELD[level]), np.empty((len(taught), 8, 8), np.float32)
    for scale in _STEPS[level]:
        apart = _apart(seen, taught, moved, level)
        weights = (1 / (1 + (apart / np.float32(scale)) ** 2)) ** 2
        sums = weights @ products
        normal[:, _PAIRS[0], _PAIRS[1]] = sums
        normal[:, _PAIRS[1], _PAIRS[0]] = sums
        so_far = np.concatenate([moved[:, :, 0], moved[:, :, 1]], axis=1)
        pull = (weights * apart) @ slopes.T - hold * so_far
        step = np.linalg.solve(normal + hold * np.eye(8, dtype=np.float32), pull[:, :, None])[:, :, 0]
        step = np.clip(step, -_FARTHEST, _FARTHEST)
        moved = moved + np.stack([step[:, :4], step[:, 4:]], axis=2)
    return moved
