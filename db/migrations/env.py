"""Alembic's environment for upgrades: it runs missing revisions in the transaction that `db.upgrade` has begun."""

from alembic import context

context.configure(**context.config.attributes)
context.run_migrations()
