"""A club's server to be asked at random, and what a table may send it, damaged at random."""

import json
import random
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from club_table import Club, batch_of, enter, joined_table, sends_all
from flask import Flask
from flask.testing import FlaskClient
from fuzz import altered
from sqlalchemy import func, select
from webui_deals import hand

from tracker.events import SessionClosed
from webui.club.members import Members
from webui.club.parts import club_parts
from webui.club.roles import ClubRole
from webui.club.schema import EVENT_ROWS, METADATA
from webui.people.signatures import PHONE_COOKIE
from webui.table.live import LiveTable

_PLACES = {"evenings": ["x", "y"]}
_ROUND = {"begun": [["x", "drawn/1"]]}
_JOIN = {"code": "AAAA-AAAA", "key": "k" * 43}
_HURTS = (
    b"[" * 30_000,
    b'{"evening":' * 5_000,
    b"9" * 6_000,
    b'{"evenings": ["\\ud800"]}',
    b'{"evenings": ["\\u0000"]}',
    b"\xff\xfe",
    b"NaN",
)


@cache
def _club_made() -> tuple[bytes, str]:
    """The database of a club with an evening that is over, one that is played and a tournament; its admin's id."""
    with tempfile.TemporaryDirectory(prefix="tarok-fuzz-") as name:
        club = Club(f"sqlite:///{name}/club.sqlite3")
        for table_name, events in (("Bord 1", [*hand(3), SessionClosed()]), ("Bord 2", hand(4)[:31])):
            table, reporter = joined_table(Path(name), club, table_name)
            enter(table, events)
            sends_all(reporter)
        members: Members = club_parts(club.app).members
        admin = members.join(club.number, ClubRole.ADMIN)
        client, token = club.app.test_client(), members.form_token(admin.id)
        client.set_cookie(PHONE_COOKIE, members.cookie(admin.id))
        names = "\n".join(("Anna", "Bo", "Carl", "Dora", "Erik", "Fie"))
        fields = {"name": "Cup", "game": "danish", "size": "3", "rounds": "2", "names": names, "token": token}
        assert client.post("/tournaments", data=fields).status_code == 303
        assert client.post("/tournaments/1/draw", data={"token": token}).status_code == 303
        club.engine.dispose()
        return Path(name, "club.sqlite3").read_bytes(), admin.id


class ClubSite:
    """A club's server, with its admin's and a stranger's browser."""

    good_for = 90  # who asks more often is told to wait

    def __init__(self, folder: Path) -> None:
        data, admin = _club_made()
        path = folder / "club.sqlite3"
        path.write_bytes(data)
        self.club = Club(f"sqlite:///{path}")
        self.app: Flask = self.club.app
        members: Members = club_parts(self.app).members
        self.host: FlaskClient = self.app.test_client()
        self.host.set_cookie(PHONE_COOKIE, members.cookie(admin))
        self.stranger: FlaskClient = self.app.test_client()
        page = self.stranger.get("/source").get_data(as_text=True)
        self.tokens = [members.form_token(admin), *re.findall('name="token" value="([^"]*)"', page)]

    def stands(self) -> object:
        """Every row of the database, but when a browser was seen last."""
        with self.club.engine.begin() as connection:
            return {
                table.name: [
                    {key: value for key, value in row._mapping.items() if key != "seen_at"}
                    for row in connection.execute(select(table))
                ]
                for table in METADATA.sorted_tables
                if table is not EVENT_ROWS
            } | {"events": connection.execute(select(func.count()).select_from(EVENT_ROWS)).scalar_one()}

    def close(self) -> None:
        """Its database is closed."""
        self.club.engine.dispose()


def fuzz_batches(count: int, seed: int, *, tell: Callable[[str], object] = lambda _: None) -> list[str]:
    """Send the club so many damaged batches, places and codes; what is wrong with its answers, a line for each."""
    rng, faults = random.Random(seed), []
    with tempfile.TemporaryDirectory(prefix="tarok-fuzz-") as name:
        site = ClubSite(Path(name))
        table, reporter = joined_table(Path(name), site.club, "Bord 3")
        enter(table, hand(4, revoke_in_trick=4)[:31])
        joined = reporter.club
        assert joined is not None
        for sent in range(count):
            if sent % site.good_for == 0:
                site.club.restart()
            asked = (
                ("/api/events", _batch(rng, table)),
                ("/api/places", _PLACES),
                ("/api/round", _ROUND),
                ("/api/join", _JOIN),
            )
            path, right = rng.choice(asked)
            body = rng.choice(_HURTS) if rng.random() < 0.1 else _body(rng, right)
            before = site.stands()
            headers = {"Authorization": f"Bearer {joined.key}"}
            answer = site.club.app.test_client().post(path, data=body, headers=headers)
            wrong = answer.status_code >= 500 or answer.get_json(silent=True) is None
            if wrong or (answer.status_code >= 400 and site.stands() != before):
                faults.append(f"batch {sent} of seed {seed}: {answer.status_code}: {path} {body[:300]!r}")
                tell(faults[-1])
        site.close()
    tell(f"{count} requests of a table, {len(faults)} faults")
    return faults


def _batch(rng: random.Random, table: LiveTable) -> Any:
    """The first events of the table's evening, one of them damaged."""
    batch = batch_of(table, 0, rng.randrange(1, 32), evening=f"evening {rng.randrange(5)}")
    row = rng.choice(batch["events"])
    if rng.random() < 0.7:
        row[2] = json.dumps(altered(rng, json.loads(row[2]), 0.2))
    return batch


def _body(rng: random.Random, right: Any) -> bytes:
    data = altered(rng, right, 0.1) if rng.random() < 0.5 else right
    return json.dumps(data).encode()
