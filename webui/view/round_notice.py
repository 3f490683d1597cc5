"""The round of a tournament that the club offers the table, as the page shows it."""

import time
from dataclasses import dataclass

from webui.app_parts import app_parts
from webui.reporting.rounds import OfferedRound, RoundPhase


@dataclass(frozen=True)
class RoundNotice:
    """The phase of the round. `until` is the time of day at which its time is up, "" if no clock runs.

    `paused`: the round's clock is stopped. `open`: another evening than this round is open. `another`: the
    evening at the table is another round. `twice` as in `TableRound`.
    """

    phase: RoundPhase
    offer: OfferedRound | None
    until: str
    paused: bool
    open: bool
    another: bool
    twice: tuple[tuple[str, str], ...]


def round_notice() -> RoundNotice | None:
    """The table's round; None if there is nothing to tell. The caller holds the table's lock."""
    parts = app_parts()
    rounds = parts.reporter.rounds
    now, phase = rounds.now, rounds.phase
    offer = now.offer
    if parts.reporter.club is None or (phase == "none" and not now.twice):
        return None
    ends_at = offer.ends_at if offer is not None else None
    return RoundNotice(
        phase=phase,
        offer=offer,
        until=time.strftime("%H:%M", time.localtime(ends_at)) if ends_at is not None else "",
        paused=offer is not None and offer.left_s is not None,
        open=parts.live.evening.is_open,
        another=rounds.plays_another,
        twice=now.twice,
    )
