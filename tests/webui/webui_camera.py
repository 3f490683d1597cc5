"""What the camera saw, for the page's tests: updates as the eyes give them, without the eyes."""

import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event
from vision.watching.eyes import Health, SeenCard, WatchUpdate
from webui.table.live import LiveTable

FRAME = np.full((72, 128, 3), 90, np.uint8)
HEALTH = Health(10.0, 0.08, 20.0, 90.0, 1, ())


def seen(*events: Event, time_s: float = 1.0, cards: tuple[SeenCard, ...] = ()) -> WatchUpdate:
    """One picture's update with these events and cards."""
    return WatchUpdate(time_s, FRAME, tuple(cards), events, HEALTH, None)


def sees(table: LiveTable, *what: str | Event) -> None:
    """The camera sees in one picture plays such as `"Bo:S7 Carl:S2"`, and other events, in this order."""
    events: list[Event] = []
    for one in what:
        if isinstance(one, str):
            events += [CardPlayed(*word.split(":"), time_s=1.0) for word in one.split()]
        else:
            events.append(one)
    table.saw(seen(*events))


def sees_card(table: LiveTable, play: Event) -> int:
    """The camera sees `play`, its card among the cards of the picture; the number it is stored under."""
    assert isinstance(play, CardPlayed)
    corners = np.array([[200, 60], [261, 60], [261, 172], [200, 172]], np.float32)
    frame = np.full((240, 320, 3), 40 + CARDS.index(play.card), np.uint8)
    card = SeenCard(corners, play.card, True, "settled", sighting=1)
    table.saw(WatchUpdate(play.time_s or 0.0, frame, (card,), (play,), HEALTH, None, played={play: 1}))
    return table.recorded[-1].seq
