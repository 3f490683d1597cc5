"""A tournament on the wall and on a member's phone: the round that is played first, his own table before the others."""

import re
from io import BytesIO

from club_server import ClubServer
from club_table import Club
from club_visit import SIX, Visit, begun, entered, published

from webui.club.parts import club_parts
from webui.club.roles import ClubRole
from webui.people.signatures import PHONE_COOKIE
from webui.serving.addresses import lan_addresses
from webui.texts import signed


def test_a_screen_shows_the_round_that_is_played_and_the_standings_and_no_draft(small: Club) -> None:
    host, screen = begun(small, rounds=3), Visit(small, ClubRole.WALL)
    assert "Round" not in screen.get("/tournaments/1/wall")
    host.publish()
    entered(host, small, 1, 1), entered(host, small, 1, 2)
    host.publish()
    wall = screen.get("/tournaments/1/wall")
    assert "Round 2 of 3" in wall and all(wall.count(name) == 2 for name in SIX)
    best = host.drawn(1)[0][0]
    assert re.search(rf"\b1 ({best}|{host.drawn(1)[1][0]}) 3.33", wall)
    # A screen needs nobody who leads it there.
    answer = screen.client.get("/")
    assert answer.status_code == 303 and answer.location == "/tournaments/1/wall"
    assert Visit(small, ClubRole.PLAYER).client.get("/").status_code == 200


def test_what_does_not_fit_is_on_the_next_part(small: Club) -> None:
    names = tuple(f"Spiller {number:02}" for number in range(60))
    host = published(small, names, rounds=1, size=4)
    parts = [host.get(f"/tournaments/1/wall?part={part}") for part in (0, 1, 2)]
    seen = [set(re.findall(r"Table \d+", part)) for part in parts]
    assert len(set().union(*seen)) == sum(map(len, seen)) == 15
    page = host.client.get("/tournaments/1/wall?part=2").get_data(as_text=True)
    assert "part=0" in page and host.get("/tournaments/1/wall?part=99") == parts[2]


def test_the_code_keeps_its_quiet_zone_at_every_size(small: Club) -> None:
    page = Visit(small, ClubRole.ADMIN).client.get("/").get_data(as_text=True)
    svg = re.search(r'<svg[^>]*viewBox="0 0 (\d+) \1"[^>]*>', page)
    assert svg is not None and "width=" not in svg[0]
    assert (int(svg[1]) - 2 * 4 - 17) % 4 == 0  # a code of 17 + 4n modules, and 4 beside it


def test_a_members_phone_shows_his_own_table_first(small: Club) -> None:
    host, phone = published(small), Visit(small, ClubRole.PLAYER)
    last = host.drawn(1)[1]
    assert phone.post("/me", person=small.person(last[2]))[0] == 200
    page = phone.get("/tournaments/1")
    assert page.index("Table 2") < page.index("Table 1")
    assert host.get("/tournaments/1").index("Table 1") < host.get("/tournaments/1").index("Table 2")


def test_the_page_begins_with_the_round_that_is_played(small: Club) -> None:
    host = published(small, rounds=3)
    page = host.get("/tournaments/1")
    assert page.index("Round 1") < page.index("How it is counted") < page.index("Round 2 not published")
    entered(host, small, 1, 1), entered(host, small, 1, 2)
    host.publish()
    page = host.get("/tournaments/1")
    assert page.index("Round 2") < page.index("Standings") < page.index("Round 3 not published")


def test_once_all_rounds_are_over_the_page_begins_with_the_final_standings(small: Club) -> None:
    host = published(small, rounds=1)
    entered(host, small, 1, 1)
    assert "Final standings" not in host.get("/tournaments/1")
    entered(host, small, 1, 2)
    page = host.get("/tournaments/1")
    assert page.index("Final standings") < page.index("Round 1 over")
    # Nothing is left to draw, publish or take back, and no empty place says where that stood.
    assert '<section class="unprinted acts"></section>' not in re.sub(
        r"\s*\n\s*", "", host.client.get("/tournaments/1").get_data(as_text=True)
    )


def test_others_are_told_an_address_that_leads_to_the_server_from_their_own_machines(small: Club) -> None:
    host, (lan, *_) = Visit(small, ClubRole.ADMIN), [*lan_addresses(), "localhost"]
    for name, outside in (("localhost:8100", f"{lan}:8100"), ("tarok.example.org", "tarok.example.org")):
        club_parts(small.app).hosts.add("tarok.example.org")
        host.client.set_cookie(
            PHONE_COOKIE, host.members.cookie(host.member.id), domain=name.partition(":")[0]
        )
        data = {"token": host.members.form_token(host.member.id), "name": "Bord 1"}
        assert host.client.post("/tables/code", data=data, base_url=f"http://{name}").status_code == 303
        page = host.client.get("/tables?lang=en", base_url=f"http://{name}").get_data(as_text=True)
        assert f"The address is http://{outside}." in page


def test_a_server_that_listens_to_its_own_machine_alone_says_so_and_names_no_other_address(
    club_server: ClubServer,
) -> None:
    admin = club_server.admin()
    admin.post("/tables/code", "/tables", name="Bord 1")
    page = admin.get("/tables?lang=en")
    assert f"The address is {club_server.address}." in page and "listens to this computer alone" in page
    admin.post("/admin/links", "/admin", role="host")
    page = admin.get("/admin?lang=en")
    assert f"{club_server.address}/link/" in page and "listens to this computer alone" in page
    page = admin.get("/?lang=en")
    assert "Scan the code" not in page and "listens to this computer alone" in page


def test_a_screen_that_shows_the_tables_turns_to_the_round_once_it_is_published(small: Club) -> None:
    host, screen = begun(small), Visit(small, ClubRole.WALL)
    page = screen.client.get("/").get_data(as_text=True)
    menu = re.search(r'data-menu="([^"]+)"', page)
    assert menu is not None and screen.client.get("/state").get_json()["menu"] == menu[1]
    host.publish()
    assert screen.client.get("/state").get_json()["menu"] != menu[1]  # and so the page is loaded again
    assert screen.client.get("/").location == "/tournaments/1/wall"


def test_a_screen_that_turns_by_itself_leaves_a_tournament_that_is_not_todays_any_more(small: Club) -> None:
    host, screen = published(small), Visit(small, ClubRole.WALL)
    turn = "/tournaments/1/wall?part=0"
    assert "Round 1 of 2" in screen.get(turn)
    again = {"name": "Next", "game": "danish", "size": 3, "rounds": 1, "names": "\n".join(SIX)}
    assert host.post("/tournaments", **again)[0] == 200
    for act, values in (("draw", {}), ("publish", {"round": 1})):
        assert host.post(f"/tournaments/2/{act}", **values)[0] == 200
    assert screen.client.get(turn).location == "/"
    assert screen.client.get("/").location == "/tournaments/2/wall"
    # What somebody opens himself is shown.
    assert "Round 1 of 2" in screen.get("/tournaments/1/wall") and "Round 1 of 2" in host.get(turn)
    for number in (1, 2):
        assert host.post(f"/tournaments/{number}/delete")[0] == 200
    assert screen.client.get(turn).location == "/"
    assert "Scan the code" in screen.get("/")


def test_the_final_standings_are_printed_once_all_rounds_are_over(small: Club) -> None:
    from pypdf import PdfReader

    host, player = published(small, rounds=1), Visit(small, ClubRole.PLAYER)
    path = "/tournaments/1/standings.pdf"
    chips = entered(host, small, 1, 1)
    assert path not in player.client.get("/tournaments/1").get_data(as_text=True)
    assert player.client.get(path).status_code == 409
    chips |= entered(host, small, 1, 2)
    assert path in player.client.get("/tournaments/1").get_data(as_text=True)
    answer = player.client.get(f"{path}?lang=da")
    (page,) = PdfReader(BytesIO(answer.get_data())).pages
    words = page.extract_text()
    assert "Træf" in words and "Slutstilling" in words and "Dansk tarok" in words
    assert all(f"{name}" in words and signed(won) in words for name, won in chips.items())
