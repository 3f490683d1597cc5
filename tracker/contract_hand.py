"""A hand for which a contract is bid, and in which each card says something of the hand that it comes from."""

from typing import Any, Literal

from tracker.bidding import Bidding
from tracker.denials import Denial, Denials
from tracker.errors import EventError
from tracker.events import CardPlayed
from tracker.findings import Finding
from tracker.pack import indices
from tracker.score_sheet import ScoreSheetHand
from tracker.tricks import Trick

Missing = Literal["contract", "call", "talon"]


class ContractHand(ScoreSheetHand):
    """The fold of such a hand.

    - `bidding`: what was said for the contract.
    - `denials`: what plays, and cards that were laid or shown, say that a player does not hold.
    - `elsewhere`: for each player, as a mask, the cards that he surely does not hold: another took or showed them.
    - `open_cards`: for each player, as a mask, the cards that he showed, also those that he has played since.
    - `strict`: the contract must be known before a card is played, as in session files. Live, it may be entered later.
    """

    bidding: Bidding[Any]
    strict: bool

    def start_play(self) -> None:
        """Begin a new deal: everything said is void."""
        super().start_play()
        self.denials = Denials(len(self.active))
        self.elsewhere = [0] * len(self.active)
        self.open_cards = [0] * len(self.active)
        self._found: list[Finding | Denial] = []

    # -- what the game says --------------------------------------------------------------------------------

    def claims(self, local: int, place: int, table: int, led: str, trick: int) -> list[tuple[str, int]]:
        """What is said by the card `place`, which `local` played to the cards `table` of the trick number `trick`.

        Each claim is its kind and the cards, a mask, that the player says he does not hold. `led` is the suit led.
        """
        raise NotImplementedError

    def what_is_missing(self) -> Missing | None:
        """What must be known before a card can be judged and the hand scored. None where nothing is missing."""
        raise NotImplementedError

    def not_ready(self) -> EventError | None:
        """The contract, and where there are such the call and the exchange, come before the first card."""
        number = self.number
        match self.what_is_missing():
            case "contract":
                return EventError(
                    "hand {number} lacks its contract, which must be known before a card is played",
                    number=number,
                )
            case "call":
                return EventError(
                    "hand {number} lacks its call: a king must be called before a card is played",
                    number=number,
                )
            case "talon":
                return EventError(
                    "hand {number} lacks its Talon: a group must be taken before a card is played",
                    number=number,
                )
        return None

    def must_be_ready(self) -> None:
        """Raise EventError unless all that comes before the first card is known."""
        if error := self.not_ready():
            raise error

    def must_leave_room(self, local: int, place: int) -> None:
        """Called before a player of open cards plays the card `place`.

        Raises EventError if the open cards are all he holds.
        """

    def card_settles(self, local: int, bit: int, trick: Trick) -> None:
        """Called once a card was played and judged. The game settles what depends on it."""

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def has_misfit(self) -> bool:
        """Whether an entry no longer fits beside one that was put right, so that people are asked about it."""
        return any(alert.kind == "misfit" for alert in self.alerts)

    @property
    def all_played(self) -> bool:
        """Whether the last trick is over."""
        return len(self.tricks) == self.cards_each and self.trick is None

    def left(self, local: int) -> int:
        """How many cards the player still holds."""
        return self.cards_each - self.shown[local].bit_count()

    def possible(self) -> list[int]:
        """The cards, as masks, that each player could hold: those neither gone nor surely elsewhere.

        AT-REV-2, FT-CLAIM-2.
        """
        unseen = self.pack.all_cards & ~self.gone
        return [unseen & ~elsewhere for elsewhere in self.elsewhere]

    def could_hold(self, player: str) -> int:
        """The cards, as a mask, that one `player` could hold."""
        return self.possible()[self._local[player]]

    def legal_plays(self, player: str, cards: int) -> int:
        """Those of `cards`, a mask, that `player` may play now if they are all that he holds: a mask.

        A card is legal where it says nothing that another card of his shows to be false.
        """
        local = self._local[player]
        trick = self.trick
        table, led, number = 0, "", len(self.tricks) + 1
        if trick is not None:
            table, led, number = trick.cards, trick.suit or "", trick.number
        return sum(
            1 << place
            for place in indices(cards)
            if not any(mask & cards for _, mask in self.claims(local, place, table, led, number))
        )

    # -- the play ------------------------------------------------------------------------------------------

    def play(self, event: CardPlayed, seq: int) -> None:
        """Play a card and judge what it says of its player's hand. Raises EventError if it cannot have been played."""
        self._must_be_ready_if_strict()
        local, place = self._local.get(event.player), self.pack.index.get(event.card)
        if local is not None and place is not None:
            if self.elsewhere[local] & ~self.gone & 1 << place:
                raise self.held_elsewhere(local, place)
            if self.open_cards[local]:
                self.must_leave_room(local, place)
        super().play(event, seq)

    def pass_unseen(self, winner: str, seq: int) -> None:
        """A trick of which cards are unknown. Raises EventError where the trick cannot have been played."""
        self._must_be_ready_if_strict()
        super().pass_unseen(winner, seq)

    def _must_be_ready_if_strict(self) -> None:
        if self.strict and not self.tricks:
            self.must_be_ready()

    def only_his(self, local: int, cards: int) -> None:
        """No player but `local` can hold any of `cards`, a mask: he took them, or showed them."""
        for other in range(len(self.active)):
            if other != local:
                self.elsewhere[other] |= cards

    def must_be_unseen(self, cards: int) -> None:
        """Raise EventError if one of `cards`, a mask, was played, or lies where nobody can play it."""
        for card in self.pack.names(cards & self.gone):
            raise self.already_seen(card)

    def held_elsewhere(self, local: int, place: int) -> EventError:
        """The error for the card `place`, which the player `local` surely does not hold: whose it is."""
        owner = next(owner for owner, cards in enumerate(self.elsewhere) if not cards >> place & 1)
        return EventError(
            "{owner} took or showed {card}, so nobody else can have it; correct what is wrong",
            card=self.pack.cards[place],
            owner=self.active[owner],
        )

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """Judge a card: what it shows of its player's hand, which cards it denies, and what it settles."""
        bit = 1 << place
        number = len(self.plays)
        denials = self.denials
        known_at = (trick.number, number)
        changed = denials.show(local, place, known_at)
        for kind, mask in self.claims(local, place, trick.cards & ~bit, trick.suit or "", trick.number):
            denials.make(Denial(local, trick.number, number, place, mask, led, kind))
        if changed:
            self._report(changed)
        if denials.due <= number or any(self.open_cards):
            self.judge(known_at)
        self.card_settles(local, bit, trick)

    def judge(self, known_at: tuple[int, int]) -> None:
        """Find the claims that are false by now. A card that lies open shows it, a count of the cards proves it.

        Where both do, it counts as shown (AT-REV-2, FT-CLAIM-3). After a trick that was not seen neither does: the card
        may have been played to it, and nobody knows how many cards are left.
        """
        if self.unseen_tricks:
            return
        for local, cards in enumerate(self.open_cards):
            if cards:
                self._report(self.denials.see(local, cards & ~self.gone, known_at))
        left = [self.cards_each - cards.bit_count() for cards in self.shown]
        self._report(self.denials.count(self.possible(), left, known_at))

    def _report(self, changed: list[Denial]) -> None:
        self._found += [denial for denial in changed if denial not in self._found]

    def find(
        self,
        rule: str,
        kind: str,
        player: str | None,
        trick: int | None,
        known_at: tuple[int, int] | None,
        *,
        card: str | None = None,
        status: str | None = None,
        evidence: tuple[str, ...] = (),
    ) -> None:
        """Add a breach of the rules that is not a false claim."""
        self._found.append(
            Finding(rule, kind, player, trick, 0, known_at, card=card, status=status, evidence=evidence)
        )
