"""Training for real, but briefly: a few optimiser steps, the export, and both giving the same answers."""

import dataclasses
import subprocess
import sys
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

import vision.lab.training  # noqa: F401 - has ultralytics be quiet, before that is loaded
from vision.decks import load_deck
from vision.errors import VisionError
from vision.lab.rendering.fonts import load_fonts
from vision.lab.rendering.scene import Studio, open_studio
from vision.reading.belief import belief_table, face_evidence
from vision.reading.views import END_SHARE, views
from vision.resources import datasets_dir, models_dir
from webui.cli import main

pytest.importorskip("ultralytics", reason="needs the train extra")

import torch
from ultralytics import YOLO
from ultralytics.utils.ops import xywhr2xyxyxyxy, xyxyxyxy2xywhr

from vision.lab.training import calibrating, prints, samples
from vision.lab.training.corners import CornerNetwork, export_corners, train_corners
from vision.lab.training.finder_loss import ScoredByView, shortfall
from vision.lab.training.prints import PrintNetwork, export_prints, train_prints, upside_down
from vision.lab.training.restoring import load_state
from vision.lab.training.samples import finder_sample, identifier_sample, scenes_loader, stock_studio
from vision.lab.training.settings import Run, Settings, load_settings
from vision.lab.training.shown_again import ShownAgain, cut_anew, mirrored
from vision.lab.training.train import IdentifierTrainer, export_model, started, train

pytestmark = pytest.mark.training
CHECKPOINTS = models_dir() / "checkpoints"
FINDER = dataclasses.replace(load_settings("finder"), invented_share=0.0)
IDENTIFIER = dataclasses.replace(load_settings("identifier"), invented_share=0.0)


def ran(path: Path, **pictures: np.ndarray) -> np.ndarray:
    """What the exported network in a file makes of `pictures`."""
    return np.asarray(onnxruntime.InferenceSession(str(path)).run(None, pictures)[0])


@pytest.fixture(scope="module")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six cards of the drawn deck: enough to learn a step from, quick to load."""
    folder = tmp_path_factory.mktemp("deck")
    for card in ("S1", "H7", "DD", "C10", "T21", "F"):
        (folder / f"{card}.png").write_bytes((datasets_dir() / "drawn" / f"{card}.png").read_bytes())
    assert len(load_deck(folder).faces) == 6
    return folder


@pytest.fixture(autouse=True)
def small_studio(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dozen table tops and backs, and no fonts of this system: hundreds take longer to draw than a few steps."""
    for module in (samples, prints):
        monkeypatch.setattr(module, "open_studio", partial(open_studio, cloths=12, backs=12))
        monkeypatch.setattr(module, "load_fonts", partial(load_fonts, system=False))


@pytest.mark.parametrize("kind", ["finder", "identifier"])
def test_train_export_and_agree(kind: str, deck_folder: Path, tmp_path: Path) -> None:
    settings = dataclasses.replace(load_settings(kind), scenes_per_epoch=8, batch=4, epochs=2)
    lines: list[str] = []
    checkpoint = train(kind, Run([deck_folder], tmp_path / "run", settings, say=lines.append))
    assert len(lines) == 2 and all("ends about" in line for line in lines), "one line of progress an epoch"
    out = tmp_path / f"{kind}.onnx"
    export_model(checkpoint, kind, settings, out)
    model = YOLO(str(checkpoint)).model.float().eval()
    rng = np.random.default_rng(0)
    picture = rng.random((1, 3, *settings.input_px[::-1]), dtype=np.float32)
    if kind == "finder":
        model.end2end = False  # the head that was exported
    with torch.no_grad():
        trained = model(torch.from_numpy(picture))
    trained = (trained[0] if isinstance(trained, tuple | list) else trained).numpy()
    exported = ran(out, images=picture)
    assert np.allclose(trained, exported, atol=1e-3 if kind == "finder" else 1e-4), "places are in px"


def test_the_belief_is_fitted_to_rendered_tables(deck_folder: Path, tmp_path: Path) -> None:
    command = ["train", "belief", "--decks", str(deck_folder), "--scenes", "2", "--out", str(tmp_path)]
    assert main(command) == 0
    face = belief_table(tmp_path / "belief.json").face
    card, paper = np.float32((0.97, 0.02, 0.01)), np.float32((0.1, 0.1, 0.8))
    assert face.odds(face_evidence(0.9, card, 0.9, 0.0)) > face.odds(face_evidence(0.2, paper, 0.0, 0.9))


def test_a_killed_run_goes_on_where_it_stood(
    deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The process is killed after its second epoch; the same command then trains the third alone."""
    command = [
        "train", "identifier", "--decks", str(deck_folder),
        "--out", str(tmp_path / "run"), "--epochs", "3", "--scenes", "32",
    ]  # fmt: skip
    first = subprocess.Popen([sys.executable, "-m", "webui.cli", *command], stderr=subprocess.PIPE, text=True)
    assert first.stderr is not None
    for line in first.stderr:
        if line.startswith("epoch 2/"):
            break
    first.kill()
    first.communicate()
    capsys.readouterr()
    assert main(command) == 0
    again = capsys.readouterr()
    assert "resuming identifier" in again.err
    assert "epoch 1/3" not in again.err and "epoch 3/3" in again.err
    assert Path(again.out.strip()).is_file()


def test_scenes_rendered_beside_the_training_never_come_twice(deck_folder: Path) -> None:
    """Two processes render two epochs: eight pictures, all of them different, in an order that the seed gives."""
    settings = dataclasses.replace(IDENTIFIER, scenes_per_epoch=4)
    decks = [load_deck(deck_folder)]
    open_studio = partial(stock_studio, "identifier", decks, settings)
    loader = scenes_loader(identifier_sample, open_studio, settings, seed=3, batch=2, workers=2)
    seen = []
    for epoch in range(2):
        loader.sampler.epoch = epoch
        seen += [picture.numpy().tobytes() for batch in loader for picture in batch["img"]]
    assert len(seen) == len(set(seen)) == 8


def test_rendered_crops_are_shown_again_in_other_light(deck_folder: Path, tmp_path: Path) -> None:
    """Of four kept crops sixteen are shown, no two of them alike, and a network learns from them."""
    settings = dataclasses.replace(IDENTIFIER, scenes_per_epoch=16, batch=8, epochs=1, kept=4)
    studio = stock_studio("identifier", [load_deck(deck_folder)], settings, 0)
    loader = scenes_loader(identifier_sample, lambda _: studio, settings, seed=0, batch=4, collate=list)
    again = ShownAgain(loader, 4, 8, torch.device("cpu"), loader.sampler, IdentifierTrainer.again)
    pictures = [picture for batch in again for picture in batch["img"]]
    again.close()
    assert len(pictures) == 16 and len({picture.numpy().tobytes() for picture in pictures}) == 16
    assert all(picture.min() >= 0 and 0.1 < picture.max() <= 1 for picture in pictures)
    lines: list[str] = []
    train("identifier", Run([deck_folder], tmp_path / "run", settings, say=lines.append))
    assert len(lines) == 1


def test_a_corner_of_a_card_is_shown_larger_as_often_as_the_settings_say(deck_folder: Path) -> None:
    """The whole card, on the left, stays as it is."""
    plain = dataclasses.replace(IDENTIFIER, table_share=0.0, enlarged_share=0.0)
    half = dataclasses.replace(plain, enlarged_share=0.5)
    studio = stock_studio("identifier", [load_deck(deck_folder)], plain, 0)
    enlarged = 0
    for seed in range(40):
        one, other = (
            identifier_sample(np.random.default_rng(seed), studio, settings)["img"].numpy()
            for settings in (plain, half)
        )
        np.testing.assert_array_equal(one[:, :, :64], other[:, :, :64])
        enlarged += not np.array_equal(one, other)
    assert 10 < enlarged < 30


def test_what_fails_while_rendering_ends_the_training(deck_folder: Path) -> None:
    def broken(rng: np.random.Generator, studio: Studio, settings: Settings) -> dict[str, object]:
        raise ValueError("no ink")

    settings = dataclasses.replace(IDENTIFIER, scenes_per_epoch=4)
    studio = stock_studio("identifier", [load_deck(deck_folder)], settings, 0)
    loader = scenes_loader(broken, lambda _: studio, settings, seed=0, batch=4, collate=list)
    again = ShownAgain(loader, 4, 4, torch.device("cpu"), loader.sampler, IdentifierTrainer.again)
    with pytest.raises(ValueError, match="no ink"):
        next(iter(again))


def test_boxes_are_mirrored_with_their_pictures() -> None:
    """A turned rectangle in a picture, and its box: mirrored either way, they still cover one another."""
    wide, high = 200, 120
    corners = cv2.boxPoints(((70, 50), (30, 55), 33)).astype(np.float32)
    picture = cv2.fillPoly(np.zeros((high, wide, 3), np.uint8), [corners.astype(np.int32)], (255, 255, 255))
    size = torch.tensor((wide, high, wide, high, 1.0))
    box = xyxyxyxy2xywhr(torch.from_numpy(corners.reshape(1, 8))) / size
    # The two sides of a turned box are shares of the breadth and of the height, as ultralytics takes them.
    many = torch.from_numpy(picture.transpose(2, 0, 1).copy())[None].repeat(32, 1, 1, 1)
    torch.manual_seed(1)
    pictures, boxes = mirrored(many, box.repeat(32, 1), torch.arange(32).float())
    # As it was, turned over, upside down, both.
    assert len({shown.numpy().tobytes() for shown in pictures}) == 4
    for shown, moved in zip(pictures, boxes, strict=True):
        places = xywhr2xyxyxyxy((moved * torch.tensor((wide, high, wide, high, 1.0)))[None])[0].numpy()
        box_mask = cv2.fillPoly(np.zeros((high, wide), np.uint8), [places.astype(np.int32)], 255) > 0
        card = shown[0].numpy() > 0
        assert (box_mask & card).sum() > 0.93 * (box_mask | card).sum()


def test_an_identifier_says_how_often_it_is_right(
    deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The shipped one stays the same, but for the temperature that its last layer is divided by."""
    torch.manual_seed(0)
    logits = torch.randn(4000, 79) * 2
    cards = torch.distributions.Categorical(logits=logits).sample()
    assert calibrating.temperature(logits, cards) == pytest.approx(1.0, abs=0.06)
    assert calibrating.temperature(logits * 2, cards) == pytest.approx(2.0, abs=0.11)

    shipped = CHECKPOINTS / "identifier.pt"
    options = ["--decks", str(deck_folder), "--crops", "16", "--out", str(tmp_path)]
    assert calibrating.main([str(shipped), *options]) == 0
    picture = np.random.default_rng(0).random((1, 3, 128, 192), dtype=np.float32)
    told = [np.log(ran(folder / "identifier.onnx", images=picture)[0]) for folder in (models_dir(), tmp_path)]
    before, after = (row - row.mean() for row in told)
    degree = float((before * after).sum() / (after * after).sum())
    assert np.abs(before - degree * after).max() < 0.05, "the same but for the temperature"
    ours, theirs = load_state(tmp_path / "identifier.pt"), load_state(shipped)
    last = next(name for name in ours if name.endswith("linear.weight"))
    assert float((theirs[last] / ours[last]).nanmedian()) == pytest.approx(degree, abs=0.02)
    assert calibrating.main([str(CHECKPOINTS / "finder.pt"), *options]) == 2
    assert calibrating.main([str(shipped), *options, "--crops", "0"]) == 2
    assert "--crops must be at least 1" in capsys.readouterr().err
    assert calibrating.main([str(shipped), *options, "--out", __file__]) == 2
    assert __file__ in capsys.readouterr().err


@pytest.mark.parametrize("start", ["finder.onnx", "checkpoints/finder.pt"])
def test_shipped_weights_are_put_back_into_a_network(start: str, deck_folder: Path) -> None:
    """A network that is trained on from there finds the same cards with the same scores as the shipped one."""
    studio = stock_studio("finder", [load_deck(deck_folder)], FINDER, 0)
    model = started("finder", models_dir() / start, studio, FINDER, 0).eval()
    model.end2end = False
    session = onnxruntime.InferenceSession(str(models_dir() / "finder.onnx"))
    width, height = session.get_inputs()[0].shape[3], session.get_inputs()[0].shape[2]
    shown = dataclasses.replace(FINDER, width=width, height=height)
    picture = finder_sample(np.random.default_rng(5), studio, shown)["img"][None].float() / 255
    with torch.no_grad():
        places = model(picture)[0][0].numpy()
    exported = session.run(None, {"images": picture.numpy()})[0][0]
    best = exported[4:6].max(0).argsort()[::-1][:20]
    assert exported[4:6, best[0]].max() > 0.3, "a scene in which something is found"
    assert np.abs(places[:, best] - exported[:, best]).max() < 1e-2


def test_the_shipped_identifier_is_trained_on_from_its_checkpoint(deck_folder: Path, tmp_path: Path) -> None:
    """The network names cards as the exported one; a short run begins with it, and writes one to begin with."""
    settings = dataclasses.replace(
        load_settings("identifier"), scenes_per_epoch=16, batch=8, epochs=1, lr0=1e-6
    )
    shipped = CHECKPOINTS / "identifier.pt"
    studio = stock_studio("identifier", [load_deck(deck_folder)], settings, 0)
    model = started("identifier", shipped, studio, settings, 0).eval()
    crops = [identifier_sample(np.random.default_rng(k), studio, settings)["img"] for k in range(8)]
    pictures = torch.stack(crops).float() / 255
    with torch.no_grad():
        scores = model(pictures)[0].numpy()
    exported = ran(models_dir() / "identifier.onnx", images=pictures.numpy())
    assert np.abs(scores - exported).max() < 0.01, "half precision"
    train("identifier", Run([deck_folder], tmp_path / "run", settings, start=shipped))
    trained = torch.load(tmp_path / "run" / "identifier.pt", weights_only=True)
    begun = torch.load(shipped, weights_only=True)
    assert set(trained) == set(begun)
    moved = [
        (trained[name].float() - weight.float()).abs().mean()
        for name, weight in begun.items()
        if name.endswith("conv.weight")
    ]
    assert max(moved) < 1e-3, "a run with so small a learning rate stays where it began"


def test_checkpoints_hold_weights_alone(deck_folder: Path, tmp_path: Path) -> None:
    """Every shipped one is a dictionary of tensors; a whole pickled network is refused, and runs no code."""
    shipped = sorted(CHECKPOINTS.iterdir())
    assert [path.name for path in shipped] == ["corners.pt", "finder.pt", "identifier.pt", "prints.pt"]
    for path in shipped:
        state = torch.load(path, weights_only=True)
        assert state and all(isinstance(value, torch.Tensor) for value in state.values()), path

    studio = stock_studio("finder", [load_deck(deck_folder)], FINDER, 0)
    for name, content in {
        "network.pt": {"model": torch.nn.Linear(2, 2), "epoch": -1},
        "code.pt": _Touching(tmp_path / "touched"),
        "numbers.pt": [1, 2],
    }.items():
        torch.save(content, tmp_path / name)
        with pytest.raises(VisionError, match=rf"{name}: not a checkpoint of weights alone"):
            started("finder", tmp_path / name, studio, FINDER, 0)
    assert not (tmp_path / "touched").exists()
    torch.save({"other": torch.zeros(2)}, tmp_path / "foreign.pt")
    with pytest.raises(VisionError, match=r"foreign\.pt: has no weights of a finder"):
        started("finder", tmp_path / "foreign.pt", studio, FINDER, 0)


class _Touching:
    """Pickled, it makes a file when it is read."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.path,)


def test_corners_train_and_export(deck_folder: Path, tmp_path: Path) -> None:
    """A few steps; the exported network gives the same rows; a killed run goes on; other files are refused."""
    settings = dataclasses.replace(
        load_settings("corners"), scenes_per_epoch=32, batch=16, epochs=2, invented_share=0.0
    )
    lines: list[str] = []
    checkpoint = train_corners(Run([deck_folder], tmp_path / "run", settings, say=lines.append))
    assert lines and lines[-1].startswith("64 pictures")
    out = tmp_path / "corners.onnx"
    export_corners(checkpoint, out)
    network = CornerNetwork()
    network.load_state_dict(torch.load(checkpoint, weights_only=True))
    pictures = torch.rand(3, 3, 120, 80)
    with torch.no_grad():
        rows = network.eval()(pictures).numpy()
    exported = ran(out, cutouts=pictures.numpy())
    assert np.allclose(rows, exported, atol=1e-4)
    (tmp_path / "other.pt").write_bytes(b"not a checkpoint")
    with pytest.raises(VisionError, match=r"other\.pt: not a checkpoint of weights alone"):
        export_corners(tmp_path / "other.pt", out)


def test_the_print_network_trains_and_exports(deck_folder: Path, tmp_path: Path) -> None:
    """It begins with the identifier's layers; exported, it gives the same embeddings; other files are refused."""
    cards = len(load_deck(deck_folder).faces)
    settings = dataclasses.replace(
        load_settings("prints"), scenes_per_epoch=2 * cards, batch=2 * cards, epochs=2, invented_share=0.0
    )
    start, lines = CHECKPOINTS / "identifier.pt", list[str]()
    checkpoint = train_prints(Run([deck_folder], tmp_path / "run", settings, start=start, say=lines.append))
    assert lines and lines[-1].startswith(f"{4 * cards} pictures")
    out = tmp_path / "prints.onnx"
    export_prints(checkpoint, settings, out)
    network = PrintNetwork(settings.model)
    network.load_state_dict(torch.load(checkpoint, weights_only=True))
    begun = torch.load(start, weights_only=True)["model.0.conv.weight"]
    assert torch.equal(network.layers[0].conv.weight, begun.float()), "the first layers keep their weights"
    pictures = torch.rand(3, 3, 128, 192)
    with torch.no_grad():
        rows = network.eval()(pictures).numpy()
    exported = ran(out, views=pictures.numpy())
    assert np.allclose(rows, exported, atol=1e-4)
    assert np.allclose((rows**2).sum(1), 1, atol=1e-4)
    assert torch.equal(upside_down(upside_down(pictures)), pictures)
    torch.save({"other": torch.zeros(2)}, tmp_path / "foreign.pt")
    with pytest.raises(VisionError, match=r"foreign\.pt: has no weights of a print network or an identifier"):
        export_prints(tmp_path / "foreign.pt", settings, out)


@pytest.mark.parametrize(("visible", "score"), [(1.0, 1.0), (0.5, 1.0), (0.325, 0.5), (0.1, 0.01)])
def test_scores_to_be_learnt_fall_with_what_is_in_view(visible: float, score: float) -> None:
    """A back found where it is: a whole one is to score 1, one mostly occluded little; a face there, nothing."""
    box = torch.tensor([[[100.0, 100.0, 40.0, 70.0, 0.3]]])
    assigner = ScoredByView(topk=1, num_classes=2, alpha=0.5, beta=6.0, stride=[8, 16, 32])
    _, _, scores, _, _ = assigner(
        torch.full((1, 1, 2), 0.9), box, torch.tensor([[100.0, 100.0]]),
        torch.tensor([[[1.0 + shortfall(visible)]]]), box, torch.ones(1, 1, 1),
    )  # fmt: skip
    assert scores[0, 0].tolist() == pytest.approx([0.0, score], abs=0.01)


def test_the_three_views_of_a_card_are_cut_out_anew_together() -> None:
    """A dot at either end of a card: the whole card and that end show it moved by the same part of the card."""
    crop = np.zeros((256, 256, 3), np.uint8)
    cv2.circle(crop, (96, 32), 12, (255, 255, 255), -1)
    cv2.circle(crop, (144, 218), 12, (255, 255, 255), -1)
    many = torch.from_numpy(views(crop).transpose(2, 0, 1).copy())[None].repeat(32, 1, 1, 1).float()
    torch.manual_seed(2)
    moves = []
    for shown in cut_anew(many)[:, 0].numpy():
        whole, ends = shown[:, :64], shown[:, 64:]
        upper = _dot(whole[:64]) / (64, 128)
        lower = 1 - _dot(whole[64:][::-1, ::-1]) / (64, 128)
        for dot, end in ((upper, ends[:64]), (1 - lower, ends[64:])):
            seen = _dot(end) / 128 * (1, 2 * END_SHARE)
            assert np.abs(seen - dot).max() < 0.02, "a px of the whole card"
        moves.append(upper - (96 / 256, 32 / 256))
    assert 0.005 < np.std(moves) < 0.05


def _dot(grey: np.ndarray) -> np.ndarray:
    """The middle (x, y) px of the white dot in `grey` (H, W)."""
    rows, columns = np.indices(grey.shape) + 0.5
    return np.array([(columns * grey).sum(), (rows * grey).sum()]) / grey.sum()
