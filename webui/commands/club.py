"""`tarok club`: run the club's server, which many tables report to."""

import argparse
from pathlib import Path
from typing import Final

from tracker.catalogue import languages
from tracker.files import PUBLIC, replace_file
from webui.club.plan import Plan, as_rows, plan_text, read_names, read_plan, seats_allowed
from webui.club.seating import EFFORT, MOST_ENTRANTS, MOST_ROUNDS, TABLE_SIZES, SeatingError, measured, seat
from webui.commands.options import port_number
from webui.downloads import as_csv
from webui.errors import UserError, require_within, told_as
from webui.texts import DEFAULT_LANGUAGE, DOMAIN, TRANSLATIONS

_DEFAULT_DB: Final = "postgresql:///tarok"
_LONGEST_CLUB: Final = 60
_MOST_EFFORT: Final = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok club`."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    serve = kinds.add_parser("serve", help="serve the club's pages, and take in what its tables send")
    serve.add_argument("--host", default="0.0.0.0", help="address to listen on (default: the whole network)")
    serve.add_argument("--port", type=port_number, default=8100, help="port to listen on (default: 8100)")
    serve.add_argument(
        "--public", default="", metavar="URL", help="address of a proxy with TLS before the server: https://…"
    )
    link = kinds.add_parser("link", help="print a link that makes one browser the club's admin, once")
    seating = kinds.add_parser("seating", help="draw who sits where in a tournament, round by round")
    who = seating.add_mutually_exclusive_group(required=True)
    who.add_argument("--players", type=int, help="number of players, who are called 1, 2, …")
    who.add_argument("--names", type=Path, metavar="FILE", help="the players' names, one per line")
    seating.add_argument("--rounds", type=int, required=True, help="rounds to draw now")
    seating.add_argument(
        "--played",
        type=Path,
        metavar="PLAN",
        help="a plan whose rounds were played; --names has those who play now",
    )
    seating.add_argument(
        "--keep", type=int, metavar="N", help="only the first N rounds of --played were played"
    )
    seating.add_argument(
        "--rules", default="dtf-2011", help="the game's rules, which say how many a table has"
    )
    seating.add_argument(
        "--out", type=Path, metavar="PLAN", help="write the plan to this file (JSON, or .csv)"
    )
    seating.add_argument(
        "--pdf", type=Path, metavar="FILE", help="write lists to print (needs the extra print)"
    )
    seating.add_argument(
        "--language",
        choices=languages(TRANSLATIONS, DOMAIN),
        default=DEFAULT_LANGUAGE,
        help="language of the lists (default: da)",
    )
    seating.add_argument(
        "--size", type=int, choices=TABLE_SIZES, default=4, help="players at most tables (default: 4)"
    )
    seating.add_argument("--seed", type=int, default=0, help="another one gives another draw (default: 0)")
    seating.add_argument(
        "--effort", type=int, default=EFFORT, help=f"changes that are tried (default: {EFFORT})"
    )
    for kind, missing in ((serve, ", or a new one"), (link, "")):
        kind.add_argument(
            "--db",
            default=_DEFAULT_DB,
            metavar="URL",
            help=f"a database of PostgreSQL or SQLite (default: {_DEFAULT_DB})",
        )
        kind.add_argument(
            "--club", metavar="NAME", help=f"the club's name (default: the club that is kept there{missing})"
        )


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted, print a link, or draw a tournament."""
    if args.kind == "seating":
        return _draw(args)
    try:
        from webui.club.members import Members, club_called
        from webui.club.schema import open_database
        from webui.club.serving import serve_club
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] not in ("sqlalchemy", "alembic", "psycopg"):
            raise
        raise UserError("the club's server needs the extra club: pip install 'tarok-table[club]'") from None
    from webui.club.roles import ClubRole

    if args.club is not None and not (0 < len(args.club) <= _LONGEST_CLUB and args.club.isprintable()):
        raise UserError(f"--club {args.club[:20]!r}: a club's name has 1 to {_LONGEST_CLUB} characters")
    engine = open_database(args.db)
    club = club_called(engine, args.club or "", new=args.kind == "serve")
    if args.kind == "link":
        word = Members(engine).new_link(club, ClubRole.ADMIN)
        print(f"Put this behind the server's address, within seven days: /link/{word}")
        return 0
    serve_club(engine, club, args.host, args.port, public=args.public)
    return 0


def _draw(args: argparse.Namespace) -> int:
    for option, most in (("rounds", MOST_ROUNDS), ("effort", _MOST_EFFORT), ("players", MOST_ENTRANTS)):
        require_within(args, option, 1, most)
    before = read_plan(args.played) if args.played else Plan((), ())
    require_within(args, "keep", 0, len(before.rounds))
    played = before.rounds[: args.keep]
    names = read_names(args.names) if args.names else [str(number) for number in range(1, args.players + 1)]
    everybody = tuple(dict.fromkeys((*before.names, *names)))
    place = {name: at for at, name in enumerate(everybody)}
    allowed = seats_allowed(args.rules)
    preferred = args.size if args.size in allowed else min(allowed, key=lambda size: abs(size - args.size))
    try:
        more = seat(
            [place[name] for name in names],
            args.rounds,
            preferred=preferred,
            allowed=allowed,
            played=played,
            seed=args.seed,
            effort=args.effort,
        )
    except SeatingError as error:
        raise UserError(str(error)) from None
    plan = Plan(everybody, (*played, *more))
    _write(args, plan, len(played))
    wide = max(map(len, names))
    for number in range(len(played), len(plan.rounds)):
        tables, resting = plan.called(number)
        said = "   ".join(" ".join(f"{name:>{wide}}" for name in table) for table in tables)
        rest = f"   rest: {', '.join(resting)}" if resting else ""
        print(f"Round {number + 1}   {said}{rest}")
    found = measured(plan.rounds)
    print(f"Pairs that meet more than once: {found.twice}.")
    print(f"Repeats: {found.repeats}, a third meeting counted twice; no plan has fewer than {found.bound}.")
    print(f"The first at each table deals first: everybody {found.deals[0]} to {found.deals[1]} times.")
    return 0


def _write(args: argparse.Namespace, plan: Plan, first: int) -> None:
    if args.out:
        text = as_csv(as_rows(plan), ",") if args.out.suffix.lower() == ".csv" else plan_text(plan)
        with told_as(UserError, f"--out {args.out}"):
            replace_file(args.out, text.encode(), mode=PUBLIC)
    if args.pdf:
        from webui.printing.pages import seating_lists

        rounds = [plan.called(number) for number in range(first, len(plan.rounds))]
        with told_as(UserError, f"--pdf {args.pdf}"):
            replace_file(args.pdf, seating_lists(rounds, first + 1, args.language), mode=PUBLIC)
