"""An evening of the Tarot of 1659."""

from collections.abc import Sequence

from tracker.adjusting import check_adjustment, must_be_amount
from tracker.errors import TarokError
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.tarot1659.events import EVENTS, Adjusted, Fined
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK
from tracker.tarot1659.rule_sets import FEWEST, MOST_PLAYERS, POT, RULE_SETS, RuleSet, most_cards


class Session1659(Session[Hand1659, RuleSet]):
    """An evening of the Tarot of 1659: one pot, and hands of as many tricks as agreed."""

    kinds = EVENTS
    pack = PACK
    pot_names = (POT,)
    rule_sets = RULE_SETS
    # T59-SEAT-1: "4 to 6 staying".
    players = (FEWEST, MOST_PLAYERS)

    @classmethod
    def check_seats(cls, seats: Sequence[str], rules: RuleSet) -> None:
        """T59-TABLE-1: 4 to 6 players; T59-TABLE-2: with cards enough for all of them. Raises TarokError."""
        # "A player called "pot": Refused: payments name the pot so."
        super().check_seats(seats, rules)
        if rules.cards > most_cards(len(seats)):
            raise TarokError(
                "{cards} cards each are too many for {count} players: at most {most}",
                count=len(seats),
                cards=rules.cards,
                most=most_cards(len(seats)),
            )

    @classmethod
    def plays_in_hand(cls, rules: RuleSet, players: int) -> int:
        """All seated play."""
        return rules.cards * players

    def deal(self, dealer: str, number: int) -> Hand1659:
        """A hand dealt, and the antes paid. T59-TABLE-4: "Eldest hand, at the dealer's right, … leads"."""
        hand = Hand1659(self.dealt(dealer, number), self.rules, self.ledger)
        hand.pay_antes()
        return hand

    def pay_joining(self, change: SeatChange, others: int) -> None:
        """T59-SEAT-1: "the pot divided by those seated before, rounded to the nearest chip, halves up"."""
        change.pay("T59-SEAT-1", "join", change.player, POT, (2 * self.pots[POT] + others) // (2 * others))

    def pay_leaving(self, change: SeatChange, seated: int) -> None:
        """T59-SEAT-1: "who leaves takes his, rounded down"."""
        change.pay("T59-SEAT-1", "leave", POT, change.player, self.pots[POT] // seated)

    def pay_closing(self, part: Hand1659 | SeatChange, seats: Sequence[str]) -> None:
        """T59-END-1: the pot is shared evenly; what is left over "goes one chip each … from the next dealer"."""
        share, left_over = divmod(self.pots[POT], len(seats))
        for place, player in enumerate(seats):
            part.pay("T59-END-1", "close", POT, player, share + (place < left_over))

    def fine(self, event: Fined, seq: int) -> None:
        """T59-FINE-1: "The table may book one, of any amount, to the pot of the hand". Paid where it stands."""
        fined = self.hand_to_fine(event.hand, event.player)
        must_be_amount(event.amount, "chips")
        fined.fines[seq] = event
        fined_in = fined.number if fined is not self.now else None
        self.now.pay(
            "T59-FINE-1", "fine", event.player, POT, event.amount, note=event.reason, fined_in=fined_in
        )

    def adjust(self, event: Adjusted) -> None:
        """T59-FINE-2: chips moved "with a reason in words; never more out of the pot than it holds"."""
        check_adjustment(event, self.ledger, step=1)
        self.now.pay("T59-FINE-2", "adjustment", event.source, event.target, event.amount, note=event.reason)
