"""The history: evenings are kept and listed, hand by hand; the season, who owes whom; to files and from files."""

import csv
import html
import io
import json
import re
import sqlite3
from itertools import pairwise
from pathlib import Path

import pytest
from webui_deals import OPENED, SIDES, hand
from webui_history import file_of, rows_of, sent
from webui_page import Page
from webui_table import restarted

from tracker.danish.events import Adjusted
from tracker.danish.session import DanishSession
from tracker.events import Event, HandAbandoned, HandStarted, SessionClosed, SessionOpened
from tracker.session_file import export
from tracker.store import EventStore
from webui.app_parts import app_parts
from webui.downloads import as_csv
from webui.people.fair_play import Sight
from webui.people.roles import Role
from webui.reporting.rounds import OfferedRound, TableRound
from webui.table.history import remembered
from webui.table.live import LiveTable
from webui.view.history import chips_chart

ROOT = Path(__file__).parents[2]
AN_EVENING = [OPENED, *hand(1), *hand(2, "Bo"), SessionClosed()]


@pytest.fixture
def settled(table: LiveTable) -> LiveTable:
    """An evening of two hands, settled."""
    table.enter(*AN_EVENING[1:])
    return table


def set_chip(page: Page, amount: str) -> int:
    """Say what a chip is worth; the status that comes back."""
    fields = {"token": page.token, "amount": amount, "currency": "kr."}
    return page.client.post("/history/chip", data=fields).status_code


def chips_of(page: Page, span: str = "") -> dict[str, int]:
    """Each player's chips over the season."""
    return {row[0]: int(row[3]) for row in rows_of(page, f"/history.csv{span}")[1:]}


@pytest.mark.parametrize(("lang", "day"), [("en", "12/3"), ("da", "3.12")])
def test_the_seasons_picture_has_its_days_as_the_reader_writes_them(page: Page, lang: str, day: str) -> None:
    assert sent(page, file_of(AN_EVENING), "2025-12-03") == (200, "1 evening is now in the history.")
    shown = page.client.get(f"/history?lang={lang}").get_data(as_text=True)
    assert re.findall(r'<text class="x"[^>]*>([^<]*)<', shown)[-1] == day


def test_an_evening_has_each_hands_chips_and_who_owes_whom(settled: LiveTable, page: Page) -> None:
    shown = page.text("/history/1")
    for name, chips in settled.session.balances.items():
        assert f"{name} {'+' if chips > 0 else '−'}{abs(chips)}" in shown
    head, *hands, total = rows_of(page, "/history/1.csv")
    assert head == ["Spil", "Anna", "Bo", "Carl"] and [row[0] for row in hands] == ["1", "2", "Gjort op"]
    assert total[1:] == [str(chips) for chips in settled.session.balances.values()]
    columns = zip(*(row[1:] for row in hands), strict=True)
    assert [sum(map(int, column)) for column in columns] == [int(chips) for chips in total[1:]]
    owed = re.findall(r"(\w+) owes (\w+) (\d+) chips", shown)
    left = dict(settled.session.balances)
    for source, target, amount in owed:
        left[source] += int(amount)
        left[target] -= int(amount)
    assert owed and not any(left.values())


def test_a_hand_has_its_tricks_and_its_payments(settled: LiveTable, page: Page) -> None:
    shown = page.html("/history/1/hands/2")
    assert shown.count("took it") == 25 and shown.count("<small>led</small>") == 25
    # PAY-8 is the settling.
    payments = [one for one in settled.session.hands[1].payments if one.rule != "PAY-8"]
    assert shown.count('<td class="num">') == len(payments)
    assert page.client.get("/history/1/hands/3").status_code == 404
    assert page.client.get("/history/2").status_code == 404


def test_the_season_adds_settled_evenings_alone_and_a_span_of_days_chooses_them(
    settled: LiveTable, page: Page
) -> None:
    first = settled.session.balances
    sent(page, file_of([OPENED, *hand(5), SessionClosed()]), "2026-03-07")
    settled.open_evening(OPENED, SIDES)
    settled.enter(HandStarted("Anna"), Adjusted("Anna", "Bo", 500, "x"), HandAbandoned())
    other = chips_of(page, "?from=2026-03-07&to=2026-03-07")
    assert chips_of(page) == {name: first[name] + other[name] for name in first}
    shown = page.text("/history")
    assert shown.count("not closed") == 1 and "Mar 7, 2026" in shown
    assert "Mar 7, 2026" not in page.html("/history?from=2026-03-08")
    none = page.text("/history?from=2027-01-01")
    assert "No evening is from those days." in none and "No evening is kept yet." not in none
    assert page.client.get("/history?from=tomorrow").status_code == 400


def test_an_evening_that_was_opened_by_mistake_is_nobodys_evening(settled: LiveTable, page: Page) -> None:
    before = rows_of(page, "/history.csv")
    assert page.post("/evening/again")[0] == page.post("/settle")[0] == 200
    assert len(settled.kept.all()) == 2 and rows_of(page, "/history.csv") == before
    assert page.html("/history").count('<text class="x"') == 1


def test_what_is_owed_is_told_in_money_if_a_chip_is_worth_some(settled: LiveTable, page: Page) -> None:
    assert "kr." not in page.text("/history/1")
    assert set_chip(page, "0,25") == 303
    owed = re.findall(r"owes \w+ (\d+) chips: ([\d.,]+) kr\.", page.text("/history/1"))
    assert owed and all(int(chips) * 25 == round(float(money) * 100) for chips, money in owed)
    assert restarted(settled).choices.chip_hundredths == 25
    assert set_chip(page, "a lot") == 400 and "kr." in page.text("/history")
    assert set_chip(page, "") == 303
    assert "kr." not in page.text("/history")


@pytest.mark.parametrize("role", [Role.PLAYER, Role.HOST])
def test_the_hand_that_is_played_is_in_no_history_and_no_file_until_it_is_over(
    table: LiveTable, role: Role
) -> None:
    table.choose(fair_play=True)
    table.enter(*hand(1))
    page = Page(table, role)
    before = {path: page.html(path) for path in ("/history/1.csv", "/history/1.json")}
    table.enter(*hand(2, "Bo")[:30], Adjusted("Anna", "Bo", 500, "x"))
    for path, said in before.items():
        assert page.html(path) == said
    assert "not here until it is over" in page.text("/history/1")
    assert page.client.get("/history/1/hands/2").status_code == 404
    assert page.client.get("/history/1/hands/1").status_code == 200
    if role is Role.HOST:
        (row,) = page.client.get("/history.json").get_json()["evenings"]
        assert row["evening"] == json.loads(before["/history/1.json"])
    table.enter(*hand(2, "Bo")[30:])
    assert page.client.get("/history/1/hands/2").status_code == 200
    assert len(page.client.get("/history/1.json").get_json()["hands"]) == 2


def test_a_player_looks_and_the_host_takes_in_and_takes_out(settled: LiveTable) -> None:
    player, wall = Page(settled, Role.PLAYER), Page(settled, Role.WALL)
    for path in ("/history", "/history/1", "/history/1.json"):
        assert player.client.get(path).status_code == 200, path
    assert wall.client.get("/history").status_code == 403
    assert player.client.get("/history.json").status_code == 403 and sent(player, b"{}")[0] == 403
    assert "from a file" not in player.text("/history")


def test_all_evenings_go_to_another_table_by_one_file_and_only_once(
    settled: LiveTable, page: Page, tmp_path: Path
) -> None:
    sent(page, file_of([OPENED, *hand(5), SessionClosed()]), "2026-03-07")
    whole = page.client.get("/history.json").data
    other = LiveTable(EventStore(tmp_path / "other.sqlite3"))
    there = Page(other)
    assert sent(there, whole) == (200, "2 evenings are now in the history.") and len(other.kept.all()) == 2
    assert other.session is None and other.evening.number is None  # nobody plays them at this table
    assert chips_of(there) == chips_of(page)
    assert sent(there, whole) == (409, "Every evening of that file is already in the history.")
    twice = {"began": "2026-03-08", "evening": json.loads(file_of([OPENED, *hand(7)]))}
    evenings = json.dumps({"format": "tarok-evenings/1", "evenings": [twice, twice]}).encode()
    last = LiveTable(EventStore(tmp_path / "last.sqlite3"))
    assert sent(Page(last), evenings) == (200, "1 evening is now in the history.")
    assert sent(there, there.client.get("/history.json").data)[0] == 409
    other.open_evening(OPENED, SIDES)
    other.enter(*hand(9)[:5])
    sent(there, file_of([OPENED, *hand(6), SessionClosed()]))
    again = restarted(other)
    assert again.recorded == other.recorded
    assert there.post("/host/evenings/delete", evening=1)[0] == 200
    assert len(other.kept.all()) == 3


@pytest.mark.parametrize(
    ("whole", "damaged"), [('{"event"', "{event"), ("HandStarted", "Swum"), ('"dtf-2011"', '"whist"')]
)
def test_a_damaged_evening_is_named_and_the_others_are_read(
    empty: LiveTable, whole: str, damaged: str
) -> None:
    page, file = Page(empty), file_of(AN_EVENING)
    other = file_of([OPENED, *hand(5), SessionClosed()])
    assert sent(page, file, "2025-12-03")[0] == sent(page, other, "2026-03-07")[0] == 200
    assert "Dec 3, 2025" in page.text("/history") and "damaged" not in page.text("/history")
    with sqlite3.connect(empty.path) as database:
        database.execute("UPDATE events SET data = replace(data, ?, ?) WHERE session = 1", (whole, damaged))
    said = "The evening of December 3, 2025 is damaged and cannot be read. The others are whole."
    assert said in page.text("/history"), "while the program runs"
    restart = Page(restarted(empty))
    for path in ("", "/hands/1", "/hands/1/replay", "/hands/1/review", ".json", ".csv"):
        assert html.unescape(restart.html(f"/history/1{path}", 500)).count(said), path
    shown = restart.text("/history")
    assert said in shown and "Mar 7, 2026" in shown and "Dec 3, 2025" not in shown
    assert (
        "Hand 1" in restart.text("/learn") and len(restart.client.get("/history.json").json["evenings"]) == 1
    )
    assert "Dec 3, 2025" in restart.text("/host")
    assert sent(restart, other)[0] == 409 and sent(restart, file, "2025-12-03")[0] == 200  # whole again
    assert restart.post("/host/erase?lang=en", name="Anna") == (500, said)
    assert restart.post("/host/evenings/delete", evening=1)[0] == 200
    assert "damaged" not in restart.text("/history") and restart.post("/host/erase", name="Anna")[0] == 200


def test_a_file_without_an_evening_says_so(page: Page) -> None:
    none = b'{"format": "tarok-evenings/1", "evenings": []}'
    assert sent(page, none) == (422, "The file cannot be read: evening.json: it holds no evening.")


def test_who_is_written_with_needless_spaces_in_a_file_is_the_same_person(empty: LiveTable) -> None:
    page, written = Page(empty), file_of(AN_EVENING)
    assert sent(page, written.replace(b'"Anna"', b'"  Anna "').replace(b'"Bo"', b'"Bo  B"'))[0] == 200
    assert empty.kept.all()[0].players == ("Anna", "Bo B", "Carl")
    assert sent(page, written.replace(b'"Bo"', b'"Bo B"')) == (
        409,
        "Every evening of that file is already in the history.",
    )
    status, said = sent(page, written.replace(b'"Bo"', b'"Anna "'))
    assert (status, said) == (422, "The file cannot be read: evening.json: seats: Anna is seated twice.")


UNREADABLE = {
    "no JSON": (b"\x00", "The file cannot be read: evening.json: not JSON"),
    "no session file": (b'[{"name": "my-app"}]', "evening.json: this is no file of an evening of Tarok Table."),
    "another file": (b'{"format": "x"}', "format: must be 'tarok-session/1', not 'x'"),
    "a game that nobody knows": (
        b'{"format": "tarok-session/1", "rules": "tarot-1660", "seats": ["A", "B", "C", "D"], "hands": []}',
        "unknown rule set 'tarot-1660'",
    ),
    "a play that cannot have been": (file_of([OPENED, *hand(1)]).replace(b'"Anna"', b'"Bob"', 1), "is not seated"),
    "a name of no player here": (
        file_of([SessionOpened("dtf-2011", (), ("Anna/", "Bo", "Carl"))]),
        "'Anna/' is not a name that a player can have here",
    ),
    "one evening of several": (
        b'{"format": "tarok-evenings/1", "evenings": [{"began": "soon", "evening": {}}]}',
        "evenings[0].began: must be a day",
    ),
    "several without an evening": (
        b'{"format": "tarok-evenings/1", "evenings": [{"began": "2026-03-07"}]}',
        "cannot be read: evening.json: evenings[0]: 'evening' is missing",
    ),
    "an evening of several": (
        b'{"format": "tarok-evenings/1", "evenings": [{"began": "2026-03-07", "evening": {}}]}',
        "evenings[0].evening: this is no file of an evening of Tarok Table",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_taken_in_is_one_sentence_and_keeps_nothing(
    page: Page, data: bytes, said: str
) -> None:
    status, message = sent(page, data)
    assert status == 422 and said in message and "\n" not in message
    _, danish = sent(page, data, lang="da")
    assert danish.startswith("Filen kan ikke læses: ") and said not in danish
    assert len(page.table.kept.all()) == 1


@pytest.mark.parametrize(
    "began", ["0001-01-01", "9999-12-31 23:59", "0001-01-01T00:00+23:59", "1969-12-31", "2200-01-01"]
)
def test_an_evening_at_the_ends_of_time_is_refused_and_every_page_goes_on(
    settled: LiveTable, page: Page, began: str
) -> None:
    evening = json.loads(file_of([OPENED, *hand(3)]))
    data = json.dumps({"format": "tarok-evenings/1", "evenings": [{"began": began, "evening": evening}]})
    status, said = sent(page, data.encode())
    assert status == 422 and "must be a day from 1971 to 2199" in said
    assert sent(page, file_of([OPENED, *hand(3)]), day=began[:10])[0] == 400
    for path in ("/history", "/history.csv", "/history.json", f"/history?from={began[:10]}"):
        assert page.client.get(path).status_code == 200, path


HOSTILE = {
    "too many evenings": {"format": "tarok-evenings/1", "evenings": [{}] * 1001},
    "a hand of thousands of entries": json.loads(file_of([OPENED]))
    | {"hands": [{"events": [{"fine": "Anna", "category": "minor"}] * 10_001}]},
    "amounts beyond all": json.loads(file_of([OPENED]))
    | {"hands": [{"events": [{"adjust": {"from": "Anna", "to": "Bo", "amount": 10**35}, "reason": "x"}]}]},
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_in_a_sentence(settled: LiveTable, page: Page, data: object) -> None:
    before = len(settled.kept.all())
    status, said = sent(page, json.dumps(data).encode())
    assert status == 422 and len(said) < 200 and len(settled.kept.all()) == before
    assert page.client.get("/history").status_code == 200


def test_a_file_may_be_larger_than_an_entry_and_an_entry_may_not(page: Page) -> None:
    hands = [event for seed in range(20) for event in hand(seed, OPENED.seats[seed % 3])]
    data = json.dumps(export([OPENED, *hands, SessionClosed()], DanishSession), indent=1).encode()
    assert len(data) > 64 * 1024
    assert sent(page, data)[0] == 200
    assert sent(page, b" " * (5 << 20))[0] == 413
    assert set_chip(page, "1" * 70_000) == 413


def test_a_name_that_is_erased_is_gone_from_the_season(settled: LiveTable, page: Page) -> None:
    assert "Bo" in chips_of(page)
    page.post("/host/erase", name="Bo")
    assert set(chips_of(page)) == {"Anna", "Carl", "N.N."}


def test_a_name_that_is_erased_is_gone_from_the_round_that_a_club_offered(
    settled: LiveTable, page: Page
) -> None:
    offer = OfferedRound("key/1", "Træf", 1, 1, "danish", ("Anna", "Bo", "Carl"))
    app_parts(page.app).reporter.rounds.save(TableRound(offer))
    [file] = settled.path.parent.glob("*.round.json")
    assert '"Bo"' in file.read_text()
    page.post("/host/erase", name="Bo")
    assert not file.exists() or "Bo" not in file.read_text()


def test_the_picture_has_the_tables_figures_and_names_that_do_not_lie_on_each_other() -> None:
    steps = [{"Anna": 10, "Bo": -10}, {"Anna": 15, "Bo": -25, "Carl": 10}, {"Anna": 0, "Bo": -5, "Carl": 5}]
    chart = chips_chart(steps, ["1", "2", "3"])
    (_, low), (_, high) = chart.ticks[0], chart.ticks[-1]
    assert (low, high) == ("−25", "+15")
    per_chip = (chart.ticks[0][0] - chart.ticks[-1][0]) / 40
    for line in chart.lines:
        values = [round((chart.zero - y) / per_chip) for _, y in line.dots]
        assert values == [0, *(step[line.name] for step in steps if line.name in step)]
    places = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= 15 for above, below in pairwise(places))
    assert [line.label for line in chart.lines] == ["Anna 0", "Bo −5", "Carl +5"]
    assert chips_chart([], []) is None


def test_no_two_labels_under_the_chart_touch() -> None:
    for count, label in ((60, "60"), (30, "11/15"), (3, "1")):
        columns = chips_chart([{"Anna": 0}] * count, [label] * count).columns
        widths = {later[0] - earlier[0] for earlier, later in pairwise(columns)}
        assert 1 <= len(columns) <= 12 and min(widths) > 6 * len(label) + 3


def test_many_players_with_the_same_chips_have_a_line_each_inside_the_picture() -> None:
    chart = chips_chart([{f"Player {number}": 0 for number in range(40)}], ["1"])
    places = sorted(line.label_y for line in chart.lines)
    assert places[0] >= 0 and places[-1] <= chart.height
    assert all(below - above >= 15 for above, below in pairwise(places))


@pytest.mark.parametrize("lang", ["da", "en"])
def test_a_table_has_no_two_columns_of_one_name_and_nothing_in_an_empty_cell(table, page, lang) -> None:
    """Dora joined after a hand: her place in the row of that hand is empty."""
    table.enter(*hand(3))
    page.post("/join", player="Dora", after="Carl")
    page.post("/settle")
    for path in ("/history.csv", "/history/1.csv"):
        said = page.client.get(f"{path}?lang={lang}").get_data(as_text=True).lstrip("\ufeff")
        head, *rows = csv.reader(io.StringIO(said), delimiter=";" if lang == "da" else ",")
        assert len(set(head)) == len(head), head
        assert "'" not in said
    assert rows[0][-1] == ""


def test_no_cell_of_a_table_is_a_formula() -> None:
    assert as_csv([["=1+1", "Bo", -5], ["-x", "@y", 3]], ",") == "\ufeff'=1+1,Bo,-5\r\n'-x,'@y,3\r\n"


@pytest.mark.parametrize("hands", [hand(5), hand(5)[:20]], ids=["a whole hand", "a hand that was broken off"])
def test_an_evening_that_its_file_does_not_close_is_settled_from_its_page(
    empty: LiveTable, hands: list[Event]
) -> None:
    page = Page(empty)
    assert sent(page, file_of([OPENED, *hands]))[0] == 200
    player = Page(empty, Role.PLAYER, app=page.app)
    assert "not closed" in page.text("/history") and "The season" not in page.text("/history")
    assert "Settle the evening" in page.text("/history/1")
    assert "Settle the evening" not in player.text("/history/1")
    assert player.post("/history/1/settle")[0] == 403
    asked, question = page.post("/history/1/settle?lang=en", sure="")
    assert asked == 428 and question == (
        "The pots are shared evenly, and the evening counts in the season. It cannot be undone."
    )
    assert "not closed" in page.text("/history")
    for _ in range(2):  # a second tap does no harm
        page.client.post("/history/1/settle", data={"token": page.token, "sure": "yes"})
    assert len(EventStore(empty.path).events(1)) == 2 + len(hands)
    assert "not closed" not in page.text("/history")
    assert "/history/1/settle" not in page.html("/history/1")
    assert sum(int(row[3]) for row in rows_of(page, "/history.csv")[1:]) == 0
    assert sent(page, file_of([OPENED, *hands])) == (
        409,
        "Every evening of that file is already in the history.",
    )


def test_the_evening_that_is_played_is_not_settled_from_the_history(table: LiveTable) -> None:
    table.enter(*hand(5))
    page = Page(table)
    assert "/history/1/settle" not in page.html("/history/1")
    assert page.post("/history/1/settle")[0] == 409 and table.evening.is_open


def test_what_was_reckoned_of_a_past_evening_while_it_changed_is_not_remembered(empty: LiveTable) -> None:
    number = empty.kept.store.import_session([OPENED, *hand(3)], at=1.6e9)

    def reckoned_late(shown: Sight) -> int:
        if empty.kept.store.events(session=number)[-1].event != SessionClosed():
            empty.enter_past(number, SessionClosed(), "/host")
        return sum(shown.session.pots.values())

    known: dict[int, int] = {}
    assert remembered(empty, known, number, reckoned_late) > 0 and not known
    assert remembered(empty, known, number, reckoned_late) == 0 and known == {number: 0}
