"""What people enter on the page: every form, and every way it can be malformed or forged."""

import re

import pytest
from webui_deals import SIDES, hand
from webui_page import Page

from tracker.danish.combination import Combination
from tracker.danish.events import Fined
from tracker.danish.words import WORDS
from tracker.events import CardPlayed, HandStarted, SessionOpened
from tracker.store import EventStore
from webui.people.roles import Role


def stored(table):
    return len(EventStore(table.path).events())


MALFORMED = {
    "no hand yet": ("/plays", {"player": "Bo", "card": "S7"}, 422),
    "nobody to play it": ("/plays", {"card": "S7"}, 409),
    "nobody of that name": ("/plays", {"player": "Dora", "card": "S7"}, 400),
    "no such card": ("/plays", {"player": "Bo", "card": "S11"}, 400),
    "no such suit": ("/plays", {"player": "Bo", "card": "F", "named": "X"}, 400),
    "a correction of no play": ("/plays/1/correct", {"card": "S7"}, 404),
    "a removal of no play": ("/plays/77/remove", {}, 404),
    "a question never asked": ("/questions/1", {"card": "S7"}, 404),
    "an alert never given": ("/alerts/9", {}, 409),
    "a number too many": ("/take-back", {"count": "9" * 400}, 400),
    "a number in words": ("/take-back", {"count": "one"}, 400),
    "a number of another script": ("/take-back", {"count": "٣"}, 400),
    "two cards of skat": ("/skat", {"card": ["S7", "S8"]}, 400),
    "a redeal for fun": ("/redeal", {"reason": "fun"}, 400),
    "a name taken": ("/join", {"player": "Bo", "after": "Carl"}, 400),
    "a name taken in other letters": ("/join", {"player": "BO", "after": "Carl"}, 400),
    "a pot's name": ("/join", {"player": "king", "after": "Carl"}, 400),
    "a name that no page can have": ("/join", {"player": "Eva/Ida", "after": "Carl"}, 400),
    "a seat beside nobody": ("/join", {"player": "Eva", "after": "Zoe"}, 400),
    "a stranger who leaves": ("/leave", {"player": "Zoe"}, 400),
    "chips of a stranger": ("/adjust", {"source": "Zoe", "target": "Bo", "amount": "5", "reason": "so"}, 400),
    "chips below nothing": (
        "/adjust",
        {"source": "Bo", "target": "king", "amount": "-5", "reason": "a"},
        400,
    ),
    "an undo of nothing": ("/undo", {"seq": "5"}, 409),
    "an evening on top": (
        "/evening",
        {"seat_S": "A", "seat_E": "B", "seat_W": "C", "rules": "dtf-2011"},
        409,
    ),
    "a card in two lines": ("/plays", {"player": "Bo", "card": "S7\nS8"}, 400),
    "a card without end": ("/plays", {"player": "Bo", "card": "S" * 50_000}, 400),
}


def test_a_malformed_entry_gets_one_sentence_and_changes_nothing(page, table):
    for case, (path, fields, status) in MALFORMED.items():
        answered, sentence = page.post(path, **fields)
        assert (answered, stored(table)) == (status, 1), case
        assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 120, case


REFUSED = {
    "/plays player=Dora card=S8": "Det kan ikke passe: Dora er oversidder i dette spil.",
    "/plays player=Bo card=S8":
        "Bo har allerede et kort i stik 1; er spar 8 det rigtige kort, eller mangler der et?",
    "/plays player=Carl card=S7": "Spar 7 er allerede spillet; er det det rigtige kort?",
    "/fool/call player=Bo": "Det kan ikke passe: Bo kan kun forlange skusen i stik 23.",
    "/fool/name player=Bo suit=S":
        "Det kan ikke passe: Bo kan ikke døbe skusen: den er ikke spillet ud i dette stik.",
    "/tout player=Bo": "Det kan ikke passe: Bo kan ikke melde tout: det kan kun kortgiveren, Anna.",
    "/take-back count=3": "Det kan ikke passe: 3 kort kan ikke tages tilbage: der er kun spillet 1.",
    "/join player=Erik after=Bo": "Det kan ikke passe: Erik kan ikke komme til eller gå midt i et spil.",
    "/leave player=Bo": "Det kan ikke passe: Bo kan ikke komme til eller gå midt i et spil.",
    "/adjust source=king target=Bo amount=90 reason=væltet":
        "Koppen har ikke så mange jetoner, som der tages af den; er beløbet rigtigt?",
    "/adjust source=Carl target=Bo amount=7 reason=væltet":
        "Det kan ikke passe: en regulering skal kunne deles med 5, og det kan 7 ikke.",
    "/redeal reason=misdeal":
        "Det kan ikke passe: der kan ikke gives om, når det første kort er spillet.",
}  # fmt: skip
"""What is sent, and what is said of it."""


def test_what_the_game_refuses_is_said_in_danish(empty):
    page = Page(empty)
    five = {f"seat_{side}": name for side, name in zip("SENWX", "ABCDE", strict=True)} | {"side_X": "S"}
    said = "Det kan ikke ske nu: J. B. Christiansen 2024 (pagat.com) er for 3 til 4 spillere, ikke 5."
    assert page.post("/evening", **five, rules="pagat-2024") == (422, said)
    empty.open_evening(SessionOpened("pagat-2024", (), ("Anna", "Bo", "Dora", "Carl")), SIDES | {"Dora": "N"})
    empty.enter(HandStarted("Anna"), CardPlayed("Bo", "S7"))
    for case, sentence in REFUSED.items():
        path, *fields = case.split()
        assert page.post(path, **dict(one.split("=") for one in fields)) == (422, sentence), case
    unexplained = {"source": "Carl", "target": "Bo", "amount": "5", "reason": " "}
    assert page.post("/adjust", **unexplained) == (400, "Skriv hvorfor.")
    assert stored(empty) == 3


def test_an_entry_without_the_pages_token_is_refused(page, table):
    page.token = "guessed"
    status, sentence = page.post("/hands", dealer="Anna")
    assert (status, stored(table)) == (403, 1)
    assert "Genindlæs" in sentence


ELSEWHERE = ("http://evil.example", "null", "", "http://[", "http://]", "http://localhost:99999999", "\udcff")
ANOTHER_PROGRAMS = ("https://localhost", "http://localhost:81", "http://localhost.:80")


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, *({"Origin": origin} for origin in (*ELSEWHERE, *ANOTHER_PROGRAMS))],
    ids=lambda headers: next(iter(headers.values())).encode("ascii", "replace").decode() or "no origin",
)
def test_an_entry_from_another_site_is_refused_in_words(page, table, headers):
    data = {"token": page.token, "dealer": "Anna"}
    answer = page.client.post("/hands", data=data, headers={"Accept": "application/json", **headers})
    assert (answer.status_code, stored(table)) == (403, 1)
    assert "hjemmeside" in answer.get_json()["message"]


def test_an_entry_too_large_is_refused(page, table):
    status, sentence = page.post("/fines", player="Bo", category="minor", reason="x" * 100_000)
    assert (status, stored(table)) == (413, 1)
    assert sentence


def test_unknown_pages_and_methods_say_so(page):
    for path in ("/nowhere", "/plays/3", "/players/Dora", "/cards/..%2fnotes.png"):
        assert page.client.get(path).status_code == 404, path
    assert page.client.get("/plays").status_code == 405
    assert "There is no such page." in page.text("/nowhere")


def test_without_script_an_entry_leads_back_to_the_table(page):
    answer = page.client.post("/hands", data={"token": page.token, "dealer": "Anna"})
    assert (answer.status_code, answer.location) == (303, "/")


def test_declarations_are_entered_and_paid(page, table):
    page.post("/hands", dealer="Anna")
    fields = {"trumps": "11", "pagat": "1", "matadors": "3", "cavallerie_H": "half-C", "kings": "abundant"}
    assert page.post("/declarations", player="Anna", **fields)[0] == 200
    assert table.session.hand.declared["Anna"] == (
        Combination("trumps", count=11, pagat=True),
        Combination("matadors", count=3),
        Combination("cavallerie", suit="H", grade="half", missing="C"),
        Combination("kings", grade="abundant"),
    )
    assert page.post("/declarations", player="Bo", **{"pass": 1})[0] == 200
    assert table.session.hand.declared["Bo"] == ()
    assert "11 tarokker med pagaten" in page.text("/", "da")


def test_a_players_phone_declares_for_himself_and_tells_who_has_declared(table):
    """Anna, who deals, is due; Bo's phone speaks for Bo, the host's for who is due."""
    table.enter(HandStarted("Anna"))
    bo, host = Page(table, Role.PLAYER, "Bo"), Page(table)
    assert bo.filled_in("/declare", "/declarations")["player"] == "Bo"
    assert host.filled_in("/declare", "/declarations")["player"] == "Anna"
    assert bo.filled_in("/declare?player=Carl", "/declarations")["player"] == "Carl"
    assert "Anna: not yet · Bo: not yet · Carl: not yet" in bo.text("/declare")
    assert bo.post("/declarations", player="Bo", **{"pass": 1})[0] == 200
    host.post("/declarations", player="Anna", trumps="11")
    assert "Anna: 11 trumps without the pagat · Bo: pass · Carl: not yet" in bo.text("/declare")


def test_a_hand_can_be_entered_without_a_camera(page, table):
    for event in hand(5):
        if isinstance(event, CardPlayed):
            assert page.post("/plays", player=event.player, card=event.card)[0] == 200
        else:
            assert page.post("/hands", dealer=event.dealer)[0] == 200
    assert table.session.hand.complete
    assert page.post("/settle")[0] == 200
    assert table.session.pots == {"king": 0, "pagat": 0}


def test_the_table_can_put_right_a_card_a_player_and_a_missed_play(playing):
    page = Page(playing)
    plays = list(playing.session.hand.plays)
    unseen = next(f"S{rank}" for rank in range(1, 6) if f"S{rank}" not in {play.card for play in plays})
    assert page.post(f"/plays/{plays[-1].seq}/correct", card=unseen)[0] == 200
    assert playing.session.hand.plays[-1].card == unseen
    assert page.post(f"/plays/{plays[-1].seq}/remove")[0] == 200
    assert len(playing.session.hand.plays) == len(plays) - 1
    assert page.post("/plays", player=plays[-1].player, card=plays[-1].card)[0] == 200
    assert [play.card for play in playing.session.hand.plays] == [play.card for play in plays]
    last = playing.session.hand.plays[-1].seq
    assert page.post(f"/plays/{last}/remove")[0] == 200
    before = playing.session.hand.plays[-1].seq
    assert page.post(f"/plays/{before}/remove")[0] == 200
    assert page.post("/plays", player=plays[-1].player, card=plays[-1].card)[0] == 200
    newest = playing.session.hand.plays[-1].seq
    missed = {"player": plays[-2].player, "card": plays[-2].card, "before_seq": newest}
    assert page.post("/plays", **missed)[0] == 200
    assert [play.card for play in playing.session.hand.plays] == [play.card for play in plays]


def test_a_revoke_is_flagged_with_proof_and_only_a_confirmed_fine_is_paid(playing):
    page = Page(playing)
    (finding,) = playing.session.hand.findings
    assert finding.kind == "revoke"
    words = page.text("/")
    assert WORDS.finding_text(finding) in words and WORDS.finding_text(finding, "da") in page.text("/", "da")
    before = dict(playing.session.balances)
    dialog = page.html("/fine?finding=1-0")
    assert re.search(rf'value="{finding.player}" checked', dialog)
    assert re.search(r'value="irrecoverable" checked', dialog)
    assert playing.session.balances == before
    assert page.post("/fines", player=finding.player, category="irrecoverable", reason="revoke")[0] == 200
    assert playing.session.balances[finding.player] == before[finding.player] - 80
    assert "The fine is given." in page.text("/")


def test_before_the_evening_is_settled_the_dialog_says_what_is_still_open(playing):
    page = Page(playing)
    playing.enter(CardPlayed(playing.session.hand.to_play, "F", alternatives=("C1",)))
    dialog = page.text("/settle")
    assert "The hand in progress is not finished" in dialog
    assert "Questions not answered: 1. Flags that are not settled: hand 1" in dialog
    page.post(f"/questions/{playing.session.hand.plays[-1].seq}", card="F")
    page.post("/fines", **page.filled_in("/fine?finding=1-0", "/fines"))
    page.post("/abandon")
    dialog = page.text("/settle")
    assert "not finished" not in dialog and "not answered" not in dialog and "not settled" not in dialog


def test_undo_takes_back_the_newest_entry_and_only_it(page, table):
    page.post("/hands", dealer="Anna")
    page.post("/declarations", player="Anna", trumps="10")
    page.post("/fines", player="Bo", category="minor")
    newest = table.recorded[-1]
    assert isinstance(newest.event, Fined)
    assert page.post("/undo", seq=newest.seq - 1)[0] == 409
    assert page.post("/undo", seq=newest.seq)[0] == 200
    assert page.post("/undo", seq=newest.seq)[0] == 409
    assert table.session.balances["Bo"] == -40 - 10
    assert page.post("/undo", seq=newest.seq - 1)[0] == 200
    assert table.session.hand.declared["Anna"] is None


def test_a_question_is_answered_once(page, table):
    page.post("/hands", dealer="Anna")
    table.enter(CardPlayed("Bo", "H6", alternatives=("H9",), time_s=1.0))
    seq = table.session.hand.plays[0].seq
    assert page.post(f"/questions/{seq}", card="H9")[0] == 200
    assert page.post(f"/questions/{seq}", card="H6")[0] == 409
    assert table.session.hand.plays[0].card == "H9"


def test_an_evening_is_opened_on_the_page_by_seats(empty):
    page = Page(empty)
    assert page.post("/plays", player="Bo", card="S7")[0] == 409
    names = {f"seat_{side}": name for name, side in SIDES.items()}
    assert page.post("/evening", **names, rules="pagat-2024", dealer="E", count="1")[0] == 200
    assert empty.session.seats == ("Bo", "Carl", "Anna")
    assert empty.session.next_dealer == "Bo"
    assert empty.sides == SIDES
    assert "Anna" in page.text("/")


@pytest.mark.parametrize(
    "names",
    ["A B", "A A C", "Åse B C åse", f"A B {'x' * 25}", "A B pagat"],
    ids=["two players", "one name twice", "small and capital", "a name too long", "a pot's name"],
)
def test_seats_that_cannot_be_open_nothing(empty, names):
    fields = {f"seat_{side}": name for side, name in zip("SEWN", names.split(), strict=False)}
    assert Page(empty).post("/evening", **fields, rules="dtf-2011")[0] == 400
    assert empty.session is None
