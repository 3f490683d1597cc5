"""8-bit weights for the finder and the corner network, made of their float weights and rendered tables alone.

Convolutions and what lies between them compute in integers; the first convolution and the last ones stay float.
Activations have 8 bits, weights 7. A processor without VNNI adds two products in 16 bits, where those of 8-bit weights
may not fit. With 7 bits every processor gives the same answers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from tracker.files import PUBLIC, replace_file
from vision.arrays import Float32Array
from vision.errors import VisionError
from vision.lab.extras import train_extra
from vision.lab.rendering.scene import Studio, render_scene
from vision.lab.training.cutting import cut_outs
from vision.reading.finder import Finder
from vision.reading.letterbox import letterbox
from vision.reading.network import as_input
from vision.resources import models_dir

INTEGER_OPERATIONS: Final = (
    "Conv", "Sigmoid", "Mul", "Relu", "Add", "Concat", "MaxPool", "Split", "Resize", "Reshape", "Transpose",
)  # fmt: skip
FLOAT_PARTS: Final = {
    # The first convolution, the attention's products, and of the head: boxes and angles from their second convolution
    # on, and whatever is neither a convolution nor its activation.
    "finder": (r"/model\.0/", r"attn/(?!qkv|pe|proj)", r"/model\.23/cv[24]\.\d/cv[24]\.\d\.[12]/",
               r"/model\.23/(?!.*(/conv/Conv$|/act/))"),
    "corners": (r"/(Sub|Mul)$", r"/stem/stem\.0/"),
}  # fmt: skip
"""Regular expressions for the names of the operations that stay float: there integers lose most and gain least."""
PICTURE_PX = (1280, 720)
"""Width and height of a rendered table."""
CALIBRATED_PX = (58.0, 300.0)
"""Height of a card on it."""
PER_PICTURE = 20_000
"""Values of an activation that are kept of each picture; more would not change the range."""
SHARES = np.geomspace(0.1, 1.0, 24, dtype=np.float32)
"""Shares of an activation's range that are tried: a few outliers must not make the steps of all values coarse."""


def quantise(kind: str, network: Path, studio: Studio, tables: int, seed: int, out: Path) -> None:
    """Write the float ONNX file `network` with 8-bit weights to `out`; `kind` is "finder" or "corners".

    The ranges of its activations are measured on so many `tables` of `studio`, rendered with `seed`. Raises
    `VisionError` where the onnx package is missing, or `network` is not of this kind.
    """
    with train_extra("quantising"):
        import onnx
        from onnxruntime.quantization import QuantType
        from onnxruntime.quantization.calibrate import CalibrationMethod, TensorsData
        from onnxruntime.quantization.qdq_quantizer import QDQQuantizer
        from onnxruntime.quantization.shape_inference import quant_pre_process

    with TemporaryDirectory() as folder:
        tidy = Path(folder) / "tidy.onnx"
        quant_pre_process(network, tidy, skip_symbolic_shape=True)
        model = onnx.load(tidy)
    stay_float = _float_nodes(kind, [node.name for node in model.graph.node])
    ranges = {
        name: _best_range(values)
        for name, values in _activations(model, _pictures(kind, studio, tables, seed)).items()
    }
    quantiser = QDQQuantizer(
        model, per_channel=True, reduce_range=True, weight_qType=QuantType.QInt8,
        activation_qType=QuantType.QUInt8, tensors_range=TensorsData(CalibrationMethod.MinMax, ranges),
        nodes_to_quantize=[], nodes_to_exclude=stay_float, op_types_to_quantize=list(INTEGER_OPERATIONS),
        extra_options={},
    )  # fmt: skip
    quantiser.quantize_model()
    out.parent.mkdir(parents=True, exist_ok=True)
    replace_file(out, quantiser.model.model.SerializeToString(), PUBLIC)


def _float_nodes(kind: str, names: Sequence[str]) -> list[str]:
    """Those of the `names` of operations that stay float; raises `VisionError` where a pattern fits none of them."""
    chosen: list[str] = []
    for pattern in FLOAT_PARTS[kind]:
        fitting = [name for name in names if re.search(pattern, name)]
        if not fitting:
            raise VisionError(f"not a network of the {kind}: none of its operations is called like {pattern}")
        chosen += fitting
    return chosen


def _pictures(kind: str, studio: Studio, tables: int, seed: int) -> Iterator[Float32Array]:
    """The inputs (N, 3, H, W) float32 of the network of `kind` for so many newly rendered `tables`."""
    finder = Finder(models_dir() / "finder.onnx")
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        if kind == "corners":
            cuts = cut_outs(rng, studio, finder)
            if cuts:
                yield as_input([one.picture for one in cuts])
        else:
            scene = render_scene(rng, studio, PICTURE_PX, float(np.exp(rng.uniform(*np.log(CALIBRATED_PX)))))
            yield as_input([letterbox(scene.picture, finder.size)[0]])


def _activations(model: Any, pictures: Iterable[Float32Array]) -> dict[str, Float32Array]:
    """By name some values of each float activation of an ONNX `model` on `pictures`, with the least and greatest."""
    import onnx
    import onnxruntime

    told = onnx.shape_inference.infer_shapes(model)
    inside = [v for v in told.graph.value_info if v.type.tensor_type.elem_type == onnx.TensorProto.FLOAT]
    told.graph.output.extend(inside)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        told.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    given, names = session.get_inputs()[0].name, [output.name for output in session.get_outputs()]
    kept: dict[str, list[Float32Array]] = {name: [] for name in (given, *names)}
    rng = np.random.default_rng(0)
    for picture in pictures:
        for name, value in zip(kept, (picture, *session.run(names, {given: picture})), strict=True):
            flat = value.ravel()
            some = flat[rng.integers(0, flat.size, PER_PICTURE)] if flat.size > PER_PICTURE else flat
            kept[name] += [some, np.array([flat.min(), flat.max()], np.float32)]
    return {name: np.concatenate(values) for name, values in kept.items()}


def _best_range(values: Float32Array) -> tuple[np.float32, np.float32]:
    """The ends of the range about 0 whose 255 equal steps are nearest to `values` by the mean square."""
    low, high = np.float32(min(0.0, values.min())), np.float32(max(0.0, values.max()))
    farthest = max(-low, high)
    tried = [(max(low, -share * farthest), min(high, share * farthest)) for share in SHARES]
    return min(tried, key=lambda ends: _coarseness(values, *ends))


def _coarseness(values: Float32Array, low: np.float32, high: np.float32) -> float:
    """The mean square of how far `values` are from the nearest of 255 equal steps from `low` to `high`."""
    step = max((high - low) / 255, np.finfo(np.float32).tiny)
    nearest = np.clip(np.round((values - low) / step), 0, 255) * step + low
    return float(np.square(nearest - values).mean())
