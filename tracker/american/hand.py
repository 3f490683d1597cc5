"""One round of American Tarock, folded event by event.

The bidding, the call, the Talon, what cards say and the scores have modules of their own. The round holds them
together.

What happened is recorded, legal or not, and breaches are found in what was recorded (`findings`). Only what
cannot have happened is refused (EventError).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tracker.american.bidding import AmericanBidding
from tracker.american.call import Call
from tracker.american.claims import CAPTURED, PAGAT_PLACE, claims_of
from tracker.american.contracts import COLOUR_VALAT, CONTRACTS, KLOP, Contract
from tracker.american.findings import DENIAL_RULES, NEVER_FINED, discards_at_fault
from tracker.american.pack import (
    CALLABLE_KINGS,
    FIVES,
    KINGS_MASK,
    MOND_BIT,
    PACK,
    PAGAT_MASK,
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
from tracker.american.talon import VITAMINS, Talon
from tracker.contract_hand import ContractHand, Missing
from tracker.denials import Denial
from tracker.errors import EventError
from tracker.events import CardPlayed, Entries
from tracker.findings import Finding
from tracker.hand import Deal
from tracker.score_sheet import ScoreSheet
from tracker.tricks import Play, Trick

HELD: Final = 12
"""Cards a player."""
PLAYS: Final = 48
TRICKS: Final = 12
MISDEAL: Final = 20
"""AT-DEAL-6: what the first misdeal costs its dealer; the second costs twice as much, and so on."""
_ALL: Final = PACK.all_cards
_INDEX: Final = PACK.index


class AmericanHand(ContractHand):
    """The fold of one round. Read its attributes; only the session applies events to it.

    `active` are the players from the dealer's right on (AT-DEAL-1): the order of the bids, their seniority and the
    play. `bidding`, `call` and `talon` are what was said and shown before the play. `outcome` is how the round ended,
    None before. A game that is decided early is `complete`, and may be played on (AT-HIGH).
    """

    bidding: AmericanBidding

    def __init__(
        self,
        deal: Deal,
        rules: AmericanRules,
        score_sheet: ScoreSheet,
        *,
        compulsory: bool,
        skeench_round: bool,
        last_dealer: str | None,
        strict: bool,
    ) -> None:
        self.rules = rules
        self.cards_each = HELD
        self.strict = strict
        self.compulsory = compulsory  # AT-COMP-1
        self.skeench_round = skeench_round  # AT-END-1
        self.last_dealer = last_dealer  # as known before this round
        self.skeench_called = False
        super().__init__(deal, PACK, score_sheet)

    def start_play(self) -> None:
        """Begin a new deal: all bids and what followed are void."""
        super().start_play()
        self.bidding = AmericanBidding(self.active)
        self.call = Call()
        self.talon = Talon()
        self.outcome: RoundOutcome | None = None

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def contract(self) -> Contract | None:
        """The game that is played in the end; None while none stands."""
        return self.bidding.contract

    @property
    def declarer(self) -> str | None:
        """Who plays the game. None before a game is named, and in Klop."""
        return self.bidding.declarer

    @property
    def eldest_leads(self) -> bool:
        """AT-PLAY-1: whether the eldest must lead. He must in Klop and in the normal games, once the game is known."""
        contract = self.contract
        return contract is not None and (contract is KLOP or contract.normal)

    @property
    def cards_stay(self) -> bool:
        """AT-HIGH-2, AT-HIGH-4: in a Barach the cards stay before their players."""
        return self.contract is not None and self.contract.aim == "none"

    @property
    def may_be_played_on(self) -> bool:
        """AT-HIGH: a decided round may end early. Cards that are played all the same are judged."""
        return self.result is None and not self.all_played

    @property
    def awaits_word(self) -> bool:
        """Until game and call are known, what lies open may be the Talon, discards or plays."""
        return not (self.complete or self.abandoned) and self.what_is_missing() in ("contract", "call")

    @property
    def thrown_cards(self) -> frozenset[str]:
        """AT-TALON-4: when the called king that he took is played, the rest of the Talon is thrown on it."""
        newest = self.tricks[-1].cards if self.tricks else 0
        thrown = self.talon.carries_rest(newest, self.call.bit)
        return frozenset(PACK.names(self.talon.rest) if thrown else ())

    def what_is_missing(self) -> Missing | None:
        """AT-CALL, AT-TALON: what must be known before a card can be judged and the round scored; None for nothing."""
        contract = self.contract
        if self.result is not None:
            return None
        if contract is None:
            return "contract"
        if self.bidding.raised_from is not None or not contract.normal:
            return None
        if contract.calls and self.call.said is None:
            return "call"
        return "talon" if self.talon.taken is None else None

    @property
    def opened(self) -> bool:
        """Whether the declarer laid his hand open (AT-HIGH-4)."""
        return any(self.open_cards)

    # -- what is said before the play ----------------------------------------------------------------------

    def bid(self, player: str, game: str) -> None:
        """AT-BID-1 and AT-BID-2: one more bid or pass."""
        self.must_be_active(player)
        self.bidding.bid(player, game)
        if self.contract is not None:
            self._begin_contract()

    def name_contract(self, game: str, declarer: str | None) -> None:
        """AT-BID-3: the declarer names his last bid or a higher game; AT-BID-5: bids were not recorded."""
        if declarer is not None:
            self.must_be_active(declarer)
        if self.call.said is not None or self.talon.cards is not None:
            raise EventError("the contract was already named")
        self.bidding.name_contract(game, declarer)
        self._begin_contract()

    def _begin_contract(self) -> None:
        """AT-PLAY-1: the player at the dealer's right leads, in the higher games the declarer."""
        contract, declarer = self.contract, self.declarer
        assert contract is not None
        self._turn = self._local[declarer] if declarer is not None and not contract.normal else 0
        self._reprice()

    def make_call(self, call: str) -> None:
        """AT-CALL: what the declarer calls."""
        self.must_not_be_abandoned()
        self.call.make(call, self.contract)

    def turn_talon(self, cards: tuple[str, ...]) -> None:
        """AT-TALON-1: the six cards, in the order dealt."""
        self.must_not_be_abandoned()
        if self.contract is None or not self.contract.normal:
            raise EventError("the Talon is not turned up in this contract")
        if self.contract.calls and self.call.said is None:
            raise EventError("a king is called before the Talon is turned up")
        PACK.must_have(cards)
        self.talon.turn(cards)
        for card in cards:
            if card in CALLABLE_KINGS.values():
                self._king_came_to_light(card, None)

    def take_group(self, group: int) -> None:
        """AT-TALON-1: the declarer takes one group of the Talon."""
        self.must_not_be_abandoned()
        if self.talon.cards is None or self.contract is None or self.declarer is None:
            raise EventError("the Talon is turned up before a group of it is taken")
        self.talon.take(group, self.contract.exchange)
        self.gone |= self.talon.rest
        taken = self.talon.taken or 0
        self.only_his(self._local[self.declarer], taken)
        # AT-CALL-3: a called card that lies here leaves him alone. AT-TALON-4: if he took it, the rest goes with it.
        if not taken & self.call.bit:
            self._settle_rest("opponents", None)

    def lay_face_up(self, cards: tuple[str, ...]) -> None:
        """AT-TALON-7: tarocks are laid face up; AT-TALON-5, AT-TALON-6: what may not be laid is known at once."""
        self.must_not_be_abandoned()
        PACK.must_be_different(cards)
        self.talon.check_laid(cards)
        laid = self._take_out(cards)
        self.talon.laid = laid
        self._judge_discards(laid, None)
        if self.talon.carries_rest(laid, self.call.bit):
            self._settle_rest("opponents", None)  # it cannot win a trick any more

    def announce(self, player: str, bonus: str) -> None:
        """AT-ANN-1 and AT-ANN-6: after the exchange anyone may announce, for his side."""
        self.must_be_active(player)
        if self.bidding.raised_from is not None:
            raise EventError("nothing is announced after a raise")
        if self.talon.taken is None:
            raise EventError("bonuses are announced after the exchange, in a contract that has one")
        self.bidding.announce(player, bonus)
        self._reprice()

    def raise_game(self) -> None:
        """AT-ANN-5: a solo game becomes a Colour Valat, and no Mond is captured."""
        self.must_not_be_abandoned()
        contract = self.contract
        if contract is None or not contract.normal or contract.calls or self.talon.taken is None:
            raise EventError("only a solo contract is raised to Colour Valat, after the exchange")
        self.bidding.raise_to_colour_valat()
        self._cancel_mond()
        self.talon.rest_to = None
        self._begin_contract()

    def redeal(self, reason: str, misdeals: int) -> None:
        """AT-DEAL-5 and AT-DEAL-6: the same dealer deals again; `misdeals` are his so far, with this one."""
        self.must_be_before_play()
        self._cancel_mond()
        self.start_play()
        if reason == "misdeal":
            # AT-DEAL-6: 20, then 40, then 60, through the session.
            self.book("AT-DEAL-6", "misdeal", self.dealer, -MISDEAL * misdeals)
        else:
            self.compulsory = True  # AT-DEAL-5

    def _king_came_to_light(self, card: str, player: str | None) -> None:
        if self.call.king_came_to_light(card, player):
            self._refute_call()

    def _refute_call(self) -> None:
        """AT-CALLX: the declarer might not call what he called."""
        rule, card = ("AT-CALL-5", None) if self.call.said == "fourth" else ("AT-CALL-4", self.call.said)
        self.find(rule, "call_forbidden", self.declarer, None, self.known_now(), card=card)

    def _take_out(self, cards: tuple[str, ...]) -> int:
        """Put `cards` where nobody can play them: as a mask. Raises EventError if one is there already."""
        mask = PACK.mask(cards)
        self.must_be_unseen(mask)
        self.gone |= mask
        return mask

    # -- Skeench-a-tola ------------------------------------------------------------------------------------

    def call_skeench(self, player: str) -> None:
        """AT-END-1: the dealer calls it, once, and not when the last dealer is known."""
        self.must_be_active(player)
        if player != self.dealer:
            raise EventError("{player} cannot call Skeench-a-tola: only the dealer can", player=player)
        if self.last_dealer is not None:
            raise EventError("{player} is already the last dealer", player=self.last_dealer)
        if self.skeench_called:
            raise EventError("Skeench-a-tola was already called")
        self.skeench_round = self.skeench_called = True

    def skeench_to(self) -> str | None:
        """AT-END-2: whose tricks hold the Skeench. His discards and the rest of the Talon that he won belong to them.

        None where it was not seen, or lies in a Talon that stayed unwon; live, also until game, call and exchange are
        entered.
        """
        if isinstance(self.result, ResultEntered):
            return self.result.skeench
        if self.what_is_missing() is not None:
            return None
        for trick in self.tricks:
            if trick.winner is not None and self._with_vitamin(trick) & SKEENCH_BIT:
                return trick.winner
        if self.talon.his_pile & SKEENCH_BIT:
            return self.declarer
        return self.talon.rest_winner if self.talon.rest & SKEENCH_BIT else None

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

    def held_elsewhere(self, local: int, place: int) -> EventError:
        """AT-REV-2: the error for the card `place`, which is missing from the open hand of the player `local`."""
        if not self.open_cards[local]:
            return super().held_elsewhere(local, place)
        return EventError("{card} is not in {owner}'s open hand", card=PACK.cards[place], owner=self.declarer)

    def seen_aside(self, card: str) -> EventError:
        """The error for a card that is gone though nobody played it: where it lies."""
        return self.talon.lies_in(card)

    def winning_card(self, trick: Trick) -> int:
        """AT-PLAY-4: the highest tarock, or the suit led; AT-PLAY-5: the emperor trick."""
        suit = trick.suit
        assert suit is not None
        can_win = self.pack.winning[suit]
        if self.contract is COLOUR_VALAT:
            can_win = self.pack.suit_mask[suit]
        can_win &= trick.cards
        if can_win & TRULA_MASK == TRULA_MASK:
            can_win = PAGAT_MASK
        return can_win.bit_length() - 1

    def played_out_of_turn(self, play: Play, trick: Trick) -> None:
        """AT-ORDER: it was another's turn, or another's lead."""
        kind = "play_out_of_turn" if trick.plays else "lead_out_of_turn"
        self.find("AT-ORDER", kind, play.player, trick.number, (trick.number, play.number), card=play.card)

    def claims(self, local: int, place: int, table: int, led: str, trick: int) -> list[tuple[str, int]]:
        """AT-REV-1: what the card `place`, played to the cards `table` of the trick so numbered, says."""
        contract = self.bidding.contract
        beats = contract is not None and contract.beats
        free_lead = table != 0 or self._leads_freely(place)
        keeps_pagat = place == PAGAT_PLACE and trick < TRICKS and self._announced_pagat(local)
        return claims_of(place, table, led, beats, free_lead, keeps_pagat)

    def _announced_pagat(self, local: int) -> bool:
        return (self.active[local], "pagat_ultimo") in self.bidding.announced

    def _leads_freely(self, place: int) -> bool:
        """AT-PLAY-6: "until a tarock has been played", one other than the card `place`, plain cards are led."""
        fell = sum(self.shown) & TAROCKS & ~(1 << place)
        return self.rules.free_lead or self.contract is COLOUR_VALAT or bool(fell)

    def card_settles(self, local: int, bit: int, trick: Trick) -> None:
        """A king, or a card of the Trula: the partner, the call, a captured Mond."""
        if not bit & FIVES or self.contract is None or not self.contract.normal:
            return
        player = self.active[local]
        card = trick.plays[-1].card
        if player != self.declarer:
            if bit & KINGS_MASK:
                self._king_came_to_light(card, player)
            if bit == self.call.bit:
                self.call.partner = player  # AT-CALL-6
        if bit & CAPTURED and trick.cards & CAPTURED == CAPTURED and self.what_is_missing() is None:
            # AT-MOND-1: at once, whoever wins the trick; live, once call and exchange are entered.
            loser = next(play.player for play in trick.plays if play.card == "T21")
            self.book("AT-MOND-1", "mond", loser, -self.rules.mond_penalty, trick=trick.number)

    def trick_won(self, trick: Trick, winner: int) -> None:
        """AT-PLAY-2: who won leads next; what the trick settles, and the end of the round."""
        contract = self.contract
        name = self.active[winner]
        if self.talon.rest_to is None and self.talon.carries_rest(trick.cards, self.call.bit):
            # AT-TALON-4: the rest of the Talon goes with the trick.
            self._settle_rest("declarer" if name == self.declarer else "opponents", name)
        if contract is not None and self.outcome is None:
            # AT-HIGH: decided, and complete at the end of this trick.
            wanted = {"none": False, "all": True}.get(contract.aim)
            if wanted is not None and (name == self.declarer) is not wanted:
                self._decide(won=False)
        if trick.number == TRICKS:
            self._finish(trick)

    def turn_vitamin(self, card: str, trick: int | None) -> None:
        """AT-KLOP-2: after each of the first six tricks, before the next lead; `trick`, if given, is that trick's."""
        PACK.must_have((card,))
        if self.contract is not KLOP:
            raise EventError("vitamins are turned up in Klop only")
        number = len(self.tricks)
        if not self.tricks or self.trick is not None or number > VITAMINS or trick not in (None, number):
            raise EventError("a vitamin is turned up after one of the first six tricks, before the next lead")
        if number in self.talon.vitamins:
            raise EventError("trick {trick} already has a vitamin", trick=number)
        self._take_out((card,))
        self.talon.vitamins[number] = card
        self._judge_shown()

    @property
    def open_hands(self) -> dict[str, list[str]]:
        """AT-HIGH-4: the declarer's hand, once he laid it open."""
        return {
            player: PACK.names(cards & ~self.gone)
            for player, cards in zip(self.active, self.open_cards, strict=True)
            if cards
        }

    def lay_open(self, cards: tuple[str, ...]) -> None:
        """AT-HIGH-4: after the first trick of an Open Barach, the declarer's eleven cards."""
        PACK.must_have(cards)
        if self.contract is None or self.contract.name != "open_barach" or self.declarer is None:
            raise EventError("a hand is laid open in Open Barach only")
        if len(self.tricks) != 1 or self.trick is not None:
            raise EventError("the hand is laid open after the first trick, before the next lead")
        if self.opened:
            raise EventError("the hand was already laid open")
        if len(cards) != HELD - 1 or len(set(cards)) != len(cards):
            raise EventError("the open hand is eleven different cards")
        hand = PACK.mask(cards)
        self.must_be_unseen(hand)
        owner = self._local[self.declarer]
        self.open_cards[owner] = hand
        self.only_his(owner, hand)
        self.elsewhere[owner] = _ALL & ~hand
        self._judge_shown()

    def _judge_shown(self) -> None:
        """AT-REV-3: a card turned up or laid open counts as of the play before it."""
        known_at = self.known_now()
        if known_at is not None:  # no card may have been seen yet
            self.judge(known_at)

    def taken_back(self, count: int) -> Entries:
        """The entries without the last `count` plays. Raises EventError before a vitamin or an open hand."""
        since = 0  # plays after what cannot be turned back
        for event, _ in self.entries:
            if isinstance(event, CardPlayed):
                since += 1
            elif event.key in ("vitamin", "open"):
                since = 0
        if since < count <= len(self.plays):
            raise EventError("plays before a vitamin or an open hand cannot be taken back")
        return super().taken_back(count)

    # -- the end, and the score sheet ----------------------------------------------------------------------------

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
        self.close_gaps()
        if self.unseen_tricks:
            self.complete = True
            if self.contract is not None and self.contract.aim in ("none", "all") and self.outcome is None:
                self._decide(won=True)
            return
        if self.contract is KLOP and len(self.talon.vitamins) < VITAMINS:
            self.abandoned = True  # AT-KLOP-2 ruling: it cannot be scored, so it counts as broken off
        else:
            self.complete = True
        if self.what_is_missing() is not None:
            return
        known_at = (trick.number, PLAYS)
        unseen = _ALL & ~self.gone
        if self.talon.taken is not None:
            self.talon.discards = unseen | (self.talon.laid or 0)
            self._judge_discards(unseen, known_at)
        if self.call.said == "fourth" and not self.call.foreign_kings:
            self._refute_call()  # all four kings were his
        self._judge_deal(known_at)
        if not self.abandoned and self.outcome is None:
            self._score(trick)

    def _with_vitamin(self, trick: Trick) -> int:
        """The cards of a trick, and its vitamin, as a mask."""
        vitamin = self.talon.vitamins.get(trick.number)
        return trick.cards | (1 << _INDEX[vitamin] if vitamin else 0)

    def _score(self, trick: Trick) -> None:
        contract = self.contract
        assert contract is not None and trick.winner is not None
        piles = dict.fromkeys(self.ledger.balances, 0)
        for one in self.tricks:
            assert one.winner is not None
            piles[one.winner] |= self._with_vitamin(one)
        if contract is KLOP:
            self.outcome, lines = klop_lines(piles, self.tricks_won)
            self._book(lines)
        elif contract.aim != "points":
            self._decide(won=True)
        else:
            self._score_side(contract, piles, trick)

    def _score_side(self, contract: Contract, piles: dict[str, int], trick: Trick) -> None:
        """A game that is counted; `trick` was the last one."""
        declarer, talon = self.declarer, self.talon
        assert declarer is not None and trick.winner is not None
        if contract.normal and talon.rest_to is None:
            self._settle_rest("opponents", None)  # the called card was laid, and won no trick
        side = (declarer,) if self.call.partner is None else (declarer, self.call.partner)
        # AT-HIGH-1: an unseen Talon belongs to the opponents. AT-TALON-2: the rest and the discards count too.
        ours = talon.discards or 0
        if talon.rest_to == "declarer":
            ours |= talon.rest
        for player in side:
            ours |= piles[player]
        played = Played(
            contract,
            side,
            ours,
            _ALL & ~ours,
            self.call.bit,
            {play.player: 1 << _INDEX[play.card] for play in trick.plays},
            trick.winner,
            sum(self.tricks_won[player] for player in side),
            self.bidding.announced,
        )
        self.outcome, lines = side_lines(played, valat_alone=self.rules.valat_alone)
        self._book(lines)

    def _book(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.book(*line)

    def settle(self, result: ResultEntered) -> None:
        """The round by its `result`, scored as if its cards had been seen."""
        check_result(result, self.active, skeench_round=self.skeench_round)
        contract = CONTRACTS[result.game]
        self.bidding.contract, self.bidding.declarer = contract, result.declarer
        self.bidding.announced = list(result.announced)
        self.call.partner = result.partner
        self._begin_contract()
        if result.mond is not None:
            self.book("AT-MOND-1", "mond", result.mond, -self.rules.mond_penalty)
        if contract is KLOP:
            points = dict(result.points)
            self.outcome = RoundOutcome(None, points)
            self._book(klop_scores(points, result.lost_klop(), [one for one in points if not points[one]]))
        elif contract.aim == "points":
            achieved = result.achieved()
            self.outcome = RoundOutcome(achieved.won, {"declarer": achieved.points}, achieved=achieved)
            self._book(achieved_lines(achieved, result.side(), valat_alone=self.rules.valat_alone))
        else:
            self._decide(won=bool(result.won))

    def _settle_rest(self, side: str, winner: str | None) -> None:
        """AT-TALON-2 to AT-TALON-4: who has the rest of the Talon; AT-MOND-2, AT-MOND-3: what a Mond in it costs."""
        self.talon.rest_to, self.talon.rest_winner = side, winner
        if side == "opponents" and self.talon.rest & MOND_BIT:
            assert self.declarer is not None
            self.book("AT-MOND-2", "mond", self.declarer, -self.rules.mond_penalty)

    def _cancel_mond(self) -> None:
        """What a captured Mond cost is void: the cards are dealt again, or the game was raised."""
        for place in reversed(range(len(self.scores))):
            if self.scores[place].reason == "mond":
                self.ledger.rewrite(self.scores, place, None)
        self.tell_payments()

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

    def _reprice(self) -> None:
        """AT-REN-2: a proposal is that of the game played in the end, also where it was booked before."""
        full = self.bidding.full_score()
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
        if self.compulsory and self.bidding.below_solo_no_peek:
            found.insert(0, Finding("AT-COMP-2", "compulsory_klop_missed", None, None, 0, None))
        fine = self.bidding.full_score() or 0
        return [one if one.kind in NEVER_FINED else replace(one, fine=fine) for one in found]

    def _denial_finding(self, denial: Denial) -> Finding:
        found = denial.finding(DENIAL_RULES[denial.kind], self.active[denial.player], PACK.cards)
        lying = denial.mask & self.open_cards[denial.player] & ~self.gone
        return replace(found, evidence=(*found.evidence, *sorted(PACK.names(lying))))

    def _judge_discards(self, cards: int, known_at: tuple[int, int] | None) -> None:
        """AT-DISC: what the declarer laid; `known_at` None: face up, for all to see."""
        for rule, kind, card in discards_at_fault(self.talon, cards, shown=known_at is None):
            self.find(rule, kind, self.declarer, None, known_at, card=card)

    def _judge_deal(self, known_at: tuple[int, int]) -> None:
        """AT-DEALX: a player was dealt no tarock and kept his cards hidden, which AT-DEAL-5 forbids."""
        for local, player in enumerate(self.active):
            dealt = self.shown[local]
            if player == self.declarer and self.talon.taken is not None:
                dealt = (dealt | (self.talon.discards or 0)) & ~self.talon.taken
            if not dealt & TAROCKS:
                self.find("AT-DEAL-5", "no_tarocks", player, None, known_at)
