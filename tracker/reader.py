"""Strict reading of JSON files: every value knows its place in the file, and errors name it."""

import json
from typing import Any, Final, NoReturn

from tracker.cards import TRUMP
from tracker.errors import TarokError
from tracker.pack import Pack

_NO_CARDS: Final = Pack({TRUMP: ()})
"""The pack of a file of which it is not known yet which game it is of."""


class SessionFileError(TarokError):
    """A session file cannot be read; the message begins with the `place` (`hands[3].events[12]`)."""

    def __init__(self, place: str, message: str) -> None:
        # A name in the file may contain line breaks; the message stays one line.
        text = f"{place}: {message}" if place else message
        super().__init__("".join(letter if letter.isprintable() else " " for letter in text))
        self.place = place


def parsed(text: str | bytes) -> Any:
    """The JSON in `text` (UTF-8). Raises SessionFileError, also for NaN and for a key that stands twice."""

    def no_constant(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no number of the format")

    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} stands twice")
        return found

    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=no_twins, parse_constant=no_constant)
    except UnicodeDecodeError as error:
        raise SessionFileError("", f"not UTF-8: byte {error.start} cannot be read") from None
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # "Unterminated string starting at"
        message = f"not JSON: {what} at line {error.lineno} column {error.colno}"
        raise SessionFileError("", message) from None
    except ValueError as error:
        raise SessionFileError("", f"not JSON of the format: {error}") from None
    except RecursionError:
        raise SessionFileError("", "not JSON of the format: nested too deeply") from None


class Reader:
    """A value of the file with its place. A getter raises SessionFileError if the value is not what it asks for.

    `pack` says which cards and suits there are.
    """

    def __init__(self, place: str, value: Any, pack: Pack = _NO_CARDS) -> None:
        self.place = place
        self.value = value
        self.pack = pack

    def of_pack(self, pack: Pack) -> "Reader":
        """The same value, now that the pack is known."""
        return Reader(self.place, self.value, pack)

    def fail(self, message: str) -> NoReturn:
        """Raise SessionFileError for this value."""
        raise SessionFileError(self.place or "file", message)

    def __getitem__(self, key: str) -> "Reader":
        if key not in self.value:
            self.fail(f"{key!r} is missing")
        return Reader(f"{self.place}.{key}" if self.place else key, self.value[key], self.pack)

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def object(self, keys: set[str]) -> None:
        """Check that it is an object with no other keys than `keys`."""
        if not isinstance(self.value, dict):
            self.fail(f"must be an object, not {_kind(self.value)}")
        for key in self.value:
            if key not in keys:
                self.fail(f"unknown key {key!r}")

    def mapping(self) -> dict[str, Any]:
        """An object with any keys."""
        if not isinstance(self.value, dict):
            self.fail(f"must be an object, not {_kind(self.value)}")
        return self.value

    def items(self) -> list["Reader"]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            self.fail(f"must be a list, not {_kind(self.value)}")
        return [Reader(f"{self.place}[{number}]", item, self.pack) for number, item in enumerate(self.value)]

    def text(self) -> str:
        """A text that can be written again."""
        if not isinstance(self.value, str):
            self.fail(f"must be a text, not {_kind(self.value)}")
        if any("\ud800" <= letter <= "\udfff" for letter in self.value):
            self.fail("is no text that can be written")
        return self.value

    def number(self) -> int:
        """A whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail(f"must be a whole number, not {_kind(self.value)}")
        return self.value

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(f"must be true or false, not {_kind(self.value)}")
        return self.value

    def player(self, seats: tuple[str, ...]) -> str:
        """One of `seats`."""
        name = self.text()
        if name not in seats:
            self.fail(f"{name!r} is not seated")
        return name

    def card(self) -> str:
        """A card of the pack."""
        card = self.text()
        if card not in self.pack.index:
            self.fail(f"unknown card {card!r}")
        return card

    def suit(self) -> str:
        """A suit of the pack."""
        suit = self.text()
        if suit not in self.pack.suit_mask:
            self.fail(f"unknown suit {suit!r}; there are {', '.join(self.pack.suit_mask)}")
        return suit


def _kind(value: Any) -> str:
    return {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a whole number",
        float: "a fraction",
    }.get(type(value), "null")
