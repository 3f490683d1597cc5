"""One game of the house, as commands and page ask for it; `tracker.games` lists them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tracker.events import Event
from tracker.session import Session
from tracker.shown_cards import MayReveal, ShownCards
from tracker.study import Study
from tracker.words import Words


@dataclass(frozen=True)
class Game:
    """What a game gives to those who serve every game.

    `name` is that of its folder and of its catalogue of words, `words` are what it says. `audit` is the audit of an
    evening as data, `audit_text` the same in words of a language. `rule_lines` has a line for each rule that tables
    play one way or another, `{}` where its value stands, and `rule_words` what such values are called.
    `spoken` are the events that people say before the play, so that no camera sees them. `shown_cards_next` is what a
    hand awaits on the table next that is no play, if anything; `may_reveal` what players may show of their hands
    beside it, who must not. `study` says what can be known at a point of a hand; None for a game that cannot be learnt
    here yet.
    """

    name: str
    session: type[Session[Any, Any]]
    words: Words
    audit: Callable[[Any], dict[str, Any]]
    audit_text: Callable[[Any, str], str]
    rule_lines: Mapping[str, str]
    rule_words: Mapping[str, str]
    spoken: tuple[type[Event], ...] = ()
    shown_cards_next: Callable[[Any], ShownCards | None] = lambda hand: None
    study: Callable[[Any], Study] | None = None
    may_reveal: Callable[[Any], tuple[MayReveal, ...]] = lambda hand: ()
