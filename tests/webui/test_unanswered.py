"""What still wants an answer: said alike on every page, and found from each in one tap."""

import re

import pytest
from webui_camera import sees
from webui_page import Page, view_of

from tracker.events import CardPlayed, HandAbandoned, HandStarted, PlayCorrected, SessionClosed, TrickTaken
from tracker.open_questions import Unanswered, unanswered


def questions(table):
    """How many questions the table, the settling dialog and the audit have: all three alike."""
    view, page = view_of(table, "en"), Page(table)
    shown = len(view.questions) + len(view.alerts)
    for path in ("/settle", "/audit"):
        said = re.findall(r"Questions not answered: (\d+)\.", page.text(path))
        assert said == ([str(shown)] if shown else []), path
    assert unanswered(table.session).questions == shown
    return shown


def test_a_question_that_waits_for_another_counts_with_none(table):
    table.enter(HandStarted("Anna"))
    assert questions(table) == 0
    table.enter(CardPlayed("Bo", "H6", alternatives=("HR",), time_s=1.0))
    sees(table, "Carl:H1 Anna:H2", TrickTaken("Bo", time_s=4.0))
    # That Bo took the trick is asked about only if the doubtful card was not the king.
    assert len(table.session.alerts) == 1 and questions(table) == 1
    table.enter(PlayCorrected(3, card="H6"))
    assert questions(table) == 1
    assert view_of(table, "en").alerts[0].text == "Bo took trick 1, but Carl won it."
    Page(table).post(f"/alerts/{table.session.alerts[0].seq}")
    assert questions(table) == 0


def test_a_question_offers_no_card_that_was_surely_played_otherwise(table):
    table.enter(HandStarted("Carl"))
    doubtful = CardPlayed("Anna", "T18", alternatives=("T20", "T21", "T8", "T9"), time_s=1.0)
    table.enter(doubtful, CardPlayed("Bo", "T8", alternatives=("T7",), time_s=2.0))
    sees(table, "Carl:T2 Anna:T20")
    (_, question) = view_of(table, "en").questions
    assert [card for card, _, _ in question.answers] == [
        "T18",
        "T21",
        "T8",
    ]  # the eight may have been another


def test_a_question_says_that_play_goes_on_while_it_does(table):
    table.enter(HandStarted("Carl"), CardPlayed("Anna", "T18", alternatives=("T20",), time_s=1.0))
    said = "Trick 1. The camera read trump 18 but is in doubt."
    assert view_of(table, "en").questions[0].text == f"{said} Play goes on meanwhile."
    table.enter(HandAbandoned())
    assert view_of(table, "en").questions[0].text == said


def test_who_says_that_the_card_was_read_right_is_not_told_that_it_was_corrected(table, page):
    table.enter(HandStarted("Carl"))
    table.enter(CardPlayed("Anna", "T18", alternatives=("T20",), time_s=1.0))
    assert page.post("/questions/3", card="T18") == (200, "Skrevet ind.")


def test_what_waits_for_an_answer_is_not_called_a_flag_and_says_of_which_hand_it_is(table, page):
    table.enter(HandStarted("Carl"), CardPlayed("Anna", "S7", alternatives=("C7",), time_s=1.0))
    sees(table, "Carl:S2 Carl:S3 Bo:S4 Bo:S5")
    assert "2 things are unsettled" in page.text("/") and "flags wait" not in page.text("/")
    assert [alert.title for alert in view_of(table, "en").alerts] == ["Trick 1"]
    table.enter(HandAbandoned(), HandStarted("Anna"))
    view = view_of(table, "en")
    assert [alert.title for alert in view.alerts] == ["Trick 1 · Hand 1"]
    assert view.questions[0].text.startswith("Hand 1, trick 1. The camera read 7 of spades")


@pytest.fixture
def four_hands(table):
    """Bo led out of turn in the first hand, and twice in the second; two more were played by the rules."""
    for leads in ("Bo:H10 Carl:H2 Anna:HV", "Bo:H10 Carl:H2 Anna:HV  Bo:C3 Carl:C2 Anna:C4", "", ""):
        table.enter(HandStarted("Carl"))
        sees(table, f"Anna:S7 Bo:S2 Carl:S3 {leads}")
        table.enter(HandAbandoned())
    return table


@pytest.mark.parametrize("path", ["/", "/ledger", "/settle", "/audit"])
def test_open_flags_of_every_hand_are_one_tap_away(four_hands, path):
    page = Page(four_hands)
    for lang, line in (
        ("en", "Flags that are not settled: hand 1 , hand 2 (2)"),
        ("da", "Påtaler, der ikke er afgjort: spil 1 , spil 2 (2)"),
    ):
        assert line in page.text(path, lang)
    body = page.html(path)
    links = re.findall(r'href="(/hands/\d+)#(finding-[\d-]+)"', body)
    assert links == [("/hands/1", "finding-1-0"), ("/hands/2", "finding-2-0")]
    for hand, flag in links:
        dialog = page.html(hand)
        assert f'id="{flag}"' in dialog and 'id="entry"' in dialog
        for answer in re.findall(r'name="flag" value="([^"]+)"', dialog):
            assert page.post(f"{hand}/flags", flag=answer)[0] == 200
    assert unanswered(four_hands.session) == Unanswered(0, {})
    assert "not settled" not in page.text(path)


def test_the_table_names_only_hands_whose_flags_it_does_not_show(table):
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Bo:S2 Carl:S3 Bo:H10 Carl:H2 Anna:HV")
    for earlier in ([], [], [1]):
        assert [row.hand for row in view_of(table, "en").earlier_flags] == earlier
        table.enter(HandAbandoned(), HandStarted("Carl"))


def test_an_evening_that_is_settled_asks_for_no_fine_and_an_undo_asks_again(four_hands):
    page = Page(four_hands)
    four_hands.enter(SessionClosed())
    assert "not settled" not in page.text("/") + page.text("/ledger")
    page.post("/undo", seq=four_hands.recorded[-1].seq)
    assert set(unanswered(four_hands.session).flags) == {1, 2}
