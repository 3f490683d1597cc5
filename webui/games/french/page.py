"""What the page says of French Tarot: bids, contract, call, dog, handfuls, and the score sheet as clubs write it."""

from dataclasses import replace
from typing import ClassVar, Final

from tracker.bidding import PASS
from tracker.catalogue import msgid
from tracker.events import Event
from tracker.findings import Finding
from tracker.french.contracts import BIDS, CONTRACTS
from tracker.french.entering import Step, next_step
from tracker.french.events import (
    COUNTING_SIDES,
    BidMade,
    CardCalled,
    CardsAwarded,
    ContractNamed,
    DealAnnulled,
    DogTurned,
    HandfulShown,
    LaidFaceDown,
    LaidFaceUp,
    PenaltyBooked,
    Redealt,
    SlamAnnounced,
)
from tracker.french.findings import FrenchFinding
from tracker.french.game import FRENCH
from tracker.french.hand import PERSONAL, FrenchHand
from tracker.french.pack import BOUTS, PACK
from tracker.french.session import FrenchSession
from tracker.french.telling import (
    contract_text,
    deal_title,
    endings,
    excuse_text,
    halves_text,
    handful_text,
    handfuls_in_result,
    lacking,
    partner_text,
)
from tracker.french.words import WORDS
from tracker.study import Study
from webui.games.page import (
    ActRow,
    Asked,
    CentreNote,
    EntryField,
    Fact,
    Lessons,
    Option,
    Proposal,
)
from webui.games.sheet_page import SheetPage
from webui.texts import text

DEAL_HREF: Final = "/french/deal"
HANDFUL_HREF: Final = "/french/handful"
_STEPS: Final[dict[Step, tuple[str, str]]] = {
    "bid": (msgid("Bids"), msgid("to bid")),
    "call": (msgid("Call"), msgid("to call a king")),
}
"""What comes next: its button, and what its player must do."""


def deal_href(hand: FrenchHand) -> str:
    """The dialog of what comes next in `hand`."""
    over = hand.complete or hand.abandoned
    return f"{DEAL_HREF}?hand={hand.number}" if over else DEAL_HREF


def _missing(hand: FrenchHand) -> Asked:
    """The question about what must be entered next in `hand`, before it can be judged and scored."""
    step = next_step(hand)
    title, said = text("Which king is called?"), text("Until it is entered the hand cannot be scored.")
    if step == "bid":
        title = text("Which contract is played, and by whom?")
        said = text("Until it is entered nobody is flagged, and the hand cannot be scored.")
    key = str(step)
    if hand.complete:
        key = f"{step}-{hand.number}"
        title = text(": ").join((text("Hand {number}", number=hand.number), title))
    return Asked(key, title, said, text(_STEPS[step][0]), deal_href(hand))


def bid_text(contract: str, lang: str) -> str:
    """A bid or a pass, in the words of a button."""
    return text("Pass") if contract == PASS else WORDS.contract_name(contract, lang).capitalize()


class FrenchPage(SheetPage):
    """French Tarot among the pages."""

    game = FRENCH
    title = msgid("French Tarot")
    options = (
        Option("mort", msgid("With five at the table four play, and the dealer sits out")),
        Option("penalty", msgid("A breach of the rules costs, in points")),
    )
    reasons: ClassVar = {
        "game": msgid("the hand"),
        "petit_au_bout": msgid("petit au bout"),
        "handful": msgid("handful"),
        "slam": msgid("slam"),
        "penalty": msgid("penalty"),
    }
    fine = msgid("Penalty")
    fine_href = "/french/penalty"
    result_href = "/french/result"
    lessons = Lessons(
        seen=msgid("Trumps seen"),
        trumps=msgid(
            "There are {count}; the Excuse is not one of them. Those in the hands, and those laid aside "
            "unseen, are still out."
        ),
        asked=msgid("How many trumps are still out? There are {count}; the Excuse is not one of them."),
        held=msgid("How many trumps do you hold now?"),
        own=msgid("The Excuse is not one of them."),
        aside={
            "dog": (msgid("the dog"), msgid("Nobody played it: it lay in the dog.")),
            "discards": (msgid("the discard"), msgid("Nobody played it: the taker laid it.")),
        },
    )
    more = "games/french/more.html"
    joining = msgid("A new player begins at 0. A player who comes back goes on with the old total.")
    leaving = msgid("The total of a player who leaves stays on the score sheet.")
    broken_off = msgid("The hand is not scored; penalties and adjustments stand.")

    def contract_text(self, contract: str, lang: str) -> str:
        """A contract in a word."""
        return bid_text(contract, lang)

    def event_text(self, event: Event, lang: str) -> str:
        """An event that only this game has, in a few words."""
        match event:
            case BidMade(player=player, contract=contract):
                return text(": ").join((player, bid_text(contract, lang)))
            case ContractNamed(contract=contract, taker=taker):
                said = bid_text(contract, lang)
                return text(": ").join((taker, said)) if taker else said
            case CardCalled(card=card):
                return text("Called: {card}", card=WORDS.card_label(card, lang))
            case DogTurned(cards=cards):
                return text("The dog: {cards}", cards=self.cards_text(cards, lang))
            case LaidFaceUp(cards=()):
                return text("Nothing is laid face up")
            case LaidFaceUp(cards=cards):
                return text("Laid face up: {cards}", cards=self.cards_text(cards, lang))
            case LaidFaceDown(player=player):
                return text(
                    "{player} entered what was laid face down", player=player
                )  # which cards only he may see
            case SlamAnnounced(player=player):
                return text("{player} announces a slam", player=player)
            case HandfulShown(player=player, cards=cards):
                return text("{player} shows {cards}", player=player, cards=self.cards_text(cards, lang))
            case Redealt(reason="misdeal", by=by):
                said = text("Misdeal, dealt again")
                return text(": ").join((said, by)) if by else said
            case Redealt(player=player):
                return text("{player} has the petit alone: the hand does not count", player=player)
            case DealAnnulled(reason=reason):
                return text("The hand is annulled: {reason}", reason=reason)
            case CardsAwarded(cards=cards, to=to, reason=reason):
                side = WORDS.side_name(to, lang)
                return text(
                    "{cards} for {side}: {reason}",
                    cards=self.cards_text(cards, lang),
                    side=side,
                    reason=reason,
                )
            case PenaltyBooked(player=player, points=points, reason=reason):
                said = text("Penalty of {player}", player=player) + (f" ({points})" if points else "")
                return text(": ").join((said, reason)) if reason else said
        return super().event_text(event, lang)

    def fields(self, hand: FrenchHand, event: Event, lang: str) -> list[EntryField]:
        """The parts of an entry, besides cards, that can be put right."""
        match event:
            case BidMade():
                bids = [(bid_text(contract, lang), replace(event, contract=contract)) for contract in BIDS]
                return [EntryField(text("It was another bid"), bids)]
            case ContractNamed():
                contracts = [(bid_text(name, lang), replace(event, contract=name)) for name in CONTRACTS]
                return [
                    EntryField(text("It was another contract"), contracts),
                    self.another_player(hand, event, "taker"),
                ]
            case SlamAnnounced() | HandfulShown():
                return [self.another_player(hand, event)]
            case CardsAwarded():
                sides = [(WORDS.side_name(side, lang), replace(event, to=side)) for side in COUNTING_SIDES]
                return [EntryField(text("They went to the other side"), sides)]
        return []

    def acts(self, hand: FrenchHand) -> list[ActRow]:
        """The buttons while a deal is under way; what comes next is first."""
        step = next_step(hand)
        if step in _STEPS:
            return [ActRow(text(_STEPS[step][0]), DEAL_HREF, "main"), ActRow(text("Card played"), "/play")]
        return [
            ActRow(text("Card played"), "/play", "main"),
            ActRow(text("Handful"), HANDFUL_HREF),
            ActRow(text("Contract"), DEAL_HREF),
        ]

    def speaker(self, hand: FrenchHand) -> tuple[str, str] | None:
        """Who must say something before a card is played, and what."""
        step = next_step(hand)
        who = {"bid": hand.bidding.bidder, "call": hand.taker}.get(step)
        return (who, text(_STEPS[step][1])) if who is not None and not hand.plays else None

    def waiting(self, hand: FrenchHand, lang: str) -> CentreNote:
        """The contract with the dog as it was read, or the bids so far."""
        bids = " · ".join(
            text(": ").join((player, bid_text(contract, lang))) for player, contract in hand.bidding.bids
        )
        if hand.contract is None:
            return CentreNote(text("Bids"), bids or text("Nobody has bid yet."))
        dog = (
            ""
            if hand.dog.turned is None
            else self.event_text(DogTurned(tuple(PACK.names(hand.dog.turned))), lang)
        )
        return CentreNote(contract_text(hand, lang), dog or bids)

    def banners(self, hand: FrenchHand, lang: str) -> list[str]:
        """The contract, the partner once he is known, handfuls that were shown."""
        # Before the first card the contract stands in the middle.
        said = [contract_text(hand, lang)] if hand.contract is not None and hand.plays else []
        if partner_text(hand, lang):
            said.append(partner_text(hand, lang))
        return said + [handful_text(hand, handful, lang) for handful in hand.handfuls]

    def asked(self, session: FrenchSession, lang: str, watched: bool) -> list[Asked]:
        """The questions about what must still be entered to score the deal, and about a discard that differs."""
        hand = session.hand
        asked = self.unscored(session, lang)
        if watched and not session.under_way:
            return [*asked, self.start_asked()]
        if hand is None:
            return asked
        waits = watched and hand.awaits_word
        step = next_step(hand)
        asked_already = step == "bid" and hand.has_misfit
        if session.under_way and step in _STEPS and (hand.plays or waits) and not asked_already:
            missing = _missing(hand)
            if waits:
                missing = replace(missing, text=text("Until it is entered no card is noted."))
            return [*asked, missing]
        if hand.dog.laid_unseen is not None and hand.dog.aside is not None:
            wrong = hand.dog.aside & ~(hand.dog.laid_unseen | (hand.dog.laid or 0))
            if wrong:
                cards = self.cards_text(PACK.names(wrong), lang)
                said = text(
                    "These cards were never played, and were not entered as laid: {cards}. Was a card read wrongly?",
                    cards=cards,
                )
                return [
                    *asked,
                    Asked(
                        "laid",
                        text("Do the cards agree?"),
                        said,
                        text("Look at the hand"),
                        f"/hands/{hand.number}",
                    ),
                ]
        return asked

    def unscored(self, session: FrenchSession, lang: str) -> list[Asked]:
        """The questions about contracts and calls that were never entered."""
        return [_missing(hand) for hand in session.hands if lacking(hand, lang)]

    def lacks(self, hand: FrenchHand, lang: str) -> str:
        """What of the deal was not entered and must be."""
        return lacking(hand, lang)

    def endings(self, hand: FrenchHand, lang: str) -> list[str]:
        """The result in sentences, one of which may say that the table can annul the deal."""
        said = endings(hand, lang)
        if hand.annul_proposed:
            said.append(
                text("Proposal: the side at fault won, so the hand should be annulled. The table decides.")
            )
        return said

    def facts(self, hand: FrenchHand, lang: str) -> list[Fact]:
        """Bids, contract, the dog, what was laid, handfuls, points, the Excuse and the score."""
        facts = [
            Fact(
                text("Bids"),
                [(player, bid_text(name, lang)) for player, name in hand.bidding.bids],
                said=True,
            )
        ]
        contract = [("", contract_text(hand, lang))] if hand.contract is not None else []
        contract += [("", said) for said in (partner_text(hand, lang), lacking(hand, lang)) if said]
        facts.append(Fact(text("Contract"), contract, said=True))
        if hand.dog.turned is not None:
            facts.append(self.cards_fact(text("The dog"), hand.dog.turned, lang))
        if hand.dog.laid and hand.dog.aside is None:
            facts.append(self.cards_fact(text("Laid face up"), hand.dog.laid, lang))
        if hand.dog.aside is not None and hand.contract is not None:
            title = text("Laid") if hand.contract.takes_dog else text("The dog")
            facts.append(self.cards_fact(title, hand.dog.aside, lang, said=False))
        handfuls = [
            ("", text(": ").join((handful_text(hand, one, lang), self.cards_text(one.cards, lang))))
            for one in hand.handfuls
        ]
        handfuls += [("", said) for said in handfuls_in_result(hand, lang)]
        facts.append(Fact(text("Handfuls"), handfuls))
        if hand.outcome is not None:
            points = hand.outcome.counted.halves.items()
            facts.append(
                Fact(text("Points"), [(WORDS.side_name(side, lang), halves_text(n)) for side, n in points])
            )
        facts.append(
            Fact(WORDS.card_label("F", lang), [("", excuse_text(hand, lang))] if hand.excuse else [])
        )
        awards = [
            (WORDS.side_name(to, lang), f"{self.cards_text(cards, lang)} ({reason})")
            for cards, to, reason in hand.award_reasons
        ]
        facts.append(Fact(text("Awarded"), awards, said=True))
        facts += self.scored(hand, lang)
        return [fact for fact in facts if fact.rows]

    def counted_too(self, study: Study, lang: str) -> list[tuple[str, str]]:
        """The points and the bouts that nobody has seen yet (FT-CARD-2, FT-CARD-3)."""
        unseen = PACK.mask(study.chances)
        bouts = [WORDS.card_label(card, lang) for card in BOUTS if card in study.chances]
        return [
            (text("points out"), halves_text(PACK.value(unseen))),
            (text("bouts out"), ", ".join(bouts) or "–"),
        ]

    def late_acts(self, hand: FrenchHand) -> list[tuple[str, str]]:
        """What was said before the first card."""
        return [] if hand.result else [(text("Contract and dog"), f"{DEAL_HREF}?hand={hand.number}")]

    def row_title(self, hand: FrenchHand, lang: str) -> str:
        """Contract and taker, and whether the deal counts."""
        title = deal_title(hand, lang)
        if hand.outcome is not None:
            return title
        said = [text("does not count") if hand.void else text("not scored")]
        if any(score.reason in PERSONAL for score in hand.scores):
            said.append(text("penalties"))
        return f"{title} ({', '.join(said)})"

    def proposal(self, finding: Finding) -> Proposal:
        """A warning, a penalty, or the deal void (FT-REN-2 to FT-REN-6)."""
        assert isinstance(finding, FrenchFinding)
        if not finding.fine:
            return Proposal(text("Reported only; the rules name no penalty for it."))
        if finding.warning:
            said = text("Proposal: a warning, the next time {amount} points.", amount=finding.fine)
        else:
            said = text("Proposal: {amount} points.", amount=finding.fine)
        if finding.annul:
            said += " " + text("The hand is annulled if this side wins it.")
        said += " " + text("The table decides.")
        return Proposal(said, self.fine_href, text("Give the penalty …"))

    def fined(self, hand: FrenchHand, finding: Finding, who: str, amount: int, reason: str) -> PenaltyBooked:
        """The penalty. One that the rules propose follows the rules, if those are put right."""
        points = amount if amount != hand.rules.penalty else None
        return PenaltyBooked(who, points or None, reason, hand.number, finding.name)
