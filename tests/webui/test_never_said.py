"""A hand whose contract, call or Talon nobody entered: it is asked for, waits without a score, and nothing is lost."""

import html
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from webui_page import Page, view_of
from webui_table import FOUR, NAMES, open_table, restarted

from tracker.american.events import BidMade as AmericanBid
from tracker.american.events import ContractNamed as AmericanContract
from tracker.events import CardPlayed, Event, HandAbandoned, HandStarted, SessionClosed, SessionOpened
from tracker.french.events import ContractNamed
from tracker.games import game_of_rules, read_session
from tracker.session_file import export
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french
from webui.pages.forms import entries_seen
from webui.people.roles import Role
from webui.table.history import import_file
from webui.table.live import LiveTable

JSON = {"Accept": "application/json"}


@dataclass(frozen=True)
class Case:
    """A second hand of an evening of which only `entered` was entered before its cards, and what is asked for then.

    `said` answers it: the dialog's form, and what is tapped there.
    """

    rules: str
    players: int
    entered: tuple[Event, ...]
    asked: str
    lacks: str
    told: dict[str, str]
    said: tuple[str, dict[str, str]]


FRENCH, FRENCH_OF_FIVE, AMERICAN = ("french-tarot", 4), ("french-tarot", 5), ("american-tarock", 4)
CONTRACT = "hand 2 lacks its contract, which must be known before a card is played"
CALL = "hand 2 lacks its call: a king must be called before a card is played"
TALON = "hand 2 lacks its Talon: a group must be taken before a card is played"
WHICH_CONTRACT = "Hand 2: Which contract is played, and by whom?"
WHICH_KING = "Hand 2: Which king is called?"
WAITS = "is missing: the hand is not scored before it is entered"
NO_CONTRACT = {
    "en": f"The contract {WAITS}",
    "da": "Kontrakten mangler: spillet tælles ikke, før den er skrevet ind",
    "fr": "Le contrat manque : la donne n’est pas marquée tant qu’il n’est pas saisi",
}
NO_CALL = {"en": f"The call {WAITS}", "fr": "L’appel manque : la donne n’est pas marquée tant qu’il n’est"}
NO_TALON = {"en": f"The Talon {WAITS}"}
BO_PLAYS = {"game": "solo_no_peek", "player": "Bo"}
CASES = [
    Case(
        *FRENCH, (), WHICH_CONTRACT, CONTRACT, NO_CONTRACT,
        ("/french/contract", {"contract": "garde", "player": "Bo"}),
    ),
    Case(
        *FRENCH_OF_FIVE, (ContractNamed("garde", "Bo"),), WHICH_KING, CALL, NO_CALL,
        ("/french/call", {"card": "HR"}),
    ),
    Case(
        *AMERICAN, (AmericanBid("Anna", "pass"),), WHICH_CONTRACT, CONTRACT, {"en": NO_CONTRACT["en"]},
        ("/american/game", BO_PLAYS),
    ),
    Case(
        *AMERICAN, (AmericanContract("two", "Bo"),), WHICH_KING, CALL, {"en": NO_CALL["en"]},
        ("/american/call", {"call": "H"}),
    ),
    Case(
        *AMERICAN, (AmericanContract("solo_two", "Bo"),), "Hand 2: Which six cards is the Talon?", TALON, NO_TALON,
        ("/american/game", {"game": "solo_three", "player": "Bo"}),
    ),
]  # fmt: skip
EACH = pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.rules}-{case.players}-{case.lacks[13:19]}"
)


def opened(case: Case) -> SessionOpened:
    return SessionOpened(case.rules, (), NAMES[: case.players])


def whole_hand(case: Case, seed: int) -> list[Event]:
    if case.rules == "french-tarot":
        return hand_of_french(random.Random(seed), opened(case), "garde")
    return hand_of_american(random.Random(seed), opened(case), "solo_no_peek")


def evening(case: Case) -> list[Event]:
    """Three hands; of the second the cards and what was `entered`."""
    played = [event for event in whole_hand(case, 2) if isinstance(event, HandStarted | CardPlayed)]
    return [*whole_hand(case, 1), played[0], *case.entered, *played[1:], *whole_hand(case, 3)]


TableOf = Callable[[Case], LiveTable]


@pytest.fixture
def table_of(tmp_path: Path) -> TableOf:
    """A table at which the evening of a case was played; everything is shown at any time."""
    return lambda case: open_table(tmp_path, opened(case), *evening(case), fair_play=False)


def read_back(table: LiveTable) -> dict[str, Any]:
    """The audit of the evening's file."""
    game, file = read_session(json.dumps(export(table.recorded, type(table.session))))
    read: dict[str, Any] = game.audit(file.session())
    return read


def words(page: Page, path: str, lang: str) -> str:
    return html.unescape(page.text(path, lang))


@EACH
def test_its_file_is_read_back_and_has_all_but_its_cards(table_of: TableOf, case: Case) -> None:
    table = table_of(case)
    live, read = game_of_rules(case.rules).audit(table.session), read_back(table)
    assert table.session.alerts == []
    assert read["balances"] == live["balances"]
    assert (read["hands"][0], read["hands"][2]) == (live["hands"][0], live["hands"][2])
    assert live["hands"][1]["tricks"] and not read["hands"][1]["tricks"] and not read["hands"][1]["scores"]
    same = ("dealer", "contract", "totals", "next")
    assert [read["hands"][1][key] for key in same] == [live["hands"][1][key] for key in same]


@EACH
def test_it_is_asked_for_from_its_end_on_and_at_the_end_of_the_evening(table_of: TableOf, case: Case) -> None:
    table = table_of(case)
    page = Page(table)
    assert page.text("/").count(case.asked) == page.text("/settle").count(case.asked) == 1
    assert case.asked not in page.text("/play"), "it does not stand in the way of the next hand's cards"
    assert page.post("/settle", **page.filled_in("/settle", "/settle"))[0] == 200
    assert table.session.closed and page.text("/").count(case.asked) == 1


@EACH
def test_page_history_audit_and_files_tell_what_it_lacks(
    table_of: TableOf, case: Case, tmp_path: Path
) -> None:
    table = table_of(case)
    page, number = Page(table), table.kept.all()[0].id
    for lang, told in case.told.items():
        assert told in words(page, "/audit", lang)
        assert told in words(page, "/hands/2", lang)
        assert told in words(page, f"/history/{number}/hands/2", lang)
    said = (
        f"{case.lacks[:1].upper()}{case.lacks[1:]}. The file of the evening has the hand without its cards."
    )
    assert said in page.text("/audit") and said in page.text(f"/history/{number}")
    for path in (f"/history/{number}/hands/2/replay", f"/history/{number}/hands/2/replay.html",
                 f"/history/{number}/replay.html", f"/history/{number}.csv", "/ledger", "/audit.json"):  # fmt: skip
        assert page.client.get(path).status_code == 200, path
    other = open_table(tmp_path, name="other")
    file = page.client.get(f"/history/{number}.json").get_data()
    assert import_file(other, file, date(2026, 3, 7)) == 1
    assert import_file(other, file, date(2026, 3, 7)) == 0
    assert Page(other).client.get(f"/history/{other.kept.all()[0].id}/hands/2").status_code == 200


@EACH
def test_entered_after_a_restart_and_the_end_it_is_scored_and_its_cards_are_in_the_file(
    table_of: TableOf, case: Case
) -> None:
    before = table_of(case)
    before.enter(SessionClosed())
    table = restarted(before)
    page = Page(table)
    (asked,) = view_of(table, "en").asked
    assert page.text(asked.href).count("Hand 2: ") == 2, "in title and heading"
    action, fields = case.said
    assert page.post(action, **{**page.filled_in(asked.href, action), **fields})[0] == 200
    for asked in view_of(table, "en").asked:
        assert asked.title == "Hand 2: Which six cards is the Talon?"
        enter_talon(page, table.session.hands[1])
    hand = table.session.hands[1]
    assert table.session.closed and hand.outcome is not None and view_of(table, "en").asked == []
    assert read_back(table) == game_of_rules(case.rules).audit(table.session)


def enter_talon(page: Page, hand: Any) -> None:
    """The six cards of the second hand that nobody played, one tap after the other, and the second group."""
    path = "/american/talon?hand=2"
    for card in hand.pack.names(hand.pack.all_cards & ~hand.gone):
        data = {**page.filled_in(path, "/american/talon"), "token": page.token, "card": card}
        path = page.client.post("/american/talon", data=data, headers=JSON).get_json()["dialog"]
    assert page.post("/american/take", **{**page.filled_in(path, "/american/take"), "group": "1"})[0] == 200


@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=["french", "american"])
def test_a_player_enters_what_an_earlier_hand_lacks_and_asks_for_anything_else(
    table_of: TableOf, case: Case
) -> None:
    table = table_of(case)
    (asked,), (action, fields) = view_of(table, "en").asked, case.said
    host = Page(table)
    phone = Page(table, Role.PLAYER, "Carl", app=host.app)
    first = table.session.hands[0]
    before = first.totals
    filled = {**phone.filled_in(asked.href, action), **fields}
    taker = first.declarer if case.rules == "american-tarock" else first.taker
    earlier = {"hand": "1", "seen": entries_seen(first), "player": taker}
    assert phone.post(action, **{**filled, **earlier})[1] == "Dommeren er bedt om at skrive det."
    assert table.session.hands[0].totals == before and len(table.desk.asks) == 1
    assert phone.post(action, **filled)[0] == 200
    assert table.session.hands[1].outcome is not None and len(table.desk.asks) == 1


@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=["french", "american"])
def test_a_hand_broken_off_without_its_contract_is_not_asked_about(table_of: TableOf, case: Case) -> None:
    table = table_of(case)
    started, *played = [one for one in whole_hand(case, 4) if isinstance(one, HandStarted | CardPlayed)]
    table.enter(started, *played[:6], HandAbandoned(), *whole_hand(case, 5)[:2])
    assert [asked.title for asked in view_of(table, "en").asked] == [case.asked], "only the one before"
    assert len(read_back(table)["hands"]) == 5
    said = Page(table).text("/audit")
    assert "Hand 4 lacks its contract, which must be known before a card is played." in said


@pytest.mark.parametrize(
    ("rules", "place"), [("french-tarot", "hands[1].events[0]"), ("american-tarock", "hands[1].events[0]")]
)
def test_a_file_with_such_a_hand_is_refused_with_what_which_hand_lacks(
    tmp_path: Path, refused: Callable[..., str], rules: str, place: str
) -> None:
    hands = [{"events": []}, {"events": [{"play": "Carl", "card": "S7"}]}]
    path = tmp_path / "evening.tarok"
    path.write_text(json.dumps({"format": "tarok-session/1", "rules": rules, "seats": FOUR, "hands": hands}))
    assert refused("audit", path) == f"tarok: {path}: {place}: {CONTRACT}"


@pytest.mark.parametrize("rules", ["dtf-2011", "tarot-1659", "american-tarock", "french-tarot"])
def test_a_hand_without_its_dealer_or_its_end_is_read_back_among_the_others(
    tmp_path: Path, rules: str
) -> None:
    """Nobody said who dealt the second hand, or the third, and the third had no end."""
    said: dict[str, Event] = {
        "american-tarock": AmericanContract("solo_no_peek", "Bo"),
        "french-tarot": ContractNamed("garde_sans", "Bo"),
    }
    table = open_table(tmp_path, SessionOpened(rules, (), FOUR))
    for number, cards in enumerate((("S7", "SD"), (), ("H4", "T5")), start=1):
        table.enter(HandStarted("Dora" if number == 1 else None))
        if cards and rules in said:
            table.enter(said[rules])
        for card in cards:
            player = table.session.hands[-1].to_play
            assert player is not None
            table.enter(CardPlayed(player, card))
        if number < 3:
            table.enter(HandAbandoned())
    table.enter(SessionClosed())
    live = game_of_rules(rules).audit(table.session)
    assert read_back(table) == live
    assert [hand["dealer"] for hand in live["hands"]] == ["Dora", "Anna", "Bo"]
    assert Page(table).client.get("/audit").status_code == 200
