"""What is seen and is no new card is taken for what it is, says so, and becomes no play by lying there."""

from collections.abc import Callable

import pytest
from plain_table import NO_HAND, TRICK, Table

from vision.picture import NOT_A_CARD
from vision.watching.explanations import Explanation


def a_card_in_turn(table: Table) -> int:
    number = table.put("E", {"S7": 0.99}).number
    table.wait(1)
    return number


def a_nudged_card(table: Table) -> int:
    table.lay(("E", "S7"))
    table.lying.clear()
    number = table.put("E", {"S7": 0.99}, shift=(-60, 30)).number
    table.wait(1)
    return number


def a_lead_picked_up_and_laid_again(table: Table) -> int:
    table.lay(("E", "S7"))
    table.lying.clear()
    table.wait(5)
    return a_card_in_turn(table)


def a_second_box(table: Table) -> int:
    table.lay(("E", "S7"))
    number = table.put("E", {"S7": 0.97}, shift=(30, 10), there=False).number
    table.wait(1)
    return number


def a_faint_box_over_a_card(table: Table) -> int:
    """Half of the ten of clubs can look like a nine."""
    table.lay(("E", "C10"))
    box = table.put("E", {"S9": 0.997}, shift=(-73, 0), there=False)
    box.best_score = 0.4
    table.wait(1)
    return box.number


def a_sheet_of_paper(table: Table) -> int:
    table.lay(*TRICK)
    table.clear()
    return _sheet(table)


def a_sheet_of_paper_before_the_first_trick(table: Table) -> int:
    """How large the cards are is known from those that lay open before the hand."""
    table.told = NO_HAND
    table.lay(*TRICK)
    table.clear()
    table.told = None
    return _sheet(table)


def _sheet(table: Table) -> int:
    sheet = table.put("N", {"S4": 0.99})
    sheet.corners_px, sheet.best_score = sheet.corners_px * 2.3, 0.36
    table.wait(1)
    return sheet.number


def an_earlier_trick_shown(table: Table) -> int:
    table.lay(*TRICK)
    table.clear()
    table.wait(1)
    table.put("W", {"S7": 0.99}, (-200, -150))
    number = table.put("W", {"SR": 0.99}, (-200, 0)).number
    table.wait(1)
    return number


def a_card_on_its_way_to_a_pile(table: Table) -> int:
    table.lay(*TRICK)
    table.clear()
    number = table.put("W", {"SR": 0.99}, (-140, 0)).number
    table.wait(1.8)
    return number


def a_pile(table: Table) -> int:
    table.lay(*TRICK)
    table.clear()
    number = table.put("W", {"SR": 0.99}, (-250, 0)).number  # nobody lays cards there
    table.wait(1.8)
    return number


def a_stack_of_chips(table: Table) -> int:
    chips = table.put("E", {"T21": 0.99})
    table.lying.clear()
    table.things.append(chips.corners_px)
    table.wait(7)
    number = table.put("E", {"T21": 0.99}, there=False).number
    table.wait(2)
    return number


def a_card_between_two_hands(table: Table) -> int:
    table.told = NO_HAND
    return a_card_in_turn(table)


def an_unsure_card(table: Table) -> int:
    number = table.put("E", {"T6": 0.5, "T9": 0.45}).number
    table.wait(0.9)
    return number


def another_card_instead(table: Table) -> int:
    """Carl takes his king back and lays his knight, after Anna has played."""
    table.lay(*TRICK)
    del table.lying[1]
    table.wait(1)
    number = table.put("W", {"SC": 0.99}).number
    table.wait(1)
    return number


def a_card_that_was_missed(table: Table) -> int:
    """Bo's knight is found only after Carl has played."""
    table.lay(*TRICK)
    table.clear()
    table.lay(("S", "H4"))
    table.put("E", {"HC": 0.99})
    table.miss()
    table.wait(1)
    table.lay(("W", "H3"))
    number = table.find_missed().number
    table.wait(1)
    return number


MAY_BE_A_PLAY_LATER = {Explanation.NOT_CLEAR_YET, Explanation.TO_A_PILE}


@pytest.mark.parametrize(
    ("situation", "explanation"),
    [
        (a_card_in_turn, Explanation.NEW_CARD),
        (a_nudged_card, Explanation.SAME_CARD),
        (a_lead_picked_up_and_laid_again, Explanation.LAID_AGAIN),
        (a_second_box, Explanation.SECOND_BOX),
        (a_faint_box_over_a_card, Explanation.ACROSS_CARDS),
        (a_sheet_of_paper, Explanation.OTHER_SIZE),
        (a_sheet_of_paper_before_the_first_trick, Explanation.OTHER_SIZE),
        (an_earlier_trick_shown, Explanation.EARLIER_TRICK),
        (a_card_on_its_way_to_a_pile, Explanation.TO_A_PILE),
        (a_pile, Explanation.PILE),
        (a_stack_of_chips, Explanation.LAY_THERE),
        (a_card_between_two_hands, Explanation.NO_HAND),
        (an_unsure_card, Explanation.NOT_CLEAR_YET),
        (another_card_instead, Explanation.INSTEAD),
        (a_card_that_was_missed, Explanation.MISSED),
    ],
    ids=lambda value: value.__name__.replace("_", " ") if callable(value) else value.name,
)
def test_what_is_seen_is_taken_for_what_it_is(
    situation: Callable[[Table], int], explanation: Explanation
) -> None:
    table = Table()
    assert table.taken_for[situation(table)] is explanation
    assert table.wait(6) == [] or explanation in MAY_BE_A_PLAY_LATER


def test_what_is_no_face_is_not_judged() -> None:
    table = Table()
    number = table.put("E", {NOT_A_CARD: 0.9}).number
    table.wait(3)
    assert number not in table.taken_for
