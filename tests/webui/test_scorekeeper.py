"""A recording watched without a page: what is booked, and what the eyes are told to expect."""

import pytest
from webui_camera import seen
from webui_deals import AMERICAN, FRENCH, OPENED, hand
from webui_table import FOUR, sides_of

from tracker.american.events import ContractNamed, GroupTaken, HandLaidOpen, PartnerCalled, TalonTurned
from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlaysTakenBack,
    SessionOpened,
    TrickTaken,
    Unwatched,
)
from tracker.french.events import ContractNamed as FrenchContractNamed
from webui.commands.film import dealt_hands
from webui.table.live import LiveTable
from webui.table.scorekeeper import BETWEEN_HANDS_S, Scorekeeper, cards_shown

HAND = hand(3)
SIDES = sides_of(FOUR)


def test_a_table_of_1659_is_kept_and_its_next_hand_expected() -> None:
    keeper = Scorekeeper(SessionOpened("tarot-1659", (("cards", 1),), FOUR), SIDES, "Dora")
    assert keeper.expectation() is not None and keeper.expectation().to_play == "Anna"
    for player, card in (("Anna", "SR"), ("Bo", "S1"), ("Carl", "S2"), ("Dora", "S3")):
        keeper.enter(CardPlayed(player, card))
    assert keeper.session.hands[0].complete and keeper.session.balances["Anna"] == 30
    expected = keeper.expectation()
    assert (expected.active, expected.to_play) == (("Bo", "Carl", "Dora", "Anna"), "Bo")


def test_the_card_given_for_the_fool_is_awaited_once_its_player_has_won_one() -> None:
    keeper = Scorekeeper(SessionOpened("tarot-1659", (("cards", 3),), FOUR), SIDES, "Dora")

    def trick(*cards: str) -> None:
        expected = keeper.expectation(1.0)
        for player, card in zip(expected.turn, cards, strict=True):
            keeper.book(CardPlayed(player, card, time_s=1.0), 1.0)

    trick("S2", "SR", "F", "S3")
    assert keeper.expectation(1.0).shown_cards is None, "Carl has won nothing yet"
    trick("H2", "HR", "H4", "H5")
    awaited = keeper.expectation(1.0).shown_cards
    assert awaited is not None and (awaited.kind, awaited.player) == ("gift", "Carl")
    assert awaited.among == {"H2", "HR", "H4", "H5"}
    assert awaited.receiver is None
    trick("HV", "HD", "H7", "H6")
    assert keeper.session.hand.complete and keeper.session.hand.given is None
    awaited = keeper.expectation(1.0).shown_cards
    assert awaited is not None and (awaited.kind, awaited.receiver) == ("gift", "Bo")
    keeper.enter(awaited.event(("H4",)))
    assert keeper.session.hand.given == "H4" and keeper.expectation(1.0).shown_cards is None


def test_the_dog_is_awaited_once_it_is_known_who_takes_it_and_then_what_he_lays_and_handfuls() -> None:
    """Four players, a garde of Bo: dog and discard, and the handful of who is about to play his first card."""
    keeper = Scorekeeper(FRENCH, SIDES, "Dora")
    keeper.book(CardPlayed("Anna", "T4", time_s=1.0), 1.0)
    assert keeper.expectation(1.0).waits and keeper.session.hand.plays == [], "the dog may lie there"
    keeper.enter(FrenchContractNamed("garde", "Bo"))
    awaited = keeper.expectation(1.0).shown_cards
    assert awaited is not None and (awaited.kind, awaited.count) == ("talon", 6)
    keeper.book(awaited.event(("S1", "S2", "S3", "S4", "S5", "T21")), 2.0)
    awaited = keeper.expectation(2.0).shown_cards
    assert awaited is not None and (awaited.kind, awaited.player) == ("discard", "Bo")

    def now() -> list[str]:
        return [one.player for one in keeper.expectation(2.0).may_reveal if one.now and one.counts]

    assert now() == ["Anna", "Bo"], "whose turn it is, and the taker"
    keeper.book(CardPlayed("Anna", "T4", time_s=3.0), 3.0)
    assert keeper.expectation(3.0).shown_cards is None
    assert now() == ["Anna", "Bo"], "what Anna showed before may be read a moment later"
    anna, bo, *_ = keeper.expectation(3.0).may_reveal
    assert anna.played and "T4" in anna.among and "T21" not in anna.among and "T21" in bo.among
    cards = ("T20", "T19", "T18", "T17", "T16", "T15", "T14", "T13", "T12", "T4")
    keeper.book(anna.event(cards), 3.5)
    (handful,) = keeper.session.hand.handfuls
    assert (handful.player, handful.plays, keeper.session.hand.fault_of(handful)) == ("Anna", 0, None)
    assert keeper.session.alerts == [] and now() == ["Bo"]


def test_an_open_hand_that_was_not_read_before_the_next_lead_is_told_later_and_stands_before_it() -> None:
    hand = dealt_hands(395, FOUR, ("american-tarock", ()), "open_barach").hands[0]
    keeper = Scorekeeper(
        AMERICAN, SIDES, "Dora", [[event for event, _ in hand.entries if isinstance(event, ContractNamed)]]
    )
    for play in hand.plays[:6]:
        keeper.enter(CardPlayed(play.player, play.card))
    awaited = keeper.expectation().shown_cards
    assert awaited is not None and (awaited.kind, awaited.player) == ("hand", hand.declarer)
    assert awaited.among == {play.card for play in hand.plays[4:6] if play.player == hand.declarer}
    cards = next(event.cards for event, _ in hand.entries if isinstance(event, HandLaidOpen))
    keeper.enter(awaited.event(cards))
    entries = [event for event, _ in keeper.session.hand.entries]
    assert entries.index(HandLaidOpen(cards)) == 5 and keeper.expectation().shown_cards is None


def test_the_rest_of_the_talon_is_thrown_onto_the_called_king_until_the_next_lead() -> None:
    hand = dealt_hands(703, FOUR, ("american-tarock", ()), "three").hands[0]
    keeper = Scorekeeper(AMERICAN, SIDES, "Dora")
    thrown = []
    for event, _ in hand.entries:
        keeper.enter(event)
        expected = keeper.expectation()
        thrown += [len(expected.thrown)] if isinstance(event, CardPlayed) and expected else []
    assert thrown[:9] == [0] * 4 + [3] * 4 + [0]


def test_a_card_of_no_use_in_the_game_is_never_expected() -> None:
    keeper = Scorekeeper(AMERICAN, SIDES, "Dora", [[ContractNamed("klop")]])
    assert {"S1", "H10"} <= keeper.expectation().played and "S7" not in keeper.expectation().played


THREE_AT_TWO_SIDES = {"Anna": "S", "Bo": "S", "Carl": "N"}
A_STORY = (
    CardPlayed("Bo", "H1", alternatives=("H2",), time_s=1.0),
    CardPlayed("Carl", "H6", time_s=2.0),
    PlaysTakenBack(1),
    CardPlayed("Carl", "H7", time_s=3.0),
    CardPlayed("Anna", "HR", time_s=4.0),
    PlayCorrected(3, card="H2"),
    TrickTaken("Bo", time_s=5.0),
    Unwatched(),
    Unwatched(),
)
"""What the eyes report of a trick that Anna wins; she sits at the side of the picture where Bo sits, too."""


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ([ContractNamed("three", "Anna"), PartnerCalled("S")], "talon"),
        ([ContractNamed("klop")], None),
    ],
    ids=["a Three", "a Klop"],
)
def test_until_game_and_call_are_known_nothing_is_booked(said: list[Event], kind: str | None) -> None:
    keeper = Scorekeeper(AMERICAN, SIDES, "Dora")
    for event in said:
        keeper.book(CardPlayed("Anna", "T4", time_s=1.0), 1.0)
        expected = keeper.expectation(1.0)
        assert expected is not None and expected.waits and expected.active == ()
        keeper.enter(event)
    expected = keeper.expectation(1.0)
    assert expected is not None and not expected.waits and len(expected.active) == 4
    assert (expected.shown_cards and expected.shown_cards.kind) == kind
    assert keeper.session.hand.plays == [] and keeper.session.alerts == []


def test_the_next_hand_begins_with_what_was_said_of_it_or_waits() -> None:
    """A card seen between two hands begins none: it may be of the Talon."""
    keeper = Scorekeeper(AMERICAN, SIDES, "Dora", [[ContractNamed("klop")], [ContractNamed("klop")]])
    for number, waits in ((2, False), (2, True)):
        keeper.enter(HandAbandoned())
        keeper.book(CardPlayed("Anna", "T4", time_s=1.0), 1.0)
        expected = keeper.expectation()
        assert expected is not None and expected.waits is waits
        assert len(keeper.session.hands) == number


def test_a_trick_swept_to_a_side_that_two_share_goes_to_its_winner() -> None:
    keeper = Scorekeeper(OPENED, THREE_AT_TWO_SIDES, "Anna")
    for event in A_STORY:
        keeper.book(event, 6.0)
    assert TrickTaken("Anna", time_s=5.0) in [event for _, event, *_ in keeper.record]
    assert keeper.session.alerts == []


def test_page_and_command_keep_the_same_books(table: LiveTable) -> None:
    keeper = Scorekeeper(OPENED, THREE_AT_TWO_SIDES, "Anna")
    table.seat(THREE_AT_TWO_SIDES)
    table.enter(HandStarted("Anna"))
    for event in A_STORY:
        keeper.book(event, 6.0)
        table.saw(seen(event, time_s=6.0))
    assert [event for _, event, *_ in keeper.record] == [event for _, event, *_ in table.recorded]
    assert sum(isinstance(event, Unwatched) for _, event, *_ in table.recorded) == 1, "one question at a time"


def after_a_hand() -> tuple[Scorekeeper, float]:
    """A scorekeeper who booked a whole hand, and when its last trick was taken."""
    keeper = Scorekeeper(OPENED, SIDES, "Anna")
    for event in HAND[1:]:
        keeper.enter(event)
    winner = keeper.session.hand.tricks[-1].winner
    assert winner is not None and HAND[-1].time_s is not None
    keeper.book(TrickTaken(winner, time_s=HAND[-1].time_s + 2.0), HAND[-1].time_s + 2.0)
    return keeper, HAND[-1].time_s + 2.0


def test_the_cards_of_a_hand_just_over_are_not_expected_to_be_played() -> None:
    keeper, over_s = after_a_hand()
    expected = keeper.expectation(over_s + BETWEEN_HANDS_S - 1)
    assert expected is None or expected.active == ()


def test_a_while_after_a_hand_the_next_ones_lead_is_expected_and_begins_it() -> None:
    keeper, over_s = after_a_hand()
    expected = keeper.expectation(over_s + BETWEEN_HANDS_S)
    assert (expected.active, expected.to_play) == (("Carl", "Anna", "Bo"), "Carl")
    assert expected.played == frozenset(), "every card is in the deal again"
    keeper.book(CardPlayed("Carl", "S7", time_s=over_s + 60), over_s + 60)
    assert [len(hand.plays) for hand in keeper.session.hands] == [75, 1]
    assert keeper.session.alerts == []


def test_the_group_that_the_declarer_took_is_among_the_cards_laid_open() -> None:
    talon = ("T4", "S9", "C7", "DV", "H2", "T12")
    said = (ContractNamed("two", "Anna"), PartnerCalled("H"), TalonTurned(talon), GroupTaken(0))
    scorekeeper = Scorekeeper(AMERICAN, SIDES, "Dora", before=said)
    assert cards_shown(scorekeeper.session) == {frozenset(talon), frozenset(talon[:2])}
