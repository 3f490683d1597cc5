"""Joining, leaving and adjustments on the page: entered, shown, undone, exported."""

import pytest
from webui_camera import sees
from webui_deals import AMERICAN, AT_FOUR, hand
from webui_hidden import at_four
from webui_page import Page, view_of
from webui_table import FOUR, open_table, restarted

from tracker.danish.audit import audit
from tracker.danish.session import DanishSession
from tracker.events import HandAbandoned, HandStarted, PlayerJoined
from tracker.session_file import loads
from webui.people.seats import seated
from webui.table.camera_status import CameraStatus


@pytest.fixture
def four(tmp_path):
    """Anna, Bo, Carl and Dora under DTF; Anna dealt the first hand, which was given up."""
    return open_table(tmp_path, AT_FOUR, HandStarted("Anna"), HandAbandoned())


def exported(page):
    """The page's session file, read; it has the audit that the page has."""
    written = loads(page.client.get("/session.json").data, DanishSession).session()
    assert audit(written) == page.client.get("/audit.json").get_json()
    return written


def test_a_fifth_joins_four_and_the_evening_is_exported(four):
    page = Page(four)
    dialog = page.filled_in("/more", "/join")
    assert page.post("/join", **dialog | {"player": " Erik ", "after": "Dora", "side": "N"}) == (
        200,
        "Erik kommer til bordet og lægger i kongekoppen og pagatkoppen (20 hver).",
    )
    assert four.session.seats == (*FOUR, "Erik") and four.sides["Erik"] == "N"
    assert exported(page).seats == four.session.seats
    assert "Erik joins the table and pays into the king pot" in page.text("/ledger")
    assert "Erik joins; now at the table: Anna, Bo, Carl, Dora, Erik" in page.text("/audit")
    assert "The table is full." in page.text("/more")


def test_who_comes_back_under_a_name_in_small_letters_goes_on_with_the_old_balance(four):
    page = Page(four)
    page.sent("/more", "/leave", player="Anna", sure="yes")
    left_with = four.session.balances["Anna"]
    page.sent("/more", "/join", player="anna", after="Bo")
    assert "anna" not in four.session.balances and "Anna" in four.session.seats
    assert left_with != 0 and four.session.balances["Anna"] < left_with, "joining is paid from there"


def test_who_sits_down_after_a_hand_is_not_said_to_have_won_no_trick_in_it(tmp_path):
    table = open_table(tmp_path, AT_FOUR, *map(at_four, hand(3)), PlayerJoined("Erik", "Dora"))
    notes = {seat.name: seat.note.strip() for seat in view_of(table, "en").felt.seats}
    assert "tricks" in notes["Anna"] and notes["Erik"] == ""


def test_a_game_for_four_says_nothing_of_joining_and_leaving(tmp_path):
    for events in ([], [HandStarted("Anna")]):
        other = Page(open_table(tmp_path, AMERICAN, *events, name=str(len(events)))).text("/more")
        assert "Other things at the table" in other and "join" not in other and "leave" not in other


def test_who_leaves_is_gone_from_the_felt_and_comes_back_to_his_balance(four):
    page = Page(four)
    page.sent("/more", "/leave", player="Bo", sure="yes")
    assert four.session.seats == ("Anna", "Carl", "Dora") and "Bo" not in four.sides
    assert four.session.next_dealer == "Carl"
    assert 'value="Bo"' not in page.html("/start")
    assert {seat.name for seat in view_of(four, "en").felt.seats} == {"Anna", "Carl", "Dora"}
    assert "Bo leaves and gets a share of the king pot" in page.text("/players/Bo")
    assert 'action="/leave"' not in page.html("/more")
    assert '<option value="Bo">' in page.html("/more")
    four.enter(HandStarted(), HandAbandoned())
    assert page.post("/join", player="Bo", after="Carl", side="E")[0] == 200
    assert four.session.seats == ("Anna", "Carl", "Bo", "Dora") and four.unplaced == ()
    exported(page)


def test_a_leaving_is_undone_and_asks_for_the_place_again(four):
    page = Page(four)
    before = audit(four.session)
    page.post("/leave", player="Bo")
    assert "Bo leaves" in page.text("/undo")
    assert page.post("/undo", seq=four.recorded[-1].seq)[0] == 200
    assert audit(four.session) == before and four.unplaced == ("Bo",)


def test_the_page_goes_on_after_one_who_played_the_last_hand_has_left(tmp_path):
    """The last trick lay there still; it is cleared, and the hand can be looked at."""
    live = open_table(tmp_path, AT_FOUR)
    page = Page(live)
    page.post("/hands", dealer="Carl")
    sees(live, "Dora:S7 Bo:S2 Carl:S3")
    page.post("/abandon")
    assert page.post("/leave", player="Bo")[0] == 200
    assert "Bo" in page.text("/hands/1") and page.client.get("/").status_code == 200
    assert page.client.get(f"/plays/{live.session.hand.plays[0].seq}").status_code == 200
    again = restarted(live)
    assert audit(again.session) == audit(live.session)
    assert page.post("/fines", player="Bo", category="minor", hand=1)[0] == 200
    exported(page)


def test_a_dialog_from_before_the_next_deal_seats_and_unseats_nobody(four):
    page = Page(four)
    joining, leaving = page.filled_in("/more", "/join"), page.filled_in("/more", "/leave")
    four.enter(HandStarted(), HandAbandoned())
    assert page.post("/leave", **leaving | {"player": "Bo"})[0] == 409
    assert page.post("/join", **joining | {"player": "Erik", "after": "Bo"})[0] == 409
    assert four.session.seats == FOUR


def test_chips_are_adjusted_once_though_two_phones_enter_it(four):
    page = Page(four)
    dialog = page.filled_in("/adjust", "/adjust")
    moved = {"source": "king", "target": "Bo", "amount": "85", "reason": " a  cup fell over "}
    said = "Regulering: 85 fra kongekoppen til Bo (a cup fell over)."
    refounded = "Anna, Bo, Carl og Dora funderer kongekoppen (20 hver)."
    assert page.post("/adjust", **dialog | moved) == (200, f"{said} {refounded}")
    page.sent("/adjust", "/adjust", 409, seen=dialog["seen"], **moved)
    assert four.session.pots == {"king": 80, "pagat": 85}
    assert four.session.balances["Bo"] == -40 + 85 - 20
    assert "adjustment: the king pot gives Bo (a cup fell over)" in page.text("/ledger")
    assert "Adjustment: 85 from the king pot to Bo (a cup fell over)" in page.text("/undo")
    exported(page)
    assert page.post("/undo", seq=four.recorded[-1].seq)[0] == 200
    assert four.session.pots == {"king": 85, "pagat": 85}


def test_after_the_last_card_a_fine_lies_in_the_pots_as_they_stand_and_gives_up_nothing(table):
    page = Page(table)
    table.enter(*hand(5))
    before = list(table.session.payments)
    assert page.post("/fines", player="Bo", category="irrecoverable", hand=1)[0] == 200
    assert table.session.payments[:-2] == before and table.session.hand.complete
    assert not table.session.hand.abandoned and len(before) + 2 == len(table.session.payments)


@pytest.mark.parametrize("side", ["", "N"])
def test_the_next_evening_knows_who_joined_the_last_one(table, page, side):
    """Where no camera asks for the side, none needs to be chosen."""
    assert page.post("/join", player="Dora", after="Carl", side=side)[0] == 200
    page.post("/settle")
    for dialog in ("/setup/players", "/setup/ready"):
        page.client.get("/setup")
        assert "Dora" in page.html(dialog), dialog
    page.sent("/setup/ready", "/evening")
    assert set(table.session.seats) == {"Anna", "Bo", "Carl", "Dora"}


def test_an_edge_that_is_taken_is_said_before_anybody_joins(table, page):
    assert page.post("/join", player="Dora", after="Carl", side="S")[0] == 400
    assert len(table.session.seats) == 3


@pytest.mark.parametrize(
    ("names", "sides", "expected"),
    [
        ("Anna Bo Dora Carl", {"Anna": "S", "Bo": "E", "Carl": "W"}, "SENW"),  # there is room
        ("Anna Bo Carl Dora", {"Anna": "S", "Bo": "E", "Carl": "W"}, "SENW"),  # all move on
        ("Anna Bo Carl Dora Eva", {"Anna": "S", "Bo": "E", "Carl": "N", "Dora": "W"}, "SENWW"),
        ("Anna Bo Carl", {"Anna": "W", "Bo": "S", "Carl": "E"}, "WSE"),
    ],
)
def test_who_joins_is_seated_in_order_of_play(names, sides, expected):
    found = seated(names.split(), sides)
    assert "".join(found[name] for name in names.split()) == expected


def test_no_hand_is_said_to_begin_by_itself_while_somebody_has_no_place_or_the_film_is_over(table):
    def note() -> str:
        return view_of(table, "en").felt.note.more

    table.camera.set_status(CameraStatus("seeing"))
    begins = "The hand starts by itself once the camera has seen the first trick."
    assert note() == f"Anna deals. {begins}"
    table.enter(PlayerJoined("Dora", "Carl"))
    assert table.unplaced and note() == "Anna deals."
    table.seat({**table.sides, "Dora": "N"})
    assert begins in note()
    table.camera.set_status(CameraStatus("ended"))
    assert note() == "Anna deals."
