"""Training for real, but briefly: a few optimiser steps, the export, and both giving the same answers."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.decks import load_deck
from vision.resources import datasets_dir

pytestmark = pytest.mark.training
pytest.importorskip("ultralytics", reason="needs the train extra")


@pytest.fixture(scope="module")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six cards of the drawn deck: enough to learn a step from, quick to load."""
    folder = tmp_path_factory.mktemp("deck")
    for card in ("S1", "H7", "DD", "C10", "T21", "F"):
        (folder / f"{card}.png").write_bytes((datasets_dir() / "drawn" / f"{card}.png").read_bytes())
    assert len(load_deck(folder).faces) == 6
    return folder


@pytest.mark.parametrize("kind", ["finder", "identifier"])
def test_train_export_and_agree(kind: str, deck_folder: Path, tmp_path: Path) -> None:
    import onnxruntime
    import torch
    from ultralytics import YOLO

    from vision.training.train import export_model, load_settings, train

    settings = dataclasses.replace(load_settings(kind), scenes_per_epoch=16, batch=8, epochs=2)
    lines: list[str] = []
    checkpoint = train(kind, [deck_folder], tmp_path / "run", settings=settings, say=lines.append)
    assert len(lines) == 2 and all("ends about" in line for line in lines), "one line of progress an epoch"
    out = tmp_path / f"{kind}.onnx"
    export_model(checkpoint, kind, settings, out)
    model = YOLO(str(checkpoint)).model.float().eval()
    rng = np.random.default_rng(0)
    picture = rng.random((1, 3, settings.height, settings.width), dtype=np.float32)
    if kind == "finder":
        model.end2end = True  # the head that was exported
    with torch.no_grad():
        trained = model(torch.from_numpy(picture))
    trained = (trained[0] if isinstance(trained, tuple | list) else trained).numpy()
    exported = onnxruntime.InferenceSession(str(out)).run(None, {"images": picture})[0]
    if kind == "finder":
        # Only the order of equal scores may differ: compare the best rows.
        trained, exported = np.sort(trained[0, :, 4])[::-1][:30], np.sort(exported[0, :, 4])[::-1]
    assert np.allclose(trained, exported, atol=1e-4)


def test_a_killed_run_goes_on_where_it_stood(deck_folder: Path, tmp_path: Path) -> None:
    """The process is killed after its first epoch; the same command then finishes the second."""
    command = [
        sys.executable, "-m", "webui.cli", "train", "identifier", "--decks", str(deck_folder),
        "--out", str(tmp_path / "run"), "--epochs", "3", "--scenes", "64",
    ]  # fmt: skip
    first = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert first.stderr is not None
    for line in first.stderr:
        if line.startswith("epoch 2/"):
            break
    first.kill()
    first.communicate()
    again = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert again.returncode == 0, again.stderr
    assert "resuming identifier" in again.stderr
    assert "epoch 1/3" not in again.stderr and "epoch 3/3" in again.stderr
    assert Path(again.stdout.strip()).is_file()
