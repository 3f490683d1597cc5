"""What people entered of a hand besides its cards, and the dialogs that put it right."""

from tracker.errors import TarokError
from tracker.events import COMMON, Event, HandStarted
from tracker.hand import Hand
from webui.games.page import GamePage
from webui.people.fair_play import Sight


def is_put_right(event: Event) -> bool:
    """Whether `event` is put right in place: it is a game's own event of a hand, which everybody saw.

    Chips that moved are undone instead.
    """
    own = type(event).__name__ not in COMMON.by_name and event.of_hand
    return own and not (event.moves_chips or event.corrects or event.secret)


def put_right_href(page: GamePage, event: Event, seq: int) -> str:
    """The dialog that puts the entry `seq` right; "" if there is none."""
    return page.entry_href(event, seq) if is_put_right(event) else ""


def entry_to_put_right(sight: Sight, seq: int) -> tuple[Hand, Event]:
    """The entry `seq` as it stands, and its hand. Raises TarokError if no such entry can be put right."""
    dealt = 0
    for number, event in sight.session.standing:
        dealt += isinstance(event, HandStarted)
        if number == seq and dealt and is_put_right(event):
            return sight.session.hands[min(dealt, len(sight.session.hands)) - 1], event
    raise TarokError("there is no such entry {number} to correct", number=seq)
