"""The plain fields of an entry, read and checked. Each function raises EntryError with one sentence."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Final

from flask import Response, jsonify, request

from tracker.catalogue import msgid
from webui.errors import EntryError
from webui.people.seats import MAX_NAME, is_name
from webui.serving.requests import by_script


class AskFirstError(Exception):
    """The sender of an entry that takes something away must be asked first.

    `question` is what he is asked, `yes` the words on the button.
    """

    def __init__(self, question: str, yes: str) -> None:
        super().__init__(question)
        self.question = question
        self.yes = yes

    @property
    def entry(self) -> list[tuple[str, str]]:
        """The fields of the entry, to send again once its sender is sure."""
        own = request.form.items(multi=True)
        return [*(field for field in own if field[0] not in ("token", "once", "sure")), ("sure", "yes")]


def ask_first(question: str, yes: str) -> None:
    """Let the entry pass once its sender was asked `question` and pressed `yes`. Raises AskFirstError.

    Both are in the reader's language. The question says what goes, and whether it can be brought back.
    """
    if not request.form.get("sure"):
        raise AskFirstError(question, yes)


def asked_first(error: AskFirstError, draw: Callable[..., str]) -> tuple[Response | str, int]:
    """The answer to an entry whose sender must be asked: the dialog that `draw` draws, with the entry to send again.

    The page's script shows it over the page.
    """
    dialog = draw(
        sentence=error.question, action=request.path, fields=error.entry, yes=error.yes, fragment=by_script()
    )
    return (jsonify(message=error.question, ask=dialog) if by_script() else dialog), 428


def is_storable(text: str) -> bool:
    """Whether a text can be kept: PostgreSQL takes no NUL, and no file takes half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


NAMELESS: Final = msgid("Type a name.")
_MISSING: Final = {
    "typed": msgid("Type a card, or tap one."),
    "card": msgid("Type a card, or tap one."),
    "player": msgid("Choose a player."),
    "dealer": msgid("Choose a player."),
    "declarer": msgid("Choose a player."),
    "taker": msgid("Choose a player."),
    "suit": msgid("Choose a suit."),
    "category": msgid("Choose what kind of mistake it was."),
    "game": msgid("Choose a contract."),
    "contract": msgid("Choose a contract."),
    "name": NAMELESS,
    "amount": msgid("Type an amount."),
    "points": msgid("Type an amount."),
    "source": msgid("Type the address."),
    "address": msgid("Type the address."),
    "code": msgid("Type the code."),
}
"""The sentence for an empty field, by the field's name."""
_NOT_FILLED_IN: Final = msgid("Something is not filled in. Look again; nothing was entered.")


def field(name: str, missing: str = "") -> str:
    """The value of the field `name`, which must be there; otherwise the error says `missing`."""
    value = request.form.get(name, "").strip()
    if not value:
        message = missing or _MISSING.get(name, _NOT_FILLED_IN)
        raise EntryError(message)
    return value


def number(name: str, low: int = 1, high: int = 10**9 - 1, of: str = "") -> int:
    """The whole number in the field `name`, from `low` to `high`; `of` is the player whose number it is, if any.

    By default it is one that something has, such as an evening.
    """
    return _whole(field(name), low, high, of)


def number_in(name: str, fields: Mapping[str, str], otherwise: int) -> int:
    """The whole number in the field `name` of `fields`, below 10⁹; `otherwise` if the field is empty."""
    value = fields.get(name, "").strip()
    return _whole(value, 0, 10**9 - 1) if value else otherwise


def _whole(value: str, low: int, high: int, of: str = "") -> int:
    # By itself isdecimal would accept digits of other scripts, and numbers of any length.
    if value.isascii() and value.isdecimal() and len(value) < 10 and low <= int(value) <= high:
        return int(value)
    sentence = msgid("“{value}” does not fit here: a whole number from {low} to {high} is needed.")
    if of:
        sentence = msgid(
            "{player}: “{value}” does not fit here: a whole number from {low} to {high} is needed."
        )
    raise EntryError(sentence, player=of, value=value, low=low, high=high)


def choice(name: str, allowed: tuple[str, ...], missing: str = "") -> str:
    """The value of the field `name`, one of `allowed`; for an empty field the error says `missing`."""
    value = field(name, missing)
    if value not in allowed:
        raise EntryError("“{value}” cannot be chosen here.", value=value)
    return value


def chosen(name: str, allowed: Sequence[str]) -> str | None:
    """The value of the field `name`, one of `allowed`; None for an empty field."""
    return choice(name, tuple(allowed)) if request.form.get(name) else None


def is_yes(name: str) -> bool:
    """Whether the field `name` says yes, and not no."""
    return choice(name, ("yes", "no")) == "yes"


def several(name: str, allowed: Collection[str]) -> list[str]:
    """The values of the ticked boxes called `name`, each one of `allowed`."""
    values = request.form.getlist(name)
    for value in values:
        if value not in allowed:
            raise EntryError("“{value}” cannot be chosen here.", value=value)
    return values


def words(name: str) -> str:
    """The text in the field `name`, one line of at most 200 characters; it may be empty."""
    return " ".join(request.form.get(name, "").split())[:200]


def title() -> str:
    """The name in the field `name`, of at most 60 characters, for something new."""
    field("name")
    name = words("name")
    check_name(name, 60)
    return name


def check_name(name: str, most: int = MAX_NAME) -> None:
    """Raise EntryError unless `name` can be a name, of at most `most` characters."""
    if not (0 < len(name) <= most and name.isprintable()):
        raise EntryError("A name has 1 to {count} characters: {name}", count=most, name=name)


def check_player(name: str) -> None:
    """Raise EntryError unless a player can be called `name` at a table."""
    check_name(name)
    if not is_name(name):
        raise EntryError(
            "Nobody at a table can be called “{name}”: a name has no /, and “king”, “pagat” and “pot” are pots.",
            name=name,
        )


def days_in(fields: Mapping[str, str]) -> tuple[date, date]:
    """The days in the fields `from` and `to` of `fields`; the ends of the calendar where these are empty."""
    return day_in("from", fields, date.min), day_in("to", fields, date.max)


def day_value(day: date) -> str:
    """What a field has for `day`; "" for an end of the calendar."""
    return "" if day in (date.min, date.max) else day.isoformat()


def day_in(name: str, fields: Mapping[str, str], otherwise: date) -> date:
    """The day in the field `name` of `fields`; `otherwise` if the field is empty."""
    value = fields.get(name, "").strip()
    if not value:
        return otherwise
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise EntryError("“{value}” is not a day. Write it as in 2026-09-01.", value=value) from None
