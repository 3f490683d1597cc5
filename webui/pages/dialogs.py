"""The dialogs that a tap opens: pages, or fragments for the page's script."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from flask import abort, g, request

from tracker.cards import CARDS, SUITS
from tracker.catalogue import msgid
from tracker.errors import TarokError
from tracker.hand import Hand
from tracker.open_questions import accused, unanswered
from tracker.rule_sets import MOST_CHIPS
from tracker.session import Session
from tracker.tricks import Play
from tracker.undo import last_entry
from tracker.words import Words
from webui.pages import forms
from webui.pages.common import (
    EntryError,
    TableBlueprint,
    hand_called,
    live,
    page,
    render,
    sight,
)
from webui.pages.entering import entered_by_sender
from webui.people.roles import Role, may_open
from webui.people.seats import SIDES
from webui.table.scorekeeper import as_first_trick_shows
from webui.texts import language, text
from webui.view.entry_rows import entry_text
from webui.view.finding_rows import finding_key, finding_rows, flag_links
from webui.view.hand_rows import hand_rows, play_row, trick_number, trick_row
from webui.view.payment_rows import account_rows, ledger_chapters, paid_rows
from webui.view.picker import Panel, deck_rows, panels, recent_plays, suit_led
from webui.view.result_rows import ending_texts
from webui.view.undo_rows import build_undo
from webui.view.unseen import may_be_told

blueprint = TableBlueprint("dialogs", __name__)
_NAME_RIGHT: Final = msgid("Correct the name")


def players() -> list[tuple[str, str]]:
    """The players of the hand, as choices of a form."""
    session = forms.session()
    return _everybody(session) if session.hand is None else _active(session.hand)


def _active(hand: Hand) -> list[tuple[str, str]]:
    return [(name, name) for name in hand.seats if name in hand.active]


def _everybody(session: Session[Any, Any]) -> list[tuple[str, str]]:
    return [(name, name) for name in session.seats]


def suits(words: Words, lang: str) -> list[tuple[str, str]]:
    """The suits that a fool can be named, as choices of a form."""
    return [(one, words.suit_name(one, lang)) for one in (*SUITS, "T")]


def named_suits() -> list[tuple[str, str]]:
    """The suits that a led fool can be named, as choices of a form; none in a game that does not name it."""
    return suits(page().game.words, language()) if page().names_fool else []


def all_panels(among: Collection[str] = CARDS) -> list[Panel]:
    """The cards of the game that are in `among`, to choose from."""
    return panels(forms.session().pack, page().game.words, language(), among)


def hand_named() -> Any:
    """The hand with the number in the field `hand` of the request, or else the newest hand. Raises EntryError."""
    wanted = request.values.get("hand", "")
    return next((one for one in forms.session().hands if str(one.number) == wanted), forms.hand_on_table())


def one_more_href(path: str, hand: Any, cards: Sequence[str] = ()) -> str:
    """The dialog at `path` that asks for one more card of `hand` after `cards`, such as those of a Talon."""
    fields = {"hand": str(hand.number)} if hand is not forms.session().hand else {}
    fields |= {"cards": " ".join(cards)} if cards else {}
    return path + (f"?{urlencode(fields)}" if fields else "")


@blueprint.get("/play")
def play() -> str:
    """The dialog that enters a card."""
    lang = language()
    session = forms.session()
    words = page().game.words
    shown = replace(sight(), session=as_first_trick_shows(session))
    noted, hand = session.hand, shown.session.hand
    on_table = hand.trick.plays if hand is not None and hand.trick is not None else []
    last = last_entry(live().recorded)
    begins = session.under_way and not any(trick.winner for trick in session.hands[-1].tricks)
    unsure = noted is not None and noted.turn_in_doubt
    out = session.hands[-1].sits_out if begins and not unsure else ()
    return render(
        "dialogs/play.html",
        heading=text("Card played"),
        out=out,
        sits_out=words.listed(out, lang),
        hand=noted,
        unsure=unsure,
        players=_everybody(session) if unsure else players(),
        player=hand.to_play if hand and not unsure else None,
        panels=all_panels(),
        first=suit_led(hand),
        named=named_suits() if not on_table else [],
        played=shown.played(hand) if hand else set(),
        on_table=[(one.player, words.card_label(one.card, lang)) for one in on_table],
        recent=recent_plays(shown, hand, lang, opens=g.role >= Role.ARBITER) if hand else [],
        last=(last.seq, entry_text(sight(), last, lang)) if last is not None else None,
        asked=[
            one
            for one in page().asked(session, lang, live().camera.is_there)
            if one not in page().unscored(session, lang)
        ],
        goes_on=hand is not None and hand.to_play is not None and not session.closed,
        may_miss=may_be_told(live(), session),
        seen=forms.plays_seen(),
    )


def _find(seq: int) -> tuple[Hand, Play]:
    """The play with the number `seq`, and its hand. It may be one that does not count. Raises EntryError."""
    for hand in reversed(forms.session().hands):
        for one in hand.plays:
            if one.seq == seq:
                return hand, one
    event = forms.stored_play(seq)  # the play of an alert is stored, but does not count
    return forms.hand_on_table(), Play(event.player, event.card, seq, (), 0)


def _hidden_trick(seq: int) -> str:
    """The dialog in which the arbiter may open the trick of the play `seq`; "" if the play is not hidden.

    Raises EntryError for a player.
    """
    if sight().shows_play(seq, opened=g.role >= Role.ARBITER):
        return ""
    if g.role < Role.ARBITER:
        raise EntryError("Earlier tricks are hidden while the hand is played.", 403)
    hand = forms.hand_on_table()
    return trick_dialog(hand, trick_number(hand, seq), seq)


@blueprint.get("/hands/<int:number>/tricks/<int:trick>")
def trick(number: int, trick: int) -> str:
    """The dialog that puts an earlier trick right; while the trick is hidden, it asks whether to open it."""
    hand = hand_called(number, forms.session().hands)
    if not 0 < trick <= len(hand.tricks):
        abort(404)
    return trick_dialog(hand, trick)


def trick_dialog(hand: Hand, number: int, play: int = 0) -> str:
    """The dialog of an earlier trick; if it is opened because of one `play`, that play is shown next."""
    found = hand.tricks[number - 1]
    shown = all(sight().shows_play(play.seq, opened=True) for play in found.plays)
    row = trick_row(live(), sight(), hand, found, language()) if shown else None
    return render("dialogs/trick.html", hand=hand.number, number=number, trick=row, play=play)


@blueprint.get("/ask")
def ask() -> str:
    """The dialog in which a player asks the arbiter to put an earlier trick right."""
    hand = forms.hand_on_table()
    wanted = request.args.get("play", type=int)
    about = next((one for one in hand.plays if one.seq == wanted), None)
    return render(
        "dialogs/ask.html",
        tricks=[trick.number for trick in hand.tricks],
        trick=trick_number(hand, about.seq) if about is not None else request.args.get("trick", 0, int),
        players=_active(hand),
        player=about.player if about is not None else "",
        panels=all_panels(),
        played=sight().played(hand),
    )


@blueprint.get("/plays/<int:seq>")
def edit(seq: int) -> str:
    """The dialog that puts a play right."""
    hand, one = _find(seq)
    if dialog := _hidden_trick(seq):
        return dialog
    place = next((i for i, other in enumerate(hand.plays, start=1) if other.seq == seq), 0)
    where = text("Trick {trick}, card {play} of the hand.", trick=trick_number(hand, seq), play=place)
    led = any(trick.plays and trick.plays[0].seq == seq for trick in hand.tricks)
    return render(
        "dialogs/edit.html",
        seen=forms.correction_seen(seq),
        p=play_row(live(), sight(), hand, one, language(), led=led),
        seen_at=time.strftime("%H:%M:%S", time.localtime(live().recorded[seq - 1].at)),
        where=where if place else text("The card was read, but does not count until it is corrected."),
        players=_active(hand),
        suits=named_suits(),
        panels=all_panels(),
        first=one.card[:1],
        played=sight().played(hand),
    )


@blueprint.get("/plays/<int:seq>/insert")
def insert(seq: int) -> str:
    """The dialog that inserts a missed card before a play."""
    hand, one = _find(seq)
    if dialog := _hidden_trick(seq):
        return dialog
    card = page().game.words.card_label(one.card, language())
    return render(
        "dialogs/play.html",
        heading=text("Insert a card before {card}", card=card),
        players=_active(hand),
        panels=all_panels(),
        named=named_suits(),
        played=sight().played(hand),
        before_seq=seq,
    )


@blueprint.get("/more")
def more() -> str:
    """The dialog with what is seldom needed."""
    session = forms.session()
    hand = session.hand
    own = page()
    return render(
        own.more,
        hands_seen=forms.hands_seen(),
        redeals_seen=forms.redeals_seen(hand),
        rules=session.rules,
        plays_seen=forms.plays_seen(),
        hand=hand,
        acts=own.late_acts(hand) if hand is not None and not session.closed else [],
        closed=session.closed,
        earlier=[one.number for one in reversed(session.hands) if one is not hand],
        players=players(),
        between_hands=not session.under_way and not session.closed,
        by_result=bool(hand and hand.by_result) if own.result_href else None,
        by_results=session.by_result,
        everybody=_everybody(session),
        away=[name for name in session.balances if name not in session.seats],
        full=_refuses(session.check_seats, (*session.seats, " ".join(session.seats)), session.rules),
        may_leave=[name for name in session.seats if not _refuses(session.check_leaving, name)],
        adjusts=hand is not None and "adjust" in session.kinds.by_key,
        joining=text(own.joining),
        leaving=text(own.leaving),
        sides=SIDES,
        deck=deck_rows(own.game.words, session.pack, language()),
        played=sight().played(hand) if hand else set(),
    )


def _refuses(check: Callable[..., object], *asked: Any) -> bool:
    """Whether the game's `check` raises an error for what is `asked`."""
    try:
        check(*asked)
    except TarokError:
        return True
    return False


@blueprint.get("/adjust")
def adjust() -> str:
    """The dialog for chips that the players move among themselves."""
    session = forms.session()
    forms.chips_moved()
    holders = [(name, name) for name in session.balances]
    contents = sight().pots
    pots = [
        (
            pot,
            page().game.words.holder_label(pot, language())
            + (f" ({contents[pot]})" if contents is not None else ""),
        )
        for pot in session.pot_names
    ]
    return render(
        "dialogs/adjust.html",
        holders=[*holders, *pots],
        step=page().chip_step,
        seen=forms.adjustments_seen(),
    )


@blueprint.get("/start")
def start() -> str:
    """The dialog that starts a hand."""
    session = forms.session()
    return render(
        "dialogs/start.html",
        players=_everybody(session),
        dealer=session.next_dealer,
        unfinished=session.under_way,
        seen=forms.hands_seen(),
    )


@blueprint.get("/settle")
def settle() -> str:
    """The dialog that ends the evening."""
    session = forms.session()
    waiting, words = unanswered(session), page().game.words
    return render(
        "dialogs/settle.html",
        heading=text(page().finish),
        closing=text(page().closing),
        left_open=text(page().unfinished),
        pots=len(session.pot_names),
        pictures=len(live().pictures.evidence.known),
        film=live().pictures.recording.waits,
        unfinished=session.under_way,
        questions=waiting.questions,
        asks=len(live().desk.asks),
        unscored=page().unscored(session, language()),
        links=flag_links(waiting.flags),
        flags=[
            (
                finding_key(number, place),
                text("Hand {number}", number=number),
                words.finding_text(session.hands[number - 1].findings[place], language()),
                session.hands[number - 1].findings[place].fine,
                accused(session.hands[number - 1].findings[place]),
            )
            for number, places in waiting.flags.items()
            for place in places
        ],
        most=MOST_CHIPS,
        seen=forms.hands_seen(),
    )


@blueprint.get("/undo")
def undo() -> str:
    """The dialog that undoes the last entry, or an earlier one: what goes, what stays, and which flags change."""
    last, shown = last_entry(live().recorded), live().sight
    to = request.args.get("to", type=int) or (last.seq if last else 0)
    view = build_undo(live(), shown, to, language()) if shown is not None and to else None
    return render(
        "dialogs/undo.html",
        undo=view,
        asks=view is not None and g.role < Role.ARBITER and not entered_by_sender(view.gone),
    )


@blueprint.get("/abandon")
def abandon() -> str:
    """The dialog that asks whether the hand is really given up."""
    said = text(page().broken_off)
    if request.args.get("after") == "fine":
        said = text("An irrecoverable error usually stops the hand.") + " " + said
    return render(
        "dialogs/sure.html",
        heading=text("Does the hand stop here?"),
        sentence=said,
        action="/abandon",
        fields=[("seen", forms.hands_seen())],
        yes=text("Abandon the hand"),
    )


@blueprint.get("/players/<name>")
def player(name: str) -> str:
    """The dialog of a player's account."""
    lang = language()
    session = forms.session()
    if name not in session.balances:
        raise EntryError("Nobody at the table is called “{value}”.", 404, value=name)
    rows = account_rows(sight(), name, lang)[::-1]
    hand = session.hand
    playing = hand is not None and session.under_way and name in hand.active
    fine = [(page().fine, page().fine_href)] if page().fine_href and hand is not None else []
    acts = [*(page().player_acts if playing else ()), *fine, (_NAME_RIGHT, "/rename")]
    return render(
        "dialogs/player.html",
        player=name,
        balance=sight().balances[name],
        rows=rows,
        keeps_chips=session.keeps_chips,
        acts=[(text(label), href) for label, href in acts if may_open(g.role, href)],
    )


@blueprint.get("/hands/<int:number>")
def hand(number: int) -> str:
    """The dialog of an earlier hand, trick by trick."""
    lang = language()
    session = forms.session()
    one = hand_called(number, session.hands)
    findings = finding_rows(live(), sight(), one, lang)
    rows = hand_rows(live(), sight(), one, lang)
    paid = paid_rows(one.payments, page().game.words, lang)
    return render(
        "dialogs/hand.html",
        number=number,
        h=rows,
        endings=ending_texts(session, lang, one),
        findings=findings,
        payments=paid,
        keeps_chips=session.keeps_chips,
        acts=_late_acts(session, one),
        dealt=None if session.closed else one,
    )


@blueprint.get("/hands/<int:number>/dealer")
def dealer(number: int) -> str:
    """The dialog that puts right who dealt a hand."""
    return render("dialogs/dealer.html", hand=hand_called(number, forms.session().hands))


def _late_acts(session: Session[Any, Any], hand: Hand) -> list[tuple[str, str]]:
    """What the sender may still enter of `hand` once it is over, with the dialogs; nothing after the evening."""
    if session.closed or (hand is session.hand and session.under_way):
        return []
    fine = [(text(page().fine), f"{page().fine_href}?hand={hand.number}")] if page().fine_href else []
    return [(label, href) for label, href in (*page().late_acts(hand), *fine) if may_open(g.role, href)]


@blueprint.get("/ledger")
def ledger() -> str:
    """The dialog with every payment of the evening, the newest hand first."""
    lang = language()
    session, pots = forms.session(), sight().pots
    return render(
        "dialogs/ledger.html",
        flags=flag_links(unanswered(session).flags),
        count_pots=len(session.pot_names),
        keeps_chips=session.keeps_chips,
        totals=[
            *sight().balances.items(),
            *((page().game.words.holder_label(pot, lang), chips) for pot, chips in (pots or {}).items()),
        ],
        chapters=ledger_chapters(session, lang)[::-1],
    )
