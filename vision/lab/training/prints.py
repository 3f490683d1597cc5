"""Training the print network: crops of one printed card are alike to it, crops of two printed cards are not.

It begins with the identifier's first layers. A batch shows one pack twice: as cards are taught, lying open, and as they
lie at a table. Each card is to be found again among all cards of its pack, and among those of the packs before it (the
InfoNCE loss; van den Oord et al. 2018).
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import Rng, one_of
from vision.decks import Deck, load_deck, sprite_of
from vision.errors import VisionError
from vision.lab.extras import train_extra
from vision.lab.rendering.crops import render_crop
from vision.lab.rendering.fonts import Fonts, load_fonts
from vision.lab.rendering.invented import invent_card
from vision.lab.rendering.reprints import reprinted
from vision.lab.rendering.scene import Studio, open_studio
from vision.lab.training.fitting import export_fitted, fit
from vision.lab.training.restoring import load_state
from vision.lab.training.samples import own_seed, picture_tensor
from vision.lab.training.settings import Run, Settings
from vision.reading.views import VIEW_PX, views

with train_extra("training"):
    import torch
    from torch import nn

LAYERS = 10
"""Layers of the identifier's model that come before its head."""
CHANNELS = 64
"""Numbers for each of the 4 x 6 places of the embedding."""
INVENTED = 12
"""Invented packs that are kept to be shown again: drawing one takes as long as showing it."""
AGAIN = 0.6
"""Share of invented packs that were shown before; of scanned packs that are printed anew."""
ONE_STYLE = 0.7
"""Share of invented packs with one style for all cards. In the others each card has its own."""
TAUGHT_HARD = 0.15
"""Share of the crops to be taught that are as hard as those of a table."""
EARLIER = 4
"""Packs before this one from whose cards its own are to be told."""

_Batch = Sequence[torch.Tensor]


class PrintNetwork(nn.Module):  # type: ignore[misc]
    """(N, 3, 128, 192) float32 RGB 0..1 in, the picture of `vision.reading.views`; unit vectors (N, 1536) out.

    The first `freeze` layers keep their weights. All normalisations keep their statistics.
    """

    def __init__(self, model: str, freeze: int = 0):
        from ultralytics.nn.tasks import ClassificationModel

        super().__init__()
        self.layers = ClassificationModel(model, nc=len(CARDS) + 1, verbose=False).model[:LAYERS]
        self.head = nn.Conv2d(256, CHANNELS, 1)  # 256: the channels of the last of these layers
        self.log_scale = nn.Parameter(torch.tensor(2.7))
        for layer in self.layers[:freeze]:
            layer.requires_grad_(False)

    def train(self, mode: bool = True) -> "PrintNetwork":
        """Set the mode of all layers but the normalisations."""
        super().train(mode)
        for layer in self.modules():
            if isinstance(layer, nn.BatchNorm2d):
                layer.eval()
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The embeddings of a batch."""
        return nn.functional.normalize(self.head(self.layers(x)).flatten(1), dim=1)


def upside_down(pictures: torch.Tensor) -> torch.Tensor:
    """The pictures (N, 3, 128, 192) of the same cards the other way up."""
    high, wide = VIEW_PX[1], VIEW_PX[0]
    whole, ends = pictures[..., : wide // 3], pictures[..., wide // 3 :]
    swapped = torch.cat([ends[:, :, high // 2 :], ends[:, :, : high // 2]], 2)
    return torch.cat([torch.rot90(whole, 2, (2, 3)), swapped], 3)


class PackLoss:
    """The loss of a batch; it remembers the packs before it."""

    def __init__(self) -> None:
        self._earlier: deque[tuple[int, torch.Tensor]] = deque(maxlen=EARLIER)

    def __call__(self, network: nn.Module, batch: _Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The loss of `batch`: taught and shown cards (N, 3, 128, 192) uint8 of one pack, and the pack's number."""
        taught, shown, pack = batch[0].float() / 255, batch[1].float() / 255, int(batch[2])
        turn = (torch.rand(len(taught), device=taught.device) < 0.5)[:, None, None, None]
        pictures = torch.cat([torch.where(turn, upside_down(some), some) for some in (taught, shown)])
        known, seen = network(pictures).chunk(2)
        scale = network.log_scale.exp()
        alike = scale * seen @ known.T
        others = [cards for number, cards in self._earlier if number != pack]
        rivals = torch.cat([alike, scale * seen @ torch.cat(others).T], 1) if others else alike
        self._earlier.append((pack, known.detach()))
        own = torch.arange(len(taught), device=taught.device)
        of = nn.functional.cross_entropy
        # Among its pack, among earlier packs too, and a taught card among those shown.
        loss = 0.7 * of(alike, own) + 0.5 * of(rivals, own) + 0.3 * of(alike.T, own)
        return loss, {"wrong": (alike.argmax(1) != own).float().mean()}


class _Packs(torch.utils.data.IterableDataset[_Batch]):  # type: ignore[misc]
    """Endless batches of one pack each: its cards as they are taught, as they are shown, and its number."""

    def __init__(self, decks: Sequence[Deck], settings: Settings, seed: int):
        self.decks, self.settings, self.seed = decks, settings, seed

    def __iter__(self) -> Iterator[_Batch]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(own_seed(self.seed))
        studio, fonts = open_studio(rng, self.decks), load_fonts()
        invented: deque[tuple[int, Deck]] = deque(maxlen=INVENTED)
        while True:
            if rng.random() >= self.settings.invented_share:
                number = int(rng.integers(len(self.decks)))
                deck = self.decks[number]
                deck = reprinted(rng, deck) if rng.random() < AGAIN else deck
            elif invented and rng.random() < AGAIN:
                number, deck = one_of(rng, invented)
            else:
                number, deck = invented_pack(rng, fonts, self.decks if rng.random() < 0.5 else ())
                invented.append((number, deck))
            one = replace(studio, decks=(deck,))
            taught = _views(rng, one, deck, self.settings.hardness * TAUGHT_HARD)
            shown = _views(rng, one, deck, self.settings.hardness)
            yield taught, shown, torch.tensor(number)


def invented_pack(rng: Rng, fonts: Fonts, donors: Sequence[Deck]) -> tuple[int, Deck]:
    """An invented pack and its number, from 65,536 on, which no scanned deck has; arguments as of `invent_card`."""
    number = int(rng.integers(1 << 16, 1 << 31))
    apart = int(rng.random() >= ONE_STYLE)
    styles = (np.random.default_rng(number + apart * place) for place in range(len(CARDS)))
    faces = {
        card: sprite_of(invent_card(style, card, fonts, donors))
        for card, style in zip(CARDS, styles, strict=True)
    }
    return number, Deck("invented", faces, ())


def _views(rng: Rng, studio: Studio, deck: Deck, hardness: float) -> torch.Tensor:
    """Each card of `deck` as the networks see it, (N, 3, 128, 192) uint8."""
    crops = (render_crop(rng, studio, card, hardness, upright=True) for card in deck.faces)
    return torch.stack([picture_tensor(views(crop)) for crop in crops])


def train_prints(run: Run) -> Path:
    """Train the print network and return the checkpoint last.pt, its state dict.

    `run.start` is such a state dict, or one of an identifier, whose first layers are taken. The end, the lines of
    progress and the errors are those of `train_corners`.
    """

    def network() -> PrintNetwork:
        return PrintNetwork(run.settings.model, run.settings.freeze)

    batches = _Packs([load_deck(path) for path in run.decks], run.settings, run.seed)
    return fit("prints", network, _weights, batches, PackLoss(), run, "crops")


def _weights(path: Path) -> dict[str, torch.Tensor]:
    """The weights in `path` of a print network, or of an identifier's first layers; raises `VisionError`."""
    state = load_state(path)
    if "head.weight" not in state:
        parts = {name: name.split(".") for name in state}
        state = {
            f"layers.{name.removeprefix('model.')}": state[name]
            for name, (room, *rest) in parts.items()
            if room == "model" and int(rest[0]) < LAYERS
        }
    if not any(name.startswith("layers.0.") for name in state):
        raise VisionError(f"{path}: has no weights of a print network or an identifier")
    return state


def export_prints(checkpoint: Path, settings: Settings, out: Path) -> None:
    """Write the network with the state dict at `checkpoint` as ONNX to `out`, for batches of any size.

    Raises `VisionError` when `checkpoint` is not one of this network.
    """
    network = PrintNetwork(settings.model)
    network.load_state_dict(_weights(checkpoint))
    export_fitted(network, (3, VIEW_PX[1], VIEW_PX[0]), ("views", "embeddings"), out)
