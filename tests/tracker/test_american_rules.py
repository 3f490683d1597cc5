"""The rules of American Tarock one by one, each shown by a deal."""

import pytest
from american_table import (
    NAMES,
    TALON,
    as_audited,
    dealt,
    evening_of,
    game,
    played_out,
    plays,
    round_of,
    scores,
)
from tracker_live import found, live
from tracker_live import plays as entries

from tracker.american.contracts import CONTRACTS
from tracker.american.events import ContractNamed
from tracker.american.pack import PACK, counted, is_more_than_half, thirds
from tracker.american.scoring import Played, klop_lines, side_lines
from tracker.events import EventRetracted
from tracker.reader import SessionFileError

rule = pytest.mark.rule
KINGS = ("SR", "HR", "DR", "CR")


def bids(text: str) -> list[dict[str, str]]:
    words = text.split()
    return [{"bid": who, "game": what} for who, what in zip(words[::2], words[1::2], strict=True)]


# -- counting ------------------------------------------------------------------------------------------------


@rule("AT-COUNT-1")
@pytest.mark.parametrize(
    ("cards", "points"),
    [(["SR", "HR", "DR"], 13), (["SD", "HD", "DD"], 10), (["S7", "S8", "HD"], 4), ([], 0)],
)
def test_a_pile_is_counted_in_threes(cards: list[str], points: int) -> None:
    assert counted(PACK.mask(cards)) == points


@rule("AT-COUNT-1")
def test_the_whole_pack_counts_70() -> None:
    assert counted(PACK.all_cards) == 70 and thirds(PACK.all_cards) == 210


@rule("AT-COUNT-2")
@pytest.mark.parametrize(
    ("cards", "points"), [(["SR"], 4), (["SR", "S7"], 5), (["S7"], 0), (["T1", "F", "T21", "C7"], 13)]
)
def test_one_or_two_cards_left_over_count_their_sum_less_1(cards: list[str], points: int) -> None:
    assert counted(PACK.mask(cards)) == points


@rule("AT-COUNT-3")
def test_more_than_35_is_more_than_half_the_pack_in_thirds() -> None:
    heavy = [*KINGS, "F", "T21", "T1", "SD"]  # 39 points of value in eight cards
    light = [card for card in PACK.cards if PACK.points[PACK.index[card]] == 1]
    for count in range(len(light)):
        cards = PACK.mask([*heavy, *light[:count]])
        assert is_more_than_half(cards) == (thirds(cards) > 105)
    # With 21 cards worth 52 he has counted 38; with one card over, 35 are enough, with two they are not.
    assert counted(PACK.mask([*heavy, *light[:13]])) == 38


# -- the deal ------------------------------------------------------------------------------------------------


@rule("AT-DEAL-1")
def test_the_player_at_the_dealers_right_bids_and_leads_first() -> None:
    hand = evening_of(bids("Carl pass Dora pass Anna pass Bo pass"), dealer="Bo").hands[0]
    assert hand.active == ("Carl", "Dora", "Anna", "Bo") and hand.to_play == "Carl"


@rule("AT-DEAL-2")
def test_the_deal_passes_on_after_each_round_played_or_not() -> None:
    evening = evening_of([], [], [])
    assert [hand.dealer for hand in evening.hands] == ["Dora", "Anna", "Bo"]


@rule("AT-DEAL-5")
def test_a_hand_without_tarocks_is_dealt_again_as_a_compulsory_klop() -> None:
    hand = evening_of([*game("two"), {"redeal": "no_tarocks"}]).hands[0]
    assert hand.compulsory and hand.dealer == "Dora" and hand.contract is None and not hand.scores


@rule("AT-DEAL-6")
def test_misdeals_cost_20_then_40_then_60_through_the_session() -> None:
    wrong = {"redeal": "misdeal"}
    evening = evening_of([wrong, wrong], [wrong], [], [], [wrong])
    first, second, *between, last = (scores(hand) for hand in evening.hands)
    assert first == [("misdeal", "Dora", -20), ("misdeal", "Dora", -40)]
    assert second == [("misdeal", "Anna", -20)] and between == [[], []]
    assert last == [("misdeal", "Dora", -60)]
    assert evening.asterisks == {"Anna": 1, "Bo": 0, "Carl": 0, "Dora": 3}


@rule("AT-DEALX")
def test_who_was_dealt_no_tarock_is_known_when_all_cards_are_played() -> None:
    tarocks = [card for card in PACK.cards if card[0] in "TF"]
    held = {"Anna": tarocks[:8], "Bo": tarocks[8:16], "Carl": tarocks[16:]}
    hands = dealt(held, ["S7", "S8", "S9", "H4", "H3", "H2"])
    assert not {card for card in hands["Dora"] if card[0] in "TF"}
    hand = evening_of([*game("solo_no_peek"), *played_out(hands)]).hands[0]
    assert ("no_tarocks", "Dora", None, None, 48) in found(hand)
    assert [one.player for one in hand.findings if one.kind == "no_tarocks"] == ["Dora"]


@rule("AT-DEALX")
def test_tarocks_from_the_talon_were_not_dealt() -> None:
    talon = ["T4", "T5", "T6", "H2", "H3", "H4"]
    tarocks = [card for card in PACK.cards if card[0] in "TF" and card not in talon]
    held = {"Anna": ["T4", "T5", "T6"], "Bo": tarocks[:7], "Carl": tarocks[7:14], "Dora": tarocks[14:]}
    hands = dealt(held, [*talon[3:], "S7", "S8", "S9"])
    before = [*game("solo_three", talon=talon, take=0), {"discard": []}]
    (hand,) = evening_of([*before, *played_out(hands)]).hands
    assert [one.player for one in hand.findings if one.kind == "no_tarocks"] == ["Anna"]


# -- bidding -------------------------------------------------------------------------------------------------


@rule("AT-BID-1")
@pytest.mark.parametrize(
    "wrong",
    [
        "Bo three",  # Anna begins
        "Anna pass Bo three Carl pass Dora pass Anna two",  # who has passed is out, and it is over
        "Anna three Anna two",
    ],
)
def test_bids_go_round_and_who_has_passed_is_out(wrong: str) -> None:
    with pytest.raises(SessionFileError, match="cannot bid"):
        evening_of(bids(wrong))


@rule("AT-BID-2")
def test_a_senior_matches_a_junior_must_go_higher() -> None:
    hand = evening_of(bids("Anna two Bo one Carl pass Dora pass Anna one Bo pass")).hands[0]
    assert hand.declarer == "Anna" and hand.contract is CONTRACTS["one"]
    for low in (
        "Anna two Bo two",
        "Anna two Bo three",
        "Anna one Bo solo_three Carl pass Dora pass Anna one",
    ):
        with pytest.raises(SessionFileError, match="too low"):
            evening_of(bids(low))


@rule("AT-BID-3")
def test_the_declarer_names_his_last_bid_or_a_higher_game() -> None:
    spoken = bids("Anna pass Bo two Carl pass Dora pass")
    assert evening_of(spoken).hands[0].contract is CONTRACTS["two"]
    hand = evening_of([*spoken, {"contract": "solo_one"}]).hands[0]
    assert hand.contract is CONTRACTS["solo_one"] and hand.declarer == "Bo"
    for wrong in ({"contract": "three"}, {"contract": "one", "declarer": "Carl"}, {"contract": "klop"}):
        with pytest.raises(SessionFileError):
            evening_of([*spoken, wrong])


@rule("AT-BID-4")
def test_all_four_pass_klop_is_played() -> None:
    hand = evening_of(bids("Anna pass Bo pass Carl pass Dora pass")).hands[0]
    assert hand.contract is CONTRACTS["klop"] and hand.declarer is None


@rule("AT-BID-5")
def test_game_and_declarer_are_entered_where_bids_were_not_recorded() -> None:
    assert evening_of(game("barach", "Carl")).hands[0].declarer == "Carl"
    for wrong in (game("barach", None), game("klop", "Anna")):
        with pytest.raises(SessionFileError, match="declarer"):
            evening_of(wrong)


@rule("AT-COMP-1")
def test_a_score_that_comes_to_zero_leads_to_a_compulsory_klop() -> None:
    def adjusted(points: int) -> list[dict]:
        return [{"adjust": {"player": "Anna", "points": points}, "reason": "agreed"}]

    evening = evening_of([], adjusted(70), adjusted(-70), [], [])
    assert [hand.compulsory for hand in evening.hands] == [False, False, False, True, False]
    assert evening.hands[2].reached_zero == ("Anna",)
    off = evening_of([], adjusted(70), adjusted(-70), [], zero_klop=False)
    assert not off.hands[3].compulsory


@rule("AT-COMP-2")
def test_a_low_game_in_a_compulsory_klop_is_reported_and_scored() -> None:
    low = evening_of([{"redeal": "no_tarocks"}, *game("barach"), *plays("Anna SR  Bo S7  Carl S8  Dora S9")])
    assert found(low.hands[0]) == [("compulsory_klop_missed", None, None, None, None)]
    assert scores(low.hands[0]) == [("game", "Anna", -70)]
    assert low.hands[0].findings[0].fine == 0
    high = evening_of([{"redeal": "no_tarocks"}, *game("solo_no_peek")])
    assert not high.hands[0].findings
    # Who names a Solo Three has bid no more; that he raises it afterwards does not make up for it.
    raised = evening_of([{"redeal": "no_tarocks"}, *game("solo_three", take=0), {"raise": "colour_valat"}])
    assert found(raised.hands[0]) == [("compulsory_klop_missed", None, None, None, None)]


# -- calls and the Talon -------------------------------------------------------------------------------------


@rule("AT-CALL-1")
@rule("AT-CALL-6")
def test_the_holder_of_the_called_king_is_the_partner_once_it_falls() -> None:
    before = game("three", call="S", take=0)
    assert round_of("Anna S7", before).call.partner is None
    hand = round_of("Anna S7  Bo S8  Carl SR", before)
    assert hand.call.card == "SR" and hand.call.partner == "Carl" and hand.talon.rest_to == "opponents"


@rule("AT-CALL-2")
def test_who_calls_a_king_of_his_own_is_alone() -> None:
    hand = round_of("Anna SR  Bo S8  Carl S7  Dora S10", game("three", call="S", take=0))
    assert hand.call.card == "SR" and hand.call.partner is None


@rule("AT-CALL-3")
def test_the_called_king_in_the_talon_leaves_the_declarer_alone() -> None:
    talon = ["SR", *TALON[1:]]
    hand = round_of("Anna S7", game("three", call="S", talon=talon, take=1))
    assert hand.call.card in (hand.talon.cards or ()) and hand.talon.rest_to == "opponents"
    assert round_of("Anna S7", game("three", call="S", talon=talon, take=0)).talon.rest_to is None


@rule("AT-CALL-4")
@rule("AT-CALLX")
def test_a_card_of_the_trula_is_called_with_all_four_kings_only() -> None:
    hand = round_of("Anna S7  Bo S8  Carl SR", game("two", call="T21", take=0))
    assert found(hand) == [("call_forbidden", "Anna", "T21", None, 3)]
    in_talon = evening_of(game("two", call="T21", talon=["SR", *TALON[1:]], take=0)).hands[0]
    assert found(in_talon) == [("call_forbidden", "Anna", "T21", None, None)]


@rule("AT-CALL-5")
@rule("AT-CALLX")
def test_the_fourth_king_is_the_one_that_the_declarer_was_not_dealt() -> None:
    before = game("two", call="fourth", take=0)
    hand = round_of("Anna SR  Bo S8  Carl S7  Dora S10  Anna H4  Bo H3  Carl HR  Dora H1", before)
    assert (hand.call.card, hand.call.partner, hand.findings) == ("HR", "Carl", [])
    two = round_of("Anna SD  Bo S8  Carl SR  Dora S10  Carl H4  Dora HR", before)
    assert two.call.card == "SR" and found(two) == [("call_forbidden", "Anna", None, None, 6)]
    talon = ["DR", "SR", *TALON[2:]]
    both = evening_of(game("two", call="fourth", talon=talon, take=1)).hands[0]
    assert both.call.card == "DR" and found(both) == [("call_forbidden", "Anna", None, None, None)]


@rule("AT-CALL-5")
def test_the_fourth_king_of_one_who_holds_all_four_calls_nothing() -> None:
    # He takes T4 and S9, and lays the two sevens that nobody has seen.
    hands = dealt({"Anna": [*KINGS, "T4", "S9"]}, [*TALON, "S7", "C8"])
    hand = evening_of([*game("two", call="fourth", take=0), *played_out(hands)]).hands[0]
    assert hand.call.card is None and hand.call.partner is None
    assert ("call_forbidden", "Anna", None, None, 48) in found(hand)
    assert not {score.reason for score in hand.scores} & {"called_king_lost", "king_ultimo"}


@rule("AT-TALON-1")
@pytest.mark.parametrize(
    ("name", "take", "taken"),
    [("three", 1, ["DV", "H2", "T12"]), ("two", 1, ["C7", "DV"]), ("one", 5, ["T12"])],
)
def test_the_declarer_takes_one_group_in_the_order_dealt(name: str, take: int, taken: list[str]) -> None:
    hand = evening_of(game(name, call="S", take=take)).hands[0]
    assert hand.talon.taken == PACK.mask(taken)
    with pytest.raises(SessionFileError, match="no group"):
        evening_of(game(name, call="S", take=6))


@rule("AT-TALON-2")
@rule("AT-TALON-3")
def test_the_rest_of_the_talon_goes_to_the_opponents_and_cannot_be_played() -> None:
    before = game("solo_three", take=0)
    assert evening_of(before).hands[0].talon.rest_to == "opponents"
    for wrong, where in (("Anna DV", "lies in the Talon"), ("Bo T4", "Anna took or showed T4")):
        with pytest.raises(SessionFileError, match=where):
            round_of(wrong, before)


@rule("AT-TALON-4")
@pytest.mark.parametrize(("king_wins", "side"), [(True, "declarer"), (False, "opponents")])
def test_the_rest_goes_with_the_called_king_that_was_taken(king_wins: bool, side: str) -> None:
    before = game("three", call="S", talon=["SR", *TALON[1:]], take=0)
    last = "S10" if king_wins else "T9"
    hand = round_of(f"Anna SR  Bo S8  Carl S7  Dora {last}", before)
    assert hand.talon.rest_to == side


@rule("AT-TALON-5")
@rule("AT-TALON-6")
@rule("AT-DISC")
def test_a_card_of_the_group_or_of_five_points_is_never_laid() -> None:
    before = game("solo_three", take=0)
    hand = evening_of([*before, {"discard": ["T4", "T1", "T2"]}]).hands[0]
    told = [(one.rule, one.card, one.known_at) for one in hand.findings]
    assert told == [("AT-TALON-6", "T1", None), ("AT-TALON-5", "T4", None)]
    with pytest.raises(SessionFileError, match="only 3 were taken"):
        evening_of([*before, {"discard": ["T5", "T6", "T7", "T8"]}])


@rule("AT-TALON-7")
@rule("AT-DISC")
@pytest.mark.parametrize(
    ("said", "accused"), [({"discard": []}, True), ({"discard": ["T6"]}, False), (None, False)]
)
def test_a_tarock_is_laid_face_up(said: dict | None, accused: bool) -> None:
    """Where nothing was recorded nobody is accused for a gap in the record."""
    aside = [*TALON[1:], "T6"]
    hands = dealt({"Anna": ["T4", "SD"]}, aside)
    events = [*game("solo_one", take=0), *([said] if said else []), *played_out(hands)]
    hand = evening_of(events).hands[0]
    assert (("discard_not_shown", "Anna", "T6", None, 48) in found(hand)) == accused


# -- the play ------------------------------------------------------------------------------------------------


@rule("AT-PLAY-1")
@pytest.mark.parametrize(
    ("before", "leader"),
    [
        (game("klop", None), "Anna"),
        (game("solo_three", "Carl", take=0), "Anna"),
        (game("barach", "Carl"), "Carl"),
        ([*game("solo_three", "Carl", take=0), {"raise": "colour_valat"}], "Carl"),
    ],
)
def test_the_dealers_right_leads_and_in_higher_games_the_declarer(before: list, leader: str) -> None:
    assert evening_of(before).hands[0].to_play == leader


@rule("AT-PLAY-2")
@rule("AT-ORDER")
def test_who_wins_a_trick_leads_and_who_does_not_is_reported() -> None:
    hand = round_of("Anna S7  Bo SR  Carl S8  Dora S9  Carl H4  Anna H3", game("solo_no_peek"))
    lead, play = found(hand)
    assert lead == ("lead_out_of_turn", "Carl", "H4", None, 5)
    assert play == ("play_out_of_turn", "Anna", "H3", None, 6)
    assert all(one.fine == 0 for one in hand.findings)


@rule("AT-PLAY-3")
@rule("AT-REV-1")
def test_off_the_suit_led_denies_it_and_tarocks_too() -> None:
    first = "Anna S7  Bo H4  Carl T9  Dora S8"
    hand = round_of(f"{first}  Carl T8  Dora T7  Anna T6  Bo T5", game("solo_no_peek"))
    assert ("revoke", "Bo", "H4", "shown", 8) in found(hand)
    trumped = round_of(f"{first}  Carl D4  Dora D3  Anna D2  Bo T5  Bo S9", game("solo_no_peek"))
    (revoke,) = (one for one in trumped.findings if one.player == "Bo" and one.trick == 1)
    assert revoke.evidence == ("T5", "S9")


@rule("AT-PLAY-4")
@pytest.mark.parametrize(
    ("name", "trick", "winner"),
    [
        ("solo_no_peek", "Anna S7  Bo SR  Carl S8  Dora S9", "Bo"),
        ("solo_no_peek", "Anna S7  Bo SR  Carl T2  Dora S9", "Carl"),
        ("solo_no_peek", "Anna H4  Bo H1  Carl H2  Dora D1", "Bo"),
        ("solo_no_peek", "Anna T21  Bo F  Carl T2  Dora S9", "Bo"),
        ("colour_valat", "Anna S7  Bo T21  Carl S8  Dora F", "Carl"),
        ("colour_valat", "Anna T3  Bo T21  Carl SR  Dora T4", "Bo"),
    ],
)
def test_the_highest_tarock_wins_or_the_highest_of_the_suit(name: str, trick: str, winner: str) -> None:
    assert round_of(trick, game(name)).tricks[0].winner == winner


@rule("AT-PLAY-5")
@pytest.mark.parametrize(
    ("name", "trick", "winner"),
    [
        ("solo_no_peek", "Anna S7  Bo T21  Carl F  Dora T1", "Dora"),
        ("klop", "Anna T21  Bo F  Carl T1  Dora T5", "Carl"),
        ("colour_valat", "Anna S7  Bo T21  Carl F  Dora T1", "Anna"),
        ("colour_valat", "Anna T5  Bo T21  Carl F  Dora T1", "Dora"),
    ],
)
def test_the_pagat_wins_the_emperor_trick(name: str, trick: str, winner: str) -> None:
    before = game(name, None if name == "klop" else "Anna")
    assert round_of(trick, before).tricks[0].winner == winner


@rule("AT-PLAY-6")
def test_no_tarock_is_led_before_one_was_played() -> None:
    led = "Anna T9  Bo T8  Carl T7  Dora T6  Anna S7"
    assert found(round_of(led, game("solo_no_peek")))[0] == ("tarock_led", "Anna", "T9", "shown", 5)
    for before, options in ((game("colour_valat"), {}), (game("solo_no_peek"), {"free_lead": True})):
        assert not round_of(led, before, **options).findings
    later = "Anna S7  Bo T8  Carl S8  Dora S9  Bo T9  Carl T7  Dora T6  Anna T5  Bo H4"
    assert not round_of(later, game("solo_no_peek")).findings


@rule("AT-NEG-1")
def test_the_highest_card_is_beaten_if_it_can_be() -> None:
    low = round_of("Anna H2  Bo H3  Carl HR  Dora T4  Dora S7  Anna S8  Bo H1", game("barach", "Anna"))
    assert ("must_beat", "Bo", "H3", "shown", 7) in found(low)
    # Who follows a suit that was trumped need not beat.
    free = round_of(
        "Anna H2  Bo T3  Carl H4  Dora H3  Bo T4  Carl T5  Dora T6  Anna T7  Anna S8  Bo S9  Carl HR"
    )
    assert not [one for one in free.findings if one.kind == "must_beat" and one.player == "Carl"]
    # By rank: the Skeench goes over the Mond.
    over = round_of("Anna T21  Bo T5  Carl T6  Dora T7  Anna S7  Bo F")
    assert ("must_beat", "Bo", "T5", "shown", 6) in found(over)


@rule("AT-NEG-1")
def test_the_pagat_must_win_the_emperor_trick() -> None:
    kept = round_of("Anna T21  Bo F  Carl T5  Dora T7  Bo S7  Carl T1")
    assert ("must_beat", "Carl", "T5", "shown", 6) in found(kept)


@rule("AT-NEG-2")
def test_the_pagat_is_not_played_before_it_must_be() -> None:
    early = round_of(
        "Anna S7  Bo T1  Carl S8  Dora S9  Bo H4  Carl T9  Dora H3  Anna H2  Carl S10  Dora SV  Anna SD  Bo T5"
    )
    assert ("pagat_early", "Bo", "T1", "shown", 12) in found(early)
    emperor = round_of("Anna T21  Bo F  Carl T1  Dora T7  Carl T8")
    assert not [one for one in emperor.findings if one.kind == "pagat_early"]


@rule("AT-ANN-4")
def test_an_announced_pagat_is_kept_for_the_last_trick() -> None:
    announced = [*game("solo_three", take=0), {"announce": "Bo", "bonus": "pagat_ultimo"}]
    text = "Anna S7  Bo T1  Carl S8  Dora SD  Bo H4  Carl H3  Dora H1  Anna HD  Anna D4  Bo T5"
    assert ("pagat_not_kept", "Bo", "T1", "shown", 10) in found(round_of(text, announced))
    assert not round_of(text, game("solo_three", take=0)).findings
    raised = evening_of([*announced, {"raise": "colour_valat"}]).hands[0]
    assert not raised.bidding.announced


# -- what is known -------------------------------------------------------------------------------------------


@rule("AT-REV-2")
def test_a_pagat_led_with_ten_cards_in_hand_is_proved_at_that_play() -> None:
    hand = round_of("Anna S7  Bo S8  Carl S9  Dora S10  Dora T1")
    assert found(hand)[-1] == ("pagat_early", "Dora", "T1", "proved", 5)


@rule("AT-REV-2")
def test_nobody_else_holds_a_card_of_the_group_that_the_declarer_took() -> None:
    tarocks = "Bo T2  Carl T3  Dora T4  Anna T5  Anna T6  Bo T7  Carl T8"
    for talon, known in (
        (["T10", "T11", "T12", "T13", "T14", "T15"], 7),
        (["S7", "S8", "S9", "H4", "H3", "H2"], None),
    ):
        events = [*game("solo_three", talon=talon, take=0), *plays(tarocks)]
        hand = evening_of(events, dealer="Anna").hands[0]
        assert found(hand) == ([("tarock_led", "Bo", "T2", "proved", known)] if known else [])


@rule("AT-REV-3")
def test_an_open_hand_shows_a_revoke_at_once() -> None:
    before = game("open_barach")
    trick = plays("Anna S7  Bo S8  Carl S9  Dora SR")
    hand = {"open": ["H4", "H3", "H2", "D4", "D3", "D2", "C7", "C8", "T2", "T3", "S10"]}
    evening = evening_of([*before, *trick, hand, *plays("Dora H1  Anna D4")])
    assert found(evening.hands[0]) == [("revoke", "Anna", "D4", "shown", 6)]
    late = evening_of([*before, *plays("Anna S7  Bo S8  Carl S9  Dora SR"), hand]).hands[0]
    assert not late.findings
    with pytest.raises(SessionFileError, match="open hand"):
        evening_of([*before, *trick, hand, *plays("Dora H1  Anna HV")])


@rule("AT-REV-3")
def test_a_vitamin_counts_as_of_the_play_before_it() -> None:
    tarocks = (
        "Anna T2  Bo T3  Carl T4  Dora T5  vitamin S7  Dora T6  Anna T7  Bo T8  Carl T9  vitamin T21  "
        "Carl T10  Dora T11  Anna T12  Bo T13"
    )
    assert not round_of(tarocks).findings
    # Anna led a tarock at once; eight are left for her nine cards.
    assert found(round_of(f"{tarocks}  vitamin T20")) == [("tarock_led", "Anna", "T2", "proved", 12)]


def test_nobody_is_accused_before_the_game_is_known() -> None:
    """Live, the camera sees plays first: a tarock led is no breach in Colour Valat, and the declarer leads there."""
    session = live(*entries("Bo T9  Carl T8  Dora T7  Anna T6  Bo S7"), rules="american-tarock")
    assert not session.hands[0].findings
    session.apply(ContractNamed("colour_valat", "Bo"))
    assert session.hands[0].contract is CONTRACTS["colour_valat"] and not session.hands[0].findings
    session.apply(EventRetracted(session.record[-1].seq))
    session.apply(ContractNamed("solo_no_peek", "Bo"))
    assert found(session.hands[0]) == [("tarock_led", "Bo", "T9", "shown", 5)]


def test_a_play_that_was_taken_back_says_nothing() -> None:
    assert not round_of("Anna S7  Bo H4  back 1  Bo S8  Carl S9  Dora S10").findings
    with pytest.raises(SessionFileError, match="before a vitamin"):
        round_of("Anna S7  Bo S8  Carl S9  Dora S10  vitamin T1  back 1")


# -- scores --------------------------------------------------------------------------------------------------


def settled(
    name: str,
    ours: list[str],
    *,
    side: tuple[str, ...] = ("Anna", "Carl"),
    called: str | None = None,
    last: str = "Anna S7  Bo S8  Carl S9  Dora SR",
    winner: str = "Dora",
    tricks: int = 6,
    announced: tuple = (),
    valat_alone: bool = True,
) -> tuple[bool | None, dict[str, int]]:
    """Whether the side won, and its lines by reason, where it has the cards `ours`."""
    words = last.split()
    mask = PACK.mask(ours)
    played = Played(
        CONTRACTS[name],
        side,
        mask,
        PACK.all_cards & ~mask,
        PACK.mask([called]) if called else 0,
        {who: PACK.mask([card]) for who, card in zip(words[::2], words[1::2], strict=True)},
        winner,
        tricks,
        announced,
    )
    result, lines = side_lines(played, valat_alone=valat_alone)
    added: dict[str, int] = {}
    for _, reason, player, points in lines:
        if player == side[0]:
            added[reason] = added.get(reason, 0) + points
    return result.won, added


COURTS = [card for card in PACK.cards if card[1:] in ("R", "D", "C") and card[0] != "T"]
LIGHT = [card for card in PACK.cards if PACK.points[PACK.index[card]] == 1]


@rule("AT-SCORE-2")
def test_the_value_and_the_difference_are_won_or_lost() -> None:
    won, lines = settled("two", [*COURTS, *LIGHT[:12]])
    points = counted(PACK.mask([*COURTS, *LIGHT[:12]]))
    assert won and lines["game"] == 20 and lines["difference"] == points - 35 > 0
    won, lines = settled("two", COURTS[:6])
    assert won is False and lines["game"] == -20
    assert lines["difference"] == counted(PACK.mask(COURTS[:6])) - 35


@rule("AT-CALL-7")
@pytest.mark.parametrize(("ours", "lost"), [(["SR"], 0), (["HR"], -15)])
def test_the_called_king_lost_costs_15(ours: list[str], lost: int) -> None:
    assert settled("one", ours, called="SR")[1].get("called_king_lost", 0) == lost


@rule("AT-BONUS-1")
@rule("AT-ANN-2")
def test_trula_goes_to_the_side_that_has_all_of_it() -> None:
    assert settled("one", ["F", "T21", "T1"])[1]["trula"] == 10
    assert settled("one", [])[1]["trula"] == -10
    assert "trula" not in settled("one", ["F", "T1"])[1]


@rule("AT-BONUS-2")
@rule("AT-ANN-3")
@pytest.mark.parametrize(("winner", "points"), [("Anna", 10), ("Carl", 10), ("Bo", -10)])
def test_king_ultimo_is_the_called_king_in_the_last_trick(winner: str, points: int) -> None:
    last = "Anna S7  Bo S8  Carl SR  Dora T2"
    assert settled("one", ["SR"], called="SR", last=last, winner=winner)[1]["king_ultimo"] == points
    assert "king_ultimo" not in settled("one", ["SR"], called="HR", last=last, winner=winner)[1]


@rule("AT-BONUS-3")
def test_four_kings_count_10_and_announced_20() -> None:
    said = (("Carl", "kings"),)
    assert settled("one", [*KINGS])[1]["kings"] == 10
    assert settled("one", [])[1]["kings"] == -10
    assert "kings" not in settled("one", ["SR"])[1]
    assert settled("one", [*KINGS], announced=said)[1]["kings"] == 20
    assert settled("one", ["SR"], announced=said)[1]["kings"] == -20


@rule("AT-ANN-1")
@rule("AT-ANN-6")
def test_anyone_announces_after_the_exchange_each_bonus_once() -> None:
    said = [{"announce": "Bo", "bonus": "valat"}, {"announce": "Anna", "bonus": "valat"}]
    assert len(evening_of([*game("solo_three", take=0), *said]).hands[0].bidding.announced) == 2
    for wrong in (
        [*game("solo_three"), said[0]],
        [*game("solo_no_peek"), said[0]],
        [*game("solo_three", take=0), said[0], said[0]],
        [*game("solo_three", take=0), {"raise": "colour_valat"}, said[0]],
        [*game("solo_three", take=0), {"announce": "Bo", "bonus": "trula"}],
    ):
        with pytest.raises(SessionFileError):
            evening_of(wrong)


@rule("AT-ANN-6")
@rule("AT-ANN-7")
@rule("AT-ANN-8")
def test_announcements_are_settled_for_each_side_once() -> None:
    both = (("Anna", "kings"), ("Carl", "kings"))
    assert settled("one", [*KINGS], announced=both)[1]["kings"] == 20
    assert settled("one", [*KINGS], announced=(("Bo", "kings"),))[1]["kings"] == 20  # theirs failed
    assert settled("one", [], announced=(("Bo", "kings"),))[1]["kings"] == -20
    each = (("Anna", "kings"), ("Bo", "kings"))
    assert settled("one", [*KINGS], announced=each)[1]["kings"] == 40


@rule("AT-BONUS-4")
@rule("AT-ANN-3")
@pytest.mark.parametrize(
    ("player", "winner", "points"),
    [("Anna", "Anna", 25), ("Anna", "Carl", -25), ("Bo", "Bo", -25), ("Bo", "Anna", 25)],
)
def test_the_pagat_itself_must_win_the_last_trick(player: str, winner: str, points: int) -> None:
    others = iter(["S8", "S9", "SR"])
    last = "  ".join(f"{name} {'T1' if name == player else next(others)}" for name in NAMES)
    assert settled("one", [], last=last, winner=winner)[1]["pagat_ultimo"] == points
    said = ((player, "pagat_ultimo"),)
    assert settled("one", [], last=last, winner=winner, announced=said)[1]["pagat_ultimo"] == 2 * points


@rule("AT-BONUS-5")
def test_valat_is_scored_alone_unless_the_table_says_otherwise() -> None:
    assert settled("one", [*KINGS], tricks=12)[1] == {"valat": 100}
    assert settled("one", [*KINGS], tricks=0)[1] == {"valat": -100}
    assert settled("one", [*KINGS], tricks=11, announced=(("Anna", "valat"),))[1] == {"valat": -200}
    added = settled("one", [*KINGS], tricks=12, valat_alone=False)[1]
    assert added["valat"] == 100 and added["kings"] == 10 and "game" in added


@rule("AT-SCORE-3")
def test_bonuses_count_whoever_won_the_round() -> None:
    won, lines = settled("one", ["F", "T21", "T1"])
    assert not won and lines["trula"] == 10


@rule("AT-MOND-1")
def test_a_captured_mond_costs_its_player_alone_and_at_once() -> None:
    hand = round_of("Anna S7  Bo T21  Carl F", game("three", call="H", take=0))
    assert scores(hand) == [("mond", "Bo", -21)]
    assert not round_of("Anna S7  Bo T21  Carl F", game("solo_no_peek")).scores
    other = round_of("Anna S7  Bo T21  Carl F", game("three", call="H", take=0), mond_penalty=50)
    assert scores(other) == [("mond", "Bo", -50)]


@rule("AT-MOND-2")
@rule("AT-MOND-3")
def test_a_mond_left_in_the_talon_costs_the_declarer() -> None:
    talon = ["SR", "H4", "H3", "T21", "D4", "D3"]
    assert scores(evening_of(game("solo_three", talon=talon, take=0)).hands[0]) == [("mond", "Anna", -21)]
    assert not evening_of(game("solo_three", talon=talon, take=1)).hands[0].scores
    king = game("three", call="S", talon=talon, take=0)
    assert not evening_of(king).hands[0].scores  # it may come with the king
    assert not round_of("Anna SR  Bo S7  Carl S8  Dora S9", king).scores
    assert scores(round_of("Anna SR  Bo S7  Carl S8  Dora T9", king)) == [("mond", "Anna", -21)]


@rule("AT-ANN-5")
def test_a_raise_makes_it_a_higher_game() -> None:
    talon = ["SR", "H4", "H3", "T21", "D4", "D3"]
    hand = evening_of([*game("solo_three", talon=talon, take=0), {"raise": "colour_valat"}]).hands[0]
    assert hand.contract is CONTRACTS["colour_valat"] and not hand.scores and hand.talon.rest_to is None
    for wrong in (game("three", call="S", take=0), game("solo_no_peek")):
        with pytest.raises(SessionFileError, match="solo contract"):
            evening_of([*wrong, {"raise": "colour_valat"}])


@rule("AT-KLOP-1")
@rule("AT-KLOP-3")
@rule("AT-KLOP-4")
@rule("AT-KLOP-5")
def test_in_klop_each_loses_what_he_took_unless_somebody_wins_or_loses_it_all() -> None:
    shares = {"Anna": LIGHT[:9], "Bo": LIGHT[9:18], "Carl": [*COURTS[:6]], "Dora": COURTS[6:]}
    piles = {player: PACK.mask(cards) for player, cards in shares.items()}
    tricks = dict.fromkeys(NAMES, 3)
    taken = {player: -counted(cards) for player, cards in piles.items()}
    assert {player: points for _, _, player, points in klop_lines(piles, tricks)[1]} == taken
    piles = {"Anna": PACK.mask(COURTS), "Bo": PACK.mask(LIGHT[:3]), "Carl": 0, "Dora": PACK.mask(LIGHT[3:6])}
    lines = klop_lines(piles, {"Anna": 5, "Bo": 1, "Carl": 0, "Dora": 1})[1]
    assert lines == [("AT-KLOP-3", "klop", "Anna", -70), ("AT-KLOP-4", "klop", "Carl", 70)]


@rule("AT-KLOP-2")
def test_vitamins_go_with_the_first_six_tricks() -> None:
    hands = dealt({}, TALON)
    events = played_out(hands)
    for trick, card in enumerate(TALON):
        events.insert(4 * (trick + 1) + trick, {"vitamin": card})
    whole = evening_of([*game("klop", None), *events]).hands[0]
    assert whole.complete and whole.outcome is not None and sum((whole.outcome.cards or {}).values()) == 54
    gap = evening_of([*game("klop", None), *[one for one in events if one != {"vitamin": TALON[2]}]]).hands[0]
    assert not gap.complete and not gap.scores
    for wrong in (
        "vitamin T1",
        "Anna S7  vitamin T1",
        "Anna S7  Bo S8  Carl S9  Dora S10  vitamin T1  vitamin T2",
    ):
        with pytest.raises(SessionFileError):
            round_of(wrong)


@rule("AT-HIGH-1")
@rule("AT-HIGH-2")
@rule("AT-HIGH-4")
@rule("AT-HIGH-5")
@rule("AT-HIGH-6")
@pytest.mark.parametrize(
    ("name", "trick", "points"),
    [
        ("barach", "Anna SR  Bo S7  Carl S8  Dora S9", -70),
        ("open_barach", "Anna SR  Bo S7  Carl S8  Dora S9", -90),
        ("colour_valat", "Anna S7  Bo SR  Carl S8  Dora S9", -125),
        ("solo_barcelona", "Anna S7  Bo SR  Carl S8  Dora S9", -250),
    ],
)
def test_a_higher_game_is_complete_when_it_is_decided(name: str, trick: str, points: int) -> None:
    hand = round_of(trick, game(name))
    assert hand.complete and scores(hand) == [("game", "Anna", points)]
    leader = hand.tricks[0].winner
    assert leader is not None
    # The rest need not be played, and is judged if it is.
    more = round_of(f"{trick}  {leader} H4", game(name))
    assert scores(more) == [("game", "Anna", points)] and len(more.plays) == 5


@rule("AT-HIGH-2")
def test_a_barach_lost_with_the_last_trick_is_lost() -> None:
    low = ["S7", "H4", "D4", "C7", "S8", "H3", "D3", "C8", "S9", "H2", "D2", "F"]
    hands = dealt({"Anna": low}, TALON)
    hand = evening_of([*game("barach"), *played_out(hands)]).hands[0]
    assert hand.tricks_won["Anna"] == 1 and hand.tricks[-1].winner == "Anna"
    assert scores(hand) == [("game", "Anna", -70)]


@rule("AT-HIGH-3")
def test_solo_no_peek_is_won_with_more_than_35_points() -> None:
    assert settled("solo_no_peek", [*COURTS, *LIGHT[:12]], side=("Anna",)) == (True, {"game": 80})
    assert settled("solo_no_peek", COURTS[:3], side=("Anna",)) == (False, {"game": -80})


@rule("AT-REN-1")
@rule("AT-REN-2")
def test_a_renonce_costs_the_full_score_of_the_game_played_in_the_end() -> None:
    fine = {"renonce": "Bo", "reason": "talked"}
    before = [*game("solo_two", take=0), *({"announce": name, "bonus": "kings"} for name in ("Anna", "Bo"))]
    assert scores(evening_of([*before, fine]).hands[0]) == [("renonce", "Bo", -105)]
    later = evening_of([*game("solo_two", take=0), fine, before[-1]])
    assert scores(later.hands[0]) == [("renonce", "Bo", -105)]
    raised = [*game("solo_two", take=0), fine, {"raise": "colour_valat"}]
    assert scores(evening_of(raised).hands[0]) == [("renonce", "Bo", -125)]
    assert scores(evening_of([*game("klop", None), fine]).hands[0]) == [("renonce", "Bo", -70)]
    assert scores(evening_of([*before, fine | {"amount": 7}]).hands[0]) == [("renonce", "Bo", -7)]
    with pytest.raises(SessionFileError, match="no contract stands"):
        evening_of([fine])


@rule("AT-REN-3")
def test_a_fine_comes_on_top_of_the_round_as_it_was_played() -> None:
    hands = dealt({}, TALON)
    events = [*game("solo_no_peek"), *played_out(hands)]
    plain = scores(evening_of(events).hands[0])
    fined = scores(evening_of([*events, {"renonce": "Anna"}]).hands[0])
    assert fined == [*plain, ("renonce", "Anna", -80)]


@rule("AT-REN-4")
def test_a_renonce_of_an_earlier_round_costs_that_rounds_full_score() -> None:
    evening = evening_of(game("solo_barcelona"), [*game("klop", None), {"renonce": "Carl", "hand": 1}])
    assert [scores(hand) for hand in evening.hands] == [[], [("renonce", "Carl", -250)]]
    assert list(evening.hands[0].fines) and not evening.hands[1].fines


@rule("AT-REN-5")
def test_an_adjustment_is_one_players_alone() -> None:
    evening = evening_of([{"adjust": {"player": "Bo", "points": -10}, "reason": "counted again"}])
    assert scores(evening.hands[0]) == [("adjustment", "Bo", -10)]
    assert evening.balances == {"Anna": 0, "Bo": -10, "Carl": 0, "Dora": 0}
    with pytest.raises(SessionFileError):
        evening_of([{"adjust": {"player": "Bo", "points": 0}, "reason": "nothing"}])
    with pytest.raises(SessionFileError, match="a reason in words is missing"):
        evening_of([{"adjust": {"player": "Bo", "points": 5}, "reason": " "}])


@pytest.mark.parametrize(
    "event",
    [
        {"renonce": "Bo", "amount": 1_000_001},
        {"adjust": {"player": "Bo", "points": 1_000_001}, "reason": "counted again"},
        {"adjust": {"player": "Bo", "points": -1_000_001}, "reason": "counted again"},
        {"renonce": "Bo", "amount": int("9" * 40)},
    ],
)
def test_points_that_no_sheet_holds_are_refused_in_one_line(event: dict) -> None:
    with pytest.raises(SessionFileError, match="must be") as told:
        evening_of([*game("klop", None), event, event])
    assert "\n" not in str(told.value) and len(str(told.value)) < 5000


# -- the end -------------------------------------------------------------------------------------------------


TAKES_THE_SKEENCH = plays("Anna SR  Bo F  Carl S7  Dora S8")


@rule("AT-END-1")
def test_whoever_ends_up_with_the_skeench_will_be_the_last_dealer() -> None:
    called = [{"skeench_a_tola": "Dora"}, *game("solo_barcelona"), *TAKES_THE_SKEENCH]
    evening = evening_of(called, [], [])
    assert [one["next"] and one["next"]["rounds_left"] for one in as_audited(evening)] == [2, 1, None]
    own = [{"skeench_a_tola": "Dora"}, *game("solo_barcelona"), *plays("Anna SR  Bo S9  Carl S7  Dora F")]
    assert as_audited(evening_of(own))[0]["next"]["rounds_left"] == 4
    with pytest.raises(SessionFileError, match="only the dealer"):
        evening_of([{"skeench_a_tola": "Bo"}])
    with pytest.raises(SessionFileError, match="already the last dealer"):
        evening_of(called, [{"skeench_a_tola": "Anna"}])


@rule("AT-END-2")
def test_a_skeench_that_nobody_has_puts_it_off_to_the_next_round() -> None:
    evening = evening_of([{"skeench_a_tola": "Dora"}], [])
    first, second = as_audited(evening)
    assert first["skeench"] == {"player": None} and first["next"]["skeench_a_tola"]
    assert "skeench" in second
    talon = ["F", "SR", *TALON[2:]]
    called = {"skeench_a_tola": "Dora"}
    in_rest = game("two", call="H", talon=["HR", "H4", "F", *TALON[3:]], take=0)
    taken = evening_of([called, *in_rest, *plays("Anna HR  Bo H3  Carl H1  Dora HV")])
    assert as_audited(taken)[0]["skeench"] == {"player": "Anna"}
    before = game("solo_two", talon=["H4", "H3", *talon[2:]], take=0)
    laid = evening_of([called, *before, {"discard": ["F"]}])
    assert as_audited(laid)[0]["skeench"] == {"player": "Anna"}


@rule("AT-END-3")
def test_after_the_last_dealers_round_the_game_is_over() -> None:
    called = [{"skeench_a_tola": "Dora"}, *game("solo_barcelona"), *plays("Anna F  Bo T5  Carl T6  Dora T7")]
    assert as_audited(evening_of(called, []))[-1]["next"] is None
    # Not while it is played, nor between two rounds before it.
    last = [*game("solo_barcelona", "Bo"), *plays("Bo SC  Carl SR  Dora S9  Anna S10")]
    over = [evening_of(*hands).over for hands in ([called], [called, last[:2]], [called, last])]
    assert over == [False, False, True]
    with pytest.raises(SessionFileError, match="the last hand is played"):
        evening_of(called, [], [])
