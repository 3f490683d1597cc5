"""The page of the Tarot of 1659: opening, entering by hand, the card for the fool, the result, fines, joining."""

import json
import random
import re
from io import BytesIO
from pathlib import Path

import pytest
from webui_deals import plays
from webui_page import Page, view_of
from webui_table import FOUR, open_table, sides_of

from tracker.events import HandAbandoned, HandStarted, SessionOpened
from tracker.open_questions import open_flags
from tracker.store import EventStore
from tracker.tarot1659.audit import audit
from tracker.tarot1659.events import FoolExchanged, Redealt
from tracker.tarot1659.session import Session1659
from webui.bench.dealing_1659 import hand_of_1659
from webui.games.tarot1659.page import owes_for_fool
from webui.people.roles import Role
from webui.table.live import LiveTable


@pytest.fixture
def four(tmp_path: Path) -> LiveTable:
    """Anna, Bo, Carl and Dora with three cards each; everything is shown at any time."""
    opened = SessionOpened("tarot-1659", (("cards", 3), ("ante", 10)), FOUR)
    return open_table(tmp_path, opened, fair_play=False)


FOOL = plays("Anna S7", "Bo F", "Carl SR", "Dora S2")
"""Carl wins; Bo owes a card for his fool."""
BO_WINS = plays("Carl H2", "Dora H3", "Anna H4", "Bo H9")
LAST = plays("Bo C9", "Carl C2", "Dora C3", "Anna C4")
"""Bo wins this one, too."""


# ---- a new evening ----


def test_a_new_evening_asks_which_game_and_then_its_options_in_words(empty: LiveTable) -> None:
    page = Page(empty)
    said = page.text("/setup/game")
    assert "Danish Tarok Tarot of 1659" in said and "Count after every hand" in said
    said = page.text("/setup/game?game=tarot1659")
    assert "Cards for each player" in said and "Ante, in chips" in said
    assert "Player 6" in page.text("/setup/players?game=tarot1659")
    assert "If several have the most points they share the pot the pot stays for the next hand" in said
    assert "Count after every hand" not in said


def opened(page: Page, **fields: object) -> tuple[int, str]:
    names = {f"seat_{side}": name for name, side in sides_of(FOUR).items()}
    rules = {"game": "tarot1659", "rules": "tarot-1659", "cards": 12, "ante": 10, "tie": "split"}
    return page.post("/evening", **{**rules, **names, **fields})


def test_an_evening_is_opened_with_its_options_and_six_players(empty: LiveTable) -> None:
    page = Page(empty)
    six = {"seat_X": "Erik", "side_X": "S", "seat_Y": "Fie", "side_Y": "N", "dealer": "Y"}
    assert opened(page, **six, cards=13, ante=5, tie="carry")[0] == 200
    session = empty.session
    assert session.seats == ("Fie", "Dora", "Anna", "Erik", "Bo", "Carl")
    assert (session.rules.cards, session.rules.ante, session.rules.tie) == (13, 5, "carry")
    assert {seat.name for seat in view_of(empty, "en").felt.seats} == set(session.seats)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seat_W": ""}, "Skriv navnene på 4 til 6 spillere."),
        ({"seat_W": "pot"}, "Et navn er"),
        ({"cards": 20}, "»20« passer ikke her"),
        ({"seat_X": "Erik", "side_X": "S", "cards": 16}, "16 kort hver er for mange til 5 spillere: højst"),
        ({"tie": "toss"}, "»toss« kan ikke vælges her."),
        ({"seat_X": "Erik", "side_X": "S", "seat_Y": "Fie", "side_Y": "S"}, "Ved hver side af bordet"),
        ({"rules": "dtf-2011"}, "kan ikke vælges her."),
        ({"game": "chess"}, "kan ikke vælges her."),
    ],
)
def test_what_cannot_be_opened_is_said_in_a_sentence(
    empty: LiveTable, fields: dict[str, object], said: str
) -> None:
    status, sentence = opened(Page(empty), **fields)
    assert status in (400, 422) and said in sentence, sentence
    assert empty.session is None


# ---- a hand ----


def test_a_whole_hand_is_entered_by_tapping_and_typing(four: LiveTable) -> None:
    page = Page(four)
    assert page.post("/hands", dealer="Dora")[0] == 200
    assert "3 kort til hver. Anna spiller ud." in page.text("/", "da")
    assert "3 cards each. Anna leads." in page.text("/")
    hand = hand_of_1659(random.Random(4), FOUR, 3)[1:]
    for place, play in enumerate(hand):
        seen = page.filled_in("/play", "/plays")
        assert seen["player"] == play.player  # whose turn it is, is chosen already
        word = {"card": play.card} if place % 2 else {"typed": typed(play.card)}
        assert page.post("/plays", player=play.player, seen=seen["seen"], **word)[0] == 200
    assert four.session.hand.complete
    assert [play.card for play in four.session.hand.plays] == [play.card for play in hand]


def typed(card: str) -> str:
    return {"F": "f"}.get(card, card.lower().replace("r", "k", 1) if card[1:] == "R" else card.lower())


def test_who_owes_a_card_for_the_fool_is_asked_until_it_is_entered(four: LiveTable) -> None:
    four.enter(HandStarted("Dora"), *FOOL)
    view = view_of(four, "en")
    assert view.asked == [] and view.history is not None
    assert [fact.rows for fact in view.history.facts] == [[("Bo", "pays for it after winning a trick")]]
    page = Page(four)
    assert page.post("/tarot1659/fool", card="S7") == (409, "Ingen skylder et kort for skusen.")
    four.enter(*BO_WINS)
    (asked,) = view_of(four, "en").asked
    assert asked.title == "Which card does Bo give for the fool?"
    assert "Bo gives Carl any card from the tricks that Bo won." in asked.text
    assert "Which card does Bo give for the fool?" in page.text("/") and asked.label in page.text("/play")
    dialog = page.html("/tarot1659/fool")
    assert 'value="H9"' in dialog and 'value="SR"' not in dialog  # what he has won, and nothing else
    status, said = page.post("/tarot1659/fool", card="SR")
    assert status == 422 and "Bo har ikke vundet spar konge" in said
    assert page.post("/tarot1659/fool", card="H2") == (200, "Bo giver hjerter 2 for skusen.")
    assert owes_for_fool(four.session.hand) is None
    assert view_of(four, "en").asked == []
    assert page.post("/undo", seq=four.recorded[-1].seq)[0] == 200
    assert len(view_of(four, "en").asked) == 1


def test_the_cards_won_are_not_shown_by_the_fool_while_earlier_tricks_are_hidden(four: LiveTable) -> None:
    four.choose(fair_play=True)
    four.enter(HandStarted("Dora"), *FOOL, *BO_WINS, LAST[0])
    page = Page(four, Role.PLAYER, "Anna")
    dialog = page.html("/tarot1659/fool")
    assert dialog.count('name="card"') == 78 and "played" not in dialog.split('value="H9"')[0][-80:]
    assert page.post("/tarot1659/fool", card="H9")[0] == 200


def whole_hand(table: LiveTable) -> None:
    table.enter(HandStarted("Dora"), *FOOL, *BO_WINS, FoolExchanged("Bo", "H2"), *LAST)


def test_the_result_says_who_won_the_pot_with_how_many_points(four: LiveTable) -> None:
    whole_hand(four)
    result = view_of(four, "en").result
    points = four.session.hand.points
    assert result.endings == ["Bo has the most points, 7, and wins the pot of 40"] and points["Bo"] == 7
    assert {row.name: (row.chips, row.note) for row in result.rows} == {
        "Anna": (-10, "0 points"), "Bo": (30, "7 points"), "Carl": (-10, "5 points"), "Dora": (-10, "0 points"),
    }  # fmt: skip
    assert dict(next(row.reasons for row in result.rows if row.name == "Bo")) == {"ante": -10, "pot won": 40}
    page = Page(four)
    assert "har flest point, 7, og vinder puljen på 40" in page.text("/", "da")
    said = page.text("/hands/1")
    assert "Points : Anna 0" in said.replace("Points:", "Points :") and "gave Carl the 2 of hearts" in said
    assert page.post("/hands/1/next")[0] == 200
    assert four.session.hand.dealer == "Anna"


def test_a_correction_after_the_hand_changes_its_points_and_its_pot(four: LiveTable) -> None:
    whole_hand(four)
    assert four.session.hand.points["Carl"] == 5
    king = next(play for play in four.session.hand.plays if play.card == "SR")
    assert Page(four).post(f"/plays/{king.seq}/correct", card="T21")[0] == 200
    assert four.session.hand.points["Carl"] == 5  # another card of four points
    lost = next(play for play in four.session.hand.plays if play.card == "C9")
    assert Page(four).post(f"/plays/{lost.seq}/correct", card="C1")[0] == 200
    assert four.session.hand.points == {"Anna": 1, "Bo": 6, "Carl": 5, "Dora": 0}
    fool = next(play for play in four.session.hand.plays if play.card == "F")
    assert Page(four).post(f"/plays/{fool.seq}/correct", card="S9")[0] == 200
    result = view_of(four, "en").result
    assert result is not None and result.endings == ["Carl has the most points, 5, and wins the pot of 40"]
    assert four.session.balances["Carl"] == 30
    assert four.session.alerts, "there is a card for a fool that nobody played"


def test_what_the_page_hides_and_shows_while_a_hand_is_played(four: LiveTable) -> None:
    four.choose(fair_play=True)
    four.enter(HandStarted("Dora"), *FOOL, *plays("Carl H2", "Dora H3"))
    view = view_of(four, "en", Role.PLAYER)
    assert view.felt.pots is None and view.history is not None and view.history.hidden == [1]
    assert not any("trick" in seat.note for seat in view.felt.seats if not seat.turn)
    said = Page(four, Role.PLAYER, "Anna").client.get("/?lang=en").get_data(as_text=True)
    assert "/cards/SR.png" not in said and "/cards/H2.png" in said
    four.choose(fair_play=False)
    assert view_of(four, "en").felt.pots == [("Pot", 40)]


# ---- findings, fines, chips ----


def revoked(table: LiveTable) -> None:
    table.enter(
        HandStarted("Dora"), *plays("Anna S7", "Bo H2", "Carl S8", "Dora S9", "Dora C2", "Anna C3", "Bo S2")
    )


def test_a_revoke_is_told_with_its_proof_and_a_fine_is_the_tables(four: LiveTable) -> None:
    revoked(four)
    (row,) = view_of(four, "en").open_findings
    assert "Revoke: Bo played the 2 of hearts to spades in trick 1" in row.text
    assert row.proposal == "The rules name no fine; the table may give one." and row.flag
    assert (row.fine_href, row.label) == ("/tarot1659/fine?finding=1-0", "Give a fine …")
    page = Page(four)
    dialog = page.filled_in(row.fine_href, "/tarot1659/fines")
    assert dialog["player"] == "Bo" and dialog["finding"].startswith("revoke")
    assert page.post("/tarot1659/fines", **{**dialog, "amount": "0"})[0] == 400
    status, said = page.post("/tarot1659/fines", **{**dialog, "amount": "5"})
    assert status == 200 and "Bo får en bøde på 5" in said
    assert four.session.pots == {"pot": 45}
    view = view_of(four, "en")
    assert view.open_findings == []
    assert [one.proposal for one in view.settled_findings] == ["The fine is given."]
    again = page.post("/tarot1659/fines", **{**dialog, "amount": "5", "once": "another"})
    assert again[0] == 409  # the dialog is of before


def test_a_flag_reaches_the_host_alone_and_is_let_pass_with_one_tap(four: LiveTable) -> None:
    revoked(four)
    host = Page(four)
    four.enter(HandAbandoned(), HandStarted("Anna"), HandAbandoned(), HandStarted("Bo"))
    assert "Flags that are not settled: hand 1" in host.text("/")
    (flag,) = re.findall(r'name="flag" value="([^"]+)"', host.html("/hands/1"))
    player = Page(four, Role.PLAYER, "Anna")
    assert 'name="flag"' not in player.html("/hands/1")
    assert player.post("/hands/1/flags", flag=flag)[0] == 403
    assert host.post("/hands/1/flags", flag=flag)[0] == 200
    assert four.session.pots == {"pot": 120}
    assert "not settled" not in host.text("/") and "Settled without a fine." in host.text("/hands/1")


def test_an_evening_is_settled_when_each_flag_is_answered(four: LiveTable) -> None:
    revoked(four)
    four.enter(*plays("Carl H9", "Carl H10"), HandAbandoned())
    page = Page(four)
    assert len(open_flags(four.session.hand)) == 2
    told = page.text("/settle")
    for said in ("Settle the evening", "Revoke: Bo played", "Carl is fined:", "Chips, if there is a fine"):
        assert said in told
    seen = page.filled_in("/settle", "/settle")["seen"]
    assert page.post("/settle", seen=seen)[0] == 409 and not four.session.closed
    assert page.post("/settle", **{"seen": seen, "flag_1-0": "Bo", "flag_1-1": "-"})[0] == 400
    assert not four.session.closed
    answers = {"flag_1-0": "Bo", "amount_1-0": "7", "flag_1-1": "-"}
    assert page.post("/settle", seen=seen, **answers)[0] == 200
    assert four.session.closed and four.session.balances["Bo"] == -10 - 7 + 12


def unpaid_fool(table: LiveTable) -> None:
    table.enter(HandStarted("Dora"), *FOOL, *BO_WINS, *LAST)


def test_a_fool_not_yet_paid_for_is_a_question_and_no_flag(four: LiveTable) -> None:
    unpaid_fool(four)
    view = view_of(four, "en")
    assert view.open_findings == [] and view.earlier_flags == []
    (asked,) = view.asked
    assert asked.title == "Hand 1: which card did Bo give for the fool?"
    assert "Flag" not in Page(four).text("/hands/1")
    assert "Questions not answered: 1." in Page(four).text("/settle")
    assert Page(four).post("/tarot1659/fool", card="H9")[0] == 200
    assert view_of(four, "en").asked == []
    assert "Questions not answered" not in Page(four).text("/settle")


def test_a_fool_of_an_earlier_hand_is_paid_for_in_that_hand(four: LiveTable) -> None:
    unpaid_fool(four)
    four.enter(HandStarted("Anna"))
    page = Page(four)
    (asked,) = view_of(four, "en").asked
    assert asked.href == "/tarot1659/fool?hand=1"
    page.sent(asked.href, "/tarot1659/fool", card="H9")
    assert four.session.hands[0].fool.card == "H9"
    assert view_of(four, "en").asked == [] and four.session.alerts == []
    assert "Bo gives the 9 of hearts for the fool" in page.text("/undo")
    assert sum(four.session.balances.values()) == -40
    assert page.post("/undo", seq=four.recorded[-1].seq)[0] == 200
    assert len(view_of(four, "en").asked) == 1


def test_that_no_card_was_given_for_the_fool_is_an_answer_too(four: LiveTable) -> None:
    unpaid_fool(four)
    page = Page(four)
    page.sent("/tarot1659/fool?hand=1", "/tarot1659/fool/none")
    assert view_of(four, "en").asked == [] and "Questions not answered" not in page.text("/settle")
    assert "gave no card; the cheapest is counted" in page.text("/hands/1")
    four.enter(HandStarted("Anna"), *FOOL)
    assert page.post("/tarot1659/fool/none")[0] == 409  # while it is played the card may still come


def test_a_misdeal_is_free_and_only_before_the_first_card(four: LiveTable) -> None:
    page = Page(four)
    page.post("/hands", dealer="Dora")
    assert page.post("/tarot1659/redeal", **page.filled_in("/more", "/tarot1659/redeal"))[0] == 200
    assert isinstance(four.recorded[-1].event, Redealt) and four.session.pots == {"pot": 40}
    four.enter(*plays("Anna S7"))
    assert page.post("/tarot1659/redeal")[0] == 422


def test_chips_are_moved_one_by_one_but_never_more_out_of_the_pot_than_it_holds(four: LiveTable) -> None:
    page = Page(four)
    page.post("/hands", dealer="Dora")
    assert 'step="1"' in page.html("/adjust")
    assert page.post("/adjust", source="pot", target="Bo", amount=3, reason="counted again")[0] == 200
    assert page.post("/adjust", source="pot", target="Bo", amount=38, reason="again")[0] == 422
    assert four.session.pots == {"pot": 37}


def test_players_come_and_go_between_hands(four: LiveTable) -> None:
    page = Page(four)
    page.post("/hands", dealer="Dora")
    assert "Nobody can join or leave during a hand." in page.text("/more")
    assert page.post("/abandon")[0] == 200
    assert "an even share of the pot into it" in page.text("/more")
    assert "Anna leaves" not in page.text("/more")
    assert page.post("/join", player="Erik", after="Dora", side="S")[0] == 200
    assert page.post("/join", player="Erik", after="Dora") == (400, "Erik sidder allerede ved bordet.")
    assert four.session.balances["Erik"] == -10 and four.session.pots == {"pot": 50}
    assert "Anna leaves" in page.text("/more")
    assert page.post("/leave", player="Anna")[0] == 200
    assert four.session.seats == ("Bo", "Carl", "Dora", "Erik") and four.session.pots == {"pot": 40}


def test_the_evening_is_settled_kept_and_comes_back(four: LiveTable, tmp_path: Path) -> None:
    whole_hand(four)
    four.enter(HandStarted(None), *plays("Bo S7"))
    page = Page(four)
    said = page.text("/settle")
    assert "The pot is shared evenly among all at the table." in said and "nobody wins it" in said
    expected = audit(four.session)["balances"]
    assert page.post("/settle")[0] == 200
    assert sum(four.session.balances.values()) == 0 and four.session.balances != expected
    assert "Bo wins the pot" in page.text("/audit")
    file = page.client.get("/session.json").data
    assert json.loads(file)["rules"] == "tarot-1659"
    again = LiveTable(EventStore(tmp_path / "evening.sqlite3"))
    assert isinstance(again.session, Session1659) and again.session.balances == four.session.balances
    other = LiveTable(EventStore(tmp_path / "other.sqlite3"))
    keeper = Page(other)
    assert keeper.post("/history/import", day="2026-11-20", file=(BytesIO(file), "s.json"))[0] == 200
    assert [one.players for one in other.kept.all()] == [FOUR]
    hand = keeper.text("/history/1/hands/1")
    assert "gave Carl the 2 of hearts" in hand and "Bo wins the pot" in hand


def test_the_wrong_dealer_is_seen_by_who_leads(four: LiveTable) -> None:
    four.enter(HandStarted("Anna"), *plays("Anna S7", "Bo S2", "Carl S3", "Dora S4"))
    assert [hand.dealer_shown for hand in view_of(four, "en").dealers] == ["Dora"]
    assert Page(four).post("/hands/1/dealer", dealer="Dora")[0] == 200
    assert view_of(four, "en").dealers == [] and view_of(four, "en").open_findings == []


# ---- what is said in words ----


def test_what_becomes_of_a_fool_without_a_card_is_told(four: LiveTable) -> None:
    page = Page(four)
    four.enter(HandStarted("Dora"), *FOOL, *plays("Carl H9", "Dora H3", "Anna H4", "Bo H2"))
    four.enter(*plays("Carl C9", "Dora C3", "Anna C4", "Bo C2"))
    assert "Bo won no trick: the fool goes to Carl" in page.text("/")
    unpaid_fool(four)
    assert "The cheapest card is counted. If one was given, enter it." in page.text("/")


@pytest.mark.parametrize(
    ("tie", "said"),
    [
        ("split", "Anna and Bo have the most points, 1, and share the pot: 20 each"),
        ("carry", "Anna and Bo have the most points, 1: the pot stays for the next hand"),
    ],
)
def test_a_tie_is_told_with_what_becomes_of_the_pot(empty: LiveTable, tie: str, said: str) -> None:
    """Anna and Bo win a trick each of no other worth."""
    empty.open_evening(SessionOpened("tarot-1659", (("cards", 2), ("tie", tie)), FOUR), sides_of(FOUR))
    empty.enter(HandStarted("Dora"), *plays("Anna S9", "Bo S2", "Carl S3", "Dora S4"))
    empty.enter(*plays("Anna S5", "Bo S10", "Carl S6", "Dora S7"))
    page = Page(empty).text("/")
    assert said in page and "0 points" in page and "1 point" in page
    assert empty.session.pots == {"pot": 40 if tie == "carry" else 0}
