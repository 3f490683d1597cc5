"""Browsers that visit a club's server in this process, the evenings that its tables played, and a tournament there."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from club_table import Club, enter, joined_table, sends_all
from flask.testing import FlaskClient
from webui_deals import OPENED, SIDES, hand

from tracker.events import Event, SessionClosed
from webui.club.members import Members
from webui.club.parts import club_parts
from webui.club.roles import ClubRole
from webui.people.signatures import PHONE_COOKIE
from webui.reporting.reporter import Reporter
from webui.table.live import LiveTable

SIX = ("Anna", "Bo", "Carl", "Dora", "Erik", "Fie")


class Visit:
    """A browser that has joined the club with a role."""

    def __init__(self, club: Club, role: ClubRole, number: int | None = None) -> None:
        self.club = club
        self.members: Members = club_parts(club.app).members
        self.member = self.members.join(number or club.number, role)
        self.client: FlaskClient = club.app.test_client()
        self.client.set_cookie(PHONE_COOKIE, self.members.cookie(self.member.id))

    def get(self, path: str) -> str:
        answer = self.client.get(f"{path}{'&' if '?' in path else '?'}lang=en")
        assert answer.status_code == 200, (path, answer.get_data(as_text=True))
        return " ".join(re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True)).split())

    def post(self, path: str, **fields: object) -> tuple[int, dict[str, Any]]:
        """Send an entry, and be sure of it unless `sure` is ""."""
        data = {"token": self.members.form_token(self.member.id), "sure": "yes", **fields}
        answer = self.client.post(
            path, data=data, headers={"Accept": "application/json"}, query_string={"lang": "en"}
        )
        return answer.status_code, answer.get_json()

    def told(self) -> dict[str, Any]:
        """What the club tells of its first tournament."""
        return dict(self.client.get("/tournaments/1.json").get_json())

    def drawn(self, number: int) -> list[tuple[str, ...]]:
        """The players at each table of a published round."""
        tables = self.told()["rounds"][number - 1]["tables"]
        return [tuple(one["player"] for one in table["seats"]) for table in tables]

    def seated(self, number: int) -> set[str]:
        """All who play in a published round."""
        return {name for table in self.drawn(number) for name in table}

    def counted(self) -> dict[str, int]:
        """Everybody's chips in the tournament, the most first."""
        return {one["player"]: one["chips"] for one in self.told()["by chips"]}

    def publish(self, number: int | None = None) -> tuple[int, dict[str, Any]]:
        """Show everybody the round with that number, the next one where none is named."""
        return self.post("/tournaments/1/publish", round=number or len(self.told()["rounds"]) + 1)

    def withdraw(self) -> tuple[int, dict[str, Any]]:
        """Take the newest round back."""
        return self.post("/tournaments/1/withdraw", round=len(self.told()["rounds"]))


def played(
    folder: Path,
    club: Club,
    name: str,
    seats: tuple[str, ...] = OPENED.seats,
    seed: int = 3,
    *,
    close: bool = True,
) -> Reporter:
    """A table called `name` with one hand, sent to the club, and settled."""
    at = joined_table(folder, club, name, seats)
    _play_hand(at, seats, seed, close)
    return at[1]


def _play_hand(at: tuple[LiveTable, Reporter], seats: tuple[str, ...], seed: int, close: bool) -> None:
    table, reporter = at
    enter(table, [renamed(event, seats) for event in hand(seed)])
    if close:
        enter(table, [SessionClosed()])
    assert sends_all(reporter).state == "told"


def renamed(event: Event, seats: tuple[str, ...]) -> Event:
    names = dict(zip(OPENED.seats, seats, strict=True))
    who = {field: getattr(event, field, None) for field in ("player", "dealer")}
    return replace(event, **{field: names[one] for field, one in who.items() if one in names})  # type: ignore[type-var]


def begun(club: Club, names: tuple[str, ...] = SIX, rounds: int = 2, **fields: object) -> Visit:
    """A tournament with that many rounds drawn, none published; returns its admin."""
    admin = Visit(club, ClubRole.ADMIN)
    asked = {"name": "Træf", "game": "danish", "size": 3, "rounds": rounds, "names": "\n".join(names)}
    assert admin.post("/tournaments", **asked | fields)[0] == 200
    assert admin.post("/tournaments/1/draw")[0] == 200
    return admin


def published(club: Club, names: tuple[str, ...] = SIX, rounds: int = 2, **fields: object) -> Visit:
    """A tournament whose first round is shown to everybody; returns its admin."""
    admin = begun(club, names, rounds, **fields)
    assert admin.publish()[0] == 200
    return admin


def card_tables(folder: Path, club: Club, count: int) -> list[tuple[LiveTable, Reporter]]:
    """Tables that played something else before the tournament."""
    found = []
    for number in range(1, count + 1):
        table, reporter = joined_table(folder, club, f"Bord {number}")
        enter(table, [SessionClosed()])
        assert sends_all(reporter).state == "told"
        found.append((table, reporter))
    return found


def play(
    at: tuple[LiveTable, Reporter], seats: tuple[str, ...], seed: int, *, close: bool = True
) -> dict[str, int]:
    """An evening of one hand with these `seats`; returns everybody's chips."""
    table, _ = at
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, SIDES.values(), strict=True)))
    _play_hand(at, seats, seed, close)
    return dict(table.session.balances)


def chips_of(club: Club, seats: tuple[str, ...], *chips: int) -> dict[str, object]:
    """The fields of a result of the first table of round 1."""
    own = {f"chips-{club.entrant(name)}": str(one) for name, one in zip(seats, chips, strict=True)}
    return {"round": 1, "table": 1, "hands": 10, **own}


def entered(host: Visit, club: Club, at: int, table: int, hands: int = 6, best: str = "") -> dict[str, int]:
    """A table's result by hand: the `best`, or the first, wins 10 of each of the others."""
    seats = host.drawn(at)[table - 1]
    best = best or seats[0]
    chips = {name: 10 * (len(seats) - 1) if name == best else -10 for name in seats}
    fields = {f"chips-{club.entrant(name)}": own for name, own in chips.items()}
    assert host.post("/tournaments/1/result", round=at, table=table, hands=hands, **fields)[0] == 200
    return chips
