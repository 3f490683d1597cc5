"""The felt: the players round it, the pots, the cards of the trick, and what is said in the middle."""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tracker.session import Session
from webui.games.page import CentreNote
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.people.seats import SIDES
from webui.table.live import LiveTable
from webui.texts import ntext, signed, text
from webui.view.hand_rows import PlayRow, play_row
from webui.view.result_rows import ending_texts


@dataclass(frozen=True)
class Seat:
    """A player at the edge of the felt, at `x`, `y` in percent; `out`: sits out this hand.

    `before`: the balance is that from before the hand.
    """

    name: str
    x: float
    y: float
    balance: int
    dealer: bool
    turn: bool
    out: bool
    note: str
    before: bool


@dataclass(frozen=True)
class Pots:
    """The pots, each with its name and its chips, and where they stand, in percent of the felt."""

    rows: list[tuple[str, int]]
    x: float
    y: float


@dataclass(frozen=True)
class PreviousTrick:
    """The trick before this one: its cards with their names, who took it, and where it lies, in percent."""

    cards: list[tuple[str, str]]
    winner: str | None
    x: float
    y: float


@dataclass(frozen=True)
class Felt:
    """All that the felt shows."""

    seats: list[Seat] = field(default_factory=list)
    pots: Pots | None = None
    trick: list[PlayRow] = field(default_factory=list)
    note: CentreNote | None = None
    previous: PreviousTrick | None = None
    banners: list[str] = field(default_factory=list)


def build_felt(table: LiveTable, sight: Sight, lang: str, seat: str = "") -> Felt:
    """The felt of `table`, with all words in `lang`; the player `seat` ("" for none) sits at the bottom."""
    session = sight.session
    placed = _turned(angles(session, table.sides), seat)
    return Felt(
        seats=_seats(sight, placed),
        pots=_pots(sight, placed, lang),
        trick=_trick(table, sight, placed, lang),
        note=_note(table, sight, lang),
        previous=_previous(sight, lang),
        banners=_banners(session, lang),
    )


def angles(session: Session[Any, Any], sides: dict[str, str]) -> dict[str, float]:
    """Each player's direction from the middle, in degrees: 0 is the bottom of the picture, counter-clockwise."""
    names = session.seats
    if all(name in sides for name in names):
        beside = Counter(sides[name] for name in names)
        placed: dict[str, float] = {}
        for name in sorted(names, key=list(sides).index):
            # Two who share a side sit to the left and the right of its middle, in order of play.
            first = not any(sides[other] == sides[name] for other in placed)
            aside = 0.0 if beside[sides[name]] == 1 else -25.0 if first else 25.0
            placed[name] = 90.0 * SIDES.index(sides[name]) + aside
        return placed
    if len(names) == 3:
        return dict(zip(names, (0.0, 90.0, 270.0), strict=True))
    return {name: 360 / len(names) * place for place, name in enumerate(names)}


def _turned(placed: dict[str, float], seat: str) -> dict[str, float]:
    """`placed` turned until `seat` is at the bottom; as it is for a seat that nobody has."""
    return {name: (angle - placed.get(seat, 0.0)) % 360 for name, angle in placed.items()}


def spot(angle: float, reach_x: float, reach_y: float) -> tuple[float, float]:
    """The place on the felt, in percent, at `angle` degrees and these distances from the middle."""
    turn = math.radians(angle)
    return round(50 + reach_x * math.sin(turn), 2), round(50 + reach_y * math.cos(turn), 2)


def _seats(sight: Sight, placed: dict[str, float]) -> list[Seat]:
    session, hand, balances = sight.session, sight.session.hand, sight.balances
    rows = []
    for name in session.seats:
        x, y = spot(placed[name], 47, 46.5)
        speaker = _speaker(session)
        to_play = None if hand is None or hand.by_result or session.closed else hand.to_play
        turn = (speaker[0] if speaker else to_play) == name
        out = hand is not None and name in hand.sits_out
        dealer = hand is not None and hand.dealer == name
        note = _seat_note(sight, name, turn, out)
        rows.append(Seat(name, x, y, balances[name], dealer, turn, out, note, sight.hidden))
    return rows


def _speaker(session: Session[Any, Any]) -> tuple[str, str] | None:
    """Who has to say something before the first card, and what to do."""
    hand = session.hand
    if hand is None or not session.under_way or hand.by_result:
        return None
    return page_of(session).speaker(hand)


def _seat_note(sight: Sight, name: str, turn: bool, out: bool) -> str:
    hand = sight.session.hand
    if hand is None:
        return "\u00a0"
    if out:
        return text("sits out")
    doing = text("to lead") if hand.trick is None else text("to play")
    speaker = _speaker(sight.session)
    said = [speaker[1] if speaker else doing] if turn else []
    won = sight.tricks_won(hand)
    if won is not None:
        said.append(ntext("{count} trick", "{count} tricks", won.get(name, 0)))
    return " · ".join(said) or "\u00a0"


def _pots(sight: Sight, placed: dict[str, float], lang: str) -> Pots | None:
    """The pots stand at an empty side of the table; if there is none, in an upper corner."""
    pots = sight.pots
    if pots is None:
        return None
    taken = [round(angle / 90) * 90 % 360 for angle in placed.values()]
    empty = next((angle for angle in (180.0, 90.0, 270.0, 0.0) if angle not in taken), None)
    if empty is not None:
        x, y = spot(empty, 47, 45)
    else:
        # The upper corner that is farther from everybody.
        spots = [spot(angle, 47, 46.5) for angle in placed.values()]
        y = 3.0
        x = max((97.0, 3.0), key=lambda corner: min(math.dist((corner, y), one) for one in spots))
    words = page_of(sight.session).game.words
    rows = [(words.holder_label(pot, lang), chips) for pot, chips in pots.items()]
    return Pots(rows, x, y) if rows else None


def _trick(table: LiveTable, sight: Sight, placed: dict[str, float], lang: str) -> list[PlayRow]:
    session, hand = sight.session, sight.session.hand
    if hand is None or not sight.tricks(hand) or hand.by_result or session.closed:
        return []
    if not placed.keys() >= set(hand.active):
        return []  # the hand is over, and one of its players has left
    trick = sight.tricks(hand)[-1]
    reach = (15, 14.5) if len(hand.active) < 5 else (21, 15)
    rows = []
    for play in trick.plays:
        x, y = spot(placed[play.player], *reach)
        far_x, far_y = spot(placed[play.player], 40, 40)
        rows.append(
            play_row(
                table,
                sight,
                hand,
                play,
                lang,
                best=play.player == trick.winner,
                x=x,
                y=y,
                dx=far_x - x,
                dy=far_y - y,
                # Each card lies a little askew, always the same way.
                tilt=(play.seq * 37 % 13) - 6,
            )
        )
    return rows


def _note(table: LiveTable, sight: Sight, lang: str) -> CentreNote | None:
    session, hand = sight.session, sight.session.hand
    if session.closed:
        result = sorted(sight.balances.items(), key=lambda entry: -entry[1])
        more = " · ".join(f"{name} {signed(chips)}" for name, chips in result)
        return CentreNote(text("The evening is over"), more)
    if hand is None or hand.complete or hand.abandoned:
        if hand is not None and sight.tricks(hand):
            return None
        more = text("{player} deals.", player=session.next_dealer)
        if session.by_result:
            return CentreNote(text("By its result"), more)
        if table.camera.is_there and not session.names_game:
            more += " " + text("The hand starts by itself when the camera sees the first card.")
        return CentreNote(text("The cards are dealt"), more)
    if hand.by_result:
        return CentreNote(
            text("By its result"), text("Nobody enters cards. When the hand is over, enter what it came to.")
        )
    if sight.tricks(hand):
        return None
    return page_of(session).waiting(hand, lang)


def _previous(sight: Sight, lang: str) -> PreviousTrick | None:
    if sight.session.hand is None or sight.session.closed:
        return None
    done = [trick for trick in sight.tricks(sight.session.hand)[:-1] if trick.winner]
    if not done:
        return None
    words = page_of(sight.session).game.words
    cards = [(play.card, words.card_label(play.card, lang)) for play in done[-1].plays]
    return PreviousTrick(cards, done[-1].winner, x=14, y=84)


def _banners(session: Session[Any, Any], lang: str) -> list[str]:
    """What everybody must know just now, and how the hand ended."""
    hand = session.hand
    if hand is None or session.closed:
        return []
    if not session.under_way:
        return ending_texts(session, lang)
    return page_of(session).banners(hand, lang)
