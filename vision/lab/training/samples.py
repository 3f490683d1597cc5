"""What the networks are trained on: decks and invented cards in a studio, and samples rendered there.

No scene comes twice, unless pictures are kept (`vision.lab.training.shown_again`).
"""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import Rng, UInt8Array, one_of
from vision.decks import BACK, Deck, Sprite, sprite_of
from vision.errors import VisionError
from vision.lab.extras import train_extra
from vision.lab.rendering.crops import cut_table, render_crop
from vision.lab.rendering.fonts import Fonts, load_fonts
from vision.lab.rendering.invented import invent_card
from vision.lab.rendering.reprints import reprinted
from vision.lab.rendering.scene import Studio, open_studio, render_scene
from vision.lab.rendering.textures import load_textures
from vision.lab.training.finder_loss import shortfall
from vision.lab.training.settings import Settings
from vision.picture import NOT_A_CARD
from vision.reading.identifier import CLASSES
from vision.reading.letterbox import letterbox
from vision.reading.views import views
from vision.taught.crops import load_crops, vary

with train_extra("training"):
    import torch
    from ultralytics.utils.ops import xyxyxyxy2xywhr

INVENTED_HEIGHTS_PX = (336, 168)
"""The sprite heights of an invented card: large enough for a crop, quick to make."""
STOCK = 12
"""Invented printings kept of each card."""
FRESH_SHARE = 0.25
"""Share of the requested invented cards that are newly drawn once there is a full stock."""
KEPT_CUTS = 24
"""Crops of cards, and as many of no card, that are kept from rendered tables to choose the next one from."""
CORNER_SHARE = (0.4, 0.9)
"""The share of an end that is shown where its corner is enlarged, least and most."""
REAL_SHARE = 0.3
"""Share of a card's samples that come from crops of real cards, where there are any."""
SHARPER = 1.1
"""How much larger than the finder's input a scene is rendered, since a camera's picture is shrunk too."""
CARDS_PX = (0.045, 0.2)
"""Height of a card as a share of the picture's width: from 60 px of 1280, the smallest that can be read.

One scene in eight has larger cards, as if a phone were held over them.
"""


Cut = tuple[str, UInt8Array]
"""A card's name, or NOT_A_CARD, and a crop of it."""


Sampling = Callable[[Rng, Studio, Settings], dict[str, Any]]


class RenderedScenes(torch.utils.data.Dataset[dict[str, Any]]):  # type: ignore[misc]
    """Pictures rendered on demand, each from its number.

    Between them the studio keeps a stock of invented cards and, for the identifier, crops of its last tables.
    """

    def __init__(self, sample: Sampling, restocked: Callable[[int], Studio], settings: Settings, seed: int):
        """`sample` renders one in the studio `restocked(seed)`; an epoch has as many as `settings` say.

        Each process has a studio of its own: the more cards, backs and tops there are, the less is learnt by heart.
        """
        self.sample, self.restocked, self.settings, self.seed = sample, restocked, settings, seed
        self.studio: Studio | None = None
        self.samples = self.labels = range(settings.scenes_per_epoch)

    def __len__(self) -> int:
        """Samples in an epoch."""
        return len(self.samples)

    def __getitem__(self, number: int) -> dict[str, Any]:
        """Render sample `number` of the run: what `sample` returns."""
        if self.studio is None:
            self.studio = self.restocked(own_seed(self.seed))
        return self.sample(np.random.default_rng((self.seed, number)), self.studio, self.settings)


class Onward(torch.utils.data.Sampler[int]):  # type: ignore[misc]
    """The numbers of an epoch's samples. They go on from epoch to epoch, so that no scene comes twice."""

    def __init__(self, length: int):
        self.length = length
        self.epoch = 0

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.epoch * self.length, (self.epoch + 1) * self.length))

    def __len__(self) -> int:
        return self.length


def forking(workers: int) -> dict[str, Any]:
    """The options of a torch `DataLoader` that renders in `workers` processes; 0 renders in this one.

    Raises `VisionError` on a system without fork: a process inherits the studio, which is too large to send.
    """
    if not workers:
        return {}
    if "fork" not in multiprocessing.get_all_start_methods():
        raise VisionError("this system cannot fork, so that --workers cannot be given")
    return {"num_workers": workers, "multiprocessing_context": "fork", "persistent_workers": True}


def own_seed(seed: int) -> int:
    """The seed of this process in a run with `seed`: each worker of a `DataLoader` has another."""
    worker = torch.utils.data.get_worker_info()
    return seed + (1000 * (worker.id + 1) if worker else 0)


def _one_thread(_: int) -> None:
    cv2.setNumThreads(1)


def scenes_loader(
    sample: Sampling,
    restocked: Callable[[int], Studio],
    settings: Settings,
    *,
    seed: int,
    batch: int,
    workers: int = 0,
    collate: Any = None,
) -> torch.utils.data.DataLoader[Any]:
    """Batches of `RenderedScenes`, rendered by `workers` processes; raises `VisionError` as `forking` does.

    `collate` makes a batch of a list of samples; by default torch does.
    """
    dataset = RenderedScenes(sample, restocked, settings, seed)
    return torch.utils.data.DataLoader(
        dataset, batch_size=batch, sampler=Onward(len(dataset)), collate_fn=collate,
        worker_init_fn=_one_thread, **forking(workers),
    )  # fmt: skip


def picture_tensor(picture: UInt8Array) -> torch.Tensor:
    """A picture (H, W, 3) BGR as (3, H, W) uint8 RGB."""
    return torch.from_numpy(np.ascontiguousarray(picture[:, :, ::-1].transpose(2, 0, 1)))


def finder_sample(rng: Rng, studio: Studio, settings: Settings) -> dict[str, Any]:
    """One scene as ultralytics' oriented-box trainer takes it: img uint8 (3, H, W) RGB, bboxes (N, 5).

    A box is x, y, w, h as shares of the picture, and an angle in rad. Its class is 0 for a face and 1 for a back, plus
    `shortfall`.
    """
    size = (round(settings.width * SHARPER), round(settings.height * SHARPER))
    low, high = CARDS_PX if rng.random() < 0.88 else (CARDS_PX[1], 2 * CARDS_PX[1])
    card_height = float(np.exp(rng.uniform(np.log(low), np.log(high)))) * settings.input_px[0] * SHARPER
    scene = render_scene(rng, studio, size, min(card_height, 0.8 * size[1]))
    picture, scale, offset = letterbox(scene.picture, (settings.width, settings.height))
    corners = np.array([card.corners_px * scale + offset for card in scene.cards], np.float32)
    boxes = xyxyxyxy2xywhr(torch.from_numpy(corners.reshape(-1, 8)))
    boxes[:, [0, 2]] /= settings.width
    boxes[:, [1, 3]] /= settings.height
    classes = [[float(card.card == BACK) + shortfall(card.visible)] for card in scene.cards]
    return {
        "img": picture_tensor(picture),
        "cls": torch.tensor(classes).reshape(-1, 1),
        "bboxes": boxes.reshape(-1, 5),
        "batch_idx": torch.zeros(len(classes)),
        "im_file": "",
        "ori_shape": picture.shape[:2],
        "resized_shape": picture.shape[:2],
    }


def _weight(card: str, settings: Settings) -> float:
    """How often `card` is shown, against a pip card: numerals and letters take longer to learn than pips."""
    if card[0] == "T":
        return settings.trump_weight
    return settings.court_weight if card[1:] in ("V", "C", "D", "R", "") else 1.0


def identifier_sample(rng: Rng, studio: Studio, settings: Settings) -> dict[str, Any]:
    """One crop as ultralytics' classification trainer takes it: img uint8 (3, H, W) RGB, cls an index of `CLASSES`."""
    known = _known(studio)
    card = NOT_A_CARD
    if studio.cut is not None and rng.random() < settings.table_share:
        card, picture = studio.cut(rng, rng.random() < settings.none_share)
        return _identifier_row(rng, card, picture, settings)
    if rng.random() >= settings.none_share:
        weights = np.array([_weight(card, settings) for card in known])
        card = known[int(rng.choice(len(known), p=weights / weights.sum()))]
    real = studio.crops.get(card, ())
    if real and rng.random() < REAL_SHARE:
        crop = one_of(rng, real)
        covers = one_of(rng, list(studio.crops.values()))
        picture = vary(rng, crop if rng.random() < 0.5 else crop[::-1, ::-1], covers)
    else:
        picture = render_crop(rng, studio, card, settings.hardness)
    return _identifier_row(rng, card, picture, settings)


def _identifier_row(rng: Rng, card: str, crop: UInt8Array, settings: Settings) -> dict[str, Any]:
    share = rng.uniform(*CORNER_SHARE) if rng.random() < settings.enlarged_share else 1.0
    picture = views(crop, float(share), at_right=bool(rng.random() < 0.5))
    return {"img": picture_tensor(picture), "cls": CLASSES.index(card)}


def _known(studio: Studio) -> list[str]:
    return [card for card in CARDS if any(card in deck.faces for deck in studio.decks)]


def _cutting(studio: Studio, settings: Settings) -> Callable[[Rng, bool], Cut]:
    """What gives crops cut out of whole tables: of no card if the flag says so, else of a card.

    They are mixed, so a batch shows several tables.
    """
    most = max(settings.trump_weight, settings.court_weight, 1.0)
    shares = {card: _weight(card, settings) / most for card in _known(studio)}
    kept: dict[bool, list[Cut]] = {False: [], True: []}

    def cut(rng: Rng, none: bool) -> Cut:
        while len(kept[none]) < KEPT_CUTS:
            for name, crop in cut_table(rng, studio, shares):
                stock = kept[name == NOT_A_CARD]
                if len(stock) < 4 * KEPT_CUTS:
                    stock.append((name, crop))
        return kept[none].pop(int(rng.integers(len(kept[none]))))

    return cut


def _inventing(fonts: Fonts, donors: Sequence[Deck]) -> Callable[[Rng, str], Sprite]:
    """What gives invented cards. Each is used several times, since drawing them is half of all work."""
    stock: dict[str, list[Sprite]] = {}

    def invent(rng: Rng, card: str) -> Sprite:
        kept = stock.setdefault(card, [])
        if len(kept) == STOCK and rng.random() > FRESH_SHARE:
            return kept[int(rng.integers(STOCK))]
        sprite = sprite_of(invent_card(rng, card, fonts, donors), heights_px=INVENTED_HEIGHTS_PX)
        if len(kept) < STOCK:
            kept.append(sprite)
        else:
            kept[int(rng.integers(STOCK))] = sprite
        return sprite

    return invent


def stock_studio(
    kind: str,
    decks: Sequence[Deck],
    settings: Settings,
    seed: int,
    textures: Path | None = None,
    crops: Path | None = None,
) -> Studio:
    """The studio that `kind` is trained with: `decks`, invented cards, and table tops from the photos in `textures`.

    For the identifier, cards are invented for each crop. The other networks name no card: they get whole invented
    packs, every card in another style. Each pack is then there a second time, printed anew. `crops` is a folder of
    crops of real cards. Raises `VisionError` when a folder cannot be used.
    """
    rng = np.random.default_rng(seed)
    tops = load_textures(textures) if textures is not None else []
    real = load_crops(crops) if crops is not None else {}
    studio = replace(open_studio(rng, decks, textures=tops), crops=real)
    share = settings.invented_share
    invent = _inventing(load_fonts(), decks) if share else None
    packs = studio.decks
    if invent is not None and kind != "identifier":
        packs += tuple(
            Deck("invented", {card: invent(rng, card) for card in CARDS}, ())
            for _ in range(round(share / (1 - share) * len(decks)))
        )
    if invent is not None:
        studio = replace(studio, decks=(*packs, *(reprinted(rng, pack) for pack in packs)))
    if kind == "identifier":
        studio = replace(studio, invent=invent, invented_share=share)
        return replace(studio, cut=_cutting(studio, settings))
    return studio
