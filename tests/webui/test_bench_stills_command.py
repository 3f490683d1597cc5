"""`tarok bench stills` as a person types it, on scenes of the drawn deck with their truth."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn import drawn_deck
from webui_scenes import tables_in_play

from vision.lab.rendering.scene import open_studio
from webui.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three stills; what lies over a card is not told, so all of them count as wholly in view."""
    out = tmp_path_factory.mktemp("stills")
    studio = open_studio(np.random.default_rng(5), [drawn_deck()], cloths=4, backs=4)
    for k, scene in enumerate(tables_in_play(studio, 5, 3)):
        cv2.imwrite(str(out / f"{k}.png"), scene.picture)
        cards = [{"card": c.card, "corners": c.corners_px.tolist(), "visible": 1} for c in scene.cards]
        truth = {"group": "usual", "deck": "drawn" if k else "other", "cards": cards}
        (out / f"{k}.json").write_text(json.dumps(truth))
    return out


def test_most_of_its_own_world_is_found_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "stills", str(folder), "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)["groups"]["usual"]
    found, named = report["faces found"], report["names, wholly in view"]
    assert found["of"] >= 5 and found["share"] >= 0.6 and named["share"] >= 0.8


def test_one_deck_is_counted_alone_with_a_page_of_its_mistakes(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "stills", str(folder), "--decks", "other", "--page", str(tmp_path / "page")]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("usual: 1 stills, decks other\n  faces found")
    assert "What was seen wrongly in stills" in (tmp_path / "page" / "index.html").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no still with a truth file"),
        (("--decks", "none"), "--decks none"),
        (("--threads", "0"), "--threads 0"),
    ],
)
def test_one_line_and_status_2(
    folder: Path, tmp_path: Path, words: tuple[str, ...], said: str, refused: Callable[..., str]
) -> None:
    assert said in refused("bench", "stills", folder if words else tmp_path, *words)
