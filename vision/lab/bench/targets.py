"""Targets of the recognition: what a club can rely on (commit), and the goal (aim)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Share:
    """`count` out of `of`."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        """The share 0..1; None if `of` is 0."""
        return self.count / self.of if self.of else None

    def as_json(self) -> dict[str, float | int | None]:
        """Both numbers and the share."""
        share = self.share
        return {"count": self.count, "of": self.of, "share": None if share is None else round(share, 6)}


@dataclass(frozen=True)
class Target:
    """A figure's bounds `commit` and `aim`: lower bounds if `at_least`, else upper. Shares are 0..1."""

    commit: float
    aim: float
    at_least: bool = True

    def met(self, value: float | None) -> str | None:
        """Which bound `value` meets: "aim", "commit" or "no"; None if nothing was measured."""
        if value is None:
            return None
        for name, bound in (("aim", self.aim), ("commit", self.commit)):
            if value >= bound if self.at_least else value <= bound:
                return name
        return "no"


CLEAN_TARGET: Final = Target(0.998, 0.999)
COVERED_TARGET: Final = Target(0.985, 0.993)
BLURRED_TARGET: Final = Target(0.97, 0.985)
CONFIDENT_WRONG_TARGET: Final = Target(0.003, 0.0005, at_least=False)

RECORDINGS: Final[Mapping[str, Target]] = {
    "settled": Target(0.998, 0.9995),
    "looks_clear": CLEAN_TARGET,
    "looks_covered": COVERED_TARGET,
    "looks_blurred_or_glare": BLURRED_TARGET,
    "confident_wrong": CONFIDENT_WRONG_TARGET,
    "right": Target(0.995, 0.998),
    "invented_per_hour": Target(1.0, 0.2, at_least=False),
    "known_p50_s": Target(0.4, 0.3, at_least=False),
    "known_p95_s": Target(0.8, 0.5, at_least=False),
    "frames_per_s": Target(10.0, 15.0),
    "slowest_frames_per_s": Target(5.0, 5.0),
}
"""Targets by field of `vision.lab.bench.figures.Figures`."""

CROPS: Final[Mapping[str, Target]] = {
    "clean": CLEAN_TARGET,
    "half covered, one index in view": COVERED_TARGET,
    "blurred": BLURRED_TARGET,
    "glare": BLURRED_TARGET,
}
"""Targets for the share of crops named right, by difficulty (`vision.lab.bench.difficulties`); `hard` has none."""
