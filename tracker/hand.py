"""One hand of 25 tricks, folded play by play: order, the fool, payments and findings.

What happened is recorded, legal or not; breaches are found in the history (`findings`), and only what
cannot have happened at all is refused (EventError).
"""

from dataclasses import replace
from typing import Final, NamedTuple, Unpack

from tracker import settlement
from tracker.cards import (
    CARDS,
    FOOL_BIT,
    INDEX,
    KING_MASK,
    PAGAT,
    POINTS,
    SUIT_LETTER,
    SUIT_MASK,
    SUITS,
    TRUMP,
    TRUMP_MASK,
    mask,
    names,
)
from tracker.declarations import (
    DECLARABLE,
    CombinationError,
    check_combinations,
    may_owe,
    owed,
    refuted,
    slot_of,
    value_of,
)
from tracker.errors import EventError
from tracker.events import (
    CardPlayed,
    Combination,
    Declared,
    Event,
    Fined,
    FoolCalled,
    FoolNamed,
    HandAbandoned,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.findings import Alert, Finding
from tracker.knowledge import DEALER, Denial, Knowledge
from tracker.ledger import About, Ledger, Payment
from tracker.rulesets import FINE_CATEGORIES, RuleSet


class Play(NamedTuple):
    """One card on the table; `alternatives` mark a doubtful reading, `number` counts the hand's plays."""

    player: str
    card: str
    seq: int
    alternatives: tuple[str, ...]
    number: int


class Gap(NamedTuple):
    """Plays may be missing from the trick numbered `trick` on, as the stored event `seq` says (Unwatched)."""

    seq: int
    trick: int


class Trick:
    """Up to three plays; `suit` is the suit led in the end (FOOL-3), None while a led fool has no name."""

    __slots__ = ("leader", "named", "number", "plays", "suit", "winner")

    def __init__(self, number: int) -> None:
        self.number = number
        self.leader: str | None = None
        self.suit: str | None = None
        self.named: str | None = None  # what a led fool was named, before FOOL-3 named it by a card
        self.plays: list[Play] = []
        self.winner: str | None = None


# What a card off the suit led denies: that suit, and trumps too unless the card is one.
_DENIED_BY_TRUMP: Final = SUIT_MASK
_DENIED_BY_PLAIN: Final = {suit: SUIT_MASK[suit] | TRUMP_MASK for suit in (*SUITS, TRUMP)}
_ULTIMO_MASK: Final = KING_MASK | 1 << INDEX[PAGAT]
_PAGAT_BIT: Final = 1 << INDEX[PAGAT]
_MONDO_BIT: Final = 1 << INDEX["T21"]
CATEGORY_OF: Final = {
    "revoke": "irrecoverable",
    "contradiction": "irrecoverable",
    # The sources name no category for a fool in trick 24, for one kept back when called or for one led
    # without a name. Ours: play goes on, so the first two are major; a missing name can be given at once.
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
"""The category that each kind of finding is proposed to be fined as; a card before one's turn has the rule set's."""


class Hand:
    """The fold of one hand. Read its attributes; only the session applies events to it.

    `active` are the three players in order of play from forehand, so the dealer is the last. `findings` and
    `alerts` are in order of discovery; `corrected` are revokes that were put right at once (superficial).
    `gaps` are the times that nobody watched and that nobody has settled; what is found may rest on them.
    `seats` are all who sat at the table; `fines` those given for this hand, then or later. `points` is None until
    the hand is complete. `declared` has every active player, None where nothing was recorded (not even pass).
    """

    def __init__(
        self,
        number: int,
        dealer: str,
        active: tuple[str, str, str],
        sits_out: tuple[str, ...],
        next_dealer: str,
        seats: tuple[str, ...],
        rules: RuleSet,
        ledger: Ledger,
    ) -> None:
        self.number = number
        self.dealer = dealer
        self.active = active
        self.sits_out = sits_out
        self.next_dealer = next_dealer
        self.rules = rules
        self.payments: list[Payment] = []
        self.alerts: list[Alert] = []
        self.corrected: list[Finding] = []
        self.withdrawn: list[Denial] = []
        self.entries: list[tuple[Event, int]] = []
        self.fines: dict[int, Fined] = {}  # by their numbers
        self.seats = seats
        self._ledger = ledger
        self._local = {player: place for place, player in enumerate(active)}
        self._deal()

    def _deal(self) -> None:
        """Everything that a redeal wipes out."""
        self.tricks: list[Trick] = []
        self.plays: list[Play] = []
        self.gaps: list[Gap] = []
        self.complete = False
        self.abandoned = False
        self.points: dict[str, int] | None = None
        self.declared: dict[str, tuple[Combination, ...] | None] = dict.fromkeys(self.active)
        self.tricks_won: dict[str, int] = dict.fromkeys(self.active, 0)
        self.tout_announced: str | None = None
        self.barred: frozenset[str] = frozenset()
        self.skat: tuple[str, ...] | None = None
        self.knowledge = Knowledge(pagat_in_skat=self.rules.pagat_in_skat, fool_in_skat=False)
        self._findings: list[Finding] = []
        self._finding_of: dict[Denial, int] = {}
        self._reported: set[tuple[str, str, str | None]] = set()
        self._turn = 0
        self._in_trick = 0  # bit set of the active players who have a card in the current trick
        self._played = [0, 0, 0]
        self._pile = [0, 0, 0]  # card points won (CARD-3)
        self._called_by: str | None = None
        self._declarers = False
        self._made: list[tuple[int, str, Combination]] = []
        # What was paid back, and by which event: that one pays again when the hand it stands in is replayed.
        self._returned: dict[tuple[str, Combination], int] = {}
        self.wrong_calls: set[int] = set()  # the numbers of calls for a fool that lay already

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def findings(self) -> list[Finding]:
        """Every finding so far, contradictions that are still open last."""
        open_contradictions = self.knowledge.contradictions
        if not open_contradictions:
            return self._findings
        return self._findings + [
            self._finding(
                "REV-3",
                "contradiction",
                None,
                None,
                contradiction.known_at,
                suspects=tuple(self.active[player] for player in contradiction.suspects),
                tricks=tuple(denial.trick for denial in contradiction.denials),
                evidence=tuple(CARDS[denial.card] for denial in contradiction.denials),
            )
            for contradiction in open_contradictions
        ]

    @property
    def to_play(self) -> str | None:
        """Whose turn it is, going round counter-clockwise (TABLE-1); None when the hand is over."""
        return None if self.complete or self.abandoned else self.active[self._turn]

    @property
    def trick(self) -> Trick | None:
        """The trick on the table, None between two tricks."""
        return self.tricks[-1] if self.tricks and self._in_trick else None

    def cards_shown(self, place: int) -> int:
        """The cards played by `active[place]`, as a bit mask."""
        return self._played[place]

    # -- events --------------------------------------------------------------------------------------------

    def declare(self, event: Declared, seq: int) -> None:
        """A declaration or a pass; each combination is paid at once (PAY-3, DECL-5).

        One more before the opening lead replaces it.
        """
        self.check_declaration(event)
        if self.plays:
            raise EventError("{player} cannot declare after the opening lead", player=event.player)
        before = self.declared[event.player] or ()
        # A declaration can be put right before the opening lead (superficial): only the difference is paid.
        for combination in before:
            if combination not in event.combinations:
                self._pay_back(event.player, combination, self.pay)
        for combination in event.combinations:
            if combination not in before:
                for other in self._others(event.player):
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
            (place, player, combination)
            for place, player in enumerate(self.active)
            for combination in self.declared[player] or ()
        ]

    def check_declaration(self, event: Declared) -> None:
        """Raise EventError for a declaration that cannot be."""
        self._must_be_active(event.player)
        try:
            check_combinations(event.combinations)
        except CombinationError as error:
            raise EventError(error.reason.sentence, **dict(error.reason.values)) from None

    def play(self, event: CardPlayed, seq: int) -> None:
        """A card: recorded as it fell, judged against the suit led, and the trick settled with its third.

        PLAY-1 and FOOL-1 say what a card denies, ORDER whose turn it was, FOOLX how a led fool goes wrong.
        """
        player, card = event.player, event.card
        place = INDEX.get(card)
        local = self._local.get(player)
        knowledge = self.knowledge
        if place is None or local is None or self.complete or self.abandoned:
            raise self._unplayable(player, card)
        bit = 1 << place
        if not bit & knowledge.unseen:
            raise self._unplayable(player, card)
        before = self._in_trick
        if before >> local & 1:
            raise EventError(
                "{player} already has a card in trick {trick}",
                "too_many_cards",
                player=player,
                trick=len(self.tricks),
            )
        letter = SUIT_LETTER[place]
        named = event.named
        if named is not None and (before or letter != "F" or named not in SUIT_MASK):
            if named not in SUIT_MASK:
                raise EventError("unknown suit {suit!r}", suit=named)
            raise EventError("only a fool that is led is named, not {card}", card=card)

        number = len(self.plays) + 1
        if before:
            trick = self.tricks[-1]
        else:
            trick = Trick(len(self.tricks) + 1)
            self.tricks.append(trick)
            trick.leader = player
        if local != self._turn:
            self._out_of_turn(player, trick, number, card)
        play = Play(player, card, seq, event.alternatives, number)
        position = len(trick.plays)
        trick.plays.append(play)
        self.plays.append(play)
        self._played[local] |= bit

        denied = 0
        suit = trick.suit
        if position == 0:
            trick.suit = suit = named if letter == "F" else letter  # FOOL-2
            trick.named = named
        elif suit is None:
            # "A fool led without a name takes the suit of the next card." Till then it could still be named.
            trick.suit = suit = letter
            self._add("FOOL-2", "fool_not_named", trick.leader, trick.number, (trick.number, number))
        elif letter != suit and letter != "F":
            if letter == "T":
                denied = _DENIED_BY_TRUMP[suit]
            else:
                denied = _DENIED_BY_PLAIN[suit]
                if position == 2 and trick.named:
                    denied |= self._named_by_second_card(trick, letter)
        if self.withdrawn:
            self._note_corrected(local, bit, trick.number, number)
        changed = knowledge.play(local, place, denied, suit or "", trick.number, number)
        if changed:
            self._report_denials(changed)
        if letter == "F":
            self._fool_played(player, trick.number, number)
        if self._declarers and bit & DECLARABLE:
            self._judge_declarations_early(local, letter, (trick.number, number))
        if position == 2:
            self._finish_trick(trick)
        else:
            self._in_trick = before | 1 << local
            following = local + 1 if local < 2 else 0
            if self._in_trick >> following & 1:
                following = following + 1 if following < 2 else 0
            self._turn = following

    def name_fool(self, event: FoolNamed) -> bool:
        """Whether the naming can be taken at once; False where a card lies on the fool already.

        A later naming counts from the lead on, so the session replays the hand with it in its place.
        """
        self._must_be_active(event.player)
        if event.suit not in SUIT_MASK:
            raise EventError("unknown suit {suit!r}", suit=event.suit)
        trick = self.trick
        if trick is None or trick.plays[0].card != "F":
            raise EventError("{player} cannot name the fool: none was led to this trick", player=event.player)
        if len(trick.plays) > 1:
            return False
        trick.suit = trick.named = event.suit
        return True

    def call_fool(self, event: FoolCalled, seq: int) -> None:
        """FOOL-5: a call for the fool in trick 23."""
        self._must_be_active(event.player)
        if not 66 <= len(self.plays) <= 68:
            raise EventError("{player} cannot call for the fool: only in trick 23", player=event.player)
        wrong = not self.knowledge.unseen & FOOL_BIT and "F" not in (self.skat or ())
        if wrong:
            self.wrong_calls.add(seq)
        self.call_again(event, wrong)

    def call_again(self, event: FoolCalled, wrong: bool) -> None:
        """A call that was judged when it was made: what is taken back later does not make it right."""
        if wrong:
            self._add("FOOL-5", "fool_call_wrong", event.player, 23, self._known_now())
        else:
            self._called_by = event.player

    def announce_tout(self, event: ToutAnnounced) -> None:
        """DISC-3: the dealer plays for Tout, and may have laid the fool for it."""
        self.check_tout(event)
        if self.plays:
            raise EventError("a Tout is announced before the opening lead")
        self.tout_announced = event.player
        if self.rules.fool_in_skat_for_tout:
            self.knowledge.fool_may_be_laid()

    def check_tout(self, event: ToutAnnounced) -> None:
        """Raise EventError for an announcement that cannot be."""
        self._must_be_active(event.player)
        if event.player != self.dealer:
            raise EventError(
                "{player} cannot announce a Tout: only the dealer, {dealer}, can",
                player=event.player,
                dealer=self.dealer,
            )

    def check_fine(self, event: Fined) -> None:
        """Raise EventError for a fine that cannot be."""
        if event.player not in self.seats:
            raise EventError("{player} is not seated", player=event.player)
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

    def fine(self, event: Fined, seq: int, pay: settlement.Pay, *, later: bool = False) -> None:
        """A fine for this hand that a person confirmed (FINE-1), and the declarations that it pays back.

        FINE-4 ruling: chips move in the order in which things happen. So `pay` books it where it stands, perhaps
        `later` than this hand, and given after the 75th card it "abandons nothing, bars nobody and moves no
        payment made before it".
        """
        self.check_fine(event)
        player = event.player
        self.fines[seq] = event
        fined_in = self.number if later else None
        for pot in ("king", "pagat"):
            pay("FINE-1", "fine", player, pot, self.rules.fine(event.category), fined_in=fined_in)
        if event.category != "misdeclaration":
            return
        made = self.declared.get(player) or ()
        # DTF: all that he received for declarations goes back, and he cannot win an ultimo.
        for combination in dict.fromkeys(
            made if self.rules.misdeclaration_returns_all else event.declarations
        ):
            if self._returned.setdefault((player, combination), seq) == seq:
                self._pay_back(player, combination, pay, fined_in)
        if self.rules.misdeclaration_bars_ultimo and not later and not self.complete:
            self.barred |= {player}

    def show_skat(self, event: SkatShown) -> None:
        """The skat's three cards, face up: none of them can be played any more."""
        cards = event.cards
        for card in cards:
            if card not in INDEX:
                raise EventError("unknown card {card!r}", card=card)
            if not self.knowledge.unseen >> INDEX[card] & 1:
                raise self._seen(card, "skat_played")
        if len(set(cards)) != 3 or len(cards) != 3:
            raise EventError("the skat is three different cards")
        if self.skat is not None:
            raise EventError("the skat was already shown")
        self.skat = cards
        if not self.complete:
            self.knowledge.skat_seen(mask(cards))
        self._judge_discard(self._known_now())

    def redeal(self, event: Redealt) -> None:
        """TABLE-3 and TABLE-4: the same dealer deals again; a misdeal costs him 5 to each pot."""
        if event.reason not in ("misdeal", "no_trumps"):
            raise EventError("unknown reason {why!r}: misdeal or no_trumps", why=event.reason)
        if self.plays:
            raise EventError("a hand cannot be dealt again after the opening lead")
        if event.reason == "misdeal":
            for pot in ("king", "pagat"):
                self.pay("FINE-1", "fine", self.dealer, pot, self.rules.minor_fine)
        # Payments for declarations made before the redeal stand, as FINE-2 has it for abandoned hands.
        self._deal()

    def note_gap(self, seq: int) -> None:
        """Plays may be missing from now on: from the trick on the table, or from the next one."""
        if self.complete or self.abandoned:
            raise EventError("no hand is under way")
        self.gaps.append(Gap(seq, len(self.tricks) if self.trick else len(self.tricks) + 1))

    def abandon(self, event: HandAbandoned) -> None:
        """FINE-2: payments made stand, no trick 25 and no count."""
        if self.complete:
            raise EventError("the hand is already over")
        self.abandoned = True

    def pay(
        self, rule: str, reason: str, source: str, target: str, amount: int, **about: Unpack[About]
    ) -> None:
        """Book a payment in this hand; an amount of 0 is none."""
        trick = len(self.tricks) or None if rule in ("PAY-4", "PAY-5") else None
        payment = Payment(rule, reason, source, target, amount, self.number, trick, **about)
        self._ledger.book(payment, self.payments)

    def pay_start(self, founded: bool) -> None:
        """PAY-1 at the start of the evening, and PAY-2."""
        if not founded:
            settlement.found_pots(self.pay, self.rules, self.seats, self._ledger.pots)
        for pot in ("king", "pagat"):
            self.pay("PAY-2", "deal", self.dealer, pot, self.rules.deal)

    # -- the play ------------------------------------------------------------------------------------------

    def _named_by_second_card(self, trick: Trick, letter: str) -> int:
        """FOOL-3: the third hand, too, shows out of the name without a trump.

        If second hand did as well, his card names the suit: returns what the third hand denies beside.
        """
        second = trick.plays[1].card[0]
        if second in ("T", trick.suit):
            return 0
        trick.suit = second
        return 0 if letter == second else SUIT_MASK[second]

    def _finish_trick(self, trick: Trick) -> None:
        """PLAY-2 and TABLE-5: who won and leads next; FOOL-6: whose pile the fool goes to; then PAY-4."""
        plays = trick.plays
        suit = trick.suit
        best = -1
        points = 0
        bits = 0
        winner = 0
        for play in plays:
            place = INDEX[play.card]
            letter = SUIT_LETTER[place]
            bits |= 1 << place
            points += POINTS[place]
            # CARD-1: within a suit a higher card has a higher place in CARDS, and trumps have the highest.
            if place > best and (letter == suit or letter == "T"):
                best = place
                winner = self._local[play.player]
        trick.winner = name = self.active[winner]
        self.tricks_won[name] += 1
        self._pile[winner] += points
        self._in_trick = 0
        self._turn = winner
        if bits & FOOL_BIT and trick.number < 25:
            # FOOL-6: it stays in the pile of the player who played it.
            owner = next(self._local[play.player] for play in plays if play.card == "F")
            self._pile[winner] -= 4
            self._pile[owner] += 4
        if trick.number == 25:
            self._finish_hand(trick)
        elif bits & _ULTIMO_MASK:
            pairs = [(play.player, play.card) for play in sorted(plays, key=self._place_of)]
            settlement.pay_trick(self.pay, self.rules, pairs, name)

    def _place_of(self, play: Play) -> int:
        return self._local[play.player]

    def _finish_hand(self, trick: Trick) -> None:
        self.complete = True
        if not any(play.alternatives for play in self.plays) and not any(a.card for a in self.alerts):
            self.gaps.clear()  # all 75 cards were seen: none is missing
        unseen = self.knowledge.unseen if self.skat is None else mask(self.skat)
        if not self.rules.misdeclaration_fined_late:
            self._findings = [
                replace(finding, fine=0) if finding.category == "misdeclaration" else finding
                for finding in self._findings
            ]
        self._judge_declarations(unseen)
        self._judge_discard((25, 75))
        dealer_pile = sum(POINTS[INDEX[card]] for card in names(unseen)) + 1  # CARD-3: the skat counts 1
        self.points = {
            player: self._pile[place] + self.tricks_won[player] + (dealer_pile if place == DEALER else 0)
            for place, player in enumerate(self.active)
        }
        assert sum(self.points.values()) == 78, self.points
        assert trick.winner is not None
        failed = (
            self.tout_announced is not None
            and bool(unseen & FOOL_BIT)
            and self.rules.fool_in_skat_for_tout
            and self.tricks_won[self.dealer] < 25
        )
        last = settlement.LastTrick(
            plays=[(play.player, play.card) for play in trick.plays],
            winner=trick.winner,
            tricks_won=self.tricks_won,
            original=dict(self._ledger.pots),
            failed_tout=self.dealer if failed else None,
            barred=self.barred,
        )
        nolo = settlement.pay_last_trick(self.pay, self.rules, self.active, last)
        settlement.found_pots(self.pay, self.rules, self.seats, self._ledger.pots)
        if self.rules.count and not nolo:
            settlement.pay_count(self.pay, self.points, self.next_dealer, self.dealer)

    # -- findings ------------------------------------------------------------------------------------------

    def _out_of_turn(self, player: str, trick: Trick, number: int, card: str) -> None:
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        self._add("ORDER", kind, player, trick.number, (trick.number, number), card=card)

    def _fool_played(self, player: str, trick: int, number: int) -> None:
        """FOOLX: the fool in trick 24, or later than it was called for."""
        if trick == 24:
            self._add("FOOL-4", "fool_second_to_last", player, 24, (24, number), card="F")
        if self._called_by == player:
            # FOOL-5: only a player who does not hold the fool may call for it.
            self._add("FOOL-5", "fool_call_wrong", player, 23, (trick, number), evidence=("F",))
        elif self._called_by is not None and trick > 23:
            self._add("FOOL-5", "fool_call_refused", player, 23, (trick, number), evidence=("F",))

    def _note_corrected(self, local: int, bit: int, trick: int, number: int) -> None:
        """A play was taken back; if its player now plays what it denied, it was a revoke put right at once.

        That is superficial (FINE-1).
        """
        for denial in self.withdrawn:
            if denial.player == local and denial.trick == trick and denial.mask & bit:
                self.corrected.append(
                    Finding(
                        "PLAY-1",
                        "revoke",
                        self.active[local],
                        trick,
                        "superficial",
                        0,
                        (trick, number),
                        card=CARDS[denial.card],
                        status="corrected",
                        evidence=(CARDS[bit.bit_length() - 1],),
                        evidence_tricks=(trick,),
                        suit=denial.suit,
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
                suit=denial.suit,
                evidence=tuple(CARDS[place] for place, _ in denial.evidence),
                evidence_tricks=tuple(trick for _, trick in denial.evidence),
            )
            known = self._finding_of.get(denial)
            if known is None:
                self._finding_of[denial] = len(self._findings)
                self._findings.append(finding)
            else:
                # The list that a reader may hold stays as it was: findings are replaced in a new one.
                self._findings = [*self._findings[:known], finding, *self._findings[known + 1 :]]

    def _judge_declarations_early(self, local: int, letter: str, known_at: tuple[int, int]) -> None:
        """DECLX as soon as it is certain, from a card that the player `local` just played."""
        unseen = self.knowledge.unseen | (mask(self.skat) if self.skat else 0)
        player = self.active[local]
        played = self._played[local]
        if may_owe(played, letter) and self.declared[player] is not None:
            self._judge_slots(player, owed(played), {}, known_at, surely_owed_only=True)
        for holder, name, combination in self._made:
            has = self._played[holder]
            if refuted(combination, has, has | unseen):
                self._report_declaration("declaration_false", name, combination, None, known_at)

    def _judge_declarations(self, skat: int) -> None:
        """DECLX at the end of the hand, slot by slot, from the original hands."""
        for local, player in enumerate(self.active):
            if self.declared[player] is None:
                continue  # "A player of whom nothing was recorded, not even pass, is not checked."
            kept = owed(self._played[local])
            # "The dealer owes what his 25 kept cards hold; what his 28 held is not false (DISC-5)."
            held = owed(self._played[local] | skat) if local == DEALER else kept
            self._judge_slots(player, kept, held, (25, 75))

    def _judge_slots(
        self,
        player: str,
        kept: dict[str, Combination],
        held: dict[str, Combination],
        known_at: tuple[int, int],
        surely_owed_only: bool = False,
    ) -> None:
        made = {slot_of(combination): combination for combination in self.declared[player] or ()}
        for slot, combination in kept.items():
            if slot not in made:
                self._report_declaration("declaration_missing", player, None, combination, known_at)
        if surely_owed_only:
            return
        for slot, combination in made.items():
            if combination not in (kept.get(slot), held.get(slot)):
                self._report_declaration("declaration_false", player, combination, kept.get(slot), known_at)

    def _report_declaration(
        self,
        kind: str,
        player: str,
        made: Combination | None,
        owing: Combination | None,
        known_at: tuple[int, int],
    ) -> None:
        combination = made or owing
        assert combination is not None
        slot = slot_of(combination)
        if (kind, player, slot) not in self._reported:
            self._reported.add((kind, player, slot))
            self._add("DECLX", kind, player, None, known_at, slot=slot, made=made, owed=owing)

    def _judge_discard(self, known_at: tuple[int, int] | None) -> None:
        """DISCX: DISC-1 to DISC-4, from the skat as shown or as the three cards never seen."""
        skat = mask(self.skat) if self.skat is not None else self.knowledge.unseen
        faults: list[tuple[str, str, int]] = [("DISC-1", "bad_discard", skat & (KING_MASK | _MONDO_BIT))]
        if not self.rules.pagat_in_skat:
            faults.append(("DISC-2", "bad_discard", skat & _PAGAT_BIT))
        if not (self.tout_announced and self.rules.fool_in_skat_for_tout):
            faults.append(("DISC-3", "fool_discarded", skat & FOOL_BIT))
        if self._played[DEALER] & TRUMP_MASK:
            # T1 under the sets that never let it be laid is DISC-2's, T21 is DISC-1's.
            named_elsewhere = _MONDO_BIT | (0 if self.rules.pagat_in_skat else _PAGAT_BIT)
            faults.append(("DISC-4", "bad_discard", skat & TRUMP_MASK & ~named_elsewhere))
        for rule, kind, cards in faults:
            if cards and (kind, rule, None) not in self._reported:
                self._reported.add((kind, rule, None))
                self._add(rule, kind, self.dealer, None, known_at, evidence=tuple(names(cards)))

    # -- small helpers -------------------------------------------------------------------------------------

    def _finding(
        self,
        rule: str,
        kind: str,
        player: str | None,
        trick: int | None,
        known_at: tuple[int, int] | None,
        **proof: object,
    ) -> Finding:
        category = CATEGORY_OF[kind] if kind != "play_out_of_turn" else self.rules.early_play
        fine = self.rules.fine(category)  # what a fine of this category books: the same sum
        if category == "misdeclaration" and self.complete and not self.rules.misdeclaration_fined_late:
            fine = 0  # FINE-4 ruling: "under pagat's rules it is not proposed any more"
        return Finding(rule, kind, player, trick, category, fine, known_at, **proof)  # type: ignore[arg-type]

    def _add(
        self,
        rule: str,
        kind: str,
        player: str | None,
        trick: int | None,
        known_at: tuple[int, int] | None,
        **proof: object,
    ) -> None:
        self._findings.append(self._finding(rule, kind, player, trick, known_at, **proof))

    def _known_now(self) -> tuple[int, int] | None:
        return (self.tricks[-1].number, len(self.plays)) if self.plays else None

    def _others(self, player: str) -> list[str]:
        return [other for other in self.active if other != player]

    def _pay_back(
        self, player: str, combination: Combination, pay: settlement.Pay, fined_in: int | None = None
    ) -> None:
        for other in self._others(player):
            pay(
                "FINE-1",
                "declaration_returned",
                player,
                other,
                value_of(combination),
                combination=combination,
                fined_in=fined_in,
            )

    def _must_be_active(self, player: str) -> None:
        if player in self._local:
            if self.abandoned:
                raise EventError("the hand was abandoned")
            if self.complete:
                raise EventError("the hand is over")
            return
        raise self._not_playing(player)

    def _not_playing(self, player: str) -> EventError:
        if player in self.seats:
            return EventError("{player} sits this hand out", player=player)
        return EventError("{player} is not seated", player=player)

    def _unplayable(self, player: str, card: str) -> EventError:
        if card not in INDEX:
            return EventError("unknown card {card!r}", card=card)
        if player not in self._local:
            return self._not_playing(player)
        if self.complete:
            return EventError("{card} cannot be played: all 25 tricks are", "hand_is_over", card=card)
        if self.abandoned:
            return EventError("{card} cannot be played: the hand was abandoned", card=card)
        return self._seen(card, "card_seen_twice")

    def _seen(self, card: str, kind: str) -> EventError:
        for trick in self.tricks:
            for play in trick.plays:
                if play.card == card:
                    return EventError(
                        "{card} was already played in trick {trick}", kind, card=card, trick=trick.number
                    )
        return EventError("{card} lies in the skat", kind, card=card)
