"""A slow, plain second reckoning of American Tarock, written from the rules file alone, for comparison.

It keeps nothing up to date: every question is answered by looking at the whole round again. Cards are strings,
piles are sets, and nothing comes from the tracker.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

SUITS = "SHDC"
RANKS = {
    "S": ["7", "8", "9", "10", "V", "C", "D", "R"],
    "H": ["4", "3", "2", "1", "V", "C", "D", "R"],
    "T": [*map(str, range(1, 22)), "F"],
}
RANKS |= {"C": RANKS["S"], "D": RANKS["H"]}
PACK = [suit + rank for suit in SUITS for rank in RANKS[suit]] + [f"T{n}" for n in range(1, 22)] + ["F"]
KINGS = [suit + "R" for suit in SUITS]
TRULA = ["F", "T21", "T1"]
TAROCKS = {card for card in PACK if card[0] in "TF"}
ORDER = (
    "three two one solo_three solo_two solo_one barach solo_no_peek open_barach colour_valat solo_barcelona"
)
GAMES = ORDER.split()
WORTH = dict(zip(GAMES, [10, 20, 30, 40, 50, 60, 70, 80, 90, 125, 250], strict=True)) | {"klop": 70}
EXCHANGE = {"three": 3, "two": 2, "one": 1, "solo_three": 3, "solo_two": 2, "solo_one": 1}
HIGH_RULE = {
    "barach": "AT-HIGH-2",
    "solo_no_peek": "AT-HIGH-3",
    "open_barach": "AT-HIGH-4",
    "colour_valat": "AT-HIGH-5",
    "solo_barcelona": "AT-HIGH-6",
}
BEATING = ("klop", "barach", "open_barach")
CLAIMS = {
    "revoke": "AT-PLAY-3",
    "tarock_led": "AT-PLAY-6",
    "must_beat": "AT-NEG-1",
    "pagat_early": "AT-NEG-2",
    "pagat_not_kept": "AT-ANN-4",
}


def suit(card: str) -> str:
    return "T" if card == "F" else card[0]


def height(card: str) -> int:
    return RANKS[suit(card)].index("F" if card == "F" else card[1:])


def value(card: str) -> int:
    if card in KINGS or card in TRULA:
        return 5
    return {"D": 4, "C": 3, "V": 2}.get(card[1:], 1) if card[0] in SUITS else 1


def counted(cards: set[str]) -> int:
    """Laid in threes, as people do it."""
    heap = sorted(cards)
    total = 0
    while heap:
        three, heap = heap[:3], heap[3:]
        total += sum(map(value, three)) - (2 if len(three) == 3 else 1)
    return total


def more_than_half(cards: set[str]) -> bool:
    return sum((value(card) - Fraction(2, 3) for card in cards), Fraction(0)) > 35


def winner(plays: list[tuple[str, str]], game: str | None) -> str:
    """Who wins a trick of (player, card)."""
    led = suit(plays[0][1])
    cards = [card for _, card in plays]
    if game == "colour_valat" and led != "T":
        candidates = [card for card in cards if suit(card) == led]
    elif all(card in cards for card in TRULA):
        candidates = ["T1"]
    else:
        candidates = [card for card in cards if suit(card) == "T"] or [c for c in cards if suit(c) == led]
    best = max(candidates, key=height)
    return next(player for player, card in plays if card == best)


class Round:
    """One round of the file, after everything that was taken back or dealt again."""

    def __init__(self, seats: list[str], dealer: str, events: list[dict], options: dict) -> None:
        self.seats = seats
        self.options = options
        self.dealer = dealer
        start = seats.index(dealer) + 1
        self.order = [seats[(start + step) % 4] for step in range(4)]
        self.game: str | None = None
        self.declarer: str | None = None
        self.raised = False
        self.named: str | None = None  # the game that was raised
        self.call: str | None = None
        self.talon: list[str] = []
        self.group: list[str] | None = None
        self.laid: list[str] | None = None
        self.announced: set[tuple[str, str]] = set()
        self.bids: list[tuple[str, str]] = []
        self.misdeals = 0
        self.no_tarocks = False
        self.skeench_called = False
        self.steps: list[tuple] = []  # ("play", player, card), ("vitamin", card), ("open", cards)
        self.booked: list[dict] = []  # what people booked
        for event in events:
            self._take(event)

    def _take(self, event: dict) -> None:  # noqa: C901 (a table of events)
        if "bid" in event:
            self.bids.append((event["bid"], event["game"]))
            made = [bid for bid in self.bids if bid[1] != "pass"]
            passed = len(self.bids) - len(made)
            if passed == 4:
                self.game = "klop"
            elif passed == 3 and made:
                self.declarer, self.game = made[-1]
        elif "contract" in event:
            self.game = event["contract"]
            self.declarer = event.get("declarer", self.declarer)
        elif "call" in event:
            self.call = event["call"]
        elif "talon" in event:
            self.talon = event["talon"]
        elif "take" in event:
            size = EXCHANGE[self.game or ""]
            self.group = self.talon[event["take"] * size :][:size]
        elif "discard" in event:
            self.laid = event["discard"]
        elif "announce" in event:
            self.announced.add((event["announce"], event["bonus"]))
        elif "raise" in event:
            self.named, self.raised, self.game, self.announced = self.game, True, "colour_valat", set()
        elif "redeal" in event:
            self.game = self.declarer = self.call = self.group = self.laid = None
            self.talon, self.bids, self.announced, self.raised, self.named = [], [], set(), False, None
            if event["redeal"] == "misdeal":
                self.misdeals += 1
                self.booked.append({"misdeal": self.dealer})
            else:
                self.no_tarocks = True
        elif "skeench_a_tola" in event:
            self.skeench_called = True
        elif "play" in event:
            self.steps.append(("play", event["play"], event["card"]))
        elif "vitamin" in event:
            self.steps.append(("vitamin", event["vitamin"]))
        elif "open" in event:
            self.steps.append(("open", event["open"]))
        elif "take_back" in event:
            del self.steps[len(self.steps) - event["take_back"] :]
        else:
            self.booked.append(event)

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def normal(self) -> bool:
        return self.game in EXCHANGE

    @cached_property
    def plays(self) -> list[tuple[str, str]]:
        return [(step[1], step[2]) for step in self.steps if step[0] == "play"]

    @cached_property
    def tricks(self) -> list[list[tuple[str, str]]]:
        plays = self.plays
        return [plays[start : start + 4] for start in range(0, len(plays), 4)]

    @cached_property
    def done(self) -> list[tuple[list[tuple[str, str]], str]]:
        """The finished tricks, each with its winner."""
        return [(trick, winner(trick, self.game)) for trick in self.tricks if len(trick) == 4]

    @property
    def vitamins(self) -> dict[int, str]:
        found, count = {}, 0
        for step in self.steps:
            if step[0] == "play":
                count += 1
            elif step[0] == "vitamin":
                found[count // 4] = step[1]
        return found

    @property
    def rest(self) -> list[str]:
        return [card for card in self.talon if card not in (self.group or [])]

    @property
    def all_played(self) -> bool:
        return len(self.plays) == 48

    @property
    def discards(self) -> set[str] | None:
        if self.group is None or not self.all_played:
            return None
        return set(PACK) - {card for _, card in self.plays} - set(self.rest)

    @property
    def foreign_kings(self) -> list[tuple[str, str | None, int]]:
        """Kings that were not dealt to the declarer: (king, who played it, at which play; 0 for the Talon)."""
        found: list[tuple[str, str | None, int]] = [(card, None, 0) for card in self.talon if card in KINGS]
        for number, (player, card) in enumerate(self.plays, start=1):
            if card in KINGS and player != self.declarer:
                found.append((card, player, number))
        return found

    @property
    def called(self) -> str | None:
        if self.call is None:
            return None
        if self.call in SUITS:
            return self.call + "R"
        if self.call != "fourth":
            return self.call
        return self.foreign_kings[0][0] if self.foreign_kings else None

    @property
    def partner(self) -> str | None:
        return next((p for p, card in self.plays if card == self.called and p != self.declarer), None)

    @property
    def rest_to(self) -> str | None:
        if self.raised or self.group is None:
            return None
        called = self.called
        if called is None or called not in self.group or called in (self.laid or []):
            return "opponents"
        for trick, won in self.done:
            if any(card == called for _, card in trick):
                return "declarer" if won == self.declarer else "opponents"
        return "opponents" if self.all_played else None

    @property
    def complete(self) -> bool:
        if self.game is None:
            return False
        winners = [won for _, won in self.done]
        if self.game in ("barach", "open_barach") and self.declarer in winners:
            return True
        if self.game in ("colour_valat", "solo_barcelona") and any(w != self.declarer for w in winners):
            return True
        return self.all_played and (self.game != "klop" or len(self.vitamins) == 6)

    @property
    def full_score(self) -> int:
        if self.game is None:
            return 0
        if not self.normal:
            return WORTH[self.game]
        extra = {"kings": 20, "pagat_ultimo": 50, "valat": 200}
        return WORTH[self.game] + 35 + sum(extra[bonus] for bonus in {b for _, b in self.announced})

    def skeench_to(self) -> str | None:
        for number, (trick, won) in enumerate(self.done, start=1):
            if any(card == "F" for _, card in trick) or self.vitamins.get(number) == "F":
                return won
        if "F" in (self.discards or set()) or "F" in (self.laid or []):
            return self.declarer
        if "F" in self.rest and self.group is not None and not self.raised:
            for trick, won in self.done:
                if self.called in self.group and any(card == self.called for _, card in trick):
                    return won
        return None

    # -- scores --------------------------------------------------------------------------------------------

    def piles(self) -> dict[str, set[str]]:
        piles: dict[str, set[str]] = {player: set() for player in self.seats}
        for number, (trick, won) in enumerate(self.done, start=1):
            piles[won] |= {card for _, card in trick}
            if number in self.vitamins:
                piles[won].add(self.vitamins[number])
        return piles

    def mond_lines(self) -> list[tuple]:
        penalty = -self.options["mond_penalty"]
        lines = []
        if not self.normal or not penalty:
            return []
        for trick in self.tricks:
            cards = {card: player for player, card in trick}
            if "T21" in cards and "F" in cards:
                lines.append(("AT-MOND-1", "mond", cards["T21"], penalty))
        if "T21" in self.rest and self.group is not None and self.rest_to == "opponents":
            lines.append(("AT-MOND-2", "mond", self.declarer, penalty))
        return lines

    def result(self) -> dict:
        """Points, cards and won, as far as the game has them, and the lines of the score."""
        if not self.complete:
            return {"lines": []}
        won_tricks = {player: sum(won == player for _, won in self.done) for player in self.seats}
        piles = self.piles()
        if self.game == "klop":
            points = {player: counted(pile) for player, pile in piles.items()}
            lines = [("AT-KLOP-3", "klop", p, -70) for p in self.seats if more_than_half(piles[p])]
            lines += [("AT-KLOP-4", "klop", p, 70) for p in self.seats if not won_tricks[p]]
            lines = lines or [("AT-KLOP-5", "klop", p, -points[p]) for p in self.seats]
            return {"points": points, "cards": {p: len(pile) for p, pile in piles.items()}, "lines": lines}
        assert self.game is not None and self.declarer is not None
        worth = WORTH[self.game]
        if not self.normal and self.game != "solo_no_peek":
            first = [won for _, won in self.done]
            if self.game in ("barach", "open_barach"):
                won = self.declarer not in first
            else:
                won = all(one == self.declarer for one in first)
            rule = HIGH_RULE[self.game]
            return {"won": won, "lines": [(rule, "game", self.declarer, worth if won else -worth)]}
        side = [self.declarer] + ([self.partner] if self.partner else [])
        ours: set[str] = set().union(*(piles[player] for player in side)) | (self.discards or set())
        if self.rest_to == "declarer":
            ours |= set(self.rest)
        theirs = set(PACK) - ours
        points = {"declarer": counted(ours), "opponents": counted(theirs)}
        cards = {"declarer": len(ours), "opponents": len(theirs)}
        won = more_than_half(ours)
        if self.game == "solo_no_peek":
            lines = [("AT-HIGH-3", "game", self.declarer, worth if won else -worth)]
            return {"points": points, "cards": cards, "won": won, "lines": lines}
        each = [("AT-SCORE-2", "game", worth if won else -worth)]
        over = points["declarer"] - 35
        each.append(("AT-SCORE-2", "difference", over if (over > 0) == won else 0))
        each += self._bonuses(side, ours, theirs, won_tricks)
        if self.options["valat_alone"]:
            alone = [line for line in each if line[1] == "valat"]
            each = alone or each
        lines = [(rule, why, player, number) for rule, why, number in each if number for player in side]
        return {"points": points, "cards": cards, "won": won, "lines": lines}

    def _bonuses(self, side: list[str], ours: set, theirs: set, won_tricks: dict) -> list[tuple]:
        lines = []
        if self.called in theirs:
            lines.append(("AT-CALL-7", "called_king_lost", -15))
        if set(TRULA) <= ours or set(TRULA) <= theirs:
            lines.append(("AT-BONUS-1", "trula", 10 if set(TRULA) <= ours else -10))
        last, taker = self.done[11]
        by = {card: player for player, card in last}
        if self.called in by:
            lines.append(("AT-BONUS-2", "king_ultimo", 10 if taker in side else -10))
        ours_won = {
            "kings": set(KINGS) <= ours,
            "pagat_ultimo": by.get("T1") == taker and taker in side,
            "valat": sum(won_tricks[player] for player in side) == 12,
        }
        theirs_won = {
            "kings": set(KINGS) <= theirs,
            "pagat_ultimo": by.get("T1") == taker and taker not in side,
            "valat": sum(won_tricks[player] for player in side) == 0,
        }
        for rule, bonus, worth in (
            ("AT-BONUS-3", "kings", 10),
            ("AT-BONUS-4", "pagat_ultimo", 25),
            ("AT-BONUS-5", "valat", 100),
        ):
            sayers = {player for player, said in self.announced if said == bonus}
            if any(player in side for player in sayers):
                lines.append((rule, bonus, 2 * worth if ours_won[bonus] else -2 * worth))
            if any(player not in side for player in sayers):
                lines.append((rule, bonus, -2 * worth if theirs_won[bonus] else 2 * worth))
            if not sayers:
                if bonus == "pagat_ultimo" and "T1" in by:
                    tried = 1 if by["T1"] in side else -1
                    lines.append((rule, bonus, worth * tried * (1 if by["T1"] == taker else -1)))
                elif bonus != "pagat_ultimo" and (ours_won[bonus] or theirs_won[bonus]):
                    lines.append((rule, bonus, worth if ours_won[bonus] else -worth))
        return lines

    # -- findings ------------------------------------------------------------------------------------------

    def claims(self) -> list[tuple[str, int, set[str]]]:
        """Every play that says something: (kind, number of the play from 1, what its player does not hold)."""
        made = []
        table: list[str] = []
        before: set[str] = set()
        for number, (player, card) in enumerate(self.plays, start=1):
            if number % 4 == 1:
                table = []
            others = set(PACK) - {card}
            if table and suit(card) != suit(table[0]):
                said = {c for c in PACK if suit(c) == suit(table[0])}
                made.append(("revoke", number, said | (set() if card in TAROCKS else TAROCKS)))
            if (
                not table
                and card in TAROCKS
                and not before & TAROCKS
                and self.game != "colour_valat"
                and not self.options["free_lead"]
            ):
                made.append(("tarock_led", number, set(PACK) - TAROCKS))
            if self.game in BEATING and table and card != "T1":
                alike = [c for c in table if suit(c) == suit(card)]
                judged = card in TAROCKS or (
                    suit(card) == suit(table[0]) and not any(c in TAROCKS for c in table)
                )
                if alike and judged:
                    top = max(alike, key=height)
                    if height(card) < height(top):
                        said = {c for c in PACK if suit(c) == suit(card) and height(c) > height(top)}
                        if card in TAROCKS and {"F", "T21"} <= set(table):
                            said.add("T1")
                        made.append(("must_beat", number, said))
            if card == "T1":
                said = others if not table else TAROCKS - {"T1"}
                if self.game in BEATING and not {"F", "T21"} <= set(table):
                    made.append(("pagat_early", number, said))
                if number <= 44 and self.normal and (player, "pagat_ultimo") in self.announced:
                    made.append(("pagat_not_kept", number, said))
            table.append(card)
            before.add(card)
        return made

    @cached_property
    def moments(self) -> list[dict]:
        """The table after each play, vitamin or open hand: `left` are the cards that each player still holds."""
        gone = set(self.rest) | set(self.laid or [])
        found = []
        played: list[tuple[str, str]] = []
        opened: set[str] | None = None
        left = dict.fromkeys(self.seats, 12)
        for step in self.steps:
            if step[0] == "play":
                played.append((step[1], step[2]))
                gone.add(step[2])
                left[step[1]] -= 1
            elif step[0] == "vitamin":
                gone.add(step[1])
            else:
                opened = set(step[1])
            unseen = set(PACK) - gone
            found.append({"played": list(played), "unseen": unseen, "open": opened, "left": dict(left)})
        return found

    def judged(self, number: int, said: set[str]) -> tuple | None:
        """When the claim of play `number` is certain to be false, and how: (status, play, evidence)."""
        player = self.plays[number - 1][0]
        known = None
        for moment in self.moments:
            played, opened = moment["played"], moment["open"]
            if len(played) < number:
                continue
            own = [c for p, c in played[number:] if p == player]
            lying = opened & moment["unseen"] if opened and player == self.declarer else set()
            if not said.isdisjoint(own) or lying & said:
                known = "shown", len(played)
                break
            could = moment["unseen"] - said
            if player == self.declarer:
                could = could & opened if opened else could
            else:
                could = could - set(self.group or []) - (opened or set())
            if len(could) < moment["left"][player]:
                known = "proved", len(played)
                break
        if known is None:
            return None
        evidence = {c for p, c in self.plays[number:] if p == player and c in said}
        last = self.moments[-1]
        if last["open"] and player == self.declarer:
            evidence |= last["open"] & last["unseen"] & said
        return known[0], known[1], evidence

    def violations(self, compulsory: bool) -> list[tuple]:
        """(rule, kind, player, trick, card, status, play at which it is known, evidence, fine)."""
        fine = self.full_score
        found = []
        low = GAMES[: GAMES.index("solo_no_peek")]
        said = [self.named, self.game, *(game for _, game in self.bids)]
        if compulsory and any(game in low for game in said):
            found.append(("AT-COMP-2", "compulsory_klop_missed", None, None, None, None, None, (), 0))
        for kind, number, said in self.claims():
            verdict = self.judged(number, said)
            if verdict:
                player, card = self.plays[number - 1]
                status, known, evidence = verdict
                trick = (number + 3) // 4
                found.append(
                    (CLAIMS[kind], kind, player, trick, card, status, known, tuple(sorted(evidence)), fine)
                )
        found += self._order()
        declarer = self.declarer
        laid = self.laid or []
        for card in sorted((self.discards or set()) | set(laid if self.group is not None else [])):
            known_at = None if card in laid else 48
            if card in KINGS + TRULA or card in (self.group or []):
                rule = "AT-TALON-6" if card in KINGS + TRULA else "AT-TALON-5"
                found.append((rule, "bad_discard", declarer, None, card, None, known_at, (), fine))
            if card in TAROCKS and card not in laid and self.laid is not None:
                found.append(("AT-TALON-7", "discard_not_shown", declarer, None, card, None, 48, (), fine))
        kings = self.foreign_kings
        if self.call in TRULA and kings:
            known_at = kings[0][2] or None
            found.append(("AT-CALL-4", "call_forbidden", declarer, None, self.call, None, known_at, (), fine))
        if self.call == "fourth" and (len(kings) > 1 or (not kings and self.all_played)):
            known_at = (kings[1][2] or None) if kings else 48
            found.append(("AT-CALL-5", "call_forbidden", declarer, None, None, None, known_at, (), fine))
        if self.all_played:
            for player in self.seats:
                dealt = {card for p, card in self.plays if p == player}
                if player == declarer and self.group is not None:
                    dealt = (dealt | (self.discards or set())) - set(self.group)
                if not dealt & TAROCKS:
                    found.append(("AT-DEAL-5", "no_tarocks", player, None, None, None, 48, (), fine))
        return found

    def _order(self) -> list[tuple]:
        found = []
        high = self.game != "klop" and self.game not in EXCHANGE
        leader = self.declarer if high else self.order[0]
        done = self.done
        for number, trick in enumerate(self.tricks):
            due = leader if not number else done[number - 1][1]
            for place, (player, card) in enumerate(trick):
                play = 4 * number + place + 1
                if place == 0:
                    wrong = player != due
                else:
                    first = self.order.index(trick[0][0])
                    there = [p for p, _ in trick[:place]]
                    ring = self.order[first:] + self.order[:first]
                    wrong = player != next(p for p in ring if p not in there)
                if wrong:
                    kind = "play_out_of_turn" if place else "lead_out_of_turn"
                    found.append(("AT-ORDER", kind, player, number + 1, card, None, play, (), 0))
        return found


class Reference:
    """The whole session: `rounds` as `comparable` has them, `totals` and `asterisks` at the end.

    `compulsory` tells whether the next round is a compulsory Klop.
    """

    def __init__(self, session: dict) -> None:
        self.seats = session["seats"]
        self.options = {
            "mond_penalty": 21,
            "zero_klop": True,
            "valat_alone": True,
            "free_lead": False,
        } | session.get("options", {})
        self.totals = dict.fromkeys(self.seats, 0)
        self.asterisks = dict.fromkeys(self.seats, 0)
        self._scored: list[tuple[dict, Round, bool]] = []
        self.last_dealer: str | None = None
        self.over = False
        self._behind: list[Round] = []
        self.compulsory = self._skeench = False
        dealer = self.seats[0]
        for entry in session["hands"]:
            dealer = entry.get("dealer", dealer)
            self._round(Round(self.seats, dealer, entry["events"], self.options))
            dealer = self.seats[(self.seats.index(dealer) + 1) % 4]

    @property
    def rounds(self) -> list[dict]:
        return [
            data | {"violations": sorted(one.violations(compulsory), key=repr)}
            for data, one, compulsory in self._scored
        ]

    def _round(self, one: Round) -> None:
        self._behind.append(one)
        before = dict(self.totals)
        scores: list[tuple] = []
        for event in one.booked:
            if "misdeal" in event:
                self.asterisks[one.dealer] += 1
                scores.append(("AT-DEAL-6", "misdeal", one.dealer, -20 * self.asterisks[one.dealer]))
            elif "adjust" in event:
                scores.append(
                    ("AT-REN-5", "adjustment", event["adjust"]["player"], event["adjust"]["points"])
                )
            else:
                where = self._behind[event.get("hand", len(self._behind)) - 1]
                amount = event.get("amount") or where.full_score
                scores.append(("AT-REN-1", "renonce", event["renonce"], -amount))
        scores += one.mond_lines()
        result = one.result()
        scores += result.pop("lines")
        for _, _, player, points in scores:
            self.totals[player] += points
        compulsory = self.compulsory or one.no_tarocks
        skeench = self._skeench or one.skeench_called
        data = {
            "dealer": one.dealer,
            "compulsory_klop": compulsory,
            "complete": one.complete,
            "contract": one.game,
            "declarer": one.declarer,
            "called": one.called,
            "partner": one.partner,
            "tricks": [
                (trick, suit(trick[0][1]), won, one.vitamins.get(number) if one.game == "klop" else None)
                for number, (trick, won) in enumerate(one.done, start=1)
            ],
            "tricks_won": {player: sum(won == player for _, won in one.done) for player in self.seats},
            "talon": (one.group, one.rest, one.rest_to) if one.group is not None else None,
            "discards": one.discards,
            "points": result.get("points"),
            "cards": result.get("cards"),
            "won": result.get("won"),
            "scores": sorted(scores),
            "totals": dict(self.totals),
            "skeench": one.skeench_to() if skeench else "none",
        }
        self._scored.append((data | {"next": self._next(one, before, skeench)}, one, compulsory))

    def _next(self, one: Round, before: dict, skeench: bool) -> dict | None:
        zero = [p for p in self.seats if self.totals[p] == 0 and before[p] != 0]
        if not self.options["zero_klop"]:
            zero = []
        self.compulsory = bool(zero)
        left = None
        if self.last_dealer is not None:
            left = (self.seats.index(self.last_dealer) - self.seats.index(one.dealer)) % 4
        elif skeench and one.skeench_to():
            self.last_dealer = one.skeench_to()
            left = (self.seats.index(self.last_dealer) - self.seats.index(one.dealer) - 1) % 4 + 1
        self._skeench = skeench and left is None
        self.over = left == 0
        if self.over:
            return None
        return {
            "dealer": self.seats[(self.seats.index(one.dealer) + 1) % 4],
            "compulsory_klop": bool(zero),
            "zero": zero,
            "skeench_a_tola": self._skeench,
            "rounds_left": left,
        }


KEPT = ("dealer", "compulsory_klop", "complete", "contract", "declarer", "called", "partner")
"""What `comparable` takes from a round of an audit as it is, beside the result."""


def comparable(audit: dict) -> dict:
    """An audit as the reference has it: what has no order is sorted."""
    rounds = []
    for data in audit["hands"]:
        talon = data.get("talon")
        rounds.append(
            {key: data.get(key) for key in KEPT}
            | {
                "tricks": [
                    (
                        list(zip(trick["players"], trick["cards"], strict=True)),
                        trick["suit"],
                        trick["winner"],
                        trick.get("vitamin"),
                    )
                    for trick in data["tricks"]
                ],
                "tricks_won": data["tricks_won"],
                "talon": (talon["taken"], talon["rest"], talon["rest_to"]) if talon else None,
                "discards": set(data["discards"]) if "discards" in data else None,
                "points": data.get("points"),
                "cards": data.get("cards"),
                "won": data.get("won"),
                "scores": sorted((s["rule"], s["reason"], s["player"], s["points"]) for s in data["scores"]),
                "totals": data["totals"],
                "violations": sorted((_violation(v) for v in data["violations"]), key=repr),
                "skeench": data["skeench"]["player"] if "skeench" in data else "none",
                "next": data["next"],
            }
        )
    return {"totals": audit["balances"], "asterisks": audit["asterisks"], "rounds": rounds}


def _violation(row: dict) -> tuple:
    known = row["known_at"]
    if known is not None:
        assert known["trick"] == (known["play"] + 3) // 4
    return (
        row["rule"],
        row["kind"],
        row["player"],
        row["trick"],
        row["card"],
        row.get("status"),
        known["play"] if known else None,
        tuple(sorted(row.get("evidence", ()))),
        row["fine"],
    )
