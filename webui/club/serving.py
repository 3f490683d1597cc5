"""The club's server in this process, until it is interrupted."""

import contextlib
import math
import threading
import time
from urllib.parse import urlsplit

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from webui.club.app import create_club_app
from webui.club.clock import keep_in_step
from webui.club.deleted import purge
from webui.club.members import Members
from webui.club.parts import club_parts
from webui.club.roles import ClubRole
from webui.club.security import bytes_allowed, known_to
from webui.errors import UserError, tell_fault
from webui.serving.addresses import HERE, lan_addresses
from webui.serving.ending import waiting_for_the_end
from webui.serving.front import Front
from webui.serving.server import listen_on, server_of

_LEAVE_S = 3
_LOOK_UP_S = 0.2
_PURGE_S = 24 * 3600
_THREADS = 32
"""Threads that answer. Many of them wait for the one that stores, so pages need more."""


def serve_club(engine: Engine, club: int, host: str, port: int, *, public: str = "") -> None:
    """Serve the clubs in `engine` on `host:port` until interrupted; prints the addresses.

    `public` is the address for browsers if a proxy with TLS stands before the server. While `club` has no admin, a link
    is printed that makes a browser its admin. Raises UserError if the server cannot listen there.
    """
    if public and not _is_public(public):
        raise UserError(f"--public {public}: is not an address such as https://tarok.example.org")
    listening = listen_on(host, port)
    app = create_club_app(engine, behind_proxy=bool(public))
    parts = club_parts(app)
    parts.only_here = host in HERE
    port = listening.getsockname()[1]
    everywhere = lan_addresses()[:1] if host in ("0.0.0.0", "") else []
    own = public.rstrip("/") or f"http://{everywhere[0] if everywhere else _name_of(host)}:{port}"
    name = urlsplit(own).hostname
    for known in (name, host):
        if known and known not in ("0.0.0.0", "::"):
            parts.hosts.add(known)
    _announce(parts.members, own, club)
    board = parts.board
    front = Front(app, lambda headers: known_to(parts.members, headers), bytes_allowed, board, _THREADS)
    server = server_of(front)
    serving = threading.Thread(target=server.run, args=([listening],), name="server", daemon=True)
    serving.start()
    with waiting_for_the_end() as told:
        try:
            purged = -math.inf
            while not told():
                if time.monotonic() - purged > _PURGE_S:
                    purged = time.monotonic()
                    _purge(engine)
                with contextlib.suppress(SQLAlchemyError):  # the database is away, and this can wait
                    keep_in_step(engine, time.time())
                time.sleep(_LOOK_UP_S)
        finally:
            board.leave()
            server.should_exit = True
            serving.join(timeout=_LEAVE_S)
            front.end()
            with contextlib.suppress(OSError):
                listening.close()
            engine.dispose()


def _is_public(address: str) -> bool:
    """Whether `address` is that of a whole site with TLS, without a path."""
    try:
        parts = urlsplit(address)
        named = parts.scheme == "https" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return (
        named and parts.username is None and parts.path in ("", "/") and not (parts.query or parts.fragment)
    )


def _name_of(host: str) -> str:
    return "localhost" if host in ("0.0.0.0", "127.0.0.1", "") else host


def _purge(engine: Engine) -> None:
    try:
        with engine.begin() as connection:
            purge(connection)
    except SQLAlchemyError as fault:  # the database is away, and this can wait
        tell_fault("purging what was deleted", fault)


def _announce(members: Members, own: str, club: int) -> None:
    print(f"The club is on {own}/", flush=True)
    if not any(one.role is ClubRole.ADMIN for one in members.of_club(club)):
        word = members.new_link(club, ClubRole.ADMIN)
        print(
            f"This link makes the browser that opens it the club's admin, once: {own}/link/{word}", flush=True
        )
    print("Ctrl+C stops it; what the tables sent is kept.", flush=True)
