"""What lies open and is no play: a talon and the group taken from it, discards, a vitamin, an open hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from plain_table import CARD_PX, resting_card, votes

from tracker.events import CardPlayed
from tracker.shown_cards import ShownCards
from vision.reading.identifier import CLASSES
from vision.watching.expectation import Expectation
from vision.watching.seats import SeatModel
from vision.watching.shown_cards import ShownCardReader
from vision.watching.sightings import Sighting
from vision.watching.table_cards import BookedCard

SIDES = {"Anna": "S", "Bo": "E", "Carl": "N", "Dora": "W"}
SIZE = (1280, 720)
TALON = ("T4", "S9", "C7", "DV", "H2", "T12")
GROUPS = (TALON[:2], TALON[2:4], TALON[4:])


def lying(number: int, card: str, x: float, y: float, landed_s: float = 0.0) -> Sighting:
    """A card at rest that was surely named, centred at `x`, `y` px."""
    return resting_card(number, {card: 1.0}, (x, y), landed_s)


def unread(card: Sighting) -> Sighting:
    """The same card, which can be named no better than by chance."""
    return replace(card, log_votes=np.zeros(len(CLASSES), np.float32))


def awaiting(kind: Any, count: int, **more: Any) -> ShownCards:
    """What the game awaits; the event is a play of all the cards, so that a test can read them."""
    return ShownCards(kind, count, lambda cards: CardPlayed("shown", " ".join(cards)), **more)


class Watched:
    """A table watched ten times a second."""

    def __init__(self) -> None:
        self.reader = ShownCardReader(SeatModel(SIDES))
        self.time_s = 0.0

    def look(
        self,
        cards: Sequence[Sighting],
        awaited: ShownCards | None,
        seconds: float = 2.0,
        *,
        untaken: bool = False,
        trick: tuple[tuple[str, str], ...] = (),
        played: frozenset[str] = frozenset(),
        doubtful: Mapping[str, tuple[int, tuple[str, ...]]] = MappingProxyType({}),
        thrown: frozenset[str] = frozenset(),
        over: bool = False,
        waits: bool = False,
    ) -> list[str]:
        """The cards of what was told while `cards` lay there for so many `seconds`; `over`: after the last trick."""
        told: list[str] = []
        active = () if over else tuple(SIDES)
        expected = Expectation(active, active, trick, played, doubtful, shown_cards=awaited, thrown=thrown)
        for _ in range(round(10 * seconds)):
            self.time_s += 0.1
            for event in self.reader.update(cards, {}, {}, untaken, expected, SIZE, self.time_s, waits):
                told.append(event.card)
        return told


def a_talon() -> list[Sighting]:
    return [lying(at, card, 200 + 160 * at, 360, 0.1 * at) for at, card in enumerate(TALON)]


def test_a_talon_is_told_in_the_order_in_which_it_came_and_no_card_of_it_is_a_play() -> None:
    watched, cards = Watched(), a_talon()
    shuffled = [cards[at] for at in (3, 0, 5, 1, 4, 2)]
    assert watched.look(shuffled, awaiting("talon", 6)) == [" ".join(TALON)]
    assert all(watched.reader.holds(card) for card in cards)


def test_five_cards_are_no_talon_yet_and_are_held() -> None:
    watched, cards = Watched(), a_talon()[:5]
    assert watched.look(cards, awaiting("talon", 6), 5.0) == []
    assert all(watched.reader.holds(card) for card in cards)


@pytest.mark.parametrize("group", [0, 1, 2])
def test_the_group_that_leaves_first_is_the_one_taken(group: int) -> None:
    watched, cards = Watched(), a_talon()
    watched.look(cards, awaiting("talon", 6))
    awaited = awaiting("group", 2, player="Bo", groups=GROUPS)
    assert watched.look(cards, awaited) == []
    left = [card for card in cards if card.number // 2 != group]
    assert watched.look(left, awaited)[:1] == [" ".join(GROUPS[group])]


def test_a_talon_that_has_left_unread_holds_nothing_back_any_more() -> None:
    watched = Watched()
    watched.look(a_talon()[:4], awaiting("talon", 6))
    watched.look([], awaiting("talon", 6), 3.0)
    lead = lying(20, "HR", 640, 430, watched.time_s)
    assert watched.look([lead], awaiting("talon", 6)) == []
    assert not watched.reader.holds(lead)


def test_cards_that_lie_across_are_a_trick_and_no_talon_any_more() -> None:
    """The game was named late, when the talon had been taken up."""
    watched, lead = Watched(), lying(1, "HR", 640, 430)
    assert watched.look([lead], awaiting("talon", 3)) == [] and watched.reader.holds(lead)
    across = lying(2, "H2", 700, 360, 2.0)
    across.corners_px = (CARD_PX[:, ::-1] * np.float32((1, -1)) + np.float32((700, 360))).astype(np.float32)
    third = lying(3, "H3", 640, 290, 3.0)
    assert watched.look([lead, across, third], awaiting("talon", 3)) == []
    assert not any(watched.reader.holds(card) for card in (lead, across, third))


def test_one_trump_before_its_player_is_laid_where_backs_lie_beside_it_and_else_played() -> None:
    awaited = awaiting("discard", 6, player="Anna", among=frozenset({"T5", "T6"}), beside_backs=True)
    trump, suit, back = lying(1, "T5", 640, 600), lying(2, "S5", 740, 600), lying(3, "none", 540, 600)
    assert not back.face
    for cards, told in (([trump], []), ([suit, back], []), ([trump, suit, back], ["T5"])):
        watched = Watched()
        assert watched.look(cards, awaited) == told
        assert [watched.reader.holds(card) for card in (trump, suit)] == [bool(told), False]


def test_what_may_be_something_else_is_not_told_as_laid_and_is_then_forgotten() -> None:
    watched, awaited = Watched(), awaiting("discard", 6, player="Anna")
    cards = [lying(at, card, 500 + 90 * at, 600) for at, card in enumerate(("T5", "T6", "T7"))]
    assert watched.look(cards, awaited, waits=True) == []
    watched.reader.forget_named()
    assert watched.look([], awaited) == []
    unsure = unread(cards[2])
    assert watched.look([*cards[:2], unsure], awaited) == [], "one of them cannot be read"
    assert watched.look(cards, awaited) == ["T5 T6 T7"]


def test_a_card_far_out_before_the_declarer_is_laid_open_and_one_in_the_middle_is_a_play() -> None:
    watched = Watched()
    laid, lead = lying(1, "T5", 640, 600), lying(2, "HR", 640, 440)
    assert watched.look([laid, lead], awaiting("discard", 2, player="Anna")) == ["T5"]
    assert watched.reader.holds(laid) and not watched.reader.holds(lead)


def test_a_card_that_comes_onto_a_complete_trick_is_its_vitamin() -> None:
    watched, vitamin = Watched(), lying(9, "D3", 640, 360)
    assert watched.look([vitamin], awaiting("vitamin", 1), untaken=True) == ["D3"]
    assert watched.reader.holds(vitamin)
    # It stays no play while it lies there, also when the next lead is awaited.
    watched.look([vitamin], None)
    assert watched.reader.holds(vitamin)


def test_a_card_that_comes_when_the_trick_was_taken_is_the_next_lead() -> None:
    watched, lead = Watched(), lying(9, "D3", 640, 360)
    assert watched.look([lead], awaiting("vitamin", 1), untaken=False) == []
    assert not watched.reader.holds(lead)


def test_a_hand_laid_open_is_told_and_its_card_is_a_play_once_it_lies_elsewhere() -> None:
    names = ["S7", "S8", "C7", "C8", "H4", "H3", "D4", "D3", "D2", "T2", "T3"]
    watched = Watched()
    hand = [lying(at, card, 100 + 100 * at, 640) for at, card in enumerate(names)]
    assert watched.look(hand, awaiting("hand", 11, player="Anna")) == [" ".join(names)]
    played = lying(0, "S7", 640, 300, watched.time_s)
    watched.look([played, *hand[1:]], None)
    assert not watched.reader.holds(played) and all(watched.reader.holds(card) for card in hand[1:])


OPEN = ("S7", "S8", "C7", "C8", "H4")


def test_of_an_open_hand_its_cards_are_gathered_as_they_are_played_and_as_more_of_them_can_be_read() -> None:
    watched = Watched()
    hand = {card: lying(at, card, 100 + 60 * at, 640) for at, card in enumerate(OPEN)}
    read = [hand["S7"], hand["S8"], unread(hand["C7"]), hand["C8"], hand["H4"]]
    assert watched.look(read, awaiting("hand", 5, player="Anna")) == []
    assert watched.look(read[1:], awaiting("hand", 5, player="Anna", among=frozenset({"S7"}))) == []
    less = [hand["S8"], hand["C7"], hand["H4"]]
    played = awaiting("hand", 5, player="Anna", among=frozenset({"S7", "C8"}))
    assert watched.look(less, played, doubtful={"C8": (4, ("C9",))}) == [], "what was played is in doubt"
    (told,) = watched.look(less, played)
    assert set(told.split()) == set(OPEN)


def test_what_reads_as_a_card_that_another_played_is_none_of_an_open_hand() -> None:
    watched, awaited = Watched(), awaiting("hand", 5, player="Anna")
    hand = [lying(at, card, 100 + 60 * at, 640) for at, card in enumerate(OPEN)]
    assert watched.look(hand, awaited, played=frozenset({"S8"})) == []


def test_a_play_waits_for_no_open_hand_once_the_next_trick_is_led() -> None:
    watched, lead = Watched(), lying(20, "HR", 640, 260)
    for more in ({"among": frozenset({"S7"})}, {}):
        lead.landed_s = watched.time_s
        trick = () if more else (("Bo", "S3"),)
        watched.look([lead], awaiting("hand", 11, player="Anna", **more), 0.5, trick=trick)
        assert not watched.reader.holds(lead)


def test_what_is_laid_while_a_hand_lies_open_is_no_part_of_it() -> None:
    watched, awaited = Watched(), awaiting("hand", 11, player="Anna")
    hand = [lying(at, card, 100 + 40 * at, 640) for at, card in enumerate(("S7", "S8", "C7", "C8", "H4"))]
    assert watched.look(hand, awaited) == [], "six of its cards cannot be read"
    lead = lying(20, "HR", 640, 260, watched.time_s)
    watched.look([*hand, lead], awaited, 0.5)
    assert not watched.reader.holds(lead) and all(watched.reader.holds(card) for card in hand)


def test_a_card_at_the_end_of_an_open_hand_is_no_play_as_its_box_wavers_or_as_it_is_picked_up() -> None:
    """Its box lies on the next one's spot."""
    watched, awaited = Watched(), awaiting("hand", 11, player="Anna")
    hand = [lying(at, card, 100 + 35 * at, 640) for at, card in enumerate(("S7", "S8", "C7", "C8"))]
    watched.look(hand, awaited, 1.0)
    end = replace(hand[-1], corners_px=hand[-1].corners_px + np.float32((14, 0)))
    watched.look([*hand[:-1], end], None)
    assert watched.reader.holds(end)
    picked_up = replace(
        end, corners_px=end.corners_px - np.float32((0, 300)), still_since_s=watched.time_s + 0.1
    )
    watched.look([*hand[:-1], picked_up], None, 0.2)
    assert watched.reader.holds(picked_up), "it is on its way"
    watched.look([*hand[:-1], picked_up], None)
    assert not watched.reader.holds(picked_up)


def test_the_end_of_an_open_hand_is_no_play_while_what_joins_it_to_the_others_comes_to_rest() -> None:
    watched, awaited = Watched(), awaiting("hand", 11, player="Anna")
    hand = [lying(at, card, 100 + 60 * at, 640) for at, card in enumerate(OPEN[:4])]
    end, between = lying(20, "T2", 440, 640), lying(21, "H4", 360, 640, 0.6)
    for _ in range(15):
        watched.look([*hand, between, end], awaited, 0.1)
        assert watched.reader.holds(end)


def test_a_name_of_an_open_hand_that_is_mostly_covered_is_not_trusted() -> None:
    watched = Watched()
    hand = [lying(at, card, 100 + 25 * at, 640) for at, card in enumerate(OPEN)]
    assert watched.look(hand, awaiting("hand", 5, player="Anna")) == []


def test_a_box_that_comes_late_among_the_cards_of_an_open_hand_is_no_play() -> None:
    watched, awaited = Watched(), awaiting("hand", 11, player="Anna")
    hand = [lying(at, card, 100 + 70 * at, 640) for at, card in enumerate(("S7", "S8", "C7", "C8", "H4"))]
    watched.look(hand, awaited, 1.0)
    end, between = lying(20, "T2", 450, 640, 1.0), lying(21, "D3", 275, 640, 9.0)
    watched.look([*hand, end], awaited, 1.0)
    watched.look([*hand, end, between], None)
    assert watched.reader.holds(end), "it came with the others"
    assert watched.reader.holds(between)


def test_in_a_row_only_what_lies_on_top_is_new() -> None:
    row = [lying(at, card, 640, 400 + 30 * at) for at, card in enumerate(("C10", "C7", "C8", "S7"))]
    part, top, across = lying(10, "D8", 640, 400), lying(11, "HR", 640, 520), lying(12, "SR", 640, 220)
    booked = {card.number: BookedCard("C10", False, "Anna") for card in row}
    for stays in (True, False):
        reader = ShownCardReader(SeatModel(SIDES))
        now = Expectation(tuple(SIDES), tuple(SIDES), (), frozenset(), stays=stays)
        places_px = {"Anna": [card.corners_px for card in row]}
        reader.update([part, top, across], booked, places_px, False, now, SIZE, 3.0)
        assert reader.holds(part) is stays and not reader.holds(top) and not reader.holds(across)


def test_a_single_card_after_the_first_trick_waits_a_moment_and_is_then_the_lead() -> None:
    watched = Watched()
    lead = lying(1, "S7", 640, 440)
    watched.look([lead], awaiting("hand", 11, player="Anna"), 1.0)
    assert watched.reader.holds(lead)
    watched.look([lead], awaiting("hand", 11, player="Anna"), 3.0)
    assert not watched.reader.holds(lead)


def test_the_rest_of_the_talon_thrown_onto_a_trick_is_no_play_also_where_it_is_read_badly() -> None:
    rest = frozenset({"DR", "C9", "T16"})
    for thrown in (rest, frozenset[str]()):
        watched = Watched()
        king, next_play = lying(1, "SR", 640, 440), lying(5, "S7", 560, 360, 2.0)
        cards = [lying(2, "DR", 620, 430, 1.0), lying(3, "C9", 660, 430, 1.0), lying(4, "T16", 640, 400, 1.0)]
        cards[2].log_votes = 2 * votes(T16=0.8)  # two of its four looks count
        watched.look([king, *cards, next_play], None, thrown=thrown, trick=(("Bo", "SR"),))
        assert [watched.reader.holds(card) for card in cards] == [bool(thrown)] * 3
        assert not watched.reader.holds(king) and not watched.reader.holds(next_play)


WON = frozenset({"S4", "DV", "H2"})


def test_a_card_won_before_that_lies_there_alone_is_handed_across() -> None:
    watched, given, lead = Watched(), lying(1, "S4", 640, 90), lying(2, "HR", 640, 440)
    assert watched.look([given, lead], awaiting("gift", 1, player="Bo", among=WON)) == ["S4"]
    assert watched.reader.holds(given) and not watched.reader.holds(lead)


def test_an_earlier_trick_that_is_looked_at_is_no_card_handed_across() -> None:
    watched, awaited = Watched(), awaiting("gift", 1, player="Bo", among=WON)
    trick = [lying(at, card, 500 + 100 * at, 300) for at, card in enumerate(("S4", "DV", "H2"))]
    assert watched.look(trick, awaited) == []
    watched.look([], awaited)
    assert watched.look([lying(9, "DV", 640, 90, watched.time_s)], awaited) == ["DV"]


@pytest.mark.parametrize(
    ("x", "y", "told"),
    [(830, 360, ["S4"]), (640, 360, []), (640, 550, []), (830, 550, []), (450, 360, [])],
    ids=["before its receiver", "in the middle", "before its giver", "between them", "before another"],
)
def test_after_the_last_trick_a_card_is_handed_across_only_before_its_receiver(
    x: float, y: float, told: list[str]
) -> None:
    """Then everybody counts his tricks, card by card."""
    watched, awaited = Watched(), awaiting("gift", 1, player="Anna", receiver="Bo", among=WON)
    assert watched.look([lying(1, "S4", x, y)], awaited, over=True) == told


def test_a_card_of_the_trick_that_is_not_taken_yet_is_not_handed_across() -> None:
    watched = Watched()
    awaited = awaiting("gift", 1, player="Bo", among=WON)
    assert watched.look([lying(1, "S4", 640, 440)], awaited, untaken=True) == []


def test_without_anything_awaited_nothing_is_held() -> None:
    watched, card = Watched(), lying(1, "S7", 640, 440)
    assert watched.look([card], None) == [] and not watched.reader.holds(card)
