"""What a deal that was played out brings: the count of both sides, and the mark that each defender gives or gets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from tracker.french.contracts import Contract
from tracker.french.pack import ALL_HALVES, BOUTS_MASK, EXCUSE, EXCUSE_BIT, LOW, PACK, PETIT_BIT
from tracker.tricks import Trick

NEEDED: Final = (56, 51, 41, 36)
"""FT-COUNT-2: the points that the taker's side needs, by how many bouts it has."""
_BASE: Final = 25
_PETIT: Final = 10
_SLAM: Final = 200
_SLAM_ANNOUNCED: Final = 400

Line = tuple[str, str, int]
"""A rule, a reason, and the points that each defender gives, negative what each gets."""


class Count(NamedTuple):
    """The count of a deal: the points of each side in `halves`, the `bouts` of the taker's, what it `needed`.

    `difference` is how far it is over, negative under, in whole points as FT-COUNT-3 says.
    """

    halves: Mapping[str, int]
    bouts: int
    needed: int
    difference: int
    won: bool


class ExcuseOutcome(NamedTuple):
    """Which side the Excuse counts `to` in the end. `paid`: a low card was given for it, or counts as given."""

    to: str
    paid: bool


class Excuse(NamedTuple):
    """The Excuse that was played: by whom, to which trick, who won it, and what became of it.

    `to` is the side that counts it, awards apart; None in a deal that is not complete, where the `state` is `open`.
    Else that is `kept`, `exchanged`, `owed` or `lost`.
    """

    player: str
    trick: int
    winner: str | None
    to: str | None
    state: str


class Outcome(NamedTuple):
    """How a deal ended: the `counted` points, and the `lines` that make up the `mark`, what each defender gives."""

    counted: Count
    lines: tuple[Line, ...]

    @property
    def mark(self) -> int:
        """FT-SCORE-4: what each defender gives, negative what each gets."""
        return sum(points for _, _, points in self.lines)


def count(ours: int, excuse: ExcuseOutcome, awards: Mapping[int, str]) -> Count:
    """FT-COUNT-1 to FT-COUNT-3. `ours` are the cards of the taker's side, a mask; the Excuse counts as `excuse` says.

    `awards` are the places of cards that count for the side named, wherever they lie (FT-REN-4).
    """
    ours &= ~EXCUSE_BIT
    if excuse.to == "taker":
        ours |= EXCUSE_BIT
    for place, side in awards.items():
        ours = ours | 1 << place if side == "taker" else ours & ~(1 << place)
    halves = PACK.value(ours)
    if excuse.paid:
        # FT-EXCUSE-3: 4 for its side, ½ for the other.
        halves += -LOW if excuse.to == "taker" else LOW
    return compared(halves, (ours & BOUTS_MASK).bit_count())


def compared(halves: int, bouts: int) -> Count:
    """FT-COUNT-2, FT-COUNT-3: the `halves` of the taker's side against what it needs with so many `bouts`."""
    needed = NEEDED[bouts]
    over = halves - 2 * needed
    # FT-COUNT-3: a half goes to the side that wins. FT-SCORE-1: "Exactly enough is made."
    difference = (over + 1) // 2 if over >= 0 else -((1 - over) // 2)
    return Count({"taker": halves, "defence": ALL_HALVES - halves}, bouts, needed, difference, over >= 0)


class Happened(NamedTuple):
    """What counts in a deal beside its points.

    `petit` is the rule by which the petit au bout counts, and whether for the taker's side; None where there was none.
    `handfuls` are what those that count are worth. The taker's side won so many `tricks` of `all_tricks`; `announced`:
    a slam was.
    """

    petit: tuple[str, bool] | None
    handfuls: Sequence[int]
    tricks: int
    all_tricks: int
    announced: bool


def deal_lines(contract: Contract, counted: Count, happened: Happened) -> list[Line]:
    """FT-SCORE-2, FT-SCORE-3: what makes up the mark of a deal, as in the example FT-SCORE-5."""
    lines = [game_line(contract, counted)]
    if happened.petit is not None:
        rule, ours = happened.petit
        lines.append(petit_line(contract, rule, ours))
    lines += [handful_line(worth, won=counted.won) for worth in happened.handfuls]
    return lines + slam_lines(happened.tricks, happened.all_tricks, announced=happened.announced)


def petit_au_bout(tricks: Sequence[Trick], side_of: Callable[[str], str]) -> tuple[str, bool] | None:
    """The rule by which the petit counts, and whether for the taker's side; None where it was played before."""
    last, before = tricks[-1], tricks[-2]
    if last.cards & PETIT_BIT:
        return "FT-PETIT-1", side_of(last.winner or "") == "taker"
    by_excuse = last.plays[0].card == EXCUSE and last.winner == last.leader
    if by_excuse and before.cards & PETIT_BIT:
        # FT-PETIT-2: "In a slam that the Excuse closes …, the last trick but one is meant."
        return "FT-PETIT-2", side_of(before.winner or "") == "taker"
    return None


def petit_line(contract: Contract, rule: str, ours: bool) -> Line:
    """FT-PETIT-1: 10, times the contract, for the side that wins the trick, "whoever wins the deal"."""
    return rule, "petit_au_bout", _PETIT * contract.times * (1 if ours else -1)


def game_line(contract: Contract, counted: Count) -> Line:
    """FT-SCORE-2: "(25 + points over, or under, what was needed) × contract, won or lost"."""
    worth = (_BASE + abs(counted.difference)) * contract.times
    return "FT-SCORE-2", "game", worth if counted.won else -worth


def slam_lines(tricks: int, all_tricks: int, *, announced: bool) -> list[Line]:
    """FT-SLAM-2 to FT-SLAM-4, by how many of `all_tricks` the taker's side won."""
    lines = []
    if announced:
        # "Announced: made +400, missed −200 for the taker's side, whatever becomes of the contract."
        lines.append(("FT-SLAM-2", "slam", _SLAM_ANNOUNCED if tricks == all_tricks else -_SLAM))
    elif tricks == all_tricks:
        lines.append(("FT-SLAM-3", "slam", _SLAM))  # FT-SLAM-3: "Made unannounced"
    if not tricks:
        # FT-SLAM-4: "+200 for each defender", ruling: beside what an announced one costs.
        lines.append(("FT-SLAM-4", "slam", -_SLAM))
    return lines


def handful_line(points: int, *, won: bool) -> Line:
    """FT-HANDFUL-3: "The points go to the side that wins the deal, whoever showed it"."""
    return "FT-HANDFUL-3", "handful", points if won else -points


def shares(active: Sequence[str], taker: str, partner: str | None) -> dict[str, int]:
    """How many marks each player gets, negative what he gives. They sum to zero.

    FT-SCORE-4: the taker gets one from each; FT-3-1: also where three play; FT-5-3: and of four where he is alone.
    FT-5-5: of the marks of three defenders he gets two, the partner one.
    """
    got = {player: -1 for player in active}
    got[taker] = len(active) - 1
    if partner is not None:
        got[taker], got[partner] = 2, 1
    assert sum(got.values()) == 0, got
    return got
