"""What the page says of the Tarot of 1659: the fool that is paid for, the points, who wins the pot."""

from typing import ClassVar, Final

from tracker.catalogue import msgid
from tracker.events import Event
from tracker.findings import Finding
from tracker.open_questions import not_entered
from tracker.tarot1659.events import Fined, FoolExchanged, Redealt
from tracker.tarot1659.game import TAROT_1659
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.words import WORDS
from webui.games.page import ActRow, Asked, CentreNote, Fact, GamePage, Lessons, Option, Proposal
from webui.texts import ntext, text

FOOL_HREF: Final = "/tarot1659/fool"


def owes_for_fool(hand: Hand1659) -> tuple[str, str] | None:
    """Who owes a card for the fool, and to whom (T59-FOOL-3, T59-FOOL-4); None while nobody can pay.

    The card is owed after the hand, too: it "counts for the score" all the same (T59-FINE-3).
    """
    fool = hand.fool
    if fool is None or fool.winner is None or fool.card is not None or hand.abandoned or hand.by_result:
        return None
    return (fool.player, fool.winner) if hand.tricks_won[fool.player] else None


def _fool_asked(hand: Hand1659, player: str, winner: str) -> Asked:
    if not hand.complete:
        href = FOOL_HREF
        title = text("Which card does {player} give for the fool?", player=player)
        said = text(
            "{player} gives {winner} any card from the tricks that {player} won.",
            player=player,
            winner=winner,
        )
    else:
        href = f"{FOOL_HREF}?hand={hand.number}"
        title = text(
            "Hand {number}: which card did {player} give for the fool?", number=hand.number, player=player
        )
        said = text("The cheapest card is counted. If one was given, enter it.")
    return Asked(f"fool-{hand.number}", title, said, text("Enter the card"), href)


def _fool_ending(hand: Hand1659) -> list[str]:
    fool = hand.fool
    if fool is not None and fool.state == "surrendered":
        return [
            text("{player} won no trick: the fool goes to {winner}", player=fool.player, winner=fool.winner)
        ]
    return []


class Page1659(GamePage):
    """The Tarot of 1659 among the pages."""

    game = TAROT_1659
    title = msgid("Tarot of 1659")
    options = (
        Option("cards", msgid("Cards for each player")),
        Option("ante", msgid("Ante, in chips")),
        Option(
            "tie",
            msgid("If several have the most points"),
            {"split": msgid("they share the pot"), "carry": msgid("the pot stays for the next hand")},
        ),
    )
    reasons: ClassVar = {"ante": msgid("ante"), "win": msgid("pot won")}
    fine_href = "/tarot1659/fine"
    result_href = "/tarot1659/result"
    finish = msgid("Settle the evening")
    lessons = Lessons(
        seen=msgid("Trumps seen"),
        trumps=msgid(
            "There are {count}; the fool is not one of them. Those in the hands and those set aside are still out."
        ),
        asked=msgid("How many trumps are still out? There are {count}; the fool is not one of them."),
        held=msgid("How many trumps do you hold now?"),
        own=msgid("The fool is not one of them."),
        aside={"stock": (msgid("set aside"), msgid("Nobody played it: it was set aside."))},
    )
    more = "games/tarot1659/more.html"
    joining = msgid("Between two hands. The new player pays an even share of the pot into it.")
    leaving = msgid(
        "Between two hands. The player who leaves gets an even share of the pot. The balance is kept in case "
        "of a return."
    )
    closing = msgid("The pot is shared evenly among all at the table. You can undo that.")
    broken_off = msgid("Nobody wins; the antes stay in the pot for the next hand.")
    unfinished = msgid("The hand in progress is not finished; nobody wins it.")

    def event_text(self, event: Event, lang: str) -> str:
        """An event that only this game has, in a few words."""
        match event:
            case FoolExchanged(player=player, card=card):
                return text(
                    "{player} gives {card} for the fool", player=player, card=WORDS.card_name(card, lang)
                )
            case Fined(player=player, amount=amount, reason=reason):
                said = text("{player} is fined {amount}", player=player, amount=amount)
                return text(": ").join((said, reason)) if reason else said
            case Redealt():
                return text("Misdeal, dealt again")
        return super().event_text(event, lang)

    def acts(self, hand: Hand1659) -> list[ActRow]:
        """The buttons while a hand is under way."""
        play = ActRow(text("Card played"), "/play", "main")
        return [play, ActRow(text("Card for the fool"), FOOL_HREF)] if owes_for_fool(hand) else [play]

    def waiting(self, hand: Hand1659, lang: str) -> CentreNote:
        """Who leads, and how many cards each holds."""
        cards = ntext("{count} card each.", "{count} cards each.", hand.rules.cards)
        leads = text("{player} leads.", player=hand.active[0])
        return CentreNote(text("The cards are dealt"), f"{cards} {leads}")

    def banners(self, hand: Hand1659, lang: str) -> list[str]:
        """The fool that was led."""
        led = hand.trick is not None and hand.trick.suit is None
        return [text("The fool is led: the next card is the suit")] if led else []

    def asked(self, session: Session1659, lang: str, watched: bool) -> list[Asked]:
        """The question which card was given for the fool: in this hand, and in earlier ones that lack the answer."""
        missing = {hand.number for hand, _ in not_entered(session)}
        now = session.hand.number if session.hand is not None and session.under_way else 0
        waiting = [hand for hand in session.hands if hand.number in {*missing, now}]
        return [_fool_asked(hand, *owing) for hand in waiting if (owing := owes_for_fool(hand))]

    def endings(self, hand: Hand1659, lang: str) -> list[str]:
        """Who won the pot, and with how many points."""
        if hand.winners is None:
            return []
        if hand.points is None:
            names = WORDS.listed(hand.winners, lang)
            return [
                ntext(
                    "{players} has the most points and wins",
                    "{players} have the most points",
                    len(hand.winners),
                    players=names,
                )
            ]
        points = hand.points[hand.winners[0]]
        won = [payment for payment in hand.payments if payment.reason == "win"]
        names = WORDS.listed(hand.winners, lang)
        if len(hand.winners) == 1:
            said = text(
                "{player} has the most points, {points}, and wins the pot of {amount}",
                player=names,
                points=points,
                amount=sum(payment.amount for payment in won),
            )
        elif won:
            said = text(
                "{players} have the most points, {points}, and share the pot: {amount} each",
                players=names,
                points=points,
                amount=won[0].amount,
            )
        else:
            said = text(
                "{players} have the most points, {points}: the pot stays for the next hand",
                players=names,
                points=points,
            )
        return [said, *_fool_ending(hand)]

    def facts(self, hand: Hand1659, lang: str) -> list[Fact]:
        """The points, and what became of the fool."""
        facts = []
        if hand.points:
            facts.append(Fact(text("Points"), [(name, str(points)) for name, points in hand.points.items()]))
        fool = hand.fool
        if fool is not None and fool.card is not None:
            gave = text("gave {winner} {card}", winner=fool.winner, card=WORDS.card_name(fool.card, lang))
            facts.append(Fact(text("The fool"), [(fool.player, gave)], said=True))
        elif fool is not None and fool.state == "unpaid":
            facts.append(
                Fact(text("The fool"), [(fool.player, text("gave no card; the cheapest is counted"))])
            )
        elif (
            fool is not None and fool.winner is not None and fool.state == "open" and not owes_for_fool(hand)
        ):
            facts.append(Fact(text("The fool"), [(fool.player, text("pays for it after winning a trick"))]))
        return facts

    def result_note(self, hand: Hand1659, player: str) -> str:
        """A player's points of a complete hand."""
        return ntext("{count} point", "{count} points", hand.points[player]) if hand.points else ""

    def proposal(self, finding: Finding) -> Proposal:
        """A fine that the table names, since the rules name none (T59-FINE-1)."""
        return Proposal(
            text("The rules name no fine; the table may give one."), self.fine_href, text("Give a fine …")
        )

    def fined(self, hand: Hand1659, finding: Finding, who: str, amount: int, reason: str) -> Fined:
        """The fine that the table named."""
        return Fined(who, amount, reason, hand.number, finding.name)
