"""Training the corner network: a cut-out in, the card's corners and its side out.

The finder's boxes are rectangles and a few per cent off. This small network looks at each card again, in the
full-resolution frame. It also says how far off each corner may be (the scale of a Laplace distribution), which tells
occluded corners from visible ones.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.decks import load_deck
from vision.errors import VisionError
from vision.lab.extras import train_extra
from vision.lab.rendering.scene import Studio
from vision.lab.training.cutting import CutOut, cut_outs
from vision.lab.training.fitting import export_fitted, fit
from vision.lab.training.restoring import load_state
from vision.lab.training.samples import own_seed, picture_tensor, stock_studio
from vision.lab.training.settings import Run
from vision.reading.cutouts import CARD_SIDES, CUT_PX
from vision.reading.finder import Finder

with train_extra("training"):
    import torch
    from torch import nn

SIDE_WEIGHT = 2.0
"""Weight of the side's loss; the corners' has 1."""
_OUTPUTS = 8 + 4 + len(CARD_SIDES)


def _step(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()
    )


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int):
        super().__init__()
        self.first = _step(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(self.first(x)))


class CornerNetwork(nn.Module):  # type: ignore[misc]
    """(N, 3, 120, 80) float32 RGB 0..1 in, rows (N, 15) out.

    A row has the 8 offsets of the corners, the 4 logs of their scales, and the 3 logits of `CARD_SIDES`.
    """

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
        """The rows (N, 15) of a batch."""
        fine = self.fine(self.stem((x - 0.5) * 4))
        rows: torch.Tensor = self.last(torch.cat([self.fine_out(fine), self.deep_out(self.deep(fine))], 1))
        return rows


def loss_of(
    rows: torch.Tensor, off: torch.Tensor, side: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The loss of the predicted `rows` (N, 15), given the true offsets `off` (N, 4, 2) and the indices `side` (N,).

    The other two are the mean error of the cards' corners, and the share of sides that are right.
    """
    card = side != CARD_SIDES.index("none")
    found, logs = rows[card, :8].reshape(-1, 4, 2), rows[card, 8:12].clamp(-7.0, 1.0)
    distance = (found - off[card]).pow(2).sum(2).add(1e-10).sqrt()
    corners = (distance * torch.exp(-logs) + 2 * logs).mean()
    sides = nn.functional.cross_entropy(rows[:, 12:], side, label_smoothing=0.02)
    right = (rows[:, 12:].argmax(1) == side).float().mean()
    return corners + SIDE_WEIGHT * sides, distance.mean().detach(), right.detach()


_Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class _Batches(torch.utils.data.IterableDataset[_Batch]):  # type: ignore[misc]
    """Endless batches of cut-outs (pictures, offsets, sides), each mixed from several tables."""

    def __init__(self, restocked: Callable[[int], Studio], finder: Path | None, seed: int, size: int):
        self.restocked, self.finder, self.seed, self.size = restocked, finder, seed, size

    def __iter__(self) -> Iterator[_Batch]:
        cv2.setNumThreads(1)
        seed = own_seed(self.seed)
        studio, finder = self.restocked(seed), Finder(self.finder, 1)
        stock: list[CutOut] = []
        rng = np.random.default_rng(seed)
        while True:
            while len(stock) < 8 * self.size:
                stock += cut_outs(rng, studio, finder)
            order = rng.permutation(len(stock))
            chosen, stock = (
                [stock[int(k)] for k in order[: self.size]],
                [stock[int(k)] for k in order[self.size :]],
            )
            yield (
                torch.stack([picture_tensor(one.picture) for one in chosen]),
                torch.from_numpy(np.stack([one.off for one in chosen])),
                torch.tensor([one.side for one in chosen]),
            )


def train_corners(run: Run, finder: Path | None = None) -> Path:
    """Train the corner network and return the checkpoint last.pt, its state dict; `run.start` is another such file.

    `finder` is the ONNX file of the finder whose boxes are cut out; None takes the shipped one. The run ends after as
    many cut-outs as the settings say, or after its hours. It says a line every hundred batches. Raises `VisionError`
    when a folder or file cannot be used.
    """
    decks = [load_deck(path) for path in run.decks]

    def restocked(seed: int) -> Studio:
        return stock_studio("corners", decks, run.settings, seed, run.textures)

    def told(network: nn.Module, batch: _Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        pictures, off, side = batch
        loss, distance, right = loss_of(network(pictures.float() / 255), off, side)
        return loss, {"corners": distance, "sides": right}

    batches = _Batches(restocked, finder, run.seed, run.settings.batch)
    return fit("corners", CornerNetwork, _weights, batches, told, run, "cut_outs")


def _weights(path: Path) -> dict[str, torch.Tensor]:
    """The state dict in `path`; raises `VisionError` when it is not one of this network."""
    state = load_state(path)
    if set(state) != set(CornerNetwork().state_dict()):
        raise VisionError(f"{path}: not a checkpoint of the corner network")
    return state


def export_corners(checkpoint: Path, out: Path) -> None:
    """Write the network with the state dict at `checkpoint` as ONNX to `out`, for batches of any size.

    Raises `VisionError` when `checkpoint` is not one of this network.
    """
    network = CornerNetwork()
    network.load_state_dict(_weights(checkpoint))
    export_fitted(network, (3, CUT_PX[1], CUT_PX[0]), ("cutouts", "rows"), out)
