"""Entering by hand: the suit led is marked, what was booked is told, and everything can be undone to any line."""

import re

import pytest
from webui_deals import hand
from webui_page import Page, view_of
from webui_table import FOUR, open_table

from tracker.danish.events import Fined
from tracker.events import CardPlayed, HandStarted, SessionOpened
from webui.people.roles import Role

JSON = {"Accept": "application/json"}


def marked(dialog):
    """The suit that is marked in a dialog."""
    found = re.search(r'class="panel panel-(\w) first"', dialog)
    return found and found[1]


def chosen(dialog):
    found = re.search(r'name="player" value="(\w+)" checked', dialog)
    return found and found[1]


def test_the_suit_led_is_marked_for_who_is_to_play(table, page):
    table.enter(HandStarted("Anna"))
    assert marked(page.html("/play")) is None
    table.enter(CardPlayed("Bo", "H3"))
    assert marked(page.html("/plays/3")) == "H"  # a card that is put right shows its own suit
    dialog = page.html("/play")
    assert (marked(dialog), chosen(dialog)) == ("H", "Carl")
    assert 'value="FS"' not in dialog  # only a fool that is led is named
    table.enter(CardPlayed("Carl", "T4"), CardPlayed("Anna", "H7"))
    dialog = page.html("/play")
    assert chosen(dialog) == "Carl" and marked(dialog) is None and 'value="FS"' in dialog


@pytest.mark.parametrize(
    ("rules", "first", "last"),
    [
        ("dtf-2011", "H10", "H1"),
        ("american-tarock", "H4", "H1"),
        ("tarot-1659", "H1", "H10"),
        ("french-tarot", "H1", "H10"),
    ],
    ids=["danish", "american", "1659", "french"],
)
def test_the_small_cards_of_a_red_suit_stand_as_the_game_ranks_them(rules, first, last, tmp_path):
    table = open_table(tmp_path, SessionOpened(rules, (), FOUR), HandStarted("Dora"))
    small = re.findall(r'name="card" value="(H\d+)"', Page(table).html("/play"))
    assert (small[0], small[-1]) == (first, last)


def test_cards_are_typed_and_a_fool_is_named_with_one_button(table, page):
    table.enter(HandStarted("Anna"))
    for player, typed in (("Bo", "hd"), ("Carl", "7"), ("Anna", "t21")):
        assert page.post("/plays", player=player, typed=typed)[0] == 200
    assert page.post("/plays", player="Anna", card="FS")[0] == 200
    hand = table.session.hand
    assert [play.card for play in hand.plays] == ["HD", "H7", "T21", "F"]
    assert hand.trick.named == "S"
    status, said = page.post("/plays", player="Bo", typed="q9")
    assert status == 400 and "q9" in said


def test_a_dialog_that_is_behind_enters_nothing(table, page):
    table.enter(HandStarted("Anna"))
    dialog = page.filled_in("/play", "/plays")
    table.enter(CardPlayed("Bo", "H3"))
    assert page.post("/plays", **dialog, card="H4")[0] == 409
    assert len(table.session.hand.plays) == 1


def test_what_was_booked_is_told_and_who_pays_whom(table, page):
    page.client.set_cookie("tarok_lang", "en")
    table.enter(HandStarted("Anna"), CardPlayed("Bo", "H3"), CardPlayed("Carl", "HR"))
    _, said = page.post("/plays", player="Anna", card="T4")
    assert said == (
        "Anna played trump 4. The trick is Anna's. "
        "Carl lost the king of hearts in trick 1 and pays Bo, Anna and the king pot (5 each)."
    )
    _, said = page.post("/undo", seq=5)
    assert said.startswith("Undone. This falls away: Carl lost the king")
    assert "pay" not in page.post("/plays", player="Anna", card="H7")[1]


def test_the_last_card_of_a_hand_tells_how_it_ended(table, page):
    plays = hand(3)
    table.enter(*plays[:-1])
    last = plays[-1]
    _, said = page.post("/plays", player=last.player, card=last.card)
    assert all(line in said for line in view_of(table, "da").result.endings)


def test_everything_back_to_a_line_of_the_history_is_undone(table, page):
    table.enter(HandStarted("Anna"), by="/host")
    for player, card in (("Bo", "H3"), ("Carl", "H4"), ("Anna", "H7"), ("Anna", "S7")):
        page.post("/plays", player=player, card=card)
    rows = view_of(table, "en").history.entries
    line = next(row for row in rows if "4 of hearts" in row.what)
    dialog = page.text(f"/undo?to={line.seq}")
    assert "This goes" in dialog and "7 of spades" in dialog and "3 of hearts" not in dialog
    form = page.filled_in(f"/undo?to={line.seq}", "/undo")
    assert page.post("/undo", **form)[0] == 200
    assert [play.card for play in table.session.hand.plays] == ["H3"]
    assert page.post("/undo", **form | {"once": "another"})[0] == 409  # what it began with is undone already
    assert page.post("/undo", seq=3, to=1)[0] == 409  # the evening's opening cannot be undone
    assert [play.card for play in table.session.hand.plays] == ["H3"]


def test_a_player_undoes_his_own_entries_and_asks_for_those_of_others(table):
    table.enter(HandStarted("Anna"), by="Carl")
    table.enter(CardPlayed("Bo", "H3"), by="Bo")
    table.enter(CardPlayed("Carl", "H4"), by="Carl")
    bo = Page(table, Role.PLAYER, "Bo")
    assert bo.post("/undo", seq=4, to=3)[0] == 200
    assert len(table.session.hand.plays) == 2 and len(table.desk.asks) == 1
    assert Page(table).post("/asked/1/confirm")[0] == 200
    assert table.session.hand.plays == []


def test_the_last_plays_stand_on_the_dialog_to_be_put_right(playing, page):
    plays = playing.session.hand.plays
    dialog = page.html("/play")
    shown = [int(seq) for seq in re.findall(r'class="chip" href="/plays/(\d+)"', dialog)]
    assert shown == [play.seq for play in plays[:-7:-1]]


def test_under_fair_play_a_player_asks_and_the_arbiter_opens(playing):
    playing.choose(fair_play=True)
    back = playing.session.hand.plays[-5]
    bo = Page(playing, Role.PLAYER, "Bo")
    dialog = bo.html("/play")
    assert f'href="/ask?play={back.seq}"' in dialog and f'href="/plays/{back.seq}"' not in dialog
    asked = bo.filled_in(f"/ask?play={back.seq}", "/ask")
    assert asked["player"] == back.player
    host = Page(playing)
    assert f'href="/plays/{back.seq}"' in host.html("/play")
    trick = next(one.number for one in playing.session.hand.tricks if back in one.plays)
    data = {"token": host.token, "play": back.seq}
    answer = host.client.post(f"/hands/1/tricks/{trick}/open", data=data, headers=JSON)
    assert answer.get_json()["dialog"] == f"/plays/{back.seq}"
    assert marked(host.html(f"/plays/{back.seq}")) == back.card[0]


def test_announcing_a_tout_and_abandoning_ask_first(table, page):
    table.enter(HandStarted("Anna"))
    more = page.html("/more")
    assert 'action="/tout"' not in more and 'action="/abandon"' not in more
    assert "it is told to everybody" in page.text("/tout")
    assert page.post("/tout", **page.filled_in("/tout", "/tout"))[0] == 200
    assert table.session.hand.tout_announced == "Anna"
    assert page.post("/abandon", **page.filled_in("/abandon", "/abandon"))[0] == 200
    assert table.session.hand.abandoned


@pytest.mark.parametrize(("rules", "costs"), [("pagat-2024", True), ("dtf-2011", False)])
def test_what_a_failed_tout_costs_is_told_where_the_fool_may_be_laid_for_it(tmp_path, rules, costs):
    table = open_table(tmp_path, SessionOpened(rules, (), ("Anna", "Bo", "Carl")), HandStarted("Anna"))
    assert ("Anna pays 85 to each of the others" in Page(table).text("/tout")) == costs


def test_what_a_declaration_is_paid_for_is_said_once(table, page):
    table.enter(HandStarted("Anna"))
    page.client.set_cookie("tarok_lang", "en")

    def said(**made: str) -> str:
        return page.post("/declarations", player="Anna", **made)[1]

    assert said(trumps="11", kings="full") == (
        "Anna declared 11 trumps without the pagat: Bo and Carl pay (15 each). "
        "Anna declared full kings: Bo and Carl pay (10 each)."
    )
    # What is paid already is only in the words of the entry, and what is paid back in its own.
    assert said(trumps="11", matadors="3").startswith(
        "Anna declares 11 trumps without the pagat, 3 matadors. "
    )
    assert said(**{"pass": "1"}).startswith("Anna declares pass. Anna pays Bo and Carl back for ")


def test_settling_asks_each_open_flag(playing, page):
    finding = next(one for one in playing.session.hand.findings if one.fine)
    dialog = page.html("/settle")
    fields = re.findall(r'name="(flag_[0-9-]+)" value="-"', dialog)
    assert len(fields) == 1
    assert page.post("/settle")[0] == 409 and not playing.session.closed
    assert page.post("/settle", **{fields[0]: "Zoe"})[0] == 400 and not playing.session.closed
    assert page.post("/settle", **{fields[0]: finding.player})[0] == 200
    fined = [one.event for one in playing.recorded if isinstance(one.event, Fined)]
    assert [(one.player, one.category) for one in fined] == [(finding.player, "irrecoverable")]
    assert playing.session.closed


def test_settling_lets_a_flag_pass(playing, page):
    field = re.search(r'name="(flag_[0-9-]+)"', page.html("/settle"))[1]
    assert page.post("/settle", **{field: "-"})[0] == 200
    fined = [one.event for one in playing.recorded if isinstance(one.event, Fined)]
    assert [one.category for one in fined] == ["superficial"]


@pytest.mark.parametrize(("category", "asks"), [("irrecoverable", True), ("minor", False)])
def test_after_an_irrecoverable_fine_the_page_asks_whether_the_hand_stops(playing, page, category, asks):
    data = {"token": page.token, "player": "Bo", "category": category}
    answer = page.client.post("/fines", data=data, headers=JSON).get_json()
    assert answer.get("dialog") == ("/abandon?after=fine" if asks else None)
    assert "Does the hand stop here?" in page.text("/abandon?after=fine")
    assert not playing.session.hand.abandoned


# ---- cards that are sent faster than they are booked ----


def cards_of(table):
    return [(play.player, play.card) for play in table.session.hand.plays]


def test_a_queued_card_is_whoever_is_to_play_once_the_card_before_it_is_booked(table, page):
    table.enter(HandStarted("Anna"))
    dialog = page.filled_in("/play", "/plays")
    assert page.post("/plays", seen=dialog["seen"], once="a", typed="h3")[0] == 200
    assert page.post("/plays", after="a", once="b", typed="9")[0] == 200  # of the suit led
    assert page.post("/plays", after="b", once="c", typed="hk")[0] == 200
    assert page.post("/plays", after="c", once="d", typed="s7")[0] == 200  # the winner leads
    assert cards_of(table) == [("Bo", "H3"), ("Carl", "H9"), ("Anna", "HR"), ("Anna", "S7")]


def test_a_queued_card_goes_to_the_player_who_was_chosen_by_hand(table, page):
    table.enter(HandStarted("Anna"))
    assert page.post("/plays", once="a", typed="h3")[0] == 200
    assert page.post("/plays", after="a", once="b", player="Anna", typed="h9")[0] == 200
    assert cards_of(table) == [("Bo", "H3"), ("Anna", "H9")]


def test_a_queued_card_sent_again_is_entered_once(table, page):
    table.enter(HandStarted("Anna"))
    for _ in range(2):
        assert page.post("/plays", once="a", typed="h3")[0] == 200
    for _ in range(2):
        assert page.post("/plays", after="a", once="b", typed="h4")[0] == 200
    assert page.post("/plays", after="a", once="b", typed="h5")[0] == 409
    assert cards_of(table) == [("Bo", "H3"), ("Carl", "H4")]


@pytest.mark.parametrize("between", ["a card", "undone", "another hand", "never sent"])
def test_a_queued_card_is_refused_where_something_else_came_before_it(table, page, between):
    table.enter(HandStarted("Anna"))
    if between != "never sent":
        page.post("/plays", once="a", typed="h3")
    if between == "a card":
        table.enter(CardPlayed("Carl", "H4"))
    elif between == "undone":
        page.post("/undo", seq=3)
    elif between == "another hand":
        page.post("/hands", dealer="Bo")
    before = cards_of(table)
    status, said = page.post("/plays", after="a", once="b", typed="h5")
    assert status == 409 and "sket noget andet" in said
    assert cards_of(table) == before


def test_a_card_queued_behind_the_end_of_the_hand_is_nobodys(table, page):
    plays = hand(3)
    table.enter(*plays[:-1])
    assert page.post("/plays", once="a", card=plays[-1].card)[0] == 200
    status, said = page.post("/plays", after="a", once="b", card=plays[1].card)
    assert (status, said) == (409, "Spillet er slut; ingen skal spille et kort.")


def test_a_dialog_of_the_hand_before_enters_nothing(table, page):
    """Both hands have no card yet."""
    table.enter(HandStarted("Anna"))
    dialog = page.filled_in("/play", "/plays")
    page.post("/hands", dealer="Bo")
    assert page.post("/plays", **dialog, typed="h3")[0] == 409
