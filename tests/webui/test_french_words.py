"""French on the pages of French Tarot, and on all that it shares with the other games."""

import random
import re
import sys
from pathlib import Path

import pytest
from webui_deals import OPENED, SIDES
from webui_page import Page
from webui_table import FOUR, open_table

from tracker.events import SessionOpened
from webui.bench.dealing_french import hand_of_french
from webui.table.live import LiveTable

sys.path.insert(0, str(Path(__file__).parents[1]))
from catalogues import DOMAINS, is_translated, read, said, sentences

ELSEWHERE = re.compile(r"/(danish|tarot1659|american|club)(/|_|\.)|/bench/")
"""What belongs to another game alone, or to the club's own server."""


@pytest.mark.parametrize(
    "domain", [one for one in DOMAINS if one.file("fr").is_file()], ids=lambda one: one.name
)
def test_no_sentence_of_these_pages_is_left_in_english(domain: object) -> None:
    source, french = said(sentences(domain)), said(read(domain.file("fr")))  # type: ignore[attr-defined,arg-type]
    missing = [
        key[0]
        for key, message in source.items()
        if any(not ELSEWHERE.search(f"/{place}") for place, _ in message.locations)
        and not (key in french and is_translated(french[key]))
    ]
    assert not missing, "translate them in the French catalogue"


def test_a_table_offers_the_languages_that_its_game_speaks(empty: LiveTable) -> None:
    page = Page(empty)
    assert "Français" in page.html("/")
    empty.open_evening(OPENED, SIDES)
    told = page.client.get("/?lang=fr").get_data(as_text=True)
    assert '<html lang="da">' in told and "Français" not in told


def test_a_deal_is_entered_and_told_in_french(tmp_path: Path) -> None:
    opened = SessionOpened("french-tarot", (), FOUR)
    page = Page(open_table(tmp_path, opened, *hand_of_french(random.Random(1), opened, "garde")))
    told = page.client.get("/?lang=fr").get_data(as_text=True)
    assert '<html lang="fr">' in told
    assert "points pour" in told and "Feuille de marque" in told and "La donne 1 est finie" in told
    for english in ("Start hand", "Score sheet", "points for", "Undo"):
        assert english not in told
