"""The dialogs that only American Tarock has, and the entries that they send."""

from flask import request

from tracker.american.contracts import CONTRACTS
from tracker.american.entering import (
    allowed_bids,
    allowed_calls,
    allowed_games,
    higher_games,
    may_announce,
    may_be_laid_open,
    may_be_turned_up,
    may_raise,
    missing_vitamins,
    next_step,
    talon_groups,
    vitamin_is_due,
)
from tracker.american.events import (
    REDEALT_FOR,
    Adjusted,
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
from tracker.american.hand import HELD, AmericanHand
from tracker.american.pack import PACK
from tracker.american.telling import announced_before, call_text, game_text
from tracker.american.words import WORDS
from tracker.events import Event
from tracker.rule_sets import MOST_CHIPS
from webui.games.american.page import announcements, bid_text, full_score_of, round_href
from webui.games.american.result_form import result_fields, result_in_form
from webui.pages import fields, forms
from webui.pages.common import Answer, EntryError, TableBlueprint, opened_next, own_name, render, sight
from webui.pages.dialogs import hand_named, one_more_href
from webui.pages.entering import belongs_to, enter, enter_or_ask, go_on, only_in
from webui.pages.fines import fine_asked, fine_fields, serve_adjusting
from webui.pages.results import serve_result
from webui.texts import language
from webui.view.picker import deck_rows, panels

blueprint = TableBlueprint("american", __name__, url_prefix="/american")
only_in(blueprint, AMERICAN)
_TALON = 6


def _hand() -> AmericanHand:
    """The round that is asked for, or else the newest one. Raises EntryError before the first."""
    hand: AmericanHand = hand_named()
    return hand


serve_result(blueprint, "games/american/result.html", result_fields, result_in_form)
serve_adjusting(blueprint, Adjusted)


# ---- what comes next ----


@blueprint.get("/round")
def round_dialog() -> str:
    """The dialog of what comes next in the round: bids, game, call, Talon, group, announcements, or a vitamin."""
    lang = language()
    hand = _hand()
    step = next_step(hand)
    return render(
        "games/american/round.html",
        step=step,
        seen=forms.entries_seen(hand),
        game=game_text(hand, lang),
        bids=[(player, bid_text(game, lang)) for player, game in hand.bidding.bids],
        bidder=hand.bidding.bidder,
        own=own_name(hand.active),
        allowed=[(game, bid_text(game, lang)) for game in allowed_bids(hand)],
        games=[(game, WORDS.game_name(game, lang)) for game in allowed_games(hand)],
        higher=[(game, WORDS.game_name(game, lang)) for game in higher_games(hand)],
        again=[(game, WORDS.game_name(game, lang)) for game in CONTRACTS],
        players=[(name, name) for name in hand.active],
        declarer=hand.declarer,
        likely=forms.likely_declarer(hand.bidding),
        announced=announced_before(hand, lang),
        calls=[(call, call_text(call, lang)) for call in allowed_calls(hand)],
        call=hand.call.said,
        made=announcements(hand, lang),
        groups=[[(card, WORDS.card_label(card, lang)) for card in group] for group in talon_groups(hand)],
        taken=hand.talon.taken,
        tarocks=[(card, WORDS.card_label(card, lang)) for card in may_be_laid_open(hand)],
        laid=PACK.names(hand.talon.laid) if hand.talon.laid is not None else [],
        announcing=[
            (player, [(bonus, WORDS.bonus_name(bonus, lang)) for bonus in may_announce(hand, player)])
            for player in hand.active
        ],
        raising=may_raise(hand),
        opening=step == "play" and hand.contract is CONTRACTS["open_barach"] and not hand.opened,
        deck=deck_rows(WORDS, PACK, lang),
        played=_not_laid_open(hand),
        hand=hand.number,
        earlier=hand is not forms.session().hand,
        vitamins=missing_vitamins(hand),
        panels=panels(PACK, WORDS, lang, among=_may_be_shown(hand)),
    )


@blueprint.get("/talon")
def talon_dialog() -> str:
    """The dialog that asks for the six cards of the Talon, one after the other, in the order dealt."""
    lang = language()
    hand = _hand()
    cards = _talon_so_far(request.args.get("cards", ""))
    return render(
        "games/american/talon.html",
        hand=hand.number,
        seen=forms.entries_seen(hand),
        cards=" ".join(cards),
        shown=[(card, WORDS.card_label(card, lang)) for card in cards],
        number=len(cards) + 1,
        panels=panels(PACK, WORDS, lang, among=_may_be_talon(hand)),
    )


def _talon_so_far(value: str) -> list[str]:
    """The cards of the Talon that were tapped already."""
    cards = [forms.card_of_game(card) for card in value.split()]
    if len(set(cards)) != len(cards) or len(cards) >= _TALON:
        raise EntryError("The Talon is six different cards.")
    return cards


def _may_be_talon(hand: AmericanHand) -> list[str]:
    """The cards that may be in the Talon: one entered before, and cards of it that the declarer has played since."""
    played = [play.card for play in hand.plays if play.player == hand.declarer]
    return list(dict.fromkeys((*_may_be_shown(hand), *(hand.talon.cards or ()), *played)))


def _may_be_shown(hand: AmericanHand) -> list[str]:
    """The cards that may be turned up; all cards while it is hidden which ones were played."""
    hidden = sight().hidden and hand is forms.session().hand
    return list(PACK.cards) if hidden else may_be_turned_up(hand)


def _not_laid_open(hand: AmericanHand) -> set[str]:
    """The cards that an Open Barach's declarer did not lay open: those of trick 1, and what others played since."""
    seen = {play.card for trick in hand.tricks[:1] for play in trick.plays}
    return seen | {play.card for play in hand.plays if play.player != hand.declarer}


def _next_href(hand: AmericanHand) -> str:
    """The dialog of what comes next in `hand`; "" where the round is over."""
    step = next_step(hand)
    if step == "talon":
        return one_more_href("/american/talon", hand)
    if step == "over":
        return ""
    played = bool(hand.plays) or hand.talon.taken is None
    goes_on = hand.to_play is not None and (
        step == "play" or (step == "vitamin" and not vitamin_is_due(hand))
    )
    return "/play" if goes_on and played else round_href(hand)


def _go_on(hand: AmericanHand, *events: Event) -> Answer:
    """Enter `events` in `hand`; the answer opens what comes next."""
    return go_on(hand, events, _next_href)


@blueprint.post("/bids")
def bid() -> Answer:
    """Enter a bid or a pass of the player whose turn it is."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    if hand.bidding.bidder is None:
        raise EntryError("The bidding is over.", 409)
    return _go_on(hand, BidMade(hand.bidding.bidder, fields.choice("game", tuple(allowed_bids(hand)))))


@blueprint.post("/game")
def name_game() -> Answer:
    """Enter the game that is played, and by whom: named after the bids, or without them."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    game = fields.choice("game", tuple(CONTRACTS))
    declarer = None if game == "klop" else forms.player(among=hand.active)
    return _go_on(hand, ContractNamed(game, declarer))


@blueprint.post("/call")
def call_partner() -> Answer:
    """Enter the king, or the card of the Trula, that is called."""
    hand = _hand()
    call = forms.still_offered("call", allowed_calls(hand))
    forms.check_replaced(call, hand.call.said)
    return _go_on(hand, PartnerCalled(call))


@blueprint.post("/talon")
def turn_talon() -> Answer:
    """Take one more card of the Talon; after the sixth the Talon is entered."""
    hand = _hand()
    forms.unchanged(forms.entries_seen(hand))
    cards = _talon_so_far(request.form.get("cards", ""))
    card, _ = forms.played_card()
    if card in cards or card not in _may_be_talon(hand):
        raise EntryError("{card} has already been seen.", card=WORDS.card_name(card, language()))
    cards.append(card)
    if len(cards) < _TALON:
        return opened_next(one_more_href("/american/talon", hand, cards))
    return _go_on(hand, TalonTurned(tuple(cards)))


@blueprint.post("/take")
def take_group() -> Answer:
    """Enter the group that the declarer takes."""
    hand = _hand()
    groups = talon_groups(hand)
    group = int(forms.still_offered("group", tuple(map(str, range(len(groups))))))
    forms.check_replaced(str(PACK.mask(groups[group])), hand.talon.taken)
    return _go_on(hand, GroupTaken(group))


@blueprint.post("/laid")
def lay_face_up() -> Answer:
    """Enter the tarocks that the declarer laid face up, which may be none."""
    hand = _hand()
    cards = tuple(forms.card_of_game(value) for value in request.form.getlist("card"))
    most = hand.contract.exchange if hand.contract is not None else 0
    if len(cards) > most:
        raise EntryError("At most {count} cards are laid.", count=most)
    return _go_on(hand, LaidFaceUp(cards))


@blueprint.post("/announce")
def announce() -> Answer:
    """Enter a bonus that a player announces; the field has both."""
    hand = _hand()
    offered = tuple(f"{bonus} {who}" for who in hand.active for bonus in may_announce(hand, who))
    bonus, _, who = forms.still_offered("what", offered).partition(" ")
    return _go_on(hand, BonusAnnounced(who, bonus))


@blueprint.post("/raise")
def raise_game() -> Answer:
    """Enter that a solo game becomes a Colour Valat."""
    hand = _hand()
    if not may_raise(hand):
        raise EntryError("Only a solo contract is raised, after the exchange.", 409)
    return _go_on(hand, GameRaised())


@blueprint.post("/vitamin")
def turn_vitamin() -> Answer:
    """Enter the vitamin of a trick."""
    hand = _hand()
    trick = fields.number("trick", 1, _TALON)
    if trick not in missing_vitamins(hand):
        raise EntryError("Trick {trick} already has its vitamin.", 409, trick=trick)
    card, _ = forms.played_card()
    return _go_on(hand, VitaminTurned(card, trick))


@blueprint.post("/open")
def lay_open() -> Answer:
    """Enter the hand that the declarer of an Open Barach lays open."""
    hand = _hand()
    cards = tuple(forms.card_of_game(value) for value in request.form.getlist("card"))
    if len(set(cards)) != HELD - 1 or set(cards) & _not_laid_open(hand):
        raise EntryError("The open hand is eleven different cards that were not seen yet.")
    return _go_on(hand, HandLaidOpen(cards))


# ---- other things ----


@blueprint.get("/late")
def late_dialog() -> str:
    """The dialog of what may be entered of an earlier hand: that its dealer called Skeench-a-tola, or dealt again."""
    hand = _hand()
    return render("games/american/late.html", hand=hand, redeals_seen=forms.redeals_seen(hand))


@blueprint.post("/redeal")
def redeal() -> Answer:
    """Enter that the same dealer deals again, or did so before the cards that were played."""
    hand, reason = _hand(), fields.choice("reason", REDEALT_FOR)
    forms.unchanged(forms.redeals_seen(hand))
    return enter(belongs_to(hand, Redealt(reason, late="late" in request.form)))


@blueprint.post("/skeench")
def call_skeench() -> Answer:
    """Enter that the dealer calls Skeench-a-tola, or that he had called it in a round that is over."""
    hand = _hand()
    called = belongs_to(hand, SkeenchCalled(hand.dealer))
    return enter_or_ask(called, at_hand=hand is forms.session().hand, done="")


@blueprint.get("/renonce")
def renonce_dialog() -> str:
    """The dialog of a renonce that the table may book, for a finding or for another reason."""
    hand, finding = fine_asked()
    amount = full_score_of(hand) if hand is not None else 0
    return render("games/american/renonce.html", **fine_fields(hand, finding), amount=amount)


@blueprint.post("/renonces")
def book_renonce() -> Answer:
    """Enter a renonce that the table decided on."""
    hand = forms.fined_hand() or forms.hand_on_table()
    who, amount = forms.player(), fields.number("amount", 1, MOST_CHIPS)
    finding = forms.fined_flag(hand, who)
    proposed = amount == full_score_of(hand)  # such a renonce follows the game, if that is put right
    return enter(
        RenonceBooked(who, None if proposed else amount, fields.words("reason"), hand.number, finding)
    )
