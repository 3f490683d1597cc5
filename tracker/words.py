"""What every game says in words: cards, suits, chips, alerts, reasons; each method takes the language's code.

A game derives its own `Words`: it says what it calls otherwise, what its payments are for, and what was found.
"""

import gettext
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeGuard

from tracker.cards import CARDS, TRUMP
from tracker.catalogue import catalogue, msgid, msgids
from tracker.errors import Reason
from tracker.findings import Alert, Finding
from tracker.ledger import Payment

_SUITS: Final = {
    "S": msgid("spades"),
    "H": msgid("hearts"),
    "D": msgid("diamonds"),
    "C": msgid("clubs"),
    "T": msgid("trumps"),
}
_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RANKS: Final = {"R": msgid("king"), "D": msgid("queen"), "C": msgid("knight"), "V": msgid("jack")}
_IN_SENTENCE: Final = {
    "R": msgid("the king of {suit}"),
    "D": msgid("the queen of {suit}"),
    "C": msgid("the knight of {suit}"),
    "V": msgid("the jack of {suit}"),
}
_NUMBERED: Final = msgid("the {rank} of {suit}")
"""A card in a sentence, whole: in some languages the article goes by the rank."""
_TRUMP: Final = msgid("trump {number}")
# {source} pays {target}; {note} is the reason that people gave. Where several are paid at once, the verb says so.
_PAYMENTS: Final[dict[str, str | tuple[str, str]]] = {
    "fine": msgid("fine: {source} pays {target}"),
    "adjustment": msgid("adjustment: {source} gives {target} ({note})"),
    "join": msgid("{source} joins the table and pays into {target}"),
    "leave": msgid("{target} leaves and gets a share of {source}"),
    "close": msgids("{target} gets a share of {source}", "{target} each get a share of {source}"),
}
_CARDS: Final = {"F": (msgid("fool"), msgid("the fool"))}
_FINDINGS: Final = {
    "lead_out_of_turn": msgid("{player} led {card} to trick {trick} out of turn."),
    "play_out_of_turn": msgid("{player} played {card} to trick {trick} out of turn."),
}
_IMPOSSIBLE: Final = msgid("That cannot have happened: {message}.")
_ALERTS: Final = {
    "too_many_cards": msgid(
        "{player} already has a card in trick {trick}; is {card} right, or is a card missing?"
    ),
    "card_seen_twice": msgid("{card} was played before; is the card right?"),
    "pot_holds_less": msgid(
        "The pot does not hold as many chips as are taken out of it; is the amount right?"
    ),
    "hand_is_over": msgid("{card} belongs to no trick: all cards of this hand are played."),
    "trick_taken_by_wrong_player": msgid("{player} took trick {trick}, but {expected} won it."),
    "trick_taken_early": msgid("{player} took trick {trick} before it was complete; is a card missing?"),
    "hand_is_void": _IMPOSSIBLE,
    "misfit": _IMPOSSIBLE,
    "wrong_result": msgid("The result is not right yet: {message}."),
    "impossible_event": _IMPOSSIBLE,
    "fault": msgid(
        "Something went wrong in the program here, so this is not counted; what happened at the table?"
    ),
}
# What a value of a file is, and what an amount in it counts.
_KINDS: Final = {
    "an object": msgid("an object"),
    "a list": msgid("a list"),
    "a text": msgid("a text"),
    "true or false": msgid("true or false"),
    "a whole number": msgid("a whole number"),
    "a fraction": msgid("a fraction"),
    "null": msgid("null"),
    "chips": msgid("chips"),
    "points": msgid("points"),
    "cards": msgid("cards"),
    "players": msgid("players"),
}

Name = tuple[str, str]
"""What a thing is called by itself, and in a sentence."""


class Words:
    """The words of one game. `game` is the name of its catalogue.

    `cards` and `pots` have names of their own. `payments` has a sentence for each reason of the game's own; it has two,
    for one and for many, where several pay or are paid at once. `findings` has a sentence for each kind of finding.
    `alerts` has those that this game says otherwise. `rule_titles` are what people call the rule sets,
    and `rule_sources` what these follow.
    """

    game: ClassVar[str]
    cards: ClassVar[dict[str, Name]] = _CARDS
    pots: ClassVar[Mapping[str, Name]] = {}
    payments: ClassVar[Mapping[str, str | tuple[str, str]]] = {}
    findings: ClassVar[Mapping[str, str]] = {}
    alerts: ClassVar[Mapping[str, str]] = {}
    rule_titles: ClassVar[Mapping[str, str]] = {}
    rule_sources: ClassVar[Mapping[str, str]] = {}

    # -- what a game says ----------------------------------------------------------------------------------

    def finding_text(self, finding: Any, language: str = "en") -> str:
        """A finding with its proof, one sentence."""
        if finding.kind == "revoke":
            return self.revoke_text(finding, language)
        sentence = self.findings.get(finding.kind) or _FINDINGS[finding.kind]
        return (
            self.catalogue(language)
            .gettext(sentence)
            .format(
                player=finding.player,
                trick=finding.trick,
                card=self.card_name(finding.card, language) if finding.card else "",
            )
        )

    def about(self, payment: Payment, language: str) -> dict[str, object]:
        """What the sentence of a payment says beside who pays whom, in which trick, for which card and why."""
        return {}

    def said(self, name: str, value: object, language: str) -> object:
        """The value called `name` of a reason, as it is said."""
        if name in ("pot", "player"):
            return self.pot_name(str(value), language)
        if name in ("kind", "unit") and value in _KINDS:
            return self.catalogue(language).gettext(_KINDS[str(value)])
        if name == "rules":
            return self.rule_set_title(str(value), language)
        return self.card_name(str(value), language) if name == "card" and is_card(value) else value

    # -- names ---------------------------------------------------------------------------------------------

    def catalogue(self, language: str) -> gettext.NullTranslations:
        """What the game says in `language`, and what every game does."""
        return catalogue(self.game, language)

    def suit_name(self, suit: str, language: str = "en") -> str:
        """A suit in words: spades, trumps; spar, tarok."""
        return self.catalogue(language).gettext(_SUITS[suit])

    def rank_name(self, rank: str, language: str = "en") -> str:
        """A rank in words: "queen", "3"; "dame"."""
        return self.catalogue(language).gettext(_RANKS[rank]) if rank in _RANKS else rank

    def card_name(self, card: str, language: str = "en") -> str:
        """A card in a sentence: "the queen of hearts", "trump 3", "the fool"; "hjerter dame", "tarok 3"."""
        words = self.catalogue(language)
        if card in self.cards:
            _, sentence = self.cards[card]
            return words.gettext(sentence)
        if card[0] == TRUMP:
            return self.trump_name(card[1:], language)
        return self._plain_card(words.gettext(_IN_SENTENCE.get(card[1:], _NUMBERED)), card, language)

    def trump_name(self, number: str, language: str = "en") -> str:
        """A trump without a name of its own in a sentence: "trump 3"; "tarok 3", "le 3 d’atout"."""
        said = self.catalogue(language).pgettext("in a sentence", "trump {number}")
        return said.format(number=number)

    def card_label(self, card: str, language: str = "en") -> str:
        """A card's name by itself: "queen of hearts", "trump 3", "fool"; "hjerter dame", "tarok 3"."""
        words = self.catalogue(language)
        if card in self.cards:
            sentence, _ = self.cards[card]
            return words.gettext(sentence)
        if card[0] == TRUMP:
            return words.gettext(_TRUMP).format(number=card[1:])
        return self._plain_card(words.gettext("{rank} of {suit}"), card, language)

    def card_short(self, card: str, language: str = "en") -> str:
        """A card's name in a table, with its suit as a sign: "♥ queen", "trump 3", "fool"."""
        if card in self.cards or card[0] == TRUMP:
            return self.card_label(card, language)
        return f"{_SIGNS[card[0]]} {self.rank_name(card[1:], language)}"

    def cards_short(self, cards: Iterable[str], language: str = "en") -> str:
        """Several cards in a table: "♥ queen, trump 3, fool"."""
        return ", ".join(self.card_short(card, language) for card in cards)

    def _plain_card(self, said: str, card: str, language: str) -> str:
        return said.format(rank=self.rank_name(card[1:], language), suit=self.suit_name(card[0], language))

    def pot_name(self, pot: str, language: str = "en") -> str:
        """A pot in a sentence, or the name itself if it is a player's."""
        if pot not in self.pots:
            return pot
        _, sentence = self.pots[pot]
        return self.catalogue(language).gettext(sentence)

    def pot_label(self, pot: str, language: str = "en") -> str:
        """A pot's name by itself: "king pot"."""
        sentence, _ = self.pots[pot]
        return self.catalogue(language).gettext(sentence)

    def holder_label(self, name: str, language: str = "en") -> str:
        """Who holds chips, by himself: "King pot", or a player's name."""
        return self.pot_label(name, language).capitalize() if name in self.pots else name

    def rule_set_title(self, name: str, language: str = "en") -> str:
        """What people call the rule set of that name; a club's own is called as the club calls it."""
        sentence = self.rule_titles.get(name)
        return name if sentence is None else self.catalogue(language).gettext(sentence)

    def rule_set_source(self, name: str, language: str = "en") -> str:
        """What the game's rule set of that name follows."""
        sentence = self.rule_sources[name]
        return self.catalogue(language).gettext(sentence)

    def listed(self, names: Sequence[str], language: str = "en") -> str:
        """`names` in a row: "Anna, Bo and Carl"."""
        if len(names) < 2:
            return "".join(names)
        said = self.catalogue(language).gettext("{names} and {last}")
        return said.format(names=", ".join(names[:-1]), last=names[-1])

    # -- sentences -----------------------------------------------------------------------------------------

    def payment_text(self, payment: Payment, language: str = "en") -> str:
        """A payment's reason in words, without its amount."""
        return self.payments_text([payment], language)

    def payments_text(self, alike: Sequence[Payment], language: str = "en") -> str:
        """The reason in words of payments that differ only in who pays, or only in who receives."""
        words = self.catalogue(language)
        payment = alike[0]
        sources = list(dict.fromkeys(self.pot_name(item.source, language) for item in alike))
        targets = list(dict.fromkeys(self.pot_name(item.target, language) for item in alike))
        sentence = self.payment_sentence(payment)
        if isinstance(sentence, tuple):
            one, many = sentence
            from_pot = payment.source in self.pots
            said = words.ngettext(one, many, len(targets if from_pot else sources))
        else:
            said = words.gettext(sentence)
        text = said.format(
            source=self.listed(sources, language),
            target=self.listed(targets, language),
            card=self.card_name(payment.card, language) if payment.card else "",
            trick=payment.trick,
            note=payment.note,
            **self.about(payment, language),
        )
        if payment.fined_in is None:
            return text
        return words.gettext("{payment} (for hand {hand})").format(payment=text, hand=payment.fined_in)

    def payment_sentence(self, payment: Payment) -> str | tuple[str, str]:
        """The sentence that says why `payment` was made, in one number or two."""
        return self.payments.get(payment.reason) or _PAYMENTS[payment.reason]

    def revoke_text(self, finding: Finding, language: str = "en") -> str:
        """A revoke with its proof, one sentence."""
        words = self.catalogue(language)
        offence = {
            "player": finding.player,
            "card": self.card_name(finding.card or "F", language),
            "suit": self.suit_name(finding.suit or "S", language),
            "trick": finding.trick,
        }
        if finding.status == "corrected":
            then = self.card_name(finding.evidence[0], language)
            said = words.gettext(
                "Revoke corrected at once: {player} played {card} to {suit} in trick {trick}, then {then}."
            )
            return said.format(**offence, then=then)
        shown = [
            words.gettext("{card} in trick {trick}").format(card=self.card_name(card, language), trick=trick)
            for card, trick in zip(finding.evidence, finding.evidence_tricks, strict=True)
        ]
        if finding.status != "proved" or finding.known_at is None:
            play = words.gettext("{card} to {suit} in trick {trick}").format(**offence)
            said = words.gettext("Revoke: {player} played {plays}.")
            return said.format(player=finding.player, plays=self.listed([play, *shown], language))
        if shown:
            said = words.gettext(
                "Revoke: {player} played {card} to {suit} in trick {trick}; by trick {known} too few other cards "
                "were left to make up the rest of the hand, and later came {shown}."
            )
        else:
            said = words.gettext(
                "Revoke: {player} played {card} to {suit} in trick {trick}; by trick {known} too few other cards "
                "were left to make up the rest of the hand."
            )
        return said.format(**offence, known=finding.known_at[0], shown=self.listed(shown, language))

    def alert_text(self, alert: Alert, language: str = "en") -> str:
        """An alert as a question or a statement to the table."""
        sentence = self.alerts.get(alert.kind) or _ALERTS[alert.kind]
        text = (
            self.catalogue(language)
            .gettext(sentence)
            .format(
                player=alert.player,
                card=self.card_name(alert.named, language) if is_card(alert.named) else alert.named,
                expected=alert.expected,
                trick=alert.trick,
                message=self.reason_text(alert.reason, language) if alert.reason else "",
            )
        )
        return text[0].upper() + text[1:]

    def reason_text(self, reason: Reason, language: str = "en") -> str:
        """A reason in words, cards and what else has a name by their names."""
        sentence = self.catalogue(language).gettext(reason.sentence)
        if not reason.values:
            return sentence
        return sentence.format(**{name: self.said(name, value, language) for name, value in reason.values})


def is_card(value: object) -> TypeGuard[str]:
    """Whether `value` is the name of a card of the tarot pack."""
    return value in CARDS
