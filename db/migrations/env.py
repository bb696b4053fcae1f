"""What Alembic runs to upgrade: the revisions that are missing, in the transaction that `db.upgrade` has begun."""

from alembic import context

context.configure(**context.config.attributes)
context.run_migrations()
