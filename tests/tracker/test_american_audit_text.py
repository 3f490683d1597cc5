"""The audit of American Tarock in words: what a club pins up must tell what the score sheet on the table tells."""

from typing import Any

import pytest
from american_table import evening_of, game, plays

from tracker.american.audit_text import audit_text
from tracker.american.words import WORDS

# Each of these games is decided with its first trick: its declarer loses it, or in a Barach wins it.
BARCELONA = {
    "Anna": "Anna SC  Bo SR  Carl S9  Dora S10",
    "Bo": "Bo SC  Carl SR  Dora S9  Anna S10",
    "Carl": "Carl SC  Dora SR  Anna S9  Bo S10",
    "Dora": "Dora SC  Anna SR  Bo S9  Carl S10",
}


def barcelona(declarer: str) -> list[dict[str, Any]]:
    """A round that `declarer` loses: 250 points."""
    return [*game("solo_barcelona", declarer), *plays(BARCELONA[declarer])]


def told(*hands: list[dict[str, Any]], language: str = "en") -> list[str]:
    return audit_text(evening_of(*hands), language).split("\n")


@pytest.mark.parametrize(
    ("language", "held", "left", "over"),
    [
        (
            "en",
            "Carl has the Skeench and will be the last dealer.",
            "The last dealer is Carl, 1 hand after this.",
            "That was the last hand: Carl was the last dealer.",
        ),
        (
            "da",
            "Carl har skeenchen og bliver sidste kortgiver.",
            "Sidste kortgiver er Carl, 1 spil efter dette.",
            "Det var sidste spil: Carl var sidste kortgiver.",
        ),
    ],
)
def test_the_last_dealer_is_told_and_the_rounds_left(language: str, held: str, left: str, over: str) -> None:
    skeench = [{"skeench_a_tola": "Dora"}, *game("solo_barcelona"), *plays("Anna SR  Bo S7  Carl F  Dora S8")]
    lines = told(
        skeench, barcelona("Bo"), barcelona("Carl"), [*barcelona("Dora"), {"take_back": 1}], language=language
    )
    assert lines.count(held) == 1
    assert lines.index(held) < lines.index(left)
    # The fourth round is not finished: it is not over yet, and nothing is told of its end.
    assert over not in lines
    done = told(skeench, barcelona("Bo"), barcelona("Carl"), barcelona("Dora"), language=language)
    assert over in done and not any("Dora deals" in line for line in done[done.index(over) :])


@pytest.mark.parametrize(
    ("language", "zero", "round_"),
    [
        (
            "en",
            "Anna came to exactly zero: the next hand is a compulsory Klop.",
            "Compulsory Klop: bids begin at Solo No-Peek.",
        ),
        (
            "da",
            "Anna står på præcis nul: næste spil er tvungen klop.",
            "Tvungen klop: der bydes fra solo uden kig.",
        ),
    ],
)
def test_a_compulsory_klop_is_told_before_it_and_after_the_round_that_led_to_it(
    language: str, zero: str, round_: str
) -> None:
    back = [*barcelona("Bo"), {"adjust": {"player": "Anna", "points": 250}, "reason": "agreed"}]
    lines = told(barcelona("Anna"), back, barcelona("Carl"), language=language)
    assert lines.index(zero) < lines.index(round_)


def test_the_sheet_has_asterisks_the_game_of_each_round_and_what_a_misdeal_costs_next() -> None:
    twice = [{"redeal": "misdeal"}, {"redeal": "misdeal"}, *barcelona("Anna")]
    lines = told(twice, game("klop", None))
    score_sheet = lines[lines.index("Score sheet") :]
    assert score_sheet[1].split() == ["Anna", "Bo", "Carl", "Dora**"]
    assert score_sheet[2].split() == ["hand", "1", "-250", "0", "0", "-60", "Solo", "Barcelona:", "Anna"]
    assert score_sheet[3].split() == ["hand", "2", "-250", "0", "0", "-60", "Klop", "(not", "scored)"]
    assert "The next misdeal costs: Anna 20, Bo 20, Carl 20, Dora 60" in score_sheet
    assert not any("misdeal" in line for line in told(barcelona("Anna")))


def test_how_a_round_ended_and_what_each_score_is_for_is_told_in_words() -> None:
    lines = told([{"redeal": "misdeal"}, *barcelona("Anna")])
    assert "Anna loses Solo Barcelona." in lines
    assert any("-20  Dora  misdeal (a misdeal costs the dealer 20" in line for line in lines)
    assert any("-250  Anna  contract (the value of the contract" in line for line in lines)


def test_what_was_called_laid_face_up_and_raised_is_told() -> None:
    fourth = [*game("two", call="fourth", take=0), {"discard": ["T2"]}, {"announce": "Bo", "bonus": "kings"}]
    lines = told(fourth)
    assert "Anna plays Two, calls the fourth king." in lines
    assert "Taken from the Talon: tarock 4, ♠ 9; left: ♣ 7, ♦ jack, ♥ 2, tarock 12" in lines
    assert "Laid face up: tarock 2" in lines and "Bo announces Kings." in lines
    raised = told([*game("solo_two", take=0), {"raise": "colour_valat"}])
    assert "Anna plays Colour Valat, raised from Two Solo." in raised


def test_a_knight_is_a_cavalier_in_a_sentence_too() -> None:
    assert (
        WORDS.card_name("HC") == "the cavalier of hearts" and WORDS.card_label("HC") == "cavalier of hearts"
    )
    assert WORDS.card_name("HC", "da") == WORDS.card_label("HC", "da") == "hjerter caval"
