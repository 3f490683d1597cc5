"""The fields of a declaration: what may be chosen, what was chosen, and what was declared before."""

from collections.abc import Sequence

from flask import request

from tracker.cards import COURTS, SUITS
from tracker.danish.combination import Combination
from tracker.danish.words import WORDS, missing_name, suit_name
from webui.pages import forms
from webui.pages.dialogs import suits
from webui.texts import text


def court_fields(lang: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The combinations of courts: the field of each, what it is called, and its grades to choose from."""
    courts = [
        (
            f"cavallerie_{one}",
            text("Cavallerie in {suit}", suit=suit_name(one, lang)),
            _grades([(rank, missing_name("cavallerie", rank, lang)) for rank in reversed(COURTS)]),
        )
        for one in SUITS
    ]
    return [*courts, ("kings", text("Kings"), _grades(suits(WORDS, lang)[:4]))]


def _grades(missing: list[tuple[str, str]]) -> list[tuple[str, str]]:
    halves = [(f"half-{value}", text("half, without the {missing}", missing=name)) for value, name in missing]
    return [("full", text("full")), ("abundant", text("abundant")), *halves]


def declared_in_form(of: str = "") -> tuple[Combination, ...]:
    """The declared combinations of the declaration form, `of` the player whose fields begin so; none is a pass."""
    made: list[Combination] = []
    form = request.form
    if form.get(f"{of}trumps"):
        count = forms.number(f"{of}trumps", 10, 22)
        made.append(Combination("trumps", count=count, pagat=f"{of}pagat" in form))
    if form.get(f"{of}matadors"):
        made.append(Combination("matadors", count=forms.number(f"{of}matadors", 3, 22)))
    for one in SUITS:
        if form.get(f"{of}cavallerie_{one}"):
            grade, missing = _graded(f"{of}cavallerie_{one}", COURTS)
            made.append(Combination("cavallerie", suit=one, grade=grade, missing=missing))
    if form.get(f"{of}kings"):
        grade, missing = _graded(f"{of}kings", SUITS)
        made.append(Combination("kings", grade=grade, missing=missing))
    return tuple(made)


def declared_fields(made: Sequence[Combination]) -> dict[str, str]:
    """What the fields of the declaration form say where `made` was declared."""
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
    """`full`, `abundant` or `half-X` where X is missing."""
    halves = tuple(f"half-{one}" for one in may_miss)
    grade, _, missing = forms.choice(name, ("full", "abundant", *halves)).partition("-")
    return grade, missing or None
