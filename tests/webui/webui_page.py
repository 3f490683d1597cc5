"""A person's browser without the browser: the page's client and its token."""

import html
import re

from flask.testing import FlaskClient

from webui.app import create_app
from webui.live import LiveTable
from webui.security import TOKEN_COOKIE
from webui.view.table_view import TableView, build_view


def view_of(table: LiveTable, lang: str) -> TableView:
    """What the page of `table` shows in `lang`, as a request for it would find it."""
    with create_app(table).test_request_context(query_string={"lang": lang}):
        return build_view(table, lang)


class Page:
    """The page of a table, as one person has it open."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.client: FlaskClient = create_app(table).test_client()
        self.client.get("/")
        cookie = self.client.get_cookie(TOKEN_COOKIE)
        assert cookie is not None
        self.token = cookie.value

    def post(self, path: str, **fields: object) -> tuple[int, str]:
        """Send the form; the status and the sentence that comes back."""
        data = {"token": self.token, **fields}
        answer = self.client.post(path, data=data, headers={"Accept": "application/json"})
        return answer.status_code, answer.get_json()["message"]

    def filled_in(self, path: str, action: str) -> dict[str, str]:
        """What the sheet `path` has filled in of its form for `action`: hidden fields, choices, texts."""
        sheet = self.client.get(path).get_data(as_text=True)
        form = re.search(rf'<form method="post" action="{action}">(.*?)</form>', sheet, re.DOTALL)
        assert form is not None, (path, action)
        fields = {}
        for field in re.findall(r"<input ([^>]*)>", form[1]):
            name, value = (re.search(rf'{key}="([^"]*)"', field) for key in ("name", "value"))
            if name and value and ("checked" in field or 'type="hidden"' in field or 'type="text"' in field):
                fields[name[1]] = html.unescape(value[1])
        return fields

    def text(self, path: str, lang: str = "en") -> str:
        """The words of a page."""
        body = self.client.get(path, query_string={"lang": lang}).get_data(as_text=True)
        return " ".join(re.sub(r"<[^>]+>", " ", body).split())
