"""Tables that were fitted to films and rendered tables: one that cannot be used is refused by the name of its file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from vision.errors import VisionError
from vision.reading.belief import belief_table
from vision.watching.places import place_table
from vision.watching.seats import seat_weights

MEASURE = '{"edges": [1], "logs": [0]}'


@pytest.mark.parametrize(
    ("read", "text"),
    [
        *((read, text) for read in (belief_table, place_table, seat_weights) for text in ("", "{}")),
        *((read, "[]") for read in (belief_table, seat_weights)),
        (belief_table, '{"face": {"prior": 1}, "back": {}}'),
        (belief_table, '{"face": 1, "back": 2}'),
        (place_table, '{"nearer": [0.5], "apart": [0.5], "logs": [[0]], "per_s": [[0]]}'),
        (seat_weights, f'{{"turned": {MEASURE}}}'),
        (seat_weights, f'{{"turned": {MEASURE}, "hand": {MEASURE}, "slid": {MEASURE}}}'),  # of another shape
    ],
)
def test_a_table_that_cannot_be_used_is_refused(
    read: Callable[[Path], object], text: str, tmp_path: Path
) -> None:
    path = tmp_path / "fitted.json"
    path.write_text(text)
    with pytest.raises(VisionError, match=r"fitted\.json"):
        read(path)
