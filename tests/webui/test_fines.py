"""Fines on the page: each is booked once, in its own hand, and settles the flag it was given for."""

import re

import pytest
from webui_camera import sees
from webui_deals import SEATS, hand, plays
from webui_page import Page, view_of
from webui_table import open_table

from tracker.danish.combination import Combination
from tracker.danish.events import Declared
from tracker.danish.rule_sets import FINE_CATEGORIES, RULE_SETS
from tracker.events import (
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    SessionClosed,
    SessionOpened,
    TrickTaken,
)
from tracker.open_questions import Unanswered, unanswered

KINGS = Combination("kings", grade="full")


@pytest.fixture
def next_hand(table):
    """Bo declared kings that he did not have; the hand is over, and the camera started the next by itself."""
    started, *plays = hand(5)
    table.enter(started, Declared("Bo", (KINGS,)), *plays)
    (finding,) = table.session.hand.findings
    assert (finding.kind, finding.player) == ("declaration_false", "Bo")
    sees(table, "Carl:S7")
    assert len(table.session.hands) == 2
    return table


def fines(table, number):
    """Who paid what as a fine for that hand, wherever it was paid."""
    return [
        (payment.source, payment.reason)
        for payment in table.session.payments
        if payment.rule == "FINE-1" and number == (payment.fined_in or payment.hand)
    ]


def test_a_fine_for_the_hand_before_is_paid_now_and_bars_nobody(next_hand):
    page = Page(next_hand)
    before = list(next_hand.session.hands[0].payments)
    next_hand.enter(Declared("Bo", (Combination("trumps", count=12, pagat=True),)))
    (link,) = re.findall(r'href="(/fine\?finding[^"]*)"', page.html("/hands/1"))
    assert page.post("/fines", **page.filled_in(link, "/fines"))[0] == 200
    first, second = next_hand.session.hands
    assert {("Bo", "fine"), ("Bo", "declaration_returned")} <= set(fines(next_hand, 1))
    assert fines(next_hand, 2) == [] and first.barred == second.barred == frozenset()
    assert first.payments == before and second.payments[-1].reason == "declaration_returned"
    assert "(for hand 1)" in page.text("/ledger")


def test_flags_of_the_hand_before_stay_on_the_table_until_they_are_fined(next_hand):
    page = Page(next_hand)
    (row,) = view_of(next_hand, "en").open_findings
    assert row.title == "Flag: Bo · Hand 1" and row.fine_href == "/fine?finding=1-0"
    page.post("/fines", **page.filled_in(row.fine_href, "/fines"))
    assert flags(next_hand) == ([], [])


@pytest.fixture
def fool_led(table):
    """Anna led the fool, and named it hearts; nobody entered that. Bo has no heart, so Carl won the trick."""
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:F Bo:D7 Carl:H2", TrickTaken("Carl", time_s=4.0))
    sees(table, "Carl:D3 Anna:D4 Bo:D5")
    return table


def test_nobody_is_flagged_because_the_name_of_the_fool_was_not_entered(fool_led, page):
    view = view_of(fool_led, "en")
    assert {row.title for row in view.open_findings} == {"Unsettled: Carl"} and view.alerts == []
    assert all("Nobody has entered which suit" in row.unsure for row in view.open_findings)
    (asked,) = view.asked
    assert asked.title == "Which suit did Anna name the fool?"
    assert unanswered(fool_led.session) == Unanswered(1, {})
    assert page.sent(asked.href, asked.href, suit="H")["message"].startswith("Rettet")
    assert fool_led.session.hand.findings == [] and view_of(fool_led, "en").asked == []
    assert fool_led.session.hand.tricks[0].winner == "Carl"
    assert "The fool was named hearts (trick 1, Anna)" in page.text("/undo")
    assert page.post(asked.href, suit="H") == (
        409,
        "Spørgsmålet er allerede besvaret.",
    )


def test_what_follows_is_flagged_once_the_table_says_that_the_fool_was_given_no_name(fool_led, page):
    (asked,) = view_of(fool_led, "en").asked
    page.sent(asked.href, asked.href, suit="none")
    view = view_of(fool_led, "en")
    assert view.asked == [] and [one.title for one in view.alerts] == ["Trick 1"]  # for Carl took it
    page.post(f"/alerts/{view.alerts[0].seq}")
    assert unanswered(fool_led.session) == Unanswered(0, {1: [1, 2]})
    page.sent("/undo", "/undo")
    page.sent("/undo", "/undo")
    assert len(view_of(fool_led, "en").asked) == 1 and unanswered(fool_led.session) == Unanswered(1, {})


def test_the_name_of_a_led_fool_is_asked_for_at_once_and_entered_for_the_trick_on_the_table(table, page):
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:F")
    (asked,) = view_of(table, "en").asked
    assert "no name" not in page.text(asked.href)
    sees(table, "Bo:S2")
    assert "The fool has no name yet" in page.text("/") and "no name" in page.text(asked.href)
    assert page.sent(asked.href, asked.href, suit="H")["message"] == "Anna døber skusen hjerter."
    assert view_of(table, "en").asked == [] and table.session.hand.trick.suit == "H"


def test_a_call_for_the_fool_that_is_entered_late_accuses_nobody(table, page):
    """Anna called for it, and Bo obeyed before anybody entered her call."""
    low = [f"{suit}{pip}" for suit in "CDHS" for pip in range(1, 11)]
    table.enter(HandStarted("Carl"))
    for n in range(20):
        table.enter(*plays(f"Anna:T{n + 2}", f"Bo:{low[2 * n]}", f"Carl:{low[2 * n + 1]}"))
    table.enter(*plays("Anna:SR", "Bo:SV", "Carl:SC", "Anna:HR", "Bo:HV", "Carl:HC", "Anna:CR"))
    assert "Anna calls" in page.text("/fool") and 'href="/fool"' in page.html("/")
    table.enter(*plays("Bo:F"))
    assert "Anna calls" not in page.text("/fool") and 'href="/fool"' not in page.html("/")
    assert page.post("/fool/call", player="Anna") == (
        409,
        "Skusen ligger i stikket; ingen behøver at forlange den.",
    )
    assert flags(table) == ([], [])


def test_a_dialog_opened_before_the_camera_started_the_next_hand_fines_in_its_own(table, page):
    table.enter(*hand(5))
    dialog = page.filled_in("/fine?player=Bo", "/fines")
    sees(table, "Carl:S7")
    assert page.post("/fines", **dialog, category="minor")[0] == 200
    assert fines(table, 1) == [("Bo", "fine")] * 2 and fines(table, 2) == []


def test_the_last_hand_can_be_fined_in_after_a_fourth_player_joined(playing):
    page = Page(playing)
    playing.enter(HandAbandoned())
    assert page.post("/join", player="Dora", after="Carl")[0] == 200
    assert page.post("/fines", **page.filled_in("/fine?finding=1-0", "/fines"))[0] == 200
    assert len(fines(playing, 1)) == 2


@pytest.fixture
def two_leads(table):
    """Bo leads out of turn in trick 2, and again in trick 3."""
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Bo:S2 Carl:S3 Bo:H10 Carl:H2 Anna:HV")
    sees(table, "Bo:C3 Carl:C4 Anna:C5")
    found = [(finding.kind, finding.player, finding.trick) for finding in table.session.hand.findings]
    assert found == [("lead_out_of_turn", "Bo", 2), ("lead_out_of_turn", "Bo", 3)]
    return table


def flags(table):
    """The texts of the flags that are open, and of those that were settled by a fine."""
    view = view_of(table, "en")
    return [row.text for row in view.open_findings], [row.text for row in view.settled_findings]


SECOND = "Bo led the 10 of hearts to trick 2 out of turn."
THIRD = "Bo led the 3 of clubs to trick 3 out of turn."


def test_a_fine_settles_the_flag_it_was_given_for_and_no_other(two_leads):
    page = Page(two_leads)
    assert flags(two_leads) == ([THIRD, SECOND], [])
    assert page.post("/fines", **page.filled_in("/fine?finding=1-1", "/fines"))[0] == 200
    assert flags(two_leads) == ([SECOND], [THIRD])
    assert page.post("/fines", **page.filled_in("/fine?finding=1-0", "/fines"))[0] == 200
    assert flags(two_leads) == ([], [SECOND, THIRD])
    assert fines(two_leads, 1) == [("Bo", "fine")] * 4


def test_a_fine_entered_by_itself_settles_one_flag_that_was_known_by_then(two_leads):
    page = Page(two_leads)
    assert page.post("/fines", player="Bo", category="major", hand="1")[0] == 200
    assert flags(two_leads) == ([THIRD], [SECOND])
    two_leads.enter(EventRetracted(two_leads.recorded[-1].seq))
    assert flags(two_leads) == ([THIRD, SECOND], [])


def test_a_fine_settles_nothing_that_happens_later(table, page):
    table.enter(HandStarted("Carl"))
    page.post("/fines", player="Bo", category="major", reason="declared before the dealer")
    sees(table, "Anna:S7 Bo:S2 Carl:S3 Bo:H10")
    assert flags(table) == ([SECOND], [])


def test_a_flag_is_fined_once_by_whoever_is_first(two_leads):
    one, other = Page(two_leads), Page(two_leads)
    dialogs = [page.filled_in("/fine?finding=1-0", "/fines") for page in (one, other)]
    assert one.post("/fines", **dialogs[0])[0] == 200
    assert other.post("/fines", **dialogs[1])[0] == 409
    assert fines(two_leads, 1) == [("Bo", "fine")] * 2


def test_a_flag_that_was_put_right_meanwhile_is_not_fined(two_leads):
    page = Page(two_leads)
    dialog = page.filled_in("/fine?finding=1-0", "/fines")
    two_leads.enter(PlayCorrected(two_leads.session.hand.plays[3].seq, card="H9"))
    status, sentence = page.post("/fines", **dialog)
    assert status == 409 and sentence.startswith("Påtalen mod Bo")
    assert fines(two_leads, 1) == []


def test_a_hands_page_offers_no_fine_twice_and_none_when_the_evening_is_closed(two_leads):
    page = Page(two_leads)
    page.post("/fines", **page.filled_in("/fine?finding=1-0", "/fines"))
    dialog = page.html("/hands/1")
    assert re.findall(r'href="(/fine[^"]*)"', dialog) == ["/fine?finding=1-1"]
    assert dialog.count("The fine is given.") == 1
    two_leads.enter(HandAbandoned(), SessionClosed())
    for path in ("/hands/1", "/"):
        assert "/fine?finding" not in page.html(path)


@pytest.mark.parametrize("finding", ["1-" + "9" * 5000, "9-0", "1-7", "1-x", "1"])
def test_a_finding_that_there_is_not_says_so(two_leads, finding):
    answer = Page(two_leads).client.get(f"/fine?finding={finding}&lang=en")
    assert answer.status_code == 404 and "That flag no longer stands, or" in answer.get_data(as_text=True)


def opened(tmp_path, rules):
    """A hand that Carl deals under `rules`."""
    return open_table(tmp_path, SessionOpened(rules, (), SEATS), HandStarted("Carl"))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_the_dialog_says_of_a_fine_is_what_is_booked(tmp_path, rules):
    table = opened(tmp_path, rules)
    page = Page(table)
    for category in FINE_CATEGORIES:
        dialog = page.text("/fine")
        before = table.session.balances["Bo"]
        assert page.post("/fines", player="Bo", category=category)[0] == 200
        booked = (before - table.session.balances["Bo"]) // 2
        said = f"{category} · {booked} to each pot" if booked else f"{category} · no fine"
        assert said in dialog


@pytest.mark.parametrize(
    ("rules", "said", "fine"),
    [
        ("pagat-2024", "Proposal: major, 20 to each pot.", 20),
        ("pagat-1996", "Proposal: major, 20 to each pot.", 20),
        ("dtf-2011", "Proposal: irrecoverable, 40 to each pot.", 40),
    ],
)
def test_a_card_before_ones_turn_costs_what_its_flag_proposes(tmp_path, rules, said, fine):
    table = opened(tmp_path, rules)
    sees(table, "Anna:S7 Carl:S2")
    page = Page(table)
    before = table.session.balances["Carl"]
    assert said not in page.text("/")  # perhaps the camera missed Bo's card
    sees(table, "Bo:S3")
    assert said in page.text("/")
    assert ("the leader may have the play stopped" in page.text("/")) == (fine == 40)
    assert page.post("/fines", **page.filled_in("/fine?finding=1-0", "/fines"))[0] == 200
    assert table.session.balances["Carl"] == before - 2 * fine


def false_kings(tmp_path, rules):
    """Bo declared kings, and trumps too; Anna leads one of the kings. Under `rules`."""
    table = opened(tmp_path, rules)
    trumps = Combination("trumps", count=10, pagat=True)
    table.enter(Declared("Bo", (KINGS, trumps)), Declared("Anna", (KINGS,)))
    sees(table, "Anna:SR")
    return table


def returned(table):
    """The kinds of combination of which Bo paid back what he had for them."""
    back = [one for one in table.session.hand.payments if one.reason == "declaration_returned"]
    return [one.combination.kind for one in back if one.source == "Bo"]


def test_what_a_wrong_declaration_pays_back_is_ticked_or_said(tmp_path):
    table = false_kings(tmp_path, "pagat-2024")
    page = Page(table)
    dialog = page.filled_in("/fine?finding=1-0", "/fines")
    assert dialog["declaration"] == "kings Bo"
    assert page.post("/fines", **dialog)[0] == 200
    assert returned(table) == ["kings", "kings"]


def test_under_dtf_all_declarations_go_back_and_the_dialog_says_so(tmp_path):
    table = false_kings(tmp_path, "dtf-2011")
    page = Page(table)
    assert "40 to each pot · all declarations are paid back · no ultimo" in page.text("/fine")
    dialog = page.filled_in("/fine?finding=1-0", "/fines")
    assert "declaration" not in dialog
    assert page.post("/fines", **dialog)[0] == 200
    assert returned(table) == ["kings", "kings", "trumps", "trumps"]


def test_another_players_declaration_is_not_paid_back(tmp_path):
    table = false_kings(tmp_path, "pagat-2024")
    page = Page(table)
    dialog = page.filled_in("/fine?player=Bo", "/fines") | {"player": "Anna", "declaration": "kings Bo"}
    status, sentence = page.post("/fines", **dialog, category="misdeclaration")
    assert (status, sentence) == (409, "Anna har ikke meldt det, der skal betales tilbage; intet er skrevet.")
    assert fines(table, 1) == []


def let_pass(page, number, row):
    return page.post(f"/hands/{number}/flags", flag=row.flag)


def test_a_flag_is_let_pass_with_one_tap_and_an_undo_brings_it_back(two_leads):
    page, other = Page(two_leads), Page(two_leads)
    second = view_of(two_leads, "en").open_findings[1]
    assert let_pass(page, 1, second)[0] == 200
    assert flags(two_leads) == ([THIRD], [SECOND]) and fines(two_leads, 1) == []
    assert "Settled without a fine." in page.text("/")
    assert let_pass(other, 1, second)[0] == 409
    assert "Ingen bøde til Bo" in page.text("/undo", "da")
    assert page.post("/undo", seq=two_leads.recorded[-1].seq)[0] == 200
    assert flags(two_leads) == ([THIRD, SECOND], [])


@pytest.mark.parametrize("forged", ["", "Bo", "Anna lead_out_of_turn ORDER 2 H10", "x" * 9000])
def test_a_forged_flag_is_told_and_lets_nothing_pass(two_leads, forged):
    status, sentence = Page(two_leads).post("/hands/1/flags", flag=forged)
    assert status in (400, 409) and sentence.endswith(".")
    assert Page(two_leads).post("/hands/9/flags", flag="Bo lead_out_of_turn ORDER 2 H10")[0] == 409
    assert flags(two_leads) == ([THIRD, SECOND], [])


def test_what_is_in_doubt_is_neither_fined_nor_let_pass(two_leads):
    page = Page(two_leads)
    dialog = page.filled_in("/fine?finding=1-0", "/fines")
    row = view_of(two_leads, "en").open_findings[1]
    two_leads.enter(PlayRemoved(3), PlayInserted(4, "Anna", "S8"))
    sees(two_leads, "Anna:S9 Anna:S10")
    assert view_of(two_leads, "en").alerts
    assert page.post("/fines", **dialog)[0] == 409 and let_pass(page, 1, row)[0] == 409
    assert page.client.get("/fine?finding=1-0").status_code == 404


def test_a_contradiction_is_settled_by_the_fine_of_one_suspect(tmp_path):
    table = opened(tmp_path, "pagat-2024")
    # Bo and Carl both deny spades and trumps: one of them must hold some.
    sees(table, "Anna:S1 Bo:H1 Carl:H2")
    page = Page(table)
    (row,) = view_of(table, "en").open_findings
    assert row.title == "Flag: Bo / Carl" and row.flag == ""
    dialog = page.filled_in(row.fine_href, "/fines")
    assert "player" not in dialog
    assert page.post("/fines", **dialog, player="Anna")[0] == 409
    assert page.post("/fines", **dialog, player="Bo")[0] == 200
    assert [flag.fined for flag in view_of(table, "en").settled_findings] == [True]
    # The revoke that it turns out to be is not fined again.
    sees(table, "Anna:S2 Bo:S3 Carl:D1")
    assert flags(table)[0] == [] and len(fines(table, 1)) == 2


def test_a_folded_flag_has_the_arbiters_button_whose_dialog_is_filled_in(playing):
    """Two taps: the button on the line that folds the flags, and the one that gives the fine."""
    page = Page(playing)
    shown = page.html("/")
    folded = re.search(
        r'class="notice flag folded">.*?</details>\s*<a class="button" href="([^"]*)"', shown, re.DOTALL
    )
    assert folded is not None and page.post("/fines", **page.filled_in(folded[1], "/fines"))[0] == 200
    assert 'class="notice flag folded"' not in page.html("/")


def test_a_fine_that_no_flag_proposes_names_any_hand_of_the_evening(table, page):
    """FINE-4: a fine for an earlier hand goes into the pots as they then stand."""
    for seed, dealer in ((5, "Anna"), (6, "Bo"), (7, "Carl")):
        table.enter(*hand(seed, dealer))
    before = [list(one.payments) for one in table.session.hands[:2]]
    links = re.findall(r'href="(/fine[^"]*)"', page.html("/fine?player=Bo"))
    assert links == ["/fine?hand=2&amp;player=Bo", "/fine?hand=1&amp;player=Bo"], "the last one needs no link"
    page.sent("/fine?hand=1&player=Bo", "/fines", category="minor")
    assert fines(table, 1) == [("Bo", "fine")] * 2 and fines(table, 2) == fines(table, 3) == []
    assert [list(one.payments) for one in table.session.hands[:2]] == before
    assert "Bo is fined: minor (hand 1)" in page.text("/hands/3")
    assert "/fine?hand=2" in page.html("/hands/2") and "/hands/1" in page.html("/more")


def test_a_flag_of_a_settled_evening_waits_for_nobody(playing, page):
    playing.enter(SessionClosed())
    view = view_of(playing, "en")
    assert view.open_findings == [] and len(view.settled_findings) == 1
    shown = page.text("/")
    assert "Settled flags" in shown and "The evening was settled without a fine for it." in shown
    assert not re.search("flags? waits?|Proposal|The table decides|No fine", shown)
    assert "The evening was settled without a fine for it." in page.text("/hands/1")
    assert "Aftenen blev afsluttet, uden at der blev givet bøde." in page.text("/", "da")


def test_a_flag_of_the_hand_before_is_no_longer_shown_once_the_evening_is_settled(next_hand):
    next_hand.enter(HandAbandoned(), SessionClosed())
    shown = Page(next_hand).text("/")
    assert view_of(next_hand, "en").open_findings == [] and "waits" not in shown


@pytest.fixture
def misread(table):
    """Anna was fined for a revoke, and then it turned out that her card of trick 4 was another one. Bo deals next."""
    table.enter(*hand(3, "Carl", revoke_in_trick=4))
    (flag,) = unanswered(table.session).flags[1]
    (play,) = [one.seq for one in table.session.hand.plays if one.card == "S4"]
    page = Page(table)
    page.sent(f"/fine?finding=1-{flag}", "/fines")
    assert fines(table, 1) == [("Anna", "fine"), ("Anna", "fine")] and view_of(table, "en").fines == []
    table.enter(HandStarted("Bo"), PlayCorrected(play, "DV"))
    return page


def test_a_fine_whose_flag_falls_is_asked_about_and_taken_back_with_one_tap(table, misread):
    (row,) = view_of(table, "en").fines
    assert row.title == "Does Anna still have to pay that fine? · Hand 1"
    assert row.text.startswith(
        "Anna is fined: Kulørsvigt: Anna spillede spar 4 til ruder i stik 4"
    )  # as entered
    assert row.text.endswith(". That flag no longer stands, because something was corrected.")
    assert "Take the fine back" in misread.text("/") and unanswered(table.session) == Unanswered(1, {})
    assert misread.post(f"/fines/{row.seq}", stands="no")[0] == 200
    assert fines(table, 1) == [] and view_of(table, "en").fines == []
    assert misread.post(f"/fines/{row.seq}", stands="no")[0] == 409


def test_a_fine_whose_flag_fell_may_stand(table, misread):
    (row,) = view_of(table, "en").fines
    assert misread.post(f"/fines/{row.seq}", stands="yes")[0] == 200
    assert fines(table, 1) == [("Anna", "fine"), ("Anna", "fine")] and view_of(table, "en").fines == []


def test_a_flag_that_comes_back_has_its_fine_again(table, misread):
    assert misread.post("/undo", seq=table.recorded[-1].seq)[0] == 200
    assert view_of(table, "en").fines == [] and unanswered(table.session) == Unanswered(0, {})


@pytest.fixture
def stopped(table):
    """Anna's revoke of trick 4 stopped the hand; then it turned out that her card was another one."""
    started, *cards = hand(3, "Carl", revoke_in_trick=4)
    table.enter(started, *cards[:-9])
    (play,) = [one.seq for one in table.session.hand.plays if one.card == "S4"]
    page = Page(table)
    page.sent("/abandon", "/abandon")
    assert table.session.hand.abandoned and view_of(table, "en").fines == []
    table.enter(PlayCorrected(play, "DV"))
    return page


def test_whether_a_hand_stays_given_up_is_asked_once_the_flag_falls_that_stopped_it(table, stopped):
    (row,) = view_of(table, "en").fines
    assert row.title == "Does the hand stay abandoned?"
    assert row.text == "Hand abandoned. That flag no longer stands, because something was corrected."
    assert "Play on" in stopped.text("/") and unanswered(table.session) == Unanswered(1, {})
    assert stopped.post(f"/ends/{row.seq}", stands="no")[0] == 200
    assert table.session.under_way and view_of(table, "en").fines == []
    assert stopped.post(f"/ends/{row.seq}", stands="no")[0] == 409


def test_a_hand_may_stay_given_up_though_the_flag_fell(table, stopped):
    (row,) = view_of(table, "en").fines
    assert stopped.post(f"/ends/{row.seq}", stands="yes")[0] == 200
    assert table.session.hand.abandoned and view_of(table, "en").fines == []


def test_a_hand_that_was_given_up_for_a_flag_is_not_asked_about_once_the_next_is_dealt(table, stopped):
    table.enter(HandStarted("Anna"))
    assert view_of(table, "en").fines == [] and unanswered(table.session) == Unanswered(0, {})


def test_a_hand_that_was_given_up_without_a_flag_is_not_asked_about(table, page):
    started, *cards = hand(3, "Carl")
    table.enter(started, *cards[:-9])
    page.sent("/abandon", "/abandon")
    table.enter(PlayCorrected(table.session.hand.plays[-1].seq, cards[-1].card))
    assert table.session.hand.abandoned and view_of(table, "en").fines == []


def test_a_flag_that_was_let_pass_and_falls_is_not_asked_about(table, page):
    table.enter(*hand(3, "Carl", revoke_in_trick=4))
    (finding,) = table.session.hand.findings
    assert page.post("/hands/1/flags", flag=f"Anna {finding.name}")[0] == 200
    (play,) = [one.seq for one in table.session.hand.plays if one.card == "S4"]
    table.enter(PlayCorrected(play, "DV"))
    assert table.session.hand.findings == [] and view_of(table, "en").fines == []
