"""The things that may be plays of the trick on the table: the evidence for each, and how all are read together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array
from vision.watching.expectation import Expectation
from vision.watching.joint_readings import UNSEEN, JointReading, TableThing, is_from_each, joint_readings
from vision.watching.seats import SeatMeasures, seat_odds
from vision.watching.sightings import Sighting
from vision.watching.table_cards import TableCards

AT_ONCE_S = 0.3
"""Cards that come to rest within these seconds of each other landed at once: their order was not seen."""
LAID, SURELY_LAID = 0.97, 0.995
"""Share of plays among the faces at rest that nothing else explains: among all of them, and among the surely read."""
SOMEWHERE = 0.14
"""Density of things that are no plays, per square of a card's height: they lie anywhere on a small table."""
THROWN = 0.05
"""Share of cards that are thrown anywhere, so that their place tells nothing."""
PILED = 0.01
"""Odds of a play against a pile, for a thing that came as a pile does and lies where no cards are played."""
SURELY_MISREAD = 0.01
"""Share of surely read cards that are another one."""
MOST_NAMES, LEAST_NAME = 3, 3e-4
"""The most names of a thing that are weighed, and the least probability of each, as a share of the likeliest one's."""
NOT_BEGUN = 4.0
"""Log-odds that cards are still counted, gathered or dealt, before the first card of a hand."""
DEALT_S = 10.0
"""Seconds before the first lead from which on a face on the table is not left over from the deal."""
NOT_NEXT = 0.1
"""Prior odds of another dealer than the next in turn."""
ENDED_EARLY = 0.01
"""Prior odds that a hand ended before its last trick, after a pause. A lead out of turn must not tell so by itself."""
GOES_ON = 0.05
"""Prior odds that a hand goes on after cards of several of its tricks, or of players' hands, lay open."""
BEFORE_TAKEN = 0.01
"""Prior odds of a card that is led while all of the last trick still lies there."""


@dataclass(frozen=True)
class PossiblePlay:
    """A sighting that may be a play, and the evidence from when it came, as natural logarithms.

    `landed_s` is when it came to rest, in s: later cards may move it. `place` are the odds of a play by where it lies,
    `players` the probabilities of each player. `piled`: it came as a pile does. `surely` are the looks and log votes of
    the sighting when it was last surely read, while a hand may have begun. `left_s` is when it was swept away then.
    """

    sighting: Sighting
    landed_s: float
    place: float
    piled: bool
    players: Mapping[str, float]
    surely: tuple[int, Float32Array] | None = None
    left_s: float = np.inf

    @property
    def card(self) -> str | int:
        """The name of its card if that is sure, else the number of its sighting."""
        return self.sighting.read_as if self.sighting.is_sure() else self.sighting.number


class PossiblePlays:
    """What may be a play of the trick on the table or of the trick before, by sighting number."""

    def __init__(self, table: TableCards):
        self._table = table
        self._noted: dict[int, PossiblePlay] = {}
        # The plays of these tricks as the record has them: (player, card).
        self.booked: dict[int, tuple[str, str]] = {}
        # What lay there beside cards that may begin a hand, and is no play or no longer followed.
        self._gone: list[PossiblePlay] = []
        # The last readings, with what they follow from.
        self._last: tuple[object, list[JointReading]] = (None, [])

    def __contains__(self, number: int) -> bool:
        return number in self._noted

    def __getitem__(self, number: int) -> PossiblePlay:
        return self._noted[number]

    def note(self, sighting: Sighting, measures: Mapping[str, SeatMeasures], piled: bool) -> None:
        """Note that `sighting` may be a play. `measures` has the evidence for each player.

        `piled`: it came as a pile does.
        """
        odds = seat_odds(measures)
        whole = float(np.logaddexp.reduce(list(odds.values())))
        place = max(measure.place for measure in measures.values()) - np.log(SOMEWHERE)
        place = float(np.logaddexp(place, np.log(THROWN)) + (np.log(PILED) if piled else 0.0))
        players = {player: value - whole for player, value in odds.items()}
        self._noted[sighting.number] = PossiblePlay(sighting, sighting.landed_s, place, piled, players)

    def drop(self, number: int) -> None:
        """The sighting `number` is no play after all. Before a hand it tells of cards that are counted."""
        self._gone.append(self._noted.pop(number))

    def found_anew(self, old: Sighting, new: Sighting) -> None:
        """The card of `old`, which is no longer followed, is followed as `new`: it counts as it came."""
        self._noted[new.number] = replace(self._noted.pop(old.number), sighting=new)

    def keep_names(self) -> None:
        """Let each one that was surely read keep that name while it is not: another card may cover it by now.

        It is asked while a hand may have begun: then a card waits for the others of its trick.
        """
        for number, one in self._noted.items():
            sighting = one.sighting
            if sighting.is_sure():
                self._noted[number] = replace(one, surely=(sighting.looks, sighting.log_votes))
            elif one.surely is not None:
                sighting.looks, sighting.log_votes = one.surely

    def sweep(self, sighting: Sighting) -> None:
        """Note that `sighting`, which is no longer followed, was swept away while a hand may have begun."""
        self._noted[sighting.number] = replace(self._noted[sighting.number], left_s=sighting.seen_s)

    def _swept(self) -> set[int]:
        """The numbers of those that were swept away while a hand may have begun, and are no plays yet."""
        return {n for n, one in self._noted.items() if one.left_s < np.inf} - self.booked.keys()

    def swept_s_before(self, number: int) -> float | None:
        """When cards were last swept away before `number` came, while a hand may have begun; None if none were."""
        landed_s = self._landed_s(number)
        return max((one.left_s for one in self._noted.values() if one.left_s < landed_s), default=None)

    def leave(self, gone: Sequence[Sighting]) -> None:
        """The sightings `gone` are no longer followed: from now on they count as they are here."""
        for sighting in gone:
            if sighting.number in self._noted:
                self._noted[sighting.number] = replace(self._noted[sighting.number], sighting=sighting)

    def readings(self, expectation: Expectation, sightings: Sequence[Sighting]) -> list[JointReading]:
        """The likeliest readings of the last two tricks, the likeliest first; `sightings` are those in view."""
        order = self._in_order(expectation, sightings)
        things = [self._thing(number, expectation) for number in order]
        played = expectation.played - expectation.doubtful.keys() - {card for _, card in self.booked.values()}
        trick = self._table.trick()
        lies = all(card.sighting.found for card in trick.values())
        early = next((number for number in order if number in trick), None)
        active, taker = expectation.active, self._table.taker
        begins, leader, last_trick = expectation.begins, expectation.leader, expectation.last_trick
        deals, next_hand, counted = expectation.deals, expectation.next_hand, expectation.counted
        game = (active, leader, last_trick, played, begins, deals, next_hand, counted, len(self._gone))
        asked = (things, early, lies, taker, game)
        if asked != self._last[0]:
            # The next trick is led to once the one that lies there is taken.
            odds = BEFORE_TAKEN if lies and not expectation.stays else 1.0
            best: list[JointReading] = []
            # Cards that were swept away may be a trick before, or of those that were dealt.
            swept = self._swept() if begins else set()
            lying = [thing for thing in things if thing.number not in swept]
            for at, dealer in enumerate(deals or ("",)):
                deal = expectation.dealt_by(dealer)
                read = [
                    reading
                    for some in ([things, lying] if swept else [things])
                    for reading in joint_readings(
                        some, deal.active, cache(deal.due_after), (early, odds), played, taker, deal.stays
                    )
                ]
                prior = float(np.log(NOT_NEXT) if at else np.log(GOES_ON) if counted else 0.0)
                best += [replace(one, dealer=dealer, weight=one.weight + prior) for one in read]
            if begins:
                before = [thing for thing in things if thing.number in self.booked]
                due = cache(expectation.due_after)
                dealt = joint_readings(before, active, due, (None, 1.0), played, taker)[0]
                best += self._of_next_hand(expectation, dealt, things)
                best = self._or_dealt(best, dealt, things, len(active))
            self._last = asked, best
        return self._last[1]

    def _of_next_hand(
        self, expectation: Expectation, dealt: JointReading, things: Sequence[TableThing]
    ) -> list[JointReading]:
        """The readings in which the hand under way has ended, and the next one has begun.

        `dealt` is what was played before. A trick of which a card was not seen tells too little to end a hand. Cards of
        one trick that lie there again are looked at, and are no trick.
        """
        if expectation.next_hand is None:
            return []
        new = [thing for thing in things if thing.number not in self.booked]
        ended, told = 1.0 if expectation.counted else ENDED_EARLY, []
        # In the hand under way a card is one of those that are left.
        named = float(np.log(1 - len(expectation.played) / len(CARDS)))
        for at, dealer in enumerate(expectation.next_hand.deals):
            deal = expectation.dealt_by(dealer)
            prior = float(np.log(ended) + (np.log(NOT_NEXT) if at else 0.0))
            for one in joint_readings(new, deal.active, cache(deal.due_after), (None, 1.0), deal.played):
                cards = [play.card for play in one.plays]
                told_so = is_from_each(one.plays, len(deal.active)) and not expectation.is_of_one_trick(cards)
                if all(cards) and told_so:
                    weight = dealt.weight + prior + one.weight + len(one.plays) * named
                    plays, seen = (*dealt.plays, *one.plays), dealt.things | one.things
                    told.append(JointReading(weight, plays, seen, dealer))
        return told

    def _or_dealt(
        self, best: Sequence[JointReading], dealt: JointReading, things: Sequence[TableThing], players: int
    ) -> list[JointReading]:
        """The readings `best` of one more trick, and that it has not begun, since cards are counted or dealt.

        `dealt` is what was played before. Until the trick begins a face is no play as a matter of course, and it comes
        from each of the `players` as likely. Later each face that is no play needs another reason.
        """
        names = {thing.number: thing.names for thing in things if thing.number not in self.booked}
        # A card that was taken up lay beside them all the same. What reads surely alike is one card, found anew.
        seen = [*self._gone, *(self._noted[number] for number in names)]
        cards = {one.card: one for one in seen}
        faces = {one.sighting.number: _as_face(one.sighting) for one in cards.values()}
        weight = dealt.weight + NOT_BEGUN + sum(faces.values())
        told = [replace(dealt, weight=weight, things=frozenset(thing.number for thing in things))]
        gone = {one.sighting.number for one in self._gone} | self._swept()
        for one in best:
            plays = [play for play in one.plays if play.number in names]
            new = one.plays[len(dealt.plays) :]
            unseen = [at for at, play in enumerate(new) if play.number == UNSEEN]
            # A hand's first trick that was taken short of one card is told by a second, whole one.
            tricks = 2 if not dealt.plays and len(unseen) == 1 and unseen[0] < players else 1
            if not plays or len(new) > tricks * players or not is_from_each(new, players):
                continue
            first_s = self._landed_s(plays[0].number)
            before = sum(
                faces[one.sighting.number]
                for one in cards.values()
                if one.landed_s < first_s - DEALT_S
                or (one.sighting.number in gone and one.sighting.seen_s < first_s)
            )
            # That it may have many names tells nothing.
            named = sum(max(names[play.number][play.card], 0.0) for play in plays)
            weight = one.weight - named + len(plays) * float(np.log(players)) + before
            told.append(replace(one, weight=weight))
        return sorted(told, key=lambda reading: -reading.weight)

    def is_misread(self, card: str, best: JointReading) -> bool:
        """Whether a play that is booked as `card` is another card in the reading `best`."""
        plays = (best.of(number) for number, (_, name) in self.booked.items() if name == card)
        return any(play is not None and play.card != card for play in plays)

    def _in_order(self, expectation: Expectation, sightings: Sequence[Sighting]) -> list[int]:
        """The sighting numbers of what may be a play of the last two tricks, in the order in which they came.

        A play that the camera did not book has the number of the stored play instead, with a minus sign.
        """
        trick, back = self._table.trick(), self._table.exchanged(sightings, expectation)
        if back is not None and self._table.booked[back].card in expectation.kept:
            back = None  # it lies on its player's pile, and is still a play
        self.booked = {
            self._table.number_of(card, expectation): (player, card)
            for player, card in (*expectation.last_trick, *expectation.trick)
            if card in expectation.played  # after a new start the game waits to see some of them again
        }
        if back is not None:
            self.booked.pop(back, None)
        order = list(self.booked)
        used = {*order, *trick, *(s.number for s in sightings)}
        gone = [
            one
            for number, one in self._noted.items()
            if number not in used and number not in self._table.booked
        ]
        self._noted = {number: one for number, one in self._noted.items() if number in used}
        first_s = min((one.landed_s for one in self._noted.values()), default=np.inf)
        self._gone = [
            one for one in [*self._gone, *gone] if expectation.begins and one.sighting.seen_s > first_s
        ]
        for number, one in sorted(self._noted.items(), key=lambda item: item[1].landed_s):
            if number not in self._table.booked:
                until_s = one.landed_s + AT_ONCE_S
                landed = [self._landed_s(other) <= until_s for other in order]
                order.insert(len(order) - landed[::-1].index(True) if any(landed) else 0, number)
        return order

    def _landed_s(self, number: int) -> float:
        """When a thing came to rest, in s; minus infinity if that is unknown, as for a card that people entered."""
        if number in self._noted:
            return self._noted[number].landed_s
        return self._table.cards[number].sighting.landed_s if number in self._table.cards else -np.inf

    def _thing(self, number: int, expectation: Expectation) -> TableThing:
        """The thing `number` with its evidence.

        A play is known if people entered it or put it right, or if the program was started anew since.
        """
        play, one = self.booked.get(number), self._noted.get(number)
        landed_s = self._landed_s(number)
        after = landed_s > self._table.swept_s if np.isfinite(landed_s) else play in expectation.trick
        if one is not None and self._table.left_with_it(one.sighting):
            after = False
        sweeps = 0 if expectation.stays else int(after) + (self.swept_s_before(number) is not None)
        if play is not None and (one is None or not self._table.is_as_booked(number, expectation)):
            return TableThing(number, 0.0, {}, {}, play, sweeps)
        assert one is not None
        votes = one.sighting.probabilities()[: len(CARDS)].astype(np.float64)
        shares = votes / votes.max()
        likeliest = [int(at) for at in np.argsort(-shares)[:MOST_NAMES] if shares[at] > LEAST_NAME]
        other = SURELY_MISREAD + (shares.sum() - shares[likeliest].sum())
        names = {CARDS[at]: float(np.log(shares[at])) for at in likeliest} | {"": float(np.log(other))}
        return TableThing(number, _laid(one.sighting) + one.place, one.players, names, sweeps=sweeps)


def _laid(sighting: Sighting) -> float:
    """The log-odds of a play of a face at rest that nothing else explains."""
    laid = SURELY_LAID if sighting.is_sure() else LAID
    return float(np.log(laid / (1 - laid)))


def _as_face(sighting: Sighting) -> float:
    """By how much a sighting at rest is likelier while cards are dealt than as no play of a hand, in nats."""
    card = float(sighting.probabilities()[: len(CARDS)].sum())
    return float(np.log1p(card * np.exp(_laid(sighting))))
