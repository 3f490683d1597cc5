"""Who may do what: the role that each route needs. A route that is not listed here is refused to everybody."""

from enum import IntEnum
from typing import Final

from tracker.danish.session import DanishSession


class Role(IntEnum):
    """What a phone, or the laptop's own browser, may do; each role may do what those before it may."""

    UNINVITED = 0
    WALL = 1
    """A screen that shows the table."""
    PLAYER = 2
    ARBITER = 3
    """The phone of a seat that sits out in this hand (Danish: oversidder)."""
    HOST = 4


_ROUTES: Final = {
    Role.UNINVITED: (
        "static", "choose_language",
        "about.about", "about.source", "about.licence_text",
        "joining.invitation", "joining.join", "joining.laptop",
    ),
    Role.WALL: (
        "table.index", "table.state", "table.stream",
        "camera.camera", "camera.card", "camera.evidence",
        "dialogs.player", "dialogs.hand", "dialogs.ledger", "files.audit",
        "joining.me", "joining.leave",
    ),
    Role.PLAYER: (
        "joining.sit",
        "history.season", "history.evening", "history.hand", "history.evening_csv", "history.evening_json",
        "dialogs.play", "dialogs.edit", "dialogs.insert", "dialogs.declare", "dialogs.fool", "dialogs.more",
        "dialogs.start", "dialogs.tout", "dialogs.undo", "dialogs.ask",
        "entries.play", "entries.correct", "entries.remove", "entries.answer", "entries.settle_gap",
        "entries.dismiss", "entries.settle_untaken", "entries.declare", "entries.name_fool",
        "entries.call_fool", "entries.announce_tout", "entries.take_back", "entries.show_skat",
        "entries.start_hand", "entries.next_hand", "entries.correct_dealer", "entries.undo", "entries.ask",
    ),
    Role.ARBITER: (
        "dialogs.fine", "dialogs.abandon", "dialogs.adjust", "dialogs.trick",
        "entries.fine", "entries.let_pass", "entries.adjust", "entries.redeal", "entries.abandon",
        "entries.confirm", "entries.decline", "entries.open_trick",
    ),
    Role.HOST: (
        "dialogs.open_evening", "dialogs.settle", "entries.evening", "entries.settle",
        "entries.join", "entries.leave",
        "files.session_file", "files.audit_file",
        "decks.decks", "decks.use", "decks.forget", "decks.start", "decks.teach", "decks.shown", "decks.name",
        "decks.stop", "decks.undo",
        "host.host", "host.corrections", "host.save", "host.delete_corrections", "host.delete_saved_evening",
        "host.backup", "host.delete_evening", "host.erase", "host.seats", "host.seat",
        "host.fair_play", "host.open_table", "host.phone",
        "history.all_csv", "history.all_json", "history.take_in", "history.chip",
    ),
}  # fmt: skip
NEEDED_ROLE: Final = {endpoint: role for role, endpoints in _ROUTES.items() for endpoint in endpoints}
"""The role that each route needs, by its endpoint. What a player may only ask for, `webui.pages.entries` says."""


def may(role: Role, endpoint: str | None) -> bool:
    """Whether `role` may use the route; nobody may use one that is not listed."""
    needed = NEEDED_ROLE.get(endpoint or "")
    return needed is not None and role >= needed


def role_in_hand(role: Role, seat: str, session: DanishSession | None) -> Role:
    """The role just now of a phone that joined as `role` and sits at `seat` ("" for none).

    A player who sits out in this hand is its arbiter until the next one is dealt.
    """
    hand = session.hand if session is not None and not session.closed else None
    sits_out = hand is not None and seat in hand.sits_out
    return Role.ARBITER if role is Role.PLAYER and sits_out else role


def menu_of(role: Role) -> Role:
    """The role whose menu a page has: that of an arbiter, who is one for a hand, is a player's."""
    return Role.PLAYER if role is Role.ARBITER else role
