"""An evening of Danish Tarok."""

from collections.abc import Sequence

from tracker.danish import settlement
from tracker.danish.events import EVENTS, Adjusted
from tracker.danish.hand import DanishHand
from tracker.danish.pack import PACK
from tracker.danish.rule_sets import FEWEST, POTS, RULE_SETS, RuleSet
from tracker.seat_change import SeatChange
from tracker.session import Session


class DanishSession(Session[DanishHand, RuleSet]):
    """An evening of Danish Tarok: two pots, hands of 25 tricks for three."""

    kinds = EVENTS
    pack = PACK
    pot_names = POTS
    rule_sets = RULE_SETS
    # TABLE-2; PAY-10 ruling: a player leaves "between two hands, with three or more staying".
    players = (FEWEST, 5)

    @classmethod
    def most_players(cls, rules: RuleSet) -> int:
        """TABLE-2: four, or five."""
        return rules.max_players

    @classmethod
    def plays_in_hand(cls, rules: RuleSet, players: int) -> int:
        """75: three play 25 cards each, however many sit at the table."""
        return 75

    @classmethod
    def cards_in_trick(cls, rules: RuleSet, players: int) -> int:
        """TABLE-2: three play."""
        return 3

    def deal(self, dealer: str, number: int) -> DanishHand:
        """Deal a hand to those who play it (TABLE-2), and book PAY-1 and PAY-2."""
        hand = DanishHand(self.dealt(dealer, number), self.rules, self.ledger)
        hand.pay_start(founded=number > 1)
        return hand

    def order_of_play(self, dealer: str) -> tuple[str, ...]:
        """TABLE-2: three play."""
        return seating(self.ring(dealer), self.rules.sits_out)[0]

    def pay_joining(self, change: SeatChange, others: int) -> None:
        """PAY-9: who joins adds to the pots."""
        settlement.pay_joining(change.pay, change.player, others, self.pots)

    def pay_leaving(self, change: SeatChange, seated: int) -> None:
        """PAY-10: who leaves takes a share of the pots."""
        settlement.pay_leaving(change.pay, change.player, seated, self.pots)

    def pay_closing(self, part: DanishHand | SeatChange, seats: Sequence[str]) -> None:
        """PAY-8: the pots are shared."""
        settlement.share_pots(part.pay, seats, self.pots)

    def adjust(self, event: Adjusted) -> None:
        """FINE-5: paid now, in the current hand or after the last change of seats."""
        settlement.pay_adjustment(self.now.pay, self.rules, event, self.seats, self.ledger)


def seating(ring: Sequence[str], sits_out: str) -> tuple[tuple[str, str, str], tuple[str, ...]]:
    """TABLE-2: who plays, in order of play, and who sits out. `ring` has the seats from the dealer on."""
    dealer = ring[0]
    if len(ring) == 3:
        return (ring[1], ring[2], dealer), ()
    if len(ring) == 4:
        out = ring[2] if sits_out == "opposite" else ring[1]
        first, second = [player for player in ring[1:] if player != out]
        return (first, second, dealer), (out,)
    return (ring[1], ring[4], dealer), (ring[2], ring[3])
