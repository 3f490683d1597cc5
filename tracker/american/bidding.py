"""What is said for the game: bids, the game that is named, announcements and a raise."""

from collections.abc import Sequence

from tracker.american.contracts import BONUSES, COLOUR_VALAT, CONTRACTS, FIRST_IN_COMPULSORY, KLOP, Contract
from tracker.bidding import PASS, Bidding
from tracker.errors import EventError


class AmericanBidding(Bidding[Contract]):
    """The bids of a round and what came of them; the bidders stand in their order from the dealer's right on.

    `raised_from` is the solo game that was raised to Colour Valat. `announced` are pairs of player and bonus.
    """

    def __init__(self, players: Sequence[str]) -> None:
        super().__init__(players, CONTRACTS)
        self.raised_from: Contract | None = None
        self.announced: list[tuple[str, str]] = []

    @property
    def is_over(self) -> bool:
        """AT-BID-1: it ends when three have passed, and with no bid when all four have (AT-BID-4)."""
        passed = sum(game == PASS for _, game in self.bids)
        return passed == 4 or (passed == 3 and len(self.bids) > 3)

    @property
    def bidder(self) -> str | None:
        """Whose bid it is. None once the bidding is over, or once the game was named without a bid."""
        if self.named or self.is_over:
            return None
        out = {player for player, game in self.bids if game == PASS}
        place = self.players.index(self.bids[-1][0]) + 1 if self.bids else 0
        return next(player for player in (self.players[place:] + self.players[:place]) if player not in out)

    def lowest_allowed(self, player: str) -> int:
        """AT-BID-2: the place of the lowest contract that `player` may bid now.

        A junior must go higher than the last bid; a senior may also match it. AT-COMP-2 is not asked here.
        """
        highest = self.highest()
        if highest is None:
            return 1
        bidder, contract = highest
        return contract.place + (self.players.index(player) > self.players.index(bidder))

    def may_bid(self, player: str, name: str) -> bool:
        """AT-BID-2: a pass, or a game that is high enough."""
        return name == PASS or self.contracts[name].place >= self.lowest_allowed(player)

    def conclude(self) -> None:
        """AT-BID-3: the highest bid is played, unless its bidder names a higher game. AT-BID-4: Klop if all passed."""
        self.declarer, self.contract = self.highest() or (None, KLOP)

    def agrees_with(self, game: str, declarer: str | None) -> bool:
        """AT-BID-3, AT-BID-4: whether the bids, if any, can have led to `game`, played by `declarer`."""
        highest = self.highest()
        if not self.bids:
            return True
        if highest is None:
            return game == KLOP.name and declarer is None
        return CONTRACTS[game].place >= highest[1].place and declarer in (None, highest[0])

    def name_contract(self, game: str, declarer: str | None) -> None:
        """AT-BID-3: the declarer names his last bid or a higher game; AT-BID-5: bids were not recorded."""
        contract = CONTRACTS[game]
        if self.named:
            raise EventError("the contract was already named")
        if self.bids:
            declarer = self._declarer_by_bids(contract, declarer)
        elif contract is KLOP and declarer is not None:
            raise EventError("{game} has no declarer", game=game)
        elif contract is not KLOP and declarer is None:
            raise EventError("{game} needs a declarer", game=game)
        self.named = True
        self.declarer, self.contract = declarer, contract

    def _declarer_by_bids(self, contract: Contract, declarer: str | None) -> str | None:
        """Who plays `contract`, named after the bids, and by `declarer` if he was named too. Raises EventError."""
        if not self.is_over:
            raise EventError("the contract is named when the bidding is over")
        highest = self.highest()
        if highest is None:
            if contract is not KLOP or declarer is not None:
                raise EventError("all four passed: Klop is played, and nobody declares it")
            return None
        bidder, bid = highest
        if contract.place < bid.place:
            raise EventError("{game} is lower than the last bid, {bid}", game=contract.name, bid=bid.name)
        if declarer not in (None, bidder):
            raise EventError("{player} is not the highest bidder", player=declarer)
        return bidder

    def announce(self, player: str, bonus: str) -> None:
        """AT-ANN-1: `player` announces one more bonus. Raises EventError if he announced it before."""
        if (player, bonus) in self.announced:
            raise EventError("{player} already announced {bonus}", player=player, bonus=bonus)
        self.announced.append((player, bonus))

    def raise_to_colour_valat(self) -> None:
        """AT-ANN-5: the game becomes a Colour Valat. All announcements are void."""
        self.raised_from, self.contract = self.contract, COLOUR_VALAT
        self.announced = []

    @property
    def below_solo_no_peek(self) -> bool:
        """AT-COMP-2: whether a game from Three to Barach was bid or named, raised later or not."""
        named = self.raised_from or self.contract
        said = [CONTRACTS[game] for _, game in self.bids if game != PASS]
        return any(
            0 < contract.place < FIRST_IN_COMPULSORY for contract in (*said, *([named] if named else []))
        )

    def full_score(self) -> int | None:
        """AT-REN-2: value, a difference of 35 and the bonuses as announced, each once; None while no game stands.

        In the higher games the value; Klop 70.
        """
        contract = self.contract
        if contract is None or not contract.normal:
            return contract.worth if contract else None
        bonuses = {bonus for _, bonus in self.announced}
        return contract.worth + 35 + sum(2 * BONUSES[bonus] for bonus in bonuses)
