"""The sheets that a tap opens: pages, or fragments for the page's script."""

import time

from flask import Blueprint, current_app, g, request

from tracker.cards import CARDS, COURTS, SUITS
from tracker.danish.findings import DanishFinding
from tracker.danish.hand import DanishHand
from tracker.danish.open_questions import accused, open_flags, unanswered
from tracker.danish.rulesets import FINE_CATEGORIES, RuleSet
from tracker.danish.session import DanishSession
from tracker.danish.words import card_label, combination_text, finding_text, rank_name, suit_name
from tracker.games import rule_set
from tracker.tricks import Play
from tracker.undo import entries_to, last_entry
from webui.pages import forms
from webui.pages.common import EntryError, live, render, rule_sets, sender, sight
from webui.roles import Role
from webui.seats import SIDES
from webui.texts import CATEGORIES, language, text
from webui.view.entry_rows import entry_text, who_text
from webui.view.finding_rows import finding_key, finding_rows, flag_links
from webui.view.hand_rows import hand_rows, play_row, trick_number, trick_row
from webui.view.payment_rows import account_rows, holder_label, ledger_chapters, paid_rows
from webui.view.picker import panels, recent_plays, suit_to_open

blueprint = Blueprint("dialogs", __name__)


def _deck(lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The 78 cards in rows, the trumps first: (title, [(card, name)])."""
    rows = [("trumps", [card for card in CARDS if card[0] in "TF"])]
    rows += [(one, [card for card in CARDS if card[0] == one]) for one in SUITS]
    return [
        (
            text("Trumps") if title == "trumps" else suit_name(title, lang).capitalize(),
            [(card, card_label(card, lang)) for card in cards],
        )
        for title, cards in rows
    ]


def _players(session: DanishSession) -> list[tuple[str, str]]:
    return _everybody(session) if session.hand is None else _active(session.hand)


def _active(hand: DanishHand) -> list[tuple[str, str]]:
    return [(name, name) for name in hand.seats if name in hand.active]


def _everybody(session: DanishSession) -> list[tuple[str, str]]:
    return [(name, name) for name in session.seats]


def _suits(lang: str) -> list[tuple[str, str]]:
    return [(one, suit_name(one, lang)) for one in (*SUITS, "T")]


def _hand(session: DanishSession) -> DanishHand:
    if session.hand is None:
        raise EntryError("Start a hand first.", 409)
    return session.hand


@blueprint.get("/play")
def play() -> str:
    """Enter a card."""
    lang = language()
    with live().reading():
        session = forms.session()
        hand = session.hand
        on_table = hand.trick.plays if hand is not None and hand.trick is not None else []
        last = last_entry(live().recorded)
        return render(
            "dialogs/play.html",
            heading=text("Card played"),
            players=_players(session),
            player=hand.to_play if hand else None,
            panels=panels(lang),
            open=suit_to_open(hand),
            named=_suits(lang) if not on_table else [],
            played=sight().played(hand) if hand else set(),
            on_table=[(one.player, card_label(one.card, lang)) for one in on_table],
            recent=recent_plays(sight(), hand, lang, opens=g.role >= Role.ARBITER) if hand else [],
            last=(last.seq, entry_text(sight(), last, lang)) if last is not None else None,
            goes_on=hand is not None and hand.to_play is not None and not session.closed,
            seen=forms.plays_seen(session),
            before_seq=None,
        )


def _find(session: DanishSession, seq: int) -> tuple[DanishHand, Play]:
    """The play with the number `seq`, counted or not, and its hand."""
    for hand in reversed(session.hands):
        for one in hand.plays:
            if one.seq == seq:
                return hand, one
    event = forms.stored_play(seq)  # the play of an alert: stored, but not counted
    return _hand(session), Play(event.player, event.card, seq, (), 0)


def _hidden_trick(seq: int) -> str:
    """The sheet on which the arbiter may open the trick of the play `seq`; "" if the play is shown anyway.

    Raises EntryError for a player.
    """
    if sight().shows_play(seq, opened=g.role >= Role.ARBITER):
        return ""
    if g.role < Role.ARBITER:
        raise EntryError("Earlier tricks are hidden while the hand is played.", 403)
    hand = _hand(forms.session())
    return _trick_sheet(hand, trick_number(hand, seq), seq)


@blueprint.get("/hands/<int:number>/tricks/<int:trick>")
def trick(number: int, trick: int) -> str:
    """An earlier trick, to put it right; while it is hidden, what opening it means."""
    with live().reading():
        hand = next((one for one in forms.session().hands if one.number == number), None)
        if hand is None or not 0 < trick <= len(hand.tricks):
            raise EntryError("There is no such page.", 404)
        return _trick_sheet(hand, trick)


def _trick_sheet(hand: DanishHand, number: int, play: int = 0) -> str:
    """An earlier trick; if it is to be opened for the sake of one `play`, that one is shown next."""
    found = hand.tricks[number - 1]
    shown = all(sight().shows_play(play.seq, opened=True) for play in found.plays)
    row = trick_row(live(), sight(), hand, found, language()) if shown else None
    return render(
        "dialogs/trick.html", hand=hand.number, number=number, trick=row, players=list(hand.active), play=play
    )


@blueprint.get("/ask")
def ask() -> str:
    """Ask the arbiter to put an earlier trick right."""
    lang = language()
    with live().reading():
        hand = _hand(forms.session())
        wanted = request.args.get("play", type=int)
        about = next((one for one in hand.plays if one.seq == wanted), None)
        return render(
            "dialogs/ask.html",
            tricks=[trick.number for trick in hand.tricks],
            trick=trick_number(hand, about.seq) if about is not None else 0,
            players=_active(hand),
            player=about.player if about is not None else "",
            panels=panels(lang),
            played=sight().played(hand),
        )


@blueprint.get("/plays/<int:seq>")
def edit(seq: int) -> str:
    """Put a play right."""
    lang = language()
    with live().reading():
        session = forms.session()
        hand, one = _find(session, seq)
        if sheet := _hidden_trick(seq):
            return sheet
        place = next((i for i, other in enumerate(hand.plays, start=1) if other.seq == seq), 0)
        where = text("Trick {trick}, card {play} of the hand.", trick=trick_number(hand, seq), play=place)
        led = any(trick.plays[0].seq == seq for trick in hand.tricks)
        return render(
            "dialogs/edit.html",
            p=play_row(live(), sight(), hand, one, lang, led=led),
            seen_at=time.strftime("%H:%M:%S", time.localtime(live().recorded[seq - 1].at)),
            where=where if place else text("The card was read, but is not counted until it is put right."),
            players=_active(hand),
            suits=_suits(lang),
            panels=panels(lang),
            open=one.card[:1],
            played=sight().played(hand),
        )


@blueprint.get("/plays/<int:seq>/insert")
def insert(seq: int) -> str:
    """Insert a missed card before a play."""
    lang = language()
    with live().reading():
        session = forms.session()
        hand, one = _find(session, seq)
        if sheet := _hidden_trick(seq):
            return sheet
        return render(
            "dialogs/play.html",
            heading=text("Insert a card before {card}", card=card_label(one.card, lang)),
            players=_active(hand),
            player=None,
            panels=panels(lang),
            open="",
            named=_suits(lang),
            played=sight().played(hand),
            on_table=[],
            recent=[],
            last=None,
            goes_on=False,
            seen="",
            before_seq=seq,
        )


@blueprint.get("/declare")
def declare() -> str:
    """Enter a declaration."""
    lang = language()
    with live().reading():
        session = forms.session()
        hand = _hand(session)
        courts = [
            (
                f"cavallerie_{one}",
                text("Cavallerie in {suit}", suit=suit_name(one, lang)),
                _grades([(rank, rank_name(rank, lang)) for rank in reversed(COURTS)]),
            )
            for one in SUITS
        ]
        courts.append(("kings", text("Kings"), _grades(_suits(lang)[:4])))
        return render(
            "dialogs/declare.html",
            players=_players(session),
            player=request.args.get("player") or hand.to_declare,
            courts=courts,
        )


def _grades(missing: list[tuple[str, str]]) -> list[tuple[str, str]]:
    halves = [(f"half-{value}", text("half, without the {missing}", missing=name)) for value, name in missing]
    return [("full", text("full")), ("abundant", text("abundant")), *halves]


@blueprint.get("/fool")
def fool() -> str:
    """Name the fool, or call for it."""
    with live().reading():
        session = forms.session()
        hand = _hand(session)
        led = hand.tricks[-1].plays[0].player if hand.tricks and hand.tricks[-1].plays else None
        return render("dialogs/fool.html", players=_players(session), player=led, suits=_suits(language()))


@blueprint.get("/fine")
def fine() -> str:
    """Propose a fine and confirm it."""
    lang = language()
    with live().reading():
        session = forms.session()
        rules = session.rules
        proof, who, category, named, made = "", request.args.get("player"), None, "", None
        hand: DanishHand | None = session.hand
        if wanted := request.args.get("finding"):
            hand, finding = _flagged(session, wanted)
            suspects = accused(finding)
            proof, category = finding_text(finding, lang), finding.category
            who = suspects[0] if len(suspects) == 1 else None
            named, made = finding.name, finding.made
        late = hand is not None and (hand.complete or hand is not session.hand)
        declared = (hand.declared.get(who) if hand and who else None) or ()
        if rules.misdeclaration_returns_all:
            declared = ()  # all are paid back anyway
        return render(
            "dialogs/fine.html",
            hand=hand.number if hand else None,
            seen=forms.fines_seen(hand),
            players=[(name, name) for name in (hand.seats if hand else session.seats)],
            player=who,
            categories=[(name, _fine_text(rules, name, late)) for name in FINE_CATEGORIES],
            category=category,
            proof=proof,
            finding=named,
            reason=proof[:200],
            declared=[
                (forms.declaration(who or "", one), combination_text(one, lang), one == made)
                for one in declared
            ],
        )


def _fine_text(rules: RuleSet, category: str, late: bool) -> str:
    """A category of fines and what it costs under `rules`; a `late` one takes away no ultimo (FINE-4)."""
    amount = rules.fine(category)
    said = [text(CATEGORIES[category])]
    said.append(text("{amount} to each pot", amount=amount) if amount else text("no fine"))
    if category == "misdeclaration" and rules.misdeclaration_returns_all:
        said.append(text("all declarations are paid back"))
    if category == "misdeclaration" and rules.misdeclaration_bars_ultimo and not late:
        said.append(text("no ultimo"))
    return " · ".join(said)


def _flagged(session: DanishSession, wanted: str) -> tuple[DanishHand, DanishFinding]:
    """The open flag with the key `wanted`, and its hand."""
    for hand in session.hands:
        for place in open_flags(hand):
            if finding_key(hand.number, place) == wanted:
                return hand, hand.findings[place]
    raise EntryError("That flag no longer stands, or it is settled already.", 404)


@blueprint.get("/more")
def more() -> str:
    """What is seldom needed."""
    with live().reading():
        session = forms.session()
        hand = session.hand
        return render(
            "dialogs/more.html",
            hands_seen=forms.hands_seen(session),
            redeals_seen=forms.redeals_seen(session),
            misdeal=session.rules.minor_fine,
            plays_seen=forms.plays_seen(session),
            players=_players(session),
            dealers=_everybody(session) if session.under_way else [],
            dealer=hand.dealer if hand else None,
            between_hands=not session.under_way and not session.closed,
            everybody=_everybody(session),
            away=[name for name in session.balances if name not in session.seats],
            most=session.rules.max_players,
            sides=SIDES,
            deck=_deck(language()),
            played=sight().played(hand) if hand else set(),
        )


@blueprint.get("/adjust")
def adjust() -> str:
    """Chips that the players move among themselves."""
    with live().reading():
        session = forms.session()
        holders = [(name, name) for name in session.balances]
        contents = sight().pots
        pots = [
            (pot, holder_label(pot) + (f" ({contents[pot]})" if contents is not None else ""))
            for pot in session.pot_names
        ]
        return render("dialogs/adjust.html", holders=[*holders, *pots], seen=forms.adjustments_seen(session))


@blueprint.get("/start")
def start() -> str:
    """Start a hand."""
    with live().reading():
        session = forms.session()
        return render(
            "dialogs/start.html",
            players=_everybody(session),
            dealer=session.next_dealer,
            unfinished=session.under_way,
            seen=forms.hands_seen(session),
        )


@blueprint.get("/settle")
def settle() -> str:
    """Settle the evening."""
    with live().reading():
        session = forms.session()
        waiting = unanswered(session)
        return render(
            "dialogs/settle.html",
            pictures=len(live().evidence.known),
            unfinished=session.under_way,
            questions=waiting.questions,
            links=flag_links(waiting.flags),
            flags=[
                (
                    finding_key(number, place),
                    text("Hand {number}", number=number),
                    finding_text(session.hands[number - 1].findings[place], language()),
                    session.hands[number - 1].findings[place].fine,
                    accused(session.hands[number - 1].findings[place]),
                )
                for number, places in waiting.flags.items()
                for place in places
            ],
            seen=forms.hands_seen(session),
        )


@blueprint.get("/undo")
def undo() -> str:
    """Undo the last entry, or all from it back `to` an earlier one."""
    with live().reading():
        last, shown = last_entry(live().recorded), live().sight
        to = request.args.get("to", type=int) or (last.seq if last else 0)
        undone = entries_to(live().recorded, to) if shown is not None else []
        return render(
            "dialogs/undo.html",
            seq=undone[0].seq if undone else None,
            to=to,
            what=[
                (entry_text(shown, one, language()), who_text(one.by) if one.by else "")
                for one in undone
                if shown is not None
            ],
            asks=any(one.by != sender() for one in undone) and g.role < Role.ARBITER,
        )


@blueprint.get("/tout")
def tout() -> str:
    """Ask whether a tout is really announced."""
    with live().reading():
        session = forms.session()
        hand = _hand(session)
        return render(
            "dialogs/sure.html",
            heading=text("{player} announces a tout", player=hand.dealer),
            sentence=text(
                "Only for who means to take every trick: it is told to everybody, and if it fails {player} pays "
                "{amount} to each of the others.",
                player=hand.dealer,
                amount=session.rules.tout,
            ),
            action="/tout",
            field=("player", hand.dealer),
            seen="",
            yes=text("Announce it"),
        )


@blueprint.get("/abandon")
def abandon() -> str:
    """Ask whether the hand is really given up."""
    with live().reading():
        session = forms.session()
        said = text("Payments already made stand. There is no last trick and no count.")
        if request.args.get("after") == "fine":
            said = text("A fault that cannot be mended usually stops the hand.") + " " + said
        return render(
            "dialogs/sure.html",
            heading=text("Does the hand stop here?"),
            sentence=said,
            action="/abandon",
            field=None,
            seen=forms.hands_seen(session),
            yes=text("Abandon the hand"),
        )


@blueprint.get("/open")
def open_evening() -> str:
    """Open an evening."""
    names: dict[str, str] = {}
    fifth_side = "S"
    for name, side in live().sides.items():
        if side in names:
            names["X"], fifth_side = name, side
        else:
            names[side] = name
    base, options = current_app.config["RULES"]
    proposed = rule_set(base, options)
    return render(
        "dialogs/open.html",
        names=names,
        fifth_side=fifth_side,
        rule_sets=[(name, name) for name in rule_sets()],
        rules=proposed.name,
        count=proposed.count,
    )


@blueprint.get("/players/<name>")
def player(name: str) -> str:
    """A player's account."""
    lang = language()
    with live().reading():
        session = forms.session()
        if name not in session.balances:
            raise EntryError("Nobody at the table is called “{value}”.", 404, value=name)
        rows = account_rows(sight(), name, lang)[::-1]
        return render("dialogs/player.html", player=name, balance=sight().balances[name], rows=rows)


@blueprint.get("/hands/<int:number>")
def hand(number: int) -> str:
    """An earlier hand, trick by trick."""
    lang = language()
    with live().reading():
        session = forms.session()
        one = next((one for one in session.hands if one.number == number), None)
        if one is None:
            raise EntryError("There is no such page.", 404)
        findings = finding_rows(live(), sight(), one, lang)
        rows = hand_rows(live(), sight(), one, lang)
        paid = paid_rows(one.payments, lang)
        return render("dialogs/hand.html", number=number, h=rows, findings=findings, payments=paid)


@blueprint.get("/ledger")
def ledger() -> str:
    """Every payment of the evening."""
    lang = language()
    with live().reading():
        session, pots = forms.session(), sight().pots
        return render(
            "dialogs/ledger.html",
            flags=flag_links(unanswered(session).flags),
            columns=[*session.balances, *(map(holder_label, pots) if pots is not None else ())],
            totals=[*sight().balances.values(), *(pots.values() if pots is not None else ())],
            chapters=ledger_chapters(session, lang),
        )
