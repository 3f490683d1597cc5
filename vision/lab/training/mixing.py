"""The mean of two identifiers, with probabilities that say how often it is right.

Weights of two runs that began alike average well: each forgets other things. A network that was shown the same crops
again and again is too sure of new cards. So its last layer is divided by a temperature, which is fitted to newly
rendered crops (Guo et al., *On calibration of modern neural networks*, 2017) and then raised by `UNSEEN`.

`python -m vision.lab.training.mixing A.pt B.pt --share 0.7 --decks DIR … --out DIR`
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.decks import load_deck
from vision.errors import VisionError
from vision.lab.extras import train_extra
from vision.lab.training.restoring import load_state, save_state
from vision.lab.training.samples import identifier_sample, stock_studio
from vision.lab.training.settings import Settings, load_settings
from vision.lab.training.train import IdentifierTrainer, export_network, new_network

with train_extra("training"):
    import torch
    from torch.nn import functional

LAST_LAYER = "linear."
"""A part of the names of the weights that are divided by the temperature."""
UNSEEN = 1.2
"""How much higher the temperature is for decks that nothing was trained on: they are read less surely than new crops.

Of 720 cards in the ten styles (`vision.lab.bench.styles`) seven are surely wrong without it, five with it.
"""
TEMPERATURES = np.arange(0.7, 2.51, 0.05)
"""Temperatures that are tried."""


def mixed(first: Path, second: Path, share: float) -> dict[str, torch.Tensor]:
    """The state dicts at `first` and `second`, averaged with the weights `share` and 1 - `share`.

    Raises `VisionError` when one cannot be read, or their names differ.
    """
    ours, others = load_state(first), load_state(second)
    if ours.keys() != others.keys():
        raise VisionError(f"{second}: has other weights than {first}")
    return {
        name: torch.lerp(others[name], weights, share) if weights.is_floating_point() else weights
        for name, weights in ours.items()
    }


def temperature(logits: torch.Tensor, cards: torch.Tensor) -> float:
    """The temperature by which `logits` (N, 79) are divided so that the true `cards` (N,) are likeliest."""
    losses = [float(functional.cross_entropy(logits / degree, cards)) for degree in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


def _batches(decks: Sequence[Path], settings: Settings, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """`count` newly rendered crops, in batches as the trainer has them."""
    studio = stock_studio("identifier", [load_deck(path) for path in decks], settings, seed)
    samples = (identifier_sample(np.random.default_rng((seed, 1, k)), studio, settings) for k in range(count))
    while batch := list(islice(samples, settings.batch)):
        yield IdentifierTrainer.collate(batch)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `identifier.pt` and `identifier.onnx`. Returns 0, or 2 after a user's error."""
    parser = argparse.ArgumentParser(prog="python -m vision.lab.training.mixing", description=__doc__)
    parser.add_argument("first", type=Path, help="a checkpoint")
    parser.add_argument("second", type=Path, help="another one")
    parser.add_argument("--share", type=float, default=0.5, help="weight of the first, 0 to 1 (default: 0.5)")
    parser.add_argument(
        "--decks", type=Path, nargs="+", required=True, metavar="DIR", help="decks of the crops"
    )
    parser.add_argument("--settings", type=Path, metavar="TOML", help="default: models/training.toml")
    parser.add_argument(
        "--crops", type=int, default=4000, help="crops to fit the temperature to (default: 4000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the crops (default: 0)")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where identifier.pt and identifier.onnx go"
    )
    told = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    try:
        if not 0 <= told.share <= 1 or told.crops < 1:
            raise VisionError("--share must be 0 to 1, --crops at least 1")
        told.out.mkdir(parents=True, exist_ok=True)
        settings = load_settings("identifier", told.settings)
        network = new_network("identifier", settings)
        network.load_state_dict(mixed(told.first, told.second, told.share))
        network.eval()
        said, true = [], []
        with torch.no_grad():
            for batch in _batches(told.decks, settings, told.seed, told.crops):
                said.append(network(batch["img"])[1])
                true.append(batch["cls"])
        logits, cards = torch.cat(said), torch.cat(true)
        degree = UNSEEN * temperature(logits, cards)
        for name, weights in network.named_parameters():
            if LAST_LAYER in name:
                weights.data /= degree
        save_state(network, told.out / "identifier.pt")
        export_network(network, "identifier", settings, told.out / "identifier.onnx")
    except (VisionError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    right = float((logits.argmax(1) == cards).float().mean())
    print(f"temperature {degree:.2f}; {right:.1%} of {told.crops} new crops right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
