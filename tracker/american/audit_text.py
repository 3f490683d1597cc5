"""The audit as a club secretary reads it: round by round, the score sheet at the end."""

from typing import Any

from tracker.american.contracts import KLOP
from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.american.sheet import Score
from tracker.american.words import WORDS
from tracker.audit_text import each, evening_text, finding_lines, hand_title, trick_lines, underlined
from tracker.session import Session
from tracker.tricks import Trick


def audit_text(session: AmericanSession, language: str = "en") -> str:
    """The whole audit in words; ends without a newline."""
    return evening_text(session, WORDS, language, _hand, _sheet)


def _hand(hand: AmericanHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    lines = underlined(hand_title(hand, WORDS, language))
    lines += _before_play(hand, language)
    lines += trick_lines(hand, WORDS, language, lambda trick: _vitamin(hand, trick, language))
    won = each((player, hand.tricks_won[player]) for player in hand.ledger.balances)
    lines.append(_("Tricks won: {won}").format(won=won))
    if hand.discards:
        lines.append(_("Laid: {cards}").format(cards=" ".join(PACK.names(hand.discards))))
    result = hand.outcome
    if result is not None and result.points is not None:
        sides = {"declarer": _("declarer"), "opponents": _("opponents")}
        points = each((sides.get(name, name), number) for name, number in result.points.items())
        lines.append(_("Points:     {points}").format(points=points))
    lines += ["", _("Scores"), *_score_lines(hand.scores, language)]
    lines += [
        "",
        _("Found"),
        *finding_lines(hand, hand.findings, WORDS, language, lambda one: _fine(one, language)),
        "",
    ]
    return lines


def _before_play(hand: AmericanHand, language: str) -> list[str]:
    """What was said before the play: bids, the game, the call, the Talon, announcements."""
    _ = WORDS.catalogue(language).gettext
    lines = []
    if hand.compulsory:
        lines.append(_("A compulsory Klop."))
    if hand.skeench_round:
        lines.append(_("Skeench-a-tola."))
    if hand.bids:
        bids = ", ".join(f"{player}: {WORDS.game_name(game, language)}" for player, game in hand.bids)
        lines.append(_("Bids: {bids}").format(bids=bids))
    contract = hand.contract
    if contract is KLOP:
        lines.append(_("Klop is played."))
    elif contract is not None:
        lines.append(
            _("{player} plays {game}.").format(
                player=hand.declarer, game=WORDS.game_name(contract.name, language)
            )
        )
    if hand.called is not None:
        called = WORDS.card_name(hand.called, language)
        if hand.partner is not None:
            lines.append(
                _("Called: {card}; the partner is {player}.").format(card=called, player=hand.partner)
            )
        else:
            lines.append(_("Called: {card}.").format(card=called))
    if hand.talon is not None and hand.taken is not None:
        taken = [card for card in hand.talon if hand.taken >> PACK.index[card] & 1]
        rest = [card for card in hand.talon if card not in taken]
        lines.append(
            _("Taken from the Talon: {taken}; left: {rest}").format(
                taken=" ".join(taken), rest=" ".join(rest)
            )
        )
    for player, bonus in hand.announced:
        lines.append(
            _("{player} announces {bonus}.").format(player=player, bonus=WORDS.bonus_name(bonus, language))
        )
    return [*lines, ""] if lines else []


def _vitamin(hand: AmericanHand, trick: Trick, language: str) -> str:
    vitamin = hand.vitamins.get(trick.number)
    if vitamin is None:
        return ""
    return WORDS.catalogue(language).gettext("vitamin {card}").format(card=vitamin)


def _score_lines(scores: list[Score], language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    if not scores:
        return ["  " + _("Nothing is scored.")]
    width = max(len(score.player) for score in scores)
    return [
        f"{score.points:>+9}  {score.player:<{width}}  {WORDS.score_text(score, language)}"
        for score in scores
    ]


def _fine(finding: Any, language: str) -> str:
    if not finding.fine:
        return ""
    return WORDS.catalogue(language).gettext("proposed fine {fine}").format(fine=finding.fine)


def _sheet(session: Session[AmericanHand, Any], language: str) -> list[str]:
    """The score sheet as people write it: a column a player, the total after each round, an asterisk a misdeal."""
    assert isinstance(session, AmericanSession)
    _ = WORDS.catalogue(language).gettext
    heads = {player: player + "*" * count for player, count in session.asterisks.items()}
    width = max(6, *(len(head) for head in heads.values())) + 2
    hand_word = _("hand")
    first = max(8, len(hand_word) + 5)
    lines = [_("Score sheet"), " " * first + "".join(f"{head:>{width}}" for head in heads.values())]
    for hand in session.hands:
        totals = session.totals_after(hand)
        row = "".join(f"{totals[player]:>{width}}" for player in heads)
        lines.append(f"{f'{hand_word} {hand.number}':<{first}}{row}")
    return lines
