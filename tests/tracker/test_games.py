"""Recorded evenings against their audits and the second reckoning: our own, and shared cases where they are at hand."""

import json
from pathlib import Path

import pytest
from tracker_again import folded
from tracker_games import GAMES, recorded
from tracker_second_reckoning import as_reckoned, reckoned

from tracker.games import game_of_rules, read_session

RECORDED = sorted(GAMES.rglob("*.txt"))
SHARED = Path(__file__).parents[2].parent / "shared" / "rules"
CASES = sorted(path for path in SHARED.glob("cases*/*.json") if not path.name.endswith(".audit.json"))


def test_there_are_games() -> None:
    assert len(RECORDED) >= 8


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_has_the_audit_beside_it(path: Path) -> None:
    session = recorded(path)
    game = game_of_rules(session["rules"])
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(game.audit(folded(session)))) == expected
    assert as_reckoned(game.name, expected) == reckoned(game.name, session)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_shared_case_agrees(path: Path) -> None:
    """Danish Tarok in what the contract compares; American Tarock and the Tarot of 1659 to the letter."""
    game, file = read_session(path.read_bytes())
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    got = game.audit(file.session())
    assert (got["balances"], got["pots"]) == (expected["balances"], expected["pots"])
    assert as_reckoned(game.name, got) == as_reckoned(game.name, expected)
    if game.name == "french":
        assert json.loads(json.dumps(got)) == expected
    elif game.name != "danish":
        assert json.dumps(got) == json.dumps(expected)
    assert as_reckoned(game.name, expected) == reckoned(game.name, json.loads(path.read_bytes()))
