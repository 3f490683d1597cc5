"""Random sessions of American Tarock for the tests, as session-file objects: legal, or with errors planted.

Nothing here comes from the tracker, so that a mistake of the tracker is not repeated.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from american_reference import (
    BEATING,
    EXCHANGE,
    GAMES,
    KINGS,
    PACK,
    SUITS,
    TAROCKS,
    TRULA,
    Reference,
    height,
    suit,
    winner,
)
from tracker_file import session_file

NAMES = ["Anna", "Bo", "Carl", "Dora"]
FIVES = {*KINGS, *TRULA}


@dataclass(frozen=True)
class Planned:
    """How often what goes wrong, as a chance a play or a round."""

    illegal: float = 0.0
    out_of_turn: float = 0.0
    bad_discard: float = 0.0
    bad_call: float = 0.0
    low_bid: float = 0.0
    missed_vitamin: float = 0.0
    end_early: float = 0.0
    renonce: float = 0.0
    no_tarocks: float = 0.0


LEGAL = Planned()
FAULTY = Planned(0.06, 0.01, 0.3, 0.3, 0.7, 0.02, 0.15, 0.3, 0.05)


class Table:
    """One round as it is made up: the hands, the events, and what has happened so far."""

    def __init__(
        self, chance: random.Random, seats: list[str], dealer: str, plan: Planned, free_lead: bool
    ) -> None:
        self.chance = chance
        self.plan = plan
        self.free_lead = free_lead
        start = seats.index(dealer) + 1
        self.order = [seats[(start + step) % 4] for step in range(4)]
        self.dealer = dealer
        self.events: list[dict] = []
        self.game: str | None = None
        self.declarer: str | None = None
        self.raised = False
        self.keeps: set[str] = set()
        self.deal()

    def deal(self) -> None:
        cards = list(PACK)
        self.chance.shuffle(cards)
        if self.chance.random() < 0.3:
            # Many tarocks and kings together make the rarer things happen.
            cards.sort(key=lambda card: (card in FIVES) * self.chance.random() + self.chance.random() / 4)
        self.talon = cards[:6]
        self.hands = {player: cards[6 + 12 * at :][:12] for at, player in enumerate(self.order)}
        if self.chance.random() < self.plan.no_tarocks:
            self.give(self.chance.choice(self.order), [card for card in cards if card not in TAROCKS][:12])
        elif any(not set(hand) & TAROCKS for hand in self.hands.values()):
            self.deal()

    def give(self, player: str, cards: list[str]) -> None:
        """Give `player` these twelve; whoever had them gets others for them."""
        rest = [card for hand in self.hands.values() for card in hand] + self.talon
        rest = [card for card in rest if card not in cards]
        self.talon, rest = rest[:6], rest[6:]
        for at, other in enumerate(one for one in self.order if one != player):
            self.hands[other] = rest[12 * at :][:12]
        self.hands[player] = list(cards)

    def suit_the_game(self) -> None:
        """Give the declarer a hand with which his game can be won."""
        cards = list(PACK)
        self.chance.shuffle(cards)
        if self.declarer is None or not self.game:
            return
        if self.game in BEATING:
            cards.sort(key=lambda card: (card in TAROCKS, height(card)))
        elif self.game == "colour_valat":
            cards.sort(key=lambda card: (card in TAROCKS, -height(card)))
        else:
            cards.sort(key=lambda card: (card not in TAROCKS, -height(card)))
        self.give(self.declarer, cards[:12])

    def say(self, **event: object) -> None:
        if "as_" in event:
            event["raise"] = event.pop("as_")
        self.events.append(event)

    # -- before the play -----------------------------------------------------------------------------------

    def settle_game(self, low: bool) -> None:
        """Bids, or the game without them; `low` allows Three to Barach."""
        games = GAMES if low else GAMES[GAMES.index("solo_no_peek") :]
        if self.chance.random() < 0.5:
            self.bid(games)
            return
        self.game = self.chance.choice([*games, "klop"])
        if self.game == "klop":
            self.say(contract="klop")
        else:
            self.declarer = self.chance.choice(self.order)
            self.say(contract=self.game, declarer=self.declarer)

    def bid(self, games: list[str]) -> None:
        out: set[str] = set()
        last: tuple[str, str] | None = None
        turn = 0
        while not (len(out) == 4 or (len(out) == 3 and last)):
            player = self.order[turn % 4]
            turn += 1
            if player in out:
                continue
            open_ = list(games)
            if last:
                senior = self.order.index(player) < self.order.index(last[0])
                open_ = [g for g in games if GAMES.index(g) >= GAMES.index(last[1]) + (not senior)]
            if not open_ or self.chance.random() < 0.55:
                out.add(player)
                self.say(bid=player, game="pass")
            else:
                last = player, min(self.chance.sample(open_, min(3, len(open_))), key=GAMES.index)
                self.say(bid=player, game=last[1])
        if last is None:
            self.game = "klop"
            if self.chance.random() < 0.3:
                self.say(contract="klop")
            return
        self.declarer, self.game = last
        if self.chance.random() < 0.4:
            self.game = self.chance.choice(GAMES[GAMES.index(last[1]) :][:3])
            named = {"declarer": self.declarer} if self.chance.random() < 0.5 else {}
            self.say(contract=self.game, **named)

    def exchange(self) -> None:
        if self.game not in EXCHANGE:
            return
        assert self.declarer is not None
        hand = self.hands[self.declarer]
        size = EXCHANGE[self.game]
        called = None
        if size and not self.game.startswith("solo"):
            kings = [card for card in hand if card in KINGS]
            calls: list[str] = list(SUITS)
            if len(kings) == 3:
                calls += ["fourth"] * 4
            if len(kings) == 4:
                calls = list(TRULA)
            if self.chance.random() < self.plan.bad_call:
                calls = ["fourth", *TRULA]
            called = self.chance.choice(calls)
            self.say(call=called)
        self.say(talon=list(self.talon))
        groups = [self.talon[at : at + size] for at in range(0, 6, size)]
        number = self.chance.randrange(len(groups))
        if called and self.chance.random() < 0.5:
            number = next((n for n, group in enumerate(groups) if f"{called}R" in group), number)
        taken = groups[number]
        self.say(take=number)
        later: list[dict] = []
        legal = [card for card in hand if card not in FIVES]
        if self.chance.random() < self.plan.bad_discard or len(legal) < size:
            laid = self.chance.sample([*hand, *taken], size)
        else:
            laid = self.chance.sample(legal, size)
        self.hands[self.declarer] = [card for card in [*hand, *taken] if card not in laid]
        shown = [card for card in laid if card in TAROCKS]
        if self.chance.random() < self.plan.bad_discard:
            shown = self.chance.sample(laid, self.chance.randrange(len(laid) + 1))
        if self.chance.random() < 0.7 or shown:
            later.append({"discard": shown})
        raised = self.game.startswith("solo") and self.chance.random() < 0.2
        for player in self.order:
            for bonus in ("kings", "pagat_ultimo", "valat"):
                if self.chance.random() < (0.25 if bonus == "pagat_ultimo" else 0.07):
                    later.append({"announce": player, "bonus": bonus})
                    if bonus == "pagat_ultimo":
                        self.keeps.add(player)
        self.chance.shuffle(later)
        self.events += later
        if raised:
            self.say(as_="colour_valat")
            self.game, self.raised = "colour_valat", True
            self.keeps = set()

    # -- the play ------------------------------------------------------------------------------------------

    def legal(self, player: str, table: list[str], played: set[str], trick: int) -> list[str]:
        """What the player may play."""
        hand = self.hands[player]
        if not table:
            plain = [card for card in hand if card not in TAROCKS]
            if plain and not played & TAROCKS and not self.free_lead and self.game != "colour_valat":
                may = plain
            else:
                may = list(hand)
            if self.game in BEATING or (player in self.keeps and trick < 12):
                may = [card for card in may if card != "T1"] or may
            return may
        led = suit(table[0])
        may = [card for card in hand if suit(card) == led] or [c for c in hand if c in TAROCKS] or list(hand)
        tarocks = [card for card in table if card in TAROCKS]
        if self.game in BEATING:
            emperor = {"F", "T21"} <= set(table)
            if emperor and "T1" in may:
                return ["T1"]
            of = suit(may[0])
            rivals = tarocks if of == "T" else [c for c in table if suit(c) == of and not tarocks]
            if all(suit(card) == of for card in may) and rivals:
                top = max(map(height, rivals))
                may = [card for card in may if height(card) > top] or may
            if not emperor and len([card for card in may if card in TAROCKS]) > 1:
                may = [card for card in may if card != "T1"]
            if not emperor and "T1" in may and any(card in TAROCKS for card in hand if card != "T1"):
                # He cannot go over with another tarock, so he goes under with one.
                may = [card for card in hand if card in TAROCKS and card != "T1"]
        elif player in self.keeps and trick < 12 and "T1" in may:
            may = [card for card in may if card != "T1"] or may
        return may

    def play(self) -> None:
        chance, plan = self.chance, self.plan
        high = self.game != "klop" and (self.game not in EXCHANGE or self.raised)
        leader = self.declarer if high and self.declarer else self.order[0]
        end = chance.randrange(1, 49) if chance.random() < plan.end_early else 48
        stop_decided = chance.random() < 0.6
        vitamins = list(self.talon)
        played: set[str] = set()
        count = 0
        opened = False
        for trick in range(1, 13):
            first = self.order.index(leader)
            ring = self.order[first:] + self.order[:first]
            table: list[tuple[str, str]] = []
            while len(table) < 4:
                if count >= end:
                    return
                waiting = [player for player in ring if player not in [p for p, _ in table]]
                player = waiting[0]
                if chance.random() < plan.out_of_turn:
                    player = chance.choice(waiting)
                    if not table:
                        at = self.order.index(player)
                        ring = self.order[at:] + self.order[:at]
                cards = [card for _, card in table]
                may = self.legal(player, cards, played, trick)
                if chance.random() < 0.02:
                    # A card that was taken back says nothing.
                    self.say(play=player, card=chance.choice(self.hands[player]))
                    self.say(take_back=1)
                errs = plan.illegal * (3 if self.game in BEATING or player in self.keeps else 1)
                card = chance.choice(self.hands[player] if chance.random() < errs else may)
                self.hands[player].remove(card)
                self.say(play=player, card=card)
                table.append((player, card))
                played.add(card)
                count += 1
            leader = winner(table, self.game)
            if self.game == "klop" and trick <= 6 and chance.random() >= plan.missed_vitamin:
                self.say(vitamin=vitamins.pop(0))
            lost = (self.game in ("barach", "open_barach") and leader == self.declarer) or (
                self.game in ("colour_valat", "solo_barcelona") and leader != self.declarer
            )
            if lost and stop_decided:
                return
            if self.game == "open_barach" and trick == 1 and not opened and chance.random() < 0.7:
                assert self.declarer is not None
                opened = True
                self.say(open=list(self.hands[self.declarer]))

    def book(self, earlier: Sequence[dict]) -> None:
        """Renonces and adjustments, here and there; in one of the hands `earlier`, too, if its game stood."""
        stood = [
            number for number, hand in enumerate(earlier, start=1) if any(map(_is_begun, hand["events"]))
        ]
        chance = self.chance
        if self.game and chance.random() < self.plan.renonce:
            event: dict = {"renonce": chance.choice(self.order), "reason": "talked"}
            if chance.random() < 0.3:
                event["amount"] = chance.randrange(1, 100)
            if chance.random() < 0.3:
                event["hand"] = len(earlier) + 1
            elif stood and chance.random() < 0.4:
                event["hand"] = chance.choice(stood)
            ready = next(n for n, one in enumerate(self.events) if _is_begun(one))
            self.events.insert(chance.randrange(ready + 1, len(self.events) + 1), event)
        if chance.random() < 0.15:
            points = chance.choice([-21, -5, 10, 70])
            event = {
                "adjust": {"player": chance.choice(self.order), "points": points},
                "reason": "counted again",
            }
            self.events.insert(chance.randrange(len(self.events) + 1), event)


def _is_begun(event: dict) -> bool:
    """Whether the game of a hand stands once this has happened."""
    return bool({"play", "take", "contract"} & event.keys())


def random_session(seed: int, plan: Planned | None = None, hands: int | None = None) -> dict:
    """A session of one to six rounds under any options."""
    chance = random.Random(seed)
    plan = plan or (LEGAL if chance.random() < 0.3 else FAULTY)
    options: dict = {}
    for key, values in {
        "mond_penalty": [0, 10, 21],
        "zero_klop": [True, False],
        "valat_alone": [True, False],
        "free_lead": [True, False],
    }.items():
        if chance.random() < 0.25:
            options[key] = chance.choice(values)
    session = session_file("american-tarock", NAMES, **options)
    dealer = chance.choice(NAMES)
    for behind in range(hands or chance.randrange(1, 7)):
        so_far = Reference(session)
        if so_far.over:
            break
        due = so_far.compulsory
        table = Table(chance, NAMES, dealer, plan, options.get("free_lead", False))
        while chance.random() < 0.1:
            why = chance.choice(["misdeal", "no_tarocks"])
            table.say(redeal=why)
            due = due or why == "no_tarocks"
        if so_far.last_dealer is None and chance.random() < 0.2:
            table.say(skeench_a_tola=dealer)
        table.settle_game(low=not due or chance.random() < plan.low_bid)
        if chance.random() < 0.25:
            table.suit_the_game()
        table.exchange()
        table.play()
        table.book(session["hands"])
        entry: dict = {"events": table.events}
        if not behind or chance.random() < 0.5:
            entry["dealer"] = dealer
        session["hands"].append(entry)
        if chance.random() < plan.end_early / 3:
            # Broken off before the play, or in the middle of a trick.
            del table.events[chance.randrange(len(table.events) + 1) :]
            table.events[:] = [event for event in table.events if "renonce" not in event]
        totals = Reference(session).totals
        lucky = [player for player in NAMES if totals[player]]
        if lucky and chance.random() < 0.15:
            # A score that comes to exactly zero.
            player = chance.choice(lucky)
            table.events.append({"adjust": {"player": player, "points": -totals[player]}, "reason": "agreed"})
        dealer = NAMES[(NAMES.index(dealer) + 1) % 4]
    return session
