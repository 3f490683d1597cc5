"""A score sheet in words: what its lines are for, and the score sheet as people write it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeVar

from tracker.audit_text import finding_lines
from tracker.catalogue import msgid, msgids
from tracker.contract_hand import Missing
from tracker.ledger import SCORE_SHEET, Payment, alike_but_in, gathered
from tracker.score_sheet import Score, ScoreSheetHand
from tracker.session import Session
from tracker.words import Words

H = TypeVar("H", bound=ScoreSheetHand)

_MOVED: Final = {
    True: msgids("{players} scores: {reason}", "{players} score: {reason}"),
    False: msgids("{players} loses: {reason}", "{players} lose: {reason}"),
}


_SHOWN: Final = msgid("{offence}, and still held {shown}.")
_PROVED: Final = msgid(
    "{offence}; by trick {known} too few other cards were left to make up the rest of the hand."
)
_PROVED_AND_SHOWN: Final = msgid(
    "{offence}; by trick {known} too few other cards were left to make up the rest of the hand, "
    "and later came {shown}."
)
_LACKING: Final[dict[Missing, str]] = {
    "contract": msgid("The contract is missing: the hand is not scored before it is entered"),
    "call": msgid("The call is missing: the hand is not scored before it is entered"),
    "talon": msgid("The Talon is missing: the hand is not scored before it is entered"),
}
_PROVED_AT_ONCE: Final = msgid("{offence}; too few other cards are left to make up the rest of the hand.")


class ScoreSheetWords(Words):
    """The words of a game with a score sheet. `scores` are what lines are for, `explained` why there are such lines.

    `offences` are the findings that need a proof: what was done, without how it is known.
    """

    scores: ClassVar[Mapping[str, str]]
    explained: ClassVar[Mapping[str, str]] = {}
    offences: ClassVar[Mapping[str, str]] = {}

    def reason_name(self, reason: str, language: str = "en") -> str:
        """What points are for, in a word."""
        sentence = self.scores[reason]
        return self.catalogue(language).gettext(sentence)

    def reason_explained(self, reason: str, language: str = "en") -> str:
        """What points are for, and why there are such: "difference (the points above or below 35)"."""
        _ = self.catalogue(language).gettext
        return _(self.scores[reason]) + (
            f" ({_(self.explained[reason])})" if reason in self.explained else ""
        )

    def score_text(self, score: Score, language: str = "en") -> str:
        """What a line of the score sheet is for, without its points; where people said why, in their words."""
        words = self.catalogue(language)
        text = self.reason_explained(score.reason, language)
        if score.note:
            text = f"{self.reason_name(score.reason, language)} ({score.note})"
        if score.proposal_of not in (None, score.hand):
            text = words.gettext("{payment} (for hand {hand})").format(payment=text, hand=score.proposal_of)
        return text

    def lacking_text(self, missing: Missing | None, language: str) -> str:
        """That a hand is not scored because something is missing; "" where nothing is."""
        return self.catalogue(language).gettext(_LACKING[missing]) if missing is not None else ""

    def finding_text(self, finding: Any, language: str = "en") -> str:
        """A finding with its proof, one sentence."""
        if finding.kind not in self.offences:
            return super().finding_text(finding, language)
        words = self.catalogue(language)
        offence = words.gettext(self.offences[finding.kind]).format(
            player=finding.player,
            card=self.card_name(finding.card, language) if finding.card else "",
            suit=self.suit_name(finding.suit, language) if finding.suit else "",
            trick=finding.trick,
        )
        shown = self.listed([self.card_name(card, language) for card in finding.evidence], language)
        sentence = _SHOWN
        if finding.status == "proved":
            sentence = (
                _PROVED_AT_ONCE if finding.known_at is None else _PROVED_AND_SHOWN if shown else _PROVED
            )
        known = finding.known_at[0] if finding.known_at else 0
        return words.gettext(sentence).format(offence=offence, shown=shown, known=known)

    def payments_text(self, alike: Sequence[Payment], language: str = "en") -> str:
        """Lines of the score sheet that differ only in their player, as payments between him and the score sheet."""
        words = self.catalogue(language)
        payment = alike[0]
        won = payment.source == SCORE_SHEET
        players = list(dict.fromkeys(item.target if won else item.source for item in alike))
        reason = self.reason_name(payment.reason, language)
        said = words.ngettext(*_MOVED[won], len(players))
        said = said.format(players=self.listed(players, language), reason=reason)
        if payment.note:
            said = f"{said} ({payment.note})"
        if payment.fined_in is not None:
            said = words.gettext("{payment} (for hand {hand})").format(payment=said, hand=payment.fined_in)
        return said


def score_lines(scores: Sequence[Score], words: ScoreSheetWords, language: str) -> list[str]:
    """A line for each score; players who score alike stand in one, each once."""
    _ = words.catalogue(language).gettext
    lines = []
    told = gathered(scores, lambda one: one._replace(player="", points=0), lambda one: one.points)
    for alike in alike_but_in(("player",), told):
        points = f"{alike[0].points:+d}" + (" " + _("each") if len(alike) > 1 else "")
        players = words.listed([score.player for score in alike], language)
        lines.append(f"{points:>10}  {players}  {words.score_text(alike[0], language)}")
    return lines or ["  " + _("Nothing is scored.")]


def scored_lines(
    hand: ScoreSheetHand, words: ScoreSheetWords, language: str, proposed: Callable[[Any], str]
) -> list[str]:
    """What `hand` brought to the score sheet, and what was found in it; `proposed` is said of each finding."""
    _ = words.catalogue(language).gettext
    return [
        "",
        _("On the score sheet"),
        *score_lines(hand.scores, words, language),
        "",
        _("Remarks"),
        *finding_lines(hand, hand.findings, words, language, proposed),
    ]


def score_sheet_lines(
    session: Session[H, Any],
    words: ScoreSheetWords,
    language: str,
    title: Callable[[H], str],
    heads: Mapping[str, str] | None = None,
) -> list[str]:
    """The score sheet as people write it: a column a player, the total after each hand, and its `title`.

    `heads` are the columns' names where they are not the players'.
    """
    _ = words.catalogue(language).gettext
    heads = heads or {player: player for player in session.balances}
    width = max(6, *(len(head) for head in heads.values())) + 2
    hand_word = _("hand")
    first = max(8, len(hand_word) + 5)
    lines = [_("Score sheet"), " " * first + "".join(f"{head:>{width}}" for head in heads.values())]
    for hand in session.hands:
        row = "".join(f"{hand.totals.get(player, 0):>{width}}" for player in heads)
        lines.append(f"{f'{hand_word} {hand.number}':<{first}}{row}   {title(hand)}")
    return lines
