"""What a person did and what chips that moved: the figures of one game, in words and as rows of a spreadsheet."""

from collections.abc import Mapping
from dataclasses import dataclass

from babel.numbers import format_decimal

from tracker.figures import Measured, PersonFigures, chips_of
from webui.games.page import GamePage
from webui.texts import language, signed, text


@dataclass(frozen=True)
class MovedRow:
    """Chips that somebody won and lost for one deed, or from one player or pot, and how often if that is known."""

    label: str
    won: int
    lost: int
    times_won: int = 0
    times_lost: int = 0

    @property
    def net(self) -> int:
        """The chips won less those lost."""
        return self.won - self.lost


@dataclass(frozen=True)
class ContractRow:
    """A contract that somebody played against the others: how often he declared it, and how often he made it."""

    label: str
    declared: int
    made: int


@dataclass(frozen=True)
class PersonGame:
    """A person in one game: `facts` are (what, how much); then his chips, or points, by deed, player and pot."""

    title: str
    keeps_chips: bool
    facts: list[tuple[str, str]]
    contracts: list[ContractRow]
    deeds: list[MovedRow]
    with_players: list[MovedRow]
    with_pots: list[MovedRow]


def person_game(own: PersonFigures, page: GamePage, lang: str) -> PersonGame:
    """The figures of a person in the game of `page`."""
    session = page.game.session
    whom = _moved(own, "from", "to") if session.keeps_chips else {}
    pots = [pot for pot in session.pot_names if pot in whom]
    return PersonGame(
        text(page.title),
        session.keeps_chips,
        _facts(own, page),
        [
            ContractRow(page.contract_text(of, lang), number, own["made", of])
            for (what, of), number in sorted(own.items())
            if what == "declared"
        ],
        _deeds(own, page, lang),
        [MovedRow(name, *whom[name]) for name in sorted(whom) if name and name not in session.pot_names],
        [MovedRow(page.game.words.holder_label(pot, lang), *whom[pot]) for pot in pots],
    )


def _moved(own: PersonFigures, gain: Measured, loss: Measured) -> dict[str, tuple[int, int]]:
    """The chips won and lost, by the second part of the figures `gain` and `loss`."""
    names = {of: None for what, of in own if what in (gain, loss)}
    return {of: (own[gain, of], own[loss, of]) for of in names if own[gain, of] or own[loss, of]}


def _deeds(own: PersonFigures, page: GamePage, lang: str) -> list[MovedRow]:
    """The deeds for which chips were won and lost: declarations first, then in the game's order."""
    order = [*page.deeds, *page.reasons]
    moved = _moved(own, "won", "lost")

    def place(kind: str) -> tuple[int, str, int, str]:
        what, _, much = kind.partition(" ")
        at = order.index(kind) if kind in order else -1 if much else len(order)
        return at, what, len(much), much

    return [
        MovedRow(page.deed_text(kind, lang), *moved[kind], own["times won", kind], own["times lost", kind])
        for kind in sorted(moved, key=place)
    ]


def _facts(own: PersonFigures, page: GamePage) -> list[tuple[str, str]]:
    chips, hands = chips_of(own), own["hands", ""]
    keeps_chips = page.game.session.keeps_chips
    declared = sum(number for (what, _), number in own.items() if what == "declared")
    made = sum(number for (what, _), number in own.items() if what == "made")
    facts = [
        (text("Evenings"), str(own["evenings", ""])),
        (text("Hands played"), str(hands)),
        (text("Chips") if keeps_chips else text("Points"), signed(chips)),
        (text("Chips per hand") if keeps_chips else text("Points per hand"), _average(chips, hands)),
        (text("Times dealer"), str(own["dealt", ""])),
        (text("Tricks per hand"), _average(own["tricks", ""], own["in tricks", ""], plain=True)),
        (text("Card points per hand"), _average(own["points", ""], own["in points", ""], plain=True)),
        (
            text("Contracts played"),
            text("{count}, {made} made", count=declared, made=made) if declared else "",
        ),
        (text("Fined"), str(own["fined", ""] or "")),
        (text("Flags without a fine"), str(own["passed", ""] or "")),
    ]
    return [(what, much) for what, much in facts if much]


def _average(sum_: int, count: int, *, plain: bool = False) -> str:
    """`sum_` for each of `count` hands, as the reader's language writes numbers; "" without hands."""
    if not count:
        return ""
    said = format_decimal(sum_ / count, format="0.0" if plain else "+0.0;−0.0", locale=language())
    return said if plain or round(sum_ / count, 1) else said.lstrip("+−")


def person_table(people: Mapping[str, PersonFigures], page: GamePage, lang: str) -> list[list[str | int]]:
    """The figures of everybody in the game of `page` as rows of a table for spreadsheets.

    Counts stand under "Together". So do chips won less chips lost, which sum to 0 over all people and pots.
    """
    words = page.game.words
    session = page.game.session
    counts: list[tuple[str, Measured]] = [
        (text("Evenings"), "evenings"), (text("Hands played"), "hands"), (text("Times dealer"), "dealt"),
        (text("Tricks"), "tricks"), (text("Hands with known tricks"), "in tricks"),
        (text("Card points"), "points"), (text("Hands with known card points"), "in points"),
        (text("Fined"), "fined"), (text("Flags without a fine"), "passed"),
    ]  # fmt: skip
    rows: list[list[str | int]] = []

    def called(name: str) -> str:
        return words.holder_label(name, lang) if name in session.pot_names else name or text("Score sheet")

    for name, own in people.items():
        head = [text(page.title), called(name)]
        rows += [
            [*head, what, "", "", "", "", "", own[measure, ""]]
            for what, measure in counts
            if own[measure, ""]
        ]
        shown = person_game(own, page, lang)
        for contract in shown.contracts:
            rows.append([*head, text("Contracts played"), contract.label, "", "", "", "", contract.declared])
            rows.append([*head, text("Made"), contract.label, "", "", "", "", contract.made])
        for what, moved in (
            (text("For what"), shown.deeds),
            (text("Against whom"), [*shown.with_players, *shown.with_pots]),
        ):
            for one in moved:
                times = (one.times_won, one.times_lost) if moved is shown.deeds else ("", "")
                rows.append([*head, what, one.label, times[0], one.won, times[1], one.lost, one.net])
    return rows


def person_table_head() -> list[str | int]:
    """The names of the columns of `person_table`."""
    return [
        text("Game"), text("Player"), text("What"), text("Of what"), text("Times won"), text("Won"),
        text("Times lost"), text("Lost"), text("Together"),
    ]  # fmt: skip
