"""Training the corner network: a cut-out in, the card's corners and its side out.

The finder's boxes are rectangles, a few per cent off; this small network looks at each card once more in the
full-resolution frame. It tells how sure it is of each corner (a Laplace distribution's width), so that what is
covered can be told from what is seen.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from vision.arrays import UInt8Array
from vision.reading.cutouts import CUT_PX, SIDES
from vision.rendering.scene import Studio
from vision.training.cutting import CutOut, cut_outs

BATCH = 64
SIDE_WEIGHT = 0.5
"""How much the side counts beside the corners."""
_OUTPUTS = 8 + 4 + len(SIDES)


def _step(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()
    )


class _Residual(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.first = _step(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(self.first(x)))


class CornerNetwork(nn.Module):
    """(N, 3, 120, 80) float32 RGB 0..1 in; (N, 15) out: 8 offsets, 4 logs of their widths, logits of `SIDES`."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_step(3, 16, 2), _step(16, 32, 2), _Residual(32))
        self.fine = nn.Sequential(_step(32, 64, 2), _Residual(64), _Residual(64))
        self.deep = nn.Sequential(_step(64, 96, 2), _Residual(96))
        self.fine_out = nn.Sequential(nn.Conv2d(64, 16, 1), nn.ReLU(), nn.Flatten())
        self.deep_out = nn.Sequential(nn.Conv2d(96, 32, 1), nn.ReLU(), nn.Flatten())
        high, wide = CUT_PX[1] // 8, CUT_PX[0] // 8
        places = 16 * high * wide + 32 * ((high + 1) // 2) * ((wide + 1) // 2)
        self.last = nn.Sequential(nn.Linear(places, 192), nn.ReLU(), nn.Linear(192, _OUTPUTS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Rows as the class says."""
        fine = self.fine(self.stem((x - 0.5) * 4))
        rows: torch.Tensor = self.last(torch.cat([self.fine_out(fine), self.deep_out(self.deep(fine))], 1))
        return rows


def loss_of(
    rows: torch.Tensor, off: torch.Tensor, side: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The loss to learn by, the mean distance of the corners of what is a card, and the share of sides told right."""
    card = side != SIDES.index("none")
    found, logs = rows[card, :8].reshape(-1, 4, 2), rows[card, 8:12].clamp(-7.0, 1.0)
    distance = (found - off[card]).pow(2).sum(2).add(1e-10).sqrt()
    corners = (distance * torch.exp(-logs) + 2 * logs).mean()
    sides = nn.functional.cross_entropy(rows[:, 12:], side, label_smoothing=0.02)
    right = (rows[:, 12:].argmax(1) == side).float().mean()
    return corners + SIDE_WEIGHT * sides * 4, distance.mean().detach(), right.detach()


def _batches(studio: Studio, seed: int) -> Any:
    """Endless batches of cut-outs, mixed from a stock of several tables' and each used `AGAIN` times."""
    stock: list[CutOut] = []
    rng = np.random.default_rng(seed)
    while True:
        while len(stock) < 8 * BATCH:
            stock += cut_outs(rng, studio)
        order = rng.permutation(len(stock))
        chosen, stock = [stock[int(k)] for k in order[:BATCH]], [stock[int(k)] for k in order[BATCH:]]
        pictures = np.stack([one.picture for one in chosen])[:, :, :, ::-1].transpose(0, 3, 1, 2)
        yield (
            torch.from_numpy(np.ascontiguousarray(pictures, np.float32) / 255),
            torch.from_numpy(np.stack([one.off for one in chosen])),
            torch.tensor([one.side for one in chosen]),
        )


def train_corners(
    studio: Studio,
    run_dir: Path,
    *,
    hours: float,
    lr0: float = 0.002,
    seed: int = 0,
    start: Path | None = None,
    say: Callable[[str], None] = print,
) -> Path:
    """Train the corner network for `hours` on tables of `studio`; returns `run_dir`/last.pt, a state dict.

    `start` is such a file to go on from. `say` takes one line a hundred batches of 64 cut-outs.
    """
    torch.manual_seed(seed)
    network = CornerNetwork()
    if start is not None:
        network.load_state_dict(torch.load(start, weights_only=True))
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr0, weight_decay=0.01)
    run_dir.mkdir(parents=True, exist_ok=True)
    last = run_dir / "last.pt"
    began, spent, steps = time.monotonic(), 0.0, 0
    sums = np.zeros(3)
    for pictures, off, side in _batches(studio, seed):
        spent = (time.monotonic() - began) / 3600
        share = min(1.0, spent / hours)
        warm = min(1.0, (steps + 1) / 200)
        for group in optimizer.param_groups:
            group["lr"] = lr0 * warm * (0.01 + 0.99 * (1 + np.cos(np.pi * share)) / 2)
        network.train()
        loss, distance, right = loss_of(network(pictures), off, side)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        average.update_parameters(network)
        steps += 1
        sums += (float(loss), float(distance), float(right))
        done = share >= 1.0
        if steps % 100 == 0 or done:
            torch.save(average.module.state_dict(), last)
            mean = sums / (steps % 100 or 100)
            say(f"{steps * BATCH} cut-outs, loss {mean[0]:.3f}, corners {mean[1]:.4f}, sides right {mean[2]:.4f}, "
                f"{spent:.2f} h")  # fmt: skip
            sums[:] = 0
        if done:
            break
    record = {"kind": "corners", "seed": seed, "hours": round(spent, 3), "cut_outs": steps * BATCH, "lr0": lr0,
              "start": start.name if start else None, "decks": [deck.name for deck in studio.decks]}  # fmt: skip
    (run_dir / "run.json").write_text(json.dumps(record, indent=1))
    return last


def export_corners(checkpoint: Path, out: Path) -> None:
    """Write the network of the state dict at `checkpoint` as ONNX to `out`, for any number of cut-outs at once."""
    network = CornerNetwork()
    network.load_state_dict(torch.load(checkpoint, weights_only=True))
    network.eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network, (torch.zeros(2, 3, CUT_PX[1], CUT_PX[0]),), str(out), input_names=["cutouts"],
        output_names=["rows"], dynamic_axes={"cutouts": {0: "n"}, "rows": {0: "n"}}, dynamo=False,
    )  # fmt: skip


def picture_of(batch: torch.Tensor) -> UInt8Array:
    """The cut-outs (N, 3, H, W) of a batch side by side, to be looked at."""
    tiles = (batch.numpy().transpose(0, 2, 3, 1)[:, :, :, ::-1] * 255).astype(np.uint8)
    return np.hstack(list(tiles)).astype(np.uint8)
