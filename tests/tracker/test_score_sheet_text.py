"""Lines of a score sheet in words, as the table's list of payments tells them."""

import pytest

from tracker.french.words import WORDS
from tracker.ledger import SCORE_SHEET, Payment, payments_alike


def lines(players: list[str], *, won: bool, **more: object) -> list[Payment]:
    return [
        Payment("FT-SCORE-2", "game", *((SCORE_SHEET, name) if won else (name, SCORE_SHEET)), 50, 2, **more)  # type: ignore[arg-type]
        for name in players
    ]


def test_who_loses_alike_stands_in_one_line_whoever_sits_between() -> None:
    told = lines(["Anna"], won=False) + lines(["Bo"], won=True) + lines(["Carl"], won=False)
    assert [WORDS.payments_text(group) for group in payments_alike(told)] == [
        "Anna and Carl lose: hand",
        "Bo scores: hand",
    ]


@pytest.mark.parametrize(
    ("payments", "said"),
    [
        (lines(["Anna"], won=True), "Anna scores: hand"),
        (lines(["Anna"], won=False), "Anna loses: hand"),
        (lines(["Bo", "Carl"], won=True), "Bo and Carl score: hand"),
        (lines(["Bo", "Carl"], won=False), "Bo and Carl lose: hand"),
        (lines(["Anna"], won=False, note="talked"), "Anna loses: hand (talked)"),
        (lines(["Anna"], won=False, fined_in=1), "Anna loses: hand (for hand 1)"),
    ],
)
def test_who_scores_or_loses_and_what_for(payments: list[Payment], said: str) -> None:
    assert WORDS.payments_text(payments) == said
