"""`tarok watch` as a person types it: what goes wrong is one line and status 2."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from webui_program import ran

SEATS = "Anna@S,Bo@E,Carl@W"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nowhere.mp4", "nowhere.mp4: no such video file"),
        ("README.md", "README.md"),
        ("nowhere.mp4 --dealer Dora", "Dora"),
        ("nowhere.mp4 --rules bridge", "bridge"),
        ("nowhere.mp4 --every 0", "--every 0"),
        ("nowhere.mp4 --threads -3", "--threads -3: must be 1 to 64"),
        ("nowhere.mp4 --threads 10000", "--threads 10000: must be 1 to 64"),
        ("nowhere.mp4 --out no/such/folder.json", "no such folder"),
        ("nowhere.mp4 --out .", "is a folder"),
        ("nowhere.mp4 --seats Anna@S,Bo@E", "a table has 3 to 6 seats, not 2"),
        ("nowhere.mp4 --seats Anna@X,Bo@E,Carl@W", "Anna@X"),
        (f"nowhere.mp4 --seats {SEATS},Dora@N --rules american-tarock", "give --said SESSION"),
        ("97", "camera 97"),
    ],
)
def test_one_line_and_status_2(words: str, said: str, refused: Callable[..., str]) -> None:
    assert said in refused("watch", "--seats", SEATS, *words.split())


@pytest.mark.slow
def test_a_hand_of_1659_is_filmed_and_read(tmp_path: Path) -> None:
    club, film, out = tmp_path / "one.toml", tmp_path / "film.mp4", tmp_path / "hand.json"
    club.write_text('base = "tarot-1659"\ncards = 1\n', encoding="utf-8")
    table = ("--rules", str(club), "--seats", "Anna@S,Bo@E,Carl@N,Dora@W")
    # Carl gives up the fool: he takes it himself, and hands it to Anna, who won the trick.
    done = ran("film", "--hand", "7", "--fps", "5", *table, "--out", str(film))
    assert done.returncode == 0, done.stderr
    done = ran("watch", str(film), *table, "--dealer", "Dora", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, ""), "nothing is asked about a trick that was right"
    truth = json.loads(film.with_suffix(".json").read_text(encoding="utf-8"))
    (hand,) = json.loads(ran("audit", str(out)).stdout)["hands"]
    assert hand["tricks"][0]["cards"] == [play["card"] for play in truth["plays"]]
    assert hand["complete"] and hand["payments"][-1]["reason"] == "win"


@pytest.mark.slow
def test_two_tricks_of_french_tarot_are_filmed_and_read_with_dog_and_handful(tmp_path: Path) -> None:
    """Anna takes the dog, lays six cards face down, shows ten trumps and leads; Dora keeps her Excuse."""
    film, out = tmp_path / "film.mp4", tmp_path / "deal.json"
    table = ("--rules", "french-tarot", "--seats", "Anna@S,Bo@E,Carl@N,Dora@W")
    what = ("--hand", "26", "--contract", "garde", "--tricks", "2", "--fps", "5")
    done = ran("film", *what, *table, "--out", str(film))
    assert done.returncode == 0, done.stderr
    truth = json.loads(film.with_suffix(".json").read_text(encoding="utf-8"))
    said = ("--said", str(film.with_suffix(".json")), "--dealer", "Dora")
    done = ran("watch", str(film), *table, *said, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, ""), "nothing is asked"
    (hand,) = json.loads(out.read_text(encoding="utf-8"))["hands"]
    dog, handful = ([set(event[key]) for event in hand["events"] if key in event] for key in ("dog", "cards"))
    assert [*dog, *handful] == [set(shown["cards"]) for shown in truth["shown"]]
    (audited,) = json.loads(ran("audit", str(out)).stdout)["hands"]
    cards = [card for trick in audited["tricks"] for card in trick["cards"]]
    assert cards == [play["card"] for play in truth["plays"]]
    assert audited["handfuls"][0]["player"] == "Anna" and audited["violations"] == []


@pytest.mark.slow
def test_a_film_is_read_into_a_file_with_the_clubs_rules(tmp_path: Path, filmed: str) -> None:
    club = tmp_path / "ours.toml"
    club.write_text('base = "pagat-1996"\nname = "Lauget"\nking_ultimo = 50\n', encoding="utf-8")
    out = tmp_path / "hand.json"
    done = ran("watch", filmed, "--seats", SEATS, "--rules", str(club), "--out", str(out))
    assert done.returncode == 0, done.stderr
    written = json.loads(out.read_text(encoding="utf-8"))
    assert (written["rules"], written["options"]) == ("pagat-1996", {"name": "Lauget", "king_ultimo": 50})
    assert json.loads(ran("audit", str(out)).stdout)["hands"][0]["dealer"] == "Anna"


def test_a_cut_off_video_is_named(tmp_path: Path) -> None:
    whole = Path("datasets/demo/hand.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[:2000])
    done = ran("watch", str(tmp_path / "cut.mp4"), "--seats", SEATS)
    assert done.returncode == 2 and "cut.mp4" in done.stderr and "Traceback" not in done.stderr
