"""Random sessions of French Tarot for the tests, as session-file objects: legal, or with faults planted.

Nothing here comes from the tracker, so that a mistake of the tracker is not repeated.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from french_reference import BOUTS, KINGS, PACK, RANKS, SUITS, TABLE, Reckoning, best, led_suit
from tracker_file import session_file

NAMES = ["Anna", "Bo", "Carl", "Dora", "Erik", "Fie", "Søren Å", "N.N."]
BIDS = ["prise", "garde", "garde_sans", "garde_contre"]


@dataclass(frozen=True)
class Habits:
    """How likely each thing is: a fault at a play or a deal, and what is entered beside the play."""

    illegal: float = 0.0
    out_of_turn: float = 0.0
    bad_discard: float = 0.0
    bad_call: float = 0.0
    bad_handful: float = 0.0
    quiet_petit: float = 0.0
    broken_off: float = 0.05
    taken_back: float = 0.01
    entry: float = 0.1
    redeal: float = 0.08


LEGAL = Habits()
FAULTY = Habits(0.04, 0.01, 0.3, 0.3, 0.35, 0.1, 0.15, 0.02, 0.25, 0.15)


def legal_cards(hand: list[str], table: list[str]) -> list[str]:
    """FT-PLAY-2 to FT-PLAY-5 and FT-EXCUSE-1."""
    led = led_suit(table)
    if led is None:
        return list(hand)
    trumps = [card for card in hand if card[0] == "T"]
    may = [card for card in hand if card[0] == led] or trumps or list(hand)
    if may and may[0][0] == "T":
        highest = max((int(card[1:]) for card in table if card[0] == "T"), default=0)
        may = [card for card in may if int(card[1:]) > highest] or may if may == trumps else may
    return may + [card for card in hand if card == "F" and card not in may]


class Table:
    """One deal as it is made up."""

    def __init__(self, chance: random.Random, order: list[str], habits: Habits) -> None:
        self.chance, self.order, self.habits = chance, order, habits
        self.held, self.in_dog, self.sizes = TABLE[len(order)]
        self.events: list[dict[str, Any]] = []
        self.barred: set[str] = set()
        self.called: str | None = None
        self.laid_open: list[str] = []
        self.strong = False  # the taker's side plays to win what it can
        self.deal()

    def says(self, likely: float) -> bool:
        return self.chance.random() < likely

    def deal(self) -> None:
        chance = self.chance
        cards = list(PACK)
        chance.shuffle(cards)
        style = chance.random()
        if style < 0.35:
            # Trumps together: handfuls, slams, a petit sec.
            cards.sort(key=lambda card: (card[0] not in "TF") + chance.random() * 1.4)
        elif style < 0.45:
            # One has all that is high.
            cards.sort(key=lambda card: (card[0] == "T" or card[1:] in "RDC") * -1 + chance.random() * 0.5)
        self.hands = {player: cards[at * self.held :][: self.held] for at, player in enumerate(self.order)}
        players = list(self.hands)
        hands = list(self.hands.values())
        chance.shuffle(hands)
        self.hands = dict(zip(players, hands, strict=True))
        self.dog = cards[len(self.order) * self.held :]
        if style > 0.93:
            self.give_petit_sec()
        quiet = any(self.is_petit_sec(hand) for hand in self.hands.values())
        if quiet and not self.says(self.habits.quiet_petit):
            self.deal()

    @staticmethod
    def is_petit_sec(hand: list[str]) -> bool:
        return [card for card in hand if card[0] in "TF"] == ["T1"]

    def give_petit_sec(self) -> None:
        """Somebody has no trump but T1 and not the Excuse."""
        lucky = self.chance.choice(self.order)
        plain = [card for card in PACK if card[0] in SUITS]
        mine = ["T1", *self.chance.sample(plain, self.held - 1)]
        rest = [card for card in PACK if card not in mine]
        self.chance.shuffle(rest)
        self.hands[lucky] = mine
        for player in self.order:
            if player != lucky:
                self.hands[player], rest = rest[: self.held], rest[self.held :]
        self.dog = rest

    def say(self, **event: object) -> None:
        self.events.append(event)

    def before(self, dealer: str) -> bool:
        """Redeals, bids or the contract, the call, the dog; whether cards are played."""
        chance = self.chance
        while self.says(self.habits.redeal):
            if self.says(0.4):
                self.bid(stop=True)
            if self.says(0.3):
                self.say(redeal="petit_sec", player=chance.choice(self.order))
                return False
            by = chance.choice([dealer, chance.choice(self.order)])
            named = {} if by == dealer and self.says(0.7) else {"by": by}
            self.say(redeal="misdeal", **named)
            self.barred.add(by)
            self.deal()
        may = [player for player in self.order if player not in self.barred]
        if self.says(0.6) or not may:  # where everybody misdealt, all pass
            self.bid()
            if self.contract is None:
                return False
            if self.says(0.2):
                named = {"taker": self.taker} if self.says(0.5) else {}
                self.say(contract=self.contract, **named)
        else:
            self.taker = max(may, key=lambda who: (self.trumps(who), chance.random()))
            self.contract = chance.choice(BIDS)
            self.say(contract=self.contract, taker=self.taker)
        if self.says(0.15):
            self.slam()
        if len(self.order) == 5:
            self.call()
        self.exchange()
        if not any("slam" in event for event in self.events) and self.says(0.05):
            self.slam()
        return True

    def trumps(self, player: str) -> int:
        return sum(card[0] in "TF" for card in self.hands[player])

    def slam(self) -> None:
        self.say(slam=self.taker)

    def bid(self, stop: bool = False) -> None:
        self.contract, self.taker = None, ""
        for number, player in enumerate(self.order):
            if stop and (number == len(self.order) - 1 or (number and self.says(0.3))):
                return
            lowest = BIDS.index(self.contract) + 1 if self.contract else 0
            if player in self.barred or lowest == 4 or self.says(0.75):
                self.say(bid=player, contract="pass")
            else:
                self.contract = self.chance.choice(BIDS[lowest:][:2])
                self.taker = player
                self.say(bid=player, contract=self.contract)

    def call(self) -> None:
        hand = self.hands[self.taker]
        kings = sorted(KINGS)
        may = kings
        if set(kings) <= set(hand):
            may = [suit + "D" for suit in SUITS]
        if self.says(self.habits.bad_call):
            may = [suit + rank for suit in SUITS for rank in "RDCV"]
        self.called = self.chance.choice(may)
        self.say(call=self.called)

    def exchange(self) -> None:
        if self.contract not in ("prise", "garde"):
            return
        chance = self.chance
        if self.says(0.85):
            self.say(dog=list(self.dog))
        full = [*self.hands[self.taker], *self.dog]
        small = [card for card in full if card[0] in SUITS and card not in KINGS]
        trumps = [card for card in full if card[0] == "T" and card not in BOUTS]
        if self.says(self.habits.bad_discard):
            laid = chance.sample(full, self.in_dog)
        else:
            laid = chance.sample(small, min(len(small), self.in_dog))
            laid += chance.sample(trumps, min(len(trumps), self.in_dog - len(laid)))
            rest = [card for card in full if card not in laid]
            laid += rest[: self.in_dog - len(laid)]
        self.hands[self.taker] = [card for card in full if card not in laid]
        shown = [card for card in laid if card in trumps]
        if self.says(self.habits.bad_discard / 2):
            shown = chance.sample(laid, chance.randrange(len(laid) + 1))
        if shown or self.says(0.8):
            self.say(discard=shown)
        self.laid_open = shown

    # -- the play ------------------------------------------------------------------------------------------

    def handful(self, player: str, played: list[str]) -> None:
        """Show what he may, or something wrong."""
        chance = self.chance
        laid = self.laid_open if player == self.taker else []
        own = [card for card in [*self.hands[player], *laid, *played] if card[0] == "T"]
        excuse = [card for card in self.hands[player] if card == "F"]
        if self.says(self.habits.bad_handful) and own:
            cards = chance.sample([*own, *excuse], chance.randrange(1, len(own) + len(excuse) + 1))
        else:
            trumps = [card for card in own if card not in played]
            sizes = [size for size in self.sizes if size <= len(trumps)]
            if sizes:
                cards = chance.sample(trumps, sizes[-1])
            elif len(trumps) + len(excuse) in self.sizes:
                cards = [*trumps, *excuse]
            else:
                return
        self.say(handful=player, cards=cards)
        self.showed.add(player)

    def play(self) -> None:
        chance, habits = self.chance, self.habits
        slam = any("slam" in event for event in self.events)
        turn = self.taker if slam else self.order[0]
        self.showed: set[str] = set()
        plays: list[tuple[str, str]] = []
        end = chance.randrange(self.held * len(self.order)) if self.says(habits.broken_off) else 10**6
        self.strong = slam or self.says(0.1)
        while any(self.hands.values()):
            trick: list[tuple[str, str]] = []
            ring = self.order[self.order.index(turn) :] + self.order[: self.order.index(turn)]
            while len(trick) < len(self.order):
                waiting = [player for player in ring if player not in [who for who, _ in trick]]
                player = waiting[0]
                if self.says(habits.out_of_turn):
                    player = chance.choice(waiting)
                    if not trick:
                        at = self.order.index(player)
                        ring = self.order[at:] + self.order[:at]
                if len(plays) >= end:
                    return
                self.shows(player, plays)
                if self.says(habits.taken_back) and self.hands[player]:
                    self.take_back(player)
                table = [card for _, card in trick]
                card = self.choose(player, table, first=not plays)
                self.hands[player].remove(card)
                self.say(play=player, card=card)
                trick.append((player, card))
                plays.append((player, card))
            turn = best(trick)

    def shows(self, player: str, plays: list[tuple[str, str]]) -> None:
        """A handful just before the first card of `player`; now and then of anybody at any time."""
        if player not in self.showed and not any(who == player for who, _ in plays):
            if self.says(0.85):
                self.handful(player, [])
        elif self.says(self.habits.bad_handful / 25):
            other = self.chance.choice(self.order)
            if other not in self.showed:
                self.handful(other, [card for who, card in plays if who == other])
        if not plays and self.taker not in self.showed and self.says(0.1):
            self.handful(self.taker, [])

    def take_back(self, player: str) -> None:
        """One or two cards that are taken back: they say nothing."""
        hidden = [event for event in self.events if "play" in event or "handful" in event]
        wrong = self.chance.choice(self.hands[player])
        if self.may_hold(player, wrong):
            self.say(play=player, card=wrong)
            back = 1
            if self.says(0.2) and hidden and "play" in hidden[-1] and self.events[-2] is hidden[-1]:
                back = 2
            self.say(take_back=back)
            if back == 2:
                self.events.append(dict(hidden[-1]))

    def may_hold(self, player: str, card: str) -> bool:
        """Whether he may play `card` beside the rest of the handful that he has shown."""
        for event in self.events:
            if event.get("handful") == player and card not in event["cards"]:
                left = [one for one in event["cards"] if one in self.hands[player]]
                return len(left) < len(self.hands[player])
        return True

    def choose(self, player: str, table: list[str], *, first: bool) -> str:
        chance = self.chance
        hand = self.hands[player]
        may = legal_cards(hand, table)
        if first and self.called:
            may = [card for card in may if card[0] != self.called[0] or card == self.called] or may
        if self.says(self.habits.illegal):
            may = list(hand)
        if self.strong:
            # High cards of the taker, the Excuse last.
            def rank(card: str) -> float:
                height = (
                    50 + int(card[1:]) if card[0] == "T" else -100 if card == "F" else RANKS.index(card[1:])
                )
                return height if player == self.taker else -height

            return max(may, key=lambda card: rank(card) + chance.random())
        return chance.choice(may)

    # -- what the table decides ------------------------------------------------------------------------------

    def book(self, number: int, seats_of: list[list[str]]) -> None:
        """Penalties, adjustments, awards and annulled deals, here and there."""
        chance, here = self.chance, seats_of[-1]
        known = next((at + 1 for at, event in reversed(list(enumerate(self.events))) if "redeal" in event), 0)
        while self.says(self.habits.entry):
            event: dict[str, Any] = {"renonce": chance.choice(here), "reason": "talked"}
            if self.says(0.4):
                event["points"] = chance.randrange(1, 300)
            if self.says(0.4):
                event["hand"] = chance.randrange(1, number + 1)
                event["renonce"] = chance.choice(seats_of[event["hand"] - 1])
            if self.says(0.3):
                moved = {"player": chance.choice(here), "points": chance.choice([-21, -5, 10, 70])}
                event = {"adjust": moved, "reason": "counted again"}
            self.events.insert(chance.randrange(len(self.events) + 1), event)
        begun = next(
            (
                at
                for at, event in enumerate(self.events)
                if at >= known and {"play", "handful"} & event.keys()
            ),
            None,
        )
        if begun is None:
            return
        while self.says(self.habits.entry / 2):
            cards = chance.sample(PACK, chance.randrange(1, 5))
            event = {"award": cards, "to": chance.choice(["taker", "defence"]), "reason": "renonce"}
            self.events.insert(chance.randrange(begun, len(self.events) + 1), event)
        if self.says(self.habits.entry / 3):
            at = chance.randrange(begun, len(self.events) + 1)
            after = [event for event in self.events[at:] if {"renonce", "adjust"} & event.keys()]
            if self.says(0.6):
                at, after = len(self.events), []
            self.events[at:] = [{"annul": "the cards were seen"}, *after]


def random_session(seed: int, habits: Habits | None = None, deals: int | None = None) -> dict[str, Any]:
    """A session of one to six deals with three to five players, that is read without an error."""
    chance = random.Random(seed)
    if habits is None:
        habits = LEGAL if chance.random() < 0.25 else FAULTY
    seats = chance.sample(NAMES, chance.choice([3, 4, 4, 5, 5]))
    options: dict[str, Any] = {}
    if chance.random() < 0.3:
        options["mort"] = chance.random() < 0.8
    if chance.random() < 0.3:
        options["penalty"] = chance.choice([1, 50, 100, 250])
    session = session_file("french-tarot", seats, **options)
    seats_of: list[list[str]] = []
    for _ in range(deals or chance.randrange(1, 7)):
        while chance.random() < 0.15:
            if len(seats) > 3 and chance.random() < 0.5:
                session["hands"].append({"leave": seats.pop(chance.randrange(len(seats)))})
            elif len(seats) < 5:
                who = chance.choice([name for name in NAMES if name not in seats])
                after = chance.choice(seats)
                seats.insert(seats.index(after) + 1, who)
                session["hands"].append({"join": who, "after": after})
        dealer = Reckoning(session).next
        entry: dict[str, Any] = {}
        if chance.random() < 0.4:
            if chance.random() < 0.2:
                dealer = chance.choice(seats)
            entry["dealer"] = dealer
        place = seats.index(dealer)
        order = [*seats[place + 1 :], *seats[:place]]
        if not (options.get("mort") and len(seats) == 5):
            order.append(dealer)
        table = Table(chance, order, habits)
        seats_of.append(list(seats))
        if table.before(dealer):
            table.play()
        table.book(len(seats_of), seats_of)
        if chance.random() < habits.broken_off / 4:
            # Broken off before the play, or in the middle of a trick.
            del table.events[chance.randrange(len(table.events) + 1) :]
        session["hands"].append(entry | {"events": table.events})
    if chance.random() < 0.5:
        session["close"] = True
    return session
