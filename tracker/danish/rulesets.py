"""The rule sets: for each rule on which tables differ, what each set says.

`pagat-1996` and `pagat-2024` are the two editions of Jens Brix Christiansen's description (P96, P24), `dtf-2011`
is Dansk Tarokforbund's guide (DTF). A club's own set is a TOML file: a base, and what differs from it.
"""

import dataclasses
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tracker.errors import TarokError
from tracker.events import OptionValue


class RuleError(TarokError):
    """A rule set or an option does not exist, or has an impossible value."""


POTS: Final = ("king", "pagat")
FINE_CATEGORIES: Final = ("superficial", "minor", "major", "misdeclaration", "irrecoverable")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules on which tables differ; amounts are chips. The defaults are P24's."""

    name: str = "pagat-2024"
    source: str = "J. B. Christiansen, Tarok (Danish), pagat.com, edition of 1 August 2024"
    max_players: int = field(default=4, metadata={"rule": "TABLE-2"})
    sits_out: str = field(default="opposite", metadata={"rule": "TABLE-2", "one of": ("opposite", "right")})
    pagat_in_skat: bool = field(default=False, metadata={"rule": "DISC-2"})
    fool_in_skat_for_tout: bool = field(default=True, metadata={"rule": "DISC-3"})
    skat_trumps_told: str = field(
        default="whether", metadata={"rule": "DISC-6", "one of": ("whether", "count")}
    )
    foundation: int = field(default=20, metadata={"rule": "PAY-1"})
    deal: int = field(default=5, metadata={"rule": "PAY-2"})
    card_lost: int = field(default=5, metadata={"rule": "PAY-4"})
    pagat_win_bonus: bool = field(default=True, metadata={"rule": "PAY-4"})
    tout: int = field(default=85, metadata={"rule": "PAY-5.1"})
    nolo: int = field(default=25, metadata={"rule": "PAY-5.2"})
    pagat_ultimo: int = field(default=45, metadata={"rule": "PAY-5.3"})
    king_ultimo: int = field(default=40, metadata={"rule": "PAY-5.3"})
    last_trick: int = field(default=20, metadata={"rule": "PAY-5.3"})
    last_trick_with_bagud: bool = field(default=False, metadata={"rule": "PAY-5.3"})
    count: bool = field(default=True, metadata={"rule": "PAY-7"})
    minor_fine: int = field(default=5, metadata={"rule": "FINE-1"})
    major_fine: int = field(default=20, metadata={"rule": "FINE-1"})
    early_play: str = field(
        default="major", metadata={"rule": "FINE-1", "one of": ("major", "irrecoverable")}
    )
    misdeclaration_fine: int = field(default=40, metadata={"rule": "FINE-1"})
    irrecoverable_fine: int = field(default=40, metadata={"rule": "FINE-1"})
    misdeclaration_bars_ultimo: bool = field(default=False, metadata={"rule": "FINE-3"})
    misdeclaration_returns_all: bool = field(default=False, metadata={"rule": "FINE-1"})
    misdeclaration_fined_late: bool = field(default=False, metadata={"rule": "FINE-4"})

    def fine(self, category: str) -> int:
        """The fine of a category in chips, to each pot."""
        return {
            "superficial": 0,
            "minor": self.minor_fine,
            "major": self.major_fine,
            "misdeclaration": self.misdeclaration_fine,
            "irrecoverable": self.irrecoverable_fine,
        }[category]


PAGAT_2024: Final = RuleSet()
PAGAT_1996: Final = RuleSet(
    name="pagat-1996",
    source="J. B. Christiansen, Tarok (Danish), rec.games.playing-cards, 1996",
    pagat_in_skat=True,
    skat_trumps_told="count",
)
DTF_2011: Final = RuleSet(
    name="dtf-2011",
    source="Dansk Tarokforbund, Vejledning i tarok, 2011",
    max_players=5,
    fool_in_skat_for_tout=False,
    skat_trumps_told="count",
    tout=80,
    # "... can not be corrected if just one of the others demands that the play stops": then 40.
    early_play="irrecoverable",
    misdeclaration_bars_ultimo=True,
    misdeclaration_returns_all=True,
    misdeclaration_fined_late=True,
)
RULE_SETS: Final[dict[str, RuleSet]] = {rules.name: rules for rules in (PAGAT_2024, PAGAT_1996, DTF_2011)}

# A club's TOML file and the options of a session may set every field but `source`.
Options = tuple[tuple[str, OptionValue], ...]
CLUB_KEYS: Final = tuple(item.name for item in dataclasses.fields(RuleSet) if item.name != "source")


def rule_set(name: str, options: Iterable[tuple[str, OptionValue]] = ()) -> RuleSet:
    """The rule set of that name with the session's options applied. Raises RuleError."""
    base = RULE_SETS.get(name)
    if base is None:
        raise RuleError(f"unknown rule set {name!r}; there are {', '.join(RULE_SETS)}")
    return with_options(base, options)


def with_options(rules: RuleSet, options: Iterable[tuple[str, OptionValue]]) -> RuleSet:
    """`rules` with a session's options applied. Raises RuleError."""
    changes: dict[str, Any] = {}
    for key, value in options:
        if key not in CLUB_KEYS:
            raise RuleError(f"unknown option {key!r}; there are {', '.join(CLUB_KEYS)}")
        changes[key] = checked_value(key, value)
    return dataclasses.replace(rules, **changes) if changes else rules


def rules_named(word: str) -> tuple[str, Options]:
    """The rules that a person names, a built-in set or a club's TOML file: the name of the base, and the options.

    In this form they are stored with the evening. Raises RuleError.
    """
    if word in RULE_SETS:
        return word, ()
    if word.endswith(".toml") or Path(word).is_file():
        return read_club_rules(word)
    raise RuleError(f"unknown rule set {word!r}; there are {', '.join(RULE_SETS)}, or name a TOML file")


def checked_value(key: str, value: object) -> OptionValue:
    """`value`, if it is possible for the field `key` of a rule set. Raises RuleError saying what it must be."""
    kind = next(item for item in dataclasses.fields(RuleSet) if item.name == key)
    allowed = kind.metadata.get("one of")
    if allowed is not None:
        if value not in allowed or not isinstance(value, str):
            raise RuleError(f"{key} must be {' or '.join(allowed)}, not {value!r}")
        return value
    if kind.type in (bool, "bool"):
        if not isinstance(value, bool):
            raise RuleError(f"{key} must be true or false, not {value!r}")
        return value
    if kind.type in (str, "str"):
        if not isinstance(value, str):
            raise RuleError(f"{key} must be a text, not {value!r}")
        return value
    if not isinstance(value, int) or isinstance(value, bool):
        raise RuleError(f"{key} must be a whole number, not {value!r}")
    if key == "max_players":
        if value not in (3, 4, 5):
            raise RuleError(f"max_players must be 3, 4 or 5, not {value}")
    elif not 0 <= value <= 1_000_000:
        raise RuleError(f"{key} must be from 0 to 1000000 chips, not {value}")
    elif value % 5:
        # All payment is in multiples of 5.
        raise RuleError(f"{key} must be a multiple of 5 chips, not {value}")
    return value


def load_club_rules(path: str | Path) -> RuleSet:
    """A club's rule set, as `read_club_rules` reads it. Raises RuleError."""
    base, options = read_club_rules(path)
    return dataclasses.replace(rule_set(base, options), source=f"{path}, after {RULE_SETS[base].source}")


def read_club_rules(path: str | Path) -> tuple[str, Options]:
    """A club's TOML file: its `base` (the name of a rule set), and the fields that differ, as options.

    Without a `name` of its own the set is called after the file. Raises RuleError, naming the file and the key, for
    anything that cannot be read or is not a rule.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise RuleError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {error}") from error
    base_name = data.pop("base", None)
    if not isinstance(base_name, str) or base_name not in RULE_SETS:
        raise RuleError(f"{path}: base must be one of {', '.join(RULE_SETS)}")
    options: dict[str, OptionValue] = {"name": Path(path).stem}
    for key, value in data.items():
        if key not in CLUB_KEYS:
            raise RuleError(f"{path}: unknown key {key!r}; there are base, {', '.join(CLUB_KEYS)}")
        try:
            options[key] = checked_value(key, value)
        except RuleError as error:
            raise RuleError(f"{path}: {error}") from None
    return base_name, tuple(options.items())
