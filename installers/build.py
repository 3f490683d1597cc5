"""Builds the installer of the system that this runs on: `python installers/build.py`, from a checkout.

Windows: Tarok-Table-VERSION.exe, made by NSIS. macOS: Tarok-Table-VERSION.dmg. Linux: Tarok-Table-VERSION.AppImage.
Each holds one folder with the program and its own Python, put together by PyInstaller. It lies in `dist/` at the end,
the folder itself in `build/installer/`. What is put in, and what builds it, is pinned in requirements-installer.lock.

It needs Python 3.11 or newer with its shared library. On Windows also makensis, on Linux gcc, mksquashfs and the
static libraries that `DEBIAN` names. No other file is fetched.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
WORK: Final = ROOT / "build" / "installer"
OUT: Final = ROOT / "dist"
DEBIAN: Final = (
    "gcc libc6-dev squashfs-tools libsquashfuse-dev zlib1g-dev libzstd-dev liblzma-dev liblz4-dev liblzo2-dev "
    "python3 python3-venv libpython3-dev binutils"
)
"""The packages of Debian 12 that the Linux build needs."""
_LINKED: Final = ("-lsquashfuse", "-lzstd", "-lz", "-llzma", "-llz4", "-llzo2")


def main() -> None:
    """Build it; raises what subprocess raises."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    OUT.mkdir(exist_ok=True)
    folder = _folder(version)
    match sys.platform:
        case "win32":
            made = _windows(folder, version)
        case "darwin":
            made = _macos(folder, version)
        case _:
            made = _linux(folder, version)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{made}: {made.stat().st_size >> 20} MB; installed {size >> 20} MB")


def _folder(version: str) -> Path:
    """The folder of the program, built from the locked dependencies in an environment of its own."""
    place = WORK / "venv"
    venv.create(place, with_pip=True, clear=True)
    python = str(next(path for path in place.glob("*/python*") if path.stem == "python"))
    _run(python, "-m", "pip", "install", "--quiet", "-r", str(ROOT / "requirements-installer.lock"))
    _run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", str(ROOT))
    icons = WORK / "icons"
    _run(python, str(HERE / "icons.py"), str(icons))
    words = ("--noconfirm", "--distpath", str(WORK / "built"), "--workpath", str(WORK / "parts"))
    told = {**os.environ, "TAROK_ICONS": str(icons), "TAROK_VERSION": version}
    # From a folder without the source: what is put in is what was installed.
    _run(python, "-m", "PyInstaller", *words, str(HERE / "tarok.spec"), cwd=icons, env=told)
    return WORK / "built" / "Tarok Table"


def _windows(folder: Path, version: str) -> Path:
    made = OUT / f"Tarok-Table-{version}.exe"
    values = {"VERSION": version, "FOLDER": folder, "ICON": WORK / "icons" / "tarok.ico", "OUT": made}
    _run(
        "makensis", "-V2", *(f"-D{name}={value}" for name, value in values.items()), str(HERE / "windows.nsi")
    )
    return made


def _macos(folder: Path, version: str) -> Path:
    made = OUT / f"Tarok-Table-{version}-{platform.machine()}.dmg"
    shown = WORK / "dmg"
    shutil.rmtree(shown, ignore_errors=True)
    shutil.copytree(folder.with_name("Tarok Table.app"), shown / "Tarok Table.app", symlinks=True)
    (shown / "Applications").symlink_to("/Applications")
    _run("hdiutil", "create", "-ov", "-volname", "Tarok Table", "-srcfolder", str(shown), str(made))
    return made


def _linux(folder: Path, version: str) -> Path:
    # 33 MB of names for debuggers. The other libraries were patched for their wheels, and do not load once stripped.
    for library in ("libpython*", "typst/*.so"):
        _run("strip", "--strip-unneeded", *(str(path) for path in (folder / "_internal").glob(library)))
    app = WORK / "AppDir"
    shutil.rmtree(app, ignore_errors=True)
    shutil.copytree(folder, app, symlinks=True)
    for name in ("AppRun", "tarok-table.desktop", "tarok-evening.xml"):
        shutil.copy(HERE / name, app)
    shutil.copy(WORK / "icons" / "tarok.png", app / "tarok-table.png")
    (app / ".DirIcon").symlink_to("tarok-table.png")
    packed = WORK / "packed.squashfs"
    _run(
        "mksquashfs",
        str(app),
        str(packed),
        "-noappend",
        "-quiet",
        "-no-progress",
        "-all-root",
        "-comp",
        "zstd",
    )
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()[:12]
    runtime = WORK / "runtime"
    release = f'-DRELEASE="{version}-{digest}"'
    _run("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Os", "-static", "-s", release, "-o", str(runtime),
         str(HERE / "runtime.c"), *_LINKED)  # fmt: skip
    elf = bytearray(runtime.read_bytes())
    elf[8:11] = b"AI\x02"  # by which an AppImage of type 2 is known
    made = OUT / f"Tarok-Table-{version}-{platform.machine()}.AppImage"
    made.write_bytes(bytes(elf) + packed.read_bytes())
    made.chmod(0o755)
    return made


def _run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, cwd=cwd, env=env)


if __name__ == "__main__":
    main()
