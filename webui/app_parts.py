"""The parts of the running application, such as its table and its phones: one of each."""

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from flask import Flask, current_app

if TYPE_CHECKING:
    from webui.camera.cameras import Cameras
    from webui.camera.teaching import Teaching
    from webui.people.own_trumps import OwnTrumps
    from webui.people.phones import Phones
    from webui.reporting.reporter import Reporter
    from webui.serving.addresses import OwnHosts
    from webui.serving.network import Network
    from webui.table.live import LiveTable
    from webui.table.set_up import SetUp

_PARTS: Final = "tarok table"


@dataclass
class AppParts:
    """The parts of a table's application. `hosts` are the names that it answers to.

    `told_to_end` is set when the host ends the program on the page.
    """

    live: "LiveTable"
    phones: "Phones"
    hosts: "OwnHosts"
    network: "Network"
    cameras: "Cameras"
    set_up: "SetUp"
    own_trumps: "OwnTrumps"
    teaching: "Teaching"
    reporter: "Reporter"
    told_to_end: threading.Event = field(default_factory=threading.Event)


def give_parts(app: Flask, parts: AppParts) -> None:
    """Give `app` its parts."""
    app.extensions[_PARTS] = parts


def app_parts(app: Flask | None = None) -> AppParts:
    """The parts of `app`, or of the application that answers the current request."""
    found = (app or current_app).extensions[_PARTS]
    assert isinstance(found, AppParts)
    return found
