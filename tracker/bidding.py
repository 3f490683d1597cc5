"""The bids of a hand, in the games where a contract is bid for, and the contract that is played."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, Protocol, TypeVar

from tracker.errors import EventError

PASS: Final = "pass"


class Biddable(Protocol):
    """What is bid for."""

    @property
    def name(self) -> str:
        """Its key in the rules and in files."""

    @property
    def place(self) -> int:
        """Its place in the order of bids, from 1."""


C = TypeVar("C", bound=Biddable)


class Bidding(Generic[C]):
    """What the `players`, in the order in which they bid, said for the contract, and what came of it.

    `bids` are pairs of a player and what he bid, a contract's name or `PASS`, in order. `contract` is what is played,
    `declarer` by whom; None while none stands. `named` tells whether the contract was named beside the bids. A method
    that takes in what was said raises EventError if it cannot have been said.
    """

    def __init__(self, players: Sequence[str], contracts: Mapping[str, C]) -> None:
        self.players = tuple(players)
        self.contracts = contracts
        self.bids: list[tuple[str, str]] = []
        self.contract: C | None = None
        self.declarer: str | None = None
        self.named = False

    @property
    def is_over(self) -> bool:
        """Whether all the bids that there can be were made; the game says when."""
        raise NotImplementedError

    @property
    def bidder(self) -> str | None:
        """Whose bid it is; None once the bidding is over, or the contract is named."""
        raise NotImplementedError

    def may_bid(self, player: str, name: str) -> bool:
        """Whether `player`, whose bid it is, may bid `name`, a contract's or `PASS`."""
        raise NotImplementedError

    def conclude(self) -> None:
        """The last bid was made: set what is played, and by whom."""
        raise NotImplementedError

    def highest(self) -> tuple[str, C] | None:
        """Who bid highest, and what: the last bid that was no pass. None where there is none."""
        bids = [(player, self.contracts[name]) for player, name in self.bids if name != PASS]
        return bids[-1] if bids else None

    def bid(self, player: str, name: str) -> None:
        """Take in a bid or a pass. Raises EventError for one that is not allowed: the table corrects that at once."""
        bidder = self.bidder
        if bidder is None:
            raise EventError("{player} cannot bid: the bidding is over", player=player)
        if player != bidder:
            raise EventError("{player} cannot bid: it is {bidder}'s turn", player=player, bidder=bidder)
        if not self.may_bid(player, name):
            raise EventError("{player} cannot bid {contract}: that is too low", player=player, contract=name)
        self.bids.append((player, name))
        if self.is_over:
            self.conclude()
