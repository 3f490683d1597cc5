"""One deal of French Tarot, folded event by event: bids, the dog, handfuls, tricks, the score and findings.

What happened is recorded, legal or not, and breaches are found in what was recorded (`findings`). Only what
cannot have happened is refused (EventError).
"""

from typing import Final, Literal

from tracker.adjusting import must_say_why
from tracker.bidding import PASS
from tracker.by_result import ByResult
from tracker.contract_hand import ContractHand, Missing
from tracker.denials import Denial
from tracker.errors import EventError
from tracker.events import Entries
from tracker.findings import Finding
from tracker.french.bidding import FrenchBidding
from tracker.french.call import Call
from tracker.french.claims import claims_of
from tracker.french.contracts import CONTRACTS, DEALS, Contract, handful_points
from tracker.french.dog import Dog
from tracker.french.findings import DENIAL_RULES, FrenchFinding, weighed
from tracker.french.handfuls import Handful
from tracker.french.pack import (
    BOUTS_MASK,
    EXCUSE,
    EXCUSE_BIT,
    KINGS,
    LOW_CARDS,
    PACK,
    PETIT,
    PETIT_BIT,
    SUIT_CARDS,
    TRUMPS,
)
from tracker.french.result import HANDFULS, ResultEntered, check_result
from tracker.french.rule_sets import FrenchRules
from tracker.french.scoring import (
    Count,
    Excuse,
    ExcuseOutcome,
    Happened,
    Line,
    Outcome,
    compared,
    count,
    deal_lines,
    petit_au_bout,
    shares,
)
from tracker.hand import Deal
from tracker.score_sheet import ScoreSheet
from tracker.tricks import Play, Trick

_ALL: Final = PACK.all_cards
_INDEX: Final = PACK.index
_EXCUSE_PLACE: Final = _INDEX[EXCUSE]
_VOID: Final = "hand_is_void"
PERSONAL: Final = ("penalty", "adjustment")
"""Why people write points into one player's column; they stand last, and in deals that do not count too."""


class FrenchHand(ContractHand):
    """The fold of one deal. Read its attributes; only the session applies events to it.

    `active` are those who play, from the dealer's right on (FT-PLAY-1): the order of the bids and of the first trick.
    `bidding`, `call` and `dog` are what was said and laid before the play. `void` says why the deal does not count, if
    so; it is then `abandoned` too. `barred` are those who misdealt (FT-DEAL-4). `awards` are cards that count for a
    side, by place. `outcome` is None until the deal is scored.
    """

    bidding: FrenchBidding

    def __init__(self, deal: Deal, rules: FrenchRules, score_sheet: ScoreSheet, *, strict: bool) -> None:
        self.rules = rules
        self.dealt = DEALS[len(deal.active)]
        self.cards_each = self.dealt.cards
        self.strict = strict
        self.barred: set[str] = set()
        self.misdeals = 0
        super().__init__(deal, PACK, score_sheet)

    def start_play(self) -> None:
        """Begin a new deal: everything said is void."""
        super().start_play()
        self.bidding = FrenchBidding(self.active, self.barred)
        self.call = Call()
        self.dog = Dog(self.dealt.dog)
        self.slam = False
        self.handfuls: list[Handful] = []
        self.awards: dict[int, str] = {}
        self.award_reasons: list[tuple[tuple[str, ...], str, str]] = []
        self.void: str | None = None
        self.void_because = ""
        self.outcome: Outcome | None = None
        self._excuse_in: Trick | None = None

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def contract(self) -> Contract | None:
        """The contract that is played; None while none stands."""
        return self.bidding.contract

    @property
    def taker(self) -> str | None:
        """Who plays the contract; None while none stands."""
        return self.bidding.declarer

    @property
    def eldest_leads(self) -> bool:
        """FT-PLAY-1: the player at the dealer's right leads; FT-SLAM-1: who announced a slam does."""
        return not self.slam

    def side_of(self, player: str) -> str:
        """The side that `player` is of, as far as it is known: "taker" or "defence"."""
        return "taker" if player in (self.taker, self.call.partner) else "defence"

    @property
    def awaits_word(self) -> bool:
        """Until contract and call are known, what lies open may be the dog, the discard or plays."""
        return not (self.complete or self.abandoned or self.void) and self.what_is_missing() is not None

    def kept_cards(self, trick: int) -> frozenset[str]:
        """FT-EXCUSE-3: its side keeps the Excuse; FT-EXCUSE-4: played to the last trick it changes sides."""
        return frozenset() if trick == self.cards_each else frozenset({EXCUSE})

    def what_is_missing(self) -> Missing | None:
        """What must be known before a card can be judged and the deal scored; None for nothing. Five players call."""
        if self.result is not None:
            return None
        if self.contract is None:
            return "contract"
        return "call" if len(self.active) == 5 and self.call.card is None else None

    # -- bids ----------------------------------------------------------------------------------------------

    def bid(self, player: str, name: str) -> None:
        """FT-BID-1: each speaks once. Raises EventError."""
        self.must_be_active(player)
        self.bidding.bid(player, name)
        if self.bidding.is_over and self.contract is None:
            self._end("passed")  # FT-BID-2: "All pass: the deal is void."

    def name_contract(self, name: str, taker: str | None) -> None:
        """FT-BID-3: "Contract and taker are entered instead" of the bids, or repeat what they led to."""
        self.must_not_be_abandoned()
        if taker is not None:
            self.must_be_active(taker)
        if self.call.card is not None or self.dog.is_known or self.slam or self.handfuls:
            raise EventError("the contract was already named")
        self.bidding.name_contract(name, taker)

    # -- call, dog and discard -----------------------------------------------------------------------------

    def call_card(self, card: str) -> None:
        """FT-5-1, FT-5-2: the taker calls `card`. Raises EventError."""
        self._must_be_named()
        if len(self.active) != 5:
            raise EventError("a king is called where five play")
        self.call.make(card, self.dog)

    def turn_dog(self, cards: tuple[str, ...]) -> None:
        """FT-DOG-1: "The taker turns up the dog for all to see"."""
        self._must_take_the_dog()
        self.dog.turn(cards)
        self.only_his(self._local[self.taker or ""], PACK.mask(cards))
        self.call.refute(cards, self.known_now())

    def lay_face_up(self, cards: tuple[str, ...]) -> None:
        """FT-DOG-4: trumps are laid face up, and say that nothing else was left to lay."""
        self._must_take_the_dog()
        laid = self.dog.lay_face_up(cards)
        self.gone |= laid
        self._judge_laid(laid, None)
        if laid & TRUMPS & ~BOUTS_MASK:
            self._claim(self._local[self.taker or ""], "needless_trump", SUIT_CARDS & ~KINGS & ~laid)
            self.judge((0, 0))

    def lay_face_down(self, player: str, cards: tuple[str, ...]) -> None:
        """FT-DOG-1: what the taker laid face down, as he enters it for himself. Raises EventError."""
        self._must_take_the_dog()
        if player != self.taker:
            raise EventError("{player} is not the taker", player=player)
        PACK.must_be_different(cards)
        self.must_be_unseen(PACK.mask(cards))
        self.dog.lay_face_down(cards)

    def _must_take_the_dog(self) -> None:
        self._must_be_named()
        if self.contract is None or not self.contract.takes_dog:
            raise EventError("the dog is not turned up in this contract")
        if self.what_is_missing() == "call":
            raise EventError("a king is called before the dog is turned up")
        if self.handfuls:
            raise EventError("a handful was already shown")

    def announce_slam(self, player: str) -> None:
        """FT-SLAM-1: the taker "may announce it before the first card. He then leads to the first trick"."""
        self._must_be_named()
        if player != self.taker:
            raise EventError("{player} cannot announce a slam: only the taker can", player=player)
        if self.slam:
            raise EventError("the slam was already announced")
        self.slam = True
        self._turn = self._local[player]

    # -- handfuls ------------------------------------------------------------------------------------------

    def show_handful(self, player: str, cards: tuple[str, ...]) -> None:
        """FT-HANDFUL-2: trumps that a player shows. Time and number are judged later (FT-REN-6). Raises EventError."""
        self.must_be_active(player)
        if self.strict and self.what_is_missing() is not None:
            raise EventError("a handful is shown when the contract is known, and the call where five play")
        if any(handful.player == player for handful in self.handfuls):
            raise EventError("{player} already showed a handful", player=player)
        PACK.must_be_different(cards)
        if not cards:
            raise EventError("a handful has at least one card")
        local = self._local[player]
        mask = PACK.mask(cards)
        for card in PACK.names(mask & ~TRUMPS & ~EXCUSE_BIT):
            raise EventError("{card} is not a trump: it is in no handful", card=card)
        own = self.shown[local] | (self.dog.laid or 0 if player == self.taker else 0)
        self.must_be_unseen(mask & ~own)
        for card in PACK.names(mask & ~own):
            if self.elsewhere[local] >> _INDEX[card] & 1:
                raise self.held_elsewhere(local, _INDEX[card])
        if (mask & ~own).bit_count() > self.left(local):
            raise self._holds_too_few(player)
        known = self.known_now()
        covered = not (self.plays and self.plays[-1].player == player)
        own_plays = self.shown[local].bit_count()
        self.handfuls.append(Handful(player, cards, len(self.plays), own_plays, covered, known))
        self.open_cards[local] = mask
        self.only_his(local, mask)
        if mask & EXCUSE_BIT:
            # FT-HANDFUL-4: "I have no trump but these."
            self._claim(local, "handful_excuse", TRUMPS & ~mask)
        self.judge(known or (0, 0))

    def _holds_too_few(self, player: str) -> EventError:
        return EventError("{player} has too few cards left for the handful", player=player)

    def fault_of(self, handful: Handful) -> Literal["late", "other_time"] | None:
        """FT-HANDFUL-2, FT-REN-6: whether a handful was shown when it should not have been."""
        return handful.fault(self.taker, self.plays)

    def worth_of(self, handful: Handful) -> int:
        """FT-HANDFUL-1: what it is worth, 0 where it is incomplete."""
        return handful_points(len(self.active), len(handful.cards))

    def counts(self, handful: Handful) -> bool | None:
        """FT-REN-6: whether a handful counts; None while the deal is not scored."""
        if self.outcome is None:
            return None
        return self._counts(handful, self.outcome.counted)

    def _counts(self, handful: Handful, counted: Count) -> bool:
        # "Incomplete … does not count. Too many: counts. … At another time: does not count if his side wins."
        won = counted.won is (self.side_of(handful.player) == "taker")
        return bool(self.worth_of(handful)) and not (self.fault_of(handful) == "other_time" and won)

    # -- dealing again, and deals that do not count ----------------------------------------------------------

    def deal_again(self, by: str) -> None:
        """FT-DEAL-4: "dealt again by the same dealer, and whoever caused it … may not bid this time"."""
        self.must_be_before_play()
        if by not in self.seats:
            raise EventError("{player} is not seated", player=by)
        self.start_play()
        self.barred.add(by)
        self.misdeals += 1

    def call_petit_sec(self, player: str) -> None:
        """FT-DEAL-5: "T1, no other trump and no Excuse …; the deal is void"; ruling: until the first card."""
        self.must_be_before_play()
        self.must_be_active(player)
        self.start_play()
        self._end("petit_sec", player)

    def annul(self, reason: str) -> None:
        """FT-REN-4: the table annuls the deal; nothing but penalties is scored."""
        self._must_be_named()
        must_say_why(reason)
        self._end("annulled", reason)

    def _end(self, void: str, because: str = "") -> None:
        self.void, self.void_because = void, because
        # FT-REN-7: "A void deal is not counted as played."
        self.complete, self.abandoned = False, True
        self.bidding.closed = True
        self.outcome = None
        self._write([])
        # FT-DEAL-3 ruling: after an annulled deal the same one again; FT-TABLE-2: "until somebody takes".
        if void == "annulled" or self.sits_out:
            self.next_dealer = self.dealer

    def award(self, cards: tuple[str, ...], to: str, reason: str) -> None:
        """FT-REN-4: `cards` count for the side `to`, whoever has them. A later award of the same card replaces this."""
        self._must_be_named()
        must_say_why(reason)
        PACK.must_be_different(cards)
        if not cards:
            raise EventError("at least one card is awarded")
        for card in cards:
            self.awards[_INDEX[card]] = to
        self.award_reasons.append((cards, to, reason))
        if self.outcome is not None:
            self._score()

    # -- the play ------------------------------------------------------------------------------------------

    def must_leave_room(self, local: int, place: int) -> None:
        """Raise EventError where all that he still holds lies open, and the card `place` is none of it."""
        held = self.open_cards[local] & ~self.gone
        if held and not (held | self.gone) >> place & 1 and held.bit_count() >= self.left(local):
            raise self._holds_too_few(self.active[local])

    def must_be_ready(self) -> None:
        """Raise EventError unless contract and call are known; nothing is played in a deal that is void."""
        self.must_not_be_abandoned()
        super().must_be_ready()

    def unplayable(self, player: str, card: str) -> EventError:
        """The error for a card that cannot have been played, also to a deal that is void."""
        if self.void and card in _INDEX:
            return EventError("{card} cannot be played: the hand does not count", _VOID, card=card)
        return super().unplayable(player, card)

    def seen_aside(self, card: str) -> EventError:
        """The error for a card that is gone though nobody played it: where it lies."""
        return EventError("{card} was laid face up", card=card)

    def winning_card(self, trick: Trick) -> int:
        """FT-PLAY-6: the highest trump, or the suit led; FT-EXCUSE-5: the Excuse that closes a slam."""
        if trick.number == self.cards_each and trick.plays[0].card == EXCUSE:
            side = self.side_of(trick.leader)
            if all(self.side_of(one.winner or "") == side for one in self.tricks[:-1]):
                return self.pack.index[EXCUSE]
        return super().winning_card(trick)

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """FT-ORDER: it was another's turn, or another's lead (FT-PLAY-8)."""
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        self.find("FT-PLAY-8", kind, play.player, trick.number, (trick.number, play.number), card=play.card)

    def claims(self, local: int, place: int, table: int, led: str, trick: int) -> list[tuple[str, int]]:
        """FT-CLAIM-1: what the card `place` says. FT-5-4 binds the first card of all.

        FT-5-4 ruling: who holds nothing but the suit called may lead it, but the called card first.
        """
        first = not table and not sum(self.shown) & ~(1 << place)
        return claims_of(place, table, led, self.call.small if first else 0)

    def card_settles(self, local: int, bit: int, trick: Trick) -> None:
        """The Excuse, the partner, and cards that show that a call was not allowed."""
        if bit == EXCUSE_BIT:
            self._excuse_in = trick
        player, card = self.active[local], trick.plays[-1].card
        if self.call.card is None or player == self.taker:
            return
        if card == self.call.card:
            self.call.partner = player  # FT-5-1: "who has it is his partner"
        self.call.refute((card,), self.known_now())

    def trick_won(self, trick: Trick, winner: int) -> None:
        """FT-PLAY-1: who won leads next; the last one ends the deal."""
        if trick.number == self.cards_each:
            self.complete = True
            self.close_gaps()
            if self.what_is_missing() is None and not self.unseen_tricks:
                self._finish((trick.number, len(self.plays)))

    def taken_back(self, count: int) -> Entries:
        """The entries without the last `count` plays. Raises EventError before a handful, or where the deal is void."""
        if self.void:
            raise EventError("the hand does not count: nothing is taken back", _VOID)
        shown = max((handful.plays for handful in self.handfuls), default=0)
        if len(self.plays) - shown < count <= len(self.plays):
            raise EventError("plays before a handful cannot be taken back")
        return super().taken_back(count)

    def _claim(self, local: int, kind: str, mask: int) -> None:
        """A claim of the player `local` that is no play: by what was laid or shown."""
        self.denials.make(Denial(local, 0, len(self.plays), _EXCUSE_PLACE, mask, "", kind))

    # -- the end -------------------------------------------------------------------------------------------

    def _finish(self, known_at: tuple[int, int]) -> None:
        """All cards are played: what was laid and how all were dealt is known, and the deal is scored."""
        assert self.contract is not None
        self.dog.aside = _ALL & ~sum(self.shown)
        if self.contract.takes_dog:
            self._judge_laid(self.dog.aside & ~(self.dog.laid or 0), known_at)
            self._judge_trumps_laid(known_at)
        else:
            self.call.refute(PACK.names(self.dog.aside), self.known_now())
        self._judge_petit_sec(known_at)
        self._score()

    def _judge_laid(self, cards: int, known_at: tuple[int, int] | None) -> None:
        """FT-DOG-3, FT-DOG-4: what the taker laid; `known_at` None: face up, for all to see."""
        for rule, kind, card in self.dog.faults(cards, shown=known_at is None):
            self.find(rule, kind, self.taker, None, known_at, card=card)

    def _judge_trumps_laid(self, known_at: tuple[int, int]) -> None:
        """FT-DISC: the taker laid trumps, all face down, and yet kept a suit card other than a king."""
        kept = SUIT_CARDS & ~KINGS & self.shown[self._local[self.taker or ""]]
        evidence = tuple(play.card for play in self.plays if kept >> _INDEX[play.card] & 1)
        if evidence and self.dog.hides_trumps:
            self.find(
                "FT-DOG-4", "needless_trump", self.taker, None, known_at, status="shown", evidence=evidence
            )

    def _judge_petit_sec(self, known_at: tuple[int, int]) -> None:
        """FT-DEAL-5: a player was dealt T1 without the Excuse or another trump, and kept quiet."""
        assert self.contract is not None and self.dog.aside is not None
        for local, player in enumerate(self.active):
            dealt = self.shown[local]
            if player == self.taker and self.contract.takes_dog:
                if self.dog.turned is None:
                    continue  # what he was dealt is not known
                dealt = (dealt | self.dog.aside) & ~self.dog.turned
            if dealt & (TRUMPS | EXCUSE_BIT) == PETIT_BIT:
                self.find("FT-DEAL-5", "petit_sec", player, None, known_at, card=PETIT)

    def cards_won_by(self, side: str) -> int:
        """The cards, a mask, of the tricks that a side won."""
        cards = 0
        for trick in self.tricks:
            if trick.winner is not None and self.side_of(trick.winner) == side:
                cards |= trick.cards
        return cards

    def tricks_won_by(self, side: str) -> int:
        """How many tricks a side won."""
        return sum(self.side_of(trick.winner or "") == side for trick in self.tricks)

    @property
    def excuse(self) -> Excuse | None:
        """What became of the Excuse; None while it was not played."""
        trick = self._excuse_in
        if trick is None:
            return None
        player = next(play.player for play in trick.plays if play.card == EXCUSE)
        if not self.complete or trick.winner is None or self.contract is None:
            return Excuse(player, trick.number, trick.winner, None, "open")
        own = self.side_of(player)
        other = "defence" if own == "taker" else "taker"
        slam = all(self.side_of(one.winner or "") == own for one in self.tricks)
        if trick.number == self.cards_each and not slam:
            # FT-EXCUSE-4: "Played to the last trick it changes sides, unless its side makes a slam."
            return Excuse(player, trick.number, trick.winner, other, "lost")
        if self.side_of(trick.winner) == own:
            state = "kept"
        else:
            # FT-EXCUSE-3: "a low card (½) from a trick of its own"; FT-EXCUSE-6: who has none owes it.
            state = "exchanged" if self.cards_won_by(own) & LOW_CARDS else "owed"
        return Excuse(player, trick.number, trick.winner, own, state)

    def _score(self) -> None:
        """FT-COUNT-1 to FT-SCORE-4, with what people awarded (FT-REN-4)."""
        contract = self.contract
        assert contract is not None and self.dog.aside is not None
        ours = self.cards_won_by("taker")
        if contract.dog_to == "taker":
            ours |= self.dog.aside  # FT-DOG-2: "They count with his tricks"
        excuse = self.excuse
        if excuse is None or excuse.to is None:
            counted_as = ExcuseOutcome("taker" if ours & EXCUSE_BIT else "defence", paid=False)
        else:
            counted_as = ExcuseOutcome(excuse.to, paid=excuse.state != "kept")
        counted = count(ours, counted_as, self.awards)
        handfuls = [self.worth_of(handful) for handful in self.handfuls if self._counts(handful, counted)]
        tricks = self.tricks_won_by("taker")
        happened = Happened(
            petit_au_bout(self.tricks, self.side_of), handfuls, tricks, self.cards_each, self.slam
        )
        self._book_deal(contract, counted, happened)

    def _book_deal(self, contract: Contract, counted: Count, happened: Happened) -> None:
        lines = deal_lines(contract, counted, happened)
        self.outcome = Outcome(counted, tuple(lines))
        self._write(lines)

    def settle(self, result: ResultEntered) -> None:
        """The deal by its `result`, scored as if its cards had been seen."""
        self.must_not_be_abandoned()
        check_result(result, self.active)
        if result.contract == PASS:
            self._end("passed")
            return
        assert result.taker is not None and result.halves is not None and result.bouts is not None
        self.bidding.must_not_be_barred(result.taker)
        contract = CONTRACTS[result.contract]
        self.bidding.contract, self.bidding.declarer = contract, result.taker
        self.call.partner = result.partner
        self.slam = result.slam_announced
        petit = result.petit_au_bout and ("FT-PETIT-1", result.petit_au_bout == "taker")
        # A side with every trick has all of them or none; else some number between.
        tricks = {"taker": self.cards_each, "defence": 0, None: 1}[result.slam]
        handfuls = [HANDFULS[size] for _, size in result.handfuls]
        happened = Happened(petit or None, handfuls, tricks, self.cards_each, self.slam)
        self._book_deal(contract, compared(result.halves, result.bouts), happened)

    def enter_result(self, result: ByResult) -> None:
        """The deal is over; where all passed it is void, and does not count."""
        super().enter_result(result)
        self.complete = not self.void

    def _write(self, lines: list[Line]) -> None:
        """Put `lines` on the score sheet instead of those that stood there; what people wrote stands last."""
        for place in reversed(range(len(self.scores))):
            if self.scores[place].reason not in PERSONAL:
                self.ledger.rewrite(self.scores, place, None)
        if lines and self.taker is not None:
            got = shares(self.active, self.taker, self.call.partner)
            for rule, reason, points in lines:
                # "A deal sums to zero": each line does, as the marks do.
                assert sum(points * share for share in got.values()) == 0
                for player in self.active:
                    self.book(rule, reason, player, points * got[player])
        self.scores.sort(key=lambda score: score.reason in PERSONAL)
        self.tell_payments()

    @property
    def deal_changes(self) -> dict[str, int]:
        """What each player gets for the deal itself, without penalties and adjustments."""
        got = dict.fromkeys(self.active, 0)
        for score in self.scores:
            if score.reason not in PERSONAL:
                got[score.player] += score.points
        return got

    # -- findings ------------------------------------------------------------------------------------------

    @property
    def findings(self) -> list[FrenchFinding]:
        """Every finding so far, with what is proposed for it: first the claims that were false."""
        found = [self._claim_finding(one) for one in self._found if isinstance(one, Denial)]
        found += [one for one in self._found if isinstance(one, Finding)]
        found += self.call.findings(self.taker)
        found += self._faults_of_handfuls()
        found = self.seen_for_sure(found)
        if self.contract is None:
            found = []  # live, the contract was not entered yet: nobody is accused before it is known
        return [self._weighed(one) for one in found]

    def _claim_finding(self, denial: Denial) -> Finding:
        evidence = self._evidence(denial)
        card = {"needless_trump": None, "handful_excuse": EXCUSE}.get(denial.kind, PACK.cards[denial.card])
        return Finding(
            DENIAL_RULES[denial.kind],
            denial.kind,
            self.active[denial.player],
            denial.trick or None,
            0,
            denial.known_at if denial.known_at[1] else None,
            card=card,
            status=denial.status,
            evidence=tuple(card for card, _ in evidence),
            evidence_tricks=tuple(trick for _, trick in evidence),
            suit=denial.suit or None,
        )

    def _evidence(self, denial: Denial) -> list[tuple[str, int]]:
        """The cards that show a claim to be false, each with its trick: played later, or shown in a handful.

        A card of a handful may have been played to a trick that was not seen.
        """
        number = {play.card: play.number for play in self.plays}
        found = [(number[PACK.cards[place]], PACK.cards[place], trick) for place, trick in denial.evidence]
        for handful in self.handfuls:
            since = max(handful.plays, denial.play)
            trick = max(handful.trick, denial.trick)
            seen = not any(unseen <= trick for unseen in self.unseen_tricks)
            if seen and self._local[handful.player] == denial.player:
                held = denial.mask & ~(self.dog.laid or 0)
                lying = [
                    card
                    for card in handful.cards
                    if held >> _INDEX[card] & 1 and number.get(card, since + 1) > since
                ]
                found = [one for one in found if one[1] not in lying]
                found += [(since, card, trick) for card in lying]
        return [(card, trick) for _, card, trick in sorted(found, key=lambda one: one[0])]

    def _faults_of_handfuls(self) -> list[Finding]:
        """FT-HANDFUL-5, FT-HANDFUL-6: handfuls of a wrong number, or at another time."""
        found = []
        for handful in self.handfuls:
            kinds = []
            if not self.worth_of(handful):
                kinds.append(("FT-HANDFUL-5", "handful_incomplete"))
            elif len(handful.cards) not in self.dealt.handfuls:
                kinds.append(("FT-HANDFUL-5", "handful_too_many"))
            if self.fault_of(handful) is not None and not self.unseen_tricks:  # it rests on the play after it
                kinds.append(("FT-HANDFUL-6", "handful_late"))
            found += [Finding(rule, kind, handful.player, None, 0, handful.known_at) for rule, kind in kinds]
        return found

    def _weighed(self, finding: Finding) -> FrenchFinding:
        """FT-REN-2 to FT-REN-6: the fine, whether a warning is enough, and whether the deal should be void."""
        handful = next((one for one in self.handfuls if one.player == finding.player), None)
        return weighed(
            finding,
            self.rules.penalty,
            taker=finding.player == self.taker,
            defends=self.side_of(finding.player or "") == "defence",
            consumed=len(self.tricks) > (finding.trick or 0),
            other_time=handful is not None and self.fault_of(handful) == "other_time",
        )

    @property
    def annul_proposed(self) -> bool:
        """FT-REN-4: "the deal is void if the side at fault wins it"."""
        if self.outcome is None:
            return False
        winners = "taker" if self.outcome.counted.won else "defence"
        return any(one.annul and self.side_of(one.player or "") == winners for one in self.findings)

    # -- small helpers -------------------------------------------------------------------------------------

    def must_not_be_abandoned(self) -> None:
        """Raise EventError if the deal is void, or was given up."""
        if self.void:
            raise EventError("the hand does not count", _VOID)
        super().must_not_be_abandoned()

    def _must_be_named(self) -> None:
        self.must_not_be_abandoned()
        if self.contract is None:
            raise EventError("the contract is not known yet")
