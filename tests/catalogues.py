"""The catalogues of words, and the source that each is of.

`python tests/catalogues.py` brings the catalogues up to date with the source: what is new comes to stand in
them untranslated, and what is no longer said goes. `python tests/catalogues.py sv` begins those of another
language. Each is compiled as well, as it is when the program is installed; run it again after translating.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

ROOT = Path(__file__).parents[1]
WHOLE = ("da", "fr")
"""The languages in which everything is said. In others what has no translation is said in English."""
Keywords = Mapping[str, tuple[int | tuple[int, str], ...] | None]
# Which argument of which call is a sentence; None is the first.
GAME: Keywords = DEFAULT_KEYWORDS | {
    "msgid": None,
    "msgids": (1, 2),
    "TarokError": None,
    "EventError": (1,),
    "EarlierCardsError": (1,),
    "CombinationError": (1,),
    "RuleError": None,
    "SessionFileError": (2,),
    "complain": (2,),
    "fail": None,
}
PAGE: Keywords = {
    "t": None,
    "text": None,
    "nt": (1, 2),
    "ntext": (1, 2),
    "msgid": None,
    "EntryError": (1,),
    "SessionFileError": (2,),
    "fail": None,
}


@dataclass(frozen=True)
class Domain:
    """A catalogue: its name, the folder of its languages, and the files whose sentences it has."""

    name: str
    folder: Path
    sources: Sequence[Path]
    keywords: Keywords

    def file(self, language: str) -> Path:
        return self.folder / language / "LC_MESSAGES" / f"{self.name}.po"

    def languages(self) -> list[str]:
        return sorted(path.parents[1].name for path in self.folder.glob(f"*/LC_MESSAGES/{self.name}.po"))


def _files(room: str, *endings: str) -> list[Path]:
    return sorted(path for path in (ROOT / room).rglob("*") if path.suffix in endings)


_GAMES = {
    path.parent.name: _files(f"tracker/{path.parent.name}", ".py")
    for path in (ROOT / "tracker").glob("*/game.py")
}
_SHARED = [path for path in _files("tracker", ".py") if path.parent.name not in _GAMES]
DOMAINS = (
    *(Domain(name, ROOT / "tracker/locale", files, GAME) for name, files in sorted(_GAMES.items())),
    Domain("common", ROOT / "tracker/locale", [*_SHARED, ROOT / "webui/table/live_evening.py"], GAME),
    Domain("page", ROOT / "webui/translations", _files("webui", ".py", ".html"), PAGE),
)


def sentences(domain: Domain) -> Catalog:
    """Every sentence in the sources of `domain`, each with the files that say it."""
    template = Catalog()
    for path in domain.sources:
        for sentence, context in _sentences(path, domain.keywords):
            template.add(sentence, locations=[(_place(path), 0)], context=context)
    return template


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def _sentences(path: Path, keywords: Keywords) -> Iterator[tuple[Any, str | None]]:
    method: Any = babel_extract if path.suffix == ".html" else "python"
    options = {"silent": "false", "encoding": "utf-8"}
    with path.open("rb") as file:
        for _, sentence, _, context in extract(method, file, keywords, options=options):
            yield sentence, context


def read(path: Path) -> Catalog:
    """The catalogue in a .po file."""
    with path.open("rb") as file:
        return read_po(file)


def said(catalogue: Catalog) -> dict[tuple[Any, str | None], Message]:
    """The messages of a catalogue by their sentence and context; the header is none."""
    return {
        (message.id if isinstance(message.id, str) else tuple(message.id), message.context): message
        for message in catalogue
        if message.id
    }


def is_translated(message: Message) -> bool:
    """Whether `message` says something in all its forms."""
    return all(message.string if isinstance(message.string, list | tuple) else (message.string,))


def update(language: str, domains: Sequence[Domain]) -> None:
    """Bring the catalogues of `domains` in `language` up to date with the source, or begin them."""
    before = {domain.name: _begun(domain, language) for domain in domains}
    # A sentence that moved from one catalogue to another keeps its translation.
    known = {key: message.string for old in before.values() for key, message in said(old).items()}
    for domain in domains:
        _update(domain, language, before[domain.name], known)


def _begun(domain: Domain, language: str) -> Catalog:
    path = domain.file(language)
    return read(path) if path.is_file() else Catalog(locale=language)


def _update(domain: Domain, language: str, catalogue: Catalog, known: Mapping[Any, Any]) -> None:
    catalogue.update(sentences(domain), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    for key, message in said(catalogue).items():
        if not is_translated(message) and key in known:
            message.string = known[key]
    catalogue.project, catalogue.version = "Tarok Table", domain.name
    catalogue.header_comment = f"# Tarok Table, {domain.name}: {language}. AGPL-3.0-or-later."
    catalogue.last_translator = catalogue.language_team = "Tarok Table"
    catalogue.msgid_bugs_address, catalogue.revision_date = "", catalogue.creation_date
    catalogue.fuzzy = False
    path = domain.file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=110, sort_by_file=True, include_lineno=False, ignore_obsolete=True)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, read(path))


if __name__ == "__main__":
    for language in sorted({*sys.argv[1:], *(code for domain in DOMAINS for code in domain.languages())}):
        begun = [one for one in DOMAINS if language in sys.argv[1:] or one.file(language).is_file()]
        update(language, begun)
        for domain in begun:
            messages = said(read(domain.file(language))).values()
            untranslated = [message.id for message in messages if not is_translated(message)]
            print(f"{domain.file(language).relative_to(ROOT)}: {len(untranslated)} not translated")
            for sentence in untranslated:
                print(f"  {sentence}")
