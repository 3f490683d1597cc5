"""The set-up of the table, step by step: what the host chose, and what the camera learnt of cards and seats."""

import threading
import time
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracker.store import StoreError
from webui.kept_file import KeptFile, file_beside
from webui.people.seats import seated
from webui.table.live import LiveTable

if TYPE_CHECKING:
    from vision.watching.learnt import LearntTable
    from vision.watching.set_up import RestingCard, TableLook

_WATCHED_S: Final = 20.0
"""Seconds for which the camera looks at the table after a step asked. Opening a camera alone takes seconds."""
_APART: Final = 0.4
"""Distance, in heights of a card, from the cards that lay there before, from which a card is a new one."""
_AS_HIGH: Final = 0.25
"""Share by which the height of a back may differ from that of a face: the figures of a cloth are no backs."""


class SetUp:
    """The set-up of one evening; safe to use from several threads.

    - `game`, `rules`, `options`: what the host chose, "" before; `options` as the form has them.
    - `names`: the players, in any order.
    - `sides`: the sides that were chosen by hand.
    - `turn`: the player who lays a card now, "" for nobody.
    - `face`: the card that was read last.
    - `learnt`: what is kept for the evening.
    """

    def __init__(self, table: LiveTable) -> None:
        self.game, self.rules = "", ""
        self.options: dict[str, str] = {}
        self.names: tuple[str, ...] = ()
        self.sides: dict[str, str] = {}
        self.turn = ""
        self.face: RestingCard | None = None
        self._table = table
        self._learnt: LearntTable | None = None
        self._look: TableLook | None = None
        self._lying: list[tuple[float, float]] | None = None
        self._asked_s = float("-inf")
        self._lock = threading.RLock()
        if not table.evening.is_open:
            # What was learnt is for one evening: at the next the camera may hang elsewhere.
            _learnt_path(table.path).unlink(missing_ok=True)

    @property
    def learnt(self) -> "LearntTable":
        """What the camera learnt of the table this evening."""
        with self._lock:
            if self._learnt is None:
                self._learnt = kept_learnt(self._table.path).load()
            return self._learnt

    def ask(self) -> None:
        """Ask the camera to look at the table for a step of the set-up."""
        self._asked_s = time.monotonic()

    @property
    def is_asked(self) -> bool:
        """Whether the camera is to look at the table for the set-up: a step asked just now, and no hand is played."""
        session = self._table.session
        playing = session is not None and not session.closed and session.under_way
        return not playing and time.monotonic() - self._asked_s < _WATCHED_S

    @property
    def resting(self) -> "tuple[RestingCard, ...]":
        """The cards at rest in the newest picture."""
        look = self._look
        return look.resting if look is not None else ()

    def play_on(self, names: Sequence[str], sides: Mapping[str, str]) -> None:
        """Let the players of the last evening play again, each at his side if he has one."""
        with self._lock:
            if set(self.names) != set(names):
                # Two who share a side play one after the other, also where the later one dealt first.
                self.names, self.turn = tuple(seated(names, sides)), ""
                self.sides = {name: side for name, side in sides.items() if name in names}

    def name_players(self, names: Sequence[str]) -> None:
        """Set who plays. What is known of players who stay is kept. Raises StoreError."""
        with self._lock:
            self.names = tuple(names)
            self.sides = {name: side for name, side in self.sides.items() if name in names}
            laid = {name: at for name, at in self.learnt.laid.items() if name in names}
            self._keep(replace(self.learnt, laid=laid))
            self.turn = ""

    def rename(self, old: str, new: str) -> None:
        """The player `old` is called `new` from now on. Raises StoreError."""
        called = {old: new}
        with self._lock:
            self.names = tuple(called.get(one, one) for one in self.names)
            self.sides = {called.get(one, one): side for one, side in self.sides.items()}
            self.turn = called.get(self.turn, self.turn)
            if old in self.learnt.laid:
                laid = {called.get(one, one): at for one, at in self.learnt.laid.items()}
                self._keep(replace(self.learnt, laid=laid))

    def lay(self, name: str) -> None:
        """Let `name` lay a card now, for the first time or again; with "" nobody does. Raises StoreError."""
        with self._lock:
            if name:
                self._keep(
                    replace(self.learnt, laid={n: at for n, at in self.learnt.laid.items() if n != name})
                )
                self.sides.pop(name, None)
            self.turn = name
            self._lying = [card.at for card in self.resting] if self._look is not None else None

    def seat(self, name: str, side: str) -> None:
        """Seat `name` at `side` (S, E, N or W) by hand. Raises StoreError."""
        with self._lock:
            self._keep(replace(self.learnt, laid={n: at for n, at in self.learnt.laid.items() if n != name}))
            self.sides[name] = side
            if self.turn == name:
                self.turn = ""

    def forget(self) -> None:
        """Forget all that was learnt, because another camera looks at the table. Raises StoreError."""
        with self._lock:
            from vision.watching.learnt import NOTHING_LEARNT

            self.face, self.turn = None, ""
            self._keep(NOTHING_LEARNT)

    def forget_cards(self) -> None:
        """Forget scale and backs, because the cards are shown again. Raises StoreError."""
        with self._lock:
            self.face = None
            self._keep(replace(self.learnt, card_px=0.0, of_px=0, backs=()))

    def placed(self) -> dict[str, str]:
        """The side of each player who has one, in order of play from the lower edge."""
        from vision.watching.learnt import sides_of

        with self._lock:
            laid = {name: self.learnt.laid[name] for name in self.names if name in self.learnt.laid}
            if len(laid) == len(self.names):
                return sides_of(laid)
            # Some players were seated by hand: each card of the others goes to the nearest side.
            sides = self.sides | (sides_of(laid, alone=True) if laid else {})
            return {name: sides[name] for side in "SENW" for name in self.names if sides.get(name) == side}

    def began(self) -> None:
        """Note that the camera was opened. Whatever lies on the table by now counts as old."""
        with self._lock:
            self._look, self._lying = None, None

    def take(self, look: "TableLook") -> None:
        """Learn from one picture."""
        with self._lock:
            self._look = look
            width = look.update.frame.shape[1]
            for card in look.resting:
                if card.is_face and (card.sure or self.face is None):
                    self.face = card
            try:
                self._learn(look.resting, width)
            except StoreError as error:
                print(f"tarok: {error}", flush=True)

    def _learn(self, resting: "Sequence[RestingCard]", width: int) -> None:
        learnt = self.learnt
        for card in resting:
            if not card.is_face:
                if learnt.card_px and abs(card.height_px / learnt.height_px(width) - 1) < _AS_HIGH:
                    learnt = learnt.with_back(card.shown)
            elif card.sure and abs(card.height_px - learnt.height_px(width)) > 0.05 * card.height_px:
                learnt = replace(learnt, card_px=card.height_px, of_px=width)
        if learnt is not self.learnt:
            self._keep(learnt)
        if not self.turn:
            return
        if self._lying is None:
            self._lying = [card.at for card in resting]
        new = [card for card in resting if self._is_new(card, width)]
        if new:
            self._keep(replace(self.learnt, laid=dict(self.learnt.laid) | {self.turn: new[0].at}))
            laid = self.learnt.laid.keys() | self.sides.keys()
            self.turn = next((name for name in self.names if name not in laid), "")
            self._lying = [card.at for card in resting]

    def _is_new(self, card: "RestingCard", width: int) -> bool:
        """Whether no card lay near `card` when its player's turn began."""
        assert self._look is not None
        height = self._look.update.frame.shape[0]
        return all(
            ((card.at[0] - x) * width) ** 2 + ((card.at[1] - y) * height) ** 2
            > (_APART * card.height_px) ** 2
            for x, y in self._lying or ()
        )

    def _keep(self, learnt: "LearntTable") -> None:
        self._learnt = learnt
        kept_learnt(self._table.path).save(learnt)


def kept_learnt(database: Path) -> "KeptFile[LearntTable]":
    """The file of what the set-up learnt, beside the evening's `database`; backs are PNG in Base64."""
    from vision.watching.learnt import NOTHING_LEARNT, LearntTable, back_as_png, back_of_png

    return KeptFile(
        _learnt_path(database),
        LearntTable,
        NOTHING_LEARNT,
        write=back_as_png,
        read=lambda _, text: back_of_png(b64decode(text)),
    )


def _learnt_path(database: Path) -> Path:
    return file_beside(database, ".table.json")
