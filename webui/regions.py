"""The parts of the table's page that follow the table, rendered once for each version and language."""

from functools import lru_cache, partial

from jinja2 import Environment

from webui.live import LiveTable
from webui.texts import text
from webui.view import build_view

REGIONS = ("status", "news", "felt", "acts", "notices", "payments", "health", "flags", "history")


def render_regions(templates: Environment, table: LiveTable, lang: str) -> tuple[int, dict[str, str]]:
    """The table's version and the HTML of each region in `lang`."""
    with table.reading():
        return table.version, _rendered(templates, table, lang, table.version)


@lru_cache(maxsize=8)
def _rendered(templates: Environment, table: LiveTable, lang: str, version: int) -> dict[str, str]:
    view = build_view(table, lang)
    values = {"v": view, "lang": lang, "t": partial(text, lang)}
    return {name: templates.get_template(f"regions/{name}.html").render(values).strip() for name in REGIONS}
