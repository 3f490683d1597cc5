"""What is deleted can be brought back; an evening belongs to its table; the server notes when it received one.

`webui.club.schema` says what each column is for.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
_DAY_S = 86400


def upgrade() -> None:
    """Add the columns, and tell from the table's clock and the server's own when an evening was received."""
    connection = op.get_bind()
    for table in ("evenings", "tournaments"):
        op.add_column(table, sa.Column("deleted_at", sa.Float(), nullable=True))
    op.add_column("places", sa.Column("removed_at", sa.Float(), nullable=True))
    op.execute("UPDATE places SET removed_at = joined_at WHERE removed")
    op.drop_column("places", "removed")

    op.add_column("evenings", sa.Column("received_at", sa.Float(), nullable=False, server_default="0"))
    # A table's clock may have been wrong; the server's own time of the last change is not.
    op.execute(
        f"""
        UPDATE evenings SET received_at = CASE
            WHEN opened_at <= changed_at
                AND opened_at >= (SELECT joined_at - {_DAY_S} FROM places WHERE places.id = evenings.place)
            THEN opened_at ELSE changed_at END
        """
    )
    op.execute("UPDATE evenings SET opened_at = received_at")
    op.drop_index("uq_evenings_club_key", "evenings")
    op.create_index("uq_evenings_place_key", "evenings", ["place", "key"], unique=True)
    op.create_index("ix_evenings_club_received_at", "evenings", ["club", "received_at"])

    # Which table had sent a deleted evening was not kept. Its key is none of another's.
    gone = connection.exec_driver_sql(
        "SELECT p.id, d.key, d.last, d.digest FROM deleted d JOIN places p ON p.club = d.club"
    ).all()
    op.drop_table("deleted")
    deleted = op.create_table(
        "deleted",
        sa.Column("place", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["place"], ["places.id"], name=op.f("fk_deleted_place"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("place", "key", name=op.f("pk_deleted")),
    )
    op.bulk_insert(deleted, [dict(zip(("place", "key", "last", "digest"), row, strict=True)) for row in gone])
