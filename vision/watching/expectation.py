"""What the game expects at a moment, as the eyes are told. This module loads neither NumPy nor OpenCV."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tracker.events import CardPlayed, Event, HandStarted
from tracker.shown_cards import MayReveal, ShownCards


def _nobody(plays: Sequence[tuple[str, str]]) -> None:
    """The winner where nobody can tell who wins."""


@dataclass(frozen=True)
class Expectation:
    """What the game expects now: a soft prior, never a filter.

    - `active`: the players of the hand in order of play; empty between hands.
    - `turn`: the players who have still to play to the trick, in order. Between two tricks these are all players,
      the leader first.
    - `trick`: the (player, card) pairs booked in the open trick.
    - `last_trick`: the pairs of the newest complete trick, if all its cards are known.
    - `leader`: who was to lead to `last_trick`, or to the open trick where `last_trick` is empty.
    - `winner`: who would win a trick of some (player, card) pairs, in order; None where nobody can tell.
    - `played`: every card booked in the hand.
    - `doubtful`: the played cards still asked about: card -> (number of the stored play, its alternatives).
    - `numbers`: card -> number of the stored play, for every play of the hand in order.
    - `shown_cards`: what is laid open next and is no play.
    - `may_reveal`: what players may show of their hands, and take up again.
    - `stays`: the cards of every trick stay on the table.
    - `thrown`: the cards that are thrown open onto the newest trick, and are no plays.
    - `waits`: nobody is `active` until people have said something. What is laid meanwhile may turn out to be a play.
    - `begins`: nothing of a hand was played or said, or nothing for long. Cards may be counted or dealt meanwhile.
    - `deals`: for each who may have dealt the hand that begins, its players in order of play, the leader first. Who is
      thought to have dealt comes first. Empty once a card was played or something was said.
    - `next_hand`: what is expected if the hand under way has ended before its last trick. Cards of it may come again.
    - `counted`: cards of several of its tricks, or of players' hands, were laid open since its last play.
    - `kept`: the cards that go to their own player's pile, before or after the taker takes the rest of the trick.

    The game is asked for this before each frame.
    """

    active: tuple[str, ...]
    turn: tuple[str, ...]
    trick: tuple[tuple[str, str], ...]
    played: frozenset[str]
    doubtful: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    shown_cards: ShownCards | None = None
    stays: bool = False
    thrown: frozenset[str] = frozenset()
    waits: bool = False
    begins: bool = False
    deals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    next_hand: "Expectation | None" = None
    counted: bool = False
    may_reveal: tuple[MayReveal, ...] = ()
    last_trick: tuple[tuple[str, str], ...] = ()
    leader: str | None = None
    winner: Callable[[Sequence[tuple[str, str]]], str | None] = _nobody

    @property
    def to_play(self) -> str | None:
        """The player whose turn it is."""
        return self.turn[0] if self.turn else None

    @property
    def to_lead(self) -> str | None:
        """Who was to lead to the open trick; without one, who is to lead to the next."""
        if not self.trick:
            return self.to_play
        return self.winner(self.last_trick) if self.last_trick else self.leader

    @property
    def last_play(self) -> str | None:
        """The card of the last play booked in the hand."""
        return next(reversed(tuple(self.numbers)), None)

    @property
    def come_no_more(self) -> frozenset[str]:
        """The cards that no player can play any more, whichever hand this is."""
        return self.next_hand.played if self.begins and self.next_hand is not None else self.played

    def is_of_one_trick(self, cards: Sequence[str]) -> bool:
        """Whether all `cards` were played in this hand, and so near one another that it may have been to one trick."""
        places = [at for at, card in enumerate(self.numbers) if card in cards]
        return len(places) == len(cards) and (not cards or places[-1] - places[0] < len(self.active))

    def dealt_by(self, dealer: str) -> "Expectation":
        """The same if `dealer`, one of `deals` of this hand or of the next, has dealt. With "" this hand goes on."""
        if self.next_hand is not None:
            return self.next_hand.dealt_by(dealer) if dealer else replace(self, next_hand=None)
        if not dealer:
            return self
        order = self.deals[dealer]
        return replace(self, active=order, turn=order, leader=order[0])

    def after(self, events: Sequence[Event]) -> "Expectation":
        """The same with the deal and plays among `events` booked. After the last play of a trick no turn is known."""
        now = self
        for play in events:
            if isinstance(play, HandStarted) and play.dealer is not None and (now.deals or now.next_hand):
                now = now.dealt_by(play.dealer)
            if not isinstance(play, CardPlayed):
                continue
            if play.new_trick:
                now = replace(now, trick=(), last_trick=(), leader=None)
            turn = now.turn if now.trick else players_from(now.active, play.player)
            waiting = tuple(player for player in turn if player != play.player)
            trick = (*now.trick, (play.player, play.card))
            now = replace(
                now, turn=waiting, trick=trick, played=now.played | {play.card}, begins=False, deals={},
                next_hand=None, counted=False,
            )  # fmt: skip
            if now.active and not waiting:
                now = replace(now, trick=(), last_trick=trick, leader=now.to_lead)
        return now

    def without(self, player: str, card: str) -> "Expectation":
        """The same before `player` played `card` to the open trick: it is his turn again."""
        trick = tuple(play for play in self.trick if play != (player, card))
        return replace(self, turn=(player, *self.turn), trick=trick, played=self.played - {card})

    def due(self, leader: str, players: Sequence[str]) -> str | None:
        """Whose turn it is when `players` have played to a trick; `leader` was to lead to it. None after the last."""
        order = players_from(self.active, players[0] if players else leader)
        return next((player for player in order if player not in players), None)

    def due_after(self, plays: Sequence[tuple[str, str]]) -> str | None:
        """Whose turn it is after the (player, card) `plays`; None where nobody can tell.

        The first of them is the first of `last_trick`, or of the open trick where `last_trick` is empty.
        """
        leader, count = self.leader, max(len(self.active), 1)
        whole = len(plays) // count * count
        if whole:
            leader = self.winner(plays[whole - count : whole])
        players = [player for player, _ in plays[whole:]]
        return self.due(leader or players[0], players) if leader or players else None

    def out_of_turn(self, leader: str, players: Sequence[str]) -> tuple[int, bool]:
        """How many of `players` played out of turn, in this order to one trick, and whether the first one did.

        `leader` was to lead to the trick.
        """
        faults = [player != self.due(leader, players[:at]) for at, player in enumerate(players)]
        return sum(faults), any(faults[:1])


def players_from(order: tuple[str, ...], player: str) -> tuple[str, ...]:
    """The players in their `order` of play, starting with `player`."""
    at = order.index(player) if player in order else 0
    return order[at:] + order[:at]
