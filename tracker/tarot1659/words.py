"""Everything that the Tarot of 1659 says in words; each function takes the language's code."""

from typing import Final

from tracker.catalogue import msgid, msgids
from tracker.findings import Finding
from tracker.words import Words

_CARDS: Final = {"F": (msgid("fool"), msgid("the fool"))}
_POTS: Final = {"pot": (msgid("pot"), msgid("the pot"))}
# {source} pays {target}; where several pay or are paid at once, the verb says so.
_PAYMENTS: Final = {
    "ante": msgids("{source} antes to {target}", "{source} ante to {target}"),
    "win": msgids("{target} wins {source}", "{target} share {source}"),
}
_FINDINGS: Final = {
    "lead_out_of_turn": msgid("{player} led {card} to trick {trick} out of turn."),
    "play_out_of_turn": msgid("{player} played {card} to trick {trick} out of turn."),
    "fool_unpaid": msgid("No card was recorded that {player} gave for the fool of trick {trick}."),
}


class Words1659(Words):
    """The words of the Tarot of 1659."""

    game = "tarot1659"
    cards = _CARDS
    pots = _POTS
    payments = _PAYMENTS

    def finding_text(self, finding: Finding, language: str = "en") -> str:
        """A finding with its proof, one sentence."""
        if finding.kind == "revoke":
            return self.revoke_text(finding, language)
        return (
            self.catalogue(language)
            .gettext(_FINDINGS[finding.kind])
            .format(
                player=finding.player,
                trick=finding.trick,
                card=self.card_name(finding.card or "F", language),
            )
        )


WORDS: Final = Words1659()
