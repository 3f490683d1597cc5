"""The recognition's figures on recordings, against their targets."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from vision.lab.bench.looks import CLEAR_LOOK, CONDITIONS, COVERED_LOOK, POOR_LOOK
from vision.lab.bench.recordings import JudgedRecording
from vision.lab.bench.targets import RECORDINGS, Share


@dataclass(frozen=True)
class Figures:
    """The figures of one or more recordings; shares are over all their plays together.

    - `settled`: true plays whose card was named right by the votes of its looks alone, without the game's prior and
      without a correction. The votes count when the play is booked, or when its card leaves unbooked. A card that
      never settled is not right.
    - `looks`: single looks that named the card right. A look is one frame's reading, both ways up, of a stationary
      card of the truth; a card gets at most twelve. `looks_clear`, `looks_covered` and `looks_blurred_or_glare`
      split them by how well the card was in view (`vision.lab.bench.looks.conditions`).
    - `confident_wrong`: settled readings at `SURE` or more that named the wrong card. The reading of an
      invented play counts as wrong.
    - `right`: true plays booked with the right card and player, in order. Those booked with alternatives are among
      them, and count in `doubtful` too.
    - `wrong`: booked with another card or player, or out of order. `missed`: not booked. `invented`: booked but
      never played; `invented_per_hour` of video.
    - `withdrawn`: booked, then taken back by the program, as the player took the card back or nobody had played it.
    - `shown_cards`: what was laid open and is no play, such as a talon or a vitamin, booked with all its cards right.
    - `questions`: questions to the table. A card that is asked about twice counts once, and so do several with one
      cause. `questions_per_hand`: for as many plays as a whole hand has.
    - `doubtful`: booked with alternatives. `doubtful_offered`: those whose true card was booked or offered.
    - `known_p50_s`, `known_p95_s`: of right plays, s of video from the card at rest to the play in the game.
    - `frames_per_s`: mean of the whole chain, from decoding to the game. `slowest_frames_per_s`: the same of the
      slowest ten frames in a row.
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
    withdrawn: int
    shown_cards: Share
    questions: int
    questions_per_hand: float | None
    doubtful: int
    doubtful_offered: int
    known_p50_s: float | None
    known_p95_s: float | None
    frames_per_s: float
    slowest_frames_per_s: float


def figures(judged: Sequence[JudgedRecording]) -> Figures:
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
    asked, hands = sum(j.asked for j in judged), sum(j.hands for j in judged)
    invented = sum(j.count("invented") for j in judged)
    return Figures(
        video_s=round(video_s, 1),
        settled=Share(sum(j.settled for j in judged), plays),
        looks=looks(*CONDITIONS), looks_clear=looks(CLEAR_LOOK), looks_covered=looks(COVERED_LOOK),
        looks_blurred_or_glare=looks(POOR_LOOK),
        confident_wrong=Share(sum(j.count("confident") for j in judged), sum(j.confident for j in judged)),
        right=Share(sum(j.right for j in judged), plays),
        wrong=sum(j.count("wrong") for j in judged), missed=sum(j.count("missed") for j in judged),
        invented=invented, invented_per_hour=round(3600 * invented / video_s, 2) if video_s else None,
        withdrawn=sum(j.withdrawn for j in judged),
        shown_cards=Share(sum(j.shown_cards.count for j in judged), sum(j.shown_cards.of for j in judged)),
        questions=asked, questions_per_hand=round(asked / hands, 1) if hands else None,
        doubtful=sum(j.doubtful for j in judged), doubtful_offered=sum(j.doubtful_offered for j in judged),
        known_p50_s=round(float(np.percentile(known_s, 50)), 3) if known_s else None,
        known_p95_s=round(float(np.percentile(known_s, 95)), 3) if known_s else None,
        frames_per_s=round(len(chain) / sum(chain), 1), slowest_frames_per_s=round(1 / max(tens or chain), 1),
    )  # fmt: skip


def met(found: Figures) -> dict[str, str | None]:
    """Which bound each figure with a target meets: "aim", "commit" or "no"; None if it was not measured."""
    return {key: target.met(value(getattr(found, key))) for key, target in RECORDINGS.items()}


def value(figure: Share | float | None) -> float | None:
    """The share or the number of a figure; None if nothing was measured."""
    return figure.share if isinstance(figure, Share) else figure


def figures_as_json(found: Figures) -> dict[str, object]:
    """The figures by name, shares as count, of and share; `met` says which bound each meets."""
    shown = {f.name: getattr(found, f.name) for f in fields(found)}
    return {k: v.as_json() if isinstance(v, Share) else v for k, v in shown.items()} | {"met": met(found)}


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
    "withdrawn": "plays booked and taken back",
    "shown_cards": "laid open, no plays, all cards right",
    "questions": "questions asked",
    "questions_per_hand": "  a hand",
    "doubtful": "doubtful plays asked about",
    "doubtful_offered": "  with the true card booked or offered",
    "known_p50_s": "card at rest → play known, p50",
    "known_p95_s": "  p95",
    "frames_per_s": "whole chain, frames/s",
    "slowest_frames_per_s": "  slowest ten frames",
}


def figures_as_text(title: str, found: Figures) -> str:
    """The figures as a table with their targets."""
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
    """A number with its unit; a target takes that of its figure, `like`."""
    share = isinstance(number, Share) or isinstance(like, Share)
    plain = value(number)
    if plain is None:
        return "–"
    if share:
        return f"{100 * plain:.2f} %"
    return f"{plain:.2f} s" if key.endswith("p50_s") or key.endswith("p95_s") else f"{plain:g}"
