"""From sightings to plays: who played what, and what is asked about."""

from random import Random

import numpy as np
import pytest
from plain_table import FIRST_PLAY, ORDER, SIDES, Table, doubtful_lead, table_with, votes

from tracker.cards import CARDS
from tracker.events import CardPlayed, PlayCorrected, PlayRemoved, TrickTaken
from vision.picture import NOT_A_CARD
from vision.reading.identifier import CLASSES
from vision.watching.sightings import PATIENCE_S, Sighting
from webui.bench.rules import DEALT_TO, random_hand


def test_three_cards_in_turn_are_three_plays() -> None:
    table = table_with(("E", "S7"), ("W", "SR"), ("S", "T3"))
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    assert all(e.alternatives == () for e in table.events)
    assert isinstance(table.clear()[0], TrickTaken)


def test_a_sure_card_is_known_within_half_a_second() -> None:
    table = Table()
    table.put("E", {"S7": 0.995})
    assert [e.card for e in table.wait(0.5)] == ["S7"]


def test_an_unsure_card_waits_and_is_booked_with_its_alternatives() -> None:
    table = Table()
    table.put("E", {"T6": 0.5, "T9": 0.45})
    assert table.wait(0.9) == []
    (play,) = table.wait(PATIENCE_S)
    assert play.card == "T6" and play.alternatives[0] == "T9"


def test_the_same_card_seen_twice_is_read_as_its_second_best() -> None:
    """Each card once: S7 lies on the table already, so the other reading of the new card is likelier."""
    table = table_with(("E", "S7"))
    table.put("W", {"S7": 0.55, "C7": 0.44})
    assert [e.card for e in table.wait(2)] == ["C7"]


def test_an_unsure_card_is_booked_before_a_sure_one_that_was_laid_later() -> None:
    table = Table()
    table.put("E", {"T6": 0.5, "T9": 0.45})
    table.wait(0.6)
    table.put("W", {"SR": 0.99})
    assert [(e.player, e.card) for e in table.wait(0.5)] == [("Bo", "T6"), ("Carl", "SR")]


@pytest.mark.parametrize("off_px", [(0, 0), (245, -245)], ids=["in its place", "far off"])
def test_an_unsure_card_that_is_swept_before_it_was_named_is_booked_and_asked_about(
    off_px: tuple[int, int],
) -> None:
    table = table_with(("E", "S7"), ("W", "SR"))
    table.put("S", {"T6": 0.5, "T9": 0.45}, shift=off_px)
    assert table.wait(0.5) == []
    play, taken = table.sweep()
    assert isinstance(play, CardPlayed) and isinstance(taken, TrickTaken)
    assert (play.player, play.card, play.alternatives[0]) == ("Anna", "T6", "T9")


def test_of_two_cards_laid_at_once_the_one_whose_turn_it_is_comes_first() -> None:
    table = Table()
    table.put("W", {"SR": 0.99})
    table.wait(0.1)
    table.put("E", {"S7": 0.99})
    assert [(e.player, e.card) for e in table.wait(0.8)] == [("Bo", "S7"), ("Carl", "SR")]


def king_on_a_lead_under_fingers(table: Table) -> Sighting:
    """Carl has played his king while Bo's fingers still lie on his lead, S7; returns that lead, looked at once."""
    lead = table.put("E", {"S7": 0.99})
    lead.looks, lead.log_votes = 1, votes(S7=0.99)
    table.wait(0.5)
    table.put("W", {"SR": 0.99})
    return lead


def test_a_card_waits_for_the_one_laid_before_it_under_a_hand() -> None:
    table = Table()
    lead = king_on_a_lead_under_fingers(table)
    assert table.wait(0.5) == []
    lead.looks, lead.log_votes = 4, 4 * votes(S7=0.99)
    table.wait(1)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR")]


def test_a_card_waits_for_none_that_is_never_read() -> None:
    table = Table()
    king_on_a_lead_under_fingers(table)
    assert [event.card for event in table.wait(2)] == ["SR"]


def test_a_card_that_lies_there_when_the_watching_begins_is_a_play() -> None:
    """The program is started again in the middle of a trick."""
    table = Table()
    table.put("E", {"S7": 0.99})
    assert [e.card for e in table.wait(5)] == ["S7"]


def test_a_card_named_late_is_a_play_though_it_has_long_lain_still() -> None:
    """A glare lies over it for half a minute; it came after the last trick was taken."""
    table = table_with(("E", "S7"), ("W", "SR"), ("S", "T3"))
    table.clear()
    table.wait(3)
    late = table.put("E", {NOT_A_CARD: 0.99})
    table.wait(30)
    late.log_votes = 4 * votes(S8=0.99)
    assert [e.card for e in table.wait(1)] == ["S8"]


def test_a_card_seen_for_certain_settles_an_earlier_doubt_about_it() -> None:
    """T13 or T9? When T13 is played for all to see, the first card was T9."""
    table = doubtful_lead()
    (doubtful,) = table.events
    assert doubtful.card == "T13" and doubtful.alternatives == ("T9",)
    table.put("W", {"T13": 0.999})
    correction, play = table.wait(1)
    assert correction == PlayCorrected(FIRST_PLAY, card="T9")
    assert (play.player, play.card, play.alternatives) == ("Carl", "T13", ())


def test_of_a_doubt_between_several_names_one_that_is_seen_elsewhere_drops_out() -> None:
    """T13, T9 or T3? T13 is played for all to see. The first card is T9 now, and T3 is still asked about."""
    table = Table()
    table.put("E", {"T13": 0.4, "T9": 0.3, "T3": 0.29})
    table.wait(2)
    table.put("W", {"T13": 0.999})
    correction, play = table.wait(2)
    assert correction == PlayCorrected(FIRST_PLAY, card="T9", alternatives=("T3",))
    assert (play.card, play.alternatives) == ("T13", ())
    assert table.expectation().doubtful == {"T9": (FIRST_PLAY, ("T3",))}


def test_a_doubt_is_settled_once_its_other_name_is_played() -> None:
    """T13 or T9? A trick later T9 is played for all to see, so the first card was T13."""
    table = doubtful_lead()
    table.lay(("W", "S7"), ("S", "S3"))
    table.clear()
    table.lay(("E", "T9"))
    assert PlayCorrected(FIRST_PLAY, card="T13") in table.events
    assert table.book() == [("Bo", "T13"), ("Carl", "S7"), ("Anna", "S3"), ("Bo", "T9")]


def test_two_doubts_between_the_same_names_leave_the_next_card_its_own() -> None:
    """T13 or T9, twice: both are on the table, whichever is which. So a third card that might be T13 is T3."""
    table = Table()
    table.put("E", {"T13": 0.5, "T9": 0.49})
    table.wait(2)
    table.put("W", {"T13": 0.5, "T9": 0.49})
    table.wait(2)
    assert set(table.plays()) == {"T13", "T9"} and len(table.expectation().doubtful) == 2
    table.put("S", {"T3": 0.6, "T13": 0.39})
    (play,) = table.wait(2)
    assert play.card == "T3" and play.alternatives == ()


def test_a_doubt_of_an_earlier_trick_is_settled_by_the_card_that_is_played_for_all_to_see() -> None:
    """T13 or T9? It is booked as T13 and taken. When T13 is led later, the first card was T9."""
    table = doubtful_lead()
    table.lay(("W", "S7"), ("S", "S3"))
    table.clear()
    table.wait(2)
    table.put("E", {"T13": 0.999})
    correction, play = table.wait(2)
    assert correction == PlayCorrected(FIRST_PLAY, card="T9")
    assert (play.player, play.card, play.alternatives) == ("Bo", "T13", ())


def test_a_doubt_about_the_name_of_an_earlier_doubt_is_asked_about_too() -> None:
    """T13 or T9, in two tricks: nobody waits to see whether the second is the first on its way to a pile."""
    table = doubtful_lead()
    table.lay(("W", "S7"), ("S", "S3"))
    table.clear()
    table.wait(2)
    table.put("E", {"T13": 0.75, "T9": 0.24})
    (play,) = table.wait(2)
    assert isinstance(play, CardPlayed) and {play.card, *play.alternatives} >= {"T13", "T9"}
    assert play.card not in table.plays()[:-1]


def test_a_card_surely_seen_again_later_frees_the_name_of_a_play_that_was_read_worse() -> None:
    """T1 is booked and taken. When T1 is led for all to see, the first card was another one, and is asked about."""
    table = Table()
    table.put("E", {"T1": 0.8, "T11": 0.15})
    assert [event.alternatives for event in table.wait(1)] == [()]
    table.lay(("W", "S7"), ("S", "S3"))
    table.clear()
    table.wait(2)
    table.put("E", {"T1": 0.999})
    correction, play = table.wait(4)
    assert (correction.seq, correction.card) == (FIRST_PLAY, "T11") and correction.alternatives
    assert (play.player, play.card, play.alternatives) == ("Bo", "T1", ())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 6])
def test_a_hand_of_which_every_third_card_looks_like_another_is_booked_whole(seed: int) -> None:
    """Such a card reads as another one by a quarter to three fifths. Whatever is booked wrongly is asked about."""
    chance, table = np.random.default_rng(seed), Table(fps=5)
    played = [event for event in random_hand(Random(seed)) if isinstance(event, CardPlayed)]
    seats = dict(zip(DEALT_TO, ORDER, strict=True))
    for number, play in enumerate(played):
        like = CARDS[CARDS.index(play.card) ^ 1]
        share = 0.995 * float(chance.uniform(0.25, 0.6)) if chance.random() < 0.3 else 0.0
        names = {play.card: 0.995 - share} | ({like: share} if share else {})
        table.put(SIDES[seats[play.player]], names, face=play.card)
        table.wait(2 if share else 1)
        if number % 3 == 2:
            table.clear()
            table.wait(0.6)
    hand = table.keeper.session.hand
    assert len(hand.plays) == len(played)
    for true, booked in zip(played, hand.plays, strict=True):
        assert booked.player == seats[true.player] and true.card in (booked.card, *booked.alternatives)


def test_another_card_laid_exactly_on_a_doubtful_one_does_not_name_it() -> None:
    """T13 or T9? What is read in its place by now, C4, is none of its names."""
    table = doubtful_lead()
    (doubtful,) = table.lying
    doubtful.log_votes = 4 * votes(C4=0.99)
    table.wait(2)
    assert table.plays() == ["T13"] and table.expectation().doubtful
    doubtful.log_votes = 4 * votes(T9=0.99)
    assert table.wait(1) == [PlayCorrected(FIRST_PLAY, card="T9")]


def test_a_card_that_was_read_as_one_played_is_itself_once_a_person_says_that_the_other_was_not() -> None:
    """Two cards read as T13. The first was T9, says Bo; so nobody needs to be asked about the second."""
    table = table_with(("E", "T13"))
    table.put("W", {"T13": 0.99})
    (asked,) = table.wait(6)
    assert isinstance(asked, CardPlayed) and asked.card != "T13" and asked.alternatives[0] == "T13"
    table.enter(PlayCorrected(FIRST_PLAY, card="T9"))
    assert table.wait(1) == [PlayCorrected(FIRST_PLAY + 1, card="T13")]
    assert table.plays() == ["T9", "T13"]


@pytest.mark.parametrize("answer", ["T13", "T9", "C4"])
def test_what_a_person_answered_is_never_touched(answer: str) -> None:
    table = doubtful_lead()
    (doubtful,) = table.lying
    table.enter(PlayCorrected(FIRST_PLAY, card=answer))
    doubtful.face_score = -4.0
    table.lay(("W", "T9" if answer != "T9" else "T8"))
    table.wait(3)
    assert table.plays()[0] == answer
    assert not any(isinstance(event, PlayCorrected | PlayRemoved) for event in table.events)


def test_a_play_that_turns_out_to_be_a_back_is_taken_out_and_stays_out() -> None:
    """A pile's back was taken for a face for a while, and asked about."""
    table = table_with(("E", "S7"))
    pile = table.put("W", {"T13": 0.6, "T9": 0.3})
    table.wait(2)
    assert table.plays() == ["S7", "T13"]
    pile.face_score = -4.0
    assert [type(event) for event in table.wait(1)] == [PlayRemoved]
    pile.face_score = 3.0
    assert table.wait(4) == [] and table.plays() == ["S7"]


@pytest.mark.parametrize("by_a_person", [True, False])
def test_a_card_put_right_goes_by_its_new_name(by_a_person: bool) -> None:
    """T13 is corrected to T9; nudged and read better, T9 is no new play."""
    table = doubtful_lead()
    if by_a_person:
        table.enter(PlayCorrected(FIRST_PLAY, card="T9"))
    table.put("W", {"T13" if not by_a_person else "SR": 0.999})
    table.wait(1)
    plays = table.plays()
    del table.lying[0]
    table.put("E", {"T9": 0.99}, shift=(-45, 45))
    table.wait(6)
    assert table.plays() == plays and plays[0] == "T9"


def test_every_card_has_a_class() -> None:
    assert CLASSES[:78] == CARDS and CLASSES[78] == NOT_A_CARD
