"""What can be known at a point of a hand, and the questions asked about it."""

import random

import pytest
from french_table import deal_of, played_out
from tracker_live import live, plays

from tracker.danish.combination import Combination
from tracker.danish.events import Declared
from tracker.danish.game import DANISH
from tracker.danish.study import study
from tracker.drills import QUESTION_KINDS, DrillQuestion, points, question
from tracker.events import PlayCorrected
from tracker.french.study import study as french_study
from tracker.study import Void, hand_after
from webui.bench.rules import random_hand


def test_trumps_are_counted_to_22_with_the_fool() -> None:
    seen = study(live(*plays("Anna T7 Bo T3 Carl F")).hand)
    assert len(seen.trumps) == 22
    assert len(seen.trumps_out) == 19 and "F" not in seen.trumps_out and "T1" in seen.trumps_out


def test_a_void_is_known_by_the_card_that_was_played_instead() -> None:
    seen = study(live(*plays("Anna S7 Bo T3 Carl D4")).hand)
    assert seen.voids == (Void("Bo", "S", "T3", 1), Void("Carl", "S", "D4", 1), Void("Carl", "T", "D4", 1))
    assert seen.left == {"Anna": 24, "Bo": 24, "Carl": 24}
    assert sum(seen.chances["S8"].values()) == 1 and seen.chances["S8"]["Bo"] == 0


def test_a_void_that_a_revoke_proved_false_is_none() -> None:
    tricks = plays("Anna S7 Bo T3 Carl S9  Bo T4 Carl T5 Anna T6  Anna T8 Bo S2 Carl T9")
    seen = study(live(*tricks).hand)
    assert not [void for void in seen.voids if void.player == "Bo" and void.suit == "S"]


def test_a_void_that_follows_from_a_count_has_no_card() -> None:
    """Anna declared twelve trumps, and has twelve cards left: nobody saw her discard, and she holds nothing else."""
    cards = [f"{suit}{rank}" for suit in "SHD" for rank in (*range(2, 11), *"VCD")]
    cards = [*sorted(cards, key=lambda card: card[0]), "C2", "C3", "C4"]
    tricks = " ".join(map(" ".join, zip(("Anna", "Bo", "Carl") * 13, cards, strict=True)))
    made = Declared("Anna", (Combination("trumps", count=12, pagat=False),))
    seen = study(live(made, *plays(tricks)).hand)
    assert Void("Anna", "C") in seen.voids
    assert Void("Anna", "T") not in seen.voids


def test_nothing_is_said_of_who_played_his_last_card_and_all_of_those_after_him() -> None:
    trumps = " ".join(f"T{number}" for number in range(21, 5, -1))
    held = {"Anna": f"{trumps} SR C4", "Dora": "T5 T4 T3 T2"}
    *tricks, last = played_out(held, "T1 S1 S2 S3 S4 S5").split("\n")
    hand = deal_of("\n".join([*tricks, last.split("  ")[0]]))
    assert hand.plays[-1].player == "Anna"
    voids = {(void.player, void.suit) for void in french_study(hand).voids}
    assert voids == {(player, suit) for player in ("Bo", "Carl", "Dora") for suit in "ST"}


def test_a_hand_after_some_plays_is_as_it_was_then() -> None:
    plays = random_hand(random.Random(4))
    session = live(*plays)
    for count in (0, 1, 30, 74, 75):
        then = hand_after(session, session.hand, count)
        fresh = live(*plays[: 3 + count]).hand
        assert [play.card for play in then.plays] == [play.card for play in fresh.plays]
        assert then.to_play == fresh.to_play and then.declared == fresh.declared
        assert then.knowledge.unseen == fresh.knowledge.unseen and then.findings == fresh.findings
    assert len(session.hand.plays) == 75 and session.hand.complete


def test_a_hand_after_some_plays_has_the_corrections_made_since() -> None:
    session = live(*plays("Anna S7 Bo T3 Carl S9"))
    seq = session.hand.plays[1].seq
    session.apply(PlayCorrected(seq, "S4"))
    assert hand_after(session, session.hand, 2).plays[1].card == "S4"


def test_at_a_table_of_four_the_same_three_play() -> None:
    session = live(*plays("Bo S7"), seats=("Anna", "Bo", "Carl", "Dora"), dealer="Anna")
    assert hand_after(session, session.hand, 1).active == session.hand.active


@pytest.mark.parametrize("seed", range(3))
def test_each_question_can_be_answered_from_what_could_be_known(seed: int) -> None:
    session = live(*random_hand(random.Random(seed)))
    hand = session.hand
    assert DANISH.study is not None
    asked = [question(session, hand, DANISH.study, seed, number) for number in range(len(points(hand, seed)))]
    assert len(asked) == 10 and {one.kind for one in asked} == set(QUESTION_KINDS)
    assert [one.after for one in asked] == sorted({one.after for one in asked})
    for one in asked:
        seen = {play.card for play in hand.plays[: one.after]}
        assert one.is_right(one.right) and not one.is_right(frozenset({"nobody"}))
        if one.kind == "trumps":
            assert one.right == {str(22 - len(seen & one.study.trumps))}
        if one.kind == "holds":
            assert one.card not in seen
            share = {one.study.chances[one.card][holder] for holder in one.right}
            assert share == {max(one.study.chances[one.card].values())}
        if one.kind == "void":
            later = {play.player for play in hand.plays[one.after :] if play.card[0] == one.suit}
            assert not later & one.right
    again = question(session, hand, DANISH.study, seed, 3)
    assert again == asked[3]


def test_of_several_that_are_right_one_is_enough_and_two_are_no_answer() -> None:
    seen = study(live().hand)
    one = DrillQuestion(
        "holds", 6, frozenset({"Anna", "Bo"}), seen, ("Anna", "Bo", "Carl", "skat"), card="SR"
    )
    assert one.is_right(frozenset({"Bo"})) and not one.is_right(frozenset({"Carl"}))
    void = DrillQuestion("void", 6, frozenset({"Anna", "Bo"}), seen, ("Anna", "Bo", "Carl"), suit="S")
    assert not void.is_right(frozenset({"Bo"})) and not void.is_right(frozenset())


def test_a_short_hand_has_no_questions() -> None:
    assert points(live(*plays("Anna S7 Bo T3 Carl S9")).hand, 1) == []
