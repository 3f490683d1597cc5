"""An evening of French Tarot."""

from tracker.adjusting import must_be_amount
from tracker.french.contracts import DEALS
from tracker.french.events import EVENTS, Adjusted, PenaltyBooked
from tracker.french.hand import FrenchHand
from tracker.french.pack import PACK
from tracker.french.rule_sets import FEWEST, MOST_PLAYERS, RULE_SETS, FrenchRules
from tracker.score_sheet import ScoreSheetSession


class FrenchSession(ScoreSheetSession[FrenchHand, FrenchRules]):
    """An evening of French Tarot: three to five players, and a score sheet on which each deal sums to zero."""

    kinds = EVENTS
    pack = PACK
    rule_sets = RULE_SETS
    # FT-TABLE-3: "three to five staying".
    players = (FEWEST, MOST_PLAYERS)
    names_game = True

    @classmethod
    def plays_in_hand(cls, rules: FrenchRules, players: int) -> int:
        """All cards but the dog."""
        playing = players - _one_sits_out(rules, players)
        return DEALS[playing].cards * playing

    @classmethod
    def cards_in_trick(cls, rules: FrenchRules, players: int) -> int:
        """One by each who plays."""
        return players - _one_sits_out(rules, players)

    def deal(self, dealer: str, number: int) -> FrenchHand:
        """FT-DEAL-3: after it deals "the next seat counter-clockwise"."""
        return FrenchHand(self.dealt(dealer, number), self.rules, self.ledger, strict=self.strict)

    def order_of_play(self, dealer: str) -> tuple[str, ...]:
        """FT-TABLE-1: all play, the dealer last; FT-TABLE-2: or of five four, and the dealer sits out."""
        order = super().order_of_play(dealer)
        return order[:-1] if _one_sits_out(self.rules, len(self.seats)) else order

    @property
    def next_dealer(self) -> str:
        """FT-DEAL-3; FT-TABLE-3: "where the same one would deal again and has left, the seat after him"."""
        last = self.hands[-1] if self.hands else None
        if self._heir is None and last is not None and last.next_dealer == last.dealer:
            return last.dealer
        return super().next_dealer

    def penalise(self, event: PenaltyBooked, seq: int) -> None:
        """FT-REN-8: "A penalty is taken off the total of one player", booked where it stands."""
        broken = self.hand_to_fine(event.hand, event.player)
        points = self.rules.penalty if event.points is None else event.points
        must_be_amount(points, "points")
        self.hands[-1].book(
            "FT-REN-8", "penalty", event.player, -points, note=event.reason, proposal_of=event.hand
        )
        broken.fines[seq] = event

    def adjust(self, event: Adjusted) -> None:
        """FT-REN-9: "what no rule covers", of one player's total, "with a reason in words"."""
        self.write_adjustment("FT-REN-9", event)


def _one_sits_out(rules: FrenchRules, players: int) -> bool:
    """FT-TABLE-2: "with five seated the dealer deals to the other four … and sits out"."""
    return rules.mort and players == MOST_PLAYERS
