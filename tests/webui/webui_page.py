"""A person's browser without the browser: the page's client and its token."""

import html
import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from webui.app import create_app
from webui.app_parts import app_parts
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.table.live import LiveTable
from webui.view.table_view import TableView, build_view


def view_of(table: LiveTable, lang: str, role: Role = Role.HOST) -> TableView:
    """What the page of `table` shows a `role` in `lang`, as a request for it would find it."""
    with create_app(table).test_request_context(query_string={"lang": lang}):
        return build_view(table, lang, role)


class Page:
    """The page of a table, as one person has it open: the host, unless another role or seat is given."""

    def __init__(
        self, table: LiveTable, role: Role = Role.HOST, seat: str = "", app: Flask | None = None
    ) -> None:
        self.table = table
        self.app = app or create_app(table)
        self.client: FlaskClient = self.app.test_client()
        self.phones: Phones = app_parts(self.app).phones
        self.token = ""
        if role is not Role.UNINVITED:
            self.is_phone(self.phones.join(role, seat, "localhost").id)

    def is_phone(self, identity: str) -> None:
        """Go on as the phone with this id."""
        self.client.set_cookie(PHONE_COOKIE, self.phones.cookie(identity))
        self.token = self.phones.form_token(identity)

    def post(self, path: str, **fields: object) -> tuple[int, str]:
        """Send the form, and be sure of it unless `sure` is ""; the status and the sentence that comes back."""
        data = {"token": self.token, "sure": "yes", **fields}
        answer = self.client.post(path, data=data, headers={"Accept": "application/json"})
        return answer.status_code, answer.get_json()["message"]

    def filled_in(self, path: str, action: str) -> dict[str, Any]:
        """What the dialog `path` has filled in of its form for `action`: hidden fields, choices, texts, numbers.

        Several values where a field stands there several times.
        """
        dialog = self.client.get(path).get_data(as_text=True)
        form = re.search(rf'<form method="post" action="{action}"[^>]*>(.*?)</form>', dialog, re.DOTALL)
        assert form is not None, (path, action)
        fields: dict[str, Any] = {}
        for field in re.findall(r"<input ([^>]*)>", form[1]):
            name, value = (re.search(rf'{key}="([^"]*)"', field) for key in ("name", "value"))
            kept = ("checked", 'type="hidden"', 'type="text"', 'type="number"')
            if name and value and any(one in field for one in kept):
                one, before = html.unescape(value[1]), fields.get(name[1])
                fields[name[1]] = (
                    one if before is None else [*([before] if isinstance(before, str) else before), one]
                )
        for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', form[1], re.DOTALL):
            if selected := re.search(r'<option value="([^"]*)"[^>]* selected', options):
                fields[name] = html.unescape(selected[1])
        return fields

    def sent(self, path: str, action: str, status: int = 200, **fields: object) -> dict[str, str]:
        """Fill in the form for `action` of the dialog `path`, send it, and give what comes back."""
        data = {**self.filled_in(path, action), "token": self.token, **fields}
        answer = self.client.post(action, data=data, headers={"Accept": "application/json"})
        assert answer.status_code == status, answer.get_json()
        told: dict[str, str] = answer.get_json()
        return told

    def html(self, path: str, status: int = 200) -> str:
        """A page or dialog in English."""
        answer = self.client.get(in_language(path, "en"))
        assert answer.status_code == status, (path, answer.status_code)
        return answer.get_data(as_text=True)

    def text(self, path: str, lang: str = "en") -> str:
        """The words of a page."""
        body = self.client.get(in_language(path, lang)).get_data(as_text=True)
        return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def in_language(path: str, lang: str) -> str:
    """The address `path` in `lang`."""
    return f"{path}{'&' if '?' in path else '?'}lang={lang}"


def buttons(html: str, name: str) -> list[str]:
    """The values of the buttons called `name`."""
    return re.findall(rf'<button class="[^"]*" name="{name}" value="([^"]*)"', html)
