"""Training the corner network: a cut-out in, the card's corners and its side out.

The finder's boxes are rectangles and a few per cent off. This small network looks at each card again, in the
full-resolution frame. It also says how far off each corner may be (the scale of a Laplace distribution), which tells
occluded corners from visible ones.
"""

from collections.abc import Callable, Iterator, Sequence
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
from vision.lab.training.samples import forking, own_seed, picture_tensor, stock_studio
from vision.lab.training.settings import Settings, write_record
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


def train_corners(
    decks: Sequence[Path],
    run_dir: Path,
    *,
    settings: Settings,
    hours: float | None = None,
    seed: int = 0,
    threads: int = 1,
    workers: int = 0,
    start: Path | None = None,
    textures: Path | None = None,
    finder: Path | None = None,
    say: Callable[[str], None] = print,
) -> Path:
    """Train the corner network on `decks` and return the checkpoint `run_dir`/last.pt, its state dict.

    The run ends after as many cut-outs as `settings` say, or after `hours`. A run that was killed resumes from its last
    weights, with a new learning rate schedule.

    - `start`: a state dict to begin with. `finder`: the ONNX file of the finder whose boxes are cut out (None: the
      shipped one). `textures`: a folder of photos to take table tops from.
    - `workers`: processes that render beside this one. A CUDA device is used if there is one.
    - `say`: takes one progress line every hundred batches.

    Raises `VisionError` when a folder or file cannot be used.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    last = run_dir / "last.pt"
    loaded = [load_deck(path) for path in decks]
    batches = torch.utils.data.DataLoader(
        _Batches(lambda seed: stock_studio("corners", loaded, settings, seed, textures), finder, seed, settings.batch),
        batch_size=None, **forking(workers),
    )  # fmt: skip
    network = CornerNetwork()
    begin = last if last.is_file() else start
    if begin is not None:
        network.load_state_dict(_weights(begin))

    def told(network: nn.Module, batch: _Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        pictures, off, side = batch
        loss, distance, right = loss_of(network(pictures.float() / 255), off, side)
        return loss, {"corners": distance, "sides": right}

    cut, spent = fit(network, batches, told, last, settings=settings, hours=hours, say=say)
    write_record(
        run_dir, "corners", settings, decks=[path.name for path in decks], seed=seed, threads=threads, workers=workers,
        hours=round(spent, 3), cut_outs=cut, start=start.name if start else None,
    )  # fmt: skip
    return last


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
