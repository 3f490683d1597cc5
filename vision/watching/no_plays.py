"""What lies on the table and is no play, or not yet one.

Such are second boxes on a card, cards of an earlier trick, piles, and things that lay there before.
"""

from collections.abc import Sequence, Set

from vision.arrays import Float32Array
from vision.picture import overlap
from vision.watching.decision import is_second_box
from vision.watching.expectation import Expectation
from vision.watching.explanations import Explanation, Seen
from vision.watching.motion import Motion
from vision.watching.parts import Parts
from vision.watching.seats import SeatModel
from vision.watching.sightings import CLEAR, PATIENCE_S, Sighting
from vision.watching.table_cards import PILED_S, TableCards

SHOWN_S = 2.0
"""Seconds within which all cards of an earlier trick are turned up when players look at it again."""


class NoPlays:
    """Tells why a sighting is no play, by the cards on the `table` and by where the players of `seats` lay theirs."""

    def __init__(self, table: TableCards, motion: Motion, seats: SeatModel):
        self.parts = Parts(motion)
        self._table = table
        self._motion = motion
        self._seats = seats
        # Sightings of an earlier trick that is looked at again: since when they lie.
        self._shown: dict[int, float] = {}
        # Where (4, 2) px the piles of this hand lie that were taken for faces.
        self._piles_px: list[Float32Array] = []

    def measure(
        self, ready: Sequence[Sighting], in_view: Sequence[Sighting], expectation: Expectation
    ) -> bool:
        """Note how the sightings `ready` to be booked lie among those found, and which of them were played before.

        Returns whether they are cards of several earlier tricks.
        """
        found = [s for s in in_view if s.found]
        for sighting in ready:
            self.parts.measure(sighting, found, self._table.booked.keys())
        shown = [s for s in ready if self.was_played(s, expectation)]
        if len(shown) > 1:
            self._shown |= {s.number: s.landed_s for s in shown}
        # What comes as a trick is taken may lie open on a pile.
        laid = [s.read_as for s in shown if s.landed_s > self._table.swept_s + PILED_S]
        return len(laid) > 1 and not expectation.is_of_one_trick(laid)

    def keep(self, followed: Set[int]) -> None:
        """Forget what was noted of sightings that are no longer followed."""
        self.parts.keep(followed)
        self._shown = {number: at_s for number, at_s in self._shown.items() if number in followed}

    def note_pile(self, sighting: Sighting) -> None:
        """Note that a pile lies where a sighting is."""
        if not _is_among(sighting, self._piles_px):
            self._piles_px.append(sighting.corners_px)

    def forget_piles(self) -> None:
        """Forget the piles: their hand has ended."""
        self._piles_px = []

    def why(self, seen: Seen, again: bool, unbooked: Sequence[Sighting]) -> Explanation | None:
        """Why a sighting is no play, or not yet one; None if it is a play.

        `again`: its likeliest name was played before. `unbooked` are the others that may still become plays.
        """
        no_card = self._no_card(seen, unbooked)
        if no_card is not None:
            return no_card
        sighting, likely = seen.sighting, seen.likely
        if (again or not likely.sure) and self._is_shown(sighting):
            return Explanation.EARLIER_TRICK
        waited = seen.leaving or seen.pressed or sighting.still_for(seen.time_s) > PATIENCE_S
        # The game tells the name of a card, but not whether this is a card: fingers on a card's end look like a back.
        clear = likely.sure and (sighting.face_score > 0 or sighting.is_sure())
        if (not clear or again) and not waited:
            return Explanation.NOT_CLEAR_YET
        if self.lay_there(seen):
            return Explanation.LAY_THERE
        stray = again and sighting.is_sure() and not (seen.leaving and seen.expectation.trick)
        on_its_way = stray and sighting.still_for(seen.time_s) < 3 * PATIENCE_S
        if on_its_way and not self.may_be_pile(seen):
            return Explanation.TO_A_PILE  # asked about only if it stays
        return None if seen.expectation.active else Explanation.NO_HAND

    def lay_there(self, seen: Seen) -> bool:
        """Whether a sighting surely lay there before, and was not brought.

        An unclear find may be a bare place between cards. So what came onto the cards round it does not count.
        """
        sighting = seen.sighting
        others = [s for s in seen.sightings if s.found and s.best_score > sighting.best_score and s.face]
        homes_px = [table_card.place.home_px for table_card in self._table.cards.values()]
        beside_px = [] if sighting.best_score >= CLEAR else [*homes_px, *(s.corners_px for s in others)]
        return self._motion.lay_there(sighting.corners_px, sighting.seen_s, beside_px)

    def may_be_pile(self, seen: Seen) -> bool:
        """Whether a sighting may be a pile, whose back has a picture or words: such a back may even be surely read.

        It lies where no cards are played, and came with a trick that was taken or lies where another pile lay.
        """
        sighting = seen.sighting
        if not self._seats.is_far(sighting, seen.size):
            return False
        # The hand that takes the cards hides them, so they are lost from view before the trick counts as taken.
        gone_s = [
            table_card.gone_s for table_card in self._table.trick().values() if not table_card.sighting.found
        ]
        swept_s = max([self._table.swept_s, *gone_s])
        came_with_it = abs(sighting.landed_s - swept_s) < PILED_S
        return came_with_it or _is_among(sighting, self._piles_px)

    def _no_card(self, seen: Seen, unbooked: Sequence[Sighting]) -> Explanation | None:
        """Why a sighting is no card of its own; None if it is one."""
        sighting, shows_itself = seen.sighting, self.parts.shows_itself(seen.sighting)
        if seen.lies_on_its_like(clear=shows_itself or (sighting.is_sure() and sighting.best_score >= CLEAR)):
            return Explanation.SECOND_BOX
        # A box on a booked card is told by its name above, also where the card comes to light in its row.
        if is_second_box(sighting, unbooked):
            return Explanation.SECOND_BOX
        if self.parts.is_across(seen) and not shows_itself:
            return Explanation.ACROSS_CARDS
        return Explanation.OTHER_SIZE if self.parts.is_of_other_size(seen) else None

    def _is_shown(self, sighting: Sighting) -> bool:
        """Whether a sighting is a card of an earlier trick that players look at again, or came with such cards."""
        return sighting.number in self._shown or any(
            abs(at_s - sighting.landed_s) < SHOWN_S for at_s in self._shown.values()
        )

    def was_played(self, sighting: Sighting, expectation: Expectation) -> bool:
        """Whether a sighting is surely a card of an earlier trick of this hand that has left the table."""
        card = sighting.read_as
        lying = {self._table.booked[number].card for number in self._table.cards} | {
            c for _, c in expectation.trick
        }
        return sighting.is_sure() and card in expectation.played - lying and card not in expectation.doubtful


def _is_among(sighting: Sighting, places_px: Sequence[Float32Array]) -> bool:
    """Whether a sighting lies at one of some places (4, 2) px."""
    return any(overlap(sighting.corners_px, place_px) > 0.25 for place_px in places_px)
