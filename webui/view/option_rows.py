"""Rules as fields of a form: some when an evening is opened, all of them for a club's own set."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from tracker.events import OptionValue
from tracker.game import Game
from tracker.rule_sets import Rules
from tracker.rule_sets_text import rule_value
from webui.games.page import Option
from webui.texts import text


@dataclass(frozen=True)
class OptionRow:
    """A field of the form: a box to tick (`kind` "tick"), a number from `low` to `high`, or one of `choices`.

    `value` is what the rules say. `label` stands before the field, `after` behind it. `rule` is the rule's id.
    """

    key: str
    label: str
    kind: str
    value: object
    low: int = 0
    high: int = 0
    step: int = 1
    choices: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    after: str = ""
    rule: str = ""


def option_row(option: Option, rules: Rules) -> OptionRow:
    """The field of the form for `option`, filled in from `rules`."""
    field = next(item for item in dataclasses.fields(rules) if item.name == option.key)
    label, value = text(option.label), getattr(rules, option.key)
    if isinstance(value, bool):
        return OptionRow(option.key, label, "tick", value)
    return _row(
        field, value, label, [(one, text(option.values[one])) for one in field.metadata.get("one of", ())]
    )


def rule_row(game: Game, rules: Rules, field: "dataclasses.Field[Any]", lang: str) -> OptionRow:
    """The field of the form for the rule `field` of `game`, within the rule's sentence, filled in from `rules`."""
    before, _, after = game.words.catalogue(lang).gettext(game.rule_lines[field.name]).partition("{}")
    value = getattr(rules, field.name)
    known: tuple[OptionValue, ...] = (
        (True, False) if isinstance(value, bool) else field.metadata.get("one of", ())
    )
    choices = [(_sent(one), rule_value(game, one, lang)) for one in known]
    row = _row(field, _sent(value), before, choices)
    return dataclasses.replace(row, after=after, rule=field.metadata["rule"])


def _row(
    field: "dataclasses.Field[Any]", value: object, label: str, choices: list[tuple[str, str]]
) -> OptionRow:
    if choices:
        return OptionRow(field.name, label, "choice", value, choices=choices)
    meta = field.metadata
    return OptionRow(field.name, label, "number", value, meta["from"], meta["to"], meta.get("step", 1))


def _sent(value: OptionValue) -> str:
    """A value as the form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
