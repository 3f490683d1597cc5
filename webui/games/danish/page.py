"""What the page says of Danish Tarok: declarations, the fool's name, ultimo and bagud, fines by category."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from tracker.cards import FOOL, SUITS, TRUMP
from tracker.catalogue import msgid
from tracker.danish.combination import Combination
from tracker.danish.events import (
    Declared,
    Fined,
    FoolCalled,
    FoolNamed,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.danish.findings import DanishFinding
from tracker.danish.game import DANISH
from tracker.danish.hand import DanishHand
from tracker.danish.result import ResultEntered
from tracker.danish.session import DanishSession
from tracker.danish.words import WORDS, combination_text, declared_kind_text
from tracker.events import Event
from tracker.hand import Hand
from tracker.ledger import Payment
from tracker.open_questions import not_entered
from tracker.tricks import Trick
from webui.games.page import ActRow, Asked, CentreNote, EntryField, Fact, GamePage, Lessons, Option, Proposal
from webui.texts import text, where_text

CATEGORIES: Final = {
    "superficial": msgid("superficial"),
    "minor": msgid("minor"),
    "major": msgid("major"),
    "misdeclaration": msgid("misdeclaration"),
    "irrecoverable": msgid("irrecoverable"),
}
"""The categories of fines."""
_REDEALS: Final = {
    "misdeal": msgid("Misdeal, dealt again"),
    "no_trumps": msgid("No trumps, dealt again"),
}
"""Why a hand was dealt again."""
_ENDINGS: Final = {
    "tout": msgid("{target} made a tout"),
    "nolo": msgid("{target} made a nolo"),
    "pagat_ultimo": msgid("{target} won ultimo with {card}"),
    "king_ultimo": msgid("{target} won ultimo with {card}"),
    "last_trick": msgid("{target} won the last trick with {card}"),
    "pagat_bagud": msgid("{source} went bagud with {card}"),
    "king_bagud": msgid("{source} went bagud with {card}"),
    "failed_tout": msgid("{source} announced a tout and failed"),
}
"""What happened in the last trick, by the reasons of payments. Other reasons are consequences of these."""


def combinations_text(made: Sequence[Combination], lang: str) -> str:
    """A declaration in one line; without combinations it is a pass."""
    return ", ".join(combination_text(one, lang) for one in made) or text("Pass").lower()


def declarations_text(hand: DanishHand, lang: str) -> str:
    """Who declared what so far, in one line."""
    made = _declared(hand, lang)
    if not made:
        return text("No declarations entered")
    return text("; ").join(text(": ").join((name, what)) for name, what in made)


def declared_text(hand: DanishHand, player: str, lang: str) -> str:
    """What `player` declared, or that he has not declared yet."""
    made = hand.declared[player]
    return combinations_text(made, lang) if made is not None else text("not yet")


def _declared(hand: DanishHand, lang: str) -> list[tuple[str, str]]:
    return [(name, combinations_text(made, lang)) for name, made in hand.declared.items() if made is not None]


def _to_return(hand: DanishHand, who: str, finding: DanishFinding) -> tuple[Combination, ...]:
    """The declaration that the fine for `finding` pays back, unless the rules have all of them paid back."""
    made = finding.made
    if made is None or hand.rules.misdeclaration_returns_all or finding.category != "misdeclaration":
        return ()
    return (made,) if made in (hand.declared.get(who) or ()) else ()


def may_call(hand: DanishHand) -> bool:
    """Whether a call for the fool may be entered. For a fool that lies in the trick nobody calls, or he was obeyed."""
    lies = hand.trick is not None and any(play.card == FOOL for play in hand.trick.plays)
    return hand.fool_may_be_called and not lies


def _name_asked(hand: Hand, trick: Trick, newest: int) -> Asked:
    return Asked(
        f"fool-{trick.plays[0].seq}",
        text("Which suit did {player} name the fool?", player=trick.leader),
        text(
            "The fool was led in {where}, and nobody has entered its suit. What follows may depend on it.",
            where=where_text(trick.number, hand.number, newest),
        ),
        text("Enter the name"),
        f"/fool/{trick.plays[0].seq}",
    )


class DanishPage(GamePage):
    """Danish Tarok among the pages."""

    game = DANISH
    title = msgid("Danish Tarok")
    options = (Option("count", msgid("Count after every hand")),)
    reasons: ClassVar = {
        "foundation": msgid("founding"),
        "deal": msgid("dealing"),
        "declaration": msgid("declarations"),
        "declaration_returned": msgid("declarations paid back"),
        "king_lost": msgid("kings lost"),
        "pagat_lost": msgid("pagat lost"),
        "pagat_won": msgid("pagat home"),
        "tout": msgid("tout"),
        "tout_pot": msgid("tout"),
        "failed_tout": msgid("tout failed"),
        "failed_tout_pot": msgid("tout failed"),
        "nolo": msgid("nolo"),
        "pagat_ultimo": msgid("ultimo"),
        "king_ultimo": msgid("ultimo"),
        "ultimo_pot": msgid("ultimo"),
        "pagat_bagud": msgid("bagud"),
        "king_bagud": msgid("bagud"),
        "bagud_pot": msgid("bagud"),
        "last_trick": msgid("last trick"),
        "count": msgid("count"),
    }
    deeds: ClassVar = {
        "pagat_ultimo": msgid("ultimo with the pagat"),
        "king_ultimo": msgid("ultimo with a king"),
        "pagat_bagud": msgid("bagud with the pagat"),
        "king_bagud": msgid("bagud with a king"),
        "pagat_won": msgid("pagat home"),
        "pagat_lost": msgid("pagat lost"),
        "king_lost": msgid("kings lost"),
        "last_trick": msgid("last trick"),
        "tout": msgid("tout"),
        "failed_tout": msgid("tout failed"),
        "nolo": msgid("nolo"),
        "declaration_returned": msgid("declarations paid back"),
    }
    chip_step = 5
    fine_href = "/fine"
    result_href = "/result"
    finish = msgid("Settle the evening")
    names_fool = True
    player_acts = ((msgid("Declaration"), "/declare"),)
    lessons = Lessons(
        seen=msgid("Trumps seen"),
        trumps=msgid(
            "There are {count}, the fool among them. Those in the hands and in the skat are still out."
        ),
        asked=msgid("How many trumps are still out? The fool is one of the {count}."),
        held=msgid("How many trumps do you hold now?"),
        own=msgid("The fool is one of them."),
        aside={"skat": (msgid("the skat"), msgid("Nobody played it: it lay in the skat."))},
        declarations=True,
    )
    more = "games/danish/more.html"
    joining = msgid(
        "Between two hands. The new player pays a third of each pot into it; at a table of four, a fourth."
    )
    leaving = msgid(
        "Between two hands. The player who leaves gets a share of each pot. The balance is kept in case of a return."
    )
    closing = msgid("Both pots are shared evenly among all at the table. You can undo that.")
    broken_off = msgid("Payments already made stand. There is no last trick and no count.")
    unfinished = msgid("The hand in progress is not finished; it gets no last trick and no count.")

    def event_text(self, event: Event, lang: str) -> str:
        """An event that only this game has, in a few words."""
        match event:
            case Declared(player=player, combinations=made):
                return text("{player} declares {what}", player=player, what=combinations_text(made, lang))
            case FoolNamed(player=player, suit=suit):
                return text("{player} names the fool {suit}", player=player, suit=WORDS.suit_name(suit, lang))
            case FoolCalled(player=player):
                return text("{player} calls for the fool", player=player)
            case ToutAnnounced(player=player):
                return text("{player} announces a tout", player=player)
            case SkatShown(cards=cards):
                return text(
                    "The skat: {cards}", cards=", ".join(WORDS.card_label(card, lang) for card in cards)
                )
            case Redealt(reason=reason):
                return text(_REDEALS[reason])
            case Fined(player=player, category=category, reason=reason):
                why = reason or text(CATEGORIES[category])
                if category == "superficial":
                    return text("No fine for {player}: {reason}", player=player, reason=why)
                return text("{player} is fined: {reason}", player=player, reason=why)
        return super().event_text(event, lang)

    def told_by_payments(self, event: Event, paid: Sequence[Payment]) -> bool:
        """A declaration of which each combination is paid."""
        made = event.combinations if isinstance(event, Declared) else ()
        return bool(made) and {*made} <= {one.combination for one in paid if one.reason == "declaration"}

    def fields(self, hand: DanishHand, event: Event, lang: str) -> list[EntryField]:
        """The parts of an entry, besides cards, that are put right; a declaration has a dialog of its own."""
        match event:
            case FoolNamed():
                named = [(WORDS.suit_name(one, lang), replace(event, suit=one)) for one in (*SUITS, TRUMP)]
                return [EntryField(text("The fool was named"), named), self.another_player(hand, event)]
            case FoolCalled():
                return [self.another_player(hand, event)]
            case Redealt():
                reasons = [(text(_REDEALS[why]), Redealt(why)) for why in _REDEALS]
                return [EntryField(text("Dealt again"), reasons)]
        return []

    def deed_text(self, kind: str, lang: str) -> str:
        """Why a person's chips moved, in a word; each kind of declaration is told by itself."""
        return declared_kind_text(kind, lang) if " " in kind else super().deed_text(kind, lang)

    def entry_href(self, event: Event, seq: int) -> str:
        """The dialog that puts the entry `seq` right."""
        return f"/declare?right={seq}" if isinstance(event, Declared) else f"/entries/{seq}"

    def acts(self, hand: DanishHand) -> list[ActRow]:
        """The buttons while a hand is under way."""
        play = ActRow(text("Card played"), "/play", "" if hand.to_declare else "main")
        declare = ActRow(text("Declaration"), "/declare", "main" if hand.to_declare else "")
        fool = [ActRow(text("The fool"), "/fool")] if hand.fool_may_be_named or may_call(hand) else []
        return [play, declare, *fool]

    def speaker(self, hand: DanishHand) -> tuple[str, str] | None:
        """The player whose declaration is awaited."""
        return (hand.to_declare, text("to declare")) if hand.to_declare else None

    def waiting(self, hand: DanishHand, lang: str) -> CentreNote:
        """Who declared what so far."""
        return CentreNote(text("Declarations, dealer first"), declarations_text(hand, lang))

    def banners(self, hand: DanishHand, lang: str) -> list[str]:
        """An announced tout, and the suit that was named for the fool."""
        said = []
        if hand.tout_announced:
            said.append(text("{player} announced a tout", player=hand.tout_announced))
        if hand.trick is not None and hand.trick.plays[0].card == FOOL:
            # Until it is named, the next card only stands for its suit.
            suit = hand.trick.suit if hand.trick.named else None
            said.append(
                text("The fool is {suit}", suit=WORDS.suit_name(suit, lang))
                if suit
                else text("The fool has no name yet")
            )
        return said

    def asked(self, session: DanishSession, lang: str, watched: bool) -> list[Asked]:
        """The question which suit a led fool was named, where nobody has entered that."""
        asked = [
            (one, one.tricks[finding.trick - 1]) for one, finding in not_entered(session) if finding.trick
        ]
        hand = session.hand
        if hand is not None and session.under_way and hand.trick is not None and hand.trick.suit is None:
            asked.append((hand, hand.trick))
        return [_name_asked(one, trick, len(session.hands)) for one, trick in asked]

    def endings(self, hand: DanishHand, lang: str) -> list[str]:
        """What happened in the last trick of a complete hand, and what it decided."""
        said = []
        for payment in hand.payments:
            if payment.rule == "PAY-5" and payment.reason in _ENDINGS:
                card = WORDS.card_name(payment.card, lang) if payment.card else text("a king")
                sentence = text(_ENDINGS[payment.reason])
                if payment.reason == "last_trick" and not payment.card:
                    sentence = text("{target} won the last trick")
                said.append(sentence.format(source=payment.source, target=payment.target, card=card))
        if isinstance(hand.result, ResultEntered):
            winner = hand.result.tout or hand.result.winner
            won = text("{player} took the last trick", player=winner) if winner else ""
            return said or [one for one in [won] if one]
        last = hand.tricks[-1]
        best = next((play for play in last.plays if play.player == last.winner), None)
        ultimo = any(
            payment.reason in ("pagat_ultimo", "king_ultimo", "last_trick") for payment in hand.payments
        )
        if (
            not ultimo and best is not None
        ):  # Tout, nolo and bagud do not say who took the trick, and a barred player is paid for no ultimo
            said.insert(
                0,
                text(
                    "{player} took the last trick with {card}",
                    player=last.winner,
                    card=WORDS.card_name(best.card, lang),
                ),
            )
        return said

    def facts(self, hand: DanishHand, lang: str) -> list[Fact]:
        """The declarations and, once the hand is counted, the points."""
        facts = []
        if declared := _declared(hand, lang):
            facts.append(Fact(text("Declarations"), declared, said=True))
        if hand.points:
            facts.append(Fact(text("Points"), [(name, str(points)) for name, points in hand.points.items()]))
        return facts

    def proposal(self, finding: DanishFinding) -> Proposal:
        """The fine that is proposed for a certain finding."""
        category = text(CATEGORIES[finding.category])
        if not finding.fine:
            return Proposal(text("Proposal: {category}, no fine.", category=category))
        said = text(
            "Proposal: {category}, {amount} to each pot. The table decides.",
            category=category,
            amount=finding.fine,
        )
        return Proposal(said, self.fine_href, text("Give the fine …"))

    def omitted(self, hand: DanishHand, finding: DanishFinding) -> Proposal | None:
        """A fool may lie in the skat for a tout, which was perhaps announced and not entered (DISC-3)."""
        if finding.kind != "fool_discarded" or not hand.tout_may_be_announced:
            return None
        if not hand.rules.fool_in_skat_for_tout:
            return None
        said = text(
            "If {player} announced a tout and nobody entered it, enter it now: then the fool may lie there.",
            player=hand.dealer,
        )
        ((label, href),) = _late_tout(hand)
        return Proposal(said, href, label)

    def late_acts(self, hand: DanishHand) -> list[tuple[str, str]]:
        """A declaration or a tout that nobody entered. While the hand is played a declaration has a button anyway."""
        if hand.to_play or hand.result:
            return _late_tout(hand)
        return [(text("Declaration"), f"/declare?hand={hand.number}"), *_late_tout(hand)]

    def settled(self, session: DanishSession, fine: Fined) -> str:
        """What the page says of a finding that was fined, or let pass by a fine that costs nothing."""
        let_pass = not session.rules.fine(fine.category)
        return text("Settled without a fine.") if let_pass else text("The fine is given.")

    def fined(self, hand: DanishHand, finding: DanishFinding, who: str, amount: int, reason: str) -> Fined:
        """The fine of the finding's category."""
        returned = _to_return(hand, who, finding)
        return Fined(who, finding.category, reason, returned, hand.number, finding.name)

    def passed(self, hand: DanishHand, finding: DanishFinding, reason: str) -> Fined | None:
        """A fine that costs nothing; None for a contradiction without a player."""
        who = finding.player
        return Fined(who, "superficial", reason, (), hand.number, finding.name) if who else None


def _late_tout(hand: DanishHand) -> list[tuple[str, str]]:
    said = text("{player} announced a tout", player=hand.dealer)
    return [(said, f"/tout?hand={hand.number}")] if hand.tout_may_be_announced else []
