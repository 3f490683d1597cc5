"""Joining the table: invitations, the host's link, whose phone it is, and forms that are bound to the phone."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from webui_page import Page
from webui_serving import HOST_LINKS, Visitor, serving
from webui_table import restarted

from tracker.store import EventStore
from webui.app import create_app
from webui.app_parts import app_parts
from webui.people.phones import MOST_PHONES, Phones
from webui.people.roles import Role
from webui.people.signatures import INVITATION_S, PHONE_COOKIE
from webui.serving.network import Network, neighbours
from webui.table.live import LiveTable


@pytest.fixture
def app(table: LiveTable) -> Flask:
    return create_app(table)


@pytest.fixture
def phones(app: Flask) -> Phones:
    return app_parts(app).phones


def token_in(client: FlaskClient, path: str) -> str:
    page = client.get(path).get_data(as_text=True)
    return page.split('name="token" value="')[1].split('"')[0]


def scan(app: Flask, phones: Phones, **chosen: str) -> tuple[FlaskClient, int]:
    """A phone scans the code and answers who it is; its browser, and the status."""
    client = app.test_client()
    link = f"/invitation/{phones.invitation()}"
    data = {"token": token_in(client, link), **chosen}
    return client, client.post(link, data=data, headers={"Accept": "application/json"}).status_code


def test_a_phone_that_scans_the_code_takes_a_seat(app: Flask, phones: Phones) -> None:
    client, status = scan(app, phones, seat="Bo")
    assert status == 200
    assert [(one.number, one.role, one.seat) for one in phones.all()] == [(1, Role.PLAYER, "Bo")]
    assert client.get("/").status_code == 200
    assert "This is Bo&#39;s phone." in client.get("/me?lang=en").get_data(as_text=True)


def test_scanning_alone_changes_nothing(app: Flask, phones: Phones) -> None:
    client = app.test_client()
    for _ in range(3):
        assert client.get(f"/invitation/{phones.invitation()}").status_code == 200
    assert phones.all() == [] and client.get("/").status_code == 403


def test_by_one_code_the_missing_players_and_two_more_join(app: Flask, phones: Phones) -> None:
    """Anna, Bo and Carl sit at the table; Anna's phone has joined."""
    phones.join(Role.PLAYER, "Anna", "localhost")
    code = phones.invitation()
    assert [scan(app, phones)[1] for _ in range(6)] == [200] * 4 + [403] * 2
    assert len(phones.all()) == 5 and phones.invitation() == code  # nobody gets another by using it up


def test_before_there_is_an_evening_as_many_join_as_can_sit_down_and_two_more(empty: LiveTable) -> None:
    app = create_app(empty)
    statuses = [scan(app, app_parts(app).phones)[1] for _ in range(10)]
    assert statuses == [200] * 8 + [403] * 2


def test_a_screen_on_the_wall_only_shows_the_table_and_the_code(app: Flask, phones: Phones) -> None:
    app_parts(app).network.listen("192.168.1.7", 8000)
    client, _ = scan(app, phones, screen="1")
    shown = client.get("/?lang=en").get_data(as_text=True)
    assert phones.all()[0].role is Role.WALL and "<svg" in shown
    assert f"http://192.168.1.7:8000/invitation/{phones.invitation()}" in shown
    assert 'href="/play"' not in shown
    assert "Join with a phone" not in page_of(app, Role.PLAYER).text("/")


def page_of(app: Flask, role: Role, seat: str = "") -> Page:
    return Page(app_parts(app).live, role, seat, app)


def test_an_old_invitation_another_tables_and_a_made_up_one_are_refused(
    app: Flask, phones: Phones, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = phones.invitation()
    other = Phones(tmp_path / "other.sqlite3").invitation()
    client = app.test_client()
    # Not the last sign: two of its bits tell nothing.
    forged = own[:-2] + ("A" if own[-2] != "A" else "B") + own[-1]
    for word in (other, "x", forged):
        assert client.get(f"/invitation/{word}").status_code == 403
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + INVITATION_S - 1)
    assert phones.is_invitation(own) and phones.invitation() != own
    monkeypatch.setattr("time.time", lambda: now + INVITATION_S + 2)
    refused = client.get(f"/invitation/{own}?lang=en")
    assert refused.status_code == 403 and "too old" in refused.get_data(as_text=True)
    monkeypatch.setattr("time.time", lambda: now - 3600)  # the clock was put back
    assert phones.is_invitation(phones.invitation())


def test_a_seat_has_one_phone_and_the_host_frees_it_for_a_lost_ones_successor(
    app: Flask, phones: Phones
) -> None:
    host = page_of(app, Role.HOST)
    lost, _ = scan(app, phones, seat="Bo")
    client, status = scan(app, phones, seat="Bo")
    assert status == 409 and client.get("/").status_code == 403
    number = phones.all()[-1].number
    assert f'name="phone" value="{number}"' in host.html("/host")
    assert host.post("/host/phones", phone=number, do="free")[0] == 200
    client, status = scan(app, phones, seat="Bo")
    assert status == 200 and lost.get("/").status_code == 200
    assert [one.seat for one in phones.all()] == ["", "", "Bo"]
    assert host.post("/host/phones", phone=number, do="remove")[0] == 200
    assert lost.get("/").status_code == 403


def test_the_host_makes_a_phone_host_and_the_last_one_stays(app: Flask, phones: Phones) -> None:
    host = page_of(app, Role.HOST)
    bo = page_of(app, Role.PLAYER, "Bo")
    assert bo.client.get("/host").status_code == 403
    own, his = phones.all()[0].number, phones.all()[1].number
    assert host.post("/host/phones", phone=own, do="player")[0] == 409
    assert host.post("/host/phones", phone=own, do="remove")[0] == 409
    assert host.post("/host/phones", phone=his, do="host")[0] == 200
    assert bo.client.get("/host").status_code == 200
    assert bo.post("/host/phones", phone=own, do="player")[0] == 200
    assert host.client.get("/host").status_code == 403
    assert bo.post("/host/phones", phone=99, do="free")[0] == 404


def test_a_phone_whose_address_is_gone_makes_room_for_itself(app: Flask, phones: Phones) -> None:
    """The laptop's address changed: the phone comes back by the new one, as a new phone, and takes its seat."""
    phones.join(Role.PLAYER, "Bo", "192.0.2.9:8000")
    _, status = scan(app, phones, seat="Bo")
    assert status == 200 and [one.seat for one in phones.all()] == ["", "Bo"]


def test_phones_are_remembered_over_a_restart_for_a_day_and_their_files_are_private(
    app: Flask, phones: Phones, table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    bo = page_of(app, Role.PLAYER, "Bo")
    again = create_app(restarted(table))
    page = Page(app_parts(again).live, Role.UNINVITED, app=again)
    page.is_phone(phones.all()[0].id)
    assert page.token == bo.token and page.client.get("/").status_code == 200
    for end in (".key", ".phones.json"):
        path = table.path.with_name(table.path.name + end)
        assert sys.platform == "win32" or stat.S_IMODE(path.stat().st_mode) == 0o600
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 25 * 3600)
    assert Phones(table.path).all() == []


@pytest.mark.parametrize("damage", ["", "{", "[1]", '[{"id": 1}]'])
def test_a_damaged_list_of_phones_lets_nobody_in_and_stops_nothing(table: LiveTable, damage: str) -> None:
    path = table.path.with_name(table.path.name + ".phones.json")
    path.write_text(damage, encoding="utf-8")
    phones = Phones(table.path)
    assert phones.all() == [] and phones.join(Role.PLAYER).number == 1


def test_more_phones_than_there_is_room_for_are_told_so(app: Flask, phones: Phones, tmp_path: Path) -> None:
    phone = phones.join(Role.PLAYER)
    path = tmp_path / "evening.sqlite3.phones.json"
    (row,) = json.loads(path.read_text())
    path.write_text(json.dumps([row | {"id": f"p{n}", "number": n} for n in range(1, MOST_PHONES + 1)]))
    full = create_app(app_parts(app).live)
    _, status = scan(full, app_parts(full).phones)
    assert phone.number == 1 and status == 503


# ---- the host's link ----


def test_the_hosts_link_makes_one_browser_host_once(app: Flask, phones: Phones) -> None:
    link = f"/laptop/{phones.new_host_link()}"
    laptop, other = app.test_client(), app.test_client()
    assert laptop.get("/").status_code == 403  # the laptop's address alone makes nobody host
    assert other.get("/laptop/guessed").status_code == 403
    assert laptop.get(link).status_code == 303 and laptop.get("/host").status_code == 200
    assert laptop.get(link).status_code == 303  # its own page, opened again
    refused = other.get(f"{link}?lang=en")
    assert refused.status_code == 403 and "has been used" in refused.get_data(as_text=True)
    assert other.get("/").status_code == 403


def test_a_phone_that_has_joined_becomes_host_by_the_link_and_keeps_its_seat(
    app: Flask, phones: Phones
) -> None:
    bo = page_of(app, Role.PLAYER, "Bo")
    assert bo.client.get(f"/laptop/{phones.new_host_link()}").status_code == 303
    assert [(one.role, one.seat) for one in phones.all()] == [(Role.HOST, "Bo")]


@pytest.mark.slow
def test_each_start_prints_a_new_link_and_the_laptops_page_stays_host(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        visitor = Visitor(server.address)
        first = HOST_LINKS[server.address]
        assert server.address.startswith("http://localhost") or server.address.startswith("http://127.0.0.1")
    with serving(tmp_path) as server:
        visitor.address = server.address
        assert HOST_LINKS[server.address].rpartition("/")[2] != first.rpartition("/")[2]
        assert visitor.post("host/choices/fair_play", on="yes")


# ---- forms are bound to the table and to the phone ----


def test_a_forms_token_is_the_phones_own(app: Flask, phones: Phones) -> None:
    bo, carl = page_of(app, Role.PLAYER, "Bo"), page_of(app, Role.PLAYER, "Carl")
    assert bo.token != carl.token
    bo.token = carl.token
    assert bo.post("/hands", dealer="Anna")[0] == 403
    # A cookie that repeats what stands in the form is no token: the table did not make it.
    bo.client.set_cookie(PHONE_COOKIE, "same")
    bo.token = "same"
    assert bo.post("/hands", dealer="Anna")[0] == 403


def test_two_tables_on_one_laptop_do_not_take_each_others_cookies(app: Flask, tmp_path: Path) -> None:
    other = create_app(LiveTable(EventStore(tmp_path / "other.sqlite3")))
    browser = app.test_client()
    browser.get(f"http://localhost:8001/laptop/{app_parts(app).phones.new_host_link()}")
    second = other.test_client()
    second._cookies = browser._cookies  # one browser: cookies do not know ports
    second.get(f"http://localhost:8002/laptop/{app_parts(other).phones.new_host_link()}")
    assert second.get("http://localhost:8002/host").status_code == 200
    assert browser.get("http://localhost:8001/host").status_code == 200


# ---- the network ----


def test_the_code_follows_the_address_and_every_page_is_told(app: Flask, phones: Phones) -> None:
    cards = ["192.168.1.7"]
    network = app_parts(app).network = Network(lambda: [*cards])
    network.listen("0.0.0.0", 8000)
    player = page_of(app, Role.PLAYER)
    host = page_of(app, Role.HOST)
    assert "http://192.168.1.7:8000/invitation/" in host.html("/")
    assert not network.refresh() and "address has changed" not in player.text("/")
    cards[:] = ["10.0.0.4", "192.168.1.7"]
    assert network.refresh()
    app_parts(app).live.changes.tell()
    assert "http://10.0.0.4:8000/invitation/" in host.html("/")
    assert "it is http://10.0.0.4:8000 now" in player.text("/")
    cards[:] = []
    assert network.refresh()
    app_parts(app).live.changes.tell()
    assert "This computer is on no network" in host.text("/")


def table_of(folder: Path, *rows: str) -> Path:
    """The tables of Linux' neighbours and routes, with these neighbours; the router is 192.168.1.1."""
    head = "IP address       HW type     Flags       HW address            Mask     Device\n"
    (folder / "arp").write_text(head + "".join(f"{row}\n" for row in rows))
    (folder / "route").write_text(
        "Iface\tDestination\tGateway\tFlags\nwlan0\t00000000\t0101A8C0\t0003\nwlan0\t0001A8C0\t00000000\t0001\n"
    )
    return folder


def test_a_network_that_keeps_its_guests_apart_is_told_from_a_firewall(tmp_path: Path) -> None:
    router = "192.168.1.1  0x1  0x2  aa:bb:cc:dd:ee:ff  *  wlan0"
    gone = "192.168.1.9  0x1  0x0  00:00:00:00:00:00  *  wlan0"
    phone = "192.168.1.23  0x1  0x2  aa:bb:cc:dd:ee:01  *  wlan0"
    assert neighbours(table_of(tmp_path, router, gone)) == set()
    assert neighbours(table_of(tmp_path, router, phone)) == {"192.168.1.23"}
    assert neighbours(tmp_path / "nowhere") is None


TROUBLE = {
    "other machines are heard": ({"192.168.1.23"}, "a firewall on this computer"),
    "no other machine is heard": (set(), "keep its guests apart"),
    "the system does not say": (None, "Either a firewall on this computer"),
}


@pytest.mark.parametrize(("heard", "said"), TROUBLE.values(), ids=TROUBLE)
def test_where_no_phone_comes_through_the_page_says_what_to_do(
    app: Flask, heard: set[str] | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.serving.network.neighbours", lambda: heard)
    network = app_parts(app).network = Network(lambda: ["192.168.1.7"])
    network.listen("0.0.0.0", 8000)
    host = page_of(app, Role.HOST)
    assert said in host.text("/") and said in host.text("/host")
    host.client.get("/", environ_overrides={"REMOTE_ADDR": "192.168.1.23"})
    app_parts(app).live.changes.tell()
    assert network.reached and said not in host.text("/")


BUS = """
import sys
from jeepney import DBusAddress, MessageType, new_method_return
from jeepney.io.blocking import open_dbus_connection
from jeepney.bus_messages import message_bus
connection = open_dbus_connection("SESSION")
connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.PowerManagement"))
print("ready", flush=True)
while True:
    message = connection.receive()
    if message.header.message_type is MessageType.method_call:
        name = message.header.fields[3]
        print(name, flush=True)
        body = ("u", (7,)) if name == "Inhibit" else (None, ())
        connection.send(new_method_return(message, *body))
"""


@pytest.mark.slow
def test_the_laptop_stays_awake_while_an_evening_is_open(tmp_path: Path) -> None:
    """On Linux, with a real bus and a program that plays the desktop's power management on it."""
    if sys.platform != "linux" or not shutil.which("dbus-daemon"):
        pytest.skip("no dbus-daemon is installed")
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
    )
    desktop: subprocess.Popen[str] | None = None
    try:
        own = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": daemon.stdout.readline().strip()}
        desktop = subprocess.Popen([sys.executable, "-c", BUS], env=own, stdout=subprocess.PIPE, text=True)
        assert desktop.stdout is not None and desktop.stdout.readline() == "ready\n"
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = own["DBUS_SESSION_BUS_ADDRESS"]
        with serving(tmp_path, "--seats", "Anna@S,Bo@E,Carl@W") as server:
            assert desktop.stdout.readline() == "Inhibit\n"
            Visitor(server.address).post("settle")
            assert desktop.stdout.readline() == "UnInhibit\n"
    finally:
        os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)
        for process in (desktop, daemon):
            if process is not None:
                process.kill()
                process.wait()
