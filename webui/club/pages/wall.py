"""The wall: every table of the club at a glance, as it is now."""

import time
from functools import lru_cache, partial

import segno
from flask import Blueprint, Flask, Response, g, jsonify, request
from flask_babel import force_locale
from markupsafe import Markup

from webui.club.board import Board
from webui.club.common import address_for_others, board, engine, member, members, show
from webui.club.members import Members
from webui.club.pages.joining import new_invitation
from webui.club.parts import club_parts
from webui.club.results import wall_tables
from webui.club.roles import ClubRole, club_may
from webui.club.tournament import tournament_of_today_query
from webui.serving.requests import application, see_other, streamed
from webui.texts import language

blueprint = Blueprint("wall", __name__)


@blueprint.get("/")
def wall() -> str | Response:
    """The page of all tables; on a screen that of the tournament which is played, if there is one."""
    with engine().begin() as connection:
        today = connection.execute(tournament_of_today_query(member().club)).first()
    if g.role is ClubRole.WALL and today is not None:
        return see_other(f"/tournaments/{today.id}/wall")
    version, html, menu = _tables(application(), member().club, language(), g.role)
    return show(
        "club/wall.html",
        version=version,
        tables=html,
        today=today,
        menu=menu,
        code=invitation_code(member().club),
    )


_MINUTE_S = 60
_QUIET = 4
"""Width of the white edge around a code, in modules, without which phones do not find it."""


def invitation_code(club: int) -> Markup:
    """The code of a link by which a phone joins. Drawing it is most of a page's work, so a code lasts a minute."""
    drawn, root = club_parts().invitations, address_for_others()
    now = time.monotonic()
    made = drawn.get((root, club))
    if made is None or now - made[0] > _MINUTE_S:
        link = f"{root}/invitation/{new_invitation(club)}"
        made = now, Markup(segno.make(link, error="m").svg_inline(border=_QUIET, omitsize=True))
        drawn[root, club] = made
    return made[1]


@blueprint.get("/state")
def state() -> Response:
    """The wall's region as JSON; no region if nothing has changed since `since`."""
    version, html, menu = _tables(application(), member().club, language(), g.role)
    newer = request.args.get("since", type=int) != version
    return jsonify(version=version, regions={"tables": html} if newer else {}, menu=menu)


@blueprint.get("/stream")
def stream() -> Response:
    """Server-sent events: the wall's region whenever it has changed."""
    since = request.args.get("since", type=int)
    return streamed(WallNews(application(), board(), members(), member().id, language(), since))


def _tables(app: Flask, club: int, lang: str, role: ClubRole) -> tuple[int, str, str]:
    """The version of the club's tables, the region that shows them, and which page it is of.

    If that page is another by now, since the role has changed or a tournament is played, it is loaded anew.
    """
    version = club_parts(app).board.version_of(club)
    return version, *_drawn(app, club, lang, role, version)


@lru_cache(maxsize=256)
def _drawn(app: Flask, club: int, lang: str, role: ClubRole, version: int) -> tuple[str, str]:
    with app.app_context(), force_locale(lang):
        with engine().begin() as connection:
            rows = wall_tables(connection, club)
            today = connection.execute(tournament_of_today_query(club)).first()
        template = app.jinja_env.get_template("club/tables.html")
        html = template.render(rows=rows, lang=lang, role=role, may=partial(club_may, role)).strip()
        return html, f"{role.name} {today.id}" if today is not None else role.name


class WallNews:
    """The news of the club's tables for one page in the language `lang`, which shows the version `since`."""

    def __init__(
        self, app: Flask, tables: Board, members: Members, browser: str, lang: str, since: int | None
    ) -> None:
        self._app = app
        self._tables = tables
        self._members = members
        self._browser = browser
        self._lang = lang
        self._version = since
        self._begun = False

    def message(self) -> str | None:
        """The tables as they are now, as an event; None if nothing has changed."""
        # A removed browser is only told that there is news. Its page then asks, and is refused.
        own = self._members.member(self._browser)
        role = own.role if own is not None else ClubRole.STRANGER
        version, html, menu = (
            _tables(self._app, own.club, self._lang, role) if own is not None else (0, "", role.name)
        )
        if self._begun and version == self._version:
            return None
        regions = {"tables": html} if own is not None and version != self._version else {}
        self._version, self._begun = version, True
        data = self._app.json.dumps({"version": version, "regions": regions, "menu": menu})
        return f"event: state\ndata: {data}\n\n"
