"""A hand that is recorded: who agreed, the film, and the one file that the host may hand out.

Nothing is filmed before everybody at the table has agreed. Anybody can stop the recording at any time, and the film is
deleted. The film lies with the evening's pictures and goes with them: when the evening is settled, when the program
ends, and after a kill at the next start. Once the hand is over, the host may hand it out with its truth.
"""

import json
import time
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracker.events import Event, Unwatched
from tracker.files import PRIVATE
from tracker.hand import Hand
from tracker.session import Session
from webui.pictures.clip_truth import Window
from webui.pictures.clips import SoFar, typed_plays
from webui.pictures.film_truth import UntoldError, film_truth
from webui.pictures.hand_film import FILM_FPS, HandFilm

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate

_PIECE: Final = 1 << 20


class RecordingStage(Enum):
    """The stage of a recording: none, the table is asked, the hand is filmed, or the film waits for the host."""

    OFF = auto()
    ASKED = auto()
    FILMING = auto()
    OVER = auto()


class HandRecording:
    """The recording of a hand, its film in `folder`. The caller holds the table's lock, but for `take` and `pieces`.

    - `agreed`: the players who said yes, each with the id of the phone that did, "" if he said so aloud.
    - `seat_of` says whose a phone is by now. Until the hand is filmed, its yes holds as long as it is that player's.
    - `hand`: the number of the hand that is filmed. `handed_out`: the host has the file.
    - `why` is a key of `UNTOLD` that says why the last recording came to nothing, or "". It is said until the next hand
      begins.
    """

    def __init__(self, folder: Path) -> None:
        self.stage = RecordingStage.OFF
        self.agreed: dict[str, str] = {}
        self.seat_of: Callable[[str], str] = lambda phone: ""
        self.hand = 0
        self.why = ""
        self.handed_out = False
        self._path = folder / "hand.avi"
        self._film: HandFilm | None = None
        self._from = 0
        self._started = 0
        self._hands = 0
        self._seen = 0

    # ---- what people say ----

    def ask(self) -> None:
        """Ask the table, because the host would like to record a hand. An earlier film is deleted."""
        self.stop()
        self.stage = RecordingStage.ASKED

    def agree(self, name: str, evening: SoFar, phone: str = "") -> None:
        """Note that the player `name` agrees, on this phone or aloud. Once all have, the next hand is filmed whole."""
        if self.stage is not RecordingStage.ASKED:
            return
        self.agreed[name] = phone
        self._prepare(evening.session)

    def _prepare(self, session: Session[Any, Any]) -> None:
        """Make ready to film the next hand, once nobody at the table has still to answer."""
        if not self.waits_for(session.seats):
            played = session.under_way and session.hand is not None and session.hand.plays
            self._from = len(session.hands) + (not session.under_way or bool(played))
            self._film = HandFilm(self._path)

    def rename(self, names: Mapping[str, str]) -> None:
        """Call each player of `names` what it says."""
        self.agreed = {names.get(name, name): phone for name, phone in self.agreed.items()}

    def waits_for(self, seats: Collection[str]) -> list[str]:
        """The players at `seats` who have still to answer."""
        if self.stage is not RecordingStage.ASKED:
            return []
        agreed = [name for name, phone in self.agreed.items() if not phone or self.seat_of(phone) == name]
        return [name for name in seats if name not in agreed]

    def stop(self, why: str = "") -> None:
        """Stop recording and delete the film. `why` is a key of `UNTOLD`, "" if the host wanted it so."""
        film, self._film = self._film, None
        if film is not None:
            film.delete()
        self.stage, self.agreed, self.why, self.handed_out = RecordingStage.OFF, {}, why, False

    # ---- what happens at the table ----

    def take(self, update: "WatchUpdate") -> None:
        """Take in the picture of `update`."""
        film = self._film
        if film is not None:
            film.take(update)

    def booked(self, play: int, sighting: int | None) -> None:
        """Note that the play with this number was booked for `sighting` in the newest picture."""
        if self._film is not None:
            self._film.moments.booked(play, sighting)

    def entered(self, events: Collection[Event], evening: SoFar) -> None:
        """People entered `events`, the last ones of the record."""
        if self._film is not None:
            self._film.moments.entered(typed_plays(events, evening.recorded))
        self.follow(evening)

    def follow(self, evening: SoFar) -> bool:
        """Follow the evening; returns whether the page has news of the recording."""
        film, before, hands = self._film, (self.stage, self.why), len(evening.session.hands)
        if hands > self._hands:
            self.why = ""  # the host has read it, and another hand has begun
        self._hands = hands
        if film is not None and film.trouble:
            self.stop(film.trouble)
        elif self.stage is not RecordingStage.OFF and len(evening.recorded) != self._seen:
            self._seen = len(evening.recorded)
            self._go_on(evening)
        return before != (self.stage, self.why)

    def _go_on(self, evening: SoFar) -> None:
        session, film = evening.session, self._film
        if session.closed:
            self.stop("" if self.handed_out else "closed")
        elif self.stage is RecordingStage.ASKED:
            if film is None:
                self._prepare(session)  # whoever had still to answer may have left
                return
            hand = session.hand
            if hand is None or not session.under_way or hand.number < self._from:
                return
            if self.waits_for(session.seats):
                self._film = None  # somebody has sat down since
                return
            self.hand, self._started = hand.number, hand.started
            self.stage = RecordingStage.FILMING
            film.begin()
        elif film is not None:
            now = self._of_hand(evening)
            if now is None:
                self.stop("undone")
            elif self.stage is RecordingStage.FILMING and (why := _useless(now, evening, self._started)):
                self.stop(why)
            else:
                over = now.complete
                self.stage = RecordingStage.OVER if over else RecordingStage.FILMING
                film.hand_over(over)
                if session.hand is not now:
                    film.finish()

    def _of_hand(self, evening: SoFar) -> Hand | None:
        """The hand that is filmed; None if it was undone."""
        return next((hand for hand in evening.session.hands if hand.started == self._started), None)

    # ---- the one file ----

    @property
    def name(self) -> str:
        """The name of the file, without its ending. No player is named in it."""
        return f"tarok-{time.strftime('%Y-%m-%d')}-hand-{self.hand}"

    @property
    def waits(self) -> bool:
        """Whether there is a film that the host does not have yet."""
        return self.stage is RecordingStage.OVER and not self.handed_out

    def untold(self, evening: SoFar) -> str:
        """Why the file cannot be made just now: a key of `UNTOLD`, "" if it can."""
        try:
            self._truth(evening)
        except UntoldError as untold:
            return untold.why
        return ""

    def pieces(self, evening: SoFar) -> Iterator[bytes]:
        """The ZIP file of film and truth, piece by piece; the truth is that of now. Raises UntoldError at once."""
        film = self._film
        if film is not None and self.stage is RecordingStage.OVER:
            film.finish()
        truth = self._truth(evening)
        assert film is not None
        self.handed_out = True
        return self._zipped(film, json.dumps(truth, ensure_ascii=False, indent=1).encode())

    def _truth(self, evening: SoFar) -> dict[str, Any]:
        film = self._film
        if film is None:
            raise UntoldError("none")
        if self.stage is not RecordingStage.OVER:
            raise UntoldError("under way")
        hand = self._of_hand(evening)
        if hand is None:
            raise UntoldError("undone")
        if film.trouble or not film.frames:
            raise UntoldError(film.trouble or "away")
        window = Window(film.first_s, film.first_s + film.frames / FILM_FPS, FILM_FPS)
        return film_truth(hand, evening.session, evening.sides, film.moments, window, film.frames)

    def _zipped(self, film: HandFilm, truth: bytes) -> Iterator[bytes]:
        """Yield the file; raises OSError if the film is deleted meanwhile, so that nobody gets a whole file."""
        out, name = _Pieces(), self.name
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(f"{name}.json", truth)
            about = zipfile.ZipInfo(f"{name}.avi", time.localtime()[:6])
            about.external_attr = PRIVATE << 16
            with archive.open(about, "w") as target:
                at = 0
                # The film is opened for each piece, so that it can be deleted at any time, even on Windows.
                while piece := _piece_of(film.path, at):
                    target.write(piece)
                    at += len(piece)
                    yield out.taken()
        yield out.taken()


def _useless(hand: Hand, evening: SoFar, started: int) -> str:
    """Why a film of `hand` is of no use: a key of `UNTOLD`, "" as long as it is of use."""
    if hand.by_result:
        return "result"
    if hand.abandoned:
        return "abandoned"
    unseen = any(isinstance(one.event, Unwatched) and one.seq > started for one in evening.recorded)
    return "away" if unseen else ""


def _piece_of(path: Path, at: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(at)
        return file.read(_PIECE)


class _Pieces:
    """A file for `zipfile` to write to, from which the bytes are taken piece by piece."""

    def __init__(self) -> None:
        self._held = bytearray()

    def write(self, data: bytes, /) -> int:
        self._held += data
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing is kept back."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def taken(self) -> bytes:
        """The bytes that were written since the last call."""
        taken = bytes(self._held)
        self._held.clear()
        return taken
