"""The audit in words, as a club's secretary reads it: hand by hand, trick by trick, with reasons and proofs."""

from tracker.audit_text import (
    each,
    evening_text,
    finding_lines,
    hand_title,
    labelled,
    payment_lines,
    trick_lines,
    tricks_won_rows,
    underlined,
)
from tracker.danish.declarations import value_of
from tracker.danish.findings import DanishFinding
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.danish.words import WORDS, category_text, combination_text
from tracker.tricks import Trick


def audit_text(session: DanishSession, language: str = "en") -> str:
    """The whole audit in words; ends without a newline."""
    return evening_text(session, WORDS, language, _hand)


def _hand(hand: DanishHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext

    def fool_named(trick: Trick) -> str:
        if trick.named is None or trick.suit is None:
            return ""
        return _("fool named {suit}").format(suit=WORDS.suit_name(trick.suit, language))

    def proposed(finding: DanishFinding) -> str:
        category = category_text(finding.category, language)
        if not finding.fine:
            return category
        return _("{category}; proposed fine {fine} to each pot").format(category=category, fine=finding.fine)

    lines = underlined(hand_title(hand, WORDS, language))
    lines += _declarations(hand, language)
    lines += trick_lines(hand, WORDS, language, fool_named)
    rows = tricks_won_rows(hand, hand.active, WORDS, language)
    if hand.points is not None:
        rows.append((_("Points"), each(hand.points.items())))
    lines += labelled(rows, WORDS, language)
    lines += ["", _("Payments"), *payment_lines(hand.payments, WORDS, language)]
    lines += ["", _("Remarks"), *finding_lines(hand, hand.findings, WORDS, language, proposed), ""]
    return lines


def _declarations(hand: DanishHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    lines = []
    for player in (hand.active[2], *hand.active[:2]):  # the dealer declares first
        made = hand.declared[player]
        if made is None:
            continue
        if not made:
            lines.append(_("{player}: pass").format(player=player))
        for combination in made:
            lines.append(
                _("{player}: {made} ({value} from each)").format(
                    player=player, made=combination_text(combination, language), value=value_of(combination)
                )
            )
    return [*lines, ""] if lines else []
