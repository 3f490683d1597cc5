"""What the page asks of a game: its words, its rows, its buttons. Each game's `page.py` derives a `GamePage`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from tracker.catalogue import msgid
from tracker.events import Event, FindingPassed
from tracker.game import Game
from tracker.study import Study
from webui.texts import text

EVERY_REASON: Final = {"fine": msgid("fines"), "adjustment": msgid("adjustments")}
"""What chips are for, in a word, in every game."""
SEATING_REASONS: Final = {
    "join": msgid("sitting down"),
    "leave": msgid("leaving"),
    "close": msgid("settling"),
}
"""The same of what is paid between hands."""


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


class GamePage:
    """What a game gives to the pages, which are made for every game; hands and sessions are the game's own.

    A game is a subclass. It says `game` and `title`, and what it has beside what every game has.
    Sentences in attributes are English, and are translated where they are shown. Methods return them translated;
    `lang` is the language's code for the words of the tracker.
    """

    game: ClassVar[Game]
    title: ClassVar[str]
    """The game's name."""
    options: ClassVar[Sequence[Option]] = ()
    """What is asked of the rules when an evening is opened."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """What payments are for, in a word, by `Payment.reason`; where there is none, their sentence stands."""
    deeds: ClassVar[Mapping[str, str]] = {}
    """The same of a person, by `Deed.kind`, in the order in which they stand; where there is none, `reasons`."""
    chip_step: ClassVar[int] = 1
    """Chips that are moved by agreement are a multiple of it."""
    fine: ClassVar[str] = msgid("Fine")
    """What it calls a fine."""
    fine_href: ClassVar[str] = ""
    """The dialog of a fine; "" where none is booked."""
    result_href: ClassVar[str] = ""
    """The dialog of a hand that is entered by its result; "" where none is."""
    player_acts: ClassVar[Sequence[tuple[str, str]]] = ()
    """What can be entered from a player's account beside a fine: (label, address)."""
    names_fool: ClassVar[bool] = False
    """Whether a fool that is led is given a suit by name."""
    lessons: ClassVar[Lessons]
    """What the pages for learning to count say of it; only for a game that has `Game.study`."""
    more: ClassVar[str] = "dialogs/more.html"
    """The template of the dialog of other things, with its own part."""
    finish: ClassVar[str] = msgid("Finish the evening")
    """What it calls the end of the evening."""
    joining: ClassVar[str] = msgid("Between two hands. Whoever comes back goes on with the old balance.")
    leaving: ClassVar[str] = msgid("Between two hands. The balance is kept in case of a return.")
    closing: ClassVar[str] = msgid("The balances stand as they are. It can be undone.")
    """What joining, leaving and closing cost."""
    broken_off: ClassVar[str] = msgid("Payments already made stand.")
    """What giving up a hand means."""
    unfinished: ClassVar[str] = msgid("The hand in progress is not finished.")
    """What closing in the middle of a hand means."""

    # -- persons -------------------------------------------------------------------------------------------

    def deed_text(self, kind: str, lang: str) -> str:
        """What a person's chips are for, by `Deed.kind`, in a word."""
        label = {**EVERY_REASON, **SEATING_REASONS, **self.reasons, **self.deeds}.get(kind, kind)
        return text(label)

    def contract_text(self, contract: str, lang: str) -> str:
        """What somebody played against the others, in a word; only in a game that has such."""
        raise NotImplementedError

    # -- entries -------------------------------------------------------------------------------------------

    def event_text(self, event: Event, lang: str) -> str:
        """One of its own events in a few words."""
        raise AssertionError(f"an event without words: {event}")

    def fields(self, hand: Any, event: Event, lang: str) -> list[EntryField]:
        """Which parts of a game's own event can be put right, besides its cards."""
        return []

    def entry_href(self, event: Event, seq: int) -> str:
        """The dialog that puts right the entry `seq`."""
        return f"/entries/{seq}"

    # -- while a hand is played ----------------------------------------------------------------------------

    def acts(self, hand: Any) -> list[ActRow]:
        """The buttons while a hand is under way, the first thing to do as "main"."""
        return [ActRow(text("Card played"), "/play", "main")]

    def speaker(self, hand: Any) -> tuple[str, str] | None:
        """Who has to say something before the first card, and what to do; None if nobody has."""
        return None

    def waiting(self, hand: Any, lang: str) -> CentreNote:
        """What stands in the middle before the first card."""
        return CentreNote(text("The cards are dealt"), text("{player} leads.", player=hand.active[0]))

    def banners(self, hand: Any, lang: str) -> list[str]:
        """What everybody must know just now."""
        return []

    def asked(self, session: Any, lang: str, watched: bool) -> list[Asked]:
        """What it asks of the table in the notices; `watched`: a camera reads the cards."""
        return []

    def unscored(self, session: Any, lang: str) -> list[Asked]:
        """What it asks for of the hands that were played to their end and cannot be scored before it is entered."""
        return []

    # -- when it is over -----------------------------------------------------------------------------------

    def lacks(self, hand: Any, lang: str) -> str:
        """What must still be entered before a hand that was played to its end can be scored, in a sentence."""
        return ""

    def endings(self, hand: Any, lang: str) -> list[str]:
        """How a complete hand ended, in sentences."""
        return []

    def facts(self, hand: Any, lang: str) -> list[Fact]:
        """What is told of a hand above its tricks."""
        return []

    def result_note(self, hand: Any, player: str) -> str:
        """What stands beside the chips of `player` in the result."""
        return ""

    def counted_too(self, study: Study, lang: str) -> list[tuple[str, str]]:
        """What is counted beside trumps for learning: what of it, and how much is still out."""
        return []

    def score_table(self, sight: Any, lang: str) -> ScoreTable | None:
        """The score sheet, in a game that keeps points instead of chips; `sight` says what of it may be shown."""
        return None

    # -- findings ------------------------------------------------------------------------------------------

    def proposal(self, finding: Any) -> Proposal:
        """What is to be done about a certain finding."""
        return Proposal(text("Reported only; the rules name no fine for it."))

    def settled(self, session: Any, fine: Any) -> str:
        """What a settled finding says, by the event that fined somebody for it."""
        return text("The fine is given.")

    def fined(self, hand: Any, finding: Any, who: str, amount: int, reason: str) -> Event:
        """The event by which the table fines `who` for `finding`, in a game whose findings are flags.

        `amount` is that of the finding, or what the table named where the rules name none.
        """
        raise NotImplementedError

    def passed(self, hand: Any, finding: Any, reason: str) -> Event | None:
        """The event by which the table lets `finding` pass; None where nothing is entered."""
        return FindingPassed(finding.player, finding.name, hand.number) if finding.player else None
