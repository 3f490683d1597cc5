"""One deal of French Tarot, folded event by event: bids, the dog, handfuls, tricks, the score and findings.

What happened is recorded, legal or not; breaches are found in the history (`findings`), and only what cannot
have happened at all is refused (EventError).
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from tracker.adjusting import must_say_why
from tracker.bidding import PASS
from tracker.by_result import ByResult
from tracker.denials import Denial, Denials
from tracker.errors import EventError
from tracker.events import CardPlayed, Entries, FindingPassed
from tracker.findings import Finding
from tracker.french.contracts import CONTRACTS, DEALS, Contract, handful_points
from tracker.french.events import PenaltyBooked
from tracker.french.findings import DENIAL_RULES, FrenchFinding
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
    above_call,
)
from tracker.french.result import HANDFULS, ResultEntered, check_result
from tracker.french.rule_sets import FrenchRules
from tracker.french.scoring import (
    Count,
    ExcuseOutcome,
    Happened,
    Line,
    compared,
    count,
    deal_lines,
    shares,
)
from tracker.pack import indices
from tracker.score_sheet import ScoreSheet, ScoreSheetHand
from tracker.tricks import Play, Trick

_ALL: Final = PACK.all_cards
_INDEX: Final = PACK.index
_EXCUSE_PLACE: Final = _INDEX[EXCUSE]
PERSONAL: Final = ("penalty", "adjustment")
"""Why people write points into one player's column; they stand last, and in deals that do not count too."""


class Handful(NamedTuple):
    """Trumps that a player showed, as he laid them out, after so many `plays` of the deal; `own` of them were his.

    `covered`: the last of those was not his own.
    """

    player: str
    cards: tuple[str, ...]
    plays: int
    own: int
    covered: bool
    known_at: tuple[int, int] | None

    @property
    def mask(self) -> int:
        """The cards as a mask."""
        return PACK.mask(self.cards)


class Excuse(NamedTuple):
    """The Excuse that was played: by whom, to which trick, who won it, and what became of it.

    `to` is the side that counts it, awards apart; None in a deal that is not complete, where the `state` is `open`.
    Else that is `kept`, `exchanged`, `owed` or `lost`.
    """

    player: str
    trick: int
    winner: str | None
    to: str | None
    state: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended: the `counted` points, and the `lines` that make up the `mark`, what each defender gives."""

    counted: Count
    lines: tuple[Line, ...]

    @property
    def mark(self) -> int:
        """FT-SCORE-4: what each defender gives, negative what each gets."""
        return sum(points for _, _, points in self.lines)


class FrenchHand(ScoreSheetHand):
    """The fold of one deal. Read its attributes; only the session applies events to it.

    `active` are those who play, from the dealer's right on (FT-PLAY-1): the order of the bids and of the first trick.
    `contract` is what is played, `taker` by whom; None while none stands. `called` is the called card, `partner` who
    else played it. `dog` (turned up), `laid` (face up) and `aside` (never played, once all others are) are masks, None
    while they are not known. `void` says why the deal does not count, if so; it is then `abandoned` too. `barred` are
    those who misdealt (FT-DEAL-4). `awards` are cards that count for a side, by place. `outcome` is None until the deal
    is scored. `denials` are what plays, handfuls and what was laid say of the hands.

    `strict`, as in session files, wants the contract to be known before a card is played; live, it may come later.
    """

    def __init__(
        self,
        number: int,
        dealer: str,
        active: tuple[str, ...],
        sits_out: tuple[str, ...],
        next_dealer: str,
        seats: tuple[str, ...],
        rules: FrenchRules,
        score_sheet: ScoreSheet,
        *,
        strict: bool,
    ) -> None:
        self.rules = rules
        self.strict = strict
        self.dealt = DEALS[len(active)]
        self.barred: set[str] = set()
        self.misdeals = 0
        self.fines: dict[
            int, PenaltyBooked | FindingPassed
        ] = {}  # for this deal, then or later, by their numbers
        super().__init__(number, dealer, active, sits_out, next_dealer, seats, PACK, score_sheet)

    def start_play(self) -> None:
        """A new deal: everything said is void."""
        super().start_play()
        self.bids: list[tuple[str, str]] = []
        self.contract: Contract | None = None
        self.taker: str | None = None
        self.called: str | None = None
        self.partner: str | None = None
        self.dog: int | None = None
        self.laid: int | None = None
        self.laid_unseen: int | None = None  # as the taker entered it for himself
        self.slam = False
        self.handfuls: list[Handful] = []
        self.awards: dict[int, str] = {}
        self.award_reasons: list[tuple[tuple[str, ...], str, str]] = []
        self.void: str | None = None
        self.void_because = ""
        self.aside: int | None = None
        self.outcome: Outcome | None = None
        self.denials = Denials(len(self.active))
        self._named = False  # whether the contract was named beside the bids
        self._claims: list[Denial] = []  # those that turned out to be false, in order of discovery
        self._found: list[Finding] = []
        self._refuting: list[str] = []  # the cards that show that a call was not allowed
        self._refuted_at: tuple[int, int] | None = None
        self._shown = [0] * len(self.active)  # what each has shown in a handful, played or not
        self._excuse_in: Trick | None = None

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def eldest_leads(self) -> bool:
        """FT-PLAY-1: the player at the dealer's right leads; FT-SLAM-1: who announced a slam does."""
        return not self.slam

    @property
    def tricks_in_all(self) -> int:
        """How many tricks a whole deal has."""
        return self.dealt.cards

    def side_of(self, player: str) -> str:
        """The side that `player` is of, as far as it is known: "taker" or "defence"."""
        return "taker" if player in (self.taker, self.partner) else "defence"

    @property
    def all_played(self) -> bool:
        """Whether the last trick is over."""
        return len(self.tricks) == self.tricks_in_all and self.trick is None

    @property
    def awaits_word(self) -> bool:
        """Until contract and call are known, what lies open may be the dog, the discard or plays."""
        return not (self.complete or self.abandoned or self.void) and self.what_is_missing() is not None

    def kept_cards(self, trick: int) -> frozenset[str]:
        """FT-EXCUSE-3: its side keeps the Excuse; FT-EXCUSE-4: played to the last trick it changes sides."""
        return frozenset() if trick == self.tricks_in_all else frozenset({EXCUSE})

    def what_is_missing(self) -> Literal["contract", "call"] | None:
        """What must be known before a card can be judged and the deal scored; None where it all is."""
        if self.result is not None:
            return None
        if self.contract is None:
            return "contract"
        return "call" if len(self.active) == 5 and self.called is None else None

    # -- bids ----------------------------------------------------------------------------------------------

    @property
    def bidder(self) -> str | None:
        """Whose bid it is (FT-BID-1); None where the bidding is over, or the contract was named without."""
        if self._named or self.void or len(self.bids) == len(self.active):
            return None
        return self.active[len(self.bids)]

    def highest_bid(self) -> tuple[str, Contract] | None:
        """Who bid highest, and what: the last bid that was no pass."""
        bids = [(player, CONTRACTS[name]) for player, name in self.bids if name != PASS]
        return bids[-1] if bids else None

    def allowed_bids(self) -> list[str]:
        """FT-BID-1, FT-DEAL-4: what the player whose bid it is may say, a pass first."""
        highest = self.highest_bid()
        lowest = highest[1].place + 1 if highest else 1
        if self.bidder is None:
            return []
        may = (
            []
            if self.bidder in self.barred
            else [one.name for one in CONTRACTS.values() if one.place >= lowest]
        )
        return [PASS, *may]

    def bid(self, player: str, name: str) -> None:
        """FT-BID-1: each speaks once, from the dealer's right. What is not allowed was put right at once: an error."""
        self.must_be_active(player)
        if self.bidder is None:
            raise EventError("{player} cannot bid: the bidding is over", player=player)
        if player != self.bidder:
            raise EventError("{player} cannot bid: it is {bidder}'s turn", player=player, bidder=self.bidder)
        if name not in self.allowed_bids():
            self._must_not_be_barred(player)
            raise EventError("{player} cannot bid {contract}: that is too low", player=player, contract=name)
        self.bids.append((player, name))
        if len(self.bids) == len(self.active):
            highest = self.highest_bid()
            if highest is None:
                self._end("passed")  # FT-BID-2: "All pass: the deal is void."
            else:
                self.taker, self.contract = highest

    def agrees_with_bids(self, name: str, taker: str | None) -> bool:
        """FT-BID-3: whether the bids, if any, led to the contract `name`, played by `taker`."""
        if not self.bids:
            return True
        highest = self.highest_bid()
        return highest is not None and highest[1].name == name and taker in (None, highest[0])

    def name_contract(self, name: str, taker: str | None) -> None:
        """FT-BID-3: "Contract and taker are entered instead" of the bids, or repeat what they led to."""
        self._must_stand()
        if taker is not None:
            self.must_be_active(taker)
        if self._named or self._exchange_begun():
            raise EventError("the contract was already named")
        if self.bids and self.contract is None:
            raise EventError("the contract is named when the bidding is over")
        if not self.agrees_with_bids(name, taker):
            raise EventError("{contract} is not what the bids led to", contract=name)
        if not self.bids:
            if taker is None:
                raise EventError("{contract} needs a taker", contract=name)
            self._must_not_be_barred(taker)
            self.taker, self.contract = taker, CONTRACTS[name]
        self._named = True

    def _must_not_be_barred(self, player: str) -> None:
        if player in self.barred:
            # FT-DEAL-4: "whoever caused it … may not bid this time".
            raise EventError("{player} caused a misdeal and may not bid this time", player=player)

    def _exchange_begun(self) -> bool:
        known = (self.called, self.dog, self.laid)
        return any(one is not None for one in known) or self.slam or bool(self.handfuls)

    # -- call, dog and discard -----------------------------------------------------------------------------

    def call_card(self, card: str) -> None:
        """FT-5-1: a king before the dog is turned up; FT-5-2: another one, whether he might or not, the play shows."""
        self._must_be_named()
        if len(self.active) != 5:
            raise EventError("a king is called where five play")
        if self.called is not None:
            raise EventError("a card was already called")
        if self.dog is not None or self.laid is not None:
            raise EventError("a king is called before the dog is turned up")
        self.called = card

    def turn_dog(self, cards: tuple[str, ...]) -> None:
        """FT-DOG-1: "The taker turns up the dog for all to see"."""
        self._must_take_the_dog()
        if self.dog is not None:
            raise EventError("the dog was already turned up")
        if self.laid is not None:
            raise EventError("the dog is turned up before cards are laid")
        self._must_be_cards(cards)
        if len(cards) != self.dealt.dog:
            raise EventError("the dog is {count} different cards", count=self.dealt.dog)
        self.dog = PACK.mask(cards)
        self._refute_call(
            [card for card in cards if self.called and above_call(self.called) >> _INDEX[card] & 1]
        )

    def lay_face_up(self, cards: tuple[str, ...]) -> None:
        """FT-DOG-4: trumps are laid face up, and say that nothing else was left to lay."""
        self._must_take_the_dog()
        if self.laid is not None:
            raise EventError("it was already said what was laid face up")
        self._must_be_cards(cards)
        if len(cards) > self.dealt.dog:
            raise EventError(
                "{count} cards were laid, and {dog} are the dog", count=len(cards), dog=self.dealt.dog
            )
        laid = self.laid = PACK.mask(cards)
        self.gone |= laid
        self._judge_laid(laid, None)
        if laid & TRUMPS & ~BOUTS_MASK:
            self._claim("needless_trump", SUIT_CARDS & ~KINGS & ~laid)
            self._judge((0, 0))

    def lay_face_down(self, player: str, cards: tuple[str, ...]) -> None:
        """FT-DOG-1: what the taker laid face down, for himself: as many as the dog, with those laid face up."""
        self._must_take_the_dog()
        if player != self.taker:
            raise EventError("{player} is not the taker", player=player)
        self._must_be_cards(cards)
        if PACK.mask(cards) & self.gone:
            raise self.already_seen(PACK.names(PACK.mask(cards) & self.gone)[0], "card_seen_twice")
        if len(cards) + (self.laid or 0).bit_count() != self.dealt.dog:
            raise EventError("{count} cards are laid for the dog", count=self.dealt.dog)
        self.laid_unseen = PACK.mask(cards)

    def _must_take_the_dog(self) -> None:
        self._must_be_named()
        if self.contract is None or not self.contract.takes_dog:
            raise EventError("the dog is not turned up in this contract")
        if self.what_is_missing() == "call":
            raise EventError("a king is called before the dog is turned up")
        if self.handfuls:
            raise EventError("a handful was already shown")

    def announce_slam(self, player: str) -> None:
        """FT-SLAM-1: "The taker may announce it before the first card. He then leads to the first trick."."""
        self._must_be_named()
        if player != self.taker:
            raise EventError("{player} cannot announce a slam: only the taker can", player=player)
        if self.slam:
            raise EventError("the slam was already announced")
        self.slam = True
        self._turn = self._local[player]

    # -- handfuls ------------------------------------------------------------------------------------------

    def show_handful(self, player: str, cards: tuple[str, ...]) -> None:
        """FT-HANDFUL-2: trumps that a player shows; whether in time and whether enough is judged later (FT-REN-6)."""
        self.must_be_active(player)
        if self.strict and self.what_is_missing() is not None:
            raise EventError("a handful is shown when the contract is known, and the call where five play")
        if any(handful.player == player for handful in self.handfuls):
            raise EventError("{player} already showed a handful", player=player)
        self._must_be_cards(cards)
        if not cards:
            raise EventError("a handful is of trumps")
        local = self._local[player]
        mask = PACK.mask(cards)
        for card in PACK.names(mask & ~TRUMPS & ~EXCUSE_BIT):
            raise EventError("{card} is no trump: it is in no handful", card=card)
        own = self.shown[local] | (self.laid or 0 if player == self.taker else 0)
        if mask & self.gone & ~own:
            raise self.already_seen(PACK.names(mask & self.gone & ~own)[0], "card_seen_twice")
        for card in PACK.names(mask & ~own):
            self._must_be_able_to_hold(player, card)
        if (mask & ~own).bit_count() > self.left(local):
            raise self._holds_too_few(player)
        known = self.known_now()
        covered = not (self.plays and self.plays[-1].player == player)
        own_plays = self.shown[local].bit_count()
        self.handfuls.append(Handful(player, cards, len(self.plays), own_plays, covered, known))
        self._shown[local] = mask
        if mask & EXCUSE_BIT:
            # FT-HANDFUL-4: "I have no trump but these."
            self._claim("handful_excuse", TRUMPS & ~mask, local=local)
        self._judge(known or (0, 0))

    def left(self, local: int) -> int:
        """How many cards the player still holds."""
        return self.dealt.cards - self.shown[local].bit_count()

    def _still_shown(self, local: int) -> int:
        """The cards that a player has shown in a handful and still holds, a mask."""
        return self._shown[local] & ~self.gone

    def _must_be_able_to_hold(self, player: str, card: str) -> None:
        """Raise EventError where `card`, not gone, is known to lie in another's hand."""
        bit = 1 << _INDEX[card]
        if player != self.taker and (self.dog or 0) & bit:
            raise EventError("{card} is {owner}'s", "card_seen_twice", card=card, owner=self.taker)
        for local, owner in enumerate(self.active):
            if owner != player and self._shown[local] & bit:
                raise EventError("{card} is {owner}'s", "card_seen_twice", card=card, owner=owner)

    def _holds_too_few(self, player: str) -> EventError:
        return EventError(
            "{player} would hold fewer cards than those of the handful", "card_seen_twice", player=player
        )

    def fault_of(self, handful: Handful) -> Literal["late", "other_time"] | None:
        """FT-HANDFUL-2, FT-REN-6: whether a handful was shown when it should not have been.

        In time: he has played no card, and the next card, played by anybody, is his; for the taker the first is enough.
        "late" is before his first card was covered.
        """
        if handful.own:
            return "late" if handful.own == 1 and not handful.covered else "other_time"
        if handful.player == self.taker or len(self.plays) == handful.plays:
            return None
        return None if self.plays[handful.plays].player == handful.player else "other_time"

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
        self._must_be_before_play()
        if by not in self.seats:
            raise EventError("{player} is not seated", player=by)
        self.start_play()
        self.barred.add(by)
        self.misdeals += 1

    def call_petit_sec(self, player: str) -> None:
        """FT-DEAL-5: "T1, no other trump and no Excuse …; the deal is void"; ruling: until the first card."""
        self._must_be_before_play()
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
        self.outcome = None
        self._write([])
        # FT-DEAL-3 ruling: after an annulled deal the same one again; FT-TABLE-2: "until somebody takes".
        if void == "annulled" or self.sits_out:
            self.next_dealer = self.dealer

    def award(self, cards: tuple[str, ...], to: str, reason: str) -> None:
        """FT-REN-4: cards that count for the other side than the one that has them; the last word on a card stands."""
        self._must_be_named()
        must_say_why(reason)
        self._must_be_cards(cards)
        if not cards:
            raise EventError("at least one card is awarded")
        for card in cards:
            self.awards[_INDEX[card]] = to
        self.award_reasons.append((cards, to, reason))
        if self.complete:
            self._score()

    # -- the play ------------------------------------------------------------------------------------------

    def play(self, event: CardPlayed, seq: int) -> None:
        """A card, judged by what it says of its player's hand."""
        if self.strict and not self.plays:
            self._must_be_ready()
        local, place = self._local.get(event.player), _INDEX.get(event.card)
        if local is not None and place is not None and not self.gone >> place & 1:
            self._must_be_able_to_hold(event.player, event.card)
            held = self._still_shown(local)
            if held and not held >> place & 1 and held.bit_count() >= self.left(local):
                raise self._holds_too_few(event.player)
        super().play(event, seq)

    def _must_be_ready(self) -> None:
        self._must_stand()
        missing = self.what_is_missing()
        if missing == "contract":
            raise EventError("the contract must be known before a card is played")
        if missing == "call":
            raise EventError("a king must be called before a card is played")

    def check_name(self, event: CardPlayed) -> None:
        """The next card says what a led Excuse is (FT-EXCUSE-2), nobody names it."""
        raise EventError("no suit is named in this game")

    def unplayable(self, player: str, card: str) -> EventError:
        """The error for a card that cannot have been played, also to a deal that is void."""
        if self.void and card in _INDEX:
            return EventError("{card} cannot be played: the deal is void", card=card)
        return super().unplayable(player, card)

    def seen_aside(self, card: str, kind: str) -> EventError:
        """Where a card lies that is gone though nobody played it."""
        return EventError("{card} was laid face up", kind, card=card)

    def winner_of(self, trick: Trick) -> int:
        """FT-PLAY-6: the highest trump, or the suit led; FT-EXCUSE-5: the Excuse that closes a slam."""
        if trick.number == self.tricks_in_all and trick.plays[0].card == EXCUSE:
            side = self.side_of(trick.leader)
            if all(self.side_of(one.winner or "") == side for one in self.tricks[:-1]):
                return self._local[trick.leader]
        return super().winner_of(trick)

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """FT-ORDER: it was another's turn, or another's lead (FT-PLAY-8)."""
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        self._add(
            "FT-PLAY-8", kind, play.player, (trick.number, play.number), card=play.card, trick=trick.number
        )

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """What the card shows of its player's hand, and what it says of it."""
        bit = 1 << place
        number = len(self.plays)
        known_at = (trick.number, number)
        self._report(self.denials.show(local, place, known_at))
        for kind, mask in self._said(place, trick.cards & ~bit, trick.suit or "", number):
            self.denials.make(Denial(local, trick.number, number, place, mask, led, kind))
        if bit == EXCUSE_BIT:
            self._excuse_in = trick
        player = self.active[local]
        if self.called is not None and player != self.taker:
            if PACK.cards[place] == self.called:
                self.partner = player  # FT-5-1: "who has it is his partner"
            elif bit & above_call(self.called):
                self._refute_call([PACK.cards[place]])
        self._judge(known_at)

    def _said(self, place: int, table: int, led: str, number: int) -> list[tuple[str, int]]:
        """What the card `place`, the play `number`, put to the cards `table`, says (FT-CLAIM-1).

        Each is a kind and the cards that its player says he does not hold. `led` is the suit led.
        """
        letter, bit = PACK.letter[place], 1 << place
        if bit == EXCUSE_BIT:
            return []  # FT-EXCUSE-1: "It may be played to any trick"
        if not table:
            # FT-PLAY-2: "Any card may be led (but FT-5-4)."
            return (
                [("called_suit_led", _ALL & ~self._small_of_call())]
                if self._leads_the_call(place, number)
                else []
            )
        if table == EXCUSE_BIT:
            return []  # FT-EXCUSE-2: it is the suit led
        said = []  # FT-PLAY-5: "In a suit there is no duty to beat."
        if letter != led:
            # FT-PLAY-3: "Follow suit if you can …. Else play a trump if you have one."
            said.append(("revoke", PACK.denied(led, letter)))
        above = table & TRUMPS
        if bit & TRUMPS and above > bit:
            # FT-PLAY-4: he must go over the highest trump in the trick if he can.
            said.append(("under_trump", TRUMPS >> above.bit_length() << above.bit_length()))
        return [(kind, mask) for kind, mask in said if mask]

    def _leads_the_call(self, place: int, number: int) -> bool:
        """FT-5-4: whether the first card of all is of the suit called, but not the called card."""
        return number == 1 and bool(self._small_of_call() >> place & 1)

    def _small_of_call(self) -> int:
        """The cards of the suit called but for the called card, a mask; none where nothing is called."""
        if self.called is None:
            return 0
        return PACK.suit_mask[self.called[0]] & ~(1 << _INDEX[self.called])

    def legal_plays(self, player: str, cards: int) -> int:
        """Those of `cards`, a mask, that `player` may play now if they are all that he holds: a mask.

        FT-5-4 ruling: who holds nothing but the suit called may lead it, but the called card first.
        """
        trick = self.trick
        table, led = (trick.cards, trick.suit or "") if trick is not None else (0, "")
        number = len(self.plays) + 1
        return sum(
            1 << place
            for place in indices(cards)
            if not any(mask & cards for _, mask in self._said(place, table, led, number))
        )

    def trick_won(self, trick: Trick, winner: int) -> None:
        """FT-PLAY-1: who won leads next; the last one ends the deal."""
        if trick.number == self.tricks_in_all:
            self.complete = True
            self.close_gaps()
            if self.what_is_missing() is None and not self.unseen_tricks:
                self._finish((trick.number, len(self.plays)))

    def taken_back(self, count: int) -> Entries:
        """The entries without the last `count` plays; not back behind a handful, and not where the deal is void."""
        if self.void:
            raise EventError("the deal is void: nothing is taken back")
        shown = max((handful.plays for handful in self.handfuls), default=0)
        if len(self.plays) - shown < count <= len(self.plays):
            raise EventError("plays are not taken back behind a handful")
        return super().taken_back(count)

    # -- claims --------------------------------------------------------------------------------------------

    def _claim(self, kind: str, mask: int, local: int | None = None) -> None:
        """A claim that is no play: by what was laid or shown. The taker's, unless it says whose."""
        if local is None:
            local = self._local[self.taker or ""]
        self.denials.make(Denial(local, 0, len(self.plays), _EXCUSE_PLACE, mask, "", kind))

    def could_hold(self, player: str) -> int:
        """FT-CLAIM-2: the cards, a mask, that `player` could hold.

        "Nobody can hold a card that was played or laid face up; nobody but the taker one of the dog that was turned up;
        nobody but him who showed it one of a handful."
        """
        others = 0 if player == self.taker else self.dog or 0
        for local, owner in enumerate(self.active):
            if owner != player:
                others |= self._shown[local]
        return _ALL & ~self.gone & ~others

    def _judge(self, known_at: tuple[int, int]) -> None:
        """FT-CLAIM-3: after each play, and each handful and the discard; where both come together it is shown."""
        for local, cards in enumerate(self._shown):
            if cards & ~self.gone:
                self._report(self.denials.see(local, cards & ~self.gone, known_at))
        if self.denials.due <= known_at[1] or self.handfuls:
            could = [self.could_hold(player) for player in self.active]
            left = [self.left(local) for local in range(len(self.active))]
            self._report(self.denials.count(could, left, known_at))

    def _report(self, changed: list[Denial]) -> None:
        self._claims += [denial for denial in changed if denial not in self._claims]

    def _refute_call(self, cards: list[str]) -> None:
        """FT-CALLX: cards above the called one that were not the taker's; the first one makes it certain."""
        if cards and not self._refuting:
            self._refuted_at = self.known_now()
        self._refuting += cards

    # -- the end -------------------------------------------------------------------------------------------

    def _finish(self, known_at: tuple[int, int]) -> None:
        """All cards are played: what was laid and how all were dealt is known, and the deal is scored."""
        assert self.contract is not None
        played = sum(self.shown)
        self.aside = _ALL & ~played
        if self.contract.takes_dog:
            self._judge_laid(self.aside & ~(self.laid or 0), known_at)
            self._judge_trumps_laid(known_at)
        elif self.called is not None:
            self._refute_call(PACK.names(self.aside & above_call(self.called)))
        self._judge_petit_sec(known_at)
        self._score()

    def _judge_laid(self, cards: int, known_at: tuple[int, int] | None) -> None:
        """FT-DOG-3: "Never a king, never a bout"; FT-DOG-4: trumps face up. `known_at` is None where they lay so."""
        assert self.taker is not None
        for card in PACK.names(cards & (KINGS | BOUTS_MASK)):
            self._add("FT-DOG-3", "bad_discard", self.taker, known_at, card=card)
        if known_at is not None and self.laid is not None:
            for card in PACK.names(cards & TRUMPS & ~BOUTS_MASK):
                self._add("FT-DOG-4", "discard_not_shown", self.taker, known_at, card=card)

    def _judge_trumps_laid(self, known_at: tuple[int, int]) -> None:
        """FT-DISC: trumps laid face down, none face up, and he kept a suit card that was no king."""
        assert self.taker is not None and self.aside is not None
        trumps = TRUMPS & ~BOUTS_MASK
        if (self.laid or 0) & trumps or not self.aside & trumps:
            return
        kept = SUIT_CARDS & ~KINGS
        evidence = [
            play for play in self.plays if play.player == self.taker and kept >> _INDEX[play.card] & 1
        ]
        if evidence:
            self._add(
                "FT-DOG-4",
                "needless_trump",
                self.taker,
                known_at,
                status="shown",
                evidence=tuple(play.card for play in evidence),
            )

    def _judge_petit_sec(self, known_at: tuple[int, int]) -> None:
        """FT-DEAL-5: who was dealt T1, no other trump and no Excuse, and kept quiet."""
        assert self.contract is not None and self.aside is not None
        for local, player in enumerate(self.active):
            dealt = self.shown[local]
            if player == self.taker and self.contract.takes_dog:
                if self.dog is None:
                    continue  # what he was dealt is not known
                dealt = (dealt | self.aside) & ~self.dog
            if dealt & (TRUMPS | EXCUSE_BIT) == PETIT_BIT:
                self._add("FT-DEAL-5", "petit_sec", player, known_at, card=PETIT)

    def tricks_of(self, side: str) -> int:
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
        if trick.number == self.tricks_in_all and not slam:
            # FT-EXCUSE-4: "Played to the last trick it changes sides, unless its side makes a slam."
            return Excuse(player, trick.number, trick.winner, other, "lost")
        if self.side_of(trick.winner) == own:
            state = "kept"
        else:
            # FT-EXCUSE-3: "a low card (½) from a trick of its own"; FT-EXCUSE-6: who has none owes it.
            state = "exchanged" if self.tricks_of(own) & LOW_CARDS else "owed"
        return Excuse(player, trick.number, trick.winner, own, state)

    def _score(self) -> None:
        """FT-COUNT-1 to FT-SCORE-4, with what people awarded (FT-REN-4)."""
        contract = self.contract
        assert contract is not None and self.aside is not None
        ours = self.tricks_of("taker")
        if contract.dog_to == "taker":
            ours |= self.aside  # FT-DOG-2: "They count with his tricks"
        excuse = self.excuse
        if excuse is None or excuse.to is None:
            counted_as = ExcuseOutcome("taker" if ours & EXCUSE_BIT else "defence", paid=False)
        else:
            counted_as = ExcuseOutcome(excuse.to, paid=excuse.state != "kept")
        counted = count(ours, counted_as, self.awards)
        handfuls = [self.worth_of(handful) for handful in self.handfuls if self._counts(handful, counted)]
        tricks = self.tricks_won_by("taker")
        happened = Happened(self._petit_au_bout(), handfuls, tricks, self.tricks_in_all, self.slam)
        self._book_deal(contract, counted, happened)

    def _book_deal(self, contract: Contract, counted: Count, happened: Happened) -> None:
        lines = deal_lines(contract, counted, happened)
        self.outcome = Outcome(counted, tuple(lines))
        self._write(lines)

    def settle(self, result: ResultEntered) -> None:
        """The deal by its `result`, scored as if its cards had been seen."""
        self._must_stand()
        check_result(result, self.active)
        if result.contract == PASS:
            self._end("passed")
            return
        assert result.taker is not None and result.halves is not None and result.bouts is not None
        self._must_not_be_barred(result.taker)
        self.contract, self.taker, self.partner = CONTRACTS[result.contract], result.taker, result.partner
        self.slam = result.slam_announced
        petit = result.petit_au_bout and ("FT-PETIT-1", result.petit_au_bout == "taker")
        # A side with every trick has all of them or none; else some number between.
        tricks = {"taker": self.tricks_in_all, "defence": 0, None: 1}[result.slam]
        handfuls = [HANDFULS[size] for _, size in result.handfuls]
        happened = Happened(petit or None, handfuls, tricks, self.tricks_in_all, self.slam)
        self._book_deal(self.contract, compared(result.halves, result.bouts), happened)

    def enter_result(self, result: ByResult) -> None:
        """The deal is over; where all passed it is void, and does not count."""
        super().enter_result(result)
        self.complete = not self.void

    def _petit_au_bout(self) -> tuple[str, bool] | None:
        """The rule by which the petit counts, and whether for the taker's side; None where it was played before."""
        last = self.tricks[-1]
        if last.cards & PETIT_BIT:
            return "FT-PETIT-1", self.side_of(last.winner or "") == "taker"
        before = self.tricks[-2]
        by_excuse = last.plays[0].card == EXCUSE and last.winner == last.leader
        if by_excuse and before.cards & PETIT_BIT:
            # FT-PETIT-2: "In a slam that the Excuse closes …, the last trick but one is meant."
            return "FT-PETIT-2", self.side_of(before.winner or "") == "taker"
        return None

    def _write(self, lines: list[Line]) -> None:
        """Put `lines` on the score sheet instead of those that stood there; what people wrote stands last."""
        for place in reversed(range(len(self.scores))):
            if self.scores[place].reason not in PERSONAL:
                self.ledger.rewrite(self.scores, place, None)
        if lines and self.taker is not None:
            got = shares(self.active, self.taker, self.partner)
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
        found = [self._claim_finding(denial) for denial in self._claims]
        found += self._found
        if self._refuting:
            found.append(
                Finding(
                    "FT-5-2",
                    "call_forbidden",
                    self.taker,
                    None,
                    0,
                    self._refuted_at,
                    card=self.called,
                    evidence=tuple(self._refuting),
                )
            )
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
        """The cards that show a claim to be false, each with its trick: played later, or shown in a handful."""
        number = {play.card: play.number for play in self.plays}
        found = [(number[PACK.cards[place]], PACK.cards[place], trick) for place, trick in denial.evidence]
        for handful in self.handfuls:
            since = max(handful.plays, denial.play)
            if self._local[handful.player] == denial.player:
                lying = [card for card in handful.cards if denial.mask >> _INDEX[card] & 1]
                lying = [
                    card for card in lying if number.get(card, since + 1) > since and not self._was_laid(card)
                ]
                trick = (since + len(self.active) - 1) // len(self.active)
                found = [one for one in found if one[1] not in lying]
                found += [(since, card, trick) for card in lying]
        return [(card, trick) for _, card, trick in sorted(found, key=lambda one: one[0])]

    def _was_laid(self, card: str) -> bool:
        return bool((self.laid or 0) >> _INDEX[card] & 1)

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
        player = finding.player or ""
        taker, defends = player == self.taker, self.side_of(player) == "defence"
        consumed = None
        fined, warning, annul = True, False, True
        match finding.kind:
            case "revoke" | "under_trump" | "called_suit_led":
                # FT-REN-3: "consumed by the first card of the next trick; before that it is an exposed card".
                consumed = len(self.tricks) > (finding.trick or 0)
                if not consumed:
                    fined, warning, annul = not taker, not taker, False
            case "lead_out_of_turn" | "play_out_of_turn":
                fined, warning, annul = not taker, not taker, False  # FT-REN-2: "not for the taker"
            case "handful_excuse":
                warning = True
            case "handful_incomplete":
                warning, annul = True, defends
            case "handful_too_many":
                # FT-REN-6: "The taker may show … too many, for nothing"; the partner is warned as a defender is.
                fined, warning, annul = not taker, not taker, defends
            case "handful_late":
                handful = next(one for one in self.handfuls if one.player == player)
                warning, annul = True, defends and self.fault_of(handful) == "other_time"
        return FrenchFinding(
            finding.rule,
            finding.kind,
            finding.player,
            finding.trick,
            self.rules.penalty if fined else 0,
            finding.known_at,
            finding.card,
            finding.status,
            finding.evidence,
            finding.evidence_tricks,
            suit=finding.suit,
            warning=warning,
            annul=annul,
            consumed=consumed,
        )

    @property
    def annul_proposed(self) -> bool:
        """FT-REN-4: "the deal is void if the side at fault wins it"."""
        if self.outcome is None:
            return False
        winners = "taker" if self.outcome.counted.won else "defence"
        return any(one.annul and self.side_of(one.player or "") == winners for one in self.findings)

    def _add(
        self,
        rule: str,
        kind: str,
        player: str,
        known_at: tuple[int, int] | None,
        *,
        card: str | None = None,
        trick: int | None = None,
        status: str | None = None,
        evidence: tuple[str, ...] = (),
    ) -> None:
        self._found.append(
            Finding(rule, kind, player, trick, 0, known_at, card=card, status=status, evidence=evidence)
        )

    # -- small helpers -------------------------------------------------------------------------------------

    def _must_stand(self) -> None:
        if self.void:
            raise EventError("the deal is void")
        if self.abandoned:
            raise EventError("the hand was abandoned")

    def _must_be_named(self) -> None:
        self._must_stand()
        if self.contract is None:
            raise EventError("the contract is not known yet")

    def _must_be_before_play(self) -> None:
        self._must_stand()
        if self.plays:
            raise EventError("a hand cannot be dealt again after the first play")

    def must_be_active(self, player: str) -> None:
        """Raise EventError unless `player` plays this deal, and it is not over or void."""
        if player in self._local:
            self._must_stand()
        super().must_be_active(player)

    def _must_be_cards(self, cards: tuple[str, ...]) -> None:
        for card in cards:
            if card not in _INDEX:
                raise EventError("unknown card {card!r}", card=card)
        if len(set(cards)) != len(cards):
            raise EventError("each card is named once")
