"""The audit in words, as a club's secretary reads it: round by round, the score sheet at the end."""

from typing import Any

from tracker.american.hand import MISDEAL, AmericanHand
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.american.telling import announced_before, endings, game_text, lacking, round_title
from tracker.american.words import WORDS
from tracker.audit_text import (
    each,
    evening_text,
    hand_title,
    labelled,
    trick_lines,
    tricks_won_rows,
    underlined,
)
from tracker.score_sheet_text import score_sheet_lines, scored_lines
from tracker.session import Session
from tracker.tricks import Trick


def audit_text(session: AmericanSession, language: str = "en") -> str:
    """The whole audit in words; ends without a newline."""
    return evening_text(session, WORDS, language, _hand, _sheet)


def _hand(hand: AmericanHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    return [
        *underlined(hand_title(hand, WORDS, language)),
        *_before_play(hand, language),
        *trick_lines(hand, WORDS, language, lambda trick: _vitamin(hand, trick, language)),
        *_result(hand, language),
        *scored_lines(hand, WORDS, language, lambda one: _fine(one, language)),
        "",
    ]


def _before_play(hand: AmericanHand, language: str) -> list[str]:
    """What was said before the play: bids, the game, the call, the Talon, announcements."""
    _ = WORDS.catalogue(language).gettext
    lines = [f"{said}." for said in announced_before(hand, language)]
    if hand.bidding.bids:
        bids = ", ".join(
            _(": ").join((player, WORDS.game_name(game, language))) for player, game in hand.bidding.bids
        )
        lines.append(_("Bids: {bids}").format(bids=bids))
    if hand.contract is not None:
        lines.append(f"{game_text(hand, language)}.")
    if hand.call.partner is not None and hand.call.card is not None:
        said = _("The partner is {player}, with {card}.")
        lines.append(said.format(player=hand.call.partner, card=WORDS.card_name(hand.call.card, language)))
    if hand.talon.cards is not None and hand.talon.taken is not None:
        taken = [card for card in hand.talon.cards if hand.talon.taken >> PACK.index[card] & 1]
        rest = [card for card in hand.talon.cards if card not in taken]
        said = _("Taken from the Talon: {taken}; left: {rest}")
        lines.append(
            said.format(taken=WORDS.cards_short(taken, language), rest=WORDS.cards_short(rest, language))
        )
    if hand.talon.laid:
        lines.append(
            _("Laid face up: {cards}").format(cards=WORDS.cards_short(PACK.names(hand.talon.laid), language))
        )
    for player, bonus in hand.bidding.announced:
        said = _("{player} announces {bonus}")
        lines.append(f"{said.format(player=player, bonus=WORDS.bonus_name(bonus, language))}.")
    return [*lines, ""] if lines else []


def _result(hand: AmericanHand, language: str) -> list[str]:
    """Tricks, what was laid and points, and how the round ended."""
    _ = WORDS.catalogue(language).gettext
    rows = tricks_won_rows(hand, hand.ledger.balances, WORDS, language)
    if hand.talon.discards:
        rows.append((_("Laid"), WORDS.cards_short(PACK.names(hand.talon.discards), language)))
    if hand.outcome is not None and hand.outcome.points is not None:
        sides = {"declarer": _("declarer's side"), "opponents": _("opponents")}
        points = each((sides.get(name, name), number) for name, number in hand.outcome.points.items())
        rows.append((_("Points"), points))
    over = hand.complete or hand.abandoned
    said = [lacking(hand, language), *(endings(hand, language) if over else [])]
    return [*labelled(rows, WORDS, language), *(f"{one}." for one in said if one)]


def _vitamin(hand: AmericanHand, trick: Trick, language: str) -> str:
    vitamin = hand.talon.vitamins.get(trick.number)
    if vitamin is None:
        return ""
    return WORDS.catalogue(language).gettext("vitamin {card}").format(card=vitamin)


def _fine(finding: Any, language: str) -> str:
    if not finding.fine:
        return ""
    return WORDS.catalogue(language).gettext("proposed fine {fine}").format(fine=finding.fine)


def _sheet(session: Session[AmericanHand, Any], language: str) -> list[str]:
    """The score sheet as people write it: a column a player, the total after each round, an asterisk a misdeal."""
    assert isinstance(session, AmericanSession)
    _ = WORDS.catalogue(language).gettext
    heads = {player: player + "*" * count for player, count in session.asterisks.items()}

    def title(hand: AmericanHand) -> str:
        return round_title(hand, language) + ("" if hand.outcome is not None else " " + _("(not scored)"))

    lines = score_sheet_lines(session, WORDS, language, title, heads)
    if any(session.asterisks.values()) and not session.over:
        costs = each((player, MISDEAL * (count + 1)) for player, count in session.asterisks.items())
        lines.append(_("The next misdeal costs: {costs}").format(costs=costs))
    return lines
