"""Each rule of the rules file, shown by a deal. The mark says which."""

import pytest
from tracker_again import folded
from tracker_games import GAMES, read_game
from tracker_table import filler, found, hand_of, paid, played

from tracker.cards import CARDS
from tracker.danish import settlement
from tracker.danish.audit import audit
from tracker.danish.combination import Combination
from tracker.danish.declarations import owed, slot_of, value_of
from tracker.danish.game import DANISH
from tracker.danish.hand import CATEGORY_OF
from tracker.danish.pack import PACK
from tracker.danish.rule_sets import DTF_2011, PAGAT_1996, PAGAT_2024, RULE_SETS, RuleSet
from tracker.danish.session import DanishSession, seating
from tracker.danish.settlement import LastTrick
from tracker.danish.words import WORDS
from tracker.errors import TarokError
from tracker.events import CardPlayed, HandAbandoned, HandStarted, PlaysTakenBack, TrickUnseen
from tracker.rule_sets_text import rule_set_text

rule = pytest.mark.rule


def session_of(text: str) -> DanishSession:
    """The recorded session that is written in `text`."""
    return folded(read_game(text))


# -- cards ---------------------------------------------------------------------------------------------------


@rule("CARD-1")
def test_red_suits_rank_the_ten_lowest_and_black_suits_the_ace() -> None:
    ranks = {suit: " ".join(card[1:] for card in reversed(PACK.cards) if card[0] == suit) for suit in "HS"}
    assert ranks == {"H": "R D C V 1 2 3 4 5 6 7 8 9 10", "S": "R D C V 10 9 8 7 6 5 4 3 2 1"}
    assert hand_of("Anna H10  Bo H9  Carl H2").tricks[0].winner == "Carl"
    assert hand_of("Anna S10  Bo S9  Carl S2").tricks[0].winner == "Anna"


@rule("CARD-2")
def test_the_ultimo_cards_are_the_kings_and_the_pagat() -> None:
    costly = set()
    for card in CARDS:
        lost: list[str] = []
        settlement.pay_trick(
            lambda rule, reason, *to_whom, lost=lost, **card: lost.append(reason),
            PAGAT_2024,
            ("Anna", "Bo", "Carl"),
            [("Anna", card), ("Bo", "S1"), ("Carl", "S2")],
            winner="Bo",
        )
        if lost:
            costly.add(card)
    assert costly == {"SR", "HR", "DR", "CR", "T1"}


@rule("DISC-4")
def test_trumps_that_no_player_can_hold_were_laid_by_a_dealer_who_kept_none() -> None:
    trumps = [f"T{number}" for number in (*range(21, 4, -1), 1)]
    led = [f"Anna {trumps[2 * at]}  Bo {trumps[2 * at + 1]}  Carl S{at + 1}" for at in range(9)]
    # Nobody has a trump, and T2, T3 and T4 are still to come.
    denied = ["Anna SR  Bo H1  Carl S10", "Anna D1  Bo DR  Carl D2", "Bo CR  Carl C2  Anna H2"]
    assert found(hand_of("\n".join([*led, *denied]))) == []
    kept = [*led[:-1], "Anna T5  Bo S9  Carl T1", *denied[1:]]
    assert [kind for kind, _, _ in found(hand_of("\n".join(kept)))] != []


@rule("CARD-3")
def test_cards_tricks_and_the_skat_are_78_points() -> None:
    assert len(CARDS) == 78
    assert sum(PACK.points) + 25 + 1 == 78
    named = {card: points for card, points in zip(CARDS, PACK.points, strict=True) if points}
    assert (named["F"], named["T1"], named["T21"], named["HR"]) == (4, 4, 4, 4)
    assert (named["HD"], named["HC"], named["HV"]) == (3, 2, 1)
    assert len(named) == 3 + 16
    hand = session_of((GAMES / "king-ultimo-and-bagud.txt").read_text(encoding="utf-8")).hands[0]
    for player in ("Bo", "Carl"):
        won = [play.card for trick in hand.tricks if trick.winner == player for play in trick.plays]
        # The fool is Anna's.
        assert hand.points[player] == len(won) / 3 + sum(named.get(card, 0) for card in won if card != "F")
    assert sum(hand.points.values()) == 78  # the dealer's with the skat


# -- table ---------------------------------------------------------------------------------------------------


@rule("TABLE-1")
def test_play_goes_round_in_the_order_of_the_seats() -> None:
    hand = hand_of("Anna S7  Bo S2")
    assert hand.active == ("Anna", "Bo", "Carl")
    assert hand.to_play == "Carl"


@rule("TABLE-2")
@pytest.mark.parametrize(
    ("seats", "custom", "active", "out"),
    [
        ("ABC", "opposite", "BCA", ""),
        ("ABCD", "opposite", "BDA", "C"),
        ("ABCD", "right", "CDA", "B"),
        ("ABCDE", "opposite", "BEA", "CD"),
    ],
)
def test_who_plays_when_a_deals(seats: str, custom: str, active: str, out: str) -> None:
    assert seating(list(seats), custom) == (tuple(active), tuple(out))


@rule("TABLE-3")
def test_the_next_seat_deals_next_and_a_misdeal_is_dealt_again_by_the_same() -> None:
    session = played("redeal misdeal")
    assert session.hand.dealer == "Carl"
    assert paid(session) == {("fine", "Carl", "king"): 5, ("fine", "Carl", "pagat"): 5}
    session.apply(HandStarted())
    assert session.hand.dealer == "Anna"


@rule("TABLE-4")
def test_a_hand_without_trumps_is_dealt_again_for_nothing() -> None:
    session = played("redeal no_trumps")
    assert paid(session) == {}
    assert session.pots == {"king": 65, "pagat": 65}


@rule("TABLE-5")
def test_forehand_leads_first_and_then_whoever_won() -> None:
    hand = hand_of("Anna S7  Bo SD  Carl S3")
    assert (hand.tricks[0].leader, hand.to_play) == ("Anna", "Bo")


# -- declarations --------------------------------------------------------------------------------------------


def held(text: str) -> dict[str, Combination]:
    return owed(PACK.mask(text.split()))


@rule("DECL-1")
def test_ten_trumps_are_declared_and_the_fool_is_one() -> None:
    nine = "T2 T3 T4 T5 T6 T7 T8 T9 T10"
    assert held(nine) == {}
    ten = held(nine + " F")["trumps"]
    assert (ten.count, ten.pagat, value_of(ten)) == (10, False, 10)
    twelve = held(nine + " F T1 T12")["trumps"]
    assert (twelve.count, twelve.pagat, value_of(twelve)) == (12, True, 20)


@rule("DECL-2")
def test_matadors_are_counted_down_an_unbroken_line_from_t20() -> None:
    assert held("F T21 T20") == {}
    assert value_of(held("F T21 T1")["matadors"]) == 10
    assert held("F T21 T1 T19")["matadors"].count == 3
    five = held("F T21 T1 T20 T19 T17")["matadors"]
    assert (five.count, value_of(five)) == (5, 20)


@rule("DECL-3")
@pytest.mark.parametrize(
    ("cards", "grade", "missing", "value"),
    [
        ("HR HD HV F", "half", "C", 5),
        ("HR HD HC HV", "full", None, 10),
        ("HR HD HC HV F", "abundant", None, 15),
    ],
)
def test_a_cavallerie(cards: str, grade: str, missing: str | None, value: int) -> None:
    made = held(cards)["cavallerie H"]
    assert (made.grade, made.missing, value_of(made)) == (grade, missing, value)
    assert held("HR HD HC") == {}


@rule("DECL-4")
@pytest.mark.parametrize(
    ("cards", "grade", "missing", "value"),
    [
        ("SR HR CR F", "half", "D", 5),
        ("SR HR CR DR", "full", None, 10),
        ("SR HR CR DR F", "abundant", None, 15),
    ],
)
def test_kings(cards: str, grade: str, missing: str | None, value: int) -> None:
    made = held(cards)["kings"]
    assert (made.grade, made.missing, value_of(made)) == (grade, missing, value)


@rule("DECL-5")
@rule("PAY-3")
def test_one_card_serves_several_declarations_and_each_is_paid_by_both_others() -> None:
    assert set(held("F SR HR CR SD SC")) == {"kings", "cavallerie S"}
    session = played("declare Anna kings half D, cavallerie S half V\ndeclare Bo pass")
    assert paid(session) == {("declaration", "Bo", "Anna"): 10, ("declaration", "Carl", "Anna"): 10}


# -- play ----------------------------------------------------------------------------------------------------


@rule("PLAY-1")
def test_neither_following_nor_trumping_with_the_cards_for_it_is_a_revoke() -> None:
    hand = hand_of("Anna S7  Bo H2  Carl S3\nAnna D1  Bo T5  Carl D2")
    assert found(hand) == [("revoke", "Bo", 1)]  # to spades he owed a trump
    finding = hand.findings[0]
    assert (finding.status, finding.card) == ("shown", "H2")
    assert (finding.evidence, finding.known_at) == (("T5",), (2, 5))
    assert (finding.category, finding.fine) == ("irrecoverable", 40)
    assert WORDS.finding_text(finding) == (
        "Revoke: Bo played the 2 of hearts to spades in trick 1 and trump 5 in trick 2."
    )
    assert hand_of("Anna S7  Bo T2  Carl S3\nBo D1  Carl D2  Anna D3").findings == []


@rule("PLAY-2")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("Anna S7  Bo SR  Carl S10", "Bo"),
        ("Anna S7  Bo T1  Carl SR", "Bo"),
        ("Anna S7  Bo T4  Carl T20", "Carl"),
        ("Anna S1  Bo HR  Carl DR", "Anna"),
        ("Anna T2  Bo F  Carl SR", "Anna"),
    ],
)
def test_who_wins(trick: str, winner: str) -> None:
    assert hand_of(trick).tricks[0].winner == winner


@rule("FOOL-1")
def test_the_fool_may_be_played_to_anything_and_says_nothing() -> None:
    hand = hand_of("Anna S7  Bo F  Carl S3\nAnna S9  Bo S10  Carl S4")
    assert hand.findings == []


@rule("FOOL-2")
def test_a_fool_led_is_the_suit_that_was_named() -> None:
    trick = hand_of("Anna F=H  Bo H10  Carl HR").tricks[0]
    assert (trick.suit, trick.winner) == ("H", "Carl")


@rule("FOOL-2")
@rule("FOOLX")
def test_a_fool_led_without_a_name_takes_the_suit_of_the_next_card() -> None:
    assert hand_of("Anna F").trick.suit is None
    assert hand_of("Anna F").findings == []  # he can still name it
    assert hand_of("Anna F\nname Anna D\nBo D3").findings == []
    hand = hand_of("Anna F  Bo D3  Carl S1")
    assert (hand.tricks[0].suit, hand.tricks[0].winner) == ("D", "Bo")
    assert found(hand) == [("fool_not_named", "Anna", 1)]


@rule("FOOL-3")
def test_second_hand_names_again_when_neither_can_follow() -> None:
    trick = hand_of("Anna F=H\nname Bo S\nBo S1  Carl SR").tricks[0]
    assert (trick.suit, trick.winner) == ("S", "Carl")


@rule("FOOL-3")
def test_third_hand_claims_the_name_and_second_takes_his_card_back() -> None:
    hand = hand_of("Anna F=H  Bo C9\nname Carl D\ntake back 1\nBo D10  Carl D1")
    assert (hand.tricks[0].suit, hand.tricks[0].winner) == ("D", "Carl")
    later = hand_of("Anna F=H  Bo C9\nname Carl D\ntake back 1\nBo D10  Carl D1\nCarl H3  Anna H4  Bo H5")
    assert later.findings == []  # the card that was taken back denies nothing


@rule("FOOL-3")
def test_a_name_given_after_second_hands_card_counts_from_the_lead() -> None:
    hand = hand_of("Anna F=H  Bo C9\nname Carl C\nCarl C3")
    assert (hand.tricks[0].suit, hand.tricks[0].winner) == ("C", "Bo")
    # So Bo followed, and denied no heart.
    assert hand_of("Anna F=H  Bo C9\nname Carl C\nCarl C3\nBo H1  Carl H2  Anna H3").findings == []
    assert found(hand_of("Anna F=H  Bo D9  Carl H3\nCarl S1  Anna S2  Bo S3\nAnna C1  Bo H1")) != []


@rule("FOOL-3")
def test_with_no_claim_and_no_trump_second_hands_card_names_the_suit() -> None:
    hand = hand_of("Anna F=H  Bo C9  Carl C10")
    assert (hand.tricks[0].suit, hand.tricks[0].winner) == ("C", "Carl")
    # Third hand's card off it denies that suit beside the name and trumps: Carl held a club after all.
    hand = hand_of("Anna F=H  Bo C9  Carl D10\nBo C1  Carl C2  Anna C3")
    assert hand.tricks[0].suit == "C"
    assert found(hand) == [("revoke", "Carl", 1)]
    assert WORDS.finding_text(hand.findings[0]) == (
        "Revoke: Carl played the 10 of diamonds to clubs in trick 1 and the 2 of clubs in trick 2."
    )
    _, named, *_ = hand_of("Anna F=H  Bo C9  Carl D10\nBo H1  Carl H2  Anna H3").findings
    said = "the 10 of diamonds to hearts in trick 1 and the 2 of hearts in trick 2"
    assert said in WORDS.finding_text(named)
    (corrected,) = hand_of("Anna F=H  Bo C9  Carl D10\ntake back 1\nCarl C2").corrected
    said = "played the 10 of diamonds to clubs in trick 1, then the 2 of clubs"
    assert said in WORDS.finding_text(corrected)
    # Second hand's own card denied only the name and trumps.
    hand = hand_of("Anna F=H  Bo C9  Carl D10\nBo D1  Carl D2  Anna D3")
    assert "revoke" not in {finding.kind for finding in hand.findings}


@rule("FOOL-3")
def test_a_trump_wins_a_led_fool_and_the_name_stands() -> None:
    hand = hand_of("Anna F=H  Bo C9  Carl T2")
    assert (hand.tricks[0].suit, hand.tricks[0].winner) == ("H", "Carl")


@rule("FOOL-4")
@rule("FOOLX")
def test_the_fool_in_trick_24() -> None:
    last = (
        "\nAnna SR  Bo SV  Carl SC\nAnna HR  Bo HV  Carl HC\nAnna CR  Bo CV  Carl CC\nAnna DR  Bo F  Carl DC"
    )
    assert ("fool_second_to_last", "Bo", 24) in found(hand_of(filler(20)[:-1] + last))


LATE = filler(20) + "Anna SR  Bo SV  Carl SC\nAnna HR  Bo HV  Carl HC\n"


@rule("FOOL-5")
def test_a_fool_that_is_called_is_played_to_trick_23() -> None:
    assert found(hand_of(LATE + "call Anna\nAnna CR  Bo F  Carl CC")) == []


@rule("FOOL-5")
def test_the_play_is_taken_back_for_a_call() -> None:
    hand = hand_of(LATE + "Anna CR  Bo CV\ncall Carl\ntake back 1\nBo F  Carl CC")
    assert hand.findings == [] and [play.card for play in hand.tricks[22].plays] == ["CR", "F", "CC"]


@rule("FOOL-5")
@rule("FOOLX")
def test_a_call_that_is_not_obeyed_comes_to_light_with_the_fool() -> None:
    hand = hand_of(LATE + "call Anna\nAnna CR  Bo CV  Carl CC\nAnna DR  Bo F  Carl DC")
    assert ("fool_call_refused", "Bo", 23) in found(hand)


@rule("FOOL-5")
def test_calling_for_a_fool_that_was_played_is_a_major_irregularity() -> None:
    hand = hand_of(LATE.replace("Bo C1 ", "Bo F ") + "call Anna")
    assert found(hand) == [("fool_call_wrong", "Anna", 23)]
    assert (hand.findings[0].category, hand.findings[0].fine) == ("major", 20)
    # Who calls for it and holds it had no right to call either.
    assert found(hand_of(LATE + "call Bo\nAnna CR  Bo F  Carl CC")) == [("fool_call_wrong", "Bo", 23)]


@rule("FOOL-5")
@rule("FOOLX")
@pytest.mark.parametrize("calls", ["call Bo\ncall Anna\n", "call Anna\ncall Bo\n"])
def test_two_call_for_the_fool_and_one_of_them_holds_it(calls: str) -> None:
    """Bo called though he held it; and he did not obey the call of Anna, whichever came first."""
    kept = found(hand_of(LATE + calls + "Anna CR  Bo CV  Carl CC\nAnna DR  Carl DC  Bo F"))
    assert ("fool_call_wrong", "Bo", 23) in kept and ("fool_call_refused", "Bo", 23) in kept
    assert found(hand_of(LATE + calls + "Anna CR  Bo F  Carl CC")) == [("fool_call_wrong", "Bo", 23)]
    # Nobody who might call did: he only had no right to.
    alone = found(hand_of(LATE + "call Bo\nAnna CR  Bo CV  Carl CC\nAnna DR  Carl DC  Bo F"))
    assert ("fool_call_wrong", "Bo", 23) in alone and "fool_call_refused" not in {kind for kind, *_ in alone}


@rule("FOOL-6")
def test_the_fool_stays_in_the_pile_of_its_player() -> None:
    hand = hand_of("Anna SR  Bo F  Carl S3")
    assert hand._piles() == [4, 4, 0]


# -- order ---------------------------------------------------------------------------------------------------


@rule("ORDER")
def test_a_lead_out_of_turn_is_recorded_and_play_goes_on_from_there() -> None:
    hand = hand_of("Bo S7  Carl S2  Anna S3")
    assert found(hand) == [("lead_out_of_turn", "Bo", 1)]
    assert hand.tricks[0].leader == "Bo"
    assert hand_of("Bo S7\ntake back 1\nAnna S3").findings == []


@rule("ORDER")
def test_a_card_before_ones_turn() -> None:
    hand = hand_of("Anna S7  Carl S2  Bo S3")
    assert found(hand) == [("play_out_of_turn", "Carl", 1)]
    (early,) = hand.findings
    assert (early.category, early.fine) == ("major", 20)
    (early,) = hand_of("Anna S7  Carl S2", rules="dtf-2011").findings
    assert (early.category, early.fine) == ("irrecoverable", 40)
    assert WORDS.finding_text(early) == (
        "Carl played the 2 of spades to trick 1 out of turn; the leader may have the play stopped."
    )


# -- payments ------------------------------------------------------------------------------------------------


@rule("PAY-1")
@rule("PAY-2")
def test_everyone_founds_the_pots_and_the_dealer_pays_for_the_deal() -> None:
    session = played("", seats="Anna Bo Carl Dora")
    assert session.pots == {"king": 85, "pagat": 85}
    assert session.balances == {"Anna": -40, "Bo": -40, "Carl": -50, "Dora": -40}


@rule("PAY-4")
def test_a_king_and_a_pagat_lost_and_a_pagat_brought_home() -> None:
    king = {("king_lost", "Anna", to): 5 for to in ("Bo", "Carl", "king")}
    assert paid(played("Anna SR  Bo T4  Carl S2")) == king
    pagat = {("pagat_lost", "Anna", to): 5 for to in ("Bo", "Carl", "pagat")}
    assert paid(played("Anna T1  Bo T4  Carl T5")) == pagat
    home = "Anna S1  Bo T1  Carl S2"
    assert paid(played(home)) == {("pagat_won", "Anna", "Bo"): 5, ("pagat_won", "Carl", "Bo"): 5}
    game = read_game(f"rules dtf-2011\noption pagat_win_bonus no\nseats Anna Bo Carl\nhand Carl\n{home}")
    assert game["options"] == {"pagat_win_bonus": False}


class Chips:
    """Books payments of trick 25 as (reason, from, to): amount."""

    def __init__(self) -> None:
        self.paid: dict[tuple[str, str, str], int] = {}

    def __call__(
        self, rule: str, reason: str, source: str, target: str, amount: int, *, card: str | None = None
    ) -> None:
        if amount:
            key = reason, source, target
            self.paid[key] = self.paid.get(key, 0) + amount


def last_trick(
    cards: str,
    winner: str,
    rules: RuleSet = PAGAT_2024,
    won: str = "10 8 7",
    failed: bool = False,
    barred: str = "",
) -> dict[tuple[str, str, str], int]:
    """What trick 25 pays: A, B and C play `cards`; the king pot holds 135, the pagat pot 60; A dealt."""
    pay = Chips()
    tout, nolo = settlement.tout_and_nolo(dict(zip("ABC", map(int, won.split()), strict=True)))
    settlement.pay_last_trick(
        pay,
        rules,
        ["B", "C", "A"],
        LastTrick(
            plays=list(zip("ABC", cards.split(), strict=True)),
            winner=winner,
            tout=tout,
            nolo=nolo,
            original={"king": 135, "pagat": 60},
            failed_tout="A" if failed else None,
            barred=frozenset(barred),
        ),
    )
    return pay.paid


def each(reason: str, amount: int, to: str = "", by: str = "") -> dict[tuple[str, str, str], int]:
    if to:
        return {(reason, other, to): amount for other in "ABC" if other != to}
    return {(reason, by, other): amount for other in "ABC" if other != by}


TWO_BAGUDS = (
    each("king_bagud", 40, by="B")
    | each("king_bagud", 40, by="C")
    | {("bagud_pot", "B", "king"): 135, ("bagud_pot", "C", "king"): 135}
)
FAILED = each("failed_tout", 85, by="A") | {
    ("failed_tout_pot", "A", "king"): 135,
    ("failed_tout_pot", "A", "pagat"): 60,
}


@rule("PAY-5")
@pytest.mark.parametrize(
    ("how", "expected"),
    [
        pytest.param(("S9 S8 S7", "A"), each("last_trick", 20, to="A"), id="last trick"),
        pytest.param(
            ("SR S8 S7", "A"),
            each("king_ultimo", 40, to="A") | {("ultimo_pot", "king", "A"): 135},
            id="king ultimo",
        ),
        pytest.param(
            ("T1 S8 S7", "A"),
            each("pagat_ultimo", 45, to="A") | {("ultimo_pot", "pagat", "A"): 60},
            id="pagat ultimo",
        ),
        pytest.param(
            ("T9 T1 S7", "A"),
            each("pagat_bagud", 45, by="B") | {("bagud_pot", "B", "pagat"): 60},
            id="pagat bagud, and no last trick beside it",
        ),
        pytest.param(
            # P24: "three kings are in the last trick and the king pot contains 135"
            ("SR HR DR", "A"),
            each("king_ultimo", 40, to="A") | {("ultimo_pot", "king", "A"): 135} | TWO_BAGUDS,
            id="three kings: the original pot, each time",
        ),
        pytest.param(
            ("SR HR DR", "A", PAGAT_2024, "25 0 0"),
            each("tout", 85, to="A")
            | {("tout_pot", "king", "A"): 135, ("tout_pot", "pagat", "A"): 60}
            | TWO_BAGUDS,
            id="tout: no ultimo, but bagud",
        ),
        pytest.param(
            ("S9 S8 S7", "A", DTF_2011, "25 0 0"),
            each("tout", 80, to="A") | {("tout_pot", "king", "A"): 135, ("tout_pot", "pagat", "A"): 60},
            id="tout under DTF",
        ),
        pytest.param(
            ("SR S8 HR", "A", PAGAT_2024, "15 0 10"),
            each("nolo", 25, to="B") | each("king_bagud", 40, by="C") | {("bagud_pot", "C", "king"): 135},
            id="nolo: no ultimo, but bagud",
        ),
        pytest.param(
            ("S9 S8 S7", "A", PAGAT_2024, "12 6 7", True),
            each("last_trick", 20, to="A") | FAILED,
            id="failed",
        ),
        pytest.param(
            ("SR S8 S7", "A", PAGAT_1996, "12 6 7", True), FAILED, id="failed: nobody wins an ultimo"
        ),
        pytest.param(
            ("S8 S9 S7", "B", PAGAT_2024, "24 1 0", True),
            each("nolo", 25, to="C") | FAILED,
            id="failed, and a nolo",
        ),
    ],
)
def test_what_the_last_trick_pays(how: tuple, expected: dict) -> None:
    assert last_trick(*how) == expected


@rule("PAY-5")
def test_a_table_can_pay_the_last_trick_beside_a_bagud() -> None:
    rules = RuleSet(last_trick_with_bagud=True)
    assert last_trick("T9 T1 S7", "A", rules)["last_trick", "C", "A"] == 20


@rule("PAY-5")
def test_where_nobody_knows_if_the_fool_was_laid_all_but_an_ultimo_is_paid() -> None:
    """Carl announced a Tout and lost two tricks. Nobody saw whether the fool is in the skat."""
    session = played("tout Carl")
    for _ in range(23):
        session.apply(TrickUnseen("Carl"))
    session.apply(TrickUnseen("Bo"))
    for play in (CardPlayed("Bo", "SR"), CardPlayed("Carl", "HR"), CardPlayed("Anna", "S2")):
        session.apply(play)
    assert session.hand.complete
    assert {reason for reason, *_ in paid(session)} == {"nolo", "king_bagud", "bagud_pot"}
    assert session.pots == {"king": 130, "pagat": 65}


@rule("PAY-5")
@pytest.mark.parametrize(("card", "reason"), [("S9", {"last_trick"}), ("SR", set())])
def test_then_the_last_trick_is_paid_for_but_no_ultimo(card: str, reason: set[str]) -> None:
    session = played("tout Carl")
    for winner in ("Anna", *["Carl"] * 22, "Bo"):
        session.apply(TrickUnseen(winner))
    for play in (CardPlayed("Bo", card), CardPlayed("Carl", "S3"), CardPlayed("Anna", "S2")):
        session.apply(play)
    assert {reason for reason, *_ in paid(session)} == reason


@rule("FINE-3")
def test_a_barred_player_wins_neither_ultimo_nor_pot_nor_last_trick() -> None:
    assert last_trick("SR S8 S7", "A", DTF_2011, barred="A") == {}
    assert last_trick("S9 S8 S7", "A", DTF_2011, barred="A") == each("last_trick", 20, to="A")


@rule("PAY-6")
def test_an_emptied_pot_is_founded_again_by_everyone_seated() -> None:
    pay = Chips()
    settlement.found_pots(pay, PAGAT_2024, "ABCD", {"king": 0, "pagat": 5})
    assert pay.paid == {("foundation", player, "king"): 20 for player in "ABCD"}


@rule("PAY-7")
@pytest.mark.parametrize(
    ("points", "amount"),
    [(0, -25), (3, -25), (4, -20), (23, -5), (24, 0), (28, 0), (29, 5), (38, 10), (77, 50)],
)
def test_the_count_is_the_table_of_the_sources(points: int, amount: int) -> None:
    pay = Chips()
    settlement.pay_count(pay, {"A": points, "B": 26}, next_dealer="B", dealer="C")
    expected = (
        {("count", "B", "A"): amount} if amount > 0 else {("count", "A", "B"): -amount} if amount else {}
    )
    assert pay.paid == expected


@rule("PAY-7")
def test_the_dealer_is_the_banker_where_the_next_dealer_did_not_play() -> None:
    pay = Chips()
    settlement.pay_count(pay, {"B": 36, "C": 16, "A": 26}, next_dealer="D", dealer="A")
    assert pay.paid == {("count", "A", "B"): 10, ("count", "C", "A"): 10}


@rule("PAY-8")
def test_the_pots_are_shared_in_fives_from_the_next_dealer_on() -> None:
    pay = Chips()
    settlement.share_pots(pay, "CDAB", {"king": 170, "pagat": 60})
    shares = {"C": 45, "D": 45, "A": 40, "B": 40}
    assert {target: amount for (_, pot, target), amount in pay.paid.items() if pot == "king"} == shares
    assert sum(amount for (_, pot, _), amount in pay.paid.items() if pot == "pagat") == 60


@rule("PAY-9")
@pytest.mark.parametrize(("content", "third"), [(60, 20), (65, 20), (70, 25), (75, 25), (80, 25), (0, 0)])
def test_a_third_to_the_nearest_five(content: int, third: int) -> None:
    pay = Chips()
    settlement.pay_joining(pay, "D", 3, {"king": content})
    assert pay.paid == ({("join", "D", "king"): third} if third else {})


@rule("PAY-9")
@pytest.mark.parametrize(("content", "fourth"), [(80, 20), (85, 20), (90, 25), (95, 25), (100, 25), (5, 0)])
def test_joining_four_a_fourth_with_half_a_five_rounded_up(content: int, fourth: int) -> None:
    pay = Chips()
    settlement.pay_joining(pay, "E", 4, {"pagat": content})
    assert pay.paid == ({("join", "E", "pagat"): fourth} if fourth else {})


@rule("PAY-10")
@pytest.mark.parametrize(
    ("content", "seated", "share"), [(80, 4, 20), (95, 4, 20), (15, 4, 0), (100, 5, 20), (120, 5, 20)]
)
def test_who_leaves_takes_an_even_share_rounded_down(content: int, seated: int, share: int) -> None:
    pay = Chips()
    settlement.pay_leaving(pay, "B", seated, {"king": content})
    assert pay.paid == ({("leave", "king", "B"): share} if share else {})


# -- irregularities ------------------------------------------------------------------------------------------


@rule("FINE-1")
@pytest.mark.parametrize(
    ("category", "fine"),
    [("superficial", 0), ("minor", 5), ("major", 20), ("misdeclaration", 40), ("irrecoverable", 40)],
)
def test_only_a_confirmed_fine_is_booked(category: str, fine: int) -> None:
    revoke = "Anna S7  Bo H2  Carl S3\nAnna D1  Bo T5  Carl D2\n"
    assert paid(played(revoke)) == {}
    expected = {("fine", "Bo", "king"): fine, ("fine", "Bo", "pagat"): fine} if fine else {}
    assert paid(played(revoke + f"fine Bo {category}")) == expected


@rule("FINE-1")
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_fine_books_what_its_finding_proposes(rules: str) -> None:
    hand = hand_of("Anna S7", rules=rules)
    for kind in (*CATEGORY_OF, "play_out_of_turn"):
        proposed = hand._finding("", kind, "Bo", 1, (1, 1))
        session = played(f"Anna S7\nfine Bo {proposed.category}", rules=rules)
        booked = {pot: paid(session).get(("fine", "Bo", pot), 0) for pot in ("king", "pagat")}
        assert booked == {"king": proposed.fine, "pagat": proposed.fine}, kind


@rule("FINE-1")
def test_a_misdeclaration_pays_back_what_the_table_says_and_under_dtf_everything() -> None:
    text = "declare Bo kings full, trumps 10 with\nAnna S1\nfine Bo misdeclaration kings full"
    assert paid(played(text))["declaration_returned", "Bo", "Anna"] == 10
    session = played(text, rules="dtf-2011")
    assert paid(session)["declaration_returned", "Bo", "Anna"] == 20
    assert session.hand.barred == {"Bo"}


@rule("FINE-1")
def test_what_a_fine_paid_back_is_not_paid_back_again_when_the_declaration_is_put_right() -> None:
    text = "declare Bo kings full\nfine Bo misdeclaration kings full\ndeclare Bo pass\n"
    assert paid(played(text))["declaration_returned", "Bo", "Anna"] == 10
    # Declared once more it is paid again, and can be paid back again.
    again = text + "declare Bo kings full\n"
    assert paid(played(again))["declaration", "Anna", "Bo"] == 20
    assert paid(played(again + "declare Bo pass"))["declaration_returned", "Bo", "Anna"] == 20
    fined = played(again + "fine Bo misdeclaration kings full")
    assert paid(fined)["declaration_returned", "Bo", "Anna"] == 20


@rule("FINE-2")
def test_an_abandoned_hand_keeps_its_payments_and_has_no_count() -> None:
    session = played("declare Anna kings full\nAnna SR  Bo T4  Carl S2")
    session.apply(HandAbandoned())
    session.apply(HandStarted())
    assert session.hand.dealer == "Anna"
    first = session.hands[0]
    assert first.abandoned and not first.complete and first.points is None
    reasons = {payment.reason for payment in first.payments}
    assert reasons == {"foundation", "deal", "declaration", "king_lost"}


@rule("FINE-4")
def test_a_fine_after_the_last_card_is_paid_into_the_pots_as_they_stand_then() -> None:
    """After a Tout both pots are founded anew; the fine lies in them, and the winner of the Tout gets none of it."""
    text = (GAMES / "tout.txt").read_text(encoding="utf-8").replace("close", "")
    before, after = (session_of(text + late) for late in ("", "fine Bo irrecoverable"))
    assert after.payments == [*before.payments, *after.payments[-2:]]
    assert after.pots == {pot: content + 40 for pot, content in before.pots.items()}
    assert after.balances == before.balances | {"Bo": before.balances["Bo"] - 80}


@rule("FINE-4")
def test_a_misdeclaration_fined_after_the_last_card_bars_nobody_and_pays_back_under_dtf() -> None:
    text = (GAMES / "misdeclared-and-barred.txt").read_text(encoding="utf-8").replace("close", "")
    in_time, late = session_of(text), session_of(_late(text, "fine Bo misdeclaration"))
    assert in_time.hand.barred == {"Bo"} and late.hand.barred == frozenset()
    assert ("pagat_ultimo", "Anna", "Bo") in paid(late)
    assert ("pagat_ultimo", "Anna", "Bo") not in paid(in_time)
    for session in (in_time, late):
        back = [payment for payment in session.payments if payment.reason == "declaration_returned"]
        assert sum(payment.amount for payment in back) == 2 * (10 + 10 + 5)


def _late(text: str, line: str) -> str:
    """The game with that line at its end instead."""
    return text.replace(line + "\n", "") + line + "\n"


@rule("FINE-4")
@pytest.mark.parametrize(("rules", "proposed"), [("pagat-2024", 0), ("pagat-1996", 0), ("dtf-2011", 40)])
def test_a_misdeclaration_known_after_the_last_card_is_proposed_under_dtf_only(
    rules: str, proposed: int
) -> None:
    text = (GAMES / "tout.txt").read_text(encoding="utf-8").replace("pagat-2024", rules)
    (hand,) = session_of(text).hands
    fines = {finding.fine for finding in hand.findings if finding.category == "misdeclaration"}
    assert hand.complete and fines == {proposed}


@rule("FINE-4")
@pytest.mark.parametrize(("rules", "after"), [("pagat-2024", 0), ("dtf-2011", 40)])
def test_so_it_is_where_cards_of_the_hand_were_not_seen(rules: str, after: int) -> None:
    session = played("declare Anna kings full\nAnna S7  Bo SR  Carl S2", rules=rules)
    assert [one.fine for one in session.hand.findings] == [40]
    for _ in range(24):
        session.apply(TrickUnseen("Bo"))
    assert session.hand.complete and [one.fine for one in session.hand.findings] == [after]


@rule("FINE-4")
def test_a_fine_for_an_earlier_hand_pays_that_hands_declarations_back_once_and_bars_nobody_now() -> None:
    session = played(
        "declare Anna kings full\nAnna S1\n"
        "hand Anna\ndeclare Anna trumps 10 with\nBo H1\n"
        "fine Anna misdeclaration hand 1\nfine Anna misdeclaration hand 1",
        rules="dtf-2011",
    )
    first, second = session.hands
    assert second.barred == frozenset() and first.payments[-1].reason == "declaration"
    assert [(one.reason, one.target, one.amount, one.fined_in) for one in second.payments[-6:]] == [
        ("fine", "king", 40, 1),
        ("fine", "pagat", 40, 1),
        ("declaration_returned", "Bo", 10, 1),
        ("declaration_returned", "Carl", 10, 1),
        ("fine", "king", 40, 1),
        ("fine", "pagat", 40, 1),
    ]


@rule("FINE-4")
def test_plays_taken_back_leave_a_late_fine_as_it_was() -> None:
    text = "declare Anna kings full\nAnna S1\nhand Anna\nfine Anna misdeclaration hand 1\nBo H1\nCarl H2\n"
    before = played(text, rules="dtf-2011")
    after = played(text + "take back 1\nCarl H2", rules="dtf-2011")
    assert paid(before) == paid(after) and paid(after)["declaration_returned", "Anna", "Bo"] == 10


@rule("FINE-5")
def test_an_adjustment_moves_chips_now_and_founds_the_pot_that_it_empties() -> None:
    session = played("adjust king Bo 65 a cup was knocked over\nadjust Bo pagat 10 lost a bet")
    moved = [(one.rule, one.reason, one.source, one.target, one.amount) for one in session.payments[-5:]]
    assert moved == [
        ("FINE-5", "adjustment", "king", "Bo", 65),
        *(("PAY-1", "foundation", player, "king", 20) for player in ("Anna", "Bo", "Carl")),
        ("FINE-5", "adjustment", "Bo", "pagat", 10),
    ]
    assert WORDS.payment_text(session.payments[-1]) == "adjustment: Bo gives the pagat pot (lost a bet)"
    assert WORDS.payment_text(session.payments[-1], "da") == "regulering: Bo giver pagatkoppen (lost a bet)"
    assert session.pots == {"king": 60, "pagat": 75}


@rule("FINE-5")
def test_a_card_is_not_taken_back_from_under_an_adjustment_that_needs_its_payment() -> None:
    """The king that was lost put 5 into its pot; those five were taken out again."""
    with pytest.raises(TarokError, match="king holds 65 chips, not 70"):
        played("Anna SR  Bo T4  Carl S2\nadjust king Bo 70 so\ntake back 1")
    live = played("Anna SR  Bo T4  Carl S2\nadjust king Bo 70 so")
    live.strict = False
    before = audit(live)
    live.apply(PlaysTakenBack(1))
    assert audit(live) == before and WORDS.alert_text(live.alerts[0], "da") == (
        "Koppen har ikke så mange jetoner, som der tages af den; er beløbet rigtigt?"
    )


# -- what can be known ---------------------------------------------------------------------------------------


@rule("REV-1")
def test_every_earlier_denial_of_the_suit_was_a_revoke() -> None:
    denied = "Anna S7  Bo H2  Carl S3\nAnna S9  Bo H3  Carl S4\n"
    hand = hand_of(f"{denied}Anna D1  Bo D2  Carl D3\nAnna S10  Bo S1")
    assert found(hand) == [("revoke", "Bo", 1), ("revoke", "Bo", 2)]
    assert all(finding.known_at == (4, 11) for finding in hand.findings)


@rule("REV-2")
def test_too_few_other_cards_are_left_for_the_rest_of_the_hand() -> None:
    """All other suits fall: Bo, who denied spades and trumps, must hold some of them."""
    ranks = "1 2 3 4 5 6 7 8 9 10 V C D R"
    plain = [suit + rank for suit in "HDC" for rank in ranks.split()]
    lines = ["Anna S7", "Bo H1", "Carl S2"]
    rest = iter(card for card in plain if card != "H1")
    lines += [f"{player} {next(rest)}" for _ in range(13) for player in ("Anna", "Bo", "Carl")]
    hand = hand_of("  ".join(lines))
    proved = [finding for finding in hand.findings if finding.status == "proved"]
    assert [(finding.player, finding.trick, finding.card) for finding in proved] == [("Bo", 1, "H1")]
    # Fewer unseen cards outside spades and trumps than he holds: 42 plain and the fool, less those seen.
    _, play = proved[0].known_at or (0, 0)
    outside = 43 - (play - 2)  # two of the cards seen were spades
    bo_left = 25 - sum(1 for card in hand.plays[:play] if card.player == "Bo")
    assert outside < bo_left
    assert outside + 1 >= bo_left


@rule("REV-2")
def test_a_skat_that_is_shown_may_prove_it_at_once() -> None:
    """Bo denied spades and trumps, and holds 16 cards. Of the 18 others that are unseen three turn out to be laid."""
    plain = iter([card for card in PACK.cards if card[0] in "HDC" and card not in ("H1", "CV", "CC", "CD")])
    eight = "  ".join(f"{player} {next(plain)}" for _ in range(8) for player in ("Anna", "Bo", "Carl"))
    before = f"Anna S7  Bo H1  Carl S2\n{eight}\n"
    assert all(finding.status != "proved" for finding in hand_of(before).findings)
    proved = [one for one in hand_of(before + "skat CV CC CD").findings if one.status == "proved"]
    assert [(one.player, one.card, one.known_at) for one in proved] == [("Bo", "H1", (9, 27))]
    assert not any(one.status == "proved" for one in hand_of(before + "skat CV CC S1").findings)


@rule("REV-3")
def test_the_table_knows_that_somebody_revoked_but_not_who() -> None:
    """Bo and Carl both deny spades and trumps to the first lead: 34 cards, and Anna has room for 24."""
    hand = hand_of("Anna S1  Bo H1  Carl H2\nAnna D1  Bo D2  Carl D3")
    (contradiction,) = hand.findings
    assert contradiction.kind == "contradiction"
    assert contradiction.suspects == ("Bo", "Carl")
    assert (contradiction.tricks, contradiction.known_at) == ((1, 1), (1, 3))
    assert WORDS.finding_text(contradiction) == (
        "Bo or Carl revoked, or the skat is illegal: "
        "the 1 of hearts (trick 1) and the 2 of hearts (trick 1) cannot all have been right."
    )
    # One trump from Bo shows that it was he, at least, and the contradiction is gone.
    hand = hand_of("Anna S1  Bo H1  Carl H2\nAnna D1  Bo D2  Carl D3\nAnna C1  Bo T2")
    assert ("revoke", "Bo", 1) in found(hand)
    assert "contradiction" not in {finding.kind for finding in hand.findings}


@rule("REV-3")
def test_one_suspect_may_be_innocent_where_the_skat_may_be_illegal() -> None:
    """Bo says that he has no trump, and Anna and Carl have no room for five. But Carl laid one and kept others."""
    session = played("")
    followed = {
        "T": "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16",
        "S": "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 SV SC SD SR",
        "D": "DC DD DR",
        "C": "C6 C7 C8 C9 C10 CV CC CD CR",
        "H": "H10 H9 H8 H7 H6 H5 H4 H3 HV HC HD HR",
        "Bo": "F D10 D9 D8 D7 D6 D5 D4 D3 D2 C1 C2 C3 C4 C5",
    }
    cards = {whose: iter(named.split()) for whose, named in followed.items()}
    for suit in "TTTTTTTTSSSSSSS" + "DCCCHHHH":
        for _ in range(3):
            player = session.hand.to_play
            session.apply(CardPlayed(player, next(cards["Bo" if player == "Bo" and suit in "TS" else suit])))
    (contradiction,) = session.hand.findings
    assert (contradiction.kind, contradiction.suspects) == ("contradiction", ("Bo",))
    assert WORDS.finding_text(contradiction).startswith("Bo revoked, or the skat is illegal: ")
    last = {"Anna": ["T18", "T19"], "Bo": ["H1", "H2"], "Carl": ["T20", "T21"]}
    while session.hand.to_play is not None:
        session.apply(CardPlayed(session.hand.to_play, last[session.hand.to_play].pop()))
    (finding,) = session.hand.findings
    assert (finding.rule, finding.player, finding.evidence) == ("DISC-4", "Carl", ("T17",))


@rule("REV-3")
def test_one_suspect_is_accused_where_his_own_denials_fail_the_count() -> None:
    """Bo denies four suits and holds 22 cards: more than there are clubs, and the fool."""
    hand = hand_of("Anna S7  Bo C1  Carl S2\nAnna H9  Bo C2  Carl H10\nAnna D9  Bo C3")
    (contradiction,) = hand.findings
    assert (contradiction.kind, contradiction.suspects) == ("contradiction", ("Bo",))
    assert WORDS.finding_text(contradiction) == (
        "Bo revoked, but it is not known yet in which trick: the 1 of clubs (trick 1), the 2 of clubs (trick 2) "
        "and the 3 of clubs (trick 3) cannot all have been right."
    )


@rule("DISC-1")
@rule("DISC-2")
@rule("DISC-3")
@rule("DISC-4")
@rule("DISCX")
@pytest.mark.parametrize(
    ("skat", "rules", "expected"),
    [
        ("S1 S2 S3", "pagat-2024", set()),
        ("SR S2 S3", "pagat-2024", {"DISC-1"}),
        ("T21 S2 S3", "pagat-2024", {"DISC-1"}),
        ("T1 S2 S3", "pagat-2024", {"DISC-2"}),
        ("T1 S2 S3", "pagat-1996", set()),
        ("F S2 S3", "pagat-2024", {"DISC-3"}),
        ("T7 S2 S3", "dtf-2011", set()),
    ],
)
def test_a_skat_that_was_shown(skat: str, rules: str, expected: set[str]) -> None:
    hand = hand_of(f"Anna S9  Bo S10  Carl SV\nskat {skat}", rules=rules)
    assert {finding.rule for finding in hand.findings} == expected


@rule("DISC-3")
def test_the_fool_may_be_laid_for_an_announced_tout_but_never_under_dtf() -> None:
    text = "tout Carl\nAnna S9  Bo S10  Carl SV\nskat F S2 S3"
    assert hand_of(text).findings == []
    hand = hand_of(text, rules="dtf-2011")
    assert found(hand) == [("fool_discarded", "Carl", None)]
    # He did announce a Tout: that is not what was wrong.
    said = "Carl laid the fool in the skat, which may not be laid (DISC-3)."
    assert WORDS.finding_text(hand.findings[0]) == said


@rule("DISC-4")
def test_trumps_are_laid_only_by_a_dealer_who_keeps_none() -> None:
    kept = hand_of("Anna S9  Bo S10  Carl T3\nskat T7 S2 S3")
    assert [finding.rule for finding in kept.findings] == ["DISC-4"]
    # Shown before that, it is illegal from the first trump on that the dealer plays.
    text = "Anna S9  Bo S10  Carl SV\nskat T7 S2 S3\n"
    assert hand_of(text).findings == []
    (kept_after,) = hand_of(text + "Carl T3").findings
    assert (kept_after.rule, kept_after.known_at, kept_after.evidence) == ("DISC-4", (2, 4), ("T7",))
    kept = hand_of("Anna S9  Bo S10  Carl T3\nskat T1 S2 S3", rules="pagat-1996")
    assert [finding.rule for finding in kept.findings] == ["DISC-4"]


@rule("DISC-5")
@rule("DECLX")
def test_what_the_28_cards_held_is_not_false_even_if_a_card_of_it_was_laid() -> None:
    text = (GAMES / "dealer-declares-his-28-cards.txt").read_text(encoding="utf-8")
    hand = session_of(text).hand
    assert hand.complete
    kept = owed(PACK.mask(play.card for play in hand.plays if play.player == hand.dealer))
    made = {slot_of(combination) for combination in hand.declared[hand.dealer] or ()}
    assert made - set(kept)
    said = [finding for finding in hand.findings if finding.kind.startswith("declaration")]
    assert not any(finding.player == hand.dealer for finding in said)


@rule("DISC-6")
def test_what_the_dealer_tells_of_trumps_he_laid() -> None:
    told = {"pagat-1996": "how many", "pagat-2024": "whether there are any", "dtf-2011": "how many"}
    for name, what in told.items():
        text = rule_set_text(DANISH, RULE_SETS[name], "")
        assert f"when asked about trumps in the skat, the dealer tells {what}  [" in text


def test_taking_back_withdraws_a_whole_trick_and_its_payments() -> None:
    session = played("Anna SR  Bo T4  Carl S2")
    session.apply(PlaysTakenBack(2))
    assert paid(session) == {}
    assert session.hand.to_play == "Bo"
