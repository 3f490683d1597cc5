"""One hand of the Tarot of 1659, folded play by play: order, the fool, claims, and who wins the pot.

What happened is recorded, legal or not, and breaches are found in what was recorded (`findings`). Only what
cannot have happened is refused (EventError).
"""

from typing import NamedTuple

from tracker.errors import EarlierCardsError, EventError
from tracker.events import CardPlayed, Entries
from tracker.findings import Finding
from tracker.following import FollowingHand
from tracker.hand import Deal
from tracker.ledger import Ledger
from tracker.pack import indices
from tracker.tarot1659.events import FoolExchanged
from tracker.tarot1659.pack import FOOL_PLACE, FOOL_POINTS, PACK
from tracker.tarot1659.result import ResultEntered, highest, standing_of
from tracker.tarot1659.rule_sets import POT, RuleSet
from tracker.tricks import Trick


class Fool(NamedTuple):
    """The fool that was played: by whom, to which trick, and what became of it.

    `winner` is whose trick it was, None while the trick is open. `card` was given for it, None if nothing was.
    `state` is `exchanged`, `surrendered` (T59-FOOL-5), `unpaid` (T59-FOOL-6), or `open`, as it stays where tricks were
    not seen.
    """

    player: str
    trick: int
    winner: str | None
    card: str | None
    state: str


class Hand1659(FollowingHand):
    """The fold of one hand. Read its attributes; only the session applies events to it.

    `active` are the players in order of play from eldest hand, so the dealer is the last. `points` and `winners` are
    None until the hand is complete.
    """

    # T59-REV-2: "He could hold any card not yet played: those set aside are unseen too"
    revoke_rule = "T59-PLAY-2"
    order_rule = "T59-ORDER"
    wants = "decision"  # T59-FINE-1: "no fine is proposed. The table may book one, of any amount"

    def __init__(self, deal: Deal, rules: RuleSet, ledger: Ledger) -> None:
        self.rules = rules
        self.cards_each = rules.cards
        super().__init__(deal, PACK, ledger)

    def start_play(self) -> None:
        """Begin a new deal: reset all that a redeal wipes out."""
        super().start_play()
        self.given: str | None = None
        self.points: dict[str, int] | None = None
        self.winners: list[str] | None = None
        self._fool_in: Trick | None = None
        self._before_win: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._paid_before_win = 0

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def fool(self) -> Fool | None:
        """What became of the fool; None while it was not played."""
        trick = self._fool_in
        if trick is None:
            return None
        player = next(play.player for play in trick.plays if play.card == PACK.cards[FOOL_PLACE])
        state = "open"
        if self.given is not None:
            state = "exchanged"
        elif self.complete and not self.tricks_won[player]:
            # T59-FOOL-5: "If he wins no trick in the whole hand the fool goes to the winner of its trick."
            state = "surrendered"
        elif self.complete and not self.unseen_tricks:
            state = "unpaid"
        return Fool(player, trick.number, trick.winner, self.given, state)

    @property
    def findings(self) -> list[Finding]:
        """Every finding so far. T59-ORDER: out of turn, "the trick goes on from whoever led"."""
        fool = self.fool
        if fool is None or fool.state != "unpaid":
            return super().findings
        # T59-FOOL-6: "He won a trick, and no exchange was recorded by the end".
        unpaid = Finding(
            "T59-FOOL-6",
            "fool_unpaid",
            fool.player,
            fool.trick,
            0,
            self.known_now(),
            card="F",
            wants="answer",
        )
        return [*super().findings, unpaid]

    def kept_cards(self, trick: int) -> frozenset[str]:
        """T59-FOOL-4: the fool; T59-FOOL-5: who gives it up at the end may still take it first, and hand it across."""
        return frozenset({PACK.cards[FOOL_PLACE]})

    def won(self, player: str) -> int:
        """The cards of the tricks that `player` has won so far, as a mask."""
        cards = 0
        for trick in self.tricks:
            if trick.winner == player:
                cards |= trick.cards
        return cards

    # -- events --------------------------------------------------------------------------------------------

    def exchange_fool(self, event: FoolExchanged) -> None:
        """T59-FOOL-3: for the fool its player "gives the winner of that trick any card that he has won in a trick".

        T59-FOOL-4: who has won none yet "pays as soon as he wins a trick"; later than that counts all the same.
        """
        fool = self.fool
        self.must_not_be_abandoned()
        if fool is None and self.unseen_tricks:
            raise EarlierCardsError("nobody saw the fool played: enter its trick first")
        if fool is None or fool.player != event.player:
            raise EarlierCardsError("{player} did not play the fool", player=event.player)
        if fool.winner is None:
            raise EventError("the trick with the fool is not finished")
        if self.given is not None:
            raise EventError("the fool was already paid for with {card}", card=self.given)
        unknown = PACK.all_cards & ~self.gone if self.unseen_tricks else 0
        if event.card not in PACK.names(self.won(event.player) | unknown):
            raise EarlierCardsError("{player} has not won {card}", player=event.player, card=event.card)
        self.given = event.card
        if self.complete and not self.unseen_tricks:
            self._win_again()

    def redeal(self) -> None:
        """T59-TABLE-3: "a misdeal is dealt again by the same dealer, for nothing, before the first card is played"."""
        self.must_be_before_play()
        self.start_play()

    def pay_antes(self) -> None:
        """T59-ANTE-1: "Before each hand every player antes the agreed amount to the pot"."""
        for player in self.seats:
            self.pay("T59-ANTE-1", "ante", player, POT, self.rules.ante)

    def taken_back(self, count: int) -> Entries:
        """The entries without the last `count` plays. Raises EventError before an exchange of the fool."""
        standing = super().taken_back(count)
        first = self.plays[-count].seq
        place = next(place for place, (_, seq) in enumerate(self.entries) if seq == first)
        if any(isinstance(event, FoolExchanged) for event, _ in self.entries[place:]):
            raise EventError("plays before the card given for the fool cannot be taken back")
        return standing

    # -- the play ------------------------------------------------------------------------------------------

    def follow(self, trick: Trick, letter: str, event: CardPlayed) -> int:
        """What a card denies (T59-PLAY-2, T59-REV-1); who won the trick before has led (T59-PLAY-1).

        The fool, of no suit (T59-CARD-2), says nothing (T59-FOOL-1). T59-FOOL-2: to a led fool "the next player plays
        whatever he likes, and his card is the suit led for the players after him".
        """
        return super().follow(trick, letter, event)

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """T59-REV-1, T59-REV-2; and where the fool is."""
        super().card_played(local, place, denied, led, trick)
        if place == FOOL_PLACE:
            self._fool_in = trick

    def score(self) -> None:
        """T59-PLAY-3, by the ranks of T59-CARD-1; after the last trick the pot is won."""
        if self.unseen_tricks:
            return  # who held most is not known: the pot stays
        self._before_win = self.ledger.chips()
        self._paid_before_win = len(self.payments)
        self._win()

    # -- the pot -------------------------------------------------------------------------------------------

    def _score(self) -> dict[str, int]:
        """T59-CARD-3: what each player holds at the end, and a point for each trick."""
        points = {player: PACK.value(self.won(player)) + self.tricks_won[player] for player in self.seats}
        total = sum(points.values())
        fool = self.fool
        if fool is not None and fool.state != "surrendered":
            # Surrendered, it lies there already.
            assert fool.winner is not None
            if fool.card is not None:
                given = PACK.points[PACK.index[fool.card]]
            else:
                # T59-FOOL-6: "he is taken to have given the cheapest card that he won".
                given = min(PACK.points[place] for place in indices(self.won(fool.player)))
            points[fool.player] += FOOL_POINTS - given
            points[fool.winner] -= FOOL_POINTS - given
        assert sum(points.values()) == total
        return points

    def _judge(self) -> None:
        """T59-WIN-1: who has the highest score."""
        self.points = self._score()
        self.winners = highest(self.points)

    def _win(self) -> None:
        """T59-WIN-1: "the highest takes the pot"; T59-WIN-2: where several are, it is split or carried over."""
        self._judge()
        self._pay_winners()

    def settle(self, result: ResultEntered) -> None:
        """The hand by its `result`: T59-WIN-1 and T59-WIN-2, as if its cards had been seen."""
        self.points, self.winners = standing_of(result, self.seats, self.rules)
        self._pay_winners()

    def _pay_winners(self) -> None:
        assert self.winners is not None
        pot = self.ledger.pots[POT]
        if len(self.winners) == 1:
            self.pay("T59-WIN-1", "win", POT, self.winners[0], pot)
        elif self.rules.tie == "split":
            # "the pot is shared evenly, rounded down, and what is left stays in it"
            for player in self.winners:
                self.pay("T59-WIN-2", "win", POT, player, pot // len(self.winners))

    def _win_again(self) -> None:
        """T59-FINE-3: "a fool paid for after that still counts for the score", though the pot was won before.

        What was paid after the last card is paid again. Raises EventError, with nothing changed, where the pot then
        holds less than was taken out of it.
        """
        chips, payments = self.ledger.chips(), list(self.payments)
        self.ledger.restore(*self._before_win)
        del self.payments[self._paid_before_win :]
        self._win()
        for payment in payments[self._paid_before_win :]:
            if payment.reason == "win":
                continue
            if payment.source == POT and self.ledger.pots[POT] < payment.amount:
                self.ledger.restore(*chips)
                self.payments[:] = payments
                self.given = None
                self._judge()
                raise EventError("the pot would hold less than was taken out of it after the last card")
            self.ledger.book(payment, self.payments)
