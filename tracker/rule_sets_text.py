"""The rule sets of a game as text: each rule, what it says in this set, and its id in the rules file."""

import dataclasses

from tracker.catalogue import msgid
from tracker.game import Game
from tracker.rule_sets import Rules

_YES, _NO = msgid("yes"), msgid("no")


@dataclasses.dataclass(frozen=True)
class RuleLine:
    """A rule of a set: its `key` in a file, its id in the rules' document, what it says, and the value by itself."""

    key: str
    rule: str
    text: str
    value: str


def rule_lines(game: Game, rules: Rules, language: str = "en") -> list[RuleLine]:
    """What `rules` says on each rule that tables play one way or another."""
    say = game.words.catalogue(language).gettext
    lines = []
    for field in dataclasses.fields(rules):
        if field.name in game.rule_lines:
            value = rule_value(game, getattr(rules, field.name), language)
            said = say(game.rule_lines[field.name]).format(value)
            lines.append(RuleLine(field.name, field.metadata["rule"], said, value))
    return lines


def rule_value(game: Game, value: object, language: str = "en") -> str:
    """The value of a rule as it is said."""
    say = game.words.catalogue(language).gettext
    if isinstance(value, bool):
        return say(_YES if value else _NO)
    return say(game.rule_words.get(value, value)) if isinstance(value, str) else str(value)


def rule_set_text(game: Game, rules: Rules, source: str) -> str:
    """One rule set: its name, its `source` and a line for each rule with its id and the key of a TOML file."""
    found = rule_lines(game, rules)
    width = max([8, *(len(line.rule) for line in found)])
    lines = [rules.name, "=" * len(rules.name), f"Source: {source}", ""]
    lines += [f"{line.rule:<{width}} {line.text}  [{line.key}]" for line in found]
    return "\n".join(lines) + "\n"


def rule_sets_text(game: Game) -> str:
    """All rule sets of a game side by side; a * marks where they differ."""
    sets = list(game.session.rule_sets.values())
    lines = [f"{'':<29}" + "".join(f"{rules.name:>15}" for rules in sets)]
    for field in dataclasses.fields(sets[0]):
        if field.name in game.rule_lines:
            values = [getattr(rules, field.name) for rules in sets]
            mark = "*" if len(set(values)) > 1 else " "
            shown = [rule_value(game, value) if isinstance(value, bool) else value for value in values]
            lines.append(f"{mark} {field.name:<27}" + "".join(f"{value:>15}" for value in shown))
    lines += ["", "* differs"] if len(sets) > 1 else [""]
    lines += [f"{rules.name}: {game.words.rule_set_source(rules.name)}" for rules in sets]
    return "\n".join(lines) + "\n"
