"""The camera comes back, or the program restarts, while cards lie on the table: none of them is played again."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn import deck_of
from webui_camera import seen
from webui_deals import SIDES, hand
from webui_table import restarted

from tracker.events import CardPlayed, HandStarted, TrickTaken
from vision.arrays import UInt8Array
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, film
from vision.lab.rendering.video_file import VideoFile
from vision.watching.eyes import WatchUpdate
from webui.commands.serve import watch_table
from webui.table.live import LiveTable
from webui.table.resuming import Expect, resumed

STYLE = FilmStyle(size=(800, 450), difficulty=0.1, pause_s=0.6, card_height_px=110)
TRICK = (("Bo", "S7"), ("Carl", "SR"), ("Anna", "S2"))


@pytest.fixture(scope="module")
def pictures() -> list[UInt8Array]:
    """A trick is played and lies there; then it is taken."""
    script = [FilmedPlay(SIDES[player], card) for player, card in TRICK]
    script[-1] = replace(script[-1], taken_by="W")
    made: list[UInt8Array] = []
    film(script, deck_of(script), made.append, style=STYLE, seed=4)
    return made


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory, pictures: list[UInt8Array]) -> Path:
    """The trick lies there for five seconds, then is taken: what a camera sees that comes back."""
    path = tmp_path_factory.mktemp("film") / "back.mp4"
    rng = np.random.default_rng(1)
    with VideoFile(path, STYLE.size, STYLE.fps) as video:
        lies = pictures[_swept(pictures) - 12]
        for _ in range(50):
            noise = rng.integers(-2, 3, lies.shape, dtype=np.int16)
            video.write(np.clip(lies.astype(np.int16) + noise, 0, 255).astype(np.uint8))
        for picture in pictures[_swept(pictures) - 11 :]:
            video.write(picture)
    return path


def _swept(pictures: list[UInt8Array]) -> int:
    """The number of the first picture in which the middle of the table no longer looks as it did."""
    middle = [picture[125:325, 250:550].astype(np.float32) for picture in pictures]
    changed = [float(np.abs(now - then).mean()) for then, now in itertools.pairwise(middle)]
    return max(i for i in range(12, len(changed)) if max(changed[i - 12 : i]) < 3 < changed[i])


@pytest.mark.slow
def test_a_trick_that_lies_there_is_not_played_again_and_is_seen_to_leave(
    table: LiveTable, filmed: Path
) -> None:
    table.enter(HandStarted("Anna"))
    for player, card in TRICK:
        table.enter(CardPlayed(player, card, time_s=1.0))
    again = restarted(table)
    told = [event for update in watch_table(str(filmed), again) for event in update.events]
    assert told == [TrickTaken("Carl", told[-1].time_s)]


@pytest.mark.slow
def test_what_was_not_booked_is_booked(table: LiveTable, filmed: Path) -> None:
    table.enter(HandStarted("Anna"))
    for player, card in TRICK[:2]:
        table.enter(CardPlayed(player, card, time_s=1.0))
    told = []
    for update in watch_table(str(filmed), table):
        table.saw(update)
        told += update.events
    assert [(e.player, e.card, e.alternatives) for e in told if isinstance(e, CardPlayed)] == [
        ("Anna", "S2", ())
    ]


def booked_after_reopening(table: LiveTable, *plays: CardPlayed) -> list[CardPlayed]:
    """What is left of `plays`, seen in the first seconds after the camera was opened again."""

    def watch(expect: Expect) -> Iterator[WatchUpdate]:
        for k, play in enumerate(plays):
            expect(k + 1.0)
            yield seen(play, time_s=k + 1.0)

    return [e for update in resumed(table, watch) for e in update.events if isinstance(e, CardPlayed)]


def test_a_camera_opened_again_between_two_hands_loses_none_of_the_next_one(table: LiveTable) -> None:
    table.enter(*hand(3))
    last = [play.card for play in table.session.hand.tricks[-1].plays]
    plays = [CardPlayed("Carl", last[1]), CardPlayed("Anna", "S7", alternatives=(last[0],))]
    assert booked_after_reopening(table, *plays) == plays


@pytest.mark.parametrize(
    ("play", "met"),
    [
        pytest.param(CardPlayed("Carl", "S7"), True, id="it lies there"),
        pytest.param(CardPlayed("Carl", "D5"), False, id="a new card"),
        pytest.param(CardPlayed("Carl", "D5", alternatives=("S7",)), False, id="perhaps a new card: asked about"),
        pytest.param(CardPlayed("Carl", "H2", alternatives=("S7",)), True, id="one of an earlier trick cannot be"),
    ],
)  # fmt: skip
def test_what_lies_there_is_told_from_what_is_played(table: LiveTable, play: CardPlayed, met: bool) -> None:
    table.enter(HandStarted("Anna"))
    for player, card in (("Bo", "H3"), ("Carl", "H2"), ("Anna", "HR"), ("Anna", "SV"), ("Bo", "S7")):
        table.enter(CardPlayed(player, card))
    assert booked_after_reopening(table, play) == ([] if met else [play])
