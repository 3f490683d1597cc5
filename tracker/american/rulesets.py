"""The rule set `american-tarock` and what a table can play another way."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tracker.errors import TarokError
from tracker.events import OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class AmericanRules:
    """Every rule that a table can play one way or another; amounts are points."""

    name: str = "american-tarock"
    source: str = "Tarock: American Style, the rules that come with the pack"
    mond_penalty: int = field(default=21, metadata={"rule": "AT-MOND-1"})
    zero_klop: bool = field(default=True, metadata={"rule": "AT-COMP-1"})
    valat_alone: bool = field(default=True, metadata={"rule": "AT-BONUS-5"})
    free_lead: bool = field(default=False, metadata={"rule": "AT-PLAY-6"})


AMERICAN_TAROCK: Final = AmericanRules()
AMERICAN_KEYS: Final = tuple(item.name for item in dataclasses.fields(AmericanRules) if item.name != "source")


def american_rules(name: str) -> AmericanRules:
    """The rule set of that name. Raises TarokError."""
    if name != AMERICAN_TAROCK.name:
        raise TarokError(f"unknown rule set {name!r}; there is {AMERICAN_TAROCK.name}")
    return AMERICAN_TAROCK


def american_options(rules: AmericanRules, options: Iterable[tuple[str, OptionValue]]) -> AmericanRules:
    """`rules` with a session's options applied. Raises TarokError saying what a value must be."""
    changes: dict[str, Any] = {}
    for key, value in options:
        if key not in AMERICAN_KEYS:
            raise TarokError(f"unknown option {key!r}; there are {', '.join(AMERICAN_KEYS)}")
        default = getattr(AMERICAN_TAROCK, key)
        if isinstance(default, bool):
            if not isinstance(value, bool):
                raise TarokError(f"{key} must be true or false, not {value!r}")
        elif isinstance(default, str):
            if not isinstance(value, str):
                raise TarokError(f"{key} must be a text, not {value!r}")
        elif not isinstance(value, int) or isinstance(value, bool):
            raise TarokError(f"{key} must be a whole number, not {value!r}")
        elif not 0 <= value <= 1_000_000:
            raise TarokError(f"{key} must be from 0 to 1000000 points, not {value}")
        changes[key] = value
    return dataclasses.replace(rules, **changes) if changes else rules
