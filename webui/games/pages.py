"""The pages of the games: the one module of the page that knows them all."""

from typing import Any, Final

from tracker.session import Session
from webui.games.american.page import AmericanPage
from webui.games.danish.page import DanishPage
from webui.games.french.page import FrenchPage
from webui.games.page import GamePage
from webui.games.tarot1659.page import Page1659

PAGES: Final = (DanishPage(), Page1659(), AmericanPage(), FrenchPage())
_PAGE_OF: Final = {page.game.session: page for page in PAGES}


def page_of(session: Session[Any, Any]) -> GamePage:
    """The page of the game that is played in `session`."""
    return _PAGE_OF[type(session)]
