"""What becomes of cards under an arm or a cup, nudged, taken back or swept: plays stay, tricks are taken."""

import numpy as np
import pytest
from plain_table import ARM, CUP, FIRST_PLAY, ORDER, TRICK, Table, doubtful_lead, seen_bare, table_with, votes

from tracker.cards import CARDS
from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlaysTakenBack,
    TrickTaken,
)
from vision.picture import DIRECTIONS
from vision.watching.expectation import Expectation
from vision.watching.sightings import Sighting


def test_a_trick_slid_aside_is_no_new_play() -> None:
    """It lies there for a while before it is taken."""
    table = seen_bare(*TRICK)
    table.lying.clear()
    for side, card in TRICK:
        table.put(side, {card: 0.99}, shift=(-110, 40))
    assert table.wait(6) == []


@pytest.mark.parametrize(("shift", "settled"), [(0, [PlayCorrected(FIRST_PLAY, card="T13")]), (-190, [])])
def test_a_doubtful_card_seen_better_where_it_lies_is_no_longer_doubtful(
    shift: int, settled: list[Event]
) -> None:
    """An arm was over it; what is seen then for certain is no second card. Elsewhere it may be one."""
    table = doubtful_lead()
    table.lying.clear()
    table.wait(0.5)
    table.put("E", {"T13": 0.999}, shift=(shift, 0))
    assert table.wait(1) == settled


@pytest.mark.parametrize(
    ("first", "entered", "stands", "asked"),
    [
        pytest.param({"C8": 0.7, "C7": 0.2, "C10": 0.1}, None, "C10", False, id="it was unsure"),
        pytest.param({"C8": 0.74, "C7": 0.26}, None, "C8", True, id="another card may have been laid on it"),
        pytest.param({"C8": 0.99}, None, "C8", False, id="it was sure"),
        pytest.param({"C8": 0.7, "C7": 0.2, "C10": 0.1}, "C9", "C9", False, id="a person has entered it"),
    ],
)
def test_a_card_booked_by_what_the_game_expects_is_corrected_or_asked_about_once_it_is_surely_read(
    first: dict[str, float], entered: str | None, stands: str, asked: bool
) -> None:
    """Its first box was wrong: it reads as C7 or C8, and C7 was played. Then it is read as it lies."""
    table = table_with(("E", "C7"), ("W", "SR"), ("S", "HR"))
    table.clear()
    card = table.put("E", first)
    table.wait(1)
    assert table.plays()[3:] == ["C8"]
    if entered:
        hand = table.keeper.session.hand
        table.enter(PlayCorrected(hand.plays[-1].seq, card=entered))
    card.looks, card.log_votes = 5, 5 * votes(C10=0.999)
    table.wait(1)
    assert table.plays()[3:] == [stands]
    assert [others for _, others in table.expectation().doubtful.values()] == [("C10",)] * asked


def test_a_lead_slid_aside_while_the_next_card_is_laid_stays_played() -> None:
    table = Table()
    lead = table.put("E", {"S7": 0.99})
    table.wait(1.5)
    lead.left = True
    table.lying.clear()
    second = table.put("W", {"SR": 0.99})
    second.came_from_px = second.center_px + np.array([-200, 0], np.float32)
    table.wait(0.6)
    table.put("E", {"S7": 0.99}, shift=(70, 60))
    table.wait(1)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR")]


@pytest.mark.parametrize("after_s", [0.1, 3])
def test_a_fool_that_its_player_takes_home_early_stays_played(after_s: float) -> None:
    """FOOL-6: it goes to its owner's pile; the trick is not full yet."""
    table = table_with(("E", "S7"))
    fool = table.put("W", {"F": 0.99})
    table.wait(1)
    fool.left = True
    table.lying.remove(fool)
    table.wait(after_s)
    table.lay(("S", "SR"))
    assert table.book() == [("Bo", "S7"), ("Carl", "F"), ("Anna", "SR")]


def test_the_last_trick_of_a_hand_is_taken_too() -> None:
    """The hand is complete then: nobody plays in it any more."""
    table = Table()
    last = [card for _, card in TRICK]
    skat = ("H7", "C7", "S8")
    for at, card in enumerate(card for card in CARDS if card not in (*last, *skat)):
        table.enter(CardPlayed(ORDER[at % 3], card))
    table.wait(1)
    table.lay(*TRICK)
    assert table.plays()[-3:] == last and table.expectation().active == ()
    assert [type(event) for event in table.clear()] == [TrickTaken]


def test_a_card_taken_back_is_out_of_the_book_before_another_is_laid() -> None:
    table = seen_bare(("E", "S7"), ("W", "SR"))
    assert table.take() == [PlaysTakenBack(1)]


def test_what_leaves_while_a_play_is_taken_back_is_booked_all_the_same() -> None:
    table = table_with(("E", "S7"))
    first = table.put("W", {"HC": 0.99})
    table.wait(1)
    first.left = True
    table.lying.remove(first)
    unnamed = Sighting(9, first.corners_px + np.float32(-90), 3.0, table.time_s, table.time_s, table.time_s)
    unnamed.best_score, unnamed.looks, unnamed.log_votes = 0.9, 4, 4 * votes(T6=0.5, T9=0.45)
    unnamed.lay_s, unnamed.landed_s = 0.5, table.time_s
    table.things.append(unnamed.corners_px)
    table.put("W", {"SV": 0.99})
    table.wait(0.2)
    table.gone.append(unnamed)
    table.wait(1)
    assert PlaysTakenBack(1) in table.events
    assert "T6" in table.plays()


@pytest.mark.parametrize("for_s", [1.2, 12])
def test_an_arm_over_a_trick_takes_nothing(for_s: float) -> None:
    """Nobody knows what becomes of the cards under it until it is gone; they lie there then as before."""
    table = seen_bare(*TRICK)
    assert table.under(ARM, for_s) == []
    for side, card in TRICK:
        table.put(side, {card: 0.99})
    assert table.wait(6) == []
    assert [type(event) for event in table.clear()] == [TrickTaken]


def test_an_arm_that_lay_over_a_trick_may_take_it_at_last() -> None:
    """It is known as soon as the cloth is seen, and the trick goes to the player towards whom the arm left."""
    table = seen_bare(*TRICK)
    assert table.under(ARM, 8) == []
    for step in range(1, 6):
        table.things.append(ARM + np.array([160 * step, 0]))
        table.wait(0.1)
        table.things.clear()
    table.wait(0.4)
    taken = table.events[-1]
    assert table.plays() == ["S7", "SR", "T3"] and len(table.events) == 4
    assert isinstance(taken, TrickTaken) and taken.player == "Bo"
    assert taken.time_s is not None and taken.time_s > 11


def test_a_trick_goes_to_whom_it_was_carried_though_another_fetches_his_fool_later() -> None:
    """What lies over the places hides that they are bare, until Carl takes his fool back."""
    table = seen_bare(("E", "S7"), ("W", "F"), ("S", "SR"))
    _, fool, rider = table.lying
    rider.corners_px, rider.stale, rider.still_since_s = (
        rider.corners_px + np.float32((0, 40)),
        True,
        table.time_s,
    )
    table.things = [ARM + np.array(DIRECTIONS["S"]) * 700]
    table.wait(0.1)
    table.lying, table.things = [fool], [CUP, CUP + np.array((-110, 80))]
    table.wait(1.2)
    table.lying, table.things = [], [ARM + np.array(DIRECTIONS["W"]) * 700]
    table.wait(0.2)
    table.things = []
    table.wait(2)
    taken = table.events[-1]
    assert table.plays() == ["S7", "F", "SR"] and len(table.events) == 4
    assert isinstance(taken, TrickTaken) and taken.player == "Anna"


def test_an_arm_over_an_open_trick_takes_nothing() -> None:
    """Taken too early, it would be an alert."""
    table = seen_bare(*TRICK[:2])
    assert table.under(ARM, 5) == []
    table.lay(*TRICK[:2])
    table.lay(TRICK[2])
    assert [type(event) for event in table.clear()] == [TrickTaken]
    assert table.plays() == ["S7", "SR", "T3"]


def test_an_arm_over_a_trick_that_lay_there_when_the_watching_began_takes_nothing() -> None:
    """What the table looks like without the cards was never seen; a table without them is known all the same."""
    table = Table()
    for side, card in TRICK:
        table.put(side, {card: 0.99})
    table.wait(3)
    assert table.plays() == ["S7", "SR", "T3"]
    table.lying.clear()
    narrow = np.array([[400, 0], [720, 0], [720, 700], [400, 700]])
    for k in range(40):
        table.things = [narrow + np.array([240 * (k % 2), 0])]
        assert table.wait(0.1) == []
    table.things.clear()
    for side, card in TRICK:
        table.put(side, {card: 0.99})
    assert table.wait(6) == []
    table.lying.clear()
    assert [type(event) for event in table.wait(3)] == [TrickTaken]


@pytest.mark.parametrize("hides", [ARM, CUP])
def test_a_lead_that_was_hidden_long_is_the_same_card(hides: np.ndarray) -> None:
    """Under an arm, or under a cup."""
    table = seen_bare(("E", "S7"))
    assert table.under(hides, 12) == []
    table.put("E", {"S7": 0.99})
    assert table.wait(6) == []
    table.lay(("W", "SR"))
    assert table.book() == [("Bo", "S7"), ("Carl", "SR")]


def test_a_lead_under_a_cup_is_the_same_card_after_others_have_played() -> None:
    table = seen_bare(("E", "S7"))
    table.lying.clear()
    table.things.append(CUP)
    table.wait(4)
    table.lay(("W", "SR"))
    table.things.clear()
    table.put("E", {"S7": 0.99})
    table.wait(6)
    table.lay(("S", "T3"))
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    assert [type(event) for event in table.clear()] == [TrickTaken]


@pytest.mark.parametrize(
    ("then", "corrected"),
    [
        ({"T13": 0.4, "T9": 0.3, "T3": 0.29}, []),
        ({"T9": 0.5, "T13": 0.4}, []),
        ({"T9": 0.999}, [PlayCorrected(FIRST_PLAY, card="T9")]),
    ],
    ids=["as before", "as its alternative", "better"],
)
def test_a_doubtful_card_that_was_hidden_is_asked_about_once(
    then: dict[str, float], corrected: list[Event]
) -> None:
    table = seen_bare()
    table.put("E", {"T13": 0.4, "T9": 0.3, "T3": 0.29})
    table.wait(2)
    assert table.under(ARM, 3) == []
    table.put("E", then, face="T13")
    assert table.wait(6) == corrected


def test_another_card_laid_where_one_is_hidden_is_a_play() -> None:
    """The trick was swept and the next lead laid under the same arm."""
    table = seen_bare(*TRICK)
    table.under(ARM, 3)
    table.put("E", {"T9": 0.999})
    assert [event.card for event in table.wait(1) if isinstance(event, CardPlayed)] == ["T9"]


def test_a_lead_picked_up_for_a_while_and_laid_again_is_one_play() -> None:
    table = seen_bare(("E", "S7"))
    table.lying.clear()
    table.wait(5)
    table.put("E", {"S7": 0.99})
    table.wait(6)
    assert table.plays() == ["S7"] and not any(isinstance(event, TrickTaken) for event in table.events)


def test_a_card_of_the_open_trick_that_the_game_waits_to_see_again_is_told() -> None:
    """The watching began anew in the middle of the trick: what is told then is no second play."""
    table = Table()
    table.put("E", {"S7": 0.99})
    table.told = Expectation(ORDER, ("Carl", "Anna"), (("Bo", "S7"),), frozenset(), {}, {"S7": FIRST_PLAY})
    told = [event.card for event in table.wait(1) if isinstance(event, CardPlayed)]
    assert told == ["S7"]


@pytest.mark.parametrize(("near", "booked"), [(True, []), (False, ["C7"])])
def test_a_card_that_reads_a_little_like_a_hidden_one_is_asked_about_unless_it_lies_there(
    near: bool, booked: list[str]
) -> None:
    table = table_with(("E", "S7"))
    table.lying.clear()
    table.put("E" if near else "W", {"S7": 0.53, "C7": 0.46})
    events = table.wait(1.8)
    assert [event.card for event in events] == booked
    assert near or "S7" in events[0].alternatives


def test_a_card_of_a_trick_that_stays_does_not_keep_it_for_ever() -> None:
    """T3 is left lying: the next trick is taken all the same."""
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        stays = table.put(side, {card: 0.99})
        table.wait(1)
    table.lying = [stays]
    table.wait(1)
    for side, card in (("E", "H7"), ("W", "HR"), ("S", "H3")):
        table.put(side, {card: 0.99}, shift=(20, 20))
        table.wait(1)
    table.lying = [stays]
    assert [type(event) for event in table.wait(1)] == [TrickTaken]


def test_a_card_left_from_another_hand_keeps_no_trick() -> None:
    table = Table()
    stays = table.put("E", {"S7": 0.99}, shift=(200, 200))
    table.wait(1)
    table.enter(HandAbandoned())
    table.enter(HandStarted("Anna"))
    table.lay(("E", "H7"), ("W", "HR"), ("S", "S7"))
    assert table.plays() == ["H7", "HR", "S7"]
    table.lying = [stays]
    assert [type(event) for event in table.wait(1)] == [TrickTaken]


def test_two_readings_of_the_fool_that_leave_together_are_a_trick() -> None:
    table = Table()
    table.put("E", {"F": 0.6, "CV": 0.39})
    table.wait(2)
    table.put("W", {"F": 0.999})
    table.wait(1)
    assert isinstance(table.clear()[-1], TrickTaken)


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_a_lamp_that_goes_out_takes_nothing(cards: int) -> None:
    """Nothing moves and nothing is seen; on again, all is as before."""
    table = seen_bare(*TRICK[:cards])
    table.lying, table.unseen, table.light = [], table.lying, 0.1
    assert table.wait(4) == []
    table.unseen, table.light = [], 1.0
    for side, card in TRICK[:cards]:
        table.put(side, {card: 0.99})
    assert table.wait(6) == []
