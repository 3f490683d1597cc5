"""A club's choices for a tournament: how tables are compared, and what a rest, an absence and a substitute count."""

from dataclasses import dataclass, fields
from typing import Final, Literal, get_args, get_type_hints

from tracker.catalogue import msgid

Compared = Literal["hands", "chips", "points"]
"""What ranks: chips per active hand, chips, or table points."""


@dataclass(frozen=True)
class TournamentRules:
    """The choices of one tournament, which are stored with it.

    - `compare`: what ranks the players.
    - `rest`, `away`: what a round counts for a player who rests by the draw, or who misses it.
    - `substitute`: for whom a substitute scores.
    - `left`: where players stand who have left.
    - `draw`: who meets.
    """

    compare: Compared = "hands"
    rest: Literal["average", "nothing"] = "average"
    away: Literal["nothing", "average"] = "nothing"
    substitute: Literal["himself", "absent"] = "himself"
    left: Literal["apart", "ranked"] = "apart"
    draw: Literal["random", "standing"] = "random"


CHOICES: Final[dict[str, dict[str, str]]] = {
    "compare": {
        "hands": msgid(
            "By chips per active hand: each round counts the chips divided by the hands played in."
        ),
        "chips": msgid("By chips, however many hands were played and however many sat at the table."),
        "points": msgid(
            "By table points: the best at a table gets 3, the last 0, those between by their places."
        ),
    },
    "rest": {
        "average": msgid("A player drawn to rest scores the average of his other rounds."),
        "nothing": msgid("A player drawn to rest scores nothing in that round."),
    },
    "away": {
        "nothing": msgid("A player who misses a round scores nothing in it."),
        "average": msgid("A player who misses a round scores the average of his other rounds."),
    },
    "substitute": {
        "himself": msgid("A substitute scores for himself."),
        "absent": msgid("A substitute scores for the one whose place he takes."),
    },
    "left": {
        "apart": msgid("A player who has left is listed apart, without a place."),
        "ranked": msgid("A player who has left keeps his place among the others."),
    },
    "draw": {
        "random": msgid("All rounds are drawn at random; as few as possible meet twice."),
        "standing": msgid(
            "Each round is drawn when the one before is over: players of similar standing meet, and as few as possible "
            "meet twice."
        ),
    },
}
"""Each choice in words, by field and value. The first value of a field is the usual one."""
ABOUT: Final[dict[str, str]] = {
    "compare": msgid("What ranks the players"),
    "rest": msgid("A player drawn to rest"),
    "away": msgid("A missed round"),
    "substitute": msgid("A substitute"),
    "left": msgid("A player who has left"),
    "draw": msgid("Who meets"),
}
"""What each choice is about, by field."""
TIE_BREAKS: Final[dict[Compared, str]] = {
    "hands": msgid(
        "Table points decide between equal players, then chips. Those still equal share the place."
    ),
    "chips": msgid("Table points decide between equal players. Those still equal share the place."),
    "points": msgid(
        "Chips per active hand decide between equal players, then chips. Those still equal share the place."
    ),
}
"""What decides between equals, in words."""

assert {field.name: tuple(CHOICES[field.name]) for field in fields(TournamentRules)} == {
    name: get_args(kind) for name, kind in get_type_hints(TournamentRules).items()
}
