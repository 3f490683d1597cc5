"""Random sessions for the tests, as session-file objects: legal, or with errors planted.

Nothing here comes from the tracker, so that a mistake of the tracker is not repeated.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SUITS = "SHDC"
BLACK = [str(pip) for pip in range(1, 11)] + ["V", "C", "D", "R"]
RED = [str(pip) for pip in range(10, 0, -1)] + ["V", "C", "D", "R"]
RANKS = {"S": BLACK, "H": RED, "D": RED, "C": BLACK}
PACK = [s + r for s in SUITS for r in RANKS[s]] + [f"T{n}" for n in range(1, 22)] + ["F"]
NAMES = ["Anna", "Bo", "Carl", "Dora", "Erik"]
GUESTS = ["Fie", "Gorm"]


class Chairs:
    """The chairs round the table, counter-clockwise; one that was left stays there, empty."""

    def __init__(self, seats: list[str]) -> None:
        self.chairs: list[str | None] = list(seats)
        self.last_dealer: int | None = None  # the chair

    @property
    def seated(self) -> list[str]:
        return [player for player in self.chairs if player is not None]

    def next_dealer(self) -> str:
        """The next chair that is taken, after the one that dealt last."""
        if self.last_dealer is None:
            return self.seated[0]
        following = self.chairs[self.last_dealer + 1 :] + self.chairs[: self.last_dealer + 1]
        return next(player for player in following if player is not None)

    def deals(self, player: str) -> None:
        self.last_dealer = self.chairs.index(player)

    def join(self, player: str, after: str) -> None:
        place = self.chairs.index(after) + 1
        self.chairs.insert(place, player)
        if self.last_dealer is not None and self.last_dealer >= place:
            self.last_dealer += 1

    def leave(self, player: str) -> None:
        self.chairs[self.chairs.index(player)] = None


def rank(card: str, suit: str) -> int:
    """How high a card is in a trick of `suit`; -1 for one that cannot win it."""
    if card == "F":
        return -1
    if card[0] == "T":
        return 100 + int(card[1:])
    return RANKS[suit].index(card[1:]) if card[0] == suit else -1


def combinations_of(cards: set[str]) -> list[dict]:
    """What a hand of cards must declare, read off the rules file (DECL-1 to DECL-4)."""
    made: list[dict] = []
    trumps = [card for card in cards if card[0] in "TF"]
    if len(trumps) >= 10:
        made.append({"kind": "trumps", "count": len(trumps), "pagat": "T1" in cards})
    if {"F", "T21", "T1"} <= cards:
        count = 3
        while f"T{23 - count}" in cards and count < 22:
            count += 1
        made.append({"kind": "matadors", "count": count})
    for suit in SUITS:
        lacking = [r for r in "RDCV" if suit + r not in cards]
        entry = {"kind": "cavallerie", "suit": suit}
        if not lacking:
            made.append(entry | {"grade": "abundant" if "F" in cards else "full"})
        elif len(lacking) == 1 and "F" in cards:
            made.append(entry | {"grade": "half", "missing": lacking[0]})
    lacking = [suit for suit in SUITS if suit + "R" not in cards]
    if not lacking:
        made.append({"kind": "kings", "grade": "abundant" if "F" in cards else "full"})
    elif len(lacking) == 1 and "F" in cards:
        made.append({"kind": "kings", "grade": "half", "missing": lacking[0]})
    return made


@dataclass
class Planned:
    """How often what goes wrong, as a chance a play (or a hand)."""

    revoke: float = 0.0
    out_of_turn: float = 0.0
    take_back: float = 0.0
    unnamed: float = 0.0
    fool_in_24: float = 0.0
    call: float = 0.0
    misdeclare: float = 0.0
    bad_skat: float = 0.0
    fine: float = 0.0
    end_early: float = 0.0
    redeal: float = 0.0
    tout: float = 0.0
    adjust: float = 0.0
    late_fine: float = 0.0
    reseat: float = 0.0


LEGAL = Planned(take_back=0.01, call=0.15, redeal=0.1, adjust=0.2, reseat=0.2)
FAULTY = Planned(
    revoke=0.03,
    out_of_turn=0.01,
    take_back=0.02,
    unnamed=0.3,
    fool_in_24=0.3,
    call=0.4,
    misdeclare=0.2,
    bad_skat=0.15,
    fine=0.01,
    end_early=0.15,
    redeal=0.1,
    tout=0.15,
    adjust=0.3,
    late_fine=0.4,
    reseat=0.3,
)


@dataclass
class Dealt:
    """A generated session and, for each hand, the plays that were planted as revokes: (player, trick, card)."""

    session: dict
    revokes: list[set[tuple[str, int, str]]] = field(default_factory=list)


def random_session(seed: int, plan: Planned | None = None, hands: int | None = None) -> Dealt:
    """A session of one to four hands under any rule set, its options and 3, 4 or 5 players."""
    chance = random.Random(seed)
    plan = plan or (LEGAL if chance.random() < 0.3 else FAULTY)
    rules = chance.choice(["pagat-2024", "pagat-1996", "dtf-2011"])
    options: dict = {}
    for key, values in {
        "count": [True, False],
        "tout": [85, 80, 90],
        "pagat_win_bonus": [True, False],
        "last_trick_with_bagud": [True, False],
        "sits_out": ["opposite", "right"],
    }.items():
        if chance.random() < 0.25:
            options[key] = chance.choice(values)
    seats = NAMES[: chance.choice([3, 3, 4, 4, 5] if rules == "dtf-2011" else [3, 3, 4])]
    session: dict = {"format": "tarok-session/1", "rules": rules, "seats": seats, "hands": []}
    if options or chance.random() < 0.5:
        session["options"] = options
    dealt = Dealt(session)
    chairs = Chairs(seats)
    tables: list[_Table] = []
    for number in range(hands or chance.choice([1, 1, 2, 3])):
        while chance.random() < plan.reseat:
            _reseat(chance, session, chairs)
        entry: dict = {}
        dealer = chairs.next_dealer()
        if chance.random() < 0.3:
            dealer = chance.choice(chairs.seated)
            entry["dealer"] = dealer
        elif number == 0 or chance.random() < 0.5:
            entry["dealer"] = dealer
        chairs.deals(dealer)
        seated = chairs.seated
        table = _Table(chance, plan, rules, seated, seated.index(dealer), options.get("sits_out", "opposite"))
        tables.append(table)
        entry["events"] = table.events
        table.play()
        _move_chips(chance, plan, tables)
        session["hands"].append(entry)
        dealt.revokes.append(table.revokes)
    while chance.random() < plan.reseat:
        _reseat(chance, session, chairs)
    if chance.random() < 0.6:
        session["close"] = True
    _settle_amounts(session)
    return dealt


def _reseat(chance: random.Random, session: dict, chairs: Chairs) -> None:
    """Somebody joins or leaves, perhaps one who was there before."""
    seated = chairs.seated
    away = [name for name in NAMES + GUESTS if name not in seated]
    most = 5 if session["rules"] == "dtf-2011" else 4
    if len(seated) > 3 and (len(seated) == most or chance.random() < 0.5):
        player = chance.choice(seated)
        chairs.leave(player)
        session["hands"].append({"leave": player})
    elif len(seated) < most:
        player, after = chance.choice(away), chance.choice(seated)
        chairs.join(player, after)
        session["hands"].append({"join": player, "after": after})


def _move_chips(chance: random.Random, plan: Planned, tables: list[_Table]) -> None:
    """Fines for this hand and earlier ones, and adjustments, anywhere in the hand that was played last."""
    now = tables[-1]
    while chance.random() < plan.late_fine:
        number = chance.randrange(len(tables))
        table = tables[number]
        player = chance.choice(table.seats)
        category = chance.choice(["minor", "major", "misdeclaration", "misdeclaration", "irrecoverable"])
        event: dict = {"fine": player, "category": category}
        made = table.declared.get(player)
        if category == "misdeclaration" and made and chance.random() < 0.7:
            event["declarations"] = chance.sample(made, chance.randrange(1, len(made) + 1))
        if table is not now or chance.random() < 0.2:
            event["hand"] = number + 1
        # What he declared in this hand must have been declared before it is paid back.
        declared = max((i for i, one in enumerate(now.events) if "declare" in one), default=-1) + 1
        least = declared if table is now else 0
        place = len(now.events) if chance.random() < 0.5 else chance.randint(least, len(now.events))
        now.events.insert(max(place, least), event)
    while chance.random() < plan.adjust:
        source, target = chance.sample([*now.seats, "king", "pagat"], 2)
        amount: float = 5 * chance.randint(1, 12)
        if source in ("king", "pagat"):
            amount = chance.choice([0.1, 0.3, 0.5, 1.0, 1.0])  # of what it holds; see _settle_amounts
        event = {"adjust": {"from": source, "to": target, "amount": amount}, "reason": "a cup fell over"}
        place = len(now.events) if chance.random() < 0.3 else chance.randint(0, len(now.events))
        now.events.insert(place, event)


def _settle_amounts(session: dict) -> None:
    """Put chips where an adjustment takes a part of a pot: what it holds then, the second reckoning says."""
    from tracker_reference import Reference  # it needs this module first

    Reference(session)


class _Table:
    def __init__(self, chance, plan, rules, seats, dealer, sits_out) -> None:
        self.chance, self.plan, self.rules = chance, plan, rules
        # Steps from the dealer to the two who play with him: at a table of five they sit beside him.
        first, second = {3: (1, 2), 4: (1, 3) if sits_out == "opposite" else (2, 3), 5: (1, 4)}[len(seats)]
        self.players = [seats[(dealer + step) % len(seats)] for step in (first, second, 0)]
        self.dealer = self.players[2]
        self.seats = seats
        self.events: list[dict] = []
        self.revokes: set[tuple[str, int, str]] = set()
        self.held: dict[str, set[str]] = {}
        self.declared: dict[str, list[dict]] = {}
        self.tout = False
        self.keeps_fool = chance.random() < 0.6  # for the end of the hand

    def happens(self, what: str) -> bool:
        return self.chance.random() < getattr(self.plan, what)

    def play(self) -> None:
        if self.happens("redeal"):
            self.events.append({"redeal": self.chance.choice(["misdeal", "no_trumps"])})
        self._deal()
        self._declare()
        length = self.chance.randrange(75) if self.happens("end_early") else 75
        played = 0
        leader = self.players[0]
        for number in range(1, 26):
            if played >= length:
                break
            self.called = number == 23 and self.happens("call")
            if self.called:
                caller = self.chance.choice([p for p in self.players if "F" not in self.held[p]])
                self.events.append({"call_fool": caller})
            leader, played = self._trick(number, leader, played, length)
        if played == 75 and self.chance.random() < 0.05:
            self.events.append({"skat": sorted(self.skat)})

    def _deal(self) -> None:
        pack = list(PACK)
        self.chance.shuffle(pack)
        if self.chance.random() < 0.25:
            # Long trumps, many courts: hands with something to declare.
            pack.sort(key=lambda card: (card[0] in "TF" or card[1] in "RDCV") * self.chance.random() * 2)
        elif self.chance.random() < 0.2:
            # One hand of low cards only, one of high ones: a nolo or a Tout is near.
            pack.sort(key=lambda card: max(rank(card, suit) for suit in SUITS) + 6 * self.chance.random())
            if self.chance.random() < 0.5:
                pack = pack[3:] + pack[:3]
            elif self.chance.random() < 0.5:
                pack = pack[25:] + pack[:25]
        self.held = {p: set(pack[25 * i : 25 * i + 25]) for i, p in enumerate(self.players)}
        self.held[self.dealer] |= set(pack[75:])
        mine = self.held[self.dealer]
        forbidden = {"SR", "HR", "DR", "CR", "T21", "F"} | ({"T1"} if self.rules != "pagat-1996" else set())
        trumps = {card for card in mine if card[0] == "T"}
        plain = sorted(card for card in mine - forbidden if card[0] != "T")
        if self.happens("bad_skat"):
            skat = self.chance.sample(sorted(mine), 3)
        elif self.happens("tout") and "F" in mine:
            self.tout = True
            skat = ["F", *self.chance.sample(plain, 2)]
        elif 0 < len(trumps) <= 3 and not trumps & forbidden:
            skat = [*trumps, *self.chance.sample(plain, 3 - len(trumps))]
        elif len(plain) >= 3:
            skat = self.chance.sample(plain, 3)
        else:
            skat = self.chance.sample(sorted(mine), 3)
        self.skat = set(skat)
        mine -= self.skat

    def _declare(self) -> None:
        if self.tout or (self.plan.tout and self.chance.random() < 0.02):
            self.events.append({"announce_tout": self.dealer})
        if self.chance.random() < 0.15:
            return  # nothing was recorded
        for player in (self.dealer, self.players[0], self.players[1]):
            if self.chance.random() < 0.05:
                continue
            cards = self.held[player]
            if player == self.dealer and self.chance.random() < 0.3:
                cards = cards | self.skat
            made = combinations_of(cards)
            if self.happens("misdeclare"):
                made = self._wrong(made)
            self.declared[player] = made
            self.events.append({"declare": player, "combinations": made})

    def _wrong(self, made: list[dict]) -> list[dict]:
        choice = self.chance.randrange(3)
        if choice == 0 and made:
            return made[1:]
        if choice == 1 and made and "count" in made[0] and made[0]["count"] < 22:
            return [made[0] | {"count": made[0]["count"] + 1}, *made[1:]]
        if not any(entry["kind"] == "trumps" for entry in made):
            return [{"kind": "trumps", "count": 10, "pagat": self.chance.random() < 0.5}, *made]
        return made

    def _trick(self, number: int, leader: str, played: int, length: int) -> tuple[str, int]:
        table: list[tuple[str, str]] = []
        waiting = list(self.players)
        turn = leader
        named = None
        while waiting and played < length:
            player = turn
            if len(waiting) > 1 and self.happens("out_of_turn"):
                player = self.chance.choice([p for p in waiting if p != turn])
            suit = self._suit(table, named)
            card, wrong = self._choose(player, number, table, suit, named)
            event = {"play": player, "card": card}
            led_fool = card == "F" and not table
            if led_fool and not self.happens("unnamed"):
                named = self.chance.choice("SHDCT")
                if self.chance.random() < 0.8:
                    event["named"] = named
                    self.events.append(event)
                else:
                    self.events += [event, {"name_fool": player, "suit": named}]
            else:
                self.events.append(event)
            if self.happens("take_back"):
                again = {"named": named} if led_fool and named else {}
                self.events += [{"take_back": 1}, event | again]
            if wrong:
                self.revokes.add((player, number, card))
            if self.happens("fine"):
                self._fine()
            self.held[player].discard(card)
            table.append((player, card))
            waiting.remove(player)
            played += 1
            place = self.players.index(player)
            following = [self.players[(place + step) % 3] for step in (1, 2)]
            turn = next((p for p in following if p in waiting), turn)
            if led_fool and named and len(waiting) == 2:
                renamed = self._rename(waiting, named)
                if renamed:
                    named = renamed
        if waiting:
            return leader, played
        suit = self._suit(table, named)
        assert suit is not None
        return max(table, key=lambda entry: rank(entry[1], suit))[0], played

    def _rename(self, waiting: list[str], named: str) -> str | None:
        """FOOL-3: both others are void in the name, so second hand names again, now and then."""
        if any(card[0] == named for player in waiting for card in self.held[player]):
            return None
        if self.chance.random() < 0.4:
            return None
        second = next(event["play"] for event in reversed(self.events) if "play" in event)
        place = self.players.index(second)
        player = self.players[(place + 1) % 3]
        suits = sorted({card[0] for card in self.held[player]} - {"F"})
        if not suits:
            return None
        suit = self.chance.choice(suits)
        self.events.append({"name_fool": player, "suit": suit})
        return suit

    def _suit(self, table: list[tuple[str, str]], named: str | None) -> str | None:
        """The suit to follow, as far as it is known."""
        if not table:
            return None
        if table[0][1] != "F":
            return table[0][1][0]
        if named is None:
            return table[1][1][0] if len(table) > 1 else None
        others = [card[0] for _, card in table[1:]]
        if len(others) == 2 and not {named, "T"} & set(others):
            return others[0]
        return named

    def _choose(self, player, number, table, suit, named) -> tuple[str, bool]:
        """A card and whether it is a planted revoke."""
        cards = sorted(self.held[player])
        usable = [card for card in cards if card != "F"]
        with_fool = "F" in cards
        if number == 24 and with_fool and len(cards) > 1 and not self.happens("fool_in_24"):
            with_fool = False
        if with_fool and self.keeps_fool and number < 22 and self.chance.random() < 0.97:
            with_fool = False
        if (
            number == 23
            and "F" in cards
            and self.called
            and (not self.plan.fool_in_24 or self.chance.random() < 0.8)
        ):
            return "F", False
        if suit is None:
            return self.chance.choice(usable + (["F"] if with_fool else []) or cards), False
        legal = [card for card in usable if card[0] == suit]
        if not legal:
            legal = [card for card in usable if card[0] == "T"]
        if not legal:
            legal = usable
            # FOOL-3: second hand showed out of the fool's name without a trump: his card names the suit.
            if table[0][1] == "F" and named and len(table) == 2 and table[1][1][0] not in (named, "T"):
                legal = [card for card in usable if card[0] == table[1][1][0]] or usable
        illegal = [card for card in usable if card not in legal]
        if illegal and self.happens("revoke"):
            return self.chance.choice(illegal), True
        choices = legal + (["F"] if with_fool else [])
        # Keep the ultimo cards back now and then, so that trick 25 has something in it.
        later = [card for card in choices if card not in ("SR", "HR", "DR", "CR", "T1")]
        if later and self.chance.random() < 0.6:
            choices = later
        return self.chance.choice(choices or cards), False

    def _fine(self) -> None:
        player = self.chance.choice(self.players)
        category = self.chance.choice(["superficial", "minor", "major", "misdeclaration", "irrecoverable"])
        event = {"fine": player, "category": category}
        if category == "misdeclaration" and self.declared.get(player) and self.rules != "dtf-2011":
            if any("declarations" in event and event["fine"] == player for event in self.events):
                return
            event["declarations"] = self.declared[player][:1]
        elif category == "misdeclaration" and any(
            event.get("category") == category and event["fine"] == player for event in self.events
        ):
            return
        self.events.append(event)
