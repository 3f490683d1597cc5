"""Session files of the Tarot of 1659 that tell what cannot be."""

import pytest
from tracker_again import folded
from tracker_file import session_file

from tracker.reader import SessionFileError


def session_with(*events: dict) -> dict:
    """A trick and a card of the second, and `events` after them."""
    cards = [("Anna", "F"), ("Bo", "S2"), ("Carl", "SR"), ("Dora", "S4"), ("Carl", "H1")]
    played = [{"play": player, "card": card} for player, card in cards]
    hand = {"dealer": "Dora", "events": [*played, *events]}
    return session_file("tarot-1659", ["Anna", "Bo", "Carl", "Dora"], hand)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"call_fool": "Anna"}, "unknown event with the keys 'call_fool'"),
        ({"bid": "Anna", "game": "two"}, "unknown event with the keys 'bid', 'game'"),
        ({"play": "Dora", "card": "S2"}, "S2 was already played in trick 1"),
        ({"play": "Carl", "card": "S1"}, "Carl already has a card in trick 2"),
        ({"play": "Dora", "card": "T1", "named": "S"}, "no suit is named for the fool in this game"),
        ({"exchange_fool": "Anna", "card": "S2"}, "Anna has not won S2"),
        ({"exchange_fool": "Anna", "card": "X2"}, "unknown card 'X2'"),
        ({"fine": "Bo"}, "'amount' is missing"),
        ({"fine": "Bo", "amount": 2.0}, "must be a whole number, not a fraction"),
        ({"fine": "Bo", "amount": 0}, "a fine is from 1 to 1000000 chips, not 0"),
        ({"fine": "Bo", "amount": 5, "category": "minor"}, "unknown key 'category'"),
        ({"fine": "Bo", "amount": 5, "hand": 2}, "there is no hand 2 to fine Bo in"),
        ({"adjust": {"from": "pot", "to": "Bo", "amount": 41}, "reason": "so"}, "pot holds 40 chips, not 41"),
        ({"adjust": {"from": "king", "to": "Bo", "amount": 5}, "reason": "so"}, "'king' is not seated"),
        ({"adjust": {"from": "Bo", "to": "pot", "amount": 0}, "reason": "so"}, "an adjustment is from 1 to"),
        ({"redeal": "misdeal"}, "a hand cannot be dealt again once a card is played"),
        ({"redeal": "no_trumps"}, "must be one of misdeal, not 'no_trumps'"),
        ({"take_back": 6}, "6 plays cannot be taken back: there are only 5"),
        ({"take_back": 0}, "must be 1 or more, not 0"),
        ({"play": "Dora", "card": "S0"}, "unknown card 'S0'"),
        ({"play": "Zoe", "card": "S1"}, "'Zoe' is not seated"),
        ({"play": "Dora", "card": "T1", "take_back": 1}, "one event cannot be both 'play' and 'take_back'"),
        ({}, "unknown event: it is empty"),
        ({"fine": "Bo", "amount": True}, "must be a whole number, not true or false"),
        ({"adjust": {"from": "Bo", "to": "Bo", "amount": 3}, "reason": "so"}, "not from Bo to Bo"),
        ({"adjust": {"from": "Bo", "to": "pot", "amount": 3}, "reason": " "}, "a reason in words is missing"),
        ({"exchange_fool": "pot", "card": "S2"}, "'pot' is not seated"),
        ({"exchange_fool": "Bo", "card": "S2"}, "Bo did not play the fool"),
    ],
)
def test_what_cannot_be_is_named_with_its_place(event: dict, message: str) -> None:
    with pytest.raises(SessionFileError) as told:
        folded(session_with(event))
    assert str(told.value).startswith("hands[0].events[5]") and message in str(told.value)


SEATS = ["Anna", "Bo", "Carl", "Dora"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seats": [*SEATS[1:], "pot"]}, "seats: a player cannot be called 'pot': that is a pot"),
        ({"options": {"cards": 0}}, "options: cards must be from 1 to 19 cards, not 0"),
        ({"options": {"cards": "12"}}, "options: cards must be a whole number, not '12'"),
        ({"options": {"ante": 0}}, "options: ante must be from 1 to 1000000 chips, not 0"),
        ({"options": {"ante": False}}, "options: ante must be a whole number, not False"),
        ({"options": {"tie": "share"}}, "options: tie must be split or carry, not 'share'"),
        ({"options": {"count": True}}, "options: unknown option 'count'; there are name, cards, ante, tie"),
        ({"rules": "tarot-1660"}, "rules: unknown rule set 'tarot-1660'; there are pagat-2024, "),
        ({"hands": [{"join": "Anna", "after": "Bo"}]}, "hands[0]: Anna is seated twice"),
        ({"hands": [{"join": "pot", "after": "Bo"}]}, "hands[0]: a player cannot be called 'pot'"),
        ({"hands": [{"leave": name} for name in SEATS]}, "hands[0]: Anna cannot leave: 4 or more must stay"),
    ],
)
def test_an_evening_that_cannot_be_is_named_with_its_place(changed: dict, said: str) -> None:
    with pytest.raises(SessionFileError) as told:
        folded(session_with() | changed)
    assert str(told.value).startswith(said)
