"""A person's browser without the browser: the page's client and its token."""

import re

from flask.testing import FlaskClient

from webui.app import create_app
from webui.live import LiveTable
from webui.security import COOKIE


class Page:
    """The page of a table, as one person has it open."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.client: FlaskClient = create_app(table).test_client()
        self.client.get("/")
        cookie = self.client.get_cookie(COOKIE)
        assert cookie is not None
        self.token = cookie.value

    def post(self, path: str, **fields: object) -> tuple[int, str]:
        """Send the form; the status and the sentence that comes back."""
        data = {"token": self.token, **fields}
        answer = self.client.post(path, data=data, headers={"Accept": "application/json"})
        return answer.status_code, answer.get_json()["message"]

    def text(self, path: str, lang: str = "en") -> str:
        """The words of a page."""
        body = self.client.get(path, query_string={"lang": lang}).get_data(as_text=True)
        return " ".join(re.sub(r"<[^>]+>", " ", body).split())
