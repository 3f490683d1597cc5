"""The words of Danish Tarok. Each function takes the code of the language to speak."""

import gettext
from collections.abc import Sequence
from typing import Final

from tracker.catalogue import catalogue, msgid, msgids
from tracker.danish.combination import Combination
from tracker.danish.findings import DanishFinding
from tracker.danish.pack import INDEX
from tracker.errors import Reason
from tracker.findings import Alert
from tracker.ledger import Payment

GAME: Final = "danish"

_SUITS: Final = {
    "S": msgid("spades"),
    "H": msgid("hearts"),
    "D": msgid("diamonds"),
    "C": msgid("clubs"),
    "T": msgid("trumps"),
}
_RANKS: Final = {"R": msgid("king"), "D": msgid("queen"), "C": msgid("knight"), "V": msgid("jack")}
_GRADES: Final = {"half": msgid("half"), "full": msgid("full"), "abundant": msgid("abundant")}
_POTS: Final = {
    "king": (msgid("king pot"), msgid("the king pot")),
    "pagat": (msgid("pagat pot"), msgid("the pagat pot")),
}
_CATEGORIES: Final = {
    "superficial": msgid("superficial, no fine"),
    "minor": msgid("minor"),
    "major": msgid("major"),
    "misdeclaration": msgid("misdeclaration"),
    "irrecoverable": msgid("irrecoverable"),
}


def _words(language: str) -> gettext.NullTranslations:
    return catalogue(GAME, language)


def suit_name(suit: str, language: str = "en") -> str:
    """A suit in words: spades, trumps; spar, tarok."""
    return _words(language).gettext(_SUITS[suit])


def rank_name(rank: str, language: str = "en") -> str:
    """A rank in words: "queen", "3"; "dame"."""
    return _words(language).gettext(_RANKS[rank]) if rank in _RANKS else rank


def card_name(card: str, language: str = "en") -> str:
    """A card in a sentence: "the queen of hearts", "the 3 of trumps", "the fool"; "hjerter dame", "tarok 3"."""
    words = _words(language)
    if card == "F":
        return words.gettext("the fool")
    if card == "T1":
        return words.gettext("the pagat")
    said = words.gettext("the {rank} of {suit}")
    return said.format(rank=rank_name(card[1:], language), suit=suit_name(card[0], language))


def card_label(card: str, language: str = "en") -> str:
    """A card's name by itself: "queen of hearts", "3 of trumps", "fool"; "hjerter dame", "tarok 3"."""
    words = _words(language)
    if card == "F":
        return words.gettext("fool")
    if card == "T1":
        return words.gettext("pagat")
    said = words.gettext("{rank} of {suit}")
    return said.format(rank=rank_name(card[1:], language), suit=suit_name(card[0], language))


def pot_name(pot: str, language: str = "en") -> str:
    """A pot in a sentence, or the name itself if it is a player's."""
    return _words(language).gettext(_POTS[pot][1]) if pot in _POTS else pot


def pot_label(pot: str, language: str = "en") -> str:
    """A pot's name by itself: "king pot"."""
    return _words(language).gettext(_POTS[pot][0])


def category_text(category: str, language: str = "en") -> str:
    """A category of irregularities in words."""
    return _words(language).gettext(_CATEGORIES[category])


def combination_text(combination: Combination, language: str = "en") -> str:
    """A declared combination as it is said at the table: "11 trumps with the pagat", "halve ruder, …"."""
    words = _words(language)
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
        lacking = suit_name(missing, language) if missing else ""
    else:
        suit = suit_name(combination.suit or "S", language)
        text = words.gettext("{grade} {suit}").format(grade=grade, suit=suit)
        lacking = rank_name(missing, language) if missing else ""
    if not missing:
        return text
    return words.gettext("{combination}, no {missing}").format(combination=text, missing=lacking)


# {source} pays {target}; {card}, {combination} and {trick} are there if the payment has one.
# A pair has the singular and the plural of the verb, for one and for several who pay (or are paid, at the close).
_PAYMENTS: Final[dict[str, str | tuple[str, str]]] = {
    "foundation": msgids("{source} founds {target}", "{source} found {target}"),
    "deal": msgid("{source} deals and pays {target}"),
    "declaration": msgids(
        "{target} declared {combination}: {source} pays", "{target} declared {combination}: {source} pay"
    ),
    "king_lost": msgid("{source} lost {card} in trick {trick}: to {target}"),
    "pagat_lost": msgid("{source} lost the pagat in trick {trick}: to {target}"),
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
    "pagat_bagud": msgid("{source} went bagud with the pagat: to {target}"),
    "king_bagud": msgid("{source} went bagud with {card}: to {target}"),
    "bagud_pot": msgid("{source} went bagud with {card} and doubles {target}"),
    "failed_tout": msgid("{source} announced a Tout and failed: to {target}"),
    "failed_tout_pot": msgid("{source} announced a Tout and failed: doubles {target}"),
    "last_trick": msgids(
        "{target} won the last trick: {source} pays", "{target} won the last trick: {source} pay"
    ),
    "count": msgids("count: {source} pays {target}", "count: {source} pay {target}"),
    "fine": msgid("fine: {source} pays {target}"),
    "declaration_returned": msgid("{source} pays {target} back for declaring {combination}"),
    "adjustment": msgid("adjustment: {source} gives {target} ({note})"),
    "join": msgid("{source} joins the game and adds to {target}"),
    "leave": msgid("{target} leaves and gets a share of {source}"),
    "close": msgids("{target} gets a share of {source}", "{target} get a share of {source}"),
}


def payment_text(payment: Payment, language: str = "en") -> str:
    """A payment's reason in words, without its amount."""
    return payments_text([payment], language)


def payments_text(alike: Sequence[Payment], language: str = "en") -> str:
    """The reason in words of payments that differ only in who pays, or only in who receives."""
    words = _words(language)
    payment = alike[0]
    sources = list(dict.fromkeys(pot_name(item.source, language) for item in alike))
    targets = list(dict.fromkeys(pot_name(item.target, language) for item in alike))
    sentence = _PAYMENTS[payment.reason]
    if isinstance(sentence, tuple):
        one, many = sentence
        said = words.ngettext(one, many, len(targets if payment.reason == "close" else sources))
    else:
        said = words.gettext(sentence)
    text = said.format(
        source=listed(sources, language),
        target=listed(targets, language),
        card=card_name(payment.card, language) if payment.card else "",
        combination=_for_what(payment.combination, language),
        trick=payment.trick,
        note=payment.note,
    )
    if payment.fined_in is None:
        return text
    return words.gettext("{payment} (for hand {hand})").format(payment=text, hand=payment.fined_in)


def listed(names: Sequence[str], language: str = "en") -> str:
    """`names` in a row: "Anna, Bo and Carl"."""
    if len(names) < 2:
        return "".join(names)
    said = _words(language).gettext("{names} and {last}")
    return said.format(names=", ".join(names[:-1]), last=names[-1])


def _for_what(combination: object, language: str) -> str:
    """The combination that a payment was for, in words; "" if it was for none."""
    return combination_text(combination, language) if isinstance(combination, Combination) else ""


def _revoke_text(finding: DanishFinding, language: str) -> str:
    words = _words(language)
    offence = {
        "player": finding.player,
        "card": card_name(finding.card or "F", language),
        "suit": suit_name(finding.suit or "S", language),
        "trick": finding.trick,
    }
    if finding.status == "corrected":
        then = card_name(finding.evidence[0], language)
        said = words.gettext(
            "Revoke put right at once: {player} played {card} to {suit} in trick {trick}, then {then}."
        )
        return said.format(**offence, then=then)
    shown = [
        words.gettext("{card} in trick {trick}").format(card=card_name(card, language), trick=trick)
        for card, trick in zip(finding.evidence, finding.evidence_tricks, strict=True)
    ]
    if finding.status != "proved" or finding.known_at is None:
        play = words.gettext("{card} to {suit} in trick {trick}").format(**offence)
        said = words.gettext("Revoke: {player} played {plays}.")
        return said.format(player=finding.player, plays=listed([play, *shown], language))
    if shown:
        said = words.gettext(
            "Revoke: {player} played {card} to {suit} in trick {trick}; by trick {known} too few other cards were "
            "left to make up the rest of the hand, and later came {shown}."
        )
    else:
        said = words.gettext(
            "Revoke: {player} played {card} to {suit} in trick {trick}; by trick {known} too few other cards were "
            "left to make up the rest of the hand."
        )
    return said.format(**offence, known=finding.known_at[0], shown=listed(shown, language))


_FINDINGS: Final = {
    "fool_second_to_last": msgid("{player} played the fool to the second-to-last trick."),
    "fool_call_refused": msgid("The fool was called in trick 23, but {player} kept it until trick {known}."),
    "fool_call_wrong": msgid("{player} called for the fool in trick 23, but it had been played."),
    "fool_called_by_holder": msgid("{player} called for the fool in trick 23 and held it."),
    "fool_not_named": msgid("{player} led the fool to trick {trick} and named no suit."),
    "lead_out_of_turn": msgid("{player} led {card} to trick {trick} out of turn."),
    "play_out_of_turn": msgid("{player} played {card} to trick {trick} out of turn."),
    "play_stopped": msgid(
        "{player} played {card} to trick {trick} out of turn; the leader may have the play stopped."
    ),
    "fool_discarded": msgid("{player} laid the fool in the skat without announcing a Tout."),
    "bad_discard": msgid("{player} laid {cards} in the skat, which may not be laid ({rule})."),
    "declaration_missing": msgid("{player} did not declare {owed}, which was owed."),
    "declaration_false": msgid("{player} declared {made}; the hand did not hold it."),
    "declaration_other": msgid("{player} declared {made}; the hand held {owed}."),
}


def finding_text(finding: DanishFinding, language: str = "en") -> str:
    """A finding with its proof, in one sentence."""
    if finding.kind == "revoke":
        return _revoke_text(finding, language)
    if finding.kind == "contradiction":
        return _contradiction_text(finding, language)
    kind = finding.kind
    if kind == "fool_call_wrong" and finding.evidence:
        kind = "fool_called_by_holder"
    if kind == "play_out_of_turn" and finding.category == "irrecoverable":
        kind = "play_stopped"
    if kind == "declaration_false" and finding.owed:
        kind = "declaration_other"
    return (
        _words(language)
        .gettext(_FINDINGS[kind])
        .format(
            player=finding.player,
            trick=finding.trick,
            rule=finding.rule,
            card=card_name(finding.card, language) if finding.card else "",
            cards=listed([card_name(card, language) for card in finding.evidence], language),
            known=finding.known_at[0] if finding.known_at else "",
            owed=combination_text(finding.owed, language) if finding.owed else "",
            made=combination_text(finding.made, language) if finding.made else "",
        )
    )


def _contradiction_text(finding: DanishFinding, language: str) -> str:
    words = _words(language)
    shown = [
        words.gettext("{card} (trick {trick})").format(card=card_name(card, language), trick=trick)
        for card, trick in zip(finding.evidence, finding.tricks, strict=True)
    ]
    who = finding.suspects[0]
    for other in finding.suspects[1:]:
        who = words.gettext("{player} or {other}").format(player=who, other=other)
    if len(finding.suspects) == 1:
        said = words.gettext(
            "{player} revoked, in which trick is not known yet: {plays} cannot all have been right."
        )
    else:
        said = words.gettext("{player} revoked, or the skat is illegal: {plays} cannot all have been right.")
    return said.format(player=who, plays=listed(shown, language))


_ALERTS: Final = {
    "too_many_cards": msgid("{player} already has a card in the trick; was {card} read right?"),
    "card_seen_twice": msgid("{card} was seen before; was the card read right?"),
    "hand_is_over": msgid("{card} belongs to no trick: all 25 tricks of this hand have been played."),
    "skat_played": msgid("A card of this skat was already played; are all three right?"),
    "trick_taken_by_wrong_player": msgid("{player} took the trick, but {expected} won it."),
    "trick_taken_early": msgid("{player} took the trick before it was complete; is a card missing?"),
    "impossible_event": msgid("That cannot be: {message}."),
    "fault": msgid(
        "Something went wrong in the program here, so this is not counted; what happened at the table?"
    ),
}


def alert_text(alert: Alert, language: str = "en") -> str:
    """An alert, as a question or a statement to the table."""
    text = (
        _words(language)
        .gettext(_ALERTS[alert.kind])
        .format(
            player=alert.player,
            card=card_name(alert.card, language) if alert.card and alert.card in INDEX else alert.card,
            expected=alert.expected,
            message=reason_text(alert.reason, language) if alert.reason else "",
        )
    )
    return text[0].upper() + text[1:]


def reason_text(reason: Reason, language: str = "en") -> str:
    """A reason in words, cards and declarations by their names."""
    sentence = _words(language).gettext(reason.sentence)
    if not reason.values:
        return sentence
    return sentence.format(**{name: _said(name, value, language) for name, value in reason.values})


def _said(name: str, value: object, language: str) -> object:
    if name in ("pot", "player"):
        return pot_name(str(value), language)
    if name == "card" and value in INDEX:
        return card_name(str(value), language)
    return _slot_name(str(value), language) if name == "slot" else value


def _slot_name(slot: str, language: str) -> str:
    """A declaration's slot in words: trumps, matadors, cavallerie in spades, kings."""
    words = _words(language)
    kind, _, suit = slot.partition(" ")
    if suit:
        return words.gettext("cavallerie in {suit}").format(suit=suit_name(suit, language))
    return {
        "trumps": words.pgettext("declaration", "trumps"),
        "matadors": words.gettext("matadors"),
        "cavallerie": words.gettext("cavallerie"),
        "kings": words.gettext("kings"),
    }[kind]
