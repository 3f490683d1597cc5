"""Random taps on what the page offers, in every game, while the camera and people enter hands and miss some of it.

Whatever is tapped: nothing fails, what is refused changes nothing, an entry sent twice counts once, the last entry
undone leaves no trace, and the evening's file is read back and comes to the same chips and points.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from webui_camera import sees
from webui_deals import hand as hand_of_danish
from webui_page import Page
from webui_table import NAMES, open_table

from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from tracker.games import game_of_rules, read_session
from tracker.session_file import export
from tracker.undo import last_entry
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french
from webui.table.live import LiveTable, RefusedError
from webui.table.replaying import FAULT

_FOUR, _FIVE = NAMES[:4], NAMES[:5]
_LEFT_ALONE = re.compile(
    r"/(host|setup|seats|me|source|guide|club|recording|evening|language|reading|replay|review|learn)\b"
)
"""What is no entry at the table, or ends it."""


def _french(chance: random.Random, opened: SessionOpened) -> list[Event]:
    return hand_of_french(chance, opened, chance.choice(("prise", "garde", "garde_sans")))


def _american(chance: random.Random, opened: SessionOpened) -> list[Event]:
    return hand_of_american(
        chance, opened, chance.choice(("klop", "two", "solo_two", "barach", "open_barach"))
    )


GAMES: dict[str, tuple[SessionOpened, Callable[[random.Random, SessionOpened], list[Event]]]] = {
    "danish": (
        SessionOpened("dtf-2011", (), _FOUR[:3]),
        lambda chance, _: hand_of_danish(chance.randrange(999)),
    ),
    "tarot1659": (
        SessionOpened("tarot-1659", (), _FOUR),
        lambda chance, opened: [HandStarted(), *hand_of_1659(chance, opened.seats, 12)],
    ),
    "american": (SessionOpened("american-tarock", (), _FOUR), _american),
    "french": (SessionOpened("french-tarot", (), _FOUR), _french),
    "french of five": (SessionOpened("french-tarot", (), _FIVE), _french),
}
"""The games: how an evening is opened, and a hand of it."""


@dataclass
class Form:
    """What a form sends: `fixed` always, one of each of `choices`, some of `ticks`, `typed`, one of `buttons`."""

    action: str
    fixed: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    ticks: list[tuple[str, str]] = field(default_factory=list)
    typed: list[tuple[str, str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def filled_in(self, chance: random.Random) -> dict[str, list[str]]:
        """The fields as somebody may fill them in."""
        said = [*self.fixed, *((name, chance.choice(values)) for name, values in self.choices.items())]
        said += [tick for tick in self.ticks if chance.random() < 0.1]
        for name, kind, value in self.typed:
            said.append((name, chance.choice([value, "1", "10", ""] if kind == "number" else [value, "so"])))
        name, value = chance.choice(self.buttons)
        fields: dict[str, list[str]] = {}
        for key, one in [pair for pair in said if pair[0] != name] + ([(name, value)] if name else []):
            fields.setdefault(key, []).append(one)
        return fields


class Offered(HTMLParser):
    """The forms and the links to dialogs of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self._form: Form | None = None
        self._choice = ""
        self.feed(page)
        self.forms = [one for one in self.forms if one.buttons and not _LEFT_ALONE.match(one.action)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {key: value or "" for key, value in attrs}
        name, value, form = has.get("name", ""), has.get("value", ""), self._form
        if tag == "a" and "data-dialog" in has and not _LEFT_ALONE.match(has["href"]):
            self.links.append(has["href"])
        elif tag == "form" and has.get("method") == "post":
            self._form = Form(has["action"])
            self.forms.append(self._form)
        elif tag == "button" and "formaction" in has and "disabled" not in has:
            self.forms.append(Form(has["formaction"], buttons=[(name, value)]))
        elif form is not None and tag == "button" and has.get("type") != "button":
            form.buttons.append((name, value))
        elif form is not None and tag == "option":
            form.choices.setdefault(self._choice, []).append(value)
        elif tag == "select":
            self._choice = name
        elif form is not None and tag == "input" and name:
            match has.get("type", "text"):
                case "hidden":
                    form.fixed.append((name, value))
                case "radio":
                    form.choices.setdefault(name, []).append(value)
                case "checkbox":
                    form.ticks.append((name, value))
                case kind:
                    form.typed.append((name, kind, value))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None


@contextmanager
def _table(opened: SessionOpened) -> Iterator[LiveTable]:
    with TemporaryDirectory() as folder:
        yield open_table(Path(folder), opened, fair_play=False)


def tap(game: str, seed: int, steps: int) -> int:
    """Play and tap so many `steps`; returns how many entries were taken. AssertionError says what went wrong."""
    chance = random.Random(seed)
    opened, deal = GAMES[game]
    taken = 0
    with _table(opened) as table:
        taps = _Taps(table, chance)
        coming: list[Event] = []
        for step in range(steps):
            if table.session is None or table.session.closed:
                break
            if chance.random() < 0.6:
                coming = coming or deal(chance, opened)
                many = chance.choice((1, 4, 12))
                now, coming = coming[:many], coming[many:]
                _happen(table, [event for event in now if chance.random() < 0.95], chance, float(step))
            else:
                taken += taps.tap()
            if step % 16 == 15:
                taps.must_agree()
    return taken


def fuzz_taps(count: int, seed: int, tell: Callable[[str], None]) -> list[str]:
    """So many evenings of each game; the faults, each with what it takes to do it again."""
    faults = []
    for game in GAMES:
        for one in range(seed, seed + count):
            try:
                tap(game, one, 96)
            except Exception as error:  # noqa: BLE001 - whatever goes wrong is a fault
                faults.append(f"{game}, seed {one}: {type(error).__name__}: {error}")
                tell(faults[-1])
    return faults


def _happen(table: LiveTable, events: list[Event], chance: random.Random, time_s: float) -> None:
    """The table plays on: the camera sees cards, or people enter them; what cannot be is refused."""
    for event in events:
        if isinstance(event, CardPlayed) and chance.random() < 0.4:
            sees(table, replace(event, time_s=time_s))
        else:
            with suppress(RefusedError):
                table.enter(event)


class _Taps:
    """A host's browser, and what must hold after each tap."""

    def __init__(self, table: LiveTable, chance: random.Random) -> None:
        self.table, self.chance, self.page = table, chance, Page(table)
        self.game = game_of_rules(table.session.opened.rules if table.session else "")

    def tap(self) -> bool:
        """Open a dialog that the page offers, and send a form of it; whether it was taken."""
        form = self._form()
        if form is None or (form.action == "/settle" and self.chance.random() < 0.8):
            return False
        fields = {**form.filled_in(self.chance), "token": [self.page.token], "sure": ["yes"]}
        count, undoes = len(self.table.recorded), self.chance.random() < 0.3
        before = self._audit() if undoes else None
        status = self._send(form.action, fields)
        new = [record.event for record in self.table.recorded[count:]]
        assert status == 200 or not new, (form.action, fields, status, new)
        if not new:
            return False
        if fields.get("once", [""])[0]:
            self._send(form.action, fields)
            assert len(self.table.recorded) == count + len(new), ("entered twice", form.action, fields)
        last = last_entry(self.table.recorded)
        if undoes and len(new) == 1 and last is not None and last.seq == count + 1:
            undo = self.page.filled_in("/undo", "/undo")
            if self.page.post("/undo", **undo)[0] == 200 and undo.get("to", undo["seq"]) == str(last.seq):
                assert self._audit() == before, ("undone", form.action, fields, new)
        return True

    def _form(self) -> Form | None:
        """A form that the page or one of its dialogs offers; None where the dialog has none."""
        offered = Offered(self._page("/"))
        if offered.forms and self.chance.random() < 0.2:
            return self.chance.choice(offered.forms)
        for _ in range(3):
            kinds: dict[str, list[str]] = {"/more": ["/more"], "/play": ["/play"]}
            for link in offered.links:
                kinds.setdefault(re.sub(r"\d+", "0", link), []).append(link)
            offered = Offered(self._page(self.chance.choice(kinds[self.chance.choice(sorted(kinds))])))
            if offered.forms and self.chance.random() < 0.7:
                break
        return self.chance.choice(offered.forms) if offered.forms else None

    def _page(self, path: str) -> str:
        answer = self.page.client.get(path)
        assert answer.status_code < 500, path
        return answer.get_data(as_text=True)

    def _send(self, action: str, fields: dict[str, list[str]]) -> int:
        answer = self.page.client.post(action, data=fields, headers={"Accept": "application/json"})
        assert answer.status_code < 500, (action, fields)
        session = self.table.session
        assert "None" not in answer.get_data(as_text=True), (action, fields, answer.get_json())
        assert session is None or not any(alert.kind == FAULT for alert in session.alerts), (action, fields)
        return answer.status_code

    def _audit(self) -> Any:
        return self.game.audit(self.table.session)

    def must_agree(self) -> None:
        """The record folded anew, and the file read back, come to the same."""
        live, kind = self._audit(), type(self.table.session)
        assert self.game.audit(kind.replay(self.table.recorded)) == live
        read = self.game.audit(read_session(json.dumps(export(self.table.recorded, kind)))[1].session())
        for audit in (read, live):
            audit["hands"] = [hand.get("totals", hand.get("payments")) for hand in audit["hands"]]
        assert (read["balances"], read["pots"], read["hands"]) == (
            live["balances"],
            live["pots"],
            live["hands"],
        )
