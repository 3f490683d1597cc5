"""Nonsense in the forms of fines, declarations and missed cards: a sentence says what and where; nothing is lost."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from webui_deals import AMERICAN, OPENED, hand
from webui_page import Page
from webui_table import FOUR, open_table

from tracker.events import CardPlayed, Event, EventRetracted, HandAbandoned, HandStarted, SessionOpened
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french
from webui.table.live import LiveTable

_1659 = SessionOpened("tarot-1659", (), FOUR)
_FRENCH = SessionOpened("french-tarot", (), FOUR)
EVENINGS: dict[str, tuple[SessionOpened, Sequence[Event]]] = {
    "danish": (OPENED, hand(3)[:20]),
    "1659": (_1659, hand_of_1659(random.Random(1), FOUR, 12)[:20]),
    "american": (AMERICAN, hand_of_american(random.Random(3), AMERICAN, "two")[:-20]),
    "french": (_FRENCH, hand_of_french(random.Random(2), _FRENCH, "garde")[:-20]),
}
"""A hand in progress in every game."""
HUGE = "1" + "0" * 30
FINES = {
    "danish": ("/fine", "/fines"),
    "1659": ("/tarot1659/fine", "/tarot1659/fines"),
    "american": ("/american/renonce", "/american/renonces"),
    "french": ("/french/penalty", "/french/penalties"),
}
"""The dialog of a fine in every game, and where it is sent."""
STALE = (
    "Something happened at the table since you opened this. See how it stands now, and try again; nothing was "
    "entered."
)


def table_of(game: str, folder: Path) -> LiveTable:
    """A table where a hand of `game` is played, and all tricks are shown."""
    opened, events = EVENINGS[game]
    return open_table(folder, opened, *events, fair_play=False)


def plays_of(table: LiveTable) -> list[int]:
    return [one.seq for one in table.recorded if isinstance(one.event, CardPlayed)]


def refused(page: Page, action: str, fields: dict[str, Any], status: int = 400) -> str:
    """The sentence that refuses `fields`; nothing is stored, and it is said in Danish too."""
    before = len(page.table.recorded)
    said = {}
    for lang in ("da", "en"):
        page.client.set_cookie("tarok_lang", lang)
        answered, said[lang] = page.post(action, **fields)
        assert answered == status, said
    assert len(page.table.recorded) == before
    assert said["da"] != said["en"] and len(said["en"]) < 160, said
    return said["en"]


NOBODY = "Nobody at the table is called “{}”."
OF_FINES = [
    ("player", "", "Choose a player."),
    ("player", "Zoë", NOBODY.format("Zoë")),
    ("player", "-1", NOBODY.format("-1")),
]
UNFIT = "“{}” does not fit here: a whole number from {} is needed."
OF_AMOUNTS = [
    ("", "Type an amount."),
    *((one, UNFIT.format(one, "1 to 1000000")) for one in ("0", "-1", "1.5", "abc", HUGE, "1000001")),
]
OF_CARDS = [
    ("", "Type a card, or tap one."),
    *((value, f"“{value}” is not a card.") for value in ("abc", "-1", HUGE, "T22")),
]
OF_DECLARATIONS = [
    ({"player": ""}, "Choose a player."),
    ({"player": "Zoë"}, NOBODY.format("Zoë")),
    *(({"trumps": ""} | one, "Choose what is declared, or tap Pass.") for one in ({}, {"pagat": "1"})),
    *(({"trumps": one}, UNFIT.format(one, "10 to 22")) for one in ("9", "23", "-1", "abc", HUGE)),
    ({"matadors": "2"}, UNFIT.format("2", "3 to 22")),
    ({"kings": "half-X"}, "“half-X” cannot be chosen here."),
    *(
        (one | {"pass": "1"}, "A declaration is chosen. Enter it, or clear the choice and pass.")
        for one in ({}, {"trumps": "", "pagat": "1"})
    ),
]


@pytest.mark.parametrize("game", EVENINGS)
def test_a_fine_without_sense_is_refused_in_a_sentence(tmp_path: Path, game: str) -> None:
    page = Page(table_of(game, tmp_path))
    dialog, action = FINES[game]
    sensible = page.filled_in(dialog, action) | {"player": page.table.session.seats[0], "amount": "5"}
    sensible |= {"category": "minor"} if game == "danish" else {}
    for field, value, said in OF_FINES:
        assert refused(page, action, sensible | {field: value}) == said
    for value, said in () if game == "danish" else OF_AMOUNTS:
        assert refused(page, action, sensible | {"amount": value}) == said
    if game == "danish":
        wanted = "Choose what kind of mistake it was."
        assert refused(page, action, sensible | {"category": ""}) == wanted
        assert refused(page, action, sensible | {"category": "-1"}) == "“-1” cannot be chosen here."
    assert page.post(action, **sensible)[0] == 200
    assert refused(page, action, sensible | {"once": "another phone"}, 409) == STALE


@pytest.mark.parametrize("game", EVENINGS)
def test_the_dialogs_of_another_game_are_refused(tmp_path: Path, game: str) -> None:
    page = Page(table_of(game, tmp_path))
    others = [path for other, (path, _) in FINES.items() if other != game]
    others += [] if game == "american" else ["/american/round"]
    others += [] if game == "danish" else ["/declare", "/fool", "/tout"]
    assert {path: page.client.get(path).status_code for path in others} == dict.fromkeys(others, 409)
    assert game == "danish" or page.post("/declarations", player="Anna")[0] == 409
    assert len(page.table.recorded) == 1 + len(EVENINGS[game][1])


@pytest.mark.parametrize("game", EVENINGS)
def test_a_fine_in_a_hand_that_was_undone_meanwhile_is_refused(tmp_path: Path, game: str) -> None:
    page = Page(table_of(game, tmp_path))
    dialog, action = FINES[game]
    sensible = page.filled_in(dialog, action) | {"player": page.table.session.seats[0], "amount": "5"}
    for one in reversed(page.table.recorded[1:]):
        page.table.enter(EventRetracted(one.seq))
    assert refused(page, action, sensible | {"category": "minor"}, 409) == STALE


@pytest.mark.parametrize("game", EVENINGS)
def test_a_missed_card_without_sense_is_refused_in_a_sentence(tmp_path: Path, game: str) -> None:
    page = Page(table_of(game, tmp_path))
    before = plays_of(page.table)[3]
    sensible = page.filled_in(f"/plays/{before}/insert", "/plays") | {"player": FOUR[0]}
    for field in ("card", "typed"):
        for value, said in OF_CARDS:
            assert refused(page, "/plays", sensible | {field: value}) == said
    for field, value, said in OF_FINES:
        assert refused(page, "/plays", sensible | {"card": "S7", field: value}) == said
    # Where this player has a card in that trick, and one that was played: the table is asked which is right.
    twice = page.table.session.hand.plays[0]
    said = refused(page, "/plays", sensible | {"player": twice.player, "card": twice.card}, 422)
    assert "is the card right?" in said or "or is a card missing?" in said
    page.table.enter(EventRetracted(before))
    gone = "That play no longer exists."
    assert refused(page, "/plays", sensible | {"card": "S7"}, 409) == gone
    for action in ("correct", "remove"):
        assert refused(page, f"/plays/{before}/{action}", {"card": "S8"}, 409) == gone


@pytest.mark.parametrize(("fields", "said"), OF_DECLARATIONS)
def test_a_declaration_without_sense_is_refused_in_a_sentence(
    tmp_path: Path, fields: dict[str, str], said: str
) -> None:
    page = Page(table_of("danish", tmp_path))
    sensible = {"player": "Anna", "trumps": "12"}
    assert refused(page, "/declarations", sensible | fields) == said


OF_ROUNDS: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("american", "/american/game", {"game": "", "player": "Anna"}, 400, "Choose a contract."),
    ("american", "/american/game", {"game": "two", "player": "Zoë"}, 400, NOBODY.format("Zoë")),
    ("american", "/american/call", {"call": "nobody"}, 409, STALE),
    ("american", "/american/announce", {"what": "trula Zoë"}, 409, STALE),
    (
        "american",
        "/american/talon",
        {"cards": "S7", "card": "S7"},
        400,
        "The 7 of spades has already been seen.",
    ),
    ("american", "/american/adjust", {"sign": "plus", "points": "5", "reason": "x"}, 400, "Choose a player."),
    ("american", "/american/adjust", {"player": "Anna", "sign": "plus", "points": "5"}, 400, "Say why."),
    ("french", "/french/contract", {"contract": "", "player": "Anna"}, 400, "Choose a contract."),
    ("french", "/french/call", {"card": "HR"}, 409, STALE),
    ("french", "/french/handful", {"player": "Anna"}, 400, "Tick the cards that were shown."),
    ("french", "/french/handful", {"player": "Zoë", "card": "T5"}, 400, NOBODY.format("Zoë")),
    ("1659", "/tarot1659/fool", {"card": "S7"}, 409, "Nobody owes a card for the fool."),
    ("danish", "/skat", {"card": ["S7", "S7", "S8"]}, 400, "The skat is exactly three different cards."),
    ("danish", "/adjust", {"target": "Bo", "amount": "5"}, 400, "Choose who gives and who gets."),
    (
        *("danish", "/adjust", {"source": "Bo", "target": "Bo", "amount": "5", "reason": "x"}, 400),
        "Choose who gives and who gets.",
    ),
    ("danish", "/adjust", {"source": "Bo", "target": "Anna", "amount": "5"}, 400, "Say why."),
    ("danish", "/join", {"after": "Anna"}, 400, "Type a name."),
]


@pytest.mark.parametrize(("game", "action", "fields", "status", "said"), OF_ROUNDS)
def test_what_only_one_game_asks_for_is_refused_in_a_sentence(
    tmp_path: Path, game: str, action: str, fields: dict[str, Any], status: int, said: str
) -> None:
    assert refused(Page(table_of(game, tmp_path)), action, fields, status) == said


def test_points_that_cannot_be_are_told_with_whose_they_are(tmp_path: Path) -> None:
    table = table_of("danish", tmp_path)
    table.enter(HandAbandoned(), HandStarted("Bo"))
    page = Page(table)
    page.post("/by-result", **page.filled_in("/more", "/by-result"))
    kings = {f"kings_{place}": "0" for place in range(3)}
    said = refused(page, "/result", kings | {"hand": "2", "points_0": "26", "points_1": "99"})
    assert said == f"Bo: {UNFIT.format('99', '0 to 78')}"
