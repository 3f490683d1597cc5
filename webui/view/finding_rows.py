"""Findings with their proof and the fine that they propose, and links to open flags."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import Any

from tracker.doubts import doubt_of
from tracker.events import FindingPassed
from tracker.findings import Finding
from tracker.hand import Hand
from tracker.open_questions import fined_findings
from tracker.session import Session
from webui.games.page import GamePage, Proposal
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.table.live import LiveTable
from webui.texts import UNSETTLED, text
from webui.view.hand_rows import PlayRow, bare_row


@dataclass(frozen=True)
class ProofPicture:
    """Some cards of a proof with a caption."""

    caption: str
    plays: list[PlayRow]


@dataclass(frozen=True)
class FindingRow:
    """A finding as the page shows it.

    `unsure` says what the finding waits for, "" if it is certain. `fine_href` is the dialog that books the proposed
    fine, with `label` on its button, and `flag` the finding's name in an entry; both are "" if no fine can be booked.
    `is_flag`: the table has still to decide. `fined`: the finding was fined, or let pass, or the evening was settled.
    `trick_href` opens the trick of a finding that proposes no fine: perhaps something is not entered; "" for none.
    `omitted` says what may not have been entered, and has the dialog that enters it; None for nothing.
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
    is_flag: bool
    label: str = ""
    fined: bool = False
    trick_href: str = ""
    omitted: Proposal | None = None


@dataclass(frozen=True)
class FlagLink:
    """A link to the first open flag of a hand."""

    hand: int
    href: str
    label: str


def finding_key(hand: int, place: int) -> str:
    """The page's id for the finding at index `place` of the hand with the number `hand`."""
    return f"{hand}-{place}"


def flag_name(finding: Finding) -> str:
    """The name of `finding` in an entry. It stays the same when other findings of the hand come or go."""
    return f"{finding.player} {finding.name}"


def finding_rows(table: LiveTable, sight: Sight, hand: Hand, lang: str) -> list[FindingRow]:
    """The findings of `hand` that are told, in order, without those that people are only asked about.

    A settled finding offers no fine, and neither does any finding of a settled evening.
    """
    session = sight.session
    page = page_of(session)
    settled = settled_texts(session, hand)
    rows = []
    for place, finding in sight.findings(hand):
        if finding.wants == "answer":
            continue
        row = _finding_row(table, page, hand, finding, place, lang)
        if session.closed or place in settled:
            row = replace(row, fine_href="", flag="", trick_href="", omitted=None)
        if place in settled or (session.closed and not row.unsure):
            row = replace(row, fined=True, proposal=settled.get(place, row.proposal))
        rows.append(row)
    return rows


def settled_texts(session: Session[Any, Any], hand: Hand) -> dict[int, str]:
    """The places in `hand.findings` of those that were fined or let pass, and of the flags of a settled evening.

    Each with a sentence that says so.
    """
    page, found = page_of(session), {}
    for place, fine in fined_findings(hand).items():
        passed = isinstance(fine, FindingPassed)
        found[place] = text("Settled without a fine.") if passed else page.settled(session, fine)
    for place, finding in enumerate(hand.findings if session.closed else ()):
        if finding.is_flag and not doubt_of(hand, finding):
            found.setdefault(place, text("The evening was settled without a fine for it."))
    return found


def flag_links(flags: dict[int, list[int]]) -> list[FlagLink]:
    """A link to the first open flag of each hand; `flags` as in `tracker.open_questions.Unanswered`."""
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
    table: LiveTable, page: GamePage, hand: Hand, finding: Finding, place: int, lang: str
) -> FindingRow:
    key = finding_key(hand.number, place)
    unsure = doubt_of(hand, finding)
    proposal = Proposal("") if unsure else page.proposal(finding)
    title = text("Unsettled") if unsure else text("Flag")
    return FindingRow(
        key=key,
        hand=hand.number,
        title=text(": ").join((title, finding.player or " / ".join(finding.suspects))),
        unsure=text(UNSETTLED[unsure]) if unsure else "",
        text=page.game.words.finding_text(finding, lang),
        pictures=proof_pictures(page, hand, finding, lang, table.pictures.evidence.known),
        proposal=proposal.text,
        fine_href=f"{proposal.href}?finding={key}" if proposal.href else "",
        label=proposal.label,
        flag=flag_name(finding) if finding.is_flag and finding.player and not unsure else "",
        is_flag=finding.is_flag,
        trick_href=f"/hands/{hand.number}/tricks/{finding.trick}"
        if finding.trick and proposal.text and not proposal.href
        else "",
        omitted=page.omitted(hand, finding),
    )


def proof_pictures(
    page: GamePage, hand: Hand, finding: Finding, lang: str, shots: Container[int] = ()
) -> list[ProofPicture]:
    """The offending card and the cards that prove the breach, as far as they were played.

    `shots` are the numbers of the plays of which there is a picture.
    """
    by_card = {(play.player, play.card): play for play in hand.plays}

    def played(cards: Iterable[str]) -> list[PlayRow]:
        plays = [by_card.get((finding.player or "", card)) for card in cards]
        return [
            bare_row(play, page.game.words, lang, shot=play.seq in shots)
            for play in plays
            if play is not None
        ]

    groups = [
        ProofPicture(text("the offence, trick {trick}", trick=finding.trick), played([finding.card or ""])),
        ProofPicture(text("the proof"), played(finding.evidence)),
    ]
    return [group for group in groups if group.plays]
