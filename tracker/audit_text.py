"""What the audits in words of all games have: tricks, payments, findings, who joined or left, and the balances."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from tracker.catalogue import msgid
from tracker.doubts import doubt_of
from tracker.findings import Finding
from tracker.hand import Hand
from tracker.ledger import Payment, payments_alike
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.tricks import Trick
from tracker.words import Words

H = TypeVar("H", bound=Hand)

_DOUBTS: Final = {
    "dealer": msgid("unsettled: the first trick went as if another player had dealt"),
    "gap": msgid("unsettled: cards may have been played while nobody watched"),
    "alert": msgid("unsettled: something was seen that cannot have happened"),
    "unsaid": msgid("unsettled: nobody entered which suit the fool was named"),
    "turn": msgid("unsettled: the camera may have missed a card of this trick"),
    "reading": msgid("unsettled: one of the cards was read in doubt"),
}


def evening_text(
    session: Session[H, Any],
    words: Words,
    language: str,
    hand_lines: Callable[[H, str], list[str]],
    score_sheet_lines: Callable[[Session[H, Any], str], list[str]] | None = None,
) -> str:
    """The whole audit in words, ends without a newline; `hand_lines` says what the game says of a hand.

    `score_sheet_lines` are the end of it for a game that keeps a score sheet instead of balances of chips.
    """
    _ = words.catalogue(language).gettext
    title = _("Tarok evening, {rules}").format(rules=words.rule_set_title(session.rules.name, language))
    players = _("Players, counter-clockwise: {players}").format(players=", ".join(session.opened.seats))
    lines = [*underlined(title, "="), players, ""]
    for part in session.parts:
        if isinstance(part, SeatChange):
            lines += _seat_change(part, words, language)
        else:
            lines += hand_lines(part, language)
    lines += (
        score_sheet_lines(session, language) if score_sheet_lines else _balances(session, words, language)
    )
    return "\n".join(lines)


def plain_audit_text(session: Session[Any, Any], words: Words, language: str) -> str:
    """The whole audit in words of a game that has nothing of its own to say of a hand."""
    return evening_text(session, words, language, lambda hand, lang: hand_lines(hand, words, lang))


def hand_lines(
    hand: Hand, words: Words, language: str, rows: Sequence[tuple[str, str]] = (), said: Sequence[str] = ()
) -> list[str]:
    """A hand in words. What the game says of it are `rows` beside the tricks won, and lines that are `said` below."""
    _ = words.catalogue(language).gettext
    players = [name for name in hand.seats if name in hand.active]
    won = tricks_won_rows(hand, players, words, language)
    return [
        *underlined(hand_title(hand, words, language)),
        *trick_lines(hand, words, language),
        *labelled([*won, *rows], words, language),
        *said,
        "",
        _("Payments"),
        *payment_lines(hand.payments, words, language),
        "",
        _("Remarks"),
        *finding_lines(hand, hand.findings, words, language),
        "",
    ]


def underlined(title: str, line: str = "-") -> list[str]:
    """A title with a line below."""
    return [title, line * len(title)]


def hand_title(hand: Hand, words: Words, language: str) -> str:
    """The number of a hand, who deals, who sits out, and where it ended early. Of a void deal its ending tells."""
    said = words.catalogue(language)
    title = said.gettext("Hand {number}: {dealer} deals").format(number=hand.number, dealer=hand.dealer)
    if hand.sits_out:
        out = said.ngettext(", {players} sits out", ", {players} sit out", len(hand.sits_out))
        title += out.format(players=words.listed(hand.sits_out, language))
    if not (hand.complete or hand.void):
        count = len(hand.plays)
        early = said.ngettext("ended early, after {count} card", "ended early, after {count} cards", count)
        title += ", " + early.format(count=count)
    return title


def labelled(rows: Sequence[tuple[str, str]], words: Words, language: str) -> list[str]:
    """A line "label: what" for each row, one below the other."""
    labels = [words.catalogue(language).gettext(": ").join((label, "")) for label, _ in rows]
    width = max(map(len, labels), default=0)
    return [f"{label:<{width}}{what}" for label, (_, what) in zip(labels, rows, strict=True)]


def each(numbers: Iterable[tuple[str, int]]) -> str:
    """Each player with a number."""
    return ", ".join(f"{player} {number}" for player, number in numbers)


def trick_lines(
    hand: Hand, words: Words, language: str, remark: Callable[[Trick], str] = lambda _: ""
) -> list[str]:
    """A line for each trick; `remark` is what the game adds to one."""
    if not hand.tricks:
        return []
    _ = words.catalogue(language).gettext
    width = max(len(player) for player in hand.active) + 1
    wide = max((len(words.card_short(play.card, language)) for play in hand.plays), default=0)
    lines = [_("Tricks (* won the trick)")]
    for trick in hand.tricks:
        cards = "   ".join(
            f"{play.player + ('*' if play.player == trick.winner else ''):<{width}} "
            f"{words.card_short(play.card, language):<{wide}}"
            for play in trick.plays
        )
        added = remark(trick) if trick.winner is not None else _("not finished")
        if trick.unseen:
            added = _("{player} won it; not all its cards were seen").format(player=trick.winner)
        lines.append(f"{trick.number:>3}  {cards}{f'   ({added})' if added else ''}".rstrip())
    return [*lines, ""]


def tricks_won_rows(hand: Hand, players: Iterable[str], words: Words, language: str) -> list[tuple[str, str]]:
    """How many tricks each of `players` won, as rows for `labelled`; none where no card was seen."""
    if hand.result is not None:
        return []
    return [
        (
            words.catalogue(language).gettext("Tricks won"),
            each((one, hand.tricks_won[one]) for one in players),
        )
    ]


def payment_lines(payments: list[Payment], words: Words, language: str) -> list[str]:
    """A line for each payment; payments that are alike share a line."""
    each_word = words.catalogue(language).gettext("each")
    lines = []
    for group in payments_alike(payments):
        amount = str(group[0].amount) + (" " + each_word if len(group) > 1 else "")
        lines.append(f"{amount:>9}  {words.payments_text(group, language)}")
    return lines


def finding_lines(
    hand: Hand,
    findings: Iterable[Finding],
    words: Words,
    language: str,
    remark: Callable[[Any], str] = lambda _: "",
) -> list[str]:
    """What was found in a hand, with its proof and since when it is certain; `remark` is what the game adds."""
    _ = words.catalogue(language).gettext
    if hand.result is not None:
        return ["  " + _("Entered by its result, without its cards: no revoke can be judged.")]
    lines = []
    for finding in findings:
        doubt = doubt_of(hand, finding)
        lines.append(f"  {'?' if doubt else '!'} {words.finding_text(finding, language)}")
        if doubt:
            lines.append(f"    ({_(_DOUBTS[doubt])})")
            continue
        said = [remark(finding)] if remark(finding) else []
        if finding.known_at is not None:
            trick, play = finding.known_at
            said.insert(0, _("certain from trick {trick}, card {play}").format(trick=trick, play=play))
        if said:
            lines.append("    (" + _("; ").join(said) + ")")
    return lines or ["  " + _("Nothing to remark.")]


def _seat_change(change: SeatChange, words: Words, language: str) -> list[str]:
    _ = words.catalogue(language).gettext
    if change.kind == "join":
        title = _("{player} joins; now at the table: {players}")
    else:
        title = _("{player} leaves; now at the table: {players}")
    title = title.format(player=change.player, players=", ".join(change.seats))
    return [*underlined(title), *payment_lines(change.payments, words, language), ""]


def _balances(session: Session[Any, Any], words: Words, language: str) -> list[str]:
    """A table: a line for each hand's change and for who joined or left, the balance below."""
    _ = words.catalogue(language).gettext
    columns = [*session.balances, *session.pots]
    heads = [*session.balances, *(words.pot_label(pot, language) for pot in session.pots)]
    width = max(6, *(len(head) for head in heads)) + 2
    hand_word = _("hand")
    names = {
        id(part): _sign(part) if isinstance(part, SeatChange) else f"{hand_word} {part.number}"
        for part in session.parts
    }
    first = max(8, *(len(name) + 2 for name in names.values())) if names else 8
    lines = [_("Chips, hand by hand"), " " * first + "".join(f"{head:>{width}}" for head in heads)]
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
    lines.append(_("All chips together: {sum}").format(sum=sum(running.values())))
    return lines


def _sign(change: SeatChange) -> str:
    return ("+ " if change.kind == "join" else "- ") + change.player
