"""Recorded hands against their audits: our own, and the shared cases where they are at hand."""

import json
from pathlib import Path

import pytest
from tracker_games import read_game
from tracker_reference import Reference, comparable

from tracker.danish.audit import audit
from tracker.danish.game import DANISH
from tracker.danish.session import DanishSession
from tracker.french.game import FRENCH
from tracker.games import read_session
from tracker.session_file import loads

GAMES = sorted((Path(__file__).parents[1] / "games").glob("*.txt"))
SHARED = Path(__file__).parents[2].parent / "shared" / "rules"
CASES = sorted(path for path in SHARED.glob("cases*/*.json") if not path.name.endswith(".audit.json"))


def test_there_are_games() -> None:
    assert len(GAMES) >= 8


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_has_the_audit_beside_it(path: Path) -> None:
    session = read_game(path.read_text(encoding="utf-8"))
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert audit(loads(json.dumps(session), DanishSession).session()) == expected
    reference = Reference(session)
    assert comparable(expected) == {"chips": reference.chips, "hands": reference.hands}


def summary(data: dict) -> dict:
    """What the contract compares of a session of Danish Tarok."""
    return comparable(data) | {"balances": data["balances"], "pots": data["pots"]}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_shared_case_agrees(path: Path) -> None:
    """Those of the other games wholly, but for French Tarot to the letter."""
    game, file = read_session(path.read_bytes())
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    got = game.audit(file.session())
    if game is DANISH:
        assert summary(got) == summary(expected)
    elif game is FRENCH:
        assert json.loads(json.dumps(got)) == expected
    else:
        assert json.dumps(got) == json.dumps(expected)
