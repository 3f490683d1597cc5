"""A hand that is over, replayed on the felt, and shared as one file."""

import base64
import gzip
import html
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from webui_deals import OPENED, hand
from webui_history import file_of, sent, with_evenings
from webui_page import Page
from webui_table import open_table

from tracker.danish.events import Adjusted
from tracker.danish.result import ResultEntered
from tracker.events import CardPlayed, HandStarted, SessionClosed
from tracker.games import read_session
from tracker.hand import Hand
from tracker.session import Session
from vision.resources import datasets_dir
from webui.people.roles import Role
from webui.table.live import LiveTable

FILES = {
    "danish": file_of([OPENED, *hand(5, revoke_in_trick=3), *hand(6, "Bo"), SessionClosed()]),
    **{
        name: (datasets_dir() / "demo" / f"{name}.json").read_bytes()
        for name in ("tarot-1659", "american-tarock", "french-tarot")
    },
}
NUMBER = {game: number for number, game in enumerate(FILES, 1)}


@pytest.fixture
def host(empty: LiveTable) -> Page:
    """A table whose history has an evening of each game."""
    return with_evenings(empty, FILES)


def evening(game: str) -> Session[Any, Hand]:
    return read_session(FILES[game])[1].session()


def hands_in(shown: str) -> list[list[tuple[str, str]]]:
    """Of each hand that a page or a file shows, its steps: the felt, and what happened."""
    return [hand["steps"] for hand in packed_in(shown)]


def packed_in(shown: str) -> list[dict[str, Any]]:
    packed = re.search(r'id="steps">([^<]+)<', shown)
    hands: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return hands


def chips_on(felt: str) -> dict[str, int]:
    """What each player has, as his plate on the felt says."""
    plates = re.findall(r"<b>([^<]+)</b>.*?class=\"chips num[^>]*>([^<]+)<", felt, re.DOTALL)
    return {name: int(chips.replace("−", "-")) for name, chips in plates}


@pytest.mark.parametrize("game", FILES)
def test_each_card_lies_on_the_felt_when_it_was_played_and_the_last_step_is_the_result(
    host: Page, game: str
) -> None:
    session = evening(game)
    for one in session.hands:
        if not one.plays:
            continue
        [steps] = hands_in(host.html(f"/history/{NUMBER[game]}/hands/{one.number}/replay"))
        laid = [re.findall(r'data-new="\d+-(\w+)"', felt) for felt, _ in steps]
        newest = [cards for before, cards in pairwise(laid) if cards and cards != before]
        played = [play.card for play in one.plays]
        assert [card for card in played if any(card in cards for cards in newest)] == played
        assert sum(event.__class__ is CardPlayed for event, _ in one.entries) == len(played) <= len(steps)
    if not session.closed and session.hands[-1].plays:
        last = chips_on(steps[-1][0])
        assert last == {name: session.balances[name] for name in last}


def test_a_flag_and_a_payment_stand_at_the_step_where_they_happened(host: Page) -> None:
    session = evening("danish")
    one = session.hands[0]
    finding = next(finding for finding in one.findings if finding.kind == "revoke")
    [shown] = packed_in(host.html("/history/1/hands/1/replay"))
    steps = shown["steps"]
    flagged = [place for place, (_, said) in enumerate(steps) if "flagged-now" in said]
    cards = [place for place, (_, said) in enumerate(steps) if re.search(r"<p>\w+ played ", said)]
    assert flagged == [cards[finding.known_at[1] - 1]] and cards[0] < flagged[0]
    assert [place for place, _ in shown["flags"]] == flagged
    proof = re.findall(r"/cards/(\w+)\.png", steps[flagged[0]][1])
    assert proof == [finding.card, *finding.evidence] and "the offence, trick" in steps[flagged[0]][1]
    assert 'class="pays"' in steps[0][1] and 'class="pays"' not in steps[cards[0]][1]


@pytest.mark.parametrize("named", ["", "?names=1"])
def test_a_replay_and_a_file_say_whether_a_flag_was_fined(tmp_path: Path, named: str) -> None:
    table = open_table(tmp_path, OPENED, *hand(5, revoke_in_trick=3), *hand(6, "Bo", revoke_in_trick=3))
    host = Page(table)

    def told(number: int, said: str) -> bool:
        path = f"/history/1/hands/{number}/replay"
        for shown in (packed_in(host.html(path)), packed_in(host.html(f"{path}.html{named}"))):
            (step,) = [happened for _, happened in shown[0]["steps"] if "flagged-now" in happened]
            if not (said in step and shown[0]["flags"][0][1].endswith(said)):
                return False
        return True

    assert not told(1, "The fine is given.") and not told(2, "Settled without a fine.")
    host.sent("/fine?finding=1-0", "/fines")
    flag = table.session.hands[1].findings[0]
    assert host.post("/hands/2/flags", flag=f"{flag.player} {flag.name}")[0] == 200
    assert told(1, "The fine is given.") and told(2, "Settled without a fine.")
    table.enter(*hand(7, "Carl", revoke_in_trick=3), SessionClosed())
    assert told(3, "The evening was settled without a fine for it.")


def test_a_file_loads_nothing_and_names_nobody(host: Page) -> None:
    for path in ("/history/1/hands/1/replay.html", "/history/1/replay.html"):
        file = host.html(path)
        shown = re.sub(r'data:image[^"]+|id="steps">[^<]+', "", file) + json.dumps(hands_in(file))
        assert not re.search(r"\b(Anna|Bo|Carl)\b", shown) and "Player 1" in shown
        assert not re.search(r'(?:src|href)="(?!data:|/cards/)|url\(|@import|https?://(?!www\.w3\.org)', file)
        assert "default-src 'none'" in file
        pictures = re.search(r'id="pictures">([^<]+)<', file)
        wanted = set(re.findall(r"/cards/\w+\.png", json.dumps(hands_in(file))))
        assert wanted and wanted <= json.loads(pictures[1]).keys()
    assert len(hands_in(file)) == 2


def test_what_was_written_in_words_is_in_no_file_without_names(tmp_path: Path) -> None:
    words = "for Eskild's taxi"
    page = Page(open_table(tmp_path, OPENED, *hand(5), Adjusted("Anna", "Bo", 5, words)))
    path = "/history/1/hands/1/replay.html"
    assert words in html.unescape(json.dumps(hands_in(page.html(f"{path}?names=1"))))
    steps = html.unescape(json.dumps(hands_in(page.html(path))))
    assert words not in steps and "Player 1 gives Player 2" in steps


def test_a_file_says_what_it_is_of_and_its_name_whether_the_players_are_named(host: Page) -> None:
    for path, heading, name in (
        ("/history/4/replay.html", "Mar 7, 2026", "tarok-2026-03-07.html"),
        ("/history/4/replay.html?names=1", "Mar 7, 2026", "tarok-2026-03-07-names.html"),
        ("/history/4/hands/1/replay.html", "Hand 1 · Mar 7, 2026", "tarok-2026-03-07-1.html"),
        ("/history/4/hands/1/replay.html?names=1", "Hand 1 · Mar 7, 2026", "tarok-2026-03-07-1-names.html"),
    ):
        assert f"<h1>{heading}</h1>" in host.html(path) and "French Tarot" in host.html(path)
        assert host.client.get(path).headers["Content-Disposition"] == f'attachment; filename="{name}"'


def test_the_hand_on_the_felt_can_be_shared_from_there(host: Page) -> None:
    for page, links in ((host, ["", "?names=1"]), (Page(host.table, Role.PLAYER, "Bo", host.app), [""])):
        shown = page.html("/history/1/hands/1/replay")
        assert re.findall(r'href="/history/1/hands/1/replay\.html([^"]*)"', shown) == links


def test_the_names_are_the_hosts_to_share(host: Page) -> None:
    assert "Anna" in json.dumps(hands_in(host.html("/history/1/replay.html?names=1")))
    player = Page(host.table, Role.PLAYER, "Bo", host.app)
    assert player.client.get("/history/1/replay.html").status_code == 200
    assert player.client.get("/history/1/replay.html?names=1").status_code == 403
    assert "without names" in player.text("/history/1") and "with names" not in player.text("/history/1")


def test_a_hand_that_is_not_over_or_not_there_is_not_replayed(host: Page) -> None:
    for path in ("/history/1/hands/9/replay", "/history/99/replay.html", "/replay"):
        assert host.client.get(path).status_code == 404


def test_a_hand_that_was_broken_off_is_replayed_from_every_link_to_it(empty: LiveTable) -> None:
    page = Page(empty)
    sent(page, file_of([OPENED, *hand(5)[:40], SessionClosed()]))
    for path in ("/history/1", "/history/1/hands/1"):
        shown = page.html(path)
        links = re.findall(r'href="([^"]*(?:replay|review|drill)[^"]*)"', shown)
        assert links
        assert [page.client.get(html.unescape(link)).status_code for link in links] == [200] * len(links)


def test_a_hand_on_the_table_has_no_link_to_its_replay(tmp_path: Path) -> None:
    page = Page(open_table(tmp_path, OPENED, *hand(5)[:40], fair_play=False))
    assert "led" in page.text("/history/1/hands/1")
    for path in ("/history/1", "/history/1/hands/1"):
        assert "replay" not in page.html(path)


def test_the_last_hand_that_is_over_is_shown_again_though_another_is_over_by_then(tmp_path: Path) -> None:
    table = open_table(tmp_path, OPENED, *hand(5))
    page = Page(table)
    opened = page.client.get("/replay", follow_redirects=True)
    table.enter(*hand(6, "Bo"))
    assert hands_in(page.client.get(opened.request.path).text) == hands_in(opened.text)
    assert page.client.get("/replay").location == "/history/1/hands/2/replay"


def test_while_a_hand_is_played_the_hand_before_is_replayed_without_the_pots(tmp_path: Path) -> None:
    table = open_table(tmp_path, OPENED, *hand(5))
    page = Page(table)
    latest = page.client.get("/replay").location
    assert 'class="cups"' in hands_in(page.html(latest))[0][-1][0]
    table.enter(*hand(6, "Bo")[:9])
    [steps] = hands_in(page.html(latest))
    assert steps and not any('class="cups"' in felt for felt, _ in steps)
    assert page.client.get("/history/1/hands/2/replay").status_code == 404


def sitting(felt: str) -> dict[str, list[str]]:
    """The players at each side of the felt."""
    sides = re.findall(
        r'<div class="side side-(\w)">(.*?)(?=<div class="(?:side|trick))',
        felt + '<div class="trick',
        re.DOTALL,
    )
    return {side: re.findall(r"<b>([^<]+)</b>", plates) for side, plates in sides}


def test_the_players_sit_in_a_replay_as_they_sit_at_the_table(tmp_path: Path) -> None:
    sides = {"Anna": "E", "Bo": "N", "Carl": "W"}
    table = open_table(tmp_path, OPENED, *hand(5), sides=sides)
    table.enter(*hand(6, "Bo"))
    host = Page(table)
    [[(felt, _), *_]] = hands_in(host.html("/history/1/hands/1/replay"))
    assert sitting(felt) == {"n": ["Bo"], "w": ["Carl"], "e": ["Anna"], "s": []}
    [[(felt, _), *_]] = hands_in(host.html("/history/1/hands/1/replay.html?names=1"))
    assert sitting(felt) == {"n": ["Bo"], "w": ["Carl"], "e": ["Anna"], "s": []}
    [[(felt, _), *_]] = hands_in(Page(table, Role.PLAYER, "Carl").html("/history/1/hands/1/replay"))
    assert sitting(felt) == {"n": ["Anna"], "w": ["Bo"], "e": [], "s": ["Carl"]}


def test_the_file_of_an_evening_names_the_hands_that_it_cannot_replay(empty: LiveTable) -> None:
    by_result = [HandStarted("Bo"), ResultEntered(winner="Anna", points=(("Anna", 30), ("Bo", 20)))]
    files = {"danish": file_of([OPENED, *hand(5), *by_result, SessionClosed()])}
    shown = with_evenings(empty, files).html("/history/1/replay.html")
    assert len(hands_in(shown)) == 1 and "Entered by the result alone, so not replayed: Hand 2." in shown
