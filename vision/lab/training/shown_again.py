"""Rendered pictures that are shown again, for a device that learns faster than processors render.

Each time a picture is shown, its light, sharpness and noise differ. A table may be mirrored. A card is cut out a
little differently.
"""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from vision.lab.extras import train_extra
from vision.reading.views import END_SHARE

with train_extra("training"):
    import torch
    from torch.nn import functional

FIRST_BATCHES = 8
"""Batches that are rendered before the first is shown."""
GAIN, OFFSET, GRAIN = 0.15, 0.06, 0.03
"""The most by which a picture's colours are multiplied and shifted, and its noise, as shares of full brightness."""
SOFTER = (-0.4, 0.7)
"""The share of a picture that its mean over 3 x 3 px replaces, least and most; below 0 the picture is sharpened."""

SHIFT, TURN, GROWTH = 0.01, 0.015, 0.02
"""How differently a card is cut out: standard deviations of shift, slant and size, as shares of its sides."""


class ShownAgain:
    """Batches drawn by chance from the pictures rendered so far, while `loader` renders more.

    It stands in for a torch `DataLoader`. `loader` gives lists of samples, which are dicts with `img` (3, H, W) uint8.
    The last `kept` of these are kept on `device`. `collate` makes a batch of a list of samples.
    """

    def __init__(
        self,
        loader: Any,
        kept: int,
        batch: int,
        device: torch.device,
        sampler: Any,
        collate: Callable[[list[Any]], Any],
    ):
        """Nothing is rendered before the first batch is asked for. `sampler.epoch` numbers the epochs shown."""
        self.batch_size, self.sampler = batch, sampler
        self.dataset, self.num_workers, self.drop_last = loader.dataset, loader.num_workers, False
        self._loader, self._kept, self._device, self._collate = loader, kept, device, collate
        self._stock: list[dict[str, Any]] = []
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._render, daemon=True)
        self._closed = threading.Event()

    def __len__(self) -> int:
        """Batches in an epoch."""
        return -(-len(self.sampler) // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        """The batches of an epoch. Raises what the rendering raised."""
        if not self._thread.ident:
            self._thread.start()
        for _ in range(len(self)):
            while len(self._stock) < min(self._kept, FIRST_BATCHES * self.batch_size):
                self._raise_failure()
                time.sleep(0.05)
            self._raise_failure()
            chosen = torch.randint(len(self._stock), (self.batch_size,)).tolist()
            yield self._collate([self._stock[index] for index in chosen])

    def close(self) -> None:
        """End the rendering; ultralytics calls this after the training."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _taken(self, sample: dict[str, Any]) -> dict[str, Any]:
        # What a rendering process hands over keeps a file open until it is copied.
        own = {name: part.clone() if torch.is_tensor(part) else part for name, part in sample.items()}
        return own | {"img": own["img"].to(self._device)}

    def _render(self) -> None:
        try:
            place = 0
            # The epochs shown are ahead of those rendered. So a resumed run renders new pictures.
            for epoch in count(self.sampler.epoch):
                self._loader.sampler.epoch = epoch
                for samples in self._loader:
                    if self._closed.is_set():
                        return
                    for sample in map(self._taken, samples):
                        if len(self._stock) < self._kept:
                            self._stock.append(sample)
                        else:
                            self._stock[place] = sample
                        place = (place + 1) % self._kept
        except Exception as error:  # noqa: BLE001 - whatever ends the rendering ends the training, too
            self._failure = error


def varied(pictures: torch.Tensor) -> torch.Tensor:
    """`pictures` (N, 3, H, W), 0..255, in other light, softer or sharper, and with noise: float32, 0..255."""
    many, device = len(pictures), pictures.device

    def each(low: float, high: float, channels: int = 1) -> torch.Tensor:
        return torch.empty((many, channels, 1, 1), device=device).uniform_(low, high)

    shown = pictures.float()
    shown = torch.lerp(
        shown, functional.avg_pool2d(shown, 3, 1, 1, count_include_pad=False), each(*SOFTER).expand_as(shown)
    )
    tint = 1 + (each(-GAIN, GAIN) + each(-GAIN, GAIN, 3) / 2)
    shown = shown * tint + 255 * each(-OFFSET, OFFSET)
    return (shown + torch.randn_like(shown) * 255 * each(0, GRAIN)).clamp(0, 255)


def mirrored(
    pictures: torch.Tensor, boxes: torch.Tensor, owners: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """`pictures` (N, 3, H, W), each mirrored or not along either side, and its `boxes` (M, 5) with it.

    `boxes` are x, y, w, h as shares of the picture and an angle in rad; box k is of picture `owners[k]`.
    """
    pictures, boxes = pictures.clone(), boxes.clone()
    for side, axis in ((-1, 0), (-2, 1)):
        turned = torch.rand(len(pictures)) < 0.5
        there = turned.to(pictures.device)
        pictures[there] = pictures[there].flip(side)
        theirs = turned[owners.long()]
        boxes[theirs, axis] = 1 - boxes[theirs, axis]
        angle = torch.pi - boxes[theirs, 4]
        # The network's angles are -45 to 135 degrees; a box turned by 180 is the same.
        boxes[theirs, 4] = (angle + torch.pi / 4) % torch.pi - torch.pi / 4
    return pictures, boxes


def cut_anew(pictures: torch.Tensor) -> torch.Tensor:
    """The identifier's `pictures` (N, 3, H, W) float32, as if each card had been cut out a little differently.

    All three views of a card (`vision.reading.views`) move together. Beyond the edge of a view it is mirrored.
    """
    device = pictures.device
    off = [[GROWTH, TURN, 2 * SHIFT], [TURN, GROWTH, 2 * SHIFT], [0.0, 0.0, 0.0]]
    chance = torch.randn((len(pictures), 3, 3), device=device)
    move = torch.eye(3, device=device) + chance * torch.tensor(off, device=device)
    shown = torch.empty_like(pictures)
    half, third = pictures.shape[2] // 2, pictures.shape[3] // 3
    # In a crop from -1 to 1, the upper end is its first rows. The lower end is turned round.
    upper = torch.tensor([[1.0, 0, 0], [0, END_SHARE, END_SHARE - 1], [0, 0, 1]], device=device)
    lower = upper * torch.tensor([[-1.0], [-1.0], [1.0]], device=device)
    for rows, columns, view in (
        (slice(None), slice(None, third), torch.eye(3, device=device)),
        (slice(None, half), slice(third, None), upper),
        (slice(half, None), slice(third, None), lower),
    ):
        own = pictures[:, :, rows, columns]
        moved = torch.linalg.inv(view) @ move @ view
        grid = functional.affine_grid(moved[:, :2], list(own.shape), align_corners=False)
        shown[:, :, rows, columns] = functional.grid_sample(
            own, grid, padding_mode="reflection", align_corners=False
        )
    return shown
