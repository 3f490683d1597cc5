"""Alembic's entry: the steps run on the connection that `webui.club.schema.migrate` gives."""

from alembic import context

from webui.club.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
