"""An identifier whose probabilities say how often it is right.

A network that was shown the same crops again and again is too sure of new ones. So its last layer is divided by a
temperature that is fitted to newly rendered crops (Guo et al., *On calibration of modern neural networks*, 2017).

`python -m vision.lab.training.calibrating CHECKPOINT --decks DIR … --out DIR`
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
TEMPERATURES = np.arange(0.7, 2.51, 0.05)
"""Temperatures that are tried."""


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
    parser = argparse.ArgumentParser(prog="python -m vision.lab.training.calibrating", description=__doc__)
    parser.add_argument("checkpoint", type=Path, help="the identifier.pt of a run")
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
        if told.crops < 1:
            raise VisionError("--crops must be at least 1")
        told.out.mkdir(parents=True, exist_ok=True)
        settings = load_settings("identifier", told.settings)
        network = new_network("identifier", settings)
        weights = load_state(told.checkpoint)
        if weights.keys() != network.state_dict().keys():
            raise VisionError(f"{told.checkpoint}: has not the weights of an identifier")
        network.load_state_dict(weights)
        network.eval()
        said, true = [], []
        with torch.no_grad():
            for batch in _batches(told.decks, settings, told.seed, told.crops):
                said.append(network(batch["img"])[1])
                true.append(batch["cls"])
        logits, cards = torch.cat(said), torch.cat(true)
        degree = temperature(logits, cards)
        for name, part in network.named_parameters():
            if LAST_LAYER in name:
                part.data /= degree
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
