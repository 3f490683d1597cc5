"""One hand of 25 tricks, folded play by play: order of play, the fool, payments and findings.

What happened is recorded, legal or not, and breaches are found in what was recorded (`findings`). Only what
cannot have happened is refused (EventError).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tracker.cards import CARDS, FOOL, TRUMP
from tracker.danish import settlement
from tracker.danish.combination import Combination
from tracker.danish.declarations import (
    DECLARABLE,
    CombinationError,
    check_combinations,
    hangs_on,
    may_complete,
    owed,
    refuted,
    slot_of,
    value_of,
)
from tracker.danish.events import Declared, Fined, FoolCalled, FoolNamed, Redealt, SkatShown, ToutAnnounced
from tracker.danish.findings import DanishFinding
from tracker.danish.knowledge import DEALER, Knowledge
from tracker.danish.pack import (
    FOOL_BIT,
    INDEX,
    KING_MASK,
    MONDO_BIT,
    PACK,
    PAGAT_BIT,
    SUIT_LETTER,
    SUIT_MASK,
    TRUMP_MASK,
)
from tracker.danish.result import ResultEntered, check_result
from tracker.danish.rule_sets import FINE_CATEGORIES, POTS, RuleSet
from tracker.denials import Denial
from tracker.errors import EventError
from tracker.events import CardPlayed, Entries, PlaysTakenBack
from tracker.hand import Deal, Hand
from tracker.ledger import Ledger, Pay
from tracker.tricks import Play, Trick

_ULTIMO_MASK: Final = KING_MASK | PAGAT_BIT
CATEGORY_OF: Final = {
    "revoke": "irrecoverable",
    "contradiction": "irrecoverable",
    # The sources name no category for a fool in trick 24, one kept back when called, or one led without a name.
    # Our decision: the first two are major, since play goes on. A missing name can be given at once: superficial.
    "fool_second_to_last": "major",
    "fool_call_refused": "major",
    "fool_not_named": "superficial",
    "fool_call_wrong": "major",
    "lead_out_of_turn": "major",
    "fool_discarded": "irrecoverable",
    "bad_discard": "irrecoverable",
    "declaration_missing": "misdeclaration",
    "declaration_false": "misdeclaration",
}
"""The category proposed for each kind of finding. That of a card played before one's turn is in the rule set."""


@dataclass(slots=True)
class _Call:
    """A call for the fool: whether it was `wrong`, and the plays before it that are `gone`, taken back after it."""

    wrong: bool
    gone: Entries = field(default_factory=list)


class DanishHand(Hand):
    """The fold of one hand. Read its attributes; only the session applies events to it.

    `active` are the three players in order of play from forehand, so the dealer is the last. `corrected` are revokes
    that were corrected at once (superficial). `points` is None until the hand is complete. `declared` has every active
    player: None if nothing was recorded, not even pass.
    """

    active: tuple[str, str, str]
    cards_each = 25

    def __init__(self, deal: Deal, rules: RuleSet, ledger: Ledger) -> None:
        self.rules = rules
        self.corrected: list[DanishFinding] = []
        self.withdrawn: list[Denial] = []
        self._calls: dict[int, _Call] = {}  # by the numbers of their events
        super().__init__(deal, PACK, ledger)

    def start_play(self) -> None:
        """Begin a new deal: reset all that a redeal wipes out."""
        super().start_play()
        self.points: dict[str, int] | None = None
        self.declared: dict[str, tuple[Combination, ...] | None] = dict.fromkeys(self.active)
        self.tout_announced: str | None = None
        self.barred: frozenset[str] = frozenset()
        self.skat: tuple[str, ...] | None = None
        self.knowledge = Knowledge(pagat_in_skat=self.rules.pagat_in_skat)
        # In order of discovery. What a denial or a declaration brought changes as more comes to light.
        self._found: dict[Hashable, DanishFinding] = {}
        self._callers: set[str] = set()
        self._declarers = False
        # What was declared: (place of the player, player, combination, the cards that may refute it).
        self._made: list[tuple[int, str, Combination, int]] = []
        # What was paid back, and by which event: when the hand is replayed, the same event pays it back again.
        self._returned: dict[tuple[str, Combination], int] = {}

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def findings(self) -> list[DanishFinding]:
        """Every finding so far; open contradictions come last."""
        found = self.seen_for_sure([*self._found.values()])
        open_contradictions = self.knowledge.contradictions
        if self.complete and not self.rules.misdeclaration_fined_late:
            # FINE-4 ruling: "under pagat's rules it is not proposed any more".
            found = [replace(one, fine=0) if one.category == "misdeclaration" else one for one in found]
        if not open_contradictions or self.unseen_tricks:
            return found
        return found + [
            self._finding(
                "REV-3",
                "contradiction",
                None,
                None,
                contradiction.known_at,
                suspects=tuple(self.active[player] for player in contradiction.suspects),
                tricks=tuple(denial.trick for denial in contradiction.denials),
                evidence=tuple(CARDS[denial.card] for denial in contradiction.denials),
                alone=contradiction.alone,
            )
            for contradiction in open_contradictions
        ]

    @property
    def to_declare(self) -> str | None:
        """Whose turn it is to declare or to pass, the dealer first; None once all have, or a card was played."""
        if self.plays or self.abandoned or self.complete:
            return None
        order = (self.active[2], *self.active[:2])
        return next((player for player in order if self.declared[player] is None), None)

    @property
    def fool_may_be_named(self) -> bool:
        """Whether the fool was led to the trick on the table (FOOL-2)."""
        return self.trick is not None and self.trick.plays[0].card == FOOL

    @property
    def unsaid(self) -> Trick | None:
        """The first trick to which a fool was led whose name is not entered, if the name decides who won (FOOL-2).

        Where both others played one suit, any name gives the same winner, and no card of theirs denies a suit.
        """
        answered = {fine.finding for fine in self.fines.values()}
        asked = [
            one for one in self._found.values() if one.kind == "fool_not_named" and one.name not in answered
        ]
        tricks = [self.tricks[one.trick - 1] for one in asked if one.trick]
        return next((one for one in tricks if len({play.card[0] for play in one.plays[1:]}) > 1), None)

    @property
    def fool_may_be_called(self) -> bool:
        """Whether trick 23 is played (FOOL-5)."""
        return 66 <= len(self.plays) <= 68

    @property
    def tout_may_be_announced(self) -> bool:
        """Whether an announced tout may be entered: none is. Late, it still counts from before the lead (DISC-3)."""
        return self.tout_announced is None and self.result is None

    # -- events --------------------------------------------------------------------------------------------

    def declare(self, event: Declared) -> None:
        """A declaration or a pass; each combination is paid at once (PAY-3, DECL-5).

        Another one before the opening lead replaces it (superficial); only the difference is paid.
        """
        self.check_declaration(event)
        if self.plays:
            raise EventError("{player} cannot declare after the opening lead", player=event.player)
        before = self.declared[event.player] or ()
        for combination in before:
            if combination in event.combinations:
                continue
            # What a fine has paid back is not paid back again (FINE-1).
            if self._returned.pop((event.player, combination), None) is None:
                self._pay_back(event.player, combination, self.pay)
        for combination in event.combinations:
            if combination not in before:
                for other in settlement.others(self.active, event.player):
                    self.pay(
                        "PAY-3",
                        "declaration",
                        other,
                        event.player,
                        value_of(combination),
                        combination=combination,
                    )
        self.declared[event.player] = event.combinations
        self._declarers = True
        self._made = [
            (place, player, combination, hangs_on(combination))
            for place, player in enumerate(self.active)
            for combination in self.declared[player] or ()
        ]

    def check_declaration(self, event: Declared) -> None:
        """Raise EventError for an impossible declaration. That of a hand that is over may be entered late."""
        self._must_play(event.player)
        try:
            check_combinations(event.combinations)
        except CombinationError as error:
            raise EventError(error.reason.sentence, **dict(error.reason.values)) from None

    def check_naming(self, event: FoolNamed) -> Trick:
        """The trick to which the fool was led. Raises EventError if none was led, or for an impossible name."""
        self.must_be_active(event.player)
        if event.suit not in SUIT_MASK:
            raise EventError("unknown suit {suit!r}", suit=event.suit)
        trick = self.trick
        if trick is None or not self.fool_may_be_named:
            raise EventError("{player} cannot name the fool: none was led to this trick", player=event.player)
        return trick

    def name_fool(self, event: FoolNamed) -> None:
        """FOOL-2: a player names the suit of the fool that was just led."""
        trick = self.check_naming(event)
        trick.suit = trick.named = event.suit

    def call_fool(self, event: FoolCalled, seq: int) -> None:
        """FOOL-5: a call for the fool in trick 23. It is judged once: plays taken back later do not make it right."""
        if seq not in self._calls:
            self.must_be_active(event.player)
            if not self.fool_may_be_called:
                raise EventError("{player} cannot call for the fool: only in trick 23", player=event.player)
            played = not self.knowledge.unseen & FOOL_BIT and FOOL not in (self.skat or ())
            self._calls[seq] = _Call(wrong=played)
        if self._calls[seq].wrong:
            self._add("FOOL-5", "fool_call_wrong", event.player, 23, self.known_now())
        else:
            self._callers.add(event.player)

    def announce_tout(self, event: ToutAnnounced) -> None:
        """DISC-3: the dealer plays for a Tout, and may have laid the fool for it."""
        self.check_tout(event)
        if self.plays:
            raise EventError("a Tout is announced before the opening lead")
        self.tout_announced = event.player
        if self.rules.fool_in_skat_for_tout:
            self.knowledge.fool_may_be_laid()

    def check_tout(self, event: ToutAnnounced) -> None:
        """Raise EventError for an impossible announcement. That of a hand that is over may be entered late."""
        self._must_play(event.player)
        if event.player != self.dealer:
            raise EventError(
                "{player} cannot announce a Tout: only the dealer, {dealer}, can",
                player=event.player,
                dealer=self.dealer,
            )

    def _must_play(self, player: str) -> None:
        self.must_not_be_abandoned()
        if player not in self.active:
            raise self.not_playing(player)

    def check_fine(self, event: Fined) -> None:
        """Raise EventError for an impossible fine."""
        if event.category not in FINE_CATEGORIES:
            raise EventError("unknown category {category!r}", category=event.category)
        if event.declarations and event.category != "misdeclaration":
            raise EventError("only the fine for a misdeclaration pays declarations back")
        made = self.declared.get(event.player) or ()
        for combination in event.declarations:
            if combination not in made:
                raise EventError(
                    "{player} did not declare {slot} like this",
                    player=event.player,
                    slot=slot_of(combination),
                )

    def fine(self, event: Fined, seq: int, pay: Pay, *, later: bool = False) -> None:
        """A fine for this hand that a person confirmed (FINE-1), and the declarations that it pays back.

        FINE-4 ruling: chips move in the order in which things happen. So `pay` books it now, perhaps in a `later`
        hand. Given after the 75th card it "abandons nothing, bars nobody and moves no payment made before it".
        """
        self.check_fine(event)
        player = event.player
        self.fines[seq] = event
        fined_in = self.number if later else None
        for pot in POTS:
            pay("FINE-1", "fine", player, pot, self.rules.fine(event.category), fined_in=fined_in)
        if event.category != "misdeclaration":
            return
        made = self.declared.get(player) or ()
        # DTF: he pays back all that he got for declarations, and cannot win an ultimo.
        for combination in dict.fromkeys(
            made if self.rules.misdeclaration_returns_all else event.declarations
        ):
            if self._returned.setdefault((player, combination), seq) == seq:
                self._pay_back(player, combination, pay, fined_in)
        if self.rules.misdeclaration_bars_ultimo and not later and not self.complete:
            self.barred |= {player}

    def show_skat(self, event: SkatShown) -> None:
        """The three cards of the skat are shown; none of them can be played any more."""
        cards = event.cards
        PACK.must_have(cards)
        for card in cards:
            if not self.knowledge.unseen >> INDEX[card] & 1:
                raise self.already_seen(card, "skat_played")
        if len(set(cards)) != 3 or len(cards) != 3:
            raise EventError("the skat is three different cards")
        if self.skat is not None:
            raise EventError("the skat was already shown")
        self.skat = cards
        self.gone |= PACK.mask(cards)
        if not self.complete:
            known_at = self.known_now() or (0, 0)
            self._report_denials(self.knowledge.skat_seen(PACK.mask(cards), *known_at))
        self._judge_discard()

    def redeal(self, event: Redealt) -> None:
        """TABLE-3 and TABLE-4: the same dealer deals again; a misdeal costs him 5 to each pot."""
        if event.reason not in ("misdeal", "no_trumps"):
            raise EventError("unknown reason {why!r}: misdeal or no_trumps", why=event.reason)
        self.must_be_before_play()
        if event.reason == "misdeal":
            for pot in POTS:
                self.pay("FINE-1", "fine", self.dealer, pot, self.rules.minor_fine)
        # Payments for declarations made before the redeal stand, as FINE-2 has it for abandoned hands.
        self.start_play()

    def trick_of(self, rule: str) -> int | None:
        """The trick that a payment by `rule` belongs to: only those of PAY-4 and PAY-5 belong to one."""
        return len(self.tricks) or None if rule in ("PAY-4", "PAY-5") else None

    def kept_cards(self, trick: int) -> frozenset[str]:
        """FOOL-6: before the last trick the fool stays in the pile of the player who played it."""
        return frozenset({FOOL}) if trick < 25 else frozenset()

    def pay_start(self, founded: bool) -> None:
        """PAY-2, and PAY-1 if the pots were not founded yet."""
        if not founded:
            settlement.found_pots(self.pay, self.rules, self.seats, self.ledger.pots)
        for pot in POTS:
            self.pay("PAY-2", "deal", self.dealer, pot, self.rules.deal)

    # -- going back ----------------------------------------------------------------------------------------

    def taken_back(self, count: int) -> Entries:
        """The entries before the last `count` plays. If one of those plays was the fool, its name goes as well."""
        standing = super().taken_back(count)
        led = next((play.seq for play in self.plays[-count:] if play.card == FOOL), None)
        if led is None:
            return standing
        lead = next(place for place, (_, seq) in enumerate(self.entries) if seq == led)
        named_later = {seq for event, seq in self.entries[lead:] if event.names_fool}
        return [(event, seq) for event, seq in standing if seq not in named_later]

    def remember(self, before: Hand) -> None:
        """Calls for the fool stay as they were judged."""
        assert isinstance(before, DanishHand)
        super().remember(before)
        self._calls = before._calls

    def written(self) -> Entries:
        """A call was judged with the plays before it. Those that were taken back later stand in the file, too."""
        written: Entries = []
        for event, seq in self.entries:
            gone = self._calls[seq].gone if isinstance(event, FoolCalled) else []
            written += [*gone, (event, seq), *([(PlaysTakenBack(len(gone)), seq)] if gone else [])]
        return written

    def resume(self, before: Hand) -> None:
        """Plays were taken back. A denial among them may have been a revoke, which is then corrected at once."""
        assert isinstance(before, DanishHand)
        if self.result is not None:
            return
        self.corrected = before.corrected
        denied = [denial for denial in before.knowledge.denials if denial.play > len(self.plays)]
        self.withdrawn = before.withdrawn + denied
        standing = {play.seq for play in self.plays}
        for place, (event, seq) in enumerate(before.entries):
            if isinstance(event, FoolCalled):
                plays = [one for one in before.entries[:place] if isinstance(one[0], CardPlayed)]
                call = self._calls[seq]
                call.gone = [one for one in plays if one[1] not in standing] + call.gone

    # -- the play ------------------------------------------------------------------------------------------

    def check_name(self, event: CardPlayed) -> None:
        """Raise EventError unless the card is a fool that is led, and a suit is named (FOOL-2)."""
        if event.named not in SUIT_MASK:
            raise EventError("unknown suit {suit!r}", suit=event.named)
        if self.trick is not None or event.card != FOOL:
            raise EventError("only a fool that is led is named, not {card}", card=event.card)

    def follow(self, trick: Trick, letter: str, event: CardPlayed) -> int:
        """What a card denies (PLAY-1, FOOL-1). Reports a fool led without a name (FOOLX)."""
        suit = trick.suit
        if letter == suit:
            return 0
        position = len(trick.plays)
        if position == 0:
            trick.suit = event.named if letter == FOOL else letter  # FOOL-2
            trick.named = event.named
            return 0
        if suit is None:
            # "A fool led without a name takes the suit of the next card." Perhaps the name was only not entered.
            trick.suit = letter
            known_at = (trick.number, len(self.plays) + 1)
            self._add("FOOL-2", "fool_not_named", trick.leader, trick.number, known_at, wants="answer")
            return 0
        if letter == FOOL:
            return 0
        denied = PACK.denied(suit, letter)
        # FOOL-3: a trump leaves the name standing.
        if letter != TRUMP and position == 2 and trick.named:
            denied |= self._named_by_second_card(trick, letter)
        return denied

    def _named_by_second_card(self, trick: Trick, letter: str) -> int:
        """FOOL-3: third hand has just played off the suit named, and no trump.

        If second hand did the same, second hand's card names the suit. Returns what third hand then denies besides.
        """
        second = trick.plays[1].card[0]
        if second in (TRUMP, trick.suit):
            return 0
        trick.suit = second
        return 0 if letter == second else SUIT_MASK[second]

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """ORDER: a card or a lead out of turn."""
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        self._add("ORDER", kind, play.player, trick.number, (trick.number, play.number), card=play.card)

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """Judge what the card shows: revokes, the fool, declarations."""
        number = len(self.plays)
        bit = 1 << place
        if self.withdrawn:
            self._note_corrected(local, bit, trick.number, number)
        changed = self.knowledge.play(local, place, denied, led, trick.number, number)
        if changed:
            self._report_denials(changed)
        if bit == FOOL_BIT:
            self._fool_played(self.active[local], trick.number, number)
        if self.skat is not None and local == DEALER and bit & TRUMP_MASK:
            self._judge_discard()  # DISC-4: he kept a trump
        if self._declarers and bit & DECLARABLE:
            self._judge_declarations_early(local, bit, SUIT_LETTER[place])

    def trick_won(self, trick: Trick, winner: int) -> None:
        """PLAY-2 by the ranks of CARD-1; the winner leads next (TABLE-5). Pays PAY-4, or ends the hand."""
        if trick.number == self.cards_each:
            self._finish_hand(trick)
        elif trick.cards & _ULTIMO_MASK:
            plays = sorted(trick.plays, key=lambda play: self._local[play.player])
            pairs = [(play.player, play.card) for play in plays]
            settlement.pay_trick(self.pay, self.rules, self.active, pairs, self.active[winner])

    def _piles(self) -> list[int]:
        """The card points that each player won (CARD-3)."""
        won = [0, 0, 0]
        for trick in self.tricks:
            assert trick.winner is not None
            won[self._local[trick.winner]] |= trick.cards
            if trick.cards & FOOL_BIT and trick.number < 25:
                # FOOL-6: before the last trick the fool stays in the pile of the player who played it.
                owner = next(play.player for play in trick.plays if play.card == FOOL)
                won[self._local[trick.winner]] ^= FOOL_BIT
                won[self._local[owner]] |= FOOL_BIT
        return [PACK.value(cards) for cards in won]

    def _finish_hand(self, trick: Trick) -> None:
        self.complete = True
        self.close_gaps()
        if self.unseen_tricks:
            self._finish_unseen(trick)
            return
        unseen = self.knowledge.unseen if self.skat is None else PACK.mask(self.skat)
        self._judge_declarations(unseen)
        self._judge_discard()
        dealer_pile = PACK.value(unseen) + 1  # CARD-3: the skat counts 1
        piles = self._piles()
        self.points = {
            player: piles[place] + self.tricks_won[player] + (dealer_pile if place == DEALER else 0)
            for place, player in enumerate(self.active)
        }
        assert sum(self.points.values()) == 78, self.points
        self._pay_last_trick(trick, failed_tout=self._missed_tout and bool(unseen & FOOL_BIT))

    def _finish_unseen(self, trick: Trick) -> None:
        """End a hand of which cards are unknown. It pays what the known cards decide, and counts no points."""
        laid = FOOL in (self.skat or ())
        unknown = self.skat is None and not self.gone & FOOL_BIT
        self._pay_last_trick(
            trick,
            failed_tout=self._missed_tout and laid,
            # Whether he laid the fool is unknown, and with it whether an ultimo is won.
            maybe_failed=self._missed_tout and unknown,
        )

    @property
    def _missed_tout(self) -> bool:
        """Whether the dealer, who may lay the fool for a Tout, announced one and did not make it."""
        announced = self.tout_announced is not None and self.rules.fool_in_skat_for_tout
        return announced and self.tricks_won[self.dealer] < 25

    def _pay_last_trick(self, trick: Trick, *, failed_tout: bool, maybe_failed: bool = False) -> None:
        plays = [(play.player, play.card) for play in trick.plays]
        tout, nolo = settlement.tout_and_nolo(self.tricks_won)
        self._pay_end(
            plays,
            trick.winner,
            tout,
            nolo,
            failed_tout=failed_tout,
            unknown=bool(trick.unseen),
            maybe_failed=maybe_failed,
        )

    def _pay_end(
        self,
        plays: Sequence[tuple[str, str]],
        winner: str | None,
        tout: str | None,
        nolo: str | None,
        *,
        failed_tout: bool,
        unknown: bool = False,
        maybe_failed: bool = False,
    ) -> None:
        """PAY-5 to PAY-7; trick 25 and the hand as `settlement.LastTrick` has them."""
        last = settlement.LastTrick(
            plays,
            winner,
            tout,
            nolo,
            original=dict(self.ledger.pots),
            failed_tout=self.dealer if failed_tout else None,
            barred=self.barred,
            unknown=unknown,
            maybe_failed=maybe_failed,
        )
        settlement.pay_last_trick(self.pay, self.rules, self.active, last)
        settlement.found_pots(self.pay, self.rules, self.seats, self.ledger.pots)
        if self.rules.count and nolo is None and self.points is not None:
            settlement.pay_count(self.pay, self.points, self.next_dealer, self.dealer)

    def settle(self, result: ResultEntered) -> None:
        """The hand by its `result`: PAY-3 to PAY-7, as if its cards had been seen."""
        check_result(result, self.active, self.rules)
        declared = [Declared(player, combinations) for player, combinations in result.declarations]
        for event in declared:
            self.check_declaration(event)
        for event in declared:
            self.declare(event)
        for player in self.active:
            for card in [card for loser, card in result.lost if loser == player]:
                settlement.pay_lost(self.pay, self.rules, self.active, player, card)
        if result.pagat_won is not None:
            settlement.pay_pagat_won(self.pay, self.rules, self.active, result.pagat_won)
        self.points = result.all_points(self.active)
        winner = result.tout or result.winner
        failed = result.fool_in_skat and result.tout != self.dealer
        self._pay_end(result.last, winner, result.tout, result.nolo, failed_tout=failed)

    # -- findings ------------------------------------------------------------------------------------------

    def _fool_played(self, player: str, trick: int, number: int) -> None:
        """FOOLX: the fool in trick 24, or kept back when it was called for."""
        if trick == 24:
            self._add("FOOL-4", "fool_second_to_last", player, 24, (24, number), card="F")
        if player in self._callers:
            # FOOL-5: only a player who does not hold the fool may call for it.
            self._add("FOOL-5", "fool_call_wrong", player, 23, (trick, number), evidence=("F",))
        if trick > 23 and self._callers - {player}:
            self._add("FOOL-5", "fool_call_refused", player, 23, (trick, number), evidence=("F",))

    def _note_corrected(self, local: int, bit: int, trick: int, number: int) -> None:
        """A play was taken back. If its player now plays what it denied, it was a revoke that was corrected at once.

        Such a revoke is superficial (FINE-1).
        """
        place = bit.bit_length() - 1
        for denial in self.withdrawn:
            if denial.player == local and denial.trick == trick and denial.mask & bit:
                self.corrected.append(
                    DanishFinding(
                        "PLAY-1",
                        "revoke",
                        self.active[local],
                        trick,
                        0,
                        (trick, number),
                        category="superficial",
                        card=CARDS[denial.card],
                        status="corrected",
                        evidence=(CARDS[place],),
                        evidence_tricks=(trick,),
                        suit=_suit_denied(denial, [place]),
                    )
                )
        self.withdrawn = [denial for denial in self.withdrawn if denial.player != local]

    def _report_denials(self, changed: list[Denial]) -> None:
        for denial in changed:
            finding = self._finding(
                "PLAY-1",
                "revoke",
                self.active[denial.player],
                denial.trick,
                denial.known_at,
                card=CARDS[denial.card],
                status=denial.status,
                suit=_suit_denied(denial, [place for place, _ in denial.evidence]),
                evidence=tuple(CARDS[place] for place, _ in denial.evidence),
                evidence_tricks=tuple(trick for _, trick in denial.evidence),
            )
            self._found[denial] = finding

    def _judge_declarations_early(self, local: int, bit: int, letter: str) -> None:
        """DECLX as soon as it is certain, by the card `bit` that the player `local` just played.

        A hand that owes a combination may still hold more of it. So what is owed is only said at the end.
        """
        shown = self.shown
        player = self.active[local]
        declared = self.declared[player]
        if declared is not None and may_complete(shown[local], bit, letter):
            made = {slot_of(combination) for combination in declared}
            for slot in owed(shown[local]):
                if slot not in made:
                    self._report_declaration("declaration_missing", player, slot)
        for holder, name, combination, cards in self._made:
            if cards & bit:
                could = shown[holder] | self.knowledge.unseen | PACK.mask(self.skat or ())
                if refuted(combination, shown[holder], could):
                    self._report_declaration("declaration_false", name, slot_of(combination), combination)

    def _judge_declarations(self, skat: int) -> None:
        """DECLX at the end of the hand, slot by slot, by the hands as they were dealt."""
        for local, player in enumerate(self.active):
            declared = self.declared[player]
            if declared is None:
                continue  # "A player of whom nothing was recorded, not even pass, is not checked."
            # "The dealer owes what his 25 kept cards hold; what his 28 held is not false (DISC-5)."
            kept = owed(self.shown[local])
            held = owed(self.shown[local] | skat) if local == DEALER else kept
            made = {slot_of(combination): combination for combination in declared}
            for slot, combination in kept.items():
                if slot not in made:
                    self._report_declaration("declaration_missing", player, slot, owing=combination)
            for slot, combination in made.items():
                if combination not in (kept.get(slot), held.get(slot)):
                    self._report_declaration("declaration_false", player, slot, combination, kept.get(slot))

    def _report_declaration(
        self,
        kind: str,
        player: str,
        slot: str,
        made: Combination | None = None,
        owing: Combination | None = None,
    ) -> None:
        """What is certain now, once. What was held instead is added when it is known."""
        key = kind, player, slot
        before = self._found.get(key)
        finding = before or self._finding("DECLX", kind, player, None, self.known_now(), slot=slot, made=made)
        self._found[key] = replace(finding, owed=owing)

    def _judge_discard(self) -> None:
        """DISCX: DISC-1 to DISC-4, by the skat that was shown, or else the three cards never seen."""
        skat = PACK.mask(self.skat) if self.skat is not None else self.knowledge.unseen
        faults: list[tuple[str, str, int]] = [("DISC-1", "bad_discard", skat & (KING_MASK | MONDO_BIT))]
        if not self.rules.pagat_in_skat:
            faults.append(("DISC-2", "bad_discard", skat & PAGAT_BIT))
        if not (self.tout_announced and self.rules.fool_in_skat_for_tout):
            faults.append(("DISC-3", "fool_discarded", skat & FOOL_BIT))
        if self.shown[DEALER] & TRUMP_MASK:
            # T21 is reported under DISC-1 already, and T1 under DISC-2 where it may never be laid.
            named_elsewhere = MONDO_BIT | (0 if self.rules.pagat_in_skat else PAGAT_BIT)
            faults.append(("DISC-4", "bad_discard", skat & TRUMP_MASK & ~named_elsewhere))
        for rule, kind, cards in faults:
            if cards and rule not in self._found:
                laid = tuple(PACK.names(cards))
                found = self._finding(rule, kind, self.dealer, None, self.known_now(), evidence=laid)
                self._found[rule] = found

    # -- small helpers -------------------------------------------------------------------------------------

    def _finding(
        self,
        rule: str,
        kind: str,
        player: str | None,
        trick: int | None,
        known_at: tuple[int, int] | None,
        **proof: object,
    ) -> DanishFinding:
        category = CATEGORY_OF[kind] if kind != "play_out_of_turn" else self.rules.early_play
        fine = self.rules.fine(category)
        return DanishFinding(rule, kind, player, trick, fine, known_at, category=category, **proof)  # type: ignore[arg-type]

    def _add(
        self,
        rule: str,
        kind: str,
        player: str | None,
        trick: int | None,
        known_at: tuple[int, int] | None,
        **proof: object,
    ) -> None:
        found = self._finding(rule, kind, player, trick, known_at, **proof)
        self._found[found] = found

    def _pay_back(self, player: str, combination: Combination, pay: Pay, fined_in: int | None = None) -> None:
        for other in settlement.others(self.active, player):
            pay(
                "FINE-1",
                "declaration_returned",
                player,
                other,
                value_of(combination),
                combination=combination,
                fined_in=fined_in,
            )

    def seen_aside(self, card: str) -> EventError:
        """The error for a `card` that lies in a skat that was shown."""
        return EventError("{card} lies in the skat", card=card)


def _suit_denied(denial: Denial, shown: Sequence[int]) -> str:
    """The suit led that `denial` denied, where the cards in the places `shown` came after all.

    FOOL-3: third hand may deny two, the name of the fool and the suit of second hand's card.
    """
    return next((SUIT_LETTER[place] for place in shown if SUIT_LETTER[place] != TRUMP), denial.suit)
