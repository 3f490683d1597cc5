"""What is asked of the rules when an evening is opened."""

import dataclasses
from dataclasses import dataclass

from tracker.rule_sets import Rules
from webui.games.page import Option
from webui.texts import text


@dataclass(frozen=True)
class OptionRow:
    """A field of the form: a box to tick (`kind` "tick"), a number `low` to `high`, or a choice among `choices`.

    `value` is what the rules have.
    """

    key: str
    label: str
    kind: str
    value: object
    low: int = 0
    high: int = 0
    choices: list[tuple[str, str]] = dataclasses.field(default_factory=list)


def option_row(option: Option, rules: Rules) -> OptionRow:
    """How the form asks for `option`, filled in from `rules`."""
    kind = next(item for item in dataclasses.fields(rules) if item.name == option.key)
    label, value = text(option.label), getattr(rules, option.key)
    if kind.type in (bool, "bool"):
        return OptionRow(option.key, label, "tick", value)
    if "one of" in kind.metadata:
        choices = [(one, text(option.values[one])) for one in kind.metadata["one of"]]
        return OptionRow(option.key, label, "choice", value, choices=choices)
    return OptionRow(option.key, label, "number", value, kind.metadata["from"], kind.metadata["to"])
