"""The club that the table reports to: the host joins it by a code, leaves it, and begins the rounds that it offers."""

from contextlib import suppress

from flask import Blueprint, current_app

from tracker.errors import TarokError
from tracker.events import SessionOpened
from tracker.games import GAMES, game_of, game_of_rules, rule_set
from tracker.rule_sets import Options
from webui.app_parts import app_parts
from webui.pages import fields
from webui.pages.common import Answer, EntryError, NoEveningError, live, rule_sets, sender, told
from webui.people.seats import SIDES_BY_NUMBER
from webui.reporting.club_line import is_address, sentence_in
from webui.reporting.reporter import JoiningError, Reporter
from webui.reporting.rounds import OfferedRound
from webui.texts import language, text

blueprint = Blueprint("club", __name__)


def reporter() -> Reporter:
    """The reporter, which sends the table's evenings to its club."""
    return app_parts().reporter


@blueprint.post("/host/club/join")
def join() -> Answer:
    """Join the club at an address, by the code that it gave."""
    address, code = fields.field("address").rstrip("/"), fields.field("code")
    if current_app.config["DEMO"]:
        raise EntryError("The demo reports to nobody.", 409)
    if reporter().club is not None:
        raise EntryError("The table has already joined a club; leave that one first.", 409)
    if not is_address(address):
        raise EntryError(
            "“{address}” is no club's address: type it as the club shows it, beginning with http:// or https://.",
            address=address,
        )
    try:
        joined = reporter().join(address, code)
    except JoiningError as error:
        if error.sentences:
            refused = EntryError("The club says: {reason}", 502)
            # The club's sentence stays whole, unlike what is typed.
            refused.values["reason"] = sentence_in(error.sentences, language())
            raise refused from None
        raise EntryError("No club answers at {address}.", 502, address=address) from None
    return told(text("The table has joined {club} as {table}.", club=joined.club, table=joined.table))


@blueprint.post("/host/club/leave")
def leave() -> Answer:
    """Leave the club: nothing is sent any more."""
    club = reporter().club
    if club is not None:
        fields.ask_first(
            text(
                "{table} no longer sends anything to {club}. What was sent stays there. With a new code it goes on.",
                table=club.table,
                club=club.club,
            ),
            text("Leave the club"),
        )
    reporter().leave()
    return told(text("The table has left the club. Nothing is sent any more."))


@blueprint.post("/round/begin")
def begin_round() -> Answer:
    """Open the evening of the round that the club offers. Its players sit in its order, and the first deals first."""
    with live().locked():
        offer = _offered()
        seats = offer.seats
        if live().evening.is_open:
            raise EntryError("An evening is already open; finish it first.", 409)
        base, options = _rules_for(offer)
        sides = dict(zip(seats, SIDES_BY_NUMBER[len(seats)], strict=True))
        live().open_evening(SessionOpened(base, options, seats), sides, by=sender())
        reporter().rounds.begin(offer)
    return told(text("Round {number} has begun.", number=offer.round))


@blueprint.post("/round/this")
def this_is_the_round() -> Answer:
    """Note that the open evening, which was begun by hand, is the round that the club offers."""
    with live().locked():
        offer, session = _offered(), live().session
        if session is None or session.closed:
            raise NoEveningError
        if game_of(session).name != offer.game:
            raise EntryError("That round is of another game.", 409)
        if reporter().rounds.plays_another:
            raise EntryError("An evening is already open; finish it first.", 409)
        reporter().rounds.begin(offer)
    return told(text("This evening is round {number}.", number=offer.round))


def _offered() -> OfferedRound:
    """The round that the page showed when its button was pressed. Raises EntryError if it has changed since."""
    now = reporter().rounds.now
    if now.offer is None or now.offer.key != fields.field("offer"):
        raise EntryError("The club has drawn that round anew, or taken it back. Look at the page again.", 409)
    if now.evening and reporter().rounds.phase != "offered":
        raise EntryError("This round has already begun.", 409)
    return now.offer


def _rules_for(offer: OfferedRound) -> tuple[str, Options]:
    """The rules of the last evening, or else the table's usual ones, if they fit the round's game and players."""
    played = live().session
    last = [(played.opened.rules, played.opened.options)] if played is not None else []
    game = GAMES[offer.game]
    for base, options in (*last, current_app.config["RULES"], *rule_sets(game).values()):
        with suppress(TarokError):
            if game_of_rules(base) is game:
                game.session.check_seats(offer.seats, rule_set(base, options))
                return base, options
    raise EntryError("No table of this game has that many players.", 409)
