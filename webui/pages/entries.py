"""What people enter: each POST is checked and becomes an event, and everything after it is recomputed."""

import hashlib
import json
from typing import Final

from flask import Blueprint, g, request

from tracker.cards import CARDS
from tracker.catalogue import msgid
from tracker.danish.combination import Combination
from tracker.danish.dealing import dealer_that_fits
from tracker.danish.events import (
    Adjusted,
    Declared,
    Fined,
    FoolCalled,
    FoolNamed,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.danish.findings import DanishFinding
from tracker.danish.hand import DanishHand
from tracker.danish.open_questions import accused, open_flags, open_gaps, open_questions, unanswered
from tracker.danish.rulesets import FINE_CATEGORIES
from tracker.danish.session import DanishSession
from tracker.danish.words import finding_text
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    SessionClosed,
    SessionOpened,
    Unwatched,
)
from tracker.store import Token
from tracker.undo import entries_to, is_by_hand, standing
from webui.asked import Opening
from webui.pages import forms
from webui.pages.common import Answer, EntryError, live, opened_next, rule_sets, sender, sight, told
from webui.roles import Role
from webui.saving import save_evening
from webui.seats import SIDES, is_name
from webui.security import NotAllowedError
from webui.texts import language, text
from webui.view.booked import booked_text
from webui.view.finding_rows import finding_key, flag_name

blueprint = Blueprint("entries", __name__)
_ENTERED: Final = msgid("Entered.")
_UNDONE: Final = msgid("Undone.")
_PUT_RIGHT: Final = msgid("Put right; everything after it is recomputed.")
_DECLINED: Final = msgid("Declined; nothing was entered.")
_ANSWERED: Final = msgid("The question has been answered already.")
_ASKED: Final = msgid("The arbiter is asked to enter it.")
_LONGEST_TOKEN = 64
_MOST_ASKS = 20


@blueprint.before_request
def sent_again() -> Answer | None:
    """An entry sent again over a bad connection is not entered twice."""
    return _told(_ENTERED) if live().has_entered(_once()) else None


def _once() -> Token | None:
    """The entry's token: its name, and a digest of its path and fields."""
    name = request.form.get("once", "")
    if not name:
        return None
    if len(name) > _LONGEST_TOKEN:
        raise EntryError("“{value}” cannot be chosen here.", value=name)
    said = sorted(field for field in request.form.items(multi=True) if field[0] not in ("token", "once"))
    content = json.dumps([request.path, said], ensure_ascii=True)
    return Token(name, hashlib.sha256(content.encode()).hexdigest())


def _enter(*events: Event, done: str = "") -> Answer:
    return told(_booked(*events, done=done))


def _booked(*events: Event, done: str = "") -> str:
    """Enter `events`; what was booked and who pays whom."""
    with live().reading() as session:
        before = list(session.payments) if session is not None else []
        live().enter(*events, once=_once(), by=sender())
        said = text(done) if done else ""
        return booked_text(said, events, before, forms.session(), language())


def _enter_or_ask(*events: Event, at_hand: bool, done: str = _PUT_RIGHT) -> Answer:
    """Enter what is `at_hand`; anything else a player only asks for, and the arbiter enters it with one tap."""
    if at_hand or g.role >= Role.ARBITER:
        return _enter(*events, done=done)
    if len(live().desk.asks) >= _MOST_ASKS:
        raise EntryError("The arbiter is asked for enough already; let that be settled first.", 409)
    live().ask(sender(), *events)
    return _told(_ASKED)


def _is_at_hand(seq: int) -> bool:
    """Whether the play `seq` is of the trick on the table, or is asked about: any player may put it right."""
    session = forms.session()
    hand = session.hand
    on_table = hand.tricks[-1].plays if hand is not None and hand.tricks else []
    asked = {play.seq for _, play in open_questions(session)} | {alert.seq for alert in session.alerts}
    return seq in asked or seq in {play.seq for play in on_table}


def _told(done: str) -> Answer:
    return told(text(done))


@blueprint.post("/evening")
def evening() -> Answer:
    """Open an evening: the players by their sides of the picture, rules, first dealer."""
    table = live()
    if table.session is not None and not table.session.closed:
        raise EntryError("An evening is open already; settle it first.", 409)
    sides = {}
    for side in (*SIDES, "X"):
        name = " ".join(request.form.get(f"seat_{side}", "").split())
        if not name:
            continue
        if not is_name(name):
            raise EntryError("A name has 1 to 24 characters, no / among them, and is not “king” or “pagat”.")
        if name in sides:
            raise EntryError("Enter 3 to 5 different names.")
        sides[name] = side
    if not 3 <= len(sides) <= 5:
        raise EntryError("Enter 3 to 5 different names.")
    dealer = next((name for name, side in sides.items() if side == request.form.get("dealer")), None)
    # The fifth player shares a side, and plays after the one who sits there.
    sides = {
        name: forms.choice("side_X", tuple(SIDES)) if side == "X" else side for name, side in sides.items()
    }
    if not forms.places_enough(sides):
        raise EntryError("Each edge of the picture has one player; only at a table of five do two share one.")
    sides = dict(sorted(sides.items(), key=lambda seat: SIDES.index(seat[1])))
    proposed = rule_sets()
    base, options = proposed[forms.choice("rules", tuple(proposed))]
    # The sheet overrides the club's file.
    options = (
        *((key, value) for key, value in options if key != "count"),
        ("count", "count" in request.form),
    )
    seats = tuple(sides)
    # The first dealer sits first: that is the session format's default.
    first = seats.index(dealer) if dealer is not None else 0
    opened = SessionOpened(base, options, seats[first:] + seats[:first])
    table.open_evening(opened, sides, once=_once(), by=sender())
    return _told(_ENTERED)


@blueprint.post("/hands")
def start_hand() -> Answer:
    """Start a hand; one that is not finished is abandoned."""
    with live().reading():
        session, dealer = forms.session(), forms.player("dealer")
        forms.unchanged(forms.hands_seen(session))
        if session.under_way:
            if g.role < Role.ARBITER:
                raise NotAllowedError(Role.ARBITER)
            return _enter(HandAbandoned(), HandStarted(dealer))
        return _enter(HandStarted(dealer))


@blueprint.post("/hands/<int:number>/next")
def next_hand(number: int) -> Answer:
    """Deal the hand after the one with this number, by whose turn it is; tapped twice it is dealt once."""
    with live().reading():
        session = forms.session()
        if session.under_way or len(session.hands) != number:
            raise EntryError("The next hand is dealt already.", 409)
        return _enter(HandStarted(session.next_dealer))


@blueprint.post("/dealer")
def correct_dealer() -> Answer:
    """Another player dealt the hand under way: it was started with the next in turn."""
    with live().reading():
        session, dealer = forms.session(), forms.player("dealer")
        if not session.under_way:
            raise EntryError("Start a hand first.", 409)
        forms.unchanged(forms.hands_seen(session))
        started = [one.seq for one in standing(live().recorded) if isinstance(one.event, HandStarted)]
        fits = dealer_that_fits(session)
        asked = fits is not None and session.hand is not None and dealer in (fits, session.hand.dealer)
        return _enter_or_ask(DealerCorrected(started[-1], dealer), at_hand=asked)


@blueprint.post("/plays")
def play() -> Answer:
    """A card that was played, now or before another play."""
    who, (what, named) = forms.player(), forms.played_card()
    if request.form.get("named"):
        named = forms.suit(request.form["named"])
    if request.form.get("before_seq"):
        before = forms.number("before_seq", 1, 10**9 - 1)
        forms.stored_play(before)
        with live().reading():
            # A card missed while nobody watched answers that question.
            missed = any(gap.seq < before for _, gap in open_gaps(forms.session()))
            at_hand = missed or _is_at_hand(before)
            return _enter_or_ask(PlayInserted(before, who, what, named), at_hand=at_hand)
    with live().reading():
        forms.unchanged(forms.plays_seen(forms.session()))
        return _enter(CardPlayed(who, what, named))


@blueprint.post("/plays/<int:seq>/correct")
def correct(seq: int) -> Answer:
    """Another card, another player, or another name of the fool."""
    forms.stored_play(seq)
    form = request.form
    card = forms.played_card()[0] if form.get("card") or form.get("typed") else None
    player = forms.player() if form.get("player") else None
    named = forms.suit(form["named"]) if form.get("named") else None
    if card is None and player is None and named is None:
        raise EntryError("The field “{field}” is missing.", field="card")
    with live().reading():
        return _enter_or_ask(PlayCorrected(seq, card, player, named), at_hand=_is_at_hand(seq))


@blueprint.post("/plays/<int:seq>/remove")
def remove(seq: int) -> Answer:
    """A play that never happened."""
    forms.stored_play(seq)
    with live().reading():
        return _enter_or_ask(PlayRemoved(seq), at_hand=_is_at_hand(seq))


@blueprint.post("/ask")
def ask() -> Answer:
    """Which card somebody played in an earlier trick, said by one who does not see what is booked there."""
    with live().reading():
        hand = forms.session().hand
        if hand is None or not hand.tricks:
            raise EntryError("Start a hand first.", 409)
        number, who = forms.number("trick", 1, len(hand.tricks)), forms.player(among=hand.active)
        played = [play.seq for play in hand.tricks[number - 1].plays if play.player == who]
        if not played:
            raise EntryError("{player} has no card in that trick.", 409, player=who)
        return _enter_or_ask(
            PlayCorrected(played[0], forms.card(forms.field("card"))), at_hand=_is_at_hand(played[0])
        )


@blueprint.post("/asked/<int:number>/confirm")
def confirm(number: int) -> Answer:
    """Enter what a player asked for."""
    with live().reading():
        asked = live().asked(number)
        if asked is None:
            raise EntryError(_ANSWERED, 409)
        later = any(isinstance(one.event, CardPlayed) for one in live().recorded[asked.after :])
        if later and any(isinstance(event, PlaysTakenBack) for event in asked.events):
            raise EntryError("Cards were played since that was asked; take back what is meant.", 409)
        answer = _enter(*asked.events, done=_PUT_RIGHT)
        live().settle_ask(number)
        return answer


@blueprint.post("/asked/<int:number>/decline")
def decline(number: int) -> Answer:
    """Do not enter what a player asked for."""
    if live().asked(number) is None:
        raise EntryError(_ANSWERED, 409)
    live().settle_ask(number)
    return _told(_DECLINED)


@blueprint.post("/hands/<int:number>/tricks/<int:trick>/open")
def open_trick(number: int, trick: int) -> Answer:
    """Open an earlier trick of the hand that is played, to put it right; every screen says so."""
    with live().reading():
        hand = forms.session().hand
        if hand is None or hand.number != number or not 0 < trick <= len(hand.tricks):
            raise EntryError("There is no such page.", 404)
        if sight().hidden:
            live().note_opening(Opening(number, trick, sender()))
        if request.form.get("play"):
            return opened_next(f"/plays/{forms.number('play', 1, 10**9 - 1)}")
        return opened_next(f"/hands/{number}/tricks/{trick}")


@blueprint.post("/questions/<int:seq>")
def answer(seq: int) -> Answer:
    """Say which card a doubtful play was; a question is answered once."""
    forms.stored_play(seq)
    card = forms.card(forms.field("card"))
    with live().reading():
        if seq not in {play.seq for _, play in open_questions(forms.session())}:
            raise EntryError(_ANSWERED, 409)
        return _enter(PlayCorrected(seq, card), done=_PUT_RIGHT)


@blueprint.post("/gaps/<int:seq>")
def settle_gap(seq: int) -> Answer:
    """No card is missing from a time unwatched, or all are entered now."""
    with live().reading():
        if seq not in {gap.seq for _, gap in open_gaps(forms.session())}:
            raise EntryError(_ANSWERED, 409)
        return _enter(EventRetracted(seq), done=_PUT_RIGHT)


@blueprint.post("/alerts/<int:seq>")
def dismiss(seq: int) -> Answer:
    """Dismiss an alert: its event no longer counts."""
    with live().reading():
        if seq not in {alert.seq for alert in forms.session().alerts}:
            raise EntryError(_ANSWERED, 409)
        return _enter(EventRetracted(seq), done=_PUT_RIGHT)


@blueprint.post("/untaken/<int:number>")
def settle_untaken(number: int) -> Answer:
    """Dismiss an event that the program failed to take in."""
    if not live().settle_untaken(number):
        raise EntryError(_ANSWERED, 409)
    return _told(_PUT_RIGHT)


@blueprint.post("/declarations")
def declare() -> Answer:
    """A player's declaration; nothing chosen is a pass."""
    return _enter(Declared(forms.player(), forms.combinations()))


@blueprint.post("/fool/name")
def name_fool() -> Answer:
    """Name the suit of a led fool."""
    return _enter(FoolNamed(forms.player(), forms.suit(forms.field("suit"))))


@blueprint.post("/fool/call")
def call_fool() -> Answer:
    """A call for the fool in trick 23."""
    return _enter(FoolCalled(forms.player()))


@blueprint.post("/tout")
def announce_tout() -> Answer:
    """A tout announced."""
    return _enter(ToutAnnounced(forms.player()))


@blueprint.post("/take-back")
def take_back() -> Answer:
    """The last plays were taken back at the table."""
    with live().reading():
        session = forms.session()
        forms.unchanged(forms.plays_seen(session))
        count = forms.number("count", 1, 75)
        on_table = session.hand.tricks[-1].plays if session.hand is not None and session.hand.tricks else []
        return _enter_or_ask(PlaysTakenBack(count), at_hand=count <= len(on_table), done="")


@blueprint.post("/fines")
def fine() -> Answer:
    """A fine that the table decided on."""
    category = forms.choice("category", FINE_CATEGORIES)
    reason = forms.words("reason")
    with live().reading():
        hands = forms.session().hands
        # The sheet names its hand: the camera may have started the next one since.
        number = forms.number("hand", 1, len(hands)) if request.form.get("hand") else None
        hand = hands[number - 1 if number else -1] if hands else None
        who = forms.player(among=hand.seats if hand is not None else None)
        finding = request.form.get("finding", "")
        if finding and hand is not None:
            flags = [hand.findings[place] for place in open_flags(hand)]
            if not any(one.name == finding and who in accused(one) for one in flags):
                raise EntryError(
                    "That flag against {player} no longer stands, or its fine is booked.", 409, player=who
                )
        else:
            forms.unchanged(forms.fines_seen(hand))
        made = (hand.declared.get(who) if hand is not None else None) or ()
        by_name = {forms.declaration(who, one): one for one in made}
        chosen = set(request.form.getlist("declaration"))
        if chosen - by_name.keys():
            raise EntryError(
                "{player} did not declare what is to be paid back; nothing was entered.", 409, player=who
            )
        returned = tuple(one for name, one in by_name.items() if name in chosen)
        session = forms.session()
        stops = category == "irrecoverable" and session.under_way and hand is session.hand
        said = _booked(Fined(who, category, reason, returned, number, finding))
        return opened_next("/abandon?after=fine", said) if stops else told(said)


@blueprint.post("/hands/<int:number>/flags")
def let_pass(number: int) -> Answer:
    """The table lets a flag pass: it is settled without a fine."""
    wanted = forms.field("flag")
    with live().reading():
        for hand in [one for one in forms.session().hands if one.number == number]:
            for finding in [hand.findings[place] for place in open_flags(hand)]:
                if flag_name(finding) == wanted and finding.player:
                    reason = finding_text(finding, language())[:200]
                    return _enter(Fined(finding.player, "superficial", reason, (), number, finding.name))
        raise EntryError("That flag no longer stands, or it is settled already.", 409)


@blueprint.post("/skat")
def show_skat() -> Answer:
    """The three cards of the skat."""
    cards = tuple(forms.card(value) for value in request.form.getlist("card"))
    if len(set(cards)) != 3 or len(cards) != 3:
        raise EntryError("The skat is exactly three different cards.")
    return _enter(SkatShown(tuple(sorted(cards, key=CARDS.index))))


@blueprint.post("/redeal")
def redeal() -> Answer:
    """The same dealer deals again."""
    with live().reading():
        forms.unchanged(forms.redeals_seen(forms.session()))
        return _enter(Redealt(forms.choice("reason", ("misdeal", "no_trumps"))))


@blueprint.post("/abandon")
def abandon() -> Answer:
    """Play of the hand was given up."""
    with live().reading():
        forms.unchanged(forms.hands_seen(forms.session()))
        return _enter(HandAbandoned())


@blueprint.post("/join")
def join() -> Answer:
    """A player joins."""
    with live().reading():
        session = forms.session()
        name = " ".join(forms.field("player").split())
        if not is_name(name) or name in session.seats:
            raise EntryError("A name has 1 to 24 characters, no / among them, and is not “king” or “pagat”.")
        after = forms.player("after")
        side = forms.choice("side", tuple(SIDES)) if request.form.get("side") else None
        forms.unchanged(forms.hands_seen(session))
        answer = _enter(PlayerJoined(name, after))
        if side is not None and forms.places_enough(live().sides | {name: side}):
            live().seat(live().sides | {name: side})
        return answer


@blueprint.post("/leave")
def leave() -> Answer:
    """A player leaves; his place in the picture is free."""
    with live().reading():
        name = forms.player()
        forms.unchanged(forms.hands_seen(forms.session()))
        answer = _enter(PlayerLeft(name))
        live().seat({one: side for one, side in live().sides.items() if one != name})
        return answer


@blueprint.post("/adjust")
def adjust() -> Answer:
    """Chips that the players moved among themselves, and why."""
    with live().reading():
        session = forms.session()
        holders = (*session.balances, *session.pot_names)
        source, target = forms.choice("source", holders), forms.choice("target", holders)
        amount = forms.number("amount", 1, 10**9 - 1)
        forms.unchanged(forms.adjustments_seen(session))
        return _enter(Adjusted(source, target, amount, forms.words("reason")))


@blueprint.post("/settle")
def settle() -> Answer:
    """The evening ends: the pots are shared."""
    with live().reading():
        session = forms.session()
        forms.unchanged(forms.hands_seen(session))
        fines = _answered_flags(session)
        if "save" in request.form:
            save_evening(live())
        return _enter(*fines, SessionClosed())


def _answered_flags(session: DanishSession) -> list[Fined]:
    """What the table decides of each flag that is open when the evening is settled: a fine, or to let it pass."""
    fines = []
    for number, places in unanswered(session).flags.items():
        hand = session.hands[number - 1]
        for place in places:
            finding = hand.findings[place]
            field = f"flag_{finding_key(number, place)}"
            if not request.form.get(field):
                raise EntryError("Answer each flag first: fined, or not.", 409)
            who = forms.choice(field, (*accused(finding), "-"))
            reason = finding_text(finding, language())[:200]
            if who != "-":
                returned = _to_return(session, hand, who, finding)
                fines.append(Fined(who, finding.category, reason, returned, number, finding.name))
            elif finding.player:
                fines.append(Fined(finding.player, "superficial", reason, (), number, finding.name))
    return fines


def _to_return(
    session: DanishSession, hand: DanishHand, who: str, finding: DanishFinding
) -> tuple[Combination, ...]:
    """The declaration that the fine for `finding` pays back, where the rules do not have all paid back."""
    made = finding.made
    if made is None or session.rules.misdeclaration_returns_all or finding.category != "misdeclaration":
        return ()
    return (made,) if made in (hand.declared.get(who) or ()) else ()


@blueprint.post("/undo")
def undo() -> Answer:
    """Undo the last entry, if it still is the last one, or all from it back `to` an earlier one."""
    seq = forms.number("seq", 1, 10**9 - 1)
    with live().reading():
        forms.session()
        to = forms.number("to", 1, 10**9 - 1) if request.form.get("to") else seq
        undone = entries_to(live().recorded, to)
        if not undone or undone[0].seq != seq:
            raise EntryError("It is undone already, or something newer was entered.", 409)
        whole_evening = any(
            isinstance(one.event, SessionClosed | PlayerJoined | PlayerLeft) for one in undone
        )
        if whole_evening and g.role < Role.HOST:
            raise NotAllowedError(Role.HOST)
        events: list[Event] = [EventRetracted(one.seq) for one in undone]
        if any(_takes_up_again(one.event) for one in undone):
            events.append(Unwatched())
        own = all(one.by == sender() for one in undone)
        return _enter_or_ask(*events, at_hand=own, done=_UNDONE)


def _takes_up_again(event: Event) -> bool:
    """Whether undoing `event` resumes a hand: cards played since then were not counted."""
    hand = forms.session().hand
    if hand is None or hand.complete:
        return False
    if all(is_by_hand(live().recorded[play.seq - 1].event) for play in hand.plays):
        return False  # no camera watched it
    return isinstance(event, HandAbandoned) or (isinstance(event, SessionClosed) and not hand.abandoned)
