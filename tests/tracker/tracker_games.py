"""Recorded sessions as text, one trick a line: easy to read beside a deck of cards, and to write by hand.

# What the game shows.
rules dtf-2011
option count no
seats Anna Bo Carl
hand Bo
declare Bo trumps 11 with, cavallerie H half C, kings full, matadors 3
declare Carl pass
Carl C7  Anna C8  Bo CV
Anna F=H  Bo H3
take back 1
name Bo S
call Carl
tout Bo
fine Bo minor
fine Bo misdeclaration trumps 11 with
fine Bo minor hand 1
fine Bo 5 talked hand 1
fool Anna S2
adjust Bo pagat 10 a cup was knocked over
skat S1 S2 S3
redeal misdeal
leave Bo
join Erik after Carl
close
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from french_table import read_session_text
from tracker_file import session_file

GAMES = Path(__file__).parents[1] / "games"
"""The folder of recorded sessions, those of other games than Danish Tarok in folders of their own."""


def recorded(path: Path) -> dict[str, Any]:
    """The session-file object of a recorded session of any game."""
    read = read_session_text if path.parent.name == "french-tarot" else read_game
    return read(path.read_text(encoding="utf-8"))


def read_game(text: str) -> dict[str, Any]:  # noqa: C901 - a table: each word of the notation and its event
    """The session-file object of a recorded session."""
    session = session_file("", [])
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        first, rest = words[0], words[1:]
        events = next((entry["events"] for entry in reversed(session["hands"]) if "events" in entry), [])
        match first:
            case "rules":
                session["rules"] = rest[0]
            case "option":
                value: Any = rest[1]
                session["options"][rest[0]] = {"yes": True, "no": False}.get(
                    value, int(value) if value.isdigit() else value
                )
            case "seats":
                session["seats"] = rest
            case "hand":
                session["hands"].append({"dealer": rest[0], "events": []})
            case "declare":
                events.append({"declare": rest[0], "combinations": _combinations(rest[1:])})
            case "take":
                events.append({"take_back": int(rest[1])})
            case "name":
                events.append({"name_fool": rest[0], "suit": rest[1]})
            case "call":
                events.append({"call_fool": rest[0]})
            case "tout":
                events.append({"announce_tout": rest[0]})
            case "fine" if rest[1].isdecimal():
                events.append(_fine_of_chips(rest))
            case "fool":
                events.append({"exchange_fool": rest[0], "card": rest[1]})
            case "fine":
                event: dict[str, Any] = {"fine": rest[0], "category": rest[1]}
                if rest[-2] == "hand":
                    event["hand"] = int(rest[-1])
                    del rest[-2:]
                if rest[2:]:
                    event["declarations"] = _combinations(rest[2:])
                events.append(event)
            case "adjust":
                moved = {"from": rest[0], "to": rest[1], "amount": int(rest[2])}
                events.append({"adjust": moved, "reason": " ".join(rest[3:])})
            case "join":
                session["hands"].append({"join": rest[0], "after": rest[2]})
            case "leave":
                session["hands"].append({"leave": rest[0]})
            case "skat":
                events.append({"skat": rest})
            case "redeal":
                events.append({"redeal": rest[0]})
            case "close":
                session["close"] = True
            case _:
                for player, card in zip(words[::2], words[1::2], strict=True):
                    name, _, named = card.partition("=")
                    events.append({"play": player, "card": name} | ({"named": named} if named else {}))
    if not session["options"]:
        del session["options"]
    return session


def _fine_of_chips(words: list[str]) -> dict[str, Any]:
    event: dict[str, Any] = {"fine": words[0], "amount": int(words[1])}
    if words[-2] == "hand":
        event["hand"] = int(words[-1])
        del words[-2:]
    return event | ({"reason": " ".join(words[2:])} if words[2:] else {})


def _combinations(words: list[str]) -> list[dict[str, Any]]:
    found = []
    for part in " ".join(words).split(","):
        match part.split():
            case ["pass"]:
                pass
            case ["trumps", count, pagat]:
                found.append({"kind": "trumps", "count": int(count), "pagat": pagat == "with"})
            case ["matadors", count]:
                found.append({"kind": "matadors", "count": int(count)})
            case ["cavallerie", suit, grade, *missing]:
                found.append({"kind": "cavallerie", "suit": suit, "grade": grade} | _missing(missing))
            case ["kings", grade, *missing]:
                found.append({"kind": "kings", "grade": grade} | _missing(missing))
            case other:
                raise ValueError(f"no combination: {other}")
    return found


def _missing(words: list[str]) -> dict[str, str]:
    return {"missing": words[0]} if words else {}
