"""Questions about a hand, and their answers, in words."""

from dataclasses import dataclass

from tracker.cards import FOOL
from tracker.drills import DrillQuestion
from tracker.hand import Hand
from tracker.study import SET_ASIDE
from tracker.words import Words
from webui.games.page import GamePage
from webui.texts import text
from webui.view.hand_rows import PlayRow
from webui.view.practice import holder_name, share_words
from webui.view.review import laid_cards


@dataclass(frozen=True)
class AskedRow:
    """A question in words; `choices` are (what is sent, what is said), and empty if the answer is a number."""

    kind: str
    words: str
    choices: list[tuple[str, str]]
    card: str


@dataclass(frozen=True)
class JudgedRow:
    """How an answer was judged: whether it was `right`, the truth and its reason in a `sentence`, and `more`."""

    right: bool
    sentence: str
    more: str


def asked_row(one: DrillQuestion, page: GamePage, lang: str) -> AskedRow:
    """The question, in the words of the game of `page` in `lang`."""
    words = page.game.words
    if one.kind == "trumps":
        said = text(page.lessons.asked, count=len(one.study.trumps))
    elif one.kind == "void":
        said = text("Who is known to be void in {suit}?", suit=words.suit_name(one.suit or "", lang))
    else:
        said = text("Who most likely holds {card}?", card=words.card_name(one.card or FOOL, lang))
    return AskedRow(
        one.kind, said, [(name, holder_name(name, one.study, page)) for name in one.choices], one.card or ""
    )


def judged_row(one: DrillQuestion, given: frozenset[str], hand: Hand, page: GamePage, lang: str) -> JudgedRow:
    """How the answer `given` is judged, in the words of the game of `page` in `lang`."""
    tell = {"trumps": _trumps, "void": _void, "holds": _holds}[one.kind]
    return JudgedRow(one.is_right(given), *tell(one, hand, page, lang))


def _trumps(one: DrillQuestion, hand: Hand, page: GamePage, lang: str) -> tuple[str, str]:
    out, count = (
        [page.game.words.card_label(card, lang) for card in one.study.trumps_out],
        len(one.study.trumps),
    )
    said = text(
        "Still out: {out}. Seen: {seen} of {count}.",
        out=len(out), seen=count - len(out), count=count,
    )  # fmt: skip
    return said, text("Out are: {cards}", cards=", ".join(out)) if out else ""


def _void(one: DrillQuestion, hand: Hand, page: GamePage, lang: str) -> tuple[str, str]:
    words = page.game.words
    suit = words.suit_name(one.suit or "", lang)
    shown = [
        text("{player} has no more {suit} by counting", player=void.player, suit=suit)
        if void.card is None
        else text(
            "{player} has no more {suit}, as {card} in trick {trick} shows",
            player=void.player, suit=suit, card=words.card_name(void.card, lang), trick=void.trick,
        )
        for void in one.study.voids
        if void.suit == one.suit and void.player in one.right
    ]  # fmt: skip
    nobody = text("Nobody has shown a void in {suit}.", suit=suit)
    return (text("; ").join(shown) + "." if shown else nobody), _feigned(one, hand, words, lang)


def _feigned(one: DrillQuestion, hand: Hand, words: Words, lang: str) -> str:
    """That somebody played a card later which the rules told that he had not; "" if nobody did."""
    later = {
        play.player: text(
            "In fact {player} still had {card} (trick {trick}).",
            player=play.player, card=words.card_name(play.card, lang), trick=trick.number,
        )
        for trick in reversed(hand.tricks)
        for play in trick.plays
        if play.number > one.after and play.player in one.right and play.card[0] == one.suit
    }  # fmt: skip
    return " ".join((text("The rules say so."), *later.values())) if later else ""


def _holds(one: DrillQuestion, hand: Hand, page: GamePage, lang: str) -> tuple[str, str]:
    card = one.card or FOOL
    row = one.study.chances[card]
    named = {holder: holder_name(holder, one.study, page) for holder in row}
    best = max(row.values())
    likely = [named[holder] for holder in one.choices if row[holder] == best]
    shares = " · ".join(f"{named[holder]} {share_words(share)[0]}" for holder, share in row.items())
    share = share_words(best)[0] if len(likely) == 1 else f"{share_words(best)[0]} {text('each')}"
    where: dict[str, str] = {"players": page.game.words.listed(likely, lang), "share": share}
    player = next((play.player for play in hand.plays if play.card == card), None)
    if player is not None:
        return text("Most likely: {players} ({share}). {player} had it.", player=player, **where), shares
    if hand.complete and SET_ASIDE in row:
        lay = text(page.lessons.aside[one.study.aside][1])
        return f"{text('Most likely: {players} ({share}).', **where)} {lay}", shares
    return text("Most likely: {players} ({share}).", **where), shares


def shown_tricks(
    hand: Hand, since: int, until: int, words: Words, lang: str
) -> list[tuple[int, list[PlayRow]]]:
    """The cards from play `since` to play `until`, by trick, each trick with its number."""
    found, plays = [], 0
    for trick in hand.tricks:
        if since <= plays < until:
            found.append((trick.number, laid_cards(trick, words, lang)))
        plays += len(trick.plays)
    return found
