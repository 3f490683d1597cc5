"""An evening of American Tarock."""

from dataclasses import replace

from tracker.adjusting import must_be_amount
from tracker.american.events import EVENTS, Adjusted, RenonceBooked
from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.american.rule_sets import RULE_SETS, AmericanRules
from tracker.errors import EventError
from tracker.score_sheet import ScoreSheetSession

PLAYERS = 4


class AmericanSession(ScoreSheetSession[AmericanHand, AmericanRules]):
    """An evening of American Tarock: four players, rounds of twelve tricks, a score sheet instead of chips."""

    kinds = EVENTS
    pack = PACK
    rule_sets = RULE_SETS
    # Nobody joins or leaves: it is a game for four.
    players = (PLAYERS, PLAYERS)
    names_game = True

    @classmethod
    def plays_in_hand(cls, rules: AmericanRules, players: int) -> int:
        """Four play twelve cards each."""
        return 48

    def deal(self, dealer: str, number: int) -> AmericanHand:
        """AT-DEAL-1, AT-DEAL-2: a round of four, with what the one before it says of this one (AT-COMP-1, AT-END-1)."""
        before = self.hands[number - 2] if number > 1 else None
        left = before.rounds_left if before is not None else None
        if left == 0:
            # AT-END-3: after the last dealer's round the game is over.
            raise EventError(
                "the last hand is played: {player} was the last dealer", player=self.last_dealer(number - 1)
            )
        return AmericanHand(
            replace(self.dealt(dealer, number), seats=self.ring(dealer)),
            self.rules,
            self.ledger,
            compulsory=before is not None and bool(before.reached_zero),
            skeench_round=before is not None and before.skeench_round and left is None,
            last_dealer=self.last_dealer(number - 1),
            strict=self.strict,
        )

    def last_dealer(self, number: int) -> str | None:
        """Who will be the last dealer, as known after the hand `number` (0: none before)."""
        if not number:
            return None
        hand = self.hands[number - 1]
        return hand.last_dealer or (hand.skeench_to() if hand.skeench_round else None)

    @property
    def over(self) -> bool:
        """AT-END-3: after the last dealer's round the game is over."""
        return bool(self.hands) and self.hands[-1].rounds_left == 0 and not self.under_way

    @property
    def asterisks(self) -> dict[str, int]:
        """How often each player misdealt, through the session (AT-DEAL-6)."""
        found = dict.fromkeys(self.seats, 0)
        for hand in self.hands:
            found[hand.dealer] += sum(score.reason == "misdeal" for score in hand.scores)
        return found

    def book_renonce(self, event: RenonceBooked, seq: int) -> None:
        """AT-REN-1: the fine that the table books, for the culprit only; AT-REN-4: for an earlier round too.

        Raises EventError.
        """
        broken = self.hand_to_fine(event.hand, event.player)
        amount = broken.bidding.full_score() if event.amount is None else event.amount
        if amount is None:
            raise EventError("no contract stands in hand {number}: name the amount", number=broken.number)
        must_be_amount(amount, "points")
        self.hands[-1].book(
            "AT-REN-1",
            "renonce",
            event.player,
            -amount,
            note=event.reason,
            proposal_of=None if event.amount is not None else broken.number,
        )
        broken.fines[seq] = event

    def adjust(self, event: Adjusted) -> None:
        """AT-REN-5: what no rule covers, "with a reason in words"."""
        self.write_adjustment("AT-REN-5", event)
