"""A club's server to look at: evenings, one that is played with a flag, a tournament between its rounds, a season."""

import time
from pathlib import Path

from club_table import Club, enter, sends_all
from club_visit import card_tables, play, published
from flask import Flask
from webui_deals import hand

_LONG = (
    "Anne-Margrethe Kjærsgård",
    "Bo",
    "Carl-Christian von Holst",
    "Dorthea Wilhelmine Pri",
    "Erik",
    "Fie",
)


def club_shown(folder: Path) -> tuple[Flask, str]:
    """The server, in `folder`, and the cookie of a browser that is its admin's."""
    folder.mkdir()
    club = Club(f"sqlite:///{folder / 'club.sqlite3'}")
    tables = card_tables(folder, club, 2)
    admin = published(club, _LONG, rounds=2)
    first, second = admin.drawn(1)
    play(tables[0], first, 3)
    chips = {
        f"chips-{club.entrant(name)}": chips for name, chips in zip(second, ("40", "-25", "-15"), strict=True)
    }
    assert admin.post("/tournaments/1/result", round=1, table=2, hands=6, **chips)[0] == 200
    table, reporter = tables[1]
    table.open_evening(table.session.opened, dict(table.sides))
    enter(table, hand(3, revoke_in_trick=4)[:40])
    assert sends_all(reporter).state == "told"
    day = time.strftime("%Y-%m-%d")
    asked = {"name": "Efterår", "game": "danish", "since": day, "until": day, "points": "10 8 6", "best": 3}
    assert admin.post("/seasons", **asked)[0] == 200
    return club.app, admin.members.cookie(admin.member.id)
