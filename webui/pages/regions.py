"""The parts of the page that change with the table, rendered once for each version and language."""

from functools import lru_cache, partial

from flask import Flask
from flask_babel import force_locale

from webui.people.roles import Role, may, may_open
from webui.table.live import LiveTable
from webui.view.menu import build_menu
from webui.view.table_view import build_view

REGIONS = (
    "menu",
    "status",
    "news",
    "felt",
    "practice",
    "aids",
    "acts",
    "waiting",
    "notices",
    "result",
    "payments",
    "health",
    "flags",
    "history",
    "invite",
)


def render_regions(
    app: Flask, table: LiveTable, lang: str, role: Role, seat: str
) -> tuple[int, dict[str, str]]:
    """The table's version and the HTML of each region for a `role` in `lang`; also outside of a request.

    The player at `seat` ("" for none) sits at the bottom of the felt.
    """
    with table.locked():
        rendered = _rendered_of(app, table, table.changes.version)
        whose = (lang, role, seat)
        if whose not in rendered:
            rendered[whose] = _rendered(app, table, lang, role, seat)
        return table.changes.version, rendered[whose]


@lru_cache(maxsize=1)
def _rendered_of(app: Flask, table: LiveTable, version: int) -> dict[tuple[str, Role, str], dict[str, str]]:
    """The regions rendered so far for this version of the table. Nobody asks for those of an older version."""
    return {}


def _rendered(app: Flask, table: LiveTable, lang: str, role: Role, seat: str) -> dict[str, str]:
    with app.app_context(), force_locale(lang):
        values = {
            "v": build_view(table, lang, role, seat),
            "lang": lang,
            "role": role,
            "may": partial(may, role),
            "may_open": partial(may_open, role),
        }
        values["menu_rows"] = build_menu(table, role, learning=app.config["LEARNING"])
        values["has_camera"] = table.camera.is_there
        templates = app.jinja_env
        return {
            name: templates.get_template(f"regions/{name}.html").render(values).strip() for name in REGIONS
        }
