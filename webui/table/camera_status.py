"""How well the camera works, for the page."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.watching.health import Health, View

_UNSEEN = frozenset({"far", "leaning", "blurred", "dark", "blocked"})
"""Advice that explains why cards cannot be read."""


@dataclass(frozen=True)
class CameraStatus:
    """How well the camera works.

    `state` is none, waiting (for an evening), unplaced (a player has no place in the picture), teaching (a deck),
    starting, setting_up, seeing, ended or trouble. `problem` is a key of `webui.texts.PROBLEMS`, `detail` the camera's
    own words, `advice` keys of `webui.texts.ADVICE`. `reopens`: the program opens the camera again by itself.

    The figures are rounded, so that the page has no news of a flicker. `light` is in percent. `card_px` is the height
    of a card in the picture, `tilt_deg` the camera's lean from straight above; both are 0 until enough cards were seen.
    """

    state: str = "none"
    problem: str = ""
    detail: str = ""
    frames_per_s: int = 0
    latency_ms: int = 0
    sharpness: int = 0
    light: int = 0
    cards: int = 0
    card_px: int = 0
    tilt_deg: int = 0
    advice: tuple[str, ...] = ()
    reopens: bool = False


def seeing(health: "Health", view: "View | None") -> CameraStatus:
    """The status of a camera that gives pictures, its figures rounded.

    An unread deck is told only where nothing else explains why the cards cannot be read.
    """
    advice = (*health.advice, *(view.advice if view else ()))
    seen_badly = not _UNSEEN.isdisjoint(advice)
    return CameraStatus(
        "seeing",
        frames_per_s=round(health.frames_per_s),
        latency_ms=round(health.latency_s * 100) * 10,
        sharpness=round(health.sharpness),
        light=round(health.brightness / 2.55 / 5) * 5,
        cards=health.cards,
        card_px=round(view.card_px / 5) * 5 if view else 0,
        tilt_deg=round(view.tilt_deg / 5) * 5 if view else 0,
        advice=tuple(key for key in advice if not (key == "unread" and seen_badly)),
    )
