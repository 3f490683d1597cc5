"""Rule sets of any game: what every one has, how options change it, and a club's own as a TOML file.

A game's rule set is a frozen dataclass derived from `Rules`. Each field is a rule that tables play one way or
another. Its metadata say the rule's id (`rule`), and what it may be: `one of` some texts, or a whole number `from`
one `to` another, in steps of `step`, of some `unit`.
"""

import dataclasses
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from tracker.errors import TarokError
from tracker.events import OptionValue
from tracker.files import read_at_most

Options = tuple[tuple[str, OptionValue], ...]
MOST_CHIPS: Final = 1_000_000
"""No amount that people may set is higher."""
_MOST_BYTES: Final = 8 * 1024
"""A club's file has some 500."""


class RuleError(TarokError):
    """A rule set or an option that does not exist or has an impossible value."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What every rule set has: its `name`."""

    name: str


R = TypeVar("R", bound=Rules)


def option_keys(rules: Rules | type[Rules]) -> tuple[str, ...]:
    """What a club's file and the options of a session may set."""
    return tuple(item.name for item in dataclasses.fields(rules))


def with_options(rules: R, options: Iterable[tuple[str, OptionValue]]) -> R:
    """`rules` with a session's options applied. Raises RuleError."""
    changes: dict[str, Any] = {}
    for key, value in options:
        if key not in option_keys(rules):
            raise RuleError(
                "unknown option {key!r}; there are {known}", key=key, known=", ".join(option_keys(rules))
            )
        changes[key] = checked_value(rules, key, value)
    return dataclasses.replace(rules, **changes) if changes else rules


def checked_value(rules: Rules | type[Rules], key: str, value: object) -> OptionValue:
    """`value` if the field `key` of `rules` can have it. Raises RuleError saying what it must be."""
    kind = next(item for item in dataclasses.fields(rules) if item.name == key)
    allowed = kind.metadata.get("one of")
    if allowed is not None:
        if value not in allowed or not isinstance(value, str):
            raise RuleError(
                "{key} must be {allowed}, not {value!r}", key=key, allowed=" or ".join(allowed), value=value
            )
        return value
    if kind.type in (bool, "bool"):
        if not isinstance(value, bool):
            raise RuleError("{key} must be true or false, not {value!r}", key=key, value=value)
        return value
    if kind.type in (str, "str"):
        if not isinstance(value, str):
            raise RuleError("{key} must be a text, not {value!r}", key=key, value=value)
        return value
    if not isinstance(value, int) or isinstance(value, bool):
        raise RuleError("{key} must be a whole number, not {value!r}", key=key, value=value)
    said = {"key": key, "unit": kind.metadata["unit"], "value": value}
    least, most, step = kind.metadata["from"], kind.metadata["to"], kind.metadata.get("step", 1)
    if not least <= value <= most:
        raise RuleError(
            "{key} must be from {least} to {most} {unit}, not {value}", least=least, most=most, **said
        )
    if value % step:
        raise RuleError("{key} must be a multiple of {step} {unit}, not {value}", step=step, **said)
    return value


def read_rule_set_file(path: str | Path, rule_sets: Mapping[str, Rules]) -> tuple[str, Options]:
    """A club's TOML file: `base` (the name of one of `rule_sets`), and the fields that differ as options.

    A set without a `name` is called as its file. Raises RuleError naming the file and the key for anything that
    cannot be read or is not a rule.
    """
    try:
        data = tomllib.loads(read_at_most(Path(path), _MOST_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RuleError(f"{path}: not UTF-8: byte {error.start} cannot be read") from error
    except OSError as error:
        raise RuleError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise RuleError(f"{path}: {error}") from error
    except RecursionError:
        raise RuleError(f"{path}: nested too deeply") from None
    base_name = data.pop("base", None)
    if not isinstance(base_name, str) or base_name not in rule_sets:
        raise RuleError(f"{path}: base must be one of {', '.join(rule_sets)}")
    base = rule_sets[base_name]
    options: dict[str, OptionValue] = {"name": Path(path).stem}
    for key, value in data.items():
        if key not in option_keys(base):
            raise RuleError(f"{path}: unknown key {key!r}; there are base, {', '.join(option_keys(base))}")
        try:
            options[key] = checked_value(base, key, value)
        except RuleError as error:
            raise RuleError(f"{path}: {error}") from None
    return base_name, tuple(options.items())


def rule_set_file_text(base: Rules, rules: Rules) -> str:
    """What a club's TOML file says for `rules`, a set after `base`: the base, the name, and each field that differs."""
    lines = [f"base = {_toml(base.name)}", f"name = {_toml(rules.name)}"]
    for key in option_keys(rules):
        value = getattr(rules, key)
        if key != "name" and value != getattr(base, key):
            lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: OptionValue) -> str:
    """A value as TOML writes it: as JSON does, but for one character that TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def is_rule_set_file(word: str) -> bool:
    """Whether what a person named as rules is a file rather than a rule set."""
    return word.endswith(".toml") or Path(word).is_file()
