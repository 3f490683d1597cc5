"""Nobody is accused by a reader's error: what a finding argues from must be certain, or it is unsettled."""

from typing import Any

import pytest
from tracker_again import read_again
from tracker_live import live
from tracker_table import filler

from tracker.danish.audit import audit
from tracker.danish.audit_text import audit_text
from tracker.danish.combination import Combination
from tracker.danish.events import Declared
from tracker.danish.session import DanishSession
from tracker.doubts import doubt_of, proved
from tracker.events import CardPlayed, Event, EventRetracted, PlayCorrected, TrickTaken, Unwatched

KINGS = Declared("Bo", (Combination("kings", grade="full"),))
# Bo denies spades in trick 1 and plays one in trick 3.
REVOKE = "Anna:S7 Bo:H3 Carl:S3  Anna:C2 Bo:C3 Carl:C4  Carl:D5 Anna:D6 Bo:S9  Carl:C8 Anna:C6 Bo:C7"
OUT_OF_TURN = "Anna:S7 Bo:S2 Carl:S3  Anna:C2 Bo:C4 Carl:C3  Anna:D5"
# All three deny hearts, and the king of hearts is never in the skat.
CONTRADICTION = "Anna:H1 Bo:S2 Carl:S3  Anna:S4 Bo:S7 Carl:S5  Bo:F/H Carl:C3 Anna:C4"
COURTS = """Anna T1  Bo F  Carl SD  Anna SR  Bo HC  Carl HD  Anna HR  Bo DC  Carl DD
            Anna DR  Bo CV  Carl CC  Anna CR  Bo CD  Carl SC"""


def words(pairs: str) -> str:
    """`Anna S7  Bo S2` as `Anna:S7 Bo:S2`."""
    names = pairs.split()
    return " ".join(f"{player}:{card}" for player, card in zip(names[::2], names[1::2], strict=True))


WHOLE_HAND = words(filler(20) + COURTS)  # SV, HV and DV are the skat


def event(word: str) -> Event:
    """`Anna:S7`, doubtfully read `Anna:S7?C7`, the fool named `Bo:F/H`, `gap` for a while
    unwatched, `Bo:takes` for a trick taken."""
    if word == "gap":
        return Unwatched()
    player, card = word.split(":")
    if card == "takes":
        return TrickTaken(player)
    card, _, other = card.partition("?")
    card, _, named = card.partition("/")
    return CardPlayed(player, card, named=named or None, alternatives=(other,) if other else ())


def session_of(text: str, *said: Event) -> DanishSession:
    """Carl deals; the play `Anna:S7 Bo:S2 …` after what was `said`."""
    session: DanishSession = live(*said, *map(event, text.split()), rules="dtf-2011")
    return session


def doubts(session: DanishSession, kind: str) -> list[str | None]:
    return [doubt_of(session.hand, each) for each in session.hand.findings if each.kind == kind]


# Anna's lead to trick 2 was missed; everybody followed suit. That a card is missing shows only in trick 4.
MISSED_LEAD = "Anna:S7 Bo:S2 Carl:S3  Bo:H3 Carl:H2 Anna:C2  Bo:C4 Carl:C6 Carl:D5"

CASES: dict[str, tuple[str, str, str, Any]] = {
    "a revoke that is shown": ("revoke", REVOKE, "", None),
    "its offence is doubtful": ("revoke", REVOKE, "Bo:H3?S8", "reading"),
    "the lead of its trick is doubtful": ("revoke", REVOKE, "Anna:S7?C7", "reading"),
    "the card that shows it is doubtful": ("revoke", REVOKE, "Bo:S9?C9", "reading"),
    "a card in between may be no card": ("revoke", REVOKE, "Bo:C3?C5", "reading"),
    "a card afterwards is doubtful": ("revoke", REVOKE, "Bo:C7?C5", None),
    "a card before it could not be counted": ("revoke", REVOKE, "Anna:C2 Anna:C9", "alert"),
    "a card after it could not be counted": ("revoke", REVOKE, "Anna:C6 Anna:C9", "alert"),
    "the card that shows it is seen again": ("revoke", REVOKE, "Carl:C8 Bo:S9", "alert"),
    "nobody watched before it": ("revoke", REVOKE, "gap Anna:C2", "gap"),
    "nobody watched after it": ("revoke", REVOKE, "gap Anna:C6", None),
    "a trick before it was taken by another": ("revoke", REVOKE, "Carl:C4 Bo:takes", "alert"),
    "a trick after it was taken by another": ("revoke", REVOKE, "Bo:C7 Bo:takes", None),
    "a lead out of turn": ("lead_out_of_turn", OUT_OF_TURN, "", None),
    "who won the trick before is doubtful": ("lead_out_of_turn", OUT_OF_TURN, "Bo:C4?C1", "reading"),
    "it seems so because a card was missed": ("lead_out_of_turn", MISSED_LEAD, "", "alert"),
    "a contradiction": ("contradiction", CONTRADICTION, "", None),
    "any card before it is doubtful": ("contradiction", CONTRADICTION, "Carl:S5?H5", "reading"),
    "the dealer's discard": ("bad_discard", WHOLE_HAND, "Anna:DV", None),
    "a king may have been misread": ("bad_discard", WHOLE_HAND, "Anna:DV?DR", "reading"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_finding_is_unsettled_while_what_it_argues_from_is(case: tuple[str, str, str, Any]) -> None:
    kind, play, change, expected = case
    if kind == "bad_discard":
        play = play.replace("Anna:DR", change)
    elif change:
        instead = next(word for word in change.split() if word != "gap").partition("?")[0]
        assert instead in play.split()
        play = play.replace(instead, change)
    assert set(doubts(session_of(play), kind)) == {expected}


@pytest.mark.rule("FOOL-2")
@pytest.mark.parametrize(
    ("fool", "third", "expected"),
    [("F", "T1", ["unsaid"]), ("F", "D1", [None]), ("F/D", "T1", [None])],
    ids=["not entered", "any name gives the same winner", "entered"],
)
def test_a_finding_waits_for_the_name_of_a_led_fool(
    fool: str, third: str, expected: list[str | None]
) -> None:
    # Bo denies hearts in trick 1 and plays one in trick 3.
    play = f"Anna:H1 Bo:S2 Carl:H3  Carl:{fool} Anna:D2 Bo:{third}  Carl:C4 Anna:C2 Bo:H4"
    assert doubts(session_of(play), "revoke") == expected


def test_who_led_a_fool_whose_name_is_not_entered_is_proved_nothing() -> None:
    hand = session_of("Anna:F Bo:S2 Carl:S3  Anna:C2").hand
    assert hand is not None and [one.kind for one in hand.findings] == ["fool_not_named", "lead_out_of_turn"]
    assert [one.kind for one in proved(hand)] == ["lead_out_of_turn"]


@pytest.mark.rule("ORDER")
def test_a_card_seen_out_of_turn_is_flagged_once_all_have_played_to_its_trick() -> None:
    # Bo won trick 1, and Anna leads to trick 2. Perhaps the camera missed Bo's lead.
    plays = ["Anna:S7", "Bo:S8", "Carl:S3", "Anna:C2", "Bo:C4", "Carl:C3"]
    seen = [CardPlayed(*play.split(":"), time_s=float(at)) for at, play in enumerate(plays)]
    session = live()
    for at, play in enumerate(seen):
        session.apply(play)
        assert doubts(session, "lead_out_of_turn") == {3: ["turn"], 4: ["turn"], 5: [None]}.get(at, [])


def test_a_declaration_is_false_only_if_the_card_that_says_so_was_seen_well() -> None:
    play = "Anna:HR Bo:H4 Carl:H5"
    assert doubts(session_of(play, KINGS), "declaration_false") == [None]
    assert doubts(session_of(play.replace("HR", "HR?HD"), KINGS), "declaration_false") == ["reading"]


def test_the_answer_settles_it_either_way() -> None:
    session = session_of(WHOLE_HAND.replace("Anna:DR", "Anna:DV?DR"))
    seq = next(play.seq for play in session.hand.plays if play.card == "DV")
    session.apply(PlayCorrected(seq, card="DV"))
    assert doubts(session, "bad_discard") == [None]
    session.apply(PlayCorrected(seq, card="DR"))
    assert doubts(session, "bad_discard") == []


def test_a_card_that_cannot_be_counted_no_longer_matters_when_it_is_settled() -> None:
    session = session_of(REVOKE.replace("Anna:C2", "Anna:C2 Anna:C9"))
    (alert,) = session.alerts
    session.apply(EventRetracted(alert.seq))
    assert doubts(session, "revoke") == [None]


def test_nothing_is_missing_from_a_hand_of_which_all_75_cards_were_seen() -> None:
    whole = WHOLE_HAND.replace("Bo:CD", "gap Bo:CD")
    *play, _ = whole.split()
    hand = session_of(" ".join(play)).hand
    assert [gap.trick for gap in hand.gaps] == [25]
    assert set(doubts(session_of(whole), "revoke")) == {None}


@pytest.mark.parametrize("last", ["Bo:SV?CD", "Carl:HV Bo:SV"], ids=["doubtful", "after an uncounted one"])
def test_a_hand_whose_75th_card_is_in_question_may_still_miss_one(last: str) -> None:
    # Bo's last card was missed; the jack of spades is led to the next hand.
    hand = session_of(f"{WHOLE_HAND.replace('Bo:CD', 'gap')} {last}").hand
    assert hand.complete and hand.gaps


def test_who_played_a_doubtful_card_says_nothing_of_which_card_it_was() -> None:
    session = session_of("Anna:S7 Carl:H3?S8")
    session.apply(PlayCorrected(4, player="Bo"))
    assert [(p.player, p.card, p.alternatives) for p in session.hand.plays[1:]] == [("Bo", "H3", ("S8",))]
    session.apply(PlayCorrected(4, card="H3"))
    assert session.hand.plays[1].alternatives == ()


def test_the_audit_in_words_says_what_is_unsettled_and_proposes_no_fine_for_it() -> None:
    certain, unsettled = session_of(REVOKE), session_of(REVOKE.replace("Bo:S9", "Bo:S9?C9"))
    assert "  ! " in audit_text(certain) and "proposed fine" in audit_text(certain)
    text = audit_text(unsettled)
    assert "  ? " in text and "one of the cards was read in doubt" in text and "proposed fine" not in text
    assert "et af kortene er læst usikkert" in audit_text(unsettled, "da")


def test_the_files_hold_the_cards_as_booked_since_their_format_knows_no_doubt() -> None:
    session = session_of(REVOKE.replace("Bo:S9", "Bo:S9?C9"))
    assert audit(session) == audit(read_again(session))
