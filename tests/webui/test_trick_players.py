"""Whose card is whose: wherever a trick is shown, each card stands under the name of the player who played it."""

import html
import re
from itertools import product
from pathlib import Path

import pytest
from webui_page import Page
from webui_table import NAMES, open_table

from tracker.events import CardPlayed, HandAbandoned, HandStarted, SessionClosed, SessionOpened
from webui.games.pages import page_of
from webui.table.live import LiveTable

CARDS = [suit + rank for suit, rank in product("SHDC", ("R", "D", "C", "V"))]
TABLES = [
    ("pagat-2024", (), 3),
    ("pagat-2024", (("sits_out", "opposite"),), 4),
    ("pagat-2024", (("sits_out", "right"),), 4),
    ("dtf-2011", (), 5),
    ("american-tarock", (), 4),
    ("french-tarot", (), 3),
    ("french-tarot", (), 4),
    ("french-tarot", (), 5),
    ("french-tarot", (("mort", True),), 5),
    ("tarot-1659", (), 4),
    ("tarot-1659", (), 5),
    ("tarot-1659", (), 6),
]


def hand_of_three_tricks(table: LiveTable, dealer: str) -> list[dict[str, str]]:
    """A hand that `dealer` deals is given up after three tricks; for each its players with their cards."""
    table.enter(HandStarted(dealer))
    session = table.session
    for card in CARDS[: 3 * len(session.hand.active)]:
        assert table.session.hand.to_play is not None
        table.enter(CardPlayed(table.session.hand.to_play, card))
    return [{play.player: play.card for play in trick.plays} for trick in table.session.hand.tricks]


def cells(row: str) -> list[str]:
    return re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)


def in_table(page: str, labels: dict[str, str]) -> dict[str, dict[str, str]]:
    """A page's table of tricks: for each trick the cards, each under the name at the head of its column."""
    (table,) = (one for one in re.findall(r"<table>.*?</table>", page, re.DOTALL) if ">Trick</th>" in one)
    heads, *rows = (cells(row) for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL))
    found: dict[str, dict[str, str]] = {}
    for number, *row in rows:
        cards = {}
        for head, cell in zip(heads[1:], row, strict=True):
            words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", cell)).split())
            cards.update((head, card) for card, label in labels.items() if words.startswith(label))
        found[number] = {name: card for name, card in cards.items() if name in NAMES}
    return found


@pytest.mark.parametrize(("rules", "options", "count"), TABLES)
def test_each_card_of_a_trick_stands_under_the_player_who_played_it(
    tmp_path: Path, rules: str, options: tuple[tuple[str, str | bool], ...], count: int
) -> None:
    names = NAMES[:count]
    table = open_table(tmp_path, SessionOpened(rules, options, names), fair_play=False)
    page, hands = Page(table), []
    for number, dealer in enumerate(names, start=1):
        tricks = hand_of_three_tricks(table, dealer)
        hands.append(tricks)
        assert table.session is not None
        labels = {card: page_of(table.session).game.words.card_label(card, "en") for card in CARDS}
        for place, trick in enumerate(tricks, start=1):
            dialog = page.html(f"/hands/{number}/tricks/{place}")
            tiles = re.findall(r'<a class="answer".*?</a>', dialog, re.DOTALL)
            shown = {
                name: card
                for tile in tiles
                for name in names
                for card in CARDS
                if f"<b>{name}</b>" in tile and f"/cards/{card}.png" in tile
            }
            assert len(tiles) == len(trick) and shown == trick
        for path in ("/", f"/hands/{number}"):
            rows = in_table(page.html(f"{path}"), labels)
            assert [rows[str(place)] for place in range(1, 4)] == tricks, path
        table.enter(HandAbandoned())
    table.enter(SessionClosed())
    for number, tricks in enumerate(hands, start=1):
        past = page.html(f"/history/{table.evening.number}/hands/{number}")
        assert list(in_table(past, labels).values()) == tricks
