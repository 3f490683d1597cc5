"""The games of the house, and which rule set belongs to which: the one module that knows them all."""

from collections.abc import Iterable
from typing import Any, Final

from tracker.american.game import AMERICAN
from tracker.danish.game import DANISH
from tracker.events import OptionValue
from tracker.french.game import FRENCH
from tracker.game import Game
from tracker.reader import SessionFileError
from tracker.rule_sets import Options, RuleError, Rules, is_rule_set_file, read_rule_set_file, with_options
from tracker.session import Session
from tracker.session_file import SessionFile, opened_file, read_file
from tracker.tarot1659.game import TAROT_1659

GAMES: Final = {game.name: game for game in (DANISH, TAROT_1659, AMERICAN, FRENCH)}
"""The games by the names of their folders, in the order in which they are offered."""
ALL_RULE_SETS: Final[dict[str, Rules]] = {
    name: rules for game in GAMES.values() for name, rules in game.session.rule_sets.items()
}
"""The built-in rule sets of all games, by name."""
USUAL_RULES: Final = "dtf-2011"
"""The rule set of an evening for which nobody names one."""


def game_of_rules(name: str) -> Game:
    """The game that the rule set of that name belongs to. Raises RuleError."""
    for game in GAMES.values():
        if name in game.session.rule_sets:
            return game
    raise RuleError("unknown rule set {name!r}; there are {known}", name=name, known=", ".join(ALL_RULE_SETS))


def game_of(session: Session[Any, Any]) -> Game:
    """The game that is played in `session`."""
    return game_of_rules(session.opened.rules)


def rule_set(name: str, options: Iterable[tuple[str, OptionValue]] = ()) -> Any:
    """The rule set of that name with the session's options applied. Raises RuleError."""
    return with_options(game_of_rules(name).session.rule_set(name), options)


def rules_named(word: str) -> tuple[str, Options]:
    """What a person names as rules, a built-in set or a club's TOML file, as an evening's record has it.

    That is the base and the options that differ from it. Raises RuleError.
    """
    if word in ALL_RULE_SETS:
        return word, ()
    if is_rule_set_file(word):
        return read_rule_set_file(word, ALL_RULE_SETS)
    raise RuleError(f"unknown rule set {word!r}; there are {', '.join(ALL_RULE_SETS)}, or name a TOML file")


def rule_set_in_file(path: str) -> Any:
    """A club's rule set, as `read_rule_set_file` reads it. Raises RuleError."""
    return rule_set(*read_rule_set_file(path, ALL_RULE_SETS))


def read_session(text: str | bytes, rules: Rules | None = None) -> tuple[Game, SessionFile[Any]]:
    """The session file in `text` (UTF-8), and its game. `rules`, a club's own set, replaces the one that it names.

    Raises SessionFileError as `tracker.session_file.read_file` does, and where `rules` are of another game.
    """
    data = opened_file(text)
    name = data["rules"].text()
    try:
        game = game_of_rules(name)
    except RuleError as error:
        data["rules"].fail_as(error)
    standard = game.session.rule_set(name)
    if rules is not None and not isinstance(rules, type(standard)):
        raise SessionFileError(
            "rules",
            "the club's rules {club!r} are for another game than {name!r}",
            name=name,
            club=rules.name,
        )
    return game, read_file(data, game.session, rules)
