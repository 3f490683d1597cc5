"""What belongs to the club's running server: its database, its members, and the like, one of each."""

from dataclasses import dataclass, field
from typing import Final

from flask import Flask, current_app
from markupsafe import Markup
from sqlalchemy import Engine

from webui.club.board import Board
from webui.club.intake import Intake
from webui.club.members import Members
from webui.serving.addresses import OwnHosts

_PARTS: Final = "tarok club"


@dataclass
class ClubParts:
    """What the application of a club has. `hosts` are the names that it answers to.

    `told` has what the next page of a member says once, by his id; `club_names` what the clubs are
    called, by their numbers; `invitations` when the code of an address and a club was drawn (monotonic, s) and
    what it looks like.
    """

    engine: Engine
    members: Members
    board: Board
    intake: Intake
    hosts: OwnHosts
    told: dict[str, tuple[str, ...]] = field(default_factory=dict)
    club_names: dict[int, str] = field(default_factory=dict)
    invitations: dict[tuple[str, int], tuple[float, Markup]] = field(default_factory=dict)


def give_club_parts(app: Flask, parts: ClubParts) -> None:
    """Give `app` what it has."""
    app.extensions[_PARTS] = parts


def club_parts(app: Flask | None = None) -> ClubParts:
    """What `app` has; without one, what the application has that answers this request."""
    found = (app or current_app).extensions[_PARTS]
    assert isinstance(found, ClubParts)
    return found
