"""Malformed session files: refused with the place named, status 2, one line, and never a traceback."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tracker_again import file_of, folded, read_again
from tracker_games import GAMES, read_game

from tracker.american.session import AmericanSession
from tracker.danish.audit import audit
from tracker.danish.events import FoolCalled
from tracker.danish.session import DanishSession
from tracker.danish.words import WORDS
from tracker.events import CardPlayed, PlaysTakenBack, SessionOpened
from tracker.reader import SessionFileError
from tracker.session_file import loads
from webui.cli import main

CALLED = GAMES / "fool-in-trick-24.txt"


def small() -> dict:
    """A legal beginning: Carl deals, one declaration, one trick and a card."""
    return {
        "format": "tarok-session/1",
        "rules": "dtf-2011",
        "options": {"count": True},
        "seats": ["Anna", "Bo", "Carl", "Dora"],
        "hands": [
            {
                "dealer": "Carl",
                "events": [
                    {"declare": "Carl", "combinations": [{"kind": "trumps", "count": 11, "pagat": True}]},
                    {"declare": "Dora", "combinations": []},
                    {"play": "Dora", "card": "S7"},
                    {"play": "Bo", "card": "S8"},
                    {"play": "Carl", "card": "S9"},
                    {"play": "Carl", "card": "F", "named": "H"},
                ],
            }
        ],
        "close": False,
    }


def events(*added: dict, at: int | None = None) -> dict:
    session = small()
    listed = session["hands"][0]["events"]
    place = len(listed) if at is None else at
    listed[place:place] = added
    return session


def between(*entries: dict) -> dict:
    """The same, and what comes after its hand."""
    session = small()
    session["hands"] += entries
    return session


def adjusted(source: str, target: str, amount: object, reason: str = "a cup fell over") -> dict:
    return events({"adjust": {"from": source, "to": target, "amount": amount}, "reason": reason})


def changed(**keys: object) -> dict:
    return small() | keys


def without(key: str) -> dict:
    session = small()
    del session[key]
    return session


TRUMPS = {"kind": "trumps", "count": 11, "pagat": True}
LAST = "hands[0].events[6]"

MALFORMED = [
    ([], "this is no file of an evening of Tarok Table"),
    (without("format"), "this is no file of an evening of Tarok Table"),
    ({"name": "my-app", "version": 1}, "this is no file of an evening of Tarok Table"),
    (changed(format="tarok-session/2"), "format: must be 'tarok-session/1'"),
    (
        {"format": "tarok-evenings/1", "evenings": []},
        "format: must be 'tarok-session/1', not 'tarok-evenings/1'",
    ),
    (changed(rules="pagat-1999"), "rules: unknown rule set 'pagat-1999'"),
    (changed(rules=7), "rules: must be a text, not a whole number"),
    (changed(extra=1), "file: unknown key 'extra'"),
    (changed(options=[]), "options: must be an object"),
    (changed(options={"nollo": 20}), "options: unknown option 'nollo'"),
    (changed(options={"base": "dtf-2011"}), "options: unknown option 'base'"),
    (changed(options={"nolo": 21}), "options: nolo must be a multiple of 5"),
    (changed(options={"tout": 83}), "options: tout must be a multiple of 5"),
    (changed(options={"tout": -5}), "options: tout must be from 0 to 1000000 chips, not -5"),
    (changed(options={"tout": True}), "options: tout must be a whole number"),
    (changed(options={"count": 1}), "options: count must be true or false"),
    (changed(options={"sits_out": "left"}), "options: sits_out must be opposite or right"),
    (changed(options={"sits_out": ["right"]}), "options: sits_out must be opposite or right"),
    (changed(seats="Anna"), "seats: must be a list"),
    (changed(seats=["Anna", "Bo"]), "seats: dtf-2011 is for 3 to 5 players, not 2"),
    (changed(seats=["Anna", "Bo", "Bo"]), "seats: Bo is seated twice"),
    (changed(seats=["Anna", "Bo", 3]), "seats[2]: must be a text"),
    (changed(seats=["Anna", "Bo", " "]), "seats: a player needs a name"),
    (changed(seats=["Anna", "Bo", "king"]), "seats: a player cannot be called 'king'"),
    (changed(seats=list("ABCDE"), rules="pagat-2024"), "seats: pagat-2024 is for 3 to 4 players, not 5"),
    (changed(hands={}), "hands: must be a list"),
    (changed(hands=[[]]), "hands[0]: must be an object"),
    (changed(hands=[{}]), "hands[0]: 'events' is missing"),
    (changed(hands=[{"events": [], "winner": "Bo"}]), "hands[0]: unknown key 'winner'"),
    (changed(hands=[{"events": [], "dealer": "Erik"}]), "hands[0].dealer: 'Erik' is not seated"),
    (changed(hands=[{"events": [], "dealer": None}]), "hands[0].dealer: must be a text, not null"),
    (between({"join": "Erik"}), "hands[1]: 'after' is missing"),
    (between({"join": "Erik", "after": "Bo", "dealer": "Bo"}), "hands[1]: unknown key 'dealer'"),
    (between({"join": "Erik", "after": "Zoe"}), "hands[1].after: 'Zoe' is not seated"),
    (between({"join": 7, "after": "Bo"}), "hands[1].join: must be a text"),
    (between({"join": "Bo", "after": "Anna"}), "hands[1]: Bo is seated twice"),
    (between({"join": "pagat", "after": "Anna"}), "hands[1]: a player cannot be called 'pagat'"),
    (between({"join": " ", "after": "Anna"}), "hands[1]: a player needs a name"),
    (between({"leave": "Erik"}), "hands[1].leave: 'Erik' is not seated"),
    (between({"leave": "Bo", "after": "Anna"}), "hands[1]: unknown key 'after'"),
    (between({"leave": "Bo", "join": "Erik"}), "hands[1]: unknown key 'join'"),
    (between({"leave": "Bo"}, {"leave": "Bo"}), "hands[2]: Bo is not seated"),
    (between({"leave": "Bo"}, {"leave": "Anna"}), "hands[2]: Anna cannot leave: 3 or more must stay"),
    (between({"leave": "Bo"}, {"join": "Erik", "after": "Bo"}), "hands[2]: Bo is not seated"),
    (between({"leave": "Bo"}, {"dealer": "Bo", "events": []}), "hands[2]: Bo is not seated and cannot deal"),
    (
        between({"join": "Erik", "after": "Bo"}, {"join": "Fie", "after": "Bo"}),
        "hands[2]: dtf-2011 is for 3 to 5 players, not 6",
    ),
    (
        between({"join": "Erik", "after": "Bo"}) | {"rules": "pagat-2024"},
        "hands[1]: pagat-2024 is for 3 to 4 players, not 5",
    ),
    (
        between({"leave": "Bo"}, {"events": [{"fine": "Bo", "category": "minor"}]}),
        "hands[2].events[0]: Bo did not sit at the table in hand 2",
    ),
    (
        between({"leave": "Bo", "events": [{"skat": []}]}),
        "hands[1].events[0]: Bo joined or left after the last",
    ),
    (changed(close="yes"), "close: must be true or false"),
    (events(7), f"{LAST}: must be an object"),
    (events({}), f"{LAST}: unknown event: it is empty"),
    (events({"sing": "Anna"}), f"{LAST}: unknown event with the keys 'sing'"),
    (events({"play": "Dora", "card": "S1", "skat": []}), f"{LAST}: one event cannot be both"),
    (events({"play": "Dora"}), f"{LAST}: 'card' is missing"),
    (events({"play": "Dora", "card": "S1", "suit": "S"}), f"{LAST}: unknown key 'suit'"),
    (events({"play": "Dora", "card": "S11"}), f"{LAST}.card: unknown card 'S11'"),
    (events({"play": "Dora", "card": 7}), f"{LAST}.card: must be a text"),
    (events({"play": "Erik", "card": "S1"}), f"{LAST}.play: 'Erik' is not seated"),
    (events({"play": "Anna", "card": "S1"}), f"{LAST}: Anna sits this hand out"),
    (events({"play": "Dora", "card": "S7"}), f"{LAST}: S7 was already played in trick 1"),
    (events({"play": "Carl", "card": "S1"}), f"{LAST}: Carl already has a card in trick 2"),
    (events({"play": "Dora", "card": "S1", "named": "S"}), f"{LAST}: only a fool that is led is named"),
    (events({"play": "Dora", "card": "S1", "named": None}), f"{LAST}.named: must be a text, not null"),
    (events({"play": "Dora", "card": "S1", "named": "X"}), f"{LAST}.named: unknown suit 'X'"),
    (events({"name_fool": "Dora", "suit": "F"}), f"{LAST}.suit: unknown suit 'F'"),
    (events({"name_fool": "Anna", "suit": "S"}), f"{LAST}: Anna sits this hand out"),
    (events({"name_fool": "Dora", "suit": "S"}, at=4), "hands[0].events[4]: Dora cannot name the fool"),
    (events({"call_fool": "Dora"}), f"{LAST}: Dora cannot call for the fool: only in trick 23"),
    (events({"call_fool": "Dora", "suit": "S"}), f"{LAST}: unknown key 'suit'"),
    (events({"announce_tout": "Dora"}, at=0), "hands[0].events[0]: Dora cannot announce a Tout"),
    (events({"announce_tout": "Carl"}), f"{LAST}: a Tout is announced before the opening lead"),
    (events({"take_back": 0}), f"{LAST}.take_back: must be 1 or more"),
    (events({"take_back": True}), f"{LAST}.take_back: must be a whole number"),
    (events({"take_back": 1.0}), f"{LAST}.take_back: must be a whole number, not a fraction"),
    (events({"take_back": 5}), f"{LAST}: 5 plays cannot be taken back: there are only 4"),
    (events({"fine": "Bo"}), f"{LAST}: 'category' is missing"),
    (events({"fine": "Bo", "category": "huge"}), f"{LAST}.category: must be one of superficial, minor, "),
    (events({"fine": "Erik", "category": "minor"}), f"{LAST}.fine: 'Erik' is not seated"),
    (events({"fine": "Bo", "category": "minor", "reason": 3}), f"{LAST}.reason: must be a text"),
    (
        events({"fine": "Carl", "category": "minor", "declarations": [TRUMPS]}),
        f"{LAST}: only the fine for a misdeclaration pays declarations back",
    ),
    (
        events({"fine": "Dora", "category": "misdeclaration", "declarations": [TRUMPS]}),
        f"{LAST}: Dora did not declare trumps like this",
    ),
    (events({"fine": "Bo", "category": "minor", "hand": 2}), f"{LAST}: there is no hand 2 to fine Bo in"),
    (events({"fine": "Bo", "category": "minor", "hand": 0}), f"{LAST}: there is no hand 0 to fine Bo in"),
    (events({"fine": "Bo", "category": "minor", "hand": "1"}), f"{LAST}.hand: must be a whole number"),
    (adjusted("Bo", "pagat", 7), f"{LAST}: an adjustment is a multiple of 5 chips, not 7"),
    (adjusted("Bo", "pagat", 0), f"{LAST}: an adjustment is from 5 to 1000000 chips"),
    (adjusted("Bo", "pagat", -5), f"{LAST}: an adjustment is from 5 to 1000000 chips"),
    (adjusted("Bo", "pagat", 10**30), f"{LAST}: an adjustment is from 5 to 1000000 chips"),
    (adjusted("Bo", "pagat", 10.0), f"{LAST}.adjust.amount: must be a whole number, not a fraction"),
    (adjusted("Bo", "Bo", 5), f"{LAST}: chips go from one to another, not from Bo to Bo"),
    (adjusted("Bo", "Erik", 5), f"{LAST}.adjust.to: 'Erik' is not seated"),
    (adjusted("king", "Bo", 90), f"{LAST}: king holds 85 chips, not 90"),
    (adjusted("king", "Bo", 85, reason=" "), f"{LAST}: a reason in words is missing"),
    (events({"adjust": {"from": "Bo", "to": "king", "amount": 5}}), f"{LAST}: 'reason' is missing"),
    (events({"adjust": {"from": "Bo", "to": "king"}, "reason": "so"}), f"{LAST}.adjust: 'amount' is missing"),
    (events({"adjust": 5, "reason": "so"}), f"{LAST}.adjust: must be an object"),
    (events({"skat": ["S1", "S2"]}), f"{LAST}: the skat is three different cards"),
    (events({"skat": ["S1", "S2", "S2"]}), f"{LAST}: the skat is three different cards"),
    (events({"skat": ["S1", "S2", "S7"]}), f"{LAST}: S7 was already played in trick 1"),
    (events({"skat": "S1"}), f"{LAST}.skat: must be a list"),
    (events({"skat": ["S1", "S2", "S3"]}, {"skat": ["S4", "S5", "S6"]}), "the skat was already shown"),
    (events({"skat": ["S1", "S2", "S3"]}, {"play": "Dora", "card": "S1"}), "S1 lies in the skat"),
    (events({"redeal": "misdeal"}), f"{LAST}: a hand cannot be dealt again once a card is played"),
    (events({"redeal": "boredom"}), f"{LAST}.redeal: must be one of misdeal, no_trumps, not 'boredom'"),
    (events({"declare": "Bo", "combinations": []}), f"{LAST}: Bo cannot declare after the opening lead"),
    (events({"declare": "Bo"}, at=2), "hands[0].events[2]: 'combinations' is missing"),
    (events({"declare": "Anna", "combinations": []}, at=2), "hands[0].events[2]: Anna sits this hand out"),
]
COMBINATIONS = [
    ({"count": 3}, "'kind' is missing"),
    ({"kind": "flush"}, "unknown kind of combination 'flush'"),
    ({"kind": "trumps", "count": 9, "pagat": True}, "trumps are 10 to 22, not 9"),
    ({"kind": "trumps", "count": 10}, "trumps needs 'pagat'"),
    ({"kind": "trumps", "count": "10", "pagat": True}, "count: must be a whole number"),
    ({"kind": "trumps", "count": 10, "pagat": 1}, "pagat: must be true or false"),
    ({"kind": "trumps", "count": 10, "pagat": True, "suit": "H"}, "trumps takes no 'suit' here"),
    ({"kind": "matadors", "count": 2}, "matadors are 3 to 22, not 2"),
    ({"kind": "matadors", "count": 3, "points": 4}, "unknown key 'points'"),
    ({"kind": "cavallerie", "grade": "full"}, "cavallerie needs 'suit'"),
    ({"kind": "cavallerie", "suit": "T", "grade": "full"}, "suit must be one of S, H, D, C, not 'T'"),
    ({"kind": "cavallerie", "suit": "H", "grade": "drunk"}, "grade must be half, full, abundant"),
    ({"kind": "cavallerie", "suit": "H", "grade": "half"}, "cavallerie needs 'missing'"),
    (
        {"kind": "cavallerie", "suit": "H", "grade": "half", "missing": "10"},
        "missing must be one of R, D, C, V",
    ),
    ({"kind": "kings", "grade": "full", "missing": "S"}, "kings takes no 'missing' here"),
    ({"kind": "kings", "grade": "half", "missing": "R"}, "missing must be one of S, H, D, C"),
]


@pytest.mark.parametrize(("session", "message"), MALFORMED)
def test_each_mistake_is_refused_with_its_place(session: object, message: str) -> None:
    with pytest.raises(SessionFileError) as caught:
        folded(session)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert WORDS.reason_text(caught.value.reason, "da") != WORDS.reason_text(caught.value.reason)


@pytest.mark.parametrize(("combination", "message"), COMBINATIONS)
def test_each_impossible_combination_is_refused_with_its_place(combination: dict, message: str) -> None:
    session = events({"declare": "Bo", "combinations": [combination]}, at=2)
    with pytest.raises(SessionFileError) as caught:
        folded(session)
    assert str(caught.value).startswith("hands[0].events[2].combinations[0]")
    assert message in str(caught.value)
    assert WORDS.reason_text(caught.value.reason, "da") != WORDS.reason_text(caught.value.reason)


def test_two_declarations_for_one_slot_are_refused() -> None:
    session = events({"declare": "Bo", "combinations": [TRUMPS, TRUMPS]}, at=2)
    with pytest.raises(SessionFileError, match=r"events\[2\]: trumps is declared twice"):
        folded(session)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON at line 1 column 2"),
        (b"\xff\xfe", "not UTF-8"),
        ('{"close": NaN}', "NaN is not a number"),
        ('{"close": true, "close": false}', "key 'close' is there twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"close": ' + "9" * 5000 + "}", "not JSON"),
        ('{"format": "tarok-session/1", "rules": "\\ud800"}', "is not a text that can be written"),
    ],
)
def test_what_is_not_json_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(SessionFileError, match=message):
        loads(text, DanishSession)


def test_the_example_reads_and_a_byte_order_mark_does_no_harm() -> None:
    assert loads(b"\xef\xbb\xbf" + json.dumps(small()).encode(), DanishSession).session().hand is not None


def test_a_file_may_have_names_that_differ_in_capitals_alone() -> None:
    """The page refuses them, but the format says only that names differ."""
    seats = ("Anna", "Bo", "anna")
    assert folded(changed(seats=seats, hands=[])).seats == seats


@pytest.mark.rule("FOOL-5")
def test_a_wrong_call_for_the_fool_stays_wrong_in_the_file_though_the_fool_was_taken_back() -> None:
    """Carl has laid the fool, and Anna calls for it; then Carl takes it back and plays another card."""
    opened, *body = file_of(read_game(CALLED.read_text("utf-8"))).events
    called = next(place for place, event in enumerate(body) if isinstance(event, FoolCalled))
    carl, fool = body[called + 2], CardPlayed("Carl", "F")
    before, bo = body[:called], body[called + 1]
    assert isinstance(opened, SessionOpened)
    session = DanishSession(opened)
    for event in (*before, bo, fool, FoolCalled("Anna"), PlaysTakenBack(1), carl):
        session.apply(event)
    [(kind, player)] = [(one.kind, one.player) for one in session.hand.findings if one.rule == "FOOL-5"]
    assert (kind, player) == ("fool_call_wrong", "Anna")
    again = read_again(session)
    assert audit(again) == audit(session)


@pytest.fixture
def tarok(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """`tarok` with these words, `text` coming in; its status and what it says on stdout and stderr."""

    def ran(*words: str, text: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        status = main([*words])
        return status, *capsys.readouterr()

    return ran


def test_the_command_says_one_line_on_stderr_and_nothing_on_stdout(tarok, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(json.dumps(small()), encoding="utf-8")
    bad = json.dumps(events({"play": "Dora", "card": "S7"}))
    for arguments in (["-"], [str(good), "-"], ["-", "--format", "text"]):
        status, said, wrong = tarok("audit", *arguments, text=bad)
        assert (status, said) == (2, "")
        (line,) = wrong.splitlines()
        assert "hands[0].events[6]: S7 was already played in trick 1" in line
    status, said, wrong = tarok("audit", str(tmp_path / "none.json"))
    assert (status, said, len(wrong.splitlines())) == (2, "", 1)


def test_the_command_prints_one_object_a_line_for_several_files(tarok, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(json.dumps(changed(seats=["Ænne", "Bo", "Carl", "Dora"])), encoding="utf-8")
    status, said, _ = tarok("audit", str(good), "-", text=json.dumps(small()))
    assert status == 0
    first, second = said.splitlines()
    assert "Ænne" in json.loads(first)["balances"]
    assert "Anna" in json.loads(second)["balances"]
    _, text, _ = tarok("audit", str(good), "--format", "text", "--language", "da")
    assert "Spil 1: Carl giver, Ænne er oversidder, standset efter 4 kort" in text


@pytest.mark.parametrize("cut", [1, 60, 150, 400])
def test_a_file_that_was_cut_in_half_is_refused_in_one_sentence(cut: int) -> None:
    text = json.dumps({"format": "tarok-session/1", "rules": "american-tarock", "seats": ["Anna"] * 60})
    with pytest.raises(SessionFileError, match=r"^not JSON at line 1 column \d+$") as refused:
        loads(text[:cut], AmericanSession)
    assert "at at" not in str(refused.value)
