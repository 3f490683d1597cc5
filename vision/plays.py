"""From settled sightings to plays: which card, by whom, and when a trick has left the table.

The rules are a soft prior here (the player whose turn it is, a card not played before); what was seen
decides, because the illegal play is what the program looks for. What stays unsure is booked with its
alternatives and asked about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, PlayCorrected, TrickTaken
from vision.arrays import Float32Array, UInt8Array
from vision.models import overlap
from vision.sightings import FORGET_S, PATIENCE_S, STILL_S, SURE, Sighting

DIRECTIONS: dict[str, tuple[float, float]] = {"S": (0, 1), "E": (1, 0), "N": (0, -1), "W": (-1, 0)}
"""Unit vectors in the picture (x right, y down) from the middle of the table to each side."""

PLAYED_BEFORE = 1e-3
"""Prior odds that a card booked earlier in the hand lies on the table again (its booking was wrong)."""
UNLIKELY = 0.02
"""Probability below which a name is not taken just because the likelier one lies on the table already."""
FAINT = 0.35
"""Score of the finder below which a card is only believed when its name is sure."""
CLEAR = 0.6
"""Score of the finder that a whole card lying over another easily has, and a box across two cards has not."""
OUT_OF_TURN = 0.03
SECOND_CARD = 0.005
_MOTION_WIDTH = 160


@dataclass(frozen=True)
class Expectation:
    """What the game says just now: a soft prior, never a filter.

    `active` are the players of the hand in order of play (empty between hands), `to_play` whose turn it
    is, `trick` the (player, card) pairs booked in the open trick, `played` every card booked in the hand,
    `doubtful` those of them that are still asked about: card -> number of the stored play, its alternatives.
    """

    active: tuple[str, ...]
    to_play: str | None
    trick: tuple[tuple[str, str], ...]
    played: frozenset[str]
    doubtful: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadCard:
    """A sighting that was booked as a play: its card as booked, and whether that is asked about."""

    card: str
    doubtful: bool


class Motion:
    """How much moved at each edge of the picture lately: hands come and go there."""

    def __init__(self) -> None:
        self._before: Float32Array | None = None
        self._history: list[tuple[float, Float32Array]] = []

    def update(self, frame: UInt8Array, time_s: float) -> None:
        """Take in a frame."""
        height = max(1, round(_MOTION_WIDTH * frame.shape[0] / frame.shape[1]))
        small = cv2.resize(frame, (_MOTION_WIDTH, height), interpolation=cv2.INTER_AREA)
        gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        if self._before is not None:
            difference = gray - self._before
            moved = (np.abs(difference - np.median(difference)) > 14).astype(np.float32)
            deep, wide = height // 7, _MOTION_WIDTH // 8
            sides = (moved[-deep:], moved[:, -wide:], moved[:deep], moved[:, :wide])
            self._history.append((time_s, np.array([side.sum() for side in sides], np.float32)))
        self._before = gray
        self._history = [entry for entry in self._history if entry[0] > time_s - 6.0]

    def shares(self, from_s: float, to_s: float) -> dict[str, float]:
        """The share of the motion between two times that was at each side; all alike when nothing moved."""
        total = np.full(4, 6.0, np.float32)
        for at, sides in self._history:
            if from_s <= at <= to_s:
                total += sides
        total /= total.sum()
        return dict(zip("SENW", (float(x) for x in total), strict=True))


class SeatModel:
    """Where each seat's cards come to lie, learnt as the evening goes."""

    def __init__(self, sides: Mapping[str, str]):
        self.sides = dict(sides)
        self._plays: dict[str, list[Float32Array]] = {player: [] for player in sides}

    def log_likelihoods(
        self, sighting: Sighting, frame_size: tuple[int, int], arrival: Mapping[str, float]
    ) -> dict[str, float]:
        """How well each seat explains where and how the card lies and whence the hand came (natural log)."""
        middle = np.array(frame_size, np.float32) / 2
        height = sighting.height_px
        axis = sighting.corners_px[3] - sighting.corners_px[0]
        axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
        result = {}
        for player, side in self.sides.items():
            direction = np.array(DIRECTIONS[side], np.float32)
            known = self._plays[player][-12:]
            expected = middle + direction * 0.6 * height
            weight = len(known)
            if known:
                expected = (expected * 1.0 + np.sum(known, axis=0)) / (1.0 + weight)
            spread = (0.3 + 0.45 / (1 + weight)) * height
            distance = float(np.linalg.norm(sighting.center_px - expected)) / spread
            position = -0.5 * min(distance, 4.0) ** 2 - 2 * np.log(spread / height)
            turned = 2.0 * (abs(float(np.dot(axis, direction))) - 0.5)
            hand = 1.6 * np.log(max(arrival.get(side, 0.0), 1e-3))
            result[player] = float(position + turned + hand)
        return result

    def learn(self, player: str, sighting: Sighting) -> None:
        """Remember that `player` put a card there."""
        self._plays[player].append(sighting.center_px)


class PlayReader:
    """Turns what lies on the table into `CardPlayed` and `TrickTaken` events."""

    def __init__(self, sides: Mapping[str, str]):
        self.seats = SeatModel(sides)
        self.motion = Motion()
        self.read: dict[int, ReadCard] = {}
        self._lying: dict[int, Sighting] = {}

    def update(
        self,
        frame: UInt8Array,
        sightings: Sequence[Sighting],
        gone: Sequence[Sighting],
        expectation: Expectation,
        time_s: float,
    ) -> tuple[Event, ...]:
        """The events that this frame completes; `expectation` is the game before it."""
        self.motion.update(frame, time_s)
        events: list[Event] = []
        size = (frame.shape[1], frame.shape[0])
        ready = [s for s in sightings if s.number not in self.read and _ready(s, time_s)]
        for sighting in sorted(ready, key=lambda s: s.first_s):
            events += self._book(sighting, sightings, _after(expectation, events), size, time_s)
        events += self._leave(sightings, gone, _after(expectation, events), size, time_s)
        return tuple(events)

    def _book(
        self,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
        leaving: bool = False,
    ) -> list[Event]:
        here = {
            self.read[s.number].card: s
            for s in sightings
            if s.number in self.read and s.number != sighting.number
        }
        chances = sighting.probabilities()[: len(CARDS)].astype(np.float64)
        raw = CARDS[int(chances.argmax())]
        old = next((n for n in self._lying if self.read[n].card == raw), None)
        if old is not None and raw not in here and chances.max() > 0.5:
            # The card was nudged, or came out from under a hand: the same card, no new play.
            self.read[sighting.number] = self.read[old]
            del self._lying[old]
            self._lying[sighting.number] = sighting
            return []
        if raw in here and overlap(sighting.corners_px, here[raw].corners_px) > 0.25:
            return []  # a second box on the same card
        prior = np.ones(len(CARDS))
        for index, card in enumerate(CARDS):
            if card in expectation.doubtful:
                prior[index] = 0.3
            elif card in expectation.played:
                prior[index] = PLAYED_BEFORE * (1e-3 if card in here else 1.0)
        chances = chances * prior
        chances /= max(chances.sum(), 1e-12)
        order = np.argsort(-chances)
        card, best = CARDS[int(order[0])], float(chances[order[0]])
        as_read = float(sighting.probabilities()[int(order[0])])
        if raw in here and as_read < UNLIKELY:
            return []  # reads as a card that lies there already, and as nothing else
        faint, shared = sighting.best_score < FAINT, _shared(sighting, sightings)
        halves = shared > (0.15 if faint else 0.35) and sighting.best_score < CLEAR
        if halves or (best < SURE and (faint or shared > 0.4)):
            # Half of one card and half of another found as a third, or hardly found at all: never asked about.
            return []
        events: list[Event] = []
        if card in expectation.doubtful and best >= SURE:
            # Seen for certain now, so the earlier, doubtful, reading of the same card was wrong.
            seq, others = expectation.doubtful[card]
            left = [other for other in others if other not in expectation.played]
            if left:
                events.append(PlayCorrected(seq, card=left[0]))
                expectation = replace(expectation, played=(expectation.played - {card}) | {left[0]})
        again = card in expectation.played
        waited = leaving or sighting.still_for(time_s) > PATIENCE_S
        if (best < SURE or again) and not waited:
            return []
        open_trick = bool(expectation.trick)
        if again and not (leaving and open_trick) and sighting.still_for(time_s) < 3 * PATIENCE_S:
            # A card of an earlier trick on its way to a pile; only one that stays is asked about.
            return []
        if not expectation.active:
            return []
        if again:
            # One of the two readings is wrong. Book what it can be besides, and ask.
            order = np.array([i for i in order if CARDS[int(i)] not in expectation.played])
            card = CARDS[int(order[0])]
            order = np.concatenate([order[:1], [CARDS.index(raw)], order[1:]])
        player = self._player(sighting, expectation, size)
        doubtful = best < SURE or again
        alternatives = (
            tuple(CARDS[int(i)] for i in order[1:5] if again or chances[i] > 0.004) if doubtful else ()
        )
        if doubtful and not alternatives:
            alternatives = (CARDS[int(order[1])],)
        self.read[sighting.number] = ReadCard(card, doubtful)
        self._lying[sighting.number] = sighting
        if not doubtful and player == expectation.to_play:
            self.seats.learn(player, sighting)
        events.append(CardPlayed(player, card, alternatives=alternatives, time_s=round(time_s, 3)))
        return events

    def _player(self, sighting: Sighting, expectation: Expectation, size: tuple[int, int]) -> str:
        # The hand that laid the card, not the next one that came to lie over it.
        until_s = min(sighting.still_since_s, sighting.first_s + 0.6) + 0.2
        arrival = self.motion.shares(sighting.first_s - 0.9, until_s)
        score = self.seats.log_likelihoods(sighting, size, arrival)
        in_trick = {player for player, _ in expectation.trick}
        for player in score:
            if player not in expectation.active:
                score[player] += np.log(1e-4)
            elif player in in_trick:
                score[player] += np.log(SECOND_CARD)
            elif player != expectation.to_play:
                score[player] += np.log(OUT_OF_TURN)
        return max(score, key=lambda player: score[player])

    def _leave(
        self,
        sightings: Sequence[Sighting],
        gone: Sequence[Sighting],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
    ) -> list[Event]:
        """The trick leaves when the last of its cards is no longer seen; by then each must be booked."""
        events: list[Event] = []
        for sighting in gone:
            if (
                sighting.number in self.read
                or sighting.looks < 2
                or not sighting.face
                or sighting.is_no_card()
            ):
                continue
            lay = sighting.seen_s - sighting.still_since_s
            # In a trick that is short of a card even a poor reading is worth a question.
            least = 0.05 if expectation.trick else 0.3
            if lay < STILL_S or float(sighting.probabilities().max()) < least:
                continue
            now = _after(expectation, events)
            events += self._book(sighting, sightings, now, size, sighting.seen_s, leaving=True)
        present = {s.number for s in sightings}
        if self._lying and not any(number in present for number in self._lying):
            leavers = list(self._lying.values())
            left_s = max(s.seen_s for s in leavers)
            self._lying.clear()
            shares = self.motion.shares(left_s - 0.2, left_s + FORGET_S)
            takers = {
                player: shares[side]
                for player, side in self.seats.sides.items()
                if player in expectation.active
            }
            if takers and len(leavers) > 1:
                events.append(TrickTaken(max(takers, key=lambda p: takers[p]), time_s=round(left_s, 3)))
        return events


def _ready(sighting: Sighting, time_s: float) -> bool:
    return (
        sighting.face
        and sighting.seen_s == time_s
        and sighting.looks >= 2
        and sighting.still_for(time_s) >= STILL_S
        and not sighting.is_no_card()
    )


def _shared(sighting: Sighting, sightings: Sequence[Sighting]) -> float:
    """The greatest share (0..1) of a sighting's rectangle that lies in that of another card face up."""
    area = float(cv2.contourArea(sighting.corners_px))
    shares = [
        cv2.intersectConvexConvex(sighting.corners_px, other.corners_px)[0] / max(area, 1.0)
        for other in sightings
        if other.number != sighting.number and other.face
    ]
    return float(max(shares, default=0.0))


def _after(expectation: Expectation, events: Sequence[Event]) -> Expectation:
    """The expectation once the plays among `events` are booked too (turn passes in order of play)."""
    for event in events:
        if isinstance(event, CardPlayed):
            trick = (*expectation.trick, (event.player, event.card))
            done = {player for player, _ in trick}
            waiting = [player for player in _from(expectation.active, event.player) if player not in done]
            expectation = replace(
                expectation,
                to_play=waiting[0] if waiting else None,
                trick=trick if waiting else (),
                played=expectation.played | {event.card},
            )
    return expectation


def _from(active: tuple[str, ...], player: str) -> tuple[str, ...]:
    """`active` in order of play, beginning after `player`."""
    if player not in active:
        return active
    at = active.index(player) + 1
    return active[at:] + active[:at]
