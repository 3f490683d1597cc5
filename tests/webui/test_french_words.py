"""French on the pages of French Tarot, and on all that it shares with the other games."""

import random
import re
from html import unescape
from pathlib import Path

import pytest
from webui_deals import FRENCH, OPENED, SIDES
from webui_page import Page
from webui_states import STATES
from webui_table import open_table

from tracker.events import CardPlayed, HandStarted
from webui.bench.dealing_french import hand_of_french
from webui.table.live import LiveTable


def test_a_table_offers_the_languages_that_its_game_speaks(empty: LiveTable) -> None:
    page = Page(empty)
    assert "Français" in page.html("/")
    empty.open_evening(OPENED, SIDES)
    told = page.client.get("/?lang=fr").get_data(as_text=True)
    assert '<html lang="en">' in told and "Français" not in told


def test_a_past_evening_is_told_in_a_language_of_its_game_and_no_page_mixes_two(all_games: Page) -> None:
    for evening in all_games.table.kept.all():
        opened = all_games.table.kept.store.events(evening.id)[0].event
        spoken = "fr" if opened.rules == "french-tarot" else "en"
        hand = f"/history/{evening.id}/hands/1"
        for path in (hand, f"{hand}/review", f"{hand}/drill", f"{hand}/replay", f"/history/{evening.id}"):
            page = all_games.client.get(f"{path}?lang=fr").get_data(as_text=True)
            assert (
                f'<html lang="{spoken}"' in page and ("Menu" in page) and ("Aide" in page) == (spoken == "fr")
            )
        assert ("Who most likely holds the fool?" in all_games.text(f"{hand}/drill?seed=2")) == (
            evening.id == 1
        )
    assert '<html lang="fr"' in all_games.client.get("/history?lang=fr").get_data(as_text=True)


def test_a_deal_is_entered_and_told_in_french(tmp_path: Path) -> None:
    opened = FRENCH
    page = Page(open_table(tmp_path, opened, *hand_of_french(random.Random(1), opened, "garde")))
    told = page.client.get("/?lang=fr").get_data(as_text=True)
    assert '<html lang="fr">' in told
    assert "points pour" in told and "Feuille de marque" in told and "La donne 1 est finie" in told
    for english in ("Start hand", "Score sheet", "points for", "Undo"):
        assert english not in told


def test_a_card_that_was_played_has_its_article(tmp_path: Path) -> None:
    """As in every other sentence."""
    table = open_table(
        tmp_path, FRENCH, HandStarted("Dora"), CardPlayed("Anna", "C9"), CardPlayed("Bo", "T21")
    )
    page = Page(table)
    assert "Bo a joué le 21 d’atout" in page.text("/play", "fr")
    table.enter(CardPlayed("Carl", "CV"))
    assert "Carl played the jack of clubs" in page.text("/play")


def spoken(html: str) -> list[str]:
    """What a page says: its words, and those of its labels and pictures. The window's title breaks into no lines."""
    html = re.sub(r"<(script|style|title)\b.*?</\1>", "", html, flags=re.DOTALL)
    said = re.findall(r' (?:title|aria-label|alt|data-colon)="([^"]*)"', html)
    return [unescape(one) for one in (*said, *re.sub(r"<[^>]+>", "\n", html).split("\n"))]


@pytest.mark.parametrize("state", [name for name in STATES if name.startswith("French")])
def test_a_no_break_space_stands_before_each_high_sign(state: str, tmp_path: Path) -> None:
    one = STATES[state]
    assert one.opened is not None
    page = Page(open_table(tmp_path, one.opened, *one.events, fair_play=False))
    session = page.table.session
    assert session is not None
    paths = {*one.paths, "/undo", "/ledger", "/audit", "/history/1", "/more", "/settle", "/history"}
    paths |= {f"/hands/{hand.number}" for hand in session.hands} | {
        f"/players/{name}" for name in session.seats
    }
    paths |= {f"/plays/{play.seq}" for hand in session.hands for play in hand.plays[:5]}
    for path in sorted(paths):
        told = page.client.get(path, query_string={"lang": "fr"}).text
        bare = [said for said in spoken(told) if re.search(r"[^\s\d:][:;?!](\s|$)|(^| )[:;?!]", said)]
        assert not bare, path
