"""The audit in words, whole, of an evening of each game: what a club pins up, to the letter."""

import json
from typing import Any

import pytest
from american_table import game, plays, session_of
from french_table import evening_of as french_evening
from test_american_audit_text import barcelona
from tracker_file import session_file
from tracker_games import GAMES, recorded
from tracker_table import played

from tracker.danish.audit_text import audit_text as danish_text
from tracker.french.audit_text import audit_text as french_text
from tracker.games import read_session

SKEENCH = [{"skeench_a_tola": "Dora"}, *game("solo_barcelona"), *plays("Anna SR  Bo S7  Carl F  Dora S8")]
EVENINGS = (
    "revokes-shown-and-proved",
    "fined-for-the-hand-before",
    "chips-adjusted",
    "tarot-1659/six-players",
    "french-tarot/five-players-with-a-handful-of-the-partner",
    "french-tarot/mort-and-what-the-table-decides",
    "french-tarot/two-whole-deals",
    "american-tarock/last-dealer",
)


def session(name: str) -> dict[str, Any]:
    if name.startswith("american"):
        return session_of(SKEENCH, barcelona("Bo"), [*barcelona("Carl"), {"take_back": 1}])
    return recorded(GAMES / f"{name}.txt")


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_is_told_as_it_stands_beside_it(name: str) -> None:
    game, file = read_session(json.dumps(session(name)))
    told = game.audit_text(file.session(), "en")
    assert told == (GAMES / f"{name}.audit.en").read_text(encoding="utf-8")


def test_who_is_fined_twice_for_like_things_is_told_twice() -> None:
    revokes = "Anna S7  Bo H2  Carl S3\nAnna S9  Bo H3  Carl S4\nAnna D1  Bo T5  Carl D2\n"
    fines = "fine Bo irrecoverable\nfine Bo irrecoverable"
    told = danish_text(played(revokes + fines))
    assert told.count("40 each  fine: Bo pays the king pot and the pagat pot") == 2
    two_kings = {"lost": {"Bo": ["king", "king"]}, "last_trick": {"winner": "Anna"}}
    hand = {"dealer": "Carl", "result": two_kings | {"points": {"Anna": 30, "Bo": 26}}}
    file = session_file("pagat-2024", ["Anna", "Bo", "Carl"], hand)
    game, read = read_session(json.dumps(file))
    told = game.audit_text(read.session(), "en")
    assert told.count("5 each  Bo lost a king and pays Anna, Carl and the king pot") == 2


def test_a_fool_that_nobody_named_is_not_said_to_be_named() -> None:
    assert "(fool named hearts)" in danish_text(played("Anna F=H  Bo H3  Carl S1"))
    # Neither followed the name, nor trumped: the second card named it (FOOL-3).
    assert "(fool named clubs)" in danish_text(played("Anna F=H  Bo C3  Carl C1"))
    told = danish_text(played("Anna F  Bo D3  Carl S1"))
    assert "fool named" not in told and "Anna led the fool to trick 1 and named no suit." in told


def test_one_point_is_proposed_in_the_singular() -> None:
    deal = "contract garde Bo\nAnna S1  Bo S2  Carl H1  Dora S3\nDora D1  Anna D2  Bo D3  Carl T3"
    assert "proposed: 1 point, annulled" in french_text(french_evening(deal, penalty=1), "en")


def test_who_is_penalised_twice_for_like_things_is_told_twice() -> None:
    told = french_text(french_evening("contract garde Anna\nrenonce Bo spoke\nrenonce Bo spoke"), "en")
    assert told.count("-100  Bo  penalty (spoke)") == 2 and "Bo and Bo" not in told


def test_what_is_booked_for_an_earlier_hand_says_for_which() -> None:
    deals = ["contract garde Anna\nAnna S7", "renonce Bo 40 spoke hand 1\nrenonce Carl 60 spoke"]
    told = french_text(french_evening(*deals), "en").split("\n")
    (bo,), (carl,) = ([line for line in told if line.strip().startswith(of)] for of in ("-40", "-60"))
    assert "(for hand 1)" in bo and "hand" not in carl
