"""Whatever was entered of a hand beside its cards is put right in place, in every game, also in an earlier hand."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from webui_camera import sees
from webui_deals import plays
from webui_page import Page, view_of
from webui_table import FOUR, NAMES, open_table

from tracker.american.events import (
    BidMade,
    BonusAnnounced,
    ContractNamed,
    GroupTaken,
    HandLaidOpen,
    LaidFaceUp,
    PartnerCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.game import AMERICAN
from tracker.danish.combination import Combination
from tracker.danish.events import Declared, FoolCalled, FoolNamed, SkatShown
from tracker.danish.events import Redealt as DanishRedealt
from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    PlaysTakenBack,
    Recorded,
    SessionOpened,
)
from tracker.french.events import BidMade as FrenchBid
from tracker.french.events import CardCalled, DogTurned, LaidFaceDown
from tracker.french.events import ContractNamed as FrenchContract
from tracker.french.events import LaidFaceUp as FrenchLaidUp
from tracker.french.pack import CALLABLE
from tracker.session_file import export, loads
from tracker.tarot1659.events import FoolExchanged
from webui.bench.dealing_american import hand_of_american
from webui.games.danish.page import DanishPage
from webui.people.roles import Role
from webui.table.live import LiveTable, RefusedError

AMERICAN_OPENED = SessionOpened("american-tarock", (), FOUR)
TableOf = Callable[[str], LiveTable]


@pytest.fixture
def table_of(tmp_path: Path) -> TableOf:
    """A table at which a game of these rules is played; everything is shown at any time."""
    return lambda rules: open_table(tmp_path, SessionOpened(rules, (), FOUR), fair_play=False)


def klop() -> list[Event]:
    """A round of Klop, its vitamins entered with the number of their trick."""
    events = hand_of_american(random.Random(3), AMERICAN_OPENED, "klop")
    tricks = iter(range(1, 7))
    return [
        replace(event, trick=next(tricks)) if isinstance(event, VitaminTurned) else event for event in events
    ]


def vitamins(events: list[Event]) -> list[VitaminTurned]:
    return [event for event in events if isinstance(event, VitaminTurned)]


def seq_of(table: LiveTable, kind: type[Event], number: int = -1) -> int:
    return [record.seq for record in table.recorded if isinstance(record.event, kind)][number]


def put_right(page: Page, seq: int, **fields: object) -> tuple[int, str]:
    """What the dialog of the entry `seq` sends."""
    dialog = page.filled_in(f"/entries/{seq}", f"/entries/{seq}/correct")
    return page.post(f"/entries/{seq}/correct", **{**dialog, **fields})


# ---- vitamins ----


def test_a_wrong_vitamin_is_put_right_in_place_with_two_taps(table_of: TableOf) -> None:
    table, events = table_of("american-tarock"), klop()
    page = Page(table)
    wrong = vitamins(events)[1]
    later = [event for event in events if isinstance(event, CardPlayed)][-1]
    for event in events:
        table.enter(replace(event, card=later.card) if event is wrong else event)
        if event is events[-3]:
            break
    seq = seq_of(table, VitaminTurned, 1)
    assert f'href="/entries/{seq}"' in page.html("/")
    assert f'href="/entries/{seq}"' in page.html("/hands/1/tricks/2")
    status, said = put_right(page, seq, card=wrong.card)
    assert status == 200 and said.startswith("Rettet")
    table.enter(*events[-2:])
    session = AMERICAN.session(AMERICAN_OPENED, strict=True)
    for event in events:
        session.apply(event)
    assert table.session.alerts == []
    assert table.session.hand.scores == session.hands[0].scores and table.session.hand.complete
    correction = table.recorded[-3].seq
    assert "Rettet: Vitamin" in page.text(f"/undo?to={correction}", "da")
    assert page.post("/undo", seq=correction, to=correction)[0] == 200
    assert table.session.alerts


def test_a_vitamin_that_was_missed_is_named_and_shifts_no_other(table_of: TableOf) -> None:
    table, events = table_of("american-tarock"), klop()
    page = Page(table)
    missed = vitamins(events)[1]
    for event in events:
        if not isinstance(event, VitaminTurned):
            table.enter(event)
        elif event is not missed:
            fields = page.filled_in("/american/round", "/american/vitamin")
            assert page.post("/american/vitamin", **fields, card=event.card)[0] == 200
    hand = table.session.hand
    assert hand.talon.vitamins == {
        number + 1: one.card for number, one in enumerate(vitamins(events)) if one is not missed
    }
    (asked,) = view_of(table, "en").asked
    assert asked.title == "Hand 1: Which vitamin went with trick 2?"
    said = page.text("/")
    assert "The vitamin of trick 2 is missing: the hand is not scored before it is entered" in said
    assert "The hand was abandoned" not in said
    assert "Vitaminet til stik 2 mangler" in page.text("/", "da")
    assert "The vitamin of trick 2 is missing" in page.text("/audit")
    page.sent(asked.href, "/american/vitamin", card=missed.card)
    assert table.session.hand.complete and view_of(table, "en").asked == []


def test_a_vitamin_that_was_missed_holds_nobody_up(table_of: TableOf) -> None:
    table, events = table_of("american-tarock"), klop()
    for event in events[:20]:
        if not isinstance(event, VitaminTurned):
            table.enter(event)
    view = view_of(table, "en")
    assert table.session.hand.trick is not None
    assert [act.label for act in view.acts][:2] == ["Card played", "Vitamin"]
    assert not any(seat.turn and "vitamin" in seat.note for seat in view.felt.seats)


def test_a_vitamin_of_an_earlier_round_is_entered_there_and_the_dialog_follows(table_of: TableOf) -> None:
    table, events = table_of("american-tarock"), klop()
    missed = vitamins(events)[4]
    table.enter(*(event for event in events if event is not missed))
    page = Page(table)
    table.enter(HandStarted(None), *hand_of_american(random.Random(5), AMERICAN_OPENED, "solo_no_peek")[1:6])
    (asked,) = view_of(table, "en").asked
    assert asked.title == "Hand 1: Which vitamin went with trick 5?"
    page.sent(asked.href, "/american/vitamin", card=missed.card)
    first, second = table.session.hands
    assert first.complete and first.talon.vitamins[5] == missed.card and len(second.plays) > 0
    assert second.scores_before == first.totals
    file = export([Recorded(*one) for one in table.session.record], AMERICAN.session)
    assert len(loads(json.dumps(file), AMERICAN.session).session().hands[0].talon.vitamins) == 6


def test_the_vitamin_of_an_earlier_trick_is_hidden_with_it_and_put_right_by_the_arbiter(
    table_of: TableOf,
) -> None:
    table, events = table_of("american-tarock"), klop()
    table.enter(*events[:15])
    table.choose(fair_play=True)
    seq = seq_of(table, VitaminTurned, 0)
    card = vitamins(events)[0].card
    player = Page(table, Role.PLAYER, "Anna")
    assert f"/cards/{card}.png" not in player.html("/")
    assert "A card (trick 1)" in player.text("/") and player.client.get(f"/entries/{seq}").status_code == 403
    host = Page(table)
    assert "Open the trick" in host.text(f"/entries/{seq}")
    host.post("/hands/1/tricks/1/open")
    assert "It went with another trick" in host.text(f"/entries/{seq}")
    assert f'href="/entries/{seq}"' in host.html("/hands/1/tricks/1")


# ---- everything else ----

TALON = ("T4", "S9", "C7", "DV", "H2", "T12")
TWO: tuple[Event, ...] = (
    BidMade("Anna", "two"), BidMade("Bo", "pass"), BidMade("Carl", "pass"), BidMade("Dora", "pass"),
    PartnerCalled("H"), TalonTurned(TALON), GroupTaken(1), LaidFaceUp(("T9",)), BonusAnnounced("Anna", "trula"),
)  # fmt: skip
"""Everything that is said and shown before the first card of a Two."""


def label_of(page: Page, seq: int, label: str) -> str:
    """The value of the button `label` on the dialog of the entry `seq`."""
    dialog = page.html(f"/entries/{seq}")
    before, _, _ = dialog.partition(f">{label}</button>")
    assert before != dialog, (label, dialog)
    return before.rpartition('value="')[2].partition('"')[0]


def american(table: LiveTable) -> None:
    table.enter(
        HandStarted("Dora"),
        *(replace(one, bonus="kings") if isinstance(one, BonusAnnounced) else one for one in TWO),
    )
    table.enter(CardPlayed("Anna", "S7"))


@pytest.mark.parametrize(
    ("choice", "really"),
    [
        ("Three", BidMade("Anna", "three")),
        ("the king of spades", PartnerCalled("S")),
        ("tarock 4, 9 of spades", GroupTaken(0)),
        ("Pagat Ultimo", BonusAnnounced("Anna", "pagat_ultimo")),
        ("Bo", BonusAnnounced("Bo", "kings")),
    ],
)
def test_what_was_said_before_an_american_round_is_put_right(
    table_of: TableOf, choice: str, really: Event
) -> None:
    table = table_of("american-tarock")
    american(table)
    page, seq = Page(table), seq_of(table, type(really), 0)
    # The button of a group shows its cards.
    value = "0-0" if isinstance(really, GroupTaken) else label_of(page, seq, choice)
    assert put_right(page, seq, choice=value)[0] == 200
    assert dict(table.session.standing)[seq] == really
    assert (really, seq) in table.session.hand.entries and table.session.alerts == []
    assert [play.card for play in table.session.hand.plays] == ["S7"]


@pytest.mark.parametrize(("kind", "place", "card"), [(TalonTurned, 4, "H3"), (LaidFaceUp, 0, "T8")])
def test_one_wrong_card_of_the_talon_or_the_discard_is_put_right(
    table_of: TableOf, kind: type[Event], place: int, card: str
) -> None:
    table = table_of("american-tarock")
    american(table)
    page, seq = Page(table), seq_of(table, kind)
    assert f'href="/entries/{seq}?place={place}"' in page.html(f"/entries/{seq}") or not place
    page.sent(f"/entries/{seq}?place={place}", f"/entries/{seq}/correct", card=card)
    event = dict(table.session.standing)[seq]
    assert event.cards[place] == card and (event, seq) in table.session.hand.entries  # type: ignore[attr-defined]


def test_a_game_that_was_named_is_another_players_and_klop_becomes_a_game(table_of: TableOf) -> None:
    table = table_of("american-tarock")
    table.enter(HandStarted("Dora"), ContractNamed("solo_no_peek", "Anna"), CardPlayed("Bo", "S7"))
    page, seq = Page(table), seq_of(table, ContractNamed)
    assert put_right(page, seq, choice=label_of(page, seq, "Bo"))[0] == 200
    assert table.session.hand.declarer == "Bo"
    assert put_right(page, seq, choice=label_of(page, seq, "Klop"))[0] == 200
    assert table.session.hand.contract.name == "klop" and table.session.hand.declarer is None
    assert "Dora plays" in page.html(f"/entries/{seq}")
    assert put_right(page, seq, choice=label_of(page, seq, "Barach"))[0] == 200
    assert table.session.hand.contract.name == "barach" and table.session.alerts == []


def test_a_card_of_an_open_hand_is_put_right(table_of: TableOf) -> None:
    table = table_of("american-tarock")
    events = hand_of_american(random.Random(5), AMERICAN_OPENED, "open_barach")
    shown = next(event for event in events if isinstance(event, HandLaidOpen))
    table.enter(*events[: events.index(shown)])
    seen = {event.card for event in events if isinstance(event, CardPlayed)} | set(shown.cards)
    other = next(card for card in AMERICAN.session.pack.cards if card not in seen)
    table.enter(replace(shown, cards=(other, *shown.cards[1:])))
    page, seq = Page(table), table.recorded[-1].seq
    page.sent(f"/entries/{seq}?place=0", f"/entries/{seq}/correct", card=shown.cards[0])
    table.enter(*events[events.index(shown) + 1 :])
    assert table.session.alerts == []


def test_what_cannot_be_so_is_refused_and_what_is_gone_is_said(table_of: TableOf) -> None:
    table = table_of("american-tarock")
    american(table)
    page, seq = Page(table), seq_of(table, TalonTurned)
    before = len(table.recorded)
    dialog = page.filled_in(f"/entries/{seq}?place=4", f"/entries/{seq}/correct")
    status, said = page.post(f"/entries/{seq}/correct", **{**dialog, "card": "S9"})
    assert status in (409, 422) and said and len(table.recorded) == before
    for path, fields in (
        (f"/entries/{seq}/correct", {"card": "H3"}),
        (f"/entries/{seq}/correct", {"place": "9", "card": "H3"}),
        (f"/entries/{seq}/correct", {"place": "1", "typed": "x"}),
        (f"/entries/{seq}/correct", {"choice": "0-99"}),
        (f"/entries/{seq_of(table, BidMade)}/correct", {"place": "0", "card": "H3"}),
        ("/entries/1/correct", {"card": "H3"}),
        (f"/entries/{seq_of(table, CardPlayed)}/correct", {"card": "H3"}),
        ("/entries/999/correct", {"card": "H3"}),
    ):
        status, said = page.post(path, **fields)
        assert status in (400, 404) and said and len(table.recorded) == before, path
    other = Page(table)
    stale = other.filled_in(f"/entries/{seq}?place=4", f"/entries/{seq}/correct")
    assert page.post(f"/entries/{seq}/correct", **{**dialog, "card": "H3", "once": "1"})[0] == 200
    assert other.post(f"/entries/{seq}/correct", **{**stale, "card": "H4"})[0] == 409


def test_a_player_puts_right_what_is_at_hand_and_asks_for_an_earlier_hand(table_of: TableOf) -> None:
    table = table_of("american-tarock")
    american(table)
    player, call = Page(table, Role.PLAYER, "Anna"), seq_of(table, PartnerCalled)
    assert put_right(player, call, choice=label_of(player, call, "the king of spades"))[0] == 200
    assert table.session.hand.call.said == "S"
    table.enter(HandAbandoned(), HandStarted("Anna"))
    assert put_right(player, call, choice=label_of(player, call, "the king of clubs"))[0] == 200
    assert table.session.hands[0].call.said == "S" and len(table.desk.asks) == 1
    assert "king of clubs" in Page(table).text("/")
    assert Page(table).post("/asked/1/confirm")[0] == 200
    assert table.session.hands[0].call.said == "C"


def fool_paid_for(table: LiveTable) -> None:
    """A hand of 1659 in which Bo gave the nine of hearts for his fool."""
    table.enter(HandStarted("Dora"), *plays("Anna S7", "Bo F", "Carl SR", "Dora S2"))
    table.enter(*plays("Carl H2", "Dora H3", "Anna H4", "Bo H9"), FoolExchanged("Bo", "H9"))


def test_the_card_given_for_the_fool_is_put_right_after_the_hand_and_in_an_earlier_one(
    table_of: TableOf,
) -> None:
    table = table_of("tarot-1659")
    fool_paid_for(table)
    page, seq = Page(table), seq_of(table, FoolExchanged)
    assert put_right(page, seq, card="H2")[0] == 200 and table.session.hand.fool.card == "H2"
    status, said = put_right(page, seq, card="SR")
    assert status == 422 and "Bo har ikke vundet spar konge" in said
    table.enter(HandAbandoned(), HandStarted("Anna"))
    assert put_right(page, seq, card="H3")[0] == 200 and table.session.hands[0].fool.card == "H3"
    assert table.session.alerts == []


def test_a_fool_that_nobody_played_leaves_a_question_that_can_be_answered(table_of: TableOf) -> None:
    table = table_of("tarot-1659")
    fool_paid_for(table)
    page = Page(table)
    fool = next(play.seq for play in table.session.hand.plays if play.card == "F")
    assert page.post(f"/plays/{fool}/correct", card="S9")[0] == 200
    (alert,) = view_of(table, "en").alerts
    assert alert.href == f"/entries/{alert.seq}" and page.client.get(alert.href).status_code == 200
    assert page.post(f"/alerts/{alert.seq}")[0] == 200 and table.session.alerts == []


KINGS = Combination("kings", grade="full")


def danish(table: LiveTable) -> None:
    """A hand with what is said in Danish Tarok, the next one dealt."""
    table.enter(
        HandStarted("Dora"), DanishRedealt("misdeal"), Declared("Anna", (KINGS,)), Declared("Dora", ())
    )
    table.enter(
        CardPlayed("Anna", "F"), FoolNamed("Anna", "S"), SkatShown(("S1", "S2", "S3")), HandAbandoned()
    )
    table.enter(HandStarted("Anna"))


def test_a_declaration_of_an_earlier_hand_is_put_right_from_a_filled_in_dialog(table_of: TableOf) -> None:
    table = table_of("dtf-2011")
    danish(table)
    page, seq = Page(table), seq_of(table, Declared, 0)
    assert f'href="/declare?right={seq}"' in page.html("/hands/1")
    dialog = page.html(f"/declare?right={seq}")
    assert '<input type="radio" name="kings" value="full" checked>' in dialog
    fields = page.filled_in(f"/declare?right={seq}", "/declarations")
    assert fields["player"] == "Anna"
    assert page.post("/declarations", **{**fields, "kings": "half-S"})[0] == 200
    made = table.session.hands[0].declared["Anna"]
    assert made == (Combination("kings", grade="half", missing="S"),)
    assert table.session.hands[1].declared["Anna"] is None and table.session.alerts == []
    assert sum(table.session.balances.values()) + sum(table.session.pots.values()) == 0


@pytest.mark.parametrize(
    ("label", "really"),
    [
        ("hearts", FoolNamed("Anna", "H")),
        ("No trumps, dealt again", DanishRedealt("no_trumps")),
    ],
)
def test_what_else_was_said_in_danish_tarok_is_put_right(
    table_of: TableOf, label: str, really: Event
) -> None:
    table = table_of("dtf-2011")
    danish(table)
    page, seq = Page(table), seq_of(table, type(really))
    assert put_right(page, seq, choice=label_of(page, seq, label))[0] == 200
    assert dict(table.session.standing)[seq] == really and table.session.alerts == []


def test_the_skat_is_put_right_card_by_card(table_of: TableOf) -> None:
    table = table_of("dtf-2011")
    danish(table)
    page, seq = Page(table), seq_of(table, SkatShown)
    page.sent(f"/entries/{seq}?place=1", f"/entries/{seq}/correct", card="C2")
    assert table.session.hands[0].skat == ("S1", "C2", "S3")


def test_a_call_for_the_fool_was_another_players(table_of: TableOf) -> None:
    table = table_of("dtf-2011")
    table.enter(HandStarted("Dora"))
    assert Page(table).client.get("/entries/2").status_code == 404
    assert Page(table).app.view_functions  # the address is there

    with Page(table).app.test_request_context():
        (field,) = DanishPage().fields(table.session.hand, FoolCalled("Anna"), "en")
    assert [really for _, really in field.choices] == [FoolCalled(name) for name in table.session.hand.active]


# ---- French Tarot ----

DOG = ("T5", "C10", "S3", "S4", "H2", "D9")
GARDE: tuple[Event, ...] = (
    FrenchBid("Anna", "garde"), FrenchBid("Bo", "pass"), FrenchBid("Carl", "pass"), FrenchBid("Dora", "pass"),
    DogTurned(DOG), FrenchLaidUp(("T5",)), LaidFaceDown("Anna", ("C10", "S3", "S4", "H2", "D9")),
)  # fmt: skip


def french(table: LiveTable) -> None:
    table.enter(HandStarted("Dora"), *GARDE, CardPlayed("Anna", "S7"))


def test_a_bid_and_the_dog_of_french_tarot_are_put_right(table_of: TableOf) -> None:
    table = table_of("french-tarot")
    french(table)
    page, bid, dog = Page(table), seq_of(table, FrenchBid, 0), seq_of(table, DogTurned)
    assert put_right(page, bid, choice=label_of(page, bid, "Prise"))[0] == 200
    assert table.session.hand.contract.name == "prise"
    page.sent(f"/entries/{dog}?place=5", f"/entries/{dog}/correct", card="D8")
    assert dict(table.session.standing)[dog] == DogTurned((*DOG[:5], "D8"))


@pytest.mark.parametrize(("role", "seat"), [(Role.HOST, ""), (Role.PLAYER, "Bo"), (Role.WALL, "")])
def test_what_was_laid_face_down_is_shown_to_nobody_by_its_number(
    table_of: TableOf, role: Role, seat: str
) -> None:
    table = table_of("french-tarot")
    french(table)
    page, seq = Page(table, role, seat), seq_of(table, LaidFaceDown)
    for path in (f"/entries/{seq}", f"/entries/{seq}?place=0"):
        answer = page.client.get(path)
        assert answer.status_code in (403, 404) and "/cards/C10.png" not in answer.get_data(as_text=True)
    assert page.post(f"/entries/{seq}/correct", place="0", card="D8")[0] in (403, 404)
    assert f"/entries/{seq}" not in page.html("/")


def test_a_card_that_nobody_can_call_is_refused_in_a_sentence(tmp_path: Path) -> None:
    said = (HandStarted("Erik"), FrenchContract("garde", "Anna"), CardCalled("HR"), CardPlayed("Anna", "S7"))
    table = open_table(tmp_path, SessionOpened("french-tarot", (), NAMES[:5]), *said)
    page, called = Page(table), seq_of(table, CardCalled)
    dialog = page.html(f"/entries/{called}")
    assert set(re.findall(r'name="card" value="(\w+)"', dialog)) == set(CALLABLE)
    status, said = put_right(page, called, place="0", card="S9")
    assert status == 422 and "cannot be called" in said.replace("kan ikke kaldes", "cannot be called")
    assert table.session.hand.call.card == "HR" and len(table.session.hand.plays) == 1
    assert put_right(page, called, place="0", card="SD")[0] == 200


def test_a_dog_with_a_card_that_lies_elsewhere_is_refused_by_that_cards_name(table_of: TableOf) -> None:
    table = table_of("french-tarot")
    table.enter(HandStarted("Dora"), FrenchContract("garde", "Bo"), CardPlayed("Anna", "S7"))
    with pytest.raises(RefusedError) as refused:
        table.enter(DogTurned(("S7", *DOG[1:])))
    assert str(refused.value) == (
        "That cannot have happened: Bo took or showed the 7 of spades, so nobody else can have it; "
        "correct what is wrong."
    )
    assert table.session.hand.dog.turned is None and len(table.session.hand.plays) == 1


# ---- cards that were taken back ----


@pytest.mark.parametrize("camera", [False, True], ids=["tapped", "seen"])
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("dtf-2011", ()),
        ("tarot-1659", ()),
        ("american-tarock", (ContractNamed("solo_no_peek", "Anna"),)),
        ("french-tarot", (FrenchContract("garde_sans", "Anna"),)),
    ],
)
def test_a_card_that_was_taken_back_may_be_corrected_into_an_earlier_trick(
    table_of: TableOf, rules: str, said: tuple[Event, ...], camera: bool
) -> None:
    """The fifth card was seen too late: it lay in the first trick, whose card was read wrongly."""
    table = table_of(rules)
    table.enter(HandStarted("Dora"), *said)
    active = table.session.hand.active
    page = Page(table)
    first = [
        CardPlayed(player, card) for player, card in zip(active, ("S7", "S8", "S9", "S10"), strict=False)
    ]
    table.enter(*first)
    leads = table.session.hand.to_play
    table.enter(CardPlayed(leads, "H4"))
    late = CardPlayed(table.session.hand.to_play, "T5")
    if camera:
        sees(table, late, PlaysTakenBack(1))
    else:
        table.enter(late)
        assert page.post("/take-back", **page.filled_in("/more", "/take-back"), count="1")[0] == 200
    wrong = seq_of(table, CardPlayed, 0)
    assert page.post(f"/plays/{wrong}/correct", card="T5")[0] == 200
    hand = table.session.hand
    lying = [(active[0], "T5"), *((play.player, play.card) for play in first[1:]), (leads, "H4")]
    assert [(play.player, play.card) for play in hand.plays] == lying
    assert view_of(table, "en").alerts == []
    read = loads(json.dumps(export(table.recorded, type(table.session))), type(table.session)).session()
    assert [play.card for play in read.hands[0].plays] == [card for _, card in lying]
