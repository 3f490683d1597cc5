"""A hand in which suit is followed, as in most trick games: who played out of turn, and who revoked, with the proof."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, ClassVar, Literal

from tracker.denials import Denial, Denials
from tracker.findings import Finding
from tracker.hand import Hand
from tracker.tricks import Play, Trick


class FollowingHand(Hand):
    """The base of a game's hand: `findings` are its breaches, `denials` what the plays said of the hands.

    Each player holds `cards_each` cards, by default an even share of the pack. Cards that stayed out of the deal are
    unseen like those in the hands. So a player who still holds cards may hold any card that has not been played. A game
    is a subclass: it names its rules and says what a hand comes to (`score`).
    """

    revoke_rule: ClassVar[str]
    """The id of the rule that suit is followed."""
    order_rule: ClassVar[str]
    """The id of the rule whose turn it is."""
    wants: ClassVar[Literal["", "decision"]] = ""
    """Whether the table has to decide about each breach. Else it is only told."""

    cards_each = 0

    def __init__(self, *dealt: Any) -> None:
        super().__init__(*dealt)
        self.cards_each = self.cards_each or len(self.pack.cards) // len(self.active)

    def start_play(self) -> None:
        """Begin a new deal: nothing was played or found."""
        super().start_play()
        self.denials = Denials(len(self.active))
        # In order of discovery. What a denial brought changes as more comes to light.
        self._found: dict[Hashable, Finding] = {}

    @property
    def findings(self) -> list[Finding]:
        """Every finding so far, in order of discovery."""
        return self.seen_for_sure([*self._found.values()])

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """Another player's turn, or another's lead; the trick goes on from whoever led."""
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        at = (trick.number, play.number)
        found = Finding(
            self.order_rule, kind, play.player, trick.number, 0, at, card=play.card, wants=self.wants
        )
        self._found[found] = found

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """What the card shows of its player's hand: a denial is shown to be false before it is proved.

        After a trick that was not seen no count proves anything: nobody knows which cards are left.
        """
        number = len(self.plays)
        changed = self.denials.show(local, place, (trick.number, number))
        if denied:
            self.denials.make(Denial(local, trick.number, number, place, denied, led))
        if number >= self.denials.due and not self.unseen_tricks:
            unseen = self.pack.all_cards & ~self.gone
            left = [self.cards_each - cards.bit_count() for cards in self.shown]
            changed += self.denials.count([unseen] * len(left), left, (trick.number, number))
        for denial in changed:
            found = denial.finding(self.revoke_rule, self.active[denial.player], self.pack.cards)
            self._found[denial] = replace(found, wants=self.wants)

    def trick_won(self, trick: Trick, winner: int) -> None:
        """After the last trick the hand is complete, and scored."""
        if trick.number == self.cards_each:
            self.complete = True
            self.close_gaps()
            self.score()

    def score(self) -> None:
        """Book what the complete hand came to; in `unseen_tricks` cards are unknown. Here nothing is paid."""
