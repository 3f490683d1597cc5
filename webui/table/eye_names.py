"""What the eyes call the players: a name that is put right while they watch does not disturb them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tracker.events import Event
from tracker.renaming import with_names
from tracker.shown_cards import MayReveal, ShownCards
from vision.watching.expectation import Expectation


class EyeNames:
    """The names by which the eyes know the players: those that the players had when the eyes began to watch.

    The caller holds the table's lock.
    """

    def __init__(self) -> None:
        self._now: dict[str, str] = {}

    def begin(self) -> None:
        """The eyes begin to watch, with the names as they are now."""
        self._now = {}

    def rename(self, old: str, new: str) -> None:
        """The player `old` is called `new` from now on, but the eyes do not know."""
        known_as = next((name for name, now in self._now.items() if now == old), old)
        self._now[known_as] = new

    def told_now(self, event: Event) -> Event:
        """`event` of the eyes with the names as they are now."""
        return with_names(event, self._now)

    def as_known(self, expectation: Expectation) -> Expectation:
        """`expectation` with the names that the eyes know."""
        if not self._now:
            return expectation
        return _with_names(expectation, {now: name for name, now in self._now.items()}, self._now)


def _with_names(expectation: Expectation, names: Mapping[str, str], back: Mapping[str, str]) -> Expectation:
    """`expectation` with each player of `names` called what it says; `back` leads back."""

    def called(player: str | None) -> str | None:
        return names.get(player, player) if player is not None else None

    def order(players: Sequence[str]) -> tuple[str, ...]:
        return tuple(names.get(player, player) for player in players)

    def plays(of: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        return tuple((names.get(player, player), card) for player, card in of)

    def shown(cards: ShownCards) -> ShownCards:
        return replace(
            cards,
            player=called(cards.player),
            receiver=called(cards.receiver),
            event=lambda seen: with_names(cards.event(seen), names),
        )

    def revealed(may: MayReveal) -> MayReveal:
        player = names.get(may.player, may.player)
        return replace(may, player=player, event=lambda seen: with_names(may.event(seen), names))

    def winner(of: Sequence[tuple[str, str]]) -> str | None:
        return called(expectation.winner([(back.get(player, player), card) for player, card in of]))

    return replace(
        expectation,
        active=order(expectation.active),
        turn=order(expectation.turn),
        trick=plays(expectation.trick),
        last_trick=plays(expectation.last_trick),
        leader=called(expectation.leader),
        deals={names.get(dealer, dealer): order(players) for dealer, players in expectation.deals.items()},
        next_hand=_with_names(following, names, back) if (following := expectation.next_hand) else None,
        winner=winner,
        shown_cards=shown(expectation.shown_cards) if expectation.shown_cards is not None else None,
        may_reveal=tuple(revealed(may) for may in expectation.may_reveal),
    )
