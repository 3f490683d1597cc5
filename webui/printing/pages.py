"""Printed pages as PDF files; lengths are mm."""

import dataclasses
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

from tracker.cards import CARDS
from tracker.catalogue import msgid, read_catalogue
from tracker.rule_sets import Rules
from webui.errors import UserError
from webui.games.pages import PAGES
from webui.texts import DOMAIN, TRANSLATIONS, by_name

TEMPLATES: Final = Path(__file__).parent
PAPERS: Final = {
    "a4": (210, 297),
    "a3": (297, 420),
    "a2": (420, 594),
    "a1": (594, 841),
    "letter": (216, 279),
}
"""Papers by name: width and height in mm, upright."""
TRIM: Final = (61, 112)
"""Width and height of a cut card in mm."""
BLEED: Final = 3
_MARKS: Final = 4  # mm for the crop marks on each side
_SCORES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "danish": (
        "scores",
        {
            "title": msgid("Tarok evening"),
            "date": msgid("Date"),
            "rules": msgid("Rules"),
            "number": msgid("No."),
            "dealer": msgid("Dealer"),
            "king_pot": msgid("King pot"),
            "pagat_pot": msgid("Pagat pot"),
            "remarks": msgid("Ultimo, bagud, fines"),
            "sum": msgid("Sum"),
            "balance": msgid("A row's chips, those in the pots included, add up to 0."),
        },
    ),
    "french": (
        "scores_french",
        {
            "title": msgid("French Tarot"),
            "date": msgid("Date"),
            "club": msgid("Club"),
            "number": msgid("No."),
            "taker": msgid("Taker"),
            "contract": msgid("Contract"),
            "partner": msgid("Called, partner"),
            "bouts": msgid("Bouts"),
            "points": msgid("Points"),
            "added": msgid("Petit, handful, slam"),
            "sum": msgid("Sum"),
            "balance": msgid("A hand's points add up to 0; a penalty is one player's alone."),
        },
    ),
}
"""The template and the words of a score sheet, by the game."""


def deck_pages(back: str, paper: str) -> bytes:
    """A PDF of fronts and backs in turn, for printing on both sides and turning over the long edge.

    `back` is one of `DRAWN_BACKS`, `paper` one of `PAPERS`. Raises UserError.
    """
    width, height = PAPERS[paper]
    columns = int((width - 2 * _MARKS) // (TRIM[0] + 2 * BLEED))
    rows = int((height - 2 * _MARKS) // (TRIM[1] + 2 * BLEED))
    layout = {"paper": (width, height), "columns": columns, "rows": rows, "alone": False}
    return _pdf("deck", *_deck_files(back, layout))


def single_cards(back: str) -> bytes:
    """A PDF with a page of 67 x 118 mm, bleed included, for each card and for the back. Raises UserError."""
    return _pdf("deck", *_deck_files(back, {"alone": True}))


def single_pictures(back: str, dpi: int) -> dict[str, bytes]:
    """A PNG file, bleed included, for each card and for the back, by file name. Raises UserError."""
    with TemporaryDirectory() as folder:
        main = _laid_out(Path(folder), "deck", *_deck_files(back, {"alone": True}))
        pages = _typst().compile(
            str(main), root=folder, format="png", ppi=float(dpi), ignore_system_fonts=True
        )
    return {f"{name}.png": page for name, page in zip((*CARDS, back), pages, strict=True)}


def table_mat(paper: str, language: str) -> bytes:
    """A PDF of the mat for the table, on `paper` on its side. Raises UserError."""
    height, width = PAPERS[paper]
    words = {
        "trick": msgid("Trick"),
        "pile": msgid("Tricks won"),
        "seat": msgid("Seat"),
        "king_pot": msgid("King pot"),
        "pagat_pot": msgid("Pagat pot"),
    }
    return _pdf("mat", {"paper": (width, height), "words": _said(words, language)})


def blank_score_sheet(game: str, paper: str, players: int, language: str) -> bytes:
    """A PDF of an empty score sheet of `game` for so many `players`, on `paper` on its side. Raises UserError."""
    if game not in _SCORES:
        raise UserError(f"there is no score sheet for {PAGES[game].title} to print yet")
    height, width = PAPERS[paper]
    template, words = _SCORES[game]
    data = {"paper": (width, height), "players": players, "rows": 20, "words": _said(words, language)}
    return _pdf(template, data)


def seating_lists(
    rounds: Sequence[tuple[Sequence[Sequence[str]], Sequence[str]]], first: int, language: str
) -> bytes:
    """A PDF on A4 of a tournament's `rounds`, the first of which has the number `first`. Raises UserError.

    Each round has its tables, with the names in order, and those who rest. It gets a page; a list of where everybody
    sits follows.
    """
    words = {
        "round": msgid("Round"),
        "table": msgid("Table"),
        "deals": msgid("deals first"),
        "rests": msgid("Rest"),
        "everybody": msgid("Everybody's tables"),
    }
    all_names = {name for tables, resting in rounds for table in [*tables, resting] for name in table}
    names = sorted(all_names, key=by_name)
    at = [{name: place for place, table in enumerate(tables, 1) for name in table} for tables, _ in rounds]
    data = {
        "paper": PAPERS["a4"],
        "first": first,
        "rounds": [
            {"tables": list(map(list, tables)), "resting": list(resting)} for tables, resting in rounds
        ],
        "players": [{"name": name, "tables": [places.get(name) for places in at]} for name in names],
        "words": _said(words, language),
    }
    return _pdf("seating", data)


def season_sheet(name: str, days: str, rows: Sequence[tuple[str, str, str, str]], language: str) -> bytes:
    """A PDF on A4 of the standings of the season `name`, with its `days`. Raises UserError.

    `rows` have place, player, evenings and score.
    """
    head = (msgid("Rank"), msgid("Player"), msgid("Evenings counted"), msgid("Score"))
    return _standings(name, [days], head, rows, language)


def final_list(
    name: str, about: Sequence[str], rows: Sequence[tuple[str, str, str, str, str, str]], language: str
) -> bytes:
    """A PDF on A4 of the final standings of the tournament `name`; `about` are lines below it. Raises UserError.

    `rows` have place, player, rounds, chips, table points and score.
    """
    head = (
        msgid("Rank"), msgid("Player"), msgid("Rounds"), msgid("Chips"), msgid("Points"), msgid("Score"),
    )  # fmt: skip
    return _standings(name, about, head, rows, language)


def _standings(
    name: str, about: Sequence[str], head: Sequence[str], rows: Sequence[Sequence[str]], language: str
) -> bytes:
    said = _said({sentence: sentence for sentence in head}, language)
    data = {
        "paper": PAPERS["a4"], "name": name, "about": list(about), "head": list(said.values()), "rows": rows,
    }  # fmt: skip
    return _pdf("standings", data)


def rules_page(game: str, rules: Rules, paper: str, language: str) -> bytes:
    """A PDF of one page with the rules of `game` as `rules` set them. Raises UserError if `language` has none."""
    template = f"rules_{game}.{language}"
    if not (TEMPLATES / f"{template}.typ").is_file():
        spoken = sorted(path.suffixes[0][1:] for path in TEMPLATES.glob(f"rules_{game}.*.typ"))
        if spoken:
            raise UserError(
                f"the rules of {PAGES[game].title} are printed with --language {' or '.join(spoken)}"
            )
        raise UserError(f"there is no page of the rules of {PAGES[game].title} to print yet")
    words = PAGES[game].game.words
    known = rules.name in words.rule_sources  # a club's own are called as the club calls them
    name = words.rule_set_source(rules.name, language) if known else rules.name
    data = {"paper": PAPERS[paper], "rules": dataclasses.asdict(rules), "name": name}
    return _pdf(template, data)


def _said(words: Mapping[str, str], language: str) -> dict[str, str]:
    say: Callable[[str], str] = read_catalogue(TRANSLATIONS, DOMAIN, language).gettext
    return {key: say(sentence) for key, sentence in words.items()}


def _deck_files(back: str, layout: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The data of a deck's template, and its pictures by file name."""
    # Imported here, because a club's server prints lists and has nothing of the eyes.
    from vision.lab.rendering.drawn_deck import IVORY, drawing

    pictures = {f"{card}.svg": drawing(card) for card in CARDS}
    data = {
        "cards": list(pictures),
        "back": "back.svg",
        "ground": IVORY,
        "trim": TRIM,
        "bleed": BLEED,
        **layout,
    }
    return data, pictures | {"back.svg": drawing(back)}


def _pdf(template: str, data: Mapping[str, Any], pictures: Mapping[str, str] | None = None) -> bytes:
    with TemporaryDirectory() as folder:
        main = _laid_out(Path(folder), template, data, pictures or {})
        pdf: bytes = _typst().compile(str(main), root=folder, ignore_system_fonts=True)
    return pdf


def _laid_out(folder: Path, template: str, data: Mapping[str, Any], pictures: Mapping[str, str]) -> Path:
    """Lay out the template with its data and pictures in `folder`; returns the path to compile."""
    main = folder / "main.typ"
    shutil.copyfile(TEMPLATES / f"{template}.typ", main)
    (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
    for name, text in pictures.items():
        (folder / name).write_text(text, encoding="utf-8")
    return main


def _typst() -> ModuleType:
    try:
        import typst
    except ImportError:
        raise UserError("printing needs typst: pip install 'tarok-table[print]'") from None
    return typst
