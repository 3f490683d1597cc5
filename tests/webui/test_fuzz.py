"""A little of the fuzzing, always the same; `python tests/webui/fuzz.py` does as much of it as you like."""

import random
import sys
from collections.abc import Iterator

import pytest
from fuzz import Runner, altered, damaged, fuzz_files
from fuzz_pages import fields, fuzz_pages
from fuzz_taps import GAMES, tap

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """One process for all commands."""
    one = Runner(tmp_path_factory.mktemp("home"))
    yield one
    one.close()


def test_random_requests_fail_nowhere_and_change_nothing_unsaid() -> None:
    assert fuzz_pages(8, seed=15) == []


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_tapped_is_taken_once_or_refused_and_the_file_is_read_back(game: str) -> None:
    assert tap(game, seed=13, steps=32) > 4


def test_random_requests_to_a_club_fail_nowhere_and_change_nothing_unsaid() -> None:
    from fuzz_club import ClubSite, fuzz_batches

    assert fuzz_pages(2, seed=15, make=ClubSite) == []
    assert fuzz_batches(60, seed=15) == []


@pytest.mark.parametrize(
    "kind", ["photo.png", "photo.jpg", "film.avi", "film.mp4", ".json", "club", "backup", "evening", "truth"]
)
def test_damaged_files_are_read_or_refused_in_one_line(kind: str, runner: Runner) -> None:
    assert fuzz_files(runner, 2, seed=15, only=kind, tell=lambda _: None) == []


def test_what_a_command_does_wrong_is_noticed(runner: Runner) -> None:
    assert runner.run(["rules", "dtf-2011"]) == ""
    assert runner.run(["rules", "nowhere.toml"]) == ""  # one line and 2
    assert runner.run(["audit"]).startswith("status 2 and ")  # argparse says more


def test_damage_differs_and_is_done_again_by_its_seed() -> None:
    data = bytes(range(256)) * 20
    made = [damaged(random.Random(seed), data) for seed in range(50)]
    assert made == [damaged(random.Random(seed), data) for seed in range(50)]
    assert len({*made, data}) == 51
    hand = {"seats": ["Anna", "Bo"], "hands": [{"events": [{"play": "Anna"}] * 9}]}
    assert len({repr(altered(random.Random(seed), hand)) for seed in range(50)}) > 10


def test_fields_are_found_in_the_pages_own_source() -> None:
    assert fields('fields.field("card") + request.form.get("named") + fields.choice(f"side_{place}", x)') == [
        "card", "named", "side_S",
    ]  # fmt: skip
    assert "fuzz_pages" in sys.modules
