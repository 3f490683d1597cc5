"""The exact chances against counting every deal of a small ending, one by one."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import pytest
from test_proofs import deals, legal_skat
from tracker_deals import combinations_of
from tracker_live import live

from tracker.danish.combination import Combination
from tracker.danish.declarations import slot_of
from tracker.danish.events import Declared, SkatShown
from tracker.danish.inference import _Position, infer
from tracker.danish.knowledge import Knowledge
from tracker.danish.pack import INDEX, PACK, SUIT_MASK
from tracker.events import CardPlayed
from webui.bench.rules import random_hand


def ending(seed: int):
    """A random position with two cards left in each hand, heavy with cards that declarations are about."""
    chance = random.Random(seed)
    rules = chance.choice(["pagat-2024", "pagat-1996", "dtf-2011"])
    tout = chance.random() < 0.3
    pack = list(PACK.cards)
    chance.shuffle(pack)
    weight = {card: chance.random() + 1.5 * (card[0] in "TF" or card[1] in "RDCV") for card in pack}
    if chance.random() < 0.6:  # one hand that declares much
        lucky = chance.randrange(3)
        pack.sort(key=lambda card: -weight[card])
        best = pack[:25]
        others = pack[25:]
        chance.shuffle(others)
        hands = [others[:25], others[25:50]]
        hands.insert(lucky, best)
        skat = others[50:]
    else:
        hands = [pack[0:25], pack[25:50], pack[50:75]]
        skat = pack[75:]
    forbidden = {"SR", "HR", "DR", "CR", "T21", "F", "T1"}
    if any(card[0] == "T" or card in forbidden for card in skat):
        # A legal skat, by swapping with plain cards of the dealer.
        for place, card in enumerate(skat):
            if card[0] == "T" or card in forbidden:
                plain = [c for c in hands[2] if c[0] in "SHDC" and c not in forbidden]
                if not plain:
                    break
                other = chance.choice(plain)
                hands[2][hands[2].index(other)] = card
                skat[place] = other
    kept = [sorted(hand, key=lambda card: weight[card] * chance.random())[-2:] for hand in hands]
    unseen = sorted(kept[0] + kept[1] + kept[2] + skat)
    declared = []
    for player in range(3):
        cards = set(hands[player])
        if player == 2 and chance.random() < 0.3:
            cards |= set(skat)
        declared.append(None if chance.random() < 0.15 else combinations_of(cards))
    allowed = []
    for player in range(3):
        denied = {s for s in "SHDCT" if not any(c[0] == s for c in kept[player]) and chance.random() < 0.15}
        allowed.append({card for card in PACK.cards if card[0] not in denied})
    has = [set(hand) - set(two) for hand, two in zip(hands, kept, strict=True)]
    return rules, tout, unseen, has, allowed, declared


def agrees(hands, skat, rules, tout, has, declared) -> bool:
    full = [had | hand for had, hand in zip(has, hands, strict=True)]
    if not legal_skat(skat, any(card[0] == "T" for card in full[2]), rules, tout):
        return False
    for player, made in enumerate(declared):
        if made is None:
            continue
        owed = slots_of(frozenset(full[player]))
        held = slots_of(frozenset(full[player] | (skat if player == 2 else set())))
        said = {(c["kind"], c.get("suit")): c for c in made}
        if set(owed) - set(said) or any(c not in (owed.get(s), held.get(s)) for s, c in said.items()):
            return False
    return True


@lru_cache(4096)
def slots_of(cards: frozenset[str]) -> dict:
    """What these cards must declare, by kind and suit."""
    return {(c["kind"], c.get("suit")): c for c in combinations_of(cards)}


@pytest.mark.parametrize("seed", range(40))
def test_counting_equals_trying_every_deal(seed: int) -> None:
    rules, tout, unseen, has, allowed, declared = ending(seed)
    counts = {card: [0, 0, 0, 0] for card in unseen}
    total = 0
    for *hands, skat in deals(unseen, [2, 2, 2], allowed):
        if agrees(hands, skat, rules, tout, has, declared):
            total += 1
            for place, cards in enumerate([*hands, skat]):
                for card in cards:
                    counts[card][place] += 1
    knowledge = Knowledge(pagat_in_skat=rules == "pagat-1996")
    if tout and rules != "dtf-2011":
        knowledge.fool_may_be_laid()
    skat_plain, skat_trumps = knowledge.legal_skat()
    slots = [
        None if made is None else {slot_of(c): c for c in (Combination(**entry) for entry in made)}
        for made in declared
    ]
    position = _Position(
        unseen=PACK.mask(unseen),
        room=(2, 2, 2, 3),
        has=(PACK.mask(has[0]), PACK.mask(has[1]), PACK.mask(has[2])),
        allowed=(PACK.mask(allowed[0]), PACK.mask(allowed[1]), PACK.mask(allowed[2])),
        skat_plain=skat_plain,
        skat_trumps=skat_trumps,
        skat_has=0,
        slots=(slots[0], slots[1], slots[2]),
    )
    counted = position.count()
    assert counted.deals == total
    by_card = counted.by_card() if total else {}
    assert {card: by_card[INDEX[card]] for card in unseen if by_card} == (counts if total else {})


def test_enough_of_the_random_endings_have_a_deal() -> None:
    """Otherwise the test above would compare nothing with nothing."""
    declaring = [ending(seed) for seed in range(40)]
    assert sum(any(made for made in declared) for *_, declared in declaring) > 20


@pytest.mark.parametrize(
    ("rules", "may_lie"), [("pagat-2024", False), ("pagat-1996", True), ("dtf-2011", False)]
)
def test_the_pagat_may_lie_in_the_skat_by_the_rules_of_1996_alone(rules: str, may_lie: bool) -> None:
    assert bool(infer(live(rules=rules).hand).chances["T1"]["skat"]) is may_lie


def test_a_skat_that_is_shown_lies_in_nobodys_hand() -> None:
    plays = [CardPlayed("Anna", "S7"), CardPlayed("Bo", "S8"), CardPlayed("Carl", "S9")]
    hand = live(*plays, SkatShown(("H1", "D1", "C1"))).hand
    chances = infer(hand).chances
    assert len(chances) == 72 and not {"H1", "D1", "C1"} & chances.keys()
    assert not any(row["skat"] for row in chances.values())


def test_before_the_first_card_everything_is_in_proportion() -> None:
    hand = live().hand
    view = infer(hand)
    # No king can lie in the skat. The dealer's chance is a trifle higher: the few deals in which he lays
    # trumps leave him none of them, and so more of everything else.
    assert view.chances["SR"]["skat"] == 0
    assert view.chances["SR"]["Anna"] == view.chances["SR"]["Bo"] < view.chances["SR"]["Carl"]
    assert abs(view.chances["SR"]["Carl"] - Fraction(1, 3)) < Fraction(1, 1000)
    for row in view.chances.values():
        assert sum(row.values()) == 1


def test_whoever_shows_out_is_void() -> None:
    plays = [CardPlayed("Anna", "S7"), CardPlayed("Bo", "T3"), CardPlayed("Carl", "S9")]
    hand = live(*plays).hand
    assert infer(hand).void == {"Anna": (), "Bo": ("S",), "Carl": ()}


def test_ten_trumps_declared_are_somewhere() -> None:
    """DECL-1: eleven declared without the pagat raise the chance of each other trump, and lower T1's to 0."""
    plain = infer(live().hand)
    told = infer(live(Declared("Anna", (Combination("trumps", count=11, pagat=False),))).hand)
    assert told.chances["T1"]["Anna"] == 0
    assert told.chances["T7"]["Anna"] > plain.chances["T7"]["Anna"]
    expected = sum(told.chances[f"T{n}"]["Anna"] for n in range(1, 22)) + told.chances["F"]["Anna"]
    assert expected == 11


def test_a_declaration_that_cannot_be_true_is_left_out_and_that_is_said() -> None:
    hand = live(Declared("Anna", (Combination("kings", grade="full"),)), CardPlayed("Bo", "SR")).hand
    view = infer(hand)
    assert view.basis == "play"
    assert SUIT_MASK["S"] & PACK.mask(view.chances) == SUIT_MASK["S"] & ~PACK.mask(["SR"])


@pytest.mark.parametrize("seed", range(12))
def test_a_chance_is_the_share_of_the_deals_that_are_left_once_it_is_known(seed: int) -> None:
    """On whole hands, too large for trying every deal: counting again with one card known gives the same share."""
    chance = random.Random(seed)
    plays = random_hand(chance)
    hand = live(*plays[: 3 + chance.randrange(60)]).hand
    view = infer(hand)
    assert view.basis == "all"
    for player, place in ((player, place) for place, player in enumerate(hand.active)):
        held = sum(row[player] for row in view.chances.values())
        assert held == hand.knowledge.left[place]
    tied = [card for card in view.chances if card[0] in "TF" or card[1] in "RDCV"]
    for card in [*chance.sample(tied, min(4, len(tied))), *chance.sample(list(view.chances), 2)]:
        row = view.chances[card]
        assert sum(row.values()) == 1
        for place, player in enumerate(hand.active):
            if row[player]:
                assert with_card(_Position.of(hand), place, card).count().deals == view.deals * row[player]


def with_card(position: _Position, player: int, card: str) -> _Position:
    """`position` as it is for somebody who knows that `player` holds `card`."""
    bit, room, has = PACK.mask([card]), list(position.room), list(position.has)
    room[player] -= 1
    has[player] |= bit
    return replace(position, unseen=position.unseen & ~bit, room=(*room,), has=(*has,))  # type: ignore[arg-type]


def test_many_matadors_declared_are_all_with_their_player() -> None:
    """DECL-2: nine matadors are the fool, T21, T1 and T20 to T15; T14 is not his."""
    made = (Combination("trumps", count=12, pagat=True), Combination("matadors", count=9))
    view = infer(live(Declared("Anna", made)).hand)
    for card in ("F", "T1", "T21", "T20", "T15"):
        assert view.chances[card]["Anna"] == 1
    assert view.chances["T14"]["Anna"] == 0
    assert sum(view.chances[f"T{number}"]["Anna"] for number in range(2, 14)) == 3
