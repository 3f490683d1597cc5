"""From frames to plays: rendered tricks of the drawn deck, watched with the shipped models."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn import drawn_card, drawn_deck, film_into, laid
from readings import unsure

from tracker.events import CardPlayed, PlayRemoved, SessionOpened, TrickTaken
from vision.arrays import Float32Array, UInt8Array
from vision.errors import VisionError
from vision.lab.rendering.between_hands import FilmedDeal
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay, film
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, paste, project
from vision.lab.rendering.props import draw_background, draw_hand
from vision.lab.rendering.video_file import VideoFile
from vision.picture import overlap, rectify
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier
from vision.reading.magnified import MagnifyingFinder
from vision.resources import models_dir
from vision.watching.explanations import Explanation
from vision.watching.eyes import Eyes, WatchUpdate, watch
from vision.watching.still import FACE_SIDE, detected_cards
from webui.cli import main
from webui.table.scorekeeper import Scorekeeper

pytestmark = pytest.mark.slow

SIDES = {"Anna": "S", "Bo": "E", "Carl": "W"}
FPS = 5
SCRIPT = [
    FilmedPlay("E", "S7"),
    FilmedPlay("W", "F"),
    FilmedPlay("S", "SR", taken_by="S"),
    FilmedPlay("S", "T14"),
    FilmedPlay("E", "T9"),
    FilmedPlay("W", "T19", taken_by="W"),
]
EXPECTED = [("Bo", "S7"), ("Carl", "F"), ("Anna", "SR"), ("Anna", "T14"), ("Bo", "T9"), ("Carl", "T19")]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    path = tmp_path_factory.mktemp("clip") / "two-tricks.mp4"
    style = FilmStyle(difficulty=0.15, pause_s=0.6, card_height_px=160, fps=FPS)
    return path, film_into(path, SCRIPT, style, "back_BACK", seed=4)


def keeper() -> Scorekeeper:
    return Scorekeeper(SessionOpened("dtf-2011", (), tuple(SIDES)), SIDES, "Anna")


@pytest.fixture(scope="module")
def updates(clip: tuple[Path, list[int]]) -> list[WatchUpdate]:
    game = keeper()
    seen = []
    for update in watch(str(clip[0]), SIDES, game.expectation):
        for event in update.events:
            game.book(event, update.time_s)
        seen.append(update)
    return seen


def test_each_card_is_booked_for_its_player(updates: list[WatchUpdate]) -> None:
    plays = [event for update in updates for event in update.events if isinstance(event, CardPlayed)]
    assert [(play.player, play.card) for play in plays] == EXPECTED


def test_a_play_is_known_soon_after_its_card_comes_to_rest(
    updates: list[WatchUpdate], clip: tuple[Path, list[int]]
) -> None:
    known = [u.time_s for u in updates for event in u.events if isinstance(event, CardPlayed)]
    assert all(0 <= at - frame / FPS < 1.2 for at, frame in zip(known, clip[1], strict=True))


def test_the_trick_is_taken_by_the_player_it_moves_to(updates: list[WatchUpdate]) -> None:
    takers = [event.player for update in updates for event in update.events if isinstance(event, TrickTaken)]
    assert takers == ["Anna", "Carl"]


def test_of_the_cards_that_are_counted_and_dealt_none_is_a_play(tmp_path: Path) -> None:
    path, style = tmp_path / "dealt.mp4", FilmStyle(difficulty=0.15, pause_s=0.6, fps=FPS)
    with VideoFile(path, style.size, style.fps) as video:
        film([FilmedDeal("S", ("S", "E", "W")), *SCRIPT], drawn_deck(), video.write, style=style, seed=4)
    game = Scorekeeper(SessionOpened("dtf-2011", (), tuple(SIDES)), SIDES, "Anna", dealing=True)
    for update in watch(str(path), SIDES, game.expectation):
        for event in update.events:
            game.book(event, update.time_s)
    assert [(play.player, play.card) for play in game.session.hand.plays] == EXPECTED
    assert not game.session.alerts and not any(isinstance(one.event, PlayRemoved) for one in game.record)


def test_a_hand_over_an_empty_table_is_no_play() -> None:
    """The table has only a card's back and a moving hand."""
    eyes = Eyes(SIDES, Finder(), Identifier(), CornerFinder())
    game = keeper()
    cloth = draw_background(np.random.default_rng(8), (1280, 720))
    matrix = camera_matrix((1280, 720), 150, 5, 0, 0)
    for k in range(25):
        frame = cloth.copy()
        paste(frame, drawn_card("back_BACK"), project(matrix, place_card((150, 90), 0.3)))
        draw_hand(np.random.default_rng(3), frame, (900 - 12 * k, 380), 0.1, 90)
        update = eyes.update(frame, k / 10, game.expectation())
        assert update.events == (), f"frame {k}: a back and a hand are no play"


@pytest.mark.parametrize(("laid_on", "booked"), [("SR", ["S7", "SR"]), ("S7", ["S7"])])
def test_a_card_laid_exactly_on_another_is_a_play(laid_on: str, booked: list[str]) -> None:
    """The finder sees one card all the time. A hand passes, and then another card is read, or the same."""
    eyes = Eyes(SIDES, Finder(), Identifier(), CornerFinder())
    game = keeper()
    matrix = camera_matrix((1280, 720), 150, 5, 0, 0)
    corners = project(matrix, place_card((40, 15), 1.4))
    played = []
    for k in range(60):
        frame = laid(("S7" if k < 30 else laid_on, corners)) if k >= 5 else laid()
        if 26 <= k < 34:
            tip = (640.0 - 60 * abs(k - 30), 360.0)
            draw_hand(np.random.default_rng(3), frame, tip, np.pi, 90)
        for event in eyes.update(frame, k / 10, game.expectation()).events:
            game.book(event, k / 10)
            played += [event.card] if isinstance(event, CardPlayed) else []
    assert played == booked


def test_a_table_at_rest_shows_what_a_photo_of_it_shows() -> None:
    """Also cards that are too small for one look at the whole frame."""
    cards = [play.card for play in SCRIPT]
    places = [place_card((200 + 170 * k, 150 + 80 * k), 0.4 * k, (18, 32)) for k in range(len(cards))]
    picture = laid(*zip(cards, places, strict=True))
    finder, identifier, close = Finder(), Identifier(), CornerFinder()
    eyes = Eyes(SIDES, finder, identifier, close)
    for k in range(10):
        eyes.update(picture, k / 10, None)
    watched = [seen.corners_px for seen in eyes.tracker.sightings if seen.face]
    told, once = (
        detected_cards(picture, by, identifier, close) for by in (MagnifyingFinder(finder, close), finder)
    )
    assert [card.side for card in told] == [FACE_SIDE] * len(watched) == [FACE_SIDE] * len(SCRIPT)
    assert all(any(overlap(card.corners_px, px) > 0.9 for px in watched) for card in told)
    assert sum(card.side == FACE_SIDE for card in once) < len(told)


class Hesitant(Identifier):
    """Reads cards right, but is never sure."""

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        return unsure(super().name(frame, corners_px))


def test_a_card_booked_as_it_leaves_has_its_picture() -> None:
    eyes = Eyes(SIDES, Finder(), Hesitant(), CornerFinder())
    game = keeper()
    matrix = camera_matrix((1280, 720), 150, 5, 0, 0)
    corners = project(matrix, place_card((70, 0), 1.6))
    shown = laid(("S7", corners))
    plays: list[tuple[CardPlayed, WatchUpdate]] = []
    for k in range(30):
        frame = shown if 5 <= k < 14 else laid()
        update = eyes.update(frame, k / 10, game.expectation())
        plays += [(event, update) for event in update.events if isinstance(event, CardPlayed)]
    ((play, update),) = plays
    assert play.card == "S7" and play.alternatives and not any(card.card for card in update.cards)
    seen = cv2.resize(update.gone_crops[update.played[play]], (32, 32), interpolation=cv2.INTER_AREA).astype(
        int
    )
    originals = [cv2.resize(rectify(shown, np.roll(corners, 2 * k, axis=0)), (32, 32), interpolation=cv2.INTER_AREA)
            for k in range(2)]  # fmt: skip
    assert min(np.abs(seen - picture).mean() for picture in originals) < 18


def test_recognised_cards_have_the_right_size(updates: list[WatchUpdate]) -> None:
    named = [card for update in updates for card in update.cards if card.card]
    assert {card.card for card in named} == {card for _, card in EXPECTED}
    heights = [np.linalg.norm(card.corners_px[3] - card.corners_px[0]) for card in named]
    assert 0.85 < np.median(heights) / 160 < 1.15


def test_missing_or_broken_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match=r"nowhere\.onnx.*missing"):
        Finder(tmp_path / "nowhere.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(VisionError, match=r"broken\.onnx"):
        Identifier(broken)


def test_the_weights_are_shipped_with_the_program() -> None:
    assert {path.relative_to(models_dir()).as_posix() for path in models_dir().rglob("*.onnx")} == {
        "finder.onnx", "corners.onnx", "identifier.onnx", "prints.onnx", "int8/finder.onnx", "int8/corners.onnx"
    }  # fmt: skip


def test_every_play_comes_with_the_sighting_it_was_seen_as_and_why(updates: list[WatchUpdate]) -> None:
    """Each play is a sighting of its own, which was taken for a new card, by that name, from that player."""
    booked = [(update, e) for update in updates for e in update.events if isinstance(e, CardPlayed)]
    numbers = [update.played[play] for update, play in booked]
    assert len(numbers) == len(set(numbers)) == len(booked)
    reasons = {
        j.sighting: j for update in updates for j in update.judged if j.explanation is Explanation.NEW_CARD
    }
    for (_, play), number in zip(booked, numbers, strict=True):
        reason = reasons[number]
        assert reason.likely.card == play.card and reason.read[0][0] == play.card


def test_what_each_sighting_was_taken_for_is_written(clip: tuple[Path, list[int]], tmp_path: Path) -> None:
    explain = tmp_path / "why.jsonl"
    seats = ",".join(f"{player}@{side}" for player, side in SIDES.items())
    words = ["watch", str(clip[0]), "--seats", seats, "--dealer", "Anna"]
    assert main([*words, "--out", str(tmp_path / "hand.json"), "--explain", str(explain)]) == 0
    lines = [json.loads(line) for line in explain.read_text(encoding="utf-8").splitlines()]
    new = [line for line in lines if line["explanation"] == "a new card"]
    likeliest = [max(line["with_the_game"], key=line["with_the_game"].get) for line in new]
    assert likeliest == [card for _, card in EXPECTED]
    assert all(line["players"].keys() == SIDES.keys() for line in new)
    times = [line["time_s"] for line in lines]
    assert times == sorted(times)


def test_explanations_that_cannot_be_written_are_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    words = ("watch", "film.mp4", "--seats", "Anna@S,Bo@E,Carl@W", "--explain", tmp_path)
    assert f"--explain {tmp_path}" in refused(*words)
