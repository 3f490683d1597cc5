"""Who may do what at the club's server. A route that is missing here is refused to everybody."""

from enum import IntEnum
from typing import Final

from tracker.catalogue import msgid


class ClubRole(IntEnum):
    """What a browser may do; each role may do what those before it may."""

    STRANGER = 0
    WALL = 1
    """A screen that shows the tables."""
    PLAYER = 2
    ARBITER = 3
    """Sees the flags that wait, and enters results of a tournament."""
    HOST = 4
    """Lets tables join, and runs tournaments."""
    ADMIN = 5
    """Lets people in, merges and erases them, and reads the trail."""


ROLE_NAMES: Final = {
    ClubRole.WALL: msgid("screen"),
    ClubRole.PLAYER: msgid("player"),
    ClubRole.ARBITER: msgid("arbiter"),
    ClubRole.HOST: msgid("host"),
    ClubRole.ADMIN: msgid("club admin"),
}
TABLES_ONLY: Final = frozenset({"api.join", "api.places", "api.events", "api.round_to_play"})
"""The routes for tables, which have a key and no cookie."""
_ROUTES: Final = {
    ClubRole.STRANGER: (
        "static", "choose_language", "source.about", "source.archive", "source.licence_text",
        "joining.invitation", "joining.join", "joining.link", "joining.follow", *TABLES_ONLY,
    ),
    ClubRole.WALL: (
        "wall.wall", "wall.state", "wall.stream", "joining.me", "joining.leave",
        "tournaments.tournaments", "tournaments.tournament", "tournaments.on_the_wall",
    ),
    ClubRole.PLAYER: (
        "people.people", "people.person", "joining.sit",
        "evenings.evenings", "evenings.evening", "evenings.evening_csv", "evenings.evening_json",
        "seasons.seasons", "seasons.season", "seasons.standings_csv", "seasons.standings_pdf",
        "ledger.ledger", "tournaments.results_csv", "tournaments.results_json",
        "tournaments.final_standings",
        "confirming.propose", "confirming.answer",
    ),
    ClubRole.ARBITER: ("evenings.flags", "tournaments.result"),
    ClubRole.HOST: (
        "tables.tables", "tables.new_code", "tables.remove", "ledger.ledger_csv", "ledger.ledger_json",
        "bin.deleted", "bin.table",
        "tournaments.enter", "tournaments.leave", "tournaments.present", "tournaments.rules",
        "tournaments.draw", "tournaments.publish",
        "tournaments.withdraw", "tournaments.places", "tournaments.lists",
        "tournaments.attach", "clock.length", "clock.turn",
        "confirming.adjust", "confirming.take_back",
    ),
    ClubRole.ADMIN: (
        "people.merge", "people.tell_apart", "people.give_seat", "people.erase",
        "admin.admin", "admin.new_link", "admin.change", "admin.trail", "admin.delete_evening",
        "seasons.make", "seasons.delete", "tournaments.make", "tournaments.delete", "bin.evening", "bin.tournament",
    ),
}  # fmt: skip
NEEDED_CLUB_ROLE: Final = {endpoint: role for role, endpoints in _ROUTES.items() for endpoint in endpoints}
"""The role that each route needs, by its endpoint."""


def club_may(role: ClubRole, endpoint: str | None) -> bool:
    """Whether `role` may use the route with this endpoint; nobody may use a route that is not listed."""
    needed = NEEDED_CLUB_ROLE.get(endpoint or "")
    return needed is not None and role >= needed
