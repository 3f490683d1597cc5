"""Putting exported ONNX weights back into a network, to continue training.

An exported network has its batch normalisations folded into its convolutions. Here each convolution gets back one
that does nothing: its statistics are measured on pictures, and its scale and offset undo them. So the network
answers as the exported one does, in training mode too, where a normalisation with default statistics would shift
every layer. For the same reason the weights are scaled back to the size of freshly initialised ones.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from vision.errors import VisionError

try:
    import torch
except ImportError as error:
    raise VisionError(
        f"training needs the extra packages ({error.name or error}): pip install 'tarok-table[train]'"
    ) from error


def load_weights(path: Path) -> dict[str, torch.Tensor]:
    """The named weights in the ONNX file at `path`; raises `VisionError` when it cannot be read as one."""
    import onnx
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    from onnx import numpy_helper

    try:
        graph = onnx.load(path).graph
    except (OSError, DecodeError) as error:
        raise VisionError(f"{path}: not an ONNX file ({error})") from error
    return {
        tensor.name: torch.from_numpy(np.array(numpy_helper.to_array(tensor), np.float32))
        for tensor in graph.initializer
        if tensor.name.startswith("model.") and tensor.dims
    }


def restore(model: Any, weights: dict[str, torch.Tensor], pictures: Iterable[torch.Tensor]) -> int:
    """Put `weights` (`load_weights`) into `model`, an ultralytics model with normalisations; returns how many fitted.

    The statistics of the normalisations are measured on `pictures`, batches (N, 3, H, W) float32 in 0..1. The
    head has two halves, of which one is exported: the other one is copied from it.
    """
    own = model.state_dict()
    taken = 0
    for name, value in weights.items():
        for target in {name, name.replace("one2one_", ""), name.replace(".cv", ".one2one_cv")}:
            folded = target.endswith(".conv.bias") and target.replace("conv.bias", "bn.bias") in own
            place = target.replace("conv.bias", "bn.bias") if folded else target
            if place not in own or own[place].shape != value.shape:
                continue
            own[place] = value.clone()
            taken += 1
            if folded:
                stem = place.removesuffix("bias")
                own[stem + "weight"].fill_(1.0)
                own[stem + "running_mean"].zero_()
                own[stem + "running_var"].fill_(1.0)
    model.load_state_dict(own)
    norms = [m for m in model.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.running_var.fill_(1.0 - norm.eps)
    _measure(model, norms, pictures)
    return taken


def _measure(model: Any, norms: list[Any], pictures: Iterable[torch.Tensor]) -> None:
    """Give each of `norms` the mean and variance of its input on `pictures`, with a scale and offset that undo them."""
    sums: dict[Any, list[Any]] = {norm: [0.0, 0.0, 0] for norm in norms}

    def note(norm: Any, given: tuple[torch.Tensor, ...], _: Any) -> None:
        x = given[0].double()
        entry = sums[norm]
        entry[0] = entry[0] + x.sum((0, 2, 3))
        entry[1] = entry[1] + (x * x).sum((0, 2, 3))
        entry[2] += x.numel() // x.shape[1]

    hooks = [norm.register_forward_hook(note) for norm in norms]
    model.eval()
    with torch.no_grad():
        for batch in pictures:
            model(batch)
            for norm in norms:
                assert not norm.training
    for hook in hooks:
        hook.remove()
    folded = {
        block.bn: block.conv for block in model.modules() if hasattr(block, "bn") and hasattr(block, "conv")
    }
    with torch.no_grad():
        for norm, (total, squares, count) in sums.items():
            if not count or norm not in folded:
                continue
            mean = total / count
            variance = (squares / count - mean * mean).clamp_min(0.0)
            # A folded weight may be a hundredth of its old size. A training step would then be as large as the weight.
            kernel = folded[norm].weight
            rows = kernel.flatten(1)
            scale = ((2 / rows.shape[1]) ** 0.5 / rows.square().mean(1).sqrt().clamp_min(1e-6)).double()
            kernel.mul_(scale.to(kernel).view(-1, 1, 1, 1))
            norm.bias.add_(mean.to(norm.bias))
            norm.running_mean.copy_(mean * scale)
            norm.running_var.copy_(variance * scale**2)
            norm.weight.copy_((variance * scale**2 + norm.eps).sqrt() / scale)
