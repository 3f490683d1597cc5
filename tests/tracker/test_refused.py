"""What cannot have been is refused, in one sentence that says why: results that no hand comes to, and entries."""

from typing import Any

import pytest
from american_table import TALON, game, plays
from french_table import events_of
from tracker_again import folded
from tracker_file import session_file
from tracker_live import live
from tracker_live import plays as entries

from tracker.american import events as american
from tracker.danish import events as danish
from tracker.danish.events import SkatShown
from tracker.events import CardPlayed, Event, FindingPassed, HandAbandoned
from tracker.french import events as french
from tracker.games import game_of_rules
from tracker.reader import SessionFileError
from tracker.tarot1659 import events as tarot1659

SEATS = ["Anna", "Bo", "Carl", "Dora", "Erik"]


def complaint(rules: str, hand: dict[str, Any], players: int = 4) -> str:
    """What is said of an evening with that hand, which the last player deals; "" where it is a good one."""
    seats = SEATS[:players]
    session = session_file(rules, seats, {"dealer": seats[-1]} | hand)
    try:
        folded(session)
    except SessionFileError as refused:
        return str(refused)
    return ""


def holds(wanted: str, said: str) -> bool:
    """Whether `wanted` is in what was said; nothing was, where nothing is wanted."""
    return wanted in said if wanted else not said


# -- results ---------------------------------------------------------------------------------------------------

THREE = {"game": "three", "declarer": "Anna", "partner": "Bo", "points": 40}
SOLO = {"game": "solo_one", "declarer": "Anna", "points": 40}
BARACH = {"game": "barach", "declarer": "Anna", "won": True}
KLOP = {"game": "klop", "points": {"Anna": 35, "Bo": 20, "Carl": 10, "Dora": 5}}


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        (THREE, ""),
        ({"game": "three", "points": {"Anna": 40}}, "three needs a declarer"),
        ({"game": "three", "declarer": "Anna"}, "the points of Anna are missing"),
        (THREE | {"points": 71}, "the points of a side are 0 to 70"),
        (THREE | {"points": 70}, ""),
        (THREE | {"points": -1}, "the points of a side are 0 to 70"),
        (THREE | {"points": 0}, ""),
        (THREE | {"points": 35}, "nobody entered whether the 35 points were more than half"),
        (THREE | {"points": 35, "won": False}, ""),
        (THREE | {"won": True}, ""),
        (THREE | {"won": False}, "40 points do not fit the result that was entered"),
        (THREE | {"partner": "Anna"}, "Anna is not a partner in this contract"),
        (SOLO | {"partner": "Bo"}, "Bo is not a partner in this contract"),
        (SOLO | {"king_lost": True}, "nothing is called in this contract"),
        (SOLO | {"king_ultimo": "declarer"}, "nothing is called in this contract"),
        (THREE | {"pagat": "Anna", "pagat_lost": "Bo"}, "the Pagat is played once"),
        (THREE | {"pagat": "Carl", "king_ultimo": "declarer"}, "one side alone won the last trick"),
        (THREE | {"pagat": "Bo", "king_ultimo": "declarer"}, ""),
        (THREE | {"king_ultimo": "opponents"}, "the side that won King Ultimo took the called card"),
        (THREE | {"king_ultimo": "opponents", "king_lost": True}, ""),
        (THREE | {"king_ultimo": "declarer", "king_lost": True}, "won King Ultimo took the called card"),
        (THREE | {"pagat_lost": "Carl", "king_ultimo": "declarer", "valat": "declarer"}, ""),
        (THREE | {"announced": {"Anna": ["kings", "kings"]}}, "a bonus is announced once by a player"),
        (THREE | {"announced": {"Anna": ["kings"], "Bo": ["kings"]}}, ""),
        (THREE | {"skeench": "Anna"}, "this is not Skeench-a-tola"),
        (BARACH, ""),
        ({"game": "barach", "declarer": "Anna"}, "the contract was neither made nor lost"),
        (BARACH | {"mond": "Bo"}, "there is no bonus in this contract"),
        (BARACH | {"announced": {"Bo": ["valat"]}}, "there is no bonus in this contract"),
        (KLOP, ""),
        (KLOP | {"declarer": "Anna", "points": 35}, "klop has no declarer"),
        ({"game": "klop", "points": {"Anna": 35, "Bo": 20, "Carl": 15}}, "the points of Dora are missing"),
        (
            KLOP | {"points": {"Anna": 35, "Bo": 20, "Carl": 10, "Dora": 6}},
            "",
        ),  # piles are counted one by one
        (KLOP | {"points": {"Anna": 35, "Bo": 20, "Carl": 10, "Dora": 7}}, "are 70 together, not 72"),
        (KLOP | {"points": {"Anna": 46, "Bo": 20, "Carl": 5, "Dora": -1}}, "are 70 together, not 70"),
        (KLOP | {"over_half": "Anna"}, ""),
        (KLOP | {"over_half": "Bo"}, "only exactly 35 points may be more than half or not"),
        (KLOP | {"trula": "declarer"}, "there is no bonus in this contract"),
    ],
)
def test_a_result_of_american_tarock_that_no_round_comes_to(result: dict[str, Any], wanted: str) -> None:
    assert holds(wanted, complaint("american-tarock", {"result": result}))


GARDE = {"contract": "garde", "taker": "Anna", "points": 45.5, "bouts": 2}


@pytest.mark.parametrize(
    ("result", "players", "wanted"),
    [
        (GARDE, 4, ""),
        ({"contract": "pass"}, 4, ""),
        ({"contract": "pass", "taker": "Anna"}, 4, "nothing is scored where all passed"),
        ({"contract": "garde", "points": 40, "bouts": 1}, 4, "garde needs a taker"),
        (GARDE | {"partner": "Bo"}, 4, "Bo is not a partner in this contract"),
        (GARDE | {"partner": "Bo"}, 5, ""),
        (GARDE | {"partner": "Anna"}, 5, "Anna is not a partner in this contract"),
        ({"contract": "garde", "taker": "Anna", "bouts": 2}, 4, "the points of Anna are missing"),
        (GARDE | {"points": 45.25}, 4, "points are whole or end in .5"),
        (GARDE | {"points": 91, "bouts": 3}, 4, ""),
        (GARDE | {"points": 91.5}, 4, "the points of a side are 0 to 91"),
        (GARDE | {"points": -0.5}, 4, "the points of a side are 0 to 91"),
        ({"contract": "garde", "taker": "Anna", "points": 40}, 4, "the bouts of Anna are missing: 0 to 3"),
        (GARDE | {"bouts": 4}, 4, "the bouts of Anna are missing: 0 to 3"),
        (GARDE | {"bouts": -1}, 4, "the bouts of Anna are missing: 0 to 3"),
        (GARDE | {"slam": "taker", "petit_au_bout": "defence"}, 4, "won every trick won the petit au bout"),
        (GARDE | {"slam": "defence", "petit_au_bout": "defence"}, 4, ""),
        (GARDE | {"handfuls": {"Gro": "single"}}, 4, "'Gro' is not seated"),
        (GARDE | {"handfuls": {"Anna": "single", "Bo": "double"}}, 4, ""),
    ],
)
def test_a_result_of_french_tarot_that_no_deal_comes_to(
    result: dict[str, Any], players: int, wanted: str
) -> None:
    assert holds(wanted, complaint("french-tarot", {"result": result}, players))


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ({"Anna": "king", "Bo": "king"}, ""),
        ({"Anna": "pagat", "Bo": "king", "Carl": "king"}, ""),
        ({"Anna": "king", "Bo": "pagat"}, "a king does not win a trick that holds the pagat"),
        ({"Bo": "pagat", "Carl": "king"}, ""),
    ],
)
def test_a_result_of_danish_tarok_that_no_hand_comes_to(cards: dict[str, str], wanted: str) -> None:
    result = {"last_trick": {"winner": "Anna", "cards": cards}, "points": {"Anna": 30, "Bo": 26}}
    assert holds(wanted, complaint("pagat-2024", {"result": result}, 3))


POINTS = {"Anna": 25, "Bo": 20, "Carl": 15, "Dora": 5}


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        ({"winners": ["Anna", "Bo"]}, ""),
        ({}, "nobody won the hand; choose who won, or enter the points"),
        ({"winners": ["Anna", "Anna"]}, "a winner is named twice"),
        ({"points": POINTS}, ""),
        ({"points": POINTS, "winners": ["Anna"]}, ""),
        ({"points": POINTS, "winners": ["Bo"]}, "by the points Anna won the hand"),
        ({"points": {"Anna": 25, "Bo": 20, "Carl": 15}}, "the points of Dora are missing"),
        ({"points": POINTS | {"Dora": -1}}, "the points of a hand are at most 65 together, not 59"),
        ({"points": POINTS | {"Dora": 6}}, "the points of a hand are at most 65 together, not 66"),
    ],
)
def test_a_result_of_the_tarot_of_1659_that_no_hand_comes_to(result: dict[str, Any], wanted: str) -> None:
    assert holds(wanted, complaint("tarot-1659", {"result": result}))


# -- entries ---------------------------------------------------------------------------------------------------

TAKEN = game("two", call="H", take=0)
FIRST = plays("Anna S7  Bo S8  Carl S10  Dora SV")
OPEN = {"open": ["T2", "T3", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T13", "T14"]}
TALON_TURNED = {"talon": TALON}
FIRST_PLAYS = entries("Anna S7  Bo S8  Carl S10  Dora SV")
TEN_TRUMPS = tuple(f"T{number}" for number in range(2, 12))


@pytest.mark.parametrize(
    ("events", "wanted"),
    [
        (FIRST, "hand 1 lacks its contract, which must be known before a card is played"),
        (game("two") + FIRST, "hand 1 lacks its call: a king must be called before a card is played"),
        (game("solo_two") + FIRST, "hand 1 lacks its Talon: a group must be taken before a card is played"),
        (TAKEN + FIRST, ""),
        (game("two") + game("one"), "the contract was already named"),
        ([{"bid": "Anna", "game": "two"}, *game("two")], "the contract is named when the bidding is over"),
        (
            [*({"bid": name, "game": "pass"} for name in SEATS[:4]), *game("two")],
            "all four passed: Klop is played, and nobody declares it",
        ),
        ([*game("two", call="H"), {"call": "C"}], "a card was already called"),
        ([*game("solo_two"), {"call": "C"}], "nothing is called in this contract"),
        ([*game("barach"), TALON_TURNED], "the Talon is not turned up in this contract"),
        ([*TAKEN, TALON_TURNED], "the Talon was already turned up"),
        ([*game("two", call="H"), {"take": 0}], "the Talon is turned up before a group of it is taken"),
        ([*TAKEN, {"take": 1}], "a group of the Talon was already taken"),
        ([*game("two", call="H"), {"discard": ["T2"]}], "cards are laid once a group of the Talon is taken"),
        ([*TAKEN, {"discard": ["T2"]}, {"discard": []}], "it was already said what was laid face up"),
        ([*TAKEN, {"discard": ["T2", "T2"]}], "each card is named once"),
        ([*TAKEN, {"discard": ["C7"]}], "C7"),  # it lies in the Talon
        (TAKEN + FIRST + [{"redeal": "misdeal"}], "a hand cannot be dealt again once a card is played"),
        ([*TAKEN, {"discard": ["T2"]}, *plays("Anna T2")], "T2 was laid face up"),
        (TAKEN + plays("Anna C7"), "C7 lies in the Talon"),
        (TAKEN + FIRST + [{"vitamin": "T8"}], "vitamins are turned up in Klop only"),
        (game("klop", None) + FIRST + plays("vitamin T8  Dora T8"), "T8 was turned up as a vitamin"),
        ([*game("open_barach"), OPEN], "the hand is laid open after the first trick, before the next lead"),
        (game("barach") + FIRST + [OPEN], "a hand is laid open in Open Barach only"),
        (game("open_barach", "Bo") + FIRST + [OPEN], ""),
        (game("open_barach", "Bo") + FIRST + [OPEN, OPEN], "the hand was already laid open"),
        (
            game("open_barach", "Bo") + FIRST + [{"open": OPEN["open"][1:]}],
            "the open hand is eleven different cards",
        ),
        (
            game("open_barach", "Bo") + FIRST + [{"open": [*OPEN["open"][1:], "T14"]}],
            "the open hand is eleven different cards",
        ),
        (game("open_barach", "Bo") + FIRST + [{"open": [*OPEN["open"][1:], "S7"]}], "S7 was already"),
        ([{"skeench_a_tola": "Dora"}, {"skeench_a_tola": "Dora"}], "Skeench-a-tola was already called"),
    ],
)
def test_an_entry_that_american_tarock_does_not_know(events: list[dict[str, Any]], wanted: str) -> None:
    assert holds(wanted, complaint("american-tarock", {"events": events}))


ROUND = "Anna SR  Bo S1  Carl S2  Dora S3"
TEN = "handful Anna T20 T19 T18 T17 T16 T15 T14 T13 T12 T11"


@pytest.mark.parametrize(
    ("text", "players", "wanted"),
    [
        (ROUND, 4, "hand 1 lacks its contract, which must be known before a card is played"),
        (f"contract garde Anna\n{ROUND}", 4, ""),
        (
            f"contract garde Anna\n{ROUND}",
            5,
            "hand 1 lacks its call: a king must be called before a card is played",
        ),
        ("contract garde Anna\ncontract prise Bo", 4, "the contract was already named"),
        ("bid Anna garde\ncontract garde Anna", 4, "the contract is named when the bidding is over"),
        (f"contract garde Anna\n{TEN}\ncontract prise Anna", 4, "the contract was already named"),
        ("contract garde Anna\ncall HR\ncall SR", 5, "a card was already called"),
        ("contract garde Anna\ndog S6 S5 SV\ncall HR", 5, "a king is called before the dog is turned up"),
        (
            "contract garde Anna\ndog S6 S5 SV H9 C8 D10\ndog S6 S5 SV H9 C8 D10",
            4,
            "the dog was already turned up",
        ),
        ("contract garde Anna\ndiscard T5\ndog S6 S5 SV H9 C8 D10", 4, "turned up before cards are laid"),
        ("contract garde Anna\ndiscard T5\ndiscard T6", 4, "it was already said what was laid face up"),
        ("contract garde Anna\ndiscard T5\nAnna T5", 4, "T5 was laid face up"),
        ("contract garde Anna\ndiscard T5 T5", 4, "each card is named once"),
        ("contract garde Anna\nslam Anna\nslam Anna", 4, "the slam was already announced"),
        (f"contract garde Anna\n{TEN}\n{TEN}", 4, "Anna already showed a handful"),
        ("contract garde Anna\nhandful Anna", 4, "a handful has at least one card"),
        ("contract garde Anna\nhandful Anna SR", 4, "SR is not a trump: it is in no handful"),
        (f"contract garde Anna\nAnna S1  Bo T11\n{TEN}", 4, "T11 was already"),
        ("redeal misdeal Gro", 4, "'Gro' is not seated"),
        (
            f"contract garde Anna\n{ROUND}\nannul wrong\nback 1",
            4,
            "the hand does not count: nothing is taken back",
        ),
        (f"contract garde Anna\nannul wrong\n{ROUND}", 4, "the hand does not count"),
        (f"contract garde Anna\n{TEN}\nAnna T20\nback 1", 4, ""),
        (f"contract garde Anna\nAnna T20\n{TEN}\nback 1", 4, "plays before a handful cannot be taken back"),
        (f"contract garde Anna\n{ROUND}\nback 99", 4, "99 plays cannot be taken back: there are only 4"),
        (f"contract garde Anna\n{ROUND}\naward Anna so: S1", 4, "must be one of taker, defence, not 'Anna'"),
        ("contract garde Anna\nannul", 4, "a reason in words is missing"),
        ("contract garde Anna\nAnna S1  Bo S1", 4, "S1 was already played in trick 1"),
        ("contract garde Anna\nAnna S1  Anna S2", 4, "Anna already has a card in trick 1"),
        ("contract garde Anna\ndog S6 S5 SV H9 C8 D10\nAnna S1  Bo S6", 4, "Anna took or showed S6"),
        ("contract petite Anna", 4, "must be one of prise, garde"),
        ("contract garde Anna\ncall S10", 5, "must be one of SR, HR"),
        (f"contract garde Anna\n{ROUND}\ndiscard T5", 4, "too late: a card has already been played"),
        (f"contract garde Anna\n{ROUND}\nslam Anna", 4, "too late: a card has already been played"),
        (
            "bid Anna pass\nbid Bo pass\nbid Carl pass\nbid Dora pass\ncontract prise Anna",
            4,
            "the hand does not count",
        ),
        ("renonce Anna spoke hand 9", 4, "there is no hand 9 to fine Anna in"),
        ("renonce Anna 0 spoke", 4, "must be from 1 to"),
        ("adjust Anna 0 spoke", 4, "must be from 1 to"),
    ],
)
def test_an_entry_that_french_tarot_does_not_know(text: str, players: int, wanted: str) -> None:
    assert holds(wanted, complaint("french-tarot", {"events": events_of(text)}, players))


@pytest.mark.parametrize(
    ("event", "wanted"),
    [
        ({"play": "Anna", "card": "S1", "named": "H"}, "no suit is named for the fool in this game"),
        ({"play": "Anna", "card": "S1", "trick": 1}, "unknown key 'trick'"),
        ({"redeal": "no_trumps"}, "must be one of misdeal, petit_sec, not 'no_trumps'"),
        ({"exchange_fool": "Anna", "card": "S2"}, "unknown event with the keys 'exchange_fool', 'card'"),
        ({"adjust": {"player": "Anna", "points": 5}}, "'reason' is missing"),
    ],
)
def test_an_event_that_french_tarot_does_not_have(event: dict[str, Any], wanted: str) -> None:
    garde = {"contract": "garde", "taker": "Anna"}
    assert holds(wanted, complaint("french-tarot", {"events": [garde, event]}))


HAND = {"events": [{"play": "Anna", "card": "S7"}]}


@pytest.mark.parametrize(
    ("rules", "players"), [("pagat-2024", 3), ("tarot-1659", 4), ("american-tarock", 4), ("french-tarot", 3)]
)
def test_a_hand_after_so_many_left_or_joined_that_none_can_be_dealt(rules: str, players: int) -> None:
    seats = SEATS[:players]
    left = [{"leave": name} for name in seats]
    joined = [{"join": f"Guest {number}", "after": "Anna"} for number in range(5)]
    for changes, said in ((left[:1], "must stay"), (left, "must stay"), (joined, " players, not ")):
        with pytest.raises(SessionFileError, match=said):
            folded(session_file(rules, seats, *changes, HAND))


# -- at a table, where whatever is entered is stored, and asked about --------------------------------------------


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("pagat-2024", [SkatShown(("X9", "S1", "S2"))]),
        (
            "american-tarock",
            [american.ContractNamed("solo_two", "Anna"), american.TalonTurned((*TALON[:5], "X9"))],
        ),
        ("french-tarot", [french.ContractNamed("garde", "Anna"), french.HandfulShown("Anna", ("T21", "X9"))]),
        ("tarot-1659", [CardPlayed("Anna", "X9")]),
    ],
)
def test_a_card_that_the_pack_does_not_have_is_asked_about(rules: str, said: list[Event]) -> None:
    assert asked_of(rules, said) == ["unknown card 'X9'"]


def asked_of(rules: str, said: list[Event]) -> list[str]:
    return [str(alert.reason) for alert in live(*said, rules=rules).alerts]


@pytest.mark.parametrize(
    ("rules", "redeal"),
    [
        ("pagat-2024", danish.Redealt("misdeal")),
        ("tarot-1659", tarot1659.Redealt()),
        ("american-tarock", american.Redealt("misdeal")),
        ("french-tarot", french.Redealt("misdeal")),
    ],
)
def test_every_game_deals_again_alike(rules: str, redeal: Event) -> None:
    assert asked_of(rules, [redeal]) == []
    assert asked_of(rules, [HandAbandoned(), redeal]) == ["the hand was abandoned"]
    played = asked_of(rules, [CardPlayed(SEATS[0], "SR"), redeal])
    assert played == ["a hand cannot be dealt again once a card is played"]


@pytest.mark.parametrize(
    ("rules", "fine", "wanted"),
    [
        ("tarot-1659", tarot1659.Fined("Anna", -5), "a fine is from 1 to 1000000 chips, not -5"),
        ("american-tarock", american.RenonceBooked("Anna", -5), "a fine is from 1 to 1000000 points, not -5"),
        ("french-tarot", french.PenaltyBooked("Anna", -5), "a fine is from 1 to 1000000 points, not -5"),
        ("pagat-2024", danish.Fined("Gro", "minor"), "Gro did not sit at the table in hand 1"),
        ("tarot-1659", tarot1659.Fined("Gro", 5), "Gro did not sit at the table in hand 1"),
        ("american-tarock", american.RenonceBooked("Gro", 5), "Gro did not sit at the table in hand 1"),
        ("french-tarot", french.PenaltyBooked("Gro", 5), "Gro did not sit at the table in hand 1"),
        ("french-tarot", FindingPassed("Gro", "revoke", 1), "Gro did not sit at the table in hand 1"),
    ],
)
def test_a_fine_is_some_points_of_somebody_who_sits_there(rules: str, fine: Event, wanted: str) -> None:
    session = live(fine, rules=rules)
    assert [str(alert.reason) for alert in session.alerts] == [wanted] and not session.hands[0].fines


@pytest.mark.parametrize(
    ("rules", "said", "wanted"),
    [
        (
            "american-tarock",
            [
                american.ContractNamed("klop"),
                *FIRST_PLAYS,
                american.VitaminTurned("T8"),
                CardPlayed("Dora", "T8"),
            ],
            "That cannot have happened: tarock 8 was turned up as a vitamin.",
        ),
        (
            "american-tarock",
            [
                american.ContractNamed("open_barach", "Bo"),
                *FIRST_PLAYS,
                american.HandLaidOpen((*OPEN["open"][1:], "S7")),
            ],
            "The 7 of spades was played before; is the card right?",
        ),
        (
            "american-tarock",
            [american.ContractNamed("klop"), *FIRST_PLAYS, american.VitaminTurned("S7")],
            "The 7 of spades was played before; is the card right?",
        ),
        (
            "french-tarot",
            [
                french.ContractNamed("garde", "Anna"),
                CardPlayed("Anna", "T9"),
                french.HandfulShown("Bo", TEN_TRUMPS),
            ],
            "Trump 9 was played before; is the card right?",
        ),
    ],
)
def test_a_card_that_was_played_is_asked_about_and_of_another_it_is_said_where_it_lies(
    rules: str, said: list[Event], wanted: str
) -> None:
    session = live(*said, rules=rules)
    assert [game_of_rules(rules).words.alert_text(alert) for alert in session.alerts] == [wanted]
