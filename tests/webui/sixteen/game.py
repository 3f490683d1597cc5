"""Sixteen: three players, 48 cards without trumps, follow suit; every two settle the difference of their tricks."""

from typing import ClassVar, Final

from tracker.cards import COURTS, SUITS
from tracker.catalogue import msgid
from tracker.following import FollowingHand
from tracker.game import Game
from tracker.pack import Pack
from tracker.rule_sets import Rules
from tracker.session import Session
from tracker.words import Words

# SIX-CARD: "From the three up to the ten, then jack, knight, queen and king; no trumps, no fool."
PACK: Final = Pack({suit: [suit + rank for rank in (*map(str, range(3, 11)), *COURTS)] for suit in SUITS})


class SixteenHand(FollowingHand):
    """One hand: the whole pack is dealt, sixteen cards to each."""

    revoke_rule = "SIX-FOLLOW"  # "Who can follow suit must."
    order_rule = "SIX-ORDER"

    def score(self) -> None:
        """SIX-PAY: "Of every two the one with fewer tricks pays the other a chip for each trick between them"."""
        for winner, more in self.tricks_won.items():
            for loser, fewer in self.tricks_won.items():
                self.pay("SIX-PAY", "tricks", loser, winner, max(0, more - fewer))


class SixteenSession(Session[SixteenHand, Rules]):
    """An evening: three players, who deal in turn."""

    pack = PACK
    players = (3, 3)
    hand_kind = SixteenHand
    rule_sets: ClassVar = {"sixteen": Rules(name="sixteen")}


class SixteenWords(Words):
    """What the game says beside what every game does."""

    game = "sixteen"
    rule_titles: ClassVar = {"sixteen": msgid("Sixteen")}
    rule_sources: ClassVar = {"sixteen": msgid("invented as an example")}
    payments: ClassVar = {"tricks": msgid("{source} pays {target} for the tricks")}


SIXTEEN: Final = Game("sixteen", SixteenSession, SixteenWords())
