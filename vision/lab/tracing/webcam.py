"""Model of a webcam: lens distortion, blur, noise, white balance and JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32Array, Rng, UInt8Array
from vision.lab.tracing.geometry import TracedCamera
from vision.lab.tracing.tracer import Numbers


@dataclass(frozen=True)
class Webcam:
    """A webcam's settings and faults.

    - `gain`, `tint`: factors of the light, and of its channels R, G, B.
    - `soft_px`: sigma of the blur. `sharpen`: strength of the unsharp mask.
    - `grain`: sigma of the noise in mid grey, of 0..1. `fall_off`: share of the light that the corners lose.
    - `jpeg`: its quality, 0..100. `motion`: length (px) and angle (degrees) of motion blur.
    """

    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    soft_px: float = 0.8
    sharpen: float = 0.4
    grain: float = 0.008
    fall_off: float = 0.1
    jpeg: int = 80
    motion: tuple[float, float] = (0.0, 0.0)


def random_webcam(rng: Rng, hard: bool, dim: bool) -> Webcam:
    """A random webcam. In a `dim` room and in a `hard` picture there is more noise, in some hard ones motion blur."""
    warm = rng.normal(0, 0.06)
    grain = rng.uniform(0.003, 0.012) * (2.2 if dim else 1.0) * (1.4 if hard else 1.0)
    shaken = hard and rng.random() < 0.25
    return Webcam(
        gain=float(np.exp(rng.normal(0.15, 0.2))),
        tint=(float(1 + warm), float(1 + rng.normal(0, 0.02)), float(1 - warm)),
        soft_px=float(rng.uniform(0.5, 1.1) * (1.2 if hard else 1.0)), sharpen=float(rng.uniform(0, 1.0)),
        grain=float(grain), fall_off=float(rng.uniform(0, 0.3)), jpeg=int(rng.integers(55, 92)),
        motion=(float(rng.uniform(2, 5)), float(rng.uniform(0, 180))) if shaken else (0.0, 0.0),
    )  # fmt: skip


def seen(rng: Rng, light: Float32Array, camera: TracedCamera, webcam: Webcam) -> bytes:
    """The JPEG that a webcam sends of `light` (H, W, 3) float32, linear RGB of about 0..1."""
    height, width = light.shape[:2]
    picture = bent(light, camera) * np.float32(webcam.gain) * np.array(webcam.tint, np.float32)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    far = ((xs - width / 2) ** 2 + (ys - height / 2) ** 2) / (width**2 + height**2) * 4
    picture *= (1 - np.float32(webcam.fall_off) * far)[:, :, None]
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), webcam.soft_px), np.float32)
    length, angle = webcam.motion
    if length > 0:
        picture = np.asarray(cv2.filter2D(picture, -1, _streak(length, angle)), np.float32)
    picture = _tone(picture)
    if webcam.sharpen > 0:
        picture = picture + np.float32(webcam.sharpen) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.6))
    # Shot noise grows with the light; after the tone curve it shows most in the darks. Colour noise is coarser.
    dark = np.float32(webcam.grain) * (1.6 - 1.1 * picture.clip(0, 1))
    fine = rng.standard_normal((height, width, 1), np.float32)
    coarse = rng.standard_normal((height // 2, width // 2, 3), np.float32)
    picture = picture + dark * (fine + cv2.resize(coarse, (width, height)))
    bgr: UInt8Array = (picture[:, :, ::-1].clip(0, 1) * 255 + 0.5).astype(np.uint8)
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, webcam.jpeg])[1].tobytes()


def bent(light: Float32Array, camera: TracedCamera) -> Float32Array:
    """An undistorted picture (H, W, C) float32 with the lens distortion of `camera`."""
    if camera.bend == 0:
        return light
    height, width = light.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width]
    # A pixel's middle is half a pixel from its corner, where coordinates begin.
    points = np.stack([xs.ravel(), ys.ravel()], axis=1) + 0.5
    at = (camera.unbend(points) - 0.5).astype(np.float32).reshape(height, width, 2)
    return cv2.remap(
        light, at[:, :, 0], at[:, :, 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)


def bent_numbers(numbers: Numbers, camera: TracedCamera) -> Numbers:
    """The numbers (H, W) of the things that the pixels of the sent picture show: as `bent`, without interpolation."""
    height, width = numbers.shape
    ys, xs = np.mgrid[0:height, 0:width]
    at = np.floor(camera.unbend(np.stack([xs.ravel(), ys.ravel()], axis=1) + 0.5)).astype(int)
    at = at.clip(0, (width - 1, height - 1))
    return np.asarray(numbers[at[:, 1], at[:, 0]].reshape(height, width), np.int32)


def _tone(linear: Float32Array) -> Float32Array:
    """The sRGB curve with a soft shoulder, as webcams have."""
    soft = np.where(linear > 0.7, 0.7 + 0.3 * np.tanh((linear - 0.7) / 0.3), np.maximum(linear, 0))
    curve = np.where(soft < 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-6) ** (1 / 2.4) - 0.055)
    return np.asarray(curve, np.float32)


def _streak(length: float, angle_deg: float) -> Float32Array:
    size = 2 * int(np.ceil(length)) + 1
    kernel = np.zeros((size, size), np.float32)
    middle = size // 2
    off = np.array([np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))]) * length / 2
    start, end = (tuple(round(float(v)) for v in middle + sign * off) for sign in (-1, 1))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA)
    return np.asarray(kernel / kernel.sum(), np.float32)
