"""Training and exporting the two YOLO models on scenes rendered on the fly.

ultralytics does the training. This module feeds it newly rendered pictures instead of a folder of them, so no scene
is ever seen twice.
"""

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.files import PUBLIC, replace_file
from vision.arrays import UInt8Array
from vision.decks import BACK, Deck, Sprite, load_deck, sprite_of
from vision.errors import VisionError
from vision.lab.rendering.crops import cut_table, render_crop
from vision.lab.rendering.fonts import Fonts, load_fonts
from vision.lab.rendering.invented import invent_card
from vision.lab.rendering.layouts import MOST_CARDS
from vision.lab.rendering.reprints import reprinted
from vision.lab.rendering.scene import Studio, open_studio, render_scene
from vision.lab.rendering.textures import load_textures
from vision.lab.training.finder_loss import prepare_finder, shortfall
from vision.lab.training.restoring import load_state, load_weights, restore, save_state
from vision.lab.training.settings import Settings
from vision.lab.training.shown_again import ShownAgain, mirrored, varied
from vision.picture import NOT_A_CARD
from vision.reading.letterbox import letterbox
from vision.reading.views import views
from vision.taught.crops import load_crops, vary

try:
    import torch
    from ultralytics.data.dataset import YOLODataset
    from ultralytics.models.yolo.classify import ClassificationTrainer
    from ultralytics.models.yolo.obb import OBBTrainer
    from ultralytics.utils.ops import xyxyxyxy2xywhr
except ImportError as error:
    raise VisionError(
        f"training needs the extra packages ({error.name or error}): pip install 'tarok-table[train]'"
    ) from error

IDENTIFIER_CLASSES = (*CARDS, NOT_A_CARD)
FINDER_CLASSES = ("face", "back")
TASKS = {"finder": "obb", "identifier": "classify"}
"""What ultralytics calls what each network does."""
INVENTED_HEIGHTS_PX = (336, 168)
"""The sprite heights of an invented card: large enough for a crop, quick to make."""
STOCK = 12
"""Invented printings kept of each card."""
FRESH_SHARE = 0.25
"""Share of the requested invented cards that are newly drawn once there is a full stock."""
MEASURED = 64
"""Pictures on which the normalisations of a network restored from ONNX are measured."""
KEPT_CUTS = 24
"""Crops of cards, and of no card, that are kept from rendered tables to choose the next one from."""
REAL_SHARE = 0.3
"""Share of a card's samples that come from crops of real cards, where there are any."""
RENDERED_AT_ONCE = 8
"""Pictures that a process renders before it hands them over, where they are shown again."""
SHARPER = 1.1
"""How much larger than the finder's input a scene is rendered, since a camera's picture is shrunk too."""
CARDS_PX = (0.045, 0.2)
"""Height of a card as a share of the picture's width: from 60 px of 1280, the smallest that can be read.

One scene in eight has larger cards, as if a phone were held over them.
"""

Cut = tuple[str, UInt8Array]
Sampling = Callable[[np.random.Generator, Studio, Settings], dict[str, Any]]


class RenderedScenes(torch.utils.data.Dataset[dict[str, Any]]):  # type: ignore[misc]
    """Pictures rendered on demand, each from its number.

    Between them are kept the stock of invented cards and, for the identifier, crops of the last tables.
    """

    def __init__(self, sample: Sampling, restocked: Callable[[int], Studio], settings: Settings, seed: int):
        """`sample` makes one in the studio `restocked(seed)`; an epoch has as many as `settings` say.

        Each process that renders has a studio of its own. The more cards, backs and table tops are invented, the less
        of them is learnt by heart.
        """
        self.sample, self.restocked, self.settings, self.seed = sample, restocked, settings, seed
        self.studio: Studio | None = None
        self.samples = self.labels = range(settings.scenes_per_epoch)

    def __len__(self) -> int:
        """Samples in an epoch."""
        return len(self.samples)

    def __getitem__(self, number: int) -> dict[str, Any]:
        """Render sample `number` of the run."""
        if self.studio is None:
            self.studio = self.restocked(own_seed(self.seed))
        return self.sample(np.random.default_rng((self.seed, number)), self.studio, self.settings)


class _Onward(torch.utils.data.Sampler[int]):  # type: ignore[misc]
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

    Raises `VisionError` where processes cannot be forked: the studio is inherited, not sent.
    """
    if not workers:
        return {}
    if "fork" not in multiprocessing.get_all_start_methods():
        raise VisionError("this system cannot fork, so that --workers cannot be given")
    return {"num_workers": workers, "multiprocessing_context": "fork", "persistent_workers": True}


def own_seed(seed: int) -> int:
    """The seed of this process, of a run with `seed`: each worker of a `DataLoader` has another."""
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
    """Batches of `RenderedScenes`, by `workers` processes; raises `VisionError` as `forking` does."""
    dataset = RenderedScenes(sample, restocked, settings, seed)
    return torch.utils.data.DataLoader(
        dataset, batch_size=batch, sampler=_Onward(len(dataset)), collate_fn=collate,
        worker_init_fn=_one_thread, **forking(workers),
    )  # fmt: skip


def picture_tensor(picture: UInt8Array) -> torch.Tensor:
    """A picture (H, W, 3) BGR as (3, H, W) uint8 RGB."""
    return torch.from_numpy(np.ascontiguousarray(picture[:, :, ::-1].transpose(2, 0, 1)))


def finder_sample(rng: np.random.Generator, studio: Studio, settings: Settings) -> dict[str, Any]:
    """One scene as ultralytics' oriented-box trainer takes it: img uint8 (3, H, W) RGB, boxes xywhr in 0..1."""
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
    """How often `card` is shown, relative to a pip card: numerals and letters take longer to learn than pips."""
    if card[0] == "T":
        return settings.trump_weight
    return settings.court_weight if card[1:] in ("V", "C", "D", "R", "") else 1.0


def identifier_sample(rng: np.random.Generator, studio: Studio, settings: Settings) -> dict[str, Any]:
    """One crop for ultralytics' classification trainer: img uint8 (3, H, W) RGB, cls int."""
    known = _known(studio)
    card = NOT_A_CARD
    if studio.cut is not None and rng.random() < settings.table_share:
        card, picture = studio.cut(rng, rng.random() < settings.none_share)
        return _identifier_row(card, picture)
    if rng.random() >= settings.none_share:
        weights = np.array([_weight(card, settings) for card in known])
        card = known[int(rng.choice(len(known), p=weights / weights.sum()))]
    real = studio.crops.get(card, ())
    if real and rng.random() < REAL_SHARE:
        crop = real[int(rng.integers(len(real)))]
        covers = list(studio.crops.values())[int(rng.integers(len(studio.crops)))]
        picture = vary(rng, crop if rng.random() < 0.5 else crop[::-1, ::-1], covers)
    else:
        picture = render_crop(rng, studio, card, settings.hardness)
    return _identifier_row(card, picture)


def _identifier_row(card: str, crop: UInt8Array) -> dict[str, Any]:
    return {"img": picture_tensor(views(crop)), "cls": IDENTIFIER_CLASSES.index(card)}


def _known(studio: Studio) -> list[str]:
    return [card for card in CARDS if any(card in deck.faces for deck in studio.decks)]


class _OnTheFly:
    """What both trainers change in ultralytics' trainers, which expect a folder of pictures."""

    settings: Settings
    restocked: Callable[[int], Studio]
    workers = 0

    def get_dataset(self) -> dict[str, Any]:
        names: Sequence[str] = self.class_names  # type: ignore[attr-defined]
        return {
            "train": "rendered", "val": "rendered", "test": None, "nc": len(names), "channels": 3,
            "names": dict(enumerate(names)),
        }  # fmt: skip

    def get_dataloader(
        self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train"
    ) -> Any:
        kept = self.settings.kept
        loader = scenes_loader(
            self.sample, self.restocked, self.settings, seed=self.args.seed,  # type: ignore[attr-defined]
            batch=min(batch_size, RENDERED_AT_ONCE) if kept else batch_size, workers=self.workers,
            collate=list if kept else self.collate,  # type: ignore[attr-defined]
        )  # fmt: skip
        if not kept:
            return loader
        return ShownAgain(loader, kept, batch_size, self.device, _Onward(len(loader.dataset)), self.again)  # type: ignore[attr-defined]

    def set_model_attributes(self) -> None:
        super().set_model_attributes()  # type: ignore[misc]
        # ultralytics uses channels-last weights for CUDA only; on a CPU they train a fifth faster, too.
        self.model = self.model.to(memory_format=torch.channels_last)  # type: ignore[has-type]

    def validate(self) -> tuple[dict[str, float], float]:
        # Accuracy is measured by `tarok bench` on decks of its own. Here the training loss is the fitness.
        losses: dict[str, float] = self.tloss  # type: ignore[attr-defined]
        return {}, -float(sum(losses.values()))

    def final_eval(self) -> None:
        return

    def _check_max_det(self) -> None:
        return


class FinderTrainer(_OnTheFly, OBBTrainer):  # type: ignore[misc]
    """Trains the oriented-box finder (classes face, back)."""

    class_names = FINDER_CLASSES
    sample = staticmethod(finder_sample)
    collate = staticmethod(YOLODataset.collate_fn)

    @staticmethod
    def again(samples: list[dict[str, Any]]) -> dict[str, Any]:
        """A batch of pictures that may have been shown before: mirrored and in other light."""
        # The parent's function counts `batch_idx` up in place.
        fresh = [sample | {"batch_idx": torch.zeros_like(sample["batch_idx"])} for sample in samples]
        batch: dict[str, Any] = YOLODataset.collate_fn(fresh)
        pictures, batch["bboxes"] = mirrored(batch["img"], batch["bboxes"], batch["batch_idx"])
        return batch | {"img": varied(pictures)}

    def _build_train_pipeline(self) -> None:
        # The parent class counts a folder's boxes here to size its output; MOST_CARDS is enough for ours.
        super(OBBTrainer.__mro__[1], self)._build_train_pipeline()


class IdentifierTrainer(_OnTheFly, ClassificationTrainer):  # type: ignore[misc]
    """Trains the 79-class card classifier."""

    class_names = IDENTIFIER_CLASSES
    sample = staticmethod(identifier_sample)

    @staticmethod
    def collate(samples: list[dict[str, Any]]) -> dict[str, Any]:
        """A batch as the parent class takes it: img float (N, 3, H, W) RGB in 0..1, cls (N,)."""
        batch: dict[str, Any] = torch.utils.data.default_collate(samples)
        return batch | {"img": batch["img"].float() / 255}

    @staticmethod
    def again(samples: list[dict[str, Any]]) -> dict[str, Any]:
        """A batch of crops that may have been shown before, in other light."""
        batch: dict[str, Any] = torch.utils.data.default_collate(samples)
        return batch | {"img": varied(batch["img"]) / 255}


def _cutting(studio: Studio, settings: Settings) -> Callable[[np.random.Generator, bool], Cut]:
    """A function that gives crops cut out of whole tables: of no card if it is told so, else of one.

    Those of one table are not used one after the other, so that a batch shows several.
    """
    most = max(settings.trump_weight, settings.court_weight, 1.0)
    shares = {card: _weight(card, settings) / most for card in _known(studio)}
    kept: dict[bool, list[Cut]] = {False: [], True: []}

    def cut(rng: np.random.Generator, none: bool) -> Cut:
        while len(kept[none]) < KEPT_CUTS:
            for name, crop in cut_table(rng, studio, shares):
                stock = kept[name == NOT_A_CARD]
                if len(stock) < 4 * KEPT_CUTS:
                    stock.append((name, crop))
        return kept[none].pop(int(rng.integers(len(kept[none]))))

    return cut


def _inventing(fonts: Fonts, donors: Sequence[Deck]) -> Callable[[np.random.Generator, str], Sprite]:
    """A function that gives invented cards. It uses each several times, since drawing them is half of all work."""
    stock: dict[str, list[Sprite]] = {}

    def invent(rng: np.random.Generator, card: str) -> Sprite:
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

    `crops` is a folder of crops of real cards. For the identifier, cards are invented for each crop. For the other
    models they are kept as whole packs, with every card in another style; those models need not read them. Where
    cards are invented, each pack is there a second time, printed anew.
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


def train(
    kind: str,
    decks: Sequence[Path],
    run_dir: Path,
    *,
    settings: Settings,
    seed: int = 0,
    threads: int = 1,
    workers: int = 0,
    hours: float | None = None,
    start: Path | None = None,
    textures: Path | None = None,
    crops: Path | None = None,
    say: Callable[[str], None] = print,
) -> Path:
    """Train `kind` ("finder" or "identifier") on `decks` and return the checkpoint `run_dir`/weights/last.pt.

    A run that was killed resumes from its last epoch when called again with the same `run_dir`. The network is
    trained on a CUDA device if there is one, else on the processor. `workers` processes render scenes beside it.
    After each epoch `run_dir`/<kind>.pt has the weights alone, in half precision.

    `start` is such a file, or an ONNX file such as the shipped ones (`vision.lab.training.restoring`). Its matching
    weights are loaded first; an identifier's backbone serves a finder too; whole pickled networks are refused.
    `textures` is a folder of photos to take table tops from (`vision.lab.rendering.textures`), `crops` a folder of
    crops of real cards to mix in (`vision.taught.crops`). With `hours` the run takes that time, whatever the epochs
    of `settings`. `say` takes one progress line an epoch.
    """
    loaded: list[Deck] = [load_deck(path) for path in decks]
    last = run_dir / "weights" / "last.pt"
    trainer_class = FinderTrainer if kind == "finder" else IdentifierTrainer
    overrides = _options(settings, run_dir, seed, hours)
    if last.is_file():
        overrides = {"resume": str(last), "data": "rendered"}
        say(f"resuming {kind} from {last}")

    @cache
    def restocked(seed: int) -> Studio:
        return stock_studio(kind, loaded, settings, seed, textures, crops)

    studio = restocked(seed)
    trainer_class.settings = settings
    trainer_class.restocked = staticmethod(restocked)
    trainer_class.workers = workers
    network = None
    if start is not None and not last.is_file():
        network = started(kind, start, studio, settings, seed)
    trainer = trainer_class(overrides=overrides)
    if network is not None:
        trainer.model = network
    trainer.add_callback("on_model_save", lambda running: save_state(running.ema.ema, run_dir / f"{kind}.pt"))
    began = time.monotonic()
    if kind == "finder":
        trainer.add_callback("on_train_start", prepare_finder)
    _follow(trainer, settings, threads, say)
    trainer.train()
    record = {
        "kind": kind, "decks": [deck.name for deck in loaded], "seed": seed, "threads": threads,
        "workers": workers, "device": str(trainer.device), "settings": settings.__dict__,
        "hours": round((time.monotonic() - began) / 3600, 3),
        "epochs": trainer.epoch + 1, "start": start.name if start else None,
        "cloths": len(studio.cloths), "crops": sum(map(len, studio.crops.values())),
    }  # fmt: skip
    replace_file(run_dir / "run.json", json.dumps(record, indent=1).encode(), PUBLIC)
    return last


def _options(settings: Settings, run_dir: Path, seed: int, hours: float | None) -> dict[str, Any]:
    """What a new run tells ultralytics' trainer."""
    options: dict[str, Any] = {
        "model": settings.model, "data": "rendered", "imgsz": settings.width, "epochs": settings.epochs,
        "batch": settings.batch, "nbs": settings.batch, "optimizer": "AdamW", "lr0": settings.lr0,
        "lrf": settings.lrf, "momentum": 0.9, "weight_decay": settings.weight_decay, "cos_lr": True,
        "warmup_epochs": settings.warmup_epochs, "warmup_bias_lr": settings.lr0, "close_mosaic": 0,
        "seed": seed, "val": False, "plots": False, "amp": False, "workers": 0, "verbose": False,
        "patience": 0, "project": str(run_dir.parent.resolve()), "name": run_dir.name, "exist_ok": True,
        "max_det": MOST_CARDS, "freeze": settings.freeze, "deterministic": not torch.cuda.is_available(),
    }  # fmt: skip
    return options | ({"time": hours} if hours else {})


def _follow(trainer: Any, settings: Settings, threads: int, say: Callable[[str], None]) -> None:
    """Set the threads of `trainer`, number its epochs for the rendering, and let it `say` a line after each."""
    began, epochs = time.monotonic(), count(1)

    def set_threads(_: Any) -> None:
        torch.set_num_threads(threads)
        cv2.setNumThreads(1)

    def next_epoch(running: Any) -> None:
        running.train_loader.sampler.epoch = running.epoch

    def report(running: Any) -> None:
        done, spent = next(epochs), time.monotonic() - began
        left = spent / done * max(0, running.epochs - running.epoch - 1)
        losses = " ".join(f"{name} {float(value):.4f}" for name, value in running.tloss.items())
        end = time.strftime("%H:%M", time.localtime(time.time() + left))
        rate = done * settings.scenes_per_epoch / spent
        say(f"epoch {running.epoch + 1}/{running.epochs} {losses} {rate:.1f} pictures/s, ends about {end}")

    trainer.add_callback("on_train_start", set_threads)
    trainer.add_callback("on_train_epoch_start", next_epoch)
    trainer.add_callback("on_train_epoch_end", report)


def new_network(kind: str, settings: Settings) -> Any:
    """The network of `settings.model` for `kind`, float32, with weights by chance."""
    from ultralytics import YOLO

    model = YOLO(settings.model, task=TASKS[kind]).model
    classes = FINDER_CLASSES if kind == "finder" else IDENTIFIER_CLASSES
    model = type(model)(model.yaml, nc=len(classes), verbose=False)
    model.names = dict(enumerate(classes))
    return model


def started(kind: str, start: Path, studio: Studio, settings: Settings, seed: int) -> Any:
    """The network of `settings.model` for `kind`, float32, with those weights of `start` that fit it.

    `start` is a file of `save_state`, or an exported ONNX file: the network then answers as the exported one, and its
    normalisations are measured on pictures of `studio` rendered with `seed`. Raises `VisionError` if `start` cannot be
    read as either, or has no weight that fits.
    """
    torch.manual_seed(seed)  # for the weights that `start` lacks
    model = new_network(kind, settings)
    if start.suffix == ".onnx":
        fitted = restore(model, load_weights(start), _measured(kind, studio, settings, seed))
    else:
        own = model.state_dict()
        fitting = {n: w for n, w in load_state(start).items() if n in own and own[n].shape == w.shape}
        model.load_state_dict(fitting, strict=False)
        fitted = sum(w.dim() > 0 for w in fitting.values())
    if not fitted:
        raise VisionError(f"{start}: has no weights of a {kind}")
    return model


def _measured(kind: str, studio: Studio, settings: Settings, seed: int) -> tuple[torch.Tensor, ...]:
    """Batches of rendered pictures as the network of `kind` is given them: (8, 3, H, W) float32 in 0..1."""
    sample = finder_sample if kind == "finder" else identifier_sample
    pictures = [sample(np.random.default_rng((seed, 0, k)), studio, settings)["img"] for k in range(MEASURED)]
    return tuple(batch / 255 for batch in torch.stack(pictures).float().split(8))


def export_model(checkpoint: Path, kind: str, settings: Settings, out: Path) -> None:
    """Write the trained model as ONNX to `out`, as `vision.reading` loads it.

    The finder gets its one-to-many head: a column (x, y, w, h, scores of face and back, angle) for each place of its
    grid. The end-to-end head needs no suppression, but takes long to train: it missed cards that lay alone, which the
    other half of the same network found.
    """
    from ultralytics import YOLO

    _export(YOLO(str(checkpoint), task=TASKS[kind]), kind, settings, out)


def export_network(network: Any, kind: str, settings: Settings, out: Path) -> None:
    """The same for a network in memory, such as `new_network` makes."""
    from ultralytics import YOLO
    from ultralytics.utils import DEFAULT_CFG_DICT

    model = YOLO(settings.model, task=TASKS[kind])
    network.task, network.args = TASKS[kind], DEFAULT_CFG_DICT | {"task": TASKS[kind]}
    model.model = network
    _export(model, kind, settings, out)


def _export(model: Any, kind: str, settings: Settings, out: Path) -> None:
    size = list(settings.input_px[::-1])
    how: dict[str, Any] = {"nms": False, "end2end": False} if kind == "finder" else {"dynamic": True}
    written = Path(model.export(format="onnx", imgsz=size, simplify=False, verbose=False, **how))
    data = written.read_bytes()
    written.unlink()
    out.parent.mkdir(parents=True, exist_ok=True)
    replace_file(out, data, PUBLIC)
