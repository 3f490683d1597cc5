"""How a reader wants the page: its print, its light, and how it says whose turn it is; kept in the browser's cookie."""

from dataclasses import dataclass, replace
from typing import Final

from tracker.catalogue import msgid

APPEARANCE_COOKIE: Final = "tarok_reading"
LETTER_SIZES: Final = {"normal": msgid("Normal print"), "large": msgid("Large print")}
THEMES: Final = {
    "auto": msgid("Light or dark as on the device"),
    "light": msgid("Light paper"),
    "dark": msgid("Dark paper"),
}
SIGNALS: Final = {
    "silent": msgid("My turn without a sound"),
    "buzz": msgid("Buzz at my turn"),
    "sound": msgid("Sound at my turn"),
}


@dataclass(frozen=True)
class Appearance:
    """`size` is one of `LETTER_SIZES`, `theme` one of `THEMES`, `signal` one of `SIGNALS`."""

    size: str = "normal"
    theme: str = "auto"
    signal: str = "silent"

    @property
    def large(self) -> bool:
        """Whether the print is large."""
        return self.size == "large"

    def has(self, choice: str) -> bool:
        """Whether `choice` is among the reader's choices."""
        return choice in (self.size, self.theme, self.signal)

    def with_choice(self, choice: str) -> "Appearance":
        """The appearance after `choice`; unchanged if there is no such choice."""
        if choice in LETTER_SIZES:
            return replace(self, size=choice)
        if choice in THEMES:
            return replace(self, theme=choice)
        return replace(self, signal=choice) if choice in SIGNALS else self

    @property
    def style_sheets(self) -> list[tuple[str, str]]:
        """The style sheets of a page, each with the media query of its screens. Larger letters need wider screens."""
        k = 1.3 if self.large else 1.0
        upright = f"screen and (max-width: {51.25 * k:g}em) and (orientation: portrait)"
        lying = f"(max-height: {31 * k:g}em) and (min-width: {38 * k:g}em) and (orientation: landscape)"
        sheets = [
            ("table.css", "all"),
            ("learning.css", "all"),
            ("wide.css", f"screen and (min-width: {75 * k:g}em)"),
            ("phone.css", f"{upright}, screen and (max-width: {38 * k:g}em)"),
            ("landscape.css", f"screen and {lying}"),
            ("narrow.css", "screen and (max-width: 18em)"),
        ]
        dark = {"dark": "screen", "auto": "screen and (prefers-color-scheme: dark)"}
        return [*sheets, ("dark.css", dark[self.theme])] if self.theme in dark else sheets

    def as_cookie(self) -> str:
        """The value of the cookie."""
        return f"{self.size}.{self.theme}.{self.signal}"


def appearance_in(cookie: str) -> Appearance:
    """The appearance that a cookie says; the usual one where it says nothing known."""
    appearance = Appearance()
    for choice in cookie.split("."):
        appearance = appearance.with_choice(choice)
    return appearance
