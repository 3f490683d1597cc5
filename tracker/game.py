"""One game of the house, as commands and page ask for it; `tracker.games` lists them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tracker.session import Session
from tracker.words import Words


@dataclass(frozen=True)
class Game:
    """What a game gives to those who serve every game.

    `name` is that of its folder and of its catalogue of words, `words` are what it says. `audit` is the audit of an
    evening as data, `audit_text` the same in words of a language. `rule_lines` has a line for each rule that tables
    play one way or another, `{}` where its value stands, and `rule_words` what such values are called.
    """

    name: str
    session: type[Session[Any, Any]]
    words: Words
    audit: Callable[[Any], dict[str, Any]]
    audit_text: Callable[[Any, str], str]
    rule_lines: Mapping[str, str]
    rule_words: Mapping[str, str]
