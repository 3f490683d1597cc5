"""What the page asks of a game: its words, its rows, its buttons. Each game's `page.py` is one value of `GamePage`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracker.catalogue import msgid
from tracker.events import Event
from tracker.game import Game


@dataclass(frozen=True)
class ActRow:
    """A button below the felt; `style` is "main", "plain" or ""."""

    label: str
    href: str
    style: str = ""


@dataclass(frozen=True)
class CentreNote:
    """What stands in the middle of the felt."""

    text: str
    more: str


@dataclass(frozen=True)
class Fact:
    """A line about a hand: `title`, then (who, what) for each. `said`: people said it, no card shows it."""

    title: str
    rows: list[tuple[str, str]]
    said: bool = False


@dataclass(frozen=True)
class RoundRow:
    """A round on the score sheet: what was played by whom, and each player's score after it and what it brought."""

    number: int
    title: str
    scores: list[tuple[int, int]]


@dataclass(frozen=True)
class ScoreTable:
    """A score sheet as people write it: the players, each with his asterisks, and a line for each round."""

    players: list[tuple[str, str]]
    rows: list[RoundRow]


@dataclass(frozen=True)
class Asked:
    """What the game asks of the table; `href` is the dialog that answers it, `label` its button. `key` names it."""

    key: str
    title: str
    text: str
    label: str
    href: str


@dataclass(frozen=True)
class Proposal:
    """What is proposed for a certain finding; `href` is the dialog that does it, "" for none, `label` its button."""

    text: str
    href: str = ""
    label: str = ""


@dataclass(frozen=True)
class EntryField:
    """Something of an entry that may be put right: what it may be instead, and the event that the entry then was."""

    title: str
    choices: Sequence[tuple[str, Event]]


@dataclass(frozen=True)
class Option:
    """A rule that is asked for when an evening is opened: the field `key` of the rule set, as the page words it.

    What it may be, the field's metadata say; `values` words them where it is one of several. A sentence of the page.
    """

    key: str
    label: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Lessons:
    """What the pages for learning to count say otherwise in each game, as sentences of the page.

    `seen` stands before how many trumps were seen, `trumps` says which cards these are. `asked` asks how many of them
    are out, `held` how many somebody holds, and `own` tells him which cards count. `aside` has for each thing that
    can lie aside (`Study.aside`) its name, and that a card lay there. `declarations`: there are some, which may be
    missed.
    """

    seen: str
    trumps: str
    asked: str
    held: str
    own: str
    aside: Mapping[str, tuple[str, str]]
    declarations: bool = False


def _nothing(*_: Any) -> list[Any]:
    return []


def _nobody(_: Any) -> None:
    return None


def _unwritten(*_: Any) -> None:
    return None


def _silent(*_: Any) -> str:
    return ""


def _own_dialog(_: Event, seq: int) -> str:
    return f"/entries/{seq}"


@dataclass(frozen=True)
class GamePage:
    """What a game gives to the pages, which are made for every game. Hands and sessions are the game's own.

    Sentences in a mapping are English, and are translated where they are shown; functions return them translated, and
    take the language's code for the words of the tracker.

    - `title` is the game's name; `players` the fewest and the most who sit down; `options` what is asked of the rules.
    - `pot_labels` names its pots in the order in which they stand on the felt, `reasons` says in a word what payments
      are for (`Payment.reason`). Chips that are moved by agreement are a multiple of `chip_step`.
    - `event_text(event, lang)`: one of its own events in a few words.
    - `fields(hand, event, lang)`: what of one of its own events can be put right beside its cards; `entry_href(event,
      seq)` is the dialog that does it.
    - `acts(hand)`: the buttons while a hand is under way, the first thing to do as "main"; `fine` is what
      it calls a fine, `fine_href` its dialog.
    - `speaker(hand)`: who has to say something before the first card, and what to do; None if nobody has.
    - `waiting(hand, lang)`: what stands in the middle before the first card. `banners(hand, lang)`: what everybody
      must know just now.
    - `asked(session, lang, watched)`: what it asks of the table in the notices; `watched`: a camera reads the cards.
    - `lacks(hand, lang)`: what must still be entered before a hand that was played to its end can be scored, in a
      sentence.
    - `endings(hand, lang)`: how a complete hand ended, in sentences.
    - `facts(hand, lang)`: what is told of a hand above its tricks.
    - `proposal(finding)`: what is to be done about a certain finding.
    - `settled(session, fine)`: what a settled finding says, by the event that settled it.
    - `decided(session, hand, finding, who, amount, reason)`: the event by which the table fines `who` the `amount` of
      the finding, or what it named where the rules name none; if he is "", it lets the flag pass. None: nothing is
      entered.
    - `result_note(hand, player)`: what stands beside his chips in the result.
    - `score_table(sight, lang)`: the score sheet, in a game that keeps points instead of chips.
    - `player_acts`: what can be entered from a player's account beside a fine, (label, address).
    - `lessons`: what the pages for learning to count say of it.
    - `result_href` is its dialog for a hand that is entered by its result, "" where there is none yet.
    - `names_fool`: a fool that is led is given a suit by name.
    - `finish` is what it calls the end of the evening.
    - `more` is the template with its part of the dialog of other things. `joining`, `leaving` and `closing` say what
      these cost, `broken_off` what giving up a hand means, and `unfinished` what closing in the middle of one does.
    """

    game: Game
    title: str
    players: tuple[int, int]
    options: Sequence[Option]
    pot_labels: Mapping[str, str]
    reasons: Mapping[str, str]
    chip_step: int
    event_text: Callable[[Event, str], str]
    acts: Callable[[Any], list[ActRow]]
    fine_href: str
    waiting: Callable[[Any, str], CentreNote]
    endings: Callable[[Any, str], list[str]]
    facts: Callable[[Any, str], list[Fact]]
    proposal: Callable[[Any], Proposal]
    settled: Callable[[Any, Any], str]
    decided: Callable[[Any, Any, Any, str, int, str], Event | None]
    more: str
    joining: str
    leaving: str
    closing: str
    broken_off: str
    unfinished: str
    lessons: Lessons
    result_href: str = ""
    fine: str = msgid("Fine")
    finish: str = msgid("Settle the evening")
    names_fool: bool = False
    result_note: Callable[[Any, str], str] = _silent
    fields: Callable[[Any, Event, str], list[EntryField]] = _nothing
    entry_href: Callable[[Event, int], str] = _own_dialog
    lacks: Callable[[Any, str], str] = _silent
    player_acts: Sequence[tuple[str, str]] = ()
    speaker: Callable[[Any], tuple[str, str] | None] = _nobody
    banners: Callable[[Any, str], list[str]] = _nothing
    asked: Callable[[Any, str, bool], list[Asked]] = _nothing
    score_table: Callable[[Any, str], ScoreTable | None] = _unwritten
