"""The dialogs that only Danish Tarok has, and the entries that they send."""

from flask import request

from tracker.cards import CARDS, FOOL, SUITS, TRUMP
from tracker.danish.combination import Combination
from tracker.danish.declarations import slot_of
from tracker.danish.events import Declared, Fined, FoolCalled, FoolNamed, Redealt, SkatShown, ToutAnnounced
from tracker.danish.findings import DanishFinding
from tracker.danish.game import DANISH
from tracker.danish.hand import DanishHand
from tracker.danish.rule_sets import FINE_CATEGORIES, RuleSet
from tracker.danish.words import WORDS, combination_text
from tracker.events import EntryCorrected, PlayCorrected
from tracker.tricks import Trick
from webui.games.danish.declaration_form import court_fields, declared_fields, declared_in_form
from webui.games.danish.page import CATEGORIES, declared_text, may_call
from webui.games.danish.result_form import result_fields, result_in_form
from webui.pages import fields, forms
from webui.pages.common import (
    Answer,
    EntryError,
    TableBlueprint,
    hand_called,
    live,
    opened_next,
    own_name,
    render,
    told,
)
from webui.pages.dialogs import players, suits
from webui.pages.entering import PUT_RIGHT, belongs_to, booked, enter, enter_or_ask, only_in
from webui.pages.fines import fine_asked, fine_fields
from webui.pages.put_right import entry_shown
from webui.pages.results import serve_result
from webui.texts import language, text

blueprint = TableBlueprint("danish", __name__)
only_in(blueprint, DANISH)


# ---- the dialogs ----


@blueprint.get("/declare")
def declaration_dialog() -> str:
    """The dialog of a declaration."""
    lang = language()
    hand, stands = _declared_before() or (_hand_said(), None)
    return render(
        "games/danish/declare.html",
        hand=hand.number,
        right=request.args.get("right", ""),
        seen=[_declared_seen(hand, player) for player in hand.active],
        players=[(name, name) for name in hand.active],
        player=stands.player
        if stands is not None
        else request.args.get("player") or own_name(hand.active) or hand.to_declare,
        chosen=declared_fields(stands.combinations) if stands is not None else {},
        said=[(name, declared_text(hand, name, lang)) for name in hand.seats if name in hand.active],
        courts=court_fields(lang),
    )


def _declared_seen(hand: DanishHand, player: str) -> str:
    """Which hand it is, which player, and how often he has declared."""
    times = sum(isinstance(event, Declared) and event.player == player for event, _ in hand.entries)
    return f"{hand.number} {times} {player}"


def _declared_before() -> tuple[DanishHand, Declared] | None:
    """The declaration to put right (the entry in the field `right`) and its hand; None for a new declaration."""
    wanted = fields.number_in("right", request.values, 0)
    if not wanted:
        return None
    hand, event = entry_shown(wanted)
    if not isinstance(hand, DanishHand) or not isinstance(event, Declared):
        raise EntryError("That entry no longer exists.", 404)
    return hand, event


@blueprint.get("/fool")
def fool_dialog() -> str:
    """The dialog that names a suit for the fool, or calls for the fool."""
    hand = forms.hand_on_table()
    trick = hand.tricks[-1] if hand.tricks and hand.tricks[-1].plays else None
    return render(
        "games/danish/fool.html",
        players=players(),
        player=trick.plays[0].player if trick is not None else None,
        suits=suits(WORDS, language()),
        hand=hand,
        is_named=trick is not None and trick.named is not None,
        may_call=may_call(hand),
        seen=_fool_seen(hand),
    )


@blueprint.get("/fool/<int:seq>")
def named_dialog(seq: int) -> str:
    """The dialog that asks which suit the led fool `seq` was named."""
    hand, trick = _fool_led(seq)
    return render(
        "games/danish/named.html",
        player=trick.leader,
        seq=seq,
        suits=suits(WORDS, language()),
        was_not=_not_named(hand, trick) is not None,
    )


def _fool_led(seq: int) -> tuple[DanishHand, Trick]:
    """The hand and the trick to which the play `seq` led the fool, whose name nobody entered. Raises EntryError."""
    for hand in forms.session().hands:
        for trick in hand.tricks:
            if trick.plays and trick.plays[0].seq == seq and trick.plays[0].card == FOOL and not trick.named:
                return hand, trick
    raise EntryError("The question has already been answered.", 409)


def _not_named(hand: DanishHand, trick: Trick) -> DanishFinding | None:
    """The finding that the fool led to `trick` was not named, once the next card is played."""
    found = [one for one in hand.findings if one.kind == "fool_not_named" and one.trick == trick.number]
    return found[0] if found else None


def _fool_seen(hand: DanishHand) -> str:
    """Which hand it is, the suit named for a fool on the table, and how often the fool was called for."""
    calls = sum(isinstance(event, FoolCalled) for event, _ in hand.entries)
    return f"{hand.number} {hand.trick and hand.trick.named} {calls}"


@blueprint.get("/fine")
def fine_dialog() -> str:
    """The dialog that proposes a fine, to be confirmed."""
    lang = language()
    session = forms.session()
    rules = session.rules
    hand, finding = fine_asked()
    filled = fine_fields(hand, finding)
    who = filled["player"]
    late = hand is not None and (hand.complete or hand is not session.hand)
    declared = (hand.declared.get(who) if hand and who else None) or ()
    if rules.misdeclaration_returns_all:
        declared = ()  # all declarations are paid back anyway
    return render(
        "games/danish/fine.html",
        **filled,
        categories=[(name, _fine_text(rules, name, late)) for name in FINE_CATEGORIES],
        category=finding.category if finding is not None else None,
        declared=[
            (
                _declaration(who, one),
                combination_text(one, lang),
                finding is not None and one == finding.made,
            )
            for one in declared
        ],
    )


def _fine_text(rules: RuleSet, category: str, late: bool) -> str:
    """A category of fines with its cost under `rules`; a `late` fine takes away no ultimo (FINE-4)."""
    amount = rules.fine(category)
    said = [text(CATEGORIES[category])]
    said.append(text("{amount} to each pot", amount=amount) if amount else text("no fine"))
    if category == "misdeclaration" and rules.misdeclaration_returns_all:
        said.append(text("all declarations are paid back"))
    if category == "misdeclaration" and rules.misdeclaration_bars_ultimo and not late:
        said.append(text("no ultimo"))
    return " · ".join(said)


@blueprint.get("/tout")
def tout_dialog() -> str:
    """The dialog that asks whether a tout is really announced. Only with the fool laid for it does it cost (PAY-5)."""
    hand = _hand_said()
    late = not hand.may_be_dealt_again
    said = (
        text("The tout counts from before the first card. Everything after it is worked out again.")
        if late
        else text("Only for a player who means to take every trick: it is told to everybody.")
    )
    if hand.rules.fool_in_skat_for_tout:
        costs = (
            text(
                "If {player} laid the fool and the tout failed, {player} pays {amount} to each of the "
                "others, and to each pot as much as it holds.",
                player=hand.dealer,
                amount=hand.rules.tout,
            )
            if late
            else text(
                "{player} may then lay the fool. If it is laid and the tout fails, {player} pays {amount} to each of "
                "the others, and to each pot as much as it holds.",
                player=hand.dealer,
                amount=hand.rules.tout,
            )
        )
        said += f" {costs}"
    return render(
        "dialogs/sure.html",
        heading=text("Did {player} announce a tout?", player=hand.dealer)
        if late
        else text("{player} announces a tout", player=hand.dealer),
        sentence=said,
        action="/tout",
        fields=[("player", hand.dealer), ("hand", hand.number), ("seen", _tout_seen(hand))],
        yes=text("Yes, enter it") if late else text("Announce it"),
    )


def _hand_said() -> DanishHand:
    """The hand that the field `hand` names, or else the newest."""
    number = fields.number_in("hand", request.values, 0)
    hand = hand_called(number, forms.session().hands) if number else forms.hand_on_table()
    assert isinstance(hand, DanishHand)
    return hand


def _tout_seen(hand: DanishHand) -> str:
    """Which hand it is, and whether a tout is entered in it."""
    return f"{hand.number} {hand.tout_announced}"


serve_result(blueprint, "games/danish/result.html", result_fields, result_in_form)


# ---- what they send ----


@blueprint.post("/declarations")
def declare() -> Answer:
    """Enter a player's declaration, or his pass."""
    made = declared_in_form()
    passes = "pass" in request.form
    if passes and (made or "pagat" in request.form):
        raise EntryError("A declaration is chosen. Enter it, or clear the choice and pass.")
    if not passes and not made:
        raise EntryError("Choose what is declared, or tap Pass.")
    right = _declared_before()
    if right is None:
        hand = _hand_said()
        player = forms.player(among=hand.active)
        forms.unchanged(_declared_seen(hand, player))  # his own phone may have been quicker
        declared = belongs_to(hand, Declared(player, made))
        if not hand.to_play:
            return enter_or_ask(declared, at_hand=hand is forms.session().hand, done="")
        said = booked(declared)
        # Whoever enters for all goes on to the next declaration, and without a camera then to the cards.
        hand = forms.hand_on_table()
        if own_name(hand.active) or (not hand.to_declare and (hand.plays or live().camera.is_there)):
            return told(said)
        return opened_next("/declare" if hand.to_declare else "/play", said)
    hand, _ = right
    corrected = EntryCorrected(int(request.form["right"]), Declared(forms.player(among=hand.active), made))
    return enter_or_ask(corrected, at_hand=hand is forms.session().hand)


@blueprint.post("/fool/name")
def name_fool() -> Answer:
    """Enter the suit that was named for a led fool."""
    forms.unchanged(_fool_seen(forms.hand_on_table()))
    return enter(FoolNamed(forms.player(), forms.suit(fields.field("suit"))))


@blueprint.post("/fool/<int:seq>")
def answer_fool(seq: int) -> Answer:
    """Enter the suit that the led fool `seq` was named, or that it was named none."""
    hand, trick = _fool_led(seq)
    suit = fields.choice("suit", (*SUITS, TRUMP, "none"))
    if suit != "none":
        on_table = hand is forms.session().hand and hand.trick is trick
        named = FoolNamed(trick.leader, suit) if on_table else PlayCorrected(seq, named=suit)
        return enter(named, done="" if on_table else PUT_RIGHT)
    finding = _not_named(hand, trick)
    if finding is None or finding.name in {fine.finding for fine in hand.fines.values()}:
        raise EntryError("The question has already been answered.", 409)
    said = WORDS.finding_text(finding, language())
    return enter(Fined(trick.leader, "superficial", said, (), hand.number, finding.name))


@blueprint.post("/fool/call")
def call_fool() -> Answer:
    """Enter a call for the fool in trick 23."""
    hand = forms.hand_on_table()
    forms.unchanged(_fool_seen(hand))
    if hand.fool_may_be_called and not may_call(hand):
        raise EntryError("The fool lies in this trick; nobody has to call for it.", 409)
    return enter(FoolCalled(forms.player()))


@blueprint.post("/tout")
def announce_tout() -> Answer:
    """Enter an announced tout, also late. Once another hand is dealt, a player asks the arbiter."""
    hand = _hand_said()
    forms.unchanged(_tout_seen(hand))
    announced = belongs_to(hand, ToutAnnounced(forms.player(among=hand.active)))
    return enter_or_ask(announced, at_hand=hand is forms.session().hand, done="")


@blueprint.post("/fines")
def fine() -> Answer:
    """Enter a fine that the table decided on."""
    category = fields.choice("category", FINE_CATEGORIES)
    reason = fields.words("reason")
    hand = forms.fined_hand()
    who = forms.player(among=hand.seats if hand is not None else None)
    finding = forms.fined_flag(hand, who)
    made = (hand.declared.get(who) if hand is not None else None) or ()
    by_name = {_declaration(who, one): one for one in made}
    chosen = set(request.form.getlist("declaration"))
    if chosen - by_name.keys():
        raise EntryError(
            "{player} did not declare what is to be paid back; nothing was entered.", 409, player=who
        )
    returned = tuple(one for name, one in by_name.items() if name in chosen)
    session = forms.session()
    stops = category == "irrecoverable" and session.under_way and hand is session.hand
    number = hand.number if hand is not None and request.form.get("hand") else None
    said = booked(Fined(who, category, reason, returned, number, finding))
    return opened_next("/abandon?after=fine", said) if stops else told(said)


@blueprint.post("/skat")
def show_skat() -> Answer:
    """Enter the three cards of the skat."""
    cards = tuple(forms.card_of_game(value) for value in request.form.getlist("card"))
    if len(set(cards)) != 3 or len(cards) != 3:
        raise EntryError("The skat is exactly three different cards.")
    return enter(SkatShown(tuple(sorted(cards, key=CARDS.index))))


@blueprint.post("/redeal")
def redeal() -> Answer:
    """Enter that the same dealer deals again."""
    forms.unchanged(forms.redeals_seen(forms.session().hand))
    return enter(Redealt(fields.choice("reason", ("misdeal", "no_trumps"))))


def _declaration(player: str, combination: Combination) -> str:
    """The words in the dialog of a fine for a declaration that may be paid back."""
    return f"{slot_of(combination)} {player}"
