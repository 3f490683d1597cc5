"""The page of American Tarock: a round entered by hand from the bids to the score sheet."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from webui_camera import seen, sees
from webui_deals import plays
from webui_page import Page, buttons, view_of
from webui_table import FOUR, open_table

from tracker.american.contracts import CONTRACTS
from tracker.american.entering import next_step
from tracker.american.events import (
    Adjusted,
    BidMade,
    BonusAnnounced,
    ContractNamed,
    GroupTaken,
    HandLaidOpen,
    LaidFaceUp,
    PartnerCalled,
    Redealt,
    SkeenchCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.game import AMERICAN
from tracker.american.hand import AmericanHand
from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    SessionClosed,
    SessionOpened,
    Unwatched,
)
from tracker.results import tallies
from tracker.session_file import export, loads
from webui.bench.dealing_american import hand_of_american
from webui.people.roles import Role
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable

OPENED = SessionOpened("american-tarock", (), FOUR)
TALON = ["T4", "S9", "C7", "DV", "H2", "T12"]


@pytest.fixture
def american(tmp_path: Path) -> LiveTable:
    """Four players, no round yet; everything is shown at any time."""
    return open_table(tmp_path, OPENED, fair_play=False)


@pytest.fixture
def at(american: LiveTable) -> Page:
    """The host's page of that table, Dora having dealt."""
    american.enter(HandStarted("Dora"))
    return Page(american)


def hand_of(table: LiveTable) -> AmericanHand:
    return table.session.hand


def test_an_evening_of_american_tarock_is_opened_from_the_page(empty: LiveTable) -> None:
    page = Page(empty)
    form = page.html("/setup/game?game=american")
    assert "American Tarock" in form and 'name="mond_penalty"' in form
    assert "Player 5" not in page.text("/setup/players?game=american")
    fields = dict(zip(("seat_S", "seat_E", "seat_N", "seat_W"), FOUR, strict=True))
    status, _ = page.post(
        "/evening", game="american", rules="american-tarock", mond_penalty="21", zero_klop="1", valat_alone="1",
        dealer="W", **fields,
    )  # fmt: skip
    assert status == 200 and empty.session is not None
    assert empty.session.rules.free_lead is False and empty.session.next_dealer == "Dora"


def test_bids_go_round_with_what_is_allowed_and_lead_to_call_talon_group_and_cards(
    american: LiveTable, at: Page
) -> None:
    first = at.html("/american/round")
    assert "Anna bids" in first and buttons(first, "game")[:2] == ["pass", "three"]
    assert at.sent("/american/round", "/american/bids", game="two")["dialog"] == "/american/round"
    assert buttons(at.html("/american/round"), "game")[:2] == ["pass", "one"]
    for _ in range(3):
        told = at.sent("/american/round", "/american/bids", game="pass")
    assert told["dialog"] == "/american/round" and next_step(hand_of(american)) == "call"
    assert buttons(at.html("/american/round"), "call")[:4] == ["S", "H", "D", "C"]
    path = at.sent("/american/round", "/american/call", call="H")["dialog"]
    for card in TALON:
        path = at.sent(path, "/american/talon", card=card)["dialog"]
    assert buttons(at.html(path), "group") == ["0", "1", "2"]
    assert at.sent(path, "/american/take", group="1")["dialog"] == "/american/round"
    hand = hand_of(american)
    assert next_step(hand) == "play" and hand.talon.taken is not None
    after = at.html("/american/round")
    assert "kings Bo" in buttons(after, "what") and "T4" not in re.findall(r'"card" value="(\w+)"', after)
    assert at.sent("/american/round", "/american/announce", what="pagat_ultimo Anna")["dialog"]
    assert "Anna announces Pagat Ultimo" in at.text("/american/round")
    assert at.sent("/american/round", "/american/laid", card="T2")["dialog"]
    assert hand.bidding.announced or hand_of(american).bidding.announced == [("Anna", "pagat_ultimo")]
    view = view_of(american, "en")
    assert view.acts[0].href == "/play"
    assert view.felt.note is not None and view.felt.note.text == "Anna plays Two, calls the king of hearts"


def test_a_bid_from_a_dialog_that_is_behind_enters_nothing(american: LiveTable, at: Page) -> None:
    fields = at.filled_in("/american/round", "/american/bids")
    american.enter(ContractNamed("klop"))
    assert at.post("/american/bids", **fields, game="two")[0] == 409
    assert hand_of(american).contract is CONTRACTS["klop"]


def test_a_talon_has_no_card_twice(american: LiveTable, at: Page) -> None:
    american.enter(ContractNamed("solo_two", "Anna"))
    assert at.post("/american/talon", cards="T4 S9", card="S9")[0] == 400
    assert at.post("/american/talon", cards="T4 T4", card="S9")[0] == 400
    assert hand_of(american).talon.cards is None


@pytest.mark.parametrize(("fair_play", "offered"), [(True, 54), (False, 50)])
def test_the_cards_of_a_talon_entered_late_tell_nothing_of_hidden_tricks(
    tmp_path: Path, fair_play: bool, offered: int
) -> None:
    first = plays("Anna S7", "Bo S8", "Carl S9", "Dora SV")
    opening = (HandStarted("Dora"), ContractNamed("solo_two", "Anna"), *first, CardPlayed("Dora", "H1"))
    page = Page(open_table(tmp_path, OPENED, *opening, fair_play=fair_play))
    assert len(re.findall(r'name="card" value="', page.html("/american/talon"))) == offered


def by_hand(page: Page, events: list[Event]) -> None:
    """Enter a whole round as people do: the dialogs that come next, card after card."""
    for event in events:
        if isinstance(event, ContractNamed):
            who = {"player": event.declarer} if event.declarer else {}
            page.sent("/american/round", "/american/game", game=event.game, **who)
        elif isinstance(event, VitaminTurned):
            told = page.sent("/american/round", "/american/vitamin", card=event.card)
            assert told["dialog"] in ("/play", "/american/round")
        elif isinstance(event, CardPlayed):
            page.sent("/play", "/plays", player=event.player, card=event.card)


def audit_of(events: list[Event]) -> dict[str, Any]:
    """The audit of these events where none breaks a rule."""
    strict = AMERICAN.session(OPENED, strict=True)
    for event in events:
        strict.apply(event)
    return AMERICAN.audit(strict)


@pytest.mark.parametrize("game", ["klop", "solo_no_peek", "barach"])
def test_a_round_entered_by_hand_is_scored_as_its_session_file(
    american: LiveTable, at: Page, game: str
) -> None:
    events = hand_of_american(random.Random(3), OPENED, game)
    by_hand(at, events[1:])
    session = american.session
    assert not session.under_way and not session.alerts
    strict = audit_of(events)
    assert AMERICAN.audit(session) == strict
    again = loads(json.dumps(export(session.record, AMERICAN.session)), AMERICAN.session)
    assert AMERICAN.audit(again.session()) == strict


def test_the_score_sheet_has_a_line_for_each_round_and_asterisks(american: LiveTable, at: Page) -> None:
    assert at.post("/american/redeal", reason="misdeal")[0] == 200
    american.enter(*hand_of_american(random.Random(3), OPENED, "klop")[1:])
    view = view_of(american, "en")
    assert [stars for _, stars in view.score_sheet.players] == ["", "", "", "*"]
    session = american.session
    totals = [total for total, _ in view.score_sheet.rows[0].scores]
    assert totals == [session.balances[name] for name in FOUR]
    assert {row.name: row.chips for row in view.result.rows} == session.balances
    assert any("Klop" in said or "70" in said for said in view.result.endings)
    page = at.text("/")
    assert "Score sheet" in page and "Next hand: Anna deals" in page
    # Who breaks a rule loses the full score, which is called a renonce and not a fine (AT-REN-1).
    assert ("Renonce", "/american/renonce") in [(act.label, act.href) for act in view.acts]


def test_a_misdeal_remembered_after_cards_costs_its_points_and_asterisk_and_the_cards_stay(
    american: LiveTable, at: Page
) -> None:
    events = hand_of_american(random.Random(3), OPENED, "klop")[1:]
    american.enter(*events[:3])
    assert at.post("/american/redeal", reason="misdeal")[0] == 422, "that dialog was opened before the cards"
    assert "Dealt again before these cards" in at.text("/more")
    at.sent("/more", "/american/redeal", reason="misdeal")
    remembered = american.recorded[-1].seq
    american.enter(*events[3:])
    at.sent("/more", "/american/redeal", reason="misdeal")
    session = american.session
    assert session.asterisks["Dora"] == 2 and len(session.hand.plays) == 48 and not session.alerts
    misdeals = [(score.player, score.points) for score in session.hand.scores if score.reason == "misdeal"]
    assert misdeals == [("Dora", -20), ("Dora", -40)]
    read = loads(json.dumps(export(session.record, AMERICAN.session)), AMERICAN.session).session()
    assert AMERICAN.audit(read) == AMERICAN.audit(session)
    at.sent(f"/undo?to={remembered}", "/undo")
    assert american.session.asterisks["Dora"] == 1 and len(american.session.hand.plays) == 48


def play_a_renonce(american: LiveTable) -> None:
    """Two tricks of a Klop; in the second Bo plays a spade, which he had not in the first."""
    american.enter(ContractNamed("klop"))
    american.enter(*plays("Anna S7", "Bo H4", "Carl S9", "Dora S10"), VitaminTurned("T8", 1))
    american.enter(*plays("Dora C7", "Anna C8", "Bo S8", "Carl C10"))


def test_a_renonce_is_proposed_booked_and_let_pass(american: LiveTable, at: Page) -> None:
    play_a_renonce(american)
    flags = view_of(american, "en").open_findings
    assert flags
    href = next(row for row in flags if "Bo" in row.text)
    path = re.findall(r'href="(/american/renonce[?][^"]*)"', at.html("/"))[0]
    told = at.sent(path.replace("&amp;", "&"), "/american/renonces", amount=70)
    session = american.session
    assert told["message"] and session is not None and session.balances["Bo"] == -70
    assert len(view_of(american, "en").open_findings) == len(flags) - 1, href


def test_page_and_phones_ask_for_the_game_and_meanwhile_the_camera_books_nothing(american: LiveTable) -> None:
    american.camera.set_status(CameraStatus("seeing"))

    def asked() -> str:
        """What is asked for, and told alike to the laptop and a player's phone."""
        sees(american, "Anna:T4 Bo:S9")
        host, player = (view_of(american, "en", role).asked for role in (Role.HOST, Role.PLAYER))
        assert host == player
        return ", ".join(one.title for one in host)

    assert asked() == "Has the next hand been dealt?"
    american.enter(HandStarted("Dora"))
    assert asked() == "Which contract is played, and by whom?"
    american.enter(ContractNamed("three", "Anna"))
    assert asked() == "Which king is called?"
    american.enter(PartnerCalled("S"))
    american.saw(seen(TalonTurned(tuple(TALON))))
    hand = hand_of(american)
    assert hand.plays == [] and hand.talon.cards == tuple(TALON)
    assert view_of(american, "en").alerts == [] and american.camera.untaken == ()
    american.camera.set_status(CameraStatus())
    american.enter(HandAbandoned())
    assert view_of(american, "en").asked == [], "a table without a camera starts its hands when it likes"


def test_what_was_entered_wrongly_is_put_right_with_one_tap_and_undone(american: LiveTable, at: Page) -> None:
    american.enter(ContractNamed("two", "Anna"))
    american.enter(*[CardPlayed("Anna", "S7")])
    assert any(one.key == "call" for one in view_of(american, "en").asked)
    at.sent("/american/round", "/american/game", game="solo_no_peek", player="Bo")
    hand = hand_of(american)
    assert hand.declarer == "Bo" and next_step(hand) == "play"
    seq = american.recorded[-1].seq
    assert at.post("/undo", seq=seq)[0] == 200
    assert hand_of(american).declarer == "Anna"


def test_what_does_not_fit_a_contract_that_is_put_right_is_one_question(
    american: LiveTable, at: Page
) -> None:
    american.enter(ContractNamed("two", "Anna"), PartnerCalled("S"), TalonTurned(tuple(TALON)), GroupTaken(1))
    american.enter(CardPlayed("Anna", "S7"))
    at.sent("/entries/3", "/entries/3/correct", choice=choice_of(at, "Barach"))
    (alert,) = view_of(american, "en").alerts
    assert "nothing is called in this contract. This leads to 2 more questions." in alert.text
    assert at.post(f"/alerts/{alert.seq}")[0] == 200
    assert view_of(american, "en").alerts == [] and len(hand_of(american).plays) == 1


def test_of_two_bids_that_were_mixed_up_either_is_put_right_first(american: LiveTable, at: Page) -> None:
    """Bo's two was entered as Anna's."""
    for player, game in zip(FOUR, ("two", "pass", "pass", "pass"), strict=True):
        american.enter(BidMade(player, game))
    american.enter(*plays("Anna:S7", "Bo:S8"))
    bids = {one.event.player: one.seq for one in american.recorded if isinstance(one.event, BidMade)}
    at.sent(f"/entries/{bids['Bo']}", f"/entries/{bids['Bo']}/correct", choice="0-2")
    view = view_of(american, "en")
    assert len(view.alerts) == 1 and view.asked == []
    at.sent(f"/entries/{bids['Anna']}", f"/entries/{bids['Anna']}/correct", choice="0-0")
    assert hand_of(american).declarer == "Bo" and not american.session.alerts


def choice_of(page: Page, words: str) -> str:
    """The value of the button with these `words` in the dialog that puts the first entry of the hand right."""
    found = re.search(rf'name="choice" value="([^"]*)">{words}<', page.html("/entries/3"))
    assert found is not None
    return found[1]


def test_where_all_cards_stay_in_sight_a_player_taps_any_and_asks_for_another(tmp_path: Path) -> None:
    table = open_table(tmp_path, OPENED, HandStarted("Dora"), ContractNamed("barach", "Anna"))
    table.enter(*plays("Anna:S7", "Bo:S8", "Carl:S9", "Dora:S10", "Dora:H2"))
    phone = Page(table, Role.PLAYER, "Bo")
    (seq,) = (play.seq for play in hand_of(table).plays if play.card == "S9")
    assert f'href="/plays/{seq}"' in phone.html("/")
    phone.sent(f"/plays/{seq}", f"/plays/{seq}/correct", card="SV")
    assert [ask.events for ask in table.desk.asks] == [(PlayCorrected(seq, "SV"),)]


def test_a_contract_by_which_the_round_was_decided_before_the_camera_was_away_is_still_put_right(
    american: LiveTable, at: Page
) -> None:
    """Anna won the first trick of what was a Barach. Nobody saw her card to the second trick."""
    american.enter(ContractNamed("solo_no_peek", "Anna"))
    sees(american, "Anna:SR Bo:S7 Carl:S8 Dora:S9", Unwatched(), "Bo:H1 Carl:H2 Dora:H3")
    at.sent("/american/round", "/american/game", game="barach", player="Anna")
    assert hand_of(american).complete and american.session.balances["Anna"] == -70
    (question,) = view_of(american, "en").questions
    at.sent(question.enter_href, f"{question.enter_href}/card", card="H4")
    assert [trick.winner for trick in hand_of(american).tricks] == ["Anna", "Bo"]


def test_a_contract_by_which_the_round_was_decided_before_it_was_given_up_asks_nothing(
    american: LiveTable, at: Page
) -> None:
    american.enter(ContractNamed("solo_no_peek", "Anna"))
    sees(american, "Anna:SR Bo:S7 Carl:S8 Dora:S9 Anna:H1")
    at.sent("/abandon", "/abandon")
    at.sent("/american/round?hand=1", "/american/game", game="barach", player="Anna")
    assert hand_of(american).complete and not hand_of(american).abandoned
    assert american.session.balances["Anna"] == -70 and view_of(american, "en").alerts == []


@pytest.mark.parametrize("game", ["solo_two", "three"])
def test_a_talon_that_nobody_entered_is_entered_after_the_play_though_cards_of_it_were_played(
    american: LiveTable, at: Page, game: str
) -> None:
    events = hand_of_american(random.Random(4), OPENED, game)
    late = [event for event in events if isinstance(event, TalonTurned | GroupTaken | LaidFaceUp)]
    american.enter(*[event for event in events[1:] if event not in late])
    turned, taken, laid = late
    path = "/american/talon"
    for card in turned.cards:
        path = at.sent(path, "/american/talon", card=card)["dialog"]
    at.sent(path, "/american/take", group=str(taken.group))
    at.sent("/american/round", "/american/laid", card=list(laid.cards))
    assert not american.session.alerts and AMERICAN.audit(american.session) == audit_of(events)


def test_an_open_hand_that_nobody_entered_is_entered_after_cards_of_it_were_played(
    american: LiveTable, at: Page
) -> None:
    events = hand_of_american(random.Random(4), OPENED, "open_barach")[1:]
    (opened,) = [event for event in events if isinstance(event, HandLaidOpen)]
    american.enter(*[event for event in events[:20] if event is not opened])
    at.sent("/american/round", "/american/open", card=list(opened.cards))
    assert hand_of(american).opened and not american.session.alerts


def test_a_skeench_a_tola_that_nobody_entered_is_entered_after_the_last_card(
    american: LiveTable, at: Page
) -> None:
    american.enter(*hand_of_american(random.Random(3), OPENED, "klop")[1:])
    assert american.session.next_dealer == "Anna" and hand_of(american).rounds_left is None
    at.sent("/more", "/american/skeench")
    assert hand_of(american).skeench_called and hand_of(american).rounds_left is not None


def two_hands_of_klop(american: LiveTable) -> None:
    """Dora's round, then one of Anna'swith two cards played."""
    american.enter(*hand_of_american(random.Random(3), OPENED, "klop")[1:])
    second = [HandStarted("Anna"), ContractNamed("klop"), CardPlayed("Bo", "S7"), CardPlayed("Carl", "S8")]
    american.enter(*second)


def test_what_was_forgotten_in_the_hand_before_is_entered_while_the_next_is_played(
    american: LiveTable, at: Page
) -> None:
    two_hands_of_klop(american)
    acts = at.html("/hands/1")
    assert "/american/late?hand=1" in acts and "/american/round?hand=1" in acts
    assert "/hands/1" in at.html("/more")
    at.sent("/american/late?hand=1", "/american/redeal", reason="misdeal")
    at.sent("/american/late?hand=1", "/american/skeench")
    first, second = american.session.hands
    assert [(one.player, one.points) for one in first.scores if one.reason == "misdeal"] == [("Dora", -20)]
    assert first.skeench_called and second.last_dealer is not None and len(second.plays) == 2
    assert not american.session.alerts


def test_a_skeench_a_tola_of_long_ago_takes_no_hand_away_that_was_played(
    american: LiveTable, at: Page
) -> None:
    """AT-END-3: after the last dealer's round the game is over; but these hands were played."""
    american.enter(*hand_of_american(random.Random(3), OPENED, "klop")[1:])
    for dealer in ("Anna", "Bo", "Carl", "Dora", "Anna", "Bo"):
        american.enter(HandStarted(dealer), HandAbandoned())
    status, said = at.post("/american/skeench", **at.filled_in("/american/late?hand=1", "/american/skeench"))
    assert status == 422 and "sidste kortgiver" in said
    assert len(american.session.hands) == 7 and not american.session.hands[0].skeench_called


def test_a_player_asks_the_arbiter_for_a_skeench_a_tola_of_an_earlier_hand(
    american: LiveTable, at: Page
) -> None:
    two_hands_of_klop(american)
    player = Page(american, Role.PLAYER, "Bo", at.app)
    player.sent("/american/late?hand=1", "/american/skeench")
    assert len(american.desk.asks) == 1 and not american.session.hands[0].skeench_called


def test_points_are_adjusted_and_nothing_is_owed(american: LiveTable, at: Page) -> None:
    assert at.post("/american/adjust", player="Bo", points="10", sign="minus", reason="agreed")[0] == 200
    assert american.session.balances["Bo"] == -10
    american.enter(*hand_of_american(random.Random(3), OPENED, "solo_no_peek")[1:])
    assert at.post("/settle", seen="1 False")[0] == 200
    assert at.client.get(f"/history/{american.evening.number}").status_code == 200
    assert at.client.get("/history").status_code == 200


@pytest.mark.slow
def test_every_dialog_opens_at_every_step(american: LiveTable, at: Page) -> None:
    for event in hand_of_american(random.Random(5), OPENED, "three")[1:]:
        for path in ("", "american/round", "play", "more", "ledger", "players/Anna", "american/renonce"):
            assert at.client.get(f"/{path}").status_code == 200, (path, event)
        american.enter(event)
    for lang in ("da", "en"):
        assert at.client.get(f"/hands/1?lang={lang}").status_code == 200
        assert at.client.get(f"/?lang={lang}").status_code == 200


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/american/bids", {"game": "klop"}),
        ("/american/bids", {"game": "nonsense"}),
        ("/american/call", {"call": "H"}),
        ("/american/take", {"group": "0"}),
        ("/american/laid", {"card": "T2"}),
        ("/american/announce", {"what": "kings Anna"}),
        ("/american/announce", {"what": "trula Anna"}),
        ("/american/raise", {}),
        ("/american/vitamin", {"trick": "1", "card": "T2"}),
        ("/american/open", {"card": ["S7", "S8", "C7"]}),
        ("/american/talon", {"cards": "H5", "card": "T2"}),
        ("/american/renonces", {"player": "Erik", "amount": "10"}),
        ("/american/renonces", {"player": "Anna", "amount": "0"}),
        ("/american/adjust", {"player": "Anna", "points": "5", "sign": "minus"}),
        ("/american/redeal", {"reason": "boredom"}),
        ("/plays", {"player": "Anna", "card": "H5"}),
        ("/plays", {"player": "Anna", "typed": "h5"}),
    ],
)
def test_what_cannot_be_entered_is_refused_in_a_sentence_and_changes_nothing(
    american: LiveTable, at: Page, path: str, fields: dict[str, object]
) -> None:
    before = len(american.recorded)
    status, said = at.post(path, **fields)
    assert status in (400, 409) and said
    assert len(american.recorded) == before


# ---- what is announced and explained, in words ----


def told(page: Page, path: str, lang: str) -> str:
    """The words of a page, on one line, with plain hyphens for minus."""
    return page.text(path, lang).replace("\u2212", "-")


def test_a_compulsory_klop_is_announced_when_scores_come_to_zero(american: LiveTable, at: Page) -> None:
    american.enter(Adjusted("Anna", 70, "agreed"), Adjusted("Bo", 5, "agreed"), HandAbandoned())
    american.enter(HandStarted(None), *hand_of_american(random.Random(3), OPENED, "barach")[1:])
    session = american.session
    american.enter(*[Adjusted(name, -session.balances[name], "agreed") for name in ("Anna", "Bo")])
    assert "Anna and Bo came to exactly zero: the next hand is a compulsory Klop" in at.text("/")
    american.enter(HandStarted(None))
    klop = "Compulsory Klop: bids begin at Solo No-Peek"
    assert klop in at.text("/") and klop in at.text("/american/round")
    assert buttons(at.html("/american/round"), "game")[:2] == ["pass", "solo_no_peek"]


def test_the_last_dealer_is_announced_and_the_rounds_left_are_counted_down(
    american: LiveTable, at: Page
) -> None:
    american.enter(SkeenchCalled("Dora"))
    assert "Skeench-a-tola: whoever ends up with the Skeench will be the last dealer" in at.text("/")
    american.enter(*hand_of_american(random.Random(3), OPENED, "klop")[1:])
    last = hand_of(american).skeench_to()
    assert f"{last} has the Skeench and will be the last dealer" in at.text("/")
    rounds = hand_of(american).rounds_left
    for left in reversed(range(rounds)):
        american.enter(HandStarted(None))
        assert hand_of(american).rounds_left == left
        said = f"The last dealer is {last}, {left}" if left else f"This is the last hand: {last} is the last"
        assert said in at.text("/")
        american.enter(*hand_of_american(random.Random(5), OPENED, "barach")[1:])
    assert hand_of(american).dealer == last
    assert f"That was the last hand: {last} was the last dealer" in at.text("/")
    # Nothing offers a round after the last one.
    assert f"/hands/{rounds + 1}/next" not in at.html("/") and 'href="/start"' not in at.html("/")
    assert view_of(american, "en").acts[0].href == "/settle"
    assert view_of(american, "en").result is not None
    status, refused = at.post(f"/hands/{rounds + 1}/next")
    assert status in (409, 422) and refused and len(american.session.hands) == rounds + 1


def test_asterisks_stand_by_the_name_and_each_misdeal_is_explained(american: LiveTable, at: Page) -> None:
    american.enter(Redealt("misdeal"), Redealt("misdeal"), ContractNamed("klop"), HandAbandoned())
    assert "Dora**" in at.text("/").replace(" ", "")
    hand = told(at, "/hands/1", "en")
    assert "Misdeal (a misdeal costs the dealer 20, the second one 40, and so on)" in hand
    assert "-20" in hand and "-40" in hand


SCORED = {
    "mond": "Captured Mond (Mond and Skeench in one trick",
    "game": "(the value of the contract, won or lost)",
    "difference": "(the points above or below 35)",
    "called_king_lost": "(the opponents have the called king)",
    "trula": "(Skeench, Mond and Pagat in the tricks of one side)",
    "king_ultimo": "(the called king in the last trick)",
    "kings": "(all four kings in the tricks of one side)",
    "pagat_ultimo": "(the Pagat in the last trick)",
    "valat": "(all twelve tricks, won or announced)",
}


def bonus_rounds() -> Iterator[list[Event]]:
    """Rounds of a Two until every reason of a normal game was scored, dealt by chance."""
    for seed in range(400):
        events = hand_of_american(random.Random(seed), OPENED, "two")
        first = next(at for at, event in enumerate(events) if isinstance(event, CardPlayed))
        announced = [BonusAnnounced("Anna", bonus) for bonus in ("kings", "pagat_ultimo")]
        announced += [BonusAnnounced("Bo", "valat")] if seed % 7 == 0 else []
        yield [*events[:first], *announced, *events[first:]]


def test_each_bonus_and_penalty_of_a_round_is_explained_in_words(american: LiveTable, at: Page) -> None:
    wanted = set(SCORED)
    for started, *events in bonus_rounds():
        strict = AMERICAN.session(OPENED, strict=True)
        for event in (started, *events):
            strict.apply(event)
        reasons = {score.reason for score in strict.hands[0].scores}
        if not reasons & wanted:
            continue
        if american.session is not None and not american.session.under_way:
            american.enter(HandStarted("Dora"))
        american.enter(*events)
        page = at.text(f"/hands/{hand_of(american).number}")
        assert {score.reason for score in hand_of(american).scores} == reasons
        for reason in reasons & wanted:
            assert SCORED[reason] in page, (reason, page)
        wanted -= reasons
        if not wanted:
            return
    assert not wanted


def test_game_call_and_announcements_stand_over_the_cards(american: LiveTable, at: Page) -> None:
    american.enter(ContractNamed("two", "Anna"), PartnerCalled("H"), TalonTurned(tuple(TALON)), GroupTaken(0))
    american.enter(BonusAnnounced("Bo", "pagat_ultimo"), CardPlayed("Anna", "S7"))
    page = at.text("/")
    assert "Anna plays Two, calls the king of hearts" in page and "Bo announces Pagat Ultimo" in page


def test_nothing_is_said_of_pots_where_the_evening_ends_and_nothing_is_settled_then(
    american: LiveTable, at: Page
) -> None:
    play_a_renonce(american)
    said = at.text("/settle")
    assert "Bo is fined 70" in said and "pot" not in said
    for path in ("/settle", "/", "/ledger"):
        shown = at.html(path)
        assert "Finish the evening" in shown and "Settle the evening" not in shown, path
    american.enter(HandAbandoned(), SessionClosed())
    assert len(tallies(american.session, american.session.parts)) == 1
    history = at.text(f"/history/{american.evening.number}")
    assert not any(word in history for word in ("Settled", "chip"))


@pytest.mark.parametrize("lang", ["en", "da"])
def test_no_page_of_a_score_sheet_speaks_of_chips_pots_or_payments(
    american: LiveTable, at: Page, lang: str
) -> None:
    american.enter(Redealt("misdeal"), *hand_of_american(random.Random(3), OPENED, "klop")[1:])
    scores = hand_of(american).scores
    assert any(score.points > 0 for score in scores) and any(score.points < 0 for score in scores)
    for path in ("/ledger", "/players/Dora", "/hands/1", "/settle", "/more"):
        page = told(at, path, lang).lower()
        for word in ("chip", " pot", "payment", "jeton", " kop", "betaling", "→"):
            assert word not in page, (path, word, page)
    for path in ("/ledger", "/players/Dora"):
        assert "-20" in told(at, path, lang), path


def test_a_card_of_no_use_in_this_game_cannot_be_put_in_the_place_of_one_that_was_played(
    american: LiveTable, at: Page
) -> None:
    american.enter(ContractNamed("klop"), CardPlayed("Anna", "S7"))
    seq, before = american.recorded[-1].seq, len(american.recorded)
    for path, fields in (
        (f"/plays/{seq}/correct", {"card": "H5"}),
        (f"/plays/{seq}/correct", {"typed": "h5"}),
        ("/plays", {"player": "Bo", "card": "H5", "before_seq": seq}),
    ):
        status, said = at.post(path, **fields)
        assert status == 400 and "Hjerter 5 findes ikke i dette kortspil" in said, path
    assert len(american.recorded) == before and hand_of(american).plays[0].card == "S7"


def test_the_end_names_each_score_and_a_name_keeps_its_hyphen(tmp_path: Path) -> None:
    names = ("Ann-Marie", "Bo", "Carl", "Dora")
    live = open_table(tmp_path, SessionOpened("american-tarock", (), names), HandStarted("Dora"))
    live.enter(Adjusted("Bo", -10, "agreed"), Adjusted("Ann-Marie", 20, "agreed"))
    live.enter(HandAbandoned(), SessionClosed())
    page = Page(live)
    assert "Ann-Marie +20 · Carl 0 · Dora 0 · Bo \u221210" in page.text("/", "en")
    assert "Ann-Marie +20: agreed" in page.text("/hands/1", "en")


def test_a_round_in_which_nothing_was_scored_has_no_part_in_the_ledger(american: LiveTable, at: Page) -> None:
    american.enter(*hand_of_american(random.Random(3), OPENED, "solo_no_peek")[1:], HandStarted("Anna"))
    page = told(at, "/ledger", "en")
    assert "Hand 1" in page and "Hand 2" not in page


def test_in_an_open_barach_all_cards_lie_on_the_felt_and_the_open_hand_beside_them(
    american: LiveTable,
) -> None:
    american.choose(fair_play=True)
    events = hand_of_american(random.Random(4), OPENED, "open_barach")
    shown = next(event for event in events if isinstance(event, HandLaidOpen))
    american.enter(*events[: events.index(shown) + 1 + len(FOUR)])
    felt = view_of(american, "en", Role.PLAYER).felt
    assert felt.rows and [len(seat.plays) for seat in felt.seats] == [2, 2, 2, 2]
    declarer = american.session.hand.declarer
    (opened,) = [seat for seat in felt.seats if seat.hand]
    played = {play.card for play in opened.plays}
    assert opened.name == declarer and {card for card, _ in opened.hand} == set(shown.cards) - played


def test_the_declarer_names_a_higher_game_before_he_calls(at: Page) -> None:
    for _ in range(3):
        at.post("/american/bids", **at.filled_in("/american/round", "/american/bids"), game="pass")
    at.post("/american/bids", **at.filled_in("/american/round", "/american/bids"), game="three")
    assert "Dora names a higher contract" in at.text("/american/round")
    form = at.filled_in("/american/round", "/american/game")
    assert form["player"] == "Dora"
    assert at.post("/american/game", **{**form, "game": "solo_one"})[0] == 200
    assert at.table.session.hand.contract is CONTRACTS["solo_one"]


def test_where_nobody_has_bid_nobody_is_taken_for_the_declarer(at: Page) -> None:
    assert "player" not in at.filled_in("/american/round", "/american/game")
    assert 'value="klop" formnovalidate>' in at.html("/american/round"), "nobody need be chosen for it"
    for said in ("pass", "two"):
        at.sent("/american/round", "/american/bids", game=said)
    assert at.filled_in("/american/round", "/american/game")["player"] == "Bo"
