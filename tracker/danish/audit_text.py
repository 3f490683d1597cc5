"""The audit as a club secretary reads it: hand by hand, trick by trick, with reasons and proofs."""

from collections.abc import Iterable
from typing import Final

from tracker.danish.declarations import value_of
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.doubts import doubt_of
from tracker.ledger import Payment
from tracker.seat_change import SeatChange
from tracker.tricks import Trick
from tracker.words import category_text, combination_text, payments_text, pot_name, suit_name

_WORDS: Final = {
    "en": {
        "title": "Tarok session, {rules}",
        "players": "Players, counter-clockwise: {players}",
        "hand": "Hand {number}: {dealer} deals",
        "sits_out": ", {players} sits out",
        "sit_out": ", {players} sit out",
        "unfinished": "ended early, after {count} plays",
        "declared": "{player}: {made} ({value} from each)",
        "pass": "{player}: pass",
        "tricks": "Tricks (* won the trick)",
        "unfinished_trick": "not finished",
        "fool": "fool named",
        "won": "Tricks won: {won}",
        "points": "Points:     {points}",
        "payments": "Payments",
        "each": "each",
        "findings": "Found",
        "nothing": "Nothing to remark.",
        "fine": "{category}; proposed fine {fine} to each pot",
        "no_fine": "{category}",
        "known": "certain from trick {trick}, card {play} of 75",
        "gap": "unsettled: cards may be missing from when nobody watched",
        "alert": "unsettled: something was seen that cannot be so",
        "reading": "unsettled: it rests on a doubtful reading",
        "balances": "Balances",
        "start": "hand",
        "sum": "Players and pots together: {sum}",
        "join": "{player} joins; now at the table: {players}",
        "leave": "{player} leaves; now at the table: {players}",
        "and": " and ",
    },
    "da": {
        "title": "Tarokaften, {rules}",
        "players": "Spillere, mod uret: {players}",
        "hand": "Spil {number}: {dealer} giver",
        "sits_out": ", {players} sidder over",
        "sit_out": ", {players} sidder over",
        "unfinished": "standset efter {count} kort",
        "declared": "{player}: {made} ({value} fra hver)",
        "pass": "{player}: pas",
        "tricks": "Stik (* tog stikket)",
        "unfinished_trick": "ikke færdigt",
        "fool": "skusen nævnt",
        "won": "Stik:   {won}",
        "points": "Points: {points}",
        "payments": "Betalinger",
        "each": "hver",
        "findings": "Fundet",
        "nothing": "Intet at bemærke.",
        "fine": "{category}; foreslået bod {fine} i hver kop",
        "no_fine": "{category}",
        "known": "sikkert fra stik {trick}, kort {play} af 75",
        "gap": "uafklaret: der kan mangle kort fra en tid, hvor ingen så med",
        "alert": "uafklaret: der er set noget, som ikke kan passe",
        "reading": "uafklaret: det hviler på en tvivlsom aflæsning",
        "balances": "Regnskab",
        "start": "spil",
        "sum": "Spillere og kopper tilsammen: {sum}",
        "join": "{player} kommer til; nu ved bordet: {players}",
        "leave": "{player} går; nu ved bordet: {players}",
        "and": " og ",
    },
}


def audit_text(session: DanishSession, language: str = "en") -> str:
    """The whole audit in words, in `"da"` or `"en"`; ends without a newline."""
    words = _WORDS[language]
    title = words["title"].format(rules=session.rules.name)
    lines = [title, "=" * len(title), words["players"].format(players=", ".join(session.opened.seats)), ""]
    for part in session.parts:
        lines += _hand(part, language) if isinstance(part, DanishHand) else _seat_change(part, language)
    lines += _balances(session, language)
    return "\n".join(lines)


def _hand(hand: DanishHand, language: str) -> list[str]:
    words = _WORDS[language]
    title = words["hand"].format(number=hand.number, dealer=hand.dealer)
    if hand.sits_out:
        key = "sits_out" if len(hand.sits_out) == 1 else "sit_out"
        title += words[key].format(players=words["and"].join(hand.sits_out))
    if not hand.complete:
        title += ", " + words["unfinished"].format(count=len(hand.plays))
    lines = [title, "-" * len(title)]
    lines += _declarations(hand, language)
    lines += _tricks(hand, language)
    lines.append(words["won"].format(won=_each(hand.tricks_won.items())))
    if hand.points is not None:
        lines.append(words["points"].format(points=_each(hand.points.items())))
    lines += ["", words["payments"], *_payments(hand.payments, language)]
    lines += ["", words["findings"], *_findings(hand, language), ""]
    return lines


def _seat_change(change: SeatChange, language: str) -> list[str]:
    title = _WORDS[language][change.kind].format(player=change.player, players=", ".join(change.seats))
    return [title, "-" * len(title), *_payments(change.payments, language), ""]


def _each(numbers: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{player} {number}" for player, number in numbers)


def _declarations(hand: DanishHand, language: str) -> list[str]:
    words = _WORDS[language]
    lines = []
    for player in (hand.active[2], *hand.active[:2]):  # the dealer declares first
        made = hand.declared[player]
        if made is None:
            continue
        if not made:
            lines.append(words["pass"].format(player=player))
        for combination in made:
            lines.append(
                words["declared"].format(
                    player=player, made=combination_text(combination, language), value=value_of(combination)
                )
            )
    return [*lines, ""] if lines else []


def _tricks(hand: DanishHand, language: str) -> list[str]:
    if not hand.tricks:
        return []
    words = _WORDS[language]
    width = max(len(player) for player in hand.active) + 1
    lines = [words["tricks"]]
    for trick in hand.tricks:
        cards = "   ".join(
            f"{play.player + ('*' if play.player == trick.winner else ''):<{width}} {play.card:<3}"
            for play in trick.plays
        )
        lines.append(f"{trick.number:>3}  {cards}{_remark(trick, language)}".rstrip())
    return [*lines, ""]


def _remark(trick: Trick, language: str) -> str:
    words = _WORDS[language]
    if trick.winner is None:
        return f"   ({words['unfinished_trick']})"
    if trick.plays[0].card == "F" and trick.suit is not None:
        return f"   ({words['fool']} {suit_name(trick.suit, language)})"
    return ""


def _payments(payments: list[Payment], language: str) -> list[str]:
    lines = []
    for group in _alike(payments):
        amount = str(group[0].amount) + (" " + _WORDS[language]["each"] if len(group) > 1 else "")
        lines.append(f"{amount:>9}  {payments_text(group, language)}")
    return lines


def _alike(payments: list[Payment]) -> list[list[Payment]]:
    """Neighbouring payments that differ only in who pays, or only in who receives."""
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
    words = _WORDS[language]
    if not hand.findings:
        return [f"  {words['nothing']}"]
    lines = []
    for finding in hand.findings:
        doubt = doubt_of(hand, finding)
        lines.append(f"  {'?' if doubt else '!'} {finding.text(language)}")
        if doubt:
            lines.append(f"    ({words[doubt]})")
            continue
        category = category_text(finding.category, language)
        remark = words["fine" if finding.fine else "no_fine"].format(category=category, fine=finding.fine)
        if finding.known_at is not None:
            trick, play = finding.known_at
            remark = f"{words['known'].format(trick=trick, play=play)}; {remark}"
        lines.append(f"    ({remark})")
    return lines


def _balances(session: DanishSession, language: str) -> list[str]:
    """A table: a line for each hand's change and for who joined or left, the balance below."""
    words = _WORDS[language]
    columns = [*session.balances, *session.pots]
    heads = [*session.balances, *(pot_name(pot, language).removeprefix("the ") for pot in session.pots)]
    width = max(6, *(len(head) for head in heads)) + 2
    names = {
        id(part): f"{words['start']} {part.number}" if isinstance(part, DanishHand) else _sign(part)
        for part in session.parts
    }
    first = max(8, *(len(name) + 2 for name in names.values())) if names else 8
    lines = [words["balances"], " " * first + "".join(f"{head:>{width}}" for head in heads)]
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
    lines.append(words["sum"].format(sum=sum(running.values())))
    return lines


def _sign(change: SeatChange) -> str:
    return ("+ " if change.kind == "join" else "- ") + change.player
