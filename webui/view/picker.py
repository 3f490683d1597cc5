"""The cards to choose from, suit by suit, and the last plays to put right."""

from collections.abc import Collection
from dataclasses import dataclass

from tracker.cards import FOOL, SUITS, TRUMP
from tracker.games import game_of
from tracker.hand import Hand
from tracker.pack import Pack
from tracker.words import Words
from webui.people.fair_play import Sight
from webui.texts import text
from webui.view.hand_rows import trick_number

_RECENT = 6


@dataclass(frozen=True)
class Panel:
    """A suit in the grid of cards: its letter, its name, and its cards with their names."""

    letter: str
    title: str
    cards: list[tuple[str, str]]


@dataclass(frozen=True)
class RecentPlay:
    """A play just made, without its card while that is hidden; `href` is the dialog that puts it right."""

    label: str
    href: str


def panels(pack: Pack, words: Words, lang: str, among: Collection[str]) -> list[Panel]:
    """The cards of `pack` that are in `among`: the four suits, then the trumps with the fool."""
    found = []
    for letters in (*SUITS, TRUMP + FOOL):
        if cards := [card for card in _cards_of(pack, letters) if card in among]:
            named = [(card, words.card_label(card, lang)) for card in cards]
            found.append(Panel(letters[0], words.suit_name(letters[0], lang).capitalize(), named))
    return found


def deck_rows(words: Words, pack: Pack, lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The cards of `pack` in rows, the trumps first: (title, [(card, name)])."""
    titles = {letter: words.suit_name(letter, lang).capitalize() for letter in SUITS}
    rows = [(title, _cards_of(pack, letters)) for letters, title in ({"TF": text("Trumps")} | titles).items()]
    return [
        (title, [(card, words.card_label(card, lang)) for card in cards]) for title, cards in rows if cards
    ]


def _cards_of(pack: Pack, letters: str) -> list[str]:
    """The cards of `pack` whose names begin with one of `letters`, each suit from low to high as the game ranks it."""
    return [card for card in pack.cards if card[0] in letters]


def suit_led(hand: Hand | None) -> str:
    """The suit that was led to the trick on the table; "" if none was."""
    trick = hand.trick if hand is not None else None
    return (trick.suit or "") if trick is not None and trick.plays else ""


def recent_plays(sight: Sight, hand: Hand, lang: str, *, opens: bool) -> list[RecentPlay]:
    """The last plays of `hand`, newest first. `opens`: the reader may open hidden tricks, and need not ask."""
    words = game_of(sight.session).words
    rows = []
    for play in hand.plays[: -_RECENT - 1 : -1]:
        trick = trick_number(hand, play.seq)
        if sight.shows_play(play.seq, opened=opens):
            rows.append(
                RecentPlay(
                    text(": ").join((play.player, words.card_label(play.card, lang))), f"/plays/{play.seq}"
                )
            )
        else:
            where = text("{player}, trick {trick}", player=play.player, trick=trick)
            rows.append(RecentPlay(where, f"/plays/{play.seq}" if opens else f"/ask?play={play.seq}"))
    return rows
