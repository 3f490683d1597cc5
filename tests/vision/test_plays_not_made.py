"""What is no play at all: backs, boxes across cards, piles, what lies there from before."""

import numpy as np
import pytest
from plain_table import ARM, NO_HAND, ORDER, TRICK, Table, doubtful_lead, seen_bare, table_with, votes

from tracker.cards import CARDS
from tracker.events import CardPlayed, TrickTaken
from vision.lab.rendering.layouts import place_card
from vision.picture import DIRECTIONS, NOT_A_CARD, overlap
from vision.reading.corners import CloseLook
from vision.watching.decision import is_second_box
from vision.watching.explanations import Explanation
from vision.watching.sightings import Sighting

SKAT = ("S7", "H7", "C7")


def test_what_is_no_card_is_no_play() -> None:
    table = Table()
    table.put("E", {NOT_A_CARD: 0.9})
    assert table.wait(5) == []


def test_a_back_is_no_play() -> None:
    table = Table()
    table.put("E", {"S7": 0.99}).face_score = -3.0
    assert table.wait(5) == []


def test_a_card_hardly_found_and_hardly_named_is_never_asked_about() -> None:
    """The edge of a pile, read as no card in particular."""
    table = Table()
    table.put("E", {"T13": 0.03, "T12": 0.028}).best_score = 0.4
    assert table.wait(3) == []


@pytest.mark.parametrize(
    ("size", "name", "booked"), [(0.63, 0.8, []), (1.0, 0.8, ["S4"]), (1.5, 0.8, []), (0.63, 0.999, ["S4"])]
)
def test_half_a_card_or_two_in_one_box_are_no_play_unless_surely_read(
    size: float, name: float, booked: list[str]
) -> None:
    """A surely read card counts: what the first cards told of the table's plane may be wrong."""
    table = table_with(("E", "S7"), ("W", "SR"))
    table.put("S", {"S4": name}).size = size
    table.wait(3)
    assert table.plays()[2:] == booked


def test_a_card_that_comes_to_a_place_that_was_long_bare_is_played() -> None:
    """Chips that lay there all along and are taken for a card are not (`test_explanations.py`)."""
    table = Table()
    table.wait(7)
    table.put("E", {"T21": 0.99})
    assert [e.card for e in table.wait(5)] == ["T21"]


@pytest.mark.parametrize(
    ("lies_as_laid", "name", "asked"),
    [
        pytest.param(False, 0.6, [], id="a score sheet"),
        pytest.param(False, 0.99, ["C10"], id="surely a card"),
        pytest.param(True, 0.6, ["C10"], id="where a player lays cards"),
    ],
)
def test_what_lay_there_before_the_watch_began_and_hardly_reads_is_no_play(
    lies_as_laid: bool, name: float, asked: list[str]
) -> None:
    """It lies crosswise, away from where anybody lays cards, and nobody was seen to bring it."""
    table = Table()
    table.put(
        "E" if lies_as_laid else "W",
        {"C10": name, "C8": 0.99 - name},
        (0, 0) if lies_as_laid else (-130, 160),
    )
    if not lies_as_laid:
        thing = table.lying[-1]
        thing.corners_px = place_card(thing.center_px, 0.0, (82, 150))
    assert [e.card for e in table.wait(7)] == asked


@pytest.mark.parametrize("after_s", [0.0, 5.0], ids=["from the start", "laid down later"])
def test_what_is_no_longer_found_but_still_lies_there_has_not_left(after_s: float) -> None:
    """A score sheet is found as a card for a moment, and reads a little like one."""
    table = Table()
    table.wait(after_s)
    sheet = table.put("E", {"C1": 0.6, "S1": 0.3})
    table.wait(0.7)
    table.miss()
    sheet.lay_s = 0.7
    table.gone.append(sheet)
    assert table.wait(2) == []


@pytest.mark.parametrize(("score", "booked"), [(0.4, []), (0.9, ["T21"])])
def test_the_last_card_left_is_not_read_into_anything(score: float, booked: list[str]) -> None:
    """T21 or a card of the skat: what reads as any trump is nothing, or asked about if it is a card for sure."""
    table = Table()
    for at, card in enumerate(card for card in CARDS if card not in ("T21", *SKAT)):
        table.enter(CardPlayed(ORDER[at % 3], card))
    table.wait(1)
    trumps = {"T1": 0.1, "T3": 0.098, "T9": 0.08, "T7": 0.078, "T5": 0.07, "T2": 0.06, "T21": 0.02}
    table.put("S", trumps).best_score = score
    plays = [event for event in table.wait(5) if isinstance(event, CardPlayed)]
    assert [play.card for play in plays] == booked and all(play.alternatives for play in plays)


def test_a_doubtful_card_seen_on_the_pile_is_no_second_one() -> None:
    table = doubtful_lead()
    table.lay(("W", "SR"), ("S", "T3"))
    assert isinstance(table.clear()[-1], TrickTaken)
    table.put("S", {"T13": 0.999}, shift=(-200, 140))
    assert table.wait(1) == []


def test_a_like_card_laid_half_over_another_is_booked_before_the_next_one() -> None:
    """T1 for certain, and clearly found: no second box on the T11 below."""
    table = table_with(("E", "T11"))
    table.put("W", {"T1": 0.92, "T11": 0.07}, shift=(120, 0)).best_score = 0.95
    assert [event.card for event in table.wait(1)] == ["T1"]


def test_cards_shown_between_two_hands_are_no_plays_of_the_next() -> None:
    """Last hand's cards lie face up when the lead is expected; a card that lands then is one."""
    table = Table(told=NO_HAND)
    table.wait(4)
    for side, card in (("E", "S7"), ("W", "SR")):
        table.put(side, {card: 0.99})
    table.wait(5)
    table.told = None
    assert table.wait(3) == []
    table.put("S", {"T3": 0.99})
    assert [event.card for event in table.wait(1)] == ["T3"]


def test_a_card_left_lying_from_an_earlier_trick_is_no_play_after_an_arm_lay_over_it() -> None:
    table = seen_bare(*TRICK)
    table.lying = table.lying[-1:]
    table.wait(1)
    table.lay(("E", "H7"))
    assert table.under(ARM, 3) == []
    table.put("S", {"T3": 0.99})
    table.put("E", {"H7": 0.99})
    assert table.wait(6) == []


@pytest.mark.parametrize("for_s", [1.5, 6])
@pytest.mark.parametrize("in_open_trick", [False, True])
def test_an_earlier_trick_that_is_looked_at_again_is_no_play(for_s: float, in_open_trick: bool) -> None:
    """Its cards are turned up beside the piles; not all of them are read for sure."""
    table = seen_bare(*TRICK)
    table.clear()
    table.wait(1)
    if in_open_trick:
        table.lay(("E", "H7"))
    plays = table.plays()
    shown = [table.put("W", {"S7": 0.99}, (-200, -150)), table.put("W", {"SR": 0.99}, (-200, 0))]
    shown.append(table.put("W", {"T3": 0.5, "T8": 0.3}, (-200, 150)))
    assert table.wait(for_s) == []
    for sighting in shown:
        sighting.lay_s = for_s
        table.lying.remove(sighting)
        table.gone.append(sighting)
    assert table.wait(2) == []
    assert table.plays() == plays


def test_cards_that_lie_face_up_on_the_piles_keep_no_doubtful_play_from_being_asked_about() -> None:
    table = seen_bare(*TRICK)
    table.clear()
    table.wait(1)
    table.put("W", {"S7": 0.99}, (-200, -150))
    table.put("W", {"SR": 0.99}, (-200, 0))
    table.wait(6)
    table.put("E", {"T6": 0.5, "T9": 0.45})
    assert [event.card for event in table.wait(2)] == ["T6"]


@pytest.mark.parametrize("under_a_hand", [False, True])
def test_a_card_of_an_earlier_trick_shown_for_a_moment_is_no_play(under_a_hand: bool) -> None:
    """The hand that takes it up again may still lie there when it counts as gone."""
    table = seen_bare(*TRICK)
    table.clear()
    table.wait(1)
    table.lay(("E", "H7"))
    shown = table.put("W", {"SR": 0.99}, (-200, 0))
    table.wait(1)
    shown.lay_s = 1
    table.lying.remove(shown)
    table.things += [shown.corners_px] * under_a_hand
    table.gone.append(shown)
    assert table.wait(2) == []


def test_a_second_box_on_a_card_is_no_play() -> None:
    table = table_with(("E", "S7"))
    table.put("E", {"S7": 0.97}, shift=(30, 10), there=False)
    table.put("W", {"S7": 0.9999}, there=False)
    assert table.wait(6) == []


def test_a_box_that_is_lost_once_its_card_is_found_better_is_no_play() -> None:
    """In a lamp's reflection a card is found as two boxes across it, and as a whole only later."""
    table = table_with(("E", "S7"))
    table.put("W", {"SR": 0.97}, shift=(-20, -40), there=False).best_score = 0.6
    across = table.put("W", {"SR": 0.95}, shift=(45, 10), there=False)
    across.best_score = 0.7
    table.put("W", {"SR": 0.9999})
    table.wait(1)
    table.lying.remove(across)
    table.gone.append(across)
    table.wait(2)
    assert table.plays() == ["S7", "SR"]


def table_card(name: str, score: float, down: float = 0.0) -> Sighting:
    """A card of 82×150 px, read twice, `down` px below the middle."""
    corners_px, logs = place_card((640, 360 + down), 0.0, (82, 150)), votes(**{name: 0.97})
    return Sighting(1, corners_px, 1.0, 0.0, 0.0, 0.0, best_score=score, looks=2, log_votes=2 * logs)


def test_a_box_that_is_lost_while_its_trick_stays_is_no_second_card_of_a_player() -> None:
    """Carl's fingers lay between. Even a poor find is asked about, but only when a trick leaves that lacks a card."""
    table = seen_bare(TRICK[0])
    table.things.append(ARM + np.array(DIRECTIONS["W"]) * 500)
    table.wait(0.3)
    table.things.clear()
    poor = table.put("W", {"T11": 0.6}, shift=(-140, 0), there=False)
    poor.best_score, poor.looks, poor.log_votes = 0.35, 2, 2 * votes(T11=0.6)
    table.put("W", {"SR": 0.99})
    table.wait(0.2)
    table.lying.remove(poor)
    poor.lay_s = 0.3
    table.gone.append(poor)
    table.wait(2)
    assert [event.card for event in table.events if isinstance(event, CardPlayed)] == ["S7", "SR"]


def test_a_find_that_came_while_a_whole_trick_lay_there_and_leaves_with_it_is_no_lead() -> None:
    """It is a box across the cards of the trick, lies before the player who leads next, and reads as one still out."""
    table = seen_bare(*TRICK)
    table.put("S", {"C9": 0.9}, shift=(0, -60), there=False).best_score = 0.7
    table.wait(0.5)
    table.sweep()
    assert table.plays() == ["S7", "SR", "T3"]


def test_of_two_cards_that_lie_half_over_one_another_the_lower_one_keeps_its_name() -> None:
    """Found at an overlap of 0.55, both are cards; with one name, or nearly in one place, they are one."""
    lower, upper = table_card("S7", 0.7, down=42), table_card("H4", 0.9)
    assert 0.5 < overlap(lower.corners_px, upper.corners_px) < 0.65
    assert not is_second_box(lower, [upper])
    assert is_second_box(table_card("H4", 0.7, down=42), [upper])
    assert not table_card(NOT_A_CARD, 0.7, down=42).face
    assert is_second_box(table_card("S7", 0.7, down=8), [upper])


def test_a_second_box_that_reads_a_little_like_the_card_below_is_no_play() -> None:
    """T1 or T11? T11 is played, so it would be T1 for sure; but T11 lies just there."""
    table = table_with(("E", "T11"))
    table.put("E", {"T1": 0.65, "T11": 0.35}, shift=(20, 8), there=False).best_score = 0.74
    assert table.wait(6) == []


def test_a_box_across_two_cards_is_no_play_while_a_clearer_one_is_there() -> None:
    """A card comes to lie on another; one box follows it under the hand, one takes half of each."""
    table = table_with(("E", "T16"))
    table.put("E", {NOT_A_CARD: 0.95}, shift=(28, -28), there=False).best_score = 0.9
    table.put("E", {"F": 0.999}, shift=(21, -41), there=False).best_score = 0.63
    assert table.wait(6) == []


def test_a_card_whose_parts_are_found_too_is_booked_before_the_next_one() -> None:
    """In poor light one card is found as several boxes; the fainter ones on it are its parts."""
    table = Table()
    table.put("E", {"C8": 0.999}).best_score = 0.55
    for shift, score in (((-30, 0), 0.45), ((30, 0), 0.3)):
        table.put("E", {"C5": 0.98}, shift=shift, there=False).best_score = score
    assert [event.card for event in table.wait(1) if isinstance(event, CardPlayed)] == ["C8"]
    table.put("S", {"CC": 0.999})
    table.wait(1)
    assert table.plays() == ["C8", "CC"]


def test_a_part_of_a_trick_that_still_lies_there_is_no_lead() -> None:
    """A box across two of its cards, found clearly and read as no card in particular, is not asked about."""
    table = table_with(("E", "T6"), ("W", "T1"), ("S", "CC"))
    table.put("W", {"T14": 0.3, "SR": 0.2, "T12": 0.15}, shift=(55, 20), there=False).best_score = 0.8
    assert table.wait(6) == []


@pytest.mark.parametrize(
    "read", [{"HR": 0.999}, {"HR": 0.5, "HD": 0.4}, {"HR": 0.2, "HD": 0.18, "S7": 0.1}], ids=str
)
def test_a_card_half_under_others_is_asked_about(read: dict[str, float]) -> None:
    """It is badly found, or badly read; what it shows of itself no other card does."""
    table = seen_bare(("E", "S7"), ("W", "SR"))
    table.put("S", read, shift=(50, -75)).best_score = 0.5
    (play,) = table.wait(3)
    assert (play.player, play.card) == ("Anna", "HR") and play.alternatives
    assert [type(event) for event in table.clear()] == [TrickTaken]


def test_a_box_across_the_cards_of_an_open_trick_is_no_play() -> None:
    """However long the third player thinks."""
    table = seen_bare()
    table.put("E", {"S7": 0.99}, shift=(-60, 0))
    table.wait(1)
    table.put("W", {"SR": 0.99}, shift=(20, 30))
    table.wait(1)
    table.put("S", {"HR": 0.5, "HD": 0.4}, shift=(0, -75), there=False).best_score = 0.5
    assert table.wait(10) == []
    assert table.plays() == ["S7", "SR"]


@pytest.mark.parametrize("read", [NOT_A_CARD, "face down"])
def test_what_is_no_face_is_not_asked_about_however_long_it_lies(read: str) -> None:
    table = seen_bare(("E", "S7"), ("W", "SR"))
    thing = table.put("S", {NOT_A_CARD: 0.5, "HR": 0.3} if read == NOT_A_CARD else {"HR": 0.3, "HD": 0.2})
    thing.best_score = 0.5
    if read == "face down":
        thing.face_score = -3.0
    assert table.wait(10) == []


def test_a_card_half_under_others_that_is_swept_soon_is_asked_about() -> None:
    table = seen_bare(("E", "S7"), ("W", "SR"))
    table.put("S", {"HR": 0.5, "HD": 0.4}, shift=(50, -75)).best_score = 0.5
    assert table.wait(1) == []
    play, taken = table.sweep()
    assert isinstance(play, CardPlayed) and play.card == "HR" and play.alternatives
    assert isinstance(taken, TrickTaken)


@pytest.mark.parametrize(("beside", "score"), [((-73, 0), 0.9), ((-25, 8), 0.67)])
def test_a_card_laid_over_another_is_a_play(beside: tuple[int, int], score: float) -> None:
    """Over half of it, or over nearly all of it in a dim picture: then the one below was found more clearly."""
    table = table_with(("E", "C10"))
    table.put("W", {"S9": 0.997}, shift=(190 + beside[0], beside[1])).best_score = score
    assert [event.card for event in table.wait(1)] == ["S9"]


@pytest.mark.parametrize(("name", "asked"), [(0.6, True), (0.99, False)])
def test_a_card_hardly_found_is_asked_about_unless_its_name_is_sure(name: float, asked: bool) -> None:
    table = Table()
    table.put("E", {"S7": name, "C7": 1 - name}).best_score = 0.2
    (play,) = table.wait(3)
    assert isinstance(play, CardPlayed) and bool(play.alternatives) == asked


def piled_back(table: Table) -> Sighting:
    """A back that reads as the fool for sure comes to lie on the pile of the player at E."""
    return table.put("E", {"F": 0.999}, shift=(150, -150))


@pytest.mark.slow
def test_a_pile_whose_back_is_read_as_a_card_is_no_play_however_often_it_is_seen() -> None:
    """It came with the trick, and lies where nobody lays cards; the next trick comes to lie on it."""
    table, piled = Table(), list[Sighting]()
    for cards in (("S7", "SR", "S3"), ("H4", "H7", "HR"), ("C4", "C7", "CR")):
        table.lay(*zip("EWS", cards, strict=True))
        before = len(table.events)
        table.lying = [sighting for sighting in table.lying if sighting in piled]
        table.wait(0.2)
        piled.append(piled_back(table))
        table.wait(8)
        assert [type(event) for event in table.events[before:]] == [TrickTaken]
    table.lying.clear()
    table.wait(3)
    piled_back(table)
    table.wait(8)
    assert not any(isinstance(event, CardPlayed) and event.card == "F" for event in table.events)


def test_a_pile_laid_down_before_the_trick_counts_as_taken_is_no_play() -> None:
    """Its cards are in the hand that takes them, and still followed for a moment."""
    table = table_with(*TRICK)
    table.lost, table.lying = table.lying, []
    piled_back(table)
    assert table.wait(0.6) == []
    table.lost = []
    assert [type(event) for event in table.wait(8)] == [TrickTaken]


def test_a_pile_that_leaves_before_it_was_clearly_read_is_no_play() -> None:
    """Its back shows a card, and the hand of its player comes to lie on it."""
    table = table_with(*TRICK)
    table.clear()
    table.wait(0.2)
    pile = table.put("E", {"T6": 0.5, "T16": 0.3}, shift=(90, -150))
    table.wait(0.4)
    assert table.taken_for[pile.number] is Explanation.NOT_CLEAR_YET
    table.sweep()
    table.wait(3)
    assert len(table.plays()) == len(TRICK) and table.taken_for[pile.number] is Explanation.PILE


def test_a_card_laid_far_off_is_a_play_if_no_trick_was_just_taken() -> None:
    table = table_with(*TRICK)
    table.clear()
    table.wait(3)
    table.put("S", {"H4": 0.99}, shift=(150, 100))
    assert [event.card for event in table.wait(2) if isinstance(event, CardPlayed)] == ["H4"]


def test_a_bare_place_among_cards_that_lie_round_it_is_no_play() -> None:
    """It has the form of a card, and the end of one of them is read; what came lies on its neighbours alone."""
    table = Table()
    table.wait(4)
    table.put("E", {"T15": 0.99}, shift=(35, 0))
    table.wait(1)
    table.put("E", {"T6": 0.999}, shift=(-95, 0), there=False).best_score = 0.4
    table.put("W", {"SR": 0.99}, shift=(-35, 0))
    assert [event.card for event in table.wait(6) if isinstance(event, CardPlayed)] == ["SR"]


@pytest.mark.parametrize("read", [{"D9": 0.5, "D8": 0.37}, {"D8": 0.68, "D9": 0.29}])
def test_a_card_that_is_swept_away_and_blurred_on_its_way_is_not_one_that_is_still_out(
    read: dict[str, float],
) -> None:
    """The finder loses it where it lay and finds it again in the hand; the same frame never shows both."""
    table = seen_bare(("E", "D10"), ("W", "DV"), ("S", "D9"))
    table.lost.append(table.lying.pop())
    table.wait(0.1)
    table.put("S", read, shift=(-70, -50))
    table.wait(0.4)
    table.lost.clear()
    assert [event for event in table.sweep() if isinstance(event, CardPlayed)] == []
    assert table.plays() == ["D10", "DV", "D9"]


def test_fingers_on_the_end_of_a_card_are_no_play_whatever_the_game_makes_of_its_numerals() -> None:
    """The finder takes them for a back, at first not surely, and the close look for a card or nothing."""
    table = seen_bare(("E", "T7"))
    hand = table.put("W", {"T21": 0.85, "T7": 0.1, NOT_A_CARD: 0.02})
    hand.face_score = -1.0
    hand.close = CloseLook(hand.corners_px, np.full(4, 0.027, np.float32), np.float32((0.6, 0.03, 0.37)))
    assert table.wait(1) == []
    hand.face_score = -4.0
    assert table.wait(3) == []


def test_a_card_that_is_found_as_a_back_is_a_play_once_it_is_surely_read_or_has_lain_a_while() -> None:
    for chances, after_s in (({"T21": 0.99}, 0.5), ({"T21": 0.8, "T7": 0.19}, 2.0)):
        table = Table()
        table.enter(CardPlayed("Carl", "T7"))
        table.wait(1)
        table.put("S", chances).face_score = -1.0
        assert [event.card for event in table.wait(after_s) if isinstance(event, CardPlayed)] == ["T21"]
