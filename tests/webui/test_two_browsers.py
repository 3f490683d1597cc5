"""Two browsers, or a browser and the camera: what is entered from a dialog opened before the other is refused."""

import pytest
from webui_camera import sees
from webui_deals import hand
from webui_page import Page, view_of
from webui_states import STATES
from webui_table import open_table

from tracker.events import CardPlayed, HandStarted, PlayCorrected, PlaysTakenBack
from webui.people.roles import Role


@pytest.fixture
def other(table):
    """A second browser."""
    return Page(table)


# The dialog, the form in it and what is chosen; what happened before the dialogs are opened.
TWICE = {
    "a fine": ("/fine?player=Bo", "/fines", {"category": "minor"}, [HandStarted("Anna")]),
    "a hand": ("/start", "/hands", {}, []),
    "a declaration": ("/declare?player=Bo", "/declarations", {"pass": 1}, [HandStarted("Anna")]),
    "the fool's name": ("/fool", "/fool/name", {"suit": "S"}, [HandStarted("Carl"), CardPlayed("Anna", "F")]),
    "a call for the fool": ("/fool", "/fool/call", {"player": "Bo"}, hand(3)[:67]),
    "a misdeal": ("/more", "/redeal", {"reason": "misdeal"}, [HandStarted("Anna")]),
    "a play taken back": (
        "/more",
        "/take-back",
        {"count": 1},
        [HandStarted("Carl"), CardPlayed("Anna", "S7", time_s=1.0), CardPlayed("Bo", "S2", time_s=1.0)],
    ),
    "an abandoned hand": ("/abandon", "/abandon", {}, [HandStarted("Anna")]),
}


@pytest.mark.parametrize(("dialog", "action", "chosen", "before"), TWICE.values(), ids=TWICE)
def test_entered_in_two_browsers_it_counts_once(table, page, other, dialog, action, chosen, before):
    for event in before:
        table.enter(event)
    first, second = (one.filled_in(dialog, action) | chosen for one in (page, other))
    assert page.post(action, **first)[0] == 200
    balances, hands, number = dict(table.session.balances), len(table.session.hands), len(table.recorded)
    status, sentence = other.post(action, **second)
    assert status == 409 and "intet er skrevet" in sentence
    assert (table.session.balances, len(table.session.hands)) == (balances, hands)
    # The same entry sent again, as over a bad connection, was taken already.
    assert page.post(action, **first)[0] == 200 and len(table.recorded) == number
    # Looked at anew it can be entered on purpose.
    assert action == "/abandon" or other.post(action, **other.filled_in(dialog, action), **chosen)[0] == 200


def test_what_a_player_declared_on_his_phone_is_not_replaced_from_a_dialog_that_was_open_meanwhile(
    table, page, other
):
    table.enter(HandStarted("Anna"))
    dialog = page.filled_in("/declare", "/declarations")
    assert dialog["player"] == "Anna"  # the host's dialog, for whom the dealer is first to declare
    assert other.post("/declarations", player="Anna", kings="full")[0] == 200
    status, sentence = page.post("/declarations", **dialog | {"pass": 1})
    assert status == 409 and "intet er skrevet" in sentence
    assert table.session.hand.declared["Anna"]
    assert page.post("/declarations", **dialog | {"player": "Bo", "pass": 1})[0] == 200


def test_a_hand_that_the_camera_started_meanwhile_is_not_abandoned_unasked(table, page):
    dialog = page.filled_in("/start", "/hands")
    sees(table, "Bo:S7")
    assert page.post("/hands", **dialog)[0] == 409
    assert len(table.session.hands) == 1 and not table.session.hand.abandoned
    assert "The hand in progress is not finished" in page.text("/start")


def test_a_hand_that_the_camera_started_meanwhile_is_not_given_up(table, page):
    table.enter(HandStarted("Anna"))
    dialog = page.filled_in("/abandon", "/abandon")
    assert page.post("/abandon", **dialog)[0] == 200
    dialog = page.filled_in("/abandon", "/abandon")
    sees(table, "Carl:S7")
    assert page.post("/abandon", **dialog)[0] == 409
    assert not table.session.hand.abandoned


def test_a_card_that_another_corrected_meanwhile_is_corrected_no_second_time_unseen(table, page, other):
    table.enter(HandStarted("Carl"), CardPlayed("Anna", "S7"))
    seq = table.session.hand.plays[0].seq
    correct, dialog = f"/plays/{seq}/correct", f"/plays/{seq}"
    opened = other.filled_in(dialog, correct)["seen"]
    page.sent(dialog, correct, card="S8")
    assert other.post(correct, card="S9", seen=opened)[0] == 409
    assert other.post(f"{dialog}/remove", seen=opened)[0] == 409
    assert other.post(correct, card="S8", seen=opened)[0] == 200, "both say the same"
    other.sent(dialog, correct, card="S9")
    assert [play.card for play in table.session.hand.plays] == ["S9"]


def test_of_two_who_correct_a_card_alike_each_undoes_his_own_alone(table):
    table.enter(HandStarted("Carl"), CardPlayed("Anna", "S7"))
    seq = table.session.hand.plays[0].seq
    anna, bo = Page(table, Role.PLAYER, "Anna"), Page(table, Role.PLAYER, "Bo")
    opened = [one.filled_in(f"/plays/{seq}", f"/plays/{seq}/correct") for one in (anna, bo)]
    own = []
    for phone, fields in zip((anna, bo), opened, strict=True):
        assert phone.post(f"/plays/{seq}/correct", **fields | {"card": "S8"})[0] == 200
        own.append(table.recorded[-1].seq)
    stays = "This stays in force: Card corrected: 8 of spades (Bo)."
    assert stays in anna.text(f"/undo?to={own[0]}")
    status, said = anna.post("/undo?lang=en", seq=own[0], to=own[0])
    assert (status, said) == (200, f"Undone. {stays}")
    assert [play.card for play in table.session.hand.plays] == ["S8"], "Bo said so, too"
    news = view_of(table, "en", Role.PLAYER).news
    assert news == f"Undone: Card corrected: 8 of spades. {stays} Bo to play"
    assert bo.post("/undo", seq=own[1], to=own[1])[0] == 200
    assert [play.card for play in table.session.hand.plays] == ["S7"]


def test_what_the_camera_read_anew_meanwhile_does_not_stop_a_person(table, page):
    sees(table, "Anna:S7")
    seq = table.session.hand.plays[0].seq
    seen = page.filled_in(f"/plays/{seq}", f"/plays/{seq}/correct")["seen"]
    table.enter(PlayCorrected(seq, "S8", time_s=2.0))
    assert page.post(f"/plays/{seq}/correct", card="S9", seen=seen)[0] == 200
    assert [play.card for play in table.session.hand.plays] == ["S9"]


MEANWHILE = {
    "taken back already": (("Anna:S7", "Bo:S2"), PlaysTakenBack(1), ["S7"]),
    "another card": (("Anna:S7",), "Bo:S2", ["S7", "S2"]),
}


@pytest.mark.parametrize(("before", "meanwhile", "after"), MEANWHILE.values(), ids=MEANWHILE)
def test_a_dialog_opened_before_what_the_camera_saw_takes_nothing_back(table, page, before, meanwhile, after):
    table.enter(HandStarted("Carl"))
    sees(table, *before)
    dialog = page.filled_in("/more", "/take-back")
    sees(table, meanwhile)
    assert page.post("/take-back", **dialog, count=1)[0] == 409
    assert [play.card for play in table.session.hand.plays] == after


def test_an_evening_is_not_settled_over_a_hand_that_the_camera_started_meanwhile(table, page):
    dialog = page.filled_in("/settle", "/settle")
    sees(table, "Bo:S7")
    assert page.post("/settle", **dialog)[0] == 409
    assert not table.session.closed
    page.sent("/settle", "/settle", sure="yes")


def test_two_who_enter_the_same_cards_are_both_right_and_the_cards_are_entered_once(table, page, other):
    table.enter(HandStarted("Carl"))
    seen = page.filled_in("/play", "/plays")["seen"]

    def late(**fields):
        data = {"token": other.token, **fields}
        answer = other.client.post("/plays", data=data, headers={"Accept": "application/json"})
        return answer.status_code, answer.get_json().get("seen")

    for name, typed in (("a", "h7"), ("b", "9"), ("c", "t3")):
        after = {"after": chr(ord(name) - 1)} if name != "a" else {"seen": seen}
        assert page.post("/plays", typed=typed, once=name, **after)[0] == 200
    first = table.session.hand.plays[0].seq
    assert late(typed="7", seen=seen) == (400, None)  # no suit was led to the lead itself
    assert late(typed="h7", player="Bo", seen=seen) == (409, None)
    assert late(typed="h8", seen=seen)[0] == 409
    status, base = late(card="H7", seen=seen)
    assert status == 200 and base.endswith(f" {first}")
    assert late(typed="9", seen=base) == late(typed="9", after="a", player="Bo")
    assert late(card="T3", after="b") == (200, page.filled_in("/play", "/plays")["seen"])
    assert len(table.session.hand.plays) == 3
    # The trick that is covered by then tells nobody what lies in it.
    assert page.post("/plays", typed="s5", after="c", once="d")[0] == 200
    assert late(card="H7", seen=seen)[0] == late(card="H9", seen=base)[0] == 409
    assert late(card="S5", after="c")[0] == 200 and len(table.session.hand.plays) == 4


DIFFERENTLY = {
    "the dealer": ("questions and flags", "/more", "/hands/1/dealer", "dealer", ("Carl", "Bo")),
    "a contract": ("American play", "/american/round", "/american/game", "game", ("three", "one")),
    "a called king": ("American play", "/american/round", "/american/call", "call", ("S", "H")),
    "a group of the Talon": ("American play", "/american/round", "/american/take", "group", ("0", "1")),
    "a called card": ("French with five", "/french/deal", "/french/call", "card", ("SR", "HR")),
}


@pytest.mark.parametrize(("state", "dialog", "action", "name", "said"), DIFFERENTLY.values(), ids=DIFFERENTLY)
def test_of_two_who_say_different_things_at_once_the_later_is_told(
    tmp_path, state, dialog, action, name, said
):
    table = open_table(tmp_path, STATES[state].opened, *STATES[state].events, fair_play=False)
    page, other = Page(table), Page(table)
    first, second = (one.filled_in(dialog, action) for one in (page, other))
    assert page.post(action, **first | {name: said[0]})[0] == 200
    events = len(table.recorded)
    status, sentence = other.post(action, **second | {name: said[1]})
    assert status == 409 and "intet er skrevet" in sentence and len(table.recorded) == events
    if action != "/american/game":
        assert other.post(action, **second | {name: said[0]})[0] == 200  # who says the same is right, too
    assert other.post(action, **other.filled_in(dialog, action) | {name: said[1]})[0] == 200
