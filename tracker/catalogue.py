"""Words in other languages: a gettext catalogue a game and language, beside one with what every game says.

The code speaks English, and its sentences are the catalogues' message ids. A sentence that is looked up later
than it is written is marked by `msgid` or `msgids`, so that the tools that collect sentences find it.
"""

import gettext
import struct
from functools import cache
from pathlib import Path
from typing import Final

from tracker.errors import TarokError

SOURCE_LANGUAGE: Final = "en"
FOLDER: Final = Path(__file__).parent / "locale"
_COMMON: Final = "common"


class CatalogueError(TarokError):
    """A catalogue that cannot be read; the message says which, and what to do."""


def msgid(sentence: str) -> str:
    """`sentence` itself, marked as one that catalogues translate."""
    return sentence


def msgids(one: str, many: str) -> tuple[str, str]:
    """A sentence for one and for many, marked as one that catalogues translate."""
    return one, many


def languages(folder: Path, domain: str) -> tuple[str, ...]:
    """The languages that `folder` has the catalogue `domain` in, and English; their codes in order."""
    found = {path.parents[1].name for path in folder.glob(f"*/LC_MESSAGES/{domain}.[pm]o")}
    return tuple(sorted(found | {SOURCE_LANGUAGE}))


def game_languages() -> tuple[str, ...]:
    """The languages that any of the games speaks; their codes in order."""
    return languages(FOLDER, "*")


def read_catalogue(folder: Path, domain: str, language: str) -> gettext.NullTranslations:
    """The catalogue `domain` of `folder` in `language`; one that says everything in English if there is none.

    Raises CatalogueError when it is there but not compiled, or is no catalogue.
    """
    if language == SOURCE_LANGUAGE or language not in languages(folder, domain):
        return gettext.NullTranslations()
    compiled = folder / language / "LC_MESSAGES" / f"{domain}.mo"
    try:
        with compiled.open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, ValueError, struct.error) as error:
        why = getattr(error, "strerror", None) or error
        raise CatalogueError(
            f"{compiled}: the words cannot be read ({why}); install the program again, with pip"
        ) from error


@cache
def catalogue(game: str, language: str) -> gettext.NullTranslations:
    """What `game` says in `language`, and what every game says; read once. Raises CatalogueError."""
    words = read_catalogue(FOLDER, game, language)
    words.add_fallback(read_catalogue(FOLDER, _COMMON, language))
    return words
