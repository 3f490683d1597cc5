"""Dealt hands for the page's tests: three players who follow the rules, and one who does not."""

import random
from collections.abc import Iterator

from webui_table import FOUR

from tracker.cards import CARDS
from tracker.danish.pack import INDEX
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened

SEATS = ("Anna", "Bo", "Carl")
SIDES = {"Anna": "S", "Bo": "E", "Carl": "W"}
OPENED = SessionOpened("dtf-2011", (("count", True),), SEATS)
AT_FOUR = SessionOpened("dtf-2011", (), FOUR)
AMERICAN = SessionOpened("american-tarock", (), FOUR)
FRENCH = SessionOpened("french-tarot", (), FOUR)


def hand(seed: int, dealer: str = "Anna", *, revoke_in_trick: int | None = None) -> list[Event]:
    """A whole hand: `HandStarted` and 75 plays, two seconds apart on the camera's clock.

    With `revoke_in_trick`, the first player who can revoke in that trick or later does, once.
    """
    rng = random.Random(seed)
    pack = [card for card in CARDS if card != "F" and not card.endswith("R") and card not in ("T1", "T21")]
    rng.shuffle(pack)
    skat = [card for card in pack if card[0] != "T"][:3]
    rest = [card for card in CARDS if card not in skat]
    rng.shuffle(rest)
    ring = SEATS[SEATS.index(dealer) + 1 :] + SEATS[: SEATS.index(dealer) + 1]
    held = {name: sorted(rest[i * 25 : i * 25 + 25], key=INDEX.__getitem__) for i, name in enumerate(ring)}
    return [HandStarted(dealer), *_plays(rng, held, ring, revoke_in_trick)]


def _plays(
    rng: random.Random, held: dict[str, list[str]], ring: tuple[str, ...], revoke_in_trick: int | None
) -> Iterator[Event]:
    leader, clock = 0, 3.0
    for trick in range(1, 26):
        led, best, winner = None, -1, leader
        for step in range(3):
            place = (leader + step) % 3
            cards = held[ring[place]]
            legal = _legal(cards, led)
            wrong = [card for card in cards if led and card[0] not in (led, "F", "T") and legal[0][0] == led]
            if revoke_in_trick is not None and trick >= revoke_in_trick and wrong and trick < 20:
                card, revoke_in_trick = wrong[0], None
            else:
                usable = [card for card in legal if card != "F"] or legal
                # The fool goes early, so that it is never left for trick 24.
                card = "F" if "F" in cards and led and trick in (9, 10, 11, 12) else rng.choice(usable)
            cards.remove(card)
            led = led or card[0]
            if card[0] in (led, "T") and INDEX[card] > best and card != "F":
                best, winner = INDEX[card], place
            yield CardPlayed(ring[place], card, time_s=clock)
            clock += 2.0
        leader = winner


def _legal(cards: list[str], led: str | None) -> list[str]:
    """PLAY-1, the fool left out where anything else will do."""
    follow = [card for card in cards if card[0] == led]
    trumps = [card for card in cards if card[0] == "T"]
    return follow or (trumps if led else []) or cards


def plays(*said: str) -> list[CardPlayed]:
    """`Anna S7` or `Anna:S7`: a card for each."""
    return [CardPlayed(*one.replace(":", " ").split()) for one in said]
