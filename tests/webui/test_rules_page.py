"""The rules we play by as a page, and the form that makes a club's own."""

import dataclasses
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webui_deals import OPENED, SIDES
from webui_page import Page

from tracker.events import SessionClosed
from tracker.games import ALL_RULE_SETS, game_of_rules, rule_set, rules_named
from tracker.rule_sets import checked_value, option_keys, read_rule_set_file, rule_set_file_text
from tracker.rule_sets_text import rule_lines
from webui.people.roles import Role
from webui.table.host_choices import kept_choices
from webui.table.live import LiveTable


def form(page: Page, base: str) -> dict[str, str]:
    """What the form for the club's rules would send as it stands."""
    return page.filled_in(f"/rules/form?set={base}", "/rules")


@pytest.mark.parametrize("lang", ["en", "da"])
@pytest.mark.parametrize("name", list(ALL_RULE_SETS))
def test_each_rule_of_each_set_stands_on_its_page_in_words(page: Page, name: str, lang: str) -> None:
    game, rules = game_of_rules(name), ALL_RULE_SETS[name]
    lines = rule_lines(game, rules, lang)
    assert {line.key for line in lines} == set(option_keys(rules)) - {"name"}
    said = page.text(f"/rules?set={name}", lang)
    for line in lines:
        assert line.text.replace("'", "&#39;") in said.replace("’", "'"), line
    source = game.words.rule_set_source(name, lang)
    assert source.replace("'", "&#39;") in said and name not in said


def test_the_source_of_the_rules_is_told_in_the_readers_language(page: Page) -> None:
    said = {lang: page.text("/rules?set=pagat-2024", lang) for lang in ("en", "da")}
    assert "edition of 1 August 2024" in said["en"] and "udgaven fra 1. august 2024" in said["da"]


def test_the_evenings_rules_say_where_the_table_plays_otherwise(table: LiveTable) -> None:
    table.enter(SessionClosed())
    table.open_evening(dataclasses.replace(OPENED, options=(("tout", 90), ("name", "Aarhus"))), SIDES)
    said = Page(table).text("/rules", "da")
    assert "Aarhus" in said and "Lavet ud fra Dansk Tarokforbund 2011" in said
    assert "tout: 90 fra hver af de andre" in said and "ellers: 80" in said and said.count("ellers:") == 1


@pytest.mark.parametrize("base", list(ALL_RULE_SETS))
def test_the_form_of_every_game_makes_a_file_that_the_commands_play_by(page: Page, base: str) -> None:
    fields = form(page, base)
    assert fields.keys() - {"token", "once", "renames"} == {"base", *option_keys(ALL_RULE_SETS[base])}
    changed = dict(fields, name="Vores klub")
    key = next((key for key in fields if fields[key] in ("true", "false")), "cards")
    changed[key] = {"true": "false", "false": "true"}.get(fields[key]) or str(int(fields[key]) + 1)
    answer = page.client.post("/rules", data=changed, headers={"Accept": "application/json"})
    assert answer.get_json() == {"go": "/rules?set=Vores klub"}
    word = str(page.table.rules_folder / "Vores klub.toml")
    found, options = rules_named(word)
    assert found == base and dict(options).keys() == {"name", key}
    assert rule_set(found, options).name == "Vores klub"
    downloaded = page.client.get("/rules/file?set=Vores klub")
    assert downloaded.mimetype == "application/toml"
    club = {"base": base, "name": "Vores klub", key: dict(options)[key]}
    assert tomllib.loads(downloaded.get_data(as_text=True)) == club


def test_an_evening_is_opened_with_the_clubs_rules_and_keeps_them(page: Page, table: LiveTable) -> None:
    ours = {"name": "Vores klub", "nolo": "40", "last_trick_with_bagud": "true"}
    fields = form(page, "dtf-2011") | ours
    page.client.post("/rules", data=fields, headers={"Accept": "application/json"})
    table.enter(SessionClosed())
    assert "Vores klub" in page.text("/setup/game", "da")
    seats = {f"seat_{side}": name for name, side in SIDES.items()}
    assert page.post("/evening", **seats, dealer="S", rules="Vores klub", count="1")[0] == 200
    assert (table.session.rules.name, table.session.rules.nolo) == ("Vores klub", 40)
    assert table.session.rules.last_trick_with_bagud and table.session.rules.tout == 80
    gone = page.client.post("/rules/delete", data={"token": page.token, "name": "Vores klub", "sure": "yes"})
    assert gone.status_code == 303
    assert table.session.rules.nolo == 40 and "nolo: 40 fra hver" in page.text("/rules", "da")


@pytest.mark.parametrize(
    "changed",
    [
        *({"name": name} for name in ("../evening", "dtf-2011", "")),
        *({"tout": chips} for chips in ("82", "many")),
        {"count": "perhaps"},
        {"sits_out": "left"},
        {"base": "bridge"},
    ],
)
def test_what_no_rule_can_be_is_refused_and_nothing_is_saved(page: Page, changed: dict[str, str]) -> None:
    fields = form(page, "dtf-2011") | {"name": "Vores klub"} | changed
    answer = page.client.post("/rules", data=fields, headers={"Accept": "application/json"})
    assert answer.status_code == 400 and answer.get_json()["message"]
    assert not page.table.rules_folder.exists()


def test_a_file_that_cannot_be_read_is_left_out(page: Page) -> None:
    page.table.rules_folder.mkdir()
    (page.table.rules_folder / "broken.toml").write_text("base = ", encoding="utf-8")
    assert "broken" not in page.text("/setup/game")
    assert page.client.get("/rules?set=broken").status_code == 404


def test_a_player_reads_the_rules_and_only_the_host_makes_them(table: LiveTable) -> None:
    player = Page(table, Role.PLAYER, "Anna")
    assert player.client.get("/rules").status_code == 200
    assert player.client.get("/rules/form").status_code == 403


@given(data=st.data())
def test_any_rules_of_any_game_come_back_from_the_file_as_they_were(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = data.draw(st.sampled_from(list(ALL_RULE_SETS.values())))
    values: dict[str, object] = {"name": data.draw(st.text(min_size=1))}
    for field in dataclasses.fields(base):
        meta = field.metadata
        if "one of" in meta:
            values[field.name] = data.draw(st.sampled_from(meta["one of"]))
        elif "from" in meta:
            step = meta.get("step", 1)
            steps = st.integers(-(-meta["from"] // step), meta["to"] // step)
            values[field.name] = data.draw(steps) * step
        elif isinstance(getattr(base, field.name), bool):
            values[field.name] = data.draw(st.booleans())
    made = dataclasses.replace(base, **values)  # type: ignore[arg-type]
    path = tmp_path_factory.mktemp("rules") / "club.toml"
    path.write_bytes(rule_set_file_text(base, made).encode())
    assert rule_set(*read_rule_set_file(path, ALL_RULE_SETS)) == made
    for key, value in values.items():
        assert checked_value(base, key, value) == value


def test_the_club_says_what_it_calls_the_fool(page: Page, table: LiveTable) -> None:
    assert "skusen må lægges" in page.text("/rules", "da")
    assert page.post("/host/fool", word="sciesen") == (200, "Det er gjort.")
    assert "sciesen må lægges" in page.text("/rules", "da")
    assert "skus" not in page.text("/rules", "da").lower()
    assert page.post("/hands", dealer="Anna")[0] == 200
    assert "Sciesen døbes, når den spilles ud" in page.text("/fool", "da")
    body = page.client.get("/?lang=da").get_data(as_text=True)
    assert '<html lang="da">' in body
    assert "the fool may be laid" in page.text("/rules", "en")
    assert kept_choices(table.path).load().fool == "sciesen"


@pytest.mark.parametrize(
    ("header", "cookie", "expected"),
    [
        ("en-GB,en;q=0.9,da;q=0.8", "", "en"),
        ("da-DK", "", "da"),
        ("sv-SE,en;q=0.5", "", "en"),
        ("sv-SE", "", "da"),
        ("", "", "da"),
        ("en-GB", "da", "da"),
    ],
)
def test_the_browsers_language_is_the_first_choice(
    page: Page, header: str, cookie: str, expected: str
) -> None:
    if cookie:
        page.client.set_cookie("tarok_lang", cookie)
    body = page.client.get("/", headers={"Accept-Language": header}).get_data(as_text=True)
    assert f'<html lang="{expected}">' in body
