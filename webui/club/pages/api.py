"""What card tables ask: to be taken in, how far the club has come, and to store a batch of events."""

from flask import Blueprint, g, jsonify

from webui.club.batch import is_evening_key, read_batch
from webui.club.common import club_name, intake, json_body, members, note_trail
from webui.club.intake import ElsewhereError
from webui.errors import EntryError
from webui.reporting.club_line import MOST_EVENINGS
from webui.serving.requests import Answer
from webui.texts import in_each_language, text

blueprint = Blueprint("api", __name__)
_KEY_LENGTHS = range(32, 129)


@blueprint.post("/api/join")
def join() -> Answer:
    """A table joins by a code, with a key that it made itself."""
    data = json_body()
    code, key = (data.get("code"), data.get("key")) if isinstance(data, dict) else (None, None)
    if not (isinstance(code, str) and isinstance(key, str) and len(key) in _KEY_LENGTHS and key.isascii()):
        raise EntryError("A table joins with a code and a key.")
    table = members().take_in(code, key)
    if table is None:
        raise EntryError("This code is not known, was used, or is too old. Ask the club for a new one.", 403)
    note_trail(table.club, f"table {table.id}", "joined", table.name)
    return jsonify(club=club_name(table.club), table=table.name)


@blueprint.post("/api/places")
def places() -> Answer:
    """How far the club has come with some evenings."""
    data = json_body()
    keys = data.get("evenings") if isinstance(data, dict) else None
    if not (isinstance(keys, list) and len(keys) <= MOST_EVENINGS and all(map(is_evening_key, keys))):
        raise EntryError("Evenings are asked for by their names.")
    found = intake().places(g.table.id, keys)
    return jsonify(evenings={key: {"last": last, "digest": digest} for key, (last, digest) in found.items()})


@blueprint.post("/api/events")
def events() -> Answer:
    """Store a batch."""
    batch = read_batch(json_body())
    try:
        last, digest = intake().take(g.table.club, g.table.id, batch)
    except ElsewhereError as error:
        said = in_each_language(lambda: text("The club has another record of this evening."))
        return jsonify(messages=said, last=error.last, digest=error.digest), 409
    return jsonify(last=last, digest=digest)
