"""Findings with their proof and the fine they propose, and where open flags wait."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tracker.danish.findings import DanishFinding
from tracker.danish.hand import DanishHand
from tracker.danish.open_questions import fined_findings
from tracker.danish.words import card_label, finding_text
from tracker.doubts import doubt_of
from webui.fair_play import Sight
from webui.live import LiveTable
from webui.texts import CATEGORIES, UNSETTLED, text


@dataclass(frozen=True)
class ProofCard:
    """A play in a proof; `shot`: there is a picture of it."""

    seq: int
    card: str
    name: str
    shot: bool


@dataclass(frozen=True)
class ProofPicture:
    """Some cards of a proof with a caption."""

    caption: str
    plays: list[ProofCard]


@dataclass(frozen=True)
class FindingRow:
    """A finding as the page shows it.

    `unsure` says what it waits for, "" if it is certain. `fine_href` is the sheet of its fine and `flag` what an
    entry calls it, both "" where no fine can be booked. `fined`: it was fined or let pass.
    """

    key: str
    hand: int
    title: str
    unsure: str
    text: str
    pictures: list[ProofPicture]
    proposal: str
    fine_href: str
    flag: str
    fined: bool = False


@dataclass(frozen=True)
class FlagLink:
    """A link to the first open flag of a hand."""

    hand: int
    href: str
    label: str


def finding_key(hand: int, place: int) -> str:
    """What the page calls the finding at `place` among those of the hand with the number `hand`."""
    return f"{hand}-{place}"


def flag_name(finding: DanishFinding) -> str:
    """What an entry calls `finding` in its hand; it stays the same when other findings come or go."""
    return f"{finding.player} {finding.name}"


def finding_rows(table: LiveTable, sight: Sight, hand: DanishHand, lang: str) -> list[FindingRow]:
    """The findings of `hand` that are told, in order. One that is settled, or whose evening is, offers no fine."""
    session = sight.session
    fined = fined_findings(hand)
    rows = []
    for place, finding in sight.findings(hand):
        row = _finding_row(table, hand, finding, place, lang)
        if session.closed or place in fined:
            row = replace(row, fine_href="", flag="")
        if place in fined:
            let_pass = not session.rules.fine(fined[place].category)
            said = text("Settled without a fine.") if let_pass else text("The fine is booked.")
            row = replace(row, fined=True, proposal=said)
        rows.append(row)
    return rows


def flag_links(flags: dict[int, list[int]]) -> list[FlagLink]:
    """A link to the first of the open `flags` of each hand (see `tracker.danish.open_questions.Unanswered`)."""
    return [
        FlagLink(
            hand=number,
            href=f"/hands/{number}#finding-{finding_key(number, places[0])}",
            label=text("hand {hand} ({count})", hand=number, count=len(places))
            if len(places) > 1
            else text("hand {hand}", hand=number),
        )
        for number, places in flags.items()
    ]


def _finding_row(
    table: LiveTable, hand: DanishHand, finding: DanishFinding, place: int, lang: str
) -> FindingRow:
    key = finding_key(hand.number, place)
    unsure = doubt_of(hand, finding)
    may_be_fined = bool(finding.fine) and not unsure
    title = text("Unsettled") if unsure else text("Flag")
    return FindingRow(
        key=key,
        hand=hand.number,
        title=f"{title}: {finding.player or ' / '.join(finding.suspects)}",
        unsure=text(UNSETTLED[unsure]) if unsure else "",
        text=finding_text(finding, lang),
        pictures=_pictures(table, hand, finding, lang),
        proposal="" if unsure else _proposal(finding),
        fine_href=f"/fine?finding={key}" if may_be_fined else "",
        flag=flag_name(finding) if may_be_fined and finding.player else "",
    )


def _pictures(table: LiveTable, hand: DanishHand, finding: DanishFinding, lang: str) -> list[ProofPicture]:
    """The offending card and the cards that prove it, as far as the player played them."""
    by_card = {(play.player, play.card): play for play in hand.plays}

    def played(cards: Iterable[str]) -> list[ProofCard]:
        plays = [by_card.get((finding.player or "", card)) for card in cards]
        return [
            ProofCard(p.seq, p.card, card_label(p.card, lang), shot=p.seq in table.evidence.known)
            for p in plays
            if p is not None
        ]

    groups = [
        ProofPicture(text("the offence, trick {trick}", trick=finding.trick), played([finding.card or ""])),
        ProofPicture(text("the proof"), played(finding.evidence)),
    ]
    return [group for group in groups if group.plays]


def _proposal(finding: DanishFinding) -> str:
    category = text(CATEGORIES[finding.category])
    if not finding.fine:
        return text("Proposal: {category}, no fine.", category=category)
    return text(
        "Proposal: {category}, {amount} to each pot. The table decides.",
        category=category,
        amount=finding.fine,
    )
