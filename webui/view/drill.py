"""Questions about a hand, and their answers, in words."""

from dataclasses import dataclass

from tracker.cards import FOOL
from tracker.drills import DrillQuestion
from tracker.hand import Hand
from tracker.study import SET_ASIDE
from tracker.words import Words
from webui.games.page import GamePage
from webui.texts import ntext, text
from webui.view.practice import holder_name, share_words, void_text
from webui.view.review import ReviewedCard, laid_cards


@dataclass(frozen=True)
class AskedRow:
    """A question in words; `choices` are (what is sent, what is said), none where a number is asked for."""

    kind: str
    words: str
    choices: list[tuple[str, str]]
    card: str


@dataclass(frozen=True)
class JudgedRow:
    """What an answer came to: whether it was `right`, the right answer, and why it is so."""

    right: bool
    answer: str
    why: list[str]


def asked_row(one: DrillQuestion, page: GamePage, lang: str) -> AskedRow:
    """The question, in the words of the game of `page` in `lang`."""
    words = page.game.words
    if one.kind == "trumps":
        said = text(page.lessons.asked, count=len(one.study.trumps))
    elif one.kind == "void":
        said = text("Who is known to be void in {suit}?", suit=words.suit_name(one.suit or "", lang))
    else:
        said = text("Who most likely holds {card}?", card=words.card_label(one.card or FOOL, lang))
    return AskedRow(
        one.kind, said, [(name, holder_name(name, one.study, page)) for name in one.choices], one.card or ""
    )


def judged_row(one: DrillQuestion, given: frozenset[str], hand: Hand, page: GamePage, lang: str) -> JudgedRow:
    """What the answer `given` came to, in the words of the game of `page` in `lang`."""
    return JudgedRow(one.is_right(given), _answer(one, page), _why(one, hand, page, lang))


def _answer(one: DrillQuestion, page: GamePage) -> str:
    if one.kind == "trumps":
        return next(iter(one.right))
    names = [holder_name(name, one.study, page) for name in one.choices if name in one.right]
    return ", ".join(names) or text("nobody")


def _why(one: DrillQuestion, hand: Hand, page: GamePage, lang: str) -> list[str]:
    words = page.game.words
    if one.kind == "trumps":
        out = [words.card_label(card, lang) for card in one.study.trumps_out]
        seen = len(one.study.trumps) - len(out)
        said = ntext("{count} was seen.", "{count} were seen.", seen)
        return [said, text("Out are: {cards}", cards=", ".join(out) or "–")]
    if one.kind == "void":
        return [
            f"{void.player}: {void_text(void, words, lang)}"
            for void in one.study.voids
            if void.suit == one.suit
        ]
    card = one.card or FOOL
    shares = [
        f"{holder_name(holder, one.study, page)} {share_words(share)[0]}"
        for holder, share in one.study.chances[card].items()
    ]
    holder = next((play.player for play in hand.plays if play.card == card), None)
    if holder is None and (not hand.complete or SET_ASIDE not in one.study.chances[card]):
        return [" · ".join(shares)]
    lay = text(page.lessons.aside[one.study.aside][1])
    return [" · ".join(shares), text("It was {player}'s.", player=holder) if holder else lay]


def shown_tricks(
    hand: Hand, since: int, until: int, words: Words, lang: str
) -> list[tuple[int, list[ReviewedCard]]]:
    """The tricks from play `since` to play `until`, with their numbers."""
    found, plays = [], 0
    for trick in hand.tricks:
        if since <= plays < until:
            found.append((trick.number, laid_cards(trick, words, lang)))
        plays += len(trick.plays)
    return found
