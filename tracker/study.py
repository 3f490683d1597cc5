"""What can be known at one point of a hand, for learning to count. Each game fills it in (`Game.study`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from tracker.cards import SUITS, TRUMP
from tracker.counting import Chances, where_cards_lie
from tracker.denials import Denial
from tracker.events import CardPlayed
from tracker.hand import Hand
from tracker.session import Session

SET_ASIDE: Final = "/aside"
"""The holder of the cards that lie aside, among the players. No player has that name (`webui.people.seats.is_name`)."""


@dataclass(frozen=True, slots=True)
class Void:
    """`player` is out of `suit`, or, where `above` is given, out of the cards of `suit` above that one.

    He played `card` in `trick` instead, or (both None) it follows by counting.
    """

    player: str
    suit: str
    card: str | None = None
    trick: int | None = None
    above: str | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """What everybody can know who saw all plays and heard all declarations.

    `trumps` are the cards that are counted as trumps, `trumps_out` those of them that nobody has seen yet. `voids`
    are in order of play, for suits of which cards are out. `chances[card][holder]` is the chance for each unseen
    card, `exact` or from sampled deals; holders are the active players and, where cards lie aside, `SET_ASIDE`. `left`
    says how many cards each player still holds. `aside` names what lies aside: `"skat"`, `"stock"` (dealt to nobody),
    `"talon"` or `"discards"`.
    """

    trumps: frozenset[str]
    trumps_out: tuple[str, ...]
    voids: tuple[Void, ...]
    chances: Mapping[str, Mapping[str, Fraction]]
    left: Mapping[str, int]
    aside: str
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Known:
    """What everybody knows of the unseen cards, in a game that tells places apart by what they may hold alone.

    Cards are masks, players their places in the order of play. `unseen` are the cards out. `left` is how many each
    player holds. `denials` are those that stand. `may` are the cards that each player may hold, his denials aside.
    `assumed` are ways to know more, the one that knows most first. Each is a list of cases that exclude one another. A
    case has the cards that each player may hold, and last those that may lie aside.
    """

    unseen: int
    left: Sequence[int]
    denials: Sequence[Sequence[Denial]]
    may: Sequence[int]
    assumed: Sequence[Sequence[Sequence[int]]]


def study_of(hand: Hand, known: Known, trumps: int, aside: str) -> Study:
    """What can be known of `hand` by what is `known`; `trumps` are the cards that are counted as trumps, a mask.

    A deal must agree with the first of `known.assumed` that leaves one, and with all denials. Where no deal does, the
    denials are dropped: somebody broke a rule that nothing proves yet.
    """
    lying, unseen = _lying(known), known.unseen
    holders = (*hand.active, SET_ASIDE)
    names = hand.pack.cards
    return Study(
        trumps=frozenset(hand.pack.names(trumps)),
        trumps_out=tuple(hand.pack.names(unseen & trumps)),
        voids=tuple(_voids(hand, known, lying)),
        chances={
            names[card]: {
                holder: share
                for holder, share in zip(holders, shares, strict=True)
                if holder != SET_ASIDE or _aside(known)
            }
            for card, shares in lying.chances.items()
        },
        left=dict(zip(hand.active, known.left, strict=True)),
        aside=aside,
        exact=lying.exact,
    )


def _aside(known: Known) -> int:
    return known.unseen.bit_count() - sum(known.left)


def _denied(known: Known, player: int) -> int:
    cards = 0
    for denial in known.denials[player]:
        cards |= denial.mask
    return cards


def _lying(known: Known) -> Chances:
    room = (*known.left, _aside(known))
    denied = [_denied(known, player) for player in range(len(known.left))]
    for cases in known.assumed:
        held = [(*(may & ~no for may, no in zip(case[:-1], denied, strict=True)), case[-1]) for case in cases]
        found = where_cards_lie(known.unseen, room, held)
        if found is not None:
            return found
    found = where_cards_lie(known.unseen, room, [[known.unseen] * len(room)])
    assert found is not None
    return found


def _voids(hand: Hand, known: Known, lying: Chances) -> Iterable[Void]:
    for place, player in enumerate(hand.active):
        if not known.left[place]:
            continue
        could = known.may[place] & ~_denied(known, place)
        for suit in (*SUITS, TRUMP):
            out = known.unseen & hand.pack.suit_mask[suit]
            if not out:
                continue
            said = next((denial for denial in known.denials[place] if not out & ~denial.mask), None)
            sure = lying.exact and not any(
                lying.chances[card][place] for card in lying.chances if out >> card & 1
            )
            if said is not None:
                yield Void(player, suit, hand.pack.cards[said.card], said.trick)
            elif not out & could or sure:
                yield Void(player, suit)
            else:
                yield from _nothing_above(hand, player, suit, known.denials[place])


def _nothing_above(hand: Hand, player: str, suit: str, denials: Sequence[Denial]) -> Iterable[Void]:
    """The least card of a suit above which he denied holding any."""
    cards = hand.pack.suit_mask[suit]
    found: tuple[int, Denial] | None = None
    for denial in denials:
        low = (denial.mask & cards & -(denial.mask & cards)).bit_length() - 1
        if low < 0 or denial.mask & cards != cards >> low << low or not cards >> low - 1 & 1:
            continue
        if found is None or low < found[0]:
            found = low, denial
    if found is not None:
        names, denial = hand.pack.cards, found[1]
        yield Void(player, suit, names[denial.card], denial.trick, above=names[found[0] - 1])


def hand_after(session: Session[Any, Any], hand: Hand, count: int) -> Any:
    """`hand` of `session` as it stood after `count` plays, with all that was entered before the next one.

    It is a hand of its own: what it books is booked nowhere else, and chips that only people moved stay where they
    were.
    """
    past = type(session)(replace(session.opened, seats=hand.seats), rules=session.rules)
    past.start_hand(hand.dealer, hand.started, sure=hand.dealer_is_sure)
    plays = 0
    for event, seq in hand.entries:
        plays += isinstance(event, CardPlayed)
        if plays > count:
            break
        if not event.moves_chips:
            past.apply(event, seq)
    return past.hand
