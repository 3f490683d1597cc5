"""French Tarot reckoned a second time, plainly: a session file's object in, its audit out.

Nothing is shared with the tracker and nothing is kept up play by play: each deal is looked at as a whole, every claim
is judged anew at every moment. Cards are strings, piles are sets, points are fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

SUITS = "SHDC"
RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R"]
TRUMPS = [f"T{number}" for number in range(1, 22)]
PACK = [suit + rank for suit in SUITS for rank in RANKS] + TRUMPS + ["F"]
BOUTS = {"T21", "T1", "F"}
KINGS = {suit + "R" for suit in SUITS}
CONTRACTS = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}
TABLE = {3: (24, 6, (13, 15, 18)), 4: (18, 6, (10, 13, 15)), 5: (15, 3, (8, 10, 13))}
HALF = Fraction(1, 2)
RULES = {
    "revoke": "FT-PLAY-3",
    "under_trump": "FT-PLAY-4",
    "called_suit_led": "FT-5-4",
    "needless_trump": "FT-DOG-4",
    "handful_excuse": "FT-HANDFUL-4",
}


def value(card: str) -> Fraction:
    if card in BOUTS or card in KINGS:
        return Fraction(9, 2)
    if card[0] == "T":
        return HALF
    return {"D": Fraction(7, 2), "C": Fraction(5, 2), "V": Fraction(3, 2)}.get(card[1:], HALF)


def ranks_above(called: str) -> set[str]:
    """The court cards of higher rank than the called one."""
    return {suit + rank for suit in SUITS for rank in "VCDR"["VCDR".index(called[1:]) + 1 :]}


def led_suit(cards: list[str]) -> str | None:
    return next((card[0] for card in cards[:2] if card != "F"), None)


def best(trick: list[tuple[str, str]]) -> str:
    """Who has the highest trump, or else the highest card of the suit led."""
    led = led_suit([card for _, card in trick])

    def height(play: tuple[str, str]) -> int:
        card = play[1]
        if card[0] == "T":
            return 100 + int(card[1:])
        return RANKS.index(card[1:]) if card[0] == led else -1

    return max(trick, key=height)[0]


def exact(points: Fraction) -> int | float:
    return int(points) if points.denominator == 1 else float(points)


class Deal:
    """One deal: what stands in the end of its events."""

    def __init__(
        self, order: list[str], dealer: str, out: list[str], events: list[dict], penalty: int
    ) -> None:
        self.order, self.dealer, self.out, self.penalty = order, dealer, out, penalty
        self.held, self.in_dog, self.handful_sizes = TABLE[len(order)]
        self.reset()
        self.void: str | None = None
        for event in events:
            self._take(event)
        self.partner = next(
            (who for who, card in self.plays if card == self.called and who != self.taker), None
        )

    def reset(self) -> None:
        self.bids: list[tuple[str, str]] = []
        self.contract: str | None = None
        self.taker: str | None = None
        self.called: str | None = None
        self.dog: list[str] | None = None
        self.laid: list[str] | None = None
        self.slam = False
        self.plays: list[tuple[str, str]] = []
        self.handfuls: list[tuple[int, str, list[str]]] = []  # after how many plays, who, what
        self.awards: list[dict] = []

    def _take(self, event: dict) -> None:  # noqa: C901 (a table of events)
        if "bid" in event:
            self.bids.append((event["bid"], event["contract"]))
            if len(self.bids) == len(self.order):
                made = [bid for bid in self.bids if bid[1] != "pass"]
                if made:
                    self.taker, self.contract = made[-1]
                else:
                    self.void = "passed"
        elif "contract" in event:
            self.contract, self.taker = event["contract"], event.get("taker", self.taker)
        elif "call" in event:
            self.called = event["call"]
        elif "dog" in event:
            self.dog = event["dog"]
        elif "discard" in event:
            self.laid = event["discard"]
        elif "slam" in event:
            self.slam = True
        elif "handful" in event:
            self.handfuls.append((len(self.plays), event["handful"], event["cards"]))
        elif "redeal" in event:
            self.reset()
            if event["redeal"] == "petit_sec":
                self.void = "petit_sec"
        elif "annul" in event:
            self.void = "annulled"
        elif "award" in event:
            self.awards.append(event)
        elif "play" in event:
            self.plays.append((event["play"], event["card"]))
        elif "take_back" in event:
            del self.plays[len(self.plays) - event["take_back"] :]

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def ours(self) -> set[str | None]:
        return {self.taker, self.partner} - {None}

    def side(self, player: str | None) -> str:
        return "taker" if player in self.ours else "defence"

    @property
    def all_played(self) -> bool:
        return len(self.plays) == self.held * len(self.order)

    @property
    def complete(self) -> bool:
        return self.all_played and self.void is None

    def tricks(self) -> list[tuple[list[tuple[str, str]], str]]:
        """The full tricks, each with who won it."""
        count = len(self.order)
        found: list[tuple[list[tuple[str, str]], str]] = []
        for start in range(0, len(self.plays) - count + 1, count):
            trick = self.plays[start : start + count]
            won = best(trick)
            leader = trick[0][0]
            if start // count == self.held - 1 and trick[0][1] == "F":
                before = {self.side(one) for _, one in found}
                if before == {self.side(leader)}:
                    won = leader
            found.append((trick, won))
        return found

    def takes_dog(self) -> bool:
        return self.contract in ("prise", "garde")

    def aside(self) -> list[str]:
        return [card for card in PACK if card not in {card for _, card in self.plays}]

    def trick_number(self, play: int) -> int:
        return (play - 1) // len(self.order) + 1

    def at(self, plays: int) -> dict[str, int] | None:
        return {"trick": self.trick_number(plays), "play": plays} if plays else None

    # -- the count -----------------------------------------------------------------------------------------

    def excuse(self) -> dict[str, Any] | None:
        number = next((at for at, (_, card) in enumerate(self.plays) if card == "F"), None)
        if number is None:
            return None
        player, trick = self.plays[number][0], self.trick_number(number + 1)
        done = self.tricks()
        winner = done[trick - 1][1] if trick <= len(done) else None
        row = {"player": player, "trick": trick, "winner": winner, "to": None, "state": "open"}
        if not self.complete:
            return row
        own = self.side(player)
        if trick == self.held and {self.side(won) for _, won in done} != {own}:
            return row | {"to": "defence" if own == "taker" else "taker", "state": "lost"}
        if self.side(winner) == own:
            return row | {"to": own, "state": "kept"}
        low = [
            card for cards, won in done if self.side(won) == own for _, card in cards if value(card) == HALF
        ]
        return row | {"to": own, "state": "exchanged" if low else "owed"}

    def result(self) -> dict[str, Any]:  # noqa: C901 (the formula of a score)
        """Everything that a complete deal comes to, and its lines of the score sheet."""
        done = self.tricks()
        ours = {card for cards, won in done if self.side(won) == "taker" for _, card in cards}
        if self.contract != "garde_contre":
            ours |= set(self.aside())
        excuse = self.excuse()
        paid = Fraction(0)
        if excuse is not None:
            ours.discard("F")
            if excuse["to"] == "taker":
                ours.add("F")
            if excuse["state"] != "kept":
                paid = -HALF if excuse["to"] == "taker" else HALF
        for award in self.awards:
            if award["to"] == "taker":
                ours |= set(award["award"])
            else:
                ours -= set(award["award"])
        points = sum(map(value, ours), paid)
        bouts = len(ours & BOUTS)
        needed = {0: 56, 1: 51, 2: 41, 3: 36}[bouts]
        won = points >= needed
        difference = ceil(points - needed) if won else floor(points - needed)
        times = CONTRACTS[self.contract or ""]
        game = (25 + abs(difference)) * times * (1 if won else -1)
        lines = [("FT-SCORE-2", "game", game)]
        last, last_won = done[-1]
        closing = last[0][1] == "F" and last_won == last[0][0]
        if any(card == "T1" for _, card in last):
            lines.append(("FT-PETIT-1", "petit_au_bout", 10 * times * (1 if last_won in self.ours else -1)))
        elif closing and any(card == "T1" for _, card in done[-2][0]):
            lines.append(
                ("FT-PETIT-2", "petit_au_bout", 10 * times * (1 if done[-2][1] in self.ours else -1))
            )
        for handful in self.handfuls:
            if self.counts(handful, won):
                lines.append(("FT-HANDFUL-3", "handful", self.worth(handful) * (1 if won else -1)))
        sides = {self.side(one) for _, one in done}
        if self.slam:
            lines.append(("FT-SLAM-2", "slam", 400 if sides == {"taker"} else -200))
        elif sides == {"taker"}:
            lines.append(("FT-SLAM-3", "slam", 200))
        if sides == {"defence"}:
            lines.append(("FT-SLAM-4", "slam", -200))
        entries = []
        for rule, reason, mark in lines:
            defenders = [player for player in self.order if player not in self.ours]
            given = mark * len(defenders)
            for player in self.order:
                if player in defenders:
                    number = -mark
                elif player == self.partner:
                    number = mark
                else:
                    number = given - (mark if self.partner else 0)
                if number:
                    entries.append({"rule": rule, "reason": reason, "player": player, "points": number})
        return {
            "points": {"taker": exact(points), "defence": exact(91 - points)},
            "bouts": bouts,
            "needed": needed,
            "difference": difference,
            "won": won,
            "mark": sum(mark for _, _, mark in lines),
            "entries": entries,
        }

    # -- handfuls ------------------------------------------------------------------------------------------

    def worth(self, handful: tuple[int, str, list[str]]) -> int:
        cards = len(handful[2])
        return max(
            (worth for worth, size in zip((20, 30, 40), self.handful_sizes, strict=True) if cards >= size),
            default=0,
        )

    def timing(self, handful: tuple[int, str, list[str]]) -> str:
        plays, player, _ = handful
        own = [number for number, (who, _) in enumerate(self.plays[:plays], start=1) if who == player]
        if not own:
            following = self.plays[plays][0] if plays < len(self.plays) else player
            return "in time" if player in (self.taker, following) else "other"
        return "late" if own == [plays] else "other"

    def counts(self, handful: tuple[int, str, list[str]], won: bool) -> bool:
        if not self.worth(handful):
            return False
        his_won = won == (handful[1] in self.ours)
        return not (self.timing(handful) == "other" and his_won)

    # -- violations ----------------------------------------------------------------------------------------

    def claims(self) -> list[dict[str, Any]]:
        """Every claim with the cards that it denies, and after how many plays it was made."""
        found = []
        pack = set(PACK)
        if self.laid is not None and any(card[0] == "T" and card not in BOUTS for card in self.laid):
            denied = {card for card in pack if card[0] in SUITS} - KINGS - set(self.laid)
            found.append({"kind": "needless_trump", "player": self.taker, "made": 0, "denied": denied})
        for plays, player, cards in self.handfuls:
            if "F" in cards:
                denied = set(TRUMPS) - set(cards)
                found.append(
                    {"kind": "handful_excuse", "player": player, "made": plays, "denied": denied, "card": "F"}
                )
        count = len(self.order)
        for number, (player, card) in enumerate(self.plays, start=1):
            before = [one for _, one in self.plays[(number - 1) // count * count : number - 1]]
            about = {"player": player, "made": number, "card": card, "trick": self.trick_number(number)}
            if card == "F":
                continue
            if number == 1 and self.called and card[0] == self.called[0] and card != self.called:
                harmless = {one for one in pack if one[0] == self.called[0] and one != self.called}
                found.append(about | {"kind": "called_suit_led", "denied": pack - harmless})
            led = led_suit(before)
            if led is None:
                continue
            if card[0] != led:
                denied = {one for one in pack if one[0] == led}
                if card[0] != "T":
                    denied |= set(TRUMPS)
                found.append(about | {"kind": "revoke", "denied": denied})
            if card[0] == "T":
                highest = max((int(one[1:]) for one in before if one[0] == "T"), default=0)
                denied = {one for one in TRUMPS if int(one[1:]) > highest}
                if highest > int(card[1:]) and denied:
                    found.append(about | {"kind": "under_trump", "denied": denied})
        return found

    @cached_property
    def moments(self) -> list[tuple[int, list[tuple[int, str, list[str]]], set[str]]]:
        """What is known at each moment: so many plays, these handfuls, and which cards neither lie open nor lay so."""
        found = []
        for plays in range(len(self.plays) + 1):
            unseen = set(PACK) - {card for _, card in self.plays[:plays]} - set(self.laid or [])
            so_far = [handful for handful in self.handfuls if handful[0] < plays]
            found.append((plays, list(so_far), unseen))
            for handful in self.handfuls:
                if handful[0] == plays:
                    so_far.append(handful)
                    found.append((plays, list(so_far), unseen))
        return found

    def judged(self, claim: dict[str, Any]) -> dict[str, Any] | None:
        """What becomes of a claim: shown, proved or nothing."""
        player, denied = claim["player"], claim["denied"]
        mine = [(number, card) for number, (who, card) in enumerate(self.plays) if who == player]
        status = known = None
        for plays, handfuls, unseen in self.moments:
            if plays < claim["made"]:
                continue
            if claim["kind"] == "handful_excuse" and not any(one[1] == player for one in handfuls):
                continue
            later = {card for number, card in mine if claim["made"] <= number < plays}
            shows = {card for one in handfuls if one[1] == player for card in one[2]} & unseen
            if denied & (later | shows):
                status, known = "shown", plays
                break
            could = unseen - denied
            if player != self.taker:
                could -= set(self.dog or [])
            for _, who, cards in handfuls:
                if who != player:
                    could -= set(cards)
            holds = self.held - sum(number < plays for number, _ in mine)
            if len(could) < holds:
                status, known = "proved", plays
                break
        if status is None:
            return None
        evidence = {card for number, card in mine if number >= claim["made"]} & denied
        for plays, who, cards in self.handfuls:
            since = max(plays, claim["made"])
            gone = {card for _, card in self.plays[:since]} | set(self.laid or [])
            if who == player:
                evidence |= (set(cards) & denied) - gone
        return {
            "rule": RULES[claim["kind"]],
            "kind": claim["kind"],
            "player": player,
            "trick": claim.get("trick"),
            "card": claim.get("card"),
            "status": status,
            "known_at": self.at(known or 0),
            "evidence": sorted(evidence),
        }

    def violations(self) -> list[dict[str, Any]]:
        found = [row for row in map(self.judged, self.claims()) if row is not None]
        for row in found:
            if row["kind"] in ("revoke", "under_trump", "called_suit_led"):
                row["consumed"] = len(self.plays) > row["trick"] * len(self.order)
                fine = row["consumed"] or row["player"] != self.taker
                row |= self._weight(fine, not row["consumed"] and fine, row["consumed"])
            else:
                row |= self._weight(True, row["kind"] == "handful_excuse", True)
        found += self.out_of_turn() + self.about_handfuls() + self.about_the_call()
        found += self.about_the_discard()
        return found

    def _weight(self, fined: bool, warning: bool, annul: bool) -> dict[str, Any]:
        return {"fine": self.penalty if fined else 0, "warning": warning, "annul": annul}

    def out_of_turn(self) -> list[dict[str, Any]]:
        found = []
        count = len(self.order)
        leader = self.order[0] if not self.slam else self.taker
        for number, (player, card) in enumerate(self.plays, start=1):
            trick = self.trick_number(number)
            before = [who for who, _ in self.plays[(trick - 1) * count : number - 1]]
            if before:
                start = self.order.index(before[0])
                ring = self.order[start:] + self.order[:start]
                turn = next(who for who in ring if who not in before)
            else:
                turn = self.tricks()[trick - 2][1] if trick > 1 else leader
            if player != turn:
                fined = player != self.taker
                kind = "play_out_of_turn" if before else "lead_out_of_turn"
                found.append(
                    {"rule": "FT-PLAY-8", "kind": kind, "player": player, "trick": trick, "card": card}
                    | {"known_at": self.at(number)}
                    | self._weight(fined, fined, False)
                )
        return found

    def about_handfuls(self) -> list[dict[str, Any]]:
        found = []
        for handful in self.handfuls:
            plays, player, cards = handful
            row = {"player": player, "trick": None, "card": None, "known_at": self.at(plays)}
            defends = player not in self.ours
            if not self.worth(handful):
                kind = {"rule": "FT-HANDFUL-5", "kind": "handful_incomplete"}
                found.append(kind | row | self._weight(True, True, defends))
            elif len(cards) not in self.handful_sizes:
                kind = {"rule": "FT-HANDFUL-5", "kind": "handful_too_many"}
                warned = player != self.taker
                found.append(kind | row | self._weight(warned, warned, defends))
            timing = self.timing(handful)
            if timing != "in time":
                kind = {"rule": "FT-HANDFUL-6", "kind": "handful_late"}
                found.append(kind | row | self._weight(True, True, defends and timing == "other"))
        return found

    def about_the_call(self) -> list[dict[str, Any]]:
        if self.called is None:
            return []
        above = ranks_above(self.called)
        shown = [(0, card) for card in self.dog or [] if card in above]
        shown += [
            (number, card)
            for number, (player, card) in enumerate(self.plays, start=1)
            if card in above and player != self.taker
        ]
        if self.all_played and not self.takes_dog():
            shown += [(len(self.plays), card) for card in self.aside() if card in above]
        if not shown:
            return []
        row = {"rule": "FT-5-2", "kind": "call_forbidden", "player": self.taker, "trick": None}
        row |= {"card": self.called, "known_at": self.at(shown[0][0])}
        return [row | {"evidence": sorted(card for _, card in shown)} | self._weight(True, False, True)]

    def about_the_discard(self) -> list[dict[str, Any]]:
        found = []
        end = self.at(len(self.plays))

        def add(rule: str, kind: str, player: str | None, card: str | None, known: Any, **more: Any) -> None:
            row = {"rule": rule, "kind": kind, "player": player, "trick": None, "card": card}
            found.append(row | {"known_at": known} | more | self._weight(True, False, True))

        for card in self.laid or []:
            if card in KINGS or card in BOUTS:
                add("FT-DOG-3", "bad_discard", self.taker, card, None)
        if not self.all_played or self.contract is None:
            return found
        aside = self.aside()
        if self.takes_dog():
            hidden = [card for card in aside if card not in (self.laid or [])]
            for card in hidden:
                if card in KINGS or card in BOUTS:
                    add("FT-DOG-3", "bad_discard", self.taker, card, end)
                elif card[0] == "T" and self.laid is not None:
                    add("FT-DOG-4", "discard_not_shown", self.taker, card, end)
            small = [card for card in aside if card[0] == "T" and card not in BOUTS]
            kept = [
                card
                for who, card in self.plays
                if who == self.taker and card[0] in SUITS and card not in KINGS
            ]
            if small and not set(small) & set(self.laid or []) and kept:
                add(
                    "FT-DOG-4", "needless_trump", self.taker, None, end, status="shown", evidence=sorted(kept)
                )
        for player in self.order:
            dealt = {card for who, card in self.plays if who == player}
            if player == self.taker and self.takes_dog():
                if self.dog is None:
                    continue
                dealt = (dealt | set(aside)) - set(self.dog)
            if {card for card in dealt if card[0] in "TF"} == {"T1"}:
                add("FT-DEAL-5", "petit_sec", player, "T1", end)
        return found

    def row(self) -> dict[str, Any]:
        done = self.tricks()
        row: dict[str, Any] = {
            "dealer": self.dealer,
            "sits_out": self.out,
            "complete": self.complete,
            "void": self.void,
            "contract": self.contract,
            "taker": self.taker,
            "called": self.called,
            "partner": self.partner,
            "tricks": [
                {
                    "leader": trick[0][0],
                    "suit": led_suit([card for _, card in trick]),
                    "cards": [card for _, card in trick],
                    "players": [player for player, _ in trick],
                    "winner": won,
                }
                for trick, won in done
            ],
            "tricks_won": {player: sum(won == player for _, won in done) for player in self.order},
            "excuse": self.excuse(),
        }
        if self.all_played:
            row["aside"] = sorted(self.aside())
        result = self.result() if self.complete else None
        if result is not None:
            entries = result.pop("entries")
            row |= result
        row["handfuls"] = [
            {
                "player": handful[1],
                "cards": len(handful[2]),
                "value": self.worth(handful),
                "counted": self.counts(handful, result["won"]) if result is not None else None,
            }
            for handful in self.handfuls
        ]
        row["scores"] = entries if result is not None else []
        row["violations"] = self.violations()
        row["annul_proposed"] = result is not None and any(
            one["annul"] and (one["player"] in self.ours) == result["won"] for one in row["violations"]
        )
        return row


class Reckoning:
    """Goes through a session once; `audit` is what it comes to, and `next` deals after it."""

    def __init__(self, session: dict[str, Any]) -> None:
        options = session.get("options", {})
        self.mort, self.penalty = options.get("mort", False), options.get("penalty", 100)
        self.seats = list(session["seats"])
        self.totals = dict.fromkeys(self.seats, 0)
        self.next = self.seats[0]
        # The dealer of the last deal while he is seated, and whether he deals again.
        self.last: str | None = None
        self.again = False
        self._entries = [self._entry(entry) for entry in session["hands"]]

    @cached_property
    def audit(self) -> dict[str, Any]:
        hands = [
            self._row(*entry) if isinstance(entry, tuple) else self._seat(entry) for entry in self._entries
        ]
        return {"format": "tarok-audit/1", "balances": self.totals, "pots": {}, "hands": hands}

    def _from(self, player: str) -> list[str]:
        place = self.seats.index(player)
        return self.seats[place:] + self.seats[:place]

    def _entry(self, entry: dict[str, Any]) -> dict[str, str] | tuple[Deal, list[dict[str, Any]], str]:
        """Who came or went; or a deal, its events and the next dealer."""
        if "join" in entry:
            self.seats.insert(self.seats.index(entry["after"]) + 1, entry["join"])
            if entry["after"] == self.last and not self.again:
                self.next = entry["join"]
            return {"join": entry["join"]}
        if "leave" in entry:
            player = entry["leave"]
            if player == self.last:
                self.last = None
            if player == self.next:
                self.next = self._from(player)[1]
            self.seats.remove(player)
            return {"leave": player}
        dealer = entry.get("dealer", self.next)
        ring = self._from(dealer)
        out = [dealer] if self.mort and len(self.seats) == 5 else []
        deal = Deal([*ring[1:], *([] if out else [dealer])], dealer, out, entry["events"], self.penalty)
        self.last = dealer
        self.again = deal.void == "annulled" or (bool(out) and deal.void in ("passed", "petit_sec"))
        self.next = dealer if self.again else ring[1]
        return deal, entry["events"], self.next

    def _seat(self, entry: dict[str, str]) -> dict[str, str]:
        if "join" in entry:
            self.totals.setdefault(entry["join"], 0)
        return entry

    def _row(self, deal: Deal, events: list[dict[str, Any]], dealer: str) -> dict[str, Any]:
        """What a deal comes to, and what is booked in it; `dealer` is the next one."""
        row = deal.row()
        for score in row["scores"]:
            self.totals[score["player"]] += score["points"]
        for event in events:
            if "renonce" in event:
                line = ("FT-REN-8", "penalty", event["renonce"], -event.get("points", self.penalty))
            elif "adjust" in event:
                line = ("FT-REN-9", "adjustment", event["adjust"]["player"], event["adjust"]["points"])
            else:
                continue
            rule, reason, player, points = line
            row["scores"].append({"rule": rule, "reason": reason, "player": player, "points": points})
            self.totals[player] += points
        return row | {"totals": dict(self.totals), "next": {"dealer": dealer}}


def comparable(audit: dict[str, Any]) -> dict[str, Any]:
    """An audit without the orders that nothing is said about."""
    hands = []
    for row in audit["hands"]:
        if "dealer" in row:
            violations = [
                one | ({"evidence": sorted(one["evidence"])} if "evidence" in one else {})
                for one in row["violations"]
            ]
            row = row | {"violations": sorted(violations, key=lambda one: sorted(map(str, one.items())))}
            if "aside" in row:
                row["aside"] = sorted(row["aside"])
        hands.append(row)
    return audit | {"hands": hands}
