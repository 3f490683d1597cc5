"""A contract that was entered wrongly and then rightly costs nothing that was entered beside it."""

from typing import Any

import pytest
from american_table import TALON
from tracker_again import read_again
from tracker_live import live

from tracker.american import events as american
from tracker.events import CardPlayed, Event, PlaysTakenBack
from tracker.french import events as french
from tracker.session import Session

SEATS = ("Anna", "Bo", "Carl", "Dora")
TALON_TURNED = american.TalonTurned(tuple(TALON))
TWO = [
    american.ContractNamed("two", "Anna"),
    american.PartnerCalled("H"),
    TALON_TURNED,
    american.GroupTaken(0),
]
KLOP = [american.ContractNamed("klop")]
GARDE = [french.ContractNamed("garde", "Anna"), french.DogTurned(("S6", "S5", "SV", "H9", "C8", "D10"))]
CONTRE = french.ContractNamed("garde_contre", "Bo")
LAID, SLAM = french.LaidFaceUp(("T5",)), french.SlamAnnounced("Anna")
HANDFUL = french.HandfulShown("Anna", tuple(f"T{number}" for number in range(20, 10, -1)), in_time=True)
TRICK = [CardPlayed("Anna", "S1"), CardPlayed("Bo", "S2"), CardPlayed("Carl", "S3"), CardPlayed("Dora", "S4")]
BLACK_TRICK = [
    CardPlayed("Anna", "S7"), CardPlayed("Bo", "S8"), CardPlayed("Carl", "S10"), CardPlayed("Dora", "SV"),
]  # fmt: skip
VITAMIN = american.VitaminTurned("T8", 1)


def counting(session: Session[Any, Any]) -> list[Event]:
    return [event for event, _ in session.hands[0].entries]


@pytest.mark.parametrize(
    ("rules", "right", "wrong"),
    [
        ("american-tarock", TWO, KLOP),
        ("american-tarock", [*TWO, american.LaidFaceUp(("T2",))], [american.ContractNamed("barach", "Bo")]),
        ("american-tarock", [*TWO, *BLACK_TRICK], KLOP),
        ("american-tarock", [*KLOP, *BLACK_TRICK, VITAMIN], [TWO[0]]),
        ("american-tarock", TWO, [american.ContractNamed("solo_no_peek", "Bo"), *KLOP]),
        ("french-tarot", GARDE, [CONTRE]),
        ("french-tarot", [*GARDE, LAID, SLAM], [CONTRE]),
        ("french-tarot", [*GARDE, *TRICK], [CONTRE, french.ContractNamed("garde_sans", "Bo")]),
        ("french-tarot", [*GARDE, HANDFUL, *TRICK], [CONTRE]),
    ],
)
def test_what_fits_the_right_contract_counts_again_with_it(
    rules: str, right: list[Event], wrong: list[Event]
) -> None:
    asked = live(*right, *wrong, rules=rules)
    assert counting(asked) != right and asked.alerts == []
    asked.apply(right[0])
    assert counting(asked) == right and asked.alerts == []
    again = type(asked).replay(asked.record)
    assert again.hands[0].entries == asked.hands[0].entries
    file = read_again(asked)
    assert counting(file) == [
        american.VitaminTurned(event.card) if isinstance(event, american.VitaminTurned)
        else french.HandfulShown(event.player, event.cards) if isinstance(event, french.HandfulShown)
        else event
        for event in right
    ]  # fmt: skip


def test_what_was_entered_anew_meanwhile_stands_and_the_first_entry_does_not_come_back() -> None:
    other = american.TalonTurned(("T4", "S9", "C7", "DV", "H2", "T12"))
    session = live(*TWO, *KLOP, american.ContractNamed("three", "Bo"), rules="american-tarock")
    session.apply(other)
    session.apply(TWO[0])
    assert counting(session) == [TWO[0], TWO[1], other, TWO[3]]


def test_a_group_that_the_right_contract_does_not_have_stays_away() -> None:
    third = american.GroupTaken(2)
    session = live(*TWO[:3], third, american.ContractNamed("three", "Anna"), rules="american-tarock")
    assert counting(session)[-1] == TALON_TURNED
    session.apply(american.GroupTaken(1))
    session.apply(TWO[0])
    assert counting(session) == [*TWO[:3], american.GroupTaken(1)]


def test_what_waits_for_its_contract_is_void_with_its_deal() -> None:
    for redeal in (american.Redealt("misdeal"), american.Redealt("no_tarocks")):
        session = live(*TWO, *KLOP, redeal, TWO[0], rules="american-tarock")
        assert counting(session) == [KLOP[0], redeal, TWO[0]]
    session = live(*GARDE, HANDFUL, CONTRE, french.Redealt("misdeal"), GARDE[0], rules="french-tarot")
    assert counting(session)[-1] == GARDE[0] and session.hands[0].dog.turned is None


def test_plays_taken_back_leave_what_waits() -> None:
    session = live(*TWO, *BLACK_TRICK, *KLOP, PlaysTakenBack(1), TWO[0], rules="american-tarock")
    assert counting(session) == [*TWO, *BLACK_TRICK[:-1]] and session.alerts == []


@pytest.mark.parametrize(
    ("rules", "bids", "contract"),
    [
        ("american-tarock", [american.BidMade("Anna", "two")], TWO[0]),
        ("american-tarock", [american.BidMade("Anna", "pass")], american.ContractNamed("two", "Bo")),
        ("french-tarot", [french.BidMade("Anna", "garde")], GARDE[0]),
        ("french-tarot", [french.BidMade("Anna", "pass")], french.ContractNamed("prise", "Bo")),
    ],
)
def test_a_contract_may_be_named_in_the_midst_of_the_bids(
    rules: str, bids: list[Event], contract: Event
) -> None:
    session = live(*bids, contract, rules=rules)
    assert session.alerts == [] and counting(session) == [contract]
    assert session.hands[0].bidding.named


@pytest.mark.parametrize(
    ("rules", "said", "bid"),
    [
        ("american-tarock", TWO[0], american.BidMade("Anna", "two")),
        ("french-tarot", GARDE[0], french.BidMade("Anna", "garde")),
    ],
)
def test_a_bid_for_a_contract_that_is_known_is_refused_alike_before_the_first_card_and_after_it(
    rules: str, said: Event, bid: Event
) -> None:
    for card in ([], [CardPlayed("Anna", "SR")]):
        session = live(said, *card, bid, rules=rules)
        assert [alert.message for alert in session.alerts] == ["Anna cannot bid: the bidding is over"]
