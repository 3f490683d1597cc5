"""Which games a command serves. It refuses other games in one sentence."""

from collections.abc import Collection
from typing import Final

from tracker.game import Game
from tracker.games import game_of_rules, rules_named
from tracker.rule_sets import Options
from webui.errors import UserError

WATCHED: Final = ("danish", "tarot1659", "american", "french")
"""The games that are filmed, and followed from the cards as they lie on the table."""


def served_rules(word: str, games: Collection[str], where: str) -> tuple[str, Options]:
    """The rules that `--rules` names: a base, and options. Raises UserError if their game is none of `games`.

    `where` says what refuses, in words.
    """
    base, options = rules_named(word)
    check_served(game_of_rules(base), games, f"--rules {word}", where)
    return base, options


def check_served(game: Game, games: Collection[str], what: str, where: str) -> None:
    """Raise UserError if `game` is none of `games`. In words, `what` named it and `where` refuses it."""
    if game.name not in games:
        raise UserError(f"{what}: {where} does not have that game yet")
