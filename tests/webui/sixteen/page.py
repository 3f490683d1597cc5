"""Sixteen among the pages."""

from sixteen.game import SIXTEEN, SixteenHand
from tracker.catalogue import msgid
from webui.games.page import GamePage
from webui.texts import text


class SixteenPage(GamePage):
    """What the pages cannot know of it."""

    game = SIXTEEN
    title = msgid("Sixteen")

    def endings(self, hand: SixteenHand, lang: str) -> list[str]:
        """Who won most tricks."""
        best = max(hand.tricks_won.values())
        names = [name for name, won in hand.tricks_won.items() if won == best]
        return [text("{players}: {count} tricks", players=self.game.words.listed(names, lang), count=best)]
