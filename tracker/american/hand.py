"""One round of American Tarock, folded event by event: bids, the Talon, twelve tricks, scores and findings.

What happened is recorded, legal or not; breaches are found in the history (`findings`), and only what cannot
have happened at all is refused (EventError).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from tracker.american.contracts import (
    BONUSES,
    COLOUR_VALAT,
    CONTRACTS,
    FIRST_IN_COMPULSORY,
    KLOP,
    PASS,
    Contract,
)
from tracker.american.pack import (
    CALLABLE_KINGS,
    FIVES,
    KINGS_MASK,
    MOND_BIT,
    PACK,
    PAGAT_MASK,
    PLAIN,
    SKEENCH_BIT,
    TAROCKS,
    TRULA_MASK,
)
from tracker.american.result import ResultEntered, check_result
from tracker.american.rule_sets import AmericanRules
from tracker.american.scoring import (
    Line,
    Played,
    RoundOutcome,
    achieved_lines,
    klop_lines,
    klop_scores,
    side_lines,
)
from tracker.denials import Denial, Denials
from tracker.errors import EventError
from tracker.events import CardPlayed, Entries
from tracker.findings import Finding
from tracker.pack import indices
from tracker.score_sheet import ScoreSheet, ScoreSheetHand
from tracker.tricks import Play, Trick

HELD: Final = 12
"""Cards a player."""
PLAYS: Final = 48
TRICKS: Final = 12
VITAMINS: Final = 6
MISDEAL: Final = 20
"""AT-DEAL-6: what the first misdeal costs its dealer; the second costs twice as much, and so on."""
_ALL: Final = PACK.all_cards
_INDEX: Final = PACK.index
_PAGAT_PLACE: Final = _INDEX["T1"]
_CAPTURED: Final = MOND_BIT | SKEENCH_BIT
DENIAL_RULES: Final = {
    "revoke": "AT-PLAY-3",
    "tarock_led": "AT-PLAY-6",
    "must_beat": "AT-NEG-1",
    "pagat_early": "AT-NEG-2",
    "pagat_not_kept": "AT-ANN-4",
}
"""The rule that each kind of denial breaks where it was false (AT-REV-1)."""
NEVER_FINED: Final = ("lead_out_of_turn", "play_out_of_turn", "compulsory_klop_missed")
"""What is reported without a fine (AT-ORDER, AT-COMP-2)."""


class AmericanHand(ScoreSheetHand):
    """The fold of one round. Read its attributes; only the session applies events to it.

    `active` are the players from the dealer's right on (AT-DEAL-1): the order of the bids, their seniority and the
    play. `contract` is the game that is played in the end, `declarer` who plays it; None while none stands. `called`
    is the called card, None while it is not known; `partner` who played it. `taken`, `rest` and `laid` (face up) are
    masks, None while nothing is known. `vitamins` are those of the tricks, by number. `scores` are the lines that it
    wrote on the score sheet. `findings` are in order of discovery; `gaps`, `alerts` as in every game. `denials` are
    what the plays said of the hands, `foreign_kings` those that the call must reckon with: not the declarer's.

    A game that is decided early is `complete`, and may be played on (AT-HIGH). `strict`, as in session files, wants
    the game to be known before a card is played; live, people may enter it later.
    """

    def __init__(
        self,
        number: int,
        dealer: str,
        ring: tuple[str, ...],
        rules: AmericanRules,
        score_sheet: ScoreSheet,
        *,
        compulsory: bool,
        skeench_round: bool,
        last_dealer: str | None,
        strict: bool,
    ) -> None:
        self.rules = rules
        self.strict = strict
        self.compulsory = compulsory  # AT-COMP-1
        self.skeench_round = skeench_round  # AT-END-1
        self.last_dealer = last_dealer  # as known before this round
        self.skeench_called = False
        active = (*ring[1:], dealer)
        super().__init__(number, dealer, active, (), ring[1], ring, PACK, score_sheet)

    def start_play(self) -> None:
        """A new deal: all bids and what followed are void."""
        super().start_play()
        self.bids: list[tuple[str, str]] = []
        self.contract: Contract | None = None
        self.declarer: str | None = None
        self.raised_from: Contract | None = None
        self.call: str | None = None
        self.called: str | None = None
        self.partner: str | None = None
        self.talon: tuple[str, ...] | None = None
        self.taken: int | None = None
        self.rest = 0
        self.rest_to: str | None = None
        self.rest_winner: str | None = None  # in whose tricks it lies, where it went with one
        self.laid: int | None = None
        self.announced: list[tuple[str, str]] = []
        self.opened = False
        self.vitamins: dict[int, str] = {}
        self.outcome: RoundOutcome | None = None
        self.discards: int | None = None
        self._named = False  # whether the game was named beside the bids
        self._found: list[Finding | Denial] = []
        self.denials = Denials(4)
        self._left = [HELD] * 4
        # What only the declarer can hold: the group that he took, or the hand that he laid open.
        self._reserved = 0
        self._beats = False  # whether the highest card must be beaten if it can be
        self._free_lead = self.rules.free_lead
        self._keeps_pagat: set[str] = set()  # AT-ANN-4
        self.foreign_kings: list[str] = []  # which were not the declarer's (AT-CALLX)

    # -- bidding -------------------------------------------------------------------------------------------

    @property
    def bidder(self) -> str | None:
        """Whose bid it is; None where the bidding is over, or the game was named without."""
        if self._named or self.bidding_is_over:
            return None
        out = {player for player, game in self.bids if game == PASS}
        place = self._local[self.bids[-1][0]] + 1 if self.bids else 0
        return next(player for player in (self.active[place:] + self.active[:place]) if player not in out)

    @property
    def bidding_is_over(self) -> bool:
        """AT-BID-1: it ends when three have passed, and with no bid when all four have (AT-BID-4)."""
        passed = sum(game == PASS for _, game in self.bids)
        return passed == 4 or (passed == 3 and len(self.bids) > 3)

    def highest_bid(self) -> tuple[str, Contract] | None:
        """Who bid highest, and what: the last bid that was no pass."""
        bids = [(player, CONTRACTS[game]) for player, game in self.bids if game != PASS]
        return bids[-1] if bids else None

    def lowest_allowed(self, player: str) -> int:
        """AT-BID-2: the place of the lowest contract that `player` may bid now.

        A junior must go higher than the last bid; a senior may also match it. AT-COMP-2 is not asked here.
        """
        highest = self.highest_bid()
        if highest is None:
            return 1
        bidder, contract = highest
        return contract.place + (self._local[player] > self._local[bidder])

    def bid(self, player: str, game: str) -> None:
        """AT-BID-1 and AT-BID-2: one more bid or pass; what is not allowed was put right at once, so it is an error."""
        self.must_be_active(player)
        if self._named or self.bidding_is_over:
            raise EventError("{player} cannot bid: the bidding is over", player=player)
        if player != self.bidder:
            raise EventError("{player} cannot bid: it is {bidder}'s turn", player=player, bidder=self.bidder)
        if game != PASS and CONTRACTS[game].place < self.lowest_allowed(player):
            raise EventError("{player} cannot bid {game}: that is too low", player=player, game=game)
        self.bids.append((player, game))
        if self.bidding_is_over:
            highest = self.highest_bid()
            # AT-BID-4: all four passed. AT-BID-3: his last bid, unless he names a higher game.
            self._set_contract(*(highest or (None, KLOP)))

    def agrees_with_bids(self, game: str, declarer: str | None) -> bool:
        """AT-BID-3, AT-BID-4: whether the bids, if any, can have led to `game`, played by `declarer`."""
        highest = self.highest_bid()
        if not self.bids:
            return True
        if highest is None:
            return game == KLOP.name and declarer is None
        return CONTRACTS[game].place >= highest[1].place and declarer in (None, highest[0])

    def name_contract(self, game: str, declarer: str | None) -> None:
        """AT-BID-3: the declarer names his last bid or a higher game; AT-BID-5: bids were not recorded."""
        contract = CONTRACTS[game]
        if declarer is not None:
            self.must_be_active(declarer)
        if self._named or self.talon is not None or self.call is not None:
            raise EventError("the game was already named")
        if self.bids:
            if not self.bidding_is_over:
                raise EventError("the game is named when the bidding is over")
            highest = self.highest_bid()
            if highest is None:
                if contract is not KLOP or declarer is not None:
                    raise EventError("all four passed: Klop is played, and nobody declares it")
            else:
                if contract.place < highest[1].place:
                    raise EventError(
                        "{game} is lower than the last bid, {bid}", game=game, bid=highest[1].name
                    )
                if declarer not in (None, highest[0]):
                    raise EventError("{player} is not the highest bidder", player=declarer)
                declarer = highest[0]
        elif contract is KLOP and declarer is not None:
            raise EventError("{game} has no declarer", game=game)
        elif contract is not KLOP and declarer is None:
            raise EventError("{game} needs a declarer", game=game)
        self._named = True
        self._set_contract(declarer, contract)

    @property
    def eldest_leads(self) -> bool:
        """AT-PLAY-1: in Klop and the normal games; in the others, and while no game is known, he need not."""
        return self.contract is not None and (self.contract is KLOP or self.contract.normal)

    @property
    def cards_stay(self) -> bool:
        """AT-HIGH-2, AT-HIGH-4: in a Barach the cards stay before their players."""
        return self.contract is not None and self.contract.aim == "none"

    def _set_contract(self, declarer: str | None, contract: Contract) -> None:
        self.contract = contract
        self.declarer = declarer
        self._beats = contract.beats
        self._free_lead = self.rules.free_lead or contract is COLOUR_VALAT
        # AT-PLAY-1: the player at the dealer's right leads, in the higher games the declarer.
        leads = declarer is not None and not contract.normal
        self._turn = self._local[declarer] if leads and declarer is not None else 0
        self._reprice()

    @property
    def klop_missed(self) -> bool:
        """AT-COMP-2: in a compulsory Klop a game from Three to Barach was bid or named, raised later or not."""
        named = self.raised_from or self.contract
        bids = [CONTRACTS[game] for _, game in self.bids if game != PASS]
        said = [*bids, named] if named else bids
        return self.compulsory and any(0 < contract.place < FIRST_IN_COMPULSORY for contract in said)

    # -- the call and the Talon ----------------------------------------------------------------------------

    def make_call(self, call: str) -> None:
        """AT-CALL-1 and AT-CALL-2: the king of a suit, his own too.

        AT-CALL-4 and AT-CALL-5: a card of the Trula, or "the fourth king"; whether he might, the play shows.
        """
        self._must_not_be_abandoned()
        if self.contract is None or not self.contract.calls:
            raise EventError("nothing is called in this game")
        if self.call is not None:
            raise EventError("a card was already called")
        self.call = call
        if call != "fourth":
            self.called = CALLABLE_KINGS.get(call, call)

    def turn_talon(self, cards: tuple[str, ...]) -> None:
        """AT-TALON-1: the six cards, in the order dealt."""
        self._must_not_be_abandoned()
        if self.contract is None or not self.contract.normal:
            raise EventError("the Talon is not turned up in this game")
        if self.contract.calls and self.call is None:
            raise EventError("a king is called before the Talon is turned up")
        if self.talon is not None:
            raise EventError("the Talon was already turned up")
        self._must_be_cards(cards)
        if len(cards) != 6 or len(set(cards)) != 6:
            raise EventError("the Talon is six different cards")
        self.talon = cards
        for card in cards:
            if card in CALLABLE_KINGS.values():
                self._foreign_king(card, None)

    def take_group(self, group: int) -> None:
        """AT-TALON-1: the declarer takes one group of 3, 2 or 1; AT-TALON-2: the others lie aside."""
        self._must_not_be_abandoned()
        if self.talon is None or self.contract is None or self.declarer is None:
            raise EventError("the Talon is turned up before a group of it is taken")
        if self.taken is not None:
            raise EventError("a group of the Talon was already taken")
        size = self.contract.exchange
        if not 0 <= group < 6 // size:
            raise EventError("there is no group {group} in the Talon", group=group)
        taken = PACK.mask(self.talon[group * size : (group + 1) * size])
        self.taken = taken
        self.rest = PACK.mask(self.talon) & ~taken
        self.gone |= self.rest
        self._reserved = taken
        # AT-TALON-4: who wins the called card that he took wins the rest with it.
        if not taken & self._called_bit:
            self._settle_rest("opponents", None)

    def lay_face_up(self, cards: tuple[str, ...]) -> None:
        """AT-TALON-7: tarocks are laid face up; AT-TALON-5, AT-TALON-6: what may not be laid is known at once."""
        self._must_not_be_abandoned()
        if self.taken is None:
            raise EventError("cards are laid when a group of the Talon was taken")
        if self.laid is not None:
            raise EventError("it was already said what was laid face up")
        self._must_be_cards(cards)
        if len(set(cards)) != len(cards):
            raise EventError("a card is laid once")
        if len(cards) > self.taken.bit_count():
            raise EventError(
                "{count} cards were laid, and {taken} taken", count=len(cards), taken=self.taken.bit_count()
            )
        laid = PACK.mask(cards)
        if laid & self.gone:
            raise self.already_seen(PACK.names(laid & self.gone)[0], "card_seen_twice")
        self.laid = laid
        self.gone |= laid
        self._judge_discards(laid, None)
        if laid & self._called_bit & self.taken:
            self._settle_rest("opponents", None)  # it cannot win a trick any more

    def announce(self, player: str, bonus: str) -> None:
        """AT-ANN-1 and AT-ANN-6: after the exchange anyone may announce, for his side."""
        self.must_be_active(player)
        if self.raised_from is not None:
            raise EventError("nothing is announced after a raise")
        if self.taken is None:
            raise EventError("bonuses are announced after the exchange, in a game that has one")
        if (player, bonus) in self.announced:
            raise EventError("{player} already announced it", player=player)
        self.announced.append((player, bonus))
        if bonus == "pagat_ultimo":
            self._keeps_pagat.add(player)
        self._reprice()

    def raise_game(self) -> None:
        """AT-ANN-5: a solo game becomes a Colour Valat; what was announced is void, and no Mond is captured."""
        self._must_not_be_abandoned()
        contract = self.contract
        if contract is None or not contract.normal or contract.calls or self.taken is None:
            raise EventError("only a solo game is raised to Colour Valat, after the exchange")
        self.raised_from = contract
        self.announced = []
        self._keeps_pagat = set()
        self._cancel_mond()
        self.rest_to = None
        self._set_contract(self.declarer, COLOUR_VALAT)

    @property
    def _called_bit(self) -> int:
        return 1 << _INDEX[self.called] if self.called is not None else 0

    @property
    def is_called_in_talon(self) -> bool:
        """AT-CALL-3: whether the called card lies in the Talon, so that the declarer is alone."""
        return self.called is not None and self.called in (self.talon or ())

    @property
    def thrown_cards(self) -> frozenset[str]:
        """AT-TALON-4: when the called king that he took is played, the rest of the Talon is thrown on it."""
        newest = self.tricks[-1].cards if self.tricks else 0
        return frozenset(PACK.names(self.rest if newest & self._called_bit & (self.taken or 0) else 0))

    def _foreign_king(self, card: str, player: str | None) -> None:
        """AT-CALLX: a king that was not dealt to the declarer; `player` played it, None: it lay in the Talon."""
        if self.call is None or self.call in CALLABLE_KINGS:
            return
        self.foreign_kings.append(card)
        count = len(self.foreign_kings)
        if self.call == "fourth":
            if count == 1:
                # AT-CALL-5: the king turned up in the Talon, else the first one played by somebody else.
                self.called, self.partner = card, player
            elif count == 2:
                self._refute_call()
        elif count == 1:
            self._refute_call()

    def _refute_call(self) -> None:
        """AT-CALL-4: only with all four kings a card of the Trula; AT-CALL-5: only with three "the fourth king"."""
        rule, card = ("AT-CALL-5", None) if self.call == "fourth" else ("AT-CALL-4", self.call)
        self._add(rule, "call_forbidden", self.declarer, None, self.known_now(), card=card)

    def _settle_rest(self, side: str, winner: str | None) -> None:
        """AT-TALON-2 to AT-TALON-4: who has the rest of the Talon; AT-MOND-2, AT-MOND-3: what a Mond in it costs."""
        self.rest_to = side
        self.rest_winner = winner
        if side == "opponents" and self.rest & MOND_BIT:
            assert self.declarer is not None
            self.book("AT-MOND-2", "mond", self.declarer, -self.rules.mond_penalty)

    # -- dealing again, Skeench-a-tola ---------------------------------------------------------------------

    def redeal(self, reason: str, misdeals: int) -> None:
        """AT-DEAL-5 and AT-DEAL-6: the same dealer deals again; `misdeals` are his so far, with this one."""
        if self.abandoned:
            raise EventError("the hand was abandoned")
        self._cancel_mond()
        self.start_play()
        if reason == "misdeal":
            # AT-DEAL-6: 20, then 40, then 60, through the session.
            self.book("AT-DEAL-6", "misdeal", self.dealer, -MISDEAL * misdeals)
        else:
            self.compulsory = True  # AT-DEAL-5

    def _cancel_mond(self) -> None:
        """What a captured Mond cost is void: the cards are dealt again, or the game was raised."""
        for place in reversed(range(len(self.scores))):
            if self.scores[place].reason == "mond":
                self.ledger.rewrite(self.scores, place, None)
        self.tell_payments()

    def call_skeench(self, player: str) -> None:
        """AT-END-1: the dealer calls it, once, and not when the last dealer is known."""
        self.must_be_active(player)
        if player != self.dealer:
            raise EventError("{player} cannot call Skeench-a-tola: only the dealer can", player=player)
        if self.last_dealer is not None:
            raise EventError("{player} is the last dealer already", player=self.last_dealer)
        if self.skeench_called:
            raise EventError("Skeench-a-tola was already called")
        self.skeench_round = self.skeench_called = True

    def skeench_to(self) -> str | None:
        """AT-END-2: in whose tricks the Skeench lies, discards and the rest of the Talon that he won included.

        None in a Talon that nobody won, or where it was not seen.
        """
        if isinstance(self.result, ResultEntered):
            return self.result.skeench
        for trick in self.tricks:
            if trick.winner is not None and (
                trick.cards & SKEENCH_BIT or self.vitamins.get(trick.number) == "F"
            ):
                return trick.winner
        if ((self.discards or 0) | (self.laid or 0)) & SKEENCH_BIT:
            return self.declarer
        return self.rest_winner if self.rest & SKEENCH_BIT else None

    @property
    def rounds_left(self) -> int | None:
        """AT-END-1: how many rounds follow this one, once the last dealer is known; 0: the game is over."""
        last = self.last_dealer or (self.skeench_to() if self.skeench_round else None)
        if last is None:
            return None
        distance = self.seats.index(last) - self.seats.index(self.dealer)
        # Whoever finds himself the last dealer as he deals has four more rounds before him.
        return distance % 4 or (4 if self.last_dealer is None else 0)

    # -- the play ------------------------------------------------------------------------------------------

    def what_is_missing(self) -> Literal["game", "call", "talon"] | None:
        """What must be known before a card can be judged and the round scored; None where it all is."""
        contract = self.contract
        if self.result is not None:
            return None
        if contract is None:
            return "game"
        if self.raised_from is not None or not contract.normal:
            return None
        if contract.calls and self.call is None:
            return "call"
        return "talon" if self.taken is None else None

    @property
    def awaits_word(self) -> bool:
        """Until game and call are known, what lies open may be the Talon, discards or plays."""
        return not (self.complete or self.abandoned) and self.what_is_missing() in ("game", "call")

    def _must_be_ready(self) -> None:
        missing = self.what_is_missing()
        if missing == "game":
            raise EventError("the game must be named before a card is played")
        if missing == "call":
            raise EventError("a king must be called before a card is played")
        if missing == "talon":
            raise EventError("a group of the Talon must be taken before a card is played")

    @property
    def all_played(self) -> bool:
        """Whether the last trick is over."""
        return len(self.tricks) == TRICKS and self.trick is None

    def play(self, event: CardPlayed, seq: int) -> None:
        """A card, judged by what it says of its player's hand."""
        if self.result is not None:
            raise self.unplayable(event.player, event.card)
        if not self.plays and self.strict:
            self._must_be_ready()
        if self._reserved:
            self._check_reserved(event)
        if not self.complete:
            super().play(event, seq)
            return
        # AT-HIGH: the round is decided; the rest need not be played, and is judged if it is.
        self.complete = self.all_played
        try:
            super().play(event, seq)
        finally:
            self.complete = True

    def _check_reserved(self, event: CardPlayed) -> None:
        """Nobody else has a card that the declarer took or laid open, and then he has no other."""
        place = _INDEX.get(event.card)
        if place is None or self.gone >> place & 1:
            return
        his = self._reserved >> place & 1
        if his and event.player != self.declarer:
            raise EventError("{card} is {owner}'s", "card_seen_twice", card=event.card, owner=self.declarer)
        if self.opened and not his and event.player == self.declarer:
            raise EventError(
                "{card} is not in {owner}'s open hand",
                "card_seen_twice",
                card=event.card,
                owner=self.declarer,
            )

    def seen_aside(self, card: str, kind: str) -> EventError:
        """Where a card lies that is gone though nobody played it."""
        if card in self.vitamins.values():
            return EventError("{card} was turned up as a vitamin", kind, card=card)
        if self.rest >> _INDEX[card] & 1:
            return EventError("{card} lies in the Talon", kind, card=card)
        return EventError("{card} was laid face up", kind, card=card)

    def winner_of(self, trick: Trick) -> int:
        """AT-PLAY-4: the highest tarock, or the suit led; AT-PLAY-5: the emperor trick."""
        suit = trick.suit
        assert suit is not None
        can_win = self.pack.winning[suit]
        if self.contract is COLOUR_VALAT:
            can_win = self.pack.suit_mask[suit]
        can_win &= trick.cards
        if can_win & TRULA_MASK == TRULA_MASK:
            can_win = PAGAT_MASK
        best = can_win.bit_length() - 1
        return next(local for local, cards in enumerate(self.shown) if cards >> best & 1)

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """AT-ORDER: it was another's turn, or another's lead."""
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        self._add("AT-ORDER", kind, play.player, trick.number, (trick.number, play.number), card=play.card)

    def card_played(self, local: int, place: int, denied: int, led: str, trick: Trick) -> None:
        """What the card shows of its player's hand, and what it settles."""
        bit = 1 << place
        number = len(self.plays)
        denials = self.denials
        self._left[local] -= 1
        known_at = (trick.number, number)
        changed = denials.show(local, place, known_at)
        said = self._said(local, place, trick.cards & ~bit, trick.suit or "", trick.number)
        for kind, mask in said:
            denials.make(Denial(local, trick.number, number, place, mask, led, kind))
        if bit & TAROCKS:
            self._free_lead = True  # AT-PLAY-6: "until a tarock has been played"
        if changed:
            self._report(changed)
        if self.opened or denials.due <= number:
            self._judge_denials(known_at)
        if bit & FIVES:
            self._five_played(local, bit, trick)

    def _said(self, local: int, place: int, table: int, led: str, number: int) -> list[tuple[str, int]]:
        """What the card `place`, played to the cards `table` of trick `number`, says (AT-REV-1).

        Each is a kind and the cards that its player says he does not hold. `led` is the suit led.
        """
        said = []
        bit = 1 << place
        letter = self.pack.letter[place]
        tarock = bit & TAROCKS
        if not table:
            if tarock and not self._free_lead:
                said.append(("tarock_led", PLAIN))  # AT-PLAY-6: he leads one only if he holds nothing else
        elif letter != led:
            # AT-PLAY-3: he has none of the suit led, nor a tarock unless it is one.
            said.append(("revoke", self.pack.denied(led, letter)))
        if place == _PAGAT_PLACE:
            others = (TAROCKS if table else _ALL) & ~bit
            if self._beats:
                # AT-NEG-2: not before it is the last card or the last tarock; the emperor trick it may win.
                if table & _CAPTURED != _CAPTURED:
                    said.append(("pagat_early", others))
            elif number < TRICKS and self.active[local] in self._keeps_pagat:
                # AT-ANN-4: he keeps it for the last trick if he can.
                said.append(("pagat_not_kept", others))
        elif self._beats and (tarock or (letter == led and not table & TAROCKS)):
            # AT-NEG-1: a card below the highest of its suit says that he cannot beat it. Who follows a suit that
            # was trumped need not: the highest card on the table is then a tarock.
            suit = self.pack.suit_mask[letter]
            rivals = table & suit
            if rivals > bit:
                top = rivals.bit_length()
                higher = suit >> top << top
                if tarock and rivals & _CAPTURED == _CAPTURED:
                    higher |= PAGAT_MASK  # it would win the emperor trick
                if higher:
                    said.append(("must_beat", higher))
        return said

    def legal_plays(self, player: str, cards: int) -> int:
        """Those of `cards`, a mask, that `player` may play now if they are all that he holds: a mask.

        A card is legal where it says nothing that another card of his shows to be false.
        """
        local = self._local[player]
        trick = self.trick
        table, led, number = (0, "", len(self.tricks) + 1)
        if trick is not None:
            table, led, number = trick.cards, trick.suit or "", trick.number
        legal = 0
        for place in indices(cards):
            if not any(mask & cards for _, mask in self._said(local, place, table, led, number)):
                legal |= 1 << place
        return legal

    def _judge_denials(self, known_at: tuple[int, int]) -> None:
        """AT-REV-2: what lies in the open hand is shown, what a count leaves no room for is proved.

        Nobody can hold a card that was played, lies in the rest of the Talon, was laid face up or turned up; nobody
        but the declarer one that he took or laid open, and then he holds just that hand.
        """
        could = [self.could_hold(player) for player in self.active]
        if self.opened and self.declarer is not None:
            # AT-REV-3: where both come together it is shown.
            owner = self._local[self.declarer]
            self._report(self.denials.see(owner, could[owner], known_at))
        self._report(self.denials.count(could, self._left, known_at))

    def could_hold(self, player: str) -> int:
        """The cards, a mask, that `player` could hold by what was played, turned up, taken and laid open."""
        left = _ALL & ~self.gone
        if player != self.declarer:
            return left & ~self._reserved
        return left & self._reserved if self.opened else left

    def _report(self, changed: list[Denial]) -> None:
        self._found += [denial for denial in changed if denial not in self._found]

    def _five_played(self, local: int, bit: int, trick: Trick) -> None:
        """A king, or a card of the Trula: the partner, the call, a captured Mond."""
        contract = self.contract
        if contract is None or not contract.normal:
            return
        player = self.active[local]
        card = trick.plays[-1].card
        if player != self.declarer:
            if bit & KINGS_MASK:
                self._foreign_king(card, player)
            if bit == self._called_bit:
                self.partner = player  # AT-CALL-6
        if bit & _CAPTURED and trick.cards & _CAPTURED == _CAPTURED:
            # AT-MOND-1: at once, whoever wins the trick.
            loser = next(play.player for play in trick.plays if play.card == "T21")
            self.book("AT-MOND-1", "mond", loser, -self.rules.mond_penalty, trick=trick.number)

    def trick_won(self, trick: Trick, winner: int) -> None:
        """AT-PLAY-2: who won leads next; what the trick settles, and the end of the round."""
        contract = self.contract
        name = self.active[winner]
        if self.rest_to is None and trick.cards & self._called_bit & (self.taken or 0):
            # AT-TALON-4: the rest of the Talon goes with the trick.
            self._settle_rest("declarer" if name == self.declarer else "opponents", name)
        if contract is not None and self.outcome is None:
            # AT-HIGH: decided, and complete at the end of this trick.
            wanted = {"none": False, "all": True}.get(contract.aim)
            if wanted is not None and (name == self.declarer) is not wanted:
                self._decide(won=False)
        if trick.number == TRICKS:
            self._finish(trick)

    def turn_vitamin(self, card: str, trick: int | None = None) -> None:
        """AT-KLOP-2: after each of the first six tricks, before the next lead; `trick`, if given, is that trick's."""
        self._must_be_cards((card,))
        if self.contract is not KLOP:
            raise EventError("vitamins are turned up in Klop only")
        number = len(self.tricks)
        if not self.tricks or self.trick is not None or number > VITAMINS or trick not in (None, number):
            raise EventError("a vitamin is turned up after one of the first six tricks, before the next lead")
        if number in self.vitamins:
            raise EventError("trick {trick} has a vitamin already", trick=number)
        if self.gone >> _INDEX[card] & 1:
            raise self.already_seen(card, "card_seen_twice")
        self.vitamins[number] = card
        self.gone |= 1 << _INDEX[card]
        self._judge_shown()

    @property
    def open_hands(self) -> dict[str, list[str]]:
        """AT-HIGH-4: the declarer's, once he laid it open."""
        if not self.opened or self.declarer is None:
            return {}
        return {self.declarer: PACK.names(self._reserved & ~self.gone)}

    def lay_open(self, cards: tuple[str, ...]) -> None:
        """AT-HIGH-4: after the first trick of an Open Barach, the declarer's eleven cards."""
        self._must_be_cards(cards)
        if self.contract is None or self.contract.name != "open_barach" or self.declarer is None:
            raise EventError("a hand is laid open in Open Barach only")
        if len(self.tricks) != 1 or self.trick is not None:
            raise EventError("the hand is laid open after the first trick, before the next lead")
        if self.opened:
            raise EventError("the hand was already laid open")
        if len(cards) != HELD - 1 or len(set(cards)) != len(cards):
            raise EventError("the open hand is eleven different cards")
        hand = PACK.mask(cards)
        if hand & self.gone:
            raise self.already_seen(PACK.names(hand & self.gone)[0], "card_seen_twice")
        self.opened = True
        self._reserved = hand
        self._judge_shown()

    def _judge_shown(self) -> None:
        """AT-REV-3: a card turned up or laid open counts as of the play before it."""
        known_at = self.known_now()
        if known_at is not None:  # no card may have been seen yet
            self._judge_denials(known_at)

    def taken_back(self, count: int) -> Entries:
        """The entries without the last `count` plays; not back behind a vitamin or an open hand."""
        since = 0  # plays after what cannot be turned back
        for event, _ in self.entries:
            if isinstance(event, CardPlayed):
                since += 1
            elif event.key in ("vitamin", "open"):
                since = 0
        if since < count <= len(self.plays):
            raise EventError("plays are not taken back behind a vitamin or an open hand")
        return super().taken_back(count)

    # -- the end -------------------------------------------------------------------------------------------

    def _decide(self, *, won: bool) -> None:
        """AT-HIGH-1: won or lost at its value, by the declarer alone.

        AT-HIGH-2 and AT-HIGH-4: no trick; AT-HIGH-5 and AT-HIGH-6: all of them.
        """
        contract = self.contract
        assert contract is not None and self.declarer is not None
        self.complete = True
        self.outcome = RoundOutcome(won)
        self.book(contract.rule, "game", self.declarer, contract.worth if won else -contract.worth)

    def _finish(self, trick: Trick) -> None:
        """The 48th card: what was laid is known, and the round is scored, whatever fines stand (AT-REN-3).

        Where cards are unknown nothing can be counted: only who won how many tricks is scored.
        """
        if self.unseen_tricks:
            self.complete = True
            if self.contract is not None and self.contract.aim in ("none", "all") and self.outcome is None:
                self._decide(won=True)
            return
        if self.contract is KLOP and len(self.vitamins) < VITAMINS:
            self.abandoned = True  # AT-KLOP-2 ruling: it cannot be scored, so it counts as broken off
        else:
            self.complete = True
        if self.what_is_missing() is not None:
            return
        known_at = (trick.number, PLAYS)
        unseen = _ALL & ~self.gone
        if self.taken is not None:
            self.discards = unseen | (self.laid or 0)
            self._judge_discards(unseen, known_at)
        if self.call == "fourth" and not self.foreign_kings:
            self._refute_call()  # all four kings were his
        self._judge_deal(known_at)
        if not self.abandoned and self.outcome is None:
            self._score(trick, unseen)

    def _score(self, trick: Trick, unseen: int) -> None:
        contract = self.contract
        assert contract is not None and trick.winner is not None
        piles = dict.fromkeys(self.ledger.balances, 0)
        for one in self.tricks:
            assert one.winner is not None
            vitamin = self.vitamins.get(one.number)
            piles[one.winner] |= one.cards | (1 << _INDEX[vitamin] if vitamin else 0)
        if contract is KLOP:
            self.outcome, klop = klop_lines(piles, self.tricks_won)
            self._book_klop(klop)
            return
        declarer = self.declarer
        assert declarer is not None
        if contract.aim != "points":
            self._decide(won=True)
            return
        if contract.normal and self.rest_to is None:
            self._settle_rest("opponents", None)  # the called card was laid, and won no trick
        side = (declarer,) if self.partner is None else (declarer, self.partner)
        # AT-HIGH-1: an unseen Talon belongs to the opponents. AT-TALON-2: the rest and the discards count too.
        ours = self.discards or 0
        if self.rest_to == "declarer":
            ours |= self.rest
        for player in side:
            ours |= piles[player]
        played = Played(
            contract,
            side,
            ours,
            _ALL & ~ours,
            self._called_bit,
            {play.player: 1 << _INDEX[play.card] for play in trick.plays},
            trick.winner,
            sum(self.tricks_won[player] for player in side),
            self.announced,
        )
        self.outcome, lines = side_lines(played, valat_alone=self.rules.valat_alone)
        self._book_side(side, lines)

    def _book_klop(self, lines: Sequence[tuple[str, str, int]]) -> None:
        for rule, player, points in lines:
            self.book(rule, "klop", player, points)

    def _book_side(self, side: Sequence[str], lines: Sequence[Line]) -> None:
        for rule, reason, points in lines:
            for player in side:  # AT-SCORE-1: each the same
                self.book(rule, reason, player, points)

    def settle(self, result: ResultEntered) -> None:
        """The round by its `result`, scored as if its cards had been seen."""
        check_result(result, self.active, skeench_round=self.skeench_round)
        contract = CONTRACTS[result.game]
        self.raised_from = None
        self.partner = result.partner
        self.announced = list(result.announced)
        self._set_contract(result.declarer, contract)
        if result.mond is not None:
            self.book("AT-MOND-1", "mond", result.mond, -self.rules.mond_penalty)
        if contract is KLOP:
            points = dict(result.points)
            self.outcome = RoundOutcome(None, points)
            self._book_klop(
                klop_scores(points, result.lost_klop(), [one for one in points if not points[one]])
            )
        elif contract.aim == "points":
            achieved = result.achieved()
            self.outcome = RoundOutcome(achieved.won, {"declarer": achieved.points}, achieved=achieved)
            self._book_side(result.side(), achieved_lines(achieved, valat_alone=self.rules.valat_alone))
        else:
            self._decide(won=bool(result.won))

    # -- the score sheet -----------------------------------------------------------------------------------

    @property
    def reached_zero(self) -> tuple[str, ...]:
        """AT-COMP-1: whose score came to exactly zero with this round, all its penalties booked.

        **Ruling**: it was another number at the end of the round before; a round broken off counts too.
        """
        if not self.rules.zero_klop:
            return ()
        return tuple(
            player for player, after in self.totals.items() if after == 0 != self.scores_before[player]
        )

    def full_score(self) -> int | None:
        """AT-REN-2: value, a difference of 35 and the bonuses as announced, each once; None while no game stands.

        In the higher games the value; Klop 70.
        """
        contract = self.contract
        if contract is None:
            return None
        if not contract.normal:
            return contract.worth
        return (
            contract.worth + 35 + sum(2 * BONUSES[bonus] for bonus in {bonus for _, bonus in self.announced})
        )

    def _reprice(self) -> None:
        """AT-REN-2: a proposal is that of the game played in the end, also where it was booked before."""
        full = self.full_score()
        for place, score in enumerate(self.scores):
            if score.proposal_of == self.number and full is not None:
                self.ledger.rewrite(self.scores, place, score._replace(points=-full))
                self.tell_payments()

    # -- findings ------------------------------------------------------------------------------------------

    @property
    def findings(self) -> list[Finding]:
        """Every finding so far, each with the fine that is proposed for it (AT-REN-2)."""
        if self.result is not None:
            return []
        found = self.seen_for_sure(
            [self._denial_finding(one) if isinstance(one, Denial) else one for one in self._found]
        )
        if self.contract is None:
            found = []  # live, the game was not entered yet: nobody is accused before it is known
        if self.klop_missed:
            found.insert(0, Finding("AT-COMP-2", "compulsory_klop_missed", None, None, 0, None))
        if not found:
            return found
        fine = self.full_score() or 0
        return [one if one.kind in NEVER_FINED else replace(one, fine=fine) for one in found]

    def _denial_finding(self, denial: Denial) -> Finding:
        player = self.active[denial.player]
        lying = denial.mask & self._reserved & ~self.gone if self.opened and player == self.declarer else 0
        return Finding(
            DENIAL_RULES[denial.kind],
            denial.kind,
            player,
            denial.trick,
            0,
            denial.known_at,
            card=PACK.cards[denial.card],
            status=denial.status,
            evidence=(*(PACK.cards[place] for place, _ in denial.evidence), *sorted(PACK.names(lying))),
            evidence_tricks=tuple(trick for _, trick in denial.evidence),
            suit=denial.suit,
        )

    def _judge_discards(self, cards: int, known_at: tuple[int, int] | None) -> None:
        """AT-DISC: what may not be laid, and tarocks that were not laid face up; `known_at` None: they were."""
        assert self.taken is not None
        for card in PACK.names(cards):
            bit = 1 << _INDEX[card]
            if bit & (FIVES | self.taken):
                rule = "AT-TALON-6" if bit & FIVES else "AT-TALON-5"
                self._add(rule, "bad_discard", self.declarer, None, known_at, card=card)
        if self.laid is not None and known_at is not None:
            for card in PACK.names(cards & TAROCKS):
                self._add("AT-TALON-7", "discard_not_shown", self.declarer, None, known_at, card=card)

    def _judge_deal(self, known_at: tuple[int, int]) -> None:
        """AT-DEALX: who was dealt no tarock did not show his cards (AT-DEAL-5)."""
        for local, player in enumerate(self.active):
            dealt = self.shown[local]
            if player == self.declarer and self.taken is not None:
                dealt = (dealt | (self.discards or 0)) & ~self.taken
            if not dealt & TAROCKS:
                self._add("AT-DEAL-5", "no_tarocks", player, None, known_at)

    def _add(
        self,
        rule: str,
        kind: str,
        player: str | None,
        trick: int | None,
        known_at: tuple[int, int] | None,
        *,
        card: str | None = None,
    ) -> None:
        self._found.append(Finding(rule, kind, player, trick, 0, known_at, card=card))

    # -- small helpers -------------------------------------------------------------------------------------

    def _must_not_be_abandoned(self) -> None:
        if self.abandoned:
            raise EventError("the hand was abandoned")

    def _must_be_cards(self, cards: tuple[str, ...]) -> None:
        for card in cards:
            if card not in _INDEX:
                raise EventError("unknown card {card!r}", card=card)
