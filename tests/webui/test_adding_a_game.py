"""A game that is added from nothing, as docs/adding-a-game.md says: an evening of it by command, page and phone."""

import json
import random
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sixteen.game import PACK, SIXTEEN
from sixteen.page import SixteenPage
from webui_page import Page

from tracker.games import ALL_RULE_SETS, GAMES
from webui.cli import main
from webui.games.pages import PAGES
from webui.people.roles import Role
from webui.table.live import LiveTable

ANNA, BO, CARL = SEATS = ("Anna", "Bo", "Carl")
Played = list[tuple[str, str]]


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the game's lines in `tracker/games.py` and `webui/games/pages.py` say."""
    monkeypatch.setitem(GAMES, SIXTEEN.name, SIXTEEN)
    for name, rules in SIXTEEN.session.rule_sets.items():
        monkeypatch.setitem(ALL_RULE_SETS, name, rules)
    monkeypatch.setitem(PAGES, SIXTEEN.name, SixteenPage())


def hand_of(seed: int, dealer: str, revoking: str = "") -> Played:
    """A hand dealt by chance and played by the rules; `revoking` once does not follow suit though he could."""
    cards = list(PACK.cards)
    random.Random(seed).shuffle(cards)
    place = SEATS.index(dealer) + 1
    order = [*SEATS[place:], *SEATS[:place]]
    held = {name: cards[number::3] for number, name in enumerate(order)}
    plays: Played = []
    for _ in range(16):
        led = ""
        trick = {}
        for name in order:
            follows = [card for card in held[name] if card[0] == led]
            others = [card for card in held[name] if card[0] != led]
            if follows and others and name == revoking:
                follows, revoking = [], ""
            trick[name] = (follows or others)[0]
            held[name].remove(trick[name])
            led = led or trick[name][0]
        plays += trick.items()
        best = max((card for card in trick.values() if card[0] == led), key=PACK.index.__getitem__)
        winner = next(name for name, card in trick.items() if card == best)
        order = order[order.index(winner) :] + order[: order.index(winner)]
    return plays


def session_file(folder: Path, *hands: Played) -> str:
    """A session file with these hands; its path."""
    events = [{"events": [{"play": player, "card": card} for player, card in hand]} for hand in hands]
    evening = {"format": "tarok-session/1", "rules": "sixteen", "seats": SEATS, "hands": events}
    path = folder / "evening.json"
    path.write_text(json.dumps(evening), encoding="utf-8")
    return str(path)


# ---- the command line ----


def test_an_evening_is_audited_as_data_and_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = session_file(tmp_path, hand_of(1, ANNA), hand_of(2, BO))
    assert main(["audit", path]) == 0
    audit = json.loads(capsys.readouterr().out)
    balances = dict.fromkeys(SEATS, 0)
    for hand in audit["hands"]:
        assert hand["complete"] and hand["violations"] == []
        for player, tricks in hand["tricks_won"].items():
            balances[player] += 3 * tricks - 16
    assert audit["balances"] == balances and any(balances.values())
    assert main(["audit", path, "--format", "text", "--language", "da"]) == 0
    said = capsys.readouterr().out
    assert "Sixteen" in said and "pays" in said and "Trick" in said and "Stik" not in said


def test_a_revoke_is_found_and_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", session_file(tmp_path, hand_of(1, ANNA, revoking=CARL))]) == 0
    (hand,) = json.loads(capsys.readouterr().out)["hands"]
    (found,) = hand["violations"]
    assert (found["rule"], found["player"], found["status"]) == ("SIX-FOLLOW", CARL, "shown")


def test_its_rules_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0 and "sixteen" in capsys.readouterr().out
    assert main(["rules", "sixteen"]) == 0 and "invented as an example" in capsys.readouterr().out


# ---- the page ----


@pytest.fixture
def page(empty: LiveTable) -> Page:
    """The host's page of an evening that he opened there."""
    page = Page(empty)
    assert "Sixteen" in page.text("/setup/game?game=sixteen")
    seats = {"seat_S": ANNA, "seat_E": BO, "seat_W": CARL, "dealer": "S"}
    assert page.post("/evening", game="sixteen", rules="sixteen", **seats)[0] == 200
    return page


def play(page: Page, plays: Played) -> None:
    for player, card in plays:
        assert page.post("/plays", player=player, card=card)[0] == 200


def walk(client: FlaskClient) -> set[str]:
    """The addresses that the pages lead to, from the table on, one of each kind; each of them answers."""
    kinds: set[str] = set()
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if (kind := re.sub(r"\d+", "1", path.partition("?")[0])) in kinds:
            continue
        kinds.add(kind)
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        if answer.mimetype == "text/html":
            found = re.findall(r'<a [^>]*href="(/[^"#]*)', answer.get_data(as_text=True))
            waiting += [href.replace("&amp;", "&") for href in found if not href.startswith("/language")]
    return kinds


def test_a_hand_is_entered_put_right_undone_and_scored(page: Page, empty: LiveTable) -> None:
    assert page.post("/hands", dealer=CARL)[0] == 200 and empty.session is not None
    plays = hand_of(1, CARL)
    wrong = next(card for card in PACK.cards if card not in dict(plays[:4]).values() and card != plays[3][1])
    play(page, [*plays[:3], (plays[3][0], wrong)])
    last = empty.session.hand.plays[-1]
    assert page.post(f"/plays/{last.seq}/correct", card=plays[3][1])[0] == 200
    assert page.post("/undo", **page.filled_in("/undo", "/undo"))[0] == 200
    assert empty.session.hand.plays[-1].card == wrong
    assert page.post(f"/plays/{last.seq}/correct", card=plays[3][1])[0] == 200
    play(page, plays[4:])
    won = empty.session.hand.tricks_won
    assert empty.session.balances == {name: 3 * won[name] - 16 for name in SEATS}
    said = page.text("/")
    assert "Hand 1 is over" in said and f"{max(won.values())} tricks" in said
    assert '<html lang="en">' in page.html("/")  # it speaks no Danish yet


def test_every_page_and_dialog_answers_at_every_point_of_an_evening(page: Page, empty: LiveTable) -> None:
    seen = walk(page.client)
    assert page.post("/hands", dealer=CARL)[0] == 200
    seen |= walk(page.client)
    plays = hand_of(1, CARL, revoking=ANNA)
    play(page, plays[:20])
    seen |= walk(page.client)
    play(page, plays[20:])
    assert "Revoke: Anna played" in page.text("/hands/1") and "No fine" not in page.text("/hands/1")
    seen |= walk(page.client)
    assert page.post("/settle", **page.filled_in("/settle", "/settle"))[0] == 200
    seen |= walk(page.client)
    assert empty.session.closed
    assert {"/play", "/ledger", "/history", "/history/1/hands/1", "/audit", "/session.json"} <= seen
    assert not {path for path in seen if re.search("fine|review|drill|adjust|/training", path)}


def test_the_picker_has_the_cards_of_the_pack_alone(page: Page) -> None:
    page.post("/hands", dealer=CARL)
    dialog = page.html("/play")
    assert sorted(re.findall(r'name="card" value="(\w+)"', dialog)) == sorted(PACK.cards)
    assert re.findall(r'class="panel panel-(\w)', dialog) == list("SHDC")
    said = page.text("/play").lower()
    assert "t12" not in dialog and "trump" not in said and "fool" not in said
    assert page.post("/plays", card="T21")[0] == 400
    assert page.post("/adjust", source=ANNA, target=BO)[0] >= 400


def test_what_was_played_goes_out_as_a_file_and_comes_back(page: Page, tmp_path: Path) -> None:
    page.post("/hands", dealer=CARL)
    play(page, hand_of(1, CARL))
    path = tmp_path / "exported.json"
    path.write_text(page.html("/session.json"), encoding="utf-8")
    assert main(["audit", str(path)]) == 0


def test_a_players_phone_enters_his_card_and_sees_no_more_than_others(page: Page, empty: LiveTable) -> None:
    page.post("/hands", dealer=CARL)
    phone = Page(empty, Role.PLAYER, BO, page.app)
    plays = hand_of(1, CARL)
    play(phone, plays[:4])
    assert len(empty.session.hand.plays) == 4
    seen = walk(phone.client)
    assert "/play" in seen and "/settle" not in seen
