"""French Tarot among the pages."""

from typing import Final

from tracker.catalogue import msgid
from tracker.french.game import FRENCH
from tracker.french.rule_sets import FEWEST, MOST_PLAYERS
from webui.games.french import rows
from webui.games.page import GamePage, Lessons, Option

FRENCH_PAGE: Final = GamePage(
    game=FRENCH,
    title=msgid("French Tarot"),
    players=(FEWEST, MOST_PLAYERS),
    options=(
        Option("mort", msgid("With five at the table four play, and the dealer sits out")),
        Option("penalty", msgid("A breach of the rules costs, in points")),
    ),
    pot_labels={},
    reasons=rows.REASONS,
    chip_step=1,
    event_text=rows.own_event_text,
    fields=rows.own_fields,
    acts=rows.own_acts,
    fine=msgid("Penalty"),
    finish=msgid("Finish the evening"),
    fine_href=rows.FINE_HREF,
    speaker=rows.speaker,
    waiting=rows.before_first_card,
    banners=rows.hand_banners,
    asked=rows.own_questions,
    endings=rows.deal_endings,
    facts=rows.hand_facts,
    proposal=rows.proposal,
    settled=rows.settled_text,
    decided=rows.decided,
    score_table=rows.score_table,
    lessons=Lessons(
        seen=msgid("Trumps seen"),
        trumps=msgid(
            "Of {count}; the Excuse is none of them. Still out are those in the hands and those laid aside unseen."
        ),
        asked=msgid("How many trumps are still out? There are {count}, and the Excuse is none."),
        held=msgid("How many trumps do you hold now?"),
        own=msgid("The Excuse is none of them."),
        aside={
            "dog": (msgid("the dog"), msgid("Nobody played it: it lay in the dog.")),
            "discards": (msgid("the discard"), msgid("Nobody played it: the taker laid it.")),
        },
    ),
    more="games/french/more.html",
    joining=msgid("Who sits down begins at 0; who comes back, at the old total."),
    leaving=msgid("The total of who leaves stays on the sheet."),
    closing=msgid("The score sheet stands as it is. It can be undone."),
    broken_off=msgid("The deal is not scored; penalties and adjustments stand."),
    unfinished=msgid("The deal in progress is not finished; it is not scored."),
)
