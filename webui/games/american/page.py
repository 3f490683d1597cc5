"""What the page says of American Tarock: bids, game, call, Talon, announcements, and the score sheet."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from tracker.american.contracts import ANNOUNCED, BIDS, CONTRACTS, KLOP
from tracker.american.entering import Step, missing_vitamins, next_step, talon_groups, vitamin_is_due
from tracker.american.events import (
    CALLS,
    BidMade,
    BonusAnnounced,
    ContractNamed,
    GameRaised,
    GroupTaken,
    HandLaidOpen,
    LaidFaceUp,
    PartnerCalled,
    Redealt,
    RenonceBooked,
    SkeenchCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.game import AMERICAN
from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.american.talon import VITAMINS
from tracker.american.telling import announced_before, call_text, endings, game_text, lacking, round_title
from tracker.american.words import WORDS
from tracker.bidding import PASS
from tracker.catalogue import msgid
from tracker.events import Event
from tracker.findings import Finding
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

ROUND_HREF: Final = "/american/round"
_STEPS: Final[dict[Step, tuple[str, str]]] = {
    "bid": (msgid("Bids"), msgid("to bid")),
    "call": (msgid("Call"), msgid("to call a king")),
    "talon": (msgid("The Talon"), msgid("turns up the Talon")),
    "take": (msgid("Take a group"), msgid("to take a group")),
    "vitamin": (msgid("Vitamin"), msgid("turns up a vitamin")),
}
"""What comes next: its button, and what its player must do."""
_REDEALS: Final = {
    "misdeal": msgid("Misdeal, dealt again"),
    "no_tarocks": msgid("A hand without tarocks, dealt again: compulsory Klop"),
}


def announcements(hand: AmericanHand, lang: str) -> list[str]:
    """What was announced in `hand`, a sentence each."""
    return [
        text("{player} announces {bonus}", player=player, bonus=WORDS.bonus_name(bonus, lang))
        for player, bonus in hand.bidding.announced
    ]


def bid_text(game: str, lang: str) -> str:
    """A bid, or a pass."""
    return text("Pass") if game == PASS else WORDS.game_name(game, lang)


def _games(hand: AmericanHand, event: ContractNamed, lang: str) -> list[EntryField]:
    """The choices of another game or another declarer; if nobody declared, of both together."""
    names = {game: WORDS.game_name(game, lang) for game in CONTRACTS}
    if event.declarer is None and hand.declarer is None:
        return [
            EntryField(
                text("{player} plays", player=player),
                [(name, ContractNamed(game, player)) for game, name in names.items() if game != KLOP.name],
            )
            for player in hand.active
        ]
    games = [(name, replace(event, game=game)) for game, name in names.items() if game != KLOP.name]
    return [
        EntryField(text("It was another contract"), [*games, (names[KLOP.name], ContractNamed(KLOP.name))]),
        SheetPage.another_player(hand, event, "declarer"),
    ]


def _missing(hand: AmericanHand, lang: str) -> Asked:
    """The question about what must be entered next in `hand`, before it can be judged and scored."""
    step = next_step(hand)
    title = {
        "bid": text("Which contract is played, and by whom?"),
        "call": text("Which king is called?"),
        "talon": text("Which six cards is the Talon?"),
        "take": text("Which group of the Talon was taken?"),
    }.get(step) or _vitamins_asked(missing_vitamins(hand), lang)
    key = str(step)
    if not _under_way(hand):
        key, title = (
            f"{step}-{hand.number}",
            text(": ").join((text("Hand {number}", number=hand.number), title)),
        )
    said = text("Until it is entered the hand cannot be scored.")
    if step == "bid":
        said = text("Until it is entered nobody is flagged, and the hand cannot be scored.")
    return Asked(key, title, said, text(_STEPS[step][0]), round_href(hand))


def round_href(hand: AmericanHand) -> str:
    """The dialog of what comes next in `hand`."""
    return ROUND_HREF if _under_way(hand) else f"{ROUND_HREF}?hand={hand.number}"


def _vitamins_asked(tricks: list[int], lang: str) -> str:
    if len(tricks) == 1:
        return text("Which vitamin went with trick {trick}?", trick=tricks[0])
    return text(
        "Which vitamins went with the tricks {tricks}?",
        tricks=WORDS.listed([str(one) for one in tricks], lang),
    )


def _under_way(hand: AmericanHand) -> bool:
    return not (hand.complete or hand.abandoned)


def full_score_of(hand: AmericanHand) -> int:
    """The cost of a renonce by the rules; 0 before the game is named."""
    return hand.bidding.full_score() or 0


class AmericanPage(SheetPage):
    """American Tarock among the pages."""

    game = AMERICAN
    title = msgid("American Tarock")
    options = (
        Option("mond_penalty", msgid("A captured Mond costs, in points")),
        Option("zero_klop", msgid("A score of exactly zero leads to a compulsory Klop")),
        Option("valat_alone", msgid("Where Valat is won or announced, nothing else is scored")),
        Option("free_lead", msgid("Tarocks may be led from the first trick on")),
    )
    reasons: ClassVar = {
        "misdeal": msgid("misdeal"),
        "mond": msgid("captured Mond"),
        "klop": msgid("Klop"),
        "game": msgid("the contract"),
        "difference": msgid("difference"),
        "called_king_lost": msgid("called king lost"),
        "trula": msgid("Trula"),
        "king_ultimo": msgid("King Ultimo"),
        "kings": msgid("Kings"),
        "pagat_ultimo": msgid("Pagat Ultimo"),
        "valat": msgid("Valat"),
        "renonce": msgid("renonce"),
    }
    fine = msgid("Renonce")
    fine_href = "/american/renonce"
    result_href = "/american/result"
    lessons = Lessons(
        seen=msgid("Tarocks seen"),
        trumps=msgid(
            "There are {count}, the Skeench among them. Those in the hands, and those laid aside unseen, are still out."
        ),
        asked=msgid("How many tarocks are still out? The Skeench is one of the {count}."),
        held=msgid("How many tarocks do you hold now?"),
        own=msgid("The Skeench is one of them."),
        aside={
            "talon": (msgid("the Talon"), msgid("Nobody played it: it lay in the Talon.")),
            "discards": (msgid("the discards"), msgid("Nobody played it: the declarer laid it.")),
        },
    )
    more = "games/american/more.html"
    joining = msgid("Four players sit at the table; nobody joins.")
    leaving = msgid("Four players sit at the table; nobody leaves.")
    broken_off = msgid("The hand is not scored; renonces, misdeals and captured Monds stand.")

    def contract_text(self, contract: str, lang: str) -> str:
        """A game in a word."""
        return WORDS.game_name(contract, lang)

    def event_text(self, event: Event, lang: str) -> str:
        """An event that only this game has, in a few words."""
        match event:
            case BidMade(player=player, game=game):
                return text(": ").join((player, bid_text(game, lang)))
            case ContractNamed(game=game, declarer=declarer):
                said = WORDS.game_name(game, lang)
                return text("{player} plays {game}", player=declarer, game=said) if declarer else said
            case PartnerCalled(call=call):
                return text("Called: {card}", card=call_text(call, lang))
            case TalonTurned(cards=cards):
                return text("The Talon: {cards}", cards=self.cards_text(cards, lang))
            case GroupTaken(group=group):
                return text("Group {number} is taken", number=group + 1)
            case LaidFaceUp(cards=()):
                return text("Nothing is laid face up")
            case LaidFaceUp(cards=cards):
                return text("Laid face up: {cards}", cards=self.cards_text(cards, lang))
            case BonusAnnounced(player=player, bonus=bonus):
                return text("{player} announces {bonus}", player=player, bonus=WORDS.bonus_name(bonus, lang))
            case GameRaised(game=game):
                return text("Raised to {game}", game=WORDS.game_name(game, lang))
            case Redealt(reason=reason):
                return text(_REDEALS[reason])
            case SkeenchCalled(player=player):
                return text("{player} calls Skeench-a-tola", player=player)
            case VitaminTurned(card=card):
                return text("Vitamin: {card}", card=WORDS.card_label(card, lang))
            case HandLaidOpen():
                return text("The declarer's hand lies open")
            case RenonceBooked(player=player, amount=amount, reason=reason):
                said = text("Renonce of {player}", player=player) + (f" ({amount})" if amount else "")
                return text(": ").join((said, reason)) if reason else said
        return super().event_text(event, lang)

    def fields(self, hand: AmericanHand, event: Event, lang: str) -> list[EntryField]:
        """The parts of an entry, besides cards, that can be put right."""
        match event:
            case BidMade():
                bids = [(bid_text(game, lang), replace(event, game=game)) for game in BIDS]
                return [EntryField(text("It was another bid"), bids)]
            case ContractNamed():
                return _games(hand, event, lang)
            case PartnerCalled():
                calls = [(call_text(call, lang), PartnerCalled(call)) for call in CALLS]
                return [EntryField(text("It was another call"), calls)]
            case GroupTaken():
                groups = [
                    (self.cards_text(group, lang), GroupTaken(number))
                    for number, group in enumerate(talon_groups(hand))
                ]
                return [EntryField(text("It was another group"), groups)]
            case BonusAnnounced():
                bonuses = [
                    (WORDS.bonus_name(bonus, lang), replace(event, bonus=bonus)) for bonus in ANNOUNCED
                ]
                return [
                    EntryField(text("It was another announcement"), bonuses),
                    self.another_player(hand, event),
                ]
            case VitaminTurned():
                tricks = [
                    (text("Trick {trick}", trick=number), replace(event, trick=number))
                    for number in range(1, VITAMINS + 1)
                ]
                return [EntryField(text("It went with another trick"), tricks)]
            case Redealt():
                reasons = [(text(_REDEALS[why]), replace(event, reason=why)) for why in _REDEALS]
                return [EntryField(text("Dealt again"), reasons)]
        return []

    def acts(self, hand: AmericanHand) -> list[ActRow]:
        """The buttons while a round is under way; what comes next is first."""
        step = next_step(hand)
        if step in _STEPS:
            # A missed vitamin holds nobody up.
            first = step != "vitamin" or vitamin_is_due(hand)
            said = ActRow(text(_STEPS[step][0]), ROUND_HREF, "main" if first else "")
            play = ActRow(text("Card played"), "/play", "" if first else "main")
            return [said, play] if first else [play, said]
        return [
            ActRow(text("Card played"), "/play", "main"),
            ActRow(text("Contract"), ROUND_HREF),
        ]

    def speaker(self, hand: AmericanHand) -> tuple[str, str] | None:
        """Who must say or show something before a card is played, and what."""
        step = next_step(hand)
        if step not in _STEPS or (hand.plays and not vitamin_is_due(hand)):
            return None
        who = {"bid": hand.bidding.bidder, "call": hand.declarer, "take": hand.declarer}.get(
            step, hand.dealer
        )
        return (who, text(_STEPS[step][1])) if who is not None else None

    def waiting(self, hand: AmericanHand, lang: str) -> CentreNote:
        """The game, or the bids so far."""
        bids = " · ".join(
            text(": ").join((player, bid_text(game, lang))) for player, game in hand.bidding.bids
        )
        if hand.contract is None:
            return CentreNote(text("Bids"), bids or text("Nobody has bid yet."))
        return CentreNote(game_text(hand, lang), bids)

    def banners(self, hand: AmericanHand, lang: str) -> list[str]:
        """The game, the partner once he is known, announcements, a compulsory Klop, the last dealer."""
        # Before the first card the game stands in the middle.
        said = [game_text(hand, lang)] if hand.contract is not None and hand.plays else []
        said += announced_before(hand, lang)
        if hand.call.partner is not None:
            said.append(text("{player} is the partner", player=hand.call.partner))
        return said + announcements(hand, lang)

    def asked(self, session: AmericanSession, lang: str, watched: bool) -> list[Asked]:
        """The questions about what must still be entered before a round can be judged, scored, or `watched`."""
        before = self.unscored(session, lang)
        if session.hand.by_result if session.under_way and session.hand else session.by_result:
            return before
        if watched and not session.under_way and not session.over:
            return [*before, self.start_asked()]
        hand = session.hand
        waits = watched and hand is not None and hand.awaits_word
        if hand is None or not session.under_way or not (hand.plays or waits):
            return before
        step = next_step(hand)
        if step in ("play", "over") or (step == "bid" and hand.has_misfit):
            return before
        asked = _missing(hand, lang)
        if waits:
            asked = replace(asked, text=text("Until it is entered no card is noted."))
        return [*before, asked]

    def unscored(self, session: AmericanSession, lang: str) -> list[Asked]:
        """The questions about games, calls, Talons and vitamins that were never entered."""
        return [_missing(hand, lang) for hand in session.hands if lacking(hand, lang)]

    def lacks(self, hand: AmericanHand, lang: str) -> str:
        """The sentence that says what of the round must still be entered."""
        return lacking(hand, lang)

    def endings(self, hand: AmericanHand, lang: str) -> list[str]:
        """The result in words."""
        return endings(hand, lang)

    def facts(self, hand: AmericanHand, lang: str) -> list[Fact]:
        """Bids, game, announcements, the Talon, what was laid, points and scores."""
        facts = [
            Fact(
                text("Bids"),
                [(player, bid_text(game, lang)) for player, game in hand.bidding.bids],
                said=True,
            )
        ]
        contract = [("", said) for said in (game_text(hand, lang), lacking(hand, lang)) if said]
        facts.append(Fact(text("Contract"), contract, said=True))
        announced = [(player, WORDS.bonus_name(bonus, lang)) for player, bonus in hand.bidding.announced]
        facts.append(Fact(text("Announcements"), announced, said=True))
        if hand.talon.cards is not None and hand.talon.taken is not None:
            taken, rest = PACK.names(hand.talon.taken), PACK.names(hand.talon.rest)
            rows = [
                (text("taken"), self.cards_text(taken, lang)),
                (text("rest"), self.cards_text(rest, lang)),
            ]
            facts.append(Fact(text("The Talon"), rows, said=True))
        if hand.talon.discards is None and hand.talon.laid:
            facts.append(self.cards_fact(text("Laid face up"), hand.talon.laid, lang))
        if hand.talon.discards is not None:
            facts.append(self.cards_fact(text("Laid"), hand.talon.discards, lang))
        if hand.outcome is not None and hand.outcome.points is not None:
            sides = {"declarer": text("declarer's side"), "opponents": text("opponents")}
            points = [(sides.get(side, side), str(points)) for side, points in hand.outcome.points.items()]
            facts.append(Fact(text("Points"), points))
        facts += self.scored(hand, lang)
        return [fact for fact in facts if fact.rows]

    def late_acts(self, hand: AmericanHand) -> list[tuple[str, str]]:
        """What was said before the first card, and that the hand was dealt again."""
        said = [] if hand.result else [(text("Contract and announcements"), round_href(hand))]
        return [*said, (text("Skeench-a-tola, or dealt again"), f"/american/late?hand={hand.number}")]

    def row_title(self, hand: AmericanHand, lang: str) -> str:
        """The game and its declarer."""
        return round_title(hand, lang)

    def mark(self, player: str, shown: Sequence[AmericanHand]) -> str:
        """An asterisk for each misdeal (AT-DEAL-6)."""
        dealt = [hand for hand in shown if hand.dealer == player]
        return "*" * [score.reason for hand in dealt for score in hand.scores].count("misdeal")

    def proposal(self, finding: Finding) -> Proposal:
        """The full score of the game (AT-REN-2)."""
        if not finding.fine:
            return Proposal(text("Reported only; the rules name no fine for it."))
        said = text(
            "Proposal: {amount} points, the full score of the contract. The table decides.",
            amount=finding.fine,
        )
        return Proposal(said, self.fine_href, text("Give the penalty for a renonce …"))

    def fined(
        self, hand: AmericanHand, finding: Finding, who: str, amount: int, reason: str
    ) -> RenonceBooked:
        """The renonce, which costs the full score of the game."""
        return RenonceBooked(who, None, reason, hand.number, finding.name)
