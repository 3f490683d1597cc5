"""A session file's object, as the tests write it."""

from collections.abc import Sequence
from typing import Any


def session_file(rules: str, seats: Sequence[str], *hands: dict[str, Any], **options: Any) -> dict[str, Any]:
    """An evening by these rules with these `hands`."""
    return {
        "format": "tarok-session/1",
        "rules": rules,
        "options": options,
        "seats": list(seats),
        "hands": list(hands),
    }
