"""What can be known from the table: denials, and proofs that one of them was false (REV-1 to REV-3).

Playing off the suit led denies that suit, and trumps too unless the card is one. Here players are 0, 1, 2 in
order of play from forehand (so 2 is the dealer), and sets of cards are bit masks (`tracker.danish.pack`).

The proofs are exact. To be quick, one *witness* is kept: a deal of the unseen cards to the three hands and the
skat that agrees with every denial, every hand's size and a legal skat. While there is a witness, no count can
refute a denial, so nothing needs counting. Each play mends the witness by moving a card or two. Only when it
cannot be mended is there something to prove.
"""

from itertools import combinations
from typing import Final

from tracker.danish.pack import ALL_CARDS, FOOL_BIT, KING_MASK, MONDO_BIT, PAGAT_BIT, SUIT_LETTER, TRUMP_MASK
from tracker.denials import Denial
from tracker.pack import indices

DEALER: Final = 2
SKAT: Final = 3
_NEVER_IN_SKAT: Final = KING_MASK | MONDO_BIT  # DISC-1
_PLACES: Final = (0, 1, 2, SKAT)


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
        self._place_allowed = [ALL_CARDS, ALL_CARDS, ALL_CARDS, self._skat_plain]
        self._witness: list[int] | None = None
        self._trump_mode = False  # whether the witness has a dealer without trumps

    def skat_seen(self, cards: int, trick: int, number: int) -> list[Denial]:
        """The skat was shown after play `number`: these cards are in nobody's hand. Returns what that proves."""
        self.unseen &= ~cards
        self._witness = None
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
        self._place_allowed[SKAT] |= FOOL_BIT

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
            self._place_allowed[player] &= ~denied
        if player == DEALER and self._dealer_trumpless and bit & TRUMP_MASK:
            self._dealer_trumpless = False
            if self._trump_mode:
                self._witness = None
        witness = self._witness
        if witness is not None and not self._mended(witness, player, bit, denied):
            self._witness = None
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
        self._set_mode(self._trump_mode)

    # -- REV-2 and REV-3 -----------------------------------------------------------------------------------

    def _proved_by_count(self, trick: int, number: int) -> list[Denial]:
        """The denials that are proved false since play `number`; also what contradicts itself by now (REV-2, REV-3)."""
        if self._witness is None and not self._find_witness():
            return self._prove(trick, number)
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
        self.contradictions = [] if proved and self._find_witness() else self._contradict(trick, number)
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
        """Whether the unseen cards can be dealt so that each hand holds only what it may (Hall's theorem)."""
        if self.unseen.bit_count() != sum(self.left) + 3:
            return self._fits([*allowed, 0])  # the skat was shown
        if self._fits([*allowed, self._skat_plain]):
            return True
        if not self._dealer_trumpless:
            return False
        return self._fits([allowed[0], allowed[1], allowed[2] & ~TRUMP_MASK, self._skat_trumps])

    def _fits(self, allowed: list[int]) -> bool:
        """Hall's condition: for each group of places there are as many unseen cards that it may hold as it must."""
        sizes = [*self.left, self.unseen.bit_count() - sum(self.left)]
        for group in range(1, 16):
            could = 0
            wanted = 0
            for place in _PLACES:
                if group >> place & 1:
                    could |= allowed[place]
                    wanted += sizes[place]
            if (self.unseen & could).bit_count() < wanted:
                return False
        return True

    # -- the witness ---------------------------------------------------------------------------------------

    def _set_mode(self, trump_mode: bool) -> None:
        self._trump_mode = trump_mode
        first, second, dealer = self._allowed
        self._place_allowed = (
            [first, second, dealer & ~TRUMP_MASK, self._skat_trumps]
            if trump_mode
            else [first, second, dealer, self._skat_plain]
        )

    def _mended(self, witness: list[int], player: int, bit: int, denied: int) -> bool:
        """Take `bit`, which `player` played, and what he `denied` out of his hand; False if that cannot be."""
        if witness[player] & bit:
            witness[player] ^= bit
        elif not self._swap_in(witness, player, bit):
            return False
        strays = witness[player] & denied
        return not strays or all(self._move_out(witness, player, 1 << stray) for stray in indices(strays))

    def _swap_in(self, witness: list[int], player: int, bit: int) -> bool:
        """`player` played a card that the witness had elsewhere: give that place another card for it."""
        for place in _PLACES:
            if witness[place] & bit:
                witness[place] ^= bit
                spare = witness[player] & self._place_allowed[place]
                if spare:
                    spare &= -spare
                    witness[player] ^= spare
                    witness[place] ^= spare
                    return True
                return self._shift(witness, player, place)
        return False

    def _move_out(self, witness: list[int], player: int, bit: int) -> bool:
        """The witness has a card with `player` that he now denied: exchange it for another."""
        for place in _PLACES:
            if place != player and self._place_allowed[place] & bit:
                witness[player] ^= bit
                witness[place] |= bit
                if self._shift(witness, place, player, keep=bit):
                    return True
                witness[player] ^= bit
                witness[place] ^= bit
        return False

    def _shift(self, witness: list[int], source: int, target: int, keep: int = 0) -> bool:
        """Move cards along a path of places so that `source` has one card less and `target` one more.

        Each place passes on a card that the next one may hold (an augmenting path over the four places). The
        cards `keep` are not moved.
        """
        came_from = {source: source}
        queue = [source]
        for place in queue:
            for following in _PLACES:
                if following in came_from:
                    continue
                if witness[place] & self._place_allowed[following] & ~keep:
                    came_from[following] = place
                    queue.append(following)
        if target not in came_from:
            return False
        moves = []
        place = target
        while place != source:
            giver = came_from[place]
            spare = witness[giver] & self._place_allowed[place] & ~keep
            moves.append((giver, place, spare & -spare))
            place = giver
        for giver, taker, bit in moves:
            witness[giver] ^= bit
            witness[taker] |= bit
        return True

    def _find_witness(self) -> bool:
        """Build a witness from nothing; False if no deal exists."""
        for trump_mode in (False, True):
            if trump_mode and not self._dealer_trumpless:
                break
            self._set_mode(trump_mode)
            witness = self._dealt()
            if witness is not None:
                self._witness = witness
                return True
        self._set_mode(False)
        return False

    def _dealt(self) -> list[int] | None:
        """The unseen cards dealt to places that may hold them; None if that is impossible."""
        room = [*self.left, self.unseen.bit_count() - sum(self.left)]
        witness = [0, 0, 0, 0]
        # Scarce cards first, so that few need to be passed on.
        for place in sorted(
            indices(self.unseen), key=lambda place: sum(mask >> place & 1 for mask in self._place_allowed)
        ):
            bit = 1 << place
            holders = [holder for holder in _PLACES if self._place_allowed[holder] & bit]
            with_room = [holder for holder in holders if room[holder]]
            if with_room:
                chosen = max(with_room, key=room.__getitem__)
                witness[chosen] |= bit
                room[chosen] -= 1
                continue
            if not self._pushed(witness, room, holders, bit):
                return None
        return witness

    def _pushed(self, witness: list[int], room: list[int], holders: list[int], bit: int) -> bool:
        """Give `bit` to one of `holders`, which are full, by moving another card on to a place with room."""
        for holder in holders:
            for target in _PLACES:
                if room[target] and self._shift(witness, holder, target):
                    witness[holder] |= bit
                    room[target] -= 1
                    return True
        return False
