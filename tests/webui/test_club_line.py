"""From a table to the club: everything arrives once and in order, whoever is killed and whatever is cut."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from club_server import ClubServer
from club_table import (
    ADDRESS,
    Club,
    CutError,
    batch_of,
    cut,
    enter,
    joined_table,
    open_table,
    own_events,
    sends_all,
    sent,
)
from sqlalchemy import event, select
from webui_deals import OPENED, SIDES, hand
from webui_line import Line
from webui_page import Page
from webui_serving import SEATS, Server, Visitor
from webui_until import until

from tracker.events import CardPlayed, PlayCorrected, SessionClosed
from tracker.store import EventStore
from webui.app_parts import app_parts
from webui.club.intake import stored_events
from webui.club.parts import club_parts
from webui.club.schema import DELETED, EVENINGS, EVENT_ROWS, open_database
from webui.reporting.club_line import START, Reply, kept_joined, sentence_in
from webui.reporting.reporter import JoiningError, Reporter
from webui.table.live import LiveTable

# ---- what arrives ----


def test_what_happens_at_the_table_is_at_the_club_with_the_same_chips(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    assert sends_all(reporter).state == "told"
    assert [data for _, _, data in club.stored()] == own_events(table)
    assert club.standing() == table.session.balances
    head = json.loads(club.rows(EVENINGS)[0].head)
    assert (head["hand"], head["trick"], head["playing"]) == (1, 25, False)


def test_while_a_hand_is_played_the_wall_has_the_chips_before_it(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    before = dict(table.session.balances)
    enter(table, hand(4, "Bo")[:20])
    sends_all(reporter)
    head = json.loads(club.rows(EVENINGS)[0].head)
    assert head["chips"] == before != table.session.balances


def test_a_correction_of_an_earlier_play_follows_at_the_club(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    events = hand(3)
    enter(table, events[:30])
    sends_all(reporter)
    play = next(record for record in table.recorded if isinstance(record.event, CardPlayed))
    other = next(e.card for e in events[60:] if isinstance(e, CardPlayed) and e.player == play.event.player)  # type: ignore[attr-defined]
    enter(table, [PlayCorrected(play.seq, card=other)])
    assert sends_all(reporter).state == "told"
    assert club.count() == 32


def test_evenings_before_joining_stay_at_the_table(tmp_path: Path, club: Club) -> None:
    table = open_table(tmp_path)
    table.open_evening(OPENED, SIDES)
    enter(table, [*hand(3), SessionClosed()])
    reporter = club.take_in(table)
    sends_all(reporter)
    assert club.count() == 0
    table.open_evening(OPENED, SIDES)
    sends_all(reporter)
    assert club.count() == 1


def test_only_events_and_chips_go_over_the_line(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    sends_all(reporter)
    batches = [data for path, data in club.sent if path == "/api/events"]
    paths = {path for path, _ in club.sent}
    assert paths == {"/api/join", "/api/places", "/api/round", "/api/events"} and batches
    assert all(data == {"begun": []} for path, data in club.sent if path == "/api/round")
    for batch in batches:
        assert batch.keys() == {"evening", "opened_at", "after", "digest", "events", "chips"}
        for at, by, data in batch["events"]:
            assert isinstance(at, float) and len(by) < 50 and len(data) < 2000
            assert "event" in json.loads(data)


# ---- lost, cut, killed ----


@pytest.mark.parametrize("seed", range(2))
def test_a_line_that_is_cut_anywhere_loses_nothing_and_stores_nothing_twice(
    seed: int, tmp_path: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are lost on their way there or their answers on the way back, and either program starts again."""
    monkeypatch.setattr("webui.reporting.reporter.BATCH_S", 0.0)
    monkeypatch.setattr("webui.reporting.reporter._LONGEST_WAIT_S", 0.01)
    monkeypatch.setattr("webui.reporting.reporter.MOST_EVENTS", 7)
    chance = random.Random(seed)

    def may_cut(path: str) -> None:
        if path != "/api/join" and chance.random() < 0.3:
            raise CutError("cut")

    table, reporter = joined_table(tmp_path, club)
    club.before = club.after = may_cut
    for number in range(2):
        for start in range(0, 76, 19):
            enter(table, hand(number)[start : start + 19])
            reporter.start()
            time.sleep(0.05)
            if chance.random() < 0.5:
                reporter.stop()
                reporter = Reporter(table, club.ask)
            if chance.random() < 0.3:
                club.restart()
        enter(table, [SessionClosed()])
        if number == 0:
            table.open_evening(OPENED, SIDES)
    club.before = club.after = lambda path: None
    assert sends_all(reporter).state == "told"
    assert [data for _, _, data in club.stored()] == own_events(table)


def test_days_without_a_network_are_told_in_order_when_it_is_back(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)

    club.before = cut
    reporter.start()
    for number in range(3):
        if number:
            table.open_evening(OPENED, SIDES)
        enter(table, [*hand(number), SessionClosed()])
    until(lambda: reporter.progress.state == "waiting")
    assert reporter.progress.unsent > 0
    reporter.stop()
    club.before = lambda path: None
    sends_all(reporter)
    assert [data for _, _, data in club.stored()] == own_events(table)


def test_the_club_goes_back_to_an_older_backup_and_the_table_sends_the_rest_again(
    tmp_path: Path, club: Club
) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:20])
    sends_all(reporter)
    saved = club.stored()
    (row,) = club.rows(EVENINGS)
    enter(table, hand(3)[20:50])
    sends_all(reporter)
    with club.engine.begin() as connection:  # as pg_restore leaves it
        connection.execute(EVENT_ROWS.delete().where(EVENT_ROWS.c.seq > len(saved)))
        connection.execute(EVENINGS.update().values(last=row.last, digest=row.digest))
    club.restart()
    enter(table, hand(3)[50:])
    sends_all(reporter)
    assert [data for _, _, data in club.stored()] == own_events(table)


def test_the_answer_to_joining_is_lost_and_the_same_code_is_good_once_more(
    tmp_path: Path, club: Club
) -> None:
    table = open_table(tmp_path)
    reporter = Reporter(table, club.ask)
    code = club.code("Bord 1")

    club.after = cut
    with pytest.raises(JoiningError):
        reporter.join(ADDRESS, code, begin=False)
    assert reporter.club is None
    club.after = lambda path: None
    assert reporter.join(ADDRESS, code.lower().replace("-", " "), begin=False).table == "Bord 1"
    other = Reporter(open_table(tmp_path, name="other"), club.ask)
    with pytest.raises(JoiningError, match="is not known"):
        other.join(ADDRESS, code, begin=False)


# ---- what is refused ----


def test_a_batch_that_comes_twice_too_early_or_too_late_is_stored_once(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    assert sent(club, reporter, batch_of(table, 10, 20))[0] == 409
    assert sent(club, reporter, batch_of(table, 0, 10))[0] == 200
    status, told = sent(club, reporter, batch_of(table, 0, 10))
    assert (status, told["last"]) == (409, 10)
    assert sent(club, reporter, batch_of(table, 11, 20))[0] == 409
    assert sent(club, reporter, batch_of(table, 10, 20))[0] == 200
    assert [seq for _, seq, _ in club.stored()] == list(range(1, 21))


def test_what_many_tables_send_at_once_is_stored_at_once_and_a_bad_batch_harms_nobody(
    tmp_path: Path, club: Club
) -> None:
    tables = [joined_table(tmp_path, club, f"Bord {number}") for number in range(6)]
    for table, _ in tables:
        enter(table, hand(3)[:20])
    batches = [batch_of(table, 0, 21) for table, _ in tables]
    batches[3] = batch_of(tables[3][0], 0, 21, chips={"Anna": 1})
    answers: dict[int, int] = {}

    def send(place: int) -> None:
        answers[place] = sent(club, tables[place][1], batches[place])[0]

    commits: list[object] = []
    event.listen(club.engine, "commit", commits.append)
    intake = club_parts(club.app).intake
    threads = [threading.Thread(target=send, args=(place,)) for place in range(6)]
    with intake._storing:  # another batch is being stored just now
        for thread in threads:
            thread.start()
        until(lambda: len(intake._waiting) == 6)
    for thread in threads:
        thread.join()
    assert len(commits) == 1
    assert [answers[place] for place in range(6)] == [200, 200, 200, 422, 200, 200]
    assert club.count() == 5 * 21
    # The refused one is good once it is right, and the others go on from where they are.
    assert sent(club, tables[3][1], batch_of(tables[3][0], 0, 21))[0] == 200
    enter(tables[0][0], hand(3)[20:40])
    assert sent(club, tables[0][1], batch_of(tables[0][0], 21, 41))[0] == 200


def test_chips_that_are_not_those_of_the_clubs_own_replay_are_refused(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    right = {**table.session.balances, **table.session.pots}
    wrong = {**right, "Anna": right["Anna"] + 5, "Bo": right["Bo"] - 5}
    status, told = sent(club, reporter, batch_of(table, 0, 77, chips=wrong))
    assert status == 422 and "efter klubbens optælling" in told["message"] and club.count() == 0
    assert sent(club, reporter, batch_of(table, 0, 77, chips={**right, "Eve": 0}))[0] == 422
    assert sent(club, reporter, batch_of(table, 0, 77, chips=right))[0] == 200


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"events": [[0.0, "", data]]}
            for data in (
                "no JSON",
                "[]",
                '{"event":"CardPlayed"}',
                '{"event":"SessionOpened","rules":"whist"}',
                '{"event":"SessionOpened","rules":"dtf-2011","seats":["Anna"]}',
                "[" * 30000,
            )
        ),
        *(
            {"events": [[at, by, "{}"]]}
            for at, by in ((-1.0, ""), ("now", ""), (0.0, "x" * 200), (0.0, "\0"))
        ),
        {"events": []},
        {"events": "all of them"},
        {"after": -1},
        {"after": True},
        {"digest": "short"},
        {"opened_at": "yesterday"},
        {"evening": ""},
        {"evening": "\n"},
        {"chips": {"Anna": "5"}},
        {"pictures": []},
    ],
)
def test_what_is_no_batch_is_refused_in_one_sentence(
    change: dict[str, Any], tmp_path: Path, club: Club
) -> None:
    table, reporter = joined_table(tmp_path, club)
    status, told = sent(club, reporter, batch_of(table, 0, 1) | change)
    assert status in (400, 422) and told["message"].endswith(".") and club.count() == 0


def test_another_record_of_the_same_evening_is_refused_and_the_host_is_told(
    tmp_path: Path, club: Club
) -> None:
    """The laptop went back to an older backup, and played on from there."""
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:10])
    copy = tmp_path / "copy.sqlite3"
    table._store.copy_to(copy)
    enter(table, hand(3)[10:30])
    sends_all(reporter)
    older = LiveTable(EventStore(copy))
    enter(older, hand(3)[10:15])
    kept_joined(copy).save(reporter.club)
    going_on = Reporter(older, club.ask)
    assert sends_all(going_on).state == "refused"
    enter(older, hand(3)[15:40])  # now it has more than the club
    assert sends_all(going_on).state == "refused"
    assert sends_all(Reporter(older, club.ask)).state == "refused"
    assert [data for _, _, data in club.stored()] == own_events(table)


def test_what_the_club_says_is_read_in_the_readers_language(tmp_path: Path, club: Club) -> None:
    """The club's own language is Danish, and it does not know who will read what it says to a table."""
    table, reporter = joined_table(tmp_path, club)
    (known,) = club_parts(club.app).members.tables_of(club.number)
    with club.engine.begin() as connection:  # the club has deleted the evening
        (info,) = table.kept.played_here()
        row = {"place": known.id, "key": info.key, "last": 0, "digest": START}
        connection.execute(DELETED.insert().values(row))
    assert sends_all(reporter).state == "refused"
    page = Page(table)
    app_parts(page.app).reporter = reporter
    assert "The club has deleted this evening." in page.text("/host", "en")
    assert "Klubben har slettet denne aften" in page.text("/host", "da")
    status, told = sent(club, reporter, {})
    assert status == 400 and told["messages"].keys() == {"da", "en", "fr"}
    assert sentence_in(told["messages"], "da@sciesen") == told["messages"]["da"] != told["messages"]["en"]
    assert sentence_in({"sv": "Nej."}, "da") == "Nej." and sentence_in({}, "da") == ""


def test_the_host_reads_the_whole_reason_why_the_club_does_not_take_the_table(
    tmp_path: Path, club: Club
) -> None:
    page = Page(open_table(tmp_path))
    app_parts(page.app).reporter = Reporter(page.table, club.ask)
    said = page.post("/host/club/join?lang=en", address=ADDRESS, code="XXXX-XXXX")
    reason = "This code is not known, was used, or is too old. Ask the club for a new one."
    assert said == (502, f"The club says: {reason}")


def test_a_table_is_not_taken_for_a_club(tmp_path: Path) -> None:
    page, other = Page(open_table(tmp_path)), Page(open_table(tmp_path, name="other"))

    def ask(address: str, path: str, data: dict[str, Any], key: str = "") -> Reply:
        answer = other.client.post(path, json=data, headers={"Accept": "application/json"})
        return Reply(answer.status_code, answer.get_json())

    app_parts(page.app).reporter = Reporter(page.table, ask)
    said = page.post("/host/club/join?lang=en", address=ADDRESS, code="XXXX-XXXX")
    assert said == (502, f"No club answers at {ADDRESS}.")


def test_an_address_that_is_typed_without_its_beginning_is_refused_with_what_is_missing(
    tmp_path: Path,
) -> None:
    page = Page(open_table(tmp_path))
    status, said = page.post("/host/club/join?lang=en", address="192.168.1.20:8100", code="XXXX-XXXX")
    assert status == 400 and said.startswith(
        "“192.168.1.20:8100” is no club's address: type it as the club shows"
    )


def test_a_table_that_left_and_joins_again_goes_on_with_its_evening(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:10])
    sends_all(reporter)
    before = club_parts(club.app).members.tables_of(club.number)
    reporter.leave()
    assert reporter.club is None and Reporter(table).club is None
    enter(table, hand(3)[10:20])
    reporter.start()
    assert club.count() == 11
    again = club.take_in(table, "Bord 2")
    assert sends_all(again).state == "told"
    assert [data for _, _, data in club.stored()] == own_events(table)
    (now,) = club_parts(club.app).members.tables_of(club.number)
    assert (now.id, now.name) == (before[0].id, "Bord 2")


def test_a_club_never_sees_the_key_by_which_another_knows_the_table(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    first = reporter.club
    reporter.leave()
    other = Reporter(table, lambda *_: Reply(200, {"club": "En anden", "table": "Bord 1"}))
    joined = other.join("http://other.example", "CODE", begin=False)
    assert first is not None and joined.key != first.key


# ---- with real processes ----


@pytest.mark.slow
def test_real_programs_are_killed_and_the_line_is_cut(tmp_path: Path, postgres_url: str) -> None:
    server = ClubServer(postgres_url)
    admin = server.admin()
    code = admin.new_code("Bord 7")
    cable = Line(int(server.port))
    plays = [event for event in hand(3) if isinstance(event, CardPlayed)]
    club = open_database(postgres_url)
    joining = ("--club", f"http://127.0.0.1:{cable.port}", "--club-code", code)
    table = Server(tmp_path, *SEATS, *joining)
    try:
        visitor = Visitor(table.address)

        def play(events: list[CardPlayed]) -> None:
            for event in events:
                visitor.post("plays", player=event.player, card=event.card)

        def arrive(count: int) -> None:
            def arrived() -> bool:
                with club.begin() as connection:
                    return bool(connection.execute(select(EVENINGS.c.last)).scalar() == count)

            until(arrived)

        play(plays[:5])
        arrive(7)
        cable.cut()
        play(plays[5:10])
        cable.mend()
        arrive(12)
        server.kill()
        play(plays[10:15])
        table.kill()
        server.start()
        table = Server(tmp_path, *SEATS)
        visitor = Visitor(table.address)
        arrive(17)
        play(plays[15:])
        arrive(2 + len(plays))
        wall = admin.get("/?lang=en")
        assert "Bord 7" in wall and "hand 1 is over" in wall
    finally:
        table.kill()
        server.kill()
        cable.close()
    own = EventStore(tmp_path / "tarok-table" / "evening.sqlite3")
    with club.begin() as connection:
        assert stored_events(connection, 1) == own.stored(1, 0, 1000)
    # No picture went up the line: every body is JSON of events.
    for kind in (b"\xff\xd8\xff", b"\x89PNG", b"image/", b"multipart"):
        assert kind not in cable.upwards
    club.dispose()
