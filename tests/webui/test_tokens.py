"""An entry that is sent again, or under a name used before: never twice, and never "entered" when it was not."""

import json
import random
import socket
import threading
import urllib.error
import urllib.parse
from pathlib import Path

import pytest
from webui_serving import SEATS, Visitor, serving

from tracker.cards import CARDS
from tracker.danish.events import Fined
from tracker.store import EventStore


def sent(visitor: Visitor, path: str, **fields: str) -> int:
    """The status of the answer to this entry."""
    try:
        visitor.post(path, **fields)
    except urllib.error.HTTPError as error:
        assert json.loads(error.read())["message"]  # in words
        return error.code
    return 200


def test_another_entry_under_a_used_name_is_refused_in_words(tmp_path: Path) -> None:
    with serving(tmp_path, *SEATS) as server:
        visitor = Visitor(server.address)
        play = {"player": "Bo", "card": "S7", "once": "one"}
        assert sent(visitor, "plays", **play) == 200
        assert sent(visitor, "plays", **play) == 200
        assert sent(visitor, "plays", **play | {"card": "S8"}) == 409
        assert sent(visitor, "plays", **play | {"player": "Carl"}) == 409
        assert sent(visitor, "fines", player="Bo", category="minor", once="one") == 409
        assert sent(visitor, "plays", player="Carl", card="S8", once="x" * 65) == 400
        assert json.loads(visitor.get("session.json"))["hands"][0]["events"] == [{"play": "Bo", "card": "S7"}]


def test_after_a_restart_an_entry_sent_again_is_still_one(tmp_path: Path) -> None:
    fine = {"player": "Bo", "category": "minor", "once": "one"}
    with serving(tmp_path, *SEATS) as server:
        visitor = Visitor(server.address)
        assert sent(visitor, "fines", **fine) == 200
        server.kill()
    with serving(tmp_path, *SEATS) as server:
        visitor.address = server.address
        assert sent(visitor, "fines", **fine) == 200
        assert sent(visitor, "fines", **fine | {"category": "major"}) == 409
        assert sent(visitor, "plays", player="Bo", card="S7", once="one") == 409
        (hand,) = json.loads(visitor.get("session.json"))["hands"]
        assert len(hand["events"]) == 1


def test_an_evening_that_is_opened_twice_by_one_entry_is_one(tmp_path: Path) -> None:
    evening = {"seat_S": "Anna", "seat_E": "Bo", "seat_W": "Carl", "rules": "dtf-2011", "once": "one"}
    with serving(tmp_path) as server:
        visitor = Visitor(server.address)
        assert sent(visitor, "evening", **evening) == 200
        assert sent(visitor, "evening", **evening) == 200
        assert sent(visitor, "evening", **evening | {"once": "two"}) == 409
    assert len(EventStore(tmp_path / "tarok-table" / "evening.sqlite3").sessions()) == 1


def lost(visitor: Visitor, path: str, fields: dict[str, str]) -> None:
    """Send an entry and go away before the answer."""
    cookie = next(f"{one.name}={one.value}" for one in visitor.jar)
    body = urllib.parse.urlencode({"token": visitor.token, **fields})
    host = visitor.address.removeprefix("http://").rstrip("/")
    name, port = host.split(":")
    with socket.create_connection((name, int(port)), timeout=10) as connection:
        connection.sendall(
            f"POST /{path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )


@pytest.mark.slow
def test_phones_over_a_bad_network_and_kills_lose_nothing_and_enter_nothing_twice(tmp_path: Path) -> None:
    """Three phones at a time send fines and corrections, each told apart by a card: some again, some under a used name,
    some without waiting for the answer; the program is killed in between."""
    entered: set[str] = set()  # acknowledged
    refused: set[str] = set()  # told that it was not entered
    unsure: set[str] = set()
    faults: list[object] = []

    def phone(address: str, cards: list[str], seed: int) -> None:
        rng = random.Random(seed)
        visitor = Visitor(address)
        used = ""
        for card in cards:
            name = used if used and rng.random() < 0.3 else f"{seed} {card}"
            fine = ("fines", {"player": "Bo", "category": "minor", "reason": card, "once": name})
            path, fields = rng.choice([fine, ("plays/3/correct", {"card": card, "once": name})])
            if rng.random() < 0.2:
                lost(visitor, path, fields)
                unsure.add(card)
                if rng.random() < 0.5:
                    continue
            status = sent(visitor, path, **fields)
            again = [sent(visitor, path, **fields) for _ in range(rng.randrange(3))]
            if {status, *again} != {409 if name == used else 200}:
                faults.append((card, name, used, status, again))
            (entered if status == 200 else refused).add(card)
            used = name

    with serving(tmp_path, *SEATS) as server:
        Visitor(server.address).post("plays", player="Bo", card="F", named="S")  # the third event
    for part in range(3):
        with serving(tmp_path, *SEATS) as server:
            numbers = range(3 * part, 3 * part + 3)
            phones = [
                threading.Thread(target=phone, args=(server.address, CARDS[one::9], one)) for one in numbers
            ]
            for thread in phones:
                thread.start()
            for thread in phones:
                thread.join()
            server.kill()
    assert faults == []
    kept = EventStore(tmp_path / "tarok-table" / "evening.sqlite3")
    events = [record.event for record in kept.events()[3:]]
    stored = [event.reason if isinstance(event, Fined) else getattr(event, "card", None) for event in events]
    assert len(entered) > 30 and len(refused) > 8 and len(unsure) > 5
    assert len(stored) == len(set(stored))
    assert entered <= set(stored) <= entered | unsure
