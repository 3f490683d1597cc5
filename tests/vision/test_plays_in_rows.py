"""Where each player's cards stay before him in a row, and the next one is slid over most of the last."""

from dataclasses import replace

import numpy as np
import pytest
from plain_table import FIRST_PLAY, SIDES, Table, votes

from tracker.doubts import proved
from tracker.events import CardPlayed, PlaysTakenBack
from vision.reading.identifier import CLASSES
from vision.watching.expectation import Expectation
from vision.watching.seats import DIRECTIONS

BEGUN = (("Bo", "S4"), ("Carl", "SR"))
"""The plays of a trick to which only Anna, in the south, has still to play."""


class TableOfRows(Table):
    """A table on which the cards of every trick stay; it was seen bare."""

    def __post_init__(self) -> None:
        self.wait(1)

    def expectation(self) -> Expectation:
        return replace(super().expectation(), stays=True)


def card_over_card(begun: tuple[tuple[str, str], ...], after_s: float) -> TableOfRows:
    """Anna's S9 is read; after so many seconds it is no longer found, and S10 lies nearly where it lay."""
    table = TableOfRows()
    for player, card in begun:
        table.enter(CardPlayed(player, card))
    table.wait(1)
    table.put("S", {"S9": 0.97})
    table.wait(after_s)
    table.lying.clear()
    table.put("S", {"S10": 0.99}, shift=(0, 12))
    table.wait(1)
    return table


@pytest.mark.parametrize("begun", [BEGUN[1:], BEGUN])
def test_what_fingers_let_see_of_a_card_is_that_card(begun: tuple[tuple[str, str], ...]) -> None:
    """A box that began on the card under it was read as S9; no hand lays two cards in half a second."""
    table = card_over_card(begun, 0.5)
    assert table.book() == [*begun, ("Anna", "S10")]
    assert PlaysTakenBack(1) in table.events


def test_a_first_view_of_a_card_that_is_found_anew_is_no_other_card() -> None:
    """Fingers lie on S10 as it comes, and its box reads as S9 or S8. That box is lost when it is found anew."""
    table = TableOfRows()
    first = table.put("E", {"S9": 0.5, "S8": 0.4})
    table.wait(0.3)
    table.lying.clear()
    table.put("E", {"S10": 0.99})
    table.wait(1)
    first.lay_s = 0.3
    table.gone.append(first)
    table.wait(1)
    assert table.book() == [("Bo", "S10")]


def test_a_doubtful_card_is_not_settled_by_the_next_one_that_is_slid_over_it() -> None:
    """S9 was read as S9 or S10. Bo's next card is S10, and lies over most of S9."""
    table = TableOfRows()
    table.unseen.append(table.put("E", {"S9": 0.55, "S10": 0.4}))
    table.wait(4)
    table.lying.clear()
    for player, card in (("Carl", "S2"), ("Anna", "S3")):
        table.enter(CardPlayed(player, card))
    table.put("E", {"S10": 0.999}, shift=(12, 0))
    table.wait(2)
    assert table.book() == [("Bo", "S9"), ("Carl", "S2"), ("Anna", "S3"), ("Bo", "S10")]


def test_who_takes_a_trick_may_lead_to_the_next_soon() -> None:
    table = card_over_card(BEGUN, 1.2)
    assert table.book() == [*BEGUN, ("Anna", "S9"), ("Anna", "S10")]


def test_a_card_that_others_have_played_after_is_replaced_within_its_trick() -> None:
    table = TableOfRows()
    table.put("E", {"S9": 0.97})
    table.wait(0.4)
    table.enter(CardPlayed("Carl", "S4"))
    table.lying.clear()
    table.put("E", {"S10": 0.99}, shift=(12, 0))
    table.wait(1)
    assert table.book() == [("Bo", "S10"), ("Carl", "S4")]


def test_a_card_seen_on_top_of_a_row_is_not_the_one_that_lies_under_it() -> None:
    """Fingers lay on T14, booked as T1 and asked about once they are gone. T1 comes when others lie on it."""
    table = TableOfRows()
    card = table.put("E", {"T1": 0.8, "T11": 0.15}, face="T14")
    table.wait(1)
    card.looks, card.log_votes = 5, 5 * votes(T14=0.999)
    table.wait(1)
    assert table.expectation().doubtful == {"T1": (FIRST_PLAY, ("T14",))}
    for at, name in enumerate(("T12", "T13", "T15", "T1"), start=1):
        table.enter(CardPlayed("Carl", f"S{at}"))
        table.enter(CardPlayed("Anna", f"H{at}"))
        table.unseen, table.lying = [*table.unseen, *table.lying], []
        table.put("E", {name: 0.999}, shift=(60 * at, 0))
        table.wait(2)
    bos = [card for player, card in table.book() if player == "Bo"]
    assert bos == ["T14", "T12", "T13", "T15", "T1"] and not table.expectation().doubtful


def test_the_last_card_of_a_row_found_anew_is_no_rival_of_the_one_laid_on_it() -> None:
    """A hand nudges the row: S8 is found anew, more clearly than S9 that lies over most of it."""
    table = TableOfRows()
    for at, card in enumerate(("S7", "S8")):
        table.put("E", {card: 0.999}, shift=(30 * at, 0))
        table.wait(1)
        table.enter(CardPlayed("Carl", f"H{at + 1}"))
        table.enter(CardPlayed("Anna", f"D{at + 1}"))
    table.unseen, table.lying = [*table.unseen, *table.lying], []
    table.put("E", {"S8": 0.8, "S10": 0.15}, shift=(32, 2)).best_score = 0.92
    table.put("E", {"S9": 0.999}, shift=(62, 0)).best_score = 0.91
    table.wait(1)
    assert [card for player, card in table.book() if player == "Bo"] == ["S7", "S8", "S9"]


@pytest.mark.parametrize("far", [True, False])
def test_a_card_slid_over_the_last_of_its_row_is_played_though_the_last_seemed_to_move_there(
    far: bool,
) -> None:
    """The finder's box goes over from S8 to the card laid on it, at once or bit by bit. S9 is read there later."""
    table = TableOfRows()
    for at, card in enumerate(("S7", "S8")):
        last = table.put("E", {card: 0.999}, shift=(30 * at, 0))
        table.wait(1)
        table.enter(CardPlayed("Carl", f"H{at + 1}"))
        table.enter(CardPlayed("Anna", f"D{at + 1}"))
    last.corners_px, last.still_since_s = last.corners_px + np.float32([12, 0]), table.time_s
    last.was, last.disturbed = CLASSES.index("S8") if far else None, not far
    table.wait(0.7)
    table.lying.remove(last)
    table.put("E", {"S9": 0.999}, shift=(42, 0)).upon = last.number
    table.wait(1)
    assert [card for player, card in table.book() if player == "Bo"] == ["S7", "S8", "S9"]


def test_a_card_taken_back_from_a_row_leaves_its_place_to_the_next() -> None:
    """S8 lay too far out. Its player takes it back, and lays S9 nearer."""
    table = TableOfRows()
    for at, card in enumerate(("S6", "S7")):
        table.enter(CardPlayed("Bo", f"H{at + 1}"))
        table.put("W", {card: 0.999}, shift=(-30 * at, 0))
        table.wait(1)
        table.enter(CardPlayed("Anna", f"D{at + 1}"))
    table.enter(CardPlayed("Bo", "H3"))
    table.put("W", {"S8": 0.999}, shift=(-100, 0))
    table.wait(1)
    assert table.take() == [PlaysTakenBack(1)]
    table.put("W", {"S9": 0.999}, shift=(-60, 0))
    table.wait(2)
    assert [card for player, card in table.book() if player == "Carl"] == ["S6", "S7", "S9"]


def test_a_card_laid_far_out_while_an_arm_hides_the_last_one_is_no_pile() -> None:
    """Where the cards stay nothing is piled up: rows grow outwards, past the place where piles lie elsewhere."""
    table = TableOfRows()
    table.put("E", {"S7": 0.999})
    table.wait(1)
    table.unseen, table.lying = [*table.unseen, *table.lying], []
    table.put("W", {"S8": 0.999}, shift=(-330, 0))
    table.wait(2)
    assert table.book() == [("Bo", "S7"), ("Carl", "S8")]


def tricks_of(*tricks: str) -> list[list[tuple[str, str]]]:
    """`"Bo:S5 Carl:S6", …` as the (player, card) pairs of each trick."""
    return [
        [(player, card) for player, card in (play.split(":") for play in trick.split())] for trick in tricks
    ]


def booked_tricks(table: Table) -> list[list[tuple[str, str]]]:
    """The (player, card) pairs of each trick, as they stand in the book."""
    return [[(play.player, play.card) for play in trick.plays] for trick in table.keeper.session.hand.tricks]


TRICKS = tricks_of(
    "Bo:S5 Carl:S6 Anna:S7",
    "Anna:C5 Bo:C6 Carl:C7",
    "Carl:S8 Anna:S9 Bo:S10",
    "Bo:C8 Carl:C9 Anna:C10",
    "Anna:D1 Bo:D2 Carl:D3",
)


def lay_in_row(table: Table, player: str, card: str, trick: int) -> None:
    """A card is slid over the last one of its player's row; `trick` counts from 0."""
    way = np.array(DIRECTIONS[SIDES[player]], np.float32)
    laid = table.put(SIDES[player], {card: 0.999}, shift=way * 30 * trick)
    laid.came_from_px = laid.center_px + way * 120


def test_a_lead_out_of_turn_in_rows_shifts_no_trick() -> None:
    """Bo leads to the second trick, though Anna is to lead."""
    tricks = tricks_of("Bo:S5 Carl:S6 Anna:S7", "Bo:C6 Carl:C7 Anna:C5", "Carl:S8 Anna:S9 Bo:S10")
    table, flagged = TableOfRows(), list[list[str]]()
    for at, trick in enumerate(tricks):
        for player, card in trick:
            lay_in_row(table, player, card, at)
            table.wait(1)
        flagged.append([finding.kind for finding in proved(table.keeper.session.hand)])
    assert booked_tricks(table) == tricks
    assert flagged == [[], ["lead_out_of_turn"], ["lead_out_of_turn"]]


@pytest.mark.parametrize("missing", [["C5"], ["C6"], ["C7"], ["S8"], ["C6", "S10"], ["C5", "C9"]])
def test_a_card_of_a_row_that_is_never_found_shifts_no_trick_and_accuses_nobody(missing: list[str]) -> None:
    """Nothing is swept away, so only the order of the cards tells that a trick was short of one."""
    table = TableOfRows()
    for at, trick in enumerate(TRICKS):
        for player, card in trick:
            lay_in_row(table, player, card, at)
            if card in missing:
                table.miss()
            table.wait(1)
            assert proved(table.keeper.session.hand) == []
    assert booked_tricks(table) == [[play for play in trick if play[1] not in missing] for trick in TRICKS]
