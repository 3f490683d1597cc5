"""Saving an evening: the session file, and the picture of each play, named after the play."""

from pathlib import Path
from typing import Any

from tracker.files import private_folder, replace_file
from tracker.session import Session
from tracker.store import StoreError
from webui.errors import told_as
from webui.table.kept_evenings import in_file_name, session_text
from webui.table.live import LiveTable


def save_evening(table: LiveTable) -> tuple[Path, int]:
    """Save the evening of `table`, which must have one, beside its database.

    Returns the folder and the number of pictures in it. A folder that is there already is brought up to date. Raises
    StoreError when it cannot be written.
    """
    with table.locked() as session:
        assert session is not None
        folder = table.kept.saved_at(table.recorded[0].at)
        names = _names(session)
        written = set()
        with told_as(StoreError, folder):
            private_folder(folder)
            replace_file(folder / "session.json", session_text(table.recorded, type(session)))
            for seq in sorted(table.pictures.evidence.known):
                picture = table.pictures.evidence.picture(seq)
                if picture is not None:
                    path = folder / f"{names.get(seq, f'not counted {seq}')}.jpg"
                    replace_file(path, picture)
                    written.add(path)
            for old in set(folder.glob("*.jpg")) - written:
                old.unlink()  # its name is from before a correction
        return folder, len(written)


def _names(session: Session[Any, Any]) -> dict[int, str]:
    """The name of each play's picture, such as `hand 1 trick 04 2 Bo S7`, by the play's number."""
    return {
        play.seq: f"hand {hand.number} trick {trick.number:02} {place} {in_file_name(play.player)} {play.card}"
        for hand in session.hands
        for trick in hand.tricks
        for place, play in enumerate(trick.plays, start=1)
    }
