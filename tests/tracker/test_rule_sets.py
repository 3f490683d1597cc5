"""The rule sets as tables, a club's own as a file, and both as text."""

import json
from pathlib import Path

import pytest
from tracker_again import folded

from tracker.danish.events import EVENTS
from tracker.danish.game import DANISH
from tracker.danish.rule_sets import DTF_2011, RULE_SETS
from tracker.danish.session import DanishSession
from tracker.events import Recorded, SessionOpened, event_to_json
from tracker.games import rule_set, rule_set_in_file, rules_named
from tracker.rule_sets import RuleError, option_keys
from tracker.rule_sets_text import rule_set_text, rule_sets_text
from tracker.session_file import export


def club(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "club.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_club_says_its_base_and_what_differs(tmp_path: Path) -> None:
    rules = rule_set_in_file(club(tmp_path, 'base = "dtf-2011"\ntout = 100\nlast_trick_with_bagud = true\n'))
    assert (rules.name, rules.tout, rules.last_trick_with_bagud, rules.max_players) == ("club", 100, True, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tout = 90", "base must be one of pagat-2024"),
        ('base = "pagat-1890"', "base must be one of"),
        ('base = "dtf-2011"\ntuot = 90', "unknown key 'tuot'; there are base, name, max_players"),
        ('base = "dtf-2011"\ntout = 91', "tout must be a multiple of 5 chips, not 91"),
        ('base = "dtf-2011"\ntout = "90"', "tout must be a whole number, not '90'"),
        ('base = "dtf-2011"\ncount = 1', "count must be true or false, not 1"),
        ('base = "dtf-2011"\nsits_out = "left"', "sits_out must be opposite or right"),
        ('base = "dtf-2011"\nmax_players = 6', "max_players must be from 3 to 5 players, not 6"),
        ('base = "dtf-2011"\nname = 4', "name must be a text"),
        ("base = ", "Invalid value"),
    ],
)
def test_a_mistake_in_a_club_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        rule_set_in_file(club(tmp_path, text))
    assert message in str(caught.value) and "club.toml" in str(caught.value)


def test_a_club_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="No such file"):
        rule_set_in_file(tmp_path / "club.toml")
    (tmp_path / "club.toml").write_bytes('name = "Lærke"'.encode("latin-1"))
    with pytest.raises(RuleError, match=r"club\.toml: not UTF-8: byte 9 cannot be read$"):
        rule_set_in_file(tmp_path / "club.toml")


def test_a_club_file_as_windows_writes_it(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_bytes(b'\xef\xbb\xbfbase = "dtf-2011"\r\ntout = 90\r\n')
    assert rule_set_in_file(tmp_path / "club.toml").tout == 90


def test_options_and_names_are_checked() -> None:
    assert rule_set("pagat-1996", [("tout", 90)]).tout == 90
    with pytest.raises(RuleError, match="unknown rule set"):
        rule_set("pagat")
    with pytest.raises(RuleError, match="unknown option 'nollo'"):
        rule_set("pagat-1996", [("nollo", 90)])
    with pytest.raises(RuleError, match="nolo must be a multiple of 5 chips, not 91"):
        rule_set("pagat-1996", [("nolo", 91)])


def test_a_session_carries_every_key_of_a_clubs_file(tmp_path: Path) -> None:
    """Each key with another value than the base has; `name` too."""
    other = {bool: lambda value: not value, int: lambda value: value + 5, str: lambda value: value + " club"}
    chosen = {"max_players": 4, "sits_out": "right", "skat_trumps_told": "whether", "early_play": "major"}
    lines = []
    for key in option_keys(DTF_2011):
        standard = getattr(DTF_2011, key)
        value = chosen.get(key, other[type(standard)](standard))
        assert value != standard
        lines.append(f"{key} = {json.dumps(value)}")
    path = club(tmp_path, 'base = "dtf-2011"\n' + "\n".join(lines))
    base, options = rules_named(str(path))
    assert base == "dtf-2011" and [key for key, _ in options] == list(option_keys(DTF_2011))
    rules = rule_set_in_file(path)
    assert rule_set(base, options) == rules
    opened = SessionOpened(base, options, ("Anna", "Bo", "Carl"))
    assert DanishSession.replay([Recorded(1, EVENTS.from_json(event_to_json(opened)))]).rules == rules
    written = json.loads(json.dumps(export([opened], DanishSession)))
    assert written["options"] == dict(options)
    assert folded(written).rules == rules


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_rule_set_prints_with_its_source_and_every_rule_id(name: str) -> None:
    text = rule_set_text(DANISH, RULE_SETS[name], DANISH.words.rule_set_source(name))
    assert f"Source: {DANISH.words.rule_sources[name]}" in text
    assert "PAY-5.1  Tout: " + ("80" if name == "dtf-2011" else "85") in text
    assert "True" not in text and "{" not in text


def test_side_by_side_the_differences_are_marked() -> None:
    lines = rule_sets_text(DANISH).splitlines()
    assert "* tout                                    85             85             80" in lines
    assert any(line.startswith("  nolo ") for line in lines)
