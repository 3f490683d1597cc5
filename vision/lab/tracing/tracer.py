"""Path tracing a scene with Blender, and denoising the result, since few paths are traced per pixel."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array
from vision.errors import VisionError
from vision.lab.tracing.geometry import Mesh, TracedCamera

SCRIPT = Path(__file__).with_name("blender_scene.py")
"""What runs inside Blender."""
KEY, WHITE_POINT = 0.18, 0.8
"""Linear light (0..1) of a well exposed picture: its mean, and the most of its 95th percentile."""

Material = dict[str, object]
"""What `blender_scene.make_material` takes: surface values by Blender's names, and `color`, `image`, `light`, …"""
Numbers = npt.NDArray[np.int32]
"""For each pixel (H, W) int32, the number of the thing that it shows; 0 for what has none."""


@dataclass(frozen=True)
class Thing:
    """A mesh with its material; its `number` marks the pixels that show it.

    If `melt_mm` is above 0, its parts are merged into one smooth surface at that resolution.
    """

    mesh: Mesh
    material: Material
    number: int = 0
    smooth: bool = False
    melt_mm: float = 0.0


@dataclass(frozen=True)
class Lamp:
    """An area light: DISK, RECTANGLE or SQUARE of `size` mm at `at`, shining towards `toward` (mm)."""

    at: tuple[float, float, float]
    toward: tuple[float, float, float]
    size: tuple[float, float]
    watts: float
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shape: str = "DISK"


@dataclass(frozen=True)
class World:
    """What is traced: things under lamps and an even `ambient` light (RGB), seen by a camera."""

    camera: TracedCamera
    things: tuple[Thing, ...]
    lights: tuple[Lamp, ...]
    ambient: tuple[float, float, float] = (0.1, 0.1, 0.1)


@dataclass(frozen=True)
class Traced:
    """The light (H, W, 3) float32, linear RGB multiplied by `gain`, and the number (H, W) that each pixel shows."""

    light: Float32Array
    numbers: Numbers
    gain: np.float32


def find_blender() -> str:
    """The path of the blender program; raises `VisionError` when there is none."""
    found = shutil.which("blender")
    if found is None:
        raise VisionError("blender: not installed (on Debian: apt-get install blender)")
    return found


def trace(
    worlds: Sequence[World], folder: Path, samples: int = 4, seed: int = 0, gain: np.float32 | None = None
) -> list[Traced]:
    """Trace `worlds` with `samples` paths per pixel, on one thread; scene files and passes go under `folder`.

    The light is multiplied by `gain`; by default each world has its own (`exposure`). Raises `VisionError` when Blender
    is missing or fails.
    """
    blender = find_blender()
    scenes = []
    for number, world in enumerate(worlds):
        out = folder / f"scene{number}"
        out.mkdir(parents=True, exist_ok=True)
        scenes.append(out / "scene.json")
        scenes[-1].write_text(json.dumps(_described(world, out, samples, seed)), encoding="utf-8")
    options = ("-b", "--factory-startup", "-noaudio", "-t", "1", "-P", str(SCRIPT), "--")
    command = [blender, *options, *map(str, scenes)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    passes = [scene.parent for scene in scenes]
    if (
        done.returncode
        or "Traceback" in done.stderr + done.stdout
        or not all((p / "Image0001.exr").is_file() for p in passes)
    ):
        last = next(
            (line for line in reversed(f"{done.stdout}\n{done.stderr}".splitlines()) if "Error" in line),
            "no word",
        )
        raise VisionError(f"blender: the scene could not be traced ({last})")
    return [_traced(out, gain) for out in passes]


def _described(world: World, out: Path, samples: int, seed: int) -> dict[str, object]:
    camera = world.camera
    return {
        "out": str(out) + os.sep, "size": camera.size, "samples": samples, "seed": seed,
        "camera": {
            "at": camera.at.tolist(), "axes": camera.axes.tolist(),
            "hfov_rad": float(np.radians(camera.hfov_deg)),
        },
        "ambient": world.ambient,
        "lights": [vars(light) for light in world.lights],
        "objects": [
            {
                "points": np.round(t.mesh.points, 3).tolist(), "faces": t.mesh.faces,
                "uv": np.round(t.mesh.uv, 5).tolist(), "material": t.material, "number": t.number,
                "smooth": t.smooth, "melt_mm": t.melt_mm,
            }
            for t in world.things
        ],
    }  # fmt: skip


def _traced(out: Path, gain: np.float32 | None) -> Traced:
    os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
    image, albedo, normal, number = (
        cv2.imread(str(out / f"{name}0001.exr"), cv2.IMREAD_UNCHANGED)
        for name in ("Image", "Albedo", "Normal", "Number")
    )
    if image is None or albedo is None or normal is None or number is None:
        raise VisionError(f"{out}: OpenCV cannot read what Blender wrote")
    light, tint, facing = (np.ascontiguousarray(p[:, :, ::-1], np.float32) for p in (image, albedo, normal))
    numbers = np.rint(number if number.ndim == 2 else number[:, :, 0]).astype(np.int32)
    scale = gain or exposure(light)
    clean = denoise(np.minimum(light * scale, 1).astype(np.float32), tint, facing)
    return Traced(clean, numbers, scale)


def exposure(light: Float32Array) -> np.float32:
    """The gain that a webcam would choose for the light (H, W, 3), linear RGB.

    It brings the mean to `KEY`, or to less if the 95th percentile would exceed `WHITE_POINT`.
    """
    gray = light.mean(2)
    mean, bright = float(np.minimum(gray, np.percentile(gray, 98)).mean()), float(np.percentile(gray, 95))
    return np.float32(min(KEY / max(mean, 1e-6), WHITE_POINT / max(bright, 1e-6)))


def denoise(light: Float32Array, albedo: Float32Array, normal: Float32Array) -> Float32Array:
    """`light` (H, W, 3) float32, linear RGB 0..1, denoised by Intel's Open Image Denoise.

    `albedo` (0..1) and `normal` (-1..1), of the same shape, tell it where colours and surfaces change.
    """
    import oidn  # of the tracing extra: forty megabytes that nothing else needs

    height, width = light.shape[:2]
    out = np.zeros_like(light)
    device = oidn.NewDevice()
    oidn.CommitDevice(device)
    filtered = oidn.NewFilter(device, "RT")
    inputs = {"color": light, "albedo": np.clip(albedo, 0, 1), "normal": normal, "output": out}
    held = {name: np.ascontiguousarray(picture, np.float32) for name, picture in inputs.items()}
    for name, picture in held.items():
        oidn.SetSharedFilterImage(filtered, name, picture, oidn.FORMAT_FLOAT3, width, height)
    oidn.CommitFilter(filtered)
    oidn.ExecuteFilter(filtered)
    oidn.ReleaseFilter(filtered)
    oidn.ReleaseDevice(device)
    return held["output"]
