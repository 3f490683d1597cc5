"""American Tarock at a table: what is entered late or anew counts from where it belongs, and what may come next."""

import random
from typing import Any

import pytest
from american_deals import LEGAL, random_session
from american_table import NAMES, TALON
from hypothesis import given
from hypothesis import strategies as st
from tracker_again import file_of, folded, read_again
from tracker_live import entered, live, plays

from tracker.american.audit import audit
from tracker.american.entering import (
    allowed_bids,
    allowed_calls,
    allowed_games,
    higher_games,
    may_announce,
    may_be_laid_open,
    may_be_turned_up,
    may_raise,
    missing_vitamins,
    next_step,
    shown_cards_next,
    talon_groups,
)
from tracker.american.events import (
    BidMade,
    BonusAnnounced,
    ContractNamed,
    GameRaised,
    GroupTaken,
    HandLaidOpen,
    LaidFaceUp,
    PartnerCalled,
    Redealt,
    RenonceBooked,
    SkeenchCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.doubts import doubt_of
from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    SessionOpened,
    TrickUnseen,
)
from tracker.session_file import export

rule = pytest.mark.rule
FIRST_TRICK = (("Anna", "S7"), ("Bo", "S8"), ("Carl", "S10"), ("Dora", "SV"))


def table(*events: Event, dealer: str = "Dora") -> AmericanSession:
    """A live evening of one round, after `events`."""
    session: AmericanSession = live(*events, rules="american-tarock", dealer=dealer)
    return session


def cards(*plays: tuple[str, str]) -> list[Event]:
    return [CardPlayed(player, card) for player, card in plays]


def written(session: AmericanSession) -> list[dict[str, Any]]:
    """The events of the round in its session file, which must be a good one."""
    data = export(session.record, AmericanSession)
    assert audit(folded(data)) == audit(session)
    events: list[dict[str, Any]] = data["hands"][0]["events"]
    return events


def exchanged(game: str = "two", take: int = 0) -> list[Event]:
    called = [PartnerCalled("H")] if game in ("three", "two", "one") else []
    return [ContractNamed(game, "Anna"), *called, TalonTurned(tuple(TALON)), GroupTaken(take)]


# -- entered late ----------------------------------------------------------------------------------------------


def test_all_that_comes_before_the_lead_may_be_entered_after_it_in_any_order() -> None:
    late = table(*cards(*FIRST_TRICK), ContractNamed("two", "Anna"), TalonTurned(tuple(TALON)))
    assert len(late.alerts) == 1  # a king is called first
    late = table(*cards(*FIRST_TRICK), ContractNamed("two", "Anna"), PartnerCalled("H"))
    late.apply(TalonTurned(tuple(TALON)))
    late.apply(GroupTaken(1))
    late.apply(PartnerCalled("C"))
    hand = late.hands[0]
    assert not late.alerts and hand.call.card == "CR" and hand.talon.taken is not None
    kinds = [next(iter(event)) for event in written(late)]
    assert kinds == ["contract", "call", "talon", "take", *["play"] * 4]


def test_what_is_said_after_the_exchange_stands_in_the_order_in_which_it_was_said() -> None:
    exchange = ["contract", "call", "talon", "take"]
    laid, kings, valat = LaidFaceUp(("T2",)), BonusAnnounced("Bo", "kings"), BonusAnnounced("Anna", "valat")
    for said, kinds in (
        ([laid, kings], ["discard", "announce"]),
        ([kings, laid], ["announce", "discard"]),
        ([valat, laid, kings], ["announce", "discard", "announce"]),
    ):
        session = table(*exchanged(), *said)
        assert not session.alerts and [next(iter(event)) for event in written(session)] == exchange + kinds
    raised = table(*exchanged("solo_two"), GameRaised(), laid)
    assert not raised.alerts and [next(iter(event)) for event in written(raised)][-2:] == ["discard", "raise"]


def test_a_bid_that_comes_when_the_game_is_known_is_an_alert_and_changes_nothing() -> None:
    session = table(*exchanged("two", take=1))
    session.apply(BidMade("Anna", "two"))
    assert len(session.alerts) == 1 and session.hands[0].talon.taken is not None


@given(st.integers(0, 10**9))
def test_whatever_the_order_of_entering_the_round_is_the_same(seed: int) -> None:
    """Each kind in its own order, as it was said; a card of the game never stands between."""
    chance = random.Random(seed)
    file = file_of(random_session(seed, LEGAL, hands=1))
    opened, started, *events = file.events
    assert isinstance(opened, SessionOpened)
    if any(event.key in ("take_back", "redeal", "renonce", "adjust", "raise") for event in events):
        return
    said = [event for event in events if event.before_lead]
    plays = [event for event in events if event.key == "play"]
    lived, late = AmericanSession(opened), AmericanSession(opened)
    for event in (started, *events):
        lived.apply(event)
    at = chance.randrange(len(plays) + 1)
    trick = 0
    for event in (started, *plays[:at], *said, *plays[at:]):
        late.apply(event)
    for event in events:
        if isinstance(event, VitaminTurned):
            trick += 1
            late.apply(VitaminTurned(event.card, trick))
        elif isinstance(event, HandLaidOpen):
            late.apply(event)
    assert not late.alerts
    assert audit(late) == audit(lived)
    assert late.replay(late.record).hands[0].entries == late.hands[0].entries
    written(late)


def test_a_vitamin_may_be_entered_tricks_later() -> None:
    second = (("Dora", "C7"), ("Anna", "C8"), ("Bo", "C9"), ("Carl", "C10"))
    session = table(ContractNamed("klop"), *cards(*FIRST_TRICK), *cards(*second))
    assert missing_vitamins(session.hands[0]) == [1, 2] and next_step(session.hands[0]) == "vitamin"
    session.apply(VitaminTurned("T9", 2))
    session.apply(VitaminTurned("T8", 1))
    assert session.hands[0].talon.vitamins == {1: "T8", 2: "T9"} and not session.alerts
    session.apply(VitaminTurned("T7", 1))  # it was misread
    assert session.hands[0].talon.vitamins == {1: "T7", 2: "T9"}
    places = [next(iter(event)) for event in written(session)]
    assert places == ["contract", *["play"] * 4, "vitamin", *["play"] * 4, "vitamin"]


def test_a_vitamin_lies_with_its_trick_also_after_one_that_nobody_saw() -> None:
    third = (("Dora", "HR"), ("Anna", "HD"), ("Bo", "HC"), ("Carl", "HV"))
    session = table(ContractNamed("klop"), TrickUnseen("Anna"), *cards(*FIRST_TRICK), *cards(*third))
    for vitamin in (VitaminTurned("T10", 3), VitaminTurned("T9", 2), VitaminTurned("T8", 1)):
        session.apply(vitamin)
    session.apply(VitaminTurned("T7", 2))  # it was misread
    assert session.hands[0].talon.vitamins == {1: "T8", 2: "T7", 3: "T10"} and not session.alerts
    written(session)


def test_a_vitamin_of_a_trick_that_was_not_played_is_an_alert() -> None:
    session = table(ContractNamed("klop"), *cards(*FIRST_TRICK), VitaminTurned("T8", 2))
    assert len(session.alerts) == 1 and not session.hands[0].talon.vitamins


# -- entered anew ----------------------------------------------------------------------------------------------


def test_a_game_entered_anew_replaces_the_first_and_what_no_longer_fits_gives_way() -> None:
    session = table(*exchanged("two", take=2), *cards(*FIRST_TRICK))
    session.apply(ContractNamed("solo_three", "Bo"))
    hand = session.hands[0]
    assert not session.alerts
    # Nobody calls in a solo game, and a Talon in threes has no third group.
    assert (hand.declarer, hand.call.said, hand.talon.taken, next_step(hand)) == ("Bo", None, None, "take")
    assert len(hand.plays) == 4
    session.apply(GroupTaken(1))
    assert [next(iter(event)) for event in written(session)][:3] == ["contract", "talon", "take"]


def test_taking_back_what_was_entered_anew_brings_back_what_gave_way() -> None:
    session = table(*exchanged("two", take=2), *cards(*FIRST_TRICK))
    before = audit(session)
    session.apply(ContractNamed("solo_three", "Bo"))
    session.apply(EventRetracted(session.record[-1].seq))
    assert audit(session) == before


def test_a_game_that_contradicts_the_bids_replaces_them() -> None:
    bids = [BidMade("Anna", "two"), *(BidMade(player, "pass") for player in NAMES[1:])]
    session = table(*bids, ContractNamed("one", "Anna"))
    assert len(session.hands[0].bidding.bids) == 4
    session.apply(ContractNamed("one", "Bo"))
    assert session.hands[0].bidding.bids == [] and session.hands[0].declarer == "Bo" and not session.alerts
    written(session)


def test_what_is_entered_after_a_new_deal_leaves_the_deal_before_alone() -> None:
    session = table(BidMade("Anna", "two"), Redealt("misdeal"), BidMade("Anna", "pass"))
    assert session.hands[0].bidding.bids == [("Anna", "pass")]
    assert [next(iter(event)) for event in written(session)] == ["bid", "redeal", "bid"]


def test_a_talon_with_a_card_that_was_played_is_an_alert_and_changes_nothing() -> None:
    session = table(ContractNamed("solo_two", "Anna"), *cards(*FIRST_TRICK))
    session.apply(TalonTurned(("S7", "T2", "T3", "T5", "T6", "T7")))
    session.apply(GroupTaken(1))
    assert len(session.alerts) == 1 and "S7" in str(session.alerts[0].reason)
    assert session.hands[0].talon.taken is None


# -- what may come next ----------------------------------------------------------------------------------------


def steps(*events: Event) -> list[str]:
    """The step after the deal and after each event."""
    session = table()
    found = [next_step(session.hands[0])]
    for event in events:
        session.apply(event)
        found.append(next_step(session.hands[0]))
    assert not session.alerts
    return found


def test_a_game_with_a_call_goes_from_the_bids_to_the_first_card() -> None:
    bids = [BidMade("Anna", "two"), *(BidMade(player, "pass") for player in NAMES[1:])]
    asked = steps(*bids, PartnerCalled("H"), TalonTurned(tuple(TALON)), GroupTaken(0))
    assert asked == [*["bid"] * 4, "call", "talon", "take", "play"]


def test_a_klop_asks_for_a_vitamin_after_each_of_six_tricks() -> None:
    asked = steps(ContractNamed("klop"), *cards(*FIRST_TRICK), VitaminTurned("T8"))
    assert asked == ["bid", *["play"] * 4, "vitamin", "play"]


def test_a_game_that_is_decided_is_over() -> None:
    lost = [("Anna", "SR"), ("Bo", "S8"), ("Carl", "S10"), ("Dora", "SV")]
    assert steps(ContractNamed("barach", "Anna"), *cards(*lost))[-2:] == ["play", "over"]


def test_a_lead_out_of_turn_that_the_camera_saw_in_rows_is_flagged_once_the_next_trick_is_complete() -> None:
    """Where the cards stay the next lead may pass for a card of the trick that the camera missed."""
    plays = "Anna:S7 Bo:S8 Carl:S10 Dora:SV Carl:H1 Dora:H2 Anna:H3 Bo:H4 Carl:D2 Dora:D3 Anna:D4 Bo:D1"
    seen = [CardPlayed(*play.split(":"), time_s=float(at)) for at, play in enumerate(plays.split())]
    for count in range(5, 13):
        hand = table(ContractNamed("barach", "Anna"), *seen[:count]).hands[0]
        (lead,) = (one for one in hand.findings if one.kind == "lead_out_of_turn" and one.trick == 2)
        assert lead.player == "Carl" and doubt_of(hand, lead) == (None if count == 12 else "turn")


def test_a_round_played_before_its_game_was_entered_still_asks_for_it() -> None:
    opened, *events = file_of(random_session(5, LEGAL, hands=1)).events
    session = entered(opened, *(event for event in events if isinstance(event, HandStarted | CardPlayed)))
    assert len(session.hands[0].plays) == 48 and next_step(session.hands[0]) == "bid"


def hand_after(*events: Event) -> AmericanHand:
    session = table(*events)
    assert not session.alerts
    return session.hands[0]


@rule("AT-BID-2")
def test_a_junior_is_offered_higher_games_and_a_senior_the_last_bid_too() -> None:
    junior = hand_after(BidMade("Anna", "solo_one"))
    assert allowed_bids(junior)[:3] == ["pass", "barach", "solo_no_peek"]
    senior = hand_after(
        BidMade("Anna", "three"), BidMade("Bo", "solo_one"), BidMade("Carl", "pass"), BidMade("Dora", "pass")
    )
    assert allowed_bids(senior)[:2] == ["pass", "solo_one"]
    assert allowed_bids(hand_after(ContractNamed("klop"))) == []


@rule("AT-COMP-2")
def test_in_a_compulsory_klop_bids_from_solo_no_peek_on_are_offered() -> None:
    hand = hand_after(Redealt("no_tarocks"))
    assert allowed_bids(hand) == ["pass", "solo_no_peek", "open_barach", "colour_valat", "solo_barcelona"]
    assert allowed_games(hand) == ["klop", *allowed_bids(hand)[1:]]


@rule("AT-BID-3")
def test_the_declarer_is_offered_his_bid_and_what_is_higher() -> None:
    bids = [BidMade("Anna", "open_barach"), *(BidMade(player, "pass") for player in NAMES[1:])]
    assert allowed_games(hand_after(*bids)) == ["open_barach", "colour_valat", "solo_barcelona"]
    assert allowed_games(hand_after(*(BidMade(player, "pass") for player in NAMES))) == ["klop"]
    assert len(allowed_games(hand_after())) == 12


@rule("AT-BID-5")
def test_until_the_bids_are_all_there_every_contract_may_be_entered_in_their_place() -> None:
    for bids in ([BidMade("Anna", "pass")], [BidMade("Anna", "two"), BidMade("Bo", "pass")]):
        assert len(allowed_games(hand_after(*bids))) == 12


def test_a_call_is_offered_in_games_with_one() -> None:
    calls = ("S", "H", "D", "C", "fourth", "F", "T21", "T1")
    assert allowed_calls(hand_after(ContractNamed("two", "Anna"))) == calls
    assert allowed_calls(hand_after(ContractNamed("solo_two", "Anna"))) == ()


def test_the_talon_is_offered_in_its_groups() -> None:
    assert talon_groups(hand_after(*exchanged("two")[:-1])) == [("T4", "S9"), ("C7", "DV"), ("H2", "T12")]
    assert talon_groups(hand_after(ContractNamed("klop"))) == []


def test_tarocks_may_be_laid_open_but_no_five_and_none_of_the_group() -> None:
    offered = may_be_laid_open(hand_after(*exchanged("two", take=0)))
    assert "T2" in offered and not {"T4", "T12", "F", "T21", "T1", "S9"} & set(offered)
    assert may_be_laid_open(hand_after(ContractNamed("klop"))) == []


def test_each_may_announce_what_he_has_not_yet_and_nobody_after_a_raise() -> None:
    events = [*exchanged("solo_two"), LaidFaceUp(()), BonusAnnounced("Bo", "kings")]
    hand = hand_after(*events)
    assert may_announce(hand, "Bo") == ["pagat_ultimo", "valat"] and may_raise(hand)
    assert len(may_announce(hand, "Anna")) == 3
    raised = hand_after(*events, GameRaised())
    assert may_announce(raised, "Anna") == [] and not may_raise(raised)
    assert not may_raise(hand_after(*exchanged("two")))


def test_cards_that_lie_elsewhere_are_not_offered() -> None:
    hand = hand_after(*exchanged("two", take=0), *cards(("Anna", "T4")))
    anna, bo = (PACK.names(hand.could_hold(player)) for player in ("Anna", "Bo"))
    assert "S9" in anna and "S9" not in bo
    assert "T4" not in anna and "C7" not in anna
    assert "C7" not in may_be_turned_up(hand)


@rule("AT-KLOP-2")
def test_a_vitamin_entered_while_a_card_of_its_trick_is_missing_does_not_take_an_earlier_ones_place() -> None:
    first = [ContractNamed("klop"), *cards(*FIRST_TRICK), VitaminTurned("T8")]
    session = table(*first, *cards(("Dora", "C7"), ("Anna", "C8"), ("Bo", "C9")), VitaminTurned("T9"))
    assert session.hands[0].talon.vitamins == {1: "T8"} and len(session.alerts) == 1
    session.apply(CardPlayed("Carl", "C10"))
    session.apply(VitaminTurned("T9"))
    assert session.hands[0].talon.vitamins == {1: "T8", 2: "T9"}
    again = read_again(session)
    assert again.hands[0].talon.vitamins == session.hands[0].talon.vitamins


def test_a_hand_is_awaited_on_the_table_after_the_first_trick_of_an_open_barach_alone() -> None:
    for name, awaited in (("open_barach", "hand"), ("barach", None)):
        hand = hand_after(ContractNamed(name, "Anna"), *cards(*FIRST_TRICK))
        shown = shown_cards_next(hand)
        assert (shown.kind if shown else None) == awaited
    assert shown_cards_next(hand_after(ContractNamed("open_barach", "Anna"))) is None


@pytest.mark.parametrize(
    ("events", "kind", "count", "player"),
    [
        ([], None, 0, None),
        ([ContractNamed("two", "Anna"), PartnerCalled("H")], "talon", 6, None),
        (exchanged("two")[:-1], "group", 2, "Anna"),
        (exchanged("three", take=0), "discard", 3, "Anna"),
        ([*exchanged("two"), *cards(("Anna", "S7"))], None, 0, None),
        ([ContractNamed("solo_two", "Anna"), *cards(("Anna", "S7"))], None, 0, None),
        ([ContractNamed("klop"), *cards(*FIRST_TRICK)], "vitamin", 1, None),
        ([ContractNamed("klop"), *cards(*FIRST_TRICK), VitaminTurned("T8")], None, 0, None),
    ],
)
def test_what_lies_open_next_and_is_no_play(
    events: list[Event], kind: str | None, count: int, player: str | None
) -> None:
    shown = shown_cards_next(hand_after(*events))
    assert (shown.kind, shown.count, shown.player) == (kind, count, player) if shown else kind is None


def test_a_group_seen_is_the_one_that_is_taken() -> None:
    shown = shown_cards_next(hand_after(*exchanged("two")[:-1]))
    assert [shown.event(group) for group in shown.groups] == [GroupTaken(0), GroupTaken(1), GroupTaken(2)]


@rule("AT-BID-3")
def test_the_declarer_may_name_a_higher_game_until_the_talon_or_the_first_card() -> None:
    bids = [BidMade("Anna", "solo_two"), *(BidMade(player, "pass") for player in NAMES[1:])]
    higher = higher_games(hand_after(*bids))
    assert higher[0] == "solo_one" and "solo_two" not in higher and "two" not in higher
    assert higher_games(hand_after(*bids, *cards(("Anna", "S7")))) == []
    assert higher_games(hand_after(*bids, TalonTurned(tuple(TALON)))) == []
    assert higher_games(hand_after(ContractNamed("solo_two", "Anna"))) == []


def test_what_lies_open_awaits_a_word_until_game_and_call_are_known() -> None:
    assert hand_after().awaits_word
    assert not hand_after(HandAbandoned()).awaits_word
    assert not hand_after(ContractNamed("barach", "Anna")).awaits_word


def test_a_hand_that_cannot_be_dealt_any_more_moves_no_chips_twice() -> None:
    """A hand after the last one is refused. Then the last declarer is put right, and the fine is there once."""
    trick = plays("Anna F  Bo T5  Carl T6  Dora T7")
    called = [SkeenchCalled("Dora"), ContractNamed("solo_barcelona", "Anna"), *trick]
    last = [HandStarted(), ContractNamed("solo_barcelona", "Bo"), RenonceBooked("Anna", 17, "talked")]
    session = table(*called, *last, HandStarted())
    assert [alert.seq for alert in session.alerts] == [len(session.record)]
    session.apply(ContractNamed("solo_barcelona", "Carl"))
    assert len(session.alerts) == 1 and session.hands[-1].declarer == "Carl"
    assert session.balances["Anna"] == -17
