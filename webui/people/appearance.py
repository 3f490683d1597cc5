"""How a reader wants the page: large print or not, light or dark. Each browser keeps its own in a cookie."""

from dataclasses import dataclass
from typing import Final

from tracker.catalogue import msgid

APPEARANCE_COOKIE: Final = "tarok_reading"
LETTER_SIZES: Final = {"normal": msgid("Normal print"), "large": msgid("Large print")}
THEMES: Final = {
    "auto": msgid("Light as the device has it"),
    "light": msgid("Light paper"),
    "dark": msgid("Dark paper"),
}


@dataclass(frozen=True)
class Appearance:
    """`size` is one of `LETTER_SIZES`, `theme` one of `THEMES`."""

    size: str = "normal"
    theme: str = "auto"

    @property
    def large(self) -> bool:
        """Whether the print is large."""
        return self.size == "large"

    def with_choice(self, choice: str) -> "Appearance":
        """The appearance after `choice`, a size or a theme; as it is where that is neither."""
        if choice in LETTER_SIZES:
            return Appearance(choice, self.theme)
        return Appearance(self.size, choice) if choice in THEMES else self

    def as_cookie(self) -> str:
        """The cookie."""
        return f"{self.size}.{self.theme}"


def appearance_in(cookie: str) -> Appearance:
    """What a cookie says; the usual where it says nothing that is known."""
    appearance = Appearance()
    for choice in cookie.split("."):
        appearance = appearance.with_choice(choice)
    return appearance
