"""A clip of each correction: the ten seconds around the play, what was believed and why, and what was true.

Clips are made only if the host allows it. A clip is `NAME.avi` and `NAME.json` in a folder beside the evening's
database. `tarok bench vision` reads it, and `tarok report` packs it. A card that people entered because the camera
missed it is a correction, too. A clip names nobody: the players are numbered. Its label is what people said last. A new
correction changes the label, and undoing the correction deletes the clip. The newest clips, up to `CLIPS_MB`, are kept.
"""

import json
import re
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    Recorded,
)
from tracker.files import private_folder, replace_file
from tracker.hand import Hand
from tracker.session import Session
from webui.pictures.avi import avi
from webui.pictures.clip_truth import Window, truth_of
from webui.pictures.evidence import Evidence
from webui.pictures.footage import Footage, Shot

CLIPS_MB: Final = 300
AROUND_S: Final = 5.0
"""Seconds that a clip shows before the card came to rest, and after that."""
MOMENTS: Final = {"before": -1.5, "frame": 0.3, "after": 2.0}
"""The pictures of the table at a play: seconds from when its card came to rest."""

_FPS: Final = 5
_UNSETTLED_S, _CUT_S = 0.9, 0.4
_NAME = re.compile(r"\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d play \d+")


@dataclass(frozen=True)
class SoFar:
    """The evening so far: its record, the game that follows from it, and each player's side of the picture."""

    recorded: list[Recorded]
    session: Session[Any, Any]
    sides: dict[str, str]


class Clips:
    """The clips in `folder` of what `footage` shows, and the pictures of a flag's plays, in `evidence`."""

    def __init__(
        self, folder: Path, footage: Footage, evidence: Evidence, *, clips_mb: float = CLIPS_MB
    ) -> None:
        self.folder = folder
        self.footage = footage
        self._evidence = evidence
        self._most = clips_mb * 1_000_000
        self._hand = 0
        self._due: set[int] = set()
        self._made: dict[int, Window] = {}

    def entered(self, events: Collection[Event], evening: SoFar, *, watching: bool) -> None:
        """People entered `events`, the last ones of the record; `watching`: the camera sees the table."""
        if watching:
            missed = typed_plays(events, evening.recorded)
            self.footage.moments.entered(missed)
            self._due |= missed
        for play in corrected_plays(events, evening.recorded):
            at_s = self._at(play, evening)
            if at_s is None:  # nobody filmed the play, or its entry was undone
                if self._made.pop(play, None) is not None:
                    _delete(self.folder, _name_of(play, evening))
                continue
            self._due |= {play, *(old for old, shown in self._made.items() if shown.shows(at_s))}
        self.follow(evening)

    def follow(self, evening: SoFar) -> None:
        """Make the clips whose seconds have passed. When another hand begins, or the evening ends, make all."""
        number = len(evening.session.hands)
        over = number > self._hand or evening.session.closed
        self._make_due(evening, all_of_them=over)
        if over:
            self._keep_moments(self._of_hand(evening))
            self._made = {}
            if evening.session.closed:
                self.footage.clear()
            else:
                hand = evening.session.hand
                self.footage.new_hand({play.seq for play in hand.plays} if hand is not None else ())
        self._hand = number

    def forget(self) -> None:
        """Delete the pictures of the hand, because the host no longer allows clips. The clips made so far stay."""
        self._due, self._made = set(), {}
        self.footage.clear()

    def end(self, evening: SoFar | None) -> None:
        """Make the clips that are still due, delete the pictures, and take no more: the program ends."""
        if evening is not None:
            self._make_due(evening, all_of_them=True)
        self._due = set()
        self.footage.end()

    def _make_due(self, evening: SoFar, *, all_of_them: bool) -> None:
        for play in sorted(self._due):
            at_s = self._at(play, evening)
            if at_s is None or all_of_them or self._has_passed(play, at_s):
                self._due.discard(play)
                if at_s is not None:
                    self._make(play, at_s, evening)

    def _of_hand(self, evening: SoFar) -> Hand | None:
        """The hand that the footage shows."""
        return next((hand for hand in evening.session.hands if hand.number == self._hand), None)

    def _at(self, play: int, evening: SoFar) -> float | None:
        """When the card of `play` came to rest, in s; None if nobody filmed it."""
        hand = self._of_hand(evening)
        return self.footage.moments.of(play, [one.seq for one in hand.plays] if hand is not None else [])

    def _has_passed(self, play: int, at_s: float) -> bool:
        """Whether the clip's seconds have passed, and those in which the camera may still read the card by itself."""
        return self.footage.now_s >= max(at_s, self.footage.moments.typed.get(play, 0.0)) + AROUND_S

    def _make(self, play: int, at_s: float, evening: SoFar) -> None:
        """Write the clip of `play`; a full disk costs only the clip."""
        hand = self._of_hand(evening)
        name = _name_of(play, evening)
        standing = {one.seq for one in hand.plays} if hand is not None else set()
        seqs = standing | self.footage.moments.at.keys()
        moments = {seq: at for seq in seqs if (at := self._at(seq, evening)) is not None}
        window = _window(at_s, moments, standing)
        shots = self.footage.between(window.first_s, window.last_s)
        try:
            if hand is None or not shots:
                return
            told = truth_of(
                play, window, moments, hand,
                evening.session, evening.recorded, evening.sides, list(self.footage.judged),
            )  # fmt: skip
            if told is None:  # the camera was right after all
                _delete(self.folder, name)
                self._made.pop(play, None)
                return
            slots = _slots(shots, window)
            video = avi([path.read_bytes() for path in slots], shots[-1].size, _FPS)
            private_folder(self.folder)
            replace_file(self.folder / f"{name}.avi", video)
            told |= {"fps": _FPS, "frames": len(slots)}
            replace_file(
                self.folder / f"{name}.json", json.dumps(told, ensure_ascii=False, indent=1).encode()
            )
            self._made[play] = window
            _keep_newest(self.folder, self._most, name)
        except OSError:
            _delete(self.folder, name)

    def _keep_moments(self, hand: Hand | None) -> None:
        """Keep pictures of the table at each play that a finding of `hand` rests on, as long as those of the cards."""
        if hand is None:
            return
        for finding in hand.findings:
            for play in hand.plays:
                if play.player == finding.player and play.card in (finding.card, *finding.evidence):
                    for name in MOMENTS:
                        picture = self.moment(play.seq, name)
                        if picture is not None:
                            self._evidence.keep_moment(play.seq, name, picture)

    def moment(self, play: int, name: str) -> bytes | None:
        """The JPEG of the table at one of the `MOMENTS` of a play; None if there is none."""
        at_s = self.footage.moments.at.get(play)
        picture = self.footage.picture(at_s + MOMENTS[name]) if at_s is not None else None
        return picture if picture is not None else self._evidence.moment(play, name)


def corrected_plays(events: Collection[Event], recorded: list[Recorded]) -> set[int]:
    """The numbers of the plays that the entries `events`, the last of `recorded`, correct, or correct no longer."""
    plays = set()
    first = recorded[-1].seq - len(events) + 1
    for record in recorded[first - 1 :]:
        seq, event = record.seq, record.event
        while isinstance(event, EventRetracted):
            seq, event = event.seq, recorded[event.seq - 1].event
        if isinstance(event, PlayCorrected | PlayRemoved):
            plays.add(event.seq)
        elif isinstance(event, PlayInserted) or (isinstance(event, CardPlayed) and seq != record.seq):
            plays.add(seq)
    return plays


def _name_of(play: int, evening: SoFar) -> str:
    return time.strftime("%Y-%m-%d %H.%M.%S", time.localtime(evening.recorded[0].at)) + f" play {play}"


def typed_plays(events: Collection[Event], recorded: list[Recorded]) -> set[int]:
    """The numbers of the plays among the entries `events`, the last of `recorded`, whose cards were just played."""
    new = recorded[len(recorded) - len(events) :]
    return {one.seq for one in new if isinstance(one.event, CardPlayed) and one.event.time_s is None}


def _window(at_s: float, moments: dict[int, float], standing: set[int]) -> Window:
    """The seconds around `at_s`. They end before a card that comes to rest too late to be read in them."""
    last_s = at_s + AROUND_S
    for moment in sorted((moments[seq] for seq in standing if seq in moments), reverse=True):
        if at_s < moment and last_s - _UNSETTLED_S < moment <= last_s:
            last_s = moment - _CUT_S
    return Window(max(0.0, at_s - AROUND_S), last_s, _FPS)


def _slots(shots: list[Shot], window: Window) -> list[Path]:
    """The picture for each frame of the clip: the newest one by then."""
    same = [shot for shot in shots if shot.size == shots[-1].size]
    count = max(1, round((min(window.last_s, same[-1].at_s + 1 / _FPS) - window.first_s) * _FPS))
    slots = []
    for frame in range(count):
        upto = window.first_s + frame / _FPS + 0.5 / _FPS
        slots.append(next((shot for shot in reversed(same) if shot.at_s <= upto), same[0]).path)
    return slots


def clip_names(folder: Path) -> list[str]:
    """The names of the clips in `folder`, oldest first."""
    found = [path for path in folder.glob("*.json") if _NAME.fullmatch(path.stem)]
    return sorted((path.stem for path in found if path.with_suffix(".avi").is_file()), key=_in_order)


def _in_order(name: str) -> tuple[str, int]:
    evening, _, play = name.partition(" play ")
    return evening, int(play)


def clip_bytes(folder: Path, name: str) -> int:
    """How many bytes a clip takes."""
    return sum((folder / f"{name}{end}").stat().st_size for end in (".avi", ".json"))


def _keep_newest(folder: Path, most: float, newest: str) -> None:
    names = [name for name in clip_names(folder) if name != newest]
    room = most - clip_bytes(folder, newest)
    for name in reversed(names):
        room -= clip_bytes(folder, name)
        if room < 0:
            _delete(folder, name)


def _delete(folder: Path, name: str) -> None:
    for end in (".avi", ".json"):
        with suppress(OSError):
            (folder / f"{name}{end}").unlink(missing_ok=True)


def delete_clips(folder: Path) -> None:
    """Delete the clips in `folder`, but nothing that a person put there. Raises OSError."""
    for name in {path.stem for path in folder.glob("*.*") if _NAME.fullmatch(path.stem)}:
        for end in (".avi", ".json"):
            (folder / f"{name}{end}").unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()
