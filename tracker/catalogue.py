"""Words in other languages: one gettext catalogue for each game and language, and one for what all games share.

The English sentences in the code are the message ids. A sentence that is not translated where it is written is
marked with `msgid` or `msgids`, so that it is found when the catalogues are made.
"""

import gettext
import re
import struct
from functools import cache
from pathlib import Path
from typing import Final

from tracker.errors import TarokError

SOURCE_LANGUAGE: Final = "en"
FOLDER: Final = Path(__file__).parent / "locale"
_COMMON: Final = "common"
VARIANTS: Final = {"da@sciesen": (re.compile(r"\b([Ss])kus(?=(?:en)?s?\b)"), r"\1cies")}
"""How some speak a language: by its code, the words that they write otherwise, and how.

The fool is the skus on Zealand and the scies in Jutland (Dansk Tarokforbund 2011, p. 3).
"""


class CatalogueError(TarokError):
    """A catalogue cannot be read; the message says which, and what to do."""


class _Variant(gettext.GNUTranslations):
    """A catalogue, and those that it falls back on, as some speak the language."""

    variant = ""

    def _respelled(self, said: str) -> str:
        pattern, replacement = VARIANTS[self.variant]
        return pattern.sub(replacement, said)

    def gettext(self, message: str) -> str:
        return self._respelled(super().gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._respelled(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return self._respelled(super().pgettext(context, message))


def plain_language(language: str) -> str:
    """The language of which `language` is a variant, or itself: "da" of "da@sciesen"."""
    return language.partition("@")[0]


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


def game_languages(game: str = "*") -> tuple[str, ...]:
    """The languages that `game` speaks, or that any game does; their codes in order."""
    return languages(FOLDER, game)


def read_catalogue(folder: Path, domain: str, language: str) -> gettext.NullTranslations:
    """The catalogue `domain` of `folder` in `language`. If there is none, one that leaves everything in English.

    Raises CatalogueError if the file is not compiled, or is no catalogue.
    """
    plain = plain_language(language)
    if plain == SOURCE_LANGUAGE or plain not in languages(folder, domain):
        return gettext.NullTranslations()
    compiled = folder / plain / "LC_MESSAGES" / f"{domain}.mo"
    try:
        with compiled.open("rb") as file:
            if language not in VARIANTS:
                return gettext.GNUTranslations(file)
            words = _Variant(file)
            words.variant = language
            return words
    except (OSError, ValueError, struct.error) as error:
        why = getattr(error, "strerror", None) or error
        raise CatalogueError(
            f"{compiled}: the words cannot be read ({why}); install the program again, with pip"
        ) from error


@cache
def catalogue(game: str, language: str) -> gettext.NullTranslations:
    """The words of `game` in `language`, with those that all games share; read once. Raises CatalogueError.

    A game that does not speak `language` speaks English throughout.
    """
    if plain_language(language) not in game_languages(game):
        language = SOURCE_LANGUAGE
    words = read_catalogue(FOLDER, game, language)
    words.add_fallback(read_catalogue(FOLDER, _COMMON, language))
    return words
