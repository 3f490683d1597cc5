"""What the plain second reckoning of each game makes of a session, and its audit in the same form."""

import json
from typing import Any

from american_reference import Reference as AmericanReference
from american_reference import comparable as american_comparable
from french_reference import Reckoning as FrenchReckoning
from french_reference import comparable as french_comparable
from tarot1659_reference import Reckoning as Reckoning1659
from tracker_reference import Reference as DanishReference
from tracker_reference import comparable as danish_comparable


def reckoned(game: str, session: dict[str, Any]) -> dict[str, Any]:
    """What the second reckoning makes of a session file's object."""
    match game:
        case "danish":
            danish = DanishReference(session)
            return {"chips": danish.chips, "hands": danish.hands}
        case "american":
            sheet = AmericanReference(session)
            return {"totals": sheet.totals, "asterisks": sheet.asterisks, "rounds": sheet.rounds}
    reckoning = FrenchReckoning if game == "french" else Reckoning1659
    return as_reckoned(game, reckoning(session).audit)


def as_reckoned(game: str, audit: dict[str, Any]) -> dict[str, Any]:
    """An audit as `reckoned` has it: what has no order of its own is sorted."""
    audit = json.loads(json.dumps(audit))
    match game:
        case "danish":
            return danish_comparable(audit)
        case "american":
            return american_comparable(audit)
        case "french":
            return french_comparable(audit)
    for hand in audit["hands"]:
        if "violations" in hand:
            hand["violations"].sort(key=lambda row: json.dumps(row, sort_keys=True))
    return audit
