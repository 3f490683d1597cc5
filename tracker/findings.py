"""What was found in the play, each finding with its proof, and what cannot have happened as it was booked."""

from dataclasses import dataclass

from tracker.errors import Reason


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach, or a contradiction, and how it is known.

    `kind` is one of the session format's. A contradiction has `suspects` and `tricks` where others have
    `player` and `trick`. `known_at` is the earliest play at which it is certain: (trick, play of the hand),
    both from 1; None before any play. `suit` is the suit led, `evidence` the cards later shown, `fine` what it
    is proposed to cost.
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

    @property
    def name(self) -> str:
        """What tells it from other findings against its player in the same hand: so a fine names it."""
        parts = (self.kind, self.rule, self.trick, self.card, *self.suspects)
        return " ".join(str(part) for part in parts if part is not None)


@dataclass(frozen=True, slots=True)
class Alert:
    """Something in a live stream that cannot have happened as booked; a person settles it by a correction.

    `seq` is the number of the event it is about. Kinds: too_many_cards, card_seen_twice,
    hand_is_over, skat_played, trick_taken_by_wrong_player, trick_taken_early, impossible_event, fault (the
    program failed at it).
    """

    kind: str
    seq: int
    player: str | None = None
    card: str | None = None
    expected: str | None = None
    reason: Reason | None = None

    @property
    def message(self) -> str:
        """Why it cannot have happened, in English as errors have it; "" where the kind says it all."""
        return str(self.reason) if self.reason else ""
