"""What the laboratory's commands say of bad input: one sentence, and no traceback."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.errors import VisionError
from vision.lab.bench.styles import main as write_styles
from vision.lab.rendering.video_file import VideoFile
from vision.lab.tracing.__main__ import main as trace
from vision.lab.tracing.films import play_out
from vision.lab.tracing.packs import load_pack
from vision.lab.training.settings import load_settings
from vision.resources import datasets_dir, models_dir

DRAWN = datasets_dir() / "drawn"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("enrol", "--deck", str(DRAWN), "--crops", "0"), "--crops: must be at least 1"),
        (("models", "--decks", str(DRAWN), "--crops", "-1"), "--crops, --scenes: must not be negative"),
        (("vision", str(DRAWN.parent / "demo"), "--answers", __file__), "--answers"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_benchmark_refuses_what_it_cannot_use(
    words: tuple[str, ...], said: str, refused: Callable[..., str]
) -> None:
    assert said in refused("bench", *words)


def test_styles_are_not_written_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert write_styles(["--out", str(tmp_path / "file")]) == 2
    error = capsys.readouterr().err
    assert "file" in error and error.count("\n") == 1


def test_without_the_extra_packages_styles_say_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)  # whoever imports it gets an ImportError
    assert write_styles(["--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "drawing styles needs the extra packages (PIL)" in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *(
            (("stills", "--size", size), f"{size!r} is no size, such as 1280x720")
            for size in ("1280", "1280x", "0x720", "wide")
        ),
        (("films", "--count", "0"), "'0' is not a number from 1 on"),
        (("films", "--seed", "-1"), "'-1' is not a number from 0 on"),
        (("films", "--samples", "many"), "'many' is not a number from 1 on"),
    ],
)
def test_a_size_or_a_number_out_of_range_is_traced_by_nobody(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        trace([*words, "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_hand_has_no_more_tricks_than_cards() -> None:
    pack = load_pack(DRAWN)
    assert len(play_out(np.random.default_rng(0), pack, 25)) == 25
    with pytest.raises(VisionError, match="--tricks 26: a hand of drawn has 25"):
        play_out(np.random.default_rng(0), pack, 26)


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for the program")
def test_a_film_that_ffmpeg_could_not_finish_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk ends the program, perhaps after the last frame was handed over."""
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\nwhile read -r line; do :; done\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    failing = pytest.raises(VisionError, match=r"film\.mp4: cannot be written as a video")
    with failing, VideoFile(tmp_path / "film.mp4", (16, 16), 10) as video:
        video.write(np.zeros((16, 16, 3), np.uint8))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ('width = "broad"', r"\[finder\] cannot be read: Expected `int`, got `str` - at `\$.width`"),
        ("wide = 448", r"\[finder\] cannot be read: .*'wide'"),
        ("invented_share = 1.0", r"\[finder\] cannot be read: invented_share must be below 1"),
        ("invented_share = -0.1", r"\[finder\] cannot be read: invented_share must be 0 to 1"),
        ("enlarged_share = 1.5", r"\[finder\] cannot be read: enlarged_share must be 0 to 1"),
    ],
)
def test_settings_of_a_training_say_what_is_wrong(changed: str, said: str, tmp_path: Path) -> None:
    name = changed.split(" = ")[0]
    shipped = (models_dir() / "training.toml").read_text(encoding="utf-8").split("[corners]")[0]
    lines = [line for line in shipped.splitlines() if not line.startswith(f"{name} =")]
    (tmp_path / "own.toml").write_text("\n".join([*lines, changed]), encoding="utf-8")
    with pytest.raises(VisionError, match=said):
        load_settings("finder", tmp_path / "own.toml")


def test_settings_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(b"\xff\xfe[finder]")
    with pytest.raises(VisionError, match=r"own\.toml"):
        load_settings("finder", tmp_path / "own.toml")


def test_a_file_that_is_missing_or_in_the_way_is_named_with_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(VisionError) as refused:
        load_settings("finder", tmp_path / "no.toml")
    assert str(refused.value) == f"{tmp_path / 'no.toml'}: No such file or directory"
    (tmp_path / "out").touch()
    assert trace(["stills", "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"vision.lab.tracing: {tmp_path / 'out'}: File exists\n"
