"""The pages of the games. No other module of the page knows all games."""

from typing import Any, Final

from tracker.games import game_of
from tracker.session import Session
from webui.games.american.page import AmericanPage
from webui.games.danish.page import DanishPage
from webui.games.french.page import FrenchPage
from webui.games.page import GamePage
from webui.games.tarot1659.page import Page1659

PAGES: Final[dict[str, GamePage]] = {
    page.game.name: page for page in (DanishPage(), Page1659(), AmericanPage(), FrenchPage())
}
"""The pages by the names of the games, in the order in which these are offered."""


def page_of(session: Session[Any, Any]) -> GamePage:
    """The page of the game that is played in `session`."""
    return PAGES[game_of(session).name]
