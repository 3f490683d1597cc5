"""Random sessions of the Tarot of 1659, as session files have them: legal ones, and ones with breaches."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tarot1659_reference import PACK, standing_plays, suit_led, tricks_of, winner
from tracker_file import session_file

NAMES = ["Anna", "Bo", "Carl", "Dora", "Erik", "Fie", "Søren Å", "N.N."]


@dataclass(frozen=True)
class Habits:
    """How likely each thing is: a breach at a play, an entry beside the play, that the fool is never paid for."""

    revoke: float = 0.0
    out_of_turn: float = 0.0
    entry: float = 0.05
    unpaid: float = 0.0
    broken_off: float = 0.1


LEGAL = Habits()
FAULTY = Habits(revoke=0.05, out_of_turn=0.03, entry=0.1, unpaid=0.2, broken_off=0.2)


def random_session(seed: int, habits: Habits = FAULTY) -> dict[str, Any]:
    """A session that is read without an error."""
    return _Evening(random.Random(seed), habits).session


def legal_cards(hand: list[str], led: str | None) -> list[str]:
    """T59-PLAY-2, T59-FOOL-1."""
    legal = [card for card in hand if led is None or card[0] == led]
    legal = legal or [card for card in hand if card[0] == "T"] or list(hand)
    return legal + [card for card in hand if card == "F" and "F" not in legal]


class _Evening:
    def __init__(self, chance: random.Random, habits: Habits) -> None:
        self.chance, self.habits = chance, habits
        self.seats = chance.sample(NAMES, chance.choice([4, 5, 6, 6]))
        self.ever = list(self.seats)
        most = 78 // len(self.seats)
        self.cards = chance.choice([1, 2, 3, 5, 8, 12, most, most])
        self.cards = min(self.cards, most)
        self.pot = 0
        options: dict[str, Any] = {"cards": self.cards}
        if self.cards == 12 and chance.random() < 0.5:
            del options["cards"]
        self.ante = 10
        if chance.random() < 0.7:
            options["ante"] = self.ante = chance.choice([1, 7, 10, 13])
        self.tie = "split"
        if chance.random() < 0.7:
            options["tie"] = self.tie = chance.choice(["split", "carry"])
        self.session = session_file("tarot-1659", self.seats, **options)
        for number in range(chance.randint(1, 4)):
            while chance.random() < 0.3:
                self._reseat()
            self._hand(number)
        if chance.random() < 0.5:
            self.session["close"] = chance.random() < 0.8

    def _reseat(self) -> None:
        chance, seats = self.chance, self.seats
        if chance.random() < 0.5 and len(seats) < 6 and self.cards * (len(seats) + 1) <= 78:
            new = chance.choice([name for name in NAMES if name not in seats])
            after = chance.choice(seats)
            seats.insert(seats.index(after) + 1, new)
            self.ever.append(new)
            self.session["hands"].append({"join": new, "after": after})
        elif len(seats) > 4:
            gone = chance.choice(seats)
            seats.remove(gone)
            self.session["hands"].append({"leave": gone})

    def _hand(self, number: int) -> None:
        chance, habits = self.chance, self.habits
        events: list[dict[str, Any]] = []
        dealer = chance.choice(self.seats)
        entry = {"dealer": dealer, "events": events}
        self.session["hands"].append(entry)
        count = len(self.seats)
        place = self.seats.index(dealer)
        order = [*self.seats[place + 1 :], *self.seats[: place + 1]]
        pack = list(PACK)
        chance.shuffle(pack)
        held = {player: pack[at * self.cards : (at + 1) * self.cards] for at, player in enumerate(order)}
        while chance.random() < 0.1:
            events.append({"redeal": "misdeal"})
        leader = order[0]
        pays = chance.random() >= habits.unpaid
        stop = chance.randrange(self.cards * count) if chance.random() < habits.broken_off else None
        while True:
            plays = standing_plays(events)
            if len(plays) == self.cards * count or len(plays) == stop:
                break
            before = plays[len(plays) // count * count :]
            if not before:
                tricks = tricks_of(plays, count)
                leader = winner(tricks[-1]) if tricks else order[0]
            first = before[0][0] if before else leader
            ring = order[order.index(first) :] + order[: order.index(first)]
            waiting = [name for name in ring if name not in [other for other, _ in before]]
            player = waiting[0]
            if chance.random() < habits.out_of_turn:
                player = chance.choice(waiting)
            led = suit_led([card for _, card in before])
            card = chance.choice(legal_cards(held[player], led))
            if chance.random() < habits.revoke:
                card = chance.choice(held[player])
            held[player].remove(card)
            events.append({"play": player, "card": card})
            if chance.random() < habits.entry:
                self._entry(events, number, only_fines=len(plays) + 1 == self.cards * count)
            if chance.random() < habits.entry / 3:
                self._take_back(events, held)
            if pays and chance.random() < 0.3:
                self._exchange(events, count)
        plays = standing_plays(events)
        if len(plays) == self.cards * count:
            while chance.random() < habits.entry * 2:
                self._entry(events, number, only_fines=True)
            if pays:
                self._exchange(events, count)

    def _entry(self, events: list[dict[str, Any]], number: int, only_fines: bool = False) -> None:
        chance = self.chance
        if only_fines or chance.random() < 0.6:
            fine: dict[str, Any] = {"fine": chance.choice(self.seats), "amount": chance.randint(1, 30)}
            if chance.random() < 0.5:
                fine["reason"] = chance.choice(["revoke", "talked", ""])
            if chance.random() < 0.3:
                fine["hand"] = number + 1
            events.append(fine)
        else:
            # Every ante of this hand lies in the pot until the last card.
            players = chance.sample([*self.seats, "pot"], 2)
            moved = {"from": players[0], "to": players[1], "amount": 1}
            if not any(
                "from" in event.get("adjust", {}) and event["adjust"]["from"] == "pot" for event in events
            ):
                events.append({"adjust": moved, "reason": "counted again"})

    def _take_back(self, events: list[dict[str, Any]], held: dict[str, list[str]]) -> None:
        last = max((place for place, event in enumerate(events) if "exchange_fool" in event), default=0)
        standing = len(standing_plays(events)) - len(standing_plays(events[:last]))
        free = min(3, standing)
        if any("take_back" in event for event in events[last:]) or free < 1:
            return
        count = self.chance.randint(1, free)
        for player, card in standing_plays(events)[-count:]:
            held[player].append(card)
        events.append({"take_back": count})

    def _exchange(self, events: list[dict[str, Any]], count: int) -> None:
        if any("exchange_fool" in event for event in events):
            return
        tricks = [trick for trick in tricks_of(standing_plays(events), count) if len(trick) == count]
        owner = next((player for trick in tricks for player, card in trick if card == "F"), None)
        won = [card for trick in tricks if winner(trick) == owner for _, card in trick]
        if owner and won:
            events.append({"exchange_fool": owner, "card": self.chance.choice(won)})
