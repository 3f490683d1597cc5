"""Path-traced tables: the geometry behind their truth, and one tiny still where Blender is installed."""

import shutil
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tracker.cards import CARDS
from vision.camera.capture import frames
from vision.decks import BACK
from vision.lab.bench.stills import load_stills
from vision.lab.bench.truth import load_recording
from vision.lab.tracing import layouts, surfaces
from vision.lab.tracing.__main__ import main
from vision.lab.tracing.films import FilmedTrick, moments, play_out
from vision.lab.tracing.geometry import (
    THICK_MM,
    Bend,
    Pose,
    Shape,
    box,
    camera_over,
    card_corners,
    card_edge,
    card_rim,
    card_sheet,
    lathe,
    lift_over,
    tube,
)
from vision.lab.tracing.packs import load_pack
from vision.lab.tracing.stills import Lying, on_table, true_corners, visible_shares
from vision.lab.tracing.tracer import Lamp, Thing, World, exposure, trace
from vision.lab.tracing.webcam import Webcam, bent, seen
from vision.resources import datasets_dir

CARD = Shape(60, 110, 4)
FLAT = Bend()
SIZE = (640, 360)


def test_a_camera_straight_above_sees_mm_as_px_by_its_focal_length() -> None:
    camera = camera_over((0, 0), 800, 0, 90, 0, 90, SIZE)
    assert camera.focal_px == pytest.approx(320)
    points = camera.project([(0, 0, 0), (200, 0, 0), (0, 100, 0), (0, 100, 400)])
    assert points == pytest.approx(np.array([(320, 180), (400, 180), (320, 140), (320, 100)]))


def test_a_tilted_camera_is_as_high_as_said_and_looks_where_it_should() -> None:
    camera = camera_over((50, -20), 700, 30, 200, 4, 70, SIZE)
    assert camera.at[2] == pytest.approx(700)
    assert np.degrees(np.arccos(-camera.axes[2, 2])) == pytest.approx(30)
    assert camera.project([(50, -20, 0)])[0] == pytest.approx((320, 180))
    assert camera.axes @ camera.axes.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(camera.axes) == pytest.approx(1)


@pytest.mark.parametrize("bend", [0.0, 0.06])
def test_the_lens_bends_points_and_pictures_alike(bend: float) -> None:
    camera = camera_over((0, 0), 800, 20, 30, 2, 70, SIZE, bend)
    for pixel in ((40.0, 50.0), (320.0, 180.0), (600.0, 300.0)):
        point = on_table(camera, pixel)
        assert point is not None
        assert camera.project([(*point, 0.0)])[0] == pytest.approx(pixel, abs=1e-3)
    # A bright spot of the straight picture is seen where its point is projected to.
    spot = camera.straight([(120, 60, 0)])[0]
    ys, xs = np.mgrid[0:360, 0:640] + 0.5
    light = np.exp(-((xs - spot[0]) ** 2 + (ys - spot[1]) ** 2) / 18).astype(np.float32)[:, :, None]
    picture = bent(np.repeat(light, 3, axis=2), camera)[:, :, 0].clip(0)
    middle = np.array([(picture * xs).sum(), (picture * ys).sum()]) / picture.sum()
    assert middle == pytest.approx(camera.project([(120, 60, 0)])[0], abs=0.1)


def test_corners_are_of_the_upper_side_and_follow_turn_bow_and_place() -> None:
    corners = card_corners(CARD, Bend(-2), Pose(100, 50, np.pi / 2, 1.0))
    assert corners[:, :2] == pytest.approx(np.array([(45, 20), (45, 80), (155, 80), (155, 20)]))
    assert corners[:, 2] == pytest.approx(2 + 1 + THICK_MM)
    assert card_corners(CARD, Bend(2), Pose(0, 0, 0))[:, 2] == pytest.approx(THICK_MM)


def test_a_sheet_has_rounded_corners_and_shows_the_whole_picture() -> None:
    mesh = card_sheet(CARD, FLAT, Pose(0, 0, 0))
    assert np.abs(mesh.points[:, :2]).max(0) == pytest.approx((30, 55))
    rounded = np.hypot(30 - mesh.points[:, 0], 55 - mesh.points[:, 1]).min()
    assert rounded == pytest.approx(4 * (2**0.5 - 1), abs=0.4)
    assert (mesh.uv.min(0), mesh.uv.max(0)) == (pytest.approx((0, 0)), pytest.approx((1, 1)))
    top_left = mesh.uv[np.argmin(mesh.points[:, 0] - mesh.points[:, 1])]
    assert top_left == pytest.approx((0, 1), abs=0.05)
    rim = card_rim(CARD, FLAT, Pose(0, 0, 0))
    area = cv2.contourArea(rim[:, :2].astype(np.float32))
    assert area == pytest.approx(60 * 110 - (4 - np.pi) * 16, rel=1e-3)


@pytest.mark.parametrize(
    "mesh",
    [
        card_sheet(CARD, Bend(1, 0.5), Pose(3, 4, 1)), card_edge(CARD, FLAT, Pose(0, 0, 0)), box(3, 4, 5),
        lathe([(0, 0), (3, 0), (2, 5)]), tube([(0, 0, 0), (0, 9, 1), (3, 20, 2)], [3, 2, 1]),
    ],
)  # fmt: skip
def test_meshes_are_whole(mesh: object) -> None:
    points, faces, uv = mesh.points, mesh.faces, mesh.uv  # type: ignore[attr-defined]
    assert len(points) == len(uv) and np.isfinite(points).all()
    assert {k for face in faces for k in face} == set(range(len(points)))
    assert all(len(face) >= 3 for face in faces)


def test_a_card_on_a_bowed_card_lies_on_its_highest_part() -> None:
    below = [(Bend(2.0), Pose(0, 0, 0))]
    assert lift_over(CARD, FLAT, Pose(0, 0, 0), below) == pytest.approx(2.0 + THICK_MM, abs=0.01)
    assert lift_over(CARD, FLAT, Pose(0, 100, 0), below) < 1.3
    assert lift_over(CARD, FLAT, Pose(0, 120, 0), below) == 0


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("layout", [entry[0] for entry in layouts.LAYOUTS], ids=lambda f: f.__name__)
def test_layouts_have_as_many_cards_as_asked_and_stay_together(
    layout: layouts.Layout, count: int, hard: bool
) -> None:
    for seed in range(5):
        places = layout(np.random.default_rng(seed), CARD, count, hard)
        assert len(places) == (min(count, 4) if layout is layouts.trick else count)
        assert layouts.reach(places, CARD) < 110 * (count + 1)


def test_some_rows_touch_and_some_columns_overlap_lengthways() -> None:
    def gaps(layout: layouts.Layout, axis: str, side: float) -> list[float]:
        pitches = []
        for seed in range(40):
            places = layout(np.random.default_rng(seed), CARD, 3, False)
            pitches += [abs(getattr(b, axis) - getattr(a, axis)) / side for a, b in pairwise(places)]
        return pitches

    assert sum(1.0 <= p < 1.03 for p in gaps(layouts.row, "x", 60)) > 8
    assert sum(0.4 < p < 0.93 for p in gaps(layouts.column, "y", 110)) > 20


def test_visible_shares_count_what_covers_and_what_is_out_of_the_picture() -> None:
    camera = camera_over((0, 0), 500, 0, 90, 0, 70, SIZE)
    left = float(on_table(camera, (0, 180))[0])  # type: ignore[index]
    cards = [
        Lying("S7", FLAT, Pose(0, 0, 0)), Lying(BACK, FLAT, Pose(30, 0, 0, 1)), Lying("H3", FLAT, Pose(left, 0, 0)),
    ]  # fmt: skip
    numbers = np.zeros((360, 640), np.int32)
    for number, card in enumerate(cards, 1):
        outline = camera.straight(card_rim(CARD, card.bend, card.place)) - 0.5
        cv2.fillPoly(numbers, [np.round(outline).astype(np.int32)], number)
    half, whole, out = visible_shares(camera, CARD, cards, numbers)
    assert (half, whole, out) == pytest.approx((0.5, 1, 0.5), abs=0.03)


@pytest.mark.parametrize("draw", [*surfaces.BACKS], ids=lambda f: f.__name__)
def test_backs_are_pictures_of_their_own(draw: object) -> None:
    rng = np.random.default_rng(3)
    pictures = [surfaces.back(rng) for _ in range(4)]
    assert all(p.shape == (448, 244, 3) and p.dtype == np.uint8 for p in pictures)
    assert not any((a == b).all() for a, b in pairwise(pictures))
    drawn = draw(rng, np.full((448, 244, 3), (90, 60, 30), np.uint8))  # type: ignore[operator]
    assert drawn.shape == (448, 244, 3) and drawn.std() > 1


def test_a_webcam_sends_what_it_sees_brightened_until_the_mean_is_grey() -> None:
    light = np.full((90, 160, 3), 0.02, np.float32)
    light[30:60, 60:100] = 0.06
    lit = light * exposure(light)
    assert 0.1 < lit.mean() < 0.2
    camera = camera_over((0, 0), 800, 0, 90, 0, 70, (160, 90))
    jpeg = seen(np.random.default_rng(0), lit, camera, Webcam(grain=0.0, fall_off=0.0, sharpen=0.0))
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None and picture.shape == (90, 160, 3)
    assert picture[45, 80].mean() > picture[10, 10].mean() + 40


def test_a_deck_folder_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stills", "--out", str(tmp_path), "--decks", str(tmp_path / "no")]) == 2
    assert "no such deck folder" in capsys.readouterr().err


needs_blender = pytest.mark.skipif(
    shutil.which("blender") is None or find_spec("oidn") is None, reason="needs blender and the tracing extra"
)


@needs_blender
def test_blender_shows_a_card_where_it_is_projected_to(tmp_path: Path) -> None:
    camera = camera_over((20, 10), 400, 25, 60, 5, 60, (320, 180))
    place = Pose(30, -10, 0.7)
    card = Thing(card_sheet(CARD, Bend(2), place), {"color": [0.9, 0.1, 0.1]}, 7)
    table = Thing(box(900, 900, 10).moved((0, 0, -10)), {"color": [0.1, 0.1, 0.4]})
    lamp = Lamp((100, 0, 1000), (0, 0, 0), (300, 300), 20)
    (traced,) = trace([World(camera, (table, card), (lamp,))], tmp_path, 1)
    shown = traced.numbers == 7
    rim = camera.straight(card_rim(CARD, Bend(2), place)).astype(np.float32)
    moments = cv2.moments(rim)
    assert shown.sum() == pytest.approx(moments["m00"], rel=0.02) and shown.sum() > 1000
    middle = np.argwhere(shown).mean(0)[::-1] + 0.5
    centre = [moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]]
    assert middle == pytest.approx(centre, abs=0.1)
    red, _, blue = traced.light[shown].mean(0)
    assert red > 3 * blue and traced.light[~shown].mean(0)[2] > traced.light[~shown].mean(0)[0]


@needs_blender
def test_a_still_has_its_truth_beside_it_and_comes_out_the_same_again(tmp_path: Path) -> None:
    words = ["stills", "--count", "1", "--size", "160x90", "--samples", "1", "--seed", "4", "--out"]
    assert main([*words, str(tmp_path / "one")]) == 0 == main([*words, str(tmp_path / "two")])
    (still,), (other,) = load_stills(tmp_path / "one"), load_stills(tmp_path / "two")
    assert (still.group, still.deck, still.path.name) == ("usual", "drawn", "usual000_drawn.jpg")
    assert still.path.with_suffix(".json").read_bytes() == other.path.with_suffix(".json").read_bytes()
    assert sum(card.card != BACK and card.visible > 0.95 for card in still.cards) >= 2
    faces = [card.card for card in still.cards if card.card != BACK]
    assert len(set(faces)) == len(faces)


def test_true_corners_are_those_of_the_picture_that_is_sent() -> None:
    camera = camera_over((0, 0), 500, 10, 90, 0, 70, SIZE, 0.05)
    card = Lying("S7", Bend(1.0), Pose(80, 40, 0.4))
    assert true_corners(camera, CARD, card) == pytest.approx(
        camera.project(card_corners(CARD, card.bend, card.place))
    )


def test_a_film_s_tricks_follow_suit_and_are_taken_by_the_highest_trump_or_card_of_the_suit() -> None:
    tricks = play_out(np.random.default_rng(2), load_pack(datasets_dir() / "drawn"), 20)
    cards = [card for trick in tricks for _, card in trick.plays]
    assert len(set(cards)) == 60 and "F" not in cards
    held = {name: [c for t in tricks for n, c in t.plays if n == name] for name in ("Anna", "Bo", "Carl")}
    leader = "Bo"
    for number, trick in enumerate(tricks):
        names, laid = zip(*trick.plays, strict=True)
        assert names[0] == leader and [names[k] for k in (1, 2)] == [
            {"Anna": "Bo", "Bo": "Carl", "Carl": "Anna"}[names[k]] for k in (0, 1)
        ]
        for name, card in trick.plays[1:]:
            later = held[name][number:]
            assert card[0] == laid[0][0] or all(c[0] != laid[0][0] for c in later)
        trumps = [c for c in laid if c[0] == "T"]
        best = max(trumps or [c for c in laid if c[0] == laid[0][0]], key=CARDS.index)
        assert trick.taker == names[laid.index(best)]
        leader = trick.taker


def test_a_film_shows_each_card_carried_laid_and_taken_away_face_down() -> None:
    tricks = [FilmedTrick((("Bo", "S7"), ("Carl", "S9"), ("Anna", "T1")), "Anna")]
    shown = list(moments(np.random.default_rng(1), CARD, tricks, 400))
    assert [m.rests for m in shown if m.rests] == ["S7", "S9", "T1"]
    rest = next(k for k, m in enumerate(shown) if m.rests == "S7")
    final = next(c.place for c in shown[rest].cards if c.card == "S7")
    assert final.x > 20 and abs(final.y) < 40  # Bo sits at the right
    before = [next(c.place.x for c in m.cards if c.card == "S7") for m in shown[:rest] if m.cards]
    assert before == sorted(before, reverse=True) and before[-1] > final.x
    assert all(m.arm is not None or m.frames > 1 for m in shown)
    assert [c.card for c in shown[-1].cards] == [BACK] * 3 and shown[-1].cards[0].place.y < -100


@needs_blender
def test_a_film_is_one_that_the_benchmark_of_recordings_reads(tmp_path: Path) -> None:
    words = ["films", "--count", "1", "--tricks", "1", "--size", "96x54", "--samples", "1"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    recording = load_recording(tmp_path / "film000_drawn.json")
    assert [play.player for play in recording.plays] == ["Bo", "Carl", "Anna"]
    pictures = [frame.picture for frame in frames(str(recording.video), 1)]
    assert len(pictures) > 40 and recording.plays[-1].at_s * 10 < len(pictures)
