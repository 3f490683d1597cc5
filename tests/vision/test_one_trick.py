"""A trick is decided as a whole: one misreading costs no more than its own card."""

import pytest
from plain_table import Table

from vision.watching.explanations import Explanation

PILE = (-380, 40)
"""Where Carl's pile lies beside where he plays, in px: cut by the picture's edge."""


def test_a_pile_read_as_a_card_gives_its_play_back_to_the_players_own_card() -> None:
    """The pile's back shows small cards. It is read, surely, a moment before the card that Carl plays."""
    table = Table()
    table.lay(("E", "S7"))
    pile = table.put("W", {"T14": 0.9987}, shift=PILE)
    table.wait(0.4)
    own = table.put("W", {"SR": 0.99})
    table.wait(1.5)
    table.lay(("S", "T3"))
    table.wait(1)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    assert table.taken_for[pile.number] is not Explanation.NEW_CARD
    assert table.taken_for[own.number] is Explanation.NEW_CARD


def test_the_card_that_a_pile_was_read_as_is_played_later_as_any_other() -> None:
    table = Table()
    table.lay(("E", "S7"))
    table.put("W", {"T14": 0.9987}, shift=PILE)
    table.wait(3)
    table.put("W", {"SR": 0.99})
    table.wait(1.5)
    table.lay(("S", "T3"))
    table.sweep()
    table.lay(("S", "H7"), ("E", "T14"), ("W", "H2"))
    table.wait(1)
    expected = [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3"), ("Anna", "H7"), ("Bo", "T14"), ("Carl", "H2")]
    assert table.book() == expected


def test_a_card_thrown_to_the_middle_is_whose_the_others_leave_it() -> None:
    """Nothing tells which player laid the first card. The two that follow are laid before Carl and Anna."""
    table = Table()
    first = table.put("S", {"S7": 0.99}, shift=(60, -95))
    table.wait(1)
    table.lay(("W", "SR"), ("S", "T3"))
    table.wait(1)
    assert table.taken_for[first.number] is Explanation.NEW_CARD
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]


@pytest.mark.parametrize("shift", [(-60, -160), (-30, -120)])
def test_who_laid_a_card_is_told_by_the_rest_of_its_trick(shift: tuple[int, int]) -> None:
    """Bo throws his card far over the middle, to where Carl plays. Then Carl and Anna lay theirs before them."""
    table = Table()
    table.lay(("E", "H7"), ("W", "H2"), ("S", "HR"))
    table.sweep()
    table.put("S", {"S7": 0.99})
    table.wait(1)
    table.put("W", {"SR": 0.99}, shift=(140, 0))
    table.wait(1)
    table.put("W", {"T3": 0.99}, shift=shift)
    table.wait(1.5)
    assert [player for player, _ in table.book()][3:] == ["Anna", "Bo", "Carl"]
