"""The words of French Tarot. Each function takes the language's code."""

from typing import Any, Final

from tracker.catalogue import msgid
from tracker.french.rule_sets_text import RULE_SOURCES, RULE_TITLES
from tracker.score_sheet_text import ScoreSheetWords

_CARDS: Final = {
    "F": (msgid("Excuse"), msgid("the Excuse")),
    "T1": (msgid("petit"), msgid("the petit")),
}
_CONTRACTS: Final = {
    "prise": msgid("prise"),
    "garde": msgid("garde"),
    "garde_sans": msgid("garde sans"),
    "garde_contre": msgid("garde contre"),
    "pass": msgid("pass"),
}
_SIDES: Final = {"taker": msgid("the taker's side"), "defence": msgid("the defence")}
_SCORES: Final = {
    "game": msgid("hand"),
    "petit_au_bout": msgid("petit au bout"),
    "handful": msgid("handful"),
    "slam": msgid("slam"),
    "penalty": msgid("penalty"),
    "adjustment": msgid("adjustment"),
}
_EXPLAINED: Final = {
    "game": msgid("25 and the points over or under what was needed, times the contract"),
    "petit_au_bout": msgid(
        "the petit in the last trick, times the contract, for the side that wins the trick"
    ),
    "handful": msgid("for the side that wins the hand, whoever showed it"),
    "slam": msgid("every trick, or a slam announced and missed"),
}
"""Why there are such points."""
_FINDINGS: Final = {
    "bad_discard": msgid("{player} laid {card}, which may not be laid."),
    "discard_not_shown": msgid("{player} laid {card} without showing it."),
    "petit_sec": msgid(
        "{player} was dealt the petit as the only trump, without the Excuse, and did not say so."
    ),
    "handful_incomplete": msgid("{player} showed a handful with too few cards."),
    "handful_too_many": msgid("{player} showed a handful with too many cards."),
    "handful_late": msgid("{player} showed a handful at the wrong time."),
}
_CALL_FORBIDDEN: Final = msgid("{player} called {card} without the cards above it: {shown}.")
# What was done; how it is known follows.
_OFFENCES: Final = {
    "revoke": msgid("Revoke: {player} played {card} to {suit} in trick {trick}"),
    "under_trump": msgid("Not overtrumped: {player} played {card} under the highest trump of trick {trick}"),
    "called_suit_led": msgid("{player} led {card} of the suit called to the first trick"),
    "needless_trump": msgid("{player} laid a trump"),
    "handful_excuse": msgid("{player} showed the Excuse in a handful"),
}


class FrenchWords(ScoreSheetWords):
    """The words of French Tarot: the fool is the Excuse, trump 1 the petit."""

    game = "french"
    rule_titles = RULE_TITLES
    rule_sources = RULE_SOURCES
    cards = _CARDS
    scores = _SCORES
    explained = _EXPLAINED
    findings = _FINDINGS
    offences = _OFFENCES

    def contract_name(self, contract: str, language: str = "en") -> str:
        """A contract or a pass in words: "garde sans"."""
        return self.catalogue(language).gettext(_CONTRACTS[contract])

    def side_name(self, side: str, language: str = "en") -> str:
        """A side in a sentence: "the defence"."""
        return self.catalogue(language).gettext(_SIDES[side])

    def finding_text(self, finding: Any, language: str = "en") -> str:
        """A finding with its proof, one sentence."""
        if finding.kind != "call_forbidden":
            return super().finding_text(finding, language)
        shown = self.listed([self.card_name(card, language) for card in finding.evidence], language)
        called = self.card_name(finding.card, language)
        said = self.catalogue(language).gettext(_CALL_FORBIDDEN)
        return said.format(player=finding.player, card=called, shown=shown)

    def said(self, name: str, value: object, language: str) -> object:
        """The value called `name` of a reason, as it is said."""
        if name == "contract" and value in _CONTRACTS:
            return self.contract_name(str(value), language)
        return super().said(name, value, language)


WORDS: Final = FrenchWords()
