"""The exact chances of where each unseen card lies, from what everybody saw, by counting deals.

A deal of the unseen cards counts if it agrees with the sizes of the hands, the denials that stand, a legal skat
(DISC-1 to DISC-4) and what was declared; "pass" means that nothing was owed (DECL-1..5). All these deals are equally
likely: nothing is assumed about how the dealer chooses his skat or how people play.

The count is exact, by dynamic programming over groups of cards. The groups are: the courts of a suit that a
declaration is about; the trumps; and pools of cards that nothing tells apart, whose deals are counted by
multinomials. The state is how many cards each place holds. Each place of the fool is tried in turn. The kings tie
the suits together; hands that would owe a declaration of kings which was not made are subtracted from the total.
Holders are 0, 1, 2 (order of play) and 3, the skat.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import factorial
from typing import Final

from tracker.cards import CARDS, SUITS, TRUMP
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
# How many cards each of the four places holds, packed into one number, so that one addition adds all four.
_WIDTH: Final = 7
_ONE: Final = tuple(1 << _WIDTH * place for place in _PLACES)
_GUARD: Final = sum(1 << _WIDTH * place + _WIDTH - 1 for place in _PLACES)
_FIELD: Final = (1 << _WIDTH) - 1

Slots = dict[str, Combination] | None
# One way to spread a group over the places: its packed counts, the number of deals that give it, and for each
# (cards, holder) the number of those cards that the holder has, summed over these deals.
Outcome = tuple[int, int, dict[tuple[tuple[int, ...], int], int]]


@dataclass(frozen=True, slots=True)
class Inference:
    """What can be inferred at one point of a hand.

    `chances[card][holder]` is the exact probability for each unseen card; holders are the active players and
    `"skat"`. `void` are the suits (and `"F"`, the fool) of which a player certainly holds none. `trumps_out` is the
    number of unseen trumps without the fool. `deals` is how many deals agree with all that is known; `basis` is then
    `"all"`. If there is none, conditions are dropped one after the other: first the declarations (`"play"`), then
    the denials (`"cards"`), then the legal skat (`"counts"`).
    """

    chances: dict[str, dict[str, Fraction]]
    void: dict[str, tuple[str, ...]]
    trumps_out: int
    fool_out: bool
    deals: int
    basis: str


def infer(hand: DanishHand, known: Mapping[str, Iterable[str]] | None = None) -> Inference:
    """What can be inferred at this point of `hand` by somebody who also knows the cards in `known`.

    `known` gives cards that a player still holds, such as the whole hand of the player who asks.
    """
    position = _Position.of(hand, known or {})
    for basis in ("all", "play", "cards", "counts"):
        counted = position.relaxed(basis).count()
        if counted.deals:
            break
    holders = (*hand.active, "skat")
    chances: dict[str, dict[str, Fraction]] = {}
    for cards, weights in counted.by_cards().items():
        row = {
            name: Fraction(weight, counted.deals * len(cards))
            for name, weight in zip(holders, weights, strict=True)
        }
        for place in cards:
            chances[CARDS[place]] = row
    ordered = {card: chances[card] for card in CARDS if card in chances}
    unseen = hand.knowledge.unseen
    return Inference(
        chances=ordered,
        void={player: _void(player, ordered, known or {}) for player in hand.active},
        trumps_out=(unseen & TRUMP_MASK).bit_count(),
        fool_out=bool(unseen & FOOL_BIT),
        deals=counted.deals,
        basis=basis,
    )


def _void(
    player: str, chances: dict[str, dict[str, Fraction]], known: Mapping[str, Iterable[str]]
) -> tuple[str, ...]:
    held = {card[0] for card, row in chances.items() if row[player]} | {
        card[0] for card in known.get(player, ())
    }
    return tuple(suit for suit in (*SUITS, TRUMP, "F") if suit not in held)


class _Count:
    """The number of deals, and the tally: for each (cards, holder) how many he has of them, summed over the deals."""

    def __init__(self) -> None:
        self.deals = 0
        self.tally: dict[tuple[tuple[int, ...], int], int] = {}

    def add(self, other: "_Count", sign: int) -> None:
        self.deals += sign * other.deals
        for key, weight in other.tally.items():
            self.tally[key] = self.tally.get(key, 0) + sign * weight

    def by_cards(self) -> dict[tuple[int, ...], list[int]]:
        """The tally as (cards: one weight for each holder), for groups of cards that do not overlap.

        If some case told apart cards that another did not, each card comes by itself.
        """
        grouped: dict[tuple[int, ...], list[int]] = {}
        singles: dict[int, list[Fraction]] = {}
        for (cards, holder), weight in self.tally.items():
            grouped.setdefault(cards, [0, 0, 0, 0])[holder] += weight
        places = [place for cards in grouped for place in cards]
        if len(places) == len(set(places)):
            return grouped
        for cards, weights in grouped.items():
            for place in cards:
                row = singles.setdefault(place, [Fraction(0)] * 4)
                for holder in _PLACES:
                    row[holder] += Fraction(weights[holder], len(cards))
        return {(place,): [int(weight) for weight in row] for place, row in singles.items()}


@dataclass(frozen=True, slots=True)
class _Position:
    """All that the count depends on, sets of cards as masks.

    `room` is how many unseen cards each place holds, `has` the cards that each player is known to have been dealt.
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
    def of(cls, hand: DanishHand, known: Mapping[str, Iterable[str]]) -> "_Position":
        knowledge = hand.knowledge
        mine = [PACK.mask(known.get(player, ())) & knowledge.unseen for player in hand.active]
        unseen = knowledge.unseen & ~(mine[0] | mine[1] | mine[2])
        left = [knowledge.left[place] - mine[place].bit_count() for place in range(3)]
        slots: list[Slots] = []
        for player in hand.active:
            made = hand.declared[player]
            slots.append(None if made is None else {slot_of(item): item for item in made})
        skat_plain, skat_trumps = knowledge.legal_skat()
        return cls(
            unseen=unseen,
            room=(left[0], left[1], left[2], unseen.bit_count() - sum(left)),
            has=(hand.shown[0] | mine[0], hand.shown[1] | mine[1], hand.shown[2] | mine[2]),
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
            # For one place of the fool, a group is the same in all cases of the kings that agree on its own king.
            groups: dict[tuple[str, int], list[Outcome]] = {}
            for sign, forced in self._king_cases(fool):
                total.add(self._counted(fool, forced, groups), sign)
        return total

    def _holders(self, place: int) -> tuple[int, ...]:
        """The places that may hold an unseen card, without trumps in the skat, which are treated apart."""
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
            for held in _four_sets(KING_MASK):
                slots = self.slots[made]
                assert slots is not None
                if _grade_agrees(slots["kings"], held, KING_MASK, *self._fool_in(made, fool)):
                    case = self._kings_exactly(made, held, free)
                    if case is not None:
                        yield 1, case
            return
        yield 1, free
        for player in range(3):
            if self.slots[player] is None:
                continue
            for held in _four_sets(KING_MASK):
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

    def _counted(
        self, fool: int, kings: dict[int, int], known: dict[tuple[str, int], list[Outcome]]
    ) -> _Count:
        """Count the deals with the fool at `fool` and the kings where `kings` allows them.

        `known` keeps the outcomes of groups from one case to the next.
        """
        base = 0
        fixed: list[tuple[int, int]] = []
        left = self.unseen
        if left & FOOL_BIT:
            base += _ONE[fool]
            fixed.append((_FOOL, fool))
            left &= ~FOOL_BIT
        groups: list[list[Outcome]] = []
        for suit in SUITS:
            if self._suit_matters(suit, fool):
                king = kings.get(INDEX[suit + "R"], 0)
                if (suit, king) not in known:
                    known[suit, king] = self._court_outcomes(suit, fool, kings)
                groups.append(known[suit, king])
                left &= ~COURT_MASK[suit]
        for place, holders in kings.items():
            if left >> place & 1 and holders != mask_of(self._holders(place)):
                groups.append(
                    [
                        (_ONE[holder], 1, {((place,), holder): 1})
                        for holder in _PLACES
                        if holders >> holder & 1
                    ]
                )
                left &= ~(1 << place)
        if self.unseen & (TRUMP_MASK | FOOL_BIT) and self._trumps_matter(fool):
            if (TRUMP, 0) not in known:
                known[TRUMP, 0] = self._trump_outcomes(fool)
            groups.append(known[TRUMP, 0])
            left &= ~TRUMP_MASK
        *pools, last = self._pools(left)
        groups += [_pool_outcomes(places, holders, self.room) for holders, places in pools]
        return _combined(base, fixed, groups, *last, self.room)

    def _pools(self, left: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The cards `left` as (holders, cards that these may hold); the pool with the most splits is the last."""
        pools: dict[tuple[int, ...], list[int]] = {}
        for place in indices(left):
            pools.setdefault(self._holders(place), []).append(place)
        pairs = [(holders, tuple(places)) for holders, places in pools.items()]
        return sorted(pairs, key=lambda pool: len(_splits(len(pool[1]), pool[0], self.room))) or [((), ())]

    # -- courts --------------------------------------------------------------------------------------------

    def _suit_matters(self, suit: str, fool: int) -> bool:
        """Whether a declaration or a pass says something about the courts of this suit."""
        courts = COURT_MASK[suit]
        if not self.unseen & (courts | FOOL_BIT):
            return False
        for player, slots in enumerate(self.slots):
            if slots is None:
                continue
            could = (self.has[player] | self.unseen & self.allowed[player]) & courts
            if player == DEALER:
                could |= (self.unseen & self.skat_plain | self.skat_has) & courts
            if f"cavallerie {suit}" in slots or could.bit_count() + self._fool_in(player, fool)[1] >= 4:
                return True
        return False

    def _court_outcomes(self, suit: str, fool: int, kings: dict[int, int]) -> list[Outcome]:
        courts = COURT_MASK[suit]
        places = list(indices(self.unseen & courts))
        choices = [
            [holder for holder in self._holders(place) if kings.get(place, 15) >> holder & 1]
            for place in places
        ]
        name = f"cavallerie {suit}"
        judged = [
            (player, slots.get(name), self.has[player] & courts, *self._fool_in(player, fool))
            for player, slots in enumerate(self.slots)
            if slots is not None
        ]
        found: dict[int, tuple[int, dict[tuple[tuple[int, ...], int], int]]] = {}
        for chosen in product(*choices):
            held = [0, 0, 0, self.skat_has & courts]
            for place, holder in zip(places, chosen, strict=True):
                held[holder] |= 1 << place
            if not all(
                _courts_agree(
                    made, has | held[player], held[SKAT] if player == DEALER else 0, courts, kept, dealt
                )
                for player, made, has, kept, dealt in judged
            ):
                continue
            code = sum(_ONE[holder] for holder in chosen)
            weight, tally = found.setdefault(code, (0, {}))
            for place, holder in zip(places, chosen, strict=True):
                key = ((place,), holder)
                tally[key] = tally.get(key, 0) + 1
            found[code] = (weight + 1, tally)
        return [(code, weight, tally) for code, (weight, tally) in found.items()]

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

    def _trump_outcomes(self, fool: int) -> list[Outcome]:
        """The ways the trumps can lie: those that a declaration is about one by one, the others by number."""
        single = {_PAGAT, _MONDO}
        for slots in self.slots:
            if slots is not None and "matadors" in slots:
                line = (slots["matadors"].count or 3) - 3
                single |= {INDEX[f"T{20 - step}"] for step in range(line + 1) if 20 - step > 1}
        alone = [place for place in indices(self.unseen & TRUMP_MASK) if place in single]
        plain = tuple(place for place in indices(self.unseen & TRUMP_MASK) if place not in single)
        skat_open = self._skat_can_hold_trumps()
        choices = [self._trump_holders(place, skat_open) for place in alone]
        plain_holders = self._trump_holders(plain[0], skat_open) if plain else ()
        outcomes: dict[int, tuple[int, dict[tuple[tuple[int, ...], int], int]]] = {}
        splits = _splits(len(plain), plain_holders, self._trump_room(fool))
        for chosen in product(*choices):
            held = [0, 0, 0, 0]
            for place, holder in zip(alone, chosen, strict=True):
                held[holder] |= 1 << place
            if not self._line_agrees(held, fool):
                continue
            for counts, ways in splits:
                if not self._numbers_agree(held, counts, fool):
                    continue
                code = sum(_ONE[holder] for holder in chosen) + sum(
                    _ONE[holder] * count for holder, count in enumerate(counts)
                )
                weight, tally = outcomes.setdefault(code, (0, {}))
                for place, holder in zip(alone, chosen, strict=True):
                    tally[(place,), holder] = tally.get(((place,), holder), 0) + ways
                if plain:
                    for holder, count in enumerate(counts):
                        if count:
                            tally[plain, holder] = tally.get((plain, holder), 0) + ways * count
                outcomes[code] = (weight + ways, tally)
        return [(code, weight, tally) for code, (weight, tally) in outcomes.items()]

    def _trump_room(self, fool: int) -> tuple[int, int, int, int]:
        """How many more trumps each place can hold at most, by its room and by what was declared."""
        room = list(self.room)
        for player, slots in enumerate(self.slots):
            if slots is not None:
                made = slots.get("trumps")
                most = (made.count or 0) if made is not None else 9 - self._fool_in(player, fool)[0]
                room[player] = max(0, min(room[player], most - (self.has[player] & TRUMP_MASK).bit_count()))
        return room[0], room[1], room[2], room[SKAT]

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

    def _numbers_agree(self, held: list[int], counts: tuple[int, ...], fool: int) -> bool:
        """Whether the number of trumps and the pagat are what each declared, and the skat is legal by DISC-4."""
        in_skat = held[SKAT].bit_count() + counts[SKAT]
        kept_by_dealer = (
            (self.has[DEALER] & TRUMP_MASK).bit_count() + held[DEALER].bit_count() + counts[DEALER]
        )
        if in_skat and kept_by_dealer:
            return False
        for player, slots in enumerate(self.slots):
            if slots is None:
                continue
            cards = (self.has[player] | held[player]) & TRUMP_MASK
            number = cards.bit_count() + counts[player]
            kept, dealt = self._fool_in(player, fool)
            made = slots.get("trumps")
            if made is None:
                if number + kept >= 10:
                    return False
                continue
            # A dealer who lays trumps keeps none, so of these only the fool can be in his 28 but not in his 25.
            pagat = bool(cards >> _PAGAT & 1)
            if made.pagat != pagat or made.count not in {number + kept, number + dealt}:
                return False
        return True


def mask_of(holders: Iterable[int]) -> int:
    """The bit set of `holders`."""
    return sum(1 << holder for holder in holders)


@lru_cache(maxsize=8)
def _four_sets(four: int) -> tuple[int, ...]:
    """The sets of at least three of the four cards in the mask `four`."""
    return (four, *(four & ~(1 << place) for place in indices(four)))


def _grade_agrees(made: Combination, held: int, four: int, fool_kept: bool, fool_dealt: bool) -> bool:
    """Whether the cards `held` of `four` kings or courts are what was declared."""
    if made.grade == "half":
        wanted = INDEX[f"{made.missing}R" if made.kind == "kings" else f"{made.suit}{made.missing}"]
        return fool_dealt and held == four & ~(1 << wanted)
    if held != four:
        return False
    return fool_dealt if made.grade == "abundant" else not fool_kept


@lru_cache(maxsize=65536)
def _courts_agree(
    made: Combination | None, kept: int, laid: int, courts: int, fool_kept: bool, fool_dealt: bool
) -> bool:
    """Whether a player with the courts `kept`, who laid the courts `laid`, may have declared `made` of this suit."""
    number = kept.bit_count()
    owing = number == 4 or (number == 3 and fool_kept)
    if made is None:
        return not owing
    # True of the 25 cards he kept, or of the 28 he was dealt.
    return _grade_exact(made, kept, courts, fool_kept) or _grade_exact(made, kept | laid, courts, fool_dealt)


def _grade_exact(made: Combination, held: int, four: int, fool: bool) -> bool:
    if made.grade == "half":
        missing = 1 << INDEX[f"{made.suit}{made.missing}"]
        return fool and held == four & ~missing
    return held == four and fool == (made.grade == "abundant")


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
                    ways = factorial(number) // (
                        factorial(first) * factorial(second) * factorial(third) * factorial(skat)
                    )
                    found.append(((first, second, third, skat), ways))
    return tuple(found)


def _pool_outcomes(
    places: tuple[int, ...], holders: tuple[int, ...], room: tuple[int, int, int, int]
) -> list[Outcome]:
    return [
        (
            sum(_ONE[holder] * count for holder, count in enumerate(counts)),
            ways,
            {(places, holder): ways * count for holder, count in enumerate(counts) if count},
        )
        for counts, ways in _splits(len(places), holders, room)
    ]


def _combined(
    base: int,
    fixed: list[tuple[int, int]],
    groups: list[list[Outcome]],
    last_holders: tuple[int, ...],
    last_pool: tuple[int, ...],
    room: tuple[int, int, int, int],
) -> _Count:
    """All groups and the last pool dealt together: the number of deals, and the tally.

    Forwards the ways to reach each state are counted, then backwards the ways to complete it.
    """
    full = sum(_ONE[holder] * count for holder, count in enumerate(room)) + _GUARD
    if (full - base) & _GUARD != _GUARD:
        return _Count()
    forward: list[dict[int, int]] = [{base: 1}]
    for outcomes in groups:
        forward.append(_stepped(forward[-1], outcomes, full))
    count = _Count()
    backward = _last_dealt(count, forward[-1], full - _GUARD, last_holders, last_pool)
    for outcomes, before in zip(reversed(groups), reversed(forward[:-1]), strict=True):
        backward = _stepped_back(count, before, outcomes, backward)
    count.deals = backward.get(base, 0)
    for place, holder in fixed:
        if count.deals:
            count.tally[(place,), holder] = count.deals
    return count


def _stepped(before: dict[int, int], outcomes: list[Outcome], full: int) -> dict[int, int]:
    """The ways to reach each state once one more group is dealt; `full` is the room with its guard bits set."""
    after: dict[int, int] = {}
    for state, ways in before.items():
        for code, weight, _ in outcomes:
            reached = state + code
            if (full - reached) & _GUARD == _GUARD:
                after[reached] = after.get(reached, 0) + ways * weight
    return after


def _last_dealt(
    count: _Count,
    reached: dict[int, int],
    full: int,
    holders: tuple[int, ...],
    cards: tuple[int, ...],
) -> dict[int, int]:
    """Deal the last pool into what room is left: the ways to complete each state. Adds the pool to the tally."""
    completions: dict[int, int] = {}
    pool = [0, 0, 0, 0]
    numerator = factorial(len(cards))
    closed = [holder for holder in _PLACES if holder not in holders]
    for state, ways in reached.items():
        free = full - state
        left = [free >> _WIDTH * holder & _FIELD for holder in _PLACES]
        if any(left[holder] for holder in closed):
            continue
        deals = numerator // (
            factorial(left[0]) * factorial(left[1]) * factorial(left[2]) * factorial(left[3])
        )
        completions[state] = deals
        for holder in holders:
            pool[holder] += ways * deals * left[holder]
    for holder in holders:
        if pool[holder]:
            count.tally[cards, holder] = pool[holder]
    return completions


def _stepped_back(
    count: _Count, before: dict[int, int], outcomes: list[Outcome], completions: dict[int, int]
) -> dict[int, int]:
    """The ways to complete each state `before` a group was dealt. Adds the group to the tally."""
    totals = [0] * len(outcomes)
    earlier: dict[int, int] = {}
    for state, ways in before.items():
        deals = 0
        for number, (code, weight, _) in enumerate(outcomes):
            completed = completions.get(state + code)
            if completed:
                totals[number] += ways * completed
                deals += weight * completed
        if deals:
            earlier[state] = deals
    for (_, _, tally), weight in zip(outcomes, totals, strict=True):
        if weight:
            for key, number in tally.items():
                count.tally[key] = count.tally.get(key, 0) + weight * number
    return earlier
