"""Learning: the review of a hand and the questions about it, as pages; the table's practice is in `test_practice`."""

import html
import re

import pytest
from webui_deals import hand
from webui_page import Page

from tracker.danish.events import Declared
from tracker.events import CardPlayed, HandStarted
from webui.people.roles import Role
from webui.table.live import LiveTable


@pytest.fixture
def over(table: LiveTable) -> LiveTable:
    """A whole hand with a revoke in trick 4, and a second one that is played: fair play hides it."""
    started, *plays = hand(3, revoke_in_trick=4)
    table.enter(started, Declared("Anna", ()), *plays)
    table.enter(HandStarted("Bo"))
    return table


def test_the_review_says_what_could_be_known_after_each_play(over: LiveTable) -> None:
    page = Page(over, Role.PLAYER, "Bo")
    for after in (0, 1, 12, 40, 74, 75):
        said = page.text(f"/history/1/hands/1/review?after={after}")
        seen = {play.card for play in over.session.hands[0].plays[:after]}
        trumps = sum(card[0] in "TF" for card in seen)
        assert f"after play {after} of 75" in said
        assert f"Trumps seen {trumps} still out {22 - trumps}" in said


def test_the_review_tells_flags_and_when_they_were_certain(over: LiveTable) -> None:
    page = Page(over, Role.PLAYER, "Bo")
    (finding,) = (one for one in over.session.hands[0].findings if one.kind == "revoke")
    at = finding.known_at[1]
    before = page.text(f"/history/1/hands/1/review?after={at - 1}")
    assert f"certain after play {at}" in before and "certain by now" not in before
    assert "certain by now" in page.text(f"/history/1/hands/1/review?after={at}")


def test_the_review_tells_the_declarations_that_were_missed(table: LiveTable) -> None:
    started, *plays = hand(0)
    table.enter(started, *(Declared(name, ()) for name in ("Anna", "Bo", "Carl")), *plays)
    missing = [one for one in table.session.hand.findings if one.kind == "declaration_missing"]
    assert len(missing) == 3
    body = Page(table).client.get("/history/1/hands/1/review?after=0&lang=en").get_data(as_text=True)
    told = body.partition("Missed declarations</h2>")[2]
    for one in missing:
        assert one.player in told and f"certain after play {one.known_at[1]}<" in told
    assert "Before the first card" in body


def test_the_review_shows_the_hands_as_they_were(over: LiveTable) -> None:
    body = Page(over).client.get("/history/1/hands/1/review?after=72&lang=en").get_data(as_text=True)
    shown = re.findall(r"/cards/(\w+)\.png", body.partition('id="truth"')[2].partition("</details>")[0])
    last = [play.card for play in over.session.hands[0].plays[72:]]
    assert set(last) <= set(shown) and len(shown) == 6  # and the skat


def test_the_hand_that_is_played_is_neither_reviewed_nor_asked_about(over: LiveTable) -> None:
    over.choose(fair_play=True)
    page = Page(over, Role.PLAYER, "Bo")
    for path in ("review", "drill"):
        assert page.client.get(f"/history/1/hands/1/{path}").status_code == 200
        assert page.client.get(f"/history/1/hands/2/{path}").status_code == 404
    assert "/history/1/hands/1/review" in page.client.get("/review").headers["Location"]
    assert "Hand 1" in page.text("/learn") and "Hand 2" not in page.text("/learn")


def test_the_newest_hand_stands_first_among_the_lessons_and_in_the_ledger(over: LiveTable) -> None:
    over.enter(*hand(2, "Bo")[1:])
    page = Page(over)
    for path in ("/learn", "/ledger"):
        assert re.findall(r"Hand (\d)", page.text(path))[:2] == ["2", "1"], path


def test_a_hand_that_is_played_in_the_open_is_counted_but_not_yet_looked_at_again(over: LiveTable) -> None:
    over.choose(fair_play=False)
    over.enter(CardPlayed(over.session.hand.active[0], "S7"))
    shown = Page(over).html("/learn")
    assert "/history/1/hands/1/replay" in shown and "/history/1/hands/2/review" in shown
    assert "/history/1/hands/2/replay" not in shown


FORM = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
# Where the sentence below a question says what would have been right.
SAID = {
    "trumps": r"Still out: (\d+)",
    "void": r"(\w+) has no more",
    "holds": r"Most likely: (the skat|\w+)",
}


def test_ten_questions_answered_right_have_a_score_of_ten(over: LiveTable) -> None:
    """Each is answered wrongly first, which tells the answer, and then rightly."""
    client, path = Page(over).client, "/history/1/hands/1/drill"
    fields = {"seed": "7", "at": "0", "right": "0", "spent": "0"}
    kinds = set()
    for number in range(10):
        body = client.get(path, query_string={**fields, "lang": "en"}).get_data(as_text=True)
        assert f"Question {number + 1} of 10" in body
        sent = dict(FORM.findall(body)) | {"asked": "0"}
        wrong = client.get(path, query_string={**sent, "answer": "99", "lang": "en"}).get_data(as_text=True)
        said = html.unescape(re.search(r"<b>That is wrong:</b> ([^<]*)</p>", wrong)[1])
        kind = "void" if "tick no name" in body else "trumps" if 'type="number"' in body else "holds"
        kinds.add(kind)
        answer = re.findall(SAID[kind], said)
        answer = [{"the skat": "skat"}.get(name, name) for name in answer]
        right = client.get(path, query_string={**sent, "answer": answer, "lang": "en"}).get_data(as_text=True)
        assert "That is right:" in right, (number, said)
        fields = dict(re.findall(r"(\w+)=([\d.]+)", re.search(r'id="go-on" href="([^"]*)"', right)[1]))
    assert kinds == {"void", "trumps", "holds"}
    score = Page(over).text("/history/1/hands/1/drill?" + "&".join(f"{k}={v}" for k, v in fields.items()))
    assert "10 of 10 right" in score and "seconds for a question" in score


def test_a_lesson_is_called_by_the_number_of_its_questions(all_games: Page) -> None:
    asked = {}
    for evening in all_games.table.kept.all():
        path = f"/history/{evening.id}/hands/1"
        count = int(re.search(r"Question 1 of (\d+)", all_games.text(f"{path}/drill"))[1])
        name = f"{count} questions"
        assert name in all_games.html(f"{path}/drill").partition("</title>")[0]
        assert all(f'/drill">{name}</a>' in all_games.html(shown) for shown in (path, f"{path}/review"))
        asked[evening.id] = count
        assert f'href="{path}/drill">{name}</a>' in all_games.html("/learn")
    assert sorted(asked.values()) == [3, 9, 10, 10]


def test_a_void_that_a_revoke_feigned_is_right_by_the_rules_and_told_apart_from_the_truth(
    over: LiveTable,
) -> None:
    asked = {"seed": "3", "at": "1", "asked": "0", "answer": "Bo", "lang": "en"}
    told = Page(over).client.get("/history/1/hands/1/drill", query_string=asked).get_data(as_text=True)
    assert "That is right:</b> Bo has no more trumps, as the 4 of spades in trick 4 shows." in told
    assert "The rules say so. In fact Bo still had trump 13 (trick 11)." in told


def test_those_who_are_as_likely_to_hold_a_card_have_so_much_each(over: LiveTable) -> None:
    client, path = Page(over).client, "/history/1/hands/1/drill"
    asked = client.get(path, query_string={"seed": "1", "at": "4", "right": "0", "spent": "0"})
    sent = dict(FORM.findall(asked.get_data(as_text=True))) | {"asked": "0", "answer": "99", "lang": "en"}
    told = client.get(path, query_string=sent).get_data(as_text=True)
    assert re.search(r"Most likely: Bo and Carl \([\d.]+ % each\)", told)


ALTERED = "at=-1 at=99 right=nan seed=x spent=inf asked=-5&answered=1 answer=%00 at=² spent=1e400"


@pytest.mark.parametrize("query", ALTERED.split())
def test_an_address_that_was_altered_asks_all_the_same(over: LiveTable, query: str) -> None:
    assert Page(over).client.get(f"/history/1/hands/1/drill?{query}").status_code == 200
    assert Page(over).client.get("/history/1/hands/1/review?after=99999999999").status_code == 200
    assert Page(over).client.get("/history/1/hands/9/drill").status_code == 404


def test_a_hand_of_three_tricks_has_no_questions_and_says_so(table: LiveTable) -> None:
    table.enter(*hand(3)[:7])
    assert "Too little was played" in Page(table).text("/history/1/hands/1/drill")


def test_a_score_is_said_in_words(over: LiveTable) -> None:
    client, path = Page(over).client, "/history/1/hands/1/drill?seed=7&at=10&spent=61"
    for right, language, said in (
        (1, "en", "1 of 10 right"),
        (1, "da", "1 rigtig af 10"),
        (4, "da", "4 rigtige af 10"),
    ):
        assert said in client.get(f"{path}&right={right}&lang={language}").get_data(as_text=True)
