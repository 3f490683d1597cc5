"""Whoever uses the page may have the source of what runs (AGPL, section 13), from the program itself."""

import io
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from webui.version import version

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("lang", "words"),
    [("da", "Tarokbordet {} · kildekode og licens"), ("en", "Tarok Table {} · source and licence")],
)
@pytest.mark.parametrize(
    "path", ["/", "/ledger", "/audit", "/decks", "/host", "/seats", "/settle", "/play", "/source", "/nowhere"]
)  # fmt: skip
def test_every_page_links_the_source_of_its_version(page, path, lang, words):
    body = page.client.get(path, query_string={"lang": lang}).get_data(as_text=True)
    assert f'<a href="/source" data-dialog>{words.format(version())}</a>' in body


@pytest.mark.parametrize(("lang", "words"), [("da", "Programmet er frit"), ("en", "The program is free")])
def test_the_source_and_the_licence_are_said_and_offered(page, lang, words):
    body = page.client.get("/source", query_string={"lang": lang}).get_data(as_text=True)
    assert words in body and 'href="/source.zip"' in body and 'href="/licence.txt"' in body
    licence = page.client.get("/licence.txt")
    assert licence.mimetype == "text/plain"
    assert licence.get_data(as_text=True) == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_source_is_whole_and_runs(page, tmp_path):
    answer = page.client.get("/source.zip")
    named = answer.headers["Content-Disposition"].replace(chr(34), "")
    assert named == f"attachment; filename=tarok-table-{version()}.zip"
    with zipfile.ZipFile(io.BytesIO(answer.get_data())) as archive:
        archive.extractall(tmp_path / "sent")
    (folder,) = (tmp_path / "sent").iterdir()
    assert folder.name == f"tarok-table-{version()}"
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == version()
    # What runs is what was sent, models, recording and templates too.
    program = (
        "import webui.cli, webui.source, vision.resources\n"
        "assert webui.source.source_files().keys() >= {'webui/templates/base.html', 'models/finder.onnx'}\n"
        "print(webui.cli.__file__, vision.resources.models_dir(), vision.resources.datasets_dir())\n"
        "webui.cli.main(['rules', 'dtf-2011'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{folder / 'webui' / 'cli.py'} {folder / 'models'} {folder / 'datasets'}")


def test_the_source_has_every_file_of_the_repository(page):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    with zipfile.ZipFile(io.BytesIO(page.client.get("/source.zip").get_data())) as archive:
        names = {name.split("/", 1)[1] for name in archive.namelist()}
    kept = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    assert kept - names == {".gitignore"}


def test_the_wheel_has_everything_in_models_but_the_checkpoints() -> None:
    """They are listed one by one, so that a new file is not forgotten."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "models").rglob("*") if path.is_file()}
    shipped = {path for path in there if not path.startswith("models/checkpoints/")}
    assert {path for path in listed if path.startswith("models")} == shipped
