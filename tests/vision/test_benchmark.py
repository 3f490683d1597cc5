"""The benchmark counts what it says: on a real clip, deliberately wrong truths must show."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tracker.events import CardPlayed
from vision.camera.capture import frames
from vision.decks import CARD_MM, Deck, sprite_of
from vision.lab.bench.bare_models import CropReading, by_card, confusions, deck_as_json, score_models
from vision.lab.bench.difficulties import COVERED_SHARE, DIFFICULTIES
from vision.lab.bench.figures import figures, figures_as_json, figures_as_text
from vision.lab.bench.looks import Look, conditions
from vision.lab.bench.mistakes_page import Entry, Section, write_page
from vision.lab.bench.observing import Observed, observe
from vision.lab.bench.recordings import JudgedRecording, frames_wanted, judge
from vision.lab.bench.stages import BareModels, stages
from vision.lab.bench.targets import Share, Target
from vision.lab.bench.truth import Recording, TimedPlay, compare, load_recording
from vision.lab.rendering.crops import INDEX_MM, cover_mm
from vision.lab.rendering.scene import Studio, open_studio
from vision.picture import CROP_PX
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier
from vision.resources import datasets_dir
from webui.bench.vision import keeper_of, mistakes_of_recordings, report_json, report_text, together
from webui.cli import main

FIRST_TRICK = 67
"""Frames of the demo recording in which its first three plays are made."""


# ---- booked plays matched with the truth ----


def plays(text: str) -> list[TimedPlay]:
    """The plays in text such as 'Bo S7, Carl F@9': a second apart, or at the given second."""
    result = []
    for k, word in enumerate(filter(None, text.split(", "))):
        name, _, at = word.partition("@")
        player, card = name.split()
        result.append(TimedPlay(player, card, float(at) if at else float(k)))
    return result


@pytest.mark.parametrize(
    ("played", "booked", "verdicts"),
    [
        pytest.param("Bo S7, Carl F", "Bo S7, Carl F", "right right", id="all right"),
        pytest.param("Bo S7, Carl F", "Bo S7, Carl T1", "right wrong", id="another card"),
        pytest.param("Bo S7, Carl F", "Bo S7, Anna F", "right wrong", id="another player"),
        pytest.param("Bo S7, Carl F, Anna H2", "Bo S7, Anna H2@2", "right missed right", id="one missed"),
        pytest.param("Bo S7, Anna H2@2", "Bo S7, Carl F, Anna H2", "right invented right", id="one invented"),
        pytest.param("Bo S7, Carl F", "Carl F, Bo S7", "wrong right", id="the wrong way round"),
        pytest.param("Bo S7", "Bo S8@60", "missed invented", id="a minute later: another play"),
        pytest.param("Bo S7@10", "Anna T21@19.5", "missed invented", id="another player and card, much later"),
        pytest.param("Bo S7@10", "Anna T21@10.5", "wrong", id="another player and card, at its time"),
        pytest.param("Bo S7, Carl F, Anna H2", "Bo S8, Anna H3@2", "wrong missed wrong", id="two wrong of three"),
        pytest.param("Bo S7, Carl F, Anna H2", "Carl F@1, Anna H2, Bo S8@3", "wrong right right", id="late, misread"),
        pytest.param("Bo S7", "", "missed", id="nothing booked"),
        pytest.param("", "Bo S7", "invented", id="nothing played"),
    ],
)  # fmt: skip
def test_booked_plays_are_matched_with_the_truth(played: str, booked: str, verdicts: str) -> None:
    truth, bookings = plays(played), plays(booked)
    found = []
    for a, b, in_order in compare(truth, bookings):
        if a is None or b is None:
            found.append("invented" if a is None else "missed")
        else:
            same = (truth[a].player, truth[a].card) == (bookings[b].player, bookings[b].card)
            found.append("right" if same and in_order else "wrong")
    assert found == verdicts.split()


@pytest.mark.parametrize(
    ("value", "met"), [(0.999, "aim"), (0.996, "commit"), (0.994, "no"), (None, None)], ids=str
)
def test_a_target_is_met_or_not(value: float | None, met: str | None) -> None:
    assert Target(0.995, 0.998).met(value) == met


def test_a_target_may_be_an_upper_bound() -> None:
    assert [Target(0.4, 0.3, at_least=False).met(s) for s in (0.3, 0.4, 0.41)] == ["aim", "commit", "no"]


# ---- a real clip, and deliberately wrong truths ----


@pytest.fixture(scope="module")
def truth_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first trick of the demo recording, with its truth beside it."""
    folder = tmp_path_factory.mktemp("clip")
    writer = cv2.VideoWriter(str(folder / "trick.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
    for frame in frames(str(datasets_dir() / "demo" / "hand.mp4")):
        writer.write(frame.picture)
        if (frame.progress or 0) * 1650 >= FIRST_TRICK:
            break
    writer.release()
    truth = json.loads((datasets_dir() / "demo" / "hand.json").read_text(encoding="utf-8"))
    truth["plays"] = truth["plays"][:3]
    (folder / "trick.json").write_text(json.dumps(truth), encoding="utf-8")
    return folder / "trick.json"


@pytest.fixture(scope="module")
def recording(truth_file: Path) -> Recording:
    return load_recording(truth_file)


@pytest.fixture(scope="module")
def distorted(recording: Recording) -> Recording:
    """A wrong truth: one more play at the start, another card in the second place, the third play left out."""
    first, second, _ = recording.plays
    return replace(recording, plays=(TimedPlay("Dora", "S1", 0.4), first, replace(second, card="T12")))


@pytest.fixture(scope="module")
def seen(recording: Recording, distorted: Recording) -> Iterator[Observed]:
    keeper = keeper_of(recording)
    yield observe(
        recording.video, recording.sides, keeper.expectation, keeper.book, Finder(), CornerFinder(), Identifier(),
        bare=BareModels(None, None, 1), pictures=True, frames_at_s=frames_wanted(distorted),
    )  # fmt: skip


@pytest.fixture(scope="module")
def misjudged(seen: Observed, distorted: Recording) -> JudgedRecording:
    return judge(distorted, seen)


@pytest.mark.slow
def test_a_clip_read_right_has_no_mistakes(seen: Observed, recording: Recording) -> None:
    judged = judge(recording, seen)
    found = figures([judged])
    assert judged.mistakes == ()
    assert found.right == found.settled == Share(3, 3)
    assert (found.wrong, found.missed, found.invented, found.confident_wrong.count) == (0, 0, 0, 0)
    assert 3 * 3 <= found.looks.of <= 3 * 12, "each card is looked at a few times, and no more than needed"
    assert found.looks_clear.of + found.looks_covered.of + found.looks_blurred_or_glare.of == found.looks.of
    assert found.known_p50_s is not None and 0 < found.known_p50_s < 1.2


@pytest.mark.slow
def test_each_mistake_is_counted_as_what_it_is(misjudged: JudgedRecording) -> None:
    found = figures([misjudged])
    assert found.right == Share(1, 3)
    assert (found.wrong, found.missed, found.invented) == (1, 1, 1)
    assert found.settled == Share(1, 3), "the missed card never settled; the second reads as another"
    assert found.confident_wrong == Share(2, 3), "two sure readings are of no card of this truth"
    assert found.invented_per_hour == pytest.approx(3600 / misjudged.video_s, rel=0.01)
    kinds = [(m.kinds, m.true and m.true.card, m.booked and m.booked.card) for m in misjudged.mistakes]
    assert kinds == [
        (("missed",), "S1", None),
        (("wrong", "misread", "confident"), "T12", "T2"),
        (("invented", "confident"), None, "T3"),
    ]
    assert {m.true for m in misjudged.misread} == {"T12"}


@pytest.mark.slow
def test_a_play_taken_back_is_no_play(seen: Observed, recording: Recording) -> None:
    """The last card is taken back: it is not in the truth, but it was not invented."""
    *stay, last = seen.bookings
    again = replace(seen, bookings=[*stay, replace(last, taken_back=True)])
    shorter = replace(recording, plays=recording.plays[:2])
    judged = judge(shorter, again)
    assert judged.mistakes == () and figures([judged]).withdrawn == 1
    assert [m.kinds for m in judge(shorter, seen).mistakes] == [("invented", "confident")]


@pytest.mark.slow
def test_a_play_that_the_game_refused_is_not_right(seen: Observed, recording: Recording) -> None:
    """An invented card before it takes its place in the game."""
    keeper = keeper_of(recording)
    keeper.enter(CardPlayed(recording.plays[0].player, "D5"))
    bookings = [replace(booking, seq=keeper.enter(booking.play)) for booking in seen.bookings]
    refused = {alert.seq for alert in keeper.session.alerts}
    judged = judge(recording, replace(seen, bookings=bookings), refused)
    assert judged.right == 2
    assert [(m.kinds, m.true) for m in judged.mistakes] == [(("wrong",), recording.plays[0])]


@pytest.mark.slow
def test_several_recordings_are_counted_together(
    seen: Observed, recording: Recording, misjudged: JudgedRecording
) -> None:
    both = figures([judge(recording, seen, asked=2, plays_in_hand=3), misjudged])
    assert both.right == Share(4, 6)
    assert both.questions == 2 and both.questions_per_hand == pytest.approx(2 / (1 + 3 / 75), abs=0.05)
    assert both.video_s == pytest.approx(2 * misjudged.video_s, abs=0.1)


@pytest.mark.slow
def test_figures_are_shown_with_their_targets(misjudged: JudgedRecording) -> None:
    found = figures([misjudged])
    met = figures_as_json(found)["met"]
    assert isinstance(met, dict) and met["right"] == "no"
    (line,) = (line for line in figures_as_text("clip", found).splitlines() if "plays right" in line)
    assert re.split(r"\s{2,}", line.strip()) == [
        "plays right without correction", "33.33 %", "1 of 3", "99.50 %", "99.80 %", "not met",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_stages_make_up_the_chain(seen: Observed) -> None:
    times = seen.times
    assert len(times.chain) == len(times.decoding) == FIRST_TRICK
    assert 0 < len(times.finder) < FIRST_TRICK, "the finder need not look while nothing moves"
    assert sum(times.decoding) + sum(times.finder) + sum(times.sightings) < sum(times.chain)
    found = stages([times])
    for name in ("finder", "identifier"):
        stage = found[name]
        assert stage.ms and stage.bare_ms and stage.bare_one_thread_ms
        assert stage.ratio == pytest.approx(stage.ms / stage.bare_ms, abs=0.01)
    assert found["corners"].ms and found["corners"].bare_ms is None


@pytest.mark.slow
def test_the_page_shows_every_mistake(misjudged: JudgedRecording, tmp_path: Path) -> None:
    told = together([misjudged], 2), mistakes_of_recordings([misjudged])
    page = write_page(tmp_path / "page", "Mistakes", *told)
    html = page.read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?) <small>(\d+)</small>", html)
    looks = str(len(misjudged.misread))
    assert headings == [("Wrong plays", "1"), ("Missed plays", "1"), ("Invented plays", "1"),
                        ("Single looks read wrongly", looks)]  # fmt: skip
    wrong = html.split("<article>")[1]
    assert "T12 by Carl" in wrong and "T2 by Carl" in wrong and "confident and wrong" in wrong
    pictures = re.findall(r"<img[^>]* src='([^']*)'", html)
    sizes = [cv2.imread(str(page.parent / name)).shape for name in pictures]
    # A frame of the wrong and the invented play, two of the missed one.
    assert sizes.count((720, 1280, 3)) == 4
    assert sizes.count((336, 183, 3)) == 2, "nobody saw the card that was missed"
    assert html.count("no card was followed here") == 1


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    entry = Entry("<b>Bo</b>", ("<i>",), (("played", "S7 by <script>"),), (), (), b"")
    html = write_page(tmp_path, "a < b", "<pre>", [Section("h", "m", [entry])]).read_text(encoding="utf-8")
    assert "<script>" not in html and "<b>Bo" not in html and "a &lt; b" in html


@pytest.mark.slow
def test_the_command_prints_one_object(
    truth_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--every", "3", "--format", "json", "--page", str(tmp_path))
    assert main(["bench", "vision", str(truth_file.parent), *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.keys() == {"recordings", "all", "targets"}
    (one,) = told["recordings"]
    assert one["recording"] == "trick" and one["figures"] == told["all"]["figures"]
    assert one["figures"]["right"]["of"] == 3 and told["targets"]["right"]["commit"] == 0.995
    assert (tmp_path / "index.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{tmp}"], "no recording with a truth file"),
        (["{tmp}/none.json"], "no recording with a truth file"),
        (["{tmp}/evening/session.json"], "session.json: not the truth file of a recording"),
        (["{clip}", "--every", "0"], "--every 0"),
        (["{clip}", "--page", "{clip}"], "is not a folder"),
        (["{clip}", "--page", "no/such/page"], "--page no/such/page: there is no folder no"),
        (["{clip}", "--finder", "{tmp}/f.onnx"], "the trained model is missing"),
        (["{clip}", "--deck", "{tmp}"], "no such deck was taught"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(
    arguments: list[str], said: str, truth_file: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / "evening").mkdir()
    (tmp_path / "evening" / "session.json").write_text('{"format": "tarok-session/1", "seats": ["Anna"]}')
    words = [word.format(tmp=tmp_path, clip=truth_file) for word in arguments]
    assert said in refused("bench", "vision", *words)


@pytest.mark.slow
def test_recordings_are_reported_one_by_one_and_together(misjudged: JudgedRecording) -> None:
    text = report_text([misjudged, misjudged], 2)
    counted = re.findall(r"^(\S.*): (\d+) plays", text, re.M)
    assert counted == [("trick", "3"), ("trick", "3"), ("all 2 recordings", "6")]
    assert text.count("wrong, misread, confident: played T12 by Carl, booked T2 by Carl") == 2


@pytest.mark.slow
def test_as_json_can_be_written(misjudged: JudgedRecording) -> None:
    told = json.loads(json.dumps(report_json([misjudged])))
    first = told["recordings"][0]["mistakes"][0]
    assert first["kinds"] == ["missed"] and first["true"]["card"] == "S1" and "frames" not in first


# ---- how well a card is in view ----

PRINT = np.random.default_rng(1).integers(60, 200, (8, 8, 3)).astype(np.float32)


def look(**changed: object) -> Look:
    corners = np.zeros((4, 2), np.float32)
    return replace(Look(0.0, corners, "S7", 0.9, 0.0, PRINT, 30.0, 0.0), **changed)  # type: ignore[arg-type]


def test_a_card_counts_as_covered_until_the_hand_leaves() -> None:
    hand = PRINT.copy()
    hand[:2, :3] = (110, 140, 200)
    looks = [look(small=hand)] * 3 + [look()] * 6
    assert conditions(looks) == ["covered"] * 3 + ["clear"] * 6


def test_flicker_does_not_count_as_covered() -> None:
    assert conditions([look(small=PRINT + 25), *[look()] * 4]) == ["clear"] * 5


@pytest.mark.parametrize(
    ("changed", "condition"),
    [
        ({"under": 0.3}, "covered"),
        ({"sharpness": 12.0}, "blurred_or_glare"),
        ({"burnt": 0.4}, "blurred_or_glare"),
        ({"sharpness": 27.0, "burnt": 0.01, "under": 0.01}, "clear"),
    ],
    ids=["under another card", "blurred", "in glare", "a little of each"],
)
def test_a_look_is_clear_covered_or_blurred(changed: dict[str, float], condition: str) -> None:
    assert conditions([look(), look(**changed), look()])[1] == condition


# ---- crops of one difficulty ----


def test_a_cover_occludes_half_and_leaves_one_end() -> None:
    """Both cards painted at 2 px/mm: 40 to 55 % is occluded, and one end is free as far as its indices reach."""
    rng = np.random.default_rng(3)
    width, height = (round(2 * mm) for mm in CARD_MM)
    for _ in range(200):
        painted = np.zeros((height, width), np.uint8)
        corners = cover_mm(rng, *COVERED_SHARE) * 2 + np.array([width / 2, height / 2])
        cv2.fillPoly(painted, [np.round(corners).astype(np.int32)], 1)
        assert COVERED_SHARE[0] - 0.02 < painted.mean() < COVERED_SHARE[1] + 0.02
        deep = round(2 * INDEX_MM) - 2
        assert not painted[:deep].any() or not painted[-deep:].any()


def flat(blue: int, green: int, red: int) -> np.ndarray:
    return np.full((336, 183, 4), (blue, green, red, 255), np.uint8)


def test_half_covered_crops_are_half_covered() -> None:
    """A green card under a red card or back: red pixels of the crop are occluded."""
    red = sprite_of(flat(40, 40, 200))
    deck = Deck("flat", {"S7": sprite_of(flat(40, 200, 40)), "H3": red}, (red,))
    studio = Studio((deck,), (red,), (np.full((400, 400, 3), 40, np.uint8),))
    draw = DIFFICULTIES["half covered, one index in view"]
    for seed in range(25):
        crop = draw(np.random.default_rng(seed), studio, "S7").astype(float)
        inner = cv2.GaussianBlur(crop, (0, 0), 2)[6:-6, 6:-6]
        covered = inner[:, :, 2] > 1.4 * inner[:, :, 1]
        assert 0.32 < covered.mean() < 0.63, "40 to 55 %, with tilt and inexact corners"
        assert min(covered[:18].mean(), covered[-18:].mean()) < 0.05, "one end is in view"


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_every_difficulty_draws_the_same_crop_for_the_same_seed(difficulty: str) -> None:
    deck = Deck("flat", {"S7": sprite_of(flat(40, 200, 40)), "H3": sprite_of(flat(40, 40, 200))}, ())
    studio = open_studio(np.random.default_rng(5), [deck], cloths=2, backs=1)
    one, other = (DIFFICULTIES[difficulty](np.random.default_rng(7), studio, "S7") for _ in range(2))
    assert one.shape == (CROP_PX, CROP_PX, 3) and one.dtype == np.uint8 and np.array_equal(one, other)


# ---- the bare models ----


@pytest.mark.slow
def test_a_deck_is_measured_by_difficulty_and_by_card(tmp_path: Path) -> None:
    drawn = datasets_dir() / "drawn"
    for card in ("S7", "T21"):
        (tmp_path / f"{card}.png").write_bytes((drawn / f"{card}.png").read_bytes())
    told = deck_as_json(score_models(tmp_path, Finder(), Identifier(), crops=4, scenes=2))
    difficulties, cards = told["difficulties"], told["cards"]
    assert difficulties.keys() == DIFFICULTIES.keys() and cards.keys() == {"S7", "T21"}
    for name, found in difficulties.items():
        assert found["right"]["of"] == 4
        assert found["right"]["count"] == sum(cards[card][name][0] for card in cards)
    assert difficulties["clean"]["right"]["count"] == 4, "the drawn deck's clean crops are read"


def test_confusions_are_counted_by_difficulty() -> None:
    crops = [
        CropReading("clean", "T6", "T6", 0.99, 0, 0.0), CropReading("hard", "T6", "T9", 0.97, 1, 0.0),
        CropReading("hard", "T6", "T9", 0.50, 1, 0.0), CropReading("clean", "T9", "T6", 0.60, 1, 0.0),
    ]  # fmt: skip
    assert by_card(crops) == {"T6": {"clean": [1, 1], "hard": [0, 2]}, "T9": {"clean": [0, 1]}}
    assert confusions(crops) == [
        {"card": "T6", "read": "T9", "difficulty": "hard", "count": 2, "confident": 1},
        {"card": "T9", "read": "T6", "difficulty": "clean", "count": 1, "confident": 0},
    ]
