"""A declared combination (DECL-1..4) as data. What it is worth and who owes it is in `declarations`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Combination:
    """One declared combination (DECL-1..4).

    `kind` is trumps (with `count` and `pagat`), matadors (`count`), cavallerie (`suit`, `grade`) or kings
    (`grade`). With the grade half, `missing` is the court's rank of a cavallerie, or the king's suit.
    """

    kind: str
    count: int | None = None
    pagat: bool | None = None
    suit: str | None = None
    grade: str | None = None
    missing: str | None = None
