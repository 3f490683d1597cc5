"""What a user can hand to the tracker that is not a game, said in one sentence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be: an English sentence with places `{name}`, and what stands in them."""

    sentence: str
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        """The sentence as errors and files have it: English, cards by their codes."""
        return self.sentence.format(**dict(self.values)) if self.values else self.sentence


class TarokError(Exception):
    """Malformed input; the message says what and where, for the user.

    It is an English `sentence`, with `values` for its places if it has any.
    """

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.reason = Reason(sentence, tuple(values.items()))
        super().__init__(str(self.reason))


class EventError(TarokError):
    """An event that cannot happen then; the message says why. `kind` is the alert it makes live."""

    def __init__(self, sentence: str, kind: str = "impossible_event", /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.kind = kind
