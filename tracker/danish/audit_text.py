"""The audit in words for a club's secretary: hand by hand, trick by trick, with reasons and proofs."""

from collections.abc import Iterable
from typing import Final

from tracker.catalogue import catalogue, msgid
from tracker.danish.declarations import value_of
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.danish.words import (
    GAME,
    category_text,
    combination_text,
    finding_text,
    listed,
    payments_text,
    pot_label,
    suit_name,
)
from tracker.doubts import doubt_of
from tracker.ledger import Payment
from tracker.seat_change import SeatChange
from tracker.tricks import Trick

_DOUBTS: Final = {
    "gap": msgid("unsettled: cards may have been played while nobody watched"),
    "alert": msgid("unsettled: something was seen that cannot be so"),
    "reading": msgid("unsettled: it rests on a doubtful reading"),
}


def audit_text(session: DanishSession, language: str = "en") -> str:
    """The whole audit in words, in the language with that code; ends without a newline."""
    _ = catalogue(GAME, language).gettext
    title = _("Tarok session, {rules}").format(rules=session.rules.name)
    players = _("Players, counter-clockwise: {players}").format(players=", ".join(session.opened.seats))
    lines = [title, "=" * len(title), players, ""]
    for part in session.parts:
        lines += _hand(part, language) if isinstance(part, DanishHand) else _seat_change(part, language)
    lines += _balances(session, language)
    return "\n".join(lines)


def _hand(hand: DanishHand, language: str) -> list[str]:
    words = catalogue(GAME, language)
    _ = words.gettext
    title = _("Hand {number}: {dealer} deals").format(number=hand.number, dealer=hand.dealer)
    if hand.sits_out:
        out = words.ngettext(", {players} sits out", ", {players} sit out", len(hand.sits_out))
        title += out.format(players=listed(hand.sits_out, language))
    if not hand.complete:
        count = len(hand.plays)
        early = words.ngettext("ended early, after {count} play", "ended early, after {count} plays", count)
        title += ", " + early.format(count=count)
    lines = [title, "-" * len(title)]
    lines += _declarations(hand, language)
    lines += _tricks(hand, language)
    lines.append(_("Tricks won: {won}").format(won=_each(hand.tricks_won.items())))
    if hand.points is not None:
        lines.append(_("Points:     {points}").format(points=_each(hand.points.items())))
    lines += ["", _("Payments"), *_payments(hand.payments, language)]
    lines += ["", _("Found"), *_findings(hand, language), ""]
    return lines


def _seat_change(change: SeatChange, language: str) -> list[str]:
    _ = catalogue(GAME, language).gettext
    if change.kind == "join":
        title = _("{player} joins; now at the table: {players}")
    else:
        title = _("{player} leaves; now at the table: {players}")
    title = title.format(player=change.player, players=", ".join(change.seats))
    return [title, "-" * len(title), *_payments(change.payments, language), ""]


def _each(numbers: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{player} {number}" for player, number in numbers)


def _declarations(hand: DanishHand, language: str) -> list[str]:
    _ = catalogue(GAME, language).gettext
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


def _tricks(hand: DanishHand, language: str) -> list[str]:
    if not hand.tricks:
        return []
    _ = catalogue(GAME, language).gettext
    width = max(len(player) for player in hand.active) + 1
    lines = [_("Tricks (* won the trick)")]
    for trick in hand.tricks:
        cards = "   ".join(
            f"{play.player + ('*' if play.player == trick.winner else ''):<{width}} {play.card:<3}"
            for play in trick.plays
        )
        lines.append(f"{trick.number:>3}  {cards}{_remark(trick, language)}".rstrip())
    return [*lines, ""]


def _remark(trick: Trick, language: str) -> str:
    _ = catalogue(GAME, language).gettext
    if trick.winner is None:
        return "   (" + _("not finished") + ")"
    if trick.plays[0].card == "F" and trick.suit is not None:
        return "   (" + _("fool named {suit}").format(suit=suit_name(trick.suit, language)) + ")"
    return ""


def _payments(payments: list[Payment], language: str) -> list[str]:
    each = catalogue(GAME, language).gettext("each")
    lines = []
    for group in _alike(payments):
        amount = str(group[0].amount) + (" " + each if len(group) > 1 else "")
        lines.append(f"{amount:>9}  {payments_text(group, language)}")
    return lines


def _alike(payments: list[Payment]) -> list[list[Payment]]:
    """The payments in groups of neighbours that differ only in who pays, or only in who receives."""
    groups: list[list[Payment]] = []
    for payment in payments:
        group = groups[-1] if groups else []
        if group and (
            all(item._replace(source=payment.source) == payment for item in group)
            or all(item._replace(target=payment.target) == payment for item in group)
        ):
            group.append(payment)
        else:
            groups.append([payment])
    return groups


def _findings(hand: DanishHand, language: str) -> list[str]:
    _ = catalogue(GAME, language).gettext
    if not hand.findings:
        return ["  " + _("Nothing to remark.")]
    lines = []
    for finding in hand.findings:
        doubt = doubt_of(hand, finding)
        lines.append(f"  {'?' if doubt else '!'} {finding_text(finding, language)}")
        if doubt:
            lines.append(f"    ({_(_DOUBTS[doubt])})")
            continue
        category = category_text(finding.category, language)
        remark = category
        if finding.fine:
            remark = _("{category}; proposed fine {fine} to each pot").format(
                category=category, fine=finding.fine
            )
        if finding.known_at is not None:
            trick, play = finding.known_at
            known = _("certain from trick {trick}, card {play} of 75").format(trick=trick, play=play)
            remark = f"{known}; {remark}"
        lines.append(f"    ({remark})")
    return lines


def _balances(session: DanishSession, language: str) -> list[str]:
    """A table: one line for each hand and each change of seats, and the balances below."""
    _ = catalogue(GAME, language).gettext
    columns = [*session.balances, *session.pots]
    heads = [*session.balances, *(pot_label(pot, language) for pot in session.pots)]
    width = max(6, *(len(head) for head in heads)) + 2
    hand_word = _("hand")
    names = {
        id(part): f"{hand_word} {part.number}" if isinstance(part, DanishHand) else _sign(part)
        for part in session.parts
    }
    first = max(8, *(len(name) + 2 for name in names.values())) if names else 8
    lines = [_("Balances"), " " * first + "".join(f"{head:>{width}}" for head in heads)]
    running = dict.fromkeys(columns, 0)
    for part in session.parts:
        change = dict.fromkeys(columns, 0)
        for payment in part.payments:
            change[payment.source] -= payment.amount
            change[payment.target] += payment.amount
        for name in columns:
            running[name] += change[name]
        lines.append(
            f"{names[id(part)]:<{first}}"
            + "".join(f"{change[name]:{'+' if change[name] else ''}}".rjust(width) for name in columns)
        )
    lines.append(" " * first + "".join("  " + "-" * (width - 2) for _ in columns))
    lines.append(" " * first + "".join(f"{running[name]:>{width}}" for name in columns))
    lines.append(_("Players and pots together: {sum}").format(sum=sum(running.values())))
    return lines


def _sign(change: SeatChange) -> str:
    return ("+ " if change.kind == "join" else "- ") + change.player
