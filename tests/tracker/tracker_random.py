"""Random evenings of every game, as session-file objects."""

from typing import Any

import american_deals
import french_deals
import tarot1659_deals
import tracker_deals


def random_evening(
    game: str, seed: int, *, faulty: bool | None = None, hands: int | None = None
) -> dict[str, Any]:
    """An evening made by chance: with breaches where it is `faulty`, and by the rules where it is not.

    It is so many hands long where `hands` says so; the Tarot of 1659 has no such choice.
    """
    if game == "tarot1659":
        habits = tarot1659_deals.LEGAL if faulty is False else tarot1659_deals.FAULTY
        return tarot1659_deals.random_session(seed, habits)
    deals: Any = {"danish": tracker_deals, "american": american_deals, "french": french_deals}[game]
    plan = {None: None, False: deals.LEGAL, True: deals.FAULTY}[faulty]
    made = deals.random_session(seed, plan, hands)
    return dict(made.session if game == "danish" else made)
