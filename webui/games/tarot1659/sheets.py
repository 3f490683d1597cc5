"""What is entered in the Tarot of 1659 beside what is entered in every game: its sheets, and what they send."""

from flask import Blueprint, request

from tracker.doubts import doubt_of
from tracker.findings import Finding
from tracker.rule_sets import MOST_CHIPS
from tracker.tarot1659.events import Fined, FoolExchanged, Redealt
from tracker.tarot1659.game import TAROT_1659
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.words import WORDS
from webui.games.tarot1659.rows import owes_for_fool
from webui.pages import forms
from webui.pages.common import Answer, EntryError, live, render, sight
from webui.pages.dialogs import hand_on_table
from webui.pages.entering import enter, only_in
from webui.texts import language
from webui.view.finding_rows import finding_key
from webui.view.picker import panels

blueprint = Blueprint("tarot1659", __name__, url_prefix="/tarot1659")
only_in(blueprint, TAROT_1659)


def _session() -> Session1659:
    session = forms.session()
    assert isinstance(session, Session1659)
    return session


def _owing(hand: Hand1659) -> tuple[str, str]:
    """Who owes a card for the fool, and to whom. Raises EntryError where nobody does."""
    owing = owes_for_fool(hand)
    if owing is None:
        raise EntryError("Nobody owes a card for the fool.", 409)
    return owing


@blueprint.get("/fool")
def fool_sheet() -> str:
    """Which card was given for the fool."""
    with live().reading():
        hand: Hand1659 = hand_on_table(_session())
        player, winner = _owing(hand)
        won = PACK.names(hand.won(player))
        # While earlier tricks are hidden, the cards that he won are not to be seen here either.
        all_shown = set(won) <= sight().played(hand)
        to_choose = [
            panel
            for panel in panels(PACK, WORDS, language(), among=won if all_shown else PACK.cards)
            if panel.cards
        ]
        return render(
            "games/tarot1659/fool.html",
            player=player,
            winner=winner,
            panels=to_choose,
            open=to_choose[0].letter,
        )


@blueprint.post("/fool")
def exchange_fool() -> Answer:
    """The card that was given for the fool, tapped or typed."""
    with live().reading():
        player, _ = _owing(hand_on_table(_session()))
        card, _ = forms.played_card()
        return enter(FoolExchanged(player, card))


@blueprint.get("/fine")
def fine_sheet() -> str:
    """A fine that the table may book, for a finding or for something else."""
    with live().reading():
        session = _session()
        hand: Hand1659 | None = session.hand
        finding: Finding | None = None
        if wanted := request.args.get("finding"):
            hand, finding = _found(session, wanted)
        said = WORDS.finding_text(finding, language()) if finding is not None else ""
        return render(
            "games/tarot1659/fine.html",
            hand=hand.number if hand else None,
            players=[(name, name) for name in (hand.seats if hand else session.seats)],
            player=finding.player if finding is not None else request.args.get("player"),
            proof=said,
            reason=said[:200],
            finding=finding.name if finding is not None else "",
            most=MOST_CHIPS,
            seen=forms.fines_seen(hand),
        )


def _found(session: Session1659, wanted: str) -> tuple[Hand1659, Finding]:
    """The certain finding with the key `wanted`, and its hand."""
    for hand in session.hands:
        for place, finding in enumerate(hand.findings):
            if finding_key(hand.number, place) == wanted and not doubt_of(hand, finding):
                return hand, finding
    raise EntryError("That flag no longer stands, or it is settled already.", 404)


@blueprint.post("/fines")
def fine() -> Answer:
    """A fine that the table decided on."""
    with live().reading():
        hands = _session().hands
        number = forms.number("hand", 1, len(hands)) if request.form.get("hand") else None
        hand = hands[number - 1 if number else -1] if hands else None
        who = forms.player(among=hand.seats if hand is not None else None)
        amount = forms.number("amount", 1, MOST_CHIPS)
        forms.unchanged(forms.fines_seen(hand))
        finding = request.form.get("finding", "")
        if finding and hand is not None and finding not in {one.name for one in hand.findings}:
            raise EntryError("That flag no longer stands, or it is settled already.", 409)
        return enter(Fined(who, amount, forms.words("reason"), number, finding))


@blueprint.post("/redeal")
def redeal() -> Answer:
    """A misdeal: the same dealer deals again."""
    with live().reading():
        forms.unchanged(forms.redeals_seen(_session()))
        return enter(Redealt())
