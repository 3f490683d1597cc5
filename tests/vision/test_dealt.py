"""Between two hands cards are counted, gathered and dealt: none is a play, and the next hand is read all the same."""

import math

import pytest
from plain_table import SIDES, TRICK, Table

from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, HandStarted, SessionOpened
from vision.watching.explanations import Explanation
from webui.table.scorekeeper import expected


def before_a_hand() -> Table:
    """A bare table, at which cards may be dealt next."""
    table = Table(dealt=False)
    table.wait(1)
    return table


def test_a_hand_begins_with_its_first_trick() -> None:
    """Each card is booked once the whole trick lies there, and the next trick at once."""
    table = before_a_hand()
    table.lay(*TRICK[:2])
    assert table.events == []
    table.lay(TRICK[2])
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    table.sweep()
    table.lay(("S", "H7"))
    assert table.book()[3:] == [("Anna", "H7")]


def test_a_card_that_falls_out_of_the_pack_begins_no_hand() -> None:
    table = before_a_hand()
    fallen = table.put("E", {"S7": 0.99})
    table.wait(10)
    table.sweep()
    assert table.events == []
    assert table.taken_for[fallen.number] is Explanation.OUTWEIGHED


def count_tricks(table: Table, cards: int) -> None:
    """Each player lays so many of his cards before him, Anna one more, each half over the last; then they are taken."""
    names = iter(f"{suit}{number}" for suit in "CDHS" for number in range(5, 9))
    for side, right, down in [("S", 80, 0), ("E", 0, -45), ("W", 0, 45)]:
        for at in range(cards + (side == "S")):
            table.put(side, {next(names): 0.99}, shift=(at * right, at * down))
            table.wait(0.6)
    table.wait(5)
    table.sweep()


@pytest.mark.parametrize("cards", [1, 3, 5])
def test_tricks_that_are_counted_begin_no_hand(cards: int) -> None:
    table = before_a_hand()
    count_tricks(table, cards)
    assert table.events == []


def test_a_hand_begins_with_its_second_trick_if_a_card_of_the_first_was_never_found() -> None:
    """Two cards may be of two players who count. People are asked for nothing, and enter the first trick."""
    table = before_a_hand()
    table.lay(*TRICK[:2])
    table.sweep()
    table.lay(("E", "H7"), ("W", "H2"), ("S", "HR"))
    assert table.book() == [("Bo", "H7"), ("Carl", "H2"), ("Anna", "HR")]


def test_a_lead_that_is_covered_before_the_hand_is_known_to_have_begun_is_played() -> None:
    table = before_a_hand()
    lead = table.put("E", {"S7": 0.99}, shift=(-95, 0))
    table.wait(1)
    table.put("W", {"SR": 0.99}, shift=(95, 0))
    table.wait(0.5)
    table.lying.remove(lead)
    table.gone.append(lead)
    lead.lay_s = 1.5
    table.wait(1)
    table.lay(("S", "T3"))
    table.wait(3)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]


def test_a_card_left_face_up_from_the_deal_does_not_keep_a_hand_from_beginning() -> None:
    table = before_a_hand()
    table.put("N", {"C9": 0.99}, shift=(250, 0))
    table.wait(12)
    table.lay(*TRICK)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]


def test_what_a_person_enters_says_that_the_hand_has_begun() -> None:
    table = before_a_hand()
    table.enter(CardPlayed("Bo", "S7"))
    table.lay(("W", "SR"))
    assert table.book() == [("Bo", "S7"), ("Carl", "SR")]


def test_cards_that_are_thrown_in_and_dealt_anew_are_no_plays_of_the_hand() -> None:
    """After two tricks the players give up and count, and nobody enters that the hand is over."""
    table = Table()
    table.wait(1)
    for trick in (TRICK, (("S", "T7"), ("E", "T9"), ("W", "T2"))):
        table.lay(*trick)
        table.sweep()
    table.dealt = False
    played = table.book()
    table.wait(60)
    count_tricks(table, 3)
    assert table.book() == played
    table.lay(("E", "C1"), ("W", "C2"), ("S", "C3"))
    assert table.book()[len(played) :] == [("Bo", "C1"), ("Carl", "C2"), ("Anna", "C3")]


def test_the_eyes_are_told_when_cards_may_be_dealt() -> None:
    """Before a hand, and when nothing was played for long between two tricks; never with a card on the table."""
    session = DanishSession(SessionOpened("dtf-2011", (), tuple(SIDES)))
    told = [expected(session, math.inf)]
    events = [
        HandStarted("Anna"),
        *(CardPlayed(*play) for play in (("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3"))),
    ]
    for number, event in enumerate(events, start=2):
        session.apply(event, number)
        told.append(expected(session, 60.0))
    told.append(expected(session, 30.0))
    assert [now is not None and now.begins for now in told] == [True, False, False, False, True, False]


def test_where_somebody_sits_out_the_first_card_begins_the_hand() -> None:
    """Who deals may be wrong, and then who plays: the first card is enough."""
    session = DanishSession(SessionOpened("dtf-2011", (), ("Anna", "Bo", "Carl", "Dora")))
    now = expected(session, math.inf)
    assert now is not None and not now.begins


def test_a_whole_trick_begins_the_hand_though_another_was_thought_to_deal() -> None:
    """Anna was thought to deal, so Bo to lead. Carl leads."""
    session = DanishSession(SessionOpened("dtf-2011", (), tuple(SIDES)))
    table = Table(dealt=False)
    before = expected(session, math.inf)
    assert before is not None and before.leader is None
    table.told = before
    table.wait(1)
    table.lay(("W", "SR"), ("S", "T3"))
    table.put("E", {"S7": 0.99})
    table.wait(0.5)
    table.told = None
    table.wait(3)
    assert table.book() == [("Carl", "SR"), ("Anna", "T3"), ("Bo", "S7")]
