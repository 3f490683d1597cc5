"""Printed pages, read back from their PDF files."""

import io
import re
from contextlib import closing
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from tracker.cards import CARDS
from tracker.danish.rule_sets import RULE_SETS
from tracker.events import SessionOpened
from tracker.store import EventStore
from webui.cli import main
from webui.printing.pages import BLEED, PAPERS, TRIM, seating_lists

MM = 72 / 25.4


def printed(tmp_path: Path, *arguments: str) -> PdfReader:
    out = tmp_path / "out.pdf"
    assert main(["print", *arguments, str(out)]) == 0
    return PdfReader(io.BytesIO(out.read_bytes()))


def size(page: PageObject) -> tuple[float, float]:
    return round(float(page.mediabox.width) / MM, 1), round(float(page.mediabox.height) / MM, 1)


def pictures(page: PageObject) -> int:
    """How many raster pictures a page shows, in whatever drawing within a drawing."""

    def within(node) -> int:
        objects = node.get("/Resources", {}).get("/XObject", {})
        found = 0
        for entry in objects.values():
            inner = entry.get_object()
            found += inner["/Subtype"] == "/Image" or within(inner)
        return found

    return within(page)


def test_the_deck_is_thirteen_pages_of_six_with_their_backs_behind(tmp_path: Path) -> None:
    pages = printed(tmp_path, "deck").pages
    assert len(pages) == 2 * 78 / 6
    assert {size(page) for page in pages} == {PAPERS["a4"]}
    front, back = pages[0].get_contents(), pages[1].get_contents()
    assert front.get_data() != back.get_data()
    # Every front differs from the others, and every back is the same.
    assert len({page.get_contents().get_data() for page in pages[1::2]}) == 1


@pytest.mark.parametrize(("paper", "cards_a_page"), [("a3", 12), ("letter", 6)])
def test_other_papers_hold_as_many_as_fit(tmp_path: Path, paper: str, cards_a_page: int) -> None:
    assert len(printed(tmp_path, "deck", "--paper", paper).pages) == 2 * -(-78 // cards_a_page)


def test_single_cards_are_pages_of_a_card_with_its_bleed(tmp_path: Path) -> None:
    pages = printed(tmp_path, "deck", "--singles", "--back", "red").pages
    assert len(pages) == len(CARDS) + 1
    assert {size(page) for page in pages} == {(TRIM[0] + 2 * BLEED, TRIM[1] + 2 * BLEED)}


def test_single_cards_into_a_folder_are_pictures_named_by_card(tmp_path: Path) -> None:
    import cv2

    assert main(["print", "deck", "--singles", "--dpi", "150", str(tmp_path / "cards")]) == 0
    found = sorted(path.stem for path in (tmp_path / "cards").glob("*.png"))
    assert found == sorted([*CARDS, "back_BACK"])
    picture = cv2.imread(str(tmp_path / "cards" / "T21.png"))
    height, width = picture.shape[:2]
    assert (width, height) == (round(67 / 25.4 * 150), round(118 / 25.4 * 150))
    # The bleed is the card's paper, not a white or transparent rim.
    assert (picture[0] == picture[0, 0]).all() and picture[0, 0].tolist() != [255, 255, 255]


@pytest.mark.parametrize("kind", ["deck", "mat", "rules --rules dtf-2011", "scores"])
def test_everything_is_drawn_in_vectors(tmp_path: Path, kind: str) -> None:
    assert sum(pictures(page) for page in printed(tmp_path, *kind.split()).pages) == 0


@pytest.mark.parametrize("language", ["da", "en"])
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_rules_are_one_page_with_what_their_set_pays(tmp_path: Path, rules: str, language: str) -> None:
    pages = printed(tmp_path, "rules", "--rules", rules, "--language", language).pages
    assert len(pages) == 1
    words = " ".join(pages[0].extract_text().split())
    source = {"dtf-2011": "Dansk Tarokforbund"}.get(rules, "J. B. Christiansen")  # as people know it
    assert f"{'efter' if language == 'da' else 'as in'} {source}" in words and rules not in words
    assert re.search(rf"\b{RULE_SETS[rules].tout}\b", words)
    assert ("Skaten" if language == "da" else "Skat ") in words


@pytest.mark.parametrize("language", ["da", "en", "fr"])
@pytest.mark.parametrize("mort", [False, True])
def test_the_rules_of_french_tarot_are_one_page_with_what_the_club_plays(
    tmp_path: Path, language: str, mort: bool
) -> None:
    club = tmp_path / "club.toml"
    club.write_text(f'base = "french-tarot"\nmort = {str(mort).lower()}\npenalty = 35\n')
    pages = printed(tmp_path, "rules", "--rules", str(club), "--language", language).pages
    words = " ".join(pages[0].extract_text().split())
    assert len(pages) == 1 and words.count(" 35") == 3 and "Garde contre" in words
    king = {"da": "Fem spillere.", "en": "Five players.", "fr": "À cinq."}[language]
    assert (king in words) is not mort


def test_a_clubs_own_payments_are_on_its_rules_page(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('base = "dtf-2011"\nname = "Tirsdagsklubben"\npagat_ultimo = 65\ncount = false\n')
    words = printed(tmp_path, "rules", "--rules", str(club)).pages[0].extract_text()
    assert "Tirsdagsklubben" in words and "65" in words
    assert "Optælling" not in words


@pytest.mark.parametrize("players", ["3", "4", "5"])
def test_a_score_sheet_is_one_page(tmp_path: Path, players: str) -> None:
    pages = printed(tmp_path, "scores", "--players", players).pages
    assert len(pages) == 1
    assert "Kongekop" in pages[0].extract_text()


def test_each_page_of_a_large_tournament_says_which_round_it_is(tmp_path: Path) -> None:
    names = [f"Annelise Kirkegaard-Thomsen {number:03}" for number in range(160)]
    tables = [names[place : place + 4] for place in range(0, 160, 4)]
    pages = PdfReader(io.BytesIO(seating_lists([(tables, [])] * 12, 1, "da"))).pages
    said = [page.extract_text().split() for page in pages]
    rounds, everybody = said[:24], said[24:]
    assert [page[:2] for page in rounds] == [["Runde", str(number // 2 + 1)] for number in range(24)]
    assert "Hvem" in everybody[0] and len(everybody) > 1
    assert all(
        "Runde" in page and [str(number) for number in range(1, 13)] == after(page) for page in everybody
    )


def after(page: list[str]) -> list[str]:
    """The numbers of the rounds at the head of a list of everybody's tables."""
    head = page.index("Runde")
    return page[head + 1 : head + 13]


def test_the_mat_is_lying_paper_with_four_seats(tmp_path: Path) -> None:
    pages = printed(tmp_path, "mat", "--language", "en").pages
    assert [size(page) for page in pages] == [(594, 420)]
    assert pages[0].extract_text().count("Seat") == 4


@pytest.mark.parametrize(("players", "partner"), [("4", False), ("5", True)])
def test_the_score_sheet_of_french_tarot_has_what_its_clubs_write(
    tmp_path: Path, players: str, partner: bool
) -> None:
    arguments = ("scores", "--rules", "french-tarot", "--players", players, "--language", "fr")
    pages = printed(tmp_path, *arguments).pages
    words = " ".join(pages[0].extract_text().split())
    assert len(pages) == 1 and "Preneur Contrat" in words and "Petit, poignée, chelem" in words
    assert ("Appel, associé" in words) is partner


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["scores", "--rules", "tarot-1659", "a.pdf"],
            "there is no score sheet for Tarot of 1659 to print yet",
        ),
        (
            ["rules", "--rules", "dtf-2011", "--language", "fr", "a.pdf"],
            "the rules of Danish Tarok are printed with --language da or en",
        ),
        (
            ["rules", "--rules", "american-tarock", "a.pdf"],
            "there is no page of the rules of American Tarock to print yet",
        ),
        (["rules", "--rules", "whist", "out.pdf"], "unknown rule set 'whist'"),
        (["deck", "--singles", "--dpi", "20", "cards"], "--dpi 20: must be 150 to 1200"),
        (["mat", "no/such/folder/mat.pdf"], "no/such/folder/mat.pdf: No such file or directory"),
    ],
)
def test_what_cannot_be_printed_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("print", *arguments).startswith(f"tarok: {message}")
    assert list(tmp_path.iterdir()) == []


def test_the_rules_are_those_of_the_tables_last_evening_or_are_asked_for(tmp_path: Path, refused) -> None:
    path, out = tmp_path / "evening.sqlite3", tmp_path / "rules.pdf"
    words = ["print", "rules", "--db", str(path), "--language", "en", str(out)]
    assert "which rules?" in refused(*words) and not out.exists()
    with closing(EventStore(path)) as store:
        store.open_session(SessionOpened("pagat-1996", (), ("Anna", "Bo", "Carl")))
    assert main(words) == 0
    assert "rec.games.playing-cards, 1996" in PdfReader(out).pages[0].extract_text()
