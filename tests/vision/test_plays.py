"""From sightings to plays: who played, what is asked about, what is no play at all."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, HandStarted, PlayCorrected, PlaysTakenBack, TrickTaken
from vision.picture import DIRECTIONS, NOT_A_CARD
from vision.reading.identifier import CLASSES
from vision.watching.plays import Expectation, PlayReader
from vision.watching.sightings import FORGET_S, PATIENCE_S, Sighting

SIDES = {"Anna": "S", "Bo": "E", "Carl": "W"}
ORDER = ("Bo", "Carl", "Anna")
MIDDLE = np.array([640, 360], np.float32)


def votes(**chances: float) -> np.ndarray:
    """A log-vote row from probabilities by card name; what is left goes evenly to the others."""
    rest = (1 - sum(chances.values())) / (len(CLASSES) - len(chances))
    return np.log(np.array([chances.get(name, max(rest, 1e-6)) for name in CLASSES], np.float32))


@dataclass
class Table:
    """A table seen without a camera: sightings are put down and taken away, time passes, events come out."""

    reader: PlayReader = field(default_factory=lambda: PlayReader(SIDES))
    lying: list[Sighting] = field(default_factory=list)
    boxes: set[int] = field(default_factory=set)
    things: list[np.ndarray] = field(default_factory=list)
    light: float = 1.0
    events: list[Event] = field(default_factory=list)
    time_s: float = 0.0
    number: int = 0
    active: tuple[str, ...] = ORDER
    gone: list[Sighting] = field(default_factory=list)

    def expectation(self) -> Expectation:
        book: dict[int, CardPlayed] = {}
        for seq, event in enumerate(self.events, 1):
            if isinstance(event, CardPlayed):
                book[seq] = event
            elif isinstance(event, PlaysTakenBack):
                del book[max(book)]
            elif isinstance(event, PlayCorrected):
                book[event.seq] = CardPlayed(book[event.seq].player, event.card or book[event.seq].card)
        plays = [(play.player, play.card) for play in book.values()]
        open_trick = tuple(plays[len(plays) // 3 * 3 :])
        done = {player for player, _ in open_trick}
        to_play = next(player for player in ORDER if player not in done)
        doubtful = {e.card: (seq, e.alternatives) for seq, e in book.items() if e.alternatives}
        played = frozenset(card for _, card in plays)
        numbers = {play.card: seq for seq, play in book.items()}
        return Expectation(self.active, to_play, open_trick, played, doubtful, numbers)

    def plays(self) -> list[str]:
        """The cards played, as they stand in the book."""
        return list(self.expectation().numbers)

    def put(
        self, side: str, chances: dict[str, float], shift: Sequence[float] = (0, 0), there: bool = True
    ) -> Sighting:
        """A card comes to lie; one that is not `there` is a box only, across what else lies there."""
        at = MIDDLE + np.array(DIRECTIONS[side]) * 95 + np.array(shift)
        broad, high = (41, 75) if side in "SN" else (75, 41)
        corners = np.array([[-broad, -high], [broad, -high], [broad, high], [-broad, high]], np.float32)
        if side in "EW":
            corners = np.roll(corners, 1, axis=0)
        self.number += 1
        sighting = Sighting(
            self.number, (corners + at).astype(np.float32), 3.0, self.time_s, self.time_s, self.time_s
        )
        sighting.best_score, sighting.landed_s = 0.9, self.time_s
        sighting.looks, sighting.log_votes = 4, 4 * votes(**chances)
        self.lying.append(sighting)
        if not there:
            self.boxes.add(sighting.number)
        return sighting

    def lay(self, *plays: tuple[str, str]) -> None:
        """Sure cards, laid one after the other from a side each."""
        for side, card in plays:
            self.put(side, {card: 0.99})
            self.wait(1)

    def under(self, thing: np.ndarray, seconds: float) -> list[Event]:
        """A thing lies over all the cards for a while, and none of them is found; it is gone with the next frame."""
        self.lying.clear()
        self.things.append(thing)
        events = self.wait(seconds)
        self.things.pop()
        return events

    def wait(self, seconds: float) -> list[Event]:
        """Let time pass in frames of 0.1 s; returns the events of that time."""
        before = len(self.events)
        for _ in range(round(seconds * 10)):
            self.time_s = round(self.time_s + 0.1, 3)
            for sighting in self.lying:
                sighting.seen_s = self.time_s
            frame = np.full((720, 1280, 3), 40, np.uint8)
            cards = (s.corners_px for s in self.lying if s.number not in self.boxes)
            for shape in (*self.things, *cards):
                cv2.fillConvexPoly(frame, np.round(shape).astype(np.int32), (230, 230, 230))
            frame = np.round(self.light * frame).astype(np.uint8)
            self.events += self.reader.update(frame, self.lying, self.gone, self.expectation(), self.time_s)
            self.gone.clear()
        return self.events[before:]

    def clear(self) -> list[Event]:
        """The cards leave."""
        self.lying.clear()
        return self.wait(0.5)

    def sweep(self) -> list[Event]:
        """The cards leave together, seen to move a little before they are lost under the hand."""
        gone = [sighting for sighting in self.lying if sighting.number not in self.reader.read]
        for sighting in gone:
            sighting.lay_s, sighting.stale = sighting.still_for(self.time_s), True
            sighting.still_since_s = self.time_s
        self.lying.clear()
        before = len(self.events)
        frame = np.full((720, 1280, 3), 40, np.uint8)
        self.time_s += FORGET_S
        self.events += self.reader.update(frame, (), gone, self.expectation(), self.time_s)
        self.wait(0.3)
        return self.events[before:]


def test_three_cards_in_turn_are_three_plays() -> None:
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    assert [(e.player, e.card) for e in table.events] == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
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


def test_a_card_out_of_turn_is_booked_for_the_side_it_lies_at() -> None:
    """Bo is to lead, but the card lies before Anna: the play is hers, for the tracker to judge."""
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    table.clear()
    table.put("S", {"H4": 0.99}, shift=(0, 25))
    assert [(e.player, e.card) for e in table.wait(1)] == [("Anna", "H4")]


def test_a_nudged_card_is_no_new_play() -> None:
    table = Table()
    table.put("E", {"S7": 0.99})
    table.wait(1)
    table.lying.clear()
    table.put("E", {"S7": 0.99}, shift=(-60, 30))
    assert table.wait(2) == []


def test_what_is_no_card_is_no_play() -> None:
    table = Table()
    table.put("E", {NOT_A_CARD: 0.9})
    assert table.wait(5) == []


def test_a_back_is_no_play() -> None:
    table = Table()
    table.put("E", {"S7": 0.99}).face_score = -3.0
    assert table.wait(5) == []


def test_a_trick_passing_by_face_up_is_no_new_play() -> None:
    """A card of an earlier trick lies still for a moment on its way to the pile."""
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    table.clear()
    table.put("W", {"SR": 0.99}, shift=(-250, 0))
    assert table.wait(1.0) == []


def test_the_same_card_seen_twice_is_read_as_its_second_best() -> None:
    """Each card once: S7 lies on the table already, so the other reading of the new card is likelier."""
    table = Table()
    table.put("E", {"S7": 0.99})
    table.wait(1)
    table.put("W", {"S7": 0.55, "C7": 0.44})
    assert [e.card for e in table.wait(2)] == ["C7"]


def test_an_unsure_card_is_booked_before_a_sure_one_that_was_laid_later() -> None:
    table = Table()
    table.put("E", {"T6": 0.5, "T9": 0.45})
    table.wait(0.6)
    table.put("W", {"SR": 0.99})
    assert [(e.player, e.card) for e in table.wait(0.5)] == [("Bo", "T6"), ("Carl", "SR")]


def test_an_unsure_card_that_is_swept_before_it_was_named_is_booked_and_asked_about() -> None:
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR")):
        table.put(side, {card: 0.99})
        table.wait(1)
    table.put("S", {"T6": 0.5, "T9": 0.45})
    assert table.wait(0.9) == []
    play, taken = table.sweep()
    assert isinstance(play, CardPlayed) and isinstance(taken, TrickTaken)
    assert (play.player, play.card, play.alternatives[0]) == ("Anna", "T6", "T9")


def test_of_two_cards_laid_at_once_the_one_whose_turn_it_is_comes_first() -> None:
    table = Table()
    table.put("W", {"SR": 0.99})
    table.wait(0.1)
    table.put("E", {"S7": 0.99})
    assert [(e.player, e.card) for e in table.wait(0.8)] == [("Bo", "S7"), ("Carl", "SR")]


def test_a_card_hardly_found_and_hardly_named_is_never_asked_about() -> None:
    """The edge of a pile, read as no card in particular."""
    table = Table()
    table.put("E", {"T13": 0.03, "T12": 0.028}).best_score = 0.4
    assert table.wait(3) == []


def test_a_sheet_of_paper_is_no_card_whatever_it_reads_as() -> None:
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    sheet = table.put("N", {"S4": 0.99})
    sheet.corners_px, sheet.best_score = sheet.corners_px * np.float32(2.3), 0.3
    assert table.wait(3) == []


@pytest.mark.parametrize(("there_before", "booked"), [(True, []), (False, ["T21"])])
def test_what_lay_there_all_along_is_no_play(there_before: bool, booked: list[str]) -> None:
    """A stack of chips that is taken for a card now; but a card that comes to the same bare place is played."""
    table = Table()
    thing = table.put("E", {"T21": 0.99})
    table.lying.clear()
    if there_before:
        table.things.append(thing.corners_px)
    table.wait(7)
    table.put("E", {"T21": 0.99})
    assert [e.card for e in table.wait(5)] == booked


def test_a_card_that_lies_there_when_the_watching_begins_is_a_play() -> None:
    """The program is started again in the middle of a trick."""
    table = Table()
    table.put("E", {"S7": 0.99})
    assert [e.card for e in table.wait(5)] == ["S7"]


def test_a_card_named_late_is_a_play_though_it_has_long_lain_still() -> None:
    """A glare lies over it for half a minute; it came after the last trick was taken."""
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    table.clear()
    table.wait(3)
    late = table.put("E", {NOT_A_CARD: 0.99})
    table.wait(30)
    late.log_votes = 4 * votes(S8=0.99)
    assert [e.card for e in table.wait(1)] == ["S8"]


@pytest.mark.parametrize(("score", "booked"), [(0.4, []), (0.9, ["T21"])])
def test_the_last_card_left_is_not_read_into_anything(score: float, booked: list[str]) -> None:
    """All but T21 was played: what reads as any trump is nothing, or asked about if it is a card for sure."""
    table = Table()
    table.events += [CardPlayed(ORDER[k % 3], card) for k, card in enumerate(CARDS) if card != "T21"]
    table.wait(1)
    trumps = {"T1": 0.1, "T3": 0.098, "T9": 0.08, "T7": 0.078, "T5": 0.07, "T2": 0.06, "T4": 0.06}
    table.put("E", trumps).best_score = score
    plays = [event for event in table.wait(5) if isinstance(event, CardPlayed)]
    assert [play.card for play in plays] == booked and all(play.alternatives for play in plays)


def test_a_card_seen_for_certain_settles_an_earlier_doubt_about_it() -> None:
    """T13 or T9? When T13 is played for all to see, the first card was T9."""
    table = Table()
    table.put("E", {"T13": 0.6, "T9": 0.39})
    (doubtful,) = table.wait(2)
    assert doubtful.card == "T13" and doubtful.alternatives == ("T9",)
    table.put("W", {"T13": 0.999})
    correction, play = table.wait(1)
    assert correction == PlayCorrected(1, card="T9")
    assert (play.player, play.card, play.alternatives) == ("Carl", "T13", ())


def test_a_doubt_between_several_names_is_not_settled_by_one_of_them_seen_elsewhere() -> None:
    table = Table()
    table.put("E", {"T13": 0.4, "T9": 0.3, "T3": 0.29})
    table.wait(2)
    table.put("W", {"T13": 0.999})
    (play,) = table.wait(2)
    assert isinstance(play, CardPlayed) and "T13" in play.alternatives


def test_a_doubtful_card_seen_on_the_pile_is_no_second_one() -> None:
    table = Table()
    table.put("E", {"T13": 0.6, "T9": 0.39})
    table.wait(2)
    for side, card in (("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    assert isinstance(table.clear()[-1], TrickTaken)
    table.put("S", {"T13": 0.999}, shift=(-200, 140))
    assert table.wait(1) == []


@pytest.mark.parametrize(("shift", "settled"), [(0, [PlayCorrected(1, card="T13")]), (-190, [])])
def test_a_doubtful_card_seen_better_where_it_lies_is_no_longer_doubtful(
    shift: int, settled: list[Event]
) -> None:
    """An arm was over it; what is seen then for certain is no second card. Elsewhere it may be one."""
    table = Table()
    table.put("E", {"T13": 0.6, "T9": 0.39})
    table.wait(2)
    table.lying.clear()
    table.wait(0.5)
    table.put("E", {"T13": 0.999}, shift=(shift, 0))
    assert table.wait(1) == settled


@pytest.mark.parametrize("by_a_person", [True, False])
def test_a_card_put_right_goes_by_its_new_name(by_a_person: bool) -> None:
    """T13 is corrected to T9; nudged and read better, T9 is no new play."""
    table = Table()
    table.put("E", {"T13": 0.6, "T9": 0.39})
    table.wait(2)
    if by_a_person:
        table.events.append(PlayCorrected(1, card="T9"))
    table.put("W", {"T13" if not by_a_person else "SR": 0.999})
    table.wait(1)
    plays = table.plays()
    del table.lying[0]
    table.put("E", {"T9": 0.99}, shift=(-45, 45))
    table.wait(6)
    assert table.plays() == plays and plays[0] == "T9"


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
    assert [(e.player, e.card) for e in table.events] == [("Bo", "S7"), ("Carl", "SR")]


@pytest.mark.parametrize("after_s", [0.1, 3])
def test_a_fool_that_its_player_takes_home_early_stays_played(after_s: float) -> None:
    """FOOL-6: it goes to its owner's pile; the trick is not full yet."""
    table = Table()
    table.put("E", {"S7": 0.99})
    table.wait(1)
    fool = table.put("W", {"F": 0.99})
    table.wait(1)
    fool.left = True
    table.lying.remove(fool)
    table.wait(after_s)
    table.put("S", {"SR": 0.99})
    table.wait(1)
    assert [(e.player, e.card) for e in table.events] == [("Bo", "S7"), ("Carl", "F"), ("Anna", "SR")]


def test_the_last_trick_of_a_hand_is_taken_too() -> None:
    """The hand is complete then: nobody plays in it any more."""
    table = Table()
    for side, card in (("E", "S7"), ("W", "SR"), ("S", "T3")):
        table.put(side, {card: 0.99})
        table.wait(1)
    table.lying.clear()
    frame = np.full((720, 1280, 3), 40, np.uint8)
    complete = Expectation((), None, (), frozenset(("S7", "SR", "T3")), {}, {"S7": 1, "SR": 2, "T3": 3})
    events = [e for k in range(1, 40) for e in table.reader.update(frame, (), (), complete, 4 + k / 10)]
    assert [type(event) for event in events] == [TrickTaken]


def test_a_like_card_laid_half_over_another_is_booked_before_the_next_one() -> None:
    """T1 for certain, and clearly found: no second box on the T11 below."""
    table = Table()
    table.put("E", {"T11": 0.99})
    table.wait(1)
    table.put("W", {"T1": 0.85, "T11": 0.14}, shift=(120, 0)).best_score = 0.95
    assert [event.card for event in table.wait(1)] == ["T1"]


def test_cards_shown_between_two_hands_are_no_plays_of_the_next() -> None:
    """Last hand's cards lie face up when the lead is expected; a card that lands then is one."""
    table = Table(active=())
    table.wait(4)
    for side, card in (("E", "S7"), ("W", "SR")):
        table.put(side, {card: 0.99})
    table.wait(5)
    table.active = ORDER
    assert table.wait(3) == []
    table.put("S", {"T3": 0.99})
    assert [event.card for event in table.wait(1)] == ["T3"]


def test_what_leaves_while_a_play_is_taken_back_is_booked_all_the_same() -> None:
    table = Table()
    table.put("E", {"S7": 0.99})
    table.wait(1)
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


TRICK = (("E", "S7"), ("W", "SR"), ("S", "T3"))
ARM = np.array([[400, 0], [880, 0], [880, 700], [400, 700]])


@pytest.mark.parametrize("for_s", [1.2, 12])
def test_an_arm_over_a_trick_takes_nothing(for_s: float) -> None:
    """Nobody knows what becomes of the cards under it until it is gone; they lie there then as before."""
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
    assert table.under(ARM, for_s) == []
    for side, card in TRICK:
        table.put(side, {card: 0.99})
    assert table.wait(6) == []
    assert [type(event) for event in table.clear()] == [TrickTaken]


def test_an_arm_that_lay_over_a_trick_may_take_it_at_last() -> None:
    """It is known as soon as the cloth is seen, and the trick goes to the player towards whom the arm left."""
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
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


def test_an_arm_over_an_open_trick_takes_nothing() -> None:
    """Taken too early, it would be an alert."""
    table = Table()
    table.wait(1)
    table.lay(*TRICK[:2])
    assert table.under(ARM, 5) == []
    for side, card in TRICK[:2]:
        table.put(side, {card: 0.99})
    table.wait(1)
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


@pytest.mark.parametrize("hides", [ARM, np.array([[700, 300], [790, 300], [790, 420], [700, 420]])])
def test_a_lead_that_was_hidden_long_is_the_same_card(hides: np.ndarray) -> None:
    """Under an arm, or under a cup."""
    table = Table()
    table.wait(1)
    table.lay(("E", "S7"))
    assert table.under(hides, 12) == []
    table.put("E", {"S7": 0.99})
    assert table.wait(6) == []
    table.lay(("W", "SR"))
    assert [(e.player, e.card) for e in table.events] == [("Bo", "S7"), ("Carl", "SR")]


def test_a_lead_under_a_cup_is_the_same_card_after_others_have_played() -> None:
    table = Table()
    table.wait(1)
    table.lay(("E", "S7"))
    table.lying.clear()
    table.things.append(np.array([[700, 300], [790, 300], [790, 420], [700, 420]]))
    table.wait(4)
    table.lay(("W", "SR"))
    table.things.clear()
    table.put("E", {"S7": 0.99})
    table.wait(6)
    table.lay(("S", "T3"))
    assert [(e.player, e.card) for e in table.events] == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    assert [type(event) for event in table.clear()] == [TrickTaken]


@pytest.mark.parametrize(
    ("then", "corrected"),
    [
        ({"T13": 0.4, "T9": 0.3, "T3": 0.29}, []),
        ({"T9": 0.5, "T13": 0.4}, []),
        ({"T8": 0.4, "T13": 0.3, "T3": 0.29}, []),
        ({"T9": 0.999}, [PlayCorrected(1, card="T9")]),
    ],
    ids=["as before", "as its alternative", "hardly", "better"],
)
def test_a_doubtful_card_that_was_hidden_is_asked_about_once(
    then: dict[str, float], corrected: list[Event]
) -> None:
    table = Table()
    table.wait(1)
    table.put("E", {"T13": 0.4, "T9": 0.3, "T3": 0.29})
    table.wait(2)
    assert table.under(ARM, 3) == []
    table.put("E", then)
    assert table.wait(6) == corrected


def test_another_card_laid_where_one_is_hidden_is_a_play() -> None:
    """The trick was swept and the next lead laid under the same arm."""
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
    table.under(ARM, 3)
    table.put("E", {"T9": 0.999})
    assert [event.card for event in table.wait(1) if isinstance(event, CardPlayed)] == ["T9"]


def test_a_lead_picked_up_for_a_while_and_laid_again_is_one_play() -> None:
    table = Table()
    table.wait(1)
    table.lay(("E", "S7"))
    table.lying.clear()
    table.wait(5)
    table.put("E", {"S7": 0.99})
    table.wait(6)
    assert table.plays() == ["S7"] and not any(isinstance(event, TrickTaken) for event in table.events)


def test_a_card_of_the_open_trick_that_the_game_waits_to_see_again_is_told() -> None:
    """The watching began anew in the middle of the trick: what is told then is no second play."""
    table = Table()
    sighting = table.put("E", {"S7": 0.99})
    waiting = Expectation(ORDER, "Carl", (("Bo", "S7"),), frozenset(), {}, {"S7": 2})
    events: list[Event] = []
    for k in range(1, 10):
        sighting.seen_s = k / 10
        frame = np.full((720, 1280, 3), 40, np.uint8)
        events += table.reader.update(frame, [sighting], (), waiting, k / 10)
    assert [event.card for event in events if isinstance(event, CardPlayed)] == ["S7"]


def test_a_card_left_lying_from_an_earlier_trick_is_no_play_after_an_arm_lay_over_it() -> None:
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
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
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
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
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
    table.clear()
    table.wait(1)
    table.put("W", {"S7": 0.99}, (-200, -150))
    table.put("W", {"SR": 0.99}, (-200, 0))
    table.wait(6)
    table.put("E", {"T6": 0.5, "T9": 0.45})
    assert [event.card for event in table.wait(2)] == ["T6"]


def test_a_card_of_an_earlier_trick_shown_for_a_moment_is_no_play() -> None:
    table = Table()
    table.wait(1)
    table.lay(*TRICK)
    table.clear()
    table.wait(1)
    table.lay(("E", "H7"))
    shown = table.put("W", {"SR": 0.99}, (-200, 0))
    table.wait(1)
    shown.lay_s = 1
    table.lying.remove(shown)
    table.gone.append(shown)
    assert table.wait(2) == []


@pytest.mark.parametrize(("near", "booked"), [(True, []), (False, ["C7"])])
def test_a_card_that_reads_a_little_like_a_hidden_one_is_asked_about_unless_it_lies_there(
    near: bool, booked: list[str]
) -> None:
    table = Table()
    table.put("E", {"S7": 0.99})
    table.wait(1)
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
    table.events.clear()
    table.events += [HandStarted(), HandStarted()]
    for side, card in (("E", "H7"), ("W", "HR"), ("S", "S7")):
        table.put(side, {card: 0.99})
        table.wait(1)
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


def test_a_second_box_on_a_card_is_no_play() -> None:
    table = Table()
    table.put("E", {"S7": 0.99})
    table.wait(1)
    table.put("E", {"S7": 0.97}, shift=(30, 10), there=False)
    table.put("W", {"S7": 0.9999}, there=False)
    assert table.wait(6) == []


def test_a_second_box_that_reads_a_little_like_the_card_below_is_no_play() -> None:
    """T1 or T11? T11 is played, so it would be T1 for sure; but T11 lies just there."""
    table = Table()
    table.put("E", {"T11": 0.99})
    table.wait(1)
    table.put("E", {"T1": 0.65, "T11": 0.35}, shift=(20, 8), there=False).best_score = 0.74
    assert table.wait(6) == []


def test_a_box_across_two_cards_is_no_play_while_a_clearer_one_is_there() -> None:
    """A card comes to lie on another; one box follows it under the hand, one takes half of each."""
    table = Table()
    table.put("E", {"T16": 0.99})
    table.wait(1)
    table.put("E", {NOT_A_CARD: 0.95}, shift=(28, -28), there=False).best_score = 0.9
    table.put("E", {"F": 0.999}, shift=(21, -41), there=False).best_score = 0.63
    assert table.wait(6) == []


def test_a_part_of_a_trick_that_still_lies_there_is_no_lead() -> None:
    """A box across two of its cards, found clearly and read as no card in particular, is not asked about."""
    table = Table()
    for side, card in (("E", "T6"), ("W", "T1"), ("S", "CC")):
        table.put(side, {card: 0.99})
        table.wait(1)
    table.put("W", {"T14": 0.3, "SR": 0.2, "T12": 0.15}, shift=(55, 20), there=False).best_score = 0.8
    assert table.wait(6) == []


def test_a_faint_box_over_another_card_is_no_play() -> None:
    """Half of the ten of clubs can look like a nine."""
    table = Table()
    table.put("E", {"C10": 0.99})
    table.wait(1)
    table.put("E", {"S9": 0.997}, shift=(-73, 0), there=False).best_score = 0.4
    assert table.wait(6) == []


@pytest.mark.parametrize(
    "read", [{"HR": 0.999}, {"HR": 0.5, "HD": 0.4}, {"HR": 0.2, "HD": 0.18, "S7": 0.1}], ids=str
)
def test_a_card_half_under_others_is_asked_about_after_a_while(read: dict[str, float]) -> None:
    """It is badly found, or badly read; what it shows of itself no other card does."""
    table = Table()
    table.wait(1)
    table.lay(("E", "S7"), ("W", "SR"))
    table.put("S", read, shift=(50, -75)).best_score = 0.5
    assert table.wait(2) == []
    (play,) = table.wait(3)
    assert (play.player, play.card) == ("Anna", "HR") and play.alternatives
    assert [type(event) for event in table.clear()] == [TrickTaken]


def test_a_box_across_the_cards_of_an_open_trick_is_no_play() -> None:
    """However long the third player thinks."""
    table = Table()
    table.wait(1)
    table.put("E", {"S7": 0.99}, shift=(-60, 0))
    table.wait(1)
    table.put("W", {"SR": 0.99}, shift=(20, 30))
    table.wait(1)
    table.put("S", {"HR": 0.5, "HD": 0.4}, shift=(0, -75), there=False).best_score = 0.5
    assert table.wait(10) == []
    assert table.plays() == ["S7", "SR"]


@pytest.mark.parametrize("read", [NOT_A_CARD, "face down"])
def test_what_is_no_face_is_not_asked_about_however_long_it_lies(read: str) -> None:
    table = Table()
    table.wait(1)
    table.lay(("E", "S7"), ("W", "SR"))
    thing = table.put("S", {NOT_A_CARD: 0.5, "HR": 0.3} if read == NOT_A_CARD else {"HR": 0.3, "HD": 0.2})
    thing.best_score = 0.5
    if read == "face down":
        thing.face_score = -3.0
    assert table.wait(10) == []


def test_a_card_half_under_others_that_is_swept_soon_is_asked_about() -> None:
    table = Table()
    table.wait(1)
    table.lay(("E", "S7"), ("W", "SR"))
    table.put("S", {"HR": 0.999}, shift=(50, -75)).best_score = 0.5
    table.wait(2)
    play, taken = table.sweep()
    assert isinstance(play, CardPlayed) and play.card == "HR" and play.alternatives
    assert isinstance(taken, TrickTaken)


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_a_lamp_that_goes_out_takes_nothing(cards: int) -> None:
    """Nothing moves and nothing is seen; on again, all is as before."""
    table = Table()
    table.wait(1)
    table.lay(*TRICK[:cards])
    lying, table.lying, table.light = table.lying, [], 0.1
    assert table.wait(4) == []
    table.lying, table.light = lying, 1.0
    table.number += 10
    for sighting in lying:
        sighting.number += 10
        sighting.first_s = sighting.landed_s = sighting.still_since_s = table.time_s
    assert table.wait(6) == []


def test_a_card_laid_over_another_is_a_play() -> None:
    table = Table()
    table.put("E", {"C10": 0.99})
    table.wait(1)
    table.put("W", {"S9": 0.997}, shift=(117, 0))
    assert [event.card for event in table.wait(1)] == ["S9"]


@pytest.mark.parametrize(("name", "booked"), [(0.6, 0), (0.99, 1)])
def test_a_card_hardly_found_is_believed_when_its_name_is_sure(name: float, booked: int) -> None:
    table = Table()
    table.put("E", {"S7": name, "C7": 1 - name}).best_score = 0.2
    assert len(table.wait(3)) == booked


@pytest.mark.parametrize("active", [(), ORDER])
def test_between_hands_nothing_is_booked(active: tuple[str, ...]) -> None:
    reader = PlayReader(SIDES)
    table = Table(reader)
    sighting = table.put("E", {"S7": 0.99})
    events: tuple[Event, ...] = ()
    for k in range(1, 8):
        sighting.seen_s = k / 10
        events += reader.update(
            np.zeros((720, 1280, 3), np.uint8),
            [sighting],
            (),
            Expectation(active, None, (), frozenset()),
            k / 10,
        )
    assert len(events) == (1 if active else 0)


def test_every_card_has_a_class() -> None:
    assert CLASSES[:78] == CARDS and CLASSES[78] == NOT_A_CARD
