"""Fair play (ETI-1): while a hand is played nobody is sent pots, balances, trick counts or earlier tricks."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from webui_camera import sees_card
from webui_deals import AT_FOUR, hand
from webui_hidden import PEOPLE, at_four, hidden_cards, leaks, pages, routes
from webui_page import Page
from webui_table import FOUR, open_table, restarted

from tracker.cards import CARDS
from tracker.danish.words import WORDS
from tracker.events import CardPlayed, EventRetracted, HandAbandoned, HandStarted
from webui.app import create_app
from webui.app_parts import app_parts
from webui.pages.table import News
from webui.people.roles import NEEDED_ROLE, Role
from webui.table.live import LiveTable

AWAY = Role.UNINVITED


UNASKED = {"static", "source.archive", "source.licence_text", "camera.card", "host.backup"}
"""Files that say nothing of the evening, a picture, and the host's own backup."""


@pytest.mark.slow
def test_no_route_sends_to_anybody_what_is_hidden(played: LiveTable) -> None:
    """The raw bytes of each GET, in both languages, to each role; and of every picture of an earlier play."""
    app = create_app(played)
    seqs = hidden_cards(played).values()
    addresses = {(endpoint, path) for method, endpoint, path in routes(app) if method == "GET"}
    assert {endpoint for endpoint, _ in addresses} >= UNASKED
    addresses |= {("dialogs.player", f"/players/{name}") for name in FOUR} | {("dialogs.hand", "/hands/2")}
    addresses |= {("dialogs.trick", f"/hands/2/tricks/{n}") for n in range(1, 8)}
    addresses |= {("x", f"/plays/{seq}{end}") for seq in seqs for end in ("", "/insert")}
    asked = 0
    for role, page in pages(played, app).items():
        for endpoint, path in sorted(addresses):
            if endpoint in UNASKED:
                continue
            for lang in ("en", "da"):
                answer = page.client.get(path, query_string={"lang": lang})
                said = answer.get_data().decode(errors="replace").replace(path, "")  # but what was asked
                assert leaks(played, said) == [], (role, path, lang)
                asked += 1
        for seq in seqs:
            assert page.client.get(f"/evidence/{seq}.jpg").status_code == 403
    assert asked > 400


def test_the_stream_sends_nobody_what_is_hidden_as_the_hand_goes_on(played: LiveTable) -> None:
    app = create_app(played)
    phones = app_parts(app).phones
    listening = [
        News(app, played, lang, None, phones.join(Role.PLAYER if role is Role.ARBITER else role, seat))
        for role, seat in PEOPLE.items() for lang in ("en", "da")
    ]  # fmt: skip
    for event in [None, *hand(3, revoke_in_trick=4)[20:26]]:
        if event is not None:
            played.enter(at_four(event))
        for news in listening:
            said = news.message()
            regions = json.loads(said.split("data: ")[1])["regions"]
            assert leaks(played, "".join(regions.values())) == []


def test_answers_to_entries_do_not_tell_where_a_card_was_played(played: LiveTable) -> None:
    page = Page(played, Role.PLAYER, "Bo")
    card, seq = next(iter(hidden_cards(played).items()))
    for path, fields in (
        (f"/plays/{seq}/correct", {"player": "Bo"}),
        ("/ask", {"trick": 1, "player": "Bo", "card": "S2"}),
    ):
        _, said = page.post(path, **fields)
        assert not re.search(rf"(?<!\w){re.escape(WORDS.card_label(card, 'da'))}(?!\w)", said)


def test_a_card_that_was_played_before_is_booked_and_asked_about_and_not_refused(played: LiveTable) -> None:
    """A refusal would tell Bo alone, unseen by all, that the card lies in an earlier trick."""
    bo, wall = Page(played, Role.PLAYER, "Bo"), Page(played, Role.WALL)
    turn = played.session.hand.to_play
    card, other = list(hidden_cards(played))[:2]
    assert bo.post("/plays", player=turn, card=card)[0] == 200
    assert played.session.hand.to_play == turn and played.recorded[-1].by == "Bo"
    label = WORDS.card_label(card, "en")
    assert f"{label[0].upper()}{label[1:]} was played before; is the card right?" in wall.text("/")
    assert bo.post(f"/alerts/{played.recorded[-1].seq}")[0] == 200
    assert "was played before" not in wall.text("/")
    who = played.session.hand.trick.plays[0].player
    for tried in (card, other, "T21"):  # who has a card in the trick has one, whatever else
        status, said = bo.post("/plays", player=who, card=tried)
        assert status == 422 and "Bo har allerede et kort i stik 7" in said


def test_an_impossible_card_from_two_phones_is_asked_about_once(played: LiveTable) -> None:
    phones = [Page(played, Role.PLAYER, name) for name in ("Bo", "Carl")]
    turn, card = played.session.hand.to_play, next(iter(hidden_cards(played)))
    seen = phones[0].filled_in("/play", "/plays")["seen"]
    for phone in phones:
        assert phone.post("/plays", player=turn, card=card, seen=seen)[0] == 200
    (alert,) = played.session.alerts
    assert phones[1].post(f"/alerts/{alert.seq}")[0] == 200
    assert phones[0].post("/plays", player=turn, card=card)[0] == 200
    assert len(played.session.alerts) == 1, "said anew after it was settled, it is asked anew"


def test_who_is_often_refused_is_told_to_the_host_and_to_nobody_else(played: LiveTable) -> None:
    app = create_app(played)
    people = pages(played, app)
    who = played.session.hand.trick.plays[0].player
    for number in range(5):
        assert "were refused in this hand" not in people[Role.HOST].text("/"), number
        assert people[Role.PLAYER].post("/plays", player=who, card="S7")[0] == 422
    assert "5 entries by Bo were refused in this hand" in people[Role.HOST].text("/")
    for role in (Role.WALL, Role.PLAYER, Role.ARBITER):
        assert "were refused in this hand" not in people[role].text("/")
    played.enter(HandAbandoned(), HandStarted("Bo"))
    assert "were refused in this hand" not in people[Role.HOST].text("/")


def test_the_same_is_shown_to_everybody_when_the_hand_is_over(played: LiveTable) -> None:
    played.enter(HandAbandoned())
    page = Page(played, Role.WALL)
    said = page.html("/")
    assert {number for number in (str(value) for value in played.session.pots.values()) if number in said}
    assert all(f"/cards/{card}.png" in said for card in hidden_cards(played))
    assert page.client.get("/audit").status_code == 200


def test_one_switch_of_the_host_shows_everything_and_it_is_on_for_a_new_table(played: LiveTable) -> None:
    page = Page(played)
    assert played.choices.fair_play and page.client.get("/session.json").status_code == 409
    assert page.post("/host/choices/fair_play", on="no")[0] == 200
    said = page.html("/")
    assert all(str(value) in said for value in played.session.pots.values())
    assert json.loads(page.client.get("/audit.json").data)["pots"] == played.session.pots
    assert not restarted(played).choices.fair_play


def test_balances_are_those_from_before_the_hand_and_payments_are_told(played: LiveTable) -> None:
    page = Page(played, Role.PLAYER, "Bo")
    assert "7035" in page.text("/ledger")  # Anna's adjustment, before the hand
    assert "9155" in page.text("/") and "while it is played" in page.text("/")  # told as it happened
    account = page.text("/players/Carl")
    assert str(played.session.balances["Carl"]).replace("-", "−") not in account and "9155" in account


def test_a_certain_breach_is_told_with_its_proof_and_a_doubtful_one_waits(played: LiveTable) -> None:
    page = Page(played, Role.PLAYER, "Dora")
    (finding,) = played.session.hand.findings
    said = page.html("/")
    assert "Revoke" in said or "revoke" in said
    for card in (finding.card, *finding.evidence):
        assert f"/cards/{card}.png" in said
    proof = next(play.seq for play in played.session.hand.plays if play.card == finding.card)
    assert page.client.get(f"/evidence/{proof}.jpg").status_code == 200


def test_what_rests_on_a_doubtful_card_is_not_told_while_the_question_with_its_card_is(
    tmp_path: Path,
) -> None:
    table = open_table(tmp_path, AT_FOUR, HandStarted("Anna"))
    for number, event in enumerate(hand(3, revoke_in_trick=4)[1:20]):
        play = at_four(event)
        assert isinstance(play, CardPlayed)
        sees_card(table, replace(play, alternatives=("T9",)) if number == 0 else play)
    page = Page(table, Role.PLAYER, "Bo")
    said = page.html("/")
    doubtful = table.session.hand.plays[0]
    assert table.session.hand.findings and "Unsettled" not in said and "evoke" not in said
    assert f"question-{doubtful.seq}" in said and f"/cards/{doubtful.card}.png" in said
    assert page.client.get(f"/evidence/{doubtful.seq}.jpg").status_code == 200
    assert page.post(f"/questions/{doubtful.seq}", card=doubtful.card)[0] == 200
    assert "evoke" in page.text("/") and page.client.get(f"/evidence/{doubtful.seq}.jpg").status_code == 403


@pytest.mark.parametrize("role", [Role.ARBITER, Role.HOST])
def test_the_arbiter_and_the_host_open_a_trick_and_every_screen_says_so(
    played: LiveTable, role: Role
) -> None:
    app = create_app(played)
    people = pages(played, app)
    opener = people[role]
    play = played.session.hand.tricks[1].plays[0]
    assert "Open the trick" in opener.text(f"/plays/{play.seq}")
    assert people[Role.PLAYER].post("/hands/2/tricks/2/open")[0] == 403
    opened = opener.client.post("/hands/2/tricks/2/open", data={"token": opener.token})
    assert opened.status_code == 303 and opened.headers["Location"] == "/hands/2/tricks/2"
    shown = opener.client.get("/hands/2/tricks/2").get_data(as_text=True)
    assert f"/cards/{play.card}.png" in shown
    assert opener.client.get(f"/plays/{play.seq}").status_code == 200
    who = {Role.ARBITER: "Carl", Role.HOST: "the host"}[role]
    for page in people.values():
        assert f"Trick 2 was opened by {who}" in page.text("/")
    assert people[Role.PLAYER].client.get("/hands/2/tricks/2").status_code == 403
    assert leaks(played, people[Role.PLAYER].client.get("/").get_data(as_text=True)) == []
    assert restarted(played).desk.openings == played.desk.openings
    played.enter(HandAbandoned())
    assert "was opened by" not in people[Role.WALL].text("/")


def test_a_backup_in_the_middle_of_a_hand_is_whole_and_every_screen_says_so(played: LiveTable) -> None:
    app = create_app(played)
    people = pages(played, app)
    assert people[Role.HOST].client.get("/host/backup.zip").status_code == 200
    assert "A backup was taken in the middle of the hand by the host." in people[Role.WALL].text("/")


def test_pots_and_trick_counts_are_asked_of_fair_play_alone() -> None:
    """No page and no view reads them past `webui.people.fair_play`."""
    root = Path(__file__).parents[2] / "webui"
    asked = {
        ast.unparse(node)
        for path in (*root.glob("view/*.py"), *root.glob("pages/*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("pots", "tricks_won", "ledger")
    }
    assert asked == {"sight.pots", "sight().pots", "sight.tricks_won", "dialogs.ledger"} & asked


def test_every_role_of_the_table_is_asked() -> None:
    assert set(PEOPLE) == set(Role) - {AWAY} and set(NEEDED_ROLE.values()) <= set(Role)
    assert len(CARDS) == 78


def test_an_opened_trick_whose_cards_were_all_taken_back_is_told_of_no_longer(played: LiveTable) -> None:
    page = Page(played)
    page.post("/hands/2/tricks/2/open")
    assert "Trick 2 was opened" in page.text("/")
    second = played.session.hand.tricks[1].plays
    gone = [one for one in played.recorded if one.seq >= second[1].seq]
    played.enter(*[EventRetracted(one.seq) for one in reversed(gone)])
    assert "Trick 2 was opened" in page.text("/")
    played.enter(EventRetracted(second[0].seq))
    assert "Trick 2 was opened" not in page.text("/") and played.desk.openings == ()
