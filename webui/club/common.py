"""What every page of the club's server needs: its database, its members, its templates."""

import json
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Response, current_app, g, render_template, request
from sqlalchemy import Engine, insert, select

from tracker.reader import SessionFileError, parsed
from webui.club.board import Board
from webui.club.intake import Intake
from webui.club.members import Member, Members
from webui.club.parts import club_parts
from webui.club.roles import ClubRole, club_may
from webui.club.schema import CLUBS, TRAIL, now_s
from webui.downloads import pdf_file
from webui.errors import EntryError, UserError
from webui.games.pages import PAGES
from webui.serving.addresses import HERE, lan_addresses
from webui.texts import language, language_names
from webui.version import version

GAME_TITLES: Final = {name: page.title for name, page in PAGES.items()}
"""The titles of the games, by their names."""


def engine() -> Engine:
    """The club's database."""
    return club_parts().engine


def members() -> Members:
    """The members and tables of the clubs."""
    return club_parts().members


def board() -> Board:
    """The news of the tables."""
    return club_parts().board


def intake() -> Intake:
    """The intake of the tables' events."""
    return club_parts().intake


def member() -> Member:
    """Who sends this request. Only for routes that need a role."""
    assert isinstance(g.member, Member)
    return g.member


def club_name(club: int) -> str:
    """The name of the club with this number, which never changes."""
    names = club_parts().club_names
    if club not in names:
        with engine().begin() as connection:
            names[club] = str(connection.execute(select(CLUBS.c.name).where(CLUBS.c.id == club)).scalar_one())
    return names[club]


def _asked_here() -> bool:
    """Whether this request was sent to a name that means nothing on another machine, such as localhost."""
    return urlsplit(request.url_root).hostname in HERE


def address_for_others() -> str:
    """The server's address for phones and card tables, without a slash at its end.

    Where it was asked by a name that means nothing elsewhere, it is the server's address in the local network. A
    server that listens to its own machine alone has no other.
    """
    asked = urlsplit(request.url_root)
    found = lan_addresses()[:1] if _asked_here() and not club_parts().only_here else []
    port = f":{asked.port}" if asked.port else ""
    return f"{asked.scheme}://{found[0]}{port}" if found else request.host_url.rstrip("/")


def note_trail(club: int, by: str, what: str, **about: int | str) -> None:
    """Note in the trail that `by` did `what`: a sentence of the catalogue whose places `about` fills, without names."""
    with engine().begin() as connection:
        row = {"club": club, "at": now_s(), "by": by, "what": what, "about": json.dumps(about)}
        connection.execute(insert(TRAIL).values(row))


def show(template: str, **values: object) -> str:
    """A page of the club, which `template` makes of `values`."""
    role = g.get("role", ClubRole.STRANGER)
    club = club_name(g.member.club) if g.get("member") is not None else ""
    return render_template(
        template,
        layout="club/base.html",
        lang=language(),
        languages=language_names(),
        token=g.get("token", ""),
        once=secrets.token_hex(12),
        release=version(),
        build=current_app.config["BUILD"],
        role=role,
        may=partial(club_may, role),
        club=club,
        only_here=club_parts().only_here and _asked_here(),
        **values,
    )


def list_file(printed: Callable[[], bytes], name: str) -> Response:
    """A list that is `printed` as a PDF, as a file called `name`. Raises EntryError where the server cannot print."""
    try:
        return pdf_file(printed(), name)
    except UserError:
        raise EntryError("This server cannot print lists; whoever runs it can add that.", 501) from None


def json_body() -> Any:
    """The JSON value that was sent; None if it is no JSON."""
    try:
        return parsed(request.get_data())
    except SessionFileError:
        return None


def tell_next(words: tuple[str, ...]) -> None:
    """Keep `words` for the next page that this member opens. They are shown once, and no address has them."""
    club_parts().told[member().id] = words


def told_before() -> tuple[str, ...]:
    """The words that `tell_next` kept; () for none."""
    return club_parts().told.pop(member().id, ())
