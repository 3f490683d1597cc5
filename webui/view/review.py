"""A hand that is over, looked at again: what could be known after each play, what was flagged, what was missed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tracker.cards import CARDS
from tracker.doubts import doubt_of
from tracker.findings import Finding
from tracker.hand import Hand
from tracker.session import Session
from tracker.study import Study, hand_after
from tracker.tricks import Trick
from tracker.words import Words
from webui.games.page import Fact
from webui.games.pages import page_of
from webui.view.training import ChanceRow, Counted, chance_groups, count_words, holders_of


@dataclass(frozen=True)
class ReviewedCard:
    """A card that was played to the trick shown; `best` if it took it."""

    player: str
    card: str
    name: str
    best: bool


@dataclass(frozen=True)
class ToldFlag:
    """A finding in words. `after` is the play at which it was certain, None before any; `known` by the play shown."""

    text: str
    after: int | None
    known: bool


@dataclass(frozen=True)
class Review:
    """A hand after `after` of its `last` plays, in words.

    `laid` is the trick to which the last of them was played, `held` what each player held then, as far as it was
    played later. `said` is what people said before the play, `missed` are the declarations that were not made.
    `groups` are the chances for `holders`.
    """

    after: int
    last: int
    trick: int
    laid: list[ReviewedCard]
    counted: Counted
    groups: list[tuple[str, list[ChanceRow]]]
    holders: list[str]
    held: list[tuple[str, list[tuple[str, str]]]]
    skat: list[tuple[str, str]]
    said: list[Fact]
    flags: list[ToldFlag]
    missed: list[ToldFlag]


def build_review(
    session: Session[Any, Any], hand: Any, study: Callable[[Any], Study], after: int, lang: str
) -> Review:
    """`hand` of `session` after so many plays, by what its game says can be known, in `lang`."""
    page = page_of(session)
    words = page.game.words
    then = hand_after(session, hand, after)
    known = study(then)
    told = [_told(finding, after, words, lang) for finding in hand.findings if not doubt_of(hand, finding)]
    missed = {words.finding_text(f, lang) for f in hand.findings if f.kind == "declaration_missing"}
    trick = next((trick for trick in reversed(then.tricks) if trick.plays), None)
    return Review(
        after=after,
        last=len(hand.plays),
        trick=trick.number if trick is not None else 0,
        laid=laid_cards(trick, words, lang) if trick is not None else [],
        counted=count_words(known, then, words, lang),
        groups=chance_groups(known.chances, words, lang) if known.chances else [],
        holders=holders_of(known.chances, then.active),
        held=[
            (player, _named([play.card for play in hand.plays[after:] if play.player == player], words, lang))
            for player in hand.active
        ],
        skat=_named(getattr(hand, "skat", None) or _left_over(hand), words, lang),
        said=[fact for fact in page.facts(then, lang) if fact.said and fact.rows],
        flags=[flag for flag in told if flag.text not in missed],
        missed=[flag for flag in told if flag.text in missed],
    )


def laid_cards(trick: Trick, words: Words, lang: str) -> list[ReviewedCard]:
    """The cards of a trick, in the order in which they fell."""
    return [
        ReviewedCard(play.player, play.card, words.card_label(play.card, lang), play.player == trick.winner)
        for play in trick.plays
    ]


def _left_over(hand: Hand) -> tuple[str, ...]:
    """The skat of a hand of which every card was played: what nobody played."""
    played = {play.card for play in hand.plays}
    return tuple(card for card in CARDS if card not in played) if hand.complete else ()


def _named(cards: Iterable[str], words: Words, lang: str) -> list[tuple[str, str]]:
    """Cards with their names, sorted as a hand is."""
    return [(card, words.card_label(card, lang)) for card in sorted(cards, key=CARDS.index)]


def _told(finding: Finding, after: int, words: Words, lang: str) -> ToldFlag:
    at = finding.known_at[1] if finding.known_at else None
    return ToldFlag(words.finding_text(finding, lang), at, at is None or at <= after)
