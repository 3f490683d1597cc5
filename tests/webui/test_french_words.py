"""French on the pages of every game."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from catalogues import DOMAINS, read, said
from webui_deals import AMERICAN, FRENCH, OPENED, SIDES
from webui_page import Page, in_language
from webui_states import STATES
from webui_table import FOUR, open_table

from tracker import catalogue as words
from tracker.catalogue import catalogue
from tracker.events import CardPlayed, HandStarted, SessionOpened
from webui import texts
from webui.table.live import LiveTable


@pytest.fixture
def no_french_for_the_danish_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The words of the games, but those of Danish Tarok in French."""

    def forget() -> None:
        catalogue.cache_clear()
        texts._spoken.cache_clear()

    folder = Path(shutil.copytree(words.FOLDER, tmp_path / "locale"))
    for file in folder.glob("fr/LC_MESSAGES/danish.*"):
        file.unlink()
    monkeypatch.setattr(words, "FOLDER", folder)
    forget()
    yield
    forget()


@pytest.mark.parametrize(
    "opened", [OPENED, AMERICAN, FRENCH, SessionOpened("tarot-1659", (), FOUR)], ids=lambda one: one.rules
)
def test_a_table_of_each_game_offers_french(opened: SessionOpened, tmp_path: Path) -> None:
    told = Page(open_table(tmp_path, opened)).client.get("/?lang=fr").text
    assert '<html lang="fr">' in told and "Français" in told and "Dansk" in told and "English" in told


def test_a_table_offers_the_languages_that_its_game_speaks(
    no_french_for_the_danish_game: None, empty: LiveTable
) -> None:
    page = Page(empty)
    assert "Français" in page.html("/")
    empty.open_evening(OPENED, SIDES)
    told = page.client.get("/?lang=fr").get_data(as_text=True)
    assert '<html lang="en">' in told and "Français" not in told


def test_a_past_evening_is_told_in_a_language_of_its_game_and_no_page_mixes_two(
    no_french_for_the_danish_game: None, all_games: Page
) -> None:
    for evening in all_games.table.kept.all():
        opened = all_games.table.kept.store.events(evening.id)[0].event
        spoken = "en" if opened.rules == OPENED.rules else "fr"
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


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (OPENED, "le 9 d’atout"),
        (FRENCH, "le 9 d’atout"),
        (SessionOpened("tarot-1659", (), FOUR), "le 9 d’atout"),
        (AMERICAN, "le tarock 9"),
    ],
    ids=lambda one: getattr(one, "rules", ""),
)
def test_a_card_that_was_played_has_its_article(opened: SessionOpened, said: str, tmp_path: Path) -> None:
    """As in every other sentence."""
    dealer, first, second, third = opened.seats[-1], "Anna", "Bo", "Carl"
    if opened is OPENED:
        dealer, first, second, third = "Carl", "Anna", "Bo", "Carl"
    table = open_table(
        tmp_path, opened, HandStarted(dealer), CardPlayed(first, "C9"), CardPlayed(second, "T9")
    )
    page = Page(table)
    assert f"Bo a joué {said}" in page.text("/play", "fr")
    table.enter(CardPlayed(third, "CV"))
    assert "Carl played the jack of clubs" in page.text("/play")


def spoken(html: str) -> list[str]:
    """What a page says: its words, and those of its labels and pictures. The window's title breaks into no lines."""
    html = re.sub(r"<(script|style|title)\b.*?</\1>", "", html, flags=re.DOTALL)
    said = re.findall(r' (?:title|aria-label|alt|data-colon)="([^"]*)"', html)
    return [unescape(one) for one in (*said, *re.sub(r"<[^>]+>", "\n", html).split("\n"))]


@cache
def only_english() -> frozenset[str]:
    """What the page and the games say in English and otherwise in French, whole sentences and words."""
    said_in_french = [message for domain in DOMAINS for message in said(read(domain.file("fr"))).values()]
    pairs = [
        (one.id, one.string) if isinstance(one.id, str) else (one.id[0], one.string[0])
        for one in said_in_french
    ]
    return frozenset(english for english, french in pairs if english != french) - {
        french for _, french in pairs
    }


@pytest.mark.parametrize("state", [name for name, one in STATES.items() if one.opened is not None])
def test_every_page_is_told_in_french_as_it_is_set_in_france(state: str, tmp_path: Path) -> None:
    """Nothing is left in English, and a no-break space stands before each high sign."""
    one = STATES[state]
    assert one.opened is not None
    page = Page(open_table(tmp_path, one.opened, *one.events, fair_play=False))
    session = page.table.session
    assert session is not None
    paths = {*one.paths, "/undo", "/ledger", "/audit", "/history/1", "/more", "/settle", "/history"}
    paths -= {"/phone-camera"}  # the guides have no French yet
    paths |= {f"/hands/{hand.number}" for hand in session.hands[:2]} | {f"/players/{session.seats[0]}"}
    paths |= {f"/plays/{play.seq}" for hand in session.hands[:2] for play in hand.plays[:2]}
    for path in sorted(paths):
        told = spoken(page.client.get(in_language(path, "fr")).text)
        bare = [said for said in told if re.search(r"[^\s\d:][:;?!](\s|$)|\S [:;?!]|^[:;].", said)]
        assert not bare, path
        assert not only_english().intersection(said.strip() for said in told), path
