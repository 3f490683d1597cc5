"""Fitting a small network of our own with AdamW and a cosine schedule, and exporting it."""

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.lab.extras import train_extra
from vision.lab.training.samples import forking
from vision.lab.training.settings import Run, Settings

with train_extra("training"):
    import torch
    from torch import nn

SAY_EVERY = 100
"""Batches between two lines of progress, and between two checkpoints."""


Loss = Callable[[nn.Module, Any], tuple[torch.Tensor, Mapping[str, torch.Tensor]]]
"""The loss of a batch, a tuple of tensors, by a network; and figures by name for the lines of progress."""


def fit(
    kind: str,
    new_network: Callable[[], nn.Module],
    weights_in: Callable[[Path], Mapping[str, torch.Tensor]],
    batches: torch.utils.data.IterableDataset[Any],
    loss_of: Loss,
    run: Run,
    pictures: str,
) -> Path:
    """Fit a network of `kind` to endless `batches` and return the checkpoint last.pt in the folder of `run`.

    The checkpoint is a state dict: the running mean of the weights. `weights_in` reads such a file, or one to start
    with; it raises `VisionError`, as this function then does. A killed run goes on with a new learning rate schedule.
    The record calls the `pictures` that were seen by that name.
    """
    torch.manual_seed(run.seed)
    torch.set_num_threads(run.threads)
    cv2.setNumThreads(1)
    network = new_network()
    checkpoint = run.folder / "last.pt"
    start = checkpoint if checkpoint.is_file() else run.start
    if start is not None:
        network.load_state_dict(weights_in(start), strict=False)
    loader = torch.utils.data.DataLoader(batches, batch_size=None, **forking(run.workers))
    seen, hours = _fit(network, loader, loss_of, checkpoint, run)
    run.write_record(kind, hours, **{pictures: seen})
    return checkpoint


def _fit(
    network: nn.Module, batches: Iterable[Any], loss_of: Loss, checkpoint: Path, run: Run
) -> tuple[int, float]:
    """Fit `network`, write `checkpoint` from time to time, and return the pictures seen and the hours it took."""
    settings, hours = run.settings, run.hours
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
            run.say(f"{steps * settings.batch} pictures, {told}, {spent:.2f} h")
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
