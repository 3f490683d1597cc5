"""Fitting a small network of our own with AdamW and a cosine schedule, and exporting it."""

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vision.lab.extras import train_extra
from vision.lab.training.settings import Settings

with train_extra("training"):
    import torch
    from torch import nn

SAY_EVERY = 100
"""Batches between two lines of progress, and between two checkpoints."""


def fit(
    network: nn.Module,
    batches: Iterable[Any],
    loss_of: Callable[[nn.Module, Any], tuple[torch.Tensor, Mapping[str, torch.Tensor]]],
    checkpoint: Path,
    *,
    settings: Settings,
    hours: float | None,
    say: Callable[[str], None],
) -> tuple[int, float]:
    """Fit `network` to endless `batches`, tuples of tensors; returns the pictures seen and the hours it took.

    `loss_of` gives the loss of a batch, and figures by name for the lines of progress that `say` takes. The run ends
    after as many pictures as `settings` say, or after `hours`. The running mean of the weights goes to `checkpoint`, as
    a state dict. A CUDA device is used if there is one.
    """
    wanted = settings.epochs * settings.scenes_per_epoch
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network.to(device)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    learning = [weights for weights in network.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(learning, settings.lr0, weight_decay=settings.weight_decay)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    began, spent, steps = time.monotonic(), 0.0, 0
    lately: list[dict[str, float]] = []
    for batch in batches:
        spent = (time.monotonic() - began) / 3600
        share = min(1.0, spent / hours if hours else (steps + 1) * settings.batch / wanted)
        for group in optimizer.param_groups:
            group["lr"] = _learning_rate(settings, steps + 1, share)
        network.train()
        loss, figures = loss_of(network, [part.to(device) for part in batch])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learning, 5.0)
        optimizer.step()
        average.update_parameters(network)
        steps += 1
        lately.append(
            {"loss": float(loss.detach()), **{name: float(value) for name, value in figures.items()}}
        )
        if steps % SAY_EVERY == 0 or share >= 1.0:
            torch.save({name: value.cpu() for name, value in average.module.state_dict().items()}, checkpoint)
            told = ", ".join(f"{name} {np.mean([one[name] for one in lately]):.4f}" for name in lately[0])
            say(f"{steps * settings.batch} pictures, {told}, {spent:.2f} h")
            lately.clear()
        if share >= 1.0:
            break
    return steps * settings.batch, spent


def export_fitted(network: nn.Module, given: tuple[int, int, int], names: tuple[str, str], out: Path) -> None:
    """Write `network` as ONNX to `out`, for batches of any size of pictures of the shape `given` (3, H, W).

    `names` are those of its input and output.
    """
    network.eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network, (torch.zeros(2, *given),), str(out), input_names=names[:1], output_names=names[1:],
        dynamic_axes={name: {0: "n"} for name in names}, dynamo=False,
    )  # fmt: skip


def _learning_rate(settings: Settings, step: int, share: float) -> float:
    """The rate of batch `step` (from 1), at `share` (0..1) of the run: a linear warm-up, then cosine decay."""
    warm = min(1.0, step * settings.batch / (settings.warmup_epochs * settings.scenes_per_epoch))
    decay = settings.lrf + (1 - settings.lrf) * (1 + np.cos(np.pi * share)) / 2
    return float(settings.lr0 * warm * decay)
