"""The camera was away in the middle of a hand: the page asks what was missed, and flags nobody meanwhile."""

import pytest
from webui_camera import sees
from webui_page import Page, view_of

from tracker.events import HandAbandoned, HandStarted, TrickTaken, Unwatched
from webui.table.live import LiveTable


@pytest.fixture
def missed_lead(table: LiveTable) -> LiveTable:
    """Nobody watched while Anna led the ace of hearts to trick 2; all three played by the rules."""
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Bo:S2 Carl:S3")
    sees(table, Unwatched(), "Bo:H3 Carl:H2 Anna:S8 Bo:S4 Carl:S5 Anna:H6")
    return table


def gap_of(table):
    (gap,) = table.session.hand.gaps
    return gap.seq


def first_card_after(table):
    return next(play.seq for play in table.session.hand.plays if play.card == "H3")


def test_nobody_is_flagged_while_cards_may_be_missing(missed_lead):
    view = view_of(missed_lead, "en")
    assert {finding.kind for finding in missed_lead.session.hand.findings} == {"revoke", "lead_out_of_turn"}
    assert view.open_findings and all(row.unsure for row in view.open_findings)
    assert not any(row.fine_href or row.proposal for row in view.open_findings)
    assert not any(play.flag for play in view.felt.trick)
    assert "mark flagged" not in Page(missed_lead).html("/")


def test_the_question_is_asked_in_danish_and_in_english(missed_lead):
    page = Page(missed_lead)
    assert "Gik kameraet glip af noget?" in page.text("/", "da")
    english = page.text("/")
    assert "Did the camera miss anything?" in english and "hand 1, trick 2" in english
    assert "Nothing is missing" in english and "Unsettled: Anna" in english
    assert "Cards may be missing: the camera saw nothing for a while." in english


def test_one_tap_says_that_nothing_was_played_and_the_flags_stand(missed_lead):
    page = Page(missed_lead)
    assert page.post(f"/gaps/{gap_of(missed_lead)}")[0] == 200
    view = view_of(missed_lead, "en")
    assert view.questions == []
    assert view.open_findings and all(row.fine_href for row in view.open_findings)


def test_the_missed_card_is_entered_and_nobody_did_wrong(missed_lead):
    page = Page(missed_lead)
    (question,) = view_of(missed_lead, "en").questions
    assert question.enter_href == f"/unseen/{gap_of(missed_lead)}"
    assert page.client.get(question.enter_href).status_code == 200
    assert page.post(f"{question.enter_href}/card", player="Anna", card="H1")[0] == 200
    assert view_of(missed_lead, "en").questions == [question]
    assert page.post(f"/gaps/{gap_of(missed_lead)}")[0] == 200
    view = view_of(missed_lead, "en")
    assert view.questions == view.open_findings == []


def test_cards_missed_before_any_was_seen_again_are_entered_as_played_now(table):
    page = Page(table)
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Bo:S2 Carl:S3")
    sees(table, "", Unwatched())
    for player, card in (("Anna", "H1"), ("Bo", "H3")):
        (question,) = view_of(table, "en").questions
        assert page.post(f"{question.enter_href}/card", player=player, card=card)[0] == 200
    sees(table, "Carl:H2")
    assert [[play.card for play in trick.plays] for trick in table.session.hand.tricks][1:] == [
        ["H1", "H3", "H2"]
    ]


def test_missed_cards_are_entered_before_the_first_card_seen_though_it_could_not_be_counted(table):
    page = Page(table)
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7")
    sees(table, "", Unwatched())
    sees(table, "Anna:H1 Bo:H3 Carl:H2")  # Bo's and Carl's spades were missed
    (question,) = view_of(table, "en").questions
    for player, card in (("Bo", "S2"), ("Carl", "S3")):
        assert page.post(f"{question.enter_href}/card", player=player, card=card)[0] == 200
    tricks = [[play.card for play in trick.plays] for trick in table.session.hand.tricks]
    assert tricks == [["S7", "S2", "S3"], ["H1", "H3", "H2"]] and not table.session.alerts


def test_what_was_known_before_the_gap_stays_flagged(playing):
    (finding,) = playing.session.hand.findings
    assert finding.known_at is not None and finding.known_at[0] < 7
    sees(playing, "", Unwatched())
    (row,) = view_of(playing, "en").open_findings
    assert row.fine_href and not row.unsure


def test_who_took_a_trick_is_not_doubted_while_cards_may_be_missing(missed_lead):
    # Anna's spade won the trick; without the missed lead her heart seems to be of it, and Carl's spade to win.
    sees(missed_lead, "", TrickTaken("Anna", time_s=2.0))
    assert [alert.kind for alert in missed_lead.session.alerts] == ["trick_taken_by_wrong_player"]
    assert view_of(missed_lead, "en").alerts == []
    Page(missed_lead).post(f"/gaps/{gap_of(missed_lead)}")
    assert len(view_of(missed_lead, "en").alerts) == 1


def test_a_forged_or_a_second_answer_is_told_and_changes_nothing(missed_lead):
    page = Page(missed_lead)
    gap = gap_of(missed_lead)
    for forged in (first_card_after(missed_lead), 1, 999):
        status, sentence = page.post(f"/gaps/{forged}")
        assert status == 409 and sentence.endswith(".")
    assert gap_of(missed_lead) == gap
    assert page.post(f"/gaps/{gap}")[0] == 200
    stored = len(missed_lead.recorded)
    assert page.post(f"/gaps/{gap}")[0] == 409
    page.token = "guessed"
    assert page.post(f"/gaps/{gap}")[0] == 403
    assert len(missed_lead.recorded) == stored


def test_an_undo_never_undoes_a_gap(table):
    page = Page(table)
    page.post("/hands", dealer="Carl")
    page.post("/declarations", player="Anna", **{"pass": 1})
    entered = table.recorded[-1].seq
    sees(table, "Anna:S7")
    sees(table, "", Unwatched())
    assert page.post("/undo", seq=gap_of(table))[0] == 409
    assert "Anna declares pass" in page.text("/undo")
    assert page.post("/undo", seq=entered)[0] == 200


def test_a_wrong_answer_is_undone_and_the_question_is_asked_again(missed_lead):
    page = Page(missed_lead)
    (question,) = view_of(missed_lead, "en").questions
    page.post(f"/gaps/{gap_of(missed_lead)}")
    answered = missed_lead.recorded[-1].seq
    assert "A question settled" in page.text("/undo")
    assert page.post("/undo", seq=answered)[0] == 200
    assert view_of(missed_lead, "en").questions == [question]
    # That the answer was undone is no entry.
    assert "Nothing has been entered" in page.text("/undo")


def test_a_card_that_was_set_aside_by_mistake_is_asked_about_again(table):
    page = Page(table)
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Anna:S8")
    (alert,) = table.session.alerts
    page.post(f"/alerts/{alert.seq}")
    assert table.session.alerts == []
    assert page.post("/undo", seq=table.recorded[-1].seq)[0] == 200
    assert table.session.alerts == [alert]


def test_a_gap_of_an_earlier_hand_names_that_hand_and_takes_no_card_into_this_one(table):
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Bo:S2 Carl:S3")
    sees(table, "", Unwatched())
    table.enter(HandAbandoned(), HandStarted("Anna"))
    (question,) = view_of(table, "en").questions
    assert "hand 1, trick 2" in question.text and question.enter_href == ""
    assert Page(table).post(f"/gaps/{question.seq}")[0] == 200
    assert view_of(table, "en").questions == []


@pytest.fixture
def ended_early(table: LiveTable) -> LiveTable:
    """The camera saw two tricks of the first hand, and then the next hand begin."""
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:S7 Bo:S2 Carl:S3 Anna:H2 Bo:H3 Carl:H4")
    sees(table, Unwatched(), HandAbandoned(time_s=90.0), HandStarted(), "Bo:C2 Carl:C3 Anna:C4")
    return table


def test_a_hand_that_the_camera_saw_end_early_is_asked_about(ended_early):
    page = Page(ended_early)
    (question,) = view_of(ended_early, "en").questions
    assert question.title == "Did hand 1 end early?"
    assert "saw 2 tricks of that hand" in question.text
    assert "Sluttede spil 1 før tid?" in page.text("/", "da")
    assert page.post(f"/gaps/{question.seq}")[0] == 200
    assert view_of(ended_early, "en").questions == []
    assert [hand.abandoned for hand in ended_early.session.hands] == [True, False]


def test_what_was_missed_of_a_hand_that_ended_early_is_entered_under_it(ended_early):
    """Once all its tricks are told the hand is over like any other, and it is counted."""
    page = Page(ended_early)
    (question,) = view_of(ended_early, "en").questions
    first, second = ended_early.session.hands
    for number in range(3, first.cards_each + 1):
        assert page.post(f"{question.enter_href}/won", player="Anna", seen=str(number))[0] == 200
    first, second = ended_early.session.hands
    assert first.complete and not first.abandoned and not first.gaps
    assert [play.card for play in second.plays] == ["C2", "C3", "C4"]
    assert view_of(ended_early, "en").questions == [] and not ended_early.session.alerts


def test_a_hand_that_the_camera_thought_over_goes_on_with_one_tap(ended_early):
    page = Page(ended_early)
    (question,) = view_of(ended_early, "en").questions
    assert question.goes_on
    assert page.post(f"/gaps/{question.seq}", goes_on="yes")[0] == 200
    (hand,) = ended_early.session.hands
    assert [play.card for play in hand.plays][-3:] == ["C2", "C3", "C4"]
    assert not hand.gaps and not hand.abandoned


def test_once_it_is_said_who_dealt_the_next_hand_the_one_before_goes_on_no_more(ended_early):
    page = Page(ended_early)
    assert page.post("/hands/2/dealer", dealer="Anna")[0] == 200
    (question,) = view_of(ended_early, "en").questions
    assert not question.goes_on
    assert page.post(f"/gaps/{question.seq}", goes_on="yes")[0] == 409
