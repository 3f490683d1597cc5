"""What the plays of a hand say that their players do not hold, and when that is shown or proved wrong (AT-REV).

Each claim is judged alone: no other claim is used, so nobody is accused by another's error.
"""

from typing import Final

from tracker.american.pack import TAROCK_PACK

HELD: Final = 12
"""Cards a player."""


class Claim:
    """The play of card `place` by the player `local` says: I hold none of `mask` (AT-REV-1).

    `status` is None, "shown" or "proved", and `known_at` when that came; `evidence` are the cards of `mask`
    that he played later, and those that lay in his open hand.
    """

    __slots__ = (
        "due",
        "evidence",
        "kind",
        "known_at",
        "local",
        "mask",
        "number",
        "place",
        "rule",
        "status",
        "trick",
    )

    def __init__(
        self, rule: str, kind: str, local: int, place: int, mask: int, trick: int, number: int
    ) -> None:
        self.rule = rule
        self.kind = kind
        self.local = local
        self.place = place
        self.mask = mask
        self.trick = trick
        self.number = number
        self.status: str | None = None
        self.known_at: tuple[int, int] = (0, 0)
        self.evidence: list[int] = []
        self.due = 0  # it cannot be proved before so many cards are out of play


class Claims:
    """The claims of one hand. Players are told apart by their place in the order of play, cards by a mask.

    `reserved` are the cards that only the player `owner` can hold: the group that he took, or the hand that he laid
    open; then (`is_open`) he holds just that.
    """

    def __init__(self) -> None:
        self.reserved = 0
        self.owner: int | None = None
        self.is_open = False
        self._claims: list[Claim] = []
        self._denied = [0, 0, 0, 0]
        self._due = 0  # the least of what the open claims have

    def reserve(self, owner: int, cards: int, *, is_open: bool = False) -> None:
        """Only the player `owner` can hold `cards`; with `is_open` they are all that he holds."""
        self.owner, self.reserved, self.is_open = owner, cards, is_open
        self._due = 0
        for claim in self._claims:
            claim.due = 0

    def add(self, claim: Claim) -> None:
        """A play was made that says something; `judge` comes next."""
        self._claims.append(claim)
        self._denied[claim.local] |= claim.mask
        self._due = 0

    def played(self, local: int, place: int, known_at: tuple[int, int]) -> list[Claim]:
        """The player `local` plays the card `place`: the claims that this shows to be false (AT-REV-2)."""
        shown = []
        if self._denied[local] >> place & 1:
            for claim in self._claims:
                if claim.local == local and claim.mask >> place & 1:
                    claim.evidence.append(place)
                    if claim.status is None:
                        claim.status = "shown"
                        claim.known_at = known_at
                        shown.append(claim)
        return shown

    def judge(self, gone: int, left: list[int], known_at: tuple[int, int]) -> list[Claim]:
        """The claims that are certain to be false now that the cards `gone` are out of play (AT-REV-2, AT-REV-3).

        `left` is how many cards each player holds. *Shown*: a denied card lies in his open hand. *Proved*: fewer
        cards that he could still hold lie outside the claim than he holds cards.
        """
        removed = gone.bit_count()
        if removed < self._due:
            return []
        found = []
        self._due = 1 << 30
        for claim in self._claims:
            if claim.status is not None:
                continue
            if removed >= claim.due:
                local = claim.local
                could = TAROCK_PACK.all_cards & ~gone
                if local != self.owner:
                    could &= ~self.reserved
                elif self.is_open:
                    could &= self.reserved
                spare = (could & ~claim.mask).bit_count() - left[local]
                # AT-REV-3: where both come together it is shown.
                if local == self.owner and self.is_open and could & claim.mask:
                    claim.status = "shown"
                elif spare < 0:
                    claim.status = "proved"
                if claim.status is not None:
                    claim.known_at = known_at
                    found.append(claim)
                    continue
                # Each card that goes takes at most one of those to spare.
                claim.due = removed + spare + 1
            self._due = min(self._due, claim.due)
        return found

    def shown_open(self, claim: Claim, gone: int) -> int:
        """The denied cards that still lie in the open hand of the claim's player, a mask."""
        if claim.local == self.owner and self.is_open:
            return claim.mask & self.reserved & ~gone
        return 0
