"""Measuring the eyes on recordings: what was read and booked, against the ground truth.

`tarok bench vision FOLDER…` watches each recording `NAME.mp4` with a truth file `NAME.json`: seats, dealer, rules,
and for each play the frame in which its card came to rest.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass

from vision.lab.bench.looks import CONDITIONS, conditions
from vision.lab.bench.observing import Booking, Observed, Votes, card_picture, voted
from vision.lab.bench.stages import Times
from vision.lab.bench.targets import Share
from vision.lab.bench.truth import Recording, TimedPlay, compare
from vision.picture import overlap
from vision.watching.sightings import SURE

FRAMES_AFTER_S = (0.5, 1.5)
"""Times of the pictures of a missed play, in s after its card came to rest."""


def frames_wanted(recording: Recording) -> list[float]:
    """The times (s) of the frames to keep in case a play is missed."""
    return [play.at_s + after_s for play in recording.plays for after_s in FRAMES_AFTER_S]


@dataclass(frozen=True)
class Mistake:
    """A wrong or doubtful play with its pictures (JPEG; empty if not asked for).

    `kinds` are some of "wrong", "missed", "invented", "misread" (the votes named another card), "confident" (the votes
    did so at `SURE` or more) and "doubtful". `at_s` is the time in the video. `voted` is the reading by the votes
    alone, without the game's prior.
    """

    recording: str
    kinds: tuple[str, ...]
    at_s: float
    true: TimedPlay | None
    booked: TimedPlay | None
    alternatives: tuple[str, ...]
    voted: Votes
    frames: tuple[bytes, ...] = ()
    crop: bytes = b""


@dataclass(frozen=True)
class Misread:
    """A single look that named the wrong card; `jpeg` is its picture."""

    recording: str
    at_s: float
    true: str
    read: str
    probability: float
    condition: str
    jpeg: bytes = b""


@dataclass(frozen=True)
class JudgedRecording:
    """One recording compared with its truth: the counts for `vision.lab.bench.figures.Figures`, and the mistakes.

    `asked` is the number of questions to the table. `hands` are its plays in whole hands, 0.5 for half of one.
    """

    recording: str
    video_s: float
    plays: int
    settled: int
    looks: dict[str, Share]
    confident: int
    right: int
    doubtful: int
    doubtful_offered: int
    known_s: tuple[float, ...]
    mistakes: tuple[Mistake, ...]
    misread: tuple[Misread, ...]
    withdrawn: int
    times: Times
    shown_cards: Share
    asked: int
    hands: float

    def count(self, kind: str) -> int:
        """How many mistakes are of `kind`."""
        return sum(kind in mistake.kinds for mistake in self.mistakes)


def judge(
    recording: Recording,
    seen: Observed,
    refused: Container[int] = (),
    shown: Container[frozenset[str]] = (),
    asked: int = 0,
    plays_in_hand: int = 75,
    hand_of: Mapping[int, int] | None = None,
) -> JudgedRecording:
    """Compare what was `seen` in `recording` with its truth.

    - `refused`: numbers of the events that the game rejected; their plays count as wrong.
    - `shown`: the sets of cards that were seen laid open and are no plays.
    - `asked`: the number of questions to the table. `plays_in_hand`: how many plays a whole hand has.
    - `hand_of`: the number of the hand of each event (None: all are of the first). In another hand than its own a play
      counts as wrong.
    """
    name, plays = recording.video.stem, recording.plays
    shown_cards = Share(sum(frozenset(cards) in shown for _, cards in recording.shown), len(recording.shown))
    pairs, card_of = _judged_pairs(plays, seen, refused, hand_of or {})
    looks, misread = _judge_looks(name, seen, {n: plays[a] for n, a in card_of.items() if a is not None})
    return JudgedRecording(
        name,
        seen.end_s,
        len(plays),
        settled=sum(pair.settled for pair in pairs),
        looks=looks,
        confident=sum(pair.confident for pair in pairs),
        right=sum(not {"wrong", "missed", "invented"} & set(pair.kinds) for pair in pairs),
        doubtful=sum(bool(pair.names) for pair in pairs),
        doubtful_offered=sum(pair.true is not None and pair.true.card in pair.names for pair in pairs),
        known_s=tuple(pair.known_s for pair in pairs if pair.known_s is not None),
        mistakes=tuple(_mistake(name, seen, pair) for pair in pairs if pair.kinds),
        misread=tuple(misread),
        withdrawn=sum(booking.taken_back for booking in seen.bookings),
        times=seen.times,
        shown_cards=shown_cards,
        asked=asked,
        hands=len(plays) / plays_in_hand,
    )


@dataclass(frozen=True)
class _Pair:
    """A `true` play and the `booking` for it (one may be None), the sighting's `number`, its votes, what is wrong."""

    true: TimedPlay | None
    booking: Booking | None
    number: int | None
    reading: Votes
    kinds: tuple[str, ...]

    @property
    def settled(self) -> bool:
        """Whether its card is the likeliest by the votes."""
        return self.true is not None and bool(self.reading) and self.reading[0][0] == self.true.card

    @property
    def confident(self) -> bool:
        """Whether the votes are sure of some card."""
        return bool(self.reading) and self.reading[0][1] >= SURE

    @property
    def names(self) -> tuple[str, ...]:
        """The cards between which the table chooses when it is asked about a doubtful play; none if it is not asked."""
        if self.booking is None or not self.booking.play.alternatives:
            return ()
        return (self.booking.play.card, *self.booking.play.alternatives)

    @property
    def known_s(self) -> float | None:
        """Time (s) from the card at rest to the play as it is known; None where it is missed, invented or wrong."""
        if self.true is None or self.booking is None or "wrong" in self.kinds:
            return None
        return self.booking.known_s - self.true.at_s


def _judged_pairs(
    plays: Sequence[TimedPlay], seen: Observed, refused: Container[int], hand_of: Mapping[int, int]
) -> tuple[list[_Pair], dict[int, int | None]]:
    """The true `plays` beside the standing bookings, and by sighting the index of the true play of its card."""
    numbers = [at for at, booking in enumerate(seen.bookings) if not booking.taken_back]
    standing = [seen.bookings[at] for at in numbers]
    pairs = compare(plays, [TimedPlay(b.play.player, b.play.card, _first_look_s(seen, b)) for b in standing])
    truth_of = {numbers[b]: a for a, b, _ in pairs if b is not None}
    card_of = {number: truth_of.get(at) for number, at in seen.same.items()}
    judged = []
    for a, b, in_order in pairs:
        true = plays[a] if a is not None else None
        booking = standing[b] if b is not None else None
        number: int | None
        if booking is not None:
            number, reading = booking.sighting, booking.voted
        else:
            number = _unbooked(seen, true.at_s, card_of) if true is not None else None
            reading = voted(seen.sightings[number]) if number is not None else ()
            if number is not None:
                card_of[number] = a
        stands = booking is not None and booking.seq not in refused
        if booking is not None and true is not None:
            stands &= hand_of.get(booking.seq, 1) == true.hand
        judged.append(
            _Pair(true, booking, number, reading, _kinds(true, booking, in_order and stands, reading))
        )
    return judged, card_of


def _mistake(name: str, seen: Observed, pair: _Pair) -> Mistake:
    true, booking = pair.true, pair.booking
    frames, crop = _pictures(seen, true, booking, pair.number)
    return Mistake(
        name,
        pair.kinds,
        booking.booked_s if booking else true.at_s if true else 0.0,
        true,
        TimedPlay(booking.play.player, booking.play.card, booking.known_s) if booking else None,
        booking.play.alternatives if booking else (),
        pair.reading,
        frames,
        crop,
    )


def _pictures(
    seen: Observed, true: TimedPlay | None, booking: Booking | None, number: int | None
) -> tuple[tuple[bytes, ...], bytes]:
    """A mistake's frames and the crop of its card, as JPEGs; `number` is its sighting, if there is one."""
    if booking is not None:
        return (booking.frame,) if booking.frame else (), booking.crop
    if true is None:
        return (), b""
    times_s = [true.at_s + after_s for after_s in FRAMES_AFTER_S]
    frames = tuple(seen.kept[at_s] for at_s in times_s if at_s in seen.kept)
    crop = card_picture(seen.sightings[number]) if frames and number is not None else b""
    return frames, crop


def _first_look_s(seen: Observed, booking: Booking) -> float:
    looks = seen.looks.get(booking.sighting)
    return looks[0].time_s if looks else booking.booked_s


def _kinds(
    true: TimedPlay | None, booking: Booking | None, in_order: bool, reading: Votes
) -> tuple[str, ...]:
    kinds = []
    if booking is None:
        kinds.append("missed")
    elif true is None:
        kinds.append("invented")
    elif not in_order or (true.player, true.card) != (booking.play.player, booking.play.card):
        kinds.append("wrong")
    if reading and (true is None or reading[0][0] != true.card):
        if true is not None:
            kinds.append("misread")
        if reading[0][1] >= SURE:
            kinds.append("confident")
    if booking is not None and booking.play.alternatives:
        kinds.append("doubtful")
    return tuple(kinds)


def _unbooked(seen: Observed, rest_s: float, known: Container[int]) -> int | None:
    """The number of the sighting that is probably the unbooked card at rest since `rest_s`; None if there is none.

    Of those that are not `known` and overlap no booked card, it is the one with the most looks.
    """
    candidates = []
    for number, looks in seen.looks.items():
        first = looks[0]
        soon = rest_s - 0.3 <= first.time_s <= rest_s + FRAMES_AFTER_S[-1]
        if number in known or len(looks) < 2 or not soon:
            continue
        booked = [n for n in seen.same if n in seen.looks]
        lying = [n for n in booked if seen.sightings[n].first_s <= first.time_s <= seen.sightings[n].seen_s]
        if all(overlap(first.corners_px, seen.looks[n][0].corners_px) < 0.3 for n in lying):
            candidates.append((len(looks), -number))
    return -max(candidates)[1] if candidates else None


def _judge_looks(
    name: str, seen: Observed, card_of: dict[int, TimedPlay]
) -> tuple[dict[str, Share], list[Misread]]:
    counts = {condition: [0, 0] for condition in CONDITIONS}
    misread = []
    for number, true in card_of.items():
        looks = seen.looks.get(number, [])
        for look, condition in zip(looks, conditions(looks), strict=True):
            if look.time_s < true.at_s - 0.05:
                continue
            counts[condition][1] += 1
            if look.name == true.card:
                counts[condition][0] += 1
            else:
                misread.append(
                    Misread(name, look.time_s, true.card, look.name, look.probability, condition, look.jpeg)
                )
    return {condition: Share(*pair) for condition, pair in counts.items()}, misread


def mistake_as_json(mistake: Mistake) -> dict[str, object]:
    """A mistake without its pictures."""
    return {k: v for k, v in asdict(mistake).items() if k not in ("frames", "crop")}
