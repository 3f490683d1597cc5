"""What can be known from the table: denials, and proofs that one of them was false (REV-1 to REV-3).

Playing off the suit led denies that suit, and trumps too unless the card is one. Here players are 0, 1, 2 in
order of play from forehand (so 2 is the dealer), and sets of cards are bit masks (`tracker.danish.pack`).

The proofs are exact. They are only sought when no deal of the unseen cards to the three hands and the skat agrees with
every denial, every hand's size and a legal skat. Whether one does is a matter of counting: what each group of places
may hold must be enough for it (Hall's theorem). How many cards the scarcest group has to spare tells how many plays may
pass before this is counted again, because a play takes away one card at most.
"""

from itertools import combinations
from typing import Final

from tracker.danish.pack import ALL_CARDS, FOOL_BIT, KING_MASK, MONDO_BIT, PAGAT_BIT, SUIT_LETTER, TRUMP_MASK
from tracker.denials import Denial

DEALER: Final = 2
SKAT: Final = 3
_NEVER_IN_SKAT: Final = KING_MASK | MONDO_BIT  # DISC-1
_NO_DEAL: Final = -1


class Contradiction:
    """Denials that cannot all be true (REV-3): the suspects, and their denials that still stand.

    `alone`: the one suspect cannot have made all of his, whatever the others hold and whatever was laid.
    """

    __slots__ = ("alone", "denials", "known_at", "suspects")

    def __init__(
        self, suspects: tuple[int, ...], denials: list[Denial], known_at: tuple[int, int], *, alone: bool
    ) -> None:
        self.alone = alone
        self.suspects = suspects
        self.denials = denials
        self.known_at = known_at


class Knowledge:
    """The unseen cards, the denials and what they prove, brought up to date play by play."""

    def __init__(self, *, pagat_in_skat: bool) -> None:
        self.unseen = ALL_CARDS
        self.left = [25, 25, 25]
        self.denials: list[Denial] = []
        self.contradictions: list[Contradiction] = []
        # Since when a contradiction stands, by its suspects and whether it is one's own.
        self._first_known: dict[tuple[tuple[int, ...], bool], tuple[int, int]] = {}
        self._denied = [0, 0, 0]  # everything each player ever denied, revokes too
        # What each place may hold: the hands by the denials that stand, the skat by DISC-1..3.
        self._allowed = [ALL_CARDS, ALL_CARDS, ALL_CARDS]
        self._skat_plain = ALL_CARDS & ~_NEVER_IN_SKAT & ~TRUMP_MASK & ~FOOL_BIT
        # DISC-4: trumps are laid only by a dealer who keeps none. DISC-2: the pagat only under P96.
        laid = TRUMP_MASK & ~_NEVER_IN_SKAT
        self._skat_trumps = self._skat_plain | (laid if pagat_in_skat else laid & ~PAGAT_BIT)
        self._dealer_trumpless = True  # until the dealer plays a trump
        self._due = 0  # the number of the play from which on there may be no deal that agrees

    def skat_seen(self, cards: int, trick: int, number: int) -> list[Denial]:
        """The skat was shown after play `number`: these cards are in nobody's hand. Returns what that proves."""
        self.unseen &= ~cards
        self._due = 0
        return self._proved_by_count(trick, number)

    def allowed(self) -> tuple[int, int, int]:
        """The cards that each hand may hold by the denials that stand."""
        first, second, dealer = self._allowed
        return first, second, dealer

    def legal_skat(self) -> tuple[int, int]:
        """The cards that may lie in the skat: those other than trumps, and the trumps if the dealer keeps none."""
        return self._skat_plain, self._skat_trumps & TRUMP_MASK

    def fool_may_be_laid(self) -> None:
        """The dealer announced a Tout: the skat may hold the fool (DISC-3)."""
        self._skat_plain |= FOOL_BIT
        self._skat_trumps |= FOOL_BIT

    def play(
        self, player: int, place: int, denied: int, suit: str, trick: int, number: int
    ) -> list[Denial] | None:
        """Take in play `number` of the hand: card `place`, which denies the cards `denied` (0: nothing).

        Returns the denials that are newly shown or proved, or have new evidence; None if there are none.
        """
        bit = 1 << place
        changed: list[Denial] | None = None
        self.unseen &= ~bit
        self.left[player] -= 1
        if bit & self._denied[player]:
            changed = self._show(player, bit, place, trick, number)
        if denied:
            self.denials.append(Denial(player, trick, number, place, denied, suit))
            self._denied[player] |= denied
            self._allowed[player] &= ~denied
            self._due = 0
        if player == DEALER and self._dealer_trumpless and bit & TRUMP_MASK:
            self._dealer_trumpless = False
            self._due = 0
        proved = self._proved_by_count(trick, number)
        return (changed or []) + proved if proved else changed

    # -- REV-1 ---------------------------------------------------------------------------------------------

    def _show(self, player: int, bit: int, place: int, trick: int, number: int) -> list[Denial]:
        """REV-1: every earlier denial of this card was a revoke."""
        changed = []
        for denial in self.denials:
            if denial.player == player and denial.mask & bit:
                if all(SUIT_LETTER[shown] != SUIT_LETTER[place] for shown, _ in denial.evidence):
                    denial.evidence.append((place, trick))
                if denial.status is None:
                    denial.status = "shown"
                    denial.known_at = (trick, number)
                changed.append(denial)
        self._reopen()
        return changed

    def _reopen(self) -> None:
        """Compute anew what each hand may hold, now that a denial was a revoke and says nothing any more."""
        allowed = [ALL_CARDS, ALL_CARDS, ALL_CARDS]
        for denial in self.denials:
            if denial.status is None:
                allowed[denial.player] &= ~denial.mask
        self._allowed = allowed

    # -- REV-2 and REV-3 -----------------------------------------------------------------------------------

    def _proved_by_count(self, trick: int, number: int) -> list[Denial]:
        """The denials that are proved false since play `number`; also what contradicts itself by now (REV-2, REV-3)."""
        if number < self._due:
            return []
        spare = self._to_spare(self._allowed)
        if spare == _NO_DEAL:
            return self._prove(trick, number)
        self._due = number + spare + 1
        if self.contradictions:
            self.contradictions = []
            self._first_known.clear()
        return []

    def _prove(self, trick: int, number: int) -> list[Denial]:
        """No deal agrees with all denials: find what that proves (REV-2, REV-3)."""
        proved = []
        for denial in self.denials:
            # REV-2: he holds more cards than are unseen outside what this one play denied.
            if denial.status is None:
                outside = (self.unseen & ~denial.mask).bit_count()
                if outside < self.left[denial.player]:
                    denial.status = "proved"
                    denial.known_at = (trick, number)
                    proved.append(denial)
        if proved:
            self._reopen()
        self.contradictions = (
            [] if proved and self._deal_exists(self._allowed) else self._contradict(trick, number)
        )
        return proved

    def _contradict(self, trick: int, number: int) -> list[Contradiction]:
        """REV-3, by exact counts: first each player's own denials together, then everybody's with the skat."""
        found = []
        allowed = list(self._allowed)
        for player in range(3):
            if (self.unseen & allowed[player]).bit_count() < self.left[player]:
                found.append(self._contradiction((player,), trick, number, alone=True))
                allowed[player] = ALL_CARDS
        if not self._deal_exists(allowed):
            suspects = self._suspects(allowed)
            if suspects:
                found.append(self._contradiction(suspects, trick, number, alone=False))
        self._first_known = {(one.suspects, one.alone): one.known_at for one in found}
        return found

    def _suspects(self, allowed: list[int]) -> tuple[int, ...]:
        """The players whose denials must be left out, so that a deal exists.

        The smallest groups that are enough are suspected: one player, or two, as both may have revoked (our decision;
        the rules speak of one). Where a deal is impossible even without denials, the skat is at fault and the answer is
        empty.
        """
        denying = [player for player in range(3) if allowed[player] != ALL_CARDS]
        for size in range(1, len(denying) + 1):
            suspects: set[int] = set()
            for group in combinations(denying, size):
                freed = [ALL_CARDS if player in group else allowed[player] for player in range(3)]
                if self._deal_exists(freed):
                    suspects.update(group)
            if suspects:
                return tuple(sorted(suspects))
        return ()

    def _contradiction(
        self, suspects: tuple[int, ...], trick: int, number: int, *, alone: bool
    ) -> Contradiction:
        denials = [denial for denial in self.denials if denial.status is None and denial.player in suspects]
        known_at = self._first_known.get((suspects, alone), (trick, number))
        return Contradiction(suspects, denials, known_at, alone=alone)

    def _deal_exists(self, allowed: list[int]) -> bool:
        """Whether the unseen cards can be dealt so that each hand holds only what it may."""
        return self._to_spare(allowed) != _NO_DEAL

    def _to_spare(self, allowed: list[int]) -> int:
        """How many cards the scarcest group of places may lose before no deal exists; `_NO_DEAL` where none does."""
        if self.unseen.bit_count() == sum(self.left):
            return self._counted(allowed)  # the skat was shown
        spare = self._counted([*allowed, self._skat_plain])
        if spare == _NO_DEAL and self._dealer_trumpless:
            return self._counted([allowed[0], allowed[1], allowed[2] & ~TRUMP_MASK, self._skat_trumps])
        return spare

    def _counted(self, allowed: list[int]) -> int:
        """The same where each place holds only what is `allowed`: the hands, and the skat if that is unseen."""
        could, wanted = [0], [0]  # of each group of places: the cards that it may hold, and how many it must
        for may, size in zip(allowed, (*self.left, 3), strict=False):
            could += [others | may for others in could]
            wanted += [others + size for others in wanted]
        if self.unseen & ~could[-1]:
            return _NO_DEAL  # a card that lies nowhere
        spare = min(
            (self.unseen & may).bit_count() - must
            for may, must in zip(could[1:-1], wanted[1:-1], strict=True)
        )
        return max(spare, _NO_DEAL)
