"""The club's first tables: every later step goes on from them. A new database gets the tables of the schema instead."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: whoever has these tables has them already."""
