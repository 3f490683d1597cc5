"""A table that practises at the Tarot of 1659 and American Tarock: what it counts, and fair play hides the rest."""

import random

import pytest
from webui_page import Page
from webui_table import FOUR, sides_of

from tracker import counting
from tracker.events import CardPlayed, SessionOpened
from tracker.games import game_of_rules
from webui.app import create_app
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.people.roles import Role
from webui.table.live import LiveTable


@pytest.fixture
def practising(empty: LiveTable) -> LiveTable:
    """A table under fair play that practises, without an evening."""
    empty.choose(training=True)
    return empty


def begun(table: LiveTable, rules: str, contract: str = "klop") -> LiveTable:
    """`table` with a hand of that game, up to its 21st card."""
    chance = random.Random(5)
    opened = SessionOpened(rules, (("cards", 12),) if rules == "tarot-1659" else (), FOUR)
    table.open_evening(opened, sides_of(FOUR))
    events = (
        hand_of_1659(chance, FOUR, 12)
        if rules == "tarot-1659"
        else hand_of_american(chance, opened, contract)
    )
    plays = 0
    for event in events:
        plays += isinstance(event, CardPlayed)
        if plays > 21:
            break
        table.enter(event)
    return table


SAID = {
    "tarot-1659": ("There are 21; the fool is not one of them.", "set aside", "The fool is not one of them."),
    "klop": ("There are 22, the Skeench among them.", "the Talon", "The Skeench is one of them."),
    "two": ("There are 22, the Skeench among them.", "the discards", "The Skeench is one of them."),
}


@pytest.mark.parametrize("what", list(SAID))
def test_each_game_counts_along_in_its_own_words(practising: LiveTable, what: str) -> None:
    table = begun(practising, what) if what == "tarot-1659" else begun(practising, "american-tarock", what)
    app = create_app(table)
    study = game_of_rules(table.session.opened.rules).study
    known = study(table.session.hand)
    counts, aside, asked = SAID[what]
    for role, seat in ((Role.HOST, ""), (Role.PLAYER, "Carl"), (Role.WALL, "")):
        said = Page(table, role, seat, app=app).text("/")
        assert f"still out {len(known.trumps_out)}" in said and counts in said, role
    bo = Page(table, Role.PLAYER, "Bo", app=app)
    dialog = bo.html("/training")
    assert dialog.count('<th scope="row">') == len(known.chances)
    assert aside in dialog and "skat" not in dialog and "drawn by chance" not in dialog
    assert asked in bo.text("/training/trumps")
    assert bo.post("/training/trumps", number=1)[0] == 200 and "in my hand 1" in bo.text("/")


@pytest.mark.parametrize("rules", ["tarot-1659", "american-tarock"])
def test_with_practice_off_nothing_is_counted_and_the_hand_is_not_reviewed(
    practising: LiveTable, rules: str
) -> None:
    begun(practising, rules)
    practising.choose(training=False)
    bo = Page(practising, Role.PLAYER, "Bo")
    said = bo.text("/")
    assert not [word for word in ("still out", "seen", "Void in") if f"{word} " in said.partition("Help")[0]]
    assert bo.client.get("/training").status_code == 409
    for path in ("review", "drill"):
        assert bo.client.get(f"/history/1/hands/1/{path}").status_code == 404
    assert "Hand 1" not in bo.text("/learn")


def test_chances_that_were_sampled_are_said_to_be(
    practising: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MOST_STEPS", 0)
    begun(practising, "tarot-1659")
    page = Page(practising, Role.PLAYER, "Bo")
    said = page.text("/training")
    assert "2000 of them were drawn by chance" in said
    assert "2000 af dem er trukket tilfældigt" in page.text("/training", "da")
