"""Tournaments: who takes part, and who sits where in each round.

`webui.club.schema` says what each table is for.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make them."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "tournaments",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_tournaments_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_club"), "tournaments", ["club"], unique=False)
    op.create_table(
        "entrants",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("tournament", number, nullable=False),
        sa.Column("person", number, nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        _of_tournament("entrants"),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name=op.f("fk_entrants_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entrants")),
    )
    op.create_index("uq_entrants_tournament_person", "entrants", ["tournament", "person"], unique=True)
    op.create_index(op.f("ix_entrants_person"), "entrants", ["person"], unique=False)
    op.create_table(
        "tournament_tables",
        sa.Column("tournament", number, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", number, nullable=False),
        _of_tournament("tournament_tables"),
        sa.ForeignKeyConstraint(
            ["place"], ["places.id"], name=op.f("fk_tournament_tables_place"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_tournament_tables")),
    )
    op.create_index(op.f("ix_tournament_tables_place"), "tournament_tables", ["place"], unique=False)
    op.create_table(
        "rounds",
        sa.Column("tournament", number, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.Column("after", number, nullable=False),
        _of_tournament("rounds"),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "round_seats",
        sa.Column("tournament", number, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entrant", number, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("chips", sa.Integer(), nullable=True),
        _of_tournament("round_seats"),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.id"], name=op.f("fk_round_seats_entrant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "round", "entrant", name=op.f("pk_round_seats")),
    )
    op.create_index(op.f("ix_round_seats_entrant"), "round_seats", ["entrant"], unique=False)


def _of_tournament(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tournament"], ["tournaments.id"], name=op.f(f"fk_{table}_tournament"), ondelete="CASCADE"
    )
