"""Undo to here: what refers to a card taken back goes, everything else stays, and the dialog says so before."""

from dataclasses import replace

import pytest
from webui_camera import sees
from webui_deals import hand
from webui_page import Page, view_of

from tracker.danish.events import Adjusted, Declared, Fined
from tracker.danish.words import WORDS
from tracker.events import CardPlayed, HandAbandoned, HandStarted, PlayCorrected, PlaysTakenBack
from webui.people.roles import Role
from webui.table.live import LiveTable


def by_hand(table: LiveTable, plays: int, revoke_in_trick: int | None = None) -> list[CardPlayed]:
    """The first `plays` of a hand, entered by the host on the laptop."""
    started, *cards = hand(3, revoke_in_trick=revoke_in_trick)[: plays + 1]
    table.enter(started, by="/host")
    typed = [replace(card, time_s=None) for card in cards if isinstance(card, CardPlayed)]
    for card in typed:
        table.enter(card, by="/host")
    return typed


def seq_of(table: LiveTable, place: int) -> int:
    return table.session.hand.plays[place].seq


def undo_to(page: Page, seq: int) -> None:
    page.sent(f"/undo?to={seq}", "/undo")


def section(said: str, title: str, until: str) -> str:
    assert title in said, said
    return said.split(title)[1].split(until)[0]


def test_undoing_five_cards_leaves_a_newer_correction_of_another_trick(table: LiveTable, page: Page) -> None:
    by_hand(table, 20, revoke_in_trick=2)
    hand_now = table.session.hand
    (revoke,) = [one for one in hand_now.findings if one.kind == "revoke"]
    wrong = next(play for play in hand_now.plays if play.card == revoke.card)
    right = unseen(table, revoke.suit)[0]
    table.enter(PlayCorrected(wrong.seq, card=right), Adjusted("Anna", "king", 5, "a cup"), by="/host")
    assert not table.session.hand.findings
    fifth = seq_of(table, 15)
    said = page.text(f"/undo?to={fifth}")
    stays = section(said, "This was entered since, and stays", "Undo it")
    assert f"trick 2, {wrong.player}" in stays and "a cup" in stays and "No flag changes." in stays
    undo_to(page, fifth)
    assert len(table.session.hand.plays) == 15 and not table.session.hand.findings
    assert next(play for play in table.session.hand.plays if play.seq == wrong.seq).card == right
    assert table.session.payments[-1].note == "a cup"


def unseen(table: LiveTable, suit: str) -> list[str]:
    """The small cards of `suit` that nobody has played."""
    seen = {play.card for play in table.session.hand.plays}
    return [card for card in (f"{suit}{number}" for number in range(1, 11)) if card not in seen]


def test_a_fine_stays_while_its_flag_does_and_goes_with_the_card_that_proves_it(
    table: LiveTable, page: Page
) -> None:
    by_hand(table, 20, revoke_in_trick=2)
    (flag,) = table.session.hand.findings
    assert flag.known_at is not None and flag.known_at[1] < 20
    proof = seq_of(table, flag.known_at[1] - 1)
    table.enter(Fined(flag.player, flag.category, "agreed", (), 1, flag.name))
    table.enter(Fined("Anna", "minor", "a hint"))
    later = seq_of(table, flag.known_at[1])
    said = page.text(f"/undo?to={later}")
    assert "No flag changes." in said and "agreed" in section(said, "and stays", "Undo it")
    said = page.text(f"/undo?to={proof}")
    assert "agreed" in section(said, "This goes", "This was entered")
    assert "a hint" in section(said, "and stays", "Flags")
    assert "This flag falls away: " in said and flag.player in said.split("falls away")[1]
    undo_to(page, proof)
    assert [fine.reason for fine in table.session.hand.fines.values()] == ["a hint"]


def test_a_fine_undone_alone_opens_its_flag_again_and_no_card_goes(table: LiveTable, page: Page) -> None:
    by_hand(table, 20, revoke_in_trick=2)
    (flag,) = table.session.hand.findings
    table.enter(Fined(flag.player, flag.category, "agreed", (), 1, flag.name))
    fine = table.recorded[-1].seq
    table.enter(replace(hand(3, revoke_in_trick=2)[21], time_s=None))
    said = page.text(f"/undo?to={fine}")
    assert "Everything else stays." in said and "This flag is open again: " in said
    undo_to(page, fine)
    assert len(table.session.hand.plays) == 21 and view_of(table, "en").open_findings[0].flag


def test_back_to_a_hand_before_takes_the_hands_since_and_leaves_what_was_fined_before(
    table: LiveTable, page: Page
) -> None:
    by_hand(table, 7)
    table.enter(Fined("Bo", "minor", "in hand one"), HandAbandoned(), HandStarted("Bo"))
    table.enter(Declared("Carl", ()), CardPlayed("Carl", "S7"), Fined("Anna", "minor", "in hand two"))
    table.enter(Fined("Anna", "minor", "late", (), 1))
    table.enter(Adjusted("Anna", "king", 5, "a cup"))
    seventh = table.session.hands[0].plays[-1].seq
    said = page.text(f"/undo?to={seventh}")
    gone, stays = section(said, "This goes", "This was entered"), section(said, "and stays", "Undo it")
    assert "in hand two" in gone and "Bo deals" in gone and "Hand abandoned" in gone
    assert all(word in stays for word in ("in hand one", "late", "a cup"))
    undo_to(page, seventh)
    assert len(table.session.hands) == 1 and table.session.under_way
    assert len(table.session.hand.plays) == 6 and table.session.alerts == []
    assert {fine.reason for fine in table.session.hand.fines.values()} == {"in hand one", "late"}


def test_a_hand_that_the_camera_saw_stays_when_a_card_of_the_hand_before_is_undone(
    table: LiveTable, page: Page
) -> None:
    by_hand(table, 4)
    table.enter(HandAbandoned())
    sees(table, "Carl:S7")
    fourth = table.session.hands[0].plays[-1].seq
    undo_to(page, fourth)
    assert [len(one.plays) for one in table.session.hands] == [3, 1]
    assert page.text(f"/undo?to={table.recorded[5].seq}").count("Nothing has been entered") <= 1


def test_taking_back_what_the_camera_saw_taken_back_leaves_the_card_before(
    table: LiveTable, page: Page
) -> None:
    by_hand(table, 4)
    cards = [play.card for play in table.session.hand.plays]
    fourth = seq_of(table, 3)
    sees(table, "", PlaysTakenBack(1))
    undo_to(page, fourth)
    assert [play.card for play in table.session.hand.plays] == cards[:3]


def test_each_row_names_trick_and_player_and_no_hidden_card(table: LiveTable) -> None:
    """35 cards entered by hand, fair play: the card is named where it may be, trick and player always."""
    by_hand(table, 35)
    right = unseen(table, table.session.hand.plays[4].card[0])[0]
    table.enter(PlayCorrected(seq_of(table, 4), card=right))
    table.choose(fair_play=True)
    history = view_of(table, "en", Role.PLAYER).history
    rows = {row.seq: row.what for row in history.entries}
    hand_now = table.session.hand
    for trick in hand_now.tricks:
        for play in trick.plays:
            named = rows[play.seq]
            if trick is hand_now.tricks[-1]:
                assert named.startswith(f"{play.player} played") and f"(trick {trick.number})" in named
            else:
                assert named == f"A card (trick {trick.number}, {play.player})"
    (corrected,) = (row for row in rows.values() if "corrected" in row)
    assert corrected == f"A card corrected (trick 2, {hand_now.plays[4].player})"
    assert not [row for row in rows.values() if "earlier trick" in row]
    dialog = Page(table, Role.PLAYER, "Anna").text(f"/undo?to={seq_of(table, 20)}")
    assert f"A card (trick 7, {hand_now.plays[20].player})" in dialog
    table.choose(fair_play=False)
    shown = view_of(table, "en", Role.PLAYER).history
    assert WORDS.card_label(right, "en") in next(row.what for row in shown.entries if "corrected" in row.what)


@pytest.mark.parametrize("seq", [0, 1, 999, "x"])
def test_what_is_no_entry_cannot_be_undone(table: LiveTable, page: Page, seq: object) -> None:
    by_hand(table, 3)
    assert "Nothing has been entered" in page.text(f"/undo?to={seq}") or seq in (0, "x")
    assert page.post("/undo", seq=5, to=seq)[0] in (400, 409)
