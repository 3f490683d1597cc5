"""The Tarot of 1659 among the pages."""

from typing import Final

from tracker.catalogue import msgid
from tracker.tarot1659.game import TAROT_1659
from tracker.tarot1659.rule_sets import FEWEST, MOST_PLAYERS, POT
from webui.games.page import GamePage, Lessons, Option
from webui.games.tarot1659 import rows

TAROT_1659_PAGE: Final = GamePage(
    game=TAROT_1659,
    title=msgid("Tarot of 1659"),
    players=(FEWEST, MOST_PLAYERS),
    options=(
        Option("cards", msgid("Cards for each player")),
        Option("ante", msgid("Ante, in chips")),
        Option(
            "tie",
            msgid("If several have the most points"),
            {"split": msgid("they share the pot"), "carry": msgid("the pot stays for the next hand")},
        ),
    ),
    pot_labels={POT: msgid("Pot")},
    reasons=rows.REASONS,
    chip_step=1,
    event_text=rows.own_event_text,
    acts=rows.own_acts,
    fine_href=rows.FINE_HREF,
    result_href="/tarot1659/result",
    waiting=rows.before_first_card,
    banners=rows.hand_banners,
    asked=rows.own_questions,
    endings=rows.hand_endings,
    result_note=rows.points_text,
    facts=rows.hand_facts,
    proposal=rows.proposal,
    settled=rows.settled_text,
    decided=rows.decided,
    lessons=Lessons(
        seen=msgid("Trumps seen"),
        trumps=msgid(
            "Of {count}; the fool is none of them. Still out are those in the hands and those set aside."
        ),
        asked=msgid("How many trumps are still out? There are {count}; the fool is none of them."),
        held=msgid("How many trumps do you hold now?"),
        own=msgid("The fool is none of them."),
        aside={"stock": (msgid("set aside"), msgid("Nobody played it: it was set aside."))},
    ),
    more="games/tarot1659/more.html",
    joining=msgid("Between two hands. The new player pays an even share of the pot into it."),
    leaving=msgid(
        "Between two hands. Who leaves gets an even share of the pot. The balance is kept in case of a return."
    ),
    closing=msgid("The pot is shared evenly by all seated. It can be undone."),
    broken_off=msgid("Nobody wins; the antes stay in the pot for the next hand."),
    unfinished=msgid("The hand in progress is not finished; nobody wins it."),
)
