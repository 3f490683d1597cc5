"""The page's menu: only what can be done just now."""

from dataclasses import dataclass

from webui.games.pages import page_of
from webui.people.roles import Role, may_open
from webui.table.live import LiveTable
from webui.texts import text


@dataclass(frozen=True)
class MenuRow:
    """An entry of the menu; `how` is "page", "dialog" (opened in place) or "file" (downloaded)."""

    label: str
    href: str
    how: str = "page"


def build_menu(table: LiveTable, role: Role, *, learning: bool) -> list[MenuRow]:
    """The menu for a `role` at `table` now; `learning`: there is no table, only hands to learn from."""
    rows = [MenuRow(text("History"), "/history"), MenuRow(text("Learn to count"), "/learn")]
    rules = MenuRow(text("The rules we play by"), "/rules")
    end = MenuRow(text("End the program"), "/host/end", "dialog")
    if learning:
        return [row for row in (*rows, rules, end) if may_open(role, row.href)]
    sight, session = table.sight, table.session
    if sight is not None:
        rows.insert(0, MenuRow(text("Ledger"), "/ledger"))
    rows.append(rules)
    whole = sight is not None and not sight.hidden
    if whole:
        rows.append(MenuRow(text("Audit"), "/audit"))
    rows.append(MenuRow(text("This phone"), "/me", "dialog"))
    if whole:
        rows.append(MenuRow(text("Download the evening as a file"), "/session.json", "file"))
    if table.camera.is_there:
        rows.append(MenuRow(text("Decks"), "/decks"))
        if role is Role.HOST and table.evening.is_open:
            rows.append(MenuRow(text("Record this hand"), "/recording", "dialog"))
    if session is not None:
        rows.append(MenuRow(text("Seats"), "/seats", "dialog"))
    rows.append(MenuRow(text("The host's choices"), "/host", "dialog"))
    if session is not None and not session.closed:
        page = page_of(session)
        rows.append(MenuRow(text(page.finish), "/settle", "dialog"))
    rows.append(MenuRow(text("Set up the table"), "/setup"))
    rows.append(end)
    return [row for row in rows if may_open(role, row.href)]
