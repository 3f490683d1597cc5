"""Who stands up from a round that is published keeps his seat in mind: he may come back to it."""

import sqlalchemy
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the table's number and the place there."""
    for name in ("number", "place"):
        op.add_column("absences", sqlalchemy.Column(name, sqlalchemy.Integer, nullable=True))
