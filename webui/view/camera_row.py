"""How the camera is doing, in words."""

from dataclasses import asdict, dataclass

from webui.table.camera_status import CameraStatus
from webui.texts import ADVICE, CAMERA_STATES, PROBLEMS, REMEDIES, text


@dataclass(frozen=True)
class CameraLine:
    """A line below the camera's picture; `bad` is something to put right."""

    text: str
    bad: bool


@dataclass(frozen=True)
class CameraRow:
    """The camera's state by its key and in words, what is wrong with it, and the lines below its picture.

    `detail` is what the camera itself said, in its own words. `figures` is how fast and how sharply it sees, for who
    wants to know.
    """

    state: str
    said: str
    problem: str
    detail: str
    lines: list[CameraLine]
    figures: str
    reopens: bool


def camera_row(camera: CameraStatus) -> CameraRow:
    """How `camera` is doing, and what people should put right."""
    problem = text(PROBLEMS[camera.problem]) if camera.problem else ""
    figures = asdict(camera)
    lines = [CameraLine(problem, bad=True)] if problem else []
    lines += [CameraLine(text(sentence), bad=False) for sentence in REMEDIES.get(camera.problem, ())]
    lines += [CameraLine(text(ADVICE[key], **figures), bad=True) for key in camera.advice]
    seen = ""
    if camera.state == "seeing":
        if not lines:
            lines = [CameraLine(text("The camera sees the table well."), bad=False)]
        seen = text(
            "{frames_per_s} pictures a second, each read in {latency_ms} ms · sharpness {sharpness} · light "
            "{light} % · {cards} cards in view",
            **figures,
        )
        if camera.card_px:
            seen += " · " + text("cards {card_px} px high · camera leans {tilt_deg}°", **figures)
    return CameraRow(
        state=camera.state,
        said=text(CAMERA_STATES[camera.state]),
        problem=problem,
        detail=camera.detail,
        lines=lines,
        figures=seen,
        reopens=camera.reopens and camera.problem in ("problem_lost", "problem_source", "problem_network"),
    )
