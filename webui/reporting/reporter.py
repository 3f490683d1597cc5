"""Telling a club of the table's evenings: a thread that sends the stored events in order, however long it takes.

The evening's own database is the queue, and the club's server says how far it has come. So nothing is lost and nothing
is stored twice, even after a kill or days without a network. Nothing at the table waits for the club.
"""

import contextlib
import math
import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from tracker.errors import TarokError
from tracker.store import SessionInfo
from webui.errors import tell_fault
from webui.reporting.club_line import (
    MOST_EVENINGS,
    MOST_EVENTS,
    MOST_IN_EVENING,
    START,
    Joined,
    LineError,
    Reply,
    ask_the_club,
    digest_of,
    first_of,
    kept_joined,
    sentence_in,
)
from webui.reporting.rounds import (
    NO_ROUND,
    BegunRound,
    OfferedRound,
    RoundPhase,
    TableRound,
    kept_round,
    news_of_round,
    phase_of,
)
from webui.table.live import LiveTable
from webui.table.replaying import fold

BATCH_S: Final = 1.0
"""Seconds of play that one batch has."""
ROUND_S: Final = 10.0
"""Seconds from one question for the table's round to the next."""
_MOST_UNTOLD: Final = 20
_LONGEST_WAIT_S: Final = 60.0
_LEAVE_S: Final = 5.0


class JoiningError(Exception):
    """The club did not take the table in. `sentences` are its own, by language; {} if it could not be reached."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__(sentence_in(sentences, "en"))
        self.sentences = sentences


@dataclass(frozen=True)
class Progress:
    """How the sending goes.

    `state` is told (nothing waits), sending, waiting (for the network), unknown (the club has removed the table) or
    refused (the club refuses an evening). `sentences` are the club's reason for that, by language; {} if it has another
    record of the evening. `unsent` events wait.
    """

    state: Literal["told", "sending", "waiting", "unknown", "refused"] = "sending"
    unsent: int = 0
    sentences: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Place:
    """How far the club has come with an evening: the last event that it has, and the digest of all up to that."""

    last: int = 0
    digest: str = START


class _RemovedError(Exception):
    """The club no longer knows the table."""


class Reporter:
    """Sends the evenings of `table` to the club that it joined, if it joined one; safe to use from several threads."""

    def __init__(self, table: LiveTable, ask_club: Callable[..., Reply] = ask_the_club) -> None:
        self._table = table
        self._ask = ask_club
        self._file = kept_joined(table.path)
        self._joined = self._file.load()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self.progress = Progress()
        self.rounds = Rounds(table)

    @property
    def club(self) -> Joined | None:
        """The club that the table joined; None while it has joined none."""
        return self._joined if self._joined.club else None

    def join(self, address: str, code: str, *, begin: bool = True) -> Joined:
        """Join the club at `address` by the `code` that it gave, and `begin` to send.

        The club is told of the open evening and of those after it. Raises JoiningError and StoreError.
        """
        with self._lock:
            before = self._joined
            same = not before.club and before.address == address
            key = before.key if same else secrets.token_urlsafe(32)
            evening = self._table.evening
            since = (evening.number or 0) + (0 if evening.is_open else 1)
            joined = Joined(address, key, "", "", since)
            # Saved before it is sent: asked again with the same key, the club gives the same answer.
            self._save(joined)
            try:
                answer = self._ask(address, "/api/join", {"code": code, "key": key})
            except LineError as error:
                raise JoiningError({}) from error
            club, name = answer.told.get("club"), answer.told.get("table")
            if answer.status != 200 or not (isinstance(club, str) and isinstance(name, str) and club):
                # Another program, such as a table, does not say it in several languages.
                raise JoiningError(answer.sentences if "messages" in answer.told else {})
            joined = replace(joined, club=club, table=name)
            self._save(joined)
            self.progress = Progress()
        if begin:
            self.start()
        return joined

    def leave(self) -> None:
        """Send nothing any more. The club keeps what it has; after joining it again, the table goes on from there.

        Raises StoreError.
        """
        self.stop()
        with self._lock:
            self._save(replace(self._joined, club="", table=""))
            self.rounds.save(NO_ROUND)

    def start(self) -> None:
        """Begin to send, if the table has joined a club."""
        self.stop()
        joined = self.club
        if joined is None:
            return
        self._stopped = threading.Event()
        line = _Line(self, self._table, joined, self._ask, self._stopped)
        self._thread = threading.Thread(target=line.run, name="club", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop sending. What was not sent yet is sent after the next start."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=_LEAVE_S)
            self._thread = None

    def _save(self, joined: Joined) -> None:
        self._file.save(joined)
        self._joined = joined


class Rounds:
    """The rounds that its club offers, as `table` knows them; safe to use from several threads."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self._file = kept_round(table.path)
        self.now = self._file.load()
        self._shown: RoundPhase = "none"

    def save(self, new: TableRound) -> None:
        """Keep and show `new`. Raises StoreError."""
        with self._table.changes:
            if new != self.now:
                self._file.save(new)
                self.now = new
                self._table.changes.tell()

    def forget_names(self) -> None:
        """Forget the offered round with its names; the club tells it again while it stands. Raises StoreError."""
        with self._table.changes:
            self.save(replace(self.now, offer=None, twice=()))

    def begin(self, offer: OfferedRound) -> None:
        """Note that the evening at the table is the round `offer`. Raises StoreError. The caller holds the lock."""
        now = self.now
        begun = BegunRound(self._evening(), offer.key, tournament=offer.tournament, round=offer.round)
        self.save(replace(now, begun=(*(one for one in now.begun if one.evening != begun.evening), begun)))

    def take(self, told: Mapping[str, Any], sent: list[BegunRound]) -> None:
        """Take in the club's answer `told` to the begun rounds that were `sent`. Raises StoreError."""
        with self._table.changes:
            self.save(news_of_round(self.now, told, sent))

    def tick(self) -> None:
        """Tell the page when a round's time is up. An evening of the round's players becomes the round."""
        with self._table.changes:
            if (offer := self.now.offer) is not None and not self.now.evening and self._has_come(offer):
                self.begin(offer)
            phase = self.phase
            if phase != self._shown:
                self._shown = phase
                self._table.changes.tell()

    @property
    def phase(self) -> RoundPhase:
        """The phase of the round now. The caller holds the table's lock."""
        session = self._table.session
        if session is None or session.closed:
            mistaken = session is not None and not session.hands and self.now.evening == self._evening()
            return phase_of(replace(self.now, begun=()) if mistaken else self.now, "", 0, False, time.time())
        hands = len(session.hands)
        return phase_of(self.now, self._evening(), hands, session.under_way, time.time())

    @property
    def plays_another(self) -> bool:
        """Whether the evening at the table is another round than the one that is offered. The caller holds the lock."""
        return self.now.is_another(self._evening())

    def has_named(self, player: str) -> bool:
        """Whether the evening at the table is a round of the club, which named `player` so.

        The caller holds the table's lock.
        """
        offer = self.now.offer
        begun = any(one.evening == self._evening() for one in self.now.begun)
        return begun and (offer is None or player in offer.seats)

    def _has_come(self, offer: OfferedRound) -> bool:
        """Whether the players of `offer` opened an evening after it came, or one in which nothing was played yet."""
        session, info = self._table.session, self._info()
        if session is None or info is None or set(session.seats) != set(offer.seats) or self.plays_another:
            return False
        if session.hands:
            return info.opened_at >= self.now.since
        return not session.closed

    def _evening(self) -> str:
        """The key of the evening at the table; "" before the first evening."""
        info = self._info()
        return info.key if info is not None else ""

    def _info(self) -> SessionInfo | None:
        number = self._table.evening.number
        return next((info for info in self._table.kept.played_here() if info.id == number), None)


class _Line:
    """The sending itself, on its own thread."""

    def __init__(
        self,
        reporter: Reporter,
        table: LiveTable,
        joined: Joined,
        ask_club: Callable[..., Reply],
        stopped: threading.Event,
    ) -> None:
        self._reporter = reporter
        self._table = table
        self._joined = joined
        self._ask = ask_club
        self._stopped = stopped
        self._rounds = reporter.rounds
        self._round_asked_s = -math.inf
        self._places: dict[str, _Place] = {}
        # By evening: how many events it had when the club refused it, and the club's sentences.
        self._refused: dict[str, tuple[int, Mapping[str, str]]] = {}
        self._asked = False

    def run(self) -> None:
        """Send until stopped."""
        wait_s = 0.0
        while not self._pause(wait_s):
            version, begun_s = self._table.changes.version, time.monotonic()
            try:
                if self._round_is_due():
                    self._ask_round()
                unsent = self._send_all()
                wait_s = max(0.0, BATCH_S - (time.monotonic() - begun_s))
                if not unsent:
                    self._wait(version)
            except _RemovedError:
                self._reporter.progress = Progress("unknown", self._unsent())
                wait_s = _LONGEST_WAIT_S
            except (LineError, TarokError):
                self._asked = False  # an answer may have been lost, so ask how far the club has come
                self._reporter.progress = Progress("waiting", self._unsent())
                # Many tables find the network again at once, so each waits a little more or less.
                wait_s = min(_LONGEST_WAIT_S, max(1.0, 2 * wait_s)) * random.uniform(0.75, 1.0)
            except Exception as fault:  # noqa: BLE001 - whatever is wrong with the club, the table plays on
                tell_fault("telling the club", fault)
                self._reporter.progress = Progress("waiting")
                wait_s = _LONGEST_WAIT_S

    def _pause(self, seconds: float) -> bool:
        """Wait so long, and follow the round's clock meanwhile; returns whether sending was stopped."""
        until_s = time.monotonic() + seconds
        while (left_s := until_s - time.monotonic()) > 0 and not self._stopped.wait(min(left_s, BATCH_S)):
            self._tick()
        return self._stopped.is_set()

    def _tick(self) -> None:
        with contextlib.suppress(TarokError):  # after a full disk it is tried again
            self._rounds.tick()

    def _round_is_due(self) -> bool:
        self._tick()
        return bool(self._rounds.now.untold) or time.monotonic() - self._round_asked_s >= ROUND_S

    def _ask_round(self) -> None:
        """Tell the club which evenings are which rounds, and ask for the table's round. Raises LineError."""
        untold = self._rounds.now.untold[-_MOST_UNTOLD:]
        answer = self._asked_of("/api/round", {"begun": [[one.evening, one.offer] for one in untold]})
        self._round_asked_s = time.monotonic()
        if answer.status == 200:
            self._rounds.take(answer.told, untold)

    def _wait(self, version: int) -> None:
        """Wait for news of the table, or until the club is asked for the round.

        Now and then refused evenings are tried again, because the club may take them back.
        """
        until_s = time.monotonic() + _LONGEST_WAIT_S
        while not (self._stopped.is_set() or self._table.changes.wait(version, BATCH_S)):
            if self._round_is_due():
                return
            if self._refused and time.monotonic() > until_s:
                self._asked = False
                return

    def _evenings(self) -> list[SessionInfo]:
        return [info for info in self._table.kept.played_here() if info.id >= self._joined.since]

    def _unsent(self) -> int:
        with contextlib.suppress(TarokError):
            return sum(max(0, info.event_count - self._place(info).last) for info in self._evenings())
        return 0

    def _place(self, info: SessionInfo) -> _Place:
        return self._places.get(info.key, _Place())

    def _send_all(self) -> bool:
        """Send one batch of each evening that has news, the oldest first; returns whether some still wait."""
        evenings = self._evenings()
        if not self._asked:
            self._places = self._asked_places([info.key for info in evenings])
            self._refused = {info.key: (info.event_count, {}) for info in evenings if self._differs(info)}
            self._asked = True
        more = False
        for info in evenings:
            while not self._stopped.is_set() and self._has_news(info):
                self._reporter.progress = Progress("sending", self._unsent(), self._why_refused())
                if not self._send(info):
                    break
            more |= self._has_news(info)
        if not self._stopped.is_set():
            state: Literal["refused", "sending", "told"] = (
                "refused" if self._refused else "sending" if more else "told"
            )
            self._reporter.progress = Progress(state, self._unsent(), self._why_refused())
        return more

    def _has_news(self, info: SessionInfo) -> bool:
        at, said = self._refused.get(info.key, (-1, {}))
        # Later events may put right what the club refused, but not that it has another record.
        return self._place(info).last < info.event_count != at and not (at >= 0 and not said)

    def _why_refused(self) -> Mapping[str, str]:
        return next((said for _, said in self._refused.values()), {})

    def _send(self, info: SessionInfo) -> bool:
        """Send the next batch of an evening; False if the club refuses it. Raises LineError and _RemovedError."""
        place = self._place(info)
        events = first_of(self._table.kept.store.stored(info.id, place.last, MOST_EVENTS))
        if not events:
            return False
        batch: dict[str, Any] = {
            "evening": info.key,
            "opened_at": info.opened_at,
            "after": place.last,
            "digest": place.digest,
            "events": [[event.at, event.by, event.data] for event in events],
            "chips": self._chips(info.id, events[-1].seq),
        }
        answer = self._asked_of("/api/events", batch)
        if answer.status == 200:
            self._places[info.key] = _Place(events[-1].seq, digest_of(events, place.digest))
            return True
        if answer.status == 409 and (theirs := _place_in(answer.told)) is not None:
            return self._go_on_from(info, theirs)
        self._refused[info.key] = (info.event_count, answer.sentences)
        return False

    def _differs(self, info: SessionInfo) -> bool:
        """Whether the club has another record of the evening, as after an older backup was restored here.

        An evening that was told in full does not count: a name may have been erased here since.
        """
        place = self._place(info)
        if place.last in (0, info.event_count):
            return False
        return (
            place.last > info.event_count
            or digest_of(self._table.kept.store.stored(info.id, 0, place.last)) != place.digest
        )

    def _go_on_from(self, info: SessionInfo, theirs: _Place) -> bool:
        """Go on from where the club says that it is (`theirs`); False if it has another record."""
        own = digest_of(self._table.kept.store.stored(info.id, 0, theirs.last)) if theirs.last else START
        if theirs.last <= info.event_count and own == theirs.digest:
            self._places[info.key] = theirs
            return True
        self._refused[info.key] = (info.event_count, {})
        return False

    def _chips(self, number: int, seq: int) -> dict[str, int] | None:
        """The chips of each player and pot after the event `seq`, if that is the evening's last."""
        with self._table.locked() as session:
            if self._table.evening.number == number and session is not None and self._table.recorded:
                if self._table.recorded[-1].seq != seq:
                    return None
                return {**session.balances, **session.pots}
        record = self._table.kept.store.events(session=number)
        if not record or record[-1].seq != seq:
            return None
        past = fold(record)[0]
        return {**past.balances, **past.pots}

    def _asked_places(self, keys: list[str]) -> dict[str, _Place]:
        """How far the club has come with each evening."""
        places: dict[str, _Place] = {}
        for first in range(0, len(keys), MOST_EVENINGS):
            asked = keys[first : first + MOST_EVENINGS]
            answer = self._asked_of("/api/places", {"evenings": asked})
            found = answer.told.get("evenings")
            if answer.status != 200 or not isinstance(found, dict):
                raise LineError(f"HTTP {answer.status}")
            places |= {key: place for key in asked if (place := _place_in(found.get(key))) is not None}
        return places

    def _asked_of(self, path: str, data: dict[str, Any]) -> Reply:
        answer = self._ask(self._joined.address, path, data, self._joined.key)
        if answer.status == 401:
            raise _RemovedError
        if answer.status == 429 or answer.status >= 500:
            if answer.wait_s:
                self._stopped.wait(min(answer.wait_s, _LONGEST_WAIT_S))
            raise LineError(f"HTTP {answer.status}")
        return answer


def _place_in(told: Any) -> _Place | None:
    last, digest = (told.get("last"), told.get("digest")) if isinstance(told, dict) else (None, None)
    if type(last) is not int or not 0 <= last < MOST_IN_EVENING or not isinstance(digest, str):
        return None
    return _Place(last, digest)
