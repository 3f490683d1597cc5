"""One game of the house, as commands and page ask for it; `tracker.games` lists them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tracker.audit import plain_audit
from tracker.audit_text import plain_audit_text
from tracker.events import Event
from tracker.figures import PersonCounts
from tracker.session import Session
from tracker.shown_cards import MayReveal, ShownCards
from tracker.study import Study
from tracker.words import Words


@dataclass(frozen=True)
class Game:
    """What a game gives to those who serve every game.

    - `name`: that of its folder and of its catalogue of words. `words`: what it says.
    - `audit`: the audit of an evening as data. `tell_audit`: the audit in the words of a language. Without them it is
      what every game has.
    - `rule_lines`: a line for each rule that tables play one way or another, with `{}` for its value. `rule_words`:
      what such values are called.
    - `spoken`: the events that people say before the play. No camera sees them.
    - `shown_cards_next`: the cards that a hand awaits on the table next and that are no plays; None for none.
    - `may_reveal`: the cards of their hands that players may show beside these, and need not.
    - `study`: what can be known at a point of a hand; None for a game that cannot be learnt here yet.
    - `counted`: what is counted of persons.
    """

    name: str
    session: type[Session[Any, Any]]
    words: Words
    audit: Callable[[Any], dict[str, Any]] = plain_audit
    tell_audit: Callable[[Any, str], str] | None = None
    rule_lines: Mapping[str, str] = field(default_factory=dict)
    rule_words: Mapping[str, str] = field(default_factory=dict)
    spoken: tuple[type[Event], ...] = ()
    shown_cards_next: Callable[[Any], ShownCards | None] = lambda hand: None
    study: Callable[[Any], Study] | None = None
    may_reveal: Callable[[Any], tuple[MayReveal, ...]] = lambda hand: ()
    counted: PersonCounts = field(default_factory=PersonCounts)

    def audit_text(self, session: Session[Any, Any], language: str = "en") -> str:
        """The audit of `session` in words; ends without a newline."""
        if self.tell_audit is not None:
            return self.tell_audit(session, language)
        return plain_audit_text(session, self.words, language)
