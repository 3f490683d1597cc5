"""Who may do what: the role that each route needs. A route that is missing here is refused to everybody."""

from enum import IntEnum
from typing import Any, Final

from flask import current_app

from tracker.session import Session


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
        "static", "choose_language", "choose_appearance",
        "source.about", "source.archive", "source.licence_text",
        "guide.steps", "guide.host_guide", "guide.phone_camera", "guide.drawing",
        "joining.invitation", "joining.join", "joining.laptop",
    ),
    Role.WALL: (
        "table.index", "table.state", "table.stream",
        "camera.camera", "camera.card", "camera.evidence", "camera.large", "camera.moment",
        "rules.rules", "rules.file",
        "dialogs.player", "dialogs.hand", "dialogs.ledger", "files.audit",
        "joining.me", "joining.leave", "practice.dialog",
    ),
    Role.PLAYER: (
        "joining.sit",
        "history.season", "history.evening", "history.hand", "history.evening_csv", "history.evening_json",
        "history.person", "history.person_csv", "history.persons_csv",
        "dialogs.play", "dialogs.edit", "dialogs.insert", "dialogs.more", "dialogs.start", "dialogs.undo",
        "dialogs.ask", "put_right.entry", "put_right.correct",
        "practice.ask_trumps", "practice.trumps",
        "recording.dialog", "recording.answer", "recording.stop",
        "learning.index", "learning.latest", "learning.review", "learning.drill",
        "replay.latest", "replay.watch", "replay.hand_file", "replay.evening_file",
        "entries.play", "entries.correct", "entries.remove", "entries.answer", "entries.settle_gap",
        "entries.dismiss", "entries.settle_untaken", "entries.take_back",
        "unseen.dialog", "unseen.card", "unseen.won",
        "entries.start_hand", "entries.next_hand", "dialogs.dealer", "entries.correct_dealer", "entries.undo",
        "entries.ask",
        "danish.declaration_dialog", "danish.fool_dialog", "danish.tout_dialog", "danish.declare", "danish.name_fool",
        "danish.named_dialog", "danish.answer_fool", "danish.call_fool",
        "danish.result_dialog", "danish.enter_result", "danish.announce_tout", "danish.show_skat",
        "tarot1659.fool_dialog", "tarot1659.exchange_fool", "tarot1659.no_exchange",
        "tarot1659.result_dialog", "tarot1659.enter_result", "american.result_dialog", "american.enter_result",
        "french.result_dialog", "french.enter_result",
        "american.round_dialog", "american.talon_dialog", "american.bid", "american.name_game", "american.call_partner",
        "american.turn_talon", "american.take_group", "american.lay_face_up", "american.announce",
        "american.raise_game", "american.turn_vitamin", "american.lay_open", "american.late_dialog",
        "american.call_skeench",
        "french.deal_dialog", "french.bid", "french.name_contract", "french.call_card", "french.dog_dialog",
        "french.turn_dog", "french.lay_face_up", "french.discard_dialog", "french.lay_face_down",
        "french.announce_slam", "french.handful_dialog", "french.show_handful",
    ),
    Role.ARBITER: (
        "dialogs.abandon", "dialogs.adjust", "dialogs.trick",
        "entries.let_pass", "entries.settle_fine", "entries.settle_end", "entries.adjust", "entries.abandon",
        "entries.confirm", "entries.decline", "entries.open_trick",
        "danish.fine_dialog", "danish.fine", "danish.redeal",
        "tarot1659.fine_dialog", "tarot1659.fine", "tarot1659.redeal",
        "american.renonce_dialog", "american.book_renonce", "american.redeal", "american.adjust_dialog",
        "american.adjust",
        "french.penalty_dialog", "french.book_penalty", "french.redeal", "french.decide_dialog", "french.annul",
        "french.award", "french.adjust_dialog", "french.adjust",
    ),
    Role.HOST: (
        "dialogs.settle", "entries.evening", "entries.evening_again",
        "entries.settle",
        "entries.join", "entries.leave", "naming.dialog", "naming.rename", "naming.rename_past",
        "results.choose",
        "files.session_file", "files.audit_file",
        "decks.decks", "decks.use", "decks.forget", "decks.start", "decks.teach", "decks.shown", "decks.name",
        "decks.stop", "decks.undo",
        "host.host", "host.save", "host.delete_corrections", "host.delete_saved_evening",
        "host.remove_clips", "recording.ask", "recording.aloud", "recording.film",
        "host.ask_end", "host.end", "host.ended",
        "host.backup", "host.delete_evening", "host.erase", "host.seats", "host.seat",
        "set_up.start", "set_up.step", "set_up.seen", "set_up.offered", "set_up.game", "set_up.camera",
        "set_up.search_cameras", "set_up.try_address",
        "set_up.tried_picture", "set_up.show_again", "set_up.players", "set_up.lay", "set_up.side",
        "host.switch", "host.phone", "host.vouch", "host.fool",
        "club.join", "club.leave", "club.begin_round", "club.this_is_the_round",
        "rules.form", "rules.save", "rules.delete",
        "history.all_csv", "history.all_json", "history.take_in", "history.settle", "history.chip",
    ),
}  # fmt: skip
NEEDED_ROLE: Final = {endpoint: role for role, endpoints in _ROUTES.items() for endpoint in endpoints}
"""The role that each route needs, by its endpoint. `webui.pages.entries` says what a player may only ask for."""


def may(role: Role, endpoint: str | None) -> bool:
    """Whether `role` may use the route with this endpoint; nobody may use a route that is not listed."""
    needed = NEEDED_ROLE.get(endpoint or "")
    return needed is not None and role >= needed


def may_open(role: Role, href: str) -> bool:
    """Whether `role` may open the page or dialog at `href`, an address of the running application."""
    endpoint, _ = current_app.url_map.bind("").match(href.partition("?")[0])
    return may(role, str(endpoint))


def role_in_hand(role: Role, seat: str, session: Session[Any, Any] | None) -> Role:
    """The role, just now, of a phone that joined as `role` and sits at `seat` ("" for none).

    A player who sits out in a hand is its arbiter until the next hand is dealt.
    """
    hand = session.hand if session is not None and not session.closed else None
    sits_out = hand is not None and seat in hand.sits_out
    return Role.ARBITER if role is Role.PLAYER and sits_out else role


def menu_of(role: Role) -> Role:
    """The role whose menu a page has: an arbiter, who is one for a hand only, has a player's menu."""
    return Role.PLAYER if role is Role.ARBITER else role
