"""`tarok report`: see the clips of corrections, and pack the chosen ones into one file that a club can send.

The program itself sends nothing.
"""

import argparse
import json
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tracker.files import PUBLIC, replace_file
from webui.errors import UserError, told_as
from webui.pictures.clips import clip_bytes, clip_names

_LONGEST_WORD: Final = 20
_SHOWN_S: Final = (-1.5, 0.3, 2.0)
"""The pictures of a clip on the page: seconds from when the card came to rest."""


@dataclass(frozen=True)
class Clip:
    """A clip in the list: its number from 1, and the contents of its description file."""

    number: int
    name: str
    folder: Path
    told: dict[str, Any]

    @property
    def mb(self) -> float:
        """The size of the clip's files in MB."""
        return clip_bytes(self.folder, self.name) / 1e6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok report`."""
    parser.add_argument(
        "clips", nargs="*", metavar="CLIP", help="numbers as listed, such as 2 or 4-7 (default: list all)"
    )
    parser.add_argument("--all", action="store_true", help="choose every clip")
    parser.add_argument("--out", type=Path, metavar="ZIP", help="pack the chosen clips into this file")
    parser.add_argument("--page", type=Path, metavar="DIR", help="write a page with their pictures there")
    parser.add_argument(
        "--clips",
        dest="folder",
        type=Path,
        metavar="DIR",
        help="folder of the clips (default: in your data folder)",
    )


def run(args: argparse.Namespace) -> int:
    """List the clips, or show the chosen ones and pack them."""
    from vision.lab.bench.mistakes_page import check_page

    clips = _clips(_folder(args.folder))
    if not clips and not (args.clips or args.all or args.out or args.page):
        print("No clips are kept. The host's page switches them on; then each correction leaves one.")
        return 0
    chosen = clips if args.all else [clips[number - 1] for number in _numbers(args.clips, len(clips))]
    if (args.out or args.page) and not chosen:
        raise UserError(
            "choose clips by their numbers, or all of them with --all" if clips else "no clips are kept"
        )
    check_page(args.page)
    for clip in chosen or clips:
        print(_line(clip))
        if chosen:
            print("\n".join(f"      {line}" for line in _reasons(clip)))
    if args.page is not None:
        print(f"See {_write_page(args.page, chosen)}.")
    if args.out is not None:
        _pack(args.out, chosen)
        count = f"{len(chosen)} clip{'s' if len(chosen) != 1 else ''}"
        size = args.out.stat().st_size / 1e6
        print(f"{args.out}: {count}, {size:.1f} MB. Nothing was sent; tarok bench vision reads it.")
    return 0


def _folder(given: Path | None) -> Path:
    from webui.paths import data_dir

    folder = given or data_dir() / "clips"
    if given is not None and not folder.is_dir():
        raise UserError(f"--clips {folder}: there is no such folder")
    return folder


def _clips(folder: Path) -> list[Clip]:
    names = clip_names(folder)
    return [
        Clip(number, name, folder, _truth_in(folder / f"{name}.json")) for number, name in enumerate(names, 1)
    ]


def _truth_in(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        for which in ("believed", "true"):
            play = told["corrected"][which]
            if play is not None:
                _ = f"{play['play']} {play['card']}", int(play["frame"])
        _ = (
            [(one["explanation"], float(one["time_s"]), dict(one["read"])) for one in told["why"]],
            int(told["fps"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{path}: is no clip of a correction") from error
    return dict(told)


def _numbers(words: list[str], most: int) -> list[int]:
    numbers: list[int] = []
    for word in words:
        first, _, last = word.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal() or len(word) > _LONGEST_WORD:
            raise UserError(f"{word}: is no clip's number; they are listed by tarok report")
        chosen = range(int(first), int(last or first) + 1)
        if not chosen or not 1 <= chosen[0] <= chosen[-1] <= most:
            raise UserError(
                f"{word}: the clips have the numbers 1 to {most}" if most else f"{word}: no clips are kept"
            )
        numbers += [number for number in chosen if number not in numbers]
    return numbers


def _line(clip: Clip) -> str:
    corrected = clip.told["corrected"]
    return (
        f"{clip.number:>4}  {clip.name}  {clip.mb:.1f} MB: "
        f"believed {_play(corrected['believed'])}, true {_play(corrected['true'])}"
    )


def _play(play: dict[str, Any] | None) -> str:
    return f"{play['card']} by {play['play']}" if play is not None else "no card"


def _reasons(clip: Clip) -> list[str]:
    """What the reader of plays said, newest last."""
    lines = []
    for one in clip.told["why"]:
        names = ", ".join(f"{card} {100 * float(chance):.0f} %" for card, chance in one["read"].items())
        lines.append(f"{one['time_s']:4.1f} s  {one['explanation']}: {names}")
    return lines or ["the reader said nothing of it"]


def _write_page(folder: Path, clips: list[Clip]) -> Path:
    from vision.lab.bench.mistakes_page import Entry, Section, write_page

    entries = []
    for clip in clips:
        corrected = clip.told["corrected"]
        facts = [
            ("believed", _play(corrected["believed"])),
            ("true", _play(corrected["true"])),
            *(("why", line.strip()) for line in _reasons(clip)),
        ]
        play = corrected["true"] or corrected["believed"]
        pictures = _pictures(clip, play["frame"] if play is not None else 0)
        entries.append(Entry(clip.name, (), tuple(facts), (), pictures, None))
    heading = Section("Clips", "The table before the card came to rest, at rest, and after.", entries)
    return write_page(folder, "What was read wrongly", "\n".join(map(_line, clips)), [heading])


def _pictures(clip: Clip, frame: int) -> tuple[bytes, ...]:
    """JPEGs of the clip around `frame`."""
    import cv2

    from vision.camera.capture import frames

    fps = clip.told["fps"]
    pictures = [one.picture for one in frames(str(clip.folder / f"{clip.name}.avi"))]
    places = [min(max(0, frame + round(after_s * fps)), len(pictures) - 1) for after_s in _SHOWN_S]
    return tuple(cv2.imencode(".jpg", pictures[place])[1].tobytes() for place in dict.fromkeys(places))


def _pack(out: Path, clips: list[Clip]) -> None:
    """Write the chosen clips and a page of them into the ZIP file `out`. Raises UserError."""
    if out.suffix.lower() != ".zip":
        raise UserError(f"--out {out}: must end in .zip")
    with told_as(UserError, f"--out {out}"), tempfile.TemporaryDirectory(prefix="tarok-report-") as folder:
        page = Path(folder) / "page"
        _write_page(page, clips)
        draft = Path(folder) / "report.zip"
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
            for clip in clips:
                for end in (".avi", ".json"):
                    archive.write(clip.folder / f"{clip.name}{end}", f"{clip.name}{end}")
            for path in sorted(page.iterdir()):
                archive.write(path, f"page/{path.name}")
        replace_file(out, draft.read_bytes(), mode=PUBLIC)
