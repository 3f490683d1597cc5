"""What the page says alike of the games that keep a score sheet."""

from tracker.catalogue import msgid
from tracker.score_sheet import ScoreSheetHand
from tracker.score_sheet_text import ScoreSheetWords
from webui.games.page import Fact, GamePage
from webui.texts import signed


class SheetPage(GamePage):
    """The page of a game that keeps points instead of chips; its words are `ScoreSheetWords`."""

    closing = msgid("The score sheet stands as it is. It can be undone.")

    def scored(self, hand: ScoreSheetHand, lang: str) -> list[Fact]:
        """Each reason for which `hand` brought points, in words, with who gets what for it."""
        words = self.game.words
        assert isinstance(words, ScoreSheetWords)
        facts = []
        for reason in dict.fromkeys(score.reason for score in hand.scores):
            rows = [(score.player, signed(score.points)) for score in hand.scores if score.reason == reason]
            title = words.reason_explained(reason, lang)
            facts.append(Fact(title[:1].upper() + title[1:], rows))
        return facts
