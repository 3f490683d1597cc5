"""The pages of the games: the one module of the page that knows them all."""

from typing import Any, Final

from tracker.session import Session
from webui.games.american.page import AMERICAN_PAGE
from webui.games.danish.page import DANISH_PAGE
from webui.games.french.page import FRENCH_PAGE
from webui.games.page import GamePage
from webui.games.tarot1659.page import TAROT_1659_PAGE

PAGES: Final = (DANISH_PAGE, TAROT_1659_PAGE, AMERICAN_PAGE, FRENCH_PAGE)
_PAGE_OF: Final = {page.game.session: page for page in PAGES}


def page_of(session: Session[Any, Any]) -> GamePage:
    """The page of the game that is played in `session`."""
    return _PAGE_OF[type(session)]
