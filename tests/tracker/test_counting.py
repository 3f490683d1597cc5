"""Where unseen cards may lie in the Tarot of 1659 and American Tarock: against every deal that there is."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from american_table import game, round_of
from tarot1659_deals import legal_cards

from tracker import counting
from tracker.american.contracts import CONTRACTS
from tracker.american.game import AMERICAN
from tracker.american.hand import AmericanHand
from tracker.american.pack import FIVES, PACK, TAROCKS
from tracker.american.session import AmericanSession
from tracker.american.study import study as american_study
from tracker.counting import where_cards_lie
from tracker.drills import QUESTION_KINDS, points, question
from tracker.events import Event, HandStarted, SessionOpened
from tracker.french.game import FRENCH
from tracker.french.hand import FrenchHand
from tracker.french.pack import BOUTS_MASK, KINGS, SUIT_CARDS, TRUMPS, above_call
from tracker.french.pack import PACK as FRENCH_PACK
from tracker.french.session import FrenchSession
from tracker.game import Game
from tracker.games import game_of
from tracker.hand import Hand
from tracker.pack import indices
from tracker.session import Session
from tracker.study import SET_ASIDE, Study, hand_after
from tracker.tarot1659.events import Adjusted
from tracker.tarot1659.game import TAROT_1659
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.study import study as study_1659
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french

SEATS = ("Anna", "Bo", "Carl", "Dora")
Deal = dict[str, list[str]]


def evening_1659(seed: int, cards: int, seats: Sequence[str] = SEATS) -> Session1659:
    session = Session1659(SessionOpened("tarot-1659", (("cards", cards),), tuple(seats)))
    return applied(session, hand_of_1659(random.Random(seed), seats, cards))


def evening_american(seed: int, contract: str) -> AmericanSession:
    opened = SessionOpened("american-tarock", seats=SEATS)
    return applied(AmericanSession(opened), hand_of_american(random.Random(seed), opened, contract))


def applied(session: Session, events: list[Event]) -> Session:
    for event in events:
        session.apply(event)
    assert not session.alerts
    return session


def deals(
    cards: Sequence[str], room: dict[str, int], fits: Callable[[str, tuple[str, ...]], bool]
) -> Iterator[Deal]:
    """Every way to deal `cards` to places with that room, where `fits` tells whether a place may hold these cards."""
    if not room:
        yield {}
        return
    (name, size), *others = room.items()
    for held in itertools.combinations(cards, size):
        if fits(name, held):
            rest = [card for card in cards if card not in held]
            for deal in deals(rest, dict(others), fits):
                yield {name: list(held), **deal}


def chances_of(found: list[Deal]) -> dict[str, dict[str, Fraction]]:
    """How often each card lies where, of all deals found."""
    counts = Counter((card, name) for deal in found for name, cards in deal.items() for card in cards)
    cards = {card for card, _ in counts}
    return {card: {name: Fraction(counts[card, name], len(found)) for name in found[0]} for card in cards}


# ---- counting and sampling ----


def random_places(seed: int) -> tuple[int, list[int], list[list[int]]]:
    chance = random.Random(seed)
    unseen = sum(1 << card for card in chance.sample(range(40), 8))
    room = [2, 2, 1, 3] if seed % 2 else [1, 3, 2, 2]
    cases = []
    for _ in range(1 + seed % 3):
        allowed = [sum(1 << card for card in indices(unseen) if chance.random() < 0.7) for _ in range(3)]
        cases.append([*allowed, unseen if seed % 4 else allowed[0]])
    if len(cases) > 1:  # they exclude one another by who has the first card
        first = unseen & -unseen
        for place, case in enumerate(cases):
            case[:] = [cards | first if at == place else cards & ~first for at, cards in enumerate(case)]
    return unseen, room, cases


def all_deals(unseen: int, room: list[int], cases: list[list[int]]) -> dict[str, dict[str, Fraction]]:
    names = [str(card) for card in indices(unseen)]
    places = {str(place): size for place, size in enumerate(room)}
    agree = [deal for case in cases for deal in deals(names, places, case_allows(case))]
    assert len({str(deal) for deal in agree}) == len(agree)
    return chances_of(agree) if agree else {}


def case_allows(case: list[int]) -> Callable[[str, tuple[str, ...]], bool]:
    return lambda place, held: all(case[int(place)] >> int(card) & 1 for card in held)


@pytest.mark.parametrize("seed", range(60))
def test_counted_chances_are_those_of_all_deals(seed: int) -> None:
    unseen, room, cases = random_places(seed)
    found, wanted = where_cards_lie(unseen, room, cases), all_deals(unseen, room, cases)
    if not wanted:
        assert found is None
        return
    assert found is not None and found.exact
    for card, shares in found.chances.items():
        assert {str(place): share for place, share in enumerate(shares)} == wanted[str(card)]


@pytest.mark.parametrize("seed", range(12))
def test_sampled_chances_are_near_them_and_claim_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    unseen, room, cases = random_places(seed)
    wanted = all_deals(unseen, room, cases)
    monkeypatch.setattr(counting, "MOST_STEPS", 0)
    found = where_cards_lie(unseen, room, cases)
    if found is None:
        assert not wanted
        return
    assert not found.exact
    for card, shares in found.chances.items():
        assert sum(shares) == 1
        for place, share in enumerate(shares):
            assert abs(share - wanted[str(card)][str(place)]) < 0.06
            could = any(case[place] >> card & 1 for case in cases)
            assert (share > 0) == could


# ---- the Tarot of 1659 ----


def consistent_1659(hand: Hand, player: str, cards: Sequence[str]) -> bool:
    """Whether every play of `player` was legal if these `cards` are what is left."""
    for trick in hand.tricks:
        led: str | None = None
        for play in trick.plays:
            later = [one.card for one in hand.plays[play.number - 1 :] if one.player == player]
            if play.player == player and play.card not in legal_cards([*later, *cards], led):
                return False
            if led is None and play.card != "F":
                led = play.card[0]
    return True


@pytest.mark.parametrize(("seed", "seats"), [(1, 4), (2, 4), (3, 6), (5, 6), (6, 4)])
def test_chances_of_1659_are_those_of_all_legal_deals(seed: int, seats: int) -> None:
    names = (*SEATS, "Erik", "Fie")[:seats]
    each = 78 // seats
    session = evening_1659(seed, each, names)
    for after in (seats * each - 5, seats * each - 3):
        hand = hand_after(session, session.hand, after)
        found = study_1659(hand)
        unseen = [card for card in hand.pack.cards if card not in {play.card for play in hand.plays}]
        room = {**found.left, SET_ASIDE: len(unseen) - sum(found.left.values())}
        if not room[SET_ASIDE]:
            del room[SET_ASIDE]
        assert found.exact and found.chances == chances_of(list(deals(unseen, room, fits_1659(hand))))


def fits_1659(hand: Hand) -> Callable[[str, tuple[str, ...]], bool]:
    return cache(lambda place, cards: place == SET_ASIDE or consistent_1659(hand, place, cards))


def test_the_fool_of_1659_is_no_trump_and_no_void() -> None:
    session = evening_1659(7, 6)
    first = study_1659(hand_after(session, session.hand, 5))
    assert len(first.trumps) == 21 and "F" not in first.trumps
    assert first.aside == "stock" and first.left == {"Anna": 4, "Bo": 5, "Carl": 5, "Dora": 5}
    assert not [void for void in first.voids if void.player == "Anna"]  # she led the fool
    assert first.chances["S5"][SET_ASIDE] == Fraction(54, 73)


# ---- American Tarock ----


@pytest.mark.parametrize(
    ("contract", "after"),
    [
        ("klop", 42),
        ("klop", 41),
        ("two", 44),
        ("two", 43),
        ("solo_one", 43),
        ("three", 45),
        ("solo_no_peek", 46),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_chances_of_american_tarock_are_those_of_all_legal_deals(
    contract: str, after: int, seed: int
) -> None:
    session = evening_american(seed, contract)
    must_be_of_all_legal_deals(session, after, legal_aside, consistent_player)


def must_be_of_all_legal_deals(
    session: Session,
    after: int,
    legal_aside: Callable[[Any, Sequence[str]], bool],
    consistent: Callable[[list[Any], Any, str, Sequence[str]], bool],
) -> None:
    """What is known after so many plays is what all deals say that these two allow.

    `legal_aside` tells whether cards may lie aside, `consistent` whether a player may have them left.
    """
    whole = session.hands[0]
    hand: Any = hand_after(session, whole, after)
    found = game_of(session).study(hand)  # type: ignore[misc]
    unseen = hand.pack.names(hand.pack.all_cards & ~hand.gone)
    aside = len(unseen) - sum(found.left.values())
    room = {**found.left} | ({SET_ASIDE: aside} if aside else {})
    may = {player: set(hand.pack.names(hand.could_hold(player))) for player in hand.active}
    # The plays are the same for all deals, so what was legal is asked for each player's hand alone.
    then = [hand_after(session, whole, number) for number in range(after)]

    @cache
    def fits(place: str, cards: tuple[str, ...]) -> bool:
        if place == SET_ASIDE:
            return legal_aside(hand, cards)
        return set(cards) <= may[place] and consistent(then, hand, place, cards)

    assert found.exact and found.chances == chances_of(list(deals(unseen, room, fits)))


def consistent_player(
    then: list[Any], hand: AmericanHand | FrenchHand, player: str, cards: Sequence[str]
) -> bool:
    """Whether the plays of `player` were legal if these `cards` are what is left; `then` is `hand` before each play."""
    for play in hand.plays:
        if play.player == player:
            later = [one.card for one in hand.plays[play.number - 1 :] if one.player == player]
            held = hand.pack.mask([*later, *cards])
            if not then[play.number - 1].legal_plays(player, held) >> hand.pack.index[play.card] & 1:
                return False
    return True


def legal_aside(hand: AmericanHand, cards: Sequence[str]) -> bool:
    laid = PACK.mask(cards)
    talon = hand.talon
    hidden = TAROCKS if talon.laid is not None else 0
    return talon.taken is None or not laid & (FIVES | talon.taken | hidden)


# ---- French Tarot ----


def evening_french(seed: int, contract: str, players: int) -> FrenchSession:
    """A legal deal of French Tarot, played out."""
    opened = SessionOpened("french-tarot", (), (*SEATS, "Erik")[:players])
    session = FrenchSession(opened)
    return applied(session, hand_of_french(random.Random(seed), opened, contract))


@pytest.mark.parametrize(
    ("contract", "players", "before_end"),
    [
        ("garde", 4, 5),
        ("garde", 4, 4),
        ("garde_sans", 4, 4),
        ("prise", 3, 4),
        ("garde", 5, 6),
        ("garde_contre", 5, 7),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_chances_of_french_tarot_are_those_of_all_legal_deals(
    contract: str, players: int, before_end: int, seed: int
) -> None:
    session = evening_french(seed, contract, players)
    after = len(session.hands[0].plays) - before_end
    must_be_of_all_legal_deals(session, after, legal_dog, consistent_french)


def consistent_french(then: list[FrenchHand], hand: FrenchHand, player: str, cards: Sequence[str]) -> bool:
    """Whether `player` did nothing against the rules if these `cards` are what is left; `then` is before each play."""
    mine = [play for play in hand.plays if play.player == player]
    held = FRENCH_PACK.mask([*(play.card for play in mine), *cards])
    if player == hand.taker and hand.dog.laid and held & SUIT_CARDS & ~KINGS:
        return False  # a trump laid face up says that nothing else was left to lay
    for handful in hand.handfuls:
        if handful.player == player and "F" in handful.cards and held & TRUMPS & ~handful.mask:
            return False
        if handful.player == player and handful.mask & ~held & ~(hand.dog.laid or 0):
            return False
    above = above_call(hand.call.card) if hand.call.card else 0
    if player != hand.taker and FRENCH_PACK.mask(cards) & above:
        return False
    return consistent_player(then, hand, player, cards)


def legal_dog(hand: FrenchHand, cards: Sequence[str]) -> bool:
    """Whether these cards may lie aside: of what was laid no king, no bout, no trump that was not shown."""
    aside = FRENCH_PACK.mask(cards)
    above = above_call(hand.call.card) if hand.call.card else 0
    took = hand.contract is not None and hand.contract.takes_dog
    shown = sum(handful.mask for handful in hand.handfuls)
    return not aside & (above | shown | (KINGS | BOUTS_MASK | TRUMPS if took else 0))


def test_the_trumps_of_french_tarot_are_21_and_the_dog_is_the_takers() -> None:
    session = evening_french(3, "garde", 4)
    first = FRENCH.study(hand_after(session, session.hands[0], 1))  # type: ignore[misc]
    assert len(first.trumps) == 21 and "F" not in first.trumps and first.aside == "discards"
    hand = session.hands[0]
    assert hand.taker is not None and hand.dog.turned is not None
    for card in FRENCH_PACK.names(hand.dog.turned):
        if card in first.chances:
            others = {player for player, share in first.chances[card].items() if share}
            assert others <= {hand.taker, SET_ASIDE}


@pytest.mark.parametrize(("contract", "players"), [("garde", 3), ("garde_sans", 4), ("prise", 5)])
def test_what_is_said_of_a_legal_deal_of_french_tarot_is_so(contract: str, players: int) -> None:
    assert_true_of(evening_french(11, contract, players), FRENCH.study)


def voids(text: str, before: list[dict], **options: bool) -> list[tuple[str, str, str | None, str | None]]:
    found = american_study(round_of(text, before, **options)).voids
    return [(void.player, void.suit, void.card, void.above) for void in found]


def test_in_klop_the_duty_to_beat_says_what_a_player_has_not() -> None:
    """Who follows below the highest card cannot beat it; in a game with an exchange he need not."""
    klop = game("klop", None)
    assert voids("Anna S9 Bo S7 Carl SV", klop) == [("Bo", "S", "S7", "S9")]
    two = game("two", call="S", talon=["T4", "T5", "T6", "T7", "T8", "T10"], take=0)
    assert voids("Anna H3 Bo H4 Carl HV", two) == []
    assert voids("Anna HR Bo T9 Carl T3", klop) == [
        ("Bo", "H", "T9", None),
        ("Carl", "H", "T3", None),
        ("Carl", "T", "T3", "T9"),
    ]
    free = american_study(round_of("Anna HR Bo T9 Carl T3", klop)).chances
    assert free["T10"]["Carl"] == 0 and free["T8"]["Carl"] > 0 and free["T10"][SET_ASIDE] > 0


def test_a_tarock_led_before_its_time_says_that_there_is_nothing_else() -> None:
    klop = game("klop", None)
    assert {suit for player, suit, _, _ in voids("Anna T5", klop) if player == "Anna"} == set("SHDC")
    assert voids("Anna T5", klop, free_lead=True) == []


def test_the_group_taken_is_the_declarers_and_the_discards_are_legal() -> None:
    talon = ["T4", "HR", "C7", "DV", "T21", "S9"]
    two = [*game("two", call="S", talon=talon, take=1), {"discard": ["T2"]}]
    found = american_study(round_of("Anna H3", two))
    assert found.aside == "discards" and found.chances["C7"]["Anna"] == found.chances["DV"]["Anna"] == 1
    assert not {"T4", "HR", "T21", "S9", "T2"} & found.chances.keys()  # the rest, and what was laid face up
    aside = {card: found.chances[card][SET_ASIDE] for card in ("T3", "SR", "S8")}
    assert aside["T3"] == aside["SR"] == 0 < aside["S8"]


def test_who_called_the_fourth_king_has_the_other_three() -> None:
    one = game("one", call="fourth", talon=["T4", "T5", "T6", "T7", "T8", "T10"], take=0)
    before = american_study(round_of("Anna H3", one))
    assert before.chances["HR"]["Anna"] == Fraction(3, 4)
    assert before.chances["HR"]["Bo"] == Fraction(1, 12) and before.chances["HR"][SET_ASIDE] == 0
    seen = american_study(round_of("Anna H3 Bo HR", one))
    assert seen.chances["SR"]["Anna"] == seen.chances["CR"]["Anna"] == 1


@pytest.mark.parametrize("contract", list(CONTRACTS))
def test_what_is_said_of_a_legal_round_is_so(contract: str) -> None:
    session = evening_american(11, contract)
    assert_true_of(session, AMERICAN.study)


@pytest.mark.parametrize(("cards", "seats"), [(12, 4), (19, 4), (13, 6), (3, 5)])
def test_what_is_said_of_a_legal_hand_of_1659_is_so(cards: int, seats: int) -> None:
    assert_true_of(evening_1659(11, cards, (*SEATS, "Erik", "Fie")[:seats]), TAROT_1659.study)


def assert_true_of(session: Session, study: Callable[[Any], Study] | None) -> None:
    """Nobody is said to be void in what he plays later, and where each card went was possible."""
    hand = session.hand
    assert hand is not None and study is not None
    for after in range(0, len(hand.plays) + 1, 3):
        found = study(hand_after(session, hand, after))
        later = hand.plays[after:]
        for play in later:
            assert found.chances[play.card][play.player] > 0, (after, play)
        for void in found.voids:
            mine = [play.card for play in later if play.player == void.player]
            cards = [card for card in mine if hand.pack.letter[hand.pack.index[card]] == void.suit]
            above = -1 if void.above is None else hand.pack.index[void.above]
            assert not [card for card in cards if hand.pack.index[card] > above], (after, void)
        for row in found.chances.values():
            assert sum(row.values()) == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game_played", [TAROT_1659, AMERICAN, FRENCH])
def test_each_question_of_these_games_can_be_answered(game_played: Game, seed: int) -> None:
    session: Session
    if game_played is TAROT_1659:
        session = evening_1659(seed, 14)
    elif game_played is AMERICAN:
        session = evening_american(seed, "klop")
    else:
        session = evening_french(seed, "garde", 3 + seed)
    hand, study = session.hand, game_played.study
    assert hand is not None and study is not None
    asked = [question(session, hand, study, seed, number) for number in range(len(points(hand, seed)))]
    assert len(asked) >= 9 and {one.kind for one in asked} == set(QUESTION_KINDS)
    for one in asked:
        assert one.is_right(one.right)
        if one.kind == "void":
            later = {play.player for play in hand.plays[one.after :] if play.card[0] == one.suit}
            assert not later & one.right


def test_chips_that_people_moved_do_not_change_what_was_known() -> None:
    """A hand looked at again is dealt to a fresh evening, whose pot holds less than was taken out of it."""
    session = evening_1659(3, 6)
    session.apply(HandStarted())
    session.apply(Adjusted("pot", "Anna", 40, "from the hand before"))
    for event in hand_of_1659(random.Random(4), SEATS, 6)[1:9]:
        session.apply(event)
    then = hand_after(session, session.hand, 4)
    assert len(then.plays) == 4 and not then.alerts
