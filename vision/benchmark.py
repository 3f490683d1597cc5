"""Measuring the eyes on recordings with truth files: what was read and booked, against what was played.

`tarok bench vision FOLDER…` watches each recording `NAME.mp4` beside a `NAME.json` (seats, dealer, rules,
plays with the frame their card came to rest in).
"""

import json
from collections.abc import Container, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vision.errors import VisionError
from vision.looks import BLURRED_OR_GLARE, CLEAR, CONDITIONS, COVERED, conditions
from vision.models import overlap
from vision.observing import Booking, Observed, Reading, card_picture, voted
from vision.sightings import SURE
from vision.stages import Times
from vision.targets import RECORDINGS, Share

FRAMES_AFTER_S = (0.5, 1.5)
"""Seconds after a card came to rest at which the pictures of a missed play are taken."""
EARLIEST_S, LATEST_S, LATEST_OUT_OF_ORDER_S = -1.0, 10.0, 3.0
"""How much later than a card came to rest the card of another play can have been seen to lie, to be that one."""


@dataclass(frozen=True)
class Play:
    """Who played what, and a time in s: when the card came to rest (truth), or the play was known (booked)."""

    player: str
    card: str
    at_s: float


@dataclass(frozen=True)
class Recording:
    """A recording and its truth."""

    video: Path
    sides: dict[str, str]
    dealer: str
    rules: str
    plays: tuple[Play, ...]


def load_recording(truth: Path) -> Recording:
    """Read a truth file; raises `VisionError` naming the file when it cannot be used."""
    try:
        data = json.loads(truth.read_text(encoding="utf-8"))
        seats = dict(seat.split("@") for seat in data["seats"])
        plays = tuple(Play(p["play"], p["card"], p["frame"] / data["fps"]) for p in data["plays"])
        video = next(truth.with_suffix(e) for e in (".mp4", ".avi", ".mkv") if truth.with_suffix(e).is_file())
        return Recording(video, seats, data["dealer"], data["rules"], plays)
    except StopIteration as error:
        raise VisionError(f"{truth}: no video of that name beside it") from error
    except (OSError, ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise VisionError(f"{truth}: not a truth file ({error!r})") from error


def frames_wanted(recording: Recording) -> list[float]:
    """The times in s of the frames to keep for plays that may turn out to be missed."""
    return [play.at_s + after_s for play in recording.plays for after_s in FRAMES_AFTER_S]


class Pair(NamedTuple):
    """A play of the truth and the play booked for it, by index; None where there is none: missed, or invented.

    Not `in_order`: the play came into the game before one made earlier, or after one made later.
    """

    true: int | None
    booked: int | None
    in_order: bool = True


def compare(truth: Sequence[Play], booked: Sequence[Play]) -> list[Pair]:
    """Lay the plays booked beside those of the truth, with as few mistakes as can be.

    A pair in order is right where player and card agree. Two plays that differ, or stand in another order,
    are a pair (a wrong play) only if they lie close enough in time to be one (`at_s`: when the card came to
    rest, when it was first seen to lie), and out of order only if player or card agree; else one was missed
    and the other invented.
    """
    rows, columns = len(truth) + 1, len(booked) + 1
    cost = np.zeros((rows, columns))
    cost[:, 0], cost[0, :] = np.arange(rows), np.arange(columns)
    for a in range(1, rows):
        for b in range(1, columns):
            both = cost[a - 1, b - 1] + _pair_cost(truth[a - 1], booked[b - 1])
            cost[a, b] = min(both, cost[a - 1, b] + 1, cost[a, b - 1] + 1)
    pairs: list[Pair] = []
    a, b = len(truth), len(booked)
    while a or b:
        if a and b and cost[a, b] == cost[a - 1, b - 1] + _pair_cost(truth[a - 1], booked[b - 1]):
            a, b = a - 1, b - 1
            pairs.append(Pair(a, b))
        elif b and cost[a, b] == cost[a, b - 1] + 1:
            b -= 1
            pairs.append(Pair(None, b))
        else:
            a -= 1
            pairs.append(Pair(a, None))
    return _out_of_order(truth, booked, pairs[::-1])


def _out_of_order(truth: Sequence[Play], booked: Sequence[Play], pairs: list[Pair]) -> list[Pair]:
    """`pairs` with what was missed and booked at another place in the order made one."""
    invented = [pair.booked for pair in pairs if pair.true is None and pair.booked is not None]
    found: dict[int, int] = {}
    for pair in pairs:
        if pair.booked is None and pair.true is not None:
            true = truth[pair.true]
            late = {b: booked[b].at_s - true.at_s for b in invented if _alike(true, booked[b])}
            near = {b: abs(s) for b, s in late.items() if EARLIEST_S <= s <= LATEST_OUT_OF_ORDER_S}
            if near:
                found[pair.true] = min(near, key=lambda b: near[b])
                invented.remove(found[pair.true])
    return [
        Pair(pair.true, found[pair.true], False) if pair.true in found and pair.true is not None else pair
        for pair in pairs
        if pair.true is not None or pair.booked in invented
    ]


def _alike(true: Play, booked: Play) -> bool:
    return true.player == booked.player or true.card == booked.card


def _pair_cost(true: Play, booked: Play) -> float:
    if (true.player, true.card) == (booked.player, booked.card):
        return 0.0
    late = booked.at_s - true.at_s
    # Of two neighbours the one nearer in time is taken, and one that shares player or card before all.
    return 1.2 - 0.1 * _alike(true, booked) + abs(late) / 100 if EARLIEST_S <= late <= LATEST_S else 3.0


@dataclass(frozen=True)
class Mistake:
    """A play that came out wrong, or was asked about, with its pictures (JPEG; empty where not asked for).

    `kinds` are of "wrong", "missed", "invented", "misread" (the votes named another card), "confident"
    (they did so at `SURE` or more) and "doubtful". `at_s` is the time in the video; `voted` what the votes
    said without the game.
    """

    recording: str
    kinds: tuple[str, ...]
    at_s: float
    true: Play | None
    booked: Play | None
    alternatives: tuple[str, ...]
    voted: Reading
    frames: tuple[bytes, ...] = ()
    crop: bytes = b""


@dataclass(frozen=True)
class Misread:
    """A single look that named another card than lay there; `jpeg` is what it looked at."""

    recording: str
    at_s: float
    true: str
    read: str
    probability: float
    condition: str
    jpeg: bytes = b""


@dataclass(frozen=True)
class Judged:
    """One recording held against its truth: the counts of `Figures`, and what they were counted from."""

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
    times: Times

    def count(self, kind: str) -> int:
        """How many mistakes are of `kind`."""
        return sum(kind in mistake.kinds for mistake in self.mistakes)


@dataclass(frozen=True)
class Figures:
    """The figures of one or more recordings; shares count over all their plays together.

    - `settled`: of the truth's plays, those whose card the votes of its looks alone named rightly when the play
      was booked (or when it left unbooked): before the game's prior and before any correction. A card that
      never settled counts against it.
    - `looks`: of the single looks (one frame's reading, both ways up, of a card of the truth lying still after
      it came to rest; the chain takes up to twelve a card), those that name it rightly; `looks_clear`,
      `looks_covered` and `looks_blurred_or_glare` by how it was in view (`vision.looks.conditions`).
    - `confident_wrong`: of the settled readings with `SURE` or more, those that name another card than lay
      there. The reading behind an invented play counts as wrong.
    - `right`: of the truth's plays, those booked with card and player, in their order. A play booked right with
      alternatives is right, and counted in `doubtful` too.
    - `wrong`: another card or player booked for it, or at another place in the order; `missed`: nothing
      booked; `invented`: booked and never played, also by the hour of video.
    - `doubtful`: booked with alternatives, `doubtful_offered` of them with the true card booked or offered.
    - `known_p50_s`, `known_p95_s`: from the card at rest to the play in the game, s of video, of right plays.
    - `frames_per_s`: of the whole chain from decoding to the game, mean; `slowest_frames_per_s`: ten in a row.
    """

    video_s: float
    settled: Share
    looks: Share
    looks_clear: Share
    looks_covered: Share
    looks_blurred_or_glare: Share
    confident_wrong: Share
    right: Share
    wrong: int
    missed: int
    invented: int
    invented_per_hour: float | None
    doubtful: int
    doubtful_offered: int
    known_p50_s: float | None
    known_p95_s: float | None
    frames_per_s: float
    slowest_frames_per_s: float


def judge(recording: Recording, seen: Observed) -> Judged:
    """Hold what was observed in `recording` against its truth."""
    name, plays = recording.video.stem, recording.plays
    numbers = [at for at, booking in enumerate(seen.bookings) if not booking.taken_back]
    standing = [seen.bookings[at] for at in numbers]
    pairs = compare(plays, [Play(b.play.player, b.play.card, _first_look_s(seen, b)) for b in standing])
    truth_of = {numbers[b]: a for a, b, _ in pairs if b is not None}
    # By sighting, the play of the truth that its card is.
    card_of = {number: truth_of.get(at) for number, at in seen.same.items()}
    mistakes: list[Mistake] = []
    settled = confident = right = doubtful = offered = 0
    known_s = []
    for a, b, in_order in pairs:
        true = plays[a] if a is not None else None
        booking = standing[b] if b is not None else None
        reading: Reading = booking.voted if booking is not None else ()
        number = booking.sighting if booking is not None else None
        if booking is None and true is not None and a is not None:
            number = _unbooked(seen, true.at_s, card_of)
            if number is not None:
                card_of[number] = a
                reading = voted(seen.sightings[number])
        kinds = _kinds(true, booking, in_order, reading)
        settled += bool(true and reading and reading[0][0] == true.card)
        confident += bool(reading and reading[0][1] >= SURE)
        right += not {"wrong", "missed", "invented"} & set(kinds)
        if booking is not None and booking.play.alternatives:
            doubtful += 1
            offered += true is not None and true.card in (booking.play.card, *booking.play.alternatives)
        if true is not None and booking is not None and "wrong" not in kinds:
            known_s.append(booking.known_s - true.at_s)
        if kinds:
            shots: tuple[bytes, ...] = (booking.frame,) if booking is not None else ()
            crop = booking.crop if booking is not None else b""
            if booking is None and true is not None:
                times_s = [true.at_s + after_s for after_s in FRAMES_AFTER_S]
                shots = tuple(seen.kept[at_s] for at_s in times_s if at_s in seen.kept)
                if shots and number is not None:
                    crop = card_picture(seen.sightings[number])
            mistakes.append(
                Mistake(
                    name, kinds, booking.booked_s if booking else true.at_s if true else 0.0, true,
                    _as_play(booking), booking.play.alternatives if booking else (),
                    reading, tuple(shot for shot in shots if shot), crop,
                )
            )  # fmt: skip
    looks, misread = _judge_looks(name, seen, {n: plays[a] for n, a in card_of.items() if a is not None})
    return Judged(
        name, seen.end_s, len(plays), settled, looks, confident, right, doubtful, offered, tuple(known_s),
        tuple(mistakes), tuple(misread), seen.times,
    )  # fmt: skip


def _as_play(booking: Booking | None) -> Play | None:
    return Play(booking.play.player, booking.play.card, booking.known_s) if booking is not None else None


def _first_look_s(seen: Observed, booking: Booking) -> float:
    looks = seen.looks.get(booking.sighting)
    return looks[0].time_s if looks else booking.booked_s


def _kinds(true: Play | None, booking: Booking | None, in_order: bool, reading: Reading) -> tuple[str, ...]:
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
    """The sighting, none of the `known`, of a card that came to rest at `rest_s`: the one most looked at."""
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
    name: str, seen: Observed, card_of: dict[int, Play]
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


def figures(judged: Sequence[Judged]) -> Figures:
    """The figures of one recording, or of several together."""

    def looks(*of: str) -> Share:
        shares = [j.looks[condition] for j in judged for condition in of]
        return Share(sum(s.count for s in shares), sum(s.of for s in shares))

    plays, video_s = sum(j.plays for j in judged), sum(j.video_s for j in judged)
    known_s = [s for j in judged for s in j.known_s]
    chain = [s for j in judged for s in j.times.chain]
    tens = [
        sum(j.times.chain[i : i + 10]) / 10 for j in judged for i in range(max(0, len(j.times.chain) - 9))
    ]
    invented = sum(j.count("invented") for j in judged)
    return Figures(
        video_s=round(video_s, 1),
        settled=Share(sum(j.settled for j in judged), plays),
        looks=looks(*CONDITIONS), looks_clear=looks(CLEAR), looks_covered=looks(COVERED),
        looks_blurred_or_glare=looks(BLURRED_OR_GLARE),
        confident_wrong=Share(sum(j.count("confident") for j in judged), sum(j.confident for j in judged)),
        right=Share(sum(j.right for j in judged), plays),
        wrong=sum(j.count("wrong") for j in judged), missed=sum(j.count("missed") for j in judged),
        invented=invented, invented_per_hour=round(3600 * invented / video_s, 2) if video_s else None,
        doubtful=sum(j.doubtful for j in judged), doubtful_offered=sum(j.doubtful_offered for j in judged),
        known_p50_s=round(float(np.percentile(known_s, 50)), 3) if known_s else None,
        known_p95_s=round(float(np.percentile(known_s, 95)), 3) if known_s else None,
        frames_per_s=round(len(chain) / sum(chain), 1), slowest_frames_per_s=round(1 / max(tens or chain), 1),
    )  # fmt: skip


def met(found: Figures) -> dict[str, str | None]:
    """Of each target, by the name of its figure, whether "aim" or "commit" is met, or "no"."""
    return {key: target.met(value(getattr(found, key))) for key, target in RECORDINGS.items()}


def value(figure: Share | float | None) -> float | None:
    """The number in a figure, None where nothing was measured."""
    return figure.share if isinstance(figure, Share) else figure


def figures_as_json(found: Figures) -> dict[str, object]:
    """The figures by name; shares as count, of and share, and under `met` what target each reaches."""
    shown = {f.name: getattr(found, f.name) for f in fields(found)}
    return {k: v.as_json() if isinstance(v, Share) else v for k, v in shown.items()} | {"met": met(found)}


def mistake_as_json(mistake: Mistake) -> dict[str, object]:
    """A mistake without its pictures."""
    return {k: v for k, v in asdict(mistake).items() if k not in ("frames", "crop")}


_WORDS = {
    "settled": "settled card named right after voting",
    "looks": "single crops read right in the footage",
    "looks_clear": "  clear",
    "looks_covered": "  partly covered",
    "looks_blurred_or_glare": "  blurred or in glare",
    "confident_wrong": "confident and wrong",
    "right": "plays right without correction",
    "wrong": "  wrong",
    "missed": "  missed",
    "invented": "plays invented",
    "invented_per_hour": "  an hour of video",
    "doubtful": "doubtful plays asked about",
    "doubtful_offered": "  with the true card booked or offered",
    "known_p50_s": "card at rest → play known, p50",
    "known_p95_s": "  p95",
    "frames_per_s": "whole chain, frames/s",
    "slowest_frames_per_s": "  slowest ten frames",
}


def figures_as_text(title: str, found: Figures) -> str:
    """The figures as a table with the targets beside them."""
    reached = met(found)
    lines = [
        f"{title}: {found.right.of} plays in {found.video_s / 60:.1f} min of video",
        f"  {'':<40}{'':>10}{'':>14}{'commit':>10}{'aim':>10}",
    ]
    for key, words in _WORDS.items():
        figure = getattr(found, key)
        counts = f"{figure.count} of {figure.of}" if isinstance(figure, Share) else ""
        line = f"  {words:<40}{_shown(key, figure):>10}{counts:>14}"
        if target := RECORDINGS.get(key):
            verdict = {"aim": "aim met", "commit": "commit met", "no": "not met", None: "–"}[reached[key]]
            line += (
                f"{_shown(key, target.commit, figure):>10}{_shown(key, target.aim, figure):>10}  {verdict}"
            )
        lines.append(line)
    return "\n".join(lines)


def _shown(key: str, number: Share | float | None, like: Share | float | None = None) -> str:
    """A figure, or a target of a figure `like` that, with its unit."""
    share = isinstance(number, Share) or isinstance(like, Share)
    plain = value(number)
    if plain is None:
        return "–"
    if share:
        return f"{100 * plain:.2f} %"
    return f"{plain:.2f} s" if key.endswith("p50_s") or key.endswith("p95_s") else f"{plain:g}"
