"""The page of French Tarot: deals entered by hand from the bids to the score sheet."""

import json
import random
import re
from pathlib import Path

import pytest
from webui_camera import sees
from webui_deals import plays
from webui_page import Page, buttons, view_of
from webui_table import FOUR, NAMES, open_table

from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerLeft,
    SessionOpened,
)
from tracker.french.events import (
    BidMade,
    CardCalled,
    ContractNamed,
    DogTurned,
    HandfulShown,
    LaidFaceDown,
    LaidFaceUp,
    PenaltyBooked,
)
from tracker.french.game import FRENCH
from tracker.french.hand import FrenchHand
from tracker.french.pack import PACK
from tracker.french.telling import halves_text
from tracker.session_file import export, loads
from webui.bench.dealing_french import hand_of_french
from webui.people.roles import Role
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable

OPENED = SessionOpened("french-tarot", (), FOUR)
DOG = ["T5", "C10", "S3", "S4", "H2", "D9"]


@pytest.fixture
def french(tmp_path: Path) -> LiveTable:
    """Four players, no deal yet; everything is shown at any time."""
    return open_table(tmp_path, OPENED, fair_play=False)


@pytest.fixture
def at(french: LiveTable) -> Page:
    """The host's page of that table, Dora having dealt."""
    french.enter(HandStarted("Dora"))
    return Page(french)


def hand_of(table: LiveTable) -> FrenchHand:
    return table.session.hand


def test_an_evening_of_french_tarot_is_opened_from_the_page(empty: LiveTable) -> None:
    page = Page(empty)
    form = page.html("/setup/game?game=french")
    assert "French Tarot" in form and 'name="mort"' in form and 'name="penalty"' in form
    fields = dict(zip(("seat_S", "seat_E", "seat_N", "seat_W"), FOUR, strict=True))
    status, _ = page.post("/evening", game="french", rules="french-tarot", penalty="50", dealer="W", **fields)
    assert status == 200 and empty.session is not None
    assert empty.session.rules.penalty == 50 and empty.session.rules.mort is False


def test_bids_go_round_once_and_lead_to_dog_discard_and_cards(french: LiveTable, at: Page) -> None:
    first = at.html("/french/deal")
    assert "Anna bids" in first and buttons(first, "contract")[:2] == ["pass", "prise"]
    assert at.sent("/french/deal", "/french/bids", contract="prise")["dialog"] == "/french/deal"
    assert buttons(at.html("/french/deal"), "contract")[:2] == ["pass", "garde"]
    at.sent("/french/deal", "/french/bids", contract="garde")
    for _ in range(2):
        told = at.sent("/french/deal", "/french/bids", contract="pass")
    assert told["dialog"] == "/french/deal" and hand_of(french).taker == "Bo"
    path = "/french/dog"
    for card in DOG:
        path = at.sent(path, "/french/dog", card=card)["dialog"]
    assert path == "/french/deal" and hand_of(french).dog.turned is not None
    at.sent("/french/deal", "/french/laid", card="T5")
    assert hand_of(french).dog.laid
    view = view_of(french, "en")
    assert view.acts[0].href == "/play"
    assert view.felt.note is not None and view.felt.note.text == "Bo: garde"
    at.sent("/french/deal", "/french/slam")
    assert hand_of(french).to_play == "Bo"


@pytest.mark.parametrize(
    "later",
    [
        (),
        (HandfulShown("Carl", tuple(f"T{n}" for n in range(6, 16))),),
        (HandAbandoned(), HandStarted("Anna")),
    ],
    ids=["in play", "after a handful", "a hand later"],
)
def test_a_dog_entered_wrongly_is_put_right_once_cards_are_played(
    french: LiveTable, at: Page, later: tuple[Event, ...]
) -> None:
    wrong = ["D2", *DOG[1:]]
    french.enter(ContractNamed("garde", "Bo"), DogTurned(tuple(wrong)), LaidFaceUp(()))
    french.enter(CardPlayed("Anna", "S2"), CardPlayed("Bo", DOG[0]), *later)
    (path,) = re.findall(r'href="(/french/dog[^"]*)"', at.html("/french/deal?hand=1"))
    for card in DOG:
        path = at.sent(path, "/french/dog", card=card).get("dialog", "")
    assert french.session is not None
    hand = french.session.hands[0]
    assert PACK.names(hand.dog.turned or 0) == PACK.names(PACK.mask(DOG))
    assert [play.card for play in hand.plays] == ["S2", DOG[0]]


def test_all_pass_and_the_deal_is_void(french: LiveTable, at: Page) -> None:
    for _ in range(4):
        at.sent("/french/deal", "/french/bids", contract="pass")
    hand = hand_of(french)
    assert hand.void == "passed" and french.session is not None and french.session.next_dealer == "Anna"
    result = view_of(french, "en").result
    assert result is not None and result.endings == ["All passed: the hand does not count"]


def play_annas_garde(french: LiveTable) -> None:
    """Anna's garde, and the first trick. Events 3 and 4 are Anna's and Bo's bids."""
    for player, contract in zip(FOUR, ("garde", "pass", "pass", "pass"), strict=True):
        french.enter(BidMade(player, contract))
    french.enter(*plays("Anna:S2", "Bo:S5", "Carl:S6", "Dora:SR"))


@pytest.fixture
def passed(french: LiveTable, at: Page) -> Page:
    """Anna's garde of a played hand is put right, so that all passed."""
    play_annas_garde(french)
    at.sent("/entries/3", "/entries/3/correct", choice="0-0")
    return at


def test_while_the_taker_is_put_right_bid_by_bid_one_question_is_asked_and_no_card_is_lost(
    french: LiveTable, passed: Page
) -> None:
    (alert,) = view_of(french, "en").alerts
    assert alert.text.startswith("The hand does not count, so nothing that came after it counts.")
    assert (alert.is_play, alert.href, len(french.session.alerts)) == (False, "", 4)
    passed.sent("/entries/4", "/entries/4/correct", choice="0-2")
    assert hand_of(french).taker == "Bo" and len(hand_of(french).plays) == 4 and not french.session.alerts


def test_that_a_hand_does_not_count_is_said_with_one_tap(french: LiveTable, passed: Page) -> None:
    (alert,) = view_of(french, "en").alerts
    assert passed.post(f"/alerts/{alert.seq}")[0] == 200
    assert view_of(french, "en").alerts == [] and hand_of(french).void == "passed"


@pytest.fixture
def mixed_up(french: LiveTable, at: Page) -> Page:
    """Bo's garde was entered as Anna's, and only Bo's bid is put right so far."""
    play_annas_garde(french)
    at.sent("/entries/4", "/entries/4/correct", choice="0-2")
    return at


def test_of_two_bids_that_were_mixed_up_either_is_put_right_first(french: LiveTable, mixed_up: Page) -> None:
    view = view_of(french, "en")
    (alert,) = view.alerts
    assert "Bo cannot bid garde: that is too low. This leads to 2 more questions." in alert.text
    assert (alert.href, view.asked) == ("/entries/4", [])
    mixed_up.sent("/entries/3", "/entries/3/correct", choice="0-0")
    assert hand_of(french).taker == "Bo" and len(hand_of(french).plays) == 4 and not french.session.alerts


def test_the_contract_settles_what_bids_were_mixed_up(french: LiveTable, mixed_up: Page) -> None:
    mixed_up.sent("/french/deal", "/french/contract", contract="garde", player="Bo")
    assert hand_of(french).taker == "Bo" and len(hand_of(french).plays) == 4 and not french.session.alerts


def test_the_taker_is_the_highest_bidder_or_is_said(at: Page) -> None:
    assert "player" not in at.filled_in("/french/deal", "/french/contract")
    at.sent("/french/deal", "/french/bids", contract="pass")
    at.sent("/french/deal", "/french/bids", contract="garde")
    assert at.filled_in("/french/deal", "/french/contract")["player"] == "Bo"


def test_the_contract_entered_wrongly_is_put_right_with_one_entry(french: LiveTable, at: Page) -> None:
    french.enter(ContractNamed("prise", "Bo"), CardPlayed("Anna", "S2"))
    at.sent("/french/deal", "/french/contract", contract="garde", player="Carl")
    hand = hand_of(french)
    assert (hand.taker, hand.contract.name if hand.contract else "") == ("Carl", "garde")
    assert [play.card for play in hand.plays] == ["S2"]


def test_an_entry_that_waits_for_its_contract_says_so(french: LiveTable, at: Page) -> None:
    for event in (ContractNamed("garde", "Anna"), DogTurned(tuple(DOG)), ContractNamed("garde_contre", "Bo")):
        french.enter(event)
    waits = "does not count now: it does not fit the other entries"
    rows = re.findall(r"<tr>.*?</tr>", at.html("/"), re.DOTALL)
    (row,) = (row for row in rows if waits in row)
    assert "dog" in row.lower()
    french.enter(ContractNamed("garde", "Anna"))
    assert waits not in at.html("/")


def test_what_is_laid_face_down_is_seen_on_the_takers_phone_alone(french: LiveTable, at: Page) -> None:
    french.enter(ContractNamed("prise", "Bo"), DogTurned(tuple(DOG)), LaidFaceUp(()))
    own = Page(french, Role.PLAYER, "Bo", app=at.app)
    other = Page(french, Role.PLAYER, "Carl", app=at.app)
    laid = ["C9", "C8", "C7", "C6", "C5", "C4"]
    assert "/french/discard" in own.html("/french/deal")
    assert own.sent("/french/discard", "/french/discard", card=laid)["message"]
    shown = own.html("/french/discard")
    assert shown.count(" checked") == 6
    for page in (other, at):
        assert "/french/discard" not in page.html("/french/deal")
        page.html("/french/discard", status=403)
        for path in ("/", "/undo", "/hands/1", "/more"):
            assert "9 of clubs" not in re.sub(r"<option.*?</option>", "", page.html(path)), path
    written = json.dumps(export(french.recorded, FRENCH.session))
    assert "C9" not in written
    # What nobody but the taker saw is undone as anything else, and the play goes on without it.
    assert hand_of(french).dog.laid_unseen is not None


def test_a_discard_that_the_play_contradicts_is_asked_about(french: LiveTable) -> None:
    deal = hand_of_french(random.Random(3), OPENED, "garde")
    hand_over = [event for event in deal if isinstance(event, BidMade) and event.contract == "garde"]
    taker = hand_over[0].player
    before = next(at for at, event in enumerate(deal) if isinstance(event, HandfulShown | CardPlayed))
    played = {event.card for event in deal if isinstance(event, CardPlayed)}
    wrong = [
        card for card in FRENCH.session.pack.cards if card in played and card[0] == "S" and card != "SR"
    ][:6]
    for event in [*deal[:before], LaidFaceDown(taker, tuple(wrong)), *deal[before:]]:
        french.enter(event)
    assert [one.title for one in view_of(french, "en").asked] == ["Do the cards agree?"]


def test_a_handful_is_shown_in_time_or_refused_until_it_is_ones_turn(french: LiveTable, at: Page) -> None:
    french.enter(ContractNamed("garde", "Anna"))
    cards = [f"T{number}" for number in range(1, 11)]
    at.sent("/french/handful", "/french/handful", 409, player="Carl", card=cards, in_time="1")
    french.enter(CardPlayed("Anna", "S2"), CardPlayed("Bo", "S3"))
    at.sent("/french/handful", "/french/handful", player="Carl", card=cards, in_time="1")
    french.enter(CardPlayed("Carl", "T1"))
    hand = hand_of(french)
    assert [one.player for one in hand.handfuls] == ["Carl"] and not hand.findings
    assert "Carl shows a handful (10 cards)" in view_of(french, "en").felt.banners
    # Entered after his card it still counts from before it.
    late = [card for card in cards if card != "T10"] + ["T11"]
    at.sent("/french/handful", "/french/handful", player="Carl", card=late, in_time="1")
    assert not hand_of(french).findings and len(hand_of(french).handfuls) == 1


def test_five_players_call_a_king(tmp_path: Path) -> None:
    table = open_table(tmp_path, SessionOpened("french-tarot", (), NAMES[:5]), HandStarted("Erik"))
    page = Page(table)
    page.sent("/french/deal", "/french/contract", contract="garde", player="Bo")
    assert buttons(page.html("/french/deal"), "card")[:4] == ["SR", "HR", "DR", "CR"]
    page.sent("/french/deal", "/french/call", card="HR")
    assert hand_of(table).call.card == "HR"


def played_out(table: LiveTable, seed: int) -> FrenchHand:
    table.enter(*hand_of_french(random.Random(seed), OPENED, "garde", table.session.next_dealer))
    return hand_of(table)


def test_the_result_is_told_in_words_and_stands_on_the_sheet(french: LiveTable) -> None:
    hand = played_out(french, 5)
    view = view_of(french, "en")
    mark, taker = hand.outcome.mark, hand.taker or ""
    (told,) = view.result.endings
    assert told.startswith(f"{taker}: garde, ")
    each = f"{abs(mark):+d} {'from' if mark > 0 else 'to'} each, {3 * mark:+d}"
    assert told.endswith(f": {each.replace('-', '−')}")
    page = Page(french)
    table = page.html("/")
    assert f"Garde: {taker}" in table
    for total in hand.totals.values():
        assert str(abs(total)) in table
    assert sum(hand.totals.values()) == 0


def test_the_camera_tells_the_dog_and_a_handful_and_both_are_put_right_on_the_page(
    french: LiveTable, at: Page
) -> None:
    french.camera.set_status(CameraStatus("seeing"))
    sees(french, "Anna:T5 Bo:C10", DogTurned(tuple(DOG)))
    assert hand_of(french).dog.turned is None and hand_of(french).plays == [], "nobody knows the contract"
    french.enter(ContractNamed("garde", "Bo"))
    sees(french, DogTurned(tuple(DOG)))
    note = view_of(french, "en").felt.note
    assert note is not None and note.more.startswith("The dog: ") and "9 of diamonds" in note.more
    entry = f"/entries/{french.recorded[-1].seq}"
    at.sent(f"{entry}?place=5", f"{entry}/correct", place="5", card="D8")
    assert hand_of(french).dog.turned == PACK.mask([*DOG[:5], "D8"]), "the nine of diamonds was an eight"
    expected = french.expectation()
    assert expected is not None and [one.player for one in expected.may_reveal if one.now] == ["Anna", "Bo"]
    shown = expected.may_reveal[0].event(tuple(f"T{rank}" for rank in range(9, 19)))
    sees(french, "Anna:T9", shown)
    handful = hand_of(french).handfuls[0]
    assert (handful.player, handful.plays) == ("Anna", 0), "it was read after her card, and lay there before"
    assert "Anna shows a handful (10 cards)" in view_of(french, "en").felt.banners
    assert hand_of(french).findings == [] and view_of(french, "en").alerts == []


@pytest.mark.parametrize(("players", "mort"), [(3, False), (4, False), (5, False), (5, True)])
def test_an_evening_is_entered_on_the_page_at_a_table_of_each_size(
    tmp_path: Path, players: int, mort: bool
) -> None:
    """Two deals from the bids to the score sheet, all through the page; nothing that is hidden is sent to anybody."""
    seats = NAMES[:players]
    opened = SessionOpened("french-tarot", (("mort", True),) if mort else (), seats)
    table = open_table(tmp_path, opened, HandStarted(seats[-1]))
    host = Page(table)
    phones = {name: Page(table, Role.PLAYER, name, app=host.app) for name in seats}
    expected = FRENCH.session(opened, strict=True)
    for number, contract in enumerate(("garde", "garde_sans"), start=1):
        assert table.session is not None
        events = hand_of_french(random.Random(7 * players + number), opened, contract, hand_of(table).dealer)
        for event in events:
            expected.apply(event)
            enter_on_page(phones, event)
        hand = hand_of(table)
        assert hand.complete and FRENCH.audit(table.session) == FRENCH.audit(expected)
        assert sum(hand.totals.values()) == 0 and len(hand.active) == players - mort
        if number == 1:
            # Undone, the last card is played again and comes to the same.
            played = [event for event in events if isinstance(event, CardPlayed)][-1]
            assert host.post("/undo", seq=table.recorded[-1].seq)[0] == 200
            assert not hand_of(table).complete
            enter_on_page(phones, played)
            assert FRENCH.audit(table.session) == FRENCH.audit(expected)
            assert host.post("/hands/1/next")[0] == 200
    told = host.text("/")
    assert "Score sheet" in told and "Garde sans: " in told


def enter_on_page(phones: dict[str, Page], event: Event) -> None:
    """Enter `event` through the dialogs, on the phone of who does it."""
    anybody = next(iter(phones.values()))
    match event:
        case BidMade(player=player, contract=contract):
            phones[player].sent("/french/deal", "/french/bids", contract=contract)
        case CardCalled(card=card):
            anybody.sent("/french/deal", "/french/call", card=card)
        case DogTurned(cards=cards):
            path = "/french/dog"
            for card in cards:
                path = anybody.sent(path, "/french/dog", card=card)["dialog"]
        case LaidFaceUp(cards=cards):
            anybody.sent("/french/deal", "/french/laid", card=list(cards))
        case HandfulShown(player=player, cards=cards):
            phones[player].sent(
                "/french/handful", "/french/handful", player=player, card=list(cards), in_time="1"
            )
        case CardPlayed(player=player, card=card):
            phones[player].sent("/play", "/plays", card=card)


def test_while_a_deal_is_played_a_players_phone_is_shown_nothing_that_is_hidden(tmp_path: Path) -> None:
    deal = hand_of_french(random.Random(9), OPENED, "garde")
    taker = next(one.player for one in deal if isinstance(one, BidMade) and one.contract == "garde")
    opening = [one for one in deal if not isinstance(one, CardPlayed)]
    played = {one.card for one in deal if isinstance(one, CardPlayed)}
    laid = sorted(set(FRENCH.session.pack.cards) - played)
    before = deal[: deal.index(next(one for one in deal if isinstance(one, HandfulShown | CardPlayed)))]
    up = {card for one in opening if isinstance(one, LaidFaceUp) for card in one.cards}
    down = tuple(card for card in laid if card not in up)
    table = open_table(tmp_path, OPENED, *before, LaidFaceDown(taker, down))
    host = Page(table)
    other = Page(table, Role.PLAYER, next(name for name in FOUR if name != taker), app=host.app)
    watcher = Page(table, Role.WALL, app=host.app)
    for page in (host, other, watcher):
        assert page.client.get("/french/discard").status_code == 403
        for path in ("/", "/hands/1", "/undo", "/more", "/french/deal", "/learn", "/history", "/ledger"):
            answer = page.client.get(path)
            # The names of cards stand in dialogs to choose from; what was chosen is marked there.
            assert f'value="{down[0]}" checked' not in answer.get_data(as_text=True), path
            assert " ".join(down) not in answer.get_data(as_text=True), path


@pytest.mark.parametrize(
    ("lang", "points", "bouts"),
    [
        ("en", "points out", "bouts out"),
        ("da", "point ude", "bouts ude"),
        ("fr", "points dehors", "bouts dehors"),
    ],
)
def test_a_deal_is_counted_and_asked_about_in_each_language(
    french: LiveTable, lang: str, points: str, bouts: str
) -> None:
    hand = played_out(french, 5)
    page = Page(french)
    for after in (0, 40):
        out = [card for card in PACK.cards if card not in {play.card for play in hand.plays[:after]}]
        out = [card for card in out if card not in PACK.names(hand.dog.laid or 0)]
        told = page.text(f"/history/1/hands/1/review?after={after}", lang)
        assert f"{points} {halves_text(PACK.value(PACK.mask(out)))} " in told and bouts in told, after
    assert "10" in page.text("/history/1/hands/1/drill?seed=7&at=0&right=0&spent=0", lang)


def test_the_table_that_practises_counts_points_and_bouts_along(french: LiveTable, at: Page) -> None:
    french.choose(training=True)
    french.enter(ContractNamed("garde_sans", "Anna"), CardPlayed("Anna", "T21"), CardPlayed("Bo", "SR"))
    told = Page(french).text("/training")
    assert "points out 82 " in told and "bouts out petit, Excuse" in told


def test_a_penalty_for_a_flag_and_what_the_table_decides(french: LiveTable, at: Page) -> None:
    french.enter(ContractNamed("garde", "Bo"), *plays("Anna S5", "Bo SR", "Carl C2", "Dora S9"))
    french.enter(*plays("Bo C6", "Carl S2"))
    assert [one.kind for one in hand_of(french).findings] == ["revoke"]
    told = at.html("/")
    assert "Revoke: Carl" in told and "100 points" in told
    form = re.search(r'href="(/french/penalty[?][^"]*finding[^"]*)"', told)
    at.sent(form[1].replace("&amp;", "&"), "/french/penalties", player="Carl", amount="100")
    assert hand_of(french).totals["Carl"] == -100
    at.sent("/french/decide", "/french/award", card=["SR"], to="defence", reason="renonce")
    assert hand_of(french).awards
    at.sent("/french/adjust", "/french/adjust", player="Anna", sign="plus", points="7", reason="agreed")
    at.sent("/french/decide", "/french/annul", reason="cards were seen")
    hand = hand_of(french)
    assert hand.void == "annulled" and hand.totals == {"Anna": 7, "Bo": 0, "Carl": -100, "Dora": 0}
    assert french.session.next_dealer == "Dora"


@pytest.mark.parametrize(
    ("card", "asked"),
    [("C3", []), ("S3", ["Carl"])],
    ids=["another card off the suit", "one of the suit"],
)
def test_a_penalty_stays_with_its_flag_where_only_the_card_was_another_one(
    french: LiveTable, at: Page, card: str, asked: list[str]
) -> None:
    french.enter(ContractNamed("garde", "Bo"), *plays("Anna S5", "Bo SR", "Carl C2", "Dora S9"))
    french.enter(*plays("Bo C6", "Carl S2"))
    (flag,) = hand_of(french).findings
    french.enter(PenaltyBooked("Carl", None, "", 1, flag.name))
    (wrong,) = (play.seq for play in hand_of(french).plays if play.card == "C2")
    french.enter(PlayCorrected(wrong, card))
    view = view_of(french, "en")
    assert [row.title.split()[1] for row in view.fines] == asked
    assert view.open_findings == []


def test_whether_a_hand_stays_annulled_is_asked_once_the_flag_falls_that_annulled_it(
    french: LiveTable, at: Page
) -> None:
    french.enter(ContractNamed("garde", "Bo"), *plays("Anna S5", "Bo SR", "Carl C2", "Dora S9"))
    french.enter(*plays("Bo C6", "Carl S2"))
    at.sent("/french/decide", "/french/annul", reason="renonce")
    (wrong,) = (play.seq for play in hand_of(french).plays if play.card == "C2")
    french.enter(HandStarted("Dora"), PlayCorrected(wrong, "S3"))
    (row,) = view_of(french, "en").fines
    assert row.title == "Does the hand stay annulled? · Hand 1" and "The hand counts" in at.text("/")
    assert row.text.startswith("The hand is annulled: renonce. That flag no longer stands")
    assert at.post(f"/ends/{row.seq}", stands="no")[0] == 200
    assert french.session.hands[0].void is None and view_of(french, "en").fines == []


def test_a_misdeal_bars_who_caused_it_and_a_petit_alone_voids_the_deal(french: LiveTable, at: Page) -> None:
    at.sent("/more", "/french/redeal", player="Carl")
    for _ in range(2):
        at.sent("/french/deal", "/french/bids", contract="pass")
    assert buttons(at.html("/french/deal"), "contract")[:1] == ["pass"]
    assert "prise" not in buttons(at.html("/french/deal").split("Or enter")[0], "contract")
    assert 'name="player" value="Bo"' in at.html("/french/deal")
    assert 'name="player" value="Carl"' not in at.html("/french/deal"), "he cannot be the taker"
    at.post("/french/redeal", reason="petit_sec", player="Anna")
    assert hand_of(french).void == "petit_sec"
    note = view_of(french, "en").felt.note
    assert note is not None and note.text == "Next hand"  # nobody has dealt it yet


def test_every_dialog_answers_at_every_point_of_a_deal_and_refuses_nothing_but_in_words(
    french: LiveTable,
) -> None:
    page = Page(french)
    paths = ["/", "/french/deal", "/french/handful", "/french/penalty", "/french/decide", "/french/adjust", "/more",
             "/undo", "/start"]  # fmt: skip
    for event in hand_of_french(random.Random(2), OPENED, "prise")[:30]:
        french.enter(event)
        for path in paths:
            assert page.client.get(path).status_code == 200, path


def test_points_are_adjusted_for_a_player_who_has_left(french: LiveTable, at: Page) -> None:
    french.enter(HandAbandoned(), PlayerLeft("Carl"))
    at.sent("/french/adjust", "/french/adjust", player="Carl", sign="minus", points="7", reason="agreed")
    assert french.session.balances["Carl"] == -7
    read = loads(json.dumps(export(french.recorded, FRENCH.session)), FRENCH.session).session()
    assert read.balances == french.session.balances


@pytest.mark.parametrize("played", [3, 72], ids=["in play", "after the last card"])
def test_a_slam_and_trumps_laid_face_up_that_nobody_entered_are_entered_after_cards(
    french: LiveTable, at: Page, played: int
) -> None:
    dealt = hand_of_french(random.Random(8), OPENED, "garde")
    cards = [event for event in dealt if isinstance(event, CardPlayed)]
    taker = next(event.player for event in dealt if isinstance(event, BidMade) and event.contract != "pass")
    dog = next(event for event in dealt if isinstance(event, DogTurned))
    french.enter(ContractNamed("garde", taker), dog, *cards[:played])
    path = "/french/deal" if played < 72 else re.findall(r'href="(/french/deal[^"]*)"', at.html("/more"))[0]
    at.sent(path, "/french/slam")
    assert hand_of(french).slam and len(hand_of(french).plays) == played and not french.session.alerts
    at.sent(path, "/french/laid")
    assert hand_of(french).dog.laid == 0, "none was laid face up"
    slams = [score for score in hand_of(french).scores if score.reason == "slam"]
    assert bool(slams) is (played == 72), "an announced slam that was not made costs 200"
    assert "caused it" not in at.text("/more") and "the petit alone" not in at.text("/more")
    read = loads(json.dumps(export(french.recorded, FRENCH.session)), FRENCH.session).session()
    assert FRENCH.audit(read) == FRENCH.audit(french.session)


def test_what_a_penalty_or_an_adjustment_did_is_said_with_its_reason_once(at: Page) -> None:
    asked = {"player": "Anna", "reason": "talks"}
    said = at.sent("/french/penalty", "/french/penalties", **asked, amount="20")["message"]
    assert said == "Straf til Anna (20): talks. Anna mister point: straf (20)."
    said = at.sent("/french/adjust", "/french/adjust", **asked, sign="plus", points="7")["message"]
    assert said == "Anna +7: talks. Anna får point: regulering (7)."


def test_chips_are_not_moved_where_a_score_sheet_is_kept(at: Page) -> None:
    moved = {"source": "Anna", "target": "Bo", "amount": "20", "reason": "agreed"}
    assert at.post("/adjust", **moved) == (404, "Den side findes ikke.")
    assert "There is no such page." in at.html("/adjust", 404), "nor is it asked which"
