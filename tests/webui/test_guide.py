"""Help on the page: five steps, the host's guide with its drawings, and how a reader wants the page."""

import html
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from webui_page import Page

from vision.resources import docs_dir
from webui.people.appearance import Appearance, appearance_in
from webui.people.roles import Role
from webui.table.live import LiveTable
from webui.texts import DOMAIN, TRANSLATIONS

GUIDES = sorted(docs_dir().glob("host-guide*.md"))


@pytest.mark.parametrize(("lang", "steps"), [("en", "The first evening in five steps"), ("da", "i fem trin")])
def test_the_first_evening_has_five_steps(page: Page, lang: str, steps: str) -> None:
    body = page.client.get(f"/guide?lang={lang}").get_data(as_text=True)
    assert steps in body and body.count("<li><h2>") == 5 and 'href="/host-guide"' in body
    assert 'href="/guide"' in page.client.get(f"/?lang={lang}").get_data(as_text=True)


@pytest.mark.parametrize(("lang", "title"), [("en", "What to do when"), ("da", "Hvad gør vi, når")])
def test_the_hosts_guide_stands_on_the_page_with_all_its_drawings(page: Page, lang: str, title: str) -> None:
    body = page.client.get(f"/host-guide?lang={lang}").get_data(as_text=True)
    assert title in body and "<table>" in body and "host-guide." not in body
    drawings = re.findall(r'<img src="([^"]+)" alt="([^"]+)"', body)
    assert len(drawings) == 3
    for address, described in drawings:
        answer = page.client.get("/" + address)
        assert answer.mimetype == "image/svg+xml" and b"<svg" in answer.get_data() and described


def test_help_is_for_everybody_and_says_nothing_of_the_evening(table: LiveTable) -> None:
    stranger = Page(table, Role.UNINVITED)
    for path in ("/guide", "/host-guide"):
        assert stranger.client.get(path).status_code == 200
        assert "Anna" not in stranger.text(path)


@pytest.mark.parametrize("name", ["none.svg", "..%2f..%2fpyproject.toml", "camera.png"])
def test_a_drawing_that_is_not_there_is_not_found(page: Page, name: str) -> None:
    assert page.client.get(f"/guide/{name}").status_code == 404


def test_the_guides_of_all_languages_have_the_same_parts() -> None:
    def parts(path: Path) -> list[tuple[int, int]]:
        text = path.read_text(encoding="utf-8")
        return [(part.count("\n|"), part.count("![")) for part in text.split("\n## ")]

    assert len(GUIDES) == 2 and parts(GUIDES[0]) == parts(GUIDES[1])


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_what_the_guide_calls_a_button_is_what_the_page_calls_it(page: Page, path: Path) -> None:
    lang = "da" if ".da." in path.name else "en"
    text = " ".join(path.read_text(encoding="utf-8").split())
    named = re.findall(r"[»“\"]([^«”\"…]{3,40})[«”\"]", text)
    page.post("/hands", dealer="Anna")
    shown = " ".join(
        html.unescape(page.text(one, lang))
        for one in ("/", "/more", "/host", "/rules", "/decks", "/undo", "/setup/camera")
    )
    # What other games and other moments have: a whole sentence of the page.
    with (TRANSLATIONS / "da" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        said = {str(one.string if lang == "da" else one.id) for one in read_po(file)}
    assert named and [one for one in named if one not in shown and one not in said] == []


@pytest.mark.parametrize("lang", ["en", "da", "fr"])
def test_what_a_sentence_of_the_page_calls_a_button_is_what_the_page_calls_it(lang: str) -> None:
    with (TRANSLATIONS / ("da" if lang == "en" else lang) / "LC_MESSAGES" / f"{DOMAIN}.po").open(
        "rb"
    ) as file:
        sentences = list(read_po(file))
    # A table has no button of the club's server.
    said = {
        str(one.id if lang == "en" else one.string)
        for one in sentences
        if not all("club/" in path for path, _ in one.locations)
    }
    # A capital letter begins a button's name; a long one is the system's, such as a firewall's.
    named = {one for text in said for one in re.findall(r"[“»«]\s?([A-ZÆØÅ][^”«»{}]{2,30}?)\s?[”«»]", text)}
    assert named and named - said == set()


@pytest.mark.parametrize(
    ("cookie", "expected"),
    [
        ("", Appearance()),
        ("large.dark", Appearance("large", "dark")),
        ("dark", Appearance("normal", "dark")),
        ("huge.<b>.pink", Appearance()),
    ],
)
def test_a_reader_is_taken_at_his_cookies_word_as_far_as_it_is_known(
    cookie: str, expected: Appearance
) -> None:
    assert appearance_in(cookie) == expected and appearance_in(expected.as_cookie()) == expected


def test_large_print_and_dark_paper_are_chosen_with_one_tap_each_and_stay(page: Page) -> None:
    def dialogs() -> list[str]:
        return re.findall(r'static/(\w+)\.css[^>]*?media="([^"]*)"', page.html("/"))

    usual = dict(dialogs())
    assert usual["dark"] == "screen and (prefers-color-scheme: dark)"
    assert page.client.get("/reading/large?to=/rules").headers["Location"] == "/rules"
    assert page.client.get("/reading/dark").headers["Location"] == "/"
    chosen = dict(dialogs())
    assert chosen["dark"] == "screen"
    assert 'class="large"' in page.html("/")
    page.client.get("/reading/light")
    assert "dark" not in dict(dialogs())
    assert page.client.get("/reading/large?to=//elsewhere.example/").headers["Location"] == "/"


def test_whoever_chooses_language_or_letters_stays_at_what_the_page_shows(page: Page) -> None:
    shown = page.client.get("/setup/game?game=french&lang=en").get_data(as_text=True)
    links = re.findall(r'href="(/(?:language|reading)/[^"]*)"', shown)
    assert len(links) > 5
    there = {page.client.get(html.unescape(link)).headers["Location"] for link in links}
    assert there == {"/setup/game?game=french"}
