"""The audit in words, as a club's secretary reads it: deal by deal, the score sheet at the end."""

from typing import Any

from tracker.audit_text import each, evening_text, hand_title, labelled, trick_lines, underlined
from tracker.french.hand import FrenchHand
from tracker.french.pack import PACK
from tracker.french.session import FrenchSession
from tracker.french.telling import (
    contract_text,
    deal_title,
    endings,
    excuse_text,
    halves_text,
    handful_text,
    handfuls_in_result,
    lacking,
    partner_text,
)
from tracker.french.words import WORDS
from tracker.score_sheet_text import score_sheet_lines, scored_lines
from tracker.session import Session


def audit_text(session: FrenchSession, language: str = "en") -> str:
    """The whole audit in words; ends without a newline."""
    return evening_text(session, WORDS, language, _hand, _sheet)


def _hand(hand: FrenchHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    return [
        *underlined(hand_title(hand, WORDS, language)),
        *_before_play(hand, language),
        *trick_lines(hand, WORDS, language),
        *_result(hand, language),
        *scored_lines(hand, WORDS, language, lambda one: _proposal(one, language)),
        *(["  " + _("Proposed: the hand is annulled.")] if hand.annul_proposed else []),
        "",
    ]


def _before_play(hand: FrenchHand, language: str) -> list[str]:
    """What was said and shown before the play, and the handfuls."""
    _ = WORDS.catalogue(language).gettext
    lines = []
    if hand.bidding.bids:
        bids = ", ".join(
            _(": ").join((player, WORDS.contract_name(name, language))) for player, name in hand.bidding.bids
        )
        lines.append(_("Bids: {bids}").format(bids=bids))
    if hand.contract is not None:
        lines.append(f"{contract_text(hand, language)}.")
    if partner_text(hand, language):
        lines.append(f"{partner_text(hand, language)}.")
    if hand.dog.turned is not None:
        lines.append(
            _("The dog: {cards}").format(cards=WORDS.cards_short(PACK.names(hand.dog.turned), language))
        )
    if hand.dog.laid:
        lines.append(
            _("Laid face up: {cards}").format(cards=WORDS.cards_short(PACK.names(hand.dog.laid), language))
        )
    for handful in hand.handfuls:
        lines.append(
            _(": ").join((handful_text(hand, handful, language), WORDS.cards_short(handful.cards, language)))
        )
    lines += [f"{said}." for said in handfuls_in_result(hand, language)]
    return [*lines, ""] if lines else []


def _result(hand: FrenchHand, language: str) -> list[str]:
    """Tricks, what was laid and points, and how the deal ended."""
    _ = WORDS.catalogue(language).gettext
    rows = [(_("Tricks won"), each(hand.tricks_won.items()))] if hand.plays else []
    if hand.dog.aside is not None and hand.contract is not None:
        laid = _("Laid") if hand.contract.takes_dog else _("The dog")
        rows.append((laid, WORDS.cards_short(PACK.names(hand.dog.aside), language)))
    if hand.outcome is not None:
        halves = hand.outcome.counted.halves
        sides = ", ".join(
            f"{WORDS.side_name(side, language)} {halves_text(number)}" for side, number in halves.items()
        )
        rows.append((_("Points"), sides))
    said = [excuse_text(hand, language)] if hand.excuse is not None else []
    for cards, side, reason in hand.award_reasons:
        awarded = _("{cards} count for {side}: {reason}")
        said.append(
            awarded.format(
                cards=WORDS.cards_short(cards, language), side=WORDS.side_name(side, language), reason=reason
            )
        )
    said += [lacking(hand, language), *endings(hand, language)]
    return [*labelled(rows, WORDS, language), *(f"{one}." for one in said if one)]


def _proposal(finding: Any, language: str) -> str:
    """What the code for arbiters proposes."""
    words = WORDS.catalogue(language)
    _ = words.gettext
    said = []
    if finding.fine:
        outright = words.ngettext("proposed: {fine} point", "proposed: {fine} points", finding.fine)
        sentence = _("proposed: a warning, then {fine}") if finding.warning else outright
        said.append(sentence.format(fine=finding.fine))
    if finding.annul:
        said.append(_("annulled if {player}'s side wins").format(player=finding.player))
    return ", ".join(said)


def _sheet(session: Session[FrenchHand, Any], language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext

    def title(hand: FrenchHand) -> str:
        said = deal_title(hand, language)
        if hand.outcome is not None:
            return said
        return said + " " + (_("(does not count)") if hand.void else _("(not scored)"))

    return score_sheet_lines(session, WORDS, language, title)
