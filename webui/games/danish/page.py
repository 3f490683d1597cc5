"""Danish Tarok among the pages."""

from typing import Final

from tracker.catalogue import msgid
from tracker.danish.game import DANISH
from webui.games.danish import rows
from webui.games.page import GamePage, Lessons, Option

DANISH_PAGE: Final = GamePage(
    game=DANISH,
    title=msgid("Danish Tarok"),
    players=(3, 5),
    options=(Option("count", msgid("Count after every hand")),),
    pot_labels={"king": msgid("King pot"), "pagat": msgid("Pagat pot")},
    reasons=rows.REASONS,
    chip_step=5,
    event_text=rows.own_event_text,
    fields=rows.own_fields,
    entry_href=rows.entry_href,
    acts=rows.own_acts,
    fine_href=rows.FINE_HREF,
    result_href="/result",
    speaker=rows.speaker,
    waiting=rows.before_first_card,
    banners=rows.hand_banners,
    endings=rows.hand_endings,
    facts=rows.hand_facts,
    proposal=rows.proposal,
    settled=rows.settled_text,
    decided=rows.decided,
    names_fool=True,
    player_acts=((msgid("Declaration"), "/declare"),),
    lessons=Lessons(
        seen=msgid("Trumps seen"),
        trumps=msgid("Of {count}, the fool among them. Still out are those in the hands and in the skat."),
        asked=msgid("How many trumps are still out? The fool is one of the {count}."),
        held=msgid("How many trumps do you hold now?"),
        own=msgid("The fool is one of them."),
        aside={"skat": (msgid("the skat"), msgid("Nobody played it: it lay in the skat."))},
        declarations=True,
    ),
    more="games/danish/more.html",
    joining=msgid(
        "Between two hands. The new player pays a third of each pot into it; at a table of four, a fourth."
    ),
    leaving=msgid(
        "Between two hands. The player who leaves gets a share of each pot. The balance is kept in case of a return."
    ),
    closing=msgid("Both pots are shared evenly by all seated. It can be undone."),
    broken_off=msgid("Payments already made stand. There is no last trick and no count."),
    unfinished=msgid("The hand in progress is not finished; it gets no last trick and no count."),
)
