"""The words of Danish Tarok. Each function takes the language's code."""

from typing import Final

from tracker.catalogue import msgid, msgids
from tracker.danish.combination import Combination
from tracker.danish.findings import DanishFinding
from tracker.danish.rule_sets_text import RULE_SOURCES, RULE_TITLES
from tracker.ledger import Payment
from tracker.words import Words

_CARDS: Final = {"T1": (msgid("pagat"), msgid("the pagat"))}
_POTS: Final = {
    "king": (msgid("king pot"), msgid("the king pot")),
    "pagat": (msgid("pagat pot"), msgid("the pagat pot")),
}
_GRADES: Final = {"half": msgid("half"), "full": msgid("full"), "abundant": msgid("abundant")}
_DECLARED: Final = {
    "trumps": msgid("{count} trumps"),
    "matadors": msgid("{count} matadors"),
    "cavallerie": msgid("{grade} cavallerie"),
    "kings": msgid("{grade} kings"),
}
_CATEGORIES: Final = {
    "superficial": msgid("superficial, no fine"),
    "minor": msgid("minor"),
    "major": msgid("major"),
    "misdeclaration": msgid("misdeclaration"),
    "irrecoverable": msgid("irrecoverable"),
}
# {source} pays {target}; {card} and {combination} where the payment has one; {trick} where it has one.
# Where several pay or are paid at once, the verb says so.
_PAYMENTS: Final[dict[str, str | tuple[str, str]]] = {
    "foundation": msgids(
        "{source} pays the foundation of {target}", "{source} pay the foundation of {target}"
    ),
    "deal": msgid("{source} deals and pays {target}"),
    "declaration": msgids(
        "{target} declared {combination}: {source} pays", "{target} declared {combination}: {source} pay"
    ),
    "king_lost": msgid("{source} lost {card} in trick {trick} and pays {target}"),
    "pagat_lost": msgid("{source} lost the pagat in trick {trick} and pays {target}"),
    "pagat_won": msgids(
        "{target} brought the pagat home in trick {trick}: {source} pays",
        "{target} brought the pagat home in trick {trick}: {source} pay",
    ),
    "tout": msgids("{target} made a Tout: {source} pays", "{target} made a Tout: {source} pay"),
    "tout_pot": msgid("{target} made a Tout and takes {source}"),
    "nolo": msgids("{target} made a nolo: {source} pays", "{target} made a nolo: {source} pay"),
    "pagat_ultimo": msgids(
        "{target} won ultimo with the pagat: {source} pays",
        "{target} won ultimo with the pagat: {source} pay",
    ),
    "king_ultimo": msgids(
        "{target} won ultimo with {card}: {source} pays", "{target} won ultimo with {card}: {source} pay"
    ),
    "ultimo_pot": msgid("{target} won ultimo and takes {source}"),
    "pagat_bagud": msgid("{source} went bagud with the pagat and pays {target}"),
    "king_bagud": msgid("{source} went bagud with {card} and pays {target}"),
    "bagud_pot": msgid("{source} went bagud with {card} and doubles {target}"),
    "failed_tout": msgid("{source} announced a Tout, failed and pays {target}"),
    "failed_tout_pot": msgid("{source} announced a Tout, failed and doubles {target}"),
    "last_trick": msgids(
        "{target} won the last trick: {source} pays", "{target} won the last trick: {source} pay"
    ),
    "count": msgids("count: {source} pays {target}", "count: {source} pay {target}"),
    "declaration_returned": msgid("{source} pays {target} back for declaring {combination}"),
}
# The same of a hand that is known by its result: in which trick, or which king, nobody said.
_BY_RESULT: Final[dict[str, str | tuple[str, str]]] = {
    "king_lost": msgid("{source} lost a king and pays {target}"),
    "pagat_lost": msgid("{source} lost the pagat and pays {target}"),
    "pagat_won": msgids(
        "{target} brought the pagat home: {source} pays", "{target} brought the pagat home: {source} pay"
    ),
    "king_ultimo": msgids(
        "{target} won ultimo with a king: {source} pays", "{target} won ultimo with a king: {source} pay"
    ),
    "king_bagud": msgid("{source} went bagud with a king and pays {target}"),
    "bagud_pot": msgid("{source} went bagud and doubles {target}"),
}
_ALERTS: Final = {
    "hand_is_over": msgid("{card} belongs to no trick: all 25 tricks of this hand have been played."),
    "skat_played": msgid("A card of this skat was already played; are all three right?"),
}


class DanishWords(Words):
    """The words of Danish Tarok."""

    game = "danish"
    rule_titles = RULE_TITLES
    rule_sources = RULE_SOURCES
    cards = Words.cards | _CARDS
    pots = _POTS
    payments = _PAYMENTS
    alerts = _ALERTS

    def finding_text(self, finding: DanishFinding, language: str = "en") -> str:
        """A finding with its proof, one sentence."""
        if finding.kind == "contradiction":
            return _contradiction_text(finding, language)
        kind = "bad_discard" if finding.kind == "fool_discarded" else finding.kind
        if kind == "fool_call_wrong" and finding.evidence:
            kind = "fool_called_by_holder"
        if kind == "play_out_of_turn" and finding.category == "irrecoverable":
            kind = "play_stopped"
        if kind == "declaration_false" and finding.owed:
            kind = "declaration_other"
        if kind == "declaration_missing" and not finding.owed:
            kind = "declaration_owed"
        if kind not in _FINDINGS:
            return super().finding_text(finding, language)
        return (
            self.catalogue(language)
            .gettext(_FINDINGS[kind])
            .format(
                player=finding.player,
                trick=finding.trick,
                rule=finding.rule,
                card=self.card_name(finding.card, language) if finding.card else "",
                cards=self.listed([self.card_name(card, language) for card in finding.evidence], language),
                known=finding.known_at[0] if finding.known_at else "",
                slot=_slot_name(finding.slot, language) if finding.slot else "",
                owed=combination_text(finding.owed, language) if finding.owed else "",
                made=combination_text(finding.made, language) if finding.made else "",
            )
        )

    def payment_sentence(self, payment: Payment) -> str | tuple[str, str]:
        """The sentence that says why `payment` was made, also where nobody said in which trick, or with which king."""
        known = _BY_RESULT.get(payment.reason) if payment.trick is None else None
        return known or super().payment_sentence(payment)

    def about(self, payment: Payment, language: str) -> dict[str, object]:
        """The combination that it was for; nothing where it was for none."""
        made = payment.combination
        return {"combination": combination_text(made, language) if isinstance(made, Combination) else ""}

    def said(self, name: str, value: object, language: str) -> object:
        """The value called `name` of a reason, as it is said; `slot` is what a declaration is about."""
        return _slot_name(str(value), language) if name == "slot" else super().said(name, value, language)


WORDS: Final = DanishWords()


def category_text(category: str, language: str = "en") -> str:
    """A category of irregularities in words."""
    return WORDS.catalogue(language).gettext(_CATEGORIES[category])


def combination_text(combination: Combination, language: str = "en") -> str:
    """A declared combination as it is said at the table: "11 trumps with the pagat", "halve ruder, …"."""
    words = WORDS.catalogue(language)
    kind, count, missing = combination.kind, combination.count or 0, combination.missing
    if kind == "trumps":
        if combination.pagat:
            return words.gettext("{count} trumps with the pagat").format(count=count)
        return words.gettext("{count} trumps without the pagat").format(count=count)
    if kind == "matadors":
        return words.gettext("{count} matadors").format(count=count)
    grade = words.gettext(_GRADES[combination.grade or "half"])
    if kind == "kings":
        text = words.gettext("{grade} kings").format(grade=grade)
    else:
        suit = WORDS.suit_name(combination.suit or "S", language)
        text = words.gettext("{grade} {suit}").format(grade=grade, suit=suit)
    if not missing:
        return text
    return words.gettext("{combination}, no {missing}").format(
        combination=text, missing=missing_name(kind, missing, language)
    )


def declared_kind_text(kind: str, language: str = "en") -> str:
    """What is declared without its suit and what it lacks, as `deed_of` has it: "11 trumps", "half cavallerie"."""
    words = WORDS.catalogue(language)
    what, _, much = kind.partition(" ")
    grade = words.gettext(_GRADES[much]) if much in _GRADES else ""
    return words.gettext(_DECLARED[what]).format(count=much, grade=grade)


def missing_name(kind: str, missing: str, language: str = "en") -> str:
    """What a half combination of `kind` lacks, as it is said: a suit, or a court; "mangler kongen", not "konge"."""
    if kind == "kings":
        return WORDS.suit_name(missing, language)
    words = WORDS.catalogue(language)
    return {
        "R": words.pgettext("lacking", "king"),
        "D": words.pgettext("lacking", "queen"),
        "C": words.pgettext("lacking", "knight"),
        "V": words.pgettext("lacking", "jack"),
    }[missing]


_FINDINGS: Final = {
    "fool_second_to_last": msgid("{player} played the fool to the second-to-last trick."),
    "fool_call_refused": msgid("The fool was called in trick 23, but {player} kept it until trick {known}."),
    "fool_call_wrong": msgid("{player} called for the fool in trick 23, but it had been played."),
    "fool_called_by_holder": msgid("{player} called for the fool in trick 23 and held it."),
    "fool_not_named": msgid("{player} led the fool to trick {trick} and named no suit."),
    "play_stopped": msgid(
        "{player} played {card} to trick {trick} out of turn; the leader may have the play stopped."
    ),
    "bad_discard": msgid("{player} laid {cards} in the skat, which may not be laid ({rule})."),
    "declaration_missing": msgid("{player} held {owed} and did not declare it."),
    "declaration_owed": msgid("{player} should have declared {slot} and did not."),
    "declaration_false": msgid("{player} declared {made}, but did not hold it."),
    "declaration_other": msgid("{player} declared {made}, but held {owed}."),
}


def _contradiction_text(finding: DanishFinding, language: str) -> str:
    words = WORDS.catalogue(language)
    shown = [
        words.gettext("{card} (trick {trick})").format(card=WORDS.card_name(card, language), trick=trick)
        for card, trick in zip(finding.evidence, finding.tricks, strict=True)
    ]
    who = finding.suspects[0]
    for other in finding.suspects[1:]:
        who = words.gettext("{player} or {other}").format(player=who, other=other)
    if finding.alone:
        said = words.gettext(
            "{player} revoked, but it is not known yet in which trick: {plays} cannot all have been right."
        )
    else:
        said = words.gettext("{player} revoked, or the skat is illegal: {plays} cannot all have been right.")
    return said.format(player=who, plays=WORDS.listed(shown, language))


def _slot_name(slot: str, language: str) -> str:
    """A declaration's slot in words: trumps, matadors, cavallerie in spades, kings."""
    words = WORDS.catalogue(language)
    kind, _, suit = slot.partition(" ")
    if suit:
        return words.gettext("cavallerie in {suit}").format(suit=WORDS.suit_name(suit, language))
    return {
        "trumps": words.pgettext("declaration", "trumps"),
        "matadors": words.gettext("matadors"),
        "cavallerie": words.gettext("cavallerie"),
        "kings": words.gettext("kings"),
    }[kind]
