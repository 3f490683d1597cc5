"""The rules of French Tarot one by one, each shown by a deal."""

import pytest
from french_table import NAMES, deal_of, evening_of, played_out, read_session_text, scores
from tracker_again import folded
from tracker_live import found

from tracker.errors import TarokError
from tracker.french.contracts import CONTRACTS, DEALS, handful_points
from tracker.french.hand import FrenchHand
from tracker.french.pack import BOUTS, EXCUSE, PACK
from tracker.french.scoring import (
    ExcuseOutcome,
    Happened,
    compared,
    count,
    deal_lines,
    game_line,
    handful_line,
    petit_line,
    shares,
    slam_lines,
)
from tracker.french.session import FrenchSession
from tracker.reader import SessionFileError
from tracker.results import result_of

rule = pytest.mark.rule


def run(suit: str, first: int, last: int) -> str:
    """The cards of a suit from one number to another, up or down."""
    step = 1 if last >= first else -1
    return " ".join(f"{suit}{number}" for number in range(first, last + step, step))


LOW_17 = f"{run('S', 1, 10)} {run('H', 1, 7)}"
"""Seventeen cards that win nothing against trumps."""
DOG = "S6 S5 SV H9 C8 D10"


def whole(first: dict[str, str], aside: str, before: str, players: int = 4) -> FrenchHand:
    """A deal in which each plays the cards of `first`, then whatever is left; `before` stands before the play."""
    dealer = NAMES[players - 1]
    return deal_of(f"{before}\n{played_out(first, aside, players=players)}", dealer=dealer, players=players)


def state_of_excuse(hand: FrenchHand) -> tuple[str, str | None]:
    """What became of the Excuse, and which side counts it."""
    return hand.excuse.state, hand.excuse.to


def points_of(hand: FrenchHand) -> float:
    """The points of the taker's side."""
    return hand.outcome.counted.halves["taker"] / 2


# -- cards ---------------------------------------------------------------------------------------------------


@rule("FT-CARD-1")
def test_all_four_suits_rank_alike_and_the_excuse_is_no_trump() -> None:
    ranks = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R"]
    for suit in "SHDC":
        assert PACK.names(PACK.suit_mask[suit]) == [suit + rank for rank in ranks]
    assert PACK.names(PACK.trump_mask) == [f"T{number}" for number in range(1, 22)]
    assert EXCUSE not in PACK.names(PACK.trump_mask)


@rule("FT-CARD-2")
def test_there_are_three_bouts() -> None:
    assert BOUTS == ("T21", "T1", "F")


@rule("FT-CARD-3")
@pytest.mark.parametrize(
    ("cards", "halves"),
    [("T21", 9), ("T1", 9), ("F", 9), ("SR", 9), ("HD", 7), ("DC", 5), ("CV", 3), ("C10", 1), ("T20", 1)],
)
def test_what_each_card_is_worth_in_halves(cards: str, halves: int) -> None:
    assert PACK.value(PACK.mask(cards.split())) == halves
    assert PACK.value(PACK.all_cards) == 2 * 91


# -- table and deal ------------------------------------------------------------------------------------------


@rule("FT-TABLE-1")
def test_bids_and_play_go_round_from_the_dealers_right() -> None:
    hand = deal_of("bid Carl pass\nbid Dora garde\nbid Anna pass\nbid Bo pass", dealer="Bo")
    assert hand.active == ("Carl", "Dora", "Anna", "Bo") and hand.taker == "Dora"


@rule("FT-TABLE-2")
def test_with_mort_the_dealer_sits_out_and_deals_until_somebody_takes() -> None:
    passed = "\n".join(f"bid {name} pass" for name in NAMES[:4])
    evening = evening_of(passed, "contract garde Bo", "", dealer="Erik", players=5, mort=True)
    assert [hand.dealer for hand in evening.hands] == ["Erik", "Erik", "Anna"]
    assert evening.hands[0].sits_out == ("Erik",) and evening.hands[0].active == tuple(NAMES[:4])


@rule("FT-TABLE-3")
def test_between_two_deals_one_may_join_or_leave_while_three_to_five_stay() -> None:
    told = "seats Anna Bo Carl Dora\ndeal Dora\nrenonce Carl 30 talk\nleave Carl\njoin Gro after Anna\ndeal\n"
    evening = loads_text(told + "join Carl after Bo\ndeal")
    # Dora dealt last and Anna is next; who comes back has his old total, who is new none.
    assert [hand.dealer for hand in evening.hands] == ["Dora", "Anna", "Gro"]
    assert evening.balances == {"Anna": 0, "Bo": 0, "Carl": -30, "Dora": 0, "Gro": 0}
    with pytest.raises(TarokError, match="3 or more must stay"):
        loads_text("seats Anna Bo Carl\ndeal Anna\nleave Bo")


def loads_text(text: str) -> FrenchSession:
    """A whole session written as text. Raises SessionFileError."""
    return folded(read_session_text(text))


@rule("FT-DEAL-1")
def test_the_first_dealer_is_named_in_the_file() -> None:
    assert evening_of("", dealer="Carl").hands[0].dealer == "Carl"


@rule("FT-DEAL-2")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_hands_and_dog_are_the_whole_pack(players: int) -> None:
    assert players * DEALS[players].cards + DEALS[players].dog == 78


@rule("FT-DEAL-3")
def test_the_deal_passes_on_also_where_it_is_void_but_not_where_the_table_annulled_it() -> None:
    passed = "\n".join(f"bid {name} pass" for name in ["Anna", "Bo", "Carl", "Dora"])
    evening = evening_of(passed, "redeal petit_sec Carl", "contract garde Anna\nannul cards seen", "", "")
    assert [hand.dealer for hand in evening.hands] == ["Dora", "Anna", "Bo", "Bo", "Carl"]


@rule("FT-DEAL-4")
def test_who_caused_a_misdeal_may_not_bid_this_time() -> None:
    hand = deal_of("redeal misdeal Anna\nredeal misdeal")
    assert hand.dealer == "Dora" and hand.barred == {"Anna", "Dora"} and hand.bidding.allowed() == ["pass"]
    with pytest.raises(SessionFileError, match="may not bid this time"):
        deal_of("redeal misdeal Anna\nbid Anna prise")
    with pytest.raises(SessionFileError, match="may not bid this time"):
        deal_of("redeal misdeal\ncontract garde Dora")


@rule("FT-DEAL-5")
def test_the_petit_alone_makes_the_deal_void_until_the_first_card() -> None:
    assert deal_of("redeal petit_sec Bo").void == "petit_sec"
    with pytest.raises(SessionFileError, match="once a card is played"):
        deal_of("contract garde Anna\nAnna S1\nredeal petit_sec Bo")


@rule("FT-DEAL-5")
def test_a_petit_alone_that_was_kept_quiet_is_found_at_the_end() -> None:
    plain = "T1 " + " ".join([run("S", 1, 10), run("H", 1, 7)])
    hand = whole({"Bo": plain}, "F T2 T3 T4 T5 T6", "contract garde_sans Anna")
    assert ("petit_sec", "Bo", "T1", None, 72) in found(hand)


# -- bids ----------------------------------------------------------------------------------------------------


@rule("FT-BID-1")
def test_the_highest_bidder_is_the_taker() -> None:
    hand = deal_of("bid Anna prise\nbid Bo pass\nbid Carl garde_sans\nbid Dora pass")
    assert (hand.taker, hand.contract) == ("Carl", CONTRACTS["garde_sans"])


@rule("FT-BID-1")
@pytest.mark.parametrize(
    ("bids", "complaint"),
    [
        ("bid Bo prise", "it is Anna's turn"),
        ("bid Anna garde\nbid Bo prise", "too low"),
        ("bid Anna garde\nbid Bo garde", "too low"),
        ("bid Anna garde\nbid Bo pass\nbid Carl pass\nbid Dora pass\nbid Anna garde_sans", "is over"),
    ],
)
def test_each_speaks_once_in_turn_and_higher(bids: str, complaint: str) -> None:
    with pytest.raises(SessionFileError, match=complaint):
        deal_of(bids)


@rule("FT-BID-2")
def test_where_all_pass_the_deal_is_void() -> None:
    hand = deal_of("bid Anna pass\nbid Bo pass\nbid Carl pass\nbid Dora pass")
    assert hand.void == "passed" and not hand.complete and not hand.scores


@rule("FT-BID-3")
def test_contract_and_taker_are_entered_where_no_bids_were() -> None:
    assert deal_of("contract garde_contre Carl").taker == "Carl"
    with pytest.raises(SessionFileError, match="needs a taker"):
        deal_of("contract garde")
    with pytest.raises(SessionFileError, match="not what the bids led to"):
        deal_of("bid Anna garde\nbid Bo pass\nbid Carl pass\nbid Dora pass\ncontract prise Anna")


# -- dog and discard -----------------------------------------------------------------------------------------


@rule("FT-DOG-1")
def test_the_dog_is_turned_up_in_prise_and_garde_alone() -> None:
    assert PACK.names(deal_of(f"dog {DOG}").dog.turned or 0) == PACK.names(PACK.mask(DOG.split()))
    with pytest.raises(SessionFileError, match="not turned up in this contract"):
        deal_of(f"contract garde_sans Anna\ndog {DOG}")
    with pytest.raises(SessionFileError, match="6 different cards"):
        deal_of("dog S6 S5 SV")


@rule("FT-DOG-2")
@rule("FT-COUNT-1")
def test_what_was_laid_or_lay_in_the_dog_counts_by_the_contract() -> None:
    # Anna wins all with her trumps, Bo keeps the Excuse; T3, T2 and four queens lie aside: 15 points.
    aside = "T3 T2 SD HD DD CD"
    first = {"Anna": run("T", 21, 4), "Bo": "F"}
    points = {name: points_of(whole(first, aside, f"contract {name} Anna")) for name in CONTRACTS}
    assert points == {"prise": 91 - 4, "garde": 91 - 4, "garde_sans": 91 - 4, "garde_contre": 91 - 4 - 15}


@rule("FT-DOG-3")
def test_a_king_or_a_bout_is_never_laid() -> None:
    hand = whole({"Anna": run("T", 20, 3)}, "SR T21 S1 S2 S3 S4", "contract garde Anna")
    bad = [(one.card, one.annul) for one in hand.findings if one.kind == "bad_discard"]
    assert bad == [("SR", True), ("T21", True)]
    # Laid face up it is known at once.
    assert found(deal_of("discard HR")) == [("bad_discard", "Anna", "HR", None, None)]


@rule("FT-DOG-4")
def test_a_trump_laid_face_up_says_that_nothing_else_was_left_to_lay() -> None:
    told = "discard T5\nAnna SR  Bo S1  Carl S2  Dora S3"
    assert found(deal_of(told)) == []
    assert found(deal_of(f"{told}\nAnna C4")) == [("needless_trump", "Anna", None, "shown", 5)]


@rule("FT-DOG-5")
def test_once_a_card_is_played_nothing_is_changed_any_more() -> None:
    with pytest.raises(SessionFileError, match="too late"):
        deal_of(f"Anna SR\ndog {DOG}")


# -- slam ----------------------------------------------------------------------------------------------------


@rule("FT-SLAM-1")
def test_who_announces_a_slam_leads_and_only_the_taker_may() -> None:
    assert deal_of("contract garde Carl\nslam Carl").to_play == "Carl"
    with pytest.raises(SessionFileError, match="only the taker can"):
        deal_of("contract garde Carl\nslam Anna")


@rule("FT-SLAM-2")
@rule("FT-SLAM-3")
@rule("FT-SLAM-4")
@pytest.mark.parametrize(
    ("tricks", "announced", "expected"),
    [
        (18, True, [("FT-SLAM-2", "slam", 400)]),
        (17, True, [("FT-SLAM-2", "slam", -200)]),
        (18, False, [("FT-SLAM-3", "slam", 200)]),
        (17, False, []),
        (1, False, []),
        (0, False, [("FT-SLAM-4", "slam", -200)]),
        (0, True, [("FT-SLAM-2", "slam", -200), ("FT-SLAM-4", "slam", -200)]),
    ],
)
def test_what_a_slam_brings(tricks: int, announced: bool, expected: list[tuple[str, str, int]]) -> None:
    assert slam_lines(tricks, 18, announced=announced) == expected


@rule("FT-SLAM-4")
def test_each_defender_gets_200_where_the_defence_takes_every_trick() -> None:
    hand = whole({"Bo": run("T", 21, 4), "Anna": LOW_17 + " F"}, "T3 T2 T1 C1 C2 C3", "contract garde Anna")
    assert scores(hand)["slam"] == {"Anna": -600, "Bo": 200, "Carl": 200, "Dora": 200}


# -- handful and petit au bout -------------------------------------------------------------------------------


@rule("FT-HANDFUL-1")
@pytest.mark.parametrize(
    ("players", "worth"),
    [
        (3, {12: 0, 13: 20, 14: 20, 15: 30, 17: 30, 18: 40}),
        (4, {9: 0, 10: 20, 12: 20, 13: 30, 14: 30, 15: 40, 18: 40}),
        (5, {7: 0, 8: 20, 10: 30, 12: 30, 13: 40}),
    ],
)
def test_what_a_handful_is_worth(players: int, worth: dict[int, int]) -> None:
    assert {cards: handful_points(players, cards) for cards in worth} == worth


@rule("FT-HANDFUL-2")
@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("{handful}\nAnna S1  Bo T5", None),  # the taker shows before the first card of all
        ("contract garde Dora\n{handful}\nAnna T20", None),  # it is her turn, and her next card
        ("Anna T20\n{handful}", "late"),  # her first card is not covered yet
        ("Anna T20  Bo T1\n{handful}", "other_time"),
        ("contract garde Dora\nAnna S1  Bo S2  Carl S3  Dora S4\n{handful}", "other_time"),
    ],
)
def test_a_handful_is_shown_just_before_ones_first_card(told: str, fault: str | None) -> None:
    hand = deal_of(told.format(handful=f"handful Anna {run('T', 20, 11)}"))
    assert hand.fault_of(hand.handfuls[0]) == fault


@rule("FT-HANDFUL-3")
def test_a_handful_is_for_the_side_that_wins_whoever_showed_it() -> None:
    assert handful_line(20, won=True) == ("FT-HANDFUL-3", "handful", 20)
    assert handful_line(20, won=False) == ("FT-HANDFUL-3", "handful", -20)
    # Bo shows ten trumps, takes every trick, and the taker Anna pays for them.
    plays = played_out({"Bo": run("T", 21, 4), "Anna": LOW_17 + " F"}, "T3 T2 T1 C1 C2 C3")
    hand = deal_of(plays.replace("  Bo", f"\nhandful Bo {run('T', 21, 12)}\nBo", 1))
    assert scores(hand)["handful"] == {"Anna": -60, "Bo": 20, "Carl": 20, "Dora": 20}


@rule("FT-HANDFUL-4")
def test_the_excuse_in_a_handful_says_that_there_is_no_other_trump() -> None:
    told = f"handful Anna F {run('T', 20, 12)}\nAnna T20  Bo T1  Carl T2  Dora T3"
    assert found(deal_of(told)) == []
    assert found(deal_of(f"{told}\nAnna T5")) == [("handful_excuse", "Anna", "F", "shown", 5)]


@rule("FT-HANDFUL-5")
@pytest.mark.parametrize(
    ("cards", "kinds", "value"),
    [
        (run("T", 20, 12), ["handful_incomplete"], 0),
        (run("T", 20, 11), [], 20),
        (run("T", 20, 10), ["handful_too_many"], 20),
        (run("T", 20, 8), [], 30),
    ],
)
def test_a_handful_is_of_exactly_the_number_in_the_table(cards: str, kinds: list[str], value: int) -> None:
    hand = deal_of(f"handful Anna {cards}")
    assert [one.kind for one in hand.findings] == kinds and hand.worth_of(hand.handfuls[0]) == value


def test_who_holds_nothing_but_his_handful_plays_no_other_card() -> None:
    # Thirteen of her fifteen cards are shown: two others are left to play.
    handful = f"contract garde Anna\ncall HR\nhandful Anna {run('T', 21, 9)}\n"
    tricks = ("Anna S1  Bo S2  Carl S3  Dora S4  Erik SR", "Erik SD  Anna S6  Bo S7  Carl S8  Dora S9")
    assert len(five(handful + "\n".join(tricks)).plays) == 10
    with pytest.raises(SessionFileError, match="Anna has too few cards left for the handful"):
        five(handful + "\n".join(tricks) + "\nErik SC  Anna S10")
    assert five(handful + "\n".join(tricks) + "\nErik SC  Anna T9").plays[-1].card == "T9"


@rule("FT-HANDFUL-5")
def test_a_trump_that_was_laid_face_up_is_shown_once_more() -> None:
    hand = deal_of(f"discard T11\nhandful Anna {run('T', 20, 11)}")
    assert found(hand) == [] and hand.worth_of(hand.handfuls[0]) == 20


@rule("FT-HANDFUL-6")
@rule("FT-REN-6")
def test_what_a_faulty_handful_costs_the_taker_and_a_defender() -> None:
    def proposed(told: str) -> list[tuple[str, str | None, int, bool, bool]]:
        found = deal_of("contract garde Anna\n" + told).findings
        return [(one.kind, one.player, one.fine, one.warning, one.annul) for one in found]

    ten, eleven, nine = run("T", 20, 11), run("T", 20, 10), run("T", 20, 12)
    assert proposed(f"handful Anna {nine}") == [("handful_incomplete", "Anna", 100, True, False)]
    assert proposed(f"Anna S1\nhandful Bo {nine}") == [("handful_incomplete", "Bo", 100, True, True)]
    assert proposed(f"handful Anna {eleven}") == [("handful_too_many", "Anna", 0, False, False)]
    assert proposed(f"Anna S1\nhandful Bo {eleven}") == [("handful_too_many", "Bo", 100, True, True)]
    # Late, but before his first card is covered, it counts; at another time not, if his side wins.
    assert proposed(f"Anna S1  Bo S2\nhandful Bo {ten}") == [("handful_late", "Bo", 100, True, False)]
    assert proposed(f"Anna S1  Bo S2  Carl S3\nhandful Bo {ten}") == [("handful_late", "Bo", 100, True, True)]
    assert proposed(f"Anna T20  Bo T1\nhandful Anna {ten}") == [("handful_late", "Anna", 100, True, False)]


@rule("FT-REN-6")
def test_a_handful_at_another_time_counts_only_where_the_other_side_wins() -> None:
    def late(taker: str, first: dict[str, str], player: str, trumps: str) -> FrenchHand:
        """Anna wins every trick; after the first one `player` shows his `trumps`."""
        first_trick, rest = played_out(first, "T3 T2 T1 C1 C2 C3").split("\n", 1)
        return deal_of(f"contract garde {taker}\n{first_trick}\nhandful {player} {trumps}\n{rest}")

    for taker in ("Anna", "Bo"):  # with her side, as the taker or in the defence, her handful is lost
        hand = late(taker, {"Anna": run("T", 21, 4)}, "Anna", run("T", 21, 12))
        assert hand.counts(hand.handfuls[0]) is False and "handful" not in scores(hand)
    others = {"Anna": f"{run('T', 21, 14)} SR HR DR CR SD HD DD CD", "Bo": f"S1 {run('T', 13, 4)}"}
    hand = late("Anna", others, "Bo", run("T", 13, 4))
    assert hand.counts(hand.handfuls[0]) is True and scores(hand)["handful"]["Anna"] == 60


@rule("FT-PETIT-1")
@pytest.mark.parametrize(
    ("contract", "ours", "points"), [("prise", True, 10), ("garde", False, -20), ("garde_contre", True, 60)]
)
def test_the_petit_au_bout_is_10_times_the_contract(contract: str, ours: bool, points: int) -> None:
    assert petit_line(CONTRACTS[contract], "FT-PETIT-1", ours) == ("FT-PETIT-1", "petit_au_bout", points)


@rule("FT-PETIT-1")
def test_the_petit_au_bout_is_for_who_wins_the_trick_whoever_wins_the_deal() -> None:
    # Anna takes the first seventeen tricks, but Bo the last one, with the petit.
    first = {"Anna": run("T", 21, 5) + " C4", "Bo": LOW_17 + " T1"}
    hand = whole(first, "T4 T3 T2 C1 C2 C3", "contract garde_sans Anna")
    assert scores(hand)["petit_au_bout"] == {"Anna": -120, "Bo": 40, "Carl": 40, "Dora": 40}
    assert hand.outcome is not None and hand.outcome.counted.won


ALL_BUT_LAST = {"Anna": run("T", 21, 6) + " T1 F"}
"""Anna wins seventeen tricks, the petit in the last of them, and leads the Excuse to the eighteenth."""


@rule("FT-PETIT-2")
@rule("FT-EXCUSE-5")
def test_in_a_slam_that_the_excuse_closes_the_last_trick_but_one_is_meant() -> None:
    hand = whole(ALL_BUT_LAST, "T2 T3 T4 T5 S1 S2", "contract garde_sans Anna")
    assert hand.tricks[-1].winner == "Anna" and hand.tricks_won["Anna"] == 18
    assert [line[0] for line in hand.outcome.lines] == ["FT-SCORE-2", "FT-PETIT-2", "FT-SLAM-3"]
    assert state_of_excuse(hand) == ("kept", "taker")


# -- play ----------------------------------------------------------------------------------------------------


@rule("FT-PLAY-1")
@rule("FT-PLAY-6")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("Anna S1  Bo S10  Carl SR  Dora HR", "Carl"),  # the highest card of the suit led
        ("Anna SR  Bo T2  Carl T3  Dora S1", "Carl"),  # the highest trump
        ("Anna T5  Bo T21  Carl T6  Dora F", "Bo"),
    ],
)
def test_the_dealers_right_leads_then_the_winner_of_each_trick(trick: str, winner: str) -> None:
    hand = deal_of(trick)
    assert hand.tricks[0].leader == "Anna" and hand.tricks[0].winner == winner == hand.to_play


@rule("FT-PLAY-2")
@rule("FT-PLAY-5")
def test_any_card_is_led_and_in_a_suit_nobody_need_beat() -> None:
    told = "Anna T1  Bo T2  Carl T3  Dora T4\nDora S9  Anna S3  Bo S2  Carl S1\nDora SR  Anna S10  Bo SD  Carl SC"
    assert found(deal_of(told)) == []


@rule("FT-PLAY-3")
@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Anna S1  Bo H1  Carl S2  Dora S3\nDora S4  Anna S5  Bo S6", "S6"),  # a suit not followed
        ("Anna S1  Bo H1  Carl S2  Dora S3\nDora C4  Anna C5  Bo T6", "T6"),  # nor trumped
        ("Anna T1  Bo H1  Carl T2  Dora T3\nDora C4  Anna C5  Bo T6", "T6"),  # trumps are a suit
    ],
)
def test_who_does_not_follow_says_that_he_has_neither_suit_nor_trump(told: str, shown: str) -> None:
    (one,) = deal_of(told).findings
    assert (one.kind, one.player, one.card, one.status) == ("revoke", "Bo", "H1", "shown")
    assert one.evidence == (shown,)


@rule("FT-PLAY-3")
def test_who_trumps_says_only_that_he_has_none_of_the_suit() -> None:
    assert found(deal_of("Anna S1  Bo T1  Carl S2  Dora S3\nBo T2")) == []


@rule("FT-PLAY-4")
def test_who_plays_a_trump_goes_over_the_highest_one_if_he_can() -> None:
    told = "Anna T9  Bo T5  Carl T10  Dora T8\nCarl H1  Dora H2  Anna H3  Bo T{}"
    assert found(deal_of(told.format(7))) == []
    # T12 is above the T9 that lay there when Bo played: of Dora's T8 under T10 nothing is known.
    assert found(deal_of(told.format(12))) == [("under_trump", "Bo", "T5", "shown", 8)]


@rule("FT-PLAY-7")
@rule("FT-REN-1")
def test_a_play_that_was_put_right_at_once_says_nothing() -> None:
    told = "Anna S1  Bo H1\nback 1\nBo S2  Carl S3  Dora S4"
    assert found(deal_of(told)) == [] and deal_of(told).tricks[0].winner == "Dora"


@rule("FT-PLAY-8")
@rule("FT-ORDER")
def test_a_lead_and_a_play_out_of_turn_are_told_and_the_trick_goes_on() -> None:
    hand = deal_of("Bo S1  Carl S2  Dora S3  Anna S4\nAnna H1  Carl H2  Bo H3  Dora H4")
    lead, play = found(hand)
    assert lead == ("lead_out_of_turn", "Bo", "S1", None, 1)
    assert play == ("play_out_of_turn", "Carl", "H2", None, 6)
    assert [trick.winner for trick in hand.tricks] == ["Anna", "Dora"]


# -- the Excuse ----------------------------------------------------------------------------------------------


@rule("FT-EXCUSE-1")
def test_the_excuse_is_played_to_any_trick_and_says_nothing() -> None:
    hand = deal_of("Anna S1  Bo F  Carl S2  Dora S3\nDora S4  Anna S5  Bo S6  Carl S7")
    assert found(hand) == [] and hand.tricks[0].winner == "Dora"


@rule("FT-EXCUSE-2")
def test_after_a_led_excuse_the_next_card_is_the_suit_led() -> None:
    hand = deal_of("Anna F  Bo H2  Carl C1  Dora H3\nDora S1  Anna S2  Bo S3  Carl H1")
    assert hand.tricks[0].winner == "Dora" and hand.tricks[0].suit == "H"
    assert found(hand) == [("revoke", "Carl", "C1", "shown", 8)]


@rule("FT-EXCUSE-3")
def test_its_side_keeps_the_excuse_and_gives_a_low_card_for_it() -> None:
    # Bo plays it to Anna's first trick, and the defence wins a trick with low cards at the end.
    first = {"Anna": run("T", 21, 5) + " C4", "Bo": "F " + LOW_17}
    hand = whole(first, "T4 T3 T2 T1 C1 C2", "contract garde_sans Anna")
    assert hand.tricks[-1].winner != "Anna" and state_of_excuse(hand) == ("exchanged", "defence")
    trick = sum(PACK.points[PACK.index[play.card]] for play in hand.tricks[-1].plays) / 2
    assert points_of(hand) == 91 - trick - 4


@rule("FT-EXCUSE-3")
@pytest.mark.parametrize(("to", "halves"), [("taker", 8), ("defence", 1)])
def test_an_excuse_that_was_paid_for_counts_4_and_a_half(to: str, halves: int) -> None:
    ours = PACK.mask(["F"]) if to == "taker" else 0
    assert count(ours, ExcuseOutcome(to, paid=True), {}).halves["taker"] == halves


@rule("FT-EXCUSE-4")
@pytest.mark.parametrize("player", ["Bo", "Anna"])
def test_in_the_last_trick_the_excuse_changes_sides(player: str) -> None:
    if player == "Bo":
        # Bo, a defender, has it left; Anna wins every trick, so no slam of his side keeps it.
        first, to = {"Anna": run("T", 21, 4), "Bo": LOW_17 + " F"}, "taker"
    else:
        # Anna lost the first trick, so that leading it to the last one does not win.
        first, to = {"Anna": "C4 " + run("T", 21, 6) + " F", "Bo": "CR T5"}, "defence"
    hand = whole(first, "T3 T2 T1 C1 C2 C3", "contract garde_sans Anna")
    assert state_of_excuse(hand) == ("lost", to)


@rule("FT-EXCUSE-5")
def test_the_excuse_wins_the_last_trick_only_for_a_side_with_every_other() -> None:
    first = {"Anna": "C4 " + run("T", 21, 6) + " F", "Bo": "CR T5"}
    hand = whole(first, "T3 T2 T1 C1 C2 C3", "contract garde_sans Anna")
    assert hand.tricks[-1].leader == "Anna" != hand.tricks[-1].winner


@rule("FT-EXCUSE-6")
def test_an_excuse_that_is_never_paid_for_still_counts_4_for_its_side() -> None:
    hand = whole({"Anna": run("T", 21, 4), "Bo": "F"}, "T3 T2 T1 C1 C2 C3", "contract garde_sans Anna")
    assert state_of_excuse(hand) == ("owed", "defence") and points_of(hand) == 91 - 4


# -- count and score -----------------------------------------------------------------------------------------


@rule("FT-COUNT-2")
@pytest.mark.parametrize(("bouts", "needed"), [(0, 56), (1, 51), (2, 41), (3, 36)])
def test_what_is_needed_by_the_bouts(bouts: int, needed: int) -> None:
    assert compared(2 * needed, bouts).won and not compared(2 * needed - 1, bouts).won


@rule("FT-COUNT-3")
@rule("FT-SCORE-1")
@pytest.mark.parametrize(
    ("points", "difference", "won"),
    [(40, -1, False), (40.5, -1, False), (41, 0, True), (41.5, 1, True), (42, 1, True)],
)
def test_a_half_goes_to_the_side_that_wins_and_exactly_enough_is_made(
    points: float, difference: int, won: bool
) -> None:
    counted = compared(int(2 * points), 2)
    assert (counted.difference, counted.won) == (difference, won)


@rule("FT-SCORE-2")
@pytest.mark.parametrize(
    ("contract", "points", "worth"),
    [("prise", 49, 33), ("garde", 49, 66), ("garde_sans", 41, 100), ("garde_contre", 40, -156)],
)
def test_25_and_the_difference_times_the_contract(contract: str, points: int, worth: int) -> None:
    assert game_line(CONTRACTS[contract], compared(2 * points, 2)) == ("FT-SCORE-2", "game", worth)


@rule("FT-SCORE-3")
@rule("FT-SCORE-5")
def test_the_example_of_the_official_rules() -> None:
    happened = Happened(("FT-PETIT-1", True), [20], 9, 18, announced=False)
    lines = deal_lines(CONTRACTS["garde"], compared(2 * 49, 2), happened)
    assert [points for _, _, points in lines] == [66, 20, 20]
    mark = sum(points for _, _, points in lines)
    got = {player: mark * share for player, share in shares(NAMES[:4], "Anna", None).items()}
    assert got == {"Anna": 318, "Bo": -106, "Carl": -106, "Dora": -106}
    lost = happened._replace(petit=("FT-PETIT-1", False))
    lines = deal_lines(CONTRACTS["garde"], compared(2 * 40, 2), lost)
    assert [points for _, _, points in lines] == [-52, -20, -20]


@rule("FT-SCORE-4")
@rule("FT-3-1")
@rule("FT-5-3")
@rule("FT-5-5")
@pytest.mark.parametrize(
    ("players", "partner", "marks"),
    [
        (3, None, [2, -1, -1]),
        (4, None, [3, -1, -1, -1]),
        (5, "Carl", [2, -1, 1, -1, -1]),
        (5, None, [4, -1, -1, -1, -1]),
    ],
)
def test_how_many_marks_each_gets(players: int, partner: str | None, marks: list[int]) -> None:
    assert list(shares(NAMES[:players], "Anna", partner).values()) == marks


# -- five players --------------------------------------------------------------------------------------------


def five(told: str) -> FrenchHand:
    """A deal of five, dealt by Erik."""
    return deal_of(told, dealer="Erik", players=5)


@rule("FT-5-1")
def test_who_plays_the_called_king_is_the_partner() -> None:
    hand = five("contract garde Anna\ncall HR\nAnna H1  Bo H2  Carl HR  Dora H3  Erik H4")
    assert hand.call.partner == "Carl" and hand.side_of("Carl") == "taker" and hand.side_of("Bo") == "defence"
    with pytest.raises(SessionFileError, match="before the dog is turned up"):
        five("contract garde Anna\ndog S1 S2 S3\ncall HR")
    with pytest.raises(SessionFileError, match="where five play"):
        deal_of("contract garde Anna\ncall HR")


@rule("FT-5-2")
@rule("FT-CALLX")
def test_a_queen_is_called_only_by_who_has_all_four_kings() -> None:
    called = "contract garde Anna\ncall HD\n"
    assert found(five(called + "Anna SR  Bo S1  Carl S2  Dora S3  Erik S4")) == []
    told = found(five(called + "Anna S4  Bo SR"))
    assert told == [("call_forbidden", "Anna", "HD", None, 2)]
    # A king in the dog was not his either.
    assert found(five(called + "dog CR S1 S2")) == [("call_forbidden", "Anna", "HD", None, None)]


@rule("FT-5-3")
def test_who_called_a_card_of_his_own_or_of_the_dog_is_alone() -> None:
    # Anna has all kings; nobody else ever plays the one that she called.
    first = {"Anna": f"HR SR DR CR {run('T', 21, 11)}"}
    hand = whole(first, "S1 S2 S3", "contract garde_sans Anna\ncall HR", players=5)
    assert hand.call.partner is None
    mark = hand.outcome.mark
    assert hand.deal_changes == {"Anna": 4 * mark} | {name: -mark for name in NAMES[1:]}


@rule("FT-5-4")
def test_the_first_lead_is_not_of_the_suit_called_unless_it_is_that_card() -> None:
    called = "contract garde Bo\ncall HR\n"
    assert found(five(called + "Anna HR  Bo H1  Carl H2  Dora H3  Erik H4")) == []
    told = five(called + "Anna H9  Bo H1  Carl H2  Dora H3  Erik H4\nAnna S1")
    # Fourteen other cards would all have to be hearts: proved before she shows a spade.
    assert [(one.kind, one.player, one.card) for one in told.findings] == [("called_suit_led", "Anna", "H9")]


@rule("FT-5-5")
def test_of_the_marks_of_three_defenders_the_taker_gets_two_and_the_partner_one() -> None:
    first = {"Anna": run("T", 21, 7), "Bo": "HR"}
    hand = whole(first, "T6 T5 T4", "contract garde_sans Anna\ncall HR", players=5)
    mark = hand.outcome.mark
    assert hand.call.partner == "Bo"
    assert hand.deal_changes == {"Anna": 2 * mark, "Bo": mark, "Carl": -mark, "Dora": -mark, "Erik": -mark}


# -- irregularities ------------------------------------------------------------------------------------------


def proposals(hand: FrenchHand) -> list[tuple[str, str | None, int, bool, bool, bool | None]]:
    """(kind, player, fine, warning, annul, consumed) of each finding."""
    return [(one.kind, one.player, one.fine, one.warning, one.annul, one.consumed) for one in hand.findings]


@rule("FT-REN-2")
def test_a_card_out_of_turn_is_a_warning_then_a_penalty_but_nothing_for_the_taker() -> None:
    hand = deal_of("contract garde Anna\nBo S1")
    assert proposals(hand) == [("lead_out_of_turn", "Bo", 100, True, False, None)]
    by_taker = deal_of("contract garde Bo\nBo S1")
    assert proposals(by_taker) == [("lead_out_of_turn", "Bo", 0, False, False, None)]


@rule("FT-REN-3")
@rule("FT-REN-4")
def test_a_renonce_is_consumed_by_the_first_card_of_the_next_trick() -> None:
    # Ten trumps that Bo shows make his heart a renonce at once.
    told = f"contract garde Dora\nAnna S1\nhandful Bo {run('T', 20, 11)}\nBo H1  Carl S2  Dora S3"
    assert proposals(deal_of(told)) == [("revoke", "Bo", 100, True, False, False)]
    assert proposals(deal_of(told + "\nDora C1")) == [("revoke", "Bo", 100, False, True, True)]
    of_taker = told.replace("garde Dora", "garde Bo")
    assert proposals(deal_of(of_taker)) == [("revoke", "Bo", 0, False, False, False)]
    assert proposals(deal_of(of_taker + "\nDora C1")) == [("revoke", "Bo", 100, False, True, True)]


@rule("FT-REN-4")
def test_the_deal_should_be_void_where_the_side_at_fault_wins_it() -> None:
    first, aside = {"Anna": run("T", 21, 4)}, "T3 T2 T1 SR C1 C2"
    won = whole(first, aside, "contract garde Anna")
    assert won.outcome is not None and won.outcome.counted.won and won.annul_proposed
    # Nobody else has a trump or a spade, so that the defence breaks no rule.
    first = {"Bo": run("T", 21, 4), "Anna": f"{run('S', 1, 10)} SV SC SD"}
    lost = whole(first, aside, "contract garde Anna")
    assert any(one.annul for one in lost.findings)
    assert lost.outcome is not None and not lost.outcome.counted.won and not lost.annul_proposed


@rule("FT-REN-4")
def test_the_table_awards_cards_to_the_other_side_or_annuls_the_deal() -> None:
    plays = played_out({"Anna": run("T", 21, 4), "Bo": "F"}, "T3 T2 T1 C1 C2 C3")
    before = points_of(deal_of(plays))
    awarded = deal_of(plays + "\naward defence renonce: SR T21")
    assert points_of(awarded) == before - 9
    assert awarded.outcome is not None and awarded.outcome.counted.bouts == 1
    annulled = deal_of(plays + "\nannul renonce\nrenonce Anna renonce")
    assert annulled.void == "annulled" and scores(annulled) == {"penalty": {"Anna": -100}}


@rule("FT-REN-5")
def test_a_wrong_number_of_cards_is_put_right_by_an_award() -> None:
    # Seven were laid: the table gives the last trick, one card short, to the defence.
    hand = deal_of(
        "contract garde Anna\nAnna SR  Bo S1  Carl S2  Dora S3\naward defence seven_laid: SR S1 S2 S3"
    )
    assert hand.award_reasons == [(("SR", "S1", "S2", "S3"), "defence", "seven_laid")]


@rule("FT-REN-7")
def test_a_void_deal_is_not_counted_as_played() -> None:
    evening = evening_of("contract garde Anna\nannul cards seen", "contract garde Anna\nAnna S1")
    assert result_of(evening, evening.parts).played == dict.fromkeys(NAMES[:4], 1)


@rule("FT-REN-8")
def test_a_penalty_is_taken_off_the_total_of_one_player() -> None:
    evening = evening_of("renonce Bo talk\nrenonce Carl 30 talk", "renonce Dora 20 talk hand 1", penalty=50)
    assert evening.balances == {"Anna": 0, "Bo": -50, "Carl": -30, "Dora": -20}


@rule("FT-REN-9")
def test_what_no_rule_covers_is_an_adjustment_with_a_reason() -> None:
    assert evening_of("adjust Bo 12 misere").balances["Bo"] == 12
    with pytest.raises(SessionFileError, match="a reason in words is missing"):
        evening_of("adjust Bo 12")


@rule("FT-TOURNAMENT")
def test_the_mark_of_each_deal_is_kept_for_who_compares_tables() -> None:
    hand = whole({"Anna": run("T", 21, 4)}, "T3 T2 T1 C1 C2 C3", "contract garde Anna")
    assert hand.outcome is not None and hand.deal_changes["Bo"] == -hand.outcome.mark


# -- what can be known ---------------------------------------------------------------------------------------


@rule("FT-CLAIM-1")
def test_one_play_may_break_two_rules_each_judged_alone() -> None:
    # T3 to a spade under T9: Bo says that he has no spade, and no trump above the 9.
    hand = deal_of("Anna S1  Bo S2  Carl T9  Dora T3\nCarl H1  Dora T12  Anna H2  Bo H3\nDora S5")
    told = [(one.kind, one.player, one.card) for one in hand.findings]
    assert told == [("under_trump", "Dora", "T3"), ("revoke", "Dora", "T3")]


@rule("FT-CLAIM-2")
@rule("FT-CLAIM-3")
def test_a_renonce_is_proved_when_too_few_other_cards_are_left() -> None:
    # Bo throws a heart on a spade: no spade and no trump, he says. Then all follow suit, and Dora wins.
    told = "contract garde_sans Anna\nAnna S1  Bo H1  Carl S2  Dora S3"
    for suit in "HDC":
        cards = f"{run(suit, 2, 10)} {suit}V {suit}C {suit}D".split()
        for low in (0, 4, 8):
            anna, bo, carl, dora = cards[low : low + 4]
            told += f"\nDora {dora}  Anna {anna}  Bo {bo}  Carl {carl}"
    *before, last = told.split("\n")
    dora, anna, *_ = last.split("  ")
    early = "\n".join([*before, dora])
    # A heart, two diamonds, five clubs and the Excuse may still be his, and he holds nine cards.
    assert found(deal_of(early)) == []
    # One of them is gone: he must hold a spade or a trump.
    assert found(deal_of(f"{early}  {anna}")) == [("revoke", "Bo", "H1", "proved", 38)]


@rule("FT-CLAIM-3")
def test_where_a_handful_and_a_play_come_together_it_is_shown() -> None:
    hand = deal_of(f"contract garde Bo\nAnna S1\nhandful Bo {run('T', 20, 11)}\nBo H1")
    assert found(hand) == [("revoke", "Bo", "H1", "shown", 2)]


@rule("FT-DISC")
def test_when_all_cards_are_played_the_discard_is_known() -> None:
    # Anna laid a king and T3 face down, and kept low cards of a suit.
    first = {"Anna": run("T", 21, 6) + " C4 C5"}
    hand = whole(first, "T3 SR C1 C2 C3 C6", "contract garde Anna\ndiscard")
    assert sorted((one.kind, one.card, one.known_at) for one in hand.findings if one.player == "Anna") == [
        ("bad_discard", "SR", (18, 72)),
        ("discard_not_shown", "T3", (18, 72)),
        ("needless_trump", None, (18, 72)),
    ]
