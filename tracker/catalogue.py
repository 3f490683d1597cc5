"""Words in other languages: one gettext catalogue for each game and language, and one for what all games share.

The English sentences in the code are the message ids. A sentence that is not translated where it is written is
marked with `msgid` or `msgids`, so that it is found when the catalogues are made.
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
    """A catalogue cannot be read; the message says which, and what to do."""


def msgid(sentence: str) -> str:
    """`sentence` itself, marked for translation."""
    return sentence


def msgids(one: str, many: str) -> tuple[str, str]:
    """A sentence for one and for many, marked for translation."""
    return one, many


def languages(folder: Path, domain: str) -> tuple[str, ...]:
    """The codes, sorted, of the languages in which `folder` has the catalogue `domain`; English is always one."""
    found = {path.parents[1].name for path in folder.glob(f"*/LC_MESSAGES/{domain}.[pm]o")}
    return tuple(sorted(found | {SOURCE_LANGUAGE}))


def game_languages() -> tuple[str, ...]:
    """The languages that any of the games speaks; their codes in order."""
    return languages(FOLDER, "*")


def read_catalogue(folder: Path, domain: str, language: str) -> gettext.NullTranslations:
    """The catalogue `domain` of `folder` in `language`. If there is none, one that leaves everything in English.

    Raises CatalogueError if the file is not compiled, or is no catalogue.
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
    """The words of `game` in `language`, with those that all games share; read once. Raises CatalogueError."""
    words = read_catalogue(FOLDER, game, language)
    words.add_fallback(read_catalogue(FOLDER, _COMMON, language))
    return words
