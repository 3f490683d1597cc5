"""A trained network run by ONNX Runtime."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.errors import VisionError
from vision.resources import models_dir

if TYPE_CHECKING:
    import onnxruntime


_AVX2 = 11  # OpenCV's number for it (CV_CPU_AVX2), which its Python module does not name
SPIN_US = 100
"""Microseconds for which an idle thread of a network stays awake: the next of its hundreds of layers soon follows.

It saves the finder a seventh of its time on two threads, and costs no more. 50 to 400 do so alike.
"""
_SPINS_BRIEFLY = (1, 26)  # the first ONNX Runtime in which that time is set; before, it was some 20 ms


def shipped_network(name: str) -> Path:
    """The file of the shipped network `name`: with 8-bit weights if the processor has AVX2, else with float weights.

    All laptops since 2015 have AVX2, and are faster with 8 bits. Other processors are not.
    """
    folder = models_dir() / "int8" if cv2.checkHardwareSupport(_AVX2) else models_dir()
    return folder / f"{name}.onnx"


def open_network(path: Path, threads: int) -> "onnxruntime.InferenceSession":
    """The network in the ONNX file `path`; raises `VisionError` if it is missing or cannot be run."""
    if not path.is_file():
        raise VisionError(f"{path}: the trained model is missing")
    # Imported here, by the thread that reads the table, so that the page does not wait for it.
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    brief = tuple(int(part) for part in onnxruntime.__version__.split(".")[:2]) >= _SPINS_BRIEFLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "1" if brief else "0")
    options.add_session_config_entry("session.intra_op.spin_duration_us", str(SPIN_US))
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (
        # ONNX Runtime's errors share no base class of their own.
        RuntimeError, ValueError, onnx_errors.Fail, onnx_errors.InvalidProtobuf, onnx_errors.InvalidGraph,
        onnx_errors.InvalidArgument, onnx_errors.NotImplemented, onnx_errors.RuntimeException,
    ) as error:  # fmt: skip
        raise VisionError(f"{path}: not a model that ONNX Runtime can run ({error})") from error


def as_input(pictures: Sequence[UInt8Array]) -> Float32Array:
    """N pictures (H, W, 3) uint8 BGR as network input: (N, 3, H, W) float32 RGB, 0..1."""
    stack = np.stack(pictures)[:, :, :, ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)
