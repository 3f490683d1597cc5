"""What happens at a table besides play in order: short films of it, watched with the shipped models.

Each film is the smallest that shows its situation, on a tidy table with cards large in the picture: what is
tested is what the program makes of a situation, not how well it reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from drawn import deck_of

from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, Event, PlaysTakenBack, SessionOpened, TrickTaken
from vision.arrays import UInt8Array
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, film, truth
from vision.lab.rendering.props import draw_hand
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier
from vision.watching.eyes import Eyes
from webui.table.scorekeeper import Scorekeeper

pytestmark = pytest.mark.slow

SIDES = {"Anna": "S", "Bo": "E", "Carl": "W"}
STYLE = FilmStyle(size=(640, 480), card_height_px=120, difficulty=0.0, pause_s=0.2, tilt_deg=4, fps=6)
GREEN = (60, 110, 40)


@dataclass(frozen=True)
class Seen:
    """What was made of a film: the events of the eyes, and the game that follows from them."""

    events: list[Event]
    session: DanishSession

    @property
    def plays(self) -> list[tuple[str, str]]:
        """Who played what, as the game stands at the end."""
        return [(play.player, play.card) for play in self.session.hand.plays]

    @property
    def alerts(self) -> list[str]:
        return [alert.kind for alert in self.session.alerts]

    def taken(self) -> list[str]:
        return [event.player for event in self.events if isinstance(event, TrickTaken)]


def watched(plays: Sequence[FilmedPlay], seed: int = 1, hand_rests: bool = False) -> Seen:
    """Film `plays` (Anna deals, so Bo leads) and watch the film.

    If `hand_rests`, Bo's hand rests on his first card until all have been laid. Then it is gone for 2 s.
    """
    keeper = Scorekeeper(SessionOpened("dtf-2011", (), tuple(SIDES)), SIDES, "Anna")
    eyes = Eyes(SIDES, Finder(), Identifier(), CornerFinder())
    events: list[Event] = []
    count = 0

    def look(picture: UInt8Array) -> None:
        nonlocal count
        for event in eyes.update(picture, count / STYLE.fps, keeper.expectation()).events:
            keeper.book(event, count / STYLE.fps)
            events.append(event)
        count += 1

    cloth = np.full((480, 640, 3), GREEN, np.uint8)
    pictures: list[UInt8Array] = []
    rested = film(plays, deck_of(plays, "back_BACK"), pictures.append, style=STYLE, seed=seed, cloth=cloth)
    for number, picture in enumerate(pictures):
        if hand_rests and number >= rested[0]:
            picture = picture.copy()
            draw_hand(np.random.default_rng(3), picture, (312, 232), 0.05, 190)
        look(picture)
    for _ in range(2 * STYLE.fps if hand_rests else 0):
        look(pictures[-1])
    return Seen(events, keeper.session)


BO_LEADS = FilmedPlay("E", "S7")
ANNA_WINS = FilmedPlay("S", "SR", taken_by="S")


@pytest.mark.parametrize("after_s", [0.7, 2.5])
def test_a_card_taken_back_is_taken_back_in_the_game(after_s: float) -> None:
    """At once, perhaps before it was named, or after it was booked: the game is as it was before."""
    taken_back = FilmedPlay("W", "HC", back_after_s=after_s)
    seen = watched([BO_LEADS, taken_back, FilmedPlay("W", "SV"), ANNA_WINS], seed=2)
    booked = {event.card for event in seen.events if isinstance(event, CardPlayed)}
    assert (PlaysTakenBack(1) in seen.events) == ("HC" in booked)
    assert "HC" in booked or after_s < 1
    assert seen.plays == [("Bo", "S7"), ("Carl", "SV"), ("Anna", "SR")]
    assert seen.alerts == []


def test_the_last_card_of_a_trick_exchanged_for_another() -> None:
    """The trick was complete in the book; that its last card left alone is known when another lies there."""
    taken_back = FilmedPlay("S", "HC", back_after_s=1.5)
    seen = watched([BO_LEADS, FilmedPlay("W", "SV"), taken_back, ANNA_WINS])
    assert PlaysTakenBack(1) in seen.events
    assert seen.plays == [("Bo", "S7"), ("Carl", "SV"), ("Anna", "SR")]
    assert seen.taken() == ["Anna"] and seen.alerts == []


def test_two_cards_from_one_player_are_both_booked_for_him() -> None:
    seen = watched([BO_LEADS, FilmedPlay("W", "SV"), FilmedPlay("W", "HC"), ANNA_WINS])
    booked = [(event.player, event.card) for event in seen.events if isinstance(event, CardPlayed)]
    assert booked == [("Bo", "S7"), ("Carl", "SV"), ("Carl", "HC"), ("Anna", "SR")]
    assert seen.alerts == ["too_many_cards"]


def test_out_of_turn_and_swept_by_the_wrong_player() -> None:
    """Anna plays before Carl, and Carl sweeps Anna's trick: both are booked as seen."""
    seen = watched([FilmedPlay("E", "S7"), FilmedPlay("S", "SR"), FilmedPlay("W", "SV", taken_by="W")])
    assert seen.plays == [("Bo", "S7"), ("Anna", "SR"), ("Carl", "SV")]
    assert seen.taken() == ["Carl"]
    assert seen.alerts == ["trick_taken_by_wrong_player"]


def test_a_card_on_which_its_player_s_hand_rests_was_played_in_turn() -> None:
    """Carl's card is read before Bo's, which led: neither of them played out of turn."""
    seen = watched([FilmedPlay("E", "S7"), FilmedPlay("W", "SV"), FilmedPlay("S", "SR")], hand_rests=True)
    assert [event.card for event in seen.events if isinstance(event, CardPlayed)][:2] == ["SV", "SR"]
    assert seen.plays == [("Bo", "S7"), ("Carl", "SV"), ("Anna", "SR")]
    assert seen.session.hand is not None and not seen.session.hand.findings


def test_the_fool_goes_back_to_its_player() -> None:
    """FOOL-6: Carl takes his fool from a trick that is Anna's. That is no play taken back, nor his trick."""
    seen = watched([BO_LEADS, FilmedPlay("W", "F", kept=True), ANNA_WINS, FilmedPlay("S", "T14")])
    assert seen.plays == [("Bo", "S7"), ("Carl", "F"), ("Anna", "SR"), ("Anna", "T14")]
    assert seen.taken() == ["Anna"]
    assert not any(isinstance(event, PlaysTakenBack) for event in seen.events)


def test_two_cards_at_once_and_one_across_another_side() -> None:
    """Bo's and Carl's cards land within 0.3 s; Anna's slides across to Carl's side."""
    seen = watched(
        [
            FilmedPlay("E", "S7", with_next=True),
            FilmedPlay("W", "SV", lands_at="N"),
            FilmedPlay("S", "SR", lands_at="W", taken_by="S"),
        ]
    )
    assert seen.plays == [("Bo", "S7"), ("Carl", "SV"), ("Anna", "SR")]
    assert seen.taken() == ["Anna"]
    assert seen.alerts == []


def test_the_truth_keeps_what_was_taken_back_apart() -> None:
    plays = [FilmedPlay("E", "S7", back_after_s=1.0), FilmedPlay("E", "SV", taken_by="S")]
    beside = truth({"Anna": "S", "Bo": "E", "Carl": "W"}, "Anna", "dtf-2011", 10, 90, plays, [20, 50])
    assert beside["plays"] == [{"play": "Bo", "card": "SV", "frame": 50}]
    assert beside["taken_back"] == [{"play": "Bo", "card": "S7", "frame": 20}]
    assert beside["taken"] == ["Anna"]
