"""From settled sightings to plays: which card, by whom, and when a trick has left the table.

The rules count only as a soft prior: whose turn it is, and that a card is played once. What was seen decides, because
the program looks for illegal plays. An unsure card is booked with its alternatives, and people are asked about it.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tracker.cards import CARDS
from tracker.events import (
    CardPlayed,
    Event,
    HandStarted,
    PlayCorrected,
    PlayRemoved,
    PlaysTakenBack,
    TrickTaken,
)
from vision.picture import overlap
from vision.watching.expectation import Expectation
from vision.watching.explanations import (
    HINT,
    UNLIKELY,
    Explanation,
    Judged,
    Seen,
    name_doubts,
)
from vision.watching.first_trick import FirstTrick
from vision.watching.joint_readings import (
    UNSEEN,
    JointReading,
    ReadPlay,
    TableThing,
    begins_after_unseen,
    joint_readings,
    margin,
    rather_with,
    rivals,
)
from vision.watching.learnt import NOTHING_LEARNT, LearntTable
from vision.watching.motion import UNCHANGED, Motion, SmallPicture
from vision.watching.no_plays import NoPlays
from vision.watching.parts import greatest_share
from vision.watching.places import Place
from vision.watching.possible_plays import AT_ONCE_S, PossiblePlays
from vision.watching.revealed import RevealedCardReader
from vision.watching.seats import SeatMeasures, SeatModel, seat_odds
from vision.watching.shown_cards import ShownCardReader
from vision.watching.sightings import (
    CLEAR,
    FEWEST_LOOKS,
    PATIENCE_S,
    SETTLED_LOOKS,
    STILL_S,
    SURE,
    Sighting,
)
from vision.watching.table_cards import UNDER_ANOTHER, BookedCard, TableCard, TableCards
from vision.watching.table_plane import LAID_OVER

WIDE = 2.5
"""Nats by which a reading of the trick must outweigh all others to be booked at once, or to put earlier plays right."""
WEIGHED_S = 3.0
"""Seconds of lying still after which the likeliest reading is booked, however near the others are."""
MOST_RIVALS = 3
"""The most readings in one explanation."""
NUDGE = 0.7
"""Most distance, in heights of a card, at which an unsure sighting still counts as a booked card, nudged."""
NEXT_CARD_S, ONE_PLACE, NEAR_PLACE = 0.8, 0.6, 0.25
"""How two readings of one card are told from two cards in a row.

A hand needs the first, in seconds, from one card to the next. From the second, an overlap, boxes lie in one place; from
the third they may be of one card, of which fingers hid a part.
"""
BARE_S = 2.0
"""Seconds without any find after which the table counts as bare, while cards are counted or dealt."""
CARRIED = 0.5
"""Way, in heights of a card, from which a card was carried to its place. A card under a hand that goes stays."""


@dataclass(frozen=True)
class _Now:
    """One frame: the `sightings` in view or just lost, what the game expects, and the frame's (width, height) in px."""

    sightings: tuple[Sighting, ...]
    expectation: Expectation
    size: tuple[int, int]
    time_s: float

    def after(self, events: Sequence[Event]) -> "_Now":
        """The same after the plays among `events`."""
        return replace(self, expectation=self.expectation.after(events))


class PlayReader:
    """Turns what lies on the table into `CardPlayed`, `PlaysTakenBack`, `PlayCorrected` and `TrickTaken` events."""

    def __init__(self, sides: Mapping[str, str], learnt: LearntTable = NOTHING_LEARNT):
        """`sides` has each player's side of the picture: S, E, N or W. `learnt` is what the set-up learnt."""
        self.seats = SeatModel(sides, learnt.laid)
        self._learnt = learnt
        self.motion = Motion()
        self._table = TableCards(self.motion, self.seats.sides)
        self._no_plays = NoPlays(self._table, self.motion, self.seats)
        self.shown_cards = ShownCardReader(self.seats)
        self.revealed = RevealedCardReader(self.seats)
        self._left: list[Sighting] = []  # sightings that left and are not examined yet
        self._refused: set[int] = set()  # sightings that were booked as cards and turned out to be none
        self._explained: dict[int, Explanation] = {}
        self._possible = PossiblePlays(self._table)
        self._narrow: set[int] = set()  # sightings booked by a narrow lead: they are asked about
        self.first_trick = FirstTrick(self._possible)
        self._found_s: float | None = None  # when cards were counted or dealt last
        self._counted = False  # whether tricks were counted, or a hand was thrown in, since the last play
        self._plays = 0  # how many plays of the hand were booked by then
        # For the newest frame: the explanations that changed, and the sighting of each new card.
        self.judged: list[Judged] = []
        self.played: dict[Event, int] = {}

    @property
    def booked(self) -> Mapping[int, BookedCard]:
        """What each sighting was booked as, by its number."""
        return self._table.booked

    def places(self) -> list[tuple[Sighting, Place]]:
        """The booked cards on the table, each with its place."""
        return [(table_card.sighting, table_card.place) for table_card in self._table.cards.values()]

    def update(
        self,
        small: SmallPicture,
        sightings: Sequence[Sighting],
        gone: Sequence[Sighting],
        expectation: Expectation,
        time_s: float,
        card_px: float = 0.0,
    ) -> tuple[Event, ...]:
        """The events that the frame of the `small` picture completes.

        `sightings` are those followed now, `gone` those that have just left. `expectation` is what the game expects
        before this frame. `card_px` is the height of a card in px; with 0 the height that the set-up learnt counts.
        """
        self.judged, self.played = [], {}
        waits = [s for s in gone if self._may_begin(s, expectation)]
        self.first_trick.lose(waits)
        self._left += [s for s in gone if s not in waits]
        self._no_plays.parts.card_px = card_px or self._learnt.height_px(small.size[0])
        self._possible.leave(gone)
        expectation = self._may_be_over(expectation)
        self._follow(small, expectation, time_s)
        in_view = tuple(s for s in sightings if not s.left)
        if expectation.begins:
            unbooked = [s for s in in_view if s.number not in self.booked]
            players = 0 if expectation.numbers else len(expectation.active)
            self.first_trick.look(unbooked, players, time_s)
            self._note_bare(in_view, time_s)
        else:
            self.first_trick.forget()
        now = _Now(in_view, expectation, small.size, time_s)
        events = self._laid_open(now)
        if events:
            return tuple(events)  # `expectation` is out of date now
        events = self._weigh_anew(now)
        if events:
            return tuple(events)
        events = self._book_ready(now)
        if not events:
            events += self._revise(now)
        if _are_stale(events):
            return tuple(events)  # `expectation` is out of date now
        events += self._leave(now.after(events))
        if _are_stale(events):
            return tuple(events)
        if not events:
            events += self._take_back(now)
        followed = {s.number for s in sightings}
        dealt = now.after([event for event in events if isinstance(event, HandStarted)])
        events += self._table.taken(followed, dealt.expectation, time_s)
        self._forget(followed)
        return tuple(events)

    def _may_be_over(self, expectation: Expectation) -> Expectation:
        """`expectation`, with the next hand to begin if cards of this one were laid open: it may be over."""
        thrown_in = self.revealed.lies_open and not expectation.may_reveal
        same, self._plays = len(expectation.numbers) == self._plays, len(expectation.numbers)
        self._counted = ((self._counted and same) or thrown_in) and expectation.next_hand is not None
        return replace(expectation, begins=True, counted=True) if self._counted else expectation

    def _note_bare(self, sightings: Sequence[Sighting], time_s: float) -> None:
        """Note how the table looks once nothing has been found on it for a while after something was."""
        if any(sighting.found for sighting in sightings):
            self._found_s = time_s
        elif self._found_s is not None and time_s - self._found_s > BARE_S:
            self._found_s = None
            self.motion.mark()

    def _follow(self, small: SmallPicture, expectation: Expectation, time_s: float) -> None:
        """Take in the picture, and look at the places of the booked cards."""
        self.motion.update(small, time_s)
        self._table.rename(expectation)
        if not expectation.active and not expectation.waits:
            self.motion.mark()  # what lies there between two hands is no play of the next
            self._no_plays.forget_piles()
        for table_card in self._table.cards.values():
            table_card.update(self.motion, time_s)

    def _forget(self, followed: Set[int]) -> None:
        """Forget what was noted of sightings that are no longer followed."""
        self._no_plays.keep(followed)
        self._refused &= followed
        self._explained = {n: explanation for n, explanation in self._explained.items() if n in followed}

    def _laid_open(self, now: _Now) -> list[Event]:
        """The events of what was laid open and is no play.

        While a talon is awaited, all cards that come belong to it. At other times many cards that come together are
        of a player's hand.
        """
        awaited = now.expectation.shown_cards
        if awaited is not None and awaited.kind == "talon":
            return self._laid_out(now) or self._revealed(now)
        return self._revealed(now) or self._laid_out(now)

    def _laid_out(self, now: _Now) -> list[Event]:
        others = [s for s in now.sightings if not self.revealed.has(s)]
        if len(others) < len(now.sightings):
            self.shown_cards.forget_named()
        untaken = sum(table_card.sighting.found for table_card in self._table.trick().values()) > 1
        rows = self._table.rows(now.expectation)
        return self.shown_cards.update(
            others,
            self.booked,
            rows,
            untaken,
            now.expectation,
            now.size,
            now.time_s,
            bool(self.revealed.undecided),
        )

    def _revealed(self, now: _Now) -> list[Event]:
        awaited = now.expectation.shown_cards
        first = awaited is not None and awaited.kind == "talon"
        others = [s for s in now.sightings if not (first and self.shown_cards.holds(s))]
        return self.revealed.update(others, self.booked, now.expectation, now.size, now.time_s)

    # ---- new cards ----

    def _book_ready(self, now: _Now) -> list[Event]:
        """Book the sightings that can be booked now, in the order in which they landed."""
        waiting = sorted(
            (s for s in now.sightings if not self._is_seen_to(s)), key=lambda s: (s.landed_s, s.first_s)
        )
        begin = [*self.first_trick.cards, *(s for s in waiting if self._may_begin(s, now.expectation))]
        begin.sort(key=lambda s: self._possible[s.number].landed_s)
        ready = begin + [s for s in waiting if _ready(s, now.time_s) and s not in begin]
        tricks_open = self._no_plays.measure(ready, now.sightings, now.expectation)
        self._counted |= tricks_open and not now.expectation.trick
        for sighting in ready if len(ready) > 1 else ():
            if sighting.number in self._possible:
                continue  # it is noted already
            seen = self._seen(sighting, now)
            if (
                not self._must_wait(sighting, waiting, now)
                and self._same(seen) is None
                and not self._no_play(seen)
            ):
                self._note_possible(seen)
        events: list[Event] = []
        for sighting in ready:
            if sighting not in begin and self._must_wait(sighting, waiting, now.after(events)):
                continue
            later = [s for s in ready if s.landed_s > sighting.landed_s + AT_ONCE_S]
            # A later card is already named, so this one must be named now.
            pressed = any(float(s.probabilities()[: len(CARDS)].max()) >= SURE for s in later)
            leaving = self.first_trick.has_left(sighting)
            events += self._book(sighting, now.after(events), leaving, pressed)
            if _are_stale(events):
                break
        return events

    def _may_begin(self, sighting: Sighting, expectation: Expectation) -> bool:
        """Whether a sighting has been found to be a possible play of a hand that may have begun."""
        return expectation.begins and sighting.number in self._possible

    def _is_seen_to(self, sighting: Sighting) -> bool:
        """Whether it is known already what a sighting is: a play, something else laid open, or no card."""
        number = sighting.number
        return number in self.booked or number in self._refused or self._is_laid_open(sighting)

    def _is_laid_open(self, sighting: Sighting) -> bool:
        """Whether a sighting lies open and is no play, or may still turn out to be none."""
        return self.shown_cards.holds(sighting) or self.revealed.holds(sighting)

    def _must_wait(self, sighting: Sighting, waiting: Sequence[Sighting], now: _Now) -> bool:
        """Whether a sighting must wait for an earlier card that cannot be read yet."""
        if sighting.still_for(now.time_s) >= PATIENCE_S:
            return False
        earlier = [s for s in waiting if s.landed_s < sighting.landed_s - AT_ONCE_S]
        rivals = [s for s in waiting if abs(s.landed_s - sighting.landed_s) <= AT_ONCE_S]
        return any(_under_a_hand(s, now.time_s) for s in earlier) or any(
            self._comes_after(sighting, rival, now) for rival in rivals
        )

    def _comes_after(self, sighting: Sighting, rival: Sighting, now: _Now) -> bool:
        """Whether a card was played after `rival`, which landed at the same time. Their likely players decide."""
        turn = now.expectation.turn
        if rival is sighting or not turn or not _card_at_rest(rival):
            return False
        first, second = (*turn, *turn)[:2]
        mine, other = self._odds(sighting, now.size), self._odds(rival, now.size)
        return mine[second] + other[first] > mine[first] + other[second]

    def _book(
        self, sighting: Sighting, now: _Now, leaving: bool = False, pressed: bool = False
    ) -> list[Event]:
        """The events for a sighting: its play, a correction, or none.

        `leaving` means that it leaves the table unnamed, `pressed` that a later card is already named.
        """
        expectation, seen = now.expectation, self._seen(sighting, now, leaving, pressed)
        same = self._same(seen)
        if same is not None:
            return self._is_that_card(seen, same)
        laid_by = next((player for player, card in expectation.trick if card == seen.raw), None)
        if laid_by is not None and seen.is_named_anew():
            self._judge(seen, Explanation.LAID_AGAIN)
            self._table.lay(sighting, BookedCard(seen.raw, seen.raw in expectation.doubtful, laid_by))
            return []
        if self._may_begin(sighting, expectation):
            if not self._no_plays.lay_there(seen):
                return self._weigh(seen)
            self._possible.drop(sighting.number)
        explanation = self._no_play(seen)
        if explanation is not None:
            self._judge(seen, explanation)
            return []
        if leaving and expectation.begins:
            self._note_possible(seen)
            self.first_trick.lose([sighting])  # it is weighed next, with the others of its trick
            return []
        return self._weigh(seen)

    def _seen(
        self,
        sighting: Sighting,
        now: _Now,
        leaving: bool = False,
        pressed: bool = False,
        best: JointReading | None = None,
    ) -> Seen:
        """What is seen of a sighting. In the reading `best` earlier plays may be misread."""
        booked, expectation = self.booked, now.expectation
        others = [s for s in now.sightings if s.number in booked and s.number != sighting.number]
        # Only what was seen together is two cards: a card in a hand may be followed as another sighting.
        here = {booked[s.number].card: s for s in others if s.seen_s >= sighting.first_s}
        hidden = {booked[number].card for number in self._table.cards} | self._table.swept(sighting.seen_s)
        name = sighting.read_as
        misread = best is not None and self._possible.is_misread(name, best)
        if sighting.is_sure() and (misread or name not in here):
            expectation = self._table.doubting(expectation, name, misread)
        doubts = self._table.doubts(expectation)
        return Seen(
            sighting, now.sightings, here, doubts, hidden, expectation, now.size, now.time_s, leaving, pressed
        )  # fmt: skip

    def _judge(self, seen: Seen, explanation: Explanation, best: Sequence[JointReading] = ()) -> None:
        """Record the explanation of a sighting if it has changed; `best` are the readings that were weighed."""
        number = seen.sighting.number
        if self._explained.get(number) is explanation:
            return
        self._explained[number] = explanation
        measures = self._seen_from(seen.sighting, seen.size)
        told = rivals(best, MOST_RIVALS)
        self.judged.append(
            Judged(seen.time_s, number, explanation, seen.reading(), seen.likely, measures, told)
        )

    def _same(self, seen: Seen) -> int | None:
        """The number of the booked card that this sighting is, nudged or no longer covered; None if it is another."""
        old = self._table.named(seen.raw)
        if old is not None and seen.raw not in seen.here and seen.votes.max() > 0.5:
            slid = seen.sighting.is_sure() and not self._table.is_held_down(old)
            if slid or _is_near(seen.sighting, self._table.cards[old]):
                return old
        return self._uncovered(seen)

    def _uncovered(self, seen: Seen) -> int | None:
        """The number of the hidden booked card that this sighting probably is, since it lies in that card's place.

        It must read as one of that card's possible names. If it is unsurely read, it may also look as that card did.
        A little beside it in its player's row, when it is his turn, lies his next card instead.
        """
        sighting, expectation = seen.sighting, seen.expectation
        present = {s.number for s in seen.sightings}
        for number, table_card in self._table.cards.items():
            at_home = overlap(sighting.corners_px, table_card.place.home_px) > 0.6
            if number in present or table_card.sighting.left or not at_home:
                continue
            card = self.booked[number].card
            way = np.linalg.norm(sighting.center_px - table_card.place.home_px.mean(0)) / sighting.height_px
            due = expectation.stays and self.booked[number].player == expectation.to_play
            others = () if due and way > LAID_OVER else expectation.doubtful.get(card, (0, ()))[1]
            names = (card, *(other for other in others if other not in expectation.played))
            as_before = sum(float(seen.votes[CARDS.index(name)]) for name in names) > UNLIKELY
            looks_so = not sighting.is_sure() and as_before and table_card.place.shows_card(self.motion)
            if seen.raw in names or looks_so:
                return number
        return None

    def _is_that_card(self, seen: Seen, old: int) -> list[Event]:
        """Follow the booked card `old` as this sighting. Read surely in the same place, it settles a doubt."""
        self._judge(seen, Explanation.SAME_CARD)
        booked, table_card = self._table.follow(old, seen.sighting)
        if old in self._narrow:
            self._narrow.add(seen.sighting.number)
            return []
        at_home = overlap(seen.sighting.corners_px, table_card.place.home_px) > NEAR_PLACE
        if booked.doubtful and booked.seq and seen.sighting.is_sure() and at_home:
            return [PlayCorrected(booked.seq, card=seen.raw)]
        return []

    def _no_play(self, seen: Seen) -> Explanation | None:
        """Why a sighting is no play, or not yet one; None if it is a play."""
        unbooked = [s for s in seen.sightings if s.number not in self.booked and not self._is_laid_open(s)]
        return self._no_plays.why(seen, seen.likely.card in self._freed(seen)[1].come_no_more, unbooked)

    def _freed(self, seen: Seen) -> tuple[list[Event], Expectation]:
        """The correction of a doubtful play whose name is surely this card's, and the expectation after it.

        That play is then one of its other names. Two cards with one name are two cards if they lie beside one another,
        or if the later one stays where cards are played or leaves from there with a trick. Otherwise they may be one
        card on its way to a pile.
        """
        expectation, card = seen.expectation, seen.likely.card
        if not seen.likely.sure or card not in seen.doubts or not (seen.is_beside() or self._is_laid(seen)):
            return [], expectation
        seq, others = expectation.doubtful[card]
        played = expectation.played - {card}
        if all(other in played for other in others):
            return [], expectation
        name, left = seen.others[card].without(others, played)
        return [PlayCorrected(seq, card=name, alternatives=left)], replace(
            expectation, played=played | {name}
        )

    def _is_laid(self, seen: Seen) -> bool:
        """Whether a sighting stays where cards are played, or left from there with its trick."""
        if not seen.expectation.stays and self.seats.is_far(seen.sighting, seen.size):
            return False  # a game in which the cards stay has no piles
        if seen.leaving:
            return bool(seen.expectation.trick)
        return seen.sighting.still_for(seen.time_s) > PATIENCE_S

    # ---- the trick as a whole ----

    def _weigh(self, seen: Seen) -> list[Event]:
        """Book a card as played, if it is a play in the likeliest reading of its trick."""
        sighting, number = seen.sighting, seen.sighting.number
        if seen.expectation.stays:
            return self._play_in_row(seen)
        self._note_possible(seen)
        best = self._possible.readings(seen.expectation, [*seen.sightings, *self.first_trick.cards, sighting])
        may_be_short = seen.leaving and bool(seen.expectation.trick)
        # While its trick stays, a poor find that is lost was none of its cards. A clear one may lie under another card.
        if may_be_short and (sighting.best_score >= CLEAR or not self._trick_stays()):
            best = rather_with(best, number)
        play = best[0].of(number)
        now = _Now(seen.sightings, seen.expectation, seen.size, seen.time_s)
        if play is None:
            piled = self._possible[number].piled
            self._judge(seen, Explanation.PILE if piled else Explanation.OUTWEIGHED, best)
            if piled:
                self._no_plays.note_pile(sighting)
            return []
        waited = seen.leaving or seen.pressed or sighting.still_for(seen.time_s) > WEIGHED_S
        together, against = [number], best
        if seen.expectation.begins:
            together, against, waited = self._first_trick_of(best, now)
        differs = any(self._otherwise(other, best[0].of(other)) for other in best[0].things)
        unsure = any(margin(against, one, lambda other: other is None) < WIDE for one in together)
        if not waited and (unsure or differs):
            self._judge(seen, Explanation.NOT_CLEAR_YET, best)
            return []
        dealer = best[0].dealer
        dealt: list[Event] = [HandStarted(dealer, round(seen.time_s, 3))] if dealer else []
        now = replace(now, expectation=now.expectation.dealt_by(dealer))
        if not differs:
            unsure = margin(against, number, lambda other: other is None) < WIDE
            seen = self._seen(sighting, now, seen.leaving, seen.pressed, best[0])
            new_trick = begins_after_unseen(best[0], number, seen.expectation.active)
            swept_s = self._possible.swept_s_before(number)
            if new_trick and swept_s is not None:
                self._table.untold = TrickTaken(play.player, time_s=round(swept_s, 3))
            in_turn = new_trick or seen.expectation.to_play in (None, play.player)
            another = margin(best, number, lambda other: other is not None and other.player != play.player)
            unsure = unsure or (not in_turn and another < WIDE)
            return [*dealt, *self._play(seen, play.player, best, unsure, new_trick)]
        if seen.leaving:
            self._left.append(sighting)
        return self._put_right(best, now, 0.0)

    def _play_in_row(self, seen: Seen) -> list[Event]:
        """Book a card as played that stays in its player's row.

        No sweep tells that a trick is short of a card. The order tells it in which the cards come, once it is clearly
        likelier with a card that was never seen than with players who were out of turn.
        """
        sighting, expectation, number = seen.sighting, seen.expectation, seen.sighting.number
        if expectation.begins:
            return self._play(seen)
        self._possible.note(sighting, self._seen_from(sighting, seen.size), piled=False)
        best = self._possible.readings(expectation, [*seen.sightings, sighting])
        led = self._led_after_unseen(best, seen)
        if led is None:
            return self._play(seen)
        taken = TrickTaken(led.player, time_s=round(seen.time_s, 3))
        if led.number == number:
            self._table.untold = taken
            return self._play(seen, led.player, best, new_trick=True)
        order = list(self._possible.booked)
        later = order[order.index(led.number) :]
        if not all(one in self.booked and self._table.is_as_booked(one, expectation) for one in later):
            return self._play(seen)
        self._judge(seen, Explanation.NOT_CLEAR_YET, best)
        self._possible.drop(number)  # it is weighed next, when the others are booked once more
        return [PlaysTakenBack(len(later)), taken, *self._once_more(later, seen, new_trick=True)]

    def _led_after_unseen(self, best: Sequence[JointReading], seen: Seen) -> ReadPlay | None:
        """The lead that follows a trick with an unseen card in the likeliest reading; None where there is none.

        Nor is there one if a reading weighs nearly as much in which all was seen, earlier plays stand as booked, and
        `seen` is no second card of its player in the trick.
        """
        number, active = seen.sighting.number, seen.expectation.active
        in_trick = {player for player, _ in seen.expectation.trick}
        as_booked = (
            one.weight
            for one in best
            if not one.of(UNSEEN)
            and not any(self._otherwise(n, one.of(n)) for n in one.things)
            and all(play.player not in in_trick for play in one.plays if play.number == number)
        )
        if best[0].weight - next(as_booked, -np.inf) < WIDE:
            return None
        leads = [play for play in best[0].plays[len(active) :: len(active)] if play.number != UNSEEN]
        return next((one for one in leads if begins_after_unseen(best[0], one.number, active)), None)

    def _first_trick_of(
        self, best: list[JointReading], now: _Now
    ) -> tuple[list[int], list[JointReading], bool]:
        """Of the first trick in the likeliest reading: its new plays, what it must outweigh, and whether it has waited.

        Its plays are booked together. Against a whole trick it counts no more that the hand may not have begun. Of a
        part of one neither time nor leaving tells anything.
        """
        booked = self._possible.booked.keys()
        together = [play.number for play in best[0].plays if play.number not in booked]
        if len(together) % len(now.expectation.active):
            return together, best, False
        begun = [one for one in best if any(play.number not in booked for play in one.plays)]
        cards = [self._possible[number].sighting for number in together if number in self._possible]
        left = any(self.first_trick.has_left(card) for card in cards)
        return together, begun, left or all(card.still_for(now.time_s) > WEIGHED_S for card in cards)

    def _note_possible(self, seen: Seen) -> None:
        """Note, once, what was seen of how a sighting came that may be a play."""
        if seen.sighting.number not in self._possible and not seen.expectation.stays:
            measures = self._seen_from(seen.sighting, seen.size)
            self._possible.note(seen.sighting, measures, self._no_plays.may_be_pile(seen))

    def _otherwise(self, number: int, play: ReadPlay | None) -> bool:
        """Whether the sighting `number` stands in the record as a play, and `play` is none or another player's."""
        stands = self._possible.booked.get(number)
        return stands is not None and not _is_of(stands[0], play)

    def _weigh_anew(self, now: _Now) -> list[Event]:
        """Put earlier plays of the trick right, where another reading has come to outweigh the booked one."""
        if now.expectation.stays or not now.expectation.active:
            return []
        best = self._possible.readings(now.expectation, [*now.sightings, *self.first_trick.cards])
        self._narrow -= {
            number
            for number in self._possible.booked
            if margin(best, number, partial(self._otherwise, number)) >= WIDE
        }
        return self._put_right(best, now, WIDE)

    def _put_right(self, best: Sequence[JointReading], now: _Now, least: float) -> list[Event]:
        """The correction of the first play that is otherwise in the best reading.

        Every reading with the play as booked must weigh `least` less than the best one, in nats.
        """
        time_s = round(now.time_s, 3)
        for number in (number for number in self._possible.booked if number in self.booked):
            play, old = best[0].of(number), self.booked[number]
            as_booked = partial(_is_of, self._possible.booked[number][0])
            if not old.seq or as_booked(play) or margin(best, number, as_booked) < least:
                continue
            seen = self._seen(self._possible[number].sighting, now)
            self.seats.forget(number)
            if play is None:
                self._judge(seen, Explanation.OUTWEIGHED, best)
                self._table.drop(number)
                return [PlayRemoved(old.seq, time_s=time_s)]
            self._judge(seen, Explanation.NEW_CARD, best)
            self._table.booked[number] = replace(old, player=play.player)
            return [PlayCorrected(old.seq, player=play.player, time_s=time_s)]
        return []

    def _play(
        self,
        seen: Seen,
        player: str = "",
        best: Sequence[JointReading] = (),
        unsure: bool = False,
        new_trick: bool = False,
    ) -> list[Event]:
        """Book a card as played by `player`. Without one, or if it takes another card's place, the likeliest player.

        `best` are the readings that were weighed. The play is `unsure` if a reading without it weighs nearly as much,
        or if it is out of turn and a reading with another player weighs nearly as much. `new_trick`: it is led, and
        the trick before lacks a card that was never seen.
        """
        sighting, likely = seen.sighting, seen.likely
        events, expectation = self._freed(seen)
        again = likely.card in expectation.played
        card, alternatives = likely.names(expectation.played if again else frozenset(), seen.raw)
        doubtful = not likely.sure or again or unsure or self._no_plays.parts.is_across(seen)
        later: list[int] = []
        back = self._replaced(seen, expectation)
        if back is not None:
            old, before = self.booked[back], expectation
            expectation = expectation.without(old.player, old.card)
            player = self._player(sighting, expectation, seen.size)
            del self._table.cards[back]
            if before.last_play == old.card:
                events.append(PlaysTakenBack(1))
            elif not doubtful:
                # Others have played since, so the new card replaces the old one within the trick.
                self._judge(seen, Explanation.INSTEAD)
                self._table.lay(sighting, BookedCard(card, False, player))
                instead = PlayCorrected(before.numbers[old.card], card=card)
                self.played[instead] = sighting.number
                return [*events, instead]
        else:
            if not (events or again or new_trick):
                expectation, later = self._before_later(seen)
            if later or not player:
                player = self._player(sighting, expectation, seen.size)
        self._judge(seen, Explanation.MISSED if later else Explanation.NEW_CARD, best)
        self._table.lay(sighting, BookedCard(card, doubtful, player))
        if unsure:
            self._narrow.add(sighting.number)
        # A doubtful card may be a pile, which does not tell where a player lays his cards.
        if not doubtful and player == expectation.to_play:
            self.seats.learn(player, sighting)
        others = alternatives if doubtful else ()
        play = CardPlayed(
            player, card, alternatives=others, time_s=round(seen.time_s, 3), new_trick=new_trick
        )
        self.played[play] = sighting.number
        if later:
            return [PlaysTakenBack(len(later)), play, *self._once_more(later, seen)]
        if new_trick and self._table.untold is not None:
            events.append(self._table.untold)
            self._table.untold = None
        return [*events, play]

    def _before_later(self, seen: Seen) -> tuple[Expectation, list[int]]:
        """The plays that came after this card but were booked before it: the game before them, and their numbers.

        A hand lay on the card, or the card was not found at once. Of the possible orders the one counts in which the
        fewest players played out of turn, and of two such orders the one with a right lead: a fault must be proved.
        """
        now, late, leader = seen.expectation, seen.sighting, seen.expectation.to_lead
        if leader is None:
            return now, []
        players = [player for player, _ in now.trick]
        best, fewest = (now, list[int]()), (len(players) + 1, True)
        later: list[int] = []
        for at in range(len(players), -1, -1):
            due = now.due(leader, players[:at])
            before = replace(now, trick=now.trick[:at], turn=(due,) if due else ())
            player = self._player(late, before, seen.size)
            faults = now.out_of_turn(leader, [*players[:at], player, *players[at:]])
            if player not in players and faults < fewest:
                best, fewest = (before if later else now, list(later)), faults
            number = self._table.named(now.trick[at - 1][1]) if at else None
            if number is None or not self._table.is_as_booked(number, now) or self._came_later(late, number):
                break
            later.insert(0, number)
        return best

    def _came_later(self, late: Sighting, number: int) -> bool:
        """Whether the card `late` came after the booked one `number`.

        It did if it was seen to come later, or if its place was still bare after `number` had landed. Of the place
        only that part is looked at that no card of the trick covers.
        """
        others_px = [table_card.sighting.corners_px for table_card in self._table.trick().values()]
        laid_s = self._table.cards[number].sighting.landed_s + AT_ONCE_S
        if late.first_s > laid_s and float(np.linalg.norm(late.way_px)) > CARRIED * late.height_px:
            return True
        return self.motion.was_bare(late.corners_px, laid_s, late.first_s, others_px)

    def _once_more(self, numbers: Sequence[int], seen: Seen, new_trick: bool = False) -> list[Event]:
        """The plays `numbers` once more, to be booked after what came before; with `new_trick` the first is led."""
        events: list[Event] = []
        for number in numbers:
            booked = self.booked[number]
            others = seen.expectation.doubtful.get(booked.card, (0, ()))[1]
            self._table.booked[number] = replace(booked, seq=0)
            play = CardPlayed(
                booked.player,
                booked.card,
                alternatives=others,
                time_s=round(seen.time_s, 3),
                new_trick=new_trick and not events,
            )
            self.played[play] = number
            if number in self._table.cards:
                self._table.cards[number].over = False
            events.append(play)
        return events

    def _replaced(self, seen: Seen, expectation: Expectation) -> int | None:
        """The number of the booked card in whose place this one counts, since it was misread or taken back, if any."""
        misread = self._read_through_fingers(seen, expectation)
        if misread is not None:
            return misread
        back = None if seen.leaving else self._table.exchanged(seen.sightings, expectation)
        if back is None:
            return None
        mine = self.booked[back]
        # A card that its player keeps may be on his pile: its absence does not make it his turn again.
        kept = mine.card in expectation.kept
        turn = expectation if kept else expectation.without(mine.player, mine.card)
        # A card of another player does not prove that one which was slid aside was taken back.
        return back if self._player(seen.sighting, turn, seen.size) == mine.player else None

    def _read_through_fingers(self, seen: Seen, expectation: Expectation) -> int | None:
        """The number of the booked card of a row that was a wrong first reading of this one; None without one.

        A card is slid over the last one of its row. While fingers lie on its end, its box may reach onto the card
        below, and read as neither card. Once the fingers are gone, that box is found no more, and the card lies there.
        """
        open_cards = {expectation.last_play, *(card for _, card in expectation.trick)}
        for number, table_card in self._table.cards.items() if expectation.stays else ():
            before_s = seen.sighting.first_s - table_card.sighting.first_s
            there = overlap(seen.sighting.corners_px, table_card.place.home_px) > ONE_PLACE
            gone = there and not table_card.sighting.found and self.booked[number].card in open_cards
            if gone and 0 <= before_s < NEXT_CARD_S:
                return number
        return None

    # ---- earlier plays ----

    def _revise(self, now: _Now) -> list[Event]:
        """Correct earlier plays by what was seen since. What a person entered is certain, and is never touched."""
        expectation, events = now.expectation, list[Event]()
        for number in self._table.no_cards():
            booked = self.booked[number]
            self._judge(self._seen(self._table.cards[number].sighting, now), Explanation.NO_CARD)
            self._table.drop(number)
            self._refused.add(number)
            return [PlayRemoved(booked.seq, time_s=round(now.time_s, 3))]
        doubts, certain = self._table.doubts(expectation), expectation.played - expectation.doubtful.keys()
        plays = {card: self._table.play(expectation.doubtful[card][0]) for card in doubts}
        clear = {
            card: play.sighting
            for card, play in plays.items()
            if play is not None and play.is_clear and play.sighting.number not in self._narrow
        }
        for called, likely in name_doubts({card: doubts[card] for card in clear}, certain).items():
            if likely.sure and (likely.card == called or likely.card not in expectation.played):
                self._judge(self._seen(clear[called], now), Explanation.SETTLED)
                play = plays[called]
                if play is not None:
                    play.settle(likely.card)
                events.append(PlayCorrected(expectation.doubtful[called][0], card=likely.card))
        return events or self._read_otherwise(now)

    def _read_otherwise(self, now: _Now) -> list[Event]:
        """The correction of a play that was unsurely read when it was booked, and now surely reads as another card.

        Its box was wrong at first, say, or fingers lay on it. If nothing spoke for the new name then, another card may
        have been laid on it, and people are asked. For a play that was surely read, `SightingTracker` sees to that.
        """
        expectation, booked = now.expectation, self._table.cards.keys()
        called = {seq: card for card, seq in expectation.numbers.items() if card not in expectation.doubtful}
        for number, table_card in self._table.trick().items():
            sighting, seq = table_card.sighting, self.booked[number].seq
            play = self._table.play(seq) if seq in called else None
            if play is None or not play.may_be_wrong(called[seq]) or play.sighting is not sighting:
                continue
            card = sighting.read_as
            clear = _ready(sighting, now.time_s) and sighting.is_sure() and sighting.looks >= SETTLED_LOOKS
            if not clear or card in expectation.played:
                continue
            if greatest_share(sighting, now.sightings, booked) < UNDER_ANOTHER:
                self._judge(self._seen(sighting, now), Explanation.READ_OTHERWISE)
                if play.knew_of(card):
                    return [PlayCorrected(seq, card=card)]
                play.dispute(card)
                return [PlayCorrected(seq, card=called[seq], alternatives=(card,))]
        return []

    # ---- who played ----

    def _seen_from(self, sighting: Sighting, size: tuple[int, int]) -> dict[str, SeatMeasures]:
        """The evidence for each player, from how the card came and where it lies."""
        # Only the hand that laid the card counts, not a later one over it.
        came_s = max(sighting.first_s, sighting.set_off_s)
        until_s = min(sighting.still_since_s, came_s + 0.6) + 0.2
        arrival = self.motion.shares(came_s - 0.9, until_s)
        return self.seats.measures(sighting, size, arrival)

    def _odds(self, sighting: Sighting, size: tuple[int, int]) -> dict[str, float]:
        """The natural log-odds of each player by that evidence alone."""
        return seat_odds(self._seen_from(sighting, size))

    def _player(self, sighting: Sighting, expectation: Expectation, size: tuple[int, int]) -> str:
        """The likeliest player of a card: what was seen, with the turn as a prior."""
        trick = [TableThing(-1, 0.0, {}, {}, play) for play in expectation.trick]
        card = TableThing(sighting.number, 0.0, self._odds(sighting, size), {"": 0.0})
        best = joint_readings(
            [*trick, card], expectation.active, lambda _: expectation.to_play, (None, 1.0), frozenset()
        )
        return next(play.player for reading in best if (play := reading.of(sighting.number)))

    # ---- cards that leave ----

    def _leave(self, now: _Now) -> list[Event]:
        """Book the played cards that left unnamed: every card must be booked by the time its trick leaves."""
        events: list[Event] = []
        stays = self._trick_stays()
        # While a play is put right, the others wait for the next frame.
        left, self._left = self._left, []
        for at, sighting in enumerate(left):
            if _are_stale(events):
                self._left += left[at:]
                break
            if self._may_have_been_played(sighting, stays, now.expectation):
                seen_now = replace(now.after(events), time_s=sighting.seen_s)
                events += self._book(sighting, seen_now, leaving=True)
        return events

    def _trick_stays(self) -> bool:
        """Whether a card of the newest trick still lies there."""
        return any(table_card.sighting.found for table_card in self._table.trick().values())

    def _may_have_been_played(self, sighting: Sighting, stays: bool, expectation: Expectation) -> bool:
        """Whether a sighting that left unnamed may have been a play. `stays`: cards of its trick still lie there."""
        if self._is_seen_to(sighting) or sighting.looks < FEWEST_LOOKS or not sighting.face:
            return False
        # Before a hand such a thing tells of cards that are counted or dealt.
        if not expectation.begins and self.motion.looks_as_at(sighting.corners_px, sighting.seen_s):
            return False  # it lies there still, and is only not found
        if stays and self._no_plays.was_played(sighting, expectation):
            return False  # a card of an earlier trick was looked at
        if expectation.stays and self._was_found_anew(sighting):
            return False
        if not expectation.trick and (
            self._may_be_swept(sighting) or self._table.came_before_sweep(sighting)
        ):
            return False
        # In a trick that is short of a card even a poor reading is worth a question.
        least = 0.05 if expectation.trick else HINT
        if sighting.lay_s < STILL_S or float(sighting.probabilities()[: len(CARDS)].max()) < least:
            return False
        # If the place looks as it did before the card, the card was taken back before it was named.
        before = self.motion.before(sighting.corners_px, sighting.first_s) if stays else None
        return before is None or self.motion.change(before, sighting.corners_px) >= UNCHANGED

    def _was_found_anew(self, sighting: Sighting) -> bool:
        """Whether a sighting that has left a row was a first view, as under fingers, of a card that is booked there."""
        return any(
            0 <= card.sighting.landed_s - sighting.landed_s < NEXT_CARD_S
            and overlap(sighting.corners_px, card.place.home_px) > NEAR_PLACE
            for card in self._table.cards.values()
        )

    def _may_be_swept(self, sighting: Sighting) -> bool:
        """Whether a sighting may be a blurred card of a trick that leaves the table: no lead leaves with a trick."""
        votes, names = sighting.probabilities(), self._table.hidden() | self._table.swept(sighting.seen_s)
        return any(votes[CARDS.index(card)] > UNLIKELY for card in names)

    def _take_back(self, now: _Now) -> list[Event]:
        """Take back the last play of an open trick once its card has gone back to its player and stays away."""
        back = self._table.taken_back(now.sightings, now.expectation, now.time_s)
        if back is None:
            return []
        del self._table.cards[back]
        return [PlaysTakenBack(1)]


def _are_stale(events: Sequence[Event]) -> bool:
    """Whether the events take plays out or give one to another player, so that the expectation is out of date."""
    return any(
        isinstance(event, PlaysTakenBack | PlayRemoved)
        or (isinstance(event, PlayCorrected) and event.player is not None)
        for event in events
    )


def _ready(sighting: Sighting, time_s: float) -> bool:
    """Whether a sighting is a face in view, at rest and read, so that it may be booked.

    One that was read as another card before waits: a card that came just now may have taken over its track.
    """
    return (
        sighting.found
        and (sighting.was is None or sighting.still_for(time_s) >= PATIENCE_S)
        and sighting.looks >= FEWEST_LOOKS
        and not sighting.stale
        and sighting.still_for(time_s) >= STILL_S
        and sighting.face
    )


def _is_of(player: str, play: ReadPlay | None) -> bool:
    return play is not None and play.player == player


def _card_at_rest(sighting: Sighting) -> bool:
    """Whether a sighting in view is certainly a card, named or not."""
    return sighting.found and sighting.best_score >= CLEAR and sighting.looks >= 1 and sighting.face


def _is_near(sighting: Sighting, table_card: TableCard) -> bool:
    """Whether a sighting lies close to where a booked card lay."""
    way = float(np.linalg.norm(sighting.center_px - table_card.place.home_px.mean(0)))
    return way < NUDGE * sighting.height_px


def _under_a_hand(sighting: Sighting, time_s: float) -> bool:
    """Whether a card has landed but cannot be read yet, probably because fingers are still over it."""
    return _card_at_rest(sighting) and not _ready(sighting, time_s)
