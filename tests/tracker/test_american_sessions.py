"""American Tarock: shared cases, and what must always hold over random sessions, legal, faulty and spoilt."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from american_deals import FAULTY, LEGAL, NAMES, random_session
from american_reference import Reference, comparable
from hypothesis import example, given
from hypothesis import strategies as st

from tracker.american.audit import audit
from tracker.american.audit_text import audit_text
from tracker.american.contracts import ANNOUNCED, BIDS, CONTRACTS
from tracker.american.events import (
    CALLS,
    EVENTS,
    REDEALT_FOR,
    Adjusted,
    BidMade,
    BonusAnnounced,
    ContractNamed,
    GameRaised,
    GroupTaken,
    HandLaidOpen,
    LaidFaceUp,
    PartnerCalled,
    Redealt,
    RenonceBooked,
    SkeenchCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.findings import DENIAL_RULES
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.errors import TarokError
from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    SessionOpened,
    TrickTaken,
    TrickUnseen,
    Unwatched,
    event_to_json,
)
from tracker.games import read_session
from tracker.session_file import export, loads

SHARED = Path(__file__).parents[2].parent / "shared" / "rules" / "cases-games"
CASES = sorted(path for path in SHARED.glob("at-*.json") if not path.name.endswith(".audit.json"))
seeds = st.integers(0, 10**9)


def folded(session: dict) -> AmericanSession:
    return loads(json.dumps(session), AmericanSession).session()


@pytest.mark.skipif(not CASES, reason="the shared cases are not beside this checkout")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_shared_case_agrees_to_the_letter(path: Path) -> None:
    game, file = read_session(path.read_bytes())
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert json.dumps(game.audit(file.session())) == json.dumps(expected)


@given(seeds)
def test_the_audit_is_that_of_the_plain_reference(seed: int) -> None:
    session = random_session(seed)
    expected = Reference(session)
    assert comparable(audit(folded(session))) == {
        "totals": expected.totals,
        "asterisks": expected.asterisks,
        "rounds": expected.rounds,
    }


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_reference_agrees_with_the_shared_cases(path: Path) -> None:
    expected = Reference(json.loads(path.read_text(encoding="utf-8")))
    audited = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert comparable(audited)["rounds"] == expected.rounds


@given(seeds)
def test_nobody_who_plays_by_the_rules_is_accused(seed: int) -> None:
    session = random_session(seed, LEGAL)
    kinds = {finding.kind for hand in folded(session).hands for finding in hand.findings}
    # Who has no other card to lay must lay a king, and a hand made up for a game may have no tarock.
    assert kinds <= {"bad_discard", "no_tarocks"}


@given(seeds)
@pytest.mark.rule("AT-REV-2")
def test_all_that_is_found_in_the_play_was_so(seed: int) -> None:
    """Every play that is accused was illegal with the cards that its player then held; the deal is known here."""
    session = random_session(seed, FAULTY)
    for hand in folded(session).hands:
        for finding in hand.findings:
            if finding.kind in DENIAL_RULES and hand.complete and len(hand.plays) == 48:
                number = next(play.number for play in hand.plays if play.card == finding.card)
                later = {play.card for play in hand.plays[number:] if play.player == finding.player}
                assert set(finding.evidence) and set(finding.evidence) <= later


@given(seeds)
@pytest.mark.rule("AT-SCORE-1")
def test_the_sheet_is_the_sum_of_its_lines_and_partners_score_alike(seed: int) -> None:
    session = folded(random_session(seed))
    totals = dict.fromkeys(NAMES, 0)
    personal = ("misdeal", "mond", "klop", "renonce", "adjustment")
    for hand in session.hands:
        shared: dict[str, list[tuple[str, int]]] = {}
        for score in hand.scores:
            assert score.points
            totals[score.player] += score.points
            if score.reason not in personal:
                shared.setdefault(score.player, []).append((score.reason, score.points))
        assert totals == hand.totals
        side = {player for player in (hand.declarer, hand.call.partner) if player is not None}
        assert shared.keys() in (set(), side)
        assert len({tuple(lines) for lines in shared.values()}) <= 1
    assert totals == session.balances


@given(seeds)
@example(155)  # a fine for an earlier hand that was broken off while it was bid for
@example(8509293)  # an adjustment between two bids, and a Mond in the Talon after it
def test_replaying_the_record_is_the_same_as_having_lived_it(seed: int) -> None:
    file = loads(json.dumps(random_session(seed)), AmericanSession)
    stored = [Recorded(number, event) for number, event in enumerate(file.events, start=1)]
    assert [EVENTS.from_json(json.loads(json.dumps(event_to_json(item.event)))) for item in stored] == [
        item.event for item in stored
    ]
    assert audit(AmericanSession.replay(stored)) == audit(file.session())


@given(seeds)
def test_exporting_and_importing_gives_the_same_audit(seed: int) -> None:
    file = loads(json.dumps(random_session(seed)), AmericanSession)
    written = json.dumps(export(file.events, AmericanSession))
    assert audit(loads(written, AmericanSession).session()) == audit(file.session())


@given(seeds)
def test_what_is_said_before_the_lead_may_be_entered_after_it(seed: int) -> None:
    """Live, the camera may see plays before people have said what is played: nothing is lost."""
    file = loads(json.dumps(random_session(seed, LEGAL, hands=1)), AmericanSession)
    opened, started, *events = file.events
    assert isinstance(opened, SessionOpened)
    early = [event for event in events if event.before_lead]
    plays = [event for event in events if event.key == "play"]
    others = [event for event in events if not event.before_lead and event.key not in ("play", "take_back")]
    live, lived = (AmericanSession(opened) for _ in range(2))
    if others or any(event.key == "take_back" for event in events):
        return
    for event in (started, *plays, *early):
        live.apply(event)
    for event in (started, *early, *plays):
        lived.apply(event)
    assert not live.alerts
    assert audit(live) == audit(lived)


def any_event(chance: random.Random, last: int) -> Event:
    """Anything that a camera or a thumb could enter, possible or not."""
    player, card = chance.choice(NAMES), chance.choice(PACK.cards)
    some = tuple(chance.sample(PACK.cards, chance.randrange(7)))
    return chance.choice(
        [
            CardPlayed(player, card),
            PlaysTakenBack(chance.randrange(5)),
            TrickUnseen(player),
            BidMade(player, chance.choice(BIDS)),
            ContractNamed(chance.choice(list(CONTRACTS)), chance.choice([None, player])),
            PartnerCalled(chance.choice(CALLS)),
            TalonTurned(tuple(chance.sample(PACK.cards, 6))),
            GroupTaken(chance.randrange(3)),
            LaidFaceUp(some),
            BonusAnnounced(player, chance.choice(ANNOUNCED)),
            GameRaised(),
            SkeenchCalled(player),
            Redealt(chance.choice(REDEALT_FOR)),
            VitaminTurned(card, chance.choice([None, 1, 2])),
            HandLaidOpen(some),
            RenonceBooked(player, chance.choice([None, 3]), hand=chance.choice([None, 1, 2])),
            Adjusted(player, chance.randrange(-5, 5), "so"),
            TrickTaken(player),
            HandStarted(chance.choice([None, player])),
            HandAbandoned(),
            Unwatched(),
            PlayCorrected(chance.randrange(last), card=card),
            PlayRemoved(chance.randrange(last)),
            PlayInserted(chance.choice([None, chance.randrange(last)]), player, card),
            EventRetracted(chance.randrange(last)),
        ]
    )


def begun(seed: int) -> tuple[AmericanSession, list[Event]]:
    """A session that was just opened, and what is still to happen in it."""
    opened, *body = loads(json.dumps(random_session(seed)), AmericanSession).events
    assert isinstance(opened, SessionOpened)
    return AmericanSession(opened), body


@given(seeds)
def test_whatever_is_entered_nothing_is_lost_and_every_way_to_fold_it_agrees(seed: int) -> None:
    chance = random.Random(seed)
    live, body = begun(seed)
    for event in body:
        live.apply(event)
        if chance.random() < 0.06:
            live.apply(any_event(chance, live.record[-1].seq + 1))
    assert audit(AmericanSession.replay(live.record)) == audit(live)
    written = json.dumps(export(live.record, AmericanSession))
    again, lived = audit(loads(written, AmericanSession).session()), audit(live)
    for hand, read, row in zip(live.hands, again["hands"], lived["hands"], strict=True):
        if hand.what_is_missing():  # a file has its cards only after game, call and exchange
            assert not read["tricks"]
            row |= {key: read[key] for key in ("complete", "tricks", "tricks_won", "partner", "violations")}
    assert again == lived


@given(seeds)
def test_undoing_a_correction_restores_everything(seed: int) -> None:
    chance = random.Random(seed)
    live, body = begun(seed)
    for event in body:
        live.apply(event)
    plays = [play for hand in live.hands for play in hand.plays]
    if not plays:
        return
    play = chance.choice(plays)
    other = chance.choice([player for player in NAMES if player != play.player])
    before = audit(live), len(live.alerts)
    for correction in (
        PlayCorrected(play.seq, card="T9" if play.card != "T9" else "T8"),
        PlayCorrected(play.seq, player=other),
        PlayRemoved(play.seq),
        PlayInserted(play.seq, other, "T9"),
        EventRetracted(play.seq),
    ):
        live.apply(correction)
        live.apply(EventRetracted(live.record[-1].seq))
        assert (audit(live), len(live.alerts)) == before


def spoilt(session: dict, chance: random.Random) -> dict:
    """The session with a few values replaced, copied, removed or moved."""
    junk = [
        None,
        True,
        0,
        -1,
        3.5,
        "",
        "pass",
        "klop",
        "Zoe",
        "F",
        "X9",
        [],
        {},
        ["T1"],
        10**30,
        "fourth",
        "S",
    ]

    def places(value: Any, path: tuple = ()) -> list[tuple]:
        found = [path]
        inner = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        for key, item in inner:
            found += places(item, (*path, key))
        return found

    def at(path: tuple) -> Any:
        value: Any = session
        for key in path:
            value = value[key]
        return value

    for _ in range(chance.randrange(1, 4)):
        paths = places(session)[1:]
        path = chance.choice(paths)
        owner, key = at(path[:-1]), path[-1]
        change = chance.randrange(5)
        if change == 0:
            del owner[key]
        elif change == 1:
            owner[key] = chance.choice(junk)
        elif change == 2:
            owner[key] = copy.deepcopy(at(chance.choice(paths)))
        elif isinstance(owner, list):
            owner.insert(chance.randrange(len(owner) + 1), copy.deepcopy(owner[key]))
        else:
            owner[chance.choice(["bid", "play", "hand", "named", "vitamin", "amount"])] = chance.choice(junk)
    return session


@given(seeds)
def test_a_spoilt_file_is_refused_in_one_line_or_audited(seed: int) -> None:
    session = spoilt(random_session(seed, hands=2), random.Random(seed))
    try:
        game, file = read_session(json.dumps(session))
        evening = file.session()
    except TarokError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert json.dumps(game.audit(evening)) and game.audit_text(evening, "en")


@pytest.mark.parametrize("seed", range(8))
def test_the_audit_in_words_has_the_score_sheet(seed: int) -> None:
    session = folded(random_session(seed))
    for language, heading in (("en", "Score sheet"), ("da", "Pointregnskab")):
        lines = audit_text(session, language).splitlines()
        # A line for each round below the players' names; what a misdeal costs next may follow.
        last = lines[lines.index(heading) + 1 + len(session.hands)]
        for total in session.balances.values():
            assert str(total) in last.split()
