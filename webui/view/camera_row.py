"""How well the camera works, in words."""

from dataclasses import asdict, dataclass

from vision.camera.address import shown_address
from webui.camera.tried import TriedCamera
from webui.table.camera_status import CameraStatus
from webui.texts import ADVICE, CAMERA_STATES, PROBLEMS, REMEDIES, ntext, text


@dataclass(frozen=True)
class CameraLine:
    """A line below the camera's picture; `bad`: people should put something right."""

    text: str
    bad: bool


@dataclass(frozen=True)
class CameraRow:
    """The camera's `state` (a key), what is `said` of it, and the lines that tell how well it works.

    In trouble the first line is `problem`. `detail` are the camera's own words. `figures` say how fast and how sharply
    it sees. `is_unread`: the deck on the table cannot be read and should be taught.
    """

    state: str
    said: str
    problem: str
    detail: str
    lines: list[CameraLine]
    figures: str
    reopens: bool
    is_unread: bool


def camera_row(camera: CameraStatus) -> CameraRow:
    """How well `camera` works, and what people should put right."""
    problem = text(PROBLEMS[camera.problem]) if camera.problem else ""
    figures = asdict(camera)
    lines = _trouble(camera.problem)
    lines += [CameraLine(text(ADVICE[key], **figures), bad=True) for key in camera.advice]
    is_network = camera.problem.startswith("network_")
    said, seen = text(CAMERA_STATES[camera.state]), ""
    if camera.state == "seeing":
        lines = lines or [CameraLine(text("The camera sees the table well."), bad=False)]
        seen = _pictures_a_second(camera.frames_per_s) + ", "
        seen += text("each read in {latency_ms} ms · sharpness {sharpness} · light {light} %", **figures)
        seen += " · " + ntext("{count} card in view", "{count} cards in view", camera.cards)
        if camera.card_px:
            seen += " · " + text("cards {card_px} px high · camera leans {tilt_deg}°", **figures)
    return CameraRow(
        state=camera.state,
        said=said,
        problem=problem,
        detail=camera.detail,
        lines=lines or [CameraLine(said, bad=False)],
        figures=seen,
        reopens=camera.reopens and (camera.problem in ("problem_lost", "problem_source") or is_network),
        is_unread="unread" in camera.advice,
    )


def _pictures_a_second(count: int) -> str:
    return ntext("{count} picture a second", "{count} pictures a second", count)


def _trouble(problem: str) -> list[CameraLine]:
    """What is wrong, by the key `problem`, and what people do about it; nothing for ""."""
    if not problem:
        return []
    remedies = REMEDIES.get(problem, ())
    return [
        CameraLine(text(PROBLEMS[problem]), bad=True),
        *(CameraLine(text(one), bad=False) for one in remedies),
    ]


@dataclass(frozen=True)
class TriedRow:
    """A camera in the network that was tried: its address as people may see it, and the result.

    `works`: the camera may be chosen. `figures` say how large, how fast and how sharp its pictures are.
    """

    address: str
    is_under_way: bool
    works: bool
    lines: list[CameraLine]
    figures: str


def tried_row(tried: TriedCamera) -> TriedRow:
    """The trial of a camera in the network, in words."""
    lines, figures = _trouble(tried.problem), ""
    if tried.trial is not None:
        one = tried.trial
        frames_per_s = round(one.frames_per_s)
        values = {
            "width_px": one.size[0], "height_px": one.size[1], "frames_per_s": frames_per_s,
            "wait_ms": round(one.longest_wait_s * 100) * 10, "sharpness": round(one.sharpness),
        }  # fmt: skip
        figures = f"{one.size[0]}×{one.size[1]} · {_pictures_a_second(frames_per_s)}, "
        figures += text("at most {wait_ms} ms apart · sharpness {sharpness}", **values)
        lines = [CameraLine(text(ADVICE[key], **values), bad=True) for key in one.advice]
    return TriedRow(shown_address(tried.address), tried.is_under_way, tried.trial is not None, lines, figures)
