"""Everything that the program says can be said in every language that it has a catalogue of."""

import ast
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

import jinja2
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from catalogues import DOMAINS, ROOT, WHOLE, Domain, is_translated, read, said, sentences, update
from flask import g

from tracker import catalogue as words
from tracker.catalogue import CatalogueError, catalogue
from tracker.danish.words import WORDS
from tracker.store import EventStore
from webui import texts
from webui.app import create_app
from webui.games.page import GamePage
from webui.games.pages import PAGES
from webui.table.live import LiveTable

TRANSLATED = [(domain, language) for domain in DOMAINS for language in domain.languages()]
each_catalogue = pytest.mark.parametrize(
    ("domain", "language"), TRANSLATED, ids=[f"{domain.name}-{language}" for domain, language in TRANSLATED]
)
UPDATE = "bring the catalogues up to date with `python tests/catalogues.py`, then translate what is new"


def places(sentence: str) -> set[str]:
    """The names in braces of a sentence."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def forms(value: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@cache
def in_the_source(name: str) -> dict[tuple[Any, str | None], Message]:
    """The sentences of the source that the catalogues of this name have; read once, which takes a second."""
    return said(sentences(next(domain for domain in DOMAINS if domain.name == name)))


@cache
def in_the_file(path: Path) -> Catalog:
    """What stands in a .po file, read once."""
    return read(path)


@pytest.mark.parametrize("language", WHOLE)
def test_the_page_and_every_game_are_said_in_whole(language: str) -> None:
    assert {domain.name for domain in DOMAINS if language not in domain.languages()} == set()


@each_catalogue
def test_a_catalogue_has_the_sentences_of_the_source_and_no_others(domain: Domain, language: str) -> None:
    source, translated = in_the_source(domain.name), in_the_file(domain.file(language))
    assert source
    assert said(translated).keys() == source.keys(), UPDATE
    assert not translated.obsolete, UPDATE


@each_catalogue
def test_every_sentence_is_translated_with_the_same_places(domain: Domain, language: str) -> None:
    for message in said(in_the_file(domain.file(language))).values():
        if not is_translated(message):
            assert language not in WHOLE, message.id
            continue
        assert not message.fuzzy, message.id
        # What stands in the places is given for all forms alike.
        known = set().union(*map(places, forms(message.id)))
        for form in forms(message.string):
            assert places(form) == known, message.id


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda one: one.name)
def test_french_is_set_as_in_france(domain: Domain) -> None:
    """A no-break space stands before a high sign and inside guillemets, and an apostrophe is curved."""
    for message in said(in_the_file(domain.file("fr"))).values():
        for form in forms(message.string):
            assert not re.search(r"[^\s\d:\xa0][:;?!](\s|$)|(^| )[:;?!]|«[^\xa0]|[^\xa0]»|\w'\w", form), form


@each_catalogue
def test_what_is_compiled_is_what_the_catalogue_says(domain: Domain, language: str) -> None:
    compiled = domain.file(language).with_suffix(".mo")
    assert compiled.is_file(), "install the program: that compiles the catalogues"
    fresh = BytesIO()
    write_mo(fresh, in_the_file(domain.file(language)))
    there, due = words_of(compiled.read_bytes()), words_of(fresh.getvalue())
    assert there == due, "install the program again: that compiles them"


def words_of(compiled: bytes) -> dict[str, str]:
    """All that a compiled catalogue says, its header among it, but not which Babel wrote it.

    Another Babel than the tests' may have compiled it: `pip` builds the program with the newest.
    """
    said = {str(one.id): str(one.string) for one in read_mo(BytesIO(compiled)) if one.id}
    header = GNUTranslations(BytesIO(compiled)).gettext("").splitlines()
    return said | {"": "\n".join(line for line in header if not line.startswith("Generated-By:"))}


# ---- nothing is said that the collecting of sentences overlooks ----

# Each takes an English sentence, at this place among its arguments.
SAYING = {
    "text": 0,
    "ntext": 0,
    "EntryError": 0,
    "EventError": 0,
    "CombinationError": 0,
    "complain": 1,
    "gettext": 0,
    "ngettext": 0,
    "msgid": 0,
}
# The sentence is then one that was given to them, or comes from a table of marked ones.
HANDED_ON = {
    "sentence", "error.reason.sentence", "error.sentence", "reason.sentence", "done", "one", "message", "msgid1",
}  # fmt: skip
# Those of a game's page, which is one table of them (`webui.games.page`).
HANDED_ON |= {
    "one.title", "chosen.title",
    "page.title", "page.fine", "page.finish",
    "season.page.title", "lessons.held", "lessons.own", "lessons.seen", "lessons.trumps",
    "page.lessons.asked",
    "page.lessons.aside[study.aside][0]", "page.lessons.aside[one.study.aside][1]",
    "option.label", "option.values[one]", "label", "game.rule_lines[field.name]",
    "reasons[payment.reason]", "self.offences[finding.kind]",
    "own.joining", "own.leaving", "page().closing", "page().fine", "page().finish", "page().broken_off",
    "page().unfinished",
}  # fmt: skip


def said_in(path: Path) -> Iterator[ast.expr]:
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name in SAYING and len(call.args) > SAYING[name]:
                yield call.args[SAYING[name]]


@cache
def collected() -> frozenset[object]:
    """Every sentence of the catalogues, and the plural of those that have one."""
    ids = [sentence for domain in DOMAINS for sentence, _ in in_the_source(domain.name)]
    return frozenset(one for sentence in ids for one in forms(sentence))


def test_a_sentence_is_written_where_it_is_said_or_stands_in_a_table() -> None:
    for path in sorted({p for d in DOMAINS for p in d.sources if p.suffix == ".py"}):
        for sentence in said_in(path):
            if isinstance(sentence, ast.Constant):
                # A sentence in an f-string is not collected.
                assert sentence.value in collected(), path
                continue
            table = ast.unparse(sentence).split("[")[0].split(".get(")[0].lstrip("_")
            assert table.isupper() or ast.unparse(sentence) in HANDED_ON, (path, ast.unparse(sentence))


def test_a_template_says_sentences_that_are_written_there_or_stand_in_a_table() -> None:
    parsed = jinja2.Environment()
    for path in sorted((ROOT / "webui/templates").rglob("*.html")):
        for call in parsed.parse(path.read_text(encoding="utf-8")).find_all(jinja2.nodes.Call):
            if isinstance(call.node, jinja2.nodes.Name) and call.node.name in ("t", "nt"):
                from_a_table = isinstance(call.args[0], jinja2.nodes.Getitem)
                assert isinstance(call.args[0], jinja2.nodes.Const) or from_a_table, path


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.game.name)
def test_what_the_page_of_a_game_says_is_in_the_catalogue(page: GamePage) -> None:
    options = [sentence for option in page.options for sentence in (option.label, *option.values.values())]
    tables = (*page.reasons.values(), *(label for label, _ in page.player_acts))
    there = said(in_the_file(next(one for one in DOMAINS if one.name == "page").file("da")))
    for sentence in (
        page.title,
        page.joining,
        page.leaving,
        page.closing,
        page.broken_off,
        page.unfinished,
        *options,
        *tables,
    ):
        assert sentence in {key if isinstance(key, str) else key[0] for key in there}, sentence


# ---- a language is a file ----

SWEDISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "No evening is open"
msgstr "Ingen kväll är öppen"

msgid "the fool"
msgstr "skysen"
"""


EVENING = '{"format": "tarok-session/1", "rules": "dtf-2011", "seats": ["Anna", "Bo", "Carl"], "hands": []}'


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """Copies of the folders of the game's and of the page's words, which the program reads instead."""
    game = Path(shutil.copytree(words.FOLDER, tmp_path / "locale"))
    page = Path(shutil.copytree(texts.TRANSLATIONS, tmp_path / "translations"))
    monkeypatch.setattr(words, "FOLDER", game)
    monkeypatch.setattr(texts, "TRANSLATIONS", page)
    catalogue.cache_clear()
    yield game, page
    catalogue.cache_clear()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    store = EventStore(tmp_path / "evening.sqlite3")
    table = LiveTable(store)
    table.choose(open_table=True)
    yield table
    store.close()


def add(folder: Path, language: str, domain: str, text: str) -> Path:
    """Put a catalogue into `folder` and compile it; returns the compiled file."""
    path = folder / language / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with path.open("rb") as source, path.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, read_po(source))
    return path.with_suffix(".mo")


def test_a_third_language_is_a_file(folders: tuple[Path, Path], live: LiveTable) -> None:
    game, page = folders
    add(page, "sv", "page", SWEDISH)
    add(game, "sv", "danish", SWEDISH)
    client = create_app(live).test_client()
    menu = client.get("/").get_data(as_text=True)
    for code, name in {"da": "Dansk", "en": "English", "sv": "Svenska"}.items():
        assert f'<a href="/language/{code}?to=/" lang="{code}"' in menu and f">{name}</a>" in menu
    client.get("/language/sv")
    swedish = client.get("/").get_data(as_text=True)
    assert '<html lang="sv">' in swedish and "Ingen kväll är öppen" in swedish
    assert "Tarok Table" in swedish  # what is not translated is said in English
    assert WORDS.card_name("F", "sv") == "skysen" and WORDS.card_name("T1", "sv") == "the pagat"


def test_a_folder_that_is_no_language_is_told_before_the_page_is_served(
    folders: tuple[Path, Path], live: LiveTable
) -> None:
    add(folders[1], "klub", "page", SWEDISH)
    with pytest.raises(CatalogueError, match="klub: not named by the code of a language"):
        create_app(live)


def test_a_sentence_that_moves_to_another_catalogue_keeps_its_translation(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text('gettext("{count} matadors")', encoding="utf-8")
    old, new = (Domain(name, tmp_path, [source], DEFAULT_KEYWORDS) for name in ("old", "new"))
    add(tmp_path, "da", "old", SWEDISH + '\nmsgid "{count} matadors"\nmsgstr "{count} matadorer"\n')
    update("da", [replace(old, sources=[]), new])
    assert said(read(old.file("da"))) == {}
    ((_, moved),) = said(read(new.file("da"))).items()
    assert moved.string == "{count} matadorer"
    assert new.file("da").with_suffix(".mo").is_file()  # a run of the checkout says it at once


def test_a_language_that_is_not_there_is_not_chosen(live: LiveTable) -> None:
    client = create_app(live).test_client()
    assert "tarok_lang" not in client.get("/language/sv").headers.get("Set-Cookie", "")
    assert '<html lang="da">' in client.get("/?lang=sv").get_data(as_text=True)


@pytest.mark.parametrize(
    "missing", ["locale/da/LC_MESSAGES/danish.mo", "translations/da/LC_MESSAGES/page.mo"]
)
def test_words_that_are_not_compiled_are_told_before_the_page_is_served(
    folders: tuple[Path, Path], live: LiveTable, missing: str
) -> None:
    (folders[0].parent / missing).unlink()
    with pytest.raises(
        CatalogueError, match=r"the words cannot be read .*; install the program again"
    ) as told:
        create_app(live)
    assert Path(missing).name in str(told.value)


@pytest.mark.parametrize("content", [None, b"", b"no catalogue at all", b"\xde\x12\x04\x95 cut short"])
def test_a_command_tells_of_words_that_cannot_be_read_in_one_sentence(
    folders: tuple[Path, Path], tmp_path: Path, refused: Callable[..., str], content: bytes | None
) -> None:
    compiled = folders[0] / "da/LC_MESSAGES/danish.mo"
    compiled.unlink()
    if content is not None:
        compiled.write_bytes(content)
    evening = tmp_path / "evening.json"
    evening.write_text(EVENING, encoding="utf-8")
    said = refused("audit", evening, "--format", "text", "--language", "da")
    assert "install the program again" in said


def test_a_catalogue_is_read_once(live: LiveTable) -> None:
    assert catalogue("danish", "da") is catalogue("danish", "da")
    app, read_for = create_app(live), []
    for _ in range(2):
        with app.test_request_context(query_string={"lang": "da"}):
            texts.text("Hand")
            read_for.append(g.words)
    assert read_for[0] is read_for[1]


def test_one_trick_and_two_tricks(live: LiveTable) -> None:
    app = create_app(live)
    for language, one, two in (("da", "1 stik", "2 stik"), ("en", "1 trick", "2 tricks")):
        with app.test_request_context(query_string={"lang": language}):
            assert [texts.ntext("{count} trick", "{count} tricks", count) for count in (1, 2)] == [one, two]
