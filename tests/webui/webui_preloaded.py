"""What each program that a test starts finds done: its modules are loaded, its routes and templates compiled."""

import pkgutil
from importlib import import_module
from tempfile import TemporaryDirectory

import webui_compiled  # noqa: F401 - before the app is made

import webui.cli
import webui.commands
import webui.serving.front
from tracker.store import EventStore
from webui.app import create_app
from webui.table.live import LiveTable

for module in pkgutil.iter_modules(webui.commands.__path__):
    import_module(f"webui.commands.{module.name}")

with TemporaryDirectory() as folder:
    store = EventStore(f"{folder}/evening.sqlite3")
    templates = create_app(LiveTable(store)).jinja_env
    for template in templates.list_templates():
        templates.get_template(template)
    store.close()
