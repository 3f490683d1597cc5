"""REV-1 to REV-3 against oracles that try every deal of a small ending."""

import itertools
import random

import pytest

from tracker.danish.knowledge import DEALER, Denial, Knowledge
from tracker.danish.pack import ALL_CARDS, INDEX, PACK, SUIT_MASK

KINGS = {"SR", "HR", "DR", "CR"}


def legal_skat(cards: set[str], dealer_had_trump: bool, rules: str, tout: bool) -> bool:
    """DISC-1 to DISC-4, spelled out."""
    if cards & KINGS or "T21" in cards:
        return False
    if "T1" in cards and rules != "pagat-1996":
        return False
    if "F" in cards and not (tout and rules != "dtf-2011"):
        return False
    return not (any(card[0] == "T" for card in cards) and dealer_had_trump)


def deals(unseen: list[str], sizes: list[int], may: list[set[str]]):
    """Every way to deal `unseen` to three hands of cards that they `may` hold; the skat is the rest."""
    for first in itertools.combinations([card for card in unseen if card in may[0]], sizes[0]):
        rest = [card for card in unseen if card not in first]
        for second in itertools.combinations([card for card in rest if card in may[1]], sizes[1]):
            left = [card for card in rest if card not in second]
            for third in itertools.combinations([card for card in left if card in may[2]], sizes[2]):
                yield set(first), set(second), set(third), set(left) - set(third)


class Ending:
    """A random ending: `plays` of the hand are over, denials are random claims by random players."""

    def __init__(self, seed: int, left: int) -> None:
        chance = random.Random(seed)
        self.rules = chance.choice(["pagat-2024", "pagat-1996", "dtf-2011"])
        self.tout = chance.random() < 0.3
        self.knowledge = Knowledge(pagat_in_skat=self.rules == "pagat-1996")
        if self.tout and self.rules != "dtf-2011":
            self.knowledge.fool_may_be_laid()
        pack = list(PACK.cards)
        chance.shuffle(pack)
        unseen = 3 * left + 3
        if chance.random() < 0.5:  # endings full of trumps and kings
            pack.sort(key=lambda card: (card[0] in "TF" or card[1] == "R") and chance.random() < 0.7)
        self.unseen = pack[-unseen:]
        played = pack[:-unseen]
        self.dealer_trump = False
        self.claims: list[tuple[int, int, set[str]]] = []  # (player, play, suits denied)
        self.changed: list[Denial] = []
        # The contradictions after each play: suspects, whether it is one's own, and the play since which it is certain.
        self.history: list[dict[tuple[tuple[int, ...], bool], int]] = []
        for number, card in enumerate(played, start=1):
            player = (number - 1) % 3
            denied: set[str] = set()
            if chance.random() < 0.08 and card != "F":
                suit = chance.choice([suit for suit in "SHDCT" if suit != card[0]])
                denied = {suit} if card[0] == "T" else {suit, "T"}
                # Mostly a claim that no later play of his refutes: the endings are where the proofs lie.
                mine = {
                    other[0]
                    for later, other in enumerate(played[number:], start=number)
                    if later % 3 == player
                }
                if denied & mine and chance.random() < 0.8:
                    denied = set()
            bits = sum(SUIT_MASK[suit] for suit in denied)
            changed = self.knowledge.play(player, INDEX[card], bits, "S", (number + 2) // 3, number)
            if changed:
                self.changed += changed
            self.history.append(
                {(one.suspects, one.alone): one.known_at[1] for one in self.knowledge.contradictions}
            )
            if player == DEALER and card[0] == "T":
                self.dealer_trump = True
        self.left = [25 - len(range(player, len(played), 3)) for player in range(3)]

    def open_denials(self) -> list[Denial]:
        return [denial for denial in self.knowledge.denials if denial.status is None]

    def may_hold(self, without: tuple[int, ...] = ()) -> list[set[str]]:
        """The unseen cards that each player may hold by his open denials."""
        held = []
        for player in range(3):
            bits = ALL_CARDS
            if player not in without:
                for denial in self.open_denials():
                    if denial.player == player:
                        bits &= ~denial.mask
            held.append({card for card in self.unseen if bits >> INDEX[card] & 1})
        return held

    def deal_exists(self, without: tuple[int, ...]) -> bool:
        return any(
            legal_skat(skat, self.dealer_trump or any(c[0] == "T" for c in hands[2]), self.rules, self.tout)
            for *hands, skat in deals(self.unseen, self.left, self.may_hold(without))
        )


@pytest.mark.rule("REV-2")
@pytest.mark.parametrize("seed", range(60))
def test_a_denial_is_proved_false_exactly_when_no_hand_of_unseen_cards_fits_it(seed: int) -> None:
    ending = Ending(seed, left=3)
    for denial in ending.knowledge.denials:
        # The oracle looks at this one play alone: can he hold as many unseen cards outside what it denied?
        outside = [card for card in ending.unseen if not denial.mask >> INDEX[card] & 1]
        possible = next(itertools.combinations(outside, ending.left[denial.player]), None) is not None
        if denial.evidence:  # shown since, if it was not proved before: then it needs no count
            assert denial.status is not None
            continue
        assert (denial.status == "proved") == (not possible)


@pytest.mark.rule("REV-3")
@pytest.mark.parametrize("seed", range(120))
def test_a_contradiction_and_its_suspects_are_those_of_trying_every_deal(seed: int) -> None:
    ending = Ending(seed, left=2)
    found = {contradiction.suspects for contradiction in ending.knowledge.contradictions}
    alone = {(player,) for player in range(3) if len(ending.may_hold()[player]) < ending.left[player]}
    innocent = tuple(player for (player,) in alone)
    expected = set(alone)
    if not ending.deal_exists(without=innocent):
        others = [
            p for p in range(3) if p not in innocent and any(d.player == p for d in ending.open_denials())
        ]
        for size in range(1, len(others) + 1):
            groups = [g for g in itertools.combinations(others, size) if ending.deal_exists((*innocent, *g))]
            if groups:
                expected.add(tuple(sorted({player for group in groups for player in group})))
                break
    assert found == expected
    assert {one.suspects for one in ending.knowledge.contradictions if one.alone} == alone


@pytest.mark.rule("REV-3")
@pytest.mark.parametrize(
    "seed", [*range(20), 492, 697]
)  # the last two: first the skat might be at fault, then not
def test_a_contradiction_is_certain_since_it_stands_unbroken(seed: int) -> None:
    before: dict[tuple[tuple[int, ...], bool], int] = {}
    for number, found in enumerate(Ending(seed, left=1).history, start=1):
        assert found == {which: before.get(which, number) for which in found}
        before = found


@pytest.mark.rule("REV-3")
def test_the_oracle_meets_every_kind_of_ending() -> None:
    """The two tests above would prove little if nothing ever came to light in them."""
    endings = [Ending(seed, left=2) for seed in range(120)]
    statuses = {denial.status for ending in endings for denial in ending.knowledge.denials}
    assert statuses == {None, "shown", "proved"}
    sizes = {len(c.suspects) for ending in endings for c in ending.knowledge.contradictions}
    assert {1, 2} <= sizes


@pytest.mark.rule("REV-2")
@pytest.mark.parametrize("seed", range(40))
def test_to_count_only_when_it_is_due_misses_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's shortcut: it counts again only after as many plays as the scarcest places can bear."""
    found = Ending(seed, left=1)
    monkeypatch.setattr(Knowledge, "_due", property(lambda _: 0, lambda _, __: None), raising=False)
    counted_each_time = Ending(seed, left=1)
    assert found.history == counted_each_time.history
    assert [(one.status, one.known_at) for one in found.knowledge.denials] == [
        (one.status, one.known_at) for one in counted_each_time.knowledge.denials
    ]
