"""The club's own rule sets: TOML files in a folder beside the evenings, as `tarok serve --rules` takes them."""

import re
from pathlib import Path

from tracker.files import private_folder, replace_file
from tracker.games import ALL_RULE_SETS
from tracker.rule_sets import Options, RuleError, Rules, read_rule_set_file, rule_set_file_text

_NAME = re.compile(r"[^\W_][\w .-]{0,39}")


def is_rule_set_name(name: str) -> bool:
    """Whether a club's set, and so its file, may be called `name`. The names of the built-in sets are taken."""
    return _NAME.fullmatch(name) is not None and not name.endswith((".", " ")) and name not in ALL_RULE_SETS


def own_rule_sets(folder: Path) -> dict[str, tuple[str, Options]]:
    """The club's sets in `folder`, by the names of their files: base and options. Unreadable ones are left out."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            found[path.stem] = read_rule_set_file(path, ALL_RULE_SETS)
        except RuleError:
            continue
    return found


def save_own_rule_set(folder: Path, base: Rules, rules: Rules) -> None:
    """Write `rules`, which are derived from `base`, to the file of their name in `folder`. Raises OSError."""
    replace_file(private_folder(folder) / f"{rules.name}.toml", rule_set_file_text(base, rules).encode())


def delete_own_rule_set(folder: Path, name: str) -> None:
    """Delete the set `name`, one of the `own_rule_sets` in `folder`. Past evenings keep their rules."""
    (folder / f"{name}.toml").unlink()
