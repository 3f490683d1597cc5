"""What people enter in every game: each POST is checked, and becomes an event from which everything follows."""

from dataclasses import replace
from typing import Any, Final

from flask import abort, g, request

from tracker.catalogue import msgid
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    EntryCorrected,
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
    Recorded,
    ResultChosen,
    SessionClosed,
    SessionOpened,
    Unwatched,
)
from tracker.findings import Finding
from tracker.games import rule_set
from tracker.open_questions import (
    accused,
    following,
    open_flags,
    open_gaps,
    open_questions,
    standing_flags,
    unanswered,
    undone_to_go_on,
    unfounded_ends,
    unfounded_fines,
)
from tracker.rule_sets import MOST_CHIPS, Options
from tracker.session import Session
from tracker.undo import is_by_hand, last_entry
from webui.games.page import GamePage
from webui.games.pages import PAGES
from webui.pages import fields, forms
from webui.pages.common import (
    Answer,
    EntryError,
    TableBlueprint,
    hand_called,
    live,
    opened_next,
    page,
    rule_sets,
    sender,
    sight,
    told,
)
from webui.pages.entering import (
    PUT_RIGHT,
    booked,
    enter,
    enter_or_ask,
    entered_by_sender,
    is_at_hand,
    once,
    sent_again,
)
from webui.pages.host import saved
from webui.people.roles import Role
from webui.people.seats import SIDES, seated, sits_among
from webui.serving.security import NotAllowedError
from webui.table.arbiter_desk import Opening
from webui.table.replaying import fold
from webui.texts import language, text
from webui.view.booked import booked_text
from webui.view.finding_rows import finding_key, flag_name
from webui.view.undo_rows import undone

blueprint = TableBlueprint("entries", __name__)
blueprint.before_request(sent_again)
_ENTERED: Final = msgid("Entered.")
_UNDONE: Final = msgid("Undone.")
_DECLINED: Final = msgid("Declined; nothing was entered.")
_ANSWERED: Final = msgid("The question has already been answered.")
_FROM_AND_TO: Final = msgid("Choose who gives and who gets.")


def _told(done: str) -> Answer:
    return told(text(done))


@blueprint.post("/evening")
def evening() -> Answer:
    """Open an evening: the game, the players with their sides of the picture, the rules, the first dealer."""
    table = live()
    if table.evening.is_open:
        raise EntryError("An evening is already open; finish it first.", 409)
    chosen = PAGES[fields.choice("game", tuple(PAGES)) if request.form.get("game") else next(iter(PAGES))]
    sides, dealer = _seated(chosen.game.session.players)
    base, options = _rules(chosen)
    seats = tuple(sides)
    # The first dealer sits first: that is the session format's default.
    first = seats.index(dealer) if dealer is not None else 0
    seats = seats[first:] + seats[:first]
    table.open_evening(SessionOpened(base, options, seats), sides, once=once(), by=sender())
    if "by_result" in request.form and chosen.result_href:
        table.enter(ResultChosen(evening=True), by=sender())
    return _told(_ENTERED)


@blueprint.post("/evening/again")
def evening_again() -> Answer:
    """Open an evening with the players, game, rules and places of the last one; the next in turn deals."""
    session = forms.session()
    if not session.closed:
        raise EntryError("An evening is already open; finish it first.", 409)
    fields.ask_first(text("Who owes whom stays in the history."), text("Next evening with the same people"))
    opened, sides = session.opened, seated(session.seats, live().sides)
    # The first dealer sits first: that is the session format's default.
    seats = session.ring(session.next_dealer)
    live().open_evening(replace(opened, seats=seats), sides, once=once(), by=sender())
    if session.by_result:
        live().enter(ResultChosen(evening=True), by=sender())
    return _told(_ENTERED)


def _seated(players: tuple[int, int]) -> tuple[dict[str, str], str | None]:
    """Each player's side of the picture, in order of play, and the first dealer if the form names one."""
    places = (*SIDES, *"XY"[: max(0, players[1] - len(SIDES))])
    named = [(forms.new_name(request.form.get(f"seat_{field}", "")), field) for field in places]
    forms.check_players([name for name, _ in named if name], players)
    asked = {name: field for name, field in named if name}
    dealer = next((name for name, field in asked.items() if field == request.form.get("dealer")), None)
    # The fifth and the sixth player share a side with another, and play after him.
    sides = {
        name: field if field in SIDES else fields.choice(f"side_{field}", tuple(SIDES))
        for name, field in asked.items()
    }
    forms.check_places(sides)
    return dict(sorted(sides.items(), key=lambda seat: SIDES.index(seat[1]))), dealer


def _rules(chosen: GamePage) -> tuple[str, Options]:
    """The rules chosen for an evening: a base, and options. The dialog's options override those of the club's file."""
    proposed = rule_sets(chosen.game)
    base, options = proposed[fields.choice("rules", tuple(proposed))]
    said = tuple((option.key, forms.option(rule_set(base), option.key)) for option in chosen.options)
    return base, (*((key, value) for key, value in options if key not in dict(said)), *said)


@blueprint.post("/hands")
def start_hand() -> Answer:
    """Start a hand; an unfinished one is abandoned."""
    session, dealer = forms.session(), forms.player("dealer")
    forms.unchanged(forms.hands_seen())
    if session.under_way:
        if g.role < Role.ARBITER:
            raise NotAllowedError(Role.ARBITER)
        return enter(_given_up(), HandStarted(dealer))
    return enter(HandStarted(dealer))


@blueprint.post("/hands/<int:number>/next")
def next_hand(number: int) -> Answer:
    """Deal the hand after the one with this number; the next in turn deals. A second tap deals nothing."""
    session = forms.session()
    if session.under_way or len(session.hands) != number:
        raise EntryError("The next hand has already been dealt.", 409)
    return enter(HandStarted(session.next_dealer))


@blueprint.post("/hands/<int:number>/dealer")
def correct_dealer(number: int) -> Answer:
    """Correct the dealer of a hand, or say in the field `answer` who dealt. It is answered only once."""
    hand = hand_called(number, forms.session().hands)
    key = "answer" if request.form.get("answer") else "dealer"
    dealer = forms.player(key, among=hand.seats)
    if hand.dealer_is_sure and dealer == hand.dealer:
        return _told(PUT_RIGHT)  # two who say the same are both right
    if key == "answer" and hand.dealer_is_sure:
        raise EntryError("The question has already been answered: {player} dealt.", 409, player=hand.dealer)
    forms.check_replaced(dealer, hand.dealer)
    asked = hand.dealer_shown is not None and dealer in (hand.dealer_shown, hand.dealer)
    return enter_or_ask(DealerCorrected(hand.started, dealer), at_hand=asked)


@blueprint.post("/plays")
def play() -> Answer:
    """Enter a card that was played, now or before another play.

    Cards may be sent faster than they are booked. So a card that is played now need not say its player and the suit
    led: they are found once the card before it, whose token is in the field `after`, is booked. If another phone was
    faster with the same card, the answer says what the next card then follows.
    """
    if (again := sent_again()) is not None:
        return again  # the same entry was being booked when this one came
    session = forms.session()
    if session.hand is not None and session.hand.by_result:
        raise EntryError("This hand is entered by its result.", 409)
    played_now = not request.form.get("before_seq")
    if played_now and (meanwhile := forms.played_meanwhile()) is not None:
        forms.check_said_again(meanwhile)
        return told(text(_ENTERED), seen=forms.plays_seen(meanwhile.seq))
    by_turn = played_now and not request.form.get("player")
    who = forms.to_play() if by_turn else forms.player()
    what, named = forms.played_card()
    if request.form.get("named"):
        named = forms.suit(request.form["named"])
    if played_now:
        played = CardPlayed(who, what, named)
        standing = dict(session.standing) if session.alerts else {}
        if session.hand is not None and any(standing.get(one.seq) == played for one in session.hand.alerts):
            return _told(_ENTERED)  # two who say the same ask the table once
        return enter(played)
    before = fields.number("before_seq", 1, 10**9 - 1)
    forms.stored_play(before)
    # A card that was missed in a gap answers the question about that gap.
    missed = any(gap.seq < before for _, gap in open_gaps(session))
    return enter_or_ask(PlayInserted(before, who, what, named), at_hand=missed or is_at_hand(before))


@blueprint.post("/plays/<int:seq>/correct")
def correct(seq: int) -> Answer:
    """Correct a play: another card, another player, or another suit that the fool was named."""
    forms.stored_play(seq)
    form = request.form
    card = forms.played_card()[0] if form.get("card") or form.get("typed") else None
    player = forms.player() if form.get("player") else None
    named = forms.suit(form["named"]) if form.get("named") else None
    if card is None and player is None and named is None:
        raise EntryError("Type a card, or tap one.")
    correction, last = PlayCorrected(seq, card, player, named), forms.corrected_by_hand(seq)
    if last is None or last.event != correction:  # two who say the same are both right
        forms.unchanged(forms.correction_seen(seq))
    return enter_or_ask(correction, at_hand=is_at_hand(seq))


@blueprint.post("/plays/<int:seq>/remove")
def remove(seq: int) -> Answer:
    """Remove a play that never happened."""
    forms.stored_play(seq)
    forms.unchanged(forms.correction_seen(seq))
    return enter_or_ask(PlayRemoved(seq), at_hand=is_at_hand(seq))


@blueprint.post("/ask")
def ask() -> Answer:
    """Ask the arbiter to correct a play of an earlier trick, which is hidden from the player who asks."""
    hand = forms.session().hand
    if hand is None or not hand.tricks:
        raise EntryError("Start a hand first.", 409)
    number, who = fields.number("trick", 1, len(hand.tricks)), forms.player(among=hand.active)
    played = [play.seq for play in hand.tricks[number - 1].plays if play.player == who]
    if not played:
        raise EntryError("{player} has no card in that trick.", 409, player=who)
    return enter_or_ask(
        PlayCorrected(played[0], forms.card_of_game(fields.field("card"))), at_hand=is_at_hand(played[0])
    )


@blueprint.post("/asked/<int:number>/confirm")
def confirm(number: int) -> Answer:
    """Enter what a player asked for."""
    asked = live().desk.asked(number)
    if asked is None:
        raise EntryError(_ANSWERED, 409)
    later = any(isinstance(one.event, CardPlayed) for one in live().recorded[asked.after :])
    if later and any(isinstance(event, PlaysTakenBack) for event in asked.events):
        raise EntryError("Cards were played since that was asked. Take the right cards back yourself.", 409)
    answer = enter(*asked.events, done=PUT_RIGHT)
    live().desk.settle(number)
    return answer


@blueprint.post("/asked/<int:number>/decline")
def decline(number: int) -> Answer:
    """Decline what a player asked for."""
    if live().desk.asked(number) is None:
        raise EntryError(_ANSWERED, 409)
    live().desk.settle(number)
    return _told(_DECLINED)


@blueprint.post("/hands/<int:number>/tricks/<int:trick>/open")
def open_trick(number: int, trick: int) -> Answer:
    """Open an earlier trick of the hand that is played, to put it right. Every screen says so."""
    hand = forms.session().hand
    if hand is None or hand.number != number or not 0 < trick <= len(hand.tricks):
        abort(404)
    if sight().hidden:
        live().desk.note_opening(Opening(number, trick, sender()))
    if request.form.get("play"):
        return opened_next(f"/plays/{fields.number('play', 1, 10**9 - 1)}")
    return opened_next(f"/hands/{number}/tricks/{trick}")


@blueprint.post("/questions/<int:seq>")
def answer(seq: int) -> Answer:
    """Say which card a doubtful play was. A question is answered only once."""
    forms.stored_play(seq)
    card = forms.card_of_game(fields.field("card"))
    noted = {play.seq: play.card for _, play in open_questions(forms.session())}
    if seq not in noted:
        raise EntryError(_ANSWERED, 409)
    return enter(PlayCorrected(seq, card), done=_ENTERED if noted[seq] == card else PUT_RIGHT)


@blueprint.post("/gaps/<int:seq>")
def settle_gap(seq: int) -> Answer:
    """Settle a gap: no card is missing from it any more, or with `goes_on` the hand did not end at it."""
    session = forms.session()
    found = [(hand, gap) for hand, gap in open_gaps(session) if gap.seq == seq]
    if not found:
        raise EntryError(_ANSWERED, 409)
    if "goes_on" not in request.form:
        return enter(EventRetracted(seq), done=PUT_RIGHT)
    if not (gone := undone_to_go_on(session, *found[0])):
        raise EntryError(_ANSWERED, 409)
    return enter(*(EventRetracted(one) for one in gone), done=PUT_RIGHT)


@blueprint.post("/alerts/<int:seq>")
def dismiss(seq: int) -> Answer:
    """Dismiss an alert, and those that follow from it unless a card may be missing: their events no longer count."""
    session = forms.session()
    if seq not in {alert.seq for alert in session.alerts}:
        raise EntryError(_ANSWERED, 409)
    follow = [
        alert.seq for alert in following(session, seq) if alert.card is None or alert.kind == "hand_is_void"
    ]
    return enter(*(EventRetracted(one) for one in (seq, *follow)), done=PUT_RIGHT)


@blueprint.post("/untaken/<int:number>")
def settle_untaken(number: int) -> Answer:
    """Dismiss an event of the camera that the program failed to take in."""
    if not live().camera.settle_untaken(number):
        raise EntryError(_ANSWERED, 409)
    return _told(PUT_RIGHT)


@blueprint.post("/take-back")
def take_back() -> Answer:
    """Take back the last plays, as was done at the table."""
    session = forms.session()
    forms.unchanged(forms.plays_seen())
    count = fields.number("count", 1, 75)
    hand = session.hand
    on_table = hand.tricks[-1].plays if hand is not None and hand.tricks else []
    plays = hand.last_plays(count) if hand is not None else ()
    return enter_or_ask(PlaysTakenBack(count, plays=plays), at_hand=count <= len(on_table), done="")


@blueprint.post("/hands/<int:number>/flags")
def let_pass(number: int) -> Answer:
    """Let a flag pass, so that it is settled without a fine."""
    wanted = fields.field("flag")
    for hand in [one for one in forms.session().hands if one.number == number]:
        for finding in [hand.findings[place] for place in open_flags(hand)]:
            if flag_name(finding) == wanted and finding.player:
                passed = page().passed(hand, finding, _finding_text(finding))
                if passed is not None:
                    return enter(passed)
    raise EntryError("That flag no longer stands, or it has already been settled.", 409)


@blueprint.post("/abandon")
def abandon() -> Answer:
    """Abandon the hand, which was given up."""
    forms.unchanged(forms.hands_seen())
    return enter(_given_up())


def _given_up() -> HandAbandoned:
    hand = forms.session().hand
    return HandAbandoned(standing_flags(hand) if hand is not None else ())


@blueprint.post("/join")
def join() -> Answer:
    """Add a player who joins."""
    session = forms.session()
    typed = forms.person_name(fields.field("player", fields.NAMELESS))
    # Who comes back as anna is Anna, and goes on with her balance.
    name = next((known for known in session.balances if sits_among(typed, [known])), typed)
    if name in session.seats:
        raise EntryError("{player} already sits at the table.", player=name)
    after = forms.player("after")
    side = fields.choice("side", tuple(SIDES)) if request.form.get("side") else None
    forms.unchanged(forms.hands_seen())
    sides = live().sides | ({name: side} if side is not None else {})
    forms.check_places(sides)
    answer = enter(PlayerJoined(name, after))
    # Without a camera the sides only say in which order people sit, so nobody is asked.
    live().seat(sides if live().camera.is_there else seated(forms.session().seats, sides))
    return answer


@blueprint.post("/leave")
def leave() -> Answer:
    """Remove a player who leaves; his place in the picture is free."""
    name, session = forms.player(), forms.session()
    forms.unchanged(forms.hands_seen())
    session.check_leaving(name)
    left = PlayerLeft(name)
    fields.ask_first(_told_before(left, session), text("{player} leaves", player=name))
    answer = enter(left)
    live().seat({one: side for one, side in live().sides.items() if one != name})
    return answer


def _told_before(event: Event, session: Session[Any, Any]) -> str:
    """What `event` would do, in words, before it is entered."""
    seq = live().recorded[-1].seq + 1
    after = fold([*live().recorded, Recorded(seq, event)])[0]
    return booked_text("", [event], session.payments, after, language())


@blueprint.post("/fines/<int:seq>")
def settle_fine(seq: int) -> Answer:
    """Take back a fine for a flag that no longer stands, or let it stand for another reason."""
    fine = next((hand.fines[seq] for hand, one in unfounded_fines(forms.session()) if one == seq), None)
    if fine is None:
        raise EntryError(_ANSWERED, 409)
    if fields.is_yes("stands"):
        return enter(EntryCorrected(seq, replace(fine, finding="")))
    return enter(*(EventRetracted(one.seq) for one in undone(live(), seq)), done=_UNDONE)


@blueprint.post("/ends/<int:seq>")
def settle_end(seq: int) -> Answer:
    """Take back that a hand was given up or annulled for a flag that no longer stands, or let it stand."""
    ended = next((event for _, event, one in unfounded_ends(forms.session()) if one == seq), None)
    if ended is None:
        raise EntryError(_ANSWERED, 409)
    if fields.is_yes("stands"):
        return enter(EntryCorrected(seq, replace(ended, findings=())))
    return enter(EventRetracted(seq), *([Unwatched()] if _takes_up_again(ended) else []), done=_UNDONE)


@blueprint.post("/adjust")
def adjust() -> Answer:
    """Enter chips that the players moved among themselves, and why."""
    session, adjusted = forms.session(), forms.chips_moved()
    holders = (*session.balances, *session.pot_names)
    source, target = (fields.choice(name, holders, _FROM_AND_TO) for name in ("source", "target"))
    if source == target:
        raise EntryError(_FROM_AND_TO)
    amount = fields.number("amount", 1, MOST_CHIPS)
    forms.unchanged(forms.adjustments_seen())
    return enter(adjusted(source, target, amount, forms.why()))


@blueprint.post("/settle")
def settle() -> Answer:
    """Settle the evening: pots are shared."""
    session = forms.session()
    forms.unchanged(forms.hands_seen())
    fines = _answered_flags(session)
    where = [saved()] if "save" in request.form else []
    return told(" ".join([*where, booked(*fines, SessionClosed())]))


def _answered_flags(session: Session[Any, Any]) -> list[Event]:
    """The table's decision on each flag that is open when the evening is settled: a fine, or to let it pass."""
    decided = []
    for number, places in unanswered(session).flags.items():
        hand = session.hands[number - 1]
        for place in places:
            finding = hand.findings[place]
            field = f"flag_{finding_key(number, place)}"
            if not request.form.get(field):
                raise EntryError("Settle each flag first: with a fine, or without.", 409)
            who = fields.choice(field, (*accused(finding), "-"))
            who, amount = "" if who == "-" else who, finding.fine
            if who and not amount:
                amount = fields.number(f"amount_{finding_key(number, place)}", 1, MOST_CHIPS)
            reason = _finding_text(finding)
            event = (
                page().fined(hand, finding, who, amount, reason)
                if who
                else page().passed(hand, finding, reason)
            )
            decided += [event] if event is not None else []
    return decided


def _finding_text(finding: Finding) -> str:
    """The words in an event for the finding that it settles."""
    return page().game.words.finding_text(finding, language())[:200]


@blueprint.post("/undo")
def undo() -> Answer:
    """Undo the last entry, or the earlier one in the field `to`, if the dialog still says the truth.

    That is so while the field `seq` is still the newest of the records that go.
    """
    seq = fields.number("seq", 1, 10**9 - 1)
    forms.session()
    last = last_entry(live().recorded)
    to = fields.number("to", 1, 10**9 - 1) if request.form.get("to") else (last.seq if last else 0)
    gone = undone(live(), to)
    if not gone or gone[0].seq != seq:
        raise EntryError("It has already been undone, or something newer was entered.", 409)
    whole_evening = any(isinstance(one.event, SessionClosed | PlayerJoined | PlayerLeft) for one in gone)
    if whole_evening and g.role < Role.HOST:
        raise NotAllowedError(Role.HOST)
    events: list[Event] = [EventRetracted(one.seq) for one in gone]
    if any(_takes_up_again(one.event) for one in gone):
        events.append(Unwatched())
    return enter_or_ask(*events, at_hand=entered_by_sender(gone), done=_UNDONE)


def _takes_up_again(event: Event) -> bool:
    """Whether undoing `event` resumes a hand, although cards played since then were not counted."""
    hand = forms.session().hand
    if hand is None or hand.complete:
        return False
    if all(is_by_hand(live().recorded[play.seq - 1].event) for play in hand.plays):
        return False  # no camera watched the hand
    return isinstance(event, HandAbandoned) or (isinstance(event, SessionClosed) and not hand.abandoned)
