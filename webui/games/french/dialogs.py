"""The dialogs that only French Tarot has, and the entries that they send."""

from collections.abc import Collection
from typing import Final

from flask import request

from tracker.events import Event
from tracker.french.contracts import CONTRACTS
from tracker.french.entering import (
    allowed_calls,
    may_be_laid_open,
    may_be_turned_up,
    may_show,
    next_step,
    takes_the_dog,
)
from tracker.french.events import (
    COUNTING_SIDES,
    Adjusted,
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
from tracker.french.game import FRENCH
from tracker.french.hand import FrenchHand
from tracker.french.pack import BOUTS_MASK, KINGS, PACK, TRUMPS
from tracker.french.telling import contract_text, handful_text
from tracker.french.words import WORDS
from tracker.open_questions import standing_flags
from tracker.rule_sets import MOST_CHIPS
from webui.games.french.page import bid_text, deal_href
from webui.games.french.result_form import result_fields, result_in_form
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, TableBlueprint, opened_next, own_name, render
from webui.pages.dialogs import hand_named, one_more_href
from webui.pages.entering import enter, go_on, only_in
from webui.pages.fines import fine_asked, fine_fields, serve_adjusting
from webui.pages.results import serve_result
from webui.texts import language
from webui.view.picker import deck_rows, panels

blueprint = TableBlueprint("french", __name__, url_prefix="/french")
only_in(blueprint, FRENCH)
_MAY_BE_LAID: Final = PACK.names(PACK.all_cards & ~(KINGS | BOUTS_MASK | TRUMPS))
"""The cards that may be laid face down: no king, no bout, and no trump, which is laid face up (FT-DOG-3, -4)."""


def _hand() -> FrenchHand:
    """The deal that is asked for, or else the newest one. Raises EntryError before the first."""
    hand: FrenchHand = hand_named()
    return hand


def _labels(cards: list[str]) -> list[tuple[str, str]]:
    return [(card, WORDS.card_label(card, language())) for card in cards]


def _is_takers_phone(hand: FrenchHand) -> bool:
    """Whether this phone is the taker's own. Only that phone is shown what he laid face down."""
    return hand.taker is not None and own_name((hand.taker,)) == hand.taker


def _ticked(among: Collection[str]) -> tuple[str, ...]:
    """The cards that were ticked in a dialog. Raises EntryError for a card that the dialog did not offer."""
    cards = tuple(forms.card_of_game(value) for value in request.form.getlist("card"))
    for card in cards:
        if card not in among:
            raise EntryError("{card} cannot be chosen here.", card=WORDS.card_name(card, language()))
    return cards


serve_result(blueprint, "games/french/result.html", result_fields, result_in_form)
serve_adjusting(blueprint, Adjusted)


# ---- before the play ----


@blueprint.get("/deal")
def deal_dialog() -> str:
    """The dialog of what comes next in the deal: bids or contract, the call, the dog, what is laid, or a slam."""
    lang = language()
    hand = _hand()
    return render(
        "games/french/deal.html",
        hand=hand.number,
        earlier=hand is not forms.session().hand,
        step=next_step(hand),
        seen=forms.entries_seen(hand),
        contract=contract_text(hand, lang),
        bids=[(player, bid_text(name, lang)) for player, name in hand.bidding.bids],
        bidder=hand.bidding.bidder,
        own=own_name(hand.active),
        allowed=[(name, bid_text(name, lang)) for name in hand.bidding.allowed()],
        contracts=[(name, bid_text(name, lang)) for name in CONTRACTS],
        takers=[(name, name) for name in hand.active if name not in hand.barred],
        taker=hand.taker,
        likely=forms.likely_declarer(hand.bidding),
        calls=_labels(list(allowed_calls(hand))),
        called=hand.call.card,
        exchanging=takes_the_dog(hand) and not hand.plays,
        has_dog=hand.contract is not None and hand.contract.takes_dog,
        dog=_labels(PACK.names(hand.dog.turned or 0)),
        open_trumps=_labels(may_be_laid_open(hand)),
        laid=PACK.names(hand.dog.laid) if hand.dog.laid is not None else None,
        may_lay=_is_takers_phone(hand),
        slam=hand.slam,
        handfuls=[handful_text(hand, handful, lang) for handful in hand.handfuls],
    )


def _next_href(hand: FrenchHand) -> str:
    """The dialog of what comes next in `hand`; "" where the deal is over."""
    if hand.void:
        return "/"
    step = next_step(hand)
    if step == "over":
        return ""
    ready = step == "play" and (bool(hand.plays) or not takes_the_dog(hand))
    return "/play" if ready else deal_href(hand)


def _go_on(hand: FrenchHand, *events: Event) -> Answer:
    """Enter `events` in `hand`; the answer opens what comes next."""
    return go_on(hand, events, _next_href)


@blueprint.post("/bids")
def bid() -> Answer:
    """Enter a bid or a pass of the player whose turn it is."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    if hand.bidding.bidder is None:
        raise EntryError("The bidding is over.", 409)
    return _go_on(
        hand, BidMade(hand.bidding.bidder, fields.choice("contract", tuple(hand.bidding.allowed())))
    )


@blueprint.post("/contract")
def name_contract() -> Answer:
    """Enter the contract that is played, and by whom."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    contract = fields.choice("contract", tuple(CONTRACTS))
    return _go_on(hand, ContractNamed(contract, forms.player(among=hand.active)))


@blueprint.post("/call")
def call_card() -> Answer:
    """Enter the card that the taker calls."""
    hand = _hand()
    card = forms.still_offered("card", allowed_calls(hand))
    forms.check_replaced(card, hand.call.card)
    return _go_on(hand, CardCalled(card))


@blueprint.get("/dog")
def dog_dialog() -> str:
    """The dialog that asks for the cards of the dog, one after the other."""
    lang = language()
    hand = _hand()
    cards = _dog_so_far(hand, request.args.get("cards", ""))
    return render(
        "games/french/dog.html",
        hand=hand.number,
        seen=forms.entries_seen(hand),
        cards=" ".join(cards),
        shown=_labels(cards),
        number=len(cards) + 1,
        count=hand.dealt.dog,
        again=one_more_href("/french/dog", hand),
        # Once cards are played the taker may have played some of the dog.
        panels=panels(PACK, WORDS, lang, among=PACK.cards if hand.plays else may_be_turned_up(hand)),
    )


def _dog_so_far(hand: FrenchHand, value: str) -> list[str]:
    """The cards of the dog that were tapped already."""
    cards = [forms.card_of_game(card) for card in value.split()]
    if len(set(cards)) != len(cards) or len(cards) >= hand.dealt.dog:
        raise EntryError("The dog is {count} different cards.", count=hand.dealt.dog)
    return cards


@blueprint.post("/dog")
def turn_dog() -> Answer:
    """Take one more card of the dog; after the last one the dog is entered."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    cards = _dog_so_far(hand, request.form.get("cards", ""))
    card, _ = forms.played_card()
    if card in cards:
        raise EntryError("{card} has already been seen.", card=WORDS.card_name(card, language()))
    cards.append(card)
    if len(cards) < hand.dealt.dog:
        return opened_next(one_more_href("/french/dog", hand, cards))
    return _go_on(hand, DogTurned(tuple(cards)))


@blueprint.post("/laid")
def lay_face_up() -> Answer:
    """Enter the trumps that the taker laid face up, which may be none."""
    hand = _hand()
    cards = _ticked(may_be_laid_open(hand))
    if len(cards) > hand.dealt.dog:
        raise EntryError("At most {count} cards are laid.", count=hand.dealt.dog)
    return _go_on(hand, LaidFaceUp(cards))


@blueprint.get("/discard")
def discard_dialog() -> str:
    """The dialog, for the taker's own phone, that asks what he laid face down. No other phone shows it."""
    hand = _hand()
    _must_be_takers_phone(hand)
    return render(
        "games/french/discard.html",
        hand=hand.number,
        seen=forms.entries_seen(hand),
        count=hand.dealt.dog - (hand.dog.laid or 0).bit_count(),
        deck=[
            (title, [(card, label) for card, label in cards if card in _MAY_BE_LAID])
            for title, cards in deck_rows(WORDS, PACK, language())
        ],
        laid=PACK.names(hand.dog.laid_unseen or 0),
    )


@blueprint.post("/discard")
def lay_face_down() -> Answer:
    """Enter the cards that the taker laid face down, on his own phone."""
    hand = _hand()
    _must_be_takers_phone(hand)
    forms.unchanged(forms.entries_seen(hand))
    cards = _ticked(_MAY_BE_LAID)
    count = hand.dealt.dog - (hand.dog.laid or 0).bit_count()
    if len(cards) != count:
        raise EntryError("{count} cards are laid face down.", count=count)
    return _go_on(hand, LaidFaceDown(hand.taker or "", cards))


def _must_be_takers_phone(hand: FrenchHand) -> None:
    if not _is_takers_phone(hand):
        raise EntryError("Only the taker's own phone shows and enters what was laid face down.", 403)


@blueprint.post("/slam")
def announce_slam() -> Answer:
    """Enter that the taker announces a slam."""
    hand = _hand()
    if hand.taker is None:
        raise EntryError("Enter the contract first.", 409)
    return _go_on(hand, SlamAnnounced(hand.taker))


@blueprint.get("/handful")
def handful_dialog() -> str:
    """The dialog of a handful that a player shows: any trumps, and the Excuse."""
    hand = _hand()
    who = own_name(hand.active) or (hand.turn[0] if hand.turn else "")
    shown = {card for handful in hand.handfuls for card in handful.cards}
    return render(
        "games/french/handful.html",
        hand=hand.number,
        seen=forms.entries_seen(hand),
        players=[(name, name) for name in hand.active],
        player=who if who in may_show(hand) else "",
        sizes=hand.dealt.handfuls,
        trumps=_labels([card for card in HandfulShown.may_name if card not in shown]),
        shown=[handful_text(hand, handful, language()) for handful in hand.handfuls],
    )


@blueprint.post("/handful")
def show_handful() -> Answer:
    """Enter the handful that a player shows, just before his first card or at another time."""
    hand = _hand()
    cards = _ticked(HandfulShown.may_name)
    if not cards:
        raise EntryError("Tick the cards that were shown.")
    who = forms.player(among=hand.active)
    in_time = request.form.get("in_time") == "1"
    early = who != hand.taker and not any(play.player == who for play in hand.plays)
    if in_time and early and hand.turn[:1] != (who,):
        raise EntryError(
            "A handful is shown just before one's own first card: enter it when it is {player}'s turn.",
            409,
            player=who,
        )
    return _go_on(hand, HandfulShown(who, cards, in_time))


# ---- what the table decides ----


@blueprint.post("/redeal")
def redeal() -> Answer:
    """Enter that the deal is void: the same dealer deals again, or a player has the petit alone."""
    forms.unchanged(forms.redeals_seen(forms.session().hand))
    hand = _hand()
    if fields.choice("reason", ("misdeal", "petit_sec")) == "petit_sec":
        return enter(Redealt("petit_sec", player=forms.player(among=hand.active)))
    who = forms.player(among=hand.seats)
    return enter(Redealt("misdeal", None if who == hand.dealer else who))


@blueprint.get("/decide")
def decide_dialog() -> str:
    """The dialog that annuls the deal, or lets cards count for the other side."""
    hand = _hand()
    return render(
        "games/french/decide.html",
        hand=hand.number,
        seen=forms.entries_seen(hand),
        contract=contract_text(hand, language()),
        sides=[(side, WORDS.side_name(side, language())) for side in COUNTING_SIDES],
        deck=deck_rows(WORDS, PACK, language()),
    )


@blueprint.post("/annul")
def annul() -> Answer:
    """Enter that the deal does not count."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    return enter(DealAnnulled(forms.why(), standing_flags(hand)))


@blueprint.post("/award")
def award() -> Answer:
    """Enter that cards count for the side that is named."""
    forms.unchanged(forms.entries_seen(_hand()))
    cards = _ticked(PACK.cards)
    if not cards:
        raise EntryError("Tick the cards that are awarded.")
    return enter(CardsAwarded(cards, fields.choice("to", COUNTING_SIDES), forms.why()))


@blueprint.get("/penalty")
def penalty_dialog() -> str:
    """The dialog of a penalty that the table may book, for a finding or for another reason."""
    amount = forms.session().rules.penalty
    return render("games/french/penalty.html", **fine_fields(*fine_asked()), amount=amount)


@blueprint.post("/penalties")
def book_penalty() -> Answer:
    """Enter a penalty that the table decided on."""
    hand = forms.fined_hand() or forms.hand_on_table()
    who, amount = forms.player(among=hand.seats), fields.number("amount", 1, MOST_CHIPS)
    finding = forms.fined_flag(hand, who)
    points = None if amount == forms.session().rules.penalty else amount
    return enter(PenaltyBooked(who, points, fields.words("reason"), hand.number, finding))
