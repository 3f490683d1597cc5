"""A live evening: doubtful and impossible readings, corrections, and a fourth player."""

from pathlib import Path

import pytest
from tracker_again import file_of, read_again
from tracker_deals import PACK, Planned, random_session
from tracker_live import entered, live, plays

import tracker
from tracker.danish.audit import audit
from tracker.danish.combination import Combination
from tracker.danish.events import EVENTS, Adjusted, Declared, Fined, FoolCalled, FoolNamed, Redealt, SkatShown
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.danish.words import WORDS
from tracker.errors import TarokError
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    SessionClosed,
    SessionOpened,
    TrickTaken,
    Unwatched,
    event_to_json,
)

SEATS = ("Anna", "Bo", "Carl")
ROOT = Path(tracker.__file__).parents[1]


def test_a_second_card_from_one_player_is_an_alert_and_does_not_count() -> None:
    session = live(*plays("Anna:S7 Anna:S8 Bo:S2 Carl:S3"))
    assert [(alert.kind, alert.seq, alert.card) for alert in session.alerts] == [("too_many_cards", 4, "S8")]
    said = "Anna har allerede et kort i stik 1; er spar 8 det rigtige kort, eller mangler der et?"
    assert WORDS.alert_text(session.alerts[0], "da") == said
    assert [play.card for play in session.hand.plays] == ["S7", "S2", "S3"]


def test_a_person_settles_it_by_naming_the_right_player() -> None:
    session = live(*plays("Anna:S7 Anna:S8 Carl:S3"))
    session.apply(PlayCorrected(4, player="Bo"))
    assert not session.alerts
    told = [(play.player, play.card, play.seq) for play in session.hand.plays]
    assert told == [("Anna", "S7", 3), ("Bo", "S8", 4), ("Carl", "S3", 5)]


def test_a_card_seen_twice_is_asked_about() -> None:
    session = live(*plays("Anna:S7 Bo:S7"))
    assert session.alerts[0].kind == "card_seen_twice"
    session.apply(PlayCorrected(4, card="S9"))
    assert not session.alerts


def test_a_doubtful_reading_is_booked_and_settled_with_one_tap() -> None:
    session = live(CardPlayed("Anna", "S6", alternatives=("S9", "S8")))
    assert session.hand.plays[0].alternatives == ("S9", "S8")
    session.apply(PlayCorrected(3, card="S9"))
    (play,) = session.hand.plays
    assert (play.card, play.alternatives) == ("S9", ())


def test_a_missed_play_is_inserted_and_everything_after_it_follows() -> None:
    session = live(*plays("Anna:S7 Carl:S3 Anna:S8"))
    assert [finding.kind for finding in session.hand.findings] == ["play_out_of_turn"]
    session.apply(PlayInserted(4, "Bo", "SR"))
    hand = session.hand
    assert hand.tricks[0].winner == "Bo"
    assert [finding.kind for finding in hand.findings] == ["lead_out_of_turn"]


def test_an_invented_play_is_removed_and_can_be_put_back() -> None:
    session = live(*plays("Anna:S7 Bo:S2 Carl:H9 Anna:D1"))
    before = audit(session)
    session.apply(PlayRemoved(6))
    assert len(session.hand.plays) == 3
    session.apply(EventRetracted(7))
    assert audit(session) == before
    session.apply(EventRetracted(8))  # undo the undoing
    assert len(session.hand.plays) == 3


def test_a_correction_of_nothing_is_said_and_changes_nothing() -> None:
    session = live(*plays("Anna:S7"))
    session.apply(PlayCorrected(99, card="S8"))
    session.apply(PlayRemoved(2))
    session.apply(PlayInserted(77, "Bo", "S8"))
    session.apply(EventRetracted(1))
    assert sorted(alert.seq for alert in session.alerts) == [4, 5, 6, 7]
    assert len(session.hand.plays) == 1


@pytest.mark.rule("ORDER")
def test_a_trick_that_leaves_towards_the_wrong_player() -> None:
    session = live(*plays("Anna:S7 Bo:S2 Carl:S3"), TrickTaken("Bo"))
    (alert,) = session.alerts
    assert (alert.kind, alert.player, alert.expected) == ("trick_taken_by_wrong_player", "Bo", "Anna")
    session = live(*plays("Anna:S7 Bo:S2"), TrickTaken("Anna"))
    assert [alert.kind for alert in session.alerts] == ["trick_taken_early"]


def test_the_cards_of_an_abandoned_hand_are_gathered_up_without_a_question() -> None:
    session = live(*plays("Anna:S7 Bo:S2"), HandAbandoned(), TrickTaken("Bo"), TrickTaken("Carl"))
    assert session.alerts == []


def test_a_reason_is_said_in_danish_with_names_and_cards() -> None:
    session = live(
        FoolCalled("Bo"),
        CardPlayed("Dora", "S7"),
        Fined("Bo", "misdeclaration", declarations=(Combination("cavallerie", suit="S", grade="full"),)),
        PlayRemoved(77),
        SkatShown(("S7", "S8", "S8")),
        HandAbandoned(),
        CardPlayed("Bo", "HD"),
        SessionClosed(),
        Declared("Bo"),
    )
    assert [
        WORDS.alert_text(alert, "da") for alert in sorted(session.alerts, key=lambda alert: alert.seq)
    ] == [
        "Det kan ikke passe: Bo kan kun forlange skusen i stik 23.",
        "Det kan ikke passe: Dora sidder ikke ved bordet.",
        "Det kan ikke passe: Bo har ikke meldt cavallerie i spar på den måde.",
        "Det kan ikke passe: der er intet kort nr. 77 at fjerne.",
        "Det kan ikke passe: skaten er tre forskellige kort.",
        "Det kan ikke passe: hjerter dame kan ikke spilles: spillet blev afbrudt.",
        "Det kan ikke passe: aftenen er slut.",
    ]
    assert session.alerts[-2].message == "HD cannot be played: the hand was abandoned"


def test_what_cannot_be_says_why_in_both_languages() -> None:
    session = live(*plays("Anna:S7"), SkatShown(("S7", "S8", "S9")))
    (alert,) = session.alerts
    assert WORDS.alert_text(alert, "da") == "Et af skatens kort er allerede spillet; er alle tre rigtige?"
    assert alert.card is None and alert.named == "S7", "fair play shows what an alert is about"
    opened, *events = file_of(random_session(5, Planned(), hands=1).session).events
    assert isinstance(opened, SessionOpened)
    session = entered(opened, *(event for event in events if not isinstance(event, SessionClosed)))
    hand = session.hand
    assert hand.complete
    left = next(card for card in PACK if card not in {play.card for play in hand.plays})
    session.apply(CardPlayed(hand.active[0], left))
    assert session.alerts[-1].kind == "hand_is_over"
    assert WORDS.alert_text(session.alerts[-1]).endswith(
        "belongs to no trick: all 25 tricks of this hand have been played."
    )


def test_nothing_impossible_ever_raises_in_a_live_session() -> None:
    session = live(
        CardPlayed("Dora", "S1"),
        CardPlayed("Anna", "X9"),
        PlaysTakenBack(4),
        Declared("Dora"),
        Fined("Anna", "awful"),
        SessionOpened("pagat-2024", seats=SEATS),
        HandStarted("Dora"),
        TrickTaken("Dora"),
        HandAbandoned(),
        CardPlayed("Anna", "S1"),
        SessionClosed(),
        CardPlayed("Anna", "S1"),
    )
    assert len(session.alerts) == 10
    assert all(WORDS.alert_text(alert, "da") and WORDS.alert_text(alert) for alert in session.alerts)


def test_a_record_must_begin_with_the_opening() -> None:
    with pytest.raises(TarokError, match="does not begin"):
        DanishSession.replay([Recorded(1, HandStarted())])
    with pytest.raises(TarokError, match="3 to 4 players"):
        DanishSession.replay([Recorded(1, SessionOpened("pagat-2024", seats=("Anna",)))])


@pytest.mark.rule("FINE-4")
def test_a_fine_for_an_earlier_hand_is_paid_where_it_stands() -> None:
    kings, trumps = Combination("kings", grade="full"), Combination("trumps", count=10, pagat=True)
    first = Declared("Bo", (kings,)), *plays("Bo:S7 Carl:S2"), HandAbandoned()
    second = HandStarted("Anna"), Declared("Bo", (trumps,)), *plays("Bo:H3 Carl:H2")
    fine = Fined("Bo", "misdeclaration", declarations=(kings,), hand=1)
    late = live(*first, *second, fine)
    without = live(*first, *second)
    assert not late.alerts and audit(late) == audit(DanishSession.replay(late.record))
    assert late.hands[0].payments == without.hands[0].payments
    reasons = [payment.reason for payment in late.hands[1].payments[-4:]]
    assert reasons == ["fine"] * 2 + ["declaration_returned"] * 2
    assert WORDS.payment_text(late.hands[1].payments[-4]) == "fine: Bo pays the king pot (for hand 1)"
    assert audit(read_again(late)) == audit(late)
    late.apply(EventRetracted(late.record[-1].seq))
    assert audit(late) == audit(without)


@pytest.mark.rule("FINE-4")
def test_fines_and_adjustments_after_somebody_joined_or_left_are_paid_and_written_there() -> None:
    late = live(
        HandAbandoned(),
        PlayerJoined("Dora", after="Anna"),
        Fined("Bo", "minor", hand=1),
        Adjusted("king", "Carl", 90, "the cup is his"),
        PlayerLeft("Bo"),
        Fined("Bo", "minor", hand=1),
        SessionClosed(),
    )
    assert not late.alerts
    joined, left = late.seat_changes
    assert [payment.reason for payment in joined.payments] == (
        ["join"] * 2 + ["fine"] * 2 + ["adjustment"] + ["foundation"] * 4
    )
    assert [payment.reason for payment in left.payments] == ["leave"] * 2 + ["fine"] * 2 + ["close"] * 6
    assert audit(read_again(late)) == audit(late)
    assert late.pots == {"king": 0, "pagat": 0}


def test_a_fine_in_a_hand_never_dealt_or_after_the_end_is_refused() -> None:
    session = live(Fined("Bo", "minor", hand=2))
    assert [alert.message for alert in session.alerts] == ["there is no hand 2 to fine Bo in"]
    session = live(HandAbandoned(), SessionClosed(), Fined("Bo", "minor", hand=1))
    assert [alert.message for alert in session.alerts] == ["the evening is finished"]


@pytest.mark.rule("TABLE-3")
def test_the_dealer_of_a_hand_that_is_played_can_be_put_right() -> None:
    wrong = live(Declared("Anna"), *plays("Bo:S7 Carl:S2 Anna:S3"))
    right = live(Declared("Anna"), *plays("Bo:S7 Carl:S2 Anna:S3"), dealer="Anna")
    assert "lead_out_of_turn" in [finding.kind for finding in wrong.hand.findings]
    before = audit(wrong)
    wrong.apply(DealerCorrected(2, "Anna"))
    assert not wrong.alerts and audit(wrong) == audit(right) == audit(DanishSession.replay(wrong.record))
    assert wrong.next_dealer == "Bo"
    wrong.apply(EventRetracted(7))
    assert audit(wrong) == before
    wrong.apply(DealerCorrected(3, "Anna"))
    assert [alert.message for alert in wrong.alerts] == ["event 3 does not start a hand"]


@pytest.mark.rule("PAY-9")
def test_a_fourth_player_adds_a_third_to_each_pot() -> None:
    session = live(HandAbandoned())
    assert session.pots == {"king": 65, "pagat": 65}
    session.apply(PlayerJoined("Dora", after="Anna"))
    assert session.seats == ("Anna", "Dora", "Bo", "Carl")
    # A third of 65 is 21 2/3: to the nearest 5 that is 20.
    assert session.pots == {"king": 85, "pagat": 85} and session.balances["Dora"] == -40
    session.apply(HandStarted())
    hand = session.hand
    assert (hand.dealer, hand.sits_out) == ("Anna", ("Bo",))


@pytest.mark.rule("PAY-9")
def test_under_dtf_a_fifth_joins_four_and_sits_out_as_the_new_seats_say() -> None:
    session = live(HandAbandoned(), rules="dtf-2011", dealer="Carl", seats=(*SEATS, "Dora"))
    session.apply(PlayerJoined("Erik", after="Dora"))
    # A fourth of 85 is 21 1/4.
    assert session.pots == {"king": 105, "pagat": 105} and session.balances["Erik"] == -40
    session.apply(HandStarted())
    hand = session.hand
    assert (hand.dealer, hand.active) == ("Dora", ("Erik", "Carl", "Dora"))
    assert hand.sits_out == ("Anna", "Bo")


def test_a_player_cannot_join_a_full_table_or_a_running_hand() -> None:
    session = live(PlayerJoined("Dora", after="Carl"), PlayerLeft("Bo"))
    said = {alert.message.partition(" ")[2] for alert in session.alerts}
    assert said == {"cannot join or leave during a hand"}
    full = live(HandAbandoned(), dealer="Carl", seats=(*SEATS, "Dora"))
    full.apply(PlayerJoined("Erik", after="Dora"))
    assert full.alerts[0].message == "pagat-2024 is for 3 to 4 players, not 5"
    assert full.seats == (*SEATS, "Dora") and "Erik" not in full.balances


@pytest.mark.rule("PAY-10")
def test_who_leaves_takes_his_share_and_goes_on_with_his_balance_when_he_comes_back() -> None:
    four = (*SEATS, "Dora")
    session = live(HandAbandoned(), dealer="Carl", seats=four)
    assert session.pots == {"king": 85, "pagat": 85}
    session.apply(PlayerLeft("Bo"))
    # A fourth of 85, rounded down to 5s.
    assert session.pots == {"king": 65, "pagat": 65} and session.balances["Bo"] == -40 + 40
    assert session.seats == ("Anna", "Carl", "Dora") and session.next_dealer == "Dora"
    session.apply(HandStarted())
    session.apply(Fined("Anna", "minor"))
    session.apply(HandAbandoned())
    session.apply(PlayerJoined("Bo", after="Dora"))
    # A third of 75.
    assert session.balances["Bo"] == -50 and session.seats == ("Anna", "Carl", "Dora", "Bo")
    assert not session.alerts


def test_cards_gathered_up_after_somebody_left_are_no_alert() -> None:
    session = live(*plays("Carl:S7"), HandAbandoned(), dealer="Carl", seats=(*SEATS, "Dora"))
    for event in (PlayerLeft("Bo"), TrickTaken("Anna")):
        session.apply(event)
    assert not session.alerts and session.next_dealer == "Dora"


def test_fewer_than_three_cannot_stay() -> None:
    session = live(HandAbandoned(), PlayerLeft("Bo"))
    assert session.alerts[0].message == "Bo cannot leave: 3 or more must stay"
    assert session.seats == SEATS


@pytest.mark.rule("TABLE-3")
@pytest.mark.parametrize(
    ("changes", "dealer"),
    [
        ((PlayerLeft("Dora"),), "Erik"),
        ((PlayerLeft("Carl"),), "Dora"),
        ((PlayerLeft("Carl"), PlayerLeft("Dora")), "Erik"),
        ((PlayerLeft("Bo"), PlayerLeft("Erik")), "Dora"),
        ((PlayerLeft("Erik"), PlayerJoined("Fie", after="Carl")), "Fie"),
        ((PlayerLeft("Carl"), PlayerJoined("Fie", after="Bo")), "Dora"),
        ((PlayerLeft("Carl"), PlayerJoined("Carl", after="Dora")), "Dora"),
        ((PlayerLeft("Carl"), PlayerLeft("Dora"), PlayerJoined("Dora", after="Anna")), "Erik"),
    ],
)
def test_the_deal_goes_on_round_the_new_seats(changes: tuple[Event, ...], dealer: str) -> None:
    """Carl dealt last, of five; the next seat after his that is taken deals."""
    session = live(HandAbandoned(), *changes, rules="dtf-2011", dealer="Carl", seats=(*SEATS, "Dora", "Erik"))
    assert not session.alerts and session.next_dealer == dealer
    session.apply(HandStarted())
    assert session.hands[-1].dealer == dealer
    written = read_again(session)
    assert audit(written) == audit(session)


def test_who_sits_at_the_table_before_the_first_hand_pays_the_foundation() -> None:
    opened = SessionOpened("dtf-2011", seats=(*SEATS, "Dora"))
    session = entered(opened, PlayerLeft("Anna"), PlayerJoined("Erik", after="Dora"), HandStarted())
    assert session.hands[0].dealer == "Bo" and session.seats == ("Bo", "Carl", "Dora", "Erik")
    assert session.balances == {"Anna": 0, "Bo": -50, "Carl": -40, "Dora": -40, "Erik": -40}
    assert [part.payments for part in session.parts[:2]] == [[], []]


def test_a_play_put_right_before_a_joining_leaves_it_as_it_stands() -> None:
    """Corrected, the king was not lost: 5 less lie in the pot that she joined, and her third follows."""
    session = live(*plays("Anna:SR Bo:T4 Carl:S2"), HandAbandoned(), PlayerJoined("Dora", after="Carl"))
    assert session.pots["king"] == 70 + 25
    session.apply(PlayCorrected(4, card="S9"))
    assert not session.alerts and session.pots["king"] == 65 + 20
    assert session.seats == (*SEATS, "Dora")


@pytest.mark.rule("FINE-5")
def test_an_adjustment_is_undone_and_one_that_no_longer_can_be_is_told() -> None:
    session = live(*plays("Anna:SR Bo:T4 Carl:S2"), Adjusted("king", "Bo", 70, "so"))
    assert session.pots["king"] == 60 and not session.alerts
    session.apply(PlayCorrected(3, card="S9"))
    assert [alert.message for alert in session.alerts] == ["king holds 65 chips, not 70"]
    session.apply(EventRetracted(6))
    assert not session.alerts and session.pots["king"] == 65


def test_before_the_first_hand_there_are_no_chips_to_adjust() -> None:
    adjusted = Adjusted("Anna", "Bo", 5, "so")
    opened = SessionOpened("dtf-2011", seats=SEATS)
    session = entered(opened, adjusted, PlayerJoined("Dora", after="Anna"), adjusted)
    assert [alert.message for alert in session.alerts] == ["no hand was dealt"] * 2


@pytest.mark.rule("DECLX")
def test_a_missing_declaration_is_said_with_the_tenth_trump() -> None:
    """Anna passes and then leads trumps: with the tenth it is certain, though the hand is not over."""
    session = live(Declared("Carl"), Declared("Anna"), Declared("Bo"))
    others = iter([f"{suit}{pip}" for suit in "SHDC" for pip in range(1, 11)])
    hand = session.hand
    for number in range(1, 11):
        assert not [f for f in hand.findings if f.kind == "declaration_missing"]
        session.apply(CardPlayed("Anna", f"T{22 - number}"))
        session.apply(CardPlayed("Bo", next(others)))
        session.apply(CardPlayed("Carl", next(others)))
    finding = next(f for f in hand.findings if f.kind == "declaration_missing")
    assert finding.player == "Anna" and finding.known_at == (10, 28)
    # She may hold more of them, and the pagat.
    assert WORDS.finding_text(finding) == "Anna should have declared trumps and did not."
    assert WORDS.finding_text(finding, "da") == "Anna skulle have meldt tarokker og gjorde det ikke."
    # The audit of an unfinished hand does not list it: there it is certain at play 75.
    assert not any(v["kind"].startswith("declaration") for v in audit(session)["hands"][0]["violations"])


def played_out(session: DanishSession, hands: dict[str, list[str]]) -> DanishHand:
    """The hand once all cards of `hands` are played, each player's in their order."""
    hand = session.hand
    while hand.to_play is not None:
        session.apply(CardPlayed(hand.to_play, hands[hand.to_play].pop(0)))
    return hand


def anna_has(cards: list[str]) -> dict[str, list[str]]:
    """Three hands: Anna plays these first, the trumps that she lacks come last; three low clubs are laid."""
    plain = [card for card in PACK if card[0] in "SHDC" and card not in ("C1", "C2", "C3", *cards)]
    rest = [card for card in PACK if card[0] in "TF" and card not in cards]
    anna = [*cards, *plain[: 25 - len(cards)]]
    others = [*plain[25 - len(cards) :], *rest]
    return {"Anna": anna, "Bo": others[::2], "Carl": others[1::2]}


@pytest.mark.rule("DECLX")
def test_what_a_missing_declaration_was_is_said_at_the_end() -> None:
    """Ten trumps are certain first. In the end Anna had twelve, the pagat among them."""
    session = live(Declared("Anna"))
    hand = played_out(session, anna_has([f"T{number}" for number in (*range(21, 10, -1), 1)]))
    missing = [f for f in hand.findings if f.kind == "declaration_missing"]
    assert [(f.slot, f.known_at) for f in missing] == [("trumps", (10, 28))]
    said = "Anna held 12 trumps with the pagat and did not declare it."
    assert WORDS.finding_text(missing[0]) == said


@pytest.mark.rule("DECLX")
def test_what_was_held_instead_of_a_false_declaration_is_said_at_the_end() -> None:
    """That Anna has no more than eleven is certain before the end, that she has eleven only then."""
    session = live(Declared("Anna", (Combination("trumps", count=12, pagat=False),)))
    hands = anna_has([f"T{number}" for number in range(21, 10, -1)])
    for other in ("Bo", "Carl"):
        hands[other].sort(key=lambda card: card[0] not in "TF")
    hand = played_out(session, hands)
    false = [f for f in hand.findings if f.kind == "declaration_false"]
    assert [(f.slot, (f.known_at or (0, 0))[0] < 25) for f in false] == [("trumps", True)]
    said = "Anna declared 12 trumps without the pagat, but held 11 trumps without the pagat."
    assert WORDS.finding_text(false[0]) == said


@pytest.mark.rule("DECLX")
def test_a_false_declaration_is_said_when_another_plays_the_card() -> None:
    session = live(Declared("Anna", (Combination("kings", grade="full"),)), *plays("Anna:S7 Bo:SR"))
    finding = session.hand.findings[0]
    assert (finding.kind, finding.player, finding.known_at) == ("declaration_false", "Anna", (1, 2))
    assert WORDS.finding_text(finding, "da") == "Anna meldte fulde konger, men havde det ikke."


@pytest.mark.rule("DECL-5")
def test_a_declaration_put_right_before_the_opening_lead_pays_only_the_difference() -> None:
    twelve = Combination("trumps", count=12, pagat=False)
    eleven = Combination("trumps", count=11, pagat=False)
    session = live(Declared("Anna", (twelve,)), Declared("Anna", (eleven,)))
    assert session.balances["Anna"] == -40 + 2 * 15
    assert session.balances["Bo"] == -40 - 15


@pytest.mark.rule("PAY-3")
def test_live_a_declaration_may_be_entered_after_the_camera_saw_the_lead() -> None:
    kings = Declared("Anna", (Combination("kings", grade="full"),))
    late = live(*plays("Anna:S7 Bo:S2"), kings, *plays("Carl:S3"))
    in_time = live(kings, *plays("Anna:S7 Bo:S2 Carl:S3"))
    assert not late.alerts
    assert audit(late) == audit(in_time)
    assert late.balances["Anna"] == -40 + 20
    assert audit(read_again(late)) == audit(late)


@pytest.mark.rule("FINE-1")
def test_a_revoke_taken_back_at_once_is_superficial_and_only_noted() -> None:
    session = live(*plays("Anna:S7 Bo:H3"), PlaysTakenBack(1), *plays("Bo:S9 Carl:S2 Bo:H1"))
    hand = session.hand
    assert hand.findings == []
    (note,) = hand.corrected
    assert (note.kind, note.player, note.category, note.fine) == ("revoke", "Bo", "superficial", 0)
    said = "Revoke corrected at once: Bo played the 3 of hearts to spades in trick 1, then the 9 of spades."
    assert WORDS.finding_text(note) == said


# Nobody watched while Anna led the ace of hearts to trick 2; all three played by the rules.
MISSED_LEAD = "Anna:S7 Bo:S2 Carl:S3", "Bo:H3 Carl:H2 Anna:S8 Bo:S4 Carl:S5 Anna:H6"


def missed_lead() -> DanishSession:
    """The events are 3 to 5, the gap 6, then 7 to 12."""
    before, after = MISSED_LEAD
    return live(*plays(before), Unwatched(), *plays(after))


def gaps(session: DanishSession) -> list[tuple[int, int]]:
    """(number of the event, trick) of each gap that stands, hand by hand."""
    return [(gap.seq, gap.trick) for hand in session.hands for gap in hand.gaps]


def test_after_a_missed_lead_an_honest_player_looks_guilty_and_the_gap_tells_why() -> None:
    session = missed_lead()
    found = [(finding.kind, finding.player, finding.trick) for finding in session.hand.findings]
    assert ("revoke", "Anna", 2) in found and ("lead_out_of_turn", "Bo", 2) in found
    assert gaps(session) == [(6, 2)]
    assert not session.alerts


def test_a_gap_moves_no_chips_and_finds_nothing_itself() -> None:
    before, after = MISSED_LEAD
    assert audit(missed_lead()) == audit(live(*plays(before), *plays(after)))


def test_a_gap_stands_till_it_is_retracted_whatever_is_entered() -> None:
    session = missed_lead()
    session.apply(PlayInserted(7, "Anna", "H1"))
    assert session.hand.findings == [] and gaps(session) == [(6, 2)]
    session.apply(EventRetracted(6))
    assert gaps(session) == [] and not session.alerts
    session.apply(EventRetracted(14))  # undo the undoing
    assert gaps(session) == [(6, 2)]


def test_a_gap_in_the_middle_of_a_trick_begins_with_that_trick() -> None:
    assert gaps(live(*plays("Anna:S7 Bo:S2"), Unwatched())) == [(5, 1)]
    assert gaps(live(*plays("Anna:S7 Bo:S2 Carl:S3"), Unwatched())) == [(6, 2)]


def test_a_gap_outlives_plays_that_are_taken_back_and_everything_folded_again() -> None:
    session = missed_lead()
    session.apply(PlaysTakenBack(2))
    assert gaps(session) == [(6, 2)]
    session.apply(PlaysTakenBack(5))  # two of the plays before it, too
    assert gaps(session) == [(6, 1)]
    session.apply(PlayCorrected(3, card="S9"))
    assert gaps(session) == [(6, 1)] == gaps(DanishSession.replay(session.record))


def test_a_hand_dealt_again_has_no_gap() -> None:
    session = live(CardPlayed("Anna", "S7"), Unwatched(), PlaysTakenBack(1), Redealt("no_trumps"))
    assert gaps(session) == [] and not session.alerts


@pytest.mark.parametrize("events", [[], [HandStarted(), HandAbandoned()]], ids=["before a hand", "after it"])
def test_where_no_hand_is_under_way_there_is_nothing_to_miss(events: list[Event]) -> None:
    session = entered(SessionOpened("pagat-2024", seats=SEATS), *events, Unwatched())
    assert [alert.kind for alert in session.alerts] == ["impossible_event"] and gaps(session) == []


def test_an_unwatched_time_is_stored_and_never_written_to_a_file() -> None:
    assert event_to_json(Unwatched()) == {"event": "Unwatched"}
    assert EVENTS.from_json({"event": "Unwatched"}) == Unwatched()
    session = missed_lead()
    assert audit(read_again(session)) == audit(session)


def fool_of(session: DanishSession) -> tuple[str | None, str | None, list[str]]:
    """What suit the trick with the fool has, who took it, and what the alerts are."""
    trick = next(t for t in session.hand.tricks if any(play.card == "F" for play in t.plays))
    return trick.suit, trick.winner, [alert.kind for alert in session.alerts]


def test_a_name_put_right_on_the_play_counts_whatever_was_entered_before() -> None:
    session = live(*plays("Anna:F"), FoolNamed("Anna", "H"), *plays("Bo:S2 Carl:HV"))
    assert fool_of(session) == ("H", "Carl", [])
    session.apply(PlayCorrected(3, named="S"))
    assert fool_of(session) == ("S", "Bo", [])
    assert fool_of(DanishSession.replay(session.record)) == ("S", "Bo", [])


def test_a_fool_that_was_another_card_has_no_name() -> None:
    session = live(*plays("Anna:F Bo:S2"), PlayCorrected(3, named="S"), PlayCorrected(3, card="T9"))
    assert [play.card for play in session.hand.plays] == ["T9", "S2"] and not session.alerts


def test_a_named_fool_was_not_led_after_all_when_the_missed_lead_is_entered() -> None:
    session = live(CardPlayed("Bo", "F", "S"), *plays("Carl:S3"), PlayInserted(3, "Anna", "S7"))
    assert fool_of(session) == ("S", "Anna", [])
    assert read_again(session).balances == session.balances
