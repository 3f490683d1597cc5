"""What was deleted at the club: it is hidden, and can be brought back for `KEPT_S`. Then it is gone for good.

Erasing a person also erases him from what is hidden. `webui.club.members` brings back a removed table.
"""

from sqlalchemy import Connection, Table, delete, insert, select, update

from webui.club.results import AT_TABLES, Query
from webui.club.schema import DELETED, EVENINGS, KEPT_S, PLACES, TOURNAMENTS, now_s


def hide(connection: Connection, table: Table, club: int, number: int) -> bool:
    """Hide a row of the club's EVENINGS or TOURNAMENTS; False if there is none."""
    own = update(table).filter_by(club=club, id=number, deleted_at=None)
    return connection.execute(own.values(deleted_at=now_s())).rowcount == 1


def bring_back(connection: Connection, table: Table, club: int, number: int) -> bool:
    """Bring back a row that was hidden; False if there is none that can be brought back."""
    own = (table.c.club == club, table.c.id == number, table.c.deleted_at > now_s() - KEPT_S)
    return connection.execute(update(table).where(*own).values(deleted_at=None)).rowcount == 1


def deleted_evenings_query(club: int) -> Query:
    """The evenings that can be brought back, the last deleted first."""
    return (
        AT_TABLES.add_columns(EVENINGS.c.deleted_at)
        .where(EVENINGS.c.club == club, EVENINGS.c.deleted_at > now_s() - KEPT_S)
        .order_by(EVENINGS.c.deleted_at.desc())
    )


def deleted_tournaments_query(club: int) -> Query:
    """The tournaments that can be brought back, the last deleted first."""
    return (
        select(TOURNAMENTS.c.id, TOURNAMENTS.c.name, TOURNAMENTS.c.game, TOURNAMENTS.c.deleted_at)
        .where(TOURNAMENTS.c.club == club, TOURNAMENTS.c.deleted_at > now_s() - KEPT_S)
        .order_by(TOURNAMENTS.c.deleted_at.desc())
    )


def removed_tables_query(club: int) -> Query:
    """The card tables that can be brought back, the last removed first."""
    return (
        select(PLACES.c.id, PLACES.c.name, PLACES.c.removed_at.label("deleted_at"))
        .where(PLACES.c.club == club, PLACES.c.removed_at > now_s() - KEPT_S)
        .order_by(PLACES.c.removed_at.desc())
    )


def purge(connection: Connection) -> None:
    """Delete for good what was hidden long enough ago. For its table, how far an evening had come is kept."""
    old = EVENINGS.c.deleted_at <= now_s() - KEPT_S
    gone = select(EVENINGS.c.place, EVENINGS.c.key, EVENINGS.c.last, EVENINGS.c.digest).where(old)
    connection.execute(insert(DELETED).from_select(["place", "key", "last", "digest"], gone))
    connection.execute(delete(EVENINGS).where(old))
    connection.execute(delete(TOURNAMENTS).where(TOURNAMENTS.c.deleted_at <= now_s() - KEPT_S))
