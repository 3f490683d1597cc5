"""Files from elsewhere and long evenings: bounded in size, depth, digits and time, and nothing grows with a square."""

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.danish.session import DanishSession
from tracker.errors import TarokError
from tracker.games import read_session
from tracker.ledger import Payment, payments_alike
from tracker.reader import MOST_DEPTH, MOST_FILE_BYTES, SessionFileError, parsed
from tracker.rule_sets import RuleError, read_rule_set_file
from tracker.session_file import MOST_FILE_EVENTS, MOST_HANDS, MOST_PEOPLE

NAMES = st.sampled_from(("Anna", "Bo", "king"))
PAYMENTS = st.builds(
    Payment,
    rule=st.just("FINE-1"),
    reason=st.sampled_from(("fine", "pagat")),
    source=NAMES,
    target=NAMES,
    amount=st.sampled_from((5, 10)),
    hand=st.just(1),
    combination=st.sampled_from((None, "four kings")),
)


def calls(function: Callable[[], object]) -> int:
    """How many calls of Python functions it takes."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def alike(group: list[Payment], payment: Payment) -> bool:
    """As the words say it: all differ only in who pays, or all only in who receives, and none is there twice."""
    return payment not in group and any(
        all(one._replace(**{field: getattr(payment, field)}) == payment for one in group)
        for field in ("source", "target")
    )


@given(st.lists(PAYMENTS, max_size=12))
def test_payments_alike_are_neighbours_that_differ_in_one_who(payments: list[Payment]) -> None:
    groups = payments_alike(payments)
    assert [payment for group in groups for payment in group] == payments
    for group in groups:
        assert all(alike(group[:place], group[place]) for place in range(1, len(group)))
    for before, after in pairwise(groups):
        assert not alike(before, after[0])


@pytest.mark.parametrize("payers", [("Anna",), ("Anna", "Bo", "Carl")])
def test_twice_the_fines_take_twice_the_work(payers: tuple[str, ...]) -> None:
    fines = [Payment("FINE-1", "fine", payers[k % len(payers)], "king", 5, 1) for k in range(400)]
    assert calls(lambda: payments_alike(fines)) < 2.2 * calls(lambda: payments_alike(fines[:200]))


def hands(*entries: object) -> str:
    """A session file with these entries of `hands`."""
    seats = ["Anna", "Bo", "Carl"]
    return json.dumps({"format": "tarok-session/1", "rules": "dtf-2011", "seats": seats, "hands": entries})


FINE = {"fine": "Anna", "category": "superficial"}
TAKEN_BACK = ({"play": "Bo", "card": "S7"}, {"take_back": 1})
HURTING: dict[str, tuple[str | bytes, str]] = {
    "a megabyte of keys, one of them twice": (
        "{" + ",".join(f'"k{number:06}":1' for number in (*range(90_000), 89_999)) + "}",
        "key 'k089999' is there twice",
    ),
    "deep lists": ("[" * 2_000_000, "nested too deeply"),
    "lists just too deep": ("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1), "nested too deeply"),
    "deep objects": ('{"a":' * 900 + "1" + "}" * 900, "nested too deeply"),
    "digits": ('{"close": ' + "9" * 4000 + "}", "more than 40 digits"),
    "a number beyond all": ('{"close": 1e999}', "1e999 is not a number"),
    "more bytes than a file has": (b" " * (MOST_FILE_BYTES + 1), "larger than 4 MB"),
    "a long text": (hands({"events": [{**FINE, "reason": "x" * 3000}]}), "is longer than 2000 letters"),
    "hands": (hands(*[{"events": []}] * (MOST_HANDS + 1)), "more than 500 hands"),
    "events": (hands({"events": [FINE] * MOST_FILE_EVENTS}), "more than 10000 events"),
    "people": (
        hands({"events": []}, *({"join": f"N{k}", "after": "Anna"} for k in range(MOST_PEOPLE))),
        "more than 50 people",
    ),
}


@pytest.mark.parametrize(("data", "message"), HURTING.values(), ids=HURTING)
def test_what_would_hurt_is_refused_in_a_sentence(data: str | bytes, message: str) -> None:
    with pytest.raises(SessionFileError, match=message) as refused:
        read_session(data)[1].session()
    assert len(str(refused.value)) < 200 and "\n" not in str(refused.value)


def test_what_takes_too_long_to_replay_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card that is taken back replays its hand, fines and all: a square."""
    monkeypatch.setattr("tracker.session_file.MOST_SECONDS", 1)
    with pytest.raises(SessionFileError, match="takes longer than 1 s to replay"):
        read_session(hands({"events": [*[FINE] * 4000, *TAKEN_BACK * 2900]}))[1].session()


def test_what_is_as_large_as_it_may_be_is_read() -> None:
    assert parsed("[" * MOST_DEPTH + "]" * MOST_DEPTH) is not None
    game, file = read_session(hands(*[{"events": [{**FINE, "category": "minor"}] * 30}] * 300))
    session = file.session()
    assert len(session.payments) > 9000 and sum(session.balances.values()) + sum(session.pots.values()) == 0
    assert "All chips together: 0" in game.audit_text(session, "en")
    assert isinstance(session, DanishSession)


CLUB = 'base = "dtf-2011"\n'
RULES = {
    "a deep list": "foundation = " + "[" * 7000,
    "digits": "foundation = " + "9" * 5000,
    "a name of thousands of parts": "a" + ".a" * 3900 + " = 1",
    "more bytes than a club's file has": "# " + "x" * 9000,
    "no text": "\0",
}


@pytest.mark.parametrize("text", RULES.values(), ids=RULES)
def test_rules_that_would_hurt_are_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(CLUB + text, encoding="utf-8")
    with pytest.raises(RuleError) as refused:
        read_rule_set_file(path, DanishSession.rule_sets)
    assert str(path) in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.skipif(sys.platform == "win32", reason="no such device on this system")
def test_a_file_without_an_end_is_refused(refused: Callable[..., str]) -> None:
    assert refused("audit", "/dev/zero") == "tarok: /dev/zero: File too large"
    refused("rules", "/dev/zero.toml")
    with pytest.raises(TarokError):
        read_rule_set_file("/dev/zero", DanishSession.rule_sets)
