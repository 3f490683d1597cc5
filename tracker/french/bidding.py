"""What is said for the contract: bids, or its name in their stead."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from tracker.bidding import PASS, Bidding
from tracker.errors import EventError
from tracker.french.contracts import CONTRACTS, Contract


class FrenchBidding(Bidding[Contract]):
    """The bids of a deal, one by each player. Those `barred` may only pass; `closed`: the deal is void."""

    def __init__(self, players: Sequence[str], barred: AbstractSet[str]) -> None:
        super().__init__(players, CONTRACTS)
        self.barred = barred
        self.closed = False

    @property
    def is_over(self) -> bool:
        """FT-BID-1: each speaks once, from the dealer's right."""
        return self.closed or len(self.bids) == len(self.players)

    @property
    def bidder(self) -> str | None:
        """Whose bid it is; None once the bidding is over, or the contract is named."""
        return None if self.named or self.is_over else self.players[len(self.bids)]

    def allowed(self) -> list[str]:
        """FT-BID-1, FT-DEAL-4: what the player whose bid it is may say, a pass first."""
        bidder, highest = self.bidder, self.highest()
        if bidder is None:
            return []
        lowest = highest[1].place + 1 if highest else 1
        barred = bidder in self.barred
        return [PASS, *(one.name for one in CONTRACTS.values() if one.place >= lowest and not barred)]

    def may_bid(self, player: str, name: str) -> bool:
        """Whether `player`, whose bid it is, may bid `name`. Raises EventError where he may bid nothing."""
        if name != PASS:
            self.must_not_be_barred(player)
        return name in self.allowed()

    def conclude(self) -> None:
        """FT-BID-2: where all passed, nothing is played."""
        self.declarer, self.contract = self.highest() or (None, None)

    def must_not_be_barred(self, player: str) -> None:
        """FT-DEAL-4: "whoever caused it … may not bid this time". Raises EventError."""
        if player in self.barred:
            raise EventError("{player} caused a misdeal and may not bid this time", player=player)

    def agrees_with(self, name: str, taker: str | None) -> bool:
        """FT-BID-3: whether the bids, if any, led to the contract `name`, played by `taker`."""
        highest = self.highest()
        return not self.bids or (
            highest is not None and highest[1].name == name and taker in (None, highest[0])
        )

    def name_contract(self, name: str, taker: str | None) -> None:
        """FT-BID-3: "Contract and taker are entered instead" of the bids, or repeat what they led to."""
        if self.named:
            raise EventError("the contract was already named")
        if self.bids and self.contract is None:
            raise EventError("the contract is named when the bidding is over")
        if not self.agrees_with(name, taker):
            raise EventError("{contract} is not what the bids led to", contract=name)
        if not self.bids:
            if taker is None:
                raise EventError("{contract} needs a taker", contract=name)
            self.must_not_be_barred(taker)
            self.declarer, self.contract = taker, CONTRACTS[name]
        self.named = True
