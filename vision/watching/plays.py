"""From settled sightings to plays: which card, by whom, and when a trick has left the table.

The rules are a soft prior here (the player whose turn it is, a card not played before); what was seen
decides, because the illegal play is what the program looks for. What stays unsure is booked with its
alternatives and asked about.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, PlayCorrected, PlaysTakenBack, TrickTaken
from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap
from vision.reading.identifier import CLASSES
from vision.watching.explanations import HINT, UNLIKELY, Expectation, Explanation, Judged, Likely, Seen
from vision.watching.motion import UNCHANGED, Motion
from vision.watching.places import Place
from vision.watching.seats import SeatModel
from vision.watching.sightings import FORGET_S, PATIENCE_S, STILL_S, SURE, Sighting, covered_share

FAINT = 0.35
"""Score of the finder below which a card is only believed when its name is sure."""
CLEAR = 0.6
"""Score of the finder that a whole card lying over another easily has, and a box across two cards has not."""
WHOLE = 0.75
"""Score of the finder from which a card lying across others is asked about though its name is unsure."""
OTHER_SIZE = 1.6
"""How many times as long or as short as the cards booked a thing must be to be no card, unless clearly found."""
LATE_S = 3.0
"""Seconds after which a card that is badly found, as one half under others is, is asked about."""
OWN = 0.2
"""Share of its rectangle that such a card must show, where no other card lies and the cloth was seen before."""
OUT_OF_TURN = 0.03
SECOND_CARD = 0.005
NUDGE = 0.7
"""Heights of a card by which one that is nudged moves at most, if its name is not sure afterwards."""
TAKEN_BACK_S = 0.8
"""Seconds a card must be gone from an open trick to count as taken back."""
LONE_S = 2.0
"""Seconds for which a lead that is gone may have been taken back, or be under a hand."""
SHOWN_S = 2.0
"""Seconds within which the cards of a trick that is looked at again are turned up."""
AT_ONCE_S = 0.3
"""Seconds by which one card must come to rest before another for the order of the two to be seen."""


@dataclass(frozen=True)
class ReadCard:
    """A sighting that was booked as a play: its card and player as booked, and whether the card is asked about.

    `seq` is the number of the stored play, 0 while it is not known.
    """

    card: str
    doubtful: bool
    player: str
    seq: int = 0


@dataclass
class _Lain:
    """A booked card that lies on the table, and its place; one that is `over` was left by a finished trick."""

    sighting: Sighting
    place: Place
    over: bool = False

    @property
    def gone_s(self) -> float:
        """When it left, or was last seen: one that was hidden left just before its place was bare."""
        seen_s, bare_s = self.sighting.seen_s, self.place.bare_s
        return seen_s if bare_s is None else max(seen_s, bare_s - FORGET_S)


@dataclass
class _Own:
    """How much of a sighting is in view that no other card shows, and the table `before` it came."""

    before: Float32Array | None
    share: float = 0.0


class PlayReader:
    """Turns what lies on the table into `CardPlayed`, `PlaysTakenBack`, `PlayCorrected` and `TrickTaken` events."""

    def __init__(self, sides: Mapping[str, str]):
        self.seats = SeatModel(sides)
        self.motion = Motion()
        self.read: dict[int, ReadCard] = {}
        self._lying: dict[int, _Lain] = {}
        self._shared: dict[int, float] = {}
        self._own: dict[int, _Own] = {}
        # Sightings of an earlier trick that is looked at again: since when they lie.
        self._shown: dict[int, float] = {}
        self._second_best: set[int] = set()  # sightings mostly within a box that was found more clearly
        self._sizes: list[float] = []
        self._left: list[Sighting] = []  # sightings that left and are not looked at yet
        self._explained: dict[int, Explanation] = {}
        # Of the newest frame: what was judged otherwise than before, and the sightings of its plays, in their order.
        self.judged: list[Judged] = []
        self.played: list[int] = []

    def places(self) -> list[tuple[Sighting, Place]]:
        """The cards booked that lie on the table, each with its place."""
        return [(lain.sighting, lain.place) for lain in self._lying.values()]

    def update(
        self,
        frame: UInt8Array,
        sightings: Sequence[Sighting],
        gone: Sequence[Sighting],
        expectation: Expectation,
        time_s: float,
    ) -> tuple[Event, ...]:
        """The events that this frame completes; `expectation` is the game before it."""
        self.motion.update(frame, time_s)
        self.judged, self.played = [], []
        self._left += gone
        self._rename(expectation)
        if not expectation.active:
            self.motion.mark()  # what lies there between two hands is no play of the next
        events: list[Event] = []
        size = (frame.shape[1], frame.shape[0])
        for lain in self._lying.values():
            self._look_at(lain, time_s)
        followed = {s.number for s in sightings}
        sightings = [s for s in sightings if not s.left]
        waiting = sorted(
            (s for s in sightings if s.number not in self.read), key=lambda s: (s.landed_s, s.first_s)
        )
        ready = [s for s in waiting if _ready(s, time_s)]
        seen = [s for s in sightings if s.found]
        for sighting in ready:
            shared = _shared(sighting, seen)
            self._shared[sighting.number] = max(shared, self._shared.get(sighting.number, 0.0))
            if any(s.best_score > sighting.best_score and covered_share(sighting, s) > 0.5 for s in seen):
                self._second_best.add(sighting.number)
            own = self._own.get(sighting.number)
            if own is None:
                before = self.motion.before(sighting.corners_px, sighting.first_s)
                own = self._own[sighting.number] = _Own(before)
            others = [s.corners_px for s in seen if s.face and s.best_score > sighting.best_score]
            others += [lain.place.home_px for n, lain in self._lying.items() if n != sighting.number]
            own.share = self.motion.own_share(sighting.corners_px, others, own.before)
        shown = {s.number: s.landed_s for s in ready if self._was_played(s, expectation)}
        if len(shown) > 1:
            self._shown |= shown
        for sighting in ready:
            earlier = [s for s in waiting if s.landed_s < sighting.landed_s - AT_ONCE_S]
            if sighting.still_for(time_s) < PATIENCE_S and any(_under_a_hand(s, time_s) for s in earlier):
                continue  # a card that came to rest before it is not read yet
            rivals = (s for s in waiting if abs(s.landed_s - sighting.landed_s) <= AT_ONCE_S)
            if sighting.still_for(time_s) < PATIENCE_S and any(
                self._comes_after(sighting, rival, _after(expectation, events), size, time_s)
                for rival in rivals
            ):
                continue
            later = [s for s in ready if s.landed_s > sighting.landed_s + AT_ONCE_S]
            # The next card is there for certain: this one cannot wait any longer to be named.
            pressed = any(float(s.probabilities()[: len(CARDS)].max()) >= SURE for s in later)
            events += self._book(
                sighting, sightings, _after(expectation, events), size, time_s, pressed=pressed
            )
            if any(isinstance(event, PlaysTakenBack) for event in events):
                return tuple(events)  # the game has changed under what was expected
        events += self._leave(sightings, self._left, _after(expectation, events), size, time_s)
        self._left = []
        if not events:
            events += self._taken_back(sightings, expectation, time_s)
        events += self._taken(followed, expectation, time_s)
        self._shared = {number: share for number, share in self._shared.items() if number in followed}
        self._own = {number: own for number, own in self._own.items() if number in followed}
        self._second_best &= followed
        self._explained = {n: explanation for n, explanation in self._explained.items() if n in followed}
        self._shown = {number: at_s for number, at_s in self._shown.items() if number in followed}
        return tuple(events)

    def _rename(self, expectation: Expectation) -> None:
        """Let the cards on the table go by the names they have in the book: a play may have been put right."""
        cards = {seq: card for card, seq in expectation.numbers.items()}
        for number in self._lying:
            read = self.read[number]
            seq = read.seq or expectation.numbers.get(read.card, 0)
            card = cards.get(seq, read.card)
            self.read[number] = ReadCard(card, card in expectation.doubtful, read.player, seq)
            if expectation.active and (seq or not cards) and card not in expectation.played:
                self._lying[number].over = True  # of a hand before this one, or no play after all

    def _look_at(self, lain: _Lain, time_s: float) -> None:
        """Note whether the card still lies there, or its place is bare again."""
        sighting = lain.sighting
        if sighting.left:
            return
        if sighting.found:
            lain.place.found(self.motion, sighting.corners_px, sighting.still_for(time_s) >= STILL_S, time_s)
        else:
            lain.place.missed(self.motion, time_s)
            sighting.left = lain.place.left

    def _book(
        self,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
        leaving: bool = False,
        pressed: bool = False,
    ) -> list[Event]:
        """What the game is told of a sighting: its play, a correction, or nothing."""
        here = {
            self.read[s.number].card: s
            for s in sightings
            if s.number in self.read and s.number != sighting.number
        }
        seen = Seen(sighting, tuple(sightings), here, expectation, size, time_s, leaving, pressed)
        same = self._same(seen)
        if same is not None:
            return self._is_that_card(seen, same)
        laid_by = next((player for player, card in expectation.trick if card == seen.raw), None)
        if laid_by is not None and seen.is_named_anew():
            self._judge(seen, Explanation.LAID_AGAIN)
            self._lay(sighting, ReadCard(seen.raw, seen.raw in expectation.doubtful, laid_by))
            return []
        explanation = self._no_play(seen)
        if explanation is not None:
            self._judge(seen, explanation)
            return []
        return self._play(seen)

    def _judge(self, seen: Seen, explanation: Explanation) -> None:
        """Note what a sighting is taken for, if it was taken for something else until now."""
        number = seen.sighting.number
        if self._explained.get(number) is not explanation:
            self._explained[number] = explanation
            players = self._seen_from(seen.sighting, seen.size)
            self.judged.append(
                Judged(
                    seen.time_s, number, explanation, seen.reading(), seen.likely(self._old(seen)), players
                )
            )

    def _old(self, seen: Seen) -> int | None:
        """The booked card on the table, by its sighting, that goes by the name which this one is read as."""
        return next((n for n in self._lying if self.read[n].card == seen.raw), None)

    def _same(self, seen: Seen) -> int | None:
        """The booked card that this is, nudged or come out from under a hand: no new play."""
        old = self._old(seen)
        hidden = old is not None and seen.raw not in seen.here and seen.votes.max() > 0.5
        if (
            old is not None
            and hidden
            and (seen.sighting.is_sure() or _is_near(seen.sighting, self._lying[old]))
        ):
            return old
        return self._uncovered(seen.sighting, seen.sightings, seen.raw, seen.expectation)

    def _is_that_card(self, seen: Seen, old: int) -> list[Event]:
        self._judge(seen, Explanation.SAME_CARD)
        read = self.read[seen.sighting.number] = self.read[old]
        lain = self._lying.pop(old)
        place = Place(seen.sighting.corners_px, lain.place.before)
        self._lying[seen.sighting.number] = _Lain(seen.sighting, place, over=lain.over)
        at_home = overlap(seen.sighting.corners_px, lain.place.home_px) > 0.25
        doubt = seen.expectation.doubtful.get(read.card)
        if doubt is not None and seen.sighting.is_sure() and at_home:
            return [PlayCorrected(doubt[0], card=seen.raw)]
        return []

    def _no_play(self, seen: Seen) -> Explanation | None:
        """What a sighting is, if not a play, or not yet; None if it is one."""
        sighting, likely = seen.sighting, seen.likely(self._old(seen))
        late = self._is_late(seen)
        if seen.lies_on_its_like((sighting.is_sure() and sighting.best_score >= CLEAR) or late):
            return Explanation.SECOND_BOX
        if seen.raw in seen.here and likely.as_read < UNLIKELY:
            return Explanation.SECOND_BOX  # reads as a card that lies there already, and as nothing else
        if self._is_badly_found(seen, likely) and not late:
            return Explanation.ACROSS_CARDS
        if sighting.best_score < WHOLE and self._is_of_other_size(sighting):
            return Explanation.OTHER_SIZE
        again = likely.card in self._settled(seen, likely)[1].played
        if (again or not likely.sure) and self._is_shown(sighting):
            return Explanation.EARLIER_TRICK
        waited = seen.leaving or seen.pressed or sighting.still_for(seen.time_s) > PATIENCE_S
        if (not likely.sure or again) and not waited:
            return Explanation.NOT_CLEAR_YET
        if not self.motion.came(sighting.corners_px, sighting.seen_s):
            return Explanation.LAY_THERE
        stray = again and not seen.is_beside(likely) and not (seen.leaving and seen.expectation.trick)
        if stray and sighting.still_for(seen.time_s) < 3 * PATIENCE_S:
            return Explanation.TO_A_PILE  # only one that stays is asked about
        return None if seen.expectation.active else Explanation.NO_HAND

    def _is_late(self, seen: Seen) -> bool:
        least_s = PATIENCE_S if seen.leaving else LATE_S
        return bool(seen.expectation.trick) and self._is_card_of_its_own(seen.sighting, seen.time_s, least_s)

    def _is_badly_found(self, seen: Seen, likely: Likely) -> bool:
        """Whether it may be half of one card and half of another found as a third, or is hardly found at all."""
        sighting, hint = seen.sighting, float(seen.votes.max())
        shared = _shared(sighting, seen.sightings)
        if seen.leaving:  # what it lay across may have left before it
            shared = max(shared, self._shared.get(sighting.number, 0.0))
        whole = WHOLE if sighting.number in self._second_best else CLEAR
        faint = sighting.best_score < FAINT
        halves = shared > (0.15 if faint else 0.35) and sighting.best_score < whole
        poor = sighting.best_score < (WHOLE if shared > 0.4 else CLEAR if hint < HINT else FAINT)
        # Nobody leads onto a trick that still lies there: what cannot be named is a part of its cards.
        lying = (self._lying.get(other.number) for other in seen.here.values())
        untaken = any(lain is not None and not lain.over for lain in lying)
        part = shared > 0.35 and not seen.expectation.trick and (untaken or seen.leaving)
        return halves or (not likely.sure and (part or poor))

    def _settled(self, seen: Seen, likely: Likely) -> tuple[list[Event], Expectation]:
        """What a card seen for certain says of an earlier, doubtful, reading as the same one: that was wrong."""
        expectation = seen.expectation
        if not seen.is_beside(likely):
            return [], expectation
        seq, others = expectation.doubtful[likely.card]
        left = [other for other in others if other not in expectation.played]
        if len(left) != 1:
            return [], expectation
        played = (expectation.played - {likely.card}) | {left[0]}
        return [PlayCorrected(seq, card=left[0])], replace(expectation, played=played)

    def _play(self, seen: Seen) -> list[Event]:
        """Book a card that was played, for the player whom it is likeliest from."""
        sighting, likely = seen.sighting, seen.likely(self._old(seen))
        events, expectation = self._settled(seen, likely)
        again = likely.card in expectation.played
        card, alternatives = likely.names(expectation.played if again else frozenset(), seen.raw)
        doubtful = not likely.sure or again or self._is_badly_found(seen, likely)
        number, back, without = self._exchanged(seen.sightings, expectation)
        # The fool goes home by itself (FOOL-6): that it is gone makes it nobody's turn again.
        fool = back is not None and self.read[back].card == "F"
        player = self._player(sighting, expectation if fool else without, seen.size)
        if (
            back is not None
            and not seen.leaving
            and self._replaces(back, player, sighting, seen.sightings, expectation, seen.time_s)
        ):
            last = _last(expectation) == self.read[back].card
            del self._lying[back]
            if last:
                events.append(PlaysTakenBack(1))
                expectation = without
            elif not doubtful:
                # Others have played since: the new card takes the old one's place among theirs.
                self._judge(seen, Explanation.INSTEAD)
                self._lay(sighting, ReadCard(card, False, player))
                return [*events, PlayCorrected(number, card=card)]
        else:
            player = self._player(sighting, expectation, seen.size)
        self._judge(seen, Explanation.NEW_CARD)
        self._lay(sighting, ReadCard(card, doubtful, player))
        self.played.append(sighting.number)
        if not doubtful:
            self._sizes = [*self._sizes[-11:], _size(sighting)]
            if player == expectation.to_play:
                self.seats.learn(player, sighting)
        others = alternatives if doubtful else ()
        return [*events, CardPlayed(player, card, alternatives=others, time_s=round(seen.time_s, 3))]

    def _uncovered(
        self,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        raw: str,
        expectation: Expectation,
    ) -> int | None:
        """The booked card, hidden since, in whose place a sighting lies that reads as what it may be or looks as it."""
        votes = sighting.probabilities()
        present = {s.number for s in sightings}
        for number, lain in self._lying.items():
            at_home = overlap(sighting.corners_px, lain.place.home_px) > 0.6
            if number in present or lain.sighting.left or not at_home:
                continue
            card = self.read[number].card
            others = expectation.doubtful.get(card, (0, ()))[1]
            names = (card, *(other for other in others if other not in expectation.played))
            as_before = sum(float(votes[CARDS.index(name)]) for name in names) > UNLIKELY
            if raw in names or (not sighting.is_sure() and as_before and lain.place.shows_card(self.motion)):
                return number
        return None

    def _is_card_of_its_own(self, sighting: Sighting, time_s: float, least_s: float) -> bool:
        """Whether what is badly found is a card all the same: it lay there long, and shows what no other does."""
        own = self._own.get(sighting.number)
        return (
            own is not None
            and own.share >= OWN
            and max(sighting.lay_s, sighting.still_for(time_s)) >= least_s
            and sighting.best_score >= FAINT
            and float(sighting.probabilities()[: len(CARDS)].max()) >= HINT
        )

    def _is_shown(self, sighting: Sighting) -> bool:
        """Whether a sighting is, or came with, the cards of an earlier trick that is looked at again."""
        return sighting.number in self._shown or any(
            abs(at_s - sighting.landed_s) < SHOWN_S for at_s in self._shown.values()
        )

    def _was_played(self, sighting: Sighting, expectation: Expectation) -> bool:
        """Whether a sighting is surely a card of an earlier trick of the hand, which lies on the table no more."""
        card = CLASSES[int(sighting.probabilities().argmax())]
        lying = {self.read[number].card for number in self._lying} | {c for _, c in expectation.trick}
        return sighting.is_sure() and card in expectation.played - lying and card not in expectation.doubtful

    def _is_of_other_size(self, sighting: Sighting) -> bool:
        """Whether it is much larger or smaller than the cards lately booked: all cards are of one size."""
        if len(self._sizes) < 3:
            return False
        ratio = _size(sighting) / float(np.median(self._sizes))
        return not 1 / OTHER_SIZE < ratio < OTHER_SIZE

    def _lay(self, sighting: Sighting, read: ReadCard) -> None:
        self.read[sighting.number] = read
        before = self.motion.before(sighting.corners_px, sighting.first_s)
        self._lying[sighting.number] = _Lain(sighting, Place(sighting.corners_px, before))

    def _exchanged(
        self, sightings: Sequence[Sighting], expectation: Expectation
    ) -> tuple[int, int | None, Expectation]:
        """The one card that left while the rest of its trick stayed, if there is one.

        Returns the number of its play in the record, of its sighting (None: there is none), and what the
        game would be without it.
        """
        trick = {number: lain for number, lain in self._lying.items() if not lain.over}
        left = [number for number, lain in trick.items() if lain.sighting.left]
        present = {s.number for s in sightings}
        if len(left) != 1 or any(number not in present for number in trick if number != left[0]):
            return 0, None, expectation
        read = self.read[left[0]]
        if read.card not in expectation.numbers:
            return 0, None, expectation
        rest = tuple((self.read[n].player, self.read[n].card) for n in trick if n != left[0])
        without = replace(
            expectation, to_play=read.player, trick=rest, played=expectation.played - {read.card}
        )
        return expectation.numbers[read.card], left[0], without

    def _replaces(
        self,
        back: int,
        player: str,
        sighting: Sighting,
        sightings: Sequence[Sighting],
        expectation: Expectation,
        time_s: float,
    ) -> bool:
        """Whether a card now laid by `player` shows that the one which left was taken back."""
        mine = self.read[back]
        if player == mine.player:
            return True
        # Another player's card shows nothing of a fool (FOOL-6), or of a card that was slid aside just now.
        unread = any(s.face and s.number not in self.read and s is not sighting for s in sightings)
        return (
            mine.card != "F"
            and not unread
            and time_s - self._lying[back].gone_s >= TAKEN_BACK_S
            and (mine.player, mine.card) in expectation.trick
            and self._homewards(back)
        )

    def _homewards(self, number: int) -> bool:
        """Whether a card left towards the player who had laid it."""
        gone_s = self._lying[number].gone_s
        shares = self.motion.shares(gone_s - 0.9, gone_s + 0.6)
        side = self.seats.sides.get(self.read[number].player, "")
        return shares.get(side, 0.0) == max(shares.values()) > min(shares.values())

    def _taken_back(
        self, sightings: Sequence[Sighting], expectation: Expectation, time_s: float
    ) -> list[Event]:
        """The last play of an open trick, when its card went back towards its player and stays away."""
        _, back, _ = self._exchanged(sightings, expectation)
        if back is None:
            return []
        read, lain = self.read[back], self._lying[back]
        if (
            read.card == "F"
            or any(not x.sighting.found for n, x in self._lying.items() if n != back and not x.over)
            or (read.player, read.card) not in expectation.trick
            or _last(expectation) != read.card
            or time_s - lain.gone_s < TAKEN_BACK_S
            or not self._homewards(back)
        ):
            return []
        del self._lying[back]
        return [PlaysTakenBack(1)]

    def _comes_after(
        self,
        sighting: Sighting,
        rival: Sighting,
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
    ) -> bool:
        """Whether a card belongs behind another that landed at once with it, by whose cards the two are."""
        waiting = [player for player in expectation.active if player not in dict(expectation.trick)]
        if rival is sighting or expectation.to_play not in waiting or not _card_at_rest(rival, time_s):
            return False
        first = expectation.to_play
        second = next((player for player in _from(expectation.active, first) if player in waiting), first)
        mine, other = self._seen_from(sighting, size), self._seen_from(rival, size)
        return mine[second] + other[first] > mine[first] + other[second]

    def _seen_from(self, sighting: Sighting, size: tuple[int, int]) -> dict[str, float]:
        """Log-likelihood of each seat, by what was seen of the card alone."""
        # The hand that laid the card, not the next one that came to lie over it.
        until_s = min(sighting.still_since_s, sighting.first_s + 0.6) + 0.2
        arrival = self.motion.shares(sighting.first_s - 0.9, until_s)
        return self.seats.log_likelihoods(sighting, size, arrival)

    def _player(self, sighting: Sighting, expectation: Expectation, size: tuple[int, int]) -> str:
        score = self._seen_from(sighting, size)
        in_trick = {player for player, _ in expectation.trick}
        for player in score:
            if player not in expectation.active:
                score[player] += np.log(1e-4)
            elif player in in_trick:
                score[player] += np.log(SECOND_CARD)
            elif player != expectation.to_play:
                score[player] += np.log(OUT_OF_TURN)
        return max(score, key=lambda player: score[player])

    def _leave(
        self,
        sightings: Sequence[Sighting],
        gone: Sequence[Sighting],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
    ) -> list[Event]:
        """What has left unnamed was played all the same: by the time a trick leaves, each card must be booked."""
        events: list[Event] = []
        stays = any(lain.sighting.found and not lain.over for lain in self._lying.values())
        for sighting in gone:
            if (
                sighting.number in self.read
                or sighting.looks < 2
                or not sighting.face
                or sighting.is_no_card()
            ):
                continue
            if stays and (self._is_shown(sighting) or self._was_played(sighting, expectation)):
                continue  # cards of an earlier trick were looked at
            if stays:
                self._own.pop(sighting.number, None)  # badly found, and gone from among cards that are not
            # In a trick that is short of a card even a poor reading is worth a question.
            least = 0.05 if expectation.trick else HINT
            if sighting.lay_s < STILL_S or float(sighting.probabilities().max()) < least:
                continue
            before = self.motion.before(sighting.corners_px, sighting.first_s)
            if stays and before is not None and self.motion.change(before, sighting.corners_px) < UNCHANGED:
                continue  # taken back before it was named, while the trick stays
            now = _after(expectation, events)
            events += self._book(sighting, sightings, now, size, sighting.seen_s, leaving=True)
        return events

    def _taken(self, present: Set[int], expectation: Expectation, time_s: float) -> list[Event]:
        """The trick, when its cards have left the table, towards the player whose hand most of them went to.

        `present` are the numbers of the sightings not forgotten yet.
        """
        of_hand = set(expectation.numbers.values())
        self._lying = {
            n: lain
            for n, lain in self._lying.items()
            if n in present or not lain.over or (not lain.sighting.left and self.read[n].seq in of_hand)
        }
        trick = {n: lain for n, lain in self._lying.items() if not lain.over}
        gone = {n: lain for n, lain in trick.items() if n not in present}
        stays = [n for n in trick if n in present]
        led = {card for _, card in expectation.trick}
        before = {n for n in trick if led and self.read[n].seq and self.read[n].card not in led}
        if len(before & gone.keys()) > 1:
            # The next trick has begun: what lies there still of the one before was left behind.
            for number in before:
                self._lying[number].over = True
            return []
        fool_stays = len(gone) > 1 and [self.read[n].card for n in stays] == ["F"]
        if not gone or (stays and not fool_stays):
            return []
        lead = [n for n in gone if (self.read[n].player, self.read[n].card) in expectation.trick]
        if len(trick) == 1 and lead and time_s < gone[lead[0]].gone_s + LONE_S:
            return []  # perhaps taken back
        known = [lain for lain in gone.values() if lain.place.look is not None]
        if known and not any(lain.sighting.left for lain in known):
            return []  # something lies over it: an arm, a cup
        for number in gone:
            del self._lying[number]
        for number in stays:
            self._lying[number].over = True
        # The fool goes to its own player's pile, sooner or later than the rest (FOOL-6).
        others = [lain for n, lain in gone.items() if self.read[n].card != "F"]
        gone_s = max(lain.gone_s for lain in others or gone.values())
        shares = self.motion.shares(gone_s - 0.2, gone_s + FORGET_S)
        self.motion.mark()
        # With its last trick the hand is complete, and nobody plays in it any more.
        active = set(expectation.active) or {self.read[n].player for n in trick}
        takers = {player: shares[side] for player, side in self.seats.sides.items() if player in active}
        if not takers or len(trick) < 2:
            return []
        return [TrickTaken(max(takers, key=lambda p: takers[p]), time_s=round(gone_s, 3))]


def _ready(sighting: Sighting, time_s: float) -> bool:
    return (
        sighting.face
        and sighting.found
        and sighting.looks >= 2
        and not sighting.stale
        and sighting.still_for(time_s) >= STILL_S
        and not sighting.is_no_card()
    )


def _last(expectation: Expectation) -> str | None:
    """The card of the last play booked in the hand."""
    return next(reversed(tuple(expectation.numbers)), None)


def _card_at_rest(sighting: Sighting, time_s: float) -> bool:
    """Whether what is seen is a card for certain, named or not."""
    return (
        sighting.found
        and sighting.face
        and sighting.best_score >= CLEAR
        and sighting.looks >= 1
        and not sighting.is_no_card()
    )


def _is_near(sighting: Sighting, lain: _Lain) -> bool:
    """Whether it lies about where a booked card lay."""
    way = float(np.linalg.norm(sighting.center_px - lain.place.home_px.mean(0)))
    return way < NUDGE * sighting.height_px


def _under_a_hand(sighting: Sighting, time_s: float) -> bool:
    """Whether a card came to rest that is not ready to be named: fingers are over it still."""
    return (
        _card_at_rest(sighting, time_s) and not _ready(sighting, time_s) and time_s - sighting.landed_s < 3.0
    )


def _size(sighting: Sighting) -> float:
    """The side in px of a square of its area: foreshortening changes it less than the height."""
    return float(np.sqrt(max(cv2.contourArea(sighting.corners_px), 1.0)))


def _shared(sighting: Sighting, sightings: Sequence[Sighting]) -> float:
    """The greatest share (0..1) of a sighting's rectangle that lies in that of another card face up."""
    others = (other for other in sightings if other.number != sighting.number and other.face)
    return max((covered_share(sighting, other) for other in others), default=0.0)


def _after(expectation: Expectation, events: Sequence[Event]) -> Expectation:
    """The expectation once the plays among `events` are booked too (turn passes in order of play)."""
    for event in events:
        if isinstance(event, CardPlayed):
            trick = (*expectation.trick, (event.player, event.card))
            done = {player for player, _ in trick}
            waiting = [player for player in _from(expectation.active, event.player) if player not in done]
            expectation = replace(
                expectation,
                to_play=waiting[0] if waiting else None,
                trick=trick if waiting else (),
                played=expectation.played | {event.card},
            )
    return expectation


def _from(active: tuple[str, ...], player: str) -> tuple[str, ...]:
    """`active` in order of play, beginning after `player`."""
    if player not in active:
        return active
    at = active.index(player) + 1
    return active[at:] + active[:at]
