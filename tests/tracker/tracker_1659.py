"""The Tarot of 1659 on the common parts of the tracker, as far as its tricks: it shows that a game fits in.

Ranks, players, the fool and its exchange are the game's; points, the pot and the proofs of revokes by count are
left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from tracker.audit import envelope, payment_rows, trick_rows, violation_row
from tracker.cards import COURTS, FOOL, SUITS, TRUMP
from tracker.errors import EventError, TarokError
from tracker.events import COMMON, Event, Kinds
from tracker.findings import Finding
from tracker.hand import Hand
from tracker.ledger import Ledger
from tracker.pack import Pack
from tracker.reader import Reader
from tracker.rule_sets import Rules
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.tricks import Play, Trick

RANKS = (*(str(pip) for pip in range(1, 11)), *COURTS)
PACK = Pack(
    {suit: [suit + rank for rank in RANKS] for suit in SUITS}
    | {TRUMP: [TRUMP + str(number) for number in range(1, 22)]},
    suitless=[FOOL],
)
EVENTS = Kinds(COMMON)


@dataclass(frozen=True, kw_only=True)
class Rules1659(Rules):
    name: str = "tarot-1659"
    source: str = ""
    cards: int = field(default=12, metadata={"from": 1, "to": 19, "unit": "cards"})
    ante: int = field(default=10, metadata={"from": 1, "to": 100, "unit": "chips"})
    tie: str = "split"


# -- its events ----------------------------------------------------------------------------------------------


@EVENTS.add
@dataclass(frozen=True, slots=True)
class FoolExchanged(Event):
    """The fool's player gave a card that he had won for it (T59-FOOL-3)."""

    player: str
    card: str

    key = "exchange_fool"
    keys = ("card",)
    of_hand = True

    @classmethod
    def read(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        return cls(item["exchange_fool"].player(seats), item["card"].card())

    def written(self) -> dict[str, Any]:
        return {"exchange_fool": self.player, "card": self.card}

    def apply(self, session: Session1659, seq: int) -> None:
        hand = session.hands[-1]
        won = [play.card for trick in hand.tricks if trick.winner == self.player for play in trick.plays]
        if self.card not in won:
            raise EventError("{player} has not won {card}", player=self.player, card=self.card)
        hand.given = self.card


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Fined(Event):
    player: str
    amount: int
    reason: str = ""
    hand: int | None = None

    key = "fine"
    keys = ("amount", "reason", "hand")
    of_hand = True
    moves_chips = True

    @classmethod
    def read(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        reason = item["reason"].text() if "reason" in item else ""
        hand = item["hand"].number() if "hand" in item else None
        return cls(item["fine"].player(seats), item["amount"].number(), reason, hand)

    def written(self) -> dict[str, Any]:
        where = {} if self.hand is None else {"hand": self.hand}
        return {"fine": self.player, "amount": self.amount, "reason": self.reason} | where

    def apply(self, session: Session1659, seq: int) -> None:
        session.now.pay("T59-FINE-1", "fine", self.player, "pot", self.amount)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Adjusted(Event):
    source: str
    target: str
    amount: int
    reason: str

    key = "adjust"
    keys = ("reason",)
    of_hand = True
    moves_chips = True

    @classmethod
    def read(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        moved = item["adjust"]
        source, target = (moved[key].player(("pot", *seats)) for key in ("from", "to"))
        return cls(source, target, moved["amount"].number(), item["reason"].text())

    def written(self) -> dict[str, Any]:
        moved = {"from": self.source, "to": self.target, "amount": self.amount}
        return {"adjust": moved, "reason": self.reason}

    def apply(self, session: Session1659, seq: int) -> None:
        session.now.pay("T59-FINE-2", "adjustment", self.source, self.target, self.amount)


@EVENTS.add
@dataclass(frozen=True, slots=True)
class Redealt(Event):
    reason: str

    key = "redeal"
    of_hand = True

    @classmethod
    def read(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        return cls(item["redeal"].text())

    def written(self) -> dict[str, Any]:
        return {"redeal": self.reason}

    def apply(self, session: Session1659, seq: int) -> None:
        if session.hands[-1].plays:
            raise EventError("a hand cannot be dealt again after the opening lead")
        session.hands[-1].start_play()


# -- its hand and its evening --------------------------------------------------------------------------------


class Hand1659(Hand):
    """`cards` tricks; who claimed not to hold what he plays later has revoked (T59-REV-2, as far as shown)."""

    def __init__(
        self,
        number: int,
        dealer: str,
        ring: tuple[str, ...],
        seats: tuple[str, ...],
        cards: int,
        ledger: Ledger,
    ) -> None:
        self.cards = cards
        # T59-TABLE-4: eldest hand, at the dealer's right, leads.
        super().__init__(number, dealer, (*ring[1:], dealer), (), ring[1], seats, PACK, ledger)

    def start_play(self) -> None:
        super().start_play()
        self.findings: list[Finding] = []
        self.claims: list[tuple[int, int, Trick, str]] = []
        self.given: str | None = None

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        known_at = (trick.number, play.number)
        self.findings.append(
            Finding("T59-ORDER", kind, play.player, trick.number, 0, known_at, card=play.card)
        )

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        card = PACK.cards[place]
        for claim in [claim for claim in self.claims if claim[0] == local and claim[1] >> place & 1]:
            self.claims.remove(claim)
            _, _, where, offending = claim
            self.findings.append(
                Finding(
                    "T59-PLAY-2",
                    "revoke",
                    self.active[local],
                    where.number,
                    0,
                    (trick.number, len(self.plays)),
                    card=offending,
                    status="shown",
                    evidence=(card,),
                )
            )
        if denied:
            self.claims.append((local, denied, trick, card))

    def trick_won(self, trick: Trick, winner: int) -> None:
        self.complete = trick.number == self.cards


class Session1659(Session[Hand1659, Rules1659]):
    kinds: ClassVar[Kinds] = EVENTS
    pack: ClassVar[Pack] = PACK
    pot_names: ClassVar[tuple[str, ...]] = ("pot",)
    rule_sets: ClassVar[dict[str, Rules1659]] = {"tarot-1659": Rules1659()}

    @classmethod
    def check_seats(cls, seats: Sequence[str], rules: Rules1659) -> None:
        if not 4 <= len(seats) <= 6:
            raise TarokError(f"4 to 6 players, not {len(seats)}")

    @classmethod
    def plays_in_hand(cls, rules: Rules1659, players: int) -> int:
        return rules.cards * players

    def deal(self, dealer: str, number: int) -> Hand1659:
        ring = self.ring(dealer)
        hand = Hand1659(number, dealer, ring, self.seats, self.rules.cards, self.ledger)
        for player in hand.active:
            hand.pay("T59-ANTE-1", "ante", player, "pot", self.rules.ante)
        return hand

    def check_leaving(self, player: str) -> None:
        if len(self.seats) == 4:
            raise EventError("{player} cannot leave: four or more must stay", player=player)

    def pay_joining(self, change: SeatChange, others: int) -> None:
        share = (2 * self.pots["pot"] + others) // (2 * others)
        change.pay("T59-SEAT-1", "join", change.player, "pot", share)

    def pay_leaving(self, change: SeatChange, seated: int) -> None:
        change.pay("T59-SEAT-1", "leave", "pot", change.player, self.pots["pot"] // seated)

    def pay_closing(self, part: Hand1659 | SeatChange, seats: Sequence[str]) -> None:
        share, left_over = divmod(self.pots["pot"], len(seats))
        for place, player in enumerate(seats):
            part.pay("T59-END-1", "close", "pot", player, share + (place < left_over))


def audit(session: Session1659) -> dict[str, Any]:
    """The audit as far as the tricks."""
    return envelope(session, _hand)


def _hand(hand: Hand1659) -> dict[str, Any]:
    return {
        "dealer": hand.dealer,
        "sits_out": list(hand.sits_out),
        "complete": hand.complete,
        "tricks": trick_rows(hand),
        "tricks_won": dict(hand.tricks_won),
        "payments": payment_rows(hand.payments),
        "violations": [violation_row(finding) | {"fine": finding.fine} for finding in hand.findings],
    }
