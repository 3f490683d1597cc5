"""A page with pictures of what was read wrongly: a folder that any browser shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from vision.errors import VisionError

MOST = 300
"""The most entries of a section that are shown. The page says how many more there are."""

_STYLE = """
:root { --ink: #2a211a; --soft: #6b5c4c; --rule: #ddcfb2; --paper: #fbf6ea; --red: #a4262c; --amber: #8a5a00; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.2rem 4rem; background: #f1e8d3; color: var(--ink);
  font: 16px/1.45 "Source Sans 3", "Segoe UI", system-ui, sans-serif; }
h1, h2 { font-family: Fraunces, Georgia, serif; font-weight: 600; line-height: 1.15; }
h1 { margin: 0 0 .8rem; } h2 { margin: 2.2rem 0 .8rem; } h2 small { color: var(--soft); font-weight: 400; }
pre { background: var(--paper); border: 1px solid var(--rule); border-radius: .6rem; padding: .9rem 1.1rem;
  white-space: pre-wrap; font-size: .84rem; line-height: 1.4; }
article { background: var(--paper); border: 1px solid var(--rule); border-radius: .6rem;
  padding: .9rem; margin-bottom: 1rem; }
article h3 { margin: 0 0 .5rem; font-size: 1.05rem; }
.tag { font-size: .74rem; font-weight: 600; padding: .1rem .5rem; border-radius: 1rem; margin-left: .4rem;
  background: #fbe9e4; color: var(--red); vertical-align: .1rem; }
.tag.asked { background: #fdf0cf; color: var(--amber); }
.row { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(15rem, 19rem); gap: 1rem; align-items: start; }
.row img { display: block; max-width: 100%; border-radius: .35rem; }
.row a { display: block; margin-bottom: .5rem; }
.none { color: var(--soft); border: 1px dashed var(--rule); border-radius: .35rem; padding: 1rem; width: 11.4rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem .8rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
dd table { border-collapse: collapse; font-weight: 400; }
dd td { padding: 0 .8rem .1rem 0; font-variant-numeric: tabular-nums; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.4rem, 1fr)); gap: .8rem; }
figure { margin: 0; background: var(--paper); border: 1px solid var(--rule); border-radius: .5rem;
  padding: .5rem; font-size: .84rem; }
figure img { display: block; height: 8.8rem; width: auto; max-width: 100%; margin: 0 auto .3rem; border-radius: .3rem; }
figure img.card { width: 4.8rem; }
figure b { display: block; }
@media (max-width: 60rem) { .row { grid-template-columns: 1fr; } }
"""


@dataclass(frozen=True)
class Entry:
    """A mistake in full: its frames and its card (JPEG, or none), and facts as (label, text).

    `tags` are short words beside the title; `reading` the likeliest names with their probabilities. `card` is None
    where no card would be shown, and b"" where one was missed.
    """

    title: str
    tags: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    reading: tuple[tuple[str, float], ...]
    frames: tuple[bytes, ...]
    card: bytes | None


@dataclass(frozen=True)
class Thumb:
    """A mistake in brief: a picture (JPEG) and two lines; a `card` is shown in a card's proportions."""

    picture: bytes
    title: str
    text: str
    card: bool = True


@dataclass(frozen=True)
class Section:
    """A heading, what it means, and its mistakes, in full or in brief."""

    heading: str
    meaning: str
    entries: Sequence[Entry | Thumb]


def check_page(folder: Path | None) -> None:
    """Raise `VisionError` when no page can be written to `folder`. Called before the work begins."""
    if folder is not None and folder.exists() and not folder.is_dir():
        raise VisionError(f"--page {folder}: is not a folder")
    if folder is not None and not folder.resolve().parent.is_dir():
        raise VisionError(f"--page {folder}: there is no folder {folder.parent}")


def write_page(folder: Path, title: str, intro: str, sections: Sequence[Section]) -> Path:
    """Write `folder`/index.html and its pictures; `intro` is shown as it is spaced. Returns the page's path.

    Raises `VisionError` when it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        body = [_section(folder, number, section) for number, section in enumerate(sections)]
        page = folder / "index.html"
        page.write_text(
            f"<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>{escape(title)}</title><style>{_STYLE}</style>\n"
            f"<h1>{escape(title)}</h1>\n<pre>{escape(intro)}</pre>\n" + "\n".join(body) + "\n</html>\n",
            encoding="utf-8",
        )
    except OSError as error:
        raise VisionError(f"--page {folder}: {error.strerror}") from error
    return page


def _section(folder: Path, number: int, section: Section) -> str:
    shown = section.entries[:MOST]
    lines = [f"<section><h2>{escape(section.heading)} <small>{len(section.entries)}</small></h2>"]
    lines.append(f"<p>{escape(section.meaning)}</p>")
    thumbs = [entry for entry in shown if isinstance(entry, Thumb)]
    for at, entry in enumerate(shown):
        if isinstance(entry, Entry):
            lines.append(_entry(folder, f"{number}-{at}", entry))
    if thumbs:
        lines.append("<div class=small>")
        lines += [_thumb(folder, f"{number}-{at}", thumb) for at, thumb in enumerate(thumbs)]
        lines.append("</div>")
    if len(section.entries) > len(shown):
        lines.append(f"<p>and {len(section.entries) - len(shown)} more</p>")
    return "\n".join([*lines, "</section>"])


def _entry(folder: Path, name: str, entry: Entry) -> str:
    tags = "".join(
        f"<span class='tag{' asked' if t == 'doubtful' else ''}'>{escape(t)}</span>" for t in entry.tags
    )
    frames, card = "", "" if entry.card is None else "<p class=none>no card was followed here</p>"
    for at, frame in enumerate(entry.frames):
        path = _save(folder, f"{name}-frame{at}.jpg", frame)
        frames += f"<a href='{path}'><img src='{path}' alt='the frame' loading=lazy></a>"
    if entry.card:
        path = _save(folder, f"{name}-card.jpg", entry.card)
        card = f"<img src='{path}' alt='the card' width=183 height=336>"
    facts = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in entry.facts)
    if entry.reading:
        rows = "".join(
            f"<tr><td>{escape(card)}</td><td>{100 * p:.1f} %</td></tr>" for card, p in entry.reading
        )
        facts += f"<dt>votes</dt><dd><table>{rows}</table></dd>"
    return (
        f"<article><h3>{escape(entry.title)}{tags}</h3>"
        f"<div class=row><div>{frames}</div><div>{card}</div><dl>{facts}</dl></div></article>"
    )


def _thumb(folder: Path, name: str, thumb: Thumb) -> str:
    picture = ""
    if thumb.picture:
        path = _save(folder, f"{name}.jpg", thumb.picture)
        shape = " class=card" if thumb.card else ""
        picture = f"<a href='{path}'><img{shape} src='{path}' alt='' loading=lazy></a>"
    return f"<figure>{picture}<b>{escape(thumb.title)}</b>{escape(thumb.text)}</figure>"


def _save(folder: Path, name: str, picture: bytes) -> str:
    (folder / name).write_bytes(picture)
    return name
