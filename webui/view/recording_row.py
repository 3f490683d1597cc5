"""The recording of a hand, as the page shows it to one phone."""

from dataclasses import dataclass
from typing import Final

from webui.people.phones import Phones
from webui.people.roles import Role
from webui.pictures.clips import SoFar
from webui.pictures.film_truth import UNTOLD
from webui.pictures.recording import RecordingStage
from webui.table.live import LiveTable
from webui.texts import text


@dataclass(frozen=True)
class RecordingRow:
    """The recording: its `stage`, "off", "asked", "filming" or "over".

    `hand` is the hand that is filmed. `asks_me`: this phone is asked. `waits_for` are the players who answer on their
    phones, `aloud` those without a phone, whom the host asks. `untold` says why the film has no file just now, `why`
    says why there is no film.
    """

    stage: str
    hand: int = 0
    asks_me: bool = False
    waits_for: tuple[str, ...] = ()
    aloud: tuple[str, ...] = ()
    untold: str = ""
    why: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether every screen says that a film is made, or waits for the host."""
        return self.stage in ("filming", "over")


NOTHING_RECORDED: Final = RecordingRow("off")


def recording_row(table: LiveTable, phones: Phones, role: Role, seat: str) -> RecordingRow:
    """The recording at `table` for a `role` at `seat`; the caller holds the table's lock.

    The host asks a player aloud whose phone is not surely his.
    """
    recording, session = table.pictures.recording, table.session
    waiting = recording.waits_for(session.seats) if session is not None else []
    aloud = tuple(name for name in waiting if not phones.is_vouched(name))
    waits_for = tuple(name for name in waiting if name not in aloud)
    return RecordingRow(
        recording.stage.name.lower(),
        recording.hand if recording.stage in (RecordingStage.FILMING, RecordingStage.OVER) else 0,
        seat in waits_for,
        waits_for,
        aloud,
        text(UNTOLD[untold]) if (untold := _untold(table, role)) else "",
        text(UNTOLD[recording.why]) if recording.why and role is Role.HOST else "",
    )


def _untold(table: LiveTable, role: Role) -> str:
    recording, session = table.pictures.recording, table.session
    if session is None or recording.stage is not RecordingStage.OVER or role is not Role.HOST:
        return ""
    return recording.untold(SoFar(table.recorded, session, table.sides))
