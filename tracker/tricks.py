"""Trick play for any number of players: the cards as they fell, and whose turn it is.

`TrickPlay` takes what happened, legal or not, and refuses only what cannot have happened (EventError). The game
says what a card denies, who wins, and what a trick is worth: `follow`, `winning_card`, `card_played`, `trick_won`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tracker.cards import FOOL
from tracker.errors import EarlierCardsError, EventError
from tracker.events import CardPlayed
from tracker.pack import Pack


class Play(NamedTuple):
    """One card on the table. `alternatives` mark a doubtful reading; `number` counts the plays of the hand from 1."""

    player: str
    card: str
    seq: int
    alternatives: tuple[str, ...]
    number: int


class Trick:
    """The plays to one trick, in order, and their cards as a mask. `unseen` is how many more cards are unknown.

    `suit` is the suit led, after all naming; None while a led fool has no suit. `named` is the suit that a led
    fool was given by name. `closed_by` is the number of the event that said who won it, where its cards do not.
    `to_lead` is who was to lead to it, `leader` who did.
    """

    __slots__ = (
        "cards", "closed_by", "leader", "named", "number", "plays", "suit", "to_lead", "unseen", "winner"
    )  # fmt: skip

    def __init__(self, number: int, leader: str, to_lead: str) -> None:
        self.number = number
        self.leader = leader
        self.to_lead = to_lead
        self.suit: str | None = None
        self.named: str | None = None
        self.plays: list[Play] = []
        self.cards = 0
        self.winner: str | None = None
        self.unseen = 0
        self.closed_by: int | None = None

    @property
    def last(self) -> int:
        """The number of the event that completed it."""
        return self.plays[-1].seq if self.closed_by is None else self.closed_by


class TrickPlay:
    """The tricks of one hand. `active` are the players in order of play, the first of whom leads.

    `cards_each` is how many cards each of them plays, and so how many tricks there are. Inside, a player is his place
    in `active`, and a card is its place in `pack`. The game sets `complete`. `gone` are the cards that can no longer be
    played, `shown` those that each player has played, all as masks. `unseen_tricks` are the numbers of those tricks of
    which cards are unknown; these count as still held.
    """

    cards_each: int

    def __init__(self, pack: Pack, active: Sequence[str]) -> None:
        self.pack = pack
        self.active = tuple(active)
        self._local = {player: place for place, player in enumerate(self.active)}
        self._count = len(self.active)
        self.start_play()

    def start_play(self) -> None:
        """Begin a new deal: no card has been played."""
        self.tricks: list[Trick] = []
        self.plays: list[Play] = []
        self.complete = False
        self.abandoned = False
        self.tricks_won: dict[str, int] = dict.fromkeys(self.active, 0)
        self.unseen_tricks: list[int] = []
        self.gone = 0
        self.shown = [0] * len(self.active)
        self._turn = 0
        self._in_trick = 0  # bit set of the players who have played to the current trick

    # -- what a game may say otherwise ---------------------------------------------------------------------

    def follow(self, trick: Trick, letter: str, event: CardPlayed) -> int:
        """The cards, as a mask, that the next card of `trick` denies; `letter` is its suit's. Sets the suit led.

        As in most games, a card off the suit led denies that suit, and trumps too unless it is one. The fool
        denies nothing. If it is led, the next card's suit is the suit led.
        """
        suit = trick.suit
        if letter in (suit, FOOL):
            return 0
        if suit is None:
            trick.suit = letter
            return 0
        return self.pack.denied(suit, letter)

    def winning_card(self, trick: Trick) -> int:
        """The card that wins a complete trick: its highest trump, or without one the highest of the suit led."""
        assert trick.suit is not None
        return (trick.cards & self.pack.winning[trick.suit]).bit_length() - 1

    @property
    def may_be_played_on(self) -> bool:
        """Whether cards may still be played though the hand is complete: where that was decided early."""
        return False

    @property
    def takes_no_cards(self) -> bool:
        """Whether no card may be played any more: the hand was given up, or is over."""
        return self.abandoned or (self.complete and not self.may_be_played_on)

    def check_name(self, event: CardPlayed) -> None:
        """Called only if a suit was named with the card. Raises EventError unless the game has that, and it fits."""
        raise EventError("no suit is named for the fool in this game")

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """Called when it was another player's turn or lead. `play` is not in `trick` yet."""

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """Called after player `local` played the card `place` to the suit `led` ("" for none).

        `denied` is a mask of the cards that he thereby denied holding.
        """

    def trick_won(self, trick: Trick, winner: int) -> None:
        """Called when `trick` is complete, or `winner` is said to have won it though cards of it are unknown."""

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def to_play(self) -> str | None:
        """Whose turn it is; play goes counter-clockwise (TABLE-1). None when the hand is over."""
        return None if self.complete or self.abandoned else self.active[self._turn]

    @property
    def turn(self) -> tuple[str, ...]:
        """Who has still to play to the trick on the table, in order; between two tricks all, the leader first."""
        if self.takes_no_cards:
            return ()
        places = [(self._turn + k) % self._count for k in range(self._count)]
        return tuple(self.active[place] for place in places if not self._in_trick >> place & 1)

    @property
    def trick(self) -> Trick | None:
        """The trick on the table, None between two tricks."""
        return self.tricks[-1] if self.tricks and self._in_trick else None

    def known_now(self) -> tuple[int, int] | None:
        """The last play as (trick, play of the hand), both from 1; None before the first."""
        return (self.tricks[-1].number, len(self.plays)) if self.plays else None

    def would_win(self, plays: Sequence[tuple[str, str]]) -> str | None:
        """Who would win a trick of these `plays`, (player, card) each, in order; None where that cannot be told.

        Nobody named a fool in that trick, because it was not played.
        """
        trick = Trick(0, plays[0][0], "")
        for player, card in plays:
            place = self.pack.index.get(card)
            if place is None:
                return None
            if trick.suit is None and self.pack.letter[place] != FOOL:
                trick.suit = self.pack.letter[place]
            trick.cards |= 1 << place
            trick.plays.append(Play(player, card, 0, (), 0))
        return None if trick.suit is None else self._winner(trick)

    def _winner(self, trick: Trick) -> str:
        best = self.winning_card(trick)
        return next(play.player for play in trick.plays if self.pack.index[play.card] == best)

    # -- playing -------------------------------------------------------------------------------------------

    def play(self, event: CardPlayed, seq: int) -> None:
        """Record a card as it fell. Raises EventError if it cannot have been played."""
        player, card = event.player, event.card
        pack = self.pack
        place = pack.index.get(card)
        local = self._local.get(player)
        if place is None or local is None or self.takes_no_cards:
            raise self.unplayable(player, card)
        before = self._in_trick
        # What all can see comes first. Whether the card was played before is hidden while the hand is played (ETI-1).
        if before >> local & 1:
            raise EventError(
                "{player} already has a card in trick {trick}",
                "too_many_cards",
                player=player,
                trick=len(self.tricks),
            )
        if self.gone >> place & 1:
            raise self.already_seen(card)
        if event.named is not None:
            self.check_name(event)

        # As `Play(...)`, in half the time: there is one for each card of an evening.
        play = tuple.__new__(Play, (player, card, seq, event.alternatives, len(self.plays) + 1))
        if before:
            trick = self.tricks[-1]
        else:
            trick = Trick(len(self.tricks) + 1, player, self.active[self._turn])
            self.tricks.append(trick)
        if local != self._turn:
            self.played_out_of_turn(play, trick)
            if not before:
                self._turn = local
        led = trick.suit
        denied = self.follow(trick, pack.letter[place], event)
        bit = 1 << place
        trick.plays.append(play)
        trick.cards |= bit
        self.plays.append(play)
        self.gone |= bit
        self.shown[local] |= bit
        self.card_played(local, place, denied, led or trick.suit or "", trick)
        self._pass_turn(trick, before | 1 << local)

    def pass_unseen(self, winner: str, seq: int) -> None:
        """`winner` won the trick on the table, or the next one; cards that were not entered are unknown.

        Raises EventError if he does not play, or no hand is under way.
        """
        local = self._local.get(winner)
        if local is None:
            raise self.not_playing(winner)
        if self.takes_no_cards:
            raise EventError("no hand is under way")
        trick = self.trick
        if trick is None:
            leader = self.active[self._turn]
            trick = Trick(len(self.tricks) + 1, leader, leader)
            self.tricks.append(trick)
        trick.unseen, trick.closed_by = self._count - len(trick.plays), seq
        self.unseen_tricks.append(trick.number)
        self._win_trick(trick, local)

    def _win_trick(self, trick: Trick, winner: int) -> None:
        self._in_trick = 0
        self._turn = winner
        trick.winner = name = self.active[winner]
        self.tricks_won[name] += 1
        self.trick_won(trick, winner)

    def _pass_turn(self, trick: Trick, played: int) -> None:
        """Settle a complete trick, and pass the turn on; `played` is the bit set of those who played to it."""
        count = self._count
        if len(trick.plays) == count:
            self._win_trick(trick, self._local[self._winner(trick)])
        else:
            # The turn goes to the first player round the table who has not played to this trick.
            self._in_trick = played
            following = self._turn
            while played >> following & 1:
                following = following + 1 if following + 1 < count else 0
            self._turn = following

    def unplayable(self, player: str, card: str) -> EventError:
        """The error for a card that cannot have been played."""
        if card not in self.pack.index:
            return EventError("unknown card {card!r}", card=card)
        if player not in self._local:
            return self.not_playing(player)
        if self.complete:
            return EventError(
                "{card} cannot be played: all {tricks} tricks are over",
                "hand_is_over",
                card=card,
                tricks=len(self.tricks),
            )
        return EventError("{card} cannot be played: the hand was abandoned", card=card)

    def already_seen(self, card: str, kind: str = "card_seen_twice") -> EventError:
        """The error for a card that was seen before. If it was played, `kind` is the kind of alert that it becomes."""
        for trick in self.tricks:
            for play in trick.plays:
                if play.card == card:
                    return EarlierCardsError(
                        "{card} was already played in trick {trick}", kind, card=card, trick=trick.number
                    )
        return self.seen_aside(card)

    def seen_aside(self, card: str) -> EventError:
        """The error for a card that was shown but not played, in a game that has such cards."""
        raise AssertionError(card)

    def not_playing(self, player: str) -> EventError:
        """The error for a `player` who is not in the hand."""
        return EventError("{player} is not seated", player=player)
