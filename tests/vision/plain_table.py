"""A table seen without a camera or a network: cards are put down and taken away, and the play reader watches.

The game is kept by the program's own `Scorekeeper`, as when a recording is watched.
"""

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from readings import row_of

from tracker.events import Event, SessionOpened
from vision.arrays import Float32Array, UInt8Array
from vision.picture import DIRECTIONS
from vision.watching.expectation import Expectation
from vision.watching.explanations import Explanation
from vision.watching.health import CardScale
from vision.watching.motion import Light, SmallPicture, small_gray
from vision.watching.plays import PlayReader
from vision.watching.sightings import FORGET_S, Sighting
from webui.table.scorekeeper import Scorekeeper

SIDES = {"Anna": "S", "Bo": "E", "Carl": "W"}
ORDER = ("Bo", "Carl", "Anna")
MIDDLE = np.array([640, 360], np.float32)
NO_HAND = Expectation((), (), (), frozenset())
FIRST_PLAY = 3
"""The number of a hand's first play in the record: the evening was opened, the hand dealt."""
TRICK = (("E", "S7"), ("W", "SR"), ("S", "T3"))
ARM = np.array([[400, 0], [880, 0], [880, 700], [400, 700]])
CUP = np.array([[700, 300], [790, 300], [790, 420], [700, 420]])
_PAPER, _INK, _PIPS = 230, 90, (3, 5)
_WEAVE = np.random.default_rng(0).integers(0, 13, (720, 1280)).astype(np.uint8)


def votes(**chances: float) -> Float32Array:
    """The votes (79,) of one look at a card that reads as `chances`."""
    return np.log(np.maximum(row_of(chances), 1e-6))


@dataclass
class Table:
    """What lies on the table, how it is filmed, and what the play reader made of it.

    That are `events`, and `taken_for`: what each sighting, by its number, was taken for in the end.

    It is filmed at `fps` frames a second, with the cards' middle `off_px` from the middle of the picture, on a cloth
    of the grey `cloth`, with `things` of the grey `thing` lying on it; `light` is the share of the full light, which
    rises and falls by the share `drift`. The small picture has so much `noise`, its standard deviation in grey. Cards
    that are `lost` are followed for a while though they are not found. With `dealt` the cards of the first hand are
    surely dealt: the first card of a hand is a play, however little the others tell.
    """

    fps: int = 10
    off_px: tuple[float, float] = (0, 0)
    cloth: int = 40
    thing: int = _PAPER
    drift: float = 0.0
    light: float = 1.0
    noise: float = 0.0
    reader: PlayReader = field(default_factory=lambda: PlayReader(SIDES))
    keeper: Scorekeeper = field(
        default_factory=lambda: Scorekeeper(SessionOpened("dtf-2011", (), tuple(SIDES)), SIDES, "Anna")
    )
    told: Expectation | None = None
    dealt: bool = True
    lying: list[Sighting] = field(default_factory=list)
    lost: list[Sighting] = field(default_factory=list)
    unseen: list[Sighting] = field(default_factory=list)
    boxes: set[int] = field(default_factory=set)
    faces: dict[int, str] = field(default_factory=dict)
    things: list[np.ndarray] = field(default_factory=list)
    gone: list[Sighting] = field(default_factory=list)
    known: list[Sighting] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    taken_for: dict[int, Explanation] = field(default_factory=dict)
    time_s: float = 0.0
    number: int = 0
    _evened: Light = field(default_factory=Light)
    _scale: CardScale = field(default_factory=CardScale)
    _drawn: tuple[object, UInt8Array, UInt8Array] | None = None

    def expectation(self) -> Expectation:
        """What the eyes are told of the game just now."""
        told = self.told or self.keeper.expectation(self.time_s) or NO_HAND
        begins = not self.dealt and (told.begins or not told.numbers)
        return replace(told, begins=begins, deals=told.deals if begins else {})

    def enter(self, event: Event) -> None:
        """A person enters something."""
        self.keeper.enter(event)

    def plays(self) -> list[str]:
        """The cards played, as they stand in the book."""
        return [card for _, card in self.book()]

    def book(self) -> list[tuple[str, str]]:
        """Who played what, as it stands in the book."""
        hand = self.keeper.session.hand
        return [(play.player, play.card) for play in hand.plays]

    def put(
        self,
        side: str,
        chances: dict[str, float],
        shift: Sequence[float] = (0, 0),
        there: bool = True,
        face: str | None = None,
    ) -> Sighting:
        """A card comes to lie that reads as `chances`; one that is not `there` is a box across what else lies there.

        It shows the likeliest of them, or `face`.
        """
        at = MIDDLE + self.off_px + np.array(DIRECTIONS[side]) * 95 + np.array(shift)
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
        self.known.append(sighting)
        self.faces[sighting.number] = face or max(chances, key=lambda card: chances[card])
        if not there:
            self.boxes.add(sighting.number)
        return sighting

    def lay(self, *plays: tuple[str, str]) -> None:
        """Sure cards, laid one after the other from a side each."""
        for side, card in plays:
            self.put(side, {card: 0.99})
            self.wait(1)

    def miss(self) -> None:
        """The card laid last lies there, and is not found."""
        self.unseen.append(self.lying.pop())

    def find_missed(self) -> Sighting:
        """The card that was missed is found, as one that has come just now; returns it."""
        found = self.unseen.pop()
        found.first_s = found.landed_s = found.still_since_s = self.time_s
        self.lying.append(found)
        return found

    def under(self, thing: np.ndarray, seconds: float) -> list[Event]:
        """A thing lies over all the cards for a while, and none of them is found; it is gone with the next frame."""
        self.lying.clear()
        self.things.append(thing)
        events = self.wait(seconds)
        self.things.pop()
        return events

    def wait(self, seconds: float) -> list[Event]:
        """Let time pass; returns the events of that time."""
        began_s, before = self.time_s, len(self.events)
        for frame in range(1, round(seconds * self.fps) + 1):
            self._look(round(began_s + frame / self.fps, 3))
        return self.events[before:]

    def clear(self) -> list[Event]:
        """The cards leave."""
        self.lying.clear()
        return self.wait(0.6)

    def take(self, side: str = "W") -> list[Event]:
        """An arm from a side, Carl's by default, takes the card laid last to that player."""
        self.lying.pop()
        self.things.append(ARM + np.array(DIRECTIONS[side]) * 700)
        self.wait(0.2)
        self.things.clear()
        return self.wait(1.5)

    def sweep(self) -> list[Event]:
        """The cards leave together, seen to move a little before they are lost under the hand."""
        before = len(self.events)
        self.gone += [sighting for sighting in self.lying if sighting.number not in self.reader.booked]
        for sighting in self.gone:
            sighting.lay_s, sighting.stale = sighting.still_for(self.time_s), True
            sighting.still_since_s = self.time_s
        self.lying.clear()
        self._look(self.time_s + FORGET_S)
        self.wait(0.4)
        return self.events[before:]

    def _look(self, time_s: float) -> None:
        """The next frame."""
        self.time_s = time_s
        for sighting in self.known:
            sighting.found = False
        for sighting in self.lying:
            sighting.seen_s, sighting.found = time_s, True
        picture, gray = self._pictures()
        view = self._scale.measure(picture, time_s, [s.corners_px for s in self.lying])
        height, width = picture.shape[:2]
        small, card_px = SmallPicture(self._evened.even(gray), (width, height)), view.card_px if view else 0.0
        for event in self.reader.update(
            small, [*self.lying, *self.lost], self.gone, self.expectation(), time_s, card_px
        ):
            self.keeper.book(event, time_s)
            self.events.append(event)
        self.taken_for |= {judged.sighting: judged.explanation for judged in self.reader.judged}
        self.gone.clear()

    def _pictures(self) -> tuple[UInt8Array, UInt8Array]:
        """The table in full light, (720, 1280, 3) uint8, and small and grey as it is lit just now.

        It is drawn and made small anew only when something changed.
        """
        cards = [s for s in (*self.unseen, *self.lying) if s.number not in self.boxes]
        key = (
            [s.number for s in cards],
            [s.corners_px.tobytes() for s in cards],
            [t.tobytes() for t in self.things],
        )
        if self._drawn is None or self._drawn[0] != key:
            gray = np.full((720, 1280), self.cloth - 6, np.uint8) + _WEAVE
            for thing in self.things:
                _fill(gray, thing + self.off_px, self.thing)
            for sighting in cards:
                _draw_card(gray, sighting.corners_px, self.faces[sighting.number])
            picture = np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), np.uint8)
            self._drawn = key, picture, small_gray(picture)
        _, picture, small = self._drawn
        light = self.light * (1 + self.drift * math.sin(2 * math.pi * self.time_s / 8))
        grain = np.random.default_rng(round(1000 * self.time_s)).normal(0.0, 1.0, small.shape) * self.noise
        return picture, np.asarray(np.clip(light * small + grain, 0, 255).round(), np.uint8)


CARD_PX = np.array([[-40, -75], [40, -75], [40, 75], [-40, 75]], np.float32)


def resting_card(
    number: int, chances: Mapping[str, float], at: tuple[float, float], landed_s: float = 0.0
) -> Sighting:
    """A card at rest and read often, with the probabilities of its names, centred at `at` px."""
    logs = np.log(np.maximum(row_of(chances), 2e-9))
    corners = CARD_PX + np.array(at, np.float32)
    sighting = Sighting(number, corners, 4.0, landed_s, landed_s, 99.0, 0.9, 4, logs * 4)
    sighting.landed_s = landed_s
    return sighting


def table_with(*plays: tuple[str, str]) -> Table:
    """A table at which these sure cards were laid, one after the other from a side each."""
    table = Table()
    table.lay(*plays)
    return table


def doubtful_lead() -> Table:
    """A table at which Bo's lead is booked as T13, and may be T9."""
    table = Table()
    table.put("E", {"T13": 0.6, "T9": 0.39})
    table.wait(2)
    return table


def seen_bare(*plays: tuple[str, str]) -> Table:
    """The same at a table that was seen without a card before."""
    table = Table()
    table.wait(1)
    table.lay(*plays)
    return table


def _fill(gray: UInt8Array, corners_px: np.ndarray, value: int) -> None:
    cv2.fillConvexPoly(gray, np.round(corners_px).astype(np.int32), value)


def _draw_card(gray: UInt8Array, corners_px: Float32Array, card: str) -> None:
    """A pale card whose print, a few dark patches, is another one for each card."""
    _fill(gray, corners_px, _PAPER)
    right, down = corners_px[1] - corners_px[0], corners_px[3] - corners_px[0]
    across, along = _PIPS
    printed = np.random.default_rng(zlib.crc32(card.encode())).random((along, across)) < 0.4
    for row, column in np.argwhere(printed):
        at = corners_px[0] + right * (column + 0.6) / (across + 0.2) + down * (row + 0.6) / (along + 0.2)
        half = np.array([-right - down, right - down, right + down, down - right]) / np.float32(18)
        _fill(gray, at + half, _INK)
