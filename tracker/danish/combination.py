"""A declared combination (DECL-1..4) as data; what it is worth and who owes one is in `declarations`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Combination:
    """One declared combination (DECL-1..4).

    `kind` is trumps (`count`, `pagat`), matadors (`count`), cavallerie (`suit`, `grade`) or kings (`grade`);
    a half `grade` names what is `missing`: a court rank of a cavallerie, a suit of the kings.
    """

    kind: str
    count: int | None = None
    pagat: bool | None = None
    suit: str | None = None
    grade: str | None = None
    missing: str | None = None
