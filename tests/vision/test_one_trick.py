"""A trick is decided as a whole: one misreading costs no more than its own card."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from plain_table import FIRST_PLAY, ORDER, Table, table_with

from tracker.events import PlayCorrected, TrickTaken
from vision.reading.corners import CloseLook
from vision.reading.identifier import NONE, NOT_A_CARD
from vision.watching.expectation import Expectation
from vision.watching.explanations import Explanation
from vision.watching.joint_readings import (
    UNSEEN,
    ReadPlay,
    TableThing,
    begins_after_unseen,
    is_from_each,
    joint_readings,
)

PILE = (-380, 40)
"""Where Carl's pile lies beside where he plays, in px: cut by the picture's edge."""


def after_a_trick() -> Table:
    """A table at which Anna has won the first trick, and leads."""
    table = table_with(("E", "H7"), ("W", "H2"), ("S", "HR"))
    table.sweep()
    return table


def lay_next_trick(table: Table, leads: str) -> None:
    """The player of the side `leads` leads D1; D2 and D3 follow."""
    table.lay(*zip("SEWSEW"["SEW".index(leads) :][:3], ("D1", "D2", "D3"), strict=True))
    table.wait(4)


def test_a_pile_read_as_a_card_gives_its_play_back_to_the_players_own_card() -> None:
    """The pile's back shows small cards. It is read, surely, a moment before the card that Carl plays."""
    table = table_with(("E", "S7"))
    pile = table.put("W", {"T14": 0.9987}, shift=PILE)
    table.wait(0.4)
    own = table.put("W", {"SR": 0.99})
    table.wait(1.5)
    table.lay(("S", "T3"))
    table.wait(1)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]
    assert table.taken_for[pile.number] is not Explanation.NEW_CARD
    assert table.taken_for[own.number] is Explanation.NEW_CARD


def test_the_card_that_a_pile_was_read_as_is_played_later_as_any_other() -> None:
    table = table_with(("E", "S7"))
    table.put("W", {"T14": 0.9987}, shift=PILE)
    table.wait(3)
    table.put("W", {"SR": 0.99})
    table.wait(1.5)
    table.lay(("S", "T3"))
    table.sweep()
    table.lay(("S", "H7"), ("E", "T14"), ("W", "H2"))
    table.wait(1)
    expected = [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3"), ("Anna", "H7"), ("Bo", "T14"), ("Carl", "H2")]
    assert table.book() == expected


def test_a_card_thrown_to_the_middle_is_whose_the_others_leave_it() -> None:
    """Nothing tells which player laid the first card. The two that follow are laid before Carl and Anna."""
    table = Table()
    first = table.put("S", {"S7": 0.99}, shift=(60, -95))
    table.wait(1)
    table.lay(("W", "SR"), ("S", "T3"))
    table.wait(1)
    assert table.taken_for[first.number] is Explanation.NEW_CARD
    assert table.book() == [("Bo", "S7"), ("Carl", "SR"), ("Anna", "T3")]


@pytest.mark.parametrize("shift", [(-60, -160), (-30, -120)])
def test_who_laid_a_card_is_told_by_the_rest_of_its_trick(shift: tuple[int, int]) -> None:
    """Bo throws his card far over the middle, to where Carl plays. Then Carl and Anna lay theirs before them."""
    table = after_a_trick()
    table.lay(("S", "S7"))
    table.put("W", {"SR": 0.99}, shift=(140, 0))
    table.wait(1)
    table.put("W", {"T3": 0.99}, shift=shift)
    table.wait(1.5)
    assert [player for player, _ in table.book()][3:] == ["Anna", "Bo", "Carl"]


@pytest.mark.parametrize(("after", "seconds"), [(1, 0.4), (1, 4), (2, 0.4), (2, 4)])
def test_a_pile_read_as_any_card_of_a_trick_costs_no_play(after: int, seconds: float) -> None:
    """It is read after so many cards, and lies so long before its player lays his own."""
    table = after_a_trick()
    plays = [("S", "S7"), ("E", "SR"), ("W", "T3")]
    table.lay(*plays[:after])
    side = plays[after][0]
    table.put(side, {"T14": 0.9987}, shift={"E": (380, 40), "W": (-380, 40)}[side])
    table.wait(seconds)
    table.lay(*plays[after:])
    table.wait(3)
    assert table.plays()[3:] == ["S7", "SR", "T3"]
    assert [player for player, _ in table.book()][3:] == ["Anna", "Bo", "Carl"]


@pytest.mark.parametrize("missed", [0, 1, 2])
@pytest.mark.parametrize("leads", ["S", "E", "W"])
def test_a_trick_of_which_one_card_was_never_found_costs_no_play_of_the_next(missed: int, leads: str) -> None:
    table = after_a_trick()
    plays = [("S", "S7"), ("E", "SR"), ("W", "T3")]
    seen = [play for play in plays if play is not plays[missed]]
    table.lay(*seen)
    table.sweep()
    lay_next_trick(table, leads)
    assert table.plays()[3:] == [*(card for _, card in seen), "D1", "D2", "D3"]
    assert [(len(trick.plays), trick.unseen) for trick in table.keeper.session.hand.tricks] == [
        (3, 0),
        (2, 1),
        (3, 0),
    ]


@pytest.mark.parametrize(
    ("found", "leads"),
    [(play, side) for play in (("S", "S7"), ("E", "SR")) for side in "SEW" if side != play[0]],
)
def test_a_trick_of_which_only_one_card_was_found_costs_no_play_of_the_next(
    found: tuple[str, str], leads: str
) -> None:
    """Another player sweeps it, so it was not taken back. That player leads next."""
    table = after_a_trick()
    table.lay(found)
    table.take(leads)
    table.wait(2)
    lay_next_trick(table, leads)
    hand = table.keeper.session.hand
    assert table.plays()[3:] == [found[1], "D1", "D2", "D3"]
    assert [(len(trick.plays), trick.unseen) for trick in hand.tricks] == [(3, 0), (1, 2), (3, 0)]
    assert [alert.kind for alert in hand.alerts] == ["trick_taken_early"], "people are asked for the others"


def test_a_lead_that_was_a_pile_gives_way_to_the_true_lead() -> None:
    table = after_a_trick()
    table.wait(3)
    table.put("S", {"T14": 0.9987}, shift=(-300, 150))
    table.wait(4)
    table.lay(("S", "S7"), ("E", "SR"), ("W", "T3"))
    table.wait(1)
    assert table.book()[3:] == [("Anna", "S7"), ("Bo", "SR"), ("Carl", "T3")]


def test_whose_card_it_was_as_a_person_said_is_not_read_otherwise() -> None:
    """The host gives the first card to Anna, though all that was seen speaks for Bo."""
    table = after_a_trick()
    table.lay(("E", "S7"))
    table.wait(3)
    table.enter(PlayCorrected(FIRST_PLAY + 4, player="Anna"))
    table.lay(("W", "SR"))
    table.put("E", {"T3": 0.99}, shift=(40, 30))
    table.wait(4)
    assert table.book()[3] == ("Anna", "S7")
    assert not any(isinstance(event, PlayCorrected) and event.player for event in table.events)


def things(*seen: tuple[float, dict[str, float], str]) -> list[TableThing]:
    """Things with the log-odds of a play, the players' probabilities and a name each."""
    return [
        TableThing(
            at, laid, {p: math.log(chance) for p, chance in players.items()}, {card: 0.0, "": math.log(0.01)}
        )
        for at, (laid, players, card) in enumerate(seen, start=1)
    ]


ANNA, BO, CARL = ({p: 0.98 if p == who else 0.01 for p in ORDER} for who in ("Anna", "Bo", "Carl"))
NOBODY = dict.fromkeys(ORDER, 1 / 3)


@pytest.mark.parametrize(
    ("seen", "players"),
    [
        pytest.param([(5, BO, "S7"), (5, CARL, "SR"), (5, ANNA, "T3")], "Bo Carl Anna", id="in turn"),
        pytest.param([(5, BO, "S7"), (5, ANNA, "T3")], "Bo Anna", id="out of turn, and clearly"),
        pytest.param([(5, NOBODY, "S7"), (5, CARL, "SR"), (5, ANNA, "T3")], "Bo Carl Anna", id="by the rest"),
        pytest.param([(5, BO, "S7"), (1, CARL, "T14"), (5, CARL, "SR")], "Bo - Carl", id="no second card"),
        pytest.param([(5, BO, "S7"), (5, CARL, "S7")], "Bo Carl", id="a name twice, and two cards for sure"),
        pytest.param([(5, BO, "S7"), (1, CARL, "S7")], "Bo -", id="a name twice, and perhaps no card"),
        pytest.param([(-1, BO, "S7")], "-", id="hardly a card"),
        pytest.param(
            [(5, BO, "S7"), (5, CARL, "SR"), (5, ANNA, "T3"), (5, ANNA, "H7")], "Bo Carl Anna Anna", id="next lead"
        ),
    ],
)  # fmt: skip
def test_the_likeliest_reading_weighs_all_things_together(
    seen: list[tuple[float, dict[str, float], str]], players: str
) -> None:
    def due(plays: Sequence[tuple[str, str]]) -> str | None:
        in_trick = [player for player, _ in plays[len(plays) // 3 * 3 :]]
        return next(player for player in ORDER if player not in in_trick)

    best = joint_readings(things(*seen), ORDER, due, (None, 1.0), frozenset())
    plays = [best[0].of(number) for number in range(1, len(seen) + 1)]
    assert " ".join(play.player if play else "-" for play in plays) == players
    assert best == sorted(best, key=lambda reading: -reading.weight)


@pytest.mark.parametrize(("next_lead", "players"), [("", "Anna Carl Bo"), ("Bo", "Bo Carl Anna Bo")])
def test_who_leads_next_tells_who_won(next_lead: str, players: str) -> None:
    """SR lies where Anna plays, and S2 tells nothing. Bo was to lead: he did, as he leads to the next trick, too."""
    anna_likelier = {"Anna": 0.9994, "Bo": 0.0005, "Carl": 0.0001}
    seen = [(5.0, anna_likelier, "SR"), (5.0, CARL, "S7"), (5.0, NOBODY, "S2")]
    if next_lead:
        seen.append((5.0, BO, "H7"))

    def due(plays: Sequence[tuple[str, str]]) -> str | None:
        whole = len(plays) // 3 * 3
        leader = next((player for player, card in plays[:whole] if card == "SR"), "Bo")
        return Expectation(ORDER, (), (), frozenset()).due(leader, [player for player, _ in plays[whole:]])

    *first, last = things(*seen)
    swept = replace(last, sweeps=int(len(seen) > 3))
    best = joint_readings([*first, swept], ORDER, due, (None, 1.0), frozenset())
    assert " ".join(play.player for play in best[0].plays) == players


PLAYED_WITHOUT = [
    pytest.param([(BO, "SR"), (CARL, "T3")], "Anna(-) Bo Carl", id="the lead"),
    pytest.param([(ANNA, "S7"), (CARL, "T3")], "Anna Bo(-) Carl", id="the middle card"),
    pytest.param([(ANNA, "S7"), (BO, "SR")], "Anna Bo Carl(-)", id="the last card"),
]


@pytest.mark.parametrize(("seen", "players"), PLAYED_WITHOUT)
@pytest.mark.parametrize("leads", ["Anna", "Bo", "Carl"])
def test_a_card_that_was_never_seen_costs_no_other(
    seen: list[tuple[dict[str, float], str]], players: str, leads: str
) -> None:
    """The trick is swept, and one of them leads to the next, of which all is seen."""
    at, evidence = ORDER.index(leads), {"Anna": ANNA, "Bo": BO, "Carl": CARL}
    order = (*ORDER[at:], *ORDER[:at])
    next_trick = [(evidence[player], card) for player, card in zip(order, ("H1", "H2", "H3"), strict=True)]
    both = things(*((5.0, *one) for one in (*seen, *next_trick)))
    both[2:] = [replace(thing, sweeps=1) for thing in both[2:]]
    due = Expectation(ORDER, (), (), frozenset(), leader="Anna").due_after
    best = joint_readings(both, ORDER, due, (None, 1.0), frozenset())[0]
    told = [play.player + ("(-)" if play.number == UNSEEN else "") for play in best.plays]
    assert " ".join(told) == " ".join((players, *order))
    assert begins_after_unseen(best, 3, ORDER) and not begins_after_unseen(best, 4, ORDER)


def test_a_card_that_is_played_after_a_pile_was_read_as_it_has_its_own_name() -> None:
    """Carl's own card was never seen: the pile is taken for it. Anna, who won, leads; and Bo plays the true T14."""
    table = after_a_trick()
    table.lay(("S", "SR"), ("E", "S7"))
    table.put("W", {"T14": 0.9987}, shift=PILE)
    table.wait(4)
    table.sweep()
    table.wait(1)
    table.lay(("S", "DR"))
    table.wait(3)
    table.put("E", {"T14": 0.9999})
    table.wait(5)
    hand = table.keeper.session.hand
    named = [(play.player, play.card, bool(play.alternatives)) for play in hand.plays[5:]]
    assert named[0][0] == "Carl" and named[0][2], "what the pile was taken for is asked about"
    assert named[1:] == [("Anna", "DR", False), ("Bo", "T14", False)]


def test_a_card_is_played_though_a_pile_that_was_taken_for_it_still_lies_there() -> None:
    """The pile was booked as Carl's, whose own card was never seen. It stays, and Bo plays the true T14."""
    table = after_a_trick()
    table.lay(("S", "SR"), ("E", "S7"))
    pile = table.put("W", {"T14": 0.9987}, shift=PILE)
    table.wait(4)
    table.lying = [pile]
    table.wait(2)
    table.lay(("S", "DR"))
    table.wait(3)
    table.put("E", {"T14": 0.9999})
    table.wait(5)
    table.lay(("W", "D2"))
    assert table.book()[-3:] == [("Anna", "DR"), ("Bo", "T14"), ("Carl", "D2")]


def test_a_play_that_may_be_none_is_asked_about_until_the_rest_of_its_trick_tells() -> None:
    """Nothing rests on the pile that was read as Carl's card; when his own card comes nothing is asked any more."""
    table = table_with(("E", "S7"))
    table.put("W", {"T14": 0.93}, shift=PILE)
    table.wait(4)
    hand = table.keeper.session.hand
    assert [bool(play.alternatives) for play in hand.plays] == [False, True]
    table.put("W", {"SR": 0.99})
    table.wait(4)
    hand = table.keeper.session.hand
    assert [(play.player, play.card, play.alternatives) for play in hand.plays] == [
        ("Bo", "S7", ()), ("Carl", "SR", ())
    ]  # fmt: skip


def test_a_pile_and_a_card_that_leave_together_before_they_were_named_do_not_stop_the_watch() -> None:
    """The pile is booked as Carl's, and the same moment tells that his card is the other one."""
    table = table_with(("E", "S7"))
    table.put("W", {"T14": 0.6, "T9": 0.3}, shift=PILE)
    table.wait(0.3)
    table.put("W", {"SR": 0.6, "SD": 0.3})
    table.wait(0.6)
    table.sweep()
    table.wait(1)
    assert table.book() == [("Bo", "S7"), ("Carl", "SR")]


def test_a_card_that_is_read_only_as_it_leaves_belongs_to_the_trick_that_it_leaves_with() -> None:
    """A hand has moved it a moment before it lifts the trick, so it came to rest last when the others had gone."""
    table = table_with(("E", "S7"), ("W", "SR"))
    late = table.put("S", {"T3": 0.7, "T2": 0.2})
    table.wait(0.2)
    table.lying.remove(late)
    (taken,) = table.sweep()
    assert isinstance(taken, TrickTaken) and taken.time_s is not None
    late.landed_s = late.seen_s = taken.time_s + 0.1
    late.lay_s = 0.5
    table.gone.append(late)
    table.wait(1)
    table.lay(("W", "H2"))
    table.wait(4)
    tricks = table.keeper.session.hand.tricks
    assert [[play.card for play in trick.plays] for trick in tricks] == [["S7", "SR", "T3"], ["H2"]]


def test_a_thing_that_reads_as_no_card_is_no_play_when_it_leaves() -> None:
    """The finder and the close look take the back of a pile for a face: small cards are printed on it."""
    table = table_with(("E", "S7"))
    pile = table.put("W", {NOT_A_CARD: 0.98})
    pile.close = CloseLook(
        pile.corners_px, np.full(4, 0.005, np.float32), np.array([0.993, 0.004, 0.003], np.float32)
    )
    table.wait(1)
    assert pile.face and pile.probabilities()[NONE] > 0.99
    table.miss()
    pile.lay_s = 1.0
    table.gone.append(pile)
    table.wait(2)
    assert table.plays() == ["S7"]


@pytest.mark.parametrize(
    ("players", "begins"),
    [
        ("Bo Carl Anna", True),
        ("Bo Carl", True),
        ("Bo Carl Anna Anna Bo", True),
        ("Bo Anna Anna", False),
        ("", True),
    ],
)
def test_a_hand_begins_with_a_card_of_each_player(players: str, begins: bool) -> None:
    """Of two tricks that are counted, two cards may lie before one player: no hand begins so."""
    plays = tuple(ReadPlay(at, player, f"C{at}") for at, player in enumerate(players.split(), start=1))
    assert is_from_each(plays, 3) is begins
