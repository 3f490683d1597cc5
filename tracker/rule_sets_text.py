"""The rule sets of a game as text: each rule, what it says in this set, and its id in the rules file."""

import dataclasses

from tracker.game import Game
from tracker.rule_sets import Rules


def rule_set_text(game: Game, rules: Rules) -> str:
    """One rule set: its name, its source and a line for each rule with its id and the key of a TOML file."""
    fields = [field for field in dataclasses.fields(rules) if field.name in game.rule_lines]
    width = max(8, *(len(field.metadata["rule"]) for field in fields))
    lines = [rules.name, "=" * len(rules.name), f"Source: {rules.source}", ""]
    for field in fields:
        text = game.rule_lines[field.name].format(_value(game, getattr(rules, field.name)))
        lines.append(f"{field.metadata['rule']:<{width}} {text}  [{field.name}]")
    return "\n".join(lines) + "\n"


def rule_sets_text(game: Game) -> str:
    """All rule sets of a game side by side; a * marks where they differ."""
    sets = list(game.session.rule_sets.values())
    lines = [f"{'':<29}" + "".join(f"{rules.name:>15}" for rules in sets)]
    for field in dataclasses.fields(sets[0]):
        if field.name in game.rule_lines:
            values = [getattr(rules, field.name) for rules in sets]
            mark = "*" if len(set(values)) > 1 else " "
            shown = [_yes_or_no(value) if isinstance(value, bool) else value for value in values]
            lines.append(f"{mark} {field.name:<27}" + "".join(f"{value:>15}" for value in shown))
    lines += ["", "* differs"] if len(sets) > 1 else [""]
    return "\n".join([*lines, *(f"{rules.name}: {rules.source}" for rules in sets)]) + "\n"


def _value(game: Game, value: object) -> str:
    if isinstance(value, bool):
        return _yes_or_no(value)
    return game.rule_words.get(value, value) if isinstance(value, str) else str(value)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
