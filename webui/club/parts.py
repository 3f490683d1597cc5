"""The parts of the club's running server, such as its database and its members: one of each."""

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
    """The parts of a club's application. `hosts` are the names that it answers to.

    - `only_here`: the server listens to its own machine alone.
    - `told`: the words that the next page of a member shows once, by the member's id.
    - `club_names`: the names of the clubs, by their numbers.
    - `invitations`: the drawn code of an address and a club, with when it was drawn (monotonic, s).
    """

    engine: Engine
    members: Members
    board: Board
    intake: Intake
    hosts: OwnHosts
    only_here: bool = False
    told: dict[str, tuple[str, ...]] = field(default_factory=dict)
    club_names: dict[int, str] = field(default_factory=dict)
    invitations: dict[tuple[str, int], tuple[float, Markup]] = field(default_factory=dict)


def give_club_parts(app: Flask, parts: ClubParts) -> None:
    """Give `app` its parts."""
    app.extensions[_PARTS] = parts


def club_parts(app: Flask | None = None) -> ClubParts:
    """The parts of `app`, or of the application that answers the current request."""
    found = (app or current_app).extensions[_PARTS]
    assert isinstance(found, ClubParts)
    return found
