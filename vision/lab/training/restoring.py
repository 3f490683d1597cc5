"""Weights in files, and back in a network, to continue training.

A checkpoint to start from is a state dict of plain tensors, because a pickled network runs code when it is loaded.

An exported network has its batch normalisations folded into its convolutions. Here each convolution gets back a
normalisation that changes nothing: its statistics are measured on pictures, and its scale and offset undo them. So the
network answers as the exported one does, in training mode too, where default statistics would shift every layer. The
weights are scaled back to the size of new ones: a training step is then small beside them.
"""

import io
import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tracker.files import PUBLIC, replace_file
from vision.errors import VisionError
from vision.lab.extras import train_extra

with train_extra("training"):
    import torch


def save_state(model: Any, path: Path) -> None:
    """Write the state dict of `model`, an `nn.Module`, to `path`, in half precision, as `load_state` reads it."""
    state = {
        name: value.detach().cpu().half() if value.is_floating_point() else value.cpu()
        for name, value in model.state_dict().items()
    }
    written = io.BytesIO()
    torch.save(state, written)
    replace_file(path, written.getvalue(), PUBLIC)


def load_state(path: Path) -> dict[str, torch.Tensor]:
    """The state dict in `path`, float32 and integers, on the processor; nothing but tensors is read.

    Raises `VisionError` when `path` is anything else, such as a whole pickled network.
    """
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise VisionError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (RuntimeError, EOFError, LookupError, TypeError, ValueError, pickle.UnpicklingError):
        state = None
    if not isinstance(state, dict) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise VisionError(
            f"{path}: not a checkpoint of weights alone, as `tarok train` writes beside its ONNX file"
        )
    return {name: value.float() if value.is_floating_point() else value for name, value in state.items()}


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

    The statistics of the normalisations are measured on `pictures`, batches (N, 3, H, W) float32 in 0..1. Of the head's
    two halves one is exported; the other one is copied from it.
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
    """Give each of `norms` the mean and variance of its input on `pictures`, and a scale and offset that undo them."""
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
            # A folded weight may be a hundredth of its old size: as small as a training step.
            kernel = folded[norm].weight
            rows = kernel.flatten(1)
            scale = ((2 / rows.shape[1]) ** 0.5 / rows.square().mean(1).sqrt().clamp_min(1e-6)).double()
            kernel.mul_(scale.to(kernel).view(-1, 1, 1, 1))
            norm.bias.add_(mean.to(norm.bias))
            norm.running_mean.copy_(mean * scale)
            norm.running_var.copy_(variance * scale**2)
            norm.weight.copy_((variance * scale**2 + norm.eps).sqrt() / scale)
