"""The answers to the latest entries, so that an entry which is sent twice is entered once.

A page gives each of its forms a mark. A form that comes again with the same mark and the same fields, as after a double
click, gets the first answer again. A refused form entered nothing, and may be sent again.
"""

import hashlib
import threading
from collections import OrderedDict
from typing import Final

from flask import Response, g, request

_MOST: Final = 2000
_PATIENCE_S: Final = 20.0


class AnsweredEntries:
    """The answers to the latest entries; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Condition(self._lock)
        self._answers: OrderedDict[bytes, Response | None] = OrderedDict()

    def before(self) -> Response | None:
        """The answer that this entry got already; None if it is to be entered now."""
        if not request.form.get("once"):
            return None
        fields = sorted(field for field in request.form.items(multi=True) if field[0] != "token")
        entry = hashlib.sha256(repr((g.browser, request.path, fields)).encode()).digest()
        with self._ended:
            # The same form is still being answered: its answer counts for this one, too.
            self._ended.wait_for(lambda: self._answers.get(entry, self) is not None, _PATIENCE_S)
            found = self._answers.get(entry)
            if found is None:
                self._answers[entry] = None
                g.entry = entry
                while len(self._answers) > _MOST:
                    self._answers.popitem(last=False)
        return found and Response(found.get_data(), found.status_code, found.headers)

    def after(self, response: Response) -> None:
        """Note that this request was answered with `response`."""
        entry = g.pop("entry", None)
        if entry is None:
            return
        with self._ended:
            if response.status_code < 400:
                self._answers[entry] = response
            else:
                self._answers.pop(entry, None)
            self._ended.notify_all()
