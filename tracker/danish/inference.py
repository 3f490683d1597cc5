"""The exact chances of where each unseen card lies, from what everybody saw, by counting deals.

A deal of the unseen cards counts if it agrees with the sizes of the hands, the denials that stand, a legal skat
(DISC-1 to DISC-4) and what was declared; "pass" means that nothing was owed (DECL-1..5). All these deals are equally
likely: nothing is assumed about how the dealer chooses his skat or how people play.

The count is exact, by dynamic programming over groups of cards. The groups are: the courts of a suit; the trumps; and
pools of cards that nothing tells apart, whose deals are counted by multinomials. The largest pool is dealt last, into
the room that is left. The state is how many cards each place holds. Each place of the fool is tried in turn. The kings
tie the suits together; hands that would owe a declaration of kings which was not made are subtracted from the total.
Holders are 0, 1, 2 (order of play) and 3, the skat.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import factorial, prod
from typing import Final, NamedTuple

from tracker.cards import CARDS, COURTS, SUITS, TRUMP
from tracker.danish.combination import Combination
from tracker.danish.declarations import COURT_MASK, slot_of
from tracker.danish.hand import DanishHand
from tracker.danish.knowledge import DEALER, SKAT
from tracker.danish.pack import ALL_CARDS, FOOL_BIT, INDEX, KING_MASK, PACK, TRUMP_MASK
from tracker.pack import indices

_FOOL: Final = INDEX["F"]
_PAGAT: Final = INDEX["T1"]
_MONDO: Final = INDEX["T21"]
_PLACES: Final = (0, 1, 2, SKAT)
_ANYWHERE: Final = sum(1 << place for place in _PLACES)
_KING_SETS: Final = (KING_MASK, *(KING_MASK & ~(1 << place) for place in indices(KING_MASK)))
"""At least three of the four kings."""
# How many cards each of the four places holds, packed into one number, so that one addition adds all four.
_WIDTH: Final = 7
_ONE: Final = tuple(1 << _WIDTH * place for place in _PLACES)
_GUARD: Final = sum(1 << _WIDTH * place + _WIDTH - 1 for place in _PLACES)
_FIELD: Final = (1 << _WIDTH) - 1

_FACTORIAL: Final = tuple(factorial(number) for number in range(len(CARDS) + 1))

Slots = dict[str, Combination] | None
Held = tuple[tuple[int, ...], int]
"""Some cards, and a holder of one given card of these."""
# Ways to split some cards: how many each place gets, and how many deals give that.
_Splits = Sequence[tuple[tuple[int, int, int, int], int]]
# A declaration of kings, or of the courts of a suit, as (grade, bit of the missing card).
_Four = tuple[str, int]


class _Outcome(NamedTuple):
    """One way to spread a group over the places: its packed counts, and the number of deals that give it."""

    code: int
    deals: int
    tally: tuple[tuple[Held, int], ...]  # who holds what in how many of them


@dataclass(frozen=True, slots=True)
class Inference:
    """What can be inferred at one point of a hand.

    `chances[card][holder]` is the exact probability for each unseen card; holders are the active players and
    `"skat"`. `void` are the suits (and `"F"`, the fool) of which a player certainly holds none. `deals` is how many
    deals agree with all that is known; `basis` is then `"all"`. If there is none, conditions are dropped one after the
    other: first the declarations (`"play"`), then the denials (`"cards"`), then the legal skat (`"counts"`).
    """

    chances: dict[str, dict[str, Fraction]]
    void: dict[str, tuple[str, ...]]
    deals: int
    basis: str


def infer(hand: DanishHand) -> Inference:
    """What can be inferred at this point of `hand` by somebody who holds none of its cards."""
    position = _Position.of(hand)
    for basis in ("all", "play", "cards", "counts"):
        counted = position.relaxed(basis).count()
        if counted.deals:
            break
    holders = (*hand.active, "skat")
    rows: dict[tuple[int, ...], dict[str, Fraction]] = {}
    chances: dict[str, dict[str, Fraction]] = {}
    for place, weights in counted.by_card().items():
        alike = tuple(weights)
        if alike not in rows:
            rows[alike] = {
                name: Fraction(weight, counted.deals) for name, weight in zip(holders, alike, strict=True)
            }
        chances[CARDS[place]] = rows[alike]
    ordered = {card: chances[card] for card in CARDS if card in chances}
    return Inference(
        chances=ordered,
        void={player: _void(player, ordered) for player in hand.active},
        deals=counted.deals,
        basis=basis,
    )


def _void(player: str, chances: dict[str, dict[str, Fraction]]) -> tuple[str, ...]:
    held = {card[0] for card, row in chances.items() if row[player]}
    return tuple(suit for suit in (*SUITS, TRUMP, "F") if suit not in held)


class _Count:
    """The number of deals, and the tally of who holds what in how many of them."""

    def __init__(self) -> None:
        self.deals = 0
        self.tally: dict[Held, int] = {}

    def note(self, cards: tuple[int, ...], holder: int, deals: int) -> None:
        """In so many more deals `holder` has one particular card of `cards`."""
        self.tally[cards, holder] = self.tally.get((cards, holder), 0) + deals

    def by_card(self) -> dict[int, list[int]]:
        """For each card the number of deals in which each of the four places holds it."""
        found: dict[int, list[int]] = {}
        for (cards, holder), deals in self.tally.items():
            for place in cards:
                found.setdefault(place, [0, 0, 0, 0])[holder] += deals
        return found


@dataclass(frozen=True, slots=True)
class _Position:
    """All that the count depends on, sets of cards as masks.

    `room` is how many unseen cards each place holds, `has` the cards that each player has played, `allowed` those that
    he may still hold.
    """

    unseen: int
    room: tuple[int, int, int, int]
    has: tuple[int, int, int]
    allowed: tuple[int, int, int]
    skat_plain: int  # what the skat may hold beside trumps (DISC-1..3)
    skat_trumps: int  # the trumps that it may hold if the dealer keeps none (DISC-4)
    skat_has: int  # the skat, if it was shown
    slots: tuple[Slots, Slots, Slots]  # what each declared; None if nothing was recorded

    @classmethod
    def of(cls, hand: DanishHand) -> "_Position":
        knowledge = hand.knowledge
        unseen, (first, second, dealer) = knowledge.unseen, knowledge.left
        slots: list[Slots] = []
        for player in hand.active:
            made = hand.declared[player]
            slots.append(None if made is None else {slot_of(item): item for item in made})
        skat_plain, skat_trumps = knowledge.legal_skat()
        return cls(
            unseen=unseen,
            room=(first, second, dealer, unseen.bit_count() - first - second - dealer),
            has=(hand.shown[0], hand.shown[1], hand.shown[2]),
            allowed=knowledge.allowed(),
            skat_plain=skat_plain,
            skat_trumps=skat_trumps,
            skat_has=PACK.mask(hand.skat or ()),
            slots=(slots[0], slots[1], slots[2]),
        )

    def relaxed(self, basis: str) -> "_Position":
        """This position without the conditions that `basis` leaves out."""
        if basis == "all":
            return self
        everything = (ALL_CARDS, ALL_CARDS, ALL_CARDS)
        return _Position(
            self.unseen,
            self.room,
            self.has,
            self.allowed if basis == "play" else everything,
            ALL_CARDS if basis == "counts" else self.skat_plain,
            0 if basis == "counts" else self.skat_trumps,
            self.skat_has,
            (None, None, None),
        )

    # -- counting ------------------------------------------------------------------------------------------

    def count(self) -> _Count:
        """Count all deals that agree with the position."""
        total = _Count()
        for fool in self._fool_places():
            self._count_with(fool, total)
        return total

    def _holders(self, place: int) -> tuple[int, ...]:
        """The places that may hold the unseen card `place`. Trumps in the skat are left out: they are treated apart."""
        holders = [holder for holder in range(3) if self.allowed[holder] >> place & 1 and self.room[holder]]
        if self.room[SKAT] and self.skat_plain >> place & 1:
            holders.append(SKAT)
        return tuple(holders)

    def _fool_places(self) -> tuple[int, ...]:
        """Where the fool can lie."""
        if self.unseen & FOOL_BIT:
            return self._holders(_FOOL)
        return (SKAT,) if self.skat_has & FOOL_BIT else tuple(p for p in range(3) if self.has[p] & FOOL_BIT)

    def _king_cases(self, fool: int) -> Iterator[tuple[int, dict[int, int]]]:
        """Cases of where the kings may lie: (sign, {king: bit set of its places}).

        The counts of the cases, each with its sign, add up to the number of deals in which the declarations of kings
        are right.
        """
        free = {place: mask_of(self._holders(place)) for place in indices(self.unseen & KING_MASK)}
        made = next((player for player in range(3) if "kings" in (self.slots[player] or {})), None)
        if made is not None:
            declared = (self.slots[made] or {})["kings"]
            four = declared.grade or "", 1 << INDEX[f"{declared.missing}R"] if declared.missing else 0
            for held in _KING_SETS:
                if any(
                    _is_of_grade(four, KING_MASK, held, has_fool) for has_fool in self._fool_in(made, fool)
                ):
                    case = self._kings_exactly(made, held, free)
                    if case is not None:
                        yield 1, case
            return
        yield 1, free
        for player in range(3):
            if self.slots[player] is None:
                continue
            for held in _KING_SETS:
                if held.bit_count() == 4 or (held.bit_count() == 3 and fool == player):
                    case = self._kings_exactly(player, held, free)
                    if case is not None:
                        yield -1, case

    def _kings_exactly(self, player: int, held: int, free: dict[int, int]) -> dict[int, int] | None:
        """Where the kings may lie if `player` was dealt exactly the kings `held`; None if that cannot be."""
        if self.has[player] & KING_MASK & ~held or held & ~(self.has[player] | self.unseen):
            return None
        case = {}
        for place, holders in free.items():
            case[place] = holders & (1 << player if held >> place & 1 else ~(1 << player))
            if not case[place]:
                return None
        return case

    def _fool_in(self, player: int, fool: int) -> tuple[bool, bool]:
        """Whether the fool is among the cards that a player kept, and among those that he was dealt."""
        kept = fool == player
        return kept, kept or (player == DEALER and fool == SKAT)

    def _count_with(self, fool: int, total: _Count) -> None:
        """Add the deals with the fool at `fool` to `total`."""
        left = self.unseen & ~FOOL_BIT
        base = _ONE[fool] if self.unseen & FOOL_BIT else 0
        suits = [suit for suit in SUITS if self.unseen & (COURT_MASK[suit] | FOOL_BIT)]
        for suit in suits:
            left &= ~COURT_MASK[suit]
        shared: list[Sequence[_Outcome]] = []
        if self.unseen & (TRUMP_MASK | FOOL_BIT) and self._trumps_matter(fool):
            shared.append(self._trump_outcomes(fool))
            left &= ~TRUMP_MASK
        *pools, (holders, cards) = self._pools(left)
        shared += [_pool_outcomes(places, these, self.room) for these, places in pools]
        by_case = [
            (sign, [self._court_outcomes(suit, fool, case) for suit in suits])
            for sign, case in self._king_cases(fool)
        ]
        before = total.deals
        _combine(total, base, by_case, shared, (cards, holders), _coded(self.room))
        if base:
            total.note((_FOOL,), fool, total.deals - before)

    def _pools(self, left: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The cards `left` as (holders, cards that these may hold); the pool with the most splits is the last."""
        pools: dict[tuple[int, ...], list[int]] = {}
        for place in indices(left):
            pools.setdefault(self._holders(place), []).append(place)
        pairs = [(holders, tuple(places)) for holders, places in pools.items()]
        return sorted(pairs, key=lambda pool: len(_splits(len(pool[1]), pool[0], self.room))) or [((), ())]

    # -- courts --------------------------------------------------------------------------------------------

    def _court_outcomes(self, suit: str, fool: int, kings: dict[int, int]) -> Sequence[_Outcome]:
        """The ways the courts of `suit` can lie; `kings` are the places of each king, as bit sets."""
        first = INDEX[suit + COURTS[0]]
        choices = []
        for place in range(first, first + len(COURTS)):
            if self.unseen >> place & 1:
                may = kings.get(place, _ANYWHERE)
                choices.append((place, tuple(one for one in self._holders(place) if may >> one & 1)))
        judged = []
        for player, slots in enumerate(self.slots):
            if slots is not None:
                made = slots.get(f"cavallerie {suit}")
                judged.append(
                    (
                        player,
                        made and (made.grade or "", 1 << COURTS.index(made.missing) if made.missing else 0),
                        self.has[player] >> first & 15,
                        self.skat_has >> first & 15 if player == DEALER else 0,
                        *self._fool_in(player, fool),
                    )
                )
        return _courts_dealt(first, tuple(choices), tuple(judged))

    # -- trumps --------------------------------------------------------------------------------------------

    def _skat_can_hold_trumps(self) -> bool:
        return bool(
            self.room[SKAT]
            and not self.has[DEALER] & TRUMP_MASK
            and self.unseen & self.skat_trumps & TRUMP_MASK
        )

    def _trumps_matter(self, fool: int) -> bool:
        if self._skat_can_hold_trumps():
            return True
        for player, slots in enumerate(self.slots):
            if slots is None:
                continue
            could = (self.has[player] | self.unseen & self.allowed[player]) & TRUMP_MASK
            fools = self._fool_in(player, fool)[1]
            if "trumps" in slots or "matadors" in slots or could.bit_count() + fools >= 10:
                return True
            if fools and could >> _PAGAT & 1 and could >> _MONDO & 1:
                return True
        return False

    def _declared_trumps(self) -> dict[int, int]:
        """The trumps that a declaration may be about, each with the places where it may lie, as a bit set."""
        may_lie = {_PAGAT: _ANYWHERE, _MONDO: _ANYWHERE}
        for player, slots in enumerate(self.slots):
            if slots is None or "matadors" not in slots:
                continue
            his = 1 << player | (1 << SKAT if player == DEALER else 0)
            after_line = _MONDO - ((slots["matadors"].count or 3) - 3) - 1
            for place in (_PAGAT, *range(_MONDO, after_line, -1)):
                may_lie[place] = may_lie.get(place, _ANYWHERE) & his
            if after_line > _PAGAT:
                # Else he would have declared one more.
                may_lie[after_line] = may_lie.get(after_line, _ANYWHERE) & ~(1 << player)
        return may_lie

    def _trump_outcomes(self, fool: int) -> list[_Outcome]:
        """The ways the trumps can lie: those that a declaration is about one by one, the others by number."""
        may_lie = self._declared_trumps()
        unseen = list(indices(self.unseen & TRUMP_MASK))
        alone = [place for place in unseen if place in may_lie]
        others = tuple(place for place in unseen if place not in may_lie)
        skat_open = self._skat_can_hold_trumps()
        choices = [
            [holder for holder in self._trump_holders(place, skat_open) if may_lie[place] >> holder & 1]
            for place in alone
        ]
        holders = self._trump_holders(others[0], skat_open) if others else ()
        splits = _splits(len(others), holders, self.room)
        found: dict[int, _Count] = {}
        for chosen in product(*choices):
            held = [0, 0, 0, 0]
            for place, holder in zip(alone, chosen, strict=True):
                held[holder] |= 1 << place
            if not self._line_agrees(held, fool):
                continue
            code = sum(_ONE[holder] for holder in chosen)
            for counts, ways in self._agreeing(splits, held, fool):
                count = found.setdefault(code + _coded(counts), _Count())
                count.deals += ways
                for place, holder in zip(alone, chosen, strict=True):
                    count.note((place,), holder, ways)
                for holder, number in enumerate(counts):
                    if number:
                        count.note(others, holder, ways * number // len(others))
        return _outcomes(found)

    def _agreeing(self, splits: _Splits, held: list[int], fool: int) -> _Splits:
        """Those of `splits` of the other trumps that fit what was declared and DISC-4, where these are `held`."""
        first, second, dealer = (self._plain_trumps(player, held[player], fool) for player in range(3))
        in_skat = held[SKAT].bit_count()
        with_dealer = ((self.has[DEALER] | held[DEALER]) & TRUMP_MASK).bit_count()
        return [
            (counts, ways)
            for counts, ways in splits
            if counts[0] in first
            and counts[1] in second
            and counts[2] in dealer
            and not (in_skat + counts[SKAT] and with_dealer + counts[DEALER])
        ]

    def _trump_holders(self, place: int, skat_open: bool) -> tuple[int, ...]:
        holders = self._holders(place)
        return (*holders, SKAT) if skat_open and self.skat_trumps >> place & 1 else holders

    def _line_agrees(self, held: list[int], fool: int) -> bool:
        """Whether the matadors (the fool, T21, T1 and the unbroken line) are what each player declared."""
        for player, slots in enumerate(self.slots):
            if slots is None:
                continue
            kept, dealt = self._fool_in(player, fool)
            cards = self.has[player] | held[player]
            full = cards | (held[SKAT] | self.skat_has if player == DEALER else 0)
            made = slots.get("matadors")
            owing = _matadors(cards) if kept else 0
            if made is None:
                if owing:
                    return False
            elif made.count not in (owing, _matadors(full) if dealt else 0):
                return False
        return True

    def _plain_trumps(self, player: int, held: int, fool: int) -> Collection[int]:
        """How many more trumps `player` may have beside those he has and `held`, by what he declared.

        Empty if he spoke falsely of the pagat.
        """
        slots = self.slots[player]
        if slots is None:
            return range(len(CARDS))
        cards = (self.has[player] | held) & TRUMP_MASK
        number = cards.bit_count()
        kept, dealt = self._fool_in(player, fool)
        made = slots.get("trumps")
        if made is None:
            return range(10 - number - kept)
        if made.pagat != bool(cards >> _PAGAT & 1):
            return ()
        # A dealer who lays trumps keeps none, so of these only the fool can be in his 28 but not in his 25.
        return {(made.count or 0) - number - kept, (made.count or 0) - number - dealt}


def mask_of(holders: Iterable[int]) -> int:
    """The bit set of `holders`."""
    return sum(1 << holder for holder in holders)


@lru_cache(maxsize=4096)
def _courts_dealt(
    first: int,
    choices: tuple[tuple[int, tuple[int, ...]], ...],
    judged: tuple[tuple[int, _Four | None, int, int, bool, bool], ...],
) -> Sequence[_Outcome]:
    """The ways to deal the unseen courts of the suit whose lowest has the place `first`.

    Each of `choices` is a court and its holders. `judged` are the players whose declarations are known: (player, what
    he declared, courts that he has, courts in the skat that he laid, whether he kept the fool, or was dealt it).
    """
    found: dict[int, _Count] = {}
    for chosen in product(*(holders for _, holders in choices)):
        held = [0, 0, 0, 0]
        for (place, _), holder in zip(choices, chosen, strict=True):
            held[holder] |= 1 << place - first
        if all(
            _courts_agree(made, has | held[player], laid | held[SKAT] if player == DEALER else 0, kept, dealt)
            for player, made, has, laid, kept, dealt in judged
        ):
            count = found.setdefault(sum(_ONE[holder] for holder in chosen), _Count())
            count.deals += 1
            for (place, _), holder in zip(choices, chosen, strict=True):
                count.note((place,), holder, 1)
    return _outcomes(found)


def _outcomes(found: dict[int, _Count]) -> list[_Outcome]:
    """The ways that were `found`, by their packed counts."""
    return [_Outcome(code, count.deals, tuple(count.tally.items())) for code, count in found.items()]


def _courts_agree(made: _Four | None, kept: int, laid: int, fool_kept: bool, fool_dealt: bool) -> bool:
    """Whether a player with the courts `kept`, who laid the courts `laid`, may have declared `made` of this suit."""
    if made is None:
        number = kept.bit_count()
        return number < 3 or (number == 3 and not fool_kept)
    # True of the 25 cards he kept, or of the 28 he was dealt.
    return _is_of_grade(made, 15, kept, fool_kept) or _is_of_grade(made, 15, kept | laid, fool_dealt)


def _is_of_grade(made: _Four, four: int, held: int, fool: bool) -> bool:
    """Whether who holds the cards `held` of a mask of `four`, with or without the `fool`, has what was declared."""
    grade, missing = made
    if grade == "half":
        return fool and held == four & ~missing
    return held == four and fool == (grade == "abundant")


def _matadors(cards: int) -> int:
    """How many matadors these cards make together with the fool; 0 without T1 or T21."""
    if not (cards >> _PAGAT & 1 and cards >> _MONDO & 1):
        return 0
    number = 3
    while number < 22 and cards >> _MONDO - (number - 2) & 1:
        number += 1
    return number


@lru_cache(maxsize=4096)
def _splits(
    number: int, holders: tuple[int, ...], room: tuple[int, int, int, int]
) -> tuple[tuple[tuple[int, int, int, int], int], ...]:
    """The ways to split `number` cards among `holders` with `room`: (counts, how many deals give them)."""
    if not number:
        return (((0, 0, 0, 0), 1),)
    if not holders:
        return ()
    found = []
    limits = [range(min(number, room[holder]) + 1) if holder in holders else range(1) for holder in _PLACES]
    for first in limits[0]:
        for second in limits[1]:
            for skat in limits[SKAT]:
                third = number - first - second - skat
                if third in limits[2]:
                    found.append(((first, second, third, skat), _ways((first, second, third, skat))))
    return tuple(found)


def _ways(counts: tuple[int, ...]) -> int:
    """How many deals give each place so many cards."""
    return _FACTORIAL[sum(counts)] // prod(_FACTORIAL[count] for count in counts)


def _coded(counts: Iterable[int]) -> int:
    """How many cards each place holds, as one number."""
    return sum(_ONE[holder] * count for holder, count in enumerate(counts))


def _pool_outcomes(
    places: tuple[int, ...], holders: tuple[int, ...], room: tuple[int, int, int, int]
) -> list[_Outcome]:
    """The ways to deal cards that nothing tells apart."""
    return [
        _Outcome(
            _coded(counts),
            ways,
            tuple(
                ((places, holder), ways * count // len(places))
                for holder, count in enumerate(counts)
                if count
            ),
        )
        for counts, ways in _splits(len(places), holders, room)
    ]


def _combine(
    total: _Count,
    base: int,
    by_case: Sequence[tuple[int, Sequence[Sequence[_Outcome]]]],
    shared: Sequence[Sequence[_Outcome]],
    pool: tuple[tuple[int, ...], tuple[int, ...]],
    room: int,
) -> None:
    """Deal all groups together, and what room is left from the last `pool`: its cards, and who may hold them.

    A case is (its sign, its groups); the groups of `shared` are the same in all cases. Forwards the ways to reach
    each state are counted, then backwards the ways to complete it. Adds the deals and their tally to `total`.
    """
    full = room + _GUARD
    if (full - base) & _GUARD != _GUARD:
        return
    cases = []
    reached: dict[int, int] = {}
    for sign, groups in by_case:
        forward = _forward({base: sign}, groups, full)
        cases.append((forward, groups))
        for state, ways in forward[-1].items():
            reached[state] = reached.get(state, 0) + ways
    # A state that two cases cancel stays: the tally of each needs the ways to complete it.
    forward = _forward(reached, shared, full)
    completions = _last_dealt(total, forward[-1], room, pool)
    completions = _backward(total.tally, forward, shared, completions)
    for forward, groups in cases:
        _backward(total.tally, forward, groups, completions)


def _forward(start: dict[int, int], groups: Sequence[Sequence[_Outcome]], full: int) -> list[dict[int, int]]:
    """The ways to reach each state, after none of the groups, one, and so on; `full` is the room with its guards."""
    found = [start]
    for outcomes in groups:
        after: dict[int, int] = {}
        steps = [(outcome.code, outcome.deals) for outcome in outcomes]
        for state, ways in found[-1].items():
            for code, deals in steps:
                reached = state + code
                if (full - reached) & _GUARD == _GUARD:
                    after[reached] = after.get(reached, 0) + ways * deals
        found.append(after)
    return found


def _last_dealt(
    total: _Count, reached: dict[int, int], room: int, pool: tuple[tuple[int, ...], tuple[int, ...]]
) -> dict[int, int]:
    """The ways to complete each state by dealing the last pool into what `room` is left. Adds them to `total`."""
    cards, holders = pool
    completions = {}
    shares = [0, 0, 0, 0]
    for state, ways in reached.items():
        counts = tuple(room - state >> _WIDTH * place & _FIELD for place in _PLACES)
        if all(place in holders for place in _PLACES if counts[place]):
            completions[state] = _ways(counts)
            deals = ways * completions[state]
            total.deals += deals
            for place, count in enumerate(counts):
                # A place holds a given card in its share of the deals.
                shares[place] += deals * count
    for place, share in enumerate(shares):
        total.note(cards, place, share // len(cards) if cards else 0)
    return completions


def _backward(
    tally: dict[Held, int],
    forward: list[dict[int, int]],
    groups: Sequence[Sequence[_Outcome]],
    completions: dict[int, int],
) -> dict[int, int]:
    """The ways to complete each state that `forward` begins with. Adds the groups to the `tally`."""
    for outcomes, before in zip(reversed(groups), reversed(forward[:-1]), strict=True):
        totals = [0] * len(outcomes)
        steps = [(number, outcome.code, outcome.deals) for number, outcome in enumerate(outcomes)]
        earlier: dict[int, int] = {}
        for state, ways in before.items():
            deals = 0
            for number, code, weight in steps:
                completed = completions.get(state + code)
                if completed:
                    totals[number] += ways * completed
                    deals += weight * completed
            if deals:
                earlier[state] = deals
        for outcome, completed in zip(outcomes, totals, strict=True):
            if completed:
                for held, number in outcome.tally:
                    tally[held] = tally.get(held, 0) + number * completed
        completions = earlier
    return completions
