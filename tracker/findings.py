"""Findings, each with its proof, and alerts: what cannot have happened as it was booked."""

from dataclasses import dataclass
from typing import Any, Literal

from tracker.errors import Reason


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach of the rules, or a contradiction, with its proof.

    `kind` is one of the audit's. A contradiction has `suspects` and `tricks` instead of `player` and `trick`.
    `known_at` is the earliest play at which it is certain, as (trick, play of the hand), both from 1; None before
    any play. `suit` is the suit led, `evidence` the cards shown later, `fine` the proposed fine in chips.
    """

    rule: str
    kind: str
    player: str | None
    trick: int | None
    fine: int
    known_at: tuple[int, int] | None
    card: str | None = None
    status: str | None = None
    evidence: tuple[str, ...] = ()
    evidence_tricks: tuple[int, ...] = ()
    suspects: tuple[str, ...] = ()
    tricks: tuple[int, ...] = ()
    suit: str | None = None
    wants: Literal["", "decision", "answer"] = ""
    """"decision": the table decides, though the rules name no fine. "answer": perhaps it was only not entered."""

    @property
    def is_flag(self) -> bool:
        """Whether the table has to decide about it once it is certain: to fine somebody, or to let it pass."""
        return bool(self.fine) or self.wants == "decision"

    @property
    def name(self) -> str:
        """Its name among the findings against the same player in the same hand. A fine refers to it by this."""
        parts = (self.kind, self.rule, self.trick, self.card, *self.suspects)
        return " ".join(str(part) for part in parts if part is not None)

    def may_be_meant(self, fine: Any) -> bool:
        """Whether a `fine` that names no finding which stands may be for this one. A game may guess."""
        return self.is_called(fine.finding)

    def is_called(self, name: str) -> bool:
        """Whether `name` is its name, or was: the card may be another one, which was corrected since."""
        return name == self.name or name.split(" ")[:3] == [self.kind, self.rule, str(self.trick)]


@dataclass(frozen=True, slots=True)
class Alert:
    """Something in a live session that cannot have happened as booked; a person settles it by a correction.

    `seq` is the number of the event it is about. Kinds: too_many_cards, card_seen_twice, hand_is_over, skat_played,
    pot_holds_less, trick_taken_by_wrong_player, trick_taken_early, hand_is_void, misfit (with the other entries of the
    hand), wrong_result, impossible_event, and fault (the program failed at the event). `trick` is the trick that it is
    about, if it is about one. `follows` is the number of the alert that it follows from: one card that was missed puts
    all that comes after it out of step. `earlier`: it is one because of the cards of earlier tricks, which fair play
    hides. `card` is that of an entry of one card. `of_hand`: it is about the hand, not about a deal, or who joined or
    left. `in_turn`: it is about a bid, or what else is said in turn.
    """

    kind: str
    seq: int
    player: str | None = None
    card: str | None = None
    expected: str | None = None
    reason: Reason | None = None
    trick: int | None = None
    follows: int | None = None
    earlier: bool = False
    of_hand: bool = True
    in_turn: bool = False

    @property
    def out_of_step(self) -> bool:
        """Whether a card that was missed may be the cause."""
        return self.kind in ("trick_taken_early", "too_many_cards")

    @property
    def named(self) -> str | None:
        """The card that its sentence names: the entry's own, or of several the one that cannot be."""
        card = self.card or dict(self.reason.values if self.reason else ()).get("card")
        return card if isinstance(card, str) else None

    @property
    def message(self) -> str:
        """Why it cannot have happened, in English; "" if the kind says it all."""
        return str(self.reason) if self.reason else ""
