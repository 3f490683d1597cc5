"""`tarok rules`: print a rule set with its sources."""

import argparse

from tracker.danish.rulesets import RULE_SETS, RuleSet, load_club_rules, rules_named
from tracker.danish.rulesets_text import rule_set_text, rule_sets_text

NAME = "rules"
HELP = "print a rule set with its sources"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok rules`."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help=f"{', '.join(RULE_SETS)}, or a club's TOML file"
    )


def run(args: argparse.Namespace) -> int:
    """Print the rule set, or a table of all of them where none is named."""
    print(rule_sets_text() if args.name is None else rule_set_text(_chosen(args.name)), end="")
    return 0


def _chosen(name: str) -> RuleSet:
    base, options = rules_named(name)
    return load_club_rules(name) if options else RULE_SETS[base]
