"""What belongs to the running application: its table, its phones, and the like, one of each."""

from typing import TypeVar

from flask import current_app

K = TypeVar("K")


def app_part(name: str, kind: type[K]) -> K:
    """What the running application has as its `name`; it is of that `kind`."""
    found = current_app.extensions[name]
    assert isinstance(found, kind), name
    return found
