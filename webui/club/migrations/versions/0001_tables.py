"""The club's tables. `webui.club.schema` says what each is for."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "clubs",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clubs")),
        sa.UniqueConstraint("name", name=op.f("uq_clubs_name")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "links",
        sa.Column("word_hash", sa.Text(), nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_links_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("word_hash", name=op.f("pk_links")),
    )
    op.create_index(op.f("ix_links_club"), "links", ["club"], unique=False)
    op.create_table(
        "people",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("erased", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_people_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
    )
    op.create_index("uq_people_club_name", "people", ["club", "name"], unique=True)
    op.create_table(
        "places",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key_hash", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("removed_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_places_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_places")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_places_key_hash")),
    )
    op.create_index(op.f("ix_places_club"), "places", ["club"], unique=False)
    op.create_table(
        "seasons",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("since", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=True),
        sa.Column("least", sa.Integer(), nullable=False),
        sa.Column("points", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_seasons_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
    )
    op.create_index(op.f("ix_seasons_club"), "seasons", ["club"], unique=False)
    op.create_table(
        "tournaments",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=True),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("deleted_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_tournaments_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_club"), "tournaments", ["club"], unique=False)
    op.create_table(
        "trail",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_trail_club"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trail")),
    )
    op.create_index(op.f("ix_trail_club_at"), "trail", ["club", "at"], unique=False)
    op.create_table(
        "codes",
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("place", number, nullable=True),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_codes_club"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["place"], ["places.id"], name=op.f("fk_codes_place"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_codes")),
    )
    op.create_index(op.f("ix_codes_club"), "codes", ["club"], unique=False)
    op.create_table(
        "deleted",
        sa.Column("place", number, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["place"], ["places.id"], name=op.f("fk_deleted_place"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("place", "key", name=op.f("pk_deleted")),
    )
    op.create_table(
        "entrants",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("tournament", number, nullable=False),
        sa.Column("person", number, nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("substitute", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name=op.f("fk_entrants_person"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_entrants_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entrants")),
    )
    op.create_index(op.f("ix_entrants_person"), "entrants", ["person"], unique=False)
    op.create_index("uq_entrants_tournament_person", "entrants", ["tournament", "person"], unique=True)
    op.create_table(
        "evenings",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("place", number, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.Float(), nullable=False),
        sa.Column("received_at", sa.Float(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("open_flags", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_evenings_club"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["place"], ["places.id"], name=op.f("fk_evenings_place"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evenings")),
    )
    op.create_index("ix_evenings_club_opened_at", "evenings", ["club", "opened_at"], unique=False)
    op.create_index("ix_evenings_club_received_at", "evenings", ["club", "received_at"], unique=False)
    op.create_index("uq_evenings_place_key", "evenings", ["place", "key"], unique=True)
    op.create_table(
        "members",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("club", number, nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("person", number, nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_members_club"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name=op.f("fk_members_person"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
    )
    op.create_index(op.f("ix_members_club"), "members", ["club"], unique=False)
    op.create_index(op.f("ix_members_person"), "members", ["person"], unique=False)
    op.create_table(
        "names",
        sa.Column("club", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("person", number, nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_names_club"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_names_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("club", "name", name=op.f("pk_names")),
    )
    op.create_index(op.f("ix_names_person"), "names", ["person"], unique=False)
    op.create_table(
        "rounds",
        sa.Column("tournament", number, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.Column("after", number, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("published_at", sa.Float(), nullable=True),
        sa.Column("ends_at", sa.Float(), nullable=True),
        sa.Column("left_s", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_rounds_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "tournament_tables",
        sa.Column("tournament", number, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", number, nullable=False),
        sa.ForeignKeyConstraint(
            ["place"], ["places.id"], name=op.f("fk_tournament_tables_place"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournaments.id"],
            name=op.f("fk_tournament_tables_tournament"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_tournament_tables")),
    )
    op.create_index(op.f("ix_tournament_tables_place"), "tournament_tables", ["place"], unique=False)
    op.create_table(
        "events",
        sa.Column("evening", number, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evening"], ["evenings.id"], name=op.f("fk_events_evening"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("evening", "seq", name=op.f("pk_events")),
    )
    op.create_table(
        "absences",
        sa.Column("tournament", number, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entrant", number, nullable=False),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.id"], name=op.f("fk_absences_entrant"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_absences_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "round", "entrant", name=op.f("pk_absences")),
    )
    op.create_index(op.f("ix_absences_entrant"), "absences", ["entrant"], unique=False)
    op.create_table(
        "round_seats",
        sa.Column("tournament", number, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entrant", number, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("chips", sa.Integer(), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=True),
        sa.Column("stands_for", number, nullable=True),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.id"], name=op.f("fk_round_seats_entrant"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["stands_for"], ["entrants.id"], name=op.f("fk_round_seats_stands_for"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_round_seats_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "round", "entrant", name=op.f("pk_round_seats")),
    )
    op.create_index(op.f("ix_round_seats_entrant"), "round_seats", ["entrant"], unique=False)
    op.create_index(op.f("ix_round_seats_stands_for"), "round_seats", ["stands_for"], unique=False)
    op.create_table(
        "seats",
        sa.Column("evening", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("person", number, nullable=False),
        sa.Column("chips", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evening"], ["evenings.id"], name=op.f("fk_seats_evening"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_seats_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("evening", "name", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_person"), "seats", ["person"], unique=False)
    op.create_table(
        "round_evenings",
        sa.Column("place", number, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("tournament", number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["place"], ["places.id"], name=op.f("fk_round_evenings_place"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournaments.id"],
            name=op.f("fk_round_evenings_tournament"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("place", "key", name=op.f("pk_round_evenings")),
    )
    op.create_index(op.f("ix_round_evenings_tournament"), "round_evenings", ["tournament"], unique=False)
    op.create_table(
        "results",
        sa.Column("tournament", number, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("chips", sa.Text(), nullable=False),
        sa.Column("entrant", number, nullable=True),
        sa.Column("other", number, nullable=True),
        sa.Column("browser", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.id"], name=op.f("fk_results_entrant"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["other"], ["entrants.id"], name=op.f("fk_results_other"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_results_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "round", "number", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_entrant"), "results", ["entrant"], unique=False)
    op.create_index(op.f("ix_results_other"), "results", ["other"], unique=False)
    op.create_table(
        "adjustments",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("tournament", number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("entrant", number, nullable=False),
        sa.Column("chips", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.id"], name=op.f("fk_adjustments_entrant"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_adjustments_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjustments")),
    )
    op.create_index(op.f("ix_adjustments_entrant"), "adjustments", ["entrant"], unique=False)
    op.create_index(op.f("ix_adjustments_tournament"), "adjustments", ["tournament"], unique=False)
