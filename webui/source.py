"""The program's own source, for everybody who uses it over a network (AGPL, section 13).

It is read from the disk, without the internet, so a club that changes its copy offers the changed source.
"""

import zipfile
from pathlib import Path
from typing import IO

from webui.version import version

_HERE = Path(__file__).resolve().parents[1]
_PACKAGES = ("tracker", "vision", "webui")
_BESIDE = (
    "pyproject.toml", "hatch_build.py", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE",
    "SECURITY.md", "requirements.lock", "requirements-club.lock", "requirements-print.lock",
    "requirements-installer.lock", "models", "datasets", "docs", "start", "installers", "tests", ".ci", ".github",
)  # fmt: skip
_LEFT_OUT = {"__pycache__", "_data"}
_COMPRESSED = {".png", ".jpg", ".webp", ".mp4", ".onnx", ".pt"}


def _beside() -> Path:
    """The folder of the files outside the packages: the checkout, or `vision/_data` of an installed program."""
    installed = _HERE / "vision" / "_data"
    return installed if installed.is_dir() else _HERE


def licence() -> str:
    """The licence's own text."""
    return (_beside() / "LICENSE").read_text(encoding="utf-8")


def source_files() -> dict[str, Path]:
    """Every file needed to build, test and run the program, by its path in a checkout."""
    tops = {name: _HERE / name for name in _PACKAGES} | {name: _beside() / name for name in _BESIDE}
    files = {}
    for name, top in sorted(tops.items()):
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            inside = path.relative_to(top)
            if path.is_file() and not _LEFT_OUT & set(inside.parts):
                files[str(Path(name) / inside.as_posix()).replace("\\", "/")] = path
    return files


def write_source(to: IO[bytes]) -> None:
    """Write the source to `to` as a ZIP file, in a folder named after its version."""
    with zipfile.ZipFile(to, "w", strict_timestamps=False) as archive:
        for name, path in source_files().items():
            how = zipfile.ZIP_STORED if path.suffix in _COMPRESSED else zipfile.ZIP_DEFLATED
            archive.write(path, f"tarok-table-{version()}/{name}", how)
