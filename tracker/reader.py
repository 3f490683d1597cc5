"""Strict reading of JSON files: every value knows its place in the file, and errors name it."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, Final, NoReturn

from tracker.cards import TRUMP
from tracker.errors import TarokError
from tracker.pack import Pack

MOST_FILE_BYTES: Final = 4 << 20
"""A session file has about 4 kB a hand, the file of all evenings about 2."""
MOST_DEPTH: Final = 24
MOST_DIGITS: Final = 40
MOST_LETTERS: Final = 2000
"""The longest text in a file; what people type has 200 letters at most."""
_NO_CARDS: Final = Pack({TRUMP: ()})
"""The pack of a file of which it is not known yet which game it is of."""


class SessionFileError(TarokError):
    """A session file cannot be read; the message begins with the `place` (`hands[3].events[12]`)."""

    def __init__(self, place: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.place = place
        self.args = (self.at_place(str(self.reason)),)

    @classmethod
    def of(cls, place: str, error: TarokError) -> "SessionFileError":
        """What `error` says, of that `place`."""
        return cls(place, error.reason.sentence, **dict(error.reason.values))

    def within(self, place: str) -> "SessionFileError":
        """The same, once it is known that the file lies at `place`, such as its name."""
        return self.of(place if self.place in ("", "file") else f"{place}: {self.place}", self)

    def at_place(self, said: str) -> str:
        """What is `said` of the place, with the place before it, on one line."""
        text = f"{self.place}: {said}" if self.place else said
        # A name in the file may contain line breaks.
        return "".join(letter if letter.isprintable() else " " for letter in text)


def _no_constant(constant: str) -> NoReturn:
    raise SessionFileError("", "not JSON of the format: {constant} is not a number", constant=constant)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twin, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise SessionFileError("", "not JSON of the format: key {key!r} is there twice", key=twin)
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise SessionFileError(
            "", "not JSON of the format: a number has more than {most} digits", most=MOST_DIGITS
        )
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _no_constant(digits[:MOST_DIGITS])


# Made once: an evening is read event by event.
_JSON: Final = json.JSONDecoder(
    object_pairs_hook=_no_twins, parse_constant=_no_constant, parse_int=_whole, parse_float=_finite
)


def parsed(text: str | bytes) -> Any:
    """The JSON in `text` (UTF-8). Raises SessionFileError.

    That is also for NaN, for a key that stands twice, and beyond `MOST_FILE_BYTES`, `MOST_DEPTH` and `MOST_DIGITS`.
    """
    if len(text) > MOST_FILE_BYTES:
        raise SessionFileError("", "larger than {most} MB", most=MOST_FILE_BYTES >> 20)
    try:
        value = _JSON.decode(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
        _refuse_deep(value)
    except UnicodeDecodeError as error:
        raise SessionFileError("", "not UTF-8: byte {byte} cannot be read", byte=error.start) from None
    except json.JSONDecodeError as error:
        raise SessionFileError(
            "", "not JSON at line {line} column {column}", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise SessionFileError("", "not JSON of the format: nested too deeply") from None
    return value


def _refuse_deep(value: Any) -> None:
    """Raise RecursionError where lists and objects of JSON lie in each other deeper than `MOST_DEPTH`."""
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise RecursionError


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

    def fail(self, sentence: str, /, **values: object) -> NoReturn:
        """Raise SessionFileError for this value."""
        raise SessionFileError(self.place or "file", sentence, **values)

    def fail_as(self, error: TarokError) -> NoReturn:
        """Raise SessionFileError for this value, of which `error` says what is wrong."""
        raise SessionFileError.of(self.place or "file", error) from None

    def __getitem__(self, key: str) -> "Reader":
        if key not in self.value:
            self.fail("{key!r} is missing", key=key)
        return Reader(f"{self.place}.{key}" if self.place else key, self.value[key], self.pack)

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def object(self, keys: set[str]) -> None:
        """Check that it is an object with no other keys than `keys`."""
        for key in self.mapping():
            if key not in keys:
                self.fail("unknown key {key!r}", key=key)

    def mapping(self) -> dict[str, Any]:
        """An object with any keys."""
        if not isinstance(self.value, dict):
            self.fail("must be an object, not {kind}", kind=_kind(self.value))
        return self.value

    def items(self) -> list["Reader"]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            self.fail("must be a list, not {kind}", kind=_kind(self.value))
        return [Reader(f"{self.place}[{number}]", item, self.pack) for number, item in enumerate(self.value)]

    def text(self) -> str:
        """A text that can be written again, of `MOST_LETTERS` at most."""
        if not isinstance(self.value, str):
            self.fail("must be a text, not {kind}", kind=_kind(self.value))
        if len(self.value) > MOST_LETTERS:
            self.fail("is longer than {most} letters", most=MOST_LETTERS)
        if any("\ud800" <= letter <= "\udfff" for letter in self.value):
            self.fail("is not a text that can be written")
        return self.value

    def one_of(self, allowed: Sequence[str]) -> str:
        """One of the words `allowed`."""
        word = self.text()
        if word not in allowed:
            self.fail("must be one of {allowed}, not {word!r}", allowed=", ".join(allowed), word=word)
        return word

    def number(self) -> int:
        """A whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail("must be a whole number, not {kind}", kind=_kind(self.value))
        return self.value

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail("must be true or false, not {kind}", kind=_kind(self.value))
        return self.value

    def player(self, seats: tuple[str, ...]) -> str:
        """One of `seats`."""
        name = self.text()
        if name not in seats:
            self.fail("{name!r} is not seated", name=name)
        return name

    def card(self) -> str:
        """A card of the pack."""
        card = self.text()
        if card not in self.pack.index:
            self.fail("unknown card {card!r}", card=card)
        return card

    def suit(self) -> str:
        """A suit of the pack."""
        suit = self.text()
        if suit not in self.pack.suit_mask:
            self.fail(
                "unknown suit {suit!r}; there are {suits}", suit=suit, suits=", ".join(self.pack.suit_mask)
            )
        return suit


def _kind(value: Any) -> str:
    """What a value is, an English word or two."""
    return {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a whole number",
        float: "a fraction",
    }.get(type(value), "null")


# -- what reads a value of an event (`tracker.events.Event.form`) --------------------------------------------


Read = Callable[[Reader, tuple[str, ...]], Any]
"""Takes a value and the names of all who were seated so far; raises SessionFileError as the methods of `Reader` do."""


def a_player(item: Reader, seats: tuple[str, ...]) -> str:
    """The name of one of `seats`."""
    return item.player(seats)


def a_card(item: Reader, seats: tuple[str, ...]) -> str:
    """A card of the pack."""
    return item.card()


def some_cards(item: Reader, seats: tuple[str, ...]) -> tuple[str, ...]:
    """A list of cards of the pack."""
    return tuple(card.card() for card in item.items())


def a_suit(item: Reader, seats: tuple[str, ...]) -> str:
    """A suit of the pack."""
    return item.suit()


def a_number(item: Reader, seats: tuple[str, ...]) -> int:
    """A whole number."""
    return item.number()


def a_count(item: Reader, seats: tuple[str, ...]) -> int:
    """A whole number from 1 on."""
    if item.number() < 1:
        item.fail("must be 1 or more, not {count}", count=item.value)
    return item.number()


def a_text(item: Reader, seats: tuple[str, ...]) -> str:
    """A text."""
    return item.text()


def a_word_of(allowed: Sequence[str]) -> Read:
    """What reads one of the words `allowed`."""
    return lambda item, seats: item.one_of(allowed)
