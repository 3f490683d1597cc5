"""What the pages of all games with a score sheet have in common."""

from collections.abc import Iterable, Sequence
from typing import Any

from tracker.catalogue import msgid
from tracker.score_sheet import ScoreSheetHand
from tracker.score_sheet_text import ScoreSheetWords
from webui.games.page import Asked, Fact, GamePage, RoundRow, ScoreTable
from webui.people.fair_play import Sight
from webui.texts import begun, signed, text


class SheetPage(GamePage):
    """The page of a game that keeps points instead of chips, and whose words are `ScoreSheetWords`."""

    closing = msgid("The score sheet stands as it is. You can undo that.")
    unfinished = msgid("The hand in progress is not finished; it is not scored.")

    def scored(self, hand: ScoreSheetHand, lang: str) -> list[Fact]:
        """Each reason for which `hand` brought points, in words, and who gets what for it."""
        words = self.game.words
        assert isinstance(words, ScoreSheetWords)
        facts = []
        for reason in dict.fromkeys(score.reason for score in hand.scores):
            rows = [(score.player, signed(score.points)) for score in hand.scores if score.reason == reason]
            title = words.reason_explained(reason, lang)
            facts.append(Fact(begun(title), rows))
        return facts

    def settled(self, session: Any, fine: Any) -> str:
        """What the page says of a finding that was fined."""
        return text("The penalty is given.")

    def start_asked(self) -> Asked:
        """The question whether the next hand was dealt, in a game whose contract people name before a card is noted."""
        said = text("The camera notes the cards once the hand is started and its contract is named.")
        return Asked("start", text("Has the next hand been dealt?"), said, text("Start hand"), "/start")

    def cards_text(self, cards: Iterable[str], lang: str) -> str:
        """Cards in one line; a dash for none."""
        return ", ".join(self.game.words.card_label(card, lang) for card in cards) or "–"

    def cards_fact(self, title: str, cards: int, lang: str, *, said: bool = True) -> Fact:
        """Cards that were shown or laid; `cards` is a mask of the game's pack. `said`: a person entered them."""
        return Fact(title, [("", self.cards_text(self.game.session.pack.names(cards), lang))], said=said)

    def score_table(self, sight: Sight, lang: str) -> ScoreTable:
        """The sheet as clubs write it: a line for each hand, with each player's total and what the hand brought."""
        names = list(sight.session.balances)
        # A hand has a line once it brought something, or is over.
        began = [hand for hand in sight.session.hands if hand.scores or hand.complete or hand.abandoned]
        parts = sight.parts
        shown = [hand for hand in began if hand in parts]
        rows = []
        for hand in shown:
            after, before = hand.totals, hand.scores_before
            scores = [(after.get(name, 0), after.get(name, 0) - before.get(name, 0)) for name in names]
            rows.append(RoundRow(hand.number, self.row_title(hand, lang), scores))
        return ScoreTable([(name, self.mark(name, shown)) for name in names], rows)

    def row_title(self, hand: Any, lang: str) -> str:
        """The words before a hand's line of the sheet."""
        raise NotImplementedError

    def mark(self, player: str, shown: Sequence[Any]) -> str:
        """The mark behind a player's name above the sheet, by the hands `shown` in it; here none."""
        return ""
