"""What every page of the club's server needs: the club asked for, its database, its templates."""

import json
import secrets
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Response, current_app, g, jsonify, redirect, render_template, request
from sqlalchemy import Engine, insert, select

from tracker.reader import SessionFileError, parsed
from webui.club.board import Board
from webui.club.intake import Intake
from webui.club.members import Member, Members
from webui.club.parts import club_parts
from webui.club.roles import ClubRole, club_may
from webui.club.schema import CLUBS, TRAIL, now_s
from webui.games.pages import PAGES
from webui.serving.addresses import lan_addresses
from webui.serving.requests import Answer
from webui.texts import language, language_names
from webui.version import version

GAME_TITLES: Final = {name: page.title for name, page in PAGES.items()}
"""What the games are called."""


def engine() -> Engine:
    """The club's database."""
    return club_parts().engine


def members() -> Members:
    """Who has joined."""
    return club_parts().members


def board() -> Board:
    """What changed at the tables."""
    return club_parts().board


def intake() -> Intake:
    """What takes in the events of the tables."""
    return club_parts().intake


def member() -> Member:
    """Who sends this request; its route needs a role."""
    assert isinstance(g.member, Member)
    return g.member


def club_name(club: int) -> str:
    """What the club with that number is called; that never changes."""
    names = club_parts().club_names
    if club not in names:
        with engine().begin() as connection:
            names[club] = str(connection.execute(select(CLUBS.c.name).where(CLUBS.c.id == club)).scalar_one())
    return names[club]


def address_for_others() -> str:
    """The server's address for phones and card tables, without a slash at its end.

    A page that was asked for on the server's own machine by a name that means nothing elsewhere has its address in the
    local network.
    """
    asked = urlsplit(request.url_root)
    here = asked.hostname in ("localhost", "127.0.0.1", "::1")
    found = lan_addresses()[:1] if here else []
    port = f":{asked.port}" if asked.port else ""
    return f"{asked.scheme}://{found[0]}{port}" if found else request.host_url.rstrip("/")


def note_trail(club: int, by: str, what: str, **about: int | str) -> None:
    """Write down who did what: a sentence of the catalogue, and what fills its places; no person's name."""
    with engine().begin() as connection:
        row = {"club": club, "at": now_s(), "by": by, "what": what, "about": json.dumps(about)}
        connection.execute(insert(TRAIL).values(row))


def show(template: str, **values: object) -> str:
    """A page of the club's."""
    role = g.get("role", ClubRole.STRANGER)
    club = club_name(g.member.club) if g.get("member") is not None else ""
    return render_template(
        template,
        lang=language(),
        languages=language_names(),
        token=g.get("token", ""),
        once=secrets.token_hex(12),
        release=version(),
        build=current_app.config["BUILD"],
        role=role,
        may=partial(club_may, role),
        club=club,
        **values,
    )


def done(path: str) -> Answer:
    """Answer with the page to go on with: JSON for the page's script, or a redirect."""
    if request.accept_mimetypes.best == "application/json":
        return jsonify(go=path)
    answer = redirect(path, 303)
    assert isinstance(answer, Response)
    return answer


def json_body() -> Any:
    """The JSON value that was sent; None where it is none."""
    try:
        return parsed(request.get_data())
    except SessionFileError:
        return None


def tell_next(words: tuple[str, ...]) -> None:
    """Keep `words` for the next page that this member opens: they are shown once, and stand in no address."""
    club_parts().told[member().id] = words


def told_before() -> tuple[str, ...]:
    """What `tell_next` kept; () for nothing."""
    return club_parts().told.pop(member().id, ())
