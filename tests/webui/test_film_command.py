"""`tarok film`: hands dealt by chance, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from drawn import drawn_deck
from webui_table import FOUR, NAMES, sides_of

from tracker.american.contracts import CONTRACTS
from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.events import SessionOpened
from tracker.french.contracts import CONTRACTS as FRENCH_CONTRACTS
from tracker.french.hand import FrenchHand
from vision.lab.bench.truth import load_recording
from vision.lab.rendering.between_hands import FilmedDeal
from vision.lab.rendering.film_table import FilmStyle, FilmTable
from vision.lab.rendering.footage import FilmedPlay, filmed_moments
from vision.lab.rendering.shown_cards import FilmedBunch, FilmedDiscard, FilmedRest, FilmedTalon
from vision.picture import overlap
from webui.bench.filming_american import american_script
from webui.bench.filming_french import french_script
from webui.cli import main
from webui.commands.film import dealt_hands
from webui.table.scorekeeper import said_in

SEATS = "Anna@S,Bo@E,Carl@W"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, from which the program is run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("seats", [NAMES[:3], FOUR])
def test_a_hand_dealt_by_chance_is_complete_and_breaks_no_rule(seats: tuple[str, ...]) -> None:
    hand = dealt_hands(7, seats).hands[0]
    assert hand.complete and len(hand.plays) == 75
    assert not [finding for finding in hand.findings if finding.rule != "DECLX"]
    assert dealt_hands(8, seats).hands[0].plays != hand.plays


def test_a_hand_of_1659_dealt_by_chance_is_complete_and_breaks_no_rule() -> None:
    rules = ("tarot-1659", (("cards", 15),))
    hand = dealt_hands(7, NAMES[:5], rules).hands[0]
    assert hand.complete and len(hand.plays) == 75
    assert {finding.kind for finding in hand.findings} <= {"fool_unpaid"}


@pytest.mark.parametrize(("players", "cards"), [(3, 72), (4, 72), (5, 75)])
@pytest.mark.parametrize("contract", FRENCH_CONTRACTS)
def test_a_deal_of_french_tarot_dealt_by_chance_breaks_no_rule(
    contract: str, players: int, cards: int
) -> None:
    hand = dealt_hands(7, NAMES[:players], ("french-tarot", ()), contract).hands[0]
    assert isinstance(hand, FrenchHand) and hand.contract is FRENCH_CONTRACTS[contract]
    assert hand.complete and len(hand.plays) == cards and not hand.findings


def test_dog_discard_handful_and_the_card_for_the_excuse_are_filmed_and_are_no_plays() -> None:
    """Hand 26: Anna turns up the dog, lays six cards, shows ten trumps, and gets a card for Dora's Excuse."""
    hand = dealt_hands(26, FOUR, ("french-tarot", ()), "garde").hands[0]
    script = french_script(hand, sides_of(FOUR))
    assert [step.card for step in script if isinstance(step, FilmedPlay)] == [p.card for p in hand.plays]
    shown = [step for step in script if not isinstance(step, FilmedPlay)]
    told = [f"{type(step).__name__} {len(step.cards)}" for step in shown]
    assert told == ["FilmedBunch 0", "FilmedTalon 6", "FilmedDiscard 0", "FilmedHandful 10", "FilmedGift 0"]
    assert script[4] == FilmedPlay("S", hand.plays[0].card), "she shows them just before she leads"
    assert [step.card for step in script if isinstance(step, FilmedPlay) and step.kept] == ["F"]


def test_a_dog_that_nobody_takes_is_put_aside_face_down() -> None:
    hand = dealt_hands(5, FOUR, ("french-tarot", ()), "garde_sans").hands[0]
    first, *others = french_script(hand, sides_of(FOUR))
    assert isinstance(first, FilmedBunch) and first.aside and first.count == 6
    assert not any(isinstance(step, FilmedTalon | FilmedDiscard) for step in others)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_round_of_american_tarock_dealt_by_chance_breaks_no_rule(contract: str) -> None:
    hand = dealt_hands(7, FOUR, ("american-tarock", ()), contract).hands[0]
    assert isinstance(hand, AmericanHand) and hand.contract is CONTRACTS[contract]
    assert hand.complete and not hand.findings


def test_all_that_is_laid_out_in_a_round_is_filmed_and_is_no_play() -> None:
    sides = sides_of(FOUR)

    def laid_out(contract: str) -> list[tuple[str, int]]:
        hand = dealt_hands(3, FOUR, ("american-tarock", ()), contract).hands[0]
        script = american_script(hand, sides)
        assert [step.card for step in script if isinstance(step, FilmedPlay)] == [p.card for p in hand.plays]
        shown = [step for step in script if not isinstance(step, FilmedPlay)]
        return [(type(step).__name__, len(step.cards)) for step in shown]

    assert laid_out("klop") == [("FilmedBunch", 0), *[("FilmedVitamin", 1)] * 6]
    assert laid_out("one")[:2] == [("FilmedBunch", 0), ("FilmedTalon", 6)]
    assert "FilmedRest" not in dict(laid_out("one"))
    assert laid_out("open_barach") == [("FilmedBunch", 0), ("FilmedOpenHand", 11)]


def test_the_rest_of_the_talon_is_thrown_onto_the_called_king_that_was_taken_from_it() -> None:
    hand = dealt_hands(703, FOUR, ("american-tarock", ()), "three").hands[0]
    script = american_script(hand, sides_of(FOUR))
    (at,) = [at for at, step in enumerate(script) if isinstance(step, FilmedRest)]
    king, rest = script[at - 1], script[at]
    assert isinstance(king, FilmedPlay) and king.card == hand.call.card and isinstance(rest, FilmedRest)
    assert hand.talon.cards is not None
    assert {*rest.rest, *PACK.names(hand.talon.taken)} == set(hand.talon.cards)
    assert rest.taken_by is None and king.taken_by is None, "it was led"


@pytest.mark.parametrize(
    ("contract", "left"), [("klop", 0), ("barach", 6), ("open_barach", 6), ("two", 0), ("solo_no_peek", 0)]
)
def test_a_talon_lies_face_down_until_it_is_used_and_no_card_is_played_onto_it(
    contract: str, left: int
) -> None:
    hand = dealt_hands(3, FOUR, ("american-tarock", ()), contract).hands[0]
    script = american_script(hand, sides_of(FOUR))
    style = FilmStyle(size=(160, 120), fps=1, card_height_px=12)
    table = FilmTable(drawn_deck(), style, 0, None, lambda _: None)
    counted = []
    for _ in filmed_moments(table, script, {}):
        down = [card.corners_mm for card in table.lying if card.down]
        plays = [card.corners_mm for card in table.lying if card.card in {play.card for play in hand.plays}]
        counted.append(len(down))
        assert all(overlap(talon, play) < 0.1 for talon in down for play in plays)
    assert counted[0] == 0 and max(counted) == 6 and counted[-1] == left


@pytest.mark.slow
def test_the_truth_of_a_film_has_what_was_said_and_what_was_laid_out(here: Path) -> None:
    seats = ("--rules", "american-tarock", "--contract", "two", "--seats", "Anna@S,Bo@E,Carl@N,Dora@W")
    small = ("--size", "640x480", "--fps", "3", "--tricks", "1", "--out", "film.avi", "--codec", "mjpeg")
    assert main(["film", "--hand", "3", *seats, *small]) == 0
    data = json.loads(Path("film.json").read_text())
    assert [next(iter(event)) for event in data["said"]] == ["contract", "call"]
    assert len(data["shown"][0]["cards"]) == 6 and len(data["plays"]) == 4
    (said,) = said_in(Path("film.json"), SessionOpened("american-tarock", (), FOUR))
    assert [event.to_json() for event in said] == data["said"], "tarok watch --said takes it as it is"


@pytest.mark.slow
def test_a_fool_that_is_surrendered_is_handed_across_at_the_end(here: Path) -> None:
    Path("short.toml").write_text('base = "tarot-1659"\ncards = 4\n', encoding="utf-8")
    seats = ("--rules", "short.toml", "--seats", "Anna@S,Bo@E,Carl@N,Dora@W,Erik@W")
    small = ("--size", "640x480", "--fps", "3", "--out", "film.avi", "--codec", "mjpeg")
    assert main(["film", "--hand", "412", *seats, *small]) == 0
    data = json.loads(Path("film.json").read_text())
    assert "shown" not in data and "F" in {play["card"] for play in data["plays"]}
    last_s = (data["frames"] - data["plays"][-1]["frame"]) / 3
    assert last_s > 5, "the fool is handed across after the last play"


@pytest.mark.slow
def test_a_table_of_six_is_filmed_with_the_card_that_is_given_for_the_fool(here: Path) -> None:
    Path("short.toml").write_text('base = "tarot-1659"\ncards = 3\n', encoding="utf-8")
    seats = ("--rules", "short.toml", "--seats", "Anna@S,Bo@E,Carl@N,Dora@N,Erik@W,Fie@W")
    small = ("--size", "640x480", "--fps", "3", "--tricks", "2", "--out", "film.avi", "--codec", "mjpeg")
    assert main(["film", "--hand", "48", *seats, *small]) == 0
    data = json.loads(Path("film.json").read_text())
    hand = dealt_hands(48, NAMES, ("tarot-1659", (("cards", 3),))).hands[0]
    filmed = [(play["play"], play["card"]) for play in data["plays"]]
    assert filmed == [(play.player, play.card) for play in hand.plays[:12]]
    assert [step["cards"] for step in data["shown"]] == [["T14"]] == [[hand.given]]
    assert dict(load_recording(Path("film.json")).options)["cards"] == 3


@pytest.mark.slow
def test_an_evening_is_filmed_hand_after_hand(here: Path) -> None:
    """Tricks are counted between the hands, and with --throw-in what is left is thrown in. Bo deals after Dora."""
    Path("short.toml").write_text('base = "tarot-1659"\ncards = 3\n', encoding="utf-8")
    seats = ("--rules", "short.toml", "--seats", "Anna@S,Bo@E,Carl@N,Dora@W")
    cut = ("--hands", "3", "--tricks", "2", "--throw-in", "--between", "2")
    small = ("--size", "640x480", "--fps", "2", "--out", "film.avi", "--codec", "mjpeg")
    assert main(["film", "--hand", "48", *seats, *cut, *small]) == 0
    hands = dealt_hands(48, FOUR, ("tarot-1659", (("cards", 3),)), hands=3).hands
    recording = load_recording(Path("film.json"))
    assert [(play.hand, play.player, play.card) for play in recording.plays] == [
        (hand.number, play.player, play.card) for hand in hands for play in hand.plays[:8]
    ]
    told = json.loads(Path("film.json").read_text())["hands"]
    assert told == [{"first": 8, "dealer": "Anna", "said": []}, {"first": 16, "dealer": "Bo", "said": []}]
    assert recording.plays[8].at_s - recording.plays[7].at_s > 20, "they count, gather, shuffle and deal"


def test_before_a_hand_the_cards_that_were_won_are_counted_and_those_left_are_thrown_in() -> None:
    deal = FilmedDeal("W", ("S", "E", "W"), {"S": ["C1", "C2"], "E": [], "W": ["H1"]}, {"E": ["T5", "T6"]})
    style = FilmStyle(size=(160, 120), fps=1, card_height_px=12)
    table = FilmTable(drawn_deck(), style, 0, None, lambda _: None)
    open_at = {
        (card.card, card.side)
        for _ in filmed_moments(table, [deal], {})
        for card in table.lying
        if card.side and not card.down
    }
    fallen = {(card, side) for card, side in open_at if side == "W" and card != "H1"}
    assert open_at - fallen == {("C1", "S"), ("C2", "S"), ("H1", "W"), ("T5", "E"), ("T6", "E")}


def test_a_talon_that_was_never_turned_up_is_gathered_face_down() -> None:
    style = FilmStyle(size=(160, 120), fps=1, card_height_px=12)
    table = FilmTable(drawn_deck(), style, 0, None, lambda _: None)
    script = [FilmedBunch("W", count=40), FilmedDeal("W", ("S", "E", "W"))]
    lay = {(c.card, c.down) for _ in filmed_moments(table, script, {}) for c in table.lying}
    assert {down for card, down in lay if card.startswith("talon ")} == {True}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--hand 1 --hands 0 --out a.mp4", "--hands 0: must be 1 to 50"),
        ("--hand 1 --between -1 --out a.mp4", "--between -1: must be 0 to 600 s"),
        ("--hand 1 --tilt 50 --out a.mp4", "--tilt 50: must be 0 to 35 degrees"),
        ("--out a.mp4", "either a session file or --hand"),
        ("no.json --hand 1 --out a.mp4", "either a session file or --hand"),
        ("--hand 1 --codec mjpeg --out a.mp4", "mjpeg video is written as .avi or .mkv"),
        ("--hand 1 --fps 0 --out a.mp4", "--fps 0: must be 1 to 60"),
        ("--hand 1 --fps -3 --out a.mp4", "--fps -3: must be 1 to 60"),
        ("--hand 1 --card-height -5 --out a.mp4", "--card-height -5: must be 20 to 360"),
        ("--hand 1 --card-height 0 --out a.mp4", "--card-height 0: must be 20 to 360"),
        ("--hand 1 --size 640x480 --card-height 5000 --out a.mp4", "--card-height 5000: must be 20 to 240"),
        ("--hand 1 --difficulty 7 --out a.mp4", "--difficulty 7: must be 0 to 1"),
        ("--hand 1 --difficulty nan --out a.mp4", "--difficulty nan: must be 0 to 1"),
        ("--hand 1 --pause -1 --out a.mp4", "--pause -1: must be 0 to 60"),
        ("--hand 1 --azimuth inf --out a.mp4", "--azimuth inf: must be -360 to 360"),
        ("--hand 1 --quality 99 --out a.mp4", "--quality 99: must be 18 to 35"),
        ("--hand 1 --quality 32 --codec mjpeg --out a.avi", "--quality 32: must be 2 to 31"),
        ("--hand 1 --seed -1 --out a.mp4", "--seed -1: must be 0 or more"),
        ("--hand 1 --out no/such/a.mp4", "--out no/such/a.mp4: no such folder"),
        ("--hand 1 --rules tarot-1660 --out a.mp4", "unknown rule set 'tarot-1660'"),
        ("--hand 1 --rules tarot-1659 --out a.mp4", "tarot-1659 is for 4 to 6 players, not 3"),
        ("--hand 1 --contract klop --out a.mp4", "--contract klop: pagat-2024 has no contracts"),
        (
            "--hand 1 --rules french-tarot --contract klop --out a.mp4",
            "--contract klop: french-tarot has prise, garde, garde_sans, garde_contre",
        ),
        ("--hand 1 --rules american-tarock --out a.mp4", "american-tarock is for 4 players, not 3"),
    ],
)
def test_what_cannot_be_filmed_is_refused_in_one_line(
    words: str, said: str, here: Path, refused: Callable[..., str]
) -> None:
    assert said in refused("film", *words.split(), "--seats", SEATS)
    assert list(here.iterdir()) == []


EVENING = {
    "format": "tarok-session/1",
    "rules": "dtf-2011",
    "seats": ["Anna", "Bo", "Carl"],
    "hands": [{"dealer": "Anna", "events": [{"play": "Bo", "card": "S7"}]}],
}


@pytest.mark.parametrize("arguments", [("evening.json",), ("--hand", "1")], ids=["its own", "any"])
def test_a_session_file_is_never_overwritten_by_the_truth_of_a_film(
    arguments: tuple[str, ...], here: Path, refused: Callable[..., str]
) -> None:
    Path("evening.json").write_text(json.dumps(EVENING))
    told = refused("film", *arguments, "--seats", SEATS, "--out", "evening.mp4")
    assert told == "tarok: --out evening.mp4: its truth would overwrite evening.json, which is something else"
    assert json.loads(Path("evening.json").read_text()) == EVENING
    assert not Path("evening.mp4").exists()


@pytest.mark.slow
def test_a_hand_is_filmed_again_over_its_own_truth(here: Path) -> None:
    Path("evening.json").write_text(json.dumps(EVENING))
    small = ("--size", "640x480", "--fps", "4", "--out", "film.avi", "--codec", "mjpeg")
    for _ in range(2):
        assert main(["film", "evening.json", "--seats", SEATS, *small]) == 0
    assert load_recording(Path("film.json")).plays[0].card == "S7"


def test_a_hand_whose_game_is_named_is_not_cut_short_before_another(
    here: Path, refused: Callable[..., str]
) -> None:
    told = refused(
        "film",
        "--hand",
        "1",
        "--hands",
        "2",
        "--tricks",
        "3",
        "--rules",
        "french-tarot",
        "--seats",
        SEATS,
        "--out",
        "a.mp4",
    )
    assert "--tricks: the next hand begins once people name its game" in told
    assert list(here.iterdir()) == []


def test_a_hand_that_a_file_lacks_is_not_filmed(here: Path, refused: Callable[..., str]) -> None:
    Path("evening.json").write_text(json.dumps(EVENING))
    told = refused("film", "evening.json", "--hands", "2", "--seats", SEATS, "--out", "film.mp4")
    assert told == "tarok: evening.json: hand 2 has no plays"
