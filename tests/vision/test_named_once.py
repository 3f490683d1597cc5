"""A pack has each card once: what a photo's cards are called."""

import numpy as np
import pytest

from vision.watching.still import BACK_SIDE, FACE_SIDE, UNKNOWN_SIDE, DetectedCard, named_once

SURE_D5 = (("D5", 0.99), ("D6", 0.005), ("D7", 0.005))


def lying(*names: tuple[str, float], side: str = FACE_SIDE) -> DetectedCard:
    return DetectedCard(np.zeros((4, 2), np.float32), side, 0.9, names)


@pytest.mark.parametrize(
    ("card", "told"),
    [
        pytest.param(
            lying(("D5", 0.97), ("D6", 0.024), ("D7", 0.004)), {"D6": 0.8, "D7": 0.13}, id="the next name"
        ),
        pytest.param(lying(("D6", 0.6), ("D5", 0.4)), {"D6": 1.0}, id="surer than before"),
        pytest.param(lying(("S1", 0.6), ("C1", 0.4)), {"S1": 0.6, "C1": 0.4}, id="no name is taken"),
        pytest.param(
            lying(("S1", 0.4), ("C1", 0.3), ("D1", 0.2), ("H1", 0.1)),
            {"S1": 0.4, "C1": 0.3, "D1": 0.2},
            id="three names at most",
        ),
        pytest.param(lying(side=BACK_SIDE), {}, id="a back"),
    ],
)
def test_a_name_that_one_face_surely_has_is_no_other_s(card: DetectedCard, told: dict[str, float]) -> None:
    for place in (0, 1):
        named = named_once([card, lying(*SURE_D5)] if place == 0 else [lying(*SURE_D5), card])
        assert dict(named[place].names) == pytest.approx(told, abs=0.01)
        assert named[1 - place].names[0] == ("D5", 0.99)


def test_what_may_be_no_card_takes_no_name() -> None:
    named = named_once([lying(*SURE_D5, side=UNKNOWN_SIDE), lying(("D5", 0.7), ("D6", 0.3))])
    assert [card.names[0][0] for card in named] == ["D5", "D5"]
