"""Trumps that a player shows of his hand and takes up again: they are no plays, and are told once all are read."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from plain_table import resting_card

from tracker.events import CardPlayed
from tracker.shown_cards import MayReveal, ShownCards
from vision.watching.expectation import Expectation
from vision.watching.revealed import RevealedCardReader
from vision.watching.seats import SeatModel
from vision.watching.sightings import Sighting

SIDES = {"Anna": "S", "Bo": "E", "Carl": "N", "Dora": "W", "Erik": "W"}
SIZE = (1280, 720)
TRUMPS = (*(f"T{rank}" for rank in range(1, 22)), "F")
HANDFUL = ("T21", "T20", "T17", "T14", "T13", "T11", "T10", "T9")
BEFORE = {"S": (340, 620), "E": (880, 360), "W": (400, 360)}


def row(cards: Sequence[str], side: str = "S") -> list[Sighting]:
    """The `cards` side by side before the player of a side, each over half of the one before it."""
    x, y = BEFORE[side]
    return [resting_card(at, {card: 1.0}, (x + 40 * at, y), 0.0) for at, card in enumerate(cards)]


def may(player: str, *, now: bool = True, played: bool = False) -> MayReveal:
    """What `player` may show; the event is a play of all the cards, so that a test can read them."""
    return MayReveal(
        player, frozenset({8, 10}), TRUMPS, lambda cards: CardPlayed(player, " ".join(cards)), now, played
    )


class Watched:
    """A table watched ten times a second."""

    def __init__(self) -> None:
        self.reader = RevealedCardReader(SeatModel(SIDES))
        self.time_s = 0.0

    def look(
        self, cards: Sequence[Sighting], *shown: MayReveal, seconds: float = 2.0
    ) -> list[tuple[str, str]]:
        """Who was told to show which cards while `cards` lay there for so many `seconds`."""
        told = []
        expected = Expectation(tuple(SIDES), tuple(SIDES), (), frozenset(), may_reveal=shown)
        for _ in range(round(10 * seconds)):
            self.time_s += 0.1
            for event in self.reader.update(cards, {}, expected, SIZE, self.time_s):
                told.append((event.player, event.card))
        return told

    def look_at_discard(self, cards: Sequence[Sighting]) -> None:
        """Look at `cards` while up to six laid ones are awaited."""
        laid = ShownCards("discard", 6, lambda cards: CardPlayed("Anna", " ".join(cards)), "Anna")
        expected = Expectation(
            tuple(SIDES), tuple(SIDES), (), frozenset(), shown_cards=laid, may_reveal=(may("Anna"),)
        )
        for _ in range(35):
            self.time_s += 0.1
            assert self.reader.update(cards, {}, expected, SIZE, self.time_s) == []

    def holds(self, cards: Sequence[Sighting]) -> list[bool]:
        return [self.reader.holds(card) for card in cards]


def test_a_handful_is_told_once_and_no_card_of_it_is_a_play() -> None:
    watched, cards = Watched(), row(HANDFUL)
    assert watched.look(cards, may("Anna"), seconds=9.0) == [("Anna", " ".join(HANDFUL))]
    assert all(watched.holds(cards))
    watched.look([], may("Anna"))
    lead = resting_card(20, {"T9": 1.0}, (600, 600), watched.time_s)
    watched.look([lead], may("Anna"))
    assert not watched.reader.holds(lead), "it was taken up, and a card of it is played there"


def test_cards_that_are_read_as_two_trumps_are_told_apart_by_their_order() -> None:
    watched, cards = Watched(), row(HANDFUL)
    cards[1] = resting_card(1, {"T20": 0.6, "T17": 0.4}, (380, 620))
    cards[2] = resting_card(2, {"T14": 0.8, "T17": 0.2}, (420, 620))
    assert watched.look(cards, may("Anna")) == [("Anna", " ".join(HANDFUL))]


def test_where_they_lie_in_no_order_a_doubtful_one_has_no_name_of_another() -> None:
    names = ("T21", "T9", "T17", "T20", "T2", "T11", "T10", "T14")
    watched, cards = Watched(), row(names)
    cards[3] = resting_card(3, {"T17": 0.7, "T20": 0.3}, (460, 620))
    assert watched.look(cards, may("Anna")) == [("Anna", " ".join(names))]


def test_a_box_between_two_cards_is_none() -> None:
    watched, cards = Watched(), row(HANDFUL)
    between = resting_card(20, {"T13": 1.0}, (340 + 40 * 4 + 20, 620))
    assert watched.look([*cards, between], may("Anna")) == [("Anna", " ".join(HANDFUL))]


@pytest.mark.parametrize(
    "cards",
    [
        [*row(HANDFUL)[:3], *row((*HANDFUL, "T7"))[4:]],
        row(HANDFUL[:7]),
        row((*HANDFUL, "T8")),
        [*row(HANDFUL[:7]), resting_card(7, {"T9": 0.5, "T8": 0.5}, (620, 620))],
    ],
    ids=["one is not found", "too few", "one too many", "one is T9 or T8"],
)
def test_what_is_not_surely_a_handful_is_not_told_and_is_no_play(cards: list[Sighting]) -> None:
    watched = Watched()
    assert watched.look(cards, may("Anna")) == []
    assert all(watched.holds(cards))


def test_a_handful_laid_before_its_players_turn_is_told_once_it_is() -> None:
    watched, cards = Watched(), row(HANDFUL, "E")
    assert watched.look(cards, may("Anna"), may("Bo", now=False)) == []
    assert watched.look(cards, may("Anna", played=True), may("Bo")) == [("Bo", " ".join(HANDFUL))]


def test_a_handful_that_was_there_before_his_first_card_is_told_after_it_and_no_other_is() -> None:
    watched, cards = Watched(), row(HANDFUL)
    watched.look(cards, may("Anna"), seconds=0.3)
    assert watched.look(cards, may("Anna", played=True)) == [("Anna", " ".join(HANDFUL))]
    watched = Watched()
    assert watched.look(cards, may("Anna", played=True), may("Bo", now=False)) == []
    assert all(watched.holds(cards))


def test_of_two_who_share_a_side_he_shows_whose_turn_it_is() -> None:
    for turn in ("Dora", "Erik"):
        watched, cards = Watched(), row(HANDFUL, "W")
        shown = [may(player, now=player == turn) for player in ("Carl", "Dora", "Erik")]
        assert watched.look(cards, *shown) == [(turn, " ".join(HANDFUL))]


def test_cards_laid_one_by_one_far_from_the_middle_wait_for_the_next_and_a_play_waits_no_longer() -> None:
    watched = Watched()
    cards = [replace(card, landed_s=0.8 * at) for at, card in enumerate(row(HANDFUL))]
    for at in range(1, len(cards) + 1):
        watched.look(cards[:at], may("Anna"), seconds=0.8)
        assert all(watched.holds(cards[:at]))
    watched = Watched()
    far, near = resting_card(1, {"T5": 1.0}, (640, 640)), resting_card(2, {"S5": 1.0}, (640, 440))
    watched.look([far, near], may("Anna"), seconds=1.0)
    assert watched.holds([far, near]) == [True, False]
    watched.look([far, near], may("Anna"), seconds=1.0)
    assert watched.holds([far, near]) == [False, False]


def test_as_many_cards_as_may_be_laid_are_not_revealed_for_certain() -> None:
    watched = Watched()
    watched.look_at_discard(row(HANDFUL[:6]))
    assert not any(map(watched.reader.has, row(HANDFUL[:6]))) and watched.reader.undecided == set()
    watched.look_at_discard(row(HANDFUL[:7]))
    assert all(map(watched.reader.has, row(HANDFUL[:7])))


def test_a_card_that_leaves_while_it_may_still_be_shown_was_a_play() -> None:
    watched, far = Watched(), resting_card(1, {"T5": 1.0}, (640, 640))
    watched.look([far], may("Anna"), seconds=0.5)
    assert watched.reader.holds(far)
    far.left = True
    assert not watched.reader.holds(far)


def test_a_hand_that_is_thrown_in_is_no_play_in_any_game() -> None:
    watched, cards = Watched(), row(HANDFUL)
    assert watched.look(cards) == [] and all(watched.holds(cards)) and watched.reader.lies_open


def test_as_many_cards_as_a_trick_has_are_no_hand() -> None:
    """They came one after the other, and one at a time."""
    watched = Watched()
    cards = [
        resting_card(at, {card: 1.0}, (340 + 40 * at, 620), 0.5 * at) for at, card in enumerate(TRUMPS[:5])
    ]
    assert watched.look(cards, seconds=5) == [] and not any(watched.holds(cards))


def test_three_cards_that_one_hand_lays_down_at_once_are_no_plays() -> None:
    watched, cards = Watched(), row(HANDFUL[:3])
    assert watched.look(cards) == [] and all(watched.holds(cards))


def test_three_cards_of_a_trick_that_come_into_view_at_once_are_plays() -> None:
    watched, cards = Watched(), row(HANDFUL[:3])
    cards[1].corners_px = np.roll(cards[1].corners_px, 1, axis=0)
    assert watched.look(cards) == [] and not any(watched.holds(cards))


def test_what_is_shown_at_another_time_is_not_told_and_is_no_play() -> None:
    watched, cards = Watched(), row(HANDFUL)
    never = replace(may("Anna", played=True), counts=frozenset())
    far = resting_card(30, {"T5": 1.0}, (640, 640))
    assert watched.look([far], never, seconds=0.5) == [] and not watched.reader.holds(far)
    assert watched.look(cards, never) == [] and all(watched.holds(cards))


def test_boxes_on_one_card_are_no_hand() -> None:
    """It is found as a whole and in parts, all of which read alike but for one."""
    watched, cards = Watched(), row(("T5", "T5", "T5", "C5"))
    assert watched.look(cards) == [] and not any(watched.holds(cards))


def test_of_three_cards_that_come_at_once_one_may_be_hard_to_read() -> None:
    watched = Watched()
    cards = [*row(HANDFUL[:2]), resting_card(2, {"T17": 0.7, "T12": 0.3}, (420, 620), 0.0)]
    assert watched.look(cards) == [] and all(watched.holds(cards))
