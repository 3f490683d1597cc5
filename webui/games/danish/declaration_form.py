"""The fields of a declaration: what may be chosen, what was chosen, and what was declared before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flask import request

from tracker.cards import COURTS, SUITS
from tracker.danish.combination import Combination
from tracker.danish.words import WORDS, missing_name
from webui.pages import fields
from webui.texts import text

_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True)
class Grade:
    """A grade that may be declared: its value and its name. `card` is the card that a half one lacks, else ""."""

    value: str
    said: str
    card: str = ""


def court_fields(lang: str) -> list[tuple[str, str, str, list[Grade]]]:
    """The combinations of courts: for each its field, its name, its sign, and its grades to choose from."""
    courts = [
        (
            f"cavallerie_{one}",
            text("Cavallerie in {suit}", suit=WORDS.suit_name(one, lang)),
            _SIGNS[one],
            _grades("cavallerie", {rank: f"{one}{rank}" for rank in reversed(COURTS)}, lang),
        )
        for one in SUITS
    ]
    kings = _grades("kings", {one: f"{one}{COURTS[-1]}" for one in SUITS}, lang)
    return [*courts, ("kings", text("Kings"), text("Kings"), kings)]


def _grades(kind: str, missing: Mapping[str, str], lang: str) -> list[Grade]:
    halves = [
        Grade(f"half-{one}", text("half, without the {missing}", missing=missing_name(kind, one, lang)), card)
        for one, card in missing.items()
    ]
    return [Grade("full", text("full")), Grade("abundant", text("abundant")), *halves]


def declared_in_form(of: str = "") -> tuple[Combination, ...]:
    """The combinations in the declaration form; none is a pass. `of` is what the names of the fields begin with."""
    made: list[Combination] = []
    form = request.form
    if form.get(f"{of}trumps"):
        count = fields.number(f"{of}trumps", 10, 22)
        made.append(Combination("trumps", count=count, pagat=f"{of}pagat" in form))
    if form.get(f"{of}matadors"):
        made.append(Combination("matadors", count=fields.number(f"{of}matadors", 3, 22)))
    for one in SUITS:
        if form.get(f"{of}cavallerie_{one}"):
            grade, missing = _graded(f"{of}cavallerie_{one}", COURTS)
            made.append(Combination("cavallerie", suit=one, grade=grade, missing=missing))
    if form.get(f"{of}kings"):
        grade, missing = _graded(f"{of}kings", SUITS)
        made.append(Combination("kings", grade=grade, missing=missing))
    return tuple(made)


def declared_fields(made: Sequence[Combination]) -> dict[str, str]:
    """The values of the declaration form's fields if `made` was declared."""
    said = {}
    for one in made:
        field = f"cavallerie_{one.suit}" if one.kind == "cavallerie" else one.kind
        said[field] = (
            str(one.count) if one.count else f"half-{one.missing}" if one.missing else one.grade or ""
        )
        if one.pagat:
            said["pagat"] = "1"
    return said


def _graded(name: str, may_miss: tuple[str, ...]) -> tuple[str, str | None]:
    """The grade in the field `name` and the missing card: `full`, `abundant`, or `half-X` without X."""
    halves = tuple(f"half-{one}" for one in may_miss)
    grade, _, missing = fields.choice(name, ("full", "abundant", *halves)).partition("-")
    return grade, missing or None
