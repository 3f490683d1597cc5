"""Fair play (ETI-1): what is hidden while a hand is played. Everything that shows the evening asks here.

Hidden are the pots, the balances since the hand began (they give the pots away), the tricks before the one on the
table, how many tricks each player has, and guesses about unseen cards. Payments are told as they happen. A question or
a certain breach comes with the cards that prove it.

A table that practises is also told what can be counted (`Sight.study`).
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tracker.doubts import doubt_of
from tracker.events import (
    CardPlayed,
    EntryCorrected,
    EntryInserted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    Recorded,
)
from tracker.findings import Finding
from tracker.games import game_of_rules
from tracker.hand import Hand
from tracker.ledger import Payment
from tracker.open_questions import open_alerts
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.session_file import export
from tracker.study import Study
from tracker.tricks import Trick


@dataclass(frozen=True)
class Sight:
    """What may be shown of `session` now: all of it, or less while `hidden`.

    `opened` are the numbers of the tricks of this hand that were opened to be put right. `practises`: the page helps
    the table with counting.
    """

    session: Session[Any, Any]
    hidden: bool
    opened: Collection[int] = ()
    practises: bool = False

    def _is_played(self, hand: Hand) -> bool:
        """Whether something of `hand` is hidden."""
        return self.hidden and hand is self.session.hand

    @property
    def balances(self) -> dict[str, int]:
        """Each player's chips; while those are hidden, the chips before the hand."""
        balances = Counter(self.session.balances)
        for payment in self._payments_since():
            balances[payment.source] += payment.amount
            balances[payment.target] -= payment.amount
        return {name: balances[name] for name in self.session.balances}

    @property
    def pots(self) -> dict[str, int] | None:
        """The content of each pot; None while that is hidden."""
        return None if self.hidden else self.session.pots

    @property
    def study(self) -> Study | None:
        """What can be counted in the hand that is played.

        None if the table does not practise, if its game offers no counting, or if cards were not seen.
        """
        hand, study = self.session.hand, game_of_rules(self.session.opened.rules).study
        if (
            not self.practises
            or study is None
            or hand is None
            or hand.unseen_tricks
            or not self.session.under_way
            or hand.by_result
            or self.session.closed
        ):
            return None
        return _studied(study, hand, len(hand.entries))

    def _payments_since(self) -> list[Payment]:
        hand = self.session.hand
        return hand.payments if self.hidden and hand is not None else []

    def has_balance_after(self, number: int) -> bool:
        """Whether a player's chips after the payment `number` of the evening, from 0, are shown."""
        return number < len(self.session.payments) - len(self._payments_since())

    @property
    def parts(self) -> list[Hand | SeatChange]:
        """The hands and the changes of seats that are shown in full."""
        return [part for part in self.session.parts if not (self.hidden and part is self.session.hand)]

    def file(self) -> dict[str, Any]:
        """The session file of the evening, without a hand that is hidden."""
        data = export(self.session.record, type(self.session))
        if self.hidden:
            data["hands"].pop()
        return data

    def tricks(self, hand: Hand) -> list[Trick]:
        """The tricks of `hand` that may be shown, oldest first: while it is played only those on the table."""
        return hand.tricks[-1:] if self._is_played(hand) and not hand.cards_stay else hand.tricks

    def tricks_won(self, hand: Hand) -> dict[str, int] | None:
        """How many tricks each player has; None while that is hidden, and if nobody names the cards."""
        return None if self._is_played(hand) or hand.by_result else hand.tricks_won

    def played(self, hand: Hand) -> set[str]:
        """The cards of the tricks that are shown."""
        return {play.card for trick in self.tricks(hand) for play in trick.plays}

    def findings(self, hand: Hand) -> list[tuple[int, Finding]]:
        """The findings of `hand` that may be told, each with its index; while it is played only certain ones.

        None are told while it is asked who dealt.
        """
        if hand.dealer_in_doubt:
            return []
        return [
            (place, finding)
            for place, finding in enumerate(hand.findings)
            if not (self._is_played(hand) and doubt_of(hand, finding))
        ]

    def shows_play(self, seq: int, *, opened: bool = False) -> bool:
        """Whether the play stored as `seq` is shown. `opened`: the reader may see the tricks that were opened."""
        hand = self.session.hand
        if not self.hidden or hand is None or hand.cards_stay:
            return True
        for trick in hand.tricks[:-1]:
            for play in trick.plays:
                if play.seq == seq:
                    return bool(play.alternatives) or self._proves(play.player, play.card, hand) or (
                        opened and trick.number in self.opened
                    )  # fmt: skip
        return True

    def shows_table_at(self, seq: int, *, opened: bool = False) -> bool:
        """Whether a picture of the whole table at the play stored as `seq` is shown, which shows other cards, too.

        While the hand is played, only a reader who may see the tricks that were opened sees it (`opened`).
        """
        if not self.hidden:
            return True
        if any(play.seq == seq for hand in self.session.hands[:-1] for play in hand.plays):
            return True
        tricks = self.session.hand.tricks if self.session.hand is not None else []
        return opened and any(
            trick.number in self.opened and play.seq == seq for trick in tricks for play in trick.plays
        )

    def _proves(self, player: str, card: str, hand: Hand) -> bool:
        """Whether a card that `player` played stands in the proof of something that is told, or in a question."""
        if any(card == alert.card for alert in open_alerts(self.session)):
            return True
        return any(
            finding.player == player and card in (finding.card, *finding.evidence)
            for _, finding in self.findings(hand)
        )

    def tells(self, record: Recorded) -> bool:
        """Whether the page tells which card the entry `record` is about."""
        match record.event:
            case PlayCorrected(seq=seq) | PlayRemoved(seq=seq):
                return self.shows_play(seq)
            case CardPlayed() | PlayInserted():
                return self.shows_play(record.seq)
            case EntryCorrected(entry=event) | EntryInserted(entry=event):
                return self.shows_trick(event.lies_with)
        return self.shows_trick(record.event.lies_with)

    def shows_trick(self, number: int | None, *, opened: bool = False) -> bool:
        """Whether the trick with this number is shown now; None stands for no trick. `opened` as in `shows_play`."""
        hand = self.session.hand
        if number is None or not self.hidden or hand is None or number >= len(hand.tricks):
            return True
        return opened and number in self.opened


def sight_of(
    session: Session[Any, Any], fair_play: bool, opened: Collection[int] = (), *, practises: bool = False
) -> Sight:
    """What may be shown of `session`, with or without `fair_play`; arguments as in `Sight`."""
    return Sight(session, fair_play and session.under_way and not session.closed, opened, practises)


@lru_cache(maxsize=4)
def _studied(study: Callable[[Any], Study], hand: Hand, entries: int) -> Study:
    """What can be counted in `hand` after so many `entries`: the same for every screen, so computed once."""
    return study(hand)
