"""The documents tell the truth: files and commands they name exist, examples work, tables of keys are the code's."""

import dataclasses
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tracker.american.result import RESULT_KEYS as AMERICAN_KEYS
from tracker.danish.audit import audit
from tracker.danish.events import EVENTS
from tracker.danish.hand import CATEGORY_OF
from tracker.danish.result import RESULT_KEYS
from tracker.danish.rule_sets import RuleSet
from tracker.danish.session import DanishSession
from tracker.events import Kinds
from tracker.games import rule_set_in_file
from tracker.rule_sets import option_keys
from tracker.session_file import loads
from tracker.tarot1659.session import Session1659
from vision.lab.bench.truth import load_recording
from vision.lab.rendering.footage import FilmedPlay, truth
from vision.lab.rendering.shown_cards import FilmedDiscard
from webui.cli import COMMANDS
from webui.version import version

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path for pattern in ("*.md", "docs/*.md", "models/*.md", "datasets/*.md") for path in ROOT.glob(pattern)
)
GAMES = sorted((ROOT / "tests" / "games").glob("*.audit.json"))


@cache
def formats() -> str:
    return (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    (text,) = re.findall(rf"<!-- example: {name} -->\n```\w+\n(.*?)```", formats(), re.S)
    return str(text)


def keys(name: str) -> set[str]:
    """What the first column of a table names."""
    (table,) = re.findall(rf"<!-- keys: {name} -->\n(.*?)\n\n", formats(), re.S)
    first_column = [line.split("|")[1] for line in table.splitlines()[2:]]
    return {key for cell in first_column for key in re.findall(r"`(\w+)`", cell)}


def without_blocks(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.S)


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if re.match(r"https?:", link):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_named_exists(path: Path) -> None:
    """A name in backquotes with a folder of the checkout in front is a file or a folder of it."""
    rooms = "|".join(child.name for child in ROOT.iterdir() if child.is_dir() and child.name[0] != ".")
    text = without_blocks(path.read_text(encoding="utf-8"))
    for name in re.findall(rf"`((?:{rooms}|\.ci|\.github)/[\w./-]*)`", text):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_subcommand_named_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|bin/|Scripts\\)tarok ([a-z]\w*)", text))
    assert named <= COMMANDS.keys()
    assert named or path.name != "README.md" or path.parent != ROOT


# -- docs/formats.md -----------------------------------------------------------------------------------------


def test_the_session_of_the_example_has_the_payment_and_the_violation_beside_it() -> None:
    found = audit(loads(example("session"), DanishSession).session())
    (hand,) = found["hands"]
    assert json.loads(example("payment")) in hand["payments"]
    assert [json.loads(example("violation"))] == hand["violations"]


def test_the_result_of_the_example_is_read_and_every_key_is_there() -> None:
    session = json.loads(example("session")) | {"hands": [json.loads(example("result"))]}
    (hand,) = audit(loads(json.dumps(session), DanishSession).session())["hands"]
    assert hand["result"] == session["hands"][0]["result"] and hand["points"]["Anna"] == 31
    assert keys("result") - {"winner", "cards", "king", "pagat"} == RESULT_KEYS


def test_the_keys_of_the_other_games_results() -> None:
    text = (ROOT / "docs" / "american-tarock.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| of a result \|.*?\n\n", text, re.S | re.M)
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", table, re.M)))) == AMERICAN_KEYS


@pytest.mark.parametrize(
    ("document", "kinds"), [("formats.md", EVENTS), ("tarot-1659.md", Session1659.kinds)]
)
def test_the_events_of_a_session_file(document: str, kinds: Kinds) -> None:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    rows = {row[0]: row for row in re.findall(r"^\| `(\w+)`: [^|]*\| ([^|]*)\|", text, re.M)}
    assert rows.keys() == kinds.by_key.keys()
    for event, kind in kinds.by_key.items():
        assert set(re.findall(r"`(\w+)`", rows[event][1])) == set(kind.keys), event


def test_the_keys_of_an_audit() -> None:
    audits = [json.loads(path.read_text(encoding="utf-8")) for path in GAMES]
    hands = [hand for found in audits for hand in found["hands"] if "dealer" in hand]
    violations = [violation for hand in hands for violation in hand["violations"]]
    assert keys("audit") == set().union(*audits)
    assert keys("hand") >= set().union(*hands)
    assert keys("violation") >= set().union(*violations)
    for part in (*(hand["tricks"] for hand in hands), *(hand["payments"] for hand in hands)):
        assert all(f"`{key}`" in formats() for item in part for key in item)


def test_every_kind_of_violation_and_reason_of_a_payment_is_there() -> None:
    assert keys("kinds") == {*CATEGORY_OF, "play_out_of_turn"}
    reasons = set(re.findall(r'"reason": "(\w+)"', "".join(path.read_text("utf-8") for path in GAMES)))
    assert len(reasons) > 15
    assert all(f"`{reason}`" in formats() for reason in reasons)


def test_the_clubs_rules_of_the_example_are_read_and_every_key_is_there(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(example("club"), encoding="utf-8")
    rules = rule_set_in_file(path)
    written = tomllib.loads(example("club"))
    assert {key: getattr(rules, key) for key in written if key != "base"} == {
        key: value for key, value in written.items() if key != "base"
    }
    assert keys("club") == set(option_keys(RuleSet))
    for field in dataclasses.fields(RuleSet):
        rule = field.metadata.get("rule", "").split(".")[0]
        assert re.search(rf"^\|[^|\n]*`{field.name}`[^|\n]*\| {rule} ?\|", formats(), re.M) or not rule


def test_the_truth_of_the_example_is_read_and_has_the_keys_that_are_written(tmp_path: Path) -> None:
    (tmp_path / "film.json").write_text(example("truth"), encoding="utf-8")
    (tmp_path / "film.mp4").touch()
    recording = load_recording(tmp_path / "film.json")
    assert [(play.player, play.card, play.at_s) for play in recording.plays] == [("Anna", "T20", 2.0)]
    written = truth(
        {"Anna": "S"}, "Anna", "dtf-2011", 10, 30, [FilmedPlay("S", "S7"), FilmedDiscard("S", ("T2",))], [12, 20],
        [{"contract": "klop"}], {"cards": 4}, [{"first": 1, "dealer": "Bo", "said": []}],
    )  # fmt: skip
    assert keys("truth") == written.keys() | {"before", "dealing"}
    assert written.keys() - {"said", "shown", "options", "hands"} == json.loads(example("truth")).keys()


# -- the rules, the version ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "document"), [("danish-tarok.md", "rules.md"), ("tarot-1659.md", "tarot-1659.md")]
)
def test_every_rule_of_the_table_stands_once_in_the_rules(rules: str, document: str) -> None:
    text = (ROOT / "docs" / rules).read_text(encoding="utf-8")
    defined = re.findall(r"\*\*((?:T59-)?[A-Z]+(?:-\d+)?)\*\*", text.split("## Cards")[1])
    assert len(defined) == len(set(defined))
    table = (ROOT / "docs" / document).read_text(encoding="utf-8").split("<!-- table: begin -->")[1]
    assert set(defined) == set(re.findall(r"^\| ((?:T59-)?[A-Z]+(?:-\d+)?) \|", table, re.M))


def test_the_version_is_in_the_changelog_and_the_program_says_it() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.findall(r"^## \[?([\w.]+)", changes, re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert latest[0] in ("Unreleased", version()) and version() == project["version"]
    said = subprocess.run(
        [sys.executable, "-m", "webui.cli", "--version"], capture_output=True, text=True, cwd=ROOT
    )
    assert (said.returncode, said.stdout) == (0, f"tarok {version()}\n")


def test_the_guide_to_a_game_has_the_small_game_whole_and_names_each_file_of_a_larger_one() -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    small = ROOT / "tests" / "webui" / "sixteen"
    blocks = re.findall(r"```python\n(.*?)```", guide, re.S)
    assert blocks == [(small / name).read_text(encoding="utf-8") for name in ("game.py", "page.py")]
    larger = [*ROOT.glob("tracker/tarot1659/*.py"), *ROOT.glob("webui/games/tarot1659/*.py")]
    for path in [*larger, *(ROOT / "tests" / "tracker").glob("*1659*.py")]:
        assert f"`{path.name}`" in guide or path.name == "__init__.py", path.name
    for path in (ROOT / "tests" / "webui").glob("*1659*.py"):
        assert f"`tests/webui/{path.name}`" in guide, path.name
    # Nothing else may know the game but what the guide names.
    for path in [*ROOT.glob("tracker/**/*.py"), *ROOT.glob("webui/**/*.py"), *ROOT.glob("vision/**/*.py")]:
        name = path.relative_to(ROOT).as_posix()
        if path.parent.name != "tarot1659" and re.search(r"\btarot1659\b", path.read_text(encoding="utf-8")):
            assert f"`{name}`" in guide, name
