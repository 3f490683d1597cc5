"""`tarok rules`: print a rule set with its sources."""

import argparse

from tracker.games import ALL_RULE_SETS, GAMES, game_of_rules, rule_set_in_file, rules_named
from tracker.rule_sets_text import rule_set_text, rule_sets_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok rules`."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help=f"{', '.join(ALL_RULE_SETS)}, or a club's TOML file"
    )


def run(args: argparse.Namespace) -> int:
    """Print the rule set; without a name, a table of each game's rule sets."""
    print("\n".join(map(rule_sets_text, GAMES.values())) if args.name is None else _chosen(args.name), end="")
    return 0


def _chosen(name: str) -> str:
    base, options = rules_named(name)
    game = game_of_rules(base)
    source = game.words.rule_set_source(base)
    if not options:
        return rule_set_text(game, ALL_RULE_SETS[base], source)
    return rule_set_text(game, rule_set_in_file(name), f"{name}, after {source}")
