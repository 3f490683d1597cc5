"""Between two hands cards are counted, gathered and dealt: none is a play, and the next hand is read all the same."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from plain_table import SIDES, TRICK, Table, votes

from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, HandAbandoned, HandStarted, PlayCorrected, PlayRemoved, SessionOpened
from tracker.undo import is_by_hand
from vision.picture import DIRECTIONS
from vision.watching.explanations import Explanation
from vision.watching.plays import PlayReader
from vision.watching.sightings import Sighting
from webui.table.scorekeeper import Scorekeeper, booked_as, expected


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


@pytest.mark.parametrize("missed", range(3))
def test_a_first_trick_of_which_a_card_was_never_found_is_known_by_the_next(missed: int) -> None:
    """Anna leads to it, so she took the first. Only the card that is missing is asked for."""
    table = before_a_hand()
    table.lay(*TRICK[:missed], *TRICK[missed + 1 :])
    table.sweep()
    table.lay(("S", "H7"), ("E", "H2"))
    assert table.events == []
    table.lay(("W", "HR"))
    table.wait(3)
    first = [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    del first[missed]
    assert table.book() == [*first, ("Anna", "H7"), ("Bo", "H2"), ("Carl", "HR")]
    assert [(trick.winner, len(trick.plays)) for trick in table.keeper.session.hand.tricks] == [
        ("Anna", 2),
        ("Carl", 3),
    ]


def test_two_cards_that_lay_open_before_a_first_trick_are_no_trick() -> None:
    """Bo leads to the first trick. So he took no other, to which Carl gave a higher card than his."""
    table = before_a_hand()
    table.lay(*TRICK[:2])
    table.sweep()
    table.lay(("E", "H7"), ("W", "H2"), ("S", "HR"))
    table.wait(3)
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


def test_a_first_trick_is_played_though_its_last_card_was_hardly_read_before_it_was_swept() -> None:
    """Fingers lay on it. Its trick leaves, and people are asked which card it was."""
    table = Table(dealt=False)
    table.wait(1)
    table.lay(*TRICK[:2])
    table.put("S", {"T3": 0.6, "T8": 0.3})
    table.wait(0.8)
    table.sweep()
    table.wait(1)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    assert [bool(play.alternatives) for play in table.keeper.session.hand.plays] == [False, False, True]


def test_a_card_of_the_first_trick_that_is_found_anew_counts_as_it_came() -> None:
    """The next card nudges it a little, and its track begins anew, beside that card."""
    table = Table(dealt=False)
    table.wait(1)
    lead = table.put("E", {"S7": 0.94})
    table.wait(1)
    table.lying.remove(lead)
    table.gone.append(lead)
    lead.lay_s = 1.0
    table.put("E", {"S7": 0.99}, shift=(-12, 4))
    table.put("W", {"SR": 0.99}, shift=(30, 0))
    table.wait(1)
    table.lay(("S", "T3"))
    table.wait(3)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]


def test_a_card_of_the_first_trick_keeps_its_name_when_another_comes_to_lie_on_it() -> None:
    table = Table(dealt=False)
    table.wait(1)
    lead = table.put("E", {"S7": 0.99})
    table.wait(1)
    lead.log_votes = 4 * votes(C6=0.5, none=0.3)
    table.lay(*TRICK[1:])
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


def after_two_tricks() -> Table:
    """A table at which two tricks of a hand were played. Bo took the last."""
    table = Table()
    table.wait(1)
    for trick in (TRICK, (("S", "T7"), ("E", "T9"), ("W", "T2"))):
        table.lay(*trick)
        table.sweep()
    table.dealt = False
    return table


def test_cards_that_are_thrown_in_and_dealt_anew_are_no_plays_of_the_hand() -> None:
    """After two tricks the players give up and count, and nobody enters that the hand is over."""
    table = after_two_tricks()
    played = table.book()
    table.wait(60)
    count_tricks(table, 3)
    assert table.book() == played
    table.lay(("E", "C1"), ("W", "C2"), ("S", "C3"))
    table.wait(3)
    assert table.book()[len(played) :] == [("Bo", "C1"), ("Carl", "C2"), ("Anna", "C3")]


def test_the_eyes_are_told_when_cards_may_be_dealt() -> None:
    """Before a hand, before its first card, and when nothing was played for long; never with a card on the table."""
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
    assert [now is not None and now.begins for now in told] == [True, True, False, False, True, False]


FOUR = {"Anna": "S", "Bo": "E", "Carl": "N", "Dora": "W"}


def table_of_four() -> Table:
    """Anna is thought to deal the first hand, so Carl, opposite her, to sit out."""
    keeper = Scorekeeper(
        SessionOpened("dtf-2011", (("sits_out", "opposite"),), tuple(FOUR)), FOUR, dealing=True
    )
    return Table(reader=PlayReader(FOUR), keeper=keeper, dealt=False)


@pytest.mark.parametrize(
    ("dealer", "sides"), [("Anna", "EWS"), ("Bo", "NSE"), ("Carl", "WEN"), ("Dora", "SNW")]
)
def test_the_first_trick_tells_who_sits_out_and_so_who_dealt(dealer: str, sides: str) -> None:
    table = table_of_four()
    table.wait(1)
    names = {side: name for name, side in FOUR.items()}
    trick = list(zip(sides, ("S7", "SR", "T3"), strict=True))
    for side, card in trick:
        table.put(side, {card: 0.99}, shift=100 * np.array(DIRECTIONS[side]))
        table.wait(1)
    table.wait(3)
    assert table.book() == [(names[side], card) for side, card in trick]
    assert table.keeper.session.hand.dealer == dealer and not table.keeper.session.alerts
    table.sweep()
    table.lay((sides[2], "H7"))
    assert table.book()[3:] == [(names[sides[2]], "H7")]


def test_tricks_that_four_count_begin_no_hand() -> None:
    table = table_of_four()
    table.wait(1)
    count_tricks(table, 3)
    assert table.events == []


def test_a_hand_that_was_started_with_a_wrong_dealer_is_read_as_its_first_trick_shows() -> None:
    """The record says that Anna dealt, so Carl sat out. People are asked; until they answer, his cards are his."""
    table = table_of_four()
    for event in (HandStarted("Dora"), HandAbandoned(), HandStarted("Anna")):
        table.enter(event)
    table.wait(1)
    for side, card in (("N", "S7"), ("S", "SR"), ("E", "T3")):
        table.put(side, {card: 0.99}, shift=100 * np.array(DIRECTIONS[side]))
        table.wait(1)
    table.wait(3)
    table.sweep()
    table.put("E", {"H7": 0.99}, shift=100 * np.array(DIRECTIONS["E"]))
    table.wait(1)
    table.put("N", {"HR": 0.99}, shift=100 * np.array(DIRECTIONS["N"]))
    table.wait(1)
    played = [(event.player, event.card) for event in table.events if isinstance(event, CardPlayed)]
    assert played == [("Carl", "S7"), ("Anna", "SR"), ("Bo", "T3"), ("Bo", "H7"), ("Carl", "HR")]
    assert not any(isinstance(event, PlayRemoved | PlayCorrected) for event in table.events)
    assert table.keeper.session.hand.dealer_shown == "Bo"


@pytest.mark.parametrize(
    ("seats", "booked"), [(FOUR, HandStarted("Bo", 3.0)), (SIDES, HandStarted())], ids=["four", "three"]
)
def test_the_dealer_is_taken_from_the_first_trick_only_where_somebody_sits_out(
    seats: dict[str, str], booked: HandStarted
) -> None:
    """Anna was thought to deal. Where all play, a lead may be out of turn, and people are asked who dealt."""
    session = DanishSession(SessionOpened("dtf-2011", (), tuple(seats)))
    assert booked_as(session, seats, HandStarted("Bo", 3.0), 3.0) == [booked]
    assert not is_by_hand(booked)


def test_a_whole_trick_begins_the_hand_though_another_was_thought_to_deal() -> None:
    """Anna was thought to deal, so Bo to lead. Carl leads."""
    keeper = Scorekeeper(SessionOpened("dtf-2011", (), tuple(SIDES)), SIDES, dealing=True)
    table = Table(dealt=False, keeper=keeper)
    table.wait(1)
    table.lay(("W", "SR"), ("S", "T3"), ("E", "S7"))
    table.wait(3)
    assert table.book() == [("Carl", "SR"), ("Anna", "T3"), ("Bo", "S7")]


def short_of_tricks(tricks: int = 10) -> Table:
    """A table at which a hand was played that lacks tricks in the book: they were thrown in, or nobody watched."""
    table = Table(keeper=Scorekeeper(SessionOpened("pagat-2024", (), tuple(SIDES)), SIDES, "Anna"))
    table.wait(1)
    sides = ("E", "W", "S")
    for trick in range(tricks):
        table.lay(*((side, f"{'CDHS'[trick % 4]}{1 + trick // 4 * 3 + at}") for at, side in enumerate(sides)))
        table.sweep()
    table.dealt = False
    return table


def test_cards_that_lie_open_on_the_piles_end_no_hand() -> None:
    """Each trick that is taken leaves a card open on a pile. The next lead is booked at once all the same."""
    table = Table(keeper=Scorekeeper(SessionOpened("pagat-2024", (), tuple(SIDES)), SIDES, "Anna"))
    table.wait(1)
    piles = list[Sighting]()
    for trick, at in enumerate([(-150, -150), (-150, 0), (-150, 150)]):
        table.lay(*((side, f"{'CDH'[trick]}{card}") for card, side in enumerate("EWS", start=1)))
        table.lying = [card for card in table.lying if card not in piles]
        table.sweep()
        piles.append(table.put("W", {f"{'CDH'[trick]}3": 0.99}, at))
        table.lying = [*piles]
        table.wait(6)
    table.lay(("E", "T9"))
    assert table.plays()[-1] == "T9"


def count_what_was_won(table: Table) -> None:
    """Each player lays some cards of this hand before him; then they are taken."""
    names = iter(f"{suit}{number}" for suit in "CDH" for number in range(1, 4))
    for side, right, down in [("S", 80, 0), ("E", 0, -45), ("W", 0, 45)]:
        for at in range(3):
            table.put(side, {next(names): 0.99}, shift=(at * right, at * down))
            table.wait(0.6)
    table.wait(5)
    table.sweep()


def test_a_hand_that_lacks_tricks_is_over_once_the_next_is_played() -> None:
    """Its tricks are counted and the cards are dealt. People are asked what was missed, and nothing runs over."""
    table = short_of_tricks()
    played = table.book()
    count_what_was_won(table)
    assert table.book() == played
    table.lay(("W", "C2"), ("S", "D4"), ("E", "T3"))
    table.wait(3)
    first, second = table.keeper.session.hands
    assert [(play.player, play.card) for play in first.plays] == played
    assert first.abandoned
    assert first.gaps
    assert table.book() == [("Carl", "C2"), ("Anna", "D4"), ("Bo", "T3")]
    assert second.dealer == "Bo"
    assert not second.alerts


def test_a_lead_out_of_turn_after_a_pause_ends_no_hand() -> None:
    """Bo took the last trick, and Carl leads, as he would in the next hand."""
    table = after_two_tricks()
    table.wait(60)
    table.lay(("W", "C1"), ("S", "C2"), ("E", "C3"))
    table.wait(3)
    assert table.book()[-3:] == [("Carl", "C1"), ("Anna", "C2"), ("Bo", "C3")]
    assert len(table.keeper.session.hands) == 1


def test_an_earlier_trick_that_is_looked_at_after_a_pause_ends_no_hand() -> None:
    table = short_of_tricks(4)
    played = table.book()
    table.wait(60)
    table.lay(("E", "C1"), ("W", "C2"), ("S", "C3"))
    table.wait(5)
    table.sweep()
    table.wait(3)
    assert table.book() == played
    assert len(table.keeper.session.hands) == 1


def test_two_cards_of_a_trick_that_is_counted_end_no_hand() -> None:
    """As if the third card of a first trick had not been seen."""
    table = short_of_tricks(4)
    played = table.book()
    table.put("S", {"D2": 0.99}, shift=(80, 0))
    table.put("S", {"H2": 0.99}, shift=(160, 0))
    table.wait(3)
    table.clear()
    table.lay(("W", "C1"), ("S", "C2"))
    table.wait(4)
    table.sweep()
    table.wait(3)
    assert table.book() == played
    assert len(table.keeper.session.hands) == 1


def test_the_last_cards_of_those_that_are_gathered_begin_no_hand() -> None:
    """Six that were counted lie in the middle. They go one after the other, and three stay, one before each player."""
    table = short_of_tricks()
    played = table.book()
    gathered = []
    for side, card in zip("EEWWSS", ("C1", "C2", "D1", "D2", "H1", "H2"), strict=True):
        beside = (90, 0) if side == "S" else (0, -100)
        gathered.append(table.put(side, {card: 0.99}, shift=np.array(beside) * (len(gathered) % 2)))
        table.wait(0.6)
    for card in gathered[1::2]:
        table.lying.remove(card)
        table.gone.append(card)
        card.lay_s = 2.0
        table.wait(1)
    table.wait(3)
    assert table.book() == played


@pytest.mark.parametrize("led", [(), (("S", "D7"),)], ids=["between tricks", "in a trick"])
def test_hands_that_are_thrown_in_are_no_plays_and_the_next_hand_begins(
    led: Sequence[tuple[str, str]],
) -> None:
    """After four tricks all lay what they have left before them, face up, one player after the other."""
    table = short_of_tricks(4)
    table.lay(*led)
    played = table.book()
    names = iter(f"T{number}" for number in range(1, 19))
    for side, right, down in [("E", 20, 25), ("W", -20, 25), ("S", 30, 0)]:
        for at in range(6):
            table.put(side, {next(names): 0.99}, shift=(right + at * 12 * (side == "S"), down * (at - 2)))
        table.wait(2)
    assert table.book() == played
    table.wait(3)
    table.sweep()
    table.wait(12)
    table.lay(("W", "C2"), ("S", "T4"), ("E", "T3"))
    table.wait(3)
    first, second = table.keeper.session.hands
    assert [(play.player, play.card) for play in first.plays] == played
    assert [(play.player, play.card) for play in second.plays] == [
        ("Carl", "C2"),
        ("Anna", "T4"),
        ("Bo", "T3"),
    ]
