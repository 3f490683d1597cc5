"""The pictures of the evening at the table: of plays, of corrected cards, and of the seconds around a correction."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.events import CardPlayed, Event, PlayCorrected, Recorded
from webui.kept_file import file_beside
from webui.paths import corrections_dir
from webui.pictures.clips import Clips, SoFar, corrected_plays
from webui.pictures.corrected_cards import corrected_card, set_aside
from webui.pictures.evidence import Evidence
from webui.pictures.footage import Footage
from webui.pictures.recording import HandRecording

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate


class TablePictures:
    """The pictures beside the evening's `database`. The caller holds the table's lock, but for `take`.

    `keeps_clips`: the host allows clips. `keeps_corrections`: he allows pictures of corrected cards to be set aside.
    """

    def __init__(self, database: Path) -> None:
        self.evidence = Evidence(file_beside(database, ".evidence"))
        self.clips = Clips(database.parent / "clips", Footage(self.evidence.root / "hand"), self.evidence)
        self.recording = HandRecording(self.evidence.root / "film")
        self.keeps_clips = False
        self.keeps_corrections = False

    def keep_clips(self, keeps: bool) -> None:
        """Set whether the host allows clips."""
        self.keeps_clips = keeps
        if not keeps:
            self.clips.forget()

    def take(self, update: "WatchUpdate", *, under_way: bool) -> None:
        """Take in the picture of `update`; `under_way`: a hand is played."""
        if self.keeps_clips:
            self.clips.footage.take(update, under_way=under_way)
        self.recording.take(update)

    def booked(self, event: Event, records: Sequence[Recorded], update: "WatchUpdate") -> None:
        """`event`, seen in `update`, is stored as `records`."""
        if event in update.played:
            play = event.seq if isinstance(event, PlayCorrected) else records[-1].seq
            self.evidence.keep(play, update.played[event], update)
        if isinstance(event, CardPlayed) and self.keeps_clips:
            self.clips.footage.booked(records[-1].seq, update.played.get(event))
        self.recording.booked(records[-1].seq, update.played.get(event))

    def follow(self, evening: SoFar) -> bool:
        """Follow the evening and make the clips that are due; returns whether the page has news of the recording."""
        if self.keeps_clips:
            self.clips.follow(evening)
        return self.recording.follow(evening)

    def entered(self, events: Sequence[Event], evening: SoFar, *, watching: bool) -> None:
        """People entered `events`, the last ones of the record; `watching`: the camera sees the table."""
        if self.keeps_clips:
            self.clips.entered(events, evening, watching=watching)
        self.recording.entered(events, evening)
        if self.keeps_corrections:
            for play in corrected_plays(events, evening.recorded):
                card = corrected_card(evening.recorded, play)
                name = f"{evening.recorded[0].at:.0f}-{play}"
                set_aside(corrections_dir(), name, card, self.evidence.picture(play))
        if evening.session.closed:
            self.evidence.clear()

    def end(self, evening: SoFar | None) -> None:
        """Delete the evening's pictures, and keep no more, because the program ends."""
        self.clips.end(evening)
        self.recording.stop()
        self.evidence.end()
