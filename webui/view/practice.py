"""What can be counted, as rows of words: trumps, who is void in what, and where each unseen card may lie."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from babel.numbers import format_percent

from tracker.cards import FOOL, SUITS, TRUMP
from tracker.counting import SAMPLES
from tracker.hand import Hand
from tracker.pack import Pack
from tracker.study import SET_ASIDE, Study, Void
from tracker.words import Words
from webui.app_parts import app_parts
from webui.games.page import GamePage
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.texts import language, text


@dataclass(frozen=True)
class OwnRow:
    """How many trumps a player said that he holds (None: nothing yet), and how many lie elsewhere."""

    seat: str
    held: int | None
    others: int


@dataclass(frozen=True)
class ChanceRow:
    """A card, and how likely each holder has it: (in words, exactly, whether that is certain)."""

    card: str
    name: str
    shares: list[tuple[str, str, bool]]


@dataclass(frozen=True)
class Counted:
    """What can be counted at one point of a hand: the trumps, and (player, what he is void in) for each player.

    `label` stands before the number of trumps `seen`, `note` says which are counted. `too` has other cards that are
    still out.
    """

    label: str
    note: str
    seen: int
    out: int
    voids: list[tuple[str, list[str]]]
    too: list[tuple[str, str]]
    own: OwnRow | None = None


def build_practice(sight: Sight, seat: str, lang: str) -> Counted | None:
    """What the player at `seat` ("" for none) is shown in `lang`; None while nothing can be counted."""
    study, hand = sight.study, sight.session.hand
    if study is None or hand is None:
        return None
    return count_words(study, hand, page_of(sight.session), lang, own=_own_row(hand, seat, study))


def _own_row(hand: Hand, seat: str, study: Study) -> OwnRow | None:
    """What the player at `seat` is told of his own trumps; None if he does not play in this hand."""
    parts = app_parts()
    phone = parts.phones.holder(seat) if seat else None
    if phone is None or seat not in hand.active:
        return None
    held = parts.own_trumps.held(phone.id, hand, seat, study)
    out = len(study.trumps_out)
    return OwnRow(seat, held, out - (held or 0))


def count_words(study: Study, hand: Hand, page: GamePage, lang: str, own: OwnRow | None = None) -> Counted:
    """What can be counted, in the words of the game of `page` in `lang`."""
    out, words, lessons = len(study.trumps_out), page.game.words, page.lessons
    return Counted(
        label=text(lessons.seen),
        note=text(lessons.trumps, count=len(study.trumps)),
        seen=len(study.trumps) - out,
        out=out,
        voids=[
            (player, [void_text(void, words, lang) for void in study.voids if void.player == player])
            for player in hand.active
        ],
        too=page.counted_too(study, lang),
        own=own,
    )


def void_text(void: Void, words: Words, lang: str) -> str:
    """A suit in which a player is void, and how that is known."""
    suit = words.suit_name(void.suit, lang)
    if void.card is None:
        return text("{suit} (by counting)", suit=suit)
    card = words.card_label(void.card, lang)
    if void.above is not None:
        above = words.card_label(void.above, lang)
        return text(
            "no {suit} above {above} ({card} in trick {trick})",
            suit=suit,
            above=above,
            card=card,
            trick=void.trick,
        )
    return text("{suit} ({card} in trick {trick})", suit=suit, card=card, trick=void.trick)


def holder_name(holder: str, study: Study, page: GamePage) -> str:
    """The name of a holder of cards: a player, or the cards that lie aside."""
    return text(page.lessons.aside[study.aside][0]) if holder == SET_ASIDE else holder


def chance_groups(study: Study, pack: Pack, words: Words, lang: str) -> list[tuple[str, list[ChanceRow]]]:
    """The unseen cards suit by suit, the highest of the `pack` first, with the chances of where they lie."""
    groups, chances = [], study.chances
    for letters in (TRUMP + FOOL, *SUITS):
        cards = [card for card in reversed(pack.cards) if card in chances and card[0] in letters]
        if cards:
            rows = [
                ChanceRow(
                    card,
                    words.card_label(card, lang),
                    [share_words(share, exact=study.exact) for share in chances[card].values()],
                )
                for card in cards
            ]
            groups.append((words.suit_name(letters[0], lang), rows))
    return groups


def holders_of(study: Study, page: GamePage) -> list[str]:
    """The names of the holders, in the order of the rows of `chance_groups`."""
    holders: Iterable[str] = next(iter(study.chances.values()), ())
    return [holder_name(holder, study, page) for holder in holders]


def sampled_from(study: Study) -> int:
    """How many sampled deals the chances come from; 0 if they are exact."""
    return 0 if study.exact else SAMPLES


def share_words(share: Fraction, *, exact: bool = True) -> tuple[str, str, bool]:
    """A chance in words, as a fraction, and whether it is certain.

    The fraction is "" if it would be too long to read, or if the chance is not `exact`.
    """
    if share in (0, 1):
        return (text("surely") if share else "–"), "", bool(share)
    said = format_percent(float(share), format="#,##0.0 %", locale=language())
    fraction = f"{share.numerator}/{share.denominator}"
    return said, fraction if exact and len(fraction) < 16 else "", False
