"""A hand that is over, replayed on the felt: a step for each thing that was played, said or booked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tracker.doubts import proved
from tracker.erasing import without_words
from tracker.events import CardPlayed, Event, ResultChosen, SessionOpened, TrickTaken, Unwatched
from tracker.games import game_of
from tracker.hand import Hand
from tracker.renaming import with_names
from tracker.session import Session
from tracker.tricks import Trick
from webui.games.pages import page_of
from webui.people.fair_play import Sight, sight_of
from webui.texts import ntext, text
from webui.view.event_text import event_text
from webui.view.felt import Felt, Seat, angles, felt_sides, pots_shown, previous_trick, turned_to
from webui.view.finding_rows import ProofPicture, proof_pictures, settled_texts
from webui.view.hand_rows import bare_row
from webui.view.payment_rows import PaidRow, paid_rows

_UNTOLD: Final = (TrickTaken, ResultChosen, Unwatched)
"""Events without a step: they changed nothing that people saw or said at the table."""


@dataclass(frozen=True)
class ReplayStep:
    """The table after one more event.

    `said` is the event in words. `trick` is the number of the trick, 0 before the first. `flags` are the breaches that
    became certain with the event, `payments` those that were booked with it.
    """

    said: str
    trick: int
    felt: Felt
    flags: list["ToldBreach"]
    payments: list[PaidRow]


@dataclass(frozen=True)
class ToldBreach:
    """A breach in words, and the cards that prove it. `at` is the play with which it was certain, 0 for none.

    `settled` says that it was fined, or let pass; "" where it still waits.
    """

    at: int
    text: str
    settled: str
    pictures: list[ProofPicture]


def without_names(session: Session[Any, Any]) -> Session[Any, Any]:
    """`session` with its players called Player 1, Player 2 and so on, in the order in which they sat down.

    Words that somebody typed are left out.
    """
    called = {
        name: text("Player {number}", number=place) for place, name in enumerate(session.balances, start=1)
    }

    def nameless(event: Event) -> Event:
        return without_words(with_names(event, called), text("reason left out"))

    opened = nameless(session.opened)
    assert isinstance(opened, SessionOpened)
    told = type(session)(opened, rules=session.rules)
    for seq, event in session.standing:
        told.apply(nameless(event), seq)
    return told


def hand_steps(
    session: Session[Any, Any],
    hand: Hand,
    lang: str,
    *,
    pots: bool,
    sides: Mapping[str, str],
    seat: str = "",
) -> list[ReplayStep]:
    """The steps of `hand` of `session`, which is over or was broken off; the first one is the deal.

    Without `pots` their content is left out, because a later hand is played (ETI-1). `sides` has each player's side of
    the picture; it is empty where they are unknown. The player `seat` ("" for none) sits at the bottom.
    """
    flags = list(_flags(session, hand, lang))
    steps: list[ReplayStep] = []
    paid = played = 0
    for past, event in _happening(session, hand):
        now = past.hand
        assert now is not None
        new, paid = now.payments[paid:], len(now.payments)
        is_play = isinstance(event, CardPlayed)
        played += is_play
        if (isinstance(event, _UNTOLD) and not new) or event.secret:
            continue
        at = played if is_play or not steps else None
        steps.append(
            ReplayStep(
                said=_said(past, now, event, lang),
                trick=len(now.tricks),
                felt=_felt(past, now, lang, pots=pots, sides=sides, seat=seat),
                flags=[flag for flag in flags if flag.at == at],
                payments=paid_rows(new, game_of(past).words, lang)[::-1],
            )
        )
    return steps


def _happening(session: Session[Any, Any], hand: Hand) -> Iterator[tuple[Session[Any, Any], Event]]:
    """The evening as it stood after each event that counts in `hand`, with that event; the first is the deal."""
    past = type(session)(session.opened, rules=session.rules)
    for seq, event in session.standing:
        past.apply(event, seq)
        if len(past.hands) == hand.number:
            yield past, event
            break
    for event, seq in hand.entries:
        past.apply(event, seq)
        yield past, event


def _flags(session: Session[Any, Any], hand: Hand, lang: str) -> Iterator[ToldBreach]:
    page, settled, told = page_of(session), settled_texts(session, hand), proved(hand)
    for place, finding in enumerate(hand.findings):
        if finding in told:
            at = finding.known_at[1] if finding.known_at else 0
            said = page.game.words.finding_text(finding, lang)
            yield ToldBreach(at, said, settled.get(place, ""), proof_pictures(page, hand, finding, lang))


def _said(past: Session[Any, Any], hand: Hand, event: Event, lang: str) -> str:
    """What happened, and who took the trick that it completed."""
    said = event_text(event, lang, page_of(past))
    trick = hand.tricks[-1] if hand.tricks else None
    if isinstance(event, CardPlayed) and trick is not None and len(trick.plays) == len(hand.active):
        said += ". " + text("{player} takes the trick", player=trick.winner)
    return said


def _felt(
    past: Session[Any, Any], hand: Hand, lang: str, *, pots: bool, sides: Mapping[str, str], seat: str
) -> Felt:
    sight = sight_of(past, fair_play=False)
    lying = hand.tricks if hand.cards_stay else hand.tricks[-1:]
    return Felt(
        sides={
            side: [_seat(sight, hand, name, lying, lang) for name in names]
            for side, names in felt_sides(turned_to(seat, angles(past, sides))).items()
        },
        past=True,
        pots=pots_shown(sight, lang) if pots else None,
        rows=hand.cards_stay,
        previous=previous_trick(sight, lang),
        banners=page_of(past).banners(hand, lang) if past.under_way else [],
    )


def _seat(sight: Sight, hand: Hand, name: str, lying: list[Trick], lang: str) -> Seat:
    words = game_of(sight.session).words
    out = name in hand.sits_out
    won = ntext("{count} trick", "{count} tricks", (sight.tricks_won(hand) or {}).get(name, 0))
    return Seat(
        name,
        sight.balances[name],
        dealer=hand.dealer == name,
        turn=sight.session.under_way and hand.to_play == name,
        out=out,
        note=text("sits out") if out else won,
        plays=[
            bare_row(play, words, lang, best=name == trick.winner)
            for trick in lying
            for play in trick.plays
            if play.player == name
        ],
        hand=[(card, words.card_label(card, lang)) for card in hand.open_hands.get(name, ())],
    )
