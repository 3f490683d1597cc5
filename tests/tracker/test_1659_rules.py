"""Each rule of the Tarot of 1659, shown by a deal. The mark says which."""

import json
from typing import Any

import pytest
from tracker_again import folded
from tracker_games import read_game

from tracker.errors import TarokError
from tracker.events import (
    CardPlayed,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    SessionOpened,
)
from tracker.games import read_session, rule_set_in_file, rules_named
from tracker.rule_sets import option_keys
from tracker.rule_sets_text import rule_set_text, rule_sets_text
from tracker.tarot1659.audit import audit
from tracker.tarot1659.events import Adjusted, Fined, FoolExchanged
from tracker.tarot1659.game import TAROT_1659
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK
from tracker.tarot1659.rule_sets import RULE_SETS, most_cards
from tracker.tarot1659.session import Session1659

rule = pytest.mark.rule
FOUR = "Anna Bo Carl Dora"
SIX = "Anna Bo Carl Dora Erik Fie"


def played(text: str, seats: str = FOUR, dealer: str | None = None, **options: object) -> Session1659:
    """The session of one hand in the notation of `tracker_games`; the last of `seats` deals, one card each."""
    lines = "".join(f"option {key} {value}\n" for key, value in ({"cards": 1} | options).items())
    head = f"rules tarot-1659\n{lines}seats {seats}\nhand {dealer or seats.split()[-1]}\n"
    return folded(read_game(head + text))


def hand_of(text: str, **how: Any) -> Hand1659:
    return played(text, **how).hands[-1]


def found(hand: Hand1659) -> list[tuple[str, str | None, int | None]]:
    """Each finding as (kind, player, trick)."""
    return [(finding.kind, finding.player, finding.trick) for finding in hand.findings]


def proofs(hand: Hand1659) -> list[tuple[str | None, tuple[int, int] | None, tuple[str, ...]]]:
    """How each revoke is known, since when, and by which cards."""
    return [(one.status, one.known_at, one.evidence) for one in hand.findings if one.kind == "revoke"]


def paid(session: Session1659, *reasons: str) -> list[tuple[str, str, str, int]]:
    """The payments for `reasons`: the rule, from, to, how many chips."""
    return [
        (one.rule, one.source, one.target, one.amount) for one in session.payments if one.reason in reasons
    ]


# -- cards, table, deal --------------------------------------------------------------------------------------


@rule("T59-CARD-1")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("Anna H1  Bo H2  Carl H10  Dora H9", "Carl"),
        ("Anna D10  Bo DV  Carl D1  Dora D2", "Bo"),
        ("Anna SR  Bo SD  Carl SC  Dora SV", "Anna"),
        ("Anna T1  Bo T21  Carl T20  Dora T2", "Bo"),
    ],
)
def test_all_suits_rank_alike_and_trumps_from_21_down(trick: str, winner: str) -> None:
    assert hand_of(trick).tricks[0].winner == winner


@rule("T59-CARD-2")
def test_the_fool_has_no_suit_and_no_rank() -> None:
    hand = hand_of("Anna F  Bo H2  Carl H3  Dora H4")
    assert hand.tricks[0].suit == "H" and hand.tricks[0].winner == "Dora"


@rule("T59-CARD-3")
def test_points_are_those_of_the_cards_and_one_for_each_trick() -> None:
    hand = hand_of("Anna SR  Bo SD  Carl SC  Dora SV\nAnna T21  Bo T1  Carl T2  Dora T3", cards=2)
    assert hand.points == {"Anna": 4 + 3 + 2 + 1 + 4 + 4 + 2, "Bo": 0, "Carl": 0, "Dora": 0}
    assert PACK.value(PACK.all_cards) == 53


@rule("T59-TABLE-1")
@pytest.mark.parametrize("count", [3, 7])
def test_four_to_six_play(count: int) -> None:
    with pytest.raises(TarokError, match=f"tarot-1659 is for 4 to 6 players, not {count}"):
        Session1659(SessionOpened("tarot-1659", (("cards", 1),), tuple("ABCDEFG"[:count])))


@rule("T59-TABLE-2")
def test_as_many_cards_as_agreed_up_to_the_whole_pack_shared_out() -> None:
    assert [most_cards(players) for players in (4, 5, 6)] == [19, 15, 13]
    seats = tuple(SIX.split())
    Session1659(SessionOpened("tarot-1659", (("cards", 13),), seats))
    with pytest.raises(TarokError, match="14 cards each are too many for 6 players: at most 13"):
        Session1659(SessionOpened("tarot-1659", (("cards", 14),), seats))


@rule("T59-TABLE-3")
def test_a_misdeal_costs_nothing_and_the_next_seat_deals_next() -> None:
    session = played("redeal misdeal\nAnna S1  Bo S2  Carl S3  Dora S4")
    assert paid(session, "fine") == [] and session.hands[0].complete
    assert session.next_dealer == "Anna"
    with pytest.raises(TarokError, match="cannot be dealt again once a card is played"):
        played("Anna S1\nredeal misdeal")


@rule("T59-TABLE-4")
def test_eldest_hand_leads_and_play_goes_round_from_there() -> None:
    hand = hand_of("", dealer="Bo")
    assert hand.active == ("Carl", "Dora", "Anna", "Bo") and hand.to_play == "Carl"


@rule("T59-ANTE-1")
def test_everybody_antes_before_each_hand() -> None:
    session = played("hand Anna", ante=7)
    assert paid(session, "ante") == [("T59-ANTE-1", player, "pot", 7) for player in FOUR.split()] * 2
    assert session.pots == {"pot": 56}


# -- play ----------------------------------------------------------------------------------------------------


@rule("T59-PLAY-1")
def test_who_wins_leads() -> None:
    hand = hand_of("Anna S1  Bo S2  Carl SR  Dora S3", cards=2)
    assert hand.to_play == "Carl"


@rule("T59-PLAY-2")
def test_neither_following_nor_trumping_with_the_cards_for_it_is_a_revoke() -> None:
    hand = hand_of(
        """Anna S1  Bo H2  Carl T5  Dora S2
        Carl D1  Dora D2  Anna D3  Bo D4
        Bo SR  Carl S9  Dora S8  Anna T2""",
        cards=4,
    )
    # Bo denied spades and trumps, and leads a spade; Carl denied spades alone.
    revoked = [(player, trick) for kind, player, trick in found(hand) if kind == "revoke"]
    assert revoked == [("Bo", 1), ("Carl", 1)]


@rule("T59-PLAY-3")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("Anna S1  Bo SR  Carl T1  Dora T2", "Dora"),
        ("Anna S1  Bo HR  Carl S2  Dora DR", "Carl"),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(trick: str, winner: str) -> None:
    assert hand_of(trick).tricks[0].winner == winner


@rule("T59-FOOL-1")
def test_the_fool_may_be_played_to_anything_says_nothing_and_never_wins() -> None:
    hand = hand_of("Anna S1  Bo F  Carl H9  Dora D9\nAnna S2  Bo S3  Carl C9  Dora C8", cards=3)
    assert hand.tricks[0].winner == "Anna"
    assert found(hand) == []


@rule("T59-FOOL-2")
def test_the_second_card_to_a_led_fool_is_the_suit_led() -> None:
    hand = hand_of("Anna F  Bo H2  Carl S9  Dora H3\nDora H4  Anna H5  Bo S1  Carl H6", cards=3)
    assert (hand.tricks[0].suit, hand.tricks[0].winner) == ("H", "Dora")
    assert found(hand) == [("revoke", "Carl", 1)]


@rule("T59-FOOL-3")
def test_the_fool_is_kept_and_paid_for_with_a_card_that_was_won() -> None:
    hand = hand_of("Anna SR  Bo S2  Carl S3  Dora S4\nAnna F  Bo H2  Carl H3  Dora H4\nfool Anna S2", cards=2)
    assert hand.fool == ("Anna", 2, "Dora", "S2", "exchanged")
    assert hand.points == {"Anna": 5 + 4 + 1, "Bo": 0, "Carl": 0, "Dora": 1}


@rule("T59-FOOL-3")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Anna SR  Bo S2  Carl S3  Dora S4\nfool Anna S2", "Anna did not play the fool"),
        ("Anna SR  Bo F  Carl S3  Dora S4\nfool Anna S3", "Anna did not play the fool"),
        ("Anna SR  Bo F\nfool Bo SR", "the trick with the fool is not finished"),
        ("Anna SR  Bo F  Carl S3  Dora S4\nfool Bo S3", "Bo has not won S3"),
        (
            "Anna SR  Bo S2  Carl S3  Dora S4\nAnna F  Bo H2  Carl H3  Dora H4\nfool Anna H2",
            "Anna has not won H2",
        ),
        (
            "Anna SR  Bo S2  Carl S3  Dora S4\nAnna F  Bo H2  Carl H3  Dora H4\nfool Anna S2\nfool Anna S3",
            "the fool was already paid for with S2",
        ),
        (
            "Anna SR  Bo S2  Carl S3  Dora S4\nAnna F  Bo H2  Carl H3  Dora H4\nfool Anna S2\ntake back 1",
            "plays before the card given for the fool cannot be taken back",
        ),
    ],
)
def test_what_is_no_exchange(text: str, message: str) -> None:
    with pytest.raises(TarokError, match=message):
        played(text, cards=3)


def test_a_card_played_after_the_exchange_may_be_taken_back() -> None:
    text = "Anna SR  Bo S2  Carl S3  Dora S4\nAnna F  Bo H2  Carl H3  Dora H4\nfool Anna S2\nDora D1\ntake back 1\n"
    hand = hand_of(text + "Dora C1", cards=3)
    assert hand.given == "S2" and hand.plays[-1].card == "C1"


@rule("T59-FOOL-4")
def test_who_has_won_nothing_pays_out_of_the_first_trick_he_wins() -> None:
    text = "Anna F  Bo H2  Carl H3  Dora H4\nDora S1  Anna S2  Bo S3  Carl S4\nCarl D1  Dora D2  Anna DR  Bo D3\n"
    assert hand_of(text, cards=4).fool == ("Anna", 1, "Dora", None, "open")
    hand = hand_of(text + "fool Anna DR\nAnna C1  Bo C2  Carl C3  Dora C4", cards=4)
    assert hand.fool == ("Anna", 1, "Dora", "DR", "exchanged")
    assert hand.points == {"Anna": 5 + 1, "Bo": 0, "Carl": 1, "Dora": 4 + 2}


@rule("T59-FOOL-5")
def test_who_wins_no_trick_loses_the_fool() -> None:
    hand = hand_of("Anna F  Bo H2  Carl H3  Dora H4")
    assert hand.fool == ("Anna", 1, "Dora", None, "surrendered")
    assert hand.points == {"Anna": 0, "Bo": 0, "Carl": 0, "Dora": 6} and found(hand) == []


@rule("T59-FOOL-6")
def test_a_fool_that_was_not_paid_for_is_reported_and_counted_as_paid_with_the_cheapest() -> None:
    text = "Anna SR  Bo SV  Carl SC  Dora SD\nAnna F  Bo H2  Carl H3  Dora H4\n"
    hand = hand_of(text, cards=2)
    (one,) = hand.findings
    assert (one.kind, one.player, one.trick, one.card) == ("fool_unpaid", "Anna", 2, "F")
    assert one.known_at == (2, 8)
    assert hand.points == {"Anna": 4 + 3 + 2 + 5 + 1, "Bo": 0, "Carl": 0, "Dora": 1 + 1}
    late = hand_of(text + "fool Anna SR", cards=2)
    assert found(late) == [] and late.points == {"Anna": 1 + 3 + 2 + 5 + 1, "Bo": 0, "Carl": 0, "Dora": 4 + 1}


# -- the pot -------------------------------------------------------------------------------------------------

TIE = "Anna SV  Bo S1  Carl S2  Dora S3\nAnna H1  Bo HV  Carl H2  Dora H3\n"


@rule("T59-WIN-1")
def test_the_highest_score_takes_the_pot() -> None:
    session = played("Anna SR  Bo S1  Carl S2  Dora S3")
    assert paid(session, "win") == [("T59-WIN-1", "pot", "Anna", 40)]
    assert session.hands[0].winners == ["Anna"] and session.pots == {"pot": 0}


@rule("T59-WIN-2")
def test_a_tie_is_split_or_carried_over() -> None:
    split = played(TIE, cards=2, ante=11, seats=FOUR)
    assert paid(split, "win") == [("T59-WIN-2", "pot", "Anna", 22), ("T59-WIN-2", "pot", "Bo", 22)]
    odd = played("fine Anna 1\n" + TIE, cards=2)
    assert paid(odd, "win") == [("T59-WIN-2", "pot", "Anna", 20), ("T59-WIN-2", "pot", "Bo", 20)]
    assert odd.pots == {"pot": 1}
    carried = played(TIE, cards=2, tie="carry")
    assert paid(carried, "win") == [] and carried.pots == {"pot": 40}
    assert carried.hands[0].winners == ["Anna", "Bo"]


@rule("T59-FINE-1")
def test_a_fine_is_of_any_amount_and_proposed_by_nobody() -> None:
    session = played(
        "Anna S1  Bo H2  Carl S2  Dora S3\nfine Bo 3 revoke\nDora S4  Anna S5  Bo S6  Carl S7", cards=2
    )
    assert [finding.fine for finding in session.hands[0].findings] == [0]
    assert paid(session, "fine") == [("T59-FINE-1", "Bo", "pot", 3)]
    for text, message in (
        ("fine Bo 0", "a fine is from 1 to"),
        ("fine Bo 3 hand 2", "there is no hand 2 to fine Bo in"),
    ):
        with pytest.raises(TarokError, match=message):
            played(text)


@rule("T59-FINE-2")
def test_an_adjustment_moves_chips_and_takes_no_more_than_the_pot_holds() -> None:
    session = played("adjust pot Bo 3 counted again\nadjust Anna Carl 1 he owed him")
    assert paid(session, "adjustment") == [("T59-FINE-2", "pot", "Bo", 3), ("T59-FINE-2", "Anna", "Carl", 1)]
    with pytest.raises(TarokError, match="pot holds 40 chips, not 41"):
        played("adjust pot Bo 41 so")


@rule("T59-FINE-3")
def test_a_fool_paid_for_after_the_last_card_moves_the_pot_and_not_what_came_after_it() -> None:
    text = "Anna SR  Bo S2  Carl S3  Dora S4\nAnna F  Bo HR  Carl HD  Dora H4\nfine Carl 6\n"
    before = played(text, cards=2)
    assert paid(before, "win", "fine") == [("T59-WIN-1", "pot", "Anna", 40), ("T59-FINE-1", "Carl", "pot", 6)]
    after = played(text + "fool Anna SR", cards=2)
    assert paid(after, "win", "fine") == [("T59-WIN-1", "pot", "Bo", 40), ("T59-FINE-1", "Carl", "pot", 6)]
    assert after.pots == {"pot": 6}


def test_a_late_exchange_that_would_leave_too_little_in_the_pot_is_refused_and_changes_nothing() -> None:
    # Ten each: 41 are split, and the chip that is left is taken out. Paid for with T1 the fool leaves Bo the highest.
    tie = "fine Dora 1\nAnna F  Bo SR  Carl SD  Dora SC\nBo H1  Carl H2  Dora H3  Anna T1\nadjust pot Carl 1 so\n"
    session = played(tie, cards=2)
    hand = session.hands[0]
    assert (hand.winners, session.pots) == (["Anna", "Bo"], {"pot": 0})
    before = audit(session)
    with pytest.raises(
        TarokError, match="the pot would hold less than was taken out of it after the last card"
    ):
        session.apply(FoolExchanged("Anna", "T1"))
    assert audit(session) == before
    session.apply(FoolExchanged("Anna", "H1"))
    assert (hand.winners, session.pots) == (["Anna", "Bo"], {"pot": 0})


@rule("T59-SEAT-1")
def test_who_joins_pays_a_share_and_who_leaves_takes_one() -> None:
    text = "Anna SR  Bo S1  Carl S2  Dora S3\nfine Bo 6\njoin Erik after Dora\nleave Carl\n"
    session = played(text)
    # 6 / 4 is 1.5, so 2; then 8 / 5 is 1.
    assert paid(session, "join", "leave") == [
        ("T59-SEAT-1", "Erik", "pot", 2),
        ("T59-SEAT-1", "pot", "Carl", 1),
    ]
    assert session.seats == ("Anna", "Bo", "Dora", "Erik") and session.next_dealer == "Erik"
    with pytest.raises(TarokError, match="Anna cannot leave: 4 or more must stay"):
        played(text + "leave Anna")
    with pytest.raises(TarokError, match="19 cards each are too many for 5 players: at most 15"):
        played("join Erik after Dora", cards=19)


@rule("T59-END-1")
def test_what_is_left_at_the_end_is_shared_from_the_next_dealer_on() -> None:
    session = played("fine Anna 2\nclose")
    shares = {"Anna": 11, "Bo": 11, "Carl": 10, "Dora": 10}
    assert paid(session, "close") == [("T59-END-1", "pot", name, chips) for name, chips in shares.items()]


# -- what can be known ---------------------------------------------------------------------------------------


@rule("T59-REV-1")
@pytest.mark.parametrize(
    ("first", "later", "revoked"),
    [
        ("Bo H2", "S9", True),  # off the suit led, no trump: neither spades …
        ("Bo H2", "T9", True),  # … nor trumps
        ("Bo T2", "S9", True),
        ("Bo T2", "T9", False),  # a trump says nothing of trumps
        ("Bo F", "S9", False),  # the fool says nothing
        ("Bo S2", "S9", False),
    ],
)
def test_what_a_card_says_of_its_players_hand(first: str, later: str, revoked: bool) -> None:
    hand = hand_of(f"Anna SR  {first}  Carl S4  Dora S5", cards=3)
    leader = hand.to_play
    session = played(f"Anna SR  {first}  Carl S4  Dora S5\nBo {later}", cards=3)
    kinds = [kind for kind, *_ in found(session.hands[0])]
    assert ("revoke" in kinds) is revoked
    assert ("lead_out_of_turn" in kinds) is (leader != "Bo")


@rule("T59-REV-2")
def test_a_revoke_is_shown_by_the_first_card_that_was_denied_and_all_that_follow_are_evidence() -> None:
    hand = hand_of(
        """Anna S1  Bo H2  Carl S3  Dora S2
        Carl D1  Dora D2  Anna D3  Bo T1
        Bo S9  Carl S4  Dora S5  Anna S6""",
        cards=4,
    )
    assert proofs(hand) == [("shown", (2, 8), ("T1", "S9"))]


@rule("T59-REV-2")
def test_a_count_proves_it_where_too_few_cards_are_left_to_hold() -> None:
    """Six players, 13 cards each: all are dealt, and only trumps are left but one when Fie has two to play."""
    order = [card for card in PACK.cards if card[0] in "SHDC"] + ["F"]
    trumps = [f"T{number}" for number in range(1, 22)]
    plays = []
    players = SIX.split()
    hand = Session1659(SessionOpened("tarot-1659", (("cards", 13),), tuple(players)))
    hand.apply(HandStarted("Fie"))
    # Fie denies hearts and trumps with a spade in trick 1, then everybody throws the plain suits away.
    first = ["H1", "H2", "H3", "H4", "H5", "S1"]
    rest = [card for card in [*order, *trumps] if card not in first]
    for number in range(78):
        card = first[number] if number < 6 else rest[number - 6]
        player = hand.hands[0].to_play if number >= 6 else players[number]
        assert player is not None
        hand.apply(CardPlayed(player, card))
        plays.append((player, card))
        revokes = [one for one in hand.hands[0].findings if one.kind == "revoke" and one.trick == 1]
        unseen = [other for other in PACK.cards if other not in [card for _, card in plays]]
        outside = [other for other in unseen if other[0] not in "HT"]
        holds = 13 - sum(name == "Fie" for name, _ in plays)
        shown = any(name == "Fie" and one[0] in "HT" for name, one in plays[6:])
        assert bool(revokes) == (shown or len(outside) < holds)
        if revokes:
            assert revokes[0].status == ("shown" if shown else "proved")
            break
    assert revokes


@rule("T59-ORDER")
def test_out_of_turn_is_reported_and_the_trick_goes_on_from_whoever_led() -> None:
    hand = hand_of("Bo S1  Anna S2  Carl S3  Dora S4")
    assert found(hand) == [("lead_out_of_turn", "Bo", 1), ("play_out_of_turn", "Anna", 1)]
    assert [play.player for play in hand.tricks[0].plays] == ["Bo", "Anna", "Carl", "Dora"]


# -- live ----------------------------------------------------------------------------------------------------


def test_live_what_cannot_be_is_an_alert_and_a_correction_moves_all_that_follows() -> None:
    live = Session1659(SessionOpened("tarot-1659", (("cards", 1),), tuple(FOUR.split())))
    live.apply(HandStarted("Dora"))
    for player, card in (("Anna", "SR"), ("Bo", "S1"), ("Carl", "S2"), ("Dora", "S3")):
        live.apply(CardPlayed(player, card))
    assert live.hands[0].winners == ["Anna"] and live.balances["Anna"] == 30
    live.apply(PlayCorrected(3, card="S4"))
    assert live.hands[0].winners == ["Anna"]
    live.apply(PlayCorrected(4, card="T4"))
    assert live.hands[0].winners == ["Bo"]
    assert live.balances == {"Anna": -10, "Bo": 30, "Carl": -10, "Dora": -10}
    for event, message in (
        (FoolExchanged("Bo", "T4"), "Bo did not play the fool"),
        (FoolExchanged("Bo", "K9"), "Bo did not play the fool"),
        (Fined("Zoe", 3), "Zoe did not sit at the table in hand 1"),
        (Adjusted("pot", "Bo", 3, "so"), "pot holds 0 chips, not 3"),
        (HandAbandoned(), "the hand is over"),
        (PlayerLeft("Bo"), "Bo cannot leave: 4 or more must stay"),
        (PlayerJoined("pot", "Bo"), "a player cannot be called 'pot': that is a pot"),
    ):
        live.apply(event)
        assert live.alerts[-1].message == message


def test_a_clubs_own_rules_are_played_with_its_options(tmp_path: Any) -> None:
    path = tmp_path / "old.toml"
    path.write_text('base = "tarot-1659"\ncards = 15\nante = 3\n', encoding="utf-8")
    rules = rule_set_in_file(str(path))
    assert (rules.name, rules.cards, rules.ante, rules.tie) == ("old", 15, 3, "split")
    assert rules_named(str(path)) == ("tarot-1659", (("name", "old"), ("cards", 15), ("ante", 3)))
    session = {"format": "tarok-session/1", "rules": "tarot-1659", "seats": FOUR.split(), "hands": []}
    file = json.dumps(session)
    assert read_session(file, rules)[1].session().rules == rules
    danish = file.replace("tarot-1659", "dtf-2011")
    with pytest.raises(
        TarokError, match="rules: the club's rules 'old' are for another game than 'dtf-2011'"
    ):
        read_session(danish, rules)
    path.write_text('base = "tarot-1659"\ncards = 20\n', encoding="utf-8")
    with pytest.raises(TarokError, match="cards must be from 1 to 19 cards, not 20"):
        rule_set_in_file(str(path))


def test_the_rule_set_prints_with_its_source_and_a_line_for_each_option() -> None:
    rules = RULE_SETS["tarot-1659"]
    text = rule_set_text(TAROT_1659, rules, TAROT_1659.words.rule_set_source("tarot-1659"))
    assert text.startswith("tarot-1659\n") and "La maison académique des jeux, 1659" in text
    assert "T59-ANTE-1  before each hand every player antes 10 into the pot  [ante]" in text
    assert TAROT_1659.rule_lines.keys() == set(option_keys(rules)) - {"name"}
    assert any(line.split() == ["tie", "split"] for line in rule_sets_text(TAROT_1659).splitlines())
