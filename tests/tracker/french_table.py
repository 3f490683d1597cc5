"""Deals of French Tarot written as they are played: `deal_of("Anna S7  Bo SR  Carl S8  Dora S10")`, or line by line.

# What the deal shows.
option mort yes
seats Anna Bo Carl Dora
deal Dora
bid Anna garde
contract garde Anna
call HR
dog S6 S5 SV H9 C8 D10
discard T5
slam Anna
handful Anna T21 T20 T18
Anna HR  Bo HV  Carl F  Dora H3
back 1
unseen Anna
redeal misdeal Bo
award taker renonce: CR S1
renonce Bo 50 talked
adjust Carl -12 counted again
annul the cards were seen
leave Carl
join Gro after Anna
"""

from __future__ import annotations

from typing import Any

from french_reference import PACK, TABLE, best
from tracker_again import folded
from tracker_file import session_file

from tracker.french.hand import FrenchHand
from tracker.french.session import FrenchSession

NAMES = ["Anna", "Bo", "Carl", "Dora", "Erik"]


def events_of(text: str) -> list[dict[str, Any]]:  # noqa: C901 (a table of lines)
    """The events of a deal, one thing a line; tricks as "Anna S7  Bo SR"."""
    events: list[dict[str, Any]] = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        match words:
            case []:
                pass
            case ["bid", player, contract]:
                events.append({"bid": player, "contract": contract})
            case ["contract", name, *taker]:
                events.append({"contract": name} | ({"taker": taker[0]} if taker else {}))
            case ["call" | "slam" as what, value]:
                events.append({what: value})
            case ["dog" | "discard" as what, *cards]:
                events.append({what: cards})
            case ["handful", player, *cards]:
                events.append({"handful": player, "cards": cards})
            case ["unseen", winner]:
                events.append({"unseen_trick": winner})
            case ["redeal", "misdeal", *by]:
                events.append({"redeal": "misdeal"} | ({"by": by[0]} if by else {}))
            case ["redeal", "petit_sec", player]:
                events.append({"redeal": "petit_sec", "player": player})
            case ["award", to, reason, *cards]:
                events.append({"award": cards, "to": to, "reason": reason.rstrip(":")})
            case ["renonce", player, *rest]:
                event: dict[str, Any] = {"renonce": player}
                if rest and rest[0].isdecimal():
                    event["points"] = int(rest.pop(0))
                if rest[-2:-1] == ["hand"]:
                    event["hand"] = int(rest.pop())
                    rest.pop()
                events.append(event | {"reason": " ".join(rest)})
            case ["adjust", player, points, *reason]:
                moved = {"player": player, "points": int(points)}
                events.append({"adjust": moved, "reason": " ".join(reason)})
            case ["annul", *reason]:
                events.append({"annul": " ".join(reason)})
            case _:
                for player, card in zip(words[::2], words[1::2], strict=True):
                    events.append(
                        {"take_back": int(card)} if player == "back" else {"play": player, "card": card}
                    )
    return events


def read_session_text(text: str) -> dict[str, Any]:
    """The session-file object of a whole recorded session."""
    session = session_file("french-tarot", [])
    for line in text.splitlines():
        match line.split("#")[0].split():
            case ["option", key, value]:
                session["options"][key] = (
                    {"yes": True, "no": False}.get(value) if value.isalpha() else int(value)
                )
            case ["seats", *names]:
                session["seats"] = names
            case ["deal", *dealer]:
                session["hands"].append(({"dealer": dealer[0]} if dealer else {}) | {"events": []})
            case ["leave", player]:
                session["hands"].append({"leave": player})
            case ["join", player, "after", other]:
                session["hands"].append({"join": player, "after": other})
            case _ if session["hands"] and "events" in session["hands"][-1]:
                session["hands"][-1]["events"] += events_of(line)
    return session


def evening_of(*deals: str, dealer: str = "Dora", players: int = 4, **options: Any) -> FrenchSession:
    """The evening of those deals, the first dealt by `dealer`, folded. Raises SessionFileError."""
    entries = [
        {"events": events_of(text)} | ({} if at else {"dealer": dealer}) for at, text in enumerate(deals)
    ]
    session = session_file("french-tarot", NAMES[:players], *entries, **options)
    return folded(session)


def deal_of(text: str, *, dealer: str = "Dora", players: int = 4, **options: Any) -> FrenchHand:
    """One deal, dealt by Dora unless another is named, so that Anna leads; Anna's garde unless it says otherwise."""
    if not any(word in text for word in ("contract", "bid", "redeal")):
        text = "contract garde Anna\n" + text
    return evening_of(text, dealer=dealer, players=players, **options).hands[0]


def scores(hand: FrenchHand) -> dict[str, dict[str, int]]:
    """The points of each player by what they are for."""
    lines: dict[str, dict[str, int]] = {}
    for score in hand.scores:
        row = lines.setdefault(score.reason, {})
        row[score.player] = row.get(score.player, 0) + score.points
    return lines


def played_out(first: dict[str, str], aside: str, players: int = 4) -> str:
    """A whole deal that Anna leads: each plays the cards of `first` in order, then whatever is left, legal or not."""
    held = TABLE[players][0]
    order = NAMES[:players]
    chosen = {player: first.get(player, "").split() for player in order}
    used = {card for cards in chosen.values() for card in cards} | set(aside.split())
    left = [card for card in PACK if card not in used]
    for cards in chosen.values():
        while len(cards) < held:
            cards.append(left.pop(0))
    lines, leader = [], "Anna"
    for _ in range(held):
        at = order.index(leader)
        trick = [(player, chosen[player].pop(0)) for player in order[at:] + order[:at]]
        lines.append("  ".join(f"{player} {card}" for player, card in trick))
        leader = best(trick)
    return "\n".join(lines)
