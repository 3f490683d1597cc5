"""Who owes whom after an evening or a season: the fewest transfers that bring everybody's chips to 0.

A group of n people whose chips sum to 0 settles with n - 1 transfers. So the fewest transfers come from the most such
groups. Up to `MOST_EXACT` people are split by trying every set of them (n · 2ⁿ steps). For any number the problem is
NP-hard, so a larger circle is one group.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

MOST_EXACT: Final = 12
"""Up to so many people get the fewest transfers. A larger circle gets at most one fewer than it has people."""


class Transfer(NamedTuple):
    """`source` owes `target` so many chips."""

    source: str
    target: str
    amount: int


def transfers(chips: Mapping[str, int]) -> list[Transfer]:
    """Who pays whom, the largest debt first, so that nobody has more or less than 0 any more.

    `chips` are what each has won or lost, and sum to 0. Raises ValueError where they do not. Whatever the order of
    `chips`, the transfers are the same, in the same order: an evening and its season say them alike.
    """
    if sum(chips.values()):
        raise ValueError(f"the chips sum to {sum(chips.values())}, not 0")
    people = sorted(name for name, amount in chips.items() if amount)
    groups = (
        _most_groups([chips[name] for name in people]) if len(people) <= MOST_EXACT else [range(len(people))]
    )
    found = [
        transfer
        for group in groups
        for transfer in _within({people[place]: chips[people[place]] for place in group})
    ]
    return sorted(found, key=lambda transfer: (-transfer.amount, transfer))


def worth_of_points(points: Mapping[str, int], worth: int) -> dict[str, int]:
    """What each wins or loses, where a point is worth so many hundredths of a coin.

    Each is paid by how far he is above or below the average. Points that sum to 0 are paid as they are. Hundredths
    that cannot be divided go to whoever is nearest to one more, so the sum is 0.
    """
    everybody = sum(points.values())
    shares = {
        name: divmod((len(points) * own - everybody) * worth, len(points)) for name, own in points.items()
    }
    left = -sum(whole for whole, _ in shares.values())
    nearest = sorted(shares, key=lambda name: (-shares[name][1], name))[:left]
    settled = {name: whole + (name in nearest) for name, (whole, _) in shares.items()}
    assert sum(settled.values()) == 0, settled
    return settled


def _most_groups(amounts: list[int]) -> list[list[int]]:
    """The places of `amounts` in as many groups as there can be that each sum to 0.

    A bit mask is a set of people. The best of its sets with one person fewer says how many groups it has. There is one
    group more if the set itself sums to 0. `last` is the person who is left out for that.
    """
    size = 1 << len(amounts)
    sums, most, last = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        lowest = mask & -mask
        sums[mask] = sums[mask ^ lowest] + amounts[lowest.bit_length() - 1]
        before, last[mask] = max((most[mask ^ 1 << place], place) for place in _places(mask))
        most[mask] = before + (sums[mask] == 0)
    groups: list[list[int]] = []
    mask = size - 1
    while mask:
        if sums[mask] == 0:
            groups.append([])
        groups[-1].append(last[mask])
        mask ^= 1 << last[mask]
    return groups


def _places(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _within(chips: dict[str, int]) -> Iterator[Transfer]:
    """The transfers within a group: each brings at least one of its people to 0."""
    left = dict(chips)
    while any(left.values()):
        source, target = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[source], left[target])
        left[source] += amount
        left[target] -= amount
        yield Transfer(source, target, amount)
