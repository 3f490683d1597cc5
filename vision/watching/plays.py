"""From settled sightings to plays: which card, by whom, and when a trick has left the table.

The rules are a soft prior here (the player whose turn it is, a card not played before); what was seen
decides, because the illegal play is what the program looks for. What stays unsure is booked with its
alternatives and asked about.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, PlayCorrected, PlaysTakenBack, TrickTaken
from vision.arrays import Float32Array, UInt8Array
from vision.picture import DIRECTIONS, overlap, rectify
from vision.reading.identifier import CLASSES
from vision.watching.sightings import FORGET_S, PATIENCE_S, STILL_S, SURE, Sighting, covered_share

PLAYED_BEFORE = 1e-3
"""Prior odds that a card booked earlier in the hand lies on the table again (its booking was wrong)."""
UNLIKELY = 0.02
"""Probability below which a name is not taken just because the likelier one lies on the table already."""
FAINT = 0.35
"""Score of the finder below which a card is only believed when its name is sure."""
CLEAR = 0.6
"""Score of the finder that a whole card lying over another easily has, and a box across two cards has not."""
WHOLE = 0.75
"""Score of the finder from which a card lying across others is asked about though its name is unsure."""
OTHER_SIZE = 1.6
"""How many times as long or as short as the cards booked a thing must be to be no card, unless clearly found."""
HINT = 0.3
"""Probability of the likeliest name below which a card that is not clearly found is never asked about."""
LATE_S = 3.0
"""Seconds after which a card that is badly found, as one half under others is, is asked about."""
OWN = 0.2
"""Share of its rectangle that such a card must show, where no other card lies and the cloth was seen before."""
OUT_OF_TURN = 0.03
SECOND_CARD = 0.005
NUDGE = 0.7
"""Heights of a card by which one that is nudged moves at most, if its name is not sure afterwards."""
BARE_S = 0.2
"""Seconds a card's place must lie bare, as it was before the card came, for the card to have left."""
TAKEN_BACK_S = 0.8
"""Seconds a card must be gone from an open trick to count as taken back."""
REST_S = 2.0
"""Seconds a place without its card must lie unchanged to be bare, where nobody knows what it looked like before."""
LONE_S = 2.0
"""Seconds for which a lead that is gone may have been taken back, or be under a hand."""
SHOWN_S = 2.0
"""Seconds within which the cards of a trick that is looked at again are turned up."""
AT_ONCE_S = 0.3
"""Seconds by which one card must come to rest before another for the order of the two to be seen."""
UNCHANGED = 4.0
"""Mean difference in grey up to which a place looks the same in two small pictures."""
SAME_LOOK = 10.0
"""Mean difference in grey up to which a booked card's place shows that card still."""
KNOWN_S = 3.0
"""Seconds for which a place must have been watched to say that nothing has come to it."""
_MOTION_WIDTH = 160
_PLACE_PX = 16


@dataclass(frozen=True)
class Expectation:
    """What the game says just now: a soft prior, never a filter.

    `active` are the players of the hand in order of play (empty between hands), `to_play` whose turn it
    is, `trick` the (player, card) pairs booked in the open trick, `played` every card booked in the hand,
    `doubtful` those of them that are still asked about: card -> number of the stored play, its alternatives;
    `numbers` the numbers of all of them, in order of play.
    """

    active: tuple[str, ...]
    to_play: str | None
    trick: tuple[tuple[str, str], ...]
    played: frozenset[str]
    doubtful: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadCard:
    """A sighting that was booked as a play: its card and player as booked, and whether the card is asked about.

    `seq` is the number of the stored play, 0 while it is not known.
    """

    card: str
    doubtful: bool
    player: str
    seq: int = 0


@dataclass
class _Lain:
    """A booked card that lies on the table: where, what its place looks like with it, the table `before` it came.

    `bare_s` is since when the place looks as it did before; a card that is `over` was left by a finished trick.
    """

    sighting: Sighting
    home_px: Float32Array
    before: UInt8Array | None
    look: Float32Array | None = None
    bare_s: float | None = None
    over: bool = False

    @property
    def gone_s(self) -> float:
        """When it left, or was last seen: one that was hidden left just before its place was bare."""
        seen_s = self.sighting.seen_s
        return seen_s if self.bare_s is None else max(seen_s, self.bare_s - FORGET_S)


@dataclass
class _Own:
    """How much of a sighting is in view that no other card shows, and the table `before` it came."""

    before: UInt8Array | None
    share: float = 0.0


class Motion:
    """What moved lately, and where: hands come and go at the edges of the picture."""

    def __init__(self) -> None:
        self._history: list[tuple[float, UInt8Array, Float32Array]] = []
        self._marks: list[UInt8Array] = []

    @property
    def picture(self) -> UInt8Array:
        """The newest frame, small and grey."""
        return self._history[-1][1]

    def update(self, frame: UInt8Array, time_s: float) -> None:
        """Take in a frame."""
        height = max(1, round(_MOTION_WIDTH * frame.shape[0] / frame.shape[1]))
        small = cv2.resize(frame, (_MOTION_WIDTH, height), interpolation=cv2.INTER_AREA)
        gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
        at_sides = np.zeros(4, np.float32)
        if self._history:
            difference = gray.astype(np.float32) - self.picture
            moved = (np.abs(difference - np.median(difference)) > 14).astype(np.float32)
            deep, wide = height // 7, _MOTION_WIDTH // 8
            sides = (moved[-deep:], moved[:, -wide:], moved[:deep], moved[:, :wide])
            at_sides = np.array([side.sum() for side in sides], np.float32)
        self._history = [entry for entry in self._history if entry[0] > time_s - 6.0]
        self._history.append((time_s, gray, at_sides))
        self._marks = self._marks or [gray]

    def mark(self) -> None:
        """A trick has left: what comes to a place from now on, or came since the one before, is no older."""
        self._marks = [*self._marks[-1:], self.picture]

    def came(self, corners_px: Float32Array, frame_width: int, time_s: float) -> bool:
        """Whether what lay at the place `corners_px` at `time_s` came there, as far as can be told.

        It did not if the place looked the same in the seconds before and at the marks: a stack of chips, say,
        that was there all along. A hand that passes over changes it for a moment only.
        """
        earlier = [(at, picture) for at, picture, _ in self._history if at <= time_s]
        if len(earlier) < 2 or time_s - earlier[0][0] < KNOWN_S:
            return True
        picture = earlier[-1][1]

        def otherwise(before: UInt8Array) -> bool:
            return _change(before, picture, corners_px, frame_width) >= UNCHANGED

        if any(otherwise(mark) for mark in self._marks):
            return True
        seconds = [otherwise(before) for _, before in earlier[:: max(1, len(earlier) // 24)]]
        return sum(seconds) >= len(seconds) / 4

    def shares(self, from_s: float, to_s: float) -> dict[str, float]:
        """The share of the motion between two times that was at each side; all alike when nothing moved."""
        total = np.full(4, 6.0, np.float32)
        for at, _, sides in self._history:
            if from_s <= at <= to_s:
                total += sides
        total /= total.sum()
        return dict(zip("SENW", (float(x) for x in total), strict=True))

    def before(self, corners_px: Float32Array, frame_width: int, time_s: float) -> UInt8Array | None:
        """The last picture before a time in which nothing moved at the place `corners_px`, None without one."""
        earlier = [picture for at, picture, _ in self._history if at < time_s]
        for k in range(len(earlier) - 1, 1, -1):
            change = place(earlier[k], corners_px, frame_width) - place(
                earlier[k - 2], corners_px, frame_width
            )
            if np.abs(change).mean() < UNCHANGED:
                return earlier[k]
        return None

    def own_share(
        self,
        corners_px: Float32Array,
        others_px: Sequence[Float32Array],
        frame_width: int,
        before: UInt8Array | None,
    ) -> float:
        """The share (0..1) of the place `corners_px` that has changed since `before`, outside the cards `others_px`.

        Without `before`, since a trick left for the last time. A card has such a share though most of it lies under
        others; a box across two cards has none.
        """
        picture, scale = self.picture, _MOTION_WIDTH / frame_width
        mask = np.zeros(picture.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners_px * scale).astype(np.int32), 1)
        area = max(int(mask.sum()), 1)
        for other in others_px:
            # Boxes are a little off.
            wide = (other.mean(0) + 1.15 * (other - other.mean(0))) * scale
            cv2.fillConvexPoly(mask, np.round(wide).astype(np.int32), 0)
        difference = picture.astype(np.float32) - (self._marks[-1] if before is None else before)
        changed = np.abs(difference - np.median(difference)) > 14
        return float((changed & (mask > 0)).sum()) / area

    def is_lit_as(self, earlier: UInt8Array) -> bool:
        """Whether the newest picture is about as bright as an `earlier` one.

        With the lamp out or the lens covered every place looks bare, the light apart.
        """
        brighter = (float(self.picture.mean()) + 4) / (float(earlier.mean()) + 4)
        return 0.6 < brighter < 1.6

    def rests(self, corners_px: Float32Array, frame_width: int, for_s: float) -> bool:
        """Whether the place `corners_px` has looked the same for so long, in the light of the last trick."""
        now_s = self._history[-1][0]
        lately = [picture for at, picture, _ in self._history if at >= now_s - for_s]
        known = now_s - self._history[0][0] >= for_s and self.is_lit_as(self._marks[-1])
        return known and all(self.change(p, corners_px, frame_width) < UNCHANGED for p in lately)

    def change(self, earlier: UInt8Array, corners_px: Float32Array, frame_width: int) -> float:
        """How much the place `corners_px` has changed since an `earlier` picture, in grey, the light apart."""
        return _change(earlier, self.picture, corners_px, frame_width)


def _change(earlier: UInt8Array, later: UInt8Array, corners_px: Float32Array, frame_width: int) -> float:
    """How much a place changed from one small picture to another, in grey, the light apart."""
    dimmed = np.median(later.astype(np.float32) - earlier)
    now, then = (place(picture, corners_px, frame_width) for picture in (later, earlier))
    return float(np.abs(now - then - dimmed).mean())


def place(picture: UInt8Array, corners_px: Float32Array, frame_width: int) -> Float32Array:
    """The place of a card, whose corners are px of a frame, in a small grey picture of the frame."""
    scale = picture.shape[1] / frame_width
    return rectify(picture, corners_px * np.float32(scale), _PLACE_PX).astype(np.float32)


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
            spread = (0.3 + 0.3 / (1 + weight)) * height
            distance = float(np.linalg.norm(sighting.center_px - expected)) / spread
            position = -0.5 * min(distance, 4.0) ** 2 - 2 * np.log(spread / height)
            turned = 2.0 * (abs(float(np.dot(axis, direction))) - 0.5)
            hand = 1.6 * np.log(max(arrival.get(side, 0.0), 1e-3))
            slid = 2.0 * float(np.dot(_slide(sighting), direction))
            result[player] = float(position + turned + hand + slid)
        return result

    def learn(self, player: str, sighting: Sighting) -> None:
        """Remember that `player` put a card there."""
        self._plays[player].append(sighting.center_px)


def _slide(sighting: Sighting) -> Float32Array:
    """Whence the card came, as far as it was seen to move: (2,), length 0 (not seen) to 1 (half a card or more)."""
    if sighting.came_from_px is None:
        return np.zeros(2, np.float32)
    way = (sighting.came_from_px - sighting.center_px) / (0.5 * max(sighting.height_px, 1.0))
    return np.asarray(way / max(1.0, float(np.linalg.norm(way))), np.float32)


class PlayReader:
    """Turns what lies on the table into `CardPlayed`, `PlaysTakenBack`, `PlayCorrected` and `TrickTaken` events."""

    def __init__(self, sides: Mapping[str, str]):
        self.seats = SeatModel(sides)
        self.motion = Motion()
        self.read: dict[int, ReadCard] = {}
        self._lying: dict[int, _Lain] = {}
        self._shared: dict[int, float] = {}
        self._own: dict[int, _Own] = {}
        # Sightings of an earlier trick that is looked at again: since when they lie.
        self._shown: dict[int, float] = {}
        self._second_best: set[int] = set()  # sightings mostly within a box that was found more clearly
        self._sizes: list[float] = []
        self._left: list[Sighting] = []  # sightings that left and are not looked at yet

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
        self._left += gone
        self._rename(expectation)
        if not expectation.active:
            self.motion.mark()  # what lies there between two hands is no play of the next
        events: list[Event] = []
        size = (frame.shape[1], frame.shape[0])
        for lain in self._lying.values():
            self._look_at(lain, size[0], time_s)
        followed = {s.number for s in sightings}
        sightings = [s for s in sightings if not s.left]
        waiting = sorted(
            (s for s in sightings if s.number not in self.read), key=lambda s: (s.landed_s, s.first_s)
        )
        ready = [s for s in waiting if _ready(s, time_s)]
        seen = [s for s in sightings if s.seen_s == time_s]
        for sighting in ready:
            shared = _shared(sighting, seen)
            self._shared[sighting.number] = max(shared, self._shared.get(sighting.number, 0.0))
            if any(s.best_score > sighting.best_score and covered_share(sighting, s) > 0.5 for s in seen):
                self._second_best.add(sighting.number)
            own = self._own.get(sighting.number)
            if own is None:
                before = self.motion.before(sighting.corners_px, size[0], sighting.first_s)
                own = self._own[sighting.number] = _Own(before)
            others = [s.corners_px for s in seen if s.face and s.best_score > sighting.best_score]
            others += [lain.home_px for n, lain in self._lying.items() if n != sighting.number]
            own.share = self.motion.own_share(sighting.corners_px, others, size[0], own.before)
        shown = {s.number: s.landed_s for s in ready if self._was_played(s, expectation)}
        if len(shown) > 1:
            self._shown |= shown
        for sighting in ready:
            earlier = [s for s in waiting if s.landed_s < sighting.landed_s - AT_ONCE_S]
            if sighting.still_for(time_s) < PATIENCE_S and any(_under_a_hand(s, time_s) for s in earlier):
                continue  # a card that came to rest before it is not read yet
            rivals = (s for s in waiting if abs(s.landed_s - sighting.landed_s) <= AT_ONCE_S)
            if sighting.still_for(time_s) < PATIENCE_S and any(
                self._comes_after(sighting, rival, _after(expectation, events), size, time_s)
                for rival in rivals
            ):
                continue
            later = [s for s in ready if s.landed_s > sighting.landed_s + AT_ONCE_S]
            # The next card is there for certain: this one cannot wait any longer to be named.
            pressed = any(float(s.probabilities()[: len(CARDS)].max()) >= SURE for s in later)
            events += self._book(
                sighting, sightings, _after(expectation, events), size, time_s, pressed=pressed
            )
            if any(isinstance(event, PlaysTakenBack) for event in events):
                return tuple(events)  # the game has changed under what was expected
        events += self._leave(sightings, self._left, _after(expectation, events), size, time_s)
        self._left = []
        if not events:
            events += self._taken_back(sightings, expectation, time_s)
        events += self._taken(followed, expectation, time_s)
        self._shared = {number: share for number, share in self._shared.items() if number in followed}
        self._own = {number: own for number, own in self._own.items() if number in followed}
        self._second_best &= followed
        self._shown = {number: at_s for number, at_s in self._shown.items() if number in followed}
        return tuple(events)

    def _rename(self, expectation: Expectation) -> None:
        """Let the cards on the table go by the names they have in the book: a play may have been put right."""
        cards = {seq: card for card, seq in expectation.numbers.items()}
        for number in self._lying:
            read = self.read[number]
            seq = read.seq or expectation.numbers.get(read.card, 0)
            card = cards.get(seq, read.card)
            self.read[number] = ReadCard(card, card in expectation.doubtful, read.player, seq)
            if expectation.active and (seq or not cards) and card not in expectation.played:
                self._lying[number].over = True  # of a hand before this one, or no play after all

    def _look_at(self, lain: _Lain, width: int, time_s: float) -> None:
        """Note whether the card still lies there, or its place is bare again."""
        sighting = lain.sighting
        if sighting.left:
            return
        if sighting.seen_s == time_s:
            lain.bare_s = None
            if lain.look is None or sighting.still_for(time_s) >= STILL_S:
                lain.home_px = sighting.corners_px
                lain.look = place(self.motion.picture, lain.home_px, width)
            return
        if lain.look is None:
            return
        to_look = self._unlike(lain, width)
        if lain.before is not None:
            since_s = time_s
            as_before = self.motion.change(lain.before, lain.home_px, width) <= 0.4 * to_look
            bare = as_before and self.motion.is_lit_as(lain.before)
        else:
            since_s = time_s - REST_S
            bare = self.motion.rests(lain.home_px, width, REST_S)
        if to_look < SAME_LOOK or not bare:
            lain.bare_s = None
        elif lain.bare_s is None:
            lain.bare_s = since_s
        sighting.left = lain.bare_s is not None and time_s - lain.bare_s >= BARE_S

    def _unlike(self, lain: _Lain, width: int) -> float:
        """How much a booked card's place differs now, in grey, from what it looked like with the card."""
        if lain.look is None:
            return float("inf")
        return float(np.abs(place(self.motion.picture, lain.home_px, width) - lain.look).mean())

    def _book(
        self,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
        leaving: bool = False,
        pressed: bool = False,
    ) -> list[Event]:
        here = {
            self.read[s.number].card: s
            for s in sightings
            if s.number in self.read and s.number != sighting.number
        }
        chances = sighting.probabilities()[: len(CARDS)].astype(np.float64)
        raw = CARDS[int(chances.argmax())]
        old = next((n for n in self._lying if self.read[n].card == raw), None)
        hidden = old is not None and raw not in here
        alike = sighting.is_sure() or (old is not None and _is_near(sighting, self._lying[old]))
        if not (hidden and alike and chances.max() > 0.5):
            old = self._uncovered(sighting, sightings, raw, expectation, size[0])
        if old is not None:
            # The card was nudged, or came out from under a hand: the same card, no new play.
            read = self.read[sighting.number] = self.read[old]
            lain = self._lying.pop(old)
            self._lying[sighting.number] = _Lain(sighting, sighting.corners_px, lain.before, over=lain.over)
            at_home = overlap(sighting.corners_px, lain.home_px) > 0.25
            if read.card in expectation.doubtful and sighting.is_sure() and at_home:
                return [PlayCorrected(expectation.doubtful[read.card][0], card=raw)]
            return []
        laid_by = next((player for player, card in expectation.trick if card == raw), None)
        if laid_by is not None and raw in expectation.played and raw not in here and sighting.is_sure():
            # Picked up from the open trick for a while, and laid again.
            self._lay(sighting, ReadCard(raw, raw in expectation.doubtful, laid_by), size[0])
            return []
        votes = sighting.probabilities()[: len(CARDS)]
        late = bool(expectation.trick) and self._is_card_of_its_own(
            sighting, time_s, PATIENCE_S if leaving else LATE_S
        )
        clear = (sighting.is_sure() and sighting.best_score >= CLEAR) or late
        if any(
            (card == raw or (not clear and votes[CARDS.index(card)] > UNLIKELY))
            and overlap(sighting.corners_px, other.corners_px) > 0.25
            for card, other in here.items()
        ):
            return []  # a second box on the same card
        prior = np.ones(len(CARDS))
        for index, card in enumerate(CARDS):
            if card in expectation.doubtful or (hidden and card == raw):
                prior[index] = 0.3
            elif card in expectation.played:
                prior[index] = PLAYED_BEFORE * (1e-3 if card in here else 1.0)
        chances = chances * prior
        chances /= max(chances.sum(), 1e-12)
        order = np.argsort(-chances)
        card, best = CARDS[int(order[0])], float(chances[order[0]])
        as_read, hint = float(votes[int(order[0])]), float(votes.max())
        # What the game makes likely must have been seen as well: else the last card left would be read anywhere.
        sure = best >= SURE and as_read >= HINT
        if raw in here and as_read < UNLIKELY:
            return []  # reads as a card that lies there already, and as nothing else
        faint, shared = sighting.best_score < FAINT, _shared(sighting, sightings)
        if leaving:  # what it lay across may have left before it
            shared = max(shared, self._shared.get(sighting.number, 0.0))
        whole = WHOLE if sighting.number in self._second_best else CLEAR
        halves = shared > (0.15 if faint else 0.35) and sighting.best_score < whole
        poor = sighting.best_score < (WHOLE if shared > 0.4 else CLEAR if hint < HINT else FAINT)
        # Nobody leads onto a trick that still lies there: what cannot be named is a part of its cards.
        untaken = any(
            other.number in self._lying and not self._lying[other.number].over for other in here.values()
        )
        part = not sure and shared > 0.35 and not expectation.trick and (untaken or leaving)
        badly = halves or part or (not sure and poor)
        if badly and not late:
            # Half of one card and half of another found as a third, or hardly found at all: never asked about.
            return []
        if sighting.best_score < WHOLE and self._is_of_other_size(sighting):
            return []  # a sheet of paper, a phone
        events: list[Event] = []
        beside = card in expectation.doubtful and card in here and sure
        if beside:
            # Seen for certain beside it, so the earlier, doubtful, reading of the same card was wrong.
            seq, others = expectation.doubtful[card]
            left = [other for other in others if other not in expectation.played]
            if len(left) == 1:
                events.append(PlayCorrected(seq, card=left[0]))
                expectation = replace(expectation, played=(expectation.played - {card}) | {left[0]})
        again = card in expectation.played
        if (again or not sure) and self._is_shown(sighting):
            return []
        waited = leaving or pressed or sighting.still_for(time_s) > PATIENCE_S
        if (not sure or again) and not waited:
            return []
        if not self.motion.came(sighting.corners_px, size[0], sighting.seen_s):
            return []
        stray = again and not beside and not (leaving and expectation.trick)
        if stray and sighting.still_for(time_s) < 3 * PATIENCE_S:
            # A card of an earlier trick on its way to a pile; only one that stays is asked about.
            return []
        if not expectation.active:
            return []
        if again:
            # One of the two readings is wrong. Book what it can be besides, and ask.
            order = np.array([i for i in order if CARDS[int(i)] not in expectation.played])
            card = CARDS[int(order[0])]
            order = np.concatenate([order[:1], [CARDS.index(raw)], order[1:]])
        doubtful = not sure or again or badly
        number, back, without = self._exchanged(sightings, expectation)
        # The fool goes home by itself (FOOL-6): that it is gone makes it nobody's turn again.
        fool = back is not None and self.read[back].card == "F"
        player = self._player(sighting, expectation if fool else without, size)
        if (
            back is not None
            and not leaving
            and self._replaces(back, player, sighting, sightings, expectation, time_s)
        ):
            del self._lying[back]
            if _last(expectation) == self.read[back].card:
                events.append(PlaysTakenBack(1))
                expectation = without
            elif not doubtful:
                # Others have played since: the new card takes the old one's place among theirs.
                self._lay(sighting, ReadCard(card, False, player), size[0])
                return [*events, PlayCorrected(number, card=card)]
        else:
            player = self._player(sighting, expectation, size)
        alternatives = (
            tuple(CARDS[int(i)] for i in order[1:5] if again or chances[i] > 0.004) if doubtful else ()
        )
        if doubtful and not alternatives:
            alternatives = (CARDS[int(order[1])],)
        self._lay(sighting, ReadCard(card, doubtful, player), size[0])
        if not doubtful:
            self._sizes = [*self._sizes[-11:], _size(sighting)]
        if not doubtful and player == expectation.to_play:
            self.seats.learn(player, sighting)
        events.append(CardPlayed(player, card, alternatives=alternatives, time_s=round(time_s, 3)))
        return events

    def _uncovered(
        self,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        raw: str,
        expectation: Expectation,
        width: int,
    ) -> int | None:
        """The booked card, hidden since, in whose place a sighting lies that reads as what it may be or looks as it."""
        votes = sighting.probabilities()
        present = {s.number for s in sightings}
        for number, lain in self._lying.items():
            at_home = overlap(sighting.corners_px, lain.home_px) > 0.6
            if number in present or lain.sighting.left or not at_home:
                continue
            card = self.read[number].card
            others = expectation.doubtful.get(card, (0, ()))[1]
            names = (card, *(other for other in others if other not in expectation.played))
            as_before = sum(float(votes[CARDS.index(name)]) for name in names) > UNLIKELY
            if raw in names or (
                not sighting.is_sure() and as_before and self._unlike(lain, width) < SAME_LOOK
            ):
                return number
        return None

    def _is_card_of_its_own(self, sighting: Sighting, time_s: float, least_s: float) -> bool:
        """Whether what is badly found is a card all the same: it lay there long, and shows what no other does."""
        own = self._own.get(sighting.number)
        return (
            own is not None
            and own.share >= OWN
            and max(sighting.lay_s, sighting.still_for(time_s)) >= least_s
            and sighting.best_score >= FAINT
            and float(sighting.probabilities()[: len(CARDS)].max()) >= HINT
        )

    def _is_shown(self, sighting: Sighting) -> bool:
        """Whether a sighting is, or came with, the cards of an earlier trick that is looked at again."""
        return sighting.number in self._shown or any(
            abs(at_s - sighting.landed_s) < SHOWN_S for at_s in self._shown.values()
        )

    def _was_played(self, sighting: Sighting, expectation: Expectation) -> bool:
        """Whether a sighting is surely a card of an earlier trick of the hand, which lies on the table no more."""
        card = CLASSES[int(sighting.probabilities().argmax())]
        lying = {self.read[number].card for number in self._lying} | {c for _, c in expectation.trick}
        return sighting.is_sure() and card in expectation.played - lying and card not in expectation.doubtful

    def _is_of_other_size(self, sighting: Sighting) -> bool:
        """Whether it is much larger or smaller than the cards lately booked: all cards are of one size."""
        if len(self._sizes) < 3:
            return False
        ratio = _size(sighting) / float(np.median(self._sizes))
        return not 1 / OTHER_SIZE < ratio < OTHER_SIZE

    def _lay(self, sighting: Sighting, read: ReadCard, width: int) -> None:
        self.read[sighting.number] = read
        before = self.motion.before(sighting.corners_px, width, sighting.first_s)
        self._lying[sighting.number] = _Lain(sighting, sighting.corners_px, before)

    def _exchanged(
        self, sightings: Sequence[Sighting], expectation: Expectation
    ) -> tuple[int, int | None, Expectation]:
        """The one card that left while the rest of its trick stayed, if there is one.

        Returns the number of its play in the record, of its sighting (None: there is none), and what the
        game would be without it.
        """
        trick = {number: lain for number, lain in self._lying.items() if not lain.over}
        left = [number for number, lain in trick.items() if lain.sighting.left]
        present = {s.number for s in sightings}
        if len(left) != 1 or any(number not in present for number in trick if number != left[0]):
            return 0, None, expectation
        read = self.read[left[0]]
        if read.card not in expectation.numbers:
            return 0, None, expectation
        rest = tuple((self.read[n].player, self.read[n].card) for n in trick if n != left[0])
        without = replace(
            expectation, to_play=read.player, trick=rest, played=expectation.played - {read.card}
        )
        return expectation.numbers[read.card], left[0], without

    def _replaces(
        self,
        back: int,
        player: str,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        expectation: Expectation,
        time_s: float,
    ) -> bool:
        """Whether a card now laid by `player` shows that the one which left was taken back."""
        mine = self.read[back]
        if player == mine.player:
            return True
        # Another player's card shows nothing of a fool (FOOL-6), or of a card that was slid aside just now.
        unread = any(s.face and s.number not in self.read and s is not sighting for s in sightings)
        return (
            mine.card != "F"
            and not unread
            and time_s - self._lying[back].gone_s >= TAKEN_BACK_S
            and (mine.player, mine.card) in expectation.trick
            and self._homewards(back)
        )

    def _homewards(self, number: int) -> bool:
        """Whether a card left towards the player who had laid it."""
        gone_s = self._lying[number].gone_s
        shares = self.motion.shares(gone_s - 0.9, gone_s + 0.6)
        side = self.seats.sides.get(self.read[number].player, "")
        return shares.get(side, 0.0) == max(shares.values()) > min(shares.values())

    def _taken_back(
        self, sightings: Sequence[Sighting], expectation: Expectation, time_s: float
    ) -> list[Event]:
        """The last play of an open trick, when its card went back towards its player and stays away."""
        _, back, _ = self._exchanged(sightings, expectation)
        if back is None:
            return []
        read, lain = self.read[back], self._lying[back]
        if (
            read.card == "F"
            or any(x.sighting.seen_s < time_s for n, x in self._lying.items() if n != back and not x.over)
            or (read.player, read.card) not in expectation.trick
            or _last(expectation) != read.card
            or time_s - lain.gone_s < TAKEN_BACK_S
            or not self._homewards(back)
        ):
            return []
        del self._lying[back]
        return [PlaysTakenBack(1)]

    def _comes_after(
        self,
        sighting: Sighting,
        rival: Sighting,
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
    ) -> bool:
        """Whether a card belongs behind another that landed at once with it, by whose cards the two are."""
        waiting = [player for player in expectation.active if player not in dict(expectation.trick)]
        if rival is sighting or expectation.to_play not in waiting or not _card_at_rest(rival, time_s):
            return False
        first = expectation.to_play
        second = next((player for player in _from(expectation.active, first) if player in waiting), first)
        mine, other = self._seen_from(sighting, size), self._seen_from(rival, size)
        return mine[second] + other[first] > mine[first] + other[second]

    def _seen_from(self, sighting: Sighting, size: tuple[int, int]) -> dict[str, float]:
        """Log-likelihood of each seat, by what was seen of the card alone."""
        # The hand that laid the card, not the next one that came to lie over it.
        until_s = min(sighting.still_since_s, sighting.first_s + 0.6) + 0.2
        arrival = self.motion.shares(sighting.first_s - 0.9, until_s)
        return self.seats.log_likelihoods(sighting, size, arrival)

    def _player(self, sighting: Sighting, expectation: Expectation, size: tuple[int, int]) -> str:
        score = self._seen_from(sighting, size)
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
        """What has left unnamed was played all the same: by the time a trick leaves, each card must be booked."""
        events: list[Event] = []
        stays = any(lain.sighting.seen_s == time_s and not lain.over for lain in self._lying.values())
        for sighting in gone:
            if (
                sighting.number in self.read
                or sighting.looks < 2
                or not sighting.face
                or sighting.is_no_card()
            ):
                continue
            if stays and (self._is_shown(sighting) or self._was_played(sighting, expectation)):
                continue  # cards of an earlier trick were looked at
            if stays:
                self._own.pop(sighting.number, None)  # badly found, and gone from among cards that are not
            # In a trick that is short of a card even a poor reading is worth a question.
            least = 0.05 if expectation.trick else HINT
            if sighting.lay_s < STILL_S or float(sighting.probabilities().max()) < least:
                continue
            before = self.motion.before(sighting.corners_px, size[0], sighting.first_s)
            if (
                stays
                and before is not None
                and self.motion.change(before, sighting.corners_px, size[0]) < UNCHANGED
            ):
                continue  # taken back before it was named, while the trick stays
            now = _after(expectation, events)
            events += self._book(sighting, sightings, now, size, sighting.seen_s, leaving=True)
        return events

    def _taken(self, present: Set[int], expectation: Expectation, time_s: float) -> list[Event]:
        """The trick, when its cards have left the table, towards the player whose hand most of them went to.

        `present` are the numbers of the sightings not forgotten yet.
        """
        of_hand = set(expectation.numbers.values())
        self._lying = {
            n: lain
            for n, lain in self._lying.items()
            if n in present or not lain.over or (not lain.sighting.left and self.read[n].seq in of_hand)
        }
        trick = {n: lain for n, lain in self._lying.items() if not lain.over}
        gone = {n: lain for n, lain in trick.items() if n not in present}
        stays = [n for n in trick if n in present]
        led = {card for _, card in expectation.trick}
        before = {n for n in trick if led and self.read[n].seq and self.read[n].card not in led}
        if len(before & gone.keys()) > 1:
            # The next trick has begun: what lies there still of the one before was left behind.
            for number in before:
                self._lying[number].over = True
            return []
        fool_stays = len(gone) > 1 and [self.read[n].card for n in stays] == ["F"]
        if not gone or (stays and not fool_stays):
            return []
        lead = [n for n in gone if (self.read[n].player, self.read[n].card) in expectation.trick]
        if len(trick) == 1 and lead and time_s < gone[lead[0]].gone_s + LONE_S:
            return []  # perhaps taken back
        known = [lain for lain in gone.values() if lain.look is not None]
        if known and not any(lain.sighting.left for lain in known):
            return []  # something lies over it: an arm, a cup
        for number in gone:
            del self._lying[number]
        for number in stays:
            self._lying[number].over = True
        # The fool goes to its own player's pile, sooner or later than the rest (FOOL-6).
        others = [lain for n, lain in gone.items() if self.read[n].card != "F"]
        gone_s = max(lain.gone_s for lain in others or gone.values())
        shares = self.motion.shares(gone_s - 0.2, gone_s + FORGET_S)
        self.motion.mark()
        # With its last trick the hand is complete, and nobody plays in it any more.
        active = set(expectation.active) or {self.read[n].player for n in trick}
        takers = {player: shares[side] for player, side in self.seats.sides.items() if player in active}
        if not takers or len(trick) < 2:
            return []
        return [TrickTaken(max(takers, key=lambda p: takers[p]), time_s=round(gone_s, 3))]


def _ready(sighting: Sighting, time_s: float) -> bool:
    return (
        sighting.face
        and sighting.seen_s == time_s
        and sighting.looks >= 2
        and not sighting.stale
        and sighting.still_for(time_s) >= STILL_S
        and not sighting.is_no_card()
    )


def _last(expectation: Expectation) -> str | None:
    """The card of the last play booked in the hand."""
    return next(reversed(tuple(expectation.numbers)), None)


def _card_at_rest(sighting: Sighting, time_s: float) -> bool:
    """Whether what is seen is a card for certain, named or not."""
    return (
        sighting.seen_s == time_s
        and sighting.face
        and sighting.best_score >= CLEAR
        and sighting.looks >= 1
        and not sighting.is_no_card()
    )


def _is_near(sighting: Sighting, lain: _Lain) -> bool:
    """Whether it lies about where a booked card lay."""
    way = float(np.linalg.norm(sighting.center_px - lain.home_px.mean(0)))
    return way < NUDGE * sighting.height_px


def _under_a_hand(sighting: Sighting, time_s: float) -> bool:
    """Whether a card came to rest that is not ready to be named: fingers are over it still."""
    return (
        _card_at_rest(sighting, time_s) and not _ready(sighting, time_s) and time_s - sighting.landed_s < 3.0
    )


def _size(sighting: Sighting) -> float:
    """The side in px of a square of its area: foreshortening changes it less than the height."""
    return float(np.sqrt(max(cv2.contourArea(sighting.corners_px), 1.0)))


def _shared(sighting: Sighting, sightings: Sequence[Sighting]) -> float:
    """The greatest share (0..1) of a sighting's rectangle that lies in that of another card face up."""
    others = (other for other in sightings if other.number != sighting.number and other.face)
    return max((covered_share(sighting, other) for other in others), default=0.0)


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
