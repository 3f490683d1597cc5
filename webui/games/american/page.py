"""American Tarock among the pages."""

from typing import Final

from tracker.american.game import AMERICAN
from tracker.american.session import PLAYERS
from tracker.american.telling import endings, lacking
from tracker.catalogue import msgid
from webui.games.american import rows
from webui.games.page import GamePage, Lessons, Option

AMERICAN_PAGE: Final = GamePage(
    game=AMERICAN,
    title=msgid("American Tarock"),
    players=(PLAYERS, PLAYERS),
    options=(
        Option("mond_penalty", msgid("A captured Mond costs, in points")),
        Option("zero_klop", msgid("A score of exactly zero leads to a compulsory Klop")),
        Option("valat_alone", msgid("Where Valat is won or announced, nothing else is scored")),
        Option("free_lead", msgid("Tarocks may be led from the first trick on")),
    ),
    pot_labels={},
    reasons=rows.REASONS,
    chip_step=1,
    event_text=rows.own_event_text,
    acts=rows.own_acts,
    fine=msgid("Renonce"),
    finish=msgid("Finish the evening"),
    fine_href=rows.FINE_HREF,
    result_href="/american/result",
    speaker=rows.speaker,
    waiting=rows.before_first_card,
    banners=rows.hand_banners,
    asked=rows.own_questions,
    lacks=lacking,
    endings=endings,
    fields=rows.own_fields,
    facts=rows.hand_facts,
    proposal=rows.proposal,
    settled=rows.settled_text,
    decided=rows.decided,
    score_table=rows.score_table,
    lessons=Lessons(
        seen=msgid("Tarocks seen"),
        trumps=msgid(
            "Of {count}, the Skeench among them. Still out are those in the hands and those laid aside unseen."
        ),
        asked=msgid("How many tarocks are still out? The Skeench is one of the {count}."),
        held=msgid("How many tarocks do you hold now?"),
        own=msgid("The Skeench is one of them."),
        aside={
            "talon": (msgid("the Talon"), msgid("Nobody played it: it lay in the Talon.")),
            "discards": (msgid("the discards"), msgid("Nobody played it: the declarer laid it.")),
        },
    ),
    more="games/american/more.html",
    joining=msgid("Four players sit at the table; nobody joins."),
    leaving=msgid("Four players sit at the table; nobody leaves."),
    closing=msgid("The score sheet stands as it is. It can be undone."),
    broken_off=msgid("The round is not scored; renonces, misdeals and captured Monds stand."),
    unfinished=msgid("The round in progress is not finished; it is not scored."),
)
