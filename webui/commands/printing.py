"""`tarok print`: write the deck, a mat, the rules or score sheets as PDF files, for a printer or a print shop."""

import argparse
from contextlib import closing
from pathlib import Path

from tracker.cards import CARDS
from tracker.catalogue import languages
from tracker.events import SessionOpened
from tracker.files import PUBLIC, replace_file
from tracker.games import ALL_RULE_SETS, game_of_rules, rule_set, rules_named
from tracker.rule_sets import Options
from tracker.store import EventStore
from vision.lab.rendering.drawn_deck import DRAWN_BACKS
from webui.errors import UserError, require_within, told_as
from webui.paths import database_of
from webui.printing.pages import (
    PAPERS,
    blank_score_sheet,
    deck_pages,
    rules_page,
    single_cards,
    single_pictures,
    table_mat,
)
from webui.texts import DEFAULT_LANGUAGE, DOMAIN, TRANSLATIONS

_COLOURS = dict(zip(("blue", "red"), DRAWN_BACKS, strict=True))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok print`."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    deck = kinds.add_parser("deck", help="the program's own 78 cards, 61 x 112 mm with 3 mm of bleed")
    deck.add_argument("--back", choices=_COLOURS, default="blue", help="colour of the backs (default: blue)")
    deck.add_argument(
        "--singles",
        action="store_true",
        help="each card on a page of its own, or pictures where OUT is a folder",
    )
    deck.add_argument(
        "--dpi", type=int, default=600, help="resolution of pictures, 150 to 1200 (default: 600)"
    )
    _paper(deck, "a4", "a4", "a3", "letter")
    table = kinds.add_parser("mat", help="a mat for the table: trick, piles, seats and pots")
    _paper(table, "a2", "a1", "a2")
    rules = kinds.add_parser("rules", help="a game's rules on one page")
    rules.add_argument(
        "--rules",
        metavar="NAME",
        help=f"{', '.join(ALL_RULE_SETS)}, or a club's TOML file (default: the rules of the last evening)",
    )
    rules.add_argument("--db", type=Path, help="the evenings' database (default: in your data folder)")
    _paper(rules, "a4", "a4", "letter")
    scores = kinds.add_parser("scores", help="a score sheet to write an evening on")
    scores.add_argument(
        "--players", type=int, choices=(3, 4, 5), default=4, help="how many play (default: 4)"
    )
    scores.add_argument(
        "--rules",
        metavar="NAME",
        default="pagat-2024",
        help="a rule set or a club's TOML file, which names the game (default: Danish Tarok)",
    )
    _paper(scores, "a4", "a4", "letter")
    for kind in (table, rules, scores):
        kind.add_argument(
            "--language",
            choices=languages(TRANSLATIONS, DOMAIN),
            default=DEFAULT_LANGUAGE,
            help=f"language of the print (default: {DEFAULT_LANGUAGE})",
        )
    for kind in (deck, table, rules, scores):
        kind.add_argument("out", type=Path, metavar="OUT", help="the PDF file to write")


def _paper(parser: argparse.ArgumentParser, default: str, *sizes: str) -> None:
    assert set(sizes) <= set(PAPERS)
    parser.add_argument(
        "--paper", choices=sizes, default=default, help=f"size of the paper (default: {default})"
    )


def run(args: argparse.Namespace) -> int:
    """Write the file; it replaces an older one of its name."""
    if args.kind == "deck" and args.singles and args.out.suffix.lower() != ".pdf":
        require_within(args, "dpi", 150, 1200)
        return _write_pictures(args.out, _COLOURS[args.back], args.dpi)
    with told_as(UserError, args.out):
        replace_file(args.out, _printed(args), mode=PUBLIC)
    measured = args.kind in ("deck", "mat")
    print(f"{args.out}: print it at its actual size, not fitted to the page." if measured else args.out)
    return 0


def _printed(args: argparse.Namespace) -> bytes:
    if args.kind == "mat":
        return table_mat(args.paper, args.language)
    if args.kind == "scores":
        game = game_of_rules(rules_named(args.rules)[0]).name
        return blank_score_sheet(game, args.paper, args.players, args.language)
    if args.kind == "rules":
        base, options = rules_named(args.rules) if args.rules else _rules_of_last(args.db)
        return rules_page(game_of_rules(base).name, rule_set(base, options), args.paper, args.language)
    back = _COLOURS[args.back]
    return single_cards(back) if args.singles else deck_pages(back, args.paper)


def _rules_of_last(database: Path | None) -> tuple[str, Options]:
    """The rules of the table's last evening. Raises UserError if there was none."""
    path = database_of(database)
    if path.is_file():
        with closing(EventStore(path)) as store:
            number = store.newest()
            opened = store.events(session=number)[0].event if number is not None else None
        if isinstance(opened, SessionOpened):
            return opened.rules, opened.options
    raise UserError(f"which rules? No evening was played yet; say --rules with {', '.join(ALL_RULE_SETS)}")


def _write_pictures(folder: Path, back: str, dpi: int) -> int:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in single_pictures(back, dpi).items():
            replace_file(folder / name, picture, mode=PUBLIC)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from None
    print(f"{folder}: {len(CARDS) + 1} pictures at {dpi} dpi.")
    return 0
