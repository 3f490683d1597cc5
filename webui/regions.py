"""The parts of the page that change with the table, rendered once for each version and language."""

from functools import lru_cache

from flask import Flask
from flask_babel import force_locale

from webui.live import LiveTable
from webui.view.table_view import build_view

REGIONS = ("status", "news", "felt", "acts", "notices", "payments", "health", "flags", "history")


def render_regions(app: Flask, table: LiveTable, lang: str) -> tuple[int, dict[str, str]]:
    """The table's version and the HTML of each region in `lang`; also outside of a request."""
    with table.reading():
        return table.version, _rendered(app, table, lang, table.version)


@lru_cache(maxsize=8)
def _rendered(app: Flask, table: LiveTable, lang: str, version: int) -> dict[str, str]:
    with app.app_context(), force_locale(lang):
        values = {"v": build_view(table, lang), "lang": lang}
        templates = app.jinja_env
        return {
            name: templates.get_template(f"regions/{name}.html").render(values).strip() for name in REGIONS
        }
