"""The words of American Tarock. Each function takes the language's code."""

from typing import Any, Final

from tracker.american.rule_sets_text import RULE_SOURCES, RULE_TITLES
from tracker.catalogue import msgid
from tracker.score_sheet_text import ScoreSheetWords

_CARDS: Final = {
    "F": (msgid("Skeench"), msgid("the Skeench")),
    "T21": (msgid("Mond"), msgid("the Mond")),
    "T1": (msgid("Pagat"), msgid("the Pagat")),
}
_CAVALIER: Final = msgid("the cavalier of {suit}")
_GAMES: Final = {
    "klop": msgid("Klop"),
    "three": msgid("Three"),
    "two": msgid("Two"),
    "one": msgid("One"),
    "solo_three": msgid("Three Solo"),
    "solo_two": msgid("Two Solo"),
    "solo_one": msgid("One Solo"),
    "barach": msgid("Barach"),
    "solo_no_peek": msgid("Solo No-Peek"),
    "open_barach": msgid("Open Barach"),
    "colour_valat": msgid("Colour Valat"),
    "solo_barcelona": msgid("Solo Barcelona"),
    "pass": msgid("pass"),
}
_BONUSES: Final = {
    "trula": msgid("Trula"),
    "king_ultimo": msgid("King Ultimo"),
    "kings": msgid("Kings"),
    "pagat_ultimo": msgid("Pagat Ultimo"),
    "valat": msgid("Valat"),
}
_SCORES: Final = {
    "misdeal": msgid("misdeal"),
    "mond": msgid("captured Mond"),
    "klop": msgid("Klop"),
    "game": msgid("contract"),
    "difference": msgid("difference"),
    "called_king_lost": msgid("called king lost"),
    "renonce": msgid("renonce"),
    "adjustment": msgid("adjustment"),
} | _BONUSES
_EXPLAINED: Final = {
    "misdeal": msgid("a misdeal costs the dealer 20, the second one 40, and so on"),
    "mond": msgid("Mond and Skeench in one trick, or the Mond left in the Talon: its player pays alone"),
    "game": msgid("the value of the contract, won or lost"),
    "difference": msgid("the points above or below 35"),
    "called_king_lost": msgid("the opponents have the called king"),
    "trula": msgid("Skeench, Mond and Pagat in the tricks of one side"),
    "king_ultimo": msgid("the called king in the last trick"),
    "kings": msgid("all four kings in the tricks of one side"),
    "pagat_ultimo": msgid("the Pagat in the last trick"),
    "valat": msgid("all twelve tricks, won or announced"),
    "renonce": msgid("a rule was broken: the full score of the contract"),
}
"""Why there are such points."""
_FINDINGS: Final = {
    "bad_discard": msgid("{player} laid {card}, which may not be laid."),
    "discard_not_shown": msgid("{player} laid {card} without showing it."),
    "call_forbidden": msgid("{player} called {card} without all four kings."),
    "no_tarocks": msgid("{player} was dealt no tarock and did not show the cards."),
    "compulsory_klop_missed": msgid("This hand was a compulsory Klop, and Three to Barach may not be bid."),
}
_FOURTH: Final = msgid("{player} called the fourth king without exactly three.")
# What was done; how it is known follows.
_OFFENCES: Final = {
    "revoke": msgid("Revoke: {player} played {card} to {suit} in trick {trick}"),
    "tarock_led": msgid("{player} led {card} to trick {trick} before a tarock was played"),
    "must_beat": msgid("{player} played {card} to trick {trick} and did not beat the highest card"),
    "pagat_early": msgid("{player} played {card} to trick {trick} before it had to be played"),
    "pagat_not_kept": msgid("{player} had announced Pagat Ultimo and played {card} to trick {trick}"),
}


class AmericanWords(ScoreSheetWords):
    """The words of American Tarock; it calls the trumps tarocks, the knight cavalier."""

    game = "american"
    rule_titles = RULE_TITLES
    rule_sources = RULE_SOURCES
    cards = _CARDS
    scores = _SCORES
    explained = _EXPLAINED
    findings = _FINDINGS
    offences = _OFFENCES

    def card_label(self, card: str, language: str = "en") -> str:
        """A card's name by itself; a trump is a tarock."""
        if card[0] != "T" or card in self.cards:
            return super().card_label(card, language)
        return self.catalogue(language).gettext("tarock {number}").format(number=card[1:])

    def trump_name(self, number: str, language: str = "en") -> str:
        """A tarock without a name of its own in a sentence: "tarock 3"; "tarok 3", "le tarock 3"."""
        said = self.catalogue(language).pgettext("in a sentence", "tarock {number}")
        return said.format(number=number)

    def card_name(self, card: str, language: str = "en") -> str:
        """A card in a sentence; the knight is a cavalier."""
        if card[1:] != "C":
            return super().card_name(card, language)
        return self._plain_card(self.catalogue(language).gettext(_CAVALIER), card, language)

    def suit_name(self, suit: str, language: str = "en") -> str:
        """A suit in words; the trumps are tarocks."""
        if suit == "T":
            return self.catalogue(language).gettext("tarocks")
        return super().suit_name(suit, language)

    def rank_name(self, rank: str, language: str = "en") -> str:
        """A rank in words; the knight is a cavalier."""
        if rank == "C":
            return self.catalogue(language).gettext("cavalier")
        return super().rank_name(rank, language)

    def game_name(self, game: str, language: str = "en") -> str:
        """A contract, Klop or a pass in words: "Three Solo"."""
        return self.catalogue(language).gettext(_GAMES[game])

    def bonus_name(self, bonus: str, language: str = "en") -> str:
        """A bonus in words: "Pagat Ultimo"."""
        return self.catalogue(language).gettext(_BONUSES[bonus])

    def finding_text(self, finding: Any, language: str = "en") -> str:
        """A finding with its proof, one sentence."""
        if finding.kind == "call_forbidden" and finding.card is None:
            return self.catalogue(language).gettext(_FOURTH).format(player=finding.player)
        return super().finding_text(finding, language)

    def said(self, name: str, value: object, language: str) -> object:
        """The value called `name` of a reason, as it is said."""
        if name in ("game", "bid") and value in _GAMES:
            return self.game_name(str(value), language)
        if name == "bonus" and value in _BONUSES:
            return self.bonus_name(str(value), language)
        return super().said(name, value, language)


WORDS: Final = AmericanWords()
