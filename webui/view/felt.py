"""The felt: the players round it, the pots, the cards of the trick, and what is said in the middle."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tracker.games import game_of
from tracker.session import Session
from tracker.tricks import Trick
from webui.games.page import CentreNote
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.people.seats import SIDES
from webui.table.live import LiveTable
from webui.table.scorekeeper import as_first_trick_shows
from webui.texts import ntext, signed, text
from webui.view.hand_rows import PlayRow, TrickRow, bare_row, play_row
from webui.view.result_rows import ending_texts


@dataclass(frozen=True)
class Seat:
    """A player at the edge of the felt and the cards that lie before him; `out`: he sits out this hand.

    `own`: he is the player of this phone. `hand` are the cards that he laid open and still holds, with their names.
    """

    name: str
    balance: int
    dealer: bool
    turn: bool
    out: bool
    note: str
    own: bool = False
    plays: list[PlayRow] = field(default_factory=list)
    hand: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Felt:
    """All that the felt shows.

    - `sides`: the players at its north, west, east and south, from left to right or from top to bottom.
    - `before`: the balances are those from before the hand.
    - `past`: the hand is replayed, so nothing on the felt is a link.
    - `pots`: their names and chips; None while they are hidden.
    - `rows`: the cards of all tricks stay before their players.
    - `said`: the trick as a sentence.
    - `previous`: the trick before this one.
    """

    sides: dict[str, list[Seat]] = field(default_factory=dict)
    before: bool = False
    past: bool = False
    pots: list[tuple[str, int]] | None = None
    rows: bool = False
    said: str = ""
    note: CentreNote | None = None
    previous: TrickRow | None = None
    banners: list[str] = field(default_factory=list)

    @property
    def seats(self) -> list[Seat]:
        """All players, one side after the other."""
        return [seat for side in self.sides.values() for seat in side]

    @property
    def trick(self) -> list[PlayRow]:
        """The cards that lie on the table, in the order in which they were played."""
        return sorted((play for seat in self.seats for play in seat.plays), key=lambda play: play.seq)


def build_felt(table: LiveTable, sight: Sight, lang: str, seat: str = "") -> Felt:
    """The felt of `table` in `lang`, with the player `seat` ("" for none) at the bottom.

    While it is asked who dealt, the cards lie as the first trick shows; the chips are as booked.
    """
    booked, sight = sight, replace(sight, session=as_first_trick_shows(sight.session))
    session, hand = sight.session, sight.session.hand
    turned = turned_to(seat, angles(session, table.sides))
    lying = _lying(sight)
    return Felt(
        sides={
            side: [
                _seat(table, sight, name, booked.balances[name], lying, lang, own=name == seat)
                for name in names
            ]
            for side, names in felt_sides(turned).items()
        },
        before=sight.hidden,
        pots=pots_shown(booked, lang),
        rows=hand is not None and hand.cards_stay,
        said=trick_text(sight, lying[-1], lang) if lying else "",
        note=_note(table, sight, lang),
        previous=previous_trick(sight, lang),
        banners=_banners(session, lang),
    )


def angles(session: Session[Any, Any], sides: Mapping[str, str]) -> dict[str, float]:
    """Each player's direction from the middle, in degrees: 0 is the bottom of the picture, counter-clockwise."""
    names = session.seats
    if all(name in sides for name in names):
        beside = Counter(sides[name] for name in names)
        placed: dict[str, float] = {}
        for name in sorted(names, key=list(sides).index):
            # Two players who share a side sit to the left and the right of its middle, in order of play.
            first = not any(sides[other] == sides[name] for other in placed)
            aside = 0.0 if beside[sides[name]] == 1 else -25.0 if first else 25.0
            placed[name] = 90.0 * SIDES.index(sides[name]) + aside
        return placed
    if len(names) == 3:
        return dict(zip(names, (0.0, 90.0, 270.0), strict=True))
    return {name: 360 / len(names) * place for place, name in enumerate(names)}


def turned_to(seat: str, placed: dict[str, float]) -> dict[str, float]:
    """The directions `placed`, turned so that the player `seat` ("" for none) is at the bottom."""
    return {name: (angle - placed.get(seat, 0.0)) % 360 for name, angle in placed.items()}


def felt_sides(placed: dict[str, float]) -> dict[str, list[str]]:
    """The players at each side, from left to right or from top to bottom; `placed` has their directions."""
    sides: dict[str, list[str]] = {"n": [], "w": [], "e": [], "s": []}
    for name, angle in placed.items():
        sides["senw"[round(angle / 90) % 4]].append(name)
    for side, names in sides.items():
        along = math.sin if side in "ns" else math.cos
        names.sort(key=lambda name: along(math.radians(placed[name])))
    return sides


def _seat(
    table: LiveTable, sight: Sight, name: str, balance: int, lying: list[Trick], lang: str, *, own: bool
) -> Seat:
    session, hand = sight.session, sight.session.hand
    speaker = _speaker(session)
    to_play = None if hand is None or hand.by_result or session.closed else hand.to_play
    turn = (speaker[0] if speaker else to_play) == name
    out = hand is not None and name in hand.sits_out
    words = game_of(session).words
    return Seat(
        name,
        balance,
        dealer=hand is not None and hand.dealer == name,
        turn=turn,
        out=out,
        note=_seat_note(sight, name, turn, out),
        own=own,
        plays=[
            play_row(table, sight, hand, play, lang, best=name == trick.winner)
            for trick in lying
            for play in trick.plays
            if hand is not None and play.player == name
        ],
        hand=[
            (card, words.card_label(card, lang)) for card in (hand.open_hands.get(name, ()) if hand else ())
        ],
    )


def _lying(sight: Sight) -> list[Trick]:
    """The tricks whose cards lie on the table before their players: the newest, or all where they stay."""
    session, hand = sight.session, sight.session.hand
    if hand is None or hand.by_result or session.closed or not set(session.seats) >= set(hand.active):
        return []  # a hand that is over may have a player who has left
    return sight.tricks(hand) if hand.cards_stay else sight.tricks(hand)[-1:]


def trick_text(sight: Sight, trick: Trick, lang: str) -> str:
    """A trick as a sentence: who led what, who played what, and who took the trick or has the best card so far."""
    if not trick.plays:
        return ""
    words = game_of(sight.session).words
    led, *others = [(play.player, words.card_name(play.card, lang)) for play in trick.plays]
    said = [text("{player} led {card}", player=led[0], card=led[1])]
    said += [text("{player} played {card}", player=player, card=card) for player, card in others]
    if trick.winner:
        whole = sight.session.hand is not None and len(trick.plays) == len(sight.session.hand.active)
        said.append(
            text("{player} takes the trick", player=trick.winner)
            if whole
            else text("{player} is winning", player=trick.winner)
        )
    return text("Trick {number}: {said}.", number=trick.number, said=", ".join(said))


def _speaker(session: Session[Any, Any]) -> tuple[str, str] | None:
    """Who must say something before the first card, and what; None for nobody."""
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
    if won is not None and name in hand.active:
        said.append(ntext("{count} trick", "{count} tricks", won.get(name, 0)).replace(" ", "\u00a0"))
    return " · ".join(said) or "\u00a0"


def pots_shown(sight: Sight, lang: str) -> list[tuple[str, int]] | None:
    """The names of the pots with their chips; None while they are hidden."""
    pots = sight.pots
    if pots is None:
        return None
    words = game_of(sight.session).words
    return [(words.holder_label(pot, lang), chips) for pot, chips in pots.items()]


def _note(table: LiveTable, sight: Sight, lang: str) -> CentreNote | None:
    session, hand = sight.session, sight.session.hand
    if session.closed:
        result = sorted(sight.balances.items(), key=lambda entry: -entry[1])
        more = " · ".join(f"{name} {signed(chips)}" for name, chips in result)
        return CentreNote(text("The evening is over"), more)
    if hand is None or hand.complete or hand.abandoned:
        if session.over or (hand is not None and sight.tricks(hand)):
            return None
        more = text("{player} deals.", player=session.next_dealer)
        if session.by_result:
            return CentreNote(text("By its result"), more)
        watches = table.camera.is_there and table.camera.status.state != "ended" and not table.unplaced
        if watches and not session.names_game:
            more += " " + text("The hand starts by itself once the camera has seen the first trick.")
        return CentreNote(text("Next hand"), more)
    if hand.by_result:
        return CentreNote(
            text("By its result"), text("Nobody enters cards. When the hand is over, enter its result.")
        )
    if sight.tricks(hand):
        return None
    return page_of(session).waiting(hand, lang)


def previous_trick(sight: Sight, lang: str) -> TrickRow | None:
    """The last trick that was taken, if its cards left the table and may be shown."""
    hand = sight.session.hand
    if hand is None or sight.session.closed or hand.cards_stay:
        return None
    done = [trick for trick in sight.tricks(hand)[:-1] if trick.winner]
    if not done:
        return None
    words = game_of(sight.session).words
    plays = [bare_row(play, words, lang) for play in done[-1].plays]
    return TrickRow(done[-1].number, plays, done[-1].winner)


def _banners(session: Session[Any, Any], lang: str) -> list[str]:
    """What everybody must know just now, and how the hand ended."""
    hand = session.hand
    if hand is None or session.closed:
        return []
    if not session.under_way:
        return ending_texts(session, lang)
    return page_of(session).banners(hand, lang)
