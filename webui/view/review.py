"""The review of a hand that is over: what could be known after each play, what was flagged, what was missed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tracker.doubts import proved
from tracker.findings import Finding
from tracker.games import game_of
from tracker.hand import Hand
from tracker.session import Session
from tracker.study import SET_ASIDE, Study, hand_after
from tracker.tricks import Trick
from tracker.words import Words
from webui.games.page import Fact
from webui.games.pages import page_of
from webui.view.hand_rows import PlayRow, bare_row
from webui.view.practice import (
    ChanceRow,
    Counted,
    chance_groups,
    count_words,
    holder_name,
    holders_of,
    sampled_from,
)


@dataclass(frozen=True)
class ToldFlag:
    """A finding in words. It was certain with the play `after`, None before any; `known`: by the play shown."""

    text: str
    after: int | None
    known: bool


@dataclass(frozen=True)
class Review:
    """A hand after `after` of its `last` plays, in words.

    - `laid`: the trick of the newest play, with the number `trick`.
    - `counted`: what could be counted then.
    - `groups`: the chances of each unseen card for `holders`, from so many `sampled` deals, 0 if they are exact.
    - `held`: what each player held then, as far as he played it later.
    - `aside`: the cards that nobody held; `aside_name` says what they are.
    - `said`: what people said before the play.
    - `missed`: the declarations that were not made; None in a game without declarations.
    """

    after: int
    last: int
    trick: int
    laid: list[PlayRow]
    counted: Counted
    groups: list[tuple[str, list[ChanceRow]]]
    holders: list[str]
    held: list[tuple[str, list[tuple[str, str]]]]
    aside: list[tuple[str, str]]
    aside_name: str
    said: list[Fact]
    flags: list[ToldFlag]
    missed: list[ToldFlag] | None
    sampled: int


def can_be_reviewed(session: Session[Any, Any], hand: Hand) -> bool:
    """Whether the page can teach the game, and every card that was played in `hand` was seen."""
    return game_of(session).study is not None and bool(hand.plays) and not hand.unseen_tricks


def build_review(
    session: Session[Any, Any], hand: Any, study: Callable[[Any], Study], after: int, lang: str
) -> Review:
    """The review of `hand` of `session` after `after` plays, in `lang`; `study` says what can be known."""
    page = page_of(session)
    words = page.game.words
    then = hand_after(session, hand, after)
    known = study(then)
    told = [_told(finding, after, words, lang) for finding in proved(hand)]
    missed = {words.finding_text(f, lang) for f in hand.findings if f.kind == "declaration_missing"}
    # What was unseen, and was not played later, nobody held.
    aside = set(then.pack.names(then.pack.all_cards & ~then.gone)) - {
        play.card for play in hand.plays[after:]
    }
    everything = len(hand.plays) == type(session).plays_in_hand(session.rules, len(hand.seats))
    trick = next((trick for trick in reversed(then.tricks) if trick.plays), None)
    return Review(
        after=after,
        last=len(hand.plays),
        trick=trick.number if trick is not None else 0,
        laid=laid_cards(trick, words, lang) if trick is not None else [],
        counted=count_words(known, then, page, lang),
        groups=chance_groups(known, then.pack, words, lang),
        holders=holders_of(known, page),
        held=[
            (
                player,
                _named(
                    [play.card for play in hand.plays[after:] if play.player == player], hand, words, lang
                ),
            )
            for player in hand.active
        ],
        aside=_named(aside if everything else (), hand, words, lang),
        aside_name=holder_name(SET_ASIDE, known, page),
        said=[fact for fact in page.facts(then, lang) if fact.said and fact.rows],
        flags=[flag for flag in told if flag.text not in missed],
        missed=[flag for flag in told if flag.text in missed] if page.lessons.declarations else None,
        sampled=sampled_from(known),
    )


def laid_cards(trick: Trick, words: Words, lang: str) -> list[PlayRow]:
    """The cards of a trick, in the order in which they fell."""
    return [bare_row(play, words, lang, best=play.player == trick.winner) for play in trick.plays]


def _named(cards: Iterable[str], hand: Hand, words: Words, lang: str) -> list[tuple[str, str]]:
    """Cards with their names, sorted as the game of `hand` ranks them."""
    return [(card, words.card_label(card, lang)) for card in sorted(cards, key=hand.pack.index.__getitem__)]


def _told(finding: Finding, after: int, words: Words, lang: str) -> ToldFlag:
    at = finding.known_at[1] if finding.known_at else None
    return ToldFlag(words.finding_text(finding, lang), at, at is None or at <= after)
