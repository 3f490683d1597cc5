"""What must always hold in every game, over random sessions: legal ones, with errors planted, and changed at random."""

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tracker_again import file_of, folded, read_again
from tracker_entries import any_entry
from tracker_live import entered, numbered
from tracker_random import random_evening
from tracker_second_reckoning import as_reckoned, reckoned

from tracker.american.findings import DENIAL_RULES as AMERICAN_DENIALS
from tracker.errors import TarokError
from tracker.events import (
    EventRetracted,
    PlayCorrected,
    PlayerRenamed,
    PlayInserted,
    PlayRemoved,
    Recorded,
    event_to_json,
)
from tracker.french.findings import DENIAL_RULES as FRENCH_DENIALS
from tracker.french.hand import PERSONAL as FRENCH_PERSONAL
from tracker.games import GAMES, read_session
from tracker.renaming import named_now, with_names
from tracker.session_file import export

FORCED: dict[str, set[str]] = {
    # The dealer of a random deal may have no three cards that he may lay.
    "danish": {"fool_call_wrong", "bad_discard", "fool_discarded", "declaration_false"},
    "tarot1659": set(),
    # Who has no other card to lay must lay a king, and a hand made up for a game may have no tarock.
    "american": {"bad_discard", "no_tarocks"},
    # So it is here, and a trump that the taker takes for the dog may be laid for nothing.
    "french": {"bad_discard", "handful_incomplete"},
}
"""What is found all the same in a session by the rules."""
DENIALS = {"american": AMERICAN_DENIALS, "french": FRENCH_DENIALS}
"""The kinds of finding that say that a player had another card."""
PERSONAL = {"american": ("misdeal", "mond", "klop", "renonce", "adjustment"), "french": FRENCH_PERSONAL}
"""What is written down for one player alone."""
seeds = st.integers(0, 10**9)


def lived(game: str, seed: int) -> Any:
    """A random session, played from the first event to the last."""
    return entered(*file_of(random_evening(game, seed)).events)


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
@example(155)  # American Tarock: a fine for an earlier hand that was broken off while it was bid for
@example(8509293)  # American Tarock: an adjustment between two bids, and a Mond in the Talon after it
def test_replaying_exporting_and_importing_give_the_same_audit(game: str, seed: int) -> None:
    kind, audit = GAMES[game].session, GAMES[game].audit
    file = file_of(random_evening(game, seed))
    for event in file.events:
        assert kind.kinds.from_json(json.loads(json.dumps(event_to_json(event)))) == event
    expected = audit(file.session())
    assert audit(kind.replay(numbered(*file.events))) == expected
    assert audit(folded(export(file.events, kind))) == expected


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
def test_the_audit_is_that_of_the_plain_reference(game: str, seed: int) -> None:
    session = random_evening(game, seed)
    assert as_reckoned(game, GAMES[game].audit(folded(session))) == reckoned(game, session)


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
def test_nobody_who_plays_by_the_rules_is_accused(game: str, seed: int) -> None:
    hands = folded(random_evening(game, seed, faulty=False)).hands
    assert {finding.kind for hand in hands for finding in hand.findings} <= FORCED[game]


@pytest.mark.parametrize("game", DENIALS)
@given(seeds)
@pytest.mark.rule("AT-REV-2")
def test_every_play_that_is_accused_is_shown_by_cards_that_came_later(game: str, seed: int) -> None:
    """Every play that is accused was illegal with the cards that its player then held; the deal is known here."""
    for hand in folded(random_evening(game, seed, faulty=True)).hands:
        for finding in hand.findings:
            if finding.kind in DENIALS[game] and finding.card not in (None, "F") and hand.all_played:
                number = next(play.number for play in hand.plays if play.card == finding.card)
                later = {play.card for play in hand.plays[number:] if play.player == finding.player}
                assert finding.evidence and set(finding.evidence) <= later


@pytest.mark.parametrize("game", ["american", "french"])
@given(seeds)
@pytest.mark.rule("AT-SCORE-1")
def test_the_sheet_is_the_sum_of_its_lines_and_sides_score_alike(game: str, seed: int) -> None:
    session = folded(random_evening(game, seed))
    totals = dict.fromkeys(session.balances, 0)
    for hand in session.hands:
        shared: dict[str, list[tuple[str, int]]] = {}
        for score in hand.scores:
            assert score.points
            totals[score.player] += score.points
            if score.reason not in PERSONAL[game]:
                shared.setdefault(score.player, []).append((score.reason, score.points))
        assert {name: totals[name] for name in hand.totals} == hand.totals
        if game == "french":
            assert sum(points for lines in shared.values() for _, points in lines) == 0
        else:
            side = {player for player in (hand.declarer, hand.call.partner) if player is not None}
            assert shared.keys() in (set(), side)
            assert len({tuple(lines) for lines in shared.values()}) <= 1
    assert totals == session.balances


@pytest.mark.parametrize(("game", "unit"), [("danish", 5), ("tarot1659", 1)])
@given(seeds)
@pytest.mark.rule("PAY-1")
@pytest.mark.rule("T59-ANTE-1")
def test_players_and_pots_sum_to_zero_after_every_payment(game: str, unit: int, seed: int) -> None:
    session = folded(random_evening(game, seed))
    chips = dict.fromkeys([*session.balances, *session.pots], 0)
    for payment in session.payments:
        chips[payment.source] -= payment.amount
        chips[payment.target] += payment.amount
        assert payment.amount > 0 and payment.amount % unit == 0
        assert sum(chips.values()) == 0 <= min(chips[pot] for pot in session.pots)
    assert chips == session.balances | session.pots


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
@example(
    190428
)  # American Tarock: three kings are played, so that the fourth is known; nobody told the exchange
def test_whatever_is_entered_nothing_is_lost_and_every_way_to_fold_it_agrees(game: str, seed: int) -> None:
    chance, kind, audit = random.Random(seed), GAMES[game].session, GAMES[game].audit
    opened, *body = file_of(random_evening(game, seed)).events
    live, players = kind(opened), [*opened.seats, "Zoe"]
    for event in body:
        live.apply(event)
        if chance.random() < 0.06:
            live.apply(any_entry(game, chance, players, live.record[-1].seq + 1))
        if live.pots:
            assert sum((live.balances | live.pots).values()) == 0 <= min(live.pots.values())
    again = kind.replay(live.record)
    assert audit(again) == audit(live)
    assert len(again.alerts) == len(live.alerts)
    assert [hand.gaps for hand in again.hands] == [hand.gaps for hand in live.hands]
    for language in ("da", "en", "fr"):
        assert all(GAMES[game].words.alert_text(alert, language) for alert in live.alerts)
        assert "{" not in GAMES[game].audit_text(live, language)
    read, lived = audit(read_again(live)), audit(live)
    match game:
        case "american":
            for hand, there, here in zip(live.hands, read["hands"], lived["hands"], strict=True):
                if hand.what_is_missing():  # a file has its cards only after game, call and exchange
                    assert not there["tricks"]
                    # What the cards tell; the fourth king tells what was called.
                    told = ("complete", "tricks", "tricks_won", "called", "partner", "violations")
                    here |= {key: there[key] for key in told}
        case "french":
            for hand in live.hands:
                assert sum(score.points for score in hand.scores if score.reason not in FRENCH_PERSONAL) == 0
            # What counts can be written and read again, also where contract or call of a hand were never entered.
            keys = ("dealer", "totals", "contract", "void", "next")
            read, lived = (
                [{key: row.get(key) for key in keys} for row in found["hands"]] for found in (read, lived)
            )
    assert read == lived


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
def test_a_name_that_is_erased_stands_nowhere_any_more_and_changes_nothing_else(game: str, seed: int) -> None:
    live, audit = lived(game, seed), GAMES[game].audit
    old, new = random.Random(seed).choice(live.opened.seats), "N.N. 2"
    record = [Recorded(seq, with_names(event, {old: new})) for seq, event, *_ in live.record]
    assert f'"{old}"' not in written([event_to_json(event) for _, event, *_ in record])
    assert written(audit(live)).replace(f'"{old}"', f'"{new}"') == written(audit(type(live).replay(record)))


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
def test_a_name_that_is_put_right_is_right_in_all_of_the_evening_and_changes_nothing_else(
    game: str, seed: int
) -> None:
    """Two players were taken for each other: three new names put that right, between any two events."""
    chance, live, audit = random.Random(seed), lived(game, seed), GAMES[game].audit
    events = [event for _, event, *_ in live.record]
    one, other = chance.sample(live.opened.seats, 2)
    right = {one: other, other: one}
    record = [*events[: (cut := chance.randrange(1, len(events) + 1))]]
    record += [PlayerRenamed(one, "?"), PlayerRenamed(other, one), PlayerRenamed("?", other)]
    if any(refers(event) for event in events[cut:]):
        return  # the later ones name events by their numbers, which have moved
    record += [with_names(event, right) for event in events[cut:]]
    stored = [Recorded(seq, event, by=one if seq <= cut else "") for seq, event in enumerate(record, start=1)]
    by_step = entered(*record)
    expected = written(
        audit(type(live).replay(Recorded(seq, with_names(event, right)) for seq, event, *_ in live.record))
    )
    for session in (by_step, type(live).replay(stored), type(live).replay(named_now(stored))):
        assert written(audit(session)) == expected
        assert export(session.record, type(session)) == export(
            [with_names(event, right) for event in events], type(session)
        )
    assert {one.by for one in named_now(stored)} == {other, ""}


def refers(event: Any) -> bool:
    """Whether `event` names another one by its number."""
    return getattr(event, "seq", None) is not None or getattr(event, "before_seq", None) is not None


def written(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
def test_undoing_a_correction_restores_everything(game: str, seed: int) -> None:
    chance = random.Random(seed)
    live, audit, pack = lived(game, seed), GAMES[game].audit, GAMES[game].session.pack.cards
    finished = [trick for hand in live.hands for trick in hand.tricks if trick.winner is not None]
    assume(finished)
    play = chance.choice(chance.choice(finished).plays)
    other = chance.choice([player for player in live.seats if player != play.player])
    before = audit(live), len(live.alerts)
    for correction in (
        PlayCorrected(play.seq, card=chance.choice([card for card in pack if card != play.card])),
        PlayCorrected(play.seq, player=other),
        PlayRemoved(play.seq),
        PlayInserted(play.seq, other, chance.choice(pack)),
        EventRetracted(play.seq),
    ):
        live.apply(correction)
        assert (audit(live), len(live.alerts)) != before
        live.apply(EventRetracted(live.record[-1].seq))
        assert (audit(live), len(live.alerts)) == before


@pytest.mark.parametrize("game", ["american", "french"])
@given(seeds)
def test_what_is_said_before_the_lead_may_be_entered_after_it(game: str, seed: int) -> None:
    """Live, the camera may see plays before people have said what is played: nothing is lost."""
    audit = GAMES[game].audit
    opened, started, *events = file_of(random_evening(game, seed, faulty=False, hands=1)).events
    early = [event for event in events if event.before_lead]
    plays = [event for event in events if event.key == "play"]
    if not plays or len(early) + len(plays) < len(events):
        return
    late, in_time = entered(opened, started, *plays, *early), entered(opened, started, *early, *plays)
    assert not late.alerts
    assert audit(late) == audit(in_time)


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
def test_any_record_can_be_read_in_each_language(game: str, seed: int) -> None:
    session = folded(random_evening(game, seed))
    for language in ("da", "en", "fr"):
        text = GAMES[game].audit_text(session, language)
        assert "None" not in text and "{" not in text
    # "De le" is du, and "à le" is au: a sentence that names a pot, a card or a suit must do without both.
    assert re.search(r"\b(de|à) les? |\bde atout", GAMES[game].audit_text(session, "fr")) is None


@pytest.mark.parametrize("game", ["american", "french"])
@pytest.mark.parametrize("seed", range(6))
def test_the_audit_in_words_has_the_score_sheet(game: str, seed: int) -> None:
    session = folded(random_evening(game, seed))
    for language, heading in (("en", "Score sheet"), ("da", "Pointregnskab"), ("fr", "Feuille de marque")):
        lines = GAMES[game].audit_text(session, language).splitlines()
        # A line for each hand below the players' names; what a misdeal costs next may follow.
        last = lines[lines.index(heading) + 1 + len(session.hands)]
        for total in session.hands[-1].totals.values():
            assert str(total) in last.split()


# ---- files that were changed ----


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each value within a session file, as what holds it and the key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield value, key
        yield from places(item)


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["S7", "F", "X9", "Bo", "Zoe", "S", "pass", "klop", "prise", 10**30]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def change(session: dict[str, Any], chance: random.Random, junk: object) -> None:
    """Remove, copy or double one value, or put `junk` in its place or beside it."""
    found = list(places(session))
    (owner, key), (other, place) = chance.choice(found), chance.choice(found)
    match chance.randrange(5):
        case 0:
            del owner[key]
        case 1:
            owner[key] = junk
        case 2:
            owner[key] = copy.deepcopy(other[place])
        case _ if isinstance(owner, list):
            owner.insert(chance.randrange(len(owner) + 1), copy.deepcopy(owner[key]))
        case _:
            owner[chance.choice(["bid", "play", "hand", "named", "vitamin", "amount", str(junk)])] = junk


@pytest.mark.parametrize("game", GAMES)
@given(seeds, st.lists(JUNK, min_size=1, max_size=3))
def test_a_file_with_anything_changed_is_refused_in_one_line_or_audited(
    game: str, seed: int, junk: list[object]
) -> None:
    chance = random.Random(seed)
    session = copy.deepcopy(random_evening(game, seed))
    for one in junk:
        change(session, chance, one)
    try:
        kind, file = read_session(json.dumps(session))
        evening = file.session()
    except TarokError as error:
        assert str(error) and str(error).isprintable()
    else:
        assert json.dumps(kind.audit(evening)) and kind.audit_text(evening, "en")
