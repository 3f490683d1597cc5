"""A slow, plain second implementation of the audit, written from the rules file alone, for comparison.

It keeps nothing up to date: every question is answered by looking at the whole hand again. It knows nothing
of contradictions (REV-3), which have an oracle of their own.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from tracker_deals import PACK, SUITS, Chairs, combinations_of, rank

KINGS = {suit + "R" for suit in SUITS}


def points(card: str) -> int:
    if card in KINGS or card in ("T1", "T21", "F"):
        return 4
    return {"D": 3, "C": 2, "V": 1}.get(card[1], 0) if card[0] in SUITS else 0


def value(combination: dict) -> int:
    if combination["kind"] == "trumps":
        return 10 + 5 * (combination["count"] - 10)
    if combination["kind"] == "matadors":
        return 10 + 5 * (combination["count"] - 3)
    return {"half": 5, "full": 10, "abundant": 15}[combination["grade"]]


def slot(combination: dict) -> tuple:
    return combination["kind"], combination.get("suit")


class Reference:
    def __init__(self, session: dict) -> None:
        self.chairs = Chairs(session["seats"])
        self.dtf = session["rules"] == "dtf-2011"
        self.p96 = session["rules"] == "pagat-1996"
        self.option = {
            "count": True,
            "tout": 80 if self.dtf else 85,
            "pagat_win_bonus": True,
            "last_trick_with_bagud": False,
            "sits_out": "opposite",
        } | session.get("options", {})
        self.chips = dict.fromkeys([*session["seats"], "king", "pagat"], 0)
        self.hands: list[dict] = []
        self.behind: list[tuple] = []  # of each hand: who played, what was declared, what went back
        for entry in session["hands"]:
            if "join" in entry or "leave" in entry:
                self._reseat(entry)
                continue
            name = entry.get("dealer", self.chairs.next_dealer())
            self.chairs.deals(name)
            self.seats = self.chairs.seated
            self.hands.append(self._hand(name, entry["events"]))
        if session.get("close") and self.behind:
            order = self.chairs.seated
            while order[0] != self.chairs.next_dealer():
                order.append(order.pop(0))
            for pot in ("king", "pagat"):
                fives = self.chips[pot] // 5
                for place, player in enumerate(order):
                    extra = 1 if place < fives % len(order) else 0
                    self._pay("close", pot, player, 5 * (fives // len(order) + extra))

    def _reseat(self, entry: dict) -> None:
        self.paid = {}
        seated = len(self.chairs.seated)
        if "join" in entry:
            player = entry["join"]
            self.chairs.join(player, entry["after"])
            self.chips.setdefault(player, 0)
            for pot in ("king", "pagat"):
                # A third or a fourth to the nearest 5, a half up.
                part = Fraction(self.chips[pot], 5 * seated) + Fraction(1, 2)
                self._pay("join", player, pot, 5 * floor(part))
            self.hands.append({"join": player, "payments": self.paid})
        else:
            player = entry["leave"]
            self.chairs.leave(player)
            for pot in ("king", "pagat"):
                self._pay("leave", pot, player, 5 * floor(Fraction(self.chips[pot], 5 * seated)))
            self.hands.append({"leave": player, "payments": self.paid})

    def _pay(self, reason: str, source: str, target: str, amount: int) -> None:
        if amount:
            self.chips[source] -= amount
            self.chips[target] += amount
            key = reason, source, target
            self.paid[key] = self.paid.get(key, 0) + amount

    def _found(self) -> None:
        for pot in ("king", "pagat"):
            if self.chips[pot] == 0:
                for player in self.seats:
                    self._pay("foundation", player, pot, 20)

    def _hand(self, name: str, events: list[dict]) -> dict:  # noqa: C901 - a second referee, written straight down so that it shares no idea with the first
        n = len(self.seats)
        dealer = self.seats.index(name)
        four = [1, 3, 0] if self.option["sits_out"] == "opposite" else [2, 3, 0]
        offsets = {3: [1, 2, 0], 4: four, 5: [1, 4, 0]}[n]
        players = [self.seats[(dealer + offset) % n] for offset in offsets]
        next_dealer = self.seats[(dealer + 1) % n]
        self.paid: dict[tuple, int] = {}
        if not self.behind:
            self._found()
        for pot in ("king", "pagat"):
            self._pay("deal", name, pot, 5)
        # What counts in the end: plays taken back are gone, names stand with the fool that was led.
        walk: list[dict] = []
        plays: list[dict] = []
        call: str | None = None
        violations: set[tuple] = set()
        for event in events:
            if "play" in event:
                plays.append(dict(event))
                walk.append(plays[-1])
            elif "take_back" in event:
                gone = plays[len(plays) - event["take_back"] :]
                del plays[len(plays) - event["take_back"] :]
                walk = [one for one in walk if not any(one is play for play in gone)]
            elif "name_fool" in event:
                last = max(i for i, play in enumerate(plays) if play["card"] == "F")
                plays[last]["named"] = event["suit"]
            elif "call_fool" in event:
                if any(play["card"] == "F" for play in plays):
                    violations.add(("fool_call_wrong", event["call_fool"], 23))
                else:
                    call = event["call_fool"]
            else:
                walk.append(event)
        tricks = self._tricks(players, plays, violations)
        self._revokes(plays, tricks, violations)
        full = [trick for trick in tricks if len(trick["plays"]) == 3]
        won = {player: sum(trick["winner"] == player for trick in full) for player in players}
        complete = len(full) == 25
        announced = any("announce_tout" in event for event in walk)
        declared: dict[str, list[dict]] = {}
        barred: set[str] = set()
        self.behind.append((players, declared, []))
        pts = None
        fallen = 0
        for event in walk:
            if "declare" in event:
                declared[event["declare"]] = event["combinations"]
                for combination in event["combinations"]:
                    for other in players:
                        if other != event["declare"]:
                            self._pay("declaration", other, event["declare"], value(combination))
            elif "redeal" in event:
                if event["redeal"] == "misdeal":
                    for pot in ("king", "pagat"):
                        self._pay("fine", name, pot, 5)
            elif "fine" in event:
                self._fine(event)
                now = event.get("hand", len(self.behind)) == len(self.behind) and fallen < 75
                if self.dtf and event["category"] == "misdeclaration" and now:
                    barred.add(event["fine"])
            elif "adjust" in event:
                self._adjust(event["adjust"])
            elif "play" in event:
                fallen += 1
                if fallen % 3 == 0 and fallen < 75:
                    self._lost(players, full[fallen // 3 - 1])
                if fallen == 75:
                    skat = set(PACK) - {play["card"] for play in plays}
                    pts = self._points(players, name, full, won, skat)
                    nolo = self._last(players, name, full[24], won, skat, announced, barred)
                    self._found()
                    if self.option["count"] and not nolo:
                        self._count(players, pts, next_dealer if next_dealer in players else name)
        fool = next((i for i, play in enumerate(plays) if play["card"] == "F"), None)
        if fool is not None and fool // 3 + 1 == 24:
            violations.add(("fool_second_to_last", plays[fool]["play"], 24))
        if call and fool is not None and fool // 3 + 1 > 23:
            violations.add(("fool_call_refused", plays[fool]["play"], 23))
        if complete:
            hands = {p: {play["card"] for play in plays if play["play"] == p} for p in players}
            self._after(name, hands, skat, declared, announced, violations)
        return {
            "dealer": name,
            "sits_out": {seat for seat in self.seats if seat not in players},
            "complete": complete,
            "tricks": [(trick["leader"], trick["suit"], trick["winner"]) for trick in full],
            "tricks_won": won,
            "points": pts,
            "payments": self.paid,
            "violations": violations,
        }

    def _fine(self, event: dict) -> None:
        """FINE-4: into the pots as they stand, whichever hand it is for."""
        player = event["fine"]
        fines = {"superficial": 0, "minor": 5, "major": 20, "misdeclaration": 40, "irrecoverable": 40}
        for pot in ("king", "pagat"):
            self._pay("fine", player, pot, fines[event["category"]])
        if event["category"] != "misdeclaration":
            return
        players, declared, returned = self.behind[event.get("hand", len(self.behind)) - 1]
        for combination in declared.get(player, []) if self.dtf else event.get("declarations", []):
            if (player, combination) not in returned:  # once only
                returned.append((player, combination))
                for other in players:
                    if other != player:
                        self._pay("declaration_returned", player, other, value(combination))

    def _adjust(self, moved: dict) -> None:
        """FINE-5; a fraction is a part of what a pot holds, and is replaced by chips for whoever reads on."""
        if isinstance(moved["amount"], float):
            moved["amount"] = max(1, int(self.chips[moved["from"]] * moved["amount"]) // 5) * 5
        if moved["from"] in ("king", "pagat"):
            assert moved["amount"] <= self.chips[moved["from"]], moved
        self._pay("adjustment", moved["from"], moved["to"], moved["amount"])
        self._found()

    def _count(self, players: list[str], pts: dict[str, int], banker: str) -> None:
        for player in players:
            if player != banker:
                amount = round((pts[player] - 26) / 5) * 5
                self._pay("count", banker, player, max(amount, 0))
                self._pay("count", player, banker, max(-amount, 0))

    def _tricks(self, players: list[str], plays: list[dict], violations: set[tuple]) -> list[dict]:
        tricks = []
        turn = players[0]
        for start in range(0, len(plays), 3):
            three = plays[start : start + 3]
            number = start // 3 + 1
            cards = [play["card"] for play in three]
            waiting = list(players)
            for i, play in enumerate(three):
                if play["play"] != turn:
                    kind = "play_out_of_turn" if i else "lead_out_of_turn"
                    violations.add((kind, play["play"], number))
                waiting.remove(play["play"])
                place = players.index(play["play"])
                for step in (2, 1):
                    if players[(place + step) % 3] in waiting:
                        turn = players[(place + step) % 3]
            named = three[0].get("named")
            suit = cards[0][0]
            if suit == "F":
                suit = named
                if named is None and len(three) > 1:
                    violations.add(("fool_not_named", three[0]["play"], number))
                    suit = cards[1][0]
                elif len(three) == 3 and cards[1][0] not in (named, "T") and cards[2][0] not in (named, "T"):
                    suit = cards[1][0]
            trick = {"plays": three, "leader": three[0]["play"], "suit": suit, "named": named, "winner": None}
            if len(three) == 3:
                winner = max(three, key=lambda play: rank(play["card"], suit))
                trick["winner"] = turn = winner["play"]
            tricks.append(trick)
        return tricks

    def _denied(self, tricks: list[dict], i: int) -> set[str]:
        """The suits that play `i` denied."""
        trick, place = tricks[i // 3], i % 3
        cards = [play["card"] for play in trick["plays"]]
        card = cards[place]
        if place == 0 or card == "F":
            return set()
        if cards[0] == "F" and trick["named"] is None:
            return set() if place == 1 or card[0] == cards[1][0] else {cards[1][0]} | ({"T"} - {card[0]})
        led = trick["named"] if cards[0] == "F" else cards[0][0]
        if card[0] == led:
            return set()
        denied = {led} | ({"T"} - {card[0]})
        if cards[0] == "F" and place == 2 and card[0] != "T" and cards[1][0] not in (led, "T"):
            denied |= {cards[1][0]} - {card[0]}
        return denied

    def _revokes(self, plays, tricks, violations) -> None:
        for i, play in enumerate(plays):
            denied = self._denied(tricks, i)
            if not denied:
                continue
            player = play["play"]
            seen = {p["card"] for p in plays[:i]}
            outside = {card for card in PACK if card not in seen and card[0] not in denied}
            left = 25 - sum(p["play"] == player for p in plays[:i])
            for now, one in enumerate(plays[i:], start=i):
                outside.discard(one["card"])
                left -= one["play"] == player
                status = None
                if now > i and one["play"] == player and one["card"][0] in denied:
                    status = "shown"
                elif len(outside) < left:
                    status = "proved"
                if status:
                    known = (now // 3 + 1, now + 1)
                    violations.add(("revoke", player, i // 3 + 1, play["card"], status, *known))
                    break

    def _lost(self, players: list[str], trick: dict) -> None:
        for play in trick["plays"]:
            card, player = play["card"], play["play"]
            pot = "king" if card in KINGS else "pagat" if card == "T1" else None
            others = [other for other in players if other != player]
            if pot and player != trick["winner"]:
                for target in [*others, pot]:
                    self._pay(f"{pot}_lost", player, target, 5)
            elif card == "T1" and self.option["pagat_win_bonus"]:
                for other in others:
                    self._pay("pagat_won", other, player, 5)

    def _after(self, dealer, hands, skat, declared, announced, violations) -> None:
        for player, made in declared.items():
            kept = {slot(c): c for c in combinations_of(hands[player])}
            held = {
                slot(c): c for c in combinations_of(hands[player] | (skat if player == dealer else set()))
            }
            said = {slot(c): c for c in made}
            if set(kept) - set(said):
                violations.add(("declaration_missing", player, None))
            if any(c not in (kept.get(s), held.get(s)) for s, c in said.items()):
                violations.add(("declaration_false", player, None))
        trumps_kept = any(card[0] == "T" for card in hands[dealer])
        bad = skat & (KINGS | {"T21"})
        if not self.p96:
            bad |= skat & {"T1"}
        if trumps_kept:
            bad |= {card for card in skat if card[0] == "T"}
        if bad:
            violations.add(("bad_discard", dealer, None))
        if "F" in skat and (self.dtf or not announced):
            violations.add(("fool_discarded", dealer, None))

    def _points(self, players, dealer, full, won, skat) -> dict[str, int]:
        pile = {player: won[player] for player in players}
        pile[dealer] += 1 + sum(points(card) for card in skat)
        for number, trick in enumerate(full, start=1):
            for play in trick["plays"]:
                owner = play["play"] if play["card"] == "F" and number < 25 else trick["winner"]
                pile[owner] += points(play["card"])
        return pile

    def _last(self, players, dealer, trick, won, skat, announced, barred) -> bool:
        original = {"king": self.chips["king"], "pagat": self.chips["pagat"]}
        winner = trick["winner"]
        card = next(play["card"] for play in trick["plays"] if play["play"] == winner)
        lost = [
            (play["play"], play["card"])
            for play in trick["plays"]
            if play["play"] != winner and (play["card"] in KINGS or play["card"] == "T1")
        ]

        def each(reason, player, amount, receives=True):
            for other in players:
                if other != player:
                    if receives:
                        self._pay(reason, other, player, amount)
                    else:
                        self._pay(reason, player, other, amount)

        tout = [player for player in players if won[player] == 25]
        none = [player for player in players if won[player] == 0]
        nolo = len(none) == 1 and not tout
        failed = announced and "F" in skat and not self.dtf and won[dealer] < 25
        if tout:
            each("tout", tout[0], self.option["tout"])
            for pot in original:
                self._pay("tout_pot", pot, tout[0], original[pot])
        if nolo:
            each("nolo", none[0], 25)
        if not tout and not nolo:
            if card in KINGS or card == "T1":
                pot, amount = ("pagat", 45) if card == "T1" else ("king", 40)
                if winner not in barred and not failed:
                    each(f"{pot}_ultimo", winner, amount)
                    self._pay("ultimo_pot", pot, winner, original[pot])
            elif not lost or self.option["last_trick_with_bagud"]:
                each("last_trick", winner, 20)
        for player, card in lost:
            pot, amount = ("pagat", 45) if card == "T1" else ("king", 40)
            each(f"{pot}_bagud", player, amount, receives=False)
            self._pay("bagud_pot", player, pot, original[pot])
        if failed:
            each("failed_tout", dealer, self.option["tout"], receives=False)
            for pot in original:
                self._pay("failed_tout_pot", dealer, pot, original[pot])
        return nolo


def comparable(audit: dict) -> dict:
    """An audit as `Reference` has it, contradictions left out."""
    hands = []
    for hand in audit["hands"]:
        paid: dict[tuple, int] = {}
        for payment in hand["payments"]:
            key = payment["reason"], payment["from"], payment["to"]
            paid[key] = paid.get(key, 0) + payment["amount"]
        if "dealer" not in hand:
            kind = "join" if "join" in hand else "leave"
            hands.append({kind: hand[kind], "payments": paid})
            continue
        violations = set()
        for entry in hand["violations"]:
            if entry["kind"] == "contradiction":
                continue
            key = entry["kind"], entry["player"], entry["trick"]
            if entry["kind"] == "revoke":
                key += entry["card"], entry["status"], entry["known_at"]["trick"], entry["known_at"]["play"]
            violations.add(key)
        hands.append(
            {
                "dealer": hand["dealer"],
                "sits_out": set(hand["sits_out"]),
                "complete": hand["complete"],
                "tricks": [(trick["leader"], trick["suit"], trick["winner"]) for trick in hand["tricks"]],
                "tricks_won": hand["tricks_won"],
                "points": hand.get("points"),
                "payments": paid,
                "violations": violations,
            }
        )
    return {"chips": audit["balances"] | audit["pots"], "hands": hands}
