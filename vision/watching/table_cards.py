"""The booked cards on the table: which of them still lie there, which were taken back, and when a trick has left."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from tracker.cards import CARDS
from tracker.events import TrickTaken
from vision.arrays import Float32Array, Float64Array
from vision.watching.expectation import Expectation
from vision.watching.explanations import MOST_OFFERED, OFFERED
from vision.watching.motion import Motion
from vision.watching.places import Place
from vision.watching.sightings import CLEAR, FORGET_S, STILL_S, Sighting, covered_share

TAKEN_BACK_S = 0.8
"""Seconds after which a card that is gone from an open trick counts as taken back."""
UNDER_ANOTHER = 0.1
"""Share of a card that another one must cover to hold it down, or to be read in its place."""
TAKEN_AWAY = 2.0
"""How many times as much must move at another side than at its player's where somebody else takes a card."""
PILED_S = 1.0
"""Seconds within which the cards of a trick that left come to lie on the taker's pile."""
ON_ITS_WAY = 0.15
"""Way from its place, in heights of a card, from which a card that was lost is known to have left then."""
HIDDEN_S = 2.0
"""The most seconds for which the hand that takes a trick hides its bare place."""
LONE_S = 2.0
"""Seconds to wait when a lead is gone: it may have been taken back, or lie under a hand."""


@dataclass(frozen=True)
class BookedCard:
    """What a sighting was booked as: card and player. `doubtful` means that people are asked about the card.

    `seq` is the number of the stored play, 0 while that is not known.
    """

    card: str
    doubtful: bool
    player: str
    seq: int = 0


@dataclass
class TableCard:
    """A booked card on the table, and its place.

    `over` means that it is not of the current trick, `taken_away` that it left towards another than its player.
    """

    sighting: Sighting
    place: Place
    over: bool = False
    taken_away: bool = False

    @property
    def gone_s(self) -> float:
        """When it left, in s. A covered card left just before its place was bare."""
        seen_s, bare_s = self.sighting.seen_s, self.place.bare_s
        return seen_s if bare_s is None else max(seen_s, bare_s - FORGET_S)

    @property
    def is_carried_off(self) -> bool:
        """Whether it was seen on its way before it was lost."""
        way_px = np.linalg.norm(self.sighting.found_px.mean(0) - self.place.home_px.mean(0))
        return self.sighting.stale and float(way_px) > ON_ITS_WAY * self.sighting.height_px

    def update(self, motion: Motion, time_s: float) -> None:
        """Tell by the newest picture whether the card still lies there, is covered, or has left."""
        sighting = self.sighting
        if sighting.left:
            return
        if sighting.found:
            # What moved may be another card, laid over this one. Its place stays until it is read as this one again.
            known = not sighting.disturbed and sighting.was is None
            rests = known and sighting.still_for(time_s) >= STILL_S
            self.place.found(motion, sighting.corners_px, rests, time_s)
        else:
            self.place.missed(motion, time_s)
            sighting.left = self.place.left


@dataclass
class BookedPlay:
    """A play as it was booked.

    - `called`: the card that it was booked as.
    - `hidden`: the names of the cards on the table that were out of sight then.
    - `asked`: people were asked about it, so they may have settled its name.
    - `disputed`: what its sighting reads as now may be a card laid on it.
    - `sure`: it was surely read then, without the game.
    - `votes`: the probabilities (78,) of its names by the looks at it.
    """

    sighting: Sighting
    called: str
    hidden: frozenset[str]
    asked: bool = False
    disputed: bool = False
    sure: bool = field(init=False)
    votes: Float64Array = field(init=False)

    def __post_init__(self) -> None:
        self.sure, self.votes = self.sighting.is_sure(), self._votes()

    def reread(self, names: Sequence[str]) -> None:
        """Take in how it reads by now, since people are asked about it.

        If it reads as none of its `names`, that is another card laid on it, and its votes stay.
        """
        self.asked = True
        votes = self._votes()
        if not self.disputed and self.sighting.looks and CARDS[int(votes.argmax())] in names:
            self.votes = votes

    @property
    def is_clear(self) -> bool:
        """Whether it surely is a card of its own, so that only its name can be in doubt."""
        return self.sighting.best_score >= CLEAR and CARDS[int(self.votes.argmax())] not in self.hidden

    def knew_of(self, card: str) -> bool:
        """Whether its votes spoke for `card`, too. If not, a `card` that is read there may have been laid on it."""
        return float(self.votes[CARDS.index(card)]) > OFFERED

    def may_be_wrong(self, card: str) -> bool:
        """Whether the camera alone called it `card`, unsurely: no person has named it or put it right."""
        return not self.asked and not self.sure and card == self.called

    def settle(self, card: str) -> None:
        """Note that the camera settled its name as `card` without asking anybody."""
        self.called, self.asked, self.sure = card, False, True

    def dispute(self, card: str) -> None:
        """Note that it surely reads as `card` now: its first reading was wrong, or that card was laid on it."""
        self.votes, self.disputed = _as_asked(self.called, (card,)), True

    def _votes(self) -> Float64Array:
        return self.sighting.probabilities()[: len(CARDS)].astype(np.float64)


def _as_asked(card: str, others: Sequence[str]) -> Float64Array:
    """Votes (78,) for a play whose own are unknown, as after a new start: half for `card`, half for the `others`."""
    votes = np.zeros(len(CARDS))
    votes[[CARDS.index(other) for other in others]] = 0.5 / max(len(others), 1)
    votes[CARDS.index(card)] = 0.5
    return votes


class TableCards:
    """The booked cards on the table, by the number of their sighting, and what each sighting was `booked` as."""

    def __init__(self, motion: Motion, sides: Mapping[str, str]):
        """`sides` gives each player the side of the picture: S, E, N or W."""
        self._motion = motion
        self._sides = sides
        self.swept_s = -np.inf  # when the last trick left
        self.taker: str | None = None  # the player on whose side most moved then
        self.untold: TrickTaken | None = None  # it was one card: it may have been no play, or taken back
        self._swept = frozenset[str]()  # its cards
        self.booked: dict[int, BookedCard] = {}
        self.cards: dict[int, TableCard] = {}
        self._plays: dict[int, BookedPlay] = {}

    def trick(self) -> dict[int, TableCard]:
        """The cards of the current trick, or of the last one while it has not left."""
        return {number: table_card for number, table_card in self.cards.items() if not table_card.over}

    def rename(self, expectation: Expectation) -> None:
        """Name the cards on the table as the record does now: plays may have been corrected."""
        cards = {seq: card for card, seq in expectation.numbers.items()}
        for number in self.cards:
            booked = self.booked[number]
            seq = booked.seq or expectation.numbers.get(booked.card, 0)
            card = cards.get(seq, booked.card)
            self.booked[number] = BookedCard(card, card in expectation.doubtful, booked.player, seq)
            stays = expectation.stays and (booked.player, card) not in expectation.trick
            if stays or (expectation.active and (seq or not cards) and card not in expectation.played):
                self.cards[number].over = True  # of an earlier hand, or no play after all
            if seq:
                self._plays.setdefault(seq, BookedPlay(self.cards[number].sighting, card, self.hidden()))
        of_hand = set(expectation.numbers.values())
        self._plays = {seq: booked for seq, booked in self._plays.items() if seq in of_hand}
        for card, (seq, others) in expectation.doubtful.items():
            if seq in self._plays:
                self._plays[seq].reread((card, *others))

    def hidden(self) -> frozenset[str]:
        """The names of the booked cards on the table that are out of sight."""
        return frozenset(
            self.booked[number].card
            for number, table_card in self.cards.items()
            if not table_card.sighting.found
        )

    def doubts(self, expectation: Expectation) -> dict[str, Float64Array]:
        """The votes (78,) of each doubtful play of this hand, by the name that it is booked as."""
        return {
            card: self._plays[seq].votes if seq in self._plays else _as_asked(card, others)
            for card, (seq, others) in expectation.doubtful.items()
        }

    def doubting(self, expectation: Expectation, card: str, misread: bool) -> Expectation:
        """`expectation`, with the play that is booked as `card` doubtful, if the camera alone named it.

        The play must have been unsurely read, or be `misread` in the likeliest reading of the trick.
        """
        seq = expectation.numbers.get(card, 0)
        play = self._plays.get(seq)
        if play is None or not (misread or play.may_be_wrong(card)) or card in expectation.doubtful:
            return expectation
        order = [CARDS[int(index)] for index in np.argsort(-play.votes)]
        others = [other for other in order if other not in expectation.played]
        return replace(
            expectation, doubtful={**expectation.doubtful, card: (seq, tuple(others[:MOST_OFFERED]))}
        )

    def play(self, seq: int) -> BookedPlay | None:
        """The stored play number `seq` of this hand, as it was booked; None for one that people entered."""
        return self._plays.get(seq)

    def rows(self, expectation: Expectation) -> dict[str, list[Float32Array]]:
        """The corners (4, 2) px of each player's cards of this hand, in the order in which he played them."""
        rows: dict[str, list[Float32Array]] = {}
        of_hand = {0, *expectation.numbers.values()}  # 0: booked just now, so the last of its row
        lying = [number for number in self.cards if self.booked[number].seq in of_hand]
        for number in sorted(lying, key=lambda number: self.booked[number].seq or np.inf):
            rows.setdefault(self.booked[number].player, []).append(self.cards[number].place.home_px)
        return rows

    def drop(self, number: int) -> None:
        """Forget the booked card `number`: it is none after all."""
        self.cards.pop(number, None)
        del self.booked[number]

    def no_cards(self) -> list[int]:
        """The numbers of the doubtful plays in view whose sightings turned out to be backs or no cards."""
        return [
            number
            for number, table_card in self.trick().items()
            if self.booked[number].doubtful
            and self.booked[number].seq
            and table_card.sighting.found
            and not table_card.sighting.is_sure()
            and (table_card.sighting.is_surely_back or table_card.sighting.is_no_card())
        ]

    def lay(self, sighting: Sighting, booked: BookedCard) -> None:
        """Note that `sighting` is booked as `booked`, and follow its place."""
        self.booked[sighting.number] = booked
        before = self._motion.before(sighting.corners_px, sighting.first_s)
        self.cards[sighting.number] = TableCard(sighting, Place(sighting.corners_px, before))

    def follow(self, old: int, sighting: Sighting) -> tuple[BookedCard, TableCard]:
        """Follow the card that was sighting `old` as `sighting` from now on; returns the card as it was.

        If `sighting` has left already, its own place will never be seen again: the one that is known tells more.
        """
        booked = self.booked[sighting.number] = self.booked[old]
        table_card = self.cards.pop(old)
        place = table_card.place
        if sighting.found:
            place = Place(sighting.corners_px, table_card.place.before)
        self.cards[sighting.number] = TableCard(sighting, place, over=table_card.over)
        return booked, table_card

    def named(self, card: str) -> int | None:
        """The number of the sighting that is booked as `card` and lies on the table; None without one."""
        return next((number for number in self.cards if self.booked[number].card == card), None)

    def is_as_booked(self, number: int, expectation: Expectation) -> bool:
        """Whether the sighting `number` is a play of the last two tricks that stands as the camera booked it."""
        booked = self.booked[number]
        play = self._plays.get(booked.seq)
        return (booked.player, booked.card) in (*expectation.last_trick, *expectation.trick) and (
            play is None
            or (play.called == booked.card and play.asked == (booked.card in expectation.doubtful))
        )

    def number_of(self, card: str, expectation: Expectation) -> int:
        """The number of the newest sighting of the play of `card`; minus the play's number if the camera saw none."""
        seq = expectation.numbers.get(card, 0)
        numbers = [
            number
            for number, booked in self.booked.items()
            if (booked.seq == seq if seq else not booked.seq and booked.card == card)
        ]
        return numbers[-1] if numbers else -seq

    def swept(self, time_s: float) -> frozenset[str]:
        """The names of the cards that were swept away at about `time_s`."""
        return self._swept if abs(time_s - self.swept_s) < PILED_S else frozenset()

    def left_with_it(self, sighting: Sighting) -> bool:
        """Whether a sighting left with the trick that was swept away last, though it moved or was lifted before."""
        return not sighting.found and sighting.seen_s - self.swept_s < PILED_S

    def came_before_sweep(self, sighting: Sighting) -> bool:
        """Whether a sighting that has left came while cards of the last trick lay there, so that it led no other."""
        trick = [table_card.sighting for table_card in self.trick().values()]
        last_s = max([self.swept_s, *(card.seen_s for card in trick if not card.found)])
        return not any(card.found for card in trick) and sighting.first_s < last_s

    def is_held_down(self, number: int) -> bool:
        """Whether later cards that have not left lie on a card, so that it cannot have moved alone."""
        card = self.cards[number].sighting
        others = (one.sighting for one in self.cards.values())
        later = (other for other in others if other.first_s > card.first_s)
        return any(not other.left and covered_share(card, other) > UNDER_ANOTHER for other in later)

    # ---- a card alone leaves ----

    def exchanged(self, sightings: Iterable[Sighting], expectation: Expectation) -> int | None:
        """The number of the one card that left while the rest of its trick stayed; None without one.

        Not one that another player took: with it may have gone cards that were not seen. While none of the rest is seen
        at rest, the whole trick may be on its way.
        """
        trick = self.trick()
        left = [number for number, table_card in trick.items() if table_card.sighting.left]
        rest = [table_card.sighting for number, table_card in trick.items() if number not in left]
        present = {s.number for s in sightings}
        if len(left) != 1 or any(sighting.number not in present for sighting in rest):
            return None
        if rest and not any(sighting.found and sighting.still_for(sighting.seen_s) > 0 for sighting in rest):
            return None
        card = trick[left[0]]
        card.taken_away = card.taken_away or self._was_taken_away(self.booked[left[0]].player, card.gone_s)
        if card.taken_away:
            return None
        return left[0] if self.booked[left[0]].card in expectation.numbers else None

    def is_back(self, number: int, expectation: Expectation, time_s: float) -> bool:
        """Whether a card of the open trick has gone back to its player and stays away.

        False for a card that its player keeps anyway.
        """
        booked, gone_s = self.booked[number], self.cards[number].gone_s
        return (
            booked.card not in expectation.kept
            and (booked.player, booked.card) in expectation.trick
            and time_s - gone_s >= TAKEN_BACK_S
            and self._homewards(booked.player, gone_s)
        )

    def _homewards(self, player: str, gone_s: float) -> bool:
        """Whether a card left towards the player who had laid it."""
        own, shares = self._moved_as_it_left(player, gone_s)
        return own == max(shares) > min(shares)

    def _was_taken_away(self, player: str, gone_s: float) -> bool:
        """Whether a card left towards another player than the one who had laid it."""
        own, shares = self._moved_as_it_left(player, gone_s)
        return max(shares) > TAKEN_AWAY * own

    def _moved_as_it_left(self, player: str, gone_s: float) -> tuple[float, list[float]]:
        """The share of the motion at the side of `player` while a card left, and the shares at all four sides."""
        shares = self._motion.shares(gone_s - 0.9, gone_s + 0.6)
        return shares.get(self._sides.get(player, ""), 0.0), list(shares.values())

    def taken_back(
        self, sightings: Sequence[Sighting], expectation: Expectation, time_s: float
    ) -> int | None:
        """The number of the last card of the open trick, if it was taken back and all others are in view."""
        back = self.exchanged(sightings, expectation)
        if back is None or any(
            not table_card.sighting.found for number, table_card in self.trick().items() if number != back
        ):
            return None
        last = expectation.last_play == self.booked[back].card
        return back if last and self.is_back(back, expectation, time_s) else None

    # ---- a trick leaves ----

    def taken(self, present: Set[int], expectation: Expectation, time_s: float) -> list[TrickTaken]:
        """The event of the trick taken, once its cards have left. It goes to the player on whose side most moved then.

        `present` are the numbers of the sightings that are still followed.
        """
        self._drop_old(present, expectation)
        trick = self.trick()
        gone = {number: table_card for number, table_card in trick.items() if number not in present}
        stays = trick.keys() - gone.keys()
        if self._is_next_begun(gone, expectation) or not self._has_left(gone, stays, expectation, time_s):
            return []
        # The card that its player keeps leaves before the rest or after it.
        others = [
            table_card
            for number, table_card in gone.items()
            if self.booked[number].card not in expectation.kept
        ]
        swept = others or list(gone.values())
        seen_s = max(one.sighting.seen_s for one in swept)
        # They leave together. A card that its player fetches later may hide that their places are bare.
        is_carried = any(one.is_carried_off for one in swept if one.sighting.seen_s == seen_s)
        gone_s = seen_s if is_carried else max(one.gone_s for one in swept)
        # After its last trick the hand is complete, and nobody is active.
        active = set(expectation.active) or {self.booked[number].player for number in trick}
        self._swept = frozenset(self.booked[number].card for number in gone)
        for number in gone:
            del self.cards[number]
        for number in stays:
            self.cards[number].over = True
        self.taker = self._taker(active, max(seen_s, gone_s - HIDDEN_S), gone_s)
        self._motion.mark()
        self.swept_s = gone_s
        taken = None if self.taker is None else TrickTaken(self.taker, time_s=round(gone_s, 3))
        self.untold = taken if len(trick) < 2 else None
        return [taken] if taken is not None and self.untold is None else []

    def _drop_old(self, present: Set[int], expectation: Expectation) -> None:
        """Forget the cards of earlier tricks that have left, and those of an earlier hand."""
        of_hand = set(expectation.numbers.values())
        self.cards = {
            number: table_card
            for number, table_card in self.cards.items()
            if number in present
            or not table_card.over
            or (not table_card.sighting.left and self.booked[number].seq in of_hand)
        }

    def _is_next_begun(self, gone: Mapping[int, TableCard], expectation: Expectation) -> bool:
        """Whether the next trick has begun, so that cards of the last one that still lie there were left behind."""
        led = {card for _, card in expectation.trick}
        before = [n for n in self.trick() if led and self.booked[n].seq and self.booked[n].card not in led]
        if len(gone.keys() & set(before)) < 2:
            return False
        for number in before:
            self.cards[number].over = True
        return True

    def _has_left(
        self, gone: Mapping[int, TableCard], stays: Set[int], expectation: Expectation, time_s: float
    ) -> bool:
        """Whether the trick has left the table, and is not just covered by an arm or a cup."""
        kept = len(gone) > 1 and all(self.booked[number].card in expectation.kept for number in stays)
        if not gone or (stays and not kept):
            return False
        lead = [n for n in gone if (self.booked[n].player, self.booked[n].card) in expectation.trick]
        if len(gone) == 1 and not stays and lead and time_s < gone[lead[0]].gone_s + LONE_S:
            return False  # perhaps taken back
        known = [table_card for table_card in gone.values() if table_card.place.look is not None]
        return not known or any(table_card.sighting.left for table_card in known)

    def _taker(self, active: Set[str], from_s: float, gone_s: float) -> str | None:
        """The player of `active` on whose side most moved, from when the trick was seen last until it had left."""
        shares = self._motion.shares(from_s - 0.2, gone_s + FORGET_S)
        takers = {player: shares[side] for player, side in self._sides.items() if player in active}
        return max(takers, key=lambda player: takers[player], default=None)
