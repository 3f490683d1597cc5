"""Training the two YOLO models on newly rendered pictures, and exporting them.

ultralytics does the training. For a folder of pictures it gets `vision.lab.training.samples`.
"""

import time
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tracker.files import PUBLIC, replace_file
from vision.decks import load_deck
from vision.errors import VisionError
from vision.lab.extras import train_extra
from vision.lab.rendering.layouts import MOST_CARDS
from vision.lab.rendering.scene import Studio
from vision.lab.training.finder_loss import prepare_finder
from vision.lab.training.restoring import load_state, load_weights, restore, save_state
from vision.lab.training.samples import Onward, finder_sample, identifier_sample, scenes_loader, stock_studio
from vision.lab.training.settings import Run, Settings
from vision.lab.training.shown_again import ShownAgain, cut_anew, mirrored, varied
from vision.reading.identifier import CLASSES

with train_extra("training"):
    import torch
    from ultralytics.data.dataset import YOLODataset
    from ultralytics.models.yolo.classify import ClassificationTrainer
    from ultralytics.models.yolo.obb import OBBTrainer

FINDER_CLASSES = ("face", "back")
"""The finder's classes, in the order of its output."""
TASKS = {"finder": "obb", "identifier": "classify"}
"""The task of each network, as ultralytics calls it."""
MEASURED = 64
"""Pictures on which the normalisations of a network restored from ONNX are measured."""
RENDERED_AT_ONCE = 8
"""Pictures that a process renders before it hands them over, where pictures are shown again."""


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
        return ShownAgain(loader, kept, batch_size, self.device, Onward(len(loader.dataset)), self.again)  # type: ignore[attr-defined]

    def set_model_attributes(self) -> None:
        super().set_model_attributes()  # type: ignore[misc]
        # ultralytics uses channels-last weights for CUDA only; on a CPU they train a fifth faster, too.
        self.model = self.model.to(memory_format=torch.channels_last)  # type: ignore[has-type]

    def validate(self) -> tuple[dict[str, float], float]:
        # `tarok bench` measures how well a network reads, on other decks. Here the fitness is the training loss.
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
        """A batch of pictures, shown before or not, mirrored and in other light."""
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

    class_names = CLASSES
    sample = staticmethod(identifier_sample)

    @staticmethod
    def collate(samples: list[dict[str, Any]]) -> dict[str, Any]:
        """A batch as the parent class takes it: img float (N, 3, H, W) RGB in 0..1, cls (N,)."""
        batch: dict[str, Any] = torch.utils.data.default_collate(samples)
        return batch | {"img": batch["img"].float() / 255}

    @staticmethod
    def again(samples: list[dict[str, Any]]) -> dict[str, Any]:
        """A batch of crops, shown before or not, cut out a little differently and in other light."""
        batch: dict[str, Any] = torch.utils.data.default_collate(samples)
        return batch | {"img": varied(cut_anew(batch["img"].float())) / 255}


def train(kind: str, run: Run, crops: Path | None = None) -> Path:
    """Train `kind` ("finder" or "identifier") and return the checkpoint weights/last.pt in the folder of `run`.

    The run says a line after each epoch. <kind>.pt in its folder then has the weights alone, in half precision.

    - `run.start`: such a file, or an ONNX file such as the shipped ones (`vision.lab.training.restoring`). Its weights
      that fit are loaded first; an identifier's first layers fit a finder too. A whole pickled network is refused.
    - `crops`: a folder of crops of real cards to mix in (`vision.taught.crops`).

    Raises `VisionError` when a folder or file cannot be used.
    """
    settings = run.settings
    decks = [load_deck(path) for path in run.decks]
    last = run.folder / "weights" / "last.pt"
    trainer_class = FinderTrainer if kind == "finder" else IdentifierTrainer
    overrides = _options(run)
    if last.is_file():
        overrides = {"resume": str(last), "data": "rendered"}
        run.say(f"resuming {kind} from {last}")

    @cache
    def restocked(seed: int) -> Studio:
        return stock_studio(kind, decks, settings, seed, run.textures, crops)

    studio = restocked(run.seed)
    trainer_class.settings = settings
    trainer_class.restocked = staticmethod(restocked)
    trainer_class.workers = run.workers
    network = None
    if run.start is not None and not last.is_file():
        network = started(kind, run.start, studio, settings, run.seed)
    trainer = trainer_class(overrides=overrides)
    if network is not None:
        trainer.model = network
    trainer.add_callback(
        "on_model_save", lambda running: save_state(running.ema.ema, run.folder / f"{kind}.pt")
    )
    began = time.monotonic()
    if kind == "finder":
        trainer.add_callback("on_train_start", prepare_finder)
    _follow(trainer, run)
    trainer.train()
    run.write_record(
        kind, (time.monotonic() - began) / 3600, device=str(trainer.device), epochs=trainer.epoch + 1,
        cloths=len(studio.cloths), crops=sum(map(len, studio.crops.values())),
    )  # fmt: skip
    return last


def _options(run: Run) -> dict[str, Any]:
    """What a new run tells ultralytics' trainer."""
    settings = run.settings
    options: dict[str, Any] = {
        "model": settings.model, "data": "rendered", "imgsz": settings.width, "epochs": settings.epochs,
        "batch": settings.batch, "nbs": settings.batch, "optimizer": "AdamW", "lr0": settings.lr0,
        "lrf": settings.lrf, "momentum": 0.9, "weight_decay": settings.weight_decay, "cos_lr": True,
        "warmup_epochs": settings.warmup_epochs, "warmup_bias_lr": settings.lr0, "close_mosaic": 0,
        "seed": run.seed, "val": False, "plots": False, "amp": False, "workers": 0, "verbose": False,
        "patience": 0, "project": str(run.folder.parent.resolve()), "name": run.folder.name, "exist_ok": True,
        "max_det": MOST_CARDS, "freeze": settings.freeze, "deterministic": not torch.cuda.is_available(),
    }  # fmt: skip
    return options | ({"time": run.hours} if run.hours else {})


def _follow(trainer: Any, run: Run) -> None:
    """Let `trainer` run on the threads of `run`, number its epochs for the rendering, and say a line after each."""
    began, epochs = time.monotonic(), count(1)

    def set_threads(_: Any) -> None:
        torch.set_num_threads(run.threads)
        cv2.setNumThreads(1)

    def next_epoch(running: Any) -> None:
        running.train_loader.sampler.epoch = running.epoch

    def report(running: Any) -> None:
        done, spent = next(epochs), time.monotonic() - began
        left = spent / done * max(0, running.epochs - running.epoch - 1)
        losses = " ".join(f"{name} {float(value):.4f}" for name, value in running.tloss.items())
        end = time.strftime("%H:%M", time.localtime(time.time() + left))
        rate = done * run.settings.scenes_per_epoch / spent
        run.say(
            f"epoch {running.epoch + 1}/{running.epochs} {losses} {rate:.1f} pictures/s, ends about {end}"
        )

    trainer.add_callback("on_train_start", set_threads)
    trainer.add_callback("on_train_epoch_start", next_epoch)
    trainer.add_callback("on_train_epoch_end", report)


def new_network(kind: str, settings: Settings) -> Any:
    """The network of `settings.model` for `kind`, float32, with random weights."""
    from ultralytics import YOLO

    model = YOLO(settings.model, task=TASKS[kind]).model
    classes = FINDER_CLASSES if kind == "finder" else CLASSES
    model = type(model)(model.yaml, nc=len(classes), verbose=False)
    model.names = dict(enumerate(classes))
    return model


def started(kind: str, start: Path, studio: Studio, settings: Settings, seed: int) -> Any:
    """The network of `settings.model` for `kind`, float32, with those weights of `start` that fit it.

    `start` is a file of `save_state`, or an exported ONNX file. With an ONNX file the network answers as the exported
    one; its normalisations are measured on pictures of `studio` rendered with `seed`. Raises `VisionError` if `start`
    cannot be read as either, or has no weight that fits.
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
    grid. Its end-to-end head needs no suppression, but takes longer to train: it missed cards that lay alone, which the
    one-to-many head of the same network found.
    """
    from ultralytics import YOLO

    _export(YOLO(str(checkpoint), task=TASKS[kind]), kind, settings, out)


def export_network(network: Any, kind: str, settings: Settings, out: Path) -> None:
    """Write a `network` as `new_network` makes it to `out`, as `export_model` does."""
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
