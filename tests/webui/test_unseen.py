"""What the camera did not see: a card is added, or tricks are told by who won them, and the table is back in step."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from webui_camera import sees
from webui_deals import OPENED, hand
from webui_page import Page, view_of
from webui_table import NAMES, open_table

from tracker.danish.session import DanishSession
from tracker.events import (
    CardPlayed,
    HandStarted,
    PlaysTakenBack,
    SessionClosed,
    SessionOpened,
    TrickMissed,
    TrickTaken,
    Unwatched,
)
from tracker.french.game import FRENCH
from tracker.games import game_of, read_session
from tracker.session import Session
from tracker.session_file import export
from webui.bench.dealing_french import hand_of_french
from webui.commands.film import dealt_hands
from webui.people.roles import Role
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable


def trick(table: LiveTable, cards: str, taker: str = "") -> None:
    """The camera sees a trick that is played and taken: who led first."""
    sees(table, cards)
    winner = table.session.hand.tricks[-1].winner
    sees(table, TrickTaken(taker or winner or cards.partition(":")[0], time_s=9.0))


@pytest.fixture
def out_of_step(table: LiveTable) -> LiveTable:
    """Carl's card to trick 2 was not seen; Anna won all tricks, and everything was swept to her."""
    table.enter(HandStarted("Carl"))
    for cards in ("Anna:SR Bo:S2 Carl:S3", "Anna:HR Bo:H3", "Anna:DR Bo:D2 Carl:D3", "Anna:CR Bo:C2 Carl:C3"):
        trick(table, cards, "Anna")
    return table


def test_questions_with_one_cause_are_one_and_it_names_its_trick(out_of_step: LiveTable) -> None:
    assert len(out_of_step.session.alerts) == 3
    (row,) = view_of(out_of_step, "en").alerts
    assert row.title == "Trick 2" and "trick 2 before it was complete" in row.text
    assert "This leads to 2 more questions" in row.text
    page = Page(out_of_step).text("/")
    assert "Add the card" in page and "Open the trick" in page and "Nothing is missing" in page


def test_the_card_that_is_added_puts_everything_after_it_back_in_step(out_of_step: LiveTable) -> None:
    page = Page(out_of_step, Role.PLAYER, "Bo")
    (row,) = view_of(out_of_step, "en").alerts
    dialog = page.html(row.enter_href)
    assert 'value="Carl" checked' in dialog and 'value="Anna" checked' not in dialog
    assert "data-stay" not in dialog, "what waits in the queue is played to the trick on the table"
    assert "panel panel-H first" in dialog, "hearts were led to that trick"
    assert page.post(f"{row.enter_href}/card", player="Carl", card="H4")[0] == 200
    assert out_of_step.session.alerts == [] and view_of(out_of_step, "en").alerts == []
    assert [len(one.plays) for one in out_of_step.session.hand.tricks] == [3, 3, 3, 3]


def test_a_typed_number_is_of_the_suit_of_the_trick_that_it_is_missing_from(out_of_step: LiveTable) -> None:
    sees(out_of_step, "Anna:D9")
    (row,) = view_of(out_of_step, "en").alerts
    assert Page(out_of_step).post(f"{row.enter_href}/card", player="Carl", typed="4")[0] == 200
    assert [play.card for play in out_of_step.session.hand.tricks[1].plays] == ["HR", "H3", "H4"]


def test_a_card_that_nobody_remembers_is_left_unknown(out_of_step: LiveTable) -> None:
    page = Page(out_of_step)
    (row,) = view_of(out_of_step, "en").alerts
    assert page.post(f"{row.enter_href}/won", player="Anna")[0] == 200
    tricks = out_of_step.session.hand.tricks
    assert out_of_step.session.alerts == []
    assert [(one.unseen, one.winner) for one in tricks] == [(unseen, "Anna") for unseen in (0, 1, 0, 0)]
    told = next(one for one in view_of(out_of_step, "en").history.tricks if one.number == 2)
    assert page.client.get(told.unseen_href).status_code == 200
    # It is remembered after all.
    assert page.post(f"{told.unseen_href}/card", player="Carl", card="H4")[0] == 200
    assert out_of_step.session.hand.unseen_tricks == [] and out_of_step.session.alerts == []


def test_nothing_is_missing_settles_all_that_came_of_it(table: LiveTable) -> None:
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:SR Bo:S2", TrickTaken("Anna", time_s=1.0), TrickTaken("Anna", time_s=2.0))
    (row,) = view_of(table, "en").alerts
    assert row.label == "Nothing is missing"
    assert Page(table).post(f"/alerts/{row.seq}")[0] == 200
    assert table.session.alerts == [] and len(table.session.hand.trick.plays) == 2


def test_a_trick_taken_rightly_ends_what_follows_from_one_cause(table: LiveTable) -> None:
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:SR Bo:S2", TrickTaken("Anna", time_s=1.0))
    trick(table, "Carl:S3")
    sees(table, "Anna:HR Bo:H2", TrickTaken("Anna", time_s=4.0))
    assert [row.title for row in view_of(table, "en").alerts] == ["Trick 1", "Trick 2"]


# ---- the next trick begins, and nobody has said anything ----


@pytest.fixture
def goes_on(table: LiveTable) -> LiveTable:
    """Carl's card to trick 2 was not seen, and Anna led the next trick, which the camera saw."""
    table.enter(HandStarted("Carl"))
    trick(table, "Anna:SR Bo:S2 Carl:S3")
    trick(table, "Anna:HR Bo:H3", "Anna")
    sees(table, CardPlayed("Anna", "DR", time_s=12.0, new_trick=True))
    trick(table, "Bo:D2 Carl:D3")
    return table


def test_after_a_trick_that_is_short_of_a_card_the_next_one_begins_with_its_lead(goes_on: LiveTable) -> None:
    hand = goes_on.session.hand
    assert [(len(one.plays), one.unseen, one.winner) for one in hand.tricks] == [
        (3, 0, "Anna"),
        (2, 1, "Anna"),
        (3, 0, "Anna"),
    ]
    (row,) = view_of(goes_on, "en").alerts
    assert "trick 2 before it was complete" in row.text, "people are still asked for the card"
    file = export(goes_on.recorded, type(goes_on.session))
    again = read_session(json.dumps(file))[1].session()
    assert [one.unseen for one in again.hands[0].tricks] == [0, 1, 0]


@pytest.mark.parametrize("asked_by", ["the question", "the history"])
def test_the_card_that_is_added_later_completes_its_trick(goes_on: LiveTable, asked_by: str) -> None:
    view = view_of(goes_on, "en")
    told = next(one for one in view.history.tricks if one.number == 2)
    href = view.alerts[0].enter_href if asked_by == "the question" else told.unseen_href
    assert Page(goes_on).post(f"{href}/card", player="Carl", card="H4")[0] == 200
    hand = goes_on.session.hand
    assert [len(one.plays) for one in hand.tricks] == [3, 3, 3] and hand.unseen_tricks == []
    assert goes_on.session.alerts == []


def test_people_may_say_that_another_won_the_trick_that_is_short_of_a_card(goes_on: LiveTable) -> None:
    told = next(one for one in view_of(goes_on, "en").history.tricks if one.number == 2)
    assert Page(goes_on).post(f"{told.unseen_href}/won", player="Carl")[0] == 200
    hand = goes_on.session.hand
    assert [(len(one.plays), one.winner) for one in hand.tricks[:2]] == [(3, "Anna"), (2, "Carl")]
    assert [len(one.plays) for one in hand.tricks] == [3, 2, 3]


def test_a_trick_of_which_people_say_that_nothing_is_missing_goes_on(table: LiveTable) -> None:
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:SR Bo:S2", TrickTaken("Bo", time_s=1.0))
    sees(table, CardPlayed("Carl", "S3", time_s=3.0, new_trick=True))
    assert [len(one.plays) for one in table.session.hand.tricks] == [2, 1]
    (row,) = view_of(table, "en").alerts
    assert Page(table).post(f"/alerts/{row.seq}")[0] == 200
    (one,) = table.session.hand.tricks
    assert [play.card for play in one.plays] == ["SR", "S2", "S3"] and one.winner == "Anna"


def test_a_lead_that_is_taken_back_leaves_the_trick_before_it_closed(goes_on: LiveTable) -> None:
    sees(goes_on, "Anna:CR", PlaysTakenBack(4, time_s=13.0), "Anna:C2")
    hand = goes_on.session.hand
    assert [[play.card for play in one.plays] for one in hand.tricks[1:]] == [["HR", "H3"], ["C2"]]


def test_a_card_that_says_it_begins_a_trick_joins_one_that_nobody_took(table: LiveTable) -> None:
    table.enter(HandStarted("Carl"))
    sees(table, "Anna:SR", CardPlayed("Bo", "S2", time_s=3.0, new_trick=True))
    (one,) = table.session.hand.tricks
    assert [play.card for play in one.plays] == ["SR", "S2"]


# ---- the camera was blind for some tricks ----


def blind(table: LiveTable, seen_before: int, missed: int) -> list[CardPlayed]:
    """A legal hand of which the camera did not see so many tricks after some that it saw; the plays of those."""
    plays = [event for event in hand(3)[1:] if isinstance(event, CardPlayed)]
    table.enter(HandStarted("Anna"))
    first, last = 3 * seen_before, 3 * (seen_before + missed)
    for event in plays[:first]:
        sees(table, event)
    sees(table, Unwatched())
    for event in plays[last:]:
        sees(table, event)
    return list(plays[first:last])


def winners(missed: list[CardPlayed]) -> list[str]:
    """Who won the tricks that were missed."""
    session = DanishSession(OPENED)
    for event in hand(3):
        session.apply(event)
    return [
        one.winner or "" for one in session.hands[0].tricks if one.plays[0].card in {e.card for e in missed}
    ]


@pytest.mark.parametrize(("role", "fair_play"), [(Role.HOST, False), (Role.PLAYER, True)])
def test_missed_tricks_are_told_by_their_winners_in_a_few_taps(
    table: LiveTable, role: Role, fair_play: bool
) -> None:
    table.choose(fair_play=fair_play)
    missed = blind(table, 6, 4)
    page = Page(table, role, "Bo")
    (question,) = view_of(table, "en").questions
    assert "trick 7" in question.text and view_of(table, "en").alerts == []
    for number, winner in enumerate(winners(missed), start=7):
        dialog = page.client.get(question.enter_href, query_string={"lang": "en"}).get_data(as_text=True)
        assert f"Who won trick {number}?" in dialog and f"holds {26 - number} cards" in dialog
        assert page.post(f"{question.enter_href}/won", player=winner, seen=str(number))[0] == 200
    hand = table.session.hand
    assert hand.complete and hand.unseen_tricks == [7, 8, 9, 10]
    assert table.session.alerts == [] and not hand.findings
    assert sum(table.session.balances.values()) + sum(table.session.pots.values()) == 0
    view = view_of(table, "en")
    assert view.questions == [] and view.open_findings == []
    assert "points are not counted" in " ".join(view.result.endings)


def test_missed_tricks_are_named_card_by_card_and_the_hand_counts_as_seen_whole(table: LiveTable) -> None:
    missed = blind(table, 6, 2)
    page = Page(table)
    (question,) = view_of(table, "en").questions
    for play in missed:
        assert page.post(f"{question.enter_href}/card", player=play.player, card=play.card)[0] == 200
    page.post(f"/gaps/{question.seq}")
    assert table.session.hand.points is not None and table.session.alerts == []


@pytest.mark.parametrize("on_table", [0, 1])
def test_at_a_table_without_a_camera_a_trick_that_nobody_knows_is_told_by_its_winner(
    table: LiveTable, on_table: int
) -> None:
    plays = [event for event in hand(3)[1:] if isinstance(event, CardPlayed)]
    table.enter(HandStarted("Anna"), *plays[: 6 + on_table])
    page = Page(table, Role.PLAYER, "Bo")
    assert "/unseen" in page.html("/play")
    dialog = page.text("/unseen")
    assert "Who won trick 3?" in dialog and "holds 23 cards before trick 3" in dialog
    (winner,) = winners(plays[6:9])
    assert page.sent("/unseen", "/unseen/won", player=winner)["dialog"] == "/unseen"
    assert page.post("/unseen/won", seen="3", player=winner)[0] == 409, "another phone told it too"
    assert f"Trick 3: {winner} won it" in page.text("/unseen")
    table.enter(*plays[9:])
    now = table.session.hand
    assert now.complete and now.unseen_tricks == [3] and table.session.alerts == []
    assert sum(table.session.balances.values()) + sum(table.session.pots.values()) == 0
    page.html("/unseen", 409)


def test_where_a_camera_watches_it_asks_for_what_it_missed_and_nobody_tells_it_unasked(
    table: LiveTable,
) -> None:
    table.enter(*hand(3)[:8])
    table.camera.set_status(CameraStatus("seeing"))
    page = Page(table)
    assert '/unseen"' not in page.html("/play")
    page.html("/unseen", 409)


def test_a_tap_from_a_dialog_that_is_out_of_date_tells_no_other_trick(table: LiveTable) -> None:
    blind(table, 6, 4)
    page = Page(table)
    (question,) = view_of(table, "en").questions
    assert page.post(f"{question.enter_href}/won", player="Bo", seen="7")[0] == 200
    assert page.post(f"{question.enter_href}/won", player="Bo", seen="7")[0] == 409
    assert table.session.hand.unseen_tricks == [7]


def test_another_winner_is_told_and_the_pages_show_what_is_unknown(table: LiveTable) -> None:
    blind(table, 6, 1)
    page = Page(table)
    (question,) = view_of(table, "en").questions
    page.post(f"{question.enter_href}/won", player="Bo")
    told = next(one for one in view_of(table, "en").history.tricks if one.number == 7)
    page.post(f"{told.unseen_href}/won", player="Carl")
    (unseen,) = [one for one in table.session.hand.tricks if one.unseen]
    assert (unseen.number, unseen.winner) == (7, "Carl")
    page.post(f"/gaps/{question.seq}")
    for path in ("history/1", "history/1/hands/1", "hands/1", "hands/1/tricks/7", "audit", "learn"):
        assert page.client.get(f"/{path}").status_code in (200, 302), path
    assert "not seen" in page.text("/")
    page.post("/undo", seq=unseen.closed_by)


EACH_GAME = pytest.mark.parametrize(
    ("rules", "seats"),
    [("pagat-2024", 3), ("tarot-1659", 4), ("american-tarock", 4), ("french-tarot", 4)],
    ids=["Danish Tarok", "Tarot of 1659", "American Tarock", "French Tarot"],
)


def whole_hand(rules: str, seats: int) -> Session[Any, Any]:
    """A session with one hand that was played to its end."""
    names = NAMES[:seats]
    if rules != "french-tarot":
        return dealt_hands(12, names, (rules, ()))
    whole: Session[Any, Any] = FRENCH.session(SessionOpened(rules, (), names), strict=True)
    for event in hand_of_french(random.Random(10), whole.opened, "garde"):
        whole.apply(event)
    return whole


@EACH_GAME
def test_a_hand_is_over_with_its_last_trick_though_a_card_of_that_was_not_seen(
    tmp_path: Path, rules: str, seats: int
) -> None:
    whole = whole_hand(rules, seats)
    missed = whole.hand.plays[-1]
    events = [event for event, seq in whole.hand.entries if seq != missed.seq]
    table = open_table(tmp_path, whole.opened, HandStarted(whole.hand.dealer), *events)
    assert table.session.under_way
    sees(table, TrickTaken(whole.hand.tricks[-1].winner, time_s=99.0))
    hand = table.session.hand
    assert hand.complete and hand.unseen_tricks == [hand.cards_each]
    (row,) = view_of(table, "en").alerts
    assert f"trick {hand.cards_each} before it was complete; is a card missing?" in row.text
    again = read_session(json.dumps(export(table.recorded, type(table.session))))[1].session()
    assert again.hands[0].tricks_won == hand.tricks_won and again.balances == table.session.balances
    table.enter(HandStarted())
    whole.apply(HandStarted())
    assert Page(table).post(f"{row.enter_href}/card", player=missed.player, card=missed.card)[0] == 200
    assert table.session.hands[0].unseen_tricks == [] and table.session.alerts == []
    assert table.session.balances == whole.balances


@EACH_GAME
def test_a_hand_of_each_game_with_unseen_tricks_is_shown_and_kept(
    tmp_path: Path, rules: str, seats: int
) -> None:
    whole = whole_hand(rules, seats)
    tricks = whole.hands[0].tricks
    unseen = {play.seq: one for one in (tricks[1], tricks[-1]) for play in one.plays}
    table = open_table(tmp_path, whole.opened, HandStarted(whole.hands[0].dealer))
    for event, seq in whole.hands[0].entries:
        if seq not in unseen:
            table.enter(event)
        elif seq == unseen[seq].plays[-1].seq:
            table.enter(TrickMissed(None, unseen[seq].winner or ""))
    hand = table.session.hand
    assert hand.complete and hand.tricks_won == whole.hands[0].tricks_won
    page = Page(table)
    said = page.text("/")
    assert "not counted" in said and "points" in said
    table.enter(SessionClosed())
    for path in ("/", "/history", "/history/1", "/history/1/hands/1", "/learn", "/history.csv"):
        assert page.client.get(path).status_code == 200, path
    for lang in ("en", "da"):
        assert game_of(table.session).audit_text(table.session, lang)
    (audited,) = game_of(table.session).audit(table.session)["hands"]
    assert audited["tricks"][1]["unseen"] == len(tricks[1].plays)


def test_a_hand_whose_points_nobody_can_count_is_still_scored_by_the_result_that_the_table_knows(
    tmp_path: Path,
) -> None:
    """In the Tarot of 1659 the pot stays in the middle until somebody says who had most."""
    whole = dealt_hands(10, NAMES[:4], ("tarot-1659", ()))
    *seen, last = whole.hands[0].tricks
    plays = [CardPlayed(play.player, play.card) for one in seen for play in one.plays]
    table = open_table(tmp_path, whole.opened, HandStarted(whole.hands[0].dealer), *plays)
    table.enter(TrickMissed(None, last.winner or ""))
    assert table.session.pots == {"pot": 40} and "Enter the result" not in Page(table, Role.PLAYER).text("/")
    (href,) = re.findall(r'class="button" href="(/tarot1659/result[^"]*)"', Page(table).html("/"))
    Page(table).sent(href, "/tarot1659/result", winner="Bo")
    assert table.session.pots == {"pot": 0} and table.session.balances["Bo"] == 30
    page = Page(table)
    page.post("/undo", seq=table.recorded[-1].seq)
    assert table.session.pots == {"pot": 40} and table.session.hand.unseen_tricks == [len(seen) + 1]
