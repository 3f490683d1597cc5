"""Denials: plays that say what their player does not hold, and what becomes of them.

A denial is false once its player shows a card that he denied. A count may prove it earlier: when the player holds more
cards than there are outside the denial. Sets of cards are bit masks (`tracker.pack`), players are their places in the
order of play.
"""

from collections.abc import Sequence
from typing import Final

from tracker.findings import Finding

_NEVER: Final = 1 << 30


class Denial:
    """One play that said "I hold none of the cards in `mask`": where it was, and what became of it.

    `kind` is the kind of finding that it is if it was false. `status` is None while it stands, then `"shown"` or
    `"proved"`, known at `known_at` (trick, play). `evidence` are the denied cards that came after all, as (place,
    trick).
    """

    __slots__ = ("card", "evidence", "kind", "known_at", "mask", "play", "player", "status", "suit", "trick")

    def __init__(
        self, player: int, trick: int, play: int, card: int, mask: int, suit: str, kind: str = "revoke"
    ) -> None:
        self.player = player
        self.trick = trick
        self.play = play
        self.card = card
        self.mask = mask
        self.suit = suit
        self.kind = kind
        self.status: str | None = None
        self.known_at: tuple[int, int] = (0, 0)
        self.evidence: list[tuple[int, int]] = []

    def finding(self, rule: str, player: str, cards: Sequence[str]) -> Finding:
        """The breach of `rule` by `player` that it is, because it was false; `cards` are those of the pack."""
        return Finding(
            rule,
            self.kind,
            player,
            self.trick,
            0,
            self.known_at,
            card=cards[self.card],
            status=self.status,
            evidence=tuple(cards[place] for place, _ in self.evidence),
            evidence_tricks=tuple(trick for _, trick in self.evidence),
            suit=self.suit,
        )


class Denials:
    """The denials of one hand. Each is judged alone, as if all the others might be false.

    `due` is the number of the play at which a count can first prove one of them. It holds as long as each play
    takes no more than one card from what a player could hold; where more than one goes, count anyway.
    """

    def __init__(self, players: int) -> None:
        self.due = _NEVER
        self._made: list[list[Denial]] = [[] for _ in range(players)]
        self._denied = [0] * players

    def make(self, denial: Denial) -> None:
        """A play denied something."""
        self._made[denial.player].append(denial)
        self._denied[denial.player] |= denial.mask
        self.due = 0

    def standing(self, player: int) -> list[Denial]:
        """The denials of `player` that nothing has refuted so far, in order of play."""
        return [denial for denial in self._made[player] if denial.status is None]

    def show(self, player: int, place: int, known_at: tuple[int, int]) -> list[Denial]:
        """The card `place` was seen in the hand of `player`. His denials of it were false."""
        if not self._denied[player] >> place & 1:
            return []
        changed = [denial for denial in self._made[player] if denial.mask >> place & 1]
        for denial in changed:
            denial.evidence.append((place, known_at[0]))
            if denial.status is None:
                denial.status = "shown"
                denial.known_at = known_at
        return changed

    def see(self, player: int, cards: int, known_at: tuple[int, int]) -> list[Denial]:
        """The cards of a mask lie open in his hand. His denials of them that still stood were false."""
        changed = [denial for denial in self._made[player] if denial.mask & cards and denial.status is None]
        for denial in changed:
            denial.status = "shown"
            denial.known_at = known_at
        return changed

    def count(self, could: Sequence[int], left: Sequence[int], known_at: tuple[int, int]) -> list[Denial]:
        """The denials that are proved false now, by what each player could hold and how many cards he holds."""
        proved = []
        least = _NEVER
        for player, made in enumerate(self._made):
            for denial in made:
                if denial.status is not None:
                    continue
                spare = (could[player] & ~denial.mask).bit_count() - left[player]
                if spare < 0:
                    denial.status = "proved"
                    denial.known_at = known_at
                    proved.append(denial)
                else:
                    least = min(least, spare)
        self.due = known_at[1] + least + 1
        return proved
