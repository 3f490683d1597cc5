"""The same plays at every frame rate, off the middle of the picture, in changing light and on a pale cloth."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from plain_table import ARM, TRICK, Table

from tracker.events import CardPlayed, PlaysTakenBack, TrickTaken

CONDITIONS: dict[str, Mapping[str, Any]] = {
    "5 frames a second": {"fps": 5},
    "10 frames a second": {"fps": 10},
    "30 frames a second": {"fps": 30},
    "two cards to the right": {"off_px": (300, 0)},
    "two cards to the left": {"off_px": (-300, 0)},
    "two cards down": {"off_px": (0, 164)},
    "light drifting by 5 %": {"drift": 0.05},
    "light drifting by 10 %": {"drift": 0.1},
    "light drifting by 20 %": {"drift": 0.2, "light": 0.85},
    "light drifting by 30 %": {"drift": 0.3, "light": 0.75},
    "a lamp at 55 %": {"light": 0.55},
    "a cloth nearly as pale as the cards": {"cloth": 222},
}


def two_tricks_in_turn(table: Table) -> None:
    """Anna takes the first and leads to the second."""
    table.wait(1)
    table.lay(*TRICK)
    assert [(e.player, e.card) for e in table.events if isinstance(e, CardPlayed)] == [
        ("Bo", "S7"),
        ("Carl", "SR"),
        ("Anna", "T3"),
    ]
    assert [type(event) for event in table.clear()] == [TrickTaken]
    table.lay(("S", "H4"), ("E", "H7"), ("W", "HR"))
    assert table.book()[3:] == [("Anna", "H4"), ("Bo", "H7"), ("Carl", "HR")]
    assert [type(event) for event in table.clear()] == [TrickTaken]


def a_lead_out_of_turn(table: Table) -> None:
    """Bo takes the first trick; Anna leads."""
    table.wait(1)
    table.lay(("E", "SR"), ("W", "S7"), ("S", "S3"))
    table.clear()
    table.put("S", {"H4": 0.99}, shift=(0, 25))
    table.wait(1)
    assert table.book()[3:] == [("Anna", "H4")]


def an_arm_over_a_trick(table: Table) -> None:
    table.wait(1)
    table.lay(*TRICK)
    assert table.under(ARM, 6) == []
    for side, card in TRICK:
        table.put(side, {card: 0.99})
    assert table.wait(6) == []
    assert [type(event) for event in table.clear()] == [TrickTaken]


def an_arm_over_a_lead_that_is_read_worse_then(table: Table) -> None:
    table.wait(1)
    table.put("E", {"T13": 0.4, "T9": 0.3, "T3": 0.29})
    table.wait(2)
    assert table.under(ARM, 3) == []
    table.put("E", {"T8": 0.4, "T13": 0.3, "T3": 0.29}, face="T13")
    assert table.wait(6) == []


def a_card_taken_back(table: Table) -> None:
    """Carl's king goes back to him, and his knight is played."""
    table.wait(1)
    table.lay(("E", "S7"), ("W", "SR"))
    table.take()
    table.lay(("W", "SC"), ("S", "S3"))
    assert PlaysTakenBack(1) in table.events
    assert table.book() == [("Bo", "S7"), ("Carl", "SC"), ("Anna", "S3")]


def a_thing_that_lay_there_all_along(table: Table) -> None:
    """A stack of chips that is taken for a card after a while."""
    thing = table.put("E", {"T21": 0.99})
    table.lying.clear()
    table.things.append(thing.corners_px - table.off_px)
    table.wait(7)
    table.put("E", {"T21": 0.99}, there=False)
    assert table.wait(5) == []


def a_nudged_card(table: Table) -> None:
    table.wait(1)
    table.lay(("E", "S7"))
    table.lying.clear()
    table.put("E", {"S7": 0.99}, shift=(-60, 30))
    assert table.wait(2) == []


def a_lamp_turned_down(table: Table) -> None:
    """To 55 %, while a trick lies there."""
    table.wait(1)
    table.lay(*TRICK[:2])
    table.light *= 0.55
    table.wait(1)
    table.lay(TRICK[2])
    assert [type(event) for event in table.clear()] == [TrickTaken]
    table.lay(("S", "H4"))
    assert table.book()[3:] == [("Anna", "H4")]


SITUATIONS = (
    two_tricks_in_turn,
    a_lead_out_of_turn,
    an_arm_over_a_trick,
    an_arm_over_a_lead_that_is_read_worse_then,
    a_card_taken_back,
    a_thing_that_lay_there_all_along,
    a_nudged_card,
    a_lamp_turned_down,
)


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=list(CONDITIONS))
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.__name__.replace("_", " "))
def test_whatever_the_picture(situation: Callable[[Table], None], condition: Mapping[str, Any]) -> None:
    situation(Table(**condition))
