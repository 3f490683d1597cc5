"""What still needs a person's answer: doubtful plays, unwatched times, alerts, what is not entered, and flags.

A flag is a finding that is certain and may be fined. It is open until the table fines it or lets it pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tracker.doubts import doubt_of
from tracker.events import HandAbandoned
from tracker.findings import Alert, Finding
from tracker.hand import Gap, Hand
from tracker.session import Session
from tracker.tricks import Play


@dataclass(frozen=True)
class Unanswered:
    """How many questions are open, and the places of the open flags in `Hand.findings`, by hand number."""

    questions: int
    flags: dict[int, list[int]]


def unanswered(session: Session[Any, Any]) -> Unanswered:
    """What still needs an answer in `session`."""
    asked = len(dealers_asked(session)) + len(asked_about(session)) + len(not_entered(session))
    questions = asked + len(unfounded_fines(session)) + len(unfounded_ends(session))
    return Unanswered(questions, flags_by_hand(session, session.hands))


def asked_about(session: Session[Any, Any]) -> set[int]:
    """The numbers of the events that are asked about just now, each of which is a question."""
    plays = {play.seq for _, play in open_questions(session)}
    return plays | {gap.seq for _, gap in open_gaps(session)} | {alert.seq for alert in open_alerts(session)}


def dealers_asked(session: Session[Any, Any]) -> list[Hand]:
    """The hands of which it is asked who dealt them, oldest first."""
    return [hand for hand in session.hands if hand.dealer_shown]


def open_questions(session: Session[Any, Any]) -> list[tuple[Hand, Play]]:
    """The doubtful plays that nobody has confirmed or corrected, with their hands, oldest first."""
    return [(hand, play) for hand in _by_cards(session) for play in hand.plays if play.alternatives]


def not_entered(session: Session[Any, Any]) -> list[tuple[Hand, Finding]]:
    """What the table is asked for because nobody entered it, with the hands, oldest first."""
    return [
        (hand, hand.findings[place])
        for hand in ([] if session.closed else _by_cards(session))
        for place in _waiting(hand)
        if hand.findings[place].wants == "answer"
    ]


def open_gaps(session: Session[Any, Any]) -> list[tuple[Hand, Gap]]:
    """The unwatched times that nobody has settled, with their hands, oldest first."""
    return [(hand, gap) for hand in _by_cards(session) for gap in hand.gaps]


def next_hand_seen(hand: Hand, gap: Gap) -> int | None:
    """The event by which `hand` ended at `gap`, since the camera saw the next hand begin; None if it did not end so."""
    return next(
        (
            seq
            for event, seq in hand.entries
            if isinstance(event, HandAbandoned) and event.time_s is not None and seq == gap.seq + 1
        ),
        None,
    )


def undone_to_go_on(session: Session[Any, Any], hand: Hand, gap: Gap) -> tuple[int, ...]:
    """The events that go if `hand` did not end at `gap`, as the camera thought, and goes on with the next one's cards.

    There are none where it cannot go on any more.
    """
    ended, later = next_hand_seen(hand, gap), session.hands[hand.number :]
    if ended is None or session.closed or later != [session.now] or later[0].dealer_is_sure:
        return ()
    return gap.seq, ended, later[0].started


def _by_cards(session: Session[Any, Any]) -> list[Hand]:
    """The hands whose cards are named: of the others no card is asked about."""
    return [hand for hand in session.hands if not hand.by_result]


def open_alerts(session: Session[Any, Any]) -> list[Alert]:
    """The alerts that nobody has settled, oldest first. Of several with one cause only the first is there.

    Some are held back for a while, because an answer may settle them: those of a hand of which it is asked who dealt;
    and that a trick was taken too early, or by the wrong player, while cards may be missing, a card of that trick is
    doubtful, or its suit is not entered.
    """
    of_cards = [
        alert
        for hand in session.hands
        for alert in hand.alerts
        if hand.by_result and (alert.card or alert.kind.startswith("trick_taken"))
    ]
    return [
        alert
        for alert in session.alerts
        if alert.follows is None and alert not in of_cards and not _rests_on_a_question(session, alert)
    ]


def following(session: Session[Any, Any], seq: int) -> list[Alert]:
    """The alerts with the same cause as the one numbered `seq`, which came first."""
    return [alert for alert in session.alerts if alert.follows == seq]


def _rests_on_a_question(session: Session[Any, Any], alert: Alert) -> bool:
    if any(alert in hand.alerts for hand in dealers_asked(session)):
        return True
    if alert.trick is None:
        return False
    if any(alert in hand.alerts and gap.seq < alert.seq for hand, gap in open_gaps(session)):
        return True
    if alert.kind != "trick_taken_by_wrong_player":
        return False
    tricks = [(hand, trick) for hand in session.hands for trick in hand.tricks]
    taken = [one for one in tricks if one[1].winner and one[1].plays and one[1].plays[-1].seq < alert.seq]
    return any(
        trick is hand.unsaid or any(play.alternatives for play in trick.plays) for hand, trick in taken[-1:]
    )


def flags_by_hand(session: Session[Any, Any], hands: Sequence[Hand]) -> dict[int, list[int]]:
    """`open_flags` of those `hands` that have any, by hand number; none once the evening is settled."""
    if session.closed:
        return {}
    flags = {hand.number: open_flags(hand) for hand in hands}
    return {number: places for number, places in flags.items() if places}


def open_flags(hand: Hand) -> list[int]:
    """The places in `hand.findings` of the open flags."""
    return [place for place in _waiting(hand) if hand.findings[place].is_flag]


def _waiting(hand: Hand) -> list[int]:
    """The places in `hand.findings` of those that are certain and still wait for a person's decision."""
    settled = fined_findings(hand)
    return [
        place
        for place, finding in enumerate(hand.findings)
        if place not in settled and not doubt_of(hand, finding)
    ]


def fined_findings(hand: Hand) -> dict[int, Any]:
    """The places in `hand.findings` of those that were fined or let pass, each with its fine.

    A fine settles the finding that it names. The named finding may be gone, or the fine may name none. Then the fine
    settles a finding that was known when the fine was booked, and for which it may be meant
    (`Finding.may_be_meant`). A fine for a contradiction settles the revoke that the contradiction turns out to be.
    """
    settled: dict[int, Any] = {}
    unnamed = []

    def may_settle(fine: Any, place: int, finding: Finding) -> bool:
        return place not in settled and fine.player in accused(finding)

    findings = list(enumerate(hand.findings))
    for seq, fine in hand.fines.items():
        named = [at for at, one in findings if may_settle(fine, at, one) and one.name == fine.finding]
        if named:
            settled[named[0]] = fine
        else:
            unnamed.append((fine, seq))
    for fine, seq in unnamed:
        alike = [
            at
            for at, one in findings
            if may_settle(fine, at, one)
            and one.may_be_meant(fine)
            and (
                one.known_at is None
                or hand.plays[one.known_at[1] - 1].seq < seq
                or (one.kind == "revoke" and fine.finding.startswith("contradiction"))
            )
        ]
        if alike:
            settled[alike[0]] = fine
    return settled


def unfounded_fines(session: Session[Any, Any]) -> list[tuple[Hand, int]]:
    """The fines for a flag that no longer stands, since something was put right: the hand, and the event's number."""
    found = []
    for hand in session.hands:
        named = {seq: fine for seq, fine in hand.fines.items() if fine.finding and not fine.lets_pass}
        founded = list(fined_findings(hand).values()) if named else []
        found += [(hand, seq) for seq, fine in named.items() if fine not in founded]
    return found


def standing_flags(hand: Hand) -> tuple[str, ...]:
    """The names of the flags of `hand` for which it may be given up: they are certain, and were not let pass."""
    passed = [place for place, fine in fined_findings(hand).items() if fine.lets_pass]
    return tuple(
        one.name
        for place, one in enumerate(hand.findings)
        if one.is_flag and place not in passed and not doubt_of(hand, one)
    )


def unfounded_ends(session: Session[Any, Any]) -> list[tuple[Hand, Any, int]]:
    """The hands that were given up or annulled when a flag stood, and none of those stands any more.

    Each with the event that ended it, and its number. What was given up counts while it can be played on.
    """
    found = []
    for hand in session.hands:
        for event, seq in hand.entries:
            ended_for = getattr(event, "findings", ())
            over = isinstance(event, HandAbandoned) and (session.closed or session.now is not hand)
            if (
                ended_for
                and not over
                and not any(one.is_called(name) for one in hand.findings for name in ended_for)
            ):
                found.append((hand, event, seq))
    return found


def accused(finding: Finding) -> tuple[str, ...]:
    """Whom the table may fine for `finding`: its player, or else each suspect."""
    return (finding.player,) if finding.player else finding.suspects
