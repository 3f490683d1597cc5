"""The requests of card tables: to join, to learn how far the club has come, to store a batch, and for their round."""

from typing import Final

from flask import Blueprint, g, jsonify

from tracker.catalogue import msgid
from webui.club.batch import is_evening_key, read_batch
from webui.club.common import board, club_name, engine, intake, json_body, members, note_trail
from webui.club.intake import ElsewhereError
from webui.club.organising import find_place_today
from webui.club.rounds import note_round_evening, offer_for, seated_twice
from webui.errors import EntryError
from webui.pages.fields import is_storable
from webui.reporting.club_line import MOST_EVENINGS, MOST_KEY
from webui.serving.requests import Answer
from webui.texts import in_each_language, text

blueprint = Blueprint("api", __name__)
_KEY_LENGTHS = range(32, 129)
_MOST_BEGUN: Final = 20


@blueprint.post("/api/join")
def join() -> Answer:
    """Let a table join by a code, with a key that it made itself."""
    data = json_body()
    code, key = (data.get("code"), data.get("key")) if isinstance(data, dict) else (None, None)
    if not (isinstance(code, str) and isinstance(key, str) and len(key) in _KEY_LENGTHS and key.isascii()):
        raise EntryError("A table joins with a code and a key.")
    table = members().take_in(code, key)
    if table is None:
        raise EntryError("This code is not known, was used, or is too old. Ask the club for a new one.", 403)
    note_trail(table.club, f"table {table.id}", msgid("the table {table} joined"), table=table.name)
    with engine().begin() as connection:
        find_place_today(connection, table.club, members().tables_of(table.club))
    return jsonify(club=club_name(table.club), table=table.name)


@blueprint.post("/api/places")
def places() -> Answer:
    """Tell how far the club has come with some evenings."""
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


@blueprint.post("/api/round")
def round_to_play() -> Answer:
    """Tell the round that the table is to play. The table may first say which evenings it began for which rounds."""
    data = json_body()
    begun = data.get("begun") if isinstance(data, dict) else None
    if not (isinstance(begun, list) and len(begun) <= _MOST_BEGUN and all(map(_is_begun, begun))):
        raise EntryError("A table says which evening is which round by their keys.")
    club, place = g.table.club, g.table.id
    with engine().begin() as connection:
        for evening, offer in begun:
            note_round_evening(connection, club, place, evening, offer)
        found = offer_for(connection, club, place)
        twice = seated_twice(connection, club, place)
    if begun:
        board().changed(club)
    here = g.table.name
    elsewhere = [[one.name, next((name for name in one.tables if name != here), here)] for one in twice]
    return jsonify(offer=found, twice=elsewhere)


def _is_begun(value: object) -> bool:
    """Whether `value` is a pair of keys: of an evening, and of the round that was offered."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and is_evening_key(value[0])
        and is_storable(value[0])
        and isinstance(value[1], str)
        and 0 < len(value[1]) <= MOST_KEY
        and value[1].isascii()
    )
