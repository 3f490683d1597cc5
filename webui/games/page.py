"""What the page asks of a game: its words, its rows, its buttons. Each game's `page.py` derives a `GamePage`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from tracker.catalogue import msgid
from tracker.events import Event, FindingPassed
from tracker.game import Game
from tracker.study import Study
from webui.texts import text

EVERY_REASON: Final = {"fine": msgid("fines"), "adjustment": msgid("adjustments")}
"""Why chips moved, in a word: the reasons of every game."""
SEATING_REASONS: Final = {
    "join": msgid("sitting down"),
    "leave": msgid("leaving"),
    "close": msgid("settling"),
}
"""Why chips moved between hands, in a word."""


@dataclass(frozen=True)
class ActRow:
    """A button below the felt; `style` is "main", "plain" or ""."""

    label: str
    href: str
    style: str = ""


@dataclass(frozen=True)
class CentreNote:
    """The words in the middle of the felt."""

    text: str
    more: str


@dataclass(frozen=True)
class Fact:
    """Something about a hand: `title`, then rows of (who, what). `said`: people said it, and no card shows it."""

    title: str
    rows: list[tuple[str, str]]
    said: bool = False


@dataclass(frozen=True)
class RoundRow:
    """A line of the score sheet: what was played by whom, and for each player (total after it, what it brought)."""

    number: int
    title: str
    scores: list[tuple[int, int]]


@dataclass(frozen=True)
class ScoreTable:
    """A score sheet as people write it: the players, each with his mark, and a line for each round."""

    players: list[tuple[str, str]]
    rows: list[RoundRow]


@dataclass(frozen=True)
class Asked:
    """A question of the game to the table. `href` is the dialog that answers it, `label` its button, `key` its id."""

    key: str
    title: str
    text: str
    label: str
    href: str


@dataclass(frozen=True)
class Proposal:
    """The proposal for a certain finding. `href` is the dialog that carries it out, "" for none, `label` its button."""

    text: str
    href: str = ""
    label: str = ""


@dataclass(frozen=True)
class EntryField:
    """A part of an entry that may be put right. A choice is (its words, the event that the entry then is)."""

    title: str
    choices: Sequence[tuple[str, Event]]


@dataclass(frozen=True)
class Option:
    """A rule that the page asks for when an evening is opened: the field `key` of the rule set, with its `label`.

    The field's metadata say which values there are; `values` has the words for them. All words are page sentences.
    """

    key: str
    label: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Lessons:
    """What the pages for learning to count say differently in each game, as sentences of the page.

    - `seen`: stands before the number of trumps that were seen.
    - `trumps`: says which cards these are.
    - `asked`, `held`: ask how many of them are out, and how many somebody holds.
    - `own`: tells a player which of his cards count.
    - `aside`: for each place that is no player's (`Study.aside`) its name, and that a card lay there.
    - `declarations`: the game has declarations, which may be missed.
    """

    seen: str
    trumps: str
    asked: str
    held: str
    own: str
    aside: Mapping[str, tuple[str, str]]
    declarations: bool = False


class GamePage:
    """What a game gives to the pages, which serve all games; hands and sessions are of the game's own classes.

    Each game has a subclass. It sets `game` and `title`, and overrides what it has beyond every game. Sentences in
    attributes are English, and are translated where they are shown. Methods return translated sentences; `lang` is
    the language's code for the tracker's words.
    """

    game: ClassVar[Game]
    title: ClassVar[str]
    """The game's name."""
    options: ClassVar[Sequence[Option]] = ()
    """The rules that the page asks for when an evening is opened."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """Why chips moved, in a word, by `Payment.reason`. A reason that is missing here is told in its sentence."""
    deeds: ClassVar[Mapping[str, str]] = {}
    """Why a person's chips moved, in a word, by `Deed.kind` and in order. What is missing here is in `reasons`."""
    chip_step: ClassVar[int] = 1
    """Chips that are moved by agreement are a multiple of this number."""
    fine: ClassVar[str] = msgid("Fine")
    """The game's word for a fine."""
    fine_href: ClassVar[str] = ""
    """The dialog of a fine; "" in a game without fines."""
    result_href: ClassVar[str] = ""
    """The dialog of a hand that is entered by its result; "" in a game without that."""
    player_acts: ClassVar[Sequence[tuple[str, str]]] = ()
    """What can be entered from a player's account, besides a fine: (label, address)."""
    names_fool: ClassVar[bool] = False
    """Whether a suit is named for a fool that is led."""
    lessons: ClassVar[Lessons]
    """The words of the pages for learning to count; only in a game that has `Game.study`."""
    more: ClassVar[str] = "dialogs/more.html"
    """The template of the dialog with what is seldom needed."""
    finish: ClassVar[str] = msgid("Finish the evening")
    """The button that ends the evening."""
    joining: ClassVar[str] = msgid("Between two hands. A player who comes back goes on with the old balance.")
    leaving: ClassVar[str] = msgid("Between two hands. The balance is kept in case of a return.")
    closing: ClassVar[str] = msgid("The balances stand as they are. You can undo that.")
    """What it costs to join, to leave, and to close the evening."""
    broken_off: ClassVar[str] = msgid("Payments already made stand.")
    """What it means to give a hand up."""
    unfinished: ClassVar[str] = msgid("The hand in progress is not finished.")
    """What it means to close the evening in the middle of a hand."""

    # -- persons -------------------------------------------------------------------------------------------

    def deed_text(self, kind: str, lang: str) -> str:
        """Why a person's chips moved, by `Deed.kind`, in a word."""
        label = {**EVERY_REASON, **SEATING_REASONS, **self.reasons, **self.deeds}.get(kind, kind)
        return text(label)

    def contract_text(self, contract: str, lang: str) -> str:
        """The contract that somebody played against the others, in a word; only in a game with contracts."""
        raise NotImplementedError

    # -- entries -------------------------------------------------------------------------------------------

    def event_text(self, event: Event, lang: str) -> str:
        """One of the game's own events in a few words."""
        raise AssertionError(f"an event without words: {event}")

    def fields(self, hand: Any, event: Event, lang: str) -> list[EntryField]:
        """The parts of a game's own event, besides its cards, that can be put right."""
        return []

    @staticmethod
    def another_player(hand: Any, event: Any, field: str = "player") -> EntryField:
        """The choice of another player of `hand` for the `field` of an entry."""
        players = [(name, replace(event, **{field: name})) for name in hand.active]
        return EntryField(text("It was another player"), players)

    def entry_href(self, event: Event, seq: int) -> str:
        """The dialog that puts the entry `seq` right."""
        return f"/entries/{seq}"

    # -- while a hand is played ----------------------------------------------------------------------------

    def acts(self, hand: Any) -> list[ActRow]:
        """The buttons while a hand is under way; the style of the next thing to do is "main"."""
        return [ActRow(text("Card played"), "/play", "main")]

    def speaker(self, hand: Any) -> tuple[str, str] | None:
        """Who must say something before the first card, and what he must do; None if nobody must."""
        return None

    def waiting(self, hand: Any, lang: str) -> CentreNote:
        """The words in the middle of the felt before the first card."""
        return CentreNote(text("The cards are dealt"), text("{player} leads.", player=hand.active[0]))

    def banners(self, hand: Any, lang: str) -> list[str]:
        """What everybody must know just now."""
        return []

    def asked(self, session: Any, lang: str, watched: bool) -> list[Asked]:
        """The game's questions to the table; `watched`: a camera reads the cards."""
        return []

    def unscored(self, session: Any, lang: str) -> list[Asked]:
        """The questions about hands that were played out, but cannot be scored before these are answered."""
        return []

    # -- when it is over -----------------------------------------------------------------------------------

    def lacks(self, hand: Any, lang: str) -> str:
        """The sentence that says what must still be entered to score a hand that was played out; "" for nothing."""
        return ""

    def endings(self, hand: Any, lang: str) -> list[str]:
        """How a complete hand ended, in sentences."""
        return []

    def facts(self, hand: Any, lang: str) -> list[Fact]:
        """What the page tells of a hand above its tricks."""
        return []

    def late_acts(self, hand: Any) -> list[tuple[str, str]]:
        """What can be entered of a hand that is over, besides a fine: (label, address of its dialog)."""
        return []

    def result_note(self, hand: Any, player: str) -> str:
        """The note beside the chips of `player` in the result."""
        return ""

    def counted_too(self, study: Study, lang: str) -> list[tuple[str, str]]:
        """What is counted for learning besides trumps: (what, how much of it is still out)."""
        return []

    def score_table(self, sight: Any, lang: str) -> ScoreTable | None:
        """The score sheet of a game that keeps points; None in a game with chips. `sight` says what may be shown."""
        return None

    def told_by_payments(self, event: Event, paid: Sequence[Any]) -> bool:
        """Whether the payments that `event` brought say all that it says."""
        return False

    # -- findings ------------------------------------------------------------------------------------------

    def proposal(self, finding: Any) -> Proposal:
        """What the page proposes for a certain finding."""
        return Proposal(text("Reported only; the rules name no fine for it."))

    def omitted(self, hand: Any, finding: Any) -> Proposal | None:
        """What may not have been entered, so that `finding` of `hand` is none; None where an entry changes nothing."""
        return None

    def settled(self, session: Any, fine: Any) -> str:
        """What the page says of a settled finding; `fine` is the event that fined somebody for it."""
        return text("The fine is given.")

    def fined(self, hand: Any, finding: Any, who: str, amount: int, reason: str) -> Event:
        """The event by which the table fines `who` for `finding`, in a game whose findings are flags.

        `amount` is the finding's own, or the one that the table named if the rules name none.
        """
        raise NotImplementedError

    def passed(self, hand: Any, finding: Any, reason: str) -> Event | None:
        """The event by which the table lets `finding` pass; None if nothing is entered."""
        return FindingPassed(finding.player, finding.name, hand.number) if finding.player else None
