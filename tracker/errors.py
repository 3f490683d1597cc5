"""Errors in the input, each told to the user in one sentence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be: an English `sentence`, to be translated, with a place `{name}` for each of `values`."""

    sentence: str
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        """The sentence in English with its values, cards by their codes."""
        return self.sentence.format(**dict(self.values)) if self.values else self.sentence


class TarokError(Exception):
    """Malformed input; the message tells the user what is wrong and where.

    `sentence` is English, with a place `{name}` for each of `values`.
    """

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.reason = Reason(sentence, tuple(values.items()))
        super().__init__(str(self.reason))


class EventError(TarokError):
    """An event that cannot happen at that point; the message says why.

    `kind` is the kind of alert that it becomes in a live session.
    """

    def __init__(self, sentence: str, kind: str = "impossible_event", /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.kind = kind


class EarlierCardsError(EventError):
    """An event that cannot happen because of the cards of earlier tricks, which fair play hides (ETI-1)."""
