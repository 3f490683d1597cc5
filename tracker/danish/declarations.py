"""Declarations (DECL-1..5): what a hand of cards must declare, what that is worth, and what refutes it.

What is declared and what is owed are compared slot by slot: `trumps`, `matadors`, `cavallerie S` …
`cavallerie C`, `kings`. A slot has at most one combination.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from tracker.cards import COURTS, SUITS
from tracker.danish.combination import Combination
from tracker.danish.pack import FOOL_BIT, INDEX, KING_MASK, PACK, PAGAT_BIT, TRUMP_MASK
from tracker.errors import TarokError

GRADES: Final = ("half", "full", "abundant")

TRUMPS_AND_FOOL: Final = TRUMP_MASK | FOOL_BIT
MATADORS: Final = PACK.mask(("F", "T21", "T1"))
COURT_MASK: Final = {suit: PACK.mask(suit + rank for rank in COURTS) for suit in SUITS}
DECLARABLE: Final = TRUMPS_AND_FOOL | COURT_MASK["S"] | COURT_MASK["H"] | COURT_MASK["D"] | COURT_MASK["C"]
# T20, T19, … T2: each adds one matador, as long as the line is unbroken (DECL-2).
_LINE: Final = tuple(1 << INDEX[f"T{number}"] for number in range(20, 1, -1))
_GRADE_VALUE: Final = {"half": 5, "full": 10, "abundant": 15}


class CombinationError(TarokError):
    """A combination cannot exist; the message says why."""


def slot_of(combination: Combination) -> str:
    """The slot of a combination."""
    return f"cavallerie {combination.suit}" if combination.kind == "cavallerie" else combination.kind


def value_of(combination: Combination) -> int:
    """What each of the other two pays for it, in chips (DECL-1..4)."""
    if combination.kind == "trumps":
        return 10 + 5 * ((combination.count or 10) - 10)
    if combination.kind == "matadors":
        return 10 + 5 * ((combination.count or 3) - 3)
    return _GRADE_VALUE[combination.grade or "half"]


def owed(cards: int) -> dict[str, Combination]:
    """The combinations that the hand of cards in the mask `cards` must declare, by slot (DECL-1..4)."""
    found: dict[str, Combination] = {}
    count = (cards & TRUMPS_AND_FOOL).bit_count()
    if count >= 10:
        found["trumps"] = Combination("trumps", count=count, pagat=bool(cards & PAGAT_BIT))
    if cards & MATADORS == MATADORS:
        found["matadors"] = Combination("matadors", count=3 + _line_length(cards))
    fool = bool(cards & FOOL_BIT)
    for suit in SUITS:
        grade, missing = _graded(cards & COURT_MASK[suit], COURT_MASK[suit], fool)
        if grade:
            rank = next((rank for rank in COURTS if missing == 1 << INDEX[suit + rank]), None)
            found[f"cavallerie {suit}"] = Combination("cavallerie", suit=suit, grade=grade, missing=rank)
    grade, missing = _graded(cards & KING_MASK, KING_MASK, fool)
    if grade:
        suit_letter = next((suit for suit in SUITS if missing == 1 << INDEX[suit + "R"]), None)
        found["kings"] = Combination("kings", grade=grade, missing=suit_letter)
    return found


def may_complete(cards: int, bit: int, letter: str) -> bool:
    """Whether the card `bit` of this suit's letter may be the one that completed a combination in `cards`.

    A quick check, before `owed` is asked.
    """
    if bit & TRUMPS_AND_FOOL:
        return bool(bit & MATADORS) or (cards & TRUMPS_AND_FOOL).bit_count() == 10
    return (cards & COURT_MASK[letter]).bit_count() >= 3 or (cards & KING_MASK).bit_count() >= 3


def _line_length(cards: int) -> int:
    length = 0
    for bit in _LINE:
        if not cards & bit:
            break
        length += 1
    return length


def _graded(held: int, four: int, fool: bool) -> tuple[str | None, int]:
    """The grade that the cards `held` of `four` courts or kings make, and the bit of the missing one (0: none)."""
    number = held.bit_count()
    if number == 4:
        return ("abundant" if fool else "full"), 0
    if number == 3 and fool:
        return "half", four & ~held
    return None, 0


def hangs_on(combination: Combination) -> int:
    """The cards that decide whether a hand owes `combination`: no other card can refute it."""
    if combination.kind in ("trumps", "matadors"):
        return TRUMPS_AND_FOOL
    four = KING_MASK if combination.kind == "kings" else COURT_MASK[combination.suit or "S"]
    return four | FOOL_BIT


def refuted(made: Combination, has: int, could: int) -> bool:
    """Whether `made` is certainly false of a hand that has the cards `has`, and only cards of `could`.

    The size of the hand is left out of account. So False means only: not certain yet.
    """
    if made.kind == "trumps":
        count, pagat = made.count or 0, bool(made.pagat)
        if pagat != bool((has if not pagat else could) & PAGAT_BIT):
            return True
        most = (could & TRUMPS_AND_FOOL).bit_count() - (0 if pagat else bool(could & PAGAT_BIT))
        return not (has & TRUMPS_AND_FOOL).bit_count() <= count <= most
    if made.kind == "matadors":
        line = (made.count or 3) - 3
        needs = MATADORS
        for bit in _LINE[:line]:
            needs |= bit
        stop = _LINE[line] if line < len(_LINE) else 0
        return bool(needs & ~could or stop & has)
    four = KING_MASK if made.kind == "kings" else COURT_MASK[made.suit or "S"]
    if made.grade == "half":
        name = f"{made.missing}R" if made.kind == "kings" else f"{made.suit}{made.missing}"
        missing = 1 << INDEX[name]
        return bool((four & ~missing | FOOL_BIT) & ~could or missing & has)
    if made.grade == "full":
        return bool(four & ~could or FOOL_BIT & has)
    return bool((four | FOOL_BIT) & ~could)


def check_combinations(combinations: Iterable[Combination]) -> None:
    """Raise CombinationError if one of the combinations cannot exist, or if two are in one slot."""
    seen: set[str] = set()
    for combination in combinations:
        _check(combination)
        slot = slot_of(combination)
        if slot in seen:
            raise CombinationError("{slot} is declared twice", slot=slot)
        seen.add(slot)


@lru_cache(maxsize=1024)
def _check(combination: Combination) -> None:
    kind = combination.kind
    wanted = {
        "trumps": {"count", "pagat"},
        "matadors": {"count"},
        "cavallerie": {"suit", "grade"},
        "kings": {"grade"},
    }.get(kind)
    if wanted is None:
        raise CombinationError("unknown kind of combination {what!r}", what=kind)
    if combination.grade == "half" and "grade" in wanted:
        wanted = wanted | {"missing"}
    for name in ("count", "pagat", "suit", "grade", "missing"):
        given = getattr(combination, name) is not None
        if given and name not in wanted:
            raise CombinationError("{slot} takes no {field!r} here", slot=kind, field=name)
        if not given and name in wanted:
            raise CombinationError("{slot} needs {field!r}", slot=kind, field=name)
    least = {"trumps": 10, "matadors": 3}.get(kind)
    if least is not None and not least <= (combination.count or 0) <= 22:
        raise CombinationError(
            "{slot} are {least} to 22, not {count}", slot=kind, least=least, count=combination.count
        )
    if combination.grade is not None and combination.grade not in GRADES:
        raise CombinationError(
            "grade must be {allowed}, not {value!r}", allowed=", ".join(GRADES), value=combination.grade
        )
    if combination.suit is not None and combination.suit not in SUITS:
        raise CombinationError(
            "suit must be one of {allowed}, not {value!r}", allowed=", ".join(SUITS), value=combination.suit
        )
    of_missing = SUITS if kind == "kings" else tuple(reversed(COURTS))
    if combination.missing is not None and combination.missing not in of_missing:
        raise CombinationError(
            "missing must be one of {allowed}, not {value!r}",
            allowed=", ".join(of_missing),
            value=combination.missing,
        )
