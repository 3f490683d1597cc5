"""A card out of turn is a fault. It is told only if the place of the card before it was seen bare in the meantime."""

import numpy as np
import pytest
from plain_table import TRICK, Table, seen_bare, votes

from tracker.events import PlayCorrected, TrickTaken
from vision.lab.rendering.layouts import place_card
from vision.picture import DIRECTIONS
from vision.reading.identifier import CLASSES
from vision.watching.expectation import Expectation
from vision.watching.motion import Motion, SmallPicture

HANDS = {
    "E": np.array([[650, 300], [1280, 300], [1280, 420], [650, 420]]),
    "W": np.array([[0, 300], [630, 300], [630, 420], [0, 420]]),
    "S": np.array([[590, 370], [690, 370], [690, 720], [590, 720]]),
}
"""A hand that rests on the card of each side, (4, 2) px."""


def begun() -> Table:
    """A table on which Bo has taken two tricks, so that he leads, and the seats are known."""
    table = seen_bare()
    for cards in (("DR", "D7", "D3"), ("CR", "C7", "C3")):
        table.lay(*zip("EWS", cards, strict=True))
        table.clear()
    return table


def lay(table: Table, side: str, **chances: float) -> None:
    """A card is seen to come from `side`."""
    card = table.put(side, chances)
    card.came_from_px = (card.center_px + np.array(DIRECTIONS[side]) * 150).astype(np.float32)
    table.wait(1)


def open_trick(table: Table) -> list[tuple[str, str]]:
    return table.book()[6:]


def faults(table: Table) -> list[str]:
    """Who is said to have played out of turn, and how."""
    hand = table.keeper.session.hand
    return [
        f"{finding.player} {finding.kind}"
        for finding in hand.findings
        if finding.kind in ("lead_out_of_turn", "play_out_of_turn")
    ]


def put_a_hand(table: Table, side: str) -> None:
    """A hand comes from `side` and rests where his cards lie; if one is under it, nothing of it is seen."""
    table.things.append(HANDS[side])
    table.wait(1)


def take_the_hand_away(table: Table, side: str, **chances: float) -> None:
    """The hand goes, and the card that lay under it is found, if there is one."""
    table.things = [thing for thing in table.things if thing is not HANDS[side]]
    if chances:
        table.put(side, chances)
    table.wait(1)


CARDS = {"Bo": "S7", "Carl": "SR", "Anna": "S3"}
BOTH = ["Carl lead_out_of_turn", "Bo play_out_of_turn"]


@pytest.mark.parametrize(
    ("told", "order", "faulted"),
    [
        pytest.param("E hand, W lays, E shows, S lays", "Bo Carl Anna", [], id="a hand lay on the lead"),
        pytest.param("E hand, W lays, 15 s, E shows, S lays", "Bo Carl Anna", [], id="and for long"),
        pytest.param("E lays, W hand, S lays, W shows", "Bo Carl Anna", [], id="on the second card"),
        pytest.param("E hand, W hand, S lays, E shows, W shows", "Bo Carl Anna", [], id="on both"),
        pytest.param("W lays, E lays", "Carl Bo", BOTH, id="its place was bare"),
        pytest.param("E hand, W lays, E goes, E hand, E shows", "Carl Bo", BOTH, id="the hand went and came again"),
        pytest.param("E hand, W lays, E goes, E lays", "Carl Bo", BOTH, id="the card was seen to come"),
        pytest.param("W lays, S hand, E lays, S shows", "Carl Anna Bo", BOTH[:1], id="after a lead out of turn"),
        pytest.param("S hand, E lays, S shows", "Bo Anna", ["Anna play_out_of_turn"], id="never before the lead"),
    ],
)  # fmt: skip
def test_a_card_was_played_before_those_that_came_while_a_hand_lay_on_it(
    told: str, order: str, faulted: list[str]
) -> None:
    """Bo, Carl and Anna are to play, E, W and S. As soon as the card is seen nobody is said to be out of turn."""
    table, of_side = begun(), dict(zip("EWS", CARDS.values(), strict=True))
    for step in told.split(", "):
        match step.split():
            case [side, "hand"]:
                put_a_hand(table, side)
            case [side, "goes"]:
                take_the_hand_away(table, side)
            case [side, "shows"]:
                take_the_hand_away(table, side, **{of_side[side]: 0.99})
            case [side, "lays"]:
                lay(table, side, **{of_side[side]: 0.99})
            case [seconds, "s"]:
                table.wait(int(seconds))
    assert open_trick(table) == [(player, CARDS[player]) for player in order.split()]
    assert faults(table) == faulted


def test_a_place_is_bare_also_in_another_light_than_when_the_last_trick_left() -> None:
    """Where a hand lies it is not."""
    cloth = np.random.default_rng(1).uniform(50, 60, (90, 160)).astype(np.float32)
    hand = cloth - 12
    hand[40:60, 70:100] = 110
    place_px = place_card((680, 400), 0.0, (80, 150))
    for picture, bare in ((cloth - 12, True), (hand, False)):
        motion = Motion()
        motion.update(SmallPicture(cloth, (1280, 720)), 0.0)
        motion.update(SmallPicture(picture, (1280, 720)), 1.0)
        assert motion.was_bare(place_px, 0.5, 1.5, []) is bare


def test_two_cards_laid_after_one_that_was_not_found_keep_their_order() -> None:
    """It lies there in full view, and the finder misses it."""
    table = begun()
    table.put("E", {"S7": 0.99})
    table.miss()
    table.wait(0.5)
    lay(table, "W", SR=0.99)
    lay(table, "S", S3=0.99)
    assert open_trick(table) == [("Carl", "SR"), ("Anna", "S3")]
    table.find_missed()
    table.wait(3)
    assert open_trick(table) == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "S3")]
    assert faults(table) == []


def test_a_lead_that_is_swept_before_it_was_named_was_played_first() -> None:
    """It is asked about, and its trick is taken after it."""
    table = begun()
    put_a_hand(table, "E")
    lay(table, "W", SR=0.99)
    lay(table, "S", S3=0.99)
    table.things.clear()
    table.put("E", {"T6": 0.5, "T9": 0.45})
    table.wait(0.5)
    assert open_trick(table) == [("Carl", "SR"), ("Anna", "S3")]
    *_, taken = table.sweep()
    assert isinstance(taken, TrickTaken)
    assert open_trick(table) == [("Bo", "T6"), ("Carl", "SR"), ("Anna", "S3")]
    assert faults(table) == []


def test_two_cards_that_are_swept_before_they_were_named_were_played_in_turn() -> None:
    table = begun()
    put_a_hand(table, "E")
    put_a_hand(table, "W")
    lay(table, "S", S3=0.99)
    table.things.clear()
    table.put("E", {"T6": 0.5, "T9": 0.45})
    table.put("W", {"T4": 0.5, "T14": 0.45})
    table.wait(0.5)
    assert open_trick(table) == [("Anna", "S3")]
    table.sweep()
    assert open_trick(table) == [("Bo", "T6"), ("Carl", "T4"), ("Anna", "S3")]
    assert isinstance(table.events[-1], TrickTaken) and faults(table) == []


def test_a_card_that_is_asked_about_is_asked_about_in_its_new_place() -> None:
    table = begun()
    put_a_hand(table, "E")
    lay(table, "W", T6=0.5, T9=0.45)
    table.wait(1)
    take_the_hand_away(table, "E", S7=0.99)
    assert open_trick(table) == [("Bo", "S7"), ("Carl", "T6")]
    seq, others = table.expectation().doubtful["T6"]
    table.enter(PlayCorrected(seq, card=others[0]))
    assert open_trick(table) == [("Bo", "S7"), ("Carl", "T9")]


def test_what_a_person_has_put_right_stays_where_it_is() -> None:
    table = begun()
    put_a_hand(table, "E")
    lay(table, "W", T6=0.5, T9=0.45)
    table.wait(1)
    table.enter(PlayCorrected(table.expectation().doubtful["T6"][0], card="T9"))
    table.wait(0.5)
    take_the_hand_away(table, "E", S7=0.99)
    assert open_trick(table) == [("Carl", "T9"), ("Bo", "S7")]


def test_what_is_laid_before_the_game_is_named_is_played_once_it_is() -> None:
    table = Table(told=Expectation((), (), (), frozenset(), waits=True))
    table.wait(1)
    table.lay(*TRICK[:2])
    assert table.wait(4) == []
    table.told = None
    table.wait(2)
    table.lay(TRICK[2])
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]


def test_a_card_that_took_over_the_track_of_a_box_below_it_is_his_who_was_seen_to_lay_it() -> None:
    """The box was a second one on Carl's king, and came with it. Anna's card is told from it half a second later."""
    table = begun()
    lay(table, "E", S7=0.99)
    box = table.put("W", {"SR": 0.999}, there=False)
    box.came_from_px = (box.center_px + np.array(DIRECTIONS["W"]) * 150).astype(np.float32)
    lay(table, "W", SR=0.99)
    box.was, box.log_votes = CLASSES.index("SR"), 4 * votes(S3=0.999)
    box.corners_px = table.put("W", {"S3": 0.99}, shift=(70, 40)).corners_px
    box.still_since_s = box.landed_s = table.time_s
    del table.lying[-1]
    table.wait(0.6)
    assert open_trick(table) == [("Bo", "S7"), ("Carl", "SR")]
    table.lying.remove(box)
    lay(table, "S", S3=0.99)
    assert open_trick(table) == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "S3")]


def test_a_trick_of_which_one_card_is_seen_to_leave_first_keeps_its_players() -> None:
    """The hand that gathers it hides the others. Nobody took that card back, and played another one."""
    table = begun()
    for side, card in (("E", "S7"), ("W", "SR")):
        lay(table, side, **{card: 0.99})
    table.put("W", {"S3": 0.99}, shift=(75, 60))
    table.wait(1)
    first, second, third = table.lying
    second.left = True
    table.lying.clear()
    table.lost = [first, third]
    table.wait(0.4)
    table.lost.clear()
    table.wait(1)
    assert table.book()[6:] == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "S3")]
    assert not [event for event in table.events if isinstance(event, PlayCorrected)]


@pytest.mark.parametrize("taken_by", ["E", "S"])
def test_a_card_that_another_player_took_is_not_taken_back(taken_by: str) -> None:
    """Anna's card lay alone: the others of its trick were not seen. What she lays next is no card in its place.

    It is if her own hand took the first one away.
    """
    table = begun()
    lay(table, "S", S3=0.99)
    table.lying[-1].left = True
    table.lost = table.lying[-1:]
    table.take(taken_by)
    table.lost.clear()
    lay(table, "E", S7=0.99)
    lay(table, "S", SR=0.99)
    assert ("S3" in table.plays()) == (taken_by == "E")
