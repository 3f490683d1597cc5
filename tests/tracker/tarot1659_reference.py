"""The Tarot of 1659 reckoned a second time, plainly: a session file's object in, its audit out.

Nothing is shared with the tracker, and nothing is kept up play by play: each hand is looked at as a whole, from
the plays that stand in the end, and every claim is judged anew after every play.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

SUITS = "SHDC"
LOW_TO_HIGH = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R"]
PACK = [suit + rank for suit in SUITS for rank in LOW_TO_HIGH] + [f"T{n}" for n in range(1, 22)] + ["F"]


def points_of(card: str) -> int:
    if card == "F":
        return 5
    if card in ("T1", "T21"):
        return 4
    return {"R": 4, "D": 3, "C": 2, "V": 1}.get(card[1:], 0) if card[0] in SUITS else 0


def height(card: str, led: str) -> int:
    """How high a card stands in a trick to which `led` was led; -1 for one that cannot win."""
    if card == "F":
        return -1
    if card[0] == "T":
        return 100 + int(card[1:])
    return LOW_TO_HIGH.index(card[1:]) if card[0] == led else -1


def suit_led(cards: list[str]) -> str | None:
    return next((card[0] for card in cards[:2] if card != "F"), None)


def tricks_of(plays: list[tuple[str, str]], players: int) -> list[list[tuple[str, str]]]:
    return [plays[start : start + players] for start in range(0, len(plays), players)]


def winner(trick: list[tuple[str, str]]) -> str:
    led = suit_led([card for _, card in trick])
    return max(trick, key=lambda play: height(play[1], led or ""))[0]


def standing_plays(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    plays: list[tuple[str, str]] = []
    for event in events:
        if "play" in event:
            plays.append((event["play"], event["card"]))
        elif "take_back" in event:
            del plays[len(plays) - event["take_back"] :]
    return plays


class Reckoning:
    """Goes through a session once; `audit` is what it comes to."""

    def __init__(self, session: dict[str, Any]) -> None:
        options = session.get("options", {})
        self.cards = options.get("cards", 12)
        self.ante = options.get("ante", 10)
        self.tie = options.get("tie", "split")
        self.seats = list(session["seats"])
        self.chips = dict.fromkeys(self.seats, 0)
        self.pot = 0
        self.next_dealer = self.seats[0]
        self.last_place: str | None = None  # who dealt last, while he is seated
        rows = [self._entry(entry) for entry in session["hands"]]
        if session.get("close") and any("dealer" in row for row in rows):
            turned = self._from(self.next_dealer)
            share, over = divmod(self.pot, len(turned))
            for place, player in enumerate(turned):
                self._pay(rows[-1]["payments"], "T59-END-1", "close", "pot", player, share + (place < over))
        self.audit = {
            "format": "tarok-audit/1",
            "balances": self.chips,
            "pots": {"pot": self.pot},
            "hands": rows,
        }

    def _from(self, player: str) -> list[str]:
        place = self.seats.index(player)
        return self.seats[place:] + self.seats[:place]

    def _pay(
        self, into: list[dict[str, Any]], rule: str, reason: str, source: str, target: str, amount: int
    ) -> None:
        if amount == 0:
            return
        for name, change in ((source, -amount), (target, amount)):
            if name == "pot":
                self.pot += change
            else:
                self.chips[name] += change
        into.append({"rule": rule, "reason": reason, "from": source, "to": target, "amount": amount})

    def _entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        payments: list[dict[str, Any]] = []
        if "join" in entry:
            others = len(self.seats)
            self.seats.insert(self.seats.index(entry["after"]) + 1, entry["join"])
            self.chips.setdefault(entry["join"], 0)
            # Who deals next is the next seat after the last dealer's, as it is taken now.
            if entry["after"] == self.last_place:
                self.next_dealer = entry["join"]
            share = floor(Fraction(self.pot, others) + Fraction(1, 2))
            self._pay(payments, "T59-SEAT-1", "join", entry["join"], "pot", share)
            return {"join": entry["join"], "payments": payments}
        if "leave" in entry:
            player = entry["leave"]
            self._pay(payments, "T59-SEAT-1", "leave", "pot", player, self.pot // len(self.seats))
            ring = self._from(player)
            if player == self.next_dealer:
                self.next_dealer = ring[1]
            if player == self.last_place:
                self.last_place = None
            self.seats.remove(player)
            return {"leave": player, "payments": payments}
        return self._hand(entry, payments)

    def _hand(self, entry: dict[str, Any], payments: list[dict[str, Any]]) -> dict[str, Any]:
        dealer = entry.get("dealer", self.next_dealer)
        order = [*self._from(dealer)[1:], dealer]
        events = entry["events"]
        plays = standing_plays(events)
        count = len(order)
        complete = len(plays) == self.cards * count
        tricks = [trick for trick in tricks_of(plays, count) if len(trick) == count]
        fool = self._fool(plays, tricks, events, complete, count)
        row: dict[str, Any] = {
            "dealer": dealer,
            "sits_out": [],
            "complete": complete,
            "tricks": [
                {
                    "leader": trick[0][0],
                    "suit": suit_led([card for _, card in trick]),
                    "cards": [card for _, card in trick],
                    "players": [player for player, _ in trick],
                    "winner": winner(trick),
                }
                for trick in tricks
            ],
            "tricks_won": {player: sum(winner(trick) == player for trick in tricks) for player in self.seats},
            "fool": fool,
        }
        if complete:
            row["points"] = self._points(tricks, fool)
            row["winners"] = [
                player for player in self.seats if row["points"][player] == max(row["points"].values())
            ]
        row["payments"] = payments
        for player in self.seats:
            self._pay(payments, "T59-ANTE-1", "ante", player, "pot", self.ante)
        last_card = max((number for number, event in enumerate(events) if "play" in event), default=-1)
        for number, event in enumerate(events):
            if "fine" in event:
                self._pay(payments, "T59-FINE-1", "fine", event["fine"], "pot", event["amount"])
            elif "adjust" in event:
                moved = event["adjust"]
                self._pay(payments, "T59-FINE-2", "adjustment", moved["from"], moved["to"], moved["amount"])
            elif complete and number == last_card:
                self._win(payments, row["winners"])
        row["violations"] = self._violations(plays, order)
        if fool is not None and fool["state"] == "unpaid":
            known_at = {"trick": self.cards, "play": len(plays)}
            row["violations"].append(
                {
                    "rule": "T59-FOOL-6",
                    "kind": "fool_unpaid",
                    "player": fool["player"],
                    "trick": fool["trick"],
                    "card": "F",
                    "known_at": known_at,
                    "fine": 0,
                }
            )
        self.next_dealer = self._from(dealer)[1]
        self.last_place = dealer
        row["next"] = {"dealer": self.next_dealer}
        return row

    def _fool(
        self,
        plays: list[tuple[str, str]],
        tricks: list[list[tuple[str, str]]],
        events: list[dict[str, Any]],
        complete: bool,
        count: int,
    ) -> dict[str, Any] | None:
        for number, (player, card) in enumerate(plays):
            if card == "F":
                trick = number // count
                taken_by = winner(tricks[trick]) if trick < len(tricks) else None
                given = [event["card"] for event in events if "exchange_fool" in event]
                if given:
                    state = "exchanged"
                elif not complete:
                    state = "open"
                elif any(winner(other) == player for other in tricks):
                    state = "unpaid"
                else:
                    state = "surrendered"
                return {
                    "player": player,
                    "trick": trick + 1,
                    "winner": taken_by,
                    "card": given[0] if given else None,
                    "state": state,
                }
        return None

    def _points(self, tricks: list[list[tuple[str, str]]], fool: dict[str, Any] | None) -> dict[str, int]:
        piles: dict[str, list[str]] = {player: [] for player in self.seats}
        for trick in tricks:
            piles[winner(trick)] += [card for _, card in trick]
        won = {player: sum(winner(trick) == player for trick in tricks) for player in self.seats}
        if fool is not None and fool["state"] != "surrendered":
            mine, theirs = piles[fool["player"]], piles[fool["winner"]]
            given = fool["card"] or min(mine, key=points_of)
            mine.remove(given)
            theirs.append(given)
            theirs.remove("F")
            mine.append("F")
        return {player: sum(map(points_of, piles[player])) + won[player] for player in self.seats}

    def _win(self, payments: list[dict[str, Any]], winners: list[str]) -> None:
        if len(winners) == 1:
            self._pay(payments, "T59-WIN-1", "win", "pot", winners[0], self.pot)
        elif self.tie == "split":
            share = self.pot // len(winners)
            for player in winners:
                self._pay(payments, "T59-WIN-2", "win", "pot", player, share)

    def _violations(self, plays: list[tuple[str, str]], order: list[str]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        count = len(order)
        claims: list[dict[str, Any]] = []
        leader = order[0]
        for number, (player, card) in enumerate(plays, start=1):
            trick = (number - 1) // count
            before = plays[trick * count : number - 1]
            here = {"trick": trick + 1, "play": number}
            # Whose turn it was.
            if before:
                ring = order[order.index(before[0][0]) :] + order[: order.index(before[0][0])]
                turn = next(name for name in ring if name not in [other for other, _ in before])
            else:
                turn = leader
            if player != turn:
                kind = "play_out_of_turn" if before else "lead_out_of_turn"
                found.append(
                    {"rule": "T59-ORDER", "kind": kind, "player": player, "trick": trick + 1, "card": card}
                    | {"known_at": here, "fine": 0}
                )
            # What it shows of earlier claims, what it claims itself, and what a count now proves.
            for claim in claims:
                if claim["player"] == player and card in claim["denied"]:
                    claim["evidence"].append(card)
                    if claim["status"] is None:
                        claim["status"], claim["known_at"] = "shown", here
                        found.append(claim)
            led = suit_led([other for _, other in before])
            if led is not None and card != "F" and card[0] != led:
                denied = [other for other in PACK if other[0] == led]
                if card[0] != "T":
                    denied += [other for other in PACK if other[0] == "T"]
                claims.append(
                    {"player": player, "trick": trick + 1, "card": card, "denied": denied}
                    | {"status": None, "known_at": None, "evidence": []}
                )
            unseen = set(PACK) - {other for _, other in plays[:number]}
            for claim in claims:
                holds = self.cards - sum(name == claim["player"] for name, _ in plays[:number])
                if claim["status"] is None and len(unseen - set(claim["denied"])) < holds:
                    claim["status"], claim["known_at"] = "proved", here
                    found.append(claim)
            if len(before) == count - 1:
                leader = winner([*before, (player, card)])
        return [
            {key: value for key, value in item.items() if key != "denied"}
            | ({"rule": "T59-PLAY-2", "kind": "revoke", "fine": 0} if "denied" in item else {})
            for item in found
        ]
